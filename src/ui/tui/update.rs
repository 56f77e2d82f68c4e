//! Effects of an event on the screen, and outside of it. Pure: the same event on the same screen
//! and the same match always has the same effects.

use super::dispatch::{self, paste};
use super::effect::Effect;
use super::layer::{Layer, Page, Rank};
use super::mouse;
use super::screen::{Event, Screen};
use super::theme::{ColorDepth, KnownBackground};
use crate::messages::screen as sentences;
use crate::play::Match;

/// Takes an event.
pub fn update(screen: &mut Screen, game: Option<&Match>, event: &Event) -> Option<Effect> {
    if let Event::Key(_) | Event::Mouse(_) | Event::Paste(_) = event {
        screen.motion = None;
    }
    match event {
        Event::Key(key) => dispatch::press(screen, game, key),
        Event::Mouse(mouse) => mouse::point(screen, game, *mouse),
        Event::Paste(text) => {
            paste(screen, game, text);
            None
        }
        Event::Resize(width, height) => {
            screen.size = super::drawn_size((*width, *height));
            Some(Effect::Redraw)
        }
        Event::Found(kept) => {
            screen.saved.kept = Some(kept.clone());
            None
        }
        Event::Due(count) => {
            screen.saved.due = *count;
            None
        }
        Event::Unreadable(why) => {
            screen.saved.unreadable = Some(why.clone());
            screen.announce(why.clone());
            None
        }
        Event::Listed(found) => {
            if let Some(list) = screen.list_mut() {
                list.receive(found.clone());
            }
            None
        }
        Event::Deleted(why) => {
            on_deleted(screen, why.as_deref());
            None
        }
        Event::TooMuch => {
            // Of the line in the field the rest is missing.
            screen.close(Rank::Prompt);
            screen.put_cursor_back();
            screen.announce(sentences::TOO_MUCH_TYPED.to_owned());
            None
        }
        Event::Background(ground) => {
            screen.looks.ground = KnownBackground::Told(*ground);
            None
        }
        Event::AllColours => {
            screen.looks.depth = ColorDepth::All;
            None
        }
        Event::Answered => None,
        Event::Stop => Some(Effect::Suspend),
        Event::Continue => Some(Effect::Continue),
    }
}

/// Has the list of games looked up again, and shows the reason why a game could not be deleted.
fn on_deleted(screen: &mut Screen, why: Option<&str>) {
    if let Some(list) = screen.list_mut() {
        list.forget();
    }
    if let Some(why) = why {
        let lines = vec![why.into(), sentences::nothing_lost()];
        screen.open(Layer::Page(Page::of("Not deleted", lines)));
    }
}
