//! A replay that is played on: both sides are free until an engine is asked for, and the players keep their names.

use std::fs;

use crosspath::canvas::Glyphs;
use crosspath::game::Side;
use crosspath::journal::{Folder, Journal, load as load_journal};
use crosspath::play::{AfterEnd, Mode, MoveFile, Rules, Seat};
use crosspath::record::{GameRecord, Hint, NodeId, WrittenForm, load, write};
use crosspath::registry::GAMES;
use crosspath::ui::tui::{ColorDepth, Theme};
use crossterm::event::KeyCode;

use crate::rig::{Rig, record, spec};
use crate::sentences::said;
use crate::support::folder;

/// Returns a game of Ann and Ben, as it is shown.
fn of_ann_and_ben(size: (u16, u16)) -> Rig {
    shown("first: Ann \u{b7} second: Ben", size)
}

/// Returns a game of these players, as it is shown.
fn shown(players: &str, size: (u16, u16)) -> Rig {
    let text = format!("# crosspath tic-tac-toe size=4\n# {players}\n1. a1 b2 2. c3 d4\n");
    let file = MoveFile { path: "ann.txt".to_owned(), record: Box::new(record(&text)) };
    let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    Rig::new(rules, spec("tic-tac-toe", "size=4", Mode::Replay), Some(file), Glyphs::Unicode, size)
}

#[test]
fn who_plays_on_from_a_replay_moves_for_both_sides_until_an_engine_is_asked_for() {
    for size in [(80, 24), (160, 50)] {
        let mut rig = of_ann_and_ben(size);
        rig.say("goto 2");
        rig.act(KeyCode::Char('x'));
        let status = rig.status();
        assert!(status.contains(said!("you-move-for-both", ":side first")), "{status}");
        for text in ["a2", "b3", "a3"] {
            rig.say(text);
            assert!(rig.game().jobs().is_empty(), "no engine answers {text}");
            let picture = rig.picture();
            assert!(picture.contains("Ann X") && picture.contains("O Ben"), "{picture}");
        }
        let saved = rig.game().record(Some("2026-01-02"));
        assert!(saved.contains("first: Ann") && saved.contains("second: Ben"), "{saved}");
        assert!(saved.contains("c3") && !saved.contains("2026"), "{saved}");
        // An engine that is asked for takes the other side.
        rig.say("side first");
        assert!(rig.is_thinking(), "it is the move of O");
        let seats = Side::BOTH.map(|side| matches!(rig.game().game().seat(side), Some(Seat::Engine(_))));
        assert_eq!(seats, [false, true]);
        assert!(rig.picture().contains("You X"), "{}", rig.picture());
        assert!(rig.game().record(None).contains("second: Ben"), "the file says who played it");
    }
}

/// Returns a game of Hex that its file ends by a resignation, with a side line, as it is shown.
fn of_a_resigned_game() -> Rig {
    let text = "(;GM[11]SZ[5]RE[B+R]PB[Ann];B[b1](;W[d4];B[c2];W[d1])(;W[c3];B[d2]))";
    let file = MoveFile { path: "ann.sgf".to_owned(), record: Box::new(read(text)) };
    let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    Rig::new(rules, spec("hex", "size=5", Mode::Replay), Some(file), Glyphs::Unicode, (100, 35))
}

fn read(text: &str) -> GameRecord {
    let game = load(text.as_bytes(), &Hint::default()).unwrap();
    assert!(game.fault.is_none(), "{:?} in {text}", game.fault);
    game
}

/// Returns the moves of the main line of a file, the word for its early end, and the moves after
/// which its game continues.
fn lines(game: &GameRecord) -> [String; 3] {
    let [main, now] = [game.end, game.present].map(|id| game.tree.position(id));
    let early = main.early().map(|early| early.word().to_owned());
    [main.played().join(" "), early.unwrap_or_default(), now.played().join(" ")]
}

#[test]
fn the_main_line_of_a_file_stays_the_main_line_of_what_is_saved() {
    let file = "b1 d4 c2 d1";
    for (words, lines_now, positions) in [
        // A move beside the main line, in the side line, and the main line itself played again.
        ("goto 2 x e5 e4", [file, "resign", "b1 d4 e5 e4"], 9),
        ("goto 2 x e5 e4 undo", [file, "resign", "b1 d4 e5"], 9),
        ("goto 1 x c3 e5", [file, "resign", "b1 c3 e5"], 8),
        ("goto 1 x d4 c2", [file, "resign", "b1 d4 c2"], 7),
        ("goto 1 x a5 e4 undo undo d4", [file, "resign", "b1 d4"], 9),
        // Who takes back the end of the file leaves it in the file, unless the game goes on there.
        ("goto 4 x undo e5", [file, "resign", "b1 d4 c2 e5"], 8),
        ("goto 4 x e5", ["b1 d4 c2 d1 e5", "", "b1 d4 c2 d1 e5"], 8),
        // A person may make another line the main one.
        ("goto 1 x c3 promote", ["b1 c3 d2", "", "b1 c3"], 7),
        ("goto 2 variations 1 promote", ["b1 c3 d2", "", "b1 c3 d2"], 7),
    ] {
        let mut rig = of_a_resigned_game();
        let mut all = words.split(' ').peekable();
        while let Some(word) = all.next() {
            match word {
                "x" => rig.act(KeyCode::Char('x')),
                "goto" | "variations" => rig.say(&format!("{word} {}", all.next().unwrap())),
                word => rig.say(word),
            }
        }
        for form in [WrittenForm::Sgf, WrittenForm::Record] {
            let text = rig.game().written(form, None).unwrap();
            let saved = read(&text);
            assert_eq!(lines(&saved), lines_now, "{words}: {text}");
            assert_eq!(saved.tree.len(), positions, "{words}: {text}");
            assert!(saved.notes.is_empty() && text.contains("Ann"), "{text}");
            // What was saved is loaded and saved without a change.
            let mut again = Rig::two("hex", "size=5", "", (100, 35));
            again.load("ann.sgf", read(&text));
            assert_eq!(
                lines(&read(&again.game().written(form, None).unwrap())),
                lines_now,
                "{words}: {text}"
            );
        }
        // A link holds the line that is played.
        let link = read(&rig.game().written(WrittenForm::HexWorld, None).unwrap());
        assert_eq!(lines(&link)[2], lines_now[2], "{words}");
        // So does the journal of the game.
        let place = folder();
        let mut journal = Journal::new(Some(Folder::at(place.path().to_path_buf())));
        journal.hear(rig.game()).unwrap();
        let Some(path) = journal.path() else { continue };
        let kept = load_journal(&fs::read(path).unwrap(), GAMES).unwrap().record;
        let text = write(&kept.tree, kept.present, &[]);
        let [main, _, now] = lines_now;
        let [kept_main, _, kept_now] = lines(&read(&text));
        assert_eq!([&*kept_main, &*kept_now], [main, now], "{words}: {text}");
    }
}

#[test]
fn the_moves_of_a_file_come_before_those_that_are_played_beside_them() {
    let mut rig = of_a_resigned_game();
    rig.say("goto 1");
    rig.act(KeyCode::Char('x'));
    rig.say("e5");
    let text = rig.game().written(WrittenForm::Record, None).unwrap();
    let game = read(&text);
    let first = game.tree.children(NodeId::ROOT)[0];
    let replies = game.tree.children(first).iter().filter_map(|&id| game.tree.position(id).last());
    assert_eq!(replies.collect::<Vec<_>>(), ["d4", "c3", "e5"], "{text}");
}

#[test]
fn an_engine_is_asked_for_by_side_where_two_people_play() {
    let mut rig = Rig::two("hex", "size=5", "c3", (80, 24));
    rig.say("level 3");
    assert_eq!(rig.status(), said!("no-machine-plays-here"));
    rig.say("side red");
    assert!(rig.is_thinking());
    rig.say("level 3");
    assert!(rig.picture().contains("level 3"), "{}", rig.picture());
}

#[test]
fn in_a_replay_of_your_own_game_the_title_calls_you_you() {
    let rig = shown("first: crosspath level 2 \u{b7} second: human", (100, 35));
    let picture = rig.picture();
    assert!(picture.contains("level 2 X") && picture.contains("O You"), "{picture}");
    let two = shown("first: human \u{b7} second: human", (100, 35));
    let picture = two.picture();
    assert!(picture.contains("human X") && picture.contains("O human"), "{picture}");
}

#[test]
fn the_list_of_moves_counts_the_side_lines_at_each_move() {
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
fn what_is_wrong_in_a_file_is_read_whole_in_a_usual_window() {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sizes = (3..=10).map(|size| ("tic-tac-toe", format!("tic-tac-toe size={size}")));
    let others = [("hex", "hex size=11".to_owned()), ("quoridor", "quoridor size=9".to_owned())];
    for (game, head) in sizes.chain(others) {
        let moves = if game == "quoridor" { "1. e2 e8\n2. e9" } else { "1. a1 b2\n2. b2" };
        let text = format!("# crosspath {head}\n{moves}\n");
        for has_tiles in [false, true] {
            let record = Box::new(load(text.as_bytes(), &Hint::default()).unwrap());
            let path = "a/rather/long/way/to/a/folder/ann.txt".to_owned();
            let file = MoveFile { path, record };
            let mut rig = Rig::new(
                Rules::default(),
                spec(game, "", Mode::Replay),
                Some(file),
                Glyphs::Unicode,
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
                let wanted = ["ann.txt:3: ", next];
                assert!(wanted.iter().all(|part| status.contains(part)), "{head} {has_tiles}: {status}");
                let picture = rig.picture();
                assert!(one_line(&picture).contains(&one_line(&status)), "{status}\n{picture}");
            }
        }
    }
}
