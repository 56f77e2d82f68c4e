//! Networks in 8 bits, checked against plain loops over the weights of the file.

use std::collections::BTreeMap;

use crosspath::ai::net::{ConvNet, NetLoadError, NetOutput, NetScratch, SimdLevel};
use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;
use serde_json::json;

use crate::net::planes;
use crate::sentences::said;
use crate::support::{assert_damage_is_reported, run, skip, with_header};

/// Taps of a kernel in file order, as row and column offsets on a board with a border.
const TAPS: [(usize, usize); 7] = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)];

#[derive(Clone)]
struct Tensor {
    dtype: &'static str,
    shape: Vec<usize>,
    numbers: Vec<i64>,
}

/// Contents of a network file.
#[derive(Clone)]
struct NetFile {
    channels: usize,
    blocks: usize,
    hidden: usize,
    activation_bits: u32,
    weight_bits: u32,
    head_bits: u32,
    tensors: BTreeMap<String, Tensor>,
}

/// Position: the size of the board, and the cells in the order of play.
type Board = (usize, Vec<usize>);

/// Weights of the blocks: mostly small, so that activations spread, or only the largest.
#[derive(Clone, Copy, PartialEq)]
enum Weights {
    Spread,
    Largest,
}

impl NetFile {
    fn random(channels: usize, blocks: usize, weights: Weights, seed: u64) -> Self {
        let mut file = NetFile {
            channels,
            blocks,
            hidden: 32,
            activation_bits: 5,
            weight_bits: 7,
            head_bits: 12,
            tensors: BTreeMap::new(),
        };
        let mut chance = random_stream(seed, 8);
        let body = |chance: &mut RandomGenerator| match weights {
            Weights::Spread if chance.random_range(0..50) > 0 => chance.random_range(-9..=9),
            Weights::Spread => chance.random_range(-63..=63),
            Weights::Largest => [-63, 63, 63][chance.random_range(0..3)],
        };
        let bias = |chance: &mut RandomGenerator| match weights {
            Weights::Spread => chance.random_range(-2_000..=4_000),
            Weights::Largest => chance.random_range(-3_000_000..=1_000_000),
        };
        let heads = |chance: &mut RandomGenerator| chance.random_range(-9_000..=9_000);
        file.add_tensor("input.weight", "I8", &[channels, 2, 7], || chance.random_range(-127..=127));
        file.add_tensor("input.bias", "I32", &[channels], || chance.random_range(-4_000..=4_000));
        for block in 0..blocks {
            for part in ["one", "two"] {
                let name = |kind: &str| format!("blocks.{block}.{part}.{kind}");
                file.add_tensor(&name("weight"), "I8", &[channels, channels, 7], || body(&mut chance));
                file.add_tensor(&name("bias"), "I32", &[channels], || bias(&mut chance));
            }
        }
        file.add_tensor("policy.weight", "I16", &[1, channels], || heads(&mut chance));
        file.add_tensor("policy.bias", "I32", &[1], || heads(&mut chance));
        let hidden = file.hidden;
        file.add_tensor("value_hidden.weight", "I16", &[hidden, 2 * channels], || heads(&mut chance));
        file.add_tensor("value_hidden.bias", "I32", &[hidden], || 100 * heads(&mut chance));
        file.add_tensor("value.weight", "I16", &[1, hidden], || heads(&mut chance));
        file.add_tensor("value.bias", "I32", &[1], || heads(&mut chance));
        file
    }

    fn add_tensor(&mut self, name: &str, dtype: &'static str, shape: &[usize], number: impl FnMut() -> i64) {
        let numbers = std::iter::repeat_with(number).take(shape.iter().product()).collect();
        self.tensors.insert(name.to_owned(), Tensor { dtype, shape: shape.to_vec(), numbers });
    }

    fn numbers(&self, name: &str) -> &[i64] {
        &self.tensors[name].numbers
    }

    /// Returns this file with `more` added to one number of a tensor.
    fn with_number_changed(&self, name: &str, place: usize, more: i64) -> Self {
        let mut file = self.clone();
        file.tensors.get_mut(name).unwrap().numbers[place] += more;
        file
    }

    fn bytes(&self) -> Vec<u8> {
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, Tensor { dtype, shape, numbers }) in &self.tensors {
            let width = match *dtype {
                "I8" => 1,
                "I16" => 2,
                _ => 4,
            };
            let begin = data.len();
            data.extend(numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)));
            let tensor = json!({ "dtype": dtype, "shape": shape, "data_offsets": [begin, data.len()] });
            header.insert(name.clone(), tensor);
        }
        let metadata = json!({
            "format": "crosspath-net",
            "version": "2",
            "game": "hex",
            "planes": "2",
            "channels": self.channels.to_string(),
            "blocks": self.blocks.to_string(),
            "hidden": self.hidden.to_string(),
            "activation_bits": self.activation_bits.to_string(),
            "weight_bits": self.weight_bits.to_string(),
            "head_bits": self.head_bits.to_string(),
            "crc32": format!("{:08x}", crc32fast::hash(&data)),
        });
        header.insert("__metadata__".to_owned(), metadata);
        let header = serde_json::to_vec(&header).unwrap();
        [&(header.len() as u64).to_le_bytes(), &header[..], &data].concat()
    }

    fn load(&self) -> ConvNet {
        ConvNet::from_bytes(&self.bytes(), "hex").unwrap()
    }

    /// Returns the sums of a convolution of bordered planes, by output channel and cell.
    fn convolve(&self, name: &str, inputs: &[Vec<i64>], size: usize) -> Vec<Vec<i64>> {
        let (weights, bias) =
            (self.numbers(&format!("{name}.weight")), self.numbers(&format!("{name}.bias")));
        let mut sums: Vec<Vec<i64>> = bias.iter().map(|&bias| vec![bias; size * size]).collect();
        for (output, sums) in sums.iter_mut().enumerate() {
            for (input, cells) in inputs.iter().enumerate() {
                for (tap, (down, right)) in TAPS.into_iter().enumerate() {
                    let weight = weights[(output * inputs.len() + input) * 7 + tap];
                    for (row, sums) in sums.chunks_exact_mut(size).enumerate() {
                        let cells = &cells[(row + down) * (size + 2) + right..][..size];
                        sums.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += weight * cell);
                    }
                }
            }
        }
        sums
    }

    /// Returns the activations of these sums, with a border.
    fn activations(&self, sums: &[Vec<i64>], size: usize) -> Vec<Vec<i64>> {
        let bordered = |sums: &Vec<i64>| {
            let mut cells = vec![0; (size + 2) * (size + 2)];
            for (place, sum) in sums.iter().enumerate() {
                let steps = (sum + (1 << (self.weight_bits - 1))) >> self.weight_bits;
                cells[(place / size + 1) * (size + 2) + place % size + 1] = steps.clamp(0, 255);
            }
            cells
        };
        sums.iter().map(bordered).collect()
    }

    /// Returns the activations after the last block.
    fn evaluate_body(&self, (size, moves): &Board) -> Vec<Vec<i64>> {
        let size = *size;
        let mut board = planes(size, moves);
        let stones: Vec<Vec<i64>> = (0..2)
            .map(|plane| {
                let cells =
                    (0..(size + 2) * (size + 2)).map(|at| *board.cell_mut(at / (size + 2), at % (size + 2)));
                cells.map(|stones| i64::from(stones >> plane & 1) << self.activation_bits).collect()
            })
            .collect();
        let mut x = self.activations(&self.convolve("input", &stones, size), size);
        for block in 0..self.blocks {
            let y = self.activations(&self.convolve(&format!("blocks.{block}.one"), &x, size), size);
            let mut sums = self.convolve(&format!("blocks.{block}.two"), &y, size);
            for (sums, x) in sums.iter_mut().zip(&x) {
                for (place, sum) in sums.iter_mut().enumerate() {
                    *sum += x[(place / size + 1) * (size + 2) + place % size + 1] << self.weight_bits;
                }
            }
            x = self.activations(&sums, size);
        }
        x
    }

    /// Returns the policy logits and the value logit, computed by plain loops.
    fn naive_output(&self, board: &Board) -> (Vec<i64>, i64) {
        let (size, x) = (board.0, self.evaluate_body(board));
        let (policy, hidden, value) = (
            self.numbers("policy.weight"),
            self.numbers("value_hidden.weight"),
            self.numbers("value.weight"),
        );
        let logit = |place: usize| {
            let at = (place / size + 1) * (size + 2) + place % size + 1;
            self.numbers("policy.bias")[0]
                + policy.iter().zip(&x).map(|(weight, cells)| weight * cells[at]).sum::<i64>()
        };
        let cells = i64::try_from(size * size).unwrap();
        let means = x.iter().map(|cells_of| 4 * cells_of.iter().sum::<i64>() / cells);
        let pooled: Vec<i64> = means.chain(x.iter().map(|cells| 4 * cells.iter().max().unwrap())).collect();
        let shift = self.head_bits + 2 - 6;
        let mut board_logit = self.numbers("value.bias")[0];
        for (unit, weights) in hidden.chunks_exact(pooled.len()).enumerate() {
            let products: i64 = weights.iter().zip(&pooled).map(|(weight, pooled)| weight * pooled).sum();
            let sum = products + 4 * self.numbers("value_hidden.bias")[unit];
            board_logit += value[unit] * ((sum + (1 << (shift - 1))) >> shift).clamp(0, 32_767);
        }
        ((0..size * size).map(logit).collect(), board_logit)
    }
}

/// Returns random positions on boards of all sizes up to `most`.
fn random_boards(count: usize, most: usize) -> Vec<Board> {
    let mut chance = random_stream(64, 8);
    let board = |number: usize| {
        let size = number % most + 1;
        let mut cells: Vec<usize> = (0..size * size).collect();
        let stones = chance.random_range(0..size * size * 2 / 3 + 1);
        for place in 0..stones {
            cells.swap(place, chance.random_range(place..size * size));
        }
        cells.truncate(stones);
        (size, cells)
    };
    (0..count).map(board).collect()
}

/// Returns the output of the program at the SIMD level of the network.
fn program_output(network: &ConvNet, (size, moves): &Board, scratch: &mut NetScratch) -> (Vec<i64>, i64) {
    let mut output = NetOutput::default();
    network.evaluate(&planes(*size, moves), scratch, &mut output);
    (output.steps.iter().map(|&steps| steps.into()).collect(), output.value_steps)
}

/// Checks that the program gives the same numbers as plain loops at every SIMD level.
fn assert_exact(file: &NetFile, boards: &[Board]) {
    let mut network = file.load();
    // All evaluations share one scratch buffer, because none depends on the one before.
    let mut scratch = NetScratch::default();
    let expected: Vec<_> = boards.iter().map(|board| file.naive_output(board)).collect();
    for vectors in SimdLevel::ALL {
        network.limit_simd_level(vectors);
        if network.simd_level() != vectors {
            skip("networks of 8 bits", &format!("this CPU has no {vectors:?}"));
            continue;
        }
        for (board, expected) in boards.iter().zip(&expected) {
            assert_eq!(program_output(&network, board, &mut scratch), *expected, "{vectors:?}: {board:?}");
        }
    }
}

#[test]
fn eight_bit_evaluation_is_exact_in_64_positions_at_every_simd_level() {
    let file = NetFile::random(64, 2, Weights::Spread, 1);
    let boards = random_boards(64, 13);
    // The activations are neither all zero nor all saturated, so every bit counts.
    let x: Vec<i64> = file.evaluate_body(&boards[10]).concat();
    let [inner, top] =
        [1..255, 255..256].map(|range| x.iter().filter(|&steps| range.contains(steps)).count());
    assert!(inner > x.len() / 5 && top > 0, "{inner} and {top} of {}", x.len());
    assert_exact(&file, &boards);
}

#[test]
fn eight_bit_evaluation_is_exact_for_other_channel_counts_and_the_largest_weights() {
    for channels in [16, 32, 48, 80] {
        assert_exact(&NetFile::random(channels, 1, Weights::Spread, 2), &random_boards(19, 19)[3..]);
    }
    let largest = NetFile::random(64, 2, Weights::Largest, 3);
    let x: Vec<i64> = largest.evaluate_body(&random_boards(9, 9)[8]).concat();
    assert!(x.iter().filter(|&&steps| steps == 255).count() > x.len() / 5);
    assert_exact(&largest, &random_boards(9, 9));
}

#[test]
fn one_wrong_number_in_an_eight_bit_file_is_detected() {
    let (file, boards) = (NetFile::random(64, 2, Weights::Spread, 1), random_boards(16, 13));
    let expected: Vec<_> = boards.iter().map(|board| file.naive_output(board)).collect();
    let mut scratch = NetScratch::default();
    let mut is_detected = |file: &NetFile| {
        let network = file.load();
        boards
            .iter()
            .zip(&expected)
            .any(|(board, expected)| program_output(&network, board, &mut scratch) != *expected)
    };
    assert!(!is_detected(&file));
    for (name, place, more) in [
        ("input.weight", 500, 1),
        ("input.bias", 7, 16),
        ("blocks.0.one.weight", 20_001, 1),
        ("blocks.1.two.weight", 64 * 64 * 7 - 1, -1),
        ("blocks.1.one.bias", 63, 16),
        ("policy.weight", 5, 1),
        ("policy.bias", 0, 1),
        ("value_hidden.weight", 64 * 64 + 3, 9),
        ("value_hidden.bias", 1, 640),
        ("value.weight", 2, 1),
        ("value.bias", 0, 1),
    ] {
        // Some channels are always zero, so the search takes the first number whose change affects
        // the output.
        let count = file.numbers(name).len();
        let changed = (0..20).map(|step| file.with_number_changed(name, (place + 449 * step) % count, more));
        let counts = |file: &NetFile| {
            boards.iter().zip(&expected).any(|(board, expected)| file.naive_output(board) != *expected)
        };
        let changed = changed.into_iter().find(counts).unwrap_or_else(|| panic!("{name}"));
        assert!(is_detected(&changed), "{name}");
    }
}

#[test]
fn an_invalid_eight_bit_file_is_rejected() {
    let file = NetFile::random(16, 1, Weights::Spread, 4);
    let refused = |bytes: &[u8]| ConvNet::from_bytes(bytes, "hex").unwrap_err();
    assert_damage_is_reported(&file.bytes(), refused);
    let large = |file: NetFile, name: &str| {
        assert_eq!(refused(&file.bytes()), NetLoadError::Large(name.to_owned()));
    };
    let weight = file.numbers("blocks.0.two.weight")[9];
    for most in [63, -63] {
        file.with_number_changed("blocks.0.two.weight", 9, most - weight).load();
        large(
            file.with_number_changed("blocks.0.two.weight", 9, most + most.signum() - weight),
            "blocks.0.two",
        );
    }
    // The largest bias without overflow is accepted, and the next one is rejected.
    for (name, input, added) in [
        ("input", 32, 64),
        ("blocks.0.one", 255, 64),
        ("blocks.0.two", 255, 64 + (255 << 7)),
        ("policy", 255, 0),
    ] {
        let weights = file.numbers(&format!("{name}.weight"));
        let outputs = file.numbers(&format!("{name}.bias")).len();
        let row = weights[weights.len() / outputs * (outputs - 1)..].iter();
        let most = i64::from(i32::MAX) - added - input * row.map(|weight| weight.abs()).sum::<i64>();
        let bias = format!("{name}.bias");
        let more = most - file.numbers(&bias)[outputs - 1];
        file.with_number_changed(&bias, outputs - 1, more).load();
        large(file.with_number_changed(&bias, outputs - 1, more + 1), name);
    }
    let bytes = file.bytes();
    for (key, got, other) in [
        ("channels", "16", "24"),
        ("planes", "2", "9"),
        ("activation_bits", "5", "9"),
        ("weight_bits", "7", "15"),
        ("head_bits", "12", "4"),
        ("head_bits", "12", "15"),
    ] {
        let old = format!("\"{key}\":\"{got}\"");
        let changed = with_header(&bytes, |header| {
            assert!(header.contains(&old), "{header}");
            header.replace(&old, &format!("\"{key}\":\"{other}\""))
        });
        assert_eq!(refused(&changed), NetLoadError::Number { key, got: other.to_owned() });
    }
    let missing = with_header(&bytes, |header| header.replace("head_bits", "other_bits"));
    assert!(matches!(refused(&missing), NetLoadError::Number { key: "head_bits", .. }));
    let newer = with_header(&bytes, |header| header.replace("\"version\":\"2\"", "\"version\":\"3\""));
    assert_eq!(refused(&newer).to_string(), said!("it-has-version-of", "3", "2"));
}

#[test]
fn eight_bit_logits_are_scaled_by_the_steps_of_their_heads() {
    let network = NetFile::random(16, 1, Weights::Spread, 5).load();
    let [cell, board] = [network.policy_logit(3 << (5 + 12)), network.value_logit(-(3 << (5 + 6 + 12)))];
    assert!((cell - 3.0).abs() < f32::EPSILON && (board + 3.0).abs() < f32::EPSILON, "{cell} {board}");
}

#[test]
fn an_engine_plays_with_an_eight_bit_network() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("eight.safetensors");
    std::fs::write(&path, NetFile::random(48, 1, Weights::Spread, 6).bytes()).unwrap();
    let spec = format!("net:{},nodes=20", path.display());
    let flags = ["--game", "hex", "--size", "5", "--mode", "4", "--seed", "3", "--plain", "--engine"];
    let session = run(&[&flags[..], &[&spec]].concat(), "");
    assert!(
        session.code == Some(0) && session.out.contains(said!("player-wins", "Blue")),
        "{}{}",
        session.out,
        session.err
    );
}

#[test]
#[ignore = "wall-clock; cargo test --release"]
fn an_eight_bit_evaluation_on_11x11_takes_microseconds() {
    let mut network = NetFile::random(64, 6, Weights::Spread, 7).load();
    let (mut scratch, mut output) = (NetScratch::default(), NetOutput::default());
    let planes = planes(11, &[60, 48, 71, 37, 50, 82]);
    for (vectors, most) in SimdLevel::ALL.into_iter().zip([6_000, 500, 500, 160]) {
        network.limit_simd_level(vectors);
        if network.simd_level() != vectors {
            skip("networks of 8 bits", &format!("this CPU has no {vectors:?}"));
            continue;
        }
        // The fastest of several rounds counts, because other work slows the rest.
        let mut round = || {
            let began = std::time::Instant::now();
            for _ in 0..100 {
                network.evaluate(&planes, &mut scratch, &mut output);
            }
            began.elapsed().as_micros() / 100
        };
        let micros = std::iter::repeat_with(&mut round).take(30).min().unwrap();
        println!("{vectors:?}: {micros} µs");
        assert!(micros <= most, "{vectors:?}: {micros} µs, {most} are allowed");
    }
}
