//! Colours and attributes of the screen. Colour never carries information that characters do not
//! show.

use ratatui_core::style::{Color, Style};

use crate::canvas::{Hue, PaintRole};
use crate::drawing::Tint;
use crate::game::{Refusal, Side};

/// Colours of a theme, including its background.
///
/// All of them are legible on the background and on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Background colour of the screen.
    pub ground: Color,
    /// Background colour of board cells that are drawn as tiles.
    pub tile: Color,
    /// Default text colour.
    pub text: Color,
    /// Colours of the sides Red, Blue, White and Black, in the order of [`Hue::ALL`].
    pub sides: [Color; 4],
    /// Colour of the last move, the cursor and hints.
    pub mark: Color,
    /// Colour of cells and wall slots where a move is legal.
    pub allowed: Color,
    /// Colour of cells and wall slots where a move is illegal.
    pub refused: Color,
    /// Colour of paths and bridges.
    pub path: Color,
    /// Colour of frames, labels and actions that are not possible now.
    pub faint: Color,
    /// Colour of the names of keys.
    pub key: Color,
}

const fn rgb_colour(number: u32) -> Color {
    let [_, red, green, blue] = number.to_be_bytes();
    Color::Rgb(red, green, blue)
}

/// Returns the luminance of a colour, from 0 to 1 (WCAG 2.2, relative luminance).
fn relative_luminance(colour: Color) -> f64 {
    let Color::Rgb(red, green, blue) = colour else { return 0.0 };
    let part = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

/// Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio).
fn contrast_ratio(one: Color, other: Color) -> f64 {
    let (one, other) = (relative_luminance(one), relative_luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Mixes a colour with a share of another colour, in hundredths.
fn mix_colours(colour: Color, other: Color, hundredths: u16) -> Color {
    let (Color::Rgb(r, g, b), Color::Rgb(red, green, blue)) = (colour, other) else { return colour };
    let part = |one: u8, other: u8| {
        let sum = u16::from(one) * (100 - hundredths) + u16::from(other) * hundredths;
        u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
    };
    Color::Rgb(part(r, red), part(g, green), part(b, blue))
}

impl Palette {
    /// Palette for a dark background.
    pub const DARK: Palette = Palette {
        ground: rgb_colour(0x1e_2127),
        tile: rgb_colour(0x2e_333d),
        text: rgb_colour(0xe0_e2e8),
        sides: [rgb_colour(0xff_7b86), rgb_colour(0x8c_c8ff), rgb_colour(0xff_f0c8), rgb_colour(0xc3_a6ff)],
        mark: rgb_colour(0xef_c154),
        allowed: rgb_colour(0xb6_edae),
        refused: rgb_colour(0xda_9254),
        path: rgb_colour(0x7f_d4dd),
        faint: rgb_colour(0x9b_a1ad),
        key: rgb_colour(0x7f_d4dd),
    };

    /// Palette for a light background.
    pub const LIGHT: Palette = Palette {
        ground: rgb_colour(0xfb_faf7),
        tile: rgb_colour(0xe8_e5df),
        text: rgb_colour(0x24_272e),
        sides: [rgb_colour(0xb3_202e), rgb_colour(0x01_3c8d), rgb_colour(0x8f_4a00), rgb_colour(0x00_0000)],
        mark: rgb_colour(0x7a_44d8),
        allowed: rgb_colour(0x1f_6f1f),
        refused: rgb_colour(0x99_2b76),
        path: rgb_colour(0x00_6a75),
        faint: rgb_colour(0x64_6464),
        key: rgb_colour(0x00_6a75),
    };

    /// Dark palette with orange and sky blue in place of red and blue, for red-green colour
    /// blindness.
    const COLOUR_BLIND_DARK: Palette = Palette {
        sides: [rgb_colour(0xd7_a418), rgb_colour(0x58_b5ea), rgb_colour(0xe8_f7f9), rgb_colour(0x58_b5ea)],
        mark: rgb_colour(0xfd_eb44),
        allowed: rgb_colour(0x49_c893),
        refused: rgb_colour(0xd4_95be),
        ..Palette::DARK
    };

    const COLOUR_BLIND_LIGHT: Palette = Palette {
        sides: [rgb_colour(0x8a_5000), rgb_colour(0x00_5f98), rgb_colour(0x8a_5000), rgb_colour(0x00_0000)],
        mark: rgb_colour(0x3e_2d10),
        allowed: rgb_colour(0x20_6a46),
        refused: rgb_colour(0x90_4878),
        ..Palette::LIGHT
    };

    /// High-contrast palette with bright colours on black.
    pub(crate) const HIGH_CONTRAST: Palette = Palette {
        ground: rgb_colour(0x00_0000),
        tile: rgb_colour(0x1c_1c1c),
        text: rgb_colour(0xff_ffff),
        sides: [rgb_colour(0xff_9c9c), rgb_colour(0x7c_e0ff), rgb_colour(0xff_ffff), rgb_colour(0x7c_e0ff)],
        mark: rgb_colour(0xed_e24a),
        allowed: rgb_colour(0x8c_ff8c),
        refused: rgb_colour(0xff_a0ff),
        path: rgb_colour(0x9f_f5ff),
        faint: rgb_colour(0xc8_c8c8),
        key: rgb_colour(0x9f_f5ff),
    };

    /// Converts an RGB number such as `0x1e2127` to a colour.
    pub fn colour_from_rgb(number: u32) -> Color {
        rgb_colour(number)
    }

    /// Returns mutable references to the colours, with their names in the config file.
    pub fn named_colours_mut(&mut self) -> [(&'static str, &mut Color); 13] {
        let [red, blue, white, black] = &mut self.sides;
        [
            ("background", &mut self.ground),
            ("tile", &mut self.tile),
            ("text", &mut self.text),
            ("red", red),
            ("blue", blue),
            ("white", white),
            ("black", black),
            ("mark", &mut self.mark),
            ("allowed", &mut self.allowed),
            ("refused", &mut self.refused),
            ("path", &mut self.path),
            ("faint", &mut self.faint),
            ("key", &mut self.key),
        ]
    }

    /// Returns the names of the colours with a contrast below 3 on the background or on a tile.
    ///
    /// Such colours are hard to read (WCAG 2.2, 1.4.11).
    pub(crate) fn low_contrast_colours(mut self) -> Vec<&'static str> {
        let behind = [self.ground, self.tile];
        let is_hard = |colour: Color| behind.iter().any(|&place| contrast_ratio(colour, place) < 3.0);
        let named = self.named_colours_mut().into_iter();
        let named = named.filter(|(name, _)| !["background", "tile"].contains(name));
        named.filter(|(_, colour)| is_hard(**colour)).map(|(name, _)| name).collect()
    }

    /// Returns the colour for a tint, where `hues` are those of First and Second.
    pub fn tint_colour(&self, tint: Tint, hues: [Hue; 2]) -> Color {
        let side = |side: Side| self.side_colour(hues[side.index()]);
        match tint {
            Tint::Ground => self.ground,
            Tint::Tile(shade) => mix_colours(self.tile, self.text, [0, 5, 10, 2, 4, 6][shade % 6]),
            Tint::Lit => mix_colours(self.tile, self.text, 14),
            Tint::Won(winner) => mix_colours(self.tile, side(winner), 20),
            // The shade of a piece varies with the shade of its tile, so that the contrast is kept.
            Tint::Piece(owner, shade) => mix_colours(side(owner), self.tile, [7, 3, 0][shade % 3]),
            Tint::Of(role) => self.role_style(role, hues).fg.unwrap_or(self.text),
        }
    }

    fn side_colour(&self, hue: Hue) -> Color {
        self.sides[hue as usize]
    }

    fn role_style(&self, role: PaintRole, hues: [Hue; 2]) -> Style {
        let [first, second] = hues.map(|hue| Style::new().fg(self.side_colour(hue)));
        let plain = Style::new().fg(self.text);
        match role {
            PaintRole::Plain => plain,
            PaintRole::Label | PaintRole::Frame => plain.fg(self.faint),
            PaintRole::First => first.bold(),
            PaintRole::Second => second.bold(),
            PaintRole::FirstWon => first.bold().reversed(),
            PaintRole::SecondWon => second.bold().reversed(),
            PaintRole::Last | PaintRole::Cursor | PaintRole::Hint => plain.fg(self.mark).bold(),
            PaintRole::Allowed => plain.fg(self.allowed).bold(),
            PaintRole::Refused => plain.fg(self.refused).bold(),
            PaintRole::Path => plain.fg(self.path),
        }
    }

    fn part_style(&self, part: ScreenPart) -> Style {
        let plain = Style::new().fg(self.text);
        match part {
            ScreenPart::Title => plain.bg(mix_colours(self.ground, self.text, 8)).bold(),
            ScreenPart::Faint => plain.fg(self.faint),
            ScreenPart::Key => plain.fg(self.key).bold(),
            ScreenPart::Heading => plain.bold(),
            ScreenPart::Plain => plain,
        }
    }
}

/// Theme defined in the config file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomTheme {
    /// Name of the theme.
    pub name: String,
    /// Palette of the theme.
    pub palette: Palette,
}

/// Colour theme, as chosen by `--theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// A dark or light theme, depending on the terminal's background.
    #[default]
    Auto,
    /// Light text on a dark background.
    Dark,
    /// Dark text on a light background.
    Light,
    /// Colours for all kinds of colour vision, on a dark or light background.
    ColourBlind,
    /// White and bright colours on black.
    Contrast,
    /// Bold, dim and reversed text without colours, on the terminal's background.
    Mono,
    /// The terminal's sixteen colours, on its background.
    Terminal,
    /// Theme defined in the config file.
    Own(&'static CustomTheme),
}

/// Part of the screen outside the board, with a style of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScreenPart {
    /// The title in the first row, and the current choice.
    Title,
    /// Frames, and actions that are not possible now.
    Faint,
    /// The names of keys.
    Key,
    /// Headings.
    Heading,
    /// Ordinary text.
    Plain,
}

/// Brightness of a terminal's background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalBackground {
    /// A dark background with light text.
    Dark,
    /// A light background with dark text.
    Light,
}

impl TerminalBackground {
    /// Classifies a background colour as dark or light. Its components range from 0 to 1.
    pub fn from_colour([red, green, blue]: [f64; 3]) -> Self {
        // Brightness with the luma weights of analogue television.
        let brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
        if brightness > 0.5 { TerminalBackground::Light } else { TerminalBackground::Dark }
    }
}

/// Background of the terminal, if it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KnownBackground {
    /// The terminal has not been asked.
    #[default]
    Unasked,
    /// The terminal was asked and has not answered yet.
    Asked,
    /// The terminal has reported its background.
    Reported(TerminalBackground),
}

impl KnownBackground {
    /// Returns the background that themes assume, or `None` before the terminal was asked.
    ///
    /// It is dark if the terminal does not report its background.
    pub fn background_for_theme(self) -> Option<TerminalBackground> {
        match self {
            KnownBackground::Unasked => None,
            KnownBackground::Asked => Some(TerminalBackground::Dark),
            KnownBackground::Reported(ground) => Some(ground),
        }
    }
}

/// Range of colours that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    /// No colours, or the user does not want colours.
    None,
    /// The sixteen colours of the terminal.
    Sixteen,
    /// The 256 colours of xterm.
    Indexed {
        /// `true` if the terminal may show all colours and can be asked.
        may_have_all: bool,
    },
    /// All RGB colours.
    All,
}

impl ColorDepth {
    /// Reports whether the terminal can show a theme's own palette.
    pub(super) fn supports_palettes(self) -> bool {
        matches!(self, ColorDepth::Indexed { .. } | ColorDepth::All)
    }
}

/// Returns the xterm colour that is nearest to an RGB colour.
///
/// It is one of the 240 that all terminals with 256 colours share: the cube with six levels and the
/// greys.
#[must_use]
pub fn nearest_xterm_colour(colour: Color) -> Color {
    let Color::Rgb(red, green, blue) = colour else { return colour };
    let wanted = [red, green, blue];
    let distance = |shown: [u8; 3]| -> u32 {
        let part = |i: usize| u32::from(wanted[i].abs_diff(shown[i])).pow(2);
        part(0) + part(1) + part(2)
    };
    let level = |part: u8| {
        (0..6).min_by_key(|&level| XTERM_CUBE_LEVELS[usize::from(level)].abs_diff(part)).unwrap_or(0)
    };
    let [r, g, b] = wanted.map(level);
    let grey = (u32::from(red) + u32::from(green) + u32::from(blue)) / 3;
    let step = u8::try_from((grey.saturating_sub(3) / 10).min(23)).unwrap_or(23);
    let in_cube = [r, g, b].map(|level| XTERM_CUBE_LEVELS[usize::from(level)]);
    let is_grey = distance([8 + 10 * step; 3]) < distance(in_cube);
    Color::Indexed(if is_grey { 232 + step } else { 16 + 36 * r + 6 * g + b })
}

/// Component values of the xterm colour cube.
const XTERM_CUBE_LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl Theme {
    /// Built-in themes, in the order of the menu.
    pub const BUILT_IN: [Theme; 7] = [
        Theme::Auto,
        Theme::Dark,
        Theme::Light,
        Theme::ColourBlind,
        Theme::Contrast,
        Theme::Mono,
        Theme::Terminal,
    ];

    /// Returns the theme's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Dark => "dark",
            Theme::Light => "light",
            Theme::ColourBlind => "colour-blind",
            Theme::Contrast => "contrast",
            Theme::Mono => "mono",
            Theme::Terminal => "terminal",
            Theme::Own(own) => &own.name,
        }
    }

    /// Finds a theme by its name among the built-in and the custom themes.
    ///
    /// # Errors
    ///
    /// Fails with a list of all theme names if there is no such theme.
    pub fn find_by_name(name: &str, own: &'static [CustomTheme]) -> Result<Theme, String> {
        Theme::built_in_and_custom(own).find(|theme| theme.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Theme::built_in_and_custom(own).map(Theme::name).collect();
            format!("there is no theme {}; themes are {}", Refusal::sanitize_excerpt(name), names.join(", "))
        })
    }

    /// Returns the built-in themes, followed by the custom themes.
    fn built_in_and_custom(own: &'static [CustomTheme]) -> impl Iterator<Item = Theme> {
        Theme::BUILT_IN.into_iter().chain(own.iter().map(Theme::Own))
    }

    /// Returns the theme `step` places after this one, or before it if `step` is negative.
    #[must_use]
    pub fn step_from(self, step: isize, own: &'static [CustomTheme]) -> Self {
        let all: Vec<Theme> = Theme::built_in_and_custom(own).collect();
        let place = all.iter().position(|theme| *theme == self).unwrap_or(0).cast_signed();
        all[(place + step).rem_euclid(all.len().cast_signed()).cast_unsigned()]
    }

    /// Reports whether the theme depends on the terminal's background.
    pub(crate) fn depends_on_background(self) -> bool {
        matches!(self, Theme::Auto | Theme::ColourBlind)
    }

    /// Returns the theme's palette for a terminal with this background.
    ///
    /// Returns `None` if the theme uses the terminal's own colours.
    pub fn palette(self, ground: Option<TerminalBackground>) -> Option<&'static Palette> {
        match (self, ground) {
            (Theme::Auto, Some(TerminalBackground::Dark)) | (Theme::Dark, _) => Some(&Palette::DARK),
            (Theme::Auto, Some(TerminalBackground::Light)) | (Theme::Light, _) => Some(&Palette::LIGHT),
            (Theme::ColourBlind, Some(TerminalBackground::Light)) => Some(&Palette::COLOUR_BLIND_LIGHT),
            (Theme::ColourBlind, _) => Some(&Palette::COLOUR_BLIND_DARK),
            (Theme::Contrast, _) => Some(&Palette::HIGH_CONTRAST),
            (Theme::Own(own), _) => Some(&own.palette),
            (Theme::Auto, None) | (Theme::Mono | Theme::Terminal, _) => None,
        }
    }
}

/// Theme on a particular terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TerminalTheme {
    pub(super) theme: Theme,
    pub(super) depth: ColorDepth,
    pub(super) ground: Option<TerminalBackground>,
}

impl TerminalTheme {
    /// Returns the theme's palette, if the terminal can show it.
    pub(super) fn palette(self) -> Option<&'static Palette> {
        self.theme.palette(self.ground).filter(|_| self.depth.supports_palettes())
    }

    /// Reports whether the theme shows no colours on this terminal.
    fn has_no_colours(self) -> bool {
        self.theme == Theme::Mono || self.depth == ColorDepth::None
    }

    /// Returns the style of a board character, where `hues` are those of First and Second.
    pub(super) fn role_style(self, role: PaintRole, hues: [Hue; 2]) -> Style {
        if let Some(palette) = self.palette() {
            return palette.role_style(role, hues);
        }
        let (plain, bold) = (Style::new(), Style::new().bold());
        match (self.has_no_colours(), role) {
            (_, PaintRole::Plain) | (true, PaintRole::Second | PaintRole::Path) => plain,
            (_, PaintRole::Label | PaintRole::Frame) if self.theme == Theme::Contrast => plain,
            (_, PaintRole::Label | PaintRole::Frame) => plain.dim(),
            (false, PaintRole::First) => bold.light_red(),
            (false, PaintRole::Second) => bold.light_blue(),
            (false, PaintRole::FirstWon) => bold.light_red().reversed(),
            (false, PaintRole::SecondWon) => bold.light_blue().reversed(),
            (false, PaintRole::Last | PaintRole::Cursor | PaintRole::Hint) => bold.light_magenta(),
            (false, PaintRole::Allowed) => bold.green(),
            (false, PaintRole::Refused) => bold.magenta(),
            (false, PaintRole::Path) => plain.cyan(),
            (true, PaintRole::First | PaintRole::Allowed | PaintRole::Refused) => bold,
            (true, PaintRole::FirstWon | PaintRole::Last | PaintRole::Cursor | PaintRole::Hint) => {
                bold.reversed()
            }
            (true, PaintRole::SecondWon) => plain.reversed(),
        }
    }

    /// Returns the style of a part of the screen outside the board.
    pub(super) fn part_style(self, part: ScreenPart) -> Style {
        if let Some(palette) = self.palette() {
            return palette.part_style(part);
        }
        let plain = Style::new();
        match part {
            ScreenPart::Title => plain.reversed(),
            ScreenPart::Faint if self.theme == Theme::Contrast => plain,
            ScreenPart::Faint => plain.dim(),
            ScreenPart::Key if !self.has_no_colours() => plain.cyan().bold(),
            ScreenPart::Key => plain.bold(),
            ScreenPart::Heading => plain.bold().not_dim(), // the frame around it is dim
            ScreenPart::Plain => plain,
        }
    }
}
