//! Layers over the board: a stack by rank, not by the time of opening. Knows the state of each
//! layer, not its behaviour.

use std::sync::Arc;

use super::effect::Effect;
use super::key_table::Context;
use super::list::{List, ListKind};
use super::menu::Menu;
use crate::messages;
use crate::play::Match;
use crate::registry::Entry;
use crate::session::Position;
use crate::text::Text;

/// Command that the key for comments puts into the line.
pub(super) const COMMENT: &str = "comment ";

/// Returns the comment on the position that is shown.
pub(super) fn comment_of(game: &Match) -> String {
    game.game().tree().node(game.game().shown()).comments.join(" ")
}

/// Line that is typed in the status line, or in its place in the menu.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// Its text.
    pub text: String,
    /// The command that a key has put in front, with a space; empty if there is none.
    pub(super) command: String,
    /// Answer that came while it was typed: it is shown after that.
    pub(super) next: Option<Page>,
}

/// Page of text over the board.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Heading.
    pub title: String,
    /// Text, by lines.
    pub lines: Vec<Text>,
    /// Index of the first line shown.
    pub top: usize,
    /// Text that the lines shown contain.
    pub filter: String,
    /// `true` if the filter is being typed.
    pub is_filtering: bool,
    /// Terms that find a line, by its index, whether its text contains them or not.
    pub terms: Vec<(usize, &'static str)>,
}

impl Page {
    /// Creates a page with these lines.
    pub(super) fn of(title: impl Into<String>, lines: Vec<Text>) -> Self {
        Page { title: title.into(), lines, ..Page::default() }
    }

    /// Returns the lines that match the filter. Those with a term that begins like the filter come first.
    pub fn shown(&self) -> Vec<&Text> {
        let wanted = self.filter.to_lowercase();
        let of_line = |index: usize| self.terms.iter().filter(move |(line, _)| *line == index);
        let is_named =
            |index: usize| !wanted.is_empty() && of_line(index).any(|(_, term)| term.starts_with(&wanted));
        let matches = |&(index, line): &(usize, &Text)| {
            line.to_lowercase().contains(&wanted) || of_line(index).any(|(_, term)| term.contains(&wanted))
        };
        let mut lines: Vec<(usize, &Text)> = self.lines.iter().enumerate().filter(matches).collect();
        lines.sort_by_key(|&(index, _)| !is_named(index)); // stable
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

/// Rules of a game with pictures, on pages that are turned.
#[derive(Clone, Debug)]
pub struct RulesPages {
    /// Name of the game.
    pub title: String,
    /// Positions that are drawn, each with its sentence.
    pub(super) lessons: Vec<(Arc<dyn Position>, &'static str)>,
    /// Rules, each line with its heading.
    pub(super) rules: Vec<(&'static str, Text)>,
    /// Index of the page that is shown, from 0.
    pub page: usize,
}

impl RulesPages {
    /// Creates the rules of a game, as they are on the board of this position.
    pub(super) fn of(entry: &Entry, position: &dyn Position) -> Self {
        let (title, rules) = (entry.title.to_owned(), messages::rules(position));
        RulesPages { title, lessons: entry.lesson_positions(), rules, page: 0 }
    }
}

/// Question before something that cannot be undone.
#[derive(Clone, Debug)]
pub struct Confirm {
    /// Text of the question.
    pub(super) question: Text,
    /// Effect of the answer yes.
    pub(super) effect: Effect,
    /// Effect of the answer no, apart from closing the question.
    pub(super) refusal: Option<Effect>,
}

/// Layer over the board.
#[derive(Clone, Debug)]
pub enum Layer {
    /// The start menu.
    Menu(Box<Menu>),
    /// A list to choose from.
    List(List),
    /// A line that is typed.
    Prompt(Prompt),
    /// The rules with pictures.
    Rules(RulesPages),
    /// A question before something that cannot be undone.
    Confirm(Confirm),
    /// A page of text.
    Page(Page),
}

/// Rank of a layer, from the lowest to the highest: a higher one lies over a lower one, whichever
/// was opened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The start menu.
    Menu,
    /// A list to choose from.
    List,
    /// A line that is typed.
    Prompt,
    /// The rules with pictures.
    Rules,
    /// A question before something that cannot be undone.
    Confirm,
    /// A page of text, the help of a question among them.
    Page,
}

impl Layer {
    /// Returns the context whose keys the layer has.
    pub(super) fn context(&self) -> Context {
        match self {
            Layer::Prompt(_) | Layer::Page(Page { is_filtering: true, .. }) => Context::Field,
            Layer::Menu(_) => Context::Menu,
            Layer::List(list) if list.kind != ListKind::Saved => Context::Files,
            Layer::List(list) if list.is_typing => Context::Field,
            Layer::List(_) => Context::List,
            Layer::Rules(_) => Context::Rules,
            Layer::Page(_) => Context::Page,
            Layer::Confirm(_) => Context::Question,
        }
    }

    /// Returns its rank.
    pub(super) fn rank(&self) -> Rank {
        match self {
            Layer::Menu(_) => Rank::Menu,
            Layer::List(_) => Rank::List,
            Layer::Prompt(_) => Rank::Prompt,
            Layer::Rules(_) => Rank::Rules,
            Layer::Page(_) => Rank::Page,
            Layer::Confirm(_) => Rank::Confirm,
        }
    }
}

/// Layers that are open, at most one of each rank, the highest last.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    open: Vec<Layer>,
    /// Menu that the replay on the screen was chosen in, and the list over it.
    behind_replay: Vec<Layer>,
}

impl Layers {
    /// Opens a layer, in place of one of its rank.
    pub(super) fn open(&mut self, layer: Layer) {
        self.open.retain(|other| other.rank() != layer.rank());
        let at = self.open.partition_point(|other| other.rank() < layer.rank());
        self.open.insert(at, layer);
    }

    /// Closes the layer of this rank and returns it, if it is open.
    pub(super) fn close(&mut self, rank: Rank) -> Option<Layer> {
        let at = self.open.iter().position(|layer| layer.rank() == rank)?;
        Some(self.open.remove(at))
    }

    /// Reports whether nothing lies over the board.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Takes the highest one of these out.
    pub(super) fn take_highest(&mut self, is_wanted: impl Fn(&Layer) -> bool) -> Option<Layer> {
        let at = self.open.iter().rposition(is_wanted)?;
        Some(self.open.remove(at))
    }

    /// Closes the layers in which the game that begins now was chosen. The menu that a replay was
    /// chosen in stays behind it.
    pub(super) fn close_for_a_game(&mut self, is_replay: bool) {
        self.close(Rank::Rules);
        self.close(Rank::Confirm);
        let list = self.close(Rank::List);
        let menu = self.close(Rank::Menu).filter(|_| is_replay);
        self.behind_replay = menu.map_or_else(Vec::new, |menu| [menu].into_iter().chain(list).collect());
    }

    /// Reports whether a menu lies behind the replay on the screen.
    pub(super) fn has_menu_behind(&self) -> bool {
        !self.behind_replay.is_empty()
    }

    /// Opens the menu behind the replay again, with the list that was open, whose rows are looked
    /// up again.
    pub(super) fn open_behind(&mut self) {
        for mut layer in self.behind_replay.clone() {
            match &mut layer {
                Layer::List(list) => list.forget(),
                Layer::Menu(menu) => menu.notice = None,
                _ => {}
            }
            self.open(layer);
        }
    }

    /// Closes the page that is open and drops the one that waits.
    pub(super) fn close_pages(&mut self) {
        self.close(Rank::Page);
        for layer in &mut self.open {
            if let Layer::Prompt(line) = layer {
                line.next = None;
            }
        }
    }

    /// Closes a question about the match, which has changed without the answer.
    pub(super) fn close_question_of_the_match(&mut self) {
        self.open.retain(|layer| !matches!(layer, Layer::Confirm(Confirm { effect: Effect::Do(_), .. })));
    }

    /// Returns all of them, the highest last.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        self.open.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Layer> {
        self.open.iter_mut()
    }
}
