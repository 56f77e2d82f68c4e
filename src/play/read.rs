//! Parser for typed lines: the only module that turns text into requests.

use std::path::{Path, PathBuf};

use crate::canvas::PaintOptions;
use crate::game::{PositionSetup, Refusal, RefusalCode, SIZE_KEY, SetupChange, Side, sanitize_text};
use crate::platform;
use crate::play::command::COMMENT_DELETION_TEXT;
use crate::play::words::{matches_name_or_prefix, nearest_command_name};
use crate::play::{
    AdviceKind, AfterGameEnd, AnalysisEdit, COMMAND_WORDS, Command, CommandEntry, CommandWord, HelpTopic,
    HistoryTarget, InputRequest, LevelChange, Match, MatchQuery, MatchRefusal, NewGame, OverwritePermission,
    RematchAnswer, find_command_word, parse_level,
};
use crate::record::{is_game_link, strip_move_number};
use crate::registry::{self, GameStart, Variant};

impl Match {
    /// Parses a typed line. A move takes precedence over a command.
    ///
    /// # Errors
    /// Refuses a line that is not valid here, with what was read and what is expected.
    pub fn parse_line(&self, line: &str) -> Result<InputRequest, MatchRefusal> {
        if let Some(path) = &self.to_replace
            && let Some(answer) = parse_yes_or_no(line.trim())
        {
            return match answer {
                RematchAnswer::Yes => Ok(InputRequest::Save(path.clone(), OverwritePermission::Yes)),
                RematchAnswer::No => Err(MatchRefusal::NotReplaced(Refusal::sanitize_path(path))),
            };
        }
        if self.asks_for_rematch() {
            return self.parse_rematch_answer(line);
        }
        self.parse_move_or_command(line)
    }

    /// Parses a line that is not valid UTF-8. The bytes of a file name in it are used unchanged.
    ///
    /// # Errors
    /// See [`Match::parse_line`].
    pub fn parse_line_bytes(&self, line: &[u8]) -> Result<InputRequest, MatchRefusal> {
        if let Some(at) = line.iter().position(u8::is_ascii_whitespace)
            && let Ok(word) = str::from_utf8(&line[..at])
            && let Some(request) =
                parse_file_command(word, &platform::path_from_bytes(line[at..].trim_ascii()))
        {
            return request;
        }
        self.parse_line(&String::from_utf8_lossy(line))
    }

    fn parse_move_or_command(&self, line: &str) -> Result<InputRequest, MatchRefusal> {
        let position = self.present_position();
        // File names may contain any character, so they are parsed first.
        let (first, path) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        if let Some(request) = parse_file_command(first, Path::new(path.trim())) {
            return request;
        }
        if find_command_word(first) == Some(CommandWord::Comment) {
            return self.parse_command_arguments(CommandWord::Comment, path.trim()).map(InputRequest::Do);
        }
        if is_game_link(line) {
            return Ok(InputRequest::Load(PathBuf::from(line.trim())));
        }
        let text = strip_move_number(line.split('#').next().unwrap_or_default().trim()).trim();
        if text.is_empty() {
            return Ok(InputRequest::Do(Command::Nothing));
        }
        let no_move = match position.normalize_move(text) {
            Ok(mv) => return Ok(InputRequest::Do(Command::Move(mv))),
            Err(illegal) => illegal,
        };
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if let Some(word) = find_command_word(first) {
            return self.parse_command_arguments(word, rest.trim()).map(InputRequest::Do);
        }
        let lower = first.to_lowercase();
        let words = position.inspect_commands();
        if let Some((word, _)) = words.iter().find(|(word, _)| matches_name_or_prefix(word, &lower)) {
            return Ok(InputRequest::Do(Command::Ask(MatchQuery::Inspect(word))));
        }
        if ["tui", "mouse", "theme"].contains(&&*lower) {
            return Err(MatchRefusal::FullScreenOff);
        }
        if no_move.code == RefusalCode::NotUnderstood
            && let Some(meant) = nearest_command_name(first, &**position)
        {
            let read = Refusal::sanitize_excerpt(text);
            let text = format!("\"{read}\" is not a move or command. Did you mean {meant}?");
            return Err(MatchRefusal::Unread(Refusal::new(RefusalCode::DidYouMean, text)));
        }
        Err(MatchRefusal::Unread(no_move))
    }

    /// Parses the arguments of a command.
    fn parse_command_arguments(&self, word: CommandWord, rest: &str) -> Result<Command, MatchRefusal> {
        let CommandEntry { name, arguments, .. } = COMMAND_WORDS[word as usize];
        if arguments.is_empty() && !rest.is_empty() && word != CommandWord::Replay {
            let rest = Refusal::sanitize_excerpt(rest);
            let text = format!("{name} takes no argument. Type {name} without \"{rest}\".");
            return Err(MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, text)));
        }
        let count = || -> Result<Option<usize>, MatchRefusal> {
            let count = rest.parse().ok().filter(|&count| count > 0);
            let wrong = || MatchRefusal::NeedsNumber { word: name, read: rest.to_owned() };
            if rest.is_empty() { Ok(None) } else { count.map(Some).ok_or_else(wrong) }
        };
        Ok(match word {
            CommandWord::Help => Command::Ask(MatchQuery::Help(self.parse_help_topic(rest)?)),
            CommandWord::Rules => Command::Ask(MatchQuery::Rules),
            CommandWord::Board => Command::Ask(MatchQuery::Board),
            CommandWord::Moves => Command::Ask(MatchQuery::Moves),
            CommandWord::Legal if rest.is_empty() => Command::Ask(MatchQuery::Legal),
            CommandWord::Legal => Command::Ask(MatchQuery::Effect(rest.to_owned())),
            CommandWord::Where => Command::Ask(MatchQuery::Where),
            CommandWord::Comment => parse_comment_command(rest),
            CommandWord::Hint => Command::Advise(AdviceKind::Hint),
            CommandWord::Eval => Command::Advise(AdviceKind::Eval),
            CommandWord::Undo => Command::Undo(count()?),
            CommandWord::Redo => Command::Redo(count()?),
            CommandWord::Goto if rest.eq_ignore_ascii_case("end") => Command::Show(HistoryTarget::Present),
            CommandWord::Goto => {
                let ply = rest.parse().ok().filter(|&ply| ply <= self.last_ply());
                let wrong = || MatchRefusal::NoSuchMove { last: self.last_ply(), read: rest.to_owned() };
                Command::Show(HistoryTarget::Ply(ply.ok_or_else(wrong)?))
            }
            CommandWord::Replay if rest.is_empty() => Command::Replay,
            CommandWord::Replay => return Err(MatchRefusal::ReplayTakesNothing),
            CommandWord::Solution => Command::Solve,
            CommandWord::Next => self.command_for_next(count()?),
            CommandWord::Back => Command::Show(HistoryTarget::Back(count()?.unwrap_or(1))),
            CommandWord::Play => Command::PlayHere,
            CommandWord::Variations => match count()? {
                None => Command::Ask(MatchQuery::Variations),
                Some(number) => Command::Show(HistoryTarget::Variation(number)),
            },
            CommandWord::Promote => Command::Promote,
            CommandWord::Analyze => Command::Analyze,
            CommandWord::Hide => Command::Edit(AnalysisEdit::Hide),
            CommandWord::Mark => Command::Edit(AnalysisEdit::Mark(self.parse_marked_cell(rest)?)),
            CommandWord::Setup => Command::Edit(AnalysisEdit::SetUp(self.parse_setup_change(rest)?)),
            CommandWord::New => Command::New(Box::new(self.parse_new_game(rest)?)),
            CommandWord::Level => self.parse_level_argument(rest)?,
            CommandWord::Easier => Command::AgainAt(LevelChange::Lower),
            CommandWord::Harder => Command::AgainAt(LevelChange::Higher),
            CommandWord::Side => Command::Side(self.parse_side_argument(rest)?),
            CommandWord::Resign => Command::Resign,
            CommandWord::Draw => Command::ClaimDraw,
            CommandWord::Link => Command::Ask(MatchQuery::Link),
            CommandWord::Stats => Command::Ask(MatchQuery::Stats),
            CommandWord::Review => Command::Review,
            CommandWord::Quit => Command::Quit,
            CommandWord::Save | CommandWord::Load => return Err(MatchRefusal::NeedsFile(name)),
        })
    }

    /// Returns the command for `next`: `count` moves forward, or the next mistake in training.
    fn command_for_next(&self, count: Option<usize>) -> Command {
        if count.is_none() && self.game().practice_item().is_some() {
            return Command::NextTask;
        }
        Command::Show(HistoryTarget::Next(count.unwrap_or(1)))
    }

    /// Parses `new`, `new GAME`, `new GAME SIZE` and `new SIZE`.
    fn parse_new_game(&self, rest: &str) -> Result<NewGame, MatchRefusal> {
        if self.rules().after_end == AfterGameEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        let mut spec = self.game().core.rematch_spec();
        if !rest.is_empty() {
            let start = parse_game_and_size(rest, spec.start.entry, &spec.settings, Variant::default())?;
            let first = start.position().map_err(MatchRefusal::NoSuchBoard)?;
            let is_same = start.entry.name == spec.start.entry.name;
            spec.level = spec.level.filter(|&level| is_same && first.check_level(level).is_ok());
            spec.program = spec.program.filter(|program| program.can_play(start.entry.name));
            spec.set_start(start);
        }
        Ok(spec)
    }

    /// Parses the topic of `help`; game-specific commands take precedence.
    fn parse_help_topic(&self, rest: &str) -> Result<HelpTopic, MatchRefusal> {
        let (lower, own) = (rest.to_lowercase(), self.present_position().game_commands());
        let own =
            own.into_iter().find(|(name, _)| *name == lower).map(|(name, _)| HelpTopic::GameCommand(name));
        let all = rest.is_empty().then_some(HelpTopic::All);
        let topic = all.or(own).or_else(|| find_command_word(rest).map(HelpTopic::Word));
        topic.ok_or_else(|| MatchRefusal::NoSuchWord(rest.to_owned()))
    }

    fn parse_level_argument(&self, rest: &str) -> Result<Command, MatchRefusal> {
        if !self.game().has_engine() && !self.game().is_replay() && !self.game().is_analysis() {
            return Err(MatchRefusal::NoEngineForTheLevel);
        }
        if rest.is_empty() {
            return Ok(Command::Ask(MatchQuery::Level));
        }
        let level = parse_level(rest, &**self.present_position());
        level.map(Command::Level).ok_or_else(|| MatchRefusal::NoSuchLevel(rest.to_owned()))
    }

    fn parse_side_argument(&self, rest: &str) -> Result<Side, MatchRefusal> {
        self.find_side_by_name(rest).ok_or(MatchRefusal::NoSuchSide)
    }

    /// Returns the side with this name, such as `first` or `Red`.
    fn find_side_by_name(&self, word: &str) -> Option<Side> {
        let position = self.present_position();
        let is_named = |side: &Side| {
            word.eq_ignore_ascii_case(&side.to_string())
                || word.eq_ignore_ascii_case(&position.side_name(*side))
        };
        Side::BOTH.into_iter().find(is_named)
    }

    /// Parses the cell of `mark`.
    fn parse_marked_cell(&self, rest: &str) -> Result<String, MatchRefusal> {
        let cell = rest.to_lowercase();
        let shown = self.shown_position();
        // The canvas may label a swappable stone differently, so its cell is looked up in the setup.
        let holds = |setup: PositionSetup| Side::BOTH.iter().any(|&side| setup.pieces[side].contains(&cell));
        let is_cell = shown.paint_board(PaintOptions::default()).find_spot(&cell).is_some()
            || shown.to_setup().is_some_and(holds);
        if is_cell { Ok(cell) } else { Err(MatchRefusal::NoSuchCell(rest.to_owned())) }
    }

    /// Parses the change of `setup`: `SIDE CELL`, `remove CELL`, `turn SIDE`, `walls SIDE N`.
    fn parse_setup_change(&self, rest: &str) -> Result<SetupChange, MatchRefusal> {
        let words: Vec<String> = rest.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let change = match words[..] {
            ["remove", place] => Some(SetupChange::Remove(place.to_owned())),
            ["turn"] => Some(SetupChange::Turn(self.shown_position().to_move().other())),
            ["turn", side] => self.find_side_by_name(side).map(SetupChange::Turn),
            ["walls", side, count] => self
                .find_side_by_name(side)
                .zip(count.parse().ok())
                .map(|(side, count)| SetupChange::Left(side, count)),
            [side, place] => {
                self.find_side_by_name(side).map(|side| SetupChange::Put(side, place.to_owned()))
            }
            _ => None,
        };
        change.ok_or_else(|| MatchRefusal::NoSuchChange(rest.to_owned()))
    }

    /// Parses the answer to the rematch question; commands keep their usual meaning.
    fn parse_rematch_answer(&self, line: &str) -> Result<InputRequest, MatchRefusal> {
        let text = line.trim();
        let lower = text.to_lowercase();
        let digits = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
        let answer = |another| Ok(InputRequest::Do(Command::Answer(another)));
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            return answer(if digits.bytes().all(|b| b == b'0') {
                RematchAnswer::No
            } else {
                RematchAnswer::Yes
            });
        }
        if ["", "q", "quit"].contains(&&*lower) {
            return answer(RematchAnswer::No);
        }
        if let Some(another) = parse_yes_or_no(&lower) {
            return answer(another);
        }
        match self.parse_move_or_command(text) {
            Ok(InputRequest::Do(Command::Nothing | Command::Move(_)))
            | Err(MatchRefusal::Unread(_) | MatchRefusal::FullScreenOff) => {
                Err(MatchRefusal::NeitherYesNorNo(line.to_owned()))
            }
            read => read,
        }
    }
}

/// Parses `comment`, which shows the comment, and `comment TEXT`, which sets it.
fn parse_comment_command(rest: &str) -> Command {
    if rest.is_empty() {
        return Command::Ask(MatchQuery::Comment);
    }
    Command::Edit(AnalysisEdit::Comment(
        Some(sanitize_text(rest)).filter(|text| text != COMMENT_DELETION_TEXT),
    ))
}

/// Parses `GAME SIZE`, either part alone, or an empty text.
///
/// The game defaults to `now` with the board `board`. Any other game has the board `other`, unless
/// a size is given.
///
/// # Errors
/// Refuses an unknown game or size, or too many arguments.
pub(crate) fn parse_game_and_size(
    text: &str,
    now: &'static registry::RegisteredGame,
    board: &Variant,
    other: Variant,
) -> Result<GameStart, MatchRefusal> {
    let is_size = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let (sizes, names): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(is_size);
    let entry = match names.first() {
        Some(name) => registry::find_game_in(now.game_list(), name).map_err(MatchRefusal::NoSuchGame)?,
        None => now,
    };
    let mut variant = if entry.name == now.name { board.clone() } else { other };
    if let Some(size) = sizes.first() {
        variant.set_setting(SIZE_KEY, *size);
    }
    entry.resolve_board(&variant).map_err(MatchRefusal::NoSuchBoard)?;
    if names.len() > 1 || sizes.len() > 1 {
        return Err(MatchRefusal::TooManyNewArguments);
    }
    Ok(GameStart::new(entry, variant))
}

/// Parses `save`, `save!` or `load` with its file name; `None` for other commands.
fn parse_file_command(word: &str, path: &Path) -> Option<Result<InputRequest, MatchRefusal>> {
    let (word, overwrite) = match word.strip_suffix('!').map(find_command_word) {
        Some(Some(CommandWord::Save)) => (CommandWord::Save, OverwritePermission::Yes),
        _ => (find_command_word(word)?, OverwritePermission::No),
    };
    Some(match word {
        CommandWord::Save | CommandWord::Load if path.as_os_str().is_empty() => {
            Err(MatchRefusal::NeedsFile(COMMAND_WORDS[word as usize].name))
        }
        CommandWord::Save => Ok(InputRequest::Save(path.to_path_buf(), overwrite)),
        CommandWord::Load => Ok(InputRequest::Load(path.to_path_buf())),
        _ => return None,
    })
}

/// Parses yes or no in English, Portuguese, Polish, Greek or German; `None` for other words.
fn parse_yes_or_no(word: &str) -> Option<RematchAnswer> {
    match word.to_lowercase().as_str() {
        "y" | "yes" | "s" | "sim" | "t" | "tak" | "ν" | "ναι" | "nai" | "j" | "ja" => {
            Some(RematchAnswer::Yes)
        }
        "n" | "no" | "não" | "nao" | "nie" | "ο" | "ό" | "όχι" | "οχι" | "ochi" | "nein" => {
            Some(RematchAnswer::No)
        }
        _ => None,
    }
}
