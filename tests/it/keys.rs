//! The table of actions: no key twice, the files made from it equal to it.

use std::path::Path;

use crosspath::play;
use crosspath::ui::tui::key_table::{Action, Context, KEY_BINDINGS, Key, in_markdown, in_roff};

use crate::support::{run, update_page};

#[test]
fn in_one_place_no_key_has_two_actions() {
    for (context, name) in Context::ALL {
        let here: Vec<_> = KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context)).collect();
        let keys: Vec<&Key> = here.iter().flat_map(|action| action.keys).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{name}: {key:?} has two actions");
        }
    }
}

#[test]
fn letters_and_digits_of_moves_are_no_commands_at_the_board() {
    for action in KEY_BINDINGS {
        if action.contexts.iter().any(|context| context.takes_moves()) {
            for key in action.keys {
                let is_at_the_end = matches!(action.act, Action::Review | Action::TurningPoint);
                let is_typed = matches!(key, Key::Char('a'..='n' | '0'..='9')) && !is_at_the_end;
                assert!(!is_typed, "{key:?} is an action and begins a move");
            }
        }
    }
}

#[test]
fn the_words_of_the_table_are_words_of_line_mode() {
    for action in KEY_BINDINGS {
        let word = action.word.split(' ').next().unwrap();
        let is_move = ["-", "", "the", "swap", "theme"].contains(&word);
        assert!(is_move || play::find(word).is_some(), "{word} is no word");
    }
}

/// One table of all contexts: a key that does the same in several of them has one row, with a letter for each.
fn key_list(by_context: &str) -> String {
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
fn the_page_of_keys_is_made_from_the_table() {
    const PAGE: &str = "docs/manual.md";
    const MARKS: [&str; 2] = ["<!-- keys -->\n", "<!-- /keys -->"];
    let table = key_list(&in_markdown());
    let with_table = |page: &str| {
        let (before, rest) = page.split_once(MARKS[0]).expect("the page has the first mark");
        let (_, behind) = rest.split_once(MARKS[1]).expect("the page has the second mark");
        [before, MARKS[0], &table, MARKS[1], behind].concat()
    };
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        update_page(PAGE, with_table);
    }
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).unwrap();
    let wanted = with_table(&page);
    let differs = page.lines().zip(wanted.lines()).find(|(is, should)| is != should);
    assert!(page == wanted, "{differs:?}; UPDATE_GOLDENS=1 writes the table again");
}

#[test]
fn the_manual_page_has_the_section_of_keys() {
    assert!(run(&["man"], "").out.ends_with(&in_roff()));
}

#[test]
fn every_promise_of_the_terminal_names_tests_that_exist() {
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
    // A test that is run by hand is a test, too.
    let is_run =
        |line: &&str| line.trim_start().strip_prefix("#[").is_none_or(|rest| !rest.starts_with("ignore"));
    let sources = sources.lines().filter(is_run).collect::<Vec<_>>().join("\n");
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| line.starts_with("| ")).map(|line| line.split('|').collect()).collect();
    let promises: Vec<(&str, &str, &str)> = rows
        .iter()
        .filter(|row| !row[1].trim().is_empty())
        .map(|row| (row[1].trim(), row[2], row[3]))
        .collect();
    let wanted = [("U", 29), ("B", 19), ("S", 13), ("L", 14), ("K", 8), ("TR", 12), ("SH", 4)];
    let wanted: Vec<String> =
        wanted.iter().flat_map(|(letter, count)| (1..=*count).map(move |i| format!("{letter}{i}"))).collect();
    assert_eq!(promises.iter().map(|promise| promise.0).collect::<Vec<_>>(), wanted);
    for (name, promise, tests) in promises {
        let is_nothing_to_test = promise.contains(": later") || promise.contains("there is none");
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
