//! Checks a proof of a Hex position that `crosspath solve --game hex --proof FILE` has written.
//!
//! `cargo run --release --example check_hex_proof -- FILE...`
//!
//! It knows only the rules of Hex and how connections follow from each other. It does not search, and it shares no code
//! with the program that wrote the proof. `docs/hex-proofs.md` describes the format.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for file in std::env::args().skip(1) {
        let read = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        let told = match read.and_then(|text| check(&text)) {
            Ok(Checked { winner, lines }) => format!("{file}: {winner} wins, {lines} lines hold"),
            Err(why) => {
                code = ExitCode::FAILURE;
                format!("{file}: not a proof: {why}")
            }
        };
        if writeln!(std::io::stdout(), "{told}").is_err() {
            return ExitCode::FAILURE;
        }
    }
    code
}

/// Result of a checked proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    /// `first` or `second`.
    pub(crate) winner: String,
    /// Number of connections in the proof.
    pub(crate) lines: usize,
}

type Cells = BTreeSet<usize>;

/// Stones of the winner on the board. A *place* is a cell or an edge. Connected stones, together with any edge that they
/// reach, are one place, which has the smallest of their numbers. Edges are numbered after the cells.
struct Board {
    size: usize,
    is_first: bool,
    stones: Cells,
    place_of: Vec<usize>,
}

impl Board {
    fn new(size: usize, is_first: bool, stones: Cells) -> Self {
        let mut board = Board { size, is_first, stones, place_of: (0..size * size + 2).collect() };
        for stone in board.stones.clone() {
            for next in board.beside(stone) {
                if next >= size * size || board.stones.contains(&next) {
                    let (one, other) = (board.place_of[stone], board.place_of[next]);
                    for place in &mut board.place_of {
                        *place = if *place == one || *place == other { one.min(other) } else { *place };
                    }
                }
            }
        }
        board
    }

    /// Returns the neighbours of a cell, including any edge of the winner that it touches.
    fn beside(&self, cell: usize) -> Vec<usize> {
        let size = self.size;
        let (row, col) = (cell / size, cell % size);
        let mut beside = Vec::new();
        for (rows, cols) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
            let (row, col) = (row.checked_add_signed(rows), col.checked_add_signed(cols));
            if let (Some(row), Some(col)) = (row, col)
                && row < size
                && col < size
            {
                beside.push(row * size + col);
            }
        }
        let across = if self.is_first { row } else { col };
        beside.extend((across == 0).then_some(size * size));
        beside.extend((across == size - 1).then_some(size * size + 1));
        beside
    }

    /// Reports whether two places are the same or touch each other.
    fn touch(&self, one: usize, other: usize) -> bool {
        let is_at = |cell: usize, place: usize| self.place_of[cell] == place;
        let reaches = |from: usize, to: usize| {
            let cells = (0..self.size * self.size).filter(|&cell| is_at(cell, from));
            cells.into_iter().any(|cell| self.beside(cell).into_iter().any(|next| is_at(next, to)))
        };
        one == other || reaches(one, other) || reaches(other, one)
    }

    /// Reports whether a place is an empty cell.
    fn is_empty(&self, place: usize) -> bool {
        place < self.size * self.size && !self.stones.contains(&place)
    }

    /// Returns the winner's edges as places.
    fn edges(&self) -> [usize; 2] {
        sorted([0, 1].map(|edge| self.place_of[self.size * self.size + edge]))
    }
}

/// Connection that a line has proved: the winner joins two places within the cells of the carrier, even if the loser has
/// all other cells. If it is full, this holds even if the loser moves first.
struct Joined {
    board: usize,
    is_full: bool,
    ends: [usize; 2],
    carrier: Cells,
}

fn sorted(mut ends: [usize; 2]) -> [usize; 2] {
    ends.sort_unstable();
    ends
}

/// Proof that is read line by line.
struct Proof<'t> {
    size: usize,
    /// Stones of the first and of the second player.
    stones: [Cells; 2],
    move_of: &'t str,
    winner: &'t str,
    boards: Vec<Board>,
    /// Index of the board that the current lines are about.
    at: usize,
    /// Index into `boards` of each set of stones.
    known: BTreeMap<Cells, usize>,
    lines: BTreeMap<&'t str, Joined>,
}

/// Checks a whole proof.
///
/// # Errors
/// Names the line that does not hold and says why.
pub(crate) fn check(text: &str) -> Result<Checked, String> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    let mut next = |word: &str| {
        let (at, line) = lines.next().ok_or("the text ends too early")?;
        let rest = line.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.map(str::trim).ok_or(format!("line {at} must begin with {word:?}"))
    };
    // 1. Read the position.
    next("crosspath hex proof 1")?;
    let size = next("size")?.parse().ok().filter(|size| (1..=26).contains(size));
    let size: usize = size.ok_or("the size must be from 1 to 26")?;
    let stones = [cells(size, next("first")?)?, cells(size, next("second")?)?];
    if !stones[0].is_disjoint(&stones[1]) {
        return Err("both sides have a stone on one cell".to_owned());
    }
    let [move_of, winner] = [next("move")?, next("winner")?];
    if let Some(other) = [move_of, winner].into_iter().find(|side| !["first", "second"].contains(side)) {
        return Err(format!("{other:?} is no side"));
    }
    let (boards, known, lines_of) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    let mut proof = Proof { size, stones, move_of, winner, boards, at: 0, known, lines: lines_of };
    // 2. Check the connections.
    let mut is_proved = false;
    for (at, line) in lines {
        if is_proved {
            return Err(format!("line {at} stands behind the end"));
        }
        is_proved = proof.read(line).map_err(|why| format!("line {at}: {why}"))?;
    }
    if is_proved {
        Ok(Checked { winner: winner.to_owned(), lines: proof.lines.len() })
    } else {
        Err("there is no line \"proved\"".to_owned())
    }
}

fn cell(size: usize, name: &str) -> Result<usize, String> {
    let error = || format!("{name:?} is no cell");
    let letter = name.bytes().next().filter(u8::is_ascii_lowercase).ok_or_else(error)?;
    let (col, row) = (usize::from(letter - b'a'), name[1..].parse::<usize>().map_err(|_| error())?);
    if col < size && (1..=size).contains(&row) { Ok((row - 1) * size + col) } else { Err(error()) }
}

fn cells(size: usize, names: &str) -> Result<Cells, String> {
    let mut cells = Cells::new();
    for name in names.split_whitespace() {
        if !cells.insert(cell(size, name)?) {
            return Err(format!("{name} is named twice"));
        }
    }
    Ok(cells)
}

impl<'t> Proof<'t> {
    /// Reads a line; returns true if it is the last one.
    fn read(&mut self, line: &'t str) -> Result<bool, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["at", ..] => self.set_stones(cells(self.size, &words[1..].join(" "))?),
            ["proved", number] => return self.is_proof(number).map(|()| true),
            [kind, number, one, other, rule, ref parts @ ..] => {
                let joined = self.joined(one, other, rule, parts)?;
                let is_full = match kind {
                    "full" => true,
                    "semi" => false,
                    _ => return Err(format!("{kind:?} is neither full nor semi")),
                };
                require(joined.is_full == is_full, "the rule shows the other kind of connection")?;
                require(self.lines.insert(number, joined).is_none(), "the number is used already")?;
            }
            _ => return Err("the line is too short".to_owned()),
        }
        Ok(false)
    }

    /// Makes the following lines refer to these stones of the winner.
    fn set_stones(&mut self, stones: Cells) {
        self.at = self.known.get(&stones).copied().unwrap_or(self.boards.len());
        if self.at == self.boards.len() {
            self.boards.push(Board::new(self.size, self.winner == "first", stones.clone()));
            self.known.insert(stones, self.at);
        }
    }

    fn line(&self, number: &str) -> Result<&Joined, String> {
        self.lines.get(number).ok_or_else(|| format!("line {number} is not known"))
    }

    /// Returns the connection that a line claims if its rule proves it.
    fn joined(&self, one: &str, other: &str, rule: &str, parts: &[&str]) -> Result<Joined, String> {
        let board = self.boards.get(self.at).ok_or("no stones are given")?;
        let ends = sorted([self.place(one)?, self.place(other)?]);
        let joined = match (rule, parts) {
            ("touch", []) => {
                require(board.touch(ends[0], ends[1]), "the ends do not touch each other")?;
                Joined { board: self.at, is_full: true, ends, carrier: Cells::new() }
            }
            ("over", [over, one, other]) => self.over(over, self.line(one)?, self.line(other)?)?,
            ("or", parts) => {
                let parts: Result<Vec<&Joined>, String> = parts.iter().map(|part| self.line(part)).collect();
                self.or(&parts?)?
            }
            ("move", [cell, after]) => self.after_move(cell, self.line(after)?)?,
            ("fill", [cells @ .., below]) => self.filled(&cells.join(" "), self.line(below)?)?,
            ("more", [below]) => self.with_more(self.line(below)?)?,
            _ => return Err(format!("{rule:?} is no rule, or has other parts")),
        };
        require(joined.ends == ends, "the rule joins other ends")?;
        let is_needed = |end: &usize| joined.carrier.contains(end);
        require(!ends.iter().any(is_needed), "an end is one of the cells that are needed")?;
        Ok(joined)
    }

    fn place(&self, name: &str) -> Result<usize, String> {
        let cells = self.size * self.size;
        let node = match (self.winner, name) {
            ("first", "top") | ("second", "left") => cells,
            ("first", "bottom") | ("second", "right") => cells + 1,
            _ => cell(self.size, name)?,
        };
        Ok(self.boards[self.at].place_of[node])
    }

    /// Checks two connections that meet at a stone, or at an empty cell on which the winner plays. The winner answers any
    /// intrusion into one of them there.
    fn over(&self, over: &str, one: &Joined, other: &Joined) -> Result<Joined, String> {
        let over = self.place(over)?;
        require(over < self.size * self.size, "an edge is no stone")?;
        for part in [one, other] {
            require(part.board == self.at, "a part is about other stones")?;
            require(part.is_full, "a part is not full")?;
            require(part.ends.contains(&over), "a part does not end there")?;
        }
        require(one.carrier.is_disjoint(&other.carrier), "the parts need a cell in common")?;
        let mut carrier: Cells = one.carrier.union(&other.carrier).copied().collect();
        let is_empty = self.boards[self.at].is_empty(over);
        require(!carrier.contains(&over), "a part needs the cell where they meet")?;
        if is_empty {
            carrier.insert(over);
        }
        let far = |part: &Joined| if part.ends[0] == over { part.ends[1] } else { part.ends[0] };
        Ok(Joined { board: self.at, is_full: !is_empty, ends: sorted([far(one), far(other)]), carrier })
    }

    /// Checks several connections between the same ends: no single cell is needed by all of them.
    fn or(&self, parts: &[&Joined]) -> Result<Joined, String> {
        let [first, rest @ ..] = parts else { return Err("there are no parts".to_owned()) };
        let (mut meet, mut carrier) = (first.carrier.clone(), first.carrier.clone());
        for part in rest {
            meet.retain(|cell| part.carrier.contains(cell));
            carrier.extend(&part.carrier);
        }
        let same = |part: &&Joined| part.board == self.at && part.ends == first.ends;
        require(parts.iter().all(same), "a part has other ends or stones")?;
        require(meet.is_empty(), "all parts need a cell in common")?;
        Ok(Joined { board: self.at, is_full: true, ends: first.ends, carrier })
    }

    /// Checks the winner's move, after which its edges are joined whatever the loser does.
    fn after_move(&self, name: &str, after: &Joined) -> Result<Joined, String> {
        let (board, mv) = (&self.boards[self.at], cell(self.size, name)?);
        require(!board.stones.contains(&mv), "the cell of the move is taken")?;
        let mut stones = board.stones.clone();
        stones.insert(mv);
        let next = &self.boards[after.board];
        require(next.stones == stones, "the other line is about other stones than those after the move")?;
        require(after.is_full, "the other line is not full")?;
        require(after.ends == next.edges(), "the other line does not join the edges")?;
        let mut carrier = after.carrier.clone();
        carrier.insert(mv);
        Ok(Joined { board: self.at, is_full: false, ends: board.edges(), carrier })
    }

    /// Checks cells that are as good as the winner's. If the loser takes one cell of a pair, the winner answers with the
    /// other, which touches every cell beside the first that the winner has or may get. Around a single cell, all of these
    /// touch each other without it.
    fn filled(&self, names: &str, below: &Joined) -> Result<Joined, String> {
        let (board, cells) = (&self.boards[self.at], cells(self.size, names)?);
        require(board.stones.is_disjoint(&cells), "a cell that is filled is taken")?;
        let stones: Cells = board.stones.union(&cells).copied().collect();
        require(
            self.boards[below.board].stones == stones,
            "the other line is not about these stones and cells",
        )?;
        require(below.ends == self.boards[below.board].edges(), "the other line does not join the edges")?;
        let own = |cell: usize| board.stones.contains(&cell) || below.carrier.contains(&cell);
        let beside = |cell: usize| {
            let beside = board.beside(cell).into_iter();
            beside.filter(|&next| next >= self.size * self.size || own(next)).collect::<Vec<_>>()
        };
        match cells.iter().copied().collect::<Vec<_>>()[..] {
            [dead] => {
                let beside = beside(dead);
                let touch =
                    |one: usize, other: usize| board.touch(board.place_of[one], board.place_of[other]);
                let by_a_stone = |one: usize, other: usize| {
                    let mut stones = beside.iter().filter(|&&stone| !board.is_empty(stone));
                    stones.any(|&stone| touch(one, stone) && touch(stone, other))
                };
                let is_passed = |&one: &usize, &other: &usize| touch(one, other) || by_a_stone(one, other);
                let all = beside.iter().all(|one| beside.iter().all(|other| is_passed(one, other)));
                require(all, "the cell joins what is not in touch without it")?;
            }
            [one, other] => {
                for (entered, answer) in [(one, other), (other, one)] {
                    let mut stones = board.stones.clone();
                    stones.insert(answer);
                    let after = Board::new(self.size, board.is_first, stones);
                    let touch = |next: usize| after.touch(after.place_of[next], after.place_of[answer]);
                    require(
                        beside(entered).into_iter().all(touch),
                        "the answer does not replace the other cell",
                    )?;
                }
            }
            _ => return Err("one cell or two can be filled".to_owned()),
        }
        let carrier = below.carrier.union(&cells).copied().collect();
        Ok(Joined { board: self.at, is_full: below.is_full, ends: board.edges(), carrier })
    }

    /// Checks that a line about fewer stones of the winner also holds with all of them.
    fn with_more(&self, below: &Joined) -> Result<Joined, String> {
        let (board, fewer) = (&self.boards[self.at], &self.boards[below.board]);
        require(
            fewer.stones.is_subset(&board.stones),
            "the other line is about a stone that is missing here",
        )?;
        require(below.ends == fewer.edges(), "the other line does not join the edges")?;
        let carrier = below.carrier.difference(&board.stones).copied().collect();
        Ok(Joined { board: self.at, is_full: below.is_full, ends: board.edges(), carrier })
    }

    /// Checks that a line is the claim to be proved.
    fn is_proof(&self, number: &str) -> Result<(), String> {
        let line = self.line(number)?;
        let [own, other] = if self.winner == "first" { [0, 1] } else { [1, 0] };
        let board = &self.boards[line.board];
        require(board.stones == self.stones[own], "the line is about other stones than the position")?;
        require(line.ends == board.edges(), "the line does not join the edges")?;
        require(line.carrier.is_disjoint(&self.stones[other]), "the line needs a cell that the loser has")?;
        require(line.is_full || self.move_of == self.winner, "the loser moves first")
    }
}

fn require(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.to_owned()) }
}
