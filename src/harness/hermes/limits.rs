//! How much each store may hold, as the settings say.

use camino::Utf8Path;
use serde_json::Value;

use crate::harness::memory::{Tree, fields};

/// The settings file of a home.
pub(super) const CONFIG: &str = "config.yaml";

/// A store of a home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// What the agent noted.
    Notes,
    /// Who the user is.
    User,
}

impl Kind {
    /// Both.
    pub(super) const ALL: [Self; 2] = [Self::Notes, Self::User];

    /// Returns the name of its file.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Notes => "MEMORY.md",
            Self::User => "USER.md",
        }
    }

    /// Returns the store whose file has this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.file() == name)
    }

    /// Returns the setting that says how much it may hold.
    pub(super) fn setting(self) -> &'static str {
        match self {
            Self::Notes => "memory_char_limit",
            Self::User => "user_char_limit",
        }
    }

    /// Returns how much it may hold where nothing is set, in characters.
    fn usual(self) -> usize {
        match self {
            Self::Notes => 2_200,
            Self::User => 1_375,
        }
    }
}

/// Returns how much the store of the home at `home` may hold, in characters.
pub(super) fn limit(kind: Kind, tree: &Tree, home: &Utf8Path) -> usize {
    let config = tree.get(&home.join(CONFIG)).map(|file| file.text());
    config.and_then(|text| set(&text, kind.setting())).unwrap_or(kind.usual())
}

/// Returns the number that the section `memory` has under `name`, in a block or in braces.
fn set(text: &str, name: &str) -> Option<usize> {
    let fields = fields::fields(text);
    let value = match fields.get("memory")? {
        Value::Object(inner) => inner.get(name)?.as_str()?.to_owned(),
        Value::String(inner) => {
            inner.split_once(name)?.1.trim_start_matches(['"', ':', ' ']).into()
        }
        _ => return None,
    };
    let is_digit = |c: &char| c.is_ascii_digit() || *c == '_';
    let digits: String = value.chars().take_while(is_digit).filter(|c| *c != '_').collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_found_in_every_form() {
        let name = Kind::Notes.setting();
        assert_eq!(set("model: x\nmemory:\n  memory_char_limit: 4000 # more\n", name), Some(4000));
        assert_eq!(
            set("memory: {user_char_limit: 9, memory_char_limit: 3_000}\n", name),
            Some(3000)
        );
        assert_eq!(set("memory:\n  memory_char_limit: lots\n", name), None);
        assert_eq!(set("memory_char_limit: 5\n", name), None);
    }
}
