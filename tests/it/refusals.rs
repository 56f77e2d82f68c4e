//! Every refusal by its code, with an example of its sentence: `tests/golden/refusals.txt`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crosspath::game::{BadSetup, Refusal, RefusalCode, Side};
use crosspath::messages;
use crosspath::play::{
    EngineRole, Fault, IncompleteReplay, Match, MatchRefusal, Mode, NewGame, ReplayStop, Rules, SaveNews,
    Strength,
};
use crosspath::record::{NodeId, Note};
use crosspath::registry::{GAMES, Variant, find};
use crosspath::text::SideName;

use crate::rig::{Rig, history, spec};
use crate::support::{crosspath, folder, is_golden, run_on};

/// Returns a refusal of the match, one of each kind that the front ends show.
fn of_the_match() -> Vec<MatchRefusal> {
    use MatchRefusal as R;
    let text = |text: &str| text.to_owned();
    let why = Refusal::new(RefusalCode::Taken, "b2 is taken.");
    let open = |game: &str, size: usize| find(game).and_then(|game| game.start(&Variant::of_size(size)));
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
        R::NoLevelBeside(Strength::Lower),
        R::NoLevelBeside(Strength::Higher),
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
        R::BeganInLines,
        R::ReplayTakesNothing,
        R::NothingToReplay,
        R::IsThePresent,
        R::IsTheMainLine,
        R::IsOverHere,
        R::IsAnalysis,
        R::NoAnalysis,
        R::NothingBehind,
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
        R::NewTakes,
        R::NoSuchGame(no_game),
        R::NoSuchBoard(no_board),
        R::NoEngineForTheLevel,
        R::NoSuchLevel(text("99")),
        R::NeedsFile("save"),
        R::TakesANumber { word: "undo", read: text("x") },
        R::TakesANumber { word: "variations", read: text("0") },
        R::InFile { path: text("game.txt"), line: 2, why: "b2 is taken".into() },
        R::File(text("cannot read game.txt: no such file")),
    ]
}

/// Returns the name of a refusal of the match: that of its variant.
fn name(refusal: &MatchRefusal) -> String {
    let text = format!("{refusal:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned()
}

/// Returns the names of the variants of an enum, read off the source.
fn variants(path: &str, name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let (_, rest) = text.split_once(&format!("pub enum {name} {{\n")).unwrap();
    let (body, _) = rest.split_once("\n}\n").unwrap();
    let is_variant =
        |line: &&str| line.starts_with("    ") && line[4..].starts_with(|c: char| c.is_uppercase());
    let end = |c: char| !c.is_alphanumeric();
    body.lines().filter(is_variant).map(|line| line[4..].split(end).next().unwrap().to_owned()).collect()
}

/// Texts that the games refuse: the game, its settings, the moves before.
const TEXTS: [(&str, &str, &str, &str); 29] = [
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

/// Lines that a match refuses by the sentence of its reader.
const LINES: [&str; 3] = ["qiut", "laod game", "board 3"];

/// Returns the faults for which no player is to blame.
fn faults() -> Vec<(&'static str, Fault)> {
    let stuck = |why| Fault::Stuck(IncompleteReplay { path: "game.txt".to_owned(), line: 2, why });
    let wrong = |is_off_board| ReplayStop::Wrong { why: "z9 is off the board".into(), is_off_board };
    let dropped = Note { at: NodeId::ROOT, line: 2, why: Refusal::new(RefusalCode::Taken, "b2 is taken.") };
    let journal = |news| Fault::Journal { game: "Hex 5x5".to_owned(), news };
    let full = || "the disk is full".to_owned();
    let engine = |role| Fault::Engine { why: "it has left".to_owned(), role };
    vec![
        ("dropped", Fault::Dropped("game.txt".to_owned(), dropped)),
        ("stuck wrong", stuck(wrong(false))),
        ("stuck off board", stuck(wrong(true))),
        ("stuck surplus", stuck(ReplayStop::Surplus("c2".to_owned()))),
        ("stuck short", stuck(ReplayStop::TooShort(2))),
        ("engine opponent", engine(EngineRole::Opponent)),
        ("engine one of two", engine(EngineRole::OneOfTwo)),
        ("engine adviser", engine(EngineRole::Adviser)),
        ("time", Fault::TimeIsUp(SideName::new(Side::First, "Red"))),
        ("journal", journal(SaveNews::NoLonger(full()))),
        ("journal never", journal(SaveNews::Never(full()))),
        ("journal again", journal(SaveNews::Again)),
        ("log", Fault::Log(full())),
        ("mistakes", Fault::Mistakes(full())),
    ]
}

fn refused(game: &str, settings: &str, moves: &str, text: &str) -> Refusal {
    let mut history = history(game, settings, moves);
    match history.play(text) {
        Ok(_) => panic!("{game} {settings} {moves}: {text} is played"),
        Err(refusal) => refusal,
    }
}

/// Returns the refusals to begin as requested, with their codes.
fn at_the_start() -> Vec<(&'static str, Refusal)> {
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
fn every_refusal_has_its_code_and_its_sentence() {
    let rig = Rig::of(spec("tic-tac-toe", "size=3", Mode::HumanMachine), (80, 24));
    let mut all: Vec<(String, Refusal)> = Vec::new();
    for refusal in of_the_match() {
        all.push((name(&refusal), messages::refusal(rig.game(), &refusal)));
    }
    for (game, settings, moves, text) in TEXTS {
        let example = format!("{game} {settings}, {text} after {moves}").replace(" after ,", "");
        all.push((example.trim_end_matches(" after ").to_owned(), refused(game, settings, moves, text)));
    }
    let game = Match::new(Rules::default(), NewGame::of(&GAMES[0]), None).unwrap();
    for line in LINES {
        let Err(refusal) = game.read(line) else { panic!("{line} is read") };
        all.push((line.to_owned(), messages::refusal(&game, &refusal)));
    }
    for (name, fault) in faults() {
        all.push((name.to_owned(), messages::fault(&fault)));
    }
    all.extend(at_the_start().into_iter().map(|(name, refusal)| (name.to_owned(), refusal)));
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
    is_golden(&text, "tests/golden/refusals.txt");
}

#[test]
fn the_list_of_refusals_leaves_none_out() {
    let listed: BTreeSet<String> = of_the_match().iter().map(name).collect();
    assert_eq!(listed, variants("src/play/refusal.rs", "MatchRefusal"));
    let codes: BTreeSet<String> = RefusalCode::ALL.iter().map(|code| format!("{code:?}")).collect();
    let mut wanted = variants("src/game/refusal_code.rs", "RefusalCode");
    assert!(wanted.remove("Other"));
    assert_eq!(codes, wanted);
}

#[test]
fn every_code_has_a_text_form_of_its_own() {
    let texts: BTreeSet<&str> = RefusalCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), RefusalCode::ALL.len());
    for text in texts {
        assert!(text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{text}");
        assert_eq!(text, text.trim_matches('-'));
    }
    assert_eq!(RefusalCode::Other("too-large").to_string(), "too-large");
}
