//! The effects of every key in every state: the one that the help of that state describes, and none
//! where the help has no entry.

use crosspath::canvas::Glyphs;
use crosspath::ui::tui::key_table::{Action, Context, KEY_BINDINGS, Key, KeyBinding};
use crosspath::ui::tui::{Event, Layer, List, ListKind, Prompt, update};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::lists::{files, saved_games};
use crate::rig::{Rig, in_words};
use crate::screens::{board, pages};
use crate::sentences::said;

/// Returns every page, and every layer over a board.
fn states() -> Vec<(String, Rig)> {
    let size = (120, 50);
    let mut states: Vec<(String, Rig)> =
        pages(Glyphs::Unicode, size).into_iter().map(|(name, rig)| (name.to_owned(), rig)).collect();
    let mut add = |name: &str, open: fn(&mut Rig)| {
        let mut rig = board("hex", "size=5 swap=on", "c3 b2", Glyphs::Unicode, size);
        open(&mut rig);
        states.push((name.to_owned(), rig));
    };
    add("looking", |rig| rig.say("goto 1"));
    add("small", |rig| rig.screen.size = (30, 8));
    add("line", |rig| rig.screen.open(Layer::Prompt(Prompt::default())));
    add("menu", |rig| drop(rig.key(KeyCode::Char('n'), KeyModifiers::CONTROL)));
    add("question", |rig| rig.ask_to_replace("game.txt"));
    add("files", |rig| {
        rig.screen.open(Layer::List(List::new(ListKind::Files("load"))));
        rig.event(&Event::Listed(files(&["../", "a/", "b.txt"])));
    });
    add("games", |rig| {
        rig.screen.open(Layer::List(List::new(ListKind::Saved)));
        rig.event(&Event::Listed(saved_games(5)));
    });
    add("delete", |rig| {
        rig.screen.open(Layer::List(List::new(ListKind::Saved)));
        rig.event(&Event::Listed(saved_games(5)));
        rig.press(KeyCode::Char('d'));
    });
    add("resign", |rig| drop(rig.press(KeyCode::Char('R'))));
    add("search", |rig| {
        rig.press(KeyCode::Char('?'));
        rig.press(KeyCode::Char('/'));
    });
    states
}

/// Returns every key of the table and every printable one.
fn keys() -> Vec<KeyEvent> {
    let plain = (' '..='~').map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
    let ctrl = ('a'..='z').map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    let mut named: Vec<KeyCode> = vec![KeyCode::Insert, KeyCode::F(5)];
    for binding in KEY_BINDINGS {
        named.extend(
            binding.keys.iter().filter_map(|key| if let Key::Named(code) = key { Some(*code) } else { None }),
        );
    }
    named.dedup();
    plain.chain(ctrl).chain(named.into_iter().map(KeyEvent::from)).collect()
}

/// Returns the rows of the table for a context. A key without a text of its own belongs to the row
/// of the one before it.
fn rows(context: Context) -> Vec<(&'static KeyBinding, &'static KeyBinding)> {
    let mut head = None;
    let here = KEY_BINDINGS.iter().filter(|binding| binding.contexts.contains(&context));
    here.map(|binding| {
        if !binding.shown.is_empty() {
            head = Some(binding);
        }
        (binding, head.expect("the first row of a context has words"))
    })
    .collect()
}

/// Returns the lines of the help of a state, each with its keys first.
fn help_of(rig: &Rig) -> Vec<String> {
    let mut screen = rig.screen.clone();
    let key = KeyEvent::from(KeyCode::F(1));
    // The page is made by the screen, with the match that it shows.
    update(&mut screen, rig.game.as_ref(), &Event::Key(key));
    screen.page().map(|page| page.lines.iter().map(ToString::to_string).collect()).unwrap_or_default()
}

#[test]
fn the_help_is_that_of_the_state_it_was_opened_from() {
    for (name, mut rig) in states() {
        let context = rig.scene().context();
        let heading = Context::ALL.iter().find(|(other, _)| *other == context).unwrap().1;
        let title = rig.scene().shown().map(|shown| shown.view().title());
        let title = title.map(|title| {
            title.replace("x1", "×1").replace("x3", "×3").replace("x5", "×5").replace("x9", "×9")
        });
        // At the board the heading names the game.
        let wanted = title.filter(|_| context == Context::Board).unwrap_or_else(|| heading.to_owned());
        let is_left_by_it = context == Context::Page || name.starts_with("search");
        let is_text = context.takes_text();
        for key in
            [KeyCode::F(1), KeyCode::Char('?')].into_iter().filter(|key| !is_text || *key == KeyCode::F(1))
        {
            if is_left_by_it {
                continue;
            }
            assert_eq!(rig.press(key), "", "{name}");
            let page = rig.screen.page().map(|page| page.title.clone()).unwrap_or_default();
            assert_eq!(page, format!("Keys: {wanted}"), "{name}: {key:?}");
            rig.press(KeyCode::Esc);
            assert_eq!(rig.scene().context(), context, "{name}: it is as before");
        }
    }
}

#[test]
fn a_key_does_in_every_state_what_the_help_of_that_state_says() {
    let (mut done, mut nothing) = (0, 0);
    for (name, rig) in states() {
        let context = rig.scene().context();
        let help = help_of(&rig);
        // A page is left by the key that opens the help.
        let has_help = !matches!(context, Context::Page) && name != "search";
        for key in keys() {
            let what = format!("{name} ({context:?}): {key:?}");
            let is_letter = matches!(key.code, KeyCode::Char(_)) && key.modifiers.is_empty();
            match rig.scene().action(&key) {
                Some(Action::Type | Action::Digit) => {
                    assert!(context.takes_moves() && is_letter, "{what}");
                    assert!(
                        help.iter().any(|line| line.contains("type a move, then Enter")),
                        "{what}: {help:?}"
                    );
                }
                Some(act) => {
                    let is_it = |row: &KeyBinding| row.act == act && row.keys.iter().any(|own| own.is(&key));
                    let found = rows(context).into_iter().find(|(row, _)| is_it(row));
                    let (_, head) =
                        found.unwrap_or_else(|| panic!("{what} does {act:?}, which is in no row"));
                    let is_told = help.iter().any(|line| line.starts_with(&format!("{}\t", head.shown)));
                    if has_help && !is_told {
                        // What has no sense in this game is not in its help, and is refused.
                        let mut screen = rig.screen.clone();
                        let effect = update(&mut screen, rig.game.as_ref(), &Event::Key(key));
                        assert_eq!(
                            in_words(effect.as_ref()),
                            "",
                            "{what} does {act:?}, which the help does not name: {help:?}"
                        );
                    }
                    done += 1;
                }
                None if is_letter && context.takes_text() => {}
                None => {
                    let mut screen = rig.screen.clone();
                    let effect = update(&mut screen, rig.game.as_ref(), &Event::Key(key));
                    assert_eq!(in_words(effect.as_ref()), "", "{what}");
                    assert_eq!(format!("{:?}", screen.layers), format!("{:?}", rig.screen.layers), "{what}");
                    assert_eq!(
                        format!("{:?}", screen.cursor.clone()),
                        format!("{:?}", rig.screen.cursor),
                        "{what}"
                    );
                    assert_eq!(screen.looks, rig.screen.looks, "{what}");
                    nothing += 1;
                }
            }
        }
    }
    assert!(done > 500 && nothing > 500, "{done} keys do something, {nothing} nothing");
}

#[test]
fn the_question_of_save_is_asked_alone_and_has_two_answers() {
    let asked = || {
        let mut rig = board("hex", "size=5 swap=on", "c3 b2", Glyphs::Unicode, (80, 24));
        rig.ask_to_replace("game.txt");
        rig
    };
    let mut rig = asked();
    // The box breaks the question into lines.
    let question = said!("already-holds-y-or-n", "game.txt").split_once(", n ").unwrap().0;
    assert!(rig.picture().contains(question), "{}", rig.picture());
    // No other question comes over it, and nothing is played, undone or left beside it.
    for key in [KeyCode::Char('R'), KeyCode::Char('u'), KeyCode::Down, KeyCode::Enter, KeyCode::Char('q')] {
        assert_eq!((rig.press(key), rig.scene().context()), (String::new(), Context::Question), "{key:?}");
    }
    let help = help_of(&rig);
    assert!(["y\t", "n\t"].iter().all(|key| help.iter().any(|line| line.starts_with(key))), "{help:?}");
    for (key, answer) in [(KeyCode::Char('y'), "y"), (KeyCode::Char('n'), "n"), (KeyCode::Esc, "n")] {
        let mut rig = asked();
        assert_eq!((rig.press(key), rig.scene().context()), (answer.to_owned(), Context::Board));
    }
}
