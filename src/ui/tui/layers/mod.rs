//! The behaviour and the drawing of each layer.

mod confirm;
mod list;
mod menu;
mod menu_view;
mod page;
mod prompt;
mod rules;

use super::component::Component;
use super::layer::Layer;

/// Returns the component that handles a layer's input.
pub(super) fn component(layer: &mut Layer) -> &mut dyn Component {
    match layer {
        Layer::Menu(menu) => menu.as_mut(),
        Layer::List(list) => list,
        Layer::Prompt(prompt) => prompt,
        Layer::Rules(rules) => rules,
        Layer::Page(page) => page,
        Layer::Confirm(confirm) => confirm,
    }
}

/// Returns the component that draws a layer.
pub(super) fn drawn(layer: &Layer) -> &dyn Component {
    match layer {
        Layer::Menu(menu) => menu.as_ref(),
        Layer::List(list) => list,
        Layer::Prompt(prompt) => prompt,
        Layer::Rules(rules) => rules,
        Layer::Page(page) => page,
        Layer::Confirm(confirm) => confirm,
    }
}
