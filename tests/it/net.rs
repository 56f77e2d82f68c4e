//! Networks: exact evaluation at every SIMD level, damaged files, and the search that uses them.

use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::solve::solve_position;
use crosspath::ai::net::{ConvNet, InputPlanes, NetLoadError, NetOutput, NetScratch, SimdLevel};
use crosspath::ai::{
    EngineConfig, EngineHost, EngineKind, EngineResources, EngineSpec, HasEngines, Limits, MoveChoice,
    NetworkWeights, ProofStatus, SearchControl, hex,
};
use crosspath::board::hexgrid::Cell;
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Hex, Move, SwapRule};
use crosspath::random::random_stream;
use serde_json::Value;

use crate::hex_help::{HexGame, random_opening};
use crate::sentences::{lasting, said};
use crate::support::{assert_damage_is_reported, run, skip, with_header};

const HEX_NETWORK: &[u8] = include_bytes!("../../nets/hex.safetensors");
const POSITIONS: &str = include_str!("../../nets/hex.positions.jsonl");

/// Returns the input planes of a position from the mover's view, with the edges as stones.
pub(crate) fn planes(size: usize, moves: &[usize]) -> InputPlanes {
    let mut planes = InputPlanes::new(size);
    for place in 0..size + 2 {
        for edge in [0, size + 1] {
            *planes.cell_mut(edge, place) |= 1;
            *planes.cell_mut(place, edge) |= 2;
        }
    }
    let is_second = moves.len() % 2 == 1;
    for (ply, cell) in moves.iter().enumerate() {
        let (row, col) = (cell / size, cell % size);
        let (row, col) = if is_second { (col, row) } else { (row, col) };
        *planes.cell_mut(row + 1, col + 1) = if (ply % 2 == 1) == is_second { 1 } else { 2 };
    }
    planes
}

fn to_numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

#[test]
fn the_64_reference_positions_match_bit_for_bit_at_every_simd_level() {
    let mut network = ConvNet::from_bytes(HEX_NETWORK, "hex").unwrap();
    let (mut scratch, mut output) = (NetScratch::default(), NetOutput::default());
    for vectors in SimdLevel::ALL {
        network.limit_simd_level(vectors);
        if network.simd_level() != vectors {
            skip("instructions of networks", &format!("this CPU has no {vectors:?}"));
            continue;
        }
        let mut count = 0;
        for line in POSITIONS.lines() {
            let reference: Value = serde_json::from_str(line).unwrap();
            let size = usize::try_from(reference["size"].as_u64().unwrap()).unwrap();
            let moves: Vec<usize> =
                to_numbers(&reference["moves"]).iter().map(|&n| usize::try_from(n).unwrap()).collect();
            network.evaluate(&planes(size, &moves), &mut scratch, &mut output);
            let logits: Vec<i64> = output.steps.iter().map(|&steps| steps.into()).collect();
            assert_eq!(logits, to_numbers(&reference["logits"]), "{vectors:?}: {line}");
            assert_eq!(output.value_steps, reference["value"].as_i64().unwrap(), "{vectors:?}: {line}");
            count += 1;
        }
        assert_eq!(count, 64);
    }
}

#[test]
fn an_invalid_network_file_is_rejected_with_one_message() {
    let refused = |bytes: &[u8]| ConvNet::from_bytes(bytes, "hex").unwrap_err();
    assert_damage_is_reported(HEX_NETWORK, refused);
    let newer = with_header(HEX_NETWORK, |header| header.replace("\"version\":\"2\"", "\"version\":\"3\""));
    assert_eq!(refused(&newer).to_string(), said!("it-has-version-of", "3", "2"));
    let foreign = with_header(HEX_NETWORK, |header| header.replace("crosspath-net", "other"));
    assert_eq!(refused(&foreign), NetLoadError::Foreign);
    let other = with_header(HEX_NETWORK, |header| header.replace("\"game\":\"hex\"", "\"game\":\"chess\""));
    assert_eq!(refused(&other).to_string(), "the file is a network for chess");
    let wide =
        with_header(HEX_NETWORK, |header| header.replace("\"channels\":\"64\"", "\"channels\":\"128\""));
    assert!(matches!(refused(&wide), NetLoadError::Tensor { .. }));
    let odd = with_header(HEX_NETWORK, |header| header.replace("\"channels\":\"64\"", "\"channels\":\"65\""));
    assert!(matches!(refused(&odd), NetLoadError::Number { key: "channels", .. }));
    for text in ["", "{}", "not a network at all, only some words"] {
        assert!(matches!(refused(text.as_bytes()), NetLoadError::Unreadable(_)), "{text:?}");
    }
}

/// Returns the choice of the engine with this specification in a position.
fn search_move(spec: &str, position: &HexGame) -> MoveChoice<Move> {
    let spec: EngineSpec = spec.parse().unwrap();
    let level_spec =
        hex::level_specs().into_iter().find(|level_spec| level_spec.level == spec.level).unwrap();
    let config = spec.config_for_side(1, Side::First);
    let mut host = EngineHost::new(level_spec, config, position.at().start).unwrap();
    let stop = AtomicBool::new(false);
    host.choose(&position.at(), &SearchControl::without_reports(spec.limits, &stop)).unwrap()
}

/// The centre of 7x7 wins. The value head alone gives Blue 5%; the calibration for displayed chances, less.
#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_displayed_chance_of_a_decided_position_is_calibrated() {
    let mut game = Hex::new(7, SwapRule::Off).unwrap();
    game.try_make_move(game.parse("d4").unwrap()).unwrap();
    let evaluation = hex::evaluate_with_network(&game).unwrap();
    assert!(evaluation.win_chance < 0.02, "{}", evaluation.win_chance);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn proofs_of_the_search_agree_with_the_solver() {
    let (mut proved, stop) = (0, AtomicBool::new(false));
    for number in 0..60 {
        let position = random_opening(4, 2 + number % 5, &mut random_stream(number as u64, 4));
        if position.now.outcome().is_some() {
            continue;
        }
        let choice = search_move("net,nodes=3000", &position);
        let solved = solve_position(&position.now, &SearchControl::without_reports(Limits::default(), &stop));
        let mover = position.now.to_move();
        let winner = match choice.proof {
            Some(ProofStatus::WinIn(_)) => mover,
            Some(ProofStatus::LostIn(_)) => mover.other(),
            _ => continue,
        };
        proved += 1;
        assert_eq!(solved.outcome, Some(Outcome::Win(winner)), "{}", position.now);
        if winner == mover {
            let mut next = position.now.clone();
            next.make_move(choice.mv);
            let keeps =
                solved.moves.iter().any(|&(mv, outcome, _)| mv == choice.mv && outcome == solved.outcome);
            assert!(keeps, "{:?} gives the win away in\n{}", choice.mv, position.now);
        }
    }
    assert!(proved >= 50, "only {proved} of 60 were proved");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn immediate_wins_are_played_and_immediate_threats_are_blocked() {
    for (size, texts, expected) in [(4, "b1 a2 b2 a3 b3 a4", "b4"), (4, "b1 a2 b2 a4 b3 d4 c1", "b4")] {
        let position = HexGame::new(size, SwapRule::Off, texts);
        for spec in ["net", "net,nodes=1", "net,nodes=50", "net,temperature=5"] {
            assert_eq!(
                position.name(search_move(spec, &position).mv),
                expected,
                "{spec} in\n{}",
                position.now
            );
        }
    }
}

#[test]
fn metadata_is_quoted_without_control_characters() {
    let file = |header: &str| [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    for (kind, version, game, message) in [
        ("crosspath-net", "\\u001b[2J", "hex", said!("it-has-version-of", "?[2J", "2")),
        ("crosspath-net", "2", "\\u001b[2J", said!("it-holds-a-network-for", "?[2J")),
        ("\\u001b[2J", "1", "hex", lasting(format!("{} ", said!("it-holds-no-network")))),
    ] {
        let header =
            format!(r#"{{"__metadata__":{{"format":"{kind}","version":"{version}","game":"{game}"}}}}"#);
        let error = ConvNet::from_bytes(&file(&header), "hex").unwrap_err().to_string();
        assert!(error.starts_with(message), "{error:?}");
    }
    let header = r#"{"\u001b[2J":{"dtype":"I32","shape":[1],"data_offsets":[5,9]}}"#;
    let error = ConvNet::from_bytes(&file(header), "hex").unwrap_err().to_string();
    assert!(error.starts_with(said!("it-is-no-whole")) && error.contains("`?[2j`"), "{error:?}");
}

#[test]
fn a_file_whose_tensors_do_not_fill_it_is_rejected() {
    let file = |header: &str, data: &[u8]| {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
    };
    let tensor = |name: &str, shape: &str, start: usize, end: usize| {
        format!(r#""{name}":{{"dtype":"I16","shape":{shape},"data_offsets":[{start},{end}]}}"#)
    };
    let whole = format!("{{{},{}}}", tensor("b", "[1]", 4, 6), tensor("a", "[2,1]", 0, 4));
    assert_eq!(ConvNet::from_bytes(&file(&whole, &[0; 6]), "hex").unwrap_err(), NetLoadError::Foreign);
    for (why, header, bytes) in [
        ("a byte is missing", whole.clone(), 5),
        ("a byte is left over", whole.clone(), 7),
        ("a gap", format!("{{{},{}}}", tensor("a", "[2]", 0, 4), tensor("b", "[1]", 6, 8)), 8),
        ("an overlap", format!("{{{},{}}}", tensor("a", "[2]", 0, 4), tensor("b", "[2]", 2, 6)), 6),
        ("a wrong size", format!("{{{}}}", tensor("a", "[3]", 0, 4)), 4),
        ("a shape without end", format!("{{{}}}", tensor("a", "[4294967296,4294967296]", 0, 0)), 0),
        ("an end before its start", format!("{{{}}}", tensor("a", "[0]", 4, 0)), 4),
        ("no JSON", "{".to_owned(), 0),
    ] {
        let error = ConvNet::from_bytes(&file(&header, &vec![0; bytes]), "hex").unwrap_err();
        assert!(matches!(error, NetLoadError::Unreadable(_)), "{why}: {error}");
    }
    for length in [u64::MAX, 1 << 40, 100] {
        let error = ConvNet::from_bytes(&length.to_le_bytes(), "hex").unwrap_err();
        assert!(matches!(error, NetLoadError::Unreadable(_)), "{length}: {error}");
    }
}

#[test]
fn an_unusable_network_is_named_when_the_engine_is_built() {
    let arena = ["arena", "--game", "hex", "--engine", "a=net:/no/such", "--engine", "b=net"];
    let no_file = run(&arena, "");
    assert_eq!(no_file.code, Some(2));
    assert!(
        no_file.err.starts_with("error: --engine a: cannot read the network /no/such: "),
        "{}",
        no_file.err
    );
    let weights = Some(std::sync::Arc::new(NetworkWeights::new("mine", *b"only some words")));
    let config = EngineConfig { weights, ..EngineConfig::new(1, 0) };
    let level_spec = hex::level_specs().into_iter().find(|spec| spec.level == EngineKind::Net).unwrap();
    let error = EngineHost::new(level_spec, config, &Hex::new(5, SwapRule::Off).unwrap()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the network mine does not fit: the file is not a complete safetensors file"),
        "{error}"
    );
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_position_and_its_rotation_get_the_same_evaluation() {
    for number in 0..20 {
        let position = random_opening(5, 6, &mut random_stream(77 + number, 5));
        let texts: Vec<String> = position
            .played
            .iter()
            .map(|mv| {
                let cell = mv.cell().unwrap();
                position.now.format_cell(Cell::new(24 - cell.index()))
            })
            .collect();
        let turned = HexGame::new(5, SwapRule::Off, &texts.join(" "));
        if position.now.outcome().is_some() {
            continue;
        }
        let (one, other) = (search_move("net,nodes=200", &position), search_move("net,nodes=200", &turned));
        assert_eq!(one.info.score, other.info.score, "{}", position.now);
        let cell = one.mv.cell().unwrap();
        let back = turned.now.format_cell(Cell::new(24 - cell.index()));
        assert_eq!(turned.name(other.mv), back, "{}", position.now);
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_overlay_and_the_policy_command_show_the_choices_of_the_network() {
    let game = HexGame::new(4, SwapRule::Off, "b1 a2 b2 d4 b3");
    let engines = <Hex as HasEngines>::game_engines();
    let overlay = engines.overlays.last().unwrap();
    let names = crosspath::game::Side::map_both(|side| {
        crosspath::game::PositionDescription::side_name(&game.now, side)
    });
    assert_eq!((overlay.title)(names), said!("where-the-network-would"));
    let marks = (overlay.marks)(&game.at());
    let shown: Vec<(String, char)> = marks.into_iter().map(|(mv, mark)| (game.name(mv), mark)).collect();
    // Red threatens to complete its chain on a4 and b4, so only these moves are considered.
    assert!(
        shown.iter().all(|(name, _)| ["a4", "b4"].contains(&name.as_str())) && !shown.is_empty(),
        "{shown:?}"
    );
    let session = run(&["--game", "hex", "--size", "5", "--mode", "2", "--plain"], "c3\npolicy\nquit\n");
    assert!(
        session.out.contains(lasting(format!("{} ", said!("the-network-thinks-that", "Blue")))),
        "{}",
        session.out
    );
    assert!(session.out.contains(lasting(format!("{} ", said!("it-would-play")))), "{}", session.out);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_network_engine_plays_the_same_game_for_the_same_seed() {
    let flags =
        ["--game", "hex", "--size", "5", "--mode", "4", "--engine", "net,nodes=30", "--seed", "3", "--plain"];
    let (one, other) = (run(&flags, ""), run(&flags, ""));
    assert_eq!((one.code, &one.out), (Some(0), &other.out));
    assert!(one.out.contains(" wins"), "{}", one.out);
    let searched = run(&[&flags[..], &["--stats"]].concat(), "");
    assert!(searched.err.contains("nodes 30") && searched.err.contains("score win in 1"), "{}", searched.err);
    let refused = run(&["--game", "tic-tac-toe", "--engine", "net", "--plain"], "");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("--engine net: there is no level net; levels are classic, 1 to 8"),
        "{}",
        refused.err
    );
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn searches_on_several_threads_are_reproducible_and_keep_to_the_limit() {
    let position = random_opening(9, 8, &mut random_stream(5, 9));
    let level_spec = Hex::game_engines().find_level(EngineKind::Net).unwrap().clone();
    let think = |threads| {
        let resources = EngineResources { threads: Some(threads), ..EngineResources::DEFAULT };
        let config = EngineConfig { resources, ..EngineConfig::new(1, 0) };
        let mut host = EngineHost::new(level_spec.clone(), config, position.at().start).unwrap();
        let (stop, limits) = (AtomicBool::new(false), Limits { nodes: Some(120), ..Limits::default() });
        host.choose(&position.at(), &SearchControl::without_reports(limits, &stop)).unwrap().info
    };
    for threads in [1, 2, 3] {
        let (one, other) = (think(threads), think(threads));
        assert_eq!(
            (one.nodes, one.score, &one.pv),
            (other.nodes, other.score, &other.pv),
            "{threads} threads"
        );
        assert_eq!(one.nodes, 120);
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_depth_limit_alone_ends_a_search() {
    for size in [9, 13] {
        let position = HexGame::new(size, SwapRule::Off, "c3 f6");
        for kind in ["net", "level:6", "level:7", "level:8"] {
            let choices: Vec<MoveChoice<Move>> =
                (0..4).map(|depth| search_move(&format!("{kind},depth={depth}"), &position)).collect();
            let lines: Vec<usize> = choices.iter().map(|choice| choice.info.pv.len()).collect();
            for (depth, choice) in choices.iter().enumerate() {
                assert!(
                    position.now.is_legal(choice.mv) && choice.info.pv.len() <= depth.max(1),
                    "{kind} {lines:?}"
                );
            }
            assert!(choices[3].info.nodes > choices[1].info.nodes, "{kind}");
        }
    }
    // The solver, too, stops at the depth limit when few cells are empty.
    let position = HexGame::new(8, SwapRule::Off, "d5 e4 c4");
    assert!(position.now.is_legal(search_move("level:8,depth=2", &position).mv));
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn the_net_option_applies_to_the_levels() {
    let game = ["--game", "hex", "--size", "5", "--no-swap", "--mode", "4", "--level", "6", "--seed", "1"];
    let named = run(&[&game[..], &["--net", "nets/hex.safetensors"]].concat(), "");
    assert_eq!((named.code, named.out), (Some(0), run(&game, "").out), "it is the program's own");
    let missing = run(&[&game[..], &["--net", "/no/such"]].concat(), "");
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.starts_with("error: --net: cannot read /no/such: "), "{}", missing.err);
    let foreign = run(&[&game[..], &["--net", "Cargo.toml"]].concat(), "");
    assert!(
        foreign.err.contains(said!("the-network-does-not-fit", "Cargo.toml")),
        "{}{}",
        foreign.out,
        foreign.err
    );
    assert!(foreign.err.contains(said!("the-machine-plays-as")), "{}", foreign.err);
    assert!(foreign.code == Some(0) && foreign.out.contains("wins"), "it is played: {}", foreign.out);
    for level in ["5", "8"] {
        let game = ["--game", "quoridor", "--nodes", "100", "--level", level, "--net", "Cargo.toml"];
        let session = run(&game, "e2\nquit\n");
        assert!(
            session.err.contains(said!("do-not-fit")) && !session.err.contains("failed"),
            "{}{}",
            session.out,
            session.err
        );
    }
    let strict = run(&[&game[..], &["--net", "Cargo.toml", "--strict"]].concat(), "");
    assert_eq!(strict.code, Some(2), "{}{}", strict.out, strict.err);
    let without = run(&["--game", "tic-tac-toe", "--net", "nets/hex.safetensors"], "quit\n");
    let why = said!("net-no-engine-of");
    assert!(without.err.contains(why), "{}", without.err);
}

#[test]
fn an_unusable_engine_is_rejected_before_the_first_move() {
    let foreign = "the network Cargo.toml does not fit: the file is not a complete safetensors file";
    let specs = [
        ("hex", "net:Cargo.toml", foreign),
        ("quoridor", "net:Cargo.toml", foreign),
        (
            "hex",
            "net,margin=60",
            "margin is not a constant of this engine; the constants are temperature, exploration,",
        ),
        (
            "quoridor",
            "net,prior=1",
            "prior is not a constant of this engine; the constants are window, margin, ",
        ),
    ];
    for (game, spec, why) in specs {
        let why = format!("--engine {spec}: {why}");
        let played = run(&["--game", game, "--engine", spec], "quit\n");
        assert_eq!((played.code, &*played.out), (Some(2), ""), "{}", played.err);
        assert!(played.err.contains(&why), "{}", played.err);
        let first = format!("a={spec}");
        let games = ["arena", "--game", game, "--engine", &first, "--engine", "b=level:1", "--pairs", "1"];
        let matched = run(&games, "");
        assert_eq!((matched.code, &*matched.out), (Some(2), ""), "{}", matched.err);
        assert!(matched.err.contains(why.split_once(": ").unwrap().1), "{}", matched.err);
        let folder = tempfile::tempdir().unwrap();
        let shard = folder.path().join("shard").display().to_string();
        let taught =
            run(&["selfplay", "--game", game, "--engine", spec, "--games", "1", "--out", &shard], "");
        assert!(
            taught.code != Some(0) && taught.err.contains(why.split_once(": ").unwrap().1),
            "{}",
            taught.err
        );
    }
    for (game, size) in [("hex", "3"), ("quoridor", "9")] {
        let spec = format!("net:nets/{game}.safetensors,nodes=2");
        let folder = tempfile::tempdir().unwrap();
        let shard = folder.path().join("shard").display().to_string();
        let games = ["selfplay", "--game", game, "--size", size, "--games", "1", "--out", &shard, "--quiet"];
        let taught = run(&[&games[..], &["--engine", &spec, "--teacher", &spec]].concat(), "");
        assert_eq!((taught.code, &*taught.err), (Some(0), ""));
    }
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_built_in_engine_can_serve_the_protocols() {
    let serve = |protocol: &[&str], who: &[&str], lines: &str| {
        run(&[&["engine", "--protocol"], protocol, &["--seed", "1", "--size", "7"], who].concat(), lines)
    };
    let hex = |who: &[&str]| serve(&["gtp"], who, "play b d4\nparam_engine\ngenmove w\n");
    let bare = hex(&["--engine", "net"]);
    assert!(bare.out.contains("level net\nnodes 0\n"), "{}{}", bare.out, bare.err);
    assert_eq!(bare.out, hex(&["--engine", "net:nets/hex.safetensors"]).out);
    let with_options = hex(&["--engine", "net,nodes=20,exploration=2,seed=9,threads=2", "--nodes", "30"]);
    assert!(
        with_options.out.contains("level net\nnodes 30\n")
            && with_options.out.contains("threads 2\nseed 1\n"),
        "{}",
        with_options.out
    );
    assert_eq!(hex(&["--level", "6"]).out, hex(&["--level", "6", "--net", "nets/hex.safetensors"]).out);
    let steps = |who: &[&str]| serve(&["qtp"], &[&["--walls", "2"], who].concat(), "level\ngenmove white\n");
    assert_eq!(steps(&["--engine", "level:4,nodes=50"]).out, steps(&["--level", "4", "--nodes", "50"]).out);
    let stones = |who: &[&str]| serve(&["ep5", "b"], who, "").out;
    assert_eq!(stones(&["--engine", "net"]).lines().count(), 1);
    for (protocol, who, why) in [
        ("gtp", ["--engine", "gtp:other"], "error: --engine gtp:other: there is no engine \"gtp\""),
        (
            "gtp",
            ["--engine", "level:9"],
            lasting(format!("error: {}", said!("engine-level-level-does", "9", "9"))),
        ),
        (
            "gtp",
            ["--engine", "level:9"],
            lasting(format!("error: {}", said!("engine-level-level-does", "9", "9"))),
        ),
        (
            "gtp",
            ["--engine", "net:/no/such"],
            "error: --engine net:/no/such: cannot read the network /no/such",
        ),
        ("gtp", ["--net", "/no/such"], "error: --net: cannot read /no/such: "),
        ("gtp", ["--net", "Cargo.toml"], "error: the network Cargo.toml does not fit"),
        (
            "qtp",
            ["--engine", "net:nets/hex.safetensors"],
            "error: the network nets/hex.safetensors does not fit",
        ),
    ] {
        let refused = serve(&[protocol], &who, "name\n");
        assert!(refused.code == Some(2) && refused.err.starts_with(why), "{who:?}: {}", refused.err);
    }
    let without = serve(&["gtp"], &["--game", "tic-tac-toe", "--net", "nets/hex.safetensors"], "");
    assert_eq!(without.code, Some(2));
    assert!(without.err.starts_with("error: no Tic-tac-toe engine uses a network"), "{}", without.err);
}
