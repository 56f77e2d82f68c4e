//! The sentences and notation of Quoridor: moves as text, refusals, rules. Knows no screen.

use super::moves::{Cell, Move, MoveKind, Orientation, Wall, read_name};
use super::notation::Dialect;
use super::{IllegalMove, Quoridor};
use crate::board::names::{cell_name, letters, numbers, off_board};
use crate::canvas::{Glyphs, PaintOptions};
use crate::game::{Game, Notation, Outcome, Refusal, RefusalCode, Side, View};
use crate::text;
use crate::text::{SideName, Text, moves, of_move, of_side};

impl Notation for Quoridor {
    fn dialects(&self) -> &'static [&'static str] {
        &["qtp", "top-first"]
    }

    fn translate(&self, dialect: &str, text: &str) -> Option<String> {
        dialect.parse::<Dialect>().ok()?.convert(text, self.height())
    }

    fn show(&self, mv: Move) -> String {
        mv.to_string()
    }

    /// Reads `e4`, `e3h`, `e3 h`, `h e3`, `wall e3 h`, `e3 horizontal` in any case, with or without a move number.
    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        let Some((file, row, orientation)) = read_name(text) else {
            return Err(Refusal::not_understood(text, &self.typing()));
        };
        let mv = Move::at(file, row, orientation).filter(|&mv| self.has_room_for(mv));
        mv.ok_or_else(|| match orientation {
            None => self.no_cell(&cell_name(file, row)),
            Some(orientation) => self.no_wall(&format!("{}{}", cell_name(file, row), orientation.letter())),
        })
    }

    fn explain(&self, mv: Move, refusal: &IllegalMove, played: &[Move]) -> Refusal {
        let step = |why: Text| Refusal::new(RefusalCode::NotAStep, text!("{why}{}", self.steps_sentence()));
        let wall = |code, why: Text| Refusal::new(code, text!("{why}{}", self.try_sentence(mv)));
        let mv = of_move(None, mv);
        match *refusal {
            IllegalMove::Over => {
                let end = match self.outcome().and_then(Outcome::winner) {
                    Some(side) => text!("{} won", self.side_name(side)),
                    None => "draw".into(),
                };
                let when =
                    if played.is_empty() { String::new() } else { format!(" on move {}", played.len()) };
                Refusal::over(text!("{end}{when}"))
            }
            IllegalMove::OffBoard(mv) => match mv.act() {
                MoveKind::Go(cell) => self.no_cell(&cell.to_string()),
                MoveKind::Build(wall) => self.no_wall(&wall.to_string()),
            },
            IllegalMove::NoneLeft(side) => {
                let all = usize::from(self.walls_left(side)) + self.walls_built(side);
                Refusal::new(
                    RefusalCode::NoWallsLeft,
                    text!("You have no walls left (0 of {all}). Move the pawn.{}", self.steps_sentence()),
                )
            }
            IllegalMove::Overlaps(own, other) if own == other => {
                wall(RefusalCode::WallOverlaps, text!("{mv} is not allowed: a wall is already there."))
            }
            IllegalMove::Overlaps(_, other) | IllegalMove::Crosses(_, other) => {
                let other = of_move(None, other);
                self.clash(*mv, *refusal, &text!("the wall {other}"))
            }
            IllegalMove::Encloses(_, side) => {
                let (name, row) = (self.side_name(side), self.goal_row(side) + 1);
                wall(
                    RefusalCode::WallShuts,
                    text!("{mv} is not allowed: it would block {name}'s last way to row {row}."),
                )
            }
            IllegalMove::OwnCell(_) => step(text!("{mv} is not a step: your pawn is already there.")),
            IllegalMove::Occupied(cell) => self.occupied(cell),
            IllegalMove::WallBetween(_, wall) => {
                let wall = of_move(None, wall);
                step(text!("{mv} is not a step: the wall {wall} is in the way."))
            }
            IllegalMove::TooFar(_, from) => step(text!("{mv} is not a step from {from}.")),
            IllegalMove::JumpIsFree(_, jump) => {
                let jump = of_move(None, jump);
                step(text!("{mv} is not a step: you can jump straight to {jump} instead."))
            }
        }
    }

    fn comment(&self, played: &[Move], made: usize) -> Option<Text> {
        if self.outcome().is_some() {
            return None;
        }
        let last = *played.last()?;
        self.threat_in_words(made).or_else(|| self.cost_in_words(last.wall()?, made))
    }
}

/// The fewest steps that a wall costs to be worth a remark.
const MIN_COST_TO_NAME: u32 = 2;
/// Number of ways to stop a threat that are named.
const NAMED_STOPS: usize = 2;

impl Quoridor {
    /// Says what the wall that was built last costs the side to move, where that is much.
    fn cost_in_words(&self, wall: Wall, made: usize) -> Option<Text> {
        let victim = self.to_move();
        let mut without = self.clone();
        without.walls.lift(wall);
        let (now, before) = (self.distance(victim), without.distance(victim));
        let cost = now.checked_sub(before).filter(|&cost| cost >= MIN_COST_TO_NAME)?;
        let (builder, mv) = (victim.other(), of_move(Some(victim.other()), wall));
        let [victim, builder] = [victim, builder].map(|side| self.side_name(side));
        Some(match made % 3 {
            0 => text!("The wall {mv} costs {victim} {cost} steps: {now} to go."),
            1 => text!("{builder}'s {mv} makes {victim}'s way {cost} steps longer, {now} in all."),
            _ => text!("With {mv} in the way {victim} needs {now} steps, {cost} more than before."),
        })
    }

    /// Says that the side that has just moved wins with its next step, and what prevents it, unless the other side wins
    /// first.
    fn threat_in_words(&self, made: usize) -> Option<Text> {
        let (other, side) = (self.to_move(), self.to_move().other());
        if self.wins_at_once(other) || !self.wins_at_once(side) {
            return None;
        }
        let mut legal = Vec::new();
        self.moves(&mut legal);
        legal.sort_by_key(|mv| mv.wall().is_none());
        let stops = legal.into_iter().filter(|&mv| {
            let mut after = self.clone();
            after.make(mv);
            !after.wins_at_once(side)
        });
        let stops: Vec<Move> = stops.take(NAMED_STOPS).collect();
        let row = self.goal_row(side) + 1;
        let [name, other_name] = [side, other].map(|side| self.side_name(side));
        let how = match stops.as_slice() {
            [] => {
                return Some(match made % 2 {
                    0 => text!("{name} is one step from row {row}, and nothing stops it."),
                    _ => text!("{name} reaches row {row} with the next step; nothing stops it."),
                });
            }
            [only] => text!("{}", of_move(Some(other), only)),
            [one, two, ..] => text!("{} or {}", of_move(Some(other), one), of_move(Some(other), two)),
        };
        Some(match made % 2 {
            0 => text!("{name} is one step from row {row}. {other_name} can stop it with {how}."),
            _ => text!("Only {how} keeps {name} from reaching row {row} now."),
        })
    }

    /// Reports whether a side would win by its next step if it were to move.
    fn wins_at_once(&self, side: Side) -> bool {
        // A jump goes two cells.
        if self.outcome().is_some() || self.distance(side) > 2 {
            return false;
        }
        let mut game = self.clone();
        game.set_to_move(side);
        let row = self.goal_row(side);
        game.pawn_targets().into_iter().any(|cell| cell.row() == row)
    }

    /// Why a wall cannot stand with another one, in the words for that one.
    fn clash(&self, mv: Move, refusal: IllegalMove, other: &Text) -> Refusal {
        let (code, how) = match refusal {
            IllegalMove::Crosses(..) => (RefusalCode::WallCrosses, "it would cross"),
            _ => (RefusalCode::WallOverlaps, "it overlaps"),
        };
        let (mv, instead) = (of_move(None, mv), self.try_sentence(mv));
        Refusal::new(code, text!("{mv} is not allowed: {how} {other}.{instead}"))
    }

    /// Says what a wall would do to both paths, before it is built: `A wall above d5-e5 (d5h): Black 5 → 6 steps, you
    /// 6.` If it is not legal, why. `you` is the side of the only person; `look` says how the board is seen.
    ///
    /// # Errors
    /// The refusal, as [`Notation::explain`] words it.
    pub fn preview(&self, wall: Wall, look: &PaintOptions<'_>, you: Option<Side>) -> Result<Text, Refusal> {
        let mv = Move::from(wall);
        let after = self.after(mv).map_err(|refusal| match refusal {
            // A wall is shown before it is built only where keys are pressed.
            IllegalMove::NoneLeft(_) => {
                let text = self.explain(mv, &refusal, &[]).text;
                let counted = text.split_inclusive(". ").next().unwrap_or_default();
                Refusal::new(RefusalCode::NoWallsLeft, format!("{counted}You can still move the pawn."))
            }
            IllegalMove::Crosses(_, other) | IllegalMove::Overlaps(_, other) if other != wall => {
                self.clash(mv, refusal, &text!("{}, {}", of_move(None, other), place_of(other, look)))
            }
            _ => self.explain(mv, &refusal, &[]),
        })?;
        let steps = |side: Side| {
            let name = if you == Some(side) { "you".into() } else { text!("{}", self.side_name(side)) };
            match (self.distance(side), after.distance(side)) {
                (before, now) if before == now => text!("{name} {now}"),
                (before, now) => text!("{name} {before} {} {now}", look.glyphs.pick(["→", "->", "->"])),
            }
        };
        let (own, other) = (self.to_move(), self.to_move().other());
        let unit = if after.distance(other) == 1 { "step" } else { "steps" };
        let is_useless = Side::BOTH.into_iter().all(|side| self.distance(side) == after.distance(side));
        let so = if is_useless { " changes no path" } else { "" };
        let mv = of_move(Some(own), mv);
        Ok(text!("A wall {} ({mv}){so}: {} {unit}, {}.", place_of(wall, look), steps(other), steps(own)))
    }

    /// Says what a move does to both paths: `d5h ok: ▼ 5→6  ▲ 6→6 steps`.
    pub(super) fn effect(&self, mv: Move, glyphs: Glyphs) -> Result<Text, IllegalMove> {
        let after = self.after(mv)?;
        let (signs, to) = glyphs.pick([(['▲', '▼'], '→'), (['▴', '▾'], '>'), (['A', 'V'], '>')]);
        let change = |side: Side| {
            let sign = of_side(side, signs[side.index()]);
            text!("{sign} {}{to}{}", self.distance(side), after.distance(side))
        };
        let (own, other) = (self.to_move(), self.to_move().other());
        let mv = of_move(Some(own), mv);
        Ok(text!("{mv} ok: {}  {} steps", change(other), change(own)))
    }

    /// The game after a move.
    pub(super) fn after(&self, mv: Move) -> Result<Quoridor, IllegalMove> {
        let mut after = self.clone();
        after.try_make(mv).map(|_| after)
    }

    fn no_cell(&self, name: &str) -> Refusal {
        off_board(name, self.width(), self.height())
    }

    fn no_wall(&self, name: &str) -> Refusal {
        let (columns, rows) = (letters(self.width() - 1), numbers(self.height() - 1));
        let text = format!("{name} does not exist: walls start in columns {columns} and rows {rows}.");
        Refusal::new(RefusalCode::WallOffBoard, text)
    }

    fn occupied(&self, cell: Cell) -> Refusal {
        let name = self.side_name(self.to_move().other());
        let from = self.pawn(self.to_move());
        let is_jump = |cell: &Cell| cell.file().abs_diff(from.file()) + cell.row().abs_diff(from.row()) == 2;
        let jumps: Vec<Cell> = self.targets_as_seen().into_iter().filter(is_jump).collect();
        let rest = if jumps.is_empty() {
            self.steps_sentence()
        } else {
            text!(" You may jump: {}.", moves(None, &jumps, " "))
        };
        let cell = of_move(None, cell);
        Refusal::new(RefusalCode::NotAStep, text!("{cell} is taken by {name}'s pawn.{rest}"))
    }

    /// The pawn's cells as the eye meets them: from the highest row down, each row from the left.
    fn targets_as_seen(&self) -> Vec<Cell> {
        let mut cells = self.pawn_targets();
        cells.sort_unstable_by_key(|cell| (std::cmp::Reverse(cell.row()), cell.file()));
        cells
    }

    fn steps_sentence(&self) -> Text {
        let cells = self.targets_as_seen();
        if cells.is_empty() { Text::new() } else { text!(" Steps: {}.", moves(None, &cells, " ")) }
    }

    /// At most two legal walls in place of the refused one: in its line the nearest on either side; if there is none,
    /// the same wall turned; else the nearest of all.
    fn try_sentence(&self, mv: Move) -> Text {
        let MoveKind::Build(refused) = mv.act() else { return Text::new() };
        let mut legal = Vec::new();
        self.moves(&mut legal);
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
            let turned = walls.iter().filter(|&&wall| wall == refused.turned());
            found = turned.copied().collect();
        }
        if found.is_empty() {
            found = walls.into_iter().take(2).collect();
        }
        match found.as_slice() {
            [] => Text::new(),
            [only] => text!(" Try {}.", of_move(None, only)),
            [first, second, ..] => text!(" Try {} or {}.", of_move(None, first), of_move(None, second)),
        }
    }
}

/// Names the place of a wall on the board as it is seen: `above d5-e5`.
fn place_of(wall: Wall, look: &PaintOptions<'_>) -> String {
    let beside = match (wall.orientation, look.turned) {
        (Orientation::Horizontal, false) => "above",
        (Orientation::Horizontal, true) => "below",
        (Orientation::Vertical, false) => "right of",
        (Orientation::Vertical, true) => "left of",
    };
    let [(from, _), (to, _)] = wall.parts();
    format!("{beside} {from}-{to}")
}

impl View for Quoridor {
    fn title(&self) -> String {
        format!("Quoridor {}x{}", self.width(), self.height())
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["White", "Black"][side.index()])
    }

    fn aim(&self, side: Side) -> String {
        format!("reaching row {}", self.goal_row(side) + 1)
    }

    fn sample(&self) -> String {
        cell_name(self.width() / 2, 1)
    }

    fn typing(&self) -> String {
        let step = cell_name(self.width() / 2, 1);
        let post = cell_name((self.width() - 1) / 2, (self.height() - 1) / 3);
        if self.walls_left(self.to_move()) == 0 {
            return format!("A step is a cell such as {step}.");
        }
        format!("A step is a cell such as {step}, a wall such as {post}h or {post}v.")
    }

    fn rules(&self) -> Vec<Text> {
        let [white, black] = Side::each(|side| self.side_name(side));
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

    fn ending(&self) -> Option<Text> {
        match self.outcome()? {
            Outcome::Win(side) => Some(text!("reached row {}", self.goal_row(side) + 1)),
            Outcome::Draw if self.is_stuck() => Some(text!("{} cannot move", self.side_name(self.to_move()))),
            Outcome::Draw => Some(text!("{} moves without a winner", self.ply())),
        }
    }

    /// The pawn's cell, then the walls that the side has built.
    fn pieces(&self, side: Side) -> Vec<String> {
        [self.pawn(side).to_string()]
            .into_iter()
            .chain(self.walls_of(side).map(|wall| wall.to_string()))
            .collect()
    }

    fn facts(&self) -> Vec<Text> {
        let of_side = |side: Side| {
            let name = self.side_name(side);
            let walls: Vec<Wall> = self.walls_of(side).collect();
            let all = usize::from(self.walls_left(side)) + walls.len();
            let listed = if walls.is_empty() {
                "no walls yet".into()
            } else {
                text!("walls {}", moves(Some(side), walls, " "))
            };
            let left = self.walls_left(side);
            text!("{name}: pawn on {}, {listed}, {left} of {all} walls left.", self.pawn(side))
        };
        let [white, black] = Side::each(|side| self.side_name(side));
        let [first, second] = Side::each(|side| self.distance(side));
        let mut facts: Vec<Text> = Side::BOTH.into_iter().map(of_side).collect();
        facts.push(text!("Steps to goal: {white} {first}, {black} {second}."));
        facts
    }
}
