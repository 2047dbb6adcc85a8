//! The programs of the table that build, or only look at how text is written.

use super::testing::said;
use super::{PLAIN, Row};

/// A row as [`said`], of a program that counts errors.
const fn looks(
    name: &'static str,
    cues: &'static [&'static str],
    marks: &'static [&'static str],
    bad: &'static str,
    good: &'static str,
) -> Row {
    Row { unit: "error", ..said(name, cues, marks, bad, good) }
}

/// A row as [`looks`], whose words are so plain that only the program itself is taken at them.
const fn plain(
    name: &'static str,
    cues: &'static [&'static str],
    marks: &'static [&'static str],
    bad: &'static str,
) -> Row {
    Row { by_name: true, ..looks(name, cues, marks, bad, "") }
}

/// Programs that build, or look at how text is written.
pub(super) const LOOKING: &[Row] = &[
    Row {
        name: "swift build",
        unit: "error",
        cues: &["swift build", "swift test", "xcodebuild"],
        marks: &["error: ", "Build complete!", "** BUILD"],
        bad: r"^\*\* BUILD FAILED \*\*",
        finds: r"^\S+\.swift:\d+:\d+: error: ",
        holds: true,
        good: r"^Build complete!|^\*\* BUILD SUCCEEDED \*\*",
        failing: r"^(?P<at>\S+\.swift):\d+:\d+: error: (?P<why>.+)$",
        ..PLAIN
    },
    Row {
        name: "go build",
        unit: "error",
        cues: &["go build", "go vet", "go run", "go test"],
        marks: &[".go:"],
        bad: r"^\S+\.go:\d+:\d+: ",
        failing: r"^(?P<at>\S+\.go):\d+:\d+: (?P<why>.+)$",
        ..PLAIN
    },
    Row {
        name: "cc",
        unit: "error",
        cues: &["gcc", "g++", "clang", "cc", "cmake --build", "ninja"],
        marks: &["error: ", " error C", "ninja: build stopped"],
        bad: r"^[^\s:]+:\d+:\d+: (?:fatal )?error: |^make(?:\[\d+\])?: \*\*\* |^ninja: build stopped: |^[^\n(]+\(\d+(?:,\d+)?\): (?:fatal )?error C\d+: ",
        stops: r"^g?make: \*\*\* |^ninja: build stopped: ",
        failing: r"^(?P<at>[^\s:]+):\d+:\d+: (?:fatal )?error: (?P<why>.+)$|^(?:\S*ld(?:\.\w+)?: )?(?P<at2>[^\s:]+):(?:\([^)\n]*\)|\d+): (?P<why2>undefined reference to .+)$|^(?P<at3>[^\n(]+)\(\d+(?:,\d+)?\): (?:fatal )?error (?P<why3>C\d+: .+)$",
        ..PLAIN
    },
    Row {
        // What it corrected is not left.
        summary: r"^\d+ files? inspected, (?P<failed>\d+) offenses? detected(?:, (?P<mended>\d+) offenses? (?:auto)?corrected)?",
        failing: r"^(?P<at>[^\s:]+):\d+:\d+: [CWEF]: (?:\[Correctable\] )?(?P<id>[\w/]+): (?P<why>.+)$",
        ..looks(
            "rubocop",
            &["rubocop", "standardrb"],
            &[" inspected, "],
            "",
            r"^\d+ files? inspected, no offenses detected",
        )
    },
    Row {
        summary: r"^\s*\[ERROR\] Found (?P<failed>\d+) errors?",
        ..looks(
            "phpstan",
            &["phpstan", "psalm"],
            &["[ERROR] ", "[OK] ", "No errors found!"],
            r"^\s*\[ERROR\] Found \d+ errors?",
            r"^\s*\[OK\] No errors|^\s*No errors found!",
        )
    },
    plain("phpcs", &["phpcs"], &["FOUND "], r"^FOUND \d+ ERRORS?"),
    Row {
        by_name: true,
        // The first is at peace with what it only informs of, the second is not.
        failing: r"^\s*(?:error|warning) - (?P<at>\S+?):\d+:\d+ - (?P<why>.+) - (?P<id>\w+)$|^\s*(?:error|warning|info) • (?P<why2>.+) • (?P<at2>\S+?):\d+:\d+ • (?P<id2>\w+)$",
        finds: r"^\s*(?:error|warning) - |^\d+ issues? found\. \(ran in ",
        ..looks(
            "dart analyze",
            &["dart analyze", "flutter analyze"],
            &[" found", "No issues found!"],
            "",
            r"^No issues found!",
        )
    },
    Row {
        failing: r"^(?P<at>\S+\.go):\d+:\d+: (?P<why>.+) \((?P<id>\w+)\)$",
        // Older ones count nothing.
        finds: r"^\S+\.go:\d+:\d+: [^\n]+ \(\w+\)\n[^\n]*\n\s+\^$",
        ..looks(
            "golangci-lint",
            &["golangci-lint"],
            &[" issues", ".go:"],
            r"^[1-9]\d* issues:",
            r"^0 issues\.",
        )
    },
    Row {
        failing: r"^\[error\] (?P<at>\S[^\n]*?): (?P<why>SyntaxError: .+?)(?: \(\d+:\d+\))?$",
        ..looks(
            "prettier",
            &["prettier"],
            &["Prettier code style", "Code style issues", "checking code style"],
            // Older ones say of files that they could not read, too, that all is well.
            r"^(?:\[warn\] )?Code style issues (?:were )?found in |^\[error\] \S[^\n]*: SyntaxError: [^\n]*\n(?:\[error\] [^\n]*\n)*All matched files use Prettier code style!|^(?:\[error\] )?Error occurred when checking code style in ",
            r"^All matched files use Prettier code style!",
        )
    },
    looks(
        "black",
        &["black"],
        &["would be "],
        r"^\d+ files? would be reformatted",
        r"^\d+ files? would be left unchanged\.",
    ),
    Row {
        failing: r"^(?P<at>[^\s:]+):\d+:\d+ (?P<id>\w+(?:/\w+)*)\s[^\n]*\n\s*\n\s+× (?P<why>[^\n]+)$",
        ..looks(
            "biome",
            &[],
            &["Checked "],
            r"^Checked \d+ files? in [^\n]*\nFound [1-9]\d* errors?\.",
            r"^Checked \d+ files? in [\d.]+\s?(?:m|µ)?s\. (?:No fixes|Fixed \d)",
        )
    },
    Row {
        summary: r"^Found \d+ warnings? and (?P<failed>\d+) errors?\.",
        ..looks("oxlint", &["oxlint"], &[" warnings and ", " warning and "], "", "")
    },
    Row {
        by_name: true,
        ..looks(
            "deno lint",
            &["deno lint", "deno check"],
            &["Checked ", "Found ", "error: Type checking failed", "[ERROR]"],
            r"^Found \d+ problems?$|^error: Type checking failed|^TS\d+ \[ERROR\]: ",
            r"^Checked \d+ files?$",
        )
    },
    Row {
        by_name: true,
        ..looks(
            "terraform validate",
            &["terraform validate", "tofu validate"],
            &["Success! The configuration", "Error: "],
            r"^(?:│ )?Error: ",
            r"^Success! The configuration is valid",
        )
    },
    Row {
        by_name: true,
        failing: r"^(?:\S+:\d+: )?LaTeX Warning: (?P<id>(?:Reference|Citation) `[^'\n]+') [^\n]*undefined|^! (?P<id2>[^\n]+)$",
        ..looks(
            "latexmk",
            &["latexmk"],
            &["Latexmk: ", "LaTeX Warning: ", "! "],
            r"^! \S|^LaTeX Warning: There were undefined references|^Latexmk: Errors, so I did not complete",
            r"^Latexmk: All targets \([^\n]*\) are up-to-date",
        )
    },
    looks(
        "helm lint",
        &["helm lint"],
        &["chart(s) linted"],
        r"chart\(s\) linted, [1-9]\d* chart\(s\) failed",
        r"chart\(s\) linted, 0 chart\(s\) failed",
    ),
    looks(
        "ansible-lint",
        &["ansible-lint"],
        &[" failure(s)"],
        r"^Failed: \d+ failure\(s\)",
        r"^Passed: 0 failure\(s\)",
    ),
    Row {
        by_name: true,
        ..looks(
            "openspec",
            &["openspec validate"],
            &["is valid", "Totals: ", "has issues", "is invalid"],
            r"^Totals: \d+ passed, [1-9]\d* failed|^\w+ '[^'\n]+' (?:has issues|is invalid)",
            r"^Totals: [1-9]\d* passed, 0 failed|^\w+ '[^'\n]+' is valid$",
        )
    },
    Row {
        none: r"^\S[^\n]*\.{3}\(no files to check\)Skipped$",
        ..looks(
            "pre-commit",
            &["pre-commit run", "prek run"],
            &["...Failed", "...Passed", "...(no files to check)"],
            r"^\S[^\n]*\.{3}(?i:failed)$",
            r"^\S[^\n]*\.{3}Passed$",
        )
    },
    looks(
        "swiftlint",
        &["swiftlint"],
        &["Done linting! "],
        r"^Done linting! Found \d+ violations?, [1-9]\d* serious",
        r"^Done linting! Found \d+ violations?, 0 serious",
    ),
    looks(
        "cargo deny",
        &["cargo deny"],
        &["advisories ", "licenses ", "bans ", "sources "],
        r"\b(?:advisories|bans|licenses|sources) FAILED\b",
        r"^(?:advisories|bans|licenses|sources) ok\b",
    ),
    Row {
        failing: r"^error during build:\n(?P<id>[^\n]+)$|^Failed to compile\.\n\s*\n(?P<at>\S+?):\d+:\d+\n(?P<why>[^\n]+)$|^✘ \[ERROR\] (?P<id2>[^\n]+?)(?: \[plugin [^\]\n]+\])?$",
        finds: r"^✘ \[ERROR\] ",
        ..looks(
            "js build",
            &["esbuild", "next build", "ng build", "vite build", "webpack"],
            &["error during build:", "built in ", "compiled ", "ompile", "✘ [ERROR] "],
            r"^error during build:|^Failed to compile\.|^> (?:Export encountered|Build failed because of) |^webpack [\d.]+ compiled with [1-9]\d* errors?",
            r"^✓ built in |^\s*✓ Compiled successfully|^webpack [\d.]+ compiled (?:successfully|with \d+ warnings? in)",
        )
    },
    looks(
        "ty",
        &["ty check"],
        &["Found ", "All checks passed!"],
        r"^Found \d+ diagnostics?$",
        r"^All checks passed!",
    ),
    looks(
        "turbo",
        &[],
        &[" successful, ", " ERROR  run failed", "Successfully ran target", " NX "],
        r"^ ERROR  run failed|^\s*Failed:\s+\S+#\S+|^\s*✖\s+\d+/\d+ (?:targets )?failed",
        r"^\s*Tasks:\s+\d+ successful, \d+ total|^\s*NX\s+Successfully ran targets? ",
    ),
    looks(
        "docker build",
        &["docker build", "docker buildx build", "podman build"],
        &["failed to ", "naming to ", "Successfully built ", "non-zero code"],
        r"^ERROR: failed to (?:solve|build)|returned a non-zero code: ",
        r"^Successfully built [0-9a-f]{12}$|\bnaming to \S+ (?:[\d.]+s )?done",
    ),
    plain(
        "flake8",
        &["flake8", "pycodestyle", "pylint"],
        &[": "],
        r"^[^\s:]+:\d+:\d+: [A-Z]+\d+:? ",
    ),
    plain(
        "shellcheck",
        &["shellcheck"],
        &["SC"],
        r"^In \S+ line \d+:$|^\S+:\d+:\d+: (?:error|warning|note|info|style): ",
    ),
    plain("hadolint", &["hadolint"], &["DL", "SC"], r"^\S+:\d+ (?:DL|SC)\d+ "),
    plain("actionlint", &["actionlint"], &[".yml:", ".yaml:"], r"^\S+\.ya?ml:\d+:\d+: .*\]$"),
    plain("yamllint", &["yamllint"], &["error"], r"^\s+\d+:\d+\s+error\s|:\d+:\d+: \[error\] "),
    plain(
        "markdownlint",
        &["markdownlint", "markdownlint-cli2"],
        &["MD"],
        r"^\S+:\d+(?::\d+)? (?:error )?MD\d{3}",
    ),
    Row {
        summary: r"^svelte-check found (?P<failed>\d+) errors?",
        ..looks("svelte-check", &["svelte-check"], &["svelte-check found "], "", "")
    },
    Row {
        summary: r"^Result \(\d+ files?\): *\n- (?P<failed>\d+) errors?",
        ..looks("astro check", &["astro check"], &["Result ("], "", "")
    },
    Row {
        by_name: true,
        failing: r"^(?:│ )?Error: (?P<id>.+)$",
        finds: r"^(?:│ )?Error: ",
        ..looks(
            "terraform plan",
            &["terraform plan", "tofu plan"],
            &["No changes. ", "Plan: ", "Error: "],
            "",
            r"^No changes\. |^Plan: \d+ to ",
        )
    },
    Row {
        by_name: true,
        ..looks(
            "credo",
            &["mix credo"],
            &[", found "],
            r"^\d+ mods?/funs?, found \d+ ",
            r"^\d+ mods?/funs?, found no issues\.",
        )
    },
    Row {
        by_name: true,
        failing: r"^(?:Compiling \.\.\.)?-- (?P<id>[A-Z][A-Z ]+[A-Z]) -{3,} (?P<at>\S+)$",
        finds: r"^(?:Compiling \.\.\.)?-- [A-Z][A-Z ]+[A-Z] -{3,} ",
        ..looks("elm make", &["elm make"], &["-- ", "Success! "], "", r"^Success! ")
    },
    Row {
        // What Gradle and Maven build with.
        failing: r"^(?P<at>\S+\.java):\d+: error: (?P<why>.+)$|^e: (?:file://)?(?P<at2>\S+?\.kts?)(?::\d+:\d+:?|: \(\d+, \d+\):) (?P<why2>.+)$|^\[ERROR\] (?P<at3>\S+\.(?:java|kt|scala)):\[\d+,\d+\] (?:error: )?(?P<why3>[^(\n].*)$",
        // What looks at the form names its rule in parentheses.
        finds: r"^\S+\.java:\d+: error: |^e: \S+\.kts?: ?(?:\d|\()|^\[ERROR\] \S+\.(?:java|kt|scala):\[\d+,\d+\] [^(\n]",
        ..looks(
            "jvm build",
            &["gradle", "gradlew", "javac", "kotlinc", "mvn", "mvnw"],
            &[".java:", ".kt", ".scala:["],
            "",
            r"^(?:\[\w+\] )?BUILD SUCCESS",
        )
    },
    Row {
        failing: r"^SUMMARY: (?P<id>\w+Sanitizer: .+)$",
        finds: r"^SUMMARY: \w+Sanitizer: ",
        ..looks("sanitizer", &[], &["Sanitizer: "], "", "")
    },
    Row {
        failing: r"^CMake Error at (?P<at>[^\s:]+):\d+ [^\n]*:\n\s+(?P<why>[^\n]+)$",
        finds: r"^CMake Error|^-- Configuring incomplete",
        ..looks("cmake", &[], &["CMake Error", "-- Configuring incomplete"], "", "")
    },
    plain("tflint", &["tflint"], &["issue(s) found"], r"^\d+ issue\(s\) found:"),
];
