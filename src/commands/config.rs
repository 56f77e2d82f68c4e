//! The file of settings: what a person wants in place of the defaults. A flag comes before it, and nothing writes it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use toml::de::{DeTable, DeValue};

use crate::ai::EngineKind;
use crate::cli::{self, Cli, Reader, Settings};
use crate::game::Refusal;
use crate::record::disk;
use crate::registry::{self, Entry, Variant};
use crate::thinking::ExternalProgram;
use crate::ui::tui::{OwnTheme, Palette, Theme};

/// The longest file that is read, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// So many colours that are hard to read are named.
const NAMED: usize = 3;

/// Where the file lies: `crosspath/config.toml` in `$XDG_CONFIG_HOME`, else in `~/.config`.
pub(super) fn path() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("crosspath").join("config.toml"))
}

/// One line of the file as a flag.
struct Wish {
    line: usize,
    key: String,
    flag: OsString,
}

/// The command line with what the file of settings adds to it; what is wrong with the file stands in the settings.
///
/// # Errors
/// What clap says about the command line itself.
pub(super) fn merged(games: &'static [Entry], arguments: &[OsString]) -> Result<(Cli, Variant), clap::Error> {
    let (mut own, variant) = cli::parse(games, arguments.iter().cloned())?;
    own.play.settings.asks = own.play.is_unspecified(&variant);
    own.play.settings.engine_is_a_wish = own.play.engine.is_none();
    let Some(path) = path().filter(|_| own.action.is_none() && !own.play.print_paths) else {
        return Ok((own, variant));
    };
    let text = match read(&path) {
        Ok(None) => return Ok((own, variant)),
        Ok(Some(text)) => text,
        Err(why) => {
            own.play.settings.warnings =
                vec![format!("{}: {why}. The defaults are used.", Refusal::shown_path(&path))];
            return Ok((own, variant));
        }
    };
    with_settings(&mut Reader::overriding(games), arguments, &own, (&path, &text))
}

/// The command line `own` of these arguments with what the text of a file of settings adds to it. The reader takes the
/// later one of two flags, [`Reader::overriding`].
///
/// # Errors
/// What clap says about the command line itself.
pub fn with_settings(
    reader: &mut Reader,
    arguments: &[OsString],
    own: &Cli,
    (path, text): (&Path, &str),
) -> Result<(Cli, Variant), clap::Error> {
    let games = reader.games();
    let mut file = Lines { settings: own.play.settings.clone(), path, text };
    let mut wishes = file.read(reader);
    // A game that the command line names has a board of its own.
    let names_game = own.play.game.is_some() || own.play.file.is_some() || own.play.goes_on;
    let keys =
        [registry::settings(games).map(|setting| setting.flag).collect(), vec!["game", "mode"]].concat();
    wishes.retain(|wish| !(names_game && keys.contains(&wish.key.as_str())));
    let own = arguments.get(1..).unwrap_or_default();
    let mut with = |wishes: &[&Wish], own: &[OsString]| {
        let flags = wishes.iter().map(|wish| wish.flag.clone());
        reader.read(["crosspath".into()].into_iter().chain(flags).chain(own.iter().cloned()))
    };
    let mut kept: Vec<&Wish> = wishes.iter().collect();
    let themes = file.settings.themes;
    let fits = |parsed: (Cli, Variant)| fits(games, themes, parsed);
    if with(&kept, own).and_then(fits).is_err() {
        // What is wrong by itself is told; what the command line excludes is not wanted now.
        let all = std::mem::take(&mut kept);
        for wish in all {
            kept.push(wish);
            if with(&kept, own).and_then(fits).is_ok() {
                continue;
            }
            kept.pop();
            if let Err(error) = with(&[wish], &[]).and_then(fits) {
                let said = error.to_string();
                let why = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
                file.warn(wish.line, &Refusal::shown_path(why));
            }
        }
    }
    let settings = file.settings;
    let (mut cli, variant) = with(&kept, own)?;
    cli.play.settings = settings;
    Ok((cli, variant))
}

/// The same where the board and the theme that are asked for exist.
fn fits(
    games: &'static [Entry],
    themes: &'static [OwnTheme],
    (mut cli, variant): (Cli, Variant),
) -> Result<(Cli, Variant), clap::Error> {
    let wrong = |why: String| clap::Error::raw(clap::error::ErrorKind::InvalidValue, why);
    cli.play.settings.themes = themes;
    super::play::theme(&cli.play).map_err(wrong)?;
    let entry = cli.play.game.as_ref().map_or(Ok(&games[0]), |name| registry::find_in(games, name));
    let entry = entry.map_err(|error| wrong(error.to_string()))?;
    entry.choose(&variant).map_err(|error| wrong(error.as_flag()))?;
    let program = cli.play.engine.as_ref().filter(|text| ExternalProgram::is_meant_by(text));
    if let Some(Err(why)) = program.map(|text| text.parse::<ExternalProgram>()) {
        return Err(wrong(format!("--engine: {why}")));
    }
    if let Some(level) = &cli.play.level {
        EngineKind::read(level, entry.levels()).map_err(|error| wrong(error.to_string()))?;
    }
    Ok((cli, variant))
}

/// The lines of the file.
struct Lines<'f> {
    settings: Settings,
    path: &'f Path,
    text: &'f str,
}

impl Lines<'_> {
    fn warn(&mut self, line: usize, why: &str) {
        self.settings.warnings.push(format!("{}:{line}: {why}.", Refusal::shown_path(self.path)));
    }

    /// The lines that stand for flags, in their order.
    fn read(&mut self, flags: &Reader) -> Vec<Wish> {
        let text = self.text;
        let line_of = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let line = line_of(error.span().map_or(0, |span| span.start));
                self.warn(
                    line,
                    &format!("this is not valid TOML: {}. The defaults are used", error.message()),
                );
                return Vec::new();
            }
        };
        let mut rows: Vec<_> =
            table.iter().map(|(key, value)| (key.span().start, key.get_ref(), value.get_ref())).collect();
        rows.sort_by_key(|(at, ..)| *at);
        let mut wishes = Vec::new();
        for (at, key, value) in rows {
            let key = Refusal::shown(key);
            if let ("themes", DeValue::Table(tables)) = (&*key, value) {
                self.settings.themes = self.themes(tables, line_of).leak();
                continue;
            }
            match self.flag(&key, value, flags) {
                Ok(Some(flag)) => wishes.push(Wish { line: line_of(at), key, flag: flag.into() }),
                Ok(None) => {}
                Err(why) => self.warn(line_of(at), &why),
            }
        }
        wishes
    }

    /// The themes of tables such as `[themes.sea]`.
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

    /// The flag that a line stands for, if it stands for one.
    fn flag(&mut self, key: &str, value: &DeValue<'_>, flags: &Reader) -> Result<Option<String>, String> {
        let habits = &mut self.settings.habits;
        match (key, value) {
            ("bell", DeValue::Boolean(is_on)) => habits.has_bell = *is_on,
            ("digits", DeValue::Boolean(is_on)) => habits.has_digits = *is_on,
            ("keys", DeValue::String(text)) if ["vi", "default"].contains(&&**text) => {
                habits.has_vi_keys = text == "vi";
            }
            ("themes", _) => return Err("themes must be tables, such as [themes.sea]".to_owned()),
            ("bell" | "digits", _) => return Err(format!("{key} must be true or false")),
            ("keys", _) => return Err("keys must be \"default\" or \"vi\"".to_owned()),
            _ => {
                let takes_value = flags.takes_value(key).ok_or_else(|| {
                    format!("there is no setting {key}; settings are flag names without dashes")
                })?;
                return match (takes_value, value) {
                    (false, DeValue::Boolean(is_on)) => Ok(is_on.then(|| format!("--{key}"))),
                    (false, _) => Err(format!("{key} must be true or false")),
                    (true, DeValue::Boolean(true)) => Ok(Some(format!("--{key}=on"))),
                    (true, DeValue::Boolean(false)) => Ok(Some(format!("--{key}=off"))),
                    (true, DeValue::String(text)) => Ok(Some(format!("--{key}={text}"))),
                    (true, DeValue::Integer(number)) => Ok(Some(format!("--{key}={number}"))),
                    (true, _) => Err(format!("{key} must be a string or a number")),
                };
            }
        }
        Ok(None)
    }
}

/// Takes a line of a theme into its colours.
///
/// # Errors
/// What would be right.
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

/// The text of the file; `None` if there is none.
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
