//! Programs that build before they test: that tests ran shows that it can be built.

use super::reach::{SHOWING, SHOWING_VALUE};
use super::recognise::{self, Ended};
use super::run::Run;

/// A program that builds and tests.
struct Builder {
    name: &'static str,
    /// How the words begin by which it only builds.
    builds: &'static [&'static str],
    /// How those begin by which it tests what it has built before.
    tests: &'static [&'static str],
    /// Options with a value that leave what is built as it is.
    free: &'static [&'static str],
}

const fn row(
    name: &'static str,
    builds: &'static [&'static str],
    tests: &'static [&'static str],
) -> Builder {
    Builder { name, builds, tests, free: &[] }
}

/// Tasks of a program that builds each variant by itself.
const GRADLE: Builder = row("gradle", &["assemble", "classes", "compile"], &["test", "check"]);
const MAVEN: Builder = row("mvn", &["compile", "test-compile"], &["test", "verify", "package"]);

/// Programs that build before they test; others have the table of families.
const BUILDERS: &[Builder] = &[
    row("dune", &["build"], &["test", "runtest"]),
    row("gleam", &["build", "check"], &["test"]),
    GRADLE,
    Builder { name: "gradlew", ..GRADLE },
    row("mix", &["compile"], &["test"]),
    MAVEN,
    Builder { name: "mvnw", ..MAVEN },
    row("rebar3", &["compile"], &["eunit", "ct"]),
    row("sbt", &["compile"], &["test"]),
    row("stack", &["build"], &["test"]),
    Builder {
        free: &["-destination", "-derivedDataPath", "-resultBundlePath"],
        ..row("xcodebuild", &["build"], &["test"])
    },
];

/// Words by which a program only clears away what it made before.
const CLEANING: &[&str] = &["clean"];

/// What a command of such a program asks for.
struct Asked {
    /// What stands before the program, such as a box in which it runs.
    before: String,
    builder: &'static Builder,
    /// Its words without options.
    plain: Vec<String>,
    /// Its options that may change what is built.
    options: Vec<String>,
}

/// Whether a run tested what `first` could not build, and so built it: it came as far as tests.
pub(super) fn has_built(later: &Run, first: &Run) -> bool {
    // Of a part of the output the sum is not known, but that there was one.
    let counted =
        later.total.is_some_and(|total| total > 0) || later.counts_all && later.failed > 0;
    let came_to_tests = later.ended == Ended::Passed || later.unit == "test" && counted;
    let is_alike = later.asked.is_of_program(&first.asked) && later.asked.runs_there(&first.asked);
    if !came_to_tests || !is_alike {
        return false;
    }
    let Some((tested, built)) = asked(&later.command).zip(asked(&first.command)) else {
        return false;
    };
    let is_one = tested.builder.name == built.builder.name && tested.before == built.before;
    is_one && tested.tests_what(&built)
}

/// Reads what a command asks of a program that builds and tests.
fn asked(command: &str) -> Option<Asked> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let named = |word: &&str| BUILDERS.iter().position(|row| row.name == recognise::name(word));
    let (at, row) = words.iter().enumerate().find_map(|(at, word)| Some((at, named(word)?)))?;
    let mut asked = Asked {
        before: words[..at].join(" "),
        builder: &BUILDERS[row],
        plain: Vec::new(),
        options: Vec::new(),
    };
    let mut rest = words[at + 1..].iter();
    while let Some(word) = rest.next() {
        let name = word.split('=').next().unwrap_or_default();
        let is_free = asked.builder.free.contains(&name) || SHOWING_VALUE.contains(&name);
        match word.starts_with('-') {
            false if CLEANING.contains(word) => {}
            false => asked.plain.push((*word).to_owned()),
            true if is_free && !word.contains('=') => drop(rest.next()),
            true if is_free || SHOWING.contains(word) => {}
            true => asked.options.push((*word).to_owned()),
        }
    }
    Some(asked)
}

impl Asked {
    /// Whether it tests what another command builds, and no less of it.
    fn tests_what(&self, built: &Self) -> bool {
        let Some(tests) = self.verb(self.builder.tests) else { return false };
        let Some(builds) = built.verb(built.builder.builds) else { return false };
        // What else is named is no more than was to be built.
        let is_named = |word: &String| built.plain.contains(word);
        self.plain[tests..].iter().all(is_named)
            && self.options.iter().all(|word| built.options.contains(word))
            && is_of_variant(&self.plain[tests - 1], &built.plain[builds - 1])
    }

    /// Returns behind how many plain words what it does is told, if it does what one of `forms` says.
    fn verb(&self, forms: &[&str]) -> Option<usize> {
        let count = |form: &&str| form.split(' ').count();
        let is_it = |form: &&&str| {
            let told = self.plain.iter().take(count(form)).map(|word| task(word));
            told.collect::<Vec<_>>().join(" ").starts_with(**form)
        };
        forms.iter().filter(is_it).map(count).max()
    }
}

/// Returns a task without the part of the project that stands before it, as in `:app:test`.
fn task(word: &str) -> String {
    word.rsplit(':').next().unwrap_or(word).to_owned()
}

/// Whether one task is of the part of the project and the variant of another: `testDebugUnitTest` and
/// `assembleDebug`, but not `assembleRelease`.
fn is_of_variant(tests: &str, builds: &str) -> bool {
    let part = |word: &str| word.rsplit_once(':').map_or("", |(part, _)| part).to_owned();
    let (tested, built) = (task(tests), task(builds));
    let variant = built.trim_start_matches(|c: char| !c.is_ascii_uppercase());
    let variant = ["WithJavac", "Java", "Kotlin", "Sources", "UnitTest"]
        .iter()
        .fold(variant, |variant, end| variant.strip_suffix(end).unwrap_or(variant));
    let is_whole = tested.chars().all(|c| !c.is_ascii_uppercase());
    (part(tests).is_empty() || part(tests) == part(builds))
        && (is_whole || tested.contains(variant))
}

#[cfg(test)]
mod tests {
    use super::asked;

    fn tests_what(later: &str, first: &str) -> bool {
        let (later, first) = (asked(later).unwrap(), asked(first).unwrap());
        later.before == first.before && later.tests_what(&first)
    }

    #[test]
    fn what_tests_has_built_before() {
        for (first, later) in [
            ("mvn -q clean compile", "mvn -q test"),
            ("./gradlew assembleDebug", "./gradlew testDebugUnitTest"),
            ("./gradlew :app:compileDebugKotlin", "./gradlew :app:testDebugUnitTest --info"),
            ("./gradlew compileKotlin", "./gradlew test"),
            ("xcodebuild build -scheme P", "xcodebuild test -scheme P -destination id=7"),
            ("opam exec -- dune build", "opam exec -- dune runtest"),
        ] {
            assert!(tests_what(later, first), "{first} {later}");
        }
    }

    #[test]
    fn what_tests_less_or_something_else_has_not() {
        for (first, later) in [
            ("mvn compile", "mvn test -pl core"),
            ("mvn test", "mvn test"),
            ("./gradlew assembleRelease", "./gradlew testDebugUnitTest"),
            ("./gradlew :app:assembleDebug", "./gradlew :core:testDebugUnitTest"),
            ("xcodebuild build -scheme P", "xcodebuild test -scheme Q"),
            ("opam exec -- dune build", "dune test"),
        ] {
            assert!(!tests_what(later, first), "{first} {later}");
        }
    }
}
