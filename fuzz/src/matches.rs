//! Whole matches: lines typed in line mode and in JSON, and bytes that a terminal sends to the full
//! screen.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use crosspath::canvas::Glyphs;
use crosspath::play::{AfterEnd, Command, Event, Match, MatchRefusal, Mode, NewGame, Request, Rules};
use crosspath::record::{Hint, load};
use crosspath::registry::{GameStart, Variant};
use crosspath::session::{EngineAnswer, SearchReport};
use crosspath::thinking::News;
use crosspath::ui::json::Json;
use crosspath::ui::line::{Line, Style};
use crosspath::ui::tui::{
    Appearance, ColorDepth, Decoder, Effect, KnownBackground, Preferences, Screen, Start, Theme, draw, update,
};
use crosspath::ui::{FrontEnd, Inbox, Next};
use ratatui_core::backend::TestBackend;
use ratatui_core::terminal::Terminal;
use serde_json::{Map, Value};

use super::{Input, is_clean};

/// Time that every step of a match takes.
const STEP: Duration = Duration::from_millis(20);
/// Most steps of a match; one in eight is a long one.
const MAX_STEPS: [u32; 2] = [16, 60];

/// Plays lines as a person types them.
pub fn commands(bytes: &[u8]) {
    let mut input = Input(bytes);
    let most_steps = most_steps(&input);
    let mut game = a_match(&mut input);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let style = Style {
        has_boards: true,
        is_dialogue: input.one_of(&[false, true]),
        has_colour: false,
        glyphs: Glyphs::Ascii,
        width: Some(60),
        has_stats: true,
        has_bell: false,
    };
    play(&mut game, most_steps, Line::new(input.0, &mut out, &mut err, style));
    for said in [out, err] {
        is_clean(&String::from_utf8(said).expect("text"));
    }
}

/// Plays lines as a program writes them; every answer is an object.
pub fn json(bytes: &[u8]) {
    let mut input = Input(bytes);
    let most_steps = most_steps(&input);
    let mut game = a_match(&mut input);
    let mut out = Vec::new();
    play(&mut game, most_steps, Json::new(input.0, &mut out, Glyphs::Unicode));
    for line in String::from_utf8(out).expect("text").lines() {
        let event: Map<String, Value> = serde_json::from_str(line).expect("an object a line");
        assert!(event["event"].is_string(), "{line}");
    }
}

/// Returns the most steps that a match may have.
fn most_steps(input: &Input<'_>) -> u32 {
    MAX_STEPS[usize::from(input.is_one_in(8))]
}

/// Returns a match on the board that the first byte chooses, in the mode that the second one
/// chooses. The usual board of Hex, where connections take long, is for one input in 64.
fn a_match(input: &mut Input<'_>) -> Match {
    let may_take_long = input.is_one_in(64);
    let (entry, mut variant) = input.board();
    if variant == Variant::of_size(11) && !may_take_long {
        variant = Variant::of_size(4);
    }
    let mode = input.one_of(&[Mode::Humans, Mode::HumanMachine, Mode::Machines]);
    let after_end = input.one_of(&[AfterEnd::Stay, AfterEnd::Ask, AfterEnd::Leave]);
    let time = input.one_of(&[None, Some("10s"), Some("1s+1s")]).map(|time| time.parse().expect("a time"));
    let spec = NewGame { mode, time, ..NewGame::on(GameStart::new(entry, variant)) };
    Match::new(Rules { after_end, ..Rules::default() }, spec, None).expect("a board of the game")
}

/// Plays to the end of the input. Engines answer with some legal move; no file is read or written.
fn play(game: &mut Match, most_steps: u32, mut front: impl FrontEnd) {
    let (inbox, mut now) = (Inbox::default(), Duration::ZERO);
    let mut events = game.open(None, now);
    for step in 0..most_steps {
        front.hear(game, &events).expect("a buffer takes all");
        if game.has_left() {
            break;
        }
        now += STEP;
        events = if let Some(news) = answer(game, step) {
            game.news(news, now)
        } else if game.is_settled() {
            match front.next(game, &inbox).expect("a buffer gives all") {
                Next::Line(input) => take(game, &input, now),
                other => panic!("{other:?} in place of a line"),
            }
        } else {
            now += 100 * STEP; // what is due comes by itself
            game.tick(now)
        };
    }
    is_told_by_its_record(game);
}

/// Lets the match do what a line asks for.
fn take(game: &mut Match, input: &crosspath::ui::Input, now: Duration) -> Vec<Event> {
    use crosspath::ui::Input;
    let read = match input {
        Input::Line(line) => game.read(line),
        Input::Bytes(line) => game.read_bytes(line),
        Input::TooLong => Err(MatchRefusal::TooLong),
        Input::Endless => Err(MatchRefusal::Endless),
        Input::End => Ok(Request::Do(Command::Leave)),
    };
    take_request(game, read, now)
}

/// Lets the match execute a request. Requests about files do nothing.
fn take_request(game: &mut Match, read: Result<Request, MatchRefusal>, now: Duration) -> Vec<Event> {
    match read {
        Ok(Request::Do(command)) => game.handle(command, now),
        Ok(Request::Load(_) | Request::Save(..)) => game.handle(Command::Nothing, now),
        Err(refusal) => game.refuse(refusal, now),
    }
}

/// Returns the answer of the engine that is thinking, if one is.
fn answer(game: &Match, step: u32) -> Option<News> {
    let job = game.jobs().first()?;
    let mut legal = job.position.legal();
    let text = legal.swap_remove(step as usize * 7 % legal.len());
    let report = SearchReport { nodes: 7, depth: 2, pv: vec![text.clone()], ..SearchReport::default() };
    Some(News::Done(job.id, Box::new(EngineAnswer { text, report: report.into() })))
}

/// Checks that the record of a match has the same game.
fn is_told_by_its_record(game: &Match) {
    let text = game.record(None);
    let entry = game.game().spec().start.entry;
    let read = load(text.as_bytes(), &Hint::of(entry).strict()).expect("a record");
    assert!(read.fault.is_none(), "{:?} in {text}", read.fault);
    let (there, present) = (read.tree.position(read.present), game.present_position());
    assert_eq!(
        (there.key(), there.played(), there.early()),
        (present.key(), present.played(), present.early()),
        "{text}"
    );
}

/// Takes bytes of a terminal, in two pieces or as a whole: they mean the same, and the screen can
/// be drawn.
pub fn terminal(bytes: &[u8]) {
    let mut input = Input(bytes);
    let most_steps = most_steps(&input) as usize;
    let (mut game, mut screen) = (a_match(&mut input), a_screen(&mut input));
    let cut = usize::from(input.byte()).min(input.0.len());
    let (mut whole, mut pieces) = (Vec::new(), Vec::new());
    Decoder::default().take(input.0, &mut whole);
    let mut decoder = Decoder::default();
    decoder.take(&input.0[..cut], &mut pieces);
    decoder.take(&input.0[cut..], &mut pieces);
    assert_eq!(whole, pieces);
    decoder.give_up(&mut pieces);
    let mut now = Duration::ZERO;
    let opened = game.open(None, now);
    screen.hear(&game, &opened);
    for (step, event) in (0..).zip(pieces.iter().take(most_steps)) {
        now += STEP;
        let events = match update(&mut screen, Some(&game), event) {
            Some(Effect::Do(command)) => game.handle(command, now),
            Some(Effect::Typed(typed)) => take_request(&mut game, typed.read, now),
            Some(Effect::Start(Start::Game(spec))) => game.handle(Command::New(spec), now),
            _ => match answer(&game, step) {
                Some(news) => game.news(news, now),
                None => game.tick(now),
            },
        };
        screen.hear(&game, &events);
        if game.has_left() {
            return;
        }
    }
    let new = |(width, height)| Terminal::new(TestBackend::new(width, height)).expect("a terminal of cells");
    TERMINALS.with_borrow_mut(|terminals| {
        let terminal = terminals.entry(screen.size).or_insert_with(|| new(screen.size));
        terminal.draw(|frame| draw(&screen.with(Some(&game)), frame)).expect("cells can be drawn");
    });
}

thread_local! {
    /// Terminals by their size. Earlier drawing never affects the next.
    static TERMINALS: RefCell<BTreeMap<(u16, u16), Terminal<TestBackend>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Returns a screen of some size.
fn a_screen(input: &mut Input<'_>) -> Screen {
    let looks = Appearance {
        glyphs: input.one_of(&[Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii]),
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
