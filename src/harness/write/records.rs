//! Records on their way out, a line each.

use std::io::{self, Write};

use serde::Serialize;

/// How much of a record is gathered before it goes on, in bytes; a longer piece goes on as it is.
const MOST_BYTES: usize = 64 * 1024;

/// Writes records, a line each.
///
/// A record comes in some sixty small pieces. They are gathered, so that not each of them goes
/// through all that stands between a writer and the file.
pub(in crate::harness) struct Records<'w> {
    out: &'w mut dyn Write,
    gathered: Vec<u8>,
}

impl<'w> Records<'w> {
    /// Writes to `out`.
    pub(in crate::harness) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, gathered: Vec::with_capacity(MOST_BYTES) }
    }

    /// Writes a record with its line end; without one the harness would glue its own to it.
    pub(in crate::harness) fn put(&mut self, record: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(Pieces(self), record)?;
        self.gathered.push(b'\n');
        self.pass()
    }

    /// Passes on what was gathered.
    fn pass(&mut self) -> io::Result<()> {
        let passed = self.out.write_all(&self.gathered);
        self.gathered.clear();
        passed
    }
}

/// Takes the pieces of one record.
struct Pieces<'r, 'w>(&'r mut Records<'w>);

impl Write for Pieces<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let records = &mut *self.0;
        if records.gathered.len() + bytes.len() > MOST_BYTES {
            records.pass()?;
            if bytes.len() > MOST_BYTES {
                return records.out.write_all(bytes);
            }
        }
        records.gathered.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_any_length_come_whole_and_in_order() {
        let records: Vec<Vec<String>> = [0, 1, 100, MOST_BYTES - 3, MOST_BYTES, 3 * MOST_BYTES]
            .iter()
            .map(|bytes| vec!["a".repeat(*bytes), "é\n".to_owned(), "b".repeat(*bytes)])
            .collect();
        let mut out = Vec::new();
        let mut written = Records::new(&mut out);
        records.iter().for_each(|record| written.put(record).unwrap());
        let lines = String::from_utf8(out).unwrap();
        let read = lines.lines().map(|line| serde_json::from_str::<Vec<String>>(line).unwrap());
        assert_eq!(read.collect::<Vec<_>>(), records);
        assert!(lines.ends_with('\n'));
    }

    #[test]
    fn a_record_that_cannot_be_written_is_told() {
        let mut none: &mut [u8] = &mut [];
        assert!(Records::new(&mut none).put(&"a").is_err());
    }
}
