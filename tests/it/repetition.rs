//! Repeated positions: messages, draws, and replays, which continue.

use crate::sentences::{lasting, said};
use crate::support::{file, folder, run, without_players};

/// Both pawns step aside and back, which repeats the position after four plies.
const SHUFFLE: [&str; 4] = ["d1", "d9", "e1", "e9"];

fn repeat_shuffle(times: usize) -> String {
    SHUFFLE.repeat(times).join("\n") + "\n"
}

#[test]
fn the_second_occurrence_is_announced_the_third_claimable_and_the_fifth_a_draw() {
    let two = run(&["--game", "quoridor", "--mode", "2"], repeat_shuffle(1) + "draw\n");
    assert!(two.out.contains(lasting(format!("  {}\n", said!("this-position-has-come")))));
    assert!(two.err.contains(lasting(format!("line 5: {}", said!("a-draw-can-be")))), "{}", two.err);
    let three = run(&["--game", "quoridor", "--mode", "2"], repeat_shuffle(2) + "draw\nundo\nd1\n");
    assert!(three.out.contains(lasting(format!("  {}\n", said!("this-position-has-come-up")))));
    assert!(
        three.out.contains(lasting(format!("{}\n", said!("draw-by-repetition-after", "8")))),
        "{}",
        three.out
    );
    assert!(
        three.out.contains(lasting(format!("  {}\n", said!("the-game-goes-on-to", "White", "9")))),
        "{}",
        three.out
    );
    let five = run(&["--game", "quoridor", "--mode", "2"], repeat_shuffle(4));
    assert!(five.out.contains(" | draw on move 16\n"), "{}", five.out);
}

#[test]
fn a_replay_continues_through_repetitions() {
    let folder = folder();
    let moves = SHUFFLE.repeat(6).join(" ");
    let path = file(&folder, "dance.txt", format!("# crosspath quoridor size=9 walls=10\n{moves} draw\n"));
    let replay = run(&[&path, "--strict"], "");
    assert_eq!((replay.code, replay.err.as_str()), (Some(0), ""));
    assert!(replay.out.ends_with(lasting(format!("{}\n", said!("draw-by-repetition-after", "24")))));
    assert!(
        replay.out.contains(lasting(format!("{}\n", said!("this-position-has-come-up-times", "3")))),
        "announced: {}",
        replay.out
    );
    let loaded = run(&["--game", "quoridor", "--mode", "2"], format!("load {path}\n"));
    assert!(
        loaded.out.contains(lasting(format!("{}\n", said!("this-position-has-come-up-times", "7")))),
        "{}",
        loaded.out
    );
    for (head, line) in
        [("quoridor size=9 walls=10", "e2 draw"), ("hex size=3", "a1 draw"), ("quoridor size=9", "draw")]
    {
        let early = file(&folder, "early.txt", format!("# crosspath {head}\n{line}\n"));
        let replay = run(&[&early, "--strict"], "");
        assert_eq!(replay.code, Some(65));
        assert!(
            replay.err.contains(lasting(format!("early.txt:2: {}", said!("a-draw-can-be-claimed")))),
            "{}",
            replay.err
        );
    }
    let unfinished = file(&folder, "open.txt", format!("# crosspath quoridor size=9 walls=10\n{moves}\n"));
    let stays = run(&[&unfinished, "--strict"], "");
    assert_eq!((stays.code, &*stays.err), (Some(0), ""), "an unfinished game is a replay like others");
    assert!(stays.out.contains("24. "), "{}", stays.out);
}

#[test]
fn a_resigned_game_is_saved_as_resigned() {
    let folder = folder();
    let path = folder.path().join("game.txt").to_str().unwrap().to_owned();
    let played = run(&["--mode", "2"], format!("b2\nresign\nsave {path}\n"));
    assert!(played.out.contains(lasting(format!("  {}\n", said!("gives-up", "O")))), "{}", played.out);
    assert_eq!(
        without_players(&std::fs::read_to_string(&path).unwrap()),
        "# crosspath tic-tac-toe size=3\n# result: first\n1. b2 resign\n"
    );
    let replay = run(&[&path, "--strict"], "");
    assert!(
        replay.out.ends_with(lasting(format!("{}\n", said!("game-over-first-won-because", "X", "O", "X")))),
        "{}",
        replay.out
    );
    assert!(run(&["--mode", "2"], format!("load {path}\nundo\nwhere\n")).out.contains(said!(
        "to-move-move",
        "O",
        "2"
    )));
}

#[test]
fn the_command_legal_describes_a_move_or_explains_why_it_is_illegal() {
    let run = run(
        &["--game", "quoridor", "--mode", "2"],
        "legal e3h\nlegal e2\ne3h\nlegal e3v\nlegal e5\nlegal zz\n",
    );
    assert!(run.out.contains("  e3h ok: V 8>9  A 8>9 steps\n"), "{}", run.out);
    assert!(run.out.contains("  e2 ok: V 8>8  A 8>7 steps\n"), "{}", run.out);
    assert!(run.err.contains("line 4: e3v is not allowed: it would cross the wall e3h."), "{}", run.err);
    assert!(
        run.err.contains(lasting(format!("line 5: {} ", said!("is-not-a-step-from-steps", "e5", "e9")))),
        "{}",
        run.err
    );
}

/// The player's move makes the third occurrence, and then the engine moves.
#[test]
fn a_draw_can_be_claimed_after_the_engine_has_moved() {
    let folder = folder();
    let path = file(&folder, "dance.txt", "# crosspath quoridor size=5 walls=0\nc2 c4 c1 c5 c2 c4 c1 c5\n");
    let run = run(&["--game", "quoridor", "--level", "classic"], format!("load {path}\nc2\ndraw\n"));
    assert!(run.out.contains("White c2 | Black "), "one result line: {}", run.out);
    assert!(run.out.contains(said!("draw-by-repetition")), "{}{}", run.out, run.err);
}

#[test]
fn between_engines_the_third_occurrence_is_a_draw() {
    let out = run(&["--game", "quoridor", "--mode", "2", "--json"], repeat_shuffle(2) + "draw\n").out;
    let events: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, [["start"].as_slice(), &["move"; 8], &["word", "end"]].concat());
    assert!(events[4]["notice"].as_str().unwrap().starts_with(said!("this-position-has-come-up-before")));
    assert!(events[8]["notice"].as_str().unwrap().starts_with(said!("this-position-has-come-up-three")));
}
