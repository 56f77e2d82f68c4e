//! Your own mistakes: the file that stores them, their due dates, and the command.

use std::fs;
use std::path::Path;

use crosspath::game::Side;
use crosspath::journal::{JournalFolder, MatchJournal, MistakeLog, MistakeStore};
use crosspath::messages::mistakes as sentences;
use crosspath::play::{GameMode, PracticeTask, ReviewFindings, TaskAttempt, TaskOrigin, TaskPosition};
use crosspath::random::random_stream;
use crosspath::registry::GAMES;
use jiff::ToSpan;
use jiff::civil::{Date, date};
use rand::RngExt;
use serde_json::Value;

use crate::support::{Run, crosspath, folder, run_on};
use crate::tui_harness::{Rig, spec};

pub(crate) const TODAY: Date = date(2026, 11, 28);

/// Returns a task of tic-tac-toe. Different numbers give different tasks.
pub(crate) fn sample_task(number: usize) -> PracticeTask {
    let cells = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
    let [first, played] = [cells[number % 9], cells[(number % 9 + 1 + number / 9 % 8) % 9]];
    let better = *cells.iter().find(|cell| ![first, played].contains(cell)).unwrap();
    let settings = [("size".to_owned(), "3".into()), ("win-length".to_owned(), "3".into())];
    let before = TaskPosition {
        game: "tic-tac-toe".to_owned(),
        settings: settings.into_iter().collect(),
        position: None,
        moves: vec![first.to_owned()],
    };
    PracticeTask {
        id: before.task_id(played),
        before,
        side: Side::Second,
        played: played.to_owned(),
        refutation: Vec::new(),
        better: better.to_owned(),
        line: vec![better.to_owned()],
        chance: 0.5,
        left: 0.0,
        origin: TaskOrigin {
            journal: Some("0123456789abcdef".to_owned()),
            day: TODAY,
            is_quick: false,
            nodes: 0,
        },
    }
}

/// Returns the task of a position in which `played` was a mistake and `better` is better.
pub(crate) fn task_from_moves(
    game: &str,
    settings: &str,
    moves: &str,
    [played, better]: [&str; 2],
) -> PracticeTask {
    let pairs = settings.split(' ').filter_map(|pair| pair.split_once('='));
    let before = TaskPosition {
        game: game.to_owned(),
        settings: pairs.map(|(key, value)| (key.to_owned(), value.into())).collect(),
        position: None,
        moves: moves.split(' ').map(str::to_owned).collect(),
    };
    let origin = TaskOrigin { journal: None, day: TODAY, is_quick: false, nodes: 0 };
    let [played, better] = [played, better].map(str::to_owned);
    let (id, line) = (before.task_id(&played), vec![better.clone()]);
    let side = if before.moves.len().is_multiple_of(2) { Side::First } else { Side::Second };
    PracticeTask {
        id,
        before,
        side,
        played,
        refutation: Vec::new(),
        better,
        line,
        chance: 0.9,
        left: 0.2,
        origin,
    }
}

pub(crate) fn new_attempt(task: &PracticeTask, is_right: bool, day: Date) -> TaskAttempt {
    TaskAttempt { task: task.id.clone(), text: Some(task.better.clone()), is_right, day }
}

fn findings_of(tasks: impl IntoIterator<Item = PracticeTask>) -> ReviewFindings {
    ReviewFindings { tasks: tasks.into_iter().collect(), ..ReviewFindings::default() }
}

pub(crate) fn open_store(place: &Path) -> MistakeStore {
    MistakeStore::in_folder(&JournalFolder::new(place.join("crosspath")))
}

// ---- the file ----

#[test]
fn tasks_are_stored_once_per_position_and_read_back() {
    let (place, quick) = (folder(), |task: PracticeTask| {
        let origin = TaskOrigin { is_quick: true, ..task.origin.clone() };
        PracticeTask { chance: 0.6, origin, ..task }
    });
    let store = open_store(place.path());
    assert_eq!(store.read(), Ok(MistakeLog::default()), "no file, no mistakes");
    assert_eq!(store.add_findings(&findings_of([quick(sample_task(0)), sample_task(1)])).unwrap(), 2);
    store.add_attempt(&new_attempt(&sample_task(0), false, TODAY)).unwrap();
    let text = fs::read_to_string(store.path()).unwrap();
    assert!(text.starts_with("{\"event\":\"task\",\"id\":\""), "{text}");
    assert!(
        text.ends_with(",\"move\":\"c1\",\"right\":false,\"day\":\"2026-11-28\",\"format\":1}\n"),
        "{text}"
    );
    // Better data replace worse data, and the attempts stay. The same or worse data change nothing.
    assert_eq!(
        store.add_findings(&findings_of([sample_task(0), sample_task(1), quick(sample_task(1))])).unwrap(),
        0
    );
    let read = store.read().unwrap();
    assert_eq!(
        read.known.iter().map(|known| &known.task).collect::<Vec<_>>(),
        [&sample_task(0), &sample_task(1)]
    );
    assert_eq!(read.known[0].tries, [new_attempt(&sample_task(0), false, TODAY)]);
    let length = fs::metadata(store.path()).unwrap().len();
    assert_eq!(store.add_findings(&findings_of([sample_task(0), quick(sample_task(1))])).unwrap(), 0);
    assert_eq!(fs::metadata(store.path()).unwrap().len(), length);
    // The review with more nodes wins, even against a full review.
    let with_nodes = |nodes, chance| {
        let origin = TaskOrigin { nodes, ..sample_task(0).origin };
        PracticeTask { chance, origin, ..sample_task(0) }
    };
    let chance = |store: &MistakeStore| store.read().unwrap().known[0].task.chance;
    store.add_findings(&findings_of([with_nodes(5_000, 0.8)])).unwrap();
    store.add_findings(&findings_of([with_nodes(100, 0.3)])).unwrap();
    assert!((chance(&store) - 0.8).abs() < 1e-9, "a weaker review changes nothing");
    store.add_findings(&findings_of([with_nodes(9_000, 0.7)])).unwrap();
    assert!((chance(&store) - 0.7).abs() < 1e-9);
    // A deleted task does not return. A full review removes mistakes that only a quick one has
    // found.
    store.delete_task(&sample_task(0).id).unwrap();
    store.add_findings(&findings_of([sample_task(0), quick(sample_task(2))])).unwrap();
    let cleared =
        ReviewFindings { cleared: vec![sample_task(1).id, sample_task(2).id], ..ReviewFindings::default() };
    store.add_findings(&cleared).unwrap();
    let read = store.read().unwrap();
    assert_eq!(read.known.iter().map(|known| &known.task).collect::<Vec<_>>(), [&sample_task(1)]);
}

#[test]
fn a_file_cut_anywhere_keeps_every_complete_line() {
    let place = folder();
    let store = open_store(place.path());
    store.add_findings(&findings_of((0..4).map(sample_task))).unwrap();
    for (number, is_right) in [(0, true), (1, false), (3, true)] {
        store.add_attempt(&new_attempt(&sample_task(number), is_right, TODAY)).unwrap();
    }
    let whole = fs::read(store.path()).unwrap();
    for length in 0..=whole.len() {
        let part = &whole[..length];
        let lines = part.split(|&byte| byte == b'\n').count() - 1;
        let is_between = part.is_empty() || part.ends_with(b"\n");
        // A line that lacks only its line end is complete.
        let all = lines + usize::from(!is_between && whole[length] == b'\n');
        let read = MistakeLog::parse(part);
        let tries: usize = read.known.iter().map(|known| known.tries.len()).sum();
        assert_eq!((read.known.len() + tries, read.damaged.len()), (all, 0), "{length} bytes");
        assert_eq!(read.is_cut, !is_between && all == lines, "{length} bytes");
    }
    // The next write continues after the last complete line.
    for length in [whole.len() - 1, whole.len() - 30, 200, 1] {
        fs::write(store.path(), &whole[..length]).unwrap();
        let before = store.read().unwrap();
        store.add_findings(&findings_of([sample_task(8)])).unwrap();
        let after = store.read().unwrap();
        assert_eq!((after.known.len(), after.is_cut), (before.known.len() + 1, false), "{length} bytes");
        assert_eq!(after.known[..before.known.len()], before.known);
        assert_eq!(after.damaged, [0; 0]);
    }
}

#[test]
fn a_damaged_line_is_reported_and_the_others_are_read() {
    let place = folder();
    let store = open_store(place.path());
    store.add_findings(&findings_of((0..3).map(sample_task))).unwrap();
    let text = fs::read_to_string(store.path()).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1] = lines[1].replace("\"played\"", "\"plaied\"");
    lines.push("{\"event\":\"task\",\"format\":2}".to_owned());
    fs::write(store.path(), lines.join("\n") + "\n").unwrap();
    let read = store.read().unwrap();
    assert_eq!((read.damaged.as_slice(), read.is_cut, read.known.len()), (&[2, 4][..], false, 2));
    let shown = run_mistakes(place.path(), &["--list"]);
    let path = store.path().display().to_string();
    assert_eq!((shown.code, shown.err), (Some(0), sentences::damaged_lines_warning(&path, &[2, 4]) + "\n"));
    store.add_findings(&findings_of([sample_task(1)])).unwrap();
    let read = store.read().unwrap();
    assert_eq!((read.damaged.as_slice(), read.known.len()), (&[2, 4][..], 3), "nothing else was touched");
}

#[test]
fn programs_that_write_at_the_same_time_lose_nothing() {
    let place = folder();
    let all: Vec<usize> = (0..60).collect();
    std::thread::scope(|scope| {
        for part in all.chunks(15) {
            let store = open_store(place.path());
            scope.spawn(move || {
                for &number in part {
                    // All threads also add the same task.
                    store.add_findings(&findings_of([sample_task(number), sample_task(61)])).unwrap();
                    store.add_attempt(&new_attempt(&sample_task(number), true, TODAY)).unwrap();
                }
            });
        }
    });
    let read = open_store(place.path()).read().unwrap();
    assert_eq!((read.known.len(), read.damaged.len(), read.is_cut), (61, 0, false));
    assert_eq!(read.known.iter().filter(|known| known.tries.len() == 1).count(), 60);
}

// ---- the days ----

#[test]
fn a_mistake_is_due_again_after_a_day_a_week_and_a_month() {
    let (task, mut tries, mut today) = (sample_task(0), Vec::new(), TODAY);
    for wait in [1.day(), 1.week(), 1.month()] {
        assert_eq!(task.due_date(&tries, today).map(|due| due.max(today)), Some(today));
        tries.push(new_attempt(&task, true, today));
        let due = today + wait;
        assert_eq!(task.due_date(&tries, today), Some(due));
        // An attempt in a second program on the same day changes nothing.
        let twice = [tries.clone(), vec![new_attempt(&task, true, today)]].concat();
        assert_eq!(task.due_date(&twice, today), Some(due));
        today = due;
    }
    let learnt = [tries.clone(), vec![new_attempt(&task, true, today)]].concat();
    assert_eq!(task.due_date(&learnt, today), None);
    // A wrong attempt starts the intervals again.
    tries.push(new_attempt(&task, false, today));
    assert_eq!(task.due_date(&tries, today), Some(today + 1.day()));
    tries.push(new_attempt(&task, true, today + 1.day()));
    assert_eq!(task.due_date(&tries, today + 1.day()), Some(today + 2.days()));
}

/// Model of one task, in days that really pass.
struct DueDateModel {
    rights: usize,
    /// Real day on which the task is due; `None` once it is learnt.
    due: Option<Date>,
}

#[test]
fn due_dates_agree_with_a_simple_model() {
    let mut generator = random_stream(65, 3);
    for round in 0..300 {
        let (task, mut tries, mut real) = (sample_task(round), Vec::new(), TODAY);
        let mut model = DueDateModel { rights: 0, due: Some(TODAY) };
        for _ in 0..60 {
            real += generator.random_range(0..9).days();
            assert_eq!(task.due_date(&tries, real), model.due, "round {round}, {real}");
            if model.due.is_none_or(|due| due > real) {
                continue;
            }
            let is_right = generator.random_range(0..3) > 0;
            tries.push(new_attempt(&task, is_right, real));
            model.rights = if is_right { model.rights + 1 } else { 0 };
            let waits = [1.day(), 1.day(), 1.week(), 1.month()];
            model.due = waits.get(model.rights).map(|&wait| real + wait);
        }
    }
}

#[test]
fn a_wrong_clock_neither_blocks_nor_loses_tasks() {
    let mut generator = random_stream(65, 4);
    for round in 0..60 {
        let place = folder();
        let store = open_store(place.path());
        store.add_findings(&findings_of([sample_task(0), sample_task(1)])).unwrap();
        // The clock shows wrong days for a while. Then it is right, and the program is started
        // every day.
        let mut real = TODAY;
        for _ in 0..generator.random_range(1..5) {
            let shown = real + generator.random_range(-900..900).days();
            let due: Vec<PracticeTask> =
                store.read_on_day(shown).unwrap().due_tasks(shown).map(|known| known.task.clone()).collect();
            for task in due {
                store.add_attempt(&new_attempt(&task, generator.random_range(0..3) > 0, shown)).unwrap();
            }
            real += 1.day();
        }
        let before = store.read().unwrap();
        let mut waits = [0; 2];
        for day in 0..33 {
            let today = real + day.days();
            let mistakes = store.read_on_day(today).unwrap();
            assert_eq!(mistakes.known.len(), 2, "round {round}");
            for (known, wait) in mistakes.known.iter().zip(&mut waits) {
                *wait = if known.is_due_on(today) { *wait } else { *wait + 1 };
                let tries = before.known.iter().find(|old| old.task.id == known.task.id).unwrap().tries.len();
                assert_eq!(known.tries.len(), tries);
            }
        }
        // No task waits longer than the month after the third right answer.
        assert!(waits.iter().all(|&wait| wait <= 31), "round {round}: {waits:?}");
    }
}

// ---- the command ----

/// Runs `crosspath mistakes` with its files in this home. Returns its output.
pub(crate) fn run_mistakes(home: &Path, arguments: &[&str]) -> Run {
    let mut command = crosspath(&[&["mistakes"], arguments].concat());
    command.env("XDG_STATE_HOME", home).env("TZ", "UTC");
    run_on(command, "")
}

/// Saves a game in which X, a person, throws away a win with a2. Before that the engine O lets X
/// win with b1.
pub(crate) fn save_sample_game(home: &Path) {
    let mut rig = Rig::of(spec("tic-tac-toe", "size=3", GameMode::HumanMachine), (80, 24));
    let mut journal = MatchJournal::new(Some(JournalFolder::new(home.join("crosspath"))));
    for text in ["b2", "a1", "c3", "b1", "a2", "c1"] {
        rig.moves(text);
        journal.record_changes(rig.game()).unwrap();
    }
}

#[test]
fn collect_reviews_saved_games_and_lists_the_mistakes_of_people() {
    let home = folder();
    let none = run_mistakes(home.path(), &["--list"]);
    assert_eq!((none.code, none.out.trim_end()), (Some(0), sentences::NO_MISTAKES_MESSAGE));
    save_sample_game(home.path());
    let collected = run_mistakes(home.path(), &["--collect"]);
    let summary = format!(
        "{} {}\n",
        sentences::format_collection_summary(1, 1),
        sentences::due_mistakes_message(1, None)
    );
    assert_eq!(
        (collected.code, collected.out),
        (Some(0), format!("Tic-tac-toe 3x3: {}\n{summary}", sentences::format_mistake_count(1)))
    );
    // A fully reviewed game is not reviewed again unless it is named. That adds nothing.
    let again = run_mistakes(home.path(), &["--collect"]).out;
    assert_eq!(
        again,
        format!(
            "{} {}\n",
            sentences::format_collection_summary(0, 0),
            sentences::due_mistakes_message(1, None)
        )
    );
    let listed = run_mistakes(home.path(), &[]);
    let row = listed.lines()[0];
    assert!(row.contains("Tic-tac-toe 3x3  move 5, X a2 ??") && !row.contains("c1"), "{row}");
    assert!(
        row.ends_with(&format!(
            "{}  {}",
            sentences::format_mistake_cost(1.0, 0.0),
            sentences::format_due_date(Some(TODAY), TODAY)
        )),
        "{row}"
    );
    let line: Value = serde_json::from_str(&run_mistakes(home.path(), &["--json"]).out).unwrap();
    assert_eq!((&line["move"], &line["better"], &line["cost"]), (&"a2".into(), &"c1".into(), &100.0.into()));
    assert_eq!(
        (&line["side"], &line["ply"], &line["tries"]),
        (&"first".into(), &5.into(), &Value::Array(Vec::new()))
    );
    let id = line["saved_game"].as_str().unwrap();
    let named = run_mistakes(home.path(), &["--collect", &id[..6]]).out;
    assert!(
        named.ends_with(&format!(
            "{} {}\n",
            sentences::format_collection_summary(0, 1),
            sentences::due_mistakes_message(1, None)
        )),
        "{named}"
    );
    // A deleted mistake does not return.
    assert_eq!(run_mistakes(home.path(), &["--forget", "2"]).code, Some(1));
    assert_eq!(
        run_mistakes(home.path(), &["--forget", "1"]).out,
        "Deleted move 5, X a2 ?? in Tic-tac-toe 3x3.\n"
    );
    run_mistakes(home.path(), &["--collect", id]);
    assert_eq!(run_mistakes(home.path(), &["--list"]).out.trim_end(), sentences::NO_MISTAKES_MESSAGE);
    assert_eq!(run_mistakes(home.path(), &["--list", "--nodes", "5"]).code, Some(2));
}

#[test]
fn every_task_can_be_opened() {
    for number in 0..70 {
        let task = sample_task(number);
        let open = task.open(GAMES).unwrap();
        assert_eq!(open.tree.position(open.base).played_moves(), task.before.moves);
        assert_eq!(open.tree.position(open.played).last_move().as_ref(), Some(&task.played));
    }
    let strange = PracticeTask { played: "z9".to_owned(), ..sample_task(0) };
    assert!(strange.open(GAMES).is_err());
}
