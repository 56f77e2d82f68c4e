//! Practising your own mistakes: attempts, refutations, keys, and what is saved.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crosspath::canvas::GlyphSet;
use crosspath::game::Outcome;
use crosspath::journal::{JournalFolder, MatchJournal, MistakeStore, open_game_record};
use crosspath::messages::mistakes as sentences;
use crosspath::play::{
    AfterGameEnd, Command, CommandAnswer, GameMode, Match, MatchEvent, MatchRefusal, MatchRules, MoveFile,
    PracticeSession, PracticeTask, TaskAttempt, TaskHistory, TaskOrigin, TaskPosition, TryOutcome,
};
use crosspath::random::{RandomGenerator, random_stream};
use crosspath::record::{GameFileFormat, GameRecord, RecordReadOptions};
use crosspath::registry::{GAMES, Variant, find_game};
use crosspath::thinking::{EngineEvent, EngineThreadId};
use crosspath::ui::tui::key_table::{KeyAction, KeyContext};
use crosspath::ui::tui::{Screen, ScreenEffect, ScreenEvent, ScreenLayer, StartChoice};
use crossterm::event::KeyCode;
use jiff::ToSpan;
use jiff::civil::Date;
use rand::seq::IndexedRandom;

use crate::own_mistakes::{
    TODAY, new_attempt, open_store, run_mistakes, sample_task, save_sample_game, task_from_moves,
};
use crate::review_values::{thought, value, worth};
use crate::support::{crosspath, folder, run_on};
use crate::tui_harness::{Rig, looks, spec};

/// Returns a screen with a practice of the due mistakes.
fn start_practice(known: Vec<TaskHistory>, today: Date) -> Rig {
    let session = PracticeSession::from_due_mistakes(known, today, GAMES).expect("something is due");
    let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
    let game = Match::new_training(rules, session);
    let mut rig = Rig {
        screen: Screen::new(looks(GlyphSet::Unicode), (100, 35)),
        game: Some(game),
        now: Duration::ZERO,
    };
    let events = rig.game.as_mut().unwrap().open(None, Duration::ZERO);
    rig.on_events(&events);
    rig
}

fn untried_task(task: PracticeTask) -> TaskHistory {
    TaskHistory { task, tries: Vec::new() }
}

/// Opens a practice of this mistake.
fn open_task(rig: &mut Rig, task: PracticeTask) {
    let session = PracticeSession::from_due_mistakes(vec![untried_task(task)], TODAY, GAMES).unwrap();
    rig.execute(Command::Train(Box::new(session)));
}

/// Opens a practice in which this key can perform its action.
pub(crate) fn stage(rig: &mut Rig, act: KeyAction) {
    let task = match act {
        KeyAction::Swap => task_from_moves("hex", "size=5 swap=on", "c3", ["a1", "swap"]),
        _ => task_from_moves("quoridor", "size=9 walls=10", "e2 e8 e3 e7", ["d3", "e4"]),
    };
    open_task(rig, task);
    if act == KeyAction::Undo {
        rig.say("d3");
    }
}

/// Enters a line and answers the jobs of the adviser. Returns the events.
fn play_line(game: &mut Match, line: &str) -> Vec<MatchEvent> {
    let Ok(crosspath::play::InputRequest::Do(command)) = game.parse_line(line) else { panic!("{line}") };
    let mut events = game.handle_command(command, Duration::ZERO);
    while let Some(job) = game.engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).cloned() {
        events.extend(
            game.handle_engine_news(EngineEvent::Done(job.id, Box::new(thought(&job))), Duration::ZERO),
        );
    }
    events
}

fn recorded_attempts(events: &[MatchEvent]) -> Vec<TaskAttempt> {
    let made =
        events.iter().filter_map(|event| if let MatchEvent::Tried(made) = event { Some(made) } else { None });
    made.cloned().collect()
}

/// Returns the final verdict on a move.
fn verdict(events: &[MatchEvent]) -> TryOutcome {
    let news = events.iter().rev().find_map(|event| match event {
        MatchEvent::Replied(reply) => Some(&reply.answer),
        _ => None,
    });
    let Some(CommandAnswer::Tried(news)) = news else { panic!("{events:?}") };
    news.clone()
}

/// Saves and reviews a game in which X throws away a win. Returns the stored mistakes.
fn store_with_saved_game(home: &Path) -> MistakeStore {
    save_sample_game(home);
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", GameMode::HumanMachine), (80, 24));
    for text in ["b2", "a1", "c3", "b1", "a2", "c1"] {
        rig.moves(text);
    }
    let journal = MatchJournal::new(Some(JournalFolder::new(home.join("crosspath"))));
    journal.save_review_findings(rig.game().game(), TODAY).unwrap();
    assert_eq!(open_store(home).read().unwrap().known, [], "nothing is reviewed yet");
    play_line(rig.game.as_mut().unwrap(), "review");
    journal.save_review_findings(rig.game().game(), TODAY).unwrap();
    open_store(home)
}

#[test]
fn a_mistake_of_your_own_is_practised_and_due_again_the_next_day() {
    let home = folder();
    let store = store_with_saved_game(home.path());
    let mistakes = store.read().unwrap();
    assert_eq!(mistakes.known.len(), 1, "the blunder of the engine is none of yours");
    let mut rig = start_practice(mistakes.known, TODAY);
    let practice = rig.game().game().practice_item().unwrap();
    assert_eq!(rig.status(), sentences::find_better_move_prompt(practice).to_string());
    assert!(rig.status().contains("a2"), "{}", rig.status());
    let game = rig.game.as_mut().unwrap();
    // The refutation of a wrong move is played on the board. Undo restores the position.
    let wrong = play_line(game, "a3");
    assert_eq!(recorded_attempts(&wrong).iter().map(|made| made.is_right).collect::<Vec<_>>(), [false]);
    let TryOutcome::Wrong { text, left, line } = verdict(&wrong) else { panic!("{wrong:?}") };
    assert_eq!((text.as_str(), left, line[0].as_str()), ("a3", 0.0, "c1"));
    assert_eq!(game.shown_position().played_moves(), ["b2", "a1", "c3", "b1", "a3", "c1"]);
    store.add_attempt(&recorded_attempts(&wrong)[0]).unwrap();
    play_line(game, "undo");
    assert_eq!(game.shown_position().played_moves(), ["b2", "a1", "c3", "b1"]);
    // Only the first attempt counts.
    let played = play_line(game, "a2");
    assert!(matches!(verdict(&played), TryOutcome::Wrong { .. }), "{played:?}");
    let right = play_line(game, "c1");
    assert!(matches!(verdict(&right), TryOutcome::Right { left, .. } if left > 0.99), "{right:?}");
    assert_eq!((recorded_attempts(&played), recorded_attempts(&right)), (Vec::new(), Vec::new()));
    let end = play_line(game, "next");
    let Some(MatchEvent::Replied(reply)) = end.last() else { panic!("{end:?}") };
    let due = Some(TODAY + 1.day());
    assert!(
        matches!(reply.answer, CommandAnswer::Practised { right: 0, count: 1, due: next } if next == due)
    );
    // The mistake is due again tomorrow. Right answers postpone it by a day, then by a week.
    assert!(PracticeSession::from_due_mistakes(store.read().unwrap().known, TODAY, GAMES).is_none());
    let tomorrow = TODAY + 1.day();
    let mut again = start_practice(store.read().unwrap().known, tomorrow);
    let right = play_line(again.game.as_mut().unwrap(), "c1");
    assert_eq!(recorded_attempts(&right).iter().map(|made| made.is_right).collect::<Vec<_>>(), [true]);
    store.add_attempt(&recorded_attempts(&right)[0]).unwrap();
    assert_eq!(store.read().unwrap().known[0].due_date(tomorrow), Some(tomorrow + 1.day()));
    let later = tomorrow + 1.day();
    store.add_attempt(&new_attempt(&store.read().unwrap().known[0].task, true, later)).unwrap();
    assert_eq!(store.read().unwrap().known[0].due_date(later), Some(later + 1.week()));
}

#[test]
fn only_your_own_games_give_mistakes_to_practise() {
    let home = folder();
    save_sample_game(home.path());
    let place = home.path().join("crosspath");
    let path = fs::read_dir(&place).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&path).unwrap();
    let shown = |record: GameRecord, path: &Path| {
        let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
        let file = MoveFile { path: path.display().to_string(), record: Box::new(record) };
        let mut game =
            Match::new(rules, spec("tic-tac-toe", "size=3", GameMode::Replay), Some(file)).unwrap();
        game.open(None, Duration::ZERO);
        play_line(&mut game, "review");
        game
    };
    let hint = RecordReadOptions::for_games(GAMES);
    let journal = MatchJournal::new(Some(JournalFolder::new(place.clone())));
    // A file from someone else does not count, even if it says that a person played.
    let written = shown(open_game_record(&bytes, &hint).unwrap(), &path)
        .to_file_text(GameFileFormat::Record, None)
        .unwrap();
    assert!(written.contains("# first: human"), "{written}");
    let foreign = shown(open_game_record(written.as_bytes(), &hint).unwrap(), Path::new("game.txt"));
    journal.save_review_findings(foreign.game(), TODAY).unwrap();
    assert_eq!(open_store(home.path()).read().unwrap().known, []);
    // The saved game itself counts, in a replay and on the analysis board.
    let mut saved = shown(open_game_record(&bytes, &hint).unwrap(), &path);
    journal.save_review_findings(saved.game(), TODAY).unwrap();
    let stored = open_store(home.path()).read().unwrap().known;
    let of = path.file_stem().unwrap().to_str().unwrap().split('-').nth(1).map(str::to_owned);
    assert_eq!(stored.iter().map(|stored| stored.task.origin.journal.clone()).collect::<Vec<_>>(), [of]);
    saved.handle_command(Command::Analyze, Duration::ZERO);
    for line in ["goto 0", "a1", "b1", "c3", "review"] {
        play_line(&mut saved, line);
    }
    assert!(!saved.game().marked_moves().is_empty(), "moves of an analysis are marked");
    journal.save_review_findings(saved.game(), TODAY).unwrap();
    assert_eq!(open_store(home.path()).read().unwrap().known, stored, "but nobody has played them");
}

#[test]
fn a_mistake_after_a_set_up_position_opens_at_its_own_position() {
    let task = PracticeTask {
        before: TaskPosition {
            position: Some("- / - / c2 c4 / 1 1 / 1".to_owned()),
            ..task_from_moves("quoridor", "size=5 walls=1", "c3", ["d4", "b4"]).before
        },
        ..task_from_moves("quoridor", "size=5 walls=1", "c3", ["d4", "b4"])
    };
    let rig = start_practice(vec![untried_task(task)], TODAY);
    assert_eq!(rig.game().shown_position().played_moves(), ["c3"]);
    assert!(rig.game().shown_position().start_position().initial_setup().is_some());
}

#[test]
fn a_mistake_can_be_opened_on_the_analysis_board() {
    let mut rig = start_practice(vec![untried_task(sample_task(0))], TODAY);
    rig.act(KeyCode::Char('E'));
    assert!(rig.game().game().is_analysis());
    rig.act(KeyCode::Esc);
    assert!(rig.game().game().practice_item().is_some());
    assert!(
        rig.status()
            .ends_with(&*sentences::find_better_move_prompt(rig.game().game().practice_item().unwrap()))
    );
}

/// Returns a task from a random position in which a move throws something away, with its best moves
/// and all others.
fn random_task(
    (game, settings): (&str, &str),
    plies: usize,
    chance: &mut RandomGenerator,
) -> Option<(PracticeTask, [Vec<String>; 2])> {
    let mut position = find_game(game).unwrap().start_position(&Variant::parse(settings)).unwrap();
    for _ in 0..plies {
        let text = position.legal_moves().choose(chance)?.clone();
        position = Arc::clone(&position).play(&text).unwrap();
        position.outcome().is_none().then_some(())?;
    }
    let side = position.to_move();
    let of = |text: &String| worth(value(&Arc::clone(&position).play(text).unwrap()), side);
    let moves: Vec<(String, i32)> =
        position.legal_moves().into_iter().map(|text| (text.clone(), of(&text))).collect();
    let best = moves.iter().map(|&(_, worth)| worth).max()?;
    let part = |is_best: bool| -> Vec<String> {
        let selected = moves.iter().filter(|&&(_, worth)| (worth == best) == is_best);
        selected.map(|(text, _)| text.clone()).collect()
    };
    let (good, bad) = (part(true), part(false));
    let played = bad.choose(chance)?.clone();
    let chance_of = |worth: i32| f64::from(worth + 1) / 2.0;
    let settings = position.settings().iter().map(|(key, value)| ((*key).to_owned(), value.clone().into()));
    let before = TaskPosition {
        game: game.to_owned(),
        settings: settings.collect(),
        position: None,
        moves: position.played_moves(),
    };
    let left = chance_of(of(&played));
    let task = PracticeTask {
        id: before.task_id(&played),
        before,
        side,
        played,
        refutation: Vec::new(),
        better: good.choose(chance)?.clone(),
        line: Vec::new(),
        chance: chance_of(best),
        left,
        origin: TaskOrigin { journal: None, day: TODAY, is_quick: false, nodes: 0 },
    };
    Some((task, [good, bad]))
}

/// Plays a wrong and a right move in `count` tasks of a board, and checks the answers against exact
/// values.
fn check_refutations(board: (&str, &str), plies: usize, count: usize) {
    let (mut chance, mut seen) = (random_stream(65, 5), 0);
    while seen < count {
        let Some((task, [good, bad])) = random_task(board, plies, &mut chance) else { continue };
        seen += 1;
        let [right, wrong] = [good, bad].map(|moves| moves.choose(&mut chance).unwrap().clone());
        let mut rig = start_practice(vec![untried_task(task.clone())], TODAY);
        let game = rig.game.as_mut().unwrap();
        let events = play_line(game, &wrong);
        let TryOutcome::Wrong { left, line, .. } = verdict(&events) else {
            panic!("{task:?} {wrong} {events:?}")
        };
        let after = game.shown_position().clone();
        let tried = [task.before.moves.clone(), vec![wrong.clone()]].concat();
        assert!(after.played_moves().starts_with(&tried), "{task:?}");
        assert_eq!(after.played_moves().len() - tried.len(), usize::from(!line.is_empty()));
        // The refutation preserves what the wrong move gave away.
        let remaining = f64::from(worth(value(&after), task.side) + 1) / 2.0;
        assert!((remaining - left).abs() < 1e-9 && remaining < task.chance, "{task:?}: {wrong} {line:?}");
        let events = play_line(game, &right);
        assert!(matches!(verdict(&events), TryOutcome::Right { .. }), "{task:?}: {right} {events:?}");
    }
}

#[test]
fn wrong_tries_at_tic_tac_toe_are_refuted_by_best_play() {
    check_refutations(("tic-tac-toe", "size=3"), 4, 20);
    check_refutations(("tic-tac-toe", "size=3"), 5, 20);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn wrong_tries_at_hex_are_refuted_by_best_play() {
    check_refutations(("hex", "size=3 swap=off"), 2, 20);
    check_refutations(("hex", "size=4 swap=off"), 7, 15);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn wrong_tries_at_quoridor_are_refuted_by_best_play() {
    check_refutations(("quoridor", "size=3 walls=1"), 2, 25);
}

#[test]
fn showing_the_solution_counts_as_wrong_and_its_line_can_be_stepped_through() {
    let home = folder();
    let store = store_with_saved_game(home.path());
    let mut rig = start_practice(store.read().unwrap().known, TODAY);
    assert_eq!(rig.scene().key_context(), KeyContext::Training);
    rig.say("hint");
    assert!(matches!(rig.game().reported_events(), [MatchEvent::Refused(MatchRefusal::IsTraining)]));
    rig.act(KeyCode::Char('J'));
    let practice = rig.game().game().practice_item().unwrap();
    assert!(practice.is_answered());
    assert!(rig.status().starts_with("c1 wins"), "{}", rig.status());
    rig.act(KeyCode::Right);
    assert_eq!(rig.game().shown_position().played_moves(), ["b2", "a1", "c3", "b1", "c1"]);
    rig.act(KeyCode::Esc);
    assert_eq!(rig.game().shown_position().played_moves(), ["b2", "a1", "c3", "b1"]);
    assert_eq!(rig.press(KeyCode::Enter), "next mistake");
}

#[test]
fn keys_try_moves_return_and_continue() {
    let tasks = [sample_task(0), sample_task(12)];
    let mut rig = start_practice(tasks.iter().cloned().map(untried_task).collect(), TODAY);
    assert!(
        rig.picture().contains(&sentences::format_practice_title(rig.game().game().practice_item().unwrap()))
    );
    // A move is entered as in any game.
    rig.typed(&tasks[0].better);
    rig.act(KeyCode::Enter);
    assert!(rig.game().game().practice_item().unwrap().is_answered(), "{}", rig.status());
    rig.act(KeyCode::Enter);
    let practice = rig.game().game().practice_item().unwrap();
    assert_eq!(((practice.number, practice.count), &practice.task), ((2, 2), &tasks[1]));
    // The move of the game is known to be wrong. Enter returns to the position.
    let with_answer = PracticeTask { refutation: vec!["c3".to_owned()], ..tasks[1].clone() };
    let mut rig = start_practice(vec![untried_task(with_answer)], TODAY);
    rig.say(&tasks[1].played);
    assert_eq!(rig.game().shown_position().last_move().as_deref(), Some("c3"));
    assert_eq!(rig.press(KeyCode::Enter), "undo");
    rig.act(KeyCode::Esc);
    assert_eq!(rig.game().shown_position().played_moves(), tasks[1].before.moves);
    assert!(!rig.game().game().is_browsing());
    rig.press(KeyCode::Esc);
    assert!(rig.screen.menu().is_some(), "there is no game to return to");
}

#[test]
fn the_menu_offers_due_mistakes_and_esc_returns_to_the_game() {
    let mut rig = Rig::menu(GlyphSet::Unicode, (100, 35));
    let row = sentences::format_mistakes_menu_entry(3);
    assert!(!rig.picture().contains(&row));
    rig.press(KeyCode::Char('m'));
    assert!(rig.picture().contains(sentences::NO_MISTAKE_DUE_MESSAGE));
    rig.event(&ScreenEvent::Due(3));
    for size in [(100, 35), (80, 24), (60, 24)] {
        rig.event(&ScreenEvent::Resize(size.0, size.1));
        assert!(rig.picture().contains(&row), "{}", rig.picture());
    }
    let effect = rig.event(&ScreenEvent::Key(KeyCode::Char('m').into()));
    assert!(matches!(effect, Some(ScreenEffect::Start(StartChoice::Mistakes))), "{effect:?}");
    // A practice opened from a game returns to it.
    let mut rig = Rig::two("hex", "size=5 swap=off", "a1 b2", (100, 35));
    rig.screen.open_layer(ScreenLayer::Menu(Box::default()));
    open_task(&mut rig, sample_task(0));
    assert!(rig.screen.menu().is_none() && rig.game().game().practice_item().is_some());
    rig.act(KeyCode::Esc);
    assert_eq!(
        (rig.game().shown_position().played_moves(), rig.game().game().practice_item().is_none()),
        (vec!["a1".to_owned(), "b2".to_owned()], true)
    );
}

#[test]
fn practising_in_line_mode_saves_the_first_try_and_no_game() {
    let home = folder();
    let store = store_with_saved_game(home.path());
    let files = || fs::read_dir(home.path().join("crosspath")).unwrap().count();
    run_mistakes(home.path(), &["--list"]);
    let before = files();
    let mut command = crosspath(&["mistakes", "--plain"]);
    command.env("XDG_STATE_HOME", home.path()).env("TZ", "UTC");
    // The task is due today, whatever day it was found on.
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
    assert_eq!(run_mistakes(home.path(), &["--plain"]).lines().len(), 1, "nothing is due any more");
}

#[test]
fn undo_cancels_the_check_of_a_move() {
    let mut rig = start_practice(vec![untried_task(sample_task(0))], TODAY);
    let other = rig
        .game()
        .shown_position()
        .legal_moves()
        .into_iter()
        .find(|text| ![&sample_task(0).played, &sample_task(0).better].contains(&text));
    let other = other.unwrap();
    rig.say(&other);
    assert!(rig.status().starts_with("Checking"), "{}", rig.status());
    rig.say(&sample_task(0).better);
    assert!(matches!(rig.game().reported_events(), [MatchEvent::Refused(MatchRefusal::IsThinking)]));
    rig.say("undo");
    assert_eq!(
        (rig.game().engine_jobs().len(), rig.game().shown_position().played_moves()),
        (0, sample_task(0).before.moves)
    );
    assert_eq!(rig.game().game().outcome(), None::<Outcome>);
}
