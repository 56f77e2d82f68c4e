//! The table of actions: no key twice, the files made from it equal to it.
#![allow(clippy::unwrap_used)] // a test may panic

mod support;

use std::path::Path;

use crosspath::command;
use crosspath::ui::tui::actions::{ACTIONS, Context, Key, in_markdown, in_roff};
use snapbox::{Data, assert_data_eq};
use support::run;

#[test]
fn in_one_place_no_key_has_two_actions() {
    for (context, name) in Context::ALL {
        let here: Vec<_> = ACTIONS.iter().filter(|action| action.contexts.contains(&context)).collect();
        let keys: Vec<&Key> = here.iter().flat_map(|action| action.keys).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{name}: {key:?} has two actions");
        }
    }
}

#[test]
fn letters_and_digits_of_moves_are_no_commands_at_the_board() {
    for action in ACTIONS {
        if action.contexts.contains(&Context::Board) || action.contexts.contains(&Context::Wall) {
            for key in action.keys {
                let is_typed = matches!(key, Key::Char('a'..='n' | '0'..='9'));
                assert!(!is_typed, "{key:?} is an action and begins a move");
            }
        }
    }
}

#[test]
fn the_words_of_the_table_are_words_of_line_mode() {
    for action in ACTIONS {
        let word = action.word.split(' ').next().unwrap();
        let is_move = ["-", "", "the", "swap"].contains(&word);
        assert!(is_move || command::find(word).is_some(), "{word} is no word");
    }
}

#[test]
fn the_page_of_keys_is_made_from_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    assert_data_eq!(in_markdown(), Data::read_from(&path, None).raw());
}

#[test]
fn the_manual_page_has_the_section_of_keys() {
    assert!(run(&["man"], "").out.ends_with(&in_roff()));
}
