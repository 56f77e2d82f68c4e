//! Explanations of mistakes in Quoridor: the steps that walls cost, and the race after pawn moves. This
//! module depends only on the rules.

use crate::ai::{MistakeConsequence, legal_moves, with_move_made};
use crate::game::{BySide, Game, Notation, PositionDescription, Side};
use crate::games::quoridor::{Move, Quoridor};
use crate::text;
use crate::text::{Text, mark_move};

/// Explains why a played move is worse than a better one, by their effect on both paths or by an immediate
/// win that decides between them. It also says if the better move is the only wall that costs the opponent
/// this much. `wording` selects one of two phrasings. Returns `None` if both moves have the same effect.
///
/// ```
/// use crosspath::ai::quoridor::consequence::explain_mistake;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::quoridor::Quoridor;
/// let mut game = Quoridor::new(5)?;
/// for text in ["c2", "c4"] {
///     game.make_move(game.parse(text)?);
/// }
/// let found = explain_mistake(&game, [game.parse("d2")?, game.parse("c3")?], 0).expect("c3 gains a step");
/// let told = "d2 leaves White at 3 steps (Black needs 3); c3 takes White from 3 steps to 2 (Black needs 3).";
/// assert_eq!(found.text.as_str(), told);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explain_mistake(
    game: &Quoridor,
    moves: [Move; 2],
    wording: usize,
) -> Option<MistakeConsequence<Move>> {
    let is_first = wording.is_multiple_of(2);
    if let Some(found) = explain_immediate_win(game, moves, is_first) {
        return Some(found);
    }
    let mut now = game.clone();
    let [played, better] = moves.map(|mv| with_move_made(&mut now, mv, |after| distances_to_goal(after)));
    if played == better {
        return None;
    }
    let [it, instead] =
        [(moves[0], played), (moves[1], better)].map(|(mv, after)| MoveEffect { game, mv, after });
    let mut text = text!("{}; {}", it.describe(is_first), instead.describe(is_first));
    let them = game.to_move().other();
    if let Some(most) = instead.max_cost_of_other_walls() {
        let name = game.side_name(them);
        text.push(&match most {
            0 => text!(", and is the only wall that costs {name} a step"),
            _ => text!(", and is the only wall that costs {name} more than {}", format_steps(most)),
        });
    }
    text.push_str(".");
    // The path that the better move affects: a wall is placed in the opponent's way.
    let side = if moves[1].wall().is_some() { them } else { them.other() };
    let path = with_move_made(&mut now, moves[0], |after| after.shortest_path(side));
    let marks = path.into_iter().map(|cell| (Move::from(cell), '=')).filter(|(mv, _)| *mv != moves[1]);
    let legend = text!("= {}'s shortest path", game.side_name(side));
    Some(MistakeConsequence { text, marks: marks.collect(), legend })
}

/// Explains an immediate win that the played move misses or that only the played move allows.
fn explain_immediate_win(
    game: &Quoridor,
    [played, better]: [Move; 2],
    is_first: bool,
) -> Option<MistakeConsequence<Move>> {
    let me = game.to_move();
    let [it, instead] = [played, better].map(|mv| text!("{}", mark_move(Some(me), game.format_move(mv))));
    let mut now = game.clone();
    let wins = |mv: Move, now: &mut Quoridor| with_move_made(now, mv, |after| after.outcome().is_some());
    if wins(better, &mut now) {
        let row = game.goal_row(me) + 1;
        return (!wins(played, &mut now)).then(|| {
            MistakeConsequence::from_text(if is_first {
                text!("{it} misses a win: {instead} reaches row {row}.")
            } else {
                text!("{instead} wins at once: it reaches row {row}.")
            })
        });
    }
    let mut answer = |mv: Move| {
        with_move_made(&mut now, mv, |after| {
            let row = after.goal_row(me.other());
            after.pawn_targets().into_iter().find(|cell| cell.row() == row)
        })
    };
    let cell = answer(played).filter(|_| answer(better).is_none())?;
    let (them, row) = (game.side_name(me.other()), game.goal_row(me.other()) + 1);
    let reply = mark_move(Some(me.other()), cell);
    let text = if is_first {
        text!("After {it} {them} reaches row {row} with {reply}.")
    } else {
        text!("{it} lets {them} reach row {row} with {reply}.")
    };
    Some(MistakeConsequence { text, marks: vec![(cell.into(), 'w')], legend: text!("w reaches row {row}") })
}

/// Returns the number of steps that each side needs to its goal row.
fn distances_to_goal(game: &Quoridor) -> BySide<u32> {
    BySide::new(game.distance_to_goal(Side::First), game.distance_to_goal(Side::Second))
}

/// A legal move, and the number of steps that each side needs after it.
struct MoveEffect<'a> {
    game: &'a Quoridor,
    mv: Move,
    after: BySide<u32>,
}

impl MoveEffect<'_> {
    /// Returns a clause about the move's effect.
    fn describe(&self, is_first: bool) -> Text {
        let &MoveEffect { game, mv, after } = self;
        let (me, before) = (game.to_move(), distances_to_goal(game));
        let [name, them] = [me, me.other()].map(|side| game.side_name(side));
        let it = mark_move(Some(me), game.format_move(mv));
        let [own, theirs] = [after[me], after[me.other()]];
        let was = before[me];
        if mv.wall().is_none() {
            return match (own == was, is_first) {
                (true, true) => text!("{it} leaves {name} at {} ({them} needs {theirs})", format_steps(own)),
                (false, true) => {
                    text!("{it} takes {name} from {} to {own} ({them} needs {theirs})", format_steps(was))
                }
                (true, false) => text!("{it} gains no step: {name} needs {own} and {them} {theirs}"),
                (false, false) => {
                    text!("{it} leaves {name} {} to go, not {was}, and {them} {theirs}", format_steps(own))
                }
            };
        }
        let [theirs, own] = [theirs - before[me.other()], own - was];
        match (theirs + own, is_first) {
            (0, true) => text!("{it} costs nobody a step"),
            (0, false) => text!("{it} changes no path"),
            (_, true) => text!("{it} costs {them} {} and {name} {own}", format_steps(theirs)),
            (_, false) => {
                text!("{it} lengthens {them}'s path by {} and {name}'s by {own}", format_steps(theirs))
            }
        }
    }

    /// Returns the largest cost of any other legal wall to the opponent, if it is less than the cost of this
    /// wall.
    fn max_cost_of_other_walls(&self) -> Option<u32> {
        let &MoveEffect { game, mv, after } = self;
        let (them, mut now) = (game.to_move().other(), game.clone());
        let before = game.distance_to_goal(them);
        let walls = legal_moves(game).into_iter().filter(|&other| other != mv && other.wall().is_some());
        let costs =
            walls.map(|other| with_move_made(&mut now, other, |after| after.distance_to_goal(them)) - before);
        let most = costs.max().unwrap_or(0);
        (mv.wall().is_some() && after[them] - before > most).then_some(most)
    }
}

/// Formats a number of steps with its unit.
fn format_steps(steps: u32) -> String {
    if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") }
}
