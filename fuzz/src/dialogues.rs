//! Fuzz targets for the text protocols. Each line gets one answer, and a refused line changes nothing.

use crosspath::ai::{EngineKind, EngineResources, Limits, TuningOverrides};
use crosspath::game::Side;
use crosspath::protocol::shell::{LineProtocol, ProtocolShell};
use crosspath::protocol::{ep5, gtp, qtp};
use crosspath::registry::Variant;

use super::{Input, check_clean};

/// Maximum number of lines of a dialogue.
const MAX_LINES: usize = 40;
/// Maximum number of searches of a dialogue. Each may run several engines.
const MAX_SEARCHES: usize = 3;

/// Weakest level, which evaluates one position.
const LEVEL: Option<EngineKind> = Some(EngineKind::Level(1));

/// Returns limits with which every search ends at once.
fn quick_limits() -> Limits {
    Limits { nodes: Some(1), ..Limits::default() }
}

/// Runs a dialogue in GTP, about Hex or tic-tac-toe.
pub fn dialogue_gtp(bytes: &[u8]) {
    let mut input = Input(bytes);
    let size = input.one_of(&[None, Some(3), Some(1), Some(5)]);
    let options =
        gtp::GtpOptions { size, level: LEVEL, limits: quick_limits(), seed: Some(1), ..Default::default() };
    if input.one_of(&[true, false]) {
        run_dialogue(gtp::HexGtpSession::new(&options).expect("a board"), &input, b"showboard");
    } else {
        run_dialogue(gtp::TicTacToeGtpSession::new(&options).expect("a board"), &input, b"showboard");
    }
}

/// Runs a dialogue in QTP.
pub fn dialogue_qtp(bytes: &[u8]) {
    let mut input = Input(bytes);
    let variant = Variant::of_size(input.one_of(&[9, 3, 5]));
    let has_stats = input.one_of(&[false, true]);
    let (limits, seed) = (quick_limits(), Some(1));
    let options = qtp::QtpOptions { variant, level: LEVEL, limits, seed, has_stats, ..Default::default() };
    run_dialogue(qtp::QtpSession::new(&options).expect("a board"), &input, b"get_position");
}

/// Sends the lines of the input and checks the answers. `board` is the command that shows the position.
fn run_dialogue<S: LineProtocol>(mut shell: ProtocolShell<S>, input: &Input<'_>, board: &[u8]) {
    let (mut is_quick, mut searches, mut before) = (true, 0, shell.answer(board));
    for line in input.lines().take(MAX_LINES) {
        let sent: Vec<u8> = line.iter().copied().filter(u8::is_ascii_graphic).collect();
        let contains = |word: &&str| sent.windows(word.len()).any(|part| part == word.as_bytes());
        let is_search = SEARCH_COMMANDS.iter().any(contains);
        searches += usize::from(is_search);
        let digits = sent.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).max();
        let is_timed = is_search && digits > Some(MAX_DIGITS);
        if FORBIDDEN_COMMANDS.iter().any(contains)
            || is_timed
            || is_search && (!is_quick || searches > MAX_SEARCHES)
        {
            continue;
        }
        let Some(answer) = shell.answer(line) else { continue };
        let body = answer.strip_suffix("\n\n").expect("an empty line ends an answer");
        assert!(body.starts_with(['=', '?', '#']), "{answer:?}");
        assert!(!body[1..].trim_start_matches('\n').contains("\n\n"), "an empty line in {answer:?}");
        check_clean(body);
        let now = shell.answer(board);
        assert!(!body.starts_with('?') || now == before, "a refused line changed the board");
        before = now;
        is_quick &= body.starts_with('?') || !LIMIT_COMMANDS.iter().any(contains);
    }
}

/// Commands that read or write a file, or may take long despite the limits.
const FORBIDDEN_COMMANDS: [&str; 5] = ["loadsgf", "savesgf", "dfpn", "lz-analyze", "perft"];
/// Commands that start a search.
const SEARCH_COMMANDS: [&str; 3] = ["genmove", "hint", "analyze"];
/// Maximum number of digits in a line that starts a search, because a number may be a time in
/// milliseconds.
const MAX_DIGITS: usize = 2;
/// Commands that change the duration of searches.
const LIMIT_COMMANDS: [&str; 7] =
    ["param_engine", "level", "movetime", "nodes", "depth", "threads", "memory"];

/// Runs a dialogue in EP5: one side of a match on a small board.
pub fn dialogue_ep5(bytes: &[u8]) {
    let mut input = Input(bytes);
    let options = ep5::Ep5Options {
        own: input.one_of(&Side::BOTH),
        draws_board: true,
        size: input.one_of(&[3, 1, 5, 7]),
        may_swap: input.one_of(&[true, false]),
        level: LEVEL,
        limits: quick_limits(),
        seed: 1,
        resources: EngineResources::DEFAULT,
        weights: None,
        tuning: TuningOverrides::EMPTY,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut game = ep5::Ep5Session::new(&options).expect("a board");
    game.serve(input.0, &mut out, &mut err).expect("buffers take and give all");
    for line in String::from_utf8(out).expect("text").lines() {
        let numbers: Vec<usize> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        assert!(numbers.len() == 2 && numbers.iter().all(|&number| number < options.size), "{line}");
    }
    check_clean(&String::from_utf8(err).expect("text"));
}
