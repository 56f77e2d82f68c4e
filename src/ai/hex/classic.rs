//! The level `classic`: the original program's openings, then the cell where both sides' paths meet. This
//! module depends on the rules and the path finder.

use rand::seq::IndexedRandom;

use crate::ai::hex::path_blocking::{ClassicPathFinder, FarEdgeStarts, WeightedPath};
use crate::ai::{Engine, EngineConfig, GameHistory, MoveChoice, SearchBudget, SearchControl};
use crate::game::{Game, Side};
use crate::games::hex::{Cell, Hex, Move, SwapFrame};
use crate::random::RandomGenerator;

/// Rule for a move when the mover's path has not changed since its previous move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnchangedPathRule {
    /// Ignores the unchanged path: the original program contains this branch but never reaches it.
    #[default]
    IgnorePath,
    /// Plays the first cell of the mover's own unchanged path that lies on the opponent's path.
    ///
    /// It gained nothing: it won 48 of 100 games on 11x11 and 50 of 100 on 14x14.
    AttackOnOwnPath,
}

/// Position in the original program's coordinates, in which a swap exchanges the sides and leaves the stone
/// on its cell.
#[derive(Clone, Debug)]
pub struct ClassicPosition {
    /// Stones in the order of play.
    pub board: ClassicPathFinder,
    /// Conversion from the cells and sides of the rules to those of the original program.
    pub frame: SwapFrame,
}

impl ClassicPosition {
    /// Creates the position after the moves of a history.
    #[must_use]
    pub fn from_history(at: &GameHistory<'_, Hex>) -> Self {
        let game = at.start;
        let mut board = ClassicPathFinder::new(game.size()).expect("the size of a game");
        // Stones set up by hand are added in reading order, before all moves.
        for cell in game.grid().cells() {
            if let Some(side) = game.stone_at(cell) {
                board.place_stone(side, cell);
            }
        }
        let mut frame = SwapFrame::default();
        let mut side = game.to_move();
        for mv in at.played {
            match *mv {
                Move::Place(cell) => {
                    board.place_stone(frame.map_side(side), frame.map_cell(game.grid(), cell));
                }
                Move::Swap => frame.transposed = true, // The first stone stays, and counts once.
            }
            side = side.other();
        }
        ClassicPosition { board, frame }
    }

    /// Returns the lightest path of a side, as cells in the original program's coordinates.
    pub fn find_lightest_path(&mut self, side: Side, far_edge: FarEdgeStarts) -> Option<WeightedPath> {
        self.board.find_lightest_path(self.frame.map_side(side), far_edge)
    }
}

/// The engine of level `classic`, which plays as the original program did.
#[derive(Debug)]
pub struct HexClassicEngine {
    config: EngineConfig,
    generator: RandomGenerator,
    /// Cells of the far edge from which paths start.
    pub far_edge: FarEdgeStarts,
    /// Rule for an unchanged path.
    pub attack: UnchangedPathRule,
    /// Cells of the mover's path at its previous move, in the coordinates used at that move.
    previous_path: Option<Vec<Cell>>,
}

impl HexClassicEngine {
    /// Creates an engine that plays exactly as the original program did.
    #[must_use]
    pub fn new(config: &EngineConfig) -> Self {
        HexClassicEngine {
            config: config.clone(),
            generator: config.random_generator(),
            far_edge: FarEdgeStarts::default(),
            attack: UnchangedPathRule::default(),
            previous_path: None,
        }
    }

    /// Describes the opening move that the program plays instead of following paths. Returns `None` after the
    /// opening.
    pub(crate) fn describe_opening(at: &GameHistory<'_, Hex>) -> Option<&'static str> {
        let mut program = HexClassicEngine::new(&EngineConfig::new(0, 0));
        match program.choose_opening_move(at, &ClassicPosition::from_history(at))? {
            Move::Swap => Some("swaps"),
            Move::Place(_) if at.now.stone_count() == 0 => Some("opens next to the centre"),
            Move::Place(_) => Some("answers on a random cell of the long diagonal"),
        }
    }

    /// Returns the opening move, or `None` after the opening.
    fn choose_opening_move(&mut self, at: &GameHistory<'_, Hex>, position: &ClassicPosition) -> Option<Move> {
        let game = at.now;
        let n = game.size();
        let is_diagonal = |cell: Cell| game.grid().mirrored(cell) == cell;
        match (game.stone_count(), at.played) {
            (0, _) => game.grid().cell_at(n / 2, (n / 2).saturating_sub(2)).map(Move::Place),
            (1, _) if game.can_swap() && game.first_stone().is_some_and(is_diagonal) => Some(Move::Swap),
            (1, [_, Move::Swap]) => self.random_diagonal_move(game, position),
            (1, _) if game.to_move() == Side::Second => self.random_diagonal_move(game, position),
            _ => None,
        }
    }

    /// Returns a random empty cell of the long diagonal.
    fn random_diagonal_move(&mut self, game: &Hex, position: &ClassicPosition) -> Option<Move> {
        let cells: Vec<Cell> =
            position.board.empty_cells().filter(|&cell| game.grid().mirrored(cell) == cell).collect();
        cells.choose(&mut self.generator).map(|&cell| cell.into())
    }

    /// Returns the cell where both sides' paths meet, and remembers the mover's path.
    fn choose_path_crossing(
        &mut self,
        at: &GameHistory<'_, Hex>,
        mut position: ClassicPosition,
    ) -> Option<Move> {
        let side = at.now.to_move();
        let own = position.find_lightest_path(side, self.far_edge)?;
        let theirs = position.find_lightest_path(side.other(), self.far_edge)?;
        let goes_on = self.attack == UnchangedPathRule::AttackOnOwnPath
            && self.previous_path.as_ref() == Some(&own.cells);
        let meeting = if goes_on { own.first_common_cell(&theirs) } else { theirs.first_common_cell(&own) };
        self.previous_path = Some(own.cells);
        meeting.map(|cell| position.frame.map_cell(at.now.grid(), cell).into())
    }
}

impl Engine<Hex> for HexClassicEngine {
    fn new_game(&mut self) {
        self.generator = self.config.random_generator();
        self.previous_path = None;
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> MoveChoice<Move> {
        let budget = SearchBudget::start(control);
        self.generator = self.config.random_generator();
        let position = ClassicPosition::from_history(at);
        let mv = self.choose_opening_move(at, &position).or_else(|| self.choose_path_crossing(at, position));
        let mv = mv.filter(|&mv| at.now.is_legal(mv)).unwrap_or_else(|| {
            // Both paths exist while the game is running, and they meet on an empty cell.
            debug_assert!(false, "no path in\n{}", at.now);
            at.now.empty_cells().next().map(Move::Place).expect("a running game has an empty cell")
        });
        budget.make_info(vec![mv], None, 0).into_choice()
    }
}
