//! List of moves of an analysis. A row shows one move of each side, and each variation is indented
//! below the move that it replaces.

use ratatui_core::layout::{Margin, Position, Rect};
use ratatui_core::style::Style;
use ratatui_core::text::Line;

use super::super::draw::{line_columns, push_styled, text_columns, truncate_text};
use super::super::frame::FrameContext;
use super::super::layout::PlacedPanel;
use super::super::theme::ScreenPart;
use super::moves::second_side_column;
use crate::canvas::{GlyphSet, PaintRole};
use crate::play::LiveGame;
use crate::record::NodeId;

/// Number of columns by which a variation is indented further than its parent line.
const VARIATION_INDENT_COLUMNS: u16 = 2;
/// Depth of variations up to which the indent grows.
const MAX_INDENT_DEPTH: u16 = 6;
/// Minimum number of columns for a comment. With less room, only the comment sign is shown.
const MIN_COMMENT_COLUMNS: u16 = 6;

/// Row of the list of moves. Each node is paired with the first column of its click area.
#[derive(Debug, Default)]
pub(super) struct MoveTreeRow {
    pub(super) line: Line<'static>,
    pub(super) places: Vec<(u16, NodeId)>,
}

/// Writer of the rows of the list of moves.
struct MoveTreeWriter<'c, 's> {
    c: &'c FrameContext<'s>,
    game: &'c LiveGame,
    width: u16,
    rows: Vec<MoveTreeRow>,
}

/// Renders the rows of the tree in `width` columns.
pub(super) fn render_tree_rows(c: &FrameContext<'_>, game: &LiveGame, width: u16) -> Vec<MoveTreeRow> {
    let mut writer = MoveTreeWriter { c, game, width, rows: Vec::new() };
    writer.write_main_line();
    writer.rows
}

/// Returns the index of the first visible row of the tree.
///
/// It is chosen so that the shown position is among the `rows` visible rows.
pub(super) fn first_visible_tree_row(
    c: &FrameContext<'_>,
    game: &LiveGame,
    width: u16,
    rows: usize,
) -> usize {
    let all = self::render_tree_rows(c, game, width);
    let here =
        all.iter().position(|row| row.places.iter().any(|&(_, id)| id == game.shown_node())).unwrap_or(0);
    here.saturating_sub(rows / 2).min(all.len().saturating_sub(rows))
}

/// Returns the node at a screen position in the panel.
pub(super) fn tree_node_at(
    c: &FrameContext<'_>,
    game: &LiveGame,
    panel: &PlacedPanel,
    at: Position,
) -> Option<NodeId> {
    let inside = panel.area.inner(Margin::new(1, 1));
    // The right edge of the frame belongs to the list.
    if !(Rect { width: inside.width + 1, ..inside }).contains(at) {
        return None;
    }
    let rows = render_tree_rows(c, game, panel.area.width.saturating_sub(2));
    let row = rows.get(panel.top + usize::from(at.y - inside.y))?;
    let place = row.places.iter().rev().find(|&&(x, _)| x <= at.x - inside.x).or(row.places.first());
    place.map(|&(_, id)| id)
}

impl MoveTreeWriter<'_, '_> {
    fn write_main_line(&mut self) {
        let tree = self.game.tree();
        let line: Vec<NodeId> = tree.main_line_from(NodeId::ROOT).skip(1).collect();
        // If Second made the first move, First's place in the first row stays empty.
        let skipped = tree.position(NodeId::ROOT).first_mover().index();
        let rounds = (line.len() + skipped).div_ceil(2);
        for round in 0..rounds {
            let mut row = MoveTreeRow::default();
            let mut others = Vec::new();
            for side in 0..2 {
                let Some(ply) = (round * 2 + side).checked_sub(skipped) else { continue };
                let Some(&id) = line.get(ply) else { continue };
                let x = if side == 0 {
                    0
                } else {
                    second_side_column(self.width).max(line_columns(&row.line) + 1)
                };
                pad_to_column(&mut row.line, x);
                row.places.push((x, id));
                push_styled(&mut row.line, format!("{:>3} ", ply + 1), self.part_style(ScreenPart::Faint));
                self.write_move(&mut row, id);
                if !tree.node(id).comments.is_empty() {
                    self.write_comment_sign(&mut row);
                }
                others.extend(self.alternative_moves(id));
            }
            self.rows.push(row);
            for other in others {
                self.write_variation(other, 1);
            }
        }
        if self.rows.is_empty() {
            let mut row = MoveTreeRow::default();
            push_styled(
                &mut row.line,
                "  1 …".replace('…', self.c.screen.looks.ellipsis()),
                self.part_style(ScreenPart::Faint),
            );
            self.rows.push(row);
        }
    }

    /// Returns the siblings of a move in the tree, except the first one.
    fn alternative_moves(&self, id: NodeId) -> Vec<NodeId> {
        let tree = self.game.tree();
        let all = tree.parent(id).map_or(&[][..], |parent| tree.children(parent));
        all.iter().copied().filter(|&other| other != id && Some(&other) != all.first()).collect()
    }

    /// Writes a variation in as many rows as it needs, followed by the variations of its moves.
    fn write_variation(&mut self, first: NodeId, depth: u16) {
        let line: Vec<NodeId> = self.game.tree().main_line_from(first).collect();
        let indent = VARIATION_INDENT_COLUMNS * depth.min(MAX_INDENT_DEPTH);
        let sign = if self.c.screen.looks.glyphs == GlyphSet::Unicode { "└ " } else { "- " };
        let mut row = MoveTreeRow::default();
        pad_to_column(&mut row.line, indent);
        push_styled(&mut row.line, sign, self.part_style(ScreenPart::Faint));
        for &id in &line {
            let mut word = MoveTreeRow::default();
            if id == first {
                push_styled(
                    &mut word.line,
                    format!("{} ", self.game.position(id).plies()),
                    self.part_style(ScreenPart::Faint),
                );
            }
            self.write_move(&mut word, id);
            let is_full = line_columns(&row.line) + 1 + line_columns(&word.line) > self.width;
            if is_full && !row.places.is_empty() {
                self.rows.push(std::mem::take(&mut row));
                pad_to_column(&mut row.line, indent + VARIATION_INDENT_COLUMNS);
            } else if !row.places.is_empty() {
                push_styled(&mut row.line, " ", Style::new());
            }
            row.places.push((line_columns(&row.line), id));
            row.line.spans.extend(word.line.spans);
            self.write_comment(&mut row, id);
        }
        self.rows.push(row);
        for &id in line.iter().skip(1) {
            for other in self.alternative_moves(id) {
                self.write_variation(other, depth + 1);
            }
        }
    }

    /// Writes a move with its review mark.
    fn write_move(&self, row: &mut MoveTreeRow, id: NodeId) {
        let (game, position) = (self.game, self.game.position(id));
        let mover = game.tree().parent(id).map(|parent| game.position(parent).to_move());
        let style = mover.map_or_else(Style::new, |mover| self.c.role_style(PaintRole::for_piece(mover)));
        let style = if id == game.shown_node() { style.reversed() } else { style };
        push_styled(&mut row.line, position.last_move().unwrap_or_default(), style);
        if let Some((mark, _)) = game.marked_move(id) {
            push_styled(&mut row.line, format!(" {}", mark.symbol()), self.c.role_style(PaintRole::Hint));
        }
    }

    /// Writes the sign that a move has a comment.
    fn write_comment_sign(&self, row: &mut MoveTreeRow) {
        push_styled(&mut row.line, " *", self.c.role_style(PaintRole::Hint));
    }

    /// Writes the comment on a move of a variation, or only the comment sign if there is no room.
    fn write_comment(&self, row: &mut MoveTreeRow, id: NodeId) {
        let Some(text) = self.game.tree().node(id).comments.first() else { return };
        let room = self.width.saturating_sub(line_columns(&row.line) + 1);
        if room >= MIN_COMMENT_COLUMNS.min(text_columns(text) + 2) {
            let text = truncate_text(text, room - 2, self.c).into_string();
            push_styled(&mut row.line, format!(" \"{text}\""), self.part_style(ScreenPart::Faint));
        } else {
            self.write_comment_sign(row);
        }
    }

    fn part_style(&self, part: ScreenPart) -> Style {
        self.c.screen.looks.part_style(part)
    }
}

/// Pads a line with spaces up to a column.
fn pad_to_column(line: &mut Line<'static>, x: u16) {
    let gap = x.saturating_sub(line_columns(line));
    push_styled(line, " ".repeat(gap.into()), Style::new());
}
