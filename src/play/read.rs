//! The one reader of typed lines: text becomes a request here and nowhere else.

use std::path::{Path, PathBuf};

use crate::canvas::PaintOptions;
use crate::game::{Refusal, RefusalCode, SIZE, Setup, SetupChange, Side, clean};
use crate::platform;
use crate::play::command::NO_COMMENT;
use crate::play::words::{is_called, nearest};
use crate::play::{
    Advice, AfterEnd, Command, Edit, HelpTopic, HistoryTarget, Match, MatchRefusal, NewGame, Overwrite,
    Query, Rematch, Request, Strength, WORDS, Word, WordEntry, find, level,
};
use crate::record::{is_link, without_number};
use crate::registry::{self, GameStart, Variant};

impl Match {
    /// Reads a line as it was typed. A move always takes precedence over a command.
    ///
    /// # Errors
    /// Says what was read and what would be right.
    pub fn read(&self, line: &str) -> Result<Request, MatchRefusal> {
        if let Some(path) = &self.to_replace
            && let Some(answer) = yes_or_no(line.trim())
        {
            return match answer {
                Rematch::Yes => Ok(Request::Save(path.clone(), Overwrite::Yes)),
                Rematch::No => Err(MatchRefusal::NotReplaced(Refusal::shown_path(path))),
            };
        }
        if self.has_question() {
            return self.read_answer(line);
        }
        self.read_line(line)
    }

    /// Reads a line that is not UTF-8: the name of a file is taken as it is, byte for byte.
    ///
    /// # Errors
    /// See [`Match::read`].
    pub fn read_bytes(&self, line: &[u8]) -> Result<Request, MatchRefusal> {
        if let Some(at) = line.iter().position(u8::is_ascii_whitespace)
            && let Ok(word) = str::from_utf8(&line[..at])
            && let Some(request) = read_file_word(word, &platform::path_of(line[at..].trim_ascii()))
        {
            return request;
        }
        self.read(&String::from_utf8_lossy(line))
    }

    fn read_line(&self, line: &str) -> Result<Request, MatchRefusal> {
        let position = self.present_position();
        // The name of a file may hold anything.
        let (first, path) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        if let Some(request) = read_file_word(first, Path::new(path.trim())) {
            return request;
        }
        if find(first) == Some(Word::Comment) {
            return self.read_word(Word::Comment, path.trim()).map(Request::Do);
        }
        if is_link(line) {
            return Ok(Request::Load(PathBuf::from(line.trim())));
        }
        let text = without_number(line.split('#').next().unwrap_or_default().trim()).trim();
        if text.is_empty() {
            return Ok(Request::Do(Command::Nothing));
        }
        let no_move = match position.read(text) {
            Ok(mv) => return Ok(Request::Do(Command::Move(mv))),
            Err(illegal) => illegal,
        };
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if let Some(word) = find(first) {
            return self.read_word(word, rest.trim()).map(Request::Do);
        }
        let lower = first.to_lowercase();
        let words = position.inspect_words();
        if let Some((word, _)) = words.iter().find(|(word, _)| is_called(word, &lower)) {
            return Ok(Request::Do(Command::Ask(Query::Inspect(word))));
        }
        if ["tui", "mouse", "theme"].contains(&&*lower) {
            return Err(MatchRefusal::BeganInLines);
        }
        if no_move.code == RefusalCode::NotUnderstood
            && let Some(meant) = nearest(first, &**position)
        {
            let read = Refusal::shown(text);
            let text = format!("\"{read}\" is not a move or command. Did you mean {meant}?");
            return Err(MatchRefusal::Unread(Refusal::new(RefusalCode::DidYouMean, text)));
        }
        Err(MatchRefusal::Unread(no_move))
    }

    /// Reads the arguments of a command.
    fn read_word(&self, word: Word, rest: &str) -> Result<Command, MatchRefusal> {
        let WordEntry { name, arguments, .. } = WORDS[word as usize];
        if arguments.is_empty() && !rest.is_empty() && word != Word::Replay {
            let rest = Refusal::shown(rest);
            let text = format!("{name} takes no argument. Type {name} without \"{rest}\".");
            return Err(MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, text)));
        }
        let count = || -> Result<Option<usize>, MatchRefusal> {
            let count = rest.parse().ok().filter(|&count| count > 0);
            let wrong = || MatchRefusal::TakesANumber { word: name, read: rest.to_owned() };
            if rest.is_empty() { Ok(None) } else { count.map(Some).ok_or_else(wrong) }
        };
        Ok(match word {
            Word::Help => Command::Ask(Query::Help(self.read_topic(rest)?)),
            Word::Rules => Command::Ask(Query::Rules),
            Word::Board => Command::Ask(Query::Board),
            Word::Moves => Command::Ask(Query::Moves),
            Word::Legal if rest.is_empty() => Command::Ask(Query::Legal),
            Word::Legal => Command::Ask(Query::Effect(rest.to_owned())),
            Word::Where => Command::Ask(Query::Where),
            Word::Comment => read_comment(rest),
            Word::Hint => Command::Advise(Advice::Hint),
            Word::Eval => Command::Advise(Advice::Eval),
            Word::Undo => Command::Undo(count()?),
            Word::Redo => Command::Redo(count()?),
            Word::Goto if rest.eq_ignore_ascii_case("end") => Command::Show(HistoryTarget::Present),
            Word::Goto => {
                let ply = rest.parse().ok().filter(|&ply| ply <= self.last_ply());
                let wrong = || MatchRefusal::NoSuchMove { last: self.last_ply(), read: rest.to_owned() };
                Command::Show(HistoryTarget::Ply(ply.ok_or_else(wrong)?))
            }
            Word::Replay if rest.is_empty() => Command::Replay,
            Word::Replay => return Err(MatchRefusal::ReplayTakesNothing),
            Word::Solution => Command::Solve,
            Word::Next => self.next(count()?),
            Word::Back => Command::Show(HistoryTarget::Back(count()?.unwrap_or(1))),
            Word::Play => Command::PlayHere,
            Word::Variations => match count()? {
                None => Command::Ask(Query::Variations),
                Some(number) => Command::Show(HistoryTarget::Variation(number)),
            },
            Word::Promote => Command::Promote,
            Word::Analyze => Command::Analyze,
            Word::Hide => Command::Edit(Edit::Hide),
            Word::Mark => Command::Edit(Edit::Mark(self.read_mark(rest)?)),
            Word::Setup => Command::Edit(Edit::SetUp(self.read_change(rest)?)),
            Word::New => Command::New(Box::new(self.read_new(rest)?)),
            Word::Level => self.read_level(rest)?,
            Word::Easier => Command::AgainAt(Strength::Lower),
            Word::Harder => Command::AgainAt(Strength::Higher),
            Word::Side => Command::Side(self.read_side(rest)?),
            Word::Resign => Command::Resign,
            Word::Draw => Command::ClaimDraw,
            Word::Link => Command::Ask(Query::Link),
            Word::Stats => Command::Ask(Query::Stats),
            Word::Review => Command::Review,
            Word::Quit => Command::Quit,
            Word::Save | Word::Load => return Err(MatchRefusal::NeedsFile(name)),
        })
    }

    /// Returns the command for `next`: `count` moves later, or the next mistake where mistakes are
    /// practised.
    fn next(&self, count: Option<usize>) -> Command {
        if count.is_none() && self.game().practice().is_some() {
            return Command::NextTask;
        }
        Command::Show(HistoryTarget::Next(count.unwrap_or(1)))
    }

    /// Reads `new`, `new GAME`, `new GAME SIZE` and `new SIZE`.
    fn read_new(&self, rest: &str) -> Result<NewGame, MatchRefusal> {
        if self.rules().after_end == AfterEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        let mut spec = self.game().core.same_again();
        if !rest.is_empty() {
            let start = read_game(rest, spec.start.entry, &spec.settings, Variant::default())?;
            let first = start.position().map_err(MatchRefusal::NoSuchBoard)?;
            let is_same = start.entry.name == spec.start.entry.name;
            spec.level = spec.level.filter(|&level| is_same && first.check_level(level).is_ok());
            spec.program = spec.program.filter(|program| program.can_play(start.entry.name));
            spec.choose(start);
        }
        Ok(spec)
    }

    /// Reads the topic of `help`; a command of the game itself comes first.
    fn read_topic(&self, rest: &str) -> Result<HelpTopic, MatchRefusal> {
        let (lower, own) = (rest.to_lowercase(), self.present_position().own_words());
        let own = own.into_iter().find(|(name, _)| *name == lower).map(|(name, _)| HelpTopic::Own(name));
        let all = rest.is_empty().then_some(HelpTopic::All);
        let topic = all.or(own).or_else(|| find(rest).map(HelpTopic::Word));
        topic.ok_or_else(|| MatchRefusal::NoSuchWord(rest.to_owned()))
    }

    fn read_level(&self, rest: &str) -> Result<Command, MatchRefusal> {
        if !self.game().has_engine() && !self.game().is_record() && !self.game().is_analysis() {
            return Err(MatchRefusal::NoEngineForTheLevel);
        }
        if rest.is_empty() {
            return Ok(Command::Ask(Query::Level));
        }
        let level = level(rest, &**self.present_position());
        level.map(Command::Level).ok_or_else(|| MatchRefusal::NoSuchLevel(rest.to_owned()))
    }

    fn read_side(&self, rest: &str) -> Result<Side, MatchRefusal> {
        self.side_of(rest).ok_or(MatchRefusal::NoSuchSide)
    }

    /// Returns the side that a word names.
    fn side_of(&self, word: &str) -> Option<Side> {
        let position = self.present_position();
        let is_named = |side: &Side| {
            word.eq_ignore_ascii_case(&side.to_string())
                || word.eq_ignore_ascii_case(&position.side_name(*side))
        };
        Side::BOTH.into_iter().find(is_named)
    }

    /// Reads the cell of `mark`.
    fn read_mark(&self, rest: &str) -> Result<String, MatchRefusal> {
        let cell = rest.to_lowercase();
        let shown = self.shown();
        // A stone that may be swapped is called by that.
        let holds = |setup: Setup| Side::BOTH.iter().any(|&side| setup.pieces[side].contains(&cell));
        let is_cell = shown.canvas(PaintOptions::default()).find(&cell).is_some()
            || shown.as_setup().is_some_and(holds);
        if is_cell { Ok(cell) } else { Err(MatchRefusal::NoSuchCell(rest.to_owned())) }
    }

    /// Reads the change of `setup`: `SIDE CELL`, `remove CELL`, `turn SIDE`, `walls SIDE N`.
    fn read_change(&self, rest: &str) -> Result<SetupChange, MatchRefusal> {
        let words: Vec<String> = rest.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let change = match words[..] {
            ["remove", place] => Some(SetupChange::Remove(place.to_owned())),
            ["turn"] => Some(SetupChange::Turn(self.shown().to_move().other())),
            ["turn", side] => self.side_of(side).map(SetupChange::Turn),
            ["walls", side, count] => {
                self.side_of(side).zip(count.parse().ok()).map(|(side, count)| SetupChange::Left(side, count))
            }
            [side, place] => self.side_of(side).map(|side| SetupChange::Put(side, place.to_owned())),
            _ => None,
        };
        change.ok_or_else(|| MatchRefusal::NoSuchChange(rest.to_owned()))
    }

    /// Reads the answer to the question about another game; commands keep their usual meaning.
    fn read_answer(&self, line: &str) -> Result<Request, MatchRefusal> {
        let text = line.trim();
        let lower = text.to_lowercase();
        let digits = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
        let answer = |another| Ok(Request::Do(Command::Answer(another)));
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            return answer(if digits.bytes().all(|b| b == b'0') { Rematch::No } else { Rematch::Yes });
        }
        if ["", "q", "quit"].contains(&&*lower) {
            return answer(Rematch::No);
        }
        if let Some(another) = yes_or_no(&lower) {
            return answer(another);
        }
        match self.read_line(text) {
            Ok(Request::Do(Command::Nothing | Command::Move(_)))
            | Err(MatchRefusal::Unread(_) | MatchRefusal::BeganInLines) => {
                Err(MatchRefusal::NeitherYesNorNo(line.to_owned()))
            }
            read => read,
        }
    }
}

/// Reads `comment`, which asks for the comment, and `comment TEXT`, which writes one.
fn read_comment(rest: &str) -> Command {
    if rest.is_empty() {
        return Command::Ask(Query::Comment);
    }
    Command::Edit(Edit::Comment(Some(clean(rest)).filter(|text| text != NO_COMMENT)))
}

/// Returns the game and the board that `GAME SIZE`, either of them or nothing names, where `now` is
/// played on `board`; another game has the board `other` unless its size is named.
///
/// # Errors
/// Says which game, size or word is wrong.
pub(crate) fn read_game(
    text: &str,
    now: &'static registry::Entry,
    board: &Variant,
    other: Variant,
) -> Result<GameStart, MatchRefusal> {
    let is_size = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let (sizes, names): (Vec<&str>, Vec<&str>) = text.split_whitespace().partition(is_size);
    let entry = match names.first() {
        Some(name) => registry::find_in(now.games(), name).map_err(MatchRefusal::NoSuchGame)?,
        None => now,
    };
    let mut variant = if entry.name == now.name { board.clone() } else { other };
    if let Some(size) = sizes.first() {
        variant.set(SIZE, *size);
    }
    entry.choose(&variant).map_err(MatchRefusal::NoSuchBoard)?;
    if names.len() > 1 || sizes.len() > 1 {
        return Err(MatchRefusal::NewTakes);
    }
    Ok(GameStart::new(entry, variant))
}

/// Reads a command about a file and the file's name; `None` if the command is none of these.
fn read_file_word(word: &str, path: &Path) -> Option<Result<Request, MatchRefusal>> {
    let (word, overwrite) = match word.strip_suffix('!').map(find) {
        Some(Some(Word::Save)) => (Word::Save, Overwrite::Yes),
        _ => (find(word)?, Overwrite::No),
    };
    Some(match word {
        Word::Save | Word::Load if path.as_os_str().is_empty() => {
            Err(MatchRefusal::NeedsFile(WORDS[word as usize].name))
        }
        Word::Save => Ok(Request::Save(path.to_path_buf(), overwrite)),
        Word::Load => Ok(Request::Load(path.to_path_buf())),
        _ => return None,
    })
}

/// Returns the answer that a word means, in English, Portuguese, Polish, Greek or German.
fn yes_or_no(word: &str) -> Option<Rematch> {
    match word.to_lowercase().as_str() {
        "y" | "yes" | "s" | "sim" | "t" | "tak" | "ν" | "ναι" | "nai" | "j" | "ja" => Some(Rematch::Yes),
        "n" | "no" | "não" | "nao" | "nie" | "ο" | "ό" | "όχι" | "οχι" | "ochi" | "nein" => {
            Some(Rematch::No)
        }
        _ => None,
    }
}
