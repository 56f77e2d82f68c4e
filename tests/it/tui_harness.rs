//! Test harness of the full screen: a match and a screen without a terminal. The test gives the
//! answers of the engines.
#![allow(unreachable_pub, reason = "the tests share it")]

use std::time::Duration;

use crosspath::ai::{DisplayedScore, EngineKind, Score};
use crosspath::canvas::GlyphSet;
use crosspath::game::Side;
use crosspath::play::{
    AdviceKind, AfterGameEnd, Command, GameMode, HistoryTarget, HumanSideChoice, InputRequest, Match,
    MatchEvent, MatchRefusal, MatchRules, MoveFile, NewGame,
};
use crosspath::record::{self, RecordReadOptions};
use crosspath::registry::{self, GameStart, Variant};
use crosspath::session::{CandidateMove, EngineAnswer, PositionHistory, SearchReport};
use crosspath::thinking::{EngineEvent, EngineJobId, EngineThreadId, LatestReport};
use crosspath::ui::tui::{
    Appearance, ColorDepth, FrameContext, KnownBackground, Preferences, Screen, ScreenEffect, ScreenEvent,
    ScreenLayer, StartChoice, StatusMessage, Theme, draw_screen, layout_in_lines, menu, update_screen,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;
use ratatui_core::terminal::Terminal;

pub fn looks(glyphs: GlyphSet) -> Appearance {
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

/// Returns a history of moves outside any match.
pub fn history(game: &str, settings: &str, moves: &str) -> PositionHistory {
    let mut history = registry::find_game(game).unwrap().new_history(&Variant::parse(settings)).unwrap();
    for text in moves.split_whitespace() {
        history.play(text).unwrap();
    }
    history
}

/// Returns the settings of a new game.
pub fn spec(game: &str, settings: &str, mode: GameMode) -> NewGame {
    let variant = Variant::parse(settings);
    NewGame { mode, ..NewGame::from_start(GameStart::new(registry::find_game(game).unwrap(), variant)) }
}

/// Parses a text record.
pub fn record(text: &str) -> record::GameRecord {
    record::load_game(text.as_bytes(), &RecordReadOptions::for_game(&registry::GAMES[0]).with_strict_digits())
        .unwrap()
}

/// Returns a plausible search report.
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
    /// Opens the start menu, before any game.
    pub fn menu(glyphs: GlyphSet, size: (u16, u16)) -> Self {
        let mut screen = Screen::new(looks(glyphs), size);
        screen.open_layer(ScreenLayer::Menu(Box::default()));
        Rig { screen, game: None, now: Duration::ZERO }
    }

    pub fn new(
        rules: MatchRules,
        spec: NewGame,
        replay: Option<MoveFile>,
        glyphs: GlyphSet,
        size: (u16, u16),
    ) -> Self {
        let game = Match::new(rules, spec, replay).unwrap();
        let mut rig = Rig { screen: Screen::new(looks(glyphs), size), game: Some(game), now: Duration::ZERO };
        let events = rig.game.as_mut().unwrap().open(None, Duration::ZERO);
        rig.on_events(&events);
        rig
    }

    /// Starts a game.
    pub fn of(spec: NewGame, size: (u16, u16)) -> Self {
        Self::new(
            MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() },
            spec,
            None,
            GlyphSet::Unicode,
            size,
        )
    }

    /// Starts a game of two people and plays some moves.
    pub fn two(game: &str, settings: &str, moves: &str, size: (u16, u16)) -> Self {
        let mut rig = Self::of(spec(game, settings, GameMode::Humans), size);
        rig.moves(moves);
        rig
    }

    /// Starts a game against the engine and plays some moves, after which it is the player's turn.
    pub fn board(game: &str, settings: &str, moves: &str, glyphs: GlyphSet, size: (u16, u16)) -> Self {
        let you = HumanSideChoice::from(history(game, settings, moves).to_move());
        let spec = NewGame {
            play_as: you,
            level: Some(EngineKind::Level(4)),
            ..spec(game, settings, GameMode::HumanMachine)
        };
        let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
        let mut rig = Self::new(rules, spec, None, glyphs, size);
        rig.moves(moves);
        // If the values of all moves are known, the panel waits for nothing.
        if rig.game().shown_position().exact_move_values().is_empty() {
            rig.act(KeyCode::Char('v'));
        }
        rig.think(&report());
        rig.screen.remark = StatusMessage::Invitation;
        rig
    }

    /// Shows a replay of some moves. The game may be unfinished.
    pub fn replay(game: &str, settings: &str, moves: &str, glyphs: GlyphSet, size: (u16, u16)) -> Self {
        let record = record(&format!("# crosspath {game} {settings}\n{moves}\n"));
        let replay = MoveFile { path: "games/game.txt".to_owned(), record: Box::new(record) };
        Self::new(MatchRules::default(), spec(game, settings, GameMode::Replay), Some(replay), glyphs, size)
    }

    pub fn game(&self) -> &Match {
        self.game.as_ref().unwrap()
    }

    pub fn scene(&self) -> FrameContext<'_> {
        self.screen.with_match(self.game.as_ref())
    }

    pub fn on_events(&mut self, events: &[MatchEvent]) {
        self.screen.on_match_events(self.game.as_ref().unwrap(), events);
    }

    /// Plays moves for both sides. Engines answer with the given moves.
    pub fn moves(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            if self.game().game().is_humans_turn() {
                self.say(text);
            } else {
                self.answer(text, SearchReport::default());
            }
        }
    }

    /// Gives the answer of the thinking engine.
    pub fn answer(&mut self, text: &str, report: SearchReport) {
        self.answer_job(self.game().engine_jobs()[0].id, text, report);
    }

    /// Gives the answer to an engine job.
    pub fn answer_job(&mut self, job: EngineJobId, text: &str, report: SearchReport) {
        self.on_engine_event(EngineEvent::Done(
            job,
            Box::new(EngineAnswer { text: text.to_owned(), report: report.into() }),
        ));
    }

    /// Gives a report of the thinking engine. If none is thinking, the report comes from a hint
    /// search.
    pub fn think(&mut self, report: &SearchReport) {
        if let Some(job) = self.game().engine_jobs().first().map(|job| job.id) {
            self.on_engine_event(EngineEvent::Report(
                job,
                std::sync::Arc::new(LatestReport::new(report.clone())),
            ));
            return;
        }
        // Browsing the history cancels the hint. Its report stays known.
        self.execute(Command::Advise(AdviceKind::Hint));
        if self.game().is_advising() {
            self.think(report);
            self.execute(Command::Show(HistoryTarget::Back(1)));
            self.execute(Command::Show(HistoryTarget::Present));
        }
    }

    pub fn on_engine_event(&mut self, event: EngineEvent) {
        let events = self.game.as_mut().unwrap().handle_engine_news(event, self.now);
        self.on_events(&events);
    }

    pub fn tick(&mut self) {
        let events = self.game.as_mut().unwrap().tick(self.now);
        self.on_events(&events);
    }

    /// Executes a command in the match.
    pub fn execute(&mut self, command: Command) {
        let events = self.game.as_mut().unwrap().handle_command(command, self.now);
        self.on_events(&events);
    }

    /// Enters a line, as if it had been typed.
    pub fn say(&mut self, line: &str) {
        let read = self.game().parse_line(line);
        self.execute_input(read);
    }

    /// Executes a parsed line.
    fn execute_input(&mut self, read: Result<InputRequest, MatchRefusal>) {
        match read {
            Ok(InputRequest::Do(command)) => self.execute(command),
            Ok(file) => panic!("{file:?} needs the disk"),
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Refuses the last input.
    pub fn refuse(&mut self, refusal: MatchRefusal) {
        let events = self.game.as_mut().unwrap().refuse_input(refusal, self.now);
        self.on_events(&events);
    }

    /// Asks whether a file may be replaced.
    pub fn ask_to_replace(&mut self, name: &str) {
        let events = self.game.as_mut().unwrap().ask_to_overwrite(name.into(), self.now);
        self.on_events(&events);
    }

    /// Loads a game from a file.
    pub fn load(&mut self, name: &str, record: record::GameRecord) {
        let events = self.game.as_mut().unwrap().load_game(name.into(), record, self.now);
        self.on_events(&events);
    }

    /// Executes the effect of a key on the match.
    pub fn apply(&mut self, effect: Option<ScreenEffect>) {
        match effect {
            Some(ScreenEffect::Do(command)) => self.execute(command),
            Some(ScreenEffect::Typed(typed)) => self.execute_input(typed.read),
            Some(ScreenEffect::Start(StartChoice::Game(spec))) if self.game.is_some() => {
                self.execute(Command::New(spec));
            }
            _ => {}
        }
    }

    pub fn event(&mut self, event: &ScreenEvent) -> Option<ScreenEffect> {
        update_screen(&mut self.screen, self.game.as_ref(), event)
    }

    pub fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) -> Option<ScreenEffect> {
        self.event(&ScreenEvent::Key(KeyEvent::new(code, modifiers)))
    }

    /// Presses a key and returns the text of its effect.
    pub fn press(&mut self, code: KeyCode) -> String {
        let effect = self.key(code, KeyModifiers::NONE);
        describe_effect(effect.as_ref())
    }

    /// Presses a key and executes its effect.
    pub fn act(&mut self, code: KeyCode) {
        let effect = self.key(code, KeyModifiers::NONE);
        self.apply(effect);
    }

    pub fn mouse(&mut self, kind: MouseEventKind, at: Position) -> String {
        let event =
            ScreenEvent::Mouse(MouseEvent { kind, column: at.x, row: at.y, modifiers: KeyModifiers::NONE });
        let effect = self.event(&event);
        describe_effect(effect.as_ref())
    }

    #[track_caller]
    pub fn typed(&mut self, text: &str) {
        for letter in text.chars() {
            assert_eq!(self.press(KeyCode::Char(letter)), "", "{text}");
        }
    }

    /// Returns the window position of a cell or wall slot.
    pub fn place(&self, text: &str) -> Option<Position> {
        let places = layout_in_lines(self.scene().shown_position().unwrap(), self.screen.size);
        let canvas = self.scene().paint_board(places.density?)?;
        let spot = canvas.spots().iter().find(|spot| spot.text == text).unwrap();
        let (x, y) = (u16::try_from(spot.x).unwrap(), u16::try_from(spot.y).unwrap());
        Some(Position { x: places.board.x + x, y: places.board.y + y })
    }

    /// Moves the mouse over a cell or wall slot.
    pub fn hover(&mut self, text: &str) {
        if let Some(at) = self.place(text) {
            self.mouse(MouseEventKind::Moved, at);
        }
    }

    pub fn status(&self) -> String {
        self.scene().render_status_line().replace('\u{a0}', " ")
    }

    pub fn picture(&self) -> String {
        picture(&self.scene())
    }

    /// Returns the picture as cells with styles.
    pub fn buffer(&self) -> Buffer {
        let (width, height) = self.screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw_screen(&self.scene(), frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    pub fn you(&self) -> Option<Side> {
        self.game().game().sole_human_side()
    }

    pub fn is_thinking(&self) -> bool {
        self.game().engine_jobs().iter().any(|job| job.host != EngineThreadId::Study)
    }
}

/// Returns the picture and the position of the cursor as text.
pub fn picture(scene: &FrameContext<'_>) -> String {
    let (width, height) = scene.screen.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw_screen(scene, frame)).unwrap();
    let position = terminal.get_cursor_position().unwrap();
    let buffer = terminal.backend().buffer();
    let rows = (0..height).map(|y| {
        let row: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        row.trim_end().to_owned()
    });
    let rows: Vec<String> = rows.collect();
    format!("{}\ncursor {} {}\n", rows.join("\n"), position.x, position.y)
}

/// Returns a description of an effect outside the screen: the line that requests it, or its name.
pub fn describe_effect(effect: Option<&ScreenEffect>) -> String {
    match effect {
        None => String::new(),
        Some(ScreenEffect::Do(command)) => command.to_string(),
        Some(ScreenEffect::Typed(typed)) => typed.line.clone(),
        Some(ScreenEffect::Start(StartChoice::Game(spec))) => {
            format!("start {}", menu::command_line_arguments(spec).join(" "))
        }
        Some(other) => format!("{other:?}").to_lowercase(),
    }
}
