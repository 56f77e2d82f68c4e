//! Standard input: lines of bounded length, and input that is read while an engine thinks. Knows no commands.

use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of the longest line that is read; what is longer is an error, whatever it says.
pub const LONGEST_LINE: usize = 64 * 1024;

/// The next line without its end, at most one byte longer than [`LONGEST_LINE`]; `None` at the end of the input.
///
/// # Errors
/// If the input cannot be read.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if Read::take(&mut *input, LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > LONGEST_LINE {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// Returns the text of a line without control characters and its comment. Tabs become spaces.
pub(crate) fn clean(line: &[u8]) -> String {
    let is_kept = |&byte: &u8| byte == b'\t' || !byte.is_ascii_control();
    let kept = line.iter().copied().filter(is_kept).take_while(|&byte| byte != b'#');
    let kept: Vec<u8> = kept.map(|byte| if byte == b'\t' { b' ' } else { byte }).collect();
    String::from_utf8_lossy(&kept).into_owned()
}

/// State of input that is read ahead.
#[derive(Clone, Debug, Default)]
pub struct ReadAhead {
    lines: Arc<AtomicU64>,
    eof: Arc<AtomicBool>,
}

impl ReadAhead {
    /// A flag that is raised once everything has been read.
    #[must_use]
    pub fn end_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.eof)
    }

    /// Reports whether more than so many lines have come, or no more will.
    #[must_use]
    pub(crate) fn has_more_than(&self, taken: u64) -> bool {
        self.lines.load(Ordering::SeqCst) > taken || self.eof.load(Ordering::SeqCst)
    }
}

/// Input that counts the lines that go through it.
struct CountedInput<R> {
    input: R,
    lines: Arc<AtomicU64>,
}

impl<R: Read> Read for CountedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let lines = buffer[..count].split(|&byte| byte == b'\n').skip(1).count();
        self.lines.fetch_add(lines as u64, Ordering::SeqCst);
        Ok(count)
    }
}

/// Reads on another thread, a few blocks ahead, and says what is known of what has come.
///
/// # Errors
/// If there can be no other thread.
pub fn read_ahead(input: impl Read + Send + 'static) -> io::Result<(impl BufRead, ReadAhead)> {
    let ahead = ReadAhead::default();
    let (input, flag) = (CountedInput { input, lines: Arc::clone(&ahead.lines) }, ahead.end_flag());
    let input = read_ahead_and_tell(input, move || flag.store(true, Ordering::SeqCst))?;
    Ok((input, ahead))
}

/// Reads lines ahead and calls `tell` once everything has been read.
///
/// # Errors
/// If there can be no other thread.
pub(crate) fn read_ahead_and_tell(
    mut input: impl Read + Send + 'static,
    tell: impl FnOnce() + Send + 'static,
) -> io::Result<impl LookAhead> {
    let (blocks, queue) = sync_channel::<io::Result<Vec<u8>>>(4);
    thread::Builder::new().name("input".to_owned()).stack_size(STACK).spawn(move || {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let block = match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => Ok(buffer[..count].to_vec()),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let is_fault = block.is_err();
            if blocks.send(block).is_err() || is_fault {
                break;
            }
        }
        tell();
    })?;
    Ok(Queue { blocks: queue, rest: Vec::new(), used: 0, has_ended: false })
}

/// Input that can be examined before it is read, without waiting for more.
pub(crate) trait LookAhead: BufRead {
    /// Returns what has arrived and was not read yet, and reports whether the input has ended behind it. Much is taken in:
    /// whoever waits for an engine that may never answer has to find the end of the input.
    fn arrived(&mut self) -> (&[u8], bool);
}

/// The most bytes that are taken in to find the end of the input. More stays where it is until it is read.
const MAX_AHEAD: usize = 16 << 20;
/// Time for which the end of the input is looked for at first, and time within which the next block has to come.
const AT_ONCE: Duration = Duration::from_millis(20);
const NEXT_BLOCK: Duration = Duration::from_millis(2);

/// The stack of a thread that hardly uses one.
pub(crate) const STACK: usize = 128 * 1024;

/// The blocks that have been read ahead.
struct Queue {
    blocks: Receiver<io::Result<Vec<u8>>>,
    rest: Vec<u8>,
    /// Bytes at the start of `rest` that were read already.
    used: usize,
    has_ended: bool,
}

impl Read for Queue {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Queue {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.rest.len() && !self.has_ended {
            // The other side hangs up when there is no more.
            match self.blocks.recv() {
                Ok(block) => (self.rest, self.used) = (block?, 0),
                Err(_) => self.has_ended = true,
            }
        }
        Ok(&self.rest[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used = (self.used + count).min(self.rest.len());
    }
}

impl LookAhead for Queue {
    fn arrived(&mut self) -> (&[u8], bool) {
        let until = Instant::now() + AT_ONCE;
        let mut wait = Duration::ZERO;
        while !self.has_ended && self.rest.len() - self.used < MAX_AHEAD && Instant::now() < until {
            match self.blocks.recv_timeout(wait) {
                Ok(Ok(block)) => {
                    if self.used > self.rest.len() / 2 {
                        self.rest.drain(..self.used);
                        self.used = 0;
                    }
                    self.rest.extend(block);
                    wait = NEXT_BLOCK;
                }
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => self.has_ended = true,
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        (&self.rest[self.used..], self.has_ended)
    }
}

/// Time that a search may still take once no more input will come.
pub(crate) const GRACE: Duration = Duration::from_millis(500);
