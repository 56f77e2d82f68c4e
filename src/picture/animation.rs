//! A game that moves: every position for a while, one after the other, by CSS alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::svg::{Anchor, Document, Element, Font, GAP, LINE, Layer, TEXT, text};
use super::{Drawing, Marks, SvgTheme, line_to, real};
use crate::session::Position;

/// Time for which a position is shown, in seconds.
const STEP: f64 = 1.0;
/// Time for which the last one is shown, in steps.
const REST: usize = 5;

/// A game as a picture that moves and begins anew, without a script. Who wants no motion sees the last position.
/// `caption` is what stands below a position.
#[must_use]
pub fn animation(
    last: &Arc<dyn Position>,
    title: &str,
    caption: impl Fn(&dyn Position) -> String,
    theme: SvgTheme,
) -> String {
    let drawing = Drawing::of(&**last);
    let colours = theme.colours(last.drawn().hues());
    let (width, height) = drawing.plan.size;
    let line = line_to(last);
    let frames: Vec<Vec<Element>> = line
        .iter()
        .map(|position| {
            let mut elements = drawing.elements(&**position, Marks::Last, colours);
            let font = Font { size: TEXT, is_bold: false, colour: colours.text };
            let below = text(0.0, height + GAP + LINE / 2.0, Anchor::Start, font, &caption(&**position));
            elements.push(Element::new(Layer::Text, below));
            elements
        })
        .collect();
    let mut page = Document::new(colours, title);
    page.widen(real(caption(&**last).chars().count()) * TEXT * super::svg::ADVANCE);
    let steps = frames.len() - 1 + REST;
    let mut style = String::new();
    let mut svg = Vec::new();
    for ((layer, from, to), shapes) in spans(&frames) {
        let is_always = from == 0 && to == frames.len();
        if is_always {
            svg.push((layer, shapes.concat()));
            continue;
        }
        let name = format!("f{from}-{to}");
        let rule = rule(&name, from, to, frames.len(), steps);
        if !style.contains(&rule) {
            style += &rule;
        }
        svg.push((layer, format!("<g class=\"{name}\">{}</g>", shapes.concat())));
    }
    style += "@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n";
    page.set_style(style);
    svg.sort_by_key(|(layer, _)| *layer);
    let all: Vec<String> = svg.into_iter().map(|(_, svg)| svg).collect();
    page.place(&all.join("\n"), (width, height + GAP + LINE));
    page.finish()
}

/// The shapes that are seen from one frame up to before another, by layer.
type Spans = BTreeMap<(Layer, usize, usize), Vec<String>>;

fn spans(frames: &[Vec<Element>]) -> Spans {
    let mut spans = Spans::new();
    let mut close = |element: &Element, from: usize, to: usize| {
        spans.entry((element.layer, from, to)).or_default().push(element.svg.clone());
    };
    let mut open: Vec<(&Element, usize)> = Vec::new();
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

/// The rule for what is seen from one frame up to before another. Without animation it is seen if it is in the last one.
fn rule(name: &str, from: usize, to: usize, count: usize, steps: usize) -> String {
    let percent = |frame: usize| super::svg::number(real(frame) * 100.0 / real(steps));
    let is_last = to == count;
    let still = if is_last { "visible" } else { "hidden" };
    let seconds = super::svg::number(real(steps) * STEP);
    let begin = if from == 0 { String::new() } else { "0%{visibility:hidden}".to_owned() };
    let end = if is_last { String::new() } else { format!("{}%{{visibility:hidden}}", percent(to)) };
    format!(
        ".{name}{{visibility:{still};animation:{name} {seconds}s step-end infinite}}\
         @keyframes {name}{{{begin}{}%{{visibility:visible}}{end}}}\n",
        percent(from)
    )
}
