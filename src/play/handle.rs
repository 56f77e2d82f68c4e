//! Handling of commands: what they do to a match, and the events that its parts' facts become.

use crate::game::Side;
use crate::play::{
    AfterEnd, Answer, Command, Contest, Core, EditNews, Event, Fact, Game, HistoryTarget, IncompleteReplay,
    Leaving, Match, MatchRefusal, Mode, NewGame, Now, PlayAs, Rematch, Reply, Unsaved,
};
use crate::record::{EditHistory, MoveSource, NodeId, Strictness};
use crate::registry::GameStart;
use crate::thinking::HostId;

impl Match {
    /// Executes a command and returns the events. A refused command changes no game; a typed move
    /// that is refused still returns to the present position.
    pub fn handle(&mut self, command: Command, now: Now) -> Vec<Event> {
        self.take(now, |game| game.apply(command))
    }

    /// Applies a change to the match, after the clocks have been checked, and returns the events.
    pub(super) fn take(
        &mut self,
        now: Now,
        happens: impl FnOnce(&mut Self) -> Result<(), MatchRefusal>,
    ) -> Vec<Event> {
        if self.has_left {
            return Vec::new();
        }
        self.now = now;
        self.to_replace = None;
        self.check_clocks();
        if self.leaves() {
            return self.finish(); // nobody plays any more
        }
        if let Err(refusal) = happens(self) {
            let is_endless = matches!(refusal, MatchRefusal::Endless);
            self.events.push(Event::Refused(refusal));
            if self.rules.strictness == Strictness::Strict {
                self.leave(Leaving::Refused);
            } else if is_endless {
                self.leave(Leaving::Done(self.unsaved()));
            }
        }
        self.finish()
    }

    fn apply(&mut self, command: Command) -> Result<(), MatchRefusal> {
        let is_thinking = self.is_thinking();
        if !goes_with_a_lesson(&command) {
            self.game.core.lesson = None; // the position before the mistake is one like the others
        }
        let facts = match command {
            // 1. The match: its games, and its end
            Command::Nothing => Vec::new(),
            Command::AfterEnd(after_end) => {
                self.rules.after_end = after_end;
                Vec::new()
            }
            Command::New(spec) => return self.new_game(*spec),
            Command::Again => return self.again(),
            Command::AgainAt(strength) => return self.rematch_at(strength),
            Command::Analyze => return self.analyze(),
            Command::Train(session) => {
                self.start_instead(Game::training_of(*session), None);
                Vec::new()
            }
            Command::Solve | Command::NextTask if self.game.practice().is_none() => {
                return Err(MatchRefusal::NoTraining);
            }
            Command::Advise(_) if self.game.practice().is_some_and(|practice| !practice.is_answered()) => {
                return Err(MatchRefusal::IsTraining);
            }
            Command::ReturnToGame if self.earlier.last.is_none() => return Err(MatchRefusal::NothingBehind),
            Command::ReturnToGame => {
                self.bring_back();
                Vec::new()
            }
            Command::Answer(Rematch::Yes) => return self.begin(self.game.core.same_again()),
            Command::Answer(Rematch::No) | Command::Leave => vec![Fact::Done],
            Command::Quit => vec![Fact::Replied("quit", self.game.present(), Answer::Quit), Fact::Done],
            Command::Abandon(why) => {
                self.leave(Leaving::Failed(why));
                Vec::new()
            }
            // 2. What all activities share
            Command::Show(place) => self.game.show(place)?,
            Command::Replay => self.game.replay()?,
            Command::Playback(walk) => self.game.walk(walk),
            Command::Ask(query) => self.game.core.answer(query)?,
            Command::Advise(advice) => self.game.advise(advice, is_thinking)?,
            Command::Review => self.game.review(is_thinking)?,
            Command::StopReview => self.game.stop_review(),
            Command::ShowMistake => self.game.show_mistake()?,
            Command::EndLesson => self.game.core.end_lesson(),
            Command::MoveNow => self.move_now(),
            // 3. The rest
            command => return self.act(command),
        };
        self.tell(facts);
        Ok(())
    }

    /// Passes a command to the activity. Where nothing can be undone `undo` brings back the
    /// previous game.
    fn act(&mut self, command: Command) -> Result<(), MatchRefusal> {
        let (moment, is_undo) = (self.moment(), matches!(command, Command::Undo(_)));
        let Game { core, activity, .. } = &mut *self.game;
        match activity.act(command, core, moment) {
            Ok(facts) => self.tell(facts),
            Err(MatchRefusal::NothingToUndo(0) | MatchRefusal::OnlyShown { .. })
                if is_undo && self.earlier.last.is_some() =>
            {
                self.bring_back();
            }
            Err(refusal) => return Err(refusal),
        }
        Ok(())
    }

    /// Turns facts that the parts report into events.
    pub(super) fn tell(&mut self, facts: Vec<Fact>) {
        for fact in facts {
            match fact {
                Fact::Moved(moved) => {
                    if self.game.made_by(moved.node) == MoveSource::Human && !self.game.is_analysis() {
                        self.earlier.drop_last();
                    }
                    self.events.push(Event::Moved(moved));
                }
                Fact::Present(node) => self.events.push(Event::Present(node)),
                Fact::Shown(node) => self.events.push(Event::Shown(node)),
                Fact::Over => self.end(),
                Fact::FileEnded(position) => self.events.push(Event::Ended(position)),
                Fact::Done => self.leave(Leaving::Done(self.unsaved())),
                Fact::CannotFollow(stuck) => self.give_up(stuck),
                Fact::Seated => {
                    self.thoughts.failed_at = None;
                    self.events.push(Event::Seated);
                }
                Fact::TakesOver(side) => self.take_over(side),
                Fact::SetUp(start) => self.analyze_from(*start),
                Fact::Begun => {
                    self.thoughts.failed_at = None;
                    self.start();
                }
                Fact::Tried(made) => self.events.push(Event::Tried(made)),
                Fact::Replied(word, at, answer) => self.reply(word, at, answer),
                Fact::ToBeRead => self.wait_for_the_reader(),
                Fact::Reported(node) => self.events.push(Event::Reported(node)),
                Fact::Fault(fault) => self.events.push(Event::Fault(fault)),
                Fact::MoveNow(side) => self.thoughts.hurry(|host| host == HostId::Seat(side)),
            }
        }
    }

    pub(super) fn leave(&mut self, leaving: Leaving) {
        self.events.push(Event::Left(leaving));
    }

    pub(super) fn reply(&mut self, word: &'static str, at: NodeId, answer: Answer) {
        self.events.push(Event::Replied(Reply { word, at, answer }));
    }

    // ---- games ----

    /// Replaces this game by a contest; undo can bring the game back.
    pub(super) fn begin(&mut self, spec: NewGame) -> Result<(), MatchRefusal> {
        let core = Core::new(spec).map_err(MatchRefusal::NoSuchBoard)?;
        let contest = Game::begun(core, &mut self.chance, None, self.rules);
        self.start_instead(contest, None);
        Ok(())
    }

    /// Starts a game in place of this one; reports an unsaved game, where that was asked or moves
    /// are lost.
    pub(super) fn start_instead(&mut self, game: Game, unsaved: Option<Unsaved>) {
        let unsaved = unsaved.or(self.game.is_lost().then_some(Unsaved::Yes));
        self.replace(game);
        if let Some(unsaved) = unsaved {
            self.reply("new", self.game.present(), Answer::New(unsaved));
        }
        self.start();
    }

    /// Puts a game in place of this one.
    pub(super) fn replace(&mut self, mut game: Game) {
        game.core.configured = game.core.configured.or_else(|| self.game.core.configured.clone());
        let before = std::mem::replace(&mut *self.game, game);
        // A game with only the engine's first move is not worth bringing back.
        let has_moves =
            before.tree().has_moves_of(|by| by != MoveSource::Machine || before.is_between_engines());
        if has_moves || before.is_analysis() && before.is_begun() {
            self.earlier.keep(before, self.tally.clone());
        } else {
            self.earlier.note_loss(&before);
        }
        self.game.number = self.earlier.count_one();
        self.game.activity.starts(self.now);
        self.thoughts.failed_at = None;
    }

    /// Starts a game on the present board.
    pub(super) fn start(&mut self) {
        let title = self.present_position().view().title();
        let level = self.game.has_engine().then_some(self.game.level());
        self.tally.begin(title, level);
        self.game.activity.starts(self.now);
        self.events.push(Event::Started);
        if self.game.practice().is_some() {
            self.reply("mistakes", self.game.present(), Answer::Asked);
        }
        if self.rules.after_end == AfterEnd::Stay {
            let dropped = self.game.core.take_dropped(|_| true);
            self.tell(dropped); // a player who steps through the file may never get there
        }
    }

    fn new_game(&mut self, spec: NewGame) -> Result<(), MatchRefusal> {
        if self.rules.after_end == AfterEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        let unsaved = self.unsaved();
        let core = Core::new(spec).map_err(MatchRefusal::NoSuchBoard)?;
        let contest = Game::begun(core, &mut self.chance, None, self.rules);
        self.start_instead(contest, Some(unsaved));
        Ok(())
    }

    fn again(&mut self) -> Result<(), MatchRefusal> {
        if self.game.outcome().is_none() {
            return Err(MatchRefusal::NotOver);
        }
        let mut spec = self.game.core.same_again();
        if let Some(you) = self.game.only_human() {
            spec.play_as = you.other().into();
        }
        self.begin(spec)
    }

    /// Takes a copy of the game to the analysis board; undo brings the game back.
    fn analyze(&mut self) -> Result<(), MatchRefusal> {
        if self.rules.after_end == AfterEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        if self.game.is_analysis() {
            return Err(MatchRefusal::IsAnalysis);
        }
        if let Some(analysis) = self.earlier.analysis.take() {
            // The analysis of this game that was left goes on.
            if let Some(node) = analysis.same_position(&self.game) {
                let game = std::mem::replace(&mut self.game, analysis);
                self.earlier.keep(*game, self.tally.clone());
                self.game.core.line.go_freely(node);
                self.thoughts.failed_at = None;
                self.start();
                return Ok(());
            }
            self.earlier.note_loss(&analysis);
        }
        let core = self.game.core.to_analyze().map_err(MatchRefusal::NoSuchBoard)?;
        self.start_instead(Game::analysis(core, EditHistory::default()), None);
        Ok(())
    }

    /// Replaces this game by an analysis of a position that was set up.
    fn analyze_from(&mut self, start: GameStart) {
        let mut spec = self.game.core.spec.clone();
        spec.choose(start);
        let mut core = Core::new(spec).expect("the position was tried before").free();
        core.source.edits = 1;
        self.start_instead(Game::analysis(core, EditHistory::default()), None);
        self.reply("setup", NodeId::ROOT, Answer::Edited(EditNews::SetUp));
    }

    /// Gives people a side or both where nobody has played; the game continues from the position
    /// that is shown.
    fn take_over(&mut self, side: Option<Side>) {
        let (core, activity) = (&mut self.game.core, &self.game.activity);
        let mut playback = activity.playback().copied().unwrap_or_default();
        playback.is_running = false;
        let clocks = activity.clocks().cloned().unwrap_or_default();
        core.line.set_present(core.line.shown);
        (core.line.has_ended, core.line.tip) = (false, None);
        core.spec.mode = if side.is_some() { Mode::HumanMachine } else { Mode::Humans };
        core.spec.play_as = side.map_or(core.spec.play_as, PlayAs::from);
        core.source.leave_file(side.is_none());
        let players = self.chance.players(&core.spec, None);
        self.thoughts.failed_at = None;
        self.game.activity = Box::new(Contest::new(players, clocks, playback));
        self.start();
    }

    /// Brings the last game back after `new`, until the first move of the new one.
    fn bring_back(&mut self) {
        let Some((before, tally)) = self.earlier.last.take() else { return };
        let dropped = std::mem::replace(&mut self.game, before);
        if dropped.same_position(&self.game).is_some() && dropped.is_analysis() {
            self.earlier.analysis = Some(dropped);
        } else {
            self.earlier.note_loss(&dropped);
        }
        self.tally = tally;
        self.game.core.study.asked = None;
        self.reply("undo", self.game.present(), Answer::BroughtBack);
        self.start();
        if self.game.outcome().is_some() {
            self.events.pop(); // the end shows the board
            self.end();
        }
    }

    /// Gives up a file that cannot be followed: mode 1 on a fresh board, or the end of the match.
    fn give_up(&mut self, stuck: IncompleteReplay) {
        if self.rules.strictness == Strictness::Strict {
            return self.leave(Leaving::BadFile(stuck));
        }
        self.events.push(Event::Fault(super::Fault::Stuck(stuck)));
        self.begin(self.game.core.same_again()).expect("the board was there before");
    }

    /// Ends the game.
    pub(super) fn end(&mut self) {
        self.thoughts.drop_seats(); // an answer that comes with the flag is late
        self.game.core.line.return_to_present();
        self.game.core.lesson = None;
        self.events.push(Event::Ended(self.present_position().clone()));
        let you = self.game.only_human();
        let game = &mut *self.game;
        game.core.line.has_ended = true;
        if let Some(outcome) = game.outcome()
            && game.has_human()
            && !game.core.source.is_loaded
            && game.counted.is_none()
        {
            game.counted = Some(self.tally.count(outcome, you));
        }
        let is_wanted = self.rules.after_end == AfterEnd::Stay && game.has_human();
        game.core.study.quick_end = Some(game.present()).filter(|_| is_wanted);
        let leaves = match self.rules.after_end {
            AfterEnd::Stay => false,
            AfterEnd::Leave => true,
            AfterEnd::Ask => !self.game.has_human(),
        };
        if leaves {
            self.leave(Leaving::Done(Unsaved::No));
        }
    }
}

/// Reports whether a mistake that is shown stays on screen after this command.
fn goes_with_a_lesson(command: &Command) -> bool {
    use Command::{AfterEnd, Ask, EndLesson, Nothing, Review, Show, ShowMistake, StopReview};
    match command {
        Show(place) => matches!(place, HistoryTarget::Next(_) | HistoryTarget::Back(_)),
        Nothing | AfterEnd(_) | Ask(_) | Review | StopReview | ShowMistake | EndLesson => true,
        _ => false,
    }
}
