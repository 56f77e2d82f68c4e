//! The commands that players can type, and their lookup by name.

use strsim::osa_distance;

use crate::ai::EngineKind;
use crate::session::Position;

/// Command word with its help texts.
#[derive(Clone, Copy, Debug)]
pub struct CommandEntry {
    /// Command word.
    pub word: CommandWord,
    /// Name as typed by players.
    pub name: &'static str,
    /// Arguments, as shown in the help.
    pub arguments: &'static str,
    /// Short description for the list of commands.
    pub short: &'static str,
    /// Further explanation for `help COMMAND`.
    pub long: &'static str,
}

macro_rules! words {
    ($($(#[$doc:meta])* $word:ident $name:literal $arguments:literal $short:literal $long:literal;)*) => {
        /// Command word that players can type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum CommandWord {
            $($(#[$doc])* $word),*
        }

        /// All command words with their help, in the order of `help` and of [`CommandWord`].
        pub const COMMAND_WORDS: &[CommandEntry] = &[$(CommandEntry {
            word: CommandWord::$word, name: $name, arguments: $arguments, short: $short, long: $long,
        }),*];
    };
}

words! {
    /// Lists the commands, or explains one.
    Help "help" "[WORD]" "list the commands, or explain one" "The first three letters of a command are enough.";
    /// Shows the rules with pictures.
    Rules "rules" "" "show the rules with pictures" "Each picture is a position, and the sentence below says what it shows.";
    /// Shows the board.
    Board "board" "" "show the board" "The last move is in ( ).";
    /// Lists the moves played.
    Moves "moves" "" "list the moves played" "Each move has its number: move 2 is the first move of the second player.";
    /// Lists the legal moves.
    Legal "legal" "[MOVE]" "list the legal moves, or describe one" "Lists them in standard order.";
    /// Describes the position as text.
    Where "where" "" "describe the position" "Useful if you cannot see the board.";
    /// Shows the comment on the position.
    Comment "comment" "[TEXT]" "show the comment on the position shown, or write one" "Comments come from files: text behind # and C in SGF. On the analysis board comment TEXT writes one, and comment - deletes it.";
    /// Suggests a move and says why.
    Hint "hint" "" "hint: suggest a move and say why" "The move is shown, not played.";
    /// Shows the value of each move.
    Eval "eval" "" "analysis: show the value of each move" "Exact if the game can be solved from here.";
    /// Undoes moves.
    Undo "undo" "[N]" "undo moves" "Against an engine: your last move and the reply. With N: N moves.";
    /// Redoes moves.
    Redo "redo" "[N]" "redo undone moves" "Works until you play another move. With N: N moves.";
    /// Shows an earlier position.
    Goto "goto" "N" "show the position after move N" "goto end returns to the current position. Nothing is undone.";
    /// Shows the first position, from which the player can step through the game.
    Replay "replay" "" "show the game from the start" "Then next and back step through it; goto end returns.";
    /// Steps forward through the game.
    Next "next" "[N]" "step forward through the game" "With N: N moves.";
    /// Steps back through the game.
    Back "back" "[N]" "step back through the game" "With N: N moves.";
    /// Plays on from the shown position.
    Play "play" "" "play on from the position shown" "The later moves stay as a side line; redo returns to them. In a replay you then move for both sides; side asks an engine to play.";
    /// Lists the variations, or shows one.
    Variations "variations" "[N]" "list the side lines at this move, or show one" "Undone moves stay as side lines.";
    /// Makes the shown line the main line.
    Promote "promote" "" "make the line shown the main line" "The line it replaces stays as a side line.";
    /// Copies the game to the analysis board.
    Analyze "analyze" "" "take the game to the analysis board" "You move for both sides; each new move becomes a variation. undo undoes each change, and side asks an engine to play from here.";
    /// Deletes a line of an analysis.
    Hide "hide" "" "analysis: delete the move shown and all that follows" "undo brings it back.";
    /// Marks a cell.
    Mark "mark" "CELL" "analysis: mark a cell, or remove the mark" "Saved in SGF as a triangle.";
    /// Changes the position by hand.
    Setup "setup" "CHANGE" "analysis: set up a position by hand" "setup first c3 puts a piece there, setup remove c3 takes it away, setup turn second lets the second player move, setup walls first 5 sets the walls left. After moves a new analysis begins from the position.";
    /// Shows the better move at a mistake.
    Solution "solution" "" "your mistakes: show the better move" "It counts as a wrong answer. next goes to the next mistake.";
    /// Starts a new game.
    New "new" "[GAME [SIZE]]" "start a new game" "Add a game and a size for another board, such as new tic-tac-toe 5.";
    /// Sets the engine's level.
    Level "level" "N" "set the engine's level" "Takes effect at the engine's next move.";
    /// Starts a rematch at the level below.
    Easier "easier" "" "rematch at the level below" "Possible once the game is over. The sides are swapped.";
    /// Starts a rematch at the level above.
    Harder "harder" "" "rematch at the level above" "Possible once the game is over. The sides are swapped.";
    /// Changes the human player's side.
    Side "side" "first|second" "choose your side; the engine plays the other" "The game continues. Where two people play, or in a replay after play, this asks an engine to play.";
    /// Resigns the game.
    Resign "resign" "" "resign" "undo takes it back.";
    /// Claims a draw by repetition.
    Draw "draw" "" "claim a draw" "Possible once a position has come up three times; undo takes it back.";
    /// Shows the statistics of the last search.
    Stats "stats" "" "show the statistics of the last search" "With --stats they are shown after each move.";
    /// Reviews the game.
    Review "review" "" "review the game" "?! ? ?? mark moves that cost 10, 20 or 40 points of win chance. To review a file, load it first.";
    /// Shows a link to the position.
    Link "link" "" "show a link to the position shown" "The link is one of HexWorld and works for games of Hex. It holds the moves, not the variations and comments. The full screen also copies it, where the terminal can.";
    /// Saves the game to a file.
    Save "save" "FILE" "save the game to a file" "load continues it, --mode 3 replays it. save! FILE replaces another game without asking.";
    /// Opens a game from a file.
    Load "load" "FILE" "open a game from a file and continue it" "The moves of the file are played, and the game continues from there.";
    /// Quits.
    Quit "quit" "" "quit" "q, exit and the end of the input do the same.";
}

/// Reports whether a text is the name, or a prefix of the name with at least three letters.
pub(super) fn matches_name_or_prefix(name: &str, text: &str) -> bool {
    name == text || (text.len() >= 3 && name.starts_with(text))
}

/// Parses the name of a level, with `c` for `classic`; `None` if the game lacks that level.
#[must_use]
pub fn parse_level(text: &str, position: &dyn Position) -> Option<EngineKind> {
    let name = if text.eq_ignore_ascii_case("c") { "classic" } else { text };
    name.parse().ok().filter(|&level| position.check_level(level).is_ok())
}

/// Returns the command with this name, or the only one with this prefix of three or more letters.
#[must_use]
pub fn find_command_word(text: &str) -> Option<CommandWord> {
    let text = text.to_lowercase();
    let called = |name: &str| matches_name_or_prefix(name, &text);
    match text.as_str() {
        "?" => return Some(CommandWord::Help),
        _ if called("exit") || called("q") => return Some(CommandWord::Quit),
        _ => {}
    }
    let mut found = COMMAND_WORDS.iter().filter(|entry| called(entry.name)).map(|entry| entry.word);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Maximum number of typing errors corrected in a command name.
const MAX_TYPOS: usize = 2;

/// Returns the closest command name if it is unique and at most two typing errors away.
pub(super) fn nearest_command_name(text: &str, position: &dyn Position) -> Option<&'static str> {
    let text = text.to_lowercase();
    let letters = text.chars().count();
    if !(3..=8).contains(&letters) {
        return None;
    }
    let own = position.game_commands().into_iter().map(|(name, _)| name);
    let names = COMMAND_WORDS.iter().map(|entry| entry.name).chain(["exit"]).chain(own);
    // Each missing or extra letter counts as a typing error.
    let names = names.filter(|name| name.chars().count().abs_diff(letters) <= MAX_TYPOS);
    let mut near: Vec<(usize, &str)> = names.map(|name| (osa_distance(&text, name), name)).collect();
    near.sort_unstable();
    let &(least, name) = near.first()?;
    let is_unique = near.get(1).is_none_or(|&(next, _)| next > least);
    // Two errors are too many for a word of three letters.
    (is_unique && least <= MAX_TYPOS && 2 * least <= letters).then_some(name)
}
