//! The reasons for moves of Quoridor. Knows the rules and path lengths.

use crate::ai::{GameHistory, after_move, legal_moves};
use crate::game::{Game, Outcome, Side, View};
use crate::games::quoridor::{Move, Quoridor};
use crate::text;
use crate::text::{Text, moves};

/// Returns the reason for a legal move.
pub(super) fn reason(game: &Quoridor, mv: Move) -> Text {
    let me = game.to_move();
    let names = |side: Side| game.side_name(side);
    let steps = |game: &Quoridor| (game.distance(me), game.distance(me.other()));
    let (own, other) = steps(game);
    let mut after = game.clone();
    after.make(mv);
    let (own_after, other_after) = steps(&after);
    let to_go = |steps: u32| if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    match mv.wall() {
        _ if after.outcome() == Some(Outcome::Win(me)) => "reaches the goal row".into(),
        None if own_after < own => text!("{} to go", to_go(own_after)),
        None => "detours around a wall".into(),
        Some(_) if other_after > other && other == 1 => {
            text!("keeps {} from its goal row", names(me.other()))
        }
        Some(_) if other_after > other => {
            text!("lengthens {}'s path from {other} to {} steps", names(me.other()), other_after)
        }
        Some(_) => match (worst_wall(game, me), worst_wall(&after, me)) {
            (before, now) if now < before => {
                text!("prevents the wall that would cost you most: {now} steps at worst instead of {before}")
            }
            _ => "changes no path now; best in a deeper search".into(),
        },
    }
}

/// A shortest path of both sides: `White, 8 steps: e2 e3 e4 e5 e6 e7 e8 e9`.
pub(super) fn paths_in_words(at: &GameHistory<'_, Quoridor>) -> Vec<Text> {
    let told = |side: Side| {
        let path = at.now.shortest_path(side);
        let unit = if path.len() == 1 { "step" } else { "steps" };
        text!("{}, {} {unit}: {}", at.now.side_name(side), path.len(), moves(Some(side), &path, " "))
    };
    Side::each(told).into()
}

/// Returns the largest number of steps by which a single wall of the other side lengthens the path of a side.
fn worst_wall(game: &Quoridor, side: Side) -> u32 {
    let mut game = game.clone();
    game.set_to_move(side.other());
    let now = game.distance(side);
    let walls = legal_moves(&game).into_iter().filter(|mv| mv.wall().is_some());
    walls
        .map(|mv| after_move(&mut game, mv, |game| game.distance(side)).saturating_sub(now))
        .max()
        .unwrap_or(0)
}
