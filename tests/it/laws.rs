//! Laws that hold for every registered game, on every size and variant, checked in random games.

use std::fmt::Debug;

use crosspath::ai::{Engine, EngineConfig, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::canvas::{GlyphSet, PaintOptions};
use crosspath::game::{Game, Refusal};
use crosspath::random::{RandomGenerator, mix_seed, random_stream};
use crosspath::record;
use crosspath::registry::{GAMES, GameVisitor, RegisteredGame, Variant, visit_all_games};
use crosspath::session::{Playable, Position, PositionHistory};
use rand::RngExt;
use std::sync::atomic::AtomicBool;

const WALKS_PER_BOARD: u64 = 4;
/// Plies that no game here exceeds.
const MAX_PLIES: usize = 5_000;

fn seed() -> u64 {
    std::env::var("CROSSPATH_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_261)
}

fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    moves
}

/// Plays one random game and checks its positions. On large boards only every few plies and the
/// last position are checked.
fn walk_random_game<G: Playable>(
    start: &G,
    generator: &mut RandomGenerator,
    mut look: impl FnMut(&G, &[G::Move]),
) -> Vec<G::Move> {
    let mut game = start.clone();
    let mut played = Vec::new();
    let stride = 1 + legal_moves(start).len() / 250 * 30;
    loop {
        let legal = legal_moves(&game);
        if played.len().is_multiple_of(stride) || legal.is_empty() {
            look(&game, &played);
        }
        if legal.is_empty() {
            return played;
        }
        let mv = legal[generator.random_range(0..legal.len())];
        game.make_move(mv);
        played.push(mv);
        assert!(played.len() <= MAX_PLIES, "a walk does not end");
    }
}

/// Law that holds for every game, checked from a start position with a random generator.
trait Law {
    fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator);
}

/// Boards with settings that change the rules, checked besides those of every size.
const SPECIAL_BOARDS: [(&str, &[&str]); 3] = [
    (
        "tic-tac-toe",
        &[
            "size=3 win-length=2",
            "size=4 win-length=3",
            "size=5 win-length=4",
            "size=6 win-length=1",
            "size=10 win-length=5",
        ],
    ),
    (
        "hex",
        &["size=1 swap=off", "size=2 swap=off", "size=3 swap=off", "size=5 swap=off", "size=11 swap=off"],
    ),
    ("quoridor", &["size=3 walls=0", "size=3 walls=4", "size=5 walls=1", "size=9 walls=0", "size=9 walls=1"]),
];

fn boards(entry: &RegisteredGame) -> Vec<Variant> {
    let special = SPECIAL_BOARDS.iter().filter(|(name, _)| *name == entry.name);
    let special = special.flat_map(|(_, boards)| boards.iter()).map(|board| Variant::parse(board));
    entry.board_sizes().all_sizes().map(Variant::of_size).chain(special).collect()
}

struct OnAllBoards<L>(L);

impl<L: Law> GameVisitor for OnAllBoards<L> {
    fn visit_game<G: Playable>(&mut self, entry: &'static RegisteredGame) {
        for (number, board) in (0..).zip(boards(entry)) {
            let board = entry.resolve_board(&board).unwrap();
            let start = G::start_position(&board);
            let walks = if board.width > 11 { 1 } else { WALKS_PER_BOARD };
            for walk in 0..walks {
                self.0.holds(&start, &mut random_stream(mix_seed(seed(), number), walk));
            }
        }
    }
}

fn check_on_all_boards(law: impl Law) {
    visit_all_games(&mut OnAllBoards(law));
}

/// Returns all moves that the board has a spot for, legal or not.
fn move_space<G: Playable>(game: &G) -> Vec<G::Move> {
    let canvas = game.paint(&PaintOptions::default());
    let mut space: Vec<G::Move> =
        canvas.spots().iter().map(|spot| game.parse(&spot.text).expect("a spot is a move")).collect();
    for mv in legal_moves(game) {
        if !space.contains(&mv) {
            space.push(mv);
        }
    }
    space
}

#[test]
fn a_move_is_legal_exactly_if_it_is_listed_once() {
    struct Listed;
    impl Law for Listed {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator) {
            let space = move_space(start);
            walk_random_game(start, generator, |game, _| {
                let legal = legal_moves(game);
                assert!(
                    (1..legal.len()).all(|i| !legal[..i].contains(&legal[i])),
                    "listed twice in {game:?}"
                );
                for &mv in space.iter().chain(&legal) {
                    assert_eq!(game.is_legal(mv), legal.contains(&mv), "{mv:?} in {game:?}");
                }
            });
        }
    }
    check_on_all_boards(Listed);
}

#[test]
fn a_refused_move_changes_nothing_and_says_why() {
    struct Refused;
    impl Law for Refused {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator) {
            let space = move_space(start);
            walk_random_game(start, generator, |game, played| {
                for &mv in space.iter().filter(|&&mv| !game.is_legal(mv)) {
                    let mut tried = game.clone();
                    let Err(refusal) = tried.try_make_move(mv) else {
                        panic!("{mv:?} was accepted in {game:?}")
                    };
                    assert!(
                        tried == *game && tried.position_key() == game.position_key(),
                        "{mv:?} changed {game:?}"
                    );
                    let Refusal { code, text } = game.explain_refusal(mv, &refusal, played);
                    assert!(!code.as_str().is_empty() && text.ends_with(['.', '?']), "{text}");
                }
            });
        }
    }
    check_on_all_boards(Refused);
}

#[test]
fn unmake_restores_every_field() {
    struct Restored;
    impl Law for Restored {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator) {
            let played = walk_random_game(start, generator, |game, _| {
                for mv in legal_moves(game) {
                    let mut tried = game.clone();
                    let undo = tried.make_move(mv);
                    assert!(tried.position_key() != game.position_key(), "{mv:?} left the key of {game:?}");
                    tried.unmake_move(mv, undo);
                    assert!(
                        tried == *game && tried.position_key() == game.position_key(),
                        "{mv:?} was not taken back in {game:?}"
                    );
                }
            });
            let mut game = start.clone();
            let mut undos: Vec<_> = played.iter().map(|&mv| (mv, game.make_move(mv))).collect();
            while let Some((mv, undo)) = undos.pop() {
                game.unmake_move(mv, undo);
            }
            assert!(game == *start && game.position_key() == start.position_key());
        }
    }
    check_on_all_boards(Restored);
}

#[test]
fn positions_with_equal_keys_have_equal_legal_moves() {
    struct Keys;
    impl Law for Keys {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator) {
            let mut seen: Vec<G> = Vec::new();
            // Short random games from one start often reach the same position by different move
            // orders.
            for _ in 0..50 {
                let mut game = start.clone();
                for _ in 0..4 {
                    let legal = legal_moves(&game);
                    let Some(&mv) = legal.get(generator.random_range(0..legal.len().clamp(1, 3))) else {
                        break;
                    };
                    game.make_move(mv);
                    let Some(other) = seen.iter().find(|other| other.position_key() == game.position_key())
                    else {
                        seen.push(game.clone());
                        continue;
                    };
                    assert!(
                        legal_moves(other) == legal_moves(&game) && other.to_move() == game.to_move(),
                        "{other:?} {game:?}"
                    );
                }
            }
        }
    }
    check_on_all_boards(Keys);
}

#[test]
fn every_formatted_move_parses_back() {
    struct Shown;
    impl Law for Shown {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator) {
            walk_random_game(start, generator, |game, _| {
                for mv in legal_moves(game) {
                    let text = game.format_move(mv);
                    assert_eq!(game.parse(&text), Ok(mv));
                    assert_eq!(game.parse(&text.to_uppercase()), Ok(mv));
                    assert_eq!(text, text.to_lowercase());
                }
            });
        }
    }
    check_on_all_boards(Shown);
}

#[test]
fn a_game_is_over_exactly_if_it_has_no_legal_moves_and_describes_its_ending() {
    struct Over;
    impl Law for Over {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator) {
            walk_random_game(start, generator, |game, _| {
                assert_eq!(game.outcome().is_some(), legal_moves(game).is_empty(), "{game:?}");
                assert_eq!(game.outcome().is_some(), game.describe_ending().is_some(), "{game:?}");
            });
        }
    }
    check_on_all_boards(Over);
}

#[test]
fn drawings_keep_their_size_and_every_spot_selects_its_move() {
    struct Painted;
    impl Law for Painted {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut RandomGenerator) {
            let sizes = start.board_sizes();
            assert!(sizes.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1), "{sizes:?}");
            let mut glyphs = [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii].into_iter().cycle();
            walk_random_game(start, generator, |game, played| {
                let last = played.last().map(|&mv| game.format_move(mv));
                let glyphs = glyphs.next().expect("a circle");
                for (density, &size) in sizes.iter().enumerate() {
                    let canvas = game.paint(&PaintOptions {
                        glyphs,
                        density,
                        last: last.as_deref(),
                        ..PaintOptions::default()
                    });
                    assert_eq!((canvas.width(), canvas.height()), size);
                    for spot in canvas.spots() {
                        assert_eq!(canvas.move_at(spot.x, spot.y), Some(spot.text.as_str()));
                    }
                    if glyphs == GlyphSet::Ascii {
                        assert!(canvas.to_text().is_ascii());
                    }
                }
            });
        }
    }
    check_on_all_boards(Painted);
}

#[test]
fn engines_of_every_level_play_legal_moves_and_are_reproducible() {
    check_reproducibility(100, 9);
}

#[test]
#[ignore = "slow: longer games"]
fn engines_are_reproducible_in_long_games() {
    check_reproducibility(200, 60);
}

/// Checks that every level plays the same game again. A game has at most `longest` moves, with
/// `nodes` positions per move.
fn check_reproducibility(nodes: u64, longest: usize) {
    struct Engines {
        nodes: u64,
        longest: usize,
    }
    impl GameVisitor for Engines {
        fn visit_game<G: Playable>(&mut self, entry: &'static RegisteredGame) {
            let sizes = entry.board_sizes();
            for size in [sizes.least, sizes.default, sizes.most] {
                let start = G::start_position(&entry.resolve_board(&Variant::of_size(size)).unwrap());
                for level_spec in G::game_engines().level_specs {
                    if !cfg!(feature = "nets") && level_spec.level == EngineKind::Net {
                        continue; // the program carries no network
                    }
                    let built = || {
                        [0, 1]
                            .map(|stream| (level_spec.build)(&start, &EngineConfig::new(5, stream)).unwrap())
                    };
                    let mut engines = built();
                    // On large boards a network is slow, most of all without optimisation.
                    let nodes = self.nodes / (size * size / 40).max(1) as u64;
                    let self_play = |engines: &mut _| self_play(&start, engines, nodes, self.longest);
                    let once = self_play(&mut engines);
                    let what = format!("{} {size} level {}", entry.name, level_spec.level);
                    assert_eq!(once, self_play(&mut built()), "{what}");
                    for engine in &mut engines {
                        engine.new_game();
                    }
                    assert_eq!(once, self_play(&mut engines), "{what}: a new game is a new engine");
                }
            }
        }
    }
    fn self_play<G: Playable>(
        start: &G,
        engines: &mut [Box<dyn Engine<G>>; 2],
        nodes: u64,
        longest: usize,
    ) -> Vec<(G::Move, u64)> {
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut game = start.clone();
        let (mut played, mut log) = (Vec::new(), Vec::new());
        while game.outcome().is_none() && played.len() < longest {
            let at = GameHistory { start, played: &played, now: &game };
            let choice =
                engines[game.to_move().index()].choose(&at, &SearchControl::without_reports(limits, &stop));
            assert!(game.is_legal(choice.mv), "{:?} in {game:?}", choice.mv);
            game.make_move(choice.mv);
            played.push(choice.mv);
            log.push((choice.mv, choice.info.nodes));
        }
        log
    }
    visit_all_games(&mut Engines { nodes, longest });
}

fn random_session(
    entry: &RegisteredGame,
    variant: &Variant,
    generator: &mut RandomGenerator,
) -> PositionHistory {
    let mut session = entry.new_history(variant).expect("a variant of the registry");
    for _ in 0..MAX_PLIES {
        let legal = session.legal_moves();
        if legal.is_empty() {
            return session;
        }
        session.play(&legal[generator.random_range(0..legal.len())]).expect("legal");
    }
    panic!("a walk does not end");
}

/// Runs a check on one random game of every variant.
fn check_random_sessions(check: impl Fn(&RegisteredGame, &Variant, PositionHistory)) {
    for entry in GAMES {
        for (number, variant) in (0..).zip(boards(entry)) {
            let session =
                random_session(entry, &variant, &mut random_stream(mix_seed(seed(), 1_000 + number), 0));
            check(entry, &variant, session);
        }
    }
}

#[test]
fn a_record_read_back_is_the_same_game() {
    check_random_sessions(|entry, _, session| {
        let (tree, end) = crate::support::along(session.current());
        let text = record::write_record(&tree, end, &[("result".to_owned(), "whatever".to_owned())]);
        let read =
            record::load_game(text.as_bytes(), &record::RecordReadOptions::default().with_strict_digits())
                .unwrap();
        assert_eq!((read.start.entry.name, read.fault.is_none()), (entry.name, true));
        let again = read.tree.position(read.end);
        assert_eq!(
            (again.played_moves(), again.position_key(), again.outcome()),
            (session.played_moves(), session.position_key(), session.outcome())
        );
    });
}

#[test]
fn undo_equals_the_shorter_game_and_redo_restores_it() {
    check_random_sessions(|entry, variant, mut session| {
        let (played, end) = (session.played_moves(), session.position_key());
        let mut keys = vec![entry.start_position(variant).unwrap().position_key()];
        let mut replay = entry.new_history(variant).unwrap();
        for text in &played {
            replay.play(text).unwrap();
            keys.push(replay.position_key());
        }
        for n in (0..played.len()).rev() {
            assert_eq!(session.undo().as_ref(), Some(&played[n]));
            assert_eq!((session.position_key(), session.plies()), (keys[n], n));
        }
        assert_eq!(session.undo(), None);
        for text in &played {
            assert_eq!(session.redo().as_ref(), Some(text));
        }
        assert_eq!((session.redo(), session.position_key()), (None, end));
    });
}

#[test]
fn a_refused_line_does_not_change_the_session() {
    check_random_sessions(|_, _, mut session| {
        session.undo();
        let state = |session: &PositionHistory| {
            (session.position_key(), session.played_moves(), session.redo_count(), session.to_move())
        };
        let before = state(&session);
        let mut generator = random_stream(seed(), 77);
        for _ in 0..200 {
            let text: String = (0..generator.random_range(0..8))
                .map(|_| char::from(generator.random_range(32..127u8)))
                .collect();
            let legal = session.legal_moves();
            if session.normalize_move(&text).is_ok_and(|mv| legal.contains(&mv)) {
                continue;
            }
            assert!(session.play(&text).is_err(), "{text:?}");
            assert_eq!(state(&session), before, "{text:?}");
        }
    });
}

fn assert_debug_and_send<T: Debug + Send>() {}

#[test]
fn sessions_can_move_to_another_thread() {
    assert_debug_and_send::<std::sync::Arc<dyn Position>>();
    let sessions: Vec<_> =
        GAMES.iter().map(|entry| entry.start_position(&Variant::default()).unwrap()).collect();
    let handles: Vec<_> =
        sessions.into_iter().map(|session| std::thread::spawn(move || session.legal_moves().len())).collect();
    assert!(handles.into_iter().all(|handle| handle.join().unwrap() > 0));
}
