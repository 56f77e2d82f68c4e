//! Line mode: plain text in, plain text out, for terminals, pipes, tests and screen readers.
//! Never moves the cursor, never rewrites a line, writes no escape byte unless colour is on.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use crate::ai::EngineKind;
use crate::canvas::{Canvas, Glyphs, PaintOptions, Role};
use crate::game::Refusal;
use crate::interrupt::{Interrupt, InterruptMode};
use crate::messages::{self, Wording};
use crate::play::{Answer, Event, Leaving, Match, Moved, Query, Reply};
use crate::record::{MoveSource, NodeId};
use crate::registry::Entry;
use crate::session::{Position, SearchReport};
use crate::stdin::LookAhead;
use crate::text;
use crate::text::Text;
use crate::text::columns;
use crate::ui::line_reader::LineReader;
pub use crate::ui::line_reader::read_line;
use crate::ui::{FrontEnd, Inbox, Input, Next};

/// Appearance of line mode.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
pub struct Style {
    /// `true` if a person types: prompts and greetings are shown, and refusals are printed among
    /// the answers.
    pub is_dialogue: bool,
    /// `true` if pieces and marks are coloured.
    pub has_colour: bool,
    /// `true` if boards are drawn; otherwise the command `board` describes the position.
    pub has_boards: bool,
    /// Characters of the board.
    pub glyphs: Glyphs,
    /// Columns at which sentences are broken, where a person reads them in a window.
    pub width: Option<usize>,
    /// `true` if the numbers of every search are shown.
    pub has_stats: bool,
    /// `true` if the bell rings when an engine has moved and a person reads.
    pub has_bell: bool,
}

/// Line mode over any input and output.
pub struct Line<'a> {
    reader: LineReader<'a>,
    out: Box<dyn Write + 'a>,
    err: Box<dyn Write + 'a>,
    style: Style,
    /// Parts of the result line of the current exchange of moves, on a pipe.
    exchange: Vec<String>,
    /// Messages to print at the end of the exchange.
    notices: Vec<Text>,
    has_told_the_seed: bool,
    has_warned: bool,
    /// Number of the game and the position whose comment was printed last.
    commented: Option<(u64, NodeId)>,
}

impl<'a> Line<'a> {
    /// Creates a line mode that reads `input`, answers to `out` and reports to `err`.
    pub fn new(input: impl BufRead + 'a, out: impl Write + 'a, err: impl Write + 'a, style: Style) -> Self {
        let (exchange, notices) = (Vec::new(), Vec::new());
        let (reader, out, err) = (LineReader::new(input), Box::new(out), Box::new(err));
        let (has_told_the_seed, has_warned, commented) = (false, false, None);
        Line { reader, out, err, style, exchange, notices, has_told_the_seed, has_warned, commented }
    }

    /// Sets the handling of Ctrl-C, which depends on what the player is doing.
    pub(crate) fn with_interrupt(mut self, interrupt: Interrupt) -> Self {
        self.reader.interrupt = interrupt;
        self
    }

    /// Sets the function that waits for a line, where clocks run while nobody types.
    pub(crate) fn with_clocks(mut self, has_line_within: fn(Duration) -> bool) -> Self {
        self.reader.has_line_within = Some(has_line_within);
        self
    }

    /// Sets the input, which is searched for its end while an external engine thinks.
    pub(crate) fn with_read_ahead(mut self, input: impl LookAhead + 'a) -> Self {
        self.reader.read_from(input);
        self
    }

    /// Sets the time for which an external engine is waited for after the end of the input.
    pub(crate) fn with_response_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.reader.response_timeout = timeout;
        self
    }

    /// Prints the result line of the exchange that has ended.
    fn end_exchange(&mut self) -> io::Result<()> {
        if !self.exchange.is_empty() {
            writeln!(self.out, "{}", std::mem::take(&mut self.exchange).join(" | "))?;
        }
        for notice in std::mem::take(&mut self.notices) {
            self.print(2, &notice)?;
        }
        Ok(())
    }

    /// Writes a diagnostic, after all answers. The game continues even if nobody reads the
    /// diagnostics any more.
    fn report(&mut self, text: &str) -> io::Result<()> {
        self.out.flush()?;
        let _ = writeln!(self.err, "{text}");
        Ok(())
    }

    /// Prints a sentence with an indent, broken between words where the window ends.
    fn print(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let width = self.style.width.unwrap_or(usize::MAX).max(20);
        for row in text.lines() {
            let mut used = 0;
            for word in row.split(' ') {
                let length = columns::width(word);
                if used > indent && used + 1 + length >= width {
                    writeln!(self.out)?;
                    used = 0;
                }
                let gap = if used == 0 { indent } else { 1 };
                write!(self.out, "{:gap$}{word}", "")?;
                used += gap + length;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    /// Draws a board, pieces and marks in their colours where there are any.
    fn draw(&mut self, canvas: &Canvas) -> io::Result<()> {
        for y in 0..canvas.height() {
            let mut style = None;
            for (x, glyph) in canvas.row(y).chars().enumerate() {
                let wanted = colours(canvas.at(x, y).1).filter(|_| self.style.has_colour);
                if style != wanted {
                    // One sequence for a run of characters that look alike.
                    let reset = if style.is_some() { "\x1b[0m" } else { "" };
                    let set = wanted.map(|style| format!("\x1b[{style}m")).unwrap_or_default();
                    write!(self.out, "{reset}{set}")?;
                    style = wanted;
                }
                write!(self.out, "{glyph}")?;
            }
            writeln!(self.out, "{}", if style.is_some() { "\x1b[0m" } else { "" })?;
        }
        self.out.flush()
    }

    pub(super) fn board(&mut self, position: &dyn Position) -> io::Result<()> {
        self.end_exchange()?;
        if !self.style.has_boards {
            return self.out.flush();
        }
        self.draw(&position.canvas(PaintOptions { glyphs: self.style.glyphs, ..PaintOptions::default() }))
    }

    /// Shows the rules: each lesson with its board, then the sentences.
    fn rules(&mut self, entry: &Entry, position: &dyn Position) -> io::Result<()> {
        self.end_exchange()?;
        let look = PaintOptions { glyphs: self.style.glyphs, steps: true, ..PaintOptions::default() };
        for (lesson, text) in entry.lesson_positions() {
            if self.style.has_boards {
                self.draw(&lesson.canvas(look))?;
            }
            self.print(2, text)?;
            writeln!(self.out)?;
        }
        let line = |(heading, rule): (&str, Text)| match heading {
            "" => rule,
            _ => text!("{heading}: {rule}"),
        };
        self.say(&messages::rules(position).into_iter().map(line).collect::<Vec<_>>())
    }

    /// Prints lines that answer no command.
    pub(crate) fn say(&mut self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        self.end_exchange()?;
        for line in lines {
            self.print(2, line.as_ref())?;
        }
        self.out.flush()
    }

    /// Waits for a line. The prompt is shown only to a person.
    pub(crate) fn ask(&mut self, prompt: &str) -> io::Result<Input> {
        self.prompt(prompt)?;
        self.answer()
    }

    fn prompt(&mut self, prompt: &str) -> io::Result<()> {
        self.end_exchange()?;
        if self.style.is_dialogue {
            write!(self.out, "{prompt}")?;
        }
        self.out.flush()
    }

    fn answer(&mut self) -> io::Result<Input> {
        let input = self.reader.read()?;
        if input == Input::End && self.style.is_dialogue {
            writeln!(self.out)?;
        }
        Ok(input)
    }

    /// Waits for a line of a player, who is warned before Ctrl-C quits; `None` when time alone
    /// changes something before.
    pub(super) fn ask_player(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<Input>> {
        self.reader.interrupt.set_mode(InterruptMode::Prompt);
        self.prompt(&messages::prompt(game))?;
        let wait = game.due().map(|due| due.saturating_sub(inbox.now()));
        if wait.is_some_and(|wait| !self.reader.has_line_before(wait)) {
            writeln!(self.out)?;
            return Ok(None);
        }
        self.answer().map(Some)
    }

    /// Waits for an answer of an engine, or for time.
    pub(super) fn wait(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Next> {
        let next = loop {
            let next = self.reader.wait(game, inbox)?;
            let notices = self.reader.take_notices();
            if !notices.is_empty() {
                self.say(&notices)?;
            }
            if let Some(next) = next {
                break next;
            }
        };
        if matches!(next, Next::Line(Input::End)) && self.style.is_dialogue {
            writeln!(self.out)?;
        }
        Ok(next)
    }

    fn started(&mut self, game: &Match) -> io::Result<()> {
        if self.style.has_stats && !std::mem::replace(&mut self.has_told_the_seed, true) {
            self.stats(&format!("seed {}", game.rules().seed))?;
        }
        if self.style.is_dialogue {
            self.print(0, &messages::greeting(game, self.style.glyphs))?;
            let warning = messages::unbeatable(game).filter(|_| !self.has_warned);
            if let Some(text) = warning {
                self.has_warned = true;
                self.print(0, text)?;
            }
        }
        // Players know whose game it is.
        if !game.game().has_human() && !game.game().remarks().is_empty() {
            self.print(2, &messages::remarks(game.game().remarks()))?;
        }
        // A player from the first position on knows it.
        let is_fresh = game.shown().setup().is_none() && game.shown().plies() == 0;
        if !self.style.has_boards && !is_fresh {
            return self.say(&messages::where_is_what(&**game.shown()));
        }
        self.board(&**game.shown())
    }

    fn moved(&mut self, game: &Match, moved: &Moved) -> io::Result<()> {
        let node = game.game().tree().node(moved.node);
        let position = &**game.game().position(moved.node);
        let text = position.last().unwrap_or_default();
        let name = position.side_name(position.to_move().other());
        let report = node.search.as_deref().filter(|_| node.by == MoveSource::Machine);
        self.notices.extend(messages::notice(game, moved));
        if self.style.has_bell && self.style.is_dialogue && game.game().is_humans_turn() {
            write!(self.out, "\x07")?;
        }
        if !game.game().has_human() {
            writeln!(self.out, "{}. {name} {text}", position.plies())?;
        } else if !self.style.is_dialogue {
            self.exchange.push(format!("{name} {text}"));
        } else if node.by == MoveSource::Human && game.game().only_human().is_some() {
            writeln!(self.out, "  You: {text}.")?;
        } else {
            writeln!(self.out, "  {name}: {text}.{}", report.map(effort).unwrap_or_default())?;
        }
        self.out.flush()?;
        if self.style.has_stats {
            self.stats_of_a_move(game, moved, report)?;
        }
        // A resignation in a file comes after its last move. Before the answer of an engine no board is shown.
        let goes_on =
            position.outcome().is_none() || node.by == MoveSource::File && position.early().is_some();
        let is_answered = game.game().has_human() && !game.game().is_humans_turn();
        if goes_on && !is_answered { self.board(position) } else { Ok(()) }
    }

    fn stats_of_a_move(
        &mut self,
        game: &Match,
        moved: &Moved,
        report: Option<&SearchReport>,
    ) -> io::Result<()> {
        if let Some(report) = report {
            self.stats(&messages::stats(report))?;
        }
        if game.game().level() == EngineKind::Classic {
            let position = game.game().position(moved.node);
            for (word, _) in position.inspect_words() {
                for line in position.inspect(word).unwrap_or_default() {
                    self.stats(&line)?;
                }
            }
        }
        Ok(())
    }

    /// Prints the comment on a position that has come on the screen, once.
    fn comment(&mut self, game: &Match, node: NodeId) -> io::Result<()> {
        let place = Some((game.game().number, node));
        if std::mem::replace(&mut self.commented, place) == place {
            return Ok(());
        }
        let lines = &game.game().tree().node(node).comments;
        if lines.is_empty() { Ok(()) } else { self.say(lines) }
    }

    fn refuse(&mut self, why: &Refusal) -> io::Result<()> {
        if !self.style.is_dialogue {
            return self.report(&format!("line {}: {why}", self.reader.lines));
        }
        self.print(2, &why.text)?;
        self.out.flush()
    }

    fn stats(&mut self, text: &str) -> io::Result<()> {
        if self.style.is_dialogue { writeln!(self.out, "  {text}") } else { self.report(text) }
    }

    fn ended(&mut self, game: &Match, position: &dyn Position) -> io::Result<()> {
        // A pipe has no person to speak to.
        let you = game.game().only_human().filter(|_| self.style.is_dialogue);
        let (Some(outcome), Some(result)) = (position.outcome(), messages::result(position, you)) else {
            return Ok(());
        };
        if !self.exchange.is_empty() {
            let won = |side| format!("{} won", position.side_name(side));
            let result = outcome.winner().map_or("draw".to_owned(), won);
            self.exchange.push(format!("{result} on move {}", position.plies()));
        }
        self.board(position)?;
        writeln!(self.out, "{result}")?;
        if let Some(offer) = game.offer().filter(|_| self.style.is_dialogue) {
            self.print(0, &messages::ending::offer(&offer, false))?;
        }
        self.out.flush()
    }

    fn leave(&mut self, game: &Match, leaving: &Leaving) -> io::Result<()> {
        self.end_exchange()?;
        if let Leaving::Done(unsaved) = leaving
            && self.style.is_dialogue
        {
            for said in messages::left_behind(game, *unsaved) {
                writeln!(self.out, "  {said}")?;
            }
        }
        self.out.flush()
    }
}

/// Returns the escape numbers of a role: bold, reverse, one of the sixteen colours, as on the full
/// screen.
fn colours(role: Role) -> Option<&'static str> {
    match role {
        Role::First => Some("1;91"),
        Role::Second => Some("94"),
        Role::FirstWon => Some("1;7;91"),
        Role::SecondWon => Some("7;94"),
        Role::Last | Role::Cursor | Role::Hint | Role::Allowed | Role::Refused | Role::Path => Some("1;95"),
        Role::Plain | Role::Label | Role::Frame => None,
    }
}

/// Returns time and depth of a search, to be printed after a move.
fn effort(report: &SearchReport) -> String {
    let seconds = report.elapsed.as_secs_f64();
    if report.depth == 0 { String::new() } else { format!("   ({seconds:.1} s, depth {})", report.depth) }
}

/// Returns the position whose board is on the screen after an event, if a file may have a comment
/// on it.
fn board_of(game: &Match, event: &Event) -> Option<NodeId> {
    match event {
        Event::Started | Event::Ended(_) => Some(game.game().shown()),
        Event::Present(node) | Event::Shown(node) => Some(*node),
        Event::Moved(Moved { node, .. }) => {
            // The board of the last move comes with the result.
            let position = game.game().position(*node);
            let goes_on = position.outcome().is_none() || position.early().is_some();
            Some(*node).filter(|_| goes_on && game.game().made_by(*node) == MoveSource::File)
        }
        _ => None,
    }
}

impl fmt::Debug for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("style", &self.style).finish_non_exhaustive()
    }
}

impl FrontEnd for Line<'_> {
    fn hear(&mut self, game: &Match, events: &[Event]) -> io::Result<()> {
        for event in events {
            match event {
                Event::FellBack(fallback) => self.report(&fallback.why.text)?,
                Event::Started => self.started(game)?,
                Event::Moved(moved) => self.moved(game, moved)?,
                Event::Present(node) | Event::Shown(node) => self.board(&**game.game().position(*node))?,
                Event::Ended(position) => self.ended(game, &**position)?,
                Event::Replied(Reply { at, answer: Answer::Told(Query::Rules), .. }) => {
                    self.rules(game.game().spec().start.entry, &**game.game().position(*at))?;
                }
                Event::Replied(Reply { at, answer: Answer::Told(Query::Board), .. })
                    if !self.style.has_boards =>
                {
                    self.say(&messages::where_is_what(&**game.game().position(*at)))?;
                }
                Event::Replied(reply) => {
                    let wording = Wording { glyphs: self.style.glyphs, names_keys: false };
                    self.say(&messages::reply(game, reply, wording))?;
                }
                Event::Refused(refusal) => self.refuse(&messages::refusal(game, refusal))?,
                Event::Fault(fault) => self.report(&messages::fault(fault).text)?,
                Event::Left(leaving) => self.leave(game, leaving)?,
                Event::Seated | Event::Reported(_) | Event::Tried(_) => {}
            }
            if let Some(node) = board_of(game, event) {
                self.comment(game, node)?;
            }
        }
        Ok(())
    }

    fn next(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Next> {
        if game.is_settled() {
            return Ok(self.ask_player(game, inbox)?.map_or(Next::Tick, Next::Line));
        }
        self.wait(game, inbox)
    }

    fn can_ask(&self) -> bool {
        self.style.is_dialogue
    }
}
