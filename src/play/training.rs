//! Training: practises the player's own mistakes.
//!
//! The player looks for a better move in the position before each mistake; a wrong move is answered
//! by its refutation. Only first tries are saved.

use std::collections::{BTreeMap, VecDeque};

use jiff::civil::Date;

use crate::game::{Outcome, Side};
use crate::play::practice::{PracticeItem, PracticeSession, PracticeStage};
use crate::play::{
    ActivityContext, ActivityResult, AfterGameEnd, Command, CommandAnswer, GameActivity, GameMode,
    LineOfPlay, LiveGameState, MatchFact, MatchRefusal, MistakeLesson, MistakeMark, MoveLoss, NewGame,
    OpenTask, Players, PracticeTask, ReviewEvaluation, TaskAttempt, TaskHistory, TryOutcome,
};
use crate::record::{MoveSource, NodeId};

/// Training activity: practises the mistakes of a session one after the other.
#[derive(Debug)]
pub(super) struct TrainingActivity {
    players: Players,
    /// Mistakes of the session after the shown one.
    rest: VecDeque<(PracticeTask, OpenTask)>,
    practice: PracticeItem,
    /// Node after the mistake.
    played: NodeId,
    /// Evaluations of the positions after tried moves, by node.
    evaluations: BTreeMap<NodeId, ReviewEvaluation>,
    known: Vec<TaskHistory>,
    today: Date,
    right: usize,
}

impl TrainingActivity {
    /// Starts training with the first mistake of a session.
    pub(super) fn start_session(session: PracticeSession) -> (LiveGameState, Self) {
        let PracticeSession { due: mut rest, known, today } = session;
        let count = rest.len();
        let (task, open) = rest.pop_front().expect("a session has a mistake");
        let core = game_state_of_task(&open);
        let training = TrainingActivity {
            players: Players::for_game(
                &NewGame { mode: GameMode::Humans, ..core.spec.clone() },
                0,
                Side::First,
            ),
            rest,
            practice: PracticeItem { task, number: 1, count, stage: PracticeStage::Fresh },
            played: open.played,
            evaluations: BTreeMap::new(),
            known,
            today,
            right: 0,
        };
        (core, training)
    }

    /// Records a try; only the first try at a mistake counts.
    fn record_try(&mut self, text: Option<String>, is_right: bool) -> Vec<MatchFact> {
        if self.practice.stage != PracticeStage::Fresh {
            return Vec::new();
        }
        self.practice.stage = PracticeStage::Missed;
        self.right += usize::from(is_right);
        let made = TaskAttempt { task: self.practice.task.id.clone(), text, is_right, day: self.today };
        if let Some(known) = self.known.iter_mut().find(|known| known.task.id == made.task) {
            known.tries.push(made.clone());
        }
        vec![MatchFact::Tried(made)]
    }

    /// Tries a move: answers at once if its value is known, otherwise asks an engine to evaluate it.
    fn try_move(&mut self, text: &str, core: &mut LiveGameState) -> ActivityResult {
        if core.study.check.is_some() {
            return Err(MatchRefusal::IsThinking);
        }
        let came_back = core.line.return_to_present();
        let node = core.line.play_move(text, MoveSource::File); // so that it does not count as unsaved
        let node = node.map_err(|why| MatchRefusal::IllegalMove { why, came_back })?;
        core.line.shown = node;
        if let Some(facts) = self.answer_try(node, core) {
            return Ok(facts);
        }
        core.study.check = Some(node);
        let text = core.line.shown_position().last_move().unwrap_or_default();
        Ok(vec![
            MatchFact::Shown(node),
            MatchFact::Replied("move", node, CommandAnswer::Tried(TryOutcome::Checking(text))),
        ])
    }

    /// Returns the win chance after a tried move and its refutation; `None` if the value is
    /// unknown.
    fn evaluate_try(&self, node: NodeId, core: &LiveGameState) -> Option<(f64, Vec<String>)> {
        let position = core.line.tree.position(node);
        if let Some(outcome) = position.outcome() {
            let left = match outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(side) => f64::from(side == self.practice.task.side),
            };
            return Some((left, Vec::new()));
        }
        let text = position.last_move();
        if text.as_ref() == Some(&self.practice.task.better) {
            return Some((self.practice.task.chance, Vec::new()));
        }
        if node == self.played && !self.practice.task.refutation.is_empty() {
            return Some((self.practice.task.left, self.practice.task.refutation.clone()));
        }
        let judged = self.evaluations.get(&node)?;
        // Without a win chance the move counts as bad as the mistake.
        Some((
            judged.win_chance_of(self.practice.task.side).unwrap_or(self.practice.task.left),
            judged.line.clone(),
        ))
    }

    /// Answers a tried move whose value is known. A wrong move is refuted on the board.
    fn answer_try(&mut self, node: NodeId, core: &mut LiveGameState) -> Option<Vec<MatchFact>> {
        let (left, line) = self.evaluate_try(node, core)?;
        let text = core.line.tree.position(node).last_move().unwrap_or_default();
        let is_right = MistakeMark::from_cost(self.practice.task.chance - left).is_none();
        let mut facts = self.record_try(Some(text.clone()), is_right);
        let mut shown = node;
        let news = if is_right {
            self.practice.stage = PracticeStage::Answered;
            TryOutcome::Right { text, left }
        } else {
            if let Some(reply) = line.first() {
                shown = core.line.tree.play_move(node, reply, MoveSource::File).unwrap_or(node);
            }
            TryOutcome::Wrong { text, left, line }
        };
        core.line.shown = shown;
        facts.extend([MatchFact::Shown(shown), MatchFact::Replied("move", node, CommandAnswer::Tried(news))]);
        Some(facts)
    }

    /// Shows the position before the mistake again, and asks again if it is not yet solved.
    fn return_to_mistake(&self, core: &mut LiveGameState) -> Vec<MatchFact> {
        core.study.check = None;
        core.line.return_to_present();
        let base = core.line.present;
        let answer = if self.practice.is_answered() {
            CommandAnswer::BackToPresent
        } else {
            CommandAnswer::MistakeShown
        };
        vec![MatchFact::Present(base), MatchFact::Replied("undo", base, answer)]
    }

    /// Shows the better move. Without an earlier try, this counts as a wrong try.
    fn show_solution(&mut self, core: &mut LiveGameState) -> Vec<MatchFact> {
        let mut facts = self.record_try(None, false);
        self.practice.stage = PracticeStage::Answered;
        core.study.check = None;
        core.line.return_to_present();
        let (task, base) = (&self.practice.task, core.line.present);
        let loss = MoveLoss {
            node: self.played,
            cost: task.chance - task.left,
            better: task.better.clone(),
            line: task.line.clone(),
            chance: task.chance,
            left: task.left,
        };
        let line = core.better_line(&loss);
        let consequence = core.explain_mistake(&loss, 0);
        core.lesson = Some(MistakeLesson {
            loss,
            number: 1,
            count: 1,
            consequence,
            line,
            step: 0,
            before: (base, false),
        });
        facts.extend([MatchFact::Shown(base), MatchFact::Replied("solution", base, CommandAnswer::Solution)]);
        facts
    }

    /// Goes to the next mistake, or ends the session after the last one.
    fn go_to_next_mistake(&mut self, core: &mut LiveGameState, context: ActivityContext) -> Vec<MatchFact> {
        if let Some((task, open)) = self.rest.pop_front() {
            let configured = core.configured.take();
            *core = LiveGameState { configured, ..game_state_of_task(&open) };
            self.played = open.played;
            self.practice = PracticeItem {
                task,
                stage: PracticeStage::Fresh,
                number: self.practice.number + 1,
                ..self.practice
            };
            self.evaluations.clear();
            return vec![MatchFact::Begun];
        }
        let due = self.known.iter().filter_map(|known| known.due_date(self.today)).min();
        let end = CommandAnswer::Practised { right: self.right, count: self.practice.count, due };
        let end = MatchFact::Replied("next", core.line.shown, end);
        let leaves = context.rules.after_end != AfterGameEnd::Stay;
        [end].into_iter().chain(leaves.then_some(MatchFact::Done)).collect()
    }
}

/// Returns the game state before a mistake. Its moves count as imported.
fn game_state_of_task(open: &OpenTask) -> LiveGameState {
    let spec = NewGame { mode: GameMode::Analysis, ..NewGame::from_start(open.start.clone()) };
    let mut core = LiveGameState::new(spec).expect("the board was there when the task was opened");
    core.line = LineOfPlay::new(open.tree.clone(), open.base, open.base);
    (core.source.is_loaded, core.source.saved_node) = (true, Some(open.base));
    core
}

impl GameActivity for TrainingActivity {
    fn execute_command(
        &mut self,
        command: Command,
        core: &mut LiveGameState,
        context: ActivityContext,
    ) -> ActivityResult {
        match command {
            Command::Place(_) if core.line.is_browsing() && core.study.check.is_none() => {
                Ok(self.return_to_mistake(core))
            }
            Command::Move(text) | Command::Place(text) => self.try_move(&text, core),
            Command::Undo(_) => Ok(self.return_to_mistake(core)),
            Command::Solve => Ok(self.show_solution(core)),
            Command::NextTask => Ok(self.go_to_next_mistake(core, context)),
            _ => Err(MatchRefusal::IsTraining),
        }
    }

    fn players(&self) -> Option<&Players> {
        Some(&self.players)
    }

    fn practice_item(&self) -> Option<&PracticeItem> {
        Some(&self.practice)
    }

    fn on_try_evaluated(
        &mut self,
        node: NodeId,
        judged: ReviewEvaluation,
        core: &mut LiveGameState,
    ) -> Vec<MatchFact> {
        self.evaluations.insert(node, judged);
        self.answer_try(node, core).unwrap_or_default()
    }
}
