//! Process groups: a program ends together with all processes that it has started.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};

use crate::platform::{FINAL_STDERR_TIMEOUT, MAX_PROGRAM_RESTARTS, PROGRAM_EXIT_TIMEOUT};

/// Shell script of the guard process. It prints a line when it is ready. When its input ends it terminates
/// its process group, then kills the group and itself.
const GROUP_GUARD_SCRIPT: &str =
    "trap '' HUP INT TERM; echo; read -r _; kill -TERM -$$; sleep 1; kill -KILL -$$";

/// Starts a program in the process group of a guard. The guard ends the group as soon as crosspath has ended,
/// even if crosspath was killed.
pub(crate) fn start_in_group(command: &mut Command) -> io::Result<(Child, Option<Child>)> {
    let Some(mut guard) = (0..=MAX_PROGRAM_RESTARTS).find_map(|_| start_group_guard()) else {
        return Ok((command.process_group(0).spawn()?, None));
    };
    match command.process_group(process_id(&guard)).spawn() {
        Ok(child) => Ok((child, Some(guard))),
        Err(error) => {
            kill_and_reap(&mut guard);
            Err(error)
        }
    }
}

/// Starts a guard and waits until it is ready.
fn start_group_guard() -> Option<Child> {
    let mut guard = Command::new("/bin/sh");
    guard.args(["-c", GROUP_GUARD_SCRIPT]).process_group(0);
    guard.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut guard = guard.spawn().ok()?;
    let is_there = guard.stdout.take().is_some_and(|mut said| said.read_exact(&mut [0]).is_ok());
    if !is_there {
        kill_and_reap(&mut guard);
    }
    is_there.then_some(guard)
}

/// Returns the ID of a child process.
fn process_id(child: &Child) -> i32 {
    i32::try_from(child.id()).expect("numbers of processes are positive")
}

/// Kills a child process and waits for its end.
fn kill_and_reap(child: &mut Child) {
    let _ = child.kill(); // it may have ended
    let _ = child.wait();
}

/// Waits for a program to exit, and terminates or kills its process group after timeouts.
pub(crate) fn stop_group(child: &mut Child, guard: Option<Child>) {
    // No process is reaped before the end, so that its number cannot be reused.
    let group = Pid::from_raw(guard.as_ref().map_or(process_id(child), process_id));
    if let Some((pid, group)) = Pid::from_raw(process_id(child)).zip(group) {
        let _ = has_process_ended_within(pid, PROGRAM_EXIT_TIMEOUT)
            || kill_process_group(group, Signal::TERM).is_ok()
                && has_process_ended_within(pid, PROGRAM_EXIT_TIMEOUT);
        // Other processes of the group may still run.
        let _ = kill_process_group(group, Signal::KILL);
    }
    kill_and_reap(child);
    if let Some(mut guard) = guard {
        kill_and_reap(&mut guard);
    }
}

/// Describes the exit of a program; does not reap it. Returns `None` if it still runs.
pub(crate) fn describe_exit(child: &Child) -> Option<String> {
    let status = exit_status_of(child)?;
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

/// Reports whether Ctrl-C has ended a program; does not reap it.
pub(crate) fn was_ended_by_ctrl_c(child: &Child) -> bool {
    exit_status_of(child).and_then(|status| status.terminating_signal()) == Some(Signal::INT.as_raw())
}

/// Returns the exit status of a program that has ended or ends soon; does not reap it.
fn exit_status_of(child: &Child) -> Option<WaitIdStatus> {
    let pid = Pid::from_raw(process_id(child))?;
    if !has_process_ended_within(pid, FINAL_STDERR_TIMEOUT) {
        return None;
    }
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(pid), options).ok()?
}

/// Waits up to `wait` for a child process to end and reports whether it has; does not reap it.
fn has_process_ended_within(pid: Pid, wait: Duration) -> bool {
    let until = Instant::now() + wait;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let mut pause = Duration::from_micros(200);
    loop {
        // A failed request means that the child no longer exists.
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

/// Returns the user and system time of a process, with a precision of 10 ms.
#[cfg(target_os = "linux")]
pub(crate) fn cpu_time_of_process(id: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name may hold blanks and parentheses; what follows does not.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    let a_second = rustix::param::clock_ticks_per_second();
    Some(Duration::from_millis(ticks * 1000 / a_second.max(1)))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn cpu_time_of_process(_: u32) -> Option<Duration> {
    None
}
