//! Pasted text: it goes into the field and does nothing by itself, whatever keys its letters are. Pure.

use super::facts::Game;
use super::keys::{disarm, fill_field, open_field};
use super::screen::{MAX_TYPED, Screen};

/// Adds pasted text to the line that is typed; where there is none a field opens for it.
pub(super) fn paste(screen: &mut Screen, game: Game<'_>, text: &str) {
    let text = one_line(text);
    if text.is_empty() {
        return;
    }
    if let Some(page) = &mut screen.page {
        if page.is_filtering {
            page.top = 0;
            page.filter = page.filter.chars().chain(text.chars()).take(MAX_TYPED).collect();
        }
        return; // a page without a filter takes no text
    }
    disarm(screen);
    if screen.prompt.text.is_none() {
        open_field(screen, "");
    }
    let before = screen.prompt.text.take().unwrap_or_default();
    fill_field(screen, game, before + &text);
    if screen.prompt.text.is_none() {
        screen.page = screen.next_page.take();
    }
}

/// Returns text in one line: breaks become spaces, and what is no letter goes.
fn one_line(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let spaced = text.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter });
    let letters: String = spaced.filter(|letter| !letter.is_control()).collect();
    letters.trim().to_owned()
}
