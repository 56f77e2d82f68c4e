//! Animated SVG of a game. It shows one position after the other and needs only CSS.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::svg::{
    BOARD_TEXT_GAP, LINE_HEIGHT, SvgElement, SvgFont, SvgLayer, SvgPage, TEXT_SIZE, TextAnchor,
    render_text_element,
};
use super::{BoardDrawing, LastMoveMark, SvgTheme, count_as_f64, positions_up_to};
use crate::session::Position;

/// Display time of a position, in seconds.
const SECONDS_PER_FRAME: f64 = 1.0;
/// Display time of the last position, in frames.
const END_PAUSE_FRAMES: usize = 5;

/// Renders a game as an SVG that repeats endlessly, without a script. Viewers who prefer reduced motion see
/// the last position. `caption` returns the text below a position.
#[must_use]
pub fn render_animation(
    last: &Arc<dyn Position>,
    title: &str,
    caption: impl Fn(&dyn Position) -> String,
    theme: SvgTheme,
) -> String {
    let drawing = BoardDrawing::for_game_of(&**last);
    let colours = theme.palette(last.as_paint().side_hues());
    let (width, height) = drawing.plan.size;
    let line = positions_up_to(last);
    let frames: Vec<Vec<SvgElement>> = line
        .iter()
        .map(|position| {
            let mut elements = drawing.position_elements(&**position, LastMoveMark::Last, colours);
            let font = SvgFont { size: TEXT_SIZE, is_bold: false, colour: colours.text };
            let below = render_text_element(
                0.0,
                height + BOARD_TEXT_GAP + LINE_HEIGHT / 2.0,
                TextAnchor::Start,
                font,
                &caption(&**position),
            );
            elements.push(SvgElement::new(SvgLayer::Text, below));
            elements
        })
        .collect();
    let mut page = SvgPage::new(colours, title);
    page.widen_to(
        count_as_f64(caption(&**last).chars().count()) * TEXT_SIZE * super::svg::CHARACTER_WIDTH_RATIO,
    );
    let steps = frames.len() - 1 + END_PAUSE_FRAMES;
    let mut style = String::new();
    let mut svg = Vec::new();
    for ((layer, from, to), shapes) in compute_shape_spans(&frames) {
        let is_always = from == 0 && to == frames.len();
        if is_always {
            svg.push((layer, shapes.concat()));
            continue;
        }
        let name = format!("f{from}-{to}");
        let rule = render_visibility_rule(&name, from, to, frames.len(), steps);
        if !style.contains(&rule) {
            style += &rule;
        }
        svg.push((layer, format!("<g class=\"{name}\">{}</g>", shapes.concat())));
    }
    style += "@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n";
    page.set_style(style);
    svg.sort_by_key(|(layer, _)| *layer);
    let all: Vec<String> = svg.into_iter().map(|(_, svg)| svg).collect();
    page.add_svg(&all.join("\n"), (width, height + BOARD_TEXT_GAP + LINE_HEIGHT));
    page.into_svg()
}

/// SVG shapes by layer, first frame and the frame after their last one.
type ShapeSpans = BTreeMap<(SvgLayer, usize, usize), Vec<String>>;

/// Returns the shapes of all frames with the spans in which they are visible.
fn compute_shape_spans(frames: &[Vec<SvgElement>]) -> ShapeSpans {
    let mut spans = ShapeSpans::new();
    let mut close = |element: &SvgElement, from: usize, to: usize| {
        spans.entry((element.layer, from, to)).or_default().push(element.svg.clone());
    };
    let mut open: Vec<(&SvgElement, usize)> = Vec::new();
    for (i, frame) in frames.iter().enumerate() {
        open.retain(|&(element, from)| {
            let stays = frame.contains(element);
            if !stays {
                close(element, from, i);
            }
            stays
        });
        for element in frame {
            if open.iter().all(|(other, _)| *other != element) {
                open.push((element, i));
            }
        }
    }
    for (element, from) in open {
        close(element, from, frames.len());
    }
    spans
}

/// Renders the CSS rule for shapes that are visible from frame `from` until before frame `to`. Without
/// animation only the shapes of the last frame are visible.
fn render_visibility_rule(name: &str, from: usize, to: usize, count: usize, steps: usize) -> String {
    let percent =
        |frame: usize| super::svg::format_svg_number(count_as_f64(frame) * 100.0 / count_as_f64(steps));
    let is_last = to == count;
    let still = if is_last { "visible" } else { "hidden" };
    let seconds = super::svg::format_svg_number(count_as_f64(steps) * SECONDS_PER_FRAME);
    let begin = if from == 0 { String::new() } else { "0%{visibility:hidden}".to_owned() };
    let end = if is_last { String::new() } else { format!("{}%{{visibility:hidden}}", percent(to)) };
    format!(
        ".{name}{{visibility:{still};animation:{name} {seconds}s step-end infinite}}\
         @keyframes {name}{{{begin}{}%{{visibility:visible}}{end}}}\n",
        percent(from)
    )
}
