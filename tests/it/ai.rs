//! Parts that all engines share: levels and their names, limits, the host, the transposition table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crosspath::ai::tictactoe::tictactoe_levels;
use crosspath::ai::transposition::{Bound, TranspositionTable, TtEntry};
use crosspath::ai::{
    ComparedMove, Engine, EngineBuildError, EngineConfig, EngineHost, EngineKind, EngineSpec,
    EngineSpecError, GameHistory, LevelSpec, Limits, MoveChoice, NetworkWeights, SearchBudget, SearchControl,
    SearchInfo, parse_duration,
};
use crosspath::game::Game;
use crosspath::games::tictactoe::{Cell, TicTacToe};

use crate::sentences::said;

#[test]
fn levels_parse_from_their_display_text() {
    for level in [EngineKind::Classic, EngineKind::Level(1), EngineKind::Level(8)] {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert!("strong".parse::<EngineKind>().is_err());
}

fn parse_spec(text: &str) -> Result<EngineSpec, String> {
    text.parse().map_err(|error: EngineSpecError| error.to_string())
}

#[test]
fn engine_specs_parse_from_their_display_text() {
    for text in [
        "level:1",
        "classic",
        "level:8,seed=7",
        "level:4,seed=18446744073709551615,nodes=0,depth=3,movetime=500ms",
        "level:4,movetime=0.25ms",
        "level:4,cpu-time=1ms,threads=256,memory=65536",
    ] {
        assert_eq!(parse_spec(text).map(|spec| spec.to_string()), Ok(text.to_owned()));
    }
    assert_eq!(parse_spec("level:classic"), parse_spec("classic"));
    assert_eq!(parse_spec("level:2,depth=1,seed=4"), parse_spec("level:2,seed=4,depth=1"));
}

#[test]
fn spec_errors_name_the_wrong_part_and_the_valid_values() {
    for kind in ["neat", "neat:a.bin", "self:./old;level:5", "gtp:./x", "", "lvl", "level", "Classic:1"] {
        let why = parse_spec(kind).expect_err(kind);
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
        assert_eq!(parse_spec(text), Err(why.to_owned()));
    }
}

#[test]
fn durations_default_to_milliseconds() {
    let ms = |text| parse_duration(text).map(|time| time.as_millis());
    assert_eq!([ms("500ms"), ms("2s"), ms("1.5s"), ms("250"), ms("0")], [500, 2000, 1500, 250, 0].map(Ok));
    for text in ["", "s", "ms", "-1", "1h", "1e9", "x", "1.2.3s", "99999999999999999999999999s"] {
        assert!(parse_duration(text).is_err(), "{text}");
    }
}

/// Returns a host of level 1, which draws every move at random. Its answers depend on the number of
/// earlier calls in its game.
fn random_move_host(start: &TicTacToe) -> EngineHost<TicTacToe> {
    let level_spec =
        tictactoe_levels().into_iter().find(|level_spec| level_spec.level == EngineKind::Level(1));
    EngineHost::new(level_spec.expect("there is a level 1"), EngineConfig::new(3, 0), start)
        .expect("it needs nothing")
}

/// Asks for an answer to every position of a game and returns all answers.
fn answers_in_game(mut ask: impl FnMut(&GameHistory<'_, TicTacToe>) -> Cell) -> Vec<Cell> {
    let start = TicTacToe::new(10).expect("10x10 exists");
    let (mut now, mut played, mut answers) = (start.clone(), Vec::new(), Vec::new());
    for mv in (0..20).map(Cell) {
        answers.push(ask(&GameHistory { start: &start, played: &played, now: &now }));
        now.make_move(mv);
        played.push(mv);
    }
    answers
}

fn ask_host(host: &mut EngineHost<TicTacToe>, at: &GameHistory<'_, TicTacToe>, is_stopped: bool) -> Cell {
    let stop = AtomicBool::new(is_stopped);
    host.choose(at, &SearchControl::without_reports(Limits::default(), &stop))
        .expect("it was built before")
        .mv
}

/// Engine that reports the number of calls in a game as its node count.
struct CallCounter {
    questions: u64,
}

impl Engine<TicTacToe> for CallCounter {
    fn choose(&mut self, at: &GameHistory<'_, TicTacToe>, _: &SearchControl<'_, Cell>) -> MoveChoice<Cell> {
        self.questions += 1;
        let mut moves = Vec::new();
        at.now.push_legal_moves(&mut moves);
        let info = SearchInfo { nodes: self.questions, ..SearchInfo::from_pv(vec![moves[0]], None) };
        MoveChoice { mv: moves[0], info, proof: None }
    }

    fn new_game(&mut self) {
        self.questions = 0;
    }
}

#[test]
fn a_host_continues_a_game_only_from_its_last_position() {
    let start = TicTacToe::new(3).expect("3x3 exists");
    let mut now = start.clone();
    let played = [Cell(4), Cell(0), Cell(8), Cell(2)];
    for mv in played {
        now.make_move(mv);
    }
    let level_spec = LevelSpec {
        build: |_, _| Ok(Box::new(CallCounter { questions: 0 })),
        ..tictactoe_levels()[0].clone()
    };
    let mut host = EngineHost::new(level_spec, EngineConfig::new(1, 0), &start).expect("it needs nothing");
    let stop = AtomicBool::new(false);
    let mut continues = |played: &[Cell]| {
        let at = GameHistory { start: &start, played, now: &now };
        let choice = host
            .choose(&at, &SearchControl::without_reports(Limits::default(), &stop))
            .expect("it was built before");
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
fn a_host_plays_the_same_after_a_stop_or_a_new_game() {
    let fresh = answers_in_game(|at| ask_host(&mut random_move_host(at.start), at, false));
    let start = TicTacToe::new(10).expect("10x10 exists");
    let (mut continued, mut stopped, mut renewed) =
        (random_move_host(&start), random_move_host(&start), random_move_host(&start));
    assert_eq!(
        answers_in_game(|at| ask_host(&mut continued, at, false)),
        fresh,
        "whoever continues a game plays the same"
    );
    assert_eq!(answers_in_game(|at| ask_host(&mut stopped, at, true)), fresh);
    let renew = |at: &GameHistory<'_, TicTacToe>| {
        renewed.new_game();
        ask_host(&mut renewed, at, false)
    };
    assert_eq!(answers_in_game(renew), fresh);
}

#[test]
fn ranking_moves_does_not_change_the_game() {
    let start = TicTacToe::new(10).expect("10x10 exists");
    let (mut one, mut other) = (random_move_host(&start), random_move_host(&start));
    let stop = AtomicBool::new(false);
    let advised = |at: &GameHistory<'_, TicTacToe>| {
        let ranked = other
            .rank_moves(3, at, &SearchControl::without_reports(Limits::default(), &stop))
            .expect("as before");
        assert_eq!(ranked.info.candidates, [ComparedMove::new(ranked.mv, None)], "level 1 has no scores");
        ask_host(&mut other, at, false)
    };
    assert_eq!(answers_in_game(advised), answers_in_game(|at| ask_host(&mut one, at, false)));
}

#[test]
fn network_engines_need_valid_weights() {
    let build = |game: &TicTacToe, config: &EngineConfig| match &config.weights {
        None => Err(EngineBuildError::NoNet),
        Some(weights) if weights.bytes() != [7] => {
            let (name, why) = (weights.name().to_owned(), "one byte is needed".to_owned());
            Err(EngineBuildError::BadWeights { name, why })
        }
        Some(_) => (tictactoe_levels()[0].build)(game, config),
    };
    let start = TicTacToe::new(3).expect("3x3 exists");
    let outcome_with = |weights: Option<NetworkWeights>| {
        let config = EngineConfig { weights: weights.map(Arc::new), ..EngineConfig::new(1, 0) };
        let level_spec = LevelSpec { build, ..tictactoe_levels()[0].clone() };
        EngineHost::new(level_spec, config, &start).map(|_| ()).map_err(|error| error.to_string())
    };
    let none = said!("this-engine-plays-by");
    assert_eq!(outcome_with(None), Err(none.to_owned()));
    let bad = "the network small.net does not fit: one byte is needed";
    assert_eq!(outcome_with(Some(NetworkWeights::new("small.net", [1, 2]))), Err(bad.to_owned()));
    assert_eq!(outcome_with(Some(NetworkWeights::new("small.net", [7]))), Ok(()));
}

#[test]
fn a_search_budget_ends_at_its_limit_and_on_a_stop() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(limits, &stop));
    assert_eq!((0..5).map(|_| budget.count_node()).collect::<Vec<_>>(), [true, true, true, false, false]);
    assert_eq!(budget.nodes, 3);
}

/// Longest time between two checks of the stop flag.
const POLL_TIME: Duration = Duration::from_millis(5);
/// Largest number of positions between two checks of the stop flag.
const POLL_NODES: u64 = 1024;

/// Reports whether the budget checks its stop flag at the next position.
fn would_poll(budget: &SearchBudget<'_>, stop: &AtomicBool) -> bool {
    stop.store(true, Ordering::Relaxed);
    let is_seen = !budget.clone().count_node();
    stop.store(false, Ordering::Relaxed);
    is_seen
}

/// Searches `nodes` positions that take `cost` each. Returns how many of them are counted after the stop
/// flag was raised, and how often the flag was checked before.
fn count_polls(nodes: u64, cost: Duration) -> (u64, usize) {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
    let mut polls = 0;
    for _ in 0..nodes {
        std::thread::sleep(cost);
        polls += usize::from(would_poll(&budget, &stop));
        assert!(budget.count_node());
    }
    stop.store(true, Ordering::Relaxed);
    (0..2 * POLL_NODES).filter(|_| budget.count_node()).count();
    (budget.nodes - nodes, polls)
}

#[test]
fn slow_positions_poll_the_stop_flag_more_often() {
    assert_eq!(count_polls(20, POLL_TIME), (0, 20), "nothing is searched after a stop");
    let (after, polls) = count_polls(100_000, Duration::ZERO);
    assert!(after <= POLL_NODES);
    assert!((98..5_000).contains(&polls), "{polls}");
}

#[test]
fn a_sub_budget_counts_towards_its_parent() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(10), ..Limits::default() };
    let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(limits, &stop));
    let ticks = |part: &mut SearchBudget<'_>| (0..9).filter(|_| part.count_node()).count();
    assert_eq!(budget.with_sub_budget(4, ticks), 4);
    assert_eq!((budget.nodes, budget.is_spent()), (4, false));
    assert_eq!(budget.with_sub_budget(100, ticks), 6);
    assert!(budget.is_spent() && !budget.count_node() && budget.with_sub_budget(1, |part| part.is_spent()));
}

fn tt_entry(value: i32, depth: u8) -> TtEntry {
    TtEntry { value, bound: Bound::Exact, depth, move_index: 1 }
}

#[test]
fn table_entries_are_found_until_the_table_is_cleared() {
    let table = TranspositionTable::with_entries(1 << 10);
    assert_eq!(table.capacity(), 1024);
    for value in 0..256_i32 {
        table.store(u64::from(value.unsigned_abs()), tt_entry(value, 1));
    }
    for value in 0..256_i32 {
        assert_eq!(table.probe(u64::from(value.unsigned_abs())), Some(tt_entry(value, 1)));
    }
    table.clear();
    assert!((0..256).all(|key| table.probe(key).is_none()));
}

#[test]
fn old_and_shallow_entries_are_replaced_first() {
    let table = TranspositionTable::with_entries(4);
    table.store(1, tt_entry(1, 200));
    table.advance_generation();
    for (key, depth) in [(2, 5), (3, 9), (4, 7)] {
        table.store(key, tt_entry(0, depth));
    }
    table.store(5, tt_entry(0, 1));
    assert_eq!(table.probe(1), None, "the old one goes, deep as it is");
    table.store(6, tt_entry(0, 6));
    assert_eq!(table.probe(5), None, "then the shallowest");
    assert!([2, 3, 4, 6].into_iter().all(|key| table.probe(key).is_some()));
}

#[test]
fn a_shallow_bound_does_not_replace_a_deeper_entry() {
    let table = TranspositionTable::with_entries(4);
    table.store(9, tt_entry(3, 8));
    table.store(9, TtEntry { value: 0, bound: Bound::Lower, depth: 2, move_index: 4 });
    assert_eq!(table.probe(9), Some(tt_entry(3, 8)));
    table.store(
        9,
        TtEntry { value: 1, bound: Bound::Upper, depth: 9, move_index: TranspositionTable::NO_MOVE_INDEX },
    );
    assert_eq!(table.probe(9), Some(TtEntry { value: 1, bound: Bound::Upper, depth: 9, move_index: 1 }));
}

#[test]
fn a_table_shrinks_until_its_memory_can_be_allocated() {
    assert!(TranspositionTable::with_memory_mib(1).capacity() == 1 << 16);
    let table = TranspositionTable::with_memory_mib(0);
    table.store(1, tt_entry(1, 1));
    assert_eq!((table.capacity(), table.probe(1)), (0, None));
    let huge = TranspositionTable::with_entries(usize::MAX);
    assert_eq!(huge.capacity(), 0);
    assert_eq!(
        [1 << 10, 1 << 16, 0].map(|entries| TranspositionTable::with_entries_or_fewer(entries).capacity()),
        [1 << 10, 1 << 16, 0]
    );
}
