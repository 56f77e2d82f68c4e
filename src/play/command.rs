//! What can be asked of a match.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;

use crate::ai::EngineKind;
use crate::game::{SetupChange, Side};
use crate::play::{AfterEnd, NewGame, Session, Word};
use crate::record::NodeId;

/// What stands for no comment.
pub(super) const NO_COMMENT: &str = "-";

/// What is asked of a match.
#[derive(Clone, Debug)]
pub enum Command {
    /// Nothing: a blank line, or a comment.
    Nothing,
    /// Plays a typed move at the present position, wherever the player looks.
    Move(String),
    /// Plays a move that was pointed at; where an earlier position is shown it only returns to the present.
    Place(String),
    /// Takes moves back: so many, or a whole turn.
    Undo(Option<usize>),
    /// Plays moves again: so many, or a whole turn.
    Redo(Option<usize>),
    /// Shows a position; the game stays where it is.
    Show(Place),
    /// Goes through the game from its start.
    Replay,
    /// The game goes on from the position that is shown.
    PlayHere,
    /// The line that is shown becomes the main one.
    Promote,
    /// The game is taken to the analysis board.
    Analyze,
    /// The game is shown again whose place the analysis or the training has taken.
    ReturnToGame,
    /// Your own mistakes are practised.
    Train(Box<Session>),
    /// Shows the better move at the mistake that is practised.
    Solve,
    /// Goes to the next mistake.
    NextTask,
    /// Changes the tree of an analysis.
    Edit(Edit),
    /// The player to move gives up.
    Resign,
    /// Claims the draw of a position that has come three times.
    ClaimDraw,
    /// The engine that thinks is to answer with the best so far.
    MoveNow,
    /// Sets the engines' level.
    Level(EngineKind),
    /// The player takes this side.
    Side(Side),
    /// What goes on by itself.
    Walk(Walk),
    /// A question that is answered at once.
    Ask(Query),
    /// Asks an engine of its own for a move and its reason, or for what it thinks of the position.
    Advise(Advice),
    /// An adviser judges every position of the line that is shown.
    Review,
    /// It judges no more.
    StopReview,
    /// Shows the position before a mistake, with the better move; again: before the next one.
    ShowMistake,
    /// Shows again what was shown before the mistake.
    EndLesson,
    /// Another game.
    New(Box<NewGame>),
    /// The same players change sides and begin again, when the game is over.
    Again,
    /// The same at the level below or above.
    AgainAt(Strength),
    /// The answer to the question for another game.
    Answer(Another),
    /// What becomes of a game that is over, from now on.
    AfterEnd(AfterEnd),
    /// The player says goodbye.
    Quit,
    /// No more input will come.
    Leave,
    /// The match cannot be continued, for this reason.
    Abandon(String),
}

/// A position to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// After so many moves of the line that is shown.
    Ply(usize),
    /// The present position.
    Present,
    /// So many moves on.
    Next(usize),
    /// So many moves back.
    Back(usize),
    /// The other move, counted from 1, that was played instead of the last one shown.
    Variation(usize),
    /// The same for the one after the line that is shown, and for the one before.
    Other(Turn),
    /// This one, wherever it stands.
    Node(NodeId),
}

/// One of two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// To the next one.
    On,
    /// To the one before.
    Back,
}

/// A change of the tree of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Takes out the move that is shown last, with all that follows it.
    Hide,
    /// Notes this comment at the position that is shown, or none.
    Comment(Option<String>),
    /// Marks a cell, or takes its mark away.
    Mark(String),
    /// Begins a new analysis from the position that is shown with this change.
    SetUp(SetupChange),
}

/// How a game goes on by itself: a replay, or a match of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// It goes on.
    Run,
    /// It stops.
    Stop,
    /// One move more.
    Step,
    /// The pause between two moves.
    Pause(Duration),
}

/// A question about the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// The words.
    Help(HelpTopic),
    /// The rules of the game.
    Rules,
    /// The board.
    Board,
    /// The moves played.
    Moves,
    /// The legal moves.
    Legal,
    /// What a move does.
    Effect(String),
    /// The position in words.
    Where,
    /// What the file says about the position.
    Comment,
    /// The other lines.
    Variations,
    /// A link that shows the position.
    Link,
    /// The numbers of the last search.
    Stats,
    /// The engines' level.
    Level,
    /// What a word of the game itself tells.
    Inspect(&'static str),
}

/// What `help` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpTopic {
    /// All words.
    All,
    /// One of them.
    Word(Word),
    /// A word of the game itself.
    Own(&'static str),
}

/// What an adviser is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// A move and its reason.
    Hint,
    /// What each move is worth.
    Eval,
    /// The same, shown beside the board and not told.
    Study,
}

/// Whether another game in a file was, or may be, written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// It stays.
    No,
    /// It goes.
    Yes,
}

/// Which of the two levels beside the present one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// The one below.
    Lower,
    /// The one above.
    Higher,
}

/// The answer to the question for another game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Another {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// What a line asks for: something of the match, or of the files around it.
#[derive(Clone, Debug)]
pub enum Request {
    /// This command.
    Do(Command),
    /// A game is to be read from a file.
    Load(PathBuf),
    /// The game is to be written into a file, perhaps over another one.
    Save(PathBuf, Overwrite),
}

/// The line that says the same, as far as there is one.
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
            Command::Show(Place::Ply(ply)) => write!(f, "goto {ply}"),
            Command::Show(Place::Present) => f.write_str("goto end"),
            Command::Show(Place::Next(count)) => write!(f, "next {count}"),
            Command::Show(Place::Back(count)) => write!(f, "back {count}"),
            Command::Show(Place::Variation(number)) => write!(f, "variations {number}"),
            Command::Show(Place::Other(Turn::On)) => f.write_str("other line"),
            Command::Show(Place::Other(Turn::Back)) => f.write_str("other line back"),
            Command::Show(Place::Node(_)) => f.write_str("another position"),
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
            Command::Walk(Walk::Pause(pause)) => write!(f, "pause {} ms", pause.as_millis()),
            Command::Walk(walk) => write!(f, "{walk:?}"),
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
            Command::Answer(Another::Yes) => f.write_str("y"),
            Command::Answer(Another::No) => f.write_str("n"),
            Command::Ask(query) => write!(f, "{}", query.word()),
            Command::Quit | Command::Leave => f.write_str("quit"),
            Command::Nothing | Command::AfterEnd(_) => Ok(()),
            Command::Abandon(why) => f.write_str(why),
        }
    }
}

impl Query {
    /// The word that asks this.
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
