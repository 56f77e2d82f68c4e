//! Random walks over commands and keys through a whole match, engines included: whatever is done,
//! the tree, the record, the sentences and the drawing agree, and no move is lost.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};
use rand::RngExt;

use crosspath::ai::Score;
use crosspath::canvas::{Glyphs, PaintOptions};
use crosspath::game::Side;
use crosspath::play::{AfterEnd, Command, Event, Match, Mode, Rules};
use crosspath::random::{Generator, stream};
use crosspath::record::{self, GameTree, Hint, NodeId};
use crosspath::session::{Position, SearchReport};
use crosspath::thinking::HostId;
use crosspath::ui::FrontEnd;
use crosspath::ui::line::{Line, Style};
use crosspath::ui::tui::Screen;

use crate::rig::{Rig, looks, picture, record as read_record, spec};
use crate::sentences::said;

const WORDS: [&str; 45] = [
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

/// Takes one step: a line, a key, an answer of an engine, or a moment of time.
pub(crate) fn step(rig: &mut Rig, chance: &mut Generator) -> String {
    let legal = rig.game().present_position().legal();
    match chance.random_range(0..20) {
        0..7 if !legal.is_empty() => {
            let line = legal[chance.random_range(0..legal.len())].clone();
            rig.say(&line);
            line
        }
        7..12 => {
            let line = WORDS[chance.random_range(0..WORDS.len())];
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
        _ => answer(rig, chance),
    }
}

/// Answers one of the jobs with some legal move; returns a note about it.
fn answer(rig: &mut Rig, chance: &mut Generator) -> String {
    let jobs = rig.game().jobs().to_vec();
    if jobs.is_empty() {
        return said!("no-engine").to_owned();
    }
    let job = &jobs[chance.random_range(0..jobs.len())];
    let legal = job.position.legal();
    let text = legal[chance.random_range(0..legal.len())].clone();
    let score = Some(Score(chance.random_range(-50..50)));
    let report =
        SearchReport { nodes: 7, depth: 2, score, pv: vec![text.clone()], ..SearchReport::default() };
    let said = format!("{:?} answers {text}", job.host);
    rig.answer_job(job.id, &text, report);
    said
}

/// Returns the position after some moves, played one by one from the start, which every node has to
/// equal.
fn replayed(tree: &GameTree, id: NodeId) -> Arc<dyn Position> {
    let moves = tree.position(id).played();
    let start = tree.position(NodeId::ROOT).reopened();
    moves.iter().fold(start, |at, text| at.play(text).expect("a move that was played is legal"))
}

/// Position keys by board and moves.
type Keys = BTreeMap<(String, Vec<String>), u64>;

fn check(game: &Match, seen: &mut Keys) {
    let (tree, present, shown) = (game.game().tree(), game.game().present(), game.game().shown());
    // 1. The way to the present is the main line
    for id in tree.ancestors(present) {
        if let Some(parent) = tree.parent(id) {
            assert_eq!(tree.children(parent)[0], id, "the main line leads to the present");
        }
    }
    // 2. Every position is what its moves make
    for id in [present, shown] {
        let position = tree.position(id);
        let plain = replayed(tree, id);
        assert_eq!((position.key(), position.plies()), (plain.key(), plain.plies()));
        assert_eq!(position.repetition(), plain.repetition());
        let board = format!("{} {:?}", position.name(), position.settings());
        let known = seen.insert((board, position.played()), position.key());
        assert!(known.is_none_or(|known| known == position.key()), "the same moves lead to another position");
    }
    // 3. What is shown is on the line that is told
    assert!(game.game().line().contains(&shown), "what is shown lies on the line that is shown");
    assert_eq!(game.last_ply(), game.game().line().len() - 1);
    // 4. One job a host, about positions that go on
    let mut hosts: Vec<HostId> = game.jobs().iter().map(|job| job.host).collect();
    hosts.dedup();
    assert_eq!(hosts.len(), game.jobs().len());
    assert!(game.jobs().iter().all(|job| job.position.outcome().is_none()));
    // 5. Events name nodes that are there
    for event in game.said() {
        if let Event::Moved(moved) = event {
            assert!(tree.ply(moved.node) > 0);
        }
    }
}

/// Checks that the record has every line of the game, and its present position.
fn check_record(game: &Match) {
    let text = game.record(None);
    let entry = game.game().spec().start.entry;
    let read = record::load(text.as_bytes(), &Hint::of(entry).strict()).unwrap();
    let fault = read.fault.as_ref().map(|fault| &fault.why);
    assert!(fault.is_none(), "{fault:?} in {text}");
    let (there, present) = (read.tree.position(read.present), game.present_position());
    assert_eq!(
        (there.key(), there.played(), there.early()),
        (present.key(), present.played(), present.early())
    );
    assert_eq!(read.tree.len(), game.game().tree().len(), "{text}");
}

/// Returns a screen built again from the match and the screen's own state.
fn afresh(screen: &Screen) -> Screen {
    let mut fresh = Screen::new(looks(Glyphs::Unicode), screen.size);
    fresh.looks = screen.looks;
    fresh.cursor = screen.cursor.clone();
    fresh.remark = screen.remark.clone();
    fresh.layers = screen.layers.clone();
    fresh.drawing = screen.drawing.clone();
    fresh
}

/// Returns the starting points of walks.
pub(crate) fn starts(game: &str) -> Vec<Rig> {
    let size = if game == "tic-tac-toe" { "size=3" } else { "size=5" };
    let stays = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    let asks = Rules::default();
    let begin = |rules, mode| Rig::new(rules, spec(game, size, mode), None, Glyphs::Unicode, (80, 24));
    let moves = match game {
        "tic-tac-toe" => "b2 a1 (c1 a3 (b1) c3) c3 b1 (a2 b3) resign",
        "hex" => "a1 swap (b2 (c3 c2)) c3 d2 (e1) b3 resign",
        _ => "c2 c4 (b2h) b4h c3 (d2 d4) resign",
    };
    let file = read_record(&format!("# crosspath {game} {size}\n{moves}\n"));
    let replay = crosspath::play::MoveFile { path: "game.txt".to_owned(), record: Box::new(file) };
    let replay = Rig::new(stays, spec(game, size, Mode::Replay), Some(replay), Glyphs::Unicode, (80, 24));
    let mut all: Vec<Rig> =
        [Mode::HumanMachine, Mode::Humans, Mode::Machines].map(|mode| begin(stays, mode)).into();
    all.extend([begin(asks, Mode::HumanMachine), begin(asks, Mode::Humans), replay]);
    all
}

/// Latest commands, which are printed when a walk fails.
struct Trace(Vec<String>);

impl Drop for Trace {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("after {:?}", self.0);
        }
    }
}

/// Walks through `commands` commands of a game; every `drawn`th picture is compared.
fn walk(game: &str, commands: usize, drawn: usize, seed: u64) {
    let rigs = starts(game);
    let share = commands / rigs.len();
    for (number, mut rig) in rigs.into_iter().enumerate() {
        let mut chance = stream(seed, number as u64);
        let (mut trace, mut keys) = (Trace(Vec::new()), BTreeMap::new());
        let mut most = 0;
        for count in 0..share {
            let before =
                (rig.game().game().tree().len(), rig.game().present_position().start().view().title());
            let done = step(&mut rig, &mut chance);
            trace.0.push(done);
            trace.0.drain(..trace.0.len().saturating_sub(25));
            if rig.game().has_left() {
                rig = starts(game).swap_remove(number);
                keys.clear();
                continue;
            }
            let has_begun = rig.game().said().iter().any(|event| matches!(event, Event::Started));
            let now = rig.game().game().tree().len();
            assert!(has_begun || now >= before.0, "a move is lost");
            check(rig.game(), &mut keys);
            most = most.max(now);
            if count.is_multiple_of(drawn) {
                let lived = rig.picture();
                let fresh = picture(&afresh(&rig.screen).with(rig.game.as_ref()));
                assert_eq!(lived, fresh);
                check_record(rig.game());
                check_words(&mut rig);
                there_and_back(&mut rig);
            }
            // Games that have grown large make all of this slow.
            if now > 300 {
                rig.tell(Command::New(Box::new(rig.game().game().spec().clone())));
                keys.clear();
            }
        }
        assert!(most > 3, "{game} {number}: the walk played nothing");
    }
}

/// Checks that the sentences agree with the drawing: the moves of the line, and the pieces of the
/// position made by its moves alone.
fn check_words(rig: &mut Rig) {
    if rig.game().has_question() {
        return; // then lines are answers
    }
    let (shown, line_end) = (rig.game().game().shown(), *rig.game().game().line().last().unwrap());
    let tree = rig.game().game().tree();
    let (plain, end) = (replayed(tree, shown), replayed(tree, line_end));
    let moves = told(rig, "moves");
    let numbered: Vec<&str> = moves.split_whitespace().collect();
    let words: Vec<&str> = numbered.chunks(2).filter_map(|pair| pair.get(1).copied()).collect();
    if end.plies() > 0 {
        assert_eq!(words, end.played(), "{moves}");
    }
    let position = told(rig, "where");
    for side in Side::BOTH {
        for piece in plain.view().pieces(side) {
            assert!(position.contains(&piece), "{piece} of {side} is not in {position}");
        }
    }
    assert!(plain.last().is_none_or(|last| position.contains(&format!("Last move: {last}."))), "{position}");
    assert_eq!(rig.game().game().shown(), shown, "words change nothing");
    // The drawing, too, is that of the position made by its moves alone.
    let (drawn, look) = (rig.game().shown(), PaintOptions::default());
    assert_eq!(drawn.canvas(look).to_text(), plain.canvas(look).to_text());
}

/// Returns the answer of line mode to a command.
fn told(rig: &mut Rig, word: &str) -> String {
    rig.say(word);
    let mut out = Vec::new();
    let style = Style {
        is_dialogue: false,
        has_colour: false,
        glyphs: Glyphs::Unicode,
        width: None,
        has_stats: false,
        has_boards: true,
        has_bell: false,
    };
    Line::new(std::io::empty(), &mut out, Vec::new(), style).hear(rig.game(), rig.game().said()).unwrap();
    String::from_utf8(out).unwrap()
}

/// Checks that undoing everything and redoing it leads to the same position.
fn there_and_back(rig: &mut Rig) {
    let (game, present) = (rig.game().game(), rig.game().present_position());
    let (id, plies) = (game.present(), present.plies());
    if present.early().is_some() || plies == 0 || !game.has_human() || rig.game().has_question() {
        return;
    }
    let before = (present.key(), present.played());
    rig.say(&format!("undo {plies}"));
    assert_eq!((rig.game().game().present(), rig.game().present_position().plies()), (NodeId::ROOT, 0));
    rig.say(&format!("redo {plies}"));
    let present = rig.game().present_position();
    assert_eq!((rig.game().game().present(), (present.key(), present.played())), (id, before));
}

#[test]
fn whatever_is_done_tree_record_words_and_drawing_agree() {
    for (seed, game) in (1..).zip(["tic-tac-toe", "hex", "quoridor"]) {
        walk(game, 6_000, 20, seed);
    }
}

#[test]
#[ignore = "a million commands a game: minutes"]
fn a_million_commands_a_game_agree() {
    for (seed, game) in (11..).zip(["tic-tac-toe", "hex", "quoridor"]) {
        walk(game, 1_000_000, 200, seed);
    }
}
