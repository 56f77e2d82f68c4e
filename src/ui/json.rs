//! JSON mode for programs: writes one JSON object per line, flushed at once, and nothing else.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::ai::MistakeConsequence;
use crate::canvas::GlyphSet;
use crate::game::{JsonMillis, JsonObject, Outcome, Refusal, Side};
use crate::messages::{self, MessageWording};
use crate::play::{
    AppliedMove, CommandAnswer, CommandReply, LiveGame, Match, MatchEvent, MatchQuery, MistakeMark, MoveLoss,
};
use crate::record::{MoveSource, NodeId};
use crate::registry::settings_to_json;
use crate::stdin::PeekableInput;
use crate::text::Text;
use crate::ui::line_reader::LineReader;
use crate::ui::{FrontEnd, Inbox, NextStep};

/// Front end that reads command lines and writes JSON lines.
pub struct JsonFrontEnd<'a> {
    reader: LineReader<'a>,
    out: Box<dyn Write + 'a>,
    glyphs: GlyphSet,
    read: String,
    is_over: bool,
}

impl<'a> JsonFrontEnd<'a> {
    /// Creates a front end that reads moves and commands from `input` and writes events to `out`;
    /// messages use `glyphs` for pieces.
    pub fn new(input: impl BufRead + 'a, out: impl Write + 'a, glyphs: GlyphSet) -> Self {
        let (reader, out) = (LineReader::new(input), Box::new(out));
        JsonFrontEnd { reader, out, glyphs, read: String::new(), is_over: false }
    }

    /// Sets an input whose end is detected even while an external engine thinks.
    ///
    /// After the end of the input, the engine has `timeout` to answer.
    pub(crate) fn with_read_ahead(
        mut self,
        input: impl PeekableInput + 'a,
        timeout: Option<Duration>,
    ) -> Self {
        self.reader.set_look_ahead_input(input);
        self.reader.response_timeout = timeout;
        self
    }

    /// Writes one event.
    fn write_event(&mut self, event: &JsonEvent<'_>) -> io::Result<()> {
        writeln!(self.out, "{}", serde_json::to_string(event)?)?;
        self.out.flush()
    }

    /// Writes the start event of a game. `mode` is the number of the game mode, if it has one.
    fn write_start(&mut self, game: &Match, mode: Option<u8>) -> io::Result<()> {
        let (position, played) = (game.present_position(), game.game());
        let program = played.spec().program.as_ref().map(|program| program.name());
        let is_level = played.has_engine() && program.is_none();
        let remarks = (!played.has_human() && !played.file_properties().is_empty()).then(|| {
            let remarks =
                played.file_properties().iter().map(|(key, value)| (key.clone(), value.as_str().into()));
            remarks.collect()
        });
        self.write_event(&JsonEvent::Start {
            game: position.game_name(),
            settings: settings_to_json(position.settings()),
            position: position
                .start_position()
                .initial_setup()
                .and_then(|_| position.start_position().position_text()),
            mode,
            level: is_level.then(|| played.level().to_string()),
            program,
            you: played.sole_human_side(),
            seed: game.rules().seed,
            version: env!("CARGO_PKG_VERSION"),
            remarks,
        })
    }

    fn write_error(&mut self, illegal: &Refusal, read: Option<String>) -> io::Result<()> {
        let (code, message) = (illegal.code.as_str(), illegal.text.as_str());
        self.write_event(&JsonEvent::Error {
            line: read.as_ref().map(|_| self.reader.lines),
            code,
            read,
            message,
        })
    }

    fn write_move(&mut self, game: &Match, moved: &AppliedMove) -> io::Result<()> {
        let tree = game.game().tree();
        let (node, position) = (tree.node(moved.node), tree.position(moved.node));
        let before = tree.parent(moved.node);
        let report = node.search.as_ref().filter(|_| node.by == MoveSource::Machine);
        self.write_event(&JsonEvent::Move {
            ply: position.plies(),
            side: position.to_move().other(),
            r#move: position.last_move(),
            by: node.by,
            legal: before.map_or(0, |before| tree.position(before).legal_move_count()),
            search: report.map(|report| SearchFields {
                nodes: report.nodes,
                depth: report.depth,
                score: report.score.map(|score| score.0),
                pv: &report.pv,
                status: report.proof.map(|proof| proof.to_string()),
            }),
            ms: JsonMillis(report.map(|report| report.elapsed).unwrap_or_default()),
            notice: messages::describe_move_effects(game, moved).map(Text::into_string),
        })
    }

    fn write_end(&mut self, outcome: Option<Outcome>, reason: Option<&str>, game: &Match) -> io::Result<()> {
        let (plies, saved) = (game.present_position().plies(), game.game().is_saved());
        self.write_event(&JsonEvent::End { outcome, reason, plies, saved })
    }
}

/// Event as written to one line.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum JsonEvent<'a> {
    Start {
        game: &'static str,
        #[serde(flatten)]
        settings: Map<String, Value>,
        /// Start position, if it differs from the standard start position.
        #[serde(skip_serializing_if = "Option::is_none")]
        position: Option<String>,
        mode: Option<u8>,
        level: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        program: Option<String>,
        you: Option<Side>,
        seed: u64,
        version: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        remarks: Option<Map<String, Value>>,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
        code: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        read: Option<String>,
        message: &'a str,
    },
    Move {
        ply: usize,
        side: Side,
        r#move: Option<String>,
        by: MoveSource,
        legal: usize,
        #[serde(flatten)]
        search: Option<SearchFields<'a>>,
        ms: JsonMillis,
        #[serde(skip_serializing_if = "Option::is_none")]
        notice: Option<String>,
    },
    Word {
        line: u64,
        word: &'a str,
        result: JsonAnswer,
    },
    /// Move of a fully reviewed game, with First's win chance after the move in percent.
    Reviewed {
        ply: usize,
        side: Side,
        r#move: Option<String>,
        first: Option<f64>,
        #[serde(flatten)]
        mark: Option<MistakeFields>,
    },
    Review(ReviewFields),
    End {
        outcome: Option<Outcome>,
        reason: Option<&'a str>,
        plies: usize,
        saved: bool,
    },
}

/// JSON fields with the statistics of the search for a move.
#[derive(Serialize)]
struct SearchFields<'a> {
    nodes: u64,
    depth: u32,
    score: Option<i32>,
    pv: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
}

/// JSON form of the answer to a command, or of a part of the answer.
///
/// Win chances are in percent. In a review they are First's chances, one per position.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonAnswer {
    Text(String),
    Texts(Vec<String>),
    Values(JsonObject<String, String>),
    Hint { r#move: String, reason: Option<String>, value: Option<String>, best: Vec<JsonAnswer> },
    Candidate { r#move: String, worth: String },
    Variations(Vec<JsonAnswer>),
    Variation { r#move: Option<String>, ply: usize },
    Review(ReviewFields),
    Position { first: PieceList, second: PieceList, last: Option<String>, to_move: Option<Side>, ply: usize },
}

/// JSON fields with the findings of a review.
#[derive(Serialize)]
struct ReviewFields {
    chances: Vec<Option<f64>>,
    marked: Vec<MarkedMove>,
    turning_point: Option<usize>,
}

/// JSON fields of a move that a review marks as a mistake.
#[derive(Serialize)]
struct MarkedMove {
    ply: usize,
    r#move: Option<String>,
    #[serde(flatten)]
    mark: MistakeFields,
}

/// JSON fields of a mistake: its mark, its cost and the better move.
#[derive(Serialize)]
struct MistakeFields {
    mark: &'static str,
    cost: f64,
    better: String,
    chance: f64,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<ConsequenceFields>,
}

/// JSON fields that explain a mistake: a text, and marks on cells or moves.
#[derive(Serialize)]
struct ConsequenceFields {
    text: String,
    marks: JsonObject<String, String>,
}

/// Pieces of one side, as cell names.
type PieceList = Vec<String>;

impl fmt::Debug for JsonFrontEnd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Json").field("read", &self.read).finish_non_exhaustive()
    }
}

impl FrontEnd for JsonFrontEnd<'_> {
    fn show_events(&mut self, game: &Match, events: &[MatchEvent]) -> io::Result<()> {
        for event in events {
            match event {
                MatchEvent::FellBack(fallback) => {
                    self.write_start(game, fallback.mode)?;
                    self.write_error(&fallback.why, None)?;
                }
                MatchEvent::Started => self.write_start(game, Some(game.game().spec().mode.number()))?,
                MatchEvent::Moved(moved) => self.write_move(game, moved)?,
                MatchEvent::Ended(position) => {
                    self.is_over = true;
                    self.write_end(position.outcome(), position.describe_ending().as_deref(), game)?;
                }
                MatchEvent::Replied(reply) => {
                    let is_start = events.iter().any(|event| matches!(event, MatchEvent::Started));
                    let result = structured_answer(game, reply, is_start).unwrap_or_else(|| {
                        let wording = MessageWording { glyphs: self.glyphs, names_keys: false };
                        let lines = messages::reply_lines(game, reply, wording).into_iter();
                        JsonAnswer::Texts(lines.map(Text::into_string).collect())
                    });
                    self.write_event(&JsonEvent::Word { line: self.reader.lines, word: reply.word, result })?;
                }
                MatchEvent::Refused(refusal) => {
                    let read = Refusal::sanitize_excerpt(&self.read);
                    self.write_error(&messages::describe_refusal(game, refusal), Some(read))?;
                }
                MatchEvent::Fault(fault) => self.write_error(&messages::describe_fault(fault), None)?,
                MatchEvent::Left(_) if !self.is_over => {
                    self.write_end(None, Some("left"), game)?;
                }
                MatchEvent::Left(_)
                | MatchEvent::Present(_)
                | MatchEvent::Shown(_)
                | MatchEvent::Seated
                | MatchEvent::Reported(_)
                | MatchEvent::Tried(_) => {}
            }
        }
        Ok(())
    }

    fn next_step(&mut self, game: &Match, inbox: &Inbox) -> io::Result<NextStep> {
        if !game.is_ready_for_input() {
            return Ok(self.reader.wait_for_engine(game, inbox)?.unwrap_or(NextStep::Tick));
        }
        let input = self.reader.read_next_line()?;
        input.text().trim().clone_into(&mut self.read);
        Ok(NextStep::Line(input))
    }
}

/// Returns the structured answer to a command, or `None` if the text lines contain the whole
/// answer.
///
/// `is_start` is `true` if the command starts another game.
fn structured_answer(game: &Match, reply: &CommandReply, is_start: bool) -> Option<JsonAnswer> {
    let at = &**game.game().position(reply.at);
    let is_over = at.outcome().is_some();
    Some(match &reply.answer {
        CommandAnswer::Queried(MatchQuery::Moves) => {
            JsonAnswer::Texts(game.game().position(game.game().shown_line_end()).played_moves())
        }
        CommandAnswer::Queried(MatchQuery::Legal) => JsonAnswer::Texts(at.legal_moves()),
        CommandAnswer::Queried(MatchQuery::Link) => JsonAnswer::Text(game.position_link().ok()?),
        CommandAnswer::Hint(thought) => {
            let best = thought.report.candidates.iter().filter_map(|one| {
                Some(JsonAnswer::Candidate {
                    r#move: one.text.clone(),
                    worth: one.worth.as_ref()?.to_string(),
                })
            });
            JsonAnswer::Hint {
                r#move: thought.text.clone(),
                reason: at.explain_move(&thought.text).map(Text::into_string),
                value: messages::format_exact_value(at, &thought.text),
                best: best.collect(),
            }
        }
        CommandAnswer::Values => {
            let values = at.exact_move_values().iter();
            JsonAnswer::Values(JsonObject(
                values.map(|(text, value)| (text.clone(), value.to_string())).collect(),
            ))
        }
        CommandAnswer::Queried(MatchQuery::Variations) => {
            let others = game.variations().into_iter().map(|id| game.game().position(id));
            let others =
                others.map(|other| JsonAnswer::Variation { r#move: other.last_move(), ply: other.plies() });
            JsonAnswer::Variations(others.collect())
        }
        CommandAnswer::Reviewed => JsonAnswer::Review(review_fields(game.game())),
        CommandAnswer::Redone(_) if is_over => return None,
        CommandAnswer::Loaded(..) if is_over && !is_start => return None,
        CommandAnswer::Queried(MatchQuery::Where | MatchQuery::Board)
        | CommandAnswer::Undone(_)
        | CommandAnswer::PreviousGameRestored
        | CommandAnswer::Redone(_)
        | CommandAnswer::BackToPresent
        | CommandAnswer::PositionShown
        | CommandAnswer::PlayContinues { .. }
        | CommandAnswer::Promoted
        | CommandAnswer::Edited(_)
        | CommandAnswer::SideSet(_)
        | CommandAnswer::New(_)
        | CommandAnswer::Loaded(..) => {
            let [first, second] = Side::map_both(|side| at.view().list_pieces(side));
            let to_move = at.outcome().is_none().then(|| at.to_move());
            JsonAnswer::Position { first, second, last: at.last_move(), to_move, ply: at.plies() + 1 }
        }
        _ => return None,
    })
}

/// Converts a chance (0 to 1) to a whole percentage.
fn to_percent(chance: f64) -> f64 {
    (100.0 * chance).round()
}

/// Returns First's win chance at a node in percent; `None` without an evaluation.
fn first_win_percent(game: &LiveGame, id: NodeId) -> Option<f64> {
    game.review_evaluation(id).and_then(|judged| judged.chance).map(to_percent)
}

fn mistake_fields(game: &LiveGame, mark: MistakeMark, loss: MoveLoss) -> MistakeFields {
    let why = game.explain_mistake(&loss).map(|MistakeConsequence { text, marks, .. }| ConsequenceFields {
        text: text.into_string(),
        marks: JsonObject(marks.into_iter().map(|(place, sign)| (place, sign.to_string())).collect()),
    });
    let MoveLoss { cost, better, line, chance, .. } = loss;
    MistakeFields {
        mark: mark.symbol(),
        cost: to_percent(cost),
        better,
        chance: to_percent(chance),
        line,
        why,
    }
}

fn review_fields(game: &LiveGame) -> ReviewFields {
    let ply = |id: NodeId| game.position(id).plies();
    let marked = game.marked_moves().into_iter().map(|(mark, loss)| {
        let (ply, r#move) = (ply(loss.node), game.position(loss.node).last_move());
        MarkedMove { ply, r#move, mark: mistake_fields(game, mark, loss) }
    });
    ReviewFields {
        chances: game.shown_line().iter().map(|&id| first_win_percent(game, id)).collect(),
        marked: marked.collect(),
        turning_point: game.turning_point().map(|loss| ply(loss.node)),
    }
}

/// Renders a reviewed game as JSON lines: one per move, followed by the findings of the review.
///
/// The findings have the form of the answer to `review`.
pub(crate) fn review_to_json_lines(game: &LiveGame) -> Vec<String> {
    let moves = game.shown_line().into_iter().skip(1).map(|id| {
        let position = game.position(id);
        JsonEvent::Reviewed {
            ply: position.plies(),
            side: position.to_move().other(),
            r#move: position.last_move(),
            first: first_win_percent(game, id),
            mark: game.marked_move(id).map(|(mark, loss)| mistake_fields(game, mark, loss)),
        }
    });
    let all = moves.chain([JsonEvent::Review(review_fields(game))]);
    all.map(|event| serde_json::to_string(&event).expect("its keys are strings")).collect()
}
