//! The program without a command: a match in the full screen or in line mode.

use std::io::{self, BufRead, BufWriter, IsTerminal};

use anyhow::{Context, Result};

use super::environment::{
    choose_glyphs, detect_colour_depth, terminal_width, wants_colour, wants_full_screen,
};
use super::request::{MatchLaunch, MoveFileRequest, parse_launch_request, request_replay};
use super::{RequestedBoard, bad_file_error, failure_with_code, open_log_file, usage_error};
use crate::cli;
use crate::external;
use crate::game::SIZE_KEY;
use crate::interrupt::InterruptHandler;
use crate::journal::{JournalFolder, MatchJournal};
use crate::messages;
use crate::platform::{CAN_WAIT_FOR_INPUT, has_stdin_input_within};
use crate::play::{AfterGameEnd, GameMode, LeaveReason, Match, MatchRules, PracticeSession, ReviewEngine};
use crate::random::seed_from_os;
use crate::record::NonDigitTextPolicy;
use crate::registry::{self, GameStart, RegisteredGame, Variant};
use crate::stdin::read_ahead_with_eof_callback;
use crate::ui::json::JsonFrontEnd;
use crate::ui::kept;
use crate::ui::line::{LineFrontEnd, LineModeStyle};
use crate::ui::log::MatchLog;
use crate::ui::tui::{Appearance, KnownBackground, Preferences, StartChoice, Theme, Tui};
use crate::ui::{self, FrontEnd, Inbox, InputLine, LoopEvent};

/// Runs the program without a command.
pub(super) fn run_play(play: &cli::PlayArgs, board: RequestedBoard) -> Result<()> {
    let theme = requested_theme(play).map_err(usage_error)?;
    if wants_full_screen(play)? {
        return run_full_screen(play, theme, board);
    }
    let is_dialogue = io::stdin().is_terminal() && !play.json;
    let (inbox, interrupt) = (Inbox::default(), InterruptHandler::default());
    let sender = inbox.sender();
    interrupt.set_wake_function(move || _ = sender.send(LoopEvent::Interrupt)); // a dropped receiver is ignored
    let out = BufWriter::new(io::stdout());
    let log = open_requested_log(play)?;
    let mut wanted = parse_launch_request(play, board)?;
    let is_external = wanted.spec.program.is_some();
    let ahead = needs_read_ahead(play, is_dialogue, is_external).then(|| {
        let sender = inbox.sender();
        read_ahead_with_eof_callback(io::stdin(), move || _ = sender.send(LoopEvent::InputEnded))
    });
    let ahead = ahead.transpose().context("cannot read")?;
    let input: Box<dyn BufRead> =
        if ahead.is_some() { Box::new(io::empty()) } else { Box::new(io::stdin().lock()) };
    if play.json {
        let started = wanted.into_launch(play, AfterGameEnd::Leave, false)?;
        let mut json = JsonFrontEnd::new(input, out, choose_glyphs(play.glyphs.unwrap_or_default()));
        if let Some(ahead) = ahead {
            json = json.with_read_ahead(ahead, play.response_timeout);
        }
        return play_match(play, started, &mut json, &inbox, log);
    }
    let mut line = LineFrontEnd::new(input, out, io::stderr(), line_mode_style(play, is_dialogue));
    line = line.with_interrupt(interrupt.clone()).with_response_timeout(play.response_timeout);
    if is_dialogue {
        line = line.with_line_poll(has_stdin_input_within);
        interrupt.install_ctrl_c_handler();
    }
    if let Some(ahead) = ahead {
        line = line.with_read_ahead(ahead);
    }
    if play.settings.asks && is_dialogue {
        let Some((entry, variant)) = ask_game_and_size(wanted.spec.start.entry.game_list(), &mut line)?
        else {
            return Ok(());
        };
        wanted.spec.level.get_or_insert(entry.initial_menu_level());
        wanted.spec.set_start(GameStart::new(entry, variant));
    }
    play_match(play, wanted.into_launch(play, AfterGameEnd::Ask, is_dialogue)?, &mut line, &inbox, log)
}

/// Reports whether a second thread must read the input ahead.
///
/// Reading ahead detects the end of the input during a search, so that a search limited by time can
/// be shortened, and an external engine that never answers can be stopped. All other searches must
/// give the same result every time. A player at a terminal usually needs no second thread.
fn needs_read_ahead(play: &cli::PlayArgs, is_dialogue: bool, is_external: bool) -> bool {
    let is_cut_short = play.limits.movetime.or(play.limits.cpu_time).is_some();
    if is_dialogue {
        !CAN_WAIT_FOR_INPUT && is_cut_short && !is_external
    } else {
        is_cut_short || is_external
    }
}

/// Returns the requested theme.
///
/// # Errors
/// Returns an error if it does not exist; the error lists the themes.
pub(super) fn requested_theme(play: &cli::PlayArgs) -> Result<Theme, String> {
    play.theme.as_ref().map_or(Ok(Theme::Auto), |name| Theme::find_by_name(name, play.settings.themes))
}

/// Returns the appearance of line mode.
fn line_mode_style(play: &cli::PlayArgs, is_dialogue: bool) -> LineModeStyle {
    LineModeStyle {
        is_dialogue,
        has_colour: wants_colour(play.color.unwrap_or_default()),
        glyphs: choose_glyphs(play.glyphs.unwrap_or_default()),
        width: terminal_width(is_dialogue),
        has_boards: !play.words,
        has_stats: play.stats,
        has_bell: play.settings.habits.has_bell,
    }
}

/// Returns the appearance of the full screen.
fn screen_appearance(play: &cli::PlayArgs, theme: Theme) -> Appearance {
    let tiles = play.tiles.unwrap_or_default();
    Appearance {
        glyphs: choose_glyphs(play.glyphs.unwrap_or_default()),
        theme,
        depth: detect_colour_depth(play.color.unwrap_or_default(), tiles == cli::TilesMode::On),
        wants_tiles: tiles != cli::TilesMode::Off,
        ground: KnownBackground::Unasked,
        own_themes: play.settings.themes,
        has_mouse: play.mouse.unwrap_or_default() == cli::OnOffSwitch::On,
        has_stats: play.stats,
        habits: Preferences {
            is_still: play.no_motion || play.settings.habits.is_still,
            ..play.settings.habits
        },
    }
}

/// Plays in the full screen, game after game as the player chooses them.
fn run_full_screen(play: &cli::PlayArgs, theme: Theme, board: RequestedBoard) -> Result<()> {
    let log = open_requested_log(play)?; // a log that cannot be written is no reason to draw a screen first
    let inbox = Inbox::default();
    let mut screen = Tui::new(screen_appearance(play, theme), inbox.sender());
    let mut wanted = parse_launch_request(play, board)?;
    if play.settings.asks {
        let warning = wanted.take_warning();
        match screen.run_menu(wanted.spec.clone(), warning, &inbox).context("cannot continue")? {
            None => return exit_with_code(screen.exit_code()),
            Some(StartChoice::Game(spec)) => wanted.spec = *spec,
            Some(StartChoice::Mistakes) => {
                let session = kept::due_practice_session(wanted.spec.start.entry.game_list())
                    .map_err(|why| failure_with_code(1, why))?;
                let started = session
                    .map(|session| start_training(session, ReviewEngine::default(), AfterGameEnd::Stay));
                let Some(started) = started else { return exit_with_code(screen.exit_code()) };
                let played = play_match(play, started, &mut screen, &inbox, log);
                return exit_with_code(screen.exit_code()).and(played);
            }
            Some(StartChoice::Kept(path)) => wanted.resume_saved_game(Some(&path))?,
            Some(StartChoice::File(path)) => {
                wanted.spec.mode = GameMode::Replay;
                let (path, number) = ui::split_game_number(&path);
                let asked = MoveFileRequest {
                    has_game: false,
                    number,
                    noise: NonDigitTextPolicy::Refused,
                    is_bare: true,
                };
                request_replay(path, asked, &mut wanted)?;
            }
        }
    }
    let played =
        play_match(play, wanted.into_launch(play, AfterGameEnd::Stay, true)?, &mut screen, &inbox, log);
    exit_with_code(screen.exit_code()).and(played)
}

/// Returns a match that practises mistakes and saves the tries.
fn start_training(session: PracticeSession, reviewer: ReviewEngine, after_end: AfterGameEnd) -> MatchLaunch {
    let rules = MatchRules {
        seed: seed_from_os(),
        after_end,
        is_journalled: true,
        reviewer,
        ..MatchRules::default()
    };
    let journal = Some(MatchJournal::new(JournalFolder::of_current_user()));
    MatchLaunch { game: Match::new_training(rules, session), fallback: None, journal }
}

/// Practises mistakes, in the full screen or in line mode.
pub(super) fn run_practice(
    play: &cli::PlayArgs,
    session: PracticeSession,
    reviewer: ReviewEngine,
) -> Result<()> {
    let inbox = Inbox::default();
    if wants_full_screen(play)? {
        let mut screen =
            Tui::new(screen_appearance(play, requested_theme(play).map_err(usage_error)?), inbox.sender());
        let started = start_training(session, reviewer, AfterGameEnd::Stay);
        let played = play_match(play, started, &mut screen, &inbox, None);
        return exit_with_code(screen.exit_code()).and(played);
    }
    let interrupt = InterruptHandler::default();
    let sender = inbox.sender();
    interrupt.set_wake_function(move || _ = sender.send(LoopEvent::Interrupt)); // a dropped receiver is ignored
    let is_dialogue = io::stdin().is_terminal();
    let (input, out) = (io::stdin().lock(), BufWriter::new(io::stdout()));
    let mut line = LineFrontEnd::new(input, out, io::stderr(), line_mode_style(play, is_dialogue))
        .with_interrupt(interrupt.clone());
    if is_dialogue {
        interrupt.install_ctrl_c_handler();
    }
    play_match(play, start_training(session, reviewer, AfterGameEnd::Leave), &mut line, &inbox, None)
}

/// Returns an error with this exit code and no message, or `Ok` for 0.
fn exit_with_code(code: u8) -> Result<()> {
    if code == 0 { Ok(()) } else { Err(failure_with_code(code, "")) }
}

/// Opens the log that is requested.
fn open_requested_log(play: &cli::PlayArgs) -> Result<Option<MatchLog>> {
    play.log.as_ref().map(|path| Ok(MatchLog::new(open_log_file(path)?))).transpose()
}

/// Plays a match with a front end until the player leaves.
fn play_match(
    play: &cli::PlayArgs,
    MatchLaunch { mut game, fallback, journal }: MatchLaunch,
    front: &mut dyn FrontEnd,
    inbox: &Inbox,
    mut log: Option<MatchLog>,
) -> Result<()> {
    let engines =
        external::engine_factory_with_timeout(play.response_timeout.unwrap_or(external::HUMAN_GAME_TIMEOUT));
    let leaving = ui::run_match(&mut game, front, journal, log.as_mut(), inbox, fallback, engines);
    match leaving.context("cannot continue")? {
        // The front end has shown all messages.
        LeaveReason::Done(_) if game.has_lost_moves() => Err(failure_with_code(1, "")),
        LeaveReason::Done(_) => Ok(()),
        LeaveReason::Refused => Err(bad_file_error(String::new())),
        LeaveReason::BadFile(stuck) => Err(bad_file_error(messages::describe_incomplete_replay(&stuck))),
        LeaveReason::Failed(why) => Err(failure_with_code(1, why)),
    }
}

/// Asks a question and returns the answer; `None` if the player quits.
fn ask_question(screen: &mut LineFrontEnd<'_>, prompt: &str) -> Result<Option<String>> {
    let input = screen.ask_for_line(prompt)?;
    if input == InputLine::End {
        return Ok(None);
    }
    let line = input.text();
    let is_quit = ["q", "quit", "exit", "0"].contains(&line.trim().to_lowercase().as_str());
    Ok((!is_quit).then(|| line.trim().to_owned()))
}

/// Asks for the game and the size; `None` if the player quits.
fn ask_game_and_size(
    games: &'static [RegisteredGame],
    screen: &mut LineFrontEnd<'_>,
) -> Result<Option<(&'static RegisteredGame, Variant)>> {
    let row = |(entry, i): (&RegisteredGame, usize)| {
        format!("{i}  {} {}", entry.title, entry.board_sizes().format_range())
    };
    screen.print_lines(&games.iter().zip(1..).map(row).collect::<Vec<_>>())?;
    let entry = loop {
        let Some(text) = ask_question(screen, "game> ")? else { return Ok(None) };
        let by_number = text.parse::<usize>().ok().and_then(|i| games.get(i.wrapping_sub(1)));
        match by_number.map_or_else(|| registry::find_game_in(games, &text), Ok) {
            _ if text.is_empty() => break &games[0],
            Ok(entry) => break entry,
            Err(error) => screen.print_lines(&[format!("{error}.")])?,
        }
    };
    loop {
        let prompt =
            format!("size {} [{}]> ", entry.board_sizes().format_range(), entry.board_sizes().default);
        let Some(text) = ask_question(screen, &prompt)? else { return Ok(None) };
        let size = if text.is_empty() { entry.board_sizes().default.to_string() } else { text };
        let variant = Variant::default().with_setting(SIZE_KEY, size);
        match entry.resolve_board(&variant) {
            Ok(_) => return Ok(Some((entry, variant))),
            Err(error) => screen.print_lines(&[format!("{error}.")])?,
        }
    }
}
