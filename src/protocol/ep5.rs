//! The tournament protocol of the Hex assignment EP5: two programs tell each other their moves, `row col` from 0, and
//! nothing else. Knows Hex, its engines and lines of bytes.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::ai::{EngineConfig, EngineKind, EngineResources, Limits, Tuning, Weights};
use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, read_cell};
use crate::game::{Outcome, Refusal, Side};
use crate::protocol::watch::watched;
use crate::registry::{OpenError, Variant, find};
use crate::session::{EngineError, History, Machine, Purpose};
use crate::stdin::{LONGEST_LINE, next_line};

/// The size that the protocol means where nobody says another.
pub(crate) const DEFAULT_SIZE: usize = 14;
/// The game that is played.
pub const GAME: &str = "hex";
/// Name of a swap in moves as text.
const SWAP: &str = "swap";

/// Settings of a dialogue.
#[derive(Clone, Debug)]
pub struct Ep5Options {
    /// Side of this program: First is `b`, which joins the first and the last row and starts; Second is `p`, which
    /// joins the first and the last column.
    pub own: Side,
    /// `true` if the board is drawn after every move, among the diagnostics.
    pub draws_board: bool,
    /// Cells on a side.
    pub size: usize,
    /// `true` if the second player may take the first stone over by repeating it.
    pub may_swap: bool,
    /// The strength; the game's default if not given.
    pub level: Option<EngineKind>,
    /// Limits that replace the level's own.
    pub limits: Limits,
    /// The random seed: the same seed, the same game.
    pub seed: u64,
    /// Threads and memory that its engines may use.
    pub resources: EngineResources,
    /// The network by which its engines play; the program's own unless one is given.
    pub weights: Option<Arc<Weights>>,
    /// Constants of their play that are not their own.
    pub tuning: Tuning,
}

/// Why the protocol cannot be spoken.
#[derive(Debug, thiserror::Error)]
pub enum Ep5StartError {
    /// There is no such board.
    #[error("{0}")]
    Board(#[from] OpenError),
    /// There is no such engine.
    #[error("{0}")]
    Engine(#[from] EngineError),
}

/// A game over the protocol. Our own position is always in our own frame; what goes over the wire after a swap is
/// transposed and with the colours exchanged, because there the stone stays and the programs change sides.
#[derive(Debug)]
pub struct Ep5 {
    session: History,
    machine: Box<dyn Machine>,
    options: Ep5Options,
    frame: Frame,
    /// The first move as it went over the wire.
    first: Option<(usize, usize)>,
    /// Raised when no more input will come.
    eof: Option<Arc<AtomicBool>>,
    /// Numbers read and not yet used.
    numbers: VecDeque<Option<usize>>,
}

impl Ep5 {
    /// Sits down at an empty board.
    ///
    /// # Errors
    /// If there is no such board or level.
    #[expect(clippy::missing_panics_doc, reason = "Hex is one of the games")]
    pub fn new(options: &Ep5Options) -> Result<Self, Ep5StartError> {
        let entry = find(GAME).expect("hex is registered");
        let swap = if options.may_swap { "on" } else { "off" };
        let session = entry.history(&Variant::of_size(options.size).with("swap", swap))?;
        let level = options.level.unwrap_or(entry.strongest());
        let config = EngineConfig::for_side(options.seed, options.own);
        let (weights, tuning) = (options.weights.clone(), options.tuning.clone());
        let config = EngineConfig { resources: options.resources, weights, tuning, ..config };
        let machine = session.machine(level, &config)?;
        Ok(Ep5 {
            session,
            machine,
            options: options.clone(),
            frame: Frame::default(),
            first: None,
            eof: None,
            numbers: VecDeque::new(),
        })
    }

    /// Cuts a thought by time short once the flag says that no more input will come.
    pub(crate) fn with_end_flag(self, flag: Arc<AtomicBool>) -> Self {
        Ep5 { eof: Some(flag), ..self }
    }

    /// Plays until a side has joined its edges or the input ends. Own moves go to `out`, all else to `err`.
    ///
    /// # Errors
    /// If the moves cannot be read or written. That nobody reads the notes is no error.
    pub fn serve(
        &mut self,
        mut input: impl BufRead,
        mut out: impl Write,
        mut err: impl Write,
    ) -> io::Result<()> {
        self.play(&mut input, &mut out, &mut err)
    }

    fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<()> {
        if self.options.draws_board {
            note(err, &self.picture());
        }
        while self.session.outcome().is_none() {
            if self.session.to_move() == self.options.own {
                let (row, col) = self.think();
                out.write_all(format!("{row} {col}\n").as_bytes())?;
                out.flush()?;
            } else if !self.listen(input, err)? {
                return Ok(());
            }
            if self.options.draws_board {
                note(err, &self.picture());
            }
        }
        if let Some(Outcome::Win(side)) = self.session.outcome() {
            note(err, &format!("{} ganhou\n", self.letter(side)));
        }
        Ok(())
    }

    /// Plays an own move; gives it as the wire wants it.
    fn think(&mut self) -> (usize, usize) {
        let (machine, limits) = (&mut self.machine, self.options.limits);
        let eof = self.eof.as_deref().filter(|_| limits.is_time_only());
        let position = self.session.now().clone();
        let answer =
            watched(None, eof, |stop| machine.answer(Purpose::Move, &*position, limits, stop, &|_| ()));
        let answer = answer.expect("the machine was built for this game");
        let text = self.session.play(&answer.text).expect("machines play legal moves");
        if text == SWAP {
            self.frame.transposed = true;
            return self.first.expect("a swap follows a first move");
        }
        let (col, row) = read_cell(&text).expect("every move but the swap is a cell");
        let wire = self.frame.place((row, col));
        self.first = self.first.or(Some(wire));
        wire
    }

    /// Waits for a legal move of the opponent and plays it; false at the end of the input.
    fn listen(&mut self, mut input: &mut dyn BufRead, err: &mut dyn Write) -> io::Result<bool> {
        loop {
            while self.numbers.len() < 2 {
                let Some(line) = next_line(&mut input)? else { return Ok(false) };
                match read_numbers(&line) {
                    Some(numbers) => self.numbers.extend(numbers),
                    None => note(
                        err,
                        &format!("ignored \"{}\": a move is two numbers, such as 1 2\n", quote_line(&line)),
                    ),
                }
            }
            let row = self.numbers.pop_front().flatten();
            let col = self.numbers.pop_front().flatten();
            let is_repeat = self.session.plies() == 1 && self.first == row.zip(col);
            if is_repeat && !self.options.may_swap {
                let why = "the opponent swaps, but --no-swap turns the swap rule off; the game ends here";
                note(err, &format!("{why}\n"));
                return Ok(false);
            }
            match self.play_opponent_move(row.zip(col), is_repeat) {
                Ok(()) => return Ok(true),
                Err(why) => note(err, &format!("{why}; waiting for another move\n")),
            }
        }
    }

    /// Plays a move of the opponent, or says why not; then nothing is changed.
    fn play_opponent_move(&mut self, wire: Option<(usize, usize)>, is_repeat: bool) -> Result<(), String> {
        let most = self.options.size - 1;
        let Some((row, col)) = wire.filter(|&(row, col)| row <= most && col <= most) else {
            return Err(format!("that is off the board: rows and columns are 0 to {most}"));
        };
        if is_repeat && self.session.play(SWAP).is_ok() {
            self.frame.transposed = true;
            return Ok(());
        }
        let (own_row, own_col) = self.frame.place((row, col));
        let played = self.session.play(&cell_name(own_col, own_row));
        played.map_err(|_| format!("{row} {col} is taken"))?;
        self.first = self.first.or(Some((row, col)));
        Ok(())
    }

    /// The letter of one of our sides on the wire.
    fn letter(&self, side: Side) -> char {
        if self.frame.side(side) == Side::First { 'b' } else { 'p' }
    }

    /// The board on the wire: a row a line, each shifted by one blank more.
    fn picture(&self) -> String {
        let mut rows = vec![vec!['-'; self.options.size]; self.options.size];
        for side in Side::BOTH {
            for text in self.session.view().pieces(side) {
                let (col, row) = read_cell(&text).expect("pieces of Hex are cells");
                let (row, col) = self.frame.place((row, col));
                rows[row][col] = self.letter(side);
            }
        }
        let line = |(i, row): (usize, Vec<char>)| {
            let cells: Vec<String> = row.into_iter().map(String::from).collect();
            format!("{:i$}{}\n", "", cells.join(" "))
        };
        rows.into_iter().enumerate().map(line).collect()
    }
}

/// Writes a note in one piece. A reader of the notes who has left disturbs no game.
fn note(err: &mut dyn Write, text: &str) {
    let _ = err.write_all(text.as_bytes());
}

/// The numbers of a line; `None` if it holds anything else. A number that is none of a board is `None` inside.
fn read_numbers(line: &[u8]) -> Option<Vec<Option<usize>>> {
    let text = std::str::from_utf8(line).ok().filter(|text| text.len() <= LONGEST_LINE)?;
    let number = |word: &str| -> Option<Option<usize>> {
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| word.strip_prefix('+').unwrap_or(word).parse().ok())
    };
    text.split_whitespace().map(number).collect()
}

fn quote_line(line: &[u8]) -> String {
    Refusal::shown(String::from_utf8_lossy(line).trim())
}
