//! Hex network and the engines that play by it, with the policy alone or with a tree search. This module
//! depends on the rules and the network's input planes.

use std::cmp::Reverse;
use std::sync::{Arc, LazyLock};

use rand::RngExt;

use crate::ai::hex::NETWORK_SCORE_UNIT;
use crate::ai::hex::analyst::{self, ConnectionProver, max_plies_to_win};
use crate::ai::hex::proof::ConnectionVerdict;
use crate::ai::hex::root_prover::RootProver;
use crate::ai::hex::swap;
use crate::ai::mcts::{LeafEvaluator, MctsConstants, TerminalCheck, TreeSearch, score_from_value};
use crate::ai::net::{ConvNet, InputPlanes, NetOutput, NetScratch};
use crate::ai::{
    ComparedMove, Engine, EngineBuildError, EngineConfig, GameHistory, Limits, MoveChoice, NetworkEvaluation,
    ProofStatus, Score, SearchBudget, SearchControl, SearchInfo, WIN_VALUE, exact,
};
use crate::game::{Game, Notation, PositionDescription, Side};
use crate::games::hex::{Cell, Hex, Move, SwapRule};
use crate::random::{RandomGenerator, sample_weighted_index};
use crate::text;
use crate::text::Text;

/// The network built into the program; `None` in builds without networks.
static BUILT_IN_NETWORK: LazyLock<Option<Arc<ConvNet>>> = LazyLock::new(|| {
    #[cfg(feature = "nets")]
    let bytes = include_bytes!("../../../nets/hex.safetensors");
    #[cfg(not(feature = "nets"))]
    let bytes = &[];
    ConvNet::from_bytes(bytes, "hex").ok().map(Arc::new)
});

/// Reports whether the program has a built-in network.
pub(super) fn has_built_in_network() -> bool {
    BUILT_IN_NETWORK.is_some()
}

/// Names of the tunable constants, as in [`TuningOverrides::CONSTANT_NAMES`](crate::ai::TuningOverrides::CONSTANT_NAMES).
pub(super) const TUNING_KEYS: &[&str] =
    &["temperature", "exploration", "first-play", "prior", "noise", "mending", "proofs"];

/// Default constants of the tree search.
const DEFAULT_MCTS_CONSTANTS: MctsConstants =
    MctsConstants { exploration: 1.0, first_play: 0.2, prior_temperature: 1.5 };

/// Logit bonus for the reply that saves a bridge the last stone intruded on.
const BRIDGE_REPLY_LOGIT_BONUS: f64 = 3.0;

/// Visits after which the search analyzes a position's connections, on boards up to 8x8.
const VISITS_TO_ANALYZE_SMALL_BOARD: u32 = 64;
/// Visits after which the search analyzes a position's connections on larger boards, where the analysis takes
/// longer.
const VISITS_TO_ANALYZE: u32 = 256;

/// Number of top policy moves that are verified by connections on small boards.
const VERIFIED_MOVE_COUNT: usize = 6;

/// Largest board size on which working memory is kept between two moves.
const MAX_SIZE_TO_RETAIN_MEMORY: usize = 16;
/// Default memory limit of the search tree in MiB.
const DEFAULT_SEARCH_TREE_MIB: usize = 256;

/// Plane bit of the mover's stones.
const MOVER_STONE_BIT: u8 = 1;
/// Plane bit of the opponent's stones.
const OPPONENT_STONE_BIT: u8 = 2;

/// Evaluator of Hex positions by a network.
#[derive(Clone, Debug)]
pub(crate) struct HexNetEvaluator {
    network: Arc<ConvNet>,
    /// `true` if the outputs for the position and its 180-degree rotation are averaged.
    is_averaged: bool,
    /// Bonus added to the logit of a reply that saves a bridge.
    bridge_bonus: f32,
}

/// Network input and output for one position.
#[doc(hidden)] // public as the leaf of an evaluator, but of no use outside
#[derive(Debug)]
pub struct HexNetLeaf {
    planes: InputPlanes,
    rotated_planes: InputPlanes,
    scratch: NetScratch,
    output: NetOutput,
    rotated_output: NetOutput,
    is_second: bool,
    /// `true` if `planes` hold the rotated board.
    is_turned: bool,
    /// Cells that save a bridge the last stone intruded on.
    bridge_replies: Vec<Cell>,
}

impl Default for HexNetLeaf {
    fn default() -> Self {
        let planes = InputPlanes::new(1);
        HexNetLeaf {
            rotated_planes: planes.clone(),
            planes,
            scratch: NetScratch::default(),
            output: NetOutput::default(),
            rotated_output: NetOutput::default(),
            is_second: false,
            is_turned: false,
            bridge_replies: Vec::new(),
        }
    }
}

/// Returns the input planes of an empty board whose edges are encoded as stones on the border. The mover
/// joins top and bottom, and the corners belong to both sides.
fn planes_with_edges(size: usize) -> InputPlanes {
    let mut planes = InputPlanes::new(size);
    for place in 0..size + 2 {
        for edge in [0, size + 1] {
            *planes.cell_mut(edge, place) |= MOVER_STONE_BIT;
            *planes.cell_mut(place, edge) |= OPPONENT_STONE_BIT;
        }
    }
    planes
}

impl HexNetEvaluator {
    /// Returns the row and column of a cell from the mover's point of view.
    fn mover_view_coordinates(size: usize, cell: Cell, is_second: bool) -> (usize, usize) {
        let (row, col) = (cell.index() / size, cell.index() % size);
        if is_second { (col, row) } else { (row, col) }
    }
}

impl LeafEvaluator<Hex> for HexNetEvaluator {
    type Leaf = HexNetLeaf;

    fn prepare_leaf(&self, game: &Hex, last: Option<Move>, is_turned: bool, leaf: &mut HexNetLeaf) {
        let (n, mover) = (game.size(), game.to_move());
        leaf.is_turned = is_turned;
        leaf.is_second = mover == Side::Second;
        leaf.bridge_replies.clear();
        leaf.bridge_replies
            .extend(last.and_then(Move::cell).into_iter().flat_map(|cell| game.bridge_saving_cells(cell)));
        if leaf.planes.size() != n {
            leaf.planes = planes_with_edges(n);
            leaf.rotated_planes = planes_with_edges(n);
        }
        for (index, &stone) in game.stones().iter().enumerate() {
            let (row, col) = HexNetEvaluator::mover_view_coordinates(n, Cell::new(index), leaf.is_second);
            let seen = match stone {
                None => 0,
                Some(owner) if owner == mover => MOVER_STONE_BIT,
                Some(_) => OPPONENT_STONE_BIT,
            };
            let (one, other) = ((row + 1, col + 1), (n - row, n - col));
            let (own, turned) = if is_turned { (other, one) } else { (one, other) };
            *leaf.planes.cell_mut(own.0, own.1) = seen;
            *leaf.rotated_planes.cell_mut(turned.0, turned.1) = seen;
        }
    }

    fn evaluate_leaf(&self, leaf: &mut HexNetLeaf) {
        self.network.evaluate(&leaf.planes, &mut leaf.scratch, &mut leaf.output);
        if self.is_averaged {
            self.network.evaluate(&leaf.rotated_planes, &mut leaf.scratch, &mut leaf.rotated_output);
        }
    }

    /// Returns the expected result for the mover, from -1 to 1.
    fn leaf_value(&self, leaf: &HexNetLeaf) -> f32 {
        let mut steps = 2 * leaf.output.value_steps;
        if self.is_averaged {
            steps = leaf.output.value_steps + leaf.rotated_output.value_steps;
        }
        let chance = 1.0 / (1.0 + exact::exp(f64::from(-self.network.value_logit(steps) / 2.0)));
        #[allow(clippy::cast_possible_truncation, reason = "24 bits are enough")]
        let value = (2.0 * chance - 1.0) as f32;
        value
    }

    fn move_logit(&self, leaf: &HexNetLeaf, mv: Move) -> f32 {
        let Some(cell) = mv.cell() else { return 0.0 };
        let size = leaf.planes.size();
        let (row, col) = HexNetEvaluator::mover_view_coordinates(size, cell, leaf.is_second);
        let (place, last) = (row * size + col, size * size - 1);
        let place = if leaf.is_turned { last - place } else { place };
        let mut steps = 2 * i64::from(leaf.output.steps[place]);
        if self.is_averaged {
            let rotated = leaf.rotated_output.steps[last - place];
            steps = i64::from(leaf.output.steps[place]) + i64::from(rotated);
        }
        let bonus = if leaf.bridge_replies.contains(&cell) { self.bridge_bonus } else { 0.0 };
        self.network.policy_logit(steps) / 2.0 + bonus
    }

    /// Appends the moves to evaluate, never the swap.
    ///
    /// These are the immediate wins if there are any, or else the moves that block an immediate threat, or
    /// else all empty cells.
    fn check_terminal(&self, game: &mut Hex, moves: &mut Vec<Move>) -> TerminalCheck {
        let (own, begin) = (game.to_move(), moves.len());
        moves.extend(game.empty_cells().filter(|&cell| game.would_win(own, cell)).map(Move::Place));
        if moves.len() > begin {
            return TerminalCheck::Win(1);
        }
        moves.extend(game.empty_cells().filter(|&cell| game.would_win(own.other(), cell)).map(Move::Place));
        match moves.len() - begin {
            0 => {
                moves.extend(game.empty_cells().map(Move::Place));
                TerminalCheck::Open
            }
            1 => TerminalCheck::Open,
            _ => TerminalCheck::Loss(2),
        }
    }

    fn canonical_key(&self, game: &Hex) -> (u64, bool) {
        game.canonical_key()
    }

    fn rotate_move(&self, game: &Hex, mv: Move) -> Move {
        match mv {
            Move::Place(cell) => Move::Place(Cell::new(game.stones().len() - 1 - cell.index())),
            Move::Swap => Move::Swap,
        }
    }
}

/// Evaluates a running game with the built-in network. Returns `None` if the game is over or there is no
/// network.
pub(super) fn evaluate_with_built_in_network(game: &Hex) -> Option<NetworkEvaluation<Move>> {
    if game.outcome().is_some() {
        return None;
    }
    let evaluator =
        HexNetEvaluator { network: BUILT_IN_NETWORK.clone()?, is_averaged: true, bridge_bonus: 0.0 };
    let (mut leaf, mut moves) = (HexNetLeaf::default(), Vec::new());
    evaluator.check_terminal(&mut game.clone(), &mut moves);
    evaluator.prepare_leaf(game, None, false, &mut leaf);
    evaluator.evaluate_leaf(&mut leaf);
    let odds = |&mv: &Move| (mv, exact::exp(evaluator.move_logit(&leaf, mv).into()));
    let mut policy: Vec<(Move, f64)> = moves.iter().map(odds).collect();
    let sum: f64 = policy.iter().map(|(_, odds)| odds).sum();
    for (_, odds) in &mut policy {
        *odds /= sum;
    }
    policy.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let score = score_from_value(evaluator.leaf_value(&leaf).into());
    let win_chance = NETWORK_SCORE_UNIT.win_chance(score).expect("the unit has odds");
    Some(NetworkEvaluation { win_chance, policy })
}

/// Marks the network's likeliest move with `9`. Other moves get their probability in ninths of that move's,
/// rounded down; moves below one ninth get no mark.
pub(super) fn mark_policy_moves(at: &GameHistory<'_, Hex>) -> Vec<(Move, char)> {
    let likely =
        evaluate_with_built_in_network(at.now).map(|evaluation| evaluation.policy).unwrap_or_default();
    let most = likely.first().map_or(1.0, |&(_, share)| share);
    let ninths = |share: f64| (1..=9).rev().find(|&ninths| 9.0 * share >= f64::from(ninths) * most);
    likely.into_iter().filter_map(|(mv, share)| Some((mv, char::from_digit(ninths(share)?, 10)?))).collect()
}

/// Describes the network's win chance and its five likeliest moves.
pub(super) fn describe_policy(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let Some(NetworkEvaluation { win_chance, policy }) = evaluate_with_built_in_network(at.now) else {
        return Vec::new();
    };
    let mover = at.now.side_name(at.now.to_move());
    let choices =
        policy.iter().take(5).map(|&(mv, share)| format!("{} {:.0}%", at.now.format_move(mv), 100.0 * share));
    let choices: Vec<String> = choices.collect();
    vec![
        text!("The network gives {mover} a win chance of {:.0}%.", 100.0 * win_chance),
        text!("Its choices: {}.", choices.join(", ")),
    ]
}

/// Method by which a network engine chooses its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NetMoveSelection {
    /// Uses the policy alone, whatever the limits: the best move, or a sampled one at a temperature above 0.
    PolicyOnly {
        /// Sampling temperature, as in [`TuningOverrides::CONSTANT_NAMES`](crate::ai::TuningOverrides::CONSTANT_NAMES).
        temperature: f64,
    },
    /// Searches within the given limits; without limits, plays the top policy move.
    Search,
}

/// Engine that plays by the network.
pub(super) struct HexNetEngine {
    config: EngineConfig,
    generator: RandomGenerator,
    temperature: f64,
    noise: f64,
    may_search: bool,
    /// `true` if the connection analysis and the prover take part.
    has_proofs: bool,
    policy_evaluator: HexNetEvaluator,
    leaf: HexNetLeaf,
    moves: Vec<Move>,
    search: TreeSearch<Hex, HexNetEvaluator>,
    prover: RootProver,
}

impl HexNetEngine {
    /// Builds an engine from the configured weights, or from the built-in network.
    ///
    /// # Errors
    /// Returns an error if there are no weights, or if they cannot be read.
    pub(super) fn build(
        start: &Hex,
        config: &EngineConfig,
        selection: NetMoveSelection,
    ) -> Result<Box<dyn Engine<Hex>>, EngineBuildError> {
        config.tuning.check_supported(TUNING_KEYS)?;
        let network = match &config.weights {
            Some(weights) => ConvNet::from_bytes(weights.bytes(), "hex").map(Arc::new).map_err(|why| {
                EngineBuildError::BadWeights { name: weights.name().to_owned(), why: why.to_string() }
            })?,
            None => BUILT_IN_NETWORK.clone().ok_or(EngineBuildError::NoNet)?,
        };
        let tuned = |key, own| config.tuning.get(key).unwrap_or(own);
        let temperature = match selection {
            NetMoveSelection::PolicyOnly { temperature } => tuned("temperature", temperature),
            NetMoveSelection::Search => tuned("temperature", 0.0),
        };
        let constants = MctsConstants {
            exploration: tuned("exploration", DEFAULT_MCTS_CONSTANTS.exploration),
            first_play: tuned("first-play", DEFAULT_MCTS_CONSTANTS.first_play),
            prior_temperature: tuned("prior", DEFAULT_MCTS_CONSTANTS.prior_temperature).max(0.05),
        };
        // Moves are sampled anyway, so one evaluation is enough.
        let is_averaged = temperature <= 0.0;
        #[allow(clippy::cast_possible_truncation, reason = "24 bits are enough")]
        let bridge_bonus = tuned("mending", BRIDGE_REPLY_LOGIT_BONUS) as f32;
        let evaluator = HexNetEvaluator { network: Arc::clone(&network), is_averaged: false, bridge_bonus };
        let noise = tuned("noise", 0.0);
        let memory = config.resources.memory_mib_or(DEFAULT_SEARCH_TREE_MIB);
        let mut search = TreeSearch::new(evaluator, constants, config.resources.thread_count(), memory);
        search.set_root_noise(noise, config.random_generator());
        let has_proofs = selection == NetMoveSelection::Search && tuned("proofs", 1.0) > 0.0;
        if has_proofs {
            let visits = if start.size() <= analyst::MAX_SMALL_BOARD_SIZE {
                VISITS_TO_ANALYZE_SMALL_BOARD
            } else {
                VISITS_TO_ANALYZE
            };
            search.set_prover(Box::new(ConnectionProver::new(start.size())), visits);
        }
        Ok(Box::new(HexNetEngine {
            config: config.clone(),
            generator: config.random_generator(),
            temperature,
            noise,
            may_search: selection == NetMoveSelection::Search,
            has_proofs,
            policy_evaluator: HexNetEvaluator { network, is_averaged, bridge_bonus: 0.0 },
            leaf: HexNetLeaf::default(),
            moves: Vec::new(),
            search,
            prover: RootProver::default(),
        }))
    }

    /// Returns the move that the prover proves to win within its share of the budget, or the swap if a table
    /// shows that it wins.
    fn choose_proved_move(
        &mut self,
        game: &Hex,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<MoveChoice<Move>> {
        if game.can_swap() {
            let first = game.first_stone()?;
            let is_known = swap::first_stone_wins(game.size(), first)?;
            return is_known.then(|| {
                let value = self.evaluate_without_search(game);
                SearchInfo::from_pv(vec![Move::Swap], Some(score_from_value(-value).0)).into_choice()
            });
        }
        let mut moves_left = Vec::new();
        let (proof, own) = self.prover.prove_within_share(game, control, &mut moves_left)?;
        budget.nodes += own.nodes;
        self.search.limit_root_moves(moves_left.into_iter().map(Move::Place));
        let left = game.empty_cells().count();
        let proof = proof?;
        let mv = Move::Place(proof.mv?);
        let plies = max_plies_to_win(proof.carrier.len(), left);
        let info = SearchInfo::from_pv(vec![mv], Some(WIN_VALUE - i32::from(plies)));
        let info = SearchInfo { nodes: own.nodes, elapsed: own.elapsed(), ..info };
        Some(MoveChoice { proof: Some(ProofStatus::WinIn(plies.into())), ..info.into_choice() })
    }

    /// Returns the result of the search. If all moves lose, returns the move that the search prefers without
    /// proofs.
    fn best_or_longest_resistance(
        &mut self,
        game: &mut Hex,
        depth: Option<u32>,
        budget: &mut SearchBudget<'_>,
    ) -> (SearchInfo<Move>, ProofStatus) {
        let (info, proof) = (build_search_report(&self.search, game, budget), self.search.root_proof());
        if !self.has_proofs || !matches!(proof, ProofStatus::LostIn(plies) if plies > 2) || budget.is_spent()
        {
            return (info, proof);
        }
        self.search.clear_tree();
        self.search.set_prover_enabled(false);
        self.search.run_search(game, depth, budget, |_, _, _| ());
        let score = info.score;
        let mut info = build_search_report(&self.search, game, budget);
        self.search.set_prover_enabled(true);
        info.score = score;
        info.candidates.iter_mut().for_each(|one| one.score = score);
        (info, proof)
    }

    /// Prunes the moves by connections on a small board, where they cost no more than a network evaluation.
    /// Keeps at least one winning move if any move wins.
    fn prune_moves_by_connections(&mut self, game: &Hex) -> TerminalCheck {
        let mut cells = Vec::new();
        let verdict = self.prover.connection_verdict(game, &mut cells);
        if !cells.is_empty() {
            self.moves.clear();
            self.moves.extend(cells.into_iter().map(Move::Place));
        }
        let left = game.empty_cells().count();
        match verdict {
            ConnectionVerdict::Won(carrier) => TerminalCheck::Win(max_plies_to_win(carrier, left)),
            ConnectionVerdict::Lost(_) => TerminalCheck::Loss(2),
            ConnectionVerdict::Undecided => TerminalCheck::Open,
        }
    }

    /// Returns the first of the top policy moves that connections prove to win, or else the first that they
    /// do not prove to lose, if any. `self.moves` must be sorted by the policy.
    fn verify_top_policy_moves(&mut self, game: &Hex) -> Option<Move> {
        let prover = &mut self.prover;
        let (mut after, mut cells, mut held) = (game.clone(), Vec::new(), None);
        for &mv in self.moves.iter().take(VERIFIED_MOVE_COUNT) {
            let undo = after.make_move(mv);
            let verdict = if after.outcome().is_some() {
                ConnectionVerdict::Lost(0)
            } else {
                prover.connection_verdict(&after, &mut cells)
            };
            after.unmake_move(mv, undo);
            match verdict {
                ConnectionVerdict::Lost(_) => return Some(mv),
                ConnectionVerdict::Undecided => held = held.or(Some(mv)),
                ConnectionVerdict::Won(_) => {}
            }
        }
        held
    }

    /// Returns the network's value of a position for the side to move, from -1 to 1, without a search.
    fn evaluate_without_search(&mut self, game: &Hex) -> f64 {
        if game.outcome().is_some() {
            return -1.0; // the side that moved last has won
        }
        self.policy_evaluator.prepare_leaf(game, None, false, &mut self.leaf);
        self.policy_evaluator.evaluate_leaf(&mut self.leaf);
        f64::from(self.policy_evaluator.leaf_value(&self.leaf))
    }

    /// Chooses a move by the policy, on small boards also by connections. Returns it with the position's
    /// value, from -1 to 1.
    fn choose_without_search(&mut self, game: &mut Hex) -> (Move, f64) {
        self.moves.clear();
        let mut glance = self.policy_evaluator.check_terminal(game, &mut self.moves);
        let may_prove =
            self.has_proofs && self.temperature <= 0.0 && game.size() <= analyst::MAX_SMALL_BOARD_SIZE;
        if may_prove && glance == TerminalCheck::Open {
            glance = self.prune_moves_by_connections(game);
        }
        self.policy_evaluator.prepare_leaf(game, None, false, &mut self.leaf);
        self.policy_evaluator.evaluate_leaf(&mut self.leaf);
        let value = match glance {
            TerminalCheck::Open => f64::from(self.policy_evaluator.leaf_value(&self.leaf)),
            TerminalCheck::Win(_) => 1.0,
            TerminalCheck::Loss(_) => -1.0,
        };
        if may_prove && glance == TerminalCheck::Open {
            let leaf = &self.leaf;
            let logit = |mv: &Move| self.policy_evaluator.move_logit(leaf, *mv);
            self.moves.sort_by(|a, b| logit(b).total_cmp(&logit(a)));
            if let Some(mv) = self.verify_top_policy_moves(game) {
                return (mv, value);
            }
        }
        let logits = self.moves.iter().map(|&mv| self.policy_evaluator.move_logit(&self.leaf, mv));
        let most = logits.clone().fold(f32::NEG_INFINITY, f32::max);
        let first = logits.clone().position(|logit| logit >= most).expect("there is a move");
        // Even an engine that samples plays the best move once the game is as good as won.
        if self.temperature <= 0.0 || value >= MIN_VALUE_FOR_BEST_MOVE {
            return (self.moves[first], value);
        }
        let weights = logits.map(|logit| exact::exp(f64::from(logit - most) / self.temperature));
        let weights: Vec<f64> = weights.collect();
        (self.moves[sample_weighted_index(&weights, &mut self.generator)], value)
    }
}

/// Makes the swap the best move of a search whose score is negative. The swap mirrors the board and the mover
/// takes the other colour, so the swap scores the opposite.
fn prepend_swap(info: SearchInfo<Move>) -> SearchInfo<Move> {
    let score = info.score.map(|Score(score)| Score(-score));
    let swap = ComparedMove { line: vec![Move::Swap], score, visits: 0 };
    let candidates = [swap].into_iter().chain(info.candidates).collect();
    SearchInfo { pv: vec![Move::Swap], score, candidates, ..info }
}

/// Minimum value, from -1 to 1, at which the best move is played rather than a sampled one.
const MIN_VALUE_FOR_BEST_MOVE: f64 = 0.75;

/// Number of most-visited moves that are sorted by value.
const MAX_MOVES_SORTED_BY_VALUE: usize = 5;

/// Builds the report of a search: its best moves with their scores.
fn build_search_report(
    search: &TreeSearch<Hex, HexNetEvaluator>,
    game: &Hex,
    budget: &SearchBudget<'_>,
) -> SearchInfo<Move> {
    let mut found: Vec<ComparedMove<Move>> =
        search.ranked_root_moves(game).into_iter().map(ComparedMove::from).collect();
    let best = found[0].clone();
    found.retain(|one| one.visits > 0 || one.first_move() == best.first_move());
    // A less visited move never gets a better score than the chosen one.
    for other in &mut found[1..] {
        other.score = other.score.min(best.score);
    }
    let most_visited = found.len().min(MAX_MOVES_SORTED_BY_VALUE);
    found[1..most_visited].sort_by_key(|one| Reverse(one.score));
    SearchInfo {
        nodes: budget.nodes,
        depth: u32::try_from(best.line.len()).unwrap_or(u32::MAX),
        score: best.score,
        candidates: found,
        elapsed: budget.elapsed(),
        ..SearchInfo::from_pv(best.line, None)
    }
}

impl Engine<Hex> for HexNetEngine {
    fn new_game(&mut self) {
        self.generator = self.config.random_generator();
        self.search.set_root_noise(self.noise, self.config.random_generator());
        self.search.clear_tree();
        self.prover.clear_table();
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> MoveChoice<Move> {
        let choice = self.choose_move(at, control);
        // The engines of both sides share one process, and only one of them thinks at a time.
        if at.now.size() > MAX_SIZE_TO_RETAIN_MEMORY {
            self.search.release_prover_memory();
            self.prover.release_memory();
        }
        choice
    }
}

impl HexNetEngine {
    fn choose_move(
        &mut self,
        at: &GameHistory<'_, Hex>,
        control: &SearchControl<'_, Move>,
    ) -> MoveChoice<Move> {
        self.generator = self.config.random_generator_at_ply(at.played.len());
        self.search.set_root_noise(self.noise, self.config.random_generator_at_ply(at.played.len()));
        let mut game = at.now.clone();
        if game.swap_rule == SwapRule::On && game.stone_count() == 0 {
            let cells = swap::balanced_openings(&game);
            let cell = cells[self.generator.random_range(0..cells.len())];
            // The side that moves next takes the better side.
            game.make_move(Move::Place(cell));
            let value = self.evaluate_without_search(&game);
            let info = SearchInfo::from_pv(vec![Move::Place(cell)], Some(score_from_value(-value.abs()).0));
            return SearchInfo { is_from_book: true, ..info }.into_choice();
        }
        let mut budget = SearchBudget::start(control);
        let may_search = self.may_search && control.limits != Limits::default();
        let solved = if self.has_proofs && may_search {
            self.choose_proved_move(&game, control, &mut budget)
        } else {
            None
        };
        if let Some(choice) = solved {
            return choice;
        }
        let (info, proof) = if may_search {
            let depth = control.limits.depth;
            self.search.run_search(&mut game, depth, &mut budget, |search, game, budget| {
                (control.report)(&build_search_report(search, game, budget));
            });
            self.best_or_longest_resistance(&mut game, depth, &mut budget)
        } else {
            let (mv, value) = self.choose_without_search(&mut game);
            let info = SearchInfo::from_pv(vec![mv], Some(score_from_value(value).0));
            (SearchInfo { nodes: 1, elapsed: budget.elapsed(), ..info }, ProofStatus::Unproved)
        };
        if game.can_swap() && info.score.is_some_and(|score| score.0 < 0) {
            return prepend_swap(info).into_choice();
        }
        let proof = Some(proof).filter(|&proof| proof != ProofStatus::Unproved);
        MoveChoice { mv: info.pv[0], info, proof }
    }
}
