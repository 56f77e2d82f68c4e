//! The panels beside the board, the row below it, and the key for the analysis.

use crosspath::ai::{DisplayedScore, EngineKind, Proof, Score, WIN, hex, tictactoe};
use crosspath::canvas::Glyphs;
use crosspath::play::{Advice, Command, HistoryTarget, Mode, NewGame};
use crosspath::session::{CandidateMove, SearchReport};
use crosspath::thinking::HostId;
use crosspath::ui::tui::layout;
use crossterm::event::KeyCode;

use crate::review::{answer_all, replay};
use crate::rig::{Rig, report, spec};
use crate::sentences::{lasting, said};
use crate::support::run;

const HEX: &str = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8 c9 b10 d5 c5 d4";
const QUORIDOR: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h e3 e5 e2 d5 e3 c5";

/// Returns the rows inside the frame of a panel.
fn inside<'p>(picture: &'p str, title: &str) -> Vec<&'p str> {
    let head = format!("─ {title}");
    picture
        .lines()
        .skip_while(|row| !row.contains(&head))
        .skip(1)
        .take_while(|row| !row.contains("└─"))
        .collect()
}

/// Returns the rows of a panel that have a text.
fn told(rows: &[&str]) -> usize {
    let text = |row: &&&str| row.rsplit('│').nth(1).is_some_and(|text| !text.trim().is_empty());
    rows.iter().filter(text).count()
}

#[test]
fn the_moves_have_the_rows_that_the_engine_does_not_use() {
    for (game, settings, moves) in [("hex", "size=11", HEX), ("quoridor", "size=9", QUORIDOR)] {
        for size in [(80, 24), (100, 35)] {
            let check = |rig: &Rig, rounds: usize| {
                let picture = rig.picture();
                let [engine, moves] = ["Engine", "Moves"].map(|title| inside(&picture, title));
                assert_eq!(told(&engine), engine.len(), "blank rows in\n{picture}");
                assert!(told(&moves) >= rounds, "{} of {rounds} rounds in\n{picture}", told(&moves));
            };
            // All that the machine can tell; what it has told unasked; nothing yet.
            check(&Rig::board(game, settings, moves, Glyphs::Unicode, size), 3);
            let mut rig = Rig::of(spec(game, settings, Mode::HumanMachine), size);
            let (last, before) = moves.rsplit_once(' ').map(|(before, last)| (last, before)).unwrap();
            rig.moves(before);
            rig.answer(last, report());
            check(&rig, 5);
            rig.say("undo");
            check(&rig, 7);
        }
    }
}

#[test]
fn a_legend_does_not_come_and_go_with_what_the_engine_says() {
    let mut rig = Rig::board("quoridor", "size=9", "e2 e8", Glyphs::Unicode, (100, 35));
    let has_legend = |rig: &Rig| rig.picture().contains("─ Legend ─");
    assert!(has_legend(&rig));
    rig.say("e3");
    assert!(has_legend(&rig), "{}", rig.picture());
    rig.think(&report());
    assert!(has_legend(&rig), "{}", rig.picture());
}

#[test]
fn the_curve_comes_back_when_the_engine_is_put_away() {
    let mut rig = replay(Glyphs::Unicode, (80, 24));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    rig.tell(Command::Show(HistoryTarget::Ply(10)));
    let has = |rig: &Rig| ["win %", "─ Engine ─"].map(|title| rig.picture().contains(title));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert_eq!(has(&rig), [false, true], "{}", rig.picture());
    let said = said!("the-machine-thinks-about");
    assert_eq!(rig.status(), said);
    rig.tell(Command::Advise(Advice::Study));
    rig.think(&report());
    let has_numbers = |rig: &Rig| rig.picture().contains("1-3 best");
    assert!(has_numbers(&rig), "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
    assert!(!has_numbers(&rig), "{}", rig.picture());
    assert_eq!(rig.status(), said!("the-machine-thinks-no"));
    // What is asked for last is there.
    rig.act(KeyCode::Char('v'));
    rig.act(KeyCode::Char('a'));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
}

#[test]
fn the_key_puts_panel_and_numbers_of_a_replay_away_where_both_have_room() {
    let mut rig = replay(Glyphs::Unicode, (100, 50));
    rig.tell(Command::Show(HistoryTarget::Ply(10)));
    rig.act(KeyCode::Char('v'));
    rig.tell(Command::Advise(Advice::Study));
    rig.think(&report());
    assert!(rig.picture().contains("│ 1. d5h"), "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert!(
        !rig.picture().contains("─ Engine ─") && !rig.picture().contains("1-3 best"),
        "{}",
        rig.picture()
    );
}

#[test]
fn a_narrow_window_explains_what_lies_over_the_board_in_a_blank_row() {
    let mut rig = Rig::board("hex", "size=11", HEX, Glyphs::Unicode, (60, 24));
    rig.press(KeyCode::Char('p'));
    rig.say("where");
    rig.press(KeyCode::Esc);
    rig.press(KeyCode::Char('T'));
    assert!(rig.status().starts_with("Theme:"), "{}", rig.status());
    let legend = "Bridges + Red, - Blue; still needed • Red, ◦ Blue, ◊ both";
    assert_eq!(rig.picture().matches(legend).count(), 1, "{}", rig.picture());
}

/// Returns the character that is drawn at a place of the board.
fn drawn_at(rig: &Rig, place: &str) -> char {
    let at = rig.place(place).unwrap();
    rig.picture().lines().nth(at.y.into()).unwrap().chars().nth(at.x.into()).unwrap()
}

/// Returns the characters that are drawn at the engine's best three moves of [`advice`].
fn numbers(rig: &Rig) -> [char; 3] {
    ["c9", "d5", "e7"].map(|place| drawn_at(rig, place))
}

/// Returns a report that an adviser may have for Hex.
fn advice() -> SearchReport {
    let line = |text: &str| vec![text.to_owned()];
    let candidates = report().candidates.into_iter().zip(["c9", "d5", "e7"]);
    let candidates =
        candidates.map(|(one, text)| CandidateMove { text: text.to_owned(), line: line(text), ..one });
    SearchReport { candidates: candidates.collect(), pv: line("c9"), ..report() }
}

#[test]
fn the_key_shows_what_the_machine_thinks_of_the_position_one_has_to_move_in() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let spec = NewGame {
            level: Some(EngineKind::Level(4)),
            ..spec("hex", "size=11 swap=off", Mode::HumanMachine)
        };
        let mut rig = Rig::of(spec, size);
        rig.moves("c2 f6 d9 d8 g7 f4 e8 e5 h4 b9");
        rig.say("c8");
        rig.answer("b10", SearchReport { pv: ["b10", "c9", "d5"].map(str::to_owned).to_vec(), ..advice() });
        // 1. Unasked: neither a value nor moves to play
        let is_passive = |rig: &Rig| {
            let picture = rig.picture();
            assert!(!picture.contains("│ value") && !picture.contains("│ depth"), "{picture}");
            assert!(!picture.contains("│ 1. "), "{picture}");
            assert!(numbers(rig).iter().all(|sign| !sign.is_ascii_digit()), "{picture}");
        };
        is_passive(&rig);
        // 2. Asked: the best three of the position one has to move in, numbered on the board too
        rig.act(KeyCode::Char('v'));
        let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
        rig.answer_job(job.expect("the machine thinks"), "c9", advice());
        let is_told = |rig: &Rig| {
            let picture = rig.picture();
            assert!(
                picture.contains("─ Engine ─")
                    && picture.replace("value  ", "value ").contains("│ value Red"),
                "{picture}"
            );
            for best in ["│ 1. c9", "│ 2. d5", "│ 3. e7"] {
                assert!(picture.contains(best), "{picture}");
            }
            assert_eq!(numbers(rig), ['1', '2', '3'], "{picture}");
        };
        is_told(&rig);
        assert_eq!(rig.status(), said!("the-machine-thinks-about-every"));
        // 3. It stays on for the next move, without another press
        rig.say("c9");
        rig.answer("b11", SearchReport { candidates: Vec::new(), ..advice() });
        assert!(rig.scene().wants_study(), "{}", rig.picture());
        assert!(
            rig.status().starts_with(said!("played-your-move", "Blue", "b11", "Red")),
            "{}",
            rig.status()
        );
        rig.tell(Command::Advise(Advice::Study));
        assert!(
            rig.status().starts_with(said!("played-your-move", "Blue", "b11", "Red")),
            "{}",
            rig.status()
        );
        // 4. Another press puts it away, and nothing is thought any more
        rig.act(KeyCode::Char('v'));
        assert!(!rig.picture().contains("─ Engine") && !rig.scene().wants_study(), "{}", rig.picture());
        assert_eq!(rig.status(), said!("the-machine-thinks-no-more"));
    }
}

#[test]
fn a_hint_is_one_move_and_no_list_of_them() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (80, 24));
    rig.act(KeyCode::Char('t'));
    rig.answer("e7", advice());
    let picture = rig.picture();
    assert!(picture.contains("<·>") && !picture.contains("│ 1. "), "{picture}");
    assert!(picture.contains(said!("v-asks-the-machine")), "{picture}");
    // What is known already is there at once.
    rig.act(KeyCode::Char('v'));
    assert!(rig.picture().contains("│ 1. c9"), "{}", rig.picture());
    assert!(!rig.scene().wants_study());
}

#[test]
fn a_review_opens_its_own_panel_alone_and_every_press_of_v_is_seen() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let mut rig = replay(Glyphs::Unicode, size);
        rig.act(KeyCode::Char('a'));
        answer_all(&mut rig, 30);
        rig.tell(Command::Show(HistoryTarget::Ply(10)));
        let told = |rig: &Rig| rig.picture().contains("│ value ");
        assert!(!told(&rig), "{}", rig.picture());
        for is_on in [true, false, true, false] {
            rig.act(KeyCode::Char('v'));
            if rig.scene().wants_study() {
                rig.tell(Command::Advise(Advice::Study));
            }
            assert_eq!(told(&rig), is_on, "{}", rig.picture());
            assert_eq!(rig.status().contains(said!("v-stops-it")), is_on, "{}", rig.status());
        }
    }
}

#[test]
fn where_no_panel_has_room_the_numbers_on_the_board_tell() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (60, 24));
    rig.act(KeyCode::Char('v'));
    assert_eq!(rig.status(), said!("mark-the-best-moves", "66"));
    let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
    rig.answer_job(job.expect("the machine thinks"), "c9", advice());
    assert_eq!(numbers(&rig), ['1', '2', '3'], "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert!(numbers(&rig).iter().all(|sign| !sign.is_ascii_digit()), "{}", rig.picture());
}

#[test]
fn the_first_press_thinks_where_nothing_is_known_and_the_next_one_hides() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (80, 24));
    let is_there = |rig: &Rig| rig.picture().contains("─ Engine ─");
    for back in [0, 1] {
        if back > 0 {
            rig.tell(Command::Show(HistoryTarget::Back(back)));
            assert!(rig.scene().wants_study(), "it stays on");
            rig.act(KeyCode::Char('v'));
            rig.act(KeyCode::Char('v'));
        } else {
            assert!(is_there(&rig), "{}", rig.picture());
            rig.act(KeyCode::Char('v'));
        }
        let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
        rig.answer_job(job.expect("the machine thinks"), "e8", report());
        assert!(is_there(&rig) && rig.picture().contains("│ 1. d5h"), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        assert!(!is_there(&rig), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        assert!(is_there(&rig), "{}", rig.picture());
    }
}

#[test]
fn a_move_that_needed_no_search_is_named() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
    let (pv, candidates) = (vec!["a10".to_owned()], Vec::new());
    let known = SearchReport { nodes: 0, score: None, worth: None, chance: None, pv, candidates, ..report() };
    rig.answer_job(job.expect("the machine thinks"), "a10", known);
    assert!(rig.picture().contains(said!("no-search-was-needed", "a10")), "{}", rig.picture());
}

#[test]
fn a_move_of_a_book_is_told_as_one() {
    let mut rig = Rig::two("quoridor", "size=9", "", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
    let (pv, candidates) = (vec!["e2".to_owned()], Vec::new());
    let known = SearchReport { nodes: 0, depth: 0, pv, candidates, is_from_book: true, ..report() };
    rig.answer_job(job.expect("the machine thinks"), "e2", known);
    let picture = rig.picture();
    assert!(
        picture.contains("known  from the opening book") && !picture.contains(said!("no-search")),
        "{picture}"
    );
    assert!(!picture.contains("Moves: "), "{picture}");
    // An opening has its name as long as it is on the board, and takes no row from the best moves.
    let mut rig = Rig::two("quoridor", "size=9", "e2 e8 e3 e7 e4 e6", (80, 24));
    rig.act(KeyCode::Char('v'));
    for (mv, name) in [("", "Standard"), ("c1v", "Shiller"), ("e3v", "")] {
        rig.moves(mv);
        rig.think(&report());
        let picture = rig.picture();
        let title =
            if name.is_empty() { "Moves ─".to_owned() } else { format!("Moves: {name} opening ─") };
        assert!(picture.contains(&title) && picture.contains("3. d4"), "{picture}");
    }
}

#[test]
fn a_value_without_a_unit_is_told_in_words() {
    let mut rig = Rig::two("tic-tac-toe", "size=10", "e5 f6", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
    let worth = |value: &str| Some(DisplayedScore { value: value.to_owned(), unit: "", is_bound: false });
    let candidate = |(text, score): (&str, i32)| CandidateMove {
        text: text.to_owned(),
        score: Some(Score(score)),
        worth: worth(&format!("{score:+}")),
        visits: 0,
        line: vec![text.to_owned()],
    };
    let candidates = [("e6", 444), ("d5", 390)].map(candidate).to_vec();
    let known =
        SearchReport { score: Some(Score(444)), worth: worth("+444"), chance: None, candidates, ..report() };
    rig.answer_job(job.expect("the machine thinks"), "e6", known);
    let picture = rig.picture();
    assert!(picture.contains(said!("value-looks-better", "X")) && picture.contains("1. e6"), "{picture}");
    assert!(!picture.contains("+444") && !picture.contains("+390"), "{picture}");
}

#[test]
fn a_proof_of_hex_is_told_as_the_bound_that_it_is() {
    let scales =
        [hex::engines().pop().map(|spec| spec.scale), tictactoe::engines().pop().map(|spec| spec.scale)];
    for ((game, settings, moves, mv, told), scale) in [
        ("hex", "size=11 swap=off", "f6 f7", "c9", "Red loses within 11"),
        ("tic-tac-toe", "size=5", "a1 b2", "c3", said!("loses-in", "X", "11")),
    ]
    .into_iter()
    .zip(scales)
    {
        let mut rig = Rig::two(game, settings, moves, (80, 24));
        rig.act(KeyCode::Char('v'));
        let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study);
        let id = job.map(|job| job.id).expect("the machine thinks");
        let score = Score(22 - WIN);
        let worth = scale.map(|scale| scale.tell(score));
        let (pv, candidates) = (vec![mv.to_owned()], Vec::new());
        let known = SearchReport {
            score: Some(score),
            worth,
            proof: Some(Proof::LostIn(22)),
            pv,
            candidates,
            ..report()
        };
        rig.answer_job(id, mv, known);
        assert!(rig.picture().contains(told), "{}", rig.picture());
    }
}

#[test]
fn a_hint_beside_the_cursor_is_explained() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (60, 24));
    rig.act(KeyCode::Char('t'));
    rig.answer("e7", advice());
    // The cursor takes the bracket that stands between the two cells, whichever it is.
    let mut seen = [false; 2];
    rig.act(KeyCode::Down);
    for _ in 0..11 {
        let picture = rig.picture();
        for (seen, beside) in seen.iter_mut().zip(["[·]·>", "<·[·]"]) {
            *seen |= picture.contains(beside);
        }
        assert!(picture.contains("<> hint"), "{picture}");
        rig.act(KeyCode::Left);
    }
    assert_eq!(seen, [true; 2], "{}", rig.picture());
}

#[test]
fn what_has_to_be_read_fits_a_small_window() {
    let rig = Rig::two("quoridor", "", "", (60, 24));
    assert!(
        rig.picture().contains(lasting(format!(" {}\n", said!("a-step-is-a", "e2", "e3h", "e3v")))),
        "{}",
        rig.picture()
    );
    assert!(rig.picture().lines().next().unwrap().contains("move 1: White"), "{}", rig.picture());
    let rig = Rig::replay("tic-tac-toe", "size=3", "1. a1 zz", Glyphs::Unicode, (80, 24));
    let said = rig.picture().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(said!("step-through-the-good-moves")), "{}", rig.picture());
    // A game that is merely unfinished stays where it ends.
    let mut rig = Rig::replay("tic-tac-toe", "size=3", "1. a1 b2", Glyphs::Unicode, (80, 24));
    for _ in 0..2 {
        rig.act(KeyCode::Right);
    }
    let said = rig.picture().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(said!("unfinished-file-ends")), "{}", rig.picture());
}

#[test]
fn a_certificate_speaks_of_its_own_move_alone() {
    for (proof, has_second) in [(Proof::Certified, false), (Proof::Unproved, true)] {
        let mut rig = Rig::two("tic-tac-toe", "size=10", "e5", (100, 35));
        rig.act(KeyCode::Char('v'));
        let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
        let candidate = |text: &str| CandidateMove {
            text: text.to_owned(),
            score: Some(Score(0)),
            worth: None,
            visits: 0,
            line: vec![text.to_owned()],
        };
        let (pv, candidates) = (vec!["a10".to_owned()], ["a10", "a1"].map(candidate).to_vec());
        rig.answer_job(
            job.expect("the machine thinks"),
            "a10",
            SearchReport { proof: Some(proof), pv, candidates, ..report() },
        );
        let picture = rig.picture();
        assert!(picture.contains("a10"), "{picture}");
        assert_eq!(picture.contains("2. a1"), has_second, "{picture}");
    }
}

#[test]
fn numbers_of_an_overlay_are_the_only_ones() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "f6 f7", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id);
    rig.answer_job(job.expect("the machine thinks"), "c9", advice());
    assert!(rig.picture().contains("│ 1. "), "{}", rig.picture());
    (0..3).for_each(|_| rig.act(KeyCode::Char('p')));
    let picture = rig.picture();
    assert!(picture.contains(said!("how-hard-each-cell-is-to")), "{picture}");
    assert!(!picture.contains("│ 1. ") && picture.contains("│ - c9"), "{picture}");
    assert!(rig.scene().canvas(0).is_some() && !picture.contains("1-3 best"), "{picture}");
}

#[test]
fn the_values_are_told_with_what_the_other_side_threatens() {
    let mut rig = Rig::board("tic-tac-toe", "size=3", "a1 b2 c3 c1 a3", Glyphs::Unicode, (80, 24));
    assert!(
        rig.picture().contains(said!("or-by-number", "1", "2", "3", "4", "5", "6", "7", "8", "9")),
        "{}",
        rig.picture()
    );
    rig.act(KeyCode::Char('v'));
    let picture = rig.picture();
    assert!(
        picture.contains(said!("value-of-every-cell"))
            && picture.contains(lasting(format!("{} ", said!("every-move-loses", "X")))),
        "{picture}"
    );
    assert!(picture.contains("threatens a2 and b3."), "{picture}");
    let mut rig = Rig::board("tic-tac-toe", "size=3", "a1 b2 c3 c1", Glyphs::Unicode, (80, 24));
    rig.act(KeyCode::Char('v'));
    assert!(!rig.picture().contains(said!("every-move-loses-part")), "{}", rig.picture());
}

#[test]
fn the_curve_and_the_moves_have_rows_beside_the_engine() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    rig.tell(Command::Show(HistoryTarget::Ply(10)));
    rig.act(KeyCode::Char('v'));
    let picture = rig.picture();
    assert!(picture.contains("─ Engine"), "{picture}");
    assert!(inside(&picture, said!("win-of", "Red")).len() >= 6, "{picture}");
    assert!(inside(&picture, "Moves").len() >= 5, "{picture}");
}

#[test]
fn in_a_wide_window_the_legend_stays_when_the_engine_tells() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "f6 f7", (160, 50));
    for _ in 0..2 {
        assert!(rig.picture().contains("─ Legend"), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        if let Some(job) = rig.game().jobs().iter().find(|job| job.host == HostId::Study).map(|job| job.id) {
            rig.answer_job(job, "c9", advice());
        }
    }
}

#[test]
fn placing_a_wall_has_a_badge_and_the_cursor_is_seen_before_numbers() {
    let moves = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";
    for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
        let mut rig = Rig::board("quoridor", "size=9", moves, glyphs, (80, 24));
        assert!(rig.picture().contains("1. d5h") && !rig.picture().contains("  wall "), "{}", rig.picture());
        assert_eq!(drawn_at(&rig, "d5h"), '1');
        rig.act(KeyCode::Char('w'));
        rig.hover("d5h");
        assert_eq!(drawn_at(&rig, "d5h"), glyphs.pick(['╋', '+', '+']), "{}", rig.picture());
        let badge =
            |rig: &Rig, signs: [char; 3]| rig.picture().contains(&format!("  wall {}  ", glyphs.pick(signs)));
        assert!(badge(&rig, ['─', '-', '-']), "{}", rig.picture());
        rig.act(KeyCode::Char('r'));
        assert!(badge(&rig, ['│', '|', '|']), "{}", rig.picture());
    }
}

#[test]
fn the_field_says_that_a_name_is_wanted() {
    let mut rig = Rig::two("hex", "size=11", "f6", (80, 24));
    rig.act(KeyCode::Char('s'));
    assert!(rig.picture().contains("> save (a file name, then Enter)"), "{}", rig.picture());
    rig.act(KeyCode::Char('g'));
    assert!(rig.picture().contains("> save g\n") || !rig.picture().contains("(a name"), "{}", rig.picture());
}

#[test]
fn a_replay_explains_no_sign_that_it_cannot_have() {
    let mut rig = replay(Glyphs::Unicode, (80, 24));
    rig.tell(Command::Show(HistoryTarget::Ply(1)));
    for sign in ["<> hint", "[] cursor", said!("cut-link")] {
        assert!(!rig.picture().contains(sign), "{}", rig.picture());
    }
}

#[test]
fn a_wide_window_has_large_cells_beside_its_panels() {
    for (game, settings, moves, rows) in [
        ("hex", "size=11", HEX, 37),
        ("hex", "size=14", HEX, 31),
        ("hex", "size=19", HEX, 41),
        ("tic-tac-toe", "size=10", "e5 f6 e6 e4", 41),
        ("quoridor", "size=9", QUORIDOR, 38),
    ] {
        let rig = Rig::board(game, settings, moves, Glyphs::Unicode, (160, 50));
        let places = layout(rig.scene().shown().unwrap(), rig.screen.size);
        let picture = rig.picture();
        assert!(places.board.height >= rows, "{game} {settings}: {} rows\n{picture}", places.board.height);
        let panel = places.panel.expect("panels on the right");
        assert!(panel.x > places.board.right() && panel.right() <= 160, "{game} {settings}\n{picture}");
        for panel in ["─ Moves", "─ Engine ─"] {
            assert!(picture.contains(panel), "{game} {settings}: {picture}");
        }
    }
}

#[test]
fn a_high_window_has_the_score_in_a_frame() {
    for (size, is_framed) in [((80, 24), false), ((100, 35), true)] {
        let mut rig = Rig::two("tic-tac-toe", "size=3", "a1 b1 a2 b2", size);
        assert!(!rig.picture().contains("draws"), "{}", rig.picture());
        rig.say("a3");
        let picture = rig.picture();
        assert_eq!(picture.contains("─ Score ─"), is_framed, "{picture}");
        assert!(picture.contains("X 1   O 0   draws 0"), "{picture}");
    }
}

#[test]
fn the_moves_have_the_rows_that_are_free_beside_a_low_board() {
    let rig = Rig::board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", Glyphs::Unicode, (80, 24));
    let picture = rig.picture();
    assert_eq!(inside(&picture, said!("moves-from", "3")).len(), 5, "rows of moves 3 to 12: {picture}");
}

#[test]
fn a_row_of_moves_has_the_number_of_its_first_move() {
    let mut rig = replay(Glyphs::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    let picture = rig.picture();
    assert!(picture.contains("9 e8        10 e9 ??"), "{picture}");
    assert!(rig.status().contains("move 10, Blue e9"), "{}", rig.status());
}

#[test]
fn a_hint_says_where_every_move_loses() {
    let said = |moves: &str| run(&["--mode", "2"], format!("{moves}hint\n")).out;
    let lost = said("a1\nb2\nc3\nc1\na3\n");
    assert!(lost.contains(said!("every-move-loses-2")), "{lost}");
    assert!(!said("a1\nb2\nc3\nc1\n").contains(said!("every-move-loses-2")));
    let hex = run(&["--mode", "2", "--game", "hex", "--size", "3", "--no-swap"], "b2\nhint\n").out;
    assert_eq!(hex.matches(said!("every-move-loses-2")).count(), 1, "{hex}");
}

#[test]
fn the_bar_of_chances_has_one_length_whatever_else_the_row_says() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let mut rig = Rig::board("hex", "size=11", "c2 f6 d9 d8", Glyphs::Unicode, size);
        let bar = |rig: &Rig| {
            let is_part = |glyph: &char| "█░".contains(*glyph);
            let lengths = rig.picture();
            let lengths = lengths.lines().filter(|row| row.contains("Blue 6") && row.contains('░'));
            lengths.map(|row| row.chars().filter(is_part).count()).next()
        };
        let mut seen: Vec<usize> = bar(&rig).into_iter().collect();
        for key in ['t', 'p', 'p', 'p'] {
            rig.act(KeyCode::Char(key));
            rig.think(&report());
            seen.extend(bar(&rig));
        }
        assert!(seen.len() > 1 && seen.iter().all(|&length| length == seen[0]), "{size:?}: {seen:?}");
    }
}

#[test]
fn the_move_to_come_is_three_dots_in_every_set_of_characters() {
    for (glyphs, dots) in [(Glyphs::Unicode, "…"), (Glyphs::Narrow, "..."), (Glyphs::Ascii, "...")] {
        let rig = Rig::board("hex", "size=5", "c3 b2", glyphs, (80, 24));
        assert!(rig.picture().contains(&format!("3 {dots} ")), "{}", rig.picture());
    }
}
