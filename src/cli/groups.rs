//! Groups of options in `--help`, each with its heading. An option without a group stays under `Options`.

use clap::Command;

/// Heading of a group and the identifiers of its options.
type OptionGroup = (&'static str, &'static [&'static str]);

/// Options for search limits, shared by several commands.
const SEARCH_LIMIT_OPTIONS: OptionGroup = ("Search limits", &["nodes", "depth", "movetime", "cpu_time"]);

/// Options for the engines of a played game.
const PLAY_ENGINE_OPTIONS: OptionGroup = (
    "Engine",
    &[
        "engine",
        "net",
        "seed",
        "nodes",
        "depth",
        "movetime",
        "cpu_time",
        "threads",
        "memory",
        "stats",
        "response_timeout",
    ],
);

/// Options that only `crosspath --help` shows, not `crosspath -h`.
const LONG_HELP_ONLY_OPTIONS: [&str; 20] = [
    "words",
    "net",
    "game_number",
    "position",
    "nodes",
    "depth",
    "cpu_time",
    "threads",
    "memory",
    "stats",
    "response_timeout",
    "time_over",
    "tui",
    "strict",
    "log",
    "glyphs",
    "tiles",
    "no_motion",
    "mouse",
    "print_paths",
];

/// Returns the option groups of a command.
fn option_groups(command: &str) -> &'static [OptionGroup] {
    match command {
        "crosspath" => &[
            PLAY_ENGINE_OPTIONS,
            ("Clocks", &["time", "time_over"]),
            ("Screen", &["plain", "words", "tui", "color", "glyphs", "theme", "tiles", "no_motion", "mouse"]),
            ("Files and scripts", &["position", "game_number", "json", "strict", "log", "print_paths"]),
        ],
        "arena" => &[
            ("Engines", &["engines", "gauntlet", "anchor", "dir", "setup", "swaps"]),
            ("Match", &["pairs", "sprt", "seed", "openings", "max_plies", "threads"]),
            SEARCH_LIMIT_OPTIONS,
            ("Time control", &["margin", "hang"]),
            (
                "Output",
                &["out", "force", "resume", "report", "html", "write_job", "write_openings", "json", "quiet"],
            ),
        ],
        "selfplay" => &[
            ("Engine", &["engine", "teacher", "taught_every", "evaluator", "batch"]),
            ("Games", &["games", "openings", "temperature_plies", "seed", "threads"]),
            SEARCH_LIMIT_OPTIONS,
            ("Output", &["out", "force", "write_job", "json", "quiet"]),
        ],
        "tune" => &[
            ("Tuning", &["engine", "parameters", "iterations", "pairs", "probes"]),
            ("Games", &["openings", "seed", "threads"]),
            SEARCH_LIMIT_OPTIONS,
            ("Output", &["out", "force", "write_job"]),
        ],
        "engine" => &[
            ("Engine", &["level", "engine", "net", "seed", "threads", "memory", "stats"]),
            SEARCH_LIMIT_OPTIONS,
            ("Protocol", &["config", "swap_dialect", "log"]),
        ],
        "solve" => &[
            ("Limits", &["nodes", "movetime", "memory", "threads"]),
            ("Output", &["proof", "force", "map", "resume", "json"]),
        ],
        "picture" => &[
            ("Content", &["position", "moves", "game_number", "at", "sheet", "animated"]),
            ("Output", &["svg", "theme", "out", "force"]),
        ],
        "review" => &[
            ("Engine", &["level", "nodes", "depth", "movetime", "cpu_time"]),
            ("Output", &["json", "html", "force"]),
        ],
        "mistakes" => &[("Engine", &["level", "nodes", "depth", "movetime", "cpu_time"])],
        "convert" => &[("Output", &["to", "out", "force"])],
        "merge" => &[("Output", &["out", "force", "next", "missing", "json"])],
        _ => &[],
    }
}

/// Puts the options of a command under their headings.
pub(super) fn group_options(command: Command) -> Command {
    let groups = option_groups(command.get_name());
    let is_play = command.get_name() == "crosspath";
    command.mut_args(|flag| {
        let id = flag.get_id().as_str();
        let group = groups.iter().find(|(_, ids)| ids.contains(&id)).filter(|_| !flag.is_positional());
        let is_long = is_play && LONG_HELP_ONLY_OPTIONS.contains(&id);
        match group {
            Some((heading, _)) => flag.help_heading(*heading).hide_short_help(is_long),
            None => flag,
        }
    })
}
