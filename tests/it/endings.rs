//! The end of a game: the winner, the kind of win, the turning point, the next steps, and the
//! mistakes.

use crosspath::ai::EngineKind;
use crosspath::canvas::GlyphSet;
use crosspath::play::{
    Command, GameMode, HistoryTarget, HumanSideChoice, LevelChange, Match, NewGame, TimeControl, TimeoutRule,
};
use crosspath::session::{EngineAnswer, EngineError, SearchReport};
use crosspath::thinking::{EngineEvent, EngineThreadId};
use crossterm::event::KeyCode;

use crate::review::answer_all;
use crate::sentences::said;
use crate::tui_harness::{Rig, spec};

const SIZES: [(u16, u16); 3] = [(80, 24), (100, 35), (160, 50)];

/// Returns a finished game of a person, who plays First, against the engine.
fn finished_game_against_engine(game: &str, settings: &str, moves: &str, size: (u16, u16)) -> Rig {
    let spec = NewGame {
        play_as: HumanSideChoice::First,
        level: Some(EngineKind::Level(2)),
        ..spec(game, settings, GameMode::HumanMachine)
    };
    let mut rig = Rig::of(spec, size);
    rig.moves(moves);
    rig
}

/// Returns the number of quick review jobs.
fn count_quick_review_jobs(game: &Match) -> usize {
    game.engine_jobs().iter().filter(|job| job.host == EngineThreadId::Study).count()
}

#[track_caller]
fn assert_shows(rig: &Rig, parts: &[&str]) {
    let picture = rig.picture();
    // Panels on the right wrap their sentences.
    let rows = picture.lines().filter_map(|row| row.trim_end().strip_suffix('│')?.rsplit('│').next());
    let all = rows.map(str::trim).filter(|row| !row.is_empty()).collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(picture.contains(part) || all.contains(part), "{part}\n{picture}");
    }
}

#[test]
fn the_end_screen_says_whether_you_won_or_lost() {
    for size in SIZES {
        let won = finished_game_against_engine("tic-tac-toe", "size=3", "b2 b1 a1 c3 a3 c1 a2", size);
        assert_shows(&won, &["YOU WON", "7 moves"]);
        let lost = finished_game_against_engine("tic-tac-toe", "size=3", "b2 a1 c3 b1 a3 c1", size);
        assert_shows(&lost, &["YOU LOST", "6 moves"]);
        let drawn = finished_game_against_engine("tic-tac-toe", "size=3", "b2 a1 a2 c2 b1 b3 c1 a3 c3", size);
        assert_shows(&drawn, &["DRAW", "9 moves"]);
        for rig in [won, lost, drawn] {
            assert_eq!(rig.picture().matches("YOU").count() + rig.picture().matches("DRAW").count(), 1);
        }
    }
}

#[test]
fn the_end_screen_names_resignations_and_timeouts() {
    for size in SIZES {
        let mut resigned = finished_game_against_engine("quoridor", "size=9", "e2 e8", size);
        resigned.act(KeyCode::Char('R'));
        resigned.act(KeyCode::Char('y'));
        assert_shows(&resigned, &["YOU LOST", said!("you-resigned-after", "You", "2 moves")]);
        let time = TimeControl { over: TimeoutRule::Loss, ..("10s").parse().unwrap() };
        let spec = spec("tic-tac-toe", "size=3", GameMode::HumanMachine);
        let mut late = Rig::of(NewGame { time: Some(time), play_as: HumanSideChoice::First, ..spec }, size);
        late.now += std::time::Duration::from_secs(11);
        late.tick();
        assert_shows(&late, &["YOU LOST", said!("you-ran-out-of-time", "You", "0 moves")]);
    }
}

#[test]
fn without_a_single_player_the_end_screen_names_the_winning_side() {
    for size in SIZES {
        let two = Rig::two("tic-tac-toe", "size=3", "b2 b1 a1 c3 a3 c1 a2", size);
        assert_shows(&two, &["X WON"]);
        let mut watched = Rig::of(spec("tic-tac-toe", "size=3", GameMode::Machines), size);
        for text in ["b2", "b1", "a1", "c3", "a3", "c1", "a2"] {
            watched.now += std::time::Duration::from_secs(5);
            watched.tick();
            watched.answer(text, SearchReport::default());
        }
        assert_shows(&watched, &["X WON"]);
        assert_eq!(count_quick_review_jobs(watched.game()), 0, "nobody plays who could learn from it");
        for rig in [two, watched] {
            assert!(!rig.picture().contains("YOU"), "{}", rig.picture());
        }
    }
}

/// Answers the quick review of [`LOST_GAME`], in which O loses by b3 where a3 would have drawn.
fn answer_quick_review(rig: &mut Rig) {
    while let Some(job) = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study) {
        let (id, plies) = (job.id, job.position.plies());
        let first = if plies < 4 { 0.5 } else { 1.0 };
        let chance = Some(if plies % 2 == 0 { first } else { 1.0 - first });
        let pv = vec!["a3".to_owned(), "c1".to_owned()];
        rig.answer_job(id, "a3", SearchReport { chance, pv, nodes: 1, ..SearchReport::default() });
    }
}

/// Tic-tac-toe game in which O answers the threat a1 b2 with b3 in place of c3.
const LOST_GAME: &str = "b2 a2 a1 b3 c3";

#[test]
fn the_quick_review_names_the_move_that_cost_the_game() {
    for size in [(100, 35), (160, 50)] {
        let mut rig = Rig::two("tic-tac-toe", "size=3", LOST_GAME, size);
        let before = rig.picture();
        assert!(!before.contains("cost"), "{before}");
        answer_quick_review(&mut rig);
        assert_shows(&rig, &[said!("move-cost-the-game", "4", "O", "a3")]);
        assert!(
            rig.game().game().review_evaluation(rig.game().game().shown_node()).is_none(),
            "no review was asked for"
        );
    }
}

/// X gives half a point away and then resigns in an even position.
#[test]
fn a_mistake_does_not_cost_the_game_if_the_loser_resigned_later() {
    let mut rig = Rig::two("tic-tac-toe", "size=3", "b2 b1 b3 a1", (100, 35));
    rig.say("resign");
    while let Some(job) = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study) {
        let chance = Some(if job.position.plies() == 2 { 1.0 } else { 0.5 });
        rig.answer_job(job.id, "a3", SearchReport { chance, nodes: 1, ..SearchReport::default() });
    }
    let panel = rig.picture();
    assert!(panel.contains("Move 3") && !panel.contains("the game:"), "{panel}");
}

#[test]
fn the_quick_review_never_delays_the_player() {
    let over = || Rig::two("tic-tac-toe", "size=3", LOST_GAME, (100, 35));
    let rig = over();
    assert_eq!(count_quick_review_jobs(rig.game()), 1);
    assert!(rig.game().is_ready_for_input(), "nobody waits for it");
    let job = rig.game().engine_jobs()[0].clone();
    assert!(job.limits.nodes.is_some_and(|nodes| nodes <= 2_500), "{:?}", job.limits);
    for ends in ["esc", "undo", "new", "again", "failure", "quit"] {
        let mut rig = over();
        match ends {
            "esc" => rig.act(KeyCode::Esc),
            "again" => rig.execute(Command::Again),
            "failure" => rig.on_engine_event(EngineEvent::Failed(job.id, EngineError::OtherGame)),
            word => rig.say(word),
        }
        assert_eq!(count_quick_review_jobs(rig.game()), 0, "{ends}");
        // A late answer changes nothing.
        let status = rig.status();
        let late = EngineAnswer { text: "a3".to_owned(), report: SearchReport::default().into() };
        rig.on_engine_event(EngineEvent::Done(job.id, Box::new(late)));
        assert_eq!(rig.status(), status, "{ends}");
    }
    // A requested review replaces the quick one.
    let mut rig = over();
    rig.act(KeyCode::Char('a'));
    answer_quick_review(&mut rig);
    assert!(rig.game().game().has_review() && rig.game().engine_jobs().is_empty());
}

#[test]
fn the_quick_review_of_a_long_game_is_bounded() {
    // Both pawns step to their corners, then back and forth through their first four rows, and return.
    let columns = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let mut cells: Vec<(usize, usize)> = (0..4).rev().map(|column| (column, 1)).collect();
    for row in 1..=4 {
        let turn = |at: usize| if row % 2 == 1 { at } else { 8 - at };
        cells.extend((usize::from(row == 1)..9).map(|at| (turn(at), row)));
    }
    let back: Vec<_> = cells.iter().rev().skip(1).copied().take_while(|&(_, row)| row > 1).collect();
    let steps = cells.into_iter().chain(back).map(|(column, row)| {
        let white = format!("{}{row}", columns[column]);
        format!("{white} {}{}", columns[column], 10 - row)
    });
    let steps: Vec<String> = steps.collect();
    let mut rig = Rig::two("quoridor", "size=9", &steps.join(" "), (100, 35));
    rig.say("resign");
    let (plies, limits) = (rig.game().present_position().plies() as u64, &rig.game().engine_jobs()[0].limits);
    assert!(plies > 120, "{plies}");
    assert!(limits.nodes.is_some_and(|nodes| nodes * plies <= 200_000), "{limits:?}");
}

/// Plays a game to its end. The person completes a row if `wins`, and resigns otherwise.
fn play_to_end(rig: &mut Rig, wins: bool) {
    let game = rig.game();
    assert!(game.present_position().outcome().is_none());
    let you = rig.you().unwrap();
    if wins {
        // The person fills a row while the engine plays elsewhere.
        while rig.game().present_position().outcome().is_none() {
            let position = rig.game().present_position().clone();
            let is_own = position.to_move() == you;
            let wanted = if is_own { ["a1", "a2", "a3"] } else { ["b2", "c1", "c2"] };
            let text = wanted
                .iter()
                .find(|text| position.normalize_move(text).is_ok() && position.clone().play(text).is_ok());
            rig.moves(text.unwrap());
        }
    } else {
        while !rig.game().game().is_humans_turn() {
            rig.moves("b2");
        }
        rig.say("resign");
    }
}

fn match_at_level(level: u8) -> Rig {
    let spec = NewGame {
        play_as: HumanSideChoice::First,
        level: Some(EngineKind::Level(level)),
        ..spec("tic-tac-toe", "size=3", GameMode::HumanMachine)
    };
    Rig::of(spec, (100, 35))
}

#[test]
fn three_losses_or_wins_in_a_row_offer_another_level() {
    for (wins, strength, level, key) in
        [(false, LevelChange::Lower, 4, '<'), (true, LevelChange::Higher, 6, '>')]
    {
        let mut rig = match_at_level(5);
        for game in 1..=3 {
            play_to_end(&mut rig, wins);
            assert_eq!(rig.game().level_offer().is_some(), game == 3, "{game}");
            assert_eq!(rig.picture().contains(" in a row"), game == 3, "{}", rig.picture());
            if game < 3 {
                rig.execute(Command::Again);
            }
        }
        let offer = rig.game().level_offer().unwrap();
        assert_eq!((offer.strength, offer.games, offer.level), (strength, 3, EngineKind::Level(level)));
        let you = rig.you();
        rig.act(KeyCode::Char(key));
        let game = rig.game();
        assert_eq!(game.game().level(), EngineKind::Level(level));
        assert!(game.present_position().outcome().is_none() && game.level_offer().is_none());
        assert_eq!(rig.you(), you.map(crosspath::game::Side::other), "the sides are swapped");
    }
}

#[test]
fn another_result_or_level_ends_a_streak() {
    let mut rig = match_at_level(5);
    for wins in [false, false, true, false, false] {
        play_to_end(&mut rig, wins);
        assert_eq!(rig.game().level_offer(), None);
        rig.execute(Command::Again);
    }
    play_to_end(&mut rig, false);
    assert!(rig.game().level_offer().is_some());
    // A result that is undone does not count.
    rig.say("undo");
    assert_eq!(rig.game().level_offer(), None);
    rig.say("resign");
    assert!(rig.game().level_offer().is_some());
    rig.say("easier");
    play_to_end(&mut rig, false);
    assert_eq!(rig.game().level_offer(), None, "the level below begins at nought");
}

#[test]
fn no_level_is_offered_beyond_the_first_and_last() {
    for (wins, level, strength, word) in
        [(false, 1, LevelChange::Lower, "easier"), (true, 8, LevelChange::Higher, "harder")]
    {
        let mut rig = match_at_level(level);
        for _ in 0..3 {
            play_to_end(&mut rig, wins);
            assert_eq!(rig.game().level_offer(), None);
            rig.execute(Command::Again);
        }
        play_to_end(&mut rig, false);
        assert_eq!(rig.game().adjacent_level(strength), None);
        rig.say(word);
        assert_eq!(rig.game().game().level(), EngineKind::Level(level), "{}", rig.status());
        assert!(rig.game().game().outcome().is_some());
    }
    let two = Rig::two("tic-tac-toe", "size=3", LOST_GAME, (100, 35));
    assert_eq!(two.game().adjacent_level(LevelChange::Lower), None, "no engine plays");
}

#[test]
fn level_keys_work_only_between_games() {
    let mut rig = match_at_level(5);
    rig.act(KeyCode::Char('<'));
    assert_eq!(rig.status(), said!("the-game-is-not-over"));
    assert_eq!(rig.game().game().level(), EngineKind::Level(5));
}

// ---- mistakes ----

fn reviewed_game() -> Rig {
    let mut rig = crate::review::replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 30);
    rig
}

#[test]
fn j_shows_a_mistake_and_the_better_move() {
    let mut rig = reviewed_game();
    rig.act(KeyCode::Char('j'));
    let lesson = rig.game().game().shown_lesson().expect("a mistake is shown");
    assert_eq!((lesson.number, lesson.count), (2, 3));
    assert_eq!(rig.game().shown_position().plies(), 9, "the position before move 10");
    let marks = |rig: &Rig| {
        let [played, better] = ["e9", "d9"].map(|cell| {
            let at = rig.place(cell).unwrap();
            rig.picture().lines().nth(at.y.into()).unwrap().chars().nth(at.x.into()).unwrap()
        });
        (played, better)
    };
    assert_eq!(marks(&rig), ('?', '!'), "{}", rig.picture());
    assert!(rig.picture().contains(said!("mistake-marks")), "{}", rig.picture());
    assert!(rig.status().contains("e9 (?)") && rig.status().contains("d9 (!)"), "{}", rig.status());
    // The next mistakes follow, then the first one again.
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.game().shown_position().plies(), 11);
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.game().shown_position().plies(), 3);
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.game().shown_position().plies(), 9);
    rig.act(KeyCode::Esc);
    assert!(rig.game().game().shown_lesson().is_none());
    assert_eq!(rig.game().shown_position().plies(), 21);
    assert!(!rig.picture().contains(said!("mistake-marks")), "{}", rig.picture());
}

#[test]
fn right_steps_through_the_better_line() {
    let mut rig = Rig::two("tic-tac-toe", "size=3", LOST_GAME, (100, 35));
    answer_quick_review(&mut rig);
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.game().shown_position().played_moves(), ["b2", "a2", "a1"]);
    let saved = rig.game().to_record_text(None);
    rig.act(KeyCode::Right);
    assert_eq!(rig.game().shown_position().played_moves(), ["b2", "a2", "a1", "a3"]);
    assert!(rig.status().contains(said!("continues")), "{}", rig.status());
    rig.act(KeyCode::Right);
    assert_eq!(rig.game().shown_position().played_moves(), ["b2", "a2", "a1", "a3", "c1"]);
    assert!(!rig.status().contains(said!("continues")), "{}", rig.status());
    rig.act(KeyCode::Right);
    assert_eq!(rig.status(), said!("the-better-line-ends"));
    rig.act(KeyCode::Left);
    rig.act(KeyCode::Left);
    assert_eq!(rig.game().shown_position().played_moves(), ["b2", "a2", "a1"]);
    rig.act(KeyCode::Left);
    assert_eq!(rig.status(), said!("this-is-the-position-before"));
    assert_eq!(rig.game().to_record_text(None), saved, "nothing of it is saved");
    rig.act(KeyCode::Esc);
    assert_eq!(rig.game().shown_position().played_moves().len(), 5);
}

#[test]
fn a_mistake_shows_its_reason_on_the_board() {
    // After a3, X forks with c1, which also blocks the diagonal of O.
    for size in [(100, 35), (80, 24), (160, 50)] {
        let mut rig = Rig::two("tic-tac-toe", "size=3", "a1 b2 c3 a3 c1 b1 c2", size);
        while let Some(job) = rig.game().engine_jobs().iter().find(|job| job.host == EngineThreadId::Study) {
            let (id, plies) = (job.id, job.position.plies());
            let first = if plies < 4 { 0.5 } else { 1.0 };
            let chance = Some(if plies % 2 == 0 { first } else { 1.0 - first });
            rig.answer_job(
                id,
                "b1",
                SearchReport { chance, pv: vec!["b1".to_owned()], nodes: 1, ..SearchReport::default() },
            );
        }
        rig.act(KeyCode::Char('j'));
        let why = said!("after-makes-two-threats", "a3", "X", "c1", "row 1 and column c");
        let lesson = rig.game().game().shown_lesson().expect("a mistake is shown");
        let found = lesson.consequence.as_ref().expect("a reason");
        assert_eq!(found.text.as_str(), why);
        let picture = rig.picture();
        let words = |text: &str| -> String {
            text.split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        };
        // The whole sentence is in the panel or in the status line.
        let column: String =
            picture.lines().filter_map(|line| line.split('│').rev().nth(1)).collect::<Vec<_>>().join(" ");
        let has_it = |text: &str| words(text).contains(&words(why));
        assert!(has_it(&column) || has_it(&rig.status()), "{picture}");
        assert!(picture.contains(said!("w-forks")), "{picture}");
        let signs = ["a3", "b1", "c1", "c2"].map(|cell| {
            let at = rig.place(cell).unwrap();
            picture.lines().nth(at.y.into()).unwrap().chars().nth(at.x.into()).unwrap()
        });
        assert_eq!(signs, ['?', '!', 'w', '='], "{picture}");
        rig.act(KeyCode::Right);
        assert!(!rig.picture().contains(said!("w-forks")), "only before the first move of the better line");
    }
}

#[test]
fn mistakes_can_be_shown_during_the_review() {
    let mut rig = crate::review::replay(GlyphSet::Unicode, (100, 35));
    rig.act(KeyCode::Char('a'));
    answer_all(&mut rig, 6);
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.game().shown_position().plies(), 3);
    assert!(rig.game().game().review_progress().is_some(), "the review goes on");
    answer_all(&mut rig, 30);
    assert_eq!(rig.game().shown_position().plies(), 3, "what is shown stays");
    rig.act(KeyCode::Char('j'));
    assert_eq!(rig.game().shown_position().plies(), 9);
}

#[test]
fn commands_close_the_mistake_and_act_on_its_position() {
    let mut rig = reviewed_game();
    rig.act(KeyCode::Char('j'));
    rig.execute(Command::Show(HistoryTarget::Ply(2)));
    assert!(rig.game().game().shown_lesson().is_none());
    rig.act(KeyCode::Char('j'));
    rig.act(KeyCode::Char('x'));
    assert!(rig.game().game().shown_lesson().is_none());
    assert_eq!(rig.game().present_position().plies(), 9);
}

#[test]
fn no_mistakes_is_said_only_after_a_complete_review() {
    let mut rig = Rig::two("tic-tac-toe", "size=3", LOST_GAME, (100, 35));
    rig.execute(Command::ShowMistake);
    assert_eq!(rig.status(), said!("no-mistakes-are-known"));
    rig.say("review");
    while let Some(id) = rig.game().engine_jobs().first().map(|job| job.id) {
        let plies = rig.game().engine_jobs()[0].position.plies();
        let chance = (plies != 2).then_some(0.5);
        rig.answer_job(id, "b2", SearchReport { chance, ..SearchReport::default() });
    }
    assert!(!rig.status().contains(said!("no-mistakes-found")), "{}", rig.status());
}
