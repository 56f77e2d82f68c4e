//! Clocks: the time of each side, the consequence of using it up, and the saving of clocks.

use std::fs;
use std::time::Duration;

use crosspath::game::{BySide, Outcome, Side};
use crosspath::journal::{Folder, Journal, load};
use crosspath::play::{Command, Match, Mode, NewGame, Rules, TimeControl, TimeOver};
use crosspath::registry::GAMES;
use crosspath::session::EngineError;
use crosspath::thinking::News;
use crosspath::ui::tui::{Menu, Theme};

use crate::rig::{Rig, report, spec};
use crate::sentences::{lasting, said};
use crate::support::{folder, run};

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn with_clocks(mode: Mode, time: &str, over: TimeOver) -> Rig {
    let time = TimeControl { over, ..time.parse().unwrap() };
    Rig::of(NewGame { time: Some(time), ..spec("tic-tac-toe", "size=3", mode) }, (100, 30))
}

/// Returns the seconds that both sides have left.
fn left(rig: &Rig) -> (u64, u64) {
    let BySide { first, second } = rig.game().clocks(rig.now).unwrap();
    (first.as_secs(), second.as_secs())
}

fn after(rig: &mut Rig, time: u64, line: &str) {
    rig.now += seconds(time);
    rig.say(line);
}

#[test]
fn each_move_costs_its_time_and_adds_the_increment() {
    let mut rig = with_clocks(Mode::Humans, "1m+5s", TimeOver::Loss);
    assert_eq!(left(&rig), (60, 60));
    after(&mut rig, 10, "b2");
    assert_eq!(left(&rig), (55, 60));
    rig.now += seconds(7);
    assert_eq!(left(&rig), (55, 53), "the clock of the side to move runs");
    rig.say("zz");
    after(&mut rig, 13, "a1");
    assert_eq!(left(&rig), (55, 45), "what is refused costs nothing more");
    // Who takes moves back has the time of that position again.
    after(&mut rig, 20, "undo");
    assert_eq!(left(&rig), (55, 60));
    after(&mut rig, 1, "undo");
    assert_eq!(left(&rig), (60, 60));
    rig.say("redo 2");
    assert_eq!(left(&rig), (55, 45));
    // Looking around stops no clock.
    rig.say("back");
    rig.now += seconds(5);
    assert_eq!(left(&rig), (50, 45));
    rig.say("goto end");
    rig.say("resign");
    rig.now += seconds(100);
    assert_eq!(left(&rig), (55, 45), "the game is over");
    rig.say("new");
    assert_eq!(left(&rig), (60, 60));
}

#[test]
fn whose_time_is_used_up_loses_or_is_told_once() {
    let mut rig = with_clocks(Mode::Humans, "10s", TimeOver::Loss);
    after(&mut rig, 4, "b2");
    rig.now += seconds(9);
    rig.tick();
    assert_eq!(rig.game().present_position().outcome(), None);
    rig.now += seconds(2);
    rig.say("a1"); // too late, even though no tick came before
    assert_eq!(rig.game().present_position().outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(rig.game().present_position().played(), ["b2"]);
    assert_eq!(left(&rig), (6, 0));
    let record = rig.game().record(None);
    assert!(record.ends_with("1. b2 time\n") && record.contains("# result: first\n"), "{record}");
    let again = crate::rig::record(&record);
    assert!(again.fault.is_none());
    assert_eq!(again.tree.position(again.end).outcome(), Some(Outcome::Win(Side::First)));
    let mut told = with_clocks(Mode::Humans, "10s", TimeOver::Warning);
    told.now += seconds(11);
    told.tick();
    assert_eq!(told.status(), said!("s-time-is-used", "X"));
    told.say("b2");
    assert_eq!(left(&told), (0, 10));
    told.now += seconds(1);
    told.tick();
    assert!(!told.status().contains("time"), "{}", told.status());
}

#[test]
fn an_engine_keeps_to_its_clock() {
    let mut rig = with_clocks(Mode::HumanMachine, "1m+2s", TimeOver::Loss);
    after(&mut rig, 1, "b2");
    let is_due = |game: &Match| game.jobs().iter().any(|job| job.is_due);
    assert!(rig.is_thinking() && !is_due(rig.game()));
    rig.now += seconds(4); // 60 / 20 + 1.6
    rig.tick();
    assert!(!is_due(rig.game()));
    rig.now += seconds(1);
    rig.tick();
    assert!(is_due(rig.game()), "it has thought long enough");
    rig.answer("a1", crate::rig::report());
    assert_eq!(left(&rig), (61, 57));
}

#[test]
fn news_that_comes_when_the_time_is_up_is_late() {
    for over in [TimeOver::Loss, TimeOver::Warning] {
        for kind in 0..3 {
            let mut rig = with_clocks(Mode::HumanMachine, "10s", over);
            after(&mut rig, 1, "b2");
            let job = rig.game().jobs()[0].id;
            rig.now += seconds(11); // no tick came before
            match kind {
                0 => rig.answer_job(job, "a1", report()),
                1 => rig.news(News::Failed(job, EngineError::OtherGame)),
                _ => rig.think(&report()),
            }
            let game = rig.game();
            let (is_lost, is_told) = (over == TimeOver::Loss, over == TimeOver::Warning);
            let is_over = game.present_position().outcome() == Some(Outcome::Win(Side::First));
            assert_eq!(is_over, is_lost, "{over:?} {kind}");
            let played = game.present_position().played();
            assert_eq!(played == ["b2", "a1"], is_told && kind == 0, "{over:?} {kind}: {played:?}");
            assert_eq!(rig.is_thinking(), !is_lost && kind == 2, "{over:?} {kind}");
            if is_lost {
                assert!(rig.picture().contains(said!("used-up-the-time", "O")), "{kind}: {}", rig.picture());
            }
        }
    }
}

#[test]
fn the_journal_keeps_the_clocks() {
    let place = folder();
    let mut journal = Journal::new(Some(Folder::at(place.path().to_path_buf())));
    let mut rig = with_clocks(Mode::Humans, "1m+5s", TimeOver::Warning);
    for (time, line) in [(10, "b2"), (20, "a1"), (5, "c3"), (1, "undo")] {
        after(&mut rig, time, line);
        journal.hear(rig.game()).unwrap();
    }
    rig.now += seconds(30);
    rig.tell(Command::Leave);
    journal.hear(rig.game()).unwrap();
    let bytes = fs::read(journal.path().unwrap()).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("\"ms\":10000,\"left\":[55000,60000]"), "{text}");
    let kept = load(&bytes, GAMES).unwrap();
    assert_eq!(kept.spec.time, rig.game().game().spec().time);
    let again = Match::resumed(Rules::default(), kept.spec, kept.record).unwrap();
    let clocks = again.clocks(Duration::ZERO).unwrap();
    assert_eq!(clocks, BySide::new(seconds(25), seconds(45)), "and what was thought before leaving is used");
}

#[test]
fn a_game_that_ends_without_a_move_is_kept() {
    let place = folder();
    for end in ["time", "resign"] {
        let mut journal = Journal::new(Some(Folder::at(place.path().to_path_buf())));
        let mut rig = with_clocks(Mode::Humans, "1m", TimeOver::Loss);
        journal.hear(rig.game()).unwrap();
        assert!(journal.path().is_none(), "nothing has happened yet");
        rig.now += seconds(if end == "time" { 61 } else { 1 });
        rig.say(if end == "time" { "where" } else { "resign" });
        journal.hear(rig.game()).unwrap();
        let path = journal.path().unwrap();
        assert!(path.file_name().unwrap().to_str().unwrap().starts_with("done-"), "{}", path.display());
        let kept = load(&fs::read(path).unwrap(), GAMES).unwrap().record;
        let position = kept.tree.position(kept.present);
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)), "{end}");
    }
    // A file without a move that somebody gave up in is where it is; it is not kept once more.
    let lost = crate::rig::record("# crosspath tic-tac-toe size=3\nresign\n");
    let mut journal = Journal::new(Some(Folder::at(place.path().to_path_buf())));
    let mut rig = with_clocks(Mode::Humans, "1m", TimeOver::Loss);
    rig.load("x", lost);
    journal.hear(rig.game()).unwrap();
    assert!(rig.game().game().outcome().is_some() && journal.path().is_none());
}

#[test]
fn a_time_is_read_strictly() {
    for wrong in ["5", "m", "5x", "", "3s+", "+3s", "1s1m", "25h", "0s", "5m+3", "1.5m"] {
        let refused = run(&["--time", wrong, "--mode", "2"], "");
        assert_eq!(refused.code, Some(2), "{wrong}");
        assert!(refused.err.contains(said!("it-is-no-time")), "{}", refused.err);
    }
    assert_eq!(run(&["--time", "1h", "--mode", "2"], "b2\n").code, Some(0));
    assert_eq!(
        run(&["--time-over", "warning"], "").code,
        Some(2),
        "without clocks there is no time to use up"
    );
}

#[test]
fn the_menu_asks_for_clocks_as_the_command_line_does() {
    let mut menu = Menu::default();
    assert!(!menu.arguments(Theme::default()).contains(&"--time".to_owned()));
    menu.change("time", 1);
    menu.change("time", 1);
    menu.change("time-over", 1);
    let words = menu.arguments(Theme::default()).join(" ");
    assert!(words.ends_with(" --time 3m+2s --time-over warning"), "{words}");
    let words = ["crosspath"].into_iter().chain(words.split(' ')).map(Into::into);
    let (cli, _) = crosspath::cli::parse(GAMES, words).unwrap();
    assert_eq!(cli.play.time, "3m+2s".parse().ok());
    assert!(menu.rows().iter().any(|row| row.key == "time-over" && row.value == "warning"));
}

#[test]
fn a_game_lost_by_time_ends_json_whatever_comes_after() {
    let script = "(echo b2; sleep 0.4; echo a1; echo c3) | \"$0\" --mode 2 --json --time 100ms";
    let said = crate::support::run_script(script);
    assert_eq!(said.code, Some(0));
    let last = said.lines().last().copied().unwrap_or_default().to_owned();
    assert!(
        last.contains("\"event\":\"end\"") && last.contains(said!("used-up-the-time-part")),
        "{}",
        said.out
    );
}

#[test]
fn a_new_game_that_comes_as_the_time_is_up_leaves_the_old_one_told() {
    let mut rig = with_clocks(Mode::Humans, "10s", TimeOver::Loss);
    rig.say("b2");
    after(&mut rig, 11, "new");
    assert_eq!(rig.game().present_position().plies(), 0);
    assert_eq!(rig.game().tally().results(), [1, 0, 0]);
    let told =
        crate::support::run_script("(echo b2; sleep 0.4; echo new; echo a1) | \"$0\" --mode 2 --time 100ms");
    assert_eq!((told.code, told.err.as_str()), (Some(0), ""));
    assert!(
        told.out.contains(lasting(format!("\n{}\n", said!("game-over-first-won", "X", "O", "X")))),
        "{}",
        told.out
    );
    let mut back = with_clocks(Mode::Humans, "10s", TimeOver::Loss);
    back.say("b2");
    after(&mut back, 11, "undo");
    assert_eq!(back.game().present_position().outcome(), None, "the end is taken back");
    assert_eq!((back.game().present_position().plies(), back.game().tally().results()), (1, [0; 3]));
}

#[test]
fn the_clocks_of_a_loaded_game_begin_when_it_is_loaded() {
    let mut rig = with_clocks(Mode::Humans, "1m", TimeOver::Loss);
    after(&mut rig, 50, "b2");
    rig.now += seconds(50);
    let record = crate::rig::record("# crosspath tic-tac-toe size=3\n1. a1\n");
    rig.load("x", record);
    assert_eq!(left(&rig), (60, 60));
}

#[test]
fn a_clock_that_runs_is_seen_in_every_window() {
    for game in ["tic-tac-toe", "hex", "quoridor"] {
        for width in [50, 60, 80, 100, 160] {
            let time = Some("5m+3s".parse().unwrap());
            let game = NewGame { time, ..spec(game, "", Mode::HumanMachine) };
            let rig = Rig::of(game, (width, 30));
            assert!(rig.picture().contains("5:00 / 5:00"), "{width}: {}", rig.picture());
        }
    }
}
