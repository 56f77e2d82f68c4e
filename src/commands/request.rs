//! The request for a match, from the flags and the move file.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::{Board, bad_file, failure, level, usage};
use crate::ai::{BuildError, EngineConfig, EngineKind, EngineSpec, SpecError, Weights};
use crate::cli;
use crate::game::{Refusal, RefusalCode, SettingKind, Side};
use crate::journal::{self, Continued, Folder, Journal};
use crate::messages;
use crate::play::{AfterEnd, Fallback, Match, Mode, MoveFile, NewGame, PlayAs, Rules, TimeControl, TimeOver};
use crate::random::fresh_seed;
use crate::record::{GameRecord, Hint, Noise, Strictness, disk};
use crate::registry::{Entry, GameStart, OpenError, Variant};
use crate::session::{EngineError, Position};
use crate::text::Text;
use crate::thinking::{ExternalProgram, ExternalProgramError};

/// Request for a match, as far as the command line states it.
pub(super) struct LaunchRequest {
    pub(super) spec: NewGame,
    /// Unfinished game that continues.
    continued: Option<Continued>,
    replay: Option<MoveFile>,
    fallback: Option<Fallback>,
    strictness: Strictness,
}

impl LaunchRequest {
    /// Returns the match, which a person's journal saves.
    pub(super) fn into_match(
        mut self,
        play: &cli::Play,
        after_end: AfterEnd,
        is_person: bool,
    ) -> Result<Launch> {
        let unknown = |error: OpenError| usage(error.as_flag());
        let (fallback, folder) = (self.fallback, Folder::of_person());
        let strictness = self.strictness;
        let mut rules =
            Rules { seed: 0, strictness, after_end, is_journalled: is_person, ..Rules::default() };
        if let Some(Continued { spec, seed, record, file, .. }) = self.continued {
            rules.seed = seed;
            let net = self.spec.net.take().or(spec.net);
            let mut spec = NewGame { program: self.spec.program.take(), net, ..spec };
            let fallback = without_unfit_program(&mut spec, fallback);
            let start = spec.start.position().map_err(unknown)?;
            let fallback = without_unfit_net(&mut spec, &*start, fallback, self.strictness)?;
            let game = Match::resumed(rules, spec, record).map_err(unknown)?;
            let mut journal = is_person.then(|| Journal::new(folder));
            if let Some(journal) = &mut journal {
                journal.adopt(&game, file);
            }
            return Ok(Launch { game, fallback, journal });
        }
        let start = self.spec.start.position().map_err(unknown)?;
        if !play.settings.asks {
            self.spec.level = level(play.level.as_ref(), &start.levels())?.or(self.spec.level);
        }
        check_engine(&self.spec, &*start)?;
        let fallback = without_unfit_program(&mut self.spec, fallback);
        let fallback = without_unfit_net(&mut self.spec, &*start, fallback, self.strictness)?;
        rules.seed = play.seed.unwrap_or_else(fresh_seed);
        let game = Match::new(rules, self.spec, self.replay).map_err(unknown)?;
        // The full screen is not opened for a file that is refused; lines play its good moves first.
        let is_refused = after_end == AfterEnd::Stay && self.strictness == Strictness::Strict;
        if let Some(stuck) = game.game().stuck().filter(|_| is_refused) {
            return Err(bad_file(messages::incomplete_replay(stuck)));
        }
        Ok(Launch { game, fallback, journal: is_person.then(|| Journal::new(folder)) })
    }

    /// Takes out the warning to show before anything is chosen.
    pub(super) fn take_warning(&mut self) -> Option<Text> {
        self.fallback.take_if(|fallback| fallback.mode.is_none()).map(|fallback| fallback.why.text)
    }

    /// Continues the last unfinished game, or that of a journal. A game that is over is shown.
    pub(super) fn resume(&mut self, journal: Option<&Path>) -> Result<()> {
        let games = self.spec.start.entry.games();
        let newest = || Folder::of_person().map_or(Ok(None), |folder| Continued::newest(&folder, games));
        match journal.map_or_else(newest, |path| Continued::open(path, games).map(Some)) {
            Ok(Some(found)) if found.is_over() => {
                self.spec = NewGame { mode: Mode::Replay, ..found.spec };
                let path = "a finished game".to_owned();
                let mut record = found.record;
                record.tree.remember_people();
                record.tree.mark_as_imported(); // playing on from here does not count as a win
                self.replay = Some(MoveFile { path, record: Box::new(record) });
                Ok(())
            }
            Ok(Some(found)) if self.strictness == Strictness::Strict && !found.passed_over.is_empty() => {
                Err(bad_file(found.passed_over.join("; ")))
            }
            Ok(Some(found)) => {
                let cut =
                    "The last line of the saved game was incomplete. The game continues from before it.";
                let passed_over = found
                    .passed_over
                    .iter()
                    .map(|why| format!("{why}. The game before it is resumed instead."));
                let said = [(found.was_cut, cut), (found.is_of_the_future, messages::SET_BACK)];
                let said = said.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| text.to_owned());
                let program = found.program.as_ref().filter(|_| self.spec.program.is_none());
                let program = program.map(|name| messages::without_its_program(name));
                let said: Vec<String> = passed_over.chain(said).chain(program).collect();
                if !said.is_empty() {
                    let why = Refusal::new(RefusalCode::Journal, said.join(" "));
                    self.fallback = Some(Fallback { mode: None, why });
                }
                self.continued = Some(found);
                Ok(())
            }
            Ok(None) => self.fall_back_to_mode_1("there is no unfinished game".to_owned(), bad_file),
            Err(why) if journal.is_some() => Err(failure(1, why)), // this game was requested, and no other
            Err(why) => self.fall_back_to_mode_1(why, bad_file),
        }
    }

    /// Falls back to mode 1 with this reason, or fails in strict mode.
    fn fall_back_to_mode_1(&mut self, why: String, fail: fn(String) -> anyhow::Error) -> Result<()> {
        // A request to analyse a file is not replaced by a game.
        if self.strictness == Strictness::Strict || self.spec.mode == Mode::Analysis {
            return Err(fail(why));
        }
        let mode = (self.spec.mode == Mode::Replay).then_some(3);
        self.spec.mode = Mode::HumanMachine;
        let why = Refusal::new(RefusalCode::File, messages::now_mode_1(why));
        self.fallback = Some(Fallback { mode, why });
        Ok(())
    }
}

/// Match, the request that it replaces, and its journal.
pub(super) struct Launch {
    pub(super) game: Match,
    pub(super) fallback: Option<Fallback>,
    pub(super) journal: Option<Journal>,
}

pub(super) fn wanted(play: &cli::Play, (entry, variant): Board) -> Result<LaunchRequest> {
    let (mode, mut fallback) = mode(play)?;
    if !play.settings.warnings.is_empty() {
        let warnings = play.settings.warnings.join(" ");
        let before = fallback.map(|fallback| format!("{} ", fallback.why.text)).unwrap_or_default();
        fallback = Some(Fallback {
            mode: None,
            why: Refusal::new(RefusalCode::Config, format!("{before}{warnings}")),
        });
    }
    let play_as = match play.play_as {
        None | Some(cli::Side::First) => PlayAs::First,
        Some(cli::Side::Second) => PlayAs::Second,
        Some(cli::Side::Random) => PlayAs::Random,
    };
    let over =
        if play.time_over == Some(cli::TimeOver::Warning) { TimeOver::Warning } else { TimeOver::Loss };
    let time = play.time.map(|time| TimeControl { over, ..time });
    // Whoever is asked may choose another one.
    let asked = play.level.as_ref().filter(|_| play.settings.asks);
    let level = level(asked, entry.levels())?;
    let limits = play.limits.into();
    let resources = play.resources.into();
    let net = network(play.net.as_deref())?;
    let start = super::start((entry, variant), play.position.as_deref())?;
    let spec = NewGame { mode, level, net, play_as, limits, resources, time, ..NewGame::on(start) };
    let spec = match &play.engine {
        None => spec,
        Some(text) => with_engine(spec, text, play)?,
    };
    let strictness = if play.strict { Strictness::Strict } else { Strictness::Forgiving };
    let mut wanted = LaunchRequest { spec, continued: None, replay: None, fallback, strictness };
    if play.goes_on {
        if let Some(key) = wanted.spec.start.variant.keys().next() {
            return Err(usage(format!("--continue resumes a game as it is; remove the {key} option")));
        }
        wanted.resume(play.journal.as_deref())?;
    }
    if matches!(mode, Mode::Replay | Mode::Analysis) {
        if let Some(path) = &play.file {
            let asked = AskedFile {
                has_game: play.game.is_some(),
                number: play.game_number,
                noise: if play.mode.is_some() { Noise::PassedOver } else { Noise::Refused },
                is_bare: play.mode.is_none(),
            };
            replay_of(path, asked, &mut wanted)?;
        } else if mode == Mode::Replay {
            let file = example(entry).unwrap_or("game.txt");
            let why = format!("mode 3 needs a move file, such as --mode 3 {file}");
            wanted.fall_back_to_mode_1(why, usage)?;
        }
    }
    Ok(wanted)
}

/// Returns the move file of a game in the program's folder, if it is there.
fn example(entry: &Entry) -> Option<&'static str> {
    Some(entry.example).filter(|path| Path::new(path).exists())
}

/// Returns the request with the engine that `--engine` names in the engine's seat.
fn with_engine(spec: NewGame, text: &str, play: &cli::Play) -> Result<NewGame> {
    let wrong = |why: &dyn Display| usage(format!("--engine {}: {why}", Refusal::shown_path(text)));
    if !ExternalProgram::is_meant_by(text) {
        let own: EngineSpec = text.parse().map_err(|why| match why {
            SpecError::Kind(kind) => wrong(&ExternalProgramError::NoEngine(kind)),
            why => wrong(&why),
        })?;
        let level = spec.start.entry.check_level(own.level).map_err(|why| wrong(&why))?;
        let own = own.load(disk::weights).map_err(|why| wrong(&why))?;
        let limits = own.limits.or(spec.limits);
        return Ok(NewGame { level: Some(level), limits, own: Some(own), ..spec });
    }
    let program: ExternalProgram = text.parse().map_err(|why| wrong(&why))?;
    // The game is still to be chosen, or the engine is wanted only where it can play.
    let is_free = play.settings.asks || play.goes_on || play.settings.engine_is_a_wish;
    if !is_free && !program.can_play(spec.start.entry.name) {
        return Err(wrong(&format!("this protocol does not support {}", spec.start.entry.name)));
    }
    // Programs rarely know the swap.
    let GameStart { entry, mut variant, setup } = spec.start.clone();
    let is_swap_unsaid = variant.value("swap").is_none() && entry.setting(&variant, "swap").is_some();
    let mut spec = spec;
    if program.can_play(entry.name) && !program.is_own_build() && is_swap_unsaid {
        variant.set("swap", "off");
        spec.choose(GameStart { entry, variant, setup });
    }
    Ok(NewGame { program: Some(Arc::new(program)), ..spec })
}

/// Returns the weights of the network that `--net` names.
pub(super) fn network(file: Option<&str>) -> Result<Option<Arc<Weights>>> {
    let net = file.map(|file| {
        let bytes = disk::weights(file).map_err(|why| usage(format!("--net: cannot read {file}: {why}")))?;
        anyhow::Ok(Arc::new(Weights::new(file, bytes)))
    });
    net.transpose()
}

/// Drops an external engine whose protocol does not support the game; if an engine is to play, a
/// sentence about that is appended to the warning.
fn without_unfit_program(spec: &mut NewGame, fallback: Option<Fallback>) -> Option<Fallback> {
    let entry = spec.start.entry;
    let unfit = spec.program.take_if(|program| !program.can_play(entry.name));
    let is_missed = matches!(spec.mode, Mode::HumanMachine | Mode::Machines);
    let Some(program) = unfit.filter(|_| is_missed) else { return fallback };
    Some(append_warning(fallback, messages::program_does_not_fit(&program.to_string(), entry.title)))
}

/// Refuses a named engine that cannot play by its network or its constants.
fn check_engine(spec: &NewGame, start: &dyn Position) -> Result<()> {
    let Some(own) = &spec.own else { return Ok(()) };
    match why_unfit(own.level, &own.config(0, Side::First), start, spec.start.entry) {
        Some(why) => Err(usage(format!("--engine {own}: {why}"))),
        None => Ok(()),
    }
}

/// Drops weights that are no network of the game, or of a game without networks; a sentence about
/// that is appended to the warning.
///
/// # Errors
/// In strict mode.
fn without_unfit_net(
    spec: &mut NewGame,
    start: &dyn Position,
    fallback: Option<Fallback>,
    strictness: Strictness,
) -> Result<Option<Fallback>> {
    let of_net = |weights: &Arc<Weights>| EngineConfig {
        weights: Some(Arc::clone(weights)),
        ..EngineConfig::new(0, 0)
    };
    let why = spec
        .net
        .as_ref()
        .and_then(|weights| why_unfit(EngineKind::Net, &of_net(weights), start, spec.start.entry));
    let Some(why) = why else { return Ok(fallback) };
    if strictness == Strictness::Strict {
        return Err(usage(format!("--net: {why}")));
    }
    spec.net = None;
    Ok(Some(append_warning(fallback, messages::network_does_not_fit(&why))))
}

/// Returns the reason why an engine cannot play by its weights or constants; `None` if it can.
pub(super) fn why_unfit(
    level: EngineKind,
    config: &EngineConfig,
    start: &dyn Position,
    entry: &Entry,
) -> Option<String> {
    match start.machine(level, config) {
        Err(EngineError::Build(BuildError::NoNet)) | Ok(_) => None,
        Err(EngineError::Level(_)) => Some(messages::no_networks(entry.title)),
        Err(why) => Some(why.to_string()),
    }
}

/// Appends a sentence to the warning, if there is one.
fn append_warning(fallback: Option<Fallback>, told: String) -> Fallback {
    match fallback {
        None => Fallback { mode: None, why: Refusal::new(RefusalCode::Config, told) },
        Some(Fallback { mode, why }) => {
            Fallback { mode, why: Refusal::new(why.code, format!("{} {told}", why.text)) }
        }
    }
}

/// Returns the mode, and the warning where another was requested.
fn mode(play: &cli::Play) -> Result<(Mode, Option<Fallback>)> {
    let mode = match play.mode.as_deref().map(str::trim) {
        None if play.analyze => return Ok((Mode::Analysis, None)),
        None if play.file.is_some() => Mode::Replay,
        None | Some("1") => Mode::HumanMachine,
        Some("2") => Mode::Humans,
        Some("3") => Mode::Replay,
        Some("4") => Mode::Machines,
        Some(other) => {
            let other = Refusal::shown(other);
            let why = format!(
                "there is no mode \"{other}\"; modes are 1 human vs engine, 2 human vs human, \
                 3 replay FILE, 4 engine vs engine"
            );
            if play.strict {
                return Err(usage(why));
            }
            let why = Refusal::new(RefusalCode::BadNumber, messages::now_mode_1(why));
            return Ok((Mode::HumanMachine, Some(Fallback { mode: None, why })));
        }
    };
    if mode != Mode::Replay && play.file.is_some() {
        return Err(usage("use --mode 3 to replay a move file; in other modes use the command load"));
    }
    Ok((mode, None))
}

/// Form of the request for a move file.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedFile {
    /// `true` if a flag names the game.
    pub(super) has_game: bool,
    /// Number of the requested game of several, from 1.
    pub(super) number: Option<usize>,
    /// Text that a file of digits may hold beside them.
    pub(super) noise: Noise,
    /// `true` if nothing but the file was named: then one that is no game is an error.
    pub(super) is_bare: bool,
}

/// Reads the move file of mode 3 and requests its game. A file that contradicts the flags is an
/// error, one that cannot be read is not.
pub(super) fn replay_of(path: &Path, asked: AskedFile, wanted: &mut LaunchRequest) -> Result<()> {
    let shown = Refusal::shown_path(path);
    let spec = &mut wanted.spec;
    let bytes = match crate::record::source(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let more = match error {
                disk::FileError::Missing if cli::MODES.contains(&shown.as_str()) => {
                    format!("; a mode needs its flag: --mode {shown}")
                }
                disk::FileError::Missing => {
                    example(spec.start.entry).map(|path| format!("; try {path}")).unwrap_or_default()
                }
                _ => String::new(),
            };
            return wanted.fall_back_to_mode_1(format!("cannot read {shown}: {error}{more}"), bad_file);
        }
    };
    let AskedFile { has_game, number, noise, is_bare } = asked;
    if is_bare && bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(bad_file(format!("{shown}: the file is empty")));
    }
    let hint = Hint {
        game: has_game.then_some(spec.start.entry),
        noise,
        strictness: wanted.strictness,
        number,
        ..Hint::any(spec.start.entry.games()).on(&spec.start.variant)
    };
    match journal::open_game(&bytes, &hint) {
        Ok(record) => {
            check_flags_match_file(&record, (spec.start.entry, &spec.start.variant), has_game, &shown)?;
            spec.choose(record.start.clone());
            wanted.replay = Some(MoveFile { path: shown, record: Box::new(record) });
            Ok(())
        }
        Err(bad) if is_bare => Err(bad_file(format!("{shown}:{bad}"))),
        Err(bad) => wanted.fall_back_to_mode_1(format!("{shown}:{bad}"), bad_file),
    }
}

/// Refuses flags that contradict a move file that names its game.
pub(super) fn check_flags_match_file(
    record: &GameRecord,
    (entry, flags): (&'static Entry, &Variant),
    has_game: bool,
    shown: &str,
) -> Result<()> {
    if !record.form.names_its_game() {
        return Ok(());
    }
    if has_game && entry.name != record.start.entry.name {
        let (flag, there) = (entry.name, record.start.entry.name);
        return Err(usage(format!("--game {flag} contradicts {shown}, which is a game of {there}")));
    }
    check_flags_match_header(flags, &record.start, shown)
}

/// Refuses a flag that contradicts a header, or names a setting that its game does not have.
fn check_flags_match_header(flags: &Variant, header: &GameStart, shown: &str) -> Result<()> {
    for key in flags.keys() {
        let asked = header.variant.clone().with(key, flags.value(key).unwrap_or_default());
        let asked = header.entry.choose(&asked).map_err(|error| usage(error.as_flag()))?;
        let there = header.entry.choose(&header.variant).map_err(usage)?;
        if let (Some(flag), Some(there), Some(setting)) =
            (asked.text(key), there.text(key), header.entry.setting_of(key))
            && flag != there
        {
            let flag = match setting.kind {
                SettingKind::Switch { .. } => format!("--{}", setting.flag),
                _ => format!("--{} {flag}", setting.flag),
            };
            return Err(usage(format!("{flag} contradicts {shown}, which has {key}={there}")));
        }
    }
    Ok(())
}
