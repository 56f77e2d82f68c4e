//! Every command and every transcript of the README, run.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Run, crosspath, example, file, folder, run, run_on};

/// A fenced block.
struct Block {
    kind: String,
    lines: Vec<String>,
    /// Whether nothing but blank lines stands between it and the block before.
    follows: bool,
}

fn source(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn readme() -> String {
    source("README.md")
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut open, mut follows): (Option<Block>, bool) = (None, false);
    for line in readme().lines() {
        match &mut open {
            Some(_) if line == "```" => {
                blocks.extend(open.take());
                follows = true;
            }
            Some(block) => block.lines.push(line.to_owned()),
            None => match line.strip_prefix("```") {
                Some(kind) => open = Some(Block { kind: kind.to_owned(), lines: Vec::new(), follows }),
                None => follows &= line.is_empty(),
            },
        }
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

/// All lines of shell blocks.
fn commands() -> Vec<String> {
    blocks().into_iter().filter(|block| block.kind == "sh").flat_map(|block| block.lines).collect()
}

/// The arguments of the program and its input in a line of a shell block; `None` for other commands.
fn parse(line: &str) -> Option<(Vec<String>, String)> {
    let (input, command) = match line.strip_prefix("printf '") {
        Some(rest) => {
            rest.split_once("' | ").map(|(text, command)| (text.replace("\\n", "\n"), command)).unwrap()
        }
        None => (String::new(), line),
    };
    let program = "cargo run --release --";
    let arguments = command.strip_prefix(program).filter(|rest| rest.is_empty() || rest.starts_with(' '))?;
    // Words between quotes are one argument.
    let pieces = arguments.split('"').enumerate();
    let words = pieces
        .flat_map(|(i, piece)| if i % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() });
    Some((words.map(str::to_owned).collect(), input))
}

/// Runs a line of a shell block with the program that the tests are about, as people do whose locale is UTF-8.
fn run_line(line: &str) -> Option<Run> {
    let (arguments, input) = parse(line)?;
    // Files that a command makes do not lie in the project.
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(std::process::id().to_string());
    fs::create_dir_all(&made).unwrap();
    let place = |word: &String| {
        let is_made = word == "tuning" || Path::new(word).extension().is_some_and(|ending| ending == "shard");
        if is_made { made.join(word).to_str().unwrap().to_owned() } else { word.clone() }
    };
    let arguments: Vec<String> = arguments.iter().map(place).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = crosspath(&arguments);
    command.env("LC_ALL", "C.UTF-8");
    let run = run_on(command, input);
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    assert!(!run.out.is_empty(), "{line} says nothing");
    if !arguments.contains(&"--stats") {
        assert_eq!(run.err, "", "{line}");
    }
    Some(run)
}

/// What cargo does by itself: the first runs these tests, the second is tested below, the third is built by it, the
/// fourth writes what `picture.rs` compares.
const BY_CARGO: [&str; 4] = [
    "cargo test",
    "cargo install --path .",
    "cargo run --release --example self_play",
    "cargo run --release --example shot -- docs",
];

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_command_works_and_needs_no_more_than_it_says() {
    let mut count = 0;
    for block in blocks().into_iter().filter(|block| block.kind == "sh") {
        for line in block.lines {
            if line.contains("--sprt") {
                count += 1; // the match, run by a test of its own
            } else if run_line(&line).is_some() {
                count += 1;
            } else if !BY_CARGO.contains(&line.as_str()) {
                assert!(line.starts_with("bash examples/"), "{line} is run by no test");
                run_script(&line);
            }
        }
    }
    assert!(count >= 20, "{count}");
}

/// Runs a script that the README names, with the program that the tests are about.
fn run_script(line: &str) {
    let line = line.replace("cargo run -q --release --", env!("CARGO_BIN_EXE_crosspath"));
    let output =
        Command::new("bash").args(["-c", &line]).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty(), "{line}: {output:?}");
}

#[test]
fn the_first_two_commands_are_the_promised_ones() {
    assert_eq!(blocks()[0].lines, ["cargo run --release -- --mode 1", "cargo test"]);
}

#[test]
fn every_command_builds_the_same_profile() {
    for line in commands() {
        let is_other = line == "cargo test" || line == "cargo install --path .";
        assert!(is_other || line.contains("cargo run --release") || line.contains("cargo run -q --release"));
    }
}

/// A time that was measured stands for any other.
fn without_times(text: &str) -> String {
    let text = text.split_once(", time ").map_or(text, |(before, _)| before);
    let (before, time) = text.split_once("time ").unwrap_or((text, ""));
    let is_time = time.strip_suffix(" s").is_some_and(|time| time.parse::<f64>().is_ok());
    if is_time { before.to_owned() } else { text.to_owned() }
}

/// A block of text right after one command is what this command prints; where it begins with `…`, the end of that.
#[test]
fn every_transcript_is_what_the_program_prints() {
    let all = blocks();
    let mut count = 0;
    for pair in
        all.windows(2).filter(|pair| pair[0].kind == "sh" && pair[1].kind == "text" && pair[1].follows)
    {
        let [line] = pair[0].lines.as_slice() else { panic!("{:?} has one transcript", pair[0].lines) };
        let run = run_line(line).unwrap();
        let said: Vec<String> = run.out.trim_end().lines().map(without_times).collect();
        let shown: Vec<String> = pair[1].lines.iter().map(|line| without_times(line)).collect();
        match shown.split_first() {
            Some((first, rest)) if first == "…" => {
                assert_eq!(said[said.len().saturating_sub(rest.len())..], *rest, "{line}");
            }
            _ => assert_eq!(said, shown, "{line}"),
        }
        count += 1;
    }
    assert!(count >= 8, "{count}");
}

#[test]
fn the_match_of_the_readme_is_decided() {
    let line = commands().into_iter().find(|line| line.contains("--sprt")).unwrap();
    assert!(run_line(&line).unwrap().out.contains(", verdict H1\n"));
}

#[test]
fn the_screen_of_the_readme_is_the_one_that_is_drawn() {
    let shown = blocks().into_iter().find(|block| block.lines[0].starts_with(" Quoridor 9×9")).unwrap();
    let drawn = source("tests/golden/screens/quoridor-80x24-unicode.txt");
    assert!(drawn.contains(&shown.lines.join("\n")), "the picture is another one");
}

#[test]
fn the_readme_shows_pictures_that_exist() {
    let text = readme();
    let shown: Vec<&str> = text.split("](docs/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    for name in ["game.svg", "hex.svg", "quoridor.svg"] {
        assert!(shown.contains(&name), "{name} is not shown");
    }
    for name in shown {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name).exists(), "{name} is missing");
    }
}

#[test]
#[ignore = "slow: builds the program in release mode; run with --release"]
fn the_program_is_installed_as_the_readme_says() {
    let folder = folder();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut install = Command::new(cargo);
    install.args(["install", "--path", ".", "--offline", "--locked", "--root"]).arg(folder.path());
    let output = install.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(folder.path().join("bin/crosspath")).arg("--version").output().unwrap();
    assert!(output.status.success());
}

#[test]
fn the_record_of_the_readme_is_a_won_game() {
    let record = blocks()
        .into_iter()
        .find(|block| block.lines[0].starts_with("# crosspath"))
        .unwrap()
        .lines
        .join("\n");
    let folder = folder();
    let path = file(&folder, "game.txt", record);
    assert!(run(&[&path, "--strict"], "").out.ends_with("X wins.\n"));
}

#[test]
fn every_word_of_the_program_stands_in_the_readme() {
    let text = readme();
    for entry in crosspath::play::WORDS {
        assert!(text.contains(&format!("`{}`", entry.name)), "{} is missing", entry.name);
    }
}

#[test]
fn the_example_program_plays_a_whole_game() {
    let output = example("self_play").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.starts_with("1. ") && text.lines().count() > 20, "{text}");
}

/// All Rust sources below a folder, one behind the other.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.map(|path| match path.extension() {
        _ if path.is_dir() => sources(&path),
        Some(ending) if ending == "rs" => fs::read_to_string(path).unwrap(),
        _ => String::new(),
    });
    texts.collect()
}

#[test]
fn the_files_and_functions_of_contributing_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = sources(&root.join("src"));
    let text = source("CONTRIBUTING.md");
    let names = text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let mut count = 0;
    for name in names.filter(|name| !name.contains("foo") && !name.contains(' ')) {
        let is_path = name.contains(['.', '/']);
        let is_there = if is_path {
            root.join(name).exists() || root.join("src").join(name).exists()
        } else if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':') {
            // A function, a type, a variant or a module, perhaps behind the name of its type or module.
            name.split("::").all(|part| {
                let is_word = |at: usize| {
                    let end = code[at + part.len()..].chars().next();
                    !end.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
                };
                let declared =
                    ["fn ", "struct ", "enum ", "trait ", "type ", "mod ", "const ", "macro_rules! "];
                let variant = part.starts_with(|c: char| c.is_ascii_uppercase()).then_some("    ");
                let mut forms = declared.into_iter().chain(variant);
                forms.any(|form| {
                    let form = format!("{form}{part}");
                    code.match_indices(&form).any(|(at, _)| is_word(at + form.len() - part.len()))
                })
            })
        } else {
            continue;
        };
        assert!(is_there, "CONTRIBUTING names {name}, which is not there");
        count += 1;
    }
    assert!(count >= 30, "{count}");
}
