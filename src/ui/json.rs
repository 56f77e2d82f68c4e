//! Line mode for programs: one JSON object a line on the output, flushed at once, and nothing else.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::ai::Consequence;
use crate::canvas::Glyphs;
use crate::game::{Millis, Object, Outcome, Refusal, Side};
use crate::messages::{self, Wording};
use crate::play::{Answer, Event, Game, Loss, Mark, Match, Moved, Query, Reply};
use crate::record::{MoveSource, NodeId};
use crate::registry::settings_in_json;
use crate::stdin::LookAhead;
use crate::text::Text;
use crate::ui::line_reader::LineReader;
use crate::ui::{FrontEnd, Inbox, Next};

/// Line mode of JSON lines over any input and output.
pub struct Json<'a> {
    reader: LineReader<'a>,
    out: Box<dyn Write + 'a>,
    glyphs: Glyphs,
    read: String,
    is_over: bool,
}

impl<'a> Json<'a> {
    /// Creates a line mode that reads moves and commands from `input` and writes events to `out`;
    /// sentences draw with `glyphs`.
    pub fn new(input: impl BufRead + 'a, out: impl Write + 'a, glyphs: Glyphs) -> Self {
        let (reader, out) = (LineReader::new(input), Box::new(out));
        Json { reader, out, glyphs, read: String::new(), is_over: false }
    }

    /// Reads from this input, which is searched for its end while an external engine thinks; after
    /// the end the engine has `timeout` to answer.
    pub(crate) fn with_read_ahead(mut self, input: impl LookAhead + 'a, timeout: Option<Duration>) -> Self {
        self.reader.read_from(input);
        self.reader.response_timeout = timeout;
        self
    }

    /// Writes one event.
    fn write(&mut self, event: &JsonEvent<'_>) -> io::Result<()> {
        writeln!(self.out, "{}", serde_json::to_string(event)?)?;
        self.out.flush()
    }

    /// Writes that a game begins, in the mode of that number, if it is a mode.
    fn start(&mut self, game: &Match, mode: Option<u8>) -> io::Result<()> {
        let (position, played) = (game.present_position(), game.game());
        let program = played.spec().program.as_ref().map(|program| program.name());
        let is_level = played.has_engine() && program.is_none();
        let remarks = (!played.has_human() && !played.remarks().is_empty()).then(|| {
            let remarks = played.remarks().iter().map(|(key, value)| (key.clone(), value.as_str().into()));
            remarks.collect()
        });
        self.write(&JsonEvent::Start {
            game: position.name(),
            settings: settings_in_json(position.settings()),
            position: position.start().setup().and_then(|_| position.start().position_text()),
            mode,
            level: is_level.then(|| played.level().to_string()),
            program,
            you: played.only_human(),
            seed: game.rules().seed,
            version: env!("CARGO_PKG_VERSION"),
            remarks,
        })
    }

    fn error(&mut self, illegal: &Refusal, read: Option<String>) -> io::Result<()> {
        let (code, message) = (illegal.code.as_str(), illegal.text.as_str());
        self.write(&JsonEvent::Error { line: read.as_ref().map(|_| self.reader.lines), code, read, message })
    }

    fn moved(&mut self, game: &Match, moved: &Moved) -> io::Result<()> {
        let tree = game.game().tree();
        let (node, position) = (tree.node(moved.node), tree.position(moved.node));
        let before = tree.parent(moved.node);
        let report = node.search.as_ref().filter(|_| node.by == MoveSource::Machine);
        self.write(&JsonEvent::Move {
            ply: position.plies(),
            side: position.to_move().other(),
            r#move: position.last(),
            by: node.by,
            legal: before.map_or(0, |before| tree.position(before).legal_count()),
            search: report.map(|report| SearchFields {
                nodes: report.nodes,
                depth: report.depth,
                score: report.score.map(|score| score.0),
                pv: &report.pv,
                status: report.proof.map(|proof| proof.to_string()),
            }),
            ms: Millis(report.map(|report| report.elapsed).unwrap_or_default()),
            notice: messages::notice(game, moved).map(Text::into_string),
        })
    }

    fn end(&mut self, outcome: Option<Outcome>, reason: Option<&str>, game: &Match) -> io::Result<()> {
        let (plies, saved) = (game.present_position().plies(), game.game().is_saved());
        self.write(&JsonEvent::End { outcome, reason, plies, saved })
    }
}

/// Event as a line has it.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum JsonEvent<'a> {
    Start {
        game: &'static str,
        #[serde(flatten)]
        settings: Map<String, Value>,
        /// Position from which the game begins, if it is not the usual one.
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
        ms: Millis,
        #[serde(skip_serializing_if = "Option::is_none")]
        notice: Option<String>,
    },
    Word {
        line: u64,
        word: &'a str,
        result: Told,
    },
    /// Move of a game that is reviewed as a whole, with First's win chance after it.
    Reviewed {
        ply: usize,
        side: Side,
        r#move: Option<String>,
        first: Option<f64>,
        #[serde(flatten)]
        mark: Option<MarkFields>,
    },
    Review(Findings),
    End {
        outcome: Option<Outcome>,
        reason: Option<&'a str>,
        plies: usize,
        saved: bool,
    },
}

/// Statistics of the search for a move.
#[derive(Serialize)]
struct SearchFields<'a> {
    nodes: u64,
    depth: u32,
    score: Option<i32>,
    pv: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
}

/// Answer to a command, or a part of it. Win chances are in per cent; those of a review are First's
/// after every move.
#[derive(Serialize)]
#[serde(untagged)]
enum Told {
    Text(String),
    Texts(Vec<String>),
    Values(Object<String, String>),
    Hint { r#move: String, reason: Option<String>, value: Option<String>, best: Vec<Told> },
    Candidate { r#move: String, worth: String },
    Variations(Vec<Told>),
    Variation { r#move: Option<String>, ply: usize },
    Review(Findings),
    Position { first: Pieces, second: Pieces, last: Option<String>, to_move: Option<Side>, ply: usize },
}

/// Findings of a review.
#[derive(Serialize)]
struct Findings {
    chances: Vec<Option<f64>>,
    marked: Vec<MarkedMove>,
    turning_point: Option<usize>,
}

/// Move with a mark.
#[derive(Serialize)]
struct MarkedMove {
    ply: usize,
    r#move: Option<String>,
    #[serde(flatten)]
    mark: MarkFields,
}

/// Mark, and the better move.
#[derive(Serialize)]
struct MarkFields {
    mark: &'static str,
    cost: f64,
    better: String,
    chance: f64,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<WhyFields>,
}

/// Reason why a mistake is one: a sentence, and its cells or moves, each with a sign.
#[derive(Serialize)]
struct WhyFields {
    text: String,
    marks: Object<String, String>,
}

/// Pieces of a side.
type Pieces = Vec<String>;

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Json").field("read", &self.read).finish_non_exhaustive()
    }
}

impl FrontEnd for Json<'_> {
    fn hear(&mut self, game: &Match, events: &[Event]) -> io::Result<()> {
        for event in events {
            match event {
                Event::FellBack(fallback) => {
                    self.start(game, fallback.mode)?;
                    self.error(&fallback.why, None)?;
                }
                Event::Started => self.start(game, Some(game.game().spec().mode.number()))?,
                Event::Moved(moved) => self.moved(game, moved)?,
                Event::Ended(position) => {
                    self.is_over = true;
                    self.end(position.outcome(), position.ending().as_deref(), game)?;
                }
                Event::Replied(reply) => {
                    let is_start = events.iter().any(|event| matches!(event, Event::Started));
                    let result = result(game, reply, is_start).unwrap_or_else(|| {
                        let wording = Wording { glyphs: self.glyphs, names_keys: false };
                        let lines = messages::reply(game, reply, wording).into_iter();
                        Told::Texts(lines.map(Text::into_string).collect())
                    });
                    self.write(&JsonEvent::Word { line: self.reader.lines, word: reply.word, result })?;
                }
                Event::Refused(refusal) => {
                    let read = Refusal::shown(&self.read);
                    self.error(&messages::refusal(game, refusal), Some(read))?;
                }
                Event::Fault(fault) => self.error(&messages::fault(fault), None)?,
                Event::Left(_) if !self.is_over => {
                    self.end(None, Some("left"), game)?;
                }
                Event::Left(_)
                | Event::Present(_)
                | Event::Shown(_)
                | Event::Seated
                | Event::Reported(_)
                | Event::Tried(_) => {}
            }
        }
        Ok(())
    }

    fn next(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Next> {
        if !game.is_settled() {
            return Ok(self.reader.wait(game, inbox)?.unwrap_or(Next::Tick));
        }
        let input = self.reader.read()?;
        input.text().trim().clone_into(&mut self.read);
        Ok(Next::Line(input))
    }
}

/// Returns the answer for programs, if it holds more than the lines. `is_start` is `true` if
/// another game begins with it.
fn result(game: &Match, reply: &Reply, is_start: bool) -> Option<Told> {
    let at = &**game.game().position(reply.at);
    let is_over = at.outcome().is_some();
    Some(match &reply.answer {
        Answer::Told(Query::Moves) => Told::Texts(game.game().position(game.game().line_end()).played()),
        Answer::Told(Query::Legal) => Told::Texts(at.legal()),
        Answer::Told(Query::Link) => Told::Text(game.link().ok()?),
        Answer::Hint(thought) => {
            let best = thought.report.candidates.iter().filter_map(|one| {
                Some(Told::Candidate { r#move: one.text.clone(), worth: one.worth.as_ref()?.to_string() })
            });
            Told::Hint {
                r#move: thought.text.clone(),
                reason: at.reason(&thought.text).map(Text::into_string),
                value: messages::value_of(at, &thought.text),
                best: best.collect(),
            }
        }
        Answer::Values => {
            let values = at.values().iter();
            Told::Values(Object(values.map(|(text, value)| (text.clone(), value.to_string())).collect()))
        }
        Answer::Told(Query::Variations) => {
            let others = game.variations().into_iter().map(|id| game.game().position(id));
            let others = others.map(|other| Told::Variation { r#move: other.last(), ply: other.plies() });
            Told::Variations(others.collect())
        }
        Answer::Reviewed => Told::Review(findings(game.game())),
        Answer::PlayedAgain(_) if is_over => return None,
        Answer::Loaded(..) if is_over && !is_start => return None,
        Answer::Told(Query::Where | Query::Board)
        | Answer::TookBack(_)
        | Answer::BroughtBack
        | Answer::PlayedAgain(_)
        | Answer::BackToPresent
        | Answer::Looking
        | Answer::GoesOn { .. }
        | Answer::Promoted
        | Answer::Edited(_)
        | Answer::SideSet(_)
        | Answer::New(_)
        | Answer::Loaded(..) => {
            let [first, second] = Side::each(|side| at.view().pieces(side));
            let to_move = at.outcome().is_none().then(|| at.to_move());
            Told::Position { first, second, last: at.last(), to_move, ply: at.plies() + 1 }
        }
        _ => return None,
    })
}

/// Returns a chance as a whole number of per cent.
fn per_cent(chance: f64) -> f64 {
    (100.0 * chance).round()
}

/// Returns First's win chance in a position that is evaluated.
fn chance(game: &Game, id: NodeId) -> Option<f64> {
    game.judged(id).and_then(|judged| judged.chance).map(per_cent)
}

fn mark_of(game: &Game, mark: Mark, loss: Loss) -> MarkFields {
    let why = game.consequence(&loss).map(|Consequence { text, marks, .. }| WhyFields {
        text: text.into_string(),
        marks: Object(marks.into_iter().map(|(place, sign)| (place, sign.to_string())).collect()),
    });
    let Loss { cost, better, line, chance, .. } = loss;
    MarkFields { mark: mark.symbol(), cost: per_cent(cost), better, chance: per_cent(chance), line, why }
}

fn findings(game: &Game) -> Findings {
    let ply = |id: NodeId| game.position(id).plies();
    let marked = game.marked().into_iter().map(|(mark, loss)| {
        let (ply, r#move) = (ply(loss.node), game.position(loss.node).last());
        MarkedMove { ply, r#move, mark: mark_of(game, mark, loss) }
    });
    Findings {
        chances: game.line().iter().map(|&id| chance(game, id)).collect(),
        marked: marked.collect(),
        turning_point: game.turning_point().map(|loss| ply(loss.node)),
    }
}

/// Returns a reviewed game as lines of JSON: every move, then the findings as the command `review`
/// reports them.
pub(crate) fn review_lines(game: &Game) -> Vec<String> {
    let moves = game.line().into_iter().skip(1).map(|id| {
        let position = game.position(id);
        JsonEvent::Reviewed {
            ply: position.plies(),
            side: position.to_move().other(),
            r#move: position.last(),
            first: chance(game, id),
            mark: game.marked_move(id).map(|(mark, loss)| mark_of(game, mark, loss)),
        }
    });
    let all = moves.chain([JsonEvent::Review(findings(game))]);
    all.map(|event| serde_json::to_string(&event).expect("its keys are strings")).collect()
}
