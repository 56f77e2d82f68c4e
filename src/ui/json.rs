//! Line mode for programs: one JSON object a line on the output, flushed at once, and nothing else.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::canvas::Glyphs;
use crate::game::{Outcome, Refusal, Side};
use crate::messages::{self, Wording};
use crate::play::{Answer, Event, Game, Loss, Match, Moved, Query, Reply};
use crate::protocol::LookAhead;
use crate::record::{By, NodeId};
use crate::session::Position;
use crate::text::Text;
use crate::ui::line_reader::LineReader;
use crate::ui::{FrontEnd, Inbox, Next};

/// JSON lines over any input and output.
pub struct Json<'a> {
    reader: LineReader<'a>,
    out: Box<dyn Write + 'a>,
    glyphs: Glyphs,
    read: String,
    is_over: bool,
}

impl<'a> Json<'a> {
    /// Reads moves and words from `input`, writes events to `out`; sentences draw with `glyphs`.
    pub fn new(input: impl BufRead + 'a, out: impl Write + 'a, glyphs: Glyphs) -> Self {
        let (reader, out) = (LineReader::new(input), Box::new(out));
        Json { reader, out, glyphs, read: String::new(), is_over: false }
    }

    /// Reads from this input, which is searched for its end while an external engine thinks; so long it may do that after
    /// the end.
    pub(crate) fn with_read_ahead(mut self, input: impl LookAhead + 'a, timeout: Option<Duration>) -> Self {
        self.reader.read_from(input);
        self.reader.response_timeout = timeout;
        self
    }

    /// Writes one event.
    fn write(&mut self, event: &Value) -> io::Result<()> {
        writeln!(self.out, "{event}")?;
        self.out.flush()
    }

    /// A game begins, in the mode of that number, if it is a mode.
    fn start(&mut self, game: &Match, mode: Option<u8>) -> io::Result<()> {
        let (position, played) = (game.present_position(), game.game());
        let mut event = json!({"event": "start", "game": position.name()});
        for (key, value) in position.settings() {
            event[*key] = match value.as_str() {
                "on" => true.into(),
                "off" => false.into(),
                text => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
            };
        }
        event["mode"] = mode.into();
        let program = played.spec.program.as_ref().map(|program| program.name.clone());
        let is_level = played.has_engine() && program.is_none();
        event["level"] = is_level.then(|| played.level.to_string()).into();
        if let Some(name) = program {
            event["program"] = name.into();
        }
        event["you"] = played.only_human().map(|side| side.to_string()).into();
        event["seed"] = game.rules().seed.into();
        event["version"] = env!("CARGO_PKG_VERSION").into();
        if !played.has_human() && !played.remarks.is_empty() {
            let remarks = played.remarks.iter().map(|(key, value)| (key.clone(), value.as_str().into()));
            event["remarks"] = remarks.collect::<Map<_, _>>().into();
        }
        self.write(&event)
    }

    fn error(&mut self, illegal: &Refusal, read: Option<String>) -> io::Result<()> {
        let (Refusal { code, text }, line) = (illegal, self.reader.lines);
        self.write(&match read {
            Some(read) => {
                json!({"event": "error", "line": line, "code": code.as_str(), "read": read, "message": text.as_str()})
            }
            None => json!({"event": "error", "code": code.as_str(), "message": text.as_str()}),
        })
    }

    fn moved(&mut self, game: &Match, moved: &Moved) -> io::Result<()> {
        let tree = &game.game().tree;
        let (node, position) = (tree.node(moved.node), tree.position(moved.node));
        let by = match node.by {
            By::Human => "human",
            By::Machine => "machine",
            By::File => "file",
        };
        let legal = tree.parent(moved.node).map_or(0, |before| tree.position(before).legal_count());
        let side = position.to_move().other().to_string();
        let mut event = json!({
            "event": "move", "ply": position.plies(), "side": side, "move": position.last(), "by": by,
            "legal": legal,
        });
        let report = node.search.as_ref().filter(|_| node.by == By::Machine);
        if let Some(report) = report {
            event["nodes"] = report.nodes.into();
            event["depth"] = report.depth.into();
            event["score"] = report.score.map(|score| score.0).into();
            event["pv"] = report.pv.clone().into();
            if let Some(status) = report.proof {
                event["status"] = status.to_string().into();
            }
        }
        let ms = report.map_or(0, |report| report.elapsed.as_millis());
        event["ms"] = u64::try_from(ms).unwrap_or(u64::MAX).into();
        if let Some(notice) = messages::notice(game, moved) {
            event["notice"] = notice.as_str().into();
        }
        self.write(&event)
    }

    fn ended(&mut self, game: &Match, position: &dyn Position) -> io::Result<()> {
        self.is_over = true;
        self.end(position.outcome(), position.ending().as_deref(), game)
    }

    fn end(&mut self, outcome: Option<Outcome>, reason: Option<&str>, game: &Match) -> io::Result<()> {
        let (plies, saved) = (game.present_position().plies(), game.game().is_saved());
        let outcome = outcome.map(|outcome| outcome.to_string());
        self.write(&json!({
            "event": "end", "outcome": outcome, "reason": reason, "plies": plies, "saved": saved,
        }))
    }
}

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
                Event::Started => self.start(game, Some(game.game().spec.mode.number()))?,
                Event::Moved(moved) => self.moved(game, moved)?,
                Event::Ended(position) => self.ended(game, &**position)?,
                Event::Replied(reply) => {
                    let is_start = events.iter().any(|event| matches!(event, Event::Started));
                    let result = result(game, reply, is_start).unwrap_or_else(|| {
                        let wording = Wording { glyphs: self.glyphs, names_keys: false };
                        let lines = messages::reply(game, reply, wording).into_iter();
                        lines.map(Text::into_string).collect()
                    });
                    let line = self.reader.lines;
                    self.write(
                        &json!({"event": "word", "line": line, "word": reply.word, "result": result}),
                    )?;
                }
                Event::Refused(refusal) => {
                    let read = Refusal::shown(&self.read);
                    self.error(&messages::refusal(game, refusal), Some(read))?;
                }
                Event::Fault(fault) => self.error(&messages::fault(fault), None)?,
                Event::Left(_) if !self.is_over => {
                    self.end(None, Some("left"), game)?;
                }
                Event::Left(_) | Event::Present(_) | Event::Shown(_) | Event::Seated | Event::Reported(_) => {
                }
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

/// The answer for programs, where it is more than the lines. `is_start` says that another game begins with it.
fn result(game: &Match, reply: &Reply, is_start: bool) -> Option<Value> {
    let at = &**game.game().position(reply.at);
    let is_over = at.outcome().is_some();
    Some(match &reply.answer {
        Answer::Told(Query::Moves) => game.game().position(game.game().line_end()).played().into(),
        Answer::Told(Query::Legal) => at.legal().into(),
        Answer::Told(Query::Link) => game.link().ok()?.into(),
        Answer::Hint(thought) => {
            let best = thought.report.candidates.iter();
            let best = best
                .filter_map(|one| Some(json!({"move": one.text, "worth": one.worth.as_ref()?.to_string()})));
            json!({
                "move": thought.text,
                "reason": at.reason(&thought.text).as_deref(),
                "value": messages::value_of(at, &thought.text),
                "best": best.collect::<Vec<_>>(),
            })
        }
        Answer::Values => {
            let values = at.values().iter();
            values.map(|(text, value)| (text.clone(), value.to_string().into())).collect::<Map<_, _>>().into()
        }
        Answer::Told(Query::Variations) => {
            let others = game.variations().into_iter().map(|id| game.game().position(id));
            others.map(|other| json!({"move": other.last(), "ply": other.plies()})).collect()
        }
        Answer::Reviewed => review(game.game()),
        Answer::PlayedAgain(_) if is_over => return None,
        Answer::Loaded(..) if is_over && !is_start => return None,
        Answer::Told(Query::Where | Query::Board)
        | Answer::TookBack(_)
        | Answer::BroughtBack
        | Answer::PlayedAgain(_)
        | Answer::BackToPresent
        | Answer::Looking
        | Answer::GoesOn(_)
        | Answer::Promoted
        | Answer::SideSet(_)
        | Answer::New(_)
        | Answer::Loaded(..) => position(at),
        _ => return None,
    })
}

/// A review for programs: First's chances after every move, in per cent, the marked moves and the turning point.
fn review(game: &Game) -> Value {
    let per_cent = |chance: f64| (100.0 * chance).round();
    let chance = |id: &NodeId| game.judged(*id).and_then(|judged| judged.chance).map(per_cent);
    let ply = |loss: &Loss| game.position(loss.node).plies();
    let marked = game.marked().into_iter().map(|(mark, loss)| {
        json!({
            "ply": ply(&loss), "move": game.position(loss.node).last(), "mark": mark.symbol(),
            "cost": per_cent(loss.cost), "better": loss.better, "chance": per_cent(loss.chance),
        })
    });
    json!({
        "chances": game.line().iter().map(chance).collect::<Vec<_>>(),
        "marked": marked.collect::<Vec<_>>(),
        "turning_point": game.turning_point().as_ref().map(ply),
    })
}

/// The position for programs: what each side has, the last move, whose turn it is.
pub fn position(position: &dyn Position) -> Value {
    json!({
        "first": position.view().pieces(Side::First),
        "second": position.view().pieces(Side::Second),
        "last": position.last(),
        "to_move": position.outcome().is_none().then(|| position.to_move().to_string()),
        "ply": position.plies() + 1,
    })
}
