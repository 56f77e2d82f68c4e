//! Commands that referees and windows of other programs send: some are answered, some accepted without effect.

use super::arguments::{at_most_one, color, color_name, exactly, syntax};
use super::{GtpBoard, GtpState};
use crate::board::names::cell_name;
use crate::game::{Outcome, Side};
use crate::protocol::shell::{CommandResult, success};

/// `komi NUMBER`: accepted without effect.
pub(super) fn komi<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [komi] = exactly::<1>(arguments)?;
    syntax(komi.parse::<f64>().ok().filter(|komi| komi.is_finite()))?;
    success("")
}

/// `cputime`: the processor time that this process has used, in seconds.
pub(super) fn cpu_time<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success(
        &crate::platform::process_time()
            .map_or_else(|| "0".to_owned(), |time| format!("{:.3}", time.as_secs_f64())),
    )
}

/// `set_random_seed SEED`: the same as `param_engine seed SEED`.
pub(super) fn set_random_seed<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [seed] = exactly::<1>(arguments)?;
    gtp.seats.seed = syntax(seed.parse().ok().filter(|_| !seed.starts_with('+')))?;
    gtp.seats.forget();
    success("")
}

/// A parameter or a request of another engine's search: accepted without effect.
pub(super) fn accepted<G: GtpBoard>(_: &mut GtpState<G>, _: &[&str]) -> CommandResult {
    success("")
}

/// `vc-build [COLOR]`: accepted without effect.
pub(super) fn build_connections<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    at_most_one(arguments)?.map(color).transpose()?;
    success("")
}

/// `gogui-rules_game_id`: a capital letter and small letters.
pub(super) fn game_id<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    let mut letters = G::NAME.chars().filter(char::is_ascii_alphabetic);
    success(
        &letters
            .next()
            .map(|first| first.to_ascii_uppercase())
            .into_iter()
            .chain(letters)
            .collect::<String>(),
    )
}

pub(super) fn board_size<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success(&gtp.history.game().size().to_string())
}

/// `gogui-rules_board`: a row of the board in each line, `X` for black and `O` for white.
pub(super) fn board<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    let (game, frame) = (gtp.history.game(), gtp.frame());
    let sign = |place| match game.stone_at(frame.place(place)).map(|side| frame.side(side)) {
        None => ".",
        Some(Side::First) => "X",
        Some(Side::Second) => "O",
    };
    let size = game.size();
    let row = |row| (0..size).map(|col| sign((row, col))).collect::<Vec<_>>().join(" ");
    success(&(0..size).map(row).collect::<Vec<_>>().join("\n"))
}

/// `gogui-rules_legal_moves`: the cells on which a stone may be put.
pub(super) fn legal_moves<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    if gtp.history.is_over() {
        return success("");
    }
    success(&gtp.empty_cells().map(|(row, col)| cell_name(col, row)).collect::<Vec<_>>().join(" "))
}

pub(super) fn side_to_move<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success(color_name(gtp.frame().side(gtp.history.game().to_move())))
}

/// `gogui-rules_final_result`: who has won; nothing while the game goes on.
pub(super) fn final_result<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success(match gtp.result() {
        None => "",
        Some(Outcome::Draw) => "Draw",
        Some(Outcome::Win(Side::First)) => "Black wins",
        Some(Outcome::Win(Side::Second)) => "White wins",
    })
}
