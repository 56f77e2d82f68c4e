//! Playing on from a replay: you move for both sides until you request an engine, and the players
//! keep their names.

use std::fs;

use crosspath::canvas::GlyphSet;
use crosspath::game::Side;
use crosspath::journal::{JournalFolder, MatchJournal, load_journal};
use crosspath::play::{AfterGameEnd, GameMode, MatchRules, MoveFile, PlayerSeat};
use crosspath::record::{GameFileFormat, GameRecord, NodeId, RecordReadOptions, load_game, write_record};
use crosspath::registry::GAMES;
use crosspath::ui::tui::{ColorDepth, Theme};
use crossterm::event::KeyCode;

use crate::sentences::said;
use crate::support::folder;
use crate::tui_harness::{Rig, record, spec};

/// Returns a replay of a game between Ann and Ben.
fn replay_of_ann_and_ben(size: (u16, u16)) -> Rig {
    replay_of_players("first: Ann \u{b7} second: Ben", size)
}

/// Returns a replay of a game between these players.
fn replay_of_players(players: &str, size: (u16, u16)) -> Rig {
    let text = format!("# crosspath tic-tac-toe size=4\n# {players}\n1. a1 b2 2. c3 d4\n");
    let file = MoveFile { path: "ann.txt".to_owned(), record: Box::new(record(&text)) };
    let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
    Rig::new(rules, spec("tic-tac-toe", "size=4", GameMode::Replay), Some(file), GlyphSet::Unicode, size)
}

#[test]
fn after_a_replay_you_move_for_both_sides_until_you_request_an_engine() {
    for size in [(80, 24), (160, 50)] {
        let mut rig = replay_of_ann_and_ben(size);
        rig.say("goto 2");
        rig.act(KeyCode::Char('x'));
        let status = rig.status();
        assert!(status.contains(said!("you-move-for-both", ":side first")), "{status}");
        for text in ["a2", "b3", "a3"] {
            rig.say(text);
            assert!(rig.game().engine_jobs().is_empty(), "no engine answers {text}");
            let picture = rig.picture();
            assert!(picture.contains("Ann X") && picture.contains("O Ben"), "{picture}");
        }
        let saved = rig.game().to_record_text(Some("2026-01-02"));
        assert!(saved.contains("first: Ann") && saved.contains("second: Ben"), "{saved}");
        assert!(saved.contains("c3") && !saved.contains("2026"), "{saved}");
        // A requested engine takes the other side.
        rig.say("side first");
        assert!(rig.is_thinking(), "it is the move of O");
        let seats =
            Side::BOTH.map(|side| matches!(rig.game().game().seat(side), Some(PlayerSeat::Engine(_))));
        assert_eq!(seats, [false, true]);
        assert!(rig.picture().contains("You X"), "{}", rig.picture());
        assert!(rig.game().to_record_text(None).contains("second: Ben"), "the file says who played it");
    }
}

/// Returns a replay of a Hex game that ended by resignation, with a variation.
fn replay_of_resigned_game() -> Rig {
    let text = "(;GM[11]SZ[5]RE[B+R]PB[Ann];B[b1](;W[d4];B[c2];W[d1])(;W[c3];B[d2]))";
    let file = MoveFile { path: "ann.sgf".to_owned(), record: Box::new(parse_game(text)) };
    let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
    Rig::new(rules, spec("hex", "size=5", GameMode::Replay), Some(file), GlyphSet::Unicode, (100, 35))
}

fn parse_game(text: &str) -> GameRecord {
    let game = load_game(text.as_bytes(), &RecordReadOptions::default()).unwrap();
    assert!(game.fault.is_none(), "{:?} in {text}", game.fault);
    game
}

/// Returns the main line of a file, the word for its early end, and the moves up to its present
/// position.
fn main_line_and_present(game: &GameRecord) -> [String; 3] {
    let [main, now] = [game.end, game.present].map(|id| game.tree.position(id));
    let early = main.early_end().map(|early| early.record_word().to_owned());
    [main.played_moves().join(" "), early.unwrap_or_default(), now.played_moves().join(" ")]
}

#[test]
fn saving_preserves_the_main_line_of_a_file() {
    let file = "b1 d4 c2 d1";
    for (words, lines_now, positions) in [
        // New moves beside the main line, in a variation, and on the main line itself.
        ("goto 2 x e5 e4", [file, "resign", "b1 d4 e5 e4"], 9),
        ("goto 2 x e5 e4 undo", [file, "resign", "b1 d4 e5"], 9),
        ("goto 1 x c3 e5", [file, "resign", "b1 c3 e5"], 8),
        ("goto 1 x d4 c2", [file, "resign", "b1 d4 c2"], 7),
        ("goto 1 x a5 e4 undo undo d4", [file, "resign", "b1 d4"], 9),
        // Undoing the end of the file leaves it in the file, unless play continues from there.
        ("goto 4 x undo e5", [file, "resign", "b1 d4 c2 e5"], 8),
        ("goto 4 x e5", ["b1 d4 c2 d1 e5", "", "b1 d4 c2 d1 e5"], 8),
        // You can promote another line to the main line.
        ("goto 1 x c3 promote", ["b1 c3 d2", "", "b1 c3"], 7),
        ("goto 2 variations 1 promote", ["b1 c3 d2", "", "b1 c3 d2"], 7),
    ] {
        let mut rig = replay_of_resigned_game();
        let mut all = words.split(' ').peekable();
        while let Some(word) = all.next() {
            match word {
                "x" => rig.act(KeyCode::Char('x')),
                "goto" | "variations" => rig.say(&format!("{word} {}", all.next().unwrap())),
                word => rig.say(word),
            }
        }
        for form in [GameFileFormat::Sgf, GameFileFormat::Record] {
            let text = rig.game().to_file_text(form, None).unwrap();
            let saved = parse_game(&text);
            assert_eq!(main_line_and_present(&saved), lines_now, "{words}: {text}");
            assert_eq!(saved.tree.len(), positions, "{words}: {text}");
            assert!(saved.notes.is_empty() && text.contains("Ann"), "{text}");
            // Loading and saving again changes nothing.
            let mut again = Rig::two("hex", "size=5", "", (100, 35));
            again.load("ann.sgf", parse_game(&text));
            assert_eq!(
                main_line_and_present(&parse_game(&again.game().to_file_text(form, None).unwrap())),
                lines_now,
                "{words}: {text}"
            );
        }
        // A link contains the current line.
        let link = parse_game(&rig.game().to_file_text(GameFileFormat::HexWorld, None).unwrap());
        assert_eq!(main_line_and_present(&link)[2], lines_now[2], "{words}");
        // The journal of the game contains it, too.
        let place = folder();
        let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
        journal.record_changes(rig.game()).unwrap();
        let Some(path) = journal.current_path() else { continue };
        let journalled = load_journal(&fs::read(path).unwrap(), GAMES).unwrap().record;
        let text = write_record(&journalled.tree, journalled.present, &[]);
        let [main, _, now] = lines_now;
        let [journalled_main, _, journalled_now] = main_line_and_present(&parse_game(&text));
        assert_eq!([&*journalled_main, &*journalled_now], [main, now], "{words}: {text}");
    }
}

#[test]
fn moves_of_a_file_come_before_new_variations() {
    let mut rig = replay_of_resigned_game();
    rig.say("goto 1");
    rig.act(KeyCode::Char('x'));
    rig.say("e5");
    let text = rig.game().to_file_text(GameFileFormat::Record, None).unwrap();
    let game = parse_game(&text);
    let first = game.tree.children(NodeId::ROOT)[0];
    let replies = game.tree.children(first).iter().filter_map(|&id| game.tree.position(id).last_move());
    assert_eq!(replies.collect::<Vec<_>>(), ["d4", "c3", "e5"], "{text}");
}

#[test]
fn the_side_command_adds_an_engine_to_a_game_of_two_people() {
    let mut rig = Rig::two("hex", "size=5", "c3", (80, 24));
    rig.say("level 3");
    assert_eq!(rig.status(), said!("no-machine-plays-here"));
    rig.say("side red");
    assert!(rig.is_thinking());
    rig.say("level 3");
    assert!(rig.picture().contains("level 3"), "{}", rig.picture());
}

#[test]
fn the_title_of_a_replay_of_your_own_game_says_you() {
    let rig = replay_of_players("first: crosspath level 2 \u{b7} second: human", (100, 35));
    let picture = rig.picture();
    assert!(picture.contains("level 2 X") && picture.contains("O You"), "{picture}");
    let two = replay_of_players("first: human \u{b7} second: human", (100, 35));
    let picture = two.picture();
    assert!(picture.contains("human X") && picture.contains("O human"), "{picture}");
}

#[test]
fn the_move_list_counts_the_variations_at_each_move() {
    let mut rig = Rig::two("hex", "size=5", "b2 c2 d2", (80, 24));
    assert!(!rig.picture().contains('+'), "{}", rig.picture());
    for other in ["d3", "d4"] {
        rig.say("undo");
        rig.say(other);
    }
    assert!(rig.picture().contains("3 d4 +2"), "{}", rig.picture());
    rig.say("goto 2");
    rig.act(KeyCode::Right);
    rig.act(KeyCode::Up);
    assert!(rig.picture().contains("+2"), "{}", rig.picture());
}

#[test]
fn errors_in_a_file_are_shown_in_full_in_80x24() {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sizes = (3..=10).map(|size| ("tic-tac-toe", format!("tic-tac-toe size={size}")));
    let others = [("hex", "hex size=11".to_owned()), ("quoridor", "quoridor size=9".to_owned())];
    for (game, head) in sizes.chain(others) {
        let moves = if game == "quoridor" { "1. e2 e8\n2. e9" } else { "1. a1 b2\n2. b2" };
        let text = format!("# crosspath {head}\n{moves}\n");
        for has_tiles in [false, true] {
            let record = Box::new(load_game(text.as_bytes(), &RecordReadOptions::default()).unwrap());
            let path = "a/rather/long/way/to/a/folder/ann.txt".to_owned();
            let file = MoveFile { path, record };
            let mut rig = Rig::new(
                MatchRules::default(),
                spec(game, "", GameMode::Replay),
                Some(file),
                GlyphSet::Unicode,
                (80, 24),
            );
            if has_tiles {
                let looks = &mut rig.screen.looks;
                (looks.theme, looks.depth, looks.wants_tiles) = (Theme::Dark, ColorDepth::All, true);
            }
            for (key, next) in
                [(KeyCode::Home, "x plays on"), (KeyCode::End, "Another step starts a new game")]
            {
                if key == KeyCode::End {
                    rig.act(key);
                }
                let status = rig.status();
                let parts = ["ann.txt:3: ", next];
                assert!(parts.iter().all(|part| status.contains(part)), "{head} {has_tiles}: {status}");
                let picture = rig.picture();
                assert!(one_line(&picture).contains(&one_line(&status)), "{status}\n{picture}");
            }
        }
    }
}
