//! Every refusal code with an example of its sentence, compared with `tests/golden/refusals.txt`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crosspath::game::{BadSetup, Refusal, RefusalCode, Side};
use crosspath::messages;
use crosspath::play::{
    EngineRole, GameMode, IncompleteReplay, JournalStatus, LevelChange, Match, MatchFault, MatchRefusal,
    MatchRules, NewGame, ReplayStop,
};
use crosspath::record::{NodeId, RecordNote};
use crosspath::registry::{GAMES, Variant, find_game};
use crosspath::text::SideName;

use crate::support::{assert_golden, crosspath, folder, run_on};
use crate::tui_harness::{Rig, history, spec};

/// Returns one match refusal of each kind that the front ends show.
fn match_refusals() -> Vec<MatchRefusal> {
    use MatchRefusal as R;
    let text = |text: &str| text.to_owned();
    let why = Refusal::new(RefusalCode::Taken, "b2 is taken.");
    let open = |game: &str, size: usize| {
        find_game(game).and_then(|game| game.start_position(&Variant::of_size(size)))
    };
    let (no_game, no_board) = (open("chess", 3).unwrap_err(), open("hex", 99).unwrap_err());
    vec![
        R::Unread(why.clone()),
        R::IllegalMove { why, came_back: true },
        R::TooLong,
        R::NotReplaced(text("game.txt")),
        R::Endless,
        R::NeitherYesNorNo(text("b2")),
        R::NoSuchWord(text("foo")),
        R::NothingToAdvise,
        R::NothingToReview,
        R::NothingToEvaluate,
        R::NoMistake,
        R::EndOfLesson(true),
        R::EndOfLesson(false),
        R::NoLevelBeside(LevelChange::Lower),
        R::NoLevelBeside(LevelChange::Higher),
        R::NoSuchMove { last: 4, read: text("9") },
        R::NoSuchMove { last: 4, read: String::new() },
        R::NoStep { is_forward: true, is_there: true },
        R::NoStep { is_forward: false, is_there: true },
        R::NoStep { is_forward: true, is_there: false },
        R::NoStep { is_forward: false, is_there: false },
        R::NoSuchVariation(0),
        R::NoSuchVariation(2),
        R::OnlyShown { is_over: true },
        R::OnlyShown { is_over: false },
        R::FullScreenOff,
        R::ReplayTakesNothing,
        R::NothingToReplay,
        R::IsThePresent,
        R::IsTheMainLine,
        R::IsOverHere,
        R::IsAnalysis,
        R::NoAnalysis,
        R::NoGameToReturnTo,
        R::IsTraining,
        R::NoTraining,
        R::NothingToHide,
        R::NoComment,
        R::NoSuchCell(text("z9")),
        R::NoSuchCell(String::new()),
        R::BadChange(BadSetup::new("stones", "z99 is off the board")),
        R::NoSuchChange(text("what")),
        R::NoSuchSide,
        R::BothSidesAreTaken,
        R::OverAlready,
        R::NotOver,
        R::NotYourTurn,
        R::IsThinking,
        R::NothingToUndo(0),
        R::NothingToUndo(1),
        R::NothingToUndo(3),
        R::NothingToRedo,
        R::OnlyOneGame,
        R::TooManyNewArguments,
        R::NoSuchGame(no_game),
        R::NoSuchBoard(no_board),
        R::NoEngineForTheLevel,
        R::NoSuchLevel(text("99")),
        R::NeedsFile("save"),
        R::NeedsNumber { word: "undo", read: text("x") },
        R::NeedsNumber { word: "variations", read: text("0") },
        R::InFile { path: text("game.txt"), line: 2, why: "b2 is taken".into() },
        R::File(text("cannot read game.txt: no such file")),
    ]
}

/// Returns the variant name of a match refusal.
fn variant_name(refusal: &MatchRefusal) -> String {
    let text = format!("{refusal:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned()
}

/// Returns the variant names of an enum, read from its source.
fn enum_variants(path: &str, name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let (_, rest) = text.split_once(&format!("pub enum {name} {{\n")).unwrap();
    let (body, _) = rest.split_once("\n}\n").unwrap();
    let is_variant =
        |line: &&str| line.starts_with("    ") && line[4..].starts_with(|c: char| c.is_uppercase());
    let end = |c: char| !c.is_alphanumeric();
    body.lines().filter(is_variant).map(|line| line[4..].split(end).next().unwrap().to_owned()).collect()
}

/// Moves that the games refuse: game, settings, moves before, refused text.
const REFUSED_MOVES: [(&str, &str, &str, &str); 29] = [
    ("tic-tac-toe", "size=3", "b2", "zz"),
    ("tic-tac-toe", "size=1", "", "zz"),
    ("tic-tac-toe", "size=3", "b2", "b2"),
    ("tic-tac-toe", "size=3", "b2", "m3"),
    ("tic-tac-toe", "size=3", "b2", "10"),
    ("tic-tac-toe", "size=3", "b2", "3 0"),
    ("tic-tac-toe", "size=3", "a1 b1 a2 b2 a3", "c3"),
    ("hex", "size=11", "f6 e8", "zz"),
    ("hex", "size=1", "", "zz"),
    ("hex", "size=11", "f6 e8", "m3"),
    ("hex", "size=11", "f6 e8", "f6"),
    ("hex", "size=11", "f6", "f6"),
    ("hex", "size=3", "b1 a1 b2 a2 b3", "c3"),
    ("hex", "size=11", "f6 e8", "swap"),
    ("hex", "size=11 swap=off", "f6", "swap"),
    ("quoridor", "size=9", "", "zz"),
    ("quoridor", "size=9", "", "m3"),
    ("quoridor", "size=9", "", "i3h"),
    ("quoridor", "size=9", "e3v e8", "e3h"),
    ("quoridor", "size=9", "d6h e8", "c6h"),
    ("quoridor", "size=9", "d6h e8", "d6h"),
    ("quoridor", "size=9", "b8v c8h f8v a1h", "e8h"),
    ("quoridor", "size=3 walls=1", "a1h b2", "b1v"),
    ("quoridor", "size=9", "e2 e8 e3 e7 e4 e4h", "e5"),
    ("quoridor", "size=9", "e2 e8 e3 e8h e4 a1h", "e7"),
    ("quoridor", "size=9", "e2 e8 e3 e7 e4 e6 a1h e5", "e5"),
    ("quoridor", "size=9", "e2 e8 e3 e7 e4 e6 a1h e5", "d5"),
    ("quoridor", "size=9", "e2 e8 e3 e7 e4 e6 a1h e5", "e4"),
    ("quoridor", "size=3 walls=0", "b2 a3 a2 b3 a3", "b1"),
];

/// Lines that the command parser refuses.
const REFUSED_LINES: [&str; 3] = ["qiut", "laod game", "board 3"];

/// Returns the faults that no player caused.
fn match_faults() -> Vec<(&'static str, MatchFault)> {
    let stuck = |why| MatchFault::Stuck(IncompleteReplay { path: "game.txt".to_owned(), line: 2, why });
    let wrong = |is_off_board| ReplayStop::Wrong { why: "z9 is off the board".into(), is_off_board };
    let dropped =
        RecordNote { at: NodeId::ROOT, line: 2, why: Refusal::new(RefusalCode::Taken, "b2 is taken.") };
    let journal = |news| MatchFault::Journal { game: "Hex 5x5".to_owned(), news };
    let full = || "the disk is full".to_owned();
    let engine = |role| MatchFault::Engine { why: "it has left".to_owned(), role };
    vec![
        ("dropped", MatchFault::Dropped("game.txt".to_owned(), dropped)),
        ("stuck wrong", stuck(wrong(false))),
        ("stuck off board", stuck(wrong(true))),
        ("stuck surplus", stuck(ReplayStop::Surplus("c2".to_owned()))),
        ("stuck short", stuck(ReplayStop::TooShort(2))),
        ("engine opponent", engine(EngineRole::Opponent)),
        ("engine one of two", engine(EngineRole::MatchEngine)),
        ("engine adviser", engine(EngineRole::Adviser)),
        ("time", MatchFault::TimeIsUp(SideName::new(Side::First, "Red"))),
        ("journal", journal(JournalStatus::Interrupted(full()))),
        ("journal never", journal(JournalStatus::NotWritten(full()))),
        ("journal again", journal(JournalStatus::Restored)),
        ("log", MatchFault::Log(full())),
        ("mistakes", MatchFault::Mistakes(full())),
    ]
}

fn refuse_move(game: &str, settings: &str, moves: &str, text: &str) -> Refusal {
    let mut history = history(game, settings, moves);
    match history.play(text) {
        Ok(_) => panic!("{game} {settings} {moves}: {text} is played"),
        Err(refusal) => refusal,
    }
}

/// Returns the refusals at the start of a game, with their names.
fn start_refusals() -> Vec<(&'static str, Refusal)> {
    let home = folder();
    let config = home.path().join("crosspath");
    std::fs::create_dir(&config).unwrap();
    std::fs::write(config.join("config.toml"), "levle = 3\n").unwrap();
    let refusal = |arguments: &[&str], has_config: bool| {
        let mut command = crosspath(&[&["--json", "--nodes", "20"], arguments].concat());
        if has_config {
            command.env("XDG_CONFIG_HOME", home.path());
        }
        let run = run_on(command, "");
        let error = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let error = error.into_iter().find(|event| event["event"] == "error").expect("an error");
        let code = error["code"].as_str().unwrap();
        let code = RefusalCode::ALL.into_iter().find(|known| known.as_str() == code).unwrap();
        Refusal::new(code, error["message"].as_str().unwrap().replace(home.path().to_str().unwrap(), "HOME"))
    };
    vec![
        ("no such mode", refusal(&["--mode", "9"], false)),
        ("no such file", refusal(&["--mode", "3", "none.txt"], false)),
        ("no file named", refusal(&["--mode", "3"], false)),
        ("a wrong config file", refusal(&[], true)),
    ]
}

#[test]
fn every_refusal_matches_its_golden_code_and_sentence() {
    let rig = Rig::of(spec("tic-tac-toe", "size=3", GameMode::HumanMachine), (80, 24));
    let mut all: Vec<(String, Refusal)> = Vec::new();
    for refusal in match_refusals() {
        all.push((variant_name(&refusal), messages::describe_refusal(rig.game(), &refusal)));
    }
    for (game, settings, moves, text) in REFUSED_MOVES {
        let example = format!("{game} {settings}, {text} after {moves}").replace(" after ,", "");
        all.push((example.trim_end_matches(" after ").to_owned(), refuse_move(game, settings, moves, text)));
    }
    let game = Match::new(MatchRules::default(), NewGame::for_game(&GAMES[0]), None).unwrap();
    for line in REFUSED_LINES {
        let Err(refusal) = game.parse_line(line) else { panic!("{line} is read") };
        all.push((line.to_owned(), messages::describe_refusal(&game, &refusal)));
    }
    for (name, fault) in match_faults() {
        all.push((name.to_owned(), messages::describe_fault(&fault)));
    }
    all.extend(start_refusals().into_iter().map(|(name, refusal)| (name.to_owned(), refusal)));
    let mut text = String::new();
    for code in RefusalCode::ALL {
        let of_code = all.iter().filter(|(_, refusal)| refusal.code == code);
        let before = text.len();
        for (name, refusal) in of_code {
            writeln!(text, "{code} | {name} | {}", refusal.text).unwrap();
        }
        assert!(text.len() > before, "no example of {code}");
    }
    assert_eq!(text.lines().count(), all.len(), "a sentence is one line, and every code is listed");
    assert_golden(&text, "tests/golden/refusals.txt");
}

#[test]
fn the_golden_list_has_every_refusal() {
    let listed: BTreeSet<String> = match_refusals().iter().map(variant_name).collect();
    assert_eq!(listed, enum_variants("src/play/refusal.rs", "MatchRefusal"));
    let codes: BTreeSet<String> = RefusalCode::ALL.iter().map(|code| format!("{code:?}")).collect();
    let mut wanted = enum_variants("src/game/refusal_code.rs", "RefusalCode");
    assert!(wanted.remove("Other"));
    assert_eq!(codes, wanted);
}

#[test]
fn every_refusal_code_has_a_unique_text() {
    let texts: BTreeSet<&str> = RefusalCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), RefusalCode::ALL.len());
    for text in texts {
        assert!(text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{text}");
        assert_eq!(text, text.trim_matches('-'));
    }
    assert_eq!(RefusalCode::Other("too-large").to_string(), "too-large");
}
