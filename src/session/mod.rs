//! A position of whatever game, with the moves that led to it: never changed, shared by all who show or search it.
//! The one object-safe face of the games; above it nobody names one.

mod early;
mod history;
mod machine;
mod playout;

use std::any::Any;
use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use crate::ai::{
    Consequence, EngineConfig, EngineHost, EngineKind, Engines, GameEngines, GameHistory, NoSuchLevel,
    SolveControl, Solved, Unproved, Value, WrittenProof, legal_moves,
};
use crate::canvas::{Canvas, Glyphs, Paint, PaintOptions};
use crate::game::{
    BadSetup, BoardConfig, Describe, Game, Notation, Outcome, Refusal, RefusalCode, Setup, SetupChange, Side,
    View, perft_on_threads,
};
use crate::text;
use crate::text::{SideName, Text, of_move};

pub use early::{DRAW, EarlyEnd, LossReason, RESIGN, TIME};
pub use history::History;
pub use machine::{
    CandidateMove, EngineAnswer, EngineError, Forfeit, ForfeitReason, Machine, Purpose, SearchReport,
};
pub(crate) use playout::PlayoutOf;
pub use playout::{ChosenMove, Playout};

/// Word in records and histories for a turn that was passed, in files of programs that allow it.
pub const PASS: &str = "pass";

/// Number of times that a position has to have occurred before a draw can be claimed.
pub(crate) const CLAIMABLE: usize = 3;

/// Game that can be played here: its rules, notation, view, drawing, description and engines.
///
/// ```
/// use crosspath::games::hex::Hex;
/// use crosspath::session::Playable;
/// fn title<G: Playable>() -> &'static str {
///     G::ABOUT.title
/// }
/// assert_eq!(title::<Hex>(), "Hex");
/// ```
pub trait Playable: Game + Notation + View + Paint + PartialEq + Describe + Engines {}

impl<G: Game + Notation + View + Paint + PartialEq + Describe + Engines> Playable for G {}

/// A position of a game and how it came about. Never changes: a move gives another one.
///
/// ```
/// use crosspath::registry::{Variant, find};
/// let start = find("tic-tac-toe")?.start(&Variant::default())?;
/// let next = start.clone().play("b2").expect("the middle is free");
/// assert_eq!((start.plies(), next.plies(), next.last().as_deref()), (0, 1, Some("b2")));
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
pub trait Position: Debug + Send + Sync {
    /// The game's name on the command line and in records, such as `tic-tac-toe`.
    fn name(&self) -> &'static str;
    /// The settings of the board as `(key, value)`, in the order in which records write them.
    fn settings(&self) -> &[(&'static str, String)];
    /// Returns the view of the position: what can be said about it and about its game.
    fn view(&self) -> &dyn View;
    /// Returns the drawing of the position; see [`Position::canvas`].
    fn drawn(&self) -> &dyn Paint;
    /// Returns the name of a side; see [`View::side_name`].
    fn side_name(&self, side: Side) -> SideName;

    /// The side whose turn it is.
    fn to_move(&self) -> Side;
    /// `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the way the game ended; see [`View::ending`].
    fn ending(&self) -> Option<Text>;
    /// The position's key; see [`Game::key`].
    fn key(&self) -> u64;

    /// The moves played, as records write them.
    fn played(&self) -> Vec<String>;
    /// Returns the number of moves that have been played.
    fn plies(&self) -> usize;
    /// The last move, if there is one.
    fn last(&self) -> Option<String>;
    /// The legal moves, in the order of [`Game::moves`].
    fn legal(&self) -> Vec<String>;
    /// Returns the number of legal moves.
    fn legal_count(&self) -> usize;
    /// Reports whether a move is legal now.
    fn is_legal(&self, text: &str) -> bool;
    /// Reads a move in any spelling and gives it as records write it; whether it is legal is not asked.
    ///
    /// # Errors
    /// As [`Notation::parse`].
    fn read(&self, text: &str) -> Result<String, Refusal>;
    /// Other ways to write moves; see [`Notation::dialects`].
    fn dialects(&self) -> &'static [&'static str];
    /// See [`Notation::translate`].
    fn translate(&self, dialect: &str, text: &str) -> Option<String>;
    /// The position after a move.
    ///
    /// # Errors
    /// Says why the text is no move, or why the move is not legal now.
    fn play(self: Arc<Self>, text: &str) -> Result<Arc<dyn Position>, Refusal>;
    /// The position before the last move; `None` before the first one.
    fn parent(&self) -> Option<Arc<dyn Position>>;
    /// The position before the first move.
    fn start(&self) -> Arc<dyn Position>;
    /// The set-up from which the game began; `None` for the usual beginning.
    fn setup(&self) -> Option<&Setup>;
    /// The side that makes the first move of the game: Second only where a set-up says so.
    fn first_mover(&self) -> Side {
        self.setup().map_or(Side::First, |setup| setup.to_move)
    }
    /// This position as a set-up; see [`Describe::setup`].
    fn as_setup(&self) -> Option<Setup>;
    /// This position as a set-up with a change.
    ///
    /// # Errors
    /// As [`Describe::change_setup`], or if the game has no set-ups.
    fn set_up_with(&self, change: &SetupChange) -> Result<Setup, BadSetup>;
    /// This position as one line of text; see [`Describe::setup_text`].
    fn position_text(&self) -> Option<String>;
    /// Returns the position with the game ended early by a word of records: the side to move loses, or [`DRAW`]. `None`
    /// for any other word.
    ///
    /// # Errors
    /// If the game is over, or if no draw can be claimed: see [`Position::repetition`].
    fn end_by(&self, word: &str) -> Result<Option<Arc<dyn Position>>, Refusal>;
    /// Returns the position with the game ended like this. Nothing is checked: a file says so.
    fn ended(&self, early: EarlyEnd) -> Arc<dyn Position>;
    /// Returns the position with the game open again: nobody has given up or claimed anything.
    fn reopened(&self) -> Arc<dyn Position>;
    /// Returns the end of the game before its rules ended it, if there was one.
    fn early(&self) -> Option<EarlyEnd>;
    /// Returns how often the position has occurred in this game, this time included.
    fn repetition(&self) -> usize;
    /// Moves that are words of their own; see [`Notation::words`].
    fn named_moves(&self) -> &'static [(&'static str, &'static str)];
    /// Describes the effect of the last move where the board alone does not show it; see [`Notation::comment`].
    fn comment(&self) -> Option<Text>;
    /// All words that are this game's own, each with what it does.
    fn own_words(&self) -> Vec<(&'static str, &'static str)> {
        [self.named_moves(), &self.inspect_words()].concat()
    }

    /// Draws the board; `look.last` is filled in.
    fn canvas(&self, look: PaintOptions<'_>) -> Canvas;
    /// The levels that can play this game, weakest first, `classic` in front.
    fn levels(&self) -> Vec<EngineKind>;
    /// Reports whether the game has this level, or this engine.
    ///
    /// # Errors
    /// Names the levels there are.
    fn check_level(&self, level: EngineKind) -> Result<(), NoSuchLevel>;
    /// A machine that can play this game.
    ///
    /// # Errors
    /// If there is none of that level, or if it cannot be built with this.
    fn machine(&self, level: EngineKind, config: &EngineConfig) -> Result<Box<dyn Machine>, EngineError>;
    /// Describes the effect of a legal move before it is played.
    ///
    /// # Errors
    /// Says why the text is no legal move now.
    fn effect(&self, text: &str, glyphs: Glyphs) -> Result<Text, Refusal>;
    /// Says what a move is good for, as a phrase to follow it; `None` if nothing is known or the text is no legal move.
    fn reason(&self, text: &str) -> Option<Text>;
    /// Says what a legal move gives away beside a better one; `None` where nothing is certain, or a text is no legal move.
    /// The number chooses the wording.
    fn consequence(&self, moves: [&str; 2], wording: usize) -> Option<Consequence<String>>;
    /// Names a pattern in a line of play from here, such as a ladder, as a sentence; `None` if there is none.
    fn pattern(&self, line: &[String]) -> Option<Text>;
    /// The name that players have for the opening on the board.
    fn opening(&self) -> Option<&'static str>;
    /// Announces that the engine which has just moved has proved its win, within `plies` plies of its move, `is_new` if
    /// for the first time; `None` where there is nothing new to tell, or the game has no words for that.
    fn announcement(&self, plies: u32, is_new: bool) -> Option<Text>;
    /// The titles of what the engines can lay over the board.
    fn overlays(&self) -> Vec<Text>;
    /// The marks of one of them on empty places of the position now; empty if there is no such overlay.
    fn overlay(&self, index: usize) -> Vec<(String, char)>;
    /// The words of this game alone, each with what it tells.
    fn inspect_words(&self) -> Vec<(&'static str, &'static str)>;
    /// Says what one of these words tells about the position now; `None` if there is no such word.
    fn inspect(&self, word: &str) -> Option<Vec<Text>>;
    /// Returns the value of every legal move; empty where it cannot be told exactly.
    fn values(&self) -> &[(String, Value)];
    /// The exact value of a position that is not over; `None` if the game has no solver. The answer is the same on any
    /// number of threads.
    fn solve(&self, control: &SolveControl<'_>) -> Option<Solved<String>>;
    /// Reports whether the game has a form for proofs.
    fn has_proofs(&self) -> bool;
    /// Proves who wins a position that is not over; `None` if the game has no form for proofs. Swaps do not count.
    fn prove(&self, control: &SolveControl<'_>) -> Option<Result<WrittenProof, Unproved>>;
    /// See [`perft_on_threads`]; from the position now.
    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64>;
    /// For the machines of the same game, which know what it is.
    fn as_any(&self) -> &dyn Any;
}

/// A position over the rules of one game.
#[derive(Debug)]
pub(crate) struct TypedPosition<G: Playable> {
    about: Arc<SharedData<G>>,
    game: G,
    /// The position before, and the move between; `None` for a passed turn.
    from: Parent<G>,
    plies: usize,
    key: u64,
    early: Option<EarlyEnd>,
    /// Value of every move, once it has been asked for.
    values: OnceLock<Vec<(String, Value)>>,
}

/// The position before another, and the move between.
type Parent<G> = Option<(Arc<TypedPosition<G>>, Option<<G as Game>::Move>)>;

/// Data that all positions of a game share.
#[derive(Debug)]
struct SharedData<G: Playable> {
    settings: Vec<(&'static str, String)>,
    game_engines: GameEngines<G>,
    start: G,
    setup: Option<Setup>,
}

impl<G: Playable> TypedPosition<G> {
    /// The first position of a game on this board.
    pub(crate) fn new(board: &BoardConfig) -> Self {
        TypedPosition::begin(board, G::set_up(board), None)
    }

    /// The first position of a game that begins from a set-up.
    ///
    /// # Errors
    /// As [`Describe::from_setup`].
    pub(crate) fn from_setup(board: &BoardConfig, setup: &Setup) -> Result<Self, BadSetup> {
        Ok(TypedPosition::begin(board, G::from_setup(board, setup)?, Some(setup.clone())))
    }

    fn begin(board: &BoardConfig, start: G, setup: Option<Setup>) -> Self {
        let (settings, game_engines) = (board.written(), G::game_engines());
        TypedPosition::of(
            Arc::new(SharedData { settings, game_engines, start: start.clone(), setup }),
            start,
            None,
        )
    }

    fn of(about: Arc<SharedData<G>>, game: G, from: Parent<G>) -> Self {
        let plies = from.as_ref().map_or(0, |(before, _)| before.plies + 1);
        let key = game.key();
        TypedPosition { about, game, from, plies, key, early: None, values: OnceLock::new() }
    }

    /// Returns the position with another early end, or none.
    fn ending_by(&self, early: Option<EarlyEnd>) -> Self {
        let mut same = TypedPosition::of(Arc::clone(&self.about), self.game.clone(), self.from.clone());
        same.early = early;
        same
    }

    /// The positions before this one, the last one first.
    fn before(&self) -> impl Iterator<Item = &TypedPosition<G>> {
        std::iter::successors(parent_of(self), |at| parent_of(at))
    }

    /// The moves that led here since the last passed turn, the first one first.
    fn moves(&self) -> Vec<G::Move> {
        let mut moves: Vec<G::Move> = Vec::with_capacity(self.plies);
        moves.extend(std::iter::once(self).chain(self.before()).map_while(|at| at.from.as_ref()?.1));
        moves.reverse();
        moves
    }

    /// The text of the move that led here.
    fn last_text(&self) -> Option<String> {
        let (_, mv) = self.from.as_ref()?;
        Some(mv.map_or_else(|| PASS.to_owned(), |mv| self.game.show(mv)))
    }

    /// Counts how often the position with this key has occurred in the game, this position included.
    fn count(&self, key: u64) -> usize {
        std::iter::once(self).chain(self.before()).filter(|at| at.key == key).count()
    }

    /// Refuses whatever is asked of a game that is over.
    fn check_goes_on(&self) -> Result<(), Refusal> {
        let Some(outcome) = self.outcome() else { return Ok(()) };
        let how = match (self.early, outcome) {
            (Some(EarlyEnd::Lost(loser, reason)), _) => reason.clause(self.game.side_name(loser)),
            (_, Outcome::Win(side)) => {
                text!("{} won on move {}", self.game.side_name(side), self.plies)
            }
            (_, Outcome::Draw) => text!("a draw on move {}", self.plies),
        };
        Err(Refusal::over(how))
    }

    /// The game after a move, or why that is not legal now.
    fn after(&self, mv: G::Move) -> Result<G, Refusal> {
        let mut after = self.game.clone();
        match after.try_make(mv) {
            Ok(_) => Ok(after),
            Err(refusal) => Err(self.game.explain(mv, &refusal, &self.moves())),
        }
    }

    /// The legal moves; none where the game has ended early.
    fn legal_moves(&self) -> Vec<G::Move> {
        if self.early.is_some() { Vec::new() } else { legal_moves(&self.game) }
    }

    /// Returns the answer to a question about the game so far, as an engine sees it.
    fn with_history<T>(&self, ask: impl FnOnce(&GameHistory<'_, G>) -> T) -> T {
        // To an engine the game begins behind the last passed turn: it knows no such moves.
        let mut line = std::iter::once(self).chain(self.before());
        let passed = line.find(|at| matches!(at.from, Some((_, None))));
        let start = passed.map_or(&self.about.start, |at| &at.game);
        ask(&GameHistory { start, played: &self.moves(), now: &self.game })
    }
}

fn parent_of<G: Playable>(at: &TypedPosition<G>) -> Option<&TypedPosition<G>> {
    at.from.as_ref().map(|(before, _)| &**before)
}

/// A long game is dropped move by move, not by a call within a call for each.
impl<G: Playable> Drop for TypedPosition<G> {
    fn drop(&mut self) {
        let mut from = self.from.take();
        while let Some((before, _)) = from {
            from = Arc::into_inner(before).and_then(|mut at| at.from.take());
        }
    }
}

impl<G: Playable> Position for TypedPosition<G> {
    fn name(&self) -> &'static str {
        G::ABOUT.name
    }

    fn settings(&self) -> &[(&'static str, String)] {
        &self.about.settings
    }

    fn view(&self) -> &dyn View {
        &self.game
    }

    fn drawn(&self) -> &dyn Paint {
        &self.game
    }

    fn side_name(&self, side: Side) -> SideName {
        self.game.side_name(side)
    }

    fn to_move(&self) -> Side {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.early {
            Some(EarlyEnd::Lost(side, _)) => Some(Outcome::Win(side.other())),
            Some(EarlyEnd::Repeated) => Some(Outcome::Draw),
            None => self.game.outcome(),
        }
    }

    fn ending(&self) -> Option<Text> {
        match self.early {
            Some(early) => Some(early.ending(|side| self.game.side_name(side))),
            None => self.game.ending(),
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn played(&self) -> Vec<String> {
        let mut texts = Vec::with_capacity(self.plies);
        texts.extend(std::iter::once(self).chain(self.before()).filter_map(TypedPosition::last_text));
        texts.reverse();
        texts
    }

    fn plies(&self) -> usize {
        self.plies
    }

    fn last(&self) -> Option<String> {
        self.last_text()
    }

    fn legal(&self) -> Vec<String> {
        self.legal_moves().into_iter().map(|mv| self.game.show(mv)).collect()
    }

    fn legal_count(&self) -> usize {
        self.legal_moves().len()
    }

    fn is_legal(&self, text: &str) -> bool {
        self.early.is_none() && self.game.parse(text).is_ok_and(|mv| self.game.is_legal(mv))
    }

    fn read(&self, text: &str) -> Result<String, Refusal> {
        self.game.parse(text).map(|mv| self.game.show(mv))
    }

    fn dialects(&self) -> &'static [&'static str] {
        self.game.dialects()
    }

    fn translate(&self, dialect: &str, text: &str) -> Option<String> {
        self.game.translate(dialect, text)
    }

    fn play(self: Arc<Self>, text: &str) -> Result<Arc<dyn Position>, Refusal> {
        if text == PASS
            && let Some(passed) = self.game.passed()
        {
            self.check_goes_on()?;
            return Ok(Arc::new(TypedPosition::of(Arc::clone(&self.about), passed, Some((self, None)))));
        }
        let mv = self.game.parse(text)?;
        self.check_goes_on()?;
        let (about, after) = (Arc::clone(&self.about), self.after(mv)?);
        Ok(Arc::new(TypedPosition::of(about, after, Some((self, Some(mv))))))
    }

    fn parent(&self) -> Option<Arc<dyn Position>> {
        self.from.as_ref().map(|(before, _)| Arc::clone(before) as Arc<dyn Position>)
    }

    fn start(&self) -> Arc<dyn Position> {
        Arc::new(TypedPosition::of(Arc::clone(&self.about), self.about.start.clone(), None))
    }

    fn setup(&self) -> Option<&Setup> {
        self.about.setup.as_ref()
    }

    fn as_setup(&self) -> Option<Setup> {
        G::setup(&self.game)
    }

    fn set_up_with(&self, change: &SetupChange) -> Result<Setup, BadSetup> {
        let none = || BadSetup::new("position", "this game begins only from its usual position");
        let mut setup = self.as_setup().ok_or_else(none)?;
        G::change_setup(&mut setup, change)?;
        Ok(setup)
    }

    fn position_text(&self) -> Option<String> {
        self.game.setup_text()
    }

    fn ended(&self, early: EarlyEnd) -> Arc<dyn Position> {
        Arc::new(self.ending_by(Some(early)))
    }

    fn end_by(&self, word: &str) -> Result<Option<Arc<dyn Position>>, Refusal> {
        let Some(early) = EarlyEnd::of_word(word, self.game.to_move()) else { return Ok(None) };
        self.check_goes_on()?;
        // The offer stands until the other side has answered it.
        let before = self.from.as_ref().map_or(0, |(before, _)| before.count(before.key));
        if early == EarlyEnd::Repeated && self.repetition().max(before) < CLAIMABLE {
            let text = "You can claim a draw only when a position has come up three times.";
            return Err(Refusal::new(RefusalCode::NotUnderstood, text));
        }
        Ok(Some(Arc::new(self.ending_by(Some(early)))))
    }

    fn reopened(&self) -> Arc<dyn Position> {
        Arc::new(self.ending_by(None))
    }

    fn early(&self) -> Option<EarlyEnd> {
        self.early
    }

    fn repetition(&self) -> usize {
        self.count(self.key)
    }

    fn named_moves(&self) -> &'static [(&'static str, &'static str)] {
        self.game.words()
    }

    fn comment(&self) -> Option<Text> {
        let moves = self.moves();
        self.game.comment(&moves, 0)?;
        let before = std::iter::successors(parent_of(self), |at| parent_of(at));
        let was_made =
            |(count, at): &(usize, &TypedPosition<G>)| at.game.comment(&moves[..*count], 0).is_some();
        let made = (0..moves.len()).rev().zip(before).filter(was_made).count();
        self.game.comment(&moves, made)
    }

    fn canvas(&self, look: PaintOptions<'_>) -> Canvas {
        let last = self.last();
        self.game.paint(&PaintOptions { last: last.as_deref(), ..look })
    }

    fn levels(&self) -> Vec<EngineKind> {
        self.about.game_engines.levels()
    }

    fn check_level(&self, level: EngineKind) -> Result<(), NoSuchLevel> {
        self.about.game_engines.find(level).map(|_| ())
    }

    fn machine(&self, level: EngineKind, config: &EngineConfig) -> Result<Box<dyn Machine>, EngineError> {
        let level_spec = self.about.game_engines.find(level)?.clone();
        Ok(Box::new(EngineHost::new(level_spec, config.clone(), &self.about.start)?))
    }

    fn overlays(&self) -> Vec<Text> {
        let names = Side::each(|side| self.side_name(side));
        self.about.game_engines.overlays.iter().map(|overlay| (overlay.title)(names)).collect()
    }

    fn overlay(&self, index: usize) -> Vec<(String, char)> {
        let overlay = self.about.game_engines.overlays.get(index).filter(|_| self.outcome().is_none());
        let marks = overlay.map(|overlay| self.with_history(overlay.marks)).unwrap_or_default();
        marks.into_iter().map(|(mv, mark)| (self.game.show(mv), mark)).collect()
    }

    fn effect(&self, text: &str, glyphs: Glyphs) -> Result<Text, Refusal> {
        self.check_goes_on()?;
        let mv = self.game.parse(text)?;
        self.after(mv)?;
        let text = self.game.show(mv);
        let caption = self.game.caption(&text, glyphs);
        let text = of_move(Some(self.to_move()), text);
        Ok(caption.unwrap_or_else(|| text!("{text} is a legal move.")))
    }

    fn reason(&self, text: &str) -> Option<Text> {
        let mv = self.game.parse(text).ok().filter(|&mv| self.game.is_legal(mv))?;
        self.about.game_engines.reason.map(|reason| reason(&self.game, mv))
    }

    fn consequence(&self, moves: [&str; 2], wording: usize) -> Option<Consequence<String>> {
        let compare = self.about.game_engines.consequence?;
        let read = |text: &str| self.game.parse(text).ok().filter(|&mv| self.game.is_legal(mv));
        let [played, better] = moves.map(read);
        let found = compare(&self.game, [played?, better?], wording)?;
        Some(found.map(|mv| self.game.show(mv)))
    }

    fn pattern(&self, line: &[String]) -> Option<Text> {
        let name = self.about.game_engines.pattern?;
        let mut game = self.game.clone();
        let mut moves = Vec::new();
        for text in line {
            let mv = game.parse(text).ok().filter(|&mv| game.outcome().is_none() && game.is_legal(mv))?;
            game.make(mv);
            moves.push(mv);
        }
        name(&self.game, &moves)
    }

    fn opening(&self) -> Option<&'static str> {
        self.about.game_engines.opening.and_then(|opening| opening(&self.game))
    }

    fn announcement(&self, plies: u32, is_new: bool) -> Option<Text> {
        let announce = self.about.game_engines.announce.filter(|_| self.outcome().is_none())?;
        self.with_history(|at| announce(at, plies, is_new))
    }

    fn inspect_words(&self) -> Vec<(&'static str, &'static str)> {
        self.about.game_engines.inspect_commands.iter().map(|insight| (insight.word, insight.short)).collect()
    }

    fn inspect(&self, word: &str) -> Option<Vec<Text>> {
        let insight = self.about.game_engines.inspect_commands.iter().find(|insight| insight.word == word)?;
        Some(self.with_history(insight.tell))
    }

    fn values(&self) -> &[(String, Value)] {
        let values = self.about.game_engines.values.filter(|_| self.outcome().is_none());
        self.values.get_or_init(|| {
            let values = values.map(|values| values(&self.game, &AtomicBool::new(false))).unwrap_or_default();
            values.into_iter().map(|(mv, value)| (self.game.show(mv), value)).collect()
        })
    }

    fn solve(&self, control: &SolveControl<'_>) -> Option<Solved<String>> {
        let solve = self.about.game_engines.solve?;
        let Solved { outcome, proof, moves, nodes, elapsed, lacks_memory, needs_mib } =
            solve(&self.game, control);
        let show = |(mv, outcome, plies)| (self.game.show(mv), outcome, plies);
        Some(Solved {
            outcome,
            proof,
            moves: moves.into_iter().map(show).collect(),
            nodes,
            elapsed,
            lacks_memory,
            needs_mib,
        })
    }

    fn has_proofs(&self) -> bool {
        self.about.game_engines.prove.is_some()
    }

    fn prove(&self, control: &SolveControl<'_>) -> Option<Result<WrittenProof, Unproved>> {
        self.about.game_engines.prove.map(|prove| prove(&self.game, control))
    }

    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64> {
        perft_on_threads(&self.game, depth, threads, stop)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
