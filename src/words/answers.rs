//! What the words of a player are answered with, and why they are refused.

use crate::game::{Illegal, Side};
use crate::session::Session;

/// The codes of refusals that no game has of its own.
const NOT_UNDERSTOOD: &str = "not-understood";
const BAD_NUMBER: &str = "bad-number";
const GAME_OVER: &str = "game-over";
const FILE: &str = "file";

/// A line longer than any move or word.
pub(crate) fn too_long() -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, "That line is too long to be a move or a word. Nothing was played.")
}

/// A line whose end does not come.
pub(crate) fn endless() -> Illegal {
    let text = "This input is one line without an end. A move stands on a line of its own.";
    Illegal::new(NOT_UNDERSTOOD, text)
}

/// An answer to the question for another game that is none.
pub(crate) fn neither_yes_nor_no(read: &str) -> Illegal {
    let read = Illegal::shown(read.trim());
    Illegal::new(NOT_UNDERSTOOD, format!("\"{read}\" is neither yes nor no. y plays again, n leaves."))
}

/// Advice where the game is over.
pub(crate) fn nothing_to_advise() -> Illegal {
    Illegal::new(GAME_OVER, "The game is over, so there is nothing to advise. back shows earlier positions.")
}

/// Values where the game is over.
pub(crate) fn nothing_is_worth_anything() -> Illegal {
    Illegal::new(GAME_OVER, "The game is over, so no move is worth anything. back shows earlier positions.")
}

/// A hint with what speaks for it.
pub(crate) fn hint(mv: &str, why: &[&str]) -> String {
    let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join("; ")) };
    format!("Hint: {mv}{why}.")
}

/// What a machine thinks of a position.
pub(crate) fn would_play(name: &str, mv: &str, numbers: &str) -> String {
    format!("{name} would play {mv}: {numbers}")
}

/// What a machine would play where it needs no search.
pub(crate) fn would_play_at_once(name: &str, mv: &str) -> String {
    format!("{name} would play {mv}. No search was needed for that.")
}

/// A number of a move that there is not.
pub(crate) fn no_such_move(last: usize, read: &str) -> Illegal {
    let read = Illegal::shown(read);
    let text = format!("goto takes the number of a move from 0 to {last}, or end, not \"{read}\".");
    Illegal::new(BAD_NUMBER, text)
}

/// An earlier position is looked at.
pub(crate) fn looking_at(ply: usize, last: usize) -> String {
    format!("Looking at move {ply} of {last}. next and back step, goto end returns.")
}

/// A step beyond the last position or before the first; `is_there` where that is the position shown.
pub(crate) fn no_step(is_forward: bool, is_there: bool) -> Illegal {
    let text = match (is_forward, is_there) {
        (true, true) => "This is the last position: no move comes after it.",
        (false, true) => "This is the first position: no move comes before it.",
        (true, false) => "There are not so many moves before the last position.",
        (false, false) => "There are not so many moves before this position.",
    };
    Illegal::new(BAD_NUMBER, text)
}

/// A move, or taking one back, where nobody plays; the game may be over.
pub(crate) fn only_shown(is_over: bool) -> Illegal {
    let text = if is_over {
        "This game is only shown. back goes to earlier positions, play goes on there."
    } else {
        "This game is only shown. The word play goes on from the position that you see."
    };
    Illegal::new(NOT_UNDERSTOOD, text)
}

/// The word for the full screen where there is none.
pub(crate) fn began_in_lines() -> Illegal {
    let text = "This began in lines of text. On a terminal, without --plain, crosspath fills the screen.";
    Illegal::new(NOT_UNDERSTOOD, text)
}

/// A file behind the word that shows the game in progress.
pub(crate) fn replay_takes_nothing() -> Illegal {
    let text = "replay shows this game from its start. load FILE opens a game from a file.";
    Illegal::new(NOT_UNDERSTOOD, text)
}

/// A game without moves that is to be replayed.
pub(crate) fn nothing_to_replay() -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, "No move has been played yet, so there is nothing to replay.")
}

/// Playing on from the present position.
pub(crate) fn is_the_present() -> Illegal {
    let text = "This is the present position: just play. back and goto look at earlier ones.";
    Illegal::new(NOT_UNDERSTOOD, text)
}

/// Playing on where the game is over.
pub(crate) fn is_over_here() -> Illegal {
    let text = "The game is over here. back and goto look at earlier positions, new starts another game.";
    Illegal::new(GAME_OVER, text)
}

/// The game goes on from an earlier position; `redoable` moves were played after it.
pub(crate) fn goes_on(ply: usize, redoable: usize) -> String {
    let from = match ply {
        0 => "from the beginning".to_owned(),
        _ => format!("after move {ply}"),
    };
    match redoable {
        0 => format!("The game goes on {from}."),
        _ => format!("The game goes on {from}. redo brings back {}.", super::moves(redoable)),
    }
}

/// A side that there is not.
pub(crate) fn no_such_side() -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, "side takes first or second: the side that you want to play.")
}

/// Another side where no machine could take the one that is left.
pub(crate) fn no_machine_for_the_side() -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, "No machine plays here, so there is no side to change to.")
}

/// Another side where two machines play.
pub(crate) fn both_sides_are_taken() -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, "Two machines play. The word play takes over the side to move.")
}

/// The side was changed.
pub(crate) fn you_are(session: &dyn Session, side: Side) -> String {
    format!("You are {} now.", session.side_name(side))
}

/// Something that needs a game that goes on.
pub(crate) fn over_already() -> Illegal {
    Illegal::new(GAME_OVER, "The game is over already.")
}

/// Giving up while a machine is to move.
pub(crate) fn not_your_turn() -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, "It is the machine's turn. Once it has moved, resign gives your game up.")
}

/// A side gives up.
pub(crate) fn gives_up(name: &str) -> String {
    format!("{name} gives up.")
}

/// A draw was claimed.
pub(crate) const DRAW_CLAIMED: &str = "The draw is claimed.";

/// The numbers of a search that has not been.
pub(crate) const NO_MACHINE_HAS_MOVED: &str = "No machine has moved yet.";

/// Taking back where there is nothing, or not so much.
pub(crate) fn nothing_to_undo(possible: usize) -> Illegal {
    let text = match possible {
        0 => "There is nothing to undo.".to_owned(),
        _ => format!("Only {} can be taken back.", super::moves(possible)),
    };
    Illegal::new("nothing-to-undo", text)
}

/// Playing again where there is nothing, or not so much.
pub(crate) fn nothing_to_redo(possible: usize) -> Illegal {
    let text = match possible {
        0 => "There is nothing to redo.".to_owned(),
        _ => format!("Only {} can be played again.", super::moves(possible)),
    };
    Illegal::new("nothing-to-redo", text)
}

/// Another game where only one is played.
pub(crate) fn only_one_game() -> Illegal {
    let text = "Only one game is played here. Start the program again for another.";
    Illegal::new(NOT_UNDERSTOOD, text)
}

/// More behind `new` than it takes.
pub(crate) fn new_takes() -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, "new takes a game and a size: new tic-tac-toe 5.")
}

/// A game that does not exist, as the registry says.
pub(crate) fn no_such_game(error: &dyn std::fmt::Display) -> Illegal {
    Illegal::new(NOT_UNDERSTOOD, format!("{error}."))
}

/// A board that does not exist, as the registry says.
pub(crate) fn no_such_board(error: &dyn std::fmt::Display) -> Illegal {
    Illegal::new(BAD_NUMBER, format!("{error}."))
}

/// A level where no machine plays.
pub(crate) fn no_machine_for_the_level() -> Illegal {
    Illegal::new(BAD_NUMBER, "No machine plays here, so there is no level to set.")
}

/// A level that a game does not have.
pub(crate) fn no_such_level(session: &dyn Session, read: &str) -> Illegal {
    let (read, levels) = (Illegal::shown(read), super::levels(session));
    Illegal::new(BAD_NUMBER, format!("level {read} does not exist. Levels: {levels}."))
}

/// The level and which there are; `are_two` where two machines play.
pub(crate) fn level_is(session: &dyn Session, level: &str, are_two: bool) -> String {
    let who = if are_two { "Both machines play" } else { "The machine plays" };
    format!("{who} level {level}. Levels: {}.", super::levels(session))
}

/// The level was changed.
pub(crate) fn level_is_now(level: &str, are_two: bool) -> String {
    let who = if are_two { "Both machines now play" } else { "The machine now plays" };
    format!("{who} level {level}.")
}

/// Saving or loading without a name.
pub(crate) fn needs_a_file(word: &str) -> Illegal {
    Illegal::new(FILE, format!("{word} needs the name of a file, such as {word} game.txt."))
}

/// Saving over what is no saved game.
pub(crate) fn is_no_saved_game(shown: &str) -> Illegal {
    let text = format!("{shown} exists and is no saved game; it stays as it is. Choose another name.");
    Illegal::new(FILE, text)
}

/// The game was saved, perhaps over another.
pub(crate) fn saved(shown: &str, is_over_another: bool) -> String {
    let over = if is_over_another { ", over the game that was there" } else { "" };
    format!("Saved in {shown}{over}. load {shown} goes on from there.")
}

/// A file that cannot be written.
pub(crate) fn cannot_write(shown: &str, error: &dyn std::fmt::Display) -> Illegal {
    Illegal::new(FILE, format!("cannot write {shown}: {error}"))
}

/// A file that cannot be read.
pub(crate) fn cannot_read(shown: &str, error: &dyn std::fmt::Display) -> Illegal {
    Illegal::new(FILE, format!("cannot read {shown}: {error}"))
}

/// What is wrong on a line of a file; `is_dropped` where the game goes on without it.
pub(crate) fn wrong_in_file(shown: &str, line: usize, why: &str, is_dropped: bool) -> Illegal {
    let dropped = if is_dropped { "; the pair is dropped" } else { "" };
    Illegal::new(FILE, format!("{shown}:{line}: {why}{dropped}"))
}

/// A game was loaded.
pub(crate) fn loaded(session: &dyn Session, shown: &str) -> String {
    format!("Loaded {} from {shown}. {}", super::moves(session.plies()), super::turn(session))
}

/// A number behind a word that is none.
pub(crate) fn takes_a_number(word: &str, read: &str) -> Illegal {
    let read = Illegal::shown(read);
    Illegal::new(BAD_NUMBER, format!("{word} takes a number of moves from 1 on, not \"{read}\"."))
}
