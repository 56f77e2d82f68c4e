//! The log of a training run, as `train/` writes it, as curves.

use std::path::Path;

use serde_json::Value;

use super::{plots, section};
use crate::game::Refusal;

/// What is drawn of each stretch of a run: a member of its line, a heading, and what it says.
const CURVES: [(&str, &str, &str); 4] = [
    (
        "move_loss",
        "Loss of moves",
        "How far the network's moves are from those of the search, in nats: less is better.",
    ),
    ("value_loss", "Loss of values", "How far its chances are from the results: less is better."),
    ("first", "First's share", "The share of the games that the side to begin has won."),
    ("length", "Length", "Moves a game."),
];
/// Stretches that a point of a curve is the mean of: each plays on one size of board, and sizes differ.
const SMOOTHED: usize = 25;

/// No stretch of a run has a larger number.
const MAX_VALUE: f64 = 1e9;

/// A training run.
#[derive(Debug)]
pub struct Training {
    file: String,
    stretches: Vec<Value>,
}

impl Training {
    /// Reads the log of a run; `None` if the file is none.
    #[must_use]
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        let text = String::from_utf8(crate::record::disk::load(path).ok()?).ok()?;
        let stretch =
            |line: &str| serde_json::from_str(line).ok().filter(|line: &Value| line["stretch"].is_u64());
        // A kill may have torn the last line.
        let (whole, torn) = text.rsplit_once('\n').unwrap_or(("", &text));
        let mut stretches: Vec<Value> = whole.lines().map(stretch).collect::<Option<_>>()?;
        stretches.extend(stretch(torn));
        if stretches.is_empty() {
            return None;
        }
        Some(Training { file: Refusal::shown_path(path), stretches })
    }

    pub(super) fn title(&self) -> String {
        format!("Training: {}", self.file)
    }

    /// The sections of its page.
    pub(super) fn sections(&self) -> Vec<String> {
        let stretches = &self.stretches;
        let last = stretches.last().unwrap_or(&Value::Null);
        let sum =
            |key: &str| stretches.iter().filter_map(|line| line[key].as_u64()).fold(0, u64::saturating_add);
        let hours = last["seconds"].as_f64().unwrap_or_default() / 3600.0;
        let run = format!(
            "<p>{} stretches of games and learning in {hours:.1} hours: {} positions played, {} samples learnt.</p>",
            stretches.len(),
            sum("positions"),
            last["samples"].as_u64().unwrap_or_default()
        );
        let curve = |(key, heading, told): &(&str, &str, &str)| {
            let known = stretches.iter().filter_map(|line| line[*key].as_f64());
            let values: Vec<f64> = known.filter(|value| value.abs() <= MAX_VALUE).collect();
            let drawn = plots::curve(heading, "stretches", &means(&values), &[]);
            (!values.is_empty()).then(|| section(heading, &format!("<p>{told}</p>\n{drawn}")))
        };
        [section("Run", &run)].into_iter().chain(CURVES.iter().filter_map(curve)).collect()
    }
}

/// Each value with those before it, the mean of so many.
fn means(values: &[f64]) -> Vec<f64> {
    let mean = |end: usize| {
        let window = &values[end.saturating_sub(SMOOTHED)..end];
        window.iter().sum::<f64>() / crate::arena::stats::float(window.len() as u64)
    };
    (1..=values.len()).map(mean).collect()
}
