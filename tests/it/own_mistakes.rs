//! Your own mistakes: the file that saves them, the days on which they come up again, and the
//! command.

use std::fs;
use std::path::Path;

use crosspath::game::Side;
use crosspath::journal::{Folder, Journal, MistakeLog, MistakeStore};
use crosspath::messages::mistakes as sentences;
use crosspath::play::{Before, Findings, Mode, Origin, Task, Try};
use crosspath::random::stream;
use crosspath::registry::GAMES;
use jiff::ToSpan;
use jiff::civil::{Date, date};
use rand::RngExt;
use serde_json::Value;

use crate::rig::{Rig, spec};
use crate::support::{Run, crosspath, folder, run_on};

pub(crate) const TODAY: Date = date(2026, 11, 28);

/// Returns a task of tic-tac-toe; the number distinguishes it from others.
pub(crate) fn task(number: usize) -> Task {
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
        origin: Origin {
            journal: Some("0123456789abcdef".to_owned()),
            day: TODAY,
            is_quick: false,
            nodes: 0,
        },
    }
}

/// Returns the task of a position in which one move was played and another one is better.
pub(crate) fn of_moves(game: &str, settings: &str, moves: &str, [played, better]: [&str; 2]) -> Task {
    let pairs = settings.split(' ').filter_map(|pair| pair.split_once('='));
    let before = Before {
        game: game.to_owned(),
        settings: pairs.map(|(key, value)| (key.to_owned(), value.into())).collect(),
        position: None,
        moves: moves.split(' ').map(str::to_owned).collect(),
    };
    let origin = Origin { journal: None, day: TODAY, is_quick: false, nodes: 0 };
    let [played, better] = [played, better].map(str::to_owned);
    let (id, line) = (before.id(&played), vec![better.clone()]);
    let side = if before.moves.len().is_multiple_of(2) { Side::First } else { Side::Second };
    Task { id, before, side, played, refutation: Vec::new(), better, line, chance: 0.9, left: 0.2, origin }
}

pub(crate) fn tried(task: &Task, is_right: bool, day: Date) -> Try {
    Try { task: task.id.clone(), text: Some(task.better.clone()), is_right, day }
}

fn found(tasks: impl IntoIterator<Item = Task>) -> Findings {
    Findings { tasks: tasks.into_iter().collect(), ..Findings::default() }
}

pub(crate) fn store(place: &Path) -> MistakeStore {
    MistakeStore::of(&Folder::at(place.join("crosspath")))
}

// ---- the file ----

#[test]
fn what_is_written_is_read_again_and_one_position_is_one_task() {
    let (place, quick) = (folder(), |task: Task| {
        let origin = Origin { is_quick: true, ..task.origin.clone() };
        Task { chance: 0.6, origin, ..task }
    });
    let store = store(place.path());
    assert_eq!(store.read(), Ok(MistakeLog::default()), "no file, no mistakes");
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
    // Whoever has searched more has the say, also against a whole review.
    let with_nodes = |nodes, chance| {
        let origin = Origin { nodes, ..task(0).origin };
        Task { chance, origin, ..task(0) }
    };
    let chance = |store: &MistakeStore| store.read().unwrap().known[0].task.chance;
    store.add(&found([with_nodes(5_000, 0.8)])).unwrap();
    store.add(&found([with_nodes(100, 0.3)])).unwrap();
    assert!((chance(&store) - 0.8).abs() < 1e-9, "a weaker review changes nothing");
    store.add(&found([with_nodes(9_000, 0.7)])).unwrap();
    assert!((chance(&store) - 0.7).abs() < 1e-9);
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
        let read = MistakeLog::read(part);
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

/// One task as a person sees it, in days that really pass.
struct Model {
    rights: usize,
    /// Real day on which it comes up; none once it is learnt.
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
pub(crate) fn mistakes(home: &Path, arguments: &[&str]) -> Run {
    let mut command = crosspath(&[&["mistakes"], arguments].concat());
    command.env("XDG_STATE_HOME", home).env("TZ", "UTC");
    run_on(command, "")
}

/// A saved game in which X, a person, gives a won game away with a2, and the engine O lets X win before by b1.
pub(crate) fn a_saved_game(home: &Path) {
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
