//! Each program of the table by outputs as it prints them.

use super::recognise::{Ended, named, seen};
use super::rows::COMMON;
use crate::derive::pattern::Pattern;

/// A program, what it printed, how it ended, how many failed of how many, and the failing ids.
type Case = (&'static str, &'static str, Ended, usize, Option<usize>, &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "cargo test",
        "test a::b ... ok\ntest a::c ... FAILED\n\nfailures:\n\n---- a::c stdout ----\nthread 'a::c' panicked at src/a.rs:3:5:\n\n\nfailures:\n    a::c\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\nerror: test failed, to rerun pass `--lib`\n",
        Ended::Failed,
        1,
        Some(2),
        &["a::c"],
    ),
    (
        "cargo test",
        "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\n\ntest result: ok. 4 passed; 0 failed; 0 ignored; 0 measured\n",
        Ended::Passed,
        0,
        Some(7),
        &[],
    ),
    (
        "cargo test",
        "        FAIL [   0.003s] core parser::empty\n     Summary [   0.014s] 12 tests run: 11 passed, 1 failed, 0 skipped\nerror: test run failed\n",
        Ended::Failed,
        1,
        Some(12),
        &["core parser::empty"],
    ),
    (
        "pytest",
        "=== short test summary info ===\nFAILED tests/test_a.py::test_x - assert 1 == 2\nERROR tests/test_b.py\n=== 1 failed, 3 passed, 2 warnings, 1 error in 0.12s ===\n",
        Ended::Failed,
        2,
        Some(5),
        &["tests/test_a.py::test_x", "tests/test_b.py"],
    ),
    ("pytest", "....\n4 passed in 0.03s\n", Ended::Passed, 0, Some(4), &[]),
    (
        "unittest",
        "FAIL: test_x (tests.test_a.TestA)\n----------\nRan 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)\n",
        Ended::Failed,
        2,
        Some(5),
        &["test_x (tests.test_a.TestA)"],
    ),
    ("unittest", "Ran 5 tests in 0.001s\n\nOK (skipped=1)\n", Ended::Passed, 0, Some(5), &[]),
    (
        "jest",
        "FAIL src/a.test.ts\n  ● sums › adds two\n\n    expect(1).toBe(2)\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 4 passed, 5 total\n",
        Ended::Failed,
        1,
        Some(5),
        &["src/a.test.ts › sums › adds two"],
    ),
    (
        "jest",
        "FAIL a.test.js\n  ● adds\n\n    no\n\nFAIL web src/b.test.ts (5.1 s)\n  ● Test suite failed to run\n\nFAIL a.test.js\n  ● adds\n\nTests:       1 failed, 1 total\n",
        Ended::Failed,
        1,
        Some(1),
        &["a.test.js › adds", "src/b.test.ts"],
    ),
    (
        "jest",
        "Test Suites: 2 passed, 2 total\nTests:       1 skipped, 9 passed, 10 total\n",
        Ended::Passed,
        0,
        Some(9),
        &[],
    ),
    (
        "vitest",
        " FAIL  src/a.test.ts > sums > adds\nAssertionError: x\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 12 passed (13)\n",
        Ended::Failed,
        1,
        Some(13),
        &["src/a.test.ts > sums > adds"],
    ),
    (
        "vitest",
        " Test Files  3 passed (3)\n      Tests  12 passed | 1 skipped (13)\n",
        Ended::Passed,
        0,
        Some(12),
        &[],
    ),
    (
        "vitest",
        " FAIL  src/b.test.ts [ src/b.test.ts ]\nError: Failed to resolve import\n Test Files  1 failed (1)\n      Tests  no tests\n",
        Ended::Failed,
        1,
        None,
        &["src/b.test.ts"],
    ),
    (
        "bun test",
        "(fail) sums > adds [1.20ms]\n\n 4 pass\n 1 fail\n 5 expect() calls\n",
        Ended::Failed,
        1,
        Some(5),
        &["sums > adds"],
    ),
    (
        "mocha",
        "  sums\n    1) adds two\n\n  3 passing (12ms)\n  1 pending\n  1 failing\n\n  1) sums\n       adds two:\n     AssertionError: no\n",
        Ended::Failed,
        1,
        Some(4),
        &["sums adds two"],
    ),
    ("mocha", "  3 passing (12ms)\n", Ended::Passed, 0, Some(3), &[]),
    (
        "node --test",
        "not ok 2 - adds\n# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n",
        Ended::Failed,
        1,
        Some(3),
        &["adds"],
    ),
    ("node --test", "ℹ tests 3\nℹ pass 3\nℹ fail 0\n", Ended::Passed, 0, Some(3), &[]),
    (
        "go test",
        "--- FAIL: TestAdd (0.00s)\n    a_test.go:9: no\nFAIL\nFAIL\texample.com/a\t0.004s\nok  \texample.com/b\t0.002s\nFAIL\n",
        Ended::Failed,
        1,
        None,
        &["TestAdd"],
    ),
    (
        "go test",
        "ok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]\n",
        Ended::Passed,
        0,
        None,
        &[],
    ),
    (
        "rspec",
        "10 examples, 2 failures\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:3 # A adds\n",
        Ended::Failed,
        2,
        Some(10),
        &["./spec/a_spec.rb:3"],
    ),
    (
        "phpunit",
        "1) Tests\\ATest::testAdd\nFailed asserting\n\nFAILURES!\nTests: 3, Assertions: 5, Failures: 1, Errors: 1.\n",
        Ended::Failed,
        2,
        Some(3),
        &["Tests\\ATest::testAdd"],
    ),
    ("phpunit", "OK (3 tests, 5 assertions)\n", Ended::Passed, 0, Some(3), &[]),
    (
        "ctest",
        "90% tests passed, 1 tests failed out of 10\n\nThe following tests FAILED:\n\t  3 - parse (Failed)\n",
        Ended::Failed,
        1,
        Some(10),
        &["parse"],
    ),
    (
        "swift test",
        "Test Case '-[ATests.A testAdd]' failed (0.1 seconds).\nExecuted 4 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds\n",
        Ended::Failed,
        1,
        Some(4),
        &["ATests.A testAdd"],
    ),
    (
        "gradle",
        "ATest > adds FAILED\n    java.lang.AssertionError\n5 tests completed, 1 failed\nBUILD FAILED in 3s\n",
        Ended::Failed,
        1,
        Some(5),
        &["ATest > adds"],
    ),
    ("gradle", "BUILD SUCCESSFUL in 3s\n", Ended::Passed, 0, None, &[]),
    (
        "maven",
        "[ERROR]   ATest.adds:9 expected: <1> but was: <2>\n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n",
        Ended::Failed,
        1,
        Some(5),
        &["ATest.adds"],
    ),
    (
        "dotnet",
        "  Failed A.Adds [3 ms]\nFailed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 9 ms\n",
        Ended::Failed,
        1,
        Some(5),
        &["A.Adds"],
    ),
    (
        "dotnet",
        "Geçti!  - Kaldı:     0, Geçti:   222, Atlanan:     0, Toplam:   222, Süre: 655 ms - A.Tests.dll (net8.0)\n",
        Ended::Passed,
        0,
        Some(222),
        &[],
    ),
    (
        "dotnet",
        "[xUnit.net 00:00:02.90]     A.Tests.Adds(n: 2) [FAIL]\n",
        Ended::Failed,
        1,
        None,
        &["A.Tests.Adds(n: 2)"],
    ),
    (
        "dotnet build",
        "C:\\p\\A.cs(38,13): error CS1501: none takes 3 [C:\\p\\A.csproj]\nC:\\p\\A.csproj : error NU1603: no x\nerror CA1304: no culture\n",
        Ended::Failed,
        3,
        None,
        &["CS1501 | none takes 3 | C:\\p\\A.cs", "NU1603 | no x", "CA1304 | no culture"],
    ),
    (
        "dotnet build",
        "    2 Uyarı\n    0 Hata\n\nGeçen Süre 00:00:02.82\n",
        Ended::Passed,
        0,
        None,
        &[],
    ),
    (
        "bats",
        "1..2\nok 1 starts\nnot ok 2 clears the cache\n# (in test file a.bats, line 5)\n",
        Ended::Failed,
        1,
        None,
        &["clears the cache"],
    ),
    ("bats", "1..1\nok 1 starts\n", Ended::Passed, 0, None, &[]),
    // Where all tests were skipped nobody knows whether they pass.
    (
        "bats",
        "1..2\nok 1 starts # skip no key here\nok 2 stops # skip\n",
        Ended::Unknown,
        0,
        Some(0),
        &[],
    ),
    ("bats", "1..2\nok 1 starts # skip no key\nok 2 stops\n", Ended::Passed, 0, None, &[]),
    ("pytest", "sss\n3 skipped in 0.03s\n", Ended::Unknown, 0, Some(0), &[]),
    ("pytest", "3 skipped, 1 warning in 0.03s\n", Ended::Unknown, 0, Some(0), &[]),
    ("pytest", "5 deselected, 1 skipped in 0.1s\n", Ended::Unknown, 0, Some(0), &[]),
    // What is expected to fail runs, too.
    ("pytest", "3 skipped, 2 xfailed in 0.1s\n", Ended::Passed, 0, None, &[]),
    ("pytest", "1 skipped, 2 xpassed in 0.1s\n", Ended::Passed, 0, None, &[]),
    // What passed before stands in a summary of its own.
    (
        "vitest",
        "      Tests  30 passed (30)\n      Tests  2 skipped (2)\n",
        Ended::Passed,
        0,
        Some(30),
        &[],
    ),
    ("vitest", "      Tests  2 skipped (2)\n", Ended::Unknown, 0, Some(0), &[]),
    ("pytest", "1 failed in 0.1s\n2 skipped in 0.1s\n", Ended::Unknown, 0, Some(0), &[]),
    ("unittest", "Ran 5 tests in 0.001s\n\nOK (skipped=5)\n", Ended::Unknown, 0, Some(0), &[]),
    (
        "cargo test",
        "test result: ok. 0 passed; 0 failed; 4 ignored; 0 measured\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured\n",
        Ended::Unknown,
        0,
        Some(0),
        &[],
    ),
    (
        "cargo test",
        "test result: ok. 3 passed; 0 failed; 3 ignored; 0 measured\n",
        Ended::Passed,
        0,
        Some(3),
        &[],
    ),
    ("rspec", "5 examples, 0 failures, 5 pending\n", Ended::Unknown, 0, Some(0), &[]),
    ("rspec", "5 examples, 0 failures, 2 pending\n", Ended::Passed, 0, Some(5), &[]),
    (
        "ruff",
        "F401 [*] `a.b` imported but unused\n  --> a.py:12:5\n   |\n\nFound 1 error.\n",
        Ended::Failed,
        1,
        Some(1),
        &["F401 [*] `a.b` imported but unused"],
    ),
    (
        "rustc",
        "error[E0425]: cannot find value `x` in this scope\n --> src/a.rs:3:5\n\nerror: could not compile `a` (lib) due to 1 previous error\n",
        Ended::Failed,
        1,
        None,
        &["E0425 | cannot find value `x` in this scope | src/a.rs"],
    ),
    (
        "rustc",
        "    Finished `dev` profile [unoptimized] target(s) in 0.1s\n",
        Ended::Passed,
        0,
        None,
        &[],
    ),
    (
        "tsc",
        "src/a.ts(3,5): error TS2322: Type 'x' is not assignable.\n",
        Ended::Failed,
        1,
        None,
        &["TS2322 | Type 'x' is not assignable. | src/a.ts"],
    ),
    (
        "eslint",
        "/p/a.ts\n  3:5  error  'x' is not used  no-unused-vars\n\n✖ 2 problems (1 error, 1 warning)\n",
        Ended::Failed,
        1,
        Some(1),
        &["no-unused-vars | 'x' is not used"],
    ),
    ("eslint", "✖ 2 problems (0 errors, 2 warnings)\n", Ended::Passed, 0, None, &[]),
    (
        "ruff",
        "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n",
        Ended::Failed,
        1,
        Some(1),
        &["F401 | `os` imported but unused | a.py"],
    ),
    ("ruff", "All checks passed!\n", Ended::Passed, 0, None, &[]),
    (
        "mypy",
        "a.py:3: error: Name \"x\" is not defined  [name-defined]\nFound 1 error in 1 file (checked 2 source files)\n",
        Ended::Failed,
        1,
        Some(1),
        &["name-defined | Name \"x\" is not defined | a.py"],
    ),
    ("mypy", "Success: no issues found in 2 source files\n", Ended::Passed, 0, None, &[]),
    ("go build", "a.go:3:5: undefined: x\n", Ended::Failed, 1, None, &["undefined: x | a.go"]),
];

#[test]
fn each_program_is_understood() {
    for (name, output, ended, failed, total, ids) in CASES {
        let found = seen(&[name], output, false);
        let [found] = found.as_slice() else {
            panic!("{name}: {} readings of {output}", found.len())
        };
        assert_eq!((found.name, found.ended), (*name, *ended), "{output}");
        assert_eq!((found.failed, found.total), (*failed, *total), "{name}: {output}");
        let told: Vec<_> = found.failing.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(told, *ids, "{name}: {output}");
    }
}

#[test]
fn every_program_of_the_table_is_tried_or_needs_no_words() {
    let tried: Vec<_> = CASES.iter().map(|case| case.0).collect();
    let left: Vec<_> =
        COMMON.iter().map(|row| row.name).filter(|name| !tried.contains(name)).collect();
    assert_eq!(left, ["playwright"]);
}

#[test]
fn every_pattern_compiles() {
    for row in COMMON {
        for pattern in
            [row.summary, row.bad, row.finds, row.good, row.none, row.skipped, row.failing]
        {
            assert!(Pattern::new(pattern).is_sound(), "{}: {pattern}", row.name);
        }
    }
}

#[test]
fn prose_about_tests_is_no_summary() {
    let prose = "Then 3 tests failed, and 10 passed. The build failed.\nAll tests passed!\n";
    assert_eq!(seen(&[], prose, false), []);
}

#[test]
fn commands_name_their_programs() {
    assert_eq!(named("cargo test -p core"), ["cargo test", "rustc"]);
    assert_eq!(named("python -m pytest tests/x.py"), ["pytest"]);
    assert_eq!(named("npx vitest run"), ["vitest"]);
    assert_eq!(named(r".\.venv\Scripts\python.exe -m pytest"), ["pytest"]);
    assert_eq!(named(r".\gradlew.bat test"), ["gradle", "jvm build"]);
    assert!(named("npm test").is_empty());
    assert!(named("echo attest").is_empty());
}
