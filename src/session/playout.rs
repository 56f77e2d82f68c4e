//! Many games on one board, one after the other, played in place with moves as numbers: the fast face of a game, for
//! self-play. Keeps no positions and writes no text while it plays.

use std::fmt::{self, Debug};
use std::sync::atomic::AtomicBool;

use super::{EngineError, Playable};
use crate::ai::{
    EngineHost, EngineKind, EngineSpec, GameEngines, GameHistory, Limits, Score, ScoreUnit, SearchControl,
};
use crate::game::{BoardConfig, Encoding, Outcome, Side};

/// Choice of an engine in a position, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// The number of the move that it chose.
    pub number: u16,
    /// Value of the position for the mover, if the engine reports one.
    pub score: Option<Score>,
    /// Moves that were compared, each with what it is worth and how often the search looked at it, the best in front; empty
    /// where there are fewer than two.
    pub candidates: Vec<(u16, Score, u32)>,
}

/// A game that is played in place, and then another one on the same board.
///
/// The number of a move is that of the game's [`Encoding`]; without one it is the place of the move among the legal ones,
/// in the order of [`Game::moves`](crate::game::Game::moves).
///
/// ```
/// use crosspath::registry::{Variant, find};
/// let mut game = find("tic-tac-toe")?.playout(&Variant::default())?;
/// assert!(game.play(4) && !game.play(4), "the middle is free once");
/// assert_eq!((game.plies(), game.legal().len()), (1, 8));
/// assert_eq!(game.move_texts().expect("moves have numbers")[4], "b2");
/// # Ok::<(), crosspath::registry::OpenError>(())
/// ```
pub trait Playout: Debug + Send {
    /// Goes back to the first position. Nobody is seated then.
    fn restart(&mut self);
    /// Seats a new engine for each side.
    ///
    /// # Errors
    /// If there is no such one, or if it cannot be built.
    fn set_engine(&mut self, engine: &EngineSpec, seed: u64) -> Result<(), EngineError>;
    /// The side whose turn it is.
    fn to_move(&self) -> Side;
    /// `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the number of moves that have been played.
    fn plies(&self) -> usize;
    /// See [`Game::key`](crate::game::Game::key).
    fn key(&self) -> u64;
    /// Returns how often the position has occurred in this game, this time included.
    fn repetition(&self) -> usize;
    /// The numbers of the legal moves, in the order of [`Game::moves`](crate::game::Game::moves).
    fn legal(&mut self) -> &[u16];
    /// Plays the move of this number; `false` where it is not legal, and then nothing is changed.
    fn play(&mut self, number: u16) -> bool;
    /// Reports whether the side to move has a move that wins at once.
    fn can_win_at_once(&mut self) -> bool;
    /// Lets the engine of the side to move think, and compare `compared` moves where it has scores.
    ///
    /// # Errors
    /// If no engine can be built.
    ///
    /// # Panics
    /// If the game is over or nobody is seated.
    fn think(
        &mut self,
        compared: usize,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, EngineError>;
    /// Appends the position as bytes; `false` if the game has no [`Encoding`].
    fn position(&self, out: &mut Vec<u8>) -> bool;
    /// The moves of all numbers, as records write them; `None` if the game has no [`Encoding`].
    fn move_texts(&self) -> Option<Vec<String>>;
    /// Returns the unit of the scores of a level, if it has any.
    fn scale(&self, level: EngineKind) -> Option<ScoreUnit>;
}

/// A playout of one game.
pub(crate) struct PlayoutOf<G: Playable> {
    start: G,
    game: G,
    played: Vec<G::Move>,
    /// The keys of the positions up to now, the present one last.
    keys: Vec<u64>,
    encoding: Option<Encoding<G>>,
    game_engines: GameEngines<G>,
    /// The engines of First and Second, once somebody is seated.
    hosts: Vec<EngineHost<G>>,
    /// The legal moves of the position now, and their numbers, once they were asked for.
    moves: Vec<G::Move>,
    numbers: Vec<u16>,
}

impl<G: Playable> Debug for PlayoutOf<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Playout({}, {} plies)", G::ABOUT.name, self.played.len())
    }
}

impl<G: Playable> PlayoutOf<G> {
    /// A game on this board before its first move.
    pub(crate) fn new(board: &BoardConfig) -> Self {
        let start = G::set_up(board);
        PlayoutOf {
            game: start.clone(),
            keys: vec![start.key()],
            start,
            played: Vec::new(),
            encoding: G::encoding(),
            game_engines: G::game_engines(),
            hosts: Vec::new(),
            moves: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Finds the legal moves of the position now, unless they are known. A running game has some.
    fn find_legal(&mut self) {
        if self.moves.is_empty() {
            self.game.moves(&mut self.moves);
            let PlayoutOf { encoding, moves, numbers, game, .. } = self;
            match encoding {
                Some(encoding) => numbers.extend(moves.iter().map(|&mv| (encoding.number)(game, mv))),
                None => numbers.extend((0u16..).zip(moves).map(|(number, _)| number)),
            }
        }
    }

    fn number(&mut self, mv: G::Move) -> u16 {
        if let Some(encoding) = self.encoding {
            return (encoding.number)(&self.game, mv);
        }
        self.find_legal();
        let place = self.moves.iter().position(|&known| known == mv).expect("engines choose legal moves");
        self.numbers[place]
    }

    /// The legal move of a number.
    fn mv(&mut self, number: u16) -> Option<G::Move> {
        if let Some(encoding) = self.encoding {
            return (encoding.mv)(&self.game, number).filter(|&mv| self.game.is_legal(mv));
        }
        self.find_legal();
        self.moves.get(usize::from(number)).copied()
    }
}

impl<G: Playable> Playout for PlayoutOf<G> {
    fn restart(&mut self) {
        self.game = self.start.clone();
        self.played.clear();
        self.keys.truncate(1);
        self.hosts.clear();
        self.moves.clear();
        self.numbers.clear();
    }

    fn set_engine(&mut self, engine: &EngineSpec, seed: u64) -> Result<(), EngineError> {
        let spec = self.game_engines.find(engine.level)?.clone();
        self.hosts.clear();
        for side in Side::BOTH {
            let config = engine.config(seed, side);
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

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn repetition(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|&key| Some(key) == now).count()
    }

    fn legal(&mut self) -> &[u16] {
        self.find_legal();
        &self.numbers
    }

    fn play(&mut self, number: u16) -> bool {
        let Some(mv) = self.mv(number) else { return false };
        self.game.make(mv);
        self.played.push(mv);
        self.keys.push(self.game.key());
        self.moves.clear();
        self.numbers.clear();
        true
    }

    fn can_win_at_once(&mut self) -> bool {
        self.find_legal();
        let PlayoutOf { game, moves, .. } = self;
        let wins = Some(Outcome::Win(game.to_move()));
        moves.iter().any(|&mv| {
            let undo = game.make(mv);
            let outcome = game.outcome();
            game.unmake(mv, undo);
            outcome == wins
        })
    }

    fn think(
        &mut self,
        compared: usize,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<ChosenMove, EngineError> {
        let at = GameHistory { start: &self.start, played: &self.played, now: &self.game };
        let control = SearchControl::quiet(limits, stop);
        let host = &mut self.hosts[self.game.to_move().index()];
        let choice =
            if compared > 1 { host.rank(compared, &at, &control)? } else { host.choose(&at, &control)? };
        let mut candidates = Vec::new();
        if choice.info.candidates.len() > 1 {
            let compared = choice.info.candidates.iter();
            candidates
                .extend(compared.filter_map(|one| Some((self.number(one.mv()), one.score?, one.visits))));
        }
        Ok(ChosenMove { number: self.number(choice.mv), score: choice.info.score, candidates })
    }

    fn position(&self, out: &mut Vec<u8>) -> bool {
        if let Some(encoding) = self.encoding {
            (encoding.position)(&self.game, out);
        }
        self.encoding.is_some()
    }

    fn move_texts(&self) -> Option<Vec<String>> {
        let encoding = self.encoding?;
        let numbers = 0..(encoding.move_count)(&self.start);
        numbers.map(|number| Some(self.start.show((encoding.mv)(&self.start, number)?))).collect()
    }

    fn scale(&self, level: EngineKind) -> Option<ScoreUnit> {
        self.game_engines.find(level).ok().map(|spec| spec.scale)
    }
}
