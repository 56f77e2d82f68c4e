//! Commands that a match understands.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;

use crate::ai::EngineKind;
use crate::game::{SetupChange, Side};
use crate::play::{AfterEnd, NewGame, Session, Word};
use crate::record::NodeId;

/// Text that stands for no comment.
pub(super) const NO_COMMENT: &str = "-";

/// Command to a match.
#[derive(Clone, Debug)]
pub enum Command {
    /// Nothing: a blank line, or a comment.
    Nothing,
    /// Plays a typed move at the present position, whichever position is shown.
    Move(String),
    /// Plays a move that was pointed at; where an earlier position is shown it only returns to the present.
    Place(String),
    /// Undoes this number of moves, or a whole turn.
    Undo(Option<usize>),
    /// Redoes this number of moves, or a whole turn.
    Redo(Option<usize>),
    /// Shows a position; the game does not change.
    Show(HistoryTarget),
    /// Shows the game from its start.
    Replay,
    /// Continues the game from the position that is shown.
    PlayHere,
    /// Makes the line that is shown the main line.
    Promote,
    /// Takes the game to the analysis board.
    Analyze,
    /// Shows the game again that the analysis or the training has replaced.
    ReturnToGame,
    /// Starts practising your own mistakes.
    Train(Box<Session>),
    /// Shows the better move at the mistake that is practised.
    Solve,
    /// Goes to the next mistake.
    NextTask,
    /// Changes the tree of an analysis.
    Edit(Edit),
    /// Resigns for the player to move.
    Resign,
    /// Claims the draw of a position that has come three times.
    ClaimDraw,
    /// Asks the engine that is thinking to answer with its best move so far.
    MoveNow,
    /// Sets the engines' level.
    Level(EngineKind),
    /// Gives the player this side.
    Side(Side),
    /// Controls what continues by itself: a replay or a match of two engines.
    Playback(PlaybackControl),
    /// Asks a question that is answered at once.
    Ask(Query),
    /// Asks an adviser for a move and its reason, or for its evaluation of the position.
    Advise(Advice),
    /// Starts a review: an adviser evaluates every position of the line that is shown.
    Review,
    /// Stops the review.
    StopReview,
    /// Shows the position before a mistake, with the better move; if repeated, before the next one.
    ShowMistake,
    /// Shows the position that was shown before the mistake.
    EndLesson,
    /// Starts a new game.
    New(Box<NewGame>),
    /// Starts a rematch with sides swapped, when the game is over.
    Again,
    /// Starts such a rematch at the level below or above.
    AgainAt(Strength),
    /// Answers the question about another game.
    Answer(Rematch),
    /// Sets what happens from now on when a game is over.
    AfterEnd(AfterEnd),
    /// Leaves the match because the player wants to.
    Quit,
    /// Leaves the match because no more input will come.
    Leave,
    /// Ends the match, which cannot continue for this reason.
    Abandon(String),
}

/// Position to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryTarget {
    /// The position after this ply of the line that is shown.
    Ply(usize),
    /// The present position.
    Present,
    /// The position this number of moves later.
    Next(usize),
    /// The position this number of moves earlier.
    Back(usize),
    /// The variation with this number, from 1: another move in place of the last one shown.
    Variation(usize),
    /// The variation after the line that is shown, or the one before it.
    Other(Direction),
    /// This position, in any line.
    Node(NodeId),
}

/// Direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the next one.
    Next,
    /// To the previous one.
    Previous,
}

/// Edit of the tree of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Deletes the last move shown, with all that follows it.
    Hide,
    /// Sets the comment on the position that is shown, or removes it.
    Comment(Option<String>),
    /// Marks a cell, or removes its mark.
    Mark(String),
    /// Begins a new analysis from the position that is shown with this change.
    SetUp(SetupChange),
}

/// Control of a replay, or of a match of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaybackControl {
    /// Starts it.
    Run,
    /// Stops it.
    Stop,
    /// Plays one more move.
    Step,
    /// Sets the pause between two moves.
    Pause(Duration),
}

/// Question about the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// The list of commands, or the help on one.
    Help(HelpTopic),
    /// The rules of the game.
    Rules,
    /// The board.
    Board,
    /// The moves played.
    Moves,
    /// The legal moves.
    Legal,
    /// The effect of a move.
    Effect(String),
    /// The position in words.
    Where,
    /// The comment on the position.
    Comment,
    /// The variations.
    Variations,
    /// The link to the position.
    Link,
    /// The statistics of the last search.
    Stats,
    /// The engines' level.
    Level,
    /// The answer to a command of the game itself.
    Inspect(&'static str),
}

/// Topic that `help` explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpTopic {
    /// All commands.
    All,
    /// One of them.
    Word(Word),
    /// A command of the game itself.
    Own(&'static str),
}

/// Request to an adviser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// A move and its reason.
    Hint,
    /// The value of each move.
    Eval,
    /// The value of each move, shown beside the board and not reported.
    Study,
}

/// Permission to replace another game in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// The other game stays.
    No,
    /// The other game is replaced.
    Yes,
}

/// Direction to one of the two levels beside the present one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// The level below.
    Lower,
    /// The level above.
    Higher,
}

/// Answer to the question about another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rematch {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// Request of a typed line: a command to the match, or access to a file.
#[derive(Clone, Debug)]
pub enum Request {
    /// Passes this command to the match.
    Do(Command),
    /// Opens a game from a file.
    Load(PathBuf),
    /// Saves the game to a file, perhaps over another one.
    Save(PathBuf, Overwrite),
}

/// Writes the line that asks for this command, as far as there is one.
impl Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |f: &mut fmt::Formatter<'_>, name: &str, count: &Option<usize>| match count {
            Some(count) => write!(f, "{name} {count}"),
            None => f.write_str(name),
        };
        match self {
            Command::Move(text) | Command::Place(text) => f.write_str(text),
            Command::Undo(count) => with(f, "undo", count),
            Command::Redo(count) => with(f, "redo", count),
            Command::Show(HistoryTarget::Ply(ply)) => write!(f, "goto {ply}"),
            Command::Show(HistoryTarget::Present) => f.write_str("goto end"),
            Command::Show(HistoryTarget::Next(count)) => write!(f, "next {count}"),
            Command::Show(HistoryTarget::Back(count)) => write!(f, "back {count}"),
            Command::Show(HistoryTarget::Variation(number)) => write!(f, "variations {number}"),
            Command::Show(HistoryTarget::Other(Direction::Next)) => f.write_str("other line"),
            Command::Show(HistoryTarget::Other(Direction::Previous)) => f.write_str("other line back"),
            Command::Show(HistoryTarget::Node(_)) => f.write_str("another position"),
            Command::Replay => f.write_str("replay"),
            Command::PlayHere => f.write_str("play"),
            Command::Promote => f.write_str("promote"),
            Command::Analyze => f.write_str("analyze"),
            Command::ReturnToGame => f.write_str("return to the game"),
            Command::Train(_) => f.write_str("mistakes"),
            Command::Solve => f.write_str("solution"),
            Command::NextTask => f.write_str("next mistake"),
            Command::Edit(Edit::Hide) => f.write_str("hide"),
            Command::Edit(Edit::Comment(text)) => {
                write!(f, "comment {}", text.as_deref().unwrap_or(NO_COMMENT))
            }
            Command::Edit(Edit::Mark(cell)) => write!(f, "mark {cell}"),
            Command::Edit(Edit::SetUp(change)) => write!(f, "setup {change}"),
            Command::Resign => f.write_str("resign"),
            Command::ClaimDraw => f.write_str("draw"),
            Command::MoveNow => f.write_str("move now"),
            Command::Level(level) => write!(f, "level {level}"),
            Command::Side(side) => write!(f, "side {side}"),
            Command::Playback(PlaybackControl::Pause(pause)) => write!(f, "pause {} ms", pause.as_millis()),
            Command::Playback(walk) => write!(f, "{walk:?}"),
            Command::Advise(Advice::Hint) => f.write_str("hint"),
            Command::Advise(Advice::Eval) => f.write_str("eval"),
            Command::Advise(Advice::Study) => f.write_str("study"),
            Command::Review => f.write_str("review"),
            Command::StopReview => f.write_str("stop review"),
            Command::ShowMistake => f.write_str("show mistake"),
            Command::EndLesson => f.write_str("end of the lesson"),
            Command::AgainAt(Strength::Lower) => f.write_str("easier"),
            Command::AgainAt(Strength::Higher) => f.write_str("harder"),
            Command::New(_) => f.write_str("new"),
            Command::Again => f.write_str("again"),
            Command::Answer(Rematch::Yes) => f.write_str("y"),
            Command::Answer(Rematch::No) => f.write_str("n"),
            Command::Ask(query) => write!(f, "{}", query.word()),
            Command::Quit | Command::Leave => f.write_str("quit"),
            Command::Nothing | Command::AfterEnd(_) => Ok(()),
            Command::Abandon(why) => f.write_str(why),
        }
    }
}

impl Query {
    /// Returns the command that asks this.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Query::Help(_) => "help",
            Query::Rules => "rules",
            Query::Board => "board",
            Query::Moves => "moves",
            Query::Legal | Query::Effect(_) => "legal",
            Query::Where => "where",
            Query::Comment => "comment",
            Query::Variations => "variations",
            Query::Link => "link",
            Query::Stats => "stats",
            Query::Level => "level",
            Query::Inspect(word) => word,
        }
    }
}
