//! Commands other than playing, and their help, compared with golden files of the real program.

use std::ffi::OsString;

use crosspath::cli::normalize_args;
use crosspath::registry::GAMES;

use crate::sentences::{lasting, said};
use crate::support::{assert_golden, crosspath, file, run, skip};

#[test]
fn version_prints_the_program_name() {
    assert!(run(&["--version"], "").out.starts_with("crosspath "));
}

#[test]
fn the_manual_page_matches_the_committed_copy() {
    // The committed page has slashes for backslashes.
    assert_golden(&run(&["man"], "").out.replace('\\', "/"), "tests/golden/crosspath.1");
}

#[test]
fn completions_include_every_long_flag_in_every_shell() {
    let help = run(&["--help"], "").out;
    let flags: Vec<&str> =
        help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2).collect();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell], "").out;
        for flag in flags.iter().filter(|flag| flag[2..].chars().all(|c| c.is_ascii_lowercase() || c == '-'))
        {
            let name = if shell == "fish" { &flag[2..] } else { *flag };
            assert!(script.contains(name), "{shell} does not know {flag}");
        }
    }
    assert_eq!(run(&["completions", "klingon"], "").code, Some(2));
}

#[test]
fn bash_completions_include_the_game_names() {
    let script = run(&["completions", "bash"], "").out;
    let all: Vec<&str> = script.split("--game)\n").skip(1).collect();
    assert!(all.len() > 3, "{script}");
    for rest in all {
        assert!(
            rest.trim_start().starts_with("COMPREPLY=($(compgen -W \"tic-tac-toe hex quoridor\""),
            "{rest}"
        );
    }
}

#[test]
fn bash_completions_include_the_levels() {
    let script = run(&["completions", "bash"], "").out;
    let all: Vec<&str> = script.split("--level)\n").skip(1).collect();
    assert!(!all.is_empty(), "{script}");
    for rest in all {
        assert!(
            rest.trim_start().starts_with("COMPREPLY=($(compgen -W \"classic 1 2 3 4 5 6 7 8\""),
            "{rest}"
        );
    }
}

/// Returns the completions that bash offers for the last word, by the script that the program prints.
/// `None` without bash.
fn bash_completions(words: &[&str]) -> Option<Vec<String>> {
    let script = run(&["completions", "bash"], "").out;
    let last = words.len() - 1;
    let call = format!(
        "{script}\nCOMP_WORDS=(\"$@\"); COMP_CWORD={last}\n_crosspath crosspath \"${{@: -1}}\" \"${{@: -2:1}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let mut bash = std::process::Command::new("bash");
    let offered = bash.args(["--norc", "--noprofile", "-c", &call, "bash"]).args(words).output();
    let Ok(offered) = offered else {
        skip("completions in bash", "bash is not there");
        return None;
    };
    assert!(offered.status.success(), "{}", String::from_utf8_lossy(&offered.stderr));
    Some(String::from_utf8_lossy(&offered.stdout).split_whitespace().map(str::to_owned).collect())
}

#[test]
fn bash_completes_values() {
    let levels = ["classic", "1", "2", "3", "4", "5", "6", "7", "8"];
    let with_human: Vec<&str> = ["human"].into_iter().chain(levels).collect();
    for (words, values) in [
        (&["crosspath", "--mode", ""][..], &["1", "2", "3", "4"][..]),
        (&["crosspath", "--game", "he"], &["hex"]),
        (&["crosspath", "--level", ""], &levels),
        (&["crosspath", "--theme", "mo"], &["mono"]),
        (&["crosspath", "--theme", "=", "mo"], &["mono"]),
        (&["crosspath", "arena", "--game", "=", "q"], &["quoridor"]),
        (&["crosspath", "games", "--opponent", ""], &with_human),
        (&["crosspath", "convert", "a.txt", "--to", ""], &["sgf", "hexworld", "trmph", "crosspath"]),
        (&["crosspath", "picture", "a.txt", "--theme", ""], &["light", "dark"]),
    ] {
        let Some(offered) = bash_completions(words) else { return };
        assert_eq!(offered, values, "{words:?}");
    }
}

#[test]
fn bash_offers_no_names_of_values() {
    for words in [&["crosspath", ""][..], &["crosspath", "games", "delete", ""], &["crosspath", "work", ""]] {
        let Some(offered) = bash_completions(words) else { return };
        assert!(!offered.iter().any(|word| word.contains(['[', '<'])), "{offered:?}");
        assert!(offered.iter().any(|word| word == "--help"), "{offered:?}");
    }
}

#[test]
fn bash_completes_no_files_for_numeric_flags() {
    for flag in ["--seed", "--nodes", "--size", "--movetime", "--memory"] {
        let Some(offered) = bash_completions(&["crosspath", flag, ""]) else { return };
        assert_eq!(offered, [""; 0], "{flag}");
    }
    let Some(offered) = bash_completions(&["crosspath", "--log", "Cargo.to"]) else { return };
    assert_eq!(offered, ["Cargo.toml"]);
}

#[test]
fn fish_completes_values() {
    let script = run(&["completions", "fish"], "").out;
    for (line, values) in [
        ("crosspath --game ", &["hex", "quoridor", "tic-tac-toe"][..]),
        ("crosspath --mode ", &["1", "2", "3", "4"]),
        ("crosspath convert x --to s", &["sgf"]),
        ("crosspath picture --theme ", &["dark", "light"]),
        ("crosspath pict", &["picture"]),
    ] {
        let mut fish = std::process::Command::new("fish");
        let fish = fish.args(["--no-config", "-c", &format!("{script}\ncomplete -C '{line}'")]);
        let Ok(offered) = fish.output() else {
            return skip("completions in fish", "fish is not there");
        };
        let offered = String::from_utf8_lossy(&offered.stdout).into_owned();
        let words: Vec<&str> = offered.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(words, values, "{line}");
    }
}

#[test]
fn zsh_completes_commands_files_and_values() {
    // Completion works only on a terminal. A second zsh runs in a pty, and the test waits for what Tab adds.
    const SCRIPT: &str = r#"
        zmodload zsh/zpty || exit 3
        zpty z 'zsh -f -i'
        zpty -w z "PS1='> '; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; print re''ady"
        zpty -r z read '*ready*'
        shift
        for typed wanted in "$@"; do
            zpty -n -w z "$typed"$'\t'
            zpty -r z read "*$wanted*"
            zpty -n -w z $'\C-u'
        done
        print complete"#;
    let folder = crate::support::folder();
    file(&folder, "_crosspath", run(&["completions", "zsh"], "").out);
    let lines = [
        ["crosspath pict", "picture"],
        ["crosspath Cargo.to", "Cargo.toml"],
        ["crosspath --game he", "hex"],
        ["crosspath picture --theme li", "light"],
        ["crosspath convert x --to tr", "trmph"],
        ["crosspath games expo", "export"],
    ];
    let mut zsh = std::process::Command::new("timeout");
    let zsh =
        zsh.args(["60", "zsh", "-f", "-c", SCRIPT, "zsh"]).arg(folder.path()).args(lines.as_flattened());
    match zsh.output() {
        Ok(done) if done.status.code() == Some(127) => skip("completions in zsh", "zsh is not there"),
        Ok(done) => assert!(String::from_utf8_lossy(&done.stdout).contains("complete"), "{done:?}"),
        Err(_) => skip("completions in zsh", "timeout is not there"),
    }
}

#[test]
fn commands_exit_quietly_when_stdout_closes() {
    use std::io::Read;
    use std::process::Stdio;
    for arguments in
        [&["completions", "bash"][..], &["man"], &["--help"], &["perft", "--size", "2", "100000"]]
    {
        let mut child = crosspath(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut byte = [0; 1];
        child.stdout.take().unwrap().read_exact(&mut byte).unwrap();
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn solve_prints_the_value_the_proof_and_the_moves() {
    let three = run(&["solve", "--size", "3"], "").out;
    assert!(
        three.starts_with(lasting(format!(
            "Tic-tac-toe 3x3, X to move: draw\n{} ",
            said!("proved-by-search")
        ))),
        "{three}"
    );
    assert!(three.contains("\ndraw: a1 b1 c1 a2 b2 c2 a3 b3 c3\n"), "{three}");
    let five = run(&["solve", "--size", "5"], "").out;
    let grid: Vec<&str> = five.lines().filter(|line| line.starts_with("  ")).map(str::trim).collect();
    assert_eq!(grid.len(), 5, "{five}");
    let letters: String = grid.concat();
    for letter in 'A'..='L' {
        assert_eq!(letters.matches(letter).count(), 2, "{letter} in {five}");
    }
    let two = run(&["solve", "--size", "2"], "").out;
    assert!(
        two.contains(lasting(format!("{}\n", said!("wins-in-plies", "X", "3", "a1", "b1", "a2", "b2")))),
        "{two}"
    );
    let over = run(&["solve", "--moves", "a1 b2 b1 c3 c1"], "");
    assert_eq!(
        (over.code, over.err.as_str()),
        (Some(2), lasting(format!("error: {}\n", said!("moves-the-game-is"))))
    );
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_bench_signature_matches_the_committed_value() {
    let bench = run(&["bench"], "").out;
    let (lines, signature) = bench.split_at(bench.find("Bench: ").unwrap());
    assert_golden(signature, "tests/data/bench.txt");
    assert_eq!(lines.lines().count(), GAMES.len() + 2, "Hex and Quoridor have their networks too");
    let nodes =
        |line: &str| line.split_whitespace().nth(2).and_then(|nodes| nodes.parse::<u64>().ok()).unwrap();
    let total: u64 = lines.lines().map(nodes).sum();
    assert!(total <= 200_000, "{total} positions");
}

#[test]
fn arena_reports_are_reproducible() {
    let arena = |more: &[&str]| {
        let base = [
            "arena",
            "--game",
            "tic-tac-toe",
            "--size",
            "4",
            "--engine",
            "a=level:4",
            "--engine",
            "b=level:1",
        ];
        let all: Vec<&str> = base.iter().chain(more).copied().collect();
        run(&all, "")
    };
    let report = arena(&["--pairs", "20", "--seed", "1"]);
    assert_eq!((report.code, report.err.as_str()), (Some(0), ""));
    let timeless = |report: &str| {
        report.lines().map(|line| line.split(", time ").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(timeless(&report.out), timeless(&arena(&["--pairs", "20", "--seed", "1"]).out));
    assert_ne!(report.out, arena(&["--pairs", "20", "--seed", "2"]).out);
    assert_eq!(report.out.lines().filter(|line| line.starts_with("pair ")).count(), 20);
    let even =
        run(&["arena", "--size", "5", "--engine", "a=level:8", "--engine", "b=level:7", "--pairs", "2"], "")
            .out;
    assert!(even.contains("\nelo +0.0 [-") && !even.contains("NaN") && !even.contains("-0.0 "), "{even}");
    assert!(
        report.out.contains(lasting(format!("\n{}\na: +", said!("a-against-b-games", "40", "20")))),
        "{}",
        report.out
    );
    let json: serde_json::Value = serde_json::from_str(&arena(&["--pairs", "20", "--json"]).out).unwrap();
    assert!(json["score"]["value"].as_f64().unwrap() > 0.5, "{json}");
    assert_eq!(
        json["wins"].as_u64().unwrap() + json["draws"].as_u64().unwrap() + json["losses"].as_u64().unwrap(),
        40
    );
    let decided: serde_json::Value =
        serde_json::from_str(&arena(&["--pairs", "2000", "--sprt", "0,50", "--quiet", "--json"]).out)
            .unwrap();
    assert_eq!(decided["verdict"], "H1");
    assert!(decided["pairs"].as_u64().unwrap() < 200, "decided early: {decided}");
}

#[test]
fn the_arena_reports_exhausted_openings() {
    let run = run(
        &["arena", "--size", "1", "--engine", "a=level:1", "--engine", "b=level:2", "--pairs", "100"],
        "",
    );
    assert_eq!(run.code, Some(0));
    assert!(
        run.out.contains(said!("openings-exhausted")) && run.out.contains("duplicates 21"),
        "{}",
        run.out
    );
}

#[test]
fn a_match_that_cannot_be_played_is_a_usage_error() {
    let cases = [
        (&["--engine", "a=level:1"][..], said!("two-engines-or-more-part")),
        (&["--engine", "a=level:1", "--engine", "a=level:2"], said!("a-name-of-its")),
        (&["--engine", "a=level:1", "--engine", "b=level:99"], "there is no level 99; levels are classic, 1"),
        (&["--engine", "a=level:1", "--engine", "b"], said!("is-not-name-level")),
        (
            &["--engine", "a=level:1", "--engine", "b=level:2", "--openings", "some"],
            said!("neither-none-nor-random"),
        ),
        (
            &["--engine", "a=level:1", "--engine", "b=level:2", "--size", "3", "--openings", "random:9"],
            said!("no-opening-of-random-part", "9"),
        ),
        (&["--engine", "a=level:1", "--engine", "b=level:2", "--sprt", "5,1"], said!("two-rising-numbers")),
        (&["--engine", "a=level:1", "--engine", "b=level:2", "--size", "11"], "--size 11 is not possible"),
    ];
    for (arguments, why) in cases {
        let all: Vec<&str> = ["arena"].iter().chain(arguments).copied().collect();
        let run = run(&all, "");
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.err.contains(why) && run.err.lines().count() == 1, "{}", run.err);
    }
}

#[test]
fn engines_of_a_match_can_have_their_own_limits_and_seed() {
    let arena = |more: &[&str]| {
        let base = ["arena", "--game", "quoridor", "--size", "5", "--pairs", "2", "--nodes", "60"];
        let out = run(&base.iter().chain(more).copied().collect::<Vec<_>>(), "").out;
        out.lines().map(|line| line.split(", time ").next().unwrap().to_owned() + "\n").collect::<String>()
    };
    let plain = arena(&["--engine", "a=level:4", "--engine", "b=level:3"]);
    assert_eq!(plain, arena(&["--engine", "a=level:4,nodes=60", "--engine", "b=level:3,seed=1"]));
    let deeper = arena(&["--engine", "a=level:4,nodes=200", "--engine", "b=level:3"]);
    let of_a = |report: &str| -> u64 {
        let line = report.lines().find_map(|line| line.strip_prefix("nodes per move a ")).unwrap();
        line.split(',').next().unwrap().parse().unwrap()
    };
    assert!(of_a(&plain) <= 60 && of_a(&deeper) > 60, "{plain}{deeper}");
    let seeded = |seed: u64| arena(&["--engine", "a=level:4", "--engine", &format!("b=level:3,seed={seed}")]);
    assert!((2..8).any(|seed| seeded(seed) != plain), "another seed, other games");
    let refused = run(&["arena", "--engine", "a=neat", "--engine", "b=classic"], "");
    assert!(refused.err.contains(said!("a-level-there-is", "5", "neat")));
}

#[test]
fn single_dash_flags_start_the_qtp_engine() {
    let read = |text: &str| {
        let words = normalize_args(text.split(' ').map(OsString::from).collect());
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(read("crosspath -seed 7"), "crosspath engine --protocol qtp --seed 7");
    assert_eq!(
        read("crosspath -size 5 -walls 3 --stats"),
        "crosspath engine --protocol qtp --size 5 --walls 3 --stats"
    );
    assert_eq!(read("crosspath --nodes 9 -seed 7"), "crosspath engine --protocol qtp --nodes 9 --seed 7");
    for text in ["crosspath", "crosspath --seed 7", "crosspath bench -seed 7", "crosspath -h", "-seed"] {
        assert_eq!(read(text), text);
    }
}

#[test]
fn error_messages_keep_the_case_of_paths() {
    let error = run(&["--log", "/No/Such/Folder/Log.txt"], "").err;
    assert!(
        error.starts_with("error: cannot write the log /No/Such/Folder/Log.txt: no such folder"),
        "{error}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn failing_to_write_the_help_is_an_error() {
    for arguments in [&["--help"][..], &["perft", "--help"], &["--version"], &["man"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = crosspath(arguments).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.starts_with("error: cannot write: no space left on device"), "{arguments:?}: {said}");
    }
}

#[test]
fn perft_ends_after_the_longest_game() {
    assert_eq!(run(&["perft", "--size", "2", "100000"], "").out, "1 4\n2 12\n3 24\n4 0\n");
}

#[test]
fn the_arena_plays_on_a_1x1_hex_board() {
    let engines = ["--engine", "a=level:1", "--engine", "b=level:2"];
    let report =
        run(&[&["arena", "--game", "hex", "--size", "1", "--pairs", "1"], &engines[..]].concat(), "");
    assert_eq!(report.code, Some(0), "{}{}", report.out, report.err);
}

#[test]
fn missing_files_have_the_same_message_everywhere() {
    let engines = ["--engine", "a=level:1", "--engine", "b=level:2"];
    for (words, said) in [
        (&["arena", "--report", "nowhere"][..], "error: cannot read nowhere: no such file\n"),
        (
            &[&["arena", "--out", "/nowhere/x"], &engines[..]].concat(),
            "error: cannot write /nowhere/x: no such folder\n",
        ),
        (&["--log", "/nowhere/x"], "error: cannot write the log /nowhere/x: no such folder\n"),
        (
            &["work", "--job", "nowhere", "--index", "0", "--count", "1", "--out", "x"],
            "error: --job nowhere: no such file\n",
        ),
    ] {
        let run = run(words, "");
        assert!(run.err.ends_with(said) && run.code != Some(0), "{words:?}: {}", run.err);
    }
    let merged = run(&["merge", "nowhere.shard", "--out", "x"], "").err;
    assert!(merged.contains("nowhere.shard is skipped: cannot be read: no such file\n"), "{merged}");
}

#[test]
fn a_mode_or_game_without_its_flag_suggests_the_command() {
    let file = run(&["3", "examples/moves.txt"], "");
    let wanted = lasting(format!("error: {}\n", said!("a-mode-needs-its", "3")));
    assert_eq!((file.code, file.err.as_str()), (Some(2), wanted));
    assert_eq!(run(&["mode", "3", "examples/moves.txt"], "").err, wanted);
    let with_flags = run(&["mode", "1", "--size", "4"], "").err;
    assert_eq!(with_flags, "error: a mode needs its flag: crosspath --mode 1 --size 4\n");
    for (words, meant) in [
        (&["hex"][..], "hex"),
        (&["quoridor", "9"], "quoridor --size 9"),
        (&["ttt", "--mode", "2"], "ttt --mode 2"),
    ] {
        let wanted = format!("error: a game needs its flag: crosspath --game {meant}\n");
        assert_eq!(run(words, "").err, wanted);
    }
    let wrong = run(&["5", "moves.txt"], "");
    let wanted = lasting(format!("error: {}\n", said!("there-is-no-mode", "5", "1", "2", "3", "4", "3")));
    assert_eq!((wrong.code, wrong.err.as_str()), (Some(2), wanted));
    let two = run(&["foo", "bar"], "");
    assert_eq!((two.code, two.err.as_str()), (Some(2), "error: crosspath takes one file, foo; remove bar\n"));
    assert_eq!(run(&["help"], "").out, run(&["--help"], "").out);
    assert_eq!(run(&["help", "arena"], "").out, run(&["arena", "--help"], "").out);
    assert_eq!(run(&["help", "games", "delete"], "").out, run(&["games", "delete", "--help"], "").out);
    let unknown = run(&["help", "nosuch"], "");
    assert!(unknown.code == Some(2) && unknown.err.contains("arena"), "{}", unknown.err);
    for (typed, meant) in
        [("gmaes", "games"), ("SOLV", "solve"), ("completoin", "completions"), ("hlep", "help")]
    {
        let typo = run(&[typed, "--size", "3"], "");
        let wanted = format!("error: there is no file or command {typed}; did you mean crosspath {meant}?\n");
        assert_eq!((typo.code, typo.err.as_str()), (Some(2), wanted.as_str()));
    }
    for missing in ["arena.1", "tunnel", "moves", "game.txt"] {
        let plain = run(&[missing], "");
        assert!(plain.code == Some(0) && plain.err.contains(missing), "{}", plain.err);
    }
    let replay = run(&["gmaes", "--mode", "3"], "");
    assert!(replay.code == Some(0) && replay.err.starts_with("cannot read gmaes: "), "{}", replay.err);
    let alone = run(&["2"], "").err;
    assert!(alone.contains(said!("cannot-read-no-such", "2", "2")), "{alone}");
}
