//! What is told about a match between engines, in lines and as JSON. Knows games by their results only.

use serde_json::json;

use crate::arena::Played;
use crate::arena::sprt::{Sprt, Verdict};
use crate::arena::stats::{Estimate, PairCounts, float};
use crate::game::{Outcome, Side};

/// A finished match.
#[derive(Clone, Debug, Default)]
pub struct MatchReport {
    pub(super) names: [String; 2],
    pub(super) counts: PairCounts,
    /// Wins, draws and losses of the first engine, with First and with Second.
    pub(super) by_seat: [[u64; 3]; 2],
    pub(super) forfeits: [u64; 2],
    pub(super) duplicates: u64,
    pub(super) plies: u64,
    pub(super) nodes: [u64; 2],
    pub(super) moves: [u64; 2],
    pub(super) sprt: Option<Sprt>,
    pub(super) verdict: Option<Verdict>,
    pub(super) is_exhausted: bool,
}

impl MatchReport {
    /// Counts a pair; gives the points of the first engine.
    pub(super) fn count(&mut self, games: &[Played; 2]) -> f64 {
        let mut halves: u8 = 0;
        for (game, own) in games.iter().zip(Side::BOTH) {
            let place = match game.outcome {
                Outcome::Win(side) if side == own => 0,
                Outcome::Draw => 1,
                Outcome::Win(_) => 2,
            };
            self.by_seat[own.index()][place] += 1;
            halves += 2 - u8::try_from(place).expect("one of three");
            if let Some(side) = game.forfeit {
                self.forfeits[usize::from(side != own)] += 1;
            }
            self.plies += game.moves.len() as u64;
            for engine in 0..2 {
                self.nodes[engine] += game.nodes[engine];
                self.moves[engine] += game.counts[engine];
            }
        }
        self.counts.0[usize::from(halves)] += 1;
        f64::from(halves) / 2.0
    }

    /// Games lost by an illegal move or a crash.
    #[must_use]
    pub fn forfeits(&self) -> u64 {
        self.forfeits.iter().sum()
    }

    /// Wins, draws and losses of the first engine over all games.
    #[must_use]
    pub fn results(&self) -> [u64; 3] {
        std::array::from_fn(|i| self.by_seat[0][i] + self.by_seat[1][i])
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
        let mut lines = vec![format!("{a} against {b}: {} games in {pairs} {unit}", 2 * pairs)];
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
                format!("score {score:.1} %, 95 % interval [{low:.1}, {high:.1}]"),
                format!("elo {}", interval(self.counts.elo())),
                format!("normalized elo {}", interval(self.counts.normalized_elo())),
                format!("likelihood of superiority {:.3}", self.counts.likelihood_of_superiority()),
                format!("pairs LL LD DD WD WW {:?}", self.counts.0),
                format!("plies a game {:.1}", mean(self.plies, 2 * pairs)),
                format!("nodes a move {a} {nodes_a:.0}, {b} {nodes_b:.0}"),
            ]);
        }
        if let Some(sprt @ Sprt { elo0, elo1 }) = self.sprt {
            let llr = if pairs > 0 { sprt.llr(&self.counts) } else { 0.0 };
            let verdict = self.verdict_in_words();
            lines.push(format!("sprt [{elo0}, {elo1}] llr {llr:.3} of 2.944, verdict {verdict}"));
        }
        if self.is_exhausted {
            lines.push("openings exhausted: these engines play no other games".to_owned());
        }
        let [lost_a, lost_b] = self.forfeits;
        lines.push(format!("duplicates {}, forfeits {a} {lost_a}, {b} {lost_b}\n", self.duplicates));
        lines.join("\n")
    }

    /// The report as one JSON object on one line; what is not finite is null.
    pub(crate) fn in_json(&self) -> String {
        let [wins, draws, losses] = self.results();
        let estimate = |e: Estimate| json!({"value": e.value, "low": e.low, "high": e.high});
        let some = self.counts.pairs() > 0;
        let report = json!({
            "engines": self.names,
            "pairs": self.counts.pairs(),
            "wins": wins, "draws": draws, "losses": losses,
            "counts": self.counts.0,
            "score": some.then(|| estimate(self.counts.score())),
            "elo": some.then(|| estimate(self.counts.elo())),
            "nelo": some.then(|| estimate(self.counts.normalized_elo())),
            "los": some.then(|| self.counts.likelihood_of_superiority()),
            "llr": self.sprt.filter(|_| some).map(|sprt| sprt.llr(&self.counts)),
            "verdict": self.verdict_in_words(),
            "duplicates": self.duplicates,
            "forfeits": self.forfeits,
        });
        format!("{report}\n")
    }
}
