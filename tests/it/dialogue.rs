//! In-process dialogue in the Quoridor Text Protocol.

use crosspath::ai::Limits;
use crosspath::protocol::qtp::{QtpOptions, QtpSession};
use crosspath::random::RandomGenerator;
use rand::RngExt;

/// Returns options that make every search short and reproducible.
pub(crate) fn fast_options(seed: u64) -> QtpOptions {
    let limits = Limits { nodes: Some(40), ..Limits::default() };
    QtpOptions { seed: Some(seed), limits, ..QtpOptions::default() }
}

pub(crate) struct Dialogue(pub(crate) QtpSession);

impl Dialogue {
    pub(crate) fn new() -> Self {
        Dialogue::with(&fast_options(1))
    }

    pub(crate) fn with(options: &QtpOptions) -> Self {
        Dialogue(QtpSession::new(options).unwrap())
    }

    /// Returns a dialogue after commands, separated by newlines or semicolons. Panics if one
    /// fails.
    pub(crate) fn after(text: &str) -> Self {
        let mut dialogue = Dialogue::new();
        dialogue.all(text);
        dialogue
    }

    pub(crate) fn all(&mut self, text: &str) {
        for line in text.split([';', '\n']) {
            self.ok(line);
        }
    }

    /// Returns the answer without the empty line that ends it; empty if there is none.
    pub(crate) fn ask(&mut self, line: impl AsRef<[u8]>) -> String {
        let line = line.as_ref();
        let Some(answer) = self.0.answer(line) else { return String::new() };
        let body = answer.strip_suffix("\n\n").unwrap_or_else(|| panic!("{answer:?} has no end"));
        assert!(answer.starts_with(['=', '?']), "{answer:?}");
        // A drawn board begins after the status character.
        assert!(!body[1..].trim_start_matches('\n').contains("\n\n"), "an empty line in {answer:?}");
        assert!(!body.ends_with(['\n', ' ']) && !body.contains(['\r', '\0']), "{answer:?}");
        body.to_owned()
    }

    /// Sends a line that must succeed and returns the text of its answer.
    pub(crate) fn ok(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        match answer.strip_prefix("= ").or_else(|| answer.strip_prefix('=')) {
            Some(text) => text.to_owned(),
            None => panic!("{line} was answered {answer:?}"),
        }
    }

    /// Sends a line that must fail and returns the error text.
    pub(crate) fn fails(&mut self, line: impl AsRef<[u8]>) -> String {
        let answer = self.ask(&line);
        match answer.strip_prefix("? ") {
            Some(text) => text.to_owned(),
            None => panic!("{:?} was answered {answer:?}", String::from_utf8_lossy(line.as_ref())),
        }
    }

    pub(crate) fn position(&mut self) -> String {
        self.ok("get_position")
    }

    /// Returns the answers of all commands that only query the state.
    pub(crate) fn state(&mut self) -> String {
        let questions =
            "showboard;get_position;history;winner;level;movetime;nodes;depth;seed;stats;distance";
        let answers: Vec<String> = questions.split(';').map(|line| self.ask(line)).collect();
        answers.join("\n")
    }

    /// Plays a move such as `E8` or `D8h` for a colour.
    pub(crate) fn play(&mut self, color: &str, mv: &str) -> String {
        match mv.strip_suffix(['h', 'v']) {
            Some(vertex) => self.ask(format!("playwall {color} {vertex} {}", &mv[vertex.len()..])),
            None => self.ask(format!("playmove {color} {mv}")),
        }
    }
}

/// Returns the names of all commands.
pub(crate) fn commands() -> Vec<String> {
    Dialogue::new().ok("list_commands").lines().map(str::to_owned).collect()
}

/// Returns a random choice.
pub(crate) fn pick<'a, T: ?Sized>(generator: &mut RandomGenerator, choices: &[&'a T]) -> &'a T {
    choices[generator.random_range(0..choices.len())]
}

/// Returns a line that is often nearly valid: random commands and arguments, sometimes damaged.
pub(crate) fn random_line(generator: &mut RandomGenerator, size: u32) -> Vec<u8> {
    let color = ["black", "white", "b", "w", "B", "White", "BLACK", "purple", ""];
    let lies = ["h", "v", "H", "V", "horizontal", "vertical", "Vertical", "x", ""];
    let numbers =
        ["0", "1", "2", "3", "5", "007", "-1", "+2", "9x", "2147483648", "99999999999999999999", ""];
    let mut vertex = || {
        let row = generator.random_range(0..=size + 1);
        let column = b'a' + u8::try_from(generator.random_range(0..=size)).unwrap();
        format!("{}{row}", char::from(column))
    };
    let (one, other) = (vertex(), vertex());
    let color = pick(generator, &color);
    let text = match generator.random_range(0..40) {
        0..10 => format!("playmove {color} {one}"),
        10..19 => format!("playwall {color} {one} {}", pick(generator, &lies)),
        19 => format!("genmove {color}"),
        20..24 => format!("undo {}", pick(generator, &numbers)),
        24 => format!("redo {}", pick(generator, &numbers)),
        25 => format!("walls {}", pick(generator, &numbers)),
        26 => format!("boardsize {}", pick(generator, &["3", "5", "7", "4", "27", "1", "x", ""])),
        27 => "clear_board".to_owned(),
        28 => format!("reason {color} {one} {}", pick(generator, &lies)),
        29 => format!("legal {color}"),
        30 => format!("position {one}/-/{one} {other}/3 3/1/{}", pick(generator, &["5", "7", "3", "", "x"])),
        31 => {
            pick(generator, &["history", "get_position", "distance", "eval", "stats", "showboard"]).to_owned()
        }
        32 => format!("level {}", pick(generator, &["classic", "1", "4", "9", "0", "Classic", ""])),
        33 => format!("time_left {color} {}", pick(generator, &numbers)),
        34 => format!("seed {}", pick(generator, &numbers)),
        35 => format!("known_command {}", pick(generator, &["name", "NAME", "play", "undo", ""])),
        36 => format!("playwall {one} {color} {}", pick(generator, &lies)),
        37 => pick(generator, &["winner", "name", "version", "list_commands", "x", "# name"]).to_owned(),
        38 => format!("perft {}", pick(generator, &["0", "1", "6", "x", ""])),
        _ => String::new(),
    };
    let mut bytes = text.into_bytes();
    // Some lines are damaged.
    if generator.random_range(0..6) == 0 {
        for _ in 0..generator.random_range(1..4) {
            let byte = generator.random_range(0..=255_u8);
            let at = generator.random_range(0..=bytes.len());
            match generator.random_range(0..3) {
                0 => bytes.insert(at, byte),
                1 if at < bytes.len() => bytes[at] = byte,
                _ => bytes.truncate(at),
            }
        }
    }
    bytes.retain(|&byte| byte != b'\n');
    bytes
}
