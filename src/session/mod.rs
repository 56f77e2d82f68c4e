//! A game in progress, of whatever kind: its moves as text, its history, its picture and its machines.
//! The one object-safe face of the games; above it nobody names one.

mod machine;

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;

use crate::ai::{Control, EngineConfig, EngineHost, Kit, Level, Limits, Situation, Solved};
use crate::canvas::{Canvas, Glyphs, Look, Paint};
use crate::game::{Game, Illegal, Notation, Outcome, Side, View, perft_on_threads};

pub use machine::{Answer, Candidate, EngineError, Machine, Position, Report};

/// What stands in records and histories for giving up.
pub const RESIGN: &str = "resign";
/// What stands in records and histories for a draw that the moves alone do not make.
pub const DRAW: &str = "draw";

/// How often a position has to have stood there before a draw can be claimed.
pub const CLAIMABLE: usize = 3;

/// How a game can end before its rules end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// This side has given up.
    Resigned(Side),
    /// It is a draw because the same position has come again and again.
    Repeated,
}

impl Early {
    /// What stands in records for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Early::Resigned(_) => RESIGN,
            Early::Repeated => DRAW,
        }
    }
}

/// What a game needs in order to be played here.
pub trait Playable: Game + Notation + View + Paint + PartialEq {}

impl<G: Game + Notation + View + Paint + PartialEq> Playable for G {}

/// A game in progress. A refused call changes nothing.
pub trait Session: Debug + Send {
    /// The game's name on the command line and in records, such as `tic-tac-toe`.
    fn name(&self) -> &'static str;
    /// The settings of the board as `(key, value)`, in the order in which records write them.
    fn settings(&self) -> &[(&'static str, String)];
    /// The game and its board in words; see [`View::title`].
    fn title(&self) -> String;
    /// What a side is called; see [`View::side_name`].
    fn side_name(&self, side: Side) -> &'static str;
    /// What a side wants; see [`View::aim`].
    fn aim(&self, side: Side) -> String;
    /// A move to show how moves are typed; see [`View::sample`].
    fn sample(&self) -> String;
    /// How moves are typed; see [`View::typing`].
    fn typing(&self) -> String;
    /// The rules; see [`View::rules`].
    fn rules(&self) -> Vec<String>;
    /// What a side has on the board; see [`View::pieces`].
    fn pieces(&self, side: Side) -> Vec<String>;
    /// The position in words; see [`View::facts`].
    fn facts(&self) -> Vec<String>;

    /// The side whose turn it is.
    fn to_move(&self) -> Side;
    /// `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// How the game ended; see [`View::ending`].
    fn ending(&self) -> Option<String>;
    /// The position's key; see [`Game::key`].
    fn key(&self) -> u64;

    /// The moves played, as records write them.
    fn played(&self) -> Vec<String>;
    /// How many moves have been played.
    fn plies(&self) -> usize;
    /// The last move, if there is one.
    fn last(&self) -> Option<String>;
    /// The legal moves, in the order of [`Game::moves`].
    fn legal(&self) -> Vec<String>;
    /// Reads a move in any spelling and gives it as records write it; whether it is legal is not asked.
    ///
    /// # Errors
    /// As [`Notation::parse`].
    fn read(&self, text: &str) -> Result<String, Illegal>;
    /// Other ways to write moves; see [`Notation::dialects`].
    fn dialects(&self) -> &'static [&'static str];
    /// See [`Notation::translate`].
    fn translate(&self, dialect: &str, text: &str) -> Option<String>;
    /// Plays a move and gives it as records write it.
    ///
    /// # Errors
    /// Says why the text is no move, or why the move is not legal now.
    fn play(&mut self, text: &str) -> Result<String, Illegal>;
    /// Takes back one move and gives it; `None` if none has been played.
    fn undo(&mut self) -> Option<String>;
    /// Plays again the move taken back last; `None` if there is none or another move has been played since.
    fn redo(&mut self) -> Option<String>;
    /// How many moves [`Session::redo`] can play again.
    fn redoable(&self) -> usize;
    /// Sets up the first position again and forgets all moves.
    fn restart(&mut self);
    /// Ends the game: [`RESIGN`] for the side to move, [`DRAW`] for both; [`Session::undo`] takes that back. Gives
    /// false, and does nothing, for any other word.
    ///
    /// # Errors
    /// If the game is over, or if no draw can be claimed: see [`Session::repetition`].
    fn end_by(&mut self, word: &str) -> Result<bool, Illegal>;
    /// How the game ended before its rules ended it.
    fn early(&self) -> Option<Early>;
    /// How often the position now has stood there in this game, this time included.
    fn repetition(&self) -> usize;
    /// Moves that are words of their own; see [`Notation::words`].
    fn named_moves(&self) -> &'static [(&'static str, &'static str)];
    /// What the last move did, where the board alone does not tell; see [`View::comment`].
    fn comment(&self) -> Option<String>;
    /// The same game after its first `plies` moves, as a session of its own.
    fn after(&self, plies: usize) -> Box<dyn Session>;

    /// Draws the board; `look.last` is filled in.
    fn canvas(&self, look: Look<'_>) -> Canvas;
    /// Width and height of each way to draw the board, the smallest first; see [`Paint::densities`].
    fn densities(&self) -> Vec<(usize, usize)>;
    /// The character of a side's pieces, where it is not the side's name; see [`Paint::sign`].
    fn sign(&self, side: Side, glyphs: Glyphs) -> Option<char>;
    /// Where the cursor waits at the start of a turn; see [`Paint::home`].
    fn home(&self) -> Option<String>;
    /// What a move would do, or why it is refused; see [`Paint::preview`].
    fn preview(&self, text: &str, glyphs: Glyphs) -> Option<String>;
    /// What stands beside the board; see [`Paint::tally`].
    fn tally(&self, glyphs: Glyphs) -> Vec<String>;
    /// The levels that can play this game, weakest first, `classic` in front.
    fn levels(&self) -> Vec<Level>;
    /// A machine that can play this game.
    ///
    /// # Errors
    /// If there is none of that level, or if it cannot be built with this.
    fn machine(&self, level: Level, config: &EngineConfig) -> Result<Box<dyn Machine>, EngineError>;
    /// What a legal move does, in words, before it is played.
    ///
    /// # Errors
    /// Says why the text is no legal move now.
    fn effect(&self, text: &str, glyphs: Glyphs) -> Result<String, Illegal>;
    /// What a move is good for, as a phrase to follow it; `None` if nothing is known or the text is no legal move.
    fn reason(&self, text: &str) -> Option<String>;
    /// What a board can be covered with; see [`Paint::ways`].
    fn ways(&self, glyphs: Glyphs) -> Option<String>;
    /// Whether the board can be turned; see [`Paint::turns`].
    fn turns(&self) -> bool;
    /// What the signs on the board mean; see [`Paint::legend`].
    fn legend(&self, glyphs: Glyphs) -> Vec<String>;
    /// The titles of what the engines can lay over the board.
    fn overlays(&self) -> Vec<&'static str>;
    /// The marks of one of them on empty places of the position now; empty if there is no such overlay.
    fn overlay(&self, index: usize) -> Vec<(String, char)>;
    /// The words of this game alone, each with what it tells.
    fn insights(&self) -> Vec<(&'static str, &'static str)>;
    /// What such a word tells about the position now; `None` if there is no such word.
    fn insight(&self, word: &str) -> Option<Vec<String>>;
    /// What every legal move comes to, in words; empty where that cannot be told exactly.
    fn values(&self) -> Vec<(String, String)>;
    /// The exact value of a position that is not over; `None` if the game has no solver. The answer is the same on any
    /// number of threads.
    fn solve(&self, limits: Limits, threads: usize, stop: &AtomicBool) -> Option<Solved<String>>;
    /// The position with its history, to be given to a machine, on another thread too.
    fn position(&self) -> Position;
    /// See [`perft_on_threads`]; from the position now.
    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64>;
}

/// A session over the rules of one game.
#[derive(Debug)]
pub(crate) struct Live<G: Playable> {
    name: &'static str,
    settings: Vec<(&'static str, String)>,
    kit: Kit<G>,
    start: G,
    game: G,
    played: Vec<G::Move>,
    undos: Vec<Taken<G>>,
    undone: Vec<G::Move>,
    /// The keys of all positions before the one now.
    keys: Vec<u64>,
    early: Option<Early>,
}

/// What takes a move back; a wrapper because `Undo` need not be printable.
struct Taken<G: Game>(G::Undo);

impl<G: Game> Debug for Taken<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Undo")
    }
}

impl<G: Playable> Live<G> {
    pub(crate) fn new(
        name: &'static str,
        settings: Vec<(&'static str, String)>,
        start: G,
        kit: Kit<G>,
    ) -> Self {
        let game = start.clone();
        let (played, undos, undone, keys) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Live { name, settings, kit, start, game, played, undos, undone, keys, early: None }
    }

    fn commit(&mut self, mv: G::Move) -> Result<String, Illegal> {
        let key = self.game.key();
        match self.game.try_make(mv) {
            Ok(undo) => {
                self.keys.push(key);
                self.played.push(mv);
                self.undos.push(Taken(undo));
                Ok(self.game.show(mv))
            }
            Err(refusal) => Err(self.game.explain(mv, &refusal, &self.played)),
        }
    }

    fn over(&self) -> Option<Illegal> {
        let how = match (self.early, self.outcome()?) {
            (Some(Early::Resigned(loser)), Outcome::Win(_)) => {
                format!("{} gave up", self.game.side_name(loser))
            }
            (_, Outcome::Win(side)) => {
                format!("{} won on move {}", self.game.side_name(side), self.played.len())
            }
            (_, Outcome::Draw) => format!("a draw on move {}", self.played.len()),
        };
        Some(Illegal::new(
            "game-over",
            format!("The game is over: {how}. new starts another, undo goes back."),
        ))
    }
}

impl<G: Playable> Session for Live<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn settings(&self) -> &[(&'static str, String)] {
        &self.settings
    }

    fn title(&self) -> String {
        self.game.title()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.game.side_name(side)
    }

    fn aim(&self, side: Side) -> String {
        self.game.aim(side)
    }

    fn sample(&self) -> String {
        self.game.sample()
    }

    fn typing(&self) -> String {
        self.game.typing()
    }

    fn rules(&self) -> Vec<String> {
        self.game.rules()
    }

    fn pieces(&self, side: Side) -> Vec<String> {
        self.game.pieces(side)
    }

    fn facts(&self) -> Vec<String> {
        self.game.facts()
    }

    fn to_move(&self) -> Side {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.early {
            Some(Early::Resigned(side)) => Some(Outcome::Win(side.other())),
            Some(Early::Repeated) => Some(Outcome::Draw),
            None => self.game.outcome(),
        }
    }

    fn ending(&self) -> Option<String> {
        match self.early {
            Some(Early::Resigned(side)) => Some(format!("won because {} gave up", self.game.side_name(side))),
            Some(Early::Repeated) => Some("the same position has come again and again".to_owned()),
            None => self.game.ending(),
        }
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn played(&self) -> Vec<String> {
        self.played.iter().map(|&mv| self.game.show(mv)).collect()
    }

    fn plies(&self) -> usize {
        self.played.len()
    }

    fn last(&self) -> Option<String> {
        self.played.last().map(|&mv| self.game.show(mv))
    }

    fn legal(&self) -> Vec<String> {
        if self.early.is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        moves.into_iter().map(|mv| self.game.show(mv)).collect()
    }

    fn read(&self, text: &str) -> Result<String, Illegal> {
        self.game.parse(text).map(|mv| self.game.show(mv))
    }

    fn dialects(&self) -> &'static [&'static str] {
        self.game.dialects()
    }

    fn translate(&self, dialect: &str, text: &str) -> Option<String> {
        self.game.translate(dialect, text)
    }

    fn play(&mut self, text: &str) -> Result<String, Illegal> {
        let mv = self.game.parse(text)?;
        if let Some(over) = self.over() {
            return Err(over);
        }
        let shown = self.commit(mv)?;
        self.undone.clear();
        Ok(shown)
    }

    fn undo(&mut self) -> Option<String> {
        if let Some(early) = self.early.take() {
            return Some(early.word().to_owned());
        }
        let mv = self.played.pop()?;
        self.keys.pop();
        let Taken(undo) = self.undos.pop().expect("one undo for each move");
        self.game.unmake(mv, undo);
        self.undone.push(mv);
        Some(self.game.show(mv))
    }

    fn redo(&mut self) -> Option<String> {
        if self.early.is_some() {
            return None;
        }
        let mv = self.undone.pop()?;
        Some(self.commit(mv).expect("a move taken back is legal where it was played"))
    }

    fn redoable(&self) -> usize {
        self.undone.len()
    }

    fn restart(&mut self) {
        self.game = self.start.clone();
        self.played.clear();
        self.undos.clear();
        self.undone.clear();
        self.keys.clear();
        self.early = None;
    }

    fn end_by(&mut self, word: &str) -> Result<bool, Illegal> {
        let early = match word.to_ascii_lowercase().as_str() {
            RESIGN => Early::Resigned(self.game.to_move()),
            DRAW => Early::Repeated,
            _ => return Ok(false),
        };
        if let Some(over) = self.over() {
            return Err(over);
        }
        let times = self.repetition();
        // The offer stands until the other side has answered it.
        let before = self.keys.last().map_or(0, |&last| self.keys.iter().filter(|&&key| key == last).count());
        if early == Early::Repeated && times.max(before) < CLAIMABLE {
            let text = "A draw can be claimed only when a position stands for the third time.";
            return Err(Illegal::new("not-understood", text));
        }
        self.early = Some(early);
        Ok(true)
    }

    fn early(&self) -> Option<Early> {
        self.early
    }

    fn repetition(&self) -> usize {
        let now = self.game.key();
        1 + self.keys.iter().filter(|&&key| key == now).count()
    }

    fn named_moves(&self) -> &'static [(&'static str, &'static str)] {
        self.game.words()
    }

    fn comment(&self) -> Option<String> {
        self.game.comment(&self.played)
    }

    fn after(&self, plies: usize) -> Box<dyn Session> {
        let mut part = Live::new(self.name, self.settings.clone(), self.start.clone(), self.kit.clone());
        for &mv in self.played.iter().take(plies) {
            part.commit(mv).expect("the moves of a game are legal one after the other");
        }
        part.early = self.early.filter(|_| plies >= self.played.len());
        Box::new(part)
    }

    fn canvas(&self, look: Look<'_>) -> Canvas {
        let last = self.last();
        self.game.paint(&Look { last: last.as_deref(), ..look })
    }

    fn densities(&self) -> Vec<(usize, usize)> {
        self.game.densities()
    }

    fn sign(&self, side: Side, glyphs: Glyphs) -> Option<char> {
        self.game.sign(side, glyphs)
    }

    fn home(&self) -> Option<String> {
        self.game.home()
    }

    fn preview(&self, text: &str, glyphs: Glyphs) -> Option<String> {
        self.game.preview(text, glyphs)
    }

    fn tally(&self, glyphs: Glyphs) -> Vec<String> {
        self.game.tally(glyphs)
    }

    fn levels(&self) -> Vec<Level> {
        self.kit.tiers.iter().map(|tier| tier.level).collect()
    }

    fn machine(&self, level: Level, config: &EngineConfig) -> Result<Box<dyn Machine>, EngineError> {
        let tier = self.kit.tiers.iter().find(|tier| tier.level == level);
        let tier = tier.ok_or_else(|| EngineError::NoSuchLevel { level, levels: self.levels() })?;
        Ok(Box::new(EngineHost::new(tier.clone(), config.clone(), &self.start)?))
    }

    fn ways(&self, glyphs: Glyphs) -> Option<String> {
        self.game.ways(glyphs)
    }

    fn turns(&self) -> bool {
        self.game.turns()
    }

    fn legend(&self, glyphs: Glyphs) -> Vec<String> {
        self.game.legend(glyphs)
    }

    fn overlays(&self) -> Vec<&'static str> {
        self.kit.overlays.iter().map(|overlay| overlay.title).collect()
    }

    fn overlay(&self, index: usize) -> Vec<(String, char)> {
        let Some(overlay) = self.kit.overlays.get(index).filter(|_| self.outcome().is_none()) else {
            return Vec::new();
        };
        let at = Situation { start: &self.start, played: &self.played, now: &self.game };
        (overlay.marks)(&at).into_iter().map(|(mv, mark)| (self.game.show(mv), mark)).collect()
    }

    fn effect(&self, text: &str, glyphs: Glyphs) -> Result<String, Illegal> {
        if let Some(over) = self.over() {
            return Err(over);
        }
        let mv = self.game.parse(text)?;
        let mut after = self.game.clone();
        match after.try_make(mv) {
            Ok(_) => {
                let text = self.game.show(mv);
                Ok(self.game.caption(&text, glyphs).unwrap_or_else(|| format!("{text} is a legal move.")))
            }
            Err(refusal) => Err(self.game.explain(mv, &refusal, &self.played)),
        }
    }

    fn reason(&self, text: &str) -> Option<String> {
        let mv = self.game.parse(text).ok().filter(|&mv| self.game.is_legal(mv))?;
        self.kit.reason.map(|reason| reason(&self.game, mv))
    }

    fn insights(&self) -> Vec<(&'static str, &'static str)> {
        self.kit.insights.iter().map(|insight| (insight.word, insight.short)).collect()
    }

    fn insight(&self, word: &str) -> Option<Vec<String>> {
        let insight = self.kit.insights.iter().find(|insight| insight.word == word)?;
        Some((insight.tell)(&Situation { start: &self.start, played: &self.played, now: &self.game }))
    }

    fn values(&self) -> Vec<(String, String)> {
        let values = self.kit.values.filter(|_| self.outcome().is_none());
        let values = values.map(|values| values(&self.game, &AtomicBool::new(false))).unwrap_or_default();
        values.into_iter().map(|(mv, value)| (self.game.show(mv), value)).collect()
    }

    fn solve(&self, limits: Limits, threads: usize, stop: &AtomicBool) -> Option<Solved<String>> {
        let solve = self.kit.solve?;
        let Solved { outcome, proof, moves, nodes, elapsed } =
            solve(&self.game, threads, &Control::quiet(limits, stop));
        let show = |(mv, outcome, plies)| (self.game.show(mv), outcome, plies);
        Some(Solved { outcome, proof, moves: moves.into_iter().map(show).collect(), nodes, elapsed })
    }

    fn position(&self) -> Position {
        let (start, now) = (self.start.clone(), self.game.clone());
        Position::of(start, self.played.clone(), now)
    }

    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64> {
        perft_on_threads(&self.game, depth, threads, stop)
    }
}
