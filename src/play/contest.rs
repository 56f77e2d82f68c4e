//! A contest: people and engines on two seats, with their clocks. Knows no other game of the match.

use std::sync::Arc;

use crate::ai::{EngineKind, Proof, Score};
use crate::game::Side;
use crate::play::{
    Acted, Activity, Answer, Clocks, Command, Core, Fact, Fault, MatchRefusal, Mode, Moment, Moved, Now,
    PlayAs, Playback, Players, ProofNews, Seat, TimeOver,
};
use crate::record::{MoveSource, NodeId};
use crate::session::{CLAIMABLE, DRAW, EngineAnswer, Purpose, RESIGN, SearchReport, TIME};
use crate::thinking::{EngineJob, HostId};

/// Number of its own future moves for which an engine plans its time.
const MOVES_TO_COME: u32 = 20;
/// Time that an engine keeps back for the transmission of its answer.
const RESERVE: Now = Now::from_millis(50);

/// Two sides that play each other.
#[derive(Debug)]
pub(super) struct Contest {
    players: Players,
    clocks: Clocks,
    playback: Playback,
}

impl Contest {
    pub(super) fn new(players: Players, clocks: Clocks, playback: Playback) -> Self {
        Contest { players, clocks, playback }
    }

    fn is_humans_turn(&self, core: &Core) -> bool {
        self.players.is_human(core.line.present_position().to_move())
    }

    /// Reports whether two engines play each other, and the game is not over.
    fn is_match(&self, core: &Core) -> bool {
        !self.players.has_human() && core.line.outcome().is_none()
    }

    fn somebody_plays(&self, core: &Core) -> Result<(), MatchRefusal> {
        let is_over = core.line.outcome().is_some();
        if self.players.has_human() { Ok(()) } else { Err(MatchRefusal::OnlyShown { is_over }) }
    }

    fn is_still_played(&self, core: &Core) -> Result<(), MatchRefusal> {
        self.somebody_plays(core)?;
        if core.line.outcome().is_none() { Ok(()) } else { Err(MatchRefusal::OverAlready) }
    }

    // ---- moves ----

    fn play(&mut self, text: &str, core: &mut Core, moment: Moment) -> Acted {
        self.somebody_plays(core)?;
        if moment.is_thinking && !self.is_humans_turn(core) {
            if !core.line.is_looking() {
                return Err(MatchRefusal::IsThinking);
            }
            return Ok(core.look_at_present()); // moves are possible only at the present position
        }
        let moved = core.play(text, MoveSource::Human)?;
        Ok(self.note_move(core, moment, moved, MoveSource::Human, false))
    }

    /// Takes note of a move that leads to the present position, and ends the game if that is a
    /// draw.
    fn note_move(
        &mut self,
        core: &mut Core,
        moment: Moment,
        moved: Moved,
        by: MoveSource,
        is_drawn: bool,
    ) -> Vec<Fact> {
        let node = moved.node;
        let before = core.line.tree.parent(node).expect("a move leads there");
        let side = core.line.tree.position(before).to_move();
        let took = moment.now.saturating_sub(self.clocks.charged_since);
        let clocks = core.clocks_after(before, side, took);
        self.clocks.used[side] += took;
        self.clocks.charge(moment.now);
        let made = core.line.tree.node_mut(node);
        (made.by, made.took, made.clocks) = (by, Some(took), clocks);
        let position = core.line.present_position();
        let (times, is_over) = (position.repetition(), position.outcome().is_some());
        let has_human = self.players.has_human();
        // Between engines the third time is a draw, where a person plays the fifth.
        let is_enough = times >= 5 || times >= CLAIMABLE && !has_human;
        let is_drawn = !is_over && (is_drawn || is_enough);
        let repetition = Some(times).filter(|_| !is_over && !is_drawn && has_human);
        let mut facts = vec![Fact::Moved(Moved { repetition, ..moved })];
        if is_drawn {
            core.line.end_early(DRAW);
        }
        if core.line.outcome().is_some() {
            facts.push(Fact::Over);
        }
        facts
    }

    /// Moves the game to another position.
    fn go_to(&mut self, core: &mut Core, node: NodeId, now: Now) -> Fact {
        self.clocks.charge(now);
        core.go_to(node)
    }

    fn undo(&mut self, count: Option<usize>, core: &mut Core, now: Now) -> Acted {
        self.somebody_plays(core)?;
        let (tree, present) = (&core.line.tree, core.line.present_position());
        let early = present.early();
        let possible = present.plies() + usize::from(early.is_some());
        let mut taken: Vec<String> = early.iter().map(|early| early.word().to_owned()).collect();
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
            taken.extend(tree.position(there).last());
            there = parent;
        }
        if taken.is_empty() || count.is_none() && !is_humans(there) {
            return Err(MatchRefusal::NothingToUndo(0));
        }
        core.line.reopen(core.line.present);
        taken.reverse();
        Ok(vec![Fact::Replied("undo", there, Answer::TookBack(taken)), self.go_to(core, there, now)])
    }

    fn redo(&mut self, count: Option<usize>, core: &mut Core, now: Now) -> Acted {
        let tree = &core.line.tree;
        let way: Vec<NodeId> = tree.main_line_from(core.line.present).skip(1).collect();
        let humans = |&node: &NodeId| self.players.is_human(tree.position(node).to_move());
        let wanted = match count {
            Some(count) => count.min(way.len()),
            None => way.iter().position(humans).map_or(way.len(), |place| place + 1),
        };
        let there = wanted.checked_sub(1).and_then(|last| way.get(last)).copied();
        let there = there.ok_or(MatchRefusal::NothingToRedo)?;
        let again = way[..wanted].iter().filter_map(|&node| tree.position(node).last()).collect();
        Ok(vec![Fact::Replied("redo", there, Answer::PlayedAgain(again)), self.go_to(core, there, now)])
    }

    /// Continues the game from the position that is shown; between engines a person takes the side
    /// to move.
    fn play_here(&mut self, core: &mut Core, now: Now) -> Acted {
        let (here, is_own, is_over) =
            (core.line.shown, self.players.has_human(), core.line.outcome().is_some());
        if is_own && !core.line.is_looking() {
            return Err(if is_over { MatchRefusal::IsOverHere } else { MatchRefusal::IsThePresent });
        }
        if is_own && here == core.line.present && !is_over {
            let back = Fact::Replied("play", here, Answer::BackToPresent);
            return Ok(vec![back, self.go_to(core, here, now)]);
        }
        let goes_on = Answer::GoesOn { redoable: core.open_here()?, is_free: false };
        let goes_on = Fact::Replied("play", here, goes_on);
        let side = core.line.shown_position().to_move();
        Ok(vec![goes_on, if is_own { self.go_to(core, here, now) } else { Fact::TakesOver(Some(side)) }])
    }

    fn promote(&mut self, core: &mut Core, now: Now) -> Acted {
        let end = core.promote()?;
        Ok(vec![Fact::Replied("promote", end, Answer::Promoted), self.go_to(core, end, now)])
    }

    fn resign(&self, core: &mut Core) -> Acted {
        self.is_still_played(core)?;
        if !self.is_humans_turn(core) {
            return Err(MatchRefusal::NotYourTurn);
        }
        let side = core.line.present_position().to_move();
        core.line.end_early(RESIGN);
        Ok(vec![Fact::Replied("resign", core.line.present, Answer::GivesUp(side)), Fact::Over])
    }

    /// Claims the draw of a position that has come three times.
    fn claim_draw(&self, core: &mut Core) -> Acted {
        self.is_still_played(core)?;
        if let Err(why) = core.line.present_position().end_by(DRAW) {
            return Err(MatchRefusal::IllegalMove { why, came_back: false });
        }
        core.line.end_early(DRAW);
        Ok(vec![Fact::Replied("draw", core.line.present, Answer::DrawClaimed), Fact::Over])
    }

    // ---- players ----

    fn set_level(&mut self, level: EngineKind, core: &mut Core) -> Acted {
        let facts = core.set_level(level)?;
        self.players.set_level(level);
        Ok(facts)
    }

    fn set_side(&mut self, side: Side, core: &mut Core) -> Acted {
        if core.spec.mode == Mode::Machines {
            return Err(MatchRefusal::BothSidesAreTaken);
        }
        // Where two people play an engine takes the other side.
        (core.spec.mode, core.spec.play_as) = (Mode::HumanMachine, PlayAs::from(side));
        self.players = Players::of(&core.spec, self.players.seed, side); // the seed stays, as its journal says
        core.line.return_to_present();
        let present = core.line.present;
        let set = Fact::Replied("side", present, Answer::SideSet(side));
        Ok(vec![set, Fact::Seated, Fact::Present(present)])
    }

    // ---- engines ----

    fn engine_moves(&mut self, thought: &EngineAnswer, core: &mut Core, moment: Moment) -> Vec<Fact> {
        let is_content = thought.report.score.is_some_and(|score| score <= Score(0));
        let position = core.line.present_position().clone();
        let draws = is_content && position.repetition() >= CLAIMABLE;
        if draws || thought.text == RESIGN {
            core.line.end_early(if draws { DRAW } else { RESIGN });
            return vec![Fact::Over];
        }
        let present = core.line.present;
        let node = core.line.play(&thought.text, MoveSource::Machine).expect("engines play legal moves");
        let (side, report) = (position.to_move(), || Arc::clone(&thought.report));
        core.line.tree.node_mut(present).known = Some((side, report()));
        let made = core.line.tree.node_mut(node);
        (made.search, made.known) = (Some(report()), Some((side, report())));
        core.study.last_search = Some(report());
        let won = self.announced_win(core, node, &thought.report);
        let proof = won.or_else(|| proof_news(core, &thought.report));
        let is_drawn = is_content && core.line.tree.position(node).repetition() >= CLAIMABLE;
        core.line.advance(node);
        let moved = Moved { node, came_back: false, proof, repetition: None };
        self.note_move(core, moment, moved, MoveSource::Machine, is_drawn)
    }

    /// Returns the news for a person if the engine has proved its win by this move.
    fn announced_win(&self, core: &Core, node: NodeId, report: &SearchReport) -> Option<ProofNews> {
        let plies = wins_within(report).filter(|&plies| plies > 1 && self.players.has_human())?;
        let before = core.line.tree.parent(core.line.present);
        let before = before.and_then(|before| core.line.tree.node(before).search.as_deref());
        let is_new = before.and_then(wins_within).is_none();
        core.line.tree.position(node).announcement(plies, is_new).map(ProofNews::Won)
    }
}

impl Activity for Contest {
    fn act(&mut self, command: Command, core: &mut Core, moment: Moment) -> Acted {
        let now = moment.now;
        match command {
            Command::Place(_) if core.line.is_looking() && self.players.has_human() => {
                Ok(core.look_at_present())
            }
            Command::Move(text) | Command::Place(text) => self.play(&text, core, moment),
            Command::Undo(count) => self.undo(count, core, now),
            Command::Redo(count) => self.redo(count, core, now),
            Command::PlayHere => self.play_here(core, now),
            Command::Promote => self.promote(core, now),
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

    fn clocks(&self) -> Option<&Clocks> {
        Some(&self.clocks)
    }

    fn playback(&self) -> Option<&Playback> {
        Some(&self.playback)
    }

    fn playback_mut(&mut self) -> Option<&mut Playback> {
        Some(&mut self.playback)
    }

    fn due(&self, core: &Core, moment: Moment) -> Option<Now> {
        let goes_on = if self.is_match(core) {
            !moment.is_thinking && !moment.has_failed
        } else {
            core.line.is_gone_through && core.line.shown != core.line.end()
        };
        (self.playback.is_running && goes_on).then(|| self.playback.due())
    }

    fn step(&mut self, core: &mut Core, _moment: Moment) -> Vec<Fact> {
        if self.is_match(core) {
            return Vec::new(); // its next step is an engine's search
        }
        let next = core.line.next();
        core.line.shown = next.unwrap_or(core.line.shown);
        self.playback.is_running &= core.line.shown != core.line.end();
        next.map(Fact::Shown).into_iter().collect()
    }

    fn clock_due(&self, core: &Core, moment: Moment) -> Option<Now> {
        let side = core.line.present_position().to_move();
        let runs = core.has_clocks() && (moment.is_thinking || !self.is_match(core));
        let left = core.clocks_at(core.line.present).filter(|_| runs)?[side];
        let since = self.clocks.charged_since;
        let falls = Some(since.saturating_add(left)).filter(|_| !self.clocks.is_told);
        let share =
            left / MOVES_TO_COME + core.spec.time.map(|time| time.increment).unwrap_or_default() * 4 / 5;
        let enough = since.saturating_add(share.min(left.saturating_sub(RESERVE)));
        let enough = moment.is_patient.then_some(enough);
        falls.into_iter().chain(enough).min()
    }

    fn check_clocks(&mut self, core: &mut Core, moment: Moment) -> Vec<Fact> {
        if self.clock_due(core, moment).is_none_or(|due| due > moment.now) {
            return Vec::new();
        }
        let side = core.line.present_position().to_move();
        let took = moment.now.saturating_sub(self.clocks.charged_since);
        let is_up = core.clocks_at(core.line.present).is_some_and(|left| left[side] <= took);
        match core.spec.time.filter(|_| is_up && !self.clocks.is_told).map(|time| time.over) {
            None => vec![Fact::MoveNow(side)],
            Some(TimeOver::Loss) => {
                core.line.end_early(TIME);
                vec![Fact::Over]
            }
            Some(TimeOver::Warning) => {
                self.clocks.is_told = true;
                let name = core.line.present_position().side_name(side);
                vec![Fact::Fault(Fault::TimeIsUp(name)), Fact::MoveNow(side)]
            }
        }
    }

    fn job(&self, core: &Core, moment: Moment, running: &[EngineJob]) -> Option<EngineJob> {
        let side = core.line.present_position().to_move();
        if core.line.outcome().is_some() || moment.has_failed {
            return None;
        }
        let Seat::Engine(engine) = self.players.seat(side) else { return None };
        let job = core.job(HostId::Seat(side), engine.clone(), core.line.present, Purpose::Move);
        let pace = self.playback;
        let is_due = pace.is_running && (pace.pause.is_zero() || moment.now >= pace.due());
        let is_wanted = !self.is_match(core) || running.iter().any(|known| known.is_same(&job));
        (is_wanted || is_due || pace.steps).then_some(job)
    }

    fn begins(&mut self, job: &EngineJob, core: &Core, now: Now) {
        if self.is_match(core) {
            self.clocks.charged_since = now; // a pause is nobody's time
        }
        self.playback.steps &= job.host == HostId::Study;
    }

    fn answered(&mut self, thought: &EngineAnswer, core: &mut Core, moment: Moment) -> Vec<Fact> {
        self.engine_moves(thought, core, moment)
    }

    fn starts(&mut self, now: Now) {
        (self.clocks.charged_since, self.playback.since) = (now, now);
    }
}

/// Returns the news if a strong level no longer proves a result, or proves one again.
fn proof_news(core: &mut Core, report: &SearchReport) -> Option<ProofNews> {
    if core.spec.level() < core.spec.start.entry.default_level() {
        return None;
    }
    let status = report.proof?;
    let is_unproved = status == Proof::Unproved;
    match (std::mem::replace(&mut core.study.was_unproved, is_unproved), is_unproved) {
        (false, true) => Some(ProofNews::Lost),
        (true, false) => Some(ProofNews::Found(status)),
        _ => None,
    }
}

/// Returns the number of plies within which the mover wins, as far as it is proved.
fn wins_within(report: &SearchReport) -> Option<u32> {
    match report.proof? {
        Proof::WinIn(plies) => Some(plies),
        _ => None,
    }
}
