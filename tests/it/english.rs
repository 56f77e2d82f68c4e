//! The English of the program. `tests/golden/english.txt` lists every sentence of the sources with its
//! identifier, `tests/golden/help.txt` every `--help`, and neither has forbidden phrases. The key bar, the
//! help and its search use one noun for one action.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crosspath::canvas::GlyphSet;
use crosspath::ui::tui::key_table::{KEY_BINDINGS, KeyBinding, find_action as action_of, help_synonyms};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::phrases::{FORBIDDEN, FORBIDDEN_ON_SCREEN, places};
use crate::sentences::names;
use crate::support::{assert_golden, run};
use crate::tui_harness::Rig;

/// Example values for the placeholders of sentences.
const EXAMPLES: &[(&str, &str)] = &[
    ("name", "Red"),
    ("mover", "Red"),
    ("them", "Blue"),
    ("owner", "Blue"),
    ("cutter", "Red"),
    ("other", "Blue"),
    ("one", "Red"),
    ("mv", "f6"),
    ("cell", "f6"),
    ("last", "f6"),
    ("sample", "f6"),
    ("path", "game.txt"),
    ("shown", "game.txt"),
    ("file", "game.txt"),
    ("game", "hex"),
    ("title", "Hex 11x11"),
    ("level", "4"),
    ("line", "3"),
    ("ply", "12"),
    ("plies", "12"),
    ("count", "12"),
    ("all", "40"),
    ("units", "40"),
    ("size", "11"),
    ("seed", "7"),
    ("unit", "5"),
    ("why", "permission denied"),
    ("error", "permission denied"),
    ("text", "abc"),
    ("read", "abc"),
    ("got", "99"),
    ("key", "seed"),
    ("flag", "seed"),
];

fn repository_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Collects every source file, in order.
fn collect_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect_sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// String literal of a source file, with the code before it.
struct Literal {
    text: String,
    at: usize,
}

/// Returns the length of a character literal that begins with `'`, or 1 for a lifetime.
fn char_literal_length(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => rest[2..].find('\'').map_or(1, |end| end + 3),
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}

/// Returns the string literals of a source file, without those in comments.
fn string_literals(source: &str) -> Vec<Literal> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < source.len() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with('\'') {
            at += char_literal_length(rest);
        } else if rest.starts_with('"') {
            let mut end = 1;
            while !rest[end..].starts_with('"') {
                end += rest[end..].chars().next().map_or(1, char::len_utf8)
                    + usize::from(rest[end..].starts_with('\\'));
            }
            found.push(Literal { text: unescape(&rest[1..end]), at });
            at += end + 1;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Returns the printed text of a literal, in one line.
fn unescape(text: &str) -> String {
    let mut parts = text.split("\\\n");
    let mut joined = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| joined += part.trim_start());
    let joined =
        joined.replace("\\\"", "\"").replace("\\u{a0}", " ").replace("\\n", " ").replace("\\t", "  ");
    joined.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reports whether a literal is English: at least two words of letters, and no code, roff, SVG or HTML.
fn is_english(text: &str) -> bool {
    let is_code = ["<", ".SH", ".TP", "|", "::", "{{", "xmlns", "=\"", "string/", "trap "];
    // A placeholder is not a word.
    let parts = text.split('{').enumerate();
    let plain: String = parts
        .map(|(i, part)| if i == 0 { part } else { part.split_once('}').map_or(part, |(_, rest)| rest) })
        .collect();
    let words = plain.split(' ').filter(|word| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'' || c == '-')
    });
    !is_code.iter().any(|code| text.contains(code)) && words.count() >= 2
}

/// Reports whether the code before a literal shows that only programmers read it.
fn is_for_programmers(before: &str) -> bool {
    let before = before.trim_end().trim_end_matches('(').trim_end();
    ["expect", "assert!", "assert_eq!", "panic!", "debug_assert!", "reason =", "unreachable!"]
        .iter()
        .any(|end| before.ends_with(end))
        || before.rsplit('\n').next().is_some_and(|line| line.contains("assert") || line.contains("panic!"))
}

/// Returns the name of the last function or constant before an offset in a source file.
fn item_name(source: &str, at: usize) -> &str {
    let before = &source[..at];
    let begins =
        ["fn ", "const ", "static "].iter().filter_map(|word| Some((before.rfind(word)?, word.len())));
    let Some((begin, length)) = begins.max() else { return "" };
    let name = &before[begin + length..];
    &name[..name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len())]
}

/// Returns the error variant whose message is at an offset.
fn error_variant(source: &str, at: usize) -> Option<&str> {
    let before = source[..at].trim_end();
    if !before.ends_with("#[error(") {
        return None;
    }
    let lines = source[at..].lines().skip(1).map(str::trim);
    let mut lines = lines.skip_while(|line| !line.starts_with(char::is_alphabetic) || line.ends_with(")]"));
    let line =
        lines.next()?.trim_start_matches("pub ").trim_start_matches("struct ").trim_start_matches("enum ");
    Some(&line[..line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len())])
}

/// Replaces the placeholders of sides and keys in a literal by values.
fn replace_names(text: String) -> String {
    names().iter().fold(text, |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Replaces the placeholders of a sentence by example values.
fn fill_placeholders(text: &str) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else { break };
        let name = name.split([':', '.']).next().unwrap_or_default();
        let value = EXAMPLES.iter().find(|(known, _)| *known == name).map_or("...", |(_, value)| *value);
        filled += before;
        filled += value;
        rest = after;
    }
    filled + rest
}

/// Returns every sentence of the program in a line of its own, after its identifier and a colon.
fn list_sentences() -> String {
    let mut files = Vec::new();
    collect_sources(&repository_path("src"), &mut files);
    let mut all = String::new();
    for path in files {
        let source = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(repository_path("src")).unwrap().with_extension("");
        let name = name.to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/");
        let mut last = (String::new(), 1);
        for Literal { text, at } in string_literals(&source) {
            let text = replace_names(text);
            if !is_english(&text) || is_for_programmers(&source[..at]) {
                continue;
            }
            let id =
                format!("{name}::{}", error_variant(&source, at).unwrap_or_else(|| item_name(&source, at)));
            last = if last.0 == id { (id, last.1 + 1) } else { (id, 1) };
            let number = if last.1 == 1 { String::new() } else { format!("#{}", last.1) };
            writeln!(all, "{}{number}: {}", last.0, fill_placeholders(&text)).unwrap();
        }
    }
    all
}

/// Returns the help of the program, long and short, and the `--help` of every command.
fn list_help() -> String {
    let top = run(&["--help"], "").out;
    let list = top.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands = list.lines().filter_map(|line| line.split_whitespace().next());
    let requests = commands.map(|command| vec![command, "--help"]);
    let mut all = String::new();
    for words in [vec!["--help"], vec!["-h"]].into_iter().chain(requests) {
        let output = run(&words, "");
        assert_eq!(output.code, Some(0), "{words:?}");
        assert!(output.out.contains("Usage: crosspath "), "{}", output.out);
        writeln!(all, "## crosspath {}\n\n{}", words.join(" "), output.out).unwrap();
    }
    all
}

/// Returns the places where a text has a forbidden phrase. Only whole words match.
fn find_forbidden_phrases(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        for (phrase, better) in FORBIDDEN.iter().chain(FORBIDDEN_ON_SCREEN) {
            if places(line, phrase).next().is_some() {
                found.push(format!("\"{phrase}\"; better: {better}\n  {line}"));
            }
        }
        if line.contains(" % ") && !line.contains("win %") {
            found.push(format!("a blank before %\n  {line}"));
        }
    }
    found
}

#[test]
fn sentences_match_the_committed_list() {
    assert_golden(&list_sentences(), "tests/golden/english.txt");
}

#[test]
fn the_help_matches_the_committed_copy() {
    assert_golden(&list_help(), "tests/golden/help.txt");
}

#[test]
fn sentences_and_help_are_plain_english() {
    let keys: String = KEY_BINDINGS.iter().fold(String::new(), |all, key| all + key.long + "\n");
    // Only the sentence is checked, not its identifier.
    let english: String = list_sentences()
        .lines()
        .fold(String::new(), |all, line| all + line.split_once(": ").unwrap().1 + "\n");
    let found: Vec<String> =
        [english, list_help(), keys].iter().flat_map(|text| find_forbidden_phrases(text)).collect();
    assert!(found.is_empty(), "{} findings:\n{}", found.len(), found.join("\n"));
}

#[test]
fn the_lint_rejects_odd_sentences_and_accepts_plain_ones() {
    assert_eq!(find_forbidden_phrases("The game goes on.").len(), 1);
    assert_eq!(find_forbidden_phrases("Who first fills a row wins.").len(), 1);
    assert_eq!(find_forbidden_phrases("It costs 10 % of the points.").len(), 1);
    assert_eq!(find_forbidden_phrases("The game continues. 10% are enough."), [""; 0]);
}

#[test]
fn the_short_help_has_60_lines_and_the_long_help_has_headings() {
    assert!(run(&["-h"], "").out.lines().count() <= 60);
    let long = run(&["--help"], "").out;
    for heading in ["\nOptions:\n", "\nEngine:\n", "\nClocks:\n", "\nScreen:\n", "\nFiles and scripts:\n"] {
        assert!(long.contains(heading), "{heading}");
    }
}

#[test]
fn key_bar_nouns_appear_in_their_help_entries() {
    for KeyBinding { bar, long, .. } in KEY_BINDINGS {
        let Some((_, noun)) = bar else { continue };
        let noun = noun.to_lowercase();
        let has_it = long
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| noun.starts_with(word) && !word.is_empty())
            && long.to_lowercase().contains(&noun);
        assert!(has_it, "{noun:?} is not in {long:?}");
    }
}

/// Returns screens that together cover every key context.
fn rigs_for_all_contexts() -> Vec<Rig> {
    let size = (120, 50);
    let mut looking = Rig::two("hex", "size=5", "c3 b2 d4", size);
    looking.press(KeyCode::Char('['));
    let mut wall = Rig::two("quoridor", "size=5", "", size);
    wall.press(KeyCode::Char('w'));
    vec![
        Rig::menu(GlyphSet::Unicode, size),
        Rig::two("hex", "size=5 swap=on", "c3", size),
        Rig::two("tic-tac-toe", "size=3", "b2 a1", size),
        looking,
        wall,
        Rig::replay("hex", "size=5", "c3 b2 d4", GlyphSet::Unicode, size),
    ]
}

#[test]
fn searching_the_help_for_a_noun_finds_its_entry_first() {
    for mut rig in rigs_for_all_contexts() {
        let context = rig.scene().key_context();
        rig.press(KeyCode::Char('?'));
        let page = rig.screen.page().cloned().expect("the help is open");
        let mut nouns = 0;
        for key in KEY_BINDINGS.iter().filter(|key| key.contexts.contains(&context)) {
            let noun = key.bar.map(|(_, noun)| noun);
            let is_there = |page: &crosspath::ui::tui::TextPage| {
                page.lines.iter().any(|line| line.starts_with(&format!("{}\t", key.shown)))
            };
            if !is_there(&page) {
                continue;
            }
            for word in noun.into_iter().chain(help_synonyms(key.act).iter().copied()) {
                let page = crosspath::ui::tui::TextPage { filter: word.to_owned(), ..page.clone() };
                let first = page.filtered_lines().first().map(ToString::to_string).unwrap_or_default();
                let entry = format!("{}\t", key.shown);
                let others = KEY_BINDINGS.iter().filter(|other| other.contexts.contains(&context));
                let also = others.clone().any(|other| {
                    first.starts_with(&format!("{}\t", other.shown))
                        && other.bar.is_some_and(|(_, other)| other == word)
                });
                assert!(first.starts_with(&entry) || also, "{context:?}: {word:?} finds {first:?}");
                nouns += 1;
            }
        }
        assert!(nouns > 3, "{context:?}");
    }
}

#[test]
fn searching_the_help_finds_synonyms() {
    let mut rig = Rig::two("hex", "size=5", "c3 b2", (120, 50));
    rig.press(KeyCode::Char('?'));
    let page = rig.screen.page().cloned().expect("the help is open");
    for (word, key) in [
        ("undo", "u\t"),
        ("take back", "u\t"),
        ("save", "s\t"),
        ("review", "a\t"),
        ("engine", "v\t"),
        ("eval", "v\t"),
    ] {
        let page = crosspath::ui::tui::TextPage { filter: word.to_owned(), ..page.clone() };
        assert!(page.filtered_lines()[0].starts_with(key), "{word}: {:?}", page.filtered_lines());
    }
    let event = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::NONE);
    assert!(action_of(rig.scene().key_context(), &event).is_none(), "the help is a page");
}

/// Checks that the key table assigns the keys that sentences name to the stated actions.
#[test]
fn keys_in_sentences_match_the_key_table() {
    let wanted = [
        ("NEW_GAME_KEY", "new game"),
        ("REMATCH_KEY", "rematch"),
        ("REVIEW_KEY", "review"),
        ("SAVE_KEY", "save"),
        ("OPEN_KEY", "open"),
        ("QUIT_KEY", "quit"),
        ("UNDO_KEY", "undo"),
        ("REDO_KEY", "redo"),
        ("RESIGN_KEY", "resign"),
        ("SWAP_KEY", "swap"),
        ("PLAY_ON_KEY", "play on"),
        ("ANALYSIS_KEY", "analysis"),
        ("OVERLAY_KEY", "overlays"),
        ("FLIP_KEY", "flip"),
        ("THEME_KEY", "theme"),
        ("TURNING_POINT_KEY", "mistakes"),
        ("ROTATE_KEY", "rotate"),
    ];
    for (name, action) in wanted {
        let key = &crate::sentences::names()[name];
        let is_it = |binding: &&KeyBinding| {
            let shown = binding.shown.split([' ', ',']);
            let text =
                format!("{} {}", binding.bar.map_or("", |(_, noun)| noun), binding.long).to_lowercase();
            shown.clone().any(|shown| shown == key) && text.contains(action)
        };
        assert!(KEY_BINDINGS.iter().any(|binding| is_it(&binding)), "{key} for {action}");
    }
}
