//! The parts that all engines share: levels and their names, limits, the host, the table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crosspath::ai::tictactoe::engines;
use crosspath::ai::transposition::{Bound, TranspositionTable, TtEntry};
use crosspath::ai::{
    BuildError, Candidate, Choice, Engine, EngineConfig, EngineHost, EngineKind, EngineSpec, GameHistory,
    Info, LevelSpec, Limits, SearchBudget, SearchControl, SpecError, Weights, duration,
};
use crosspath::game::Game;
use crosspath::games::tictactoe::{Cell, TicTacToe};

use crate::sentences::said;

#[test]
fn levels_are_read_as_they_are_shown() {
    for level in [EngineKind::Classic, EngineKind::Level(1), EngineKind::Level(8)] {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert!("strong".parse::<EngineKind>().is_err());
}

fn read(text: &str) -> Result<EngineSpec, String> {
    text.parse().map_err(|error: SpecError| error.to_string())
}

#[test]
fn what_is_shown_is_read_back() {
    for text in [
        "level:1",
        "classic",
        "level:8,seed=7",
        "level:4,seed=18446744073709551615,nodes=0,depth=3,movetime=500ms",
        "level:4,movetime=0.25ms",
        "level:4,cpu-time=1ms,threads=256,memory=65536",
    ] {
        assert_eq!(read(text).map(|spec| spec.to_string()), Ok(text.to_owned()));
    }
    assert_eq!(read("level:classic"), read("classic"));
    assert_eq!(read("level:2,depth=1,seed=4"), read("level:2,seed=4,depth=1"));
}

#[test]
fn a_refusal_names_the_part_and_says_what_would_be_right() {
    for kind in ["neat", "neat:a.bin", "self:./old;level:5", "gtp:./x", "", "lvl", "level", "Classic:1"] {
        let why = read(kind).expect_err(kind);
        assert!(why.ends_with("engines are level:K, classic, net, net:FILE, lookahead"), "{why}");
    }
    for (text, why) in [
        ("level:strong", said!("level-is-neither-classic", "strong")),
        ("classic,", said!("is-not-one-of", "")),
        ("classic,thread=2", said!("is-not-one-of", "thread=2")),
        ("classic,threads=0", said!("threads-is-no-number", "0", "1", "256")),
        ("classic,threads=257", said!("threads-is-no-number", "257", "1", "256")),
        ("classic,memory=65537", said!("memory-is-no-number", "65537", "1", "65536")),
        ("classic,memory=-1", said!("memory-is-no-number", "-1", "1", "65536")),
        ("classic,nodes=many", said!("nodes-is-no-such", "many", "1000")),
        ("classic,seed=-1", said!("seed-is-no-such", "-1", "1000")),
        ("classic,movetime=1h", said!("movetime-is-no-time", "1h")),
        ("classic,depth=1,depth=2", "depth is given twice"),
    ] {
        assert_eq!(read(text), Err(why.to_owned()));
    }
}

#[test]
fn durations_are_milliseconds_or_say_their_unit() {
    let ms = |text| duration(text).map(|time| time.as_millis());
    assert_eq!([ms("500ms"), ms("2s"), ms("1.5s"), ms("250"), ms("0")], [500, 2000, 1500, 250, 0].map(Ok));
    for text in ["", "s", "ms", "-1", "1h", "1e9", "x", "1.2.3s", "99999999999999999999999999s"] {
        assert!(duration(text).is_err(), "{text}");
    }
}

/// Returns a host of level 1, which draws every move at random: its answers show the number of
/// calls in its game.
fn host(start: &TicTacToe) -> EngineHost<TicTacToe> {
    let level_spec = engines().into_iter().find(|level_spec| level_spec.level == EngineKind::Level(1));
    EngineHost::new(level_spec.expect("there is a level 1"), EngineConfig::new(3, 0), start)
        .expect("it needs nothing")
}

/// Lets hosts answer every position of a game; returns all answers.
fn game_of(mut ask: impl FnMut(&GameHistory<'_, TicTacToe>) -> Cell) -> Vec<Cell> {
    let start = TicTacToe::new(10).expect("10x10 exists");
    let (mut now, mut played, mut answers) = (start.clone(), Vec::new(), Vec::new());
    for mv in (0..20).map(Cell) {
        answers.push(ask(&GameHistory { start: &start, played: &played, now: &now }));
        now.make(mv);
        played.push(mv);
    }
    answers
}

fn answer(host: &mut EngineHost<TicTacToe>, at: &GameHistory<'_, TicTacToe>, is_stopped: bool) -> Cell {
    let stop = AtomicBool::new(is_stopped);
    host.choose(at, &SearchControl::quiet(Limits::default(), &stop)).expect("it was built before").mv
}

/// Engine that reports the number of calls in a game as its positions.
struct Counter {
    questions: u64,
}

impl Engine<TicTacToe> for Counter {
    fn choose(&mut self, at: &GameHistory<'_, TicTacToe>, _: &SearchControl<'_, Cell>) -> Choice<Cell> {
        self.questions += 1;
        let mut moves = Vec::new();
        at.now.moves(&mut moves);
        let info = Info { nodes: self.questions, ..Info::of(vec![moves[0]], None) };
        Choice { mv: moves[0], info, proof: None }
    }

    fn new_game(&mut self) {
        self.questions = 0;
    }
}

#[test]
fn a_game_goes_on_only_where_it_was_left() {
    let start = TicTacToe::new(3).expect("3x3 exists");
    let mut now = start.clone();
    let played = [Cell(4), Cell(0), Cell(8), Cell(2)];
    for mv in played {
        now.make(mv);
    }
    let level_spec =
        LevelSpec { build: |_, _| Ok(Box::new(Counter { questions: 0 })), ..engines()[0].clone() };
    let mut host = EngineHost::new(level_spec, EngineConfig::new(1, 0), &start).expect("it needs nothing");
    let stop = AtomicBool::new(false);
    let mut continues = |played: &[Cell]| {
        let at = GameHistory { start: &start, played, now: &now };
        let choice =
            host.choose(&at, &SearchControl::quiet(Limits::default(), &stop)).expect("it was built before");
        choice.info.nodes > 1
    };
    assert!(!continues(&played[..1]), "the first question begins a game");
    assert!(continues(&played[..3]));
    assert!(!continues(&played[..3]), "the same again is a new game");
    assert!(!continues(&played[..2]), "so is a move taken back");
    assert!(continues(&played));
    assert!(!continues(&[Cell(0), Cell(1), Cell(2), Cell(3), Cell(5)]));
}

#[test]
fn after_a_stop_and_after_a_new_game_it_answers_like_a_new_one() {
    let fresh = game_of(|at| answer(&mut host(at.start), at, false));
    let start = TicTacToe::new(10).expect("10x10 exists");
    let (mut kept, mut stopped, mut renewed) = (host(&start), host(&start), host(&start));
    assert_eq!(game_of(|at| answer(&mut kept, at, false)), fresh, "whoever continues a game plays the same");
    assert_eq!(game_of(|at| answer(&mut stopped, at, true)), fresh);
    let renew = |at: &GameHistory<'_, TicTacToe>| {
        renewed.new_game();
        answer(&mut renewed, at, false)
    };
    assert_eq!(game_of(renew), fresh);
}

#[test]
fn to_compare_moves_is_no_part_of_the_game() {
    let start = TicTacToe::new(10).expect("10x10 exists");
    let (mut one, mut other) = (host(&start), host(&start));
    let stop = AtomicBool::new(false);
    let advised = |at: &GameHistory<'_, TicTacToe>| {
        let ranked = other.rank(3, at, &SearchControl::quiet(Limits::default(), &stop)).expect("as before");
        assert_eq!(ranked.info.candidates, [Candidate::of(ranked.mv, None)], "level 1 has no scores");
        answer(&mut other, at, false)
    };
    assert_eq!(game_of(advised), game_of(|at| answer(&mut one, at, false)));
}

#[test]
fn an_engine_that_plays_by_a_network_is_built_only_with_its_weights() {
    let build = |game: &TicTacToe, config: &EngineConfig| match &config.weights {
        None => Err(BuildError::NoNet),
        Some(weights) if weights.bytes() != [7] => {
            let (name, why) = (weights.name().to_owned(), "one byte is needed".to_owned());
            Err(BuildError::BadWeights { name, why })
        }
        Some(_) => (engines()[0].build)(game, config),
    };
    let start = TicTacToe::new(3).expect("3x3 exists");
    let outcome_with = |weights: Option<Weights>| {
        let config = EngineConfig { weights: weights.map(Arc::new), ..EngineConfig::new(1, 0) };
        let level_spec = LevelSpec { build, ..engines()[0].clone() };
        EngineHost::new(level_spec, config, &start).map(|_| ()).map_err(|error| error.to_string())
    };
    let none = said!("this-engine-plays-by");
    assert_eq!(outcome_with(None), Err(none.to_owned()));
    let bad = "the network small.net does not fit: one byte is needed";
    assert_eq!(outcome_with(Some(Weights::new("small.net", [1, 2]))), Err(bad.to_owned()));
    assert_eq!(outcome_with(Some(Weights::new("small.net", [7]))), Ok(()));
}

#[test]
fn a_meter_ends_at_its_limit_and_when_told_to() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(limits, &stop));
    assert_eq!((0..5).map(|_| budget.tick()).collect::<Vec<_>>(), [true, true, true, false, false]);
    assert_eq!(budget.nodes, 3);
}

/// Time between two checks of the stop flag, and the most positions between them.
const POLL_TIME: Duration = Duration::from_millis(5);
const POLL_NODES: u64 = 1024;

/// Reports whether the next position is one at which the budget checks its stop flag.
fn would_look(budget: &SearchBudget<'_>, stop: &AtomicBool) -> bool {
    stop.store(true, Ordering::Relaxed);
    let is_seen = !budget.clone().tick();
    stop.store(false, Ordering::Relaxed);
    is_seen
}

/// Returns how many of `nodes` positions, each `cost` long, are counted after the stop flag was
/// raised, and how often the flag was checked until then.
fn polls(nodes: u64, cost: Duration) -> (u64, usize) {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(Limits::default(), &stop));
    let mut polls = 0;
    for _ in 0..nodes {
        std::thread::sleep(cost);
        polls += usize::from(would_look(&budget, &stop));
        assert!(budget.tick());
    }
    stop.store(true, Ordering::Relaxed);
    (0..2 * POLL_NODES).filter(|_| budget.tick()).count();
    (budget.nodes - nodes, polls)
}

#[test]
fn slow_positions_are_polled_each_and_fast_ones_rarely() {
    assert_eq!(polls(20, POLL_TIME), (0, 20), "nothing is searched after a stop");
    let (after, polls) = polls(100_000, Duration::ZERO);
    assert!(after <= POLL_NODES);
    assert!((98..5_000).contains(&polls), "{polls}");
}

#[test]
fn a_part_of_a_meter_counts_for_the_whole() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(10), ..Limits::default() };
    let mut budget = SearchBudget::start::<()>(&SearchControl::quiet(limits, &stop));
    let ticks = |part: &mut SearchBudget<'_>| (0..9).filter(|_| part.tick()).count();
    assert_eq!(budget.part(4, ticks), 4);
    assert_eq!((budget.nodes, budget.is_spent()), (4, false));
    assert_eq!(budget.part(100, ticks), 6);
    assert!(budget.is_spent() && !budget.tick() && budget.part(1, |part| part.is_spent()));
}

fn known(value: i32, depth: u8) -> TtEntry {
    TtEntry { value, bound: Bound::Exact, depth, move_index: 1 }
}

#[test]
fn what_is_stored_is_found_until_it_is_cleared() {
    let table = TranspositionTable::with_entries(1 << 10);
    assert_eq!(table.capacity(), 1024);
    for value in 0..256_i32 {
        table.store(u64::from(value.unsigned_abs()), known(value, 1));
    }
    for value in 0..256_i32 {
        assert_eq!(table.probe(u64::from(value.unsigned_abs())), Some(known(value, 1)));
    }
    table.clear();
    assert!((0..256).all(|key| table.probe(key).is_none()));
}

#[test]
fn old_and_shallow_results_make_room_first() {
    let table = TranspositionTable::with_entries(4);
    table.store(1, known(1, 200));
    table.age();
    for (key, depth) in [(2, 5), (3, 9), (4, 7)] {
        table.store(key, known(0, depth));
    }
    table.store(5, known(0, 1));
    assert_eq!(table.probe(1), None, "the old one goes, deep as it is");
    table.store(6, known(0, 6));
    assert_eq!(table.probe(5), None, "then the shallowest");
    assert!([2, 3, 4, 6].into_iter().all(|key| table.probe(key).is_some()));
}

#[test]
fn a_shallow_bound_does_not_replace_a_deep_result_of_the_same_position() {
    let table = TranspositionTable::with_entries(4);
    table.store(9, known(3, 8));
    table.store(9, TtEntry { value: 0, bound: Bound::Lower, depth: 2, move_index: 4 });
    assert_eq!(table.probe(9), Some(known(3, 8)));
    table.store(
        9,
        TtEntry { value: 1, bound: Bound::Upper, depth: 9, move_index: TranspositionTable::NO_MOVE_INDEX },
    );
    assert_eq!(table.probe(9), Some(TtEntry { value: 1, bound: Bound::Upper, depth: 9, move_index: 1 }));
}

#[test]
fn too_much_memory_is_halved_and_none_at_all_is_borne() {
    assert!(TranspositionTable::with_memory(1).capacity() == 1 << 16);
    let table = TranspositionTable::with_memory(0);
    table.store(1, known(1, 1));
    assert_eq!((table.capacity(), table.probe(1)), (0, None));
    let huge = TranspositionTable::with_entries(usize::MAX);
    assert_eq!(huge.capacity(), 0);
    assert_eq!(
        [1 << 10, 1 << 16, 0].map(|entries| TranspositionTable::halved_to_fit(entries).capacity()),
        [1 << 10, 1 << 16, 0]
    );
}
