//! The README and the documentation are written in plain technical English: phrases that the style guide rules out do
//! not occur, and the README stays a front page.

use std::fs;
use std::path::Path;

use crate::support::markdown_files;

/// Files that are checked. To extend: `tests/golden/sentences.txt`, `tests/golden/help.txt`, `nets/hex.md`.
const FILES: [&str; 9] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "cluster/README.md",
    "fuzz/README.md",
    "openings/README.md",
    "tests/data/README.md",
    "nets/quoridor.md",
    "src/lib.rs",
];

/// Folders all of whose Markdown files are checked.
const FOLDERS: [&str; 1] = ["docs"];

/// Parts of files that are still to be reworded: file, first line, the line after the last.
const PENDING: [(&str, &str, &str); 1] = [("docs/manual.md", "<!-- keys -->", "<!-- /keys -->")];

/// Phrases that do not occur, and a better one. A capital letter in a phrase is compared as it is; all other letters
/// match in any case. A phrase begins and ends where a word does.
const FORBIDDEN: &[(&str, &str)] = &[
    ("so many", "up to N, that many"),
    ("go on", "continue"),
    ("goes on", "continues"),
    ("going on", "continuing"),
    ("gone on", "continued"),
    ("went on", "continued"),
    ("is told", "is reported"),
    ("told apart", "distinguished"),
    ("what is told", "what is reported"),
    ("processor time", "CPU time"),
    ("of the processor", "of CPU time"),
    ("processors", "cores"),
    ("file of settings", "config file"),
    ("of our own", "built-in"),
    ("of ours", "built-in"),
    ("our own", "crosspath's own"),
    ("of yours", "your"),
    ("in words", "in sentences"),
    ("who first", "the first player to"),
    ("what is shown", "what the screen shows"),
    ("The same,", "a full sentence"),
    ("What it", "a sentence with a subject"),
    ("Whether", "reports whether, true if"),
    ("safe link", "bridge"),
    ("safe links", "bridges"),
    ("stones to go", "stones still needed"),
    ("against the machine", "against an engine"),
    ("the machine thinks", "analysis"),
    ("two machines", "two engines"),
    ("human against machine", "human against engine"),
    ("machine against machine", "engine against engine"),
    ("machine's level", "level"),
    ("judgement", "evaluation"),
    ("judgements", "evaluations"),
    ("judge", "evaluate, review"),
    ("judged", "evaluated, reviewed"),
    ("judges", "evaluates, reviews"),
    ("moves a second", "moves per second"),
    ("nodes a move", "nodes per move"),
    ("positions a move", "nodes per move"),
    ("positions a second", "positions per second"),
    ("ms a move", "ms per move"),
    ("seconds a move", "seconds per move"),
    ("one a line", "one per line"),
    ("one object a line", "one object per line"),
    ("times a second", "times per second"),
    ("takes over", "swaps"),
    ("took over", "swapped"),
    ("taken over", "swapped"),
    ("mends", "saves"),
    ("is kept", "is saved"),
    ("are kept", "are saved"),
    ("was kept", "was saved"),
    ("in place of", "instead of"),
    ("anew", "again"),
    ("by turns", "alternately"),
    ("per cent", "%"),
    ("chance to win", "win chance"),
    ("chances to win", "win chances"),
    ("in one sentence", "in one message"),
    ("written over", "replaced"),
    ("how they fared", "their results"),
    ("how you fare", "your score"),
    ("how you fared", "your score"),
    ("nobody is charged", "clocks stop"),
    ("a ground", "a background"),
    ("falls silent", "stops responding"),
    ("a stranger", "anyone"),
    ("word of line mode", "command"),
    ("words of line mode", "commands"),
    ("side line", "variation"),
    ("side lines", "variations"),
    ("wanders", "moves at random"),
    ("as it gets", "at full strength"),
    ("has the form", "describes the format"),
    ("will not do", "is rejected"),
    ("what stands in the way", "any problem"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file that is checked, with its text.
fn sources() -> Vec<(String, String)> {
    let mut names: Vec<String> = FILES.iter().map(|&name| name.to_owned()).collect();
    names.extend(FOLDERS.into_iter().flat_map(markdown_files));
    names.into_iter().map(|name| (name.clone(), fs::read_to_string(root().join(name)).unwrap())).collect()
}

/// The English of a page with the number of each line: no fenced blocks, no code, no pending parts. Of Rust only the
/// documentation of the crate.
fn prose(name: &str, text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let (mut is_fenced, mut until): (bool, Option<&str>) = (false, None);
    for (number, line) in (1..).zip(text.lines()) {
        let line = match line.strip_prefix("//!") {
            Some(comment) => comment.trim_start(),
            None if Path::new(name).extension().is_some_and(|ending| ending == "rs") => continue,
            None => line,
        };
        if until == Some(line) {
            until = None;
        }
        let pending = PENDING.iter().find(|(page, from, _)| *page == name && *from == line);
        until = until.or(pending.map(|(_, _, to)| *to));
        is_fenced ^= line.starts_with("```");
        if !is_fenced && until.is_none() {
            // Between two backticks is code.
            let english: Vec<&str> = line.split('`').step_by(2).collect();
            lines.push((number, english.join("`")));
        }
    }
    lines
}

/// Everything on a page that the style guide rules out.
fn findings(name: &str, text: &str) -> Vec<String> {
    let lines = prose(name, text);
    let mut whole = String::new();
    let mut starts = Vec::new();
    for (number, line) in &lines {
        starts.push((whole.len(), *number));
        whole += line.trim();
        whole.push(' ');
    }
    let line_of = |at: usize| starts.iter().rev().find(|(start, _)| *start <= at).map_or(0, |start| start.1);
    let mut found = Vec::new();
    for (phrase, better) in FORBIDDEN {
        found.extend(
            places(&whole, phrase)
                .map(|at| format!("{name}:{}: \"{phrase}\"; better: {better}", line_of(at))),
        );
    }
    let percent =
        whole.match_indices(" %").filter(|(at, _)| whole[..*at].ends_with(|c: char| c.is_ascii_digit()));
    found.extend(percent.map(|(at, _)| format!("{name}:{}: a blank before %", line_of(at))));
    found
}

/// Where a phrase occurs as whole words.
fn places<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: char| c.is_alphanumeric() || c == '-';
    let equals =
        |a: char, b: char| if b.is_uppercase() { a == b } else { a.to_lowercase().eq(b.to_lowercase()) };
    text.char_indices().map(|(at, _)| at).filter(move |&at| {
        let mut rest = text[at..].chars();
        let is_here = phrase.chars().all(|wanted| rest.next().is_some_and(|c| equals(c, wanted)));
        let ends_a_word = phrase.ends_with(is_word);
        is_here && !text[..at].ends_with(is_word) && !(ends_a_word && rest.next().is_some_and(is_word))
    })
}

#[test]
fn the_documentation_is_in_plain_english() {
    let found: Vec<String> = sources().iter().flat_map(|(name, text)| findings(name, text)).collect();
    assert!(found.is_empty(), "{} findings:\n{}", found.len(), found.join("\n"));
}

#[test]
fn pending_parts_are_where_the_list_says() {
    for (name, from, to) in PENDING {
        let text = fs::read_to_string(root().join(name)).unwrap();
        for mark in [from, to] {
            assert_eq!(text.lines().filter(|line| *line == mark).count(), 1, "{name}: {mark}");
        }
    }
}

#[test]
fn odd_sentences_are_found_with_their_lines_and_code_is_left_out() {
    let page = "One.\nWho first\nfills a row wins 45 % of games.\n`who first`\n```\nso many\n```\nSo many.";
    let found = findings("page.md", page);
    let starts: Vec<&str> = found.iter().map(|line| line.split(';').next().unwrap()).collect();
    assert_eq!(starts, ["page.md:8: \"so many\"", "page.md:2: \"who first\"", "page.md:3: a blank before %"]);
    assert_eq!(findings("page.md", "also many, those many, the same, again, `so many`"), [""; 0]);
    assert_eq!(findings("page.md", "The same, with a limit.").len(), 1);
}

#[test]
fn the_readme_is_a_front_page() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let (lines, characters) = (text.lines().count(), text.chars().count());
    assert!(lines <= 150 && characters <= 9_000, "{lines} lines, {characters} characters");
}
