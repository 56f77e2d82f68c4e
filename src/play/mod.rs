//! The one owner of a match: the game with its variations, its players, the position that is shown,
//! and the engines' jobs. Pure: starts no thread, reads no clock, shows nothing. Commands and news
//! go in, events come out.

mod activity;
mod analysis;
mod clock;
mod command;
mod contest;
mod core;
mod event;
mod fact;
mod game;
mod handle;
mod jobs;
mod kept;
mod lesson;
mod line;
mod mistakes;
mod new_game;
mod offer;
mod outcomes;
mod playback;
mod players;
mod practice;
mod read;
mod refusal;
mod replay;
mod review;
mod source;
mod study;
mod tally;
mod task;
mod thoughts;
mod training;
mod words;

use std::path::PathBuf;
use std::sync::Arc;

use crate::record::{GameRecord, NodeId};
use crate::registry::OpenError;
use crate::session::Position;

use contest::Contest;
use kept::Earlier;
use players::Chance;
use thoughts::Thoughts;

pub use activity::{Activity, Moment};
pub use clock::{Clocks, NoTimeControl, Now, TimeControl, TimeOver};
pub use command::{
    Advice, Command, Direction, Edit, HelpTopic, HistoryTarget, Overwrite, PlaybackControl, Query, Rematch,
    Request, Strength,
};
pub use core::{Acted, Core};
pub use event::{
    Answer, EditNews, EngineRole, Event, Fallback, Fault, Leaving, Moved, ProofNews, Reply, SaveNews,
    TryNews, Unsaved,
};
pub use fact::Fact;
pub use lesson::Lesson;
pub use line::LineOfPlay;
pub use mistakes::Findings;
pub use new_game::{AfterEnd, Mode, MoveFile, NewGame, PlayAs, Reviewer, Rules};
pub use offer::Offer;
pub use playback::Playback;
pub use players::{Players, Seat};
pub use practice::{Practice, Session};
pub(crate) use read::read_game;
pub use refusal::MatchRefusal;
pub use source::{IncompleteReplay, ReplayStop};
pub use study::{Judged, Loss, Mark};
pub use tally::Scoreboard;
pub use task::{Before, Known, OpenTask, Origin, Task, Try};
pub use words::{WORDS, Word, WordEntry, find, level};

/// One game of a match: the state that all games have, and its activity. A match shows it and lets
/// nobody change it.
#[derive(Debug)]
pub struct Game {
    /// Number of the game in the match, from 0.
    pub number: u64,
    core: Core,
    activity: Box<dyn Activity>,
    /// Index of the result that has been counted.
    counted: Option<usize>,
}

/// Match: games one after the other, with all that must outlive one of them.
///
/// ```
/// use std::time::Duration;
/// use crosspath::play::{Command, Event, Match, Mode, NewGame, Request, Rules};
/// use crosspath::registry::find;
/// let spec = NewGame { mode: Mode::Humans, ..NewGame::of(find("tic-tac-toe")?) };
/// let mut game = Match::new(Rules::default(), spec, None)?;
/// let Ok(Request::Do(command)) = game.read("b2") else { panic!("a cell") };
/// let events = game.handle(command, Duration::ZERO);
/// assert!(matches!(events[..], [Event::Moved(_)]));
/// assert_eq!(game.shown().last().as_deref(), Some("b2"));
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
#[derive(Debug)]
pub struct Match {
    rules: Rules,
    game: Box<Game>,
    earlier: Earlier,
    chance: Chance,
    tally: Scoreboard,
    /// File with another game that the person is asked to replace.
    to_replace: Option<PathBuf>,
    thoughts: Thoughts,
    /// Latest events that can be put into words.
    said: Vec<Event>,
    has_left: bool,
    /// Time of the command or the news that is being handled.
    now: Now,
    /// Events since then.
    events: Vec<Event>,
}

impl Match {
    /// Creates a match that begins with this game; in mode 3 with the file to replay.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn new(rules: Rules, spec: NewGame, replay: Option<MoveFile>) -> Result<Self, OpenError> {
        let mut chance = Chance::new(rules.seed);
        let game = match replay {
            Some(file) => Game::of_file(spec, file, rules)?,
            None => Game::begun(Core::new(spec)?, &mut chance, None, rules),
        };
        Ok(Match::of(rules, chance, game))
    }

    /// Creates a match that continues an unfinished game.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn resumed(rules: Rules, spec: NewGame, record: GameRecord) -> Result<Self, OpenError> {
        let mut chance = Chance::new(rules.seed);
        let game = Game::resumed(spec, record, &mut chance, None, rules)?;
        Ok(Match::of(rules, chance, game))
    }

    /// Creates a match that begins with another activity on the board of this game.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn with(rules: Rules, spec: NewGame, activity: Box<dyn Activity>) -> Result<Self, OpenError> {
        Ok(Match::of(rules, Chance::new(rules.seed), Game::new(Core::new(spec)?, activity)))
    }

    /// Creates a match in which your own mistakes are practised.
    #[must_use]
    pub fn training(rules: Rules, session: Session) -> Self {
        Match::of(rules, Chance::new(rules.seed), Game::training_of(session))
    }

    fn of(rules: Rules, chance: Chance, game: Game) -> Self {
        Match {
            rules,
            game: Box::new(game),
            earlier: Earlier::default(),
            chance,
            tally: Scoreboard::default(),
            to_replace: None,
            thoughts: Thoughts::default(),
            said: Vec::new(),
            has_left: false,
            now: Now::ZERO,
            events: Vec::new(),
        }
    }

    /// Opens the match and returns the events before the first command. `fallback` is the request
    /// that could not be played.
    pub fn open(&mut self, fallback: Option<Fallback>, now: Now) -> Vec<Event> {
        self.now = now;
        self.events.extend(fallback.map(Event::FellBack));
        self.start();
        self.finish()
    }

    /// Returns the rules of the match.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the position that is shown, of the game or of the better line at a mistake.
    #[must_use]
    pub fn shown(&self) -> &Arc<dyn Position> {
        let of_lesson = self.game.core.lesson.as_ref().and_then(Lesson::position);
        of_lesson.unwrap_or(self.game.core.line.shown_position())
    }

    /// Returns the present position.
    #[must_use]
    pub fn present_position(&self) -> &Arc<dyn Position> {
        self.game.core.line.present_position()
    }

    /// Returns the ply of the last move of the line that is shown.
    #[must_use]
    pub fn last_ply(&self) -> usize {
        self.game.tree().ply(self.game.line_end())
    }

    /// Returns the variations at this position: other moves in place of the last one shown, and at
    /// the end of the line, the moves played after it.
    #[must_use]
    pub fn variations(&self) -> Vec<NodeId> {
        self.game.core.line.variations()
    }

    /// Reports whether moves were undone that can be redone.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.game.tree().main_line_from(self.game.present()).count() > 1
    }

    /// Returns the results of the run of games.
    #[must_use]
    pub fn tally(&self) -> &Scoreboard {
        &self.tally
    }

    /// Returns the latest events that can be put into words.
    #[must_use]
    pub fn said(&self) -> &[Event] {
        &self.said
    }

    /// Reports whether the match was left.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.has_left
    }

    /// Reports whether the person is asked about another game.
    #[must_use]
    pub fn has_question(&self) -> bool {
        let asks = self.rules.after_end == AfterEnd::Ask && self.game.has_human();
        asks && self.game.core.line.has_ended && self.game.outcome().is_some()
    }

    /// Reports whether the person is asked whether to replace another game in a file.
    #[must_use]
    pub fn asks_to_replace(&self) -> bool {
        self.to_replace.is_some()
    }
}
