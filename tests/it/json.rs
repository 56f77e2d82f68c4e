//! With `--json` every output line is one object: one `move` per ply, and one `word` or `error` for
//! every other input line.

use serde_json::Value;

use crate::sentences::said;
use crate::support::{file, folder, run};

fn json_events(arguments: &[&str], input: &str) -> Vec<Value> {
    let all: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let run = run(&all, input);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn event_names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

#[test]
fn a_game_gives_one_start_one_move_per_ply_and_one_end() {
    let events =
        json_events(&["--mode", "1", "--seed", "7", "--size", "3"], "b2\na1\na2\nb1\nc1\na3\nb3\nc2\nc3\n");
    assert_eq!(event_names(&events[..1]), ["start"]);
    let start = &events[0];
    for (key, value) in
        [("game", "tic-tac-toe"), ("level", "8"), ("you", "first"), ("version", env!("CARGO_PKG_VERSION"))]
    {
        assert_eq!(start[key], value);
    }
    assert_eq!((&start["size"], &start["mode"], &start["seed"]), (&3.into(), &1.into(), &7.into()));
    let moves: Vec<&Value> = events.iter().filter(|event| event["event"] == "move").collect();
    for (ply, event) in (1..).zip(&moves) {
        assert_eq!(event["ply"], ply);
        assert_eq!(event["side"], if ply % 2 == 1 { "first" } else { "second" });
        assert_eq!(event["by"], if ply % 2 == 1 { "human" } else { "machine" });
        assert_eq!(event["legal"], 10 - ply);
        assert!(event["ms"].is_u64());
        if ply % 2 == 0 {
            assert!(event["nodes"].is_u64() && event["depth"].is_u64() && event["score"].is_i64(), "{event}");
            assert_eq!(event["pv"][0], event["move"]);
        }
    }
    let end = events.last().unwrap();
    assert_eq!(
        (&end["event"], &end["plies"], &end["saved"]),
        (&"end".into(), &moves.len().into(), &false.into())
    );
    assert!(["first", "second", "draw"].contains(&end["outcome"].as_str().unwrap()));
    assert_eq!(
        event_names(&events).iter().filter(|name| **name == "end").count(),
        1,
        "one game, then the end"
    );
}

#[test]
fn other_input_lines_give_one_word_or_error_and_blank_lines_nothing() {
    let events =
        json_events(&["--mode", "2"], "b2\n\n# remark\nwhere\nb2\nzz\nm3\nlegal\nundo\nredo 3\nqiut\n");
    assert_eq!(
        event_names(&events),
        ["start", "move", "word", "error", "error", "error", "word", "word", "word", "error", "end"]
    );
    assert_eq!(events[2]["result"]["first"], serde_json::json!(["b2"]));
    assert_eq!((&events[2]["word"], &events[2]["line"]), (&"where".into(), &4.into()));
    assert_eq!(events[2]["result"]["to_move"], "second");
    assert_eq!(events[2]["result"]["ply"], 2);
    let taken = &events[3];
    assert_eq!((&taken["code"], &taken["read"], &taken["line"]), (&"taken".into(), &"b2".into(), &5.into()));
    assert_eq!(taken["message"], said!("is-taken-move-nothing", "b2", "X", "1"));
    let codes: Vec<&Value> =
        events.iter().filter(|event| event["event"] == "error").map(|event| &event["code"]).collect();
    assert_eq!(codes, ["taken", "not-understood", "off-board", "did-you-mean"]);
    assert_eq!(events[6]["result"].as_array().unwrap().len(), 8);
    let end = events.last().unwrap();
    assert!(end["outcome"].is_null(), "left unfinished: {end}");
}

#[test]
fn a_line_never_gives_two_events() {
    let folder = folder();
    let path = file(&folder, "game.txt", "# crosspath tic-tac-toe size=3\n# first: Ann\na1 b2\n");
    for input in [
        "b2\ngoto 0\nc3\n",
        "b2\ngoto 0\nb2\nwhere\n",
        "b2\nnew 4\n",
        &format!("b2\nload {path}\n"),
        "b2\nquit\n",
        "resign\nredo\n",
    ] {
        let lines = input.lines().count();
        let events = json_events(&["--mode", "2"], input);
        let inner = event_names(&events).len() - 2; // without the start and the end
        assert!(inner <= lines, "{input:?}: {events:?}");
        if !input.starts_with("resign") {
            assert_eq!(inner, lines, "{input:?}: {events:?}");
        }
    }
    let back = json_events(&["--mode", "2"], "b2\ngoto 0\nc3\n");
    assert_eq!(back[3]["notice"], said!("back-at-the-present"));
    let refused = json_events(&["--mode", "2"], "b2\ngoto 0\nb2\nwhere\n");
    assert_eq!(
        (&refused[3]["code"], &refused[4]["result"]["ply"]),
        (&"taken".into(), &2.into()),
        "a try to play ends looking back"
    );
    assert!(refused[3]["message"].as_str().unwrap().starts_with(said!("back-at-the-present-position", "b2")));
    let again = json_events(&["--mode", "2"], "b2\nnew 4\n");
    assert_eq!(again[2]["event"], "error", "one game only");
    let replay = json_events(&[&path], "");
    assert_eq!((&replay[0]["remarks"]["first"], event_names(&replay)[1]), (&"Ann".into(), "move"));
}

#[test]
fn an_unproved_position_is_announced_once_and_every_move_has_a_status() {
    let events =
        json_events(&["--mode", "1", "--size", "6", "--win-length", "4", "--nodes", "500"], "a1\nf6\nb1\n");
    let machine: Vec<&Value> = events.iter().filter(|event| event["by"] == "machine").collect();
    assert_eq!(machine[0]["status"], "unproved");
    assert!(machine[0]["notice"].as_str().unwrap().starts_with(said!("nothing-is-proved")), "{}", machine[0]);
    let unproved = machine.iter().filter(|event| event["status"] == "unproved").count();
    let noticed = machine.iter().filter(|event| event["notice"].is_string()).count();
    assert!(noticed <= 1 + machine.len() - unproved, "said again only when it changes");
    for level in ["1", "4", "classic"] {
        let all = self::json_events(&["--mode", "4", "--level", level, "--size", "4"], "");
        assert!(
            all.iter().filter(|event| event["event"] == "move").all(|event| event["status"].is_string()),
            "level {level}"
        );
    }
    let whole = self::json_events(&["--mode", "1", "--level", "classic"], "a1\n");
    assert_eq!((&whole[2]["status"], &whole[2]["depth"]), (&"draw".into(), &8.into()));
}

#[test]
fn every_mode_supports_json() {
    let replay = json_events(&["--mode", "3", "examples/moves.txt"], "");
    assert_eq!(event_names(&replay), ["start", "move", "move", "move", "move", "move", "end"]);
    assert!(replay[1..6].iter().all(|event| event["by"] == "file"));
    assert_eq!((&replay[6]["outcome"], &replay[6]["reason"]), (&"first".into(), &"completed row 1".into()));
    let machines = json_events(&["--mode", "4", "--seed", "1", "--size", "4"], "");
    assert!(machines.iter().filter(|event| event["event"] == "move").all(|event| event["by"] == "machine"));
    assert_eq!(machines.last().unwrap()["event"], "end");
}

#[test]
fn a_fallback_gives_one_error_and_a_second_start() {
    for (arguments, code, mode) in [
        (&["--mode", "3", "none.txt"][..], "file", Value::from(3)),
        (&["--mode", "3"], "file", 3.into()),
        (&["--mode", "9"], "bad-number", Value::Null),
    ] {
        let events = json_events(arguments, "");
        assert_eq!(event_names(&events), ["start", "error", "start", "end"], "{arguments:?}");
        assert_eq!(
            (&events[0]["mode"], &events[1]["code"], &events[2]["mode"]),
            (&mode, &code.into(), &1.into())
        );
    }
    let early = json_events(&["examples/early_end.txt"], "");
    assert_eq!(event_names(&early), ["start", "move", "move", "error", "start", "end"]);
}

#[test]
fn the_same_seed_gives_the_same_events_except_for_times() {
    let game = || {
        let mut events = json_events(&["--mode", "4", "--seed", "5", "--size", "4", "--nodes", "500"], "");
        for event in &mut events {
            event.as_object_mut().unwrap().remove("ms");
        }
        events
    };
    assert_eq!(game(), game());
}

#[test]
fn solve_prints_one_object() {
    let solve = |arguments: &[&str]| -> Value {
        let all: Vec<&str> =
            ["solve", "--game", "tic-tac-toe", "--json"].iter().chain(arguments).copied().collect();
        let run = run(&all, "");
        assert_eq!((run.code, run.out.lines().count()), (Some(0), 1), "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    };
    let start = solve(&["--size", "3"]);
    assert_eq!(
        (&start["outcome"], &start["to_move"], &start["winning"]),
        (&"draw".into(), &"first".into(), &serde_json::json!([]))
    );
    assert_eq!(start["moves"].as_object().unwrap().len(), 9);
    let fork = solve(&["--size", "3", "--moves", "a1 b1"]);
    assert_eq!(
        (&fork["outcome"], &fork["winning"]),
        (&"first".into(), &serde_json::json!(["a2", "b2", "a3"]))
    );
    assert_eq!(fork["moves"]["a2"], serde_json::json!({"outcome": "first", "distance": 5}));
    let unknown = solve(&["--size", "5", "--win-length", "4", "--nodes", "10"]);
    assert_eq!(unknown["outcome"], "unknown");
    for (size, k, outcome) in [
        ("2", "2", "first"),
        ("4", "3", "first"),
        ("5", "3", "first"),
        ("10", "10", "draw"),
        ("4", "1", "first"),
    ] {
        assert_eq!(solve(&["--size", size, "--win-length", k])["outcome"], outcome, "{size} {k}");
    }
    assert!(solve(&["--size", "3"])["nodes"].is_u64());
}

#[test]
fn the_log_records_the_game() {
    let folder = folder();
    let log = file(&folder, "log", "before\n");
    let played = run(&["--mode", "1", "--seed", "2", "--log", &log], "b2\nzz\nwhere\n");
    assert_eq!(played.code, Some(0));
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "before", "the log is appended to");
    assert!(
        lines[1].starts_with("start crosspath ")
            && lines[1].ends_with("tic-tac-toe size=3 mode=1 level=8 you=first seed=2")
    );
    assert!(
        lines.contains(&"read b2") && lines.contains(&"move 1 first b2") && lines.contains(&"word where"),
        "{text}"
    );
    assert!(text.contains("\nmove 2 second ") && text.contains("(nodes "), "{text}");
    assert!(
        text.contains("\nrefused not-understood: ") && text.ends_with("end of input\nleave after 2 moves\n"),
        "{text}"
    );
    let nowhere = run(&["--log", "/nowhere/log"], "");
    assert_eq!(nowhere.code, Some(1));
    assert!(nowhere.err.starts_with("error: cannot write the log /nowhere/log: "), "{}", nowhere.err);
}
