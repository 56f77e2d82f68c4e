//! The one owner of a match: the game with its side lines, who plays, what is shown, what is thought about.
//! Pure: starts no thread, reads no clock, shows nothing. Commands and news go in, events come out.

mod clock;
mod command;
mod engines;
mod event;
mod handle;
mod kept;
mod navigation;
mod outcomes;
mod refusal;
mod review;
mod tally;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;

use crate::ai::{EngineConfig, EngineKind, EngineSpec, Limits, Resources, Weights};
use crate::game::{BySide, Outcome, Side};
use crate::random::{Generator, WHO_STARTS, mix, stream};
use crate::record::{By, GameRecord, GameTree, NodeId, Note, Strictness};
use crate::registry::{Entry, GAMES, GameStart, OpenError, Variant};
use crate::session::{Position, Report};
use crate::thinking::{EnginePlayer, EngineSeat, ExternalProgram, HostId, Job};

pub use clock::{NoTimeControl, TimeControl, TimeOver};
pub(crate) use command::read_game;
pub use command::{
    Advice, Another, Command, Entry as WordEntry, Overwrite, Place, Query, Request, Turn, WORDS, Walk, Word,
    find, level,
};
pub use event::{
    Answer, DeadEnd, EngineRole, Event, Fallback, Fault, Leaving, Moved, Now, ProofNews, Reply, SaveNews,
    Stuck, Unsaved,
};
pub use refusal::MatchRefusal;
pub use review::{Judged, Loss, Mark};
pub use tally::Tally;

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 1: human against machine.
    HumanMachine,
    /// 2: human against human.
    Humans,
    /// 3: a move file.
    Replay,
    /// 4: machine against machine.
    Machines,
}

impl Mode {
    /// The number on the command line.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Mode::HumanMachine => 1,
            Mode::Humans => 2,
            Mode::Replay => 3,
            Mode::Machines => 4,
        }
    }
}

/// Which side the human takes against a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayAs {
    /// The human begins.
    First,
    /// The machine begins.
    Second,
    /// Drawn anew for each game.
    Random,
}

impl From<Side> for PlayAs {
    fn from(side: Side) -> Self {
        if side == Side::First { PlayAs::First } else { PlayAs::Second }
    }
}

/// What is to be played: the request of the command line, of the menu and of the word `new` alike.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The game, its board and the position from which it begins.
    pub start: GameStart,
    /// The settings that were chosen last: they hold where a file or the next board says nothing of its own.
    pub settings: Variant,
    /// Who plays.
    pub mode: Mode,
    /// The machines' strength; the game's own default if not given.
    pub level: Option<EngineKind>,
    /// The engine that was named in place of a level: its network and its constants.
    pub own: Option<EngineSpec>,
    /// The network of all levels that play by one, where that is not the program's own.
    pub net: Option<Arc<Weights>>,
    /// The program that plays in place of the machines.
    pub program: Option<Arc<ExternalProgram>>,
    /// The human's side in mode 1.
    pub play_as: PlayAs,
    /// Limits that replace those of the machines' level.
    pub limits: Limits,
    /// What the machines may use of the machine they run on.
    pub resources: Resources,
    /// The clocks, if there are any.
    pub time: Option<TimeControl>,
}

impl NewGame {
    /// The game as it is played where nothing more is said: mode 1 on the usual board.
    #[must_use]
    pub fn of(entry: &'static Entry) -> Self {
        NewGame::on(GameStart::new(entry, Variant::default()))
    }

    /// The same from this start.
    #[must_use]
    pub fn on(start: GameStart) -> Self {
        NewGame {
            settings: start.variant.clone(),
            start,
            mode: Mode::HumanMachine,
            level: None,
            own: None,
            net: None,
            program: None,
            play_as: PlayAs::First,
            limits: Limits::default(),
            resources: Resources::DEFAULT,
            time: None,
        }
    }

    /// Chooses what is played.
    pub fn choose(&mut self, start: GameStart) {
        self.settings = start.variant.clone();
        self.start = start;
    }
}

/// What becomes of a match when a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterEnd {
    /// People are asked for another game; where nobody plays the match is left.
    Ask,
    /// The match is left.
    Leave,
    /// The game stays, and nothing is asked. Replays and matches of engines have pauses and can be stopped.
    Stay,
}

/// What holds for all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The random seed: the same seed, the same game.
    pub seed: u64,
    /// Whether the first refusal ends the match.
    pub strictness: Strictness,
    /// What becomes of a game that is over.
    pub after_end: AfterEnd,
    /// Whether a journal keeps the games.
    pub is_journalled: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { seed: 1, strictness: Strictness::Forgiving, after_end: AfterEnd::Ask, is_journalled: false }
    }
}

/// A move file that is shown.
#[derive(Clone, Debug)]
pub struct MoveFile {
    /// Its path, safe to show.
    pub path: String,
    /// What it tells.
    pub record: Box<GameRecord>,
}

/// Who plays a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person.
    Human,
    /// An engine.
    Engine(EngineSeat),
    /// A move file.
    Record,
}

/// How a replay or a match of two engines goes on by itself.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Whether it does.
    pub is_running: bool,
    /// The pause between two moves.
    pub pause: Duration,
    /// When there was last something new to see.
    since: Now,
    /// Whether one more move is wanted although it is stopped.
    steps: bool,
}

/// The pause that replays and matches of engines begin with, where they have one.
const PAUSE: Duration = Duration::from_secs(1);

/// One game of a match: a value that is replaced whole. A match shows it and lets nobody change it.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Game {
    /// Its number in the match, from 0.
    pub number: u64,
    /// What was asked for.
    pub spec: NewGame,
    /// All that was played.
    pub tree: GameTree,
    /// Where the seats play.
    pub present: NodeId,
    /// What is drawn.
    pub shown: NodeId,
    /// Whether the game is gone through from its start: then its last position is looked at like the others.
    is_replay: bool,
    seats: BySide<Seat>,
    /// The seed of its engines.
    pub(crate) seed: u64,
    /// The level of the engines, also where none plays now.
    pub level: EngineKind,
    /// The program that was asked for, also where a level plays now.
    pub(crate) configured: Option<Arc<ExternalProgram>>,
    /// How the game goes on by itself.
    pub pace: Pace,
    /// The time that each side has used, and since when the side to move is charged.
    pub used: BySide<Duration>,
    charged_since: Now,
    /// Whether a side has been told that its time is used up.
    is_told_of_time: bool,
    /// The last search of an engine that plays in it.
    pub last_search: Option<Arc<Report>>,
    /// Whether something was proved at the last move of an engine.
    was_proved: bool,
    /// The position that was saved or loaded last, and the file.
    kept: NodeId,
    file: Option<PathBuf>,
    /// The file that is shown.
    pub source: Option<String>,
    /// What the file of the game says beside its moves.
    pub remarks: Vec<(String, String)>,
    /// What was left out of the file that is shown.
    dropped: VecDeque<Note>,
    /// Why the file that is shown cannot be followed beyond its last position.
    stuck: Option<Stuck>,
    /// Whether the end has been announced.
    has_ended: bool,
    /// Whether the game comes from a file: then it counts for nothing.
    is_loaded: bool,
    /// The result that has been counted.
    counted: Option<usize>,
    /// Whether its journal could not be written, so that it lacks moves of the game.
    pub(crate) is_unkept: bool,
    /// What an adviser thinks of its positions.
    review: review::Review,
}

/// A match: games one after the other, with all that must outlive one of them.
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
    /// The game before this one, until the first move of this one.
    last_game: Option<(Box<Game>, Tally)>,
    /// The boards of earlier games whose moves are lost.
    lost: Vec<String>,
    draws: Box<Generator>,
    /// How often engines took their seats, so that each has chance of its own.
    seatings: u64,
    /// How many games there were before this one.
    games: u64,
    tally: Tally,
    /// The file with another game that the person is asked about: whether this one is to take its place.
    to_replace: Option<PathBuf>,
    /// What is asked of an engine beside the game, and about which position.
    study: Option<(NodeId, Advice)>,
    /// Where the last thought came to its end that nobody was told of.
    studied: Option<NodeId>,
    jobs: Vec<Job>,
    next_job: u64,
    /// The position in which an engine has failed.
    failed_at: Option<NodeId>,
    /// What happened last that can be put in words.
    said: Vec<Event>,
    has_left: bool,
    /// The time of the command or the news that is seen to.
    now: Now,
    /// What has happened since.
    events: Vec<Event>,
}

impl Match {
    /// A match that begins with this game; in mode 3 with the file to replay.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn new(rules: Rules, spec: NewGame, replay: Option<MoveFile>) -> Result<Self, OpenError> {
        let game = Box::new(Game::new(spec, replay, rules)?);
        let mut new = Match {
            rules,
            game,
            last_game: None,
            lost: Vec::new(),
            draws: Box::new(stream(rules.seed, WHO_STARTS)),
            seatings: 0,
            games: 0,
            tally: Tally::default(),
            to_replace: None,
            study: None,
            studied: None,
            jobs: Vec::new(),
            next_job: 0,
            failed_at: None,
            said: Vec::new(),
            has_left: false,
            now: Now::ZERO,
            events: Vec::new(),
        };
        new.assign_players();
        Ok(new)
    }

    /// A match that goes on with a game, as it was left.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn resumed(rules: Rules, spec: NewGame, record: GameRecord) -> Result<Self, OpenError> {
        let mut new = Match::new(rules, spec, None)?;
        new.game.replace_tree(record);
        new.game.kept = NodeId::ROOT; // its journal has it, and no file
        Ok(new)
    }

    /// Begins: what is said before the first command. `fallback` says what was asked for instead.
    pub fn open(&mut self, fallback: Option<Fallback>, now: Now) -> Vec<Event> {
        self.now = now;
        self.events.extend(fallback.map(Event::FellBack));
        self.start();
        self.finish()
    }

    /// The rules of the match.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the game before this one, while `undo` brings it back.
    pub(crate) fn previous(&self) -> Option<&Game> {
        self.last_game.as_ref().map(|(game, _)| &**game)
    }

    /// Whether the game of this number is played, or `undo` brings it back.
    pub(crate) fn remembers(&self, number: u64) -> bool {
        let before = self.previous().map(|game| game.number).into_iter();
        before.chain([self.game.number]).any(|known| known == number)
    }

    /// The position that is shown.
    #[must_use]
    pub fn shown(&self) -> &Arc<dyn Position> {
        self.game.position(self.game.shown)
    }

    /// The present position.
    #[must_use]
    pub fn present_position(&self) -> &Arc<dyn Position> {
        self.game.position(self.game.present)
    }

    /// The results of the run of games.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What happened last that can be put in words.
    #[must_use]
    pub fn said(&self) -> &[Event] {
        &self.said
    }

    /// Whether the match was left.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.has_left
    }

    /// Whether the person is asked for another game.
    #[must_use]
    pub fn has_question(&self) -> bool {
        let asks = self.rules.after_end == AfterEnd::Ask && self.game.has_human();
        asks && self.game.has_ended && self.present_position().outcome().is_some()
    }

    /// Whether the person is asked if this game is to take the place of another one in a file.
    #[must_use]
    pub fn asks_to_replace(&self) -> bool {
        self.to_replace.is_some()
    }

    /// Whether nothing is owed: no move of an engine, no advice, no step of a replay. Then the next line may be read.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.jobs.is_empty() && (self.game.pace.pause > Duration::ZERO || self.walk_due().is_none())
    }

    /// Whether an adviser is free, and has not just thought about the position that is shown.
    #[must_use]
    pub fn can_study(&self) -> bool {
        self.study.is_none() && self.studied != Some(self.game.shown)
    }

    /// Whether moves were taken back that can be played again.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.game.tree.way_on(self.game.present).count() > 1
    }

    /// Whether an engine thinks about its next move.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.jobs.iter().any(|job| job.host != HostId::Study)
    }

    /// Whether the one who thinks is another program: nothing makes that answer earlier.
    #[must_use]
    pub fn is_program_thinking(&self) -> bool {
        self.external_job().is_some()
    }

    /// Returns the job that an external engine works on.
    pub(crate) fn external_job(&self) -> Option<&Job> {
        self.jobs.iter().find(|job| job.host != HostId::Study && job.engine.external().is_some())
    }

    /// Whether an engine looks for advice.
    #[must_use]
    pub fn is_advising(&self) -> bool {
        self.study.is_some_and(|(_, advice)| advice != Advice::Study)
    }

    /// Puts players on the seats of a game that begins, as its mode wants them.
    fn assign_players(&mut self) {
        if matches!(self.game.spec.mode, Mode::HumanMachine | Mode::Machines) {
            self.seatings += 1;
        }
        self.seat_players(match self.seatings.saturating_sub(1) {
            0 => self.rules.seed,
            game => mix(self.rules.seed, game),
        });
    }

    /// Puts players on the seats, whose engines play by this seed.
    fn seat_players(&mut self, seed: u64) {
        let game = &*self.game;
        let (mode, level) = (game.spec.mode, game.level);
        let human = match game.spec.play_as {
            PlayAs::Random if mode == Mode::HumanMachine => Side::BOTH[self.draws.random_range(0..2)],
            PlayAs::First | PlayAs::Random => Side::First,
            PlayAs::Second => Side::Second,
        };
        let seat = |side: Side| match mode {
            Mode::Replay => Seat::Record,
            Mode::Humans => Seat::Human,
            Mode::HumanMachine if side == human => Seat::Human,
            Mode::HumanMachine | Mode::Machines => {
                let own = game.spec.own.as_ref().filter(|own| own.level == level);
                let mut config =
                    own.map_or_else(|| EngineConfig::for_side(seed, side), |own| own.config(seed, side));
                config.weights = config.weights.or_else(|| game.spec.net.clone());
                config.resources = config.resources.or(game.spec.resources);
                let player =
                    game.spec.program.clone().map_or(EnginePlayer::Own(level), EnginePlayer::External);
                Seat::Engine(EngineSeat { player, config, turn: 0 })
            }
        };
        let seats = BySide::new(seat(Side::First), seat(Side::Second));
        (self.game.seats, self.game.seed) = (seats, seed);
        self.failed_at = None;
    }
}

impl Game {
    fn new(mut spec: NewGame, replay: Option<MoveFile>, rules: Rules) -> Result<Self, OpenError> {
        let level = spec.level.unwrap_or(spec.start.entry.default_level());
        let (mut source, mut record) = (None, None);
        if let Some(replay) = replay {
            (source, record) = (Some(replay.path), Some(*replay.record));
        }
        if record.is_none() && spec.mode == Mode::Replay {
            spec.mode = Mode::HumanMachine;
        }
        let start = spec.start.position()?;
        let pause = if rules.after_end == AfterEnd::Stay { PAUSE } else { Duration::ZERO };
        let is_running = spec.mode == Mode::Machines || spec.mode == Mode::Replay && pause.is_zero();
        let mut game = Game {
            number: 0,
            configured: spec.program.clone(),
            spec,
            tree: GameTree::new(start),
            present: NodeId::ROOT,
            shown: NodeId::ROOT,
            is_replay: false,
            seats: BySide::new(Seat::Human, Seat::Human),
            seed: rules.seed,
            level,
            pace: Pace { is_running, pause, since: Now::ZERO, steps: false },
            used: BySide::default(),
            charged_since: Now::ZERO,
            is_told_of_time: false,
            last_search: None,
            was_proved: true,
            kept: NodeId::ROOT,
            file: None,
            source,
            remarks: Vec::new(),
            dropped: VecDeque::new(),
            stuck: None,
            has_ended: false,
            is_loaded: false,
            counted: None,
            is_unkept: false,
            review: review::Review::default(),
        };
        if let Some(record) = record {
            game.stuck = Stuck::of(&record, game.source.as_deref().unwrap_or_default());
            (game.tree, game.present, game.remarks) = (record.tree, record.end, record.remarks);
            game.dropped = record.notes.into();
        }
        Ok(game)
    }

    /// Goes on where a record stands.
    fn replace_tree(&mut self, record: GameRecord) {
        (self.tree, self.remarks) = (record.tree, record.remarks);
        (self.present, self.shown, self.kept) = (record.present, record.present, record.present);
    }

    /// A position of the game.
    #[must_use]
    pub fn position(&self, id: NodeId) -> &Arc<dyn Position> {
        self.tree.position(id)
    }

    /// Who plays a side.
    #[must_use]
    pub fn seat(&self, side: Side) -> &Seat {
        &self.seats[side]
    }

    /// Whether a person plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.seats[side] == Seat::Human)
    }

    /// The side of the one person, where exactly one plays.
    #[must_use]
    pub fn only_human(&self) -> Option<Side> {
        let mut humans = Side::BOTH.into_iter().filter(|&side| self.seats[side] == Seat::Human);
        humans.next().filter(|_| humans.next().is_none())
    }

    /// Whether an engine plays.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        Side::BOTH.into_iter().any(|side| matches!(self.seats[side], Seat::Engine(_)))
    }

    /// What plays in the seats of engines: a level, by its number or name, or another program.
    pub(crate) fn engine_name(&self) -> Option<String> {
        let program = self.spec.program.as_ref().map(|program| program.name());
        self.has_engine().then(|| program.unwrap_or_else(|| self.level.to_string()))
    }

    /// Whether a move file is shown.
    #[must_use]
    pub fn is_record(&self) -> bool {
        self.seats.first == Seat::Record
    }

    /// Whether somebody has moved here or has ended the game, so that it would be missed.
    pub(crate) fn is_begun(&self) -> bool {
        self.tree.has_moves_of(|by| by != By::File) || self.outcome().is_some() && !self.is_loaded
    }

    /// Whether two engines play each other, and the game is not over.
    #[must_use]
    pub fn is_match(&self) -> bool {
        self.is_between_engines() && self.position(self.present).outcome().is_none()
    }

    /// Whether both sides are played by engines.
    #[must_use]
    pub fn is_between_engines(&self) -> bool {
        !self.has_human() && !self.is_record()
    }

    /// Whether the game is gone through: a move file, or the player's own game from its start.
    pub(crate) fn is_gone_through(&self) -> bool {
        self.is_replay || self.is_record()
    }

    /// Whether something else than the present position of a running game is shown.
    #[must_use]
    pub fn is_looking(&self) -> bool {
        self.is_replay || self.shown != self.present
    }

    /// Whether it is a person's turn.
    #[must_use]
    pub fn is_humans_turn(&self) -> bool {
        self.seats[self.position(self.present).to_move()] == Seat::Human
    }

    /// Why the file that is shown cannot be followed beyond its last position.
    pub(crate) fn stuck(&self) -> Option<&Stuck> {
        self.stuck.as_ref()
    }

    /// The same where that position is shown.
    pub(crate) fn stuck_here(&self) -> Option<&Stuck> {
        self.stuck().filter(|_| self.shown == self.tree.end_of(self.shown))
    }

    /// The end of the line that is shown: the present position, where that lies on it.
    pub(crate) fn line_end(&self) -> NodeId {
        if self.tree.leads_to(self.shown, self.present) { self.present } else { self.tree.end_of(self.shown) }
    }

    /// The positions of the line that is shown, the first one first.
    #[must_use]
    pub fn line(&self) -> Vec<NodeId> {
        let mut line: Vec<NodeId> = self.tree.way_back(self.line_end()).collect();
        line.reverse();
        line
    }

    /// How a move came to be made.
    pub(crate) fn made_by(&self, id: NodeId) -> By {
        self.tree.node(id).by
    }

    /// How the game stands: `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position(self.present).outcome()
    }
}

/// The usual game, for those who have nothing to say about it.
impl Default for NewGame {
    fn default() -> Self {
        NewGame::of(&GAMES[0])
    }
}
