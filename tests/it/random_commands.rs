//! Random commands and keys through a whole match, engines included: the tree, the record, the
//! messages and the drawing always agree, and no move is lost.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};
use rand::RngExt;

use crosspath::ai::Score;
use crosspath::canvas::{GlyphSet, PaintOptions};
use crosspath::game::Side;
use crosspath::play::{AfterGameEnd, Command, GameMode, Match, MatchEvent, MatchRules};
use crosspath::random::{RandomGenerator, random_stream};
use crosspath::record::{self, GameTree, NodeId, RecordReadOptions};
use crosspath::session::{Position, SearchReport};
use crosspath::thinking::EngineThreadId;
use crosspath::ui::FrontEnd;
use crosspath::ui::line::{LineFrontEnd, LineModeStyle};
use crosspath::ui::tui::Screen;

use crate::sentences::said;
use crate::tui_harness::{Rig, looks, picture, record as read_record, spec};

const COMMANDS: [&str; 45] = [
    "undo",
    "undo",
    "undo 2",
    "redo",
    "redo",
    "redo 2",
    "goto 0",
    "goto 1",
    "goto 3",
    "goto end",
    "replay",
    "next",
    "next 2",
    "back",
    "back",
    "back 2",
    "play",
    "play",
    "variations",
    "variations 1",
    "variations 2",
    "promote",
    "new",
    "level 1",
    "level 2",
    "side first",
    "side second",
    "resign",
    "draw",
    "hint",
    "eval",
    "review",
    "where",
    "board",
    "moves",
    "legal",
    "stats",
    "help",
    "level",
    "zz",
    "undo x",
    "goto 999",
    "swap",
    "y",
    "n",
];

const KEYS: [KeyCode; 30] = [
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Char('['),
    KeyCode::Char(']'),
    KeyCode::Char('u'),
    KeyCode::Char('U'),
    KeyCode::Char('x'),
    KeyCode::Char('t'),
    KeyCode::Char('v'),
    KeyCode::Char('p'),
    KeyCode::Char('y'),
    KeyCode::Char('w'),
    KeyCode::Char('r'),
    KeyCode::Char('R'),
    KeyCode::Char(' '),
    KeyCode::Char('A'),
    KeyCode::Char('N'),
    KeyCode::Char('?'),
    KeyCode::Char(':'),
    KeyCode::Char('S'),
    KeyCode::Char('b'),
    KeyCode::Char('2'),
];

/// Performs one random step: a line, a key, an answer of an engine, or the passing of time. Returns
/// a note about it.
pub(crate) fn random_step(rig: &mut Rig, chance: &mut RandomGenerator) -> String {
    let legal = rig.game().present_position().legal_moves();
    match chance.random_range(0..20) {
        0..7 if !legal.is_empty() => {
            let line = legal[chance.random_range(0..legal.len())].clone();
            rig.say(&line);
            line
        }
        7..12 => {
            let line = COMMANDS[chance.random_range(0..COMMANDS.len())];
            rig.say(line);
            line.to_owned()
        }
        12..17 => {
            let key = KEYS[chance.random_range(0..KEYS.len())];
            let effect = rig.key(key, KeyModifiers::NONE);
            rig.apply(effect);
            format!("{key:?}")
        }
        17 => {
            rig.now += Duration::from_millis(chance.random_range(0..3_000));
            rig.tick();
            "tick".to_owned()
        }
        _ => answer_random_job(rig, chance),
    }
}

/// Answers a random engine job with a legal move. Returns a note about it.
fn answer_random_job(rig: &mut Rig, chance: &mut RandomGenerator) -> String {
    let jobs = rig.game().engine_jobs().to_vec();
    if jobs.is_empty() {
        return said!("no-engine").to_owned();
    }
    let job = &jobs[chance.random_range(0..jobs.len())];
    let legal = job.position.legal_moves();
    let text = legal[chance.random_range(0..legal.len())].clone();
    let score = Some(Score(chance.random_range(-50..50)));
    let report =
        SearchReport { nodes: 7, depth: 2, score, pv: vec![text.clone()], ..SearchReport::default() };
    let note = format!("{:?} answers {text}", job.host);
    rig.answer_job(job.id, &text, report);
    note
}

/// Returns the position of a node, replayed move by move from the start.
fn replay_from_start(tree: &GameTree, id: NodeId) -> Arc<dyn Position> {
    let moves = tree.position(id).played_moves();
    let start = tree.position(NodeId::ROOT).without_early_end();
    moves.iter().fold(start, |at, text| at.play(text).expect("a move that was played is legal"))
}

/// Position keys by board and moves.
type KeysByPosition = BTreeMap<(String, Vec<String>), u64>;

fn check_match(game: &Match, seen: &mut KeysByPosition) {
    let (tree, present, shown) = (game.game().tree(), game.game().present_node(), game.game().shown_node());
    // 1. The path to the present is the main line
    for id in tree.ancestors(present) {
        if let Some(parent) = tree.parent(id) {
            assert_eq!(tree.children(parent)[0], id, "the main line leads to the present");
        }
    }
    // 2. Every position results from its moves
    for id in [present, shown] {
        let position = tree.position(id);
        let plain = replay_from_start(tree, id);
        assert_eq!((position.position_key(), position.plies()), (plain.position_key(), plain.plies()));
        assert_eq!(position.repetition_count(), plain.repetition_count());
        let board = format!("{} {:?}", position.game_name(), position.settings());
        let earlier = seen.insert((board, position.played_moves()), position.position_key());
        assert!(
            earlier.is_none_or(|earlier| earlier == position.position_key()),
            "the same moves lead to another position"
        );
    }
    // 3. The position on screen is on the line on screen
    assert!(game.game().shown_line().contains(&shown), "what is shown lies on the line that is shown");
    assert_eq!(game.last_ply(), game.game().shown_line().len() - 1);
    // 4. Each engine thread has one job, for an unfinished position
    let mut hosts: Vec<EngineThreadId> = game.engine_jobs().iter().map(|job| job.host).collect();
    hosts.dedup();
    assert_eq!(hosts.len(), game.engine_jobs().len());
    assert!(game.engine_jobs().iter().all(|job| job.position.outcome().is_none()));
    // 5. Events name existing nodes
    for event in game.reported_events() {
        if let MatchEvent::Moved(moved) = event {
            assert!(tree.ply(moved.node) > 0);
        }
    }
}

/// Checks that the record contains every line of the game and its present position.
fn check_record(game: &Match) {
    let text = game.to_record_text(None);
    let entry = game.game().spec().start.entry;
    let read =
        record::load_game(text.as_bytes(), &RecordReadOptions::for_game(entry).with_strict_digits()).unwrap();
    let fault = read.fault.as_ref().map(|fault| &fault.why);
    assert!(fault.is_none(), "{fault:?} in {text}");
    let (there, present) = (read.tree.position(read.present), game.present_position());
    assert_eq!(
        (there.position_key(), there.played_moves(), there.early_end()),
        (present.position_key(), present.played_moves(), present.early_end())
    );
    assert_eq!(read.tree.len(), game.game().tree().len(), "{text}");
}

/// Returns a new screen with the state of this one, so that everything derived is computed again.
fn rebuild_screen(screen: &Screen) -> Screen {
    let mut fresh = Screen::new(looks(GlyphSet::Unicode), screen.size);
    fresh.looks = screen.looks;
    fresh.cursor = screen.cursor.clone();
    fresh.remark = screen.remark.clone();
    fresh.layers = screen.layers.clone();
    fresh.drawing = screen.drawing.clone();
    fresh
}

/// Returns the matches with which the walks start.
pub(crate) fn starting_matches(game: &str) -> Vec<Rig> {
    let size = if game == "tic-tac-toe" { "size=3" } else { "size=5" };
    let stays = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
    let asks = MatchRules::default();
    let begin = |rules, mode| Rig::new(rules, spec(game, size, mode), None, GlyphSet::Unicode, (80, 24));
    let moves = match game {
        "tic-tac-toe" => "b2 a1 (c1 a3 (b1) c3) c3 b1 (a2 b3) resign",
        "hex" => "a1 swap (b2 (c3 c2)) c3 d2 (e1) b3 resign",
        _ => "c2 c4 (b2h) b4h c3 (d2 d4) resign",
    };
    let file = read_record(&format!("# crosspath {game} {size}\n{moves}\n"));
    let replay = crosspath::play::MoveFile { path: "game.txt".to_owned(), record: Box::new(file) };
    let replay =
        Rig::new(stays, spec(game, size, GameMode::Replay), Some(replay), GlyphSet::Unicode, (80, 24));
    let mut all: Vec<Rig> =
        [GameMode::HumanMachine, GameMode::Humans, GameMode::Machines].map(|mode| begin(stays, mode)).into();
    all.extend([begin(asks, GameMode::HumanMachine), begin(asks, GameMode::Humans), replay]);
    all
}

/// Latest commands, printed if a walk fails.
struct Trace(Vec<String>);

impl Drop for Trace {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("after {:?}", self.0);
        }
    }
}

/// Performs `commands` random steps of a game. Every `drawn`th drawing is compared.
fn walk_randomly(game: &str, commands: usize, drawn: usize, seed: u64) {
    let rigs = starting_matches(game);
    let share = commands / rigs.len();
    for (number, mut rig) in rigs.into_iter().enumerate() {
        let mut chance = random_stream(seed, number as u64);
        let (mut trace, mut keys) = (Trace(Vec::new()), BTreeMap::new());
        let mut most = 0;
        for count in 0..share {
            let before = (
                rig.game().game().tree().len(),
                rig.game().present_position().start_position().view().title(),
            );
            let done = random_step(&mut rig, &mut chance);
            trace.0.push(done);
            trace.0.drain(..trace.0.len().saturating_sub(25));
            if rig.game().has_ended() {
                rig = starting_matches(game).swap_remove(number);
                keys.clear();
                continue;
            }
            let has_begun =
                rig.game().reported_events().iter().any(|event| matches!(event, MatchEvent::Started));
            let now = rig.game().game().tree().len();
            assert!(has_begun || now >= before.0, "a move is lost");
            check_match(rig.game(), &mut keys);
            most = most.max(now);
            if count.is_multiple_of(drawn) {
                let lived = rig.picture();
                let fresh = picture(&rebuild_screen(&rig.screen).with_match(rig.game.as_ref()));
                assert_eq!(lived, fresh);
                check_record(rig.game());
                check_messages(&mut rig);
                check_undo_and_redo(&mut rig);
            }
            // Large games make these checks slow.
            if now > 300 {
                rig.execute(Command::New(Box::new(rig.game().game().spec().clone())));
                keys.clear();
            }
        }
        assert!(most > 3, "{game} {number}: the walk played nothing");
    }
}

/// Checks that the messages agree with the drawing: the moves of the line, and the pieces of the
/// position replayed from the start.
fn check_messages(rig: &mut Rig) {
    if rig.game().asks_for_rematch() {
        return; // lines would answer the question
    }
    let (shown, line_end) = (rig.game().game().shown_node(), *rig.game().game().shown_line().last().unwrap());
    let tree = rig.game().game().tree();
    let (plain, end) = (replay_from_start(tree, shown), replay_from_start(tree, line_end));
    let moves = line_mode_answer(rig, "moves");
    let numbered: Vec<&str> = moves.split_whitespace().collect();
    let words: Vec<&str> = numbered.chunks(2).filter_map(|pair| pair.get(1).copied()).collect();
    if end.plies() > 0 {
        assert_eq!(words, end.played_moves(), "{moves}");
    }
    let position = line_mode_answer(rig, "where");
    for side in Side::BOTH {
        for piece in plain.view().list_pieces(side) {
            assert!(position.contains(&piece), "{piece} of {side} is not in {position}");
        }
    }
    assert!(
        plain.last_move().is_none_or(|last| position.contains(&format!("Last move: {last}."))),
        "{position}"
    );
    assert_eq!(rig.game().game().shown_node(), shown, "words change nothing");
    // The drawing agrees with the replayed position, too.
    let (drawn, look) = (rig.game().shown_position(), PaintOptions::default());
    assert_eq!(drawn.paint_board(look).to_text(), plain.paint_board(look).to_text());
}

/// Returns the answer of line mode to a command.
fn line_mode_answer(rig: &mut Rig, word: &str) -> String {
    rig.say(word);
    let mut out = Vec::new();
    let style = LineModeStyle {
        is_dialogue: false,
        has_colour: false,
        glyphs: GlyphSet::Unicode,
        width: None,
        has_stats: false,
        has_boards: true,
        has_bell: false,
    };
    LineFrontEnd::new(std::io::empty(), &mut out, Vec::new(), style)
        .show_events(rig.game(), rig.game().reported_events())
        .unwrap();
    String::from_utf8(out).unwrap()
}

/// Checks that undoing everything and redoing it leads to the same position.
fn check_undo_and_redo(rig: &mut Rig) {
    let (game, present) = (rig.game().game(), rig.game().present_position());
    let (id, plies) = (game.present_node(), present.plies());
    if present.early_end().is_some() || plies == 0 || !game.has_human() || rig.game().asks_for_rematch() {
        return;
    }
    let before = (present.position_key(), present.played_moves());
    rig.say(&format!("undo {plies}"));
    assert_eq!((rig.game().game().present_node(), rig.game().present_position().plies()), (NodeId::ROOT, 0));
    rig.say(&format!("redo {plies}"));
    let present = rig.game().present_position();
    assert_eq!(
        (rig.game().game().present_node(), (present.position_key(), present.played_moves())),
        (id, before)
    );
}

#[test]
fn tree_record_messages_and_drawing_agree_on_random_commands() {
    for (seed, game) in (1..).zip(["tic-tac-toe", "hex", "quoridor"]) {
        walk_randomly(game, 6_000, 20, seed);
    }
}

#[test]
#[ignore = "a million commands per game: minutes"]
fn tree_record_messages_and_drawing_agree_on_a_million_commands() {
    for (seed, game) in (11..).zip(["tic-tac-toe", "hex", "quoridor"]) {
        walk_randomly(game, 1_000_000, 200, seed);
    }
}
