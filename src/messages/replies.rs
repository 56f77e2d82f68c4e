//! The replies to commands, and the remarks that accompany moves.

use crate::game::{Refusal, RefusalCode, SetupChange};
use crate::messages::{
    BACK_TO_PRESENT, Wording, at_level, best_moves, every_move_loses, help, left_before, legal, level_of,
    list, mistakes, moves, moves_played, now_mode_1, repeated, repeated_in_a_file, stats, turn, undid,
    where_is_what,
};
use crate::play::{
    Answer, EditNews, EngineRole, Fault, IncompleteReplay, Match, Moved, Overwrite, ProofNews, Query,
    ReplayStop, Reply, SaveNews,
};
use crate::record::{MoveSource, NodeId, Note};
use crate::session::{EngineAnswer, Position};
use crate::text;
use crate::text::{Text, join, of_move};

/// Says which level plays now, or analyses.
fn level_set(game: &Match) -> Text {
    let who = match game.game() {
        game if game.is_analysis() => "The engine now analyses",
        game if game.is_between_engines() => "Both engines now play",
        _ => "The engine now plays",
    };
    text!("{who} {}.", at_level(game.game().level()))
}

/// Says how the tree of an analysis was changed.
fn edited(news: &EditNews, position: &dyn Position, wording: Wording) -> Text {
    match news {
        EditNews::Hidden(text) => {
            text!(
                "Deleted {} and everything after it. {} brings it back.",
                of_move(None, text),
                wording.undo()
            )
        }
        EditNews::Commented(Some(_)) => "Comment written.".into(),
        EditNews::Commented(None) => "Comment deleted.".into(),
        EditNews::Marked { cell, is_there: true } => text!("{cell} is marked."),
        EditNews::Marked { cell, is_there: false } => text!("The mark on {cell} is gone."),
        EditNews::Undone => "The last change is undone.".into(),
        EditNews::Redone => "The change is made again.".into(),
        EditNews::SetUpOn(change) => set_up(change, position),
        EditNews::SetUp => {
            text!("A new analysis begins here. {} goes back to the one before.", wording.undo())
        }
    }
}

/// Says how a position that is set up was changed.
fn set_up(change: &SetupChange, position: &dyn Position) -> Text {
    match change {
        SetupChange::Put(side, place) => {
            let name = position.side_name(*side);
            let (is_wall, place) = (place.ends_with(char::is_alphabetic), of_move(Some(*side), place));
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
pub fn reply(game: &Match, reply: &Reply, wording: Wording) -> Vec<Text> {
    let position = &**game.game().position(reply.at);
    let one = |text: Text| vec![text];
    match &reply.answer {
        Answer::Told(Query::Board) | Answer::Quit => Vec::new(),
        Answer::Told(Query::Help(topic)) => {
            let told = |(word, text): (Text, Text)| {
                if word.is_empty() { text } else { text!("{word:<20} {text}") }
            };
            help(position, *topic).into_iter().map(told).collect()
        }
        Answer::Told(Query::Rules) => lessons_and_rules(game, position),
        Answer::Told(Query::Moves) => moves_played(&**game.game().position(game.game().line_end())),
        Answer::Told(Query::Legal) => legal(position),
        Answer::Told(Query::Effect(text)) => {
            one(position.effect(text, wording.glyphs).unwrap_or_else(|why| why.text))
        }
        Answer::Told(Query::Where) => where_is_what(position),
        Answer::Told(Query::Comment) => comment(game, reply.at),
        Answer::Told(Query::Variations) => variations(game),
        Answer::Told(Query::Link) => one(game.link().unwrap_or_default().into()),
        Answer::Told(Query::Stats) => one(last_stats(game)),
        Answer::Told(Query::Level) => one(player_of(game, position)),
        Answer::Reviewed => super::review::review(game),
        Answer::Asked | Answer::Tried(_) | Answer::Solution | Answer::Practised { .. } => {
            practice(game, &reply.answer, wording).into_iter().collect()
        }
        Answer::LevelSet => one(level_set(game)),
        Answer::Told(Query::Inspect(word)) => position.inspect(word).unwrap_or_default(),
        Answer::Hint(thought) => one(hint(position, thought)),
        Answer::Values => {
            let words =
                position.values().iter().map(|(text, value)| text!("{} {value}", of_move(None, text)));
            words.collect::<Vec<_>>().chunks(3).map(|row| join(row, "   ")).collect()
        }
        Answer::Eval(thought) => eval(position, thought),
        Answer::TookBack(taken) => one(undid(position, taken, is_engines_turn(game, position), wording)),
        Answer::BroughtBack => one("The previous game is back.".into()),
        Answer::PlayedAgain(again) => one(text!("Redid {}. {}", list(again), turn(position))),
        Answer::BackToPresent => one(BACK_TO_PRESENT.into()),
        Answer::Looking => one(looking_at(position.plies(), game.last_ply())),
        Answer::GoesOn { redoable, is_free } => one(plays_on(position, *redoable, *is_free, wording)),
        Answer::Edited(news) => one(edited(news, position, wording)),
        Answer::Promoted => one(text!("This is now the main line. {}", turn(&**game.present_position()))),
        Answer::SideSet(side) => one(text!("You now play {}.", position.side_name(*side))),
        Answer::GivesUp(side) => one(text!("{} resigns.", position.side_name(*side))),
        Answer::DrawClaimed => one("Draw claimed.".into()),
        Answer::New(unsaved) => left_before(*unsaved).into_iter().collect(),
        Answer::Saved(path, overwrite) => {
            let over = if *overwrite == Overwrite::Yes { ", replacing the game that was there" } else { "" };
            one(text!("Saved as {path}{over}. Continue with load {path}."))
        }
        Answer::AsksToReplace(path) => one(text!("{path} already holds another game. Replace it? (y or n)")),
        Answer::Loaded(path, unsaved) => {
            let loaded = text!("Loaded {} from {path}. {}", moves(position.plies()), turn(position));
            let repeated = repeated_in_a_file(position.repetition());
            left_before(*unsaved).into_iter().chain([loaded]).chain(repeated).collect()
        }
    }
}

/// Says what happens while mistakes are practised.
fn practice(game: &Match, answer: &Answer, wording: Wording) -> Option<Text> {
    let shown = game.game().practice()?;
    Some(match answer {
        Answer::Tried(news) => mistakes::tried(shown, news, wording),
        Answer::Solution => mistakes::solution(shown, wording),
        &Answer::Practised { right, count, due } => mistakes::practised(right, count, due, wording),
        _ => mistakes::asks(shown),
    })
}

/// Returns the comment on a position, by lines.
fn comment(game: &Match, at: NodeId) -> Vec<Text> {
    let comments = &game.game().tree().node(at).comments;
    if comments.is_empty() {
        return vec!["There is no comment on this position.".into()];
    }
    comments.iter().map(|line| line.as_str().into()).collect()
}

/// Returns the sentences of the lessons and the rules.
fn lessons_and_rules(game: &Match, position: &dyn Position) -> Vec<Text> {
    let lessons = game.game().spec().start.entry.lessons.iter().map(|lesson| lesson.text.into());
    lessons.chain(super::rules(position).into_iter().map(|(_, rule)| rule)).collect()
}

fn is_engines_turn(game: &Match, position: &dyn Position) -> bool {
    game.game().seat(position.to_move()) != Some(&crate::play::Seat::Human)
}

/// Returns the statistics of the last search.
fn last_stats(game: &Match) -> Text {
    game.game().last_search().map_or_else(|| NO_ENGINE_HAS_MOVED.into(), |report| stats(report).into())
}

/// Answers `stats` before any engine has moved.
const NO_ENGINE_HAS_MOVED: &str = "No engine has moved yet.";

/// Says which earlier position is shown.
pub fn looking_at(ply: usize, last: usize) -> Text {
    text!("Showing move {ply} of {last}. next and back step; goto end returns.")
}

/// Says that the game continues from an earlier position; `redoable` moves were played after it. `is_free` means that a
/// person moves for both sides. The effect of the last move is described as after a move.
fn plays_on(position: &dyn Position, redoable: usize, is_free: bool, wording: Wording) -> Text {
    let ply = position.plies();
    let from = if ply == 0 { "the start".to_owned() } else { format!("move {ply}") };
    let returns =
        if redoable > 0 { text!("; {} returns to the later moves", wording.redo()) } else { Text::new() };
    let free = text!("You move for both sides; {} lets the engine play the other.", wording.side());
    let goes_on = Some(text!("Playing on from {from}{returns}."));
    let parts = [goes_on, is_free.then_some(free), position.comment()];
    join(parts.into_iter().flatten(), " ")
}

/// Returns a hint: a move, its reason and its value.
fn hint(position: &dyn Position, thought: &EngineAnswer) -> Text {
    let reason = position.reason(&thought.text);
    let value = value_of(position, &thought.text);
    // A reason that gives the value of the move needs no value beside it.
    let stem = |value: &str| value.split(' ').next().unwrap_or_default().trim_end_matches('s').to_owned();
    let is_said = |value: &&str| reason.as_ref().is_some_and(|reason| reason.contains(&stem(value)));
    // A reason may have proved it already.
    let value = if every_move_loses(position) {
        Some("every move loses").filter(|all| reason.as_ref().is_none_or(|reason| !reason.contains(all)))
    } else {
        value.as_deref().filter(|value| !is_said(value))
    };
    let value = value.map(Text::from);
    let why: Vec<Text> = reason.into_iter().chain(value).collect();
    let why = if why.is_empty() { Text::new() } else { text!(" ({})", join(why, "; ")) };
    text!("Hint: {}{why}.", of_move(Some(position.to_move()), &thought.text))
}

/// Returns the exact value of a move if it is known.
pub fn value_of(position: &dyn Position, text: &str) -> Option<String> {
    position.values().iter().find(|(other, _)| other == text).map(|(_, value)| value.to_string())
}

fn eval(position: &dyn Position, thought: &EngineAnswer) -> Vec<Text> {
    let side = position.to_move();
    let (name, mv) = (position.side_name(side), of_move(Some(side), &thought.text));
    if thought.report.is_without_search() {
        return vec![text!("{name} would play {mv}. No search was needed.")];
    }
    let mut lines = vec![text!("{name} would play {mv}: {}", stats(&thought.report))];
    lines.extend(best_moves(&thought.report));
    lines
}

/// Lists the side lines, numbered as the command takes them.
fn variations(game: &Match) -> Vec<Text> {
    let (tree, shown) = (game.game().tree(), game.game().shown());
    let line = |(number, id): (usize, crate::record::NodeId)| {
        let position = tree.position(id);
        let ply = position.plies();
        let text = of_move(Some(position.to_move().other()), position.last().unwrap_or_default());
        let more = tree.main_line_from(id).count() - 1;
        let more = if more == 0 { Text::new() } else { text!(", then {}", moves(more)) };
        let place = if ply > tree.ply(shown) { ", follows this position" } else { "" };
        text!("{number}  {ply} {text}{more}{place}")
    };
    let lines: Vec<Text> = (1..).zip(game.variations()).map(line).collect();
    if lines.is_empty() { vec!["There are no side lines at this move.".into()] } else { lines }
}

/// Returns the remarks that accompany a move, if any.
pub fn notice(game: &Match, moved: &Moved) -> Option<Text> {
    let node = game.game().tree().node(moved.node);
    let position = game.game().position(moved.node);
    let proof = moved.proof.as_ref().map(|news| match news {
        ProofNews::Lost => "This position is no longer proved; the engine plays what looks best.".into(),
        ProofNews::Found(status) => text!("This position is now proved: {status}."),
        ProofNews::Won(said) => said.clone(),
    });
    let repeated = moved.repetition.and_then(|times| match node.by {
        MoveSource::File => repeated_in_a_file(times),
        MoveSource::Human | MoveSource::Machine => repeated(times).map(Text::from),
    });
    let back = moved.came_back.then(|| BACK_TO_PRESENT.into());
    let told: Vec<Text> = [back, position.comment(), proof, repeated].into_iter().flatten().collect();
    (!told.is_empty()).then(|| join(told, " "))
}

/// Says which engine plays.
fn player_of(game: &Match, position: &dyn Position) -> Text {
    let (played, are_two) = (game.game(), game.game().is_between_engines());
    match &played.spec().program {
        Some(program) => text!("{} plays. level N replaces it with a built-in level.", program.name()),
        None => level_of(position, played.level(), are_two),
    }
}

/// Returns the code and the sentences of a fault that the player did not cause.
pub fn fault(fault: &Fault) -> Refusal {
    match fault {
        Fault::Dropped(path, Note { line, why, .. }) => Refusal::new(why.code, text!("{path}:{line}: {why}")),
        Fault::Stuck(stuck) => Refusal::new(RefusalCode::File, now_mode_1(incomplete_replay(stuck))),
        Fault::Engine { why, role } => {
            let more = match role {
                EngineRole::Opponent => {
                    "Type its next move, use level N to replace it, or use undo to go back."
                }
                EngineRole::OneOfTwo => "Use level N to replace it, or undo to go back.",
                EngineRole::OneOfTwoAtTheEnd => "The match is over.",
                EngineRole::Adviser => "You can play on.",
            };
            Refusal::new(RefusalCode::Engine, text!("The engine failed: {why}. {more}"))
        }
        Fault::TimeIsUp(name) => {
            Refusal::new(RefusalCode::TimeIsUp, text!("{name} ran out of time. The game continues."))
        }
        Fault::Journal { game, news } => {
            let text = match news {
                SaveNews::Never(why) => {
                    text!("{game} cannot be saved ({why}). You can play on and use save FILE.")
                }
                SaveNews::NoLonger(why) => {
                    text!("{game} is no longer being saved ({why}). You can play on and use save FILE.")
                }
                SaveNews::Again => text!("{game}: the whole game is saved now."),
            };
            Refusal::new(RefusalCode::Journal, text)
        }
        Fault::Mistakes(why) => {
            Refusal::new(RefusalCode::Journal, text!("Your mistakes cannot be saved: {why}."))
        }
        Fault::Log(why) => Refusal::new(
            RefusalCode::Log,
            text!("The log cannot be written: {why}. The game continues without it."),
        ),
    }
}

/// Says why a replay stops before the end of its file, and what would help.
pub fn incomplete_replay(stuck: &IncompleteReplay) -> Text {
    let next = match &stuck.why {
        ReplayStop::Wrong { is_off_board: true, .. } => "; use --size N for a larger board".into(),
        ReplayStop::TooShort(_) => text!("; load {} continues from there", stuck.path),
        ReplayStop::Wrong { .. } | ReplayStop::Surplus(_) => Text::new(),
    };
    text!("{}{next}", fault_of_file(stuck))
}

/// Says why a replay stops before the end of its file, which goes by its name alone.
pub fn brief_fault_of_file(stuck: &IncompleteReplay) -> Text {
    let name = stuck.path.rsplit(['/', '\\']).next().unwrap_or_default();
    fault_of_file(&IncompleteReplay { path: name.to_owned(), ..stuck.clone() })
}

/// Says why a replay stops before the end of its file.
pub fn fault_of_file(IncompleteReplay { path, line, why }: &IncompleteReplay) -> Text {
    let why = match why {
        ReplayStop::Wrong { why, .. } => why.clone(),
        ReplayStop::Surplus(text) => text!("{} comes after the end of the game", Refusal::shown(text)),
        ReplayStop::TooShort(plies) => {
            text!("the file ends after {}, before the end of the game", moves(*plies))
        }
    };
    text!("{path}:{line}: {why}")
}
