//! What words are answered with, and what a move brings with it, in words.

use crate::canvas::Glyphs;
use crate::game::{Refusal, RefusalCode};
use crate::messages::{
    BACK_TO_PRESENT, best_moves, every_move_loses, help, left_before, legal, level_of, list, moves,
    moves_played, now_mode_1, repeated, repeated_in_a_file, stats, took_back, turn, where_is_what,
};
use crate::play::{
    Answer, DeadEnd, EngineRole, Fault, Match, Moved, Overwrite, ProofNews, Query, Reply, Stuck,
};
use crate::record::{By, Dropped};
use crate::session::{Answer as EngineAnswer, Position};

/// The answer to a word, in lines.
pub fn reply(game: &Match, reply: &Reply, glyphs: Glyphs) -> Vec<String> {
    let position = &**game.game().position(reply.at);
    let (level, are_two) = (game.game().level, game.game().is_between_engines());
    let one = |text: String| vec![text];
    match &reply.answer {
        Answer::Told(Query::Board) | Answer::Quit => Vec::new(),
        Answer::Told(Query::Help(word)) => {
            let told = |(word, text): (String, String)| {
                if word.is_empty() { text } else { format!("{word:<20} {text}") }
            };
            help(position, word).into_iter().map(told).collect()
        }
        Answer::Told(Query::Moves) => moves_played(&**game.game().position(game.game().line_end())),
        Answer::Told(Query::Legal) => legal(position),
        Answer::Told(Query::Effect(text)) => {
            one(position.effect(text, glyphs).unwrap_or_else(|why| why.text))
        }
        Answer::Told(Query::Where) => where_is_what(position),
        Answer::Told(Query::Variations) => variations(game),
        Answer::Told(Query::Stats) => {
            let last = game.game().last_search.as_ref();
            one(last.map_or_else(|| NO_ENGINE_HAS_MOVED.to_owned(), stats))
        }
        Answer::Told(Query::Level) => one(player_of(game, position)),
        Answer::Reviewed => super::review::review(game),
        Answer::LevelSet => {
            let who = if are_two { "Both machines now play" } else { "The machine now plays" };
            one(format!("{who} level {level}."))
        }
        Answer::Told(Query::Inspect(word)) => position.inspect(word).unwrap_or_default(),
        Answer::Hint(thought) => one(hint(position, thought)),
        Answer::Values => {
            let words = position.values().iter().map(|(text, value)| format!("{text} {value}"));
            words.collect::<Vec<_>>().chunks(3).map(|row| row.join("   ")).collect()
        }
        Answer::Eval(thought) => eval(position, thought),
        Answer::TookBack(taken) => one(took_back(position, taken, is_engines_turn(game, position))),
        Answer::BroughtBack => one(format!("The game before is there again. {}", turn(position))),
        Answer::PlayedAgain(again) => one(format!("Played again {}. {}", list(again), turn(position))),
        Answer::BackToPresent => one(BACK_TO_PRESENT.to_owned()),
        Answer::Looking => one(looking_at(position.plies(), game.last_ply())),
        Answer::GoesOn(redoable) => one(goes_on(position, *redoable)),
        Answer::Promoted => one(format!("This is the main line now. {}", turn(&**game.present_position()))),
        Answer::SideSet(side) => one(format!("You are {} now.", position.side_name(*side))),
        Answer::GivesUp(side) => one(format!("{} gives up.", position.side_name(*side))),
        Answer::DrawClaimed => one("The draw is claimed.".to_owned()),
        Answer::New(unsaved) => left_before(*unsaved).into_iter().collect(),
        Answer::Saved(path, overwrite) => {
            let over = if *overwrite == Overwrite::Yes { ", over the game that was there" } else { "" };
            one(format!("Saved in {path}{over}. load {path} goes on from there."))
        }
        Answer::AsksToReplace(path) => one(format!("{path} holds another game. Replace it? y or n")),
        Answer::Loaded(path, unsaved) => {
            let loaded = format!("Loaded {} from {path}. {}", moves(position.plies()), turn(position));
            let repeated = repeated_in_a_file(position.repetition());
            left_before(*unsaved).into_iter().chain([loaded]).chain(repeated).collect()
        }
    }
}

fn is_engines_turn(game: &Match, position: &dyn Position) -> bool {
    *game.game().seat(position.to_move()) != crate::play::Seat::Human
}

/// The numbers of a search that has not been.
const NO_ENGINE_HAS_MOVED: &str = "No machine has moved yet.";

/// An earlier position is looked at.
pub fn looking_at(ply: usize, last: usize) -> String {
    format!("Looking at move {ply} of {last}. next and back step, goto end returns.")
}

/// The game goes on from an earlier position; `redoable` moves were played after it. What its last move did is told as after
/// a move.
fn goes_on(position: &dyn Position, redoable: usize) -> String {
    let ply = position.plies();
    let from = if ply == 0 { "from the beginning".to_owned() } else { format!("after move {ply}") };
    let goes_on = format!("The game goes on {from}.");
    let brings_back = (redoable > 0).then(|| format!("redo brings back {}.", moves(redoable)));
    let told = [Some(goes_on), brings_back, position.comment()];
    told.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A move, why it is good and what it is worth.
fn hint(position: &dyn Position, thought: &EngineAnswer) -> String {
    let reason = position.reason(&thought.text);
    let value = value_of(position, &thought.text);
    // A reason that says what the move is worth needs no value beside it.
    let stem = |value: &str| value.split(' ').next().unwrap_or_default().trim_end_matches('s').to_owned();
    let is_said = |value: &&str| reason.as_ref().is_some_and(|reason| reason.contains(&stem(value)));
    // A reason may have proved it already.
    let value = if every_move_loses(position) {
        Some("every move loses").filter(|all| reason.as_ref().is_none_or(|reason| !reason.contains(all)))
    } else {
        value.as_deref().filter(|value| !is_said(value))
    };
    let why: Vec<&str> = reason.as_deref().into_iter().chain(value).collect();
    let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join("; ")) };
    format!("Hint: {}{why}.", thought.text)
}

/// What a move is worth, where that is known exactly.
pub fn value_of(position: &dyn Position, text: &str) -> Option<String> {
    position.values().iter().find(|(other, _)| other == text).map(|(_, value)| value.to_string())
}

fn eval(position: &dyn Position, thought: &EngineAnswer) -> Vec<String> {
    let (name, mv) = (position.side_name(position.to_move()), &thought.text);
    if thought.report.is_without_search() {
        return vec![format!("{name} would play {mv}. No search was needed for that.")];
    }
    let mut lines = vec![format!("{name} would play {mv}: {}", stats(&thought.report))];
    lines.extend(best_moves(&thought.report));
    lines
}

/// The other lines, numbered as the word takes them.
fn variations(game: &Match) -> Vec<String> {
    let (tree, shown) = (&game.game().tree, game.game().shown);
    let line = |(number, id): (usize, crate::record::NodeId)| {
        let position = tree.position(id);
        let ply = position.plies();
        let dots = if ply.is_multiple_of(2) { "..." } else { "." };
        let text = position.last().unwrap_or_default();
        let more = tree.way_on(id).count() - 1;
        let more = if more == 0 { String::new() } else { format!(", {} more", moves(more)) };
        let place = if ply > tree.ply(shown) { ", follows the last move" } else { "" };
        format!("{number}  {}{dots} {text}{more}{place}", ply.div_ceil(2))
    };
    let lines: Vec<String> = (1..).zip(game.variations()).map(line).collect();
    if lines.is_empty() { vec!["No other line leaves the game here.".to_owned()] } else { lines }
}

/// What is to be said with a move, beside the move.
pub fn notice(game: &Match, moved: &Moved) -> Option<String> {
    let node = game.game().tree.node(moved.node);
    let position = game.game().position(moved.node);
    let proof = moved.proof.as_ref().map(|news| match news {
        ProofNews::Lost => "Nothing is proved here: the machine plays what looks best.".to_owned(),
        ProofNews::Found(status) => format!("This position is proved now: {status}."),
        ProofNews::Won(said) => said.clone(),
    });
    let repeated = moved.repetition.and_then(|times| match node.by {
        By::File => repeated_in_a_file(times),
        By::Human | By::Machine => repeated(times).map(str::to_owned),
    });
    let back = moved.came_back.then(|| BACK_TO_PRESENT.to_owned());
    let told: Vec<String> = [back, position.comment(), proof, repeated].into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// Who plays for the machine.
fn player_of(game: &Match, position: &dyn Position) -> String {
    let (played, are_two) = (game.game(), game.game().is_between_engines());
    match &played.spec.program {
        Some(program) => format!("{} plays. level N puts a level of crosspath in its place.", program.name),
        None => level_of(position, played.level, are_two),
    }
}

/// Something that is wrong and not the player's fault.
pub fn fault(fault: &Fault) -> Refusal {
    match fault {
        Fault::Dropped(path, Dropped { line, why, .. }) => {
            Refusal::new(why.code, format!("{path}:{line}: {why}"))
        }
        Fault::Stuck(stuck) => Refusal::new(RefusalCode::File, now_mode_1(&stuck_in_words(stuck))),
        Fault::Engine { why, role } => {
            let more = match role {
                EngineRole::Opponent => {
                    "Your next move is played for it; level N sets another level, undo goes back."
                }
                EngineRole::OneOfTwo => "level N sets another level, undo goes back.",
                EngineRole::Adviser => "The game goes on.",
            };
            Refusal::new(RefusalCode::Engine, format!("The engine has failed: {why}. {more}"))
        }
        Fault::TimeIsUp(name) => {
            Refusal::new(RefusalCode::TimeIsUp, format!("{name}'s time is used up. The game goes on."))
        }
        Fault::Journal { game, why: Some(why) } => {
            let text =
                format!("{game}. From here on the game is not saved: {why}. save FILE saves it elsewhere.");
            Refusal::new(RefusalCode::Journal, text)
        }
        Fault::Journal { game, why: None } => {
            Refusal::new(RefusalCode::Journal, format!("{game}: the whole game is saved again."))
        }
        Fault::Log(why) => Refusal::new(
            RefusalCode::Log,
            format!("The log cannot be written: {why}. The game continues without it."),
        ),
    }
}

/// Why a file cannot be followed, and what could be done.
pub fn stuck_in_words(stuck: &Stuck) -> String {
    let next = match &stuck.why {
        DeadEnd::Wrong { is_off_board: true, .. } => "; a larger board is named with --size".to_owned(),
        DeadEnd::TooShort(_) => format!("; load {} goes on from there", stuck.path),
        DeadEnd::Wrong { .. } | DeadEnd::Surplus(_) => String::new(),
    };
    format!("{}{next}", fault_of_file(stuck))
}

/// Why a file cannot be followed, for a person who looks at its moves.
pub fn fault_of_file(Stuck { path, line, why }: &Stuck) -> String {
    let why = match why {
        DeadEnd::Wrong { why, .. } => why.clone(),
        DeadEnd::Surplus(text) => format!("{} comes after the end of the game", Refusal::shown(text)),
        DeadEnd::TooShort(plies) => format!("the file ends after {}, before the game is over", moves(*plies)),
    };
    format!("{path}:{line}: {why}")
}
