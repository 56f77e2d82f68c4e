//! Move files, read and written in process: the detected format, header data, and errors.

use std::fs::{self, File};
use std::path::Path;

use crosspath::random::random_stream;
use crosspath::record::{
    GameRecord, GameTree, MoveSource, NodeId, NonDigitTextPolicy, RecordFormat, RecordReadOptions, disk,
    load_game, strip_move_number, write_record,
};
use crosspath::registry::{GAMES, Variant};
use rand::RngExt;

use crate::sentences::{lasting, said};
use crate::support::folder;

/// Returns options that read a file like the original C program.
fn lenient_options(size: usize) -> RecordReadOptions {
    RecordReadOptions {
        noise: NonDigitTextPolicy::PassedOver,
        ..RecordReadOptions::for_game(&GAMES[0]).with_board(&Variant::of_size(size))
    }
}

fn list_moves(record: &GameRecord) -> Vec<String> {
    record.tree.position(record.end).played_moves()
}

#[test]
fn digit_files_ignore_noise_and_digits_from_n_on() {
    let file = b"(0;0)-(1;1), (0;1)/(2;2)! 0+2 and 9 8 7 junk \xff\x00";
    let read = load_game(file, &lenient_options(3)).unwrap();
    assert_eq!((read.form, read.notes.len()), (RecordFormat::Digits, 1));
    assert_eq!(list_moves(&read), ["a1", "b2", "b1", "c3", "c1"]);
    assert!(load_game(b"3 3 9 a", &lenient_options(3)).unwrap().fault.is_some());
    assert_eq!(list_moves(&load_game(b"9 9 1", &lenient_options(10)).unwrap()), ["j10"]);
    // Other formats ignore nothing.
    for hint in [RecordReadOptions::default(), RecordReadOptions::for_game(&GAMES[0])] {
        let read = load_game(file, &hint);
        assert!(read.is_err(), "{read:?}");
        let digits = load_game(b"0 0 1 1 \n 0 1", &hint).unwrap();
        assert_eq!((list_moves(&digits).len(), digits.notes.len()), (3, 0));
    }
    assert!(load_game(b"0 0 9 9", &RecordReadOptions::default()).is_err());
    assert!(load_game(b"0 0 9 9", &RecordReadOptions::for_game(&GAMES[0])).unwrap().fault.is_some());
}

/// Returns the moves that the C original reads from a file on a board of this size. It takes pairs
/// of digits below the size, skips pairs of occupied cells, and stops at the end of the game.
fn c_original_moves(bytes: &[u8], size: usize) -> Vec<String> {
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| usize::from(byte - b'0'));
    let digits: Vec<usize> = digits.filter(|&digit| digit < size).collect();
    let mut marks = vec![None; size * size];
    let mut moves = Vec::new();
    for (row, column) in digits.chunks_exact(2).map(|pair| (pair[0], pair[1])) {
        if marks[row * size + column].is_some() {
            continue;
        }
        let mark = moves.len() % 2;
        marks[row * size + column] = Some(mark);
        moves.push(format!("{}{}", char::from(b'a' + u8::try_from(column).unwrap()), row + 1));
        let is_full = |cell: &dyn Fn(usize) -> usize| (0..size).all(|at| marks[cell(at)] == Some(mark));
        let wins = is_full(&|at| row * size + at)
            || is_full(&|at| at * size + column)
            || is_full(&|at| at * size + at)
            || is_full(&|at| at * size + size - 1 - at);
        if wins || moves.len() == size * size {
            break;
        }
    }
    moves
}

#[test]
fn random_digit_files_are_read_like_the_c_original() {
    let mut chance = random_stream(700, 1);
    let alphabets: [&[u8]; 2] = [b"0123456789 \n", b"012 \n\t,;xyz34567\xff-"];
    let known: [(&[u8], usize); 4] = [(b"135,\n;7", 4), (b"y116;3\xff-", 3), (b"x2652\n2;", 3), (b"3;", 3)];
    let random = (0..700).map(|number| {
        let size = [2, 3, 3, 3, 4, 5, 10][chance.random_range(0..7)];
        let length = chance.random_range(0..if size < 5 { 60 } else { 260 });
        let byte = |chance: &mut crosspath::random::RandomGenerator| match alphabets.get(number % 3) {
            Some(alphabet) => alphabet[chance.random_range(0..alphabet.len())],
            None => b"0123456789"[chance.random_range(0..size.min(10))],
        };
        let bytes: Vec<u8> = (0..length).map(|_| byte(&mut chance)).collect();
        (bytes, size)
    });
    let known = known.map(|(bytes, size)| (bytes.to_vec(), size));
    for (bytes, size) in random.chain(known) {
        let hint = RecordReadOptions {
            noise: NonDigitTextPolicy::PassedOver,
            ..RecordReadOptions::for_games(GAMES).with_board(&Variant::of_size(size))
        };
        let read = load_game(&bytes, &hint).map(|record| list_moves(&record)).unwrap_or_default();
        assert_eq!(read, c_original_moves(&bytes, size), "{size}: {:?}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn a_file_is_a_cell_list_only_if_every_word_is_a_cell() {
    let read = load_game(b"1. b2 a1, # a comment\r\n2. c3\r", &lenient_options(3)).unwrap();
    assert_eq!(
        (read.form, list_moves(&read)),
        (RecordFormat::List, ["b2", "a1", "c3"].map(str::to_owned).to_vec())
    );
    assert_eq!(load_game(b"b2 d4", &lenient_options(3)).unwrap().form, RecordFormat::Digits);
    assert!(load_game(b"", &lenient_options(3)).unwrap().fault.is_some());
    let taken =
        load_game(b"1. b2 a1, # a comment\r\n2. b2\r", &RecordReadOptions::for_game(&GAMES[0])).unwrap();
    assert_eq!(taken.fault.unwrap().line, 2);
}

#[test]
fn a_record_names_its_game_and_keeps_comments() {
    let text = "\u{feff}# crosspath tic-tac-toe size=4 win-length=3\n# first: Ann · second: Bob\n1. a1 b1\n";
    let read = load_game(text.as_bytes(), &RecordReadOptions::default()).unwrap();
    assert_eq!(read.start.entry.name, "tic-tac-toe");
    assert_eq!(read.start.variant, Variant::parse("size=4 win-length=3"));
    let remark = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(read.remarks, [remark("first", "Ann"), remark("second", "Bob")]);
    assert_eq!(list_moves(&read), ["a1", "b1"]);
}

#[test]
fn a_duplicate_setting_is_reported_without_control_characters() {
    let bad =
        load_game(b"# crosspath hex sw\x1bap=on sw\x1bap=off\n", &RecordReadOptions::default()).unwrap_err();
    assert_eq!(bad.to_string(), "1: duplicate setting: sw?ap");
}

#[test]
fn header_errors_name_the_line_and_the_fix() {
    let why = |text: &str| load_game(text.as_bytes(), &RecordReadOptions::default()).unwrap_err().to_string();
    assert!(
        why("\n# crosspath chess")
            .starts_with(lasting(format!("{} ", said!("there-is-no-game-games", "2", "chess"))))
    );
    assert_eq!(why("# crosspath"), said!("the-game-is-missing-after", "1", "# crosspath"));
    assert_eq!(why("# crosspath ttt 3"), said!("is-not-key-value", "1", "3", "3"));
    assert_eq!(why("# crosspath ttt size=x"), "1: size \"x\" is not a whole number");
}

#[test]
fn move_numbers_are_removed_and_other_numbers_kept() {
    assert_eq!(["12.", "3... e8", "1.f6", "54", "b2"].map(strip_move_number), ["", "e8", "f6", "54", "b2"]);
}

fn build_tree(moves: &[(usize, &str)]) -> (GameTree, Vec<NodeId>) {
    let mut tree = GameTree::new(GAMES[0].start_position(&Variant::default()).unwrap());
    let mut ids = vec![NodeId::ROOT];
    for &(at, text) in moves {
        ids.push(tree.play_move(ids[at], text, MoveSource::Human).unwrap());
    }
    (tree, ids)
}

#[test]
fn variations_follow_the_move_they_replace() {
    let moves = [(0, "b2"), (1, "a1"), (2, "c3"), (1, "c1"), (4, "a3"), (1, "b1"), (4, "b3"), (0, "a1")];
    let (tree, ids) = build_tree(&moves);
    let text = write_record(&tree, ids[3], &[("first".to_owned(), "Ann".to_owned())]);
    assert_eq!(
        text,
        "# crosspath tic-tac-toe size=3\n# first: Ann\n\
         1. b2 (1. a1) a1 (1... c1 2. a3 (2. b3)) (1... b1) 2. c3\n"
    );
    let read =
        load_game(text.as_bytes(), &RecordReadOptions::for_game(&GAMES[0]).with_strict_digits()).unwrap();
    assert!(read.fault.is_none(), "{:?}", read.fault);
    assert_eq!(write_record(&read.tree, read.end, &read.remarks), text);
}

#[test]
fn a_resignation_can_have_a_variation() {
    let (mut tree, ids) = build_tree(&[(0, "b2"), (1, "a1")]);
    let ended = tree.position(ids[1]).end_by_word("resign").unwrap().unwrap();
    tree.set_position(ids[1], ended);
    let text = write_record(&tree, ids[1], &[]);
    assert_eq!(text, "# crosspath tic-tac-toe size=3\n1. b2 resign (1... a1)\n");
    let read =
        load_game(text.as_bytes(), &RecordReadOptions::for_game(&GAMES[0]).with_strict_digits()).unwrap();
    assert_eq!((read.tree.len(), read.fault.is_none()), (3, true));
    assert_eq!(write_record(&read.tree, read.end, &[]), text);
}

#[test]
fn a_resignation_in_a_variation_does_not_end_the_game() {
    for (text, kept) in [("1. a1 b2 (resign)", "1. a1 b2"), ("1. a1 (resign)", "1. a1")] {
        let read =
            load_game(text.as_bytes(), &RecordReadOptions::for_game(&GAMES[0]).with_strict_digits()).unwrap();
        assert!(read.fault.is_none());
        assert!(read.tree.main_line_from(NodeId::ROOT).all(|id| read.tree.position(id).outcome().is_none()));
        assert_eq!(read.tree.main_line_end(NodeId::ROOT), read.end);
        assert_eq!(
            write_record(&read.tree, read.end, &[]),
            format!("# crosspath tic-tac-toe size=3\n{kept}\n")
        );
    }
}

#[test]
fn errors_in_variations_name_the_line_and_the_fix() {
    let why = |moves: &str| {
        let text = format!("# crosspath ttt\n{moves}");
        let read = load_game(text.as_bytes(), &RecordReadOptions::for_game(&GAMES[0])).unwrap();
        let fault = read.fault.unwrap();
        (fault.line, fault.why.text.into_string())
    };
    assert_eq!(why("(b2)").1, said!("a-side-line-stands"));
    assert_eq!(why("b2 ((a1))").1, said!("a-side-line-stands"));
    assert_eq!(why("b2\na1)"), (3, said!("a-side-line-ends-here").to_owned()));
    assert_eq!(why("b2\n(a1"), (3, said!("this-side-line-has").to_owned()));
    assert_eq!(why("b2 (b1\nb1)"), (3, said!("is-taken-move", "b1", "X", "1").to_owned()));
    assert_eq!(why("b2\n() a1"), (3, said!("there-is-no-move").to_owned()));
    let deep = format!("b2 {}", "(a1 b2 ".repeat(40));
    assert_eq!(why(&deep).0, 2);
}

/// Every position of a random tree is in the file, at any nesting depth.
#[test]
fn no_variation_is_lost_however_deep() {
    let mut chance = random_stream(1, 1);
    for entry in GAMES {
        let mut tree = GameTree::new(entry.start_position(&Variant::default()).unwrap());
        let mut ids = vec![NodeId::ROOT];
        for _ in 0..400 {
            let at = ids[ids.len() - 1 - chance.random_range(0..ids.len().min(3))];
            let legal = tree.position(at).legal_moves();
            if legal.is_empty() {
                continue;
            }
            let text = &legal[chance.random_range(0..legal.len())];
            let id = tree.play_move(at, text, MoveSource::Human).unwrap();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        let mut end = NodeId::ROOT;
        while let Some(&next) = tree.children(end).last() {
            end = next;
        }
        tree.make_main_line(end);
        let text = write_record(&tree, end, &[]);
        let read =
            load_game(text.as_bytes(), &RecordReadOptions::for_game(entry).with_strict_digits()).unwrap();
        assert!(read.fault.is_none(), "{:?} in {text}", read.fault);
        assert_eq!(read.tree.len(), tree.len(), "{text}");
        let all_move_lists = |tree: &GameTree, ids: &[NodeId]| {
            let mut all: Vec<Vec<String>> = ids.iter().map(|&id| tree.position(id).played_moves()).collect();
            all.sort();
            all
        };
        let mut others = vec![NodeId::ROOT];
        for i in 0.. {
            let Some(&id) = others.get(i) else { break };
            others.extend(read.tree.children(id));
        }
        assert_eq!(all_move_lists(&tree, &ids), all_move_lists(&read.tree, &others));
    }
}

#[test]
fn saving_writes_a_whole_file_and_leaves_no_temporary_files() {
    let folder = folder();
    let path = folder.path().join("game.txt");
    disk::save_file(&path, "one").unwrap();
    disk::save_file(&path, "two").unwrap();
    assert_eq!(disk::load_move_file(&path).unwrap(), b"two");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_path_that_is_not_a_file_is_refused_by_name() {
    let folder = folder();
    let says = |path: &Path| disk::load_move_file(path).unwrap_err().to_string();
    assert_eq!(says(&folder.path().join("none")), said!("no-such-file"));
    assert_eq!(says(folder.path()), said!("it-is-a-directory"));
    assert_eq!(disk::save_file(folder.path(), "x").unwrap_err().to_string(), said!("it-is-a-directory"));
    let empty = folder.path().join("empty");
    File::create(&empty).unwrap();
    assert_eq!(says(&empty), said!("the-file-is-empty"));
    let long = folder.path().join("long");
    File::create(&long).unwrap().set_len(1 << 30).unwrap();
    assert!(says(&long).starts_with(said!("the-file-is-too")));
    #[cfg(unix)]
    assert_eq!(says(Path::new("/dev/zero")), said!("it-is-a-device"));
}

#[test]
fn digit_files_have_no_variations() {
    let hex = crosspath::registry::find_game("hex").unwrap();
    for moves in ["5 5 (3 4) 4 4", "5 5 (3 4", "5 5 ) 3 4"] {
        let read = load_game(moves.as_bytes(), &RecordReadOptions::for_game(hex));
        assert!(read.is_err() || read.unwrap().fault.is_some(), "{moves}");
    }
}

#[test]
fn a_comment_that_looks_like_a_marker_does_not_change_the_position() {
    let hex = GAMES.iter().find(|entry| entry.name == "hex").unwrap();
    let read = |text: &str| {
        load_game(
            text.as_bytes(),
            &RecordReadOptions::for_game(hex).with_board(&Variant::of_size(4)).with_strict_digits(),
        )
        .unwrap()
    };
    for text in ["# present: 2\na1 swap (b2) c3 resign\n", "# a · present: 1\na1 b2\n"] {
        let list = read(text);
        let again = read(&write_record(&list.tree, list.present, &[]));
        let [one, other] = [&list, &again].map(|record| record.tree.position(record.present));
        assert_eq!(
            (one.played_moves(), one.early_end()),
            (other.played_moves(), other.early_end()),
            "{text}"
        );
    }
    // The first remark with a number counts.
    let several = "# crosspath hex size=4\n# present: x\n# present: 1\n# present: 2\na1 b2 c3\n";
    let record = read(several);
    assert_eq!(record.tree.ply(record.present), 1);
}
