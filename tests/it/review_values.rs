//! Reviews compared with known values. On solvable boards exactly the moves that change the result
//! are marked, and a planted blunder has the largest mark.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use serde_json::Value;

use crosspath::ai::hex::solve::find_winner;
use crosspath::ai::{EngineConfig, Limits, SearchControl, SolveControl};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Hex, SwapRule};
use crosspath::games::quoridor::Quoridor;
use crosspath::play::{AfterGameEnd, Command, GameMode, Match, MatchRules, MistakeMark, ReviewEngine};
use crosspath::random::{RandomGenerator, random_stream};
use crosspath::registry::{Variant, find_game};
use crosspath::session::{EngineAnswer, EngineRequest, Position};
use crosspath::thinking::{EngineEvent, EngineJob, EnginePlayer, EngineThreadId};

use crate::support::{folder, run};
use crate::tui_harness::spec;

/// Computes the answer to an engine job.
pub(crate) fn thought(job: &EngineJob) -> EngineAnswer {
    let EnginePlayer::BuiltIn(kind) = &job.engine.player else { panic!("an adviser is an engine of ours") };
    let mut machine = job.position.build_engine(*kind, &job.engine.config).unwrap();
    machine.answer(job.purpose, &*job.position, job.limits, &AtomicBool::new(false), &|_| ()).unwrap()
}

/// Reviews a game; `answer` evaluates its positions.
fn review_game(
    (game, settings): (&str, &str),
    moves: &[String],
    reviewer: ReviewEngine,
    mut answer: impl FnMut(&EngineJob) -> EngineAnswer,
) -> Match {
    let rules = MatchRules { after_end: AfterGameEnd::Stay, reviewer, ..MatchRules::default() };
    let mut played = Match::new(rules, spec(game, settings, GameMode::Humans), None).unwrap();
    let now = Duration::ZERO;
    played.open(None, now);
    for text in moves {
        played.handle_command(Command::Move(text.clone()), now);
    }
    assert_eq!(played.present_position().played_moves(), moves);
    played.handle_command(Command::Review, now);
    while played.game().review_progress().is_some() {
        let job = played.engine_jobs().iter().find(|job| job.host == EngineThreadId::Study).unwrap().clone();
        played.handle_engine_news(EngineEvent::Done(job.id, Box::new(answer(&job))), now);
    }
    played
}

/// Returns the marks of a reviewed game, by ply.
fn marks(played: &Match) -> BTreeMap<usize, &'static str> {
    let game = played.game();
    let of = |(mark, loss): (MistakeMark, crosspath::play::MoveLoss)| {
        (game.position(loss.node).plies(), mark.symbol())
    };
    game.marked_moves().into_iter().map(of).collect()
}

/// Returns 1, 0 or -1 for a win, draw or loss of a side.
pub(crate) fn worth(outcome: Outcome, side: Side) -> i32 {
    match outcome.winner() {
        None => 0,
        Some(winner) if winner == side => 1,
        Some(_) => -1,
    }
}

/// Returns the expected marks of a game whose positions have these values, in order.
fn expected_marks(values: &[Outcome]) -> BTreeMap<usize, &'static str> {
    let sides = [Side::First, Side::Second].into_iter().cycle();
    let thrown_away = values.windows(2).zip(sides).zip(1..);
    thrown_away
        .filter(|((pair, side), _)| worth(pair[1], *side) < worth(pair[0], *side))
        .map(|(_, ply)| (ply, "??"))
        .collect()
}

/// Returns the value of a finished or unfinished position.
pub(crate) fn value(position: &Arc<dyn Position>) -> Outcome {
    let stop = AtomicBool::new(false);
    let solved =
        || position.solve_position(&SolveControl::without_reports(Limits::default(), &stop))?.outcome;
    position.outcome().or_else(solved).unwrap()
}

/// Returns a text of a position without its history.
fn position_without_history(position: &dyn Position) -> String {
    let [first, second] = Side::map_both(|side| position.view().list_pieces(side).join(" "));
    format!("{first}/{second}/{:?}", position.to_move())
}

#[test]
fn every_move_of_every_3x3_game_is_marked_correctly() {
    let start = find_game("tic-tac-toe").unwrap().start_position(&Variant::of_size(3)).unwrap();
    let (mut values, mut answers): (BTreeMap<String, Outcome>, BTreeMap<String, EngineAnswer>) =
        Default::default();
    let (mut open, mut known) = (vec![start], BTreeSet::new());
    let mut edges = 0;
    while let Some(position) = open.pop() {
        if position.outcome().is_some() || !known.insert(position_without_history(&*position)) {
            continue;
        }
        for deserialize_text in position.legal_moves() {
            let next = Arc::clone(&position).play(&deserialize_text).unwrap();
            edges += 1;
            let played = review_game(
                ("tic-tac-toe", "size=3"),
                &next.played_moves(),
                ReviewEngine::default(),
                |job| {
                    answers
                        .entry(position_without_history(&*job.position))
                        .or_insert_with(|| thought(job))
                        .clone()
                },
            );
            let both = [&position, &next]
                .map(|at| *values.entry(position_without_history(&**at)).or_insert_with(|| value(at)));
            let is_worse = worth(both[1], position.to_move()) < worth(both[0], position.to_move());
            let mark = marks(&played).get(&next.plies()).copied();
            assert_eq!(mark, is_worse.then_some("??"), "{:?}", next.played_moves());
            open.push(next);
        }
    }
    assert_eq!((known.len(), edges), (4_520, 16_167), "positions that are not over, and moves");
}

/// Plays a random game. `kept` of a hundred moves are the first move that keeps the value, and the
/// others are random.
fn random_game(position: Arc<dyn Position>, kept: u32, chance: &mut RandomGenerator) -> Arc<dyn Position> {
    let mut position = position;
    while position.outcome().is_none() && position.plies() < 30 {
        let stop = AtomicBool::new(false);
        let solved = (chance.random_range(0..100) < kept)
            .then(|| position.solve_position(&SolveControl::without_reports(Limits::default(), &stop)))
            .flatten();
        let keeps =
            solved.and_then(|solved| solved.moves.iter().find(|row| row.1 == solved.outcome).cloned());
        let text = match keeps {
            Some((text, ..)) => text,
            None => position.legal_moves().choose(chance).unwrap().clone(),
        };
        position = Arc::clone(&position).play(&text).unwrap();
    }
    position
}

/// Reviews random Hex games on one board; returns the number of moves and of blunders among them.
fn review_hex_games(size: usize, swap: SwapRule, games: u64) -> [usize; 2] {
    let rule = if swap == SwapRule::On { "on" } else { "off" };
    let settings = format!("size={size} swap={rule}");
    let start = find_game("hex").unwrap().start_position(&Variant::parse(&settings)).unwrap();
    let (mut count, mut blunders) = (0, 0);
    for number in 0..games {
        let mut chance = random_stream(65, 100 * size as u64 + number);
        let last = random_game(Arc::clone(&start), 0, &mut chance);
        let (played, mut game) = (last.played_moves(), Hex::new(size, swap).unwrap());
        let stop = AtomicBool::new(false);
        let mut values = Vec::new();
        for text in &played {
            values.push(hex_value(&game, swap, &stop));
            let mv = game.parse(text).unwrap();
            game.try_make_move(mv).unwrap();
        }
        values.push(hex_value(&game, swap, &stop));
        let reviewed = review_game(("hex", &settings), &played, ReviewEngine::default(), thought);
        let wanted = expected_marks(&values);
        assert_eq!(marks(&reviewed), wanted, "{settings}: {played:?}");
        (count, blunders) = (count + played.len(), blunders + wanted.len());
    }
    [count, blunders]
}

fn hex_value(game: &Hex, swap: SwapRule, stop: &AtomicBool) -> Outcome {
    if swap == SwapRule::On && game.stone_count() == 0 {
        return Outcome::Win(Side::Second); // the swap takes any stone that wins
    }
    let search = SearchControl::without_reports(Limits::default(), stop);
    game.outcome().or_else(|| find_winner(game, &search).map(Outcome::Win)).unwrap()
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn moves_of_solved_hex_games_are_marked_correctly() {
    for (size, swap, games) in [(3, SwapRule::On, 4), (4, SwapRule::Off, 3), (5, SwapRule::On, 1)] {
        let [moves, blunders] = review_hex_games(size, swap, games);
        assert!(moves > 3 && blunders > 0, "{size}: {blunders} of {moves}");
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
#[ignore = "takes minutes"]
fn moves_of_many_solved_hex_games_are_marked_correctly() {
    for (size, swap, games) in
        [(3, SwapRule::On, 40), (4, SwapRule::On, 40), (5, SwapRule::Off, 20), (6, SwapRule::Off, 6)]
    {
        let [moves, blunders] = review_hex_games(size, swap, games);
        println!("Hex {size}x{size}: {games} games, {moves} moves, {blunders} of them marked");
        assert!(blunders as u64 >= games / 2);
    }
}

/// Reviews random Quoridor games on one board; returns the number of moves and of blunders among
/// them.
fn review_quoridor_games((width, height, walls): (usize, usize, u16), games: u64) -> [usize; 2] {
    let (mut count, mut blunders) = (0, 0);
    let place = folder();
    let path = place.path().join("game.txt").to_str().unwrap().to_owned();
    let stop = AtomicBool::new(false);
    for number in 0..games {
        let mut chance = random_stream(66, 100 * (width * height) as u64 + number);
        let mut game = Quoridor::with_walls(width, height, walls).unwrap();
        let (mut played, mut values) = (Vec::new(), Vec::new());
        while game.outcome().is_none() && played.len() < 24 {
            let solved = crosspath::ai::quoridor::solve::solve_quoridor(
                &game,
                &SolveControl::without_reports(Limits::default(), &stop),
            )
            .unwrap();
            values.push(solved.outcome);
            let kept: Vec<_> = solved.moves.iter().filter(|row| row.1 == solved.outcome).collect();
            let all: Vec<_> = solved.moves.iter().collect();
            let rows = if chance.random_range(0..3) > 0 { &kept } else { &all };
            let mv = rows.choose(&mut chance).unwrap().0;
            played.push(game.format_move(mv));
            game.try_make_move(mv).unwrap();
        }
        // The rules give the value at the end. An unfinished game is solved there.
        values.extend(game.outcome().or_else(|| {
            let control = SolveControl::without_reports(Limits::default(), &stop);
            crosspath::ai::quoridor::solve::solve_quoridor(&game, &control).ok().map(|solved| solved.outcome)
        }));
        fs::write(&path, played.join(" ")).unwrap();
        let (size, walls) = (format!("{width}x{height}"), walls.to_string());
        let board = ["review", "--game", "quoridor", "--size", &size, "--walls", &walls, "--json", &path];
        let result = run(&board, "");
        assert_eq!((result.code, result.err.as_str()), (Some(0), ""), "{played:?}");
        let last: Value = serde_json::from_str(result.lines().last().unwrap()).unwrap();
        let mark =
            |one: &Value| (usize::try_from(one["ply"].as_u64().unwrap()).unwrap(), one["mark"].to_string());
        let found: BTreeMap<usize, String> = last["marked"].as_array().unwrap().iter().map(mark).collect();
        let wanted: BTreeMap<usize, String> =
            expected_marks(&values).into_iter().map(|(ply, mark)| (ply, format!("{mark:?}"))).collect();
        assert_eq!(found, wanted, "{size} {walls}: {played:?}");
        (count, blunders) = (count + played.len(), blunders + wanted.len());
    }
    [count, blunders]
}

#[test]
fn moves_of_solved_quoridor_games_are_marked_correctly() {
    let mut all = String::new();
    for (board, games) in [((3, 3, 0), 2), ((3, 3, 1), 3), ((5, 3, 1), 2)] {
        let [moves, blunders] = review_quoridor_games(board, games);
        writeln!(all, "{board:?}: {blunders} of {moves}").unwrap();
        assert!(moves > 3, "{all}");
    }
    assert!(!all.lines().all(|line| line.contains(": 0 of")), "{all}");
}

#[test]
#[ignore = "takes minutes"]
fn moves_of_many_solved_quoridor_games_are_marked_correctly() {
    for (board, games) in
        [((3, 3, 0), 20), ((3, 3, 1), 40), ((3, 3, 4), 20), ((5, 3, 1), 20), ((5, 3, 2), 10), ((5, 3, 3), 5)]
    {
        let [moves, blunders] = review_quoridor_games(board, games);
        println!("Quoridor {board:?}: {games} games, {moves} moves, {blunders} of them marked");
    }
}

/// Maximum number of moves tried as the blunder at one position.
const MAX_BLUNDER_CANDIDATES: usize = 12;

/// Returns the win chance of the side to move by a search with ten times the budget, or the result
/// of a finished game.
fn win_chance(position: &Arc<dyn Position>, budget: u64) -> f64 {
    if let Some(outcome) = position.outcome() {
        return outcome.winner().map_or(0.5, |winner| f64::from(winner == position.to_move()));
    }
    let limits = Limits { nodes: Some(10 * budget), ..Limits::default() };
    engine_answer(position, EngineRequest::Advice(1), limits, 1).report.chance.unwrap()
}

fn engine_answer(
    position: &Arc<dyn Position>,
    purpose: EngineRequest,
    limits: Limits,
    seed: u64,
) -> EngineAnswer {
    let (adviser, _) = find_game("quoridor").unwrap().hint_engine();
    let mut machine = position.build_engine(adviser, &EngineConfig::new(seed, 0)).unwrap();
    machine.answer(purpose, &**position, limits, &AtomicBool::new(false), &|_| ()).unwrap()
}

/// Returns a legal move that costs at least 40 points in an even position, if the trials find one.
fn find_blunder(
    position: &Arc<dyn Position>,
    budget: u64,
    chance: &mut RandomGenerator,
) -> Option<Arc<dyn Position>> {
    let own = win_chance(position, budget);
    if !(0.35..=0.65).contains(&own) {
        return None;
    }
    let mut legal = position.legal_moves();
    legal.shuffle(chance);
    let next = legal.iter().take(MAX_BLUNDER_CANDIDATES).map(|text| Arc::clone(position).play(text).unwrap());
    next.filter(|next| next.outcome().is_none()).find(|next| own - (1.0 - win_chance(next, budget)) >= 0.4)
}

/// Returns an engine game with one planted blunder, and its ply. Returns `None` if no blunder
/// exists or another move costs 30 points, too.
fn game_with_blunder(number: u64, budget: u64) -> Option<(Vec<String>, usize)> {
    let mut chance = random_stream(67, number);
    let mut position =
        find_game("quoridor").unwrap().start_position(&Variant::parse("size=5 walls=3")).unwrap();
    for _ in 0..2 {
        let legal = position.legal_moves();
        position = position.play(legal.choose(&mut chance).unwrap()).unwrap();
    }
    let planted_from = 2 + chance.random_range(0..8);
    let mut planted = None;
    while position.outcome().is_none() && position.plies() < 50 {
        let blunder = (planted.is_none() && position.plies() >= planted_from)
            .then(|| find_blunder(&position, budget, &mut chance))
            .flatten();
        if let Some(next) = blunder {
            planted = Some(next.plies());
            position = next;
            continue;
        }
        let limits = Limits { nodes: Some(budget), ..Limits::default() };
        let text = engine_answer(&position, EngineRequest::Move, limits, number).text;
        position = position.play(&text).unwrap();
    }
    let planted = planted?;
    let mut line: Vec<_> = std::iter::successors(Some(Arc::clone(&position)), |at| at.parent()).collect();
    line.reverse();
    let chances: Vec<f64> = line.iter().map(|at| win_chance(at, budget)).collect();
    let costs = chances.windows(2).zip(1..).map(|(pair, ply)| (ply, pair[0] - (1.0 - pair[1])));
    let is_alone = costs.clone().all(|(ply, cost)| ply == planted || cost < 0.3);
    is_alone.then(|| (position.played_moves(), planted))
}

/// Reviews games with a planted blunder by searches with this budget. Returns the number of games
/// in which the blunder has the largest mark. Searches with ten times the budget determine the
/// costs of moves.
fn count_detected_blunders(games: usize, budget: u64) -> usize {
    let reviewer = ReviewEngine { level: None, limits: Limits { nodes: Some(budget), ..Limits::default() } };
    let planted = (0..).filter_map(|number| game_with_blunder(number, budget)).take(games);
    let is_found = |(moves, ply): &(Vec<String>, usize)| {
        let played = review_game(("quoridor", "size=5 walls=3"), moves, reviewer, thought);
        let game = played.game();
        let marked = game.marked_moves();
        let largest = marked.iter().max_by(|one, other| one.1.cost.total_cmp(&other.1.cost));
        let found = largest.is_some_and(|(_, loss)| game.position(loss.node).plies() == *ply);
        println!("{found}: ply {ply} of {}: {:?}", moves.join(" "), marks(&played));
        found
    };
    planted.filter(is_found).count()
}

#[test]
fn a_planted_blunder_has_the_largest_mark() {
    assert_eq!(count_detected_blunders(3, 250), 3);
}

#[test]
#[ignore = "takes minutes"]
fn a_planted_blunder_has_the_largest_mark_in_95_of_100_games() {
    let found = count_detected_blunders(200, 1_000);
    println!("{found} of 200 planted blunders are the largest mark");
    assert!(found >= 190, "{found}");
}

#[test]
fn the_best_line_of_a_solved_position_reaches_the_end() {
    for (game, settings, moves, least) in
        [("hex", "size=4 swap=off", "b2 c3", 4), ("quoridor", "size=3 walls=1", "a1", 2)]
    {
        let mut played =
            Match::new(MatchRules::default(), spec(game, settings, GameMode::Humans), None).unwrap();
        for text in moves.split(' ') {
            played.handle_command(Command::Move(text.to_owned()), Duration::ZERO);
        }
        let position = played.present_position().clone();
        let answer = engine_answer(
            &position,
            EngineRequest::Evaluation(3),
            Limits { nodes: Some(2_000), ..Limits::default() },
            1,
        );
        let line = &answer.report.pv;
        println!("{game} {settings}: {line:?}");
        assert!(line.len() >= least, "{game}: {line:?}");
        assert_eq!(line[0], answer.text);
        let mut after = position;
        for text in line {
            assert_eq!(after.outcome(), None, "{game}: {line:?}");
            after = after.play(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        }
        assert!(after.outcome().is_some() || line.len() == 8 || game == "quoridor", "{game}: {line:?}");
    }
}
