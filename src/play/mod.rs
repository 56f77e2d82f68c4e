//! The one match loop: players, a session, a screen. The modes differ only in who the players are.

mod words;

use std::io;
use std::sync::atomic::Ordering;

use rand::RngExt;

use crate::ai::{Level, Limits, Setup, Status};
use crate::canvas::Glyphs;
use crate::command::{self, Command};
use crate::game::{BySide, Illegal, Outcome, Side};
use crate::player::{FileReader, Human, Machine, Player, StopSign, Turn, Verdict};
use crate::random::{ENGINE_FIRST, ENGINE_SECOND, Generator, WHO_STARTS, mix, stream};
use crate::record::Script;
use crate::registry::{Entry, Variant};
use crate::session::{CLAIMABLE, DRAW, Report, Session};
use crate::ui::{By, Ended, Input, Moved, Opening, Said, Screen};
use crate::words::{self as sentences, answers};

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 1: human against machine.
    HumanMachine,
    /// 2: human against human.
    Humans,
    /// 3: a move file.
    Replay,
    /// 4: machine against machine.
    Machines,
}

/// Which side the human takes against a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayAs {
    /// The human begins.
    First,
    /// The machine begins.
    Second,
    /// Drawn anew for each game.
    Random,
}

/// What is played and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game.
    pub entry: &'static Entry,
    /// Its board.
    pub variant: Variant,
    /// Who plays.
    pub mode: Mode,
    /// The machines' strength; the game's own default if not given.
    pub level: Option<Level>,
    /// The human's side in mode 1.
    pub play_as: PlayAs,
    /// The seed of all chance.
    pub seed: u64,
    /// Whether every machine move is followed by its numbers.
    pub has_stats: bool,
    /// Whether the first refusal ends the program.
    pub is_strict: bool,
    /// Whether the program ends after one game without asking for another.
    pub is_one_game: bool,
    /// Limits that replace those of the machines' level.
    pub limits: Limits,
    /// The characters in which moves are explained.
    pub glyphs: Glyphs,
}

/// What was asked for and cannot be played; mode 1 is played instead.
#[derive(Clone, Debug)]
pub struct Fallback {
    /// The number of the mode that was asked for, if it is a mode.
    pub mode: Option<u8>,
    /// Why not.
    pub why: Illegal,
}

/// A move file that mode 3 shows.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Its path, safe to show.
    pub path: String,
    /// Its moves.
    pub script: Script,
    /// What it says beside them.
    pub remarks: Vec<(String, String)>,
}

/// How a match was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// At its end, or because the player wanted to go.
    Done,
    /// By the first refusal, under `is_strict`; the message is still to be said.
    Refused(String),
}

/// What the loop does next.
enum Next {
    On,
    Leave(Leaving),
}

/// A match: games of one kind, one after the other.
#[derive(Debug)]
pub struct Match<'s, S: Screen + ?Sized> {
    settings: Settings,
    session: Box<dyn Session>,
    players: Vec<Box<dyn Player>>,
    seats: BySide<usize>,
    level: Level,
    sign: StopSign,
    draws: Box<Generator>,
    screen: &'s mut S,
    /// The number of moves at which the end was announced.
    announced: Option<usize>,
    /// The earlier position that is looked at, as its number of moves.
    looking: Option<usize>,
    /// Whether the game is gone through from its start: then its last position is looked at like the others.
    is_replaying: bool,
    /// What the machine found at its last move.
    last_report: Option<Report>,
    /// Whether something was proved at the machine's last move.
    was_proved: bool,
    /// How often machines were built, so that each has chance of its own.
    machines_built: u64,
    /// The file that is shown.
    source: Option<String>,
    /// What the file of the game says beside its moves.
    remarks: Vec<(String, String)>,
    /// The moves as they were when the game was last saved or loaded.
    kept: Vec<String>,
}

impl<'s> Match<'s, dyn Screen + 's> {
    /// A match on `session`; in mode 3 with the file to replay.
    pub fn new(
        settings: Settings,
        session: Box<dyn Session>,
        replay: Option<Replay>,
        sign: StopSign,
        screen: &'s mut (dyn Screen + 's),
    ) -> Self {
        let level = settings.level.unwrap_or(settings.entry.default_level);
        let draws = Box::new(stream(settings.seed, WHO_STARTS));
        let seats = BySide::new(0, 0);
        let (script, remarks) = replay.map(|replay| ((replay.path, replay.script), replay.remarks)).unzip();
        let remarks = remarks.unwrap_or_default();
        let source = script.as_ref().map(|(path, _)| path.clone());
        let mut new = Match {
            settings,
            session,
            players: Vec::new(),
            seats,
            level,
            sign,
            draws,
            screen,
            announced: None,
            looking: None,
            is_replaying: false,
            last_report: None,
            was_proved: true,
            machines_built: 0,
            source,
            remarks,
            kept: Vec::new(),
        };
        new.seat(script);
        new
    }

    /// Plays until the players have had enough. `fallback` is said first.
    ///
    /// # Errors
    /// If the screen fails.
    pub fn run(&mut self, fallback: Option<&Fallback>) -> io::Result<Leaving> {
        if let Some(Fallback { mode, why }) = fallback {
            let wanted = Opening { mode: *mode, ..self.opening("", None, &[]) };
            self.screen.fall_back(&*self.session, &wanted, why)?;
        }
        if self.settings.has_stats {
            self.screen.stats(&format!("seed {}", self.settings.seed))?;
        }
        self.open()?;
        loop {
            let next = match self.session.outcome() {
                Some(outcome) => self.after_the_end(outcome)?,
                None => self.turn()?,
            };
            if let Next::Leave(leaving) = next {
                self.screen.leave(&*self.session, self.is_unsaved())?;
                return Ok(leaving);
            }
        }
    }

    /// Puts the players of the mode on their seats.
    fn seat(&mut self, script: Option<(String, Script)>) {
        let is_strict = self.settings.is_strict;
        let reader = script.map(|(path, script)| FileReader::new(path, script, is_strict));
        (self.players, self.seats) = match (self.settings.mode, reader) {
            (Mode::Replay, Some(reader)) => (vec![Box::new(reader) as Box<dyn Player>], BySide::new(0, 0)),
            (Mode::Humans, _) => (vec![Box::new(Human) as Box<dyn Player>], BySide::new(0, 0)),
            (Mode::Machines, _) => {
                (vec![self.machine(Side::First), self.machine(Side::Second)], BySide::new(0, 1))
            }
            (Mode::HumanMachine | Mode::Replay, _) => {
                let human = self.draw_side();
                let mut seats = BySide::new(1, 1);
                seats[human] = 0;
                (vec![Box::new(Human) as Box<dyn Player>, self.machine(human.other())], seats)
            }
        };
    }

    fn draw_side(&mut self) -> Side {
        match self.settings.play_as {
            PlayAs::First => Side::First,
            PlayAs::Second => Side::Second,
            PlayAs::Random => Side::BOTH[self.draws.random_range(0..2)],
        }
    }

    /// A machine for a side. Those of the first game have the streams of the seed, later ones others of their own.
    fn machine(&mut self, side: Side) -> Box<dyn Player> {
        let stream = if side == Side::First { ENGINE_FIRST } else { ENGINE_SECOND };
        let game = self.machines_built / 2;
        let seed = if game == 0 { self.settings.seed } else { mix(self.settings.seed, game) };
        self.machines_built += if self.settings.mode == Mode::Machines { 1 } else { 2 };
        let setup = Setup { seed, stream };
        let limits = self.settings.limits;
        let machine = Machine::new(&*self.session, self.level, setup, limits, self.sign.clone());
        Box::new(machine.expect("the level was checked where it was set"))
    }

    /// Whether leaving the game now loses moves that somebody has made.
    fn is_unsaved(&self) -> bool {
        let is_unfinished = self.session.outcome().is_none() && self.session.plies() > 0;
        is_unfinished && self.settings.mode != Mode::Replay && self.session.played() != self.kept
    }

    fn has_human(&self) -> bool {
        self.players.iter().any(|player| player.by() == By::Human)
    }

    /// The human's side if exactly one human plays.
    fn only_human(&self) -> Option<Side> {
        let is_human = |side: &Side| self.players[self.seats[*side]].by() == By::Human;
        let humans: Vec<Side> = Side::BOTH.into_iter().filter(is_human).collect();
        (humans.len() == 1).then(|| humans[0])
    }

    fn mover(&mut self) -> &mut dyn Player {
        &mut *self.players[self.seats[self.session.to_move()]]
    }

    /// How the game begins, with a greeting.
    fn opening<'g>(
        &self,
        greeting: &'g str,
        source: Option<&'g str>,
        remarks: &'g [(String, String)],
    ) -> Opening<'g> {
        let mode = match self.settings.mode {
            Mode::HumanMachine => 1,
            Mode::Humans => 2,
            Mode::Replay => 3,
            Mode::Machines => 4,
        };
        let has_machine = self.players.iter().any(|player| player.by() == By::Machine);
        Opening {
            greeting,
            mode: Some(mode),
            level: has_machine.then_some(self.level),
            seed: self.settings.seed,
            you: self.only_human(),
            is_watched: !self.has_human(),
            draws_sides: self.settings.play_as == PlayAs::Random,
            limits: self.settings.limits,
            source,
            remarks,
        }
    }

    fn open(&mut self) -> io::Result<()> {
        self.return_to_now();
        let glyphs = self.settings.glyphs;
        let greeting = match (self.only_human(), self.settings.mode) {
            (Some(you), _) => sentences::greeting(&*self.session, you, glyphs),
            (None, Mode::Replay) => sentences::greeting_for_watchers(&*self.session, "Replay", glyphs),
            (None, Mode::Machines) => {
                sentences::greeting_for_watchers(&*self.session, "Machines play", glyphs)
            }
            (None, _) => sentences::greeting_for_two(&*self.session, glyphs),
        };
        // Those who play know whose game it is.
        let remarks = if self.has_human() { Vec::new() } else { self.remarks.clone() };
        let source = self.source.clone().filter(|_| self.settings.mode == Mode::Replay);
        let opening = self.opening(&greeting, source.as_deref(), &remarks);
        self.sign.is_watched.store(opening.is_watched, Ordering::SeqCst);
        self.screen.open(&*self.session, &opening)
    }

    /// Starts another game on the board that is there; the players may change sides.
    fn start_again(&mut self) -> io::Result<()> {
        self.session.restart();
        self.announced = None;
        self.was_proved = true;
        self.kept.clear();
        self.remarks.clear();
        self.seat(None);
        self.open()
    }

    /// One turn of the player whose turn it is.
    fn turn(&mut self) -> io::Result<Next> {
        if self.settings.mode == Mode::Machines
            && let Some(input) = self.screen.hold()?
        {
            return self.typed(input);
        }
        let seat = self.seats[self.session.to_move()];
        let turn = self.players[seat].turn(&*self.session, self.screen)?;
        match turn {
            Turn::Move(text, report) => {
                let by = self.mover().by();
                match self.play(&text, by, report.as_ref())? {
                    Ok(()) => Ok(Next::On),
                    Err(illegal) => match self.mover().refused(&illegal) {
                        Verdict::Dropped(message) => {
                            self.screen.note(&Illegal::new(illegal.code, message)).map(|()| Next::On)
                        }
                        Verdict::Stuck(why) => self.give_up(&why),
                    },
                }
            }
            Turn::Typed(input) => self.typed(input),
            Turn::Stuck(why) => self.give_up(&why),
        }
    }

    /// Does what was typed.
    fn typed(&mut self, input: Input) -> io::Result<Next> {
        match input {
            Input::End => Ok(Next::Leave(Leaving::Done)),
            Input::TooLong => self.refuse(&answers::too_long()),
            Input::Endless => self.refuse_endless(),
            Input::Line(line) => self.obey(&line),
        }
    }

    /// Plays a move and shows it; the inner error is the refusal.
    fn play(&mut self, text: &str, by: By, report: Option<&Report>) -> io::Result<Result<(), Illegal>> {
        if by == By::Human && !self.has_human() {
            return Ok(Err(answers::only_shown(self.session.outcome().is_some())));
        }
        let was_looking = by == By::Human && self.return_to_now();
        let back = was_looking.then_some(sentences::BACK_TO_NOW);
        let (side, legal) = (self.session.to_move(), self.session.legal().len());
        if by == By::Machine && is_content(report) && self.session.repetition() >= CLAIMABLE {
            self.end_in_a_draw();
            return Ok(Ok(()));
        }
        let played = match self.session.end_by(text) {
            Ok(true) => return Ok(Ok(())),
            Ok(false) => self.session.play(text),
            Err(illegal) => Err(illegal),
        };
        let text = match played {
            Ok(text) => text,
            Err(Illegal { code, text }) => {
                if was_looking {
                    self.screen.return_to(&*self.session)?;
                }
                let text = back.map(|back| format!("{back} {text}")).unwrap_or(text);
                return Ok(Err(Illegal { code, text }));
            }
        };
        let is_drawn = by != By::File && self.is_repeated_to_a_draw(report);
        let repeated = self.repetition_in_words(by).filter(|_| !is_drawn);
        let proof = report.and_then(|report| self.news_of_proof(report));
        let told = [back.map(str::to_owned), self.session.comment(), proof, repeated];
        let notice = told.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let notice = Some(notice.as_str()).filter(|text| !text.is_empty());
        let moved = Moved { ply: self.session.plies(), side, text: &text, by, legal, report, notice };
        self.screen.moved(&*self.session, &moved)?;
        if let Some(report) = report {
            if self.settings.has_stats {
                self.screen.stats(&sentences::stats(report))?;
            }
            self.last_report = Some(report.clone());
        }
        if self.settings.has_stats && self.level == Level::Classic {
            for (word, _) in self.session.insights() {
                for line in self.session.insight(word).unwrap_or_default() {
                    self.screen.stats(&line)?;
                }
            }
        }
        if is_drawn {
            self.end_in_a_draw();
        }
        // Between a move and the machine's answer the board is not shown; at the end it is shown with the result.
        let is_answered = self.has_human() && self.mover().by() != By::Human;
        if self.session.outcome().is_none() && !is_answered {
            self.screen.board(&*self.session)?;
        }
        Ok(Ok(()))
    }

    /// What is to be said when the default level proves nothing, or proves something again.
    fn news_of_proof(&mut self, report: &Report) -> Option<String> {
        if self.level != self.settings.entry.default_level {
            return None;
        }
        let (is_proved, status) = (report.status? != Status::Unproved, report.status?);
        let was_proved = std::mem::replace(&mut self.was_proved, is_proved);
        match (was_proved, is_proved) {
            (true, false) => Some(sentences::UNPROVED.to_owned()),
            (false, true) => Some(sentences::proved(status)),
            _ => None,
        }
    }

    /// A position that comes again: a draw at the third time between machines, at the fifth, or when a machine is
    /// content with it, where a person plays. Never in a replay: there the file decides.
    fn is_repeated_to_a_draw(&self, report: Option<&Report>) -> bool {
        let times = self.session.repetition();
        let is_enough = times >= 5 || times >= CLAIMABLE && (!self.has_human() || is_content(report));
        is_enough && self.session.outcome().is_none()
    }

    fn end_in_a_draw(&mut self) {
        self.session.end_by(DRAW).expect("the position stands for the third time at least");
    }

    /// What is to be said about a position that has come again.
    fn repetition_in_words(&self, by: By) -> Option<String> {
        let times = self.session.repetition();
        match by {
            _ if self.session.outcome().is_some() => None,
            By::File => sentences::repeated_in_a_file(times),
            _ => sentences::repeated(times).filter(|_| self.has_human()).map(str::to_owned),
        }
    }

    /// Ends looking at an earlier position; whether one was looked at.
    fn return_to_now(&mut self) -> bool {
        self.is_replaying = false;
        self.looking.take().is_some()
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        match command::read(line, &*self.session) {
            Ok(Command::Nothing) => Ok(Next::On),
            Ok(Command::Move(text)) => match self.play(&text, By::Human, None)? {
                Ok(()) => Ok(Next::On),
                Err(illegal) => self.refuse(&illegal),
            },
            Ok(Command::Word(word, rest)) => self.word(word, &rest),
            Ok(Command::Insight(word)) => {
                let lines = self.shown().insight(word).unwrap_or_default();
                self.screen.say(&Said { word, lines, result: None }).map(|()| Next::On)
            }
            Err(_) if line.trim().eq_ignore_ascii_case("tui") => self.refuse(&answers::began_in_lines()),
            Err(illegal) => self.refuse(&illegal),
        }
    }

    fn refuse(&mut self, illegal: &Illegal) -> io::Result<Next> {
        self.screen.refuse(illegal)?;
        if self.settings.is_strict {
            return Ok(Next::Leave(Leaving::Refused(String::new())));
        }
        Ok(Next::On)
    }

    fn refuse_endless(&mut self) -> io::Result<Next> {
        self.screen.refuse(&answers::endless())?;
        Ok(Next::Leave(Leaving::Done))
    }

    /// The move file cannot go on: says why and plays mode 1 on a fresh board, or leaves.
    fn give_up(&mut self, why: &str) -> io::Result<Next> {
        if self.settings.is_strict {
            return Ok(Next::Leave(Leaving::Refused(why.to_owned())));
        }
        self.screen.note(&Illegal::new("file", sentences::now_mode_1(why)))?;
        self.settings.mode = Mode::HumanMachine;
        self.remarks.clear();
        self.seat(None);
        self.session.restart();
        self.announced = None;
        self.open()?;
        Ok(Next::On)
    }

    /// Announces the end once, then asks for another game where people play.
    fn after_the_end(&mut self, outcome: Outcome) -> io::Result<Next> {
        let plies = self.session.plies();
        if self.announced != Some(plies) {
            self.announced = Some(plies);
            self.return_to_now();
            let reason = self.session.ending().expect("a game that is over has ended somehow");
            self.screen.ended(&*self.session, &Ended { outcome, reason: &reason, plies })?;
        }
        if !self.has_human() {
            if let Some(why) = self.players[0].surplus() {
                return self.give_up(&why);
            }
            if !self.screen.stays_open() {
                return Ok(Next::Leave(Leaving::Done));
            }
            let input = self.screen.ask("> ")?;
            return self.typed(input);
        }
        if self.settings.is_one_game {
            return Ok(Next::Leave(Leaving::Done));
        }
        let line = match self.screen.ask(sentences::ANOTHER_GAME)? {
            Input::Line(line) if self.screen.puts_the_question() => line,
            other => return self.typed(other),
        };
        match answer(line.trim(), &*self.session) {
            Answer::Again => self.start_again().map(|()| Next::On),
            Answer::Leave => Ok(Next::Leave(Leaving::Done)),
            Answer::Word => self.obey(&line),
            Answer::Neither => self.refuse(&answers::neither_yes_nor_no(&line)),
        }
    }
}

/// Whether the machine that has thought is content with a draw.
fn is_content(report: Option<&Report>) -> bool {
    report.is_some_and(|report| report.score.is_some_and(|score| score <= 0))
}

/// An answer to the question for another game.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// Another game.
    Again,
    /// No other game.
    Leave,
    /// A word, which is done before the question is asked again.
    Word,
    /// Not an answer.
    Neither,
}

/// Reads an answer to the question for another game: numbers, words, four languages.
pub fn answer(text: &str, session: &dyn Session) -> Answer {
    let lower = text.to_lowercase();
    let digits = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return if digits.bytes().all(|b| b == b'0') { Answer::Leave } else { Answer::Again };
    }
    match lower.as_str() {
        "y" | "yes" | "s" | "sim" | "t" | "tak" | "j" | "ja" => Answer::Again,
        "" | "n" | "no" | "q" | "quit" => Answer::Leave,
        _ => match command::read(text, session) {
            Ok(Command::Word(..) | Command::Insight(_)) => Answer::Word,
            _ => Answer::Neither,
        },
    }
}
