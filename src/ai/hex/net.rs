//! The network of Hex, and the engines that play by it: bare, or as the judge of a tree search. Knows the rules and how a board is
//! shown to the network.

use std::cmp::Reverse;
use std::sync::{Arc, LazyLock};

use rand::RngExt;

use crate::ai::hex::analyst::{self, ConnectionProver, win_within};
use crate::ai::hex::proof::VcVerdict;
use crate::ai::hex::root_prover::RootProver;
use crate::ai::hex::swap;
use crate::ai::mcts::{Evaluator, MctsConstants, TerminalCheck, TreeSearch, score_of};
use crate::ai::net::{NetOutput, Network, Planes, Scratch};
use crate::ai::{
    BuildError, Candidate, Choice, Engine, EngineConfig, Evaluation, GameHistory, Info, Limits, Proof, Score,
    SearchBudget, SearchControl, WIN, exact,
};
use crate::game::{Game, Notation, Side, View};
use crate::games::hex::{Cell, Hex, Move, SwapRule};
use crate::random::{Generator, drawn};
use crate::text;
use crate::text::Text;

/// The network that the program carries.
static BUILT_IN_NETWORK: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
    #[cfg(feature = "nets")]
    let bytes = include_bytes!("../../../nets/hex.safetensors");
    #[cfg(not(feature = "nets"))]
    let bytes = &[];
    Network::read(bytes, "hex").ok().map(Arc::new)
});

/// Reports whether the program carries a network.
pub(super) fn is_carried() -> bool {
    BUILT_IN_NETWORK.is_some()
}

/// The constants that can be given, as in [`Tuning::KEYS`](crate::ai::Tuning::KEYS).
pub(super) const CONSTANT_KEYS: &[&str] =
    &["temperature", "exploration", "first-play", "prior", "noise", "mending", "proofs"];

/// Constants of the search's exploration.
const CONSTANTS: MctsConstants = MctsConstants { exploration: 1.0, first_play: 0.2, prior_temperature: 1.5 };

/// Logit bonus for the reply that mends a link which the last stone has entered.
const BRIDGE_REPLY_LOGIT: f64 = 3.0;

/// The connections of a position are found when the search has come to it so often, on boards up to 8x8 and on larger ones, where
/// that takes longer.
const VISITS_TO_ANALYZE_SMALL: u32 = 64;
const VISITS_TO_ANALYZE: u32 = 256;

/// Number of the network's likeliest moves that are verified on small boards.
const VERIFIED_MOVES: usize = 6;

/// The largest board on which working memory is held between two moves.
const MAX_SIZE_WITH_KEPT_MEMORY: usize = 16;
/// Memory that the tree may take where nothing else is said, in MiB.
const MEMORY_MIB: usize = 256;

/// Stones of the mover, of the other side.
const OWN_STONES: u8 = 1;
const OTHER_STONES: u8 = 2;

/// The network as judge of positions.
#[derive(Clone, Debug)]
pub(crate) struct HexNet {
    network: Arc<Network>,
    /// `true` if each position is judged twice, turned by half the second time.
    is_averaged: bool,
    /// Bonus added to the logit of a reply that mends a link.
    mending: f32,
}

/// A position as the network sees it, and what it says.
#[derive(Debug)]
pub struct NetLeaf {
    planes: Planes,
    turned: Planes,
    scratch: Scratch,
    said: NetOutput,
    said_turned: NetOutput,
    is_second: bool,
    /// `true` if `planes` are the turned board.
    is_turned: bool,
    /// The cells that mend links which the last stone has entered.
    entered: Vec<Cell>,
}

impl Default for NetLeaf {
    fn default() -> Self {
        let planes = Planes::new(1);
        NetLeaf {
            turned: planes.clone(),
            planes,
            scratch: Scratch::default(),
            said: NetOutput::default(),
            said_turned: NetOutput::default(),
            is_second: false,
            is_turned: false,
            entered: Vec::new(),
        }
    }
}

/// An empty board with its edges as stones: the mover joins top and bottom. The corners belong to both.
fn bordered(size: usize) -> Planes {
    let mut planes = Planes::new(size);
    for place in 0..size + 2 {
        for edge in [0, size + 1] {
            *planes.cell(edge, place) |= OWN_STONES;
            *planes.cell(place, edge) |= OTHER_STONES;
        }
    }
    planes
}

impl HexNet {
    /// The place of a cell in the mover's view.
    fn place(size: usize, cell: Cell, is_second: bool) -> (usize, usize) {
        let (row, col) = (cell.index() / size, cell.index() % size);
        if is_second { (col, row) } else { (row, col) }
    }
}

impl Evaluator<Hex> for HexNet {
    type Leaf = NetLeaf;

    fn prepare(&self, game: &Hex, last: Option<Move>, is_turned: bool, leaf: &mut NetLeaf) {
        let (n, mover) = (game.size(), game.to_move());
        leaf.is_turned = is_turned;
        leaf.is_second = mover == Side::Second;
        leaf.entered.clear();
        leaf.entered.extend(last.and_then(Move::cell).into_iter().flat_map(|cell| game.cut_links(cell)));
        if leaf.planes.size() != n {
            leaf.planes = bordered(n);
            leaf.turned = bordered(n);
        }
        for (index, &stone) in game.stones().iter().enumerate() {
            let (row, col) = HexNet::place(n, Cell::new(index), leaf.is_second);
            let seen = match stone {
                None => 0,
                Some(owner) if owner == mover => OWN_STONES,
                Some(_) => OTHER_STONES,
            };
            let (one, other) = ((row + 1, col + 1), (n - row, n - col));
            let (own, turned) = if is_turned { (other, one) } else { (one, other) };
            *leaf.planes.cell(own.0, own.1) = seen;
            *leaf.turned.cell(turned.0, turned.1) = seen;
        }
    }

    fn evaluate_leaf(&self, leaf: &mut NetLeaf) {
        self.network.evaluate(&leaf.planes, &mut leaf.scratch, &mut leaf.said);
        if self.is_averaged {
            self.network.evaluate(&leaf.turned, &mut leaf.scratch, &mut leaf.said_turned);
        }
    }

    /// The chance of the log odds, from -1 to 1.
    fn value(&self, leaf: &NetLeaf) -> f32 {
        let mut steps = 2 * leaf.said.value_steps;
        if self.is_averaged {
            steps = leaf.said.value_steps + leaf.said_turned.value_steps;
        }
        let chance = 1.0 / (1.0 + exact::exp(f64::from(-self.network.value_logit(steps) / 2.0)));
        #[allow(clippy::cast_possible_truncation, reason = "24 bits are enough")]
        let value = (2.0 * chance - 1.0) as f32;
        value
    }

    fn logit(&self, leaf: &NetLeaf, mv: Move) -> f32 {
        let Some(cell) = mv.cell() else { return 0.0 };
        let size = leaf.planes.size();
        let (row, col) = HexNet::place(size, cell, leaf.is_second);
        let (place, last) = (row * size + col, size * size - 1);
        let place = if leaf.is_turned { last - place } else { place };
        let mut steps = 2 * i64::from(leaf.said.steps[place]);
        if self.is_averaged {
            let turned = leaf.said_turned.steps[last - place];
            steps = i64::from(leaf.said.steps[place]) + i64::from(turned);
        }
        let bonus = if leaf.entered.contains(&cell) { self.mending } else { 0.0 };
        self.network.logit(steps) / 2.0 + bonus
    }

    /// Finds the moves that need no evaluation: a move that wins at once is the only one, as is a move that keeps the
    /// other side from winning at once. The swap is no move of the search.
    fn check_terminal(&self, game: &mut Hex, moves: &mut Vec<Move>) -> TerminalCheck {
        let (own, begin) = (game.to_move(), moves.len());
        moves.extend(game.empty().filter(|&cell| game.would_win(own, cell)).map(Move::Place));
        if moves.len() > begin {
            return TerminalCheck::Win(1);
        }
        moves.extend(game.empty().filter(|&cell| game.would_win(own.other(), cell)).map(Move::Place));
        match moves.len() - begin {
            0 => {
                moves.extend(game.empty().map(Move::Place));
                TerminalCheck::Open
            }
            1 => TerminalCheck::Open,
            _ => TerminalCheck::Loss(2),
        }
    }

    fn key(&self, game: &Hex) -> (u64, bool) {
        game.either_key()
    }

    fn turned(&self, game: &Hex, mv: Move) -> Move {
        match mv {
            Move::Place(cell) => Move::Place(Cell::new(game.stones().len() - 1 - cell.index())),
            Move::Swap => Move::Swap,
        }
    }
}

/// The judgement of a running game by the built-in network; `None` where the game is over or there is no network.
pub(super) fn evaluation(game: &Hex) -> Option<Evaluation<Move>> {
    if game.outcome().is_some() {
        return None;
    }
    let judge = HexNet { network: BUILT_IN_NETWORK.clone()?, is_averaged: true, mending: 0.0 };
    let (mut leaf, mut moves) = (NetLeaf::default(), Vec::new());
    judge.check_terminal(&mut game.clone(), &mut moves);
    judge.prepare(game, None, false, &mut leaf);
    judge.evaluate_leaf(&mut leaf);
    let odds = |&mv: &Move| (mv, exact::exp(judge.logit(&leaf, mv).into()));
    let mut policy: Vec<(Move, f64)> = moves.iter().map(odds).collect();
    let sum: f64 = policy.iter().map(|(_, odds)| odds).sum();
    for (_, odds) in &mut policy {
        *odds /= sum;
    }
    policy.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Some(Evaluation { win_chance: f64::from(judge.value(&leaf)) / 2.0 + 0.5, policy })
}

/// Marks the network's choices: `9` for the likeliest move, and the others in ninths of that; nothing for less than
/// one.
pub(super) fn policy_on_the_board(at: &GameHistory<'_, Hex>) -> Vec<(Move, char)> {
    let likely = evaluation(at.now).map(|evaluation| evaluation.policy).unwrap_or_default();
    let most = likely.first().map_or(1.0, |&(_, share)| share);
    let ninths = |share: f64| (1..=9).rev().find(|&ninths| 9.0 * share >= f64::from(ninths) * most);
    likely.into_iter().filter_map(|(mv, share)| Some((mv, char::from_digit(ninths(share)?, 10)?))).collect()
}

/// Describes the network's choices in words.
pub(super) fn policy_in_words(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let Some(Evaluation { win_chance, policy }) = evaluation(at.now) else { return Vec::new() };
    let mover = at.now.side_name(at.now.to_move());
    let choices =
        policy.iter().take(5).map(|&(mv, share)| format!("{} {:.0}%", at.now.show(mv), 100.0 * share));
    let choices: Vec<String> = choices.collect();
    vec![
        text!("The network gives {mover} a win chance of {:.0}%.", 100.0 * win_chance),
        text!("Its choices: {}.", choices.join(", ")),
    ]
}

/// Way in which an engine of the network chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PlayMode {
    /// The move that looks best, whatever the limits; with a temperature one is drawn.
    Bare {
        /// Temperature, as in [`Tuning::KEYS`](crate::ai::Tuning::KEYS).
        temperature: f64,
    },
    /// By a search within the limits that are given; without any, the move that looks best.
    Search,
}

/// An engine that plays by the network.
pub(super) struct NetEngine {
    config: EngineConfig,
    generator: Generator,
    temperature: f64,
    noise: f64,
    may_search: bool,
    /// `true` if connections and the solver help.
    has_proofs: bool,
    bare: HexNet,
    leaf: NetLeaf,
    moves: Vec<Move>,
    search: TreeSearch<Hex, HexNet>,
    prover: RootProver,
}

impl NetEngine {
    /// An engine by the weights of the configuration, or by the program's own.
    ///
    /// # Errors
    /// If there are no weights, or no such ones.
    pub(super) fn boxed(
        start: &Hex,
        config: &EngineConfig,
        manner: PlayMode,
    ) -> Result<Box<dyn Engine<Hex>>, BuildError> {
        config.tuning.check_known(CONSTANT_KEYS)?;
        let network = match &config.weights {
            Some(weights) => Network::read(weights.bytes(), "hex").map(Arc::new).map_err(|why| {
                BuildError::BadWeights { name: weights.name().to_owned(), why: why.to_string() }
            })?,
            None => BUILT_IN_NETWORK.clone().ok_or(BuildError::NoNet)?,
        };
        let tuned = |key, own| config.tuning.get(key).unwrap_or(own);
        let temperature = match manner {
            PlayMode::Bare { temperature } => tuned("temperature", temperature),
            PlayMode::Search => tuned("temperature", 0.0),
        };
        let constants = MctsConstants {
            exploration: tuned("exploration", CONSTANTS.exploration),
            first_play: tuned("first-play", CONSTANTS.first_play),
            prior_temperature: tuned("prior", CONSTANTS.prior_temperature).max(0.05),
        };
        // Where chance chooses anyway, one look is enough.
        let is_averaged = temperature <= 0.0;
        #[allow(clippy::cast_possible_truncation, reason = "24 bits are enough")]
        let mending = tuned("mending", BRIDGE_REPLY_LOGIT) as f32;
        let judge = HexNet { network: Arc::clone(&network), is_averaged: false, mending };
        let noise = tuned("noise", 0.0);
        let memory = config.resources.memory_or(MEMORY_MIB);
        let mut search = TreeSearch::new(judge, constants, config.resources.thread_count(), memory);
        search.set_noise(noise, config.generator());
        let has_proofs = manner == PlayMode::Search && tuned("proofs", 1.0) > 0.0;
        if has_proofs {
            let visits =
                if start.size() <= analyst::SMALL { VISITS_TO_ANALYZE_SMALL } else { VISITS_TO_ANALYZE };
            search.set_analyst(Box::new(ConnectionProver::new(start.size())), visits);
        }
        Ok(Box::new(NetEngine {
            config: config.clone(),
            generator: config.generator(),
            temperature,
            noise,
            may_search: manner == PlayMode::Search,
            has_proofs,
            bare: HexNet { network, is_averaged, mending: 0.0 },
            leaf: NetLeaf::default(),
            moves: Vec::new(),
            search,
            prover: RootProver::default(),
        }))
    }

    /// Returns the move that the prover proves to win within its share of the budget, or the swap where a table says that it wins.
    fn solved(
        &mut self,
        game: &Hex,
        control: &SearchControl<'_, Move>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<Choice<Move>> {
        if game.can_swap() {
            let first = game.first_stone()?;
            let is_known = swap::wins(game.size(), first)?;
            return is_known.then(|| {
                let value = self.value_at_a_glance(game);
                Info::of(vec![Move::Swap], Some(score_of(-value).0)).choice()
            });
        }
        let mut moves_left = Vec::new();
        let (proof, own) = self.prover.prove(game, control, &mut moves_left)?;
        budget.nodes += own.nodes;
        self.search.limit_root(moves_left.into_iter().map(Move::Place));
        let left = game.empty().count();
        let proof = proof?;
        let mv = Move::Place(proof.mv?);
        let plies = win_within(proof.carrier.len(), left);
        let info = Info::of(vec![mv], Some(WIN - i32::from(plies)));
        let info = Info { nodes: own.nodes, elapsed: own.elapsed(), ..info };
        Some(Choice { proof: Some(Proof::WinIn(plies.into())), ..info.choice() })
    }

    /// Returns the result of the search; if all moves lose, the move that looks best to an engine without proofs.
    fn best_or_longest_resistance(
        &mut self,
        game: &mut Hex,
        depth: Option<u32>,
        budget: &mut SearchBudget<'_>,
    ) -> (Info<Move>, Proof) {
        let (info, proof) = (report_of(&self.search, game, budget), self.search.proof());
        if !self.has_proofs || !matches!(proof, Proof::LostIn(plies) if plies > 2) || budget.is_spent() {
            return (info, proof);
        }
        self.search.clear();
        self.search.ask(false);
        self.search.run(game, depth, budget, |_, _, _| ());
        let score = info.score;
        let mut info = report_of(&self.search, game, budget);
        self.search.ask(true);
        info.score = score;
        info.candidates.iter_mut().for_each(|one| one.score = score);
        (info, proof)
    }

    /// Applies the connections on a small board, where they are found as fast as the network evaluates. Keeps only
    /// moves that include a winning one, if any move wins.
    fn by_connections(&mut self, game: &Hex) -> TerminalCheck {
        let mut cells = Vec::new();
        let said = self.prover.outlook(game, &mut cells);
        if !cells.is_empty() {
            self.moves.clear();
            self.moves.extend(cells.into_iter().map(Move::Place));
        }
        let left = game.empty().count();
        match said {
            VcVerdict::Won(carrier) => TerminalCheck::Win(win_within(carrier, left)),
            VcVerdict::Lost(_) => TerminalCheck::Loss(2),
            VcVerdict::Open => TerminalCheck::Open,
        }
    }

    /// Of the likeliest moves, which stand in front, one behind which connections show a win; else the first behind which they
    /// show no loss, if there is one.
    fn verify_top_policy_moves(&mut self, game: &Hex) -> Option<Move> {
        let prover = &mut self.prover;
        let (mut after, mut cells, mut held) = (game.clone(), Vec::new(), None);
        for &mv in self.moves.iter().take(VERIFIED_MOVES) {
            let undo = after.make(mv);
            let said = if after.outcome().is_some() {
                VcVerdict::Lost(0)
            } else {
                prover.outlook(&after, &mut cells)
            };
            after.unmake(mv, undo);
            match said {
                VcVerdict::Lost(_) => return Some(mv),
                VcVerdict::Open => held = held.or(Some(mv)),
                VcVerdict::Won(_) => {}
            }
        }
        held
    }

    /// Returns the network's value of a position for the side to move, from -1 to 1, without a search.
    fn value_at_a_glance(&mut self, game: &Hex) -> f64 {
        if game.outcome().is_some() {
            return -1.0; // the side that moved last has won
        }
        self.bare.prepare(game, None, false, &mut self.leaf);
        self.bare.evaluate_leaf(&mut self.leaf);
        f64::from(self.bare.value(&self.leaf))
    }

    /// The move that looks best, and what the position is worth.
    fn choose_without_search(&mut self, game: &mut Hex) -> (Move, f64) {
        self.moves.clear();
        let mut glance = self.bare.check_terminal(game, &mut self.moves);
        let may_prove = self.has_proofs && self.temperature <= 0.0 && game.size() <= analyst::SMALL;
        if may_prove && glance == TerminalCheck::Open {
            glance = self.by_connections(game);
        }
        self.bare.prepare(game, None, false, &mut self.leaf);
        self.bare.evaluate_leaf(&mut self.leaf);
        let value = match glance {
            TerminalCheck::Open => f64::from(self.bare.value(&self.leaf)),
            TerminalCheck::Win(_) => 1.0,
            TerminalCheck::Loss(_) => -1.0,
        };
        if may_prove && glance == TerminalCheck::Open {
            let leaf = &self.leaf;
            let logit = |mv: &Move| self.bare.logit(leaf, *mv);
            self.moves.sort_by(|a, b| logit(b).total_cmp(&logit(a)));
            if let Some(mv) = self.verify_top_policy_moves(game) {
                return (mv, value);
            }
        }
        let logits = self.moves.iter().map(|&mv| self.bare.logit(&self.leaf, mv));
        let most = logits.clone().fold(f32::NEG_INFINITY, f32::max);
        let first = logits.clone().position(|logit| logit >= most).expect("there is a move");
        // Also those who are careless know how to end a game that is as good as won.
        if self.temperature <= 0.0 || value >= CERTAIN_VALUE {
            return (self.moves[first], value);
        }
        let weights = logits.map(|logit| exact::exp(f64::from(logit - most) / self.temperature));
        let weights: Vec<f64> = weights.collect();
        (self.moves[drawn(&weights, &mut self.generator)], value)
    }
}

/// Puts the swap in front of the moves of a position that is worth less than half. The board is mirrored then and the same side to
/// move has the other colour, so that its value is the opposite.
fn swapped(info: Info<Move>) -> Info<Move> {
    let score = info.score.map(|Score(score)| Score(-score));
    let swap = Candidate { line: vec![Move::Swap], score, visits: 0 };
    let candidates = [swap].into_iter().chain(info.candidates).collect();
    Info { pv: vec![Move::Swap], score, candidates, ..info }
}

/// The value, from -1 to 1, from which on nothing is left to chance.
const CERTAIN_VALUE: f64 = 0.75;

/// Number of the most visited moves that are put in the order of their values.
const MAX_VISITED: usize = 5;

/// The best moves of a search, with what was found about them.
fn report_of(search: &TreeSearch<Hex, HexNet>, game: &Hex, budget: &SearchBudget<'_>) -> Info<Move> {
    let mut found: Vec<Candidate<Move>> =
        search.visited_moves(game).into_iter().map(Candidate::from).collect();
    let best = found[0].clone();
    found.retain(|one| one.visits > 0 || one.mv() == best.mv());
    // What was looked at less is not said to be worth more than the move that was chosen.
    for other in &mut found[1..] {
        other.score = other.score.min(best.score);
    }
    let most_visited = found.len().min(MAX_VISITED);
    found[1..most_visited].sort_by_key(|one| Reverse(one.score));
    Info {
        nodes: budget.nodes,
        depth: u32::try_from(best.line.len()).unwrap_or(u32::MAX),
        score: best.score,
        candidates: found,
        elapsed: budget.elapsed(),
        ..Info::of(best.line, None)
    }
}

impl Engine<Hex> for NetEngine {
    fn new_game(&mut self) {
        self.generator = self.config.generator();
        self.search.set_noise(self.noise, self.config.generator());
        self.search.clear();
        self.prover.clear();
    }

    fn choose(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        let choice = self.choice(at, control);
        // The engines of both sides are in one process, and only one of them thinks.
        if at.now.size() > MAX_SIZE_WITH_KEPT_MEMORY {
            self.search.release_analyst();
            self.prover.release();
        }
        choice
    }
}

impl NetEngine {
    fn choice(&mut self, at: &GameHistory<'_, Hex>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        self.generator = self.config.generator_at(at.played.len());
        self.search.set_noise(self.noise, self.config.generator_at(at.played.len()));
        let mut game = at.now.clone();
        if game.swap_rule == SwapRule::On && game.count() == 0 {
            let cells = swap::fair_openings(&game);
            let cell = cells[self.generator.random_range(0..cells.len())];
            // Whoever moves next takes the better side.
            game.make(Move::Place(cell));
            let value = self.value_at_a_glance(&game);
            let info = Info::of(vec![Move::Place(cell)], Some(score_of(-value.abs()).0));
            return Info { is_from_book: true, ..info }.choice();
        }
        let mut budget = SearchBudget::start(control);
        let may_search = self.may_search && control.limits != Limits::default();
        let solved =
            if self.has_proofs && may_search { self.solved(&game, control, &mut budget) } else { None };
        if let Some(choice) = solved {
            return choice;
        }
        let (info, proof) = if may_search {
            let depth = control.limits.depth;
            self.search.run(&mut game, depth, &mut budget, |search, game, budget| {
                (control.report)(&report_of(search, game, budget));
            });
            self.best_or_longest_resistance(&mut game, depth, &mut budget)
        } else {
            let (mv, value) = self.choose_without_search(&mut game);
            let info = Info::of(vec![mv], Some(score_of(value).0));
            (Info { nodes: 1, elapsed: budget.elapsed(), ..info }, Proof::Unproved)
        };
        if game.can_swap() && info.score.is_some_and(|score| score.0 < 0) {
            return swapped(info).choice();
        }
        let proof = Some(proof).filter(|&proof| proof != Proof::Unproved);
        Choice { mv: info.pv[0], info, proof }
    }
}
