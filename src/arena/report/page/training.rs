//! The log of a training run, as `train/` writes it, as curves.

use std::path::Path;

use serde_json::Value;

use super::plots;
use crate::game::Refusal;
use crate::picture::page::section;

/// Curve drawn from the lines of a log: a member of each line, a heading, and the meaning.
type Curve = (&'static str, &'static str, &'static str);

/// A run that plays and learns by turns, a line for each stretch.
const STRETCHES: [Curve; 4] = [
    (
        "move_loss",
        "Policy loss",
        "Cross-entropy between the network's policy and the search, in nats. Lower is better.",
    ),
    ("value_loss", "Value loss", "Distance between predicted values and results. Lower is better."),
    ("first", "First player's share", "Share of games won by the first player."),
    ("length", "Length", "Moves per game."),
];
/// Generations that each learn from all their games, a line for each epoch: once through all positions.
const EPOCHS: [Curve; 2] = [
    (
        "kept",
        "Validation games",
        "Loss on games that the network was not trained on, in nats. Lower is better.",
    ),
    ("loss", "Training games", "Loss on the training targets: results and searches."),
];
/// Stretches that a point of a curve is the mean of: each plays on one size of board, and sizes differ.
const SMOOTHED: usize = 25;

/// No line of a log has a larger number.
const MAX_VALUE: f64 = 1e9;

/// A training run.
#[derive(Debug)]
pub struct TrainingRun {
    file: String,
    lines: Vec<Value>,
}

impl TrainingRun {
    /// Reads the log of a run; `None` if the file is none.
    #[must_use]
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        let text = String::from_utf8(crate::record::disk::load(path).ok()?).ok()?;
        // A kill may have torn the last line.
        let (whole, torn) = text.rsplit_once('\n').unwrap_or(("", &text));
        let lines = ["stretch", "epoch"].iter().find_map(|key| {
            let line =
                |line: &str| serde_json::from_str(line).ok().filter(|line: &Value| line[*key].is_u64());
            let mut lines: Vec<Value> = whole.lines().map(line).collect::<Option<_>>()?;
            lines.extend(line(torn));
            (!lines.is_empty()).then_some(lines)
        })?;
        Some(TrainingRun { file: Refusal::shown_path(path), lines })
    }

    pub(super) fn title(&self) -> String {
        format!("Training: {}", self.file)
    }

    /// The sections of its page.
    pub(super) fn sections(&self) -> Vec<String> {
        if self.lines[0]["stretch"].is_u64() { self.stretches() } else { self.epochs() }
    }

    fn stretches(&self) -> Vec<String> {
        let last = self.lines.last().unwrap_or(&Value::Null);
        let run = format!(
            "<p>{} rounds of self-play and training in {:.1} hours: {} positions played, {} samples trained on.</p>",
            self.lines.len(),
            last["seconds"].as_f64().unwrap_or_default() / 3600.0,
            self.lines.iter().filter_map(|line| line["positions"].as_u64()).fold(0, u64::saturating_add),
            last["samples"].as_u64().unwrap_or_default()
        );
        let curves = STRETCHES.iter().filter_map(|(key, heading, told)| {
            let drawn = curve(heading, "stretches", &means(&numbers(&self.lines, key)))?;
            Some(section(heading, &format!("<p>{told}</p>\n{drawn}")))
        });
        [section("Run", &run)].into_iter().chain(curves).collect()
    }

    /// A row of a table and a curve of each kind for every generation.
    fn epochs(&self) -> Vec<String> {
        let of = |line: &Value| line["generation"].as_u64();
        let generations: Vec<&[Value]> = self.lines.chunk_by(|a, b| of(a) == of(b)).collect();
        let name = |lines: &[Value]| of(&lines[0]).map(|number| format!("Generation {number}"));
        let row = |lines: &&[Value]| {
            let last =
                |key: &str| numbers(lines, key).last().map_or(String::new(), |value| format!("{value:.4}"));
            format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{}</td><td>{}</td></tr>\n",
                name(lines).unwrap_or_default(),
                lines.len(),
                lines[0]["positions"].as_u64().unwrap_or_default(),
                numbers(lines, "seconds").iter().sum::<f64>() / 60.0,
                last("kept"),
                last("terms")
            )
        };
        let run = format!(
            "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><td></td><th>epochs</th><th>positions</th><th>minutes</th>\
             <th>validation loss</th><th>loss of the fitted terms</th></tr></thead>\n<tbody>\n{}</tbody></table></div>",
            generations.iter().map(row).collect::<String>()
        );
        let curves = EPOCHS.iter().filter_map(|(key, heading, told)| {
            let drawn = |lines: &&[Value]| {
                let name = name(lines);
                let above = name.as_ref().map_or(String::new(), |name| format!("<h3>{name}</h3>\n"));
                let title = name.map_or((*heading).to_owned(), |name| format!("{name}: {heading}"));
                Some(above + &curve(&title, "epochs", &numbers(lines, key))?)
            };
            let drawn: String = generations.iter().filter_map(drawn).collect();
            (!drawn.is_empty()).then(|| section(heading, &format!("<p>{told}</p>\n{drawn}")))
        });
        [section("Run", &run)].into_iter().chain(curves).collect()
    }
}

/// Returns the values of a member in the lines that have it.
fn numbers(lines: &[Value], key: &str) -> Vec<f64> {
    lines.iter().filter_map(|line| line[key].as_f64()).filter(|value| value.abs() <= MAX_VALUE).collect()
}

/// A curve, if there is something to draw.
fn curve(title: &str, steps: &str, values: &[f64]) -> Option<String> {
    (!values.is_empty()).then(|| plots::curve(title, steps, values, &[]))
}

/// Returns the moving means: each value averaged with those before it, at most `SMOOTHED` of them.
fn means(values: &[f64]) -> Vec<f64> {
    let mean = |end: usize| {
        let window = &values[end.saturating_sub(SMOOTHED)..end];
        window.iter().sum::<f64>() / crate::arena::stats::float(window.len() as u64)
    };
    (1..=values.len()).map(mean).collect()
}
