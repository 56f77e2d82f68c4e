//! Openings of matches: a balanced one costs searches, so a match draws each of them once for both games of a pair (a game
//! of the tests counts the engines that judge openings); a file holds lines of moves or games.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use crosspath::ai::minimax::FullWidth;
use crosspath::ai::{EngineKind, Engines, GameEngines, LevelSpec, Limits, ScoreUnit};
use crosspath::arena::jobs::ArenaJob;
use crosspath::arena::matches::{MatchPlan, Records};
use crosspath::canvas::{Canvas, Paint, PaintOptions};
use crosspath::drawing::{Scene, Tiling};
use crosspath::game::{
    About, BoardConfig, Describe, Game, Notation, Numbers, Outcome, Refusal, Setting, Side, Sizes, View,
};
use crosspath::record::{Hint, NodeId, load};
use crosspath::registry::{Entry, Variant};
use crosspath::text::{SideName, Text};

use crate::support::{crosspath, folder, run_on};

static ENTRIES: [Entry; 1] = [Entry::of::<Numbered>(|| GAMES)];
static GAMES: &[Entry] = &ENTRIES;

/// Number of engines that were built to evaluate an opening.
static JUDGES: AtomicU32 = AtomicU32::new(0);

/// Game in which both sides name numbers from 1 to 9. After ten of them it is a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Numbered(Vec<u8>);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("it cannot be said")]
struct NotANumber;

impl Describe for Numbered {
    const ABOUT: &'static About = &About {
        name: "numbers",
        aliases: &[],
        title: "Numbers",
        short: "numbers",
        settings: &[Setting::size(Sizes { least: 3, most: 3, step: 1, default: 3, studies: None })],
        opening_plies: |_| 0,
        won_by: "nothing",
        numbers: Numbers::Nothing,
        example: "a file with the moves",
        lessons: &[],
        bench: "",
    };

    fn set_up(_: &BoardConfig) -> Self {
        Numbered(Vec::new())
    }
}

impl Engines for Numbered {
    fn game_engines() -> GameEngines<Self> {
        let scale = ScoreUnit { odds: Some(1.0), ..ScoreUnit::PLAIN };
        let limits = Limits::default();
        let player = LevelSpec {
            level: EngineKind::Level(1),
            about: "Plays.",
            limits,
            build: |_, config| Ok(Box::new(FullWidth::new(1, config))),
            scale,
        };
        let judge = LevelSpec {
            level: EngineKind::Level(2),
            about: "Judges openings.",
            limits,
            build: |_, config| {
                JUDGES.fetch_add(1, Ordering::SeqCst);
                Ok(Box::new(FullWidth::new(1, config)))
            },
            scale,
        };
        GameEngines::of(vec![player, judge])
    }
}

impl Game for Numbered {
    type Move = u8;
    type Undo = ();
    type Refusal = NotANumber;

    fn to_move(&self) -> Side {
        if self.0.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.0.len() == 10).then_some(Outcome::Draw)
    }

    fn moves(&self, out: &mut Vec<u8>) {
        if self.outcome().is_none() {
            out.extend(1..=9);
        }
    }

    fn make(&mut self, mv: u8) {
        self.0.push(mv);
    }

    fn unmake(&mut self, _: u8, (): ()) {
        self.0.pop();
    }

    fn key(&self) -> u64 {
        self.0.iter().fold(0, |key, &mv| 10 * key + u64::from(mv))
    }

    fn check(&self, mv: u8) -> Result<(), NotANumber> {
        if self.outcome().is_none() && (1..=9).contains(&mv) { Ok(()) } else { Err(NotANumber) }
    }
}

impl Notation for Numbered {
    fn show(&self, mv: u8) -> String {
        mv.to_string()
    }

    fn parse(&self, text: &str) -> Result<u8, Refusal> {
        text.parse().map_err(|_| Refusal::not_understood(text, "a number"))
    }

    fn explain(&self, mv: u8, _: &NotANumber, _: &[u8]) -> Refusal {
        Refusal::not_understood(&mv.to_string(), "a number")
    }
}

impl View for Numbered {
    fn title(&self) -> String {
        "Numbers".to_owned()
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["Ann", "Ben"][side.index()])
    }

    fn aim(&self, _: Side) -> String {
        String::new()
    }

    fn sample(&self) -> String {
        "5".to_owned()
    }

    fn typing(&self) -> String {
        "a number".to_owned()
    }

    fn rules(&self) -> Vec<Text> {
        Vec::new()
    }

    fn ending(&self) -> Option<Text> {
        None
    }

    fn pieces(&self, _: Side) -> Vec<String> {
        Vec::new()
    }

    fn facts(&self) -> Vec<Text> {
        Vec::new()
    }
}

impl Paint for Numbered {
    fn board_sizes(&self) -> Vec<(usize, usize)> {
        vec![(1, 1)]
    }

    fn paint(&self, _: &PaintOptions<'_>) -> Canvas {
        Canvas::new(1, 1)
    }

    fn scene(&self, _: &PaintOptions<'_>) -> Scene {
        Scene::new(Tiling::Squares { columns: 1, rows: 1, has_slots: false })
    }
}

/// Returns the number of engines that evaluated openings during `work`.
fn judges(work: impl FnOnce()) -> u32 {
    JUDGES.store(0, Ordering::SeqCst);
    work();
    JUDGES.load(Ordering::SeqCst)
}

#[test]
fn a_balanced_opening_is_drawn_once_for_both_games_of_a_pair() {
    let engines = ["a=level:1", "b=level:1"].map(str::to_owned);
    let plan = MatchPlan::new(&GAMES[0], &Variant::default(), &engines, Some("balanced:3")).unwrap();
    let plan = MatchPlan { pairs: 6, threads: 2, ..plan };
    // Every position is even, so one engine judges each opening that is drawn.
    assert_eq!(judges(|| plan.check().unwrap()), 1);
    let run = |records| {
        let mut pairs = 0;
        let (_, done) = plan.run(records, &mut |_| {
            pairs += 1;
            Ok(())
        });
        done.unwrap();
        assert_eq!(pairs, 6);
    };
    assert_eq!(judges(|| run(None)), 6);
    let job = ArenaJob::read(GAMES, plan.job().unwrap().as_bytes()).unwrap();
    assert_eq!(judges(|| drop(job.shard(0, 1, 2).unwrap())), 6);
    // A pair whose games are in the file needs no opening; one that lacks its second game needs it once more.
    let folder = folder();
    let path = folder.path().join("games");
    let records = |resumes| Some(Records::open(&path, &plan, resumes).unwrap());
    assert_eq!(judges(|| run(records(false))), 6);
    let text = std::fs::read_to_string(&path).unwrap();
    let lacks = |line: &&str| !line.contains("\"unit\":4,\"game\":1");
    let lines: Vec<&str> = text.lines().filter(lacks).collect();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    assert_eq!(judges(|| run(records(true))), 1);
}

#[test]
fn each_game_of_a_file_is_an_opening_of_a_match() {
    let folder = folder();
    let openings = |name: &str, text: &str| {
        let [from, to] = [name, "out.txt"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
        fs::write(&from, text).unwrap();
        let board = ["arena", "--game", "hex", "--size", "5", "--force", "--pairs", "1", "--openings", &from];
        let run = run_on(crosspath(&[&board[..], &["--write-openings", &to]].concat()), "");
        (run.code, run.err, fs::read_to_string(&to).unwrap_or_default())
    };
    let sgf = "(;GM[11]SZ[5];B[b2];W[c3])\n(;GM[11]SZ[5];B[d4])\n";
    for (name, text) in [("two.sgf", sgf), ("two.txt", "#5c1,b2c3\n#5c1,d4\n")] {
        let (code, err, list) = openings(name, text);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{name}");
        assert_eq!(list.lines().skip(1).collect::<Vec<_>>(), ["b2 c3", "d4"], "{name}");
    }
    let other = openings("six.txt", "#5c1,b2\n#6c1,d4\n");
    assert!(other.1.contains("six.txt: game 2: it is a game of Hex 6x6"), "{}", other.1);
    let taken = openings("taken.sgf", "(;GM[11]SZ[5];B[b2];W[b2])");
    assert!(taken.0 == Some(2) && taken.1.contains("taken.sgf: game 1: line 1: "), "{}", taken.1);
}

#[test]
fn an_opening_may_begin_from_a_position() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [set_up, list, games, page] = ["set.sgf", "list.txt", "games.jsonl", "page.html"].map(path);
    fs::write(&set_up, "(;GM[11]SZ[5]AB[a1]AW[b4]PL[W];W[b2])\n(;GM[11]SZ[5]AB[c3]PL[W])\n").unwrap();
    let arena = |more: &[&str]| {
        let board = ["arena", "--game", "hex", "--size", "5", "--seed", "4", "--openings"];
        let run = run_on(crosspath(&[&board[..], more].concat()), "");
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out
    };
    arena(&[&set_up, "--write-openings", &list]);
    let text = fs::read_to_string(&list).unwrap();
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), ["a1 / b4 / 2 / 5: b2", "c3 / - / 2 / 5:"]);
    // The list is read as the file was, and a match that is played from it tells where each game began.
    let out =
        arena(&[&list, "--pairs", "2", "--engine", "a=level:1", "--engine", "b=level:2", "--out", &games]);
    assert!(
        out.contains("opening c3 / - / 2 / 5:\n") && out.contains("opening a1 / b4 / 2 / 5: b2\n"),
        "{out}"
    );
    let bytes = fs::read(&games).unwrap();
    for number in 1..=4 {
        let hint = Hint { number: Some(number), ..Hint::default() };
        let game = load(&bytes, &hint).unwrap();
        assert!(game.fault.is_none() && game.start.setup.is_some());
        let start = game.tree.position(NodeId::ROOT);
        assert_eq!(start.to_move(), Side::Second);
        assert_eq!(start.view().pieces(Side::First).len(), 1);
        assert!(game.tree.position(game.end).outcome().is_some());
    }
    let report = run_on(crosspath(&["arena", "--report", &games, "--html", &page]), "");
    assert_eq!(report.code, Some(0), "{}", report.err);
    assert!(fs::read_to_string(&page).unwrap().contains("data-opening=\"c3 / - / 2 / 5:\""));
    let selfplay = run_on(
        crosspath(&[
            "selfplay",
            "--game",
            "hex",
            "--size",
            "5",
            "--openings",
            &list,
            "--games",
            "1",
            "--out",
            &path("s"),
        ]),
        "",
    );
    assert!(selfplay.err.contains("games of selfplay begin on the empty board"), "{}", selfplay.err);
}
