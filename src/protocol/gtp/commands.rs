//! GTP commands that all games support. `docs/protocol.md` describes their arguments, answers and failures.

use std::time::Duration;

use super::arguments::{
    color_name, exact_arguments, fail_with, or_syntax_error, parse_color, parse_color_or_mover, parse_number,
};
use super::history::{GtpTurn, TurnRefusal};
use super::{GtpBoard, GtpState, params, referees};
use crate::board::names::{cell_name, column_letter, parse_cell_name};
use crate::game::{Outcome, Refusal, Side};
use crate::games::tictactoe::TicTacToe;
use crate::protocol::shell::{
    CommandFailure, CommandResult, LineProtocol, ProtocolCommand, answer_known_command, answer_list_commands,
    succeed_with,
};

/// GTP text of the swap move.
pub(super) const SWAP_MOVE: &str = "swap-pieces";
/// GTP text of a resignation.
pub(super) const RESIGN_MOVE: &str = "resign";

/// Failure message for a move after the end of the game.
const GAME_OVER_MESSAGE: &str = "game over";
/// Answer to `final_score` before the end of the game.
const CANNOT_SCORE_MESSAGE: &str = "cannot score";
/// Failure message for an illegal swap.
const SWAP_REFUSED_MESSAGE: &str = "swap not allowed";

/// GTP commands for tic-tac-toe, in alphabetical order.
pub(super) const TIC_TAC_TOE_COMMANDS: &[ProtocolCommand<GtpState<TicTacToe>>] = &[
    ("all_legal_moves", handle_all_legal_moves),
    ("boardsize", handle_boardsize),
    ("clear_board", handle_clear_board),
    ("cputime", referees::handle_cputime),
    ("final_score", handle_final_score),
    ("genmove", handle_genmove),
    ("gogui-rules_board", referees::handle_rules_board),
    ("gogui-rules_board_size", referees::handle_rules_board_size),
    ("gogui-rules_final_result", referees::handle_rules_final_result),
    ("gogui-rules_game_id", referees::handle_rules_game_id),
    ("gogui-rules_legal_moves", referees::handle_rules_legal_moves),
    ("gogui-rules_side_to_move", referees::handle_rules_side_to_move),
    ("known_command", handle_known_command),
    ("komi", referees::handle_komi),
    ("list_commands", handle_list_commands),
    ("name", handle_name),
    ("param_engine", params::handle_param_engine),
    ("play", handle_play),
    ("protocol_version", handle_protocol_version),
    ("quit", handle_quit),
    ("reg_genmove", handle_reg_genmove),
    ("set_random_seed", referees::handle_set_random_seed),
    ("showboard", handle_showboard),
    ("time_left", handle_time_left),
    ("time_settings", handle_time_settings),
    ("undo", handle_undo),
    ("version", handle_version),
];

/// Returns the failure for an unknown command, without the leading `?`.
pub(super) fn unknown_command_failure(name: &str) -> CommandFailure {
    format!("unknown command: {}", Refusal::sanitize_excerpt(name)).into()
}

/// Handles `name`.
pub(super) fn handle_name<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with("crosspath")
}

/// Handles `version`.
pub(super) fn handle_version<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with(env!("CARGO_PKG_VERSION"))
}

/// Handles `protocol_version`.
pub(super) fn handle_protocol_version<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with("2")
}

/// Handles `quit`. The shell ends the session.
pub(super) fn handle_quit<G: GtpBoard>(_: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    succeed_with("")
}

/// Handles `known_command NAME`.
pub(super) fn handle_known_command<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult
where
    GtpState<G>: LineProtocol,
{
    exact_arguments::<1>(arguments)?;
    answer_known_command(gtp, arguments)
}

/// Handles `list_commands`.
pub(super) fn handle_list_commands<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult
where
    GtpState<G>: LineProtocol,
{
    exact_arguments::<0>(arguments)?;
    answer_list_commands(gtp, arguments)
}

/// Handles `boardsize COLUMNS [ROWS]`.
pub(super) fn handle_boardsize<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [columns, rows] = match *arguments {
        [size] => [size, size],
        [columns, rows] => [columns, rows],
        _ => return fail_with("command needs 1 argument"),
    };
    let [columns, rows] = [parse_number(columns)?, parse_number(rows)?];
    if columns != rows || !gtp.start_game(columns as usize) {
        return fail_with("unacceptable size");
    }
    succeed_with("")
}

/// Handles `clear_board`.
pub(super) fn handle_clear_board<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    gtp.start_game(gtp.history.position().size());
    succeed_with("")
}

/// Result of parsing a move, a swap or a resignation.
enum ParsedTurn<M> {
    Turn(GtpTurn<M>),
    OffBoard,
    NoSwap,
}

/// Parses a move, a swap or a resignation.
fn parse_turn<G: GtpBoard>(gtp: &GtpState<G>, text: &str) -> Result<ParsedTurn<G::Move>, CommandFailure> {
    let lower = text.to_ascii_lowercase();
    let turn = match lower.as_str() {
        RESIGN_MOVE => GtpTurn::Resign,
        SWAP_MOVE if G::ROW_SLANT > 0 => match gtp.history.position_for(Side::Second).legal_swap() {
            Some(swap) => GtpTurn::Move(swap),
            None => return Ok(ParsedTurn::NoSwap),
        },
        cell => {
            let (col, row) = or_syntax_error(parse_cell_name(cell))?;
            let size = gtp.history.position().size();
            if col >= size || row >= size {
                return Ok(ParsedTurn::OffBoard);
            }
            GtpTurn::Move(gtp.history.position().move_at(gtp.wire_frame().map_coordinates((row, col))))
        }
    };
    Ok(ParsedTurn::Turn(turn))
}

/// Handles `play COLOR MOVE`.
pub(super) fn handle_play<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [side, text] = exact_arguments::<2>(arguments)?;
    let color = parse_color(side)?;
    let side = gtp.wire_frame().map_side(color);
    let illegal = |why: &str| -> CommandResult {
        let text = Refusal::sanitize_excerpt(text).to_lowercase();
        Err(format!("illegal move: {} {text} ({why})", color_name(color)).into())
    };
    let turn = match parse_turn(gtp, text)? {
        ParsedTurn::Turn(turn) => turn,
        ParsedTurn::OffBoard => return illegal("off board"),
        ParsedTurn::NoSwap if gtp.history.is_over() => return illegal(GAME_OVER_MESSAGE),
        ParsedTurn::NoSwap => return illegal(SWAP_REFUSED_MESSAGE),
    };
    let played = match turn {
        GtpTurn::Move(mv) => gtp.history.play(side, mv),
        // Referees also report the end of a game that both programs already know.
        GtpTurn::Resign if gtp.history.is_over() => return succeed_with(""),
        GtpTurn::Resign => gtp.history.resign(side),
    };
    match played {
        Ok(()) => succeed_with(""),
        // Referees may report a resignation after the end of the game.
        Err(TurnRefusal::Over) if turn == GtpTurn::Resign => succeed_with(""),
        Err(TurnRefusal::Occupied) => illegal("occupied"),
        Err(TurnRefusal::Over) => illegal(GAME_OVER_MESSAGE),
        Err(TurnRefusal::NoSwap) => illegal(SWAP_REFUSED_MESSAGE),
    }
}

/// Formats a move as GTP text.
pub(super) fn format_move<G: GtpBoard>(gtp: &GtpState<G>, mv: G::Move) -> String {
    let place =
        gtp.history.position().row_and_column_of(mv).map(|place| gtp.wire_frame().map_coordinates(place));
    place.map_or_else(|| SWAP_MOVE.to_owned(), |(row, col)| cell_name(col, row))
}

/// Lets the engine choose a move or resign.
fn choose_turn<G: GtpBoard>(gtp: &mut GtpState<G>, color: Side) -> Result<GtpTurn<G::Move>, CommandFailure> {
    if gtp.history.is_over() {
        return Ok(GtpTurn::Resign);
    }
    let choice = gtp.choose_move(color).map_err(|error| error.to_string())?;
    Ok(if gtp.resigns && GtpState::<G>::is_proved_loss(&choice) {
        GtpTurn::Resign
    } else {
        GtpTurn::Move(choice.mv)
    })
}

/// Handles `genmove COLOR`.
pub(super) fn handle_genmove<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [side] = exact_arguments::<1>(arguments)?;
    let color = parse_color(side)?;
    match choose_turn(gtp, color)? {
        GtpTurn::Resign => {
            let _ = gtp.history.resign(gtp.wire_frame().map_side(color)); // fails harmlessly if the game is already over
            succeed_with(RESIGN_MOVE)
        }
        GtpTurn::Move(mv) => {
            let answer = format_move(gtp, mv);
            gtp.history.play(gtp.wire_frame().map_side(color), mv).expect("engines choose legal moves");
            succeed_with(&answer)
        }
    }
}

/// Handles `reg_genmove COLOR`.
pub(super) fn handle_reg_genmove<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [side] = exact_arguments::<1>(arguments)?;
    let color = parse_color(side)?;
    let clock = gtp.clock;
    let turn = choose_turn(gtp, color)?;
    gtp.clock = clock;
    match turn {
        GtpTurn::Resign => succeed_with(RESIGN_MOVE),
        GtpTurn::Move(mv) => succeed_with(&format_move(gtp, mv)),
    }
}

/// Handles `undo`.
pub(super) fn handle_undo<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    if !gtp.history.undo() {
        return fail_with("cannot undo");
    }
    gtp.seats.reset_engines();
    succeed_with("")
}

/// Handles `final_score`.
pub(super) fn handle_final_score<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    match gtp.game_result() {
        None if gtp.is_strict => fail_with(CANNOT_SCORE_MESSAGE),
        None => succeed_with(CANNOT_SCORE_MESSAGE),
        Some(Outcome::Draw) => succeed_with("0"),
        Some(Outcome::Win(color)) => succeed_with(if color == Side::First { "B+" } else { "W+" }),
    }
}

/// Handles `time_settings MAIN PERIOD STONES`, with times in seconds.
pub(super) fn handle_time_settings<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    let [main, period, stones] = exact_arguments::<3>(arguments)?;
    gtp.set_clocks([parse_number(main)?, parse_number(period)?, parse_number(stones)?]);
    succeed_with("")
}

/// Handles `time_left [COLOR SECONDS STONES]`: sets the time left of a side, or shows both clocks.
pub(super) fn handle_time_left<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    if arguments.is_empty() {
        let left = |color: Side| match gtp.clock.time_left(gtp.wire_frame().map_side(color)) {
            None => format!("{} unlimited", color_name(color)),
            Some((time, stones)) => format!("{} {} {stones}", color_name(color), time.as_secs()),
        };
        return succeed_with(&Side::map_both(left).join("\n"));
    }
    let [side, seconds, stones] = exact_arguments::<3>(arguments)?;
    let (color, time, stones) = (parse_color(side)?, parse_number(seconds)?, parse_number(stones)?);
    gtp.clock.set_time_left(gtp.wire_frame().map_side(color), Duration::from_secs(time.into()), stones);
    succeed_with("")
}

/// Handles `all_legal_moves [COLOR]`.
pub(super) fn handle_all_legal_moves<G: GtpBoard>(
    gtp: &mut GtpState<G>,
    arguments: &[&str],
) -> CommandResult {
    let color = parse_color_or_mover(gtp, arguments)?;
    if gtp.history.is_over() {
        return succeed_with("");
    }
    let cells = gtp.empty_cells().map(|(row, col)| cell_name(col, row));
    let swap =
        gtp.history.position_for(gtp.wire_frame().map_side(color)).legal_swap().map(|_| SWAP_MOVE.to_owned());
    let moves: Vec<String> = cells.chain(swap).chain([RESIGN_MOVE.to_owned()]).collect();
    succeed_with(&moves.join(" "))
}

/// Handles `showboard`.
pub(super) fn handle_showboard<G: GtpBoard>(gtp: &mut GtpState<G>, arguments: &[&str]) -> CommandResult {
    exact_arguments::<0>(arguments)?;
    let (game, frame) = (gtp.history.position(), gtp.wire_frame());
    let size = game.size();
    let letters: String = (0..size).flat_map(|col| [' ', column_letter(col)]).collect();
    let sign = |place| match game.stone_at(frame.map_coordinates(place)).map(|side| frame.map_side(side)) {
        None => " .",
        Some(Side::First) => " B",
        Some(Side::Second) => " W",
    };
    let row = |row: usize| {
        let cells: String = (0..size).map(|col| sign((row, col))).collect();
        format!("{:shift$}{number:>2}{cells} {number}", "", shift = row * G::ROW_SLANT, number = row + 1)
    };
    // The letters are aligned with a virtual row above the first and one below the last.
    let [above, below] =
        [2 - G::ROW_SLANT, 2 + size * G::ROW_SLANT].map(|shift| format!("{:shift$}{letters}", ""));
    let rows: Vec<String> = [above].into_iter().chain((0..size).map(row)).chain([below]).collect();
    succeed_with(&format!("\n{}", rows.join("\n")))
}
