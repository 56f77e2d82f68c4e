//! An activity other than those of the program: a match plays it without knowing its kind.

use std::time::Duration;

use crosspath::canvas::Glyphs;
use crosspath::game::{Refusal, RefusalCode};
use crosspath::play::{
    Acted, Activity, AfterEnd, Command, Core, Event, Fact, Match, MatchRefusal, Mode, Moment, Rules, Unsaved,
};
use crosspath::record::MoveSource;
use crosspath::session::{EngineAnswer, SearchReport};
use crosspath::thinking::{HostId, News};

use crate::rig::{Rig, spec};

/// Activity of finding one move; the tries are counted.
#[derive(Debug)]
struct OneMove {
    solution: &'static str,
    tries: u32,
}

impl Activity for OneMove {
    fn act(&mut self, command: Command, core: &mut Core, _moment: Moment) -> Acted {
        let refused = |why: String| MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, why));
        match command {
            Command::Move(text) | Command::Place(text) if text == self.solution => {
                let moved = core.play(&text, MoveSource::Human)?;
                Ok(vec![Fact::Moved(moved)])
            }
            Command::Move(text) | Command::Place(text) => {
                self.tries += 1;
                Err(refused(format!("{text} is not the move. That was try {}.", self.tries)))
            }
            Command::PlayHere => Ok(vec![Fact::TakesOver(Some(core.line.shown_position().to_move()))]),
            _ => Err(refused("Find the move.".to_owned())),
        }
    }
}

/// Returns a match that begins with it, on the full screen.
fn one_move() -> Rig {
    let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    let asked = || spec("tic-tac-toe", "size=3", Mode::Humans);
    let mut rig = Rig::new(rules, asked(), None, Glyphs::Unicode, (80, 24));
    let mut game = Match::with(rules, asked(), Box::new(OneMove { solution: "b2", tries: 0 })).unwrap();
    let events = game.open(None, Duration::ZERO);
    rig.game = Some(game);
    rig.hear(&events);
    rig
}

/// Returns the sentence with which the last line was refused.
fn refusal(rig: &Rig) -> String {
    let refused = rig.game().said().iter().find_map(|event| match event {
        Event::Refused(MatchRefusal::Unread(why)) => Some(why.text.to_string()),
        _ => None,
    });
    refused.unwrap_or_default()
}

#[test]
fn a_match_plays_an_activity_that_it_does_not_know() {
    let mut rig = one_move();
    rig.say("a1");
    assert_eq!(refusal(&rig), "a1 is not the move. That was try 1.");
    rig.say("resign");
    assert_eq!(refusal(&rig), "Find the move.");
    assert_eq!(rig.game().game().tree().len(), 1, "what is refused changes nothing");
    rig.say("b2");
    assert_eq!(rig.game().shown().last().as_deref(), Some("b2"));
    assert!(!rig.picture().is_empty());
}

#[test]
fn its_game_is_shown_advised_and_recorded_like_any_other() {
    let mut rig = one_move();
    rig.say("b2");
    rig.say("goto 0");
    assert!(rig.game().game().is_looking());
    rig.say("hint");
    let job = rig.game().jobs().first().expect("a hint is thought about");
    let (id, host) = (job.id, job.host);
    assert_eq!(host, HostId::Study);
    let thought = EngineAnswer { text: "b2".to_owned(), report: SearchReport::default().into() };
    rig.news(News::Done(id, Box::new(thought)));
    assert_eq!(rig.game().game().tree().node(rig.game().game().shown()).hint.as_deref(), Some("b2"));
    rig.say("goto end");
    assert!(!rig.game().game().is_looking());
    assert!(rig.game().record(None).contains("1. b2"), "{}", rig.game().record(None));
    let events = rig.game.as_mut().unwrap().handle(Command::Leave, Duration::ZERO);
    let left = |event: &Event| matches!(event, Event::Left(crosspath::play::Leaving::Done(Unsaved::Yes)));
    assert!(events.iter().any(left), "{events:?}");
}

#[test]
fn it_gives_way_to_a_contest_and_undo_brings_it_back() {
    let mut rig = one_move();
    rig.say("b2");
    rig.say("new");
    assert!(rig.game().game().has_human());
    rig.say("undo");
    assert_eq!(rig.game().shown().last().as_deref(), Some("b2"));
    rig.say("a1");
    assert_eq!(refusal(&rig), "a1 is not the move. That was try 1.");
    // Whoever plays on from it has an engine against them.
    rig.say("play");
    assert!(rig.game().game().has_human() && rig.game().game().has_engine());
    assert!(rig.game().game().is_humans_turn());
    rig.say("a1");
    assert!(rig.game().is_thinking());
}
