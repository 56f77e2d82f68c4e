//! What a player types, read in process: cells, words, slips of the finger, places off the board.

use crosspath::command::{Command, WORDS, Word, find, read};
use crosspath::game::Illegal;
use crosspath::play::{self, Answer};
use crosspath::registry::{GAMES, Variant};

fn say(line: &str) -> Result<Command, Illegal> {
    read(line, &*GAMES[0].session(&Variant::default()).unwrap())
}

#[test]
fn cells_are_read_in_all_three_spellings() {
    for (line, cell) in [("a1", "a1"), (" B3 ", "b3"), ("0 0", "a1"), ("1,2", "c2"), ("6", "c2"), ("8", "b3")]
    {
        assert_eq!(say(line), Ok(Command::Move(cell.to_owned())), "{line}");
    }
    assert_eq!(say("1. c3 # a fork"), Ok(Command::Move("c3".to_owned())));
    assert_eq!(say("3... c3"), Ok(Command::Move("c3".to_owned())));
}

#[test]
fn words_may_be_cut_to_three_letters() {
    assert_eq!(say("UNDO 2"), Ok(Command::Word(Word::Undo, "2".to_owned())));
    assert_eq!(say("und"), Ok(Command::Word(Word::Undo, String::new())));
    assert_eq!(say("exit"), Ok(Command::Word(Word::Quit, String::new())));
    assert!(say("un").is_err());
    for entry in WORDS {
        assert_eq!(find(entry.name), Some(entry.word));
    }
}

#[test]
fn blank_lines_and_comments_say_nothing() {
    for line in ["", "   ", "# b2", "\t", "3."] {
        assert_eq!(say(line), Ok(Command::Nothing), "{line:?}");
    }
}

#[test]
fn slips_of_the_finger_are_guessed_only_when_there_is_one_guess() {
    let text = |line| say(line).unwrap_err().text;
    assert_eq!(text("qiut"), "I do not know \"qiut\". Did you mean quit?");
    assert_eq!(text("laod game"), "I do not know \"laod game\". Did you mean load?");
    assert_eq!(say("zz").unwrap_err().code, "not-understood");
    assert_eq!(
        text("zz"),
        "I do not know \"zz\". A cell is a letter a-c and a number 1-3, such as b2. Other words: help"
    );
}

#[test]
fn places_off_the_board_name_the_ranges() {
    for line in ["m3", "d1", "a4", "a0", "0", "10", "3 0", "-1 0", "99999999999999999999"] {
        let illegal = say(line).unwrap_err();
        let is_unread = line == "a0"; // there is no row 0 on any board
        assert_eq!(illegal.code, if is_unread { "not-understood" } else { "off-board" }, "{line}");
    }
    assert_eq!(say("m3").unwrap_err().text, "m3 is off the board. Columns are a-c, rows 1-3.");
    assert_eq!(say("1 1 1").unwrap_err().code, "not-understood");
}

#[test]
fn the_question_takes_numbers_words_and_four_languages() {
    let answer = |text| play::answer(text, &*GAMES[1].session(&Variant::default()).unwrap());
    for text in ["1", "7", "-3", "y", "YES", "s", "Sim", "t", "T", "tak", "j", "Ja"] {
        assert_eq!(answer(text), Answer::Again, "{text}");
    }
    for text in ["0", "00", "n", "No", "q", "quit", ""] {
        assert_eq!(answer(text), Answer::Leave, "{text}");
    }
    for text in ["undo", "save game.txt", "board", "new", "weights", "help"] {
        assert_eq!(answer(text), Answer::Word, "{text}");
    }
    assert_eq!(answer("b2"), Answer::Neither);
    assert_eq!(answer("maybe"), Answer::Neither);
}
