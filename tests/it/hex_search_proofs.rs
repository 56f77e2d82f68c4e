//! Proofs in play: connections in the network's search, and small boards whose won positions are never lost.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::proof::{MustPlay, Prover};
use crosspath::ai::hex::swap::wins;
use crosspath::ai::{
    Choice, Engine, EngineConfig, EngineKind, EngineSpec, Limits, Proof, SearchBudget, SearchControl,
};
use crosspath::game::{Game, Outcome, Side};
use crosspath::games::hex::{Cell, Hex, Move, SwapRule};
use crosspath::random::stream;

use crate::hex_help::{Match, level, opened, play_out, random_move};

const NET: EngineKind = EngineKind::Net;

/// Returns the engine with this text on a board.
fn named(text: &str, size: usize) -> Box<dyn Engine<Hex>> {
    let spec: EngineSpec = text.parse().unwrap();
    level(spec.level, size, &spec.config(1, Side::First))
}

fn choose(engine: &mut dyn Engine<Hex>, game: &Match, nodes: u64) -> Choice<Move> {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.choose(&game.at(), &SearchControl::quiet(limits, &stop))
}

/// Returns the winner if both play best, with no limit.
fn winner(prover: &mut Prover, game: &Hex) -> Side {
    if let Some(winner) = game.outcome().and_then(Outcome::winner) {
        return winner;
    }
    let stop = AtomicBool::new(false);
    let control = SearchControl::<Move>::quiet(Limits::default(), &stop);
    prover.prove(game, &mut SearchBudget::start(&control)).unwrap().winner
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_win_by_connections_is_seen_without_a_search() {
    let game = Match::new(5, SwapRule::Off, "");
    let choice = choose(&mut *level(NET, 5, &EngineConfig::new(1, 0)), &game, 50);
    assert!(matches!(choice.proof, Some(Proof::WinIn(plies)) if plies <= 25), "{choice:?}");
    assert!(choice.info.nodes <= 2, "{choice:?}");
    assert!(wins(5, choice.mv.cell().unwrap()).unwrap());
    let without = choose(&mut *named("net,proofs=off", 5), &game, 50);
    assert_eq!(without.proof, None, "{without:?}");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_loss_by_connections_is_said_and_resisted() {
    let game = Match::new(5, SwapRule::Off, "c3");
    let choice = choose(&mut *level(NET, 5, &EngineConfig::new(1, 0)), &game, 50);
    assert!(matches!(choice.proof, Some(Proof::LostIn(_))), "{choice:?}");
    assert!(choice.info.nodes > 10, "it looks for the move that is hardest to answer: {choice:?}");
    assert!(choice.info.score.unwrap().0 < -1_000_000, "{choice:?}");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn moves_outside_of_the_must_play_are_not_searched() {
    let mut prover = Prover::new(11, 0);
    let mut open = 0;
    for seed in 0..2 {
        let mut game = opened(11, 2, &mut stream(seed, 2));
        let mut player = level(EngineKind::Level(6), 11, &EngineConfig::new(seed, 0));
        while game.now.count() < 30 && game.now.outcome().is_none() {
            game.play(game.ask(&mut *player));
        }
        let MustPlay::Among(among, _) = prover.must_play(&game.now) else { continue };
        let found = choose(&mut *level(NET, 11, &EngineConfig::new(1, 0)), &game, 30).info.candidates;
        assert!(found.iter().all(|one| among.contains(&one.mv().cell().unwrap())), "{}", game.now);
        open += 1;
    }
    assert!(open > 0);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_same_positions_give_the_same_search_with_proofs() {
    let game = opened(8, 6, &mut stream(5, 8));
    let look = || choose(&mut *level(NET, 8, &EngineConfig::new(1, 0)), &game, 200);
    let [one, other] = [look(), look()];
    assert_eq!((one.mv, one.proof, one.info.nodes), (other.mv, other.proof, other.info.nodes));
    assert_eq!(one.info.candidates, other.info.candidates);
}

/// Checks the proofs of a search on random boards against the solver.
fn proofs_are_right(size: usize, games: u64) {
    let (mut judge, mut proved) = (Prover::new(size, 16), 0_u64);
    let mut engine = level(NET, size, &EngineConfig::new(1, 0));
    for seed in 0..games {
        let mut generator = stream(seed, 77);
        let mut game = opened(size, (seed % 8) as usize, &mut generator);
        while game.now.outcome().is_none() {
            engine.new_game();
            let choice = choose(&mut *engine, &game, 150);
            let mover = game.now.to_move();
            let is_won = match choice.proof {
                Some(Proof::WinIn(plies)) => Some((true, plies)),
                Some(Proof::LostIn(plies)) => Some((false, plies)),
                _ => None,
            };
            if let Some((is_won, plies)) = is_won {
                proved += 1;
                assert_eq!(winner(&mut judge, &game.now) == mover, is_won, "{}", game.now);
                assert!(plies as usize <= game.now.empty().count());
                if is_won {
                    let mut after = game.now.clone();
                    after.make(choice.mv);
                    assert_eq!(winner(&mut judge, &after), mover, "{:?}\n{}", choice.mv, game.now);
                }
            }
            let mv = random_move(&game.now, &mut generator);
            game.play(mv);
        }
    }
    assert!(proved > games, "{proved}");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn what_a_search_proves_by_connections_is_right() {
    proofs_are_right(4, 5);
    proofs_are_right(5, 1);
}

#[test]
#[ignore = "the same for 300 games of 5x5 and 30 of 6x6: minutes"]
fn what_a_search_proves_by_connections_is_right_in_many_games() {
    proofs_are_right(5, 300);
    proofs_are_right(6, 30);
}

/// Plays a 7x7 game from a first stone; returns `true` if the engine that has the won side wins.
fn is_kept(first: Cell, number: u8, other: u8, seed: u64) -> bool {
    let mut game = Match::new(7, SwapRule::Off, "");
    game.play(first.into());
    let own_side = if wins(7, first).unwrap() { Side::First } else { Side::Second };
    let own = level(EngineKind::Level(number), 7, &EngineConfig::new(seed, 0));
    let theirs = level(EngineKind::Level(other), 7, &EngineConfig::new(seed, 1));
    let mut seats = if own_side == Side::First { [own, theirs] } else { [theirs, own] };
    play_out(game, &mut seats) == own_side
}

/// First stones of 7x7 after which a side wins, each once.
fn openings_won_by(side: Side) -> Vec<Cell> {
    let cells = (0..49).map(Cell::new);
    cells.filter(|&cell| wins(7, cell) == Some(side == Side::First)).collect()
}

#[test]
fn a_won_7x7_opening_is_won_by_a_low_level() {
    for (side, seed) in [(Side::First, 3), (Side::Second, 4)] {
        let openings = openings_won_by(side);
        assert!(is_kept(openings[openings.len() / 2], 4, 2, seed), "{side:?}");
    }
}

#[test]
#[ignore = "100 games a side: minutes"]
fn levels_from_4_on_never_lose_a_won_7x7_opening() {
    for side in Side::BOTH {
        let openings = openings_won_by(side);
        for (seed, &first) in (0..100_u64).zip(openings.iter().cycle()) {
            // Opponents that play well, badly and at random, so that games leave the lines of the proofs.
            let (number, other) = (4 + (seed % 4) as u8, 1 + (seed / 4 % 7) as u8);
            assert!(
                is_kept(first, number, other, seed),
                "level {number} as {side:?}: seed {seed}, {first:?}"
            );
        }
    }
}

#[test]
#[ignore = "every first stone once, two seconds a move at most: many minutes"]
fn level_8_never_loses_a_won_7x7_opening() {
    for first in (0..49).map(Cell::new) {
        assert!(is_kept(first, 8, 7, first.index() as u64), "{first:?}");
    }
}
