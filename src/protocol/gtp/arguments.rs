//! Parsers for the arguments of GTP commands.

use super::{GtpBoard, GtpState};
use crate::game::Side;
use crate::protocol::shell::{CommandFailure, SYNTAX_ERROR};

/// Returns a command failure with this message.
pub(super) fn fail_with<T>(why: &'static str) -> Result<T, CommandFailure> {
    Err(why.into())
}

/// Converts `None` to a syntax error.
pub(super) fn or_syntax_error<T>(read: Option<T>) -> Result<T, CommandFailure> {
    read.ok_or(SYNTAX_ERROR.into())
}

/// Returns the arguments if there are exactly `N`.
pub(super) fn exact_arguments<'a, const N: usize>(
    arguments: &[&'a str],
) -> Result<[&'a str; N], CommandFailure> {
    let needs = if N == 1 { "1 argument".to_owned() } else { format!("{N} arguments") };
    arguments.try_into().map_err(|_| format!("command needs {needs}").into())
}

/// Returns the argument if there is one, or fails if there are more.
pub(super) fn optional_argument<'a>(arguments: &[&'a str]) -> Result<Option<&'a str>, CommandFailure> {
    match arguments {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => fail_with("command needs 0 or 1 arguments"),
    }
}

/// Parses a colour. Black is First.
pub(super) fn parse_color(text: &str) -> Result<Side, CommandFailure> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => fail_with(SYNTAX_ERROR),
    }
}

/// Returns the colour of a side.
pub(super) fn color_name(side: Side) -> &'static str {
    if side == Side::First { "black" } else { "white" }
}

/// Parses a whole number. Numbers that are too large saturate.
pub(super) fn parse_number(text: &str) -> Result<u32, CommandFailure> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    or_syntax_error(is_number.then(|| text.parse().unwrap_or(u32::MAX)))
}

/// Parses an optional colour, which defaults to the colour to move.
pub(super) fn parse_color_or_mover<G: GtpBoard>(
    gtp: &GtpState<G>,
    arguments: &[&str],
) -> Result<Side, CommandFailure> {
    let mover = gtp.wire_frame().map_side(gtp.history.position().to_move());
    optional_argument(arguments)?.map_or(Ok(mover), parse_color)
}
