//! The analysis board: stepping through and editing a tree, compared with a reference model.

use std::time::Duration;

use crosspath::journal::{JournalFolder, LoadedJournal, MatchJournal, load_journal};
use crosspath::play::{
    AdviceKind, Command, GameMode, HistoryTarget, Match, MatchEvent, MatchRefusal, MatchRules,
    VariationDirection,
};
use crosspath::random::random_stream;
use crosspath::record::{self, GameFileFormat, GameTree, NodeId, RecordReadOptions};
use crosspath::registry;
use crosspath::session::SearchReport;
use crosspath::ui::FileReadRules;
use crosspath::ui::listing::{ListRequest, load_list_contents};
use crosspath::ui::tui::{ScreenEvent, StatusMessage};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::RngExt;
use ratatui_core::layout::Position;

use crate::support::run;
use crate::tui_harness::{Rig, report, spec};

/// Returns an analysis of an empty board.
fn analysis_board(game: &str, settings: &str) -> Rig {
    Rig::of(spec(game, settings, GameMode::Analysis), (100, 35))
}

/// Formats a tree in one line: each move with its comments and marks, then its continuations in
/// brackets.
fn format_tree(tree: &GameTree, id: NodeId) -> String {
    let node = tree.node(id);
    let notes = node.comments.iter().map(|text| format!(" #{text}")).collect::<Vec<_>>().concat();
    let marks = node.properties.iter().map(|property| format!(" {}{:?}", property.name, property.values));
    let marks = marks.collect::<Vec<_>>().concat();
    let children: String = tree.children(id).iter().map(|&child| format_tree(tree, child)).collect();
    format!("({}{notes}{marks}{children})", tree.position(id).last_move().unwrap_or_default())
}

fn format_shown_tree(rig: &Rig) -> String {
    format_tree(rig.game().game().tree(), NodeId::ROOT)
}

// ---- reference model ----

/// Position of the reference model.
#[derive(Clone, Default, PartialEq)]
struct ModelNode {
    text: String,
    comment: Option<String>,
    marks: Vec<String>,
    children: Vec<ModelNode>,
}

impl ModelNode {
    fn format_tree(&self) -> String {
        let notes = self.comment.iter().map(|text| format!(" #{text}")).collect::<Vec<_>>().concat();
        let marks = if self.marks.is_empty() { String::new() } else { format!(" TR{:?}", self.marks) };
        let children: String = self.children.iter().map(ModelNode::format_tree).collect();
        format!("({}{notes}{marks}{children})", self.text)
    }

    fn at(&mut self, path: &[String]) -> &mut ModelNode {
        path.iter().fold(self, |node, text| {
            node.children.iter_mut().find(|child| child.text == *text).expect("the path exists")
        })
    }
}

/// Reference model: the current tree and path, with the states to undo and to redo.
struct Model {
    now: (ModelNode, Vec<String>),
    done: Vec<(ModelNode, Vec<String>)>,
    undone: Vec<(ModelNode, Vec<String>)>,
}

impl Model {
    fn edit(&mut self, change: impl FnOnce(&mut ModelNode, &mut Vec<String>)) {
        self.done.push(self.now.clone());
        self.undone.clear();
        let (tree, path) = &mut self.now;
        change(tree, path);
    }

    /// Deletes the comment, if there is one.
    fn delete_comment(&mut self) {
        let (tree, path) = &mut self.now;
        if tree.at(path).comment.is_some() {
            self.edit(|tree, path| tree.at(path).comment = None);
        }
    }

    /// Adds a mark to a cell, or removes it.
    fn mark(&mut self, cell: &str) {
        self.edit(|tree, path| {
            let marks = &mut tree.at(path).marks;
            let was_there = marks.iter().any(|mark| mark == cell);
            marks.retain(|mark| mark != cell);
            marks.extend((!was_there).then(|| cell.to_owned()));
        });
    }

    /// Makes the current line the main line, unless it is already.
    fn promote(&mut self) {
        let place =
            |node: &ModelNode, text: &String| node.children.iter().position(|child| child.text == *text);
        let (mut node, mut is_main) = (&self.now.0, true);
        for text in &self.now.1 {
            let place = place(node, text).expect("the path exists");
            (node, is_main) = (&node.children[place], is_main && place == 0);
        }
        if is_main {
            return;
        }
        self.edit(|tree, path| {
            let mut node = tree;
            for text in path.iter() {
                let place = place(node, text).expect("the path exists");
                node.children[..=place].rotate_right(1);
                node = &mut node.children[0];
            }
        });
    }

    /// Undoes or redoes an edit. Returns `false` if there is none.
    fn undo_or_redo(&mut self, is_redo: bool) -> bool {
        let (from, to) =
            if is_redo { (&mut self.undone, &mut self.done) } else { (&mut self.done, &mut self.undone) };
        let Some(before) = from.pop() else { return false };
        to.push(std::mem::replace(&mut self.now, before));
        true
    }
}

/// Returns the moves that lead to the shown position.
fn moves_to_shown_position(game: &Match) -> Vec<String> {
    game.shown_position().played_moves()
}

/// Writes the analysis in each format that supports variations, and reads it back.
fn assert_round_trips(rig: &Rig, game: &str, round: usize) {
    let forms = if game == "hex" {
        vec![GameFileFormat::Record, GameFileFormat::Sgf]
    } else {
        vec![GameFileFormat::Record]
    };
    for form in forms {
        let text = rig.game().to_file_text(form, None).unwrap();
        let hint = RecordReadOptions::for_game(registry::find_game(game).unwrap());
        let read = record::load_game(text.as_bytes(), &hint).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(format_tree(&read.tree, NodeId::ROOT), format_shown_tree(rig), "{form:?} {round}\n{text}");
    }
}

#[test]
fn random_edits_match_a_reference_model_and_survive_reloading() {
    let (mut generator, place) = (random_stream(65, 1), tempfile::tempdir().unwrap());
    for (game, settings) in [("tic-tac-toe", "size=3"), ("hex", "size=4 swap=off"), ("quoridor", "size=3")] {
        let mut rig = analysis_board(game, settings);
        let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().join(game))));
        let mut model =
            Model { now: (ModelNode::default(), Vec::new()), done: Vec::new(), undone: Vec::new() };
        for round in 0..3_400 {
            let shown = rig.game().shown_position().clone();
            let legal = shown.legal_moves();
            let line = match generator.random_range(0..12) {
                0..4 if !legal.is_empty() => {
                    // A few moves are chosen repeatedly.
                    let text = legal[generator.random_range(0..legal.len().min(4))].clone();
                    let (tree, path) = &mut model.now;
                    if tree.at(path).children.iter().any(|child| child.text == text) {
                        path.push(text.clone());
                    } else {
                        model.edit(|tree, path| {
                            tree.at(path)
                                .children
                                .push(ModelNode { text: text.clone(), ..ModelNode::default() });
                            path.push(text.clone());
                        });
                    }
                    text
                }
                4 if shown.plies() > 0 => {
                    model.edit(|tree, path| {
                        let text = path.pop().expect("a move");
                        tree.at(path).children.retain(|child| child.text != text);
                    });
                    "hide".to_owned()
                }
                5 => {
                    let text = format!("thought {round} # of many");
                    model.edit(|tree, path| tree.at(path).comment = Some(text.clone()));
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
                9 if model.undo_or_redo(false) => "undo".to_owned(),
                10 if model.undo_or_redo(true) => "redo".to_owned(),
                _ => {
                    let places = [
                        HistoryTarget::Back(1),
                        HistoryTarget::Back(2),
                        HistoryTarget::Next(1),
                        HistoryTarget::Sibling(VariationDirection::Next),
                        HistoryTarget::Ply(0),
                    ];
                    rig.execute(Command::Show(places[generator.random_range(0..places.len())]));
                    model.now.1 = moves_to_shown_position(rig.game());
                    continue;
                }
            };
            rig.say(&line);
            assert_eq!(format_shown_tree(&rig), model.now.0.format_tree(), "{game}, round {round}: {line}");
            assert_eq!(moves_to_shown_position(rig.game()), model.now.1, "{game}, round {round}: {line}");
            assert_eq!(rig.game().game().shown_node(), rig.game().game().present_node());
            journal.record_changes(rig.game()).unwrap();
            if round % 200 == 199 {
                // A program that is killed now finds this journal.
                let loaded =
                    load_journal(&std::fs::read(journal.current_path().unwrap()).unwrap(), registry::GAMES)
                        .unwrap();
                assert_eq!(
                    format_tree(&loaded.record.tree, NodeId::ROOT),
                    format_shown_tree(&rig),
                    "{game}, round {round}"
                );
                assert_eq!(loaded.spec.mode, GameMode::Analysis);
                if round % 1000 == 999 {
                    assert_edits_restored(loaded, &model, &format!("{game}, round {round}"));
                }
                assert_round_trips(&rig, game, round);
            }
        }
        while model.undo_or_redo(false) {
            rig.say("undo");
        }
        assert_eq!(format_shown_tree(&rig), "()", "everything can be undone");
    }
}

/// Asserts that a loaded analysis has the same undo and redo history as when it was saved.
fn assert_edits_restored(loaded: LoadedJournal, model: &Model, place: &str) {
    let mut game = Match::from_record(MatchRules::default(), loaded.spec, loaded.record).unwrap();
    let mut walk = |word: &str, states: &[(ModelNode, Vec<String>)]| {
        for (tree, _) in states.iter().rev() {
            let command = if word == "undo" { Command::Undo(None) } else { Command::Redo(None) };
            game.handle_command(command, Duration::ZERO);
            assert_eq!(format_tree(game.game().tree(), NodeId::ROOT), tree.format_tree(), "{place}: {word}");
        }
        let command = if word == "undo" { Command::Undo(None) } else { Command::Redo(None) };
        game.handle_command(command, Duration::ZERO);
        assert!(
            game.reported_events().iter().any(|event| matches!(event, MatchEvent::Refused(_))),
            "{place}: {word}"
        );
    };
    walk("redo", &model.undone);
    let all: Vec<_> =
        model.done.iter().chain([&model.now]).chain(model.undone.iter().rev()).cloned().collect();
    walk("undo", &all[..all.len() - 1]);
}

#[test]
fn a_saved_analysis_reopens_unchanged() {
    let place = tempfile::tempdir().unwrap();
    let mut rig = analysis_board("hex", "size=5 swap=off");
    for line in ["a1", "b2", "goto 0", "c3", "comment better", "goto 1", "hide", "e5", "goto 0", "undo"] {
        rig.say(line);
    }
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_owned())));
    journal.record_changes(rig.game()).unwrap();
    let loaded =
        load_journal(&std::fs::read(journal.current_path().unwrap()).unwrap(), registry::GAMES).unwrap();
    assert_eq!(loaded.spec.level, None, "the engine that gives hints thinks about it, as before");
    let game = Match::from_record(MatchRules::default(), loaded.spec, loaded.record).unwrap();
    assert!(game.game().is_analysis());
    assert_eq!(format_tree(game.game().tree(), NodeId::ROOT), format_shown_tree(&rig));
    assert_eq!(format_shown_tree(&rig), "((a1(b2)))");
}

#[test]
fn analyzing_a_game_leaves_the_game_unchanged() {
    let mut rig = Rig::two("hex", "size=5 swap=off", "a1 b2 c3", (100, 35));
    rig.say("analyze");
    rig.say("goto 1");
    rig.say("d4");
    assert_eq!(format_shown_tree(&rig), "((a1(b2(c3))(d4)))");
    rig.press(KeyCode::Esc);
    rig.execute(Command::ReturnToGame);
    assert_eq!(format_shown_tree(&rig), "((a1(b2(c3))))", "the game itself is as it was");
    assert!(!rig.game().game().is_analysis());
    // Analysis commands are refused outside the analysis board and change nothing.
    for line in ["hide", "mark c3", "comment what", "setup first d4"] {
        rig.say(line);
        let refused = |event: &MatchEvent| matches!(event, MatchEvent::Refused(MatchRefusal::NoAnalysis));
        assert!(rig.game().reported_events().iter().any(refused), "{line}");
    }
    assert_eq!(format_shown_tree(&rig), "((a1(b2(c3))))");
}

#[test]
fn setup_commands_edit_the_position_or_explain_the_refusal() {
    let mut rig = analysis_board("hex", "size=3 swap=off");
    for line in
        ["setup first a1", "setup second b2", "setup turn second", "setup first b2", "setup remove a1"]
    {
        rig.say(line);
    }
    let text = |rig: &Rig| rig.game().shown_position().position_text().unwrap();
    assert_eq!(text(&rig), "b2 / - / 2 / 3");
    for line in ["setup remove a1", "setup first z9", "setup walls first 3"] {
        rig.say(line);
        let status = rig.status();
        assert!(line != "setup first z9" || status.contains("z9 is off the board."), "{status}");
        assert!(
            rig.game().reported_events().iter().any(|event| matches!(event, MatchEvent::Refused(_))),
            "{line}"
        );
        assert_eq!(text(&rig), "b2 / - / 2 / 3", "{line}");
    }
    rig.say("c1");
    assert_eq!(rig.game().shown_position().plies(), 1, "and then it is analysed");
    // A wall is taken from its side's walls left and returns there. A pawn is moved.
    let mut rig = analysis_board("quoridor", "size=5");
    let left = |rig: &Rig| rig.game().shown_position().to_setup().unwrap().left.unwrap();
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
fn each_analysis_round_of_a_position_searches_longer() {
    let mut rig = analysis_board("hex", "size=11");
    rig.say("f6");
    let mut nodes = Vec::new();
    let used = |nodes| SearchReport { nodes, ..report() };
    for _ in 0..7 {
        assert!(rig.game().can_request_study(), "it goes on until the position is left");
        rig.execute(Command::Advise(AdviceKind::Study));
        let memory = rig.game().engine_jobs()[0].engine.config.resources.memory_mib;
        assert!(memory.is_some_and(|mib| mib <= 160), "a search of hours needs a limit: {memory:?}");
        nodes.push(rig.game().engine_jobs()[0].limits.nodes.unwrap());
        rig.answer("e7", used(nodes.last().unwrap() / 5));
    }
    assert_eq!(nodes, [1, 4, 16, 64, 256, 1024, 4096].map(|times| times * nodes[0]));
    rig.execute(Command::Advise(AdviceKind::Study));
    rig.answer("e7", used(nodes[6] / 10));
    assert!(!rig.game().can_request_study(), "a search that ended before its limit says all that it can");
    rig.say("back");
    assert!(rig.game().can_request_study(), "but not of another position");
    rig.execute(Command::Advise(AdviceKind::Study));
    rig.say("next");
    assert!(rig.game().engine_jobs().is_empty(), "nobody thinks about a position that is not shown");
}

#[test]
fn the_move_list_shows_variations_and_clicks_jump_to_them() {
    let mut rig = analysis_board("hex", "size=11 swap=off");
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
    assert_eq!(moves_to_shown_position(rig.game()), ["f6", "d8", "e9"]);
}

#[test]
fn long_comments_are_accepted_and_unchanged_ones_are_no_edit() {
    let mut rig = analysis_board("hex", "size=11");
    rig.say("f6");
    let text = "why ".repeat(100).trim().to_owned();
    rig.press(KeyCode::Char('C'));
    rig.typed(&text);
    rig.act(KeyCode::Enter);
    let comments = |rig: &Rig| rig.game().game().tree().node(rig.game().game().shown_node()).comments.clone();
    assert_eq!(comments(&rig), [text]);
    // The comment is unchanged, so undo removes the comment itself.
    rig.press(KeyCode::Char('C'));
    rig.act(KeyCode::Enter);
    rig.say("undo");
    assert_eq!(comments(&rig), [""; 0]);
}

#[test]
fn the_analysis_board_offers_no_rematch() {
    let mut rig = analysis_board("tic-tac-toe", "size=3");
    for line in ["a1", "b1", "a2", "b2", "a3"] {
        rig.say(line);
    }
    rig.screen.remark = StatusMessage::Invitation;
    assert!(!rig.status().contains("rematch"), "{}", rig.status());
    assert!(rig.status().contains('X'), "the winner is named: {}", rig.status());
    rig.press(KeyCode::Esc);
    assert!(rig.screen.menu().is_some(), "no game lies behind it");
}

#[test]
fn analyzing_a_missing_file_fails() {
    let run = run(&["--analyze", "no-such-file.sgf"], "");
    assert_ne!(run.code, Some(0));
    assert!(run.out.is_empty() && run.err.contains("cannot read no-such-file.sgf"), "{}", run.err);
}

#[test]
fn saved_games_list_analyses_as_such() {
    let place = tempfile::tempdir().unwrap();
    let folder = JournalFolder::new(place.path().to_owned());
    let mut rig = analysis_board("hex", "size=5");
    rig.say("c3");
    MatchJournal::new(Some(JournalFolder::new(place.path().to_owned()))).record_changes(rig.game()).unwrap();
    let found =
        load_list_contents(ListRequest::Saved, Some(&folder), &FileReadRules::without_board(registry::GAMES));
    assert_eq!(found.rows[0].cells[1], "analysis");
}
