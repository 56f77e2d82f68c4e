//! What each layer does and how it is drawn.

mod confirm;
mod list;
mod menu;
mod menu_view;
mod page;
mod prompt;

use super::component::Component;
use super::layer::Layer;

/// What a layer does.
pub(super) fn component(layer: &mut Layer) -> &mut dyn Component {
    match layer {
        Layer::Menu(menu) => menu.as_mut(),
        Layer::List(list) => list,
        Layer::Prompt(prompt) => prompt,
        Layer::Page(page) => page,
        Layer::Confirm(confirm) => confirm,
    }
}

/// How a layer is drawn.
pub(super) fn drawn(layer: &Layer) -> &dyn Component {
    match layer {
        Layer::Menu(menu) => menu.as_ref(),
        Layer::List(list) => list,
        Layer::Prompt(prompt) => prompt,
        Layer::Page(page) => page,
        Layer::Confirm(confirm) => confirm,
    }
}
