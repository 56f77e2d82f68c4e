//! Line mode of the real program: boards, every command, the questions, and whole games as
//! transcripts.

use std::io::BufReader;
use std::time::{Duration, Instant};

use crosspath::game::{Game, Notation, RefusalCode};
use crosspath::games::tictactoe::TicTacToe;
use crosspath::ui::InputLine;
use crosspath::ui::line::read_line;

use crate::sentences::{assert_refused, lasting, said};
use crate::support::{assert_golden, crosspath, file, folder, run, without_players, without_words};

const BOARD: &str = "    a b c\n";

#[test]
fn boards_are_drawn_at_the_start_after_each_exchange_and_at_the_end() {
    let one = run(&["--mode", "1", "--seed", "1"], "b2\n");
    assert_eq!(one.out.matches(BOARD).count(), 2);
    let two = run(&["--mode", "2"], "b2\na1\n");
    assert_eq!(two.out.matches(BOARD).count(), 3);
    let won = run(&["--mode", "2"], "a1\nb2\nb1\nc3\nc1\n");
    assert_eq!(won.out.matches(BOARD).count(), 6);
    assert!(
        won.out.contains(lasting(format!(
            "\n{}\n    a b c\n  1*X*X*X*\n",
            said!("won-on-move-part", "X", "c1", "X", "5")
        ))),
        "{}",
        won.out
    );
    assert!(
        won.out.ends_with(lasting(format!(
            "\n{}\n",
            said!("game-over-first-completed-row", "X", "1", "5", "X")
        )))
    );
}

#[test]
fn an_engine_that_moves_first_is_shown_before_the_prompt() {
    let run = run(&["--mode", "1", "--play-as", "second", "--seed", "2"], "");
    assert_eq!(run.out.matches(BOARD).count(), 2);
    assert!(run.out.contains("\nX "), "{}", run.out);
}

#[test]
fn every_refused_line_has_its_code() {
    use RefusalCode as R;
    let codes = [(2, R::Taken), (3, R::OffBoard), (6, R::NotUnderstood)];
    assert_refused(&["--mode", "2"], "b2\nb2\nm3\n\n# nothing\nzz\nwhere\n", &codes);
    let codes = [(4, R::NothingToUndo), (6, R::NothingToUndo), (8, R::NothingToRedo), (9, R::BadNumber)];
    assert_refused(&["--mode", "2"], "b2\na1\nundo\nundo 5\nundo 1\nundo\nredo 2\nredo\nredo x\n", &codes);
    assert_refused(
        &["--mode", "2"],
        "a1\nlevel 2\nqiut\nsave\n",
        &[(2, R::BadNumber), (3, R::DidYouMean), (4, R::File)],
    );
}

#[test]
fn errors_name_their_line_and_change_nothing() {
    let run = run(&["--mode", "2"], "b2\nb2\nm3\n\n# nothing\nzz\nwhere\n");
    let expected = lasting(format!(
        "line 2: {}\nline 3: {}\nline 6: {}\n",
        said!("is-taken-move-nothing", "b2", "X", "1"),
        said!("is-off-the-board-columns", "m3"),
        said!("i-do-not-know-a-cell", "zz", "b2")
    ));
    assert_eq!(run.err, expected);
    assert!(
        run.out.ends_with(lasting(format!(
            "  X: b2.\n  {}\n  {}\n",
            said!("no-marks-yet", "O"),
            said!("last-to-move-move", "b2", "O", "2")
        ))),
        "{}",
        run.out
    );
    assert_eq!(run.out.matches(BOARD).count(), 2, "never a board after an error");
}

#[test]
fn undo_takes_back_a_full_turn_against_an_engine_and_one_ply_between_two_people() {
    let one = run(&["--mode", "1", "--seed", "1"], "b2\nundo\nredo\nmoves\nundo 1\n");
    assert!(
        one.out.contains(lasting(format!("  {}\n", said!("took-back-and-to", "b2", "a1", "X", "1")))),
        "{}",
        one.out
    );
    assert!(
        one.out.contains(lasting(format!(
            "  {}\n    a b c\n",
            said!("played-again-and-to", "b2", "a1", "X", "3")
        ))),
        "{}",
        one.out
    );
    assert!(one.out.contains("    1 b2     2 a1\n"), "{}", one.out);
    assert!(
        one.out.contains(lasting(format!("  {}\n", said!("took-back-the-machine", "a1")))),
        "{}",
        one.out
    );
    let two = run(&["--mode", "2"], "b2\na1\nundo\nundo 5\nundo 1\nundo\nredo 2\nredo\nredo x\n");
    assert!(
        two.out.contains(lasting(format!("  {}", said!("took-back-to-move", "a1", "O", "2")))),
        "{}",
        two.out
    );
    assert!(
        two.out.contains(lasting(format!("  {}\n", said!("played-again-and-to", "b2", "a1", "X", "3")))),
        "{}",
        two.out
    );
    let expected = lasting(format!(
        "line 4: Only 1 move can be undone.\nline 6: {}\nline 8: {}\nline 9: {}\n",
        said!("there-is-nothing-to"),
        said!("there-is-nothing-to-redo"),
        said!("redo-takes-a-number", "1", "x")
    ));
    assert_eq!(two.err, expected);
    let second = run(&["--mode", "1", "--play-as", "second", "--seed", "1"], "undo\nwhere\n");
    assert_eq!(second.err, lasting(format!("line 1: {}\n", said!("there-is-nothing-to"))));
    assert!(
        second.out.contains(said!("to-move-move-part", "O", "2")),
        "the machine's first move stays: {}",
        second.out
    );
}

#[test]
fn a_resigned_game_continues_after_undo() {
    let run = run(&["--mode", "2"], "a1\nundo\nresign\nredo\nundo\nredo\nresign\nundo 1\nwhere\n");
    assert_eq!(run.err, lasting(format!("line 4: {}\n", said!("there-is-nothing-to-redo"))));
    assert_eq!(run.out.matches(" resigned. ").count(), 2, "{}", run.out);
    assert!(
        run.out.contains(lasting(format!("{}\n", said!("game-over-second-won", "O", "X", "O")))),
        "{}",
        run.out
    );
    assert!(
        run.out.contains(lasting(format!("  {}\n", said!("the-game-goes-on-to", "X", "1")))),
        "{}",
        run.out
    );
    assert!(
        run.out.contains(lasting(format!("  {}\n", said!("played-again-to-move", "a1", "O", "2")))),
        "{}",
        run.out
    );
    assert!(
        run.out.ends_with(lasting(format!(
            "  X: a1.\n  {}\n  {}\n",
            said!("no-marks-yet", "O"),
            said!("last-to-move-move", "a1", "O", "2")
        ))),
        "{}",
        run.out
    );
}

#[test]
fn undo_after_new_returns_to_the_last_game_with_moves() {
    let session =
        run(&["--mode", "1", "--play-as", "second", "--seed", "2"], "b2\na1\nnew\nnew\nundo\nmoves\n");
    assert!(session.out.contains(said!("the-game-before-is")), "{}{}", session.out, session.err);
    let moves = session.out.rsplit(said!("the-game-before")).next().unwrap();
    assert!(moves.contains("b2") || moves.contains("a1"), "the person's moves are there again: {moves}");
}

#[test]
fn moves_and_promote_refer_to_the_line_on_screen() {
    let lines = "b2\na1\nundo 2\nc3\nvariations 1\nmoves\npromote\nwhere\n";
    let output = run(&["--mode", "2"], lines).out;
    assert!(output.contains("  1 b2     2 a1\n"), "{output}");
    let json = run(&["--mode", "2", "--json"], lines).out;
    let ply = |word: &str| {
        let line =
            json.lines().find(|line| line.contains(&format!("\"word\":\"{word}\""))).unwrap().to_owned();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()["ply"].clone()
    };
    assert_eq!(ply("promote"), ply("where"), "{json}");
}

#[test]
fn a_new_game_starts_with_its_own_default_level() {
    let output = run(&["--mode", "1", "--game", "hex"], "new tic-tac-toe\nlevel\n").out;
    assert!(output.contains("level 8"), "{output}");
}

#[test]
fn commands_without_arguments_refuse_an_argument() {
    let run = run(&["--mode", "2"], "resign now\nplay b2\nhint b2\nb2\n");
    let expected = "line 1: resign takes no argument. Type resign without \"now\".\n\
                  line 2: play takes no argument. Type play without \"b2\".\n\
                  line 3: hint takes no argument. Type hint without \"b2\".\n";
    assert_eq!(run.err, expected);
    assert!(run.out.contains("(X)") && !run.out.contains(said!("gave-up")), "{}", run.out);
}

#[test]
fn the_words_option_reports_each_move_and_draws_no_board() {
    for game in ["tic-tac-toe", "hex", "quoridor"] {
        let moves = if game == "quoridor" { "e2\ne8\n" } else { "b2\nc1\n" };
        let session =
            run(&["--words", "--game", game, "--mode", "2"], format!("{moves}undo\nboard\nrules\n"));
        let is_drawn = |line: &&str| {
            let signs = line.chars().filter(|sign| !sign.is_whitespace()).collect::<Vec<_>>();
            signs.iter().filter(|sign| "|+-.·─│╱╲_".contains(**sign)).count() * 2 > signs.len()
                || line.trim().starts_with("a b c")
        };
        assert_eq!(session.out.lines().find(is_drawn), None, "{}", session.out);
        let (first, second) = moves.trim().split_once('\n').unwrap();
        for mv in [first, second] {
            let count = session.out.lines().filter(|line| line.ends_with(&format!(" {mv}"))).count();
            assert_eq!(count, 1, "{mv} is reported once in\n{}", session.out);
        }
        assert!(session.out.contains(&format!("Last move: {first}.")), "board describes it: {}", session.out);
    }
    // A game that starts from a set-up position begins with its description.
    let session =
        run(&["--words", "--game", "hex", "--size", "3", "--position", "a1 / b2 / 1 / 3", "--mode", "2"], "");
    assert!(session.out.contains("a1") && session.out.contains("b2"), "{}", session.out);
}

#[test]
fn commands_refer_to_the_position_on_screen() {
    let input = "b2\na1\ngoto 0\nwhere\nlegal\nback 18446744073709551615\nnext\nlegal\nc3\nwhere\n";
    let run = run(&["--mode", "2"], input);
    assert!(
        run.out.contains(lasting(format!(
            "  {}\n  {}\n  {}\n",
            said!("no-marks-yet", "X"),
            said!("no-marks-yet", "O"),
            said!("no-move-yet-to", "X", "1")
        ))),
        "{}",
        run.out
    );
    assert!(run.out.contains("  a1 b1 c1 a2 b2 c2 a3 b3 c3\n"), "{}", run.out);
    assert_eq!(run.err, lasting(format!("line 6: {}\n", said!("this-is-the-first"))));
    assert!(run.out.contains("  a1 b1 c1 a2 c2 a3 b3 c3\n"), "{}", run.out);
    assert!(run.out.contains(lasting(format!("X c3\n  {}\n", said!("back-at-the-present")))), "{}", run.out);
    assert!(
        run.out.ends_with(lasting(format!(
            "  X: b2 c3.\n  O: a1.\n  {}\n",
            said!("last-to-move-move", "c3", "O", "4")
        ))),
        "{}",
        run.out
    );
}

#[test]
fn hints_on_small_boards_give_the_value_of_the_move() {
    let run = run(&["--mode", "1", "--seed", "1"], "b2\nhint\n");
    let hint = run.out.lines().find(|line| line.starts_with("  Hint: ")).unwrap();
    assert!(hint.ends_with("; draws)."), "{hint}");
}

#[test]
fn every_finished_game_can_be_followed_by_another() {
    let won = "a1\nb2\nb1\nc3\nc1\n";
    let drawn = "b2\na1\nc1\na3\na2\nc2\nb1\nb3\nc3\n";
    let lost = "a1\nb2\na2\nb1\nc3\nb3\n";
    for game in [won, drawn, lost] {
        for (answer, games) in
            [("", 1), ("n\n", 1), ("0\n", 1), ("\n", 1), ("quit\n", 1), ("y\n", 2), ("T\n", 2), ("7\n", 2)]
        {
            let run = run(&["--mode", "2"], format!("{game}{answer}"));
            let empty = run.out.matches("  1 _ _ _\n  2 _ _ _\n  3 _ _ _\n").count();
            assert_eq!((empty, run.code), (games, Some(0)), "{answer:?}: {}", run.out);
            assert!(!run.out.contains("Another"), "on a pipe nothing is asked");
        }
    }
    let words = run(&["--mode", "2"], format!("{won}what\nmoves\nb2\nundo\nc1\nn\nb2\n"));
    assert_eq!(
        words.err,
        lasting(format!(
            "line 6: {}\nline 8: {}\n",
            said!("is-neither-yes-nor", "what"),
            said!("is-neither-yes-nor", "b2")
        ))
    );
    assert_eq!(words.out.matches("X wins.").count(), 2, "undo at the question goes on playing");
}

#[test]
fn a_file_with_moves_after_the_end_is_not_loaded() {
    let folder = folder();
    let path = file(&folder, "won.txt", "a1 b2 b1 c3 c1 a2");
    let run = run(&["--mode", "2"], format!("load {path}\nb2\n"));
    assert!(
        run.err.contains(lasting(format!("won.txt:1: {}", said!("the-game-is-over-won-on", "X", "5")))),
        "{}",
        run.err
    );
    assert!(
        run.out.ends_with("X b2\n    a b c\n  1 _ _ _\n  2 _(X)_\n  3 _ _ _\n"),
        "nothing was changed: {}",
        run.out
    );
}

#[test]
fn save_and_load_restore_the_game_and_touch_no_other_file() {
    let folder = folder();
    let path = folder.path().join("game.txt").to_str().unwrap().to_owned();
    let notes = file(&folder, "notes.txt", "my notes");
    let saved = run(
        &["--mode", "2", "--size", "4"],
        format!("b2\na1\nsave {path}\nsave {notes}\nsave\nsave /nowhere/x\n"),
    );
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(without_players(&text), "# crosspath tic-tac-toe size=4\n1. b2 a1\n");
    let day = jiff::Zoned::now().date();
    assert!(text.contains(&format!("\n# first: human\n# second: human\n# date: {day}\n")), "{text}");
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "my notes");
    assert!(saved.out.contains(&format!("  {}\n", said!("saved-in-load-goes", path, path))));
    assert!(
        saved.err.contains("notes.txt already exists and is not a game, so it was not replaced."),
        "{}",
        saved.err
    );
    assert!(saved.err.contains("line 5: save needs a file name"), "{}", saved.err);
    assert!(saved.err.contains("line 6: cannot write /nowhere/x: no such folder"), "{}", saved.err);
    let loaded = run(&["--mode", "2"], format!("load {path}\nd4\nload {path}x\nload\n"));
    assert!(
        loaded
            .out
            .contains(&format!("  {}\n    a b c d\n", said!("loaded-moves-from-to", "2", path, "X", "3"))),
        "{}",
        loaded.out
    );
    assert!(loaded.out.contains("X d4\n"));
    assert!(
        loaded.err.contains(lasting(format!("line 3: {}", said!("cannot-read"))))
            && loaded.err.contains("line 4: load needs"),
        "{}",
        loaded.err
    );
}

#[test]
fn save_overwrites_only_saved_games() {
    let folder = folder();
    let big = file(&folder, "photo.jpg", vec![7; 1_500_000]);
    let readme = file(&folder, "README.md", "# crosspath\n\nNoughts and crosses\n");
    let game = file(&folder, "game.txt", "# crosspath tic-tac-toe size=3\n1. a1\n");
    for path in [&big, &readme] {
        let before = std::fs::read(path).unwrap();
        let run = run(&["--mode", "2"], format!("b2\nsave {path}\n"));
        assert!(run.err.contains(said!("exists-and-is-no")), "{path}: {}{}", run.out, run.err);
        assert_eq!(std::fs::read(path).unwrap(), before, "{path}");
    }
    let before = std::fs::read(&game).unwrap();
    let refused = run(&["--mode", "2"], format!("b2\nsave {game}\n"));
    let why = said!("holds-another-game-it", game, game).to_owned();
    assert!(refused.err.contains(&why), "{}", refused.err);
    assert_eq!(std::fs::read(&game).unwrap(), before);
    let twice = run(&["--mode", "2"], format!("b2\nsave! {game}\na1\nsave {game}\n"));
    assert!(
        twice.out.contains(said!("over-the-game-that")) && twice.err.is_empty(),
        "{}{}",
        twice.out,
        twice.err
    );
    assert!(std::fs::read_to_string(&game).unwrap().contains("1. b2 a1"), "its own file needs no question");
    let mut read_only = std::fs::metadata(&game).unwrap().permissions();
    read_only.set_readonly(true);
    std::fs::set_permissions(&game, read_only).unwrap();
    let run = run(&["--mode", "2"], format!("c3\nsave! {game}\n"));
    assert!(run.err.contains(said!("no-permission")), "{}", run.err);
    assert!(std::fs::read_to_string(&game).unwrap().contains("1. b2"));
}

#[test]
fn remarks_of_a_record_are_shown_and_saved() {
    let folder = folder();
    let path = folder.path().join("again.txt").to_str().unwrap().to_owned();
    assert!(run(&["examples/draw.txt"], "").out.contains("  first: Ann · second: Ben · result: draw\n"));
    let run = run(&["--mode", "2"], format!("load examples/draw.txt\nundo\nsave {path}\n"));
    assert_eq!(run.code, Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.starts_with(
            "# crosspath tic-tac-toe size=3\n# first: Ann\n# second: Ben\n# present: 8\n1. b2 a1 "
        ),
        "{text}"
    );
}

#[test]
fn later_games_of_a_run_use_different_random_moves() {
    let run = run(&["--size", "5", "--level", "1", "--seed", "4"], "a1\nnew\n".repeat(6));
    let answers = run.out.lines().filter_map(|line| line.strip_prefix("X a1 | O "));
    let answers: std::collections::BTreeSet<String> = answers.map(str::to_owned).collect();
    assert!(answers.len() > 2, "{answers:?}");
}

#[test]
fn new_and_level_change_the_game() {
    let run = run(
        &["--mode", "1", "--seed", "1"],
        "level\nlevel 2\nlevel 99\nnew tic-tac-toe 4\nnew 5\nnew ttt 11\nnew chess\nnew\n",
    );
    for part in [
        "The engine plays at level ",
        "The engine now plays at level 2 (novice).",
        "    a b c d\n",
        "    a b c d e\n",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    assert!(run.err.contains("line 3: There is no level 99; levels are classic, 1 to "), "{}", run.err);
    assert!(
        run.err.contains("line 6: Size 11 is not possible for tic-tac-toe; it must be 1 to 10."),
        "{}",
        run.err
    );
    assert!(
        run.err.contains(lasting(format!(
            "line 7: {}",
            said!("there-is-no-game", "chess").replace("there is", "There is")
        ))),
        "{}",
        run.err
    );
    assert_eq!(
        self::run(&["--mode", "2"], "level 3\n").err,
        lasting(format!("line 1: {}\n", said!("no-machine-plays-here")))
    );
}

#[test]
fn help_lists_every_command_and_explains_one() {
    let run = run(&["--mode", "2"], "help\nhelp undo\n?\nhelp foo\n");
    assert_eq!(run.err, lasting(format!("line 4: {}\n", said!("there-is-no-word", "foo"))));
    for entry in crosspath::play::COMMAND_WORDS {
        assert!(run.out.contains(&format!("  {}", entry.name)), "{}", entry.name);
    }
    assert!(run.out.contains("  undo [N]: undo moves.\n"), "{}", run.out);
    assert!(run.out.lines().all(|line| line.len() <= 79), "{}", run.out);
}

#[test]
fn legal_lists_all_moves_in_order() {
    assert!(run(&["--mode", "2"], "b2\nlegal\n").out.ends_with("  a1 b1 c1 a2 c2 a3 b3 c3\n"));
}

#[test]
fn colour_is_off_on_a_pipe_unless_requested() {
    let escape = |arguments: &[&str], variables: &[(&str, &str)]| {
        let output = crosspath(arguments)
            .envs(variables.iter().copied())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        output.stdout.contains(&0x1b)
    };
    let game = ["--mode", "3", "examples/moves.txt"];
    let with = |option: &[&'static str]| game.iter().chain(option).copied().collect::<Vec<_>>();
    assert!(!escape(&game, &[]));
    assert!(escape(&game, &[("CLICOLOR_FORCE", "1")]));
    assert!(!escape(&game, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(escape(&with(&["--color", "always"]), &[("NO_COLOR", "1")]));
    assert!(!escape(&with(&["--color", "never"]), &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = || run(&["--mode", "4", "--seed", "9", "--size", "5", "--level", "2"], "").out;
    assert_eq!(game(), game());
    let random = |seed: &str| run(&["--play-as", "random", "--seed", seed], "").out;
    assert!((0..20).map(|seed| random(&seed.to_string())).any(|out| out.contains("\nX ")));
    assert!((0..20).map(|seed| random(&seed.to_string())).any(|out| !out.contains("\nX ")));
}

#[test]
fn stats_report_the_call_counts_of_the_original() {
    for (move_, calls) in [("a1", "59704"), ("b1", "63904"), ("b2", "55504")] {
        let run = run(&["--level", "classic", "--stats", "--seed", "5"], format!("{move_}\n"));
        assert!(run.err.starts_with(&format!("seed 5\nnodes {calls}, depth 8, score +0, ")), "{}", run.err);
    }
    let first = run(&["--level", "classic", "--stats", "--seed", "5", "--play-as", "second"], "");
    assert!(first.err.contains("nodes 549945, depth 9, score +0, "), "{}", first.err);
}

/// The engine's replies are forced or fixed by the seed.
#[test]
fn a_game_of_the_polish_original_is_played_by_cell_numbers() {
    // The player types cells as numbers in reading order. Occupied cells and other words are
    // refused.
    let run = run(&["--mode", "1", "--level", "classic", "--seed", "1"], "5\n5\nx\n0\n10\n3\n4\n2\n9\nN\n");
    // The library draws its board after these moves.
    let mut game = TicTacToe::new(3).unwrap();
    let moves = run.out.lines().filter(|line| line.starts_with("X ")).flat_map(|line| line.split(" | "));
    for text in
        moves.filter_map(|part| part.split_once(' ').map(|(_, text)| text)).filter(|text| text.len() == 2)
    {
        let cell = game.parse(text).unwrap();
        game.try_make_move(cell).unwrap();
    }
    let shown = format!(
        "{}--- errors
{}--- its board
{game}",
        run.out, run.err
    );
    assert_golden(&without_words(&shown), "tests/golden/polish_game.txt");
}

#[test]
fn a_game_of_the_c_original_is_played_by_rows_and_columns() {
    let run = run(&["--mode", "2"], "0 0\n1 1\n0 0\n3 0\n-1 2\n0 1\n2 2\n0 2\n0\n");
    let shown = format!("{}--- errors\n{}", run.out, run.err);
    assert_golden(&without_words(&shown), "tests/golden/c_game.txt");
}

#[test]
fn perft_prints_one_line_per_depth() {
    assert_eq!(
        run(&["perft", "--game", "tic-tac-toe", "--size", "3", "4"], "").out,
        "1 9\n2 72\n3 504\n4 3024\n"
    );
    assert_eq!(run(&["perft", "--size", "4", "--win-length", "3", "2"], "").out, "1 16\n2 240\n");
    assert_eq!(run(&["perft", "--moves", "b2 a1", "2"], "").out, "1 7\n2 42\n");
    let wrong = run(&["perft", "--moves", "b2 b2", "2"], "");
    assert_eq!(
        (wrong.err.as_str(), wrong.code),
        (lasting(format!("error: {}\n", said!("moves-is-taken-move", "b2", "X", "1"))), Some(2))
    );
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn the_first_board_appears_within_ten_milliseconds() {
    let once = || {
        let started = Instant::now();
        assert_eq!(run(&["--mode", "2"], "").code, Some(0));
        started.elapsed()
    };
    // The fastest run counts, because other work slows the rest.
    let best = (0..40).map(|_| once()).min().unwrap();
    assert!(best < Duration::from_millis(10), "{best:?}");
}

#[test]
fn where_names_the_winner_even_after_a_resignation() {
    let given_up = run(&["--mode", "2"], "a1\nresign\nwhere\n");
    assert!(
        given_up.out.contains(lasting(format!("{}\n", said!("last-the-game-is", "a1", "X", "O")))),
        "{}",
        given_up.out
    );
    let won = run(&["--mode", "2"], "a1\nb1\na2\nb2\na3\nwhere\n");
    assert!(
        won.out.contains(lasting(format!("{}\n", said!("last-the-game-is-over", "a3", "X")))),
        "{}",
        won.out
    );
    let replay = run(&["--mode", "2"], "a1\nreplay game.txt\n");
    assert_eq!(replay.err, lasting(format!("line 2: {}\n", said!("replay-shows-this-game"))));
}

#[test]
fn lines_end_with_lf_crlf_or_the_end_of_input() {
    let mut input = &b"a1\r\nb2\n\nc3"[..];
    let mut next = || read_line(&mut input, 10).unwrap();
    for text in ["a1", "b2", "", "c3"] {
        assert_eq!(next(), InputLine::Line(text.to_owned()));
    }
    assert_eq!(next(), InputLine::End);
}

#[test]
fn yes_and_no_are_understood_in_five_languages() {
    let game = "a1\na2\nb1\nb2\nc1\n";
    for (answers, boards) in
        [("y yes s sim t tak ν ναι NAI j Ja", 7), ("n no não nao nie ο όχι ΟΧΙ ochi nein", 6)]
    {
        for answer in answers.split_whitespace() {
            let run = run(&["--mode", "2"], format!("{game}{answer}\n"));
            let drawn = run.out.matches(BOARD).count();
            assert_eq!(
                (drawn, run.err.contains("neither")),
                (boards, false),
                "{answer}: {}{}",
                run.out,
                run.err
            );
        }
    }
}

#[test]
fn an_overlong_line_is_dropped_and_the_next_one_is_read() {
    let mut input = BufReader::with_capacity(7, &b"0123456789x\n0123456789\n\xff\x00\n"[..]);
    let mut next = || read_line(&mut input, 10).unwrap();
    assert_eq!(next(), InputLine::TooLong);
    assert_eq!(next(), InputLine::Line("0123456789".to_owned()));
    assert_eq!(next(), InputLine::Bytes(b"\xff\0".to_vec()));
}

#[test]
fn playing_on_past_a_resignation_cancels_it() {
    // Redo ends at the resignation. The moves after it belong to another line.
    let again = run(&["--mode", "2"], "a1\nb2\nundo\nresign\nback\nplay\nredo 9\nredo\nwhere\n");
    assert!(again.out.contains(said!("played-again", "a1")), "as far as it goes: {}{}", again.out, again.err);
    assert!(again.err.contains(said!("there-is-nothing-to-redo")), "{}{}", again.out, again.err);
    assert!(again.out.contains(said!("the-game-is-over-won-because", "X", "O")), "{}", again.out);
    for word in ["promote", "play"] {
        let other = format!("a1\nb2\nundo\nresign\nvariations 1\n{word}\ngoto end\nundo 1\nb3\nwhere\n");
        let other = run(&["--mode", "2"], other);
        assert!(other.out.contains(said!("last-to-move", "b3", "X")), "{word}: {}{}", other.out, other.err);
        assert_eq!(other.out.matches(" resigned. ").count(), 1, "{word}: {}", other.out);
    }
}

#[test]
fn a_game_resigned_before_its_first_move_can_be_restarted() {
    for again in ["y", "new", "new 3"] {
        let anew = run(&["--mode", "2"], format!("resign\n{again}\nb2\nwhere\n"));
        assert!(
            anew.out.contains(said!("last-to-move-move", "b2", "O", "2")),
            "{again}: {}{}",
            anew.out,
            anew.err
        );
    }
}

#[test]
fn variations_asks_for_the_number_of_a_line() {
    let none = run(&["--mode", "2"], "a1\nvariations 0\n");
    assert_eq!(none.err, lasting(format!("line 2: {}\n", said!("variations-takes-the-number", "1", "0"))));
}

#[test]
fn stats_of_a_new_game_do_not_show_the_last_search() {
    let run = run(&["--mode", "1", "--level", "2", "--seed", "1"], "b2\nstats\nnew\nstats\n");
    let stats: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.contains("nodes ") || line.contains(said!("no-machine")))
        .collect();
    assert_eq!(stats.len(), 2, "{}", run.out);
    assert!(stats[0].contains("nodes ") && stats[1].contains(said!("no-machine")), "{stats:?}");
}

#[test]
fn undone_moves_are_saved_and_can_be_redone() {
    let folder = folder();
    let path = file(&folder, "game.txt", "# crosspath tic-tac-toe size=3\n1. b2 a1 2. c3 (2. a2) c1\n");
    let out = run(
        &["--mode", "2"],
        format!("load {path}\nundo 3\nsave {path}\nload {path}\nwhere\nredo 3\nwhere\n"),
    )
    .out;
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# crosspath tic-tac-toe size=3\n# present: 1\n1. b2 a1 2. c3 (2. a2) c1\n");
    assert!(
        out.contains(lasting(format!("X: b2.\n  {}", said!("no-marks-yet", "O"))))
            && out.contains("X: b2 c3.\n  O: a1 c1."),
        "{out}"
    );
    let watched = run(&["--mode", "3", &path], "n\n").out;
    assert!(watched.contains("c1"), "a replay goes on to the end: {watched}");
}

#[test]
fn a_message_about_a_file_ends_with_one_full_stop() {
    let folder = folder();
    let path = file(&folder, "game.txt", "# crosspath tic-tac-toe size=3\n1. b2 ) a1\n");
    let err = run(&[&path], "").err;
    assert!(err.contains(said!("a-side-line-ends")), "{err}");
}

#[test]
fn a_present_remark_without_a_number_is_an_ordinary_remark() {
    let folder = folder();
    let path = file(&folder, "game.txt", "# crosspath tic-tac-toe size=3\n# present: Ann, Ben\n1. b2 a1\n");
    run(&["--mode", "2"], format!("load {path}\nc3\nsave {path}\n"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# crosspath tic-tac-toe size=3\n# present: Ann, Ben\n1. b2 a1 2. c3\n");
}
