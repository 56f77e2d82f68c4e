//! The config file: a person's preferences in place of the defaults. A flag overrides it, and the
//! program never writes it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Table;
use toml::de::{DeTable, DeValue};

use crate::ai::EngineKind;
use crate::cli::{Cli, Play, Reader, Settings, Switch, values};
use crate::game::{Refusal, SettingKind};
use crate::record::disk;
use crate::registry::{self, Entry, Variant};
use crate::thinking::ExternalProgram;
use crate::ui::tui::{OwnTheme, Palette, Preferences, Theme};

/// Size of the largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// Most colours hard to read that a warning names.
const NAMED: usize = 3;

/// Returns the path of the file: `crosspath/config.toml` in `$XDG_CONFIG_HOME`, else in
/// `~/.config`.
pub(super) fn path() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("crosspath").join("config.toml"))
}

/// Config file: a person's preferences in place of the defaults.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Config {
    #[serde(deserialize_with = "values::switch")]
    bell: bool,
    #[serde(deserialize_with = "values::switch")]
    digits: bool,
    #[serde(deserialize_with = "values::choice")]
    motion: Option<Switch>,
    keys: Keys,
    #[serde(flatten)]
    play: Play,
}

/// Keys that move the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Keys {
    #[default]
    Default,
    Vi,
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer).as_deref() {
            Ok("default") => Ok(Keys::Default),
            Ok("vi") => Ok(Keys::Vi),
            _ => Err(D::Error::custom("must be \"default\" or \"vi\"")),
        }
    }
}

impl Config {
    /// Returns the board that the settings of the games name.
    ///
    /// # Errors
    /// Names a setting that does not exist, or the values that it can have.
    fn variant(&self, games: &'static [Entry]) -> Result<Variant, String> {
        self.play.others.iter().try_fold(Variant::default(), |board, (flag, value)| {
            let setting =
                registry::settings(games).find(|setting| setting.flag == flag).ok_or_else(|| {
                    let flag = Refusal::shown(flag);
                    format!("there is no setting {flag}; settings are flag names without dashes")
                })?;
            match (&setting.kind, value) {
                (SettingKind::Switch { .. }, values::Value::Switch(false)) => Ok(board),
                (&SettingKind::Switch { default }, values::Value::Switch(true)) => {
                    Ok(board.with(setting.key, if default { "off" } else { "on" }))
                }
                (SettingKind::Switch { .. }, _) => Err(format!("{flag} must be true or false")),
                _ => Ok(board.with(setting.key, value)),
            }
        })
    }
}

/// Returns the command line with the additions of the config file; warnings about the file are in
/// the settings.
///
/// # Errors
/// If clap rejects the command line itself.
pub(super) fn merged(games: &'static [Entry], arguments: &[OsString]) -> Result<(Cli, Variant), clap::Error> {
    let mut reader = Reader::new(games);
    let (mut own, board) = reader.read(arguments.iter().cloned())?;
    own.play.settings.asks = own.play.is_unspecified(&board);
    own.play.settings.engine_is_a_wish = own.play.engine.is_none();
    let Some(path) = path().filter(|_| own.action.is_none() && !own.play.print_paths) else {
        return Ok((own, board));
    };
    match read(&path) {
        Ok(None) => Ok((own, board)),
        Ok(Some(text)) => with_settings(&mut reader, arguments, (own, board), (&path, &text)),
        Err(why) => {
            own.play.settings.warnings =
                vec![format!("{}: {why}. The defaults are used.", Refusal::shown_path(&path))];
            Ok((own, board))
        }
    }
}

/// Returns the command line `own` of these arguments with the additions of a config file's text.
///
/// # Errors
/// If clap rejects the command line itself.
pub fn with_settings(
    reader: &mut Reader,
    arguments: &[OsString],
    (mut own, own_board): (Cli, Variant),
    (path, text): (&Path, &str),
) -> Result<(Cli, Variant), clap::Error> {
    let matches = reader.matches(arguments.iter().cloned())?;
    let over = |Config { play, .. }: Config, mut board: Variant| {
        own_board.keys().for_each(|key| board.set(key, own_board.value(key).unwrap_or_default()));
        Ok::<_, clap::Error>((Play::over(&matches, play)?, board))
    };
    // A game that the command line names has a board of its own.
    let names_game = own.play.game.is_some() || own.play.file.is_some() || own.play.goes_on;
    let is_of_game = |key: &str| {
        ["game", "mode"].contains(&key)
            || registry::settings(reader.games()).any(|setting| setting.flag == key)
    };
    let given = reader.given(&matches);
    let mut file = Lines { settings: own.play.settings, path, text };
    let (rows, mut kept, mut config) = (file.rows(), Table::new(), (Config::default(), Variant::default()));
    for (line, key, value) in rows {
        let mut flags = given.iter().copied().chain(kept.keys().map(String::as_str));
        if flags.any(|flag| reader.is_conflict(flag, &key)) || names_game && is_of_game(&key) {
            continue;
        }
        let mut with_it = kept.clone();
        with_it.insert(key.clone(), value);
        match fitting(reader.games(), file.settings.themes, &key, with_it.clone()) {
            Err(why) => file.warn(line, &why),
            Ok(fitting) => {
                let (play, board) = over(fitting.0.clone(), fitting.1.clone())?;
                // Settings that the command line excludes are dropped.
                if validate(reader.games(), file.settings.themes, &play, &board).is_ok() {
                    (kept, config) = (with_it, fitting);
                }
            }
        }
    }
    let Config { bell: has_bell, digits: has_digits, keys, motion, .. } = config.0;
    file.settings.habits = Preferences {
        has_bell,
        has_digits,
        has_vi_keys: keys == Keys::Vi,
        is_still: motion == Some(Switch::Off),
    };
    let settings = file.settings;
    let (play, board) = over(config.0, config.1)?;
    own.play = Play { settings, ..play };
    Ok((own, board))
}

/// Returns the settings of a file's rows together, if they fit.
///
/// # Errors
/// Says which problem the row of `key`, the last one, has.
fn fitting(
    games: &'static [Entry],
    themes: &'static [OwnTheme],
    key: &str,
    rows: Table,
) -> Result<(Config, Variant), String> {
    let config = Config::deserialize(rows);
    let config = config.map_err(|error| format!("{} {}", Refusal::shown(key), error.message()))?;
    let board = config.variant(games)?;
    validate(games, themes, &config.play, &board)?;
    Ok((config, board))
}

/// Checks that the requested board, theme and engine exist.
///
/// # Errors
/// Names what does not exist, and what does.
fn validate(
    games: &'static [Entry],
    themes: &'static [OwnTheme],
    play: &Play,
    board: &Variant,
) -> Result<(), String> {
    if let Some(theme) = &play.theme {
        Theme::find(theme, themes)?;
    }
    let entry = play.game.as_ref().map_or(Ok(&games[0]), |name| registry::find_in(games, name));
    let entry = entry.map_err(|error| error.to_string())?;
    entry.choose(board).map_err(|error| error.as_flag())?;
    if let Some(program) = play.engine.as_ref().filter(|text| ExternalProgram::is_meant_by(text)) {
        program.parse::<ExternalProgram>().map_err(|why| format!("--engine: {why}"))?;
    }
    if let Some(level) = &play.level {
        EngineKind::read(level, entry.levels()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Lines of the file.
struct Lines<'f> {
    settings: Settings,
    path: &'f Path,
    text: &'f str,
}

impl Lines<'_> {
    fn warn(&mut self, line: usize, why: &str) {
        self.settings.warnings.push(format!("{}:{line}: {why}.", Refusal::shown_path(self.path)));
    }

    /// Returns the rows outside of themes, each with its line, in their order; the themes are in
    /// the settings.
    fn rows(&mut self) -> Vec<(usize, String, toml::Value)> {
        let text = self.text;
        let line_of = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let (table, mut values) =
            match DeTable::parse(text).and_then(|table| Ok((table, text.parse::<Table>()?))) {
                Ok((table, values)) => (table.into_inner(), values),
                Err(error) => {
                    let line = line_of(error.span().map_or(0, |span| span.start));
                    self.warn(
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
                self.settings.themes = self.themes(themes, line_of).leak();
            }
            Some(_) => {
                values.remove("themes");
                self.warn(line_of_key("themes"), "themes must be tables, such as [themes.sea]");
            }
            None => {}
        }
        let mut rows: Vec<_> =
            values.into_iter().map(|(key, value)| (line_of_key(&key), key, value)).collect();
        rows.sort_by_key(|(line, ..)| *line);
        rows
    }

    /// Returns the themes of tables such as `[themes.sea]`.
    fn themes(&mut self, tables: &DeTable<'_>, line_of: impl Fn(usize) -> usize) -> Vec<OwnTheme> {
        let mut themes = Vec::new();
        for (name, value) in tables {
            let (line, name) = (line_of(name.span().start), name.get_ref());
            let DeValue::Table(table) = value.get_ref() else {
                self.warn(line, &format!("themes.{} must be a table of colours", Refusal::shown(name)));
                continue;
            };
            if name.trim().is_empty() {
                self.warn(line, "a theme needs a name, such as [themes.sea]");
                continue;
            }
            if Theme::find(name, &[]).is_ok() {
                self.warn(line, &format!("{name} is a built-in theme; choose another name"));
                continue;
            }
            let mut palette = match table.get("base").map(|base| base.get_ref().as_str()) {
                Some(Some("light")) => Palette::LIGHT,
                Some(Some("contrast")) => Palette::CONTRAST,
                _ => Palette::DARK,
            };
            for (key, value) in table {
                if let Err(why) = colour(&mut palette, key.get_ref(), value.get_ref()) {
                    self.warn(line_of(key.span().start), &why);
                }
            }
            let hard = palette.hard_to_read();
            if !hard.is_empty() {
                let (name, first) = (Refusal::shown(name), hard[..hard.len().min(NAMED)].join(", "));
                let more = hard.len().saturating_sub(NAMED);
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                self.warn(
                    line,
                    &format!("themes.{name} is hard to read: {first}{more} on its background or tile"),
                );
            }
            themes.push(OwnTheme { name: name.to_string(), palette });
        }
        themes
    }
}

/// Sets a colour from a line of a theme.
///
/// # Errors
/// Says which value would be right.
fn colour(palette: &mut Palette, key: &str, value: &DeValue<'_>) -> Result<(), String> {
    let text = value.as_str().unwrap_or_default();
    if key == "base" {
        let is_known = ["dark", "light", "contrast"].contains(&text);
        return if is_known {
            Ok(())
        } else {
            Err("base must be \"dark\", \"light\" or \"contrast\"".to_owned())
        };
    }
    let mut places = palette.named();
    let known = places.each_ref().map(|(name, _)| *name).join(", ");
    let Some((_, place)) = places.iter_mut().find(|(name, _)| *name == key) else {
        return Err(format!("a theme has no colour {}; the colours are base, {known}", Refusal::shown(key)));
    };
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    **place = Palette::colour(number.ok_or_else(|| format!("{key} must be a colour such as \"#1e2127\""))?);
    Ok(())
}

/// Returns the text of the file; `None` if there is none.
fn read(path: &Path) -> Result<Option<String>, String> {
    let bytes = match disk::read_regular(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error.to_string().to_lowercase()),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("the file is longer than {} KiB", MAX_BYTES >> 10));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "the file is not UTF-8 text".to_owned())
}
