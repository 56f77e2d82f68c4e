//! The review of a game: marks, the turning point, the curve, and its interplay with other
//! requests.

use crossterm::event::KeyCode;

use crate::sentences::said;
use crate::support::run;
use crate::tui_harness::{Rig, spec};
use crosspath::canvas::GlyphSet;
use crosspath::play::{Command, GameMode, HistoryTarget, MistakeMark};
use crosspath::session::SearchReport;
use crosspath::thinking::EngineThreadId;

/// Game that Red wins on move 21. Blue's e9 is the mistake.
const HEX: &str = "f6 f7 e7 e6 f5 g4 f4 h3 e8 e9 d9 d7 d10 c10 g3 c8 g2 i2 h1 b11 c11";
/// Red's win chances, in per cent, before each move of `HEX`.
const RED_WIN_CHANCES: [u32; 21] =
    [50, 50, 52, 53, 64, 62, 62, 64, 62, 42, 83, 80, 97, 96, 97, 97, 98, 98, 99, 99, 99];

/// Answers review searches for up to `most` positions, with Red's win chance and `d9` as the better
/// move.
pub(crate) fn answer_all(rig: &mut Rig, most: usize) {
    for _ in 0..most {
        let Some(job) = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study) else {
            return;
        };
        let (id, plies) = (job.id, job.position.plies());
        let first = f64::from(RED_WIN_CHANCES[plies]) / 100.0;
        let chance = Some(if plies % 2 == 0 { first } else { 1.0 - first });
        let played = HEX.split(' ').nth(plies).unwrap();
        // A move that costs nothing was the best move of the analysis.
        let text = if plies % 2 == 1 { "d9" } else { played };
        rig.answer_job(id, text, SearchReport { chance, nodes: 1, ..SearchReport::default() });
    }
}

pub(crate) fn replay(glyphs: GlyphSet, size: (u16, u16)) -> Rig {
    let mut rig = Rig::replay("hex", "size=11 swap=off", HEX, glyphs, size);
    rig.execute(Command::Show(HistoryTarget::Ply(21)));
    rig
}

#[test]
fn a_mark_shows_how_much_a_move_costs() {
    let marks = [0.0, 0.099, 0.1, 0.199, 0.2, 0.399, 0.4, 1.0].map(MistakeMark::from_cost);
    let [little, doubtful, mistake, blunder] =
        [None, Some(MistakeMark::Doubtful), Some(MistakeMark::Mistake), Some(MistakeMark::Blunder)];
    assert_eq!(marks, [little, little, doubtful, doubtful, mistake, mistake, blunder, blunder]);
    assert_eq!(
        [MistakeMark::Doubtful, MistakeMark::Mistake, MistakeMark::Blunder].map(MistakeMark::symbol),
        ["?!", "?", "??"]
    );
}

#[test]
fn exact_values_mark_moves_that_change_the_result() {
    // After b1, X could win with c1, which also blocks the row a1 b1 c1, but misses it.
    let moves = "b2\na1\nc3\nb1\na2\nc1\nreview\n";
    let output = run(&["--mode", "2"], moves).out;
    let lines: Vec<&str> = output.lines().skip_while(|line| !line.contains("??")).map(str::trim).collect();
    assert_eq!(
        lines[..3],
        [
            format!(
                "Move 4, O b1 ??, better c1 (O 50%, not 0%). {}",
                said!("after-makes-two-threats", "b1", "X", "c1", "column c and the diagonal c1-a3")
            ),
            format!(
                "Move 5, X a2 ??, better c1 (X 100%, not 0%). {}",
                said!("lets-complete-with", "a2", "O", "row 1", "c1")
            ),
            said!("turning-point-move-better", "5", "X", "a2", "c1", "X", "100", "0").to_owned(),
        ]
    );
    let output = run(&["--mode", "2", "--json"], "b2\na1\nc3\nb1\nreview\n").out;
    let word: serde_json::Value = output
        .lines()
        .find(|line| line.contains("\"review\""))
        .map(|line| serde_json::from_str(line).unwrap())
        .unwrap();
    assert_eq!(word["result"]["chances"], serde_json::json!([50.0, 50.0, 50.0, 50.0, 100.0]));
    let line = word["result"]["marked"][0]["line"].clone();
    assert_eq!(line[0], "c1");
    let marked = serde_json::json!([
        {"ply": 4, "move": "b1", "mark": "??", "cost": 50.0, "better": "c1", "chance": 50.0, "line": line,
         "why": {
             "text": said!("after-makes-two-threats", "b1", "X", "c1", "column c and the diagonal c1-a3"),
             "marks": {"c2": "=", "a3": "="}
         }}
    ]);
    assert_eq!(word["result"]["marked"], marked);
    assert_eq!(word["result"]["turning_point"], 4);
}

#[test]
fn a_review_is_reproducible() {
    let record = "# crosspath quoridor\n1. e2 e8 2. e3 e7 3. e4 e6 4. a1h e5v\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, record).unwrap();
    let input = format!("load {}\nreview\n", path.display());
    let review = |seed: &str| {
        let output = run(&["--game", "quoridor", "--mode", "2", "--json", "--seed", seed], &input).out;
        output.lines().find(|line| line.contains("\"word\":\"review\"")).unwrap().to_owned()
    };
    assert_eq!(review("1"), review("2"));
    assert!(review("1").contains("\"marked\""), "{}", review("1"));
}

#[test]
fn commands_during_a_review_do_not_restart_its_search() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    let job = rig.game().engine_jobs()[0].id;
    rig.say("where");
    rig.think(&crate::tui_harness::report());
    rig.say("moves");
    assert_eq!(rig.game().engine_jobs().iter().map(|job| job.id).collect::<Vec<_>>(), [job]);
}

#[test]
fn before_the_first_move_there_is_nothing_to_review() {
    let output = run(&["--mode", "2"], "review\nb2\n");
    let all = output.out + &output.err;
    assert!(all.contains(said!("no-move-has-been")), "{all}");
}

#[test]
fn a_review_without_win_chances_reports_that() {
    let mut rig = Rig::of(spec("hex", "size=5 swap=off", GameMode::Humans), (100, 35));
    rig.moves("a1 b2");
    rig.say("review");
    while let Some(id) = rig.game().engine_jobs().first().map(|job| job.id) {
        rig.answer_job(id, "c3", SearchReport::default());
    }
    assert_eq!(rig.status(), said!("the-machine-gives-no"));
}

#[test]
fn a_marks_the_moves_and_j_goes_to_the_turning_point() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.status(), said!("nothing-is-reviewed-yet"));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 6);
    assert!(rig.picture().contains(said!("reviewing-move-of", "6", "21")), "{}", rig.picture());
    answer_all(&mut rig, 30);
    assert_eq!(
        rig.status(),
        said!("turning-point-move-better", "10", "Blue", "e9", "d9", "Blue", "58", "17")
    );
    let picture = rig.picture();
    for part in
        ["4 e6 ?!", "10 e9 ??", "Turned by ○ e9, move 10", "better d9 (Blue 58%)", said!("j-goes-there")]
    {
        assert!(picture.contains(part), "{part}\n{picture}");
    }
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.game().shown_position().plies(), 9, "before the mistake");
    assert!(rig.picture().contains("↑ move 9: 42%"), "{}", rig.picture());
    rig.execute(Command::Show(HistoryTarget::Ply(10)));
    assert!(rig.picture().contains("↑ move 10: 83%"), "{}", rig.picture());
    assert_eq!(rig.status(), "Move 10 of 21: Blue e9 ??, better d9 (Blue 58%, not 17%).");
}

#[test]
fn j_shows_the_progress_of_a_review_without_mistakes() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 3);
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.status(), said!("the-review-is-at", "3", "21"));
}

#[test]
fn a_replay_stops_auto_play_at_its_end() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Home);
    rig.act(KeyCode::Char('+'));
    if !rig.picture().contains(said!("space-stop")) {
        rig.act(KeyCode::Char(' '));
    }
    assert!(rig.picture().contains(said!("space-stop")), "{}", rig.picture());
    rig.act(KeyCode::End);
    assert!(rig.picture().contains("Space auto-play"), "{}", rig.picture());
}

#[test]
fn the_chart_shows_marks_below_their_moves() {
    for size in [(100, 35), (80, 24), (160, 50)] {
        let mut rig = replay(GlyphSet::Unicode, size);
        rig.act(KeyCode::Char('a'));
        answer_all(&mut rig, 30);
        for ply in 1..=21 {
            rig.execute(Command::Show(HistoryTarget::Ply(ply)));
            let picture = rig.picture();
            let rows: Vec<Vec<char>> = picture.lines().map(|row| row.chars().collect()).collect();
            let is_title = |row: &[char]| row.iter().collect::<String>().contains(said!("win-of", "Red"));
            let title = rows.iter().position(|row| is_title(row)).unwrap();
            let row = rows[title..].iter().find(|row| row.contains(&'↑')).unwrap();
            let left = rows[title].iter().rposition(|&glyph| glyph == '┌').unwrap() + 2;
            assert_eq!(row.iter().position(|&glyph| glyph == '↑'), Some(left + ply - 1), "{ply}\n{picture}");
            let chance = RED_WIN_CHANCES.get(ply).copied().unwrap_or(100);
            let column: String = row.iter().collect();
            assert!(column.contains(&format!("{ply}: {chance}%")), "{picture}");
        }
    }
}

#[test]
fn a_bar_of_the_chart_covers_several_moves_of_a_long_game() {
    let steps = "e2 e8 e1 e9 ".repeat(15);
    let mut rig = Rig::replay("quoridor", "size=9", &steps, GlyphSet::Unicode, (80, 24));
    rig.act(KeyCode::Char('a'));
    while let Some(id) = rig.game().engine_jobs().first().map(|job| job.id) {
        rig.answer_job(id, "e2", SearchReport { chance: Some(0.5), ..SearchReport::default() });
    }
    rig.execute(Command::Show(HistoryTarget::Ply(60)));
    assert!(rig.picture().contains(said!("win-of-moves-a", "White", "2")), "{}", rig.picture());
    assert!(rig.picture().contains("move 60: 50% ↑"), "{}", rig.picture());
}

#[test]
fn the_panels_show_the_final_values_of_a_review() {
    let mut rig = replay(GlyphSet::Unicode, (160, 50));
    rig.act(KeyCode::Char('a'));
    rig.think(&SearchReport {
        chance: Some(0.9),
        score: Some(crosspath::ai::Score(1)),
        ..SearchReport::default()
    });
    answer_all(&mut rig, 30);
    rig.execute(Command::Show(HistoryTarget::Ply(0)));
    let known = &rig.game().game().tree().node(rig.game().game().shown_node()).known;
    assert_eq!(known.as_ref().unwrap().1.chance, Some(0.5));
}

#[test]
fn a_resignation_is_reviewed_by_the_position() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "f6 f7 e7 e6", (100, 35));
    rig.say("resign");
    rig.say("review");
    answer_all(&mut rig, 30);
    let game = rig.game().game();
    assert_eq!(game.review_evaluation(game.shown_node()).unwrap().chance, Some(0.64));
    assert_eq!(game.marked_moves().len(), 1, "e6 alone");
}

#[test]
fn playing_on_ends_the_review() {
    let mut rig = Rig::two("hex", "size=11 swap=off", HEX, (100, 35));
    rig.say("review");
    answer_all(&mut rig, 3);
    rig.say("goto 5");
    assert!(!rig.game().engine_jobs().is_empty(), "looking back is no playing on");
    rig.say("play");
    assert!(rig.game().engine_jobs().is_empty());
    assert_eq!(rig.game().game().review_progress(), None);
}

#[test]
fn esc_ends_the_review_of_a_played_game() {
    let mut rig = Rig::two("hex", "size=11 swap=off", HEX, (100, 35));
    rig.say("review");
    assert_eq!(rig.status(), said!("the-machine-judges-every"));
    answer_all(&mut rig, 3);
    rig.act(KeyCode::Esc);
    assert!(rig.game().engine_jobs().is_empty());
    rig.say("review");
    rig.execute(Command::MoveNow); // the request of Ctrl-C in line mode
    assert!(rig.game().engine_jobs().is_empty());
}

#[test]
fn a_finished_review_does_not_replace_an_open_page() {
    let mut rig = replay(GlyphSet::Unicode, (60, 24));
    rig.act(KeyCode::Char('a'));
    rig.act(KeyCode::Char('?'));
    answer_all(&mut rig, 30);
    assert!(rig.picture().contains("Keys:"), "{}", rig.picture());
}

#[test]
fn a_stopped_review_resumes_where_it_stopped() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 5);
    for stop in [KeyCode::Esc, KeyCode::Char('a')] {
        rig.act(stop);
        assert!(rig.game().engine_jobs().is_empty());
        assert_eq!(rig.status(), said!("only-of-moves-are", "5", "21"));
        assert!(rig.picture().contains("5 of 21 moves reviewed"), "{}", rig.picture());
        rig.act(KeyCode::Char('a'));
        assert_eq!(rig.game().engine_jobs()[0].position.plies(), 5);
    }
}

#[test]
fn a_hint_is_computed_before_the_rest_of_a_review() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.say("goto 8");
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 2);
    rig.act(KeyCode::Char('t'));
    assert_eq!(rig.game().engine_jobs()[0].position.plies(), 8);
    let id = rig.game().engine_jobs()[0].id;
    rig.answer_job(id, "e8", SearchReport::default());
    assert_eq!(rig.game().engine_jobs()[0].position.plies(), 2);
    answer_all(&mut rig, 30);
    assert!(rig.game().game().turning_point().is_some());
}

#[test]
fn a_window_without_a_panel_shows_the_review_as_a_page() {
    let mut rig = replay(GlyphSet::Unicode, (60, 24));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    assert!(
        rig.picture().contains("Move 10, Blue e9 ??, better d9 (Blue 58%, not 17%)."),
        "{}",
        rig.picture()
    );
}

#[test]
fn the_command_review_reviews_a_finished_game() {
    let mut rig = Rig::two("hex", "size=11 swap=off", HEX, (100, 35));
    rig.say("review");
    answer_all(&mut rig, 30);
    assert!(rig.picture().contains("10 e9 ??"), "{}", rig.picture());
    assert!(!rig.picture().contains(said!("j-goes-there")), "j begins a move there");
}
