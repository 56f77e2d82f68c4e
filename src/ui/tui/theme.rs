//! Colours and attributes. What a colour tells, a character tells too.

use ratatui::style::{Color, Modifier, Style};

use crate::canvas::Role;

/// A set of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The terminal's own sixteen colours, on its own background.
    #[default]
    Terminal,
    /// Bold, dim and reversed only.
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
    /// Every theme, in the order of the key that changes it.
    pub const ALL: [Theme; 2] = [Theme::Terminal, Theme::Mono];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Theme::Terminal => "terminal",
            Theme::Mono => "mono",
        }
    }

    /// The theme of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The one after this.
    #[must_use]
    pub fn next(self) -> Self {
        let here = Theme::ALL.iter().position(|&theme| theme == self).unwrap_or(0);
        Theme::ALL[(here + 1) % Theme::ALL.len()]
    }

    /// How a character of the board looks.
    pub(super) fn role(self, role: Role) -> Style {
        let (plain, bold) = (Style::new(), Style::new().add_modifier(Modifier::BOLD));
        match self {
            Theme::Terminal => match role {
                Role::Plain => plain,
                Role::Label | Role::Frame => plain.add_modifier(Modifier::DIM),
                Role::First => bold.fg(Color::LightRed),
                Role::Second => bold.fg(Color::LightBlue),
                Role::FirstWon => bold.fg(Color::LightRed).add_modifier(Modifier::REVERSED),
                Role::SecondWon => bold.fg(Color::LightBlue).add_modifier(Modifier::REVERSED),
                Role::Last | Role::Cursor | Role::Hint => bold.fg(Color::LightMagenta),
                Role::Allowed => bold.fg(Color::Green),
                Role::Refused => bold.fg(Color::Magenta),
                Role::Path => plain.fg(Color::Cyan),
            },
            Theme::Mono => match role {
                Role::Plain | Role::Second | Role::Path => plain,
                Role::Label | Role::Frame => plain.add_modifier(Modifier::DIM),
                Role::First | Role::Allowed | Role::Refused => bold,
                Role::FirstWon | Role::Last | Role::Cursor | Role::Hint => {
                    bold.add_modifier(Modifier::REVERSED)
                }
                Role::SecondWon => plain.add_modifier(Modifier::REVERSED),
            },
        }
    }

    /// How the rest of the screen looks.
    pub(super) fn part(self, part: Part) -> Style {
        let plain = Style::new();
        match part {
            Part::Title => plain.add_modifier(Modifier::REVERSED),
            Part::Faint => plain.add_modifier(Modifier::DIM),
            Part::Key if self == Theme::Terminal => plain.fg(Color::Cyan).add_modifier(Modifier::BOLD),
            Part::Key | Part::Heading => plain.add_modifier(Modifier::BOLD),
            Part::Plain => plain,
        }
    }
}
