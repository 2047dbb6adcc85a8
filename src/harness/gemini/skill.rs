//! Skills that the model calls: their text stands in the result.

use serde_json::value::RawValue;

use super::content::object;
use super::wire::Arguments;

/// The tool that calls one.
const TOOL: &str = "activate_skill";
/// How the result begins.
const BEGIN: &str = "<activated_skill";
/// What stands around the text.
const TAGS: (&str, &str) = ("<instructions>", "</instructions>");

/// Returns by what name a call has the program put in the text of a skill.
pub(super) fn called(name: &str, arguments: &RawValue) -> Option<String> {
    let arguments: Arguments<'_> = object(Some(arguments).filter(|_| name == TOOL))?;
    arguments.name.filled().map(str::to_owned)
}

/// Returns the text of a skill out of what a call for it gave back.
pub(super) fn text(result: &str) -> Option<&str> {
    let (_, rest) = result.strip_prefix(BEGIN)?.split_once(TAGS.0)?;
    let (text, _) = rest.rsplit_once(TAGS.1)?;
    Some(text.trim()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_skill_stands_in_the_result_of_its_call() {
        let whole = "<activated_skill name=\"release\">\n  <instructions>\n    Tag it.\n  </instructions>\n\n  <available_resources>\n  </available_resources>\n</activated_skill>";
        assert_eq!(text(whole), Some("Tag it."));
        assert_eq!(text("Error: Skill \"x\" not found. <instructions>a</instructions>"), None);
        let arguments: Box<RawValue> = serde_json::from_str("{\"name\":\"release\"}").unwrap();
        assert_eq!(called(TOOL, &arguments).as_deref(), Some("release"));
        assert_eq!(called("write_file", &arguments), None);
    }
}
