//! An analysis: nobody plays, both sides are free. Moves become variations of a tree that is walked and edited at will; every
//! edit can be undone.

use crate::game::{SetupChange, Side};
use crate::play::{
    Acted, Activity, Answer, Command, Core, Edit, EditNews, Fact, LineOfPlay, MatchRefusal, Mode, Moment,
    Moved, NewGame, Players,
};
use crate::record::{EditHistory, GameTree, MoveSource, NodeId, Property, TreePart};
use crate::registry::{GameStart, OpenError};

/// Activity of the analysis board.
#[derive(Debug)]
pub(super) struct Analysis {
    players: Players,
    edits: EditHistory,
}

impl Analysis {
    pub(super) fn new(spec: &NewGame, edits: EditHistory) -> Self {
        let free = NewGame { mode: Mode::Humans, ..spec.clone() };
        Analysis { players: Players::of(&free, 0, Side::First), edits }
    }

    /// Takes note of parts that an edit is about to replace.
    fn note(&mut self, core: &mut Core, parts: Vec<TreePart>) {
        self.edits.note(core.line.shown, parts);
        core.source.edits += 1;
    }

    // ---- moves ----

    /// Plays a move at the position that is shown; a move that was played there before is followed.
    fn play(&mut self, text: &str, core: &mut Core) -> Acted {
        let here = core.line.shown;
        let before = core.line.tree.children(here).to_vec();
        core.line.reopen(here); // whoever resigned there has not, here
        let node = core.line.play(text, MoveSource::Human);
        let node = node.map_err(|why| MatchRefusal::IllegalMove { why, came_back: false })?;
        if !before.contains(&node) {
            self.note(core, vec![TreePart::Children(here, before)]);
        }
        core.line.go_freely(node);
        Ok(vec![Fact::Moved(Moved { node, came_back: false, proof: None, repetition: None })])
    }

    // ---- edits ----

    /// Takes out the last move shown, with all that follows it.
    fn hide(&mut self, core: &mut Core) -> Acted {
        let here = core.line.shown;
        let parent = core.line.tree.parent(here).ok_or(MatchRefusal::NothingToHide)?;
        let text = core.line.shown_position().last().unwrap_or_default();
        let children = core.line.tree.children(parent).to_vec();
        let left = children.iter().copied().filter(|&id| id != here).collect();
        self.note(core, vec![TreePart::Children(parent, children)]);
        core.line.tree.show_children(parent, left);
        core.line.go_freely(parent);
        Ok(told("hide", parent, EditNews::Hidden(text)))
    }

    /// Puts the line that is shown in front of the others at every move.
    fn promote(&mut self, core: &mut Core) -> Acted {
        let (here, tree) = (core.line.shown, &core.line.tree);
        let line = tree.line_to(here);
        let is_first = |pair: &[NodeId]| tree.children(pair[0]).first() == Some(&pair[1]);
        if line.windows(2).all(is_first) {
            return Err(MatchRefusal::IsTheMainLine);
        }
        let before = line[..line.len() - 1].iter().map(|&id| TreePart::children(tree, id)).collect();
        self.note(core, before);
        core.line.tree.make_main(here);
        core.line.go_freely(here);
        Ok(vec![Fact::Replied("promote", here, Answer::Promoted), Fact::Present(here)])
    }

    /// Notes something at the position that is shown.
    fn annotate(
        &mut self,
        core: &mut Core,
        notes: impl FnOnce(&mut Vec<String>, &mut Vec<Property>) -> EditNews,
    ) -> Vec<Fact> {
        let here = core.line.shown;
        let node = core.line.tree.node(here);
        let (mut comments, mut properties) = (node.comments.clone(), node.properties.clone());
        let news = notes(&mut comments, &mut properties);
        if comments != node.comments || properties != node.properties {
            self.note(core, vec![TreePart::notes(&core.line.tree, here)]);
        }
        core.line.tree.annotate(here, comments, properties);
        told(if matches!(news, EditNews::Marked { .. }) { "mark" } else { "comment" }, here, news)
    }

    fn edit(&mut self, edit: Edit, core: &mut Core) -> Acted {
        match edit {
            Edit::Hide => self.hide(core),
            Edit::Comment(None) if core.line.tree.node(core.line.shown).comments.is_empty() => {
                Err(MatchRefusal::NoComment)
            }
            Edit::Comment(text) => Ok(self.annotate(core, |comments, _| {
                comments.clear();
                comments.extend(text.clone());
                EditNews::Commented(text)
            })),
            Edit::Mark(cell) => Ok(self.annotate(core, |_, properties| {
                let is_there = toggle_mark(properties, &cell);
                EditNews::Marked { cell, is_there }
            })),
            Edit::SetUp(change) => self.set_up(change, core),
        }
    }

    /// Changes the position that is shown. As long as no move is played there the change is one
    /// more edit; otherwise it begins an analysis of the new position.
    fn set_up(&mut self, change: SetupChange, core: &mut Core) -> Acted {
        let shown = core.line.shown_position();
        let setup = shown.reopened().set_up_with(&change).map_err(MatchRefusal::BadChange)?;
        let start = GameStart { setup: Some(setup), ..core.spec.start.clone() };
        let position = start.position().map_err(|why| match why {
            OpenError::Position(bad) if bad.part != "position" => MatchRefusal::BadChange(bad),
            why => MatchRefusal::NoSuchBoard(why),
        })?;
        if !is_bare(core) {
            return Ok(vec![Fact::SetUp(Box::new(start))]);
        }
        let before = Box::new((core.spec.start.clone(), core.line.tree.clone()));
        self.note(core, vec![TreePart::Whole(before)]);
        core.spec.start = start;
        core.line.tree = GameTree::new(position);
        let mut facts = vec![begin_anew(core, NodeId::ROOT)];
        facts.extend(told("setup", NodeId::ROOT, EditNews::SetUpOn(change)));
        Ok(facts)
    }

    /// Undoes `count` edits, or redoes them; one if not given.
    fn go_back(&mut self, count: Option<usize>, is_redo: bool, core: &mut Core) -> Acted {
        let mut begins_anew = false;
        for done in 0..count.unwrap_or(1) {
            let (shown, start, tree) = (core.line.shown, &mut core.spec.start, &mut core.line.tree);
            let reversed = if is_redo {
                self.edits.redo(shown, start, tree)
            } else {
                self.edits.undo(shown, start, tree)
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
                core.line.go_freely(there);
            }
        }
        let here = core.line.shown;
        let (word, news) = if is_redo { ("redo", EditNews::Redone) } else { ("undo", EditNews::Undone) };
        let mut facts = if begins_anew { vec![begin_anew(core, here)] } else { Vec::new() };
        facts.extend(told(word, here, news));
        Ok(facts)
    }
}

/// Shows a position of another tree, without evaluations from before.
fn begin_anew(core: &mut Core, shown: NodeId) -> Fact {
    let empty = GameTree::new(core.line.tree.position(NodeId::ROOT).clone());
    core.line = LineOfPlay::free(std::mem::replace(&mut core.line.tree, empty), shown);
    core.study = crate::play::study::Study::default();
    core.lesson = None;
    Fact::Begun
}

/// Reports whether nothing was played, and no more than the first position is there.
fn is_bare(core: &Core) -> bool {
    let root = core.line.tree.node(NodeId::ROOT);
    core.line.tree.children(NodeId::ROOT).is_empty() && root.comments.is_empty() && root.properties.is_empty()
}

/// Returns the facts for an edit: the answer, and the position that is shown after it.
fn told(word: &'static str, at: NodeId, news: EditNews) -> Vec<Fact> {
    vec![Fact::Replied(word, at, Answer::Edited(news)), Fact::Present(at)]
}

/// Property of SGF that holds the marks.
const TRIANGLES: &str = "TR";

/// Puts a mark on a cell or removes it; returns `true` if it is there now.
fn toggle_mark(properties: &mut Vec<Property>, cell: &str) -> bool {
    let Some(place) = properties.iter().position(|property| property.name == TRIANGLES) else {
        properties.push(Property { name: TRIANGLES.to_owned(), values: vec![cell.to_owned()] });
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

impl Activity for Analysis {
    fn act(&mut self, command: Command, core: &mut Core, _moment: Moment) -> Acted {
        match command {
            Command::Move(text) | Command::Place(text) => self.play(&text, core),
            Command::Undo(count) => self.go_back(count, false, core),
            Command::Redo(count) => self.go_back(count, true, core),
            Command::Promote => self.promote(core),
            Command::Edit(edit) => self.edit(edit, core),
            // Both sides are free until an engine is asked for.
            Command::PlayHere => {
                let redoable = core.open_here()?;
                let goes_on = Answer::GoesOn { redoable, is_free: true };
                Ok(vec![Fact::Replied("play", core.line.shown, goes_on), Fact::TakesOver(None)])
            }
            Command::Side(side) => {
                core.open_here()?;
                Ok(vec![Fact::TakesOver(Some(side))])
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

    fn edits(&self) -> Option<&EditHistory> {
        Some(&self.edits)
    }
}
