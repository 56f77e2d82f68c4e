//! Reading of the JSON lines of `crosspath arena` as games. The format must agree with the arena's writer.

use serde_json::{Map, Value};

use crate::game::{Outcome, Refusal, Side, sanitize_text};
use crate::record::edits::EditHistory;
use crate::record::game_record::NoteCollector;
use crate::record::{
    BadRecord, GameRecord, GameTree, MoveSource, NodeId, RecordFault, RecordFormat, RecordedMove,
    StatedResult,
};
use crate::registry::{GameStart, RegisteredGame, Variant, find_game_in};
use crate::session::{LossReason, RESIGN_WORD};

/// An arena file: its header and the line of each game.
pub(super) struct ArenaFileGames {
    start: GameStart,
    lines: Vec<(usize, Map<String, Value>)>,
    /// Number of the first damaged line, with `true` if it is the last one.
    broken: Option<(usize, bool)>,
}

/// Parses an arena file; returns `None` for any other text.
///
/// # Errors
/// The error names the line with the problem.
pub(super) fn parse_arena_file(
    text: &str,
    entries: &'static [RegisteredGame],
) -> Result<Option<ArenaFileGames>, BadRecord> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let object = |line: &str| serde_json::from_str::<Map<String, Value>>(line).ok();
    let Some((line, head)) = lines.next().and_then(|(line, text)| Some((line, object(text)?))) else {
        return Ok(None);
    };
    if head.get("crosspath").and_then(Value::as_str) != Some("arena") {
        return Ok(None);
    }
    let bad = |why: String| BadRecord { line, why };
    let name = head.get("game").and_then(Value::as_str).unwrap_or_default();
    let entry = find_game_in(entries, name).map_err(|error| bad(error.to_string()))?;
    let mut variant = Variant::default();
    for (key, value) in head.iter().filter(|(key, _)| entry.find_setting(key).is_some()) {
        let text = match value {
            Value::Bool(true) => "on".to_owned(),
            Value::Bool(false) => "off".to_owned(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        variant.set_setting(key, text);
    }
    let start = GameStart::new(entry, variant);
    start.position().map_err(|error| bad(error.to_string()))?;
    // The last line may be incomplete while an arena is still writing.
    let (mut games, mut broken) = (Vec::new(), None);
    let mut lines = lines.peekable();
    while let Some((line, text)) = lines.next() {
        match object(text) {
            Some(game) if game.contains_key("moves") => games.push((line, game)),
            Some(_) => {}
            None => _ = broken.get_or_insert((line, lines.peek().is_none())),
        }
    }
    Ok(Some(ArenaFileGames { start, lines: games, broken }))
}

impl ArenaFileGames {
    pub(super) fn game_count(&self) -> usize {
        self.lines.len()
    }

    /// Reads the game with this index, from 0.
    ///
    /// # Errors
    /// Returns an error if the board is invalid. Illegal moves are not an error: see [`GameRecord::fault`].
    pub(super) fn read_game(
        mut self,
        index: usize,
        mut notes: NoteCollector,
    ) -> Result<GameRecord, BadRecord> {
        if let Some((line, is_last)) = self.broken {
            let which = if is_last { "the last line breaks off" } else { "this line is damaged" };
            notes.add_text(NodeId::ROOT, line, format!("{which}; its game is left out"));
        }
        let (line, game) = self.lines.swap_remove(index);
        let mut begins = self.start;
        if let Some(text) = game.get("position").and_then(Value::as_str) {
            let start = GameStart::from_position_text(begins.entry, begins.variant, text);
            begins = start.map_err(|error| BadRecord { line, why: error.to_string() })?;
        }
        let start = begins.position().map_err(|error| BadRecord { line: 1, why: error.to_string() })?;
        let words = |key: &str| game.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let (mut tree, mut at, mut fault) = (GameTree::new(start), NodeId::ROOT, None);
        for word in words("opening").into_iter().chain(words("moves")) {
            let text = word.as_str().unwrap_or_default();
            match tree.play_move(at, text, MoveSource::File) {
                Ok(next) => at = next,
                Err(why) => {
                    let written = RecordedMove::new(&Refusal::sanitize_excerpt(text), line);
                    fault = Some(RecordFault::without_move(line, written.describe_refusal(&why)));
                    break;
                }
            }
        }
        let text = |key: &str| Some(game.get(key)?.as_str()?.to_owned());
        let player = |key: &str| Some((key.to_owned(), sanitize_text(&text(key)?)));
        let remarks = ["first", "second"].into_iter().filter_map(player);
        let outcome = match text("result").as_deref() {
            Some("first") => Some(Outcome::Win(Side::First)),
            Some("second") => Some(Outcome::Win(Side::Second)),
            Some("draw") => Some(Outcome::Draw),
            _ => None,
        };
        let reason = match (text("fault").as_deref(), text("reason").as_deref()) {
            (Some("time"), _) => LossReason::TimedOut,
            (Some(_), _) => LossReason::Forfeited,
            (None, Some(RESIGN_WORD)) => LossReason::Resigned,
            (None, _) => LossReason::Unstated,
        };
        let mut record = GameRecord {
            start: begins,
            form: RecordFormat::Json,
            remarks: remarks.collect(),
            tree,
            end: at,
            present: at,
            stated: outcome.map(|outcome| StatedResult { outcome, reason }),
            notes: Vec::new(),
            fault,
            last_line: line,
            edits: EditHistory::default(),
        };
        record.apply_stated_result(&mut notes);
        Ok(GameRecord { notes: notes.into_notes(("note", "notes")), ..record })
    }
}
