//! The state that all activities on a game share.
//!
//! It consists of the request, the line of play, the engines' evaluations and the files, but not
//! the players.

use std::sync::Arc;
use std::time::Duration;

use crate::ai::{EngineKind, Limits};
use crate::canvas::GlyphSet;
use crate::game::{BySide, Refusal, RefusalCode, Side};
use crate::play::source::GameSource;
use crate::play::study::AdviceState;
use crate::play::{
    AdviceKind, AppliedMove, CommandAnswer, GameMode, LineOfPlay, MatchFact, MatchFault, MatchQuery,
    MatchRefusal, MistakeLesson, MoveFile, NewGame,
};
use crate::record::{self, GameRecord, GameTree, LinkSite, MoveSource, NodeId, RecordNote};
use crate::registry::BoardSetupError;
use crate::session::{EngineAnswer, EngineRequest};
use crate::thinking::{EngineJob, EngineJobId, EngineSeat, EngineThreadId, ExternalProgram};

/// Facts reported by an activity, or the reason why it refuses a command.
pub type ActivityResult = Result<Vec<MatchFact>, MatchRefusal>;

/// State of a game that all activities share.
#[derive(Debug)]
pub struct LiveGameState {
    /// Request that started the game.
    pub(super) spec: NewGame,
    /// Requested external engine, even if a built-in level now plays in its place.
    pub(super) configured: Option<Arc<ExternalProgram>>,
    /// Tree of moves, with the present and the shown position.
    pub line: LineOfPlay,
    /// Requests for advice and the evaluations by engines.
    pub(super) study: AdviceState,
    /// Mistake lesson that is open, if any.
    pub(super) lesson: Option<MistakeLesson>,
    /// Files that the game was loaded from or saved to.
    pub(super) source: GameSource,
}

impl LiveGameState {
    /// Creates a game at its starting position.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub(super) fn new(mut spec: NewGame) -> Result<Self, BoardSetupError> {
        let tree = GameTree::new(spec.start.position()?);
        if spec.mode == GameMode::Replay {
            spec.mode = GameMode::HumanMachine; // there is no file
        }
        Ok(LiveGameState {
            configured: spec.program.clone(),
            spec,
            line: LineOfPlay::new(tree, NodeId::ROOT, NodeId::ROOT),
            study: AdviceState::default(),
            lesson: None,
            source: GameSource::default(),
        })
    }

    /// Creates a replay of a move file.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub(super) fn from_move_file(spec: NewGame, file: MoveFile) -> Result<Self, BoardSetupError> {
        let source = GameSource::from_move_file(&file);
        let GameRecord { tree, end, .. } = *file.record;
        let core = LiveGameState::new(spec)?;
        let spec = NewGame { mode: GameMode::Replay, ..core.spec };
        Ok(LiveGameState { spec, line: LineOfPlay::new(tree, end, NodeId::ROOT), source, ..core })
    }

    /// Creates a game that continues from the present position of a record.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub(super) fn from_record(spec: NewGame, record: GameRecord) -> Result<Self, BoardSetupError> {
        let mut core = LiveGameState::new(spec)?;
        core.source = GameSource::from_record(&record);
        core.line = LineOfPlay::new(record.tree, record.present, record.present);
        if core.spec.mode != GameMode::Analysis {
            core.line.tree.move_line_to_front(record.present); // an analysis keeps its order of branches
        }
        Ok(core)
    }

    /// Creates an analysis of this game at the shown position, with its evaluations.
    ///
    /// The existing moves count as imported, so only new moves count as unsaved.
    ///
    /// # Errors
    /// Fails if the registry has no such board.
    pub(super) fn to_analysis_copy(&self) -> Result<Self, BoardSetupError> {
        let mut core = LiveGameState::new(self.rematch_spec())?;
        let mut tree = self.line.tree.clone();
        tree.mark_human_moves();
        tree.mark_as_imported();
        core.line = LineOfPlay::for_analysis(tree, self.line.shown);
        core.spec.level = None;
        core.study.evaluations = self.study.evaluations.clone();
        core.source = self.source.for_analysis();
        Ok(core)
    }

    /// Converts the game to an analysis, whose tree can be navigated freely.
    pub(super) fn into_analysis(mut self) -> Self {
        self.line = LineOfPlay::for_analysis(self.line.tree, self.line.shown);
        self.source.is_loaded = true;
        self
    }

    /// Returns the request for a rematch: the same settings, at the present level.
    pub(super) fn rematch_spec(&self) -> NewGame {
        let mut spec = self.spec.clone();
        spec.level = Some(spec.level());
        if matches!(spec.mode, GameMode::Replay | GameMode::Analysis) {
            spec.mode = GameMode::HumanMachine; // a rematch is played
        }
        spec
    }

    /// Reports whether the game has moves, edits or a result that did not come from a file.
    pub(super) fn has_player_changes(&self) -> bool {
        self.source.edits > 0
            || self.line.tree.has_moves_from(|by| by != MoveSource::File)
            || self.line.outcome().is_some() && !self.source.is_loaded
    }

    /// Removes the selected notes on omitted parts of the shown file and returns them as facts.
    pub(super) fn take_dropped_notes(&mut self, is_wanted: impl Fn(&RecordNote) -> bool) -> Vec<MatchFact> {
        let path = self.source.shown.clone().unwrap_or_default();
        let told = |note: RecordNote| MatchFact::Fault(MatchFault::Dropped(path.clone(), note));
        self.source.take_dropped_notes(is_wanted).into_iter().map(told).collect()
    }

    // ---- clocks ----

    /// Returns the time left of each side when a position was reached; `None` without clocks.
    pub(super) fn time_left_at(&self, node: NodeId) -> Option<BySide<Duration>> {
        let time = self.spec.time?;
        let known = self.line.tree.node(node).clocks;
        Some(known.unwrap_or(BySide::new(time.main, time.main)))
    }

    /// Returns the time left of each side after `side` has spent `took` on a move from this node.
    pub(super) fn time_left_after(
        &self,
        node: NodeId,
        side: Side,
        took: Duration,
    ) -> Option<BySide<Duration>> {
        let mut left = self.time_left_at(node)?;
        let more = self.spec.time.map(|time| time.increment).unwrap_or_default();
        left[side] = left[side].saturating_sub(took) + more;
        Some(left)
    }

    /// Reports whether the game has a time control and is not over.
    pub(super) fn has_running_clocks(&self) -> bool {
        self.spec.time.is_some() && self.line.outcome().is_none()
    }

    // ---- positions ----

    /// Plays a move at the present position; the position after it becomes the present one.
    ///
    /// # Errors
    /// Fails if the text is not a move or the move is not legal.
    pub fn play_move(&mut self, text: &str, by: MoveSource) -> Result<AppliedMove, MatchRefusal> {
        let came_back = self.line.return_to_present();
        let node =
            self.line.play_move(text, by).map_err(|why| MatchRefusal::IllegalMove { why, came_back })?;
        self.line.advance_to(node);
        Ok(AppliedMove { node, came_back, proof: None, repetition: None })
    }

    /// Shows a position; `word` is the command that asked for it.
    pub(super) fn show_position(&mut self, word: &'static str, there: NodeId) -> Vec<MatchFact> {
        if self.line.tip.is_some() {
            self.line.go_to_analysis_node(there);
            return vec![
                MatchFact::Replied(word, there, CommandAnswer::PositionShown),
                MatchFact::Present(there),
            ];
        }
        if there == self.line.present && !self.line.is_stepped_through {
            self.line.return_to_present();
            return vec![
                MatchFact::Replied(word, there, CommandAnswer::BackToPresent),
                MatchFact::Present(there),
            ];
        }
        self.line.shown = there;
        vec![MatchFact::Replied(word, there, CommandAnswer::PositionShown), MatchFact::Shown(there)]
    }

    /// Shows the present position again.
    pub(super) fn show_present(&mut self) -> Vec<MatchFact> {
        self.line.is_stepped_through = false;
        self.show_position("goto", self.line.present)
    }

    /// Makes another position the present one.
    pub(super) fn move_game_to(&mut self, node: NodeId) -> MatchFact {
        self.line.set_present(node);
        self.line.return_to_present();
        self.line.has_ended = false;
        // The event for the end shows the board.
        if self.line.outcome().is_some() { MatchFact::Over } else { MatchFact::Present(node) }
    }

    /// Reopens the game at the shown position; returns the number of moves that can be redone.
    pub(super) fn reopen_at_shown(&mut self) -> Result<usize, MatchRefusal> {
        let here = self.line.shown;
        if self.line.shown_position().without_early_end().outcome().is_some() {
            return Err(MatchRefusal::IsOverHere);
        }
        self.line.reopen(here);
        self.line.tree.move_line_to_front(here);
        Ok(self.line.tree.main_line_from(here).count() - 1)
    }

    /// Makes the shown line the main line; returns its last node.
    pub(super) fn promote_shown_line(&mut self) -> Result<NodeId, MatchRefusal> {
        let LineOfPlay { tree, present, shown, .. } = &mut self.line;
        let is_played = tree.is_ancestor_of(*shown, *present);
        // The played line may be a side line of its file.
        if is_played && tree.written_line(*present).contains(shown) {
            return Err(MatchRefusal::IsTheMainLine);
        }
        let end = if is_played { *present } else { tree.main_line_end(*shown) };
        tree.make_main_line(end);
        Ok(end)
    }

    // ---- questions ----

    /// Sets the level of the engines.
    pub(super) fn set_level(&mut self, level: EngineKind) -> ActivityResult {
        if self.line.present_position().check_level(level).is_err() {
            return Err(MatchRefusal::NoSuchLevel(level.to_string()));
        }
        (self.spec.level, self.spec.program) = (Some(level), None);
        Ok(vec![MatchFact::Seated, MatchFact::Replied("level", self.line.present, CommandAnswer::LevelSet)])
    }

    /// Answers a question about the shown position.
    pub(super) fn answer_query(&self, query: MatchQuery) -> ActivityResult {
        let line = &self.line;
        let query = match query {
            MatchQuery::Effect(text) => {
                let position = line.shown_position();
                let text = position.normalize_move(&text).map_err(MatchRefusal::Unread)?;
                position.describe_move_effect(&text, GlyphSet::Ascii).map_err(MatchRefusal::Unread)?;
                MatchQuery::Effect(text)
            }
            MatchQuery::Link => {
                let no_link = |why| MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, why));
                self.position_link().map_err(|why| no_link(format!("{why}.")))?;
                MatchQuery::Link
            }
            told => told,
        };
        let (shown, is_board) = (line.shown, query == MatchQuery::Board);
        let board = if line.is_browsing() { MatchFact::Shown(shown) } else { MatchFact::Present(shown) };
        let told = MatchFact::Replied(query.command_name(), shown, CommandAnswer::Queried(query));
        Ok([told].into_iter().chain(is_board.then_some(board)).collect())
    }

    /// Returns the `HexWorld` link to the shown position.
    ///
    /// # Errors
    /// Fails with the reason if the position has no link.
    pub(super) fn position_link(&self) -> Result<String, String> {
        record::write_link(&self.line.tree, self.line.shown, LinkSite::HexWorld).map(|(link, _)| link)
    }

    /// Requests advice on the shown position. A hint or an evaluation is refused while an engine is
    /// busy with its move.
    pub(super) fn request_advice(&mut self, advice: AdviceKind, is_busy: bool) -> ActivityResult {
        let (shown, position) = (self.line.shown, self.line.shown_position());
        let (is_over, has_values) = (position.outcome().is_some(), !position.exact_move_values().is_empty());
        match advice {
            AdviceKind::Study if is_over || has_values || self.study.pending_advice.is_some() => {
                return Ok(Vec::new());
            }
            AdviceKind::Eval if has_values => {
                return Ok(vec![
                    MatchFact::Replied("eval", shown, CommandAnswer::Values),
                    MatchFact::ToBeRead,
                ]);
            }
            AdviceKind::Hint if is_over => return Err(MatchRefusal::NothingToAdvise),
            AdviceKind::Eval if is_over => return Err(MatchRefusal::NothingToEvaluate),
            AdviceKind::Hint | AdviceKind::Eval if is_busy => return Err(MatchRefusal::IsThinking),
            AdviceKind::Hint | AdviceKind::Eval | AdviceKind::Study => {}
        }
        self.study.pending_advice = Some((shown, advice));
        Ok(Vec::new())
    }

    /// Records an adviser's answer about a position.
    pub(super) fn record_advice(
        &mut self,
        node: NodeId,
        advice: AdviceKind,
        limits: Limits,
        thought: EngineAnswer,
    ) -> Vec<MatchFact> {
        let side = self.line.tree.position(node).to_move();
        let noted = self.line.tree.node_mut(node);
        noted.known = Some((side, Arc::clone(&thought.report)));
        if advice == AdviceKind::Hint {
            noted.hint = Some(thought.text.clone());
        }
        let (word, answer) = match advice {
            AdviceKind::Hint => ("hint", CommandAnswer::Hint(Box::new(thought))),
            AdviceKind::Eval => ("eval", CommandAnswer::Eval(Box::new(thought))),
            AdviceKind::Study => {
                self.study.last_studied = Some(node);
                self.study.record_search_round(node, &thought.report, limits);
                return vec![MatchFact::Reported(node)];
            }
        };
        vec![MatchFact::Replied(word, node, answer), MatchFact::ToBeRead]
    }

    /// Creates the engine job for a position.
    pub(super) fn create_engine_job(
        &self,
        host: EngineThreadId,
        engine: EngineSeat,
        node: NodeId,
        purpose: EngineRequest,
    ) -> EngineJob {
        let (position, limits) = (self.line.tree.position(node).clone(), self.spec.limits);
        EngineJob { id: EngineJobId(0), host, engine, position, purpose, limits, is_due: false }
    }
}
