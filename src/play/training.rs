//! Training: the positions before your own mistakes, one after the other. You look for a better
//! move; a wrong one is answered by its refutation. Only the first try at each is saved.

use std::collections::{BTreeMap, VecDeque};

use jiff::civil::Date;

use crate::game::{Outcome, Side};
use crate::play::practice::{Practice, Session, Stage};
use crate::play::{
    Acted, Activity, AfterEnd, Answer, Command, Core, Fact, Judged, Known, Lesson, LineOfPlay, Loss, Mark,
    MatchRefusal, Mode, Moment, NewGame, OpenTask, Players, Task, Try, TryNews,
};
use crate::record::{MoveSource, NodeId};

/// Your own mistakes, one after the other.
#[derive(Debug)]
pub(super) struct Training {
    players: Players,
    /// Mistakes that follow.
    rest: VecDeque<(Task, OpenTask)>,
    practice: Practice,
    /// Position after the move that was played.
    played: NodeId,
    /// Engines' evaluations of the positions after tries.
    judged: BTreeMap<NodeId, Judged>,
    known: Vec<Known>,
    today: Date,
    right: usize,
}

impl Training {
    /// Begins with the first mistake of a session.
    pub(super) fn begin(session: Session) -> (Core, Self) {
        let Session { due: mut rest, known, today } = session;
        let count = rest.len();
        let (task, open) = rest.pop_front().expect("a session has a mistake");
        let core = core_of(&open);
        let training = Training {
            players: Players::of(&NewGame { mode: Mode::Humans, ..core.spec.clone() }, 0, Side::First),
            rest,
            practice: Practice { task, number: 1, count, stage: Stage::Fresh },
            played: open.played,
            judged: BTreeMap::new(),
            known,
            today,
            right: 0,
        };
        (core, training)
    }

    /// Takes note of a try; only the first one counts.
    fn note(&mut self, text: Option<String>, is_right: bool) -> Vec<Fact> {
        if self.practice.stage != Stage::Fresh {
            return Vec::new();
        }
        self.practice.stage = Stage::Missed;
        self.right += usize::from(is_right);
        let made = Try { task: self.practice.task.id.clone(), text, is_right, day: self.today };
        if let Some(known) = self.known.iter_mut().find(|known| known.task.id == made.task) {
            known.tries.push(made.clone());
        }
        vec![Fact::Tried(made)]
    }

    /// Tries a move: it is answered at once where its value is known, or else an engine evaluates
    /// it.
    fn attempt(&mut self, text: &str, core: &mut Core) -> Acted {
        if core.study.check.is_some() {
            return Err(MatchRefusal::IsThinking);
        }
        let came_back = core.line.return_to_present();
        let node = core.line.play(text, MoveSource::File); // nobody would miss it
        let node = node.map_err(|why| MatchRefusal::IllegalMove { why, came_back })?;
        core.line.shown = node;
        if let Some(facts) = self.answer(node, core) {
            return Ok(facts);
        }
        core.study.check = Some(node);
        let text = core.line.shown_position().last().unwrap_or_default();
        Ok(vec![Fact::Shown(node), Fact::Replied("move", node, Answer::Tried(TryNews::Checking(text)))])
    }

    /// Returns the win chance that is left after a try, and the opponent's reply as a line, as far
    /// as they are known.
    fn verdict(&self, node: NodeId, core: &Core) -> Option<(f64, Vec<String>)> {
        let position = core.line.tree.position(node);
        if let Some(outcome) = position.outcome() {
            let left = match outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(side) => f64::from(side == self.practice.task.side),
            };
            return Some((left, Vec::new()));
        }
        let text = position.last();
        if text.as_ref() == Some(&self.practice.task.better) {
            return Some((self.practice.task.chance, Vec::new()));
        }
        if node == self.played && !self.practice.task.refutation.is_empty() {
            return Some((self.practice.task.left, self.practice.task.refutation.clone()));
        }
        let judged = self.judged.get(&node)?;
        // Without a chance nothing speaks for the move.
        Some((
            judged.chance_of(self.practice.task.side).unwrap_or(self.practice.task.left),
            judged.line.clone(),
        ))
    }

    /// Answers a try whose value is known: a wrong move by its refutation on the board.
    fn answer(&mut self, node: NodeId, core: &mut Core) -> Option<Vec<Fact>> {
        let (left, line) = self.verdict(node, core)?;
        let text = core.line.tree.position(node).last().unwrap_or_default();
        let is_right = Mark::of(self.practice.task.chance - left).is_none();
        let mut facts = self.note(Some(text.clone()), is_right);
        let mut shown = node;
        let news = if is_right {
            self.practice.stage = Stage::Answered;
            TryNews::Right { text, left }
        } else {
            if let Some(reply) = line.first() {
                shown = core.line.tree.play(node, reply, MoveSource::File).unwrap_or(node);
            }
            TryNews::Wrong { text, left, line }
        };
        core.line.shown = shown;
        facts.extend([Fact::Shown(shown), Fact::Replied("move", node, Answer::Tried(news))]);
        Some(facts)
    }

    /// Shows the position before the mistake again, and asks again if it is not answered yet.
    fn come_back(&self, core: &mut Core) -> Vec<Fact> {
        core.study.check = None;
        core.line.return_to_present();
        let base = core.line.present;
        let answer = if self.practice.is_answered() { Answer::BackToPresent } else { Answer::Asked };
        vec![Fact::Present(base), Fact::Replied("undo", base, answer)]
    }

    /// Shows the better move, which counts as a wrong try where there was none.
    fn solve(&mut self, core: &mut Core) -> Vec<Fact> {
        let mut facts = self.note(None, false);
        self.practice.stage = Stage::Answered;
        core.study.check = None;
        core.line.return_to_present();
        let (task, base) = (&self.practice.task, core.line.present);
        let loss = Loss {
            node: self.played,
            cost: task.chance - task.left,
            better: task.better.clone(),
            line: task.line.clone(),
            chance: task.chance,
            left: task.left,
        };
        let line = core.better_line(&loss);
        let consequence = core.consequence(&loss, 0);
        core.lesson =
            Some(Lesson { loss, number: 1, count: 1, consequence, line, step: 0, before: (base, false) });
        facts.extend([Fact::Shown(base), Fact::Replied("solution", base, Answer::Solution)]);
        facts
    }

    /// Goes to the next mistake, or ends after the last one.
    fn next(&mut self, core: &mut Core, moment: Moment) -> Vec<Fact> {
        if let Some((task, open)) = self.rest.pop_front() {
            let configured = core.configured.take();
            *core = Core { configured, ..core_of(&open) };
            self.played = open.played;
            self.practice =
                Practice { task, stage: Stage::Fresh, number: self.practice.number + 1, ..self.practice };
            self.judged.clear();
            return vec![Fact::Begun];
        }
        let due = self.known.iter().filter_map(|known| known.due(self.today)).min();
        let end = Answer::Practised { right: self.right, count: self.practice.count, due };
        let end = Fact::Replied("next", core.line.shown, end);
        let leaves = moment.rules.after_end != AfterEnd::Stay;
        [end].into_iter().chain(leaves.then_some(Fact::Done)).collect()
    }
}

/// Returns the board before a mistake. Its moves count as those of a file.
fn core_of(open: &OpenTask) -> Core {
    let spec = NewGame { mode: Mode::Analysis, ..NewGame::on(open.start.clone()) };
    let mut core = Core::new(spec).expect("the board was there when the task was opened");
    core.line = LineOfPlay::new(open.tree.clone(), open.base, open.base);
    (core.source.is_loaded, core.source.kept) = (true, Some(open.base));
    core
}

impl Activity for Training {
    fn act(&mut self, command: Command, core: &mut Core, moment: Moment) -> Acted {
        match command {
            Command::Place(_) if core.line.is_looking() && core.study.check.is_none() => {
                Ok(self.come_back(core))
            }
            Command::Move(text) | Command::Place(text) => self.attempt(&text, core),
            Command::Undo(_) => Ok(self.come_back(core)),
            Command::Solve => Ok(self.solve(core)),
            Command::NextTask => Ok(self.next(core, moment)),
            _ => Err(MatchRefusal::IsTraining),
        }
    }

    fn players(&self) -> Option<&Players> {
        Some(&self.players)
    }

    fn practice(&self) -> Option<&Practice> {
        Some(&self.practice)
    }

    fn checked(&mut self, node: NodeId, judged: Judged, core: &mut Core) -> Vec<Fact> {
        self.judged.insert(node, judged);
        self.answer(node, core).unwrap_or_default()
    }
}
