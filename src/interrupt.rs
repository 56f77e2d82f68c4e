//! Ctrl-C in line mode: it asks a thinking machine for its move; at the prompt the second one in a row leaves.
//! An engine for another program leaves when it is told to, or when nobody listens any more.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::player::StopSign;

/// What Ctrl-C has to know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    sign: StopSign,
    /// The last thing that came was a Ctrl-C.
    is_warned: Arc<AtomicBool>,
}

impl Interrupt {
    /// The sign that a thinking machine looks at.
    pub(crate) fn sign(&self) -> StopSign {
        self.sign.clone()
    }

    /// The input, which resets the warning with everything that is read from it.
    pub(crate) fn reader<R: BufRead>(&self, input: R) -> Attentive<R> {
        Attentive { input, is_warned: Arc::clone(&self.is_warned) }
    }

    /// Takes Ctrl-C from now on. Where that is not possible it ends the program as usual.
    #[cfg(unix)]
    pub(crate) fn watch(&self) {
        use signal_hook::{consts::SIGINT, iterator::Signals};
        let Ok(mut signals) = Signals::new([SIGINT]) else { return };
        let own = self.clone();
        std::thread::spawn(move || {
            for _ in signals.forever() {
                own.interrupt();
            }
        });
    }

    /// Elsewhere Ctrl-C ends the program.
    #[cfg(not(unix))]
    pub(crate) fn watch(&self) {}

    /// What Ctrl-C means now.
    pub(crate) fn interrupt(&self) {
        if self.sign.is_watched.load(Ordering::SeqCst) {
            std::process::exit(130);
        } else if self.sign.is_thinking.load(Ordering::SeqCst) {
            self.sign.stop.store(true, Ordering::SeqCst);
        } else if self.is_warned.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        } else {
            // A terminal that cannot be written to will end the program by itself.
            let _ = writeln!(io::stderr(), "\n(Ctrl-C again or quit to leave)");
        }
    }
}

/// Ends the program at once, without a word, at a signal to leave, or when the reader of standard output has gone. What
/// cannot be watched for ends it as usual.
#[cfg(unix)]
pub(crate) fn leave_when_told_to() {
    use rustix::event::{PollFd, PollFlags, poll};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                std::process::exit(128 + signal);
            }
        });
    }
    std::thread::spawn(|| {
        let out = io::stdout();
        // Nothing is asked for: only an end is reported.
        let mut watched = [PollFd::new(&out, PollFlags::empty())];
        loop {
            match poll(&mut watched, None) {
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => (),
                Err(_) => return,
            }
        }
        if watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            std::process::exit(0);
        }
    });
}

/// Elsewhere the program ends as usual.
#[cfg(not(unix))]
pub(crate) fn leave_when_told_to() {}

/// Input that counts as a sign of life.
#[derive(Debug)]
pub(crate) struct Attentive<R> {
    input: R,
    is_warned: Arc<AtomicBool>,
}

impl<R: BufRead> Read for Attentive<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

impl<R: BufRead> BufRead for Attentive<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.is_warned.store(false, Ordering::SeqCst);
        self.input.consume(amount);
    }
}
