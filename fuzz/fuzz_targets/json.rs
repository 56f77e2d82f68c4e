#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| crosspath_fuzz::matches::json(bytes));
