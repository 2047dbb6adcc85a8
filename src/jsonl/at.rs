//! Reads a file from a place in it.

use std::fs::File;
#[cfg(not(unix))]
use std::io::Seek as _;
use std::io::{self, Read};

/// Reads a file from its start, whoever else moves its cursor in between.
pub(super) struct FromStart<'a> {
    pub(super) file: &'a File,
    pub(super) at: u64,
}

impl Read for FromStart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = read_at(self.file, self.at, buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

#[cfg(unix)]
pub(super) fn read_at(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(not(unix))]
pub(super) fn read_at(mut file: &File, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    file.seek(io::SeekFrom::Start(at))?;
    file.read(buffer)
}
