//! Tournament protocol of the Hex assignment EP5: two programs send each other their moves as `row col`,
//! counted from 0.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::ai::{EngineConfig, EngineKind, EngineResources, Limits, NetworkWeights, TuningOverrides};
use crate::board::hexgrid::SwapFrame;
use crate::board::names::{cell_name, parse_cell_name};
use crate::game::{Outcome, Refusal, Side};
use crate::protocol::watch::run_with_stop_flag;
use crate::registry::{BoardSetupError, Variant, find_game};
use crate::session::{AnyEngine, EngineError, EngineRequest, PositionHistory};
use crate::stdin::{MAX_LINE_BYTES, read_limited_line};

/// Default board size of the protocol, in cells per side.
pub(crate) const DEFAULT_EP5_BOARD_SIZE: usize = 14;
/// Registry name of the game that the protocol plays.
pub const EP5_GAME_NAME: &str = "hex";
/// Text of the swap move.
const SWAP_MOVE_TEXT: &str = "swap";

/// Settings of an EP5 session.
#[derive(Clone, Debug)]
pub struct Ep5Options {
    /// Side of this program. First is `b`, which moves first and connects the first and last row. Second is
    /// `p`, which connects the first and last column.
    pub own: Side,
    /// `true` to print the board to the diagnostics after every move.
    pub draws_board: bool,
    /// Number of cells per side.
    pub size: usize,
    /// `true` if the second player may swap by repeating the first move.
    pub may_swap: bool,
    /// Level that plays; the default level of the game if `None`.
    pub level: Option<EngineKind>,
    /// Search limits, which override those of the level.
    pub limits: Limits,
    /// Random seed. Equal seeds give equal games.
    pub seed: u64,
    /// Threads and memory of the engine.
    pub resources: EngineResources,
    /// Network of the engine; the built-in network if `None`.
    pub weights: Option<Arc<NetworkWeights>>,
    /// Engine constants that override the defaults.
    pub tuning: TuningOverrides,
}

/// Reasons why a session cannot start.
#[derive(Debug, thiserror::Error)]
pub enum Ep5StartError {
    /// The board does not exist.
    #[error("{0}")]
    Board(#[from] BoardSetupError),
    /// The engine cannot be built.
    #[error("{0}")]
    Engine(#[from] EngineError),
}

/// Session of the EP5 protocol.
///
/// In the protocol, a swap leaves the stone in place and the programs exchange sides. The position
/// of the session mirrors the stone instead, so after a swap rows and columns, and the colours, are
/// exchanged in all messages.
#[derive(Debug)]
pub struct Ep5Session {
    session: PositionHistory,
    machine: Box<dyn AnyEngine>,
    options: Ep5Options,
    frame: SwapFrame,
    /// First move, in the coordinates of the protocol.
    first: Option<(usize, usize)>,
    /// Flag that is set at the end of the input.
    eof: Option<Arc<AtomicBool>>,
    /// Numbers from the input that are not part of a move yet.
    numbers: VecDeque<Option<usize>>,
}

impl Ep5Session {
    /// Starts a session on an empty board.
    ///
    /// # Errors
    /// Returns an error if the board or level does not exist.
    #[expect(clippy::missing_panics_doc, reason = "Hex is one of the games")]
    pub fn new(options: &Ep5Options) -> Result<Self, Ep5StartError> {
        let entry = find_game(EP5_GAME_NAME).expect("hex is registered");
        let swap = if options.may_swap { "on" } else { "off" };
        let session = entry.new_history(&Variant::of_size(options.size).with_setting("swap", swap))?;
        let level = options.level.unwrap_or(entry.strongest_level());
        let config = EngineConfig::for_side(options.seed, options.own);
        let (weights, tuning) = (options.weights.clone(), options.tuning.clone());
        let config = EngineConfig { resources: options.resources, weights, tuning, ..config };
        let machine = session.build_engine(level, &config)?;
        Ok(Ep5Session {
            session,
            machine,
            options: options.clone(),
            frame: SwapFrame::default(),
            first: None,
            eof: None,
            numbers: VecDeque::new(),
        })
    }

    /// Sets the flag that announces the end of the input. Searches limited only by time are cut short once
    /// it is set.
    pub(crate) fn with_eof_flag(self, flag: Arc<AtomicBool>) -> Self {
        Ep5Session { eof: Some(flag), ..self }
    }

    /// Plays until a side connects its edges or the input ends. Writes moves to `out` and diagnostics to
    /// `err`.
    ///
    /// # Errors
    /// Returns an error if moves cannot be read or written. Failures to write diagnostics are ignored.
    pub fn serve(
        &mut self,
        mut input: impl BufRead,
        mut out: impl Write,
        mut err: impl Write,
    ) -> io::Result<()> {
        self.play_game(&mut input, &mut out, &mut err)
    }

    /// Runs the session, as described for [`serve`](Self::serve).
    fn play_game(
        &mut self,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> io::Result<()> {
        if self.options.draws_board {
            write_diagnostic(err, &self.render_board());
        }
        while self.session.outcome().is_none() {
            if self.session.to_move() == self.options.own {
                let (row, col) = self.play_own_move();
                out.write_all(format!("{row} {col}\n").as_bytes())?;
                out.flush()?;
            } else if !self.receive_opponent_move(input, err)? {
                return Ok(());
            }
            if self.options.draws_board {
                write_diagnostic(err, &self.render_board());
            }
        }
        if let Some(Outcome::Win(side)) = self.session.outcome() {
            write_diagnostic(err, &format!("{} ganhou\n", self.side_letter(side)));
        }
        Ok(())
    }

    /// Plays a move of this program and returns its row and column in the protocol.
    fn play_own_move(&mut self) -> (usize, usize) {
        let (machine, limits) = (&mut self.machine, self.options.limits);
        let eof = self.eof.as_deref().filter(|_| limits.is_time_only());
        let position = self.session.current().clone();
        let answer = run_with_stop_flag(None, eof, |stop| {
            machine.answer(EngineRequest::Move, &*position, limits, stop, &|_| ())
        });
        let answer = answer.expect("the machine was built for this game");
        let text = self.session.play(&answer.text).expect("machines play legal moves");
        if text == SWAP_MOVE_TEXT {
            self.frame.transposed = true;
            return self.first.expect("a swap follows a first move");
        }
        let (col, row) = parse_cell_name(&text).expect("every move but the swap is a cell");
        let wire = self.frame.map_coordinates((row, col));
        self.first = self.first.or(Some(wire));
        wire
    }

    /// Waits for a legal move of the opponent and plays it. Returns `false` at the end of the input.
    fn receive_opponent_move(
        &mut self,
        mut input: &mut dyn BufRead,
        err: &mut dyn Write,
    ) -> io::Result<bool> {
        loop {
            while self.numbers.len() < 2 {
                let Some(line) = read_limited_line(&mut input)? else { return Ok(false) };
                match parse_move_numbers(&line) {
                    Some(numbers) => self.numbers.extend(numbers),
                    None => write_diagnostic(
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
                write_diagnostic(err, &format!("{why}\n"));
                return Ok(false);
            }
            match self.try_opponent_move(row.zip(col), is_repeat) {
                Ok(()) => return Ok(true),
                Err(why) => write_diagnostic(err, &format!("{why}; waiting for another move\n")),
            }
        }
    }

    /// Plays a move of the opponent. If it is illegal, returns the reason and leaves the game unchanged.
    fn try_opponent_move(&mut self, wire: Option<(usize, usize)>, is_repeat: bool) -> Result<(), String> {
        let most = self.options.size - 1;
        let Some((row, col)) = wire.filter(|&(row, col)| row <= most && col <= most) else {
            return Err(format!("that is off the board: rows and columns are 0 to {most}"));
        };
        if is_repeat && self.session.play(SWAP_MOVE_TEXT).is_ok() {
            self.frame.transposed = true;
            return Ok(());
        }
        let (own_row, own_col) = self.frame.map_coordinates((row, col));
        let played = self.session.play(&cell_name(own_col, own_row));
        played.map_err(|_| format!("{row} {col} is taken"))?;
        self.first = self.first.or(Some((row, col)));
        Ok(())
    }

    /// Returns the letter that stands for a side in the protocol.
    fn side_letter(&self, side: Side) -> char {
        if self.frame.map_side(side) == Side::First { 'b' } else { 'p' }
    }

    /// Renders the board in the coordinates of the protocol, each row shifted right by one more
    /// space.
    fn render_board(&self) -> String {
        let mut rows = vec![vec!['-'; self.options.size]; self.options.size];
        for side in Side::BOTH {
            for text in self.session.view().list_pieces(side) {
                let (col, row) = parse_cell_name(&text).expect("pieces of Hex are cells");
                let (row, col) = self.frame.map_coordinates((row, col));
                rows[row][col] = self.side_letter(side);
            }
        }
        let line = |(i, row): (usize, Vec<char>)| {
            let cells: Vec<String> = row.into_iter().map(String::from).collect();
            format!("{:i$}{}\n", "", cells.join(" "))
        };
        rows.into_iter().enumerate().map(line).collect()
    }
}

/// Writes a diagnostic in a single call and ignores errors.
fn write_diagnostic(err: &mut dyn Write, text: &str) {
    let _ = err.write_all(text.as_bytes());
}

/// Parses the numbers of a line. Returns `None` if the line contains anything else.
///
/// A number that does not fit in `usize` becomes an inner `None`.
fn parse_move_numbers(line: &[u8]) -> Option<Vec<Option<usize>>> {
    let text = std::str::from_utf8(line).ok().filter(|text| text.len() <= MAX_LINE_BYTES)?;
    let number = |word: &str| -> Option<Option<usize>> {
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| word.strip_prefix('+').unwrap_or(word).parse().ok())
    };
    text.split_whitespace().map(number).collect()
}

/// Returns a printable form of a line for messages.
fn quote_line(line: &[u8]) -> String {
    Refusal::sanitize_excerpt(String::from_utf8_lossy(line).trim())
}
