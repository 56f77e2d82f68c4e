//! One game of a match, as front ends and files read it, and the commands that all activities
//! share.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::ai::{EngineConfig, EngineKind, EngineResources, Limits};
use crate::game::{BySide, Outcome, Side};
use crate::play::analysis::Analysis;
use crate::play::replay::Replay;
use crate::play::source::Source;
use crate::play::training::Training;
use crate::play::{
    Acted, Activity, Advice, Chance, Clocks, Contest, Core, Fact, Game, HistoryTarget, IncompleteReplay,
    MatchRefusal, Mode, Moment, MoveFile, NewGame, Playback, PlaybackControl, Players, Rules, Seat, Session,
};
use crate::random::ADVICE;
use crate::record::{EditHistory, GameRecord, GameTree, MoveSource, NodeId};
use crate::registry::OpenError;
use crate::session::{Position, Purpose, SearchReport};
use crate::thinking::{EngineJob, EnginePlayer, EngineSeat, ExternalProgram, HostId};

/// Number of moves that an adviser compares.
const ADVISED_MOVES: usize = 5;
/// Random seed of every review.
const REVIEW_SEED: u64 = 1;
/// Divisor of a review's node limit for a quick review, which has `QUICK_NODES` where a review has
/// no limit.
const QUICK_PART: u64 = 8;
const QUICK_NODES: u64 = 2_000;
/// Nodes of all positions of a quick review together: a long game takes no longer than one of 80
/// moves.
const QUICK_TOTAL: u64 = 200_000;

/// Memory of the engine of an analysis in MiB, where none is given: it thinks until it is full.
const ANALYSIS_MIB: u32 = 160;

impl Game {
    pub(super) fn new(core: Core, activity: Box<dyn Activity>) -> Self {
        Game { number: 0, core, activity, counted: None }
    }

    /// Creates a contest, or an analysis where that is requested; its engines play by this seed, if
    /// it is given.
    pub(super) fn begun(core: Core, chance: &mut Chance, seed: Option<u64>, rules: Rules) -> Self {
        if core.spec.mode == Mode::Analysis {
            return Game::analysis(core.free(), EditHistory::default());
        }
        let players = chance.players(&core.spec, seed);
        let is_running = core.spec.mode == Mode::Machines;
        let playback = Playback { is_running, ..Playback::new(rules.after_end) };
        Game::new(core, Box::new(Contest::new(players, Clocks::default(), playback)))
    }

    /// Creates a replay of a file.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn of_file(spec: NewGame, file: MoveFile, rules: Rules) -> Result<Self, OpenError> {
        if spec.mode == Mode::Analysis {
            return Ok(Game::analysis(Core::of_file(spec, file)?.free(), EditHistory::default()));
        }
        let playback = Playback::new(rules.after_end);
        let playback = Playback { is_running: playback.pause.is_zero(), ..playback };
        Ok(Game::new(Core::of_file(spec, file)?, Box::new(Replay::new(playback))))
    }

    /// Creates an analysis of a game that is already there, or of a fresh board, with the edits
    /// that can be undone.
    pub(super) fn analysis(mut core: Core, edits: EditHistory) -> Self {
        core.spec.mode = Mode::Analysis;
        let activity = Analysis::new(&core.spec, edits);
        Game::new(core, Box::new(activity))
    }

    /// Creates a game that continues from the position of a record.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn resumed(
        spec: NewGame,
        mut record: GameRecord,
        chance: &mut Chance,
        seed: Option<u64>,
        rules: Rules,
    ) -> Result<Self, OpenError> {
        let edits = std::mem::take(&mut record.edits);
        let core = Core::resumed(spec, record)?;
        let is_analysis = core.spec.mode == Mode::Analysis;
        Ok(if is_analysis {
            Game::analysis(core.free(), edits)
        } else {
            Game::begun(core, chance, seed, rules)
        })
    }

    /// Creates a training that begins with the first mistake of a session.
    pub(super) fn training_of(session: Session) -> Self {
        let (core, training) = Training::begin(session);
        Game::new(core, Box::new(training))
    }

    // ---- what it is ----

    /// Returns the request that started the game.
    #[must_use]
    pub fn spec(&self) -> &NewGame {
        &self.core.spec
    }

    /// Returns the tree of all moves played.
    #[must_use]
    pub fn tree(&self) -> &GameTree {
        &self.core.line.tree
    }

    /// Returns the present position.
    #[must_use]
    pub fn present(&self) -> NodeId {
        self.core.line.present
    }

    /// Returns the position that a file of the game has as the present one: in an analysis the end
    /// of its main line.
    pub(super) fn written_at(&self) -> NodeId {
        if self.is_analysis() { self.tree().end_of(NodeId::ROOT) } else { self.present() }
    }

    /// Returns the position that another game shows, in the tree of this one; `None` if it is not there, or if the games do not
    /// begin alike.
    pub(super) fn same_position(&self, other: &Game) -> Option<NodeId> {
        let (tree, theirs) = (self.tree(), other.tree());
        let is_one = Arc::ptr_eq(tree.position(NodeId::ROOT), theirs.position(NodeId::ROOT));
        let line = theirs.line_to(other.shown());
        let find = |at: NodeId, id: &NodeId| {
            let text = theirs.position(*id).last();
            tree.children(at).iter().copied().find(|&child| tree.position(child).last() == text)
        };
        is_one.then(|| line.iter().skip(1).try_fold(NodeId::ROOT, find)).flatten()
    }

    /// Returns the position that is shown.
    #[must_use]
    pub fn shown(&self) -> NodeId {
        self.core.line.shown
    }

    /// Returns a position of the game.
    #[must_use]
    pub fn position(&self, id: NodeId) -> &Arc<dyn Position> {
        self.tree().position(id)
    }

    /// Returns the outcome of the game; `None` while it continues.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.core.line.outcome()
    }

    /// Returns the usual name of the game's board.
    pub(super) fn title(&self) -> String {
        self.position(NodeId::ROOT).view().title()
    }

    /// Returns the level of the engines, also where none plays now.
    #[must_use]
    pub fn level(&self) -> EngineKind {
        self.core.spec.level()
    }

    /// Returns the external engine that was requested, also where a built-in level plays now.
    pub(crate) fn configured(&self) -> Option<&Arc<ExternalProgram>> {
        self.core.configured.as_ref()
    }

    /// Returns the path of the file that is shown.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.core.source.shown.as_deref()
    }

    /// Returns the properties that the file of the game has beside its moves.
    #[must_use]
    pub fn remarks(&self) -> &[(String, String)] {
        &self.core.source.remarks
    }

    /// Returns the file that the game was last saved to or loaded from.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.core.source.file.as_deref()
    }

    /// Reports whether a file has the game in its present state.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        let Source { kept, edits, kept_edits, .. } = &self.core.source;
        if self.is_analysis() { edits == kept_edits } else { *kept == Some(self.present()) }
    }

    /// Reports whether its journal could not be written, so that it lacks moves of the game.
    pub(crate) fn is_unkept(&self) -> bool {
        self.core.source.is_unkept
    }

    /// Reports whether the journal lacks moves of the game that no other file has.
    pub(super) fn is_lost(&self) -> bool {
        self.is_unkept() && self.is_begun() && !self.is_saved()
    }

    /// Reports whether somebody has moved here or has ended the game, so that it would be missed.
    pub(crate) fn is_begun(&self) -> bool {
        self.core.is_begun()
    }

    /// Returns the number of edits of an analysis that can be undone; `None` elsewhere.
    pub(crate) fn undoable_edits(&self) -> Option<usize> {
        self.activity.edits().map(EditHistory::count)
    }

    /// Returns the source of a move.
    pub(crate) fn made_by(&self, id: NodeId) -> MoveSource {
        self.tree().node(id).by
    }

    /// Returns the last search of an engine that plays in the game.
    #[must_use]
    pub fn last_search(&self) -> Option<&SearchReport> {
        self.core.study.last_search.as_deref()
    }

    // ---- what is done with it ----

    fn players(&self) -> Option<&Players> {
        self.activity.players()
    }

    /// Returns the player of a side, if anybody plays.
    #[must_use]
    pub fn seat(&self, side: Side) -> Option<&Seat> {
        self.players().map(|players| players.seat(side))
    }

    /// Returns the random seed of its engines.
    pub(crate) fn seed(&self) -> u64 {
        self.players().map_or(0, |players| players.seed)
    }

    /// Reports whether a person plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        self.players().is_some_and(Players::has_human)
    }

    /// Returns the side of the one person, where exactly one plays.
    #[must_use]
    pub fn only_human(&self) -> Option<Side> {
        self.players().and_then(Players::only_human)
    }

    /// Reports whether an engine plays.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        self.players().is_some_and(Players::has_engine)
    }

    /// Returns the name of the engine that plays: a level, by its number or name, or an external
    /// engine.
    pub(crate) fn engine_name(&self) -> Option<String> {
        let program = self.spec().program.as_ref().map(|program| program.name());
        self.has_engine().then(|| program.unwrap_or_else(|| self.level().to_string()))
    }

    /// Reports whether a move file is shown.
    #[must_use]
    pub fn is_record(&self) -> bool {
        self.activity.is_replay()
    }

    /// Reports whether a tree is walked and edited freely.
    #[must_use]
    pub fn is_analysis(&self) -> bool {
        self.activity.is_analysis()
    }

    /// Reports whether both sides are played by engines.
    #[must_use]
    pub fn is_between_engines(&self) -> bool {
        self.players().is_some_and(|players| !players.has_human())
    }

    /// Reports whether two engines play each other, and the game is not over.
    #[must_use]
    pub fn is_match(&self) -> bool {
        self.is_between_engines() && self.outcome().is_none()
    }

    /// Reports whether it is a person's turn.
    #[must_use]
    pub fn is_humans_turn(&self) -> bool {
        let side = self.core.line.present_position().to_move();
        self.players().is_some_and(|players| players.is_human(side))
    }

    /// Returns the state of the playback.
    #[must_use]
    pub fn pace(&self) -> Playback {
        self.activity.playback().copied().unwrap_or_default()
    }

    /// Returns the time that each side has used.
    #[must_use]
    pub fn used(&self) -> BySide<Duration> {
        self.activity.clocks().map(|clocks| clocks.used).unwrap_or_default()
    }

    // ---- what is shown ----

    /// Reports whether the moves are stepped through: those of a move file, or of the player's own
    /// game from its start.
    pub(crate) fn is_gone_through(&self) -> bool {
        self.core.line.is_gone_through || self.is_record()
    }

    /// Reports whether another position than the present one of a running game is shown.
    #[must_use]
    pub fn is_looking(&self) -> bool {
        self.core.line.is_looking()
    }

    /// Returns the reason why the file that is shown cannot be followed beyond its last position.
    pub(crate) fn stuck(&self) -> Option<&IncompleteReplay> {
        self.core.source.stuck.as_ref()
    }

    /// Returns that reason where that last position is shown.
    pub(crate) fn stuck_here(&self) -> Option<&IncompleteReplay> {
        self.stuck().filter(|_| self.shown() == self.tree().end_of(self.shown()))
    }

    /// Returns the end of the line that is shown: the present position, if that lies on it.
    pub(crate) fn line_end(&self) -> NodeId {
        self.core.line.end()
    }

    /// Returns the positions of the line that is shown, the first one first.
    #[must_use]
    pub fn line(&self) -> Vec<NodeId> {
        self.core.line.nodes()
    }

    // ---- the commands that all activities share ----

    /// Shows a position.
    pub(super) fn show(&mut self, place: HistoryTarget) -> Acted {
        match (&mut self.core.lesson, place) {
            (Some(lesson), HistoryTarget::Next(count)) => lesson.forward(count)?,
            (Some(lesson), HistoryTarget::Back(count)) => lesson.back(count)?,
            _ => return self.show_position(place),
        }
        Ok(vec![Fact::Shown(self.shown())])
    }

    fn show_position(&mut self, place: HistoryTarget) -> Acted {
        let line = &mut self.core.line;
        let is_at_end = line.shown == line.tree.end_of(line.shown);
        if let (HistoryTarget::Next(_), Some(stuck)) = (place, self.core.source.stuck.take_if(|_| is_at_end))
        {
            return Ok(vec![Fact::CannotFollow(stuck)]); // no step goes further than the file can be followed
        }
        let (word, there) = line.find(place)?;
        line.is_gone_through &= place != HistoryTarget::Present;
        Ok(self.look(word, there))
    }

    /// Shows a position and stops the playback: a match of engines waits while the player looks
    /// around, and at the end nothing is left to step through.
    fn look(&mut self, word: &'static str, there: NodeId) -> Vec<Fact> {
        let is_end = self.is_gone_through() && there == self.line_end() && !self.pace().pause.is_zero();
        if self.is_match() || is_end {
            self.walk(PlaybackControl::Stop);
        }
        self.core.look(word, there)
    }

    /// Shows the game from its start.
    pub(super) fn replay(&mut self) -> Acted {
        if self.present() == NodeId::ROOT {
            return Err(MatchRefusal::NothingToReplay);
        }
        if self.has_human() {
            (self.core.line.is_gone_through, self.core.line.shown) = (true, self.present());
            self.walk(PlaybackControl::Stop);
        } else {
            self.core.line.is_gone_through = false;
        }
        Ok(self.look("replay", NodeId::ROOT))
    }

    /// Starts or stops the playback.
    pub(super) fn walk(&mut self, walk: PlaybackControl) -> Vec<Fact> {
        let Some(playback) = self.activity.playback_mut() else { return Vec::new() };
        playback.walk(walk);
        if walk != PlaybackControl::Run {
            return Vec::new();
        }
        if self.is_match() && self.is_looking() {
            self.core.line.shown = self.present();
            return vec![Fact::Present(self.present())];
        }
        if self.is_gone_through() && self.shown() == self.line_end() {
            self.core.line.shown = NodeId::ROOT;
            return vec![Fact::Shown(NodeId::ROOT)];
        }
        Vec::new()
    }

    /// Asks an adviser about the position that is shown.
    pub(super) fn advise(&mut self, advice: Advice, is_thinking: bool) -> Acted {
        // An engine's answer would come before the advice.
        let is_busy = is_thinking && !self.is_humans_turn() && !self.is_looking();
        self.core.advise(advice, is_busy)
    }

    // ---- what is thought about ----

    /// Returns the position that an adviser should work on now: a request comes before the next one
    /// of a review.
    pub(super) fn advised(&self) -> Option<NodeId> {
        self.core.study.asked.map(|(node, _)| node).or_else(|| self.next_to_judge())
    }

    /// Returns the limits of a position of a quick review, from those of a review.
    fn quick_limits(&self, limits: Limits) -> Limits {
        let nodes = limits.nodes.map_or(QUICK_NODES, |nodes| nodes / QUICK_PART);
        let plies = u64::try_from(self.position(self.present()).plies()).unwrap_or(u64::MAX);
        Limits { nodes: Some(nodes.min(QUICK_TOTAL / plies.max(1)).max(1)), ..limits }
    }

    /// Returns the limits of the next search of a position of an analysis: each has four times
    /// those of the one before.
    fn longer(&self, node: NodeId, limits: Limits) -> Limits {
        let rounds = self.core.study.rounds.get(&node).copied().flatten().unwrap_or(0);
        let times = 4_u32.pow(rounds);
        let longer = |time: Option<Duration>| time.map(|time| time * times);
        Limits {
            nodes: limits.nodes.map(|nodes| nodes * u64::from(times)),
            time: longer(limits.time),
            cpu_time: longer(limits.cpu_time),
            ..limits
        }
    }

    /// Reports whether a position of an analysis has a better evaluation than that of this
    /// unfinished search.
    pub(super) fn knows_more(&self, node: NodeId, side: Side, report: &SearchReport) -> bool {
        let known = self.tree().node(node).known.as_ref().filter(|(of, _)| *of == side);
        known.is_some_and(|(_, known)| {
            known.candidates.len() > report.candidates.len().max(1) || known.nodes > report.nodes
        })
    }

    /// Returns the job that an adviser should work on now.
    pub(super) fn study_job(&self, moment: Moment) -> Option<EngineJob> {
        let is_quick = self.advised().is_none();
        let node = self.advised().or_else(|| self.next_to_judge_quickly())?;
        let is_asked = self.core.study.asked.is_some();
        let weights = self.spec().net.clone();
        // A review gives the same result for a game every time.
        let usual = EngineResources { memory_mib: self.is_analysis().then_some(ANALYSIS_MIB), threads: None };
        let asked = (moment.rules.seed, self.spec().resources.or(usual));
        let (seed, resources) = if is_asked { asked } else { (REVIEW_SEED, EngineResources::DEFAULT) };
        let config = EngineConfig { resources, weights, ..EngineConfig::new(seed, ADVICE) };
        let usual = self.spec().start.entry.adviser();
        // Whoever analyses may choose the engine.
        let chosen = self.spec().level.filter(|_| self.is_analysis() && is_asked);
        let adviser = chosen.map_or(usual, |level| (level, Limits::default()));
        let is_review = !is_asked && !is_quick;
        let (level, limits) = if is_review { moment.rules.reviewer.of(adviser) } else { adviser };
        let engine = EngineSeat { player: EnginePlayer::Own(level), config, turn: 0 };
        let purpose = match (is_asked, is_quick) {
            (true, _) => Purpose::Advice(ADVISED_MOVES),
            (_, true) => Purpose::Advice(1),
            _ => Purpose::Judgement(ADVISED_MOVES),
        };
        let job = self.core.job(HostId::Study, engine, node, purpose);
        if is_asked {
            let limits = match (self.is_analysis(), self.spec().level) {
                (true, Some(_)) => job.limits,
                (true, None) => self.longer(node, job.limits.or(limits)),
                (false, _) => job.limits.or(limits),
            };
            return Some(EngineJob { limits, ..job });
        }
        // A review has limits of its own, and a position after a resignation can still be evaluated.
        let position = if job.position.early().is_some() { job.position.reopened() } else { job.position };
        let limits = if is_quick { self.quick_limits(limits) } else { limits };
        Some(EngineJob { position, limits, ..job })
    }
}
