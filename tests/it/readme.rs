//! The commands and transcripts in the README and docs are run and compared.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use crate::support::{Run, crosspath, example, file, folder, markdown_files, run, run_on, update_page};

/// Pages whose commands are run here.
const PAGES: [&str; 7] = [
    "README.md",
    "docs/manual.md",
    "docs/files.md",
    "docs/pictures.md",
    "docs/engines.md",
    "docs/protocol.md",
    "docs/hex-proofs.md",
];

/// Page whose commands are run in `arena_jobs.rs`. Its transcripts are compared here.
const ARENA: &str = "docs/arena.md";

/// Fenced code block of a page.
struct Block {
    page: &'static str,
    kind: String,
    lines: Vec<String>,
    /// Line numbers in the page, from 0, without the fences.
    place: Range<usize>,
    /// `true` if only blank lines separate it from the block before.
    follows: bool,
}

fn read_page(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn code_blocks(page: &'static str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut open, mut follows): (Option<Block>, bool) = (None, false);
    for (number, line) in read_page(page).lines().enumerate() {
        match &mut open {
            Some(block) if line == "```" => {
                block.place.end = number;
                blocks.extend(open.take());
                follows = true;
            }
            Some(block) => block.lines.push(line.to_owned()),
            None => match line.strip_prefix("```") {
                Some(kind) => {
                    let place = number + 1..number + 1;
                    open = Some(Block { page, kind: kind.to_owned(), lines: Vec::new(), place, follows });
                }
                None => follows &= line.is_empty(),
            },
        }
    }
    assert!(open.is_none(), "{page}: a block has no end");
    blocks
}

/// Returns all lines of the shell blocks of a page.
fn shell_commands(page: &'static str) -> Vec<String> {
    code_blocks(page).into_iter().filter(|block| block.kind == "sh").flat_map(|block| block.lines).collect()
}

/// Returns the arguments and the input of crosspath in a line of a shell block, or `None` for other
/// commands.
fn parse_command(line: &str) -> Option<(Vec<String>, String)> {
    let (input, command) = match line.strip_prefix("printf '") {
        Some(rest) => {
            rest.split_once("' | ").map(|(text, command)| (text.replace("\\n", "\n"), command)).unwrap()
        }
        None => (String::new(), line),
    };
    let arguments = match command.strip_prefix("crosspath") {
        Some(rest) => rest,
        None if command == "cargo run" => "",
        None => command.strip_prefix("cargo run --")?,
    };
    let arguments = Some(arguments).filter(|rest| rest.is_empty() || rest.starts_with(' '))?;
    // Quoted words are one argument.
    let pieces = arguments.split('"').enumerate();
    let words = pieces
        .flat_map(|(i, piece)| if i % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() });
    Some((words.map(str::to_owned).collect(), input))
}

/// Runs a line of a shell block with the tested program, in a UTF-8 locale.
fn run_line(line: &str) -> Option<Run> {
    let (arguments, input) = parse_command(line)?;
    // Files that a command creates stay outside the project.
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(std::process::id().to_string());
    fs::create_dir_all(&made).unwrap();
    let place = |word: &String| {
        let is_made = Path::new(word).extension().is_some_and(|ending| ending == "proof");
        if is_made { made.join(word).to_str().unwrap().to_owned() } else { word.clone() }
    };
    let arguments: Vec<String> = arguments.iter().map(place).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = crosspath(&arguments);
    command.env("LC_ALL", "C.UTF-8");
    let run = run_on(command, input);
    assert_eq!(run.code, Some(0), "{line}: {}", run.err);
    assert!(!run.out.is_empty(), "{line} prints nothing");
    if !arguments.contains(&"--stats") {
        assert_eq!(run.err, "", "{line}");
    }
    Some(run)
}

/// Commands of cargo, which are not run here. The first runs these tests, the second is tested
/// below, the third writes the pictures that `picture.rs` compares, and `hex_certificates.rs` runs
/// the fourth.
const CARGO_COMMANDS: [&str; 4] = [
    "cargo test",
    "cargo install --path .",
    "cargo run --release --example shot -- docs",
    "cargo run --release --example check_hex_proof -- c3.proof",
];

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_documented_command_works() {
    let mut count = 0;
    for line in PAGES.into_iter().flat_map(shell_commands) {
        if run_line(&line).is_some() {
            count += 1;
        } else if !CARGO_COMMANDS.contains(&line.as_str()) {
            assert!(line.starts_with("bash examples/"), "{line} is run by no test");
            run_script(&line);
        }
    }
    assert!(count >= 35, "{count}");
}

/// Runs a script named on a page with the tested program.
fn run_script(line: &str) {
    let programs = Path::new(env!("CARGO_BIN_EXE_crosspath")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["-c", line]).current_dir(env!("CARGO_MANIFEST_DIR")).env("PATH", path);
    let output = shell.output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty(), "{line}: {output:?}");
}

#[test]
fn the_readme_has_the_required_commands() {
    let shown = shell_commands("README.md");
    let wanted = [
        "cargo install --path .",
        "cargo run",
        "cargo run -- --mode 1",
        "cargo run -- --mode 3 examples/moves.txt",
        "cargo test",
    ];
    assert_eq!(shown, wanted);
}

/// Removes measured times, so that outputs can be compared.
fn without_times(text: &str) -> String {
    let text = text.split_once(", time ").map_or(text, |(before, _)| before);
    let (before, time) = text.split_once("time ").unwrap_or((text, ""));
    let is_time = time.strip_suffix(" s").is_some_and(|time| time.parse::<f64>().is_ok());
    if is_time { before.to_owned() } else { text.to_owned() }
}

/// A text block right after one command contains the output of that command. If it begins with `…`,
/// it contains the end of the output.
/// `UPDATE_GOLDENS=1` rewrites such blocks. Blocks with `…` keep their number of lines.
#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_transcript_is_what_the_program_prints() {
    let mut count = 0;
    for page in PAGES.into_iter().chain([ARENA]) {
        let all = code_blocks(page);
        // The last block comes first, so that an update does not move the blocks still to be
        // checked.
        for pair in all
            .windows(2)
            .rev()
            .filter(|pair| pair[0].kind == "sh" && pair[1].kind == "text" && pair[1].follows)
        {
            let [line] = pair[0].lines.as_slice() else { panic!("{:?} has one transcript", pair[0].lines) };
            let run = run_line(line).unwrap();
            let printed: Vec<&str> = run.out.trim_end().lines().collect();
            let shown = match pair[1].lines.split_first() {
                Some((first, rest)) if first == "…" => {
                    [&["…"][..], &printed[printed.len().saturating_sub(rest.len())..]].concat()
                }
                _ => printed,
            };
            let plain = |lines: &[&str]| lines.iter().map(|line| without_times(line)).collect::<Vec<_>>();
            let wanted: Vec<&str> = pair[1].lines.iter().map(String::as_str).collect();
            if plain(&shown) != plain(&wanted) && std::env::var_os("UPDATE_GOLDENS").is_some() {
                replace_lines(&pair[1], &shown);
            } else {
                assert_eq!(plain(&shown), plain(&wanted), "{page}: {line}");
            }
            count += 1;
        }
    }
    assert!(count >= 8, "{count}");
}

/// Replaces the lines of a block in its page.
fn replace_lines(block: &Block, lines: &[&str]) {
    update_page(block.page, |text| {
        let mut all: Vec<&str> = text.lines().collect();
        all.splice(block.place.clone(), lines.iter().copied());
        all.join("\n") + "\n"
    });
}

#[test]
fn the_match_on_the_arena_page_has_a_result() {
    let line = shell_commands(ARENA).into_iter().find(|line| line.contains("--sprt")).unwrap();
    assert!(run_line(&line).unwrap().out.contains(", verdict H1\n"));
}

#[test]
fn the_readme_shows_pictures_that_exist() {
    let text = read_page("README.md");
    let shown: Vec<&str> = text.split("](docs/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    for name in ["game.svg", "hex.svg", "quoridor.svg", "tic-tac-toe.svg"] {
        assert!(shown.contains(&name), "{name} is not shown");
    }
    for name in shown {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name).exists(), "{name} is missing");
    }
}

/// Linked files and headings must exist. Links to other sites are not checked.
#[test]
fn every_link_in_the_docs_has_a_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages =
        vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "cluster/README.md".to_owned()];
    pages.extend(markdown_files("docs"));
    let mut count = 0;
    for page in &pages {
        let text = read_page(page);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (name, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = root.join(page).parent().unwrap().join(name);
            let target = if name.is_empty() { root.join(page) } else { target };
            assert!(target.exists(), "{page}: {link} leads nowhere");
            if !heading.is_empty() {
                let text = fs::read_to_string(&target).unwrap();
                let headings = text.lines().filter(|line| line.starts_with('#')).map(heading_anchor);
                assert!(
                    headings.into_iter().any(|anchor| anchor == heading),
                    "{page}: {link} has no heading"
                );
            }
            count += 1;
        }
    }
    assert!(count >= 50, "{count}");
}

/// Returns the anchor that GitHub gives a heading.
fn heading_anchor(line: &str) -> String {
    let text = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
}

#[test]
#[ignore = "slow: builds the program in release mode; run with --release"]
fn the_install_commands_of_the_readme_work() {
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
fn the_record_on_the_files_page_is_a_won_game() {
    let record = code_blocks("docs/files.md")
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
fn every_line_mode_command_is_in_the_manual() {
    let text = read_page("docs/manual.md");
    for entry in crosspath::play::COMMAND_WORDS {
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

/// Returns the concatenated Rust sources below a folder.
fn read_sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.map(|path| match path.extension() {
        _ if path.is_dir() => read_sources(&path),
        Some(ending) if ending == "rs" => fs::read_to_string(path).unwrap(),
        _ => String::new(),
    });
    texts.collect()
}

#[test]
fn the_files_and_functions_of_contributing_and_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code = read_sources(&root.join("src"));
    let text = format!("{}\n{}", read_page("CONTRIBUTING.md"), read_page("docs/architecture.md"));
    let names = text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let mut count = 0;
    for name in names.filter(|name| !name.contains("foo") && !name.contains(' ')) {
        let is_path = name.contains(['.', '/']);
        let is_there = if is_path {
            root.join(name).exists() || root.join("src").join(name).exists()
        } else if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':') {
            // The name of a function, type, variant or module, optionally with a path.
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
        assert!(is_there, "a page names {name}, which is not there");
        count += 1;
    }
    assert!(count >= 100, "{count}");
}
