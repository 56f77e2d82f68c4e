//! Line mode: plain text in, plain text out, for terminals, pipes, tests and screen readers. It
//! never moves the cursor or rewrites lines, and it writes escape codes only if colour is on.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use crate::ai::EngineKind;
use crate::canvas::{Canvas, GlyphSet, PaintOptions, PaintRole};
use crate::game::Refusal;
use crate::interrupt::{InterruptHandler, InterruptMode};
use crate::messages::{self, MessageWording};
use crate::play::{AppliedMove, CommandAnswer, CommandReply, LeaveReason, Match, MatchEvent, MatchQuery};
use crate::record::{MoveSource, NodeId};
use crate::registry::RegisteredGame;
use crate::session::{Position, SearchReport};
use crate::stdin::PeekableInput;
use crate::text;
use crate::text::Text;
use crate::text::columns;
use crate::ui::line_reader::LineReader;
pub use crate::ui::line_reader::read_line;
use crate::ui::{FrontEnd, Inbox, InputLine, NextStep};

/// Appearance of line mode.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the options are independent")]
pub struct LineModeStyle {
    /// `true` if a human types the input.
    ///
    /// Line mode then shows prompts and greetings, and prints refusals on standard output.
    pub is_dialogue: bool,
    /// `true` if pieces and marks are drawn in colour.
    pub has_colour: bool,
    /// `true` if boards are drawn; otherwise the command `board` describes the position.
    pub has_boards: bool,
    /// Characters with which boards are drawn.
    pub glyphs: GlyphSet,
    /// Column at which text is wrapped; `None` for no wrapping.
    pub width: Option<usize>,
    /// `true` if the statistics of every search are shown.
    pub has_stats: bool,
    /// `true` if the terminal bell rings after an engine's move.
    pub has_bell: bool,
}

/// Front end for line mode, over any input and output.
pub struct LineFrontEnd<'a> {
    reader: LineReader<'a>,
    out: Box<dyn Write + 'a>,
    err: Box<dyn Write + 'a>,
    style: LineModeStyle,
    /// Parts of the result line for the player's move and the engine's reply.
    ///
    /// A dialogue prints its moves at once and leaves them empty.
    exchange: Vec<String>,
    /// Messages that will be printed after the result line.
    notices: Vec<Text>,
    has_printed_seed: bool,
    has_warned: bool,
    /// Game number and node of the last printed comment.
    commented: Option<(u64, NodeId)>,
}

impl<'a> LineFrontEnd<'a> {
    /// Creates a front end that reads `input`, prints answers to `out` and diagnostics to `err`.
    pub fn new(
        input: impl BufRead + 'a,
        out: impl Write + 'a,
        err: impl Write + 'a,
        style: LineModeStyle,
    ) -> Self {
        let (exchange, notices) = (Vec::new(), Vec::new());
        let (reader, out, err) = (LineReader::new(input), Box::new(out), Box::new(err));
        let (has_printed_seed, has_warned, commented) = (false, false, None);
        LineFrontEnd { reader, out, err, style, exchange, notices, has_printed_seed, has_warned, commented }
    }

    /// Sets the Ctrl-C handler, whose effect depends on the state of the match.
    pub(crate) fn with_interrupt(mut self, interrupt: InterruptHandler) -> Self {
        self.reader.interrupt = interrupt;
        self
    }

    /// Sets the function that waits for an input line for at most a given time.
    ///
    /// It lets clocks run while the player does not type.
    pub(crate) fn with_line_poll(mut self, has_line_within: fn(Duration) -> bool) -> Self {
        self.reader.has_line_within = Some(has_line_within);
        self
    }

    /// Sets an input whose end is detected even while an external engine thinks.
    pub(crate) fn with_read_ahead(mut self, input: impl PeekableInput + 'a) -> Self {
        self.reader.set_look_ahead_input(input);
        self
    }

    /// Sets the time that an external engine has to answer after the end of the input.
    pub(crate) fn with_response_timeout(mut self, timeout: Option<Duration>) -> Self {
        self.reader.response_timeout = timeout;
        self
    }

    /// Prints the result line of the player's last move and the engine's reply, then the pending
    /// messages.
    fn print_exchange(&mut self) -> io::Result<()> {
        if !self.exchange.is_empty() {
            writeln!(self.out, "{}", std::mem::take(&mut self.exchange).join(" | "))?;
        }
        for notice in std::mem::take(&mut self.notices) {
            self.print_wrapped(2, &notice)?;
        }
        Ok(())
    }

    /// Writes a diagnostic, after flushing the answers. Errors in writing the diagnostic are
    /// ignored.
    fn write_diagnostic(&mut self, text: &str) -> io::Result<()> {
        self.out.flush()?;
        let _ = writeln!(self.err, "{text}");
        Ok(())
    }

    /// Prints a text with an indent, wrapped between words at the window width.
    fn print_wrapped(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let width = self.style.width.unwrap_or(usize::MAX).max(20);
        for row in text.lines() {
            let mut used = 0;
            for word in row.split(' ') {
                let length = columns::display_width(word);
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

    /// Draws a board, with coloured pieces and marks if colour is on.
    fn draw_canvas(&mut self, canvas: &Canvas) -> io::Result<()> {
        for y in 0..canvas.height() {
            let mut style = None;
            for (x, glyph) in canvas.row_text(y).chars().enumerate() {
                let wanted = ansi_codes_of_role(canvas.glyph_at(x, y).1).filter(|_| self.style.has_colour);
                if style != wanted {
                    // Runs of characters with the same style share one escape sequence.
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

    pub(super) fn print_board(&mut self, position: &dyn Position) -> io::Result<()> {
        self.print_exchange()?;
        if !self.style.has_boards {
            return self.out.flush();
        }
        self.draw_canvas(
            &position.paint_board(PaintOptions { glyphs: self.style.glyphs, ..PaintOptions::default() }),
        )
    }

    /// Prints the rules: each example position with its explanation, then the rule texts.
    fn print_rules(&mut self, entry: &RegisteredGame, position: &dyn Position) -> io::Result<()> {
        self.print_exchange()?;
        let look = PaintOptions { glyphs: self.style.glyphs, steps: true, ..PaintOptions::default() };
        for (lesson, text) in entry.lesson_positions() {
            if self.style.has_boards {
                self.draw_canvas(&lesson.paint_board(look))?;
            }
            self.print_wrapped(2, text)?;
            writeln!(self.out)?;
        }
        let line = |(heading, rule): (&str, Text)| match heading {
            "" => rule,
            _ => text!("{heading}: {rule}"),
        };
        self.print_lines(&messages::rule_lines(position).into_iter().map(line).collect::<Vec<_>>())
    }

    /// Prints the pending result line and messages, then the given lines with an indent.
    pub(crate) fn print_lines(&mut self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        self.print_exchange()?;
        for line in lines {
            self.print_wrapped(2, line.as_ref())?;
        }
        self.out.flush()
    }

    /// Reads an input line. The prompt is printed only if a human types the input.
    pub(crate) fn ask_for_line(&mut self, prompt: &str) -> io::Result<InputLine> {
        self.print_prompt(prompt)?;
        self.read_answer()
    }

    fn print_prompt(&mut self, prompt: &str) -> io::Result<()> {
        self.print_exchange()?;
        if self.style.is_dialogue {
            write!(self.out, "{prompt}")?;
        }
        self.out.flush()
    }

    fn read_answer(&mut self) -> io::Result<InputLine> {
        let input = self.reader.read_next_line()?;
        if input == InputLine::End && self.style.is_dialogue {
            writeln!(self.out)?;
        }
        Ok(input)
    }

    /// Waits for a line from the player, or returns `None` at the next deadline of the match.
    ///
    /// The first Ctrl-C only warns, the second one quits.
    pub(super) fn prompt_player(&mut self, game: &Match, inbox: &Inbox) -> io::Result<Option<InputLine>> {
        self.reader.interrupt.set_mode(InterruptMode::Prompt);
        self.print_prompt(&messages::format_prompt(game))?;
        let wait = game.next_deadline().map(|due| due.saturating_sub(inbox.now()));
        if wait.is_some_and(|wait| !self.reader.wait_for_line(wait)) {
            writeln!(self.out)?;
            return Ok(None);
        }
        self.read_answer().map(Some)
    }

    /// Waits for an engine's answer or a deadline of the match, and prints messages in the
    /// meantime.
    pub(super) fn wait_for_engine(&mut self, game: &Match, inbox: &Inbox) -> io::Result<NextStep> {
        let next = loop {
            let next = self.reader.wait_for_engine(game, inbox)?;
            let notices = self.reader.take_notices();
            if !notices.is_empty() {
                self.print_lines(&notices)?;
            }
            if let Some(next) = next {
                break next;
            }
        };
        if matches!(next, NextStep::Line(InputLine::End)) && self.style.is_dialogue {
            writeln!(self.out)?;
        }
        Ok(next)
    }

    fn print_start(&mut self, game: &Match) -> io::Result<()> {
        if self.style.has_stats && !std::mem::replace(&mut self.has_printed_seed, true) {
            self.print_stats(&format!("seed {}", game.rules().seed))?;
        }
        if self.style.is_dialogue {
            self.print_wrapped(0, &messages::format_greeting(game, self.style.glyphs))?;
            let warning = messages::unbeatable_engine_note(game).filter(|_| !self.has_warned);
            if let Some(text) = warning {
                self.has_warned = true;
                self.print_wrapped(0, text)?;
            }
        }
        // Players know the properties of their own game.
        if !game.game().has_human() && !game.game().file_properties().is_empty() {
            self.print_wrapped(2, &messages::format_header_remarks(game.game().file_properties()))?;
        }
        // Without boards, only a position other than the usual first one is described.
        let is_fresh = game.shown_position().initial_setup().is_none() && game.shown_position().plies() == 0;
        if !self.style.has_boards && !is_fresh {
            return self.print_lines(&messages::describe_position(&**game.shown_position()));
        }
        self.print_board(&**game.shown_position())
    }

    fn print_move(&mut self, game: &Match, moved: &AppliedMove) -> io::Result<()> {
        let node = game.game().tree().node(moved.node);
        let position = &**game.game().position(moved.node);
        let text = position.last_move().unwrap_or_default();
        let name = position.side_name(position.to_move().other());
        let report = node.search.as_deref().filter(|_| node.by == MoveSource::Machine);
        self.notices.extend(messages::describe_move_effects(game, moved));
        if self.style.has_bell && self.style.is_dialogue && game.game().is_humans_turn() {
            write!(self.out, "\x07")?;
        }
        if !game.game().has_human() {
            writeln!(self.out, "{}. {name} {text}", position.plies())?;
        } else if !self.style.is_dialogue {
            self.exchange.push(format!("{name} {text}"));
        } else if node.by == MoveSource::Human && game.game().sole_human_side().is_some() {
            writeln!(self.out, "  You: {text}.")?;
        } else {
            writeln!(self.out, "  {name}: {text}.{}", report.map(format_search_effort).unwrap_or_default())?;
        }
        self.out.flush()?;
        if self.style.has_stats {
            self.print_move_stats(game, moved, report)?;
        }
        // A resignation in a file follows its last move. No board is shown before an engine's reply.
        let goes_on =
            position.outcome().is_none() || node.by == MoveSource::File && position.early_end().is_some();
        let is_answered = game.game().has_human() && !game.game().is_humans_turn();
        if goes_on && !is_answered { self.print_board(position) } else { Ok(()) }
    }

    fn print_move_stats(
        &mut self,
        game: &Match,
        moved: &AppliedMove,
        report: Option<&SearchReport>,
    ) -> io::Result<()> {
        if let Some(report) = report {
            self.print_stats(&messages::format_search_stats(report))?;
        }
        if game.game().level() == EngineKind::Classic {
            let position = game.game().position(moved.node);
            for (word, _) in position.inspect_commands() {
                for read_line in position.run_inspect_command(word).unwrap_or_default() {
                    self.print_stats(&read_line)?;
                }
            }
        }
        Ok(())
    }

    /// Prints the comment on a shown position, unless it was the last comment printed.
    fn print_comment_once(&mut self, game: &Match, node: NodeId) -> io::Result<()> {
        let place = Some((game.game().number, node));
        if std::mem::replace(&mut self.commented, place) == place {
            return Ok(());
        }
        let lines = &game.game().tree().node(node).comments;
        if lines.is_empty() { Ok(()) } else { self.print_lines(lines) }
    }

    fn print_refusal(&mut self, why: &Refusal) -> io::Result<()> {
        if !self.style.is_dialogue {
            return self.write_diagnostic(&format!("line {}: {why}", self.reader.lines));
        }
        self.print_wrapped(2, &why.text)?;
        self.out.flush()
    }

    fn print_stats(&mut self, text: &str) -> io::Result<()> {
        if self.style.is_dialogue { writeln!(self.out, "  {text}") } else { self.write_diagnostic(text) }
    }

    fn print_end(&mut self, game: &Match, position: &dyn Position) -> io::Result<()> {
        // On a pipe there is no person to address.
        let you = game.game().sole_human_side().filter(|_| self.style.is_dialogue);
        let (Some(outcome), Some(result)) = (position.outcome(), messages::describe_result(position, you))
        else {
            return Ok(());
        };
        if !self.exchange.is_empty() {
            let won = |side| format!("{} won", position.side_name(side));
            let result = outcome.winner().map_or("draw".to_owned(), won);
            self.exchange.push(format!("{result} on move {}", position.plies()));
        }
        self.print_board(position)?;
        writeln!(self.out, "{result}")?;
        if let Some(offer) = game.level_offer().filter(|_| self.style.is_dialogue) {
            self.print_wrapped(0, &messages::ending::format_level_offer(&offer, false))?;
        }
        self.out.flush()
    }

    fn print_farewell(&mut self, game: &Match, leaving: &LeaveReason) -> io::Result<()> {
        self.print_exchange()?;
        if let LeaveReason::Done(unsaved) = leaving
            && self.style.is_dialogue
        {
            for said in messages::messages_on_leaving(game, *unsaved) {
                writeln!(self.out, "  {said}")?;
            }
        }
        self.out.flush()
    }
}

/// Returns the ANSI style codes of a role: bold, reverse or one of the 16 colours, as on the full screen.
fn ansi_codes_of_role(role: PaintRole) -> Option<&'static str> {
    match role {
        PaintRole::First => Some("1;91"),
        PaintRole::Second => Some("94"),
        PaintRole::FirstWon => Some("1;7;91"),
        PaintRole::SecondWon => Some("7;94"),
        PaintRole::Last
        | PaintRole::Cursor
        | PaintRole::Hint
        | PaintRole::Allowed
        | PaintRole::Refused
        | PaintRole::Path => Some("1;95"),
        PaintRole::Plain | PaintRole::Label | PaintRole::Frame => None,
    }
}

/// Formats the time and depth of a search, for printing after a move.
fn format_search_effort(report: &SearchReport) -> String {
    let seconds = report.elapsed.as_secs_f64();
    if report.depth == 0 { String::new() } else { format!("   ({seconds:.1} s, depth {})", report.depth) }
}

/// Returns the node whose comment is printed after an event, if any.
fn node_drawn_after(game: &Match, event: &MatchEvent) -> Option<NodeId> {
    match event {
        MatchEvent::Started | MatchEvent::Ended(_) => Some(game.game().shown_node()),
        MatchEvent::Present(node) | MatchEvent::Shown(node) => Some(*node),
        MatchEvent::Moved(AppliedMove { node, .. }) => {
            // The board after the last move is drawn with the result.
            let position = game.game().position(*node);
            let goes_on = position.outcome().is_none() || position.early_end().is_some();
            Some(*node).filter(|_| goes_on && game.game().move_source(*node) == MoveSource::File)
        }
        _ => None,
    }
}

impl fmt::Debug for LineFrontEnd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("style", &self.style).finish_non_exhaustive()
    }
}

impl FrontEnd for LineFrontEnd<'_> {
    fn show_events(&mut self, game: &Match, events: &[MatchEvent]) -> io::Result<()> {
        for event in events {
            match event {
                MatchEvent::FellBack(fallback) => self.write_diagnostic(&fallback.why.text)?,
                MatchEvent::Started => self.print_start(game)?,
                MatchEvent::Moved(moved) => self.print_move(game, moved)?,
                MatchEvent::Present(node) | MatchEvent::Shown(node) => {
                    self.print_board(&**game.game().position(*node))?;
                }
                MatchEvent::Ended(position) => self.print_end(game, &**position)?,
                MatchEvent::Replied(CommandReply {
                    at,
                    answer: CommandAnswer::Queried(MatchQuery::Rules),
                    ..
                }) => {
                    self.print_rules(game.game().spec().start.entry, &**game.game().position(*at))?;
                }
                MatchEvent::Replied(CommandReply {
                    at,
                    answer: CommandAnswer::Queried(MatchQuery::Board),
                    ..
                }) if !self.style.has_boards => {
                    self.print_lines(&messages::describe_position(&**game.game().position(*at)))?;
                }
                MatchEvent::Replied(reply) => {
                    let wording = MessageWording { glyphs: self.style.glyphs, names_keys: false };
                    self.print_lines(&messages::reply_lines(game, reply, wording))?;
                }
                MatchEvent::Refused(refusal) => {
                    self.print_refusal(&messages::describe_refusal(game, refusal))?;
                }
                MatchEvent::Fault(fault) => self.write_diagnostic(&messages::describe_fault(fault).text)?,
                MatchEvent::Left(leaving) => self.print_farewell(game, leaving)?,
                MatchEvent::Seated | MatchEvent::Reported(_) | MatchEvent::Tried(_) => {}
            }
            if let Some(node) = node_drawn_after(game, event) {
                self.print_comment_once(game, node)?;
            }
        }
        Ok(())
    }

    fn next_step(&mut self, game: &Match, inbox: &Inbox) -> io::Result<NextStep> {
        if game.is_ready_for_input() {
            return Ok(self.prompt_player(game, inbox)?.map_or(NextStep::Tick, NextStep::Line));
        }
        self.wait_for_engine(game, inbox)
    }

    fn can_ask_person(&self) -> bool {
        self.style.is_dialogue
    }
}
