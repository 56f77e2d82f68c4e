//! Your own mistakes: the file that keeps them, the days on which they are asked again, and repairing them.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crosspath::canvas::Glyphs;
use crosspath::game::{Outcome, Side};
use crosspath::journal::{Folder, Journal, Mistakes, Store};
use crosspath::messages::mistakes as sentences;
use crosspath::play::{
    AfterEnd, Answer, Before, Command, Event, Findings, Known, Match, MatchRefusal, Mode, Origin, Rules,
    Session, Task, Try, TryNews,
};
use crosspath::random::{Generator, stream};
use crosspath::registry::{GAMES, Variant, find};
use crosspath::thinking::{HostId, News};
use crosspath::ui::tui::key_table::{Action, Context};
use crosspath::ui::tui::{Effect, Event as ScreenEvent, Layer, Screen, Start};
use crossterm::event::KeyCode;
use jiff::ToSpan;
use jiff::civil::{Date, date};
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde_json::Value;

use crate::review_values::{thought, value, worth};
use crate::rig::{Rig, looks, spec};
use crate::support::{Run, crosspath, folder, run_on};

const TODAY: Date = date(2026, 11, 28);

/// A task of tic-tac-toe; the number tells it from others.
fn task(number: usize) -> Task {
    let cells = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
    let [first, played] = [cells[number % 9], cells[(number % 9 + 1 + number / 9 % 8) % 9]];
    let better = *cells.iter().find(|cell| ![first, played].contains(cell)).unwrap();
    let settings = [("size".to_owned(), "3".into()), ("win-length".to_owned(), "3".into())];
    let before = Before {
        game: "tic-tac-toe".to_owned(),
        settings: settings.into_iter().collect(),
        position: None,
        moves: vec![first.to_owned()],
    };
    Task {
        id: before.id(played),
        before,
        side: Side::Second,
        played: played.to_owned(),
        refutation: Vec::new(),
        better: better.to_owned(),
        line: vec![better.to_owned()],
        chance: 0.5,
        left: 0.0,
        origin: Origin { journal: Some("0123456789abcdef".to_owned()), day: TODAY, is_quick: false },
    }
}

/// The task of a position in which one move was played and another one is better.
fn of_moves(game: &str, settings: &str, moves: &str, [played, better]: [&str; 2]) -> Task {
    let pairs = settings.split(' ').filter_map(|pair| pair.split_once('='));
    let before = Before {
        game: game.to_owned(),
        settings: pairs.map(|(key, value)| (key.to_owned(), value.into())).collect(),
        position: None,
        moves: moves.split(' ').map(str::to_owned).collect(),
    };
    let origin = Origin { journal: None, day: TODAY, is_quick: false };
    let [played, better] = [played, better].map(str::to_owned);
    let (id, line) = (before.id(&played), vec![better.clone()]);
    let side = if before.moves.len().is_multiple_of(2) { Side::First } else { Side::Second };
    Task { id, before, side, played, refutation: Vec::new(), better, line, chance: 0.9, left: 0.2, origin }
}

fn tried(task: &Task, is_right: bool, day: Date) -> Try {
    Try { task: task.id.clone(), text: Some(task.better.clone()), is_right, day }
}

fn found(tasks: impl IntoIterator<Item = Task>) -> Findings {
    Findings { tasks: tasks.into_iter().collect(), ..Findings::default() }
}

fn store(place: &Path) -> Store {
    Store::of(&Folder::at(place.join("crosspath")))
}

// ---- the file ----

#[test]
fn what_is_written_is_read_again_and_one_position_is_one_task() {
    let (place, quick) = (folder(), |task: Task| {
        let origin = Origin { is_quick: true, ..task.origin.clone() };
        Task { chance: 0.6, origin, ..task }
    });
    let store = store(place.path());
    assert_eq!(store.read(), Ok(Mistakes::default()), "no file, no mistakes");
    assert_eq!(store.add(&found([quick(task(0)), task(1)])).unwrap(), 2);
    store.note(&tried(&task(0), false, TODAY)).unwrap();
    let text = fs::read_to_string(store.path()).unwrap();
    assert!(text.starts_with("{\"event\":\"task\",\"id\":\""), "{text}");
    assert!(
        text.ends_with(",\"move\":\"c1\",\"right\":false,\"day\":\"2026-11-28\",\"format\":1}\n"),
        "{text}"
    );
    // Better data take the place of worse ones, and the tries stay; the same again or worse ones change nothing.
    assert_eq!(store.add(&found([task(0), task(1), quick(task(1))])).unwrap(), 0);
    let read = store.read().unwrap();
    assert_eq!(read.known.iter().map(|known| &known.task).collect::<Vec<_>>(), [&task(0), &task(1)]);
    assert_eq!(read.known[0].tries, [tried(&task(0), false, TODAY)]);
    let length = fs::metadata(store.path()).unwrap().len();
    assert_eq!(store.add(&found([task(0), quick(task(1))])).unwrap(), 0);
    assert_eq!(fs::metadata(store.path()).unwrap().len(), length);
    // What is deleted stays so; a whole review takes back what a quick one has found.
    store.forget(&task(0).id).unwrap();
    store.add(&found([task(0), quick(task(2))])).unwrap();
    let cleared = Findings { cleared: vec![task(1).id, task(2).id], ..Findings::default() };
    store.add(&cleared).unwrap();
    let read = store.read().unwrap();
    assert_eq!(read.known.iter().map(|known| &known.task).collect::<Vec<_>>(), [&task(1)]);
}

#[test]
fn a_file_that_breaks_off_anywhere_keeps_every_whole_line() {
    let place = folder();
    let store = store(place.path());
    store.add(&found((0..4).map(task))).unwrap();
    for (number, is_right) in [(0, true), (1, false), (3, true)] {
        store.note(&tried(&task(number), is_right, TODAY)).unwrap();
    }
    let whole = fs::read(store.path()).unwrap();
    for length in 0..=whole.len() {
        let part = &whole[..length];
        let lines = part.split(|&byte| byte == b'\n').count() - 1;
        let is_between = part.is_empty() || part.ends_with(b"\n");
        // A line that lacks nothing but its end is whole.
        let all = lines + usize::from(!is_between && whole[length] == b'\n');
        let read = Mistakes::read(part);
        let tries: usize = read.known.iter().map(|known| known.tries.len()).sum();
        assert_eq!((read.known.len() + tries, read.damaged.len()), (all, 0), "{length} bytes");
        assert_eq!(read.is_cut, !is_between && all == lines, "{length} bytes");
    }
    // Whoever writes next writes behind the last whole line.
    for length in [whole.len() - 1, whole.len() - 30, 200, 1] {
        fs::write(store.path(), &whole[..length]).unwrap();
        let before = store.read().unwrap();
        store.add(&found([task(8)])).unwrap();
        let after = store.read().unwrap();
        assert_eq!((after.known.len(), after.is_cut), (before.known.len() + 1, false), "{length} bytes");
        assert_eq!(after.known[..before.known.len()], before.known);
        assert_eq!(after.damaged, [0; 0]);
    }
}

#[test]
fn a_damaged_line_is_named_and_hides_no_other() {
    let place = folder();
    let store = store(place.path());
    store.add(&found((0..3).map(task))).unwrap();
    let text = fs::read_to_string(store.path()).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1] = lines[1].replace("\"played\"", "\"plaied\"");
    lines.push("{\"event\":\"task\",\"format\":2}".to_owned());
    fs::write(store.path(), lines.join("\n") + "\n").unwrap();
    let read = store.read().unwrap();
    assert_eq!((read.damaged.as_slice(), read.is_cut, read.known.len()), (&[2, 4][..], false, 2));
    let shown = mistakes(place.path(), &["--list"]);
    let path = store.path().display().to_string();
    assert_eq!((shown.code, shown.err), (Some(0), sentences::damaged(&path, &[2, 4]) + "\n"));
    store.add(&found([task(1)])).unwrap();
    let read = store.read().unwrap();
    assert_eq!((read.damaged.as_slice(), read.known.len()), (&[2, 4][..], 3), "nothing else was touched");
}

#[test]
fn programs_that_append_at_once_lose_nothing() {
    let place = folder();
    let all: Vec<usize> = (0..60).collect();
    std::thread::scope(|scope| {
        for part in all.chunks(15) {
            let store = store(place.path());
            scope.spawn(move || {
                for &number in part {
                    // Each finds the task that the others find, too.
                    store.add(&found([task(number), task(61)])).unwrap();
                    store.note(&tried(&task(number), true, TODAY)).unwrap();
                }
            });
        }
    });
    let read = store(place.path()).read().unwrap();
    assert_eq!((read.known.len(), read.damaged.len(), read.is_cut), (61, 0, false));
    assert_eq!(read.known.iter().filter(|known| known.tries.len() == 1).count(), 60);
}

// ---- the days ----

#[test]
fn a_mistake_is_asked_again_after_a_day_a_week_and_a_month() {
    let (task, mut tries, mut today) = (task(0), Vec::new(), TODAY);
    for wait in [1.day(), 1.week(), 1.month()] {
        assert_eq!(task.due(&tries, today).map(|due| due.max(today)), Some(today));
        tries.push(tried(&task, true, today));
        let due = today + wait;
        assert_eq!(task.due(&tries, today), Some(due));
        // A second program that asks at the same time changes nothing.
        let twice = [tries.clone(), vec![tried(&task, true, today)]].concat();
        assert_eq!(task.due(&twice, today), Some(due));
        today = due;
    }
    let learnt = [tries.clone(), vec![tried(&task, true, today)]].concat();
    assert_eq!(task.due(&learnt, today), None);
    // A wrong try sets it back to the beginning.
    tries.push(tried(&task, false, today));
    assert_eq!(task.due(&tries, today), Some(today + 1.day()));
    tries.push(tried(&task, true, today + 1.day()));
    assert_eq!(task.due(&tries, today + 1.day()), Some(today + 2.days()));
}

/// What a person sees of one task, in days that really pass.
struct Model {
    rights: usize,
    /// The real day on which it is to be asked; none once it is learnt.
    due: Option<Date>,
}

#[test]
fn with_a_right_clock_the_days_are_those_of_a_plain_model() {
    let mut generator = stream(65, 3);
    for round in 0..300 {
        let (task, mut tries, mut real) = (task(round), Vec::new(), TODAY);
        let mut model = Model { rights: 0, due: Some(TODAY) };
        for _ in 0..60 {
            real += generator.random_range(0..9).days();
            assert_eq!(task.due(&tries, real), model.due, "round {round}, {real}");
            if model.due.is_none_or(|due| due > real) {
                continue;
            }
            let is_right = generator.random_range(0..3) > 0;
            tries.push(tried(&task, is_right, real));
            model.rights = if is_right { model.rights + 1 } else { 0 };
            let waits = [1.day(), 1.day(), 1.week(), 1.month()];
            model.due = waits.get(model.rights).map(|&wait| real + wait);
        }
    }
}

#[test]
fn a_clock_that_is_set_back_or_forward_locks_and_loses_nothing() {
    let mut generator = stream(65, 4);
    for round in 0..60 {
        let place = folder();
        let store = store(place.path());
        store.add(&found([task(0), task(1)])).unwrap();
        // A while with a clock that shows any day, then one that is right and a program that is begun every day.
        let mut real = TODAY;
        for _ in 0..generator.random_range(1..5) {
            let shown = real + generator.random_range(-900..900).days();
            let due: Vec<Task> =
                store.read_on(shown).unwrap().due(shown).map(|known| known.task.clone()).collect();
            for task in due {
                store.note(&tried(&task, generator.random_range(0..3) > 0, shown)).unwrap();
            }
            real += 1.day();
        }
        let before = store.read().unwrap();
        let mut waits = [0; 2];
        for day in 0..33 {
            let today = real + day.days();
            let mistakes = store.read_on(today).unwrap();
            assert_eq!(mistakes.known.len(), 2, "round {round}");
            for (known, wait) in mistakes.known.iter().zip(&mut waits) {
                *wait = if known.is_due(today) { *wait } else { *wait + 1 };
                let tries = before.known.iter().find(|old| old.task.id == known.task.id).unwrap().tries.len();
                assert_eq!(known.tries.len(), tries);
            }
        }
        // Nothing waits longer than the month that the third right answer asks for.
        assert!(waits.iter().all(|&wait| wait <= 31), "round {round}: {waits:?}");
    }
}

// ---- the command ----

/// Runs `crosspath mistakes` with its files in this home.
fn mistakes(home: &Path, arguments: &[&str]) -> Run {
    let mut command = crosspath(&[&["mistakes"], arguments].concat());
    command.env("XDG_STATE_HOME", home).env("TZ", "UTC");
    run_on(command, "")
}

/// A saved game in which X, a person, gives a won game away with a2, and the engine O lets X win before by b1.
fn a_saved_game(home: &Path) {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", Mode::HumanMachine), (80, 24));
    let mut journal = Journal::new(Some(Folder::at(home.join("crosspath"))));
    for text in ["b2", "a1", "c3", "b1", "a2", "c1"] {
        rig.moves(text);
        journal.hear(rig.game()).unwrap();
    }
}

#[test]
fn saved_games_are_reviewed_and_the_blunders_of_people_listed() {
    let home = folder();
    let none = mistakes(home.path(), &["--list"]);
    assert_eq!((none.code, none.out.trim_end()), (Some(0), sentences::NO_MISTAKES));
    a_saved_game(home.path());
    let collected = mistakes(home.path(), &["--collect"]);
    let told = format!("{} {}\n", sentences::added(1, 1), sentences::due(1, None));
    assert_eq!(
        (collected.code, collected.out),
        (Some(0), format!("Tic-tac-toe 3x3: {}\n{told}", sentences::count(1)))
    );
    // A game that was reviewed whole is not reviewed again, but where it is named, which adds nothing.
    let again = mistakes(home.path(), &["--collect"]).out;
    assert_eq!(again, format!("{} {}\n", sentences::added(0, 0), sentences::due(1, None)));
    let listed = mistakes(home.path(), &[]);
    let row = listed.lines()[0];
    assert!(row.contains("Tic-tac-toe 3x3  move 5, X a2 ??") && !row.contains("c1"), "{row}");
    assert!(
        row.ends_with(&format!("{}  {}", sentences::cost(1.0, 0.0), sentences::when_due(Some(TODAY), TODAY))),
        "{row}"
    );
    let line: Value = serde_json::from_str(&mistakes(home.path(), &["--json"]).out).unwrap();
    assert_eq!((&line["move"], &line["better"], &line["cost"]), (&"a2".into(), &"c1".into(), &100.0.into()));
    assert_eq!(
        (&line["side"], &line["ply"], &line["tries"]),
        (&"first".into(), &5.into(), &Value::Array(Vec::new()))
    );
    let id = line["saved_game"].as_str().unwrap();
    let named = mistakes(home.path(), &["--collect", &id[..6]]).out;
    assert!(named.ends_with(&format!("{} {}\n", sentences::added(0, 1), sentences::due(1, None))), "{named}");
    // What is deleted does not come back.
    assert_eq!(mistakes(home.path(), &["--forget", "2"]).code, Some(1));
    assert_eq!(
        mistakes(home.path(), &["--forget", "1"]).out,
        "Deleted move 5, X a2 ?? in Tic-tac-toe 3x3.\n"
    );
    mistakes(home.path(), &["--collect", id]);
    assert_eq!(mistakes(home.path(), &["--list"]).out.trim_end(), sentences::NO_MISTAKES);
    assert_eq!(mistakes(home.path(), &["--list", "--nodes", "5"]).code, Some(2));
}

#[test]
fn every_task_can_be_opened_again() {
    for number in 0..70 {
        let task = task(number);
        let open = task.open(GAMES).unwrap();
        assert_eq!(open.tree.position(open.base).played(), task.before.moves);
        assert_eq!(open.tree.position(open.played).last().as_ref(), Some(&task.played));
    }
    let strange = Task { played: "z9".to_owned(), ..task(0) };
    assert!(strange.open(GAMES).is_err());
}

// ---- practising ----

/// A screen on which the mistakes that are due are practised.
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

/// Has a person practise this mistake.
fn ask(rig: &mut Rig, task: Task) {
    let session = Session::of(vec![known(task)], TODAY, GAMES).unwrap();
    rig.tell(Command::Train(Box::new(session)));
}

/// Has a person practise where this key can do what it says.
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

/// Types a line and lets the adviser answer; returns what has happened.
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

/// What has become of a move in the end.
fn verdict(events: &[Event]) -> TryNews {
    let news = events.iter().rev().find_map(|event| match event {
        Event::Replied(reply) => Some(&reply.answer),
        _ => None,
    });
    let Some(Answer::Tried(news)) = news else { panic!("{events:?}") };
    news.clone()
}

/// A task from the saved game in which X gives a won game away.
fn of_a_saved_game(home: &Path) -> Store {
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

/// A position of chance in which a move throws something away, with its best and its worst moves.
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
        origin: Origin { journal: None, day: TODAY, is_quick: false },
    };
    Some((task, [good, bad]))
}

/// Tries a wrong and a right move at so many tasks of a board; each is answered as the exact values say.
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
