//! Reports on matches between engines, as text and as JSON.
//!
//! This module uses only the results of the games.

use std::array;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::fields::GamesFileHeader;
use super::game_record::{ArenaGame, GamesByUnit, take_game_pair};
use super::opening::Opening;
use super::plan::{MAX_TOURNAMENT_ENGINES, NoSuchEngine, list_pairings};
use crate::arena::jobs;
use crate::arena::stats::sprt::{Sprt, SprtVerdict};
use crate::arena::stats::{IntervalEstimate, PairCounts, count_to_f64, rating};
use crate::game::Side;
use crate::session::ForfeitReason;

/// Number of consecutive duplicate pairs after which the openings count as exhausted.
const MAX_CONSECUTIVE_DUPLICATES: u32 = 20;

/// Verdict text of a match with an undecided SPRT or without an SPRT.
const UNDECIDED_VERDICT: &str = "none";

/// Results of the games between two engines. In JSON, non-finite numbers are null.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MatchReport {
    #[serde(rename = "engines")]
    pub(in crate::arena) names: [String; 2],
    pairs: u64,
    /// Wins of the first engine.
    wins: u64,
    draws: u64,
    losses: u64,
    /// Wins, draws and losses of the first engine as First and as Second.
    seats: [[u64; 3]; 2],
    counts: PairCounts,
    score: Option<IntervalEstimate>,
    elo: Option<IntervalEstimate>,
    #[serde(rename = "nelo")]
    normalized_elo: Option<IntervalEstimate>,
    #[serde(rename = "los")]
    superiority: Option<f64>,
    llr: Option<f64>,
    verdict: &'static str,
    duplicates: u64,
    forfeits: [u64; 2],
    faults: [BTreeMap<ForfeitReason, u64>; 2],
    plies: u64,
    nodes: [u64; 2],
    moves: [u64; 2],
    ms: [Option<f64>; 2],
    cpu_ms: [Option<f64>; 2],
    /// Pentanomial counts after each pair of games.
    #[serde(skip)]
    pub(in crate::arena) course: Vec<PairCounts>,
    #[serde(skip)]
    sprt: Option<Sprt>,
    /// Number of consecutive duplicate pairs.
    #[serde(skip)]
    repeated: u32,
    /// Openings and moves of the pairs counted so far.
    #[serde(skip)]
    known: BTreeSet<[(Opening, Vec<String>); 2]>,
}

impl MatchReport {
    /// Counts a pair of games and returns the points of the first engine.
    ///
    /// That engine must play First in the first game. Returns `None` for a duplicate pair.
    fn count_pair(&mut self, pair: &[ArenaGame; 2]) -> Option<f64> {
        self.add_costs(pair);
        let moves = pair.each_ref().map(|game| (game.to_opening(), game.moves.clone()));
        if !self.known.insert(moves) {
            self.duplicates += 1;
            self.repeated += 1;
            return None;
        }
        self.repeated = 0;
        let mut halves = 0;
        for (game, own) in pair.iter().zip(Side::BOTH) {
            self.seats[own.index()][2 - usize::from(game.half_points(own))] += 1;
            halves += game.half_points(own);
            self.plies += (game.opening.len() + game.moves.len()) as u64;
        }
        self.counts.0[usize::from(halves)] += 1;
        self.course.push(self.counts);
        self.update_estimates();
        Some(f64::from(halves) / 2.0)
    }

    /// Recomputes scores, Elo and the SPRT verdict from the pair counts, which must not be empty.
    fn update_estimates(&mut self) {
        let counts = self.counts;
        self.pairs = counts.pairs();
        [self.wins, self.draws, self.losses] = array::from_fn(|i| self.seats[0][i] + self.seats[1][i]);
        (self.score, self.elo) = (Some(counts.score()), Some(counts.elo()));
        self.normalized_elo = Some(counts.normalized_elo());
        self.superiority = Some(counts.likelihood_of_superiority());
        self.llr = self.sprt.map(|sprt| sprt.llr(&counts));
        self.verdict = match self.sprt.and_then(|sprt| sprt.verdict(&counts)) {
            Some(SprtVerdict::H0) => "H0",
            Some(SprtVerdict::H1) => "H1",
            None => UNDECIDED_VERDICT,
        };
    }

    /// Adds the nodes, times, moves and forfeits of a pair, including duplicate pairs.
    fn add_costs(&mut self, pair: &[ArenaGame; 2]) {
        for (game, own) in pair.iter().zip(Side::BOTH) {
            for (engine, side) in [own, own.other()].into_iter().enumerate() {
                let place = side.index();
                self.nodes[engine] = self.nodes[engine].saturating_add(game.nodes[place]);
                self.moves[engine] += game.move_count_of(side);
                for (sum, ms) in [(&mut self.ms[engine], game.ms), (&mut self.cpu_ms[engine], game.cpu_ms)] {
                    let ms = ms.and_then(|both| both[place]);
                    *sum = ms.map(|ms| sum.unwrap_or_default() + ms).or(*sum);
                }
                if let Some(fault) = game.fault.as_ref().filter(|_| game.forfeit == Some(side)) {
                    self.forfeits[engine] += 1;
                    *self.faults[engine].entry(fault.reason).or_default() += 1;
                }
            }
        }
    }

    /// Reports whether further games would only repeat earlier ones.
    fn has_exhausted_openings(&self) -> bool {
        self.repeated > MAX_CONSECUTIVE_DUPLICATES
    }

    /// Formats the report as lines of text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let MatchReport { names: [a, b], pairs, wins, draws, losses, verdict, .. } = self;
        let unit = if *pairs == 1 { "pair" } else { "pairs" };
        let mut lines = vec![format!("{a} vs {b}: {} games in {pairs} {unit}", 2 * pairs)];
        let estimates = [self.score, self.elo, self.normalized_elo];
        if let ([Some(score), Some(elo), Some(normalized)], Some(superiority)) = (estimates, self.superiority)
        {
            let [first, second] =
                self.seats.map(|[wins, draws, losses]| format!("+{wins} ={draws} -{losses}"));
            let [score, low, high] = [score.value, score.low, score.high].map(|share| 100.0 * share);
            let interval = |e: IntervalEstimate| format!("{:+.1} [{:+.1}, {:+.1}]", e.value, e.low, e.high);
            let mean = |sum: u64, of: u64| count_to_f64(sum) / count_to_f64(of.max(1));
            let [nodes_a, nodes_b] = [0, 1].map(|i| mean(self.nodes[i], self.moves[i]));
            lines.extend([
                format!("{a}: +{wins} ={draws} -{losses}   as first {first}   as second {second}"),
                format!("score {score:.1}%, 95% interval [{low:.1}, {high:.1}]"),
                format!("elo {}", interval(elo)),
                format!("normalized elo {}", interval(normalized)),
                format!("likelihood of superiority {superiority:.3}"),
                format!("pairs LL LD DD WD WW {:?}", self.counts.0),
                format!("plies per game {:.1}", mean(self.plies, 2 * pairs)),
                format!("nodes per move {a} {nodes_a:.0}, {b} {nodes_b:.0}{}", self.format_times()),
            ]);
        }
        if let Some(Sprt { elo0, elo1 }) = self.sprt {
            let llr = self.llr.unwrap_or_default();
            lines.push(format!("sprt [{elo0}, {elo1}] llr {llr:.3} of 2.944, verdict {verdict}"));
        }
        if self.has_exhausted_openings() {
            lines.push("openings exhausted: further games would only repeat earlier ones".to_owned());
        }
        let [lost_a, lost_b] = self.faults.each_ref().map(format_fault_counts);
        lines.push(format!("duplicates {}, forfeits {a} {lost_a}, {b} {lost_b}\n", self.duplicates));
        lines.join("\n")
    }

    /// Formats the mean elapsed time and CPU time per move of both engines. Returns an empty string if they
    /// are unknown.
    fn format_times(&self) -> String {
        let [Some(a), Some(b)] = self.ms else { return String::new() };
        let mean = |sum: f64, i: usize| sum / count_to_f64(self.moves[i].max(1));
        let each = [(0, a), (1, b)].map(|(i, ms)| {
            let used = self.cpu_ms[i].map(|ms| format!(" (CPU {:.2} ms)", mean(ms, i)));
            format!("{} {:.2} ms{}", self.names[i], mean(ms, i), used.unwrap_or_default())
        });
        format!(", time {}", each.join(", "))
    }
}

/// Formats the number of forfeits by reason, such as `0` or `3 (crash 2, hang 1)`.
fn format_fault_counts(faults: &BTreeMap<ForfeitReason, u64>) -> String {
    let each: Vec<String> =
        faults.iter().map(|(reason, count)| format!("{} {count}", reason.name())).collect();
    let all: u64 = faults.values().sum();
    if all == 0 { "0".to_owned() } else { format!("{all} ({})", each.join(", ")) }
}

/// Results of the engines of a match or tournament.
#[derive(Clone, Debug)]
pub struct TournamentReport {
    pub(in crate::arena) names: Vec<String>,
    seed: u64,
    /// Index of the engine with a fixed rating, and that rating in Elo.
    anchor: Option<(usize, f64)>,
    /// Pairings, as engine indices, and their results.
    pub(in crate::arena) meetings: Vec<([usize; 2], MatchReport)>,
}

/// Report of a tournament as JSON. Non-finite numbers are null.
#[derive(Serialize)]
struct TournamentJson<'a> {
    engines: &'a [String],
    meetings: Vec<&'a MatchReport>,
    ratings: Vec<RatingJson<'a>>,
}

/// Rating of an engine as JSON.
#[derive(Serialize)]
struct RatingJson<'a> {
    engine: &'a str,
    #[serde(flatten)]
    elo: IntervalEstimate,
}

impl TournamentReport {
    /// Creates an empty report for the engines in a header. Returns `None` if their number is invalid.
    pub(in crate::arena) fn from_header(header: &GamesFileHeader) -> Option<Self> {
        let names: Vec<String> = header.engines.iter().map(|engine| engine.name.clone()).collect();
        let is_possible = (2..=MAX_TOURNAMENT_ENGINES).contains(&names.len());
        is_possible.then(|| TournamentReport::new(names, header.gauntlet, header.sprt(), header.seed))
    }

    /// Creates an empty report for engines with these names.
    pub(in crate::arena) fn new(
        names: Vec<String>,
        is_gauntlet: bool,
        sprt: Option<Sprt>,
        seed: u64,
    ) -> Self {
        let meetings = list_pairings(names.len(), is_gauntlet).into_iter().map(|who| {
            let names = who.map(|i| names[i].clone());
            (who, MatchReport { names, sprt, verdict: UNDECIDED_VERDICT, ..MatchReport::default() })
        });
        TournamentReport { meetings: meetings.collect(), names, seed, anchor: None }
    }

    /// Merges several reports and treats engines with the same name as one. Also returns, for each report,
    /// the new indices of its engines.
    pub(in crate::arena) fn merge(reports: Vec<TournamentReport>) -> (Self, Vec<Vec<usize>>) {
        let seed = reports.first().map_or(0, |report| report.seed);
        let mut whole = TournamentReport { names: Vec::new(), seed, anchor: None, meetings: Vec::new() };
        let mut numbers = Vec::new();
        for report in reports {
            let number = |name: String| {
                let known = whole.names.iter().position(|own| *own == name);
                known.unwrap_or_else(|| {
                    whole.names.push(name);
                    whole.names.len() - 1
                })
            };
            let own: Vec<usize> = report.names.into_iter().map(number).collect();
            let meetings = report.meetings.into_iter();
            whole.meetings.extend(meetings.map(|(who, meeting)| (who.map(|engine| own[engine]), meeting)));
            numbers.push(own);
        }
        (whole, numbers)
    }

    /// Returns the report with the rating of one engine fixed at `elo`.
    ///
    /// # Errors
    /// Returns an error that lists the engine names if there is none with this name.
    pub fn with_anchor(self, name: &str, elo: f64) -> Result<Self, NoSuchEngine> {
        let anchor = NoSuchEngine::find_index(name, &self.names)?;
        Ok(TournamentReport { anchor: Some((anchor, elo)), ..self })
    }

    /// Counts a pair and describes it in one line. Returns `None` for a duplicate pair.
    pub(in crate::arena) fn count_pair(&mut self, pair: &[ArenaGame; 2]) -> Option<String> {
        let is_match = self.meetings.len() == 1;
        let who = pair[0].engines;
        let (_, report) = self.meetings.iter_mut().find(|(meeting, _)| *meeting == who)?;
        let points = report.count_pair(pair)?;
        let [name, other] = &report.names;
        let opening = pair[0].to_opening();
        let opening = if opening.is_empty() { "none".to_owned() } else { opening.to_string() };
        let against = if is_match { String::new() } else { format!(" vs {other}") };
        Some(format!("pair {}: {name} {points:.1} of 2{against}, opening {opening}", pair[0].unit))
    }

    /// Reports whether every pairing has a verdict or has exhausted its openings.
    pub(in crate::arena) fn is_decided(&self) -> bool {
        self.meetings
            .iter()
            .all(|(_, report)| report.has_exhausted_openings() || report.verdict != UNDECIDED_VERDICT)
    }

    /// Returns the number of forfeited games.
    #[must_use]
    pub fn forfeit_count(&self) -> u64 {
        self.meetings.iter().flat_map(|(_, report)| report.forfeits).sum()
    }

    /// Returns the engine indices with their ratings, strongest first.
    fn ratings(&self) -> Vec<(usize, IntervalEstimate)> {
        let met: Vec<rating::PairingResult> =
            self.meetings.iter().map(|(who, report)| (*who, report.counts)).collect();
        let anchor = self.anchor.map(|(engine, _)| engine);
        let all = rating::estimate_ratings(self.names.len(), &met, anchor, self.seed);
        let shift = self.anchor.map_or(0.0, |(_, elo)| elo);
        let moved = |e: IntervalEstimate| IntervalEstimate {
            value: e.value + shift,
            low: e.low + shift,
            high: e.high + shift,
        };
        let mut all: Vec<(usize, IntervalEstimate)> = all.into_iter().map(moved).enumerate().collect();
        all.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        all
    }

    /// Formats the report as lines of text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let matches: Vec<String> = self.meetings.iter().map(|(_, report)| report.to_text()).collect();
        let mut text = matches.join("\n");
        if self.meetings.len() > 1 {
            let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
            text += "\nratings, 95% intervals\n";
            let line = |(engine, IntervalEstimate { value, low, high }): (usize, IntervalEstimate)| {
                let (name, [wins, draws, losses]) = (&self.names[engine], self.total_results_of(engine));
                if wins + draws + losses == 0 {
                    return format!("{name:width$}  no games\n");
                }
                format!("{name:width$}  {value:+7.1} [{low:+.1}, {high:+.1}]  +{wins} ={draws} -{losses}\n")
            };
            text.extend(self.ratings().into_iter().map(line));
        }
        text
    }

    /// Returns the wins, draws and losses of an engine over all its games.
    fn total_results_of(&self, engine: usize) -> [u64; 3] {
        let met = (0..self.names.len()).filter_map(|other| self.head_to_head_results(engine, other));
        met.reduce(|sum, more| array::from_fn(|i| sum[i] + more[i])).unwrap_or_default()
    }

    /// Returns the report as a JSON object.
    pub(crate) fn to_json_fields(&self) -> Map<String, Value> {
        if let [(_, report)] = &self.meetings[..] {
            return jobs::to_json_fields(report);
        }
        let rating =
            |(engine, elo): (usize, IntervalEstimate)| RatingJson { engine: &self.names[engine], elo };
        jobs::to_json_fields(&TournamentJson {
            engines: &self.names,
            meetings: self.meetings.iter().map(|(_, report)| report).collect(),
            ratings: self.ratings().into_iter().map(rating).collect(),
        })
    }

    /// Returns the indices of the engines that play First and Second in the first game of a unit.
    pub(in crate::arena) fn pairing_of_unit(&self, unit: u64) -> [usize; 2] {
        let place = unit % self.meetings.len() as u64;
        self.meetings[usize::try_from(place).expect("one of them")].0
    }

    /// Reports whether a pair has been counted.
    pub(crate) fn has_counted_pairs(&self) -> bool {
        self.meetings.iter().any(|(_, meeting)| !meeting.course.is_empty())
    }

    /// Returns the engine names with their ratings, strongest first. Engines without games have no rating.
    pub(in crate::arena) fn named_ratings(&self) -> Vec<(String, Option<IntervalEstimate>)> {
        let rated = self.ratings().into_iter().map(|(engine, elo)| {
            let has_played = self.total_results_of(engine).iter().sum::<u64>() > 0;
            (self.names[engine].clone(), has_played.then_some(elo))
        });
        rated.collect()
    }

    /// Returns the engine indices, strongest first.
    pub(in crate::arena) fn ranked_engines(&self) -> Vec<usize> {
        self.ratings().into_iter().map(|(engine, _)| engine).collect()
    }

    /// Returns the wins, draws and losses of one engine against another, or `None` if they are not paired.
    pub(in crate::arena) fn head_to_head_results(&self, own: usize, other: usize) -> Option<[u64; 3]> {
        let met = self.meetings.iter().filter_map(|([a, b], report)| {
            let MatchReport { wins, draws, losses, .. } = *report;
            match () {
                () if [own, other] == [*a, *b] => Some([wins, draws, losses]),
                () if [other, own] == [*a, *b] => Some([losses, draws, wins]),
                () => None,
            }
        });
        met.reduce(|sum, more| array::from_fn(|i| sum[i] + more[i]))
    }

    /// Builds the report of the games of a file with this header. Returns `None` if the header is invalid.
    pub(in crate::arena) fn from_games(header: &GamesFileHeader, mut games: GamesByUnit) -> Option<Self> {
        let mut report = TournamentReport::from_header(header)?;
        let units: BTreeSet<u64> = games.keys().map(|(unit, _)| *unit).collect();
        for unit in units {
            if let Some(pair) = take_game_pair(&mut games, unit) {
                report.count_pair(&pair);
            }
            if report.is_decided() {
                break;
            }
        }
        Some(report)
    }
}
