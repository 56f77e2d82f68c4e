//! The analysis board: a tree that is walked and edited, against a plain model of it.

use std::time::Duration;

use crosspath::journal::{Folder, Journal, Loaded, load};
use crosspath::play::{Advice, Command, Direction, Event, HistoryTarget, Match, MatchRefusal, Mode, Rules};
use crosspath::random::stream;
use crosspath::record::{self, GameTree, Hint, NodeId, WrittenForm};
use crosspath::registry;
use crosspath::session::SearchReport;
use crosspath::ui::Reading;
use crosspath::ui::listing::{ListRequest, find};
use crosspath::ui::tui::{Event as ScreenEvent, StatusMessage};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::RngExt;
use ratatui_core::layout::Position;

use crate::rig::{Rig, report, spec};
use crate::support::run;

/// Returns an analysis of a fresh board.
fn board(game: &str, settings: &str) -> Rig {
    Rig::of(spec(game, settings, Mode::Analysis), (100, 35))
}

/// Returns a tree in one line: each move with its comments and marks, its continuations after it in
/// brackets.
fn in_one_line(tree: &GameTree, id: NodeId) -> String {
    let node = tree.node(id);
    let notes = node.comments.iter().map(|text| format!(" #{text}")).collect::<Vec<_>>().concat();
    let marks = node.properties.iter().map(|property| format!(" {}{:?}", property.name, property.values));
    let marks = marks.collect::<Vec<_>>().concat();
    let children: String = tree.children(id).iter().map(|&child| in_one_line(tree, child)).collect();
    format!("({}{notes}{marks}{children})", tree.position(id).last().unwrap_or_default())
}

fn line_of(rig: &Rig) -> String {
    in_one_line(rig.game().game().tree(), NodeId::ROOT)
}

// ---- a plain model ----

/// A position of the model.
#[derive(Clone, Default, PartialEq)]
struct Plain {
    text: String,
    comment: Option<String>,
    marks: Vec<String>,
    children: Vec<Plain>,
}

impl Plain {
    fn in_one_line(&self) -> String {
        let notes = self.comment.iter().map(|text| format!(" #{text}")).collect::<Vec<_>>().concat();
        let marks = if self.marks.is_empty() { String::new() } else { format!(" TR{:?}", self.marks) };
        let children: String = self.children.iter().map(Plain::in_one_line).collect();
        format!("({}{notes}{marks}{children})", self.text)
    }

    fn at(&mut self, way: &[String]) -> &mut Plain {
        way.iter().fold(self, |node, text| {
            node.children.iter_mut().find(|child| child.text == *text).expect("the way is there")
        })
    }
}

/// The tree and the position shown, before each edit and after those undone.
struct Model {
    now: (Plain, Vec<String>),
    done: Vec<(Plain, Vec<String>)>,
    undone: Vec<(Plain, Vec<String>)>,
}

impl Model {
    fn edit(&mut self, change: impl FnOnce(&mut Plain, &mut Vec<String>)) {
        self.done.push(self.now.clone());
        self.undone.clear();
        let (tree, way) = &mut self.now;
        change(tree, way);
    }

    /// Deletes the comment; without one nothing is edited.
    fn delete_comment(&mut self) {
        let (tree, way) = &mut self.now;
        if tree.at(way).comment.is_some() {
            self.edit(|tree, way| tree.at(way).comment = None);
        }
    }

    /// Marks a cell, or removes its mark.
    fn mark(&mut self, cell: &str) {
        self.edit(|tree, way| {
            let marks = &mut tree.at(way).marks;
            let was_there = marks.iter().any(|mark| mark == cell);
            marks.retain(|mark| mark != cell);
            marks.extend((!was_there).then(|| cell.to_owned()));
        });
    }

    /// Puts the line first at every move, unless it is there.
    fn promote(&mut self) {
        let place = |node: &Plain, text: &String| node.children.iter().position(|child| child.text == *text);
        let (mut node, mut is_main) = (&self.now.0, true);
        for text in &self.now.1 {
            let place = place(node, text).expect("the way is there");
            (node, is_main) = (&node.children[place], is_main && place == 0);
        }
        if is_main {
            return;
        }
        self.edit(|tree, way| {
            let mut node = tree;
            for text in way.iter() {
                let place = place(node, text).expect("the way is there");
                node.children[..=place].rotate_right(1);
                node = &mut node.children[0];
            }
        });
    }

    /// Undoes or redoes an edit, which shows the position on the other side of it.
    fn swap(&mut self, is_redo: bool) -> bool {
        let (from, to) =
            if is_redo { (&mut self.undone, &mut self.done) } else { (&mut self.done, &mut self.undone) };
        let Some(before) = from.pop() else { return false };
        to.push(std::mem::replace(&mut self.now, before));
        true
    }
}

/// Returns the moves to the position that is shown.
fn way(game: &Match) -> Vec<String> {
    game.shown().played()
}

/// Writes the analysis in each form that holds variations, and reads it back.
fn is_read_back(rig: &Rig, game: &str, round: usize) {
    let forms =
        if game == "hex" { vec![WrittenForm::Record, WrittenForm::Sgf] } else { vec![WrittenForm::Record] };
    for form in forms {
        let text = rig.game().written(form, None).unwrap();
        let hint = Hint::of(registry::find(game).unwrap());
        let read = record::load(text.as_bytes(), &hint).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(in_one_line(&read.tree, NodeId::ROOT), line_of(rig), "{form:?} {round}\n{text}");
    }
}

#[test]
fn ten_thousand_edits_agree_with_a_plain_model_and_survive_files_and_kills() {
    let (mut generator, place) = (stream(65, 1), tempfile::tempdir().unwrap());
    for (game, settings) in [("tic-tac-toe", "size=3"), ("hex", "size=4 swap=off"), ("quoridor", "size=3")] {
        let mut rig = board(game, settings);
        let mut journal = Journal::new(Some(Folder::at(place.path().join(game))));
        let mut model = Model { now: (Plain::default(), Vec::new()), done: Vec::new(), undone: Vec::new() };
        for round in 0..3_400 {
            let shown = rig.game().shown().clone();
            let legal = shown.legal();
            let line = match generator.random_range(0..12) {
                0..4 if !legal.is_empty() => {
                    // The same few moves come again and again.
                    let text = legal[generator.random_range(0..legal.len().min(4))].clone();
                    let (tree, way) = &mut model.now;
                    if tree.at(way).children.iter().any(|child| child.text == text) {
                        way.push(text.clone());
                    } else {
                        model.edit(|tree, way| {
                            tree.at(way).children.push(Plain { text: text.clone(), ..Plain::default() });
                            way.push(text.clone());
                        });
                    }
                    text
                }
                4 if shown.plies() > 0 => {
                    model.edit(|tree, way| {
                        let text = way.pop().expect("a move");
                        tree.at(way).children.retain(|child| child.text != text);
                    });
                    "hide".to_owned()
                }
                5 => {
                    let text = format!("thought {round} # of many");
                    model.edit(|tree, way| tree.at(way).comment = Some(text.clone()));
                    format!("comment {text}")
                }
                6 => {
                    model.delete_comment();
                    "comment -".to_owned()
                }
                7 => {
                    let cell = ["a1", "b2", "c3"][generator.random_range(0..3)];
                    model.mark(cell);
                    format!("mark {cell}")
                }
                8 => {
                    model.promote();
                    "promote".to_owned()
                }
                9 if model.swap(false) => "undo".to_owned(),
                10 if model.swap(true) => "redo".to_owned(),
                _ => {
                    let places = [
                        HistoryTarget::Back(1),
                        HistoryTarget::Back(2),
                        HistoryTarget::Next(1),
                        HistoryTarget::Other(Direction::Next),
                        HistoryTarget::Ply(0),
                    ];
                    rig.tell(Command::Show(places[generator.random_range(0..places.len())]));
                    model.now.1 = way(rig.game());
                    continue;
                }
            };
            rig.say(&line);
            assert_eq!(line_of(&rig), model.now.0.in_one_line(), "{game}, round {round}: {line}");
            assert_eq!(way(rig.game()), model.now.1, "{game}, round {round}: {line}");
            assert_eq!(rig.game().game().shown(), rig.game().game().present());
            journal.hear(rig.game()).unwrap();
            if round % 200 == 199 {
                // Whoever is killed now finds this.
                let kept = load(&std::fs::read(journal.path().unwrap()).unwrap(), registry::GAMES).unwrap();
                assert_eq!(
                    in_one_line(&kept.record.tree, NodeId::ROOT),
                    line_of(&rig),
                    "{game}, round {round}"
                );
                assert_eq!(kept.spec.mode, Mode::Analysis);
                if round % 1000 == 999 {
                    goes_on_with_its_edits(kept, &model, &format!("{game}, round {round}"));
                }
                is_read_back(&rig, game, round);
            }
        }
        while model.swap(false) {
            rig.say("undo");
        }
        assert_eq!(line_of(&rig), "()", "everything can be undone");
    }
}

/// A saved analysis that is opened again has the undo and redo that it had when it was left.
fn goes_on_with_its_edits(kept: Loaded, model: &Model, place: &str) {
    let mut game = Match::resumed(Rules::default(), kept.spec, kept.record).unwrap();
    let mut walk = |word: &str, states: &[(Plain, Vec<String>)]| {
        for (tree, _) in states.iter().rev() {
            let command = if word == "undo" { Command::Undo(None) } else { Command::Redo(None) };
            game.handle(command, Duration::ZERO);
            assert_eq!(in_one_line(game.game().tree(), NodeId::ROOT), tree.in_one_line(), "{place}: {word}");
        }
        let command = if word == "undo" { Command::Undo(None) } else { Command::Redo(None) };
        game.handle(command, Duration::ZERO);
        assert!(game.said().iter().any(|event| matches!(event, Event::Refused(_))), "{place}: {word}");
    };
    walk("redo", &model.undone);
    let all: Vec<_> =
        model.done.iter().chain([&model.now]).chain(model.undone.iter().rev()).cloned().collect();
    walk("undo", &all[..all.len() - 1]);
}

#[test]
fn an_analysis_that_was_left_goes_on_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = board("hex", "size=5 swap=off");
    for line in ["a1", "b2", "goto 0", "c3", "comment better", "goto 1", "hide", "e5", "goto 0", "undo"] {
        rig.say(line);
    }
    let mut journal = Journal::new(Some(Folder::at(place.path().to_owned())));
    journal.hear(rig.game()).unwrap();
    let kept = load(&std::fs::read(journal.path().unwrap()).unwrap(), registry::GAMES).unwrap();
    assert_eq!(kept.spec.level, None, "the engine that gives hints thinks about it, as before");
    let game = Match::resumed(Rules::default(), kept.spec, kept.record).unwrap();
    assert!(game.game().is_analysis());
    assert_eq!(in_one_line(game.game().tree(), NodeId::ROOT), line_of(&rig));
    assert_eq!(line_of(&rig), "((a1(b2)))");
}

#[test]
fn a_game_is_taken_to_the_board_and_back() {
    let mut rig = Rig::two("hex", "size=5 swap=off", "a1 b2 c3", (100, 35));
    rig.say("analyze");
    rig.say("goto 1");
    rig.say("d4");
    assert_eq!(line_of(&rig), "((a1(b2(c3))(d4)))");
    rig.press(KeyCode::Esc);
    rig.tell(Command::ReturnToGame);
    assert_eq!(line_of(&rig), "((a1(b2(c3))))", "the game itself is as it was");
    assert!(!rig.game().game().is_analysis());
    // The commands of the board are refused elsewhere, and change nothing.
    for line in ["hide", "mark c3", "comment what", "setup first d4"] {
        rig.say(line);
        let refused = |event: &Event| matches!(event, Event::Refused(MatchRefusal::NoAnalysis));
        assert!(rig.game().said().iter().any(refused), "{line}");
    }
    assert_eq!(line_of(&rig), "((a1(b2(c3))))");
}

#[test]
fn a_position_is_set_up_by_hand_or_refused_with_the_reason() {
    let mut rig = board("hex", "size=3 swap=off");
    for line in
        ["setup first a1", "setup second b2", "setup turn second", "setup first b2", "setup remove a1"]
    {
        rig.say(line);
    }
    let text = |rig: &Rig| rig.game().shown().position_text().unwrap();
    assert_eq!(text(&rig), "b2 / - / 2 / 3");
    for line in ["setup remove a1", "setup first z9", "setup walls first 3"] {
        rig.say(line);
        let status = rig.status();
        assert!(line != "setup first z9" || status.contains("z9 is off the board."), "{status}");
        assert!(rig.game().said().iter().any(|event| matches!(event, Event::Refused(_))), "{line}");
        assert_eq!(text(&rig), "b2 / - / 2 / 3", "{line}");
    }
    rig.say("c1");
    assert_eq!(rig.game().shown().plies(), 1, "and then it is analysed");
    // A wall comes from the hand of its side, and goes back there; a pawn is moved.
    let mut rig = board("quoridor", "size=5");
    let left = |rig: &Rig| rig.game().shown().as_setup().unwrap().left.unwrap();
    let before = left(&rig).first;
    rig.say("setup first b2h");
    assert_eq!(left(&rig).first, before - 1);
    rig.say("setup remove b2h");
    rig.say("setup first c3");
    assert_eq!((left(&rig).first, text(&rig).contains("c3")), (before, true));
    rig.say("setup first c5");
    assert!(text(&rig).contains("c3"), "the game would be over: {}", text(&rig));
}

#[test]
fn the_engine_thinks_longer_each_time_about_the_position_that_is_shown() {
    let mut rig = board("hex", "size=11");
    rig.say("f6");
    let mut nodes = Vec::new();
    let used = |nodes| SearchReport { nodes, ..report() };
    for _ in 0..7 {
        assert!(rig.game().can_study(), "it goes on until the position is left");
        rig.tell(Command::Advise(Advice::Study));
        let memory = rig.game().jobs()[0].engine.config.resources.memory_mib;
        assert!(memory.is_some_and(|mib| mib <= 160), "a search of hours needs a limit: {memory:?}");
        nodes.push(rig.game().jobs()[0].limits.nodes.unwrap());
        rig.answer("e7", used(nodes.last().unwrap() / 5));
    }
    assert_eq!(nodes, [1, 4, 16, 64, 256, 1024, 4096].map(|times| times * nodes[0]));
    rig.tell(Command::Advise(Advice::Study));
    rig.answer("e7", used(nodes[6] / 10));
    assert!(!rig.game().can_study(), "a search that ended before its limit says all that it can");
    rig.say("back");
    assert!(rig.game().can_study(), "but not of another position");
    rig.tell(Command::Advise(Advice::Study));
    rig.say("next");
    assert!(rig.game().jobs().is_empty(), "nobody thinks about a position that is not shown");
}

#[test]
fn the_list_of_moves_shows_the_tree_and_a_click_goes_there() {
    let mut rig = board("hex", "size=11 swap=off");
    for line in ["f6", "e7", "g4", "goto 1", "d8", "comment safer", "e9", "goto 1", "f7", "goto 3"] {
        rig.say(line);
    }
    let picture = rig.picture();
    let at = |text: &str| -> Position {
        let rows = picture.lines().enumerate();
        let found = rows.filter_map(|(y, row)| Some((row.find(text).map(|x| row[..x].chars().count())?, y)));
        let (x, y) = found.last().unwrap_or_else(|| panic!("no {text} on\n{picture}"));
        Position { x: u16::try_from(x).unwrap(), y: u16::try_from(y).unwrap() }
    };
    assert!(picture.contains("└ 2 d8 \"safer\" e9"), "{picture}");
    let down = MouseEventKind::Down(MouseButton::Left);
    let Position { x, y } = at("e9");
    let click = MouseEvent { kind: down, column: x, row: y, modifiers: KeyModifiers::NONE };
    let effect = rig.event(&ScreenEvent::Mouse(click));
    rig.apply(effect);
    assert_eq!(way(rig.game()), ["f6", "d8", "e9"]);
}

#[test]
fn a_long_comment_is_typed_whole_and_the_same_comment_is_no_edit() {
    let mut rig = board("hex", "size=11");
    rig.say("f6");
    let text = "why ".repeat(100).trim().to_owned();
    rig.press(KeyCode::Char('C'));
    rig.typed(&text);
    rig.act(KeyCode::Enter);
    let comments = |rig: &Rig| rig.game().game().tree().node(rig.game().game().shown()).comments.clone();
    assert_eq!(comments(&rig), [text]);
    // Nothing is changed, so undo takes back the comment itself.
    rig.press(KeyCode::Char('C'));
    rig.act(KeyCode::Enter);
    rig.say("undo");
    assert_eq!(comments(&rig), [""; 0]);
}

#[test]
fn the_end_of_a_game_offers_nothing_that_the_board_does_not_do() {
    let mut rig = board("tic-tac-toe", "size=3");
    for line in ["a1", "b1", "a2", "b2", "a3"] {
        rig.say(line);
    }
    rig.screen.remark = StatusMessage::Invitation;
    assert!(!rig.status().contains("rematch"), "{}", rig.status());
    assert!(rig.status().contains('X'), "who has won is told: {}", rig.status());
    rig.press(KeyCode::Esc);
    assert!(rig.screen.menu().is_some(), "no game lies behind it");
}

#[test]
fn a_file_that_is_to_be_analysed_has_to_be_there() {
    let run = run(&["--analyze", "no-such-file.sgf"], "");
    assert_ne!(run.code, Some(0));
    assert!(run.out.is_empty() && run.err.contains("cannot read no-such-file.sgf"), "{}", run.err);
}

#[test]
fn the_list_of_saved_games_calls_an_analysis_one() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::at(place.path().to_owned());
    let mut rig = board("hex", "size=5");
    rig.say("c3");
    Journal::new(Some(Folder::at(place.path().to_owned()))).hear(rig.game()).unwrap();
    let found = find(ListRequest::Saved, Some(&folder), &Reading::any(registry::GAMES));
    assert_eq!(found.rows[0].cells[1], "analysis");
}
