//! Updates the screen for an event. The update is pure: it depends only on the event, the screen
//! and the match.

use super::dispatch::{self, handle_paste};
use super::effect::ScreenEffect;
use super::layer::{LayerRank, ScreenLayer, TextPage};
use super::mouse;
use super::screen::{Screen, ScreenEvent};
use super::theme::{ColorDepth, KnownBackground};
use crate::messages::screen as sentences;
use crate::play::Match;

/// Updates the screen for an event. Returns an effect outside the screen, if there is one.
pub fn update_screen(screen: &mut Screen, game: Option<&Match>, event: &ScreenEvent) -> Option<ScreenEffect> {
    if let ScreenEvent::Key(_) | ScreenEvent::Mouse(_) | ScreenEvent::Paste(_) = event {
        screen.motion = None;
    }
    match event {
        ScreenEvent::Key(key) => dispatch::handle_key(screen, game, key),
        ScreenEvent::Mouse(mouse) => mouse::handle_mouse(screen, game, *mouse),
        ScreenEvent::Paste(text) => {
            handle_paste(screen, game, text);
            None
        }
        ScreenEvent::Resize(width, height) => {
            screen.size = super::clamp_to_drawn_size((*width, *height));
            Some(ScreenEffect::Redraw)
        }
        ScreenEvent::Found(kept) => {
            screen.saved.kept = Some(kept.clone());
            None
        }
        ScreenEvent::Due(count) => {
            screen.saved.due = *count;
            None
        }
        ScreenEvent::Unreadable(why) => {
            screen.saved.unreadable = Some(why.clone());
            screen.show_message(why.clone());
            None
        }
        ScreenEvent::Listed(found) => {
            if let Some(list) = screen.list_mut() {
                list.receive_contents(found.clone());
            }
            None
        }
        ScreenEvent::Deleted(why) => {
            on_game_deleted(screen, why.as_deref());
            None
        }
        ScreenEvent::TooMuch => {
            // The line in the prompt is incomplete, so it is closed.
            screen.close_layer(LayerRank::Prompt);
            screen.restore_cursor();
            screen.show_message(sentences::TOO_MUCH_TYPED_MESSAGE.to_owned());
            None
        }
        ScreenEvent::Background(ground) => {
            screen.looks.ground = KnownBackground::Reported(*ground);
            None
        }
        ScreenEvent::AllColours => {
            screen.looks.depth = ColorDepth::All;
            None
        }
        ScreenEvent::Answered => None,
        ScreenEvent::Stop => Some(ScreenEffect::Suspend),
        ScreenEvent::Continue => Some(ScreenEffect::Continue),
    }
}

/// Requests the list of games again, and shows the reason if a game could not be deleted.
fn on_game_deleted(screen: &mut Screen, why: Option<&str>) {
    if let Some(list) = screen.list_mut() {
        list.discard_rows();
    }
    if let Some(why) = why {
        let lines = vec![why.into(), sentences::nothing_lost_message()];
        screen.open_layer(ScreenLayer::Page(TextPage::from_lines("Not deleted", lines)));
    }
}
