//! More programs of the table: those that build, or only look at how text is written.

use super::more_rows::said;
use super::rows::Row;

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
    looks(
        "phpstan",
        &["phpstan", "psalm"],
        &["[ERROR] ", "[OK] ", "No errors found!"],
        r"^\s*\[ERROR\] Found \d+ errors?",
        r"^\s*\[OK\] No errors|^\s*No errors found!",
    ),
    plain("phpcs", &["phpcs"], &["FOUND "], r"^FOUND \d+ ERRORS?"),
    Row {
        by_name: true,
        ..looks(
            "dart analyze",
            &["dart analyze", "flutter analyze"],
            &[" found", "No issues found!"],
            r"^\d+ issues? found\.",
            r"^No issues found!",
        )
    },
    Row {
        failing: r"^(?P<at>\S+\.go):\d+:\d+: (?P<why>.+) \((?P<id>\w+)\)$",
        ..looks(
            "golangci-lint",
            &["golangci-lint"],
            &[" issues"],
            r"^[1-9]\d* issues:",
            r"^0 issues\.",
        )
    },
    looks(
        "prettier",
        &["prettier"],
        &["Prettier code style", "Code style issues", "checking code style"],
        // Older ones say of files that they could not read, too, that all is well.
        r"^(?:\[warn\] )?Code style issues (?:were )?found in |^\[error\] \S[^\n]*: SyntaxError: |^(?:\[error\] )?Error occurred when checking code style in ",
        r"^All matched files use Prettier code style!",
    ),
    looks(
        "black",
        &["black"],
        &["would be "],
        r"^\d+ files? would be reformatted",
        r"^\d+ files? would be left unchanged\.",
    ),
    looks(
        "biome",
        &[],
        &["Checked "],
        r"^Checked \d+ files? in [^\n]*\nFound [1-9]\d* errors?\.",
        r"^Checked \d+ files? in [\d.]+\s?(?:m|µ)?s\. (?:No fixes|Fixed \d)",
    ),
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
    looks(
        "pre-commit",
        &["pre-commit run", "prek run"],
        &["...Failed", "...Passed"],
        r"^\S[^\n]*\.{3}(?i:failed)$",
        r"^\S[^\n]*\.{3}Passed$",
    ),
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
    looks(
        "js build",
        &["next build", "vite build", "webpack"],
        &["error during build:", "built in ", "compiled ", "ompile"],
        r"^error during build:|^Failed to compile\.|^> (?:Export encountered|Build failed because of) |^webpack [\d.]+ compiled with [1-9]\d* errors?",
        r"^✓ built in |^\s*✓ Compiled successfully|^webpack [\d.]+ compiled (?:successfully|with \d+ warnings? in)",
    ),
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
    plain("tflint", &["tflint"], &["issue(s) found"], r"^\d+ issue\(s\) found:"),
];
