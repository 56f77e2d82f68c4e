//! The threads beside the screen: one reads keys, one takes signals, one waits for the terminal to hang up.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::backlog::{Backlog, Gate, PAUSE};
use super::screen::Event;
use super::terminal;
use crate::interrupt::Interrupt;
use crate::platform::{self, Signal, Waited};
use crate::ui::Incoming;

/// Source of the keys, clicks and window sizes that come from the terminal.
#[derive(Debug)]
pub(super) struct Keys {
    rest: Arc<AtomicBool>,
    reading: Arc<Mutex<()>>,
    /// Pipe whose byte makes the reader check whether it should pause.
    bell: PipeWriter,
}

impl Keys {
    /// Starts the threads: signals are taken from now on, and keys are read from the next
    /// [`Keys::resume`] on. `interrupt` is the handling of Ctrl-C in plain text.
    ///
    /// # Errors
    /// If the system gives no pipe.
    pub(super) fn start(
        sender: Sender<Incoming>,
        interrupt: Interrupt,
        backlog: Backlog,
    ) -> io::Result<Self> {
        let (rest, reading) = (Arc::new(AtomicBool::new(true)), Arc::new(Mutex::new(())));
        for_signals(sender.clone(), Arc::clone(&rest), interrupt);
        let (own_rest, own_reading) = (Arc::clone(&rest), Arc::clone(&reading));
        let (heard, bell) = io::pipe()?;
        thread::spawn(move || {
            let read = if platform::CAN_WAIT_FOR_INPUT { read_bytes } else { read_events };
            read(&sender, Gate::new(backlog), &own_rest, &own_reading, heard);
        });
        Ok(Keys { rest, reading, bell })
    }

    fn set_rest(&self, rests: bool) {
        self.rest.store(rests, Ordering::SeqCst);
        let _ = (&self.bell).write_all(&[0]); // the reader may have ended
    }

    /// Leaves the input to another reader; the next call of [`Keys::resume`] takes it back.
    pub(super) fn rest(&self) {
        self.set_rest(true);
        drop(locked(&self.reading)); // the reader has seen it when it lets go
    }

    /// Reads again.
    pub(super) fn resume(&self) {
        self.set_rest(false);
    }
}

fn locked(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads what the terminal sends, as bytes.
fn read_bytes(
    sender: &Sender<Incoming>,
    mut gate: Gate,
    rest: &AtomicBool,
    reading: &Mutex<()>,
    mut bell: PipeReader,
) {
    let (mut decoder, mut found) = (super::input::Decoder::default(), Vec::new());
    let mut buffer = [0; 4096];
    loop {
        let reads = locked(reading);
        if rest.load(Ordering::SeqCst) {
            drop(reads);
            if bell.read(&mut buffer).unwrap_or(0) == 0 {
                return; // nobody will read again
            }
            continue;
        }
        let patience = decoder.patience().or_else(|| gate.is_counting().then_some(PAUSE));
        let waited = platform::wait_for_keys(&bell, patience);
        let mut late = None;
        match waited {
            Ok(Waited::TimeOut) => {
                decoder.give_up(&mut found);
                late = gate.pause();
            }
            Ok(Waited::Bell) if bell.read(&mut buffer).unwrap_or(0) == 0 => return,
            Ok(Waited::Bell | Waited::Interrupted) => {}
            Ok(Waited::Keys) => match platform::read_input(&mut buffer) {
                Ok(count) if count > 0 => decoder.take(&buffer[..count], &mut found),
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                Ok(_) | Err(_) => terminal::end_process(terminal::HANG_UP), // nothing more will come
            },
            Err(_) => terminal::end_process(terminal::HANG_UP),
        }
        drop(reads);
        for (event, drops) in late.into_iter().chain(found.drain(..).filter_map(|event| gate.pass(event))) {
            if sender.send(Incoming::Typed(event, drops)).is_err() {
                return;
            }
        }
    }
}

/// Reads what the terminal sends, as events.
fn read_events(
    sender: &Sender<Incoming>,
    mut gate: Gate,
    rest: &AtomicBool,
    reading: &Mutex<()>,
    _: PipeReader,
) {
    use crossterm::event;
    /// Interval at which the reader checks whether it should pause.
    const LOOK: std::time::Duration = std::time::Duration::from_millis(200);
    loop {
        let reads = locked(reading);
        if rest.load(Ordering::SeqCst) {
            drop(reads);
            thread::sleep(LOOK / 10);
            continue;
        }
        let event = match event::poll(LOOK) {
            Ok(false) => {
                let late = gate.pause();
                if late.is_some_and(|(event, drops)| sender.send(Incoming::Typed(event, drops)).is_err()) {
                    return;
                }
                continue;
            }
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        drop(reads);
        let event = match event {
            Ok(event::Event::Key(key)) if key.kind != event::KeyEventKind::Release => Event::Key(key),
            Ok(event::Event::Mouse(mouse)) => Event::Mouse(mouse),
            Ok(event::Event::Paste(text)) => Event::Paste(text),
            Ok(event::Event::Resize(width, height)) => Event::Resize(width, height),
            Ok(_) => continue,
            Err(_) => return, // nothing more will come: the channel closes
        };
        let Some((event, drops)) = gate.pass(event) else { continue };
        if sender.send(Incoming::Typed(event, drops)).is_err() {
            return;
        }
    }
}

/// Takes the signals that end, stop and continue programs and tell of windows, and notices a terminal that has gone.
/// Before the program ends the terminal is given back.
fn for_signals(sender: Sender<Incoming>, rest: Arc<AtomicBool>, interrupt: Interrupt) {
    platform::on_signals(move |signal| {
        // Nobody listens any more: the program is about to end by itself.
        let tell = |event| _ = sender.send(Incoming::Terminal(event));
        // In plain text the terminal is not ours.
        let is_plain = rest.load(Ordering::SeqCst);
        match signal {
            Signal::Resized => {
                let (width, height) = super::size();
                tell(Event::Resize(width, height));
            }
            Signal::Stop if is_plain => platform::stop_process(),
            Signal::Interrupt if is_plain => interrupt.interrupt(),
            Signal::Continue if is_plain => {}
            Signal::Stop => tell(Event::Stop),
            Signal::Continue => tell(Event::Continue),
            Signal::HangUp => drop(thread::spawn(|| terminal::end_process(terminal::HANG_UP))),
            Signal::Interrupt => terminal::end_process(130),
            Signal::End(number) => terminal::end_process(128 + number),
        }
    });
    platform::on_hang_up(|| terminal::end_process(terminal::HANG_UP));
}
