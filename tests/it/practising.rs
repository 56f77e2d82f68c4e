//! Practising your own mistakes: tries, refutations, keys, and the parts of it that are saved.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crosspath::canvas::Glyphs;
use crosspath::game::Outcome;
use crosspath::journal::{Folder, Journal, MistakeStore, open_game};
use crosspath::messages::mistakes as sentences;
use crosspath::play::{
    AfterEnd, Answer, Before, Command, Event, Known, Match, MatchRefusal, Mode, MoveFile, Origin, Rules,
    Session, Task, Try, TryNews,
};
use crosspath::random::{Generator, stream};
use crosspath::record::{GameRecord, Hint, WrittenForm};
use crosspath::registry::{GAMES, Variant, find};
use crosspath::thinking::{HostId, News};
use crosspath::ui::tui::key_table::{Action, Context};
use crosspath::ui::tui::{Effect, Event as ScreenEvent, Layer, Screen, Start};
use crossterm::event::KeyCode;
use jiff::ToSpan;
use jiff::civil::Date;
use rand::seq::IndexedRandom;

use crate::own_mistakes::{TODAY, a_saved_game, mistakes, of_moves, store, task, tried};
use crate::review_values::{thought, value, worth};
use crate::rig::{Rig, looks, spec};
use crate::support::{crosspath, folder, run_on};

/// Returns a screen on which the mistakes that are due are practised.
fn practising(known: Vec<Known>, today: Date) -> Rig {
    let session = Session::of(known, today, GAMES).expect("something is due");
    let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    let game = Match::training(rules, session);
    let mut rig =
        Rig { screen: Screen::new(looks(Glyphs::Unicode), (100, 35)), game: Some(game), now: Duration::ZERO };
    let events = rig.game.as_mut().unwrap().open(None, Duration::ZERO);
    rig.hear(&events);
    rig
}

fn known(task: Task) -> Known {
    Known { task, tries: Vec::new() }
}

/// Lets a person practise this mistake.
fn ask(rig: &mut Rig, task: Task) {
    let session = Session::of(vec![known(task)], TODAY, GAMES).unwrap();
    rig.tell(Command::Train(Box::new(session)));
}

/// Lets a person practise where this key can do its action.
pub(crate) fn stage(rig: &mut Rig, act: Action) {
    let task = match act {
        Action::Swap => of_moves("hex", "size=5 swap=on", "c3", ["a1", "swap"]),
        _ => of_moves("quoridor", "size=9 walls=10", "e2 e8 e3 e7", ["d3", "e4"]),
    };
    ask(rig, task);
    if act == Action::Undo {
        rig.say("d3");
    }
}

/// Types a line and lets the adviser answer; returns the events.
fn attempt(game: &mut Match, line: &str) -> Vec<Event> {
    let Ok(crosspath::play::Request::Do(command)) = game.read(line) else { panic!("{line}") };
    let mut events = game.handle(command, Duration::ZERO);
    while let Some(job) = game.jobs().iter().find(|job| job.host == HostId::Study).cloned() {
        events.extend(game.news(News::Done(job.id, Box::new(thought(&job))), Duration::ZERO));
    }
    events
}

fn tries(events: &[Event]) -> Vec<Try> {
    let made =
        events.iter().filter_map(|event| if let Event::Tried(made) = event { Some(made) } else { None });
    made.cloned().collect()
}

/// Returns the final verdict on a move.
fn verdict(events: &[Event]) -> TryNews {
    let news = events.iter().rev().find_map(|event| match event {
        Event::Replied(reply) => Some(&reply.answer),
        _ => None,
    });
    let Some(Answer::Tried(news)) = news else { panic!("{events:?}") };
    news.clone()
}

/// Returns a task from the saved game in which X throws a won game away.
fn of_a_saved_game(home: &Path) -> MistakeStore {
    a_saved_game(home);
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", Mode::HumanMachine), (80, 24));
    for text in ["b2", "a1", "c3", "b1", "a2", "c1"] {
        rig.moves(text);
    }
    let journal = Journal::new(Some(Folder::at(home.join("crosspath"))));
    journal.keep_findings(rig.game().game(), TODAY).unwrap();
    assert_eq!(store(home).read().unwrap().known, [], "nothing is reviewed yet");
    attempt(rig.game.as_mut().unwrap(), "review");
    journal.keep_findings(rig.game().game(), TODAY).unwrap();
    store(home)
}

#[test]
fn a_blunder_of_your_own_game_is_practised_and_asked_again_the_next_day() {
    let home = folder();
    let store = of_a_saved_game(home.path());
    let mistakes = store.read().unwrap();
    assert_eq!(mistakes.known.len(), 1, "the blunder of the engine is none of yours");
    let mut rig = practising(mistakes.known, TODAY);
    let practice = rig.game().game().practice().unwrap();
    assert_eq!(rig.status(), sentences::asks(practice).to_string());
    assert!(rig.status().contains("a2"), "{}", rig.status());
    let game = rig.game.as_mut().unwrap();
    // A wrong move is answered on the board by its refutation, and the position comes back.
    let wrong = attempt(game, "a3");
    assert_eq!(tries(&wrong).iter().map(|made| made.is_right).collect::<Vec<_>>(), [false]);
    let TryNews::Wrong { text, left, line } = verdict(&wrong) else { panic!("{wrong:?}") };
    assert_eq!((text.as_str(), left, line[0].as_str()), ("a3", 0.0, "c1"));
    assert_eq!(game.shown().played(), ["b2", "a1", "c3", "b1", "a3", "c1"]);
    store.note(&tries(&wrong)[0]).unwrap();
    attempt(game, "undo");
    assert_eq!(game.shown().played(), ["b2", "a1", "c3", "b1"]);
    // Further tries are free, and no more than the first one counts.
    let played = attempt(game, "a2");
    assert!(matches!(verdict(&played), TryNews::Wrong { .. }), "{played:?}");
    let right = attempt(game, "c1");
    assert!(matches!(verdict(&right), TryNews::Right { left, .. } if left > 0.99), "{right:?}");
    assert_eq!((tries(&played), tries(&right)), (Vec::new(), Vec::new()));
    let end = attempt(game, "next");
    let Some(Event::Replied(reply)) = end.last() else { panic!("{end:?}") };
    let due = Some(TODAY + 1.day());
    assert!(matches!(reply.answer, Answer::Practised { right: 0, count: 1, due: next } if next == due));
    // Tomorrow it is asked again; a right answer puts it off for a day, then a week.
    assert!(Session::of(store.read().unwrap().known, TODAY, GAMES).is_none());
    let tomorrow = TODAY + 1.day();
    let mut again = practising(store.read().unwrap().known, tomorrow);
    let right = attempt(again.game.as_mut().unwrap(), "c1");
    assert_eq!(tries(&right).iter().map(|made| made.is_right).collect::<Vec<_>>(), [true]);
    store.note(&tries(&right)[0]).unwrap();
    assert_eq!(store.read().unwrap().known[0].due(tomorrow), Some(tomorrow + 1.day()));
    let later = tomorrow + 1.day();
    store.note(&tried(&store.read().unwrap().known[0].task, true, later)).unwrap();
    assert_eq!(store.read().unwrap().known[0].due(later), Some(later + 1.week()));
}

#[test]
fn only_games_of_your_own_have_mistakes_of_yours() {
    let home = folder();
    a_saved_game(home.path());
    let place = home.path().join("crosspath");
    let path = fs::read_dir(&place).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&path).unwrap();
    let shown = |record: GameRecord, path: &Path| {
        let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
        let file = MoveFile { path: path.display().to_string(), record: Box::new(record) };
        let mut game = Match::new(rules, spec("tic-tac-toe", "size=3", Mode::Replay), Some(file)).unwrap();
        game.open(None, Duration::ZERO);
        attempt(&mut game, "review");
        game
    };
    let hint = Hint::any(GAMES);
    let journal = Journal::new(Some(Folder::at(place.clone())));
    // A file that somebody has sent, though it says that a person has played.
    let written = shown(open_game(&bytes, &hint).unwrap(), &path).written(WrittenForm::Record, None).unwrap();
    assert!(written.contains("# first: human"), "{written}");
    let foreign = shown(open_game(written.as_bytes(), &hint).unwrap(), Path::new("game.txt"));
    journal.keep_findings(foreign.game(), TODAY).unwrap();
    assert_eq!(store(home.path()).read().unwrap().known, []);
    // The saved game itself, in a replay and on the analysis board.
    let mut own = shown(open_game(&bytes, &hint).unwrap(), &path);
    journal.keep_findings(own.game(), TODAY).unwrap();
    let known = store(home.path()).read().unwrap().known;
    let of = path.file_stem().unwrap().to_str().unwrap().split('-').nth(1).map(str::to_owned);
    assert_eq!(known.iter().map(|known| known.task.origin.journal.clone()).collect::<Vec<_>>(), [of]);
    own.handle(Command::Analyze, Duration::ZERO);
    for line in ["goto 0", "a1", "b1", "c3", "review"] {
        attempt(&mut own, line);
    }
    assert!(!own.game().marked().is_empty(), "moves of an analysis are marked");
    journal.keep_findings(own.game(), TODAY).unwrap();
    assert_eq!(store(home.path()).read().unwrap().known, known, "but nobody has played them");
}

#[test]
fn a_mistake_after_a_position_that_was_set_up_is_opened_there() {
    let task = Task {
        before: Before {
            position: Some("- / - / c2 c4 / 1 1 / 1".to_owned()),
            ..of_moves("quoridor", "size=5 walls=1", "c3", ["d4", "b4"]).before
        },
        ..of_moves("quoridor", "size=5 walls=1", "c3", ["d4", "b4"])
    };
    let rig = practising(vec![known(task)], TODAY);
    assert_eq!(rig.game().shown().played(), ["c3"]);
    assert!(rig.game().shown().start().setup().is_some());
}

#[test]
fn a_mistake_can_be_taken_to_the_analysis_board_and_back() {
    let mut rig = practising(vec![known(task(0))], TODAY);
    rig.act(KeyCode::Char('E'));
    assert!(rig.game().game().is_analysis());
    rig.act(KeyCode::Esc);
    assert!(rig.game().game().practice().is_some());
    assert!(rig.status().ends_with(&*sentences::asks(rig.game().game().practice().unwrap())));
}

/// Returns a random position in which a move throws something away, with its best and its worst
/// moves.
fn chance_task(
    (game, settings): (&str, &str),
    plies: usize,
    chance: &mut Generator,
) -> Option<(Task, [Vec<String>; 2])> {
    let mut position = find(game).unwrap().start(&Variant::read(settings)).unwrap();
    for _ in 0..plies {
        let text = position.legal().choose(chance)?.clone();
        position = Arc::clone(&position).play(&text).unwrap();
        position.outcome().is_none().then_some(())?;
    }
    let side = position.to_move();
    let of = |text: &String| worth(value(&Arc::clone(&position).play(text).unwrap()), side);
    let moves: Vec<(String, i32)> =
        position.legal().into_iter().map(|text| (text.clone(), of(&text))).collect();
    let best = moves.iter().map(|&(_, worth)| worth).max()?;
    let part = |is_best: bool| -> Vec<String> {
        let wanted = moves.iter().filter(|&&(_, worth)| (worth == best) == is_best);
        wanted.map(|(text, _)| text.clone()).collect()
    };
    let (good, bad) = (part(true), part(false));
    let played = bad.choose(chance)?.clone();
    let chance_of = |worth: i32| f64::from(worth + 1) / 2.0;
    let settings = position.settings().iter().map(|(key, value)| ((*key).to_owned(), value.clone().into()));
    let before = Before {
        game: game.to_owned(),
        settings: settings.collect(),
        position: None,
        moves: position.played(),
    };
    let left = chance_of(of(&played));
    let task = Task {
        id: before.id(&played),
        before,
        side,
        played,
        refutation: Vec::new(),
        better: good.choose(chance)?.clone(),
        line: Vec::new(),
        chance: chance_of(best),
        left,
        origin: Origin { journal: None, day: TODAY, is_quick: false, nodes: 0 },
    };
    Some((task, [good, bad]))
}

/// Tries a wrong and a right move at `count` tasks of a board; each is answered as the exact values
/// say.
fn answered_by_best_play(board: (&str, &str), plies: usize, count: usize) {
    let (mut chance, mut seen) = (stream(65, 5), 0);
    while seen < count {
        let Some((task, [good, bad])) = chance_task(board, plies, &mut chance) else { continue };
        seen += 1;
        let [right, wrong] = [good, bad].map(|moves| moves.choose(&mut chance).unwrap().clone());
        let mut rig = practising(vec![known(task.clone())], TODAY);
        let game = rig.game.as_mut().unwrap();
        let events = attempt(game, &wrong);
        let TryNews::Wrong { left, line, .. } = verdict(&events) else {
            panic!("{task:?} {wrong} {events:?}")
        };
        let after = game.shown().clone();
        let tried = [task.before.moves.clone(), vec![wrong.clone()]].concat();
        assert!(after.played().starts_with(&tried), "{task:?}");
        assert_eq!(after.played().len() - tried.len(), usize::from(!line.is_empty()));
        // The refutation keeps what the wrong move has given away.
        let kept = f64::from(worth(value(&after), task.side) + 1) / 2.0;
        assert!((kept - left).abs() < 1e-9 && kept < task.chance, "{task:?}: {wrong} {line:?}");
        let events = attempt(game, &right);
        assert!(matches!(verdict(&events), TryNews::Right { .. }), "{task:?}: {right} {events:?}");
    }
}

#[test]
fn wrong_tries_at_tic_tac_toe_are_refuted_by_best_play() {
    answered_by_best_play(("tic-tac-toe", "size=3"), 4, 20);
    answered_by_best_play(("tic-tac-toe", "size=3"), 5, 20);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn wrong_tries_at_hex_are_refuted_by_best_play() {
    answered_by_best_play(("hex", "size=3 swap=off"), 2, 20);
    answered_by_best_play(("hex", "size=4 swap=off"), 7, 15);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn wrong_tries_at_quoridor_are_refuted_by_best_play() {
    answered_by_best_play(("quoridor", "size=3 walls=1"), 2, 25);
}

#[test]
fn the_solution_counts_as_wrong_and_its_line_can_be_stepped_through() {
    let home = folder();
    let store = of_a_saved_game(home.path());
    let mut rig = practising(store.read().unwrap().known, TODAY);
    assert_eq!(rig.scene().context(), Context::Training);
    rig.say("hint");
    assert!(matches!(rig.game().said(), [Event::Refused(MatchRefusal::IsTraining)]));
    rig.act(KeyCode::Char('J'));
    let practice = rig.game().game().practice().unwrap();
    assert!(practice.is_answered());
    assert!(rig.status().starts_with("c1 wins"), "{}", rig.status());
    rig.act(KeyCode::Right);
    assert_eq!(rig.game().shown().played(), ["b2", "a1", "c3", "b1", "c1"]);
    rig.act(KeyCode::Esc);
    assert_eq!(rig.game().shown().played(), ["b2", "a1", "c3", "b1"]);
    assert_eq!(rig.press(KeyCode::Enter), "next mistake");
}

#[test]
fn keys_try_moves_return_and_go_on() {
    let tasks = [task(0), task(12)];
    let mut rig = practising(tasks.iter().cloned().map(known).collect(), TODAY);
    assert!(rig.picture().contains(&sentences::in_title(rig.game().game().practice().unwrap())));
    // A move is typed or clicked like any other.
    rig.typed(&tasks[0].better);
    rig.act(KeyCode::Enter);
    assert!(rig.game().game().practice().unwrap().is_answered(), "{}", rig.status());
    rig.act(KeyCode::Enter);
    let practice = rig.game().game().practice().unwrap();
    assert_eq!(((practice.number, practice.count), &practice.task), ((2, 2), &tasks[1]));
    // What was played before is known to be wrong; Enter returns to the position.
    let with_answer = Task { refutation: vec!["c3".to_owned()], ..tasks[1].clone() };
    let mut rig = practising(vec![known(with_answer)], TODAY);
    rig.say(&tasks[1].played);
    assert_eq!(rig.game().shown().last().as_deref(), Some("c3"));
    assert_eq!(rig.press(KeyCode::Enter), "undo");
    rig.act(KeyCode::Esc);
    assert_eq!(rig.game().shown().played(), tasks[1].before.moves);
    assert!(!rig.game().game().is_looking());
    rig.press(KeyCode::Esc);
    assert!(rig.screen.menu().is_some(), "there is no game to return to");
}

#[test]
fn the_menu_offers_the_mistakes_that_are_due_and_they_lead_back() {
    let mut rig = Rig::menu(Glyphs::Unicode, (100, 35));
    let row = sentences::in_menu(3);
    assert!(!rig.picture().contains(&row));
    rig.press(KeyCode::Char('m'));
    assert!(rig.picture().contains(sentences::NONE_DUE));
    rig.event(&ScreenEvent::Due(3));
    for size in [(100, 35), (80, 24), (60, 24)] {
        rig.event(&ScreenEvent::Resize(size.0, size.1));
        assert!(rig.picture().contains(&row), "{}", rig.picture());
    }
    let effect = rig.event(&ScreenEvent::Key(KeyCode::Char('m').into()));
    assert!(matches!(effect, Some(Effect::Start(Start::Mistakes))), "{effect:?}");
    // From a game they lead back to it.
    let mut rig = Rig::two("hex", "size=5 swap=off", "a1 b2", (100, 35));
    rig.screen.open(Layer::Menu(Box::default()));
    ask(&mut rig, task(0));
    assert!(rig.screen.menu().is_none() && rig.game().game().practice().is_some());
    rig.act(KeyCode::Esc);
    assert_eq!(
        (rig.game().shown().played(), rig.game().game().practice().is_none()),
        (vec!["a1".to_owned(), "b2".to_owned()], true)
    );
}

#[test]
fn practising_in_lines_keeps_the_first_try_and_no_game() {
    let home = folder();
    let store = of_a_saved_game(home.path());
    let files = || fs::read_dir(home.path().join("crosspath")).unwrap().count();
    mistakes(home.path(), &["--list"]);
    let before = files();
    let mut command = crosspath(&["mistakes", "--plain"]);
    command.env("XDG_STATE_HOME", home.path()).env("TZ", "UTC");
    // The task was found on a day in the past or the future; today it is due all the same.
    let run = run_on(command, "a3\nc1\nnext\n");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    assert!(run.out.contains("a3 loses to c1"), "{}", run.out);
    assert!(run.out.contains("c1 is right"), "{}", run.out);
    let tries = &store.read().unwrap().known[0].tries;
    assert_eq!(
        tries.iter().map(|made| (made.text.as_deref(), made.is_right)).collect::<Vec<_>>(),
        [(Some("a3"), false)]
    );
    assert_eq!(files(), before);
    assert_eq!(mistakes(home.path(), &["--plain"]).lines().len(), 1, "nothing is due any more");
}

#[test]
fn a_move_that_is_checked_waits_for_the_engine_and_is_given_up_by_undo() {
    let mut rig = practising(vec![known(task(0))], TODAY);
    let other = rig
        .game()
        .shown()
        .legal()
        .into_iter()
        .find(|text| ![&task(0).played, &task(0).better].contains(&text));
    let other = other.unwrap();
    rig.say(&other);
    assert!(rig.status().starts_with("Checking"), "{}", rig.status());
    rig.say(&task(0).better);
    assert!(matches!(rig.game().said(), [Event::Refused(MatchRefusal::IsThinking)]));
    rig.say("undo");
    assert_eq!((rig.game().jobs().len(), rig.game().shown().played()), (0, task(0).before.moves));
    assert_eq!(rig.game().game().outcome(), None::<Outcome>);
}
