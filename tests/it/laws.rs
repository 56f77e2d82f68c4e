//! The laws that every registered game keeps, on every size and variant: random games from the start to the end.

use std::fmt::Debug;

use crosspath::ai::{Engine, EngineConfig, EngineKind, GameHistory, Limits, SearchControl};
use crosspath::canvas::{Glyphs, PaintOptions};
use crosspath::game::{Game, Refusal};
use crosspath::random::{Generator, mix, stream};
use crosspath::record;
use crosspath::registry::{Entry, GAMES, Variant, Visitor, visit};
use crosspath::session::{History, Playable, Position};
use rand::RngExt;
use std::sync::atomic::AtomicBool;

const WALKS: u64 = 4;
/// Number of plies that no game here exceeds.
const LONGEST: usize = 5_000;

fn seed() -> u64 {
    std::env::var("CROSSPATH_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_261)
}

fn moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves
}

/// Plays one random game and checks every position of it; on large boards every few plies and the
/// last.
fn walk<G: Playable>(
    start: &G,
    generator: &mut Generator,
    mut look: impl FnMut(&G, &[G::Move]),
) -> Vec<G::Move> {
    let mut game = start.clone();
    let mut played = Vec::new();
    let stride = 1 + moves(start).len() / 250 * 30;
    loop {
        let legal = moves(&game);
        if played.len().is_multiple_of(stride) || legal.is_empty() {
            look(&game, &played);
        }
        if legal.is_empty() {
            return played;
        }
        let mv = legal[generator.random_range(0..legal.len())];
        game.make(mv);
        played.push(mv);
        assert!(played.len() <= LONGEST, "a walk does not end");
    }
}

/// A law for every game, given each variant's start and a generator of its own.
trait Law {
    fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator);
}

/// Boards to walk on besides those of every size: settings that change the rules.
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

fn boards(entry: &Entry) -> Vec<Variant> {
    let special = SPECIAL_BOARDS.iter().filter(|(name, _)| *name == entry.name);
    let special = special.flat_map(|(_, boards)| boards.iter()).map(|board| Variant::read(board));
    entry.sizes().all().map(Variant::of_size).chain(special).collect()
}

struct Everywhere<L>(L);

impl<L: Law> Visitor for Everywhere<L> {
    fn visit<G: Playable>(&mut self, entry: &'static Entry) {
        for (number, board) in (0..).zip(boards(entry)) {
            let board = entry.choose(&board).unwrap();
            let start = G::set_up(&board);
            let walks = if board.width > 11 { 1 } else { WALKS };
            for walk in 0..walks {
                self.0.holds(&start, &mut stream(mix(seed(), number), walk));
            }
        }
    }
}

fn everywhere(law: impl Law) {
    visit(&mut Everywhere(law));
}

/// Returns all moves that the board has a place for, legal or not.
fn move_space<G: Playable>(game: &G) -> Vec<G::Move> {
    let canvas = game.paint(&PaintOptions::default());
    let mut space: Vec<G::Move> =
        canvas.spots().iter().map(|spot| game.parse(&spot.text).expect("a spot is a move")).collect();
    for mv in moves(game) {
        if !space.contains(&mv) {
            space.push(mv);
        }
    }
    space
}

#[test]
fn a_move_is_legal_exactly_if_it_is_listed_and_it_is_listed_once() {
    struct Listed;
    impl Law for Listed {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator) {
            let space = move_space(start);
            walk(start, generator, |game, _| {
                let legal = moves(game);
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
    everywhere(Listed);
}

#[test]
fn a_refused_move_changes_nothing_and_says_why() {
    struct Refused;
    impl Law for Refused {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator) {
            let space = move_space(start);
            walk(start, generator, |game, played| {
                for &mv in space.iter().filter(|&&mv| !game.is_legal(mv)) {
                    let mut tried = game.clone();
                    let Err(refusal) = tried.try_make(mv) else { panic!("{mv:?} was accepted in {game:?}") };
                    assert!(tried == *game && tried.key() == game.key(), "{mv:?} changed {game:?}");
                    let Refusal { code, text } = game.explain(mv, &refusal, played);
                    assert!(!code.as_str().is_empty() && text.ends_with(['.', '?']), "{text}");
                }
            });
        }
    }
    everywhere(Refused);
}

#[test]
fn unmake_restores_every_field() {
    struct Restored;
    impl Law for Restored {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator) {
            let played = walk(start, generator, |game, _| {
                for mv in moves(game) {
                    let mut tried = game.clone();
                    let undo = tried.make(mv);
                    assert!(tried.key() != game.key(), "{mv:?} left the key of {game:?}");
                    tried.unmake(mv, undo);
                    assert!(
                        tried == *game && tried.key() == game.key(),
                        "{mv:?} was not taken back in {game:?}"
                    );
                }
            });
            let mut game = start.clone();
            let mut undos: Vec<_> = played.iter().map(|&mv| (mv, game.make(mv))).collect();
            while let Some((mv, undo)) = undos.pop() {
                game.unmake(mv, undo);
            }
            assert!(game == *start && game.key() == start.key());
        }
    }
    everywhere(Restored);
}

#[test]
fn equal_positions_have_equal_keys_and_different_ones_different_keys() {
    struct Keys;
    impl Law for Keys {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator) {
            let mut seen: Vec<G> = Vec::new();
            // Short walks from one start meet again by other orders of the same moves.
            for _ in 0..50 {
                let mut game = start.clone();
                for _ in 0..4 {
                    let legal = moves(&game);
                    let Some(&mv) = legal.get(generator.random_range(0..legal.len().clamp(1, 3))) else {
                        break;
                    };
                    game.make(mv);
                    let Some(other) = seen.iter().find(|other| other.key() == game.key()) else {
                        seen.push(game.clone());
                        continue;
                    };
                    assert!(
                        moves(other) == moves(&game) && other.to_move() == game.to_move(),
                        "{other:?} {game:?}"
                    );
                }
            }
        }
    }
    everywhere(Keys);
}

#[test]
fn every_move_is_read_as_it_is_shown() {
    struct Shown;
    impl Law for Shown {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator) {
            walk(start, generator, |game, _| {
                for mv in moves(game) {
                    let text = game.show(mv);
                    assert_eq!(game.parse(&text), Ok(mv));
                    assert_eq!(game.parse(&text.to_uppercase()), Ok(mv));
                    assert_eq!(text, text.to_lowercase());
                }
            });
        }
    }
    everywhere(Shown);
}

#[test]
fn a_game_is_over_exactly_if_there_are_no_moves_and_then_says_why() {
    struct Over;
    impl Law for Over {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator) {
            walk(start, generator, |game, _| {
                assert_eq!(game.outcome().is_some(), moves(game).is_empty(), "{game:?}");
                assert_eq!(game.outcome().is_some(), game.ending().is_some(), "{game:?}");
            });
        }
    }
    everywhere(Over);
}

#[test]
fn boards_keep_their_size_and_every_place_is_hit_by_its_own_coordinates() {
    struct Painted;
    impl Law for Painted {
        fn holds<G: Playable>(&mut self, start: &G, generator: &mut Generator) {
            let sizes = start.board_sizes();
            assert!(sizes.is_sorted_by(|a, b| a.0 <= b.0 && a.1 <= b.1), "{sizes:?}");
            let mut glyphs = [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii].into_iter().cycle();
            walk(start, generator, |game, played| {
                let last = played.last().map(|&mv| game.show(mv));
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
                        assert_eq!(canvas.hit(spot.x, spot.y), Some(spot.text.as_str()));
                    }
                    if glyphs == Glyphs::Ascii {
                        assert!(canvas.to_text().is_ascii());
                    }
                }
            });
        }
    }
    everywhere(Painted);
}

#[test]
fn engines_of_every_level_play_legal_moves_and_repeat_themselves_by_seed() {
    engines_repeat_themselves(100, 9);
}

#[test]
#[ignore = "slow: the same in longer games"]
fn engines_repeat_themselves_in_long_games_too() {
    engines_repeat_themselves(200, 60);
}

/// Checks that every level repeats games of at most `longest` moves, searching `nodes` positions
/// for each move.
fn engines_repeat_themselves(nodes: u64, longest: usize) {
    struct Engines {
        nodes: u64,
        longest: usize,
    }
    impl Visitor for Engines {
        fn visit<G: Playable>(&mut self, entry: &'static Entry) {
            let sizes = entry.sizes();
            for size in [sizes.least, sizes.default, sizes.most] {
                let start = G::set_up(&entry.choose(&Variant::of_size(size)).unwrap());
                for level_spec in G::game_engines().level_specs {
                    if !cfg!(feature = "nets") && level_spec.level == EngineKind::Net {
                        continue; // the program carries no network
                    }
                    let built = || {
                        [0, 1]
                            .map(|stream| (level_spec.build)(&start, &EngineConfig::new(5, stream)).unwrap())
                    };
                    let mut engines = built();
                    // On large boards a network takes its time, most of all without optimisation.
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
            let choice = engines[game.to_move().index()].choose(&at, &SearchControl::quiet(limits, &stop));
            assert!(game.is_legal(choice.mv), "{:?} in {game:?}", choice.mv);
            game.make(choice.mv);
            played.push(choice.mv);
            log.push((choice.mv, choice.info.nodes));
        }
        log
    }
    visit(&mut Engines { nodes, longest });
}

fn random_session(entry: &Entry, variant: &Variant, generator: &mut Generator) -> History {
    let mut session = entry.history(variant).expect("a variant of the registry");
    for _ in 0..LONGEST {
        let legal = session.legal();
        if legal.is_empty() {
            return session;
        }
        session.play(&legal[generator.random_range(0..legal.len())]).expect("legal");
    }
    panic!("a walk does not end");
}

/// Runs a check on one random game of every variant.
fn on_sessions(check: impl Fn(&Entry, &Variant, History)) {
    for entry in GAMES {
        for (number, variant) in (0..).zip(boards(entry)) {
            let session = random_session(entry, &variant, &mut stream(mix(seed(), 1_000 + number), 0));
            check(entry, &variant, session);
        }
    }
}

#[test]
fn a_record_read_back_is_the_same_game() {
    on_sessions(|entry, _, session| {
        let (tree, end) = crate::support::along(session.now());
        let text = record::write(&tree, end, &[("result".to_owned(), "whatever".to_owned())]);
        let read = record::load(text.as_bytes(), &record::Hint::default().strict()).unwrap();
        assert_eq!((read.start.entry.name, read.fault.is_none()), (entry.name, true));
        let again = read.tree.position(read.end);
        assert_eq!(
            (again.played(), again.key(), again.outcome()),
            (session.played(), session.key(), session.outcome())
        );
    });
}

#[test]
fn undo_then_redo_is_the_identity_and_undo_equals_the_prefix() {
    on_sessions(|entry, variant, mut session| {
        let (played, end) = (session.played(), session.key());
        let mut keys = vec![entry.start(variant).unwrap().key()];
        let mut replay = entry.history(variant).unwrap();
        for text in &played {
            replay.play(text).unwrap();
            keys.push(replay.key());
        }
        for n in (0..played.len()).rev() {
            assert_eq!(session.undo().as_ref(), Some(&played[n]));
            assert_eq!((session.key(), session.plies()), (keys[n], n));
        }
        assert_eq!(session.undo(), None);
        for text in &played {
            assert_eq!(session.redo().as_ref(), Some(text));
        }
        assert_eq!((session.redo(), session.key()), (None, end));
    });
}

#[test]
fn a_refused_line_leaves_the_session_as_it_was() {
    on_sessions(|_, _, mut session| {
        session.undo();
        let state =
            |session: &History| (session.key(), session.played(), session.redoable(), session.to_move());
        let before = state(&session);
        let mut generator = stream(seed(), 77);
        for _ in 0..200 {
            let text: String = (0..generator.random_range(0..8))
                .map(|_| char::from(generator.random_range(32..127u8)))
                .collect();
            let legal = session.legal();
            if session.read(&text).is_ok_and(|mv| legal.contains(&mv)) {
                continue;
            }
            assert!(session.play(&text).is_err(), "{text:?}");
            assert_eq!(state(&session), before, "{text:?}");
        }
    });
}

fn assert_plain<T: Debug + Send>() {}

#[test]
fn sessions_can_move_to_another_thread() {
    assert_plain::<std::sync::Arc<dyn Position>>();
    let sessions: Vec<_> = GAMES.iter().map(|entry| entry.start(&Variant::default()).unwrap()).collect();
    let handles: Vec<_> =
        sessions.into_iter().map(|session| std::thread::spawn(move || session.legal().len())).collect();
    assert!(handles.into_iter().all(|handle| handle.join().unwrap() > 0));
}
