//! Boards as pixel drawings: a game lists what is on its tiles, and one rasterizer draws it at any scale.
//! Drawings are plain data with roles. This module does not depend on games, colours or terminals.

mod motion;
mod raster;
mod role;
mod scene;
mod tiling;

pub use motion::move_animation_frame;
pub use raster::{Raster, RasterCell, Tint, rasterize_scene};
pub use role::{Hue, PaintRole};
pub use scene::{Scene, SceneItem, SceneShape, SceneSign, SignPlace, WallTexture};
pub(crate) use tiling::PixelRect;
pub use tiling::{BoardEdge, BoardSite, PixelOwner, Tiling, TilingScale};
