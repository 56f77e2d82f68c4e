//! Reasons for moves in Quoridor. This module depends only on the rules.

use crate::ai::{GameHistory, legal_moves, with_move_made};
use crate::game::{Game, Outcome, PositionDescription, Side};
use crate::games::quoridor::{Move, Quoridor};
use crate::text;
use crate::text::{Text, join_moves};

/// Explains why a legal move may be good.
pub(super) fn explain_move(game: &Quoridor, mv: Move) -> Text {
    let me = game.to_move();
    let names = |side: Side| game.side_name(side);
    let steps = |game: &Quoridor| (game.distance_to_goal(me), game.distance_to_goal(me.other()));
    let (own, other) = steps(game);
    let mut after = game.clone();
    after.make_move(mv);
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
        Some(_) => match (max_single_wall_detour(game, me), max_single_wall_detour(&after, me)) {
            (before, now) if now < before => {
                text!("prevents the wall that would cost you most: {now} steps at worst instead of {before}")
            }
            _ => "changes no path now; best in a deeper search".into(),
        },
    }
}

/// Describes one shortest path of each side: `White, 8 steps: e2 e3 e4 e5 e6 e7 e8 e9`.
pub(super) fn describe_shortest_paths(at: &GameHistory<'_, Quoridor>) -> Vec<Text> {
    let told = |side: Side| {
        let path = at.now.shortest_path(side);
        let unit = if path.len() == 1 { "step" } else { "steps" };
        text!("{}, {} {unit}: {}", at.now.side_name(side), path.len(), join_moves(Some(side), &path, " "))
    };
    Side::map_both(told).into()
}

/// Returns the most steps that one wall of the other side can add to the path of `side`.
fn max_single_wall_detour(game: &Quoridor, side: Side) -> u32 {
    let mut game = game.clone();
    game.set_side_to_move(side.other());
    let now = game.distance_to_goal(side);
    let walls = legal_moves(&game).into_iter().filter(|mv| mv.wall().is_some());
    walls
        .map(|mv| with_move_made(&mut game, mv, |game| game.distance_to_goal(side)).saturating_sub(now))
        .max()
        .unwrap_or(0)
}
