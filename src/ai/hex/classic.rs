//! The level `classic`: the original program's openings, and after them the stone where both paths meet. Knows the
//! rules and the path finder.

use rand::seq::IndexedRandom;

use crate::ai::hex::path_blocking::{FarEdge, Path, PathBlocking};
use crate::ai::{Choice, Engine, EngineConfig, GameHistory, SearchBudget, SearchControl};
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Frame, Hex, Move};
use crate::random::Generator;

/// Rule for an own path that has not changed since the own move before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attack {
    /// The path is not used: the original contains this branch and never reaches it.
    #[default]
    Never,
    /// The stone goes to the first cell of the *own* path that lies on the opponent's, if the own path is that of the
    /// own move before. Worth nothing: 48-52 and 50-50 of 100 games on 11x11 and 14x14.
    OnTheSamePath,
}

/// A position in the original program's frame: after a swap the stone has stayed and the sides are exchanged.
#[derive(Clone, Debug)]
pub struct Classical {
    /// The stones, put down in the order of play.
    pub board: PathBlocking,
    /// Frame that leads from our cells and sides to these.
    pub frame: Frame,
}

impl Classical {
    /// The position after the moves played.
    #[must_use]
    pub fn of(at: &GameHistory<'_, Hex>) -> Self {
        let game = at.start;
        let mut board = PathBlocking::new(game.size()).expect("the size of a game");
        // Stones set up by hand count in reading order, before all moves.
        for cell in game.grid().cells() {
            if let Some(side) = game.stone(cell) {
                board.put(side, cell);
            }
        }
        let mut frame = Frame::default();
        let mut side = game.to_move();
        for mv in at.played {
            match *mv {
                Move::Place(cell) => board.put(frame.side(side), frame.cell(game.grid(), cell)),
                Move::Swap => frame.transposed = true, // The first stone stays, and counts once.
            }
            side = side.other();
        }
        Classical { board, frame }
    }

    /// The path of a side (one of ours), in the cells of this frame.
    pub fn path(&mut self, side: Side, far_edge: FarEdge) -> Option<Path> {
        self.board.path(self.frame.side(side), far_edge)
    }
}

/// The original program's way to play.
#[derive(Debug)]
pub struct HexClassic {
    config: EngineConfig,
    generator: Generator,
    /// Edge from which paths start.
    pub far_edge: FarEdge,
    /// Rule for an own path that has not changed.
    pub attack: Attack,
    /// The cells of the own path of the own move before, in the frame of that move.
    before: Option<Vec<Cell>>,
}

impl HexClassic {
    /// The program as it was.
    #[must_use]
    pub fn new(config: &EngineConfig) -> Self {
        HexClassic {
            config: config.clone(),
            generator: config.generator(),
            far_edge: FarEdge::default(),
            attack: Attack::default(),
            before: None,
        }
    }

    /// Says how the program plays its opening instead of playing where the paths meet; `None` later.
    pub(crate) fn opening_in_words(at: &GameHistory<'_, Hex>) -> Option<&'static str> {
        let mut program = HexClassic::new(&EngineConfig::new(0, 0));
        match program.opening(at, &Classical::of(at))? {
            Move::Swap => Some("swaps"),
            Move::Place(_) if at.now.count() == 0 => Some("opens next to the centre"),
            Move::Place(_) => Some("answers on a random cell of the long diagonal"),
        }
    }

    /// The opening, while there is one to play.
    fn opening(&mut self, at: &GameHistory<'_, Hex>, position: &Classical) -> Option<Move> {
        let game = at.now;
        let n = game.size();
        let is_diagonal = |cell: Cell| game.grid().mirrored(cell) == cell;
        match (game.count(), at.played) {
            (0, _) => game.grid().cell(n / 2, (n / 2).saturating_sub(2)).map(Move::Place),
            (1, _) if game.can_swap() && game.first_stone().is_some_and(is_diagonal) => Some(Move::Swap),
            (1, [_, Move::Swap]) => self.on_the_diagonal(game, position),
            (1, _) if game.to_move() == Side::Second => self.on_the_diagonal(game, position),
            _ => None,
        }
    }

    /// An empty cell whose row is its column.
    fn on_the_diagonal(&mut self, game: &Hex, position: &Classical) -> Option<Move> {
        let cells: Vec<Cell> =
            position.board.empty().filter(|&cell| game.grid().mirrored(cell) == cell).collect();
        cells.choose(&mut self.generator).map(|&cell| cell.into())
    }

    /// The stone where the paths meet, and the own path, the move in front.
    fn by_paths(&mut self, at: &GameHistory<'_, Hex>, mut position: Classical) -> Option<Move> {
        let side = at.now.to_move();
        let own = position.path(side, self.far_edge)?;
        let theirs = position.path(side.other(), self.far_edge)?;
        let goes_on = self.attack == Attack::OnTheSamePath && self.before.as_ref() == Some(&own.cells);
        let meeting = if goes_on { own.meets(&theirs) } else { theirs.meets(&own) };
        self.before = Some(own.cells);
        meeting.map(|cell| position.frame.cell(at.now.grid(), cell).into())
    }
}

impl Engine<Hex> for HexClassic {
    fn new_game(&mut self) {
        self.generator = self.config.generator();
        self.before = None;
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        let budget = SearchBudget::start(control);
        self.generator = self.config.generator();
        let position = Classical::of(at);
        let mv = self.opening(at, &position).or_else(|| self.by_paths(at, position));
        let mv = mv.filter(|&mv| at.now.is_legal(mv)).unwrap_or_else(|| {
            // Both paths exist while the game runs, and they meet on an empty cell.
            debug_assert!(false, "no path in\n{}", at.now);
            at.now.empty().next().map(Move::Place).expect("a running game has an empty cell")
        });
        budget.found(vec![mv], None, 0).choice()
    }
}
