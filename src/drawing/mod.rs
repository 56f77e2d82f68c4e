//! Boards as pictures of pixels: a game says what is where, and one rasteriser draws it at any scale. Plain data in roles;
//! knows no game, no colour and no terminal.

mod motion;
mod raster;
mod role;
mod scene;
mod tiling;

pub use motion::between;
pub use raster::{Raster, RasterCell, Tint, raster};
pub use role::{Hue, Role};
pub use scene::{Scene, SceneItem, Shape, Sign, SignPlace, Texture};
pub(crate) use tiling::Area;
pub use tiling::{Owner, Rim, Scale, Site, Tiling};
