//! Renders the log of a training run, as written by `train/`, as curves.

use std::path::Path;

use serde_json::Value;

use super::plots;
use crate::game::Refusal;
use crate::picture::page::render_html_section;

/// Curve drawn from a log: JSON key, heading and description.
type CurveSpec = (&'static str, &'static str, &'static str);

/// Curves of a run that alternates self-play and training, with one log line per round.
const ROUND_CURVES: [CurveSpec; 4] = [
    (
        "move_loss",
        "Policy loss",
        "Cross-entropy between the network's policy and the search, in nats. Lower is better.",
    ),
    ("value_loss", "Value loss", "Distance between predicted values and results. Lower is better."),
    ("first", "First player's share", "Share of games won by the first player."),
    ("length", "Length", "Moves per game."),
];
/// Curves of a run in generations, with one log line per training epoch.
const EPOCH_CURVES: [CurveSpec; 2] = [
    (
        "kept",
        "Validation games",
        "Loss on games that the network was not trained on, in nats. Lower is better.",
    ),
    ("loss", "Training games", "Loss on the training targets: results and searches."),
];
/// Number of rounds averaged for a point of a curve.
///
/// Rounds use different board sizes, so single rounds are hard to compare.
const SMOOTHING_WINDOW: usize = 25;

/// Largest absolute value that is plotted.
const MAX_PLOTTED_VALUE: f64 = 1e9;

/// Log of a training run.
#[derive(Debug)]
pub struct TrainingRun {
    file: String,
    lines: Vec<Value>,
}

impl TrainingRun {
    /// Loads the log of a training run. Returns `None` if the file is not one.
    #[must_use]
    pub(crate) fn load_log(path: &Path) -> Option<Self> {
        let text = String::from_utf8(crate::record::disk::load_move_file(path).ok()?).ok()?;
        // The last line may be incomplete if training was killed.
        let (whole, torn) = text.rsplit_once('\n').unwrap_or(("", &text));
        let lines = ["stretch", "epoch"].iter().find_map(|key| {
            let line =
                |line: &str| serde_json::from_str(line).ok().filter(|line: &Value| line[*key].is_u64());
            let mut lines: Vec<Value> = whole.lines().map(line).collect::<Option<_>>()?;
            lines.extend(line(torn));
            (!lines.is_empty()).then_some(lines)
        })?;
        Some(TrainingRun { file: Refusal::sanitize_path(path), lines })
    }

    /// Returns the title of the page.
    pub(super) fn page_title(&self) -> String {
        format!("Training: {}", self.file)
    }

    /// Renders the sections of the page.
    pub(super) fn render_sections(&self) -> Vec<String> {
        if self.lines[0]["stretch"].is_u64() { self.render_rounds() } else { self.render_generations() }
    }

    /// Renders the sections of a run that alternates self-play and training.
    fn render_rounds(&self) -> Vec<String> {
        let last = self.lines.last().unwrap_or(&Value::Null);
        let run = format!(
            "<p>{} rounds of self-play and training in {:.1} hours: {} positions played, {} samples trained on.</p>",
            self.lines.len(),
            last["seconds"].as_f64().unwrap_or_default() / 3600.0,
            self.lines.iter().filter_map(|line| line["positions"].as_u64()).fold(0, u64::saturating_add),
            last["samples"].as_u64().unwrap_or_default()
        );
        let curves = ROUND_CURVES.iter().filter_map(|(key, heading, told)| {
            let drawn =
                render_curve_if_any(heading, "stretches", &moving_means(&values_of_key(&self.lines, key)))?;
            Some(render_html_section(heading, &format!("<p>{told}</p>\n{drawn}")))
        });
        [render_html_section("Run", &run)].into_iter().chain(curves).collect()
    }

    /// Renders a table and the curves of a run in generations.
    fn render_generations(&self) -> Vec<String> {
        let of = |line: &Value| line["generation"].as_u64();
        let generations: Vec<&[Value]> = self.lines.chunk_by(|a, b| of(a) == of(b)).collect();
        let name = |lines: &[Value]| of(&lines[0]).map(|number| format!("Generation {number}"));
        let row = |lines: &&[Value]| {
            let last = |key: &str| {
                values_of_key(lines, key).last().map_or(String::new(), |value| format!("{value:.4}"))
            };
            format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{}</td><td>{}</td></tr>\n",
                name(lines).unwrap_or_default(),
                lines.len(),
                lines[0]["positions"].as_u64().unwrap_or_default(),
                values_of_key(lines, "seconds").iter().sum::<f64>() / 60.0,
                last("kept"),
                last("terms")
            )
        };
        let run = format!(
            "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><td></td><th>epochs</th><th>positions</th><th>minutes</th>\
             <th>validation loss</th><th>loss of the fitted terms</th></tr></thead>\n<tbody>\n{}</tbody></table></div>",
            generations.iter().map(row).collect::<String>()
        );
        let curves = EPOCH_CURVES.iter().filter_map(|(key, heading, told)| {
            let drawn = |lines: &&[Value]| {
                let name = name(lines);
                let above = name.as_ref().map_or(String::new(), |name| format!("<h3>{name}</h3>\n"));
                let title = name.map_or((*heading).to_owned(), |name| format!("{name}: {heading}"));
                Some(above + &render_curve_if_any(&title, "epochs", &values_of_key(lines, key))?)
            };
            let drawn: String = generations.iter().filter_map(drawn).collect();
            (!drawn.is_empty()).then(|| render_html_section(heading, &format!("<p>{told}</p>\n{drawn}")))
        });
        [render_html_section("Run", &run)].into_iter().chain(curves).collect()
    }
}

/// Returns the values of a key in the lines that contain it.
fn values_of_key(lines: &[Value], key: &str) -> Vec<f64> {
    lines
        .iter()
        .filter_map(|line| line[key].as_f64())
        .filter(|value| value.abs() <= MAX_PLOTTED_VALUE)
        .collect()
}

/// Renders a curve, or returns `None` if there are no values.
fn render_curve_if_any(title: &str, steps: &str, values: &[f64]) -> Option<String> {
    (!values.is_empty()).then(|| plots::render_curve(title, steps, values, &[]))
}

/// Returns the moving means: each value averaged with up to `SMOOTHING_WINDOW - 1` values before it.
fn moving_means(values: &[f64]) -> Vec<f64> {
    let mean = |end: usize| {
        let window = &values[end.saturating_sub(SMOOTHING_WINDOW)..end];
        window.iter().sum::<f64>() / crate::arena::stats::count_to_f64(window.len() as u64)
    };
    (1..=values.len()).map(mean).collect()
}
