//! Proofs in games: connections found by the network search, and small boards whose won positions
//! are never lost.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::proof::{HexProver, MustPlayVerdict};
use crosspath::ai::hex::swap::first_stone_wins;
use crosspath::ai::{
    Engine, EngineConfig, EngineKind, EngineSpec, Limits, MoveChoice, ProofStatus, SearchBudget,
    SearchControl,
};
use crosspath::game::{Game, Outcome, Side};
use crosspath::games::hex::{Cell, Hex, Move, SwapRule};
use crosspath::random::random_stream;

use crate::hex_help::{HexGame, build_level, play_out, random_move, random_opening};

const NET: EngineKind = EngineKind::Net;

/// Returns the engine of this specification on a board of this size.
fn engine_from_spec(text: &str, size: usize) -> Box<dyn Engine<Hex>> {
    let spec: EngineSpec = text.parse().unwrap();
    build_level(spec.level, size, &spec.config_for_side(1, Side::First))
}

fn choose_with_nodes(engine: &mut dyn Engine<Hex>, game: &HexGame, nodes: u64) -> MoveChoice<Move> {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.choose(&game.at(), &SearchControl::without_reports(limits, &stop))
}

/// Returns the winner under perfect play, without a limit.
fn solve_winner(prover: &mut HexProver, game: &Hex) -> Side {
    if let Some(winner) = game.outcome().and_then(Outcome::winner) {
        return winner;
    }
    let stop = AtomicBool::new(false);
    let control = SearchControl::<Move>::without_reports(Limits::default(), &stop);
    prover.prove(game, &mut SearchBudget::start(&control)).unwrap().winner
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_win_by_connections_needs_no_search() {
    let game = HexGame::new(5, SwapRule::Off, "");
    let choice = choose_with_nodes(&mut *build_level(NET, 5, &EngineConfig::new(1, 0)), &game, 50);
    assert!(matches!(choice.proof, Some(ProofStatus::WinIn(plies)) if plies <= 25), "{choice:?}");
    assert!(choice.info.nodes <= 2, "{choice:?}");
    assert!(first_stone_wins(5, choice.mv.cell().unwrap()).unwrap());
    let without = choose_with_nodes(&mut *engine_from_spec("net,proofs=off", 5), &game, 50);
    assert_eq!(without.proof, None, "{without:?}");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_loss_by_connections_is_reported_and_resisted() {
    let game = HexGame::new(5, SwapRule::Off, "c3");
    let choice = choose_with_nodes(&mut *build_level(NET, 5, &EngineConfig::new(1, 0)), &game, 50);
    assert!(matches!(choice.proof, Some(ProofStatus::LostIn(_))), "{choice:?}");
    assert!(choice.info.nodes > 10, "it looks for the move that is hardest to answer: {choice:?}");
    assert!(choice.info.score.unwrap().0 < -1_000_000, "{choice:?}");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn moves_outside_the_must_play_region_are_not_searched() {
    let mut prover = HexProver::new(11, 0);
    let mut open = 0;
    for seed in 0..2 {
        let mut game = random_opening(11, 2, &mut random_stream(seed, 2));
        let mut player = build_level(EngineKind::Level(6), 11, &EngineConfig::new(seed, 0));
        while game.now.stone_count() < 30 && game.now.outcome().is_none() {
            game.play(game.ask(&mut *player));
        }
        let MustPlayVerdict::Undecided(must_play, _) = prover.must_play_verdict(&game.now) else { continue };
        let candidates = choose_with_nodes(&mut *build_level(NET, 11, &EngineConfig::new(1, 0)), &game, 30)
            .info
            .candidates;
        assert!(
            candidates.iter().all(|one| must_play.contains(&one.first_move().cell().unwrap())),
            "{}",
            game.now
        );
        open += 1;
    }
    assert!(open > 0);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn searches_with_proofs_are_reproducible() {
    let game = random_opening(8, 6, &mut random_stream(5, 8));
    let look = || choose_with_nodes(&mut *build_level(NET, 8, &EngineConfig::new(1, 0)), &game, 200);
    let [one, other] = [look(), look()];
    assert_eq!((one.mv, one.proof, one.info.nodes), (other.mv, other.proof, other.info.nodes));
    assert_eq!(one.info.candidates, other.info.candidates);
}

/// Checks the proofs of searches on random boards against the solver.
fn check_proofs(size: usize, games: u64) {
    let (mut solver, mut proved) = (HexProver::new(size, 16), 0_u64);
    let mut engine = build_level(NET, size, &EngineConfig::new(1, 0));
    for seed in 0..games {
        let mut generator = random_stream(seed, 77);
        let mut game = random_opening(size, (seed % 8) as usize, &mut generator);
        while game.now.outcome().is_none() {
            engine.new_game();
            let choice = choose_with_nodes(&mut *engine, &game, 150);
            let mover = game.now.to_move();
            let is_won = match choice.proof {
                Some(ProofStatus::WinIn(plies)) => Some((true, plies)),
                Some(ProofStatus::LostIn(plies)) => Some((false, plies)),
                _ => None,
            };
            if let Some((is_won, plies)) = is_won {
                proved += 1;
                assert_eq!(solve_winner(&mut solver, &game.now) == mover, is_won, "{}", game.now);
                assert!(plies as usize <= game.now.empty_cells().count());
                if is_won {
                    let mut after = game.now.clone();
                    after.make_move(choice.mv);
                    assert_eq!(solve_winner(&mut solver, &after), mover, "{:?}\n{}", choice.mv, game.now);
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
fn proofs_by_connections_agree_with_the_solver() {
    check_proofs(4, 5);
    check_proofs(5, 1);
}

#[test]
#[ignore = "300 games of 5x5 and 30 of 6x6: minutes"]
fn proofs_by_connections_agree_with_the_solver_in_many_games() {
    check_proofs(5, 300);
    check_proofs(6, 30);
}

/// Plays a 7x7 game from a first stone. Returns `true` if the engine on the winning side wins.
fn wins_won_opening(first: Cell, number: u8, other: u8, seed: u64) -> bool {
    let mut game = HexGame::new(7, SwapRule::Off, "");
    game.play(first.into());
    let won_side = if first_stone_wins(7, first).unwrap() { Side::First } else { Side::Second };
    let winning_engine = build_level(EngineKind::Level(number), 7, &EngineConfig::new(seed, 0));
    let opponent = build_level(EngineKind::Level(other), 7, &EngineConfig::new(seed, 1));
    let mut seats =
        if won_side == Side::First { [winning_engine, opponent] } else { [opponent, winning_engine] };
    play_out(game, &mut seats) == won_side
}

/// Returns the first stones of 7x7 after which a side wins.
fn openings_won_by(side: Side) -> Vec<Cell> {
    let cells = (0..49).map(Cell::new);
    cells.filter(|&cell| first_stone_wins(7, cell) == Some(side == Side::First)).collect()
}

#[test]
fn level_4_wins_a_won_7x7_opening() {
    for (side, seed) in [(Side::First, 3), (Side::Second, 4)] {
        let openings = openings_won_by(side);
        assert!(wins_won_opening(openings[openings.len() / 2], 4, 2, seed), "{side:?}");
    }
}

#[test]
#[ignore = "100 games per side: minutes"]
fn levels_4_to_7_never_lose_a_won_7x7_opening() {
    for side in Side::BOTH {
        let openings = openings_won_by(side);
        for (seed, &first) in (0..100_u64).zip(openings.iter().cycle()) {
            // Opponents of different strengths make the games leave the proved lines.
            let (number, other) = (4 + (seed % 4) as u8, 1 + (seed / 4 % 7) as u8);
            assert!(
                wins_won_opening(first, number, other, seed),
                "level {number} as {side:?}: seed {seed}, {first:?}"
            );
        }
    }
}

#[test]
#[ignore = "every first stone, up to 2 seconds per move: many minutes"]
fn level_8_never_loses_a_won_7x7_opening() {
    for first in (0..49).map(Cell::new) {
        assert!(wins_won_opening(first, 8, 7, first.index() as u64), "{first:?}");
    }
}
