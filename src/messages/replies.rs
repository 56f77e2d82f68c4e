//! Replies to commands, and remarks that accompany moves.

use crate::game::{Refusal, RefusalCode, SetupChange};
use crate::messages::{
    BACK_AT_CURRENT_MESSAGE, MessageWording, describe_engine_level, describe_position, describe_turn,
    fallback_to_mode_1_message, file_repetition_message, format_at_level, format_best_moves,
    format_move_count, format_move_list, format_search_stats, help_lines, is_every_move_losing,
    list_legal_moves, list_moves_played, mistakes, previous_game_message, repetition_message, undo_message,
};
use crate::play::{
    AppliedMove, CommandAnswer, CommandReply, EditOutcome, EngineRole, IncompleteReplay, JournalStatus,
    Match, MatchFault, MatchQuery, OverwritePermission, ProofChange, ReplayStop,
};
use crate::record::{MoveSource, NodeId, RecordNote};
use crate::session::{EngineAnswer, Position};
use crate::text;
use crate::text::{Text, join_texts, mark_move};

/// Says which level plays or analyses from now on.
fn level_set_message(game: &Match) -> Text {
    let who = match game.game() {
        game if game.is_analysis() => "The engine now analyses",
        game if game.is_between_engines() => "Both engines now play",
        _ => "The engine now plays",
    };
    text!("{who} {}.", format_at_level(game.game().level()))
}

/// Describes an edit of the tree of an analysis.
fn edit_message(news: &EditOutcome, position: &dyn Position, wording: MessageWording) -> Text {
    match news {
        EditOutcome::Hidden(text) => {
            text!(
                "Deleted {} and everything after it. {} brings it back.",
                mark_move(None, text),
                wording.undo_key()
            )
        }
        EditOutcome::Commented(Some(_)) => "Comment written.".into(),
        EditOutcome::Commented(None) => "Comment deleted.".into(),
        EditOutcome::Marked { cell, is_there: true } => text!("{cell} is marked."),
        EditOutcome::Marked { cell, is_there: false } => text!("The mark on {cell} is gone."),
        EditOutcome::Undone => "The last change is undone.".into(),
        EditOutcome::Redone => "The change is made again.".into(),
        EditOutcome::SetUpOn(change) => setup_change_message(change, position),
        EditOutcome::SetUp => {
            text!("A new analysis begins here. {} goes back to the one before.", wording.undo_key())
        }
    }
}

/// Describes a change of a position that is being set up.
fn setup_change_message(change: &SetupChange, position: &dyn Position) -> Text {
    match change {
        SetupChange::Put(side, place) => {
            let name = position.side_name(*side);
            let (is_wall, place) = (place.ends_with(char::is_alphabetic), mark_move(Some(*side), place));
            if is_wall {
                text!("{name} has the wall {place} now.")
            } else {
                text!("{name} is on {place} now.")
            }
        }
        SetupChange::Remove(place) => text!("{place} is empty now."),
        SetupChange::Turn(side) => text!("{} moves first now.", position.side_name(*side)),
        SetupChange::Left(side, count) => {
            let walls = if *count == 1 { "wall" } else { "walls" };
            text!("{} has {count} {walls} left now.", position.side_name(*side))
        }
    }
}

/// Returns the lines that answer a command.
pub fn reply_lines(game: &Match, reply: &CommandReply, wording: MessageWording) -> Vec<Text> {
    let position = &**game.game().position(reply.at);
    let one = |text: Text| vec![text];
    match &reply.answer {
        CommandAnswer::Queried(query) => query_lines(game, reply.at, query, wording),
        CommandAnswer::Quit => Vec::new(),
        CommandAnswer::Reviewed => super::review::list_review_findings(game),
        CommandAnswer::MistakeShown
        | CommandAnswer::Tried(_)
        | CommandAnswer::Solution
        | CommandAnswer::Practised { .. } => {
            practice_reply(game, &reply.answer, wording).into_iter().collect()
        }
        CommandAnswer::LevelSet => one(level_set_message(game)),
        CommandAnswer::Hint(thought) => one(describe_hint(position, thought)),
        CommandAnswer::Values => {
            let words = position
                .exact_move_values()
                .iter()
                .map(|(text, value)| text!("{} {value}", mark_move(None, text)));
            words.collect::<Vec<_>>().chunks(3).map(|row| join_texts(row, "   ")).collect()
        }
        CommandAnswer::Eval(thought) => describe_evaluation(position, thought),
        CommandAnswer::Undone(taken) => {
            one(undo_message(position, taken, is_engines_turn(game, position), wording))
        }
        CommandAnswer::PreviousGameRestored => one("The previous game is back.".into()),
        CommandAnswer::Redone(again) => {
            one(text!("Redid {}. {}", format_move_list(again), describe_turn(position)))
        }
        CommandAnswer::BackToPresent => one(BACK_AT_CURRENT_MESSAGE.into()),
        CommandAnswer::PositionShown => one(shown_position_message(position.plies(), game.last_ply())),
        CommandAnswer::PlayContinues { redoable, is_free } => {
            one(playing_on_message(position, *redoable, *is_free, wording))
        }
        CommandAnswer::Edited(news) => one(edit_message(news, position, wording)),
        CommandAnswer::Promoted => {
            one(text!("This is now the main line. {}", describe_turn(&**game.present_position())))
        }
        CommandAnswer::SideSet(side) => one(text!("You now play {}.", position.side_name(*side))),
        CommandAnswer::Resigned(side) => one(text!("{} resigns.", position.side_name(*side))),
        CommandAnswer::DrawClaimed => one("Draw claimed.".into()),
        CommandAnswer::New(unsaved) => previous_game_message(*unsaved).into_iter().collect(),
        CommandAnswer::Saved(path, overwrite) => {
            let replaces = *overwrite == OverwritePermission::Yes;
            let over = if replaces { ", replacing the game that was there" } else { "" };
            one(text!("Saved as {path}{over}. Continue with load {path}."))
        }
        CommandAnswer::AsksToReplace(path) => {
            one(text!("{path} already holds another game. Replace it? (y or n)"))
        }
        CommandAnswer::Loaded(path, unsaved) => {
            let (count, turn) = (format_move_count(position.plies()), describe_turn(position));
            let loaded = text!("Loaded {count} from {path}. {turn}");
            let repeated = file_repetition_message(position.repetition_count());
            previous_game_message(*unsaved).into_iter().chain([loaded]).chain(repeated).collect()
        }
    }
}

/// Returns the lines that answer a question about the position of this node or about its game.
fn query_lines(game: &Match, at: NodeId, query: &MatchQuery, wording: MessageWording) -> Vec<Text> {
    let position = &**game.game().position(at);
    let one = |text: Text| vec![text];
    match query {
        MatchQuery::Board => Vec::new(),
        MatchQuery::Help(topic) => {
            let told = |(word, text): (Text, Text)| {
                if word.is_empty() { text } else { text!("{word:<20} {text}") }
            };
            help_lines(position, *topic).into_iter().map(told).collect()
        }
        MatchQuery::Rules => list_lessons_and_rules(game, position),
        MatchQuery::Moves => list_moves_played(&**game.game().position(game.game().shown_line_end())),
        MatchQuery::Legal => list_legal_moves(position),
        MatchQuery::Effect(text) => {
            one(position.describe_move_effect(text, wording.glyphs).unwrap_or_else(|why| why.text))
        }
        MatchQuery::Where => describe_position(position),
        MatchQuery::Comment => comment_lines(game, at),
        MatchQuery::Variations => list_side_lines(game),
        MatchQuery::Link => one(game.position_link().unwrap_or_default().into()),
        MatchQuery::Stats => one(format_last_search_stats(game)),
        MatchQuery::Level => one(describe_engine_player(game, position)),
        MatchQuery::Inspect(word) => position.run_inspect_command(word).unwrap_or_default(),
    }
}

/// Describes the result of a command in mistake practice.
fn practice_reply(game: &Match, answer: &CommandAnswer, wording: MessageWording) -> Option<Text> {
    let shown = game.game().practice_item()?;
    Some(match answer {
        CommandAnswer::Tried(news) => mistakes::describe_try_result(shown, news, wording),
        CommandAnswer::Solution => mistakes::describe_solution(shown, wording),
        &CommandAnswer::Practised { right, count, due } => {
            mistakes::format_practice_summary(right, count, due, wording)
        }
        _ => mistakes::find_better_move_prompt(shown),
    })
}

/// Returns the lines of the comment on a position.
fn comment_lines(game: &Match, at: NodeId) -> Vec<Text> {
    let comments = &game.game().tree().node(at).comments;
    if comments.is_empty() {
        return vec!["There is no comment on this position.".into()];
    }
    comments.iter().map(|line| line.as_str().into()).collect()
}

/// Returns the sentences of the lessons and the rules.
fn list_lessons_and_rules(game: &Match, position: &dyn Position) -> Vec<Text> {
    let lessons = game.game().spec().start.entry.lessons.iter().map(|lesson| lesson.text.into());
    lessons.chain(super::rule_lines(position).into_iter().map(|(_, rule)| rule)).collect()
}

/// Reports whether an engine is to move.
fn is_engines_turn(game: &Match, position: &dyn Position) -> bool {
    game.game().seat(position.to_move()) != Some(&crate::play::PlayerSeat::Human)
}

/// Formats the statistics of the last search.
fn format_last_search_stats(game: &Match) -> Text {
    game.game()
        .last_search()
        .map_or_else(|| NO_SEARCH_YET_MESSAGE.into(), |report| format_search_stats(report).into())
}

/// Answers `stats` before any engine has moved.
const NO_SEARCH_YET_MESSAGE: &str = "No engine has moved yet.";

/// Says which earlier position is shown.
pub fn shown_position_message(ply: usize, last: usize) -> Text {
    text!("Showing move {ply} of {last}. next and back step; goto end returns.")
}

/// Says that the game continues from an earlier position. `redoable` moves were played after it. `is_free`
/// means that a human player moves for both sides. The effect of the last move is described as after a move.
fn playing_on_message(
    position: &dyn Position,
    redoable: usize,
    is_free: bool,
    wording: MessageWording,
) -> Text {
    let ply = position.plies();
    let from = if ply == 0 { "the start".to_owned() } else { format!("move {ply}") };
    let returns =
        if redoable > 0 { text!("; {} returns to the later moves", wording.redo_key()) } else { Text::new() };
    let free = text!("You move for both sides; {} lets the engine play the other.", wording.side_command());
    let goes_on = Some(text!("Playing on from {from}{returns}."));
    let parts = [goes_on, is_free.then_some(free), position.last_move_comment()];
    join_texts(parts.into_iter().flatten(), " ")
}

/// Describes a hint: a move, its reason and its value.
fn describe_hint(position: &dyn Position, thought: &EngineAnswer) -> Text {
    let reason = position.explain_move(&thought.text);
    let value = format_exact_value(position, &thought.text);
    // The value is left out if the reason already gives it.
    let stem = |value: &str| value.split(' ').next().unwrap_or_default().trim_end_matches('s').to_owned();
    let is_said = |value: &&str| reason.as_ref().is_some_and(|reason| reason.contains(&stem(value)));
    // The reason may already say that every move loses.
    let value = if is_every_move_losing(position) {
        Some("every move loses").filter(|all| reason.as_ref().is_none_or(|reason| !reason.contains(all)))
    } else {
        value.as_deref().filter(|value| !is_said(value))
    };
    let value = value.map(Text::from);
    let why: Vec<Text> = reason.into_iter().chain(value).collect();
    let why = if why.is_empty() { Text::new() } else { text!(" ({})", join_texts(why, "; ")) };
    text!("Hint: {}{why}.", mark_move(Some(position.to_move()), &thought.text))
}

/// Returns the exact value of a move if it is known.
pub fn format_exact_value(position: &dyn Position, text: &str) -> Option<String> {
    position.exact_move_values().iter().find(|(other, _)| other == text).map(|(_, value)| value.to_string())
}

/// Describes the engine's choice of move and its search.
fn describe_evaluation(position: &dyn Position, thought: &EngineAnswer) -> Vec<Text> {
    let side = position.to_move();
    let (name, mv) = (position.side_name(side), mark_move(Some(side), &thought.text));
    if thought.report.is_without_search() {
        return vec![text!("{name} would play {mv}. No search was needed.")];
    }
    let mut lines = vec![text!("{name} would play {mv}: {}", format_search_stats(&thought.report))];
    lines.extend(format_best_moves(&thought.report));
    lines
}

/// Lists the side lines with the numbers that the command takes.
fn list_side_lines(game: &Match) -> Vec<Text> {
    let (tree, shown) = (game.game().tree(), game.game().shown_node());
    let line = |(number, id): (usize, crate::record::NodeId)| {
        let position = tree.position(id);
        let ply = position.plies();
        let text = mark_move(Some(position.to_move().other()), position.last_move().unwrap_or_default());
        let more = tree.main_line_from(id).count() - 1;
        let more = if more == 0 { Text::new() } else { text!(", then {}", format_move_count(more)) };
        let place = if ply > tree.ply(shown) { ", follows this position" } else { "" };
        text!("{number}  {ply} {text}{more}{place}")
    };
    let lines: Vec<Text> = (1..).zip(game.variations()).map(line).collect();
    if lines.is_empty() { vec!["There are no side lines at this move.".into()] } else { lines }
}

/// Returns the remarks that accompany a move, if any.
pub fn describe_move_effects(game: &Match, moved: &AppliedMove) -> Option<Text> {
    let node = game.game().tree().node(moved.node);
    let position = game.game().position(moved.node);
    let proof = moved.proof.as_ref().map(|news| match news {
        ProofChange::Lost => "This position is no longer proved; the engine plays what looks best.".into(),
        ProofChange::Found(status) => text!("This position is now proved: {status}."),
        ProofChange::Won(said) => said.clone(),
    });
    let repeated = moved.repetition.and_then(|times| match node.by {
        MoveSource::File => file_repetition_message(times),
        MoveSource::Human | MoveSource::Machine => repetition_message(times).map(Text::from),
    });
    let back = moved.came_back.then(|| BACK_AT_CURRENT_MESSAGE.into());
    let told: Vec<Text> =
        [back, position.last_move_comment(), proof, repeated].into_iter().flatten().collect();
    (!told.is_empty()).then(|| join_texts(told, " "))
}

/// Says which engine plays.
fn describe_engine_player(game: &Match, position: &dyn Position) -> Text {
    let (played, are_two) = (game.game(), game.game().is_between_engines());
    match &played.spec().program {
        Some(program) => text!("{} plays. level N replaces it with a built-in level.", program.name()),
        None => describe_engine_level(position, played.level(), are_two),
    }
}

/// Returns the code and the message of a fault that the player did not cause.
pub fn describe_fault(fault: &MatchFault) -> Refusal {
    match fault {
        MatchFault::Dropped(path, RecordNote { line, why, .. }) => {
            Refusal::new(why.code, text!("{path}:{line}: {why}"))
        }
        MatchFault::Stuck(stuck) => {
            Refusal::new(RefusalCode::File, fallback_to_mode_1_message(describe_incomplete_replay(stuck)))
        }
        MatchFault::Engine { why, role } => {
            let more = match role {
                EngineRole::Opponent => {
                    "Type its next move, use level N to replace it, or use undo to go back."
                }
                EngineRole::MatchEngine => "Use level N to replace it, or undo to go back.",
                EngineRole::MatchEngineAtEnd => "The match is over.",
                EngineRole::Adviser => "You can play on.",
            };
            Refusal::new(RefusalCode::Engine, text!("The engine failed: {why}. {more}"))
        }
        MatchFault::TimeIsUp(name) => {
            Refusal::new(RefusalCode::TimeIsUp, text!("{name} ran out of time. The game continues."))
        }
        MatchFault::Journal { game, news } => {
            let text = match news {
                JournalStatus::NotWritten(why) => {
                    text!("{game} cannot be saved ({why}). You can play on and use save FILE.")
                }
                JournalStatus::Interrupted(why) => {
                    text!("{game} is no longer being saved ({why}). You can play on and use save FILE.")
                }
                JournalStatus::Restored => text!("{game}: the whole game is saved now."),
            };
            Refusal::new(RefusalCode::Journal, text)
        }
        MatchFault::Mistakes(why) => {
            Refusal::new(RefusalCode::Journal, text!("Your mistakes cannot be saved: {why}."))
        }
        MatchFault::Log(why) => Refusal::new(
            RefusalCode::Log,
            text!("The log cannot be written: {why}. The game continues without it."),
        ),
    }
}

/// Says why a replay stops before the end of its file, and what would help.
pub fn describe_incomplete_replay(stuck: &IncompleteReplay) -> Text {
    let next = match &stuck.why {
        ReplayStop::Wrong { is_off_board: true, .. } => "; use --size N for a larger board".into(),
        ReplayStop::TooShort(_) => text!("; load {} continues from there", stuck.path),
        ReplayStop::Wrong { .. } | ReplayStop::Surplus(_) => Text::new(),
    };
    text!("{}{next}", describe_file_fault(stuck))
}

/// Says why a replay stops before the end of its file, with the file name instead of the path.
pub fn describe_file_fault_briefly(stuck: &IncompleteReplay) -> Text {
    let name = stuck.path.rsplit(['/', '\\']).next().unwrap_or_default();
    describe_file_fault(&IncompleteReplay { path: name.to_owned(), ..stuck.clone() })
}

/// Says why a replay stops before the end of its file.
pub fn describe_file_fault(IncompleteReplay { path, line, why }: &IncompleteReplay) -> Text {
    let why = match why {
        ReplayStop::Wrong { why, .. } => why.clone(),
        ReplayStop::Surplus(text) => {
            text!("{} comes after the end of the game", Refusal::sanitize_excerpt(text))
        }
        ReplayStop::TooShort(plies) => {
            text!("the file ends after {}, before the end of the game", format_move_count(*plies))
        }
    };
    text!("{path}:{line}: {why}")
}
