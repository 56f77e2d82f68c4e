//! Openings of the games of a match. Knows sessions, no particular game.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::ai::{EngineConfig, EngineKind, Limits};
use crate::arena::jobs::{JobError, NameOrList};
use crate::arena::matches::Opening;
use crate::arena::stats::hash::fnv1a;
use crate::game::{Outcome, Refusal, SIZE};
use crate::random::{ADVICE, Generator, OPENINGS, mix, stream};
use crate::record::{self, GameRecord, Hint, NodeId, NotAGame, disk};
use crate::registry::{Entry, OpenError, Variant};
use crate::session::{History, Position, Purpose};

/// Tries to find an opening that leaves a game.
const OPENING_TRIES: u32 = 1_000;
/// Positions that the search looks at which says whether an opening is balanced.
const BALANCE_NODES: u64 = 2_000;
/// Win chances of the side to move after a balanced opening.
const BALANCED_WIN_CHANCES: std::ops::RangeInclusive<f64> = 0.35..=0.65;

/// Ways in which games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// With this number of random plies, after which nobody can win at once.
    Random(usize),
    /// With this number of random plies, after which a search finds the position even.
    Balanced(usize),
    /// With the entries of a list, under its name.
    List(String, Vec<Opening>),
}

/// The most random plies of an opening in a job.
const MAX_PLIES: usize = 10_000;

/// Why there is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// They are not written as they must be.
    #[error("openings must be none, random:K, balanced:K or a file, not {0:?}")]
    Unreadable(String),
    /// This number of random plies always ends the game or lets it be won at once.
    #[error("the game is over after {0} random plies; use a smaller number")]
    None(usize),
    /// No search finds an even one.
    #[error("no opening of {0} random plies is balanced; use another number, or random:{0}")]
    Unbalanced(usize),
    /// The board does not exist.
    #[error(transparent)]
    Board(#[from] OpenError),
    /// The file cannot be read.
    #[error("openings {0}: {1}")]
    File(String, String),
    /// A line of it is wrong.
    #[error("{0}:{1}: {2}")]
    Line(String, usize, String),
    /// The form of a game in it is wrong.
    #[error("openings {0}:{1}")]
    Games(String, NotAGame),
    /// A game in it is no opening of the match.
    #[error("openings {0}: game {1}: {2}")]
    Game(String, usize, String),
    /// An entry of a list is wrong.
    #[error("opening {0} of the list: {1}")]
    Entry(usize, String),
    /// An opening of self-play has a move that is not legal or has no number.
    #[error("{0} cannot be part of an opening of selfplay")]
    NoNumber(String),
    /// An opening of self-play begins from a position.
    #[error("games of selfplay begin on the empty board, not from {0}")]
    FromPosition(String),
    /// A list has no entries.
    #[error("the list of openings is empty")]
    Empty,
}

impl Openings {
    /// Reads `none`, `random:K`, `balanced:K`, or the name of a file that has an opening a line.
    pub(crate) fn read(text: &str, entry: &'static Entry, variant: &Variant) -> Result<Self, OpeningsError> {
        let unreadable = || OpeningsError::Unreadable(text.to_owned());
        match (Openings::drawn(text), text.split_once(':')) {
            (Some(drawn), _) => Ok(drawn),
            (None, Some(("random" | "balanced", _))) => Err(unreadable()),
            (None, _) => match record::source(Path::new(text)) {
                Ok(bytes) => Openings::of_file(text, &bytes, entry, variant),
                Err(disk::FileError::Missing) if !text.contains(['.', '/']) => Err(unreadable()),
                Err(error) => Err(OpeningsError::File(Refusal::shown_path(text), error.to_string())),
            },
        }
    }

    /// Reads a file: one with games, such as SGF or links, each an opening, or a text of [`Self::of_text`].
    fn of_file(
        name: &str,
        bytes: &[u8],
        entry: &'static Entry,
        variant: &Variant,
    ) -> Result<Self, OpeningsError> {
        let shown = || Refusal::shown_path(name);
        let board = entry.start(variant)?;
        let games = record::games(bytes, &Hint::of(entry).on(variant));
        let games = games.map_err(|why| OpeningsError::Games(shown(), why))?;
        let Some(games) = games else {
            return Openings::of_text(name, &String::from_utf8_lossy(bytes), entry, variant);
        };
        let opening = |game: &GameRecord| {
            if let Some(fault) = &game.fault {
                return Err(format!("line {}: {}", fault.line, fault.why.reason()));
            }
            let (start, end) = (game.tree.position(NodeId::ROOT), game.tree.position(game.end));
            let size = |on: &dyn Position| on.settings().iter().find(|(key, _)| *key == SIZE).cloned();
            if game.start.entry.name != entry.name || size(&**start) != size(&*board) {
                let [game, here] = [start, &board].map(|on| on.view().title());
                return Err(format!("it is a game of {game}, and the match is of {here}"));
            }
            let position = game.start.setup.as_ref().and_then(|_| start.position_text());
            Opening::read(&Opening { position, moves: end.played() }.to_string(), entry, variant)
        };
        let openings = games
            .iter()
            .zip(1..)
            .map(|(game, number)| opening(game).map_err(|why| OpeningsError::Game(shown(), number, why)));
        let openings: Vec<_> = openings.collect::<Result<_, _>>()?;
        Ok(Openings::List(name.to_owned(), openings))
    }

    /// Reads `none`, `random:K` or `balanced:K`, and opens no file; `None` if it is something else.
    pub(in crate::arena) fn drawn(text: &str) -> Option<Self> {
        match text.split_once(':') {
            None if text == "none" => Some(Openings::Random(0)),
            Some(("random", plies)) => plies.parse().ok().map(Openings::Random),
            Some(("balanced", plies)) => plies.parse().ok().map(Openings::Balanced),
            _ => None,
        }
    }

    /// Reads the text of a file: an opening a line, as [`Opening`] is written; `#` begins a comment.
    ///
    /// # Errors
    /// Names the line that is no opening.
    pub fn of_text(
        name: &str,
        text: &str,
        entry: &'static Entry,
        variant: &Variant,
    ) -> Result<Self, OpeningsError> {
        let shown = Refusal::shown_path(name);
        let mut entries = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let words = line.split('#').next().unwrap_or_default();
            let opening = Opening::read(words, entry, variant);
            entries.push(opening.map_err(|why| OpeningsError::Line(shown.clone(), number, why))?);
        }
        entries.retain(|opening| !opening.is_empty());
        if entries.is_empty() {
            return Err(OpeningsError::File(shown, "the file has no openings".to_owned()));
        }
        Ok(Openings::List(name.to_owned(), entries))
    }

    /// Reads a list of openings, each as text.
    pub(in crate::arena) fn listed(
        texts: &[impl AsRef<str>],
        entry: &'static Entry,
        variant: &Variant,
    ) -> Result<Self, OpeningsError> {
        let mut entries = Vec::new();
        for (text, number) in texts.iter().zip(1..) {
            let opening = Opening::read(text.as_ref(), entry, variant).and_then(|opening| {
                if opening.is_empty() { Err("the opening has no moves".to_owned()) } else { Ok(opening) }
            });
            entries.push(opening.map_err(|why| OpeningsError::Entry(number, why))?);
        }
        if entries.is_empty() {
            return Err(OpeningsError::Empty);
        }
        Ok(Openings::List("list".to_owned(), entries))
    }

    /// Returns the openings as they were read; a list by its name.
    #[must_use]
    pub fn spec(&self) -> String {
        match self {
            Openings::Random(0) => "none".to_owned(),
            Openings::Random(plies) => format!("random:{plies}"),
            Openings::Balanced(plies) => format!("balanced:{plies}"),
            Openings::List(name, _) => name.clone(),
        }
    }

    /// Returns them as a job has them: a list with all its entries.
    pub(in crate::arena) fn fields(&self) -> NameOrList {
        self.listed_texts().map_or_else(|| NameOrList::Name(self.spec()), NameOrList::List)
    }

    /// Returns the openings of a list as text.
    pub(in crate::arena) fn listed_texts(&self) -> Option<Vec<String>> {
        let Openings::List(_, entries) = self else { return None };
        Some(entries.iter().map(Opening::to_string).collect())
    }

    /// Reads the openings of a job.
    pub(in crate::arena) fn of_fields(
        fields: &NameOrList,
        entry: &'static Entry,
        variant: &Variant,
    ) -> Result<Self, JobError> {
        let text = match fields {
            NameOrList::List(texts) => {
                return Openings::listed(texts, entry, variant).map_err(JobError::new);
            }
            NameOrList::Name(text) => text,
        };
        match Openings::drawn(text) {
            Some(Openings::Random(plies) | Openings::Balanced(plies)) if plies > MAX_PLIES => {
                Err(JobError(format!("an opening has more than {MAX_PLIES} plies")))
            }
            drawn => drawn.ok_or_else(|| {
                JobError::new("openings: must be \"none\", \"random:K\", \"balanced:K\" or a list of strings")
            }),
        }
    }

    /// Returns `count` different openings of one kind, or those that ten times that number of draws find.
    ///
    /// # Errors
    /// If the kind is not written as it must be, or if there is no opening.
    pub(crate) fn list_of(
        entry: &'static Entry,
        variant: &Variant,
        kind: Option<&str>,
        seed: u64,
        count: u64,
    ) -> Result<Vec<Opening>, OpeningsError> {
        let start = entry.start(variant)?;
        let openings = match kind {
            None => Openings::Random((entry.opening_plies)(&entry.choose(variant)?)),
            Some(text) => Openings::read(text, entry, variant)?,
        };
        if let Openings::List(_, entries) = openings {
            return Ok(entries);
        }
        let (mut known, mut list) = (BTreeSet::new(), Vec::new());
        for unit in 0..count.saturating_mul(10) {
            if list.len() as u64 >= count {
                break;
            }
            let empty = || History::new(start.clone());
            let opening = openings.of_unit(empty, entry.reference(), seed, (unit, unit))?;
            let game = opening.game(entry, variant).expect("it was drawn from legal moves");
            if known.insert(game.now().key()) {
                list.push(opening);
            }
        }
        Ok(list)
    }

    /// Returns a hash that tells two lists of one name apart.
    pub(super) fn hash(&self) -> Option<u64> {
        self.listed_texts().map(|lines| fnv1a(lines.join("\n").as_bytes()))
    }

    /// The plies of an opening, of a list those of its longest.
    #[must_use]
    pub fn plies(&self) -> usize {
        match self {
            Openings::Random(plies) | Openings::Balanced(plies) => *plies,
            Openings::List(_, entries) => {
                entries.iter().map(|opening| opening.moves.len()).max().unwrap_or(0)
            }
        }
    }

    /// Reports whether games begin at the empty board.
    #[must_use]
    pub(crate) fn are_none(&self) -> bool {
        *self == Openings::Random(0)
    }

    /// Returns the opening of a unit: random plies from this empty board, or the entry of a list for this pair of its
    /// meeting. Every meeting takes the entries of a list in one shuffled order.
    pub(super) fn of_unit(
        &self,
        empty: impl Fn() -> History,
        judge: EngineKind,
        seed: u64,
        (unit, pair): (u64, u64),
    ) -> Result<Opening, OpeningsError> {
        match self {
            Openings::Random(plies) => drawn(empty(), seed, unit, *plies, None),
            Openings::Balanced(plies) => drawn(empty(), seed, unit, *plies, Some(judge)),
            Openings::List(_, entries) => {
                let mut order: Vec<usize> = (0..entries.len()).collect();
                order.shuffle(&mut stream(seed, OPENINGS));
                let place = usize::try_from(pair % entries.len() as u64).expect("as many as there are");
                Ok(entries[order[place]].clone())
            }
        }
    }
}

/// A game that can be begun with random plies, whatever its moves are written as.
pub(in crate::arena) trait RandomOpening {
    /// Goes back to the empty board.
    fn restart(&mut self);
    /// Returns the number of plies that have been played.
    fn plies(&self) -> usize;
    /// Reports whether the game is over.
    fn is_over(&self) -> bool;
    /// Plays the legal move at the index that `choose` returns for the number of legal moves.
    fn play_one(&mut self, choose: &mut dyn FnMut(usize) -> usize);
    /// Reports whether the side to move has a move that wins at once.
    fn can_win_at_once(&mut self) -> bool;
}

/// Begins a game with random legal plies after which it goes on, cannot be won at once and is as it is wanted; false if a
/// thousand tries find none.
pub(in crate::arena) fn begin<B: RandomOpening>(
    game: &mut B,
    plies: usize,
    mut chance: Generator,
    is_wanted: impl Fn(&B) -> bool,
) -> bool {
    (0..OPENING_TRIES).any(|_| {
        game.restart();
        while game.plies() < plies && !game.is_over() {
            game.play_one(&mut |count| chance.random_range(0..count));
        }
        !game.is_over() && (game.plies() == 0 || !game.can_win_at_once()) && is_wanted(game)
    })
}

/// A game with its moves as text.
struct TextGame {
    empty: History,
    game: History,
}

impl RandomOpening for TextGame {
    fn restart(&mut self) {
        self.game = self.empty.clone();
    }

    fn plies(&self) -> usize {
        self.game.plies()
    }

    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    fn play_one(&mut self, choose: &mut dyn FnMut(usize) -> usize) {
        let legal = self.game.legal();
        self.game.play(&legal[choose(legal.len())]).expect("legal");
    }

    fn can_win_at_once(&mut self) -> bool {
        let mover = self.game.to_move();
        self.game.legal().iter().any(|text| {
            self.game.play(text).expect("legal");
            let wins = self.game.outcome() == Some(Outcome::Win(mover));
            self.game.undo();
            wins
        })
    }
}

/// The random opening of a unit; if a level is to judge, an even one.
fn drawn(
    empty: History,
    seed: u64,
    unit: u64,
    plies: usize,
    judge: Option<EngineKind>,
) -> Result<Opening, OpeningsError> {
    let mut drawn = TextGame { game: empty.clone(), empty };
    let is_even = |drawn: &TextGame| judge.is_none_or(|level| is_balanced(level, &drawn.game));
    if begin(&mut drawn, plies, stream(mix(seed, unit), OPENINGS), is_even) {
        return Ok(Opening::of_moves(drawn.game.played()));
    }
    Err(if judge.is_some() { OpeningsError::Unbalanced(plies) } else { OpeningsError::None(plies) })
}

/// Reports whether a fixed search gives both sides about the same.
fn is_balanced(level: EngineKind, session: &History) -> bool {
    let Ok(mut machine) = session.machine(level, &EngineConfig::new(0, ADVICE)) else { return false };
    let limits = Limits { nodes: Some(BALANCE_NODES), ..Limits::default() };
    let answer = machine.answer(Purpose::Move, &**session.now(), limits, &AtomicBool::new(false), &|_| ());
    answer
        .ok()
        .and_then(|answer| answer.report.chance)
        .is_some_and(|chance| BALANCED_WIN_CHANCES.contains(&chance))
}
