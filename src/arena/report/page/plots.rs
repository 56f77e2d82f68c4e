//! SVG plots of a report page.

use crate::arena::matches::TournamentReport;
use crate::arena::stats::sprt::{SPRT_LLR_BOUND, Sprt};
use crate::arena::stats::{IntervalEstimate, count_to_f64};
use crate::picture::escape_xml;

/// Width and height of a plot without its labels, in SVG units.
const PLOT_SIZE: (f64, f64) = (560.0, 220.0);
/// Space for labels to the left of and below a plot, in SVG units.
const LABEL_MARGINS: (f64, f64) = (60.0, 26.0);
/// Height of a row of the rating plot, in SVG units.
const RATING_ROW_HEIGHT: f64 = 26.0;
/// Estimated width of an ASCII character of an engine name, in SVG units.
const CHARACTER_WIDTH: f64 = 10.0;
/// Maximum number of points of a curve.
const MAX_CURVE_POINTS: usize = 600;

/// Renders the ratings with their intervals, one row per engine. Engines without games get a row without an
/// interval.
pub(super) fn render_rating_intervals(rated: &[(String, Option<IntervalEstimate>)]) -> String {
    let known: Vec<IntervalEstimate> = rated.iter().filter_map(|(_, estimate)| *estimate).collect();
    let finite = known.iter().flat_map(|e| [e.low, e.high]).filter(|elo| elo.is_finite());
    let (low, high) = finite.fold((0.0_f64, 0.0_f64), |(low, high), elo| (low.min(elo), high.max(elo)));
    let beside = rated.iter().map(|(name, _)| estimate_text_width(name)).fold(0.0, f64::max) + 20.0;
    let axis = PlotAxis::covering(low, high, PLOT_SIZE.0 - beside);
    let height = RATING_ROW_HEIGHT * count_to_f64(rated.len() as u64);
    let mut svg = Vec::new();
    for tick in axis.ticks() {
        let x = beside + axis.offset_of(tick);
        svg.push(format!(
            "<path d=\"M{x:.1} 0V{height}\" class=\"grid\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:+}</text>",
            height + 18.0
        ));
    }
    for ((name, estimate), row) in rated.iter().zip(0u64..) {
        let y = RATING_ROW_HEIGHT * (count_to_f64(row) + 0.5);
        svg.push(format!("<text x=\"0\" y=\"{:.1}\">{}</text>", y + 5.0, escape_xml(name)));
        let Some(IntervalEstimate { value, low, high }) = *estimate else { continue };
        let [value_x, low_x, high_x] = [value, low, high].map(|elo| beside + axis.offset_of(elo));
        svg.push(format!(
            "<g><title>{}: {value:+.1} [{low:+.1}, {high:+.1}]</title>\
             <path d=\"M{low_x:.1} {y}H{high_x:.1}\" class=\"interval\"/><circle cx=\"{value_x:.1}\" cy=\"{y}\" r=\"5\"/></g>",
            escape_xml(name)
        ));
    }
    let (width, svg) = (PLOT_SIZE.0 + 30.0, svg.concat());
    format!(
        "<p>Elo with 95% confidence intervals.</p>\n\
         <div class=\"wide\" tabindex=\"0\"><svg class=\"plot\" role=\"img\" aria-label=\"Ratings with intervals\" \
         viewBox=\"0 0 {width} {}\">{svg}</svg></div>",
        height + LABEL_MARGINS.1
    )
}

/// Renders the log-likelihood ratio of an SPRT after each pair, one curve per pairing.
pub(super) fn render_llr_curves(sprt: &Sprt, report: &TournamentReport) -> String {
    let Sprt { elo0, elo1 } = sprt;
    let told = format!(
        "<p>Tests {elo1} normalized Elo or more (H1) against {elo0} or less (H0). The test ends at a dashed line.</p>\n"
    );
    let plot = |meeting: &crate::arena::matches::MatchReport| {
        let points: Vec<f64> = meeting.course.iter().map(|counts| sprt.llr(counts)).collect();
        let [one, other] = &meeting.names;
        let title = format!("{one} vs {other}");
        format!(
            "<h3>{}</h3>\n{}",
            escape_xml(&title),
            render_curve(&title, "pairs", &points, &[(-SPRT_LLR_BOUND, "H0"), (SPRT_LLR_BOUND, "H1")])
        )
    };
    told + &report.meetings.iter().map(|(_, meeting)| plot(meeting)).collect::<String>()
}

/// Renders a curve with one value per step, and labelled horizontal lines at the given heights. `values`
/// must not be empty.
pub(super) fn render_curve(title: &str, steps: &str, values: &[f64], lines: &[(f64, &str)]) -> String {
    let ends = values.iter().copied().chain(lines.iter().map(|(height, _)| *height));
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let (across, up) = (
        PlotAxis::covering(0.0, count_to_f64(values.len() as u64), PLOT_SIZE.0),
        PlotAxis::covering(low, high, PLOT_SIZE.1),
    );
    let y = |value: f64| PLOT_SIZE.1 - up.offset_of(value);
    let mut svg = Vec::new();
    for tick in up.ticks() {
        svg.push(format!(
            "<path d=\"M0 {0:.1}H{1}\" class=\"grid\"/><text x=\"-8\" y=\"{2:.1}\" text-anchor=\"end\">{tick}</text>",
            y(tick),
            PLOT_SIZE.0,
            y(tick) + 5.0
        ));
    }
    for tick in across.ticks() {
        svg.push(format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
            across.offset_of(tick),
            PLOT_SIZE.1 + 18.0
        ));
    }
    for (height, name) in lines {
        svg.push(format!(
            "<path d=\"M0 {0:.1}H{1}\" class=\"bound\"/><text x=\"{2}\" y=\"{3:.1}\">{name}</text>",
            y(*height),
            PLOT_SIZE.0,
            PLOT_SIZE.0 + 6.0,
            y(*height) + 5.0
        ));
    }
    let every = values.len().div_ceil(MAX_CURVE_POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let seen = values.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last);
    let points: Vec<String> = seen
        .map(|(i, value)| format!("{:.1},{:.1}", across.offset_of(count_to_f64(i as u64 + 1)), y(*value)))
        .collect();
    svg.push(format!("<polyline points=\"{}\" class=\"curve\"/>", points.join(" ")));
    let (width, height, svg) =
        (PLOT_SIZE.0 + LABEL_MARGINS.0 + 40.0, PLOT_SIZE.1 + LABEL_MARGINS.1 + 10.0, svg.concat());
    format!(
        "<div class=\"wide\" tabindex=\"0\"><svg class=\"plot\" role=\"img\" aria-label=\"{}, by {steps}\" \
         viewBox=\"-{} -10 {width} {height}\">{svg}</svg></div>",
        escape_xml(title),
        LABEL_MARGINS.0
    )
}

/// Estimates the width of a name in SVG units.
fn estimate_text_width(name: &str) -> f64 {
    name.chars().map(|letter| if letter.is_ascii() { CHARACTER_WIDTH } else { 2.0 * CHARACTER_WIDTH }).sum()
}

/// Axis of a plot with evenly spaced ticks.
struct PlotAxis {
    low: f64,
    step: f64,
    steps: u32,
    length: f64,
}

impl PlotAxis {
    /// Creates an axis of this length that covers at least `low` to `high`, in at most eight steps of 1, 2
    /// or 5 times a power of ten.
    fn covering(low: f64, high: f64, length: f64) -> Self {
        let span = (high - low).max(1e-9);
        let mut step = 10_f64.powi(-9);
        let is_enough = |step: f64| (high / step).ceil() - (low / step).floor() <= 8.0;
        'found: while step < span {
            for times in [1.0, 2.0, 5.0] {
                if is_enough(step * times) {
                    step *= times;
                    break 'found;
                }
            }
            step *= 10.0;
        }
        let first = (low / step).floor();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most eight, none below zero"
        )]
        let steps = ((high / step).ceil() - first).max(1.0) as u32;
        PlotAxis { low: first * step, step, steps, length }
    }

    /// Converts a value to its distance from the start of the axis.
    fn offset_of(&self, value: f64) -> f64 {
        let all = self.step * f64::from(self.steps);
        ((value - self.low) / all).clamp(0.0, 1.0) * self.length
    }

    /// Iterates over the values of the ticks.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let digits = 10_f64.powi(9);
        (0..=self.steps).map(move |i| ((self.low + self.step * f64::from(i)) * digits).round() / digits)
    }
}
