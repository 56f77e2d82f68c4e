//! Source of the openings of a match: random, balanced, or from a list.
//!
//! This module does not depend on any particular game.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::ai::{EngineConfig, EngineKind, Limits};
use crate::arena::jobs::{ArenaJobError, NameOrList};
use crate::arena::matches::Opening;
use crate::arena::stats::hash::fnv1a;
use crate::game::{Outcome, Refusal, SIZE_KEY};
use crate::random::{HINTS_STREAM, OPENINGS_STREAM, RandomGenerator, mix_seed, random_stream};
use crate::record::{self, GameRecord, NodeId, NotAGame, RecordReadOptions, disk};
use crate::registry::{BoardSetupError, RegisteredGame, Variant};
use crate::session::{EngineRequest, Position, PositionHistory};

/// Maximum number of attempts to draw a random opening that leaves a playable game.
const MAX_OPENING_TRIES: u32 = 1_000;
/// Node limit of the search that decides whether an opening is balanced.
const BALANCE_SEARCH_NODES: u64 = 2_000;
/// Win chances of the side to move that count as balanced.
const BALANCED_WIN_CHANCES: std::ops::RangeInclusive<f64> = 0.35..=0.65;

/// Source of the openings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Random openings of this number of plies that leave no immediate win.
    Random(usize),
    /// Random openings of this number of plies that a search rates as balanced.
    Balanced(usize),
    /// A named list of openings.
    List(String, Vec<Opening>),
}

/// Maximum number of random plies of an opening in a job.
const MAX_OPENING_PLIES: usize = 10_000;

/// Reasons why openings cannot be parsed, loaded or drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// The text is not a valid source of openings.
    #[error("openings must be none, random:K, balanced:K or a file, not {0:?}")]
    Unreadable(String),
    /// Every random opening of this number of plies ended the game or allowed an immediate win.
    #[error("the game is over after {0} random plies; use a smaller number")]
    GameAlwaysOver(usize),
    /// None of the random openings of this number of plies is balanced.
    #[error("no opening of {0} random plies is balanced; use another number, or random:{0}")]
    Unbalanced(usize),
    /// The board does not exist.
    #[error(transparent)]
    Board(#[from] BoardSetupError),
    /// The file cannot be read or is empty.
    #[error("openings {0}: {1}")]
    File(String, String),
    /// A line of the file is not a valid opening.
    #[error("{0}:{1}: {2}")]
    Line(String, usize, String),
    /// The file contains a malformed game record.
    #[error("openings {0}:{1}")]
    Games(String, NotAGame),
    /// A game in the file is not an opening of this match.
    #[error("openings {0}: game {1}: {2}")]
    Game(String, usize, String),
    /// An entry of the list is not a valid opening.
    #[error("opening {0} of the list: {1}")]
    Entry(usize, String),
    /// A self-play opening contains a move that is illegal or has no move number.
    #[error("{0} cannot be part of an opening of selfplay")]
    NoNumber(String),
    /// A self-play opening starts from a given position, not from the empty board.
    #[error("games of selfplay begin on the empty board, not from {0}")]
    FromPosition(String),
    /// The list has no entries.
    #[error("the list of openings is empty")]
    Empty,
}

impl Openings {
    /// Parses `none`, `random:K` or `balanced:K`, or loads the file of this name.
    pub(crate) fn parse_or_load(
        text: &str,
        entry: &'static RegisteredGame,
        variant: &Variant,
    ) -> Result<Self, OpeningsError> {
        let unreadable = || OpeningsError::Unreadable(text.to_owned());
        match (Openings::parse_keyword(text), text.split_once(':')) {
            (Some(drawn), _) => Ok(drawn),
            (None, Some(("random" | "balanced", _))) => Err(unreadable()),
            (None, _) => match record::read_game_source(Path::new(text)) {
                Ok(bytes) => Openings::parse_file(text, &bytes, entry, variant),
                Err(disk::FileError::Missing) if !text.contains(['.', '/']) => Err(unreadable()),
                Err(error) => Err(OpeningsError::File(Refusal::sanitize_path(text), error.to_string())),
            },
        }
    }

    /// Parses the contents of an openings file.
    ///
    /// The file contains either game records (SGF or links), each of which becomes an opening, or
    /// text as described for [`Self::parse_text`].
    fn parse_file(
        name: &str,
        bytes: &[u8],
        entry: &'static RegisteredGame,
        variant: &Variant,
    ) -> Result<Self, OpeningsError> {
        let shown = || Refusal::sanitize_path(name);
        let board = entry.start_position(variant)?;
        let games = record::load_all_games(bytes, &RecordReadOptions::for_game(entry).with_board(variant));
        let games = games.map_err(|why| OpeningsError::Games(shown(), why))?;
        let Some(games) = games else {
            return Openings::parse_text(name, &String::from_utf8_lossy(bytes), entry, variant);
        };
        let opening = |game: &GameRecord| {
            if let Some(fault) = &game.fault {
                return Err(format!("line {}: {}", fault.line, fault.why.reason()));
            }
            let (start, end) = (game.tree.position(NodeId::ROOT), game.tree.position(game.end));
            let size = |on: &dyn Position| on.settings().iter().find(|(key, _)| *key == SIZE_KEY).cloned();
            if game.start.entry.name != entry.name || size(&**start) != size(&*board) {
                let [game, here] = [start, &board].map(|on| on.view().title());
                return Err(format!("it is a game of {game}, and the match is of {here}"));
            }
            let position = game.start.setup.as_ref().and_then(|_| start.position_text());
            Opening::parse(&Opening { position, moves: end.played_moves() }.to_string(), entry, variant)
        };
        let openings = games
            .iter()
            .zip(1..)
            .map(|(game, number)| opening(game).map_err(|why| OpeningsError::Game(shown(), number, why)));
        let openings: Vec<_> = openings.collect::<Result<_, _>>()?;
        Ok(Openings::List(name.to_owned(), openings))
    }

    /// Parses `none`, `random:K` or `balanced:K` without opening a file. Returns `None` for any other text.
    pub(in crate::arena) fn parse_keyword(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None if text == "none" => Some(Openings::Random(0)),
            Some(("random", plies)) => plies.parse().ok().map(Openings::Random),
            Some(("balanced", plies)) => plies.parse().ok().map(Openings::Balanced),
            _ => None,
        }
    }

    /// Parses a text with one opening per line, in the text form of [`Opening`]. `#` starts a
    /// comment.
    ///
    /// # Errors
    /// Returns an error that names the line that is not a valid opening.
    pub fn parse_text(
        name: &str,
        text: &str,
        entry: &'static RegisteredGame,
        variant: &Variant,
    ) -> Result<Self, OpeningsError> {
        let shown = Refusal::sanitize_path(name);
        let mut entries = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let words = line.split('#').next().unwrap_or_default();
            let opening = Opening::parse(words, entry, variant);
            entries.push(opening.map_err(|why| OpeningsError::Line(shown.clone(), number, why))?);
        }
        entries.retain(|opening| !opening.is_empty());
        if entries.is_empty() {
            return Err(OpeningsError::File(shown, "the file has no openings".to_owned()));
        }
        Ok(Openings::List(name.to_owned(), entries))
    }

    /// Parses a list of openings given as text.
    pub(in crate::arena) fn parse_list(
        texts: &[impl AsRef<str>],
        entry: &'static RegisteredGame,
        variant: &Variant,
    ) -> Result<Self, OpeningsError> {
        let mut entries = Vec::new();
        for (text, number) in texts.iter().zip(1..) {
            let opening = Opening::parse(text.as_ref(), entry, variant).and_then(|opening| {
                if opening.is_empty() { Err("the opening has no moves".to_owned()) } else { Ok(opening) }
            });
            entries.push(opening.map_err(|why| OpeningsError::Entry(number, why))?);
        }
        if entries.is_empty() {
            return Err(OpeningsError::Empty);
        }
        Ok(Openings::List("list".to_owned(), entries))
    }

    /// Returns the text form of the openings. A list is represented by its name.
    #[must_use]
    pub fn spec(&self) -> String {
        match self {
            Openings::Random(0) => "none".to_owned(),
            Openings::Random(plies) => format!("random:{plies}"),
            Openings::Balanced(plies) => format!("balanced:{plies}"),
            Openings::List(name, _) => name.clone(),
        }
    }

    /// Returns the openings in the form stored in a job file. A list is stored with all its
    /// entries.
    pub(in crate::arena) fn to_json(&self) -> NameOrList {
        self.entry_texts().map_or_else(|| NameOrList::Name(self.spec()), NameOrList::List)
    }

    /// Returns the entries of a list as text, or `None` if the openings are not a list.
    pub(in crate::arena) fn entry_texts(&self) -> Option<Vec<String>> {
        let Openings::List(_, entries) = self else { return None };
        Some(entries.iter().map(Opening::to_string).collect())
    }

    /// Parses the openings stored in a job file.
    pub(in crate::arena) fn from_json(
        fields: &NameOrList,
        entry: &'static RegisteredGame,
        variant: &Variant,
    ) -> Result<Self, ArenaJobError> {
        let text = match fields {
            NameOrList::List(texts) => {
                return Openings::parse_list(texts, entry, variant).map_err(ArenaJobError::new);
            }
            NameOrList::Name(text) => text,
        };
        match Openings::parse_keyword(text) {
            Some(Openings::Random(plies) | Openings::Balanced(plies)) if plies > MAX_OPENING_PLIES => {
                Err(ArenaJobError(format!("an opening has more than {MAX_OPENING_PLIES} plies")))
            }
            drawn => drawn.ok_or_else(|| {
                ArenaJobError::new(
                    "openings: must be \"none\", \"random:K\", \"balanced:K\" or a list of strings",
                )
            }),
        }
    }

    /// Draws up to `count` different openings, in at most `10 * count` attempts.
    ///
    /// # Errors
    /// Returns an error if the text in `kind` is invalid or no opening is found.
    pub(crate) fn distinct_openings(
        entry: &'static RegisteredGame,
        variant: &Variant,
        kind: Option<&str>,
        seed: u64,
        count: u64,
    ) -> Result<Vec<Opening>, OpeningsError> {
        let start = entry.start_position(variant)?;
        let openings = match kind {
            None => Openings::Random((entry.opening_plies)(&entry.resolve_board(variant)?)),
            Some(text) => Openings::parse_or_load(text, entry, variant)?,
        };
        if let Openings::List(_, entries) = openings {
            return Ok(entries);
        }
        let (mut known, mut list) = (BTreeSet::new(), Vec::new());
        for unit in 0..count.saturating_mul(10) {
            if list.len() as u64 >= count {
                break;
            }
            let empty = || PositionHistory::new(start.clone());
            let opening = openings.opening_for_unit(empty, entry.reference_engine(), seed, (unit, unit))?;
            let game = opening.start_game(entry, variant).expect("it was drawn from legal moves");
            if known.insert(game.current().position_key()) {
                list.push(opening);
            }
        }
        Ok(list)
    }

    /// Returns a hash of the entries, which distinguishes lists with the same name.
    pub(super) fn list_hash(&self) -> Option<u64> {
        self.entry_texts().map(|lines| fnv1a(lines.join("\n").as_bytes()))
    }

    /// Returns the maximum number of plies of these openings.
    #[must_use]
    pub fn max_plies(&self) -> usize {
        match self {
            Openings::Random(plies) | Openings::Balanced(plies) => *plies,
            Openings::List(_, entries) => {
                entries.iter().map(|opening| opening.moves.len()).max().unwrap_or(0)
            }
        }
    }

    /// Reports whether all games start from the empty board.
    #[must_use]
    pub(crate) fn start_from_empty_board(&self) -> bool {
        *self == Openings::Random(0)
    }

    /// Returns the opening of a unit.
    ///
    /// A random opening is played on the empty board that `empty` creates. A list is used in one
    /// shuffled order for all pairings, indexed by `pair`.
    pub(super) fn opening_for_unit(
        &self,
        empty: impl Fn() -> PositionHistory,
        judge: EngineKind,
        seed: u64,
        (unit, pair): (u64, u64),
    ) -> Result<Opening, OpeningsError> {
        match self {
            Openings::Random(plies) => draw_opening(empty(), seed, unit, *plies, None),
            Openings::Balanced(plies) => draw_opening(empty(), seed, unit, *plies, Some(judge)),
            Openings::List(_, entries) => {
                let mut order: Vec<usize> = (0..entries.len()).collect();
                order.shuffle(&mut random_stream(seed, OPENINGS_STREAM));
                let place = usize::try_from(pair % entries.len() as u64).expect("as many as there are");
                Ok(entries[order[place]].clone())
            }
        }
    }
}

/// Game on which random openings can be played, whatever the representation of its moves.
pub(in crate::arena) trait RandomOpeningGame {
    /// Resets the game to the empty board.
    fn restart(&mut self);
    /// Returns the number of plies played.
    fn plies(&self) -> usize;
    /// Reports whether the game is over.
    fn is_over(&self) -> bool;
    /// Plays a legal move. `choose` receives the number of legal moves and returns the index of the move to
    /// play.
    fn play_chosen_move(&mut self, choose: &mut dyn FnMut(usize) -> usize);
    /// Reports whether the side to move has a winning move.
    fn can_win_at_once(&mut self) -> bool;
}

/// Plays a random opening that leaves no immediate win and satisfies `is_wanted`.
///
/// Returns `false` after a thousand failed attempts.
pub(in crate::arena) fn play_random_opening<B: RandomOpeningGame>(
    game: &mut B,
    plies: usize,
    mut chance: RandomGenerator,
    is_wanted: impl Fn(&B) -> bool,
) -> bool {
    (0..MAX_OPENING_TRIES).any(|_| {
        game.restart();
        while game.plies() < plies && !game.is_over() {
            game.play_chosen_move(&mut |count| chance.random_range(0..count));
        }
        !game.is_over() && (game.plies() == 0 || !game.can_win_at_once()) && is_wanted(game)
    })
}

/// A game whose moves are handled as text.
struct TextMoveGame {
    empty: PositionHistory,
    game: PositionHistory,
}

impl RandomOpeningGame for TextMoveGame {
    fn restart(&mut self) {
        self.game = self.empty.clone();
    }

    fn plies(&self) -> usize {
        self.game.plies()
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn play_chosen_move(&mut self, choose: &mut dyn FnMut(usize) -> usize) {
        let legal = self.game.legal_moves();
        self.game.play(&legal[choose(legal.len())]).expect("legal");
    }

    fn can_win_at_once(&mut self) -> bool {
        let mover = self.game.to_move();
        self.game.legal_moves().iter().any(|text| {
            self.game.play(text).expect("legal");
            let wins = self.game.outcome() == Some(Outcome::Win(mover));
            self.game.undo();
            wins
        })
    }
}

/// Draws the random opening of a unit. With a `judge`, the opening must be balanced.
fn draw_opening(
    empty: PositionHistory,
    seed: u64,
    unit: u64,
    plies: usize,
    judge: Option<EngineKind>,
) -> Result<Opening, OpeningsError> {
    let mut drawn = TextMoveGame { game: empty.clone(), empty };
    let is_even = |drawn: &TextMoveGame| judge.is_none_or(|level| is_position_balanced(level, &drawn.game));
    if play_random_opening(&mut drawn, plies, random_stream(mix_seed(seed, unit), OPENINGS_STREAM), is_even) {
        return Ok(Opening::from_moves(drawn.game.played_moves()));
    }
    Err(if judge.is_some() { OpeningsError::Unbalanced(plies) } else { OpeningsError::GameAlwaysOver(plies) })
}

/// Reports whether a short search rates both sides as about equal.
fn is_position_balanced(level: EngineKind, session: &PositionHistory) -> bool {
    let Ok(mut machine) = session.build_engine(level, &EngineConfig::new(0, HINTS_STREAM)) else {
        return false;
    };
    let limits = Limits { nodes: Some(BALANCE_SEARCH_NODES), ..Limits::default() };
    let answer =
        machine.answer(EngineRequest::Move, &**session.current(), limits, &AtomicBool::new(false), &|_| ());
    answer
        .ok()
        .and_then(|answer| answer.report.chance)
        .is_some_and(|chance| BALANCED_WIN_CHANCES.contains(&chance))
}
