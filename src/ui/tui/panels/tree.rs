//! The list of moves of an analysis: a row for the moves of both sides, and each variation indented
//! below the move that it replaces.

use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{columns_of, cut, push, width_of};
use super::super::frame::FrameContext;
use super::super::layout::Panel;
use super::super::theme::Part;
use super::moves::second_column;
use crate::canvas::{Glyphs, Role};
use crate::play::Game;
use crate::record::NodeId;

/// Columns by which a variation is indented more than its line, and the limit of that.
const INDENT: u16 = 2;
const DEEPEST: u16 = 6;
/// Fewest columns of a comment; with less room only its sign is shown.
const LEAST_COMMENT: u16 = 6;

/// Row of the list, with the columns from which on a click means each position.
#[derive(Debug, Default)]
pub(super) struct TreeRow {
    pub(super) line: Line<'static>,
    pub(super) places: Vec<(u16, NodeId)>,
}

/// State of writing the rows.
struct Writer<'c, 's> {
    c: &'c FrameContext<'s>,
    game: &'c Game,
    width: u16,
    rows: Vec<TreeRow>,
}

/// Returns the rows of the tree, in `width` columns.
pub(super) fn rows(c: &FrameContext<'_>, game: &Game, width: u16) -> Vec<TreeRow> {
    let mut writer = Writer { c, game, width, rows: Vec::new() };
    writer.main_line();
    writer.rows
}

/// Returns the first row shown of `rows` rows, so that the position on the screen is among them.
pub(super) fn top(c: &FrameContext<'_>, game: &Game, width: u16, rows: usize) -> usize {
    let all = self::rows(c, game, width);
    let here = all.iter().position(|row| row.places.iter().any(|&(_, id)| id == game.shown())).unwrap_or(0);
    here.saturating_sub(rows / 2).min(all.len().saturating_sub(rows))
}

/// Returns the position that a place of the panel means.
pub(super) fn hit(c: &FrameContext<'_>, game: &Game, panel: &Panel, at: Position) -> Option<NodeId> {
    let inside = panel.area.inner(Margin::new(1, 1));
    // The right edge belongs to the list.
    if !(Rect { width: inside.width + 1, ..inside }).contains(at) {
        return None;
    }
    let rows = rows(c, game, panel.area.width.saturating_sub(2));
    let row = rows.get(panel.top + usize::from(at.y - inside.y))?;
    let place = row.places.iter().rev().find(|&&(x, _)| x <= at.x - inside.x).or(row.places.first());
    place.map(|&(_, id)| id)
}

impl Writer<'_, '_> {
    fn main_line(&mut self) {
        let tree = self.game.tree();
        let line: Vec<NodeId> = tree.main_line_from(NodeId::ROOT).skip(1).collect();
        // The place of First is left empty in the first row where Second makes the first move.
        let skipped = tree.position(NodeId::ROOT).first_mover().index();
        let rounds = (line.len() + skipped).div_ceil(2);
        for round in 0..rounds {
            let mut row = TreeRow::default();
            let mut others = Vec::new();
            for side in 0..2 {
                let Some(ply) = (round * 2 + side).checked_sub(skipped) else { continue };
                let Some(&id) = line.get(ply) else { continue };
                let x = if side == 0 { 0 } else { second_column(self.width).max(columns_of(&row.line) + 1) };
                pad(&mut row.line, x);
                row.places.push((x, id));
                push(&mut row.line, format!("{:>3} ", ply + 1), self.part(Part::Faint));
                self.put(&mut row, id);
                if !tree.node(id).comments.is_empty() {
                    self.sign(&mut row);
                }
                others.extend(self.others(id));
            }
            self.rows.push(row);
            for other in others {
                self.variation(other, 1);
            }
        }
        if self.rows.is_empty() {
            let mut row = TreeRow::default();
            push(&mut row.line, "  1 …".replace('…', self.c.screen.looks.dots()), self.part(Part::Faint));
            self.rows.push(row);
        }
    }

    /// Returns the other moves in place of one.
    fn others(&self, id: NodeId) -> Vec<NodeId> {
        let tree = self.game.tree();
        let all = tree.parent(id).map_or(&[][..], |parent| tree.children(parent));
        all.iter().copied().filter(|&other| other != id && Some(&other) != all.first()).collect()
    }

    /// Writes a variation in as many rows as it needs, then the variations of its moves.
    fn variation(&mut self, first: NodeId, depth: u16) {
        let line: Vec<NodeId> = self.game.tree().main_line_from(first).collect();
        let indent = INDENT * depth.min(DEEPEST);
        let sign = if self.c.screen.looks.glyphs == Glyphs::Unicode { "└ " } else { "- " };
        let mut row = TreeRow::default();
        pad(&mut row.line, indent);
        push(&mut row.line, sign, self.part(Part::Faint));
        for &id in &line {
            let mut word = TreeRow::default();
            if id == first {
                push(&mut word.line, format!("{} ", self.game.position(id).plies()), self.part(Part::Faint));
            }
            self.put(&mut word, id);
            let is_full = columns_of(&row.line) + 1 + columns_of(&word.line) > self.width;
            if is_full && !row.places.is_empty() {
                self.rows.push(std::mem::take(&mut row));
                pad(&mut row.line, indent + INDENT);
            } else if !row.places.is_empty() {
                push(&mut row.line, " ", Style::new());
            }
            row.places.push((columns_of(&row.line), id));
            row.line.spans.extend(word.line.spans);
            self.comment(&mut row, id);
        }
        self.rows.push(row);
        for &id in line.iter().skip(1) {
            for other in self.others(id) {
                self.variation(other, depth + 1);
            }
        }
    }

    /// Writes a move with its mark.
    fn put(&self, row: &mut TreeRow, id: NodeId) {
        let (game, position) = (self.game, self.game.position(id));
        let mover = game.tree().parent(id).map(|parent| game.position(parent).to_move());
        let style = mover.map_or_else(Style::new, |mover| self.c.role(Role::of(mover)));
        let style = if id == game.shown() { style.reversed() } else { style };
        push(&mut row.line, position.last().unwrap_or_default(), style);
        if let Some((mark, _)) = game.marked_move(id) {
            push(&mut row.line, format!(" {}", mark.symbol()), self.c.role(Role::Hint));
        }
    }

    /// Writes the sign of a comment.
    fn sign(&self, row: &mut TreeRow) {
        push(&mut row.line, " *", self.c.role(Role::Hint));
    }

    /// Writes the comment on a move of a variation, or its sign if there is no room.
    fn comment(&self, row: &mut TreeRow, id: NodeId) {
        let Some(text) = self.game.tree().node(id).comments.first() else { return };
        let room = self.width.saturating_sub(columns_of(&row.line) + 1);
        if room >= LEAST_COMMENT.min(width_of(text) + 2) {
            let text = cut(text, room - 2, self.c).into_string();
            push(&mut row.line, format!(" \"{text}\""), self.part(Part::Faint));
        } else {
            self.sign(row);
        }
    }

    fn part(&self, part: Part) -> Style {
        self.c.screen.looks.part(part)
    }
}

/// Pads a line to a column.
fn pad(line: &mut Line<'static>, x: u16) {
    let gap = x.saturating_sub(columns_of(line));
    push(line, " ".repeat(gap.into()), Style::new());
}
