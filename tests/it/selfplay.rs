//! Self-play games: legal, reproducible by seed, and read equally in Rust and Python.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use crosspath::ai::EngineKind;
use crosspath::arena::jobs::ArenaJob;
use crosspath::arena::jobs::shard::Shard;
use crosspath::arena::matches::Openings;
use crosspath::arena::selfplay::{
    GameEnding, SHARE_SCALE, SelfplayGame, SelfplayPlan, SelfplayPlayer, SelfplayReader, TeacherEngine,
};
use crosspath::game::{Outcome, Side};
use crosspath::random::{mix_seed, random_stream};
use crosspath::registry::{GAMES, GameVisitor, RegisteredGame, Variant, find_game, visit_all_games};
use crosspath::session::Playable;
use rand::RngExt;

use crate::sentences::{lasting, said};
use crate::support::{example, folder, run, run_on, skip};

/// Returns Python if this computer has it, and otherwise notes the skipped tests. A Python that
/// does not work is an error.
pub(crate) fn python(what: &str) -> Option<Command> {
    match Command::new("python3").arg("--version").output() {
        Ok(output) => assert!(output.status.success(), "python3 is there, but does not work: {output:?}"),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            skip(what, "there is no python3");
            return None;
        }
        Err(error) => panic!("python3 is there, but cannot be started: {error}"),
    }
    let mut python = Command::new("python3");
    python.current_dir(env!("CARGO_MANIFEST_DIR"));
    Some(python)
}

fn job(plan: &SelfplayPlan, games: u32) -> ArenaJob {
    ArenaJob::parse(plan.entry.game_list(), plan.to_job_json(games).as_bytes()).unwrap()
}

fn plan(game: &str, board: &str, engine: &str) -> SelfplayPlan {
    let player = SelfplayPlayer::Engine(engine.parse().unwrap());
    SelfplayPlan::new(find_game(game).unwrap(), &Variant::parse(board), player).unwrap()
}

fn games(shard: &Shard) -> Vec<SelfplayGame> {
    let read = |(_, bytes)| {
        let mut game = SelfplayGame::default();
        game.decode(bytes).unwrap();
        game
    };
    shard.units().map(read).collect()
}

#[test]
fn move_and_position_numbers_are_one_to_one() {
    struct Numbers;
    impl GameVisitor for Numbers {
        fn visit_game<G: Playable>(&mut self, entry: &'static RegisteredGame) {
            let encoding = G::encoding().expect("the three games have numbers");
            let sizes = entry.board_sizes();
            for size in [sizes.least, sizes.default, sizes.most] {
                let mut game = G::start_position(&entry.resolve_board(&Variant::of_size(size)).unwrap());
                let count = (encoding.move_count)(&game);
                for number in 0..count {
                    let mv = (encoding.mv)(&game, number).expect("a number below the count is a move");
                    assert_eq!((encoding.number)(&game, mv), number);
                }
                assert_eq!((encoding.mv)(&game, count), None);
                let (mut chance, mut moves, mut length) = (random_stream(7, 0), Vec::new(), None);
                let (mut keys, mut all) = (BTreeMap::new(), BTreeSet::new());
                for _ in 0..300 {
                    let mut bytes = Vec::new();
                    (encoding.position)(&game, &mut bytes);
                    assert_eq!(*length.get_or_insert(bytes.len()), bytes.len());
                    assert_eq!(usize::from(bytes[0]), game.to_move().index());
                    assert_eq!(*keys.entry(game.position_key()).or_insert(bytes.clone()), bytes, "{game:?}");
                    all.insert(bytes);
                    assert_eq!(all.len(), keys.len(), "{game:?}");
                    moves.clear();
                    game.push_legal_moves(&mut moves);
                    let numbers: BTreeSet<u16> =
                        moves.iter().map(|&mv| (encoding.number)(&game, mv)).collect();
                    assert!(numbers.len() == moves.len() && numbers.iter().all(|&number| number < count));
                    if moves.is_empty() {
                        break;
                    }
                    game.make_move(moves[chance.random_range(0..moves.len())]);
                }
            }
        }
    }
    visit_all_games(&mut Numbers);
}

/// Replays the games of a shard by the texts of their moves and compares them with the rules.
fn replay(plan: &SelfplayPlan, shard: &Shard) {
    let texts: Vec<String> = shard
        .header
        .get("moves")
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    for game in games(shard) {
        let mut history = plan.entry.new_history(&plan.variant).unwrap();
        assert_eq!(game.opening, plan.openings.max_plies());
        for (ply, &number) in game.moves.iter().enumerate() {
            assert_eq!(history.outcome(), None);
            if ply >= game.opening {
                let searched = &game.positions[ply - game.opening];
                assert_eq!(searched.key, history.position_key());
                let legal = history.legal_moves();
                let policy = game.policy(searched);
                assert!(policy.iter().all(|(mv, _)| legal.contains(&texts[usize::from(*mv)])));
                assert!(
                    policy.iter().map(|(_, share)| u32::from(*share)).sum::<u32>()
                        <= u32::from(SHARE_SCALE) + 50
                );
                assert_eq!(searched.by_chance, ply < game.opening + plan.temperature_plies);
            }
            history.play(&texts[usize::from(number)]).unwrap();
        }
        assert_eq!(game.positions.len(), game.moves.len() - game.opening);
        match game.ending {
            GameEnding::Rules => assert_eq!(history.outcome(), Some(game.outcome)),
            GameEnding::Repetition => {
                assert_eq!((history.repetition_count(), game.outcome), (3, Outcome::Draw));
            }
            GameEnding::Length => panic!("no game here is so long"),
        }
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_teacher_evaluates_some_positions_and_does_not_affect_play() {
    let mut plan = plan("hex", "size=4 swap=off", "net,temperature=0.3");
    (plan.openings, plan.temperature_plies) = (Openings::Random(1), 0);
    let alone = games(&job(&plan, 6).compute_shard(0, 1, 1).unwrap());
    plan.teacher = Some(TeacherEngine { spec: "net,nodes=60".parse().unwrap(), every: 2 });
    let taught = games(&job(&plan, 6).compute_shard(0, 1, 1).unwrap());
    let (mut judged, mut others) = (0, 0);
    for (alone, taught) in alone.iter().zip(&taught) {
        assert_eq!(alone.moves, taught.moves);
        for (one, other) in alone.positions.iter().zip(&taught.positions) {
            assert!(alone.policy(one).is_empty(), "a network without a search compares nothing");
            let shares: u32 = taught.policy(other).iter().map(|&(_, share)| u32::from(share)).sum();
            if shares == 0 {
                assert_eq!(one.value, other.value);
                others += 1;
            } else {
                assert!(shares > u32::from(SHARE_SCALE) * 9 / 10 && other.value.is_some());
                judged += 1;
            }
        }
    }
    assert!(judged > 10 && others > 10, "{judged} of {} were judged", judged + others);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_teacher_must_use_the_score_scale_of_the_player() {
    let flags = ["selfplay", "--game", "hex", "--engine", "net", "--teacher", "level:3", "--out", "none"];
    let refused = run(&flags, "");
    assert_eq!(refused.code, Some(2));
    assert_eq!(refused.err, lasting(format!("error: {}\n", said!("the-scores-of-and", "3"))));
}

#[test]
fn games_are_legal_and_end_by_the_rules() {
    for (game, board, engine, count) in [
        ("tic-tac-toe", "size=3", "level:8", 6),
        ("tic-tac-toe", "size=5 win-length=4", "level:6", 4),
        ("hex", "size=6", "level:4,nodes=40", 3),
        ("hex", "size=5 swap=off", "level:1", 10),
        ("quoridor", "size=5", "level:4,nodes=50", 4),
        ("quoridor", "size=9", "level:1", 6),
    ] {
        let plan = plan(game, board, engine);
        let shard = job(&plan, count).compute_shard(0, 1, 2).unwrap();
        assert_eq!(shard.header.get("deterministic"), true);
        replay(&plan, &shard);
    }
}

#[test]
fn values_and_policies_of_the_engine_are_stored() {
    let with_scores = plan("quoridor", "size=5", "level:4,nodes=50");
    let shard = job(&with_scores, 3).compute_shard(0, 1, 1).unwrap();
    for game in games(&shard) {
        let with_value = game.positions.iter().filter(|position| position.value.is_some()).count();
        assert!(with_value > game.positions.len() / 2, "{with_value} of {}", game.positions.len());
        let compared = game.positions.iter().filter(|position| game.policy(position).len() > 1).count();
        assert!(compared > 0, "chance draws among moves that were compared");
    }
    let without = plan("hex", "size=5", "level:2");
    for game in games(&job(&without, 3).compute_shard(0, 1, 1).unwrap()) {
        for position in &game.positions {
            assert_eq!(position.value, None);
            let own = game.policy(position);
            assert!(if position.by_chance {
                own.len() == 1 && own[0].1 == SHARE_SCALE
            } else {
                own.is_empty()
            });
        }
    }
}

#[test]
fn games_use_the_listed_openings_in_turn() {
    let entry = plan("hex", "size=4 swap=off", "level:1").entry;
    let variant = plan("hex", "size=4 swap=off", "level:1").variant;
    let openings = Openings::parse_text("some", "b2 c3 a1\n# a comment\nd4\n", entry, &variant).unwrap();
    let listed = SelfplayPlan { openings, ..plan("hex", "size=4 swap=off", "level:1") };
    // The job contains the list, so it does not depend on the computer.
    let shard = job(&listed, 5).compute_shard(0, 1, 1).unwrap();
    let begun: Vec<Vec<u16>> = games(&shard).iter().map(|game| game.moves[..game.opening].to_vec()).collect();
    let (long, short) = (vec![5, 10, 0], vec![15]);
    assert_eq!(begun, [long.clone(), short.clone(), long.clone(), short, long]);
    let none = |text: &str| Openings::parse_text("some", text, entry, &variant).map(|_| ());
    assert!(none("b2 b2").is_err() && none("# nothing").is_err());
}

#[test]
fn openings_are_diverse_and_unfinished() {
    let plan = SelfplayPlan { openings: Openings::Random(4), ..plan("tic-tac-toe", "size=3", "level:1") };
    let shard = job(&plan, 40).compute_shard(0, 1, 1).unwrap();
    let openings: BTreeSet<Vec<u16>> = games(&shard).iter().map(|game| game.moves[..4].to_vec()).collect();
    assert!(openings.len() > 30, "{}", openings.len());
    for game in games(&shard) {
        assert!(game.moves.len() >= 6, "First could have won with its third move: {game:?}");
    }
}

#[test]
fn a_unit_depends_only_on_its_seed_and_number() {
    let plan = plan("hex", "size=5", "level:3");
    let shard = |plan: &SelfplayPlan, index, count| job(plan, 12).compute_shard(index, count, 1).unwrap();
    let all: Vec<Vec<u8>> = shard(&plan, 0, 1).units().map(|(_, body)| body.to_vec()).collect();
    let last: Vec<Vec<u8>> = shard(&plan, 3, 4).units().map(|(_, body)| body.to_vec()).collect();
    assert_eq!(all[9..], last);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 12, "every unit is another game");
    let other = SelfplayPlan { seed: mix_seed(1, 1), ..plan };
    assert_ne!(shard(&other, 3, 4).units().map(|(_, body)| body.to_vec()).collect::<Vec<_>>(), last);
}

#[test]
fn the_reader_drops_and_counts_duplicates() {
    let plan = plan("tic-tac-toe", "size=3", "level:1");
    let shard = job(&plan, 50).compute_shard(0, 1, 1).unwrap();
    let mut reader = SelfplayReader::default();
    let mut seen = BTreeSet::new();
    reader.read_shard(&shard, |_, position| assert!(seen.insert(position.key), "once")).unwrap();
    assert_eq!((reader.games, reader.positions), (50, reader.duplicates + seen.len() as u64));
    assert_eq!(reader.first + reader.second + reader.draws, 50);
    let before = reader.duplicates;
    reader.read_shard(&shard, |_, _| panic!("all of it has come before")).unwrap();
    assert_eq!((reader.games, reader.duplicates), (100, 2 * before + seen.len() as u64));
}

#[test]
fn the_python_reader_has_the_same_counts() {
    let Some(mut python) = python("the reader in Python") else { return };
    let folder = folder();
    let mut reader = SelfplayReader::default();
    python.arg("train/shards.py");
    for (name, game, board, engine) in [
        ("1", "quoridor", "size=5", "level:4,nodes=30"),
        ("2", "quoridor", "size=5", "level:1"),
        ("3", "hex", "size=4", "level:1"),
    ] {
        let shard = job(&plan(game, board, engine), 8).compute_shard(0, 1, 1).unwrap();
        reader.read_shard(&shard, |_, _| ()).unwrap();
        fs::write(folder.path().join(name), shard.bytes()).unwrap();
        python.arg(folder.path().join(name));
    }
    let counted = run_on(python, "");
    assert_eq!(counted.code, Some(0), "{}", counted.err);
    let counts: serde_json::Value = serde_json::from_str(&counted.out).unwrap();
    for (key, count) in [
        ("games", reader.games),
        ("plies", reader.plies),
        ("positions", reader.positions),
        ("duplicates", reader.duplicates),
        ("draws", reader.draws),
        ("first", reader.first),
        ("second", reader.second),
        ("by_rules", reader.by_rules),
        ("by_repetition", reader.by_repetition),
    ] {
        assert_eq!(counts[key], count, "{key} in {counts}");
    }
}

#[test]
fn the_python_reader_reads_every_move_value_and_visit_share() {
    let Some(mut python) = python("the reader in Python") else { return };
    let folder = folder();
    let shard = job(&plan("quoridor", "size=5", "level:4,nodes=30"), 5).compute_shard(0, 1, 1).unwrap();
    fs::write(folder.path().join("shard"), shard.bytes()).unwrap();
    let script = "
import sys
sys.path.insert(0, 'train')
import shards
for game in shards.read(sys.argv[1]).games():
    print(game.unit, game.result, game.ending, game.opening, game.moves)
    for p in game.positions:
        print(p.key, p.value, int(p.by_chance), [(move, round(share * shards.WHOLE)) for move, share in p.policy])
";
    python.args(["-c", script]).arg(folder.path().join("shard"));
    let output = run_on(python, "");
    let mut wanted = Vec::new();
    for game in games(&shard) {
        let result = [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)];
        let result = result.iter().position(|&outcome| outcome == game.outcome).unwrap();
        let ending = GameEnding::ALL.iter().position(|&ending| ending == game.ending).unwrap();
        wanted.push(format!("{} {result} {ending} {} {:?}\n", game.unit, game.opening, game.moves));
        for position in &game.positions {
            let value = position.value.map_or("None".to_owned(), |score| score.0.to_string());
            let chance = u8::from(position.by_chance);
            wanted.push(format!("{} {value} {chance} {:?}\n", position.key, game.policy(position)));
        }
    }
    assert_eq!((output.out, output.err.as_str()), (wanted.concat(), ""));
}

#[test]
fn the_python_reader_refuses_damaged_files() {
    let Some(mut python) = python("the reader in Python") else { return };
    let folder = folder();
    let bytes =
        job(&plan("tic-tac-toe", "size=3", "level:1"), 2).compute_shard(0, 1, 1).unwrap().bytes().to_vec();
    fs::write(folder.path().join("shard"), &bytes).unwrap();
    let script = "
import sys
sys.path.insert(0, 'train')
import shards
data = open(sys.argv[1], 'rb').read()
shards.Shard(data)
found = 0
for damaged in [data[:n] for n in range(len(data))] + [data[:i] + bytes([data[i] ^ 1 << b]) + data[i + 1:] for i in range(len(data)) for b in range(8)]:
    try:
        shards.Shard(damaged)
    except shards.BadShard:
        found += 1
print(found == 9 * len(data))
";
    python.args(["-c", script]).arg(folder.path().join("shard"));
    let output = run_on(python, "");
    assert_eq!((output.out.as_str(), output.err.as_str()), ("True\n", ""));
}

#[test]
fn selfplay_writes_a_job_that_work_reproduces() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (out, job, again) = (path("out"), path("job"), path("again"));
    let flags = [
        "selfplay",
        "--game",
        "hex",
        "--size",
        "5",
        "--no-swap",
        "--engine",
        "level:3",
        "--games",
        "6",
        "--openings",
        "random:3",
        "--temperature-plies",
        "1",
        "--seed",
        "5",
        "--threads",
        "2",
    ];
    let played = run(&[&flags[..], &["--out", &out, "--write-job", &job]].concat(), "");
    assert_eq!((played.code, played.err.as_str()), (Some(0), ""));
    assert!(
        played.out.starts_with("hex: 6 games, ")
            && played.out.contains(lasting(format!("\n{} ", said!("first-won")))),
        "{}",
        played.out
    );
    let worked = run(&["work", "--job", &job, "--index", "0", "--count", "1", "--out", &again], "");
    assert_eq!(worked.code, Some(0), "{}", worked.err);
    assert!(fs::read(&out).unwrap() == fs::read(&again).unwrap());
    let shard = Shard::load(Path::new(&out)).unwrap();
    assert_eq!(shard.header.get("settings").to_string(), "{\"size\":5,\"swap\":false}");
    let json = run(&[&flags[..], &["--out", &out, "--json"]].concat(), "");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json.out).unwrap()["games"], 6);
    let other = run(&[&flags[..], &["--out", &out, "--games", "7"]].concat(), "");
    assert_eq!(other.code, Some(2), "a flag twice: {}", other.err);
    let only_job = run(&["selfplay", "--write-job", &path("only")], "");
    assert_eq!((only_job.code, only_job.out.as_str()), (Some(0), ""), "{}", only_job.err);
}

#[test]
fn invalid_flags_are_usage_errors() {
    for (flags, why) in [
        (&[][..], "--out <FILE>"),
        (&["--out", "x", "--engine", "level:99"], said!("engine-level-does-not-exist", "99")),
        (&["--out", "x", "--engine", "self"], said!("engine-there-is-no-engine", "self")),
        (&["--out", "x", "--size", "99"], "--size 99 is not possible for tic-tac-toe"),
        (&["--out", "x", "--openings", "fair"], said!("openings-is-neither-none", "fair")),
        (&["--out", "x", "--openings", "random:9"], said!("no-opening-of-random", "9")),
        (&["--out", "x", "--games", "0"], said!("is-not-in", "0", "1")),
        (&["--out", "x", "--evaluator", "stdio", "--nodes", "5"], "cannot be used with"),
        (&["--out", "x", "--batch", "5"], "--evaluator"),
    ] {
        let run = run(&[&["selfplay"], flags].concat(), "");
        assert_eq!(run.code, Some(2), "{flags:?}: {}", run.err);
        assert!(run.err.contains(why), "{}", run.err);
    }
}

#[test]
fn self_play_works_for_a_fourth_game() {
    let folder = folder();
    let out = folder.path().join("chomp").to_str().unwrap().to_owned();
    let chomp = |flags: &[&str]| {
        let mut command = example("fourth_game");
        command
            .args(["selfplay", "--game", "chomp", "--size", "3", "--bite", "5", "--out", &out])
            .args(flags);
        run_on(command, "")
    };
    let played = chomp(&["--games", "4", "--openings", "random:1", "--engine", "level:2"]);
    assert_eq!(played.code, Some(0), "{}", played.err);
    assert!(played.out.starts_with("chomp: 4 games, "), "{}", played.out);
    let shard = Shard::load(Path::new(&out)).unwrap();
    assert!(shard.header.get("moves").is_null() && games(&shard).len() == 4);
    assert!(games(&shard).iter().all(|game| game.outcome != Outcome::Draw && game.moves[0] < 9));
    let asked = chomp(&["--evaluator", "stdio"]);
    assert_eq!(asked.code, Some(2));
    assert!(asked.err.contains("an evaluator cannot play chomp"), "{}", asked.err);
}

#[test]
fn level_1_is_the_weakest_for_self_play() {
    assert!(GAMES.iter().all(|entry| entry.levels().contains(&EngineKind::Level(1))));
}

#[test]
#[ignore = "wall-clock: run on a quiet machine, with --release"]
fn self_play_of_level_1_makes_20_000_positions_per_second() {
    for (game, board, count) in
        [("tic-tac-toe", "size=3", 20_000), ("hex", "size=11", 1_000), ("quoridor", "size=9", 3_000)]
    {
        let job = job(&plan(game, board, "level:1"), count);
        let begin = std::time::Instant::now();
        let shard = job.compute_shard(0, 1, 1).unwrap();
        let seconds = begin.elapsed().as_secs_f64();
        let mut reader = SelfplayReader::default();
        reader.read_shard(&shard, |_, _| ()).unwrap();
        let rate = f64::from(u32::try_from(reader.positions).unwrap()) / seconds;
        println!("{game} {board}: {rate:.0} positions a second on one thread");
        assert!(rate >= 20_000.0);
    }
}

/// Every command of the page is run with the tested program, in a temporary folder.
#[test]
#[cfg(unix)]
fn the_commands_on_the_self_play_page_work() {
    if python("the commands of docs/selfplay.md").is_none() {
        return;
    }
    let page = include_str!("../../docs/selfplay.md");
    let blocks = page.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let script = format!("set -e\n{}", blocks.collect::<String>());
    assert!(script.lines().count() >= 13, "{script}");
    let folder = folder();
    std::os::unix::fs::symlink(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("train"),
        folder.path().join("train"),
    )
    .unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_crosspath")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).env("PATH", path);
    let output = run_on(shell, "");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{}", output.out);
    assert!(
        output.out.contains("\n0\n") && output.out.contains("\"moves\":\"b2\",\"value\":\"first\""),
        "{}",
        output.out
    );
}
