//! What is told about matches between engines, in lines and as JSON. Knows games by their results only.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::game_record::{ByNumber, GameRecord, taken};
use super::plan::{MAX_ENGINES, NoSuchEngine, meetings};
use crate::arena::stats::sprt::{Sprt, Verdict};
use crate::arena::stats::{Estimate, PairCounts, float, rating};
use crate::game::Side;
use crate::session::ForfeitReason;

/// So many repeated pairs in a row show that there are no other games to play.
const MAX_DUPLICATES: u32 = 20;

/// What two engines have played with each other.
#[derive(Clone, Debug, Default)]
pub struct MatchReport {
    names: [String; 2],
    counts: PairCounts,
    /// What was counted after each pair.
    course: Vec<PairCounts>,
    /// Wins, draws and losses of the first engine, with First and with Second.
    by_seat: [[u64; 3]; 2],
    forfeits: [BTreeMap<ForfeitReason, u64>; 2],
    duplicates: u64,
    plies: u64,
    nodes: [u64; 2],
    moves: [u64; 2],
    time: [Option<Duration>; 2],
    cpu_time: [Option<Duration>; 2],
    sprt: Option<Sprt>,
    verdict: Option<Verdict>,
    /// Duplicates since the last other pair, and the pairs that are known.
    repeated: u32,
    known: BTreeSet<[(Vec<String>, Vec<String>); 2]>,
}

impl MatchReport {
    /// Counts a pair, the first of the engines having First in its first game; gives the points of that engine, or nothing if
    /// the same games are known.
    fn count(&mut self, pair: &[GameRecord; 2]) -> Option<f64> {
        self.count_costs(pair);
        let moves = pair.each_ref().map(|game| (game.opening.clone(), game.moves.clone()));
        if !self.known.insert(moves) {
            self.duplicates += 1;
            self.repeated += 1;
            return None;
        }
        self.repeated = 0;
        let mut halves = 0;
        for (game, own) in pair.iter().zip(Side::BOTH) {
            self.by_seat[own.index()][2 - usize::from(game.halves(own))] += 1;
            halves += game.halves(own);
            self.plies += (game.opening.len() + game.moves.len()) as u64;
        }
        self.counts.0[usize::from(halves)] += 1;
        self.course.push(self.counts);
        self.verdict = self.sprt.and_then(|sprt| sprt.verdict(&self.counts));
        Some(f64::from(halves) / 2.0)
    }

    /// Counts what a pair has cost, and faults; those of a repeated pair too.
    fn count_costs(&mut self, pair: &[GameRecord; 2]) {
        for (game, own) in pair.iter().zip(Side::BOTH) {
            for (engine, side) in [own, own.other()].into_iter().enumerate() {
                let cost = game.costs[side];
                self.nodes[engine] = self.nodes[engine].saturating_add(cost.nodes);
                self.moves[engine] += game.moves_of(side);
                for (sum, time) in
                    [(&mut self.time[engine], cost.time), (&mut self.cpu_time[engine], cost.cpu_time)]
                {
                    *sum = time.map(|time| sum.unwrap_or_default().saturating_add(time)).or(*sum);
                }
                if let Some((_, forfeit)) = game.forfeit.as_ref().filter(|(at_fault, _)| *at_fault == side) {
                    *self.forfeits[engine].entry(forfeit.reason).or_default() += 1;
                }
            }
        }
    }

    /// Whether nothing new can come of it.
    fn is_exhausted(&self) -> bool {
        self.repeated > MAX_DUPLICATES
    }

    /// Games that were lost by faults.
    #[must_use]
    pub fn forfeits(&self) -> u64 {
        self.forfeits.iter().flat_map(BTreeMap::values).sum()
    }

    /// Wins, draws and losses of the first engine over all games.
    #[must_use]
    pub fn results(&self) -> [u64; 3] {
        std::array::from_fn(|i| self.by_seat[0][i] + self.by_seat[1][i])
    }

    /// The two engines.
    pub(in crate::arena) fn names(&self) -> &[String; 2] {
        &self.names
    }

    /// What was counted after each pair.
    pub(in crate::arena) fn course(&self) -> &[PairCounts] {
        &self.course
    }

    fn verdict_in_words(&self) -> &'static str {
        self.verdict.map_or("none", |verdict| if verdict == Verdict::H0 { "H0" } else { "H1" })
    }

    /// The report in lines.
    #[must_use]
    pub fn in_words(&self) -> String {
        let [a, b] = &self.names;
        let [wins, draws, losses] = self.results();
        let pairs = self.counts.pairs();
        let unit = if pairs == 1 { "pair" } else { "pairs" };
        let mut lines = vec![format!("{a} vs {b}: {} games in {pairs} {unit}", 2 * pairs)];
        if pairs > 0 {
            let [first, second] =
                self.by_seat.map(|[wins, draws, losses]| format!("+{wins} ={draws} -{losses}"));
            let score = self.counts.score();
            let [score, low, high] = [score.value, score.low, score.high].map(|share| 100.0 * share);
            let interval = |e: Estimate| format!("{:+.1} [{:+.1}, {:+.1}]", e.value, e.low, e.high);
            let mean = |sum: u64, of: u64| float(sum) / float(of.max(1));
            let [nodes_a, nodes_b] = [0, 1].map(|i| mean(self.nodes[i], self.moves[i]));
            lines.extend([
                format!("{a}: +{wins} ={draws} -{losses}   as first {first}   as second {second}"),
                format!("score {score:.1}%, 95% interval [{low:.1}, {high:.1}]"),
                format!("elo {}", interval(self.counts.elo())),
                format!("normalized elo {}", interval(self.counts.normalized_elo())),
                format!("likelihood of superiority {:.3}", self.counts.likelihood_of_superiority()),
                format!("pairs LL LD DD WD WW {:?}", self.counts.0),
                format!("plies per game {:.1}", mean(self.plies, 2 * pairs)),
                format!("nodes per move {a} {nodes_a:.0}, {b} {nodes_b:.0}{}", self.times()),
            ]);
        }
        if let Some(sprt @ Sprt { elo0, elo1 }) = self.sprt {
            let llr = if pairs > 0 { sprt.llr(&self.counts) } else { 0.0 };
            let verdict = self.verdict_in_words();
            lines.push(format!("sprt [{elo0}, {elo1}] llr {llr:.3} of 2.944, verdict {verdict}"));
        }
        if self.is_exhausted() {
            lines.push("openings exhausted: further games would only repeat earlier ones".to_owned());
        }
        let [lost_a, lost_b] = self.forfeits.each_ref().map(faults);
        lines.push(format!("duplicates {}, forfeits {a} {lost_a}, {b} {lost_b}\n", self.duplicates));
        lines.join("\n")
    }

    /// The time that a move of each has taken, and the processor time, where they are known.
    fn times(&self) -> String {
        let [Some(a), Some(b)] = self.time else { return String::new() };
        let mean = |sum: Duration, i: usize| 1000.0 * sum.as_secs_f64() / float(self.moves[i].max(1));
        let each = [(0, a), (1, b)].map(|(i, time)| {
            let used = self.cpu_time[i].map(|time| format!(" (CPU {:.2} ms)", mean(time, i)));
            format!("{} {:.2} ms{}", self.names[i], mean(time, i), used.unwrap_or_default())
        });
        format!(", time {}", each.join(", "))
    }

    /// The report as JSON; what is not finite is null.
    fn to_json(&self) -> Value {
        let [wins, draws, losses] = self.results();
        let estimate = |e: Estimate| json!({"value": e.value, "low": e.low, "high": e.high});
        let some = self.counts.pairs() > 0;
        let count = |faults: &BTreeMap<ForfeitReason, u64>| faults.values().sum::<u64>();
        let reasons = |faults: &BTreeMap<ForfeitReason, u64>| {
            faults
                .iter()
                .map(|(reason, &count)| (reason.name().to_owned(), Value::from(count)))
                .collect::<Value>()
        };
        let ms = |time: Duration| 1000.0 * time.as_secs_f64();
        json!({
            "engines": self.names,
            "pairs": self.counts.pairs(),
            "wins": wins, "draws": draws, "losses": losses,
            "seats": self.by_seat,
            "counts": self.counts.0,
            "score": some.then(|| estimate(self.counts.score())),
            "elo": some.then(|| estimate(self.counts.elo())),
            "nelo": some.then(|| estimate(self.counts.normalized_elo())),
            "los": some.then(|| self.counts.likelihood_of_superiority()),
            "llr": self.sprt.filter(|_| some).map(|sprt| sprt.llr(&self.counts)),
            "verdict": self.verdict_in_words(),
            "duplicates": self.duplicates,
            "forfeits": self.forfeits.each_ref().map(count),
            "faults": self.forfeits.each_ref().map(reasons),
            "plies": self.plies, "nodes": self.nodes, "moves": self.moves,
            "ms": self.time.map(|time| time.map(ms)), "cpu_ms": self.cpu_time.map(|time| time.map(ms)),
        })
    }
}

/// Faults in words: `0`, or `3 (crash 2, hang 1)`.
fn faults(faults: &BTreeMap<ForfeitReason, u64>) -> String {
    let each: Vec<String> =
        faults.iter().map(|(reason, count)| format!("{} {count}", reason.name())).collect();
    let all: u64 = faults.values().sum();
    if all == 0 { "0".to_owned() } else { format!("{all} ({})", each.join(", ")) }
}

/// What the engines of a match or tournament have played.
#[derive(Clone, Debug)]
pub struct Report {
    names: Vec<String>,
    seed: u64,
    /// The engine whose rating is given, and what it is.
    anchor: Option<(usize, f64)>,
    meetings: Vec<([usize; 2], MatchReport)>,
}

impl Report {
    /// A report of no games yet, as the header of a file of records or of a shard announces them; `None` if it does not.
    pub(in crate::arena) fn announced<'a>(header: impl Fn(&str) -> &'a Value) -> Option<Self> {
        let name = |engine: &Value| engine["name"].as_str().map(str::to_owned);
        let names: Vec<String> = header("engines").as_array()?.iter().map(name).collect::<Option<_>>()?;
        let bounds = Sprt::announced(header("sprt"));
        let seed = header("seed").as_str().and_then(|seed| seed.parse().ok()).unwrap_or_default();
        let is_possible = (2..=MAX_ENGINES).contains(&names.len());
        is_possible.then(|| Report::new(names, header("gauntlet") == true, bounds, seed))
    }

    pub(in crate::arena) fn new(
        names: Vec<String>,
        is_gauntlet: bool,
        sprt: Option<Sprt>,
        seed: u64,
    ) -> Self {
        let meetings = meetings(names.len(), is_gauntlet).into_iter().map(|who| {
            let names = who.map(|i| names[i].clone());
            (who, MatchReport { names, sprt, ..MatchReport::default() })
        });
        Report { meetings: meetings.collect(), names, seed, anchor: None }
    }

    /// Several reports as one, engines of one name being one engine; for each report the numbers of its engines in it.
    pub(in crate::arena) fn joined(reports: Vec<Report>) -> (Self, Vec<Vec<usize>>) {
        let seed = reports.first().map_or(0, |report| report.seed);
        let mut whole = Report { names: Vec::new(), seed, anchor: None, meetings: Vec::new() };
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

    /// The same with the rating of one engine given.
    ///
    /// # Errors
    /// Names the engines there are.
    pub fn anchored(self, name: &str, elo: f64) -> Result<Self, NoSuchEngine> {
        let anchor = NoSuchEngine::find(name, &self.names)?;
        Ok(Report { anchor: Some((anchor, elo)), ..self })
    }

    /// Counts a pair and says it in words; nothing if the same games are known.
    pub(in crate::arena) fn count(&mut self, pair: &[GameRecord; 2]) -> Option<String> {
        let is_match = self.meetings.len() == 1;
        let who = pair[0].engines;
        let (_, report) = self.meetings.iter_mut().find(|(meeting, _)| *meeting == who)?;
        let points = report.count(pair)?;
        let [name, other] = &report.names;
        let opening = &pair[0].opening;
        let opening = if opening.is_empty() { "none".to_owned() } else { opening.join(" ") };
        let against = if is_match { String::new() } else { format!(" vs {other}") };
        Some(format!("pair {}: {name} {points:.1} of 2{against}, opening {opening}", pair[0].unit))
    }

    /// Whether no further game can change anything.
    pub(in crate::arena) fn is_decided(&self) -> bool {
        self.meetings.iter().all(|(_, report)| report.is_exhausted() || report.verdict.is_some())
    }

    /// Games that were lost by faults.
    #[must_use]
    pub fn forfeits(&self) -> u64 {
        self.meetings.iter().map(|(_, report)| report.forfeits()).sum()
    }

    /// What each two have played with each other.
    pub fn meetings(&self) -> impl Iterator<Item = &MatchReport> {
        self.meetings.iter().map(|(_, report)| report)
    }

    /// The ratings of all, the strongest in front, by their numbers.
    fn ratings(&self) -> Vec<(usize, Estimate)> {
        let met: Vec<rating::Met> = self.meetings.iter().map(|(who, report)| (*who, report.counts)).collect();
        let anchor = self.anchor.map(|(engine, _)| engine);
        let all = rating::estimates(self.names.len(), &met, anchor, self.seed);
        let shift = self.anchor.map_or(0.0, |(_, elo)| elo);
        let moved =
            |e: Estimate| Estimate { value: e.value + shift, low: e.low + shift, high: e.high + shift };
        let mut all: Vec<(usize, Estimate)> = all.into_iter().map(moved).enumerate().collect();
        all.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
        all
    }

    /// The report in lines.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut text: String = self.meetings().map(MatchReport::in_words).collect::<Vec<_>>().join("\n");
        if self.meetings.len() > 1 {
            let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
            text += "\nratings, 95% intervals\n";
            let line = |(engine, Estimate { value, low, high }): (usize, Estimate)| {
                let (name, [wins, draws, losses]) = (&self.names[engine], self.results_of(engine));
                if wins + draws + losses == 0 {
                    return format!("{name:width$}  no games\n");
                }
                format!("{name:width$}  {value:+7.1} [{low:+.1}, {high:+.1}]  +{wins} ={draws} -{losses}\n")
            };
            text.extend(self.ratings().into_iter().map(line));
        }
        text
    }

    /// Wins, draws and losses of an engine over all its games.
    fn results_of(&self, engine: usize) -> [u64; 3] {
        let met = (0..self.names.len()).filter_map(|other| self.met(engine, other));
        met.reduce(|sum, more| std::array::from_fn(|i| sum[i] + more[i])).unwrap_or_default()
    }

    /// The report as one JSON object on one line; what is not finite is null.
    #[must_use]
    pub(crate) fn in_json(&self) -> String {
        format!("{}\n", Value::from(self.to_json()))
    }

    /// The report as an object; what is not finite is null.
    pub(in crate::arena) fn to_json(&self) -> Map<String, Value> {
        if let [(_, report)] = &self.meetings[..] {
            return object(report.to_json());
        }
        let rating = |(engine, e): (usize, Estimate)| json!({"engine": self.names[engine], "value": e.value, "low": e.low, "high": e.high});
        let meetings: Vec<Value> = self.meetings().map(MatchReport::to_json).collect();
        let ratings: Vec<Value> = self.ratings().into_iter().map(rating).collect();
        object(json!({"engines": self.names, "meetings": meetings, "ratings": ratings}))
    }

    /// Whom the engines of a pair with this number have to be, in its first game: First and Second.
    pub(in crate::arena) fn meeting_of(&self, unit: u64) -> [usize; 2] {
        let place = unit % self.meetings.len() as u64;
        self.meetings[usize::try_from(place).expect("one of them")].0
    }

    /// Whether a pair has been counted.
    pub(crate) fn has_pairs(&self) -> bool {
        self.meetings.iter().any(|(_, meeting)| !meeting.course.is_empty())
    }

    /// Whether more than two engines have met.
    pub(in crate::arena) fn is_tournament(&self) -> bool {
        self.names.len() > 2
    }

    /// The engines with their ratings, the strongest in front; without one who has played no game.
    pub(in crate::arena) fn rated(&self) -> Vec<(String, Option<Estimate>)> {
        let rated = self.ratings().into_iter().map(|(engine, elo)| {
            let has_played = self.results_of(engine).iter().sum::<u64>() > 0;
            (self.names[engine].clone(), has_played.then_some(elo))
        });
        rated.collect()
    }

    /// The engines by their numbers, the strongest in front.
    pub(in crate::arena) fn ranked(&self) -> Vec<usize> {
        self.ratings().into_iter().map(|(engine, _)| engine).collect()
    }

    /// Wins, draws and losses of an engine against another one; `None` if they do not meet.
    pub(in crate::arena) fn met(&self, own: usize, other: usize) -> Option<[u64; 3]> {
        let met = self.meetings.iter().filter_map(|([a, b], report)| {
            let [wins, draws, losses] = report.results();
            match () {
                () if [own, other] == [*a, *b] => Some([wins, draws, losses]),
                () if [other, own] == [*a, *b] => Some([losses, draws, wins]),
                () => None,
            }
        });
        met.reduce(|sum, more| std::array::from_fn(|i| sum[i] + more[i]))
    }

    /// The names of the engines.
    pub(in crate::arena) fn names(&self) -> &[String] {
        &self.names
    }
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(object) = value { object } else { Map::new() }
}

impl Report {
    /// The report of the games of a file with this header; `None` if that announces none.
    pub(in crate::arena) fn of_games(header: &Value, mut games: ByNumber) -> Option<Self> {
        let mut report = Report::announced(|key| &header[key])?;
        let units: BTreeSet<u64> = games.keys().map(|(unit, _)| *unit).collect();
        for unit in units {
            if let Some(pair) = taken(&mut games, unit) {
                report.count(&pair);
            }
            if report.is_decided() {
                break;
            }
        }
        Some(report)
    }
}
