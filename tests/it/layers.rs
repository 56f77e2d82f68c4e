//! The layers of the source: modules import only from lower layers, and no files import each other
//! in a cycle.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::imports::{Crate, Import, import_cycles, top_module_of};

/// Top-level modules from the lowest layer to the highest. A module imports only from the layers
/// before its own.
const LAYERS: &[&[&str]] = &[
    &["platform"],
    &["side", "random", "parallel", "interrupt", "stdin"],
    &["text"],
    &["game"],
    &["drawing"],
    &["canvas"],
    &["board"],
    &["games"],
    &["ai"],
    &["session"],
    &["registry"],
    &["record"],
    &["thinking", "picture", "bench"],
    &["external", "protocol"],
    &["arena"],
    &["play"],
    &["journal", "messages"],
    &["ui"],
    &["cli"],
    &["commands"],
    &["lib", "main"],
];

/// Imports from lower layers that are still forbidden: a match knows neither engine matches nor
/// pictures.
const FORBIDDEN_IMPORTS: &[(&str, &[&str])] = &[
    ("play", &["arena", "picture", "bench", "interrupt", "stdin", "external", "protocol"]),
    ("journal", &["arena", "picture", "bench", "external", "protocol"]),
    ("messages", &["arena", "picture", "bench", "external", "protocol"]),
    ("ui", &["arena", "bench", "external", "protocol"]),
];

/// Modules that know no terminal and no command line.
const TERMINAL_FREE_MODULES: &[&str] = &[
    "side", "text", "random", "game", "drawing", "canvas", "board", "games", "ai", "session", "picture",
    "play",
];

fn collect_rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_rust_files(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(path);
        }
    }
}

/// Returns every source file, relative to `src`, with its text.
pub(crate) fn source_texts() -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect_rust_files(&src, &mut paths);
    assert!(paths.len() > 10, "the sources were not found");
    paths.sort();
    let read =
        |path: PathBuf| (path.strip_prefix(&src).unwrap().to_owned(), fs::read_to_string(&path).unwrap());
    paths.into_iter().map(read).collect()
}

/// Returns the top-level module, the path relative to `src` and the text without comments of every
/// source file.
fn files() -> Vec<(String, PathBuf, String)> {
    let without_comments = |(path, text): (PathBuf, String)| {
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        (top_module_of(&path), path, code.join("\n"))
    };
    source_texts().into_iter().map(without_comments).collect()
}

/// Returns the imports of the whole program, which are computed once.
fn imports() -> &'static BTreeSet<Import> {
    static IMPORTS: LazyLock<BTreeSet<Import>> = LazyLock::new(|| Crate::parse(source_texts()).imports());
    &IMPORTS
}

fn layer_of(module: &str) -> usize {
    LAYERS.iter().position(|row| row.contains(&module)).unwrap_or_else(|| panic!("{module} is in no layer"))
}

/// Returns the imports that the layers forbid.
fn forbidden_imports(imports: &BTreeSet<Import>) -> Vec<&Import> {
    let is_forbidden = |import: &&Import| {
        let (from, to) = (top_module_of(&import.from), top_module_of(&import.to));
        let is_banned =
            FORBIDDEN_IMPORTS.iter().any(|(module, banned)| *module == from && banned.contains(&to.as_str()));
        from != to && (layer_of(&to) >= layer_of(&from) || is_banned)
    };
    imports.iter().filter(is_forbidden).collect()
}

#[test]
fn the_architecture_page_shows_the_same_layers() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let row = |modules: &&[&str]| {
        if let [module] = modules { (*module).to_owned() } else { format!("{{{}}}", modules.join(", ")) }
    };
    let arrows = LAYERS.iter().map(row).collect::<Vec<_>>().join(" <- ");
    assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" ").matches(&arrows).count(), 1, "{arrows}");
}

/// Every module has a row with its invariant.
#[test]
fn the_architecture_page_states_an_invariant_for_every_module() {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|row| row.starts_with("| `")).collect();
    for module in LAYERS.iter().copied().flatten().filter(|module| !["lib", "main"].contains(module)) {
        let is_of = |row: &&&str| row.split('|').nth(1).unwrap().contains(&format!("`{module}`"));
        let row = rows.iter().find(is_of).unwrap_or_else(|| panic!("{module} has no row"));
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(cells.len() == 3 && cells.iter().all(|cell| !cell.is_empty()), "{row}");
    }
}

#[test]
fn modules_import_only_from_lower_layers() {
    let imports = imports();
    assert!(imports.len() > 500, "only {} imports were found", imports.len());
    assert_eq!(forbidden_imports(imports), [] as [&Import; 0]);
}

/// Modules of the arena from the lowest layer to the highest. Tuning and self-play start games as
/// matches do.
const ARENA_LAYERS: &[&[&str]] = &[
    &["stats"],
    &["jobs"],
    &["matches"],
    &["selfplay", "solving", "tuning"],
    &["report"],
    &["kinds"],
    &["mod"],
];

#[test]
fn arena_modules_import_only_from_lower_layers() {
    let arena = |path: &Path| path.strip_prefix("arena").ok().map(top_module_of);
    let row = |module: &str| {
        ARENA_LAYERS.iter().position(|row| row.contains(&module)).unwrap_or_else(|| panic!("{module}"))
    };
    let mut seen = BTreeSet::new();
    for import in imports() {
        if let (Some(from), Some(to)) = (arena(&import.from), arena(&import.to)) {
            assert!(from == to || row(&to) < row(&from), "{import:?}");
            seen.extend([from, to]);
        }
    }
    assert!(seen.len() >= 7, "{seen:?}");
}

/// Terms that occur only in the module `platform`: they depend on the operating system.
const SYSTEM_SPECIFIC_TERMS: [&str; 9] = [
    "cfg(unix",
    "cfg!(unix",
    "cfg(not(unix",
    "cfg!(not(unix",
    "windows)",
    "target_os",
    "rustix",
    "signal_hook",
    "os::unix",
];

#[test]
fn only_the_platform_module_depends_on_the_operating_system() {
    let (mut in_platform, mut others) = (0, Vec::new());
    for (module, path, code) in files() {
        let terms: Vec<&str> = SYSTEM_SPECIFIC_TERMS.into_iter().filter(|word| code.contains(word)).collect();
        match module.as_str() {
            "platform" => in_platform += terms.len(),
            _ if terms.is_empty() => {}
            _ => others.push((path, terms)),
        }
    }
    assert!(in_platform >= 5, "{in_platform}");
    assert_eq!(others, []);
}

#[test]
fn no_files_import_each_other_in_a_cycle() {
    let imports = imports();
    assert_eq!(import_cycles(imports), BTreeSet::new());
}

/// Returns a small crate in which `ai` is below `play`. The items of `play` lie in two files, and
/// its `mod.rs` re-exports some of them.
fn small_crate(planted: &str, place: &str) -> Crate {
    let mut files = vec![
        ("lib.rs", "pub mod ai; pub mod play;".to_owned()),
        ("ai.rs", "pub struct Engine; macro_rules! choose { ($($t:tt)*) => {} }".to_owned()),
        (
            "play/mod.rs",
            "mod seat; mod clock; pub use seat::{Seat, wait}; pub const MOST: u8 = 3;".to_owned(),
        ),
        (
            "play/seat.rs",
            "pub struct Seat; pub fn wait() -> u8 { 1 } pub enum Kind { Person, Engine }".to_owned(),
        ),
        ("play/clock.rs", "use super::seat::Kind; pub struct Clock(Kind);".to_owned()),
    ];
    let file = files.iter_mut().find(|(path, _)| *path == place).unwrap();
    file.1 = format!("{planted}\n{}", file.1);
    Crate::parse(files.into_iter().map(|(path, text)| (PathBuf::from(path), text)))
}

#[test]
fn every_form_of_a_forbidden_import_is_detected() {
    let clean = small_crate("", "ai.rs").imports();
    assert_eq!((forbidden_imports(&clean), import_cycles(&clean)), (Vec::new(), BTreeSet::new()));
    // Each pair is the code added to `ai.rs` and the file whose item it uses.
    let forms = [
        ("use crate::play;", "play/mod.rs"),
        ("use crate::play::MOST;", "play/mod.rs"),
        ("use crate::play::Seat;", "play/seat.rs"),
        ("use crate::play::seat::Kind::*;", "play/seat.rs"),
        ("use crate::play::*;", "play/mod.rs"),
        ("use super::play::Seat;", "play/seat.rs"),
        ("use super::play::Seat as Chair;", "play/seat.rs"),
        ("use super::{play::{clock::{self}}};", "play/clock.rs"),
        ("use std::{fmt, io}; use crate::{play::{clock::Clock as C, MOST}};", "play/clock.rs"),
        ("pub use crate::play::wait;", "play/seat.rs"),
        ("pub(crate) use crate::{play::{MOST as LEAST}};", "play/mod.rs"),
        ("mod inner { use super::super::play::Seat; }", "play/seat.rs"),
        ("mod inner { mod more { use crate::play::{{Seat}}; } }", "play/seat.rs"),
        ("fn f() -> u8 { crate::play::wait() }", "play/seat.rs"),
        ("fn f() { use crate::play::wait; }", "play/seat.rs"),
        ("fn f(_: Vec<crate::play::Seat>) {}", "play/seat.rs"),
        ("fn f<T: Into<super::play::Seat>>(_: T) {}", "play/seat.rs"),
        ("impl From<crate::play::clock::Clock> for Engine {}", "play/clock.rs"),
        ("fn f(x: u8) { if let crate::play::MOST = x {} }", "play/mod.rs"),
        ("struct S { seat: Option<&'static crate::play::Seat> }", "play/seat.rs"),
        ("const N: [u8; crate::play::MOST as usize] = [0; 3];", "play/mod.rs"),
        ("fn f() { println!(\"{}\", crate::play::wait()); }", "play/seat.rs"),
        ("fn f(x: u8) -> bool { matches!(x, crate::play::MOST if true) }", "play/mod.rs"),
        ("choose! { any { deep [ crate :: play :: seat :: Kind ] } }", "play/seat.rs"),
        (
            "use crate as whole; use self::inner::A; mod inner { pub use crate::play::Seat as A; }",
            "play/seat.rs",
        ),
    ];
    for (planted, to) in forms {
        let imports = small_crate(planted, "ai.rs").imports();
        let caught: Vec<&Path> =
            forbidden_imports(&imports).into_iter().map(|import| import.to.as_path()).collect();
        assert!(caught.contains(&Path::new(to)), "{planted}: {caught:?}");
    }
}

#[test]
fn every_form_of_an_import_cycle_is_detected() {
    let forms = [
        "use super::clock;",
        "use super::clock::Clock;",
        "use super::{clock::{Clock}};",
        "use crate::{play::{clock::Clock as C}};",
        "fn f(_: super::clock::Clock) {}",
        "fn f() { dbg!(super::clock::Clock); }",
        "mod inner { use super::super::clock::Clock; }",
    ];
    let ring = BTreeSet::from([BTreeSet::from([Path::new("play/clock.rs"), Path::new("play/seat.rs")])]);
    for planted in forms {
        let imports = small_crate(planted, "play/seat.rs").imports();
        assert_eq!(import_cycles(&imports), ring, "{planted}");
    }
    // A re-export is followed to the file that defines the item: `seat` uses `clock` through their
    // parent.
    let house = [
        ("play/mod.rs", "mod seat; mod clock; pub use clock::Clock; pub use seat::Kind;"),
        ("play/seat.rs", "use super::Clock; pub enum Kind { Person, Engine(Clock) }"),
        ("play/clock.rs", "use super::Kind; pub struct Clock(Option<Kind>);"),
    ];
    let imports = Crate::parse(house.map(|(path, text)| (PathBuf::from(path), text.to_owned()))).imports();
    assert_eq!(import_cycles(&imports), ring);
}

#[test]
fn rules_engines_and_sessions_use_no_terminal_and_print_nothing() {
    for (module, path, code) in files() {
        if TERMINAL_FREE_MODULES.contains(&module.as_str()) {
            for word in
                ["crossterm", "ratatui", "clap", "anyhow", "std::io", "println!", "eprintln!", "std::fs"]
            {
                assert!(!code.contains(word), "{} contains {word}", path.display());
            }
        }
    }
}

/// Files above the registry that may name games: those of external engines and protocols.
const FILES_THAT_NAME_GAMES: &[&str] = &["thinking/program.rs", "external/", "protocol/"];

#[test]
fn no_module_above_the_registry_names_a_game() {
    for (module, path, code) in files() {
        let is_exempt = module == "lib"
            || FILES_THAT_NAME_GAMES.iter().any(|start| path.to_str().unwrap().starts_with(start));
        if layer_of(&module) > layer_of("registry") && !is_exempt {
            for name in ["tictactoe", "TicTacToe", "quoridor", "Quoridor", "games::", "hex::"] {
                assert!(!code.contains(name), "{} names {name}", path.display());
            }
        }
    }
}

/// Cargo does not build unit tests of the library, so a test there would never run.
#[test]
fn the_library_contains_no_tests() {
    for (_, path, code) in files() {
        for word in ["cfg(test)", "#[test]"] {
            assert!(!code.contains(word), "{} contains {word}: tests belong in tests/it", path.display());
        }
    }
}

/// A file that `main.rs` does not name is never compiled.
#[test]
fn every_test_file_is_compiled() {
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
    for (path, text) in source_texts() {
        let count = text.lines().count();
        assert!(count <= 700, "{} has {count} lines", path.display());
        // Functions that are open at a line: their first lines and indentations.
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
                open.pop(); // a declaration over several lines
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

/// Returns the structs of a file and of its inline modules, with their numbers of fields.
fn field_counts(items: &[syn::Item]) -> Vec<(String, usize)> {
    let of_item = |item: &syn::Item| match item {
        syn::Item::Struct(item) => vec![(item.ident.to_string(), item.fields.len())],
        syn::Item::Mod(module) => {
            module.content.as_ref().map_or_else(Vec::new, |(_, items)| field_counts(items))
        }
        _ => Vec::new(),
    };
    items.iter().flat_map(of_item).collect()
}

/// A struct with many fields usually mixes values of different lifetimes.
#[test]
fn files_and_structs_of_matches_and_screens_stay_small() {
    let (mut files, mut count) = (0, 0);
    for (path, text) in
        source_texts().into_iter().filter(|(path, _)| ["play", "ui"].contains(&top_module_of(path).as_str()))
    {
        let lines = text.lines().count();
        assert!(lines <= 600, "{} has {lines} lines", path.display());
        for (name, fields) in field_counts(&syn::parse_file(&text).unwrap().items) {
            assert!(fields <= 12, "{name} in {} has {fields} fields", path.display());
            count += 1;
        }
        files += 1;
    }
    assert!(files > 40 && count > 60, "{files} files, {count} structs");
}

#[test]
fn the_main_file_stays_short() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs")).unwrap();
    assert!(text.lines().count() <= 15);
}
