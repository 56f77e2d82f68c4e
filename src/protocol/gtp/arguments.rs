//! Arguments of GTP commands: their number, and the forms of each.

use super::{GtpBoard, GtpState};
use crate::game::Side;
use crate::protocol::shell::{Failure, SYNTAX};

pub(super) fn fail<T>(why: &'static str) -> Result<T, Failure> {
    Err(why.into())
}

pub(super) fn syntax<T>(read: Option<T>) -> Result<T, Failure> {
    read.ok_or(SYNTAX.into())
}

/// Returns the arguments if there are exactly `N`.
pub(super) fn exactly<'a, const N: usize>(arguments: &[&'a str]) -> Result<[&'a str; N], Failure> {
    let needs = if N == 1 { "1 argument".to_owned() } else { format!("{N} arguments") };
    arguments.try_into().map_err(|_| format!("command needs {needs}").into())
}

/// The argument, if there is one.
pub(super) fn at_most_one<'a>(arguments: &[&'a str]) -> Result<Option<&'a str>, Failure> {
    match arguments {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => fail("command needs 0 or 1 arguments"),
    }
}

/// The side that begins is black.
pub(super) fn color(text: &str) -> Result<Side, Failure> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => fail(SYNTAX),
    }
}

pub(super) fn color_name(side: Side) -> &'static str {
    if side == Side::First { "black" } else { "white" }
}

/// A whole number; one too large for anything counts as the largest.
pub(super) fn number(text: &str) -> Result<u32, Failure> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    syntax(is_number.then(|| text.parse().unwrap_or(u32::MAX)))
}

/// The colour that is named or, without a name, the one whose turn it is.
pub(super) fn color_or_mover<G: GtpBoard>(gtp: &GtpState<G>, arguments: &[&str]) -> Result<Side, Failure> {
    let mover = gtp.frame().side(gtp.history.game().to_move());
    at_most_one(arguments)?.map_or(Ok(mover), color)
}
