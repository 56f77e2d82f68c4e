//! Notation of Quoridor and its human-readable texts: moves, refusals, rules. This module does not depend on
//! screens.

use super::moves::{Cell, Move, MoveKind, Orientation, Wall, parse_move_name};
use super::notation::NotationDialect;
use super::{IllegalMove, Quoridor};
use crate::board::names::{cell_name, column_letter_range, off_board_refusal, row_number_range};
use crate::canvas::{GlyphSet, PaintOptions};
use crate::game::{Game, Notation, Outcome, PositionDescription, Refusal, RefusalCode, Side};
use crate::text;
use crate::text::{SideName, Text, join_moves, mark_move, mark_side};

impl Notation for Quoridor {
    fn dialects(&self) -> &'static [&'static str] {
        &["qtp", "top-first"]
    }

    fn translate_from_dialect(&self, dialect: &str, text: &str) -> Option<String> {
        dialect.parse::<NotationDialect>().ok()?.convert_text(text, self.height())
    }

    fn format_move(&self, mv: Move) -> String {
        mv.to_string()
    }

    /// Reads `e4`, `e3h`, `e3 h`, `h e3`, `wall e3 h`, `e3 horizontal`, in any case and with or without a
    /// number.
    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let Some((file, row, orientation)) = parse_move_name(text) else {
            return Err(Refusal::not_understood(text, &self.typing_hint()));
        };
        let mv = Move::at(file, row, orientation).filter(|&mv| self.is_on_board(mv));
        mv.ok_or_else(|| match orientation {
            None => self.no_such_cell_refusal(&cell_name(file, row)),
            Some(orientation) => {
                self.no_such_wall_refusal(&format!("{}{}", cell_name(file, row), orientation.letter()))
            }
        })
    }

    fn explain_refusal(&self, mv: Move, refusal: &IllegalMove, played: &[Move]) -> Refusal {
        let step =
            |why: Text| Refusal::new(RefusalCode::NotAStep, text!("{why}{}", self.list_steps_sentence()));
        let wall = |code, why: Text| Refusal::new(code, text!("{why}{}", self.suggest_walls_sentence(mv)));
        let mv = mark_move(None, mv);
        match *refusal {
            IllegalMove::Over => {
                let end = match self.outcome().and_then(Outcome::winner) {
                    Some(side) => text!("{} won", self.side_name(side)),
                    None => "draw".into(),
                };
                let when =
                    if played.is_empty() { String::new() } else { format!(" on move {}", played.len()) };
                Refusal::game_over(text!("{end}{when}"))
            }
            IllegalMove::OffBoard(mv) => match mv.kind() {
                MoveKind::Step(cell) => self.no_such_cell_refusal(&cell.to_string()),
                MoveKind::Wall(wall) => self.no_such_wall_refusal(&wall.to_string()),
            },
            IllegalMove::NoneLeft(side) => {
                let all = usize::from(self.walls_left(side)) + self.count_walls_built(side);
                Refusal::new(
                    RefusalCode::NoWallsLeft,
                    text!(
                        "You have no walls left (0 of {all}). Move the pawn.{}",
                        self.list_steps_sentence()
                    ),
                )
            }
            IllegalMove::Overlaps(own, other) if own == other => {
                wall(RefusalCode::WallOverlaps, text!("{mv} is not allowed: a wall is already there."))
            }
            IllegalMove::Overlaps(_, other) | IllegalMove::Crosses(_, other) => {
                let other = mark_move(None, other);
                self.wall_clash_refusal(*mv, *refusal, &text!("the wall {other}"))
            }
            IllegalMove::Encloses(_, side) => {
                let (name, row) = (self.side_name(side), self.goal_row(side) + 1);
                wall(
                    RefusalCode::WallShuts,
                    text!("{mv} is not allowed: it would block {name}'s last way to row {row}."),
                )
            }
            IllegalMove::OwnCell(_) => step(text!("{mv} is not a step: your pawn is already there.")),
            IllegalMove::Occupied(cell) => self.occupied_cell_refusal(cell),
            IllegalMove::WallBetween(_, wall) => {
                let wall = mark_move(None, wall);
                step(text!("{mv} is not a step: the wall {wall} is in the way."))
            }
            IllegalMove::TooFar(_, from) => step(text!("{mv} is not a step from {from}.")),
            IllegalMove::JumpIsFree(_, jump) => {
                let jump = mark_move(None, jump);
                step(text!("{mv} is not a step: you can jump straight to {jump} instead."))
            }
        }
    }

    fn comment_on_last_move(&self, played: &[Move], made: usize) -> Option<Text> {
        if self.outcome().is_some() {
            return None;
        }
        let last = *played.last()?;
        self.comment_on_threat(made).or_else(|| self.comment_on_wall_cost(last.wall()?, made))
    }
}

/// Minimum number of steps that a wall must cost to be worth a comment.
const MIN_WALL_COST_FOR_COMMENT: u32 = 2;
/// Maximum number of defences that a comment about a threat names.
const MAX_NAMED_DEFENCES: usize = 2;

impl Quoridor {
    /// Returns a sentence about the steps that the last wall costs the side to move, if the cost is high
    /// enough.
    fn comment_on_wall_cost(&self, wall: Wall, made: usize) -> Option<Text> {
        let victim = self.to_move();
        let mut without = self.clone();
        without.walls.remove_wall(wall);
        let (now, before) = (self.distance_to_goal(victim), without.distance_to_goal(victim));
        let cost = now.checked_sub(before).filter(|&cost| cost >= MIN_WALL_COST_FOR_COMMENT)?;
        let (builder, mv) = (victim.other(), mark_move(Some(victim.other()), wall));
        let [victim, builder] = [victim, builder].map(|side| self.side_name(side));
        Some(match made % 3 {
            0 => text!("The wall {mv} costs {victim} {cost} steps: {now} to go."),
            1 => text!("{builder}'s {mv} makes {victim}'s way {cost} steps longer, {now} in all."),
            _ => text!("With {mv} in the way {victim} needs {now} steps, {cost} more than before."),
        })
    }

    /// Returns a sentence about the threat of the side that just moved to win with its next step, and about
    /// the defences. Returns `None` if the other side wins first.
    fn comment_on_threat(&self, made: usize) -> Option<Text> {
        let (other, side) = (self.to_move(), self.to_move().other());
        if self.can_win_with_one_step(other) || !self.can_win_with_one_step(side) {
            return None;
        }
        let mut legal = Vec::new();
        self.push_legal_moves(&mut legal);
        legal.sort_by_key(|mv| mv.wall().is_none());
        let stops = legal.into_iter().filter(|&mv| {
            let mut after = self.clone();
            after.make_move(mv);
            !after.can_win_with_one_step(side)
        });
        let stops: Vec<Move> = stops.take(MAX_NAMED_DEFENCES).collect();
        let row = self.goal_row(side) + 1;
        let [name, other_name] = [side, other].map(|side| self.side_name(side));
        let how = match stops.as_slice() {
            [] => {
                return Some(match made % 2 {
                    0 => text!("{name} is one step from row {row}, and nothing stops it."),
                    _ => text!("{name} reaches row {row} with the next step; nothing stops it."),
                });
            }
            [only] => text!("{}", mark_move(Some(other), only)),
            [one, two, ..] => text!("{} or {}", mark_move(Some(other), one), mark_move(Some(other), two)),
        };
        Some(match made % 2 {
            0 => text!("{name} is one step from row {row}. {other_name} can stop it with {how}."),
            _ => text!("Only {how} keeps {name} from reaching row {row} now."),
        })
    }

    /// Reports whether a side could win with one step if it were to move.
    fn can_win_with_one_step(&self, side: Side) -> bool {
        // A jump goes two cells.
        if self.outcome().is_some() || self.distance_to_goal(side) > 2 {
            return false;
        }
        let mut game = self.clone();
        game.set_side_to_move(side);
        let row = self.goal_row(side);
        game.pawn_targets().into_iter().any(|cell| cell.row() == row)
    }

    /// Returns the refusal of a wall that overlaps or crosses another wall. `other` describes that wall.
    fn wall_clash_refusal(&self, mv: Move, refusal: IllegalMove, other: &Text) -> Refusal {
        let (code, how) = match refusal {
            IllegalMove::Crosses(..) => (RefusalCode::WallCrosses, "it would cross"),
            _ => (RefusalCode::WallOverlaps, "it overlaps"),
        };
        let (mv, instead) = (mark_move(None, mv), self.suggest_walls_sentence(mv));
        Refusal::new(code, text!("{mv} is not allowed: {how} {other}.{instead}"))
    }

    /// Describes the effect of a wall on both paths before it is placed:
    /// `A wall above d5-e5 (d5h): Black 5 → 6 steps, you 6.` `you` is the side of the only human player;
    /// `look` gives the orientation of the board.
    ///
    /// # Errors
    /// Returns the refusal of an illegal wall, worded as in [`Notation::explain_refusal`].
    pub fn preview_wall(
        &self,
        wall: Wall,
        look: &PaintOptions<'_>,
        you: Option<Side>,
    ) -> Result<Text, Refusal> {
        let mv = Move::from(wall);
        let after = self.position_after(mv).map_err(|refusal| match refusal {
            // The preview is shown only in the full screen, where keys move the wall.
            IllegalMove::NoneLeft(_) => {
                let text = self.explain_refusal(mv, &refusal, &[]).text;
                let counted = text.split_inclusive(". ").next().unwrap_or_default();
                Refusal::new(RefusalCode::NoWallsLeft, format!("{counted}You can still move the pawn."))
            }
            IllegalMove::Crosses(_, other) | IllegalMove::Overlaps(_, other) if other != wall => self
                .wall_clash_refusal(
                    mv,
                    refusal,
                    &text!("{}, {}", mark_move(None, other), describe_wall_place(other, look)),
                ),
            _ => self.explain_refusal(mv, &refusal, &[]),
        })?;
        let steps = |side: Side| {
            let name = if you == Some(side) { "you".into() } else { text!("{}", self.side_name(side)) };
            match (self.distance_to_goal(side), after.distance_to_goal(side)) {
                (before, now) if before == now => text!("{name} {now}"),
                (before, now) => {
                    text!("{name} {before} {} {now}", look.glyphs.pick_variant(["→", "->", "->"]))
                }
            }
        };
        let (own, other) = (self.to_move(), self.to_move().other());
        let unit = if after.distance_to_goal(other) == 1 { "step" } else { "steps" };
        let is_useless =
            Side::BOTH.into_iter().all(|side| self.distance_to_goal(side) == after.distance_to_goal(side));
        let so = if is_useless { " changes no path" } else { "" };
        let mv = mark_move(Some(own), mv);
        Ok(text!(
            "A wall {} ({mv}){so}: {} {unit}, {}.",
            describe_wall_place(wall, look),
            steps(other),
            steps(own)
        ))
    }

    /// Describes the effect of a move on both paths: `d5h ok: ▼ 5→6  ▲ 6→6 steps`.
    pub(super) fn describe_path_effect(&self, mv: Move, glyphs: GlyphSet) -> Result<Text, IllegalMove> {
        let after = self.position_after(mv)?;
        let (signs, to) = glyphs.pick_variant([(['▲', '▼'], '→'), (['▴', '▾'], '>'), (['A', 'V'], '>')]);
        let change = |side: Side| {
            let sign = mark_side(side, signs[side.index()]);
            text!("{sign} {}{to}{}", self.distance_to_goal(side), after.distance_to_goal(side))
        };
        let (own, other) = (self.to_move(), self.to_move().other());
        let mv = mark_move(Some(own), mv);
        Ok(text!("{mv} ok: {}  {} steps", change(other), change(own)))
    }

    /// Returns the position after a move.
    pub(super) fn position_after(&self, mv: Move) -> Result<Quoridor, IllegalMove> {
        let mut after = self.clone();
        after.try_make_move(mv).map(|_| after)
    }

    fn no_such_cell_refusal(&self, name: &str) -> Refusal {
        off_board_refusal(name, self.width(), self.height())
    }

    fn no_such_wall_refusal(&self, name: &str) -> Refusal {
        let (columns, rows) = (column_letter_range(self.width() - 1), row_number_range(self.height() - 1));
        let text = format!("{name} does not exist: walls start in columns {columns} and rows {rows}.");
        Refusal::new(RefusalCode::WallOffBoard, text)
    }

    fn occupied_cell_refusal(&self, cell: Cell) -> Refusal {
        let name = self.side_name(self.to_move().other());
        let from = self.pawn(self.to_move());
        let is_jump = |cell: &Cell| cell.file().abs_diff(from.file()) + cell.row().abs_diff(from.row()) == 2;
        let jumps: Vec<Cell> = self.pawn_targets_top_down().into_iter().filter(is_jump).collect();
        let rest = if jumps.is_empty() {
            self.list_steps_sentence()
        } else {
            text!(" You may jump: {}.", join_moves(None, &jumps, " "))
        };
        let cell = mark_move(None, cell);
        Refusal::new(RefusalCode::NotAStep, text!("{cell} is taken by {name}'s pawn.{rest}"))
    }

    /// Returns the cells to which the pawn can move, from the highest row down, each row from the left.
    fn pawn_targets_top_down(&self) -> Vec<Cell> {
        let mut cells = self.pawn_targets();
        cells.sort_unstable_by_key(|cell| (std::cmp::Reverse(cell.row()), cell.file()));
        cells
    }

    fn list_steps_sentence(&self) -> Text {
        let cells = self.pawn_targets_top_down();
        if cells.is_empty() { Text::new() } else { text!(" Steps: {}.", join_moves(None, &cells, " ")) }
    }

    /// Returns a sentence that suggests at most two legal walls in place of a refused one. It prefers the
    /// nearest walls on either side in the same line, then the perpendicular wall on the same post, then the
    /// nearest other walls.
    fn suggest_walls_sentence(&self, mv: Move) -> Text {
        let MoveKind::Wall(refused) = mv.kind() else { return Text::new() };
        let mut legal = Vec::new();
        self.push_legal_moves(&mut legal);
        let near = |wall: &Wall| {
            let files = wall.post.file().abs_diff(refused.post.file());
            (files + wall.post.row().abs_diff(refused.post.row()), wall.post)
        };
        let mut walls: Vec<Wall> = legal.into_iter().filter_map(Move::wall).collect();
        walls.sort_by_key(near);
        let in_line = |wall: &&Wall| {
            let (one, other) = (wall.post, refused.post);
            let beside = if refused.orientation == Orientation::Horizontal {
                one.row == other.row
            } else {
                one.file == other.file
            };
            wall.orientation == refused.orientation && beside
        };
        let before = walls.iter().filter(in_line).find(|wall| wall.post < refused.post);
        let behind = walls.iter().filter(in_line).find(|wall| wall.post > refused.post);
        let mut found: Vec<Wall> = before.into_iter().chain(behind).copied().collect();
        found.sort_by_key(near);
        if found.is_empty() {
            let turned = walls.iter().filter(|&&wall| wall == refused.perpendicular());
            found = turned.copied().collect();
        }
        if found.is_empty() {
            found = walls.into_iter().take(2).collect();
        }
        match found.as_slice() {
            [] => Text::new(),
            [only] => text!(" Try {}.", mark_move(None, only)),
            [first, second, ..] => text!(" Try {} or {}.", mark_move(None, first), mark_move(None, second)),
        }
    }
}

/// Describes where a wall lies on the board in its current orientation: `above d5-e5`.
fn describe_wall_place(wall: Wall, look: &PaintOptions<'_>) -> String {
    let beside = match (wall.orientation, look.turned) {
        (Orientation::Horizontal, false) => "above",
        (Orientation::Horizontal, true) => "below",
        (Orientation::Vertical, false) => "right of",
        (Orientation::Vertical, true) => "left of",
    };
    let [(from, _), (to, _)] = wall.separated_cells();
    format!("{beside} {from}-{to}")
}

impl PositionDescription for Quoridor {
    fn title(&self) -> String {
        format!("Quoridor {}x{}", self.width(), self.height())
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["White", "Black"][side.index()])
    }

    fn describe_goal(&self, side: Side) -> String {
        format!("reaching row {}", self.goal_row(side) + 1)
    }

    fn sample_move(&self) -> String {
        cell_name(self.width() / 2, 1)
    }

    fn typing_hint(&self) -> String {
        let step = cell_name(self.width() / 2, 1);
        let post = cell_name((self.width() - 1) / 2, (self.height() - 1) / 3);
        if self.walls_left(self.to_move()) == 0 {
            return format!("A step is a cell such as {step}.");
        }
        format!("A step is a cell such as {step}, a wall such as {post}h or {post}v.")
    }

    fn rules_text(&self) -> Vec<Text> {
        let [white, black] = Side::map_both(|side| self.side_name(side));
        let rows = self.height();
        let post = cell_name((self.width() - 1) / 2, (self.height() - 1) / 3);
        vec![
            text!("{white} starts on row 1 and must reach row {rows}; {black} goes the other way."),
            text!("Each turn move one step or place a wall: {post}h above {post}, {post}v right of it."),
            "Face to face, jump over the other pawn; if that is blocked, diagonally.".into(),
            "Walls may not overlap, cross, or block a pawn's last way to its goal.".into(),
        ]
    }

    fn rule_headings(&self) -> &'static [&'static str] {
        &["Goal", "Turn", "Jump", "Walls"]
    }

    fn describe_ending(&self) -> Option<Text> {
        match self.outcome()? {
            Outcome::Win(side) => Some(text!("reached row {}", self.goal_row(side) + 1)),
            Outcome::Draw if self.has_no_legal_move() => {
                Some(text!("{} cannot move", self.side_name(self.to_move())))
            }
            Outcome::Draw => Some(text!("{} moves without a winner", self.ply())),
        }
    }

    /// Returns the pawn's cell, then the walls that the side has placed.
    fn list_pieces(&self, side: Side) -> Vec<String> {
        [self.pawn(side).to_string()]
            .into_iter()
            .chain(self.walls_owned_by(side).map(|wall| wall.to_string()))
            .collect()
    }

    fn describe_position(&self) -> Vec<Text> {
        let of_side = |side: Side| {
            let name = self.side_name(side);
            let walls: Vec<Wall> = self.walls_owned_by(side).collect();
            let all = usize::from(self.walls_left(side)) + walls.len();
            let listed = if walls.is_empty() {
                "no walls yet".into()
            } else {
                text!("walls {}", join_moves(Some(side), walls, " "))
            };
            let left = self.walls_left(side);
            text!("{name}: pawn on {}, {listed}, {left} of {all} walls left.", self.pawn(side))
        };
        let [white, black] = Side::map_both(|side| self.side_name(side));
        let [first, second] = Side::map_both(|side| self.distance_to_goal(side));
        let mut facts: Vec<Text> = Side::BOTH.into_iter().map(of_side).collect();
        facts.push(text!("Steps to goal: {white} {first}, {black} {second}."));
        facts
    }
}
