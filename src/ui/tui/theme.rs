//! Colours and attributes. A character always says the same as a colour.

use ratatui_core::style::{Color, Style};

use crate::canvas::{Hue, Role};
use crate::drawing::Tint;
use crate::game::{Refusal, Side};

/// Colours of a theme that has its own, also for the background; each can be read on the background
/// and on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Background of everything.
    pub ground: Color,
    /// Background of the cells of a board that are tiles.
    pub tile: Color,
    /// Text that has no colour of its own.
    pub text: Color,
    /// The sides that are called Red, Blue, White and Black, in the order of [`Hue::ALL`].
    pub sides: [Color; 4],
    /// The last move, the cursor, a hint.
    pub mark: Color,
    /// A place where something may be played.
    pub allowed: Color,
    /// A place where it may not.
    pub refused: Color,
    /// Paths and bridges.
    pub path: Color,
    /// Frames, labels, what is not possible now.
    pub faint: Color,
    /// The names of keys.
    pub key: Color,
}

const fn rgb(number: u32) -> Color {
    let [_, red, green, blue] = number.to_be_bytes();
    Color::Rgb(red, green, blue)
}

/// Returns the luminance of a colour, from 0 to 1 (WCAG 2.2, relative luminance).
fn luminance(colour: Color) -> f64 {
    let Color::Rgb(red, green, blue) = colour else { return 0.0 };
    let part = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

/// Returns the contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio).
fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Mixes hundredths of another colour into a colour.
fn mixed(colour: Color, other: Color, hundredths: u16) -> Color {
    let (Color::Rgb(r, g, b), Color::Rgb(red, green, blue)) = (colour, other) else { return colour };
    let part = |one: u8, other: u8| {
        let sum = u16::from(one) * (100 - hundredths) + u16::from(other) * hundredths;
        u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
    };
    Color::Rgb(part(r, red), part(g, green), part(b, blue))
}

impl Palette {
    /// Colours on a dark background.
    pub const DARK: Palette = Palette {
        ground: rgb(0x1e_2127),
        tile: rgb(0x2e_333d),
        text: rgb(0xe0_e2e8),
        sides: [rgb(0xff_7b86), rgb(0x8c_c8ff), rgb(0xff_f0c8), rgb(0xc3_a6ff)],
        mark: rgb(0xef_c154),
        allowed: rgb(0xb6_edae),
        refused: rgb(0xda_9254),
        path: rgb(0x7f_d4dd),
        faint: rgb(0x9b_a1ad),
        key: rgb(0x7f_d4dd),
    };

    /// Colours on a light background.
    pub const LIGHT: Palette = Palette {
        ground: rgb(0xfb_faf7),
        tile: rgb(0xe8_e5df),
        text: rgb(0x24_272e),
        sides: [rgb(0xb3_202e), rgb(0x01_3c8d), rgb(0x8f_4a00), rgb(0x00_0000)],
        mark: rgb(0x7a_44d8),
        allowed: rgb(0x1f_6f1f),
        refused: rgb(0x99_2b76),
        path: rgb(0x00_6a75),
        faint: rgb(0x64_6464),
        key: rgb(0x00_6a75),
    };

    /// Orange and sky blue in place of red and blue, for those who see no difference between red and green.
    const COLOUR_BLIND_DARK: Palette = Palette {
        sides: [rgb(0xd7_a418), rgb(0x58_b5ea), rgb(0xe8_f7f9), rgb(0x58_b5ea)],
        mark: rgb(0xfd_eb44),
        allowed: rgb(0x49_c893),
        refused: rgb(0xd4_95be),
        ..Palette::DARK
    };

    const COLOUR_BLIND_LIGHT: Palette = Palette {
        sides: [rgb(0x8a_5000), rgb(0x00_5f98), rgb(0x8a_5000), rgb(0x00_0000)],
        mark: rgb(0x3e_2d10),
        allowed: rgb(0x20_6a46),
        refused: rgb(0x90_4878),
        ..Palette::LIGHT
    };

    /// Black, white and bright colours.
    pub(crate) const CONTRAST: Palette = Palette {
        ground: rgb(0x00_0000),
        tile: rgb(0x1c_1c1c),
        text: rgb(0xff_ffff),
        sides: [rgb(0xff_9c9c), rgb(0x7c_e0ff), rgb(0xff_ffff), rgb(0x7c_e0ff)],
        mark: rgb(0xed_e24a),
        allowed: rgb(0x8c_ff8c),
        refused: rgb(0xff_a0ff),
        path: rgb(0x9f_f5ff),
        faint: rgb(0xc8_c8c8),
        key: rgb(0x9f_f5ff),
    };

    /// Returns a colour by its number, such as 0x1e2127.
    pub fn colour(number: u32) -> Color {
        rgb(number)
    }

    /// Returns the colours by the names that the config file has for them.
    pub fn named(&mut self) -> [(&'static str, &mut Color); 13] {
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

    /// Returns the names of the colours that are hard to read: those with a contrast below 3 on the
    /// background or on a tile (WCAG 2.2, 1.4.11).
    pub(crate) fn hard_to_read(mut self) -> Vec<&'static str> {
        let behind = [self.ground, self.tile];
        let is_hard = |colour: Color| behind.iter().any(|&place| contrast(colour, place) < 3.0);
        let named = self.named().into_iter();
        let named = named.filter(|(name, _)| !["background", "tile"].contains(name));
        named.filter(|(_, colour)| is_hard(**colour)).map(|(name, _)| name).collect()
    }

    /// Returns the colour of a pixel, or of a sign over the pixels.
    pub fn tint(&self, tint: Tint, hues: [Hue; 2]) -> Color {
        let side = |side: Side| self.side(hues[side.index()]);
        match tint {
            Tint::Ground => self.ground,
            Tint::Tile(shade) => mixed(self.tile, self.text, [0, 5, 10, 2, 4, 6][shade % 6]),
            Tint::Lit => mixed(self.tile, self.text, 14),
            Tint::Won(winner) => mixed(self.tile, side(winner), 20),
            // The more a tile differs from the background, the more does the piece on it.
            Tint::Piece(owner, shade) => mixed(side(owner), self.tile, [7, 3, 0][shade % 3]),
            Tint::Of(role) => self.role(role, hues).fg.unwrap_or(self.text),
        }
    }

    fn side(&self, hue: Hue) -> Color {
        self.sides[hue as usize]
    }

    fn role(&self, role: Role, hues: [Hue; 2]) -> Style {
        let [first, second] = hues.map(|hue| Style::new().fg(self.side(hue)));
        let plain = Style::new().fg(self.text);
        match role {
            Role::Plain => plain,
            Role::Label | Role::Frame => plain.fg(self.faint),
            Role::First => first.bold(),
            Role::Second => second.bold(),
            Role::FirstWon => first.bold().reversed(),
            Role::SecondWon => second.bold().reversed(),
            Role::Last | Role::Cursor | Role::Hint => plain.fg(self.mark).bold(),
            Role::Allowed => plain.fg(self.allowed).bold(),
            Role::Refused => plain.fg(self.refused).bold(),
            Role::Path => plain.fg(self.path),
        }
    }

    fn part(&self, part: Part) -> Style {
        let plain = Style::new().fg(self.text);
        match part {
            Part::Title => plain.bg(mixed(self.ground, self.text, 8)).bold(),
            Part::Faint => plain.fg(self.faint),
            Part::Key => plain.fg(self.key).bold(),
            Part::Heading => plain.bold(),
            Part::Plain => plain,
        }
    }
}

/// Theme of the config file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTheme {
    /// Name of the theme.
    pub name: String,
    /// Its colours.
    pub palette: Palette,
}

/// Set of colours; `--theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark or light, as the terminal's own background is.
    #[default]
    Auto,
    /// Light on dark.
    Dark,
    /// Dark on light.
    Light,
    /// Colours that everybody can tell apart, on a dark or a light background.
    ColourBlind,
    /// White and bright colours on black.
    Contrast,
    /// Bold, dim and reversed only, on the terminal's own background.
    Mono,
    /// The terminal's own sixteen colours, on its own background.
    Terminal,
    /// A theme of the config file.
    Own(&'static OwnTheme),
}

/// Parts of the screen beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The title in the first row, and the current choice.
    Title,
    /// Frames, and text on what is not possible now.
    Faint,
    /// The names of keys.
    Key,
    /// Headings.
    Heading,
    /// The status line.
    Plain,
}

/// Kind of background of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// A dark background, with light letters.
    Dark,
    /// A light background, with dark letters.
    Light,
}

impl Background {
    /// Returns the kind of a background of this colour; each part is from 0 to 1.
    pub fn of([red, green, blue]: [f64; 3]) -> Self {
        // How bright it looks, as television weighs the parts.
        let brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
        if brightness > 0.5 { Background::Light } else { Background::Dark }
    }
}

/// Background of the terminal, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KnownBackground {
    /// The terminal has not been asked.
    #[default]
    Unasked,
    /// The terminal was asked, and has not answered.
    Asked,
    /// The terminal has reported it.
    Told(Background),
}

impl KnownBackground {
    /// Returns the background for a theme; dark where the terminal does not report it. `None`
    /// before it was asked.
    pub fn seen(self) -> Option<Background> {
        match self {
            KnownBackground::Unasked => None,
            KnownBackground::Asked => Some(Background::Dark),
            KnownBackground::Told(ground) => Some(ground),
        }
    }
}

/// Number of colours that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    /// No colours, or none are wanted.
    None,
    /// The terminal's own sixteen.
    Sixteen,
    /// The 256 colours of xterm.
    Indexed {
        /// `true` if there may be more, and the terminal can be asked.
        may_have_all: bool,
    },
    /// All colours.
    All,
}

impl ColorDepth {
    /// Reports whether themes bring their own colours.
    pub(super) fn has_palettes(self) -> bool {
        matches!(self, ColorDepth::Indexed { .. } | ColorDepth::All)
    }
}

/// Returns the nearest of the 240 colours that are the same on all terminals of 256: a cube of six
/// levels, and greys.
#[must_use]
pub fn indexed(colour: Color) -> Color {
    let Color::Rgb(red, green, blue) = colour else { return colour };
    let wanted = [red, green, blue];
    let distance = |shown: [u8; 3]| -> u32 {
        let part = |i: usize| u32::from(wanted[i].abs_diff(shown[i])).pow(2);
        part(0) + part(1) + part(2)
    };
    let level = |part: u8| (0..6).min_by_key(|&level| LEVELS[usize::from(level)].abs_diff(part)).unwrap_or(0);
    let [r, g, b] = wanted.map(level);
    let grey = (u32::from(red) + u32::from(green) + u32::from(blue)) / 3;
    let step = u8::try_from((grey.saturating_sub(3) / 10).min(23)).unwrap_or(23);
    let in_cube = [r, g, b].map(|level| LEVELS[usize::from(level)]);
    let is_grey = distance([8 + 10 * step; 3]) < distance(in_cube);
    Color::Indexed(if is_grey { 232 + step } else { 16 + 36 * r + 6 * g + b })
}

/// Levels of the cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl Theme {
    /// Built-in themes.
    pub const ALL: [Theme; 7] = [
        Theme::Auto,
        Theme::Dark,
        Theme::Light,
        Theme::ColourBlind,
        Theme::Contrast,
        Theme::Mono,
        Theme::Terminal,
    ];

    /// Returns the name on the command line.
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

    /// Returns the theme of this name, among the built-in ones and these.
    ///
    /// # Errors
    ///
    /// Lists the names of all themes in a sentence, if there is none of this name.
    pub fn find(name: &str, own: &'static [OwnTheme]) -> Result<Theme, String> {
        Theme::all(own).find(|theme| theme.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Theme::all(own).map(Theme::name).collect();
            format!("there is no theme {}; themes are {}", Refusal::shown(name), names.join(", "))
        })
    }

    /// Returns the built-in themes, then these.
    fn all(own: &'static [OwnTheme]) -> impl Iterator<Item = Theme> {
        Theme::ALL.into_iter().chain(own.iter().map(Theme::Own))
    }

    /// Returns the theme after this one, or with a step of -1 the one before it.
    #[must_use]
    pub fn beside(self, step: isize, own: &'static [OwnTheme]) -> Self {
        let all: Vec<Theme> = Theme::all(own).collect();
        let place = all.iter().position(|theme| *theme == self).unwrap_or(0).cast_signed();
        all[(place + step).rem_euclid(all.len().cast_signed()).cast_unsigned()]
    }

    /// Reports whether it depends on the background of the terminal.
    pub(crate) fn asks_for_ground(self) -> bool {
        matches!(self, Theme::Auto | Theme::ColourBlind)
    }

    /// Returns its own colours on a terminal of this background, as far as that is known; `None` if
    /// it takes those of the terminal.
    pub fn palette(self, ground: Option<Background>) -> Option<&'static Palette> {
        match (self, ground) {
            (Theme::Auto, Some(Background::Dark)) | (Theme::Dark, _) => Some(&Palette::DARK),
            (Theme::Auto, Some(Background::Light)) | (Theme::Light, _) => Some(&Palette::LIGHT),
            (Theme::ColourBlind, Some(Background::Light)) => Some(&Palette::COLOUR_BLIND_LIGHT),
            (Theme::ColourBlind, _) => Some(&Palette::COLOUR_BLIND_DARK),
            (Theme::Contrast, _) => Some(&Palette::CONTRAST),
            (Theme::Own(own), _) => Some(&own.palette),
            (Theme::Auto, None) | (Theme::Mono | Theme::Terminal, _) => None,
        }
    }
}

/// Theme on a certain terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    pub(super) theme: Theme,
    pub(super) depth: ColorDepth,
    pub(super) ground: Option<Background>,
}

impl Ink {
    /// Returns the colours that are the theme's own here.
    pub(super) fn palette(self) -> Option<&'static Palette> {
        self.theme.palette(self.ground).filter(|_| self.depth.has_palettes())
    }

    /// Reports whether the theme shows no colours: without its own it is one of those that have
    /// none.
    fn is_mono(self) -> bool {
        self.theme == Theme::Mono || self.depth == ColorDepth::None
    }

    /// Returns the style of a character of the board; `hues` are those of First and Second.
    pub(super) fn role(self, role: Role, hues: [Hue; 2]) -> Style {
        if let Some(palette) = self.palette() {
            return palette.role(role, hues);
        }
        let (plain, bold) = (Style::new(), Style::new().bold());
        match (self.is_mono(), role) {
            (_, Role::Plain) | (true, Role::Second | Role::Path) => plain,
            (_, Role::Label | Role::Frame) if self.theme == Theme::Contrast => plain,
            (_, Role::Label | Role::Frame) => plain.dim(),
            (false, Role::First) => bold.light_red(),
            (false, Role::Second) => bold.light_blue(),
            (false, Role::FirstWon) => bold.light_red().reversed(),
            (false, Role::SecondWon) => bold.light_blue().reversed(),
            (false, Role::Last | Role::Cursor | Role::Hint) => bold.light_magenta(),
            (false, Role::Allowed) => bold.green(),
            (false, Role::Refused) => bold.magenta(),
            (false, Role::Path) => plain.cyan(),
            (true, Role::First | Role::Allowed | Role::Refused) => bold,
            (true, Role::FirstWon | Role::Last | Role::Cursor | Role::Hint) => bold.reversed(),
            (true, Role::SecondWon) => plain.reversed(),
        }
    }

    /// Returns the style of a part of the rest of the screen.
    pub(super) fn part(self, part: Part) -> Style {
        if let Some(palette) = self.palette() {
            return palette.part(part);
        }
        let plain = Style::new();
        match part {
            Part::Title => plain.reversed(),
            Part::Faint if self.theme == Theme::Contrast => plain,
            Part::Faint => plain.dim(),
            Part::Key if !self.is_mono() => plain.cyan().bold(),
            Part::Key => plain.bold(),
            Part::Heading => plain.bold().not_dim(), // it stands in a frame, which is dim
            Part::Plain => plain,
        }
    }
}
