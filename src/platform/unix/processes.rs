//! Groups of processes: a program ends with all that it has started.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};

use crate::platform::{FAREWELL, LAST_NOTES, RESTARTS};

/// Script of the guard: it says that it is there; when its input ends it asks its group to end, and then ends it
/// and itself.
const GUARD: &str = "trap '' HUP INT TERM; echo; read -r _; kill -TERM -$$; sleep 1; kill -KILL -$$";

/// Starts a program in the group of a guard. That ends the group as soon as we have gone, even where we were killed.
pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Option<Child>)> {
    let Some(mut guard) = (0..=RESTARTS).find_map(|_| start_guard()) else {
        return Ok((command.process_group(0).spawn()?, None));
    };
    match command.process_group(number(&guard)).spawn() {
        Ok(child) => Ok((child, Some(guard))),
        Err(error) => {
            end(&mut guard);
            Err(error)
        }
    }
}

/// Starts a guard and waits until it is on guard.
fn start_guard() -> Option<Child> {
    let mut guard = Command::new("/bin/sh");
    guard.args(["-c", GUARD]).process_group(0);
    guard.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut guard = guard.spawn().ok()?;
    let is_there = guard.stdout.take().is_some_and(|mut said| said.read_exact(&mut [0]).is_ok());
    if !is_there {
        end(&mut guard);
    }
    is_there.then_some(guard)
}

fn number(child: &Child) -> i32 {
    i32::try_from(child.id()).expect("numbers of processes are positive")
}

fn end(child: &mut Child) {
    let _ = child.kill(); // it may have ended
    let _ = child.wait();
}

pub(crate) fn stop(child: &mut Child, guard: Option<Child>) {
    // Nobody is waited for until all is done: so long their numbers are nobody else's.
    let group = Pid::from_raw(guard.as_ref().map_or(number(child), number));
    if let Some((pid, group)) = Pid::from_raw(number(child)).zip(group) {
        let _ = has_ended_within(pid, FAREWELL)
            || kill_process_group(group, Signal::TERM).is_ok() && has_ended_within(pid, FAREWELL);
        // Others of the group may be left.
        let _ = kill_process_group(group, Signal::KILL);
    }
    end(child);
    if let Some(mut guard) = guard {
        end(&mut guard);
    }
}

/// Returns the way a program has ended. It stays to be waited for.
pub(crate) fn ending(child: &Child) -> Option<String> {
    let status = status(child)?;
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(format!("ended with exit code {code}")),
        (None, Some(number)) => {
            let name = Signal::from_named_raw(number).map(|signal| format!("{signal:?}"));
            let name = name.map(|name| format!(" ({})", name.trim_matches('"').replace("Signal::", "SIG")));
            Some(format!("was killed by signal {number}{}", name.unwrap_or_default()))
        }
        (None, None) => None,
    }
}

/// Reports whether Ctrl-C has ended a program. It stays to be waited for.
pub(crate) fn is_interrupted(child: &Child) -> bool {
    status(child).and_then(|status| status.terminating_signal()) == Some(Signal::INT.as_raw())
}

/// Returns the status with which a program has ended, if it has or soon does.
fn status(child: &Child) -> Option<WaitIdStatus> {
    let pid = Pid::from_raw(number(child))?;
    if !has_ended_within(pid, LAST_NOTES) {
        return None;
    }
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(pid), options).ok()?
}

fn has_ended_within(pid: Pid, wait: Duration) -> bool {
    let until = Instant::now() + wait;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let mut pause = Duration::from_micros(200);
    loop {
        // A child that cannot be asked about is none any more.
        if waitid(WaitId::Pid(pid), options).map_or(true, |status| status.is_some()) {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// User and system time, in hundredths of a second, from the list of processes.
#[cfg(target_os = "linux")]
pub(crate) fn cpu_time(id: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name may hold blanks and parentheses; what follows does not.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    let a_second = rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis(ticks * 1000 / a_second.max(1)))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn cpu_time(_: u32) -> Option<Duration> {
    None
}
