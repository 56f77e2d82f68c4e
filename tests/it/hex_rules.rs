//! The rules of Hex against the tables and against a second, naive implementation.

use crosspath::board::hexgrid::Edge;
use crosspath::game::{Game, Notation, Outcome, Side, perft};
use crosspath::games::hex::{Cell, Frame, Hex, IllegalMove, Move, SwapRule, edges_of};
use crosspath::random::{Generator, stream};
use rand::RngExt;

fn rule(text: &str) -> SwapRule {
    if text == "on" { SwapRule::On } else { SwapRule::Off }
}

fn moves(game: &Hex) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

fn any<T: Copy>(items: &[T], generator: &mut Generator) -> T {
    items[generator.random_range(0..items.len())]
}

/// Returns the position after these moves on a new board.
fn after(size: usize, swap: SwapRule, texts: &str) -> Hex {
    let mut game = Hex::new(size, swap).unwrap();
    for text in texts.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make(mv).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    }
    game
}

/// Reports whether a side has joined its edges, found by filling from its first edge, with
/// neighbours computed separately.
fn has_chain(size: usize, stones: &[Option<Side>], owner: Side) -> bool {
    let own = |row: usize, col: usize| stones[row * size + col] == Some(owner);
    let start = |i: usize| if owner == Side::First { (0, i) } else { (i, 0) };
    let mut seen = vec![false; size * size];
    let mut queue: Vec<(usize, usize)> = (0..size).map(start).filter(|&(row, col)| own(row, col)).collect();
    while let Some((row, col)) = queue.pop() {
        if (if owner == Side::First { row } else { col }) == size - 1 {
            return true;
        }
        for (dr, dc) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
            let (Some(r), Some(c)) = (row.checked_add_signed(dr), col.checked_add_signed(dc)) else {
                continue;
            };
            if r < size && c < size && own(r, c) && !std::mem::replace(&mut seen[r * size + c], true) {
                queue.push((r, c));
            }
        }
    }
    false
}

#[test]
fn perft_equals_the_table() {
    for row in include_str!("../data/hex.perft").lines().filter(|row| !row.starts_with('#')) {
        let (board, counts) = row.split_once(": ").unwrap();
        let (size, swap) = board.split_once(' ').unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count: u64 = count.parse().unwrap();
            if count <= 7_000_000 {
                let mut game = Hex::new(size.parse().unwrap(), rule(swap)).unwrap();
                assert_eq!(perft(&mut game, depth), count, "{board}, depth {depth}");
            }
        }
    }
}

#[test]
#[ignore = "slow: up to 57 million sequences"]
fn perft_equals_the_whole_table() {
    for row in include_str!("../data/hex.perft").lines().filter(|row| !row.starts_with('#')) {
        let (board, counts) = row.split_once(": ").unwrap();
        let (size, swap) = board.split_once(' ').unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let mut game = Hex::new(size.parse().unwrap(), rule(swap)).unwrap();
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
            game.try_make(mv).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{row}");
        count += 1;
    }
    assert_eq!(count, 101);
}

#[test]
fn exactly_one_side_joins_its_edges_on_every_full_board() {
    for size in 1..=26 {
        let cells = size * size;
        for round in 0..20 {
            let mut generator = stream(size as u64, round);
            let stones: Vec<Option<Side>> =
                (0..cells).map(|_| Some(any(&Side::BOTH, &mut generator))).collect();
            let [first, second] = Side::each(|side| has_chain(size, &stones, side));
            assert!(first != second, "{size}: {stones:?}");
        }
    }
}

/// Returns the board with all stones of a colouring, those of the losing side first.
fn filled(size: usize, stones: &[Option<Side>], winner: Side) -> Hex {
    let mut listed: Vec<(Side, Cell)> =
        stones.iter().enumerate().map(|(index, side)| (side.unwrap(), Cell::new(index))).collect();
    listed.sort_by_key(|&(side, _)| side == winner);
    // The winner's last stones may come after the end; they change nothing.
    let mut game = Hex::new(size, SwapRule::Off).unwrap();
    for count in 1..=listed.len() {
        game = Hex::set_up(size, SwapRule::Off, &listed[..count], Side::First).unwrap();
        if game.outcome().is_some() {
            break;
        }
    }
    game
}

#[test]
fn first_joins_in_256_of_512_fillings_of_3x3() {
    let mut wins = 0;
    for filling in 0..512u32 {
        let stones: Vec<Option<Side>> =
            (0..9).map(|cell| Some(Side::BOTH[(filling >> cell & 1) as usize])).collect();
        let winner = if has_chain(3, &stones, Side::First) { Side::First } else { Side::Second };
        assert_eq!(has_chain(3, &stones, Side::Second), winner == Side::Second);
        assert_eq!(filled(3, &stones, winner).outcome(), Some(Outcome::Win(winner)));
        wins += u32::from(winner == Side::First);
    }
    assert_eq!(wins, 256);
}

#[test]
fn exactly_one_side_joins_in_each_of_65536_fillings_of_4x4() {
    let mut wins = 0;
    for filling in 0..65_536u32 {
        let stones: Vec<Option<Side>> =
            (0..16).map(|cell| Some(Side::BOTH[(filling >> cell & 1) as usize])).collect();
        let [first, second] = Side::each(|side| has_chain(4, &stones, side));
        assert!(first != second);
        wins += u32::from(first);
        if filling % 16 == 7 {
            let winner = if first { Side::First } else { Side::Second };
            assert_eq!(filled(4, &stones, winner).outcome(), Some(Outcome::Win(winner)));
        }
    }
    assert_eq!(wins, 32_768);
}

#[test]
fn the_rules_agree_with_filling_on_random_games() {
    for size in 1..=9 {
        for round in 0..20 {
            let mut generator = stream(100 + size as u64, round);
            let mut game = Hex::new(size, SwapRule::On).unwrap();
            while game.outcome().is_none() {
                for side in Side::BOTH {
                    assert!(!has_chain(size, game.stones(), side));
                    assert!(game.stones_needed(side).is_some_and(|needed| needed > 0));
                }
                let empty: Vec<Move> = game.empty().map(Move::Place).collect();
                let mut expected = empty;
                if game.count() == 1 && game.to_move() == Side::Second {
                    expected.push(Move::Swap);
                }
                assert_eq!(moves(&game), expected);
                let mv = any(&expected, &mut generator);
                game.make(mv);
            }
            let winner = game.outcome().and_then(Outcome::winner).unwrap();
            assert!(
                has_chain(size, game.stones(), winner) && !has_chain(size, game.stones(), winner.other())
            );
            assert_eq!(game.stones_needed(winner), Some(0));
            assert_eq!(game.stones_needed(winner.other()), None);
            is_shortest_chain(&game, winner);
        }
    }
}

/// Checks that the winning chain is a chain, from edge to edge, and that no shorter one exists (by
/// plain relaxation).
fn is_shortest_chain(game: &Hex, winner: Side) {
    let chain = game.winning_chain();
    let grid = game.grid();
    let [from, to] = edges_of(winner);
    assert!(chain.iter().all(|&cell| game.stone(cell) == Some(winner)));
    assert!(chain.windows(2).all(|pair| grid.neighbours(pair[0]).contains(&pair[1])));
    assert!(grid.touches(chain[0], from) && grid.touches(*chain.last().unwrap(), to));
    let own = |cell: Cell| game.stone(cell) == Some(winner);
    let mut length = vec![usize::MAX; grid.len()];
    for &cell in grid.edge(from).iter().filter(|&&cell| own(cell)) {
        length[cell.index()] = 1;
    }
    for _ in 0..grid.len() {
        for cell in grid.cells().filter(|&cell| own(cell)) {
            for &other in grid.neighbours(cell).iter().filter(|&&cell| own(cell)) {
                length[cell.index()] = length[cell.index()].min(length[other.index()].saturating_add(1));
            }
        }
    }
    let least = grid.edge(to).iter().map(|cell| length[cell.index()]).min().unwrap();
    assert_eq!(chain.len(), least);
}

#[test]
fn of_equally_short_winning_chains_the_first_in_reading_order_is_shown() {
    let chain = |texts: &str| -> Vec<String> {
        let game = after(3, SwapRule::Off, texts);
        game.winning_chain().into_iter().map(|cell| game.name(cell)).collect()
    };
    assert_eq!(chain("b1 a1 a2 c1 b2 c2 a3"), ["b1", "a2", "a3"], "not b1 b2 a3");
    assert_eq!(chain("b1 a1 b2 a3 c1 c3 b3"), ["b1", "b2", "b3"], "not c1 b2 b3");
    assert_eq!(chain("b2 a2 c1 b1 c2 a1 b3"), ["c1", "b2", "b3"], "not c1 c2 b3");
    assert_eq!(chain("a1 b1 c1 c3"), Vec::<String>::new());
}

#[test]
fn make_and_unmake_restore_every_field_and_the_chains() {
    for size in [1, 2, 3, 5, 8, 14, 26] {
        let mut generator = stream(7, size as u64);
        let start = Hex::new(size, SwapRule::On).unwrap();
        let mut game = start.clone();
        let mut log = Vec::new();
        while game.outcome().is_none() {
            let mv = any(&moves(&game), &mut generator);
            log.push((format!("{game:?}"), mv, game.make(mv)));
        }
        while let Some((before, mv, undo)) = log.pop() {
            game.unmake(mv, undo);
            assert_eq!(format!("{game:?}"), before, "{mv:?} on {size}");
        }
        assert_eq!(game, start);
    }
}

#[test]
fn a_swap_and_its_undo_leave_the_chains_as_they_were() {
    for size in 2..=5 {
        let start = Hex::new(size, SwapRule::On).unwrap();
        for index in 0..size * size {
            let mut game = start.clone();
            let first = Move::Place(Cell::new(index));
            let undo_first = game.make(first);
            let before = format!("{game:?}");
            let undo = game.make(Move::Swap);
            game.unmake(Move::Swap, undo);
            assert_eq!(format!("{game:?}"), before);
            game.unmake(first, undo_first);
            assert_eq!(format!("{game:?}"), format!("{start:?}"));
        }
    }
}

#[test]
fn the_swap_moves_the_stone_to_the_mirrored_cell_and_undo_brings_it_back() {
    let mut game = after(5, SwapRule::On, "b1");
    let [b1, a2] = ["b1", "a2"].map(|text| game.parse(text).unwrap().cell().unwrap());
    assert_eq!(moves(&game).last(), Some(&Move::Swap));
    assert_eq!(moves(&game).len(), 25, "24 cells and the swap");
    let before = (game.key(), game.clone());
    let undo = game.try_make(Move::Swap).unwrap();
    assert_eq!((game.stone(b1), game.stone(a2)), (None, Some(Side::Second)));
    assert_eq!((game.to_move(), game.count(), game.can_swap()), (Side::First, 1, false));
    assert!(game.reaches(a2, Edge::Left));
    assert_eq!(game.clone().try_make(Move::Swap), Err(IllegalMove::SwapNotNow));
    game.unmake(Move::Swap, undo);
    assert_eq!((game.key(), game.clone()), before);
    assert!(game.can_swap() && game.to_move() == Side::Second);
}

#[test]
fn a_swapped_position_equals_the_same_stones_set_up_by_hand() {
    let game = after(5, SwapRule::On, "b1 swap");
    let stone = (Side::Second, game.parse("a2").unwrap().cell().unwrap());
    let by_hand = Hex::set_up(5, SwapRule::On, &[stone], Side::First).unwrap();
    assert_eq!((game.key(), &game), (by_hand.key(), &by_hand));
    assert!(!by_hand.can_swap());
    let open = Hex::set_up(5, SwapRule::On, &[(Side::First, stone.1)], Side::Second).unwrap();
    assert!(open.can_swap());
    assert!(open == after(5, SwapRule::On, "a2") && open.key() == after(5, SwapRule::On, "a2").key());
    let own = Hex::set_up(5, SwapRule::On, &[stone], Side::Second).unwrap();
    assert!(!own.can_swap(), "nobody takes over a stone of their own");
}

#[test]
fn the_key_tells_whether_a_swap_is_still_possible() {
    for (text, differs) in [("", true), ("c3", true), ("c3 b2", false), ("c3 b2 a1", false)] {
        let [on, off] = [SwapRule::On, SwapRule::Off].map(|swap| after(5, swap, text).key());
        assert_eq!(on != off, differs, "{text:?}");
    }
    assert_ne!(after(5, SwapRule::On, "c3 b2").key(), after(5, SwapRule::On, "b2 c3").key());
    assert_eq!(after(5, SwapRule::On, "c3 b2 a1").key(), after(5, SwapRule::On, "a1 b2 c3").key());
    assert_ne!(after(4, SwapRule::On, "").key(), after(5, SwapRule::On, "").key());
}

#[test]
fn refusals_leave_the_position_as_it_was_and_name_their_reason() {
    let refused = |texts: &str, swap, mv: Move| {
        let mut game = after(3, swap, texts);
        let before = format!("{game:?}");
        let refusal = game.try_make(mv).unwrap_err();
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
    assert!(moves(&after(3, SwapRule::On, over)).is_empty());
}

#[test]
fn the_only_cell_wins_at_once_and_cannot_be_taken_over() {
    let game = after(1, SwapRule::On, "a1");
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
    assert!(moves(&game).is_empty() && !game.can_swap());
    assert_eq!(game.winning_chain(), [Cell::new(0)]);
}

/// Plays a random game and the same game under a map of moves and sides, and checks that both end
/// alike.
fn same_under(map: impl Fn(&Hex, Cell) -> Cell, side: impl Fn(Side) -> Side) {
    for size in 2..=8 {
        let mut generator = stream(55, size as u64);
        let mut one = Hex::new(size, SwapRule::Off).unwrap();
        let mut stones = Vec::new();
        while one.outcome().is_none() {
            let mv = any(&moves(&one), &mut generator);
            stones.push((side(one.to_move()), map(&one, mv.cell().unwrap())));
            one.make(mv);
            let other = Hex::set_up(size, SwapRule::Off, &stones, Side::First).unwrap();
            let winner = one.outcome().and_then(Outcome::winner);
            assert_eq!(other.outcome().and_then(Outcome::winner), winner.map(&side));
            for owner in Side::BOTH {
                assert_eq!(one.stones_needed(owner), other.stones_needed(side(owner)));
            }
        }
    }
}

#[test]
fn a_half_turn_is_a_symmetry_of_the_game() {
    same_under(|game, cell| game.grid().turned(cell), |side| side);
}

#[test]
fn exchanging_rows_and_columns_and_the_sides_is_a_symmetry_of_the_game() {
    same_under(|game, cell| game.grid().mirrored(cell), Side::other);
}

#[test]
fn a_frame_undoes_itself() {
    let game = Hex::new(7, SwapRule::On).unwrap();
    for frame in [Frame { transposed: false }, Frame { transposed: true }] {
        for cell in game.grid().cells() {
            assert_eq!(frame.cell(game.grid(), frame.cell(game.grid(), cell)), cell);
        }
        for side in Side::BOTH {
            assert_eq!(frame.side(frame.side(side)), side);
        }
    }
    assert_eq!(Frame::default(), Frame { transposed: false });
}

#[test]
fn in_the_transposed_frame_the_swapped_stone_stays_and_changes_its_owner() {
    let game = after(6, SwapRule::On, "d2 swap");
    let frame = Frame { transposed: true };
    let stone = game.grid().cells().find(|&cell| game.stone(cell).is_some()).unwrap();
    assert_eq!(game.name(stone), "b4");
    assert_eq!(game.name(frame.cell(game.grid(), stone)), "d2");
    assert_eq!(
        frame.side(game.stone(stone).unwrap()),
        Side::First,
        "the repeater plays the first colour now"
    );
    assert_eq!(frame.side(game.to_move()), Side::Second);
}

#[test]
fn a_link_that_is_entered_names_the_cell_that_mends_it() {
    let names = |game: &Hex, text: &str| -> Vec<String> {
        let entered = game.parse(text).unwrap().cell().unwrap();
        game.cut_links(entered).map(|cell| game.name(cell)).collect()
    };
    let game = after(11, SwapRule::Off, "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8");
    assert_eq!(names(&game, "c8"), ["c9"], "the bridge b9-d8");
    assert_eq!(names(&game, "d9"), Vec::<String>::new());
    let edge = after(5, SwapRule::Off, "c2 c1");
    assert_eq!(names(&edge, "c1"), ["d1"], "the link of c2 and the top edge");
    let joined = after(5, SwapRule::Off, "c2 a5 d1 c1");
    assert_eq!(names(&joined, "c1"), Vec::<String>::new(), "c2 has reached the edge already");
    assert_eq!(after(5, SwapRule::Off, "c2").safe_links(Side::First).len(), 2);
    assert_eq!(joined.safe_links(Side::First).len(), 0);
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
