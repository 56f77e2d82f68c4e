//! The analysis board: the player moves for both sides.
//!
//! Moves become variations of a tree that can be navigated and edited freely, and every edit can be
//! undone.

use crate::game::{SetupChange, Side};
use crate::play::{
    ActivityContext, ActivityResult, AnalysisEdit, AppliedMove, Command, CommandAnswer, EditOutcome,
    GameActivity, GameMode, LineOfPlay, LiveGameState, MatchFact, MatchRefusal, NewGame, Players,
};
use crate::record::{EditHistory, GameTree, MoveSource, NodeId, NodeProperty, TreePart};
use crate::registry::{BoardSetupError, GameStart};

/// Activity of the analysis board.
#[derive(Debug)]
pub(super) struct AnalysisActivity {
    players: Players,
    edits: EditHistory,
}

impl AnalysisActivity {
    pub(super) fn new(spec: &NewGame, edits: EditHistory) -> Self {
        let free = NewGame { mode: GameMode::Humans, ..spec.clone() };
        AnalysisActivity { players: Players::for_game(&free, 0, Side::First), edits }
    }

    /// Records the tree parts that an edit is about to replace, so that it can be undone.
    fn record_edit(&mut self, core: &mut LiveGameState, parts: Vec<TreePart>) {
        self.edits.record_edit(core.line.shown, parts);
        core.source.edits += 1;
    }

    // ---- moves ----

    /// Plays a move at the shown position, or follows its branch if the move was played there before.
    fn play_move(&mut self, text: &str, core: &mut LiveGameState) -> ActivityResult {
        let here = core.line.shown;
        let before = core.line.tree.children(here).to_vec();
        core.line.reopen(here); // an analysis ignores a resignation
        let node = core.line.play_move(text, MoveSource::Human);
        let node = node.map_err(|why| MatchRefusal::IllegalMove { why, came_back: false })?;
        if !before.contains(&node) {
            self.record_edit(core, vec![TreePart::Children(here, before)]);
        }
        core.line.go_to_analysis_node(node);
        Ok(vec![MatchFact::Moved(AppliedMove { node, came_back: false, proof: None, repetition: None })])
    }

    // ---- edits ----

    /// Deletes the last shown move and everything after it.
    fn delete_shown_move(&mut self, core: &mut LiveGameState) -> ActivityResult {
        let here = core.line.shown;
        let parent = core.line.tree.parent(here).ok_or(MatchRefusal::NothingToHide)?;
        let text = core.line.shown_position().last_move().unwrap_or_default();
        let children = core.line.tree.children(parent).to_vec();
        let left = children.iter().copied().filter(|&id| id != here).collect();
        self.record_edit(core, vec![TreePart::Children(parent, children)]);
        core.line.tree.set_visible_children(parent, left);
        core.line.go_to_analysis_node(parent);
        Ok(edit_facts("hide", parent, EditOutcome::Hidden(text)))
    }

    /// Makes the shown line the main line.
    fn promote_shown_line(&mut self, core: &mut LiveGameState) -> ActivityResult {
        let (here, tree) = (core.line.shown, &core.line.tree);
        let line = tree.line_to(here);
        let is_first = |pair: &[NodeId]| tree.children(pair[0]).first() == Some(&pair[1]);
        if line.windows(2).all(is_first) {
            return Err(MatchRefusal::IsTheMainLine);
        }
        let before = line[..line.len() - 1].iter().map(|&id| TreePart::current_children(tree, id)).collect();
        self.record_edit(core, before);
        core.line.tree.make_main_line(here);
        core.line.go_to_analysis_node(here);
        Ok(vec![MatchFact::Replied("promote", here, CommandAnswer::Promoted), MatchFact::Present(here)])
    }

    /// Edits the comments and SGF properties of the shown position.
    fn edit_annotations(
        &mut self,
        core: &mut LiveGameState,
        notes: impl FnOnce(&mut Vec<String>, &mut Vec<NodeProperty>) -> EditOutcome,
    ) -> Vec<MatchFact> {
        let here = core.line.shown;
        let node = core.line.tree.node(here);
        let (mut comments, mut properties) = (node.comments.clone(), node.properties.clone());
        let news = notes(&mut comments, &mut properties);
        if comments != node.comments || properties != node.properties {
            self.record_edit(core, vec![TreePart::current_annotations(&core.line.tree, here)]);
        }
        core.line.tree.set_annotations(here, comments, properties);
        edit_facts(if matches!(news, EditOutcome::Marked { .. }) { "mark" } else { "comment" }, here, news)
    }

    fn apply_edit(&mut self, edit: AnalysisEdit, core: &mut LiveGameState) -> ActivityResult {
        match edit {
            AnalysisEdit::Hide => self.delete_shown_move(core),
            AnalysisEdit::Comment(None) if core.line.tree.node(core.line.shown).comments.is_empty() => {
                Err(MatchRefusal::NoComment)
            }
            AnalysisEdit::Comment(text) => Ok(self.edit_annotations(core, |comments, _| {
                comments.clear();
                comments.extend(text.clone());
                EditOutcome::Commented(text)
            })),
            AnalysisEdit::Mark(cell) => Ok(self.edit_annotations(core, |_, properties| {
                let is_there = toggle_triangle_mark(properties, &cell);
                EditOutcome::Marked { cell, is_there }
            })),
            AnalysisEdit::SetUp(change) => self.set_up_position(change, core),
        }
    }

    /// Changes the shown position by hand.
    ///
    /// In a tree without moves or notes this is an undoable edit; otherwise it starts a new
    /// analysis of the changed position.
    fn set_up_position(&mut self, change: SetupChange, core: &mut LiveGameState) -> ActivityResult {
        let shown = core.line.shown_position();
        let setup = shown.without_early_end().changed_setup(&change).map_err(MatchRefusal::BadChange)?;
        let start = GameStart { setup: Some(setup), ..core.spec.start.clone() };
        let position = start.position().map_err(|why| match why {
            BoardSetupError::Position(bad) if bad.part != "position" => MatchRefusal::BadChange(bad),
            why => MatchRefusal::NoSuchBoard(why),
        })?;
        if !is_tree_empty(core) {
            return Ok(vec![MatchFact::SetUp(Box::new(start))]);
        }
        let before = Box::new((core.spec.start.clone(), core.line.tree.clone()));
        self.record_edit(core, vec![TreePart::Whole(before)]);
        core.spec.start = start;
        core.line.tree = GameTree::new(position);
        let mut facts = vec![restart_analysis(core, NodeId::ROOT)];
        facts.extend(edit_facts("setup", NodeId::ROOT, EditOutcome::SetUpOn(change)));
        Ok(facts)
    }

    /// Undoes or redoes `count` edits; one edit by default.
    fn undo_or_redo_edits(
        &mut self,
        count: Option<usize>,
        is_redo: bool,
        core: &mut LiveGameState,
    ) -> ActivityResult {
        let mut begins_anew = false;
        for done in 0..count.unwrap_or(1) {
            let (shown, start, tree) = (core.line.shown, &mut core.spec.start, &mut core.line.tree);
            let reversed = if is_redo {
                self.edits.redo_edit(shown, start, tree)
            } else {
                self.edits.undo_edit(shown, start, tree)
            };
            let Some((there, is_whole)) = reversed else {
                match (done, is_redo) {
                    (0, true) => return Err(MatchRefusal::NothingToRedo),
                    (0, false) => return Err(MatchRefusal::NothingToUndo(0)),
                    _ => break,
                }
            };
            core.source.edits += 1;
            begins_anew |= is_whole;
            if begins_anew {
                (core.line.present, core.line.shown) = (there, there);
            } else {
                core.line.go_to_analysis_node(there);
            }
        }
        let here = core.line.shown;
        let (word, news) =
            if is_redo { ("redo", EditOutcome::Redone) } else { ("undo", EditOutcome::Undone) };
        let mut facts = if begins_anew { vec![restart_analysis(core, here)] } else { Vec::new() };
        facts.extend(edit_facts(word, here, news));
        Ok(facts)
    }
}

/// Restarts the analysis on the current tree at the node `shown` and drops old evaluations.
fn restart_analysis(core: &mut LiveGameState, shown: NodeId) -> MatchFact {
    let empty = GameTree::new(core.line.tree.position(NodeId::ROOT).clone());
    core.line = LineOfPlay::for_analysis(std::mem::replace(&mut core.line.tree, empty), shown);
    core.study = crate::play::study::AdviceState::default();
    core.lesson = None;
    MatchFact::Begun
}

/// Reports whether the tree is a root without moves, comments or properties.
fn is_tree_empty(core: &LiveGameState) -> bool {
    let root = core.line.tree.node(NodeId::ROOT);
    core.line.tree.children(NodeId::ROOT).is_empty() && root.comments.is_empty() && root.properties.is_empty()
}

/// Returns the facts for an edit: the answer, and the node shown after it.
fn edit_facts(word: &'static str, at: NodeId, news: EditOutcome) -> Vec<MatchFact> {
    vec![MatchFact::Replied(word, at, CommandAnswer::Edited(news)), MatchFact::Present(at)]
}

/// SGF property that holds the marked cells.
const SGF_TRIANGLE_PROPERTY: &str = "TR";

/// Adds or removes the mark on a cell; returns `true` if the cell is marked now.
fn toggle_triangle_mark(properties: &mut Vec<NodeProperty>, cell: &str) -> bool {
    let Some(place) = properties.iter().position(|property| property.name == SGF_TRIANGLE_PROPERTY) else {
        properties
            .push(NodeProperty { name: SGF_TRIANGLE_PROPERTY.to_owned(), values: vec![cell.to_owned()] });
        return true;
    };
    let values = &mut properties[place].values;
    let was_there = values.iter().any(|value| value == cell);
    if was_there {
        values.retain(|value| value != cell);
    } else {
        values.push(cell.to_owned());
    }
    if values.is_empty() {
        properties.remove(place);
    }
    !was_there
}

impl GameActivity for AnalysisActivity {
    fn execute_command(
        &mut self,
        command: Command,
        core: &mut LiveGameState,
        _context: ActivityContext,
    ) -> ActivityResult {
        match command {
            Command::Move(text) | Command::Place(text) => self.play_move(&text, core),
            Command::Undo(count) => self.undo_or_redo_edits(count, false, core),
            Command::Redo(count) => self.undo_or_redo_edits(count, true, core),
            Command::Promote => self.promote_shown_line(core),
            Command::Edit(edit) => self.apply_edit(edit, core),
            // The person moves for both sides until the side command seats an engine.
            Command::PlayHere => {
                let redoable = core.reopen_at_shown()?;
                let goes_on = CommandAnswer::PlayContinues { redoable, is_free: true };
                Ok(vec![MatchFact::Replied("play", core.line.shown, goes_on), MatchFact::TakesOver(None)])
            }
            Command::Side(side) => {
                core.reopen_at_shown()?;
                Ok(vec![MatchFact::TakesOver(Some(side))])
            }
            Command::Level(level) => {
                core.study.rounds.clear();
                core.set_level(level)
            }
            _ => Err(MatchRefusal::IsAnalysis),
        }
    }

    fn players(&self) -> Option<&Players> {
        Some(&self.players)
    }

    fn is_analysis(&self) -> bool {
        true
    }

    fn edit_history(&self) -> Option<&EditHistory> {
        Some(&self.edits)
    }
}
