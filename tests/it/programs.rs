//! External engines as players. Their errors are detected, classified and scored, and no process
//! stays behind.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crosspath::ai::Limits;
use crosspath::external::{EngineTimeouts, ExternalEngine};
use crosspath::game::{Outcome, Side};
use crosspath::registry::{GameStart, Variant, find_game};
use crosspath::session::{AnyEngine, EngineError, EngineRequest, ForfeitReason, Position};
use crosspath::thinking::ExternalProgram;

use crate::sentences::{lasting, said};
use crate::support::{Run, SOON, crosspath, run, wait_until};

fn spec(text: &str) -> ExternalProgram {
    text.parse().unwrap()
}

/// Returns the spec of a test engine with a planted fault.
fn planted_engine(fault: &str) -> String {
    format!("gtp:sh tests/data/programs/planted.sh {fault}")
}

/// Returns the spec of crosspath as an external engine.
fn crosspath_engine(protocol: &str, more: &str) -> String {
    format!("{protocol}:{} engine --protocol {protocol} {more}", env!("CARGO_BIN_EXE_crosspath"))
}

fn run_arena(game: &str, engines: &[&str], more: &str) -> Run {
    let mut arguments: Vec<&str> = vec!["arena", "--game", game];
    for engine in engines {
        arguments.extend(["--engine", engine]);
    }
    arguments.extend(more.split_whitespace());
    run(&arguments, "")
}

/// Returns the ids of processes whose arguments contain `mark`.
fn find_processes(mark: &str) -> Vec<u32> {
    let own = std::process::id();
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let all = std::fs::read_dir("/proc").unwrap().filter_map(|entry| number(&entry.unwrap().path()));
    let has_mark = |id: &u32| {
        let arguments = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(mark)
    };
    all.filter(|id| *id != own && has_mark(id)).collect()
}

/// Reports whether a process has a child process.
#[cfg(target_os = "linux")]
fn has_child(id: u32) -> bool {
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
    !children.unwrap_or_default().is_empty()
}

/// Waits until no process has `mark` among its arguments.
#[track_caller]
fn wait_until_none_is_left(mark: &str) {
    wait_until(SOON, "no process is left", || find_processes(mark).is_empty());
}

#[test]
fn engine_commands_are_split_like_shell_words() {
    for (text, shown) in [
        (r#"gtp:/opt/hex --name "a \"b\" \\ c" 'd "e" \f' g\ h "" x"y"z"#, "hex"),
        ("qtp:engine", "engine"),
        ("ep5:./my\\ engine  b", "my engine"),
        ("self:./old;level:4,nodes=100", "old"),
        ("self:/bin/crosspath:classic", "crosspath"),
        ("gtp:sh tests/planted.sh crash", "planted.sh"),
        ("gtp:/bin/bash -eu -o pipefail x/my\\ bot.sh --level 3", "my bot.sh"),
        ("gtp:sh -c 'exec ./engine'", "sh"),
        ("gtp:bash -lc ./engine", "bash"),
        ("gtp:python3.11 -u -W ignore lib/bot.py", "bot.py"),
        ("gtp:python3 -m agents.hex", "agents.hex"),
        ("gtp:perl -I lib bin/bot.pl", "bot.pl"),
        ("gtp:perl -e 'print 1'", "perl"),
        ("gtp:java -Xmx1g -cp a.jar -jar lib/hex.jar --size 5", "hex.jar"),
        ("gtp:/usr/bin/env -i A=1 node x/bot.js", "bot.js"),
        ("gtp:env A=1 ./engine", "engine"),
        ("gtp:env", "env"),
        ("gtp:dash -o", "dash"),
        ("gtp:shogi tests/book.txt", "shogi"),
    ] {
        assert_eq!((spec(text).name().as_str(), spec(text).to_string().as_str()), (shown, text));
    }
    for (text, why) in [
        ("gtp:", said!("needs-a-command")),
        ("gtp:   ", said!("needs-a-command")),
        ("gtp:a 'b", said!("is-not-closed", "'")),
        ("gtp:a \"b", said!("is-not-closed", "\"")),
        ("gtp:a \\", said!("is-not-closed", "\\")),
        ("gtp:'' a", said!("needs-a-command")),
        ("self:./old", "self: needs a path and a level"),
        ("self:;level:4", "self: needs a path and a level"),
        ("uci:engine", said!("no-program-write-gtp")),
    ] {
        let message = text.parse::<ExternalProgram>().unwrap_err().to_string();
        assert!(message.contains(why), "{text}: {message}");
    }
}

#[test]
fn every_engine_fault_is_detected_and_reported_by_kind() {
    let cases = [
        ("crash", "crash"),
        ("hang", "hang"),
        ("illegal", "illegal"),
        ("occupied", "illegal"),
        ("garbage", "garbage"),
        ("nonsense", "garbage"),
        ("endless", "garbage"),
        ("refuses", "refused"),
        ("rejects", "refused"),
        ("slow", "time"),
    ];
    for (fault, reason) in cases {
        let more = match fault {
            "slow" => "--movetime bad=200ms",
            "hang" => "--hang 1s",
            _ => "",
        };
        let bad = format!("bad={}", planted_engine(fault));
        let run = run_arena("hex", &[&bad, "good=level:1"], &format!("--size 7 --pairs 1 {more}"));
        assert_eq!(run.code, Some(1), "{fault}: {}{}", run.out, run.err);
        assert!(run.out.contains(&format!("bad 2 ({reason} 2), good 0")), "{fault}: {}{}", run.out, run.err);
        assert!(run.out.contains("\nbad: +0 =0 -2 "), "{fault}: {}", run.out);
        assert!(
            run.err.contains("bad: planted.sh ")
                && run.err.ends_with(lasting(format!("error: {}\n", said!("there-were-forfeits")))),
            "{}",
            run.err
        );
    }
    let run = run_arena(
        "hex",
        &[&format!("bad={}", planted_engine("crash")), "good=level:1"],
        "--size 7 --pairs 1",
    );
    assert!(
        run.err.contains("bad: planted.sh ended with exit code 3 (crash)\n  my last words\n"),
        "{}",
        run.err
    );
}

#[test]
fn two_engines_running_the_same_program_are_reported_separately() {
    let engines = ["illegal", "garbage"].map(|fault| format!("{fault}={}", planted_engine(fault)));
    let run = run_arena("hex", &engines.each_ref().map(String::as_str), "--size 7 --pairs 1");
    assert!(run.out.contains("forfeits illegal 1 (illegal 1), garbage 1 (garbage 1)"), "{}", run.out);
    for (name, message) in [("illegal", "played \"z99\""), ("garbage", "answered \"I would rather")] {
        assert!(run.err.contains(&format!("{name}: planted.sh {message}")), "{}", run.err);
    }
}

#[test]
fn the_example_gtp_player_plays_whole_games() {
    let player = "theirs=gtp:sh examples/gtp_player.sh";
    let run = run_arena("hex", &["ours=level:1", player], "--size 5 --pairs 3");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
}

#[test]
fn resigning_loses_without_a_forfeit() {
    let run =
        run_arena("hex", &[&format!("a={}", planted_engine("resign")), "b=level:1"], "--size 7 --pairs 1");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("\na: +0 =0 -2 ") && run.out.contains("forfeits a 0, b 0"), "{}", run.out);
}

#[test]
fn an_engine_that_cannot_be_started_ends_the_match_with_a_message() {
    let run = run_arena("hex", &["a=gtp:/no/such/engine", "b=level:1"], "--size 5 --pairs 2");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("error: engine a: cannot start engine: "), "{}", run.err);
    for (game, engine, why) in [
        ("quoridor", "gtp:engine", "error: --engine a: gtp does not support quoridor\n"),
        ("hex", "qtp:engine", "error: --engine a: qtp does not support hex\n"),
        (
            "hex",
            "neat:5",
            "; engines are level:K, classic, net, net:FILE, lookahead, gtp:COMMAND, qtp:COMMAND, ep5:COMMAND, self:PATH;level:K\n",
        ),
    ] {
        let run = run_arena(game, &[&format!("a={engine}"), "b=level:1"], "--pairs 2");
        assert_eq!((run.code, run.out.as_str(), run.err.contains(why)), (Some(2), "", true), "{}", run.err);
    }
    let run = run_arena(
        "tic-tac-toe",
        &[&format!("a={}", crosspath_engine("gtp", "--game tic-tac-toe")), "b=level:1"],
        "--size 5 --win-length 4 --pairs 2",
    );
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
    assert!(run.err.contains(said!("the-protocol-does-not", "win-length=4")), "{}", run.err);
    let run = run_arena("hex", &["a=ep5:engine", "b=level:1"], "--pairs 2");
    assert_eq!((run.code, run.err.contains(said!("add-openings-none"))), (Some(2), true), "{}", run.err);
}

#[test]
#[cfg(unix)]
fn an_engine_that_never_answers_ends_the_match_with_a_message() {
    let folder = crate::support::folder();
    let games = folder.path().join("games.jsonl");
    for (command, why) in [
        ("false", said!("false-ended-with-exit", "1")),
        (
            "sh -c 'echo no licence >&2; exit 3'",
            "sh ended with exit code 3 before its first answer: no licence",
        ),
        ("sh -c 'kill -SEGV $$'", "sh was killed by signal 11 (SIGSEGV) before its first answer"),
        ("sh -c 'read -r _; echo hello; sleep 2'", "sh answered \"hello\", which is not valid GTP"),
        ("sleep 60", "sleep does not respond"),
        ("sh -c 'while read -r _; do echo \"? no\"; echo; done'", "sh refuses \"boardsize 5\": no"),
    ] {
        let more = format!("--size 5 --pairs 50 --hang 300ms --threads 2 --out {}", games.display());
        let run = run_arena("hex", &[&format!("a=gtp:{command}"), "b=level:1"], &more);
        assert_eq!(run.code, Some(1), "{command}: {}", run.err);
        let is_one_sentence =
            run.err.starts_with(&format!("error: engine a: {why}")) && run.err.lines().count() == 1;
        assert!(is_one_sentence, "{command}: {}", run.err);
        let written = std::fs::read_to_string(&games).unwrap();
        assert_eq!(written.lines().count(), 1, "no game is scored: {written}");
        std::fs::remove_file(&games).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn an_engine_that_has_answered_once_loses_only_the_games_in_which_it_fails() {
    // With EP5 an engine is started for each game. This one plays the first game, and then exits at
    // once.
    let folder = crate::support::folder();
    let mark = folder.path().join("mark");
    let player = crosspath_engine("ep5", "--size 5 --no-swap --level 1").replace("ep5:", "exec ");
    let script = format!("if mkdir {}; then {player} $0; fi; exit 7", mark.display());
    let engine = format!("a=ep5:sh -c '{script}'");
    let run = run_arena("hex", &[&engine, "b=level:1"], "--size 5 --pairs 2 --openings none --threads 1");
    assert!(run.out.contains("forfeits a 3 (crash 3), b 0"), "{}{}", run.out, run.err);
    assert!(run.err.contains("a: sh ended with exit code 7"), "{}", run.err);
}

#[test]
#[cfg(unix)]
fn an_unusable_working_folder_is_named_in_the_error() {
    let run = run_arena(
        "hex",
        &["a=gtp:sh examples/gtp_player.sh", "b=level:1"],
        "--size 5 --pairs 2 --dir a=/no/such",
    );
    let why = "error: engine a: cannot start gtp_player.sh in the folder \"/no/such\": no such folder";
    assert_eq!((run.code, run.err.contains(why)), (Some(1), true), "{}", run.err);
    let run = run_arena(
        "hex",
        &["a=gtp:sh examples/gtp_player.sh", "b=level:1"],
        "--size 5 --pairs 2 --dir a=Cargo.toml",
    );
    assert!(run.err.contains(said!("cannot-use-the-folder-part", "Cargo.toml")), "{}", run.err);
}

#[test]
fn ten_forfeits_in_a_row_end_a_match() {
    let bad = format!("a={}", planted_engine("crash"));
    let run = run_arena("hex", &[&bad, "b=level:1"], "--size 5 --pairs 100 --quiet");
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains(said!("a-against-b-games", "10", "5")), "{}", run.out);
    assert!(run.err.ends_with(lasting(format!("error: {}\n", said!("games-in-a-row", "10")))), "{}", run.err);
}

/// Plays a match and returns its games without the parts that depend on the computer.
fn match_games(engines: &[&str], game: &str, more: &str) -> Vec<String> {
    let folder = crate::support::folder();
    let file = folder.path().join("games.jsonl");
    let run = run_arena(game, engines, &format!("{more} --quiet --out {}", file.display()));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let text = std::fs::read_to_string(&file).unwrap();
    let moves = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        format!(
            "{} {} {} {} {}",
            value["unit"], value["game"], value["opening"], value["moves"], value["result"]
        )
    };
    let mut games: Vec<String> = text.lines().skip(1).map(moves).collect();
    games.sort();
    games
}

#[test]
fn a_level_plays_the_same_moves_over_a_protocol_as_in_process() {
    for (game, protocol, more) in [
        ("hex", "gtp", "--size 5 --no-swap --openings random:1"),
        ("tic-tac-toe", "gtp", "--size 4"),
        ("quoridor", "qtp", "--size 5 --walls 3"),
    ] {
        let build = format!("b=self:{};level:2", env!("CARGO_BIN_EXE_crosspath"));
        let more = format!("{more} --pairs 4 --nodes 300");
        let inside = match_games(&["a=level:3", "b=level:2"], game, &more);
        assert_eq!(match_games(&["a=level:3", &build], game, &more), inside, "{game} over {protocol}");
        assert_eq!(inside.len(), 8);
    }
}

#[test]
fn a_qtp_engine_starts_from_a_set_position_or_reports_that_it_cannot() {
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    let entry = find_game("quoridor").unwrap();
    let begins =
        GameStart::from_position_text(entry, Variant::default(), "- / - / c4 c3 / 0 0 / 1 / 5").unwrap();
    let start = begins.position().unwrap();
    let ask = |spec: &ExternalProgram| {
        let mut program =
            ExternalEngine::new(spec, &*start, Side::First, 1, limits, EngineTimeouts::default())?;
        program.answer(EngineRequest::Move, &*start, limits, &AtomicBool::new(false), &|_| ())
    };
    let answer = ask(&spec(&crosspath_engine("qtp", "--level 2 --nodes 50 --seed 1"))).unwrap();
    assert_eq!(
        start.clone().play(&answer.text).unwrap().outcome(),
        Some(Outcome::Win(Side::First)),
        "{}",
        answer.text
    );
    let old = spec(
        "qtp:sh -c 'while read word more; do case $word in position) echo \"? unknown command\";; *) echo =;; esac; echo; done'",
    );
    let why = ask(&old).unwrap_err().to_string();
    assert!(why.contains("refuses \"position - / - / c4 c3"), "{why}");
}

#[test]
fn both_gtp_forms_of_the_swap_are_understood() {
    let limits = Limits { nodes: Some(200), ..Limits::default() };
    for dialect in ["mirror", "benzene"] {
        let mut spec = spec(&crosspath_engine("gtp", "--level 2 --nodes 200 --seed 1"));
        spec.setup = vec![format!("param_game swap_dialect {dialect}")];
        let start = find_game("hex").unwrap().start_position(&Variant::of_size(7)).unwrap();
        let patience = EngineTimeouts::default();
        let mut program = ExternalEngine::new(&spec, &*start, Side::Second, 1, limits, patience).unwrap();
        // The engine swaps a stone in the centre, and both sides continue.
        let mut at = start.play("d4").unwrap();
        let stop = AtomicBool::new(false);
        let mut ask = |at: &dyn Position| program.answer(EngineRequest::Move, at, limits, &stop, &|_| ());
        assert_eq!(ask(&*at).unwrap().text, "swap", "{dialect}");
        at = at.play("swap").unwrap();
        for reply in ["b6", "c6", "d6"] {
            at = at.play(reply).unwrap();
            let text = ask(&*at).unwrap_or_else(|why| panic!("{dialect}: {why}")).text;
            at = at.play(&text).unwrap();
        }
    }
}

#[test]
fn an_engine_receives_the_swap_in_the_form_it_understands() {
    let limits = Limits { nodes: Some(200), ..Limits::default() };
    let spec = spec(&crosspath_engine("gtp", "--level 2 --nodes 200 --seed 1"));
    let start = find_game("hex").unwrap().start_position(&Variant::of_size(7)).unwrap();
    let mut program =
        ExternalEngine::new(&spec, &*start, Side::First, 1, limits, EngineTimeouts::default()).unwrap();
    let mut at = start.play("d4").unwrap().play("swap").unwrap();
    for reply in ["b6", "c6"] {
        let text =
            program.answer(EngineRequest::Move, &*at, limits, &AtomicBool::new(false), &|_| ()).unwrap().text;
        at = at.play(&text).unwrap().play(reply).unwrap();
    }
    // An earlier position works, too.
    let before = at.parent().unwrap().parent().unwrap();
    let again =
        program.answer(EngineRequest::Move, &*before, limits, &AtomicBool::new(false), &|_| ()).unwrap().text;
    assert!(before.is_legal(&again));
}

#[test]
fn two_ep5_engines_play_each_other() {
    let engine = |level: u8| {
        crosspath_engine("ep5", &format!("--size 5 --no-swap --level {level} --nodes 100 --seed 3"))
    };
    let command = |level: u8| format!("{}={}", ["a", "b"][usize::from(level - 1)], engine(level));
    let run = run_arena("hex", &[&command(1), &command(2)], "--size 5 --pairs 2 --openings none");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("forfeits a 0, b 0"), "{}", run.out);
}

#[test]
fn an_engine_that_names_the_wrong_winner_is_reported_without_changing_the_result() {
    // It plays like crosspath, except for one answer.
    let engine = env!("CARGO_BIN_EXE_crosspath");
    let liar = format!(
        "liar=qtp:sh -c '{engine} engine --protocol qtp --level 1 --seed 1 | sed -u \"s/^= true .*/= true red/\"'"
    );
    let run = run_arena("quoridor", &[&liar, "b=level:1"], "--size 3 --walls 1 --pairs 1");
    assert_eq!(run.code, Some(0), "no colour is no lie: {}{}", run.out, run.err);
    for (color, other) in [("white", "black"), ("black", "white")] {
        let liar = liar.replace("^= true .*/= true red", &format!("^= true {color}/= true {other}"));
        let run =
            run_arena("quoridor", &[&liar, "b=level:1"], "--size 3 --walls 1 --pairs 4 --max-plies 500");
        assert!(
            run.out.contains("forfeits liar ") && run.out.contains("(disagree "),
            "{}{}",
            run.out,
            run.err
        );
        assert!(!run.out.contains("liar: +0 =0 -8"), "the results stand: {}", run.out);
    }
}

#[test]
fn a_changed_position_is_sent_to_the_engine_again() {
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    let spec = spec(&crosspath_engine("qtp", "--level 2 --nodes 50 --seed 1"));
    let start =
        find_game("quoridor").unwrap().start_position(&Variant::of_size(5).with_setting("walls", 2)).unwrap();
    let mut program =
        ExternalEngine::new(&spec, &*start, Side::Second, 1, limits, EngineTimeouts::default()).unwrap();
    let stop = AtomicBool::new(false);
    let mut ask =
        |at: &dyn Position| program.answer(EngineRequest::Move, at, limits, &stop, &|_| ()).unwrap();
    let at = start.clone().play("c2").unwrap();
    let first = ask(&*at);
    assert!(at.is_legal(&first.text) && first.report.cpu_time.is_some());
    // The same position again, another game, another board.
    assert_eq!(ask(&*at).text, first.text);
    let other = start.clone().play("b2h").unwrap();
    assert!(other.is_legal(&ask(&*other).text));
    let larger =
        find_game("quoridor").unwrap().start_position(&Variant::of_size(7)).unwrap().play("d2").unwrap();
    assert!(larger.is_legal(&ask(&*larger).text));
}

#[test]
fn a_fault_report_includes_the_last_standard_error_lines() {
    let start =
        find_game("hex").unwrap().start_position(&Variant::of_size(5).with_setting("swap", "off")).unwrap();
    let patience = EngineTimeouts::default();
    let spec = spec("gtp:sh -c 'echo one >&2; echo two >&2; exit 1'");
    let mut program =
        ExternalEngine::new(&spec, &*start, Side::First, 1, Limits::default(), patience).unwrap();
    let answer =
        program.answer(EngineRequest::Move, &*start, Limits::default(), &AtomicBool::new(false), &|_| ());
    let Err(EngineError::NeverAnswered(forfeit)) = answer else { panic!("{answer:?}") };
    assert_eq!((forfeit.reason, forfeit.notes.as_str()), (ForfeitReason::Crash, "one\ntwo\n"));
    // An engine that has answered before only loses the game.
    let spec = self::spec("gtp:sh -c 'read -r _; echo =; echo; echo one >&2; echo two >&2; kill -KILL $$'");
    let mut program =
        ExternalEngine::new(&spec, &*start, Side::First, 1, Limits::default(), patience).unwrap();
    let answer =
        program.answer(EngineRequest::Move, &*start, Limits::default(), &AtomicBool::new(false), &|_| ());
    let Err(EngineError::Forfeit(forfeit)) = answer else { panic!("{answer:?}") };
    assert_eq!((forfeit.reason, forfeit.notes.as_str()), (ForfeitReason::Crash, "one\ntwo\n"));
    assert_eq!(forfeit.said, "sh was killed by signal 9 (SIGKILL)");
}

#[test]
#[cfg(target_os = "linux")]
fn no_engine_process_survives_the_end_of_a_match() {
    use crate::support::{end_within, skip, with_default_signals};
    use rustix::process::{Pid, Signal, kill_process};
    let mark = |name: &str| format!("mark-{name}-{}", std::process::id());
    // A regular end, with engines that hang and ignore signals.
    for fault in ["hang", "deaf", "crash", "fine"] {
        let (bad, mark) = (format!("a={} {}", planted_engine(fault), mark(fault)), mark(fault));
        run_arena("hex", &[&bad, "b=level:1"], "--size 5 --pairs 1 --hang 300ms");
        assert_eq!(find_processes(&mark), Vec::<u32>::new(), "{fault}");
    }
    // An end by a signal during the match, including SIGKILL.
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL] {
        let mark = mark(&format!("{}", signal.as_raw()));
        let bad = format!("a={} {mark}", planted_engine("deaf"));
        let arena =
            crosspath(&["arena", "--game", "hex", "--size", "5", "--engine", &bad, "--engine", "b=level:1"]);
        let Some(mut arena) = with_default_signals(&arena) else {
            skip("programs after an arena that a signal ends", "env has no --default-signal");
            return;
        };
        let child = arena.stdout(std::process::Stdio::null()).spawn().unwrap();
        // The arena also has the mark among its arguments.
        wait_until(SOON, "a program is started", || find_processes(&mark).len() > 1);
        kill_process(Pid::from_child(&child), signal).unwrap();
        end_within(SOON, child);
        wait_until_none_is_left(&mark);
    }
}

/// Plays a game against an engine in line mode, with input from a pipe.
fn play_in_line_mode(engine: &str, more: &str, input: &str) -> Run {
    // A busy computer may need long to start a program.
    let mut arguments = vec!["--engine", engine, "--plain", "--response-timeout", "60s"];
    arguments.extend(more.split_whitespace());
    run(&arguments, input)
}

#[test]
fn a_person_can_play_an_external_engine() {
    let engine = crosspath_engine("gtp", "--level 2 --nodes 100 --seed 1");
    let game = play_in_line_mode(&engine, "--game hex --size 5", "c3\nb2\nlevel\nmoves\nquit\n");
    assert_eq!((game.code, game.err.as_str()), (Some(0), ""), "{}", game.out);
    assert!(game.out.contains(said!("crosspath-plays-level-n")), "{}", game.out);
    for line in ["    1 c3 ", "    3 b2 "] {
        let pair = game.out.lines().find(|shown| shown.starts_with(line)).unwrap_or_default();
        assert_eq!(pair.split_whitespace().count(), 4, "a move of each: {}", game.out);
    }
    // Undo and another move, after a first move of the engine.
    let second =
        play_in_line_mode(&engine, "--game hex --size 5 --play-as second", "c3\nundo\nb2\nmoves\nquit\n");
    assert_eq!((second.code, second.err.as_str()), (Some(0), ""), "{}", second.out);
    // A game between two external engines equals one between two levels.
    let match_of = |who: &[&str]| {
        run(&[&["--mode", "4", "--game", "quoridor", "--size", "5", "--seed", "7"], who].concat(), "")
    };
    let build = format!("self:{};level:2,nodes=100", env!("CARGO_BIN_EXE_crosspath"));
    let outside = match_of(&["--engine", &build]);
    let inside = match_of(&["--level", "2", "--nodes", "100"]);
    let moves =
        |run: &Run| run.out.lines().filter(|line| line.contains(". ")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((outside.code, moves(&outside)), (Some(0), moves(&inside)), "{}{}", outside.out, outside.err);
}

#[test]
fn after_an_engine_fault_the_game_continues_against_a_level() {
    for fault in ["crash", "illegal", "garbage", "refuses"] {
        let game = play_in_line_mode(
            &planted_engine(fault),
            "--game hex --size 5 --nodes 100",
            "e1\ne2\nlevel 2\nmoves\nquit\n",
        );
        let all = format!("{}{}", game.out, game.err);
        assert_eq!(game.code, Some(0), "{fault}: {all}");
        assert!(all.contains(said!("the-engine-failed", "planted.sh ")), "{fault}: {all}");
        let is_told = all.contains(said!("ended-with-exit-code", "3"));
        assert_eq!(is_told, fault == "crash", "{all}");
        assert!(all.contains(said!("level-n-sets-another")), "{fault}: {all}");
        assert!(all.contains(said!("the-engine-now-plays")), "{fault}: {all}");
        let last = game.out.lines().find(|line| line.starts_with("    3 e2 ")).unwrap_or_default();
        assert_eq!(last.split_whitespace().count(), 4, "{fault}: the level has answered: {all}");
    }
    let gone = play_in_line_mode("gtp:/no/such/engine", "--game hex --size 5", "e1\nlevel 1\nquit\n");
    let all = format!("{}{}", gone.out, gone.err);
    assert!(all.contains(said!("the-engine-failed", "cannot start engine: ")), "{all}");
    let gives_up = play_in_line_mode(&planted_engine("resign"), "--game hex --size 5 --json", "e1\ne2\n");
    assert!(
        gives_up.out.contains("\"result\":\"first\"") || gives_up.out.contains(said!("gave-up")),
        "{}",
        gives_up.out
    );
    let start = gives_up.out.lines().next().unwrap();
    assert!(start.contains("\"level\":null") && start.contains("\"program\":\"planted.sh\""), "{start}");
}

#[test]
fn after_an_engine_fault_the_next_move_is_played_for_the_engine() {
    let game =
        play_in_line_mode(&planted_engine("crash"), "--game hex --size 5", "e1\ne2\nd4\nmoves\nquit\n");
    let all = format!("{}{}", game.out, game.err);
    let message = said!("your-next-move-is");
    assert!(all.contains(message), "{all}");
    let second = game.out.lines().find(|line| line.starts_with("    3 e2 ")).unwrap_or_default();
    assert_eq!(second.split_whitespace().collect::<Vec<_>>(), ["3", "e2", "4", "d4"], "{all}");
}

#[test]
fn an_unsuitable_engine_is_a_usage_error() {
    for (engine, more, why) in [
        ("gtp:engine", "--game quoridor", said!("this-protocol-does-not", "quoridor")),
        ("level:99", "--game hex", said!("engine-level-level-does", "99", "99")),
        ("neat", "", "--engine neat: there is no engine \"neat\""),
        (
            "neat",
            "",
            "; engines are level:K, classic, net, net:FILE, lookahead, gtp:COMMAND, qtp:COMMAND, ep5:COMMAND, self:PATH;level:K",
        ),
        ("gtp:", "", "--engine gtp:: gtp: needs a command"),
        ("level:2", "--level 3", "cannot be used with"),
    ] {
        let run = play_in_line_mode(engine, more, "");
        assert_eq!((run.code, run.err.contains(why)), (Some(2), true), "{engine}: {}", run.err);
    }
    let level = play_in_line_mode("level:2,nodes=50", "--game hex --size 5 --seed 3 --mode 4", "");
    let plain = run(
        &[
            "--plain", "--game", "hex", "--size", "5", "--seed", "3", "--mode", "4", "--level", "2",
            "--nodes", "50",
        ],
        "",
    );
    assert_eq!(level.out, plain.out);
}

/// Ctrl-C during the start of an engine also reaches its guard process, which must still end the
/// engine.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_is_starting_at_an_interrupt_is_ended() {
    use crate::screen::{Terminal, shell};
    use rustix::process::Signal;
    for delay in 0..20 {
        let mark = format!("1000.{}{delay:02}", std::process::id());
        let engine = format!("gtp:sleep {mark}");
        let game = ["--plain", "--game", "hex", "--size", "5", "--engine", &engine];
        let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", &game));
        terminal.expect("red 1>");
        terminal.send("c3\r");
        terminal.expect(said!("you-played", "c3"));
        terminal.read_for(std::time::Duration::from_micros(delay * 150));
        terminal.send("\u{3}");
        terminal.expect(said!("ctrl-c-again-or"));
        terminal.signal(Signal::KILL);
        terminal.end();
        wait_until_none_is_left(&mark);
    }
}

/// Ctrl-C during the start of an engine also reaches the engine, which has no process group of its
/// own yet.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_interrupted_before_its_first_answer_is_started_again() {
    use crate::support::{run_on, skip, with_default_signals};
    let place = tempfile::tempdir().unwrap();
    // The engine records each start, and an interrupt ends the first one.
    let script = place.path().join("engine");
    let engine = crosspath_engine("gtp", "--game hex --level 1");
    let text = "echo start >>$1; test $(wc -l <$1) -gt $2 || kill -INT $$\nexec";
    std::fs::write(&script, format!("{text} {}\n", engine.trim_start_matches("gtp:"))).unwrap();
    for (interrupted, starts) in [(0, 1), (3, 4), (9, 4)] {
        let count = place.path().join(interrupted.to_string());
        let engine = format!("gtp:sh {} {} {interrupted}", script.display(), count.display());
        let game = ["--plain", "--game", "hex", "--size", "5", "--engine", &engine];
        let Some(command) = with_default_signals(&crosspath(&game)) else {
            skip("programs that are interrupted", "env has no --default-signal");
            return;
        };
        let game = run_on(command, "c3\nmoves\nquit\n");
        assert_eq!(std::fs::read_to_string(count).unwrap().lines().count(), starts, "{}", game.err);
        assert_eq!(game.err.contains("signal 2 (SIGINT)"), interrupted > 3, "{}", game.err);
        assert_eq!(game.err.is_empty(), interrupted <= 3, "{}", game.err);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_ends_when_its_search_is_no_longer_needed() {
    use crosspath::ai::EngineConfig;
    use crosspath::external::engine_factory;
    use crosspath::thinking::{EnginePlayer, EngineSeat};
    let mark = format!("mark-unwanted-{}", std::process::id());
    let program = spec(&format!("{} {mark}", planted_engine("hang")));
    let at = find_game("hex").unwrap().start_position(&Variant::of_size(5)).unwrap().play("e5").unwrap();
    let config = EngineConfig::new(1, 0);
    let seat = EngineSeat { player: EnginePlayer::External(program.into()), config, turn: 0 };
    let mut machine = engine_factory()(&*at, &seat).unwrap();
    let stop = AtomicBool::new(false);
    let first = machine.answer(EngineRequest::Move, &*at, Limits::default(), &stop, &|_| ()).unwrap();
    let next = at.play(&first.text).unwrap().play("d5").unwrap();
    std::thread::scope(|scope| {
        let asked =
            scope.spawn(|| machine.answer(EngineRequest::Move, &*next, Limits::default(), &stop, &|_| ()));
        let hangs = || find_processes(&mark).into_iter().any(has_child);
        wait_until(SOON, "the program thinks about its second move", hangs);
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        assert!(matches!(asked.join().unwrap(), Err(EngineError::Start(_))));
    });
    wait_until_none_is_left(&mark);
}
