//! Commands that referees and windows of other programs send: some are answered, some accepted without effect.

use super::arguments::{at_most_one, color, color_name, exactly, syntax};
use super::{Board, State};
use crate::board::names::cell_name;
use crate::game::{Outcome, Side};
use crate::protocol::shell::{Answer, said};

/// `komi NUMBER`: accepted without effect.
pub(super) fn komi<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    let [komi] = exactly::<1>(arguments)?;
    syntax(komi.parse::<f64>().ok().filter(|komi| komi.is_finite()))?;
    said("")
}

/// `cputime`: the processor time that this process has used, in seconds.
pub(super) fn cpu_time<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(
        &crate::platform::process_time()
            .map_or_else(|| "0".to_owned(), |time| format!("{:.3}", time.as_secs_f64())),
    )
}

/// `set_random_seed SEED`: the same as `param_engine seed SEED`.
pub(super) fn set_random_seed<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    let [seed] = exactly::<1>(arguments)?;
    gtp.seats.seed = syntax(seed.parse().ok().filter(|_| !seed.starts_with('+')))?;
    gtp.seats.forget();
    said("")
}

/// A parameter or a request of another engine's search: accepted without effect.
pub(super) fn accepted<G: Board>(_: &mut State<G>, _: &[&str]) -> Answer {
    said("")
}

/// `vc-build [COLOR]`: accepted without effect.
pub(super) fn build_connections<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    at_most_one(arguments)?.map(color).transpose()?;
    said("")
}

/// `gogui-rules_game_id`: a capital letter and small letters.
pub(super) fn game_id<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    let mut letters = G::NAME.chars().filter(char::is_ascii_alphabetic);
    said(
        &letters
            .next()
            .map(|first| first.to_ascii_uppercase())
            .into_iter()
            .chain(letters)
            .collect::<String>(),
    )
}

pub(super) fn board_size<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(&gtp.history.game().size().to_string())
}

/// `gogui-rules_board`: a row of the board in each line, `X` for black and `O` for white.
pub(super) fn board<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    let (game, frame) = (gtp.history.game(), gtp.frame());
    let sign = |place| match game.stone_at(frame.place(place)).map(|side| frame.side(side)) {
        None => ".",
        Some(Side::First) => "X",
        Some(Side::Second) => "O",
    };
    let size = game.size();
    let row = |row| (0..size).map(|col| sign((row, col))).collect::<Vec<_>>().join(" ");
    said(&(0..size).map(row).collect::<Vec<_>>().join("\n"))
}

/// `gogui-rules_legal_moves`: the cells on which a stone may be put.
pub(super) fn legal_moves<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    if gtp.history.is_over() {
        return said("");
    }
    said(&gtp.empty_cells().map(|(row, col)| cell_name(col, row)).collect::<Vec<_>>().join(" "))
}

pub(super) fn side_to_move<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(color_name(gtp.frame().side(gtp.history.game().to_move())))
}

/// `gogui-rules_final_result`: who has won; nothing while the game goes on.
pub(super) fn final_result<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(match gtp.result() {
        None => "",
        Some(Outcome::Draw) => "Draw",
        Some(Outcome::Win(Side::First)) => "Black wins",
        Some(Outcome::Win(Side::Second)) => "White wins",
    })
}
