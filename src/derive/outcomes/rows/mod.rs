//! The table of programs that test, build or check: how each says how it ended.

mod looking;
mod testing;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use looking::LOOKING;
use testing::TESTING;

/// Whether the number stands before its word or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// `2 failed`.
    NumberFirst,
    /// `Failures: 2`, `failures=2`, `# fail 2`.
    WordFirst,
}

/// How one program says how it ended.
///
/// Every pattern is a [`Pattern`](crate::derive::pattern::Pattern).
pub(super) struct Row {
    /// What its runs are known by: runs of one name are about the same tests.
    pub name: &'static str,
    /// What it counts: `test` or `error`.
    pub unit: &'static str,
    /// Words of a command line that runs it.
    pub cues: &'static [&'static str],
    /// An output without any of these is not looked at.
    pub marks: &'static [&'static str],
    /// Where the counts stand; the groups `failed`, `passed` and `total` win over the words.
    pub summary: &'static str,
    /// How the counts are written.
    pub order: Order,
    /// Whether all summaries of an output add up; else the last one counts, unless one tells of failure.
    pub adds_up: bool,
    /// What stands once where a run ends, if that is not its summary.
    pub ends: &'static str,
    /// What tells of failure without a count.
    pub bad: &'static str,
    /// What of `bad` says that it was stopped, against which an exit code of 0 says nothing: that is a script's.
    pub stops: &'static str,
    /// What tells of failure where neither `good` nor another program says that all is well: rows which may stand in
    /// a run that passed, too.
    pub finds: &'static str,
    /// Whether only an exit code of 0 says more than these.
    pub holds: bool,
    /// What tells of success without a count.
    pub good: &'static str,
    /// Where `good` finds each test that passed: those that it finds of which were skipped.
    pub skipped: &'static str,
    /// What tells that no test ran at all, where neither `good` nor counts say more.
    pub none: &'static str,
    /// What stands once for each task that could run tests, where `good` tells of more than these: if `none` tells
    /// of as many, no test ran.
    pub tasks: &'static str,
    /// Whether only a command that names the program is taken at these words, since others print such, too.
    pub by_name: bool,
    /// What failed: the group `id`, and `why` where the line tells it; `file` is that of the tests which follow.
    pub failing: &'static str,
}

/// A row in which only what differs has to be said.
pub(super) const PLAIN: Row = Row {
    name: "",
    unit: "test",
    cues: &[],
    marks: &[],
    summary: "",
    order: Order::NumberFirst,
    adds_up: false,
    ends: "",
    bad: "",
    stops: "",
    finds: "",
    holds: false,
    good: "",
    skipped: "",
    none: "",
    tasks: "",
    by_name: false,
    failing: "",
};

/// Every program that is known.
pub(super) static ROWS: LazyLock<Vec<&Row>> =
    LazyLock::new(|| COMMON.iter().chain(TESTING).chain(LOOKING).collect());

/// Those that are met most, first those that run tests.
pub(super) const COMMON: &[Row] = &[
    Row {
        name: "cargo test",
        cues: &["cargo test", "cargo t", "cargo nextest"],
        marks: &[
            "test result: ",
            " tests run: ",
            "error: test failed",
            "error: no tests",
            "error: doctest",
        ],
        summary: r"^test result: (?:ok|FAILED)\. [^\n]*|^\s*Summary \[[^\n]* tests? run: [^\n]*",
        adds_up: true,
        bad: r"^test result: FAILED|^error: (?:(?:doc)?test (?:failed|run failed)|no tests to run)",
        failing: r"^test (?P<id>\S+(?: - (?:\S+ )?\(line \d+\))?)(?: - (?:should panic|compile(?: fail)?))? \.\.\. FAILED|^---- (?P<id2>\S+) stdout ----$|^    (?P<id3>\w+(?:::\w+)+)$|^\s+(?:FAIL|TIMEOUT|SIGABRT|SIGSEGV) \[[^\]\n]*\]\s+(?:\([^)\n]*\)\s+)?(?P<id4>\S.*)$",
        ..PLAIN
    },
    Row {
        name: "pytest",
        cues: &["pytest", "py.test"],
        marks: &[
            " passed",
            " failed",
            " error",
            " skipped",
            "no tests ran",
            "ERROR",
            "FAIL ",
            "while loading conftest",
        ],
        summary: r"^=*\s*(?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun|subtests passed)(?:, )?)+ in [\d.]+s[^\n]*$",
        bad: r"^INTERNALERROR> |^\w+ while loading conftest |^ERROR: (?:file or directory not found: |usage: |Coverage failure: )|^FAIL Required test coverage |^!+ (?:KeyboardInterrupt|_pytest\.outcomes\.Exit\b)",
        none: r"^=*\s*no tests ran in ",
        failing: r"^(?:FAILED|ERROR) (?P<id>\S+\.py\S*)(?: - (?P<why>.*))?$",
        ..PLAIN
    },
    Row {
        name: "unittest",
        cues: &["unittest", "manage.py test"],
        marks: &["Ran "],
        summary: r"^Ran (?P<total>\d+) tests? in [^\n]*\n\s*\n(?:OK|FAILED|NO TESTS RAN)[^\n]*$",
        order: Order::WordFirst,
        bad: r"^FAILED \((?:failures|errors|unexpected)",
        failing: r"^(?:FAIL|ERROR): (?P<id>\S+ \([^)\n]+\))",
        ..PLAIN
    },
    Row {
        name: "jest",
        cues: &["jest", "react-scripts test"],
        marks: &["Tests: ", "No tests found"],
        summary: r"^Tests:\s+(?:\d+ (?:failed|skipped|todo|passed), )*\d+ total$",
        bad: r"^Test Suites:\s+\d+ failed|^Jest: .*threshold|^No tests found, exiting with code 1",
        failing: r"^ ?FAIL +(?:[^\s/]+ +)*(?P<file>\S*/[^\n(]*\.\w+|\S+\.\w+)(?: \(|$)|^\s+● (?P<id>.+ › .+)$|^  ● (?:Console|Test suite failed to run|[^\n]* Warning:)$|^  ● (?P<id2>\S[^\n]*)$",
        ..PLAIN
    },
    Row {
        name: "vitest",
        cues: &["vitest"],
        marks: &["Tests  ", "Test Files  ", "No test files", "ERROR: Coverage"],
        summary: r"^\s*Tests\s+(?:\d+ (?:failed|passed|skipped|todo|expected fail)(?: \| )?)+ ?\(\d+\)",
        ends: r"^\s*Tests\s+[^\n]*\(\d+\)(?:\n\s*Errors\s+\d+ errors?$)?",
        bad: r"^\s*Test Files\s+\d+ failed|^\s*Errors\s+\d+ errors?$|^No test files found, exiting with code 1|^ERROR: Coverage for ",
        failing: r"^\s*FAIL\s+(?:\|[^|\n]+\|\s+)?(?P<id>\S+ > .+)$|^\s*FAIL\s+(?P<id2>\S+\.[cm]?[jt]sx?)(?: \[|$)",
        ..PLAIN
    },
    Row {
        name: "bun test",
        cues: &["bun test", "bun run test"],
        marks: &[" pass\n"],
        summary: r"^\s*\d+ pass\n(?:\s*\d+ (?:skip|todo)\n)*\s*\d+ fail$",
        ends: r"^\s*\d+ pass\n(?:\s*\d+ \w+$\n?)+",
        bad: r"^\s*\d+ errors?$",
        failing: r"^\(fail\) (?P<id>.+?)(?: \[[\d.]+m?s\])?$",
        ..PLAIN
    },
    Row {
        name: "mocha",
        cues: &["mocha"],
        marks: &[" passing"],
        summary: r"^\s*\d+ passing\b[^\n]*(?:\n\s*\d+ (?:pending|failing)\b[^\n]*)*",
        // Each stands in the list at the end, by all that it is called; above by its own name.
        failing: r"^  \d+\) (?P<id>\S[^\n]*(?:\n {7,}\S[^\n]*)*):$|^ {4,}\d+\) (?P<spare>\S[^\n]*)$",
        ..PLAIN
    },
    Row {
        name: "playwright",
        cues: &["playwright test"],
        marks: &[" passed (", " failed\n", " skipped"],
        summary: r"^\s+\d+ failed\n(?:[^\n]*\n)*?\s+\d+ passed \([^\n]*$|^\s+\d+ (?:passed \(|failed$)[^\n]*",
        none: r"^\s+\d+ skipped$",
        failing: r"^\s+\d+\) (?P<id>(?:\[[^\]\n]+\]|[^\n]+?:\d+:\d+) › .+?)\s*─*$",
        ..PLAIN
    },
    Row {
        name: "node --test",
        cues: &["node --test", "tsx --test"],
        marks: &["# pass ", "ℹ pass "],
        summary: r"^(?:#|ℹ) pass \d+\n(?:#|ℹ) fail \d+(?:\n(?:#|ℹ) cancelled \d+)?",
        order: Order::WordFirst,
        adds_up: true,
        failing: r"^\s*not ok \d+ - (?P<id>.+)$|^\s*✖ (?P<id2>.+?) \([\d.]+ms\)$",
        ..PLAIN
    },
    Row {
        name: "bats",
        cues: &["bats"],
        marks: &["ok 1 ", "not ok ", "ok\t", "1..", " failures", " failure", "✗ "],
        summary: r"^(?P<total>\d+) tests?, (?P<failed>\d+) failures?[^\n]*$",
        bad: r"^not ok \d+ ",
        good: r"^ok \d+ ",
        none: r"^1\.\.0$",
        // A name that only has such a word in it, as `# skipping`, is none.
        skipped: r"^ok \d+ [^\n]*# skip(?: |$)",
        failing: r"^not ok \d+ (?P<id>\S[^\n]*?)(?: # in \d+ ?\w+| in \d+ms)?$|^ ✗ (?P<id2>\S[^\n]*?)$",
        ..PLAIN
    },
    Row {
        name: "go test",
        cues: &["go test", "gotestsum"],
        marks: &["ok  \t", "FAIL", "ok \t", "[no test files]", "DONE ", "\"Action\":"],
        ends: r"^(?:FAIL|ok  |\?   )\t\S[^\n]*(?:\nFAIL\s*$)?",
        // The last row says whether any package failed, also where only that is shown.
        bad: r#"^FAIL\s+\S+\s+(?:[\d.]+s|\[)|^--- FAIL: |^(?:FAIL|ok  |\?   )\t\S+\t[^\n]*\nFAIL\s*\z|^DONE \d[^\n]*, \d+ (?:failures?|errors?)\b[^\n]* in |^\{[^\n]*"Action":"fail","Package":"[^"\n]+","Elapsed""#,
        good: r#"^ok\s+\S+\s+(?:[\d.]+s|\(cached\))|^DONE (?:\d+ runs?, )?[1-9]\d* tests?[^\n]* in |^\{[^\n]*"Action":"pass","Package":"[^"\n]+","Elapsed""#,
        skipped: r"^ok\s+\S+\s+(?:[\d.]+s|\(cached\))[^\n]*\[no tests to run\]",
        none: r"^\?\s+\S+\s+\[no test files\]",
        failing: r#"^\s*--- FAIL: (?P<id>\S+)|^\t\t(?P<id3>Test\w*(?:/\S+)?) \([\dhms.]+\)$|^\{[^\n]*"Action":"fail","Package":"[^"\n]+","Test":"(?P<id4>[^"\n]+)"|^FAIL\s+(?P<id2>\S+) \[(?:build|setup) failed\]"#,
        ..PLAIN
    },
    Row {
        name: "rspec",
        cues: &["rspec"],
        marks: &[" examples, ", " example, "],
        summary: r"^\d+ examples?, \d+ failures?[^\n]*$",
        bad: r"errors? occurred outside of examples|^SimpleCov failed with exit |^(?:Line|Branch) coverage \([^\n]* is below the expected minimum",
        failing: r"^rspec (?P<id>\S+)(?: # (?P<why>.+))?$",
        ..PLAIN
    },
    Row {
        name: "phpunit",
        cues: &["phpunit", "artisan test", "pest"],
        marks: &["Assertions: ", " assertions)", " assertion)", "No tests executed!"],
        none: r"^No tests executed!",
        summary: r"^Tests: (?P<total>\d+), Assertions: \d+[^\n]*$|^OK \((?P<passed>\d+) tests?, \d+ assertions?\)",
        order: Order::WordFirst,
        failing: r"^\d+\) (?P<id>\S+::\S+)",
        ..PLAIN
    },
    Row {
        name: "ctest",
        cues: &["ctest"],
        marks: &[" tests failed out of ", "100% tests passed", "No tests were found"],
        none: r"^No tests were found!!!",
        summary: r"^\d+% tests passed, (?P<failed>\d+) tests failed out of (?P<total>\d+)",
        failing: r"^\s*\d+ - (?P<id>\S+) \((?:Failed|Timeout|Not Run|SEGFAULT|Subprocess aborted|ILLEGAL|Exception)[^)\n]*\)",
        ..PLAIN
    },
    Row {
        name: "swift test",
        cues: &["swift test", "xcodebuild test"],
        marks: &["Executed ", "Test run with ", "** TEST", "Exited with "],
        summary: r"^\s*Executed (?P<total>[1-9]\d*) tests?, with (?:\d+ tests? skipped and )?(?P<failed>\d+) failures?",
        bad: r"^.{0,16}Test run with \d+ tests?[^\n]* failed|^\*\* TEST FAILED \*\*|^error: Exited with (?:unexpected )?signal code ",
        good: r"^.{0,16}Test run with \d+ tests?[^\n]* passed|^\*\* TEST SUCCEEDED \*\*",
        none: r"^\s*Executed 0 tests",
        tasks: r"^\s*Executed 0 tests|^.{0,16}Test run with [1-9]",
        failing: r"^Test Case '(?:-\[)?(?P<id>[^'\]\n]+)\]?' failed|^.{0,16}Test (?P<id2>\S+\([^)\n]*\)|\x22[^\x22\n]+\x22) failed after",
        ..PLAIN
    },
    Row {
        name: "gradle",
        cues: &["gradle", "gradlew"],
        marks: &["BUILD FAILED", "BUILD SUCCESSFUL"],
        summary: r"^(?P<total>\d+) tests? completed, (?P<failed>\d+) failed",
        ends: r"^BUILD (?:FAILED|SUCCESSFUL)",
        bad: r"^BUILD FAILED",
        good: r"^BUILD SUCCESSFUL",
        none: r"^> Task :(?:[^\s:]+:)*(?:(?:\w*Test|test) NO-SOURCE|cleanTest(?: [A-Z-]+)?)$",
        // What is built as a whole was to be built, not tested.
        tasks: r"^> Task :(?:[^\s:]+:)*(?:\w*Test|test|assemble\w*|build)(?: [A-Z-]+)?$",
        failing: r"^(?P<id>\S[^\n>]* > [^\n]+) FAILED$",
        ..PLAIN
    },
    Row {
        name: "maven",
        cues: &["mvn", "mvnw"],
        marks: &["Tests run: ", "BUILD SUCCESS", "BUILD FAILURE", "Failed to execute goal"],
        summary: r"^(?:\[\w+\] )?Tests run: (?P<total>\d+), Failures: \d+, Errors: \d+(?:, Skipped: \d+)?\s*$",
        order: Order::WordFirst,
        ends: r"^(?:\[\w+\] )?BUILD (?:FAILURE|SUCCESS)",
        bad: r"^(?:\[\w+\] )?BUILD FAILURE",
        finds: r"^\[ERROR\] Failed to execute goal ",
        good: r"^(?:\[\w+\] )?BUILD SUCCESS",
        none: r"^(?:\[\w+\] )?No tests to run\.",
        // What is packed was to be built, not tested.
        tasks: r"^(?:\[\w+\] )?(?:No tests to run\.|Building [jw]ar: )",
        failing: r"^\[ERROR\]\s+(?P<id>\w+(?:\.\w+)+)(?::\d+)?(?:\s+(?P<why>.+))?$",
        ..PLAIN
    },
    Row {
        name: "dotnet",
        cues: &["dotnet test"],
        marks: &[
            "Passed!",
            "Failed!",
            "Skipped!",
            "[FAIL]",
            ".dll (net",
            "Test summary: ",
            "Total tests: ",
            "No test is",
            "No test matches",
            "test run was aborted",
        ],
        none: r"^No test (?:is available in|matches the given testcase filter) ",
        // Its words are those of the user's language; places and numbers are not.
        summary: r"^\s*Test summary: total: \d+, [^\n]*|^Total tests: \d+\n(?:\s+\w+: \d+\n)+|^\s*(?:Passed|Failed|Skipped)!\s+- Failed:\s+\d+, Passed:\s+\d+[^\n]*|^\s*\S+!\s+- [^:,\n]+:\s+(?P<failed>\d+), [^:,\n]+:\s+(?P<passed>\d+), [^:,\n]+:\s+\d+, [^:,\n]+:\s+\d+, [^\n]*\.dll \(net[^\n]*",
        order: Order::WordFirst,
        adds_up: true,
        bad: r"^\s*Failed!|^\[xUnit\.net [^\n]* \[FAIL\]\s*$|^The active test run was aborted",
        failing: r"^\s+Failed (?P<id>\S+)(?: \[.*)?$|^\s+(?P<id2>\S+) \([\d.]+m?s\): Error Message: |^\[xUnit\.net [^\]\n]*\]\s+(?P<id3>\S[^\n]*?) \[FAIL\]\s*$",
        ..PLAIN
    },
    Row {
        name: "rustc",
        unit: "error",
        cues: &[
            "cargo bench",
            "cargo build",
            "cargo check",
            "cargo clippy",
            "cargo doc",
            "cargo install",
            "cargo nextest",
            "cargo run",
            "cargo test",
            "rustc",
        ],
        marks: &["error[E", "error: ", "Finished "],
        bad: r"^error(?:\[E\d+\])?: (?:could not compile|aborting due to)",
        finds: r"^error\[E\d+\]: ",
        holds: true,
        good: r"^\s*Finished (?:`|dev|release|test)",
        failing: r"^error(?:\[(?P<id>E\d+)\])?: (?P<why>.+)\n\s*--> (?P<at>[^\n:]+)",
        ..PLAIN
    },
    Row {
        name: "tsc",
        unit: "error",
        cues: &["tsc", "vue-tsc", "typecheck", "type-check"],
        marks: &["error TS"],
        bad: r"error TS\d+: ",
        failing: r"^(?P<at>[^\n(]+?)(?:\(\d+,\d+\)|:\d+:\d+)(?::| -) error (?P<id>TS\d+): (?P<why>.*)$",
        ..PLAIN
    },
    // Behind the one before it, whose errors are written alike.
    Row {
        name: "dotnet build",
        unit: "error",
        cues: &[
            "dotnet build",
            "dotnet format",
            "dotnet pack",
            "dotnet publish",
            "dotnet run",
            "dotnet test",
            "msbuild",
        ],
        marks: &["error ", "Build FAILED", "Build failed", "Build succeeded", "    0 "],
        bad: r"^Build (?:FAILED|failed with )",
        finds: r"^(?:\S[^\n(]*\(\d+,\d+\): |\S[^\n]*\.\w+ : )?error [A-Z]+\d+: ",
        holds: true,
        good: r"^Build succeeded|^ {4}0 [^\s\d]\S*\s*(?:\n[^\n]*\d\d:\d\d:\d\d\.\d+\s*)?\z",
        failing: r"^(?:(?P<at>\S[^\n(]*)\(\d+,\d+\): |\S[^\n]*\.\w+ : )?error (?P<id>[A-Z]+\d+): (?P<why>[^\n\[]+)",
        ..PLAIN
    },
    Row {
        name: "eslint",
        unit: "error",
        cues: &["eslint"],
        marks: &[" problem", "too many warnings", "Oops! Something went wrong"],
        bad: r"^ESLint found too many warnings|^Oops! Something went wrong! :\(\n\s*ESLint: ",
        summary: r"^✖ \d+ problems? \((?P<failed>\d+) errors?, \d+ warnings?\)",
        failing: r"^\s+\d+:\d+\s+error\s+(?P<why>.+?)\s\s+(?P<id>[@\w/-]+)$|^\s+\d+:\d+\s+error\s+(?P<why2>Parsing error: .+)$",
        ..PLAIN
    },
    Row {
        name: "ruff",
        unit: "error",
        cues: &["ruff"],
        marks: &[
            "Found ",
            "All checks passed",
            "would be reformatted",
            "already formatted",
            "unformatted: ",
        ],
        ends: r"^Found \d+ errors?\b[^\n]*|^All checks passed!|^\d+ files? (?:would be reformatted|already formatted)[^\n]*",
        none: r"^warning: No Python files found ",
        tasks: r"^All checks passed!|^\d+ files? already formatted$",
        summary: r"^Found \d+ errors?(?: \(\d+ fixed, (?P<failed>\d+) remaining\))?\.?$",
        bad: r"^\d+ files? would be reformatted|^unformatted: ",
        good: r"^All checks passed!|^\d+ files? already formatted$",
        failing: r"^(?P<at>[^\s:]+):\d+:\d+: (?P<id>[A-Z]+\d+) (?:\[\*\] )?(?P<why>.+)$|^(?P<id2>(?:[A-Z]+\d+|unformatted:|invalid-syntax:) [^\n]+)\n\s*-->",
        ..PLAIN
    },
    Row {
        name: "mypy",
        unit: "error",
        cues: &["mypy", "pyright", "basedpyright"],
        marks: &["Found ", "Success: no issues", " errors, ", " error, "],
        summary: r"^Found \d+ errors? in \d+ files?|^\d+ errors?, \d+ warnings?[^\n]*$",
        ends: r"^Found \d+ errors? in \d+ files?|^\d+ errors?, \d+ warnings?[^\n]*$|^Success: no issues found",
        good: r"^Success: no issues found",
        failing: r"^(?P<at>[^\s:]+):\d+(?::\d+)?: error: (?P<why>.+?)\s+\[(?P<id>[\w-]+)\]$|^\s+(?P<at2>\S+?):\d+:\d+ - error: (?P<why2>.+?)(?: \((?P<id2>report\w+)\))?$|^(?P<at3>[^\s:]+):\d+(?::\d+)?: error: (?P<why3>.+)$",
        ..PLAIN
    },
];
