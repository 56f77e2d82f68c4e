//! One game of a match: queries for front ends and files, and the commands that all activities share.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::ai::{EngineConfig, EngineKind, EngineResources, Limits};
use crate::game::{BySide, Outcome, Side};
use crate::play::analysis::AnalysisActivity;
use crate::play::replay::ReplayActivity;
use crate::play::source::GameSource;
use crate::play::training::TrainingActivity;
use crate::play::{
    ActivityContext, ActivityResult, AdviceKind, GameActivity, GameClocks, GameMode, HistoryTarget,
    IncompleteReplay, LiveGame, LiveGameState, MatchFact, MatchRandomness, MatchRefusal, MatchRules,
    MoveFile, NewGame, PlayActivity, Playback, PlaybackControl, PlayerSeat, Players, PracticeSession,
};
use crate::random::HINTS_STREAM;
use crate::record::{EditHistory, GameRecord, GameTree, MoveSource, NodeId};
use crate::registry::BoardSetupError;
use crate::session::{EngineRequest, Position, SearchReport};
use crate::thinking::{EngineJob, EnginePlayer, EngineSeat, EngineThreadId, ExternalProgram};

/// Maximum number of moves that an adviser compares.
const MAX_ADVISED_MOVES: usize = 5;
/// Random seed of the engine in every review.
const REVIEW_SEED: u64 = 1;
/// Factor by which a quick review searches fewer nodes per position than a review.
const QUICK_REVIEW_NODE_DIVISOR: u64 = 8;
/// Node limit per position of a quick review, if reviews have no node limit.
const QUICK_REVIEW_DEFAULT_NODES: u64 = 2_000;
/// Maximum number of nodes of a whole quick review.
///
/// It keeps the quick review of a long game short.
const QUICK_REVIEW_MAX_TOTAL_NODES: u64 = 200_000;

/// Default memory of the analysis engine, in MiB. Its search ends when the memory is full.
const ANALYSIS_MEMORY_MIB: u32 = 160;

impl LiveGame {
    pub(super) fn new(core: LiveGameState, activity: Box<dyn GameActivity>) -> Self {
        LiveGame { number: 0, core, activity, counted: None }
    }

    /// Creates a played game, or an analysis if the mode asks for it; `seed` overrides the seed of the
    /// engines.
    pub(super) fn start_play_or_analysis(
        core: LiveGameState,
        chance: &mut MatchRandomness,
        seed: Option<u64>,
        rules: MatchRules,
    ) -> Self {
        if core.spec.mode == GameMode::Analysis {
            return LiveGame::new_analysis(core.into_analysis(), EditHistory::default());
        }
        let players = chance.draw_players(&core.spec, seed);
        let is_running = core.spec.mode == GameMode::Machines;
        let playback = Playback { is_running, ..Playback::new(rules.after_end) };
        LiveGame::new(core, Box::new(PlayActivity::new(players, GameClocks::default(), playback)))
    }

    /// Creates a replay of a move file, or an analysis of it.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub(super) fn from_move_file(
        spec: NewGame,
        file: MoveFile,
        rules: MatchRules,
    ) -> Result<Self, BoardSetupError> {
        if spec.mode == GameMode::Analysis {
            return Ok(LiveGame::new_analysis(
                LiveGameState::from_move_file(spec, file)?.into_analysis(),
                EditHistory::default(),
            ));
        }
        let playback = Playback::new(rules.after_end);
        let playback = Playback { is_running: playback.pause.is_zero(), ..playback };
        Ok(LiveGame::new(LiveGameState::from_move_file(spec, file)?, Box::new(ReplayActivity::new(playback))))
    }

    /// Creates an analysis of an existing game. `edits` are the edits that can be undone.
    pub(super) fn new_analysis(mut core: LiveGameState, edits: EditHistory) -> Self {
        core.spec.mode = GameMode::Analysis;
        let activity = AnalysisActivity::new(&core.spec, edits);
        LiveGame::new(core, Box::new(activity))
    }

    /// Creates a game that continues from the present position of a record.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub(super) fn from_record(
        spec: NewGame,
        mut record: GameRecord,
        chance: &mut MatchRandomness,
        seed: Option<u64>,
        rules: MatchRules,
    ) -> Result<Self, BoardSetupError> {
        let edits = std::mem::take(&mut record.edits);
        let core = LiveGameState::from_record(spec, record)?;
        let is_analysis = core.spec.mode == GameMode::Analysis;
        Ok(if is_analysis {
            LiveGame::new_analysis(core.into_analysis(), edits)
        } else {
            LiveGame::start_play_or_analysis(core, chance, seed, rules)
        })
    }

    /// Creates a training game that starts with the first mistake of a session.
    pub(super) fn new_training(session: PracticeSession) -> Self {
        let (core, training) = TrainingActivity::start_session(session);
        LiveGame::new(core, Box::new(training))
    }

    // ---- state and files ----

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

    /// Returns the node of the present position.
    #[must_use]
    pub fn present_node(&self) -> NodeId {
        self.core.line.present
    }

    /// Returns the node that files record as the present one: in an analysis, the end of the main line.
    pub(super) fn file_present_node(&self) -> NodeId {
        if self.is_analysis() { self.tree().main_line_end(NodeId::ROOT) } else { self.present_node() }
    }

    /// Returns the node in this tree for the position that `other` shows; `None` if the tree lacks it
    /// or the games start differently.
    pub(super) fn find_position_shown_by(&self, other: &LiveGame) -> Option<NodeId> {
        let (tree, theirs) = (self.tree(), other.tree());
        let is_one = Arc::ptr_eq(tree.position(NodeId::ROOT), theirs.position(NodeId::ROOT));
        let line = theirs.line_to(other.shown_node());
        let find = |at: NodeId, id: &NodeId| {
            let text = theirs.position(*id).last_move();
            tree.children(at).iter().copied().find(|&child| tree.position(child).last_move() == text)
        };
        is_one.then(|| line.iter().skip(1).try_fold(NodeId::ROOT, find)).flatten()
    }

    /// Returns the node of the shown position.
    #[must_use]
    pub fn shown_node(&self) -> NodeId {
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

    /// Returns the title of the board, such as `Hex 11x11`.
    pub(super) fn title(&self) -> String {
        self.position(NodeId::ROOT).view().title()
    }

    /// Returns the level of the engines, even if no engine plays now.
    #[must_use]
    pub fn level(&self) -> EngineKind {
        self.core.spec.level()
    }

    /// Returns the requested external engine, even if a built-in level now plays in its place.
    pub(crate) fn requested_engine(&self) -> Option<&Arc<ExternalProgram>> {
        self.core.configured.as_ref()
    }

    /// Returns the path of the replayed file.
    #[must_use]
    pub fn replayed_file(&self) -> Option<&str> {
        self.core.source.shown.as_deref()
    }

    /// Returns the header properties of the game's file, such as names and date.
    #[must_use]
    pub fn file_properties(&self) -> &[(String, String)] {
        &self.core.source.remarks
    }

    /// Returns the path that the game was last saved to or loaded from.
    #[must_use]
    pub fn saved_path(&self) -> Option<&Path> {
        self.core.source.file.as_deref()
    }

    /// Reports whether the game is saved in a file in its present state.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        let GameSource { saved_node, edits, saved_edits, .. } = &self.core.source;
        if self.is_analysis() { edits == saved_edits } else { *saved_node == Some(self.present_node()) }
    }

    /// Reports whether the journal lacks moves of the game because it could not be written.
    pub(crate) fn is_journal_incomplete(&self) -> bool {
        self.core.source.is_journal_incomplete
    }

    /// Reports whether the game has moves that are saved neither in the journal nor in another
    /// file.
    pub(super) fn would_lose_moves(&self) -> bool {
        self.is_journal_incomplete() && self.has_player_changes() && !self.is_saved()
    }

    /// Reports whether the game has moves, edits or a result that did not come from a file.
    pub(crate) fn has_player_changes(&self) -> bool {
        self.core.has_player_changes()
    }

    /// Returns the number of undoable edits of an analysis; `None` for other activities.
    pub(crate) fn undoable_edit_count(&self) -> Option<usize> {
        self.activity.edit_history().map(EditHistory::undo_count)
    }

    /// Returns the source of the move that led to a node: a human player, an engine or a file.
    pub(crate) fn move_source(&self, id: NodeId) -> MoveSource {
        self.tree().node(id).by
    }

    /// Returns the report of the last search by a playing engine.
    #[must_use]
    pub fn last_search(&self) -> Option<&SearchReport> {
        self.core.study.last_search.as_deref()
    }

    // ---- players and activity ----

    fn players(&self) -> Option<&Players> {
        self.activity.players()
    }

    /// Returns the player of a side; `None` if nobody plays.
    #[must_use]
    pub fn seat(&self, side: Side) -> Option<&PlayerSeat> {
        self.players().map(|players| players.seat(side))
    }

    /// Returns the random seed of the engines.
    pub(crate) fn engine_seed(&self) -> u64 {
        self.players().map_or(0, |players| players.seed)
    }

    /// Reports whether a human plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        self.players().is_some_and(Players::has_human)
    }

    /// Returns the human player's side if exactly one human plays.
    #[must_use]
    pub fn sole_human_side(&self) -> Option<Side> {
        self.players().and_then(Players::sole_human_side)
    }

    /// Reports whether an engine plays.
    #[must_use]
    pub fn has_engine(&self) -> bool {
        self.players().is_some_and(Players::has_engine)
    }

    /// Returns the name of the playing engine: the level, or the name of an external engine.
    pub(crate) fn engine_name(&self) -> Option<String> {
        let program = self.spec().program.as_ref().map(|program| program.name());
        self.has_engine().then(|| program.unwrap_or_else(|| self.level().to_string()))
    }

    /// Reports whether a move file is replayed.
    #[must_use]
    pub fn is_replay(&self) -> bool {
        self.activity.is_replay()
    }

    /// Reports whether the game is on the analysis board.
    #[must_use]
    pub fn is_analysis(&self) -> bool {
        self.activity.is_analysis()
    }

    /// Reports whether engines play both sides.
    #[must_use]
    pub fn is_between_engines(&self) -> bool {
        self.players().is_some_and(|players| !players.has_human())
    }

    /// Reports whether two engines play each other and the game is not over.
    #[must_use]
    pub fn is_engine_match(&self) -> bool {
        self.is_between_engines() && self.outcome().is_none()
    }

    /// Reports whether a human player is to move.
    #[must_use]
    pub fn is_humans_turn(&self) -> bool {
        let side = self.core.line.present_position().to_move();
        self.players().is_some_and(|players| players.is_human(side))
    }

    /// Returns the state of the playback; the default state if there is no playback.
    #[must_use]
    pub fn playback_state(&self) -> Playback {
        self.activity.playback().copied().unwrap_or_default()
    }

    /// Returns the time used by each side.
    #[must_use]
    pub fn used_time(&self) -> BySide<Duration> {
        self.activity.clocks().map(|clocks| clocks.used).unwrap_or_default()
    }

    // ---- shown position ----

    /// Reports whether the player steps through the moves of a replay, or of a game from its start.
    pub(crate) fn is_stepped_through(&self) -> bool {
        self.core.line.is_stepped_through || self.is_replay()
    }

    /// Reports whether the player is looking at a position other than the present one.
    #[must_use]
    pub fn is_browsing(&self) -> bool {
        self.core.line.is_browsing()
    }

    /// Returns the reason why the file cannot be replayed to the end of its game, if there is one.
    pub(crate) fn incomplete_replay(&self) -> Option<&IncompleteReplay> {
        self.core.source.stuck.as_ref()
    }

    /// Returns the reason why the replay cannot continue, if its last position is shown.
    pub(crate) fn incomplete_replay_at_end(&self) -> Option<&IncompleteReplay> {
        self.incomplete_replay().filter(|_| self.shown_node() == self.tree().main_line_end(self.shown_node()))
    }

    /// Returns the last node of the shown line. It is the present one if that node lies on the
    /// line.
    pub(crate) fn shown_line_end(&self) -> NodeId {
        self.core.line.shown_line_end()
    }

    /// Returns the nodes of the shown line, from the root.
    #[must_use]
    pub fn shown_line(&self) -> Vec<NodeId> {
        self.core.line.shown_line()
    }

    // ---- the commands that all activities share ----

    /// Shows a position of the game's history; in an open mistake lesson, steps through the better
    /// line.
    pub(super) fn show_target(&mut self, place: HistoryTarget) -> ActivityResult {
        match (&mut self.core.lesson, place) {
            (Some(lesson), HistoryTarget::Next(count)) => lesson.step_forward(count)?,
            (Some(lesson), HistoryTarget::Back(count)) => lesson.step_back(count)?,
            _ => return self.show_target_position(place),
        }
        Ok(vec![MatchFact::Shown(self.shown_node())])
    }

    fn show_target_position(&mut self, place: HistoryTarget) -> ActivityResult {
        let line = &mut self.core.line;
        let is_at_end = line.shown == line.tree.main_line_end(line.shown);
        if let (HistoryTarget::Next(_), Some(stuck)) = (place, self.core.source.stuck.take_if(|_| is_at_end))
        {
            return Ok(vec![MatchFact::CannotFollow(stuck)]); // the file cannot be replayed further
        }
        let (word, there) = line.find_target(place)?;
        line.is_stepped_through &= place != HistoryTarget::Present;
        Ok(self.show_and_pause(word, there))
    }

    /// Shows a position and stops the playback if engines play each other, or if the end is reached.
    fn show_and_pause(&mut self, word: &'static str, there: NodeId) -> Vec<MatchFact> {
        let is_end = self.is_stepped_through()
            && there == self.shown_line_end()
            && !self.playback_state().pause.is_zero();
        if self.is_engine_match() || is_end {
            self.control_playback(PlaybackControl::Stop);
        }
        self.core.show_position(word, there)
    }

    /// Shows the game from its start.
    pub(super) fn replay_from_start(&mut self) -> ActivityResult {
        if self.present_node() == NodeId::ROOT {
            return Err(MatchRefusal::NothingToReplay);
        }
        if self.has_human() {
            (self.core.line.is_stepped_through, self.core.line.shown) = (true, self.present_node());
            self.control_playback(PlaybackControl::Stop);
        } else {
            self.core.line.is_stepped_through = false;
        }
        Ok(self.show_and_pause("replay", NodeId::ROOT))
    }

    /// Starts, stops or changes the playback. At the end of the game it starts again from the first position.
    pub(super) fn control_playback(&mut self, walk: PlaybackControl) -> Vec<MatchFact> {
        let Some(playback) = self.activity.playback_mut() else { return Vec::new() };
        playback.apply_control(walk);
        if walk != PlaybackControl::Run {
            return Vec::new();
        }
        if self.is_engine_match() && self.is_browsing() {
            self.core.line.shown = self.present_node();
            return vec![MatchFact::Present(self.present_node())];
        }
        if self.is_stepped_through() && self.shown_node() == self.shown_line_end() {
            self.core.line.shown = NodeId::ROOT;
            return vec![MatchFact::Shown(NodeId::ROOT)];
        }
        Vec::new()
    }

    /// Requests advice on the shown position.
    pub(super) fn request_advice(&mut self, advice: AdviceKind, is_thinking: bool) -> ActivityResult {
        // The engine's move would change the position before the advice arrives.
        let is_busy = is_thinking && !self.is_humans_turn() && !self.is_browsing();
        self.core.request_advice(advice, is_busy)
    }

    // ---- advice and reviews ----

    /// Returns the node that the adviser should evaluate next; a request precedes a review.
    pub(super) fn next_advice_node(&self) -> Option<NodeId> {
        self.core.study.pending_advice.map(|(node, _)| node).or_else(|| self.next_review_node())
    }

    /// Returns the search limits per position of a quick review, derived from those of a review.
    fn quick_review_limits(&self, limits: Limits) -> Limits {
        let nodes =
            limits.nodes.map_or(QUICK_REVIEW_DEFAULT_NODES, |nodes| nodes / QUICK_REVIEW_NODE_DIVISOR);
        let plies = u64::try_from(self.position(self.present_node()).plies()).unwrap_or(u64::MAX);
        Limits { nodes: Some(nodes.min(QUICK_REVIEW_MAX_TOTAL_NODES / plies.max(1)).max(1)), ..limits }
    }

    /// Returns the limits of the next analysis search of a node: four times those of the previous one.
    fn extended_analysis_limits(&self, node: NodeId, limits: Limits) -> Limits {
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

    /// Reports whether a node already has a better evaluation than this unfinished search.
    pub(super) fn has_better_evaluation(&self, node: NodeId, side: Side, report: &SearchReport) -> bool {
        let known = self.tree().node(node).known.as_ref().filter(|(of, _)| *of == side);
        known.is_some_and(|(_, known)| {
            known.candidates.len() > report.candidates.len().max(1) || known.nodes > report.nodes
        })
    }

    /// Returns the adviser's current job: advice, review or quick review.
    pub(super) fn adviser_job(&self, context: ActivityContext) -> Option<EngineJob> {
        let is_quick = self.next_advice_node().is_none();
        let node = self.next_advice_node().or_else(|| self.next_quick_review_node())?;
        let is_asked = self.core.study.pending_advice.is_some();
        let weights = self.spec().net.clone();
        // Reviews are reproducible, so they use fixed resources and a fixed seed.
        let usual =
            EngineResources { memory_mib: self.is_analysis().then_some(ANALYSIS_MEMORY_MIB), threads: None };
        let asked = (context.rules.seed, self.spec().resources.with_fallback(usual));
        let (seed, resources) = if is_asked { asked } else { (REVIEW_SEED, EngineResources::DEFAULT) };
        let config = EngineConfig { resources, weights, ..EngineConfig::new(seed, HINTS_STREAM) };
        let usual = self.spec().start.entry.hint_engine();
        // In an analysis the player may choose the engine.
        let chosen = self.spec().level.filter(|_| self.is_analysis() && is_asked);
        let adviser = chosen.map_or(usual, |level| (level, Limits::default()));
        let is_review = !is_asked && !is_quick;
        let (level, limits) =
            if is_review { context.rules.reviewer.resolve_engine(adviser) } else { adviser };
        let engine = EngineSeat { player: EnginePlayer::BuiltIn(level), config, turn: 0 };
        let purpose = match (is_asked, is_quick) {
            (true, _) => EngineRequest::Advice(MAX_ADVISED_MOVES),
            (_, true) => EngineRequest::Advice(1),
            _ => EngineRequest::Evaluation(MAX_ADVISED_MOVES),
        };
        let job = self.core.create_engine_job(EngineThreadId::Study, engine, node, purpose);
        if is_asked {
            let limits = match (self.is_analysis(), self.spec().level) {
                (true, Some(_)) => job.limits,
                (true, None) => self.extended_analysis_limits(node, job.limits.or_if_unlimited(limits)),
                (false, _) => job.limits.or_if_unlimited(limits),
            };
            return Some(EngineJob { limits, ..job });
        }
        // Reviews have their own limits. Positions after a resignation can still be evaluated.
        let position =
            if job.position.early_end().is_some() { job.position.without_early_end() } else { job.position };
        let limits = if is_quick { self.quick_review_limits(limits) } else { limits };
        Some(EngineJob { position, limits, ..job })
    }
}
