//! Messages of refusals: what is wrong, and what would work.

use crate::game::{Refusal, RefusalCode};
use crate::messages::screen;
use crate::messages::{
    BACK_AT_CURRENT_MESSAGE, NO_ENGINE_FOR_LEVEL_MESSAGE, error_to_sentence, format_move_count,
    unknown_level_message,
};
use crate::play::{LevelChange, Match, MatchRefusal};
use crate::text;
use crate::text::Text;

/// Returns the code and the message of a refusal.
pub fn describe_refusal(game: &Match, refusal: &MatchRefusal) -> Refusal {
    use MatchRefusal as R;
    let shown = Refusal::sanitize_excerpt;
    let text = match refusal {
        R::Unread(why) | R::IllegalMove { why, came_back: false } => return why.clone(),
        R::IllegalMove { why, .. } => {
            return Refusal::new(why.code, text!("{BACK_AT_CURRENT_MESSAGE} {why}"));
        }
        R::NotReplaced(path) => text!("{path} was not replaced. Use save FILE with another name."),
        R::NeitherYesNorNo(_) => "The game is over. Answer y for another one, or n to quit.".into(),
        R::NoSuchWord(read) => text!("There is no command \"{}\". help lists all commands.", shown(read)),
        R::NoSuchMove { last: 0, .. } => "No moves have been played, so there is nowhere to go.".into(),
        R::NoSuchMove { last, read } => {
            let not = if read.is_empty() { Text::new() } else { text!(", not \"{}\"", shown(read)) };
            text!("goto takes a move number from 0 to {last}, or end{not}.")
        }
        R::NoSuchVariation(0) => "There are no side lines at this move.".into(),
        R::NoSuchVariation(count) => text!("variations takes a number from 1 to {count} here."),
        R::NothingToUndo(0) => "There is nothing to undo.".into(),
        R::NothingToUndo(possible) => text!("Only {} can be undone.", format_move_count(*possible)),
        R::NoSuchGame(error) | R::NoSuchBoard(error) => error_to_sentence(error).into(),
        R::IsThinking => screen::refused_while_thinking(game.is_external_engine_thinking()),
        R::NotOver => text!("The game is not over yet. resign gives it up, and new starts another game."),
        R::NoSuchLevel(read) => unknown_level_message(&**game.present_position(), read),
        R::NoSuchCell(read) => {
            let not = if read.is_empty() { Text::new() } else { text!(", not \"{}\"", shown(read)) };
            text!("mark takes a cell, such as {}{not}.", game.shown_position().view().sample_move())
        }
        // A sentence that starts with a cell is not capitalized.
        R::BadChange(why)
            if why.why.split(' ').next().is_some_and(|word| word.ends_with(char::is_numeric)) =>
        {
            text!("{}.", why.why)
        }
        R::BadChange(why) => error_to_sentence(&why.why).into(),
        R::NoSuchChange(read) => {
            let cell = game.shown_position().view().sample_move();
            let not = if read.is_empty() { Text::new() } else { text!(", not \"{}\"", shown(read)) };
            text!("setup takes first {cell}, second {cell}, remove {cell}, turn first or walls first 5{not}.")
        }
        R::NeedsFile(word) => text!("{word} needs a file name, such as {word} game.txt."),
        R::NeedsNumber { word, read } => {
            let what = if *word == "variations" { "the number of a side line" } else { "a number of moves" };
            text!("{word} takes {what}, 1 or more, not \"{}\".", shown(read))
        }
        R::InFile { path, line, why } => text!("{path}:{line}: {why}"),
        R::File(sentence) => sentence.into(),
        plain => fixed_refusal_sentence(plain).into(),
    };
    Refusal::new(refusal_code(refusal), text)
}

/// Returns the code of a refusal.
fn refusal_code(refusal: &MatchRefusal) -> RefusalCode {
    use MatchRefusal as R;
    match refusal {
        R::NothingToAdvise | R::NothingToEvaluate | R::IsOverHere | R::OverAlready => RefusalCode::GameOver,
        R::NoSuchMove { .. } | R::NoStep { .. } | R::NoSuchVariation(_) | R::NeedsNumber { .. } => {
            RefusalCode::BadNumber
        }
        R::NoSuchBoard(_) | R::NoEngineForTheLevel | R::NoSuchLevel(_) => RefusalCode::BadNumber,
        R::NothingToUndo(_) => RefusalCode::NothingToUndo,
        R::NothingToRedo => RefusalCode::NothingToRedo,
        R::NeedsFile(_) | R::InFile { .. } | R::File(_) => RefusalCode::File,
        R::IsThinking => RefusalCode::NotYourTurn,
        _ => RefusalCode::NotUnderstood,
    }
}

/// Returns the message of a refusal without parameters.
fn fixed_refusal_sentence(refusal: &MatchRefusal) -> &'static str {
    use MatchRefusal as R;
    match refusal {
        R::OnlyShown { is_over: true } => {
            "This is a replay. Use back to reach an earlier position, then play to continue from it."
        }
        R::OnlyShown { is_over: false } => "This is a replay. play continues from this position.",
        R::NoStep { is_forward, is_there } => match (is_forward, is_there) {
            (true, true) => "This is the last position; there is no next move.",
            (false, true) => "This is the first position; there is no earlier move.",
            (true, false) => "You cannot go forward that far.",
            (false, false) => "You cannot go back that far.",
        },
        R::NothingToRedo => "There is nothing to redo.",
        R::NoMistake => "No mistakes are known. review looks for them.",
        R::EndOfLesson(true) => "The better line ends here.",
        R::EndOfLesson(false) => "This is the position before the mistake.",
        R::NoLevelBeside(LevelChange::Lower) => "There is no easier level to choose here.",
        R::NoLevelBeside(LevelChange::Higher) => "There is no harder level to choose here.",
        R::TooLong => "That line is too long to be a move or a command. Nothing was played.",
        R::Endless => "The input is one endless line. Write each move on its own line.",
        R::NothingToAdvise => "The game is over, so there is no hint. back shows earlier positions.",
        R::NothingToEvaluate => {
            "The game is over, so there is nothing to evaluate. back shows earlier positions."
        }
        R::FullScreenOff => "This command works only in the full screen, which needs a terminal.",
        R::ReplayTakesNothing => "replay shows this game from the start. load FILE opens a game from a file.",
        R::NothingToReview => "No moves have been played, so there is nothing to review.",
        R::NothingToReplay => "No moves have been played, so there is nothing to replay.",
        R::IsThePresent => {
            "This is the current position; just type a move. back and goto show earlier positions."
        }
        R::IsTheMainLine => "This is already the main line. variations lists the side lines.",
        R::IsAnalysis => {
            "This is the analysis board, where nobody plays. play or side starts a game from here."
        }
        R::NoAnalysis => "This works on the analysis board. analyze takes the game there.",
        R::IsTraining => {
            "This is a position from one of your games. Find a better move, or use solution or next."
        }
        R::NoTraining => "This works while you practise your mistakes. crosspath mistakes starts that.",
        R::NoGameToReturnTo => {
            "This analysis was not opened from a game. new starts one, quit ends the program."
        }
        R::NoComment => "There is no comment on this position.",
        R::NothingToHide => "This is the first position; no move can be deleted.",
        R::IsOverHere => {
            "The game is over at this position. back and goto show earlier positions; new starts another game."
        }
        R::NoSuchSide => "side takes first or second, the side you want to play.",
        R::BothSidesAreTaken => "Two engines are playing. Type play to take the side to move.",
        R::OverAlready => "The game is already over.",
        R::NotYourTurn => "It is the engine's turn. You can resign after its move.",
        R::OnlyOneGame => "Only one game can be played here. Restart crosspath for another.",
        R::TooManyNewArguments => "new takes a game and a size, such as new tic-tac-toe 5.",
        R::NoEngineForTheLevel => NO_ENGINE_FOR_LEVEL_MESSAGE,
        _ => "",
    }
}
