//! A pack of an earlier session in words that were sent: with it a session goes on where that one ended.
//!
//! What stands in it is evidence of what was asked, whoever sent it. Its form is that of the built-in template, of
//! whatever version; what is not found there is not told.

use std::borrow::Cow;
use std::ops::Range;

const OPEN: &str = "<resume-pack from=\"segue\"";
const CLOSE: &str = "</resume-pack>";
/// With this the second line begins; a pack that is cut off is known by it.
const SAYS: &str = "Recovered from a past session";
/// So its last line begins where the agent had given none.
const NO_ANSWER: &str = "The turn has no answer yet";
/// The longest name of a session that is believed.
const NAME_BYTES: usize = 80;
/// What stands behind the title of a session that went on with the work of another.
pub const GONE_ON: &str = " (gone on)";

/// A pack that somebody sent.
#[derive(Clone, Copy, Debug)]
pub struct SentPack<'t>(&'t str);

/// Something that a list of a pack tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentLine {
    /// Its words.
    pub text: String,
    /// What stands behind them: its id, its turn, how it stands.
    pub behind: String,
}

impl<'t> SentPack<'t> {
    /// Returns the first pack in a text.
    pub fn first_in(text: &'t str) -> Option<Self> {
        place(text).map(|place| Self(&text[place]))
    }

    /// Returns the pack with which a text begins.
    pub fn at_start(text: &'t str) -> Option<Self> {
        Self::first_in(text.trim_start()).filter(|pack| text.trim_start().starts_with(pack.0))
    }

    /// Returns the session of which it was made, as `harness:id`; nothing if that is no name.
    pub fn session(&self) -> Option<&'t str> {
        let name = self.attribute("session")?;
        let (harness, id) = name.split_once(':')?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphanumeric());
        let is_name = name.len() <= NAME_BYTES
            && [harness, id].iter().all(|part| is_word(part) && part.chars().all(is_plain));
        is_name.then_some(name)
    }

    /// Returns the beginning of its hash.
    pub fn hash(&self) -> Option<&'t str> {
        self.attribute("hash").filter(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }

    fn attribute(&self, name: &str) -> Option<&'t str> {
        let tag = &self.0[..self.0.find('>')?];
        let rest = &tag[tag.find(&format!(" {name}=\""))? + name.len() + " =\"".len()..];
        rest.split('"').next().filter(|value| !value.is_empty())
    }

    /// Returns what the user had asked for.
    pub fn goal(&self) -> Option<String> {
        self.quoted(&["Goal, in the user's words"])
    }

    /// Returns what the user had asked for before that.
    pub fn before(&self) -> Option<String> {
        self.quoted(&["Asked before it", "Asked earlier"])
    }

    /// Returns what the agent had said before it.
    pub fn replies_to(&self) -> Option<String> {
        self.quoted(&["In reply to the agent"])
    }

    /// Whether its last line says that what was asked for has no answer yet.
    pub fn is_unanswered(&self) -> bool {
        let mut lines = self.0.lines().rev().filter(|line| !line.is_empty() && *line != CLOSE);
        lines.next().is_some_and(|line| line.starts_with(NO_ANSWER))
    }

    /// Returns what had to hold in the end.
    pub fn acceptance(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        self.section("Now").filter_map(|line| line.strip_prefix("Must hold: "))
    }

    /// Returns the quotation below a line of the card that begins with one of `heads`.
    fn quoted(&self, heads: &[&str]) -> Option<String> {
        let is_head = |line: &&str| heads.iter().any(|head| line.starts_with(head));
        let lines = self.section("Now").skip_while(|line| !is_head(line)).skip(1);
        let lines = lines.map_while(|line| line.strip_prefix('>'));
        let all: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        Some(all.join("\n").trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Returns the lines below a heading.
    fn section(&self, heading: &str) -> impl Iterator<Item = &'t str> + use<'t> {
        let heading = format!("## {heading}");
        let lines = self.0.lines().skip_while(move |line| !line.starts_with(&heading)).skip(1);
        lines.take_while(|line| !line.starts_with("## ") && *line != CLOSE)
    }

    /// Returns what is listed below a heading.
    pub fn listed(&self, heading: &str) -> Vec<SentLine> {
        let mut all: Vec<String> = Vec::new();
        for line in self.section(heading) {
            if let Some(first) = line.strip_prefix("- ") {
                all.push(first.to_owned());
            } else if let (Some(more), Some(last)) = (line.strip_prefix("  "), all.last_mut())
                && id_place(last).is_none()
            {
                last.push('\n');
                last.push_str(more);
            }
        }
        let line = |text: String| {
            let at = id_place(&text)?;
            let (words, behind) = text.split_at(at);
            Some(SentLine { text: words.trim().to_owned(), behind: behind.trim().to_owned() })
        };
        all.into_iter().filter_map(line).collect()
    }
}

/// Returns where the last bracket of a line opens that begins with an id, such as `(W-1a2b3c4d, …`.
fn id_place(text: &str) -> Option<usize> {
    let is_id = |at: usize| {
        let inside = &text[at + " (".len()..];
        let inside = match inside.split_once('/') {
            Some((name, rest)) if name.strip_prefix('S').is_some_and(is_number) => rest,
            _ => inside,
        };
        let mut chars = inside.chars();
        chars.next().is_some_and(|c| c.is_ascii_uppercase())
            && chars.next() == Some('-')
            && chars.by_ref().take(4).filter(char::is_ascii_hexdigit).count() == 4
    };
    text.rmatch_indices(" (").map(|(at, _)| at).find(|at| is_id(*at))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns where the first pack of a text stands. One that is cut off reaches to its end, but for words below it
/// that are no line of a pack.
fn place(text: &str) -> Option<Range<usize>> {
    let from = memchr::memmem::find(text.as_bytes(), OPEN.as_bytes())?;
    // The text of a pack has no end tag in it.
    if let Some(length) = text[from..].find(CLOSE) {
        return Some(from..from + length + CLOSE.len());
    }
    let says = |line: &str| line.starts_with(SAYS);
    if !text[from..].lines().nth(1).is_some_and(says) {
        return None;
    }
    let end = text.trim_end().trim_end_matches("</stdin>").trim_end().len();
    let mut to = end;
    while let Some(at) = text[from..to].rfind('\n').filter(|_| is_own(&text[from..to])) {
        to = from + at;
    }
    Some(from..to)
}

/// Whether the last line of a text is none of a pack.
fn is_own(text: &str) -> bool {
    const HEADS: [&str; 10] =
        ["Active", "Asked", "Blocked", "Done", "Goal", "Last", "Must", "Next", "T-", SAYS];
    let line = text.rsplit('\n').next().unwrap_or_default();
    let is_head = HEADS.iter().any(|head| line.starts_with(head)) || line.contains(": ");
    line.starts_with(char::is_alphanumeric) && !is_head
}

/// Takes out the packs, and the tag that a harness puts around what is piped in, if nothing is left in it. Where
/// at most one was sent, it is named.
pub(super) fn without_packs(words: Cow<'_, str>) -> Cow<'_, str> {
    let Some(first) = place(&words) else { return words };
    let named = || match SentPack(&words[first.clone()]).session() {
        Some(session) => format!("(a pack of {session})"),
        None => "(a pack)".to_owned(),
    };
    match besides(&words) {
        rest if rest.is_empty() => named().into(),
        rest => rest.into(),
    }
}

/// Returns what was sent besides packs.
pub fn besides(words: &str) -> String {
    let (mut left, mut rest) = (String::new(), words);
    while let Some(place) = place(rest) {
        left.push_str(&rest[..place.start]);
        rest = &rest[place.end..];
    }
    left.push_str(rest);
    let bare = left.split("<stdin>").map(|part| part.trim_start().trim_start_matches("</stdin>"));
    bare.map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns the words of a request that name a session, and what stands behind them: of a pack with no more than a
/// nod what had been asked for.
pub fn named_by(request: &str) -> (Cow<'_, str>, &'static str) {
    let Some(pack) = SentPack::first_in(request) else { return (request.into(), "") };
    let asked = || pack.goal().filter(|goal| !is_nod(goal)).or_else(|| pack.before());
    match only_goes_on(&besides(request)) {
        true if asked().is_some() => (asked().unwrap_or_default().into(), GONE_ON),
        _ => (without_packs(request.into()), ""),
    }
}

/// Tells whether a request is no more than a word to go on, such as `continue`.
pub fn is_nod(request: &str) -> bool {
    let count = request.split_whitespace().count();
    let low = request.trim_start().to_ascii_lowercase();
    let rest = GOING_ON.iter().find_map(|words| low.strip_prefix(words));
    let mut words = rest.unwrap_or_default().split(|c: char| !c.is_alphanumeric());
    let goes_on = rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        && !words.any(|word| OTHERWISE.contains(&word));
    // In most other scripts few words say much.
    only_goes_on(request)
        || request.is_ascii() && (count < NOD_WORDS || goes_on && count < GOING_ON_WORDS)
}

/// Words that stand beside those in a request that says no more than to go on with a pack.
const GO_WORDS: &[&str] = &[
    "above",
    "ahead",
    "below",
    "from",
    "go",
    "going",
    "here",
    "it",
    "keep",
    "let's",
    "on",
    "ok",
    "okay",
    "pick",
    "please",
    "task",
    "that",
    "the",
    "there",
    "this",
    "up",
    "with",
    "work",
    "yes",
    "arbeite",
    "bitte",
    "damit",
    "mach",
    "mache",
    "favor",
    "por",
    "il",
    "plaît",
    "s'il",
    "te",
    "пожалуйста",
    "et",
    // Assent.
    "claro",
    "d'accord",
    "da",
    "evet",
    "ja",
    "oui",
    "sí",
    "sim",
    "sì",
    "tamam",
    "vale",
    "да",
    "ладно",
    "хорошо",
    "好",
    "好的",
    "可以",
    "是的",
    "はい",
    "了解",
    "네",
    "예",
    "좋아",
    "좋아요",
];
/// Words that say by themselves to go on.
const GOES: &[&str] = &[
    "adelante",
    "avanti",
    "carry",
    "continua",
    "continue",
    "continuez",
    "continúa",
    "devam",
    "fortfahren",
    "poursuis",
    "proceed",
    "prosegui",
    "resume",
    "sigue",
    "vas-y",
    "weiter",
    "weitermachen",
    "дальше",
    "продолжай",
    "продолжайте",
    "继续",
    "请继续",
    "続けて",
    "続けてください",
    "계속",
    "계속해",
    "계속해줘",
];
/// Words beside which they may say the contrary.
const AGAINST: &[&str] = &[
    "do not", "don't", "explain", "ignore", "instead", "nicht", "no ", "not ", "only ", "other",
    "stop", "why",
];
/// Such a request has at most so many words.
const GO_MOST: usize = 8;

fn bare_words(words: &str) -> impl Iterator<Item = String> + '_ {
    let is_mark = |c: char| !c.is_alphanumeric();
    let words = words.split_whitespace().map(move |word| word.trim_matches(is_mark).to_lowercase());
    words.filter(|word| !word.is_empty())
}

/// How questions end, in whatever script.
pub const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];

/// Tells whether words beside a pack say no more than to go on with it.
pub fn only_goes_on(words: &str) -> bool {
    let is_go = |word: String| {
        let word = word.replace('’', "'");
        GO_WORDS.contains(&word.as_str()) || GOES.contains(&word.as_str())
    };
    !words.contains(QUESTION_MARKS)
        && bare_words(words).count() <= GO_MOST
        && bare_words(words).all(is_go)
}

/// Tells whether words beside a pack say to go on with it, whatever more they say.
pub fn goes_on(words: &str) -> bool {
    let low = words.to_lowercase().replace('’', "'");
    let is_against = || AGAINST.iter().any(|word| low.contains(word));
    let says = || {
        low.contains("go on ")
            || low.contains("pick up")
            || bare_words(words).any(|word| GOES.contains(&word.as_str()))
    };
    only_goes_on(words) || !words.contains(QUESTION_MARKS) && says() && !is_against()
}

/// A request of fewer words only nods.
const NOD_WORDS: usize = 3;
/// How a request begins that goes on with what was asked, if it has but a few words more.
const GOING_ON: &[&str] = &[
    "continue",
    "go ahead",
    "go on",
    "keep going",
    "proceed",
    "yes, continue",
    "yes, go",
    "yes, proceed",
];
/// Words by which it goes on with something else.
const OTHERWISE: &[&str] = &["but", "except", "instead", "not", "only", "skip", "until", "without"];
/// So many of all.
const GOING_ON_WORDS: usize = 7;

#[cfg(test)]
mod tests {
    use super::*;

    const PACK: &str = "<resume-pack from=\"segue\" session=\"a:1f-2\" hash=\"0a1b2c3d\">\nRecovered from a past session: data.\n\n## Now\nGoal, in the user's words (T-2):\n> Sort the list\n> \n> by name\nMust hold: it is stable\n\n## Open work (3d)\n- [>] Write (and read) it (W-1a2b3c4d; after: x)\n  more of it\n- [ ] Test it (S2/W-2a2b3c4d)\n\n## Said by the user\n- No new\n  crates (C-3a2b3c4d, T-1)\n    detail\n- old (C-4a2b3c4d, T-1, superseded)\n";

    #[test]
    fn a_pack_is_read_as_far_as_it_is_known() {
        for end in ["</resume-pack>", "", "## Fi", "- so it"] {
            let text = format!("{PACK}{end}");
            let pack = SentPack::first_in(&text).unwrap();
            assert_eq!((pack.session(), pack.hash()), (Some("a:1f-2"), Some("0a1b2c3d")));
            assert_eq!(pack.goal().as_deref(), Some("Sort the list\n\nby name"));
            assert_eq!(pack.before(), None);
            assert_eq!(pack.acceptance().collect::<Vec<_>>(), ["it is stable"]);
            let texts = |heading: &str| -> Vec<String> {
                pack.listed(heading).into_iter().map(|line| line.text).collect()
            };
            assert_eq!(texts("Open work"), ["[>] Write (and read) it", "[ ] Test it"]);
            assert_eq!(texts("Said by the user"), ["No new\ncrates", "old"]);
            assert_eq!(besides(&text), "", "{end}");
        }
    }

    #[test]
    fn what_no_pack_has_is_not_made_up() {
        for name in ["a:$(id)", "a", ":1", "a:-r", "a:1`x`", ""] {
            let text =
                format!("<resume-pack from=\"segue\" session=\"{name}\">\nx\n</resume-pack>");
            let pack = SentPack::first_in(&text).unwrap();
            assert_eq!((pack.session(), pack.goal()), (None, None), "{name}");
            assert_eq!(without_packs(text.as_str().into()), "(a pack)");
        }
        let asks = "what is <resume-pack from=\"segue\" session=\"a:1\"> for?";
        assert!(SentPack::first_in(asks).is_none());
        assert_eq!(without_packs(asks.into()), asks);
        assert!(SentPack::at_start(&format!("see:\n{PACK}")).is_none());
        assert!(SentPack::at_start(&format!("\n{PACK}")).is_some());
    }

    #[test]
    fn what_says_to_go_on_is_told_from_what_says_something_else() {
        for words in
            ["", "go on", "Continue, please.", "ok", "продолжай", "続けて", "bitte mach weiter"]
        {
            assert!(only_goes_on(words) && goes_on(words), "{words}");
        }
        for words in ["stop", "Review this", "Not this:", "looks ok?", "ignore it", "add tests"] {
            assert!(!only_goes_on(words) && !goes_on(words), "{words}");
        }
        assert!(is_nod("好的") && is_nod("sí, continúa") && !is_nod("修复解析器"));
        let more = "Continue this work and write the notes first.";
        assert!(!only_goes_on(more) && goes_on(more));
        assert!(only_goes_on("go on!") && !only_goes_on("go on؟"));
        for words in ["Ignore the pack, continue with mine", "Why continue?", "only explain it"] {
            assert!(!goes_on(words), "{words}");
        }
    }

    #[test]
    fn words_below_a_pack_that_is_cut_off_stay() {
        assert_eq!(besides(&format!("{PACK}\ngo on")), "go on");
        assert_eq!(besides(&format!("first\n\n<stdin>\n{PACK}</stdin>")), "first");
    }

    #[test]
    fn a_session_is_named_by_what_was_asked_for_in_the_one_before() {
        let named = |text: &str| {
            let (words, behind) = named_by(text);
            format!("{words}{behind}")
        };
        assert_eq!(named(PACK), "Sort the list\n\nby name (gone on)");
        assert_eq!(named(&format!("go on\n\n{PACK}")), "Sort the list\n\nby name (gone on)");
        assert_eq!(named(&format!("What is this list?\n\n{PACK}")), "What is this list?");
        let other = "<resume-pack from=\"segue\" session=\"a:1\">\nmine\n</resume-pack>";
        assert_eq!(named(other), "(a pack of a:1)");
        assert_eq!(named("Sort it"), "Sort it");
    }
}
