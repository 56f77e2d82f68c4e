//! Moves as text: single moves, files of moves, SGF, lists of openings.

use crosspath::arena::matches::Openings;
use crosspath::canvas::Glyphs;
use crosspath::record::sgf::{self, SgfStyle};
use crosspath::record::{GameRecord, Hint, Noise, Opened, RecordFormat, Strictness, load, open, write};
use crosspath::registry::find;

use super::{Input, is_clean, is_plain, start};

/// Reads moves in any spelling, a line each, on any board.
pub fn move_text(bytes: &[u8]) {
    let mut input = Input(bytes);
    let mut position = start(&input.board());
    for line in input.text().lines().take(100) {
        for dialect in position.dialects() {
            let _ = position.translate(dialect, line);
        }
        if let Err(refusal) = position.effect(line, Glyphs::Ascii) {
            is_plain(&refusal);
        }
        let read = position.read(line);
        match position.clone().play(line) {
            Ok(next) => {
                let told = next.last().expect("a move was played");
                assert_eq!((read.as_ref(), position.read(&told).as_ref()), (Ok(&told), Ok(&told)));
                assert!(position.is_legal(&told) && position.legal().contains(&told));
                assert_eq!(next.plies(), position.plies() + 1);
                position = next;
            }
            Err(refusal) => {
                is_plain(&refusal);
                assert!(!position.is_legal(line));
            }
        }
    }
}

/// Reads a move file in every form.
pub fn move_file(bytes: &[u8]) {
    let mut input = Input(bytes);
    let strictness = input.one_of(&[Strictness::Forgiving, Strictness::Strict]);
    let (entry, variant) = input.board();
    let noise = input.one_of(&[Noise::Refused, Noise::PassedOver]);
    let game = input.one_of(&[Some(entry), None]);
    let hint = Hint { game, noise, strictness, ..Hint::default().on(&variant) };
    match open(input.0, &hint) {
        Opened::Game(loaded) => is_written_and_read_again(&loaded),
        Opened::Journal => {}
        Opened::NotAGame(why) => is_clean(&why.to_string()),
    }
}

/// Checks that the record of a file's game, as far as it can be followed, has the same game.
fn is_written_and_read_again(loaded: &GameRecord) {
    let GameRecord { tree, present, fault, notes, .. } = loaded;
    for note in notes {
        is_plain(&note.why);
    }
    if let Some(fault) = fault {
        return is_plain(&fault.why);
    }
    let (text, again) = written(loaded);
    assert!(again.fault.is_none(), "{:?} in {text}", again.fault);
    assert_eq!((again.start.entry.name, again.tree.len()), (loaded.start.entry.name, tree.len()), "{text}");
    let [one, other] = [tree.position(*present), again.tree.position(again.present)];
    assert_eq!(
        (one.key(), one.played(), one.early()),
        (other.key(), other.played(), other.early()),
        "{text}"
    );
    // Comments in front of the first move may have become remarks; then all stays as it is.
    let (text, again) = written(&again);
    assert_eq!(written(&again).0, text);
}

/// Returns the record of a game, and its contents when it is read.
fn written(loaded: &GameRecord) -> (String, GameRecord) {
    let text = write(&loaded.tree, loaded.present, &loaded.remarks);
    let again = load(text.as_bytes(), &Hint::of(loaded.start.entry).strict());
    (text, again.expect("a record has a right header"))
}

/// Reads a game of Hex in SGF.
pub fn sgf(bytes: &[u8]) {
    let loaded = match load(bytes, &Hint::of(find("hex").expect("a game")).strict()) {
        Ok(loaded) => loaded,
        Err(bad) => return is_clean(&bad.to_string()),
    };
    is_written_and_read_again(&loaded);
    if loaded.form != RecordFormat::Sgf || loaded.fault.is_some() {
        return;
    }
    let (text, _) = sgf::write(&loaded.tree, loaded.present, &loaded.remarks, SgfStyle::default())
        .expect("a game of Hex");
    let again = load(text.as_bytes(), &Hint::default().strict()).expect("what is written can be read");
    assert!(again.fault.is_none(), "{:?} in {text}", again.fault);
    let moves = |record: &GameRecord| record.tree.position(record.present).played();
    assert_eq!((moves(&again), again.tree.len()), (moves(&loaded), loaded.tree.len()), "{text}");
}

/// Reads a list of openings.
pub fn opening_file(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (entry, variant) = input.board();
    match Openings::of_text("openings.txt", &input.text(), entry, &variant) {
        Ok(Openings::List(_, openings)) => {
            assert!(!openings.is_empty());
            for opening in openings {
                let game = opening.game(entry, &variant).expect("what was read can be played");
                assert!(!opening.is_empty() && game.outcome().is_none(), "{opening}");
            }
        }
        Ok(other) => panic!("a list became {other:?}"),
        Err(why) => is_clean(&why.to_string()),
    }
}
