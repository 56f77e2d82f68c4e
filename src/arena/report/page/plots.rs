//! The plots of a page, as SVG.

use crate::arena::matches::TournamentReport;
use crate::arena::stats::sprt::{BOUND, Sprt};
use crate::arena::stats::{Estimate, float};
use crate::picture::escape;

/// Columns and rows of a curve, without its labels.
const SIZE: (f64, f64) = (560.0, 220.0);
/// Room for labels on the left and below.
const LABELS: (f64, f64) = (60.0, 26.0);
/// The height of a row of intervals, and the width of a character of its name.
const ROW: f64 = 26.0;
const CHARACTER: f64 = 10.0;
/// A curve has no more points than can be told apart.
const MAX_POINTS: usize = 600;

/// Ratings with their intervals, a row each. Those that rest on no game have none.
pub(super) fn intervals(rated: &[(String, Option<Estimate>)]) -> String {
    let known: Vec<Estimate> = rated.iter().filter_map(|(_, estimate)| *estimate).collect();
    let finite = known.iter().flat_map(|e| [e.low, e.high]).filter(|elo| elo.is_finite());
    let (low, high) = finite.fold((0.0_f64, 0.0_f64), |(low, high), elo| (low.min(elo), high.max(elo)));
    let beside = rated.iter().map(|(name, _)| width(name)).fold(0.0, f64::max) + 20.0;
    let axis = Axis::over(low, high, SIZE.0 - beside);
    let height = ROW * float(rated.len() as u64);
    let mut svg = Vec::new();
    for tick in axis.ticks() {
        let x = beside + axis.place(tick);
        svg.push(format!(
            "<path d=\"M{x:.1} 0V{height}\" class=\"grid\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:+}</text>",
            height + 18.0
        ));
    }
    for ((name, estimate), row) in rated.iter().zip(0u64..) {
        let y = ROW * (float(row) + 0.5);
        svg.push(format!("<text x=\"0\" y=\"{:.1}\">{}</text>", y + 5.0, escape(name)));
        let Some(Estimate { value, low, high }) = *estimate else { continue };
        let [value_x, low_x, high_x] = [value, low, high].map(|elo| beside + axis.place(elo));
        svg.push(format!(
            "<g><title>{}: {value:+.1} [{low:+.1}, {high:+.1}]</title>\
             <path d=\"M{low_x:.1} {y}H{high_x:.1}\" class=\"interval\"/><circle cx=\"{value_x:.1}\" cy=\"{y}\" r=\"5\"/></g>",
            escape(name)
        ));
    }
    let (width, svg) = (SIZE.0 + 30.0, svg.concat());
    format!(
        "<p>Elo with 95% confidence intervals.</p>\n\
         <div class=\"wide\" tabindex=\"0\"><svg class=\"plot\" role=\"img\" aria-label=\"Ratings with intervals\" \
         viewBox=\"0 0 {width} {}\">{svg}</svg></div>",
        height + LABELS.1
    )
}

/// The ratio of a test after each pair, for every two that met.
pub(super) fn ratio(sprt: &Sprt, report: &TournamentReport) -> String {
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
            escape(&title),
            curve(&title, "pairs", &points, &[(-BOUND, "H0"), (BOUND, "H1")])
        )
    };
    told + &report.meetings.iter().map(|(_, meeting)| plot(meeting)).collect::<String>()
}

/// A value after each step, one at least, with lines at some heights.
pub(super) fn curve(title: &str, steps: &str, values: &[f64], lines: &[(f64, &str)]) -> String {
    let ends = values.iter().copied().chain(lines.iter().map(|(height, _)| *height));
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let (across, up) = (Axis::over(0.0, float(values.len() as u64), SIZE.0), Axis::over(low, high, SIZE.1));
    let y = |value: f64| SIZE.1 - up.place(value);
    let mut svg = Vec::new();
    for tick in up.ticks() {
        svg.push(format!(
            "<path d=\"M0 {0:.1}H{1}\" class=\"grid\"/><text x=\"-8\" y=\"{2:.1}\" text-anchor=\"end\">{tick}</text>",
            y(tick),
            SIZE.0,
            y(tick) + 5.0
        ));
    }
    for tick in across.ticks() {
        svg.push(format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
            across.place(tick),
            SIZE.1 + 18.0
        ));
    }
    for (height, name) in lines {
        svg.push(format!(
            "<path d=\"M0 {0:.1}H{1}\" class=\"bound\"/><text x=\"{2}\" y=\"{3:.1}\">{name}</text>",
            y(*height),
            SIZE.0,
            SIZE.0 + 6.0,
            y(*height) + 5.0
        ));
    }
    let every = values.len().div_ceil(MAX_POINTS).max(1);
    let last = values.len().saturating_sub(1);
    let seen = values.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last);
    let points: Vec<String> =
        seen.map(|(i, value)| format!("{:.1},{:.1}", across.place(float(i as u64 + 1)), y(*value))).collect();
    svg.push(format!("<polyline points=\"{}\" class=\"curve\"/>", points.join(" ")));
    let (width, height, svg) = (SIZE.0 + LABELS.0 + 40.0, SIZE.1 + LABELS.1 + 10.0, svg.concat());
    format!(
        "<div class=\"wide\" tabindex=\"0\"><svg class=\"plot\" role=\"img\" aria-label=\"{}, by {steps}\" \
         viewBox=\"-{} -10 {width} {height}\">{svg}</svg></div>",
        escape(title),
        LABELS.0
    )
}

/// About the width of a name.
fn width(name: &str) -> f64 {
    name.chars().map(|letter| if letter.is_ascii() { CHARACTER } else { 2.0 * CHARACTER }).sum()
}

/// Numbers along a line.
struct Axis {
    low: f64,
    step: f64,
    steps: u32,
    length: f64,
}

impl Axis {
    /// An axis of this length that reaches from one number to another, at least, with at most eight steps of 1, 2 or 5 in a place.
    fn over(low: f64, high: f64, length: f64) -> Self {
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
        Axis { low: first * step, step, steps, length }
    }

    fn place(&self, value: f64) -> f64 {
        let all = self.step * f64::from(self.steps);
        ((value - self.low) / all).clamp(0.0, 1.0) * self.length
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let digits = 10_f64.powi(9);
        (0..=self.steps).map(move |i| ((self.low + self.step * f64::from(i)) * digits).round() / digits)
    }
}
