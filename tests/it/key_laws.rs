//! Every key does what the help of the current state describes, and nothing if the help has no
//! entry.

use crosspath::canvas::GlyphSet;
use crosspath::ui::tui::key_table::{KEY_BINDINGS, KeyAction, KeyBinding, KeyContext, TerminalKey};
use crosspath::ui::tui::{LinePrompt, ListKind, ScreenEvent, ScreenLayer, SelectionList, update_screen};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::lists::{files, saved_games};
use crate::screens::{board, pages};
use crate::sentences::said;
use crate::tui_harness::{Rig, describe_effect};

/// Returns every page, and a board under every layer.
fn all_states() -> Vec<(String, Rig)> {
    let size = (120, 50);
    let mut states: Vec<(String, Rig)> =
        pages(GlyphSet::Unicode, size).into_iter().map(|(name, rig)| (name.to_owned(), rig)).collect();
    let mut add = |name: &str, open: fn(&mut Rig)| {
        let mut rig = board("hex", "size=5 swap=on", "c3 b2", GlyphSet::Unicode, size);
        open(&mut rig);
        states.push((name.to_owned(), rig));
    };
    add("looking", |rig| rig.say("goto 1"));
    add("small", |rig| rig.screen.size = (30, 8));
    add("line", |rig| rig.screen.open_layer(ScreenLayer::Prompt(LinePrompt::default())));
    add("menu", |rig| drop(rig.key(KeyCode::Char('n'), KeyModifiers::CONTROL)));
    add("question", |rig| rig.ask_to_replace("game.txt"));
    add("files", |rig| {
        rig.screen.open_layer(ScreenLayer::List(SelectionList::new(ListKind::Files("load"))));
        rig.event(&ScreenEvent::Listed(files(&["../", "a/", "b.txt"])));
    });
    add("games", |rig| {
        rig.screen.open_layer(ScreenLayer::List(SelectionList::new(ListKind::Saved)));
        rig.event(&ScreenEvent::Listed(saved_games(5)));
    });
    add("delete", |rig| {
        rig.screen.open_layer(ScreenLayer::List(SelectionList::new(ListKind::Saved)));
        rig.event(&ScreenEvent::Listed(saved_games(5)));
        rig.press(KeyCode::Char('d'));
    });
    add("resign", |rig| drop(rig.press(KeyCode::Char('R'))));
    add("search", |rig| {
        rig.press(KeyCode::Char('?'));
        rig.press(KeyCode::Char('/'));
    });
    states
}

/// Returns every key of the table and every printable key.
fn all_keys() -> Vec<KeyEvent> {
    let plain = (' '..='~').map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
    let ctrl = ('a'..='z').map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    let mut named: Vec<KeyCode> = vec![KeyCode::Insert, KeyCode::F(5)];
    for binding in KEY_BINDINGS {
        named.extend(
            binding
                .keys
                .iter()
                .filter_map(|key| if let TerminalKey::Named(code) = key { Some(*code) } else { None }),
        );
    }
    named.dedup();
    plain.chain(ctrl).chain(named.into_iter().map(KeyEvent::from)).collect()
}

/// Returns the bindings of a context, each with the binding that describes it. A binding without a
/// text belongs to the one before it.
fn bindings_with_heads(context: KeyContext) -> Vec<(&'static KeyBinding, &'static KeyBinding)> {
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

/// Returns the lines of the help of a state. Each line starts with its keys.
fn help_lines(rig: &Rig) -> Vec<String> {
    let mut screen = rig.screen.clone();
    let key = KeyEvent::from(KeyCode::F(1));
    // The screen builds the page for the match that it shows.
    update_screen(&mut screen, rig.game.as_ref(), &ScreenEvent::Key(key));
    screen.page().map(|page| page.lines.iter().map(ToString::to_string).collect()).unwrap_or_default()
}

#[test]
fn the_help_describes_the_state_it_was_opened_from() {
    for (name, mut rig) in all_states() {
        let context = rig.scene().key_context();
        let heading = KeyContext::ALL.iter().find(|(other, _)| *other == context).unwrap().1;
        let title = rig.scene().shown_position().map(|shown| shown.view().title());
        let title = title.map(|title| {
            title.replace("x1", "×1").replace("x3", "×3").replace("x5", "×5").replace("x9", "×9")
        });
        // On the board the heading names the game.
        let expected = title.filter(|_| context == KeyContext::Board).unwrap_or_else(|| heading.to_owned());
        let is_left_by_it = context == KeyContext::Page || name.starts_with("search");
        let is_text = context.takes_text();
        for key in
            [KeyCode::F(1), KeyCode::Char('?')].into_iter().filter(|key| !is_text || *key == KeyCode::F(1))
        {
            if is_left_by_it {
                continue;
            }
            assert_eq!(rig.press(key), "", "{name}");
            let page = rig.screen.page().map(|page| page.title.clone()).unwrap_or_default();
            assert_eq!(page, format!("Keys: {expected}"), "{name}: {key:?}");
            rig.press(KeyCode::Esc);
            assert_eq!(rig.scene().key_context(), context, "{name}: it is as before");
        }
    }
}

#[test]
fn every_key_does_what_the_help_of_the_state_says() {
    let (mut done, mut nothing) = (0, 0);
    for (name, rig) in all_states() {
        let context = rig.scene().key_context();
        let help = help_lines(&rig);
        // The key that opens the help also closes a page.
        let has_help = !matches!(context, KeyContext::Page) && name != "search";
        for key in all_keys() {
            let what = format!("{name} ({context:?}): {key:?}");
            let is_letter = matches!(key.code, KeyCode::Char(_)) && key.modifiers.is_empty();
            match rig.scene().action_for_key(&key) {
                Some(KeyAction::Type | KeyAction::Digit) => {
                    assert!(context.takes_moves() && is_letter, "{what}");
                    assert!(
                        help.iter().any(|line| line.contains("type a move, then Enter")),
                        "{what}: {help:?}"
                    );
                }
                Some(act) => {
                    let is_it =
                        |row: &KeyBinding| row.act == act && row.keys.iter().any(|bound| bound.matches(&key));
                    let row = bindings_with_heads(context).into_iter().find(|(row, _)| is_it(row));
                    let (_, head) = row.unwrap_or_else(|| panic!("{what} does {act:?}, which is in no row"));
                    let is_explained = help.iter().any(|line| line.starts_with(&format!("{}\t", head.shown)));
                    if has_help && !is_explained {
                        // A key that has no effect in this game is not in its help, and is refused.
                        let mut screen = rig.screen.clone();
                        let effect = update_screen(&mut screen, rig.game.as_ref(), &ScreenEvent::Key(key));
                        assert_eq!(
                            describe_effect(effect.as_ref()),
                            "",
                            "{what} does {act:?}, which the help does not name: {help:?}"
                        );
                    }
                    done += 1;
                }
                None if is_letter && context.takes_text() => {}
                None => {
                    let mut screen = rig.screen.clone();
                    let effect = update_screen(&mut screen, rig.game.as_ref(), &ScreenEvent::Key(key));
                    assert_eq!(describe_effect(effect.as_ref()), "", "{what}");
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
fn the_overwrite_question_blocks_other_keys_and_takes_y_or_n() {
    let open_question = || {
        let mut rig = board("hex", "size=5 swap=on", "c3 b2", GlyphSet::Unicode, (80, 24));
        rig.ask_to_replace("game.txt");
        rig
    };
    let mut rig = open_question();
    // The question is wrapped in its box.
    let question = said!("already-holds-y-or-n", "game.txt").split_once(", n ").unwrap().0;
    assert!(rig.picture().contains(question), "{}", rig.picture());
    // While the question is open, no other question appears and nothing is played or undone.
    for key in [KeyCode::Char('R'), KeyCode::Char('u'), KeyCode::Down, KeyCode::Enter, KeyCode::Char('q')] {
        assert_eq!(
            (rig.press(key), rig.scene().key_context()),
            (String::new(), KeyContext::Question),
            "{key:?}"
        );
    }
    let help = help_lines(&rig);
    assert!(["y\t", "n\t"].iter().all(|key| help.iter().any(|line| line.starts_with(key))), "{help:?}");
    for (key, answer) in [(KeyCode::Char('y'), "y"), (KeyCode::Char('n'), "n"), (KeyCode::Esc, "n")] {
        let mut rig = open_question();
        assert_eq!((rig.press(key), rig.scene().key_context()), (answer.to_owned(), KeyContext::Board));
    }
}
