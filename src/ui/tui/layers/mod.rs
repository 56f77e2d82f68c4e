//! Input handling and drawing of the layers.

mod confirm;
mod list;
mod menu;
mod menu_view;
mod page;
mod prompt;
mod rules;

use super::component::LayerComponent;
use super::layer::ScreenLayer;

/// Returns the component that handles a layer's input.
pub(super) fn layer_component_mut(layer: &mut ScreenLayer) -> &mut dyn LayerComponent {
    match layer {
        ScreenLayer::Menu(menu) => menu.as_mut(),
        ScreenLayer::List(list) => list,
        ScreenLayer::Prompt(prompt) => prompt,
        ScreenLayer::Rules(rules) => rules,
        ScreenLayer::Page(page) => page,
        ScreenLayer::Confirm(confirm) => confirm,
    }
}

/// Returns the component that draws a layer.
pub(super) fn layer_component(layer: &ScreenLayer) -> &dyn LayerComponent {
    match layer {
        ScreenLayer::Menu(menu) => menu.as_ref(),
        ScreenLayer::List(list) => list,
        ScreenLayer::Prompt(prompt) => prompt,
        ScreenLayer::Rules(rules) => rules,
        ScreenLayer::Page(page) => page,
        ScreenLayer::Confirm(confirm) => confirm,
    }
}
