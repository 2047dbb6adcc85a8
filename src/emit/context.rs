//! A context file of a project: read, changed in memory, and written whole or not at all.

use std::fs::File;
use std::io::{self, Read as _, Write as _};

use camino::{Utf8Path, Utf8PathBuf};

use super::Output;
use crate::error::{Error, Result};

/// A larger file is no context file, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// A file that a harness reads at its start, as it is on disk.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its path as given.
    pub path: Utf8PathBuf,
    /// What it holds; nothing if it is not there.
    pub text: Option<Vec<u8>>,
}

impl Context {
    /// Reads the file at `path`, which need not be there.
    pub fn read(path: &Utf8Path) -> Result<Self> {
        let fail = |cause| Error::read(path, cause);
        let meta = match path.metadata() {
            Ok(meta) => meta,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { path: path.to_owned(), text: None });
            }
            Err(cause) => return Err(fail(cause)),
        };
        if meta.is_dir() {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        if !meta.is_file() {
            return Err(fail(io::Error::other("it is no regular file")));
        }
        let mut text = Vec::new();
        let read =
            File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut text));
        if read.map_err(fail)? as u64 > MOST_BYTES {
            return Err(fail(io::Error::other("it is too large for a context file")));
        }
        Ok(Self { path: path.to_owned(), text: Some(text) })
    }

    /// Returns its bytes, none if it is not there.
    pub fn bytes(&self) -> &[u8] {
        self.text.as_deref().unwrap_or_default()
    }

    /// Takes the file away; returns whether it did: one that somebody changed since it was read, or
    /// a symbolic link, stays.
    pub fn remove(&self) -> Result<bool> {
        let is_link = self.path.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        if is_link || Self::read(&self.path)?.text != self.text {
            return Ok(false);
        }
        std::fs::remove_file(&self.path).map_err(|cause| Error::write(&self.path, cause))?;
        Ok(true)
    }

    /// Writes `text` in its place. A symbolic link stays one; owner, group and permissions stay as they are.
    ///
    /// Returns whether it did: a file that somebody changed since it was read stays as it is.
    pub fn write(&self, text: &[u8]) -> Result<bool> {
        let mut out = Output::file(&self.path)?;
        out.write_all(text).map_err(|cause| Error::write(out.name(), cause))?;
        out.settle()?;
        if Self::read(&self.path)?.text != self.text {
            return Ok(false);
        }
        out.finish().map(|()| true)
    }
}
