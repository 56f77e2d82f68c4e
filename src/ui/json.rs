//! Line mode for programs: one JSON object a line on the output, flushed at once, and nothing else.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;

use serde_json::{Map, Value, json};

use crate::game::{Illegal, Side};
use crate::session::{Report, Session};
use crate::ui::line::{MAX_LINE, read_line};
use crate::ui::{By, Ended, Input, Moved, Opening, Said, Screen, wait_for_the_move};

/// JSON lines over any input and output.
#[derive(Debug)]
pub struct Json<I, O> {
    input: I,
    out: O,
    lines: u64,
    read: String,
    is_over: bool,
    /// Says that no more input will come.
    has_ended: Option<Arc<AtomicBool>>,
}

impl<I: BufRead, O: Write> Json<I, O> {
    /// Reads moves and words from `input`, writes events to `out`.
    pub fn new(input: I, out: O) -> Self {
        Json { input, out, lines: 0, read: String::new(), is_over: false, has_ended: None }
    }

    /// The same with a flag that is raised when all input has been read: a machine that still thinks then answers soon.
    #[must_use]
    pub fn with_end_flag(self, has_ended: Option<Arc<AtomicBool>>) -> Self {
        Json { has_ended, ..self }
    }

    /// Writes one event; its name comes first.
    fn event(&mut self, name: &str, members: Value) -> io::Result<()> {
        let mut all = Map::new();
        all.insert("event".to_owned(), name.into());
        if let Value::Object(members) = members {
            all.extend(members);
        }
        writeln!(self.out, "{}", Value::Object(all))?;
        self.out.flush()
    }

    fn start(&mut self, session: &dyn Session, opening: &Opening<'_>) -> io::Result<()> {
        let mut members = Map::new();
        members.insert("game".to_owned(), session.name().into());
        for (key, value) in session.settings() {
            let value = match value.as_str() {
                "on" => true.into(),
                "off" => false.into(),
                text => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
            };
            members.insert((*key).to_owned(), value);
        }
        members.insert("mode".to_owned(), opening.mode.into());
        members.insert("level".to_owned(), opening.level.map(|level| level.to_string()).into());
        members.insert("you".to_owned(), opening.you.map(|side| side.to_string()).into());
        members.insert("seed".to_owned(), opening.seed.into());
        members.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
        if !opening.remarks.is_empty() {
            let remarks =
                opening.remarks.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
            members.insert("remarks".to_owned(), remarks.collect::<Map<_, _>>().into());
        }
        self.event("start", Value::Object(members))
    }

    fn error(&mut self, illegal: &Illegal, read: Option<String>) -> io::Result<()> {
        let Illegal { code, text } = illegal;
        match read {
            Some(read) => {
                let line = self.lines;
                self.event("error", json!({"line": line, "code": code, "read": read, "message": text}))
            }
            None => self.event("error", json!({"code": code, "message": text})),
        }
    }
}

impl<I: BufRead, O: Write> Screen for Json<I, O> {
    fn open(&mut self, session: &dyn Session, opening: &Opening<'_>) -> io::Result<()> {
        self.start(session, opening)
    }

    fn fall_back(&mut self, session: &dyn Session, wanted: &Opening<'_>, why: &Illegal) -> io::Result<()> {
        self.start(session, wanted)?;
        self.error(why, None)
    }

    fn ask(&mut self, _: &str) -> io::Result<Input> {
        let input = read_line(&mut self.input, MAX_LINE)?;
        self.lines += u64::from(input != Input::End);
        self.read = match &input {
            Input::Line(line) => line.trim().to_owned(),
            Input::TooLong | Input::Endless | Input::End => String::new(),
        };
        Ok(input)
    }

    fn while_thinking(
        &mut self,
        _: &dyn Session,
        news: &Receiver<Report>,
        stop: &AtomicBool,
    ) -> io::Result<Option<Input>> {
        wait_for_the_move(&mut self.input, self.has_ended.as_deref(), news, stop).map(|()| None)
    }

    fn moved(&mut self, _: &dyn Session, moved: &Moved<'_>) -> io::Result<()> {
        let Moved { ply, side, text, by, legal, report, notice } = *moved;
        let by = match by {
            By::Human => "human",
            By::Machine => "machine",
            By::File => "file",
        };
        let mut members =
            json!({"ply": ply, "side": side.to_string(), "move": text, "by": by, "legal": legal});
        let ms = match report {
            Some(report) => {
                members["nodes"] = report.nodes.into();
                members["depth"] = report.depth.into();
                members["score"] = report.score.map(|score| score.0).into();
                members["pv"] = report.pv.clone().into();
                if let Some(status) = report.status {
                    members["status"] = status.to_string().into();
                }
                u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX)
            }
            None => 0,
        };
        members["ms"] = ms.into();
        if let Some(notice) = notice {
            members["notice"] = notice.into();
        }
        self.event("move", members)
    }

    fn board(&mut self, _: &dyn Session) -> io::Result<()> {
        Ok(())
    }

    fn say(&mut self, said: &Said) -> io::Result<()> {
        let result = said.result.clone().unwrap_or_else(|| said.lines.clone().into());
        let line = self.lines;
        self.event("word", json!({"line": line, "word": said.word, "result": result}))
    }

    fn refuse(&mut self, illegal: &Illegal) -> io::Result<()> {
        let read = Illegal::shown(&self.read);
        self.error(illegal, Some(read))
    }

    fn stats(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn note(&mut self, why: &Illegal) -> io::Result<()> {
        self.error(why, None)
    }

    fn ended(&mut self, _: &dyn Session, ended: &Ended<'_>) -> io::Result<()> {
        self.is_over = true;
        let Ended { outcome, reason, plies } = ended;
        let members =
            json!({"outcome": outcome.to_string(), "reason": reason, "plies": plies, "saved": false});
        self.event("end", members)
    }

    fn leave(&mut self, session: &dyn Session, _: bool) -> io::Result<()> {
        if self.is_over {
            return Ok(());
        }
        self.event(
            "end",
            json!({"outcome": null, "reason": "left", "plies": session.plies(), "saved": false}),
        )
    }
}

/// The position for programs: what each side has, the last move, whose turn it is.
#[must_use]
pub fn position(session: &dyn Session) -> Value {
    json!({
        "first": session.pieces(Side::First),
        "second": session.pieces(Side::Second),
        "last": session.last(),
        "to_move": session.outcome().is_none().then(|| session.to_move().to_string()),
        "ply": session.plies() + 1,
    })
}
