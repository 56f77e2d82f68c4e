//! Handles the keys and clicks in the start menu.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;

use super::super::component::{LayerAnswer, LayerComponent, LayerEffect};
use super::super::effect::{ScreenEffect, StartChoice};
use super::super::frame::FrameContext;
use super::super::key_table::KeyAction;
use super::super::layer::{LinePrompt, RulesPages, ScreenLayer};
use super::super::list::{ListKind, SelectionList};
use super::super::menu::StartMenu;
use super::super::title::TitleBar;
use super::menu_view::{self, MenuClickTarget};
use crate::canvas::GlyphSet;
use crate::messages::{mistakes, screen as sentences};
use crate::play::GameMode;
use crate::registry::GAMES;

impl StartMenu {
    /// Returns the effect that starts the chosen game.
    pub(in super::super) fn start_effect(&self) -> ScreenEffect {
        let mut spec = self.spec.clone();
        if spec.mode == GameMode::Analysis {
            (spec.level, spec.program) = (None, None); // nobody plays at the analysis board
        }
        ScreenEffect::Start(StartChoice::Game(Box::new(spec)))
    }

    /// Returns to the game behind the menu, or else continues the unfinished game.
    ///
    /// If there is neither, a message is shown.
    fn continue_game(&mut self, c: &FrameContext<'_>) -> LayerAnswer {
        if menu_view::unfinished_game_behind_menu(c).is_some() {
            return LayerEffect::Close.into();
        }
        let saved = &c.screen.saved;
        let kept = saved.kept.as_ref().map(|kept| ScreenEffect::Start(StartChoice::Kept(kept.path.clone())));
        if kept.is_none() {
            self.notice =
                Some(sentences::no_unfinished_game_message(saved.unreadable.as_deref()).into_string());
        }
        kept.map_or(LayerAnswer::HANDLED, |kept| LayerEffect::Ask(kept).into())
    }

    /// Changes the value of an option by `step` values.
    fn step_option(&mut self, row: usize, step: isize) -> LayerAnswer {
        match self.option_rows().get(row).map(|row| row.key) {
            Some("theme") => return LayerEffect::ChangeTheme(step).into(),
            Some(key) => self.change_option(key, step),
            None => {}
        }
        LayerAnswer::HANDLED
    }
}

fn open_list(kind: ListKind) -> LayerAnswer {
    LayerEffect::Open(Box::new(ScreenLayer::List(SelectionList::new(kind)))).into()
}

impl LayerComponent for StartMenu {
    fn perform(&mut self, act: KeyAction, key: &KeyEvent, c: &FrameContext<'_>) -> LayerAnswer {
        let rows = self.option_rows();
        if !matches!(act, KeyAction::Help | KeyAction::Theme) {
            self.notice = None;
        }
        match (act, self.row) {
            (KeyAction::Help | KeyAction::Theme, _) => return LayerAnswer::PassOn,
            (KeyAction::Quit, _) => return LayerEffect::Ask(ScreenEffect::Quit).into(),
            (KeyAction::Start, _) if self.spec.mode == GameMode::Replay => {
                return open_list(ListKind::Files("replay"));
            }
            (KeyAction::Start, _) => return LayerEffect::Ask(self.start_effect()).into(),
            (KeyAction::Pick, _) => {
                let number = key.code.as_char().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
                self.choose_game((number as usize).wrapping_sub(1));
            }
            (KeyAction::GoOn, _) => return self.continue_game(c),
            (KeyAction::Mistakes, _) if c.screen.saved.due > 0 => {
                return LayerEffect::Ask(ScreenEffect::Start(StartChoice::Mistakes)).into();
            }
            (KeyAction::Mistakes, _) => self.notice = Some(mistakes::NO_MISTAKE_DUE_MESSAGE.to_owned()),
            (KeyAction::Options, row) => self.row = row.is_none().then_some(0),
            (KeyAction::Up, None) => self.choose_game(self.chosen_game_index().wrapping_sub(1)),
            (KeyAction::Down, None) => self.choose_game(self.chosen_game_index() + 1),
            (KeyAction::Right, None) => self.row = Some(0),
            (KeyAction::Up, Some(row)) => self.row = Some(row.saturating_sub(1)),
            (KeyAction::Down, Some(row)) => self.row = Some((row + 1).min(rows.len() - 1)),
            (KeyAction::Left | KeyAction::Right, Some(row)) => {
                return self.step_option(row, if act == KeyAction::Left { -1 } else { 1 });
            }
            (KeyAction::Analyze, _) => {
                self.spec.mode = GameMode::Analysis;
                return LayerEffect::Ask(self.start_effect()).into();
            }
            (KeyAction::Open, _) => return open_list(ListKind::Files("replay")),
            (KeyAction::Rules, _) => {
                let rules =
                    self.first_position().map(|start| RulesPages::for_position(self.chosen_entry(), start));
                let open = |rules| LayerEffect::Open(Box::new(ScreenLayer::Rules(rules))).into();
                return rules.map_or(LayerAnswer::HANDLED, open);
            }
            (KeyAction::Saved, _) => return open_list(ListKind::Saved),
            (KeyAction::Command, _) => {
                return LayerEffect::Open(Box::new(ScreenLayer::Prompt(LinePrompt::default()))).into();
            }
            (KeyAction::Escape, Some(_)) => self.row = None,
            (KeyAction::Escape, None) if c.game.is_some() => return LayerEffect::Close.into(),
            _ => {}
        }
        LayerAnswer::HANDLED
    }

    fn on_click(&mut self, at: Position, c: &FrameContext<'_>) -> LayerAnswer {
        match menu_view::click_target_at(c, self, at) {
            Some(MenuClickTarget::Offer) => return self.perform(KeyAction::GoOn, &KeyCode::Null.into(), c),
            Some(MenuClickTarget::Mistakes) => {
                return self.perform(KeyAction::Mistakes, &KeyCode::Null.into(), c);
            }
            Some(MenuClickTarget::Game(number)) => {
                self.choose_game(number);
                self.row = None;
            }
            Some(MenuClickTarget::Row(row, by)) => {
                self.row = Some(row);
                return self.step_option(row, by);
            }
            None => {}
        }
        LayerAnswer::HANDLED
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let dot = if c.screen.looks.glyphs == GlyphSet::Unicode { " · " } else { " - " };
        let games = GAMES.iter().map(|game| game.title).collect::<Vec<_>>().join(dot);
        TitleBar { lefts: vec!["crosspath".into()], middles: vec![games.into()], ..TitleBar::default() }
            .draw(c, buffer);
        menu_view::draw_menu(c, self, buffer)
    }
}
