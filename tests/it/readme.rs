//! Every command and every transcript of the README, run.

use std::fs;
use std::path::Path;

use crate::support::{example, file, folder, run};

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The lines of all fenced blocks of a kind.
fn blocks(kind: &str) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let mut open: Option<Vec<String>> = None;
    for line in readme().lines() {
        match &mut open {
            Some(_) if line == "```" => blocks.extend(open.take().filter(|block| !block.is_empty())),
            Some(block) => block.push(line.to_owned()),
            None if line == format!("```{kind}") => open = Some(Vec::new()),
            None => {}
        }
    }
    blocks
}

/// The arguments of the program and its input in a line of a shell block; `None` for commands that cargo itself does.
fn parse(line: &str) -> Option<(Vec<String>, String)> {
    let (input, command) = match line.strip_prefix("printf '") {
        Some(rest) => {
            rest.split_once("' | ").map(|(text, command)| (text.replace("\\n", "\n"), command)).unwrap()
        }
        None => (String::new(), line),
    };
    let arguments =
        command.strip_prefix("cargo run --release").or_else(|| command.strip_prefix("cargo run"))?;
    let arguments = arguments.trim().strip_prefix("-- ")?;
    // Words between quotes are one argument.
    let pieces = arguments.split('"').enumerate();
    let words = pieces
        .flat_map(|(i, piece)| if i % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() });
    Some((words.map(str::to_owned).collect(), input))
}

#[test]
fn every_command_works_and_needs_no_more_than_it_says() {
    let mut count = 0;
    for line in blocks("sh").iter().flatten() {
        let Some((arguments, input)) = parse(line) else {
            // The first runs this test, the second is built by it and run below.
            let by_cargo = ["cargo test", "cargo run --example self_play"];
            if !by_cargo.contains(&line.as_str()) {
                assert!(line.starts_with("bash examples/"), "{line} is run by no test");
                run_script(line);
            }
            continue;
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = run(&arguments, input);
        assert_eq!(run.code, Some(0), "{line}: {}", run.err);
        assert!(!run.out.is_empty(), "{line} says nothing");
        if !arguments.contains(&"--stats") {
            assert_eq!(run.err, "", "{line}");
        }
        count += 1;
    }
    assert!(count >= 8);
}

/// Runs a script that the README names, with the program that the tests are about.
fn run_script(line: &str) {
    let line = line.replace("cargo run -q --", env!("CARGO_BIN_EXE_crosspath"));
    let output = std::process::Command::new("bash")
        .args(["-c", &line])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success() && !output.stdout.is_empty(), "{line}: {output:?}");
}

#[test]
fn the_first_two_commands_are_the_promised_ones() {
    assert_eq!(blocks("sh")[0], ["cargo run --release -- --mode 1", "cargo test"]);
}

#[test]
fn the_transcript_is_what_the_program_says() {
    let shell = blocks("sh");
    let (arguments, input) = shell
        .iter()
        .flatten()
        .find(|line| line.starts_with("printf 'b2\\na1"))
        .and_then(|line| parse(line))
        .unwrap();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let shown = blocks("text").into_iter().find(|block| block.contains(&"X b2".to_owned())).unwrap();
    assert_eq!(run(&arguments, input).lines(), shown);
}

#[test]
fn the_record_of_the_readme_is_a_won_game() {
    let record =
        blocks("text").into_iter().find(|block| block[0].starts_with("# crosspath")).unwrap().join("\n");
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
