//! Sentences by name. A test names a sentence and gives its values, and
//! `tests/golden/sentences.txt` has the words. A rewording changes that file and
//! `tests/golden/refusals.txt`, but no test.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crosspath::game::RefusalCode;
use serde_json::Value;

use crate::support::run;

/// File with one sentence or part of a sentence per line: its name, a colon, and the words, with
/// `{}` or `{2}` for values.
const SENTENCES_FILE: &str = "tests/golden/sentences.txt";

/// Names of the sides, as the sources have them in sentences.
const SIDES: [(&str, &str); 6] =
    [("red", "Red"), ("blue", "Blue"), ("white", "White"), ("black", "Black"), ("x", "X"), ("o", "O")];

/// Returns the texts of the sides and keys that literals of the sources contain, by their names
/// there.
pub(crate) fn names() -> &'static BTreeMap<String, String> {
    static ALL: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let source = fs::read_to_string(root("src/messages/keys.rs")).expect("the keys");
        let key = |line: &str| {
            let (name, key) = line.split_once("const ")?.1.split_once(": KeyName = KeyName::for_key(\"")?;
            Some((name.to_owned(), key.trim_end_matches("\");").to_owned()))
        };
        let keys: Vec<_> = source.lines().filter_map(key).collect();
        assert!(keys.len() > 20, "{keys:?}");
        SIDES.map(|(name, side)| (name.to_owned(), side.to_owned())).into_iter().chain(keys).collect()
    })
}

/// Returns a sentence of `tests/golden/sentences.txt` by name, with its values filled in.
macro_rules! said {
    ($name:literal $(, $value:expr)* $(,)?) => {
        $crate::sentences::sentence($name, &[$(&$value as &dyn std::fmt::Display),*])
    };
}
pub(crate) use said;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns every sentence by its name.
fn sentences() -> &'static BTreeMap<String, String> {
    static ALL: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let text = fs::read_to_string(root(SENTENCES_FILE)).expect("the sentences");
        let mut all = BTreeMap::new();
        for line in text.lines() {
            let (name, words) = line.split_once(": ").unwrap_or_else(|| panic!("{SENTENCES_FILE}: {line}"));
            let words = words.replace("\\u{a0}", "\u{a0}");
            assert!(
                all.insert(name.to_owned(), words).is_none(),
                "{SENTENCES_FILE}: {name} stands there twice"
            );
        }
        all
    })
}

/// Fills values into a sentence: `{}` takes the next value, `{2}` the third.
fn fill_placeholders(words: &str, values: &[&dyn Display]) -> String {
    let (mut text, mut next) = (String::new(), 0..);
    let mut rest = words;
    while let Some((before, behind)) = rest.split_once('{') {
        let (number, after) = behind.split_once('}').expect("a bracket that is closed");
        let number = number.parse().unwrap_or_else(|_| next.next().expect("numbers without end"));
        let value = values.get(number).unwrap_or_else(|| panic!("{words:?} has no value {number}"));
        write!(text, "{before}{value}").expect("a text takes everything");
        rest = after;
    }
    text + rest
}

/// Returns a sentence with its values; `said!` is the short form. The result lives as long as a
/// literal.
#[track_caller]
pub(crate) fn sentence(name: &str, values: &[&dyn Display]) -> &'static str {
    let words = sentences().get(name).unwrap_or_else(|| panic!("{SENTENCES_FILE} has no sentence {name:?}"));
    lasting(fill_placeholders(words, values))
}

/// Returns a text with the lifetime of a literal.
pub(crate) fn lasting(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// Runs the program with `--json`; returns the line and the code of every refusal and fault.
pub(crate) fn refusal_codes(arguments: &[&str], input: &str) -> Vec<(Option<u64>, String)> {
    let all: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let events = run(&all, input).out;
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object a line"));
    let errors = events.filter(|event| event["event"] == "error");
    errors.map(|event| (event["line"].as_u64(), event["code"].as_str().unwrap().to_owned())).collect()
}

/// Asserts which lines of the input the program refuses, and with which codes.
#[track_caller]
pub(crate) fn assert_refused(arguments: &[&str], input: &str, wanted: &[(u64, RefusalCode)]) {
    let wanted: Vec<_> = wanted.iter().map(|(line, code)| (Some(*line), code.as_str().to_owned())).collect();
    assert_eq!(refusal_codes(arguments, input), wanted, "{arguments:?}: {input:?}");
}

/// Appends every file below a folder to `text`.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            *text += &fs::read_to_string(path).unwrap();
        }
    }
}

/// Returns the text of the sources with literals as they are printed. Continued lines are joined,
/// sides and keys are replaced by their texts, and other values by `{}`.
fn source_literals() -> String {
    let mut text = String::new();
    sources(&root("src"), &mut text);
    let mut joined = String::with_capacity(text.len());
    let mut parts = text.split("\\\n");
    joined += parts.next().unwrap_or_default();
    parts.for_each(|part| joined += part.trim_start());
    let joined = joined.replace("\\\"", "\"").replace("\\u{a0}", "\u{a0}").replace("\\t", "\t");
    let mut plain = String::with_capacity(joined.len());
    let mut rest = joined.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        plain += before;
        // A block of code is not a value, because it contains spaces.
        let end = behind.find('}').filter(|&end| !behind[..end].contains([' ', '\n', '"']));
        let name = end.and_then(|end| names().get(&behind[..end]));
        plain += name.map_or("{}", String::as_str);
        rest = end.map_or(behind, |end| &behind[end + 1..]);
    }
    plain + rest
}

/// Returns the parts between the values of a sentence that have at least two words.
fn fixed_parts(words: &str) -> Vec<&str> {
    let ends = |c: char| c == ':' || c == '}' || c == '"' || c == '(' || c == ')';
    let plain = words.split('{').flat_map(|part| part.split(ends)).flat_map(|part| part.split(". "));
    let parts = plain.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
    parts.filter(|part| part.contains(' ')).collect()
}

/// Otherwise a test that looks for the absence of a removed sentence would always pass.
#[test]
fn every_listed_sentence_is_in_the_sources() {
    let literals = source_literals();
    let is_there = |words: &str| {
        let parts = fixed_parts(words);
        parts.is_empty() || parts.iter().any(|part| literals.contains(part))
    };
    let stale: Vec<_> = sentences().iter().filter(|(_, words)| !is_there(words)).collect();
    assert!(stale.is_empty(), "not in the sources: {stale:#?}");
}

#[test]
fn every_listed_sentence_is_used_by_a_test() {
    let mut tests = String::new();
    sources(&root("tests/it"), &mut tests);
    let tests: String = tests.split_whitespace().collect(); // a call may span several lines
    let is_unused = |name: &&String| !tests.contains(&format!("said!(\"{name}\""));
    let unused: Vec<_> = sentences().keys().filter(is_unused).collect();
    assert!(unused.is_empty(), "no test asks for {unused:?}");
}

#[test]
fn values_fill_placeholders_in_order_or_by_number() {
    assert_eq!(fill_placeholders("{} to move, move {}.", &[&"X", &3]), "X to move, move 3.");
    assert_eq!(fill_placeholders("Move {1}: {0}", &[&"X", &3]), "Move 3: X");
    assert_eq!(fill_placeholders("no value", &[]), "no value");
}
