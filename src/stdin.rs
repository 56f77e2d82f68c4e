//! Standard input: lines of limited length, and input that is read while an engine thinks. This module does
//! not interpret commands.

use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of an input line, in bytes. A longer line is an error.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// Reads the next line without its line feed, cut after one byte more than [`MAX_LINE_BYTES`]; `None` at the
/// end of the input.
///
/// # Errors
/// Returns an error if the input cannot be read.
pub fn read_limited_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if Read::take(&mut *input, MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() > MAX_LINE_BYTES {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// Returns the text of a line without its comment and control characters. Tabs become spaces.
pub(crate) fn clean_command_line(line: &[u8]) -> String {
    let is_kept = |&byte: &u8| byte == b'\t' || !byte.is_ascii_control();
    let kept = line.iter().copied().filter(is_kept).take_while(|&byte| byte != b'#');
    let kept: Vec<u8> = kept.map(|byte| if byte == b'\t' { b' ' } else { byte }).collect();
    String::from_utf8_lossy(&kept).into_owned()
}

/// State of input that another thread reads ahead.
#[derive(Clone, Debug, Default)]
pub struct ReadAhead {
    lines: Arc<AtomicU64>,
    eof: Arc<AtomicBool>,
}

impl ReadAhead {
    /// Returns a flag that is set at the end of the input.
    #[must_use]
    pub fn eof_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.eof)
    }

    /// Reports whether more than `taken` lines have arrived, or the input has ended.
    #[must_use]
    pub(crate) fn has_more_lines_than(&self, taken: u64) -> bool {
        self.lines.load(Ordering::SeqCst) > taken || self.eof.load(Ordering::SeqCst)
    }
}

/// Reader that counts the lines passing through it.
struct LineCountingReader<R> {
    input: R,
    lines: Arc<AtomicU64>,
}

impl<R: Read> Read for LineCountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        let lines = buffer[..count].split(|&byte| byte == b'\n').skip(1).count();
        self.lines.fetch_add(lines as u64, Ordering::SeqCst);
        Ok(count)
    }
}

/// Reads input on another thread, a few blocks ahead. Returns the input and its read-ahead state.
///
/// # Errors
/// Returns an error if the thread cannot be started.
pub fn read_input_ahead(input: impl Read + Send + 'static) -> io::Result<(impl BufRead, ReadAhead)> {
    let ahead = ReadAhead::default();
    let (input, flag) = (LineCountingReader { input, lines: Arc::clone(&ahead.lines) }, ahead.eof_flag());
    let input = read_ahead_with_eof_callback(input, move || flag.store(true, Ordering::SeqCst))?;
    Ok((input, ahead))
}

/// Reads input on another thread, a few blocks ahead, and calls `tell` at the end of the input.
///
/// # Errors
/// Returns an error if the thread cannot be started.
pub(crate) fn read_ahead_with_eof_callback(
    mut input: impl Read + Send + 'static,
    tell: impl FnOnce() + Send + 'static,
) -> io::Result<impl PeekableInput> {
    let (blocks, queue) = sync_channel::<io::Result<Vec<u8>>>(4);
    thread::Builder::new().name("input".to_owned()).stack_size(SMALL_STACK_BYTES).spawn(move || {
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
    Ok(BlockQueue { blocks: queue, rest: Vec::new(), used: 0, has_ended: false })
}

/// Input whose arrived bytes can be examined before they are read, without blocking.
pub(crate) trait PeekableInput: BufRead {
    /// Returns the bytes that have arrived and are not read yet, and reports whether the input ends after
    /// them. To detect the end of the input while an engine is thinking, it buffers up to 16 MiB.
    fn peek_arrived(&mut self) -> (&[u8], bool);
}

/// Maximum number of bytes buffered to detect the end of the input. Later bytes wait until they are read.
const MAX_PEEK_BYTES: usize = 16 << 20;
/// Time limit of one [`PeekableInput::peek_arrived`] call.
const PEEK_TIMEOUT: Duration = Duration::from_millis(20);
/// Maximum time to wait for one more block of input.
const NEXT_BLOCK_TIMEOUT: Duration = Duration::from_millis(2);

/// Stack size of threads that use little stack, in bytes.
pub(crate) const SMALL_STACK_BYTES: usize = 128 * 1024;

/// Blocks of input that have been read ahead.
struct BlockQueue {
    blocks: Receiver<io::Result<Vec<u8>>>,
    rest: Vec<u8>,
    /// Number of bytes at the start of `rest` that were read already.
    used: usize,
    has_ended: bool,
}

impl Read for BlockQueue {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for BlockQueue {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.rest.len() && !self.has_ended {
            // The sender is dropped at the end of the input.
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

impl PeekableInput for BlockQueue {
    fn peek_arrived(&mut self) -> (&[u8], bool) {
        let until = Instant::now() + PEEK_TIMEOUT;
        let mut wait = Duration::ZERO;
        while !self.has_ended && self.rest.len() - self.used < MAX_PEEK_BYTES && Instant::now() < until {
            match self.blocks.recv_timeout(wait) {
                Ok(Ok(block)) => {
                    if self.used > self.rest.len() / 2 {
                        self.rest.drain(..self.used);
                        self.used = 0;
                    }
                    self.rest.extend(block);
                    wait = NEXT_BLOCK_TIMEOUT;
                }
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => self.has_ended = true,
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        (&self.rest[self.used..], self.has_ended)
    }
}

/// Time that a search may still take after the input has ended.
pub(crate) const SEARCH_GRACE_AFTER_EOF: Duration = Duration::from_millis(500);
