//! Options of programs that test, build and check, by what they do to what is looked at.

/// Options by which a program does more than by itself, or the same in another way.
pub(super) const MORE: &[&str] = &[
    "--all-features",
    "--all-targets",
    "--doctest-modules",
    "--extend-select",
    "--ignored",
    "--include-ignored",
    "--max-warnings",
    "--run-ignored",
    "--run-slow",
    "--runslow",
    "--strict",
    "-am",
    "-amd",
    "-race",
    "-recursive",
    "-tags",
];
/// Those of them that only add to what runs without them, or ask more of it.
pub(super) const ADDING: &[&str] = &[
    "--all-features",
    "--all-targets",
    "--doctest-modules",
    "--include-ignored",
    "--max-warnings",
    "--strict",
    "--workspace",
    "-D",
    "-am",
    "-amd",
    "-race",
    "-recursive",
];
/// Those of cargo, which elsewhere mean something else.
pub(super) const MORE_OF_CARGO: &[&str] =
    &["--all", "--features", "--release", "--workspace", "-D", "-F", "-W"];
/// Options of those that have a value.
pub(super) const MORE_VALUE: &[&str] = &[
    "--extend-select",
    "--features",
    "--max-warnings",
    "--run-ignored",
    "-D",
    "-F",
    "-W",
    "-tags",
];

/// Options of programs that run tasks, which have a value and stand before the task.
pub(in super::super) const IN_FRONT: &[&str] = &[
    "-C",
    "-chdir",
    "--cwd",
    "--dir",
    "--directory",
    "--env-file",
    "--filter",
    "-F",
    "-f",
    "--group",
    "--prefix",
    "--project",
    "-w",
    "--with",
    "--workspace",
];
/// Those of them that only add to what a program finds beside it.
pub(super) const SUPPLYING: &[&str] = &["--group", "--with"];
/// Those that npm also takes behind the task.
pub(super) const OF_NPM: &[&str] = &["--prefix", "--workspace", "-C", "-w"];
/// Options that name the folder in which a program runs.
pub(super) const FOLDER: &[&str] = &[
    "--cwd",
    "--dir",
    "--directory",
    "--manifest-path",
    "--prefix",
    "--project-dir",
    "--test-dir",
    "-C",
    "-chdir",
];

/// Options behind the program that have a value, which is all that may look like a path.
pub(super) const VALUED: &[&str] = &[
    "--bench",
    "--bin",
    "--config",
    "--config-file",
    "--configuration",
    "--cwd",
    "--deselect",
    "--directory",
    "--example",
    "--exclude",
    "--ext",
    "--filter",
    "--grep",
    "--ignore",
    "--ignore-path",
    "--manifest-path",
    "--package",
    "--prefix",
    "--project",
    "--project-dir",
    "--rootdir",
    "--skip",
    "--spec",
    "--target-dir",
    "--test",
    "--test-dir",
    "--testNamePattern",
    "--testPathPattern",
    "-C",
    "-c",
    "-g",
    "-k",
    "-m",
    "-p",
    "-pl",
    "-run",
    "-t",
];
/// Options without a value, besides those that change what is shown.
pub(super) const BARE: &[&str] = &[
    "--benches",
    "--bins",
    "--cache",
    "--check",
    "--coverage",
    "--diff",
    "--doc",
    "--examples",
    "--fix",
    "--in-place",
    "--lib",
    "--list-different",
    "--no-default-features",
    "--noEmit",
    "--unsafe-fixes",
    "--verify-no-changes",
    "--write",
    "-check",
    "-l",
    "-w",
];

/// Options by which cargo is told which targets to take, which are all of one kind.
pub(super) const TARGETS: &[&str] = &[
    "--bench",
    "--benches",
    "--bin",
    "--bins",
    "--doc",
    "--example",
    "--examples",
    "--lib",
    "--test",
    "--tests",
];
/// Options by which something is left out.
pub(super) const LEAVING_OUT: &[&str] =
    &["--deselect", "--exclude", "--exclude-task", "--ignore", "--skip", "-A", "-skip"];
/// How options begin by which something is left out or let through.
const LENIENT: &[&str] = &["--allow-", "--exclude-", "--ignore-", "--skip-"];
/// Options that mend what is found, or only make it faster: what is looked at stays the same.
pub(super) const MENDING: &[&str] = &["--cache", "--fix", "--unsafe-fixes"];
/// Options that say the same.
pub(super) const ALIKE: &[(&str, &str)] = &[
    ("--package", "-p"),
    ("--project", "-p"),
    ("--testNamePattern", "-t"),
    ("--grep", "-g"),
    ("-F", "--features"),
    ("--all", "--workspace"),
    ("--configuration", "-c"),
    ("-x", "--exclude-task"),
];

/// Options with a value by which a program takes a part of what it takes without them.
const NARROWING: &[&str] = &[
    "--changedSince",
    "--filter",
    "--filterset",
    "--match",
    "--only",
    "--partition",
    "--projects",
    "--shard",
    "--spec",
    "--suite",
    "--test",
    "--test-name-pattern",
    "--testPathPattern",
    "--testPathPatterns",
    "--tests",
    "--tests-regex",
    "-Dit.test",
    "-Dtest",
    "-E",
    "-L",
    "-R",
    "-g",
    "-k",
    "-m",
    "-p",
    "-pl",
    "-run",
    "-t",
];
/// Those without a value, and those without which a program does no less.
const NARROWING_BARE: &[&str] = &[
    "--changed",
    "--exact",
    "--failed",
    "--last-failed",
    "--lf",
    "--onlyChanged",
    "--onlyFailures",
    "--only-failures",
    "--sw",
    "-short",
];
/// Words in the names of variables that name a part of what there is to test.
const NARROWING_WORDS: &[&str] = &[
    "ARGS", "FILE", "FILES", "FILTER", "GREP", "K", "MATCH", "ONLY", "PACKAGE", "PACKAGES",
    "PATTERN", "PKG", "PKGS", "RUN", "SUITE", "T", "TEST", "TESTARGS", "TESTS",
];

/// Whether a program looks at no less without an option, whatever its value.
pub(super) fn only_narrows(program: &str, option: &str) -> bool {
    match option {
        // The file of a project says what is looked at, and how.
        "-p" if is_typescript(program) => false,
        "" => true,
        _ if option.starts_with('-') => {
            NARROWING.contains(&option)
                || NARROWING_BARE.contains(&option)
                || leaves_out(option)
                || LENIENT.iter().any(|start| option.starts_with(start))
        }
        variable => option_words(variable).any(|word| NARROWING_WORDS.contains(&word)),
    }
}

fn option_words(variable: &str) -> impl Iterator<Item = &str> {
    variable.split('_')
}

/// Whether a program is the compiler that `-p` tells which project to take.
pub(super) fn is_typescript(program: &str) -> bool {
    matches!(program, "tsc" | "vue-tsc")
}

/// Whether something is left out by an option.
pub(super) fn leaves_out(option: &str) -> bool {
    LEAVING_OUT.contains(&option)
}

/// Tasks of which each runs those before it.
const PHASES: &[(&[&str], &[&str])] = &[
    (
        &["mvn", "mvnw"],
        &[
            "compile",
            "test-compile",
            "test",
            "package",
            "integration-test",
            "verify",
            "install",
            "deploy",
        ],
    ),
    (&["gradle", "gradlew"], &["test", "check", "build"]),
];

/// Whether a program runs one task on the way to another, in the same part of the project or in all.
pub(super) fn runs_on_way(program: &str, task: &str, one: &str) -> bool {
    let Some((_, phases)) = PHASES.iter().find(|(programs, _)| programs.contains(&program)) else {
        return false;
    };
    let apart = |task: &str| {
        let (part, name) = task.rsplit_once(':').unwrap_or(("", task));
        let place = phases.iter().position(|phase| *phase == name);
        place.map(|place| (part.to_owned(), place))
    };
    let (Some((part, later)), Some((of, first))) = (apart(task), apart(one)) else { return false };
    later > first && (part == of || part.is_empty() && of.starts_with(':'))
}

/// Options that only one program has in this sense, by which it runs in another way, or takes more beside, and looks at
/// the same.
const HOW_OF: &[(&str, &[&str])] = &[
    ("ctest", &["-V", "-VV"]),
    ("dotnet", &["--no-build"]),
    ("go", &["-cover", "-shuffle=on"]),
    ("jest", &["--expand", "--logHeapUsage", "--no-watchman", "--silent=false"]),
    ("mvn", &["-B", "-U", "-X", "-e", "-ntp", "-o"]),
    ("mvnw", &["-B", "-U", "-X", "-e", "-ntp", "-o"]),
    (
        "mypy",
        &["--install-types", "--non-interactive", "--show-column-numbers", "--show-traceback"],
    ),
    ("ruff", &["--statistics"]),
    ("terraform", &["-diff", "-list=false", "-no-color", "-write=true"]),
    ("tofu", &["-diff", "-list=false", "-no-color", "-write=true"]),
    ("tsc", &["--noEmit", "--skipLibCheck"]),
    ("vitest", &["--no-threads"]),
    // Of `deno test`, where who runs it is no program.
    ("test", &["--allow-all", "-A"]),
    ("vue-tsc", &["--noEmit", "--skipLibCheck"]),
    ("pytest", &["-l", "-rs", "-rf", "-rx", "-rE", "-rfE"]),
];

/// Whether an option changes how a program runs, and nothing of what it looks at.
pub(super) fn is_how(program: &str, option: &str) -> bool {
    // Of what is not there to be run it says whether that is a failure.
    let says_when = || option.starts_with("-DfailIf") || option.starts_with("-Dsurefire.failIf");
    HOW_OF.iter().any(|(of, options)| *of == program && options.contains(&option)) || says_when()
}
