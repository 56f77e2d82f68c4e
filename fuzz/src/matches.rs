//! Fuzz targets for whole matches: input of line mode and JSON mode, and bytes that a terminal sends
//! to the full screen.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use crosspath::canvas::GlyphSet;
use crosspath::play::{
    AfterGameEnd, Command, GameMode, InputRequest, Match, MatchEvent, MatchRefusal, MatchRules, NewGame,
};
use crosspath::record::{RecordReadOptions, load_game};
use crosspath::registry::{GameStart, Variant};
use crosspath::session::{EngineAnswer, SearchReport};
use crosspath::thinking::EngineEvent;
use crosspath::ui::json::JsonFrontEnd;
use crosspath::ui::line::{LineFrontEnd, LineModeStyle};
use crosspath::ui::tui::{
    Appearance, ColorDepth, InputDecoder, KnownBackground, Preferences, Screen, ScreenEffect, StartChoice,
    Theme, draw_screen, update_screen,
};
use crosspath::ui::{FrontEnd, Inbox, NextStep};
use ratatui_core::backend::TestBackend;
use ratatui_core::terminal::Terminal;
use serde_json::{Map, Value};

use super::{Input, check_clean};

/// Time that every step of a match takes.
const STEP: Duration = Duration::from_millis(20);
/// Maximum number of steps of a match: a usual one, and the one input in eight that may take longer.
const MAX_STEPS: [u32; 2] = [16, 60];

/// Runs a match in line mode.
pub fn commands(bytes: &[u8]) {
    let mut input = Input(bytes);
    let most_steps = step_limit(&input);
    let mut game = new_match(&mut input);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let style = LineModeStyle {
        has_boards: true,
        is_dialogue: input.one_of(&[false, true]),
        has_colour: false,
        glyphs: GlyphSet::Ascii,
        width: Some(60),
        has_stats: true,
        has_bell: false,
    };
    play(&mut game, most_steps, LineFrontEnd::new(input.0, &mut out, &mut err, style));
    for output in [out, err] {
        check_clean(&String::from_utf8(output).expect("text"));
    }
}

/// Runs a match in JSON mode. Every output line is an object.
pub fn json(bytes: &[u8]) {
    let mut input = Input(bytes);
    let most_steps = step_limit(&input);
    let mut game = new_match(&mut input);
    let mut out = Vec::new();
    play(&mut game, most_steps, JsonFrontEnd::new(input.0, &mut out, GlyphSet::Unicode));
    for line in String::from_utf8(out).expect("text").lines() {
        let event: Map<String, Value> = serde_json::from_str(line).expect("an object a line");
        assert!(event["event"].is_string(), "{line}");
    }
}

/// Returns the maximum number of steps of a match.
fn step_limit(input: &Input<'_>) -> u32 {
    MAX_STEPS[usize::from(input.is_one_in(8))]
}

/// Returns a match. The first byte chooses the board, the second the mode. Only one input in 64 uses
/// Hex 11x11, whose connections take long to compute.
fn new_match(input: &mut Input<'_>) -> Match {
    let may_take_long = input.is_one_in(64);
    let (entry, mut variant) = input.board();
    if variant == Variant::of_size(11) && !may_take_long {
        variant = Variant::of_size(4);
    }
    let mode = input.one_of(&[GameMode::Humans, GameMode::HumanMachine, GameMode::Machines]);
    let after_end = input.one_of(&[AfterGameEnd::Stay, AfterGameEnd::Ask, AfterGameEnd::Leave]);
    let time = input.one_of(&[None, Some("10s"), Some("1s+1s")]).map(|time| time.parse().expect("a time"));
    let spec = NewGame { mode, time, ..NewGame::from_start(GameStart::new(entry, variant)) };
    Match::new(MatchRules { after_end, ..MatchRules::default() }, spec, None).expect("a board of the game")
}

/// Plays to the end of the input. Engines answer with some legal move; no file is read or written.
fn play(game: &mut Match, most_steps: u32, mut front: impl FrontEnd) {
    let (inbox, mut now) = (Inbox::default(), Duration::ZERO);
    let mut events = game.open(None, now);
    for step in 0..most_steps {
        front.show_events(game, &events).expect("a buffer takes all");
        if game.has_ended() {
            break;
        }
        now += STEP;
        events = if let Some(news) = engine_answer(game, step) {
            game.handle_engine_news(news, now)
        } else if game.is_ready_for_input() {
            match front.next_step(game, &inbox).expect("a buffer gives all") {
                NextStep::Line(input) => execute_line(game, &input, now),
                other => panic!("{other:?} in place of a line"),
            }
        } else {
            now += 100 * STEP; // due events need no input
            game.tick(now)
        };
    }
    check_record(game);
}

/// Executes an input line in the match.
fn execute_line(game: &mut Match, input: &crosspath::ui::InputLine, now: Duration) -> Vec<MatchEvent> {
    use crosspath::ui::InputLine;
    let read = match input {
        InputLine::Line(line) => game.parse_line(line),
        InputLine::Bytes(line) => game.parse_line_bytes(line),
        InputLine::TooLong => Err(MatchRefusal::TooLong),
        InputLine::Endless => Err(MatchRefusal::Endless),
        InputLine::End => Ok(InputRequest::Do(Command::Leave)),
    };
    execute_request(game, read, now)
}

/// Executes a request in the match. Requests about files do nothing.
fn execute_request(
    game: &mut Match,
    read: Result<InputRequest, MatchRefusal>,
    now: Duration,
) -> Vec<MatchEvent> {
    match read {
        Ok(InputRequest::Do(command)) => game.handle_command(command, now),
        Ok(InputRequest::Load(_) | InputRequest::Save(..)) => game.handle_command(Command::Nothing, now),
        Err(refusal) => game.refuse_input(refusal, now),
    }
}

/// Returns the answer of the engine that is thinking, if any.
fn engine_answer(game: &Match, step: u32) -> Option<EngineEvent> {
    let job = game.engine_jobs().first()?;
    let mut legal = job.position.legal_moves();
    let text = legal.swap_remove(step as usize * 7 % legal.len());
    let report = SearchReport { nodes: 7, depth: 2, pv: vec![text.clone()], ..SearchReport::default() };
    Some(EngineEvent::Done(job.id, Box::new(EngineAnswer { text, report: report.into() })))
}

/// Checks that reading the record of a match restores its game.
fn check_record(game: &Match) {
    let text = game.to_record_text(None);
    let entry = game.game().spec().start.entry;
    let read = load_game(text.as_bytes(), &RecordReadOptions::for_game(entry).with_strict_digits())
        .expect("a record");
    assert!(read.fault.is_none(), "{:?} in {text}", read.fault);
    let (there, present) = (read.tree.position(read.present), game.present_position());
    assert_eq!(
        (there.position_key(), there.played_moves(), there.early_end()),
        (present.position_key(), present.played_moves(), present.early_end()),
        "{text}"
    );
}

/// Decodes bytes of a terminal, in two pieces and as a whole. Both give the same events, and the screen
/// can be drawn.
pub fn terminal(bytes: &[u8]) {
    let mut input = Input(bytes);
    let most_steps = step_limit(&input) as usize;
    let (mut game, mut screen) = (new_match(&mut input), new_screen(&mut input));
    let cut = usize::from(input.byte()).min(input.0.len());
    let (mut whole, mut pieces) = (Vec::new(), Vec::new());
    InputDecoder::default().decode(input.0, &mut whole);
    let mut decoder = InputDecoder::default();
    decoder.decode(&input.0[..cut], &mut pieces);
    decoder.decode(&input.0[cut..], &mut pieces);
    assert_eq!(whole, pieces);
    decoder.flush_after_timeout(&mut pieces);
    let mut now = Duration::ZERO;
    let opened = game.open(None, now);
    screen.on_match_events(&game, &opened);
    for (step, event) in (0..).zip(pieces.iter().take(most_steps)) {
        now += STEP;
        let events = match update_screen(&mut screen, Some(&game), event) {
            Some(ScreenEffect::Do(command)) => game.handle_command(command, now),
            Some(ScreenEffect::Typed(typed)) => execute_request(&mut game, typed.read, now),
            Some(ScreenEffect::Start(StartChoice::Game(spec))) => {
                game.handle_command(Command::New(spec), now)
            }
            _ => match engine_answer(&game, step) {
                Some(news) => game.handle_engine_news(news, now),
                None => game.tick(now),
            },
        };
        screen.on_match_events(&game, &events);
        if game.has_ended() {
            return;
        }
    }
    let new = |(width, height)| Terminal::new(TestBackend::new(width, height)).expect("a terminal of cells");
    TERMINALS.with_borrow_mut(|terminals| {
        let terminal = terminals.entry(screen.size).or_insert_with(|| new(screen.size));
        terminal
            .draw(|frame| draw_screen(&screen.with_match(Some(&game)), frame))
            .expect("cells can be drawn");
    });
}

thread_local! {
    /// Terminals by size. They are reused, because earlier drawing does not affect later drawing.
    static TERMINALS: RefCell<BTreeMap<(u16, u16), Terminal<TestBackend>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Returns a screen. The first bytes choose its appearance and size.
fn new_screen(input: &mut Input<'_>) -> Screen {
    let looks = Appearance {
        glyphs: input.one_of(&[GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii]),
        theme: input.one_of(&[Theme::Terminal, Theme::Dark]),
        depth: ColorDepth::All,
        wants_tiles: true,
        ground: KnownBackground::Unasked,
        own_themes: &[],
        has_mouse: true,
        has_stats: false,
        habits: Preferences::default(),
    };
    Screen::new(looks, input.one_of(&[(80, 24), (100, 35), (40, 12), (3, 2)]))
}
