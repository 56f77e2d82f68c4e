//! The text protocols: whatever the input is, each line gets one answer, and a refused one changes
//! nothing.

use crosspath::ai::{EngineKind, EngineResources, Limits, Tuning};
use crosspath::game::Side;
use crosspath::protocol::shell::{LineProtocol, Shell};
use crosspath::protocol::{ep5, gtp, qtp};
use crosspath::registry::Variant;

use super::{Input, is_clean};

/// Most lines of a dialogue.
const MAX_LINES: usize = 40;
/// Most searches of a dialogue, each of which may run several engines.
const MAX_THOUGHTS: usize = 3;

/// Weakest level, which evaluates one position.
const LEVEL: Option<EngineKind> = Some(EngineKind::Level(1));

/// Returns limits with which every search ends at once.
fn limits() -> Limits {
    Limits { nodes: Some(1), ..Limits::default() }
}

/// Runs a dialogue in GTP, about Hex or tic-tac-toe.
pub fn dialogue_gtp(bytes: &[u8]) {
    let mut input = Input(bytes);
    let size = input.one_of(&[None, Some(3), Some(1), Some(5)]);
    let options =
        gtp::GtpOptions { size, level: LEVEL, limits: limits(), seed: Some(1), ..Default::default() };
    if input.one_of(&[true, false]) {
        hold(gtp::HexGtp::new(&options).expect("a board"), &input, b"showboard");
    } else {
        hold(gtp::TicTacToeGtp::new(&options).expect("a board"), &input, b"showboard");
    }
}

/// Runs a dialogue in QTP.
pub fn dialogue_qtp(bytes: &[u8]) {
    let mut input = Input(bytes);
    let variant = Variant::of_size(input.one_of(&[9, 3, 5]));
    let has_stats = input.one_of(&[false, true]);
    let (limits, seed) = (limits(), Some(1));
    let options = qtp::QtpOptions { variant, level: LEVEL, limits, seed, has_stats, ..Default::default() };
    hold(qtp::Qtp::new(&options).expect("a board"), &input, b"get_position");
}

/// Sends some lines. `board` asks for the position.
fn hold<S: LineProtocol>(mut shell: Shell<S>, input: &Input<'_>, board: &[u8]) {
    let (mut is_quick, mut thoughts, mut before) = (true, 0, shell.answer(board));
    for line in input.lines().take(MAX_LINES) {
        let said: Vec<u8> = line.iter().copied().filter(u8::is_ascii_graphic).collect();
        let says = |word: &&str| said.windows(word.len()).any(|part| part == word.as_bytes());
        let thinks = THOUGHTS.iter().any(says);
        thoughts += usize::from(thinks);
        let digits = said.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).max();
        let is_timed = thinks && digits > Some(MAX_DIGITS);
        if FORBIDDEN.iter().any(says) || is_timed || thinks && (!is_quick || thoughts > MAX_THOUGHTS) {
            continue;
        }
        let Some(answer) = shell.answer(line) else { continue };
        let body = answer.strip_suffix("\n\n").expect("an empty line ends an answer");
        assert!(body.starts_with(['=', '?', '#']), "{answer:?}");
        assert!(!body[1..].trim_start_matches('\n').contains("\n\n"), "an empty line in {answer:?}");
        is_clean(body);
        let now = shell.answer(board);
        assert!(!body.starts_with('?') || now == before, "a refused line changed the board");
        before = now;
        is_quick &= body.starts_with('?') || !LIMITS.iter().any(says);
    }
}

/// Commands that read or write a file, or take long whatever the limits are.
const FORBIDDEN: [&str; 5] = ["loadsgf", "savesgf", "dfpn", "lz-analyze", "perft"];
/// Commands that start a search.
const THOUGHTS: [&str; 3] = ["genmove", "hint", "analyze"];
/// Most digits of a number in a line that starts a search: it may be a time in milliseconds.
const MAX_DIGITS: usize = 2;
/// Commands that change the duration of searches.
const LIMITS: [&str; 7] = ["param_engine", "level", "movetime", "nodes", "depth", "threads", "memory"];

/// Runs a dialogue in EP5: one side of a match on a small board.
pub fn dialogue_ep5(bytes: &[u8]) {
    let mut input = Input(bytes);
    let options = ep5::Ep5Options {
        own: input.one_of(&Side::BOTH),
        draws_board: true,
        size: input.one_of(&[3, 1, 5, 7]),
        may_swap: input.one_of(&[true, false]),
        level: LEVEL,
        limits: limits(),
        seed: 1,
        resources: EngineResources::DEFAULT,
        weights: None,
        tuning: Tuning::NONE,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut game = ep5::Ep5::new(&options).expect("a board");
    game.serve(input.0, &mut out, &mut err).expect("buffers take and give all");
    for line in String::from_utf8(out).expect("text").lines() {
        let numbers: Vec<usize> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        assert!(numbers.len() == 2 && numbers.iter().all(|&number| number < options.size), "{line}");
    }
    is_clean(&String::from_utf8(err).expect("text"));
}
