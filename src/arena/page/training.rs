//! The log of a training run, as `train/` writes it, as curves.

use serde_json::Value;

use super::{plots, section};

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

/// The stretches of a log; `None` if the text is none.
pub(super) fn stretches(text: &str) -> Option<Vec<Value>> {
    let lines: Option<Vec<Value>> = text.lines().map(|line| serde_json::from_str(line).ok()).collect();
    lines.filter(|lines| !lines.is_empty() && lines.iter().all(|line| line["stretch"].is_u64()))
}

/// The sections of its page.
pub(super) fn sections(stretches: &[Value]) -> Vec<String> {
    let last = stretches.last().unwrap_or(&Value::Null);
    let sum = |key: &str| stretches.iter().filter_map(|line| line[key].as_u64()).sum::<u64>();
    let hours = last["seconds"].as_f64().unwrap_or_default() / 3600.0;
    let result = format!(
        "<p>{} stretches of games and learning in {hours:.1} hours: {} positions played, {} samples learnt.</p>",
        stretches.len(),
        sum("positions"),
        last["samples"]
    );
    let curve = |(key, heading, told): &(&str, &str, &str)| {
        let values: Vec<f64> = stretches.iter().filter_map(|line| line[*key].as_f64()).collect();
        let drawn = plots::curve(heading, "stretches", &means(&values), &[]);
        (!values.is_empty()).then(|| section(heading, &format!("<p>{told}</p>\n{drawn}")))
    };
    [section("Result", &result)].into_iter().chain(CURVES.iter().filter_map(curve)).collect()
}

/// Each value with those before it, the mean of so many.
fn means(values: &[f64]) -> Vec<f64> {
    let mean = |end: usize| {
        let window = &values[end.saturating_sub(SMOOTHED)..end];
        window.iter().sum::<f64>() / crate::arena::stats::float(window.len() as u64)
    };
    (1..=values.len()).map(mean).collect()
}
