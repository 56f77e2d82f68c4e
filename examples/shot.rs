//! Draws screens of the program as SVG with the code of the full screen, but without a terminal, an engine or a clock, so that
//! every run writes the same bytes.
//!
//! `cargo run --release --example shot -- docs`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crosspath::ai::{DisplayedScore, EngineKind, Score};
use crosspath::canvas::GlyphSet;
use crosspath::play::{
    AdviceKind, AfterGameEnd, Command, GameMode, HistoryTarget, HumanSideChoice, InputRequest, Match,
    MatchRefusal, MatchRules, MoveFile, NewGame,
};
use crosspath::record::{self, RecordReadOptions};
use crosspath::registry::{GAMES, GameStart, Variant, find_game};
use crosspath::session::{CandidateMove, EngineAnswer, SearchReport};
use crosspath::thinking::{EngineEvent, LatestReport};
use crosspath::ui::tui::{
    Appearance, ColorDepth, KnownBackground, LayerRank, Preferences, Screen, ScreenEvent, ScreenLayer,
    StatusMessage, TerminalBackground, Theme, draw_screen, layout_in_lines, render_svg_screenshot,
    update_screen,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::terminal::Terminal;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs".to_owned());
    for (name, svg) in screenshots()? {
        std::fs::write(Path::new(&folder).join(name), svg)?;
    }
    Ok(())
}

/// Columns and rows of the terminal.
const WINDOW: (u16, u16) = (100, 35);

/// Returns every picture with the name of its file.
pub(crate) fn screenshots() -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut menu = Shot::menu(WINDOW);
    menu.press(KeyCode::Down);
    let hex = Shot::hex()?;
    let quoridor = Shot::quoridor()?;
    let tic_tac_toe = Shot::tic_tac_toe()?;
    let replay = Shot::replay()?;
    Ok(vec![
        ("menu.svg", menu.svg("The start menu of crosspath, with Hex chosen", Theme::Dark)?),
        ("hex.svg", hex.svg("A game of Hex on 11x11 against the engine, in a terminal", Theme::Dark)?),
        (
            "quoridor.svg",
            quoridor.svg("A game of Quoridor: a wall is about to be placed at d5h", Theme::Dark)?,
        ),
        ("tic-tac-toe.svg", tic_tac_toe.svg("Tic-tac-toe on 10x10, five in a row to win", Theme::Dark)?),
        ("replay.svg", replay.svg("A replay of a Hex game from a file", Theme::Dark)?),
        ("hex-light.svg", hex.svg("A game of Hex on a light terminal", Theme::Light)?),
    ])
}

/// Returns a plausible report of an engine.
fn report(value: &str, unit: &'static str, chance: f64, line: &str) -> SearchReport {
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let worth = Some(DisplayedScore { value: value.to_owned(), unit, is_bound: false });
    let best = CandidateMove {
        text: line[0].clone(),
        score: None,
        worth: worth.clone(),
        visits: 0,
        line: vec![line[0].clone()],
    };
    SearchReport {
        nodes: 48_000,
        depth: 6,
        score: Some(Score(0)),
        worth,
        candidates: vec![best],
        chance: Some(chance),
        pv: line,
        elapsed: Duration::from_millis(1234),
        ..SearchReport::default()
    }
}

/// Screen with the match that it shows.
struct Shot {
    screen: Screen,
    game: Option<Match>,
}

impl Shot {
    /// Returns the start menu.
    fn menu(size: (u16, u16)) -> Self {
        let looks = Appearance {
            glyphs: GlyphSet::Unicode,
            theme: Theme::Auto,
            depth: ColorDepth::All,
            wants_tiles: true,
            ground: KnownBackground::Unasked,
            own_themes: &[],
            has_mouse: true,
            has_stats: false,
            habits: Preferences { is_still: true, ..Preferences::default() },
        };
        let mut screen = Screen::new(looks, size);
        screen.open_layer(ScreenLayer::Menu(Box::default()));
        Shot { screen, game: None }
    }

    fn open(spec: NewGame, replay: Option<MoveFile>, size: (u16, u16)) -> Result<Self, Box<dyn Error>> {
        let mut shot = Shot::menu(size);
        shot.screen.close_layer(LayerRank::Menu);
        let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
        let mut game = Match::new(rules, spec, replay)?;
        let events = game.open(None, Duration::ZERO);
        shot.screen.on_match_events(&game, &events);
        shot.game = Some(game);
        Ok(shot)
    }

    /// Returns a game against the engine at the player's turn, with an analysis.
    fn board(
        game: &str,
        settings: &str,
        moves: &str,
        thought: &SearchReport,
    ) -> Result<Self, Box<dyn Error>> {
        let plies = moves.split_whitespace().count();
        let spec = NewGame {
            mode: GameMode::HumanMachine,
            level: Some(EngineKind::Level(4)),
            play_as: if plies.is_multiple_of(2) { HumanSideChoice::First } else { HumanSideChoice::Second },
            ..NewGame::from_start(GameStart::new(find_game(game)?, Variant::parse(settings)))
        };
        let mut shot = Shot::open(spec, None, WINDOW)?;
        for text in moves.split_whitespace() {
            let job = shot.game.as_ref().and_then(|game| game.engine_jobs().first().map(|job| job.id));
            match job {
                None => shot.say(text),
                Some(job) => {
                    let answer =
                        EngineAnswer { text: text.to_owned(), report: SearchReport::default().into() };
                    shot.on_engine_event(EngineEvent::Done(job, Box::new(answer)));
                }
            }
        }
        shot.press(KeyCode::Char('v'));
        shot.execute(Command::Advise(AdviceKind::Study));
        if let Some(job) = shot.game.as_ref().and_then(|game| game.engine_jobs().first().map(|job| job.id)) {
            shot.on_engine_event(EngineEvent::Report(job, Arc::new(LatestReport::new(thought.clone()))));
        }
        // A hint belongs to its position, but the report stays.
        shot.execute(Command::Show(HistoryTarget::Back(1)));
        shot.execute(Command::Show(HistoryTarget::Present));
        shot.screen.remark = StatusMessage::Invitation;
        Ok(shot)
    }

    fn hex() -> Result<Self, Box<dyn Error>> {
        let moves = "i2 e7 f7 f6 g6 e9 h4 h5 g5 g8 f9 f8 i7 h6 h7 g7 e8 d9 b10 d8";
        Shot::board("hex", "size=11", moves, &report("+0.24", "", 0.61, "c8 b11 a11 b9 c9"))
    }

    fn quoridor() -> Result<Self, Box<dyn Error>> {
        let moves = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";
        let thought = report("-0.4", "steps", 0.4, "d5h f6 e5 f5");
        let mut shot = Shot::board("quoridor", "size=9", moves, &thought)?;
        shot.hover("d5h");
        Ok(shot)
    }

    fn tic_tac_toe() -> Result<Self, Box<dyn Error>> {
        let moves = "e5 f6 e6 e4 d5 f5 f4 g3 d7 c8 g5 c5 b2 h8 f7 d6";
        Shot::board("tic-tac-toe", "size=10 win-length=5", moves, &report("+1", "", 0.55, "f8 g8 g9 h9"))
    }

    fn replay() -> Result<Self, Box<dyn Error>> {
        let text = include_bytes!("hex.txt");
        let record = record::load_game(text, &RecordReadOptions::for_game(&GAMES[0]).with_strict_digits())?;
        let spec = NewGame { mode: GameMode::Replay, ..NewGame::from_start(record.start.clone()) };
        let replay = MoveFile { path: "examples/hex.txt".to_owned(), record: Box::new(record) };
        let mut shot = Shot::open(spec, Some(replay), WINDOW)?;
        shot.say("goto end");
        Ok(shot)
    }

    fn execute(&mut self, command: Command) {
        let Some(game) = &mut self.game else { return };
        let events = game.handle_command(command, Duration::ZERO);
        self.screen.on_match_events(game, &events);
    }

    fn refuse(&mut self, refusal: MatchRefusal) {
        let Some(game) = &mut self.game else { return };
        let events = game.refuse_input(refusal, Duration::ZERO);
        self.screen.on_match_events(game, &events);
    }

    fn on_engine_event(&mut self, event: EngineEvent) {
        let Some(game) = &mut self.game else { return };
        let events = game.handle_engine_news(event, Duration::ZERO);
        self.screen.on_match_events(game, &events);
    }

    /// Enters a line.
    fn say(&mut self, line: &str) {
        match self.game.as_ref().map(|game| game.parse_line(line)) {
            Some(Ok(InputRequest::Do(command))) => self.execute(command),
            Some(Err(refusal)) => self.refuse(refusal),
            Some(Ok(_)) | None => {}
        }
    }

    fn press(&mut self, code: KeyCode) {
        let event = ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE));
        update_screen(&mut self.screen, self.game.as_ref(), &event);
    }

    /// Moves the mouse over a place of the board.
    fn hover(&mut self, text: &str) {
        let scene = self.screen.with_match(self.game.as_ref());
        let Some(places) = scene.shown_position().map(|shown| layout_in_lines(shown, self.screen.size))
        else {
            return;
        };
        let canvas = places.density.and_then(|density| scene.paint_board(density));
        let spot = canvas.as_ref().and_then(|canvas| canvas.find_spot(text));
        let at = spot.and_then(|spot| Some((u16::try_from(spot.x).ok()?, u16::try_from(spot.y).ok()?)));
        let Some((x, y)) = at else { return };
        let (column, row) = (places.board.x + x, places.board.y + y);
        let (kind, modifiers) = (MouseEventKind::Moved, KeyModifiers::NONE);
        update_screen(
            &mut self.screen,
            self.game.as_ref(),
            &ScreenEvent::Mouse(MouseEvent { kind, column, row, modifiers }),
        );
    }

    fn svg(&self, title: &str, theme: Theme) -> Result<String, Box<dyn Error>> {
        let (width, height) = self.screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height))?;
        let mut screen = self.screen.clone();
        screen.looks.ground = KnownBackground::Reported(if theme == Theme::Light {
            TerminalBackground::Light
        } else {
            TerminalBackground::Dark
        });
        terminal.draw(|frame| draw_screen(&screen.with_match(self.game.as_ref()), frame))?;
        let palette = theme.palette(None).ok_or("the theme has no palette")?;
        Ok(render_svg_screenshot(terminal.backend().buffer(), title, palette))
    }
}
