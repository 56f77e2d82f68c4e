//! What the words of a player do to a match.

use std::io;
use std::path::Path;

use serde_json::Value;

use crate::ai::EngineConfig;
use crate::command::{self, WORDS, Word};
use crate::game::{Illegal, Side};
use crate::play::{Leaving, Match, Mode, Next, PlayAs};
use crate::player::think;
use crate::random::ADVICE;
use crate::record::file::FileError;
use crate::record::{self, Form, Opened, file};
use crate::registry;
use crate::session::{Answer, DRAW, RESIGN, Session};
use crate::ui::{By, Input, Said, Screen, json};
use crate::words::{self as sentences, answers};

/// How many of the best moves advice names.
const ADVISED_MOVES: usize = 3;

/// The outcome of a word: what is said, and whether the board is shown after it.
enum Done {
    /// Only something to say.
    Said(Vec<String>),
    /// Something to say, and the same for programs.
    Told(Vec<String>, Value),
    /// The position is another one.
    Changed(Vec<String>),
    /// An earlier position is looked at.
    Looking(Vec<String>, Box<dyn Session>),
    /// Another game, and something to say before it.
    Reopen(Vec<String>),
    /// The player typed something else meanwhile.
    Instead(Input),
    Leave,
}

impl<'s> Match<'s, dyn Screen + 's> {
    /// Does what a word asks for.
    pub(super) fn word(&mut self, word: Word, rest: &str) -> io::Result<Next> {
        let done = match word {
            Word::Help => sentences::help(&*self.session, rest).map(Done::Said),
            Word::Board => Ok(self.show_board()),
            Word::Moves => {
                Ok(Done::Told(sentences::moves_played(&*self.session), self.session.played().into()))
            }
            Word::Legal => self.legal(rest),
            Word::Where => {
                let shown = self.shown();
                Ok(Done::Told(sentences::where_is_what(&*shown), json::position(&*shown)))
            }
            Word::Hint => self.hint()?,
            Word::Eval => self.eval()?,
            Word::Undo => self.undo(rest),
            Word::Redo => self.redo(rest),
            Word::Goto => self.look_at(rest),
            Word::Replay => self.replay(rest),
            Word::Next => self.step(rest, 1),
            Word::Back => self.step(rest, -1),
            Word::Play => self.play_on(),
            Word::New => self.new_game(rest),
            Word::Level => self.set_level(rest),
            Word::Side => self.change_side(rest),
            Word::Resign => self.resign(),
            Word::Draw => self.claim_draw(),
            Word::Stats => Ok(Done::Said(self.numbers())),
            Word::Save => self.save(rest),
            Word::Load => self.load(rest)?,
            Word::Quit => Ok(Done::Leave),
        };
        let name = WORDS.iter().find(|entry| entry.word == word).map_or("", |entry| entry.name);
        let say = |screen: &mut dyn Screen, lines, result| screen.say(&Said { word: name, lines, result });
        match done {
            Ok(Done::Said(lines)) => say(self.screen, lines, None)?,
            Ok(Done::Told(lines, result)) => say(self.screen, lines, Some(result))?,
            Ok(Done::Changed(lines)) => {
                say(self.screen, lines, Some(json::position(&*self.session)))?;
                self.return_to_now();
                self.screen.board(&*self.session)?;
            }
            Ok(Done::Looking(lines, there)) => {
                say(self.screen, lines, Some(json::position(&*there)))?;
                self.screen.look(&*there)?;
            }
            Ok(Done::Instead(input)) => return self.typed(input),
            Ok(Done::Leave) => {
                say(self.screen, Vec::new(), None)?;
                return Ok(Next::Leave(Leaving::Done));
            }
            Ok(Done::Reopen(lines)) => {
                say(self.screen, lines, Some(json::position(&*self.session)))?;
                self.open()?;
            }
            Err(illegal) => return self.refuse(&illegal),
        }
        Ok(Next::On)
    }

    /// The board as it is shown, with its position for programs.
    fn show_board(&self) -> Done {
        match self.looking {
            Some(ply) => Done::Looking(Vec::new(), self.session.after(ply)),
            None => Done::Changed(Vec::new()),
        }
    }

    /// The position that is shown: the one now, or the earlier one that is looked at.
    pub(super) fn shown(&self) -> Box<dyn Session> {
        self.session.after(self.looking.unwrap_or(usize::MAX))
    }

    fn human_to_move(&mut self) -> bool {
        self.mover().by() == By::Human
    }

    /// What the default level would play, with chance of its own, so that the machine's next move stays what it was. The
    /// inner error is what the player typed instead of waiting.
    fn ask_adviser(&mut self, session: &dyn Session) -> io::Result<Result<Answer, Input>> {
        let config = EngineConfig::new(self.settings.seed, ADVICE);
        let level = self.settings.entry.default_level;
        let mut adviser = session.machine(level, &config).expect("the default level exists");
        let (sessions, limits) = ((session, &*self.session), self.settings.limits);
        let answer = think(&mut *adviser, Some(ADVISED_MOVES), sessions, limits, &self.sign, self.screen)?;
        if let Ok(answer) = &answer {
            self.screen.advised(session, &answer.report);
        }
        Ok(answer)
    }

    /// A move and its reason.
    fn hint(&mut self) -> io::Result<Result<Done, Illegal>> {
        let shown = self.shown();
        if shown.outcome().is_some() {
            return Ok(Err(answers::nothing_to_advise()));
        }
        let answer = match self.ask_adviser(&*shown)? {
            Ok(answer) => answer,
            Err(input) => return Ok(Ok(Done::Instead(input))),
        };
        let reason = shown.reason(&answer.text);
        let value = shown.values().into_iter().find(|(text, _)| *text == answer.text).map(|(_, value)| value);
        // A reason that says what the move is worth needs no value beside it.
        let stem = |value: &str| value.split(' ').next().unwrap_or_default().trim_end_matches('s').to_owned();
        let is_said = |value: &&String| reason.as_ref().is_some_and(|reason| reason.contains(&stem(value)));
        let why = reason.iter().chain(value.as_ref().filter(|value| !is_said(value)));
        let why: Vec<&str> = why.map(String::as_str).collect();
        let lines = vec![answers::hint(&answer.text, &why)];
        let best: Vec<Value> = answer
            .report
            .candidates
            .iter()
            .filter_map(|candidate| Some((&candidate.text, candidate.worth.as_ref()?)))
            .map(|(text, worth)| serde_json::json!({"move": text, "worth": worth}))
            .collect();
        let result = serde_json::json!({"move": answer.text, "reason": reason, "value": value, "best": best});
        Ok(Ok(Done::Told(lines, result)))
    }

    /// The exact worth of every move, or what a search thinks of the position.
    fn eval(&mut self) -> io::Result<Result<Done, Illegal>> {
        let shown = self.shown();
        let values = shown.values();
        if !values.is_empty() {
            let words: Vec<String> = values.iter().map(|(text, value)| format!("{text} {value}")).collect();
            let lines = words.chunks(3).map(|row| row.join("   ")).collect();
            let members: serde_json::Map<String, Value> =
                values.into_iter().map(|(text, value)| (text, value.into())).collect();
            return Ok(Ok(Done::Told(lines, members.into())));
        }
        if shown.outcome().is_some() {
            return Ok(Err(answers::nothing_is_worth_anything()));
        }
        let answer = match self.ask_adviser(&*shown)? {
            Ok(answer) => answer,
            Err(input) => return Ok(Ok(Done::Instead(input))),
        };
        let name = shown.side_name(shown.to_move());
        if answer.report.is_without_search() {
            return Ok(Ok(Done::Said(vec![answers::would_play_at_once(name, &answer.text)])));
        }
        let mut lines = vec![answers::would_play(name, &answer.text, &sentences::stats(&answer.report))];
        lines.extend(sentences::best_moves(&answer.report));
        Ok(Ok(Done::Said(lines)))
    }

    /// `goto N`, `goto end`.
    fn look_at(&mut self, rest: &str) -> Result<Done, Illegal> {
        let last = self.session.plies();
        if rest.eq_ignore_ascii_case("end") {
            self.is_replaying = false;
            return Ok(self.look(last));
        }
        if let Some(ply) = rest.parse().ok().filter(|&ply| ply <= last) {
            return Ok(self.look(ply));
        }
        Err(answers::no_such_move(last, rest))
    }

    /// Shows the position after so many moves; the game stays where it is.
    fn look(&mut self, ply: usize) -> Done {
        let last = self.session.plies();
        if ply >= last && !self.is_replaying {
            self.return_to_now();
            return Done::Changed(vec![sentences::BACK_TO_NOW.to_owned()]);
        }
        self.looking = Some(ply);
        Done::Looking(vec![answers::looking_at(ply, last)], self.session.after(ply))
    }

    /// Shows the game from its start.
    fn replay(&mut self, rest: &str) -> Result<Done, Illegal> {
        if !rest.is_empty() {
            return Err(answers::replay_takes_nothing());
        }
        if self.session.plies() == 0 {
            return Err(answers::nothing_to_replay());
        }
        self.is_replaying = self.has_human();
        Ok(self.look(0))
    }

    fn step(&mut self, rest: &str, direction: isize) -> Result<Done, Illegal> {
        let name = if direction > 0 { "next" } else { "back" };
        let count = isize::try_from(count(rest, name)?.unwrap_or(1)).unwrap_or(isize::MAX);
        let here = self.looking.unwrap_or(self.session.plies());
        let there = here
            .checked_add_signed(direction.saturating_mul(count))
            .filter(|&ply| ply <= self.session.plies());
        let is_at_end = here == if direction > 0 { self.session.plies() } else { 0 };
        there.map(|ply| self.look(ply)).ok_or_else(|| answers::no_step(direction > 0, is_at_end))
    }

    /// The game goes on from the position that is shown; one from a file with the player on the side to move.
    fn play_on(&mut self) -> Result<Done, Illegal> {
        let here = self.looking.unwrap_or(self.session.plies());
        let is_own = self.has_human();
        if is_own && self.looking.is_none() {
            let is_over = self.session.outcome().is_some();
            return Err(if is_over { answers::is_over_here() } else { answers::is_the_present() });
        }
        if is_own && here == self.session.plies() && self.session.outcome().is_none() {
            return Ok(Done::Changed(vec![sentences::BACK_TO_NOW.to_owned()]));
        }
        while self.session.plies() > here || self.session.early().is_some() {
            self.session.undo();
        }
        if self.session.outcome().is_some() {
            return Err(answers::is_over_here());
        }
        self.announced = None;
        let told = vec![answers::goes_on(here, self.session.redoable())];
        if is_own {
            return Ok(Done::Changed(told));
        }
        let side = self.session.to_move();
        self.settings.mode = Mode::HumanMachine;
        self.settings.play_as = if side == Side::First { PlayAs::First } else { PlayAs::Second };
        self.remarks.clear();
        self.seat(None);
        Ok(Done::Reopen(told))
    }

    fn change_side(&mut self, rest: &str) -> Result<Done, Illegal> {
        let sides = [(Side::First, PlayAs::First), (Side::Second, PlayAs::Second)];
        let named = |side: Side| {
            rest.eq_ignore_ascii_case(&side.to_string())
                || rest.eq_ignore_ascii_case(self.session.side_name(side))
        };
        let Some((side, play_as)) = sides.into_iter().find(|&(side, _)| named(side)) else {
            return Err(answers::no_such_side());
        };
        match self.settings.mode {
            Mode::HumanMachine => {}
            Mode::Humans => return Err(answers::no_machine_for_the_side()),
            Mode::Machines => return Err(answers::both_sides_are_taken()),
            Mode::Replay => return Err(answers::only_shown(self.session.outcome().is_some())),
        }
        self.settings.play_as = play_as;
        self.seat(None);
        self.tell_who_plays();
        Ok(Done::Changed(vec![answers::you_are(&*self.session, side)]))
    }

    /// The screen hears of another level or other sides.
    fn tell_who_plays(&mut self) {
        let opening = self.opening("", None, &[]);
        self.screen.seated(&opening);
    }

    fn resign(&mut self) -> Result<Done, Illegal> {
        if !self.has_human() {
            return Err(answers::only_shown(self.session.outcome().is_some()));
        }
        if self.session.outcome().is_some() {
            return Err(answers::over_already());
        }
        if !self.human_to_move() {
            return Err(answers::not_your_turn());
        }
        let name = self.session.side_name(self.session.to_move());
        self.session.end_by(RESIGN)?;
        Ok(Done::Said(vec![answers::gives_up(name)]))
    }

    /// Claims the draw of a position that has come three times.
    fn claim_draw(&mut self) -> Result<Done, Illegal> {
        if !self.has_human() {
            return Err(answers::only_shown(self.session.outcome().is_some()));
        }
        if self.session.outcome().is_some() {
            return Err(answers::over_already());
        }
        self.session.end_by(DRAW)?;
        Ok(Done::Said(vec![answers::DRAW_CLAIMED.to_owned()]))
    }

    /// `legal`, or `legal MOVE`: whether that move is legal and what it does.
    fn legal(&self, rest: &str) -> Result<Done, Illegal> {
        let shown = self.shown();
        if rest.is_empty() {
            return Ok(Done::Told(sentences::legal(&*shown), shown.legal().into()));
        }
        let text = shown.read(rest)?;
        shown.effect(&text, self.settings.glyphs).map(|effect| Done::Said(vec![effect]))
    }

    fn numbers(&self) -> Vec<String> {
        let none = || answers::NO_MACHINE_HAS_MOVED.to_owned();
        vec![self.last_report.as_ref().map_or_else(none, sentences::stats)]
    }

    fn undo(&mut self, rest: &str) -> Result<Done, Illegal> {
        let nothing = || answers::nothing_to_undo(0);
        if !self.has_human() {
            return Err(answers::only_shown(self.session.outcome().is_some()));
        }
        let mut taken = Vec::new();
        if let Some(count) = count(rest, "undo")? {
            let possible = self.session.plies() + usize::from(self.session.early().is_some());
            if count > possible {
                return Err(answers::nothing_to_undo(possible));
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
        let is_machines_turn = !self.human_to_move();
        Ok(Done::Changed(vec![sentences::took_back(&*self.session, &taken, is_machines_turn)]))
    }

    fn redo(&mut self, rest: &str) -> Result<Done, Illegal> {
        let mut again = Vec::new();
        if let Some(count) = count(rest, "redo")? {
            let possible = self.session.redoable();
            if count > possible {
                return Err(answers::nothing_to_redo(possible));
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
            return Err(answers::nothing_to_redo(0));
        }
        let lines = vec![sentences::played_again(&*self.session, &again)];
        let is_over = self.session.outcome().is_some();
        Ok(if is_over { Done::Said(lines) } else { Done::Changed(lines) })
    }

    /// `new`, `new GAME`, `new GAME SIZE`, `new SIZE`.
    fn new_game(&mut self, rest: &str) -> Result<Done, Illegal> {
        if self.settings.is_one_game {
            return Err(answers::only_one_game());
        }
        let mut settings = self.settings.clone();
        if rest.is_empty() {
            let mut same = self.session.after(0);
            same.restart();
            return Ok(Done::Reopen(self.take_over(same, Vec::new())));
        }
        let mut words = rest.split_whitespace().peekable();
        if let Some(word) = words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
        {
            match registry::find(word) {
                Ok(entry) => settings.entry = entry,
                Err(error) => return Err(answers::no_such_game(&error)),
            }
            if settings.entry.name != self.settings.entry.name {
                settings.variant = registry::Variant::default();
            }
        }
        if let Some(size) = words.next()
            && let Err(error) = settings.variant.set("size", size)
        {
            return Err(answers::no_such_board(&error));
        }
        let session = match settings.entry.session(&settings.variant) {
            Ok(session) if words.next().is_none() => session,
            Ok(_) => {
                return Err(answers::new_takes());
            }
            Err(error) => return Err(answers::no_such_board(&error)),
        };
        self.settings = settings;
        let notice = self.take_over(session, Vec::new());
        Ok(Done::Reopen(notice))
    }

    /// Puts another session on the board and the players around it.
    ///
    /// Gives what is to be said about the game that was there.
    fn take_over(&mut self, session: Box<dyn Session>, remarks: Vec<(String, String)>) -> Vec<String> {
        let notice = if self.is_unsaved() { vec![sentences::LEFT_UNSAVED.to_owned()] } else { Vec::new() };
        let same_game = session.name() == self.session.name();
        if self.settings.mode == Mode::Replay {
            (self.settings.mode, self.source) = (Mode::HumanMachine, None); // nothing is shown any more
        }
        self.session = session;
        self.kept = self.session.played();
        self.was_proved = true;
        self.return_to_now();
        self.remarks = remarks;
        self.announced = None;
        if !same_game && !self.session.levels().contains(&self.level) {
            self.level = self.settings.entry.default_level;
        }
        self.seat(None);
        notice
    }

    fn set_level(&mut self, rest: &str) -> Result<Done, Illegal> {
        if self.settings.mode == Mode::Humans {
            return Err(answers::no_machine_for_the_level());
        }
        let are_two = self.settings.mode == Mode::Machines;
        if rest.is_empty() {
            return Ok(Done::Said(vec![answers::level_is(&*self.session, &self.level.to_string(), are_two)]));
        }
        let Some(level) = command::level(rest, &*self.session) else {
            return Err(answers::no_such_level(&*self.session, rest));
        };
        self.level = level;
        for player in &mut self.players {
            player.set_level(&*self.session, level);
        }
        self.tell_who_plays();
        Ok(Done::Said(vec![answers::level_is_now(&level.to_string(), are_two)]))
    }

    fn save(&mut self, rest: &str) -> Result<Done, Illegal> {
        if rest.is_empty() {
            return Err(answers::needs_a_file("save"));
        }
        let shown = Illegal::shown_path(rest);
        let path = Path::new(rest);
        if is_something_else(path) {
            return Err(answers::is_no_saved_game(&shown));
        }
        let mut remarks = self.remarks.clone();
        remarks.retain(|(key, _)| key != "result");
        if let Some(outcome) = self.session.outcome() {
            remarks.push(("result".to_owned(), outcome.to_string()));
        }
        let is_over_another = path.exists();
        match file::save(path, &record::write(&*self.session, &remarks)) {
            Ok(()) => {
                self.kept = self.session.played();
                Ok(Done::Said(vec![answers::saved(&shown, is_over_another)]))
            }
            Err(error) => Err(answers::cannot_write(&shown, &error)),
        }
    }

    fn load(&mut self, rest: &str) -> io::Result<Result<Done, Illegal>> {
        if rest.is_empty() {
            return Ok(Err(answers::needs_a_file("load")));
        }
        let shown = Illegal::shown_path(rest);
        let bytes = match file::load(Path::new(rest)) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(answers::cannot_read(&shown, &error))),
        };
        let opened = match record::open(&bytes, self.settings.entry, &self.settings.variant) {
            Ok(opened) => opened,
            Err(bad) => return Ok(Err(Illegal::new("file", format!("{shown}:{bad}")))),
        };
        let Opened { entry, mut session, script, remarks, .. } = opened;
        for noted in &script.moves {
            let played = match session.end_by(&noted.text) {
                Ok(true) => continue,
                Ok(false) => session.play(&noted.text),
                Err(illegal) => Err(illegal),
            };
            match played {
                Ok(_) => {}
                Err(_) if script.form == Form::Digits && session.outcome().is_some() => break,
                Err(illegal) if script.form == Form::Digits && !self.settings.is_strict => {
                    let why = noted.wrong(&illegal);
                    self.screen.note(&answers::wrong_in_file(&shown, noted.line, &why, true))?;
                }
                Err(illegal) => {
                    let why = noted.wrong(&illegal);
                    return Ok(Err(answers::wrong_in_file(&shown, noted.line, &why, false)));
                }
            }
        }
        if self.settings.entry.name != entry.name {
            // The flags meant another game. The same game keeps them for files that say nothing of their own.
            (self.settings.entry, self.settings.variant) = (entry, registry::Variant::default());
        }
        let (board, was_shown) = (self.session.title(), !self.has_human());
        let mut lines = self.take_over(session, remarks);
        lines.push(answers::loaded(&*self.session, &shown));
        lines.extend(sentences::repeated_in_a_file(self.session.repetition()));
        let is_over = self.session.outcome().is_some();
        Ok(Ok(match () {
            () if was_shown || self.session.title() != board => Done::Reopen(lines),
            () if is_over => Done::Said(lines),
            () => Done::Changed(lines),
        }))
    }
}

/// Whether a path holds something that is no saved game and must not be overwritten.
fn is_something_else(path: &Path) -> bool {
    match file::load(path) {
        Ok(bytes) => !matches!(record::header(&bytes), Ok(Some(_))),
        Err(FileError::Missing | FileError::Empty | FileError::Directory | FileError::Device) => false,
        Err(_) => true,
    }
}

/// A number behind a word; `None` if nothing stands there.
fn count(rest: &str, word: &str) -> Result<Option<usize>, Illegal> {
    if rest.is_empty() {
        return Ok(None);
    }
    let count = rest.parse().ok().filter(|&count| count > 0);
    count.map(Some).ok_or_else(|| answers::takes_a_number(word, rest))
}
