//! The commands: arguments, answer, failure. `docs/protocol.md` says the same in words.

use std::time::Duration;

use crate::ai::{Choice, EngineKind, Info, Limits, MAX_MIB, MAX_THREADS, Score, Value};
use crate::game::{Game, Outcome, Side, perft};
use crate::games::quoridor::{MAX_SIZE, MAX_WALLS, Move, Orientation, Quoridor};

use super::history::QtpHistory;
use super::names::{self, Vertex, color, color_name, number};
use super::{QtpState, showboard};
use crate::protocol::shell::{
    CommandResult, Failure, ProtocolCommand, SYNTAX, known_command, list_commands, success,
};

const ILLEGAL: &str = "illegal move";
const OVER: &str = "game over";

/// The deepest count that `perft` makes.
const MAX_PERFT: u32 = 5;

/// Every command, the required ones first.
pub(super) const COMMANDS: &[ProtocolCommand<QtpState>] = &[
    ("name", |_, _| success("crosspath")),
    ("known_command", known_command),
    ("list_commands", list_commands),
    ("quit", |_, _| done()),
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("walls", walls),
    ("playmove", |qtp, words| play(qtp, words, 2)),
    ("playwall", |qtp, words| play(qtp, words, 3)),
    ("genmove", genmove),
    ("undo", |qtp, words| step(qtp, words, |game, count| game.undo(count), "cannot undo")),
    ("winner", winner),
    ("showboard", |qtp, _| success(&format!("\n{}", showboard::picture(qtp.position()).join("\n")))),
    ("version", |_, _| success(env!("CARGO_PKG_VERSION"))),
    ("protocol_version", |_, _| success("2.0")),
    ("level", level),
    ("movetime", movetime),
    ("nodes", nodes),
    ("depth", depth),
    ("time_left", time_left),
    ("seed", seed),
    ("threads", threads),
    ("memory", memory),
    ("legal", legal),
    ("reason", reason),
    ("distance", distance),
    ("eval", eval),
    ("hint", hint),
    ("analyze", analyze),
    ("redo", |qtp, words| step(qtp, words, |game, count| game.redo(count), "cannot redo")),
    ("history", history),
    ("position", position),
    ("get_position", |qtp, _| success(&qtp.position().position_text())),
    ("perft", count),
    ("stats", stats),
];

fn done() -> CommandResult {
    success("")
}

fn fail<T>(why: &'static str) -> Result<T, Failure> {
    Err(why.into())
}

fn syntax<T>(read: Option<T>) -> Result<T, Failure> {
    read.ok_or(SYNTAX.into())
}

/// The only argument.
fn one<T>(arguments: &[&str], read: fn(&str) -> Option<T>) -> Result<T, Failure> {
    let &[word] = arguments else { return fail(SYNTAX) };
    syntax(read(word))
}

/// The only argument, which may be left out.
fn at_most_one<T>(arguments: &[&str], read: fn(&str) -> Option<T>) -> Result<Option<T>, Failure> {
    if arguments.is_empty() { Ok(None) } else { one(arguments, read).map(Some) }
}

fn boardsize(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let size = one(arguments, number)? as usize;
    if !(3..=MAX_SIZE).contains(&size) || size.is_multiple_of(2) {
        return fail("unacceptable size");
    }
    qtp.history = QtpHistory::new(size, size, None);
    qtp.start();
    done()
}

fn clear_board(qtp: &mut QtpState, _: &[&str]) -> CommandResult {
    qtp.history.clear();
    qtp.start();
    done()
}

fn walls(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let walls = one(arguments, number)?;
    qtp.history.give_walls(u16::try_from(walls).unwrap_or(MAX_WALLS).min(MAX_WALLS));
    done()
}

/// Move that playmove or playwall names: the side, the move unless it is off the board, and its name.
struct ParsedMove {
    side: Side,
    mv: Option<Move>,
    name: String,
}

fn parse_move(game: &Quoridor, arguments: &[&str]) -> Result<ParsedMove, Failure> {
    let &[side, vertex, ref orientation @ ..] = arguments else { return fail(SYNTAX) };
    let (side, vertex) = (syntax(color(side))?, syntax(Vertex::read(vertex))?);
    let orientation = at_most_one(orientation, Orientation::read)?;
    Ok(ParsedMove { side, mv: vertex.to_move(orientation, game), name: names::name(vertex, orientation) })
}

/// Plays the move of a side, given in `count` arguments.
fn play(qtp: &mut QtpState, arguments: &[&str], count: usize) -> CommandResult {
    if arguments.len() != count {
        return fail(SYNTAX);
    }
    let wish = parse_move(qtp.position(), arguments)?;
    match wish.mv.map(|mv| qtp.history.play(wish.side, mv)) {
        Some(Ok(())) => done(),
        _ => fail(ILLEGAL),
    }
}

/// Reads the colour of a side that can move: not after a win, and not in the rare position where it is shut in.
fn mover(qtp: &QtpState, word: &str) -> Result<Side, Failure> {
    let side = syntax(color(word))?;
    if qtp.history.game_for(side).outcome().is_some() { fail(OVER) } else { Ok(side) }
}

fn genmove(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let &[side] = arguments else { return fail(SYNTAX) };
    let side = mover(qtp, side)?;
    let Choice { mv, info, .. } =
        qtp.engines.choose(side, &qtp.history).map_err(|error| error.to_string())?;
    let height = qtp.position().height();
    qtp.history.play(side, mv).expect("engines choose legal moves");
    let score = score(info.score, qtp.engines.seats.level);
    let line = names::line(&info.pv, height);
    let Info { nodes, depth, elapsed, .. } = info;
    let ms = elapsed.as_millis();
    qtp.last = Some(format!("nodes {nodes} depth {depth} time {ms} score {score} line {line}"));
    success(&names::words(mv, height))
}

/// Takes back or plays again the number of moves that is given, or one.
fn step(
    qtp: &mut QtpState,
    arguments: &[&str],
    go: fn(&mut QtpHistory, usize) -> bool,
    why: &'static str,
) -> CommandResult {
    let count = at_most_one(arguments, |word| number(word)?.try_into().ok())?.unwrap_or(1);
    if !go(&mut qtp.history, count) {
        return fail(why);
    }
    qtp.engines.seats.forget();
    done()
}

fn winner(qtp: &mut QtpState, _: &[&str]) -> CommandResult {
    match qtp.position().outcome().and_then(Outcome::winner) {
        Some(side) => success(&format!("true {}", color_name(side))),
        None => success("false"),
    }
}

fn level(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let level = match *arguments {
        [] => return success(&qtp.engines.seats.level.to_string()),
        ["classic"] => Some(EngineKind::Classic),
        [text] => number(text).and_then(|number| u8::try_from(number).ok()).map(EngineKind::Level),
        _ => return fail(SYNTAX),
    };
    let Some(level) = level.filter(|&level| qtp.engines.seats.has(level)) else {
        return fail("unknown level");
    };
    qtp.engines.seats.level = level;
    qtp.engines.seats.forget();
    done()
}

/// Shows a limit, or sets it; 0 is none.
fn limit(
    qtp: &mut QtpState,
    arguments: &[&str],
    show: fn(&Limits) -> Option<u64>,
    set: fn(&mut Limits, Option<u32>),
) -> CommandResult {
    let Some(value) = at_most_one(arguments, number)? else {
        return success(&show(&qtp.engines.seats.limits).unwrap_or(0).to_string());
    };
    set(&mut qtp.engines.seats.limits, Some(value).filter(|&value| value > 0));
    done()
}

fn movetime(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let show = |limits: &Limits| limits.time.and_then(|time| u64::try_from(time.as_millis()).ok());
    limit(qtp, arguments, show, |limits, value| {
        limits.time = value.map(|ms| Duration::from_millis(ms.into()));
    })
}

fn nodes(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    limit(qtp, arguments, |limits| limits.nodes, |limits, value| limits.nodes = value.map(u64::from))
}

fn depth(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    limit(qtp, arguments, |limits| limits.depth.map(u64::from), |limits, value| limits.depth = value)
}

fn milliseconds(word: &str) -> Option<Duration> {
    number(word).map(|ms| Duration::from_millis(ms.into()))
}

fn time_left(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let &[side, ms] = arguments else { return fail(SYNTAX) };
    let (side, left) = (syntax(color(side))?, syntax(milliseconds(ms))?);
    qtp.engines.clock.set(side, left);
    done()
}

fn seed(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let Some(seed) = at_most_one(arguments, number)? else {
        return success(&qtp.engines.seats.seed.to_string());
    };
    qtp.engines.seats.seed = seed.into();
    qtp.engines.seats.forget();
    done()
}

fn threads(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let Some(threads) = at_most_one(arguments, number)? else {
        return success(&qtp.engines.seats.resources.thread_count().to_string());
    };
    let allowed = u16::try_from(threads).ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    qtp.engines.seats.resources.threads = Some(allowed.ok_or("unacceptable number of threads")?);
    qtp.engines.seats.forget();
    done()
}

/// Shows the memory of the tables in MiB, or sets it; 0 is the engine's own choice.
fn memory(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let Some(mib) = at_most_one(arguments, number)? else {
        return success(&qtp.engines.seats.resources.memory_mib.unwrap_or(0).to_string());
    };
    if mib > MAX_MIB {
        return fail("unacceptable amount of memory");
    }
    qtp.engines.seats.resources.memory_mib = Some(mib).filter(|&mib| mib > 0);
    qtp.engines.seats.forget();
    done()
}

fn legal(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let side = one(arguments, color)?;
    success(&names::legal(&qtp.history.game_for(side)).join("\n"))
}

fn reason(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let game = qtp.position();
    let wish = parse_move(game, arguments)?;
    let refused = match wish.mv {
        _ if game.outcome().and_then(Outcome::winner).is_some() => Some("the game is over".to_owned()),
        None => Some(format!("{} is not on the board", wish.name)),
        Some(mv) => {
            let refusal = qtp.history.game_for(wish.side).try_make(mv).err();
            refusal.map(|refusal| names::refusal(refusal, game.height()))
        }
    };
    success(&refused.map_or("legal".to_owned(), |why| format!("illegal: {why}")))
}

fn distance(qtp: &mut QtpState, _: &[&str]) -> CommandResult {
    let [first, second] = Side::each(|side| qtp.position().distance(side));
    success(&format!("black {first} white {second}"))
}

fn eval(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let [] = arguments else { return fail(SYNTAX) };
    let game = qtp.position();
    if game.outcome().is_some() {
        return fail(OVER);
    }
    let value = crate::ai::quoridor::eval::evaluate(game);
    let black = if game.to_move() == Side::First { value } else { -value };
    success(&format!("{:.2}", f64::from(black) / 100.0))
}

/// A score in words: steps with two decimals, the classic player's value with four, `win`, `loss`, or `-` if the
/// engine gave none.
fn score(score: Option<Score>, level: EngineKind) -> String {
    let Some(score) = score else { return "-".to_owned() };
    match score.value() {
        Value::Win(_) => "win".to_owned(),
        Value::Loss(_) => "loss".to_owned(),
        _ if level == EngineKind::Classic => format!("{:+.4}", f64::from(score.0) / 10_000.0),
        _ => format!("{:+.2}", f64::from(score.0) / 100.0),
    }
}

/// The arguments of advice: colour and time. The colour must have a move.
fn advice(qtp: &QtpState, arguments: &[&str]) -> Result<(Side, Option<Duration>), Failure> {
    let &[side, ref time @ ..] = arguments else { return fail(SYNTAX) };
    let time = at_most_one(time, milliseconds)?;
    Ok((mover(qtp, side)?, time))
}

fn hint(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let (side, time) = advice(qtp, arguments)?;
    let Choice { mv, info, .. } =
        qtp.engines.advise(side, &qtp.history, time).map_err(|error| error.to_string())?;
    let height = qtp.position().height();
    let score = score(info.score, qtp.engines.seats.strongest());
    success(&format!("{} {score} {}", names::word(mv, height), names::line(&info.pv, height)))
}

fn analyze(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let (side, time) = advice(qtp, arguments)?;
    let height = qtp.position().height();
    let candidates = qtp.engines.analyze(side, &qtp.history, time).map_err(|error| error.to_string())?;
    let lines = candidates.into_iter().map(|Info { depth, nodes, pv, score: value, .. }| {
        let score = score(value, qtp.engines.seats.strongest());
        format!("{} {score} {depth} {nodes} {}", names::word(pv[0], height), names::line(&pv, height))
    });
    success(&lines.collect::<Vec<_>>().join("\n"))
}

fn history(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let [] = arguments else { return fail(SYNTAX) };
    let height = qtp.position().height();
    let lines =
        qtp.history.played().map(|(side, mv)| format!("{} {}", color_name(side), names::words(mv, height)));
    success(&lines.collect::<Vec<_>>().join("\n"))
}

fn position(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    if arguments.is_empty() {
        return fail(SYNTAX);
    }
    let game = Quoridor::from_position_text(&arguments.join(" "));
    let possible = |game: Quoridor| game.check_walls(qtp.history.walls_each(game.width())).map(|()| game);
    let game = game.and_then(possible).map_err(|bad| {
        let why = bad.to_string();
        let shown = why.chars().take(180).map(|c| if c.is_control() { '?' } else { c });
        format!("bad position: {}", shown.collect::<String>())
    })?;
    qtp.history.set_up(game);
    qtp.start();
    done()
}

fn count(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let depth = one(arguments, number)?;
    if depth > MAX_PERFT {
        return fail("unacceptable depth");
    }
    success(&perft(&mut qtp.position().clone(), depth).to_string())
}

fn stats(qtp: &mut QtpState, arguments: &[&str]) -> CommandResult {
    let [] = arguments else { return fail(SYNTAX) };
    qtp.last.clone().ok_or("no move generated".into())
}
