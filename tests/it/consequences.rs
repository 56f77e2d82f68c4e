//! Reasons of mistakes: every claim of every sentence is checked by the rules, a breadth-first search or an
//! exhaustive search.

use std::collections::{BTreeMap, BTreeSet};

use crosspath::ai::hex::consequence::explain_mistake as of_hex;
use crosspath::ai::hex::ladder::describe_first_ladder;
use crosspath::ai::quoridor::consequence::explain_mistake as of_quoridor;
use crosspath::ai::tictactoe::consequence::explain_mistake as of_tictactoe;
use crosspath::board::hexgrid::Edge;
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{self, Hex, SwapRule, goal_edges};
use crosspath::games::quoridor::{Cell as Square, Quoridor};
use crosspath::games::tictactoe::{Cell, TicTacToe};
use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;
use rand::seq::IndexedRandom;

use crate::quoridor_help::{moves, random_move, steps_with_walls};

/// Returns the words of a sentence without its punctuation.
fn split_words(text: &str) -> Vec<&str> {
    text.split(' ')
        .map(|word| word.trim_end_matches([',', ';', ':', '.', ')']).trim_start_matches('('))
        .collect()
}

/// Returns the word that follows a phrase.
#[track_caller]
fn word_after<'t>(text: &'t str, phrase: &str) -> &'t str {
    let (_, rest) = text.split_once(phrase).unwrap_or_else(|| panic!("{phrase:?} in {text:?}"));
    split_words(rest.trim_start())[0]
}

fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut all = Vec::new();
    game.push_legal_moves(&mut all);
    all
}

fn position_after<G: Game>(game: &G, mv: G::Move) -> G {
    let mut after = game.clone();
    after.try_make_move(mv).unwrap_or_else(|refusal| panic!("{mv:?} in {game:?}: {refusal}"));
    after
}

fn parse_move<G: Notation>(game: &G, text: &str) -> G::Move {
    game.parse(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

// ---- tic-tac-toe ----

/// Returns the value of a position for the side to move: 1, 0 or -1.
fn minimax_value(game: &TicTacToe, cache: &mut BTreeMap<u64, i8>) -> i8 {
    match game.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(side)) => return if side == game.to_move() { 1 } else { -1 },
        None => {}
    }
    if let Some(&value) = cache.get(&game.position_key()) {
        return value;
    }
    let values = legal_moves(game).into_iter().map(|mv| -minimax_value(&position_after(game, mv), cache));
    let best = values.max().expect("a move");
    cache.insert(game.position_key(), best);
    best
}

fn wins_at_once(game: &TicTacToe) -> bool {
    let me = Outcome::Win(game.to_move());
    game.outcome().is_none()
        && legal_moves(game).into_iter().any(|mv| position_after(game, mv).outcome() == Some(me))
}

/// Reports whether the side to move can force a win with at most `count` of its own moves.
fn wins_within(game: &TicTacToe, count: u32) -> bool {
    let me = game.to_move();
    if game.outcome().is_some() || count == 0 {
        return false;
    }
    wins_at_once(game)
        || legal_moves(game).into_iter().any(|mv| is_lost_within(&position_after(game, mv), me, count - 1))
}

/// Reports whether the side that has just moved can force a win with at most `count` more moves.
fn is_lost_within(game: &TicTacToe, winner: Side, count: u32) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome == Outcome::Win(winner);
    }
    count > 0 && legal_moves(game).into_iter().all(|mv| wins_within(&position_after(game, mv), count))
}

/// Returns the cells of a line by its name in a sentence, on a board where only full lines win.
fn line_cells(game: &TicTacToe, name: &str) -> Vec<Cell> {
    let size = game.size();
    let at = |row: usize, col: usize| Cell(u8::try_from(row * size + col).unwrap());
    let ends = |text: &str| {
        let (one, other) = text.split_once('-').unwrap();
        let [one, other] = [one, other].map(|text| parse_move(game, text).index());
        let [rows, cols] = [(one / size, other / size), (one % size, other % size)];
        let count = rows.0.abs_diff(rows.1).max(cols.0.abs_diff(cols.1));
        let step = |(from, to): (usize, usize), i: usize| match from.cmp(&to) {
            std::cmp::Ordering::Less => from + i,
            std::cmp::Ordering::Equal => from,
            std::cmp::Ordering::Greater => from - i,
        };
        (0..=count).map(|i| at(step(rows, i), step(cols, i))).collect()
    };
    match name.split_once(' ') {
        Some(("row", row)) => (0..size).map(|col| at(row.parse::<usize>().unwrap() - 1, col)).collect(),
        Some(("column", col)) => {
            let col = usize::from(col.as_bytes()[0] - b'a');
            (0..size).map(|row| at(row, col)).collect()
        }
        _ => ends(name.rsplit(' ').next().unwrap()),
    }
}

/// Returns the one empty cell that a side needs to fill a line. Panics unless it has the rest.
#[track_caller]
fn missing_cell(game: &TicTacToe, side: Side, line: &str) -> Cell {
    let cells = line_cells(game, line);
    assert_eq!(cells.len(), game.win_length(), "{line}");
    let missing: Vec<Cell> = cells.into_iter().filter(|cell| game.stones(side) & cell.bit() == 0).collect();
    let [only] = missing[..] else { panic!("{line} lacks {missing:?} in\n{game}") };
    assert!(game.empty_cells() & only.bit() != 0, "{line} in\n{game}");
    only
}

/// Checks every claim of a sentence and returns its kind.
fn check_tictactoe(
    game: &TicTacToe,
    [played, better]: [Cell; 2],
    text: &str,
    marks: &[(Cell, char)],
) -> &'static str {
    let me = game.to_move();
    let [lost, kept] = [played, better].map(|mv| position_after(game, mv));
    assert!(text.contains(&game.format_move(better)) || text.contains(&game.format_move(played)), "{text}");
    assert!(marks.iter().all(|(cell, _)| game.empty_cells() & cell.bit() != 0 && *cell != better), "{text}");
    let answered = || {
        let phrases = ["threats at once with ", "fork with ", "beginning with ", "by threats: ", " with "];
        let answer = phrases.iter().find(|phrase| text.contains(*phrase)).unwrap();
        let answer = parse_move(game, word_after(text, answer));
        assert!(answer == better || marks.contains(&(answer, 'w')), "{text}");
        answer
    };
    let is_theirs = text.starts_with("After ") || text.contains(" lets ");
    if text.contains(" pair") {
        check_pairs(&kept, me, marks, better);
        "pairing"
    } else if text.contains("complete") && is_theirs {
        let answer = answered();
        let line = text.split_once("completes ").or(text.split_once("complete ")).unwrap().1;
        assert_eq!(missing_cell(&lost, me.other(), line.split_once(" with ").unwrap().0), answer, "{text}");
        assert_eq!(position_after(&lost, answer).outcome(), Some(Outcome::Win(me.other())));
        assert!(!wins_at_once(&kept), "{text}");
        "their line"
    } else if text.contains("completes") {
        assert_eq!(kept.outcome(), Some(Outcome::Win(me)), "{text}");
        let line = text.split_once("completes ").unwrap().1.trim_end_matches('.');
        assert_eq!(missing_cell(game, me, line), better, "{text}");
        "own line"
    } else if text.contains("threatens") || text.contains("threats at once") {
        let forked = if is_theirs { position_after(&lost, answered()) } else { kept.clone() };
        let side = forked.to_move().other();
        assert!(forked.outcome().is_none() && !wins_at_once(&forked), "{text}");
        assert!(is_lost_within(&forked, side, 1), "{text}\n{forked}");
        let lines = text.split_once("threatens ").unwrap_or_else(|| text.split_once(": ").unwrap()).1;
        let (one, other) = lines.trim_end_matches('.').split_once(" and ").unwrap();
        let ends = [one, other].map(|line| missing_cell(&forked, side, line));
        assert_ne!(ends[0], ends[1], "{text}");
        assert!(ends.iter().all(|end| *end == better || marks.contains(&(*end, '='))), "{text} {marks:?}");
        if is_theirs { "their fork" } else { "own fork" }
    } else {
        let count: u32 = word_after(text, " in ").parse().unwrap();
        if is_theirs && text.contains("whatever") {
            assert!(wins_within(&lost, count), "{text}");
            "their win"
        } else if is_theirs {
            assert!(is_lost_within(&position_after(&lost, answered()), me.other(), count - 1), "{text}");
            "their chain"
        } else {
            assert!(is_lost_within(&kept, me, count - 1), "{text}");
            "own chain"
        }
    }
}

/// Asserts that the marked pairs are disjoint, and that each line without a stone of the side contains a
/// pair.
fn check_pairs(game: &TicTacToe, side: Side, marks: &[(Cell, char)], better: Cell) {
    let mut pairs: BTreeMap<char, u128> = BTreeMap::new();
    for &(cell, sign) in marks {
        assert!(cell != better && game.empty_cells() & cell.bit() != 0);
        *pairs.entry(sign).or_default() |= cell.bit();
    }
    assert!(pairs.values().all(|pair| pair.count_ones() == 2));
    let own = game.stones(side);
    for line in game.winning_lines().masks().iter().filter(|line| *line & own == 0) {
        assert!(pairs.values().any(|pair| pair & line == *pair), "{line:b} in\n{game}");
    }
}

/// Checks both wordings for a pair of moves and counts their kinds.
fn check_tictactoe_pair(
    game: &TicTacToe,
    pair: [Cell; 2],
    kinds: &mut BTreeMap<&'static str, usize>,
) -> bool {
    let found = [0, 1].map(|wording| of_tictactoe(game, pair, wording));
    let [Some(one), Some(other)] = &found else {
        assert!(found.iter().all(Option::is_none));
        return false;
    };
    assert_ne!(one.text, other.text);
    for found in [one, other] {
        assert_eq!(found.legend.is_empty(), found.marks.is_empty(), "{}", found.text);
        *kinds.entry(check_tictactoe(game, pair, &found.text, &found.marks)).or_default() += 1;
    }
    true
}

#[test]
fn every_3x3_mistake_has_a_true_reason() {
    let (mut cache, mut seen, mut kinds) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
    let mut open = vec![TicTacToe::new(3).unwrap()];
    let (mut mistakes, mut silent) = (0, Vec::new());
    while let Some(game) = open.pop() {
        if game.outcome().is_some() || !seen.insert(game.position_key()) {
            continue;
        }
        let all = legal_moves(&game);
        open.extend(all.iter().map(|&mv| position_after(&game, mv)));
        for pair in all.iter().flat_map(|&one| all.iter().map(move |&other| [one, other])) {
            let [played, better] = pair.map(|mv| -minimax_value(&position_after(&game, mv), &mut cache));
            if played >= better {
                continue;
            }
            mistakes += 1;
            // A move that only delays a line is not better.
            let is_best = !wins_at_once(&game) || position_after(&game, pair[1]).outcome().is_some();
            if !check_tictactoe_pair(&game, pair, &mut kinds) && is_best {
                silent.push(format!("{pair:?} in\n{game}"));
            }
        }
    }
    println!("{mistakes} mistakes, {} without a reason, {kinds:?}", silent.len());
    assert!(mistakes > 10_000 && kinds.len() >= 5, "{mistakes} {kinds:?}");
    assert!(silent.is_empty(), "{} of {mistakes}: {}", silent.len(), silent[0]);
}

#[test]
fn every_tictactoe_reason_on_larger_boards_is_true() {
    let mut kinds = BTreeMap::new();
    for (number, (size, length)) in (0..).zip([(4, 3), (4, 4), (5, 4)]) {
        let mut random = random_stream(65, number);
        for _ in 0..400 {
            let mut game = TicTacToe::with_win_length(size, length).unwrap();
            for _ in 0..random.random_range(2..size * size - 2) {
                let mv = *legal_moves(&game).choose(&mut random).unwrap();
                game.make_move(mv);
                if game.outcome().is_some() {
                    break;
                }
            }
            let all = legal_moves(&game);
            for _ in 0..if all.len() < 2 { 0 } else { 4 } {
                let pair = [0; 2].map(|_: i32| *all.choose(&mut random).unwrap());
                check_tictactoe_pair(&game, pair, &mut kinds);
            }
        }
    }
    println!("{kinds:?}");
    for kind in ["their line", "own line", "their fork", "own fork", "pairing"] {
        assert!(kinds.get(kind).is_some_and(|&count| count > 5), "{kind}: {kinds:?}");
    }
}

// ---- Quoridor ----

/// Returns the number of steps of a side to its goal row, by a breadth-first search that ignores the
/// other pawn.
fn steps_to_goal(game: &Quoridor, side: Side) -> i32 {
    let walls: Vec<_> = game.walls().map(|(wall, _)| wall).collect();
    steps_with_walls(game, side, &walls).unwrap_or_else(|| panic!("no path in {game}"))
}

/// Returns the numbers in a clause.
fn parse_numbers(clause: &str) -> Vec<i32> {
    split_words(clause).into_iter().filter_map(|word| word.parse().ok()).collect()
}

/// Checks every claim of a sentence and returns its kind.
fn check_quoridor(game: &Quoridor, pair: [crosspath::games::quoridor::Move; 2], text: &str) -> &'static str {
    let me = game.to_move();
    let them = me.other();
    let [lost, kept] = pair.map(|mv| position_after(game, mv));
    if text.contains("reach") {
        let row = |side: Side| format!("row {}", game.goal_row(side) + 1);
        if text.contains("win") {
            assert!(text.contains(&row(me)) && kept.outcome() == Some(Outcome::Win(me)), "{text}");
            assert_eq!(lost.outcome(), None);
            return "own win";
        }
        assert!(text.contains(&row(them)), "{text}");
        let answer = position_after(&lost, parse_move(game, word_after(text, " with ")));
        assert_eq!(answer.outcome(), Some(Outcome::Win(them)), "{text}");
        assert!(
            moves(&kept)
                .into_iter()
                .all(|mv| position_after(&kept, mv).outcome() != Some(Outcome::Win(them)))
        );
        return "their win";
    }
    let (first, second) = text.split_once("; ").unwrap();
    let (second, only) = second
        .split_once(", and is the only wall")
        .map_or((second, None), |(clause, only)| (clause, Some(only)));
    for ((clause, mv), now) in [first, second].into_iter().zip(pair).zip([&lost, &kept]) {
        assert!(split_words(clause).contains(&game.format_move(mv).as_str()), "{text}");
        let [own, was, theirs] = [steps_to_goal(now, me), steps_to_goal(game, me), steps_to_goal(now, them)];
        let cost = theirs - steps_to_goal(game, them);
        let wanted = match (mv.wall().is_some(), clause) {
            (true, clause) if clause.contains("nobody") || clause.contains("changes no") => {
                assert_eq!((cost, own), (0, was), "{text}");
                vec![]
            }
            (true, _) => vec![cost, own - was],
            (false, clause) if clause.contains("takes") => vec![was, own, theirs],
            (false, clause) if clause.contains("not") => vec![own, was, theirs],
            (false, _) => {
                assert_eq!(own, was, "{text}");
                vec![own, theirs]
            }
        };
        assert_eq!(parse_numbers(clause), wanted, "{text}\n{game}");
    }
    let costs = |mv| steps_to_goal(&position_after(game, mv), them) - steps_to_goal(game, them);
    let others = || {
        moves(game)
            .into_iter()
            .filter(|&mv| mv != pair[1] && mv.wall().is_some())
            .map(costs)
            .max()
            .unwrap_or(0)
    };
    let Some(only) = only else {
        assert!(pair[1].wall().is_none() || others() >= costs(pair[1]), "{text}");
        return "race";
    };
    let most = parse_numbers(only).first().copied().unwrap_or(0);
    assert!(others() == most && costs(pair[1]) > most, "{text}");
    "only wall"
}

#[test]
fn wall_costs_match_a_breadth_first_search() {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut random: RandomGenerator = random_stream(65, 20);
    for (width, height, walls, count) in [(5, 5, 6, 300), (7, 5, 8, 100), (3, 3, 2, 400), (9, 9, 10, 15)] {
        for _ in 0..count {
            let mut game = Quoridor::with_walls(width, height, walls).unwrap();
            for _ in 0..random.random_range(0..24) {
                let Some(mv) = random_move(&game, &mut random) else { break };
                game.make_move(mv);
            }
            if game.outcome().is_some() {
                continue;
            }
            let all = moves(&game);
            for _ in 0..2 {
                let pair = [0; 2].map(|_: i32| *all.choose(&mut random).unwrap());
                let found = [0, 1].map(|wording| of_quoridor(&game, pair, wording));
                if let [Some(one), Some(other)] = &found {
                    assert_ne!(one.text, other.text);
                } else {
                    assert!(found.iter().all(Option::is_none));
                }
                for found in found.into_iter().flatten() {
                    *kinds.entry(check_quoridor(&game, pair, &found.text)).or_default() += 1;
                    let is_cell = |text: String| text.len() == 2 && text != game.format_move(pair[1]);
                    assert!(
                        found.marks.iter().all(|&(mv, _)| is_cell(game.format_move(mv))),
                        "{}",
                        found.text
                    );
                }
            }
        }
    }
    println!("{kinds:?}");
    for kind in ["race", "only wall", "own win", "their win"] {
        assert!(kinds.get(kind).is_some_and(|&count| count > 15), "{kind}: {kinds:?}");
    }
}

#[test]
fn the_drawn_path_is_a_shortest_path() {
    let mut game = Quoridor::new(9).unwrap();
    for text in ["e2", "e8", "e3", "e7"] {
        game.make_move(parse_move(&game, text));
    }
    let pair = ["a1h", "d6h"].map(|text| parse_move(&game, text));
    let found = of_quoridor(&game, pair, 0).unwrap();
    let path: Vec<Square> = found
        .marks
        .iter()
        .map(|&(mv, _)| parse_move(&game, &game.format_move(mv)))
        .map(|mv| {
            let text = game.format_move(mv);
            Square::at(usize::from(text.as_bytes()[0] - b'a'), usize::from(text.as_bytes()[1] - b'1'))
                .unwrap()
        })
        .collect();
    let lost = position_after(&game, pair[0]);
    assert_eq!(i32::try_from(path.len()).unwrap(), steps_to_goal(&lost, Side::Second));
    assert_eq!(path.last().unwrap().row(), 0);
}

// ---- Hex ----

/// Returns the winner of a position, by an exhaustive search.
fn solve_winner(game: &Hex, cache: &mut BTreeMap<Vec<Option<Side>>, bool>) -> Side {
    if let Some(Outcome::Win(side)) = game.outcome() {
        return side;
    }
    let me = game.to_move();
    if let Some(&wins) = cache.get(game.stones()) {
        return if wins { me } else { me.other() };
    }
    let wins = legal_moves(game).into_iter().any(|mv| solve_winner(&position_after(game, mv), cache) == me);
    cache.insert(game.stones().to_vec(), wins);
    if wins { me } else { me.other() }
}

/// Reports whether a stone stays connected to an edge when the opponent moves first, with `open` as the only
/// empty cells and `own` as additional stones of the side.
fn connection_holds(
    game: &Hex,
    stone: hex::Cell,
    edge: Edge,
    side: Side,
    open: &[hex::Cell],
    own: &[hex::Cell],
) -> bool {
    let is_own = |cell: hex::Cell| game.stone_at(cell) == Some(side) || own.contains(&cell);
    let (mut chain, mut next) = (vec![stone], 0);
    while let Some(&cell) = chain.get(next) {
        next += 1;
        for &beside in game.grid().neighbours(cell) {
            if is_own(beside) && !chain.contains(&beside) {
                chain.push(beside);
            }
        }
    }
    let without =
        |cells: &[hex::Cell], cell: hex::Cell| cells.iter().copied().filter(|&other| other != cell).collect();
    chain.iter().any(|&cell| game.grid().is_on_edge(cell, edge))
        || !open.is_empty()
            && open.iter().all(|&taken| {
                let left: Vec<hex::Cell> = without(open, taken);
                left.iter().any(|&answer| {
                    connection_holds(
                        game,
                        stone,
                        edge,
                        side,
                        &without(&left, answer),
                        &[own, &[answer]].concat(),
                    )
                })
            })
}

/// Checks every claim of a sentence and returns its kind.
fn check_hex(game: &Hex, pair: [hex::Move; 2], text: &str, marks: &[(hex::Move, char)]) -> &'static str {
    let me = game.to_move();
    let [lost, kept] = pair.map(|mv| position_after(game, mv));
    if text.contains("misses a win: ") || text.contains("wins at once: ") {
        assert_eq!(kept.outcome(), Some(Outcome::Win(me)), "{text}");
        let edges = if me == Side::First { "top" } else { "left" };
        assert!(word_after(text, " connects ").contains(edges), "{text}");
        return "win";
    }
    if text.contains("needs") || text.contains("to connect and") {
        let count = |game: &Hex, side| i32::from(game.stones_needed_with_bridges(side).unwrap());
        let of = |game| [count(game, me.other()), count(game, me)];
        let [before, then] =
            if text.starts_with("With ") { [of(&lost), of(&kept)] } else { [of(&kept), of(&lost)] };
        assert_eq!(parse_numbers(text), [before, then].concat(), "{text}");
        let [played, better] = [of(&lost), of(&kept)];
        assert!(better[0] > played[0] || better[1] < played[1], "{text}");
        let Some((_, template)) = text.split_once(" reaches the ") else { return "stones" };
        assert!(better[1] < played[1], "{text}");
        let (edge, name) = template.split_once(" edge by ").unwrap();
        let edge = goal_edges(me).into_iter().find(|&one| format!("{one:?}").to_lowercase() == edge).unwrap();
        let stone = pair[1].cell().unwrap();
        let cells: Vec<hex::Cell> = marks.iter().filter_map(|(mv, _)| mv.cell()).collect();
        let most = if name.contains("III-a") { 8 } else { 2 };
        assert!(marks.len() <= most && !name.contains("IV"), "{text}");
        assert!(connection_holds(&kept, stone, edge, me, &cells, &[]), "{text} {marks:?}");
        return "template";
    }
    let answer = parse_move(
        game,
        if text.starts_with("After ") { word_after(text, "wins with ") } else { word_after(text, ": ") },
    );
    let won = position_after(&lost, answer);
    // The winner needs only its own cells, so the loser gets all others.
    let mut needed: Vec<hex::Move> =
        marks.iter().filter(|(_, sign)| *sign == '=').map(|&(mv, _)| mv).collect();
    let named_cells = text.split_once(" through ").map_or("", |(_, rest)| rest);
    let listed = split_words(named_cells).into_iter().take_while(|word| game.parse(word).is_ok()).count();
    let count = parse_numbers(named_cells).first().copied().unwrap_or(i32::try_from(listed).unwrap());
    let is_hidden = i32::try_from(needed.len()).unwrap() < count;
    if is_hidden {
        needed.push(pair[1]); // it has a mark of its own
    }
    assert_eq!(i32::try_from(needed.len()).unwrap(), count, "{text} {marks:?}");
    let loser = me;
    let free: Vec<hex::Cell> = needed.iter().filter_map(|mv| mv.cell()).collect();
    let stones: Vec<(Side, hex::Cell)> = game
        .grid()
        .cells()
        .filter(|cell| !free.contains(cell))
        .map(|cell| (won.stone_at(cell).unwrap_or(loser), cell))
        .collect();
    match Hex::with_stones(game.size(), SwapRule::Off, &stones, loser) {
        Ok(bare) => assert_eq!(solve_winner(&bare, &mut BTreeMap::new()), me.other(), "{text}\n{game:?}"),
        Err(_) => assert_eq!(won.outcome(), Some(Outcome::Win(me.other())), "{text}"),
    }
    "connection"
}

#[test]
fn a_claimed_connection_holds_against_every_reply() {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut random: RandomGenerator = random_stream(65, 30);
    for (size, stones, count) in [(3, 1..5, 400), (4, 2..8, 400), (5, 8..14, 200), (6, 16..24, 100)] {
        for _ in 0..count {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            for _ in 0..random.random_range(stones.clone()) {
                let mv = *legal_moves(&game).choose(&mut random).unwrap();
                game.make_move(mv);
                if game.outcome().is_some() {
                    break;
                }
            }
            let all = legal_moves(&game);
            for _ in 0..if all.len() < 2 { 0 } else { 3 } {
                let pair = [0; 2].map(|_: i32| *all.choose(&mut random).unwrap());
                let found = [0, 1].map(|wording| of_hex(&game, pair, wording));
                for found in found.into_iter().flatten() {
                    *kinds.entry(check_hex(&game, pair, &found.text, &found.marks)).or_default() += 1;
                }
            }
        }
    }
    println!("{kinds:?}");
    for (kind, least) in [("stones", 100), ("connection", 300), ("template", 10), ("win", 20)] {
        assert!(kinds.get(kind).is_some_and(|&count| count > least), "{kind}: {kinds:?}");
    }
}

/// Side of a ladder, and the columns and rows of its first and last stone, from 0.
type LadderRun = (Side, (usize, usize), (usize, usize));

/// Finds the ladders of a line of moves by their definition.
fn find_ladders(size: usize, line: &[(usize, usize)]) -> BTreeSet<LadderRun> {
    let mut all = BTreeSet::new();
    for start in 0..line.len() {
        let attacker = if start.is_multiple_of(2) { Side::First } else { Side::Second };
        for is_far in [false, true] {
            // The coordinate along the edge, and the distance from the edge.
            let of = |(column, row): (usize, usize)| {
                let (along, depth) = if attacker == Side::First { (column, row) } else { (row, column) };
                (along, if is_far { size - depth } else { depth + 1 })
            };
            let stones: Vec<_> = line[start..].iter().step_by(2).copied().collect();
            let answers: Vec<_> = line[start..].iter().skip(1).step_by(2).copied().collect();
            for (count, direction) in (3..=stones.len()).flat_map(|count| [(count, 1), (count, -1)]) {
                let (along, depth) = of(stones[0]);
                let follows = (0..count).all(|k| {
                    of(stones[k])
                        == (along.wrapping_add_signed(direction * isize::try_from(k).unwrap()), depth)
                });
                let is_answered = (0..count - 1).all(|k| {
                    let (column, row) = stones[k];
                    let around = [(0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];
                    let is_beside = around.iter().any(|&(x, y)| {
                        answers[k] == (column.wrapping_add_signed(x), row.wrapping_add_signed(y))
                    });
                    is_beside && of(answers[k]).1 + 1 == depth
                });
                if follows && is_answered && (2..=4).contains(&depth) {
                    all.insert((attacker, stones[0], stones[count - 1]));
                }
            }
        }
    }
    all
}

#[test]
fn ladders_match_their_definition() {
    let (mut random, mut found): (RandomGenerator, usize) = (random_stream(65, 31), 0);
    for round in 0..40_000 {
        let size = random.random_range(4..8);
        let mut game = Hex::new(size, SwapRule::Off).unwrap();
        let start = game.clone();
        let (mut line, mut cells): (Vec<hex::Move>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
        for _ in 0..random.random_range(5..10) {
            let all = legal_moves(&game);
            // Moves are mostly beside the previous stones, where ladders arise.
            let near: Vec<_> = all
                .iter()
                .copied()
                .filter(|mv| {
                    let last = cells.iter().rev().take(2);
                    let (row, column) = game.grid().coordinates(mv.cell().unwrap());
                    last.into_iter().all(|&(x, y)| x.abs_diff(column) <= 1 && y.abs_diff(row) <= 1)
                })
                .collect();
            let from = if near.is_empty() || random.random_range(0..10) == 0 { &all } else { &near };
            let mv = *from.choose(&mut random).unwrap();
            let (row, column) = game.grid().coordinates(mv.cell().unwrap());
            cells.push((column, row));
            line.push(mv);
            game.make_move(mv);
            if game.outcome().is_some() {
                break;
            }
        }
        let expected = find_ladders(size, &cells);
        let named = describe_first_ladder(&start, &line);
        assert_eq!(named.is_some(), !expected.is_empty(), "{round}: {cells:?} {named:?}");
        let Some(text) = named else { continue };
        found += 1;
        let attacker = if text.starts_with("Red") { Side::First } else { Side::Second };
        let ends = [word_after(&text, ", from "), word_after(&text, " to ")].map(|name| {
            let (row, column) = start.grid().coordinates(start.parse(name).unwrap().cell().unwrap());
            (column, row)
        });
        assert!(expected.contains(&(attacker, ends[0], ends[1])), "{text} {expected:?}");
    }
    assert!(found > 200, "{found} ladders");
}
