//! The review of a game: marks, the turning point, the curve, and its interplay with other
//! requests.

use crossterm::event::KeyCode;

use crate::rig::{Rig, spec};
use crate::sentences::said;
use crate::support::run;
use crosspath::canvas::Glyphs;
use crosspath::play::{Command, HistoryTarget, Mark, Mode};
use crosspath::session::SearchReport;
use crosspath::thinking::HostId;

/// A game that Red wins on move 21; Blue's e9 is the mistake.
const HEX: &str = "f6 f7 e7 e6 f5 g4 f4 h3 e8 e9 d9 d7 d10 c10 g3 c8 g2 i2 h1 b11 c11";
/// Red's win chances in per cent at the positions before each move of it.
const CHANCES: [u32; 21] =
    [50, 50, 52, 53, 64, 62, 62, 64, 62, 42, 83, 80, 97, 96, 97, 97, 98, 98, 99, 99, 99];

/// Answers the adviser for every position: with Red's chance, and with `d9` as the better move.
pub(crate) fn answer_all(rig: &mut Rig, most: usize) {
    for _ in 0..most {
        let Some(job) = rig.game().jobs().iter().find(|job| job.host == HostId::Study) else { return };
        let (id, plies) = (job.id, job.position.plies());
        let first = f64::from(CHANCES[plies]) / 100.0;
        let chance = Some(if plies % 2 == 0 { first } else { 1.0 - first });
        let played = HEX.split(' ').nth(plies).unwrap();
        // What costs nothing was the adviser's own move.
        let text = if plies % 2 == 1 { "d9" } else { played };
        rig.answer_job(id, text, SearchReport { chance, nodes: 1, ..SearchReport::default() });
    }
}

pub(crate) fn replay(glyphs: Glyphs, size: (u16, u16)) -> Rig {
    let mut rig = Rig::replay("hex", "size=11 swap=off", HEX, glyphs, size);
    rig.tell(Command::Show(HistoryTarget::Ply(21)));
    rig
}

#[test]
fn a_mark_says_how_much_a_move_costs() {
    let marks = [0.0, 0.099, 0.1, 0.199, 0.2, 0.399, 0.4, 1.0].map(Mark::of);
    let [little, doubtful, mistake, blunder] =
        [None, Some(Mark::Doubtful), Some(Mark::Mistake), Some(Mark::Blunder)];
    assert_eq!(marks, [little, little, doubtful, doubtful, mistake, mistake, blunder, blunder]);
    assert_eq!([Mark::Doubtful, Mark::Mistake, Mark::Blunder].map(Mark::symbol), ["?!", "?", "??"]);
}

#[test]
fn exact_values_mark_what_throws_a_result_away() {
    // After b1 X wins by c1, the one stop of the row a1 b1 c1, and misses that.
    let moves = "b2\na1\nc3\nb1\na2\nc1\nreview\n";
    let said = run(&["--mode", "2"], moves).out;
    let lines: Vec<&str> = said.lines().skip_while(|line| !line.contains("??")).map(str::trim).collect();
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
    let said = run(&["--mode", "2", "--json"], "b2\na1\nc3\nb1\nreview\n").out;
    let word: serde_json::Value = said
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
fn the_same_game_is_reviewed_alike_every_time() {
    let record = "# crosspath quoridor\n1. e2 e8 2. e3 e7 3. e4 e6 4. a1h e5v\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, record).unwrap();
    let input = format!("load {}\nreview\n", path.display());
    let review = |seed: &str| {
        let said = run(&["--game", "quoridor", "--mode", "2", "--json", "--seed", seed], &input).out;
        said.lines().find(|line| line.contains("\"word\":\"review\"")).unwrap().to_owned()
    };
    assert_eq!(review("1"), review("2"));
    assert!(review("1").contains("\"marked\""), "{}", review("1"));
}

#[test]
fn what_is_asked_during_a_review_does_not_begin_its_thought_again() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    let job = rig.game().jobs()[0].id;
    rig.say("where");
    rig.think(&crate::rig::report());
    rig.say("moves");
    assert_eq!(rig.game().jobs().iter().map(|job| job.id).collect::<Vec<_>>(), [job]);
}

#[test]
fn before_the_first_move_there_is_nothing_to_review() {
    let said = run(&["--mode", "2"], "review\nb2\n");
    let all = said.out + &said.err;
    assert!(all.contains(said!("no-move-has-been")), "{all}");
}

#[test]
fn who_plays_where_no_chances_are_known_is_told_so() {
    let mut rig = Rig::of(spec("hex", "size=5 swap=off", Mode::Humans), (100, 35));
    rig.moves("a1 b2");
    rig.say("review");
    while let Some(id) = rig.game().jobs().first().map(|job| job.id) {
        rig.answer_job(id, "c3", SearchReport::default());
    }
    assert_eq!(rig.status(), said!("the-machine-gives-no"));
}

#[test]
fn the_key_marks_the_moves_and_j_goes_to_the_turning_point() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
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
    assert_eq!(rig.game().shown().plies(), 9, "before the mistake");
    assert!(rig.picture().contains("↑ move 9: 42%"), "{}", rig.picture());
    rig.tell(Command::Show(HistoryTarget::Ply(10)));
    assert!(rig.picture().contains("↑ move 10: 83%"), "{}", rig.picture());
    assert_eq!(rig.status(), "Move 10 of 21: Blue e9 ??, better d9 (Blue 58%, not 17%).");
}

#[test]
fn j_says_how_far_a_review_has_come_that_has_found_no_mistake() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 3);
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.status(), said!("the-review-is-at", "3", "21"));
}

#[test]
fn a_replay_that_is_shown_to_its_end_runs_no_more() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
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
fn below_the_curve_the_mark_stands_under_its_move() {
    for size in [(100, 35), (80, 24), (160, 50)] {
        let mut rig = replay(Glyphs::Unicode, size);
        rig.act(KeyCode::Char('a'));
        answer_all(&mut rig, 30);
        for ply in 1..=21 {
            rig.tell(Command::Show(HistoryTarget::Ply(ply)));
            let picture = rig.picture();
            let rows: Vec<Vec<char>> = picture.lines().map(|row| row.chars().collect()).collect();
            let is_title = |row: &[char]| row.iter().collect::<String>().contains(said!("win-of", "Red"));
            let title = rows.iter().position(|row| is_title(row)).unwrap();
            let row = rows[title..].iter().find(|row| row.contains(&'↑')).unwrap();
            let left = rows[title].iter().rposition(|&glyph| glyph == '┌').unwrap() + 2;
            assert_eq!(row.iter().position(|&glyph| glyph == '↑'), Some(left + ply - 1), "{ply}\n{picture}");
            let chance = CHANCES.get(ply).copied().unwrap_or(100);
            let told: String = row.iter().collect();
            assert!(told.contains(&format!("{ply}: {chance}%")), "{picture}");
        }
    }
}

#[test]
fn a_long_game_has_several_moves_in_a_bar() {
    let steps = "e2 e8 e1 e9 ".repeat(15);
    let mut rig = Rig::replay("quoridor", "size=9", &steps, Glyphs::Unicode, (80, 24));
    rig.act(KeyCode::Char('a'));
    while let Some(id) = rig.game().jobs().first().map(|job| job.id) {
        rig.answer_job(id, "e2", SearchReport { chance: Some(0.5), ..SearchReport::default() });
    }
    rig.tell(Command::Show(HistoryTarget::Ply(60)));
    assert!(rig.picture().contains(said!("win-of-moves-a", "White", "2")), "{}", rig.picture());
    assert!(rig.picture().contains("move 60: 50% ↑"), "{}", rig.picture());
}

#[test]
fn what_is_known_in_the_end_is_what_the_panels_show() {
    let mut rig = replay(Glyphs::Unicode, (160, 50));
    rig.act(KeyCode::Char('a'));
    rig.think(&SearchReport {
        chance: Some(0.9),
        score: Some(crosspath::ai::Score(1)),
        ..SearchReport::default()
    });
    answer_all(&mut rig, 30);
    rig.tell(Command::Show(HistoryTarget::Ply(0)));
    let known = &rig.game().game().tree().node(rig.game().game().shown()).known;
    assert_eq!(known.as_ref().unwrap().1.chance, Some(0.5));
}

#[test]
fn who_gives_up_is_judged_by_the_position() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "f6 f7 e7 e6", (100, 35));
    rig.say("resign");
    rig.say("review");
    answer_all(&mut rig, 30);
    let game = rig.game().game();
    assert_eq!(game.judged(game.shown()).unwrap().chance, Some(0.64));
    assert_eq!(game.marked().len(), 1, "e6 alone");
}

#[test]
fn who_plays_on_leaves_the_review() {
    let mut rig = Rig::two("hex", "size=11 swap=off", HEX, (100, 35));
    rig.say("review");
    answer_all(&mut rig, 3);
    rig.say("goto 5");
    assert!(!rig.game().jobs().is_empty(), "looking back is no playing on");
    rig.say("play");
    assert!(rig.game().jobs().is_empty());
    assert_eq!(rig.game().game().review_progress(), None);
}

#[test]
fn esc_ends_a_review_of_ones_own_game() {
    let mut rig = Rig::two("hex", "size=11 swap=off", HEX, (100, 35));
    rig.say("review");
    assert_eq!(rig.status(), said!("the-machine-judges-every"));
    answer_all(&mut rig, 3);
    rig.act(KeyCode::Esc);
    assert!(rig.game().jobs().is_empty());
    rig.say("review");
    rig.tell(Command::MoveNow); // what Ctrl-C asks for in line mode
    assert!(rig.game().jobs().is_empty());
}

#[test]
fn nobody_is_interrupted_by_the_page_of_a_review() {
    let mut rig = replay(Glyphs::Unicode, (60, 24));
    rig.act(KeyCode::Char('a'));
    rig.act(KeyCode::Char('?'));
    answer_all(&mut rig, 30);
    assert!(rig.picture().contains("Keys:"), "{}", rig.picture());
}

#[test]
fn a_review_stops_and_goes_on_where_it_was() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 5);
    for stop in [KeyCode::Esc, KeyCode::Char('a')] {
        rig.act(stop);
        assert!(rig.game().jobs().is_empty());
        assert_eq!(rig.status(), said!("only-of-moves-are", "5", "21"));
        assert!(rig.picture().contains("5 of 21 moves reviewed"), "{}", rig.picture());
        rig.act(KeyCode::Char('a'));
        assert_eq!(rig.game().jobs()[0].position.plies(), 5);
    }
}

#[test]
fn advice_comes_before_the_rest_of_a_review() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
    rig.say("goto 8");
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 2);
    rig.act(KeyCode::Char('t'));
    assert_eq!(rig.game().jobs()[0].position.plies(), 8);
    let id = rig.game().jobs()[0].id;
    rig.answer_job(id, "e8", SearchReport::default());
    assert_eq!(rig.game().jobs()[0].position.plies(), 2);
    answer_all(&mut rig, 30);
    assert!(rig.game().game().turning_point().is_some());
}

#[test]
fn a_window_without_a_panel_has_a_page_in_its_place() {
    let mut rig = replay(Glyphs::Unicode, (60, 24));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    assert!(
        rig.picture().contains("Move 10, Blue e9 ??, better d9 (Blue 58%, not 17%)."),
        "{}",
        rig.picture()
    );
}

#[test]
fn a_finished_game_of_ones_own_is_reviewed_by_the_word() {
    let mut rig = Rig::two("hex", "size=11 swap=off", HEX, (100, 35));
    rig.say("review");
    answer_all(&mut rig, 30);
    assert!(rig.picture().contains("10 e9 ??"), "{}", rig.picture());
    assert!(!rig.picture().contains(said!("j-goes-there")), "j begins a move there");
}
