//! Scripts by which shells complete the command line.

use clap::builder::{PossibleValuesParser, Str};
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;

use super::{GAME, MODES, command};
use crate::registry::Entry;

/// Returns the script for a shell.
pub(crate) fn completions(shell: Shell, games: &'static [Entry]) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completable(games), "crosspath", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        // The generator takes the first word for the file and the second one for the command. There is only one of them.
        Shell::Zsh => script
            .replace(
                "'::file -- Move file to replay:_files' \\\n\":: :_crosspath_commands\"",
                "\":command or file:{_crosspath_commands; _files}\"",
            )
            .replace("$line[2]", "$line[1]"),
        // A flag whose value is still to come is an error for the generator's script, which then offers nothing.
        Shell::Fish => script.replace(" 2>/dev/null\n\tor return\n", " 2>/dev/null\n"),
        _ => script,
    }
}

/// Returns the command line for scripts that complete it: modes, games, levels and opponents by name, and no files
/// where a number or a time is asked for.
fn completable(games: &'static [Entry]) -> Command {
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
    for level in games.iter().flat_map(Entry::levels).map(ToString::to_string) {
        if !levels.contains(&level.as_str()) {
            levels.push(level.leak()); // clap keeps them as long as the program runs
        }
    }
    let opponents = ["human"].into_iter().chain(levels.iter().copied());
    let of_id = [
        ("mode", Parser::new(MODES)),
        (GAME, Parser::new(games.iter().map(|entry| entry.name))),
        ("opponent", Parser::new(opponents)),
        ("level", Parser::new(levels.clone())),
    ];
    with_values(command(games), &of_id)
}
