//! Shell completion scripts for the command line.

use clap::builder::{PossibleValuesParser, Str};
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;

use super::{GAME_ARG_ID, MODE_NUMBERS, build_command_line};
use crate::registry::RegisteredGame;

/// Generates the completion script for a shell.
pub(crate) fn generate_completions(shell: Shell, games: &'static [RegisteredGame]) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut build_completable_command(games), "crosspath", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        // The generator expects a file as the first word and a command as the second; here they are alternatives.
        Shell::Zsh => script
            .replace(
                "'::file -- Move file to replay:_files' \\\n\":: :_crosspath_commands\"",
                "\":command or file:{_crosspath_commands; _files}\"",
            )
            .replace("$line[2]", "$line[1]"),
        // Bash splits `--flag=value` at the equals sign.
        Shell::Bash => without_value_names(&script).replace(
            "    prev=\"$3\"\n",
            "    prev=\"$3\"\n    [[ \"$prev\" == \"=\" ]] && prev=\"${COMP_WORDS[COMP_CWORD-2]}\"\n",
        ),
        // Without this the script offers nothing after a flag that still lacks its value.
        Shell::Fish => script.replace(" 2>/dev/null\n\tor return\n", " 2>/dev/null\n"),
        _ => script,
    }
}

/// Removes the names of positional values, such as `[FILE]` and `<ID>`, from the words that a bash script offers.
fn without_value_names(script: &str) -> String {
    let is_word = |word: &&str| !word.starts_with(['<', '[']);
    let clean = |line: &str| match line
        .trim_start()
        .strip_prefix("opts=\"")
        .and_then(|rest| rest.strip_suffix('"'))
    {
        Some(words) => {
            let words: Vec<_> = words.split(' ').filter(is_word).collect();
            format!("            opts=\"{}\"\n", words.join(" "))
        }
        None => format!("{line}\n"),
    };
    script.lines().map(clean).collect()
}

/// Returns the command line for completion scripts: it lists modes, games, levels and opponents by name, and
/// offers no files for numbers and times.
fn build_completable_command(games: &'static [RegisteredGame]) -> Command {
    type Parser = PossibleValuesParser;
    fn with_values(command: Command, of_id: &[(&str, Parser)]) -> Command {
        let complete = |arg: Arg| {
            let is_number = |name: &Str| ["N", "U64", "TIME", "MIB"].contains(&name.as_str());
            match of_id.iter().find(|(id, _)| arg.get_id() == *id) {
                Some((_, values)) => arg.value_parser(values.clone()),
                None if arg.get_value_names().is_some_and(|names| names.iter().any(is_number)) => {
                    arg.value_hint(ValueHint::Other)
                }
                None => arg,
            }
        };
        command.mut_args(complete).mut_subcommands(|command| with_values(command, of_id))
    }
    let mut levels: Vec<&'static str> = Vec::new();
    for level in games.iter().flat_map(RegisteredGame::levels).map(ToString::to_string) {
        if !levels.contains(&level.as_str()) {
            levels.push(level.leak()); // clap keeps them as long as the program runs
        }
    }
    let opponents = ["human"].into_iter().chain(levels.iter().copied());
    let of_id = [
        ("mode", Parser::new(MODE_NUMBERS)),
        (GAME_ARG_ID, Parser::new(games.iter().map(|entry| entry.name))),
        ("opponent", Parser::new(opponents)),
        ("level", Parser::new(levels.clone())),
    ];
    with_values(build_command_line(games), &of_id)
}
