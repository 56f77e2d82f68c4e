//! The commands that every game has: arguments, answer, failure. `docs/protocol.md` says the same in words.

use std::time::Duration;

use super::arguments::{color, color_name, color_or_mover, exactly, fail, number, syntax};
use super::history::{GtpTurn, NotPlayed};
use super::{GtpBoard, GtpState, params, referees};
use crate::board::names::{cell_name, letter, read_cell};
use crate::game::{Outcome, Refusal, Side};
use crate::games::tictactoe::TicTacToe;
use crate::protocol::shell::{
    CommandResult, Failure, LineProtocol, ProtocolCommand, known_command, list_commands, success,
};

/// The swap by its name on the wire.
pub(super) const SWAP: &str = "swap-pieces";
/// Giving up, by its name on the wire.
pub(super) const RESIGN: &str = "resign";

/// Answer to a move after the end of the game.
const OVER: &str = "game over";
/// Answer to a question for the score of a game that is not over.
const NO_SCORE: &str = "cannot score";
/// Answer to a swap that cannot be played.
const NO_SWAP: &str = "swap not allowed";

/// The commands of tic-tac-toe, in alphabetical order.
pub(super) const TIC_TAC_TOE: &[ProtocolCommand<GtpState<TicTacToe>>] = &[
    ("all_legal_moves", all_legal_moves),
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("cputime", referees::cpu_time),
    ("final_score", final_score),
    ("genmove", genmove),
    ("gogui-rules_board", referees::board),
    ("gogui-rules_board_size", referees::board_size),
    ("gogui-rules_final_result", referees::final_result),
    ("gogui-rules_game_id", referees::game_id),
    ("gogui-rules_legal_moves", referees::legal_moves),
    ("gogui-rules_side_to_move", referees::side_to_move),
    ("known_command", known),
    ("komi", referees::komi),
    ("list_commands", listed),
    ("name", name),
    ("param_engine", params::engine),
    ("play", play),
    ("protocol_version", protocol_version),
    ("quit", quit),
    ("reg_genmove", reg_genmove),
    ("set_random_seed", referees::set_random_seed),
    ("showboard", showboard),
    ("time_left", time_left),
    ("time_settings", time_settings),
    ("undo", undo),
    ("version", version),
];

/// Returns the answer to an unknown command, without its `?`.
pub(super) fn unknown(name: &str) -> Failure {
    format!("unknown command: {}", Refusal::shown(name)).into()
}

pub(super) fn name<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success("crosspath")
}

pub(super) fn version<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success(env!("CARGO_PKG_VERSION"))
}

pub(super) fn protocol_version<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success("2")
}

pub(super) fn quit<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    success("")
}

pub(super) fn known<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult
where
    GtpState<G>: LineProtocol,
{
    exactly::<1>(arguments)?;
    known_command(gtp, arguments)
}

pub(super) fn listed<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult
where
    GtpState<G>: LineProtocol,
{
    exactly::<0>(arguments)?;
    list_commands(gtp, arguments)
}

pub(super) fn boardsize<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [columns, rows] = match *arguments {
        [size] => [size, size],
        [columns, rows] => [columns, rows],
        _ => return fail("command needs 1 argument"),
    };
    let [columns, rows] = [number(columns)?, number(rows)?];
    if columns != rows || !gtp.start(columns as usize) {
        return fail("unacceptable size");
    }
    success("")
}

pub(super) fn clear_board<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    gtp.start(gtp.history.game().size());
    success("")
}

/// Meaning of the text that stands for a turn on the wire.
enum ParsedTurn<M> {
    Turn(GtpTurn<M>),
    OffBoard,
    NoSwap,
}

/// Reads a turn as the wire tells it.
fn parse_turn<G: GtpBoard>(gtp: &GtpState<G>, text: &str) -> Result<ParsedTurn<G::Move>, Failure> {
    let lower = text.to_ascii_lowercase();
    let turn = match lower.as_str() {
        RESIGN => GtpTurn::Resign,
        SWAP if G::SLANT > 0 => match gtp.history.game_for(Side::Second).swap() {
            Some(swap) => GtpTurn::Move(swap),
            None => return Ok(ParsedTurn::NoSwap),
        },
        cell => {
            let (col, row) = syntax(read_cell(cell))?;
            let size = gtp.history.game().size();
            if col >= size || row >= size {
                return Ok(ParsedTurn::OffBoard);
            }
            GtpTurn::Move(gtp.history.game().move_to(gtp.frame().place((row, col))))
        }
    };
    Ok(ParsedTurn::Turn(turn))
}

pub(super) fn play<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [side, text] = exactly::<2>(arguments)?;
    let color = color(side)?;
    let side = gtp.frame().side(color);
    let illegal = |why: &str| -> CommandResult {
        let text = Refusal::shown(text).to_lowercase();
        Err(format!("illegal move: {} {text} ({why})", color_name(color)).into())
    };
    let turn = match parse_turn(gtp, text)? {
        ParsedTurn::Turn(turn) => turn,
        ParsedTurn::OffBoard => return illegal("off board"),
        ParsedTurn::NoSwap if gtp.history.is_over() => return illegal(OVER),
        ParsedTurn::NoSwap => return illegal(NO_SWAP),
    };
    let played = match turn {
        GtpTurn::Move(mv) => gtp.history.play(side, mv),
        // Referees tell both programs of an end that both know.
        GtpTurn::Resign if gtp.history.is_over() => return success(""),
        GtpTurn::Resign => gtp.history.resign(side),
    };
    match played {
        Ok(()) => success(""),
        // A referee tells everybody that the loser has resigned, also behind the end.
        Err(NotPlayed::Over) if turn == GtpTurn::Resign => success(""),
        Err(NotPlayed::Occupied) => illegal("occupied"),
        Err(NotPlayed::Over) => illegal(OVER),
        Err(NotPlayed::NoSwap) => illegal(NO_SWAP),
    }
}

/// A move as the wire tells it.
pub(super) fn shown<G: GtpBoard>(gtp: &GtpState<G>, mv: G::Move) -> String {
    let place = gtp.history.game().place_of(mv).map(|place| gtp.frame().place(place));
    place.map_or_else(|| SWAP.to_owned(), |(row, col)| cell_name(col, row))
}

/// The turn that the engine chooses.
fn choose_turn<G: GtpBoard>(gtp: &mut GtpState<G>, color: Side) -> Result<GtpTurn<G::Move>, Failure> {
    if gtp.history.is_over() {
        return Ok(GtpTurn::Resign);
    }
    let choice = gtp.choose(color).map_err(|error| error.to_string())?;
    Ok(if gtp.resigns && GtpState::<G>::is_lost(&choice) {
        GtpTurn::Resign
    } else {
        GtpTurn::Move(choice.mv)
    })
}

pub(super) fn genmove<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [side] = exactly::<1>(arguments)?;
    let color = color(side)?;
    match choose_turn(gtp, color)? {
        GtpTurn::Resign => {
            let _ = gtp.history.resign(gtp.frame().side(color)); // after the end nothing changes
            success(RESIGN)
        }
        GtpTurn::Move(mv) => {
            let answer = shown(gtp, mv);
            gtp.history.play(gtp.frame().side(color), mv).expect("engines choose legal moves");
            success(&answer)
        }
    }
}

pub(super) fn reg_genmove<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [side] = exactly::<1>(arguments)?;
    let color = color(side)?;
    let clock = gtp.clock;
    let turn = choose_turn(gtp, color)?;
    gtp.clock = clock;
    match turn {
        GtpTurn::Resign => success(RESIGN),
        GtpTurn::Move(mv) => success(&shown(gtp, mv)),
    }
}

pub(super) fn undo<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    if !gtp.history.undo() {
        return fail("cannot undo");
    }
    gtp.seats.forget();
    success("")
}

pub(super) fn final_score<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    match gtp.result() {
        None if gtp.is_strict => fail(NO_SCORE),
        None => success(NO_SCORE),
        Some(Outcome::Draw) => success("0"),
        Some(Outcome::Win(color)) => success(if color == Side::First { "B+" } else { "W+" }),
    }
}

pub(super) fn time_settings<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [main, period, stones] = exactly::<3>(arguments)?;
    gtp.set_time([number(main)?, number(period)?, number(stones)?]);
    success("")
}

/// `time_left [COLOR SECONDS STONES]`: sets the time that a side has left, or tells the times of both.
pub(super) fn time_left<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    if arguments.is_empty() {
        let left = |color: Side| match gtp.clock.left(gtp.frame().side(color)) {
            None => format!("{} unlimited", color_name(color)),
            Some((time, stones)) => format!("{} {} {stones}", color_name(color), time.as_secs()),
        };
        return success(&Side::each(left).join("\n"));
    }
    let [side, seconds, stones] = exactly::<3>(arguments)?;
    let (color, time, stones) = (color(side)?, number(seconds)?, number(stones)?);
    gtp.clock.set(gtp.frame().side(color), Duration::from_secs(time.into()), stones);
    success("")
}

pub(super) fn all_legal_moves<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let color = color_or_mover(gtp, arguments)?;
    if gtp.history.is_over() {
        return success("");
    }
    let cells = gtp.empty_cells().map(|(row, col)| cell_name(col, row));
    let swap = gtp.history.game_for(gtp.frame().side(color)).swap().map(|_| SWAP.to_owned());
    let moves: Vec<String> = cells.chain(swap).chain([RESIGN.to_owned()]).collect();
    success(&moves.join(" "))
}

pub(super) fn showboard<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exactly::<0>(arguments)?;
    let (game, frame) = (gtp.history.game(), gtp.frame());
    let size = game.size();
    let letters: String = (0..size).flat_map(|col| [' ', letter(col)]).collect();
    let sign = |place| match game.stone_at(frame.place(place)).map(|side| frame.side(side)) {
        None => " .",
        Some(Side::First) => " B",
        Some(Side::Second) => " W",
    };
    let row = |row: usize| {
        let cells: String = (0..size).map(|col| sign((row, col))).collect();
        format!("{:shift$}{number:>2}{cells} {number}", "", shift = row * G::SLANT, number = row + 1)
    };
    // The letters stand where a row above the first and one below the last would have its cells.
    let [above, below] = [2 - G::SLANT, 2 + size * G::SLANT].map(|shift| format!("{:shift$}{letters}", ""));
    let rows: Vec<String> = [above].into_iter().chain((0..size).map(row)).chain([below]).collect();
    success(&format!("\n{}", rows.join("\n")))
}
