//! Tables of playing strength: the script plays matches of every level and writes the results
//! between marks on a page.

use std::fs;
use std::path::Path;
use std::process::Command;

use crosspath::ai::EngineKind;
use crosspath::registry::GAMES;

use crate::selfplay::python;
use crate::support::{Run, folder, run_on};

fn run_strength_script(arguments: &[&str]) -> Run {
    let mut script = Command::new("sh");
    script.arg("scripts/strength.sh").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    script.env("CROSSPATH", env!("CARGO_BIN_EXE_crosspath"));
    run_on(script, "")
}

/// Returns the table of a game on a page, without the marks around it.
fn game_table<'a>(page: &'a str, game: &str) -> &'a str {
    let (_, behind) = page.split_once(&format!("<!-- strength:{game} -->\n")).unwrap();
    behind.split_once("<!-- /strength -->").unwrap().0
}

#[test]
fn the_script_writes_a_row_for_every_level_and_resumes() {
    if python("scripts/strength.sh").is_none() {
        return;
    }
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (page, games) = (path("page.md"), path("games"));
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/engines.md"), &page).unwrap();
    let before = fs::read_to_string(&page).unwrap();
    let first = run_strength_script(&["--quick", &page, &games]);
    assert_eq!((first.code, first.out.as_str()), (Some(0), ""), "{}", first.err);
    let written = fs::read_to_string(&page).unwrap();
    for entry in GAMES {
        let table = game_table(&written, entry.name);
        let rows: Vec<&str> = table.lines().filter(|line| line.contains(" against ")).collect();
        let levels = entry.levels().iter().filter(|level| **level != EngineKind::Classic).count();
        assert_eq!(rows.len(), levels, "each but the first against the one below, and one against classic");
        for (row, level) in rows.iter().zip(2..) {
            let level = level.min(levels);
            assert!(row.starts_with(&format!("| {level} against ")), "{row}");
            assert_eq!(row.matches(" | ").count(), 5, "{row}");
        }
        assert!(table.contains(", commit ") && table.contains("; 2"), "{table}");
    }
    // The rest of the page is unchanged.
    let rest = |page: &str| {
        GAMES.iter().fold(page.to_owned(), |page, entry| page.replace(game_table(&page, entry.name), ""))
    };
    assert_eq!(rest(&written), rest(&before));
    // An interrupted match continues, and complete ones are not played again.
    let torn = folder.path().join("games/hex-2-1.jsonl");
    let whole = fs::read(&torn).unwrap();
    fs::write(&torn, &whole[..whole.len() - 9]).unwrap();
    let other = folder.path().join("games/hex-3-2.jsonl");
    let kept = fs::read(&other).unwrap();
    let again = run_strength_script(&["--quick", &page, &games]);
    assert_eq!((again.code, fs::read(&other).unwrap() == kept), (Some(0), true), "{}", again.err);
    assert_eq!(fs::read_to_string(&torn).unwrap().lines().count(), 5);
}

#[test]
fn the_script_explains_its_usage_and_needs_marks_on_the_page() {
    let none = run_strength_script(&[]);
    assert_eq!(
        (none.code, none.err.starts_with("usage: strength.sh FOLDER")),
        (Some(2), true),
        "{}",
        none.err
    );
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert_eq!(run_strength_script(&[&path("games"), "many"]).code, Some(2));
    if python("scripts/strength.sh").is_none() {
        return;
    }
    let page = path("page.md");
    fs::write(&page, "no marks\n").unwrap();
    let refused = run_strength_script(&["--quick", &page, &path("games")]);
    assert_eq!((refused.code, fs::read_to_string(&page).unwrap().as_str()), (Some(1), "no marks\n"));
    assert!(refused.err.contains("lacks the lines <!-- strength:tic-tac-toe -->"), "{}", refused.err);
}
