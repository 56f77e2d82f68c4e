//! Notation of Hex and its human-readable texts: moves, refusals, rules. This module does not depend on
//! screens.

use std::fmt::{self, Display};

use super::{Cell, Hex, IllegalMove, Move, SwapRule};
use crate::board::names::{cell_name, cell_typing_hint, off_board_refusal, parse_cell_name};
use crate::canvas::{GlyphSet, PaintBoard, PaintOptions};
use crate::game::{Game, Notation, Outcome, PositionDescription, Refusal, RefusalCode, Side};
use crate::text;
use crate::text::{SideName, Text, join_moves, mark_move};

impl Notation for Hex {
    fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => self.format_cell(cell),
            Move::Swap => "swap".to_owned(),
        }
    }

    /// Reads a cell such as `f6`, or `swap`, `swap-pieces`, `s`.
    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        if ["swap", "swap-pieces", "s"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Ok(Move::Swap);
        }
        let Some((col, row)) = parse_cell_name(text) else {
            return Err(Refusal::not_understood(text, &self.typing_hint()));
        };
        let off = || off_board_refusal(&Refusal::sanitize_excerpt(text), self.size(), self.size());
        self.grid().cell_at(row, col).map(Move::Place).ok_or_else(off)
    }

    fn named_moves(&self) -> &'static [(&'static str, &'static str)] {
        &[("swap", "take over the first stone (second move only)")]
    }

    fn after_pass(&self) -> Option<Self> {
        let mut passed = self.clone();
        passed.set_side_to_move(self.to_move().other());
        self.outcome().is_none().then_some(passed)
    }

    fn explain_refusal(&self, mv: Move, refusal: &IllegalMove, played: &[Move]) -> Refusal {
        match *refusal {
            IllegalMove::Over => {
                let winner = self.outcome().and_then(Outcome::winner);
                let end =
                    winner.map_or_else(|| Text::from("nobody"), |side| text!("{}", self.side_name(side)));
                let when =
                    if played.is_empty() { String::new() } else { format!(" on move {}", played.len()) };
                Refusal::game_over(text!("{end} won{when}"))
            }
            IllegalMove::OffBoard(cell, _) => {
                off_board_refusal(&format!("Cell {}", cell.index()), self.size(), self.size())
            }
            IllegalMove::Taken(cell, side) => {
                let when = self
                    .move_number_of_stone(cell, played)
                    .map(|ply| format!(", move {ply}"))
                    .unwrap_or_default();
                let (name, side) = (mark_move(None, self.format_move(mv)), self.side_name(side));
                let rest = if self.can_swap() { "Type swap to take it over." } else { "Nothing was played." };
                Refusal::new(RefusalCode::Taken, text!("{name} is taken ({side}{when}). {rest}"))
            }
            IllegalMove::SwapNotNow => {
                Refusal::new(RefusalCode::SwapNotNow, "You can swap only as the second move.")
            }
            IllegalMove::SwapOff => {
                Refusal::new(RefusalCode::SwapNotNow, "You cannot swap: the swap rule is off in this game.")
            }
        }
    }

    fn comment_on_last_move(&self, played: &[Move], made: usize) -> Option<Text> {
        let swapped = self.describe_swap(played).filter(|_| played.len() == 2);
        swapped.or_else(|| self.comment_on_intrusion(played.last()?.cell()?, made))
    }
}

impl Hex {
    /// Returns the number of the move, from 1, that placed the stone on a cell.
    fn move_number_of_stone(&self, cell: Cell, played: &[Move]) -> Option<usize> {
        let stands = |(ply, mv): (usize, &Move)| match *mv {
            // A swap removes the first stone, and a later move may use its cell again.
            Move::Place(other) => other == cell && !(ply == 0 && played.get(1) == Some(&Move::Swap)),
            Move::Swap => {
                let first = played.first().and_then(|mv| mv.cell());
                first.is_some_and(|first| self.grid().mirrored(first) == cell)
            }
        };
        played.iter().enumerate().position(stands).map(|index| index + 1)
    }

    /// Returns a sentence about the bridges that the stone on a cell intrudes on, with the replies that save
    /// them.
    fn comment_on_intrusion(&self, entered: Cell, made: usize) -> Option<Text> {
        let links: Vec<_> = self.find_intruded_bridges(entered).collect();
        let (cutter, owner) = (self.stone_at(entered)?, self.stone_at(entered)?.other());
        let saver = Some(owner);
        let [cutter, owner] = [cutter, owner].map(|side| self.side_name(side));
        let told = match links.as_slice() {
            [] => return None,
            &[(repair, ends)] => {
                let [one, other] =
                    ends.map(|end| end.map_or_else(|| "edge".to_owned(), |cell| self.format_cell(cell)));
                let link =
                    if ends[0].is_some() { format!("{one}-{other}") } else { format!("{other}-{one}") };
                let reply = mark_move(saver, self.format_cell(repair));
                match made % 3 {
                    0 => text!("{cutter} attacks {owner}'s bridge {link}. {reply} saves it."),
                    1 => text!("{owner}'s bridge {link} is attacked. {reply} keeps it joined."),
                    _ => text!("Without {reply} {owner} would lose the bridge {link}."),
                }
            }
            _ => {
                let repairs = links.iter().map(|&(repair, _)| self.format_cell(repair));
                let (count, all) = (links.len(), join_moves(saver, repairs, ", "));
                match made % 2 {
                    0 => text!("{cutter} attacks {count} of {owner}'s bridges: {all} save one each."),
                    _ => text!("{count} of {owner}'s bridges are attacked at once; {all} save one each."),
                }
            }
        };
        self.outcome().is_none().then_some(told)
    }

    /// Describes the swap of a game in one line; returns `None` if none was played.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let game = Hex::new(11, SwapRule::On)?;
    /// let played = [game.parse("f3")?, game.parse("swap")?];
    /// let line = game.describe_swap(&played).expect("it was swapped");
    /// assert_eq!(line, "Blue swaps: Red's f3 becomes Blue's c6. Red to move.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn describe_swap(&self, played: &[Move]) -> Option<Text> {
        let &[Move::Place(first), Move::Swap, ..] = played else { return None };
        let mirrored = self.grid().mirrored(first);
        let from = mark_move(Some(Side::First), self.format_cell(first));
        let to = mark_move(Some(Side::Second), self.format_cell(mirrored));
        let [red, blue] = Side::map_both(|side| self.side_name(side));
        let now = if first == mirrored {
            text!("{red}'s {from} becomes {blue}'s")
        } else {
            text!("{red}'s {from} becomes {blue}'s {to}")
        };
        Some(text!("{blue} swaps: {now}. {red} to move."))
    }

    /// Returns a sentence about the number of stones that each side still needs:
    /// `Red needs 9 more stones, Blue 10.`
    fn describe_stones_needed(&self) -> Text {
        if let Some(side) = self.outcome().and_then(Outcome::winner) {
            return text!("{} has connected {}.", self.side_name(side), describe_goal_edges(side));
        }
        let [red, blue] = Side::map_both(|side| self.side_name(side));
        let [first, second] = Side::map_both(|side| self.stones_needed(side).unwrap_or(0));
        let stones = if first == 1 { "stone" } else { "stones" };
        text!("{red} needs {first} more {stones}, {blue} {second}.")
    }

    /// Returns a sentence about the number of stones that each side still needs if bridges are counted as
    /// connected. Returns `None` if the numbers are equal to those without bridges.
    fn describe_bridged_stones_needed(&self) -> Option<Text> {
        let plain = Side::map_both(|side| self.stones_needed(side));
        let linked = Side::map_both(|side| self.stones_needed_with_bridges(side));
        let [first, second] = linked.map(|needed| needed.unwrap_or(0));
        let [red, blue] = Side::map_both(|side| self.side_name(side));
        (self.outcome().is_none() && plain != linked)
            .then(|| text!("With bridges counted as joined, {red} needs {first}, {blue} {second}."))
    }
}

/// Names the edges that a side connects, as a phrase: `top to bottom`.
pub(crate) fn describe_goal_edges(side: Side) -> &'static str {
    match side {
        Side::First => "top to bottom",
        Side::Second => "left to right",
    }
}

impl PositionDescription for Hex {
    fn title(&self) -> String {
        format!("Hex {0}x{0}", self.size())
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["Red", "Blue"][side.index()])
    }

    fn describe_goal(&self, side: Side) -> String {
        format!("connecting {}", describe_goal_edges(side))
    }

    fn sample_move(&self) -> String {
        cell_name(self.size() / 2, self.size() / 2)
    }

    fn typing_hint(&self) -> String {
        cell_typing_hint(self.size())
    }

    fn rules_text(&self) -> Vec<Text> {
        let [red, blue] = Side::map_both(|side| self.side_name(side));
        let swap = match self.swap_rule {
            SwapRule::On => {
                text!("Swap rule: on. {blue} may answer the first stone by taking it over: swap.")
            }
            SwapRule::Off => "Swap rule: off.".into(),
        };
        vec![
            text!("{red} connects top to bottom, {blue} left to right. {red} goes first."),
            "Take turns placing one stone. Each cell has up to six neighbours.".into(),
            "Join your two edges with a chain to win. Stones never move; no draws.".into(),
            swap,
        ]
    }

    fn rule_headings(&self) -> &'static [&'static str] {
        &["Goal", "Move", "End", "Swap"]
    }

    fn describe_ending(&self) -> Option<Text> {
        let winner = self.outcome().and_then(Outcome::winner)?;
        Some(text!("connected {}", describe_goal_edges(winner)))
    }

    fn list_pieces(&self, side: Side) -> Vec<String> {
        let own = self.grid().cells().filter(|&cell| self.stone_at(cell) == Some(side));
        own.map(|cell| self.format_cell(cell)).collect()
    }

    fn describe_position(&self) -> Vec<Text> {
        let stones = |side| {
            let names = self.list_pieces(side);
            let names =
                if names.is_empty() { "no stones yet".into() } else { join_moves(Some(side), names, " ") };
            text!("{}: {names}.", self.side_name(side))
        };
        let mut facts: Vec<Text> = Side::BOTH.into_iter().map(stones).collect();
        if self.can_swap() {
            let blue = self.side_name(Side::Second);
            facts.push(text!("{blue} may swap."));
        }
        facts.push(self.describe_stones_needed());
        facts.extend(self.describe_bridged_stones_needed());
        facts
    }
}

/// Formats the board in ASCII, as in the compact layout.
impl Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            &self.paint(&PaintOptions { glyphs: GlyphSet::Ascii, ..PaintOptions::default() }).to_text(),
        )
    }
}
