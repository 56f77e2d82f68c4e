//! QTP commands. `docs/protocol.md` describes their arguments, answers and failures.

use std::time::Duration;

use crate::ai::{
    EngineKind, Limits, MAX_ENGINE_MEMORY_MIB, MAX_ENGINE_THREADS, MoveChoice, Score, ScoreMeaning,
    SearchInfo,
};
use crate::game::{Game, Outcome, Side, perft};
use crate::games::quoridor::{MAX_QUORIDOR_SIZE, MAX_WALLS_PER_SIDE, Move, Orientation, Quoridor};

use super::history::QtpHistory;
use super::names::{self, Vertex, color_name, parse_color, parse_number};
use super::{QtpState, showboard};
use crate::protocol::shell::{
    CommandFailure, CommandResult, ProtocolCommand, SYNTAX_ERROR, answer_known_command, answer_list_commands,
    succeed_with,
};

/// Failure message for an illegal move.
const ILLEGAL_MOVE_MESSAGE: &str = "illegal move";
/// Failure message for a move after the end of the game.
const GAME_OVER_MESSAGE: &str = "game over";

/// Maximum depth of `perft`.
const MAX_PERFT_DEPTH: u32 = 5;

/// All commands, starting with the required ones.
pub(super) const QTP_COMMANDS: &[ProtocolCommand<QtpState>] = &[
    ("name", |_, _| succeed_with("crosspath")),
    ("known_command", answer_known_command),
    ("list_commands", answer_list_commands),
    ("quit", |_, _| empty_success()),
    ("boardsize", handle_boardsize),
    ("clear_board", handle_clear_board),
    ("walls", handle_walls),
    ("playmove", |qtp, words| handle_play(qtp, words, 2)),
    ("playwall", |qtp, words| handle_play(qtp, words, 3)),
    ("genmove", handle_genmove),
    ("undo", |qtp, words| handle_undo_or_redo(qtp, words, |game, count| game.undo(count), "cannot undo")),
    ("winner", handle_winner),
    ("showboard", |qtp, _| {
        succeed_with(&format!("\n{}", showboard::render_board(qtp.position()).join("\n")))
    }),
    ("version", |_, _| succeed_with(env!("CARGO_PKG_VERSION"))),
    ("protocol_version", |_, _| succeed_with("2.0")),
    ("level", handle_level),
    ("movetime", handle_movetime),
    ("nodes", handle_nodes),
    ("depth", handle_depth),
    ("time_left", handle_time_left),
    ("seed", handle_seed),
    ("threads", handle_threads),
    ("memory", handle_memory),
    ("legal", handle_legal),
    ("reason", handle_reason),
    ("distance", handle_distance),
    ("eval", handle_eval),
    ("hint", handle_hint),
    ("analyze", handle_analyze),
    ("redo", |qtp, words| handle_undo_or_redo(qtp, words, |game, count| game.redo(count), "cannot redo")),
    ("history", handle_history),
    ("position", handle_position),
    ("get_position", |qtp, _| succeed_with(&qtp.position().position_text())),
    ("perft", handle_perft),
    ("stats", handle_stats),
];

/// Returns an empty successful answer.
fn empty_success() -> CommandResult {
    succeed_with("")
}

/// Returns a command failure with this message.
fn fail_with<T>(why: &'static str) -> Result<T, CommandFailure> {
    Err(why.into())
}

/// Converts `None` to a syntax error.
fn or_syntax_error<T>(read: Option<T>) -> Result<T, CommandFailure> {
    read.ok_or(SYNTAX_ERROR.into())
}

/// Parses the only argument of a command.
fn parse_single_argument<T>(arguments: &[&str], read: fn(&str) -> Option<T>) -> Result<T, CommandFailure> {
    let &[word] = arguments else { return fail_with(SYNTAX_ERROR) };
    or_syntax_error(read(word))
}

/// Parses the only argument of a command, which is optional.
fn parse_optional_argument<T>(
    arguments: &[&str],
    read: fn(&str) -> Option<T>,
) -> Result<Option<T>, CommandFailure> {
    if arguments.is_empty() { Ok(None) } else { parse_single_argument(arguments, read).map(Some) }
}

/// Handles `boardsize SIZE`.
fn handle_boardsize(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let size = parse_single_argument(arguments, parse_number)? as usize;
    if !(3..=MAX_QUORIDOR_SIZE).contains(&size) || size.is_multiple_of(2) {
        return fail_with("unacceptable size");
    }
    qtp.history = QtpHistory::new(size, size, None);
    qtp.start_game();
    empty_success()
}

/// Handles `clear_board`.
fn handle_clear_board(qtp: &mut QtpState, _: &[&str]) -> CommandResult {
    qtp.history.restart();
    qtp.start_game();
    empty_success()
}

/// Handles `walls COUNT`.
fn handle_walls(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let walls = parse_single_argument(arguments, parse_number)?;
    qtp.history.set_walls_left(u16::try_from(walls).unwrap_or(MAX_WALLS_PER_SIDE).min(MAX_WALLS_PER_SIDE));
    empty_success()
}

/// Arguments of `playmove` or `playwall`: the side, the move unless it is off the board, and its text.
struct ParsedMove {
    side: Side,
    mv: Option<Move>,
    name: String,
}

/// Parses the arguments of `playmove` or `playwall`.
fn parse_move(game: &Quoridor, arguments: &[&str]) -> Result<ParsedMove, CommandFailure> {
    let &[side, vertex, ref orientation @ ..] = arguments else { return fail_with(SYNTAX_ERROR) };
    let (side, vertex) = (or_syntax_error(parse_color(side))?, or_syntax_error(Vertex::parse(vertex))?);
    let orientation = parse_optional_argument(orientation, Orientation::parse)?;
    Ok(ParsedMove {
        side,
        mv: vertex.to_move(orientation, game),
        name: names::format_vertex(vertex, orientation),
    })
}

/// Handles `playmove` and `playwall`, which take `count` arguments.
fn handle_play(qtp: &mut QtpState, arguments: &[&str], count: usize) -> CommandResult {
    if arguments.len() != count {
        return fail_with(SYNTAX_ERROR);
    }
    let wish = parse_move(qtp.position(), arguments)?;
    match wish.mv.map(|mv| qtp.history.play(wish.side, mv)) {
        Some(Ok(())) => empty_success(),
        _ => fail_with(ILLEGAL_MOVE_MESSAGE),
    }
}

/// Parses the colour of a side, and checks that this side has a legal move.
fn parse_color_to_move(qtp: &QtpState, word: &str) -> Result<Side, CommandFailure> {
    let side = or_syntax_error(parse_color(word))?;
    if qtp.history.position_for(side).outcome().is_some() { fail_with(GAME_OVER_MESSAGE) } else { Ok(side) }
}

/// Handles `genmove COLOR`.
fn handle_genmove(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let &[side] = arguments else { return fail_with(SYNTAX_ERROR) };
    let side = parse_color_to_move(qtp, side)?;
    let MoveChoice { mv, info, .. } =
        qtp.engines.choose_move(side, &qtp.history).map_err(|error| error.to_string())?;
    let height = qtp.position().height();
    qtp.history.play(side, mv).expect("engines choose legal moves");
    let score = format_score(info.score, qtp.engines.seats.level);
    let line = names::format_line(&info.pv, height);
    let SearchInfo { nodes, depth, elapsed, .. } = info;
    let ms = elapsed.as_millis();
    qtp.last = Some(format!("nodes {nodes} depth {depth} time {ms} score {score} line {line}"));
    succeed_with(&names::format_move(mv, height))
}

/// Handles `undo [COUNT]` and `redo [COUNT]`.
fn handle_undo_or_redo(
    qtp: &mut QtpState,
    arguments: &[&str],
    go: fn(&mut QtpHistory, usize) -> bool,
    why: &'static str,
) -> CommandResult {
    let count = parse_optional_argument(arguments, |word| parse_number(word)?.try_into().ok())?.unwrap_or(1);
    if !go(&mut qtp.history, count) {
        return fail_with(why);
    }
    qtp.engines.seats.reset_engines();
    empty_success()
}

/// Handles `winner`.
fn handle_winner(qtp: &mut QtpState, _: &[&str]) -> CommandResult {
    match qtp.position().outcome().and_then(Outcome::winner) {
        Some(side) => succeed_with(&format!("true {}", color_name(side))),
        None => succeed_with("false"),
    }
}

/// Handles `level [LEVEL]`.
fn handle_level(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let level = match *arguments {
        [] => return succeed_with(&qtp.engines.seats.level.to_string()),
        ["classic"] => Some(EngineKind::Classic),
        [text] => parse_number(text).and_then(|number| u8::try_from(number).ok()).map(EngineKind::Level),
        _ => return fail_with(SYNTAX_ERROR),
    };
    let Some(level) = level.filter(|&level| qtp.engines.seats.has_level(level)) else {
        return fail_with("unknown level");
    };
    qtp.engines.seats.level = level;
    qtp.engines.seats.reset_engines();
    empty_success()
}

/// Shows or sets a search limit. 0 means no limit.
fn show_or_set_limit(
    qtp: &mut QtpState,
    arguments: &[&str],
    show: fn(&Limits) -> Option<u64>,
    set: fn(&mut Limits, Option<u32>),
) -> CommandResult {
    let Some(value) = parse_optional_argument(arguments, parse_number)? else {
        return succeed_with(&show(&qtp.engines.seats.limits).unwrap_or(0).to_string());
    };
    set(&mut qtp.engines.seats.limits, Some(value).filter(|&value| value > 0));
    empty_success()
}

/// Handles `movetime [MILLISECONDS]`.
fn handle_movetime(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let show = |limits: &Limits| limits.time.and_then(|time| u64::try_from(time.as_millis()).ok());
    show_or_set_limit(qtp, arguments, show, |limits, value| {
        limits.time = value.map(|ms| Duration::from_millis(ms.into()));
    })
}

/// Handles `nodes [COUNT]`.
fn handle_nodes(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    show_or_set_limit(
        qtp,
        arguments,
        |limits| limits.nodes,
        |limits, value| limits.nodes = value.map(u64::from),
    )
}

/// Handles `depth [PLIES]`.
fn handle_depth(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    show_or_set_limit(
        qtp,
        arguments,
        |limits| limits.depth.map(u64::from),
        |limits, value| limits.depth = value,
    )
}

/// Parses a duration in milliseconds.
fn parse_milliseconds(word: &str) -> Option<Duration> {
    parse_number(word).map(|ms| Duration::from_millis(ms.into()))
}

/// Handles `time_left COLOR MILLISECONDS`.
fn handle_time_left(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let &[side, ms] = arguments else { return fail_with(SYNTAX_ERROR) };
    let (side, left) = (or_syntax_error(parse_color(side))?, or_syntax_error(parse_milliseconds(ms))?);
    qtp.engines.clock.set_time_left(side, left);
    empty_success()
}

/// Handles `seed [SEED]`.
fn handle_seed(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let Some(seed) = parse_optional_argument(arguments, parse_number)? else {
        return succeed_with(&qtp.engines.seats.seed.to_string());
    };
    qtp.engines.seats.seed = seed.into();
    qtp.engines.seats.reset_engines();
    empty_success()
}

/// Handles `threads [COUNT]`.
fn handle_threads(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let Some(threads) = parse_optional_argument(arguments, parse_number)? else {
        return succeed_with(&qtp.engines.seats.resources.thread_count().to_string());
    };
    let allowed = u16::try_from(threads).ok().filter(|threads| (1..=MAX_ENGINE_THREADS).contains(threads));
    qtp.engines.seats.resources.threads = Some(allowed.ok_or("unacceptable number of threads")?);
    qtp.engines.seats.reset_engines();
    empty_success()
}

/// Handles `memory [MIB]`: shows or sets the memory of the tables in MiB. 0 means the default of the
/// engine.
fn handle_memory(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let Some(mib) = parse_optional_argument(arguments, parse_number)? else {
        return succeed_with(&qtp.engines.seats.resources.memory_mib.unwrap_or(0).to_string());
    };
    if mib > MAX_ENGINE_MEMORY_MIB {
        return fail_with("unacceptable amount of memory");
    }
    qtp.engines.seats.resources.memory_mib = Some(mib).filter(|&mib| mib > 0);
    qtp.engines.seats.reset_engines();
    empty_success()
}

/// Handles `legal COLOR`.
fn handle_legal(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let side = parse_single_argument(arguments, parse_color)?;
    succeed_with(&names::list_legal_moves(&qtp.history.position_for(side)).join("\n"))
}

/// Handles `reason COLOR VERTEX [ORIENTATION]`: explains why a move is illegal.
fn handle_reason(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let game = qtp.position();
    let wish = parse_move(game, arguments)?;
    let refused = match wish.mv {
        _ if game.outcome().and_then(Outcome::winner).is_some() => Some("the game is over".to_owned()),
        None => Some(format!("{} is not on the board", wish.name)),
        Some(mv) => {
            let refusal = qtp.history.position_for(wish.side).try_make_move(mv).err();
            refusal.map(|refusal| names::explain_refusal(refusal, game.height()))
        }
    };
    succeed_with(&refused.map_or("legal".to_owned(), |why| format!("illegal: {why}")))
}

/// Handles `distance`.
fn handle_distance(qtp: &mut QtpState, _: &[&str]) -> CommandResult {
    let [first, second] = Side::map_both(|side| qtp.position().distance_to_goal(side));
    succeed_with(&format!("black {first} white {second}"))
}

/// Handles `eval`: shows the static evaluation for black, in steps.
fn handle_eval(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let [] = arguments else { return fail_with(SYNTAX_ERROR) };
    let game = qtp.position();
    if game.outcome().is_some() {
        return fail_with(GAME_OVER_MESSAGE);
    }
    let value = crate::ai::quoridor::eval::evaluate_by_terms(game);
    let black = if game.to_move() == Side::First { value } else { -value };
    succeed_with(&format!("{:.2}", f64::from(black) / 100.0))
}

/// Formats a score: steps with two decimals, the value of the classic engine with four, `win`,
/// `loss`, or `-` without a score.
fn format_score(score: Option<Score>, level: EngineKind) -> String {
    let Some(score) = score else { return "-".to_owned() };
    match score.meaning() {
        ScoreMeaning::Win(_) => "win".to_owned(),
        ScoreMeaning::Loss(_) => "loss".to_owned(),
        _ if level == EngineKind::Classic => format!("{:+.4}", f64::from(score.0) / 10_000.0),
        _ => format!("{:+.2}", f64::from(score.0) / 100.0),
    }
}

/// Parses the arguments of `hint` and `analyze`: a colour that can move, and an optional time in
/// milliseconds.
fn parse_advice_arguments(
    qtp: &QtpState,
    arguments: &[&str],
) -> Result<(Side, Option<Duration>), CommandFailure> {
    let &[side, ref time @ ..] = arguments else { return fail_with(SYNTAX_ERROR) };
    let time = parse_optional_argument(time, parse_milliseconds)?;
    Ok((parse_color_to_move(qtp, side)?, time))
}

/// Handles `hint COLOR [MILLISECONDS]`.
fn handle_hint(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let (side, time) = parse_advice_arguments(qtp, arguments)?;
    let MoveChoice { mv, info, .. } =
        qtp.engines.suggest_move(side, &qtp.history, time).map_err(|error| error.to_string())?;
    let height = qtp.position().height();
    let score = format_score(info.score, qtp.engines.seats.strongest_level());
    succeed_with(&format!(
        "{} {score} {}",
        names::format_move_compact(mv, height),
        names::format_line(&info.pv, height)
    ))
}

/// Handles `analyze COLOR [MILLISECONDS]`.
fn handle_analyze(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let (side, time) = parse_advice_arguments(qtp, arguments)?;
    let height = qtp.position().height();
    let candidates =
        qtp.engines.analyze_best_moves(side, &qtp.history, time).map_err(|error| error.to_string())?;
    let lines = candidates.into_iter().map(|SearchInfo { depth, nodes, pv, score: value, .. }| {
        let score = format_score(value, qtp.engines.seats.strongest_level());
        format!(
            "{} {score} {depth} {nodes} {}",
            names::format_move_compact(pv[0], height),
            names::format_line(&pv, height)
        )
    });
    succeed_with(&lines.collect::<Vec<_>>().join("\n"))
}

/// Handles `history`.
fn handle_history(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let [] = arguments else { return fail_with(SYNTAX_ERROR) };
    let height = qtp.position().height();
    let lines = qtp
        .history
        .moves()
        .map(|(side, mv)| format!("{} {}", color_name(side), names::format_move(mv, height)));
    succeed_with(&lines.collect::<Vec<_>>().join("\n"))
}

/// Handles `position TEXT`.
fn handle_position(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    if arguments.is_empty() {
        return fail_with(SYNTAX_ERROR);
    }
    let game = Quoridor::from_position_text(&arguments.join(" "));
    let possible =
        |game: Quoridor| game.check_wall_totals(qtp.history.walls_per_side(game.width())).map(|()| game);
    let game = game.and_then(possible).map_err(|bad| {
        let why = bad.to_string();
        let shown = why.chars().take(180).map(|c| if c.is_control() { '?' } else { c });
        format!("bad position: {}", shown.collect::<String>())
    })?;
    qtp.history.set_position(game);
    qtp.start_game();
    empty_success()
}

/// Handles `perft DEPTH`.
fn handle_perft(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let depth = parse_single_argument(arguments, parse_number)?;
    if depth > MAX_PERFT_DEPTH {
        return fail_with("unacceptable depth");
    }
    succeed_with(&perft(&mut qtp.position().clone(), depth).to_string())
}

/// Handles `stats`.
fn handle_stats(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let [] = arguments else { return fail_with(SYNTAX_ERROR) };
    qtp.last.clone().ok_or("no move generated".into())
}
