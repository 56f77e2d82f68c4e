//! The state that every game of a match has, whatever is done with it: the request, the line of
//! play, the engines' evaluations and the files. Knows no players.

use std::sync::Arc;
use std::time::Duration;

use crate::ai::{EngineKind, Limits};
use crate::canvas::Glyphs;
use crate::game::{BySide, Refusal, RefusalCode, Side};
use crate::play::source::Source;
use crate::play::study::Study;
use crate::play::{
    Advice, Answer, Fact, Fault, Lesson, LineOfPlay, MatchRefusal, Mode, MoveFile, Moved, NewGame, Query,
};
use crate::record::{self, GameRecord, GameTree, LinkSite, MoveSource, NodeId, Note};
use crate::registry::OpenError;
use crate::session::{EngineAnswer, Purpose};
use crate::thinking::{EngineJob, EngineSeat, ExternalProgram, HostId, JobId};

/// Facts that a part reports, or the reason why it refuses a command.
pub type Acted = Result<Vec<Fact>, MatchRefusal>;

/// State that all activities share.
#[derive(Debug)]
pub struct Core {
    /// Request that started the game.
    pub(super) spec: NewGame,
    /// External engine that was requested, also where a built-in level plays now.
    pub(super) configured: Option<Arc<ExternalProgram>>,
    /// Moves and positions of the game.
    pub line: LineOfPlay,
    /// Evaluations by engines.
    pub(super) study: Study,
    /// Mistake that is shown.
    pub(super) lesson: Option<Lesson>,
    /// Files that the game comes from and that have it.
    pub(super) source: Source,
}

impl Core {
    /// Creates a game that begins.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn new(mut spec: NewGame) -> Result<Self, OpenError> {
        let tree = GameTree::new(spec.start.position()?);
        if spec.mode == Mode::Replay {
            spec.mode = Mode::HumanMachine; // there is no file
        }
        Ok(Core {
            configured: spec.program.clone(),
            spec,
            line: LineOfPlay::new(tree, NodeId::ROOT, NodeId::ROOT),
            study: Study::default(),
            lesson: None,
            source: Source::default(),
        })
    }

    /// Creates a game that shows a file.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn of_file(spec: NewGame, file: MoveFile) -> Result<Self, OpenError> {
        let source = Source::of(&file);
        let GameRecord { tree, end, .. } = *file.record;
        let core = Core::new(spec)?;
        let spec = NewGame { mode: Mode::Replay, ..core.spec };
        Ok(Core { spec, line: LineOfPlay::new(tree, end, NodeId::ROOT), source, ..core })
    }

    /// Creates a game that continues from the position of a record.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn resumed(spec: NewGame, record: GameRecord) -> Result<Self, OpenError> {
        let mut core = Core::new(spec)?;
        core.source = Source::of_game(&record);
        core.line = LineOfPlay::new(record.tree, record.present, record.present);
        if core.spec.mode != Mode::Analysis {
            core.line.tree.follow(record.present); // a tree that is edited has the order that it was given
        }
        Ok(core)
    }

    /// Creates an analysis of this game at the position that is shown, with its evaluations. Its
    /// moves count as those of a file: only new ones would be missed.
    ///
    /// # Errors
    /// If there is no such board.
    pub(super) fn to_analyze(&self) -> Result<Self, OpenError> {
        let mut core = Core::new(self.same_again())?;
        let mut tree = self.line.tree.clone();
        tree.remember_people();
        tree.mark_as_imported();
        core.line = LineOfPlay::free(tree, self.line.shown);
        core.spec.level = None;
        core.study.judged = self.study.judged.clone();
        core.source = self.source.copied();
        Ok(core)
    }

    /// Turns the game into one whose tree is walked freely.
    pub(super) fn free(mut self) -> Self {
        self.line = LineOfPlay::free(self.line.tree, self.line.shown);
        self.source.is_loaded = true;
        self
    }

    /// Returns the request for another such game, at the present level.
    pub(super) fn same_again(&self) -> NewGame {
        let mut spec = self.spec.clone();
        spec.level = Some(spec.level());
        if matches!(spec.mode, Mode::Replay | Mode::Analysis) {
            spec.mode = Mode::HumanMachine; // nothing is shown any more
        }
        spec
    }

    /// Reports whether somebody has moved here or has ended the game, so that it would be missed.
    pub(super) fn is_begun(&self) -> bool {
        self.source.edits > 0
            || self.line.tree.has_moves_of(|by| by != MoveSource::File)
            || self.line.outcome().is_some() && !self.source.is_loaded
    }

    /// Takes out the notes on what was left out of the file that is shown, as far as they are
    /// wanted now.
    pub(super) fn take_dropped(&mut self, is_wanted: impl Fn(&Note) -> bool) -> Vec<Fact> {
        let path = self.source.shown.clone().unwrap_or_default();
        let told = |note: Note| Fact::Fault(Fault::Dropped(path.clone(), note));
        self.source.take_dropped(is_wanted).into_iter().map(told).collect()
    }

    // ---- clocks ----

    /// Returns the time that each side had left when a position was reached; `None` without clocks.
    pub(super) fn clocks_at(&self, node: NodeId) -> Option<BySide<Duration>> {
        let time = self.spec.time?;
        let known = self.line.tree.node(node).clocks;
        Some(known.unwrap_or(BySide::new(time.main, time.main)))
    }

    /// Returns the time that each side has left after `side` has spent `took` on a move from there.
    pub(super) fn clocks_after(&self, node: NodeId, side: Side, took: Duration) -> Option<BySide<Duration>> {
        let mut left = self.clocks_at(node)?;
        let more = self.spec.time.map(|time| time.increment).unwrap_or_default();
        left[side] = left[side].saturating_sub(took) + more;
        Some(left)
    }

    /// Reports whether there are clocks and the game goes on.
    pub(super) fn has_clocks(&self) -> bool {
        self.spec.time.is_some() && self.line.outcome().is_none()
    }

    // ---- positions ----

    /// Plays a move at the present position; the position after it becomes the present one.
    ///
    /// # Errors
    /// Says why the text is no move, or why the move is not legal.
    pub fn play(&mut self, text: &str, by: MoveSource) -> Result<Moved, MatchRefusal> {
        let came_back = self.line.return_to_present();
        let node = self.line.play(text, by).map_err(|why| MatchRefusal::IllegalMove { why, came_back })?;
        self.line.advance(node);
        Ok(Moved { node, came_back, proof: None, repetition: None })
    }

    /// Shows a position.
    pub(super) fn look(&mut self, word: &'static str, there: NodeId) -> Vec<Fact> {
        if self.line.tip.is_some() {
            self.line.go_freely(there);
            return vec![Fact::Replied(word, there, Answer::Looking), Fact::Present(there)];
        }
        if there == self.line.present && !self.line.is_gone_through {
            self.line.return_to_present();
            return vec![Fact::Replied(word, there, Answer::BackToPresent), Fact::Present(there)];
        }
        self.line.shown = there;
        vec![Fact::Replied(word, there, Answer::Looking), Fact::Shown(there)]
    }

    /// Shows the present position again.
    pub(super) fn look_at_present(&mut self) -> Vec<Fact> {
        self.line.is_gone_through = false;
        self.look("goto", self.line.present)
    }

    /// Moves the game to another position.
    pub(super) fn go_to(&mut self, node: NodeId) -> Fact {
        self.line.set_present(node);
        self.line.return_to_present();
        self.line.has_ended = false;
        // The end shows the board.
        if self.line.outcome().is_some() { Fact::Over } else { Fact::Present(node) }
    }

    /// Prepares the position that is shown for the game to continue there; returns the number of
    /// moves that can be redone then.
    pub(super) fn open_here(&mut self) -> Result<usize, MatchRefusal> {
        let here = self.line.shown;
        if self.line.shown_position().reopened().outcome().is_some() {
            return Err(MatchRefusal::IsOverHere);
        }
        self.line.reopen(here);
        self.line.tree.follow(here);
        Ok(self.line.tree.main_line_from(here).count() - 1)
    }

    /// Makes the line that is shown the main line; returns its end.
    pub(super) fn promote(&mut self) -> Result<NodeId, MatchRefusal> {
        let LineOfPlay { tree, present, shown, .. } = &mut self.line;
        let is_played = tree.is_ancestor_of(*shown, *present);
        // The line that is played may be a side line of its file.
        if is_played && tree.written_line(*present).contains(shown) {
            return Err(MatchRefusal::IsTheMainLine);
        }
        let end = if is_played { *present } else { tree.end_of(*shown) };
        tree.make_main(end);
        Ok(end)
    }

    // ---- questions ----

    /// Sets the level of those engines that play now or later.
    pub(super) fn set_level(&mut self, level: EngineKind) -> Acted {
        if self.line.present_position().check_level(level).is_err() {
            return Err(MatchRefusal::NoSuchLevel(level.to_string()));
        }
        (self.spec.level, self.spec.program) = (Some(level), None);
        Ok(vec![Fact::Seated, Fact::Replied("level", self.line.present, Answer::LevelSet)])
    }

    /// Answers a question about the position that is shown.
    pub(super) fn answer(&self, query: Query) -> Acted {
        let line = &self.line;
        let query = match query {
            Query::Effect(text) => {
                let position = line.shown_position();
                let text = position.read(&text).map_err(MatchRefusal::Unread)?;
                position.effect(&text, Glyphs::Ascii).map_err(MatchRefusal::Unread)?;
                Query::Effect(text)
            }
            Query::Link => {
                let no_link = |why| MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, why));
                self.link().map_err(|why| no_link(format!("{why}.")))?;
                Query::Link
            }
            told => told,
        };
        let (shown, is_board) = (line.shown, query == Query::Board);
        let board = if line.is_looking() { Fact::Shown(shown) } else { Fact::Present(shown) };
        let told = Fact::Replied(query.word(), shown, Answer::Told(query));
        Ok([told].into_iter().chain(is_board.then_some(board)).collect())
    }

    /// Returns the link to the position on the screen.
    ///
    /// # Errors
    /// Says why there is none.
    pub(super) fn link(&self) -> Result<String, String> {
        record::write_link(&self.line.tree, self.line.shown, LinkSite::HexWorld).map(|(link, _)| link)
    }

    /// Asks an adviser about the position that is shown. While an engine is busy with its move
    /// nothing is reported before it.
    pub(super) fn advise(&mut self, advice: Advice, is_busy: bool) -> Acted {
        let (shown, position) = (self.line.shown, self.line.shown_position());
        let (is_over, has_values) = (position.outcome().is_some(), !position.values().is_empty());
        match advice {
            Advice::Study if is_over || has_values || self.study.asked.is_some() => return Ok(Vec::new()),
            Advice::Eval if has_values => {
                return Ok(vec![Fact::Replied("eval", shown, Answer::Values), Fact::ToBeRead]);
            }
            Advice::Hint if is_over => return Err(MatchRefusal::NothingToAdvise),
            Advice::Eval if is_over => return Err(MatchRefusal::NothingToEvaluate),
            Advice::Hint | Advice::Eval if is_busy => return Err(MatchRefusal::IsThinking),
            Advice::Hint | Advice::Eval | Advice::Study => {}
        }
        self.study.asked = Some((shown, advice));
        Ok(Vec::new())
    }

    /// Takes note of an adviser's answer about a position.
    pub(super) fn note_advice(
        &mut self,
        node: NodeId,
        advice: Advice,
        limits: Limits,
        thought: EngineAnswer,
    ) -> Vec<Fact> {
        let side = self.line.tree.position(node).to_move();
        let noted = self.line.tree.node_mut(node);
        noted.known = Some((side, Arc::clone(&thought.report)));
        if advice == Advice::Hint {
            noted.hint = Some(thought.text.clone());
        }
        let (word, answer) = match advice {
            Advice::Hint => ("hint", Answer::Hint(Box::new(thought))),
            Advice::Eval => ("eval", Answer::Eval(Box::new(thought))),
            Advice::Study => {
                self.study.studied = Some(node);
                self.study.note_round(node, &thought.report, limits);
                return vec![Fact::Reported(node)];
            }
        };
        vec![Fact::Replied(word, node, answer), Fact::ToBeRead]
    }

    /// Returns the job of an engine for a position.
    pub(super) fn job(&self, host: HostId, engine: EngineSeat, node: NodeId, purpose: Purpose) -> EngineJob {
        let (position, limits) = (self.line.tree.position(node).clone(), self.spec.limits);
        EngineJob { id: JobId(0), host, engine, position, purpose, limits, is_due: false }
    }
}
