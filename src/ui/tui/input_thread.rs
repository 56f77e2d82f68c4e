//! Threads of the full screen. One reads keys, one handles signals, and one waits for the terminal
//! to hang up.

use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::backlog::{InputBacklog, InputGate, LINE_END_PAUSE};
use super::screen::ScreenEvent;
use super::terminal;
use crate::interrupt::InterruptHandler;
use crate::platform::{self, KeyWaitResult, ProcessSignal};
use crate::ui::LoopEvent;

/// Threads that read keys, clicks and window sizes from the terminal.
#[derive(Debug)]
pub(super) struct InputThreads {
    rest: Arc<AtomicBool>,
    reading: Arc<Mutex<()>>,
    /// Pipe that wakes the reading thread, so that it checks whether it should pause.
    bell: PipeWriter,
}

impl InputThreads {
    /// Starts the threads.
    ///
    /// Signals are handled from now on, and keys are read after the next [`InputThreads::resume`].
    /// `interrupt` handles Ctrl-C in line mode.
    ///
    /// # Errors
    /// Fails if the system provides no pipe.
    pub(super) fn start(
        sender: Sender<LoopEvent>,
        interrupt: InterruptHandler,
        backlog: InputBacklog,
    ) -> io::Result<Self> {
        let (rest, reading) = (Arc::new(AtomicBool::new(true)), Arc::new(Mutex::new(())));
        handle_signals(sender.clone(), Arc::clone(&rest), interrupt);
        let (own_rest, own_reading) = (Arc::clone(&rest), Arc::clone(&reading));
        let (heard, bell) = io::pipe()?;
        thread::spawn(move || {
            let read = if platform::CAN_WAIT_FOR_INPUT { read_terminal_bytes } else { read_crossterm_events };
            read(&sender, InputGate::new(backlog), &own_rest, &own_reading, heard);
        });
        Ok(InputThreads { rest, reading, bell })
    }

    fn set_paused(&self, rests: bool) {
        self.rest.store(rests, Ordering::SeqCst);
        let _ = (&self.bell).write_all(&[0]); // the reader may have ended
    }

    /// Pauses reading until [`InputThreads::resume`], so that other code can read the input.
    pub(super) fn pause(&self) {
        self.set_paused(true);
        drop(lock_ignoring_poison(&self.reading)); // the reader has paused once it releases the lock
    }

    /// Resumes reading.
    pub(super) fn resume(&self) {
        self.set_paused(false);
    }
}

fn lock_ignoring_poison(lock: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads the terminal's input as bytes and decodes them.
fn read_terminal_bytes(
    sender: &Sender<LoopEvent>,
    mut gate: InputGate,
    rest: &AtomicBool,
    reading: &Mutex<()>,
    mut bell: PipeReader,
) {
    let (mut decoder, mut found) = (super::input::InputDecoder::default(), Vec::new());
    let mut buffer = [0; 4096];
    loop {
        let reads = lock_ignoring_poison(reading);
        if rest.load(Ordering::SeqCst) {
            drop(reads);
            if bell.read(&mut buffer).unwrap_or(0) == 0 {
                return; // input is no longer needed
            }
            continue;
        }
        let patience = decoder.timeout().or_else(|| gate.has_open_line().then_some(LINE_END_PAUSE));
        let waited = platform::wait_for_keys(&bell, patience);
        let mut late = None;
        match waited {
            Ok(KeyWaitResult::TimeOut) => {
                decoder.flush_after_timeout(&mut found);
                late = gate.on_pause();
            }
            Ok(KeyWaitResult::Bell) if bell.read(&mut buffer).unwrap_or(0) == 0 => return,
            Ok(KeyWaitResult::Bell | KeyWaitResult::Interrupted) => {}
            Ok(KeyWaitResult::Keys) => match platform::read_terminal_bytes(&mut buffer) {
                Ok(count) if count > 0 => decoder.decode(&buffer[..count], &mut found),
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                // No more input will come.
                Ok(_) | Err(_) => terminal::restore_and_exit(terminal::HANG_UP_EXIT_CODE),
            },
            Err(_) => terminal::restore_and_exit(terminal::HANG_UP_EXIT_CODE),
        }
        drop(reads);
        for (event, drops) in
            late.into_iter().chain(found.drain(..).filter_map(|event| gate.admit_event(event)))
        {
            if sender.send(LoopEvent::Typed(event, drops)).is_err() {
                return;
            }
        }
    }
}

/// Reads the terminal's input as crossterm events.
fn read_crossterm_events(
    sender: &Sender<LoopEvent>,
    mut gate: InputGate,
    rest: &AtomicBool,
    reading: &Mutex<()>,
    _: PipeReader,
) {
    use crossterm::event;
    /// Interval at which the thread checks whether it should pause reading.
    const PAUSE_CHECK_INTERVAL: std::time::Duration = std::time::Duration::from_millis(200);
    loop {
        let reads = lock_ignoring_poison(reading);
        if rest.load(Ordering::SeqCst) {
            drop(reads);
            thread::sleep(PAUSE_CHECK_INTERVAL / 10);
            continue;
        }
        let event = match event::poll(PAUSE_CHECK_INTERVAL) {
            Ok(false) => {
                let late = gate.on_pause();
                if late.is_some_and(|(event, drops)| sender.send(LoopEvent::Typed(event, drops)).is_err()) {
                    return;
                }
                continue;
            }
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        drop(reads);
        let event = match event {
            Ok(event::Event::Key(key)) if key.kind != event::KeyEventKind::Release => ScreenEvent::Key(key),
            Ok(event::Event::Mouse(mouse)) => ScreenEvent::Mouse(mouse),
            Ok(event::Event::Paste(text)) => ScreenEvent::Paste(text),
            Ok(event::Event::Resize(width, height)) => ScreenEvent::Resize(width, height),
            Ok(_) => continue,
            Err(_) => return, // nothing more will come: the channel closes
        };
        let Some((event, drops)) = gate.admit_event(event) else { continue };
        if sender.send(LoopEvent::Typed(event, drops)).is_err() {
            return;
        }
    }
}

/// Handles signals that end, stop or continue the program or resize the window.
///
/// Also detects that the terminal has hung up. The terminal is restored before the program ends.
fn handle_signals(sender: Sender<LoopEvent>, rest: Arc<AtomicBool>, interrupt: InterruptHandler) {
    platform::on_signals(move |signal| {
        // Without a receiver the program is about to end anyway.
        let tell = |event| _ = sender.send(LoopEvent::Terminal(event));
        // In line mode the program does not own the terminal.
        let is_plain = rest.load(Ordering::SeqCst);
        match signal {
            ProcessSignal::Resized => {
                let (width, height) = super::terminal_size();
                tell(ScreenEvent::Resize(width, height));
            }
            ProcessSignal::Stop if is_plain => platform::suspend_process(),
            ProcessSignal::Interrupt if is_plain => interrupt.handle_ctrl_c(),
            ProcessSignal::Continue if is_plain => {}
            ProcessSignal::Stop => tell(ScreenEvent::Stop),
            ProcessSignal::Continue => tell(ScreenEvent::Continue),
            ProcessSignal::HangUp => {
                drop(thread::spawn(|| terminal::restore_and_exit(terminal::HANG_UP_EXIT_CODE)));
            }
            ProcessSignal::Interrupt => terminal::restore_and_exit(130),
            ProcessSignal::End(number) => terminal::restore_and_exit(128 + number),
        }
    });
    platform::on_terminal_hang_up(|| terminal::restore_and_exit(terminal::HANG_UP_EXIT_CODE));
}
