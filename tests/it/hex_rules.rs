//! The rules of Hex against tables and a second, naive implementation.

use crosspath::board::hexgrid::Edge;
use crosspath::game::{Game, Notation, Outcome, Side, perft};
use crosspath::games::hex::{Cell, Hex, IllegalMove, Move, SwapFrame, SwapRule, goal_edges};
use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;

fn parse_swap_rule(text: &str) -> SwapRule {
    if text == "on" { SwapRule::On } else { SwapRule::Off }
}

fn legal_moves(game: &Hex) -> Vec<Move> {
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    moves
}

fn choose_random<T: Copy>(items: &[T], generator: &mut RandomGenerator) -> T {
    items[generator.random_range(0..items.len())]
}

/// Returns the position after these moves on an empty board.
fn position_after(size: usize, swap: SwapRule, texts: &str) -> Hex {
    let mut game = Hex::new(size, swap).unwrap();
    for text in texts.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make_move(mv).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
    game
}

/// Reports whether a side has connected its edges, by a flood fill with its own adjacency.
fn has_chain(size: usize, stones: &[Option<Side>], owner: Side) -> bool {
    let is_owned = |row: usize, col: usize| stones[row * size + col] == Some(owner);
    let start = |i: usize| if owner == Side::First { (0, i) } else { (i, 0) };
    let mut seen = vec![false; size * size];
    let mut queue: Vec<(usize, usize)> =
        (0..size).map(start).filter(|&(row, col)| is_owned(row, col)).collect();
    while let Some((row, col)) = queue.pop() {
        if (if owner == Side::First { row } else { col }) == size - 1 {
            return true;
        }
        for (dr, dc) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
            let (Some(r), Some(c)) = (row.checked_add_signed(dr), col.checked_add_signed(dc)) else {
                continue;
            };
            if r < size && c < size && is_owned(r, c) && !std::mem::replace(&mut seen[r * size + c], true) {
                queue.push((r, c));
            }
        }
    }
    false
}

#[test]
fn perft_matches_the_table() {
    for row in include_str!("../data/hex.perft").lines().filter(|row| !row.starts_with('#')) {
        let (board, counts) = row.split_once(": ").unwrap();
        let (size, swap) = board.split_once(' ').unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count: u64 = count.parse().unwrap();
            if count <= 7_000_000 {
                let mut game = Hex::new(size.parse().unwrap(), parse_swap_rule(swap)).unwrap();
                assert_eq!(perft(&mut game, depth), count, "{board}, depth {depth}");
            }
        }
    }
}

#[test]
#[ignore = "slow: up to 57 million sequences"]
fn perft_matches_the_whole_table() {
    for row in include_str!("../data/hex.perft").lines().filter(|row| !row.starts_with('#')) {
        let (board, counts) = row.split_once(": ").unwrap();
        let (size, swap) = board.split_once(' ').unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let mut game = Hex::new(size.parse().unwrap(), parse_swap_rule(swap)).unwrap();
            assert_eq!(perft(&mut game, depth).to_string(), count, "{board}, depth {depth}");
        }
    }
}

#[test]
fn every_game_of_the_table_ends_at_its_last_move() {
    let mut count = 0;
    for row in include_str!("../data/hex_games.csv").lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let winner = if fields[1] == "first" { Side::First } else { Side::Second };
        let mut game = Hex::new(fields[0].parse().unwrap(), SwapRule::Off).unwrap();
        for text in fields[2].split(' ') {
            assert_eq!(game.outcome(), None, "{row}");
            let mv = game.parse(text).unwrap();
            game.try_make_move(mv).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{row}");
        count += 1;
    }
    assert_eq!(count, 101);
}

#[test]
fn exactly_one_side_connects_its_edges_on_every_full_board() {
    for size in 1..=26 {
        let cells = size * size;
        for round in 0..20 {
            let mut generator = random_stream(size as u64, round);
            let stones: Vec<Option<Side>> =
                (0..cells).map(|_| Some(choose_random(&Side::BOTH, &mut generator))).collect();
            let [first, second] = Side::map_both(|side| has_chain(size, &stones, side));
            assert!(first != second, "{size}: {stones:?}");
        }
    }
}

/// Returns the full board of a filling. The losing side's stones are placed first.
fn board_with_stones(size: usize, stones: &[Option<Side>], winner: Side) -> Hex {
    let mut listed: Vec<(Side, Cell)> =
        stones.iter().enumerate().map(|(index, side)| (side.unwrap(), Cell::new(index))).collect();
    listed.sort_by_key(|&(side, _)| side == winner);
    // The game may end before the winner's last stones are placed; they change nothing.
    let mut game = Hex::new(size, SwapRule::Off).unwrap();
    for count in 1..=listed.len() {
        game = Hex::with_stones(size, SwapRule::Off, &listed[..count], Side::First).unwrap();
        if game.outcome().is_some() {
            break;
        }
    }
    game
}

#[test]
fn the_first_player_connects_in_256_of_512_fillings_of_3x3() {
    let mut wins = 0;
    for filling in 0..512u32 {
        let stones: Vec<Option<Side>> =
            (0..9).map(|cell| Some(Side::BOTH[(filling >> cell & 1) as usize])).collect();
        let winner = if has_chain(3, &stones, Side::First) { Side::First } else { Side::Second };
        assert_eq!(has_chain(3, &stones, Side::Second), winner == Side::Second);
        assert_eq!(board_with_stones(3, &stones, winner).outcome(), Some(Outcome::Win(winner)));
        wins += u32::from(winner == Side::First);
    }
    assert_eq!(wins, 256);
}

#[test]
fn exactly_one_side_connects_in_each_of_65536_fillings_of_4x4() {
    let mut wins = 0;
    for filling in 0..65_536u32 {
        let stones: Vec<Option<Side>> =
            (0..16).map(|cell| Some(Side::BOTH[(filling >> cell & 1) as usize])).collect();
        let [first, second] = Side::map_both(|side| has_chain(4, &stones, side));
        assert!(first != second);
        wins += u32::from(first);
        if filling % 16 == 7 {
            let winner = if first { Side::First } else { Side::Second };
            assert_eq!(board_with_stones(4, &stones, winner).outcome(), Some(Outcome::Win(winner)));
        }
    }
    assert_eq!(wins, 32_768);
}

#[test]
fn the_rules_agree_with_a_flood_fill_on_random_games() {
    for size in 1..=9 {
        for round in 0..20 {
            let mut generator = random_stream(100 + size as u64, round);
            let mut game = Hex::new(size, SwapRule::On).unwrap();
            while game.outcome().is_none() {
                for side in Side::BOTH {
                    assert!(!has_chain(size, game.stones(), side));
                    assert!(game.stones_needed(side).is_some_and(|needed| needed > 0));
                }
                let empty: Vec<Move> = game.empty_cells().map(Move::Place).collect();
                let mut expected = empty;
                if game.stone_count() == 1 && game.to_move() == Side::Second {
                    expected.push(Move::Swap);
                }
                assert_eq!(legal_moves(&game), expected);
                let mv = choose_random(&expected, &mut generator);
                game.make_move(mv);
            }
            let winner = game.outcome().and_then(Outcome::winner).unwrap();
            assert!(
                has_chain(size, game.stones(), winner) && !has_chain(size, game.stones(), winner.other())
            );
            assert_eq!(game.stones_needed(winner), Some(0));
            assert_eq!(game.stones_needed(winner.other()), None);
            assert_shortest_chain(&game, winner);
        }
    }
}

/// Checks that the winning chain runs from edge to edge and that no shorter one exists, by naive
/// relaxation.
fn assert_shortest_chain(game: &Hex, winner: Side) {
    let chain = game.winning_chain();
    let grid = game.grid();
    let [from, to] = goal_edges(winner);
    assert!(chain.iter().all(|&cell| game.stone_at(cell) == Some(winner)));
    assert!(chain.windows(2).all(|pair| grid.neighbours(pair[0]).contains(&pair[1])));
    assert!(grid.is_on_edge(chain[0], from) && grid.is_on_edge(*chain.last().unwrap(), to));
    let is_owned = |cell: Cell| game.stone_at(cell) == Some(winner);
    let mut length = vec![usize::MAX; grid.len()];
    for &cell in grid.edge_cells(from).iter().filter(|&&cell| is_owned(cell)) {
        length[cell.index()] = 1;
    }
    for _ in 0..grid.len() {
        for cell in grid.cells().filter(|&cell| is_owned(cell)) {
            for &other in grid.neighbours(cell).iter().filter(|&&cell| is_owned(cell)) {
                length[cell.index()] = length[cell.index()].min(length[other.index()].saturating_add(1));
            }
        }
    }
    let least = grid.edge_cells(to).iter().map(|cell| length[cell.index()]).min().unwrap();
    assert_eq!(chain.len(), least);
}

#[test]
fn the_first_of_equally_short_winning_chains_is_shown() {
    let chain = |texts: &str| -> Vec<String> {
        let game = position_after(3, SwapRule::Off, texts);
        game.winning_chain().into_iter().map(|cell| game.format_cell(cell)).collect()
    };
    assert_eq!(chain("b1 a1 a2 c1 b2 c2 a3"), ["b1", "a2", "a3"], "not b1 b2 a3");
    assert_eq!(chain("b1 a1 b2 a3 c1 c3 b3"), ["b1", "b2", "b3"], "not c1 b2 b3");
    assert_eq!(chain("b2 a2 c1 b1 c2 a1 b3"), ["c1", "b2", "b3"], "not c1 c2 b3");
    assert_eq!(chain("a1 b1 c1 c3"), Vec::<String>::new());
}

#[test]
fn unmake_restores_every_field_and_the_chains() {
    for size in [1, 2, 3, 5, 8, 14, 26] {
        let mut generator = random_stream(7, size as u64);
        let start = Hex::new(size, SwapRule::On).unwrap();
        let mut game = start.clone();
        let mut log = Vec::new();
        while game.outcome().is_none() {
            let mv = choose_random(&legal_moves(&game), &mut generator);
            log.push((format!("{game:?}"), mv, game.make_move(mv)));
        }
        while let Some((before, mv, undo)) = log.pop() {
            game.unmake_move(mv, undo);
            assert_eq!(format!("{game:?}"), before, "{mv:?} on {size}");
        }
        assert_eq!(game, start);
    }
}

#[test]
fn undoing_a_swap_restores_the_chains() {
    for size in 2..=5 {
        let start = Hex::new(size, SwapRule::On).unwrap();
        for index in 0..size * size {
            let mut game = start.clone();
            let first = Move::Place(Cell::new(index));
            let undo_first = game.make_move(first);
            let before = format!("{game:?}");
            let undo = game.make_move(Move::Swap);
            game.unmake_move(Move::Swap, undo);
            assert_eq!(format!("{game:?}"), before);
            game.unmake_move(first, undo_first);
            assert_eq!(format!("{game:?}"), format!("{start:?}"));
        }
    }
}

#[test]
fn a_swap_mirrors_the_stone_and_undo_restores_it() {
    let mut game = position_after(5, SwapRule::On, "b1");
    let [b1, a2] = ["b1", "a2"].map(|text| game.parse(text).unwrap().cell().unwrap());
    assert_eq!(legal_moves(&game).last(), Some(&Move::Swap));
    assert_eq!(legal_moves(&game).len(), 25, "24 cells and the swap");
    let before = (game.position_key(), game.clone());
    let undo = game.try_make_move(Move::Swap).unwrap();
    assert_eq!((game.stone_at(b1), game.stone_at(a2)), (None, Some(Side::Second)));
    assert_eq!((game.to_move(), game.stone_count(), game.can_swap()), (Side::First, 1, false));
    assert!(game.is_connected_to_edge(a2, Edge::Left));
    assert_eq!(game.clone().try_make_move(Move::Swap), Err(IllegalMove::SwapNotNow));
    game.unmake_move(Move::Swap, undo);
    assert_eq!((game.position_key(), game.clone()), before);
    assert!(game.can_swap() && game.to_move() == Side::Second);
}

#[test]
fn a_swapped_position_equals_the_same_stones_set_up_by_hand() {
    let game = position_after(5, SwapRule::On, "b1 swap");
    let stone = (Side::Second, game.parse("a2").unwrap().cell().unwrap());
    let by_hand = Hex::with_stones(5, SwapRule::On, &[stone], Side::First).unwrap();
    assert_eq!((game.position_key(), &game), (by_hand.position_key(), &by_hand));
    assert!(!by_hand.can_swap());
    let open = Hex::with_stones(5, SwapRule::On, &[(Side::First, stone.1)], Side::Second).unwrap();
    assert!(open.can_swap());
    assert!(
        open == position_after(5, SwapRule::On, "a2")
            && open.position_key() == position_after(5, SwapRule::On, "a2").position_key()
    );
    let own_stone = Hex::with_stones(5, SwapRule::On, &[stone], Side::Second).unwrap();
    assert!(!own_stone.can_swap(), "nobody takes over a stone of their own");
}

#[test]
fn the_position_key_depends_on_whether_a_swap_is_possible() {
    for (text, differs) in [("", true), ("c3", true), ("c3 b2", false), ("c3 b2 a1", false)] {
        let [on, off] =
            [SwapRule::On, SwapRule::Off].map(|swap| position_after(5, swap, text).position_key());
        assert_eq!(on != off, differs, "{text:?}");
    }
    assert_ne!(
        position_after(5, SwapRule::On, "c3 b2").position_key(),
        position_after(5, SwapRule::On, "b2 c3").position_key()
    );
    assert_eq!(
        position_after(5, SwapRule::On, "c3 b2 a1").position_key(),
        position_after(5, SwapRule::On, "a1 b2 c3").position_key()
    );
    assert_ne!(
        position_after(4, SwapRule::On, "").position_key(),
        position_after(5, SwapRule::On, "").position_key()
    );
}

#[test]
fn refused_moves_change_nothing_and_give_a_reason() {
    let refused = |texts: &str, swap, mv: Move| {
        let mut game = position_after(3, swap, texts);
        let before = format!("{game:?}");
        let refusal = game.try_make_move(mv).unwrap_err();
        assert_eq!(format!("{game:?}"), before);
        assert!(!game.is_legal(mv));
        refusal
    };
    let cell = Cell::new;
    assert_eq!(refused("b2", SwapRule::On, cell(4).into()), IllegalMove::Taken(cell(4), Side::First));
    assert_eq!(refused("b2", SwapRule::On, cell(9).into()), IllegalMove::OffBoard(cell(9), 9));
    assert_eq!(refused("", SwapRule::On, Move::Swap), IllegalMove::SwapNotNow);
    assert_eq!(refused("b2 a1", SwapRule::On, Move::Swap), IllegalMove::SwapNotNow);
    assert_eq!(refused("b2 swap", SwapRule::On, Move::Swap), IllegalMove::SwapNotNow);
    assert_eq!(refused("b2", SwapRule::Off, Move::Swap), IllegalMove::SwapOff);
    let over = "b1 a1 b2 a2 b3";
    assert_eq!(refused(over, SwapRule::On, cell(8).into()), IllegalMove::Over);
    assert_eq!(refused(over, SwapRule::On, Move::Swap), IllegalMove::Over);
    assert!(legal_moves(&position_after(3, SwapRule::On, over)).is_empty());
}

#[test]
fn the_only_cell_of_1x1_wins_at_once_and_cannot_be_swapped() {
    let game = position_after(1, SwapRule::On, "a1");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
    assert!(legal_moves(&game).is_empty() && !game.can_swap());
    assert_eq!(game.winning_chain(), [Cell::new(0)]);
}

/// Plays a random game and its image under a map of cells and sides, and checks that both end
/// alike.
fn check_symmetry(map: impl Fn(&Hex, Cell) -> Cell, side: impl Fn(Side) -> Side) {
    for size in 2..=8 {
        let mut generator = random_stream(55, size as u64);
        let mut one = Hex::new(size, SwapRule::Off).unwrap();
        let mut stones = Vec::new();
        while one.outcome().is_none() {
            let mv = choose_random(&legal_moves(&one), &mut generator);
            stones.push((side(one.to_move()), map(&one, mv.cell().unwrap())));
            one.make_move(mv);
            let other = Hex::with_stones(size, SwapRule::Off, &stones, Side::First).unwrap();
            let winner = one.outcome().and_then(Outcome::winner);
            assert_eq!(other.outcome().and_then(Outcome::winner), winner.map(&side));
            for owner in Side::BOTH {
                assert_eq!(one.stones_needed(owner), other.stones_needed(side(owner)));
            }
        }
    }
}

#[test]
fn a_rotation_by_180_degrees_is_a_symmetry_of_the_game() {
    check_symmetry(|game, cell| game.grid().rotated_180(cell), |side| side);
}

#[test]
fn transposing_the_board_and_exchanging_the_sides_is_a_symmetry_of_the_game() {
    check_symmetry(|game, cell| game.grid().mirrored(cell), Side::other);
}

#[test]
fn a_swap_frame_is_its_own_inverse() {
    let game = Hex::new(7, SwapRule::On).unwrap();
    for frame in [SwapFrame { transposed: false }, SwapFrame { transposed: true }] {
        for cell in game.grid().cells() {
            assert_eq!(frame.map_cell(game.grid(), frame.map_cell(game.grid(), cell)), cell);
        }
        for side in Side::BOTH {
            assert_eq!(frame.map_side(frame.map_side(side)), side);
        }
    }
    assert_eq!(SwapFrame::default(), SwapFrame { transposed: false });
}

#[test]
fn in_the_transposed_frame_a_swapped_stone_stays_and_changes_its_owner() {
    let game = position_after(6, SwapRule::On, "d2 swap");
    let frame = SwapFrame { transposed: true };
    let stone = game.grid().cells().find(|&cell| game.stone_at(cell).is_some()).unwrap();
    assert_eq!(game.format_cell(stone), "b4");
    assert_eq!(game.format_cell(frame.map_cell(game.grid(), stone)), "d2");
    assert_eq!(
        frame.map_side(game.stone_at(stone).unwrap()),
        Side::First,
        "the repeater plays the first colour now"
    );
    assert_eq!(frame.map_side(game.to_move()), Side::Second);
}

#[test]
fn an_intrusion_into_a_bridge_names_the_saving_cell() {
    let names = |game: &Hex, text: &str| -> Vec<String> {
        let entered = game.parse(text).unwrap().cell().unwrap();
        game.bridge_saving_cells(entered).map(|cell| game.format_cell(cell)).collect()
    };
    let game = position_after(11, SwapRule::Off, "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8");
    assert_eq!(names(&game, "c8"), ["c9"], "the bridge b9-d8");
    assert_eq!(names(&game, "d9"), Vec::<String>::new());
    let edge = position_after(5, SwapRule::Off, "c2 c1");
    assert_eq!(names(&edge, "c1"), ["d1"], "the link of c2 and the top edge");
    let joined = position_after(5, SwapRule::Off, "c2 a5 d1 c1");
    assert_eq!(names(&joined, "c1"), Vec::<String>::new(), "c2 has reached the edge already");
    assert_eq!(position_after(5, SwapRule::Off, "c2").safe_connection_cells(Side::First).len(), 2);
    assert_eq!(joined.safe_connection_cells(Side::First).len(), 0);
}

#[test]
fn a_move_takes_two_bytes_and_its_undo_six() {
    assert_eq!((size_of::<Move>(), size_of::<<Hex as Game>::Undo>()), (2, 6));
}

#[test]
fn sizes_outside_1_to_26_are_refused() {
    for size in [0, 27, usize::MAX] {
        assert!(Hex::new(size, SwapRule::On).is_err());
    }
}
