//! Games in files of other programs: every format is read correctly or refused, and round-trips.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crosspath::game::{BySide, Outcome, PositionSetup, Side};
use crosspath::random::{RandomGenerator, random_stream};
use crosspath::record::EditHistory;
use crosspath::record::{
    GameFileFormat, GameRecord, GameTree, LinkSite, MoveSource, NodeId, NodeProperty, OpenedFile,
    RecordFormat, RecordReadOptions, load_game, open_game_file, sgf, write_link, write_record,
};
use crosspath::registry::{GAMES, GameStart, Variant, find_game};
use crosspath::session::{EarlyEnd, LossReason};
use rand::RngExt;

use crate::sentences::said;
use crate::support::{Run, crosspath, file, folder, run, run_on};

fn case_path(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases").join(name).to_str().unwrap().to_owned()
}

/// Reads a case file as a game. Without `game`, the file has to name its game.
fn read_case(name: &str, game: Option<&str>) -> GameRecord {
    let hint = game.map_or_else(RecordReadOptions::default, |game| {
        RecordReadOptions::for_game(find_game(game).unwrap())
    });
    load_game(&fs::read(case_path(name)).unwrap(), &hint).unwrap_or_else(|why| panic!("{name}:{why}"))
}

pub(crate) fn played_moves(record: &GameRecord) -> String {
    assert!(record.fault.is_none(), "{:?}", record.fault);
    record.tree.position(record.end).played_moves().join(" ")
}

pub(crate) fn read_hex(text: &str) -> GameRecord {
    load_game(text.as_bytes(), &RecordReadOptions::default()).unwrap_or_else(|why| panic!("{text}:{why}"))
}

#[test]
fn case_files_are_read_as_expected() {
    for (name, game, wanted) in [
        ("coloured-moves.txt", Some("hex"), "a1 a2 c4 d3"),
        ("hex-list-larger.txt", None, "a5 d7 f3 m13"),
        ("hex-list-larger.txt", Some("hex"), "a5 d7 f3 m13"),
        ("hexworld-link.txt", None, "b2 swap c3 d4 b4"),
        ("pass.sgf", None, "b2 swap pass d4 c3"),
        ("quoridor-compact.txt", Some("quoridor"), "e2 e8 e3 e7 e3h d6v"),
        ("quoridor-compact.txt", None, "e2 e8 e3 e7 e3h d6v"),
        ("quoridor-games-line.txt", Some("quoridor"), "e2 e8 e3 e7 e3h"),
        ("quoridor-list-no-game.txt", Some("quoridor"), "e2 e8 e3 e7 e4 e6"),
        ("quoridor-result-token.txt", Some("quoridor"), "e2 e8 e3 e7 e4 e6"),
        ("resign-after-win.sgf", None, "a1 b1 a2"),
        ("setup-stones.sgf", None, "b3 a4"),
        ("swap-plain-word-upper.sgf", None, "b2 swap c3 b4"),
        ("swap-white-moves-next.sgf", None, "b2 swap c3 b4"),
    ] {
        assert_eq!(played_moves(&read_case(name, game)), wanted, "{name}");
    }
    let result = |name: &str, game| {
        let record = read_case(name, game);
        record.tree.position(record.end).outcome()
    };
    let first = Some(Outcome::Win(Side::First));
    assert_eq!(result("coloured-moves.txt", Some("hex")), first);
    assert_eq!(result("quoridor-games-line.txt", Some("quoridor")), first);
    assert_eq!(result("quoridor-result-token.txt", Some("quoridor")), first);
    assert_eq!(result("resign-after-win.sgf", None), first);
    let larger = read_case("hex-list-larger.txt", None);
    assert_eq!(larger.start.variant, Variant::of_size(13));
    // Ambiguous files are refused.
    for name in ["quoridor-list-no-game.txt", "quoridor-result-token.txt", "coloured-moves.txt"] {
        let picture = run(&["picture", &case_path(name)], "");
        assert_eq!((picture.code, &*picture.out), (Some(65), ""), "{name}");
        assert_eq!(picture.err.lines().count(), 1, "{}", picture.err);
        assert!(picture.err.contains("--game NAME"), "{}", picture.err);
    }
}

#[test]
fn files_named_sgf_are_saved_as_sgf() {
    let folder = folder();
    let mut command = crosspath(&["--game", "hex", "--size", "5", "--mode", "2", "--plain"]);
    command.current_dir(folder.path());
    let done = run_on(command, fs::read(case_path("save-as-sgf.lines")).unwrap());
    assert_eq!(done.code, Some(0), "{}", done.err);
    let text = fs::read_to_string(folder.path().join("out.sgf")).unwrap();
    assert!(text.starts_with("(;FF[4]CA[UTF-8]AP[crosspath:") && text.contains(";B[b2];W[c3]"), "{text}");
    let walls = run(
        &["--game", "quoridor", "--mode", "2", "--plain"],
        format!("e2\nsave {}\n", folder.path().join("walls.sgf").display()),
    );
    assert!(walls.err.contains(said!("sgf-holds-hex-only")), "{}", walls.err);
    assert!(!folder.path().join("walls.sgf").exists());
}

// ---- SGF ----

#[test]
fn the_kind_of_swap_depends_on_the_next_mover() {
    for (text, wanted) in [
        ("(;SZ[5];B[b1];W[swap-sides];B[c3])", "b1 swap c3"),
        ("(;SZ[5];B[b1];W[swap-pieces];W[d3])", "b1 swap c4"),
        ("(;SZ[5]AP[HexGui:0.8];B[b1];W[swap-pieces];B[d3])", "b1 swap d3"),
        ("(;SZ[5];B[b1];W[Swap];W[d3];B[resign])", "b1 swap c4"),
        // Each variation follows its own kind of swap.
        ("(;SZ[5];B[b1](;W[swap];W[d3])(;W[swap-pieces];B[d3]))", "b1 swap c4"),
    ] {
        assert_eq!(played_moves(&read_hex(text)), wanted, "{text}");
    }
    let forked = read_hex("(;SZ[5];B[b1](;W[swap];W[d3])(;W[c3];B[d3]))");
    let lines: Vec<String> =
        forked.tree.node_ids().map(|id| forked.tree.position(id).played_moves().join(" ")).collect();
    assert!(lines.contains(&"b1 c3 d3".to_owned()) && lines.contains(&"b1 swap c4".to_owned()), "{lines:?}");
    // Without a next move the program name decides. The winner is then on the other side of the board.
    let winner = |text: &str| read_hex(text).tree.position(NodeId::ROOT).outcome();
    assert_eq!(winner("(;SZ[5]RE[W+])"), Some(Outcome::Win(Side::Second)));
    for (program, side) in
        [("HexGui:1.0", Side::Second), ("MoHex:2", Side::Second), ("PlayHex:1", Side::First)]
    {
        let record = read_hex(&format!("(;SZ[5]AP[{program}]RE[B+];B[b1];W[swap-pieces])"));
        assert_eq!(record.tree.position(record.end).outcome(), Some(Outcome::Win(side)), "{program}");
    }
}

#[test]
fn comments_marks_and_unknown_properties_round_trip() {
    let text = "(;GM[11]FF[4]SZ[5]PB[A \\] nn]EV[Cup]C[a [1\\] \\\\ b\nsecond line]KM[0]\n;B[b2]N[name]TR[c3][d4]LB[a1:x\\]y]\
        (;W[swap-pieces]XY[1][2];B[c3]C[after])(;W[d4]CR[e5]))";
    let game = read_hex(text);
    assert_eq!(game.remarks[0], ("first".to_owned(), "A ] nn".to_owned()));
    assert_eq!(game.tree.node(NodeId::ROOT).comments, ["a [1] \\ b", "second line"]);
    let (written, lost) =
        sgf::write_sgf(&game.tree, game.present, &game.remarks, sgf::SgfStyle::default()).unwrap();
    assert_eq!(lost, [""; 0]);
    for part in
        ["TR[c3][d4]", "LB[a1:x\\]y]", "XY[1][2]", "KM[0]", "C[a [1\\] \\\\ b\nsecond line]", "EV[Cup]"]
    {
        assert!(written.contains(part), "{part} in {written}");
    }
    assert_same(&read_hex(&written), &game, &written);
    let record = write_record(&game.tree, game.present, &game.remarks);
    assert_same(&read_hex(&record), &game, &record);
    // Marks stay with the stones, even after an exchange of sides.
    let turned = read_hex("(;SZ[5];B[b1];W[swap-sides];W[d3]TR[d3])");
    assert_eq!(turned.tree.node(turned.end).properties[0].values, ["c4"]);
}

#[test]
fn a_number_selects_one_game_of_a_file() {
    let text = "(;SZ[3];B[a1])\n(;SZ[5];B[b2];W[c3])\n(;GM[1]SZ[9])";
    let first = read_hex(text);
    assert_eq!((played_moves(&first), first.notes.len()), ("a1".to_owned(), 1));
    let numbered = |number| {
        load_game(
            text.as_bytes(),
            &RecordReadOptions { number: Some(number), ..RecordReadOptions::default() },
        )
    };
    let second = numbered(2).unwrap();
    assert_eq!((played_moves(&second), second.notes.len()), ("b2 c3".to_owned(), 0));
    assert!(numbered(3).is_err() && numbered(4).is_err() && numbered(0).is_err());
    let folder = folder();
    let path = file(&folder, "three.sgf", text);
    let drawn = run(&["picture", &path, "--game-number", "2"], "");
    assert!(drawn.out.contains("Hex 5x5"), "{}", drawn.err);
    assert_eq!(run(&["--plain", &path, "--game-number", "9"], "").code, Some(65));
}

#[test]
fn text_encodings_are_decoded() {
    let utf16 = |text: &str, mark: bool| -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        format!("{mark}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let text = "(;SZ[5]PB[Jörg];B[b2])";
    let latin = b"(;SZ[5]CA[ISO-8859-1]PB[J\xf6rg];B[b2])".to_vec();
    let raw = b"(;SZ[5]PB[J\xf6rg];B[b2])".to_vec();
    let marked = format!("\u{feff}{text}").into_bytes();
    for bytes in [text.as_bytes().to_vec(), marked, utf16(text, true), utf16(text, false), latin, raw] {
        let game = load_game(&bytes, &RecordReadOptions::default()).unwrap();
        assert_eq!((played_moves(&game), game.remarks[0].1.as_str()), ("b2".to_owned(), "Jörg"));
    }
    let japanese =
        load_game(b"(;SZ[5]CA[Shift_JIS]C[\x83\x5c];B[b2])", &RecordReadOptions::default()).unwrap();
    assert_eq!(japanese.tree.node(NodeId::ROOT).comments, ["ソ"], "its second byte is a backslash");
}

// ---- links and lists ----

#[test]
fn links_set_the_cursor_and_the_result() {
    for (text, wanted) in [
        ("https://hexworld.org/board/#11c1,b3:sc6i9", "b3 swap c6 i9"),
        ("#11c1,h4e7f9,b9c3", "h4 e7 f9 b9 c3"),
        ("15r9nmc1,e6:sf7i8g10", "e6 swap f7 i8 g10"),
        ("#5c1,b2%3Asc3 d4 b4", "b2 swap c3 d4 b4"),
        ("#5x5,b1:Sd3", "b1 swap c4"),
        ("trmph.com/hex/board#13,a1b2c3", "a1 b2 c3"),
        ("http://www.trmph.com/hex/board#13,a2a2c3", "a2 swap c3"),
        ("#5,b2:pc3", "b2 pass c3"),
    ] {
        assert_eq!(played_moves(&read_hex(text)), wanted, "{text}");
    }
    let cursor = read_hex("#11c1,h4e7f9,b9c3");
    assert_eq!(cursor.tree.ply(cursor.present), 3);
    let resigned = read_hex("#5c1,b2c3:rw");
    assert_eq!(resigned.tree.position(resigned.end).outcome(), Some(Outcome::Win(Side::First)));
    for bad in ["https://hexworld.org/board/", "#99,a1", "#5x6,a1", "https://hexworld.org/board/#x,a1"] {
        assert!(load_game(bad.as_bytes(), &RecordReadOptions::default()).is_err(), "{bad}");
    }
    // In a trmph link a swap repeats the first cell, while HexWorld has a sign for it.
    assert_eq!(played_moves(&read_hex("#5,b2b2c3")), "b2 swap c3");
    assert!(read_hex("#5c1,b2b2c3").fault.is_some());
    assert!(read_hex("https://hexworld.org/board/#5,b2b2").fault.is_some());
    assert!(read_hex("#5c1,b2c3b2").fault.is_some());
    // Moves after the end are refused.
    let after = read_hex("#5c1,b2:rbc3").fault.unwrap();
    assert_eq!(after.surplus.as_deref(), Some("c3"));
    let forfeit = read_hex("#5c1,b2:fwc3".trim_end_matches("c3"));
    let lost = EarlyEnd::Lost(Side::Second, LossReason::Forfeited);
    assert_eq!(forfeit.tree.position(forfeit.end).early_end(), Some(lost));
}

#[test]
fn quoridor_lists_are_read_in_every_notation() {
    let quoridor = RecordReadOptions::for_game(find_game("quoridor").unwrap());
    for (text, wanted) in [
        ("e2,e8,e3,e7", "e2 e8 e3 e7"),
        ("1. e2 e8 2. He3 vd5", "e2 e8 e3h d5v"),
        ("[White \"Ann\"]\n[Result \"0-1\"]\n1. e2! e8?! {good} 2. e3h 0-1", "e2 e8 e3h"),
        ("e2e8e3he7", "e2 e8 e3h e7"),
        ("e2 e8 h3 e7", ""),
        ("white e2 black e8", "e2 e8"),
        ("w e2, b e8, b resign", "e2 e8"),
    ] {
        match load_game(text.as_bytes(), &quoridor) {
            Ok(game) if wanted.is_empty() => assert!(game.fault.is_some(), "{text}"),
            game => assert_eq!(played_moves(&game.unwrap()), wanted, "{text}"),
        }
    }
    let tagged = load_game(b"[White \"Ann\"]\n1. e2 e8 {good} 1-0", &quoridor).unwrap();
    assert_eq!(tagged.remarks, [("first".to_owned(), "Ann".to_owned())]);
    assert_eq!(tagged.tree.node(tagged.end).comments, ["good"]);
    assert_eq!(tagged.tree.position(tagged.end).outcome(), Some(Outcome::Win(Side::First)));
    let two = load_game(b"GAME e2 e8\nRESULT W\nGAME e2 e8 e3\nRESULT B\n", &quoridor).unwrap();
    assert_eq!((played_moves(&two), two.notes.len()), ("e2 e8".to_owned(), 1));
}

#[test]
fn ambiguous_move_lists_are_refused() {
    for (text, wanted) in [
        ("b2 a1 c3", Some("tic-tac-toe")),
        ("e2 e8 e3h", Some("quoridor")),
        ("e2 e8 e3 e7 e2", Some("quoridor")),
        ("f6 swap d4", Some("hex")),
        ("a1 k11", Some("hex")),
        ("e2 e8 e3 e7", None),
        ("a5 b4", None),
        ("Call me Ishmael", None),
        ("a1 b2 zz", None),
        ("0 0 1 1", Some("tic-tac-toe")),
        ("0 0 9 9", None),
        ("1. 0 0\n2. 1 1", None),
    ] {
        match (open_game_file(text.as_bytes(), &RecordReadOptions::default()), wanted) {
            (OpenedFile::Game(game), Some(name)) => assert_eq!(game.start.entry.name, name, "{text}"),
            (OpenedFile::NotAGame(_), None) => {}
            (opened, _) => panic!("{text}: {opened:?}"),
        }
    }
    let numbered = load_game(b"1. 0 0\n2. 1 1", &RecordReadOptions::default()).unwrap_err();
    assert!(numbered.why.contains(said!("move-numbers-are-digits")), "{numbered}");
}

#[test]
fn arena_records_and_journals_can_be_opened() {
    let text = "{\"crosspath\":\"arena\",\"schema\":1,\"game\":\"hex\",\"size\":5,\"swap\":\"off\"}\n\
        {\"unit\":0,\"game\":0,\"first\":\"a\",\"second\":\"b\",\"opening\":[\"a1\"],\"moves\":[\"b2\",\"c3\"],\"result\":\"first\",\"reason\":\"resign\"}\n\
        {\"unit\":0,\"game\":1,\"first\":\"b\",\"second\":\"a\",\"opening\":[\"a1\"],\"moves\":[\"c3\"],\"result\":\"second\",\"reason\":\"time\",\"fault\":\"time\"}\n";
    let one = read_hex(text);
    assert_eq!(played_moves(&one), "a1 b2 c3");
    assert_eq!((one.form, one.notes.len()), (RecordFormat::Json, 1));
    let two =
        load_game(text.as_bytes(), &RecordReadOptions { number: Some(2), ..RecordReadOptions::default() })
            .unwrap();
    assert_eq!(
        two.tree.position(two.end).early_end(),
        Some(EarlyEnd::Lost(Side::First, LossReason::TimedOut))
    );
    let journal = run(&["picture", &case_path("hostile-escape-seats.journal")], "");
    assert!(journal.code == Some(0) && journal.out.contains("Hex 11x11"), "{}", journal.err);
}

// ---- setup positions ----

#[test]
fn games_can_begin_from_a_position_everywhere() {
    let folder = folder();
    let path = case_path("setup-stones.sgf");
    let shown = run(&["--plain", &path, "--strict"], "");
    assert!(shown.code == Some(0) && shown.out.contains("1. Blue b3") && shown.out.contains("2. Red a4"));
    let home = ["--game", "hex", "--size", "5", "--mode", "2", "--plain", "--position"];
    let saved = folder.path().join("game.txt").to_str().unwrap().to_owned();
    let played = run(
        &[&home[..], &["b4 c3 / d2 / 2"]].concat(),
        format!("where\nb3\nhint\nlink\nsave {saved}\nundo\nundo\nquit\n"),
    );
    assert_eq!(played.code, Some(0), "{}", played.err);
    assert!(played.err.contains(said!("there-is-nothing-to")), "{}", played.err);
    assert!(
        played.out.contains("https://hexworld.org/board/#5c1,b4d2c3b3\n") || played.out.contains("hexworld"),
        "{}",
        played.out
    );
    let text = fs::read_to_string(&saved).unwrap();
    assert!(text.contains("# position: c3 b4 / d2 / 2 / 5\n") && text.ends_with("\n1... b3\n"), "{text}");
    let again = read_hex(&text);
    assert_eq!((played_moves(&again), again.start.setup.is_some()), ("b3".to_owned(), true));
    let converted = run(&["convert", &saved, "--to", "sgf"], "");
    assert!(
        converted.out.contains("AB[c3][b4]AW[d2]PL[W]") && converted.out.contains("W[b3]"),
        "{}",
        converted.out
    );
    for (arguments, why) in [
        (["--game", "hex", "--size", "3", "--position", "a1 a2 a3 / - / 2"], "already over"),
        (["--game", "hex", "--size", "3", "--position", "a1 / a1 / 2"], "named twice"),
        (["--game", "hex", "--size", "3", "--position", "a9 / - / 2"], "off the board"),
        (["--game", "quoridor", "--size", "9", "--position", "- / - / e4 e4 / 9 9 / 1"], "cannot both stand"),
        (["--game", "quoridor", "--size", "9", "--position", "- / - / e9 e4 / 9 9 / 1"], "already over"),
        (["--game", "tic-tac-toe", "--size", "3", "--position", "a1 b1 c1 / a2 b2 / 2"], "already over"),
    ] {
        let refused = run(&arguments, "");
        assert!(refused.code == Some(2) && refused.err.contains(why), "{arguments:?}: {}", refused.err);
    }
    let solved = run(&["solve", "--game", "hex", "--size", "5", "--position", "b4 c3 / d2 / 2"], "");
    assert_eq!(solved.code, Some(0), "{}", solved.err);
}

#[test]
fn a_quoridor_history_begins_at_its_setup_position() {
    let entry = find_game("quoridor").unwrap();
    let start = GameStart::from_position_text(entry, Variant::default(), "d3e6/-/e4 e6/9 9/1").unwrap();
    let first = start.position().unwrap();
    assert_eq!(first.position_text().as_deref(), Some("d3 e6 / - / e4 e6 / 9 9 / 1"));
    let mut game = crosspath::session::PositionHistory::new(first);
    for text in ["d4", "d6", "e4", "e6"] {
        game.play(text).unwrap();
    }
    assert_eq!((game.repetition_count(), game.start_position().plies()), (2, 0));
    while game.undo().is_some() {}
    assert_eq!((game.plies(), game.position_text().as_deref()), (0, Some("d3 e6 / - / e4 e6 / 9 9 / 1")));
}

// ---- round trips ----

/// Returns a game of Hex with variations, comments, marks and perhaps a setup, and `true` if it ends early.
fn random_game_record(chance: &mut RandomGenerator) -> (GameRecord, bool) {
    let entry = find_game("hex").unwrap();
    let size = chance.random_range(2..=9);
    let swap = ["on", "off"][usize::from(chance.random_bool(0.3))];
    let mut start = GameStart::new(entry, Variant::of_size(size).with_setting("swap", swap));
    if chance.random_bool(0.3) {
        let mut cells = start.position().unwrap().legal_moves();
        let mut take = |chance: &mut RandomGenerator| cells.swap_remove(chance.random_range(0..cells.len()));
        let count = chance.random_range(1..=size - 1);
        let stones: Vec<String> = (0..count).map(|_| take(chance)).collect();
        let (first, second) = stones.split_at(chance.random_range(0..=count));
        let pieces = BySide::new(first.to_vec(), second.to_vec());
        let to_move = Side::BOTH[chance.random_range(0..2)];
        let setup = PositionSetup { pieces, to_move, left: None };
        let begun = GameStart { setup: Some(setup), ..start.clone() };
        start = if begun.position().is_ok() { begun } else { start };
    }
    let mut tree = GameTree::new(start.position().unwrap());
    let mut ids = vec![NodeId::ROOT];
    for _ in 0..chance.random_range(0..30) {
        let at = ids[ids.len() - 1 - chance.random_range(0..ids.len().min(3))];
        let mut legal = tree.position(at).legal_moves();
        if tree.position(at).outcome().is_none() && chance.random_bool(0.03) {
            legal = vec!["pass".to_owned()];
        }
        if legal.is_empty() {
            continue;
        }
        // The swap is the last legal move and would rarely be drawn among the cells.
        let place =
            if chance.random_bool(0.2) { legal.len() - 1 } else { chance.random_range(0..legal.len()) };
        let id = tree.play_move(at, &legal[place], MoveSource::File).unwrap();
        ids.extend((!ids.contains(&id)).then_some(id));
    }
    let end = tree.main_line_end(NodeId::ROOT);
    let mut is_early = false;
    if tree.position(end).outcome().is_none() && chance.random_bool(0.4) {
        let loser = Side::BOTH[chance.random_range(0..2)];
        let words = ["resign", "time", "forfeit", "lost"];
        let early = EarlyEnd::from_record_word(words[chance.random_range(0..words.len())], loser).unwrap();
        tree.set_position(end, tree.position(end).with_early_end(early));
        is_early = true;
    }
    for &id in &ids {
        add_remarks(&mut tree, id, size, chance);
    }
    // The shown position may be anywhere, even in a side line.
    let present =
        if is_early || chance.random_bool(0.6) { end } else { ids[chance.random_range(0..ids.len())] };
    let remarks =
        vec![("first".to_owned(), "Ann ]\\ [x".to_owned()), ("date".to_owned(), "2026-11-27".to_owned())];
    let record = GameRecord {
        start,
        form: RecordFormat::Record,
        tree,
        end,
        present,
        remarks,
        stated: None,
        notes: Vec::new(),
        fault: None,
        last_line: 1,
        edits: EditHistory::default(),
    };
    (record, is_early)
}

/// Adds comments and marks to some positions.
fn add_remarks(tree: &mut GameTree, id: NodeId, size: usize, chance: &mut RandomGenerator) {
    const WORDS: [&str; 6] = ["good", "a ] b", "c \\ d", "(1) f6 # no", "«ü»: x", "; B[a1]"];
    let cell = |chance: &mut RandomGenerator| {
        let (column, row) = (chance.random_range(0..size), chance.random_range(1..=size));
        format!("{}{row}", char::from(b'a' + u8::try_from(column).unwrap()))
    };
    let (mut comments, mut properties) = (Vec::new(), Vec::new());
    while chance.random_bool(0.2) {
        comments.push(WORDS[chance.random_range(0..WORDS.len())].to_owned());
    }
    if chance.random_bool(0.15) {
        properties.push(NodeProperty { name: "TR".to_owned(), values: vec![cell(chance), cell(chance)] });
    }
    if chance.random_bool(0.15) {
        let label = format!("{}:\\]x", cell(chance));
        properties.push(NodeProperty { name: "LB".to_owned(), values: vec![label] });
    }
    if chance.random_bool(0.05) {
        properties
            .push(NodeProperty { name: "XX".to_owned(), values: vec!["1\n2".to_owned(), String::new()] });
    }
    tree.set_annotations(id, comments, properties);
}

/// Returns the comments and properties of each position of a game.
fn annotations(record: &GameRecord) -> BTreeMap<String, (Vec<String>, Vec<NodeProperty>)> {
    let of = |id: NodeId| {
        let node = record.tree.node(id);
        (record.tree.position(id).played_moves().join(" "), (node.comments.clone(), node.properties.clone()))
    };
    record.tree.node_ids().map(of).collect()
}

fn assert_same(read: &GameRecord, game: &GameRecord, text: &str) {
    assert!(read.fault.is_none() && read.notes.is_empty(), "{:?} {:?} in {text}", read.fault, read.notes);
    assert_eq!(annotations(read), annotations(game), "{text}");
    let ends = |record: &GameRecord| {
        let end = record.tree.position(record.tree.main_line_end(record.present));
        let main = record.tree.position(record.end);
        (
            record.tree.position(record.present).played_moves(),
            end.played_moves(),
            main.played_moves(),
            main.early_end(),
        )
    };
    assert_eq!(ends(read), ends(game), "{text}");
    let first = |record: &GameRecord| record.tree.position(NodeId::ROOT).clone();
    assert_eq!(
        (first(read).position_key(), first(read).settings()),
        (first(game).position_key(), first(game).settings()),
        "{text}"
    );
}

fn check_round_trips(count: u64) {
    for number in 0..count {
        let (game, _) = random_game_record(&mut random_stream(61, number));
        let (text, lost) =
            sgf::write_sgf(&game.tree, game.present, &game.remarks, sgf::SgfStyle::default()).unwrap();
        assert_eq!(lost, [""; 0], "{text}");
        let read = read_hex(&text);
        assert_same(&read, &game, &text);
        assert_eq!(read.remarks, game.remarks, "{text}");
        let style = sgf::SgfStyle { exchanges_players: true, ..sgf::SgfStyle::default() };
        let (text, _) = sgf::write_sgf(&game.tree, game.present, &game.remarks, style).unwrap();
        assert_same(&read_hex(&text), &game, &text);
        let text = write_record(&game.tree, game.present, &game.remarks);
        assert_same(&read_hex(&text), &game, &text);
    }
}

#[test]
fn generated_trees_round_trip_through_sgf_and_text() {
    check_round_trips(400);
}

#[test]
#[ignore = "slow: 10,000 trees"]
fn ten_thousand_generated_trees_round_trip() {
    check_round_trips(10_000);
}

fn check_links_round_trip(count: u64) {
    for number in 0..count {
        let chance = &mut random_stream(62, number);
        let size = chance.random_range(1..=26);
        let mut tree =
            GameTree::new(find_game("hex").unwrap().start_position(&Variant::of_size(size)).unwrap());
        let mut at = NodeId::ROOT;
        for _ in 0..chance.random_range(0..60) {
            let legal = tree.position(at).legal_moves();
            if legal.is_empty() {
                break;
            }
            let place =
                if chance.random_bool(0.3) { legal.len() - 1 } else { chance.random_range(0..legal.len()) };
            at = tree.play_move(at, &legal[place], MoveSource::File).unwrap();
        }
        let path: Vec<NodeId> = tree.ancestors(at).collect();
        let present = path[chance.random_range(0..path.len())];
        for site in [LinkSite::HexWorld, LinkSite::Trmph] {
            let (link, _) = write_link(&tree, present, site).unwrap();
            let read = read_hex(&link);
            assert_eq!(played_moves(&read), tree.position(at).played_moves().join(" "), "{link}");
            if site == LinkSite::HexWorld {
                assert_eq!(read.tree.ply(read.present), tree.ply(present), "{link}");
            }
        }
    }
}

#[test]
fn games_round_trip_through_links() {
    check_links_round_trip(300);
}

#[test]
#[ignore = "slow: 10,000 games"]
fn ten_thousand_games_round_trip_through_links() {
    check_links_round_trip(10_000);
}

#[test]
fn convert_reports_losses_and_overwrites_nothing() {
    let folder = folder();
    let text = "# crosspath hex size=5 swap=on\n# first: Ann\n1. b2 # here\n(1... a1) swap 2. c3\n";
    let path = file(&folder, "game.txt", text);
    let convert = |arguments: &[&str]| -> Run { run(&[&["convert", &path], arguments].concat(), "") };
    let link = convert(&["--to", "hexworld"]);
    assert_eq!(
        (link.code, &*link.out),
        (Some(0), "https://hexworld.org/board/#5c1,b2:sc3\n"),
        "{}",
        link.err
    );
    for what in ["variations", "comments", "the players' names"] {
        assert!(link.err.contains(what), "{}", link.err);
    }
    assert_eq!(convert(&["--to", "trmph"]).out, "https://trmph.com/hex/board#5,b2b2c3\n");
    assert_eq!(
        convert(&["--to", "crosspath"]).out,
        "# crosspath hex size=5 swap=on\n# first: Ann\n1. b2 # here\n(1. a1) swap 2. c3\n"
    );
    let out = folder.path().join("game.sgf").to_str().unwrap().to_owned();
    assert_eq!(convert(&["--to", "sgf", "--out", &out]).code, Some(0));
    assert!(fs::read_to_string(&out).unwrap().contains("PB[Ann]"));
    assert_eq!(convert(&["--to", "sgf", "--out", &out]).code, Some(2));
    assert_eq!(GameFileFormat::from_file_name(Path::new(&out)), GameFileFormat::Sgf);
    let walls = file(&folder, "walls.txt", "# crosspath quoridor size=9 walls=10\n1. e2 e8\n");
    assert_eq!(run(&["convert", &walls, "--to", "sgf"], "").code, Some(65));
}

// ---- files that are not games ----

/// Returns typical files that are not games: source code, prose, data, web pages, and pieces of them.
fn non_game_files() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for name in [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "CHANGELOG.md",
        "tests/data/hex_games.csv",
        "tests/data/ttt_pairings.json",
    ] {
        files.push(fs::read(root.join(name)).unwrap());
    }
    for folder in ["src", "src/record", "docs", "tests/it"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let is_text =
                path.extension().is_some_and(|ending| ["rs", "md"].iter().any(|known| ending == *known));
            files.extend(is_text.then(|| fs::read(&path).unwrap()));
        }
    }
    for text in [
        "for (;;) { x[i] = 1; }",
        "(;;)",
        "{\"a\": [1, 2]}",
        "[1, 2, 3]",
        "<html><body>a1 b2</body></html>",
        "int main(void) { return 0; }",
        "13,14,15\n1,2,3\n",
        "12345 67 89",
        "\x7fELF\x02\x01\x01\0\0\0",
        "#!/bin/sh\necho a1\n",
        "[InternetShortcut]\nURL=https://example.org/\n",
    ] {
        files.push(text.as_bytes().to_vec());
    }
    let mut chance = random_stream(63, 1);
    let pieces: Vec<Vec<u8>> = (0..200)
        .map(|_| {
            let of = &files[chance.random_range(0..files.len())];
            let from = chance.random_range(0..of.len().max(1));
            of[from..(from + chance.random_range(1..400)).min(of.len())].to_vec()
        })
        .collect();
    files.extend(pieces);
    files.extend((0..100).map(|number| {
        let mut noise = random_stream(64, number);
        (0..200).map(|_| noise.random_range(0..=255)).collect()
    }));
    files
}

#[test]
fn prose_source_code_and_data_are_not_games() {
    for bytes in non_game_files() {
        let text = String::from_utf8_lossy(&bytes);
        match open_game_file(&bytes, &RecordReadOptions::default()) {
            OpenedFile::NotAGame(why) => {
                let why = why.to_string();
                assert!(!why.contains('\n') && why.len() < 400, "{why}");
            }
            OpenedFile::Journal => panic!("{text}"),
            // By chance every word was a legal move.
            OpenedFile::Game(game) => {
                assert!(game.fault.is_none() && game.tree.len() > 1, "{text}");
            }
        }
    }
    let folder = folder();
    for (name, bytes) in [("a.json", &b"{\"a\": 1}"[..]), ("b.c", b"for (;;) {}"), ("c", b"\x7fELF\0\0")] {
        let path = file(&folder, name, bytes);
        for command in [&[path.as_str()][..], &["picture", &path], &["convert", &path, "--to", "sgf"]] {
            let refused = run(command, "");
            assert_eq!((refused.code, &*refused.out), (Some(65), ""), "{command:?}");
            assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
        }
    }
}

#[test]
fn deep_and_large_files_are_handled_quickly() {
    let begun = Instant::now();
    let many = |part: &str| part.repeat((1 << 20) / part.len());
    for text in [
        many("(;"),
        many("(;B[a1]"),
        format!("(;SZ[5]C[{}])", many("x")),
        format!("(;SZ[5]{})", many("AB[a1]")),
        format!("(;SZ[26]{})", many(";B[a1];W[b1]")),
        format!("(;SZ[5];B[a1]{})", many("(;W[b2])(;W[c3])")),
        many("(;SZ[5];B[a1])"),
        many("("),
        format!("#19c1,{}", many("a1")),
        many("#5,a1\n"),
        many("a1 "),
        many("e2e8"),
        many("GAME e2\n"),
        many("{"),
        many("[A \"b\"]\n"),
        format!("# crosspath hex size=5\n{}", many("#: TR[a1]\n")),
    ] {
        for hint in [
            RecordReadOptions::default(),
            RecordReadOptions::for_game(find_game("hex").unwrap()),
            RecordReadOptions::for_game(&GAMES[0]),
        ] {
            let begun = Instant::now();
            if let OpenedFile::NotAGame(why) = open_game_file(text.as_bytes(), &hint) {
                assert!(why.to_string().len() < 400, "{why}");
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "{:?} {}", begun.elapsed(), &text[..20]);
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}
