//! State of the layers over the board, which are stacked by rank and not by the time of opening.
//! Their behaviour is implemented elsewhere.

use std::sync::Arc;

use super::effect::ScreenEffect;
use super::key_table::KeyContext;
use super::list::{ListKind, SelectionList};
use super::menu::StartMenu;
use crate::messages;
use crate::play::Match;
use crate::registry::RegisteredGame;
use crate::session::Position;
use crate::text::Text;

/// Start of the command that the comment key puts into the prompt.
pub(super) const COMMENT_COMMAND: &str = "comment ";

/// Returns the comment on the shown position.
pub(super) fn comment_on_shown_position(game: &Match) -> String {
    game.game().tree().node(game.game().shown_node()).comments.join(" ")
}

/// Line that is being typed in the status line, or in the command row of the menu.
#[derive(Clone, Debug, Default)]
pub struct LinePrompt {
    /// Text of the line.
    pub text: String,
    /// Command that a key has put at the start of the text, with a space; empty if there is none.
    pub(super) command: String,
    /// Page that opens once the line is submitted or cancelled.
    pub(super) next: Option<TextPage>,
}

/// Page of text over the board.
#[derive(Clone, Debug, Default)]
pub struct TextPage {
    /// Heading of the page.
    pub title: String,
    /// Lines of the text.
    pub lines: Vec<Text>,
    /// Index of the first visible line.
    pub top: usize,
    /// Filter text: only lines that contain it are shown.
    pub filter: String,
    /// `true` if the filter is being typed.
    pub is_filtering: bool,
    /// Additional search terms, each with the index of the line that it finds.
    pub terms: Vec<(usize, &'static str)>,
}

impl TextPage {
    /// Creates a page with a heading and lines.
    pub(super) fn from_lines(title: impl Into<String>, lines: Vec<Text>) -> Self {
        TextPage { title: title.into(), lines, ..TextPage::default() }
    }

    /// Returns the lines that match the filter.
    ///
    /// Lines with a search term that starts with the filter come first.
    pub fn filtered_lines(&self) -> Vec<&Text> {
        let wanted = self.filter.to_lowercase();
        let of_line = |index: usize| self.terms.iter().filter(move |(line, _)| *line == index);
        let is_named =
            |index: usize| !wanted.is_empty() && of_line(index).any(|(_, term)| term.starts_with(&wanted));
        let matches = |&(index, line): &(usize, &Text)| {
            line.to_lowercase().contains(&wanted) || of_line(index).any(|(_, term)| term.contains(&wanted))
        };
        let mut lines: Vec<(usize, &Text)> = self.lines.iter().enumerate().filter(matches).collect();
        lines.sort_by_key(|&(index, _)| !is_named(index)); // stable sort
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

/// Illustrated rules of a game, on numbered pages.
#[derive(Clone, Debug)]
pub struct RulesPages {
    /// Name of the game.
    pub title: String,
    /// Positions shown in the pictures, each with a sentence of explanation.
    pub(super) lessons: Vec<(Arc<dyn Position>, &'static str)>,
    /// Lines of the rules, each with its heading.
    pub(super) rules: Vec<(&'static str, Text)>,
    /// Index of the shown page, from 0.
    pub page: usize,
}

impl RulesPages {
    /// Creates the illustrated rules of a game for the board of this position.
    pub(super) fn for_position(entry: &RegisteredGame, position: &dyn Position) -> Self {
        let (title, rules) = (entry.title.to_owned(), messages::rule_lines(position));
        RulesPages { title, lessons: entry.lesson_positions(), rules, page: 0 }
    }
}

/// Question before an action that cannot be undone.
#[derive(Clone, Debug)]
pub struct ConfirmDialog {
    /// Text of the question.
    pub(super) question: Text,
    /// Effect of answering yes.
    pub(super) effect: ScreenEffect,
    /// Effect of answering no, if it does more than close the question.
    pub(super) refusal: Option<ScreenEffect>,
}

/// Layer over the board.
#[derive(Clone, Debug)]
pub enum ScreenLayer {
    /// The start menu.
    Menu(Box<StartMenu>),
    /// A list to choose from.
    List(SelectionList),
    /// A line that is being typed.
    Prompt(LinePrompt),
    /// The illustrated rules of a game.
    Rules(RulesPages),
    /// A question before an action that cannot be undone.
    Confirm(ConfirmDialog),
    /// A page of text.
    Page(TextPage),
}

/// Rank of a layer, from the lowest to the highest.
///
/// A higher layer covers a lower one, whichever was opened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerRank {
    /// The start menu.
    Menu,
    /// A list to choose from.
    List,
    /// A line that is being typed.
    Prompt,
    /// The illustrated rules of a game.
    Rules,
    /// A question before an action that cannot be undone.
    Confirm,
    /// A page of text. It ranks highest, since a question can have a help page.
    Page,
}

impl ScreenLayer {
    /// Returns the key context of the layer.
    pub(super) fn key_context(&self) -> KeyContext {
        match self {
            ScreenLayer::Prompt(_) | ScreenLayer::Page(TextPage { is_filtering: true, .. }) => {
                KeyContext::Field
            }
            ScreenLayer::Menu(_) => KeyContext::Menu,
            ScreenLayer::List(list) if list.kind != ListKind::Saved => KeyContext::Files,
            ScreenLayer::List(list) if list.is_typing => KeyContext::Field,
            ScreenLayer::List(_) => KeyContext::List,
            ScreenLayer::Rules(_) => KeyContext::Rules,
            ScreenLayer::Page(_) => KeyContext::Page,
            ScreenLayer::Confirm(_) => KeyContext::Question,
        }
    }

    /// Returns the rank of the layer.
    pub(super) fn rank(&self) -> LayerRank {
        match self {
            ScreenLayer::Menu(_) => LayerRank::Menu,
            ScreenLayer::List(_) => LayerRank::List,
            ScreenLayer::Prompt(_) => LayerRank::Prompt,
            ScreenLayer::Rules(_) => LayerRank::Rules,
            ScreenLayer::Page(_) => LayerRank::Page,
            ScreenLayer::Confirm(_) => LayerRank::Confirm,
        }
    }
}

/// Open layers, at most one of each rank, the highest last.
#[derive(Clone, Debug, Default)]
pub struct LayerStack {
    open: Vec<ScreenLayer>,
    /// Menu from which the shown replay was opened, and the list over it.
    behind_replay: Vec<ScreenLayer>,
}

impl LayerStack {
    /// Opens a layer, which replaces an open layer of the same rank.
    pub(super) fn open(&mut self, layer: ScreenLayer) {
        self.open.retain(|other| other.rank() != layer.rank());
        let at = self.open.partition_point(|other| other.rank() < layer.rank());
        self.open.insert(at, layer);
    }

    /// Closes the layer of this rank and returns it, if it is open.
    pub(super) fn close(&mut self, rank: LayerRank) -> Option<ScreenLayer> {
        let at = self.open.iter().position(|layer| layer.rank() == rank)?;
        Some(self.open.remove(at))
    }

    /// Reports whether no layer is open.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Removes and returns the highest layer that `is_wanted` accepts.
    pub(super) fn take_highest(&mut self, is_wanted: impl Fn(&ScreenLayer) -> bool) -> Option<ScreenLayer> {
        let at = self.open.iter().rposition(is_wanted)?;
        Some(self.open.remove(at))
    }

    /// Closes the menu layers in which a new game was chosen.
    ///
    /// The menu of a replay is remembered, so that it can be reopened.
    pub(super) fn close_for_new_game(&mut self, is_replay: bool) {
        self.close(LayerRank::Rules);
        self.close(LayerRank::Confirm);
        let list = self.close(LayerRank::List);
        let menu = self.close(LayerRank::Menu).filter(|_| is_replay);
        self.behind_replay = menu.map_or_else(Vec::new, |menu| [menu].into_iter().chain(list).collect());
    }

    /// Reports whether the shown replay was opened from a menu that can be reopened.
    pub(super) fn has_menu_behind_replay(&self) -> bool {
        !self.behind_replay.is_empty()
    }

    /// Reopens the menu from which the replay was opened, and its list.
    ///
    /// The rows of the list are requested again.
    pub(super) fn reopen_menu_behind_replay(&mut self) {
        for mut layer in self.behind_replay.clone() {
            match &mut layer {
                ScreenLayer::List(list) => list.discard_rows(),
                ScreenLayer::Menu(menu) => menu.notice = None,
                _ => {}
            }
            self.open(layer);
        }
    }

    /// Closes the open page and drops the page that waits behind the prompt.
    pub(super) fn close_pages(&mut self) {
        self.close(LayerRank::Page);
        for layer in &mut self.open {
            if let ScreenLayer::Prompt(line) = layer {
                line.next = None;
            }
        }
    }

    /// Closes a question about the match, because the match changed before the answer.
    pub(super) fn close_match_question(&mut self) {
        self.open.retain(|layer| {
            !matches!(layer, ScreenLayer::Confirm(ConfirmDialog { effect: ScreenEffect::Do(_), .. }))
        });
    }

    /// Returns the open layers, the highest last.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &ScreenLayer> {
        self.open.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut ScreenLayer> {
        self.open.iter_mut()
    }
}
