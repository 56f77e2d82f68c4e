//! Request for a match, from the flags and the move file.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::{RequestedBoard, bad_file_error, failure_with_code, parse_level_flag, usage_error};
use crate::ai::{EngineBuildError, EngineConfig, EngineKind, EngineSpec, EngineSpecError, NetworkWeights};
use crate::cli;
use crate::game::{Refusal, RefusalCode, SettingKind, Side};
use crate::journal::{self, ContinuedGame, JournalFolder, MatchJournal};
use crate::messages;
use crate::play::{
    AfterGameEnd, GameMode, HumanSideChoice, Match, MatchRules, ModeFallback, MoveFile, NewGame, TimeControl,
    TimeoutRule,
};
use crate::random::seed_from_os;
use crate::record::{DigitPairStrictness, GameRecord, NonDigitTextPolicy, RecordReadOptions, disk};
use crate::registry::{BoardSetupError, GameStart, RegisteredGame, Variant};
use crate::session::{EngineError, Position};
use crate::text::Text;
use crate::thinking::{ExternalProgram, ExternalProgramError};

/// Request for a match, as far as the command line specifies it.
pub(super) struct LaunchRequest {
    pub(super) spec: NewGame,
    /// Unfinished game to continue.
    continued: Option<ContinuedGame>,
    replay: Option<MoveFile>,
    fallback: Option<ModeFallback>,
    strictness: DigitPairStrictness,
}

impl LaunchRequest {
    /// Creates the match, with a journal if a person plays it.
    pub(super) fn into_launch(
        mut self,
        play: &cli::PlayArgs,
        after_end: AfterGameEnd,
        is_person: bool,
    ) -> Result<MatchLaunch> {
        let unknown = |error: BoardSetupError| usage_error(error.to_flag_message());
        let (fallback, folder) = (self.fallback, JournalFolder::of_current_user());
        let strictness = self.strictness;
        let mut rules =
            MatchRules { seed: 0, strictness, after_end, is_journalled: is_person, ..MatchRules::default() };
        if let Some(ContinuedGame { spec, seed, record, file, .. }) = self.continued {
            rules.seed = seed;
            let net = self.spec.net.take().or(spec.net);
            let mut spec = NewGame { program: self.spec.program.take(), net, ..spec };
            let fallback = drop_unfit_program(&mut spec, fallback);
            let start = spec.start.position().map_err(unknown)?;
            let fallback = drop_unfit_net(&mut spec, &*start, fallback, self.strictness)?;
            let game = Match::from_record(rules, spec, record).map_err(unknown)?;
            let mut journal = is_person.then(|| MatchJournal::new(folder));
            if let Some(journal) = &mut journal {
                journal.resume(&game, file);
            }
            return Ok(MatchLaunch { game, fallback, journal });
        }
        let start = self.spec.start.position().map_err(unknown)?;
        if !play.settings.asks {
            self.spec.level = parse_level_flag(play.level.as_ref(), &start.levels())?.or(self.spec.level);
        }
        check_engine(&self.spec, &*start)?;
        let fallback = drop_unfit_program(&mut self.spec, fallback);
        let fallback = drop_unfit_net(&mut self.spec, &*start, fallback, self.strictness)?;
        rules.seed = play.seed.unwrap_or_else(seed_from_os);
        let game = Match::new(rules, self.spec, self.replay).map_err(unknown)?;
        // The full screen is not opened for a rejected file; line mode plays its valid moves first.
        let is_refused = after_end == AfterGameEnd::Stay && self.strictness == DigitPairStrictness::Strict;
        if let Some(stuck) = game.game().incomplete_replay().filter(|_| is_refused) {
            return Err(bad_file_error(messages::describe_incomplete_replay(stuck)));
        }
        Ok(MatchLaunch { game, fallback, journal: is_person.then(|| MatchJournal::new(folder)) })
    }

    /// Removes and returns the warning to show before the menu.
    pub(super) fn take_warning(&mut self) -> Option<Text> {
        self.fallback.take_if(|fallback| fallback.mode.is_none()).map(|fallback| fallback.why.text)
    }

    /// Continues the last unfinished game, or the game of a given journal.
    ///
    /// A finished game is shown as a replay.
    pub(super) fn resume_saved_game(&mut self, journal: Option<&Path>) -> Result<()> {
        let games = self.spec.start.entry.game_list();
        let newest = || {
            JournalFolder::of_current_user()
                .map_or(Ok(None), |folder| ContinuedGame::newest_unfinished(&folder, games))
        };
        match journal.map_or_else(newest, |path| ContinuedGame::open(path, games).map(Some)) {
            Ok(Some(found)) if found.is_over() => {
                self.spec = NewGame { mode: GameMode::Replay, ..found.spec };
                let path = "a finished game".to_owned();
                let mut record = found.record;
                record.tree.mark_human_moves();
                record.tree.mark_as_imported(); // playing on from here does not count as a win
                self.replay = Some(MoveFile { path, record: Box::new(record) });
                Ok(())
            }
            Ok(Some(found))
                if self.strictness == DigitPairStrictness::Strict && !found.passed_over.is_empty() =>
            {
                Err(bad_file_error(found.passed_over.join("; ")))
            }
            Ok(Some(found)) => {
                let cut =
                    "The last line of the saved game was incomplete. The game continues from before it.";
                let passed_over = found
                    .passed_over
                    .iter()
                    .map(|why| format!("{why}. The game before it is resumed instead."));
                let said = [(found.was_cut, cut), (found.is_of_the_future, messages::FUTURE_DATE_WARNING)];
                let said = said.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| text.to_owned());
                let program = found.program.as_ref().filter(|_| self.spec.program.is_none());
                let program = program.map(|name| messages::missing_engine_message(name));
                let said: Vec<String> = passed_over.chain(said).chain(program).collect();
                if !said.is_empty() {
                    let why = Refusal::new(RefusalCode::Journal, said.join(" "));
                    self.fallback = Some(ModeFallback { mode: None, why });
                }
                self.continued = Some(found);
                Ok(())
            }
            Ok(None) => self.fall_back_to_mode_1("there is no unfinished game".to_owned(), bad_file_error),
            Err(why) if journal.is_some() => Err(failure_with_code(1, why)), // this game was requested, and no other
            Err(why) => self.fall_back_to_mode_1(why, bad_file_error),
        }
    }

    /// Falls back to mode 1 with this reason; fails in strict mode.
    fn fall_back_to_mode_1(&mut self, why: String, fail: fn(String) -> anyhow::Error) -> Result<()> {
        // A request to analyse a file is not replaced by a game.
        if self.strictness == DigitPairStrictness::Strict || self.spec.mode == GameMode::Analysis {
            return Err(fail(why));
        }
        let mode = (self.spec.mode == GameMode::Replay).then_some(3);
        self.spec.mode = GameMode::HumanMachine;
        let why = Refusal::new(RefusalCode::File, messages::fallback_to_mode_1_message(why));
        self.fallback = Some(ModeFallback { mode, why });
        Ok(())
    }
}

/// Match to play, the fallback that led to it, and its journal.
pub(super) struct MatchLaunch {
    pub(super) game: Match,
    pub(super) fallback: Option<ModeFallback>,
    pub(super) journal: Option<MatchJournal>,
}

/// Parses the request for a match from the flags.
pub(super) fn parse_launch_request(
    play: &cli::PlayArgs,
    (entry, variant): RequestedBoard,
) -> Result<LaunchRequest> {
    let (mode, mut fallback) = parse_mode(play)?;
    if !play.settings.warnings.is_empty() {
        let warnings = play.settings.warnings.join(" ");
        let before = fallback.map(|fallback| format!("{} ", fallback.why.text)).unwrap_or_default();
        fallback = Some(ModeFallback {
            mode: None,
            why: Refusal::new(RefusalCode::Config, format!("{before}{warnings}")),
        });
    }
    let play_as = match play.play_as {
        None | Some(cli::PlayAsArg::First) => HumanSideChoice::First,
        Some(cli::PlayAsArg::Second) => HumanSideChoice::Second,
        Some(cli::PlayAsArg::Random) => HumanSideChoice::Random,
    };
    let only_warns = play.time_over == Some(cli::TimeOverArg::Warning);
    let over = if only_warns { TimeoutRule::Warning } else { TimeoutRule::Loss };
    let time = play.time.map(|time| TimeControl { over, ..time });
    // The player may choose another level in the menu.
    let asked = play.level.as_ref().filter(|_| play.settings.asks);
    let level = parse_level_flag(asked, entry.levels())?;
    let limits = play.limits.into();
    let resources = play.resources.into();
    let net = load_network(play.net.as_deref())?;
    let start = super::parse_game_start((entry, variant), play.position.as_deref())?;
    let spec = NewGame { mode, level, net, play_as, limits, resources, time, ..NewGame::from_start(start) };
    let spec = match &play.engine {
        None => spec,
        Some(text) => apply_engine_flag(spec, text, play)?,
    };
    let strictness = if play.strict { DigitPairStrictness::Strict } else { DigitPairStrictness::Forgiving };
    let mut wanted = LaunchRequest { spec, continued: None, replay: None, fallback, strictness };
    if play.goes_on {
        if let Some(key) = wanted.spec.start.variant.keys().next() {
            return Err(usage_error(format!("--continue resumes a game as it is; remove the {key} option")));
        }
        wanted.resume_saved_game(play.journal.as_deref())?;
    }
    if matches!(mode, GameMode::Replay | GameMode::Analysis) {
        if let Some(path) = &play.file {
            let is_bare = play.mode.is_none();
            let noise = if is_bare { NonDigitTextPolicy::Refused } else { NonDigitTextPolicy::PassedOver };
            let (has_game, number) = (play.game.is_some(), play.game_number);
            let asked = MoveFileRequest { has_game, number, noise, is_bare };
            request_replay(path, asked, &mut wanted)?;
        } else if mode == GameMode::Replay {
            let file = find_example_file(entry).unwrap_or("game.txt");
            let why = format!("mode 3 needs a move file, such as --mode 3 {file}");
            wanted.fall_back_to_mode_1(why, usage_error)?;
        }
    }
    Ok(wanted)
}

/// Returns the example move file of a game, if it is in the current folder.
fn find_example_file(entry: &RegisteredGame) -> Option<&'static str> {
    Some(entry.example).filter(|path| Path::new(path).exists())
}

/// Returns the request with the engine of `--engine` as the player's opponent.
fn apply_engine_flag(spec: NewGame, text: &str, play: &cli::PlayArgs) -> Result<NewGame> {
    let wrong = |why: &dyn Display| usage_error(format!("--engine {}: {why}", Refusal::sanitize_path(text)));
    if !ExternalProgram::looks_like_program_name(text) {
        let own: EngineSpec = text.parse().map_err(|why| match why {
            EngineSpecError::Kind(kind) => wrong(&ExternalProgramError::NoEngine(kind)),
            why => wrong(&why),
        })?;
        let level = spec.start.entry.check_level(own.level).map_err(|why| wrong(&why))?;
        let own = own.load_weights(disk::load_network_weights).map_err(|why| wrong(&why))?;
        let limits = own.limits.or_if_unlimited(spec.limits);
        return Ok(NewGame { level: Some(level), limits, engine_spec: Some(own), ..spec });
    }
    let program: ExternalProgram = text.parse().map_err(|why| wrong(&why))?;
    // The game is not chosen yet, or the engine plays only the games that it supports.
    let is_free = play.settings.asks || play.goes_on || play.settings.engine_is_a_wish;
    if !is_free && !program.can_play(spec.start.entry.name) {
        return Err(wrong(&format!("this protocol does not support {}", spec.start.entry.name)));
    }
    // External engines rarely support the swap.
    let GameStart { entry, mut variant, setup } = spec.start.clone();
    let is_swap_unsaid =
        variant.value("swap").is_none() && entry.resolved_setting(&variant, "swap").is_some();
    let mut spec = spec;
    if program.can_play(entry.name) && !program.is_crosspath_build() && is_swap_unsaid {
        variant.set_setting("swap", "off");
        spec.set_start(GameStart { entry, variant, setup });
    }
    Ok(NewGame { program: Some(Arc::new(program)), ..spec })
}

/// Loads the network that `--net` names.
pub(super) fn load_network(file: Option<&str>) -> Result<Option<Arc<NetworkWeights>>> {
    let net = file.map(|file| {
        let bytes = disk::load_network_weights(file)
            .map_err(|why| usage_error(format!("--net: cannot read {file}: {why}")))?;
        anyhow::Ok(Arc::new(NetworkWeights::new(file, bytes)))
    });
    net.transpose()
}

/// Drops an external engine whose protocol does not support the game, and warns if it was to play.
fn drop_unfit_program(spec: &mut NewGame, fallback: Option<ModeFallback>) -> Option<ModeFallback> {
    let entry = spec.start.entry;
    let unfit = spec.program.take_if(|program| !program.can_play(entry.name));
    let is_missed = matches!(spec.mode, GameMode::HumanMachine | GameMode::Machines);
    let Some(program) = unfit.filter(|_| is_missed) else { return fallback };
    Some(append_warning(fallback, messages::unsupported_game_message(&program.to_string(), entry.title)))
}

/// Rejects a named engine that cannot play with its network or constants.
fn check_engine(spec: &NewGame, start: &dyn Position) -> Result<()> {
    let Some(own) = &spec.engine_spec else { return Ok(()) };
    match describe_unfit_engine(own.level, &own.config_for_side(0, Side::First), start, spec.start.entry) {
        Some(why) => Err(usage_error(format!("--engine {own}: {why}"))),
        None => Ok(()),
    }
}

/// Drops a network that does not fit the game, and adds a warning.
///
/// # Errors
/// Returns an error in strict mode.
fn drop_unfit_net(
    spec: &mut NewGame,
    start: &dyn Position,
    fallback: Option<ModeFallback>,
    strictness: DigitPairStrictness,
) -> Result<Option<ModeFallback>> {
    let of_net = |weights: &Arc<NetworkWeights>| EngineConfig {
        weights: Some(Arc::clone(weights)),
        ..EngineConfig::new(0, 0)
    };
    let why = spec.net.as_ref().and_then(|weights| {
        describe_unfit_engine(EngineKind::Net, &of_net(weights), start, spec.start.entry)
    });
    let Some(why) = why else { return Ok(fallback) };
    if strictness == DigitPairStrictness::Strict {
        return Err(usage_error(format!("--net: {why}")));
    }
    spec.net = None;
    Ok(Some(append_warning(fallback, messages::network_ignored_message(&why))))
}

/// Returns the reason why an engine cannot play with its weights or constants; `None` if it can.
pub(super) fn describe_unfit_engine(
    level: EngineKind,
    config: &EngineConfig,
    start: &dyn Position,
    entry: &RegisteredGame,
) -> Option<String> {
    match start.build_engine(level, config) {
        Err(EngineError::Build(EngineBuildError::NoNet)) | Ok(_) => None,
        Err(EngineError::Level(_)) => Some(messages::no_networks_message(entry.title)),
        Err(why) => Some(why.to_string()),
    }
}

/// Appends a sentence to the warning, or creates the warning.
fn append_warning(fallback: Option<ModeFallback>, told: String) -> ModeFallback {
    match fallback {
        None => ModeFallback { mode: None, why: Refusal::new(RefusalCode::Config, told) },
        Some(ModeFallback { mode, why }) => {
            ModeFallback { mode, why: Refusal::new(why.code, format!("{} {told}", why.text)) }
        }
    }
}

/// Parses the mode; returns a warning if the requested mode does not exist.
fn parse_mode(play: &cli::PlayArgs) -> Result<(GameMode, Option<ModeFallback>)> {
    let mode = match play.mode.as_deref().map(str::trim) {
        None if play.analyze => return Ok((GameMode::Analysis, None)),
        None if play.file.is_some() => GameMode::Replay,
        None | Some("1") => GameMode::HumanMachine,
        Some("2") => GameMode::Humans,
        Some("3") => GameMode::Replay,
        Some("4") => GameMode::Machines,
        Some(other) => {
            let other = Refusal::sanitize_excerpt(other);
            let why = format!(
                "there is no mode \"{other}\"; modes are 1 human vs engine, 2 human vs human, \
                 3 replay FILE, 4 engine vs engine"
            );
            if play.strict {
                return Err(usage_error(why));
            }
            let why = Refusal::new(RefusalCode::BadNumber, messages::fallback_to_mode_1_message(why));
            return Ok((GameMode::HumanMachine, Some(ModeFallback { mode: None, why })));
        }
    };
    if mode != GameMode::Replay && play.file.is_some() {
        return Err(usage_error("use --mode 3 to replay a move file; in other modes use the command load"));
    }
    Ok((mode, None))
}

/// Request for a move file.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveFileRequest {
    /// `true` if a flag names the game.
    pub(super) has_game: bool,
    /// Number of the requested game in a file of several, from 1.
    pub(super) number: Option<usize>,
    /// Text that a file of digits may contain besides the digits.
    pub(super) noise: NonDigitTextPolicy,
    /// `true` if only the file was named; then a file without a game is an error.
    pub(super) is_bare: bool,
}

/// Reads the move file of mode 3 and requests its game.
///
/// A file that contradicts the flags is an error. If `--mode 3` names an unreadable file, or no such file
/// exists, mode 1 is requested instead.
pub(super) fn request_replay(path: &Path, asked: MoveFileRequest, wanted: &mut LaunchRequest) -> Result<()> {
    let shown = Refusal::sanitize_path(path);
    let spec = &mut wanted.spec;
    let bytes = match crate::record::read_game_source(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let more = match error {
                disk::FileError::Missing if cli::MODE_NUMBERS.contains(&shown.as_str()) => {
                    format!("; a mode needs its flag: --mode {shown}")
                }
                disk::FileError::Missing => find_example_file(spec.start.entry)
                    .map(|path| format!("; try {path}"))
                    .unwrap_or_default(),
                _ => String::new(),
            };
            let is_missing = matches!(error, disk::FileError::Missing);
            if let Some(name) = cli::nearest_command(&shown).filter(|_| asked.is_bare && is_missing) {
                return Err(usage_error(format!(
                    "there is no file or command {shown}; did you mean crosspath {name}?"
                )));
            }
            let why = format!("cannot read {shown}: {error}{more}");
            if asked.is_bare && !is_missing {
                return Err(bad_file_error(why));
            }
            return wanted.fall_back_to_mode_1(why, bad_file_error);
        }
    };
    let MoveFileRequest { has_game, number, noise, is_bare } = asked;
    if is_bare && bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(bad_file_error(format!("{shown}: the file is empty")));
    }
    let hint = RecordReadOptions {
        game: has_game.then_some(spec.start.entry),
        noise,
        strictness: wanted.strictness,
        number,
        ..RecordReadOptions::for_games(spec.start.entry.game_list()).with_board(&spec.start.variant)
    };
    match journal::open_game_record(&bytes, &hint) {
        Ok(record) => {
            check_flags_match_file(&record, (spec.start.entry, &spec.start.variant), has_game, &shown)?;
            spec.set_start(record.start.clone());
            wanted.replay = Some(MoveFile { path: shown, record: Box::new(record) });
            Ok(())
        }
        Err(bad) if is_bare => Err(bad_file_error(format!("{shown}:{bad}"))),
        Err(bad) => wanted.fall_back_to_mode_1(format!("{shown}:{bad}"), bad_file_error),
    }
}

/// Rejects flags that contradict a move file that names its game.
pub(super) fn check_flags_match_file(
    record: &GameRecord,
    (entry, flags): (&'static RegisteredGame, &Variant),
    has_game: bool,
    shown: &str,
) -> Result<()> {
    if !record.form.states_game() {
        return Ok(());
    }
    if has_game && entry.name != record.start.entry.name {
        let (flag, there) = (entry.name, record.start.entry.name);
        return Err(usage_error(format!("--game {flag} contradicts {shown}, which is a game of {there}")));
    }
    check_flags_match_header(flags, &record.start, shown)
}

/// Rejects a flag that contradicts a header, or names a setting that the game does not have.
fn check_flags_match_header(flags: &Variant, header: &GameStart, shown: &str) -> Result<()> {
    for key in flags.keys() {
        let asked = header.variant.clone().with_setting(key, flags.value(key).unwrap_or_default());
        let asked =
            header.entry.resolve_board(&asked).map_err(|error| usage_error(error.to_flag_message()))?;
        let there = header.entry.resolve_board(&header.variant).map_err(usage_error)?;
        if let (Some(flag), Some(there), Some(setting)) =
            (asked.format_setting(key), there.format_setting(key), header.entry.find_setting(key))
            && flag != there
        {
            let flag = match setting.kind {
                SettingKind::Switch { .. } => format!("--{}", setting.flag),
                _ => format!("--{} {flag}", setting.flag),
            };
            return Err(usage_error(format!("{flag} contradicts {shown}, which has {key}={there}")));
        }
    }
    Ok(())
}
