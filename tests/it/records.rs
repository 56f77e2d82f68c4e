//! Files of moves, read and written in process: the form that is recognised, the data of a header,
//! the problem with a file.

use std::fs::{self, File};
use std::path::Path;

use crosspath::random::stream;
use crosspath::record::{
    GameRecord, GameTree, Hint, MoveSource, NodeId, Noise, RecordFormat, disk, load, without_number, write,
};
use crosspath::registry::{GAMES, Variant};
use rand::RngExt;

use crate::sentences::{lasting, said};
use crate::support::folder;

/// Returns a file as the original C program read it.
fn noisy(size: usize) -> Hint {
    Hint { noise: Noise::PassedOver, ..Hint::of(&GAMES[0]).on(&Variant::of_size(size)) }
}

fn played(record: &GameRecord) -> Vec<String> {
    record.tree.position(record.end).played()
}

#[test]
fn digit_files_ignore_noise_and_digits_from_n_on() {
    let file = b"(0;0)-(1;1), (0;1)/(2;2)! 0+2 and 9 8 7 junk \xff\x00";
    let read = load(file, &noisy(3)).unwrap();
    assert_eq!((read.form, read.notes.len()), (RecordFormat::Digits, 1));
    assert_eq!(played(&read), ["a1", "b2", "b1", "c3", "c1"]);
    assert!(load(b"3 3 9 a", &noisy(3)).unwrap().fault.is_some());
    assert_eq!(played(&load(b"9 9 1", &noisy(10)).unwrap()), ["j10"]);
    // Nowhere else is anything passed over.
    for hint in [Hint::default(), Hint::of(&GAMES[0])] {
        let read = load(file, &hint);
        assert!(read.is_err(), "{read:?}");
        let digits = load(b"0 0 1 1 \n 0 1", &hint).unwrap();
        assert_eq!((played(&digits).len(), digits.notes.len()), (3, 0));
    }
    assert!(load(b"0 0 9 9", &Hint::default()).is_err());
    assert!(load(b"0 0 9 9", &Hint::of(&GAMES[0])).unwrap().fault.is_some());
}

/// Returns the moves that the C original makes of a file on a board of this size: digits below the
/// size by pairs, pairs of an occupied cell left out, up to the end of the game.
fn original(bytes: &[u8], size: usize) -> Vec<String> {
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
fn random_digit_files_are_read_as_by_the_c_original() {
    let mut chance = stream(700, 1);
    let alphabets: [&[u8]; 2] = [b"0123456789 \n", b"012 \n\t,;xyz34567\xff-"];
    let known: [(&[u8], usize); 4] = [(b"135,\n;7", 4), (b"y116;3\xff-", 3), (b"x2652\n2;", 3), (b"3;", 3)];
    let random = (0..700).map(|number| {
        let size = [2, 3, 3, 3, 4, 5, 10][chance.random_range(0..7)];
        let length = chance.random_range(0..if size < 5 { 60 } else { 260 });
        let byte = |chance: &mut crosspath::random::Generator| match alphabets.get(number % 3) {
            Some(alphabet) => alphabet[chance.random_range(0..alphabet.len())],
            None => b"0123456789"[chance.random_range(0..size.min(10))],
        };
        let bytes: Vec<u8> = (0..length).map(|_| byte(&mut chance)).collect();
        (bytes, size)
    });
    let known = known.map(|(bytes, size)| (bytes.to_vec(), size));
    for (bytes, size) in random.chain(known) {
        let hint = Hint { noise: Noise::PassedOver, ..Hint::any(GAMES).on(&Variant::of_size(size)) };
        let read = load(&bytes, &hint).map(|record| played(&record)).unwrap_or_default();
        assert_eq!(read, original(&bytes, size), "{size}: {:?}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn cell_names_are_a_list_only_if_every_word_is_a_cell_of_the_board() {
    let read = load(b"1. b2 a1, # a comment\r\n2. c3\r", &noisy(3)).unwrap();
    assert_eq!(
        (read.form, played(&read)),
        (RecordFormat::List, ["b2", "a1", "c3"].map(str::to_owned).to_vec())
    );
    assert_eq!(load(b"b2 d4", &noisy(3)).unwrap().form, RecordFormat::Digits);
    assert!(load(b"", &noisy(3)).unwrap().fault.is_some());
    let taken = load(b"1. b2 a1, # a comment\r\n2. b2\r", &Hint::of(&GAMES[0])).unwrap();
    assert_eq!(taken.fault.unwrap().line, 2);
}

#[test]
fn a_record_names_its_game_and_keeps_remarks() {
    let text = "\u{feff}# crosspath tic-tac-toe size=4 win-length=3\n# first: Ann · second: Bob\n1. a1 b1\n";
    let read = load(text.as_bytes(), &Hint::default()).unwrap();
    assert_eq!(read.start.entry.name, "tic-tac-toe");
    assert_eq!(read.start.variant, Variant::read("size=4 win-length=3"));
    let remark = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(read.remarks, [remark("first", "Ann"), remark("second", "Bob")]);
    assert_eq!(played(&read), ["a1", "b1"]);
}

#[test]
fn a_setting_that_stands_twice_is_named_without_its_control_characters() {
    let bad = load(b"# crosspath hex sw\x1bap=on sw\x1bap=off\n", &Hint::default()).unwrap_err();
    assert_eq!(bad.to_string(), "1: duplicate setting: sw?ap");
}

#[test]
fn a_bad_header_names_line_and_cure() {
    let why = |text: &str| load(text.as_bytes(), &Hint::default()).unwrap_err().to_string();
    assert!(
        why("\n# crosspath chess")
            .starts_with(lasting(format!("{} ", said!("there-is-no-game-games", "2", "chess"))))
    );
    assert_eq!(why("# crosspath"), said!("the-game-is-missing-after", "1", "# crosspath"));
    assert_eq!(why("# crosspath ttt 3"), said!("is-not-key-value", "1", "3", "3"));
    assert_eq!(why("# crosspath ttt size=x"), "1: size \"x\" is not a whole number");
}

#[test]
fn move_numbers_go_and_numbers_stay() {
    assert_eq!(["12.", "3... e8", "1.f6", "54", "b2"].map(without_number), ["", "e8", "f6", "54", "b2"]);
}

fn tree(moves: &[(usize, &str)]) -> (GameTree, Vec<NodeId>) {
    let mut tree = GameTree::new(GAMES[0].start(&Variant::default()).unwrap());
    let mut ids = vec![NodeId::ROOT];
    for &(at, text) in moves {
        ids.push(tree.play(ids[at], text, MoveSource::Human).unwrap());
    }
    (tree, ids)
}

#[test]
fn side_lines_stand_behind_the_move_that_they_replace() {
    let moves = [(0, "b2"), (1, "a1"), (2, "c3"), (1, "c1"), (4, "a3"), (1, "b1"), (4, "b3"), (0, "a1")];
    let (tree, ids) = tree(&moves);
    let text = write(&tree, ids[3], &[("first".to_owned(), "Ann".to_owned())]);
    assert_eq!(
        text,
        "# crosspath tic-tac-toe size=3\n# first: Ann\n\
         1. b2 (1. a1) a1 (1... c1 2. a3 (2. b3)) (1... b1) 2. c3\n"
    );
    let read = load(text.as_bytes(), &Hint::of(&GAMES[0]).strict()).unwrap();
    assert!(read.fault.is_none(), "{:?}", read.fault);
    assert_eq!(write(&read.tree, read.end, &read.remarks), text);
}

#[test]
fn giving_up_may_be_replaced() {
    let (mut tree, ids) = tree(&[(0, "b2"), (1, "a1")]);
    let ended = tree.position(ids[1]).end_by("resign").unwrap().unwrap();
    tree.set_position(ids[1], ended);
    let text = write(&tree, ids[1], &[]);
    assert_eq!(text, "# crosspath tic-tac-toe size=3\n1. b2 resign (1... a1)\n");
    let read = load(text.as_bytes(), &Hint::of(&GAMES[0]).strict()).unwrap();
    assert_eq!((read.tree.len(), read.fault.is_none()), (3, true));
    assert_eq!(write(&read.tree, read.end, &[]), text);
}

#[test]
fn who_gives_up_only_in_a_side_line_goes_on_in_the_game() {
    for (text, kept) in [("1. a1 b2 (resign)", "1. a1 b2"), ("1. a1 (resign)", "1. a1")] {
        let read = load(text.as_bytes(), &Hint::of(&GAMES[0]).strict()).unwrap();
        assert!(read.fault.is_none());
        assert!(read.tree.main_line_from(NodeId::ROOT).all(|id| read.tree.position(id).outcome().is_none()));
        assert_eq!(read.tree.end_of(NodeId::ROOT), read.end);
        assert_eq!(write(&read.tree, read.end, &[]), format!("# crosspath tic-tac-toe size=3\n{kept}\n"));
    }
}

#[test]
fn a_wrong_side_line_names_its_line_and_what_would_be_right() {
    let why = |moves: &str| {
        let text = format!("# crosspath ttt\n{moves}");
        let read = load(text.as_bytes(), &Hint::of(&GAMES[0])).unwrap();
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

/// Every position of a random tree is in the file, however deeply its side lines are nested.
#[test]
fn no_position_is_lost_however_deep() {
    let mut chance = stream(1, 1);
    for entry in GAMES {
        let mut tree = GameTree::new(entry.start(&Variant::default()).unwrap());
        let mut ids = vec![NodeId::ROOT];
        for _ in 0..400 {
            let at = ids[ids.len() - 1 - chance.random_range(0..ids.len().min(3))];
            let legal = tree.position(at).legal();
            if legal.is_empty() {
                continue;
            }
            let text = &legal[chance.random_range(0..legal.len())];
            let id = tree.play(at, text, MoveSource::Human).unwrap();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        let mut end = NodeId::ROOT;
        while let Some(&next) = tree.children(end).last() {
            end = next;
        }
        tree.make_main(end);
        let text = write(&tree, end, &[]);
        let read = load(text.as_bytes(), &Hint::of(entry).strict()).unwrap();
        assert!(read.fault.is_none(), "{:?} in {text}", read.fault);
        assert_eq!(read.tree.len(), tree.len(), "{text}");
        let played = |tree: &GameTree, ids: &[NodeId]| {
            let mut all: Vec<Vec<String>> = ids.iter().map(|&id| tree.position(id).played()).collect();
            all.sort();
            all
        };
        let mut others = vec![NodeId::ROOT];
        for i in 0.. {
            let Some(&id) = others.get(i) else { break };
            others.extend(read.tree.children(id));
        }
        assert_eq!(played(&tree, &ids), played(&read.tree, &others));
    }
}

#[test]
fn a_saved_file_is_whole_and_leaves_no_litter() {
    let folder = folder();
    let path = folder.path().join("game.txt");
    disk::save(&path, "one").unwrap();
    disk::save(&path, "two").unwrap();
    assert_eq!(disk::load(&path).unwrap(), b"two");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_is_no_file_is_refused_by_name() {
    let folder = folder();
    let says = |path: &Path| disk::load(path).unwrap_err().to_string();
    assert_eq!(says(&folder.path().join("none")), said!("no-such-file"));
    assert_eq!(says(folder.path()), said!("it-is-a-directory"));
    assert_eq!(disk::save(folder.path(), "x").unwrap_err().to_string(), said!("it-is-a-directory"));
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
fn pairs_of_numbers_have_no_side_lines() {
    let hex = crosspath::registry::find("hex").unwrap();
    for moves in ["5 5 (3 4) 4 4", "5 5 (3 4", "5 5 ) 3 4"] {
        let read = load(moves.as_bytes(), &Hint::of(hex));
        assert!(read.is_err() || read.unwrap().fault.is_some(), "{moves}");
    }
}

#[test]
fn a_comment_that_looks_like_a_remark_does_not_move_the_present() {
    let hex = GAMES.iter().find(|entry| entry.name == "hex").unwrap();
    let read = |text: &str| load(text.as_bytes(), &Hint::of(hex).on(&Variant::of_size(4)).strict()).unwrap();
    for text in ["# present: 2\na1 swap (b2) c3 resign\n", "# a · present: 1\na1 b2\n"] {
        let list = read(text);
        let again = read(&write(&list.tree, list.present, &[]));
        let [one, other] = [&list, &again].map(|record| record.tree.position(record.present));
        assert_eq!((one.played(), one.early()), (other.played(), other.early()), "{text}");
    }
    // Of several remarks the first one with a number counts.
    let several = "# crosspath hex size=4\n# present: x\n# present: 1\n# present: 2\na1 b2 c3\n";
    let record = read(several);
    assert_eq!(record.tree.ply(record.present), 1);
}
