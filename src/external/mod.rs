//! External engines as players.
//!
//! This module starts a program, sends it the game in its protocol, asks for moves and classifies
//! faults. It depends on the protocols and, through them, on their games. It prints nothing.

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
use crate::platform::MAX_PROGRAM_RESTARTS;
use crate::record::disk;
use crate::registry::RegisteredGame;
use crate::session::{
    AnyEngine, EngineAnswer, EngineError, EngineRequest, Forfeit, ForfeitReason, Position, RESIGN_WORD,
    SearchReport,
};
use crate::thinking::{self, EngineFactory, EnginePlayer, ExternalProgram, ExternalProtocol, ProgramLaunch};
use child::{EngineProcess, ReadError};

/// Extra waiting time after the time limit. A program that answers within it is late, not hung.
const LATE_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

impl ExternalProgram {
    /// Checks that the program's protocol supports this board, without starting the program.
    ///
    /// # Errors
    /// Returns an error that names the setting that the protocol does not support.
    pub(crate) fn check_board(&self, start: &dyn Position) -> Result<(), EngineError> {
        let limits = Limits::default();
        let mut program =
            ExternalEngine::new(self, start, Side::First, 0, limits, EngineTimeouts::default())?;
        program.client.set_up_lines(start, limits).map(drop).map_err(EngineError::Start)
    }
}

/// Timeouts for the answers of an external engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineTimeouts {
    /// Tolerance for answers after the time limit; `None` accepts any delay.
    pub margin: Option<Duration>,
    /// Time without an answer after which the program counts as hung.
    pub hang: Duration,
}

/// Time without an answer after which a program counts as hung in a game with a human.
pub(crate) const HUMAN_GAME_TIMEOUT: Duration = Duration::from_secs(300);

impl Default for EngineTimeouts {
    fn default() -> Self {
        EngineTimeouts { margin: None, hang: Duration::from_secs(60) }
    }
}

/// Interval between checks for a cancelled request.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Deadline of an answer, and the flag that cancels the wait.
#[derive(Clone, Copy)]
struct AnswerDeadline<'a> {
    until: Instant,
    stop: &'a AtomicBool,
}

/// Client side of an engine protocol: composes the lines sent to the program and parses the lines it writes.
trait ProtocolClient: Debug + Send {
    /// Returns the lines that set up the start position, or the reason why the protocol cannot.
    fn set_up_lines(&mut self, start: &dyn Position, limits: Limits) -> Result<Vec<SetUpLine>, String>;

    /// Returns the lines for a move played in position `before`. If the program refuses one, the next is
    /// tried.
    fn move_lines(&mut self, before: &dyn Position, text: &str) -> Vec<String>;

    /// Records the index of the move line that the program accepted.
    fn on_line_accepted(&mut self, _which: usize) {}

    /// Returns the line that requests a move, if the protocol has one.
    fn move_request(&self, side: Side) -> Option<String>;

    /// Parses one line from the program. Returns the response once it is complete.
    fn parse_line(&mut self, line: &str) -> Result<EngineResponse, ()>;

    /// Parses the move of an answer into the notation of records, or [`RESIGN_WORD`]; `None` if it is no
    /// move.
    fn parse_move(&mut self, at: &dyn Position, answer: &str) -> Option<String>;

    /// Reports whether the program acknowledges moves. Otherwise it plays a single game without undo.
    fn acknowledges_moves(&self) -> bool {
        true
    }

    /// Returns the line that asks for the winner once the game is over, and the parser of its answer.
    fn winner_query(&self) -> Option<WinnerQuery> {
        None
    }

    /// Returns the command that ends the program.
    fn quit_command(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// Line that asks for the winner, and the parser of the answer.
type WinnerQuery = (&'static str, fn(&str) -> Option<Side>);

/// Line that sets up the board of an external program.
#[derive(Debug)]
struct SetUpLine {
    text: String,
    /// `true` if the program must accept it.
    is_needed: bool,
}

impl SetUpLine {
    fn required(text: impl Into<String>) -> Self {
        SetUpLine { text: text.into(), is_needed: true }
    }
}

/// Response of the program, possibly incomplete.
#[derive(Debug, PartialEq, Eq)]
enum EngineResponse {
    /// The response is not complete yet.
    More,
    /// The command succeeded, with this text.
    Yes(String),
    /// The command failed, for this reason.
    No(String),
}

/// An external program that plays a side.
#[derive(Debug)]
pub struct ExternalEngine {
    spec: ExternalProgram,
    words: Vec<String>,
    protocol: ExternalProtocol,
    client: Box<dyn ProtocolClient>,
    timeouts: EngineTimeouts,
    process: Option<EngineProcess>,
    /// Board and moves that the program knows, if any.
    known_game: Option<(BoardSettings, Vec<String>)>,
    /// CPU time used by earlier processes of this engine.
    used_before: Duration,
    /// `true` if the program has reported a success at least once.
    has_answered: bool,
}

/// Settings of a board as `(key, value)`.
type BoardSettings = Vec<(&'static str, String)>;

impl ExternalEngine {
    /// Creates the engine; the program starts at the first request.
    ///
    /// # Errors
    /// Returns an error if the program's protocol does not support the game.
    pub fn new(
        spec: &ExternalProgram,
        at: &dyn Position,
        side: Side,
        seed: u64,
        limits: Limits,
        timeouts: EngineTimeouts,
    ) -> Result<Self, EngineError> {
        let (language, mut words) = match &spec.start {
            ProgramLaunch::Command(language, words) => (*language, words.clone()),
            ProgramLaunch::Build(path, own) => {
                let language =
                    ExternalProtocol::for_crosspath_build(at.game_name()).unwrap_or(ExternalProtocol::Gtp);
                (language, crosspath_build_command(path, language, at.game_name(), own, seed, limits))
            }
        };
        spec.check_supports_game(at.game_name()).map_err(|why| EngineError::Start(why.to_string()))?;
        let client: Box<dyn ProtocolClient> = match language {
            ExternalProtocol::Gtp => Box::new(gtp::GtpClient::new(spec.is_crosspath_build())),
            ExternalProtocol::Qtp => Box::new(qtp::QtpClient),
            ExternalProtocol::Ep5 => Box::new(ep5::Ep5Client::default()),
        };
        if language == ExternalProtocol::Ep5 {
            words.push(ep5::side_letter(side).to_owned());
        }
        Ok(ExternalEngine {
            spec: spec.clone(),
            words,
            protocol: language,
            client,
            timeouts,
            process: None,
            known_game: None,
            used_before: Duration::ZERO,
            has_answered: false,
        })
    }

    /// Starts the program, ending the previous process.
    fn start(&mut self, wait: AnswerDeadline<'_>) -> Result<(), EngineError> {
        self.stop();
        if let Some(folder) = &self.spec.folder {
            // The `.` tests the permission to enter the folder.
            folder.metadata().and_then(|_| folder.join(".").metadata()).map_err(|error| {
                let folder = Refusal::sanitize_path(folder);
                let name = self.spec.name();
                EngineError::Start(format!(
                    "cannot start {name} in the folder {folder:?}: {}",
                    disk::describe_io_error(&error)
                ))
            })?;
        }
        let process = EngineProcess::start(&self.words, self.spec.folder.as_deref());
        let cannot = |error| {
            EngineError::Start(format!(
                "cannot start {}: {}",
                self.spec.name(),
                disk::describe_read_error(&error)
            ))
        };
        self.process = Some(process.map_err(cannot)?);
        for line in self.spec.setup.clone() {
            if let EngineResponse::No(why) = self.send_and_wait(&line, wait)? {
                let (line, why) = (Refusal::sanitize_path(&line), Refusal::sanitize_path(&why));
                return Err(EngineError::Start(format!("{} refuses {line:?}: {why}", self.spec.name())));
            }
        }
        Ok(())
    }

    /// Stops the program.
    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            self.used_before += process.cpu_time().unwrap_or_default();
            process.stop(self.client.quit_command());
        }
        self.known_game = None;
    }

    /// Returns the CPU time used by all processes of this engine.
    fn total_cpu_time(&self) -> Option<Duration> {
        Some(self.used_before + self.process.as_ref()?.cpu_time()?)
    }

    /// Creates the error for a fault, with the end of the program's standard error.
    fn forfeit_error(&mut self, reason: ForfeitReason, said: &str) -> EngineError {
        let notes = self.process.as_ref().map(EngineProcess::stderr_tail).unwrap_or_default();
        let said = format!("{} {said}", self.spec.name());
        let forfeit = Box::new(Forfeit { reason, said, notes });
        if self.has_answered { EngineError::Forfeit(forfeit) } else { EngineError::NeverAnswered(forfeit) }
    }

    /// Creates the error for a program that has ended or closed its input or output.
    fn crash_error(&mut self) -> EngineError {
        let how = self.process.as_ref().and_then(EngineProcess::describe_ending);
        let how = how.unwrap_or_else(|| "closed its input or output".to_owned());
        let when = if self.has_answered { "" } else { " before its first answer" };
        self.forfeit_error(ForfeitReason::Crash, &format!("{how}{when}"))
    }

    /// Reports whether Ctrl-C has ended the program.
    fn is_interrupted(&self) -> bool {
        self.process.as_ref().is_some_and(EngineProcess::is_interrupted)
    }

    /// Sends a line and waits for the response.
    fn send_and_wait(&mut self, line: &str, wait: AnswerDeadline<'_>) -> Result<EngineResponse, EngineError> {
        let process = self.process.as_mut().expect("it was started");
        if process.send_line(line).is_err() {
            return Err(self.crash_error());
        }
        self.wait_for_answer(wait)
    }

    /// Waits for a response until the deadline.
    fn wait_for_answer(&mut self, wait: AnswerDeadline<'_>) -> Result<EngineResponse, EngineError> {
        loop {
            if wait.stop.load(Ordering::Relaxed) {
                return Err(EngineError::Start(format!("no request to {} is pending", self.spec.name())));
            }
            let process = self.process.as_mut().expect("it was started");
            let line = match process.read_line(wait.until.min(Instant::now() + STOP_POLL_INTERVAL)) {
                Ok(line) => line,
                Err(ReadError::TimeOut) if Instant::now() < wait.until => continue,
                Err(ReadError::TimeOut) => {
                    return Err(self.forfeit_error(ForfeitReason::Hang, "does not respond"));
                }
                Err(ReadError::Ended) => return Err(self.crash_error()),
                Err(ReadError::TooLong) => {
                    return Err(self.forfeit_error(ForfeitReason::Garbage, "writes an endless line"));
                }
            };
            match self.client.parse_line(&line) {
                Ok(EngineResponse::More) => {}
                Ok(heard) => {
                    self.has_answered |= matches!(heard, EngineResponse::Yes(_));
                    return Ok(heard);
                }
                Err(()) => {
                    let line = Refusal::sanitize_excerpt(&line);
                    let said = format!(
                        "answered {line:?}, which is not valid {}",
                        self.protocol.name().to_uppercase()
                    );
                    return Err(self.forfeit_error(ForfeitReason::Garbage, &said));
                }
            }
        }
    }

    /// Sends the program the parts of a game that it does not know yet.
    fn sync_game(
        &mut self,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<(), EngineError> {
        let (mut settings, played) = (position.settings().to_vec(), position.played_moves());
        let begins = position.start_position();
        settings.extend(begins.initial_setup().and_then(|_| Some(("position", begins.position_text()?))));
        let is_on_the_way =
            |(board, moves): &(BoardSettings, Vec<String>)| *board == settings && played.starts_with(moves);
        let wait = AnswerDeadline { until: Instant::now() + self.timeouts.hang, stop };
        if !self.known_game.as_ref().is_some_and(is_on_the_way) || self.process.is_none() {
            if self.process.is_none() || !self.client.acknowledges_moves() {
                self.start(wait)?;
            }
            let start = position.start_position();
            if played.iter().any(|text| text == crate::session::PASS_WORD) {
                return Err(EngineError::Start("the protocol has no passed turns".to_owned()));
            }
            for line in self.client.set_up_lines(&*start, limits).map_err(EngineError::Start)? {
                if let EngineResponse::No(why) = self.send_and_wait(&line.text, wait)?
                    && line.is_needed
                {
                    let said = format!("refuses {:?}: {}", line.text, Refusal::sanitize_path(&why));
                    return Err(self.forfeit_error(ForfeitReason::Refused, &said));
                }
            }
            self.known_game = Some((settings, Vec::new()));
        }
        let known = self.known_game.as_ref().map_or(0, |(_, moves)| moves.len());
        if known < played.len() {
            let mut before = position.start_position();
            for (i, text) in played.into_iter().enumerate() {
                if i >= known {
                    self.send_move(&*before, &text, wait)?;
                }
                before = before.play(&text).expect("it was played");
            }
        }
        Ok(())
    }

    /// Sends one move.
    fn send_move(
        &mut self,
        before: &dyn Position,
        text: &str,
        wait: AnswerDeadline<'_>,
    ) -> Result<(), EngineError> {
        let (mut why, lines) = (String::new(), self.client.move_lines(before, text));
        if !self.client.acknowledges_moves() {
            for line in lines {
                let sent = self.process.as_mut().expect("it was started").send_line(&line);
                sent.map_err(|_| self.crash_error())?;
            }
            self.record_move(text);
            return Ok(());
        }
        for (which, line) in lines.iter().enumerate() {
            if let EngineResponse::No(reason) = self.send_and_wait(line, wait)? {
                why = reason;
            } else {
                self.client.on_line_accepted(which);
                self.record_move(text);
                return Ok(());
            }
        }
        let line = lines.last().map(String::as_str).unwrap_or_default();
        let said = format!("refuses {line:?}: {}", Refusal::sanitize_path(&why));
        Err(self.forfeit_error(ForfeitReason::Refused, &said))
    }

    /// Records a move that the program now knows.
    fn record_move(&mut self, text: &str) {
        if let Some((_, moves)) = &mut self.known_game {
            moves.push(text.to_owned());
        }
    }

    /// Requests a move.
    fn request_move(
        &mut self,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<EngineAnswer, EngineError> {
        self.sync_game(position, limits, stop)?;
        let (began, used) = (Instant::now(), self.total_cpu_time());
        let hang = limits.time.map_or(Duration::ZERO, |time| {
            time.saturating_add(self.timeouts.margin.unwrap_or_default()).saturating_add(LATE_ANSWER_TIMEOUT)
        });
        let wait = AnswerDeadline { until: began + hang.max(self.timeouts.hang), stop };
        let heard = match self.client.move_request(position.to_move()) {
            Some(line) => self.send_and_wait(&line, wait)?,
            None => self.wait_for_answer(wait)?,
        };
        let elapsed = began.elapsed();
        let text = match heard {
            EngineResponse::Yes(text) => text,
            EngineResponse::No(why) => {
                let said = format!("returned no move: {}", Refusal::sanitize_path(&why));
                return Err(self.forfeit_error(ForfeitReason::Refused, &said));
            }
            EngineResponse::More => unreachable!("an answer is whole"),
        };
        let most = limits.time.zip(self.timeouts.margin).map(|(time, margin)| time.saturating_add(margin));
        if most.is_some_and(|most| elapsed > most) {
            let said = format!("answered too late, after {} ms", elapsed.as_millis());
            return Err(self.forfeit_error(ForfeitReason::Time, &said));
        }
        let Some(mv) = self.client.parse_move(position, &text) else {
            let said = format!("answered {:?}, which is not a move", Refusal::sanitize_excerpt(&text));
            return Err(self.forfeit_error(ForfeitReason::Garbage, &said));
        };
        if mv != RESIGN_WORD && !position.is_legal(&mv) {
            let said = format!("played {:?}, which is not legal", Refusal::sanitize_excerpt(&text));
            return Err(self.forfeit_error(ForfeitReason::Illegal, &said));
        }
        self.record_move(&mv);
        let cpu_time = used.zip(self.total_cpu_time()).map(|(before, after)| after.saturating_sub(before));
        Ok(EngineAnswer {
            report: SearchReport { elapsed, cpu_time, pv: vec![mv.clone()], ..SearchReport::default() }
                .into(),
            text: mv,
        })
    }
}

impl Drop for ExternalEngine {
    fn drop(&mut self) {
        self.stop();
    }
}

impl AnyEngine for ExternalEngine {
    fn answer(
        &mut self,
        _: EngineRequest,
        position: &dyn Position,
        limits: Limits,
        stop: &AtomicBool,
        _: &(dyn Fn(&SearchReport) + Sync),
    ) -> Result<EngineAnswer, EngineError> {
        let mut answer = self.request_move(position, limits, stop);
        for _ in 0..MAX_PROGRAM_RESTARTS {
            let is_wanted = !stop.load(Ordering::Relaxed);
            if answer.is_ok() || self.has_answered || !is_wanted || !self.is_interrupted() {
                break;
            }
            self.stop();
            answer = self.request_move(position, limits, stop);
        }
        if answer.is_err() {
            self.stop(); // the next game starts a new process
        }
        answer
    }

    fn new_game(&mut self) {
        self.known_game = None;
    }

    /// Asks the program for the winner, and checks it. An answer that cannot be parsed is accepted.
    fn confirm_result(&mut self, position: &dyn Position) -> Result<(), EngineError> {
        let Some((line, read)) = self.client.winner_query().filter(|_| self.process.is_some()) else {
            return Ok(());
        };
        let Some(winner) = position.outcome().and_then(Outcome::winner) else { return Ok(()) };
        let stop = AtomicBool::new(false);
        let confirmed = self.sync_game(position, Limits::default(), &stop).and_then(|()| {
            let wait = AnswerDeadline { until: Instant::now() + self.timeouts.hang, stop: &stop };
            match self.send_and_wait(line, wait)? {
                EngineResponse::Yes(answer) if read(&answer).is_some_and(|side| side != winner) => {
                    let said =
                        format!("reports a different winner: {:?}", Refusal::sanitize_excerpt(&answer));
                    Err(self.forfeit_error(ForfeitReason::Disagree, &said))
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

/// Returns the factory that builds built-in engines and external ones.
#[must_use]
pub fn engine_factory() -> EngineFactory {
    engine_factory_with_timeout(HUMAN_GAME_TIMEOUT)
}

/// Returns a factory for the engines of a match. An external engine that sends no answer for
/// `response_timeout` has failed.
pub(crate) fn engine_factory_with_timeout(response_timeout: Duration) -> EngineFactory {
    let own = thinking::builtin_engine_factory();
    Arc::new(move |position, engine| {
        let EnginePlayer::External(spec) = &engine.player else { return own(position, engine) };
        let (side, seed) = (position.to_move(), engine.config.seed);
        let timeouts = EngineTimeouts { margin: None, hang: response_timeout };
        let program = ExternalEngine::new(spec, position, side, seed, Limits::default(), timeouts)?;
        Ok(Box::new(program))
    })
}

/// Composes the command that starts another build of this program.
fn crosspath_build_command(
    path: &str,
    language: ExternalProtocol,
    game: &str,
    own: &crate::ai::EngineSpec,
    seed: u64,
    limits: Limits,
) -> Vec<String> {
    let mut words = [path, "engine", "--protocol", language.name()].map(str::to_owned).to_vec();
    let mut flag = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    if language == ExternalProtocol::Gtp && game != language.supported_games()[0] {
        flag("game", game.to_owned());
    }
    flag("level", own.level.to_string());
    flag("seed", own.seed.unwrap_or(seed).to_string());
    let Limits { depth, nodes, time, cpu_time } = own.limits.or_if_unlimited(limits);
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

/// Returns the value of a board setting.
fn board_setting<'a>(at: &'a dyn Position, key: &str) -> Option<&'a str> {
    at.settings().iter().find(|(own, _)| *own == key).map(|(_, value)| value.as_str())
}

/// Setting key under which a set-up start position is stored.
const POSITION_SETTING: &str = "position";

/// Returns the board size. All settings except those in `told` must have their default values.
fn standard_board_size<'a>(start: &'a dyn Position, told: &[&str]) -> Result<&'a str, String> {
    let size = board_setting(start, crate::game::SIZE_KEY).ok_or("the board size is missing")?;
    if start.initial_setup().is_some() && !told.contains(&POSITION_SETTING) {
        return Err("the protocol cannot begin from a set-up position".to_owned());
    }
    let entry: Option<&RegisteredGame> = crate::registry::find_game(start.game_name()).ok();
    let usual = entry
        .and_then(|entry| entry.resolve_board(&crate::registry::Variant::of_size(size.parse().ok()?)).ok());
    for (key, value) in start.settings() {
        let is_usual = usual.as_ref().and_then(|usual| usual.format_setting(key)).as_ref() == Some(value);
        if !is_usual && *key != crate::game::SIZE_KEY && !told.contains(key) {
            return Err(format!("the protocol does not support {key}={value}; use the default"));
        }
    }
    Ok(size)
}
