//! The analysis board: a tree that is walked and edited, against a plain model of it.

use crosspath::journal::{Folder, Journal, load};
use crosspath::play::{Command, Match, Mode, Place, Turn};
use crosspath::random::stream;
use crosspath::record::{self, GameTree, Hint, NodeId, WrittenForm};
use crosspath::registry;
use rand::RngExt;

use crate::rig::{Rig, spec};

/// An analysis of a fresh board.
fn board(game: &str, settings: &str) -> Rig {
    Rig::of(spec(game, settings, Mode::Analysis), (100, 35))
}

/// A tree in one line: each move with its comments and marks, its continuations behind it in brackets.
fn in_one_line(tree: &GameTree, id: NodeId) -> String {
    let node = tree.node(id);
    let notes: String = node.comments.iter().map(|text| format!(" #{text}")).collect();
    let marks: String =
        node.properties.iter().map(|property| format!(" {}{:?}", property.name, property.values)).collect();
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
        let notes: String = self.comment.iter().map(|text| format!(" #{text}")).collect();
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

/// The tree as it was and where the board stood, before each edit and after those undone.
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

    /// Undone edits leave the board where it stood before them; where it stands now is shown when they are made again.
    fn swap(&mut self, is_redo: bool) -> bool {
        let (from, to) =
            if is_redo { (&mut self.undone, &mut self.done) } else { (&mut self.done, &mut self.undone) };
        let Some(before) = from.pop() else { return false };
        to.push(std::mem::replace(&mut self.now, before));
        true
    }
}

/// The way to the position that is shown.
fn way(game: &Match) -> Vec<String> {
    game.shown().played()
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
                    model.edit(|tree, way| tree.at(way).comment = None);
                    "comment -".to_owned()
                }
                7 => {
                    let cell = ["a1", "b2", "c3"][generator.random_range(0..3)].to_owned();
                    model.edit(|tree, way| {
                        let marks = &mut tree.at(way).marks;
                        let was_there = marks.contains(&cell);
                        marks.retain(|mark| *mark != cell);
                        marks.extend((!was_there).then(|| cell.clone()));
                    });
                    format!("mark {cell}")
                }
                8 => {
                    let (mut node, mut is_main) = (&model.now.0, true);
                    for text in &model.now.1 {
                        let place = node.children.iter().position(|child| child.text == *text).unwrap();
                        (node, is_main) = (&node.children[place], is_main && place == 0);
                    }
                    if !is_main {
                        model.edit(|tree, way| {
                            let mut node = tree;
                            for text in way.iter() {
                                let place =
                                    node.children.iter().position(|child| child.text == *text).unwrap();
                                node.children[..=place].rotate_right(1);
                                node = &mut node.children[0];
                            }
                        });
                    }
                    "promote".to_owned()
                }
                9 if model.swap(false) => "undo".to_owned(),
                10 if model.swap(true) => "redo".to_owned(),
                _ => {
                    let places = [
                        Place::Back(1),
                        Place::Back(2),
                        Place::Next(1),
                        Place::Other(Turn::On),
                        Place::Ply(0),
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
            if round % 200 == 0 {
                // Whoever is killed now finds this.
                let kept = load(&std::fs::read(journal.path().unwrap()).unwrap(), registry::GAMES).unwrap();
                assert_eq!(
                    in_one_line(&kept.record.tree, NodeId::ROOT),
                    line_of(&rig),
                    "{game}, round {round}"
                );
                assert_eq!(kept.spec.mode, Mode::Analysis);
                let forms = if game == "hex" {
                    vec![WrittenForm::Record, WrittenForm::Sgf]
                } else {
                    vec![WrittenForm::Record]
                };
                for form in forms {
                    let text = rig.game().written(form, None).unwrap();
                    let hint = Hint::of(registry::find(game).unwrap());
                    let read =
                        record::load(text.as_bytes(), &hint).unwrap_or_else(|why| panic!("{why}\n{text}"));
                    assert_eq!(
                        in_one_line(&read.tree, NodeId::ROOT),
                        line_of(&rig),
                        "{form:?} {round}\n{text}"
                    );
                }
            }
        }
        while model.swap(false) {
            rig.say("undo");
        }
        assert_eq!(line_of(&rig), "()", "everything can be undone");
    }
}
