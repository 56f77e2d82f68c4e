//! What the words of a player do to a match.

use std::io;
use std::path::Path;

use crate::ai::Level;
use crate::command::{self, WORDS, Word};
use crate::game::Illegal;
use crate::play::{Leaving, Match, Mode, Next};
use crate::record::{self, Form, file};
use crate::registry;
use crate::session::Session;
use crate::ui::{By, Screen};
use crate::words as sentences;

/// The outcome of a word: what is said, and whether the board is shown after it.
enum Done {
    Said(Vec<String>),
    Changed(Vec<String>),
    Leave,
    Reopen,
}

impl<'s> Match<'s, dyn Screen + 's> {
    /// Does what a word asks for.
    pub(super) fn word(&mut self, word: Word, rest: &str) -> io::Result<Next> {
        let done = match word {
            Word::Help => Ok(Done::Said(help(&*self.session, rest))),
            Word::Board => Ok(Done::Changed(Vec::new())),
            Word::Moves => Ok(Done::Said(moves(&*self.session))),
            Word::Legal => Ok(Done::Said(legal(&*self.session))),
            Word::Where => Ok(Done::Said(where_is_what(&*self.session))),
            Word::Undo => self.undo(rest),
            Word::Redo => self.redo(rest),
            Word::New => self.new_game(rest)?,
            Word::Level => self.set_level(rest),
            Word::Save => self.save(rest),
            Word::Load => self.load(rest)?,
            Word::Quit => Ok(Done::Leave),
        };
        match done {
            Ok(Done::Said(lines)) => self.screen.say(&lines)?,
            Ok(Done::Changed(lines)) => {
                self.screen.say(&lines)?;
                self.screen.board(&*self.session)?;
            }
            Ok(Done::Leave) => return Ok(Next::Leave(Leaving::Done)),
            Ok(Done::Reopen) => self.open()?,
            Err(illegal) => return self.refuse(&illegal),
        }
        Ok(Next::On)
    }

    fn human_to_move(&mut self) -> bool {
        self.mover().by() == By::Human
    }

    fn undo(&mut self, rest: &str) -> Result<Done, Illegal> {
        let nothing = || Illegal::new("nothing-to-undo", "There is nothing to undo.");
        let mut taken = Vec::new();
        if let Some(count) = count(rest, "undo")? {
            if count > self.session.plies() {
                return Err(nothing());
            }
            taken.extend((0..count).filter_map(|_| self.session.undo()));
        } else {
            while let Some(text) = self.session.undo() {
                taken.push(text);
                if self.human_to_move() {
                    break;
                }
            }
            if !taken.is_empty() && !self.human_to_move() {
                for _ in &taken {
                    self.session.redo();
                }
                return Err(nothing());
            }
        }
        if taken.is_empty() {
            return Err(nothing());
        }
        taken.reverse();
        self.announced = None;
        Ok(Done::Changed(vec![sentences::took_back(&*self.session, &taken)]))
    }

    fn redo(&mut self, rest: &str) -> Result<Done, Illegal> {
        let nothing = || Illegal::new("nothing-to-redo", "There is nothing to redo.");
        let mut again = Vec::new();
        if let Some(count) = count(rest, "redo")? {
            if count > self.session.redoable() {
                return Err(nothing());
            }
            again.extend((0..count).filter_map(|_| self.session.redo()));
        } else {
            while let Some(text) = self.session.redo() {
                again.push(text);
                if self.human_to_move() {
                    break;
                }
            }
        }
        if again.is_empty() {
            return Err(nothing());
        }
        let lines = vec![sentences::played_again(&*self.session, &again)];
        let is_over = self.session.outcome().is_some();
        Ok(if is_over { Done::Said(lines) } else { Done::Changed(lines) })
    }

    /// `new`, `new GAME`, `new GAME SIZE`, `new SIZE`.
    fn new_game(&mut self, rest: &str) -> io::Result<Result<Done, Illegal>> {
        let mut settings = self.settings.clone();
        let mut words = rest.split_whitespace().peekable();
        if let Some(word) = words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
        {
            match registry::find(word) {
                Ok(entry) => settings.entry = entry,
                Err(error) => return Ok(Err(Illegal::new("not-understood", format!("{error}.")))),
            }
            settings.variant = registry::Variant::default();
        }
        if let Some(size) = words.next() {
            settings.variant = registry::Variant::default();
            if let Err(error) = settings.variant.set("size", size) {
                return Ok(Err(Illegal::new("bad-number", format!("{error}."))));
            }
        }
        let session = match settings.entry.session(&settings.variant) {
            Ok(session) if words.next().is_none() => session,
            Ok(_) => {
                return Ok(Err(Illegal::new(
                    "not-understood",
                    "new takes a game and a size: new tic-tac-toe 5.",
                )));
            }
            Err(error) => return Ok(Err(Illegal::new("bad-number", format!("{error}.")))),
        };
        let unfinished = self.session.outcome().is_none() && self.session.plies() > 0;
        if unfinished {
            self.screen.say(&[sentences::NOT_SAVED.to_owned()])?;
        }
        self.settings = settings;
        self.take_over(session);
        Ok(Ok(Done::Reopen))
    }

    /// Puts another session on the board and the players around it.
    fn take_over(&mut self, session: Box<dyn Session>) {
        let same_game = session.name() == self.session.name();
        self.session = session;
        self.announced = None;
        if !same_game && !self.session.levels().contains(&self.level) {
            self.level = self.settings.entry.default_level;
        }
        self.seat(None);
    }

    fn set_level(&mut self, rest: &str) -> Result<Done, Illegal> {
        if self.settings.mode == Mode::Humans {
            return Err(Illegal::new("bad-number", "No machine plays here, so there is no level to set."));
        }
        let levels = sentences::levels(&*self.session);
        if rest.is_empty() {
            return Ok(Done::Said(vec![format!(
                "The machine plays level {}. Levels: {levels}.",
                self.level
            )]));
        }
        let level: Option<Level> = rest.parse().ok().filter(|level| self.session.levels().contains(level));
        let Some(level) = level else {
            let read = Illegal::shown(rest);
            return Err(Illegal::new(
                "bad-number",
                format!("level {read} does not exist. Levels: {levels}."),
            ));
        };
        self.level = level;
        for player in &mut self.players {
            player.set_level(&*self.session, level);
        }
        Ok(Done::Said(vec![format!("The machine now plays level {level}.")]))
    }

    fn save(&self, rest: &str) -> Result<Done, Illegal> {
        if rest.is_empty() {
            return Err(Illegal::new("file", "save needs the name of a file, such as save game.txt."));
        }
        let shown = Illegal::shown_path(rest);
        let path = Path::new(rest);
        if let Ok(bytes) = file::load(path)
            && !bytes.starts_with(b"# crosspath")
        {
            let text =
                format!("{shown} exists and is no saved game; it stays as it is. Choose another name.");
            return Err(Illegal::new("file", text));
        }
        let mut remarks = Vec::new();
        if let Some(outcome) = self.session.outcome() {
            remarks.push(("result".to_owned(), outcome.to_string()));
        }
        match file::save(path, &record::write(&*self.session, &remarks)) {
            Ok(()) => Ok(Done::Said(vec![format!("Saved in {shown}. load {shown} goes on from there.")])),
            Err(error) => Err(Illegal::new("file", format!("cannot write {shown}: {error}"))),
        }
    }

    fn load(&mut self, rest: &str) -> io::Result<Result<Done, Illegal>> {
        let wrong = |text: String| Ok(Err(Illegal::new("file", text)));
        if rest.is_empty() {
            return wrong("load needs the name of a file, such as load game.txt.".to_owned());
        }
        let shown = Illegal::shown_path(rest);
        let bytes = match file::load(Path::new(rest)) {
            Ok(bytes) => bytes,
            Err(error) => return wrong(format!("cannot read {shown}: {error}")),
        };
        let mut settings = self.settings.clone();
        match record::header(&bytes) {
            Ok(Some(header)) => (settings.entry, settings.variant) = (header.game, header.variant),
            Ok(None) => {}
            Err(bad) => return wrong(format!("{shown}:{bad}")),
        }
        let mut session = match settings.entry.session(&settings.variant) {
            Ok(session) => session,
            Err(error) => return wrong(format!("{shown}:1: {error}")),
        };
        let script = record::moves(&bytes, &*session, settings.entry.digit_files);
        for noted in &script.moves {
            match session.play(&noted.text) {
                Ok(_) => {}
                Err(_) if script.form == Form::Digits && session.outcome().is_some() => break,
                Err(illegal) if script.form == Form::Digits => {
                    let why = illegal.reason();
                    self.screen.note(&format!("{shown}:{}: {why}; the pair is dropped", noted.line))?;
                }
                Err(illegal) => return wrong(format!("{shown}:{}: {}", noted.line, illegal.reason())),
            }
        }
        self.settings = settings;
        self.take_over(session);
        let text = match (self.session.plies(), self.session.outcome()) {
            (plies, Some(_)) => format!("Loaded {plies} moves from {shown}. The game is over."),
            (plies, None) => {
                format!("Loaded {plies} moves from {shown}. {}", sentences::turn(&*self.session))
            }
        };
        let is_over = self.session.outcome().is_some();
        Ok(Ok(if is_over { Done::Said(vec![text]) } else { Done::Changed(vec![text]) }))
    }
}

/// A number behind a word; `None` if nothing stands there.
fn count(rest: &str, word: &str) -> Result<Option<usize>, Illegal> {
    if rest.is_empty() {
        return Ok(None);
    }
    rest.parse().ok().filter(|&count| count > 0).map(Some).ok_or_else(|| {
        let read = Illegal::shown(rest);
        Illegal::new("bad-number", format!("{word} takes a number of moves from 1 on, not \"{read}\"."))
    })
}

fn help(session: &dyn Session, rest: &str) -> Vec<String> {
    if let Some(entry) = command::find(rest).and_then(|word| WORDS.iter().find(|entry| entry.word == word)) {
        let usage = format!("{} {}", entry.name, entry.arguments);
        return vec![format!("{}: {}.", usage.trim_end(), entry.short), entry.long.to_owned()];
    }
    let mut lines = session.rules();
    lines.push(session.typing());
    lines.extend(WORDS.iter().map(|entry| {
        let usage = format!("{} {}", entry.name, entry.arguments);
        format!("{usage:<20} {}", entry.short)
    }));
    lines
}

fn moves(session: &dyn Session) -> Vec<String> {
    let played = session.played();
    if played.is_empty() {
        return vec!["No moves yet.".to_owned()];
    }
    played.chunks(2).zip(1..).map(|(round, number)| format!("{number:>3}. {}", round.join(" "))).collect()
}

fn legal(session: &dyn Session) -> Vec<String> {
    let moves = session.legal();
    if moves.is_empty() { vec!["No moves: the game is over.".to_owned()] } else { vec![moves.join(" ")] }
}

fn where_is_what(session: &dyn Session) -> Vec<String> {
    let mut lines = session.facts();
    let last = session.last().map_or_else(|| "No move yet.".to_owned(), |last| format!("Last: {last}."));
    lines.push(match session.ending() {
        Some(_) => format!("{last} The game is over."),
        None => format!("{last} {}", sentences::turn(session)),
    });
    lines
}
