//! Immutable positions of any game, together with the moves that led to them. They are the only object-safe
//! interface of the games, so that higher layers do not depend on a specific game.

mod early;
mod history;
mod machine;
mod playout;

use std::any::Any;
use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use crate::ai::{
    EngineConfig, EngineHost, EngineKind, GameEngines, GameHistory, HasEngines, MistakeConsequence,
    NoSuchLevel, ProofFailure, ScoreMeaning, SolveControl, SolveResult, WrittenProof, legal_moves,
};
use crate::canvas::{Canvas, GlyphSet, PaintBoard, PaintOptions};
use crate::game::{
    BadSetup, BoardConfig, Game, GameDefinition, Notation, Outcome, PositionDescription, PositionSetup,
    Refusal, RefusalCode, SetupChange, Side, perft_on_threads,
};
use crate::text;
use crate::text::{SideName, Text, mark_move};

pub use early::{DRAW_WORD, EarlyEnd, LossReason, RESIGN_WORD, TIMEOUT_WORD};
pub use history::PositionHistory;
pub use machine::{
    AnyEngine, CandidateMove, EngineAnswer, EngineError, EngineRequest, Forfeit, ForfeitReason, SearchReport,
};
pub(crate) use playout::TypedPlayout;
pub use playout::{ChosenMove, Playout};

/// Text of a pass in records and histories. Files of some programs contain passes.
pub const PASS_WORD: &str = "pass";

/// Number of occurrences of a position after which a draw can be claimed.
pub(crate) const CLAIMABLE_REPETITIONS: usize = 3;

/// Everything that a playable game needs: rules, notation, view, drawing, description and engines.
///
/// ```
/// use crosspath::games::hex::Hex;
/// use crosspath::session::Playable;
/// fn title<G: Playable>() -> &'static str {
///     G::INFO.title
/// }
/// assert_eq!(title::<Hex>(), "Hex");
/// ```
pub trait Playable:
    Game + Notation + PositionDescription + PaintBoard + PartialEq + GameDefinition + HasEngines
{
}

impl<G: Game + Notation + PositionDescription + PaintBoard + PartialEq + GameDefinition + HasEngines> Playable
    for G
{
}

/// Immutable position of a game with its history. A move creates a new position.
///
/// ```
/// use crosspath::registry::{Variant, find_game};
/// let start = find_game("tic-tac-toe")?.start_position(&Variant::default())?;
/// let next = start.clone().play("b2").expect("the middle is free");
/// assert_eq!((start.plies(), next.plies(), next.last_move().as_deref()), (0, 1, Some("b2")));
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
pub trait Position: Debug + Send + Sync {
    /// Returns the game's name on the command line and in records, such as `tic-tac-toe`.
    fn game_name(&self) -> &'static str;
    /// Returns the settings of the board as `(key, value)`, in the order of records.
    fn settings(&self) -> &[(&'static str, String)];
    /// Returns the position as a [`PositionDescription`].
    fn view(&self) -> &dyn PositionDescription;
    /// Returns the position as a [`PaintBoard`]; see [`Position::paint_board`].
    fn as_paint(&self) -> &dyn PaintBoard;
    /// Returns the name of a side; see [`PositionDescription::side_name`].
    fn side_name(&self, side: Side) -> SideName;

    /// Returns the side to move.
    fn to_move(&self) -> Side;
    /// Returns the outcome; `None` while the game is not over.
    fn outcome(&self) -> Option<Outcome>;
    /// Describes the end of the game; see [`PositionDescription::describe_ending`].
    fn describe_ending(&self) -> Option<Text>;
    /// Returns the position's key; see [`Game::position_key`].
    fn position_key(&self) -> u64;

    /// Returns the moves played, in the notation of records.
    fn played_moves(&self) -> Vec<String>;
    /// Returns the number of moves played.
    fn plies(&self) -> usize;
    /// Returns the last move, if there is one.
    fn last_move(&self) -> Option<String>;
    /// Returns the legal moves, in the order of [`Game::push_legal_moves`].
    fn legal_moves(&self) -> Vec<String>;
    /// Returns the number of legal moves.
    fn legal_move_count(&self) -> usize;
    /// Reports whether a move is legal in this position.
    fn is_legal(&self, text: &str) -> bool;
    /// Converts a move in any notation to the one of records, without checking that it is legal.
    ///
    /// # Errors
    /// Returns the errors of [`Notation::parse`].
    fn normalize_move(&self, text: &str) -> Result<String, Refusal>;
    /// Returns the names of other move notations; see [`Notation::dialects`].
    fn move_dialects(&self) -> &'static [&'static str];
    /// Translates a move to or from another notation; see [`Notation::translate_from_dialect`].
    fn translate_move(&self, dialect: &str, text: &str) -> Option<String>;
    /// Returns the position after a move.
    ///
    /// # Errors
    /// The error says why the text is not a move, or why the move is not legal.
    fn play(self: Arc<Self>, text: &str) -> Result<Arc<dyn Position>, Refusal>;
    /// Returns the position before the last move; `None` at the start.
    fn parent(&self) -> Option<Arc<dyn Position>>;
    /// Returns the position before the first move.
    fn start_position(&self) -> Arc<dyn Position>;
    /// Returns the set-up from which the game began; `None` for the usual start position.
    fn initial_setup(&self) -> Option<&PositionSetup>;
    /// Returns the side that makes the first move: First, unless a set-up states Second.
    fn first_mover(&self) -> Side {
        self.initial_setup().map_or(Side::First, |setup| setup.to_move)
    }
    /// Converts this position to a set-up; see [`GameDefinition::to_setup`].
    fn to_setup(&self) -> Option<PositionSetup>;
    /// Converts this position to a set-up and applies a change.
    ///
    /// # Errors
    /// Returns the errors of [`GameDefinition::change_setup`], and an error if the game has no set-ups.
    fn changed_setup(&self, change: &SetupChange) -> Result<PositionSetup, BadSetup>;
    /// Formats this position as one line of text; see [`GameDefinition::format_setup`].
    fn position_text(&self) -> Option<String>;
    /// Returns the position after an early end given by a record's word: the side to move loses, or claims a
    /// draw with [`DRAW_WORD`]. Returns `None` for any other word.
    ///
    /// # Errors
    /// Returns an error if the game is over, or no draw can be claimed; see [`Position::repetition_count`].
    fn end_by_word(&self, word: &str) -> Result<Option<Arc<dyn Position>>, Refusal>;
    /// Returns the position with this early end, without checking that it is possible.
    fn with_early_end(&self, early: EarlyEnd) -> Arc<dyn Position>;
    /// Returns the position without an early end, so that the game can continue.
    fn without_early_end(&self) -> Arc<dyn Position>;
    /// Returns the early end of the game, if there was one.
    fn early_end(&self) -> Option<EarlyEnd>;
    /// Returns the number of occurrences of this position in the game, including this one.
    fn repetition_count(&self) -> usize;
    /// Returns the moves that are written as a word; see [`Notation::named_moves`].
    fn named_moves(&self) -> &'static [(&'static str, &'static str)];
    /// Describes an effect of the last move that the board does not show; see [`Notation::comment_on_last_move`].
    fn last_move_comment(&self) -> Option<Text>;
    /// Returns the commands that only this game has, each with its description.
    fn game_commands(&self) -> Vec<(&'static str, &'static str)> {
        [self.named_moves(), &self.inspect_commands()].concat()
    }

    /// Draws the board, with `look.last` set to the last move.
    fn paint_board(&self, look: PaintOptions<'_>) -> Canvas;
    /// Returns the levels of this game, `classic` first, then from weakest to strongest.
    fn levels(&self) -> Vec<EngineKind>;
    /// Checks that the game has this level or engine.
    ///
    /// # Errors
    /// The error lists the levels that exist.
    fn check_level(&self, level: EngineKind) -> Result<(), NoSuchLevel>;
    /// Builds an engine for this game.
    ///
    /// # Errors
    /// Returns an error if the level does not exist, or the engine cannot be built with this configuration.
    fn build_engine(
        &self,
        level: EngineKind,
        config: &EngineConfig,
    ) -> Result<Box<dyn AnyEngine>, EngineError>;
    /// Describes the effect of a legal move before it is played.
    ///
    /// # Errors
    /// The error says why the text is not a legal move.
    fn describe_move_effect(&self, text: &str, glyphs: GlyphSet) -> Result<Text, Refusal>;
    /// Explains the purpose of a move, as a phrase that follows it; `None` if there is no explanation or the
    /// move is not legal.
    fn explain_move(&self, text: &str) -> Option<Text>;
    /// Explains what the first of two legal moves loses compared with the second; `None` if nothing is
    /// certain or a move is not legal. `wording` selects the phrasing.
    fn explain_mistake(&self, moves: [&str; 2], wording: usize) -> Option<MistakeConsequence<String>>;
    /// Names a pattern in a line of play from here, such as a ladder, in a sentence; `None` if there is none.
    fn name_line_pattern(&self, line: &[String]) -> Option<Text>;
    /// Returns the common name of the opening on the board.
    fn opening_name(&self) -> Option<&'static str>;
    /// Announces that the engine that has just moved has proved a win within `plies` plies; `is_new` marks
    /// the first proof. Returns `None` if there is nothing new to say or the game has no text for it.
    fn announce_proved_win(&self, plies: u32, is_new: bool) -> Option<Text>;
    /// Returns the titles of the overlays that the engines provide.
    fn overlay_titles(&self) -> Vec<Text>;
    /// Returns the marks of an overlay on the empty cells of this position; none if there is no such overlay.
    fn overlay_marks(&self, index: usize) -> Vec<(String, char)>;
    /// Returns the inspection commands of this game, each with its description.
    fn inspect_commands(&self) -> Vec<(&'static str, &'static str)>;
    /// Runs an inspection command on this position; `None` if there is no such command.
    fn run_inspect_command(&self, word: &str) -> Option<Vec<Text>>;
    /// Returns the exact value of every legal move, or nothing if the values cannot be computed.
    fn exact_move_values(&self) -> &[(String, ScoreMeaning)];
    /// Solves a position that is not over; `None` if the game has no solver. The result does not depend on
    /// the number of threads.
    fn solve_position(&self, control: &SolveControl<'_>) -> Option<SolveResult<String>>;
    /// Reports whether the game has a proof format.
    fn can_write_proofs(&self) -> bool;
    /// Proves the winner of a position that is not over; `None` if the game has no proof format. Swaps are
    /// not considered.
    fn prove_winner(&self, control: &SolveControl<'_>) -> Option<Result<WrittenProof, ProofFailure>>;
    /// Counts the leaves of the move tree from this position; see [`perft_on_threads`].
    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64>;
    /// Returns the position as `Any`, which engines of the same game downcast.
    fn as_any(&self) -> &dyn Any;
}

/// A position of one game.
#[derive(Debug)]
pub(crate) struct TypedPosition<G: Playable> {
    about: Arc<SharedGameData<G>>,
    game: G,
    /// Previous position and the move from it; the move is `None` for a pass.
    from: ParentLink<G>,
    plies: usize,
    key: u64,
    early: Option<EarlyEnd>,
    /// Exact values of all moves, computed on demand.
    values: OnceLock<Vec<(String, ScoreMeaning)>>,
}

/// Previous position and the move from it.
type ParentLink<G> = Option<(Arc<TypedPosition<G>>, Option<<G as Game>::Move>)>;

/// Data that all positions of a game share.
#[derive(Debug)]
struct SharedGameData<G: Playable> {
    settings: Vec<(&'static str, String)>,
    game_engines: GameEngines<G>,
    start: G,
    setup: Option<PositionSetup>,
}

impl<G: Playable> TypedPosition<G> {
    /// Creates the first position of a game on this board.
    pub(crate) fn new(board: &BoardConfig) -> Self {
        TypedPosition::start_game(board, G::start_position(board), None)
    }

    /// Creates the first position of a game that begins from a set-up.
    ///
    /// # Errors
    /// Returns the errors of [`GameDefinition::from_setup`].
    pub(crate) fn from_setup(board: &BoardConfig, setup: &PositionSetup) -> Result<Self, BadSetup> {
        Ok(TypedPosition::start_game(board, G::from_setup(board, setup)?, Some(setup.clone())))
    }

    fn start_game(board: &BoardConfig, start: G, setup: Option<PositionSetup>) -> Self {
        let (settings, game_engines) = (board.record_settings(), G::game_engines());
        TypedPosition::with_parent(
            Arc::new(SharedGameData { settings, game_engines, start: start.clone(), setup }),
            start,
            None,
        )
    }

    fn with_parent(about: Arc<SharedGameData<G>>, game: G, from: ParentLink<G>) -> Self {
        let plies = from.as_ref().map_or(0, |(before, _)| before.plies + 1);
        let key = game.position_key();
        TypedPosition { about, game, from, plies, key, early: None, values: OnceLock::new() }
    }

    /// Returns the position with this early end, or without one.
    fn with_end_state(&self, early: Option<EarlyEnd>) -> Self {
        let mut same =
            TypedPosition::with_parent(Arc::clone(&self.about), self.game.clone(), self.from.clone());
        same.early = early;
        same
    }

    /// Iterates over the positions before this one, the latest first.
    fn ancestors(&self) -> impl Iterator<Item = &TypedPosition<G>> {
        std::iter::successors(parent_position(self), |at| parent_position(at))
    }

    /// Returns the moves since the last pass, oldest first.
    fn moves_since_pass(&self) -> Vec<G::Move> {
        let mut moves: Vec<G::Move> = Vec::with_capacity(self.plies);
        moves.extend(std::iter::once(self).chain(self.ancestors()).map_while(|at| at.from.as_ref()?.1));
        moves.reverse();
        moves
    }

    /// Returns the text of the move that led to this position.
    fn last_move_text(&self) -> Option<String> {
        let (_, mv) = self.from.as_ref()?;
        Some(mv.map_or_else(|| PASS_WORD.to_owned(), |mv| self.game.format_move(mv)))
    }

    /// Counts the occurrences of a key in the game up to this position.
    fn count_occurrences(&self, key: u64) -> usize {
        std::iter::once(self).chain(self.ancestors()).filter(|at| at.key == key).count()
    }

    /// Refuses a request if the game is over.
    fn check_not_over(&self) -> Result<(), Refusal> {
        let Some(outcome) = self.outcome() else { return Ok(()) };
        let how = match (self.early, outcome) {
            (Some(EarlyEnd::Lost(loser, reason)), _) => reason.describe_loss(self.game.side_name(loser)),
            (_, Outcome::Win(side)) => {
                text!("{} won on move {}", self.game.side_name(side), self.plies)
            }
            (_, Outcome::Draw) => text!("a draw on move {}", self.plies),
        };
        Err(Refusal::game_over(how))
    }

    /// Returns the game after a move, or the reason why the move is not legal.
    fn game_after(&self, mv: G::Move) -> Result<G, Refusal> {
        let mut after = self.game.clone();
        match after.try_make_move(mv) {
            Ok(_) => Ok(after),
            Err(refusal) => Err(self.game.explain_refusal(mv, &refusal, &self.moves_since_pass())),
        }
    }

    /// Returns the legal moves; none if the game has ended early.
    fn legal_game_moves(&self) -> Vec<G::Move> {
        if self.early.is_some() { Vec::new() } else { legal_moves(&self.game) }
    }

    /// Calls `ask` with the history of the game that engines receive, which starts after the last pass.
    fn with_history<T>(&self, ask: impl FnOnce(&GameHistory<'_, G>) -> T) -> T {
        // Engines know no passed turns: to them the game begins after the last one.
        let mut line = std::iter::once(self).chain(self.ancestors());
        let passed = line.find(|at| matches!(at.from, Some((_, None))));
        let start = passed.map_or(&self.about.start, |at| &at.game);
        ask(&GameHistory { start, played: &self.moves_since_pass(), now: &self.game })
    }
}

fn parent_position<G: Playable>(at: &TypedPosition<G>) -> Option<&TypedPosition<G>> {
    at.from.as_ref().map(|(before, _)| &**before)
}

/// Drops the chain of parents iteratively to avoid a stack overflow.
impl<G: Playable> Drop for TypedPosition<G> {
    fn drop(&mut self) {
        let mut from = self.from.take();
        while let Some((before, _)) = from {
            from = Arc::into_inner(before).and_then(|mut at| at.from.take());
        }
    }
}

impl<G: Playable> Position for TypedPosition<G> {
    fn game_name(&self) -> &'static str {
        G::INFO.name
    }

    fn settings(&self) -> &[(&'static str, String)] {
        &self.about.settings
    }

    fn view(&self) -> &dyn PositionDescription {
        &self.game
    }

    fn as_paint(&self) -> &dyn PaintBoard {
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

    fn describe_ending(&self) -> Option<Text> {
        match self.early {
            Some(early) => Some(early.describe_ending(|side| self.game.side_name(side))),
            None => self.game.describe_ending(),
        }
    }

    fn position_key(&self) -> u64 {
        self.key
    }

    fn played_moves(&self) -> Vec<String> {
        let mut texts = Vec::with_capacity(self.plies);
        texts.extend(std::iter::once(self).chain(self.ancestors()).filter_map(TypedPosition::last_move_text));
        texts.reverse();
        texts
    }

    fn plies(&self) -> usize {
        self.plies
    }

    fn last_move(&self) -> Option<String> {
        self.last_move_text()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal_game_moves().into_iter().map(|mv| self.game.format_move(mv)).collect()
    }

    fn legal_move_count(&self) -> usize {
        self.legal_game_moves().len()
    }

    fn is_legal(&self, text: &str) -> bool {
        self.early.is_none() && self.game.parse(text).is_ok_and(|mv| self.game.is_legal(mv))
    }

    fn normalize_move(&self, text: &str) -> Result<String, Refusal> {
        self.game.parse(text).map(|mv| self.game.format_move(mv))
    }

    fn move_dialects(&self) -> &'static [&'static str] {
        self.game.dialects()
    }

    fn translate_move(&self, dialect: &str, text: &str) -> Option<String> {
        self.game.translate_from_dialect(dialect, text)
    }

    fn play(self: Arc<Self>, text: &str) -> Result<Arc<dyn Position>, Refusal> {
        if text == PASS_WORD
            && let Some(passed) = self.game.after_pass()
        {
            self.check_not_over()?;
            return Ok(Arc::new(TypedPosition::with_parent(
                Arc::clone(&self.about),
                passed,
                Some((self, None)),
            )));
        }
        let mv = self.game.parse(text)?;
        self.check_not_over()?;
        let (about, after) = (Arc::clone(&self.about), self.game_after(mv)?);
        Ok(Arc::new(TypedPosition::with_parent(about, after, Some((self, Some(mv))))))
    }

    fn parent(&self) -> Option<Arc<dyn Position>> {
        self.from.as_ref().map(|(before, _)| Arc::clone(before) as Arc<dyn Position>)
    }

    fn start_position(&self) -> Arc<dyn Position> {
        Arc::new(TypedPosition::with_parent(Arc::clone(&self.about), self.about.start.clone(), None))
    }

    fn initial_setup(&self) -> Option<&PositionSetup> {
        self.about.setup.as_ref()
    }

    fn to_setup(&self) -> Option<PositionSetup> {
        G::to_setup(&self.game)
    }

    fn changed_setup(&self, change: &SetupChange) -> Result<PositionSetup, BadSetup> {
        let none = || BadSetup::new("position", "this game begins only from its usual position");
        let mut setup = self.to_setup().ok_or_else(none)?;
        G::change_setup(&mut setup, change)?;
        Ok(setup)
    }

    fn position_text(&self) -> Option<String> {
        self.game.format_setup()
    }

    fn with_early_end(&self, early: EarlyEnd) -> Arc<dyn Position> {
        Arc::new(self.with_end_state(Some(early)))
    }

    fn end_by_word(&self, word: &str) -> Result<Option<Arc<dyn Position>>, Refusal> {
        let Some(early) = EarlyEnd::from_record_word(word, self.game.to_move()) else { return Ok(None) };
        self.check_not_over()?;
        // A draw offer is valid until the other side has answered it.
        let before = self.from.as_ref().map_or(0, |(before, _)| before.count_occurrences(before.key));
        if early == EarlyEnd::Repeated && self.repetition_count().max(before) < CLAIMABLE_REPETITIONS {
            let text = "You can claim a draw only when a position has come up three times.";
            return Err(Refusal::new(RefusalCode::NotUnderstood, text));
        }
        Ok(Some(Arc::new(self.with_end_state(Some(early)))))
    }

    fn without_early_end(&self) -> Arc<dyn Position> {
        Arc::new(self.with_end_state(None))
    }

    fn early_end(&self) -> Option<EarlyEnd> {
        self.early
    }

    fn repetition_count(&self) -> usize {
        self.count_occurrences(self.key)
    }

    fn named_moves(&self) -> &'static [(&'static str, &'static str)] {
        self.game.named_moves()
    }

    fn last_move_comment(&self) -> Option<Text> {
        let moves = self.moves_since_pass();
        self.game.comment_on_last_move(&moves, 0)?;
        let before = std::iter::successors(parent_position(self), |at| parent_position(at));
        let was_made = |(count, at): &(usize, &TypedPosition<G>)| {
            at.game.comment_on_last_move(&moves[..*count], 0).is_some()
        };
        let made = (0..moves.len()).rev().zip(before).filter(was_made).count();
        self.game.comment_on_last_move(&moves, made)
    }

    fn paint_board(&self, look: PaintOptions<'_>) -> Canvas {
        let last = self.last_move();
        self.game.paint(&PaintOptions { last: last.as_deref(), ..look })
    }

    fn levels(&self) -> Vec<EngineKind> {
        self.about.game_engines.levels()
    }

    fn check_level(&self, level: EngineKind) -> Result<(), NoSuchLevel> {
        self.about.game_engines.find_level(level).map(|_| ())
    }

    fn build_engine(
        &self,
        level: EngineKind,
        config: &EngineConfig,
    ) -> Result<Box<dyn AnyEngine>, EngineError> {
        let level_spec = self.about.game_engines.find_level(level)?.clone();
        Ok(Box::new(EngineHost::new(level_spec, config.clone(), &self.about.start)?))
    }

    fn overlay_titles(&self) -> Vec<Text> {
        let names = Side::map_both(|side| self.side_name(side));
        self.about.game_engines.overlays.iter().map(|overlay| (overlay.title)(names)).collect()
    }

    fn overlay_marks(&self, index: usize) -> Vec<(String, char)> {
        let overlay = self.about.game_engines.overlays.get(index).filter(|_| self.outcome().is_none());
        let marks = overlay.map(|overlay| self.with_history(overlay.marks)).unwrap_or_default();
        marks.into_iter().map(|(mv, mark)| (self.game.format_move(mv), mark)).collect()
    }

    fn describe_move_effect(&self, text: &str, glyphs: GlyphSet) -> Result<Text, Refusal> {
        self.check_not_over()?;
        let mv = self.game.parse(text)?;
        self.game_after(mv)?;
        let text = self.game.format_move(mv);
        let caption = self.game.move_effect_caption(&text, glyphs);
        let text = mark_move(Some(self.to_move()), text);
        Ok(caption.unwrap_or_else(|| text!("{text} is a legal move.")))
    }

    fn explain_move(&self, text: &str) -> Option<Text> {
        let mv = self.game.parse(text).ok().filter(|&mv| self.game.is_legal(mv))?;
        self.about.game_engines.reason.map(|reason| reason(&self.game, mv))
    }

    fn explain_mistake(&self, moves: [&str; 2], wording: usize) -> Option<MistakeConsequence<String>> {
        let compare = self.about.game_engines.consequence?;
        let read = |text: &str| self.game.parse(text).ok().filter(|&mv| self.game.is_legal(mv));
        let [played, better] = moves.map(read);
        let found = compare(&self.game, [played?, better?], wording)?;
        Some(found.map_moves(|mv| self.game.format_move(mv)))
    }

    fn name_line_pattern(&self, line: &[String]) -> Option<Text> {
        let name = self.about.game_engines.pattern?;
        let mut game = self.game.clone();
        let mut moves = Vec::new();
        for text in line {
            let mv = game.parse(text).ok().filter(|&mv| game.outcome().is_none() && game.is_legal(mv))?;
            game.make_move(mv);
            moves.push(mv);
        }
        name(&self.game, &moves)
    }

    fn opening_name(&self) -> Option<&'static str> {
        self.about.game_engines.opening.and_then(|opening| opening(&self.game))
    }

    fn announce_proved_win(&self, plies: u32, is_new: bool) -> Option<Text> {
        let announce = self.about.game_engines.announce.filter(|_| self.outcome().is_none())?;
        self.with_history(|at| announce(at, plies, is_new))
    }

    fn inspect_commands(&self) -> Vec<(&'static str, &'static str)> {
        self.about.game_engines.inspect_commands.iter().map(|insight| (insight.word, insight.short)).collect()
    }

    fn run_inspect_command(&self, word: &str) -> Option<Vec<Text>> {
        let insight = self.about.game_engines.inspect_commands.iter().find(|insight| insight.word == word)?;
        Some(self.with_history(insight.describe))
    }

    fn exact_move_values(&self) -> &[(String, ScoreMeaning)] {
        let values = self.about.game_engines.values.filter(|_| self.outcome().is_none());
        self.values.get_or_init(|| {
            let values = values.map(|values| values(&self.game, &AtomicBool::new(false))).unwrap_or_default();
            values.into_iter().map(|(mv, value)| (self.game.format_move(mv), value)).collect()
        })
    }

    fn solve_position(&self, control: &SolveControl<'_>) -> Option<SolveResult<String>> {
        let solve = self.about.game_engines.solve?;
        let SolveResult { outcome, proof, moves, nodes, elapsed, lacks_memory, needs_mib } =
            solve(&self.game, control);
        let show = |(mv, outcome, plies)| (self.game.format_move(mv), outcome, plies);
        Some(SolveResult {
            outcome,
            proof,
            moves: moves.into_iter().map(show).collect(),
            nodes,
            elapsed,
            lacks_memory,
            needs_mib,
        })
    }

    fn can_write_proofs(&self) -> bool {
        self.about.game_engines.prove.is_some()
    }

    fn prove_winner(&self, control: &SolveControl<'_>) -> Option<Result<WrittenProof, ProofFailure>> {
        self.about.game_engines.prove.map(|prove| prove(&self.game, control))
    }

    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> Option<u64> {
        perft_on_threads(&self.game, depth, threads, stop)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
