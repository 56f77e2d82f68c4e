//! Helpers for tests of Hex: games in progress, engines by level, random openings, and known positions of the
//! original program.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::level_specs;
use crosspath::ai::{Engine, EngineConfig, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Hex, Move, SwapRule};
use crosspath::random::RandomGenerator;
use rand::RngExt;

pub(crate) const SETUP: EngineConfig = EngineConfig::new(1, 0);

pub(crate) struct HexGame {
    start: Hex,
    pub(crate) played: Vec<Move>,
    pub(crate) now: Hex,
}

impl HexGame {
    pub(crate) fn new(size: usize, swap: SwapRule, texts: &str) -> Self {
        let start = Hex::new(size, swap).unwrap();
        let mut game = HexGame { now: start.clone(), start, played: Vec::new() };
        for text in texts.split_whitespace() {
            game.play(game.now.parse(text).unwrap());
        }
        game
    }

    pub(crate) fn play(&mut self, mv: Move) {
        self.now.try_make_move(mv).unwrap_or_else(|refusal| panic!("{mv:?}: {refusal}\n{}", self.now));
        self.played.push(mv);
    }

    pub(crate) fn at(&self) -> GameHistory<'_, Hex> {
        GameHistory { start: &self.start, played: &self.played, now: &self.now }
    }

    pub(crate) fn ask(&self, engine: &mut dyn Engine<Hex>) -> Move {
        let stop = AtomicBool::new(false);
        engine.choose(&self.at(), &SearchControl::without_reports(Limits::default(), &stop)).mv
    }

    pub(crate) fn name(&self, mv: Move) -> String {
        self.now.format_move(mv)
    }
}

pub(crate) fn build_level(level: EngineKind, size: usize, setup: &EngineConfig) -> Box<dyn Engine<Hex>> {
    let level_spec = level_specs().into_iter().find(|level_spec| level_spec.level == level).unwrap();
    (level_spec.build)(&Hex::new(size, SwapRule::Off).unwrap(), setup).unwrap()
}

/// Plays a game to its end with engines for First and Second. Returns the winner.
pub(crate) fn play_out(mut game: HexGame, seats: &mut [Box<dyn Engine<Hex>>; 2]) -> Side {
    while game.now.outcome().is_none() {
        let mv = game.ask(&mut *seats[game.now.to_move().index()]);
        game.play(mv);
    }
    game.now.outcome().and_then(Outcome::winner).unwrap()
}

pub(crate) fn random_move(game: &Hex, generator: &mut RandomGenerator) -> Move {
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    moves[generator.random_range(0..moves.len())]
}

/// Returns a game that begins with `stones` random stones, without the swap rule.
pub(crate) fn random_opening(size: usize, stones: usize, generator: &mut RandomGenerator) -> HexGame {
    let mut game = HexGame::new(size, SwapRule::Off, "");
    for _ in 0..stones {
        game.play(random_move(&game.now, generator));
    }
    game
}

/// `size [moves] F weight path S weight path -> move`; `-` spells out a row, a column or a list of cells.
pub(crate) const PATHS: &str = "\
14 | | 56 a1-a14 | 56 a1-n1 | a1
14 | f8 | 50 h1 h2 g3 g4 f5 f6 f7 f8 e9 f9 e10 e11 d12 d13 c14 | 56 a1-n1 | h1
14 | f8 e4 | 50 g1 g2 g3 g4 f5 f6 f7 f8 e9 f9 e10 e11 d12 d13 c14 | 50 a5 b4 c4 d4 e4 f3 f4 g3 h3 i2 j2 k1 l1 m1 n1 | g3
14 | f8 g7 g3 d10 | 46 g1 g2 g3 f4 g4 f5 f6 e7 e8 f8 f9 f10 f11 e12 e13 d14 | 48 a10 b10 c10 d10 e10 f10 g9 h9 i8 j8 k7 l7 m6 n6 | f10
14 | a1 n14 | 50 a1-a14 | 50 n14-a14 | a14
14 | f8 g8 g7 h7 h6 i6 | 40 i1 i2 h3 h4 h5 h6 g7 f8 e9 e10 d11 d12 c13 c14 | 44 a12 b11 c11 d10 e10 f9 g8 h7 i7 i6 j6 j5 k5 l4 m4 n3 | e10
14 | g7 f8 i6 e9 | 46 j1 j2 i3 i4 i5 i6 h7 g7 g8 g9 f10 f11 e12 e13 d14 | 46 a10 b9 c9 d9 e9 f8 f9 g8 h8 i8 j8 k7 l7 m6 n6 | g8
11 | | 44 a1-a11 | 44 a1-k1 | a1
11 | d6 | 38 e1 e2 d3 d4 d5 d6 c7 d7 c8 c9 b10 b11 | 44 a1-k1 | e1
11 | f6 h4 | 38 g1 g2 f3 f4 f5 f6 e7 f7 e8 e9 d10 d11 | 38 a6 b6 c5 d5 e4 f4 g4 h4 i3 i4 j3 k3 | f4
11 | f6 h4 e8 e5 | 38 g1 g2 f3 g3 f4 f5 f6 f7 e8 e9 d9 d10 c11 | 30 a6 b5 c5 d5 e5 f4 g4 h4 i4 i3 j3 k2 | f4
11 | c3 i9 f6 g5 d8 i4 | 32 h1 g2 g3 f4 f5 f6 e7 d8 d9 c9 c10 b11 | 32 a7 b7 c6 d6 e5 f5 g5 h5 i4 j4 j3 k3 | f5
5 | c3 | 14 c1 c2 c3 b4 c4 b5 | 20 a1-e1 | c1
5 | c3 d2 a4 b1 | 12 c1 c2 c3 b4 a4 a5 | 8 a1 b1 c1 d1 d2 e1 | c1";
