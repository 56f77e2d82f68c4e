//! The abilities of the terminal, and the wishes of the environment variables.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use anyhow::Result;

use super::usage;
use crate::canvas::Glyphs;
use crate::cli;
use crate::ui::tui::ColorDepth;

/// Reports whether to fill the screen: on a terminal, unless --plain, or TERM is dumb.
pub(super) fn is_full_screen(play: &cli::Play) -> Result<bool> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if play.tui && !is_terminal {
        return Err(usage("--tui needs a terminal on standard input and standard output"));
    }
    Ok(play.tui || (is_terminal && is_able() && !play.plain && !play.json))
}

/// Returns the columns of the window that a person reads in.
pub(super) fn width(is_dialogue: bool) -> Option<usize> {
    let is_window = is_dialogue && io::stdout().is_terminal();
    let (columns, _) = is_window.then(crossterm::terminal::size)?.ok()?;
    (columns > 0).then_some(columns.into())
}

/// Returns an environment variable; an empty one counts as none.
fn setting(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Reports whether the terminal understands more than text.
fn is_able() -> bool {
    setting("TERM").is_some_and(|term| term != "dumb")
}

/// Reports whether colours are requested even where no terminal shows them.
fn is_forced() -> bool {
    setting("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}

/// Prints the help, or the error in a command line. clap decides about colours, but colours every
/// terminal if `CI` is set; a terminal that takes only text gets none.
pub(super) fn print_unread(error: &clap::Error) -> io::Result<()> {
    match (is_forced() || is_able(), error.use_stderr()) {
        (true, _) => error.print(),
        (false, true) => write!(io::stderr(), "{}", error.render()),
        (false, false) => write!(io::stdout(), "{}", error.render()),
    }
}

/// Reports whether the answers are coloured.
pub(super) fn has_colour(when: cli::When) -> bool {
    let has_colour = match when {
        cli::When::Always => true,
        cli::When::Never => false,
        cli::When::Auto => {
            setting("NO_COLOR").is_none() && (is_forced() || is_able() && io::stdout().is_terminal())
        }
    };
    crossterm::style::force_color_output(has_colour);
    has_colour
}

/// Returns the number of colours of the full screen, as far as the environment reports it; enough
/// for tiles if the player requests those in any case.
pub(super) fn depth(when: cli::When, wants_tiles: bool) -> ColorDepth {
    let of_term = |wanted: &[&str]| {
        let term = setting("TERM").and_then(|term| term.into_string().ok()).unwrap_or_default();
        wanted.iter().any(|part| term.contains(part))
    };
    let has_all = setting("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
    match () {
        () if !has_colour(when) => ColorDepth::None,
        () if has_all || of_term(&["-direct", "-truecolor"]) => ColorDepth::All,
        // macOS's terminal prints the question, and has 256.
        () if wants_tiles || of_term(&["256color"]) => ColorDepth::Indexed {
            may_have_all: setting("TERM_PROGRAM").is_none_or(|program| program != "Apple_Terminal"),
        },
        () => ColorDepth::Sixteen,
    }
}

/// Returns the characters that the flag asks for, or that the locale can show.
pub(super) fn glyphs(set: cli::Glyphs) -> Glyphs {
    match set {
        cli::Glyphs::Unicode => Glyphs::Unicode,
        cli::Glyphs::Narrow => Glyphs::Narrow,
        cli::Glyphs::Ascii => Glyphs::Ascii,
        cli::Glyphs::Auto => {
            let locale =
                ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| setting(name)?.into_string().ok());
            let is_utf8 =
                locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
            let is_console = setting("TERM").is_some_and(|term| term == "linux");
            if is_utf8 && !is_console { Glyphs::Unicode } else { Glyphs::Ascii }
        }
    }
}
