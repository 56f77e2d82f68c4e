#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| crosspath_fuzz::moves::opening_file(bytes));
