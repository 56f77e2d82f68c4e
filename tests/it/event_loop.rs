//! The one event loop with engines that fail, and lines in memory.

use std::io::BufReader;
use std::sync::Arc;

use crosspath::canvas::Glyphs;
use crosspath::play::{AfterEnd, Leaving, Match, Mode, NewGame, Rules, Unsaved};
use crosspath::session::EngineError;
use crosspath::thinking::BuildMachine;
use crosspath::ui::line::{Line, Style};
use crosspath::ui::{self, Inbox};

use crate::sentences::{lasting, said};

/// Plays the lines against engines built by `build`; returns the reason of leaving, the answers and
/// the reports.
fn play(mode: Mode, input: &str, build: BuildMachine) -> (Leaving, String, String) {
    let style = Style {
        has_boards: true,
        is_dialogue: false,
        has_colour: false,
        glyphs: Glyphs::Ascii,
        width: None,
        has_stats: false,
        has_bell: false,
    };
    let rules = Rules { after_end: AfterEnd::Leave, ..Rules::default() };
    let mut game = Match::new(rules, NewGame { mode, ..NewGame::default() }, None).unwrap();
    let (mut out, mut err, inbox) = (Vec::new(), Vec::new(), Inbox::default());
    let mut front = Line::new(BufReader::new(input.as_bytes()), &mut out, &mut err, style);
    let leaving = ui::run(&mut game, &mut front, None, None, &inbox, None, build).unwrap();
    drop(front);
    (leaving, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn failing() -> BuildMachine {
    Arc::new(|_, _| Err(EngineError::OtherGame))
}

const FAULT: &str = "The engine failed: this engine is for another game";

#[test]
fn an_engine_that_fails_is_told_and_the_next_line_is_answered() {
    let (leaving, out, err) = play(Mode::HumanMachine, "b2\nwhere\nzz\nundo\na1\n", failing());
    assert_eq!(leaving, Leaving::Done(Unsaved::Yes));
    let faults = err.lines().filter(|line| line.starts_with(FAULT)).count();
    assert_eq!(faults, 2, "once for each move that it was asked for: {err}");
    assert!(err.contains(lasting(format!("line 3: {}", said!("i-do-not-know", "zz")))), "{err}");
    assert!(
        out.contains(said!("last-to-move-move", "b2", "O", "2")) && out.contains(said!("took-back", "b2")),
        "{out}"
    );
}

#[test]
fn advice_that_fails_is_told_and_the_game_goes_on() {
    let (leaving, out, err) = play(Mode::Humans, "b2\nhint\na1\nwhere\n", failing());
    assert_eq!(leaving, Leaving::Done(Unsaved::Yes));
    assert_eq!(err.lines().filter(|line| line.starts_with(FAULT)).count(), 1, "{err}");
    assert!(
        err.contains(said!("the-game-goes-on-2")) && !err.contains("level N"),
        "no engine plays here: {err}"
    );
    assert!(out.contains(said!("to-move-move", "X", "3")), "{out}");
}

#[test]
fn a_match_between_engines_that_fail_is_left_as_failed() {
    let (leaving, _, err) = play(Mode::Machines, "b2\n", failing());
    assert!(
        matches!(&leaving, Leaving::Failed(why) if why.contains(said!("another-game"))),
        "{leaving:?}: {err}"
    );
}

#[test]
#[should_panic(expected = "asked for by a test")]
fn a_panic_of_an_engine_goes_on_where_the_loop_runs() {
    play(Mode::HumanMachine, "b2\n", Arc::new(|_, _| panic!("asked for by a test")));
}
