//! The sentences and notation of Hex: moves as text, refusals, rules. Knows no screen.

use std::fmt::{self, Display};

use super::{Cell, Hex, IllegalMove, Move, SwapRule};
use crate::board::names::{cell_name, off_board, read_cell, typing};
use crate::canvas::{Glyphs, Paint, PaintOptions};
use crate::game::{Game, Notation, Outcome, Refusal, RefusalCode, Side, View};
use crate::text;
use crate::text::{SideName, Text, moves, of_move};

impl Notation for Hex {
    fn show(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => self.name(cell),
            Move::Swap => "swap".to_owned(),
        }
    }

    /// Reads a cell such as `f6`, or `swap`, `swap-pieces`, `s`.
    fn parse(&self, text: &str) -> Result<Move, Refusal> {
        if ["swap", "swap-pieces", "s"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Ok(Move::Swap);
        }
        let Some((col, row)) = read_cell(text) else {
            return Err(Refusal::not_understood(text, &self.typing()));
        };
        let off = || off_board(&Refusal::shown(text), self.size(), self.size());
        self.grid().cell(row, col).map(Move::Place).ok_or_else(off)
    }

    fn words(&self) -> &'static [(&'static str, &'static str)] {
        &[("swap", "take over the first stone (second move only)")]
    }

    fn passed(&self) -> Option<Self> {
        let mut passed = self.clone();
        passed.turn_to(self.to_move().other());
        self.outcome().is_none().then_some(passed)
    }

    fn explain(&self, mv: Move, refusal: &IllegalMove, played: &[Move]) -> Refusal {
        match *refusal {
            IllegalMove::Over => {
                let winner = self.outcome().and_then(Outcome::winner);
                let end =
                    winner.map_or_else(|| Text::from("nobody"), |side| text!("{}", self.side_name(side)));
                let when =
                    if played.is_empty() { String::new() } else { format!(" on move {}", played.len()) };
                Refusal::over(text!("{end} won{when}"))
            }
            IllegalMove::OffBoard(cell, _) => {
                off_board(&format!("Cell {}", cell.index()), self.size(), self.size())
            }
            IllegalMove::Taken(cell, side) => {
                let when = self.move_of(cell, played).map(|ply| format!(", move {ply}")).unwrap_or_default();
                let (name, side) = (of_move(None, self.show(mv)), self.side_name(side));
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

    fn comment(&self, played: &[Move], made: usize) -> Option<Text> {
        let swapped = self.swap_in_words(played).filter(|_| played.len() == 2);
        swapped.or_else(|| self.cut_in_words(played.last()?.cell()?, made))
    }
}

impl Hex {
    /// The number of the move that put the stone on a cell.
    fn move_of(&self, cell: Cell, played: &[Move]) -> Option<usize> {
        let stands = |(ply, mv): (usize, &Move)| match *mv {
            // The first stone went when it was taken over, and may have come back to its cell later.
            Move::Place(other) => other == cell && !(ply == 0 && played.get(1) == Some(&Move::Swap)),
            Move::Swap => {
                let first = played.first().and_then(|mv| mv.cell());
                first.is_some_and(|first| self.grid().mirrored(first) == cell)
            }
        };
        played.iter().enumerate().position(stands).map(|index| index + 1)
    }

    /// Says which links the stone on a cell has entered, and how they are repaired.
    fn cut_in_words(&self, entered: Cell, made: usize) -> Option<Text> {
        let links: Vec<_> = self.entered_links(entered).collect();
        let (cutter, owner) = (self.stone(entered)?, self.stone(entered)?.other());
        let saver = Some(owner);
        let [cutter, owner] = [cutter, owner].map(|side| self.side_name(side));
        let told = match links.as_slice() {
            [] => return None,
            &[(repair, ends)] => {
                let [one, other] =
                    ends.map(|end| end.map_or_else(|| "edge".to_owned(), |cell| self.name(cell)));
                let link =
                    if ends[0].is_some() { format!("{one}-{other}") } else { format!("{other}-{one}") };
                let reply = of_move(saver, self.name(repair));
                match made % 3 {
                    0 => text!("{cutter} attacks {owner}'s bridge {link}. {reply} saves it."),
                    1 => text!("{owner}'s bridge {link} is attacked. {reply} keeps it joined."),
                    _ => text!("Without {reply} {owner} would lose the bridge {link}."),
                }
            }
            _ => {
                let repairs = links.iter().map(|&(repair, _)| self.name(repair));
                let (count, all) = (links.len(), moves(saver, repairs, ", "));
                match made % 2 {
                    0 => text!("{cutter} attacks {count} of {owner}'s bridges: {all} save one each."),
                    _ => text!("{count} of {owner}'s bridges are attacked at once; {all} save one each."),
                }
            }
        };
        self.outcome().is_none().then_some(told)
    }

    /// Describes a swap in one line; `None` if none was played.
    ///
    /// ```
    /// use crosspath::game::{Game, Notation};
    /// use crosspath::games::hex::{Hex, SwapRule};
    /// let game = Hex::new(11, SwapRule::On)?;
    /// let played = [game.parse("f3")?, game.parse("swap")?];
    /// let line = game.swap_in_words(&played).expect("it was swapped");
    /// assert_eq!(line, "Blue swaps: Red's f3 becomes Blue's c6. Red to move.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn swap_in_words(&self, played: &[Move]) -> Option<Text> {
        let &[Move::Place(first), Move::Swap, ..] = played else { return None };
        let mirrored = self.grid().mirrored(first);
        let from = of_move(Some(Side::First), self.name(first));
        let to = of_move(Some(Side::Second), self.name(mirrored));
        let [red, blue] = Side::each(|side| self.side_name(side));
        let now = if first == mirrored {
            text!("{red}'s {from} becomes {blue}'s")
        } else {
            text!("{red}'s {from} becomes {blue}'s {to}")
        };
        Some(text!("{blue} swaps: {now}. {red} to move."))
    }

    /// Says how many stones each side still needs: `Red needs 9 more stones, Blue 10.`
    fn distance_in_words(&self) -> Text {
        if let Some(side) = self.outcome().and_then(Outcome::winner) {
            return text!("{} has connected {}.", self.side_name(side), edges_in_words(side));
        }
        let [red, blue] = Side::each(|side| self.side_name(side));
        let [first, second] = Side::each(|side| self.stones_needed(side).unwrap_or(0));
        let stones = if first == 1 { "stone" } else { "stones" };
        text!("{red} needs {first} more {stones}, {blue} {second}.")
    }

    /// Says how many stones each side still needs if all safe links hold, those of the new stones too; `None` if the
    /// numbers are those without links.
    fn linked_distance_in_words(&self) -> Option<Text> {
        let plain = Side::each(|side| self.stones_needed(side));
        let linked = Side::each(|side| self.stones_to_go(side));
        let [first, second] = linked.map(|needed| needed.unwrap_or(0));
        let [red, blue] = Side::each(|side| self.side_name(side));
        (self.outcome().is_none() && plain != linked)
            .then(|| text!("With bridges counted as joined, {red} needs {first}, {blue} {second}."))
    }
}

/// Returns the edges that a side connects: `top to bottom`.
pub(crate) fn edges_in_words(side: Side) -> &'static str {
    match side {
        Side::First => "top to bottom",
        Side::Second => "left to right",
    }
}

impl View for Hex {
    fn title(&self) -> String {
        format!("Hex {0}x{0}", self.size())
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["Red", "Blue"][side.index()])
    }

    fn aim(&self, side: Side) -> String {
        format!("connecting {}", edges_in_words(side))
    }

    fn sample(&self) -> String {
        cell_name(self.size() / 2, self.size() / 2)
    }

    fn typing(&self) -> String {
        typing(self.size())
    }

    fn rules(&self) -> Vec<Text> {
        let [red, blue] = Side::each(|side| self.side_name(side));
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

    fn ending(&self) -> Option<Text> {
        let winner = self.outcome().and_then(Outcome::winner)?;
        Some(text!("connected {}", edges_in_words(winner)))
    }

    fn pieces(&self, side: Side) -> Vec<String> {
        let own = self.grid().cells().filter(|&cell| self.stone(cell) == Some(side));
        own.map(|cell| self.name(cell)).collect()
    }

    fn facts(&self) -> Vec<Text> {
        let stones = |side| {
            let names = self.pieces(side);
            let names = if names.is_empty() { "no stones yet".into() } else { moves(Some(side), names, " ") };
            text!("{}: {names}.", self.side_name(side))
        };
        let mut facts: Vec<Text> = Side::BOTH.into_iter().map(stones).collect();
        if self.can_swap() {
            let blue = self.side_name(Side::Second);
            facts.push(text!("{blue} may swap."));
        }
        facts.push(self.distance_in_words());
        facts.extend(self.linked_distance_in_words());
        facts
    }
}

/// The board in ASCII, as the smallest picture has it.
impl Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.paint(&PaintOptions { glyphs: Glyphs::Ascii, ..PaintOptions::default() }).to_text())
    }
}
