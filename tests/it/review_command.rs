//! The command `crosspath review`: output as lines, JSON and HTML, and refusals.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::page::{browser, run_probe, write_probed_page};
use crate::sentences::said;
use crate::support::{Run, folder, run};

/// Game in which X could win with c1 after b1, which also blocks the row a1 b1 c1, but misses it.
const GAME: &str = "# crosspath tic-tac-toe size=3\nb2 a1 c3 b1 a2 c1\n";

/// Runs a review of a file with this text.
fn run_review(place: &Path, text: &str, more: &[&str]) -> Run {
    let path = place.join("game.txt");
    fs::write(&path, text).unwrap();
    run(&[&["review", path.to_str().unwrap()], more].concat(), "")
}

#[test]
fn every_move_has_a_line_with_its_win_chance_mark_and_better_move() {
    let place = folder();
    let review = run_review(place.path(), GAME, &[]);
    assert_eq!((review.code, review.err.as_str()), (Some(0), ""));
    let lines = review.lines();
    assert_eq!(lines.len(), 11, "{}", review.out);
    assert_eq!(lines[0], said!("win-chances-after-each", "Tic-tac-toe 3x3"));
    assert_eq!(lines[1].trim_end(), "  1. X b2      X  50%");
    assert!(lines[4].starts_with("  4. O b1  ??  X 100%  better c1 (O 50%, not 0%)"), "{}", lines[4]);
    let fork = said!("after-makes-two-threats", "b1", "X", "c1", "column c and the diagonal c1-a3");
    assert_eq!(lines[5], format!("      {fork}"));
    assert!(lines[6].starts_with("  5. X a2  ??  X   0%  better c1 (X 100%, not 0%)"), "{}", lines[6]);
    assert_eq!(lines[7], format!("      {}", said!("lets-complete-with", "a2", "O", "row 1", "c1")));
    assert_eq!(lines[9], said!("turning-point-move-better", "5", "X", "a2", "c1", "X", "100", "0"));
    assert_eq!(lines[10], said!("marks-of-sides", "X", "1", "0", "0", "O", "1", "0", "0"));
}

#[test]
fn the_first_of_several_games_is_reviewed_with_a_note() {
    let place = folder();
    let games = "(;GM[11]SZ[3];B[a1];W[b2];B[c3])(;GM[11]SZ[3];B[b2])";
    let review = run_review(place.path(), games, &[]);
    assert_eq!(review.code, Some(0), "{}", review.err);
    assert!(review.err.contains("2 games") && !review.err.contains("error"), "{}", review.err);
    assert!(review.lines()[3].trim_start().starts_with("3. Red c3"), "{}", review.out);
}

#[test]
fn json_output_has_one_object_per_move_and_the_summary() {
    let place = folder();
    let unfinished = GAME.replace(" c1", "");
    let result = run_review(place.path(), &unfinished, &["--json"]);
    let lines: Vec<Value> = result.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 6, "{}", result.out);
    assert_eq!(
        lines[0],
        json!({"event": "reviewed", "ply": 1, "side": "first", "move": "b2", "first": 50.0})
    );
    let marked = &lines[3];
    assert_eq!([&marked["mark"], &marked["better"], &marked["line"][0]], ["??", "c1", "c1"]);
    assert_eq!([&marked["cost"], &marked["chance"], &marked["first"]], [50.0, 50.0, 100.0]);
    // The sentences are those of a review in a match.
    let path = place.path().join("game.txt");
    let input = format!("load {}\nreview\n", path.display());
    let in_match = run(&["--mode", "2", "--json"], &input).out;
    let word = in_match.lines().find(|line| line.contains("\"word\":\"review\"")).unwrap();
    let mut word: Value = serde_json::from_str::<Value>(word).unwrap()["result"].take();
    word["event"] = "review".into();
    assert_eq!(lines[5], word);
}

#[test]
fn the_html_page_has_the_game_chart_and_better_lines_and_needs_no_network() {
    let place = folder();
    let page = place.path().join("review.html");
    let result = run_review(place.path(), GAME, &["--html", page.to_str().unwrap()]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    assert!(result.out.contains("review.html"), "{}", result.out);
    let text = fs::read_to_string(&page).unwrap();
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!text.replace("http://www.w3.org", "").contains(outside), "{outside}");
    }
    assert_eq!(text.matches("class=\"bar\"").count(), 7, "a bar for every position");
    for line in result.lines().iter().skip(9).take(2) {
        assert!(text.contains(&crosspath::picture::escape_xml(line)), "{line}");
    }
    let begin = text.split("<script id=\"data\" type=\"application/json\">").nth(1).unwrap();
    let data: Value = serde_json::from_str(begin.split("</script>").next().unwrap()).unwrap();
    let texts: Vec<&Value> = data["steps"].as_array().unwrap().iter().map(|step| &step[0]).collect();
    assert_eq!(texts, ["b2", "a1", "c3", "b1", "a2", "c1"]);
    assert_eq!(data["values"][3], json!(["??", "100%"]));
    assert_eq!(data["captions"].as_array().unwrap().len(), 7);
    let mistakes = data["mistakes"].as_array().unwrap();
    // X's fork at c1 has two winning cells, c2 and a3. The reply at c1 has only the mark of the
    // better move.
    let signs = mistakes[0]["signs"].as_array().unwrap();
    let drawn =
        |sign: &Value| data["shapes"][usize::try_from(sign.as_u64().unwrap()).unwrap()][1].to_string();
    assert_eq!(signs.iter().map(drawn).filter(|svg| svg.contains(">=<")).count(), 2, "{signs:?}");
    assert_eq!(mistakes[1]["signs"], json!([]));
    assert_eq!(mistakes.iter().map(|one| &one["step"]).collect::<Vec<_>>(), [4, 5]);
    let whys = [
        said!("after-makes-two-threats", "b1", "X", "c1", "column c and the diagonal c1-a3"),
        said!("lets-complete-with", "a2", "O", "row 1", "c1"),
    ];
    for (mistake, why) in mistakes.iter().zip(whys) {
        assert!(mistake["told"].as_str().unwrap().ends_with(why), "{mistake}");
        assert_eq!(mistake["line"][0][0], "c1");
        for step in mistake["line"].as_array().unwrap() {
            assert!(!step[1].as_array().unwrap().is_empty(), "a move brings shapes: {step}");
        }
    }
    // An existing file is not replaced.
    let again = run_review(place.path(), GAME, &["--html", page.to_str().unwrap()]);
    assert_eq!(again.code, Some(2), "{}", again.err);
    assert!(again.out.is_empty() && again.err.contains(said!("the-file-exists")), "{}", again.err);
}

#[test]
fn a_review_accepts_links_set_up_positions_and_limits() {
    let place = folder();
    let link = run(&["review", "https://hexworld.org/board/#3nc1,b2a1", "--nodes", "20"], "");
    assert_eq!((link.code, link.err.as_str()), (Some(0), ""));
    assert!(link.out.contains("  2. Blue a1"), "{}", link.out);
    let other = run_review(place.path(), GAME, &["--level", "8", "--depth", "9"]);
    assert!(other.out.contains("better c1 (O 50%, not 0%)"), "{}", other.out);
    let set_up = "# crosspath hex size=3 swap=off\n# position: a1 / b2 / 1 / 3\nc1 a3\n";
    let page = place.path().join("page.html");
    let result = run_review(place.path(), set_up, &["--html", page.to_str().unwrap(), "--nodes", "20"]);
    assert_eq!((result.code, result.err.as_str()), (Some(0), ""));
    let text = fs::read_to_string(&page).unwrap();
    assert_eq!(text.matches("class=\"bar\"").count(), 3, "{}", result.out);
}

#[test]
fn invalid_input_to_a_review_is_refused() {
    let place = folder();
    let empty = run_review(place.path(), "# crosspath tic-tac-toe size=3\n", &[]);
    assert_eq!((empty.code, empty.out.as_str()), (Some(65), ""));
    let nothing = said!("no-move-has-been").trim_end_matches('.').to_owned();
    assert!(empty.err.to_lowercase().contains(&nothing.to_lowercase()), "{}", empty.err);
    let wrong = run_review(place.path(), "# crosspath tic-tac-toe size=3\nb2 b2\n", &[]);
    assert_eq!(wrong.code, Some(65), "{}", wrong.err);
    let level = run_review(place.path(), GAME, &["--level", "99"]);
    assert_eq!(level.code, Some(2), "{}", level.err);
    assert_eq!(run(&["review", "no-such-file"], "").code, Some(65));
}

/// Browser script that goes to the mistake, steps through the better line and back, and writes the
/// visible parts into the title.
const BROWSER_SCRIPT: &str = r##"<script>
const errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("load", () => {
  const at = id => document.getElementById(id), told = [];
  const look = () => told.push([at("caption").textContent, at("told").textContent, at("better").hidden]);
  const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  look();
  press("b"); look();
  press("Escape"); look();
  press("Home"); look();
  document.querySelector("#chart [data-step='2']").dispatchEvent(new MouseEvent("click", { bubbles: true })); look();
  const root = document.documentElement;
  document.title = JSON.stringify({ told, errors, wide: root.scrollWidth - root.clientWidth,
    moves: at("moves").children.length, bars: document.querySelectorAll("#chart [data-step]").length });
});
</script></head>"##;

#[test]
fn the_html_page_works_in_a_browser() {
    let Some(browser) = browser() else { return };
    let place = folder();
    let page = place.path().join("review.html");
    assert_eq!(run_review(place.path(), GAME, &["--html", page.to_str().unwrap()]).code, Some(0));
    let probed = write_probed_page(place.path(), &fs::read_to_string(&page).unwrap(), BROWSER_SCRIPT);
    let seen = run_probe(&browser, &probed, place.path(), ("390,844", "0"));
    assert_eq!(seen["errors"].as_array().unwrap().len(), 0, "{seen}");
    assert!(seen["wide"].as_i64().unwrap() <= 0, "nothing is wider than the window: {seen}");
    assert_eq!([&seen["moves"], &seen["bars"]], [6, 7], "{seen}");
    let result = |place: usize| seen["told"][place][0].as_str().unwrap().to_owned();
    // The page opens at the first mistake, O's b1. The better line begins with c1.
    assert!(result(0).starts_with("4. O b1 ??.") && seen["told"][0][2] == false, "{seen}");
    assert!(seen["told"][0][1].as_str().unwrap().contains("better c1"), "{seen}");
    assert!(result(1).contains("move 1 of"), "{seen}");
    assert_eq!(result(2), result(0), "Esc returns");
    assert!(result(3).ends_with(said!("to-move-2", "X")) && seen["told"][3][2] == true, "{seen}");
    assert!(result(4).starts_with("2. O a1."), "{seen}");
}
