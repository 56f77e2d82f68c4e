//! The analysis board while an engine thinks: keys respond at once, the analysis can be left at once,
//! and it uses little memory.

use std::fs;
use std::time::{Duration, Instant};

use crate::screen::{Terminal, crosspath};

/// Opens a game of 60 moves on 11x11 on the analysis board, at its first position.
fn open_analysis() -> (Terminal, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    // Rows of stones that never connect a side's edges.
    let cells = (0..60).map(|ply| format!("{}{}", char::from(b'a' + ply % 10), 1 + ply / 10 * 2));
    fs::write(&file, cells.collect::<Vec<_>>().join(" ")).unwrap();
    let mut terminal = crosspath(&["--game", "hex", "--analyze", file.to_str().unwrap()]);
    terminal.set_size(100, 35);
    terminal.expect("from the opening");
    (terminal, folder)
}

/// Returns the time from a key press until its title is shown.
fn time_until_title(terminal: &mut Terminal, key: &str, title: &str) -> Duration {
    let began = Instant::now();
    terminal.send(key);
    terminal.expect(title);
    began.elapsed()
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn keys_respond_within_20_ms_during_analysis() {
    let (mut terminal, _folder) = open_analysis();
    let mut times: Vec<Duration> = (1..=40)
        .map(|ply| {
            terminal.read_for(Duration::from_millis(150)); // let the engine start on this position
            time_until_title(&mut terminal, "\u{1b}[C", &format!("move {ply} of 60"))
        })
        .collect();
    times.sort_unstable();
    println!("median {:?}, ninth of ten {:?}, longest {:?}", times[20], times[35], times[39]);
    assert!(times[20] <= Duration::from_millis(20), "{times:?}");
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn stepping_keeps_up_with_a_held_key() {
    let (mut terminal, _folder) = open_analysis();
    // A held key repeats about 30 times a second.
    for _ in 0..59 {
        terminal.send("\u{1b}[C");
        terminal.read_for(Duration::from_millis(33));
    }
    let last = time_until_title(&mut terminal, "\u{1b}[C", "move 60 of 60");
    println!("the last of 60 keys took {last:?}");
    assert!(last <= Duration::from_millis(50), "{last:?}");
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn analysis_ends_at_once_and_uses_little_memory() {
    let (mut terminal, _folder) = open_analysis();
    // Shows every position twice, long enough for its first analysis rounds.
    for ply in (1..=60).chain((0..60).rev()) {
        let key = if terminal.text().contains(&format!("move {} of 60", ply - 1)) {
            "\u{1b}[C"
        } else {
            "\u{1b}[D"
        };
        terminal.send(key);
        terminal.read_for(Duration::from_secs(1));
    }
    let status = fs::read_to_string(format!("/proc/{}/status", terminal.id().as_raw_nonzero())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim().to_owned();
    let kib: u64 = peak.trim_end_matches(" kB").parse().unwrap();
    let began = Instant::now();
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
    let left = began.elapsed();
    println!("peak {} MiB, left within {left:?}", kib / 1024);
    assert!(kib <= 300 * 1024 && left <= Duration::from_millis(50), "{kib} KiB, {left:?}");
}
