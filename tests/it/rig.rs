//! A full screen without a terminal: a match and a screen, engines whose answers the test gives.
#![allow(unreachable_pub, reason = "the tests share it")]

use std::time::Duration;

use crosspath::ai::{DisplayedScore, EngineKind, Score};
use crosspath::canvas::Glyphs;
use crosspath::game::Side;
use crosspath::play::{
    Advice, AfterEnd, Command, Event as MatchEvent, HistoryTarget, Match, MatchRefusal, Mode, MoveFile,
    NewGame, PlayAs, Request, Rules,
};
use crosspath::record::{self, Hint};
use crosspath::registry::{self, GameStart, Variant};
use crosspath::session::{CandidateMove, EngineAnswer, History, SearchReport};
use crosspath::thinking::{HostId, JobId, LatestReport, News};
use crosspath::ui::tui::{
    Appearance, ColorDepth, Effect, Event, FrameContext, KnownBackground, Layer, Preferences, Screen, Start,
    StatusMessage, Theme, draw, layout, menu, update,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;
use ratatui_core::terminal::Terminal;

pub fn looks(glyphs: Glyphs) -> Appearance {
    Appearance {
        glyphs,
        theme: Theme::Terminal,
        depth: ColorDepth::Sixteen,
        wants_tiles: false,
        ground: KnownBackground::Unasked,
        own_themes: &[],
        has_mouse: true,
        has_stats: false,
        habits: Preferences::default(),
    }
}

/// Returns a line of moves without a match around it.
pub fn history(game: &str, settings: &str, moves: &str) -> History {
    let mut history = registry::find(game).unwrap().history(&Variant::read(settings)).unwrap();
    for text in moves.split_whitespace() {
        history.play(text).unwrap();
    }
    history
}

/// Returns the request for a game.
pub fn spec(game: &str, settings: &str, mode: Mode) -> NewGame {
    let variant = Variant::read(settings);
    NewGame { mode, ..NewGame::on(GameStart::new(registry::find(game).unwrap(), variant)) }
}

/// Returns the contents of a text record.
pub fn record(text: &str) -> record::GameRecord {
    record::load(text.as_bytes(), &Hint::of(&registry::GAMES[0]).strict()).unwrap()
}

/// Returns a report that an engine may have.
pub fn report() -> SearchReport {
    let worth = |value: &str, unit| Some(DisplayedScore { value: value.to_owned(), unit, is_bound: false });
    let candidates = [("d5h", "-0.4", "steps"), ("e5", "-0.6", "steps"), ("d4", "lost in 4", "")];
    let candidates = candidates.map(|(text, value, unit)| CandidateMove {
        text: text.to_owned(),
        score: None,
        worth: worth(value, unit),
        visits: 0,
        line: vec![text.to_owned()],
    });
    SearchReport {
        nodes: 480_000,
        depth: 6,
        score: Some(Score(-40)),
        worth: worth("-0.4", "steps"),
        candidates: candidates.to_vec(),
        chance: Some(0.4),
        pv: ["d5h", "f6", "e5", "f5"].map(str::to_owned).to_vec(),
        elapsed: Duration::from_millis(1234),
        ..SearchReport::default()
    }
}

pub struct Rig {
    pub screen: Screen,
    pub game: Option<Match>,
    pub now: Duration,
}

impl Rig {
    /// Returns the start menu, before any game.
    pub fn menu(glyphs: Glyphs, size: (u16, u16)) -> Self {
        let mut screen = Screen::new(looks(glyphs), size);
        screen.open(Layer::Menu(Box::default()));
        Rig { screen, game: None, now: Duration::ZERO }
    }

    pub fn new(
        rules: Rules,
        spec: NewGame,
        replay: Option<MoveFile>,
        glyphs: Glyphs,
        size: (u16, u16),
    ) -> Self {
        let game = Match::new(rules, spec, replay).unwrap();
        let mut rig = Rig { screen: Screen::new(looks(glyphs), size), game: Some(game), now: Duration::ZERO };
        let events = rig.game.as_mut().unwrap().open(None, Duration::ZERO);
        rig.hear(&events);
        rig
    }

    /// Returns a game that has just begun.
    pub fn of(spec: NewGame, size: (u16, u16)) -> Self {
        Self::new(Rules { after_end: AfterEnd::Stay, ..Rules::default() }, spec, None, Glyphs::Unicode, size)
    }

    /// Returns a game of two people, after some moves.
    pub fn two(game: &str, settings: &str, moves: &str, size: (u16, u16)) -> Self {
        let mut rig = Self::of(spec(game, settings, Mode::Humans), size);
        rig.moves(moves);
        rig
    }

    /// Returns a game against the engine in which it is the player's turn.
    pub fn board(game: &str, settings: &str, moves: &str, glyphs: Glyphs, size: (u16, u16)) -> Self {
        let you = PlayAs::from(history(game, settings, moves).to_move());
        let spec = NewGame {
            play_as: you,
            level: Some(EngineKind::Level(4)),
            ..spec(game, settings, Mode::HumanMachine)
        };
        let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
        let mut rig = Self::new(rules, spec, None, glyphs, size);
        rig.moves(moves);
        // Where the worth of every move is known the panel has nothing to wait for.
        if rig.game().shown().values().is_empty() {
            rig.act(KeyCode::Char('v'));
        }
        rig.think(&report());
        rig.screen.remark = StatusMessage::Invitation;
        rig
    }

    /// Returns a file of moves as it is shown; the game may be unfinished.
    pub fn replay(game: &str, settings: &str, moves: &str, glyphs: Glyphs, size: (u16, u16)) -> Self {
        let record = record(&format!("# crosspath {game} {settings}\n{moves}\n"));
        let replay = MoveFile { path: "games/game.txt".to_owned(), record: Box::new(record) };
        Self::new(Rules::default(), spec(game, settings, Mode::Replay), Some(replay), glyphs, size)
    }

    pub fn game(&self) -> &Match {
        self.game.as_ref().unwrap()
    }

    pub fn scene(&self) -> FrameContext<'_> {
        self.screen.with(self.game.as_ref())
    }

    pub fn hear(&mut self, events: &[MatchEvent]) {
        self.screen.hear(self.game.as_ref().unwrap(), events);
    }

    /// Plays moves, whoever's turn it is; engines answer with the given moves.
    pub fn moves(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            if self.game().game().is_humans_turn() {
                self.say(text);
            } else {
                self.answer(text, SearchReport::default());
            }
        }
    }

    /// Lets the engine that is thinking answer.
    pub fn answer(&mut self, text: &str, report: SearchReport) {
        self.answer_job(self.game().jobs()[0].id, text, report);
    }

    /// Lets the engine with this job answer.
    pub fn answer_job(&mut self, job: JobId, text: &str, report: SearchReport) {
        self.news(News::Done(job, Box::new(EngineAnswer { text: text.to_owned(), report: report.into() })));
    }

    /// Lets the engine that is thinking report; if none is, an adviser has studied the position.
    pub fn think(&mut self, report: &SearchReport) {
        if let Some(job) = self.game().jobs().first().map(|job| job.id) {
            self.news(News::Report(job, std::sync::Arc::new(LatestReport::new(report.clone()))));
            return;
        }
        // Whoever looks elsewhere wants the advice no more; what was reported stays known.
        self.tell(Command::Advise(Advice::Hint));
        if self.game().is_advising() {
            self.think(report);
            self.tell(Command::Show(HistoryTarget::Back(1)));
            self.tell(Command::Show(HistoryTarget::Present));
        }
    }

    pub fn news(&mut self, news: News) {
        let events = self.game.as_mut().unwrap().news(news, self.now);
        self.hear(&events);
    }

    pub fn tick(&mut self) {
        let events = self.game.as_mut().unwrap().tick(self.now);
        self.hear(&events);
    }

    /// Passes a command to the match.
    pub fn tell(&mut self, command: Command) {
        let events = self.game.as_mut().unwrap().handle(command, self.now);
        self.hear(&events);
    }

    /// Reads a line, as if it had been typed.
    pub fn say(&mut self, line: &str) {
        let read = self.game().read(line);
        self.take(read);
    }

    /// Carries out a line.
    fn take(&mut self, read: Result<Request, MatchRefusal>) {
        match read {
            Ok(Request::Do(command)) => self.tell(command),
            Ok(file) => panic!("{file:?} needs the disk"),
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Refuses the last input.
    pub fn refuse(&mut self, refusal: MatchRefusal) {
        let events = self.game.as_mut().unwrap().refuse(refusal, self.now);
        self.hear(&events);
    }

    /// Asks whether a file may be replaced.
    pub fn ask_to_replace(&mut self, name: &str) {
        let events = self.game.as_mut().unwrap().ask_to_replace(name.into(), self.now);
        self.hear(&events);
    }

    /// Loads a game from a file.
    pub fn load(&mut self, name: &str, record: record::GameRecord) {
        let events = self.game.as_mut().unwrap().load(name.into(), record, self.now);
        self.hear(&events);
    }

    /// Carries out the effect of a key, as far as it concerns the match.
    pub fn apply(&mut self, effect: Option<Effect>) {
        match effect {
            Some(Effect::Do(command)) => self.tell(command),
            Some(Effect::Typed(typed)) => self.take(typed.read),
            Some(Effect::Start(Start::Game(spec))) if self.game.is_some() => self.tell(Command::New(spec)),
            _ => {}
        }
    }

    pub fn event(&mut self, event: &Event) -> Option<Effect> {
        update(&mut self.screen, self.game.as_ref(), event)
    }

    pub fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) -> Option<Effect> {
        self.event(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    /// Presses a key; returns the text of its effect.
    pub fn press(&mut self, code: KeyCode) -> String {
        let effect = self.key(code, KeyModifiers::NONE);
        in_words(effect.as_ref())
    }

    /// Presses a key and carries out its effect.
    pub fn act(&mut self, code: KeyCode) {
        let effect = self.key(code, KeyModifiers::NONE);
        self.apply(effect);
    }

    pub fn mouse(&mut self, kind: MouseEventKind, at: Position) -> String {
        let event = Event::Mouse(MouseEvent { kind, column: at.x, row: at.y, modifiers: KeyModifiers::NONE });
        let effect = self.event(&event);
        in_words(effect.as_ref())
    }

    #[track_caller]
    pub fn typed(&mut self, text: &str) {
        for letter in text.chars() {
            assert_eq!(self.press(KeyCode::Char(letter)), "", "{text}");
        }
    }

    /// Returns the position of a place in the window.
    pub fn place(&self, text: &str) -> Option<Position> {
        let places = layout(self.scene().shown().unwrap(), self.screen.size);
        let canvas = self.scene().canvas(places.density?)?;
        let spot = canvas.spots().iter().find(|spot| spot.text == text).unwrap();
        let (x, y) = (u16::try_from(spot.x).unwrap(), u16::try_from(spot.y).unwrap());
        Some(Position { x: places.board.x + x, y: places.board.y + y })
    }

    /// Holds the mouse over a place, where the board is drawn.
    pub fn hover(&mut self, text: &str) {
        if let Some(at) = self.place(text) {
            self.mouse(MouseEventKind::Moved, at);
        }
    }

    pub fn status(&self) -> String {
        self.scene().status_line().replace('\u{a0}', " ")
    }

    pub fn picture(&self) -> String {
        picture(&self.scene())
    }

    /// Returns the picture as cells, with their styles.
    pub fn buffer(&self) -> Buffer {
        let (width, height) = self.screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(&self.scene(), frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    pub fn you(&self) -> Option<Side> {
        self.game().game().only_human()
    }

    pub fn is_thinking(&self) -> bool {
        self.game().jobs().iter().any(|job| job.host != HostId::Study)
    }
}

/// Returns the picture, with the position of the cursor.
pub fn picture(scene: &FrameContext<'_>) -> String {
    let (width, height) = scene.screen.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(scene, frame)).unwrap();
    let position = terminal.get_cursor_position().unwrap();
    let buffer = terminal.backend().buffer();
    let rows = (0..height).map(|y| {
        let row: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        row.trim_end().to_owned()
    });
    let rows: Vec<String> = rows.collect();
    format!("{}\ncursor {} {}\n", rows.join("\n"), position.x, position.y)
}

/// Returns the text of an effect outside of the screen: the line that asks for it, or its name.
pub fn in_words(effect: Option<&Effect>) -> String {
    match effect {
        None => String::new(),
        Some(Effect::Do(command)) => command.to_string(),
        Some(Effect::Typed(typed)) => typed.line.clone(),
        Some(Effect::Start(Start::Game(spec))) => format!("start {}", menu::arguments(spec).join(" ")),
        Some(other) => format!("{other:?}").to_lowercase(),
    }
}
