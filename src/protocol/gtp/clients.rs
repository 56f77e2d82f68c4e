//! The commands that public clients and referees of Hex programs send beside those of the protocol. Most are accepted
//! without an effect: they set up another engine's search.

use super::arguments::{at_most_one, color, color_name, color_or_mover, exactly, fail, number};
use super::{Board, State};
use crate::board::names::cell_name;
use crate::game::{Outcome, Side};
use crate::protocol::shell::{Answer, said};

/// Accepts whatever it is told.
pub(super) fn accepted<G: Board>(_: &mut State<G>, _: &[&str]) -> Answer {
    said("")
}

/// `komi NUMBER`: these games have none.
pub(super) fn komi<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    let [value] = exactly::<1>(arguments)?;
    if value.parse::<f64>().is_ok_and(f64::is_finite) { said("") } else { fail("komi must be a number") }
}

/// `set_random_seed N`: the seed of the searches from now on.
pub(super) fn set_random_seed<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    let [seed] = exactly::<1>(arguments)?;
    gtp.seats.seed = u64::from(number(seed)?);
    gtp.seats.forget();
    said("")
}

/// `vc-build [C]`: crosspath builds its connections in each search, so there is nothing to show.
pub(super) fn vc_build<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    at_most_one(arguments)?.map_or(Ok(Side::First), color)?;
    said("")
}

/// `cputime`: the CPU time of this process in seconds.
pub(super) fn cputime<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(&format!("{:.2}", cpu_seconds()))
}

#[cfg(unix)]
fn cpu_seconds() -> f64 {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let parts = std::time::Duration::new(
        u64::try_from(used.tv_sec).unwrap_or_default(),
        u32::try_from(used.tv_nsec).unwrap_or_default(),
    );
    parts.as_secs_f64()
}

/// Elsewhere the system does not tell.
#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    0.0
}

/// `time_left` without arguments: what each side has left in seconds, or `none`.
pub(super) fn left<G: Board>(gtp: &State<G>) -> String {
    let of_side = |side: Side| {
        let left = gtp.clock.left(gtp.frame().side(side));
        let left = left.map_or_else(|| "none".to_owned(), |left| left.as_secs().to_string());
        format!("{} {left}", color_name(side))
    };
    Side::BOTH.map(of_side).join(" ")
}

/// The empty cells in the order in which the wire reads them.
pub(super) fn empty_cells<G: Board>(gtp: &State<G>) -> impl Iterator<Item = (usize, usize)> {
    let (game, frame) = (gtp.history.game(), gtp.frame());
    let size = game.size();
    let cells = (0..size * size).map(move |cell| (cell / size, cell % size));
    cells.filter(move |&place| game.stone_at(frame.place(place)).is_none())
}

// ---- GoGui's description of a game ----

/// `gogui-rules_game_id`.
pub(super) fn game_id<G: Board>(_: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(if G::SLANT > 0 { "Hex" } else { "TicTacToe" })
}

/// `gogui-rules_board_size`.
pub(super) fn board_size<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(&gtp.history.game().size().to_string())
}

/// `gogui-rules_legal_moves`: the empty cells; none after the end.
pub(super) fn legal_moves<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    color_or_mover(gtp, arguments)?;
    if gtp.history.is_over() {
        return said("");
    }
    let cells: Vec<String> = empty_cells(gtp).map(|(row, col)| cell_name(col, row)).collect();
    said(&cells.join(" "))
}

/// `gogui-rules_side_to_move`.
pub(super) fn side_to_move<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    said(color_name(gtp.frame().side(gtp.history.game().to_move())))
}

/// `gogui-rules_final_result`: empty while the game goes on.
pub(super) fn final_result<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    let resigned = gtp.history.resigned().map(|side| Outcome::Win(side.other()));
    said(match resigned.or(gtp.history.game().outcome()) {
        None => "",
        Some(Outcome::Draw) => "Draw",
        Some(Outcome::Win(side)) if gtp.frame().side(side) == Side::First => "Black wins",
        Some(Outcome::Win(_)) => "White wins",
    })
}

/// `gogui-rules_board`: X for black, O for white, row by row.
pub(super) fn board<G: Board>(gtp: &mut State<G>, arguments: &[&str]) -> Answer {
    exactly::<0>(arguments)?;
    let (game, frame) = (gtp.history.game(), gtp.frame());
    let size = game.size();
    let sign = |place| match game.stone_at(frame.place(place)).map(|side| frame.side(side)) {
        None => ".",
        Some(Side::First) => "X",
        Some(Side::Second) => "O",
    };
    let row = |row: usize| (0..size).map(|col| sign((row, col))).collect::<Vec<_>>().join(" ");
    said(&format!("\n{}", (0..size).map(row).collect::<Vec<_>>().join("\n")))
}
