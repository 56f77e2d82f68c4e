//! Why a mistake in Quoridor is one: the steps that walls cost and the race after steps. Knows the rules and path lengths.

use crate::ai::{Consequence, after_move, legal_moves};
use crate::game::{BySide, Game, Notation, Side, View};
use crate::games::quoridor::{Move, Quoridor};
use crate::text;
use crate::text::{Text, of_move};

/// Says what a legal move does to the paths of both sides beside a better one, and whether the better one is the only wall
/// that costs the opponent as much; or which of them decides the game at once. `None` where both do the same. The number
/// chooses between two wordings.
///
/// ```
/// use crosspath::ai::quoridor::consequence::consequence;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::quoridor::Quoridor;
/// let mut game = Quoridor::new(5)?;
/// for text in ["c2", "c4"] {
///     game.make(game.parse(text)?);
/// }
/// let found = consequence(&game, [game.parse("d2")?, game.parse("c3")?], 0).expect("c3 gains a step");
/// let told = "d2 leaves White at 3 steps (Black needs 3); c3 takes White from 3 steps to 2 (Black needs 3).";
/// assert_eq!(found.text.as_str(), told);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn consequence(game: &Quoridor, moves: [Move; 2], wording: usize) -> Option<Consequence<Move>> {
    let is_first = wording.is_multiple_of(2);
    if let Some(found) = decision(game, moves, is_first) {
        return Some(found);
    }
    let mut now = game.clone();
    let [played, better] = moves.map(|mv| after_move(&mut now, mv, |after| steps(after)));
    if played == better {
        return None;
    }
    let [it, instead] =
        [(moves[0], played), (moves[1], better)].map(|(mv, after)| Effect { game, mv, after });
    let mut text = text!("{}; {}", it.describe(is_first), instead.describe(is_first));
    let them = game.to_move().other();
    if let Some(most) = instead.most_of_others() {
        let name = game.side_name(them);
        text.push(&match most {
            0 => text!(", and is the only wall that costs {name} a step"),
            _ => text!(", and is the only wall that costs {name} more than {}", count(most)),
        });
    }
    text.push_str(".");
    // The path that the better move is about: a wall stands in the opponent's way.
    let side = if moves[1].wall().is_some() { them } else { them.other() };
    let path = after_move(&mut now, moves[0], |after| after.shortest_path(side));
    let marks = path.into_iter().map(|cell| (Move::from(cell), '=')).filter(|(mv, _)| *mv != moves[1]);
    let legend = text!("= {}'s shortest path", game.side_name(side));
    Some(Consequence { text, marks: marks.collect(), legend })
}

/// A win at once: one that the move played misses, or one that it alone allows.
fn decision(game: &Quoridor, [played, better]: [Move; 2], is_first: bool) -> Option<Consequence<Move>> {
    let me = game.to_move();
    let [it, instead] = [played, better].map(|mv| text!("{}", of_move(Some(me), game.show(mv))));
    let mut now = game.clone();
    let wins = |mv: Move, now: &mut Quoridor| after_move(now, mv, |after| after.outcome().is_some());
    if wins(better, &mut now) {
        let row = game.goal_row(me) + 1;
        return (!wins(played, &mut now)).then(|| {
            Consequence::of(if is_first {
                text!("{it} misses a win: {instead} reaches row {row}.")
            } else {
                text!("{instead} wins at once: it reaches row {row}.")
            })
        });
    }
    let mut answer = |mv: Move| {
        after_move(&mut now, mv, |after| {
            let row = after.goal_row(me.other());
            after.pawn_targets().into_iter().find(|cell| cell.row() == row)
        })
    };
    let cell = answer(played).filter(|_| answer(better).is_none())?;
    let (them, row) = (game.side_name(me.other()), game.goal_row(me.other()) + 1);
    let reply = of_move(Some(me.other()), cell);
    let text = if is_first {
        text!("After {it} {them} reaches row {row} with {reply}.")
    } else {
        text!("{it} lets {them} reach row {row} with {reply}.")
    };
    Some(Consequence { text, marks: vec![(cell.into(), 'w')], legend: text!("w reaches row {row}") })
}

/// The steps that both sides need.
fn steps(game: &Quoridor) -> BySide<u32> {
    BySide::new(game.distance(Side::First), game.distance(Side::Second))
}

/// A legal move, and the steps that both sides need after it.
struct Effect<'a> {
    game: &'a Quoridor,
    mv: Move,
    after: BySide<u32>,
}

impl Effect<'_> {
    /// The clause about the move.
    fn describe(&self, is_first: bool) -> Text {
        let &Effect { game, mv, after } = self;
        let (me, before) = (game.to_move(), steps(game));
        let [name, them] = [me, me.other()].map(|side| game.side_name(side));
        let it = of_move(Some(me), game.show(mv));
        let [own, theirs] = [after[me], after[me.other()]];
        let was = before[me];
        if mv.wall().is_none() {
            return match (own == was, is_first) {
                (true, true) => text!("{it} leaves {name} at {} ({them} needs {theirs})", count(own)),
                (false, true) => {
                    text!("{it} takes {name} from {} to {own} ({them} needs {theirs})", count(was))
                }
                (true, false) => text!("{it} gains no step: {name} needs {own} and {them} {theirs}"),
                (false, false) => {
                    text!("{it} leaves {name} {} to go, not {was}, and {them} {theirs}", count(own))
                }
            };
        }
        let [theirs, own] = [theirs - before[me.other()], own - was];
        match (theirs + own, is_first) {
            (0, true) => text!("{it} costs nobody a step"),
            (0, false) => text!("{it} changes no path"),
            (_, true) => text!("{it} costs {them} {} and {name} {own}", count(theirs)),
            (_, false) => text!("{it} lengthens {them}'s path by {} and {name}'s by {own}", count(theirs)),
        }
    }

    /// The most that another legal wall costs the opponent, where that is less than this one does.
    fn most_of_others(&self) -> Option<u32> {
        let &Effect { game, mv, after } = self;
        let (them, mut now) = (game.to_move().other(), game.clone());
        let before = game.distance(them);
        let walls = legal_moves(game).into_iter().filter(|&other| other != mv && other.wall().is_some());
        let costs = walls.map(|other| after_move(&mut now, other, |after| after.distance(them)) - before);
        let most = costs.max().unwrap_or(0);
        (mv.wall().is_some() && after[them] - before > most).then_some(most)
    }
}

/// A number of steps.
fn count(steps: u32) -> String {
    if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") }
}
