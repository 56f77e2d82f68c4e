//! Two scripted beginners, used to measure the first levels. A person who has just read the rules should
//! win most games against level 1, about half against level 2 and few against level 3.

use std::sync::atomic::AtomicBool;

use crosspath::ai::{
    EngineConfig, EngineHost, EngineKind, GameHistory, HasEngines, LevelSpec, SearchControl,
};
use crosspath::game::{Game, Outcome, Side};
use crosspath::games::hex::{Hex, Move as HexMove, SwapRule};
use crosspath::games::quoridor::{Move as QuoridorMove, Quoridor};
use crosspath::random::{RandomGenerator, random_stream};
use rand::seq::IndexedRandom;

/// Scripted player.
trait Beginner<G: Game> {
    /// Chooses a move, given the moves played so far.
    fn choose(&mut self, game: &G, played: &[G::Move], chance: &mut RandomGenerator) -> G::Move;
}

/// Beginner who plays on the shortest own path, counting bridges as connected. Every third stone blocks the
/// opponent's path, and every second intrusion on a bridge is missed.
#[derive(Default)]
struct HexBeginner {
    stones: u32,
    cuts: u32,
}

impl Beginner<Hex> for HexBeginner {
    fn choose(&mut self, game: &Hex, played: &[HexMove], chance: &mut RandomGenerator) -> HexMove {
        let side = game.to_move();
        self.stones += 1;
        let mut legal = Vec::new();
        game.push_legal_moves(&mut legal);
        let wins = |mv: &&HexMove| {
            let mut after = game.clone();
            after.make_move(**mv);
            after.outcome().is_some()
        };
        if let Some(win) = legal.iter().find(wins) {
            return *win;
        }
        let entered = played.last().and_then(|mv| mv.cell());
        if let Some(saves) = entered.and_then(|cell| game.bridge_saving_cells(cell).next()) {
            self.cuts += 1;
            if self.cuts % 2 == 1 {
                return HexMove::Place(saves);
            }
        }
        let way = game.bridged_path_cells(if self.stones.is_multiple_of(3) { side.other() } else { side });
        way.choose(chance)
            .map_or_else(|| *legal.choose(chance).expect("the game goes on"), |&cell| cell.into())
    }
}

/// Beginner who follows the shortest path. Every third move is the wall that costs the opponent most, and
/// every second threat (an opponent at most three steps from winning and not behind) is ignored.
#[derive(Default)]
struct QuoridorBeginner {
    moves: u32,
    threats: u32,
}

/// Returns the wall that costs the opponent most steps, if any wall costs a step.
fn costliest_wall(game: &Quoridor, chance: &mut RandomGenerator) -> Option<QuoridorMove> {
    let other = game.to_move().other();
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    let walls = moves.into_iter().filter(|mv| mv.wall().is_some()).map(|mv| {
        let mut after = game.clone();
        after.make_move(mv);
        (after.distance_to_goal(other), mv)
    });
    let walls: Vec<(u32, QuoridorMove)> = walls.collect();
    let most =
        walls.iter().map(|(steps, _)| *steps).max().filter(|&steps| steps > game.distance_to_goal(other))?;
    let best: Vec<QuoridorMove> =
        walls.into_iter().filter(|(steps, _)| *steps == most).map(|(_, mv)| mv).collect();
    best.choose(chance).copied()
}

/// Returns a pawn move that leaves the fewest steps to the goal.
fn shortest_step(game: &Quoridor, chance: &mut RandomGenerator) -> QuoridorMove {
    let (side, mut moves) = (game.to_move(), Vec::new());
    game.push_legal_moves(&mut moves);
    let left = |mv: &QuoridorMove| {
        let mut after = game.clone();
        after.make_move(*mv);
        after.distance_to_goal(side)
    };
    let steps: Vec<(u32, QuoridorMove)> =
        moves.iter().filter(|mv| mv.wall().is_none()).map(|mv| (left(mv), *mv)).collect();
    let least = steps.iter().map(|(left, _)| *left).min();
    let best: Vec<QuoridorMove> =
        steps.into_iter().filter(|(left, _)| Some(*left) == least).map(|(_, mv)| mv).collect();
    best.choose(chance).copied().unwrap_or(moves[0])
}

impl Beginner<Quoridor> for QuoridorBeginner {
    fn choose(&mut self, game: &Quoridor, _: &[QuoridorMove], chance: &mut RandomGenerator) -> QuoridorMove {
        let side = game.to_move();
        let [own, theirs] = [side, side.other()].map(|side| game.distance_to_goal(side));
        self.moves += 1;
        let is_threat = theirs <= 3 && theirs <= own && own > 1;
        self.threats += u32::from(is_threat);
        let builds = own > 1 && (self.moves.is_multiple_of(3) || is_threat && self.threats % 2 == 1);
        let wall = builds.then(|| costliest_wall(game, chance)).flatten();
        wall.unwrap_or_else(|| shortest_step(game, chance))
    }
}

/// Returns the score of a beginner in percent, in `games` games against a level with alternating
/// sides.
fn measure_score<G: HasEngines, B: Beginner<G> + Default>(spec: &LevelSpec<G>, start: &G, games: u64) -> f64 {
    let stop = AtomicBool::new(false);
    let points = (0..games).map(|number| {
        let beginner_is = if number % 2 == 0 { Side::First } else { Side::Second };
        let (mut game, mut played, mut chance) = (start.clone(), Vec::new(), random_stream(number, 63));
        let mut host = EngineHost::new(spec.clone(), EngineConfig::new(number, 0), start).unwrap();
        let mut beginner = B::default();
        while game.outcome().is_none() {
            let mv = if game.to_move() == beginner_is {
                beginner.choose(&game, &played, &mut chance)
            } else {
                let at = GameHistory { start, played: &played, now: &game };
                host.choose(&at, &SearchControl::without_reports(spec.limits, &stop)).unwrap().mv
            };
            game.make_move(mv);
            played.push(mv);
        }
        match game.outcome() {
            Some(Outcome::Win(side)) => f64::from(u8::from(side == beginner_is)),
            _ => 0.5,
        }
    });
    100.0 * points.sum::<f64>() / f64::from(u32::try_from(games).unwrap())
}

/// Scores that a beginner should reach against levels 1, 2 and 3, in percent.
const EXPECTED_SCORES: [std::ops::RangeInclusive<f64>; 3] = [65.0..=85.0, 35.0..=60.0, 10.0..=30.0];

fn measure_scores<G: HasEngines, B: Beginner<G> + Default>(start: &G, games: u64) -> [f64; 3] {
    [1, 2, 3].map(|level| {
        let specs = G::game_engines().level_specs;
        let spec = specs.into_iter().find(|spec| spec.level == EngineKind::Level(level)).unwrap();
        measure_score::<G, B>(&spec, start, games)
    })
}

#[test]
fn a_hex_beginner_scores_less_against_each_higher_level() {
    let scores = measure_scores::<Hex, HexBeginner>(&Hex::new(11, SwapRule::Off).unwrap(), 100);
    println!("Hex: a beginner scores {scores:?} percent against levels 1, 2 and 3");
    assert!(scores.iter().zip(EXPECTED_SCORES).all(|(score, wanted)| wanted.contains(score)), "{scores:?}");
}

#[test]
fn a_quoridor_beginner_scores_less_against_each_higher_level() {
    let scores = measure_scores::<Quoridor, QuoridorBeginner>(&Quoridor::new(9).unwrap(), 100);
    println!("Quoridor: a beginner scores {scores:?} percent against levels 1, 2 and 3");
    assert!(scores.iter().zip(EXPECTED_SCORES).all(|(score, wanted)| wanted.contains(score)), "{scores:?}");
}
