//! Fuzz targets for moves as text: single moves, move files, SGF, and lists of openings.

use crosspath::arena::matches::Openings;
use crosspath::canvas::GlyphSet;
use crosspath::record::sgf::{self, SgfStyle};
use crosspath::record::{
    DigitPairStrictness, GameRecord, NonDigitTextPolicy, OpenedFile, RecordFormat, RecordReadOptions,
    load_game, open_game_file, write_record,
};
use crosspath::registry::find_game;

use super::{Input, check_clean, check_refusal, start};

/// Reads moves, one per line, on any board.
pub fn move_text(bytes: &[u8]) {
    let mut input = Input(bytes);
    let mut position = start(&input.board());
    for line in input.text().lines().take(100) {
        for dialect in position.move_dialects() {
            let _ = position.translate_move(dialect, line);
        }
        if let Err(refusal) = position.describe_move_effect(line, GlyphSet::Ascii) {
            check_refusal(&refusal);
        }
        let read = position.normalize_move(line);
        match position.clone().play(line) {
            Ok(next) => {
                let normalized = next.last_move().expect("a move was played");
                assert_eq!(
                    (read.as_ref(), position.normalize_move(&normalized).as_ref()),
                    (Ok(&normalized), Ok(&normalized))
                );
                assert!(position.is_legal(&normalized) && position.legal_moves().contains(&normalized));
                assert_eq!(next.plies(), position.plies() + 1);
                position = next;
            }
            Err(refusal) => {
                check_refusal(&refusal);
                assert!(!position.is_legal(line));
            }
        }
    }
}

/// Reads a move file in any format.
pub fn move_file(bytes: &[u8]) {
    let mut input = Input(bytes);
    let strictness = input.one_of(&[DigitPairStrictness::Forgiving, DigitPairStrictness::Strict]);
    let (entry, variant) = input.board();
    let noise = input.one_of(&[NonDigitTextPolicy::Refused, NonDigitTextPolicy::PassedOver]);
    let game = input.one_of(&[Some(entry), None]);
    let hint =
        RecordReadOptions { game, noise, strictness, ..RecordReadOptions::default().with_board(&variant) };
    match open_game_file(input.0, &hint) {
        OpenedFile::Game(loaded) => check_round_trip(&loaded),
        OpenedFile::Journal => {}
        OpenedFile::NotAGame(why) => check_clean(&why.to_string()),
    }
}

/// Checks that writing and reading a record restores the game, if the file had no error.
fn check_round_trip(loaded: &GameRecord) {
    let GameRecord { tree, present, fault, notes, .. } = loaded;
    for note in notes {
        check_refusal(&note.why);
    }
    if let Some(fault) = fault {
        return check_refusal(&fault.why);
    }
    let (text, again) = write_and_read(loaded);
    assert!(again.fault.is_none(), "{:?} in {text}", again.fault);
    assert_eq!((again.start.entry.name, again.tree.len()), (loaded.start.entry.name, tree.len()), "{text}");
    let [one, other] = [tree.position(*present), again.tree.position(again.present)];
    assert_eq!(
        (one.position_key(), one.played_moves(), one.early_end()),
        (other.position_key(), other.played_moves(), other.early_end()),
        "{text}"
    );
    // Comments before the first move may have become remarks. After that nothing changes.
    let (text, again) = write_and_read(&again);
    assert_eq!(write_and_read(&again).0, text);
}

/// Writes the record of a game; returns the text and the game read back from it.
fn write_and_read(loaded: &GameRecord) -> (String, GameRecord) {
    let text = write_record(&loaded.tree, loaded.present, &loaded.remarks);
    let again =
        load_game(text.as_bytes(), &RecordReadOptions::for_game(loaded.start.entry).with_strict_digits());
    (text, again.expect("a record has a right header"))
}

/// Reads a Hex game in SGF.
pub fn sgf(bytes: &[u8]) {
    let loaded = match load_game(
        bytes,
        &RecordReadOptions::for_game(find_game("hex").expect("a game")).with_strict_digits(),
    ) {
        Ok(loaded) => loaded,
        Err(bad) => return check_clean(&bad.to_string()),
    };
    check_round_trip(&loaded);
    if loaded.form != RecordFormat::Sgf || loaded.fault.is_some() {
        return;
    }
    let (text, _) = sgf::write_sgf(&loaded.tree, loaded.present, &loaded.remarks, SgfStyle::default())
        .expect("a game of Hex");
    let again = load_game(text.as_bytes(), &RecordReadOptions::default().with_strict_digits())
        .expect("what is written can be read");
    assert!(again.fault.is_none(), "{:?} in {text}", again.fault);
    let moves = |record: &GameRecord| record.tree.position(record.present).played_moves();
    assert_eq!((moves(&again), again.tree.len()), (moves(&loaded), loaded.tree.len()), "{text}");
}

/// Reads a list of openings.
pub fn opening_file(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (entry, variant) = input.board();
    match Openings::parse_text("openings.txt", &input.text(), entry, &variant) {
        Ok(Openings::List(_, openings)) => {
            assert!(!openings.is_empty());
            for opening in openings {
                let game = opening.start_game(entry, &variant).expect("what was read can be played");
                assert!(!opening.is_empty() && game.outcome().is_none(), "{opening}");
            }
        }
        Ok(other) => panic!("a list became {other:?}"),
        Err(why) => check_clean(&why.to_string()),
    }
}
