//! Capabilities of the terminal, and preferences in environment variables.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use anyhow::Result;

use super::usage_error;
use crate::canvas::GlyphSet;
use crate::cli;
use crate::ui::tui::ColorDepth;

/// Reports whether to use the full screen: on a terminal, unless `--plain` is given or `TERM` is `dumb`.
pub(super) fn wants_full_screen(play: &cli::PlayArgs) -> Result<bool> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if play.tui && !is_terminal {
        return Err(usage_error("--tui needs a terminal on standard input and standard output"));
    }
    Ok(play.tui || (is_terminal && is_capable_terminal() && !play.plain && !play.json))
}

/// Returns the number of columns of the player's terminal; `None` if there is no terminal.
pub(super) fn terminal_width(is_dialogue: bool) -> Option<usize> {
    let is_window = is_dialogue && io::stdout().is_terminal();
    let (columns, _) = is_window.then(crossterm::terminal::size)?.ok()?;
    (columns > 0).then_some(columns.into())
}

/// Returns an environment variable; an empty one counts as unset.
fn env_variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Reports whether the terminal understands escape sequences.
fn is_capable_terminal() -> bool {
    env_variable("TERM").is_some_and(|term| term != "dumb")
}

/// Reports whether colours are requested even without a terminal.
fn is_colour_forced() -> bool {
    env_variable("CLICOLOR_FORCE").is_some_and(|value| value != "0")
}

/// Prints the help or the error of a command line.
///
/// clap chooses the colours. But it colours the output on every terminal if `CI` is set, so
/// text-only terminals are handled here.
pub(super) fn print_clap_error(error: &clap::Error) -> io::Result<()> {
    match (is_colour_forced() || is_capable_terminal(), error.use_stderr()) {
        (true, _) => error.print(),
        (false, true) => write!(io::stderr(), "{}", error.render()),
        (false, false) => write!(io::stdout(), "{}", error.render()),
    }
}

/// Reports whether the output is coloured.
pub(super) fn wants_colour(when: cli::ColorWhen) -> bool {
    let has_colour = match when {
        cli::ColorWhen::Always => true,
        cli::ColorWhen::Never => false,
        cli::ColorWhen::Auto => {
            env_variable("NO_COLOR").is_none()
                && (is_colour_forced() || is_capable_terminal() && io::stdout().is_terminal())
        }
    };
    crossterm::style::force_color_output(has_colour);
    has_colour
}

/// Returns the colour depth of the full screen, as reported by the environment.
///
/// If the player requests tiles, the depth is at least sufficient for them.
pub(super) fn detect_colour_depth(when: cli::ColorWhen, wants_tiles: bool) -> ColorDepth {
    let of_term = |wanted: &[&str]| {
        let term = env_variable("TERM").and_then(|term| term.into_string().ok()).unwrap_or_default();
        wanted.iter().any(|part| term.contains(part))
    };
    let has_all = env_variable("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
    match () {
        () if !wants_colour(when) => ColorDepth::None,
        () if has_all || of_term(&["-direct", "-truecolor"]) => ColorDepth::All,
        // The terminal of macOS prints the query for more colours, and has 256.
        () if wants_tiles || of_term(&["256color"]) => ColorDepth::Indexed {
            may_have_all: env_variable("TERM_PROGRAM").is_none_or(|program| program != "Apple_Terminal"),
        },
        () => ColorDepth::Sixteen,
    }
}

/// Returns the characters that the flag requests, or that the locale supports.
pub(super) fn choose_glyphs(set: cli::GlyphsArg) -> GlyphSet {
    match set {
        cli::GlyphsArg::Unicode => GlyphSet::Unicode,
        cli::GlyphsArg::Narrow => GlyphSet::Narrow,
        cli::GlyphsArg::Ascii => GlyphSet::Ascii,
        cli::GlyphsArg::Auto => {
            let locale =
                ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| env_variable(name)?.into_string().ok());
            let is_utf8 =
                locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
            let is_console = env_variable("TERM").is_some_and(|term| term == "linux");
            if is_utf8 && !is_console { GlyphSet::Unicode } else { GlyphSet::Ascii }
        }
    }
}
