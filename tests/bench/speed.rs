//! Speed on large files.

fn main() {}
