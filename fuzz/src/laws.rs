//! Fuzz target for the laws of every game. The input chooses the moves of a game.

use crosspath::record::{GameTree, MoveSource, NodeId, RecordReadOptions, load_game, write_record};
use crosspath::registry::{GameVisitor, RegisteredGame, Variant, visit_all_games};
use crosspath::session::{Playable, PositionHistory};

use super::Input;

/// Maximum number of moves of a game.
const MAX_MOVES: usize = 50;

/// Checks the laws of a game. The first byte chooses a board, every other byte a legal move.
pub fn laws(bytes: &[u8]) {
    let mut input = Input(bytes);
    let (entry, variant) = input.board();
    visit_all_games(&mut RandomGame { game: entry.name, variant, choices: input.0 });
}

/// Game whose moves the input chooses.
struct RandomGame<'a> {
    game: &'static str,
    variant: Variant,
    choices: &'a [u8],
}

impl GameVisitor for RandomGame<'_> {
    fn visit_game<G: Playable>(&mut self, entry: &'static RegisteredGame) {
        if entry.name != self.game {
            return;
        }
        let start = G::start_position(&entry.resolve_board(&self.variant).expect("a board of the game"));
        let played = self.play_moves(&start);
        // All moves are undone and redone.
        let mut history = entry.new_history(&self.variant).expect("the same board");
        for text in &played {
            history.play(text).expect("legal");
        }
        check_record(entry, &history);
        let key = history.position_key();
        while history.undo().is_some() {}
        assert_eq!((history.plies(), history.position_key()), (0, start.position_key()));
        while history.redo().is_some() {}
        assert_eq!((history.played_moves(), history.position_key()), (played, key));
    }
}

impl RandomGame<'_> {
    /// Plays the chosen moves, checks every position, and returns the moves as text.
    fn play_moves<G: Playable>(&self, start: &G) -> Vec<String> {
        let (mut game, mut played) = (start.clone(), Vec::new());
        let (mut legal, mut before) = (Vec::new(), Vec::new());
        for &choice in self.choices.iter().take(MAX_MOVES) {
            std::mem::swap(&mut legal, &mut before);
            legal.clear();
            game.push_legal_moves(&mut legal);
            check_legality(&game, part(&before, choice), part(&legal, choice), &legal);
            assert_eq!(game.outcome().is_some(), legal.is_empty());
            if legal.is_empty() {
                break;
            }
            let mv = legal[usize::from(choice) % legal.len()];
            let text = game.format_move(mv);
            assert_eq!(game.parse(&text), Ok(mv));
            let last = game.clone();
            let undo = game.make_move(mv);
            let mut back = game.clone();
            back.unmake_move(mv, undo);
            assert!(
                back == last && back.position_key() == last.position_key(),
                "{text} was not undone in {last:?}"
            );
            played.push(text);
        }
        let mut again = start.clone();
        for text in &played {
            let mv = again.parse(text).expect("a move");
            assert!(again.try_make_move(mv).is_ok(), "{text} is refused in {again:?}");
        }
        assert!(again == game && again.position_key() == game.position_key());
        played
    }
}

/// Returns the part of a list that `choice` selects: all of a short list, about eight of a long
/// one.
fn part<M: Copy>(list: &[M], choice: u8) -> impl Iterator<Item = M> {
    let step = list.len() / 8 + 1;
    list.iter().copied().skip(usize::from(choice) % step).step_by(step)
}

/// Checks that listed moves are legal. Moves that were legal before and no longer are must be refused
/// without any change.
fn check_legality<G: Playable>(
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
        assert!(!game.is_legal(mv) && tried.try_make_move(mv).is_err(), "{mv:?} is not listed in {game:?}");
        assert!(tried == *game && tried.position_key() == game.position_key(), "{mv:?} changed {game:?}");
    }
}

/// Checks that reading the record of a game restores the game.
fn check_record(entry: &'static RegisteredGame, history: &PositionHistory) {
    let mut tree = GameTree::new(history.current().start_position());
    let moves = history.played_moves();
    let end = moves
        .iter()
        .fold(NodeId::ROOT, |at, text| tree.play_move(at, text, MoveSource::File).expect("legal"));
    let text = write_record(&tree, end, &[]);
    let read = load_game(text.as_bytes(), &RecordReadOptions::for_game(entry).with_strict_digits())
        .expect("a record");
    assert!(read.fault.is_none(), "{:?} in {text}", read.fault);
    let there = read.tree.position(read.present);
    assert_eq!((there.position_key(), there.played_moves()), (history.position_key(), moves));
}
