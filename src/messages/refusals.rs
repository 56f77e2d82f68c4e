//! Why something is refused, in words: one sentence that says what is wrong and one that says what would be right.

use crate::game::{Refusal, RefusalCode};
use crate::messages::{BACK_TO_PRESENT, NO_ENGINE_FOR_THE_LEVEL, moves, no_such_level};
use crate::play::{Match, MatchRefusal};

/// The code and the sentences of a refusal.
pub fn refusal(game: &Match, refusal: &MatchRefusal) -> Refusal {
    use MatchRefusal as R;
    let shown = Refusal::shown;
    let text = match refusal {
        R::Unread(why) | R::IllegalMove { why, came_back: false } => return why.clone(),
        R::IllegalMove { why, .. } => return Refusal::new(why.code, format!("{BACK_TO_PRESENT} {why}")),
        R::NotReplaced(path) => format!("{path} stays as it is. save takes another name."),
        R::NeitherYesNorNo(read) => {
            format!("\"{}\" is neither yes nor no. y plays again, n leaves.", shown(read.trim()))
        }
        R::NoSuchWord(read) => format!("There is no word \"{}\". help lists all words.", shown(read)),
        R::NoSuchMove { last, read } => {
            let not = if read.is_empty() { String::new() } else { format!(", not \"{}\"", shown(read)) };
            format!("goto takes the number of a move from 0 to {last}, or end{not}.")
        }
        R::NoSuchVariation(0) => "No other line leaves the game here.".to_owned(),
        R::NoSuchVariation(count) => format!("variations takes a number from 1 to {count} here."),
        R::NothingToUndo(0) => "There is nothing to undo.".to_owned(),
        R::NothingToUndo(possible) => format!("Only {} can be taken back.", moves(*possible)),
        R::NoSuchGame(error) | R::NoSuchBoard(error) => format!("{error}."),
        R::IsThinking => crate::messages::screen::is_thinking(game.is_program_thinking()).to_owned(),
        R::NoSuchLevel(read) => no_such_level(&**game.present_position(), read),
        R::NeedsFile(word) => format!("{word} needs the name of a file, such as {word} game.txt."),
        R::TakesANumber { word, read } => {
            let what = if *word == "variations" { "the number of a line" } else { "a number of moves" };
            format!("{word} takes {what} from 1 on, not \"{}\".", shown(read))
        }
        R::InFile { path, line, why } => format!("{path}:{line}: {why}"),
        R::File(sentence) => sentence.clone(),
        plain => sentence(plain).to_owned(),
    };
    Refusal::new(code(refusal), text)
}

fn code(refusal: &MatchRefusal) -> RefusalCode {
    use MatchRefusal as R;
    match refusal {
        R::NothingToAdvise | R::NothingToEvaluate | R::IsOverHere | R::OverAlready => RefusalCode::GameOver,
        R::NoSuchMove { .. } | R::NoStep { .. } | R::NoSuchVariation(_) | R::TakesANumber { .. } => {
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

/// The refusals that always say the same.
fn sentence(refusal: &MatchRefusal) -> &'static str {
    use MatchRefusal as R;
    match refusal {
        R::OnlyShown { is_over: true } => {
            "This game is only shown. back goes to earlier positions, play goes on there."
        }
        R::OnlyShown { is_over: false } => {
            "This game is only shown. The word play goes on from the position that you see."
        }
        R::NoStep { is_forward, is_there } => match (is_forward, is_there) {
            (true, true) => "This is the last position: no move comes after it.",
            (false, true) => "This is the first position: no move comes before it.",
            (true, false) => "You cannot go forward that far.",
            (false, false) => "You cannot go back that far.",
        },
        R::NothingToRedo => "There is nothing to redo.",
        R::TooLong => "That line is too long to be a move or a word. Nothing was played.",
        R::Endless => "This input is one line without an end. A move stands on a line of its own.",
        R::NothingToAdvise => "The game is over; nothing to advise. back shows earlier positions.",
        R::NothingToEvaluate => "The game is over; nothing to evaluate. back shows earlier positions.",
        R::BeganInLines => "Full screen is off; restart without --plain.",
        R::ReplayTakesNothing => "replay shows this game from its start. load FILE opens a game from a file.",
        R::NothingToReview => "No move has been played yet, so there is nothing to review.",
        R::NothingToReplay => "No move has been played yet, so there is nothing to replay.",
        R::IsThePresent => "This is the present position: just play. back and goto look at earlier ones.",
        R::IsTheMainLine => "This is the main line already. variations lists the other lines.",
        R::IsOverHere => {
            "The game is over here. back and goto look at earlier positions, new starts another game."
        }
        R::NoSuchSide => "side takes first or second: the side that you want to play.",
        R::NoEngineForTheSide => "No machine plays here, so there is no side to change to.",
        R::BothSidesAreTaken => "Two machines play. The word play takes over the side to move.",
        R::OverAlready => "The game is over already.",
        R::NotOver => crate::messages::screen::GOES_ON,
        R::NotYourTurn => "It is the machine's turn. Once it has moved, resign gives your game up.",
        R::OnlyOneGame => "Only one game is played here. Start the program again for another.",
        R::NewTakes => "new takes a game and a size, such as: new tic-tac-toe 5.",
        R::NoEngineForTheLevel => NO_ENGINE_FOR_THE_LEVEL,
        _ => "",
    }
}
