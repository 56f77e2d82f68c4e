//! GTP commands of referees and graphical user interfaces.
//!
//! Some of the commands have no effect here.

use super::arguments::{color_name, exact_arguments, optional_argument, or_syntax_error, parse_color};
use super::{GtpBoard, GtpState};
use crate::board::names::cell_name;
use crate::game::{Outcome, Side};
use crate::protocol::shell::{CommandResult, succeed_with};

/// Handles `komi NUMBER`, which has no effect.
pub(super) fn handle_komi<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [komi] = exact_arguments::<1>(arguments)?;
    or_syntax_error(komi.parse::<f64>().ok().filter(|komi| komi.is_finite()))?;
    succeed_with("")
}

/// Handles `cputime`: shows the CPU time of this process, in seconds.
pub(super) fn handle_cputime<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with(
        &crate::platform::process_cpu_time()
            .map_or_else(|| "0".to_owned(), |time| format!("{:.3}", time.as_secs_f64())),
    )
}

/// Handles `set_random_seed SEED`, which is equivalent to `param_engine seed SEED`.
pub(super) fn handle_set_random_seed<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
) -> CommandResult {
    let [seed] = exact_arguments::<1>(arguments)?;
    gtp.seats.seed = or_syntax_error(seed.parse().ok().filter(|_| !seed.starts_with('+')))?;
    gtp.seats.reset_engines();
    succeed_with("")
}

/// Accepts a command for the search of another engine. It has no effect here.
pub(super) fn accept_without_effect<G: GtpBoard>(_: &mut GtpState<G>, _: &[&str]) -> CommandResult {
    succeed_with("")
}

/// Handles `vc-build [COLOR]`, which has no effect.
pub(super) fn handle_vc_build<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    optional_argument(arguments)?.map(parse_color).transpose()?;
    succeed_with("")
}

/// Handles `gogui-rules_game_id`: shows the name of the game as one capitalized word.
pub(super) fn handle_rules_game_id<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    let mut letters = G::GAME_NAME.chars().filter(char::is_ascii_alphabetic);
    succeed_with(
        &letters
            .next()
            .map(|first| first.to_ascii_uppercase())
            .into_iter()
            .chain(letters)
            .collect::<String>(),
    )
}

/// Handles `gogui-rules_board_size`.
pub(super) fn handle_rules_board_size<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with(&gtp.history.position().size().to_string())
}

/// Handles `gogui-rules_board`: shows one row of the board per line, with `X` for black and `O` for white.
pub(super) fn handle_rules_board<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    let (game, frame) = (gtp.history.position(), gtp.wire_frame());
    let sign = |place| match game.stone_at(frame.map_coordinates(place)).map(|side| frame.map_side(side)) {
        None => ".",
        Some(Side::First) => "X",
        Some(Side::Second) => "O",
    };
    let size = game.size();
    let row = |row| (0..size).map(|col| sign((row, col))).collect::<Vec<_>>().join(" ");
    succeed_with(&(0..size).map(row).collect::<Vec<_>>().join("\n"))
}

/// Handles `gogui-rules_legal_moves`: lists the empty cells.
pub(super) fn handle_rules_legal_moves<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    if gtp.history.is_over() {
        return succeed_with("");
    }
    succeed_with(&gtp.empty_cells().map(|(row, col)| cell_name(col, row)).collect::<Vec<_>>().join(" "))
}

/// Handles `gogui-rules_side_to_move`.
pub(super) fn handle_rules_side_to_move<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with(color_name(gtp.wire_frame().map_side(gtp.history.position().to_move())))
}

/// Handles `gogui-rules_final_result`: shows the winner, or nothing before the end of the game.
pub(super) fn handle_rules_final_result<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with(match gtp.game_result() {
        None => "",
        Some(Outcome::Draw) => "Draw",
        Some(Outcome::Win(Side::First)) => "Black wins",
        Some(Outcome::Win(Side::Second)) => "White wins",
    })
}
