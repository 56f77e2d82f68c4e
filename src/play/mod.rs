//! The state of a match: its games, players and engine jobs.
//!
//! This module starts no thread, reads no clock and prints nothing. Commands and news from engines
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
use crate::registry::BoardSetupError;
use crate::session::Position;

use contest::PlayActivity;
use kept::PreviousGames;
use players::MatchRandomness;
use thoughts::EngineJobQueue;

pub use activity::{ActivityContext, GameActivity};
pub use clock::{GameClocks, MatchTime, ParseTimeControlError, TimeControl, TimeoutRule};
pub use command::{
    AdviceKind, AnalysisEdit, Command, HelpTopic, HistoryTarget, InputRequest, LevelChange, MatchQuery,
    OverwritePermission, PlaybackControl, RematchAnswer, VariationDirection,
};
pub use core::{ActivityResult, LiveGameState};
pub use event::{
    AppliedMove, CommandAnswer, CommandReply, EditOutcome, EngineRole, JournalStatus, LeaveReason,
    MatchEvent, MatchFault, ModeFallback, ProofChange, TryOutcome, UnsavedStatus,
};
pub use fact::MatchFact;
pub use lesson::MistakeLesson;
pub use line::LineOfPlay;
pub use mistakes::ReviewFindings;
pub use new_game::{AfterGameEnd, GameMode, HumanSideChoice, MatchRules, MoveFile, NewGame, ReviewEngine};
pub use offer::LevelOffer;
pub use playback::Playback;
pub use players::{PlayerSeat, Players};
pub use practice::{PracticeItem, PracticeSession};
pub(crate) use read::parse_game_and_size;
pub use refusal::MatchRefusal;
pub use source::{IncompleteReplay, ReplayStop};
pub use study::{MistakeMark, MoveLoss, ReviewEvaluation};
pub use tally::Scoreboard;
pub use task::{OpenTask, PracticeTask, TaskAttempt, TaskHistory, TaskOrigin, TaskPosition};
pub use words::{COMMAND_WORDS, CommandEntry, CommandWord, find_command_word, parse_level};

/// Game of a match: its state and the activity on it. Other modules can only read it.
#[derive(Debug)]
pub struct LiveGame {
    /// Number of the game in the match, from 0.
    pub number: u64,
    core: LiveGameState,
    activity: Box<dyn GameActivity>,
    /// Result as counted on the scoreboard; `None` if no result was counted.
    counted: Option<usize>,
}

/// Match: a series of games, with the state that they share.
///
/// ```
/// use std::time::Duration;
/// use crosspath::play::{Command, GameMode, InputRequest, Match, MatchEvent, MatchRules, NewGame};
/// use crosspath::registry::find_game;
/// let spec = NewGame { mode: GameMode::Humans, ..NewGame::for_game(find_game("tic-tac-toe")?) };
/// let mut game = Match::new(MatchRules::default(), spec, None)?;
/// let Ok(InputRequest::Do(command)) = game.parse_line("b2") else { panic!("a cell") };
/// let events = game.handle_command(command, Duration::ZERO);
/// assert!(matches!(events[..], [MatchEvent::Moved(_)]));
/// assert_eq!(game.shown_position().last_move().as_deref(), Some("b2"));
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
#[derive(Debug)]
pub struct Match {
    rules: MatchRules,
    game: Box<LiveGame>,
    earlier: PreviousGames,
    chance: MatchRandomness,
    tally: Scoreboard,
    /// File with another game that the player is asked to overwrite.
    to_replace: Option<PathBuf>,
    job_queue: EngineJobQueue,
    /// Latest events that front ends report as text.
    reported_events: Vec<MatchEvent>,
    has_left: bool,
    /// Time of the last update.
    now: MatchTime,
    /// Pending events of the current update.
    events: Vec<MatchEvent>,
}

impl Match {
    /// Creates a match that starts with this game or with the replay of a file.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub fn new(rules: MatchRules, spec: NewGame, replay: Option<MoveFile>) -> Result<Self, BoardSetupError> {
        let mut chance = MatchRandomness::new(rules.seed);
        let game = match replay {
            Some(file) => LiveGame::from_move_file(spec, file, rules)?,
            None => LiveGame::start_play_or_analysis(LiveGameState::new(spec)?, &mut chance, None, rules),
        };
        Ok(Match::with_game(rules, chance, game))
    }

    /// Creates a match that continues an unfinished game.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub fn from_record(
        rules: MatchRules,
        spec: NewGame,
        record: GameRecord,
    ) -> Result<Self, BoardSetupError> {
        let mut chance = MatchRandomness::new(rules.seed);
        let game = LiveGame::from_record(spec, record, &mut chance, None, rules)?;
        Ok(Match::with_game(rules, chance, game))
    }

    /// Creates a match that starts with a custom activity on the board of this request.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub fn with_activity(
        rules: MatchRules,
        spec: NewGame,
        activity: Box<dyn GameActivity>,
    ) -> Result<Self, BoardSetupError> {
        Ok(Match::with_game(
            rules,
            MatchRandomness::new(rules.seed),
            LiveGame::new(LiveGameState::new(spec)?, activity),
        ))
    }

    /// Creates a match that starts with training on the player's own mistakes.
    #[must_use]
    pub fn new_training(rules: MatchRules, session: PracticeSession) -> Self {
        Match::with_game(rules, MatchRandomness::new(rules.seed), LiveGame::new_training(session))
    }

    fn with_game(rules: MatchRules, chance: MatchRandomness, game: LiveGame) -> Self {
        Match {
            rules,
            game: Box::new(game),
            earlier: PreviousGames::default(),
            chance,
            tally: Scoreboard::default(),
            to_replace: None,
            job_queue: EngineJobQueue::default(),
            reported_events: Vec::new(),
            has_left: false,
            now: MatchTime::ZERO,
            events: Vec::new(),
        }
    }

    /// Opens the match and returns the first events. `fallback` describes a request that cannot be
    /// played.
    pub fn open(&mut self, fallback: Option<ModeFallback>, now: MatchTime) -> Vec<MatchEvent> {
        self.now = now;
        self.events.extend(fallback.map(MatchEvent::FellBack));
        self.start_game();
        self.finish_update()
    }

    /// Returns the rules of the match.
    #[must_use]
    pub fn rules(&self) -> &MatchRules {
        &self.rules
    }

    /// Returns the current game.
    #[must_use]
    pub fn game(&self) -> &LiveGame {
        &self.game
    }

    /// Returns the shown position, of the game or of the better line in a mistake lesson.
    #[must_use]
    pub fn shown_position(&self) -> &Arc<dyn Position> {
        let of_lesson = self.game.core.lesson.as_ref().and_then(MistakeLesson::shown_position);
        of_lesson.unwrap_or(self.game.core.line.shown_position())
    }

    /// Returns the present position.
    #[must_use]
    pub fn present_position(&self) -> &Arc<dyn Position> {
        self.game.core.line.present_position()
    }

    /// Returns the ply of the last move of the shown line.
    #[must_use]
    pub fn last_ply(&self) -> usize {
        self.game.tree().ply(self.game.shown_line_end())
    }

    /// Returns the variations at the shown position: alternatives to the last shown move, then moves
    /// after it that are not on the shown line.
    #[must_use]
    pub fn variations(&self) -> Vec<NodeId> {
        self.game.core.line.variations()
    }

    /// Reports whether undone moves can be redone.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.game.tree().main_line_from(self.game.present_node()).count() > 1
    }

    /// Returns the results of the current series of games.
    #[must_use]
    pub fn scoreboard(&self) -> &Scoreboard {
        &self.tally
    }

    /// Returns the latest events that front ends report as text.
    #[must_use]
    pub fn reported_events(&self) -> &[MatchEvent] {
        &self.reported_events
    }

    /// Reports whether the match has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_left
    }

    /// Reports whether the match is waiting for the answer to the rematch question.
    #[must_use]
    pub fn asks_for_rematch(&self) -> bool {
        let asks = self.rules.after_end == AfterGameEnd::Ask && self.game.has_human();
        asks && self.game.core.line.has_ended && self.game.outcome().is_some()
    }

    /// Reports whether the match is waiting for permission to overwrite another game in a file.
    #[must_use]
    pub fn asks_to_overwrite(&self) -> bool {
        self.to_replace.is_some()
    }
}
