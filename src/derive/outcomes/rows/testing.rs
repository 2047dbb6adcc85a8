//! More programs of the table that run tests: those that are met less often.

use super::{Order, PLAIN, Row};

/// A row that tells by fixed words alone how it ended.
pub(super) const fn said(
    name: &'static str,
    cues: &'static [&'static str],
    marks: &'static [&'static str],
    bad: &'static str,
    good: &'static str,
) -> Row {
    Row { name, cues, marks, bad, good, ..PLAIN }
}

/// Programs that run tests.
pub(super) const TESTING: &[Row] = &[
    Row {
        summary: r"^(?P<total>\d+) (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors[^\n]*$",
        failing: r"^(?P<id>[A-Z][\w:]*#\w+) \[|^\s*\d+\) (?:Failure|Error):\s*\n(?P<id2>[A-Z][\w:]*#\w+)",
        ..said(
            "minitest",
            &["rails test", "rake test"],
            &[" assertions, "],
            r"^SimpleCov failed with exit ",
            "",
        )
    },
    Row {
        summary: r"^\s*Tests:\s+(?:\d+ \w+(?:, )?)+ \(\d+ assertions?\)",
        failing: r"^\s*FAILED\s+(?P<id>\S+ > .+?)\s*$",
        ..said("pest", &["artisan test", "pest"], &[" assertions)", " assertion)"], "", "")
    },
    Row {
        summary: r"^(?:\d+ \w+, )*?(?P<total>\d+) tests?, (?P<failed>\d+) failures?(?:, \d+ \w+)*$",
        none: r"^There are no tests to run",
        failing: r"^\s+\d+\) test (?P<id>.+)$",
        ..said(
            "mix test",
            &["mix test"],
            &[
                " failure",
                "== Compilation error",
                "Compilation failed due to",
                "There are no tests",
            ],
            r"^== Compilation error in |^Compilation failed due to warnings while using |^Coverage test failed, threshold not met|^ERROR! Test suite aborted",
            "",
        )
    },
    Row {
        none: r"All tests skipped\.|No tests (?:ran|match)",
        failing: r"^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: (?P<id>.+) \[E\]$",
        ..said(
            "dart test",
            &["dart test", "flutter test"],
            &["All tests", "Some tests failed", "[E]", "No tests "],
            r"^\d\d:\d\d \+\d+[^\n]*(?:: Some tests failed\.| \[E\])$",
            r"^\d\d:\d\d \+\d+[^\n]*: All tests passed!$",
        )
    },
    Row {
        failing: r"^\[  FAILED  \] (?P<id>[\w./]+\.[\w./]+)(?:$|,| \()",
        none: r"^\[  PASSED  \] 0 tests",
        ..said(
            "gtest",
            &[],
            &["[  PASSED  ]", "[  FAILED  ]"],
            r"^\[  FAILED  \] \d+ tests?, ",
            r"^\[  PASSED  \] [1-9]\d* tests?\.",
        )
    },
    Row {
        summary: r"^test cases:\s+(?P<total>\d+) \|(?:\s+\d+ passed \|)?\s+(?P<failed>\d+) failed(?: \||$)",
        failing: r"^-{79}\n(?P<id>\S[^\n]*)\n(?: +[^\n]*\n)*-{79}\n[^\n]*\d\)?\n\.{79}$",
        ..said(
            "catch2",
            &[],
            &["test case", "[doctest] Status"],
            r"^test cases:\s+\d+ \|(?:\s+\d+ passed \|)?\s+\d+ failed(?: \||$)|^\[doctest\] Status: FAILURE!",
            r"^test cases:\s+\d+ \|(?:\s+\d+ passed \|)?\s+\d+ failed as expected$|^All tests passed \(\d+ assertions? in \d+ test cases?\)|^\[doctest\] Status: SUCCESS!",
        )
    },
    Row {
        none: r"^No tests defined\.",
        failing: r"^\s*\d+/\d+ (?P<id>\S.*?)\s+(?:FAIL|TIMEOUT|ERROR)\s+[\d.]+ ?s",
        ..said(
            "meson test",
            &["meson test"],
            &["Ok:  ", "No tests defined."],
            r"^(?:Fail|Timeout|Unexpected Pass):\s+[1-9]",
            r"^Ok:\s+[1-9]\d*\s*\n(?:Expected )?Fail:\s",
        )
    },
    said("automake", &[], &["# TOTAL:"], r"^# (?:FAIL|ERROR|XPASS):\s+[1-9]", r"^# PASS:\s+[1-9]"),
    Row {
        failing: r"^(?P<id>\S+\.t)\s+\(Wstat: ",
        none: r"^Result: NOTESTS$",
        ..said("prove", &["prove"], &["Result: "], r"^Result: FAIL$", r"^Result: PASS$")
    },
    Row {
        by_name: true,
        ..said(
            "ava",
            &["ava"],
            &[" passed", " failed"],
            r"^\s+\d+ tests? failed$",
            r"^\s+\d+ tests? passed$",
        )
    },
    Row {
        summary: r"^(?:ok|FAILED) \| \d+ passed[^\n]*$",
        ends: r"^(?:ok|FAILED) \| \d+ passed[^\n]*$(?:\s*\nerror: Test failed$)?",
        failing: r"^(?P<id>\S.*?) \.\.\. FAILED",
        ..said(
            "deno test",
            &["deno test"],
            &[" passed", "error: Test failed", "error: No test modules"],
            r"^error: (?:Test failed|No test modules found)",
            "",
        )
    },
    Row {
        // As mocha, by which it runs them.
        failing: r"^  \d+\) (?P<id>\S[^\n]*(?:\n {7,}\S[^\n]*)*):$|^ {4,}\d+\) (?P<spare>\S[^\n]*)$",
        ..said(
            "cypress",
            &["cypress run"],
            &[" failed (", "All specs passed!"],
            r"^\s*✖\s+\d+ of \d+ failed",
            r"^\s*✔\s+All specs passed!",
        )
    },
    said(
        "tox",
        &[],
        &["congratulations :)", "evaluation failed :("],
        r"^\s*evaluation failed :\(",
        r"^\s*congratulations :\)",
    ),
    said(
        "nox",
        &[],
        &["nox > Session "],
        r"^nox > Session \S+ failed\.",
        r"^nox > Session \S+ was successful",
    ),
    Row {
        failing: r"^(?P<id>//\S+)\s+(?:FAILED|TIMEOUT)",
        ..said(
            "bazel",
            &["bazel test", "bazelisk test", "bazel build", "bazelisk build"],
            &["Executed ", "Build did NOT", "Build completed successfully"],
            r"Build did NOT complete successfully|^//\S+\s+(?:FAILED|TIMEOUT|NO STATUS)|^Executed [^\n]*\d+ fails?\b",
            r"^Executed \d+ out of \d+ tests?: \d+ tests? pass|Build completed successfully",
        )
    },
    Row {
        summary: r"Tests finished: Pass (?P<passed>\d+)\. Fail (?P<failed>\d+)",
        ..said("buck", &["buck test", "buck2 test"], &["Tests finished: "], "", "")
    },
    Row {
        failing: r"^error: '(?P<id>[^'\n]+)' failed",
        ..said(
            "zig test",
            &["zig test", "zig build test"],
            &[" failed", " tests passed."],
            r"^error: '[^'\n]+' failed|^\d+ passed; \d+ skipped; [1-9]\d* failed|^error: the following (?:test|build) command failed",
            r"^All [1-9]\d* tests passed\.",
        )
    },
    Row {
        failing: r"^> \[FAIL\]\s+(?P<id>\S[^\n]*?)\.?$",
        ..said(
            "dune",
            &["dune build", "dune runtest", "dune test"],
            &["Test Successful", "! in ", "Error: "],
            r"^\d+ failures?! in |^File \x22[^\x22\n]+\x22, lines? [^\n]*\n(?:[^\n]*\n){0,8}?Error",
            r"^Test Successful in ",
        )
    },
    Row {
        summary: r"^\d+ of \d+ test suites? \((?P<passed>\d+) of (?P<total>\d+) test cases?\) passed\.",
        failing: r"^Test suite (?P<id>\S+): FAIL",
        ..said(
            "cabal test",
            &["cabal test"],
            &["Test suite "],
            r"^Test suite \S+: FAIL",
            r"^Test suite \S+: PASS",
        )
    },
    Row {
        summary: r"^Ran (?P<total>\d+) tests containing \d+ assertions\.\n\d+ failures, \d+ errors\.",
        failing: r"^(?:FAIL|ERROR) in \((?P<id>[^)\n]+)\)",
        ..said("clojure", &["lein test"], &[" assertions."], "", "")
    },
    Row {
        none: r"^\[info\] No tests (?:to run|were executed)",
        failing: r"^==> X (?P<id>\S+(?: \S+)*?)\s+[\d.]+s\b|^\[info\] - (?P<id2>\S[^\n]*) \*\*\* FAILED \*\*\*",
        ..said(
            "sbt",
            &["sbt compile", "sbt test", "sbt testOnly", "sbt testQuick"],
            &[
                "[info] Tests: ",
                "[info] Passed: ",
                "[info] No tests ",
                "[error] (",
                "[error] Failed: Total",
            ],
            r"^\[info\] Tests: succeeded \d+, failed [1-9]|^\[error\] \([^)\n]*\) \S|^\[error\] Failed: Total",
            r"^\[info\] (?:Tests: succeeded|Passed: Total) [1-9]",
        )
    },
    Row {
        none: r"^TEST RUN INCOMPLETE",
        ..said("elm-test", &["elm-test"], &["TEST RUN "], r"^TEST RUN FAILED", r"^TEST RUN PASSED")
    },
    Row {
        summary: r"^\d+ success(?:es)? / \d+ failures? / \d+ errors? / \d+ pending",
        failing: r"^(?:Failure|Error) → (?P<id>\S.*)$",
        ..said("busted", &["busted"], &[" success"], "", "")
    },
    Row {
        summary: r"^\[ FAIL (?P<failed>\d+) \| WARN \d+ \| SKIP \d+ \| PASS (?P<passed>\d+) \]",
        order: Order::WordFirst,
        failing: r"^(?:Failure|Error) \('?(?P<id>[^)'\n]+)'?\): (?P<why>\S.*)$",
        ..said("testthat", &[], &["[ FAIL "], "", "")
    },
    Row {
        failing: r"^(?P<id>\S[^\n]*): (?:Test Failed|Error During Test) at \S+:\d+$",
        none: r"^Test Summary: +\| +Total\b[^\n]*\n[^|\n]*\| +None\b",
        tasks: r"^Test Summary: ",
        ..said(
            "julia",
            &[],
            &[
                "tests passed",
                "Some tests did not pass",
                "errored during testing",
                "Test Summary: ",
            ],
            r"^ERROR: (?:LoadError: )?Some tests did not pass|^ERROR: Package \S+ errored during testing",
            r"^\s+Testing \S+ tests passed|^Test Summary: +\| Pass +Total\b",
        )
    },
    said(
        "karma",
        &["karma start", "ng test"],
        &["Executed "],
        r"Executed \d+ of \d+ (?:\([^)\n]*\) ?)*(?:\(\d+ FAILED\)|DISCONNECTED|ERROR)",
        r"Executed [1-9]\d* of \d+[^\n]* SUCCESS\b",
    ),
    Row {
        summary: r"^(?P<total>\d+) tests?, (?P<passed>\d+) passed, (?P<failed>\d+) failed(?:, \d+ skipped)?$",
        ..said("robot", &["robot"], &[" passed, "], "", "")
    },
    Row {
        summary: r"^(?P<total>\d+) scenarios? \([^)\n]*\)$",
        ..said(
            "cucumber",
            &["behave", "cucumber", "cucumber-js"],
            &[" scenario"],
            r"^\d+ scenarios? passed, [1-9]\d* failed|^\d+ scenarios? \([^)\n]*ambiguous",
            r"^[1-9]\d* scenarios? passed, 0 failed",
        )
    },
    Row {
        summary: r"^Ran \d+ test suites? [^\n]*: (?P<passed>\d+) tests? passed, (?P<failed>\d+) failed",
        failing: r"^\[FAIL[^\]\n]*\] (?P<id>\S+)",
        ..said("forge test", &["forge test"], &["Ran "], "", "")
    },
    said(
        "gleam test",
        &["gleam test"],
        &["failures"],
        r"^\d+ tests?, [1-9]\d* failures?$",
        r"^[1-9]\d* passed, no failures$",
    ),
    Row {
        none: r"^0 tests, 0 failures",
        ..said(
            "eunit",
            &["rebar3 eunit", "rebar3 ct"],
            &["Failed: ", " failures"],
            r"^Failed: [1-9]\d*\.\s+Skipped|^\d+ tests?, [1-9]\d* failures?",
            r"^[1-9]\d* tests?, 0 failures",
        )
    },
    Row {
        by_name: true,
        ..said(
            "opa test",
            &["opa test"],
            &["PASS: ", "FAIL: "],
            r"^FAIL: \d+/\d+",
            r"^PASS: [1-9]\d*/\d+",
        )
    },
];
