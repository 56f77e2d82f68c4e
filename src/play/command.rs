//! Commands that a match understands.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;

use crate::ai::EngineKind;
use crate::game::{SetupChange, Side};
use crate::play::{AfterGameEnd, CommandWord, NewGame, PracticeSession};
use crate::record::NodeId;

/// Argument of `comment` that deletes the comment.
pub(super) const COMMENT_DELETION_TEXT: &str = "-";

/// Command that a match executes.
#[derive(Clone, Debug)]
pub enum Command {
    /// Does nothing: a blank line, or a line with only a `#` comment.
    Nothing,
    /// Plays a typed move at the present position, even if another position is shown.
    Move(String),
    /// Plays a move chosen on the board; while an earlier position is shown, only returns to the present.
    Place(String),
    /// Undoes the given number of moves; by default, goes back to the human player's turn.
    Undo(Option<usize>),
    /// Redoes the given number of moves; by default, goes forward to the human player's turn.
    Redo(Option<usize>),
    /// Shows a position without changing the game.
    Show(HistoryTarget),
    /// Shows the game from its start.
    Replay,
    /// Continues the game from the shown position.
    PlayHere,
    /// Makes the shown line the main line.
    Promote,
    /// Copies the game to the analysis board.
    Analyze,
    /// Returns from analysis or training to the previous game.
    ReturnToGame,
    /// Starts training on the player's own mistakes.
    Train(Box<PracticeSession>),
    /// Shows the better move at the mistake under practice.
    Solve,
    /// Goes to the next mistake in training.
    NextTask,
    /// Edits the tree of an analysis.
    Edit(AnalysisEdit),
    /// Resigns for the player to move.
    Resign,
    /// Claims a draw by threefold repetition.
    ClaimDraw,
    /// Asks the searching engine to play its best move so far.
    MoveNow,
    /// Sets the engines' level.
    Level(EngineKind),
    /// Gives the player this side; an engine takes the other one.
    Side(Side),
    /// Controls the playback of a replay or of a match between engines.
    Playback(PlaybackControl),
    /// Asks for information that needs no engine.
    Ask(MatchQuery),
    /// Asks the adviser for a hint or for its evaluation of the position.
    Advise(AdviceKind),
    /// Starts a review: the adviser evaluates every position of the shown line.
    Review,
    /// Stops the review.
    StopReview,
    /// Shows the position before a mistake, and the better move. If repeated, shows the next
    /// mistake.
    ShowMistake,
    /// Closes the mistake lesson and returns to the position shown before it.
    EndLesson,
    /// Starts a new game.
    New(Box<NewGame>),
    /// Starts a rematch with sides swapped once the game is over.
    Again,
    /// Starts a rematch with sides swapped, one level lower or higher.
    AgainAt(LevelChange),
    /// Answers the rematch question.
    Answer(RematchAnswer),
    /// Sets what the match does after the end of a game.
    AfterEnd(AfterGameEnd),
    /// Quits the match at the player's request.
    Quit,
    /// Leaves the match because the input has ended.
    Leave,
    /// Ends the match for the given reason, because it cannot continue.
    Abandon(String),
}

/// Position in the game's history that a command asks to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryTarget {
    /// Position after this ply of the shown line.
    Ply(usize),
    /// Present position of the game.
    Present,
    /// Position this number of moves after the shown one.
    Next(usize),
    /// Position this number of moves before the shown one.
    Back(usize),
    /// Variation with this number, from 1, among those listed by `variations`.
    Variation(usize),
    /// Position after the next or previous alternative to the last shown move.
    Sibling(VariationDirection),
    /// Position of this node, in any line.
    Node(NodeId),
}

/// Direction of a step among the variations of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariationDirection {
    /// Goes to the next variation.
    Next,
    /// Goes to the previous variation.
    Previous,
}

/// Edit of the tree of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisEdit {
    /// Deletes the last shown move and everything after it.
    Hide,
    /// Sets the comment on the shown position; `None` removes it.
    Comment(Option<String>),
    /// Toggles the mark on a cell.
    Mark(String),
    /// Changes the shown position by hand.
    SetUp(SetupChange),
}

/// Control command for a replay or a match between engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaybackControl {
    /// Starts the playback.
    Run,
    /// Stops the playback.
    Stop,
    /// Plays one more move.
    Step,
    /// Sets the pause between two moves.
    Pause(Duration),
}

/// Question about the game that is answered without an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchQuery {
    /// Asks for the list of commands, or for help on one command.
    Help(HelpTopic),
    /// Asks for the rules of the game.
    Rules,
    /// Asks for a drawing of the board.
    Board,
    /// Asks for the list of the moves played.
    Moves,
    /// Asks for the list of legal moves.
    Legal,
    /// Asks for the effect of this move.
    Effect(String),
    /// Asks for a text that describes the position.
    Where,
    /// Asks for the comment on the position.
    Comment,
    /// Asks for the list of variations at the shown position.
    Variations,
    /// Asks for a web link to the position.
    Link,
    /// Asks for the statistics of the last search.
    Stats,
    /// Asks for the level of the engines.
    Level,
    /// Asks for the output of a game-specific command, such as `paths`.
    Inspect(&'static str),
}

/// Topic of the `help` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpTopic {
    /// All commands.
    All,
    /// Command shared by all games.
    Word(CommandWord),
    /// Command of the current game only.
    GameCommand(&'static str),
}

/// Request to an adviser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceKind {
    /// Asks for a suggested move and the reason for it.
    Hint,
    /// Asks for the value of each move, as a report to the player.
    Eval,
    /// Asks for the value of each move, to be shown beside the board.
    Study,
}

/// Permission to overwrite another game in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverwritePermission {
    /// The other game is not overwritten.
    No,
    /// The other game is overwritten.
    Yes,
}

/// Change to the next lower or higher level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelChange {
    /// One level lower.
    Lower,
    /// One level higher.
    Higher,
}

/// Answer to the rematch question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RematchAnswer {
    /// Starts another game.
    Yes,
    /// Ends the match.
    No,
}

/// Request parsed from a typed line: a command to the match, or access to a file.
#[derive(Clone, Debug)]
pub enum InputRequest {
    /// Executes this command in the match.
    Do(Command),
    /// Opens a game from a file.
    Load(PathBuf),
    /// Saves the game to a file; the flag permits overwriting another game.
    Save(PathBuf, OverwritePermission),
}

/// Formats the command as the line that a player would type, if there is one.
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
            Command::Show(HistoryTarget::Sibling(VariationDirection::Next)) => f.write_str("other line"),
            Command::Show(HistoryTarget::Sibling(VariationDirection::Previous)) => {
                f.write_str("other line back")
            }
            Command::Show(HistoryTarget::Node(_)) => f.write_str("another position"),
            Command::Replay => f.write_str("replay"),
            Command::PlayHere => f.write_str("play"),
            Command::Promote => f.write_str("promote"),
            Command::Analyze => f.write_str("analyze"),
            Command::ReturnToGame => f.write_str("return to the game"),
            Command::Train(_) => f.write_str("mistakes"),
            Command::Solve => f.write_str("solution"),
            Command::NextTask => f.write_str("next mistake"),
            Command::Edit(AnalysisEdit::Hide) => f.write_str("hide"),
            Command::Edit(AnalysisEdit::Comment(text)) => {
                write!(f, "comment {}", text.as_deref().unwrap_or(COMMENT_DELETION_TEXT))
            }
            Command::Edit(AnalysisEdit::Mark(cell)) => write!(f, "mark {cell}"),
            Command::Edit(AnalysisEdit::SetUp(change)) => write!(f, "setup {change}"),
            Command::Resign => f.write_str("resign"),
            Command::ClaimDraw => f.write_str("draw"),
            Command::MoveNow => f.write_str("move now"),
            Command::Level(level) => write!(f, "level {level}"),
            Command::Side(side) => write!(f, "side {side}"),
            Command::Playback(PlaybackControl::Pause(pause)) => write!(f, "pause {} ms", pause.as_millis()),
            Command::Playback(walk) => write!(f, "{walk:?}"),
            Command::Advise(AdviceKind::Hint) => f.write_str("hint"),
            Command::Advise(AdviceKind::Eval) => f.write_str("eval"),
            Command::Advise(AdviceKind::Study) => f.write_str("study"),
            Command::Review => f.write_str("review"),
            Command::StopReview => f.write_str("stop review"),
            Command::ShowMistake => f.write_str("show mistake"),
            Command::EndLesson => f.write_str("end of the lesson"),
            Command::AgainAt(LevelChange::Lower) => f.write_str("easier"),
            Command::AgainAt(LevelChange::Higher) => f.write_str("harder"),
            Command::New(_) => f.write_str("new"),
            Command::Again => f.write_str("again"),
            Command::Answer(RematchAnswer::Yes) => f.write_str("y"),
            Command::Answer(RematchAnswer::No) => f.write_str("n"),
            Command::Ask(query) => write!(f, "{}", query.command_name()),
            Command::Quit | Command::Leave => f.write_str("quit"),
            Command::Nothing | Command::AfterEnd(_) => Ok(()),
            Command::Abandon(why) => f.write_str(why),
        }
    }
}

impl MatchQuery {
    /// Returns the name of the command that asks this question.
    #[must_use]
    pub fn command_name(&self) -> &'static str {
        match self {
            MatchQuery::Help(_) => "help",
            MatchQuery::Rules => "rules",
            MatchQuery::Board => "board",
            MatchQuery::Moves => "moves",
            MatchQuery::Legal | MatchQuery::Effect(_) => "legal",
            MatchQuery::Where => "where",
            MatchQuery::Comment => "comment",
            MatchQuery::Variations => "variations",
            MatchQuery::Link => "link",
            MatchQuery::Stats => "stats",
            MatchQuery::Level => "level",
            MatchQuery::Inspect(word) => word,
        }
    }
}
