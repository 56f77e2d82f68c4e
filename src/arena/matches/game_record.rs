//! The record of one game of a match, and its form in JSON. Knows results and moves, no rules.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::game::{BySide, Outcome, Side};
use crate::session::{Forfeit, ForfeitReason};

/// The cost of a game for one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::arena) struct Cost {
    pub(in crate::arena) nodes: u64,
    /// Elapsed time, if the record of the game has it.
    pub(in crate::arena) time: Option<Duration>,
    /// CPU time, if the system reports it.
    pub(in crate::arena) cpu_time: Option<Duration>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::arena) struct Ending {
    pub(in crate::arena) outcome: Outcome,
    /// One word: what the rules say, `resign`, or a fault.
    pub(in crate::arena) reason: String,
}

impl Ending {
    pub(in crate::arena) fn new(outcome: Outcome, reason: &str) -> Self {
        Ending { outcome, reason: reason.to_owned() }
    }
}

/// Says whether a record contains times, which differ from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arena) enum Times {
    Kept,
    LeftOut,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::arena) struct GameRecord {
    pub(in crate::arena) unit: u64,
    /// 0 for the first game of a pair, 1 for the second.
    pub(in crate::arena) game: u8,
    /// The numbers of the engines that had First and Second.
    pub(in crate::arena) engines: [usize; 2],
    pub(in crate::arena) opening: Vec<String>,
    /// The moves after the opening.
    pub(in crate::arena) moves: Vec<String>,
    pub(in crate::arena) ending: Ending,
    pub(in crate::arena) forfeit: Option<(Side, Forfeit)>,
    pub(in crate::arena) costs: BySide<Cost>,
    pub(in crate::arena) seed: u64,
}

impl GameRecord {
    /// Returns twice the points of a side.
    pub(in crate::arena) fn halves(&self, side: Side) -> u8 {
        match self.ending.outcome {
            Outcome::Win(winner) if winner == side => 2,
            Outcome::Draw => 1,
            Outcome::Win(_) => 0,
        }
    }

    /// Returns the number of moves that a side played after the opening.
    pub(in crate::arena) fn moves_of(&self, side: Side) -> u64 {
        let begins = if self.opening.len().is_multiple_of(2) { Side::First } else { Side::Second };
        (self.moves.len() + usize::from(side == begins)) as u64 / 2
    }

    /// Returns the record as a JSON object.
    pub(in crate::arena) fn to_json(&self, names: &[String], times: Times) -> Value {
        let name = |side: Side| &names[self.engines[side.index()]];
        let each =
            |tell: &dyn Fn(&Cost) -> Value| Value::from_iter(Side::BOTH.map(|side| tell(&self.costs[side])));
        // To a thousandth: fast levels play whole games in one.
        let ms = |time: Duration| (1e6 * time.as_secs_f64()).round() / 1e3;
        let mut record = json!({
            "unit": self.unit, "game": self.game, "first": name(Side::First), "second": name(Side::Second),
            "opening": self.opening, "moves": self.moves, "result": self.ending.outcome.to_string(), "reason": self.ending.reason,
            "forfeit": self.forfeit.as_ref().map(|(side, _)| side.to_string()),
            "plies": self.opening.len() + self.moves.len(),
            "nodes": each(&|cost| cost.nodes.into()),
        });
        if times == Times::Kept {
            record["ms"] = each(&|cost| cost.time.map(ms).into());
            record["cpu_ms"] = each(&|cost| cost.cpu_time.map(ms).into());
        }
        record["seed"] = self.seed.to_string().into();
        if let Some((_, forfeit)) = &self.forfeit {
            record["fault"] = forfeit.reason.name().into();
            record["said"] = forfeit.said.clone().into();
        }
        record
    }

    /// Reads a record from a JSON object; `None` if it is not a complete record of these engines.
    pub(in crate::arena) fn read(value: &Value, names: &[String]) -> Option<Self> {
        let engine = |key: &str| names.iter().position(|name| value[key] == **name);
        let words = |key: &str| -> Option<Vec<String>> {
            value[key].as_array()?.iter().map(|word| Some(word.as_str()?.to_owned())).collect()
        };
        let outcome = match value["result"].as_str()? {
            "draw" => Outcome::Draw,
            name => Outcome::Win(side_of(name)?),
        };
        let ending = Ending { outcome, reason: value["reason"].as_str()?.to_owned() };
        let cost = |side: Side| -> Option<Cost> {
            let ms = |key: &str| value[key][side.index()].as_f64();
            let time = |key: &str| Duration::try_from_secs_f64(ms(key)? / 1e3).ok();
            let nodes = value["nodes"][side.index()].as_u64()?;
            Some(Cost { nodes, time: time("ms"), cpu_time: time("cpu_ms") })
        };
        let forfeit = match value["forfeit"].as_str() {
            None => None,
            Some(name) => {
                let fault = value["fault"].as_str()?;
                let reason = ForfeitReason::ALL.into_iter().find(|known| known.name() == fault)?;
                let said = value["said"].as_str()?.to_owned();
                Some((side_of(name)?, Forfeit { reason, said, notes: String::new() }))
            }
        };
        Some(GameRecord {
            unit: value["unit"].as_u64().filter(|unit| *unit < u64::MAX)?,
            game: u8::try_from(value["game"].as_u64()?).ok().filter(|game| *game < 2)?,
            engines: [engine("first")?, engine("second")?],
            opening: words("opening")?,
            moves: words("moves")?,
            ending,
            forfeit,
            costs: BySide::new(cost(Side::First)?, cost(Side::Second)?),
            seed: value["seed"].as_str()?.parse().ok()?,
        })
    }
}

fn side_of(name: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.to_string() == name)
}

/// Games by the number of their pair and their place in it.
pub(in crate::arena) type ByNumber = BTreeMap<(u64, u8), GameRecord>;

/// Takes both games of a pair out, if both are there.
pub(in crate::arena) fn taken(games: &mut ByNumber, unit: u64) -> Option<[GameRecord; 2]> {
    if !(games.contains_key(&(unit, 0)) && games.contains_key(&(unit, 1))) {
        return None;
    }
    Some([games.remove(&(unit, 0))?, games.remove(&(unit, 1))?])
}
