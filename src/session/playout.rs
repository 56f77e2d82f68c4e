//! Fast games on one board for self-play, played in place with moves as numbers. No positions are stored and
//! no texts are formatted during play.

use std::fmt::{self, Debug};
use std::sync::atomic::AtomicBool;

use super::{EngineError, Playable};
use crate::ai::{
    EngineHost, EngineKind, EngineSpec, GameEngines, GameHistory, Limits, Score, ScoreUnit, SearchControl,
};
use crate::game::{BoardConfig, GameEncoding, Outcome, Side};

/// Move that an engine chose, with the value of the position.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::Limits;
/// use crosspath::registry::{Variant, find_game};
/// let mut game = find_game("tic-tac-toe")?.new_playout(&Variant::default())?;
/// // First holds a1 and a2, Second c3.
/// assert!([0, 8, 3].into_iter().all(|number| game.play(number)));
/// game.seat_engines(&"level:8".parse()?, 1)?;
/// let chosen = game.choose_move(1, Limits::default(), &AtomicBool::new(false))?;
/// assert_eq!(chosen.number, 6, "a3 blocks the column");
/// assert!(chosen.candidates.is_empty(), "no moves were compared");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// Number of the chosen move.
    pub number: u16,
    /// Value of the position for the mover, if the engine reports one.
    pub score: Option<Score>,
    /// Moves compared, each with its score and its visits, the best first; empty if there are fewer than two.
    pub candidates: Vec<(u16, Score, u32)>,
}

/// A game that is played in place and can be restarted on the same board.
///
/// Move numbers are those of the game's [`GameEncoding`]. Without one, a number is the index of the move among
/// the legal ones, in the order of [`Game::push_legal_moves`](crate::game::Game::push_legal_moves).
///
/// ```
/// use crosspath::registry::{Variant, find_game};
/// let mut game = find_game("tic-tac-toe")?.new_playout(&Variant::default())?;
/// assert!(game.play(4) && !game.play(4), "the middle is free once");
/// assert_eq!((game.plies(), game.legal_move_numbers().len()), (1, 8));
/// assert_eq!(game.move_texts().expect("moves have numbers")[4], "b2");
/// # Ok::<(), crosspath::registry::BoardSetupError>(())
/// ```
pub trait Playout: Debug + Send {
    /// Returns to the first position and removes the engines.
    fn restart(&mut self);
    /// Creates a new engine for each side.
    ///
    /// # Errors
    /// Returns an error if the engine does not exist or cannot be built.
    fn seat_engines(&mut self, engine: &EngineSpec, seed: u64) -> Result<(), EngineError>;
    /// Returns the side to move.
    fn to_move(&self) -> Side;
    /// Returns the outcome; `None` while the game is not over.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the number of moves played.
    fn plies(&self) -> usize;
    /// Returns the position's key; see [`Game::position_key`](crate::game::Game::position_key).
    fn position_key(&self) -> u64;
    /// Returns the number of occurrences of this position in the game, including this one.
    fn repetition_count(&self) -> usize;
    /// Returns the numbers of the legal moves, in the order of [`Game::push_legal_moves`](crate::game::Game::push_legal_moves).
    fn legal_move_numbers(&mut self) -> &[u16];
    /// Plays the move with this number. Returns `false` and changes nothing if it is not legal.
    fn play(&mut self, number: u16) -> bool;
    /// Reports whether the side to move has a move that wins at once.
    fn can_win_at_once(&mut self) -> bool;
    /// Lets the engine of the side to move choose a move, comparing `compared` moves if it gives scores.
    ///
    /// # Errors
    /// Returns an error if no engine can be built.
    ///
    /// # Panics
    /// Panics if the game is over or there are no engines.
    fn choose_move(
        &mut self,
        compared: usize,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, EngineError>;
    /// Appends the position as bytes. Returns `false` if the game has no [`GameEncoding`].
    fn encode_position(&self, out: &mut Vec<u8>) -> bool;
    /// Returns the moves of all numbers in the notation of records; `None` if the game has no [`GameEncoding`].
    fn move_texts(&self) -> Option<Vec<String>>;
    /// Returns the score unit of a level, if it exists.
    fn score_unit(&self, level: EngineKind) -> Option<ScoreUnit>;
}

/// A playout of one game.
pub(crate) struct TypedPlayout<G: Playable> {
    start: G,
    game: G,
    played: Vec<G::Move>,
    /// Keys of the positions so far, the current one last.
    keys: Vec<u64>,
    encoding: Option<GameEncoding<G>>,
    game_engines: GameEngines<G>,
    /// Engines of First and Second, if there are any.
    hosts: Vec<EngineHost<G>>,
    /// Legal moves of the current position and their numbers, computed on demand.
    moves: Vec<G::Move>,
    numbers: Vec<u16>,
}

impl<G: Playable> Debug for TypedPlayout<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Playout({}, {} plies)", G::INFO.name, self.played.len())
    }
}

impl<G: Playable> TypedPlayout<G> {
    /// Creates a game on this board before its first move.
    pub(crate) fn new(board: &BoardConfig) -> Self {
        let start = G::start_position(board);
        TypedPlayout {
            game: start.clone(),
            keys: vec![start.position_key()],
            start,
            played: Vec::new(),
            encoding: G::encoding(),
            game_engines: G::game_engines(),
            hosts: Vec::new(),
            moves: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Computes the legal moves of the current position unless they are known. A running game has at least
    /// one.
    fn fill_legal_moves(&mut self) {
        if self.moves.is_empty() {
            self.game.push_legal_moves(&mut self.moves);
            let TypedPlayout { encoding, moves, numbers, game, .. } = self;
            match encoding {
                Some(encoding) => numbers.extend(moves.iter().map(|&mv| (encoding.number)(game, mv))),
                None => numbers.extend((0u16..).zip(moves).map(|(number, _)| number)),
            }
        }
    }

    fn move_number(&mut self, mv: G::Move) -> u16 {
        if let Some(encoding) = self.encoding {
            return (encoding.number)(&self.game, mv);
        }
        self.fill_legal_moves();
        let place = self.moves.iter().position(|&known| known == mv).expect("engines choose legal moves");
        self.numbers[place]
    }

    /// Returns the legal move with this number.
    fn move_of_encoding_number(&mut self, number: u16) -> Option<G::Move> {
        if let Some(encoding) = self.encoding {
            return (encoding.mv)(&self.game, number).filter(|&mv| self.game.is_legal(mv));
        }
        self.fill_legal_moves();
        self.moves.get(usize::from(number)).copied()
    }
}

impl<G: Playable> Playout for TypedPlayout<G> {
    fn restart(&mut self) {
        self.game = self.start.clone();
        self.played.clear();
        self.keys.truncate(1);
        self.hosts.clear();
        self.moves.clear();
        self.numbers.clear();
    }

    fn seat_engines(&mut self, engine: &EngineSpec, seed: u64) -> Result<(), EngineError> {
        let spec = self.game_engines.find_level(engine.level)?.clone();
        self.hosts.clear();
        for side in Side::BOTH {
            let config = engine.config_for_side(seed, side);
            self.hosts.push(EngineHost::new(spec.clone(), config, &self.start)?);
        }
        Ok(())
    }

    fn to_move(&self) -> Side {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn plies(&self) -> usize {
        self.played.len()
    }

    fn position_key(&self) -> u64 {
        self.game.position_key()
    }

    fn repetition_count(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|&key| Some(key) == now).count()
    }

    fn legal_move_numbers(&mut self) -> &[u16] {
        self.fill_legal_moves();
        &self.numbers
    }

    fn play(&mut self, number: u16) -> bool {
        let Some(mv) = self.move_of_encoding_number(number) else { return false };
        self.game.make_move(mv);
        self.played.push(mv);
        self.keys.push(self.game.position_key());
        self.moves.clear();
        self.numbers.clear();
        true
    }

    fn can_win_at_once(&mut self) -> bool {
        self.fill_legal_moves();
        let TypedPlayout { game, moves, .. } = self;
        let wins = Some(Outcome::Win(game.to_move()));
        moves.iter().any(|&mv| {
            let undo = game.make_move(mv);
            let outcome = game.outcome();
            game.unmake_move(mv, undo);
            outcome == wins
        })
    }

    fn choose_move(
        &mut self,
        compared: usize,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, EngineError> {
        let at = GameHistory { start: &self.start, played: &self.played, now: &self.game };
        let control = SearchControl::without_reports(limits, stop);
        let host = &mut self.hosts[self.game.to_move().index()];
        let choice = if compared > 1 {
            host.rank_moves(compared, &at, &control)?
        } else {
            host.choose(&at, &control)?
        };
        let mut candidates = Vec::new();
        if choice.info.candidates.len() > 1 {
            let compared = choice.info.candidates.iter();
            candidates.extend(
                compared.filter_map(|one| Some((self.move_number(one.first_move()), one.score?, one.visits))),
            );
        }
        Ok(ChosenMove { number: self.move_number(choice.mv), score: choice.info.score, candidates })
    }

    fn encode_position(&self, out: &mut Vec<u8>) -> bool {
        if let Some(encoding) = self.encoding {
            (encoding.position)(&self.game, out);
        }
        self.encoding.is_some()
    }

    fn move_texts(&self) -> Option<Vec<String>> {
        let encoding = self.encoding?;
        let numbers = 0..(encoding.move_count)(&self.start);
        numbers.map(|number| Some(self.start.format_move((encoding.mv)(&self.start, number)?))).collect()
    }

    fn score_unit(&self, level: EngineKind) -> Option<ScoreUnit> {
        self.game_engines.find_level(level).ok().map(|spec| spec.scale)
    }
}
