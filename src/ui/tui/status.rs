//! The status line: the latest message, or the things that the player can do now.

use ratatui_core::layout::Rect;

use super::facts::{Facts, Phase};
use super::frame::FrameContext;
use super::key_table::{Context, LAST_LETTER};
use super::layout::PanelId;
use super::painting;
use super::panels::layout_of;
use super::screen::{Focus, StatusMessage};
use crate::messages;
use crate::messages::ending;
use crate::messages::screen::{self as sentences, FileEnd};
use crate::play::{Answer, Event, IncompleteReplay, Match, Moved, ReplayStop, Reply};
use crate::session::Position;
use crate::text;
use crate::text::columns::{width, wrap};
use crate::text::{Text, join};

impl FrameContext<'_> {
    /// Reports whether the status line has room for a text.
    pub(super) fn fits(&self, text: &str) -> bool {
        if self.game.is_none() {
            return true;
        }
        let status = layout_of(self).frame.status;
        wrap(text, usize::from(status.width.saturating_sub(2))).len() <= usize::from(status.height.max(1))
    }

    /// Returns the status line: the latest message, or the things that the player can do now.
    pub fn status_line(&self) -> Text {
        let said = match &self.screen.remark {
            StatusMessage::Own(text) | StatusMessage::No(text) => Some(text.clone()),
            StatusMessage::Invitation => None,
            StatusMessage::Match => render_message(self),
        };
        said.filter(|text| !text.is_empty()).unwrap_or_else(|| invitation(self))
    }
}

/// Reports whether the status line answers a request of the player.
pub(super) fn is_answered(c: &FrameContext<'_>) -> bool {
    match &c.screen.remark {
        StatusMessage::Own(_) | StatusMessage::No(_) => true,
        StatusMessage::Invitation => false,
        StatusMessage::Match => c.game.is_some_and(|game| {
            let is_answer = |event: &Event| {
                use Event::{Fault, FellBack, Refused, Replied};
                matches!(event, Replied(_) | Refused(_) | Fault(_) | FellBack(_))
            };
            game.said().iter().any(is_answer) || game.game().stuck().is_some()
        }),
    }
}

/// Reports whether the status line says that something cannot be done, or has gone wrong.
pub(super) fn is_refused(c: &FrameContext<'_>) -> bool {
    let is_no = |event: &Event| matches!(event, Event::Refused(_) | Event::Fault(_) | Event::FellBack(_));
    match &c.screen.remark {
        StatusMessage::No(_) => true,
        StatusMessage::Match => c.game.is_some_and(|game| game.said().iter().any(is_no)),
        _ => false,
    }
}

/// Returns the latest event of the match, in one line; `None` where it is visible on the board.
fn render_message(c: &FrameContext<'_>) -> Option<Text> {
    let game = c.game?;
    match game.said().last()? {
        // The engine's present search says more than earlier events.
        Event::Started | Event::Moved(_) | Event::Present(_) if game.is_thinking() => {
            news(c, game).or_else(|| render_fallback(game))
        }
        Event::Moved(_) if game.game().is_record() => Some(step_in_words(c)),
        Event::Moved(moved) => {
            let moved = render_last_move(c, game, moved);
            let Some(said) = render_fallback(game) else { return Some(moved) };
            let all = text!("{said} {moved}");
            Some(if c.fits(&all) { all } else { said })
        }
        Event::Ended(_) => Some(render_ending(c, game)),
        Event::Shown(_) => None,
        Event::Started | Event::Present(_) => {
            let begins = game.said().iter().any(|event| matches!(event, Event::Started));
            // A problem with a file comes first, before the file is shown.
            if let Some(stuck) = game.game().stuck().filter(|_| begins) {
                let faults = [messages::fault_of_file(stuck), messages::brief_fault_of_file(stuck)];
                return Some(longest_answer(c, &sentences::breaks_off(&faults[0], &faults[1])));
            }
            let warning = || messages::unbeatable(game).filter(|_| begins && game.game().number == 0);
            let said = render_replies(c, game).or_else(|| warning().map(Text::from))?;
            if !begins || c.game.is_watched() || game.said().iter().any(is_loaded) {
                return Some(said);
            }
            let all = [invitation(c), whose_turn(c)].map(|next| text!("{said} {next}"));
            all.into_iter().find(|all| c.fits(all)).or(Some(said))
        }
        _ => render_replies(c, game),
    }
}

/// Returns the news of an engine's move, for a player who looks at another position meanwhile.
fn news(c: &FrameContext<'_>, game: &Match) -> Option<Text> {
    let moved = game.said().iter().rev().find_map(|event| match event {
        Event::Moved(moved) if c.game.is_looking() => Some(moved),
        _ => None,
    })?;
    Some(render_last_move(c, game, moved))
}

/// Returns the answers, refusals and faults among the latest events.
fn render_replies(c: &FrameContext<'_>, game: &Match) -> Option<Text> {
    let said = game.said().iter().filter_map(|event| match event {
        Event::Replied(Reply { answer: Answer::Looking, .. }) => None,
        // The last position of a file is one like the others.
        Event::Replied(Reply { answer: Answer::BackToPresent, .. }) if game.game().is_record() => None,
        Event::Replied(reply @ Reply { answer: Answer::BackToPresent, .. }) => {
            let lines = messages::reply(game, reply, c.screen.looks.wording());
            let next = match c.game.is_stopped() {
                true => sentences::runs_by_itself(false),
                false if c.game.is_over() => Text::new(),
                false => whose_turn(c),
            };
            Some(text!("{} {next}", join(lines, " ")).trimmed())
        }
        // The panel has the rest.
        Event::Replied(reply @ Reply { answer: Answer::Reviewed, .. }) => {
            messages::reply(game, reply, c.screen.looks.wording()).pop()
        }
        Event::Replied(reply) => {
            let lines = messages::reply(game, reply, c.screen.looks.wording());
            (lines.len() == 1 || is_loaded(event)).then(|| join(lines, " "))
        }
        Event::Refused(refusal) => Some(messages::refusal(game, refusal).text),
        Event::Fault(fault) => Some(messages::fault(fault).text),
        Event::FellBack(fallback) => Some(fallback.why.text.clone()),
        _ => None,
    });
    let said: Vec<Text> = said.collect();
    (!said.is_empty()).then(|| join(said, " "))
}

fn render_last_move(c: &FrameContext<'_>, game: &Match, moved: &Moved) -> Text {
    let position = game.game().position(moved.node);
    let text = position.last().unwrap_or_default();
    let said = sentences::played(&**position, position.to_move().other(), &text);
    let is_word = position.named_moves().iter().any(|(name, _)| *name == text);
    match messages::notice(game, moved) {
        _ if c.game.is_looking() => text!("{said} {}", step_in_words(c)),
        Some(notice) if is_word => notice,
        Some(notice) => text!("{said} {notice}"),
        None if c.game.is_stopped() => text!("{said} {}", sentences::runs_by_itself(false)),
        None if position.outcome().is_some() || c.game.is_watched() => said,
        None => text!("{said} {}", whose_turn(c)),
    }
}

/// Returns the message about the end, where nothing else on the screen shows it, and the things
/// that can be done next.
fn render_ending(c: &FrameContext<'_>, game: &Match) -> Text {
    let (position, you) = (&**game.present_position(), c.game.you());
    let offers = match (game.game().is_record(), c.game.is_watched()) {
        (true, _) => ending::after_a_record(),
        (false, true) => ending::after_a_watched_end(),
        (false, false) => ending::after_the_end(game.has_level_beside()),
    };
    let layout = layout_of(c);
    let (has_panel, has_row) = (layout.has(PanelId::Ending), layout.frame.below_board.is_some());
    let head = match (ending::verdict(position, you), ending::how(position, you, c.screen.looks.glyphs)) {
        (Some(verdict), Some(how)) if !has_panel && !has_row => text!("{verdict}  {how}"),
        (Some(_), Some(how)) if !has_panel => how,
        (None, _) => return Text::new(),
        _ => Text::new(),
    };
    let none = Text::new;
    let [turned, shortly] = ending::turned(game).filter(|_| !has_panel).unwrap_or_default();
    let offer =
        game.offer().filter(|_| !has_panel).map(|offer| ending::offer(&offer, true)).unwrap_or_default();
    let [long, short] = offers;
    let ways = [
        [&head, &turned, &offer, &long],
        [&head, &turned, &offer, &short],
        [&head, &shortly, &offer, &short],
        [&head, &shortly, &offer, &none()],
        [&head, &none(), &offer, &short],
        [&head, &none(), &offer, &none()],
        [&head, &none(), &none(), &short],
        [&head, &none(), &none(), &none()],
    ];
    let told = |parts: [&Text; 4]| join(parts.into_iter().filter(|part| !part.is_empty()).cloned(), " ");
    let mut ways = ways.map(told).into_iter().filter(|text| !text.is_empty());
    ways.find(|text| c.fits(text)).unwrap_or(head)
}

/// Returns the things that the player can do now.
pub(super) fn invitation(c: &FrameContext<'_>) -> Text {
    let Some(present) = c.game.present() else { return Text::new() };
    match c.game.phase() {
        Phase::Advising => sentences::looking_for_advice(),
        _ if c.game.is_some_and(|game| game.game().lesson().is_some()) => step_in_words(c),
        Phase::Asking if c.base() == Context::SetUp => sentences::setting_up(),
        _ if c.game.practice().is_some_and(|practice| !practice.is_answered()) => {
            c.game.practice().map(messages::mistakes::asks).unwrap_or_default()
        }
        _ if c.game.is_reviewing() => {
            sentences::judges(c.screen.drawing.studies && layout_of(c).hides_engine)
        }
        _ if c.game.is_looking() => step_in_words(c),
        Phase::Thinking => {
            let last = present.last().filter(|_| !c.game.is_watched());
            let is_program = c.game.is_some_and(Match::is_program_thinking);
            sentences::thinks(present.side_name(present.to_move()), last.as_deref(), is_program)
        }
        Phase::Asking if c.game.is_stopped() => sentences::runs_by_itself(false),
        Phase::Asking if c.game.is_watched() => step_in_words(c),
        Phase::Asking if c.game.is_analysis() && is_told_by_the_step(c, present) => step_in_words(c),
        Phase::Asking if present.outcome().is_some() => sentences::is_over(),
        Phase::Asking if c.game.you().is_some_and(|you| you != present.to_move()) => Text::new(),
        Phase::Asking => {
            let is_key = |letter: char| letter > LAST_LETTER && letter.is_ascii_lowercase();
            let is_cell = |text: &String| text.ends_with(|c: char| c.is_ascii_digit());
            let canvas = present.canvas(painting::paint_options(c, present, 0));
            let mut places = canvas.spots().iter().map(|spot| &spot.text);
            let colon = match places.find(|text| text.starts_with(is_key) && is_cell(text)) {
                _ if c.screen.looks.habits.has_vi_keys => {
                    sentences::colon_before_all(&present.view().sample())
                }
                Some(cell) => sentences::colon_first(cell),
                None => String::new(),
            };
            let typing = present.view().typing();
            let whole = text!("{} {typing} {colon}", whose_turn(c)).trimmed();
            let status = layout_of(c).frame.status;
            // In a narrow window the title alone says whose turn it is: an example is worth more when it is whole.
            let fits = |text: &str| width(text) + 2 <= status.width.into();
            let is_cut = status.height == 1 && !fits(&whole) && c.game.taking_over().is_none();
            if is_cut && fits(&typing) { typing.into() } else { whole }
        }
    }
}

/// Reports whether the move before a position of an analysis is shown in place of the side to move:
/// at the end, and where a comment has no panel.
fn is_told_by_the_step(c: &FrameContext<'_>, shown: &dyn Position) -> bool {
    let has_comment = !c.game.comments().is_empty() && !layout_of(c).has(PanelId::Comment);
    shown.outcome().is_some() || has_comment && c.screen.cursor.focus == Focus::Moves
}

pub(super) fn whose_turn(c: &FrameContext<'_>) -> Text {
    let Some(present) = c.game.present() else { return Text::new() };
    let name = present.side_name(present.to_move());
    let turn = sentences::whose_turn(name, c.game.you() == Some(present.to_move()));
    let other = present.side_name(present.to_move().other());
    match c.game.taking_over() {
        Some(word) => text!("{turn} {}", sentences::may_take_over(other, word)),
        None => turn,
    }
}

/// Returns the move before the position that is shown, and the number of moves; after it the
/// comment on the position, where no panel has room for that.
pub(super) fn step_in_words(c: &FrameContext<'_>) -> Text {
    let (Some(shown), Some(game)) = (c.game.shown(), c.game) else { return Text::new() };
    let consequence = c.mistake().and_then(|lesson| lesson.consequence.as_ref());
    let why = consequence.filter(|_| !layout_of(c).has(PanelId::Comment));
    if let Some(texts) = ending::lesson(game, why.map(|why| &why.text)) {
        let form = texts.iter().find(|text| c.fits(text)).or(texts.last());
        return form.cloned().unwrap_or_default();
    }
    let step = step_alone(c, game, shown);
    let comment = c.game.comments().first().filter(|_| !layout_of(c).has(PanelId::Comment));
    comment.map_or_else(|| step.clone(), |comment| text!("{step} {}", comment.as_str()))
}

fn step_alone(c: &FrameContext<'_>, game: &Match, shown: &dyn Position) -> Text {
    let is_walked = c.game.is_replay() || c.game.is_analysis();
    let result = messages::short_result(shown, c.game.you(), c.screen.looks.glyphs).filter(|_| is_walked);
    result.unwrap_or_else(|| {
        let live = game.game();
        let end = match live.stuck_here() {
            Some(_) => FileEnd::NewGame,
            None if live.is_record() && live.shown() == live.line_end() && shown.outcome().is_none() => {
                FileEnd::Unfinished
            }
            None => FileEnd::None,
        };
        let is_wrong = |stuck: &&IncompleteReplay| !matches!(stuck.why, ReplayStop::TooShort(_));
        let step = if let Some(stuck) = live.stuck_here().filter(is_wrong) {
            let faults = [messages::incomplete_replay(stuck), messages::brief_fault_of_file(stuck)];
            longest_answer(c, &sentences::stops(&faults[0], &faults[1]))
        } else {
            let others = game.variations().len();
            sentences::step(shown, c.game.last_ply(), !is_walked, end, others)
        };
        // The review's finding on the move is shown with it, as far as there is room.
        let marked = game.game().marked_move(game.game().shown());
        let Some((mark, loss)) = marked.filter(|_| is_walked) else { return step };
        let better = messages::better(game.game(), &loss);
        let told = better.map(|better| sentences::marked(&step, mark.symbol(), &better));
        told.into_iter().find(|text| c.fits(text)).unwrap_or(step)
    })
}

/// Returns the area of a status line of `rows` rows. If it has only one, an answer that is too long
/// for it covers the row above, unless a board is there; an unrequested message does not.
pub(super) fn status_area(c: &FrameContext<'_>, rows: usize) -> Rect {
    let (area, board) = (layout_of(c).frame.status, layout_of(c).frame.board.bottom());
    match area.y.checked_sub(1) {
        Some(y) if area.height == 1 && rows > 1 && y >= board && is_answered(c) => {
            Rect { y, height: 2, ..area }
        }
        _ => area,
    }
}

/// Returns the longest of some answers, longest first, that can be read whole.
fn longest_answer(c: &FrameContext<'_>, texts: &[Text; 3]) -> Text {
    let fits = |text: &&Text| {
        let rows = wrap(*text, usize::from(layout_of(c).frame.status.width.saturating_sub(2))).len();
        rows <= usize::from(status_area(c, rows).height)
    };
    let [.., shortest] = texts;
    texts.iter().find(fits).unwrap_or(shortest).clone()
}

fn is_loaded(event: &Event) -> bool {
    matches!(event, Event::Replied(Reply { answer: Answer::Loaded(..), .. }))
}

/// Returns the request that could not be met, if that was the latest message.
fn render_fallback(game: &Match) -> Option<Text> {
    game.said().iter().find_map(|event| match event {
        Event::FellBack(fallback) => Some(fallback.why.text.clone()),
        _ => None,
    })
}
