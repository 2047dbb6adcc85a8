//! What failed in a run, by what its program names.

use super::recognise::Failing;
use super::rows::Row;
use crate::derive::pattern::{Groups, Pattern};
use crate::derive::text;

/// How many ids are kept of a run.
const MOST: usize = 60;
/// How many characters of a name are kept.
const CHARS: usize = 160;

/// Finds what a pattern names, each once, in the order of the output.
pub(super) fn all(row: &Row, pattern: &Pattern, output: &str) -> Vec<Failing> {
    let mut found = Found::default();
    for groups in pattern.all_groups(output) {
        match groups.named("file") {
            Some(file) => found.open(file),
            None if groups.named("spare").is_some() => found.spare.push(groups),
            None => found.add(failing(row, &groups, found.file)),
        }
    }
    found.close();
    if found.all.is_empty() {
        let spare = std::mem::take(&mut found.spare);
        spare.iter().for_each(|groups| found.push(failing(row, groups, None)));
    }
    found.all
}

/// What was found so far.
#[derive(Default)]
struct Found<'o> {
    all: Vec<Failing>,
    /// The file of which the tests that failed are named next.
    file: Option<&'o str>,
    /// Whether one was.
    has_test: bool,
    /// What is named where nothing else is.
    spare: Vec<Groups<'o>>,
}

impl<'o> Found<'o> {
    fn open(&mut self, file: &'o str) {
        self.close();
        let is_of_file = |one: &Failing| one.id.starts_with(&format!("{file} "));
        (self.file, self.has_test) = (Some(file), self.all.iter().any(is_of_file));
    }

    /// Names the file itself, where none of its tests was.
    fn close(&mut self) {
        let file = self.file.take().filter(|_| !self.has_test);
        let id = file.map(|file| text::line(file, CHARS)).unwrap_or_default();
        self.push(Failing { id, why: None });
    }

    fn add(&mut self, one: Failing) {
        self.has_test |= !one.id.is_empty();
        self.push(one);
    }

    fn push(&mut self, one: Failing) {
        // With its package or without; a bare name may be that of another.
        let is_known = self.all.iter().any(|other| {
            let before = other.id.strip_suffix(one.id.as_str());
            let is_same = |before: &str| before.ends_with('.') && one.id.contains('.');
            before.is_some_and(|before| before.is_empty() || is_same(before))
        });
        if !one.id.is_empty() && !is_known && self.all.len() < MOST {
            self.all.push(one);
        }
    }
}

/// Reads one that failed, of the tests of `file` where one was named before.
fn failing(row: &Row, groups: &Groups<'_>, file: Option<&str>) -> Failing {
    let first = |names: &[&str]| names.iter().find_map(|name| groups.named(name)).map(str::trim);
    let id = first(&["id", "id2", "id3", "id4", "spare"]);
    let why = first(&["why", "why2", "why3"]).map(|why| text::line(why, CHARS));
    let id = match row.unit {
        "error" => [id, why.as_deref(), first(&["at", "at2", "at3"])]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" | "),
        _ => {
            // A heading of the program's is no name.
            let whole = id.map(|id| file.into_iter().chain([id]).collect::<Vec<_>>().join(" › "));
            text::line(&whole.unwrap_or_default(), CHARS)
        }
    };
    Failing { id, why }
}

#[cfg(test)]
mod tests {
    use super::super::recognise::{named, seen};
    use super::super::runs::main;

    /// Outputs in which tests failed, with what failed.
    const NAMED: &[(&str, &str, &[&str])] = &[
        (
            "cargo test",
            "test src/lib.rs - add (line 3) ... FAILED\ntest src/lib.rs - sub (line 9) - compile fail ... FAILED\ntest src/lib.rs - a::B (line 12) ... ok\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n",
            &["src/lib.rs - add (line 3)", "src/lib.rs - sub (line 9)"],
        ),
        (
            "playwright",
            "  1) cart.spec.ts:8:3 › cart › adds ─────\n\n  1 failed\n    cart.spec.ts:8:3 › cart › adds ───\n  1 passed (2.3s)\n",
            &["cart.spec.ts:8:3 › cart › adds"],
        ),
        (
            "go test",
            "panic: test timed out after 30s\n\trunning tests:\n\t\tTestSlow (30s)\n\t\tTestMore/slow (1m30s)\n\ngoroutine 18 [running]:\nFAIL\tp/slow\t30.012s\nFAIL\n",
            &["TestSlow", "TestMore/slow"],
        ),
        (
            "go test",
            "{\"Time\":\"x\",\"Action\":\"run\",\"Package\":\"p/a\",\"Test\":\"TestA\"}\n{\"Time\":\"x\",\"Action\":\"fail\",\"Package\":\"p/a\",\"Test\":\"TestA\",\"Elapsed\":0}\n{\"Time\":\"x\",\"Action\":\"fail\",\"Package\":\"p/a\",\"Elapsed\":0.003}\n",
            &["TestA"],
        ),
        (
            "swift test",
            "✘ Test \"sums prices\" recorded an issue at A.swift:9:5: no\n✘ Test \"sums prices\" failed after 0.001 seconds with 1 issue.\n✘ Test adds(n:) failed after 0.001 seconds with 1 issue.\n✘ Test run with 2 tests failed after 0.001 seconds with 2 issues.\n",
            &["\"sums prices\"", "adds(n:)"],
        ),
        (
            "dotnet",
            "    /p/A.cs(12): error TESTERROR: \n      P.Tests.Sums (5ms): Error Message: no\nTest summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.1s\n",
            &["P.Tests.Sums"],
        ),
        (
            "catch2",
            "-------------------------------------------------------------------------------\nCart sums prices\n  in euros\n-------------------------------------------------------------------------------\n/p/cart.cpp:7\n...............................................................................\n\n/p/cart.cpp:9: FAILED:\n\ntest cases: 2 | 1 passed | 1 failed\n",
            &["Cart sums prices"],
        ),
        (
            "meson test",
            "1/2 lex         OK              0.01s\n2/2 parse all   FAIL            0.02s   exit status 1\n\nOk:                 1   \nExpected Fail:      0   \nFail:               1   \n",
            &["parse all"],
        ),
        (
            "dune",
            "  [OK]          order          0   keeps order.\n> [FAIL]        sum            0   sums prices.\n\n1 failure! in 0.001s. 2 tests run.\n",
            &["sum 0 sums prices"],
        ),
        (
            "sbt",
            "==> X CartSuite.sums prices  0.021s munit.ComparisonFailException: x\n[error] Failed: Total 2, Failed 1, Errors 0, Passed 1\n",
            &["CartSuite.sums prices"],
        ),
        (
            "sbt",
            "[info] - should sum prices *** FAILED ***\n[info] Tests: succeeded 1, failed 1, canceled 0\n",
            &["should sum prices"],
        ),
        (
            "testthat",
            "Failure (test-a.R:7:3): sums prices\nError ('test-b.R:9:1'): reads\n[ FAIL 2 | WARN 0 | SKIP 0 | PASS 2 ]\n",
            &["test-a.R:7:3", "test-b.R:9:1"],
        ),
        (
            "julia",
            "sums: Test Failed at /p/test/runtests.jl:7\nERROR: LoadError: Some tests did not pass: 1 passed, 1 failed\n",
            &["sums"],
        ),
        (
            "cypress",
            "  Cart\n    1) adds an item\n\n  1 failing\n\n  1) Cart\n       adds an item:\n     AssertionError: no\n\n    ✖  1 of 1 failed (100%)                     00:02\n",
            &["Cart adds an item"],
        ),
        (
            "jest",
            "FAIL web a.test.js\n  ● adds:\n\n    no\n\nFAIL my app src/b.test.js\n  ● subs\n\n    no\n\nFAIL b.spec.vue\n  ● Cart › shows\n\nFAIL src/my tests/c.test.js (5.1 s)\n  ● sums\n\nTests:       4 failed, 4 total\n",
            &[
                "a.test.js › adds:",
                "src/b.test.js › subs",
                "b.spec.vue › Cart › shows",
                "src/my tests/c.test.js › sums",
            ],
        ),
        ("mocha", "  sums\n    1) adds two\n\n  3 passing (3ms)\n  1 failing\n", &["adds two"]),
        ("mocha", "    1) adds two\n  3 passing (3ms)\n  1 failing\n  1) sums\n", &["adds two"]),
        (
            "playwright",
            "  1) [chromium] › my tests/a.spec.ts:3:1 › adds ───\n  2) my tests/a.spec.ts:9:1 › subs ───\n  3) [setup] › a.setup.ts › logs in ───\n\n  3 failed\n  1 passed (2.3s)\n",
            &[
                "[chromium] › my tests/a.spec.ts:3:1 › adds",
                "my tests/a.spec.ts:9:1 › subs",
                "[setup] › a.setup.ts › logs in",
            ],
        ),
    ];

    /// Commands with what they printed and what that names.
    const ERRORS: &[(&str, &str, &[&str])] = &[
        (
            "./gradlew build",
            "> Task :app:compileKotlin FAILED\ne: file:///p/App.kt:7:13 Unresolved reference 'total'.\ne: /p/B.kt: (9, 5): Expecting an element\nBUILD FAILED in 3s\n",
            &["Unresolved reference 'total'. | /p/App.kt", "Expecting an element | /p/B.kt"],
        ),
        (
            "./gradlew compileJava",
            "/p/App.java:7: error: cannot find symbol\n    return total;\n           ^\nBUILD FAILED in 812ms\n",
            &["cannot find symbol | /p/App.java"],
        ),
        (
            "mvn -q compile",
            "[ERROR] COMPILATION ERROR : \n[ERROR] /p/App.java:[7,16] cannot find symbol\n[ERROR] Failed to execute goal x:compile (default-compile) on project app: Compilation failure\n",
            &["cannot find symbol | /p/App.java"],
        ),
        (
            "golangci-lint run",
            "a.go:7:9: undefined: total (typecheck)\n\treturn total\n\t       ^\n",
            &["typecheck | undefined: total | a.go"],
        ),
        (
            "pyright",
            "/p/a.py\n  /p/a.py:7:12 - error: \"total\" is not defined (reportUndefinedVariable)\n1 error, 0 warnings, 0 informations \n",
            &["reportUndefinedVariable | \"total\" is not defined | /p/a.py"],
        ),
        (
            "mypy --pretty src",
            "src/a.py:7: error: Incompatible return value type (got \"str\", expected\n\"int\")  [return-value]\nFound 1 error in 1 file (checked 4 source files)\n",
            &["Incompatible return value type (got \"str\", expected | src/a.py"],
        ),
        (
            "npx eslint src",
            "/p/a.ts\n  7:10  error  Parsing error: ';' expected\n\n✖ 1 problem (1 error, 0 warnings)\n",
            &["Parsing error: ';' expected"],
        ),
        (
            "npx biome check src",
            "src/a.ts:7:3 lint/style/useConst  FIXABLE  ━━━━\n\n  × This let is only assigned once.\n  \n  > 7 │ let a\n\nsrc/b.ts:9:1 lint/x/noConsole ━━━\n\n  ! Do not.\n\nChecked 4 files in 5ms. No fixes applied.\nFound 1 error.\n",
            &["lint/style/useConst | This let is only assigned once. | src/a.ts"],
        ),
        (
            "dart analyze",
            "  error - lib/a.dart:7:10 - Undefined name 'total'. Try it. - undefined_identifier\n   info - lib/b.dart:1:1 - Use x. - prefer_x\n\n2 issues found.\n",
            &["undefined_identifier | Undefined name 'total'. Try it. | lib/a.dart"],
        ),
        (
            "npx vite build",
            "x Build failed in 312ms\nerror during build:\nsrc/a.ts (7:9): \"total\" is not exported by \"src/b.ts\".\n",
            &["src/a.ts (7:9): \"total\" is not exported by \"src/b.ts\"."],
        ),
        (
            "npx next build",
            " ✓ Compiled successfully\nFailed to compile.\n\n./src/app/page.tsx:7:3\nType error: Type 'string' is not a number.\n",
            &["Type error: Type 'string' is not a number. | ./src/app/page.tsx"],
        ),
        (
            "npx esbuild a.ts",
            "✘ [ERROR] Could not resolve \"./total\"\n\n    a.ts:1:22:\n1 error\n",
            &["Could not resolve \"./total\""],
        ),
        (
            "ninja -C build",
            "/usr/bin/ld: main.c:(.text+0x1a): undefined reference to `total'\ncollect2: error: ld returned 1 exit status\nninja: build stopped: subcommand failed.\n",
            &["undefined reference to `total' | main.c"],
        ),
        (
            "./build/tests",
            "==4242==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\nSUMMARY: AddressSanitizer: heap-buffer-overflow /p/a.c:7:10 in sum\n",
            &["AddressSanitizer: heap-buffer-overflow /p/a.c:7:10 in sum"],
        ),
        (
            "cmake -S . -B build",
            "CMake Error at CMakeLists.txt:9 (find_package):\n  By not providing \"Findfmt.cmake\"\n-- Configuring incomplete, errors occurred!\n",
            &["By not providing \"Findfmt.cmake\" | CMakeLists.txt"],
        ),
        (
            "terraform plan",
            "╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 7, in resource:\n╵\n",
            &["Unsupported argument"],
        ),
        (
            "elm make src/Main.elm",
            "Compiling ...-- NAMING ERROR ----------------- src/Cart.elm\n\nI cannot find a `total` variable:\n",
            &["NAMING ERROR | src/Cart.elm"],
        ),
    ];

    #[test]
    fn errors_are_named_with_their_files() {
        for (command, output, ids) in ERRORS {
            let told = seen(&named(command), output, false);
            let main = main(&told).unwrap_or_else(|| panic!("{command}: {output}"));
            let found: Vec<_> = main.failing.iter().map(|one| one.id.as_str()).collect();
            assert_eq!((main.unit, &found[..]), ("error", *ids), "{command}");
        }
    }

    #[test]
    fn tests_that_failed_are_named() {
        for (name, output, ids) in NAMED {
            let told = seen(&[name], output, false);
            let main = main(&told).unwrap_or_else(|| panic!("{name}: {output}"));
            let found: Vec<_> = main.failing.iter().map(|one| one.id.as_str()).collect();
            assert_eq!(found, *ids, "{name}");
        }
    }
}
