//! What commands do to a match.

use crate::ai::EngineKind;
use crate::game::{Refusal, RefusalCode, Side};
use crate::play::{
    Advice, AfterEnd, Another, Answer, Command, Event, Game, Leaving, Match, MatchRefusal, Mode, Moved,
    NewGame, Now, PlayAs, ProofNews, Query, Reply, Unsaved,
};
use crate::record::{By, NodeId, Strictness};
use crate::session::{DRAW, RESIGN};
use crate::thinking::EnginePlayer;

impl Match {
    /// Does what a command asks for and tells what has happened. What is refused changes no game; a move that is none
    /// still ends looking back.
    pub fn handle(&mut self, command: Command, now: Now) -> Vec<Event> {
        self.take(now, |game| game.apply(command))
    }

    /// Lets something happen to the match, after what the clocks ask for, and tells it.
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
        self.heed_clocks();
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
        match command {
            Command::Nothing => {}
            Command::AfterEnd(after_end) => self.rules.after_end = after_end,
            Command::Place(_) if self.game.is_looking() && self.game.has_human() => self.look_at_present(),
            Command::Move(text) | Command::Place(text) => return self.play(&text),
            Command::Undo(count) => return self.undo(count),
            Command::Redo(count) => return self.redo(count),
            Command::Show(place) => return self.show(place),
            Command::Replay => return self.replay(),
            Command::PlayHere => return self.play_here(),
            Command::Promote => return self.promote(),
            Command::Resign => return self.resign(),
            Command::ClaimDraw => return self.claim_draw(),
            Command::MoveNow => self.move_now(),
            Command::Level(level) => return self.set_level(level),
            Command::Side(side) => return self.set_side(side),
            Command::Walk(walk) => self.walk(walk),
            Command::Ask(query) => return self.answer(query),
            Command::Advise(advice) => return self.advise(advice),
            Command::Review => return self.review(),
            Command::StopReview => self.stop_review(),
            Command::New(spec) => return self.new_game(*spec),
            Command::Again => return self.again(),
            Command::Answer(Another::Yes) => self.begin(self.same_again()),
            Command::Answer(Another::No) | Command::Leave => self.leave(Leaving::Done(self.unsaved())),
            Command::Quit => {
                self.reply("quit", self.game.present, Answer::Quit);
                self.leave(Leaving::Done(self.unsaved()));
            }
            Command::Abandon(why) => self.leave(Leaving::Failed(why)),
        }
        Ok(())
    }

    pub(super) fn leave(&mut self, leaving: Leaving) {
        self.events.push(Event::Left(leaving));
    }

    pub(super) fn reply(&mut self, word: &'static str, at: NodeId, answer: Answer) {
        self.events.push(Event::Replied(Reply { word, at, answer }));
    }

    // ---- games ----

    /// Another game takes the place of this one, which undo can bring back.
    pub(super) fn begin(&mut self, spec: NewGame) {
        let game = Game::new(spec, None, self.rules).expect("the board was there before");
        self.start_instead(game);
    }

    /// Starts a game in place of this one; says if moves of this one are not saved.
    pub(super) fn start_instead(&mut self, game: Game) {
        let is_lost = self.game.is_lost();
        self.replace(game);
        if is_lost {
            self.reply("new", self.game.present, Answer::New(Unsaved::Yes));
        }
        self.start();
    }

    pub(super) fn replace(&mut self, mut game: Game) {
        game.configured = game.configured.or_else(|| self.game.configured.clone());
        let before = std::mem::replace(&mut *self.game, game);
        // An opening of the engine alone is nothing to come back to.
        if before.tree.has_moves_of(|by| by != By::Machine || before.is_between_engines()) {
            self.drop_previous();
            self.last_game = Some((Box::new(before), self.tally.clone()));
        } else {
            self.note_loss(&before);
        }
        self.games += 1;
        self.game.number = self.games;
        self.game.charged_since = self.now;
        self.study = None;
        self.assign_players();
    }

    /// A game begins on the board that is there.
    pub(super) fn start(&mut self) {
        let title = self.present_position().view().title();
        let level = self.game.has_engine().then_some(self.game.level);
        self.tally.begin(title, level);
        (self.game.charged_since, self.game.pace.since) = (self.now, self.now);
        self.events.push(Event::Started);
        if self.rules.after_end == AfterEnd::Stay {
            self.tell_what_was_dropped(|_| true); // who steps through the file may never come there
        }
    }

    /// The game as it was begun, on its board, with the level that is played now.
    pub(super) fn same_again(&self) -> NewGame {
        let mut spec = self.game.spec.clone();
        spec.level = Some(self.game.level);
        if spec.mode == Mode::Replay {
            spec.mode = Mode::HumanMachine; // nothing is shown any more
        }
        spec
    }

    fn new_game(&mut self, spec: NewGame) -> Result<(), MatchRefusal> {
        if self.rules.after_end == AfterEnd::Leave {
            return Err(MatchRefusal::OnlyOneGame);
        }
        let unsaved = self.unsaved();
        let game = Game::new(spec, None, self.rules).map_err(MatchRefusal::NoSuchBoard)?;
        self.replace(game);
        self.reply("new", NodeId::ROOT, Answer::New(unsaved));
        self.start();
        Ok(())
    }

    fn again(&mut self) -> Result<(), MatchRefusal> {
        if self.game.outcome().is_none() {
            return Err(MatchRefusal::NotOver);
        }
        let mut spec = self.same_again();
        if let Some(you) = self.game.only_human() {
            spec.play_as = you.other().into();
        }
        self.begin(spec);
        Ok(())
    }

    // ---- moves ----

    fn somebody_plays(&self) -> Result<(), MatchRefusal> {
        let is_over = self.game.outcome().is_some();
        if self.game.has_human() { Ok(()) } else { Err(MatchRefusal::OnlyShown { is_over }) }
    }

    fn is_still_played(&self) -> Result<(), MatchRefusal> {
        self.somebody_plays()?;
        if self.game.outcome().is_none() { Ok(()) } else { Err(MatchRefusal::OverAlready) }
    }

    fn play(&mut self, text: &str) -> Result<(), MatchRefusal> {
        self.somebody_plays()?;
        if self.is_thinking() && !self.game.is_humans_turn() {
            if !self.game.is_looking() {
                return Err(MatchRefusal::IsThinking);
            }
            self.look_at_present(); // nobody plays on a board that is not the present one
            return Ok(());
        }
        let came_back = self.return_to_present();
        let node = self.game.tree.play(self.game.present, text, By::Human);
        let node = node.map_err(|why| MatchRefusal::IllegalMove { why, came_back })?;
        self.drop_previous();
        self.advance(node, By::Human, came_back, None, false);
        Ok(())
    }

    /// The game goes on by a move; the position after it is the present one.
    pub(super) fn advance(
        &mut self,
        node: NodeId,
        by: By,
        came_back: bool,
        proof: Option<ProofNews>,
        is_drawn: bool,
    ) {
        let game = &mut *self.game;
        let side = game.position(game.present).to_move();
        let took = self.now.saturating_sub(game.charged_since);
        let clocks = game.clocks_after(side, took);
        game.used[side] += took;
        (game.charged_since, game.is_told_of_time) = (self.now, false);
        let made = game.tree.node_mut(node);
        (made.by, made.took, made.clocks) = (by, Some(took), clocks);
        game.tree.make_main(node);
        if game.shown == game.present && !game.is_replay {
            game.shown = node;
        }
        game.present = node;
        game.has_ended = false;
        let position = game.position(node);
        let (times, is_over) = (position.repetition(), position.outcome().is_some());
        // Between engines the third time is a draw, where a person plays the fifth.
        let is_enough = times >= 5 || times >= crate::session::CLAIMABLE && !game.has_human();
        let is_drawn = !is_over && (is_drawn || is_enough);
        let repetition = Some(times).filter(|_| !is_over && !is_drawn && game.has_human());
        self.events.push(Event::Moved(Moved { node, came_back, proof, repetition }));
        if is_drawn {
            self.end_early(DRAW);
        }
        if self.game.outcome().is_some() {
            self.end();
        }
    }

    /// The present position is the last one: somebody has given up, or it is a draw.
    pub(super) fn end_early(&mut self, word: &str) {
        let present = self.game.present;
        let ended = self.present_position().end_by(word).ok().flatten();
        self.game.tree.set_position(present, ended.expect("the game goes on and may end so"));
    }

    /// The game is over.
    pub(super) fn end(&mut self) {
        self.return_to_present();
        self.events.push(Event::Ended(self.present_position().clone()));
        let game = &mut *self.game;
        game.has_ended = true;
        let you = game.only_human();
        if let Some(outcome) = game.outcome()
            && game.has_human()
            && !game.is_loaded
            && game.counted.is_none()
        {
            game.counted = Some(self.tally.count(outcome, you));
        }
        let leaves = match self.rules.after_end {
            AfterEnd::Stay => false,
            AfterEnd::Leave => true,
            AfterEnd::Ask => !self.game.has_human(),
        };
        if leaves {
            self.leave(Leaving::Done(Unsaved::No));
        }
    }

    /// The present position is another one.
    fn go_to(&mut self, node: NodeId) {
        self.stand_at(node);
        self.return_to_present();
        self.game.has_ended = false;
        if self.game.outcome().is_some() {
            self.end(); // which shows the board
        } else {
            self.events.push(Event::Present(node));
        }
    }

    /// Makes a position the present one. Who gave up before it has thought better of it.
    fn stand_at(&mut self, node: NodeId) {
        self.game.tree.reopen_before(node);
        self.game.present = node;
        (self.game.charged_since, self.game.is_told_of_time) = (self.now, false);
    }

    fn undo(&mut self, count: Option<usize>) -> Result<(), MatchRefusal> {
        if !self.game.has_human() && self.last_game.is_some() {
            return self.bring_back();
        }
        self.somebody_plays()?;
        let early = self.present_position().early();
        let tree = &self.game.tree;
        let possible = self.present_position().plies() + usize::from(early.is_some());
        let mut taken: Vec<String> = early.iter().map(|early| early.word().to_owned()).collect();
        let is_humans = |node: NodeId| self.game.seats[tree.position(node).to_move()] == super::Seat::Human;
        let mut there = self.game.present;
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
            return self.bring_back();
        }
        if early.is_some() {
            let (present, open) = (self.game.present, self.present_position().reopened());
            self.game.tree.set_position(present, open);
        }
        taken.reverse();
        self.reply("undo", there, Answer::TookBack(taken));
        self.go_to(there);
        Ok(())
    }

    /// After `new` undo brings the last game back, until the first move of the new one.
    fn bring_back(&mut self) -> Result<(), MatchRefusal> {
        let Some((before, tally)) = self.last_game.take() else {
            return Err(MatchRefusal::NothingToUndo(0));
        };
        let dropped = std::mem::replace(&mut self.game, before);
        self.note_loss(&dropped);
        self.tally = tally;
        self.study = None;
        let is_over = self.game.outcome().is_some();
        self.reply("undo", self.game.present, Answer::BroughtBack);
        self.start();
        if is_over {
            self.events.pop(); // the end shows the board
            self.end();
        }
        Ok(())
    }

    fn redo(&mut self, count: Option<usize>) -> Result<(), MatchRefusal> {
        let (game, tree) = (&*self.game, &self.game.tree);
        let way: Vec<NodeId> = tree.way_on(game.present).skip(1).collect();
        let humans = |&node: &NodeId| game.seats[tree.position(node).to_move()] == super::Seat::Human;
        let wanted = match count {
            Some(count) => count.min(way.len()),
            None => way.iter().position(humans).map_or(way.len(), |place| place + 1),
        };
        let there = wanted.checked_sub(1).and_then(|last| way.get(last)).copied();
        let there = there.ok_or(MatchRefusal::NothingToRedo)?;
        let again = way[..wanted].iter().filter_map(|&node| tree.position(node).last()).collect();
        self.reply("redo", there, Answer::PlayedAgain(again));
        self.go_to(there);
        Ok(())
    }

    /// The game goes on from the position that is shown; one that was only shown with the player on the side to move.
    fn play_here(&mut self) -> Result<(), MatchRefusal> {
        let (here, is_own) = (self.game.shown, self.game.has_human());
        if is_own && !self.game.is_looking() {
            let is_over = self.game.outcome().is_some();
            return Err(if is_over { MatchRefusal::IsOverHere } else { MatchRefusal::IsThePresent });
        }
        let open = self.game.position(here).reopened();
        if open.outcome().is_some() {
            return Err(MatchRefusal::IsOverHere);
        }
        if is_own && here == self.game.present && self.game.outcome().is_none() {
            self.reply("play", here, Answer::BackToPresent);
            self.go_to(here);
            return Ok(());
        }
        if self.game.position(here).early().is_some() {
            self.game.tree.set_position(here, open);
        }
        self.game.tree.make_main(here);
        let redoable = self.game.tree.way_on(here).count() - 1;
        self.reply("play", here, Answer::GoesOn(redoable));
        if is_own {
            self.go_to(here);
            return Ok(());
        }
        let side = self.game.position(here).to_move();
        self.stand_at(here);
        let game = &mut *self.game;
        (game.shown, game.has_ended, game.stuck) = (here, false, None);
        (game.spec.mode, game.spec.play_as) = (Mode::HumanMachine, side.into());
        game.source = None;
        game.remarks.clear();
        game.pace.is_running = false;
        self.assign_players();
        self.start();
        Ok(())
    }

    /// The line that is shown becomes the main one, and the game stands at its end.
    fn promote(&mut self) -> Result<(), MatchRefusal> {
        let shown = self.game.shown;
        if self.game.tree.leads_to(shown, self.game.present) {
            return Err(MatchRefusal::IsTheMainLine);
        }
        self.game.tree.make_main(shown);
        let (end, is_record) = (self.game.tree.end_of(shown), self.game.is_record());
        self.reply("promote", if is_record { shown } else { end }, Answer::Promoted);
        if is_record {
            self.stand_at(end);
            self.game.stuck = None;
            self.events.push(Event::Shown(shown));
        } else {
            self.go_to(end);
        }
        Ok(())
    }

    fn resign(&mut self) -> Result<(), MatchRefusal> {
        self.is_still_played()?;
        if !self.game.is_humans_turn() {
            return Err(MatchRefusal::NotYourTurn);
        }
        let side = self.present_position().to_move();
        self.end_early(RESIGN);
        self.reply("resign", self.game.present, Answer::GivesUp(side));
        self.end();
        Ok(())
    }

    /// Claims the draw of a position that has come three times.
    fn claim_draw(&mut self) -> Result<(), MatchRefusal> {
        self.is_still_played()?;
        if let Err(why) = self.present_position().end_by(DRAW) {
            return Err(MatchRefusal::IllegalMove { why, came_back: false });
        }
        self.end_early(DRAW);
        self.reply("draw", self.game.present, Answer::DrawClaimed);
        self.end();
        Ok(())
    }

    // ---- players ----

    fn set_level(&mut self, level: EngineKind) -> Result<(), MatchRefusal> {
        if self.present_position().check_level(level).is_err() {
            return Err(MatchRefusal::NoSuchLevel(level.to_string()));
        }
        (self.game.level, self.game.spec.program) = (level, None);
        for side in Side::BOTH {
            if let super::Seat::Engine(engine) = &mut self.game.seats[side] {
                (engine.player, engine.turn) = (EnginePlayer::Own(level), engine.turn + 1);
            }
        }
        self.failed_at = None;
        self.events.push(Event::Seated);
        self.reply("level", self.game.present, Answer::LevelSet);
        Ok(())
    }

    fn set_side(&mut self, side: Side) -> Result<(), MatchRefusal> {
        match self.game.spec.mode {
            Mode::HumanMachine => {}
            Mode::Humans => return Err(MatchRefusal::NoEngineForTheSide),
            Mode::Machines => return Err(MatchRefusal::BothSidesAreTaken),
            Mode::Replay => return self.somebody_plays(),
        }
        self.game.spec.play_as = PlayAs::from(side);
        self.seat_players(self.game.seed); // the game goes on with its seed, as its journal says
        self.reply("side", self.game.present, Answer::SideSet(side));
        self.return_to_present();
        self.events.extend([Event::Seated, Event::Present(self.game.present)]);
        Ok(())
    }

    // ---- questions ----

    fn answer(&mut self, query: Query) -> Result<(), MatchRefusal> {
        let shown = self.game.shown;
        let query = match query {
            Query::Help(text) => {
                let word = text.to_lowercase();
                let is_own = || self.present_position().own_words().iter().any(|(name, _)| *name == word);
                if !text.is_empty() && super::find(&text).is_none() && !is_own() {
                    return Err(MatchRefusal::NoSuchWord(text));
                }
                Query::Help(text)
            }
            Query::Effect(text) => {
                let position = self.shown();
                let text = position.read(&text).map_err(MatchRefusal::Unread)?;
                position.effect(&text, crate::canvas::Glyphs::Ascii).map_err(MatchRefusal::Unread)?;
                Query::Effect(text)
            }
            Query::Link => {
                let no_link = |why| MatchRefusal::Unread(Refusal::new(RefusalCode::NotUnderstood, why));
                self.link().map_err(|why: String| no_link(format!("{why}.")))?;
                Query::Link
            }
            told => told,
        };
        let is_board = query == Query::Board;
        self.reply(query.word(), shown, Answer::Told(query));
        if is_board {
            let is_present = shown == self.game.present && !self.game.is_replay;
            self.events.push(if is_present { Event::Present(shown) } else { Event::Shown(shown) });
        }
        Ok(())
    }

    fn advise(&mut self, advice: Advice) -> Result<(), MatchRefusal> {
        let shown = self.shown().clone();
        if advice == Advice::Study {
            let wants = shown.outcome().is_none() && shown.values().is_empty() && self.study.is_none();
            self.study = wants.then_some((self.game.shown, advice)).or(self.study);
            return Ok(());
        }
        if advice == Advice::Eval && !shown.values().is_empty() {
            self.reply("eval", self.game.shown, Answer::Values);
            self.wait_for_the_reader();
            return Ok(());
        }
        if shown.outcome().is_some() {
            let over = advice == Advice::Hint;
            return Err(if over { MatchRefusal::NothingToAdvise } else { MatchRefusal::NothingToEvaluate });
        }
        if self.is_thinking() && !self.game.is_humans_turn() && !self.game.is_looking() {
            return Err(MatchRefusal::IsThinking); // its answer would come before the advice
        }
        self.study = Some((self.game.shown, advice));
        Ok(())
    }
}
