//! Files other than games: weights, journals, jobs, shards, config files, and the command line.
//! Checksums are corrected first, so that the code after them is reached.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::Path;

use crosspath::ai::net::{NetOutput, Network, Planes, Scratch, SparseNet, Vectors};
use crosspath::ai::{EngineSpec, quoridor};
use crosspath::arena::jobs::ArenaJob;
use crosspath::arena::jobs::shard::Shard;
use crosspath::arena::selfplay::SelfplayReader;
use crosspath::play::TimeControl;
use crosspath::registry::GAMES;
use crosspath::thinking::ExternalProgram;
use crosspath::{cli, journal, with_settings};

use super::{Input, is_clean};

/// Reads a file of weights.
pub fn weights(bytes: &[u8]) {
    for bytes in [Some(bytes.to_vec()), with_weights_sum(bytes)].into_iter().flatten() {
        match Network::read(&bytes, "hex") {
            Ok(network) => judges(network),
            Err(why) => is_clean(&why.to_string()),
        }
        if let Ok(network) = quoridor::net::read(&bytes) {
            sums(network);
        }
    }
}

/// Checks that a network of Hex evaluates a board in the same way with all instructions.
fn judges(mut network: Network) {
    let mut planes = Planes::new(3);
    for place in 0..25 {
        *planes.cell(place / 5, place % 5) = [1, 2, 0][place % 3];
    }
    let said = Vectors::ALL.map(|vectors| {
        network.limit_vectors(vectors);
        let mut said = NetOutput::default();
        network.evaluate(&planes, &mut Scratch::default(), &mut said);
        said
    });
    assert!(said.windows(2).all(|pair| pair[0] == pair[1]), "{said:?}");
}

/// Checks that a network of Quoridor sums as many inputs as it can have in the same way with all
/// instructions.
fn sums(network: SparseNet) {
    let mut sums = network.none();
    (0..27).for_each(|input| network.add(&mut sums, 13 * input));
    let sum = |network: &SparseNet, case| network.sum(&sums, &[1, 2, 3, 4], case);
    let fast = [0, 5].map(|case| sum(&network, case));
    let portable = network.portable();
    assert_eq!(fast, [0, 5].map(|case| sum(&portable, case)));
}

/// Returns the file with the checksum of its weights, where it is whole enough to have one.
fn with_weights_sum(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (header, data) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header = with_sum(header, crc32fast::hash(data));
    Some([&length[..], &header, data].concat())
}

/// Returns the text with this sum as the eight digits after the last `"crc32":"`.
fn with_sum(text: &[u8], sum: u32) -> Vec<u8> {
    const KEY: &[u8] = b"\"crc32\":\"";
    let mut text = text.to_vec();
    let place = text.windows(KEY.len()).rposition(|part| part == KEY).map(|place| place + KEY.len());
    if let Some(digits) = place.and_then(|place| text.get_mut(place..place + 8)) {
        digits.copy_from_slice(format!("{sum:08x}").as_bytes());
    }
    text
}

/// Reads a journal, its lines with or without checksums.
pub fn journal(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), with_line_sums(bytes)] {
        match journal::load(&bytes, GAMES) {
            Ok(loaded) => {
                let whole = &bytes[..usize::try_from(loaded.length).expect("a length in memory")];
                let again = journal::load(whole, GAMES).expect("what was whole");
                assert_eq!((again.entries, again.length), (loaded.entries, loaded.length));
                assert_eq!(again.record.present, loaded.record.present);
                assert!(loaded.record.tree.ids().any(|id| id == loaded.record.present));
            }
            Err(bad) => is_clean(&bad.to_string()),
        }
    }
}

/// Returns lines of JSON as lines of a journal.
fn with_line_sums(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let with_sum = |line: &[u8]| {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        [format!("{:08x} ", crc32fast::hash(text)).as_bytes(), line].concat()
    };
    lines.flat_map(with_sum).collect()
}

/// Reads the file of a job.
pub fn job_file(bytes: &[u8]) {
    match ArenaJob::read(GAMES, bytes) {
        Ok(job) => {
            let shard = job.shard_of(0, job.units, &[]);
            assert_eq!(Shard::read(shard.bytes().to_vec()), Ok(shard));
        }
        Err(why) => is_clean(&why.to_string()),
    }
}

/// Reads a shard.
pub fn shard_file(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), with_shard_sum(bytes)] {
        match Shard::read(bytes.clone()) {
            Ok(shard) => {
                assert!(shard.bytes() == bytes && shard.contains(&shard));
                let _ = SelfplayReader::default().read(&shard, |_, _| ());
            }
            Err(why) => is_clean(&why.to_string()),
        }
    }
}

/// Returns the shard with the checksum of the bytes before its last line.
fn with_shard_sum(bytes: &[u8]) -> Vec<u8> {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let footer = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
    [&bytes[..footer], &with_sum(&bytes[footer..], crc32fast::hash(&bytes[..footer]))].concat()
}

thread_local! {
    /// Reader of command lines. Creating one takes longer than reading a line with it.
    static READER: RefCell<cli::Reader> = RefCell::new(cli::Reader::new(GAMES));
}

/// Reads the config file.
pub fn config(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let file = (Path::new("config.toml"), &*text);
    let arguments = ["crosspath".into()];
    let merged = READER.with_borrow_mut(|reader| {
        let own = reader.read(arguments.iter().cloned()).expect("no flag");
        with_settings(reader, &arguments, own, file)
    });
    let (merged, _) = merged.expect("what is wrong in the file is left out");
    for warning in merged.play.settings.warnings {
        is_clean(&warning);
    }
}

/// Reads the command line, one argument a line.
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
    if let Err(error) = READER.with_borrow_mut(|reader| reader.read(arguments)) {
        assert!(!error.to_string().is_empty());
    }
}
