//! Openings of matches. A balanced opening costs searches, so a match draws it once for both games of a
//! pair; a test game counts the engines that evaluate openings. A file holds lines of moves or games.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use crosspath::ai::minimax::MinimaxEngine;
use crosspath::ai::{EngineKind, GameEngines, HasEngines, LevelSpec, Limits, ScoreUnit};
use crosspath::arena::jobs::ArenaJob;
use crosspath::arena::matches::{GamesFileWriter, MatchPlan};
use crosspath::canvas::{Canvas, PaintBoard, PaintOptions};
use crosspath::drawing::{Scene, Tiling};
use crosspath::game::{
    BoardConfig, BoardSizes, Game, GameDefinition, GameInfo, GameSetting, Notation, NumberMeaning, Outcome,
    PositionDescription, Refusal, Side,
};
use crosspath::record::{NodeId, RecordReadOptions, load_game};
use crosspath::registry::{RegisteredGame, Variant};
use crosspath::text::{SideName, Text};

use crate::support::{crosspath, folder, run_on};

static ENTRIES: [RegisteredGame; 1] = [RegisteredGame::for_game::<Numbered>(|| GAMES)];
static GAMES: &[RegisteredGame] = &ENTRIES;

/// Number of engines that have been built to evaluate an opening.
static EVALUATING_ENGINES: AtomicU32 = AtomicU32::new(0);

/// Game in which both sides name numbers from 1 to 9. It is a draw after ten numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Numbered(Vec<u8>);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("it cannot be said")]
struct NotANumber;

impl GameDefinition for Numbered {
    const INFO: &'static GameInfo = &GameInfo {
        name: "numbers",
        aliases: &[],
        title: "Numbers",
        short: "numbers",
        settings: &[GameSetting::board_size(BoardSizes {
            least: 3,
            most: 3,
            step: 1,
            default: 3,
            studies: None,
        })],
        opening_plies: |_| 0,
        won_by: "nothing",
        numbers: NumberMeaning::Nothing,
        example: "a file with the moves",
        lessons: &[],
        bench: "",
    };

    fn start_position(_: &BoardConfig) -> Self {
        Numbered(Vec::new())
    }
}

impl HasEngines for Numbered {
    fn game_engines() -> GameEngines<Self> {
        let scale = ScoreUnit { odds: Some(1.0), ..ScoreUnit::UNITLESS };
        let limits = Limits::default();
        let player = LevelSpec {
            level: EngineKind::Level(1),
            about: "Plays.",
            limits,
            build: |_, config| Ok(Box::new(MinimaxEngine::new(1, config))),
            scale,
        };
        let judge = LevelSpec {
            level: EngineKind::Level(2),
            about: "Judges openings.",
            limits,
            build: |_, config| {
                EVALUATING_ENGINES.fetch_add(1, Ordering::SeqCst);
                Ok(Box::new(MinimaxEngine::new(1, config)))
            },
            scale,
        };
        GameEngines::from_levels(vec![player, judge])
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

    fn push_legal_moves(&self, out: &mut Vec<u8>) {
        if self.outcome().is_none() {
            out.extend(1..=9);
        }
    }

    fn make_move(&mut self, mv: u8) {
        self.0.push(mv);
    }

    fn unmake_move(&mut self, _: u8, (): ()) {
        self.0.pop();
    }

    fn position_key(&self) -> u64 {
        self.0.iter().fold(0, |key, &mv| 10 * key + u64::from(mv))
    }

    fn check_legality(&self, mv: u8) -> Result<(), NotANumber> {
        if self.outcome().is_none() && (1..=9).contains(&mv) { Ok(()) } else { Err(NotANumber) }
    }
}

impl Notation for Numbered {
    fn format_move(&self, mv: u8) -> String {
        mv.to_string()
    }

    fn parse(&self, text: &str) -> Result<u8, Refusal> {
        text.parse().map_err(|_| Refusal::not_understood(text, "a number"))
    }

    fn explain_refusal(&self, mv: u8, _: &NotANumber, _: &[u8]) -> Refusal {
        Refusal::not_understood(&mv.to_string(), "a number")
    }
}

impl PositionDescription for Numbered {
    fn title(&self) -> String {
        "Numbers".to_owned()
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["Ann", "Ben"][side.index()])
    }

    fn describe_goal(&self, _: Side) -> String {
        String::new()
    }

    fn sample_move(&self) -> String {
        "5".to_owned()
    }

    fn typing_hint(&self) -> String {
        "a number".to_owned()
    }

    fn rules_text(&self) -> Vec<Text> {
        Vec::new()
    }

    fn describe_ending(&self) -> Option<Text> {
        None
    }

    fn list_pieces(&self, _: Side) -> Vec<String> {
        Vec::new()
    }

    fn describe_position(&self) -> Vec<Text> {
        Vec::new()
    }
}

impl PaintBoard for Numbered {
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
fn count_evaluating_engines(work: impl FnOnce()) -> u32 {
    EVALUATING_ENGINES.store(0, Ordering::SeqCst);
    work();
    EVALUATING_ENGINES.load(Ordering::SeqCst)
}

#[test]
fn both_games_of_a_pair_share_one_balanced_opening() {
    let engines = ["a=level:1", "b=level:1"].map(str::to_owned);
    let plan = MatchPlan::new(&GAMES[0], &Variant::default(), &engines, Some("balanced:3")).unwrap();
    let plan = MatchPlan { pairs: 6, threads: 2, ..plan };
    // Every position is even, so one engine evaluates each opening that is drawn.
    assert_eq!(count_evaluating_engines(|| plan.validate().unwrap()), 1);
    let run = |records| {
        let mut pairs = 0;
        let (_, done) = plan.run(records, &mut |_| {
            pairs += 1;
            Ok(())
        });
        done.unwrap();
        assert_eq!(pairs, 6);
    };
    assert_eq!(count_evaluating_engines(|| run(None)), 6);
    let job = ArenaJob::parse(GAMES, plan.to_job_json().unwrap().as_bytes()).unwrap();
    assert_eq!(count_evaluating_engines(|| drop(job.compute_shard(0, 1, 2).unwrap())), 6);
    // A pair whose games are both in the file needs no opening.
    // A pair without its second game needs it again.
    let folder = folder();
    let path = folder.path().join("games");
    let records = |resumes| Some(GamesFileWriter::open(&path, &plan, resumes).unwrap());
    assert_eq!(count_evaluating_engines(|| run(records(false))), 6);
    let text = std::fs::read_to_string(&path).unwrap();
    let lacks = |line: &&str| !line.contains("\"unit\":4,\"game\":1");
    let lines: Vec<&str> = text.lines().filter(lacks).collect();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    assert_eq!(count_evaluating_engines(|| run(records(true))), 1);
}

#[test]
fn each_game_of_a_file_is_an_opening() {
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
fn openings_can_begin_from_a_position() {
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
    // The list is read like the file, and the records of a match from it show where each game began.
    let out =
        arena(&[&list, "--pairs", "2", "--engine", "a=level:1", "--engine", "b=level:2", "--out", &games]);
    assert!(
        out.contains("opening c3 / - / 2 / 5:\n") && out.contains("opening a1 / b4 / 2 / 5: b2\n"),
        "{out}"
    );
    let bytes = fs::read(&games).unwrap();
    for number in 1..=4 {
        let hint = RecordReadOptions { number: Some(number), ..RecordReadOptions::default() };
        let game = load_game(&bytes, &hint).unwrap();
        assert!(game.fault.is_none() && game.start.setup.is_some());
        let start = game.tree.position(NodeId::ROOT);
        assert_eq!(start.to_move(), Side::Second);
        assert_eq!(start.view().list_pieces(Side::First).len(), 1);
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
