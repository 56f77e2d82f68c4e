//! The page of a match: it loads no other file, agrees with the report, replays its games
//! correctly, and works in a browser.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::sentences::{lasting, said};
use crate::support::{folder, run, skip};

fn path_in(place: &Path, name: &str) -> String {
    place.join(name).to_str().unwrap().to_owned()
}

/// Plays a match of three engines. Returns its records and its page.
fn play_and_render_match(place: &Path, game: &str, size: &str, pairs: &str) -> (Vec<Value>, String) {
    let [records, page] = ["games", "page.html"].map(|name| path_in(place, name));
    let engines = ["--engine", "weak=level:1", "--engine", "a<b=level:2", "--engine", "third=level:3"];
    let board = ["arena", "--game", game, "--size", size, "--quiet", "--out", &records, "--pairs", pairs];
    assert_eq!(run(&[&board[..], &engines[..]].concat(), "").code, Some(0));
    let report = run(&["arena", "--report", &records, "--html", &page], "");
    assert_eq!((report.code, report.err.as_str()), (Some(0), ""));
    let text = fs::read_to_string(&page).unwrap();
    // The page contains the report word for word.
    for line in report.out.lines() {
        let line = crosspath::picture::escape_xml(line);
        assert!(text.contains(&line), "{line}");
    }
    let lines = fs::read_to_string(&records).unwrap();
    (lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect(), text)
}

/// Returns the data that a page passes to its script.
fn page_data(page: &str) -> Value {
    let begin = page.split("<script id=\"data\" type=\"application/json\">").nth(1).unwrap();
    serde_json::from_str(begin.split("</script>").next().unwrap()).unwrap()
}

fn to_index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

/// Returns the shapes that are visible at the end of a game, as the script computes them.
fn shapes_at_the_end(data: &Value, game: &Value) -> BTreeSet<usize> {
    let numbers = |all: &Value| all.as_array().unwrap().iter().map(to_index).collect::<Vec<_>>();
    let mut seen: BTreeSet<usize> = numbers(&data["empty"]).into_iter().collect();
    for step in game[6].as_str().unwrap().split_whitespace() {
        let step = &data["steps"][usize::from_str_radix(step, 36).unwrap()];
        let [come, gone] = [1, 2].map(|part| numbers(&step[part]));
        assert!(gone.iter().all(|shape| seen.remove(shape)) && come.iter().all(|&shape| seen.insert(shape)));
    }
    seen
}

#[test]
fn a_match_page_contains_all_games_and_loads_no_other_file() {
    for (game, size) in [("tic-tac-toe", "4"), ("hex", "5"), ("quoridor", "5")] {
        let place = folder();
        let (records, page) = play_and_render_match(place.path(), game, size, "3");
        for outside in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.replace("http://www.w3.org", "").contains(outside), "{outside}");
        }
        assert!(page.contains("a&lt;b") && !page.contains("a<b"));
        let data = page_data(&page);
        let games = data["games"].as_array().unwrap();
        assert_eq!(games.len(), records.len());
        for (shown, record) in games.iter().zip(&records) {
            let line: Vec<&str> = shown[6].as_str().unwrap().split_whitespace().collect();
            let moves = line.iter().map(|step| &data["steps"][usize::from_str_radix(step, 36).unwrap()][0]);
            let played = ["opening", "moves"].map(|part| record[part].as_array().unwrap().clone()).concat();
            assert_eq!(moves.cloned().collect::<Vec<_>>(), played);
            assert_eq!(data["names"][to_index(&shown[1])], record["first"]);
            assert_eq!(shown[4], record["reason"]);
            // The last picture shows the shapes that `picture` draws for the position, except the
            // mark of the last move.
            let moves: Vec<&str> = played.iter().map(|text| text.as_str().unwrap()).collect();
            let film_end = shapes_of_position(game, size, &moves);
            let shapes = shapes_at_the_end(&data, shown);
            let svg: BTreeSet<&str> =
                shapes.iter().map(|&shape| data["shapes"][shape][1].as_str().unwrap()).collect();
            assert_eq!(svg, film_end.iter().map(String::as_str).collect());
        }
    }
}

/// Returns the shapes of a position drawn alone.
fn shapes_of_position(game: &str, size: &str, moves: &[&str]) -> BTreeSet<String> {
    let variant = crosspath::registry::Variant::of_size(size.parse().unwrap());
    let start = crosspath::registry::find_game(game).unwrap().start_position(&variant).unwrap();
    let end = moves.iter().fold(start, |position, text| position.play(text).unwrap());
    let film = crosspath::picture::GameAnimation::new(&*end, crosspath::picture::SvgTheme::Page);
    let all = film.shapes();
    film.empty_board_shapes().iter().map(|&shape| all[shape].1.to_owned()).collect()
}

#[test]
fn an_existing_page_and_an_illegal_move_are_errors() {
    let place = folder();
    let (records, _) = play_and_render_match(place.path(), "hex", "4", "1");
    let [file, page, other] = ["games", "page.html", "other.html"].map(|name| path_in(place.path(), name));
    let refused = run(&["arena", "--report", &file, "--html", &page], "");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("page.html: ") && refused.err.contains(said!("the-file-exists")),
        "{}",
        refused.err
    );
    // An illegal move
    let text = fs::read_to_string(&file).unwrap();
    let last = records[0]["moves"].as_array().unwrap().last().unwrap().as_str().unwrap();
    fs::write(&file, text.replacen(&format!("\"{last}\"]"), "\"z9\"]", 1)).unwrap();
    let refused = run(&["arena", "--report", &file, "--html", &other], "");
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.err.contains(lasting(format!("{} ", said!("games-game-of-pair", "1", "1")))),
        "{}",
        refused.err
    );
    assert!(!Path::new(&other).exists());
}

#[test]
fn a_training_log_gives_a_page_of_curves() {
    let place = folder();
    let page = path_in(place.path(), "run.html");
    let report = run(&["arena", "--report", "train/checkpoints/hex.jsonl", "--html", &page], "");
    assert_eq!((report.code, report.err.as_str(), report.out.as_str()), (Some(0), "", ""));
    let text = fs::read_to_string(&page).unwrap();
    let log = fs::read_to_string("train/checkpoints/hex.jsonl").unwrap();
    assert!(text.contains(&format!("{} rounds of self-play", log.lines().count())));
    for heading in [said!("loss-of-moves"), said!("loss-of-values"), said!("firsts-share"), "Length"] {
        assert!(text.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    assert_eq!(text.matches("<polyline").count(), 4);
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

/// Generations have a line for each epoch. The page has a table of them, and its curves need not
/// start at zero.
#[test]
fn a_log_of_generations_gives_a_page() {
    let place = folder();
    let [log, page, one] = ["log.jsonl", "run.html", "one.html"].map(|name| path_in(place.path(), name));
    let whole = fs::read_to_string("train/checkpoints/quoridor.jsonl").unwrap();
    fs::write(&log, format!("{whole}{}", &whole[..40])).unwrap();
    let report = run(&["arena", "--report", &log, "--html", &page], "");
    assert_eq!((report.code, report.err.as_str(), report.out.as_str()), (Some(0), "", ""));
    let text = fs::read_to_string(&page).unwrap();
    let count = |generation: u64| {
        whole.lines().filter(|line| line.contains(&format!("\"generation\": {generation},"))).count()
    };
    for generation in [2, 3, 4] {
        let row = format!("<td>Generation {generation}</td><td>{}</td>", count(generation));
        assert!(count(generation) >= 10 && text.contains(&row), "{row}");
        assert_eq!(text.matches(&format!("<h3>Generation {generation}</h3>")).count(), 2);
    }
    assert_eq!(text.matches("<polyline").count(), 6);
    // A curve from 0.41 to 0.42 fills its plot.
    let line = text.split("<polyline points=\"").nth(1).unwrap().split('"').next().unwrap();
    let heights: Vec<f64> =
        line.split(' ').map(|at| at.split_once(',').unwrap().1.parse().unwrap()).collect();
    let (low, high) =
        heights.iter().fold((f64::MAX, 0.0_f64), |(low, high), &at| (low.min(at), high.max(at)));
    assert!(high - low > 100.0, "{line}");
    // A single run has no generation number.
    let alone: String =
        whole.lines().take(3).map(|line| line.replace("\"generation\": 2, ", "") + "\n").collect();
    fs::write(&log, alone).unwrap();
    assert_eq!(run(&["arena", "--report", &log, "--html", &one], "").code, Some(0));
    let text = fs::read_to_string(&one).unwrap();
    assert!(
        text.contains("<td></td><td>3</td>")
            && !text.contains("<h3>")
            && text.contains(said!("games-kept-apart"))
    );
}

/// Files with the same engines give one report and one page. The training run comes first.
#[test]
fn several_matches_are_reported_as_one() {
    let place = folder();
    let play = |name: &str, engines: &[&str], more: &[&str]| {
        let file = path_in(place.path(), name);
        let board = ["arena", "--game", "hex", "--size", "4", "--quiet", "--pairs", "2", "--out", &file];
        let engines: Vec<&str> = engines.iter().flat_map(|&engine| ["--engine", engine]).collect();
        assert_eq!(run(&[&board[..], &engines, more].concat(), "").code, Some(0));
        file
    };
    let one = play("1", &["one=level:1", "two=level:2"], &[]);
    let two = play("2", &["three=level:3", "two=level:2"], &["--seed", "2"]);
    let again = play("3", &["two=level:2", "one=level:1"], &["--seed", "3"]);
    let page = path_in(place.path(), "all.html");
    let reports = ["arena", "--report", &one, "--report", &two, "--report", &again];
    let log = ["--report", "train/checkpoints/hex.jsonl", "--html", &page];
    let report = run(&[&reports[..], &log].concat(), "");
    assert_eq!((report.code, report.err.as_str()), (Some(0), ""));
    assert_eq!(run(&reports, "").out, report.out);
    for met in ["one vs two: 4", "three vs two: 4", "two vs one: 4", "ratings, 95%"] {
        assert!(report.out.contains(met), "{met}: {}", report.out);
    }
    let alone: Vec<String> =
        [&one, &two, &again].map(|file| run(&["arena", "--report", file], "").out).into();
    assert!(report.out.starts_with(&alone.join("\n")), "{}", report.out);
    let text = fs::read_to_string(&page).unwrap();
    for heading in ["Run", said!("loss-of-moves"), "Result", "Ratings", "Crosstable", "Openings", "Games"] {
        assert!(text.contains(&format!("<h2>{heading}</h2>")), "{heading}");
    }
    let data = page_data(&text);
    assert_eq!(data["names"], serde_json::json!(["one", "two", "three"]));
    let games = data["games"].as_array().unwrap();
    let number = |game: &Value| game[0].as_str().unwrap().to_owned();
    assert_eq!(games.len(), 12);
    let wins = |engine: usize, opponent: usize| {
        let is_won = |game: &&Value| match (to_index(&game[1]), to_index(&game[2]), to_index(&game[3])) {
            (first, second, winner) if [first, second] == [engine, opponent] => winner == 0,
            (first, second, winner) if [second, first] == [engine, opponent] => winner == 1,
            _ => false,
        };
        games.iter().filter(is_won).count()
    };
    assert_eq!((number(&games[4]), to_index(&games[4][1])), ("2-1.1".to_owned(), 2));
    let [won, lost] = [wins(1, 0), wins(0, 1)];
    assert_eq!(won + lost, 8);
    assert!(
        text.contains(&format!("+{won} =0 -{lost}</td>")),
        "both files of one pair of engines are counted"
    );
}

#[test]
fn matches_with_different_boards_or_engines_are_rejected() {
    let place = folder();
    let play = |name: &str, size: &str, engine: &str| {
        let file = path_in(place.path(), name);
        let board = ["arena", "--game", "hex", "--size", size, "--quiet", "--pairs", "1", "--out", &file];
        let engines = ["--engine", engine, "--engine", "b=level:2"];
        assert_eq!(run(&[&board[..], &engines].concat(), "").code, Some(0));
        file
    };
    let first = play("first", "4", "a=level:1");
    for (name, size, engine, why) in [
        ("board", "5", "a=level:1", said!("board-the-games-are", "5", "4")),
        ("engine", "4", "a=level:3", "the engine a is level:3 there and level:1 here"),
    ] {
        let file = play(name, size, engine);
        let refused = run(&["arena", "--report", &first, "--report", &file], "");
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
        assert!(refused.err.contains(why), "{}", refused.err);
    }
    let page = path_in(place.path(), "page.html");
    let log = "train/checkpoints/hex.jsonl";
    let refused = run(&["arena", "--report", log], "");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains(said!("the-log-of-a")), "{}", refused.err);
    let refused = run(&["arena", "--report", log, "--report", log, "--html", &page], "");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains(said!("one-training-run")) && !Path::new(&page).exists(), "{}", refused.err);
}

/// Games played in parts give the same report as games played by one computer, and a page. Parts of
/// other jobs have no page.
#[test]
fn parts_of_a_job_give_one_report_and_page() {
    let place = folder();
    let [job, part, whole, page, other] =
        ["job", "part", "whole", "p.html", "other"].map(|name| path_in(place.path(), name));
    let board = ["arena", "--game", "hex", "--size", "4", "--engine", "a=level:1", "--engine", "b=level:2"];
    let more = ["--pairs", "3", "--nodes", "20"];
    assert_eq!(run(&[&board[..], &more, &["--write-job", &job]].concat(), "").code, Some(0));
    for (out, index, count) in [(&part, "1", "3"), (&whole, "0", "1")] {
        let work = ["work", "--job", &job, "--index", index, "--count", count, "--out", out];
        assert_eq!(run(&work, "").code, Some(0));
    }
    let report = run(&["arena", "--report", &whole, "--html", &page], "");
    assert_eq!((report.code, report.err.as_str()), (Some(0), ""));
    let played = run(&[&board[..], &more, &["--quiet"]].concat(), "").out;
    let without_times =
        |text: &str| text.lines().filter(|line| !line.contains(said!("nodes-a-move"))).count();
    assert_eq!(without_times(&report.out), without_times(&played));
    assert_eq!(report.out.lines().next(), played.lines().next());
    assert_eq!(page_data(&fs::read_to_string(&page).unwrap())["games"].as_array().unwrap().len(), 6);
    // A pair may occur only once in all files.
    let twice = run(&["arena", "--report", &whole, "--report", &part], "");
    assert_eq!((twice.code, twice.out.as_str()), (Some(1), ""));
    assert!(twice.err.contains(lasting(format!("{} ", said!("part-pair-has-the", "1")))), "{}", twice.err);
    let bytes = fs::read_to_string(&whole).unwrap();
    fs::write(&other, bytes.replacen("\"a\"", "\"c\"", 1)).unwrap();
    assert!(run(&["arena", "--report", &other], "").err.contains(said!("it-is-damaged")));
    let games =
        ["selfplay", "--game", "hex", "--size", "3", "--engine", "level:1", "--games", "2", "--quiet"];
    assert_eq!(run(&[&games[..], &["--out", &path_in(place.path(), "self")]].concat(), "").code, Some(0));
    let refused = run(&["arena", "--report", &path_in(place.path(), "self")], "");
    assert!(refused.err.contains("the job is of kind selfplay"), "{}", refused.err);
}

/// A game whose moves lead to another result than its record says is reported and has no page.
#[test]
fn a_result_that_contradicts_the_moves_is_rejected() {
    let place = folder();
    let [file, page] = ["games", "page.html"].map(|name| path_in(place.path(), name));
    let board = ["arena", "--game", "hex", "--size", "3", "--no-swap", "--quiet", "--pairs", "2"];
    let engines = ["--engine", "a=level:1", "--engine", "b=level:2", "--out", &file];
    assert_eq!(run(&[&board[..], &engines].concat(), "").code, Some(0));
    let games = fs::read_to_string(&file).unwrap();
    let (actual, wrong) = ("\"result\":\"first\"", "\"result\":\"second\"");
    let (actual, wrong) = if games.contains(actual) { (actual, wrong) } else { (wrong, actual) };
    assert!(games.contains(actual), "{games}");
    fs::write(&file, games.replacen(actual, wrong, 1)).unwrap();
    let refused = run(&["arena", "--report", &file, "--html", &page], "");
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains(said!("its-moves-end-with")), "{}", refused.err);
    assert!(refused.err.contains(lasting(format!("{} ", said!("of-pair")))) && !Path::new(&page).exists());
}

#[test]
fn a_page_without_games_is_rejected() {
    let place = folder();
    let [file, page] = ["games", "page.html"].map(|name| path_in(place.path(), name));
    let engines = [
        "arena",
        "--game",
        "hex",
        "--size",
        "3",
        "--engine",
        "a=level:1",
        "--engine",
        "b=level:2",
        "--quiet",
    ];
    let refused = run(&[&engines[..], &["--html", &page]].concat(), "");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains(said!("play-with-out-games")), "{}", refused.err);
    assert_eq!(run(&[&engines[..], &["--pairs", "1", "--out", &file]].concat(), "").code, Some(0));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.lines().next().unwrap().to_owned() + "\n").unwrap();
    let refused = run(&["arena", "--report", &file, "--html", &page], "");
    assert!(refused.err.contains(said!("no-pair-of-games")), "{}", refused.err);
    // Names with escape sequences, and huge pair numbers
    fs::write(&file, text.replace("\"a\"", "\"a\\u001b[31m\"")).unwrap();
    let refused = run(&["arena", "--report", &file], "");
    assert!(
        refused.err.contains(said!("this-is-no-file")) && !refused.err.contains('\u{1b}'),
        "{}",
        refused.err
    );
    fs::write(&file, text.replace("\"unit\":0", "\"unit\":1152921504606846976")).unwrap();
    assert_eq!(run(&["arena", "--report", &file], "").code, Some(0));
    let long = "name-of-twenty-five-chars=level:1";
    let refused = run(&["arena", "--game", "hex", "--engine", long, "--engine", "b=level:2"], "");
    assert!(refused.err.contains(said!("its-name-has-characters", "25", "24")), "{}", refused.err);
}

#[test]
fn malformed_training_logs_give_a_safe_page() {
    let place = folder();
    let [log, page] = ["log", "page.html"].map(|name| path_in(place.path(), name));
    let line = r#"{"stretch":1,"samples":"<script>alert(1)</script>","positions":18446744073709551615,"move_loss":1e308}"#;
    fs::write(&log, format!("{line}\n{line}\n{}", &line[..20])).unwrap();
    assert_eq!(run(&["arena", "--report", &log, "--html", &page], "").code, Some(0));
    let text = fs::read_to_string(&page).unwrap();
    assert!(!text.contains("alert") && !text.contains("NaN") && !text.contains("null"));
    assert!(text.contains("2 rounds of self-play"), "the torn line is left out");
}

/// Returns the command of a headless browser, if there is one.
pub(crate) fn browser() -> Option<String> {
    let named = std::env::var("CROSSPATH_BROWSER").ok();
    let candidates =
        named.into_iter().chain(["chromium", "chromium-browser", "google-chrome"].map(str::to_owned));
    let version = |name: &String| Command::new(name).arg("--version").output();
    let installed = candidates.into_iter().find(|name| version(name).is_ok());
    if let Some(name) = &installed {
        let output = version(name).expect("it was started before");
        assert!(output.status.success(), "{name} is there, but does not work: {output:?}");
    }
    if installed.is_none() {
        assert!(std::env::var_os("CROSSPATH_REQUIRE_TOOLS").is_none(), "no browser");
        skip("the page in a browser", "there is no Chromium");
    }
    installed
}

/// Script that presses keys and a button, and writes what is visible into the title.
const PROBE: &str = r#"<script>
const errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("load", () => {
  const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const list = () => document.getElementById("list");
  const caption = () => document.getElementById("caption").textContent;
  const told = [caption()];
  press("Home"); told.push(caption());
  press("ArrowRight"); told.push(caption());
  document.getElementById("on").click(); told.push(caption());
  document.querySelector("button.opening").click();
  const one = list().options.length, which = document.getElementById("which");
  which.value = "0";
  which.dispatchEvent(new Event("change"));
  const all = list().options.length;
  document.querySelector("button.opening").click();
  const before = caption(), table = document.querySelector(".wide");
  table.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  if (caption() !== before || all <= one || which.options.length < 2) errors.push("tables scroll, and all games come back");
  const root = document.documentElement;
  const style = getComputedStyle(document.body);
  document.title = JSON.stringify({ told, errors, wide: root.scrollWidth - root.clientWidth, games: list().options.length,
    shapes: document.getElementById("board").children.length, ground: style.backgroundColor, text: style.color });
});
</script></head>"#;

/// Writes a page with a probe script in its head. Returns the name of the file.
pub(crate) fn write_probed_page(place: &Path, page: &str, probe: &str) -> String {
    let probed = path_in(place, "probed.html");
    fs::write(&probed, page.replacen("</head>", probe, 1)).unwrap();
    probed
}

/// Opens a page in a window of this size, in light (0) or dark (1) colours. Returns the JSON that
/// its probe script wrote into the title.
pub(crate) fn run_probe(browser: &str, page: &str, place: &Path, (size, theme): (&str, &str)) -> Value {
    let out = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"])
        .args([format!("--window-size={size}"), format!("--user-data-dir={}", path_in(place, size))])
        .arg(format!("--blink-settings=preferredColorScheme={theme}"))
        .args(["--virtual-time-budget=3000", "--dump-dom", &format!("file://{page}")])
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&out.stdout).into_owned();
    let title =
        dom.split("<title>").nth(1).unwrap_or_else(|| panic!("{dom}")).split("</title>").next().unwrap();
    serde_json::from_str(&title.replace("&quot;", "\"").replace("&lt;", "<").replace("&amp;", "&"))
        .unwrap_or_else(|error| panic!("{error}: {title}"))
}

/// Script that steps through the first game of a page and writes the captions into the title.
const CAPTIONS: &str = r#"<script>
const errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("load", () => {
  const told = [], caption = () => told.push(document.getElementById("caption").textContent);
  const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press("Home"); caption();
  for (const _ of [1, 2, 3]) { press("ArrowRight"); caption(); }
  document.title = JSON.stringify({ told, errors, shapes: document.getElementById("board").children.length });
});
</script></head>"#;

#[test]
fn move_numbers_in_a_browser_start_after_the_set_up_position() {
    let Some(browser) = browser() else { return };
    let place = folder();
    let [openings, records, page] =
        ["openings", "games", "page.html"].map(|name| path_in(place.path(), name));
    fs::write(&openings, "a1 / b4 / 2 / 5: b2\n").unwrap();
    let match_of =
        ["arena", "--game", "hex", "--size", "5", "--quiet", "--pairs", "1", "--openings", &openings];
    let engines = ["--engine", "a=level:1", "--engine", "b=level:2", "--out", &records];
    assert_eq!(run(&[&match_of[..], &engines].concat(), "").code, Some(0));
    assert_eq!(run(&["arena", "--report", &records, "--html", &page], "").code, Some(0));
    let probed = write_probed_page(place.path(), &fs::read_to_string(&page).unwrap(), CAPTIONS);
    let seen = run_probe(&browser, &probed, place.path(), ("1280,900", "1"));
    assert_eq!(seen["errors"].as_array().unwrap().len(), 0, "{seen}");
    let captions: Vec<&str> =
        seen["told"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    // Setting up the position is a step of its own. Then Blue plays b2.
    assert!(
        captions[0].ends_with(said!("to-move-2", "Blue"))
            && captions[1].ends_with(said!("to-move-2", "Blue"))
    );
    assert!(
        captions[2].contains(" 1. Blue b2. ") && captions[2].ends_with(said!("to-move-2", "Red")),
        "{captions:?}"
    );
    assert!(captions[3].contains(" 2. Red "), "{captions:?}");
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else { return };
    let place = folder();
    let (records, page) = play_and_render_match(place.path(), "hex", "5", "2");
    let probed = write_probed_page(place.path(), &page, PROBE);
    let mut grounds = BTreeSet::new();
    for (size, theme) in [("390,844", "0"), ("1280,900", "1")] {
        let seen = run_probe(&browser, &probed, place.path(), (size, theme));
        assert_eq!(seen["errors"].as_array().unwrap().len(), 0, "{seen}");
        assert!(seen["wide"].as_i64().unwrap() <= 0, "nothing is wider than the window: {seen}");
        let captions: Vec<&str> =
            seen["told"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        assert!(captions[0].contains(" won: connected."), "{captions:?}");
        assert!(
            captions[1].ends_with(said!("to-move-2", "Red"))
                && captions[2].contains(" 1. Red ")
                && captions[3].contains(" 2. "),
            "{captions:?}"
        );
        assert!(seen["shapes"].as_u64().unwrap() > 25 && seen["games"].as_u64().unwrap() >= 2);
        assert!(seen["games"].as_u64().unwrap() < records.len() as u64, "those of one opening");
        grounds.insert(seen["ground"].to_string());
    }
    assert_eq!(grounds.len(), 2, "dark and light: {grounds:?}");
}
