//! The event loop with failing engines and input from memory.

use std::io::BufReader;
use std::sync::Arc;

use crosspath::canvas::GlyphSet;
use crosspath::play::{AfterGameEnd, GameMode, LeaveReason, Match, MatchRules, NewGame, UnsavedStatus};
use crosspath::session::EngineError;
use crosspath::thinking::EngineFactory;
use crosspath::ui::line::{LineFrontEnd, LineModeStyle};
use crosspath::ui::{self, Inbox};

use crate::sentences::{lasting, said};

/// Plays lines against engines built by `build`. Returns the leave reason, the output and the errors.
fn play_lines(mode: GameMode, input: &str, build: EngineFactory) -> (LeaveReason, String, String) {
    let style = LineModeStyle {
        has_boards: true,
        is_dialogue: false,
        has_colour: false,
        glyphs: GlyphSet::Ascii,
        width: None,
        has_stats: false,
        has_bell: false,
    };
    let rules = MatchRules { after_end: AfterGameEnd::Leave, ..MatchRules::default() };
    let mut game = Match::new(rules, NewGame { mode, ..NewGame::default() }, None).unwrap();
    let (mut out, mut err, inbox) = (Vec::new(), Vec::new(), Inbox::default());
    let mut front = LineFrontEnd::new(BufReader::new(input.as_bytes()), &mut out, &mut err, style);
    let leaving = ui::run_match(&mut game, &mut front, None, None, &inbox, None, build).unwrap();
    drop(front);
    (leaving, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn failing_engines() -> EngineFactory {
    Arc::new(|_, _| Err(EngineError::OtherGame))
}

const ENGINE_FAILURE: &str = "The engine failed: this engine is for another game";

#[test]
fn after_an_engine_failure_the_next_line_is_answered() {
    let (leaving, out, err) =
        play_lines(GameMode::HumanMachine, "b2\nwhere\nzz\nundo\na1\n", failing_engines());
    assert_eq!(leaving, LeaveReason::Done(UnsavedStatus::Yes));
    let faults = err.lines().filter(|line| line.starts_with(ENGINE_FAILURE)).count();
    assert_eq!(faults, 2, "once for each move that it was asked for: {err}");
    assert!(err.contains(lasting(format!("line 3: {}", said!("i-do-not-know", "zz")))), "{err}");
    assert!(
        out.contains(said!("last-to-move-move", "b2", "O", "2")) && out.contains(said!("took-back", "b2")),
        "{out}"
    );
}

#[test]
fn a_failed_hint_is_reported_and_the_game_continues() {
    let (leaving, out, err) = play_lines(GameMode::Humans, "b2\nhint\na1\nwhere\n", failing_engines());
    assert_eq!(leaving, LeaveReason::Done(UnsavedStatus::Yes));
    assert_eq!(err.lines().filter(|line| line.starts_with(ENGINE_FAILURE)).count(), 1, "{err}");
    assert!(
        err.contains(said!("the-game-goes-on-2")) && !err.contains("level N"),
        "no engine plays here: {err}"
    );
    assert!(out.contains(said!("to-move-move", "X", "3")), "{out}");
}

#[test]
fn a_match_between_failing_engines_ends_as_failed() {
    let (leaving, _, err) = play_lines(GameMode::Machines, "b2\n", failing_engines());
    assert!(
        matches!(&leaving, LeaveReason::Failed(why) if why.contains(said!("another-game"))),
        "{leaving:?}: {err}"
    );
}

#[test]
#[should_panic(expected = "asked for by a test")]
fn an_engine_panic_reaches_the_event_loop() {
    play_lines(GameMode::HumanMachine, "b2\n", Arc::new(|_, _| panic!("asked for by a test")));
}
