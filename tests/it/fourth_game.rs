//! A game needs only its description: Chomp, of the example program, works everywhere with its setting
//! `bite`.

#[cfg(unix)]
use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::support::{Run, example, file, folder, run, run_on};

fn run_with_chomp(arguments: &[&str], input: &str) -> Run {
    let mut command = example("fourth_game");
    command.args(arguments);
    run_on(command, input)
}

#[test]
fn the_setting_of_an_added_game_is_a_flag_with_help() {
    let help = run_with_chomp(&["--help"], "");
    assert!(help.out.contains("Game: tic-tac-toe, hex, quoridor or chomp"), "{}", help.out);
    assert!(help.out.contains("--bite <N>"), "{}", help.out);
    assert!(help.out.contains("Chomp: how many squares a bite takes at most"), "{}", help.out);
    let other = run_with_chomp(&["--game", "hex", "--bite", "2"], "");
    assert_eq!(
        (other.code, other.err.trim()),
        (Some(2), "error: hex has no option --bite; it takes --size, --no-swap")
    );
    let wrong = run_with_chomp(&["--game", "chomp", "--bite", "17"], "");
    assert!(wrong.err.contains("--bite 17 is not possible for chomp; it must be 1 to 16"), "{}", wrong.err);
    assert_eq!(run(&["--bite", "2"], "").code, Some(2), "the program without Chomp knows no bites");
}

#[test]
fn an_added_game_can_be_played_saved_and_replayed() {
    let folder = folder();
    let path = file(&folder, "chomp.txt", "");
    let game = run_with_chomp(
        &["--game", "chomp", "--mode", "2", "--size", "3", "--bite", "2"],
        &format!("b2\nc3\nb3\nwhere\nsave {path}\nnew 5 hex\nnew chomp 2\nb2\nresign\n"),
    );
    assert!(game.err.contains("A bite at b2 takes 4 squares; at most 2 are allowed."), "{}", game.err);
    assert!(game.out.contains("  2 # #\n  1 ! #\n    a b\n"), "{}", game.out);
    let record = std::fs::read_to_string(&path).unwrap();
    assert!(record.starts_with("# crosspath chomp size=3 bite=2\n"), "{record}");
    let replay = run_with_chomp(&[&path], "");
    assert!(replay.out.contains("1. Ann c3") && replay.out.contains("2. Ben b3"), "{}", replay.out);
    assert_eq!(replay.code, Some(0), "{}", replay.err);
}

#[test]
fn an_added_game_works_with_engines_perft_and_the_arena() {
    let game =
        run_with_chomp(&["--game", "chomp", "--mode", "4", "--size", "3", "--level", "2", "--seed", "1"], "");
    assert!(game.out.contains("Game over: Ann (first) left the poisoned square"), "{}", game.out);
    let perft = run_with_chomp(&["perft", "--game", "chomp", "--size", "2", "2"], "");
    // After a1 no square is left; a2 and b1 leave two squares, b2 leaves three.
    assert_eq!(perft.out, "1 4\n2 7\n");
    let engines = ["--engine", "a=level:2", "--engine", "b=level:1"];
    let report = run_with_chomp(&[&["arena", "--game", "chomp", "--pairs", "2"], &engines[..]].concat(), "");
    assert_eq!(report.code, Some(0), "{}{}", report.out, report.err);
}

#[test]
fn a_game_without_bench_positions_has_no_signature() {
    let bench = run_with_chomp(&["bench"], "").out;
    let signature = if cfg!(feature = "nets") { include_str!("../data/bench.txt") } else { "Bench: " };
    assert!(bench.contains(signature) && !bench.contains("chomp"), "{bench}");
}

#[cfg(unix)]
#[test]
fn the_setting_of_an_added_game_is_a_menu_option() {
    let program = example("fourth_game").get_program().to_str().unwrap().to_owned();
    let mut terminal = Terminal::start(shell("exec \"$1\"", &[&program]));
    terminal.expect(said!("from-the-shell"));
    terminal.send("4");
    terminal.expect("--game chomp --mode 1 --size 4");
    terminal.expect("Bite        ◂ 16 ▸");
    terminal.send("\t\u{1b}[B\u{1b}[B\u{1b}[D"); // to the options, down past the mode and the board, one less
    terminal.expect("--game chomp --mode 1 --size 4 --level 2 --bite 15");
    terminal.send("\r");
    terminal.expect("A bite takes at most 15 squares.");
}
