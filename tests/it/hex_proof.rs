//! Hex proofs: the fast board against the rules; fill-in, connections, must-play and the solver
//! against brute force.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::proof::analysis::{MustPlayAnalysis, PositionAnalyzer};
use crosspath::ai::hex::proof::board::ProofBoard;
use crosspath::ai::hex::proof::cells::CellSet;
use crosspath::ai::hex::proof::connections::{
    ConnectionEnd, ConnectionGoal, ConnectionLimits, VirtualConnections,
};
use crosspath::ai::hex::proof::inferior::{fill_dead_and_captured, find_inferior_moves};
use crosspath::ai::hex::proof::{HexProver, MustPlayVerdict};
use crosspath::ai::hex::swap::first_stone_wins;
use crosspath::ai::{Limits, SearchBudget, SearchControl};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Cell, Hex, Move, SwapRule};
use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Finds the winner by brute force. It knows only adjacency and edges, and memorizes positions by
/// the contents of the cells that were empty at the start.
struct BruteForce {
    size: usize,
    owner: Vec<Option<Side>>,
    open: Vec<usize>,
    memo: Vec<u8>,
}

impl BruteForce {
    fn new(size: usize, owner: Vec<Option<Side>>) -> Self {
        let open: Vec<usize> = (0..owner.len()).filter(|&cell| owner[cell].is_none()).collect();
        BruteForce { size, owner, open, memo: Vec::new() }
    }

    fn from_board<const W: usize>(board: &ProofBoard<W>) -> Self {
        let geometry = board.geometry();
        let owner = |cell| SIDES.into_iter().find(|&side| board.stones(side).contains(cell));
        BruteForce::new(geometry.size, (0..geometry.cells).map(owner).collect())
    }

    /// Returns this board with more stones of one side.
    fn with(&self, side: Side, cells: impl IntoIterator<Item = usize>) -> Self {
        let mut owner = self.owner.clone();
        cells.into_iter().for_each(|cell| owner[cell] = Some(side));
        BruteForce::new(self.size, owner)
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let size = self.size;
        let (row, col) = (cell / size, cell % size);
        let steps = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
        let to = move |(rows, cols): (isize, isize)| {
            let (row, col) = (row.checked_add_signed(rows)?, col.checked_add_signed(cols)?);
            (row < size && col < size).then_some(row * size + col)
        };
        steps.into_iter().filter_map(to)
    }

    /// Reports whether a side has a chain from one set of cells to another.
    fn has_chain(&self, side: Side, from: impl Fn(usize) -> bool, to: impl Fn(usize) -> bool) -> bool {
        let own = |cell: usize| self.owner[cell] == Some(side);
        let mut seen: Vec<bool> = (0..self.owner.len()).map(|cell| own(cell) && from(cell)).collect();
        let mut queue: Vec<usize> = (0..seen.len()).filter(|&cell| seen[cell]).collect();
        while let Some(cell) = queue.pop() {
            if to(cell) {
                return true;
            }
            for next in self.neighbours(cell) {
                if own(next) && !std::mem::replace(&mut seen[next], true) {
                    queue.push(next);
                }
            }
        }
        false
    }

    fn is_on_edge(&self, side: Side, edge: usize, cell: usize) -> bool {
        let place = if side == Side::First { cell / self.size } else { cell % self.size };
        place == edge * (self.size - 1)
    }

    fn has_won(&self, side: Side) -> bool {
        self.has_chain(side, |cell| self.is_on_edge(side, 0, cell), |cell| self.is_on_edge(side, 1, cell))
    }

    /// Reports whether the side to move wins.
    fn is_won(&mut self, mover: Side) -> bool {
        if SIDES.into_iter().any(|side| self.has_won(side)) {
            return self.has_won(mover);
        }
        if self.memo.is_empty() {
            self.memo = vec![0; 2 * 3_usize.pow(u32::try_from(self.open.len()).unwrap())];
        }
        let digit = |code, &cell: &usize| 3 * code + self.owner[cell].map_or(0, |side| 1 + side as usize);
        let code = 2 * self.open.iter().fold(0, digit) + mover as usize;
        if self.memo[code] == 0 {
            let open = self.open.clone();
            let is_won = open.into_iter().any(|cell| {
                self.owner[cell].is_none() && {
                    self.owner[cell] = Some(mover);
                    let loses = !self.is_won(mover.other());
                    self.owner[cell] = None;
                    loses
                }
            });
            self.memo[code] = 1 + u8::from(is_won);
        }
        self.memo[code] == 2
    }

    /// Reports whether a side can connect two ends on the open cells alone, if `mover` moves first.
    /// Ends are stones or edges.
    fn can_connect(&mut self, side: Side, ends: [ConnectionEnd; 2], mover: Side) -> bool {
        let is_at = |plain: &BruteForce, end: ConnectionEnd, cell: usize| match end {
            ConnectionEnd::Edge(edge) => plain.is_on_edge(side, edge, cell),
            ConnectionEnd::Cell(own) => own == cell,
        };
        // Any stone on an edge is connected to it, so one stone can connect a cell on an edge to
        // that edge.
        if self.has_chain(side, |cell| is_at(self, ends[0], cell), |cell| is_at(self, ends[1], cell)) {
            return true;
        }
        let left: Vec<usize> = self.open.iter().copied().filter(|&cell| self.owner[cell].is_none()).collect();
        let mut after = left.into_iter().map(|cell| {
            self.owner[cell] = Some(mover);
            let joins = self.can_connect(side, ends, mover.other());
            self.owner[cell] = None;
            joins
        });
        if mover == side {
            after.any(|joins| joins)
        } else {
            after.next().is_some() && after.all(|joins| joins)
        }
    }
}

/// Winners of all positions of 4x4, with either side to move. Positions are indexed by a code in
/// base 3: the digit of a cell is 0 if it is empty, 1 for First, 2 for Second. Bit 1 of the value
/// is set if First wins with First to move, bit 2 if Second wins with Second to move.
///
/// A stone makes the code larger, so the table is filled from the highest code down. Connected
/// edges stay connected, so only full boards are checked for a winner.
struct WinnersOf4x4(Vec<u8>);

impl WinnersOf4x4 {
    const CODES: usize = 3_usize.pow(16);

    fn new() -> Self {
        let powers: [usize; 16] = std::array::from_fn(|cell| 3_usize.pow(u32::try_from(cell).unwrap()));
        let mut values = vec![0_u8; Self::CODES];
        let mut plain = BruteForce::new(4, vec![None; 16]);
        let mut digits = [2_usize; 16];
        for code in (0..Self::CODES).rev() {
            let open = (0..16).filter(|&cell| digits[cell] == 0);
            let [mut first, mut second, mut is_full] = [false, false, true];
            for cell in open {
                is_full = false;
                first |= values[code + powers[cell]] & 2 == 0;
                second |= values[code + 2 * powers[cell]] & 1 == 0;
            }
            if is_full {
                plain.owner = digits.iter().map(|&digit| Some(SIDES[digit - 1])).collect();
                first = plain.has_won(Side::First);
                second = !first;
            }
            values[code] = u8::from(first) | u8::from(second) << 1;
            // Computes the digits of the next lower code.
            for digit in &mut digits {
                *digit = if *digit == 0 { 2 } else { *digit - 1 };
                if *digit != 2 {
                    break;
                }
            }
        }
        WinnersOf4x4(values)
    }
}

/// Reference solver for positions.
enum Oracle {
    BruteForce,
    Table(WinnersOf4x4),
}

impl Oracle {
    fn is_won(&self, plain: &BruteForce, mover: Side) -> bool {
        match self {
            Oracle::BruteForce => BruteForce::new(plain.size, plain.owner.clone()).is_won(mover),
            Oracle::Table(all) => {
                let digit = |side: &Option<Side>| side.map_or(0, |side| 1 + side as usize);
                let code = plain.owner.iter().rev().fold(0, |code, side| 3 * code + digit(side));
                all.0[code] >> mover as usize & 1 == 1
            }
        }
    }
}

fn random_board<const W: usize>(
    size: usize,
    stones: usize,
    generator: &mut RandomGenerator,
) -> ProofBoard<W> {
    let mut board = ProofBoard::from(&Hex::new(size, SwapRule::Off).unwrap());
    for _ in 0..stones {
        if board.winner().is_none() {
            let empty: Vec<usize> = board.empty_cells().iter().collect();
            board.make(empty[generator.random_range(0..empty.len())]);
        }
    }
    board
}

/// Plays a random game on both boards and compares them after each move and each undo.
fn compare_boards<const W: usize>(size: usize, generator: &mut RandomGenerator) {
    let mut game = Hex::new(size, SwapRule::Off).unwrap();
    let mut turned = ProofBoard::<W>::from(&game);
    let mut board = ProofBoard::<W>::from(&game);
    let mut keys = Vec::new();
    while game.outcome().is_none() {
        keys.push(board.canonical_key());
        let empty: Vec<Cell> = game.empty_cells().collect();
        let cell = empty[generator.random_range(0..empty.len())];
        assert_eq!(board.canonical_key_after(cell.index()).0, {
            game.make_move(cell.into());
            board.make(cell.index());
            board.canonical_key().0
        });
        turned.make(size * size - 1 - cell.index());
        assert_eq!(board.canonical_key().0, turned.canonical_key().0, "the half turn of\n{game}");
        assert_eq!(board.winner(), game.outcome().and_then(Outcome::winner), "{game}");
        assert_eq!(board.to_move(), game.to_move());
        for side in SIDES {
            let stones = game.grid().cells().filter(|&cell| game.stone_at(cell) == Some(side));
            assert_eq!(board.stones(side), stones.map(Cell::index).collect::<CellSet<W>>());
        }
    }
    let anew = ProofBoard::<W>::from(&game);
    assert_eq!((anew.canonical_key(), anew.winner()), (board.canonical_key(), board.winner()), "{game}");
    while let Some(key) = keys.pop() {
        board.unmake();
        assert_eq!((board.canonical_key(), board.winner()), (key, None));
    }
    assert_eq!(board.empty_cells(), board.geometry().all);
}

fn compare_random_games(games: u64) {
    for number in 0..games {
        let mut generator = random_stream(61, number);
        match generator.random_range(1..=26) {
            size @ ..=8 => compare_boards::<1>(size, &mut generator),
            size @ 9..=11 => compare_boards::<2>(size, &mut generator),
            size @ 12..=16 => compare_boards::<4>(size, &mut generator),
            size => compare_boards::<11>(size, &mut generator),
        }
    }
}

#[test]
fn the_fast_board_agrees_with_the_rules() {
    compare_random_games(80);
}

#[test]
#[ignore = "10,000 games: half a minute"]
fn the_fast_board_agrees_with_the_rules_in_10_000_games() {
    compare_random_games(10_000);
}

/// Checks all claims about a position against the reference solver, for both sides to move.
fn check_claims<const W: usize>(
    board: &mut ProofBoard<W>,
    analyzer: &mut PositionAnalyzer<W>,
    oracle: &Oracle,
) {
    if board.winner().is_some() {
        return;
    }
    let plain = BruteForce::from_board(board);
    // 1. Fill-in
    let values = SIDES.map(|mover| oracle.is_won(&plain, mover));
    let height = board.placed_count();
    let filled = fill_dead_and_captured(board);
    let with_fill = BruteForce::from_board(board);
    let filled_values = SIDES.map(|mover| oracle.is_won(&with_fill, mover));
    assert_eq!(filled_values, values, "{filled:?} filled in {board:?}");
    // 2. Inferior moves
    if board.winner().is_none() {
        let side = board.to_move();
        let left_out = find_inferior_moves(board, side, board.empty_cells());
        let wins = |cell| !oracle.is_won(&with_fill.with(side, [cell]), side.other());
        if values[side as usize] {
            let remaining = board.empty_cells().difference(&left_out.moves);
            assert!(remaining.iter().any(wins), "{left_out:?} leaves out every winning move of {board:?}");
        }
    }
    while board.placed_count() > height {
        board.remove_last_stone();
    }
    // 3. Verdicts and carriers
    let (side, other) = (board.to_move(), board.to_move().other());
    let is_won = values[side as usize];
    let outside = |carrier: &CellSet<W>| board.empty_cells().difference(carrier);
    match analyzer.analyze(&mut board.clone(), &|| false).unwrap() {
        MustPlayAnalysis::Won(mv, carrier) => {
            assert!(is_won && board.empty_cells().contains(mv), "{board:?} is not won");
            let narrow = plain.with(other, &outside(&carrier));
            assert!(oracle.is_won(&narrow, side), "{carrier:?} is not enough in {board:?}");
            assert!(!oracle.is_won(&plain.with(side, [mv]), other), "{mv} does not win {board:?}");
        }
        MustPlayAnalysis::Lost(carrier) => {
            assert!(!is_won, "{board:?} is not lost");
            let narrow = plain.with(side, &outside(&carrier));
            assert!(!oracle.is_won(&narrow, side), "{carrier:?} is not enough in {board:?}");
        }
        MustPlayAnalysis::Open { must_play, moves, .. } => {
            let wins = |cell: &usize| !oracle.is_won(&plain.with(side, [*cell]), other);
            let winning: CellSet<W> = board.empty_cells().iter().filter(wins).collect();
            assert!(!is_won || winning.intersects(&moves), "no winning move is left in {board:?}");
            let filled = filled[0] | filled[1];
            assert!(winning.difference(&filled).is_subset(&must_play), "a winning move outside in {board:?}");
        }
    }
}

fn check_random_positions(size: usize, count: u64, stones: std::ops::Range<usize>, oracle: &Oracle) {
    let mut analyzer = PositionAnalyzer::<1>::default();
    for number in 0..count {
        let mut generator = random_stream(62, number);
        let stones = generator.random_range(stones.clone());
        check_claims(&mut random_board(size, stones, &mut generator), &mut analyzer, oracle);
    }
}

/// Checks the positions of 3x3 with either side to move; `part` of `parts` selects a share of them.
fn check_3x3(part: usize, parts: usize) {
    let mut analyzer = PositionAnalyzer::<1>::default();
    for code in (part..3_usize.pow(9)).step_by(parts) {
        for mover in SIDES {
            let mut game = Hex::new(3, SwapRule::Off).unwrap();
            let mut code = code;
            let mut stones = Vec::new();
            for cell in game.grid().cells() {
                let side = [None, Some(Side::First), Some(Side::Second)][code % 3];
                stones.extend(side.map(|side| (side, cell)));
                code /= 3;
            }
            if let Ok(set_up) = Hex::with_stones(3, SwapRule::Off, &stones, mover) {
                game = set_up;
                check_claims(&mut ProofBoard::from(&game), &mut analyzer, &Oracle::BruteForce);
            }
        }
    }
}

#[test]
fn claims_about_small_positions_are_true() {
    check_3x3(7, 40);
    check_random_positions(4, 150, 5..12, &Oracle::BruteForce);
    check_random_positions(5, 12, 15..19, &Oracle::BruteForce);
}

#[test]
#[ignore = "all positions of 3x3: a minute"]
fn claims_about_every_position_of_3x3_are_true() {
    check_3x3(0, 1);
}

#[test]
#[ignore = "100,000 positions of 4x4, with a table of all of them: a minute"]
fn claims_about_100_000_positions_of_4x4_are_true() {
    check_random_positions(4, 100_000, 0..13, &Oracle::Table(WinnersOf4x4::new()));
}

#[test]
#[ignore = "10,000 positions of 5x5: many minutes"]
fn claims_about_10_000_positions_of_5x5_are_true() {
    check_random_positions(5, 10_000, 14..20, &Oracle::BruteForce);
}

/// Checks every position of random games on 5x5. No move outside the must-play region wins, except
/// on a filled-in cell, where another move wins too. Returns the number of moves checked.
fn check_must_play(games: u64) -> usize {
    let stop = AtomicBool::new(false);
    let (mut prover, mut outside) = (HexProver::new(5, 64), 0);
    for number in 0..games {
        let mut generator = random_stream(66, number);
        let mut game = Hex::new(5, SwapRule::Off).unwrap();
        while game.outcome().is_none() {
            let empty: Vec<Cell> = game.empty_cells().collect();
            if let MustPlayVerdict::Undecided(all, _) = prover.must_play_verdict(&game) {
                let [first, second] = fill_dead_and_captured(&mut ProofBoard::<1>::from(&game));
                for &cell in empty.iter().filter(|cell| !all.contains(cell)) {
                    if (first | second).contains(cell.index()) {
                        continue;
                    }
                    let mut after = game.clone();
                    after.make_move(cell.into());
                    let proof = prover.prove(&after, &mut unlimited_budget(&stop)).unwrap();
                    assert_eq!(proof.winner, after.to_move(), "{} in\n{game}", game.format_cell(cell));
                    outside += 1;
                }
            }
            game.make_move(empty[generator.random_range(0..empty.len())].into());
        }
    }
    outside
}

#[test]
fn no_winning_move_is_outside_the_must_play_region() {
    let outside = check_must_play(4);
    assert!(outside > 100, "{outside}");
}

#[test]
#[ignore = "all positions of 2,000 games on 5x5: a minute or two"]
fn no_winning_move_is_outside_the_must_play_region_in_2_000_games() {
    println!("{} moves outside, all of them lose", check_must_play(2_000));
}

/// Checks that every connection of a side holds if its ends are stones and the opponent has all
/// cells outside its carrier. Returns the number of connections.
fn check_connections(size: usize, stones: usize, number: u64) -> usize {
    let mut board = random_board::<1>(size, stones, &mut random_stream(63, number));
    fill_dead_and_captured(&mut board);
    if board.winner().is_some() {
        return 0;
    }
    let mut checked = 0;
    for side in SIDES {
        let mut network = VirtualConnections::default();
        network.build(&board, side, ConnectionGoal::AllConnections);
        let plain = BruteForce::from_board(&board);
        for one in network.list_connections() {
            let ends = one.ends.iter().filter_map(|end| match end {
                ConnectionEnd::Cell(cell) => Some(*cell),
                ConnectionEnd::Edge(_) => None,
            });
            let ends: CellSet<1> = ends.collect();
            let prepared = |carrier: &CellSet<1>| {
                let outside = board.empty_cells().difference(&(*carrier | ends));
                plain.with(side.other(), &outside).with(side, &(ends & board.empty_cells()))
            };
            for carrier in one.fulls.iter().filter(|carrier| carrier.len() <= 9) {
                assert!(!carrier.intersects(&ends), "{one:?}");
                let mut prepared = prepared(carrier);
                let holds = prepared.can_connect(side, one.ends, side.other());
                assert!(holds, "{side:?} {:?} {carrier:?} in {board:?}", one.ends);
                checked += 1;
            }
            for semi in one.semis.iter().filter(|semi| semi.carrier.len() <= 9) {
                let mut prepared = prepared(&semi.carrier).with(side, [usize::from(semi.key)]);
                assert!(semi.carrier.contains(semi.key.into()) && !semi.carrier.intersects(&ends), "{one:?}");
                assert!(prepared.can_connect(side, one.ends, side.other()), "{semi:?} in {board:?}");
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn every_connection_holds_whatever_the_opponent_does() {
    let checked: usize = (0..6).map(|number| check_connections(4, 4, number)).sum();
    let checked_5x5: usize = (0..3).map(|number| check_connections(5, 10, number)).sum();
    assert!(checked > 200 && checked_5x5 > 100, "{checked} {checked_5x5}");
}

#[test]
#[ignore = "1,000 positions of 4x4 and 1,000 of 5x5: some minutes"]
fn every_connection_of_many_positions_holds() {
    for number in 0..1_000 {
        let mut generator = random_stream(64, number);
        check_connections(4, generator.random_range(0..10), number);
        check_connections(5, generator.random_range(2..16), number);
    }
}

fn unlimited_budget(stop: &AtomicBool) -> SearchBudget<'_> {
    SearchBudget::start::<Move>(&SearchControl::without_reports(Limits::default(), stop))
}

/// Returns the winner after each of the first moves, as a row of `W` and `.`, and the largest
/// number of nodes for one of them. Each search starts with an empty table.
fn solve_openings(size: usize, first: usize) -> (String, u64) {
    let (mut map, mut most, stop) = (String::new(), 0, AtomicBool::new(false));
    let empty = Hex::new(size, SwapRule::Off).unwrap();
    for cell in empty.grid().cells().take(first) {
        let mut game = empty.clone();
        game.make_move(cell.into());
        let mut budget = unlimited_budget(&stop);
        let proof = || HexProver::new(size, 8).prove(&game, &mut budget).expect("there is no limit").winner;
        let winner = game.outcome().and_then(Outcome::winner).unwrap_or_else(proof);
        map.push(if winner == Side::First { 'W' } else { '.' });
        most = most.max(budget.nodes);
    }
    (map, most)
}

fn known_openings(size: usize) -> String {
    let cells = (0..size * size).map(|cell| first_stone_wins(size, Cell::new(cell)));
    cells.map(|wins| if wins == Some(true) { 'W' } else { '.' }).collect()
}

#[test]
fn the_solver_finds_the_known_winning_openings() {
    for size in 1..=5 {
        assert_eq!(solve_openings(size, size * size).0, known_openings(size), "{size}");
    }
    let (some, most) = solve_openings(6, 8);
    assert_eq!(some, known_openings(6)[..8]);
    assert!(most < 2_000, "{most} positions");
}

#[test]
#[ignore = "all openings of 6x6: some seconds"]
fn the_solver_finds_the_known_winning_openings_of_6x6() {
    assert_eq!(solve_openings(6, 36).0, known_openings(6));
}

#[test]
#[ignore = "all openings of 7x7: two or three minutes"]
fn the_solver_finds_the_known_winning_openings_of_7x7() {
    assert_eq!(solve_openings(7, 49).0, known_openings(7));
}

#[test]
fn empty_boards_are_solved_with_few_nodes() {
    let stop = AtomicBool::new(false);
    for (size, most) in [(4, 1), (5, 1), (6, 10), (7, 1_000)] {
        let mut budget = unlimited_budget(&stop);
        let proof =
            HexProver::new(size, 8).prove(&Hex::new(size, SwapRule::Off).unwrap(), &mut budget).unwrap();
        assert_eq!(proof.winner, Side::First);
        assert!(budget.nodes <= most, "{} positions on {size}x{size}", budget.nodes);
    }
}

#[test]
fn the_solver_agrees_with_brute_force_and_its_carriers_suffice() {
    let stop = AtomicBool::new(false);
    let mut prover = HexProver::new(4, 1);
    for number in 0..150 {
        let mut generator = random_stream(65, number);
        let mut game = Hex::new(4, SwapRule::Off).unwrap();
        for _ in 0..generator.random_range(3..9) {
            let empty: Vec<Cell> = game.empty_cells().collect();
            if game.outcome().is_none() {
                game.make_move(empty[generator.random_range(0..empty.len())].into());
            }
        }
        if game.outcome().is_some() {
            continue;
        }
        let proof = prover.prove(&game, &mut unlimited_budget(&stop)).unwrap();
        let (side, loser) = (game.to_move(), proof.winner.other());
        let plain = BruteForce::new(4, game.stones().to_vec());
        let outside = game.empty_cells().filter(|cell| !proof.carrier.contains(cell)).map(Cell::index);
        let mut narrow = plain.with(loser, outside);
        assert_eq!(narrow.is_won(side), proof.winner == side, "{proof:?}\n{game}");
        if let Some(mv) = proof.mv {
            assert!(!plain.with(side, [mv.index()]).is_won(side.other()), "{proof:?}\n{game}");
        }
        assert_eq!(proof.mv.is_some(), proof.winner == side);
    }
}

#[test]
fn a_small_transposition_table_still_allows_a_proof() {
    let stop = AtomicBool::new(false);
    let mut game = Hex::new(6, SwapRule::Off).unwrap();
    let cell = Cell::new(12);
    game.make_move(cell.into());
    let mut budget = unlimited_budget(&stop);
    let proof = HexProver::new(6, 0).prove(&game, &mut budget).unwrap();
    assert_eq!(proof.winner == Side::First, first_stone_wins(6, cell).unwrap());
    assert!(budget.nodes > 1_000, "{} positions: more than the table holds", budget.nodes);
}

#[test]
fn a_search_that_exceeds_its_budget_proves_nothing() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    let mut budget = SearchBudget::start::<Move>(&SearchControl::without_reports(limits, &stop));
    let game = Hex::new(11, SwapRule::Off).unwrap();
    let mut prover = HexProver::new(11, 1);
    assert_eq!(prover.prove(&game, &mut budget), None);
    assert!(matches!(prover.must_play_verdict(&game), MustPlayVerdict::Undecided(all, _) if !all.is_empty()));
}

#[test]
fn a_prover_stops_at_its_limit_of_combinations() {
    const PER_POSITION: u64 = 50_000;
    const IN_TOTAL: u64 = 200_000;
    let mut game = Hex::new(11, SwapRule::Off).unwrap();
    for text in "a4 f6 d7 d8 e7 e8 f7 f8 h7 g7 h6 g6 h5 h4 c8 c9 g5 g4 f5 f4 e5 e4".split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.make_move(mv);
    }
    let stop = AtomicBool::new(false);
    let tried = || {
        let effort = ConnectionLimits { combinations: PER_POSITION, ..ConnectionLimits::THOROUGH };
        let mut prover = HexProver::with_limits(11, 1, effort);
        assert_eq!(prover.prove_within_combinations(&game, IN_TOTAL, &mut unlimited_budget(&stop)), None);
        prover.combinations_tried()
    };
    // In the last position each side may exceed its limit by the ends that one connection leads to.
    let most = IN_TOTAL + 2 * (PER_POSITION + 121);
    assert!((IN_TOTAL..most).contains(&tried()), "{} combinations", tried());
    assert_eq!(tried(), tried());
}
