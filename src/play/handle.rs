//! Command handling: applies commands to a match and converts the facts of its parts to events.

use crate::game::Side;
use crate::play::{
    AfterGameEnd, Command, CommandAnswer, CommandReply, EditOutcome, GameMode, HistoryTarget,
    HumanSideChoice, IncompleteReplay, LeaveReason, LiveGame, LiveGameState, Match, MatchEvent, MatchFact,
    MatchRefusal, MatchTime, NewGame, PlayActivity, RematchAnswer, UnsavedStatus,
};
use crate::record::{DigitPairStrictness, EditHistory, MoveSource, NodeId};
use crate::registry::GameStart;
use crate::thinking::EngineThreadId;

impl Match {
    /// Executes a command and returns the events.
    ///
    /// A refused command changes no game, but a refused typed move still shows the present position
    /// again.
    pub fn handle_command(&mut self, command: Command, now: MatchTime) -> Vec<MatchEvent> {
        self.apply_change(now, |game| game.apply_command(command))
    }

    /// Checks the clocks, applies a change to the match, and returns the events.
    pub(super) fn apply_change(
        &mut self,
        now: MatchTime,
        happens: impl FnOnce(&mut Self) -> Result<(), MatchRefusal>,
    ) -> Vec<MatchEvent> {
        if self.has_left {
            return Vec::new();
        }
        self.now = now;
        self.to_replace = None;
        self.check_clocks();
        if self.has_leave_event() {
            return self.finish_update(); // the clocks have ended the match
        }
        if let Err(refusal) = happens(self) {
            let is_endless = matches!(refusal, MatchRefusal::Endless);
            self.events.push(MatchEvent::Refused(refusal));
            if self.rules.strictness == DigitPairStrictness::Strict {
                self.leave_match(LeaveReason::Refused);
            } else if is_endless {
                self.leave_match(LeaveReason::Done(self.unsaved_status()));
            }
        }
        self.finish_update()
    }

    /// Reports whether the player is asked for a better move and has not answered yet.
    fn has_open_task(&self) -> bool {
        self.game.practice_item().is_some_and(|practice| !practice.is_answered())
    }

    fn apply_command(&mut self, command: Command) -> Result<(), MatchRefusal> {
        let is_thinking = self.is_thinking();
        if !keeps_lesson_open(&command) {
            self.game.core.lesson = None; // the shown position stays, without the lesson
        }
        let facts = match command {
            // 1. The match: start and end of games
            Command::Nothing => Vec::new(),
            Command::AfterEnd(after_end) => {
                self.rules.after_end = after_end;
                Vec::new()
            }
            Command::New(spec) => return self.start_new_game(*spec),
            Command::Again => return self.start_rematch(),
            Command::AgainAt(strength) => return self.start_rematch_at(strength),
            Command::Analyze => return self.open_analysis(),
            Command::Train(session) => {
                self.replace_and_start(LiveGame::new_training(*session), None);
                Vec::new()
            }
            Command::Solve | Command::NextTask if self.game.practice_item().is_none() => {
                return Err(MatchRefusal::NoTraining);
            }
            Command::Advise(_) if self.has_open_task() => return Err(MatchRefusal::IsTraining),
            Command::ReturnToGame if self.earlier.last.is_none() => {
                return Err(MatchRefusal::NoGameToReturnTo);
            }
            Command::ReturnToGame => {
                self.restore_previous_game();
                Vec::new()
            }
            Command::Answer(RematchAnswer::Yes) => return self.start_contest(self.game.core.rematch_spec()),
            Command::Answer(RematchAnswer::No) | Command::Leave => vec![MatchFact::Done],
            Command::Quit => vec![
                MatchFact::Replied("quit", self.game.present_node(), CommandAnswer::Quit),
                MatchFact::Done,
            ],
            Command::Abandon(why) => {
                self.leave_match(LeaveReason::Failed(why));
                Vec::new()
            }
            // 2. Commands shared by all activities
            Command::Show(place) => self.game.show_target(place)?,
            Command::Replay => self.game.replay_from_start()?,
            Command::Playback(walk) => self.game.control_playback(walk),
            Command::Ask(query) => self.game.core.answer_query(query)?,
            Command::Advise(advice) => self.game.request_advice(advice, is_thinking)?,
            Command::Review => self.game.start_review(is_thinking)?,
            Command::StopReview => self.game.stop_review(),
            Command::ShowMistake => self.game.show_next_mistake()?,
            Command::EndLesson => self.game.core.end_lesson(),
            Command::MoveNow => self.request_move_now(),
            // 3. Commands specific to the activity
            command => return self.apply_activity_command(command),
        };
        self.emit_facts(facts);
        Ok(())
    }

    /// Passes a command to the activity. If no move can be undone, `undo` restores the previous game.
    fn apply_activity_command(&mut self, command: Command) -> Result<(), MatchRefusal> {
        let (context, is_undo) = (self.activity_context(), matches!(command, Command::Undo(_)));
        let LiveGame { core, activity, .. } = &mut *self.game;
        match activity.execute_command(command, core, context) {
            Ok(facts) => self.emit_facts(facts),
            Err(MatchRefusal::NothingToUndo(0) | MatchRefusal::OnlyShown { .. })
                if is_undo && self.earlier.last.is_some() =>
            {
                self.restore_previous_game();
            }
            Err(refusal) => return Err(refusal),
        }
        Ok(())
    }

    /// Converts facts reported by the parts of the match to events.
    pub(super) fn emit_facts(&mut self, facts: Vec<MatchFact>) {
        for fact in facts {
            match fact {
                MatchFact::Moved(moved) => {
                    if self.game.move_source(moved.node) == MoveSource::Human && !self.game.is_analysis() {
                        self.earlier.drop_last_game();
                    }
                    self.events.push(MatchEvent::Moved(moved));
                }
                MatchFact::Present(node) => self.events.push(MatchEvent::Present(node)),
                MatchFact::Shown(node) => self.events.push(MatchEvent::Shown(node)),
                MatchFact::Over => self.end_game(),
                MatchFact::FileEnded(position) => self.events.push(MatchEvent::Ended(position)),
                MatchFact::Done => self.leave_match(LeaveReason::Done(self.unsaved_status())),
                MatchFact::CannotFollow(stuck) => self.abandon_replay(stuck),
                MatchFact::Seated => {
                    self.job_queue.failed_at = None;
                    self.events.push(MatchEvent::Seated);
                }
                MatchFact::TakesOver(side) => self.seat_humans(side),
                MatchFact::SetUp(start) => self.open_analysis_from(*start),
                MatchFact::Begun => {
                    self.job_queue.failed_at = None;
                    self.start_game();
                }
                MatchFact::Tried(made) => self.events.push(MatchEvent::Tried(made)),
                MatchFact::Replied(word, at, answer) => self.emit_reply(word, at, answer),
                MatchFact::ToBeRead => self.pause_for_reading(),
                MatchFact::Reported(node) => self.events.push(MatchEvent::Reported(node)),
                MatchFact::Fault(fault) => self.events.push(MatchEvent::Fault(fault)),
                MatchFact::MoveNow(side) => {
                    self.job_queue.request_answers(|host| host == EngineThreadId::Seat(side));
                }
            }
        }
    }

    pub(super) fn leave_match(&mut self, leaving: LeaveReason) {
        self.events.push(MatchEvent::Left(leaving));
    }

    pub(super) fn emit_reply(&mut self, word: &'static str, at: NodeId, answer: CommandAnswer) {
        self.events.push(MatchEvent::Replied(CommandReply { word, at, answer }));
    }

    // ---- games ----

    /// Starts a game for this request in place of the current one, which undo can restore.
    pub(super) fn start_contest(&mut self, spec: NewGame) -> Result<(), MatchRefusal> {
        let core = LiveGameState::new(spec).map_err(MatchRefusal::NoSuchBoard)?;
        let contest = LiveGame::start_play_or_analysis(core, &mut self.chance, None, self.rules);
        self.replace_and_start(contest, None);
        Ok(())
    }

    /// Replaces the current game and starts the new one.
    ///
    /// Reports the saved state of the replaced game if `unsaved` is given or moves are lost.
    pub(super) fn replace_and_start(&mut self, game: LiveGame, unsaved: Option<UnsavedStatus>) {
        let unsaved = unsaved.or(self.game.would_lose_moves().then_some(UnsavedStatus::Yes));
        self.replace_game(game);
        if let Some(unsaved) = unsaved {
            self.emit_reply("new", self.game.present_node(), CommandAnswer::New(unsaved));
        }
        self.start_game();
    }

    /// Replaces the current game and stores it for undo if it has moves.
    pub(super) fn replace_game(&mut self, mut game: LiveGame) {
        game.core.configured = game.core.configured.or_else(|| self.game.core.configured.clone());
        let before = std::mem::replace(&mut *self.game, game);
        // A game with only the engine's first move need not be restored.
        let has_moves =
            before.tree().has_moves_from(|by| by != MoveSource::Machine || before.is_between_engines());
        if has_moves || before.is_analysis() && before.has_player_changes() {
            self.earlier.store_game(before, self.tally.clone());
        } else {
            self.earlier.record_lost_game(&before);
        }
        self.game.number = self.earlier.count_next_game();
        self.game.activity.on_game_started(self.now);
        self.job_queue.failed_at = None;
    }

    /// Starts the current game: scoreboard, clocks and events.
    pub(super) fn start_game(&mut self) {
        let title = self.present_position().view().title();
        let level = self.game.has_engine().then_some(self.game.level());
        self.tally.start_series(title, level);
        self.game.activity.on_game_started(self.now);
        self.events.push(MatchEvent::Started);
        if self.game.practice_item().is_some() {
            self.emit_reply("mistakes", self.game.present_node(), CommandAnswer::MistakeShown);
        }
        if self.rules.after_end == AfterGameEnd::Stay {
            let dropped = self.game.core.take_dropped_notes(|_| true);
            self.emit_facts(dropped); // the player may never step to these positions
        }
    }

    fn start_new_game(&mut self, spec: NewGame) -> Result<(), MatchRefusal> {
        if self.rules.after_end == AfterGameEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        let unsaved = self.unsaved_status();
        let core = LiveGameState::new(spec).map_err(MatchRefusal::NoSuchBoard)?;
        let contest = LiveGame::start_play_or_analysis(core, &mut self.chance, None, self.rules);
        self.replace_and_start(contest, Some(unsaved));
        Ok(())
    }

    fn start_rematch(&mut self) -> Result<(), MatchRefusal> {
        if self.game.outcome().is_none() {
            return Err(MatchRefusal::NotOver);
        }
        let mut spec = self.game.core.rematch_spec();
        if let Some(you) = self.game.sole_human_side() {
            spec.play_as = you.other().into();
        }
        self.start_contest(spec)
    }

    /// Opens a copy of the game on the analysis board; undo restores the game.
    fn open_analysis(&mut self) -> Result<(), MatchRefusal> {
        if self.rules.after_end == AfterGameEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        if self.game.is_analysis() {
            return Err(MatchRefusal::IsAnalysis);
        }
        if let Some(analysis) = self.earlier.analysis.take() {
            // An earlier analysis of this game is resumed.
            if let Some(node) = analysis.find_position_shown_by(&self.game) {
                let game = std::mem::replace(&mut self.game, analysis);
                self.earlier.store_game(*game, self.tally.clone());
                self.game.core.line.go_to_analysis_node(node);
                self.job_queue.failed_at = None;
                self.start_game();
                return Ok(());
            }
            self.earlier.record_lost_game(&analysis);
        }
        let core = self.game.core.to_analysis_copy().map_err(MatchRefusal::NoSuchBoard)?;
        self.replace_and_start(LiveGame::new_analysis(core, EditHistory::default()), None);
        Ok(())
    }

    /// Opens an analysis of a position that was set up by hand.
    fn open_analysis_from(&mut self, start: GameStart) {
        let mut spec = self.game.core.spec.clone();
        spec.set_start(start);
        let mut core = LiveGameState::new(spec).expect("the position was tried before").into_analysis();
        core.source.edits = 1;
        self.replace_and_start(LiveGame::new_analysis(core, EditHistory::default()), None);
        self.emit_reply("setup", NodeId::ROOT, CommandAnswer::Edited(EditOutcome::SetUp));
    }

    /// Gives one side, or both sides (`None`), to human players and continues from the shown
    /// position.
    fn seat_humans(&mut self, side: Option<Side>) {
        let (core, activity) = (&mut self.game.core, &self.game.activity);
        let mut playback = activity.playback().copied().unwrap_or_default();
        playback.is_running = false;
        let clocks = activity.clocks().cloned().unwrap_or_default();
        core.line.set_present(core.line.shown);
        (core.line.has_ended, core.line.tip) = (false, None);
        core.spec.mode = if side.is_some() { GameMode::HumanMachine } else { GameMode::Humans };
        core.spec.play_as = side.map_or(core.spec.play_as, HumanSideChoice::from);
        core.source.detach_file(side.is_none());
        let players = self.chance.draw_players(&core.spec, None);
        self.job_queue.failed_at = None;
        self.game.activity = Box::new(PlayActivity::new(players, clocks, playback));
        self.start_game();
    }

    /// Restores the previous game. This is possible until the first move of the new game.
    fn restore_previous_game(&mut self) {
        let Some((before, tally)) = self.earlier.last.take() else { return };
        let dropped = std::mem::replace(&mut self.game, before);
        if dropped.find_position_shown_by(&self.game).is_some() && dropped.is_analysis() {
            self.earlier.analysis = Some(dropped);
        } else {
            self.earlier.record_lost_game(&dropped);
        }
        self.tally = tally;
        self.game.core.study.pending_advice = None;
        self.emit_reply("undo", self.game.present_node(), CommandAnswer::PreviousGameRestored);
        self.start_game();
        if self.game.outcome().is_some() {
            self.events.pop(); // the event for the end shows the board
            self.end_game();
        }
    }

    /// Abandons a file that cannot be replayed: starts mode 1, or ends the match in strict mode.
    fn abandon_replay(&mut self, stuck: IncompleteReplay) {
        if self.rules.strictness == DigitPairStrictness::Strict {
            return self.leave_match(LeaveReason::BadFile(stuck));
        }
        self.events.push(MatchEvent::Fault(super::MatchFault::Stuck(stuck)));
        self.start_contest(self.game.core.rematch_spec()).expect("the board was there before");
    }

    /// Ends the game: counts the result and emits the events.
    pub(super) fn end_game(&mut self) {
        self.job_queue.drop_player_jobs(); // answers after the end are ignored
        self.game.core.line.return_to_present();
        self.game.core.lesson = None;
        self.events.push(MatchEvent::Ended(self.present_position().clone()));
        let you = self.game.sole_human_side();
        let game = &mut *self.game;
        game.core.line.has_ended = true;
        if let Some(outcome) = game.outcome()
            && game.has_human()
            && !game.core.source.is_loaded
            && game.counted.is_none()
        {
            game.counted = Some(self.tally.add_result(outcome, you));
        }
        let is_wanted = self.rules.after_end == AfterGameEnd::Stay && game.has_human();
        game.core.study.quick_end = Some(game.present_node()).filter(|_| is_wanted);
        let leaves = match self.rules.after_end {
            AfterGameEnd::Stay => false,
            AfterGameEnd::Leave => true,
            AfterGameEnd::Ask => !self.game.has_human(),
        };
        if leaves {
            self.leave_match(LeaveReason::Done(UnsavedStatus::No));
        }
    }
}

/// Reports whether an open mistake lesson stays open after this command.
fn keeps_lesson_open(command: &Command) -> bool {
    use Command::{AfterEnd, Ask, EndLesson, Nothing, Review, Show, ShowMistake, StopReview};
    match command {
        Show(place) => matches!(place, HistoryTarget::Next(_) | HistoryTarget::Back(_)),
        Nothing | AfterEnd(_) | Ask(_) | Review | StopReview | ShowMistake | EndLesson => true,
        _ => false,
    }
}
