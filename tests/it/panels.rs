//! The panels beside the board, the row below it, and the analysis key.

use crosspath::ai::{DisplayedScore, EngineKind, ProofStatus, Score, WIN_VALUE, hex, tictactoe};
use crosspath::canvas::GlyphSet;
use crosspath::play::{AdviceKind, Command, GameMode, HistoryTarget, NewGame};
use crosspath::session::{CandidateMove, SearchReport};
use crosspath::thinking::EngineThreadId;
use crosspath::ui::tui::layout_in_lines;
use crossterm::event::KeyCode;

use crate::review::{answer_all, replay};
use crate::sentences::{lasting, said};
use crate::support::run;
use crate::tui_harness::{Rig, report, spec};

const HEX_MOVES: &str = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8 c9 b10 d5 c5 d4";
const QUORIDOR_MOVES: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h e3 e5 e2 d5 e3 c5";

/// Returns the rows inside the frame of a panel.
fn panel_rows<'p>(picture: &'p str, title: &str) -> Vec<&'p str> {
    let head = format!("─ {title}");
    picture
        .lines()
        .skip_while(|row| !row.contains(&head))
        .skip(1)
        .take_while(|row| !row.contains("└─"))
        .collect()
}

/// Returns the number of rows of a panel that contain text.
fn count_filled_rows(rows: &[&str]) -> usize {
    let text = |row: &&&str| row.rsplit('│').nth(1).is_some_and(|text| !text.trim().is_empty());
    rows.iter().filter(text).count()
}

#[test]
fn the_move_list_uses_the_rows_that_the_engine_panel_leaves_free() {
    for (game, settings, moves) in [("hex", "size=11", HEX_MOVES), ("quoridor", "size=9", QUORIDOR_MOVES)] {
        for size in [(80, 24), (100, 35)] {
            let check = |rig: &Rig, rounds: usize| {
                let picture = rig.picture();
                let [engine, moves] = ["Engine", "Moves"].map(|title| panel_rows(&picture, title));
                assert_eq!(count_filled_rows(&engine), engine.len(), "blank rows in\n{picture}");
                assert!(
                    count_filled_rows(&moves) >= rounds,
                    "{} of {rounds} rounds in\n{picture}",
                    count_filled_rows(&moves)
                );
            };
            // The engine panel is full, shows how the engine chose, or is empty.
            check(&Rig::board(game, settings, moves, GlyphSet::Unicode, size), 3);
            let mut rig = Rig::of(spec(game, settings, GameMode::HumanMachine), size);
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
fn the_legend_stays_while_the_engine_panel_changes() {
    let mut rig = Rig::board("quoridor", "size=9", "e2 e8", GlyphSet::Unicode, (100, 35));
    let has_legend = |rig: &Rig| rig.picture().contains("─ Legend ─");
    assert!(has_legend(&rig));
    rig.say("e3");
    assert!(has_legend(&rig), "{}", rig.picture());
    rig.think(&report());
    assert!(has_legend(&rig), "{}", rig.picture());
}

#[test]
fn the_chart_returns_when_analysis_is_turned_off() {
    let mut rig = replay(GlyphSet::Unicode, (80, 24));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    rig.execute(Command::Show(HistoryTarget::Ply(10)));
    let has = |rig: &Rig| ["win %", "─ Engine ─"].map(|title| rig.picture().contains(title));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert_eq!(has(&rig), [false, true], "{}", rig.picture());
    let message = said!("the-machine-thinks-about");
    assert_eq!(rig.status(), message);
    rig.execute(Command::Advise(AdviceKind::Study));
    rig.think(&report());
    let has_numbers = |rig: &Rig| rig.picture().contains("1-3 best");
    assert!(has_numbers(&rig), "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
    assert!(!has_numbers(&rig), "{}", rig.picture());
    assert_eq!(rig.status(), said!("the-machine-thinks-no"));
    // The panel that was requested last is shown.
    rig.act(KeyCode::Char('v'));
    rig.act(KeyCode::Char('a'));
    assert_eq!(has(&rig), [true, false], "{}", rig.picture());
}

#[test]
fn turning_analysis_off_hides_the_panel_and_the_numbers() {
    let mut rig = replay(GlyphSet::Unicode, (100, 50));
    rig.execute(Command::Show(HistoryTarget::Ply(10)));
    rig.act(KeyCode::Char('v'));
    rig.execute(Command::Advise(AdviceKind::Study));
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
fn a_narrow_window_explains_the_overlay_in_a_blank_row() {
    let mut rig = Rig::board("hex", "size=11", HEX_MOVES, GlyphSet::Unicode, (60, 24));
    rig.press(KeyCode::Char('p'));
    rig.say("where");
    rig.press(KeyCode::Esc);
    rig.press(KeyCode::Char('T'));
    assert!(rig.status().starts_with("Theme:"), "{}", rig.status());
    let legend = "Bridges + Red, - Blue; still needed • Red, ◦ Blue, ◊ both";
    assert_eq!(rig.picture().matches(legend).count(), 1, "{}", rig.picture());
}

/// Returns the character at a move's spot on the board.
fn drawn_at(rig: &Rig, place: &str) -> char {
    let at = rig.place(place).unwrap();
    rig.picture().lines().nth(at.y.into()).unwrap().chars().nth(at.x.into()).unwrap()
}

/// Returns the characters at the best three moves of [`hex_report`].
fn best_move_signs(rig: &Rig) -> [char; 3] {
    ["c9", "d5", "e7"].map(|place| drawn_at(rig, place))
}

/// Returns a search report with three candidate moves of Hex.
fn hex_report() -> SearchReport {
    let line = |text: &str| vec![text.to_owned()];
    let candidates = report().candidates.into_iter().zip(["c9", "d5", "e7"]);
    let candidates =
        candidates.map(|(one, text)| CandidateMove { text: text.to_owned(), line: line(text), ..one });
    SearchReport { candidates: candidates.collect(), pv: line("c9"), ..report() }
}

#[test]
fn the_analysis_key_shows_the_value_and_best_moves_on_your_turn() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let spec = NewGame {
            level: Some(EngineKind::Level(4)),
            ..spec("hex", "size=11 swap=off", GameMode::HumanMachine)
        };
        let mut rig = Rig::of(spec, size);
        rig.moves("c2 f6 d9 d8 g7 f4 e8 e5 h4 b9");
        rig.say("c8");
        rig.answer(
            "b10",
            SearchReport { pv: ["b10", "c9", "d5"].map(str::to_owned).to_vec(), ..hex_report() },
        );
        // 1. Without analysis neither a value nor best moves are shown
        let assert_no_analysis = |rig: &Rig| {
            let picture = rig.picture();
            assert!(!picture.contains("│ value") && !picture.contains("│ depth"), "{picture}");
            assert!(!picture.contains("│ 1. "), "{picture}");
            assert!(best_move_signs(rig).iter().all(|sign| !sign.is_ascii_digit()), "{picture}");
        };
        assert_no_analysis(&rig);
        // 2. Analysis shows the best three moves and numbers them on the board
        rig.act(KeyCode::Char('v'));
        let job =
            rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
        rig.answer_job(job.expect("the machine thinks"), "c9", hex_report());
        let assert_analysis_shown = |rig: &Rig| {
            let picture = rig.picture();
            assert!(
                picture.contains("─ Engine ─")
                    && picture.replace("value  ", "value ").contains("│ value Red"),
                "{picture}"
            );
            for best in ["│ 1. c9", "│ 2. d5", "│ 3. e7"] {
                assert!(picture.contains(best), "{picture}");
            }
            assert_eq!(best_move_signs(rig), ['1', '2', '3'], "{picture}");
        };
        assert_analysis_shown(&rig);
        assert_eq!(rig.status(), said!("the-machine-thinks-about-every"));
        // 3. Analysis stays on for the next move
        rig.say("c9");
        rig.answer("b11", SearchReport { candidates: Vec::new(), ..hex_report() });
        assert!(rig.scene().wants_engine_study(), "{}", rig.picture());
        assert!(
            rig.status().starts_with(said!("played-your-move", "Blue", "b11", "Red")),
            "{}",
            rig.status()
        );
        rig.execute(Command::Advise(AdviceKind::Study));
        assert!(
            rig.status().starts_with(said!("played-your-move", "Blue", "b11", "Red")),
            "{}",
            rig.status()
        );
        // 4. Another press turns analysis off
        rig.act(KeyCode::Char('v'));
        assert!(
            !rig.picture().contains("─ Engine") && !rig.scene().wants_engine_study(),
            "{}",
            rig.picture()
        );
        assert_eq!(rig.status(), said!("the-machine-thinks-no-more"));
    }
}

#[test]
fn a_hint_shows_only_one_move() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (80, 24));
    rig.act(KeyCode::Char('t'));
    rig.answer("e7", hex_report());
    let picture = rig.picture();
    assert!(picture.contains("<·>") && !picture.contains("│ 1. "), "{picture}");
    assert!(picture.contains(said!("v-asks-the-machine")), "{picture}");
    // A known result is shown at once.
    rig.act(KeyCode::Char('v'));
    assert!(rig.picture().contains("│ 1. c9"), "{}", rig.picture());
    assert!(!rig.scene().wants_engine_study());
}

#[test]
fn a_review_does_not_open_the_engine_panel_and_v_toggles_it() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let mut rig = replay(GlyphSet::Unicode, size);
        rig.act(KeyCode::Char('a'));
        answer_all(&mut rig, 30);
        rig.execute(Command::Show(HistoryTarget::Ply(10)));
        let shows_value = |rig: &Rig| rig.picture().contains("│ value ");
        assert!(!shows_value(&rig), "{}", rig.picture());
        for is_on in [true, false, true, false] {
            rig.act(KeyCode::Char('v'));
            if rig.scene().wants_engine_study() {
                rig.execute(Command::Advise(AdviceKind::Study));
            }
            assert_eq!(shows_value(&rig), is_on, "{}", rig.picture());
            assert_eq!(rig.status().contains(said!("v-stops-it")), is_on, "{}", rig.status());
        }
    }
}

#[test]
fn without_room_for_a_panel_the_best_moves_are_numbered_on_the_board() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (60, 24));
    rig.act(KeyCode::Char('v'));
    assert_eq!(rig.status(), said!("mark-the-best-moves", "66"));
    let job = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
    rig.answer_job(job.expect("the machine thinks"), "c9", hex_report());
    assert_eq!(best_move_signs(&rig), ['1', '2', '3'], "{}", rig.picture());
    rig.act(KeyCode::Char('v'));
    assert!(best_move_signs(&rig).iter().all(|sign| !sign.is_ascii_digit()), "{}", rig.picture());
}

#[test]
fn the_first_press_of_v_starts_analysis_and_the_next_hides_it() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (80, 24));
    let is_there = |rig: &Rig| rig.picture().contains("─ Engine ─");
    for back in [0, 1] {
        if back > 0 {
            rig.execute(Command::Show(HistoryTarget::Back(back)));
            assert!(rig.scene().wants_engine_study(), "it stays on");
            rig.act(KeyCode::Char('v'));
            rig.act(KeyCode::Char('v'));
        } else {
            assert!(is_there(&rig), "{}", rig.picture());
            rig.act(KeyCode::Char('v'));
        }
        let job =
            rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
        rig.answer_job(job.expect("the machine thinks"), "e8", report());
        assert!(is_there(&rig) && rig.picture().contains("│ 1. d5h"), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        assert!(!is_there(&rig), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        assert!(is_there(&rig), "{}", rig.picture());
    }
}

#[test]
fn a_move_found_without_a_search_is_named() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
    let (pv, candidates) = (vec!["a10".to_owned()], Vec::new());
    let unsearched =
        SearchReport { nodes: 0, score: None, worth: None, chance: None, pv, candidates, ..report() };
    rig.answer_job(job.expect("the machine thinks"), "a10", unsearched);
    assert!(rig.picture().contains(said!("no-search-was-needed", "a10")), "{}", rig.picture());
}

#[test]
fn a_book_move_is_labelled_as_one() {
    let mut rig = Rig::two("quoridor", "size=9", "", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
    let (pv, candidates) = (vec!["e2".to_owned()], Vec::new());
    let from_book = SearchReport { nodes: 0, depth: 0, pv, candidates, is_from_book: true, ..report() };
    rig.answer_job(job.expect("the machine thinks"), "e2", from_book);
    let picture = rig.picture();
    assert!(
        picture.contains("known  from the opening book") && !picture.contains(said!("no-search")),
        "{picture}"
    );
    assert!(!picture.contains("Moves: "), "{picture}");
    // The name of an opening is shown while it is on the board, and takes no row from the best
    // moves.
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
fn a_value_without_a_unit_is_described_in_words() {
    let mut rig = Rig::two("tic-tac-toe", "size=10", "e5 f6", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
    let worth = |value: &str| Some(DisplayedScore { value: value.to_owned(), unit: "", is_bound: false });
    let candidate = |(text, score): (&str, i32)| CandidateMove {
        text: text.to_owned(),
        score: Some(Score(score)),
        worth: worth(&format!("{score:+}")),
        visits: 0,
        line: vec![text.to_owned()],
    };
    let candidates = [("e6", 444), ("d5", 390)].map(candidate).to_vec();
    let scored =
        SearchReport { score: Some(Score(444)), worth: worth("+444"), chance: None, candidates, ..report() };
    rig.answer_job(job.expect("the machine thinks"), "e6", scored);
    let picture = rig.picture();
    assert!(picture.contains(said!("value-looks-better", "X")) && picture.contains("1. e6"), "{picture}");
    assert!(!picture.contains("+444") && !picture.contains("+390"), "{picture}");
}

#[test]
fn a_hex_proof_is_shown_as_an_upper_bound() {
    let scales = [
        hex::level_specs().pop().map(|spec| spec.scale),
        tictactoe::tictactoe_levels().pop().map(|spec| spec.scale),
    ];
    for ((game, settings, moves, mv, value), scale) in [
        ("hex", "size=11 swap=off", "f6 f7", "c9", "Red loses within 11"),
        ("tic-tac-toe", "size=5", "a1 b2", "c3", said!("loses-in", "X", "11")),
    ]
    .into_iter()
    .zip(scales)
    {
        let mut rig = Rig::two(game, settings, moves, (80, 24));
        rig.act(KeyCode::Char('v'));
        let job = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study);
        let id = job.map(|job| job.id).expect("the machine thinks");
        let score = Score(22 - WIN_VALUE);
        let worth = scale.map(|scale| scale.display_score(score));
        let (pv, candidates) = (vec![mv.to_owned()], Vec::new());
        let proved = SearchReport {
            score: Some(score),
            worth,
            proof: Some(ProofStatus::LostIn(22)),
            pv,
            candidates,
            ..report()
        };
        rig.answer_job(id, mv, proved);
        assert!(rig.picture().contains(value), "{}", rig.picture());
    }
}

#[test]
fn a_hint_beside_the_cursor_is_explained() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "c2 f6 d9", (60, 24));
    rig.act(KeyCode::Char('t'));
    rig.answer("e7", hex_report());
    // The cursor replaces the bracket between the two cells, on either side.
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
fn important_messages_fit_a_small_window() {
    let rig = Rig::two("quoridor", "", "", (60, 24));
    assert!(
        rig.picture().contains(lasting(format!(" {}\n", said!("a-step-is-a", "e2", "e3h", "e3v")))),
        "{}",
        rig.picture()
    );
    assert!(rig.picture().lines().next().unwrap().contains("move 1: White"), "{}", rig.picture());
    let rig = Rig::replay("tic-tac-toe", "size=3", "1. a1 zz", GlyphSet::Unicode, (80, 24));
    let text = rig.picture().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(said!("step-through-the-good-moves")), "{}", rig.picture());
    // A replay of an unfinished game stays at its last position.
    let mut rig = Rig::replay("tic-tac-toe", "size=3", "1. a1 b2", GlyphSet::Unicode, (80, 24));
    for _ in 0..2 {
        rig.act(KeyCode::Right);
    }
    let text = rig.picture().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(said!("unfinished-file-ends")), "{}", rig.picture());
}

#[test]
fn a_certificate_covers_only_its_own_move() {
    for (proof, has_second) in [(ProofStatus::Certified, false), (ProofStatus::Unproved, true)] {
        let mut rig = Rig::two("tic-tac-toe", "size=10", "e5", (100, 35));
        rig.act(KeyCode::Char('v'));
        let job =
            rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
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
fn an_overlay_with_numbers_hides_the_numbers_of_the_best_moves() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "f6 f7", (80, 24));
    rig.act(KeyCode::Char('v'));
    let job = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id);
    rig.answer_job(job.expect("the machine thinks"), "c9", hex_report());
    assert!(rig.picture().contains("│ 1. "), "{}", rig.picture());
    (0..3).for_each(|_| rig.act(KeyCode::Char('p')));
    let picture = rig.picture();
    assert!(picture.contains(said!("how-hard-each-cell-is-to")), "{picture}");
    assert!(!picture.contains("│ 1. ") && picture.contains("│ - c9"), "{picture}");
    assert!(rig.scene().paint_board(0).is_some() && !picture.contains("1-3 best"), "{picture}");
}

#[test]
fn values_are_shown_with_the_threats_of_the_opponent() {
    let mut rig = Rig::board("tic-tac-toe", "size=3", "a1 b2 c3 c1 a3", GlyphSet::Unicode, (80, 24));
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
    let mut rig = Rig::board("tic-tac-toe", "size=3", "a1 b2 c3 c1", GlyphSet::Unicode, (80, 24));
    rig.act(KeyCode::Char('v'));
    assert!(!rig.picture().contains(said!("every-move-loses-part")), "{}", rig.picture());
}

#[test]
fn the_chart_and_the_move_list_have_rows_beside_the_engine_panel() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    rig.execute(Command::Show(HistoryTarget::Ply(10)));
    rig.act(KeyCode::Char('v'));
    let picture = rig.picture();
    assert!(picture.contains("─ Engine"), "{picture}");
    assert!(panel_rows(&picture, said!("win-of", "Red")).len() >= 6, "{picture}");
    assert!(panel_rows(&picture, "Moves").len() >= 5, "{picture}");
}

#[test]
fn the_legend_stays_beside_the_engine_panel_in_a_wide_window() {
    let mut rig = Rig::two("hex", "size=11 swap=off", "f6 f7", (160, 50));
    for _ in 0..2 {
        assert!(rig.picture().contains("─ Legend"), "{}", rig.picture());
        rig.act(KeyCode::Char('v'));
        if let Some(job) =
            rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).map(|job| job.id)
        {
            rig.answer_job(job, "c9", hex_report());
        }
    }
}

#[test]
fn wall_mode_has_a_badge_and_its_cursor_covers_numbers() {
    let moves = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";
    for glyphs in [GlyphSet::Unicode, GlyphSet::Ascii] {
        let mut rig = Rig::board("quoridor", "size=9", moves, glyphs, (80, 24));
        assert!(rig.picture().contains("1. d5h") && !rig.picture().contains("  wall "), "{}", rig.picture());
        assert_eq!(drawn_at(&rig, "d5h"), '1');
        rig.act(KeyCode::Char('w'));
        rig.hover("d5h");
        assert_eq!(drawn_at(&rig, "d5h"), glyphs.pick_variant(['╋', '+', '+']), "{}", rig.picture());
        let badge = |rig: &Rig, signs: [char; 3]| {
            rig.picture().contains(&format!("  wall {}  ", glyphs.pick_variant(signs)))
        };
        assert!(badge(&rig, ['─', '-', '-']), "{}", rig.picture());
        rig.act(KeyCode::Char('r'));
        assert!(badge(&rig, ['│', '|', '|']), "{}", rig.picture());
    }
}

#[test]
fn the_input_field_asks_for_a_file_name() {
    let mut rig = Rig::two("hex", "size=11", "f6", (80, 24));
    rig.act(KeyCode::Char('s'));
    assert!(rig.picture().contains("> save (a file name, then Enter)"), "{}", rig.picture());
    rig.act(KeyCode::Char('g'));
    assert!(rig.picture().contains("> save g\n") || !rig.picture().contains("(a name"), "{}", rig.picture());
}

#[test]
fn a_replay_explains_only_signs_that_can_occur() {
    let mut rig = replay(GlyphSet::Unicode, (80, 24));
    rig.execute(Command::Show(HistoryTarget::Ply(1)));
    for sign in ["<> hint", "[] cursor", said!("cut-link")] {
        assert!(!rig.picture().contains(sign), "{}", rig.picture());
    }
}

#[test]
fn a_wide_window_has_large_cells_beside_its_panels() {
    for (game, settings, moves, rows) in [
        ("hex", "size=11", HEX_MOVES, 37),
        ("hex", "size=14", HEX_MOVES, 31),
        ("hex", "size=19", HEX_MOVES, 41),
        ("tic-tac-toe", "size=10", "e5 f6 e6 e4", 41),
        ("quoridor", "size=9", QUORIDOR_MOVES, 38),
    ] {
        let rig = Rig::board(game, settings, moves, GlyphSet::Unicode, (160, 50));
        let places = layout_in_lines(rig.scene().shown_position().unwrap(), rig.screen.size);
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
fn a_tall_window_has_the_score_in_a_frame() {
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
fn the_move_list_uses_the_free_rows_beside_a_low_board() {
    let rig = Rig::board("hex", "size=11", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8", GlyphSet::Unicode, (80, 24));
    let picture = rig.picture();
    assert_eq!(panel_rows(&picture, said!("moves-from", "3")).len(), 5, "rows of moves 3 to 12: {picture}");
}

#[test]
fn each_row_of_the_move_list_has_the_number_of_its_first_move() {
    let mut rig = replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    let picture = rig.picture();
    assert!(picture.contains("9 e8        10 e9 ??"), "{picture}");
    assert!(rig.status().contains("move 10, Blue e9"), "{}", rig.status());
}

#[test]
fn a_hint_says_that_every_move_loses() {
    let hint_after = |moves: &str| run(&["--mode", "2"], format!("{moves}hint\n")).out;
    let lost = hint_after("a1\nb2\nc3\nc1\na3\n");
    assert!(lost.contains(said!("every-move-loses-2")), "{lost}");
    assert!(!hint_after("a1\nb2\nc3\nc1\n").contains(said!("every-move-loses-2")));
    let hex = run(&["--mode", "2", "--game", "hex", "--size", "3", "--no-swap"], "b2\nhint\n").out;
    assert_eq!(hex.matches(said!("every-move-loses-2")).count(), 1, "{hex}");
}

#[test]
fn the_win_chance_bar_has_a_constant_length() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        let mut rig = Rig::board("hex", "size=11", "c2 f6 d9 d8", GlyphSet::Unicode, size);
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
fn the_next_move_is_three_dots_in_every_character_set() {
    for (glyphs, dots) in [(GlyphSet::Unicode, "…"), (GlyphSet::Narrow, "..."), (GlyphSet::Ascii, "...")] {
        let rig = Rig::board("hex", "size=5", "c3 b2", glyphs, (80, 24));
        assert!(rig.picture().contains(&format!("3 {dots} ")), "{}", rig.picture());
    }
}
