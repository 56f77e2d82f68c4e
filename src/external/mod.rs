//! Another program as a player: it is started, told the game over its own protocol and asked for moves, and what it does wrong
//! is told apart. Knows the protocols and, through them, the games they belong to; prints nothing.

mod child;
mod ep5;
mod gtp;
mod qtp;

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::ai::{EngineResources, Limits};
use crate::game::{Outcome, Refusal, Side};
use crate::platform::RESTARTS;
use crate::record::disk;
use crate::registry::Entry;
use crate::session::{
    EngineAnswer, EngineError, Forfeit, ForfeitReason, Machine, Position, Purpose, RESIGN, SearchReport,
};
use crate::thinking::{self, BuildMachine, EnginePlayer, ExternalProgram, Language, ProgramStart};
use child::{Process, ReadError};

/// Time beyond its limit for which a program is waited for, so that a late answer is told from none.
const LATE_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

impl ExternalProgram {
    /// Makes sure that it can be told of this board. Nothing is started.
    ///
    /// # Errors
    /// Says what its language has no word for.
    pub(crate) fn check_board(&self, start: &dyn Position) -> Result<(), EngineError> {
        let limits = Limits::default();
        let mut program = Program::new(self, start, Side::First, 0, limits, Timeouts::default())?;
        program.talk.set_up(start, limits).map(drop).map_err(EngineError::Start)
    }
}

/// Time for which a program is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Time by which an answer may be later than its limit; it is never too late where nothing is given.
    pub margin: Option<Duration>,
    /// Time for which nothing may be heard.
    pub hang: Duration,
}

/// Time for which a person may have to wait for a move before the program counts as gone.
pub(crate) const HUMAN_GAME_TIMEOUT: Duration = Duration::from_secs(300);

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { margin: None, hang: Duration::from_secs(60) }
    }
}

/// Time between two checks whether anybody still wants the answer of a program.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Time until which an answer is waited for, and the flag that says that nobody wants it any more.
#[derive(Clone, Copy)]
struct Wait<'a> {
    until: Instant,
    stop: &'a AtomicBool,
}

/// Language of a program: the lines that it is told, and the meaning of the lines that it writes.
trait EngineProtocol: Debug + Send {
    /// The lines that set up the empty board of this game; why it cannot be set up.
    fn set_up(&mut self, start: &dyn Position, limits: Limits) -> Result<Vec<SetUpLine>, String>;

    /// Returns the lines that tell a move of the position before; if the first one is refused, the next one is tried.
    fn move_lines(&mut self, before: &dyn Position, text: &str) -> Vec<String>;

    /// Learns the index of the line that was taken.
    fn note_accepted(&mut self, _which: usize) {}

    /// Returns the line that asks for a move, if there is one.
    fn ask(&self, side: Side) -> Option<String>;

    /// Takes one line of the program; the whole answer once it is there.
    fn parse_line(&mut self, line: &str) -> Result<Response, ()>;

    /// The move of an answer, as records write it, or [`RESIGN`]; `None` if it is none.
    fn read(&mut self, at: &dyn Position, answer: &str) -> Option<String>;

    /// Reports whether what is told is answered. Otherwise a program plays one game, and no move can be taken back.
    fn is_answered(&self) -> bool {
        true
    }

    /// Returns the line that asks for the winner once the game is over, and the reader of the answer.
    fn winner(&self) -> Option<AskWinner> {
        None
    }

    /// The word that ends the program.
    fn farewell(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// Line that asks for the winner, and the reader of the answer.
type AskWinner = (&'static str, fn(&str) -> Option<Side>);

/// A line that sets a board up.
#[derive(Debug)]
struct SetUpLine {
    text: String,
    /// `true` if the program has to accept it.
    is_needed: bool,
}

impl SetUpLine {
    fn needed(text: impl Into<String>) -> Self {
        SetUpLine { text: text.into(), is_needed: true }
    }
}

/// Meaning of a line of the program.
#[derive(Debug, PartialEq, Eq)]
enum Response {
    /// The answer goes on.
    More,
    /// A success with its text.
    Yes(String),
    /// A failure with its reason.
    No(String),
}

/// A program that plays a side.
#[derive(Debug)]
pub struct Program {
    spec: ExternalProgram,
    words: Vec<String>,
    language: Language,
    talk: Box<dyn EngineProtocol>,
    patience: Timeouts,
    process: Option<Process>,
    /// The board and the moves that it knows; `None` if it knows none.
    told: Option<(Settings, Vec<String>)>,
    /// CPU time that its processes before this one have used.
    used_before: Duration,
    /// `true` if it has ever answered with a success.
    has_answered: bool,
}

/// The settings of a board.
type Settings = Vec<(&'static str, String)>;

impl Program {
    /// The program as a player of a game; it is started when it is first asked.
    ///
    /// # Errors
    /// If its language is not that of the game.
    pub fn new(
        spec: &ExternalProgram,
        at: &dyn Position,
        side: Side,
        seed: u64,
        limits: Limits,
        patience: Timeouts,
    ) -> Result<Self, EngineError> {
        let (language, mut words) = match &spec.start {
            ProgramStart::Command(language, words) => (*language, words.clone()),
            ProgramStart::Build(path, own) => {
                let language = Language::of_own(at.name()).unwrap_or(Language::Gtp);
                (language, own_build(path, language, at.name(), own, seed, limits))
            }
        };
        spec.check_game(at.name()).map_err(|why| EngineError::Start(why.to_string()))?;
        let talk: Box<dyn EngineProtocol> = match language {
            Language::Gtp => Box::new(gtp::GtpClient::new(spec.is_own_build())),
            Language::Qtp => Box::new(qtp::QtpClient),
            Language::Ep5 => Box::new(ep5::Ep5Client::default()),
        };
        if language == Language::Ep5 {
            words.push(ep5::letter(side).to_owned());
        }
        Ok(Program {
            spec: spec.clone(),
            words,
            language,
            talk,
            patience,
            process: None,
            told: None,
            used_before: Duration::ZERO,
            has_answered: false,
        })
    }

    /// Starts the program afresh.
    fn start(&mut self, wait: Wait<'_>) -> Result<(), EngineError> {
        self.stop();
        if let Some(folder) = &self.spec.folder {
            // The dot asks whether the folder may be entered.
            folder.metadata().and_then(|_| folder.join(".").metadata()).map_err(|error| {
                let folder = Refusal::shown_path(folder);
                let name = self.spec.name();
                EngineError::Start(format!(
                    "cannot start {name} in the folder {folder:?}: {}",
                    disk::describe_io_error(&error)
                ))
            })?;
        }
        let process = Process::start(&self.words, self.spec.folder.as_deref());
        let cannot = |error| {
            EngineError::Start(format!("cannot start {}: {}", self.spec.name(), disk::why_unread(&error)))
        };
        self.process = Some(process.map_err(cannot)?);
        for line in self.spec.setup.clone() {
            if let Response::No(why) = self.send_and_wait(&line, wait)? {
                let (line, why) = (Refusal::shown_path(&line), Refusal::shown_path(&why));
                return Err(EngineError::Start(format!("{} refuses {line:?}: {why}", self.spec.name())));
            }
        }
        Ok(())
    }

    /// Ends the program.
    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            self.used_before += process.cpu_time().unwrap_or_default();
            process.stop(self.talk.farewell());
        }
        self.told = None;
    }

    /// Returns the CPU time that its processes have used.
    fn used(&self) -> Option<Duration> {
        Some(self.used_before + self.process.as_ref()?.cpu_time()?)
    }

    /// The failure, with the last that the program has written to its standard error.
    fn failed(&mut self, reason: ForfeitReason, said: &str) -> EngineError {
        let notes = self.process.as_ref().map(Process::notes).unwrap_or_default();
        let said = format!("{} {said}", self.spec.name());
        let forfeit = Box::new(Forfeit { reason, said, notes });
        if self.has_answered { EngineError::Forfeit(forfeit) } else { EngineError::NeverAnswered(forfeit) }
    }

    /// The failure of a program that has ended, or does not listen any more.
    fn ended(&mut self) -> EngineError {
        let how = self.process.as_ref().and_then(Process::ending);
        let how = how.unwrap_or_else(|| "closed its input or output".to_owned());
        let when = if self.has_answered { "" } else { " before its first answer" };
        self.failed(ForfeitReason::Crash, &format!("{how}{when}"))
    }

    /// Reports whether Ctrl-C has ended it.
    fn is_interrupted(&self) -> bool {
        self.process.as_ref().is_some_and(Process::is_interrupted)
    }

    /// Says a line and waits for its answer until then.
    fn send_and_wait(&mut self, line: &str, wait: Wait<'_>) -> Result<Response, EngineError> {
        let process = self.process.as_mut().expect("it was started");
        if process.send(line).is_err() {
            return Err(self.ended());
        }
        self.wait_for_answer(wait)
    }

    /// Waits for an answer.
    fn wait_for_answer(&mut self, wait: Wait<'_>) -> Result<Response, EngineError> {
        loop {
            if wait.stop.load(Ordering::Relaxed) {
                return Err(EngineError::Start(format!("no request to {} is pending", self.spec.name())));
            }
            let process = self.process.as_mut().expect("it was started");
            let line = match process.line(wait.until.min(Instant::now() + STOP_POLL_INTERVAL)) {
                Ok(line) => line,
                Err(ReadError::TimeOut) if Instant::now() < wait.until => continue,
                Err(ReadError::TimeOut) => return Err(self.failed(ForfeitReason::Hang, "does not respond")),
                Err(ReadError::Ended) => return Err(self.ended()),
                Err(ReadError::TooLong) => {
                    return Err(self.failed(ForfeitReason::Garbage, "writes an endless line"));
                }
            };
            match self.talk.parse_line(&line) {
                Ok(Response::More) => {}
                Ok(heard) => {
                    self.has_answered |= matches!(heard, Response::Yes(_));
                    return Ok(heard);
                }
                Err(()) => {
                    let line = Refusal::shown(&line);
                    let said = format!("answered {line:?}, which is not valid {}", self.language.name());
                    return Err(self.failed(ForfeitReason::Garbage, &said));
                }
            }
        }
    }

    /// Tells the program all of a game that it does not know yet.
    fn send_moves(
        &mut self,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<(), EngineError> {
        let (mut settings, played) = (position.settings().to_vec(), position.played());
        let begins = position.start();
        settings.extend(begins.setup().and_then(|_| Some(("position", begins.position_text()?))));
        let is_on_the_way =
            |(board, moves): &(Settings, Vec<String>)| *board == settings && played.starts_with(moves);
        let wait = Wait { until: Instant::now() + self.patience.hang, stop };
        if !self.told.as_ref().is_some_and(is_on_the_way) || self.process.is_none() {
            if self.process.is_none() || !self.talk.is_answered() {
                self.start(wait)?;
            }
            let start = position.start();
            if played.iter().any(|text| text == crate::session::PASS) {
                return Err(EngineError::Start("the protocol has no passed turns".to_owned()));
            }
            for line in self.talk.set_up(&*start, limits).map_err(EngineError::Start)? {
                if let Response::No(why) = self.send_and_wait(&line.text, wait)?
                    && line.is_needed
                {
                    let said = format!("refuses {:?}: {}", line.text, Refusal::shown_path(&why));
                    return Err(self.failed(ForfeitReason::Refused, &said));
                }
            }
            self.told = Some((settings, Vec::new()));
        }
        let known = self.told.as_ref().map_or(0, |(_, moves)| moves.len());
        if known < played.len() {
            let mut before = position.start();
            for (i, text) in played.into_iter().enumerate() {
                if i >= known {
                    self.move_lines(&*before, &text, wait)?;
                }
                before = before.play(&text).expect("it was played");
            }
        }
        Ok(())
    }

    /// Tells one move.
    fn move_lines(&mut self, before: &dyn Position, text: &str, wait: Wait<'_>) -> Result<(), EngineError> {
        let (mut why, lines) = (String::new(), self.talk.move_lines(before, text));
        if !self.talk.is_answered() {
            for line in lines {
                let sent = self.process.as_mut().expect("it was started").send(&line);
                sent.map_err(|_| self.ended())?;
            }
            self.note(text);
            return Ok(());
        }
        for (which, line) in lines.iter().enumerate() {
            if let Response::No(reason) = self.send_and_wait(line, wait)? {
                why = reason;
            } else {
                self.talk.note_accepted(which);
                self.note(text);
                return Ok(());
            }
        }
        let line = lines.last().map(String::as_str).unwrap_or_default();
        let said = format!("refuses {line:?}: {}", Refusal::shown_path(&why));
        Err(self.failed(ForfeitReason::Refused, &said))
    }

    /// Remembers what the program knows.
    fn note(&mut self, text: &str) {
        if let Some((_, moves)) = &mut self.told {
            moves.push(text.to_owned());
        }
    }

    /// Asks for a move.
    fn think(
        &mut self,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<EngineAnswer, EngineError> {
        self.send_moves(position, limits, stop)?;
        let (began, used) = (Instant::now(), self.used());
        let hang = limits.time.map_or(Duration::ZERO, |time| {
            time.saturating_add(self.patience.margin.unwrap_or_default()).saturating_add(LATE_ANSWER_TIMEOUT)
        });
        let wait = Wait { until: began + hang.max(self.patience.hang), stop };
        let heard = match self.talk.ask(position.to_move()) {
            Some(line) => self.send_and_wait(&line, wait)?,
            None => self.wait_for_answer(wait)?,
        };
        let elapsed = began.elapsed();
        let text = match heard {
            Response::Yes(text) => text,
            Response::No(why) => {
                let said = format!("returned no move: {}", Refusal::shown_path(&why));
                return Err(self.failed(ForfeitReason::Refused, &said));
            }
            Response::More => unreachable!("an answer is whole"),
        };
        let most = limits.time.zip(self.patience.margin).map(|(time, margin)| time.saturating_add(margin));
        if most.is_some_and(|most| elapsed > most) {
            let said = format!("answered too late, after {} ms", elapsed.as_millis());
            return Err(self.failed(ForfeitReason::Time, &said));
        }
        let Some(mv) = self.talk.read(position, &text) else {
            let said = format!("answered {:?}, which is not a move", Refusal::shown(&text));
            return Err(self.failed(ForfeitReason::Garbage, &said));
        };
        if mv != RESIGN && !position.is_legal(&mv) {
            let said = format!("played {:?}, which is not legal", Refusal::shown(&text));
            return Err(self.failed(ForfeitReason::Illegal, &said));
        }
        self.note(&mv);
        let cpu_time = used.zip(self.used()).map(|(before, after)| after.saturating_sub(before));
        Ok(EngineAnswer {
            report: SearchReport { elapsed, cpu_time, pv: vec![mv.clone()], ..SearchReport::default() }
                .into(),
            text: mv,
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Machine for Program {
    fn answer(
        &mut self,
        _: Purpose,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        _: &(dyn Fn(&SearchReport) + Sync),
    ) -> Result<EngineAnswer, EngineError> {
        let mut answer = self.think(position, limits, stop);
        for _ in 0..RESTARTS {
            let is_wanted = !stop.load(Ordering::Relaxed);
            if answer.is_ok() || self.has_answered || !is_wanted || !self.is_interrupted() {
                break;
            }
            self.stop();
            answer = self.think(position, limits, stop);
        }
        if answer.is_err() {
            self.stop(); // the next game begins afresh
        }
        answer
    }

    fn new_game(&mut self) {
        self.told = None;
    }

    /// Asks the program who has won, and is content with its not knowing.
    fn confirm_result(&mut self, position: &dyn Position) -> Result<(), EngineError> {
        let Some((line, read)) = self.talk.winner().filter(|_| self.process.is_some()) else { return Ok(()) };
        let Some(winner) = position.outcome().and_then(Outcome::winner) else { return Ok(()) };
        let stop = AtomicBool::new(false);
        let confirmed = self.send_moves(position, Limits::default(), &stop).and_then(|()| {
            let wait = Wait { until: Instant::now() + self.patience.hang, stop: &stop };
            match self.send_and_wait(line, wait)? {
                Response::Yes(answer) if read(&answer).is_some_and(|side| side != winner) => {
                    let said = format!("reports a different winner: {:?}", Refusal::shown(&answer));
                    Err(self.failed(ForfeitReason::Disagree, &said))
                }
                _ => Ok(()),
            }
        });
        if confirmed.is_err() {
            self.stop();
        }
        confirmed
    }
}

/// The machines of the games themselves, and other programs in their place.
#[must_use]
pub fn machines() -> BuildMachine {
    machines_within(HUMAN_GAME_TIMEOUT)
}

/// Builds the engines of a match. An external engine that sends no answer for `response_timeout` has failed.
pub(crate) fn machines_within(response_timeout: Duration) -> BuildMachine {
    let own = thinking::machines();
    Arc::new(move |position, engine| {
        let EnginePlayer::External(spec) = &engine.player else { return own(position, engine) };
        let (side, seed) = (position.to_move(), engine.config.seed);
        let patience = Timeouts { margin: None, hang: response_timeout };
        let program = Program::new(spec, position, side, seed, Limits::default(), patience)?;
        Ok(Box::new(program))
    })
}

/// The command that starts another build of this program.
fn own_build(
    path: &str,
    language: Language,
    game: &str,
    own: &crate::ai::EngineSpec,
    seed: u64,
    limits: Limits,
) -> Vec<String> {
    let mut words = [path, "engine", "--protocol", language.name()].map(str::to_owned).to_vec();
    let mut flag = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    if language == Language::Gtp && game != language.games()[0] {
        flag("game", game.to_owned());
    }
    flag("level", own.level.to_string());
    flag("seed", own.seed.unwrap_or(seed).to_string());
    let Limits { depth, nodes, time, cpu_time } = own.limits.or(limits);
    let numbers = [("depth", depth.map(u64::from)), ("nodes", nodes)];
    for (name, value) in numbers {
        _ = value.map(|value| flag(name, value.to_string()));
    }
    for (name, value) in [("movetime", time), ("cpu-time", cpu_time)] {
        _ = value.map(|value| flag(name, format!("{}ms", value.as_millis())));
    }
    let EngineResources { threads, memory_mib } = own.resources;
    for (name, value) in [("threads", threads.map(u32::from)), ("memory", memory_mib)] {
        _ = value.map(|value| flag(name, value.to_string()));
    }
    words
}

/// The value of a setting of the board.
fn setting<'a>(at: &'a dyn Position, key: &str) -> Option<&'a str> {
    at.settings().iter().find(|(own, _)| *own == key).map(|(_, value)| value.as_str())
}

/// Named among the settings that a protocol can tell: stones that were set up before the first move.
const SET_UP: &str = "position";

/// The size of the board, once it is sure that everything else is as usual but these settings.
fn usual_board<'a>(start: &'a dyn Position, told: &[&str]) -> Result<&'a str, String> {
    let size = setting(start, crate::game::SIZE).ok_or("the board size is missing")?;
    if start.setup().is_some() && !told.contains(&SET_UP) {
        return Err("the protocol cannot begin from a set-up position".to_owned());
    }
    let entry: Option<&Entry> = crate::registry::find(start.name()).ok();
    let usual =
        entry.and_then(|entry| entry.choose(&crate::registry::Variant::of_size(size.parse().ok()?)).ok());
    for (key, value) in start.settings() {
        let is_usual = usual.as_ref().and_then(|usual| usual.text(key)).as_ref() == Some(value);
        if !is_usual && *key != crate::game::SIZE && !told.contains(key) {
            return Err(format!("the protocol does not support {key}={value}; use the default"));
        }
    }
    Ok(size)
}
