//! An analysis: nobody plays, both sides are free. Moves become variations of a tree that is walked and edited at will; every
//! edit can be undone.

use crate::game::{SetupChange, Side};
use crate::play::{
    Acted, Activity, Answer, Command, Core, Edit, EditNews, Fact, MatchRefusal, Mode, Moment, Moved, NewGame,
    Players, SetUp,
};
use crate::record::{MoveSource, NodeId, Property};
use crate::registry::{GameStart, OpenError};

/// The board to analyse on.
#[derive(Debug)]
pub(super) struct Analysis {
    players: Players,
    /// What can be undone, the last edit last; and what can be done again.
    done: Vec<Change>,
    undone: Vec<Change>,
    /// The positions set up one after the other before this one, the last one last; and those undone.
    before: Vec<GameStart>,
    after: Vec<GameStart>,
}

/// What an edit changed, as it was on the other side of it, and the position shown there.
#[derive(Debug)]
struct Change {
    shown: NodeId,
    was: Before,
}

/// A part of the tree before an edit.
#[derive(Debug)]
enum Before {
    /// The positions that followed each of these.
    Children(Vec<(NodeId, Vec<NodeId>)>),
    /// What was noted at a position.
    Notes(NodeId, Vec<String>, Vec<Property>),
}

impl Before {
    /// Puts that part of the tree back; gives what was there instead.
    fn swap(self, core: &mut Core) -> Before {
        let tree = &mut core.line.tree;
        match self {
            Before::Children(nodes) => {
                let now = nodes.into_iter().map(|(id, children)| {
                    let now = (id, tree.children(id).to_vec());
                    tree.show_children(id, children);
                    now
                });
                Before::Children(now.collect())
            }
            Before::Notes(id, comments, properties) => {
                let node = tree.node_mut(id);
                let now = (node.comments.clone(), node.properties.clone());
                (node.comments, node.properties) = (comments, properties);
                Before::Notes(id, now.0, now.1)
            }
        }
    }
}

impl Analysis {
    pub(super) fn new(spec: &NewGame, before: Vec<GameStart>, after: Vec<GameStart>) -> Self {
        let free = NewGame { mode: Mode::Humans, ..spec.clone() };
        let players = Players::of(&free, 0, Side::First);
        Analysis { players, done: Vec::new(), undone: Vec::new(), before, after }
    }

    /// Takes note of what an edit is about to change.
    fn note(&mut self, core: &mut Core, was: Before) {
        self.done.push(Change { shown: core.line.shown, was });
        self.undone.clear();
        core.source.edits += 1;
    }

    // ---- moves ----

    /// Plays a move at the position that is shown: one that was played there before is followed.
    fn play(&mut self, text: &str, core: &mut Core) -> Acted {
        let here = core.line.shown;
        let before = (here, core.line.tree.children(here).to_vec());
        core.line.reopen(here); // whoever resigned there has not, here
        let node = core.line.play(text, MoveSource::Human);
        let node = node.map_err(|why| MatchRefusal::IllegalMove { why, came_back: false })?;
        if !before.1.contains(&node) {
            self.note(core, Before::Children(vec![before]));
        }
        core.line.go_freely(node);
        Ok(vec![Fact::Moved(Moved { node, came_back: false, proof: None, repetition: None })])
    }

    // ---- edits ----

    /// Takes out the move that is shown last, with all that follows it.
    fn hide(&mut self, core: &mut Core) -> Acted {
        let here = core.line.shown;
        let parent = core.line.tree.parent(here).ok_or(MatchRefusal::NothingToHide)?;
        let text = core.line.shown_position().last().unwrap_or_default();
        let children = core.line.tree.children(parent).to_vec();
        let left = children.iter().copied().filter(|&id| id != here).collect();
        self.note(core, Before::Children(vec![(parent, children)]));
        core.line.tree.show_children(parent, left);
        core.line.go_freely(parent);
        Ok(told("hide", parent, EditNews::Hidden(text)))
    }

    /// Puts the line that is shown in front of the others at every move.
    fn promote(&mut self, core: &mut Core) -> Acted {
        let (here, tree) = (core.line.shown, &core.line.tree);
        let nodes = tree.way_back(here).filter_map(|id| tree.parent(id));
        let before: Vec<_> = nodes.map(|parent| (parent, tree.children(parent).to_vec())).collect();
        let is_first = |(parent, children): &(NodeId, Vec<NodeId>)| {
            children.first().is_some_and(|&first| tree.leads_to(first, here)) || *parent == here
        };
        if before.iter().all(is_first) {
            return Err(MatchRefusal::IsTheMainLine);
        }
        self.note(core, Before::Children(before));
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
        let was = Before::Notes(here, comments.clone(), properties.clone());
        let news = notes(&mut comments, &mut properties);
        let is_as_before =
            matches!(&was, Before::Notes(_, texts, marks) if *texts == comments && *marks == properties);
        if !is_as_before {
            self.note(core, was);
        }
        core.line.tree.annotate(here, comments, properties);
        told(if matches!(news, EditNews::Marked { .. }) { "mark" } else { "comment" }, here, news)
    }

    fn edit(&mut self, edit: Edit, core: &mut Core) -> Acted {
        match edit {
            Edit::Hide => self.hide(core),
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

    /// Changes the position that is shown. As long as nothing is played there the next change goes on from it.
    fn set_up(&self, change: SetupChange, core: &Core) -> Acted {
        let shown = core.line.shown_position();
        let setup = shown.reopened().set_up_with(&change).map_err(MatchRefusal::BadChange)?;
        let start = GameStart { setup: Some(setup), ..core.spec.start.clone() };
        start.position().map_err(|why| match why {
            OpenError::Position(bad) if bad.part != "position" => MatchRefusal::BadChange(bad),
            why => MatchRefusal::NoSuchBoard(why),
        })?;
        let is_next = is_bare(core);
        let mut before = if is_next { self.before.clone() } else { Vec::new() };
        before.extend(is_next.then(|| core.spec.start.clone()));
        let news = if is_next { EditNews::SetUpOn(change) } else { EditNews::SetUp };
        Ok(vec![Fact::SetUp(Box::new(SetUp { start, before, after: Vec::new(), news, is_next }))])
    }

    /// The position that was set up before this one or, after an undo, the next one.
    fn set_up_beside(&self, is_redo: bool, core: &Core) -> Option<Fact> {
        let (mut before, mut after) = (self.before.clone(), self.after.clone());
        let (from, to) = if is_redo { (&mut after, &mut before) } else { (&mut before, &mut after) };
        let start = from.pop().filter(|_| is_bare(core))?;
        to.push(core.spec.start.clone());
        let news = if is_redo { EditNews::Redone } else { EditNews::Undone };
        Some(Fact::SetUp(Box::new(SetUp { start, before, after, news, is_next: true })))
    }

    /// Undoes so many edits, or does them again.
    fn go_back(&mut self, count: Option<usize>, is_redo: bool, core: &mut Core) -> Acted {
        let (from, to) =
            if is_redo { (&mut self.undone, &mut self.done) } else { (&mut self.done, &mut self.undone) };
        if from.is_empty() {
            if let Some(fact) = self.set_up_beside(is_redo, core) {
                return Ok(vec![fact]);
            }
            return Err(if is_redo { MatchRefusal::NothingToRedo } else { MatchRefusal::NothingToUndo(0) });
        }
        for _ in 0..count.unwrap_or(1) {
            let Some(Change { shown, was }) = from.pop() else { break };
            let here = core.line.shown;
            to.push(Change { shown: here, was: was.swap(core) });
            core.line.go_freely(shown);
            core.source.edits += 1;
        }
        let here = core.line.shown;
        let (word, news) = if is_redo { ("redo", EditNews::Redone) } else { ("undo", EditNews::Undone) };
        Ok(told(word, here, news))
    }
}

/// Reports whether nothing was played, and no more than the first position is there.
fn is_bare(core: &Core) -> bool {
    core.line.tree.children(NodeId::ROOT).is_empty() && core.line.tree.node(NodeId::ROOT).comments.is_empty()
}

/// The answer to an edit, and the position that is shown after it.
fn told(word: &'static str, at: NodeId, news: EditNews) -> Vec<Fact> {
    vec![Fact::Replied(word, at, Answer::Edited(news)), Fact::Present(at)]
}

/// The property of SGF that has our marks.
const TRIANGLES: &str = "TR";

/// Puts a mark on a cell or takes it away; whether it is there now.
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
}
