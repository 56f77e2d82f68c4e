//! The published package contains every file that a build needs and fits crates.io, and the notices
//! of third-party crates can be generated.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::support::skip;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the output of cargo, or `None` if it cannot run here, which is noted as skipped.
fn run_cargo(arguments: &[&str]) -> Option<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(arguments).current_dir(root()).output();
    match output {
        Ok(output) if output.status.success() => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        _ => {
            skip("the package", "cargo cannot list it here");
            None
        }
    }
}

#[test]
fn no_crate_is_built_in_two_versions() {
    let Some(twice) = run_cargo(&["tree", "-e", "normal,build", "-d", "--offline", "--locked"]) else {
        return;
    };
    assert_eq!(twice, "");
}

/// Returns the files of the package.
fn list_package_files() -> Option<BTreeSet<String>> {
    let list = run_cargo(&["package", "--list", "--allow-dirty", "--offline", "--locked"])?;
    Some(list.lines().map(|line| line.replace('\\', "/")).collect())
}

/// Returns all files with this extension in a folder and its subfolders.
fn find_files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            paths.extend(find_files(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            paths.push(path);
        }
    }
    paths
}

/// Returns a path relative to the root, with `..` resolved.
fn path_from_root(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.strip_prefix(root()).unwrap().components() {
        if part == Component::ParentDir {
            parts.pop();
        } else {
            parts.push(part.as_os_str().to_string_lossy().into_owned());
        }
    }
    parts.join("/")
}

#[test]
fn the_package_contains_every_file_that_a_build_needs() {
    let Some(packaged) = list_package_files() else { return };
    let mut count = 0;
    for source in find_files(&root().join("src"), "rs") {
        assert!(packaged.contains(&path_from_root(&source)), "{}", source.display());
        let text = fs::read_to_string(&source).unwrap();
        for rest in text.split("include_str!(\"").chain(text.split("include_bytes!(\"")).skip(1) {
            let Some((name, _)) = rest.split_once("\")") else { continue };
            let included = source.parent().unwrap().join(name);
            if included.is_file() {
                count += 1;
                assert!(packaged.contains(&path_from_root(&included)), "{} lacks {name}", source.display());
            }
        }
    }
    assert!(count > 10, "only {count} files are included");
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "SECURITY.md", "Cargo.lock"] {
        assert!(packaged.contains(file), "{file}");
    }
}

#[test]
fn the_package_is_within_the_size_limit_of_crates_io() {
    /// Limit for the uncompressed size in bytes; crates.io accepts 10 MiB compressed.
    const MAX_BYTES: u64 = 5 << 20;
    let Some(packaged) = list_package_files() else { return };
    let size = |name: &String| fs::metadata(root().join(name)).map_or(0, |file| file.len());
    let bytes: u64 = packaged.iter().map(size).sum();
    assert!(bytes > 1 << 20, "{bytes} bytes");
    assert!(bytes <= MAX_BYTES, "{bytes} bytes");
    let is_foreign = |name: &&String| name.starts_with("train/") || name.starts_with("fuzz/");
    assert_eq!(packaged.iter().find(is_foreign), None);
}

#[test]
fn the_notices_of_third_party_crates_can_be_generated() {
    let script = root().join("scripts/third-party.py");
    let Ok(output) = Command::new("python3").arg(&script).current_dir(root()).output() else {
        return skip("notices of third parties", "python3 is not there");
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let notices = String::from_utf8_lossy(&output.stdout);
    for name in ["anyhow", "clap_builder", "crossterm", "rand", "ratatui-core"] {
        assert!(notices.contains(&format!("\n{name} ")), "{name}");
    }
    assert!(notices.contains("Permission is hereby granted"), "{notices}");
}
