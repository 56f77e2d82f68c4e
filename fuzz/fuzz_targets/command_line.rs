#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| crosspath_fuzz::files::command_line(bytes));
