//! The laws of every game, on games that the bytes choose move by move.

use crosspath::record::{GameTree, Hint, MoveSource, NodeId, load, write};
use crosspath::registry::{Entry, Variant, Visitor, visit};
use crosspath::session::{History, Playable};

use super::Input;

/// Number of moves after which a game is left.
const MAX_MOVES: usize = 50;

/// Checks the laws: the first byte chooses a board, every other one a legal move.
pub fn laws(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (entry, variant) = input.board();
    visit(&mut Walk { on: entry.name, variant, choices: input.0 });
}

/// Game that the bytes choose.
struct Walk<'a> {
    on: &'static str,
    variant: Variant,
    choices: &'a [u8],
}

impl Visitor for Walk<'_> {
    fn visit<G: Playable>(&mut self, entry: &'static Entry) {
        if entry.name != self.on {
            return;
        }
        let start = G::set_up(&entry.choose(&self.variant).expect("a board of the game"));
        let played = self.walk(&start);
        // Undone to the start, and played again from there
        let mut history = entry.history(&self.variant).expect("the same board");
        for text in &played {
            history.play(text).expect("legal");
        }
        is_told_by_its_record(entry, &history);
        let key = history.key();
        while history.undo().is_some() {}
        assert_eq!((history.plies(), history.key()), (0, start.key()));
        while history.redo().is_some() {}
        assert_eq!((history.played(), history.key()), (played, key));
    }
}

impl Walk<'_> {
    /// Plays the moves; returns them as text.
    fn walk<G: Playable>(&self, start: &G) -> Vec<String> {
        let (mut game, mut played) = (start.clone(), Vec::new());
        let (mut legal, mut before) = (Vec::new(), Vec::new());
        for &choice in self.choices.iter().take(MAX_MOVES) {
            std::mem::swap(&mut legal, &mut before);
            legal.clear();
            game.moves(&mut legal);
            refuses_all_others(&game, part(&before, choice), part(&legal, choice), &legal);
            assert_eq!(game.outcome().is_some(), legal.is_empty());
            if legal.is_empty() {
                break;
            }
            let mv = legal[usize::from(choice) % legal.len()];
            let text = game.show(mv);
            assert_eq!(game.parse(&text), Ok(mv));
            let last = game.clone();
            let undo = game.make(mv);
            let mut back = game.clone();
            back.unmake(mv, undo);
            assert!(back == last && back.key() == last.key(), "{text} was not taken back in {last:?}");
            played.push(text);
        }
        let mut again = start.clone();
        for text in &played {
            let mv = again.parse(text).expect("a move");
            assert!(again.try_make(mv).is_ok(), "{text} is refused in {again:?}");
        }
        assert!(again == game && again.key() == game.key());
        played
    }
}

/// Returns the part of a list that `choice` selects: all of a short list, about eight of a long
/// one.
fn part<M: Copy>(list: &[M], choice: u8) -> impl Iterator<Item = M> {
    let step = list.len() / 8 + 1;
    list.iter().copied().skip(usize::from(choice) % step).step_by(step)
}

/// Checks that listed moves are legal, and that moves which were legal before and no longer are get
/// refused without any change.
fn refuses_all_others<G: Playable>(
    game: &G,
    before: impl Iterator<Item = G::Move>,
    listed: impl Iterator<Item = G::Move>,
    legal: &[G::Move],
) {
    for mv in listed {
        assert!(game.is_legal(mv), "{mv:?} is listed in {game:?}");
    }
    for mv in before.filter(|mv| !legal.contains(mv)) {
        let mut tried = game.clone();
        assert!(!game.is_legal(mv) && tried.try_make(mv).is_err(), "{mv:?} is not listed in {game:?}");
        assert!(tried == *game && tried.key() == game.key(), "{mv:?} changed {game:?}");
    }
}

/// Checks that the record of a game has the same game.
fn is_told_by_its_record(entry: &'static Entry, history: &History) {
    let mut tree = GameTree::new(history.now().start());
    let moves = history.played();
    let end =
        moves.iter().fold(NodeId::ROOT, |at, text| tree.play(at, text, MoveSource::File).expect("legal"));
    let text = write(&tree, end, &[]);
    let read = load(text.as_bytes(), &Hint::of(entry).strict()).expect("a record");
    assert!(read.fault.is_none(), "{:?} in {text}", read.fault);
    let there = read.tree.position(read.present);
    assert_eq!((there.key(), there.played()), (history.key(), moves));
}
