//! A game between two players, human or engine, with clocks.
//!
//! This module has no access to the other games of the match.

use std::sync::Arc;

use crate::ai::{EngineKind, ProofStatus, Score};
use crate::game::Side;
use crate::play::{
    ActivityContext, ActivityResult, AppliedMove, Command, CommandAnswer, GameActivity, GameClocks, GameMode,
    HumanSideChoice, LiveGameState, MatchFact, MatchFault, MatchRefusal, MatchTime, Playback, PlayerSeat,
    Players, ProofChange, TimeoutRule,
};
use crate::record::{MoveSource, NodeId};
use crate::session::{
    CLAIMABLE_REPETITIONS, DRAW_WORD, EngineAnswer, EngineRequest, RESIGN_WORD, SearchReport, TIMEOUT_WORD,
};
use crate::thinking::{EngineJob, EngineThreadId};

/// Number of its own moves over which an engine spreads its remaining time.
const TIME_PLANNING_MOVES: u32 = 20;
/// Time that an engine reserves for transmitting its answer.
const ANSWER_TIME_RESERVE: MatchTime = MatchTime::from_millis(50);

/// Activity of a game played by two sides.
#[derive(Debug)]
pub(super) struct PlayActivity {
    players: Players,
    clocks: GameClocks,
    playback: Playback,
}

impl PlayActivity {
    pub(super) fn new(players: Players, clocks: GameClocks, playback: Playback) -> Self {
        PlayActivity { players, clocks, playback }
    }

    fn is_humans_turn(&self, core: &LiveGameState) -> bool {
        self.players.is_human(core.line.present_position().to_move())
    }

    /// Reports whether two engines play each other and the game is not over.
    fn is_engine_match(&self, core: &LiveGameState) -> bool {
        !self.players.has_human() && core.line.outcome().is_none()
    }

    fn ensure_has_human(&self, core: &LiveGameState) -> Result<(), MatchRefusal> {
        let is_over = core.line.outcome().is_some();
        if self.players.has_human() { Ok(()) } else { Err(MatchRefusal::OnlyShown { is_over }) }
    }

    fn ensure_game_running(&self, core: &LiveGameState) -> Result<(), MatchRefusal> {
        self.ensure_has_human(core)?;
        if core.line.outcome().is_none() { Ok(()) } else { Err(MatchRefusal::OverAlready) }
    }

    // ---- moves ----

    fn play_typed_move(
        &mut self,
        text: &str,
        core: &mut LiveGameState,
        context: ActivityContext,
    ) -> ActivityResult {
        self.ensure_has_human(core)?;
        if context.is_thinking && !self.is_humans_turn(core) {
            if !core.line.is_browsing() {
                return Err(MatchRefusal::IsThinking);
            }
            return Ok(core.show_present()); // moves are possible only at the present position
        }
        let moved = core.play_move(text, MoveSource::Human)?;
        Ok(self.record_move(core, context, moved, MoveSource::Human, false))
    }

    /// Records time and source of the move to the present position, and ends the game if it is drawn.
    fn record_move(
        &mut self,
        core: &mut LiveGameState,
        context: ActivityContext,
        moved: AppliedMove,
        by: MoveSource,
        is_drawn: bool,
    ) -> Vec<MatchFact> {
        let node = moved.node;
        let before = core.line.tree.parent(node).expect("a move leads there");
        let side = core.line.tree.position(before).to_move();
        let took = context.now.saturating_sub(self.clocks.charged_since);
        let clocks = core.time_left_after(before, side, took);
        self.clocks.used[side] += took;
        self.clocks.charge_from(context.now);
        let made = core.line.tree.node_mut(node);
        (made.by, made.took, made.clocks) = (by, Some(took), clocks);
        let position = core.line.present_position();
        let (times, is_over) = (position.repetition_count(), position.outcome().is_some());
        let has_human = self.players.has_human();
        // Between engines the third repetition is a draw; if a person plays, the fifth.
        let is_enough = times >= 5 || times >= CLAIMABLE_REPETITIONS && !has_human;
        let is_drawn = !is_over && (is_drawn || is_enough);
        let repetition = Some(times).filter(|_| !is_over && !is_drawn && has_human);
        let mut facts = vec![MatchFact::Moved(AppliedMove { repetition, ..moved })];
        if is_drawn {
            core.line.end_early(DRAW_WORD);
        }
        if core.line.outcome().is_some() {
            facts.push(MatchFact::Over);
        }
        facts
    }

    /// Makes another position the present one and restarts the turn's clock.
    fn go_to_position(&mut self, core: &mut LiveGameState, node: NodeId, now: MatchTime) -> MatchFact {
        self.clocks.charge_from(now);
        core.move_game_to(node)
    }

    fn undo_moves(
        &mut self,
        count: Option<usize>,
        core: &mut LiveGameState,
        now: MatchTime,
    ) -> ActivityResult {
        self.ensure_has_human(core)?;
        let (tree, present) = (&core.line.tree, core.line.present_position());
        let early = present.early_end();
        let possible = present.plies() + usize::from(early.is_some());
        let mut taken: Vec<String> = early.iter().map(|early| early.record_word().to_owned()).collect();
        let is_humans = |node: NodeId| self.players.is_human(tree.position(node).to_move());
        let mut there = core.line.present;
        if let Some(count) = count {
            if count > possible && possible > 0 {
                return Err(MatchRefusal::NothingToUndo(possible));
            }
            taken.truncate(count);
        }
        let is_enough = |taken: &[String], there: NodeId| match count {
            Some(count) => taken.len() >= count,
            None => !taken.is_empty() && is_humans(there),
        };
        while !is_enough(&taken, there)
            && let Some(parent) = tree.parent(there)
        {
            taken.extend(tree.position(there).last_move());
            there = parent;
        }
        if taken.is_empty() || count.is_none() && !is_humans(there) {
            return Err(MatchRefusal::NothingToUndo(0));
        }
        core.line.reopen(core.line.present);
        taken.reverse();
        Ok(vec![
            MatchFact::Replied("undo", there, CommandAnswer::Undone(taken)),
            self.go_to_position(core, there, now),
        ])
    }

    fn redo_moves(
        &mut self,
        count: Option<usize>,
        core: &mut LiveGameState,
        now: MatchTime,
    ) -> ActivityResult {
        let tree = &core.line.tree;
        let way: Vec<NodeId> = tree.main_line_from(core.line.present).skip(1).collect();
        let humans = |&node: &NodeId| self.players.is_human(tree.position(node).to_move());
        let wanted = match count {
            Some(count) => count.min(way.len()),
            None => way.iter().position(humans).map_or(way.len(), |place| place + 1),
        };
        let there = wanted.checked_sub(1).and_then(|last| way.get(last)).copied();
        let there = there.ok_or(MatchRefusal::NothingToRedo)?;
        let again = way[..wanted].iter().filter_map(|&node| tree.position(node).last_move()).collect();
        Ok(vec![
            MatchFact::Replied("redo", there, CommandAnswer::Redone(again)),
            self.go_to_position(core, there, now),
        ])
    }

    /// Continues the game from the shown position; in a match between engines, a human player takes
    /// over the side to move.
    fn play_from_shown(&mut self, core: &mut LiveGameState, now: MatchTime) -> ActivityResult {
        let (here, is_own, is_over) =
            (core.line.shown, self.players.has_human(), core.line.outcome().is_some());
        if is_own && !core.line.is_browsing() {
            return Err(if is_over { MatchRefusal::IsOverHere } else { MatchRefusal::IsThePresent });
        }
        if is_own && here == core.line.present && !is_over {
            let back = MatchFact::Replied("play", here, CommandAnswer::BackToPresent);
            return Ok(vec![back, self.go_to_position(core, here, now)]);
        }
        let goes_on = CommandAnswer::PlayContinues { redoable: core.reopen_at_shown()?, is_free: false };
        let goes_on = MatchFact::Replied("play", here, goes_on);
        let side = core.line.shown_position().to_move();
        Ok(vec![
            goes_on,
            if is_own { self.go_to_position(core, here, now) } else { MatchFact::TakesOver(Some(side)) },
        ])
    }

    fn promote_shown_line(&mut self, core: &mut LiveGameState, now: MatchTime) -> ActivityResult {
        let end = core.promote_shown_line()?;
        Ok(vec![
            MatchFact::Replied("promote", end, CommandAnswer::Promoted),
            self.go_to_position(core, end, now),
        ])
    }

    fn resign(&self, core: &mut LiveGameState) -> ActivityResult {
        self.ensure_game_running(core)?;
        if !self.is_humans_turn(core) {
            return Err(MatchRefusal::NotYourTurn);
        }
        let side = core.line.present_position().to_move();
        core.line.end_early(RESIGN_WORD);
        Ok(vec![
            MatchFact::Replied("resign", core.line.present, CommandAnswer::Resigned(side)),
            MatchFact::Over,
        ])
    }

    /// Ends the game as a draw by threefold repetition.
    fn claim_draw(&self, core: &mut LiveGameState) -> ActivityResult {
        self.ensure_game_running(core)?;
        if let Err(why) = core.line.present_position().end_by_word(DRAW_WORD) {
            return Err(MatchRefusal::IllegalMove { why, came_back: false });
        }
        core.line.end_early(DRAW_WORD);
        Ok(vec![MatchFact::Replied("draw", core.line.present, CommandAnswer::DrawClaimed), MatchFact::Over])
    }

    // ---- players ----

    fn set_level(&mut self, level: EngineKind, core: &mut LiveGameState) -> ActivityResult {
        let facts = core.set_level(level)?;
        self.players.set_engine_level(level);
        Ok(facts)
    }

    fn set_side(&mut self, side: Side, core: &mut LiveGameState) -> ActivityResult {
        if core.spec.mode == GameMode::Machines {
            return Err(MatchRefusal::BothSidesAreTaken);
        }
        // In a game between two people, an engine takes the other side.
        (core.spec.mode, core.spec.play_as) = (GameMode::HumanMachine, HumanSideChoice::from(side));
        self.players = Players::for_game(&core.spec, self.players.seed, side); // same seed as in its journal
        core.line.return_to_present();
        let present = core.line.present;
        let set = MatchFact::Replied("side", present, CommandAnswer::SideSet(side));
        Ok(vec![set, MatchFact::Seated, MatchFact::Present(present)])
    }

    // ---- engines ----

    fn apply_engine_move(
        &mut self,
        thought: &EngineAnswer,
        core: &mut LiveGameState,
        context: ActivityContext,
    ) -> Vec<MatchFact> {
        let is_content = thought.report.score.is_some_and(|score| score <= Score(0));
        let position = core.line.present_position().clone();
        let draws = is_content && position.repetition_count() >= CLAIMABLE_REPETITIONS;
        if draws || thought.text == RESIGN_WORD {
            core.line.end_early(if draws { DRAW_WORD } else { RESIGN_WORD });
            return vec![MatchFact::Over];
        }
        let present = core.line.present;
        let node = core.line.play_move(&thought.text, MoveSource::Machine).expect("engines play legal moves");
        let (side, report) = (position.to_move(), || Arc::clone(&thought.report));
        core.line.tree.node_mut(present).known = Some((side, report()));
        let made = core.line.tree.node_mut(node);
        (made.search, made.known) = (Some(report()), Some((side, report())));
        core.study.last_search = Some(report());
        let won = self.win_announcement(core, node, &thought.report);
        let proof = won.or_else(|| detect_proof_change(core, &thought.report));
        let is_drawn =
            is_content && core.line.tree.position(node).repetition_count() >= CLAIMABLE_REPETITIONS;
        core.line.advance_to(node);
        let moved = AppliedMove { node, came_back: false, proof, repetition: None };
        self.record_move(core, context, moved, MoveSource::Machine, is_drawn)
    }

    /// Returns the announcement for the human player if the engine's search has just proved a win.
    fn win_announcement(
        &self,
        core: &LiveGameState,
        node: NodeId,
        report: &SearchReport,
    ) -> Option<ProofChange> {
        let plies = proved_win_plies(report).filter(|&plies| plies > 1 && self.players.has_human())?;
        let before = core.line.tree.parent(core.line.present);
        let before = before.and_then(|before| core.line.tree.node(before).search.as_deref());
        let is_new = before.and_then(proved_win_plies).is_none();
        core.line.tree.position(node).announce_proved_win(plies, is_new).map(ProofChange::Won)
    }
}

impl GameActivity for PlayActivity {
    fn execute_command(
        &mut self,
        command: Command,
        core: &mut LiveGameState,
        context: ActivityContext,
    ) -> ActivityResult {
        let now = context.now;
        match command {
            Command::Place(_) if core.line.is_browsing() && self.players.has_human() => {
                Ok(core.show_present())
            }
            Command::Move(text) | Command::Place(text) => self.play_typed_move(&text, core, context),
            Command::Undo(count) => self.undo_moves(count, core, now),
            Command::Redo(count) => self.redo_moves(count, core, now),
            Command::PlayHere => self.play_from_shown(core, now),
            Command::Promote => self.promote_shown_line(core, now),
            Command::Resign => self.resign(core),
            Command::ClaimDraw => self.claim_draw(core),
            Command::Level(level) => self.set_level(level, core),
            Command::Edit(_) => Err(MatchRefusal::NoAnalysis),
            Command::Side(side) => self.set_side(side, core),
            _ => Ok(Vec::new()), // the match does all others itself
        }
    }

    fn players(&self) -> Option<&Players> {
        Some(&self.players)
    }

    fn clocks(&self) -> Option<&GameClocks> {
        Some(&self.clocks)
    }

    fn playback(&self) -> Option<&Playback> {
        Some(&self.playback)
    }

    fn playback_mut(&mut self) -> Option<&mut Playback> {
        Some(&mut self.playback)
    }

    fn next_step_time(&self, core: &LiveGameState, context: ActivityContext) -> Option<MatchTime> {
        let goes_on = if self.is_engine_match(core) {
            !context.is_thinking && !context.has_failed
        } else {
            core.line.is_stepped_through && core.line.shown != core.line.shown_line_end()
        };
        (self.playback.is_running && goes_on).then(|| self.playback.next_step_time())
    }

    fn advance_playback(&mut self, core: &mut LiveGameState, _context: ActivityContext) -> Vec<MatchFact> {
        if self.is_engine_match(core) {
            return Vec::new(); // its next step is an engine's search
        }
        let next = core.line.next_node();
        core.line.shown = next.unwrap_or(core.line.shown);
        self.playback.is_running &= core.line.shown != core.line.shown_line_end();
        next.map(MatchFact::Shown).into_iter().collect()
    }

    fn next_clock_deadline(&self, core: &LiveGameState, context: ActivityContext) -> Option<MatchTime> {
        let side = core.line.present_position().to_move();
        let runs = core.has_running_clocks() && (context.is_thinking || !self.is_engine_match(core));
        let left = core.time_left_at(core.line.present).filter(|_| runs)?[side];
        let since = self.clocks.charged_since;
        let falls = Some(since.saturating_add(left)).filter(|_| !self.clocks.has_warned);
        let share = left / TIME_PLANNING_MOVES
            + core.spec.time.map(|time| time.increment).unwrap_or_default() * 4 / 5;
        let enough = since.saturating_add(share.min(left.saturating_sub(ANSWER_TIME_RESERVE)));
        let enough = context.is_patient.then_some(enough);
        falls.into_iter().chain(enough).min()
    }

    fn check_clocks(&mut self, core: &mut LiveGameState, context: ActivityContext) -> Vec<MatchFact> {
        if self.next_clock_deadline(core, context).is_none_or(|due| due > context.now) {
            return Vec::new();
        }
        let side = core.line.present_position().to_move();
        let took = context.now.saturating_sub(self.clocks.charged_since);
        let is_up = core.time_left_at(core.line.present).is_some_and(|left| left[side] <= took);
        match core.spec.time.filter(|_| is_up && !self.clocks.has_warned).map(|time| time.over) {
            None => vec![MatchFact::MoveNow(side)],
            Some(TimeoutRule::Loss) => {
                core.line.end_early(TIMEOUT_WORD);
                vec![MatchFact::Over]
            }
            Some(TimeoutRule::Warning) => {
                self.clocks.has_warned = true;
                let name = core.line.present_position().side_name(side);
                vec![MatchFact::Fault(MatchFault::TimeIsUp(name)), MatchFact::MoveNow(side)]
            }
        }
    }

    fn engine_job(
        &self,
        core: &LiveGameState,
        context: ActivityContext,
        running: &[EngineJob],
    ) -> Option<EngineJob> {
        let side = core.line.present_position().to_move();
        if core.line.outcome().is_some() || context.has_failed {
            return None;
        }
        let PlayerSeat::Engine(engine) = self.players.seat(side) else { return None };
        let job = core.create_engine_job(
            EngineThreadId::Seat(side),
            engine.clone(),
            core.line.present,
            EngineRequest::Move,
        );
        let pace = self.playback;
        let is_due = pace.is_running && (pace.pause.is_zero() || context.now >= pace.next_step_time());
        let is_wanted =
            !self.is_engine_match(core) || running.iter().any(|known| known.has_same_request(&job));
        (is_wanted || is_due || pace.pending_step).then_some(job)
    }

    fn on_job_started(&mut self, job: &EngineJob, core: &LiveGameState, now: MatchTime) {
        if self.is_engine_match(core) {
            self.clocks.charged_since = now; // pauses are charged to nobody
        }
        self.playback.pending_step &= job.host == EngineThreadId::Study;
    }

    fn on_engine_answer(
        &mut self,
        thought: &EngineAnswer,
        core: &mut LiveGameState,
        context: ActivityContext,
    ) -> Vec<MatchFact> {
        self.apply_engine_move(thought, core, context)
    }

    fn on_game_started(&mut self, now: MatchTime) {
        (self.clocks.charged_since, self.playback.since) = (now, now);
    }
}

/// Records whether the last search proved a result, and returns the change, if there is one.
///
/// Returns `None` for levels below the default one.
fn detect_proof_change(core: &mut LiveGameState, report: &SearchReport) -> Option<ProofChange> {
    if core.spec.level() < core.spec.start.entry.default_level() {
        return None;
    }
    let status = report.proof?;
    let is_unproved = status == ProofStatus::Unproved;
    match (std::mem::replace(&mut core.study.was_unproved, is_unproved), is_unproved) {
        (false, true) => Some(ProofChange::Lost),
        (true, false) => Some(ProofChange::Found(status)),
        _ => None,
    }
}

/// Returns the proved number of plies to a win of the side to move; `None` if no win is proved.
fn proved_win_plies(report: &SearchReport) -> Option<u32> {
    match report.proof? {
        ProofStatus::WinIn(plies) => Some(plies),
        _ => None,
    }
}
