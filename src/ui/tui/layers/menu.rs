//! The keys and clicks in the start menu.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;

use super::super::component::{Answer, Component, LayerEffect};
use super::super::effect::{Effect, Start};
use super::super::frame::FrameContext;
use super::super::key_table::Action;
use super::super::layer::{Layer, Prompt, RulesPages};
use super::super::list::{List, ListKind};
use super::super::menu::Menu;
use super::super::title::Title;
use super::menu_view::{self, Hit};
use crate::canvas::Glyphs;
use crate::messages::{mistakes, screen as sentences};
use crate::play::Mode;
use crate::registry::GAMES;

impl Menu {
    /// Returns the request for the chosen game.
    pub(in super::super) fn started(&self) -> Effect {
        let mut spec = self.spec.clone();
        if spec.mode == Mode::Analysis {
            (spec.level, spec.program) = (None, None); // the levels of those who play
        }
        Effect::Start(Start::Game(Box::new(spec)))
    }

    /// Returns to the game behind the menu, or asks for the unfinished game, or says that there is
    /// none.
    fn go_on(&mut self, c: &FrameContext<'_>) -> Answer {
        if menu_view::game_behind(c).is_some() {
            return LayerEffect::Close.into();
        }
        let saved = &c.screen.saved;
        let kept = saved.kept.as_ref().map(|kept| Effect::Start(Start::Kept(kept.path.clone())));
        if kept.is_none() {
            self.notice = Some(sentences::nothing_left(saved.unreadable.as_deref()).into_string());
        }
        kept.map_or(Answer::DONE, |kept| LayerEffect::Ask(kept).into())
    }

    /// Changes an option by one step.
    fn step(&mut self, row: usize, step: isize) -> Answer {
        match self.rows().get(row).map(|row| row.key) {
            Some("theme") => return LayerEffect::ChangeTheme(step).into(),
            Some(key) => self.change(key, step),
            None => {}
        }
        Answer::DONE
    }
}

fn opened(kind: ListKind) -> Answer {
    LayerEffect::Open(Box::new(Layer::List(List::new(kind)))).into()
}

impl Component for Menu {
    fn act(&mut self, act: Action, key: &KeyEvent, c: &FrameContext<'_>) -> Answer {
        let rows = self.rows();
        if !matches!(act, Action::Help | Action::Theme) {
            self.notice = None;
        }
        match (act, self.row) {
            (Action::Help | Action::Theme, _) => return Answer::PassOn,
            (Action::Quit, _) => return LayerEffect::Ask(Effect::Quit).into(),
            (Action::Start, _) if self.spec.mode == Mode::Replay => return opened(ListKind::Files("replay")),
            (Action::Start, _) => return LayerEffect::Ask(self.started()).into(),
            (Action::Pick, _) => {
                let number = key.code.as_char().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
                self.choose((number as usize).wrapping_sub(1));
            }
            (Action::GoOn, _) => return self.go_on(c),
            (Action::Mistakes, _) if c.screen.saved.due > 0 => {
                return LayerEffect::Ask(Effect::Start(Start::Mistakes)).into();
            }
            (Action::Mistakes, _) => self.notice = Some(mistakes::NONE_DUE.to_owned()),
            (Action::Options, row) => self.row = row.is_none().then_some(0),
            (Action::Up, None) => self.choose(self.game().wrapping_sub(1)),
            (Action::Down, None) => self.choose(self.game() + 1),
            (Action::Right, None) => self.row = Some(0),
            (Action::Up, Some(row)) => self.row = Some(row.saturating_sub(1)),
            (Action::Down, Some(row)) => self.row = Some((row + 1).min(rows.len() - 1)),
            (Action::Left | Action::Right, Some(row)) => {
                return self.step(row, if act == Action::Left { -1 } else { 1 });
            }
            (Action::Analyze, _) => {
                self.spec.mode = Mode::Analysis;
                return LayerEffect::Ask(self.started()).into();
            }
            (Action::Open, _) => return opened(ListKind::Files("replay")),
            (Action::Rules, _) => {
                let rules = self.start().map(|start| RulesPages::of(self.entry(), start));
                let open = |rules| LayerEffect::Open(Box::new(Layer::Rules(rules))).into();
                return rules.map_or(Answer::DONE, open);
            }
            (Action::Saved, _) => return opened(ListKind::Saved),
            (Action::Command, _) => {
                return LayerEffect::Open(Box::new(Layer::Prompt(Prompt::default()))).into();
            }
            (Action::Escape, Some(_)) => self.row = None,
            (Action::Escape, None) if c.game.is_some() => return LayerEffect::Close.into(),
            _ => {}
        }
        Answer::DONE
    }

    fn click(&mut self, at: Position, c: &FrameContext<'_>) -> Answer {
        match menu_view::hit(c, self, at) {
            Some(Hit::Offer) => return self.act(Action::GoOn, &KeyCode::Null.into(), c),
            Some(Hit::Mistakes) => return self.act(Action::Mistakes, &KeyCode::Null.into(), c),
            Some(Hit::Game(number)) => {
                self.choose(number);
                self.row = None;
            }
            Some(Hit::Row(row, by)) => {
                self.row = Some(row);
                return self.step(row, by);
            }
            None => {}
        }
        Answer::DONE
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let dot = if c.screen.looks.glyphs == Glyphs::Unicode { " · " } else { " - " };
        let games = GAMES.iter().map(|game| game.title).collect::<Vec<_>>().join(dot);
        Title { lefts: vec!["crosspath".into()], middles: vec![games.into()], ..Title::default() }
            .draw(c, buffer);
        menu_view::draw(c, self, buffer)
    }
}
