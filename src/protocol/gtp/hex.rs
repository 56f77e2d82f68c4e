//! GTP commands specific to Hex: solver, swap, files, and analysis for graphical user interfaces.

use std::iter::successors;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::arguments::{exact_arguments, fail_with, parse_color, parse_color_or_mover, parse_number};
use super::commands::{
    format_move, handle_all_legal_moves, handle_boardsize, handle_clear_board, handle_final_score,
    handle_genmove, handle_known_command, handle_list_commands, handle_name, handle_play,
    handle_protocol_version, handle_quit, handle_reg_genmove, handle_showboard, handle_time_left,
    handle_time_settings, handle_undo, handle_version,
};
use super::history::{GtpHistory, GtpTurn};
use super::{GtpBoard, GtpState, params, referees};
use crate::ai::hex::solve::{find_winner, solve_without_distances};
use crate::ai::{GameHistory, SearchControl, SearchInfo};
use crate::board::names::cell_name;
use crate::game::{BoardConfig, Game, GameDefinition, Notation, Outcome, Side};
use crate::games::hex::{Hex, Move};
use crate::protocol::shell::{CommandFailure, CommandResult, ProtocolCommand, StreamWriter, succeed_with};
use crate::protocol::watch::run_with_stop_flag;
use crate::record::disk::{self, FileError, ReplacePolicy};
use crate::record::sgf::{self, SgfStyle};
use crate::record::{self, GameRecord, GameTree, MoveSource, NodeId, RecordReadOptions, still_valid_remarks};
use crate::registry::{self, Variant};
use crate::session::{EarlyEnd, LossReason, PASS_WORD, Position};

/// GTP commands for Hex, in alphabetical order.
pub(super) const HEX_COMMANDS: &[ProtocolCommand<GtpState<Hex>>] = &[
    ("all_legal_moves", handle_all_legal_moves),
    ("boardsize", handle_boardsize),
    ("clear_board", handle_clear_board),
    ("cputime", referees::handle_cputime),
    ("crosspath-winning-path", handle_winning_path),
    ("dfpn-solve-state", handle_solve_state),
    ("dfpn-solver-find-winning", handle_find_winning),
    ("final_score", handle_final_score),
    ("genmove", handle_genmove),
    ("gogui-rules_board", referees::handle_rules_board),
    ("gogui-rules_board_size", referees::handle_rules_board_size),
    ("gogui-rules_final_result", referees::handle_rules_final_result),
    ("gogui-rules_game_id", referees::handle_rules_game_id),
    ("gogui-rules_legal_moves", referees::handle_rules_legal_moves),
    ("gogui-rules_side_to_move", referees::handle_rules_side_to_move),
    ("hexgui-analyze_commands", |_, arguments| {
        exact_arguments::<0>(arguments)?;
        succeed_with(HEXGUI_ANALYZE_COMMANDS)
    }),
    ("known_command", handle_known_command),
    ("komi", referees::handle_komi),
    ("list_commands", handle_list_commands),
    ("loadsgf", handle_loadsgf),
    ("lz-analyze", |gtp, arguments| {
        let mut lines = Vec::new();
        let mut tell = |line: &str| lines.push(line.to_owned());
        handle_lz_analyze(gtp, arguments, &mut StreamWriter { is_over: &|| true, tell: &mut tell })?;
        let lines: String = lines.into_iter().flat_map(|line| ["\n".to_owned(), line]).collect();
        succeed_with(&lines)
    }),
    ("name", handle_name),
    ("param_dfpn", referees::accept_without_effect),
    ("param_engine", params::handle_param_engine),
    ("param_game", params::handle_param_game),
    ("play", handle_play),
    ("protocol_version", handle_protocol_version),
    ("quit", handle_quit),
    ("reg_genmove", handle_reg_genmove),
    ("savesgf", handle_savesgf),
    ("set_random_seed", referees::handle_set_random_seed),
    ("showboard", handle_showboard),
    ("time_left", handle_time_left),
    ("time_settings", handle_time_settings),
    ("undo", handle_undo),
    ("vc-build", referees::handle_vc_build),
    ("version", handle_version),
];

/// Analysis commands that `HexGui` lists: type, label, command.
const HEXGUI_ANALYZE_COMMANDS: &str = "string/Show Board/showboard
string/Final Score/final_score
plist/All Legal Moves/all_legal_moves %c
varc/Reg GenMove/reg_genmove %c
string/DFPN Solve State/dfpn-solve-state %m
plist/DFPN Find Winning/dfpn-solver-find-winning %m
plist/Winning Path/crosspath-winning-path
param/Game Param/param_game
param/Engine Param/param_engine";

/// Handles `crosspath-winning-path [COLOR]`: lists the cells of the winning chain, or none before the end
/// of the game.
fn handle_winning_path(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    parse_color_or_mover(gtp, arguments)?;
    let frame = gtp.wire_frame();
    let cells = gtp.history.position().winning_cells().into_iter().map(|place| frame.map_coordinates(place));
    succeed_with(&cells.map(|(row, col)| cell_name(col, row)).collect::<Vec<_>>().join(" "))
}

/// Runs the solver on the current position with this side to move and without the swap rule.
fn run_solver<T>(
    gtp: &GtpState<Hex>,
    side: Side,
    solve: impl FnOnce(&Hex, &SearchControl<'_, Move>) -> T,
) -> T {
    let game = gtp.history.position_for(side).with_swap_allowed(false);
    let limits = gtp.seats.limits;
    let eof = gtp.seats.eof.as_deref().filter(|_| limits.is_time_only());
    run_with_stop_flag(limits.time, eof, |stop| solve(&game, &SearchControl::without_reports(limits, stop)))
}

/// Handles `dfpn-solve-state [COLOR]`.
fn handle_solve_state(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    let side = gtp.wire_frame().map_side(parse_color_or_mover(gtp, arguments)?);
    let known = gtp.game_result().and_then(Outcome::winner);
    succeed_with(
        match known.or_else(|| run_solver(gtp, side, find_winner).map(|side| gtp.wire_frame().map_side(side)))
        {
            None => "unknown",
            Some(Side::First) => "black",
            Some(Side::Second) => "white",
        },
    )
}

/// Handles `dfpn-solver-find-winning [COLOR]`.
fn handle_find_winning(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    let side = gtp.wire_frame().map_side(parse_color_or_mover(gtp, arguments)?);
    if gtp.history.is_over() {
        return succeed_with("");
    }
    let moves = run_solver(gtp, side, solve_without_distances).moves;
    if moves.iter().any(|(_, outcome, _)| outcome.is_none()) {
        return fail_with("unknown");
    }
    let (frame, game) = (gtp.wire_frame(), gtp.history.position());
    let wins = moves.into_iter().filter(|&(_, outcome, _)| outcome == Some(Outcome::Win(side)));
    let places = wins.filter_map(|(mv, _, _)| game.row_and_column_of(mv));
    let mut places: Vec<(usize, usize)> = places.map(|place| frame.map_coordinates(place)).collect();
    places.sort_unstable();
    succeed_with(&places.into_iter().map(|(row, col)| cell_name(col, row)).collect::<Vec<_>>().join(" "))
}

// ---- files ----

/// Handles `loadsgf FILE [N]`: loads the position before move N of the main line, or the current position
/// of the file.
fn handle_loadsgf(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let (file, before) = match arguments {
        [] => return fail_with("command needs 1 argument"),
        [file @ .., last] if !file.is_empty() && is_number(last) => (file, Some(parse_number(last)?)),
        file => (file, None),
    };
    let bytes = match disk::load_move_file(Path::new(&file.join(" "))) {
        Ok(bytes) => bytes,
        Err(why) => return Err(format!("cannot load file: {why}").into()),
    };
    let record = record::load_game(
        &bytes,
        &RecordReadOptions::for_game(registry::find_game("hex").expect("it is there")).with_any_turn(),
    );
    let played = record.map_err(|why| why.to_string()).and_then(|record| {
        let history = history_from_record(&record, before, &gtp.history)?;
        Ok((record, history))
    });
    match played {
        Ok((record, history)) => (gtp.history, gtp.loaded) = (history, Some(Box::new(record))),
        Err(why) => return Err(format!("cannot load file: {}", why.trim_start()).into()),
    }
    gtp.reset_engines_and_clocks();
    succeed_with("")
}

/// Replays a record up to its current position, or up to the position before a move of its main
/// line.
///
/// Copies the swap settings of `like`.
fn history_from_record(
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
    let set_up = |chosen: BoardConfig| match first.initial_setup() {
        Some(setup) => Hex::from_setup(&chosen, setup).map_err(|error| error.to_string()),
        None => Ok(<Hex as GameDefinition>::start_position(&chosen)),
    };
    let board = start.entry.resolve_board(&start.variant).map_err(|error| error.to_string())?;
    let has_swap = board.is_switch_on("swap");
    let mut history = GtpHistory::new(set_up(board)?, has_swap);
    let path = tree.line_to(end);
    let mut turns = 0;
    for pair in path.windows(2) {
        let (before, text) = (tree.position(pair[0]), tree.position(pair[1]).last_move().unwrap_or_default());
        if text == PASS_WORD {
            continue; // GTP has no passes, as either side may play at any time
        }
        if turns == count {
            break;
        }
        turns += 1;
        let side = before.to_move();
        let mv = history.position_for(side).parse(&text).map_err(|why| why.to_string())?;
        history.play(side, mv).map_err(|_| format!("{text} cannot be played"))?;
    }
    if turns < count {
        if let Some(fault) = fault {
            return Err(format!("{}: {}", fault.line, fault.why.text));
        }
        if let Some(side) = tree.position(end).early_end().and_then(EarlyEnd::loser) {
            history.resign(side).map_err(|_| "the game is over already".to_owned())?;
        }
    }
    (history.may_swap, history.exchanges_players) = (like.may_swap, like.exchanges_players);
    Ok(history)
}

/// Handles `savesgf FILE`.
fn handle_savesgf(gtp: &mut GtpState<Hex>, arguments: &[&str]) -> CommandResult {
    if arguments.is_empty() {
        return fail_with("command needs 1 argument");
    }
    let path = PathBuf::from(arguments.join(" "));
    // Only files that this program wrote are replaced, as the client may not know what else is in the folder.
    let own = path.canonicalize().ok().and_then(|path| gtp.saved.get(&path));
    // Another program may have replaced the file since then.
    let is_own = own
        .is_some_and(|own| disk::read_regular_file(&path, own.len() as u64).is_ok_and(|there| there == *own));
    let replace = if is_own { ReplacePolicy::Allowed } else { ReplacePolicy::Never };
    let game = render_sgf(gtp).into_bytes();
    match disk::write_file(&path, &game, replace) {
        Ok(()) => {
            gtp.saved.extend(path.canonicalize().ok().map(|path| (path, game)));
            succeed_with("")
        }
        Err(FileError::Exists) => fail_with("file exists"),
        Err(_) => fail_with("cannot save file"),
    }
}

/// Renders the game as SGF. Keeps the other contents of the loaded file if the game still fits into it.
fn render_sgf(gtp: &GtpState<Hex>) -> String {
    let history = &gtp.history;
    let of_file = gtp.loaded.as_deref().and_then(|record| {
        let mut record = record.clone();
        let at = add_history_to_tree(&mut record.tree, history)?;
        // The result stated in the file stays valid until moves are added after its end.
        if record.tree.children(record.end).is_empty() {
            record.restate_result();
        }
        Some((record.tree, at, record.remarks))
    });
    let (tree, at, remarks) = of_file.unwrap_or_else(|| {
        let mut tree = GameTree::new(start_position_of(history));
        let at = add_history_to_tree(&mut tree, history).expect("it was played");
        (tree, at, Vec::new())
    });
    let style = SgfStyle { exchanges_players: history.exchanges_players, omits_passes: true };
    let remarks = still_valid_remarks(&tree, at, &remarks);
    sgf::write_sgf(&tree, at, &remarks, style).expect("it is a game of Hex").0
}

/// Returns the start position of a game that did not come from a file.
fn start_position_of(history: &GtpHistory<Hex>) -> Arc<dyn Position> {
    let first = history.start_position();
    let has_swap = history.may_swap || history.turns().any(|(_, turn)| turn == GtpTurn::Move(Move::Swap));
    let entry = registry::find_game("hex").expect("it is there");
    let variant = Variant::of_size(first.size()).with_setting("swap", if has_swap { "on" } else { "off" });
    let is_set_up = first.stone_count() > 0 || first.to_move() == Side::Second;
    let setup = GameDefinition::to_setup(first).filter(|_| is_set_up);
    let start = match &setup {
        Some(setup) => entry.set_up_position(&variant, setup),
        None => entry.start_position(&variant),
    };
    start.expect("it is on the board")
}

/// Adds the moves of a game to a tree and returns the node of the last one.
///
/// Returns `None` if a move is illegal in the tree.
fn add_history_to_tree(tree: &mut GameTree, history: &GtpHistory<Hex>) -> Option<NodeId> {
    let mut at = NodeId::ROOT;
    for (side, turn) in history.turns() {
        let GtpTurn::Move(mv) = turn else {
            if tree.position(at).outcome().is_none() {
                tree.set_position(
                    at,
                    tree.position(at).with_early_end(EarlyEnd::Lost(side, LossReason::Resigned)),
                );
            }
            continue;
        };
        let text = history.start_position().format_move(mv);
        if let Some(known) = find_child_after_passes(tree, at, side, &text) {
            at = known;
            continue;
        }
        tree.set_position(at, tree.position(at).without_early_end());
        if tree.position(at).to_move() != side {
            at = tree.play_move(at, PASS_WORD, MoveSource::Human).ok()?;
        }
        at = tree.play_move(at, &text, MoveSource::Human).ok()?;
    }
    Some(at)
}

/// Finds the child of `at` in which this side plays this move, skipping passes in between.
fn find_child_after_passes(tree: &GameTree, at: NodeId, side: Side, text: &str) -> Option<NodeId> {
    let find = |at: NodeId, text: &str| {
        tree.children(at)
            .iter()
            .copied()
            .find(|&child| tree.position(child).last_move().as_deref() == Some(text))
    };
    let mut passed = successors(Some(at), |&at| find(at, PASS_WORD));
    passed.find_map(|at| find(at, text).filter(|_| tree.position(at).to_move() == side))
}

// ---- analysis ----

/// Number of moves that an analysis compares.
const MAX_ANALYSIS_MOVES: usize = 5;
/// Interval between checks for the next input line.
const INPUT_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Handles `lz-analyze [COLOR] CENTISECONDS`: reports the analysis at this interval until the next line
/// arrives.
pub(super) fn handle_lz_analyze(
    gtp: &mut GtpState<Hex>,
    arguments: &[&str],
    to: &mut StreamWriter<'_>,
) -> Result<(), CommandFailure> {
    let (side, every) = match *arguments {
        [every] => (gtp.history.position().to_move(), every),
        [side, every] => (gtp.wire_frame().map_side(parse_color(side)?), every),
        _ => return fail_with("command needs 1 or 2 arguments"),
    };
    let every = Duration::from_millis(u64::from(parse_number(every)?) * 10).max(INPUT_POLL_INTERVAL);
    if gtp.history.is_over() {
        return fail_with("game over");
    }
    let (start, played) = gtp.history.alternating_tail(side);
    let now = gtp.history.position_for(side);
    let at = GameHistory { start: &start, played: &played, now: &now };
    let host = gtp.seats.build_adviser(gtp.seats.level, &start).map_err(|error| error.to_string())?;
    let (latest, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let keep = |infos: Vec<SearchInfo<Move>>| *latest.lock().expect("nobody panics with it") = infos;
    let (gtp, limits) = (&*gtp, gtp.seats.limits);
    thread::scope(|scope| {
        let (keep, stop, at) = (&keep, &stop, &at);
        let thought = scope.spawn(move || {
            let report = |info: &SearchInfo<Move>| keep(vec![info.clone()]);
            let best =
                host.compare_moves(MAX_ANALYSIS_MOVES, at, &SearchControl { limits, stop, report: &report });
            best.into_iter().for_each(keep);
        });
        let (mut told, mut is_done) = (Instant::now(), false);
        while !(is_done && (to.is_over)()) {
            if (to.is_over)() {
                stop.store(true, Ordering::SeqCst);
            }
            thread::sleep(INPUT_POLL_INTERVAL);
            let was_done = std::mem::replace(&mut is_done, thought.is_finished());
            if is_done != was_done || told.elapsed() >= every {
                let infos = latest.lock().expect("nobody panics with it").clone();
                // A search that was stopped before its first node has no results.
                let is_thought = |info: &&SearchInfo<Move>| info.nodes > 0 || !stop.load(Ordering::SeqCst);
                let words: Vec<String> =
                    infos.iter().filter(is_thought).map(|info| format_analyzed_move(gtp, info)).collect();
                if !words.is_empty() {
                    (to.tell)(&words.join(" "));
                }
                told = Instant::now();
            }
        }
    });
    Ok(())
}

/// Formats the analysis of a move: visits, or else nodes searched, win rate in hundredths of a percent, and
/// principal variation.
fn format_analyzed_move(gtp: &GtpState<Hex>, info: &SearchInfo<Move>) -> String {
    let Some(&mv) = info.pv.first() else { return String::new() };
    let scale = gtp.seats.level_spec().scale;
    let chance = info.score.and_then(|score| scale.win_chance(score)).unwrap_or(0.5);
    let line: Vec<String> = info.pv.iter().map(|&mv| format_move(gtp, mv)).collect();
    let percent = format!("{:.0}", chance * 10_000.0);
    let own = info.candidates.iter().find(|one| one.first_move() == mv).map(|one| u64::from(one.visits));
    let visits = own.filter(|&visits| visits > 0).unwrap_or(info.nodes);
    format!("info move {} visits {visits} winrate {percent} pv {}", format_move(gtp, mv), line.join(" "))
}
