//! Colours and attributes. What a colour tells, a character tells too.

use clap::ValueEnum;
use ratatui_core::style::Style;

use crate::canvas::Role;

/// A set of colours, on the terminal's own background; `--theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// The terminal's own sixteen colours
    #[default]
    Terminal,
    /// Bold, dim and reversed only
    Mono,
}

/// The parts of the screen beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The title in the first row, and what is chosen.
    Title,
    /// Frames and what is not possible now.
    Faint,
    /// The names of keys.
    Key,
    /// Headings.
    Heading,
    /// The status line.
    Plain,
}

impl Theme {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Terminal => "terminal",
            Theme::Mono => "mono",
        }
    }

    /// The one after this.
    #[must_use]
    pub fn next(self) -> Self {
        let all = Theme::value_variants();
        all[(self as usize + 1) % all.len()]
    }

    /// How a character of the board looks.
    pub(super) fn role(self, role: Role) -> Style {
        let (plain, bold) = (Style::new(), Style::new().bold());
        match (self, role) {
            (_, Role::Plain) | (Theme::Mono, Role::Second | Role::Path) => plain,
            (_, Role::Label | Role::Frame) => plain.dim(),
            (Theme::Terminal, Role::First) => bold.light_red(),
            (Theme::Terminal, Role::Second) => bold.light_blue(),
            (Theme::Terminal, Role::FirstWon) => bold.light_red().reversed(),
            (Theme::Terminal, Role::SecondWon) => bold.light_blue().reversed(),
            (Theme::Terminal, Role::Last | Role::Cursor | Role::Hint) => bold.light_magenta(),
            (Theme::Terminal, Role::Allowed) => bold.green(),
            (Theme::Terminal, Role::Refused) => bold.magenta(),
            (Theme::Terminal, Role::Path) => plain.cyan(),
            (Theme::Mono, Role::First | Role::Allowed | Role::Refused) => bold,
            (Theme::Mono, Role::FirstWon | Role::Last | Role::Cursor | Role::Hint) => bold.reversed(),
            (Theme::Mono, Role::SecondWon) => plain.reversed(),
        }
    }

    /// How the rest of the screen looks.
    pub(super) fn part(self, part: Part) -> Style {
        let plain = Style::new();
        match part {
            Part::Title => plain.reversed(),
            Part::Faint => plain.dim(),
            Part::Key if self == Theme::Terminal => plain.cyan().bold(),
            Part::Key => plain.bold(),
            Part::Heading => plain.bold().not_dim(), // it stands in a frame, which is dim
            Part::Plain => plain,
        }
    }
}
