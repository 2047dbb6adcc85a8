#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| segue_fuzz::read::hold("atif", bytes));
