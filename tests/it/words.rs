//! Parsing of typed lines: cells, commands, typing errors, and answers to the question.

use crosspath::play::{
    COMMAND_WORDS, Command, GameMode, InputRequest, Match, MatchRefusal, MatchRules, NewGame, RematchAnswer,
    find_command_word,
};
use crosspath::registry::GAMES;

use crate::sentences::said;

fn game(number: usize) -> Match {
    Match::new(MatchRules::default(), NewGame::for_game(&GAMES[number]), None).unwrap()
}

/// Returns a short form of the request that a line makes.
fn say(line: &str) -> Result<String, String> {
    match game(0).parse_line(line) {
        Ok(InputRequest::Do(command)) => Ok(format!("{command:?}")),
        Ok(file) => Ok(format!("{file:?}")),
        Err(MatchRefusal::Unread(illegal)) => Err(format!("{}: {}", illegal.code, illegal.text)),
        Err(refusal) => Err(format!("{refusal:?}")),
    }
}

#[test]
fn cells_are_read_in_all_three_spellings() {
    for (line, cell) in [("a1", "a1"), (" B3 ", "b3"), ("0 0", "a1"), ("1,2", "c2"), ("6", "c2"), ("8", "b3")]
    {
        assert_eq!(say(line), Ok(format!("Move({cell:?})")), "{line}");
    }
    assert_eq!(say("1. c3 # a fork"), Ok("Move(\"c3\")".to_owned()));
    assert_eq!(say("3... c3"), Ok("Move(\"c3\")".to_owned()));
}

#[test]
fn commands_can_be_shortened_to_three_letters() {
    assert_eq!(say("UNDO 2"), Ok("Undo(Some(2))".to_owned()));
    assert_eq!(say("und"), Ok("Undo(None)".to_owned()));
    assert_eq!(say("exit"), Ok("Quit".to_owned()));
    assert!(say("un").is_err());
    for entry in COMMAND_WORDS {
        assert_eq!(find_command_word(entry.name), Some(entry.word));
    }
}

#[test]
fn file_names_are_taken_literally() {
    assert_eq!(say("save my #1 game.txt"), Ok("Save(\"my #1 game.txt\", No)".to_owned()));
    assert_eq!(say("save! a"), Ok("Save(\"a\", Yes)".to_owned()));
    assert_eq!(say("LOAD  b2"), Ok("Load(\"b2\")".to_owned()));
    assert_eq!(say("save"), Err("NeedsFile(\"save\")".to_owned()));
}

#[test]
fn blank_lines_and_comments_are_ignored() {
    for line in ["", "   ", "# b2", "\t", "3."] {
        assert_eq!(say(line), Ok("Nothing".to_owned()), "{line:?}");
    }
}

#[test]
fn typing_errors_are_corrected_only_if_unambiguous() {
    let text = |line| say(line).unwrap_err();
    assert_eq!(text("qiut"), "did-you-mean: \"qiut\" is not a move or command. Did you mean quit?");
    assert_eq!(text("laod game"), "did-you-mean: \"laod game\" is not a move or command. Did you mean load?");
    assert_eq!(text("zz"), said!("not-understood-i-do", "zz", "b2"));
}

#[test]
fn refusals_of_cells_off_the_board_name_the_ranges() {
    for line in ["m3", "d1", "a4", "a0", "0", "10", "3 0", "-1 0", "99999999999999999999"] {
        let code = if line == "a0" { "not-understood" } else { "off-board" }; // no board has a row 0
        assert!(say(line).unwrap_err().starts_with(code), "{line}");
    }
    assert_eq!(say("m3").unwrap_err(), said!("off-board-is-off", "m3"));
    assert!(say("1 1 1").unwrap_err().starts_with("not-understood"));
}

#[test]
fn answers_can_be_numbers_or_words_in_four_languages() {
    let spec = NewGame { mode: GameMode::Humans, ..NewGame::for_game(&GAMES[1]) };
    let mut over = Match::new(MatchRules::default(), spec, None).unwrap();
    over.handle_command(Command::Resign, std::time::Duration::ZERO);
    let read = |text: &str| over.parse_line(text);
    for text in ["1", "7", "-3", "y", "YES", "s", "Sim", "t", "T", "tak", "j", "Ja"] {
        assert!(matches!(read(text), Ok(InputRequest::Do(Command::Answer(RematchAnswer::Yes)))), "{text}");
    }
    for text in ["0", "00", "n", "No", "q", "quit", ""] {
        assert!(matches!(read(text), Ok(InputRequest::Do(Command::Answer(RematchAnswer::No)))), "{text}");
    }
    for text in ["undo", "save game.txt", "board", "new", "weights", "help"] {
        assert!(!matches!(read(text), Ok(InputRequest::Do(Command::Answer(_))) | Err(_)), "{text}");
    }
    for text in ["b2", "maybe", "# no"] {
        assert!(matches!(read(text), Err(MatchRefusal::NeitherYesNorNo(_))), "{text}");
    }
}
