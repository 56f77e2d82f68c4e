//! Remarks after notable moves. They name the right cells, appear only with an event, and vary in
//! wording.

use std::collections::BTreeSet;

use crosspath::board::names::{cell_name, parse_cell_name};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Cell, Hex, SwapRule};
use crosspath::games::quoridor::Quoridor;
use crosspath::games::tictactoe::TicTacToe;
use crosspath::random::random_stream;
use crosspath::registry::{Variant, find_game};
use rand::RngExt;

/// Plays random games from `start` until 200 positions with a remark and 200 without one are
/// checked.
fn check_random_games<G: Notation + Clone>(
    start: &G,
    seed: u64,
    check: impl Fn(&G, &G, G::Move, Option<&str>),
) {
    let mut counts = [0, 0];
    for number in 0.. {
        let (mut game, mut played, mut chance) = (start.clone(), Vec::new(), random_stream(seed, number));
        while game.outcome().is_none() {
            let mut moves = Vec::new();
            game.push_legal_moves(&mut moves);
            let (before, mv) = (game.clone(), moves[chance.random_range(0..moves.len())]);
            game.make_move(mv);
            played.push(mv);
            if game.outcome().is_none() {
                let remark = game.comment_on_last_move(&played, chance.random_range(0..6));
                check(&before, &game, mv, remark.as_deref());
                counts[usize::from(remark.is_none())] += 1;
            }
        }
        if counts.iter().all(|&count| count >= 200) {
            return;
        }
        assert!(number < 5_000, "{counts:?}");
    }
}

/// Returns the cell names in a sentence.
fn cell_names_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| parse_cell_name(word).is_some()).map(str::to_owned).collect()
}

/// Returns the cells that save a bridge on which the stone at `entered` intrudes, computed by flood
/// fill of the chains.
fn saving_cells(game: &Hex, entered: Cell) -> BTreeSet<String> {
    let size = i64::try_from(game.size()).unwrap();
    let owner = game.stone_at(entered).unwrap().other();
    let at = |(column, row): (i64, i64)| {
        let is_on = (0..size).contains(&column) && (0..size).contains(&row);
        is_on.then(|| Cell::new(usize::try_from(row * size + column).unwrap()))
    };
    let around = |(column, row): (i64, i64)| {
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)].map(|(right, down)| (column + right, row + down))
    };
    // Cells off the board belong to the owner of that edge. Corners belong to neither side here.
    let ends = |place: (i64, i64)| {
        let is_across = if owner == Side::First {
            place.1 < 0 || place.1 >= size
        } else {
            place.0 < 0 || place.0 >= size
        };
        match at(place) {
            Some(cell) => game.stone_at(cell) == Some(owner),
            None => is_across,
        }
    };
    let node = |place: (i64, i64)| match at(place) {
        Some(_) => place,
        None if owner == Side::First => (0, place.1),
        None => (place.0, 0),
    };
    let chain = |from: (i64, i64)| {
        let (mut known, mut open) = (BTreeSet::from([node(from)]), vec![node(from)]);
        while let Some(place) = open.pop() {
            let all = (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
            let beside: Vec<(i64, i64)> = if at(place).is_some() {
                around(place).to_vec()
            } else {
                all.filter(|&other| {
                    around(other).iter().any(|&near| at(near).is_none() && node(near) == place)
                })
                .collect()
            };
            for next in beside.into_iter().filter(|&next| ends(next)).map(node) {
                if known.insert(next) {
                    open.push(next);
                }
            }
        }
        known
    };
    let index = i64::try_from(entered.index()).unwrap();
    let cut = (index % size, index / size);
    let is_repair = |&open: &(i64, i64)| {
        if at(open).is_none_or(|cell| game.stone_at(cell).is_some()) {
            return false;
        }
        let common: Vec<(i64, i64)> =
            around(cut).into_iter().filter(|near| around(open).contains(near) && ends(*near)).collect();
        common.len() == 2 && !chain(common[0]).contains(&node(common[1]))
    };
    let repairs = around(cut).into_iter().filter(is_repair);
    repairs
        .map(|(column, row)| cell_name(usize::try_from(column).unwrap(), usize::try_from(row).unwrap()))
        .collect()
}

#[test]
fn an_intrusion_is_remarked_with_the_saving_cells() {
    let start = Hex::new(7, SwapRule::Off).unwrap();
    check_random_games(&start, 1, |_, game, mv, remark| {
        let named = remark.map(cell_names_in).unwrap_or_default();
        assert_eq!(named, saving_cells(game, mv.cell().unwrap()), "{remark:?}\n{game}");
    });
}

/// Reports whether the side to move can win at once after `turn` has changed the position.
fn has_winning_move<G: Game + Clone>(game: &G, turn: impl Fn(&mut G)) -> bool {
    let (mut game, mut moves) = (game.clone(), Vec::new());
    turn(&mut game);
    let side = game.to_move();
    game.push_legal_moves(&mut moves);
    moves.into_iter().any(|mv| {
        let mut after = game.clone();
        after.make_move(mv);
        after.outcome() == Some(Outcome::Win(side))
    })
}

#[test]
fn a_costly_wall_and_an_open_threat_are_remarked() {
    for (size, walls) in [(5, 3), (9, 10)] {
        let start = Quoridor::with_walls(size, size, walls).unwrap();
        check_random_games(&start, 2, |before, game, mv, remark| {
            let (side, other) = (before.to_move(), game.to_move());
            let threatens = |game: &Quoridor| has_winning_move(game, |game| game.set_side_to_move(side));
            let is_threat = threatens(game) && !has_winning_move(game, |_| ());
            let cost = game.distance_to_goal(other).saturating_sub(before.distance_to_goal(other));
            let Some(text) = remark else {
                assert!(!is_threat && (mv.wall().is_none() || cost < 2), "{mv}\n{game}");
                return;
            };
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
            if !is_threat {
                assert!(mv.wall().is_some() && cost >= 2, "{text}\n{game}");
                for part in [mv.to_string(), cost.to_string(), game.distance_to_goal(other).to_string()] {
                    assert!(words.contains(&part.as_str()), "{part}: {text}\n{game}");
                }
                return;
            }
            let mut moves = Vec::new();
            game.push_legal_moves(&mut moves);
            let stops = |mv: crosspath::games::quoridor::Move| {
                let mut after = game.clone();
                after.make_move(mv);
                !threatens(&after)
            };
            let named: Vec<_> = moves.iter().filter(|mv| words.contains(&mv.to_string().as_str())).collect();
            assert!(named.iter().all(|mv| stops(**mv)), "{text}\n{game}");
            assert_eq!(named.is_empty(), !moves.iter().any(|mv| stops(*mv)), "{text}\n{game}");
            assert_eq!(named.is_empty(), text.contains("nothing stops it"), "{text}");
        });
    }
}

#[test]
fn a_threat_and_a_fork_are_remarked_with_their_cells() {
    for (size, length) in [(3, 3), (5, 4), (10, 5)] {
        let start = TicTacToe::with_win_length(size, length).unwrap();
        check_random_games(&start, 3, |before, game, mv, remark| {
            let side = before.to_move();
            let winning = |side: Side| {
                let wins = |cell: &crosspath::games::tictactoe::Cell| {
                    // The line that a mark would complete, in the four directions.
                    let own = game.stones(side) | cell.bit();
                    let (column, row) = (cell.index() % size, cell.index() / size);
                    [(1, 0), (0, 1), (1, 1), (1, -1_isize)].into_iter().any(|(right, down)| {
                        let along = |sign: isize| {
                            (1..=size.cast_signed())
                                .take_while(|&step| {
                                    let column = column
                                        .checked_add_signed(sign * step * right)
                                        .filter(|&at| at < size);
                                    let row =
                                        row.checked_add_signed(sign * step * down).filter(|&at| at < size);
                                    column
                                        .zip(row)
                                        .is_some_and(|(column, row)| own >> (row * size + column) & 1 == 1)
                                })
                                .count()
                        };
                        along(1) + along(-1) + 1 >= length
                    })
                };
                let mut moves = Vec::new();
                game.push_legal_moves(&mut moves);
                moves.into_iter().filter(wins).map(|cell| game.format_move(cell)).collect::<BTreeSet<_>>()
            };
            let mut wanted = winning(side);
            if !winning(side.other()).is_empty() {
                wanted.clear();
            }
            let mut named = remark.map(cell_names_in).unwrap_or_default();
            if wanted.len() > 1 {
                named.remove(&game.format_move(mv));
            }
            assert_eq!(named, wanted, "{remark:?} after {}", game.format_move(mv));
        });
    }
}

#[test]
fn consecutive_remarks_have_different_wording() {
    for (name, size, least) in [("tic-tac-toe", 10, 20), ("hex", 7, 20), ("quoridor", 5, 20)] {
        let entry = find_game(name).unwrap();
        let variant = if size == 10 {
            Variant::of_size(10).with_setting("win-length", 5)
        } else {
            Variant::of_size(size)
        };
        let mut count = 0;
        for number in 0..40 {
            let mut at = entry.start_position(&variant).unwrap();
            let (mut chance, mut last) = (random_stream(4, number), String::new());
            while at.outcome().is_none() {
                let legal = at.legal_moves();
                at = at.play(&legal[chance.random_range(0..legal.len())]).unwrap();
                let Some(text) = at.last_move_comment() else { continue };
                let words =
                    text.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
                let sides = ["Red", "Blue", "White", "Black", "X", "O"];
                let words = words.filter(|word| !sides.iter().any(|side| word.starts_with(side)));
                let wording = words.collect::<Vec<_>>().join(" ");
                assert_ne!(wording, last, "{text}");
                last = wording;
                count += 1;
            }
        }
        assert!(count >= least, "{name}: {count}");
    }
}
