//! Files of moves, read and written in process: which form is recognised, what a header says, what is wrong with one.

use crosspath::record::{Form, Script, header, moves, without_number, write};
use crosspath::registry::{GAMES, Numbers, Variant};
use crosspath::session::Session;

fn board(size: usize) -> Box<dyn Session> {
    GAMES[0].session(&Variant { size: Some(size), ..Variant::default() }).unwrap()
}

fn texts(script: &Script) -> Vec<&str> {
    script.moves.iter().map(|noted| noted.text.as_str()).collect()
}

#[test]
fn digit_files_ignore_noise_and_digits_from_n_on() {
    let file = b"(0;0)-(1;1), (0;1)/(2;2)! 0+2 and 9 8 7 junk \xff\x00";
    let script = moves(file, &*board(3), Numbers::Digits);
    assert_eq!(script.form, Form::Digits);
    assert_eq!(texts(&script), ["0 0", "1 1", "0 1", "2 2", "0 2"]);
    assert_eq!(texts(&moves(b"3 3 9 a", &*board(3), Numbers::Digits)), [""; 0]);
    assert_eq!(texts(&moves(b"9 9 1", &*board(10), Numbers::Digits)), ["9 9"]);
}

#[test]
fn cell_names_are_a_list_only_if_every_word_is_a_cell_of_the_board() {
    let script = moves(b"1. b2 a1, # a comment\r\n2. c3\r", &*board(3), Numbers::Digits);
    assert_eq!((script.form, texts(&script)), (Form::List, vec!["b2", "a1", "c3"]));
    assert_eq!(script.moves[2].line, 2);
    assert_eq!(moves(b"b2 d4", &*board(3), Numbers::Digits).form, Form::Digits);
    assert_eq!(moves(b"", &*board(3), Numbers::Digits).form, Form::Digits);
}

#[test]
fn a_record_names_its_game_and_keeps_remarks() {
    let text = "\u{feff}# crosspath tic-tac-toe size=4 win-length=3\n# first: Ann · second: Bob\n1. a1 b1\n";
    let header = header(text.as_bytes()).unwrap().unwrap();
    assert_eq!(header.game.name, "tic-tac-toe");
    assert_eq!(header.variant, Variant { size: Some(4), win_length: Some(3), ..Variant::default() });
    let remark = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(header.remarks, [remark("first", "Ann"), remark("second", "Bob")]);
    assert_eq!(texts(&moves(text.as_bytes(), &*board(4), Numbers::Digits)), ["a1", "b1"]);
}

#[test]
fn a_bad_header_names_line_and_cure() {
    let why = |text: &str| header(text.as_bytes()).unwrap_err().to_string();
    assert!(why("\n# crosspath chess").starts_with("2: there is no game \"chess\"; games are "));
    assert_eq!(why("# crosspath"), "1: the game is missing after \"# crosspath\"");
    assert_eq!(why("# crosspath ttt 3"), "1: \"3\" is not key=value, such as size=3");
    assert_eq!(why("# crosspath ttt size=x"), "1: size \"x\" is not a whole number");
}

#[test]
fn what_is_written_is_read_back() {
    let mut session = board(3);
    for text in ["b2", "a1", "c3"] {
        session.play(text).unwrap();
    }
    let text = write(&*session, &[("first".to_owned(), "Ann".to_owned())]);
    assert_eq!(text, "# crosspath tic-tac-toe size=3\n# first: Ann\n1. b2 a1 2. c3\n");
    assert_eq!(texts(&moves(text.as_bytes(), &*board(3), Numbers::Digits)), ["b2", "a1", "c3"]);
}

#[test]
fn move_numbers_go_and_numbers_stay() {
    assert_eq!(["12.", "3... e8", "1.f6", "54", "b2"].map(without_number), ["", "e8", "f6", "54", "b2"]);
}
