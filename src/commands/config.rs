//! Config file: the player's defaults.
//!
//! Flags override the file. The program never writes it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Table;
use toml::de::{DeTable, DeValue};

use crate::ai::EngineKind;
use crate::cli::{Cli, CommandLineParser, OnOffSwitch, PlayArgs, PlaySettings, values};
use crate::game::{Refusal, SettingKind};
use crate::record::disk;
use crate::registry::{self, RegisteredGame, Variant};
use crate::thinking::ExternalProgram;
use crate::ui::tui::{CustomTheme, Palette, Preferences, Theme};

/// Maximum size of the config file, in bytes.
const MAX_CONFIG_BYTES: u64 = 64 << 10;

/// Maximum number of unreadable colours that a warning names.
const MAX_NAMED_COLOURS: usize = 3;

/// Returns the path of the config file: `crosspath/config.toml` in `$XDG_CONFIG_HOME`, or else in
/// `~/.config`.
pub(super) fn config_path() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("crosspath").join("config.toml"))
}

/// Settings of the config file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct ConfigFile {
    #[serde(deserialize_with = "values::deserialize_switch")]
    bell: bool,
    #[serde(deserialize_with = "values::deserialize_switch")]
    digits: bool,
    #[serde(deserialize_with = "values::deserialize_choice")]
    motion: Option<OnOffSwitch>,
    keys: CursorKeys,
    #[serde(flatten)]
    play: PlayArgs,
}

/// Keys that move the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CursorKeys {
    #[default]
    Default,
    Vi,
}

impl<'de> Deserialize<'de> for CursorKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer).as_deref() {
            Ok("default") => Ok(CursorKeys::Default),
            Ok("vi") => Ok(CursorKeys::Vi),
            _ => Err(D::Error::custom("must be \"default\" or \"vi\"")),
        }
    }
}

impl ConfigFile {
    /// Returns the board settings in the config file.
    ///
    /// # Errors
    /// Returns an error if a setting does not exist or has an invalid value; the error says what is
    /// valid.
    fn board_variant(&self, games: &'static [RegisteredGame]) -> Result<Variant, String> {
        self.play.others.iter().try_fold(Variant::default(), |board, (flag, value)| {
            let setting =
                registry::distinct_settings(games).find(|setting| setting.flag == flag).ok_or_else(|| {
                    let flag = Refusal::sanitize_excerpt(flag);
                    format!("there is no setting {flag}; settings are flag names without dashes")
                })?;
            match (&setting.kind, value) {
                (SettingKind::Switch { .. }, values::ConfigValue::Switch(false)) => Ok(board),
                (&SettingKind::Switch { default }, values::ConfigValue::Switch(true)) => {
                    Ok(board.with_setting(setting.key, if default { "off" } else { "on" }))
                }
                (SettingKind::Switch { .. }, _) => Err(format!("{flag} must be true or false")),
                _ => Ok(board.with_setting(setting.key, value)),
            }
        })
    }
}

/// Parses the command line and adds the settings of the config file.
///
/// Warnings about the file are stored in the settings.
///
/// # Errors
/// Returns an error if clap rejects the command line itself.
pub(super) fn parse_with_config(
    games: &'static [RegisteredGame],
    arguments: &[OsString],
) -> Result<(Cli, Variant), clap::Error> {
    let mut reader = CommandLineParser::new(games);
    let (mut own, board) = reader.parse(arguments.iter().cloned())?;
    own.play.settings.asks = own.play.is_unspecified(&board);
    own.play.settings.engine_is_a_wish = own.play.engine.is_none();
    let Some(path) = config_path().filter(|_| own.action.is_none() && !own.play.print_paths) else {
        return Ok((own, board));
    };
    match read_config_file(&path) {
        Ok(None) => Ok((own, board)),
        Ok(Some(text)) => merge_config_text(&mut reader, arguments, (own, board), (&path, &text)),
        Err(why) => {
            own.play.settings.warnings =
                vec![format!("{}: {why}. The defaults are used.", Refusal::sanitize_path(&path))];
            Ok((own, board))
        }
    }
}

/// Adds the settings of a config file's text to the parsed command line `own`.
///
/// # Errors
/// Returns an error if clap rejects the command line itself.
pub fn merge_config_text(
    reader: &mut CommandLineParser,
    arguments: &[OsString],
    (mut own, own_board): (Cli, Variant),
    (path, text): (&Path, &str),
) -> Result<(Cli, Variant), clap::Error> {
    let matches = reader.parse_matches(arguments.iter().cloned())?;
    let over = |ConfigFile { play, .. }: ConfigFile, mut board: Variant| {
        own_board.keys().for_each(|key| board.set_setting(key, own_board.value(key).unwrap_or_default()));
        Ok::<_, clap::Error>((PlayArgs::override_config(&matches, play)?, board))
    };
    // If the command line names a game, the board settings of the file do not apply.
    let names_game = own.play.game.is_some() || own.play.file.is_some() || own.play.goes_on;
    let is_of_game = |key: &str| {
        ["game", "mode"].contains(&key)
            || registry::distinct_settings(reader.games()).any(|setting| setting.flag == key)
    };
    let given = reader.given_flags(&matches);
    let mut file = ConfigText { settings: own.play.settings, path, text };
    let (rows, mut kept, mut config) =
        (file.parse_rows(), Table::new(), (ConfigFile::default(), Variant::default()));
    for (line, key, value) in rows {
        let mut flags = given.iter().copied().chain(kept.keys().map(String::as_str));
        if flags.any(|flag| reader.are_flags_conflicting(flag, &key)) || names_game && is_of_game(&key) {
            continue;
        }
        let mut with_it = kept.clone();
        with_it.insert(key.clone(), value);
        match parse_config_rows(reader.games(), file.settings.themes, &key, with_it.clone()) {
            Err(why) => file.add_warning(line, &why),
            Ok(fitting) => {
                let (play, board) = over(fitting.0.clone(), fitting.1.clone())?;
                // Settings that the command line excludes are dropped.
                if validate_config(reader.games(), file.settings.themes, &play, &board).is_ok() {
                    (kept, config) = (with_it, fitting);
                }
            }
        }
    }
    let ConfigFile { bell: has_bell, digits: has_digits, keys, motion, .. } = config.0;
    file.settings.habits = Preferences {
        has_bell,
        has_digits,
        has_vi_keys: keys == CursorKeys::Vi,
        is_still: motion == Some(OnOffSwitch::Off),
    };
    let settings = file.settings;
    let (play, board) = over(config.0, config.1)?;
    own.play = PlayArgs { settings, ..play };
    Ok((own, board))
}

/// Parses the given rows of a config file together.
///
/// # Errors
/// Returns an error if a row is invalid; the error is about the row of `key`, the last one.
fn parse_config_rows(
    games: &'static [RegisteredGame],
    themes: &'static [CustomTheme],
    key: &str,
    rows: Table,
) -> Result<(ConfigFile, Variant), String> {
    let config = ConfigFile::deserialize(rows);
    let config = config.map_err(|error| format!("{} {}", Refusal::sanitize_excerpt(key), error.message()))?;
    let board = config.board_variant(games)?;
    validate_config(games, themes, &config.play, &board)?;
    Ok((config, board))
}

/// Checks that the requested board, theme and engine exist.
///
/// # Errors
/// Returns an error if one does not exist; the error lists the existing ones.
fn validate_config(
    games: &'static [RegisteredGame],
    themes: &'static [CustomTheme],
    play: &PlayArgs,
    board: &Variant,
) -> Result<(), String> {
    if let Some(theme) = &play.theme {
        Theme::find_by_name(theme, themes)?;
    }
    let entry = play.game.as_ref().map_or(Ok(&games[0]), |name| registry::find_game_in(games, name));
    let entry = entry.map_err(|error| error.to_string())?;
    entry.resolve_board(board).map_err(|error| error.to_flag_message())?;
    if let Some(program) = play.engine.as_ref().filter(|text| ExternalProgram::looks_like_program_name(text))
    {
        program.parse::<ExternalProgram>().map_err(|why| format!("--engine: {why}"))?;
    }
    if let Some(level) = &play.level {
        EngineKind::parse_level(level, entry.levels()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Text of the config file with its path and the settings read so far.
struct ConfigText<'f> {
    settings: PlaySettings,
    path: &'f Path,
    text: &'f str,
}

impl ConfigText<'_> {
    /// Adds a warning about a line.
    fn add_warning(&mut self, line: usize, why: &str) {
        self.settings.warnings.push(format!("{}:{line}: {why}.", Refusal::sanitize_path(self.path)));
    }

    /// Returns the rows outside of theme tables, with their line numbers, in order.
    ///
    /// The themes are stored in the settings.
    fn parse_rows(&mut self) -> Vec<(usize, String, toml::Value)> {
        let text = self.text;
        let line_of = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let (table, mut values) =
            match DeTable::parse(text).and_then(|table| Ok((table, text.parse::<Table>()?))) {
                Ok((table, values)) => (table.into_inner(), values),
                Err(error) => {
                    let line = line_of(error.span().map_or(0, |span| span.start));
                    self.add_warning(
                        line,
                        &format!("this is not valid TOML: {}. The defaults are used", error.message()),
                    );
                    return Vec::new();
                }
            };
        let line_of_key =
            |key: &str| table.get_key_value(key).map_or(0, |(key, _)| line_of(key.span().start));
        match table.get("themes").map(toml::Spanned::get_ref) {
            Some(DeValue::Table(themes)) => {
                values.remove("themes");
                self.settings.themes = self.parse_themes(themes, line_of).leak();
            }
            Some(_) => {
                values.remove("themes");
                self.add_warning(line_of_key("themes"), "themes must be tables, such as [themes.sea]");
            }
            None => {}
        }
        let mut rows: Vec<_> =
            values.into_iter().map(|(key, value)| (line_of_key(&key), key, value)).collect();
        rows.sort_by_key(|(line, ..)| *line);
        rows
    }

    /// Returns the themes of tables such as `[themes.sea]`.
    fn parse_themes(&mut self, tables: &DeTable<'_>, line_of: impl Fn(usize) -> usize) -> Vec<CustomTheme> {
        let mut themes = Vec::new();
        for (name, value) in tables {
            let (line, name) = (line_of(name.span().start), name.get_ref());
            let DeValue::Table(table) = value.get_ref() else {
                self.add_warning(
                    line,
                    &format!("themes.{} must be a table of colours", Refusal::sanitize_excerpt(name)),
                );
                continue;
            };
            if name.trim().is_empty() {
                self.add_warning(line, "a theme needs a name, such as [themes.sea]");
                continue;
            }
            if Theme::find_by_name(name, &[]).is_ok() {
                self.add_warning(line, &format!("{name} is a built-in theme; choose another name"));
                continue;
            }
            let mut palette = match table.get("base").map(|base| base.get_ref().as_str()) {
                Some(Some("light")) => Palette::LIGHT,
                Some(Some("contrast")) => Palette::HIGH_CONTRAST,
                _ => Palette::DARK,
            };
            for (key, value) in table {
                if let Err(why) = set_theme_colour(&mut palette, key.get_ref(), value.get_ref()) {
                    self.add_warning(line_of(key.span().start), &why);
                }
            }
            let hard = palette.low_contrast_colours();
            if !hard.is_empty() {
                let (name, first) =
                    (Refusal::sanitize_excerpt(name), hard[..hard.len().min(MAX_NAMED_COLOURS)].join(", "));
                let more = hard.len().saturating_sub(MAX_NAMED_COLOURS);
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                self.add_warning(
                    line,
                    &format!("themes.{name} is hard to read: {first}{more} on its background or tile"),
                );
            }
            themes.push(CustomTheme { name: name.to_string(), palette });
        }
        themes
    }
}

/// Sets a colour from a line of a theme.
///
/// # Errors
/// Returns an error if the line is invalid; the error says what would be valid.
fn set_theme_colour(palette: &mut Palette, key: &str, value: &DeValue<'_>) -> Result<(), String> {
    let text = value.as_str().unwrap_or_default();
    if key == "base" {
        let is_known = ["dark", "light", "contrast"].contains(&text);
        return if is_known {
            Ok(())
        } else {
            Err("base must be \"dark\", \"light\" or \"contrast\"".to_owned())
        };
    }
    let mut places = palette.named_colours_mut();
    let known = places.each_ref().map(|(name, _)| *name).join(", ");
    let Some((_, place)) = places.iter_mut().find(|(name, _)| *name == key) else {
        return Err(format!(
            "a theme has no colour {}; the colours are base, {known}",
            Refusal::sanitize_excerpt(key)
        ));
    };
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    **place = Palette::colour_from_rgb(
        number.ok_or_else(|| format!("{key} must be a colour such as \"#1e2127\""))?,
    );
    Ok(())
}

/// Returns the text of the file; `None` if it does not exist.
fn read_config_file(path: &Path) -> Result<Option<String>, String> {
    let bytes = match disk::read_regular_file(path, MAX_CONFIG_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(disk::describe_read_error(&error)),
    };
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        return Err(format!("the file is longer than {} KiB", MAX_CONFIG_BYTES >> 10));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "the file is not UTF-8 text".to_owned())
}
