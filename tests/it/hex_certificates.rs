//! Written proofs of Hex, compared with the proof checker and with a brute-force solver.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::proof::HexProver;
use crosspath::ai::{Limits, SearchBudget, SearchControl};
use crosspath::game::Game;
use crosspath::games::hex::{Cell, Hex, Move, SwapRule};
use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;

use crate::check_hex_proof::check;
use crate::sentences::{lasting, said};
use crate::support::{folder, has_memory_limits, run, run_script};

/// Returns the written proof of a position, with an empty table.
fn write_proof(game: &Hex) -> String {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<Move>(&SearchControl::without_reports(Limits::default(), &stop));
    HexProver::new(game.size(), 8).write_certificate(game, &mut budget).expect("there is no limit").text
}

/// Checks the proof of every `step`th opening of a board size. Returns the number of lines of the longest
/// proof.
fn check_openings(size: usize, step: usize) -> usize {
    let empty = Hex::new(size, SwapRule::Off).unwrap();
    let mut longest = 0;
    for cell in empty.grid().cells().step_by(step) {
        let mut game = empty.clone();
        game.make_move(cell.into());
        if game.outcome().is_none() {
            let proof = write_proof(&game);
            let checked = check(&proof).unwrap_or_else(|why| panic!("{why} in\n{proof}"));
            longest = longest.max(checked.lines);
        }
    }
    longest
}

#[test]
fn the_checker_accepts_every_written_proof() {
    for (size, step) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 4)] {
        check_openings(size, step);
        assert_eq!(check(&write_proof(&Hex::new(size, SwapRule::Off).unwrap())).unwrap().winner, "first");
    }
}

#[test]
#[ignore = "all openings of 5x5, some of 6x6, and empty 7x7: half a minute"]
fn the_checker_accepts_longer_proofs() {
    let began = std::time::Instant::now();
    let longest = [(5, 1), (6, 5)].map(|(size, step)| check_openings(size, step));
    let empty =
        [6, 7].map(|size| check(&write_proof(&Hex::new(size, SwapRule::Off).unwrap())).unwrap().lines);
    println!("{:?}", began.elapsed());
    println!(
        "lines: openings of 5x5 {}, of 6x6 {}; empty 6x6 {}, 7x7 {}",
        longest[0], longest[1], empty[0], empty[1]
    );
}

/// Claim of one line of a proof on 4x4. Cells are bits; ends are cells, or 16 and 17 for the edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    stones: u16,
    is_full: bool,
    ends: [u8; 2],
    carrier: u16,
}

/// Brute-force solver of connections on 4x4, for one winner.
struct BruteForceSolver {
    is_first: bool,
    /// Results by stones, empty cells, ends, and whether the connecting side moves.
    known: BTreeMap<(u16, u16, [u8; 2], bool), bool>,
}

impl BruteForceSolver {
    fn neighbours(cell: u8) -> u16 {
        let (row, col) = (i32::from(cell) / 4, i32::from(cell) % 4);
        let steps = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)].map(|(r, c)| (row + r, col + c));
        let inside = steps.iter().filter(|(r, c)| (0..4).contains(r) && (0..4).contains(c));
        inside.fold(0, |all, (r, c)| all | 1 << (4 * r + c))
    }

    /// Returns the cells of an end: the cell itself, or the cells along an edge.
    fn end_cells(&self, end: u8) -> u16 {
        match (end, self.is_first) {
            (16, true) => 0x000f,
            (17, true) => 0xf000,
            (16, false) => 0x1111,
            (17, false) => 0x8888,
            _ => 1 << end,
        }
    }

    fn has_chain(&self, stones: u16, ends: [u8; 2]) -> bool {
        let mut seen = self.end_cells(ends[0]) & stones;
        loop {
            let near = (0..16)
                .filter(|cell| seen >> cell & 1 == 1)
                .fold(seen, |all, cell| all | Self::neighbours(cell));
            if near & stones == seen {
                return seen & self.end_cells(ends[1]) != 0;
            }
            seen = near & stones;
        }
    }

    fn can_connect(&mut self, stones: u16, empty: u16, ends: [u8; 2], is_own_move: bool) -> bool {
        if self.has_chain(stones, ends) {
            return true;
        }
        if !self.has_chain(stones | empty, ends) {
            return false;
        }
        let key = (stones, empty, ends, is_own_move);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let cells = (0..16).map(|cell| 1_u16 << cell).filter(|cell| empty & cell != 0);
        let connects = if is_own_move {
            cells.into_iter().any(|cell| self.can_connect(stones | cell, empty & !cell, ends, false))
        } else {
            cells.into_iter().all(|cell| self.can_connect(stones, empty & !cell, ends, true))
        };
        self.known.insert(key, connects);
        connects
    }

    /// Reports whether a claim is true when the winner has stones on the ends and the loser owns all cells
    /// outside the carrier.
    fn is_true(&mut self, claim: Claim) -> bool {
        let ends = claim.ends.iter().filter(|&&end| end < 16).fold(0, |all, end| all | 1 << end);
        let empty = claim.carrier & !claim.stones & !ends;
        self.can_connect(claim.stones | ends, empty, claim.ends, !claim.is_full)
    }
}

/// Returns the claims that the last line depends on, and that of the position. Rules are not checked.
/// Returns `None` if a word is not understood.
fn parse_claims(text: &str) -> Option<(bool, Vec<Claim>)> {
    let cell = |name: &str| {
        let (col, row) =
            (name.as_bytes()[0].wrapping_sub(b'a'), name[1..].parse::<u8>().ok()?.wrapping_sub(1));
        (col < 4 && row < 4).then_some(4 * row + col)
    };
    let cells = |words: &[&str]| words.iter().try_fold(0_u16, |all, name| Some(all | 1 << cell(name)?));
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let [first, second] = [cells(&lines[2][1..])?, cells(&lines[3][1..])?];
    let (is_first, winner_moves) = (lines[5][1] == "first", lines[4][1] == lines[5][1]);
    let own = if is_first { first } else { second };
    let position = Claim { stones: own, is_full: !winner_moves, ends: [16, 17], carrier: !(first | second) };
    let (mut stones, mut known, mut last) = (0, BTreeMap::<&str, (Claim, Vec<&str>)>::new(), None);
    for words in &lines[6..] {
        match words[..] {
            ["at", ..] => stones = cells(&words[1..])?,
            ["proved", number] => last = Some(number),
            [kind, number, one, other, rule, ref parts @ ..] => {
                let end = |name: &str| match name {
                    "top" | "left" => Some(16),
                    "bottom" | "right" => Some(17),
                    _ => cell(name),
                };
                let (key, parts) = match (rule, parts) {
                    ("over", [over, parts @ ..]) => (1 << cell(over)?, parts.to_vec()),
                    ("move", [mv, after]) => (1 << cell(mv)?, vec![*after]),
                    ("fill", [filled @ .., below]) => (cells(filled)?, vec![*below]),
                    (_, parts) => (0, parts.to_vec()),
                };
                let carriers: Option<Vec<u16>> =
                    parts.iter().map(|part| Some(known.get(part)?.0.carrier)).collect();
                let carrier = carriers?.iter().fold(key, |all, carrier| all | carrier) & !stones;
                let claim =
                    Claim { stones, is_full: kind == "full", ends: [end(one)?, end(other)?], carrier };
                known.insert(number, (claim, parts));
            }
            _ => return None,
        }
    }
    let (mut needed, mut all) = (vec![last?], vec![position]);
    let mut seen = BTreeSet::new();
    while let Some(number) = needed.pop() {
        if seen.insert(number) {
            let (claim, parts) = known.get(number)?;
            all.push(*claim);
            needed.extend(parts);
        }
    }
    Some((is_first, all))
}

/// Returns the proof with one word changed, or with one part of an OR removed.
fn mutate_proof(proof: &str, generator: &mut RandomGenerator) -> String {
    let mut lines: Vec<Vec<String>> =
        proof.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    loop {
        let at = generator.random_range(2..lines.len());
        let line = &mut lines[at];
        let word = generator.random_range(0..line.len());
        let is_rule = line.len() > 4 && word == 4;
        if is_rule || word == 1 && line.len() > 4 || line[word] == "touch" {
            continue; // the rule and the number of another line
        }
        let swaps = [["full", "semi"], ["first", "second"], ["top", "bottom"], ["left", "right"]];
        let old = line[word].clone();
        if let Some([one, other]) = swaps.into_iter().find(|pair| pair.contains(&old.as_str())) {
            if word > 0 || ["full", "semi"].contains(&one) {
                if old == one { other } else { one }.clone_into(&mut line[word]);
            } else {
                continue;
            }
        } else if let Ok(number) = old.parse::<u32>() {
            if line.len() > 5 && line[4] == "or" && generator.random_range(0..2) == 0 {
                line.remove(word);
            } else {
                line[word] = generator.random_range(1..=number.max(2)).to_string();
            }
        } else if old.len() == 2 {
            let cell = generator.random_range(0..16_u8);
            line[word] = format!("{}{}", char::from(b'a' + cell % 4), cell / 4 + 1);
        } else {
            continue;
        }
        let text: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        return text.join("\n") + "\n";
    }
}

/// Mutates proofs of random positions on 4x4 until `wanted` of them make a false claim, which the checker
/// must refuse.
fn check_mutations(wanted: u32, stones: std::ops::Range<usize>) {
    let mut brutes = [true, false].map(|is_first| BruteForceSolver { is_first, known: BTreeMap::new() });
    let mut is_true: [BTreeMap<Claim, bool>; 2] = Default::default();
    let (mut wrong, mut number) = (0, 0);
    while wrong < wanted {
        number += 1;
        let mut generator = random_stream(67, number);
        let mut game = Hex::new(4, SwapRule::Off).unwrap();
        for _ in 0..generator.random_range(stones.clone()) {
            let empty: Vec<Cell> = game.empty_cells().collect();
            if game.outcome().is_none() {
                game.make_move(empty[generator.random_range(0..empty.len())].into());
            }
        }
        if game.outcome().is_some() {
            continue;
        }
        let proof = write_proof(&game);
        check(&proof).unwrap();
        for _ in 0..20 {
            let changed = mutate_proof(&proof, &mut generator);
            let Some((is_first, all)) = parse_claims(&changed) else { continue };
            let (brute, known) = (&mut brutes[usize::from(!is_first)], &mut is_true[usize::from(!is_first)]);
            let mut holds = |claim: &Claim| *known.entry(*claim).or_insert_with(|| brute.is_true(*claim));
            if !all.iter().all(&mut holds) {
                assert!(check(&changed).is_err(), "accepted\n{changed}\nafter\n{proof}");
                wrong += 1;
            }
        }
        let Some((is_first, all)) = parse_claims(&proof) else { panic!("{proof}") };
        let brute = &mut brutes[usize::from(!is_first)];
        for claim in all {
            assert!(brute.is_true(claim), "{proof}");
        }
    }
    println!("{wrong} false proofs of {number} positions are refused");
}

#[test]
fn the_checker_refuses_false_proofs() {
    check_mutations(300, 6..11);
}

#[test]
#[ignore = "1,000 false proofs, also of nearly empty boards: two minutes"]
fn the_checker_refuses_1_000_false_proofs() {
    check_mutations(1_000, 0..8);
}

#[test]
fn solve_writes_a_proof_that_the_checker_accepts() {
    let folder = folder();
    let path = folder.path().join("proof.txt");
    let file = path.to_str().unwrap();
    let solve = ["solve", "--game", "hex", "--size", "4", "--no-swap", "--moves", "a1 b2", "--proof", file];
    let run_4x4 = run(&solve, "");
    assert!(
        run_4x4.out.contains(lasting(format!("{} ", said!("to-move-wins-in", "Red", "Red")))),
        "{}{}",
        run_4x4.out,
        run_4x4.err
    );
    let proof = std::fs::read_to_string(&path).unwrap();
    assert_eq!(check(&proof).unwrap().winner, "first");
    let other = run(&["solve", "--proof", file], "");
    let said = "error: --map and --proof are for Hex, not for tic-tac-toe\n";
    assert_eq!((other.code, other.err.as_str()), (Some(2), said));
    let limited =
        run(&["solve", "--game", "hex", "--size", "9", "--nodes", "3", "--proof", file, "--force"], "");
    let said = lasting(format!("error: {}\n", said!("not-proved-within-the")));
    assert_eq!((limited.code, limited.err.as_str()), (Some(1), said));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), proof);
}

#[test]
fn a_map_can_be_resumed() {
    let folder = folder();
    let path = folder.path().join("map.txt");
    let file = path.to_str().unwrap();
    let map = |size: &str| {
        let map = ["solve", "--game", "hex", "--no-swap", "--map", "--resume", file, "--size", size];
        run(&map, "")
    };
    let whole = map("3").out;
    assert!(whole.contains(lasting(format!("{}\n", said!("wins-in-at-most", "b2", "Red", "5")))), "{whole}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 10, "{text}");
    // Entries of the file are trusted, and only the missing ones are computed.
    let some: Vec<&str> = text.lines().take(4).collect();
    std::fs::write(&path, some.join("\n").replace("c1 first 7", "c1 first 8")).unwrap();
    let again = map("3").out;
    assert!(again.contains(lasting(format!("{}\n", said!("wins-in-at-most", "c1", "Red", "8")))), "{again}");
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 10);
    let other = map("4");
    assert!(other.code == Some(2) && other.err.contains(said!("it-must-begin-with")), "{}", other.err);
}

#[test]
fn a_prover_without_memory_fails_with_a_message() {
    if !has_memory_limits("a prover without memory") {
        return;
    }
    let solve = ["solve", "--game", "hex", "--size", "6", "--memory", "65536"];
    let script = format!("ulimit -v 3000000 && exec \"$0\" {}", solve.join(" "));
    let run = run_script(&script);
    let said = lasting(format!("error: {}\n", said!("not-proved-there-is", "65536")));
    assert_eq!((run.code, run.err.as_str()), (Some(1), said), "{}", run.out);
}
