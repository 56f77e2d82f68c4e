//! Clocks: the time of each side, running out of time, and saving clocks.

use std::fs;
use std::time::Duration;

use crosspath::game::{BySide, Outcome, Side};
use crosspath::journal::{JournalFolder, MatchJournal, load_journal};
use crosspath::play::{Command, GameMode, Match, MatchRules, NewGame, TimeControl, TimeoutRule};
use crosspath::registry::GAMES;
use crosspath::session::EngineError;
use crosspath::thinking::EngineEvent;
use crosspath::ui::tui::{StartMenu, Theme};

use crate::sentences::{lasting, said};
use crate::support::{folder, run};
use crate::tui_harness::{Rig, report, spec};

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn rig_with_clocks(mode: GameMode, time: &str, over: TimeoutRule) -> Rig {
    let time = TimeControl { over, ..time.parse().unwrap() };
    Rig::of(NewGame { time: Some(time), ..spec("tic-tac-toe", "size=3", mode) }, (100, 30))
}

/// Returns the seconds that both sides have left.
fn seconds_left(rig: &Rig) -> (u64, u64) {
    let BySide { first, second } = rig.game().remaining_times(rig.now).unwrap();
    (first.as_secs(), second.as_secs())
}

fn say_after(rig: &mut Rig, time: u64, line: &str) {
    rig.now += seconds(time);
    rig.say(line);
}

#[test]
fn moves_use_time_and_add_the_increment() {
    let mut rig = rig_with_clocks(GameMode::Humans, "1m+5s", TimeoutRule::Loss);
    assert_eq!(seconds_left(&rig), (60, 60));
    say_after(&mut rig, 10, "b2");
    assert_eq!(seconds_left(&rig), (55, 60));
    rig.now += seconds(7);
    assert_eq!(seconds_left(&rig), (55, 53), "the clock of the side to move runs");
    rig.say("zz");
    say_after(&mut rig, 13, "a1");
    assert_eq!(seconds_left(&rig), (55, 45), "what is refused costs nothing more");
    // Undo restores the time of that position.
    say_after(&mut rig, 20, "undo");
    assert_eq!(seconds_left(&rig), (55, 60));
    say_after(&mut rig, 1, "undo");
    assert_eq!(seconds_left(&rig), (60, 60));
    rig.say("redo 2");
    assert_eq!(seconds_left(&rig), (55, 45));
    // Browsing the game does not stop the clock.
    rig.say("back");
    rig.now += seconds(5);
    assert_eq!(seconds_left(&rig), (50, 45));
    rig.say("goto end");
    rig.say("resign");
    rig.now += seconds(100);
    assert_eq!(seconds_left(&rig), (55, 45), "the game is over");
    rig.say("new");
    assert_eq!(seconds_left(&rig), (60, 60));
}

#[test]
fn running_out_of_time_loses_or_warns_once() {
    let mut rig = rig_with_clocks(GameMode::Humans, "10s", TimeoutRule::Loss);
    say_after(&mut rig, 4, "b2");
    rig.now += seconds(9);
    rig.tick();
    assert_eq!(rig.game().present_position().outcome(), None);
    rig.now += seconds(2);
    rig.say("a1"); // too late, although there was no tick before
    assert_eq!(rig.game().present_position().outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(rig.game().present_position().played_moves(), ["b2"]);
    assert_eq!(seconds_left(&rig), (6, 0));
    let record = rig.game().to_record_text(None);
    assert!(record.ends_with("1. b2 time\n") && record.contains("# result: first\n"), "{record}");
    let again = crate::tui_harness::record(&record);
    assert!(again.fault.is_none());
    assert_eq!(again.tree.position(again.end).outcome(), Some(Outcome::Win(Side::First)));
    let mut warned = rig_with_clocks(GameMode::Humans, "10s", TimeoutRule::Warning);
    warned.now += seconds(11);
    warned.tick();
    assert_eq!(warned.status(), said!("s-time-is-used", "X"));
    warned.say("b2");
    assert_eq!(seconds_left(&warned), (0, 10));
    warned.now += seconds(1);
    warned.tick();
    assert!(!warned.status().contains("time"), "{}", warned.status());
}

#[test]
fn an_engine_moves_within_its_clock() {
    let mut rig = rig_with_clocks(GameMode::HumanMachine, "1m+2s", TimeoutRule::Loss);
    say_after(&mut rig, 1, "b2");
    let is_due = |game: &Match| game.engine_jobs().iter().any(|job| job.is_due);
    assert!(rig.is_thinking() && !is_due(rig.game()));
    rig.now += seconds(4); // 60 / 20 + 1.6
    rig.tick();
    assert!(!is_due(rig.game()));
    rig.now += seconds(1);
    rig.tick();
    assert!(is_due(rig.game()), "it has thought long enough");
    rig.answer("a1", crate::tui_harness::report());
    assert_eq!(seconds_left(&rig), (61, 57));
}

#[test]
fn engine_events_after_time_ran_out_are_late() {
    for over in [TimeoutRule::Loss, TimeoutRule::Warning] {
        for kind in 0..3 {
            let mut rig = rig_with_clocks(GameMode::HumanMachine, "10s", over);
            say_after(&mut rig, 1, "b2");
            let job = rig.game().engine_jobs()[0].id;
            rig.now += seconds(11); // without a tick before
            match kind {
                0 => rig.answer_job(job, "a1", report()),
                1 => rig.on_engine_event(EngineEvent::Failed(job, EngineError::OtherGame)),
                _ => rig.think(&report()),
            }
            let game = rig.game();
            let (is_lost, is_told) = (over == TimeoutRule::Loss, over == TimeoutRule::Warning);
            let is_over = game.present_position().outcome() == Some(Outcome::Win(Side::First));
            assert_eq!(is_over, is_lost, "{over:?} {kind}");
            let played = game.present_position().played_moves();
            assert_eq!(played == ["b2", "a1"], is_told && kind == 0, "{over:?} {kind}: {played:?}");
            assert_eq!(rig.is_thinking(), !is_lost && kind == 2, "{over:?} {kind}");
            if is_lost {
                assert!(rig.picture().contains(said!("used-up-the-time", "O")), "{kind}: {}", rig.picture());
            }
        }
    }
}

#[test]
fn the_journal_saves_the_clocks() {
    let place = folder();
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
    let mut rig = rig_with_clocks(GameMode::Humans, "1m+5s", TimeoutRule::Warning);
    for (time, line) in [(10, "b2"), (20, "a1"), (5, "c3"), (1, "undo")] {
        say_after(&mut rig, time, line);
        journal.record_changes(rig.game()).unwrap();
    }
    rig.now += seconds(30);
    rig.execute(Command::Leave);
    journal.record_changes(rig.game()).unwrap();
    let bytes = fs::read(journal.current_path().unwrap()).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("\"ms\":10000,\"left\":[55000,60000]"), "{text}");
    let loaded = load_journal(&bytes, GAMES).unwrap();
    assert_eq!(loaded.spec.time, rig.game().game().spec().time);
    let again = Match::from_record(MatchRules::default(), loaded.spec, loaded.record).unwrap();
    let clocks = again.remaining_times(Duration::ZERO).unwrap();
    assert_eq!(clocks, BySide::new(seconds(25), seconds(45)), "and what was thought before leaving is used");
}

#[test]
fn games_that_end_without_a_move_are_saved() {
    let place = folder();
    for end in ["time", "resign"] {
        let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
        let mut rig = rig_with_clocks(GameMode::Humans, "1m", TimeoutRule::Loss);
        journal.record_changes(rig.game()).unwrap();
        assert!(journal.current_path().is_none(), "nothing has happened yet");
        rig.now += seconds(if end == "time" { 61 } else { 1 });
        rig.say(if end == "time" { "where" } else { "resign" });
        journal.record_changes(rig.game()).unwrap();
        let path = journal.current_path().unwrap();
        assert!(path.file_name().unwrap().to_str().unwrap().starts_with("done-"), "{}", path.display());
        let loaded = load_journal(&fs::read(path).unwrap(), GAMES).unwrap().record;
        let position = loaded.tree.position(loaded.present);
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::Second)), "{end}");
    }
    // A loaded game that was resigned without a move is not saved again.
    let lost = crate::tui_harness::record("# crosspath tic-tac-toe size=3\nresign\n");
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
    let mut rig = rig_with_clocks(GameMode::Humans, "1m", TimeoutRule::Loss);
    rig.load("x", lost);
    journal.record_changes(rig.game()).unwrap();
    assert!(rig.game().game().outcome().is_some() && journal.current_path().is_none());
}

#[test]
fn invalid_time_controls_are_refused() {
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
fn the_menu_sets_clocks_with_the_same_flags() {
    let mut menu = StartMenu::default();
    assert!(!menu.shell_arguments(Theme::default()).contains(&"--time".to_owned()));
    menu.change_option("time", 1);
    menu.change_option("time", 1);
    menu.change_option("time-over", 1);
    let words = menu.shell_arguments(Theme::default()).join(" ");
    assert!(words.ends_with(" --time 3m+2s --time-over warning"), "{words}");
    let words = ["crosspath"].into_iter().chain(words.split(' ')).map(Into::into);
    let (cli, _) = crosspath::cli::parse_command_line(GAMES, words).unwrap();
    assert_eq!(cli.play.time, "3m+2s".parse().ok());
    assert!(menu.option_rows().iter().any(|row| row.key == "time-over" && row.value == "warning"));
}

#[test]
fn json_output_ends_when_a_game_is_lost_on_time() {
    let script = "(echo b2; sleep 0.4; echo a1; echo c3) | \"$0\" --mode 2 --json --time 100ms";
    let output = crate::support::run_script(script);
    assert_eq!(output.code, Some(0));
    let last = output.lines().last().copied().unwrap_or_default().to_owned();
    assert!(
        last.contains("\"event\":\"end\"") && last.contains(said!("used-up-the-time-part")),
        "{}",
        output.out
    );
}

#[test]
fn a_new_game_after_time_ran_out_reports_the_old_result() {
    let mut rig = rig_with_clocks(GameMode::Humans, "10s", TimeoutRule::Loss);
    rig.say("b2");
    say_after(&mut rig, 11, "new");
    assert_eq!(rig.game().present_position().plies(), 0);
    assert_eq!(rig.game().scoreboard().results(), [1, 0, 0]);
    let output =
        crate::support::run_script("(echo b2; sleep 0.4; echo new; echo a1) | \"$0\" --mode 2 --time 100ms");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    assert!(
        output.out.contains(lasting(format!("\n{}\n", said!("game-over-first-won", "X", "O", "X")))),
        "{}",
        output.out
    );
    let mut back = rig_with_clocks(GameMode::Humans, "10s", TimeoutRule::Loss);
    back.say("b2");
    say_after(&mut back, 11, "undo");
    assert_eq!(back.game().present_position().outcome(), None, "the end is taken back");
    assert_eq!((back.game().present_position().plies(), back.game().scoreboard().results()), (1, [0; 3]));
}

#[test]
fn loading_a_game_starts_fresh_clocks() {
    let mut rig = rig_with_clocks(GameMode::Humans, "1m", TimeoutRule::Loss);
    say_after(&mut rig, 50, "b2");
    rig.now += seconds(50);
    let record = crate::tui_harness::record("# crosspath tic-tac-toe size=3\n1. a1\n");
    rig.load("x", record);
    assert_eq!(seconds_left(&rig), (60, 60));
}

#[test]
fn clocks_are_visible_at_every_window_width() {
    for game in ["tic-tac-toe", "hex", "quoridor"] {
        for width in [50, 60, 80, 100, 160] {
            let time = Some("5m+3s".parse().unwrap());
            let game = NewGame { time, ..spec(game, "", GameMode::HumanMachine) };
            let rig = Rig::of(game, (width, 30));
            assert!(rig.picture().contains("5:00 / 5:00"), "{width}: {}", rig.picture());
        }
    }
}
