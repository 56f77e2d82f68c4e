//! The README and the documentation are plain technical English: they contain no phrases that the
//! style guide rules out, and the README stays short.

use std::fs;
use std::path::Path;

use crate::phrases::{FORBIDDEN, places};
use crate::support::markdown_files;

/// Files that are checked. Possible additions: `tests/golden/sentences.txt`,
/// `tests/golden/help.txt`, `nets/hex.md`.
const FILES: [&str; 11] = [
    "README.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "cluster/README.md",
    "fuzz/README.md",
    "openings/README.md",
    "tests/data/README.md",
    "nets/quoridor.md",
    "src/lib.rs",
];

/// Folders whose Markdown files are all checked.
const FOLDERS: [&str; 1] = ["docs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every file that is checked, with its text.
fn checked_files() -> Vec<(String, String)> {
    let mut names: Vec<String> = FILES.iter().map(|&name| name.to_owned()).collect();
    names.extend(FOLDERS.into_iter().flat_map(markdown_files));
    names.into_iter().map(|name| (name.clone(), fs::read_to_string(root().join(name)).unwrap())).collect()
}

/// Returns the prose of a page with the number of each line, without fenced blocks and inline code.
/// In Rust files only the documentation of the crate counts.
fn prose(name: &str, text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut is_fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = match line.strip_prefix("//!") {
            Some(comment) => comment.trim_start(),
            None if Path::new(name).extension().is_some_and(|ending| ending == "rs") => continue,
            None => line,
        };
        is_fenced ^= line.starts_with("```");
        if !is_fenced {
            // Text between backticks is code.
            let english: Vec<&str> = line.split('`').step_by(2).collect();
            lines.push((number, english.join("`")));
        }
    }
    lines
}

/// Returns every violation of the style guide on a page.
fn find_violations(name: &str, text: &str) -> Vec<String> {
    let lines = prose(name, text);
    let mut whole = String::new();
    let mut starts = Vec::new();
    for (number, line) in &lines {
        starts.push((whole.len(), *number));
        whole += line.trim();
        whole.push(' ');
    }
    let line_of = |at: usize| starts.iter().rev().find(|(start, _)| *start <= at).map_or(0, |start| start.1);
    let mut violations = Vec::new();
    for (phrase, better) in FORBIDDEN {
        violations.extend(
            places(&whole, phrase)
                .map(|at| format!("{name}:{}: \"{phrase}\"; better: {better}", line_of(at))),
        );
    }
    let percent =
        whole.match_indices(" %").filter(|(at, _)| whole[..*at].ends_with(|c: char| c.is_ascii_digit()));
    violations.extend(percent.map(|(at, _)| format!("{name}:{}: a blank before %", line_of(at))));
    violations
}

#[test]
fn the_documentation_is_in_plain_english() {
    let violations: Vec<String> =
        checked_files().iter().flat_map(|(name, text)| find_violations(name, text)).collect();
    assert!(violations.is_empty(), "{} findings:\n{}", violations.len(), violations.join("\n"));
}

#[test]
fn forbidden_phrases_are_found_with_their_lines_except_in_code() {
    let page = "One.\nWho first\nfills a row wins 45 % of games.\n`who first`\n```\nso many\n```\nSo many.";
    let violations = find_violations("page.md", page);
    let starts: Vec<&str> = violations.iter().map(|line| line.split(';').next().unwrap()).collect();
    assert_eq!(starts, ["page.md:8: \"so many\"", "page.md:2: \"who first\"", "page.md:3: a blank before %"]);
    assert_eq!(find_violations("page.md", "also many, those many, the same, again, `so many`"), [""; 0]);
    assert_eq!(find_violations("page.md", "The same, with a limit.").len(), 1);
}

#[test]
fn the_readme_stays_short() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let (lines, characters) = (text.lines().count(), text.chars().count());
    assert!(lines <= 150 && characters <= 9_000, "{lines} lines, {characters} characters");
}
