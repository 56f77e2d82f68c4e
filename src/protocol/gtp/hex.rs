//! The commands that only Hex has: its solver, the swap, files, analysis for other programs' windows.

use std::iter::successors;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::arguments::{color, color_or_mover, exactly, fail, number};
use super::commands::{
    all_legal_moves, boardsize, clear_board, final_score, genmove, known, listed, name, play,
    protocol_version, quit, reg_genmove, showboard, shown, time_left, time_settings, undo, version,
};
use super::history::{GtpHistory, GtpTurn};
use super::{GtpBoard, GtpState, params, referees};
use crate::ai::hex::solve::{winner, winners};
use crate::ai::{GameHistory, Info, SearchControl};
use crate::board::names::cell_name;
use crate::game::{BoardConfig, Describe, Game, Notation, Outcome, Side};
use crate::games::hex::{Hex, Move};
use crate::protocol::shell::{CommandResult, Failure, ProtocolCommand, StreamWriter, success};
use crate::protocol::watch::watched;
use crate::record::disk::{self, FileError, Replace};
use crate::record::sgf::{self, SgfStyle};
use crate::record::{self, GameRecord, GameTree, Hint, MoveSource, NodeId, lasting_remarks};
use crate::registry::{self, Variant};
use crate::session::{EarlyEnd, LossReason, PASS, Position};

/// The commands of Hex, in alphabetical order.
pub(super) const COMMANDS: &[ProtocolCommand<GtpState<Hex>>] = &[
    ("all_legal_moves", all_legal_moves),
    ("boardsize", boardsize),
    ("clear_board", clear_board),
    ("cputime", referees::cpu_time),
    ("crosspath-winning-path", winning_path),
    ("dfpn-solve-state", solve_state),
    ("dfpn-solver-find-winning", find_winning),
    ("final_score", final_score),
    ("genmove", genmove),
    ("gogui-rules_board", referees::board),
    ("gogui-rules_board_size", referees::board_size),
    ("gogui-rules_final_result", referees::final_result),
    ("gogui-rules_game_id", referees::game_id),
    ("gogui-rules_legal_moves", referees::legal_moves),
    ("gogui-rules_side_to_move", referees::side_to_move),
    ("hexgui-analyze_commands", |_, arguments| {
        exactly::<0>(arguments)?;
        success(ANALYZE_COMMANDS)
    }),
    ("known_command", known),
    ("komi", referees::komi),
    ("list_commands", listed),
    ("loadsgf", load),
    ("lz-analyze", |gtp, arguments| {
        let mut lines = Vec::new();
        let mut tell = |line: &str| lines.push(line.to_owned());
        analyze(gtp, arguments, &mut StreamWriter { is_over: &|| true, tell: &mut tell })?;
        let lines: String = lines.into_iter().flat_map(|line| ["\n".to_owned(), line]).collect();
        success(&lines)
    }),
    ("name", name),
    ("param_dfpn", referees::accepted),
    ("param_engine", params::engine),
    ("param_game", params::game),
    ("play", play),
    ("protocol_version", protocol_version),
    ("quit", quit),
    ("reg_genmove", reg_genmove),
    ("savesgf", save),
    ("set_random_seed", referees::set_random_seed),
    ("showboard", showboard),
    ("time_left", time_left),
    ("time_settings", time_settings),
    ("undo", undo),
    ("vc-build", referees::build_connections),
    ("version", version),
];

/// Analyses that `HexGui` shows in its list: type, label, command.
const ANALYZE_COMMANDS: &str = "string/Show Board/showboard
string/Final Score/final_score
plist/All Legal Moves/all_legal_moves %c
varc/Reg GenMove/reg_genmove %c
string/DFPN Solve State/dfpn-solve-state %m
plist/DFPN Find Winning/dfpn-solver-find-winning %m
plist/Winning Path/crosspath-winning-path
param/Game Param/param_game
param/Engine Param/param_engine";

/// The cells of the chain that has won; none while the game goes on.
fn winning_path(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    color_or_mover(gtp, arguments)?;
    let frame = gtp.frame();
    let cells = gtp.history.game().winning().into_iter().map(|place| frame.place(place));
    success(&cells.map(|(row, col)| cell_name(col, row)).collect::<Vec<_>>().join(" "))
}

/// Returns the result of the solver where a side is to move, and plays a stone.
fn searched<T>(
    gtp: &GtpState<Hex>,
    side: Side,
    solve: impl FnOnce(&Hex, &SearchControl<'_, Move>) -> T,
) -> T {
    let game = gtp.history.game_for(side).with_swap(false);
    let limits = gtp.seats.limits;
    let eof = gtp.seats.eof.as_deref().filter(|_| limits.is_time_only());
    watched(limits.time, eof, |stop| solve(&game, &SearchControl::quiet(limits, stop)))
}

fn solve_state(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    let side = gtp.frame().side(color_or_mover(gtp, arguments)?);
    let known = gtp.result().and_then(Outcome::winner);
    success(match known.or_else(|| searched(gtp, side, winner).map(|side| gtp.frame().side(side))) {
        None => "unknown",
        Some(Side::First) => "black",
        Some(Side::Second) => "white",
    })
}

fn find_winning(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    let side = gtp.frame().side(color_or_mover(gtp, arguments)?);
    if gtp.history.is_over() {
        return success("");
    }
    let moves = searched(gtp, side, winners).moves;
    if moves.iter().any(|(_, outcome, _)| outcome.is_none()) {
        return fail("unknown");
    }
    let (frame, game) = (gtp.frame(), gtp.history.game());
    let wins = moves.into_iter().filter(|&(_, outcome, _)| outcome == Some(Outcome::Win(side)));
    let places = wins.filter_map(|(mv, _, _)| game.place_of(mv));
    let mut places: Vec<(usize, usize)> = places.map(|place| frame.place(place)).collect();
    places.sort_unstable();
    success(&places.into_iter().map(|(row, col)| cell_name(col, row)).collect::<Vec<_>>().join(" "))
}

// ---- files ----

/// `loadsgf FILE [N]`: the position before move N of the main line, or the one in which the game stands.
fn load(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let (file, before) = match arguments {
        [] => return fail("command needs 1 argument"),
        [file @ .., last] if !file.is_empty() && is_number(last) => (file, Some(number(last)?)),
        file => (file, None),
    };
    let bytes = match disk::load(Path::new(&file.join(" "))) {
        Ok(bytes) => bytes,
        Err(why) => return Err(format!("cannot load file: {why}").into()),
    };
    let record = record::load(&bytes, &Hint::of(registry::find("hex").expect("it is there")).free());
    let played = record.map_err(|why| why.to_string()).and_then(|record| {
        let history = played(&record, before, &gtp.history)?;
        Ok((record, history))
    });
    match played {
        Ok((record, history)) => (gtp.history, gtp.loaded) = (history, Some(Box::new(record))),
        Err(why) => return Err(format!("cannot load file: {}", why.trim_start()).into()),
    }
    gtp.begin();
    success("")
}

/// The game of a file up to the position in which it stands, or before this move of its main line, under the parameters of
/// another.
fn played(
    record: &GameRecord,
    before: Option<u32>,
    like: &GtpHistory<Hex>,
) -> Result<GtpHistory<Hex>, String> {
    let GameRecord { start, tree, fault, .. } = record;
    let (end, count) = match before {
        None => (record.present, usize::MAX),
        Some(before) => (record.end, (before as usize).saturating_sub(1)),
    };
    let first = tree.position(NodeId::ROOT);
    let set_up = |chosen: BoardConfig| match first.setup() {
        Some(setup) => Hex::from_setup(&chosen, setup).map_err(|error| error.to_string()),
        None => Ok(<Hex as Describe>::set_up(&chosen)),
    };
    let board = start.entry.choose(&start.variant).map_err(|error| error.to_string())?;
    let has_swap = board.is_on("swap");
    let mut history = GtpHistory::new(set_up(board)?, has_swap);
    let path = tree.line_to(end);
    let mut turns = 0;
    for pair in path.windows(2) {
        let (before, text) = (tree.position(pair[0]), tree.position(pair[1]).last().unwrap_or_default());
        if text == PASS {
            continue; // any side may play at any time
        }
        if turns == count {
            break;
        }
        turns += 1;
        let side = before.to_move();
        let mv = history.game_for(side).parse(&text).map_err(|why| why.to_string())?;
        history.play(side, mv).map_err(|_| format!("{text} cannot be played"))?;
    }
    if turns < count {
        if let Some(fault) = fault {
            return Err(format!("{}: {}", fault.line, fault.why.text));
        }
        if let Some(side) = tree.position(end).early().and_then(EarlyEnd::loser) {
            history.resign(side).map_err(|_| "the game is over already".to_owned())?;
        }
    }
    (history.may_swap, history.exchanges_players) = (like.may_swap, like.exchanges_players);
    Ok(history)
}

/// `savesgf FILE`.
fn save(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    if arguments.is_empty() {
        return fail("command needs 1 argument");
    }
    let path = PathBuf::from(arguments.join(" "));
    // Whoever runs a program may not know what its operator has in a folder.
    let own = path.canonicalize().ok().and_then(|path| gtp.saved.get(&path));
    // Somebody else may have put another file in its place.
    let is_own =
        own.is_some_and(|own| disk::read_regular(&path, own.len() as u64).is_ok_and(|there| there == *own));
    let replace = if is_own { Replace::Allowed } else { Replace::Never };
    let game = written(gtp).into_bytes();
    match disk::write(&path, &game, replace) {
        Ok(()) => {
            gtp.saved.extend(path.canonicalize().ok().map(|path| (path, game)));
            success("")
        }
        Err(FileError::Exists) => fail("file exists"),
        Err(_) => fail("cannot save file"),
    }
}

/// A game as a file holds it: with all that its own file says, as long as it can be a game of that file.
fn written(gtp: &GtpState<Hex>) -> String {
    let history = &gtp.history;
    let of_file = gtp.loaded.as_deref().and_then(|record| {
        let mut record = record.clone();
        let at = followed(&mut record.tree, history)?;
        // What the file states of its end stays true until moves follow it.
        if record.tree.children(record.end).is_empty() {
            record.restate_result();
        }
        Some((record.tree, at, record.remarks))
    });
    let (tree, at, remarks) = of_file.unwrap_or_else(|| {
        let mut tree = GameTree::new(begun(history));
        let at = followed(&mut tree, history).expect("it was played");
        (tree, at, Vec::new())
    });
    let style = SgfStyle { exchanges_players: history.exchanges_players, omits_passes: true };
    let remarks = lasting_remarks(&tree, at, &remarks);
    sgf::write(&tree, at, &remarks, style).expect("it is a game of Hex").0
}

/// The first position of a game that is in no file.
fn begun(history: &GtpHistory<Hex>) -> Arc<dyn Position> {
    let first = history.first();
    let has_swap = history.may_swap || history.turns().any(|(_, turn)| turn == GtpTurn::Move(Move::Swap));
    let entry = registry::find("hex").expect("it is there");
    let variant = Variant::of_size(first.size()).with("swap", if has_swap { "on" } else { "off" });
    let is_set_up = first.count() > 0 || first.to_move() == Side::Second;
    let setup = Describe::setup(first).filter(|_| is_set_up);
    let start = match &setup {
        Some(setup) => entry.start_from(&variant, setup),
        None => entry.start(&variant),
    };
    start.expect("it is on the board")
}

/// Follows a game in a tree, adding the moves that are not there; gives the position at its end. `None` if the tree is of a
/// game in which it cannot be played.
fn followed(tree: &mut GameTree, history: &GtpHistory<Hex>) -> Option<NodeId> {
    let mut at = NodeId::ROOT;
    for (side, turn) in history.turns() {
        let GtpTurn::Move(mv) = turn else {
            if tree.position(at).outcome().is_none() {
                tree.set_position(at, tree.position(at).ended(EarlyEnd::Lost(side, LossReason::Resigned)));
            }
            continue;
        };
        let text = history.first().show(mv);
        if let Some(known) = move_after(tree, at, side, &text) {
            at = known;
            continue;
        }
        tree.set_position(at, tree.position(at).reopened());
        if tree.position(at).to_move() != side {
            at = tree.play(at, PASS, MoveSource::Human).ok()?;
        }
        at = tree.play(at, &text, MoveSource::Human).ok()?;
    }
    Some(at)
}

/// The position after a move of this side, where it was played in this one or after turns that were passed.
fn move_after(tree: &GameTree, at: NodeId, side: Side, text: &str) -> Option<NodeId> {
    let find = |at: NodeId, text: &str| {
        tree.children(at).iter().copied().find(|&child| tree.position(child).last().as_deref() == Some(text))
    };
    let mut passed = successors(Some(at), |&at| find(at, PASS));
    passed.find_map(|at| find(at, text).filter(|_| tree.position(at).to_move() == side))
}

// ---- analysis ----

/// Number of moves that an analysis compares.
const COMPARED_MOVES: usize = 5;
/// Time between two looks for the next line.
const LINE_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// `lz-analyze [C] CENTISECONDS`: what the engine finds, told so often, until the next line comes.
pub(super) fn analyze(
    gtp: &mut GtpState<Hex>,
    arguments: &[&str],
    to: &mut StreamWriter<'_>,
) -> Result<(), Failure> {
    let (side, every) = match *arguments {
        [every] => (gtp.history.game().to_move(), every),
        [side, every] => (gtp.frame().side(color(side)?), every),
        _ => return fail("command needs 1 or 2 arguments"),
    };
    let every = Duration::from_millis(u64::from(number(every)?) * 10).max(LINE_POLL_INTERVAL);
    if gtp.history.is_over() {
        return fail("game over");
    }
    let (start, played) = gtp.history.turns_before(side);
    let now = gtp.history.game_for(side);
    let at = GameHistory { start: &start, played: &played, now: &now };
    let host = gtp.seats.adviser(gtp.seats.level, &start).map_err(|error| error.to_string())?;
    let (latest, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let keep = |infos: Vec<Info<Move>>| *latest.lock().expect("nobody panics with it") = infos;
    let (gtp, limits) = (&*gtp, gtp.seats.limits);
    thread::scope(|scope| {
        let (keep, stop, at) = (&keep, &stop, &at);
        let thought = scope.spawn(move || {
            let report = |info: &Info<Move>| keep(vec![info.clone()]);
            let best = host.compare(COMPARED_MOVES, at, &SearchControl { limits, stop, report: &report });
            best.into_iter().for_each(keep);
        });
        let (mut told, mut is_done) = (Instant::now(), false);
        while !(is_done && (to.is_over)()) {
            if (to.is_over)() {
                stop.store(true, Ordering::SeqCst);
            }
            thread::sleep(LINE_POLL_INTERVAL);
            let was_done = std::mem::replace(&mut is_done, thought.is_finished());
            if is_done != was_done || told.elapsed() >= every {
                let infos = latest.lock().expect("nobody panics with it").clone();
                // What was stopped before anything was looked at says nothing.
                let is_thought = |info: &&Info<Move>| info.nodes > 0 || !stop.load(Ordering::SeqCst);
                let words: Vec<String> =
                    infos.iter().filter(is_thought).map(|info| format_analysis(gtp, info)).collect();
                if !words.is_empty() {
                    (to.tell)(&words.join(" "));
                }
                told = Instant::now();
            }
        }
    });
    Ok(())
}

/// Describes the findings about a move: its visits, or where they are not counted the positions of the search; its win
/// chance in hundredths of a percent; its line.
fn format_analysis(gtp: &GtpState<Hex>, info: &Info<Move>) -> String {
    let Some(&mv) = info.pv.first() else { return String::new() };
    let scale = gtp.seats.spec().scale;
    let chance = info.score.and_then(|score| scale.chance(score)).unwrap_or(0.5);
    let line: Vec<String> = info.pv.iter().map(|&mv| shown(gtp, mv)).collect();
    let percent = format!("{:.0}", chance * 10_000.0);
    let own = info.candidates.iter().find(|one| one.mv() == mv).map(|one| u64::from(one.visits));
    let visits = own.filter(|&visits| visits > 0).unwrap_or(info.nodes);
    format!("info move {} visits {visits} winrate {percent} pv {}", shown(gtp, mv), line.join(" "))
}
