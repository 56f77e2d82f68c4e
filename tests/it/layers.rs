//! Who may import whom: the arrows of the design, read off the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the lowest to the highest; a room imports only from its own row and the rows above it in this list.
const ROWS: &[&[&str]] = &[
    &["random", "game"],
    &["canvas"],
    &["board"],
    &["games"],
    &["ai"],
    &["session"],
    &["picture"],
    &["registry"],
    &["record", "worker"],
    &["protocol"],
    &["arena", "bench"],
    &["play"],
    &["journal", "messages", "interrupt"],
    &["ui"],
    &["cli"],
    &["commands"],
    &["lib", "main"],
];

/// Rooms that know no terminal and no command line.
const PURE: &[&str] = &["random", "game", "canvas", "board", "games", "ai", "session", "picture", "play"];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(path);
        }
    }
}

/// Every source file as (room, path, text without its comments).
fn files() -> Vec<(String, PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&src, &mut paths);
    assert!(paths.len() > 10, "the sources were not found");
    let mut files: Vec<_> = paths
        .into_iter()
        .map(|path| {
            let below_src = path.strip_prefix(&src).unwrap();
            let room = below_src
                .components()
                .next()
                .unwrap()
                .as_os_str()
                .to_str()
                .unwrap()
                .trim_end_matches(".rs")
                .to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            (room, path, code.join("\n"))
        })
        .collect();
    files.sort();
    files
}

fn row_of(room: &str) -> usize {
    ROWS.iter()
        .position(|row| row.contains(&room))
        .unwrap_or_else(|| panic!("{room} stands in no row of the design"))
}

/// The rooms that a text names behind `crate::`, single or in braces.
fn imports(code: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    for piece in code.split("crate::").skip(1) {
        if let Some(list) = piece.strip_prefix('{') {
            let list = list.split("};").next().unwrap();
            found.extend(
                list.split(',')
                    .map(|name| name.trim().chars().take_while(|&c| is_name(c)).collect::<String>()),
            );
        } else {
            found.insert(piece.chars().take_while(|&c| is_name(c)).collect());
        }
    }
    found.retain(|name| name.starts_with(|c: char| c.is_ascii_lowercase()) && name != "run"); // the function
    found
}

#[test]
fn contributing_shows_the_same_arrows() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md")).unwrap();
    let row = |rooms: &&[&str]| {
        if let [room] = rooms { (*room).to_owned() } else { format!("{{{}}}", rooms.join(", ")) }
    };
    let arrows = ROWS.iter().map(row).collect::<Vec<_>>().join(" <- ");
    assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" ").matches(&arrows).count(), 1, "{arrows}");
}

#[test]
fn arrows_point_downwards_only() {
    for (room, path, code) in files() {
        for import in imports(&code) {
            assert!(
                row_of(&import) <= row_of(&room),
                "{} imports {import}, which lies above it",
                path.display()
            );
        }
    }
}

#[test]
fn neighbours_on_one_row_do_not_import_each_other() {
    for (room, path, code) in files() {
        for import in imports(&code) {
            let apart = import != room && row_of(&import) == row_of(&room) && room != "lib";
            assert!(!apart, "{} imports its neighbour {import}", path.display());
        }
    }
}

#[test]
fn rules_engines_and_sessions_know_no_terminal_and_print_nothing() {
    for (room, path, code) in files() {
        if PURE.contains(&room.as_str()) {
            for word in
                ["crossterm", "ratatui", "clap", "anyhow", "std::io", "println!", "eprintln!", "std::fs"]
            {
                assert!(!code.contains(word), "{} contains {word}", path.display());
            }
        }
    }
}

#[test]
fn nothing_above_the_registry_names_a_game() {
    for (room, path, code) in files() {
        if row_of(&room) > row_of("registry") && room != "lib" && room != "protocol" {
            for name in ["tictactoe", "TicTacToe", "quoridor", "Quoridor", "games::", "hex::"] {
                assert!(!code.contains(name), "{} names {name}", path.display());
            }
        }
    }
}

/// Cargo builds no test of the library's own, so one there would never run.
#[test]
fn the_library_holds_no_tests() {
    for (_, path, code) in files() {
        for word in ["cfg(test)", "#[test]"] {
            assert!(!code.contains(word), "{} contains {word}: tests stand in tests/it", path.display());
        }
    }
}

/// A file that `main.rs` does not name is never compiled.
#[test]
fn every_file_of_the_tests_is_compiled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = fs::read_to_string(folder.join("main.rs")).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.trim_end_matches(".rs");
        let is_there = main.lines().any(|line| line.ends_with(&format!("mod {name};")));
        assert!(is_there || name == "main", "main.rs has no mod {name};");
    }
}

#[test]
fn files_and_functions_stay_short() {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it")).unwrap() {
        let path = entry.unwrap().path();
        let count = fs::read_to_string(&path).unwrap().lines().count();
        assert!(count <= 700, "{} has {count} lines", path.display());
    }
    for (_, path, _) in files() {
        let text = fs::read_to_string(&path).unwrap();
        let count = text.lines().count();
        assert!(count <= 700, "{} has {count} lines", path.display());
        // Functions that are open at a line: where they began and how far their first line is indented.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let ends_on_its_line = line.trim_end().ends_with([';', '}']);
            let is_head = line.split_whitespace().take(4).any(|word| word == "fn");
            if is_head && !line.trim_start().starts_with("//") && !ends_on_its_line {
                open.push((i, indent));
            }
            let Some(&(first, depth)) = open.last() else { continue };
            if indent == depth && line.trim_start().starts_with(')') && line.trim_end().ends_with(';') {
                open.pop(); // a declaration of several lines
            } else if indent == depth && line.trim_start().starts_with('}') {
                let longest = if text.lines().nth(first).unwrap().contains("fn search") { 120 } else { 60 };
                let length = i - first + 1;
                assert!(
                    length <= longest,
                    "{}:{} is a function of {length} lines",
                    path.display(),
                    first + 1
                );
                open.pop();
            }
        }
        assert!(open.is_empty(), "{}: where do these end? {open:?}", path.display());
    }
}

/// The files of the full screen import each other in one direction only.
#[test]
fn the_full_screen_is_no_circle() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ui/tui");
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, path, code) in files().into_iter().filter(|(_, path, _)| path.starts_with(&folder)) {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name == "mod" {
            continue;
        }
        let of_line = |line: &str| -> Vec<String> {
            let Some(rest) = line.strip_prefix("use super::") else { return Vec::new() };
            let names = rest.trim_end_matches(';').trim_matches(['{', '}']).split(',');
            let first = |name: &str| name.trim().split("::").next().unwrap().to_owned();
            if rest.starts_with('{') { names.map(first).collect() } else { vec![first(rest)] }
        };
        let inline =
            code.split("super::").skip(1).map(|rest| rest.split([':', '(']).next().unwrap().to_owned());
        let all = code.lines().flat_map(of_line).chain(inline);
        imports.insert(name, all.filter(|name| folder.join(format!("{name}.rs")).exists()).collect());
    }
    assert!(imports.len() > 15, "{imports:?}");
    // What imports nothing that is left is taken away, until nothing is left.
    while !imports.is_empty() {
        let free: Vec<String> = imports
            .iter()
            .filter(|(_, wanted)| wanted.iter().all(|name| !imports.contains_key(name)))
            .map(|(name, _)| name.clone())
            .collect();
        assert!(!free.is_empty(), "a circle: {imports:?}");
        for name in free {
            imports.remove(&name);
        }
    }
}

#[test]
fn the_binary_is_a_door() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs")).unwrap();
    assert!(text.lines().count() <= 15);
}
