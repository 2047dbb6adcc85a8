//! The model in forms for other programs.

mod document;
mod ndjson;

pub use document::Document;
pub use ndjson::Ndjson;
