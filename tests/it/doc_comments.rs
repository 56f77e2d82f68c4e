//! Doc comments make sense alone in a list: none depends on another comment or on the name of its item, and
//! none documents a panic that cannot happen.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::layers::source_texts;

/// Forbidden beginnings of paragraphs, each with a better one. A phrase ends at a word boundary.
const FORBIDDEN_BEGINNINGS: &[(&str, &str)] = &[
    ("What", "name the thing, or begin with a verb: Returns, Describes"),
    ("Whether", "Reports whether, or `true` if"),
    ("How", "name the thing, such as Number of, Time, Way in which"),
    ("The same", "say what the item does"),
    ("So many", "Number of"),
    ("Never", "no section about panics, and `expect(clippy::missing_panics_doc)` with the reason"),
];

/// Returns the first line of each paragraph of a file's doc comments, with its number. A heading ends a
/// paragraph, and code blocks are skipped.
fn paragraphs(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut is_inside, mut is_code) = (Vec::new(), false, false);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let Some(line) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim) else {
            is_inside = false;
            continue;
        };
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let is_text = !line.is_empty() && !line.starts_with('#') && !is_fence && !is_code;
        if is_text && !is_inside {
            found.push((number, line));
        }
        is_inside = is_text;
    }
    found
}

/// Returns the paragraphs of a file that have a forbidden beginning.
fn find_forbidden_beginnings(path: &Path, text: &str) -> Vec<String> {
    let begins = |line: &str, phrase: &str| {
        line.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let mut found = Vec::new();
    for (number, line) in paragraphs(text) {
        // Values of flags are described by their effect.
        let is_flag = path.starts_with("cli");
        let phrases = FORBIDDEN_BEGINNINGS
            .iter()
            .filter(|(phrase, _)| begins(line, phrase) && !(is_flag && *phrase == "Never"));
        found.extend(
            phrases.map(|(_, better)| format!("{}:{number}: {line}\n  better: {better}", path.display())),
        );
    }
    found
}

#[test]
fn doc_comments_make_sense_alone() {
    let texts = source_texts();
    let found: Vec<String> =
        texts.iter().flat_map(|(path, text)| find_forbidden_beginnings(path, text)).collect();
    assert!(found.is_empty(), "{} doc comments:\n{}", found.len(), found.join("\n"));
}

#[test]
fn forbidden_beginnings_of_doc_comments_are_found() {
    let file = "//! How it is.\n\n/// What it is.\n///\n/// # Panics\n/// Never: it is checked.\nfn a() {}\n/// Whatever it is.\n\
        /// What follows is the second line.\n/// ```\n/// So many\n/// ```\n// Whether is no doc comment.\n    /// The same, twice.";
    let found = find_forbidden_beginnings(Path::new("a.rs"), file);
    let lines: Vec<&str> = found.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(lines, ["a.rs:1:", "a.rs:3:", "a.rs:6:", "a.rs:14:"]);
}

/// Modules of the library whose public types, traits and functions all have an example.
const MODULES_WITH_EXAMPLES: [&str; 5] = ["game", "games", "ai", "record", "session"];

/// Returns the path of a file's module, such as `ai/hex`.
fn module_path(file: &Path) -> PathBuf {
    if file.ends_with("mod.rs") { file.parent().unwrap().to_owned() } else { file.with_extension("") }
}

/// Returns the modules that the documentation leaves out.
fn hidden_modules(texts: &[(PathBuf, String)]) -> BTreeSet<PathBuf> {
    let mut hidden = BTreeSet::new();
    for (path, text) in texts {
        let parent = if path.ends_with("lib.rs") { PathBuf::new() } else { module_path(path) };
        let mut is_hidden = false;
        for line in text.lines() {
            let module = line.trim_end_matches(';').rsplit_once("mod ").filter(|_| line.ends_with(';'));
            match module {
                Some(("pub ", name)) if is_hidden => _ = hidden.insert(parent.join(name)),
                Some(("pub(crate) ", name)) => _ = hidden.insert(parent.join(name)),
                _ => (),
            }
            is_hidden = line.starts_with("#[doc(hidden)]") || is_hidden && line.starts_with("#[");
        }
    }
    hidden
}

/// Returns the public types, traits and functions outside of `impl` blocks that have no example.
fn items_without_example(text: &str) -> Vec<&str> {
    let (mut found, mut has_example, mut is_hidden) = (Vec::new(), false, false);
    for line in text.lines() {
        let item = line
            .strip_prefix("pub ")
            .map(|item| item.trim_start_matches("const ").trim_start_matches("unsafe "));
        let item = item.and_then(|item| item.split_once(' '));
        if let Some(("fn" | "struct" | "enum" | "trait" | "type", name)) = item
            && !has_example
            && !is_hidden
        {
            found.push(name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap());
        }
        if line.is_empty() || item.is_some() {
            (has_example, is_hidden) = (false, false);
        }
        has_example |= line.starts_with("/// ```");
        is_hidden |= line.starts_with("#[doc(hidden)]");
    }
    found
}

#[test]
fn every_public_item_of_the_library_has_an_example() {
    let texts = source_texts();
    let hidden = hidden_modules(&texts);
    assert!(hidden.contains(Path::new("ai/hex/classic")), "{hidden:?}");
    let mut checked = 0;
    for (path, text) in &texts {
        let module = module_path(path);
        let is_public = !hidden.iter().any(|hidden| module.starts_with(hidden));
        if is_public && MODULES_WITH_EXAMPLES.iter().any(|name| module.starts_with(name)) {
            checked += 1;
            let missing = items_without_example(text);
            assert!(missing.is_empty(), "{}: no example of {missing:?}", path.display());
        }
    }
    assert!(checked > 60, "{checked}");
}

#[test]
fn items_without_an_example_are_found() {
    let text = "/// A.\npub struct One;\n\n/// B.\n///\n/// ```\n/// assert!(true);\n/// ```\n#[must_use]\npub const fn two() {}\n\n\
        #[doc(hidden)] // for tests\npub enum Three {}\n\npub trait Four<T> {}\npub(crate) fn five() {}\n";
    assert_eq!(items_without_example(text), ["One", "Four"]);
}
