//! Certificates on tic-tac-toe boards: each is a valid proof and exists where the tables say.

use crosspath::ai::tictactoe::certificate::{
    find_pairing_strategy, has_pairing_strategy, moves_with_pairing_strategy,
};
use crosspath::ai::{EngineKind, Limits};
use crosspath::game::{Game, Notation, Side};
use crosspath::games::tictactoe::{Cell, TicTacToe, cells_in_mask};
use crosspath::random::random_stream;
use rand::RngExt;

use crate::tictactoe_engines::minimax;
use crate::tictactoe_help::{ask, board, engine, legal, random_move, unfinished, winning_cells};

/// Checks table C6 and the counts that belong to it.
#[test]
fn certificate_counts_on_3x3_match_the_golden_table() {
    let (mut pairs, mut wins, mut hold, mut certified, mut can_hold, mut can_certify) = (0, 0, 0, 0, 0, 0);
    for game in unfinished(&board(3)) {
        let side = game.to_move();
        let now = winning_cells(&game, side);
        let values = minimax(&game, u32::MAX);
        can_hold += usize::from(values.iter().any(|&(_, value)| value >= 0));
        let mut any = false;
        for (cell, value) in values {
            pairs += 1;
            if now.contains(&cell) {
                wins += 1;
                continue;
            }
            hold += usize::from(value >= 0);
            let mut next = game.clone();
            next.make_move(cell);
            if has_pairing_strategy(&next, side) {
                assert!(value >= 0, "certified and lost:\n{next}");
                certified += 1;
                any = true;
            }
        }
        can_certify += usize::from(any);
    }
    assert_eq!(
        (pairs, wins, hold, certified, can_hold, can_certify),
        (16_167, 2_782, 5_049, 3_741, 3_888, 2_219)
    );
}

#[test]
fn every_certificate_is_a_valid_proof() {
    let mut generator = random_stream(5, 0);
    let mut checked = 0;
    for size in 3..=10 {
        for win_length in [size, size - 1] {
            let start = TicTacToe::with_win_length(size, win_length).unwrap();
            for _ in 0..6 {
                let mut game = start.clone();
                while game.outcome().is_none() {
                    for side in Side::BOTH {
                        let proof = find_pairing_strategy(&game, side);
                        assert_eq!(proof.is_some(), has_pairing_strategy(&game, side), "\n{game}");
                        let Some(proof) = proof else { continue };
                        checked += 1;
                        let live: Vec<u128> = game
                            .winning_lines()
                            .masks()
                            .iter()
                            .copied()
                            .filter(|line| line & game.stones(side) == 0)
                            .collect();
                        assert_eq!(proof.pairs().iter().map(|pair| pair.line).collect::<Vec<_>>(), live);
                        let mut taken = 0;
                        for pair in proof.pairs() {
                            for mate in pair.pair {
                                assert_eq!(taken & mate.bit(), 0, "{mate:?} has two owners");
                                assert_eq!(
                                    mate.bit() & !(pair.line & game.empty_cells()),
                                    0,
                                    "{mate:?} is no mate"
                                );
                                taken |= mate.bit();
                            }
                        }
                        assert_eq!(proof.protected_side(), side);
                        let signs: Vec<(Cell, char)> = proof
                            .pairs()
                            .iter()
                            .flat_map(|pair| pair.pair)
                            .zip(proof.pair_labels())
                            .map(|(cell, (of, sign))| {
                                assert_eq!(cell, of);
                                (cell, sign)
                            })
                            .collect();
                        assert_eq!(signs.len(), 2 * live.len());
                        for (one, &(_, sign)) in signs.iter().enumerate() {
                            let alike = signs.iter().filter(|(_, other)| *other == sign).count();
                            assert!(alike == 2 && signs[one ^ 1].1 == sign, "each sign on one pair");
                            assert!(!"XOxo".contains(sign), "no sign looks like a stone");
                        }
                        let letters = proof.to_string().chars().filter(char::is_ascii_alphabetic).count();
                        assert_eq!(letters, 2 * live.len());
                    }
                    let mv = random_move(&game, &mut generator);
                    game.make_move(mv);
                }
                assert!(Side::BOTH.iter().all(|&side| find_pairing_strategy(&game, side).is_none()));
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// Returns the first moves after which the first player has a certificate, and the certified
/// replies to each first move.
fn pairings(size: usize, win_length: usize) -> (u128, Vec<u128>) {
    let start = TicTacToe::with_win_length(size, win_length).unwrap();
    let replies = legal(&start).into_iter().map(|cell| {
        let mut game = start.clone();
        game.make_move(cell);
        moves_with_pairing_strategy(&game)
    });
    (moves_with_pairing_strategy(&start), replies.collect())
}

fn is_certified_at_once(size: usize, win_length: usize) -> bool {
    let start = TicTacToe::with_win_length(size, win_length).unwrap();
    Side::BOTH.iter().all(|&side| has_pairing_strategy(&start, side))
}

fn check_certificate_table(sizes: std::ops::RangeInclusive<usize>) {
    for size in sizes {
        for win_length in 3..=size {
            let (firsts, replies) = pairings(size, win_length);
            let each_has = replies.iter().all(|&safe| safe != 0);
            let none_has = replies.iter().all(|&safe| safe == 0);
            let all = (1 << (size * size)) - 1;
            match (size, win_length) {
                (3, 3) => assert!(firsts == 1 << 4 && none_has),
                (4, 4) => {
                    let eight = ["a1", "d1", "a4", "d4", "b2", "c2", "b3", "c3"]
                        .map(|name| board(4).parse(name).unwrap());
                    let eight = eight.iter().fold(0, |mask, cell| mask | cell.bit());
                    assert_eq!(firsts, eight);
                    for (cell, safe) in (0..).zip(replies) {
                        assert_eq!(safe, eight & !(1 << cell));
                    }
                }
                (10, 9) => assert!(is_certified_at_once(10, 9) && firsts == all && each_has),
                (9, 8) => {
                    assert!(!is_certified_at_once(9, 8) && each_has);
                    assert_eq!(firsts.count_ones(), 57);
                }
                _ if size == win_length => {
                    assert!(is_certified_at_once(size, size) && firsts == all && each_has);
                }
                _ => assert!(firsts == 0 && none_has, "{win_length} in a row on {size}x{size}"),
            }
        }
    }
}

#[test]
fn the_empty_board_is_certified_exactly_where_the_table_says() {
    check_certificate_table(3..=6);
}

#[test]
#[ignore = "slow: all boards up to 10x10"]
fn the_empty_board_is_certified_exactly_where_the_table_says_up_to_10x10() {
    check_certificate_table(7..=10);
}

#[test]
fn a_side_that_follows_its_certificate_never_loses() {
    let mut generator = random_stream(6, 0);
    for size in 4..=10 {
        for round in 0..200 {
            let side = Side::BOTH[round % 2];
            let mut greedy = engine(EngineKind::Level(4), round as u64);
            let mut game = board(size);
            let mut holds = false;
            while game.outcome().is_none() {
                let mv = if game.to_move() == side {
                    let safe: Vec<Cell> = cells_in_mask(moves_with_pairing_strategy(&game)).collect();
                    assert!(!holds || !safe.is_empty(), "no safe move for {side} in\n{game}");
                    holds |= !safe.is_empty();
                    if safe.is_empty() {
                        random_move(&game, &mut generator)
                    } else {
                        safe[generator.random_range(0..safe.len())]
                    }
                } else if round % 4 < 2 {
                    random_move(&game, &mut generator)
                } else {
                    ask(&mut *greedy, &game, Limits::default()).mv
                };
                game.make_move(mv);
            }
            assert!(!holds || game.outcome().unwrap().winner() != Some(side.other()), "\n{game}");
        }
    }
}
