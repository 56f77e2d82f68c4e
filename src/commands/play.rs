//! The program without a command: a match, on the full screen or in lines.

use std::io::{self, BufRead, BufWriter, IsTerminal};

use anyhow::{Context, Result};

use super::environment::{depth, glyphs, has_colour, is_full_screen, width};
use super::request::{AskedFile, Launch, replay_of, wanted};
use super::{Board, bad_file, failure, log_file, usage};
use crate::cli;
use crate::external;
use crate::game::SIZE;
use crate::interrupt::Interrupt;
use crate::journal::{Folder, Journal};
use crate::messages;
use crate::platform::{CAN_WAIT_FOR_INPUT, has_input_within};
use crate::play::{AfterEnd, Leaving, Match, Mode, Reviewer, Rules, Session};
use crate::random::fresh_seed;
use crate::record::Noise;
use crate::registry::{self, Entry, GameStart, Variant};
use crate::stdin::read_ahead_and_tell;
use crate::ui::json::Json;
use crate::ui::kept;
use crate::ui::line::{Line, Style};
use crate::ui::log::Log;
use crate::ui::tui::{Appearance, KnownBackground, Preferences, Start, Theme, Tui};
use crate::ui::{self, FrontEnd, Inbox, Incoming, Input};

pub(super) fn run(play: &cli::Play, board: Board) -> Result<()> {
    let theme = theme(play).map_err(usage)?;
    if is_full_screen(play)? {
        return run_on_screen(play, theme, board);
    }
    let is_dialogue = io::stdin().is_terminal() && !play.json;
    let (inbox, interrupt) = (Inbox::default(), Interrupt::default());
    let sender = inbox.sender();
    interrupt.wake_by(move || _ = sender.send(Incoming::Interrupt)); // nobody waits any more
    let out = BufWriter::new(io::stdout());
    let log = log(play)?;
    let mut wanted = wanted(play, board)?;
    let is_external = wanted.spec.program.is_some();
    let ahead = is_read_ahead(play, is_dialogue, is_external).then(|| {
        let sender = inbox.sender();
        read_ahead_and_tell(io::stdin(), move || _ = sender.send(Incoming::InputEnded))
    });
    let ahead = ahead.transpose().context("cannot read")?;
    let input: Box<dyn BufRead> =
        if ahead.is_some() { Box::new(io::empty()) } else { Box::new(io::stdin().lock()) };
    if play.json {
        let started = wanted.into_match(play, AfterEnd::Leave, false)?;
        let mut json = Json::new(input, out, glyphs(play.glyphs.unwrap_or_default()));
        if let Some(ahead) = ahead {
            json = json.with_read_ahead(ahead, play.response_timeout);
        }
        return play_match(play, started, &mut json, &inbox, log);
    }
    let mut line = Line::new(input, out, io::stderr(), style(play, is_dialogue));
    line = line.with_interrupt(interrupt.clone()).with_response_timeout(play.response_timeout);
    if is_dialogue {
        line = line.with_clocks(has_input_within);
        interrupt.watch();
    }
    if let Some(ahead) = ahead {
        line = line.with_read_ahead(ahead);
    }
    if play.settings.asks && is_dialogue {
        let Some((entry, variant)) = ask_what(wanted.spec.start.entry.games(), &mut line)? else {
            return Ok(());
        };
        wanted.spec.level.get_or_insert(entry.first_level());
        wanted.spec.choose(GameStart::new(entry, variant));
    }
    play_match(play, wanted.into_match(play, AfterEnd::Ask, is_dialogue)?, &mut line, &inbox, log)
}

/// Reports whether another thread reads the input. A search by time is cut short when no more input
/// will come; any other must give the same result every time. An external engine may think for
/// ever. Only a person at a terminal can be read meanwhile without another thread.
fn is_read_ahead(play: &cli::Play, is_dialogue: bool, is_external: bool) -> bool {
    let is_cut_short = play.limits.movetime.or(play.limits.cpu_time).is_some();
    if is_dialogue {
        !CAN_WAIT_FOR_INPUT && is_cut_short && !is_external
    } else {
        is_cut_short || is_external
    }
}

/// Returns the theme that is requested.
///
/// # Errors
/// Lists the themes that there are.
pub(super) fn theme(play: &cli::Play) -> Result<Theme, String> {
    play.theme.as_ref().map_or(Ok(Theme::Auto), |name| Theme::find(name, play.settings.themes))
}

/// Returns the appearance of line mode.
fn style(play: &cli::Play, is_dialogue: bool) -> Style {
    Style {
        is_dialogue,
        has_colour: has_colour(play.color.unwrap_or_default()),
        glyphs: glyphs(play.glyphs.unwrap_or_default()),
        width: width(is_dialogue),
        has_boards: !play.words,
        has_stats: play.stats,
        has_bell: play.settings.habits.has_bell,
    }
}

/// Returns the appearance of the full screen.
fn looks(play: &cli::Play, theme: Theme) -> Appearance {
    let tiles = play.tiles.unwrap_or_default();
    Appearance {
        glyphs: glyphs(play.glyphs.unwrap_or_default()),
        theme,
        depth: depth(play.color.unwrap_or_default(), tiles == cli::Tiles::On),
        wants_tiles: tiles != cli::Tiles::Off,
        ground: KnownBackground::Unasked,
        own_themes: play.settings.themes,
        has_mouse: play.mouse.unwrap_or_default() == cli::Switch::On,
        has_stats: play.stats,
        habits: Preferences {
            is_still: play.no_motion || play.settings.habits.is_still,
            ..play.settings.habits
        },
    }
}

/// Plays on the full screen, game after game as the player chooses them.
fn run_on_screen(play: &cli::Play, theme: Theme, board: Board) -> Result<()> {
    let log = log(play)?; // a log that cannot be written is no reason to draw a screen first
    let inbox = Inbox::default();
    let mut screen = Tui::new(looks(play, theme), inbox.sender());
    let mut wanted = wanted(play, board)?;
    if play.settings.asks {
        let warning = wanted.take_warning();
        match screen.menu(wanted.spec.clone(), warning, &inbox).context("cannot continue")? {
            None => return leave(screen.code()),
            Some(Start::Game(spec)) => wanted.spec = *spec,
            Some(Start::Mistakes) => {
                let session =
                    kept::session(wanted.spec.start.entry.games()).map_err(|why| failure(1, why))?;
                let started = session.map(|session| training(session, Reviewer::default(), AfterEnd::Stay));
                let Some(started) = started else { return leave(screen.code()) };
                let played = play_match(play, started, &mut screen, &inbox, log);
                return leave(screen.code()).and(played);
            }
            Some(Start::Kept(path)) => wanted.resume(Some(&path))?,
            Some(Start::File(path)) => {
                wanted.spec.mode = Mode::Replay;
                let (path, number) = ui::numbered(&path);
                let asked = AskedFile { has_game: false, number, noise: Noise::Refused, is_bare: true };
                replay_of(path, asked, &mut wanted)?;
            }
        }
    }
    let played = play_match(play, wanted.into_match(play, AfterEnd::Stay, true)?, &mut screen, &inbox, log);
    leave(screen.code()).and(played)
}

/// Returns a match in which mistakes are practised; their journal has the tries.
fn training(session: Session, reviewer: Reviewer, after_end: AfterEnd) -> Launch {
    let rules = Rules { seed: fresh_seed(), after_end, is_journalled: true, reviewer, ..Rules::default() };
    let journal = Some(Journal::new(Folder::of_person()));
    Launch { game: Match::training(rules, session), fallback: None, journal }
}

/// Practises mistakes, on the full screen or in lines.
pub(super) fn practise(play: &cli::Play, session: Session, reviewer: Reviewer) -> Result<()> {
    let inbox = Inbox::default();
    if is_full_screen(play)? {
        let mut screen = Tui::new(looks(play, theme(play).map_err(usage)?), inbox.sender());
        let started = training(session, reviewer, AfterEnd::Stay);
        let played = play_match(play, started, &mut screen, &inbox, None);
        return leave(screen.code()).and(played);
    }
    let interrupt = Interrupt::default();
    let sender = inbox.sender();
    interrupt.wake_by(move || _ = sender.send(Incoming::Interrupt)); // nobody waits any more
    let is_dialogue = io::stdin().is_terminal();
    let (input, out) = (io::stdin().lock(), BufWriter::new(io::stdout()));
    let mut line =
        Line::new(input, out, io::stderr(), style(play, is_dialogue)).with_interrupt(interrupt.clone());
    if is_dialogue {
        interrupt.watch();
    }
    play_match(play, training(session, reviewer, AfterEnd::Leave), &mut line, &inbox, None)
}

/// Ends with this exit code, without a further message.
fn leave(code: u8) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(failure(code, "")) }
}

/// Opens the log that is requested.
fn log(play: &cli::Play) -> Result<Option<Log>> {
    play.log.as_ref().map(|path| Ok(Log::new(log_file(path)?))).transpose()
}

fn play_match(
    play: &cli::Play,
    Launch { mut game, fallback, journal }: Launch,
    front: &mut dyn FrontEnd,
    inbox: &Inbox,
    mut log: Option<Log>,
) -> Result<()> {
    let engines = external::machines_within(play.response_timeout.unwrap_or(external::HUMAN_GAME_TIMEOUT));
    let leaving = ui::run(&mut game, front, journal, log.as_mut(), inbox, fallback, engines);
    match leaving.context("cannot continue")? {
        // All has been said.
        Leaving::Done(_) if game.has_losses() => Err(failure(1, "")),
        Leaving::Done(_) => Ok(()),
        Leaving::Refused => Err(bad_file(String::new())),
        Leaving::BadFile(stuck) => Err(bad_file(messages::incomplete_replay(&stuck))),
        Leaving::Failed(why) => Err(failure(1, why)),
    }
}

/// Returns the answer to a question; `None` if the person quits.
fn ask(screen: &mut Line<'_>, prompt: &str) -> Result<Option<String>> {
    let input = screen.ask(prompt)?;
    if input == Input::End {
        return Ok(None);
    }
    let line = input.text();
    let is_quit = ["q", "quit", "exit", "0"].contains(&line.trim().to_lowercase().as_str());
    Ok((!is_quit).then(|| line.trim().to_owned()))
}

/// Asks a person for the game and the size; `None` if the person quits.
fn ask_what(games: &'static [Entry], screen: &mut Line<'_>) -> Result<Option<(&'static Entry, Variant)>> {
    let row = |(entry, i): (&Entry, usize)| format!("{i}  {} {}", entry.title, entry.sizes().in_words());
    screen.say(&games.iter().zip(1..).map(row).collect::<Vec<_>>())?;
    let entry = loop {
        let Some(text) = ask(screen, "game> ")? else { return Ok(None) };
        let by_number = text.parse::<usize>().ok().and_then(|i| games.get(i.wrapping_sub(1)));
        match by_number.map_or_else(|| registry::find_in(games, &text), Ok) {
            _ if text.is_empty() => break &games[0],
            Ok(entry) => break entry,
            Err(error) => screen.say(&[format!("{error}.")])?,
        }
    };
    loop {
        let prompt = format!("size {} [{}]> ", entry.sizes().in_words(), entry.sizes().default);
        let Some(text) = ask(screen, &prompt)? else { return Ok(None) };
        let size = if text.is_empty() { entry.sizes().default.to_string() } else { text };
        let variant = Variant::default().with(SIZE, size);
        match entry.choose(&variant) {
            Ok(_) => return Ok(Some((entry, variant))),
            Err(error) => screen.say(&[format!("{error}.")])?,
        }
    }
}
