//! Status line, with the latest message or the actions open to the player.

use ratatui_core::layout::Rect;

use super::facts::{MatchFacts, MatchPhase};
use super::frame::FrameContext;
use super::key_table::{KeyContext, LAST_MOVE_LETTER};
use super::layout::PanelId;
use super::painting;
use super::panels::cached_layout;
use super::screen::{AnalysisFocus, StatusMessage};
use crate::messages;
use crate::messages::ending;
use crate::messages::screen::{self as sentences, FileEnd};
use crate::play::{
    AppliedMove, CommandAnswer, CommandReply, IncompleteReplay, Match, MatchEvent, ReplayStop,
};
use crate::session::Position;
use crate::text;
use crate::text::columns::{display_width, wrap_text};
use crate::text::{Text, join_texts};

impl FrameContext<'_> {
    /// Reports whether a text fits into the status line.
    pub(super) fn fits_status_line(&self, text: &str) -> bool {
        if self.game.is_none() {
            return true;
        }
        let status = cached_layout(self).frame.status;
        wrap_text(text, usize::from(status.width.saturating_sub(2))).len()
            <= usize::from(status.height.max(1))
    }

    /// Renders the status line: the latest message, or the actions open to the player.
    pub fn render_status_line(&self) -> Text {
        let said = match &self.screen.remark {
            StatusMessage::Info(text) | StatusMessage::Refusal(text) => Some(text.clone()),
            StatusMessage::Invitation => None,
            StatusMessage::Match => render_latest_event(self),
        };
        said.filter(|text| !text.is_empty()).unwrap_or_else(|| render_invitation(self))
    }
}

/// Reports whether the status line answers a request of the player.
pub(super) fn is_answer_to_player(c: &FrameContext<'_>) -> bool {
    match &c.screen.remark {
        StatusMessage::Info(_) | StatusMessage::Refusal(_) => true,
        StatusMessage::Invitation => false,
        StatusMessage::Match => c.game.is_some_and(|game| {
            let is_answer = |event: &MatchEvent| {
                use MatchEvent::{Fault, FellBack, Refused, Replied};
                matches!(event, Replied(_) | Refused(_) | Fault(_) | FellBack(_))
            };
            game.reported_events().iter().any(is_answer) || game.game().incomplete_replay().is_some()
        }),
    }
}

/// Reports whether the status line shows a refusal or a fault.
pub(super) fn is_refusal_shown(c: &FrameContext<'_>) -> bool {
    let is_no = |event: &MatchEvent| {
        matches!(event, MatchEvent::Refused(_) | MatchEvent::Fault(_) | MatchEvent::FellBack(_))
    };
    match &c.screen.remark {
        StatusMessage::Refusal(_) => true,
        StatusMessage::Match => c.game.is_some_and(|game| game.reported_events().iter().any(is_no)),
        _ => false,
    }
}

/// Renders the latest event of the match in one line, or `None` if the board itself shows it.
fn render_latest_event(c: &FrameContext<'_>) -> Option<Text> {
    let game = c.game?;
    match game.reported_events().last()? {
        // A running search matters more than earlier events.
        MatchEvent::Started | MatchEvent::Moved(_) | MatchEvent::Present(_) if game.is_thinking() => {
            render_missed_engine_move(c, game).or_else(|| render_fallback(game))
        }
        MatchEvent::Moved(_) if game.game().is_replay() => Some(render_shown_move(c)),
        MatchEvent::Moved(moved) => {
            let moved = render_last_move(c, game, moved);
            let Some(said) = render_fallback(game) else { return Some(moved) };
            let all = text!("{said} {moved}");
            Some(if c.fits_status_line(&all) { all } else { said })
        }
        MatchEvent::Ended(_) => Some(render_ending(c, game)),
        MatchEvent::Shown(_) => None,
        MatchEvent::Started | MatchEvent::Present(_) => {
            let begins = game.reported_events().iter().any(|event| matches!(event, MatchEvent::Started));
            // A fault in a file is shown before the file itself.
            if let Some(stuck) = game.game().incomplete_replay().filter(|_| begins) {
                let faults =
                    [messages::describe_file_fault(stuck), messages::describe_file_fault_briefly(stuck)];
                return Some(longest_fitting_answer(
                    c,
                    &sentences::partial_file_message(&faults[0], &faults[1]),
                ));
            }
            let warning =
                || messages::unbeatable_engine_note(game).filter(|_| begins && game.game().number == 0);
            let said = render_replies(c, game).or_else(|| warning().map(Text::from))?;
            if !begins
                || c.game.has_no_human_player()
                || game.reported_events().iter().any(is_file_loaded_event)
            {
                return Some(said);
            }
            let all = [render_invitation(c), render_whose_turn(c)].map(|next| text!("{said} {next}"));
            all.into_iter().find(|all| c.fits_status_line(all)).or(Some(said))
        }
        _ => render_replies(c, game),
    }
}

/// Renders an engine's move that was played while the player viewed another position.
fn render_missed_engine_move(c: &FrameContext<'_>, game: &Match) -> Option<Text> {
    let moved = game.reported_events().iter().rev().find_map(|event| match event {
        MatchEvent::Moved(moved) if c.game.shows_other_position() => Some(moved),
        _ => None,
    })?;
    Some(render_last_move(c, game, moved))
}

/// Renders the replies, refusals and faults among the latest events.
fn render_replies(c: &FrameContext<'_>, game: &Match) -> Option<Text> {
    let said = game.reported_events().iter().filter_map(|event| match event {
        MatchEvent::Replied(CommandReply { answer: CommandAnswer::PositionShown, .. }) => None,
        // In a file, the last position is not special.
        MatchEvent::Replied(CommandReply { answer: CommandAnswer::BackToPresent, .. })
            if game.game().is_replay() =>
        {
            None
        }
        MatchEvent::Replied(reply @ CommandReply { answer: CommandAnswer::BackToPresent, .. }) => {
            let lines = messages::reply_lines(game, reply, c.screen.looks.message_wording());
            let next = match c.game.is_engine_match_stopped() {
                true => sentences::auto_play_message(false),
                false if c.game.is_game_over() => Text::new(),
                false => render_whose_turn(c),
            };
            Some(text!("{} {next}", join_texts(lines, " ")).trimmed())
        }
        // The review's panel shows the rest.
        MatchEvent::Replied(reply @ CommandReply { answer: CommandAnswer::Reviewed, .. }) => {
            messages::reply_lines(game, reply, c.screen.looks.message_wording()).pop()
        }
        MatchEvent::Replied(reply) => {
            let lines = messages::reply_lines(game, reply, c.screen.looks.message_wording());
            (lines.len() == 1 || is_file_loaded_event(event)).then(|| join_texts(lines, " "))
        }
        MatchEvent::Refused(refusal) => Some(messages::describe_refusal(game, refusal).text),
        MatchEvent::Fault(fault) => Some(messages::describe_fault(fault).text),
        MatchEvent::FellBack(fallback) => Some(fallback.why.text.clone()),
        _ => None,
    });
    let said: Vec<Text> = said.collect();
    (!said.is_empty()).then(|| join_texts(said, " "))
}

fn render_last_move(c: &FrameContext<'_>, game: &Match, moved: &AppliedMove) -> Text {
    let position = game.game().position(moved.node);
    let text = position.last_move().unwrap_or_default();
    let said = sentences::move_played_message(&**position, position.to_move().other(), &text);
    let is_word = position.named_moves().iter().any(|(name, _)| *name == text);
    match messages::describe_move_effects(game, moved) {
        _ if c.game.shows_other_position() => text!("{said} {}", render_shown_move(c)),
        Some(notice) if is_word => notice,
        Some(notice) => text!("{said} {notice}"),
        None if c.game.is_engine_match_stopped() => text!("{said} {}", sentences::auto_play_message(false)),
        None if position.outcome().is_some() || c.game.has_no_human_player() => said,
        None => text!("{said} {}", render_whose_turn(c)),
    }
}

/// Renders the end of the game and the actions that are open to the player.
///
/// Anything that a panel shows is omitted.
fn render_ending(c: &FrameContext<'_>, game: &Match) -> Text {
    let (position, you) = (&**game.present_position(), c.game.human_side());
    let offers = match (game.game().is_replay(), c.game.has_no_human_player()) {
        (true, _) => ending::list_steps_after_replay(),
        (false, true) => ending::list_steps_after_engine_match(),
        (false, false) => ending::list_steps_after_game(game.has_adjacent_level()),
    };
    let layout = cached_layout(c);
    let (has_panel, has_row) = (layout.shows_panel(PanelId::Ending), layout.frame.below_board.is_some());
    let head = match (
        ending::format_result_heading(position, you),
        ending::describe_ending(position, you, c.screen.looks.glyphs),
    ) {
        (Some(verdict), Some(how)) if !has_panel && !has_row => text!("{verdict}  {how}"),
        (Some(_), Some(how)) if !has_panel => how,
        (None, _) => return Text::new(),
        _ => Text::new(),
    };
    let none = Text::new;
    let [turned, shortly] = ending::describe_turning_point(game).filter(|_| !has_panel).unwrap_or_default();
    let offer = game
        .level_offer()
        .filter(|_| !has_panel)
        .map(|offer| ending::format_level_offer(&offer, true))
        .unwrap_or_default();
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
    let told =
        |parts: [&Text; 4]| join_texts(parts.into_iter().filter(|part| !part.is_empty()).cloned(), " ");
    let mut ways = ways.map(told).into_iter().filter(|text| !text.is_empty());
    ways.find(|text| c.fits_status_line(text)).unwrap_or(head)
}

/// Renders the actions open to the player in the present phase.
pub(super) fn render_invitation(c: &FrameContext<'_>) -> Text {
    let Some(present) = c.game.present_position() else { return Text::new() };
    match c.game.phase() {
        MatchPhase::Advising => sentences::finding_hint_message(),
        _ if c.game.is_some_and(|game| game.game().shown_lesson().is_some()) => render_shown_move(c),
        MatchPhase::Asking if c.board_key_context() == KeyContext::SetUp => sentences::setup_keys_message(),
        _ if c.game.practice().is_some_and(|practice| !practice.is_answered()) => {
            c.game.practice().map(messages::mistakes::find_better_move_prompt).unwrap_or_default()
        }
        _ if c.game.is_reviewing() => {
            sentences::review_started_message(c.screen.drawing.studies && cached_layout(c).hides_engine)
        }
        _ if c.game.shows_other_position() => render_shown_move(c),
        MatchPhase::Thinking => {
            let last = present.last_move().filter(|_| !c.game.has_no_human_player());
            let is_program = c.game.is_some_and(Match::is_external_engine_thinking);
            sentences::side_thinking_message(
                present.side_name(present.to_move()),
                last.as_deref(),
                is_program,
            )
        }
        MatchPhase::Asking if c.game.is_engine_match_stopped() => sentences::auto_play_message(false),
        MatchPhase::Asking if c.game.has_no_human_player() => render_shown_move(c),
        MatchPhase::Asking if c.game.is_analysis() && shows_last_move_instead(c, present) => {
            render_shown_move(c)
        }
        MatchPhase::Asking if present.outcome().is_some() => sentences::game_over_message(),
        MatchPhase::Asking if c.game.human_side().is_some_and(|you| you != present.to_move()) => Text::new(),
        MatchPhase::Asking => {
            let is_key = |letter: char| letter > LAST_MOVE_LETTER && letter.is_ascii_lowercase();
            let is_cell = |text: &String| text.ends_with(|c: char| c.is_ascii_digit());
            let canvas = present.paint_board(painting::paint_options(c, present, 0));
            let mut places = canvas.spots().iter().map(|spot| &spot.text);
            let colon = match places.find(|text| text.starts_with(is_key) && is_cell(text)) {
                _ if c.screen.looks.habits.has_vi_keys => {
                    sentences::colon_for_moves_hint(&present.view().sample_move())
                }
                Some(cell) => sentences::colon_for_column_hint(cell),
                None => String::new(),
            };
            let typing = present.view().typing_hint();
            let whole = text!("{} {typing} {colon}", render_whose_turn(c)).trimmed();
            let status = cached_layout(c).frame.status;
            // In a narrow window the title shows whose turn it is, so an example of a move takes
            // precedence if it fits.
            let fits = |text: &str| display_width(text) + 2 <= status.width.into();
            let is_cut = status.height == 1 && !fits(&whole) && c.game.available_swap_command().is_none();
            if is_cut && fits(&typing) { typing.into() } else { whole }
        }
    }
}

/// Reports whether the status line shows the last move instead of the side to move.
///
/// It does at the end of an analysed game, and if a comment has no panel.
fn shows_last_move_instead(c: &FrameContext<'_>, shown: &dyn Position) -> bool {
    let has_comment = !c.game.comments().is_empty() && !cached_layout(c).shows_panel(PanelId::Comment);
    shown.outcome().is_some() || has_comment && c.screen.cursor.focus == AnalysisFocus::Moves
}

pub(super) fn render_whose_turn(c: &FrameContext<'_>) -> Text {
    let Some(present) = c.game.present_position() else { return Text::new() };
    let name = present.side_name(present.to_move());
    let turn = sentences::turn_message(name, c.game.human_side() == Some(present.to_move()));
    let other = present.side_name(present.to_move().other());
    match c.game.available_swap_command() {
        Some(word) => text!("{turn} {}", sentences::swap_offer_message(other, word)),
        None => turn,
    }
}

/// Renders the last move before the shown position, with its number.
///
/// The position's comment follows if no panel shows it.
pub(super) fn render_shown_move(c: &FrameContext<'_>) -> Text {
    let (Some(shown), Some(game)) = (c.game.shown_position(), c.game) else { return Text::new() };
    let consequence = c.shown_mistake().and_then(|lesson| lesson.consequence.as_ref());
    let why = consequence.filter(|_| !cached_layout(c).shows_panel(PanelId::Comment));
    if let Some(texts) = ending::describe_lesson(game, why.map(|why| &why.text)) {
        let form = texts.iter().find(|text| c.fits_status_line(text)).or(texts.last());
        return form.cloned().unwrap_or_default();
    }
    let step = render_uncommented_move(c, game, shown);
    let comment = c.game.comments().first().filter(|_| !cached_layout(c).shows_panel(PanelId::Comment));
    comment.map_or_else(|| step.clone(), |comment| text!("{step} {}", comment.as_str()))
}

fn render_uncommented_move(c: &FrameContext<'_>, game: &Match, shown: &dyn Position) -> Text {
    let is_walked = c.game.is_replay() || c.game.is_analysis();
    let result = messages::describe_result_briefly(shown, c.game.human_side(), c.screen.looks.glyphs)
        .filter(|_| is_walked);
    result.unwrap_or_else(|| {
        let live = game.game();
        let end = match live.incomplete_replay_at_end() {
            Some(_) => FileEnd::NewGame,
            None if live.is_replay()
                && live.shown_node() == live.shown_line_end()
                && shown.outcome().is_none() =>
            {
                FileEnd::Unfinished
            }
            None => FileEnd::None,
        };
        let is_wrong = |stuck: &&IncompleteReplay| !matches!(stuck.why, ReplayStop::TooShort(_));
        let step = if let Some(stuck) = live.incomplete_replay_at_end().filter(is_wrong) {
            let faults =
                [messages::describe_incomplete_replay(stuck), messages::describe_file_fault_briefly(stuck)];
            longest_fitting_answer(c, &sentences::replay_stop_message(&faults[0], &faults[1]))
        } else {
            let others = game.variations().len();
            sentences::describe_step(shown, c.game.last_ply(), !is_walked, end, others)
        };
        // The review's mark and the better move are appended if they fit.
        let marked = game.game().marked_move(game.game().shown_node());
        let Some((mark, loss)) = marked.filter(|_| is_walked) else { return step };
        let better = messages::describe_better_move(game.game(), &loss);
        let told = better.map(|better| sentences::append_better_move(&step, mark.symbol(), &better));
        told.into_iter().find(|text| c.fits_status_line(text)).unwrap_or(step)
    })
}

/// Returns the area of a status line that needs `rows` rows.
///
/// In a window with one status row, a long answer also covers the row above it, unless the board is
/// there.
pub(super) fn status_area(c: &FrameContext<'_>, rows: usize) -> Rect {
    let (area, board) = (cached_layout(c).frame.status, cached_layout(c).frame.board.bottom());
    match area.y.checked_sub(1) {
        Some(y) if area.height == 1 && rows > 1 && y >= board && is_answer_to_player(c) => {
            Rect { y, height: 2, ..area }
        }
        _ => area,
    }
}

/// Returns the longest of the given answers that fits. They are given longest first.
fn longest_fitting_answer(c: &FrameContext<'_>, texts: &[Text; 3]) -> Text {
    let fits = |text: &&Text| {
        let rows = wrap_text(*text, usize::from(cached_layout(c).frame.status.width.saturating_sub(2))).len();
        rows <= usize::from(status_area(c, rows).height)
    };
    let [.., shortest] = texts;
    texts.iter().find(fits).unwrap_or(shortest).clone()
}

fn is_file_loaded_event(event: &MatchEvent) -> bool {
    matches!(event, MatchEvent::Replied(CommandReply { answer: CommandAnswer::Loaded(..), .. }))
}

/// Returns the reason why the requested game was replaced, if it was.
fn render_fallback(game: &Match) -> Option<Text> {
    game.reported_events().iter().find_map(|event| match event {
        MatchEvent::FellBack(fallback) => Some(fallback.why.text.clone()),
        _ => None,
    })
}
