//! Fuzz targets for files other than games (weights, journals, jobs, shards and config files), and for
//! the command line. Checksums are corrected first, so that the code behind them is reached.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::Path;

use crosspath::ai::net::{ConvNet, InputPlanes, NetOutput, NetScratch, SimdLevel, SparseNet};
use crosspath::ai::{EngineSpec, quoridor};
use crosspath::arena::jobs::ArenaJob;
use crosspath::arena::jobs::shard::Shard;
use crosspath::arena::selfplay::SelfplayReader;
use crosspath::play::TimeControl;
use crosspath::registry::GAMES;
use crosspath::thinking::ExternalProgram;
use crosspath::{cli, journal, merge_config_text};

use super::{Input, check_clean};

/// Reads a file of weights.
pub fn weights(bytes: &[u8]) {
    for bytes in [Some(bytes.to_vec()), with_weights_checksum(bytes)].into_iter().flatten() {
        match ConvNet::from_bytes(&bytes, "hex") {
            Ok(network) => check_conv_net(network),
            Err(why) => check_clean(&why.to_string()),
        }
        if let Ok(network) = quoridor::net::read_network(&bytes) {
            check_sparse_net(network);
        }
    }
}

/// Checks that a Hex network has the same outputs at every SIMD level.
fn check_conv_net(mut network: ConvNet) {
    let mut planes = InputPlanes::new(3);
    for place in 0..25 {
        *planes.cell_mut(place / 5, place % 5) = [1, 2, 0][place % 3];
    }
    let outputs = SimdLevel::ALL.map(|vectors| {
        network.limit_simd_level(vectors);
        let mut output = NetOutput::default();
        network.evaluate(&planes, &mut NetScratch::default(), &mut output);
        output
    });
    assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "{outputs:?}");
}

/// Checks that a Quoridor network has the same outputs with and without SIMD instructions, with the
/// maximum number of inputs.
fn check_sparse_net(network: SparseNet) {
    let mut sums = network.initial_sums();
    (0..27).for_each(|input| network.add_input(&mut sums, 13 * input));
    let sum = |network: &SparseNet, case| network.output_sum(&sums, &[1, 2, 3, 4], case);
    let fast = [0, 5].map(|case| sum(&network, case));
    let portable = network.with_portable_loops();
    assert_eq!(fast, [0, 5].map(|case| sum(&portable, case)));
}

/// Returns the file with the correct checksum of its weights, if it is complete enough to have one.
fn with_weights_checksum(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (header, data) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header = with_checksum(header, crc32fast::hash(data));
    Some([&length[..], &header, data].concat())
}

/// Returns the text with `sum` as the eight digits after the last `"crc32":"`.
fn with_checksum(text: &[u8], sum: u32) -> Vec<u8> {
    const KEY: &[u8] = b"\"crc32\":\"";
    let mut text = text.to_vec();
    let place = text.windows(KEY.len()).rposition(|part| part == KEY).map(|place| place + KEY.len());
    if let Some(digits) = place.and_then(|place| text.get_mut(place..place + 8)) {
        digits.copy_from_slice(format!("{sum:08x}").as_bytes());
    }
    text
}

/// Reads a journal, as it is and with corrected checksums.
pub fn journal(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), with_line_checksums(bytes)] {
        match journal::load_journal(&bytes, GAMES) {
            Ok(loaded) => {
                let whole = &bytes[..usize::try_from(loaded.length).expect("a length in memory")];
                let again = journal::load_journal(whole, GAMES).expect("a complete journal");
                assert_eq!((again.entries, again.length), (loaded.entries, loaded.length));
                assert_eq!(again.record.present, loaded.record.present);
                assert!(loaded.record.tree.node_ids().any(|id| id == loaded.record.present));
            }
            Err(bad) => check_clean(&bad.to_string()),
        }
    }
}

/// Returns lines of JSON as journal lines with checksums.
fn with_line_checksums(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let with_sum = |line: &[u8]| {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        [format!("{:08x} ", crc32fast::hash(text)).as_bytes(), line].concat()
    };
    lines.flat_map(with_sum).collect()
}

/// Reads a job file.
pub fn job_file(bytes: &[u8]) {
    match ArenaJob::parse(GAMES, bytes) {
        Ok(job) => {
            let shard = job.assemble_shard(0, job.units, &[]);
            assert_eq!(Shard::parse(shard.bytes().to_vec()), Ok(shard));
        }
        Err(why) => check_clean(&why.to_string()),
    }
}

/// Reads a shard.
pub fn shard_file(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), with_shard_checksum(bytes)] {
        match Shard::parse(bytes.clone()) {
            Ok(shard) => {
                assert!(shard.bytes() == bytes && shard.contains_shard(&shard));
                let _ = SelfplayReader::default().read_shard(&shard, |_, _| ());
            }
            Err(why) => check_clean(&why.to_string()),
        }
    }
}

/// Returns the shard with the correct checksum in its last line.
fn with_shard_checksum(bytes: &[u8]) -> Vec<u8> {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let footer = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
    [&bytes[..footer], &with_checksum(&bytes[footer..], crc32fast::hash(&bytes[..footer]))].concat()
}

thread_local! {
    /// Parser of command lines. It is reused, because creating one takes longer than parsing a line.
    static READER: RefCell<cli::CommandLineParser> = RefCell::new(cli::CommandLineParser::new(GAMES));
}

/// Reads a config file.
pub fn config(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = (Path::new("config.toml"), &*text);
    let arguments = ["crosspath".into()];
    let merged = READER.with_borrow_mut(|reader| {
        let from_flags = reader.parse(arguments.iter().cloned()).expect("no flag");
        merge_config_text(reader, &arguments, from_flags, file)
    });
    let (merged, _) = merged.expect("what is wrong in the file is left out");
    for warning in merged.play.settings.warnings {
        check_clean(&warning);
    }
}

/// Parses a command line with one argument per line of the input.
pub fn command_line(bytes: &[u8]) {
    let input = Input(bytes);
    for text in input.text().lines().take(3) {
        if let Ok(spec) = text.parse::<EngineSpec>() {
            let _: EngineSpec = spec.to_string().parse().expect("what is written can be read");
        }
        let _ = (text.parse::<ExternalProgram>(), text.parse::<TimeControl>());
    }
    let arguments = input.text().lines().map(OsString::from).collect::<Vec<_>>();
    let arguments = ["crosspath".into()].into_iter().chain(arguments);
    if let Err(error) = READER.with_borrow_mut(|reader| reader.parse(arguments)) {
        assert!(!error.to_string().is_empty());
    }
}
