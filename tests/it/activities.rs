//! A custom activity: a match plays it without knowing its kind.

use std::time::Duration;

use crosspath::canvas::GlyphSet;
use crosspath::game::{Refusal, RefusalCode};
use crosspath::play::{
    ActivityContext, ActivityResult, AfterGameEnd, Command, GameActivity, GameMode, LiveGameState, Match,
    MatchEvent, MatchFact, MatchRefusal, MatchRules, UnsavedStatus,
};
use crosspath::record::MoveSource;
use crosspath::session::{EngineAnswer, SearchReport};
use crosspath::thinking::{EngineEvent, EngineThreadId};

use crate::tui_harness::{Rig, spec};

/// Activity that asks for one move and counts the tries.
#[derive(Debug)]
struct OneMove {
    solution: &'static str,
    tries: u32,
}

impl GameActivity for OneMove {
    fn execute_command(
        &mut self,
        command: Command,
        core: &mut LiveGameState,
        _moment: ActivityContext,
    ) -> ActivityResult {
        let refused = |why: String| MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, why));
        match command {
            Command::Move(text) | Command::Place(text) if text == self.solution => {
                let moved = core.play_move(&text, MoveSource::Human)?;
                Ok(vec![MatchFact::Moved(moved)])
            }
            Command::Move(text) | Command::Place(text) => {
                self.tries += 1;
                Err(refused(format!("{text} is not the move. That was try {}.", self.tries)))
            }
            Command::PlayHere => Ok(vec![MatchFact::TakesOver(Some(core.line.shown_position().to_move()))]),
            _ => Err(refused("Find the move.".to_owned())),
        }
    }
}

/// Returns a full-screen match that begins with a [`OneMove`] activity.
fn one_move_match() -> Rig {
    let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
    let asked = || spec("tic-tac-toe", "size=3", GameMode::Humans);
    let mut rig = Rig::new(rules, asked(), None, GlyphSet::Unicode, (80, 24));
    let mut game =
        Match::with_activity(rules, asked(), Box::new(OneMove { solution: "b2", tries: 0 })).unwrap();
    let events = game.open(None, Duration::ZERO);
    rig.game = Some(game);
    rig.on_events(&events);
    rig
}

/// Returns the message that refused the last line.
fn last_refusal(rig: &Rig) -> String {
    let refused = rig.game().reported_events().iter().find_map(|event| match event {
        MatchEvent::Refused(MatchRefusal::Unread(why)) => Some(why.text.to_string()),
        _ => None,
    });
    refused.unwrap_or_default()
}

#[test]
fn a_match_plays_an_unregistered_activity() {
    let mut rig = one_move_match();
    rig.say("a1");
    assert_eq!(last_refusal(&rig), "a1 is not the move. That was try 1.");
    rig.say("resign");
    assert_eq!(last_refusal(&rig), "Find the move.");
    assert_eq!(rig.game().game().tree().len(), 1, "what is refused changes nothing");
    rig.say("b2");
    assert_eq!(rig.game().shown_position().last_move().as_deref(), Some("b2"));
    assert!(!rig.picture().is_empty());
}

#[test]
fn an_activity_supports_browsing_hints_and_records() {
    let mut rig = one_move_match();
    rig.say("b2");
    rig.say("goto 0");
    assert!(rig.game().game().is_browsing());
    rig.say("hint");
    let job = rig.game().engine_jobs().first().expect("the engine searches for a hint");
    let (id, host) = (job.id, job.host);
    assert_eq!(host, EngineThreadId::Study);
    let thought = EngineAnswer { text: "b2".to_owned(), report: SearchReport::default().into() };
    rig.on_engine_event(EngineEvent::Done(id, Box::new(thought)));
    assert_eq!(rig.game().game().tree().node(rig.game().game().shown_node()).hint.as_deref(), Some("b2"));
    rig.say("goto end");
    assert!(!rig.game().game().is_browsing());
    assert!(rig.game().to_record_text(None).contains("1. b2"), "{}", rig.game().to_record_text(None));
    let events = rig.game.as_mut().unwrap().handle_command(Command::Leave, Duration::ZERO);
    let left = |event: &MatchEvent| {
        matches!(event, MatchEvent::Left(crosspath::play::LeaveReason::Done(UnsavedStatus::Yes)))
    };
    assert!(events.iter().any(left), "{events:?}");
}

#[test]
fn a_new_game_replaces_the_activity_and_undo_restores_it() {
    let mut rig = one_move_match();
    rig.say("b2");
    rig.say("new");
    assert!(rig.game().game().has_human());
    rig.say("undo");
    assert_eq!(rig.game().shown_position().last_move().as_deref(), Some("b2"));
    rig.say("a1");
    assert_eq!(last_refusal(&rig), "a1 is not the move. That was try 1.");
    // Playing on from it starts a game against an engine.
    rig.say("play");
    assert!(rig.game().game().has_human() && rig.game().game().has_engine());
    assert!(rig.game().game().is_humans_turn());
    rig.say("a1");
    assert!(rig.game().is_thinking());
}
