//! The key table: no key has two actions, and the files made from it are up to date.

use std::path::Path;

use crosspath::play;
use crosspath::ui::tui::key_table::{
    KEY_BINDINGS, KeyAction, KeyContext, TerminalKey, render_markdown_keys, render_roff_keys,
};

use crate::support::{run, update_page};

#[test]
fn no_key_has_two_actions_in_one_context() {
    for (context, name) in KeyContext::ALL {
        let here: Vec<_> = KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context)).collect();
        let keys: Vec<&TerminalKey> = here.iter().flat_map(|action| action.keys).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{name}: {key:?} has two actions");
        }
    }
}

#[test]
fn letters_and_digits_of_moves_are_not_bound_to_actions() {
    for action in KEY_BINDINGS {
        if action.contexts.iter().any(|context| context.takes_moves()) {
            for key in action.keys {
                let is_at_the_end = matches!(action.act, KeyAction::Review | KeyAction::TurningPoint);
                let is_typed = matches!(key, TerminalKey::Char('a'..='n' | '0'..='9')) && !is_at_the_end;
                assert!(!is_typed, "{key:?} is an action and begins a move");
            }
        }
    }
}

#[test]
fn the_commands_of_the_key_table_exist_in_line_mode() {
    for action in KEY_BINDINGS {
        let word = action.word.split(' ').next().unwrap();
        let is_move = ["-", "", "the", "swap", "theme"].contains(&word);
        assert!(is_move || play::find_command_word(word).is_some(), "{word} is no word");
    }
}

/// Merges the tables of all contexts: a key with one action in several contexts gets one row, with
/// a letter for each context.
fn merge_contexts(by_context: &str) -> String {
    const LETTERS: [&str; 16] =
        ["B", "W", "H", "R", "A", "E", "U", "O", "M", "I", "P", "S", "T", "L", "F", "Q"];
    let sections: Vec<&str> = by_context.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), LETTERS.len(), "every context has a letter");
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for (section, letter) in sections.iter().zip(LETTERS) {
        for row in section.lines().filter(|line| line.starts_with("| `")) {
            match rows.iter_mut().find(|(other, _)| *other == row) {
                Some((_, letters)) => letters.push(letter),
                None => rows.push((row, vec![letter])),
            }
        }
    }
    let head = "| key | action | command | where |\n|---|---|---|---|\n".to_owned();
    let rows = rows.iter().map(|(row, letters)| format!("{row} {} |\n", letters.join(" ")));
    head + &rows.collect::<String>()
}

#[test]
fn the_keys_in_the_manual_match_the_table() {
    const PAGE: &str = "docs/manual.md";
    const MARKS: [&str; 2] = ["<!-- keys -->\n", "<!-- /keys -->"];
    let table = merge_contexts(&render_markdown_keys());
    let with_table = |page: &str| {
        let (before, rest) = page.split_once(MARKS[0]).expect("the page has the first mark");
        let (_, behind) = rest.split_once(MARKS[1]).expect("the page has the second mark");
        [before, MARKS[0], &table, MARKS[1], behind].concat()
    };
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        update_page(PAGE, with_table);
    }
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).unwrap();
    let expected = with_table(&page);
    let differs = page.lines().zip(expected.lines()).find(|(is, should)| is != should);
    assert!(page == expected, "{differs:?}; UPDATE_GOLDENS=1 writes the table again");
}

#[test]
fn the_man_page_has_the_keys_before_the_files() {
    let page = run(&["man"], "").out;
    let (before, after) = page.split_once(&render_roff_keys()).expect("the section KEYS");
    assert!(before.contains(".SH EXAMPLES") && after.contains(".SH FILES") && after.contains(".SH SEE ALSO"));
}

#[test]
fn every_guarantee_of_the_terminal_page_names_existing_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("docs/terminal.md")).unwrap();
    let mut sources = String::new();
    let mut folders = vec![root.join("tests"), root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                sources += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    // An ignored test counts as a test, too.
    let is_run =
        |line: &&str| line.trim_start().strip_prefix("#[").is_none_or(|rest| !rest.starts_with("ignore"));
    let sources = sources.lines().filter(is_run).collect::<Vec<_>>().join("\n");
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| line.starts_with("| ")).map(|line| line.split('|').collect()).collect();
    let guarantees: Vec<(&str, &str, &str)> = rows
        .iter()
        .filter(|row| !row[1].trim().is_empty())
        .map(|row| (row[1].trim(), row[2], row[3]))
        .collect();
    let expected = [("U", 29), ("B", 19), ("S", 13), ("L", 14), ("K", 8), ("TR", 12), ("SH", 4)];
    let expected: Vec<String> = expected
        .iter()
        .flat_map(|(letter, count)| (1..=*count).map(move |i| format!("{letter}{i}")))
        .collect();
    assert_eq!(guarantees.iter().map(|guarantee| guarantee.0).collect::<Vec<_>>(), expected);
    for (name, guarantee, tests) in guarantees {
        let is_nothing_to_test = guarantee.contains(": later") || guarantee.contains("there is none");
        let tests: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert_eq!(tests.is_empty(), is_nothing_to_test, "{name}");
        for test in tests {
            assert!(
                sources.contains(&format!("#[test]\nfn {test}()"))
                    || sources.contains(&format!("#[test]\n    fn {test}()")),
                "{name} names {test}, which is no test"
            );
        }
    }
}
