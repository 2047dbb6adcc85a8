//! Which runs are on as much as others.

use super::Asked;

fn is_as_wide(later: &str, first: &str) -> bool {
    Asked::of(later).is_as_wide(&Asked::of(first))
}

#[test]
fn a_run_on_fewer_files_is_not_as_wide() {
    for (first, later) in [
        ("pytest tests/a.py tests/b.py", "pytest tests/a.py"),
        ("pytest tests scripts", "pytest tests"),
        ("npx eslint a.ts b.ts", "npx eslint a.ts"),
        ("npx eslint --fix src lib", "npx eslint --fix src"),
        ("mypy a b", "mypy a"),
        ("python3 -m mypy a b", "python3 -m mypy a"),
        ("ruff check a b", "ruff check a"),
        ("npx jest a.test.ts b.test.ts", "npx jest a.test.ts"),
        ("go test ./a ./b", "go test ./a"),
        ("go test ./a/b", "go test ./a"),
        ("cargo test -p a -p b", "cargo test -p a"),
        ("cargo test --package=a --package=b", "cargo test -p a"),
        ("cargo test --lib --bins", "cargo test --lib"),
        ("make lint test", "make test"),
        ("pytest -k 'slow or db'", "pytest -k slow"),
        ("pytest tests/b.py tests/c.py -m slow", "pytest tests/c.py"),
        ("docker compose exec app pytest a.py b.py", "docker compose exec app pytest a.py"),
        ("pytest", "pytest tests/a.py"),
        ("npm run lint", "npm run lint -- src/a.ts"),
    ] {
        assert!(!is_as_wide(later, first), "{first} -> {later}");
    }
}

#[test]
fn a_run_without_what_widened_it_is_not_as_wide() {
    for (first, later) in [
        ("cargo test --workspace", "cargo test"),
        ("cargo test --all-features", "cargo test"),
        ("cargo test -- --ignored", "cargo test"),
        ("cargo test -- --include-ignored", "cargo test -- --nocapture"),
        ("cargo test --release", "cargo test"),
        ("cargo clippy --all-targets -- -D warnings", "cargo clippy"),
        ("cargo clippy -- -Dwarnings", "cargo clippy"),
        ("go test -tags integration ./...", "go test ./..."),
        ("npx eslint . --max-warnings 0", "npx eslint ."),
        ("mypy --strict .", "mypy ."),
        ("cargo test", "cargo test --release"),
        ("cargo test", "cargo test -- --ignored"),
        ("go test ./...", "go test -tags integration ./..."),
    ] {
        assert!(!is_as_wide(later, first), "{first} -> {later}");
    }
}

#[test]
fn other_spellings_and_dropped_filters_are_as_wide() {
    for (first, later) in [
        ("cargo test parser", "cargo test --quiet -- --nocapture"),
        ("cargo test --lib parser::empty", "cargo test --lib"),
        ("cargo test -p a parser", "cargo test -p a"),
        ("cargo test -p a", "cargo test -p a -p b"),
        ("cargo test", "cargo test --workspace --all-features"),
        ("cargo clippy", "cargo clippy --all-targets -- -D warnings"),
        ("mypy .", "mypy --strict ."),
        ("cargo clippy --all -- -D warnings", "cargo clippy -q --workspace -- -Dwarnings"),
        ("pytest tests/a.py -x --tb=short", "pytest -v tests/a.py"),
        ("pytest tests/a.py -k one", "pytest tests/a.py --tb short"),
        ("pytest ./tests/a.py::test_x", "pytest tests/a.py -n 4"),
        ("pytest tests/unit/a.py", "pytest tests/unit/"),
        ("pytest tests/a.py", "pytest tests/a.py tests/b.py"),
        ("pytest tests/a.py", "pytest tests"),
        ("pytest -q", "pytest tests/"),
        ("npx playwright test a.spec.ts", "npx playwright test"),
        ("./gradlew :a:test", "./gradlew test"),
        ("python3 manage.py test a", "python3 manage.py test"),
        ("/p/.venv/bin/pytest tests/a.py", "pytest"),
        ("docker compose exec app pytest tests/a.py", "docker compose exec app pytest"),
        ("npm run test:unit -- src/a", "npm run test:unit"),
        ("npx eslint src lib", "npx eslint ."),
        ("npx eslint src --cache", "npx eslint src --fix"),
        ("node_modules/.bin/eslint src", "npx eslint src"),
        ("go test ./a -run TestX", "go test ./..."),
        ("go test ./a/b", "go test ./a/..."),
        ("make check ARGS=a", "make check"),
        ("pytest --ignore a --ignore b", "pytest --ignore a"),
        ("cargo +nightly test -j8", "cargo test"),
    ] {
        assert!(is_as_wide(later, first), "{first} -> {later}");
    }
}

#[test]
fn a_build_needs_the_same_packages_but_not_the_same_tests() {
    let builds = |later: &str, first: &str| Asked::of(later).builds_as_much(&Asked::of(first));
    for (first, later) in [
        ("cargo test a::b", "cargo test --lib c::d"),
        ("cargo build", "cargo test"),
        ("cargo build -p a", "cargo test -p a parser"),
        ("npm run typecheck", "npx tsc --noEmit"),
        ("dotnet build -c Debug", "dotnet test tests/A.csproj -c Debug"),
    ] {
        assert!(builds(later, first), "{first} -> {later}");
    }
    for (first, later) in [
        ("cargo build", "cargo build -p a"),
        ("cargo clippy --all-targets -- -D warnings", "cargo test"),
        ("npx eslint a b", "npx eslint a"),
    ] {
        assert!(!builds(later, first), "{first} -> {later}");
    }
}

#[test]
fn an_option_without_which_another_thing_runs_must_be_there_again() {
    for (first, later) in [
        ("cargo build --target wasm32-unknown-unknown", "cargo build"),
        ("cargo build --no-default-features", "cargo build"),
        ("cargo clippy --tests", "cargo clippy"),
        ("cargo test --bench a", "cargo test"),
        ("cargo test --manifest-path tools/Cargo.toml", "cargo test"),
        ("npx jest --config jest.e2e.config.js", "npx jest"),
        ("pytest -W error", "pytest"),
        ("pytest --runintegration", "pytest"),
        ("pytest -c ci.ini", "pytest"),
        ("mvn verify -Pintegration", "mvn verify"),
        ("./gradlew integrationTest", "./gradlew test"),
        ("./gradlew -p tools test", "./gradlew test"),
        ("ruff check --select ALL src", "ruff check src"),
        ("ruff check --select=ALL src", "ruff check src"),
        ("mypy src --python-version 3.9", "mypy src"),
        ("npx tsc -p tsconfig.test.json", "npx tsc"),
        ("npx tsc -b", "npx tsc --noEmit"),
        ("npm --prefix web test", "npm test"),
        ("npm test -w web", "npm test"),
        ("npm test --workspace=web", "npm test"),
        ("pnpm --filter web test", "pnpm test"),
        ("yarn workspace web test", "yarn test"),
        ("make -C web test", "make test"),
        ("make test FEATURES=all", "make test"),
        ("dotnet test -c Release", "dotnet test"),
    ] {
        assert!(!is_as_wide(later, first), "{first} -> {later}");
    }
}

#[test]
fn an_option_that_only_shows_or_narrows_may_be_gone() {
    for (first, later) in [
        ("pytest --no-summary unit", "pytest unit"),
        ("pytest --durations=5 --timeout 60 unit", "pytest unit"),
        ("pytest --lf", "pytest"),
        ("pytest -p no:xdist", "pytest"),
        ("mypy --ignore-missing-imports src", "mypy src"),
        ("mypy --pretty src", "mypy src"),
        ("npx tsc --noEmit", "npx tsc -p tsconfig.json"),
        ("./gradlew test --tests com.a.B --stacktrace", "./gradlew test"),
        ("mvn -B -q test -Dtest=A", "mvn test"),
        ("go test -short -timeout 60s ./...", "go test ./..."),
        ("deno test --allow-net net.ts", "deno test"),
        ("swift test --filter A", "swift test"),
        ("dotnet test -v minimal", "dotnet test"),
        ("npm test -- --runInBand", "npm test"),
        ("make check V=1 TEST_ARGS=a", "make check"),
        ("cargo test --target-dir /tmp/t --lib", "cargo test"),
        ("uv run --with pytest-xdist pytest a.py", "uv run pytest a.py"),
        ("tool-lint --new-flag src", "tool-lint --new-flag src"),
    ] {
        assert!(is_as_wide(later, first), "{first} -> {later}");
    }
}

#[test]
fn what_was_cleared_away_first_is_no_part_of_what_is_asked() {
    for program in ["mvn", "./mvnw", "gradle", "./gradlew"] {
        let (clean, plain) = (format!("{program} clean test"), format!("{program} test"));
        assert!(is_as_wide(&clean, &plain) && is_as_wide(&plain, &clean), "{program}");
        let cleared = format!("{program} clean");
        assert!(!is_as_wide(&cleared, &plain), "{program}");
        let other = format!("{program} clean integrationTest");
        assert!(!is_as_wide(&clean, &other), "{program}");
    }
    assert!(is_as_wide("./gradlew cleanTest test", "./gradlew test"));
    assert!(!is_as_wide("make clean", "make clean test"));
}

#[test]
fn a_program_with_two_names_is_one() {
    for (first, later) in [
        ("docker-compose run --rm app pytest a.py", "docker compose run --rm app pytest a.py"),
        ("docker compose exec app npm test", "docker-compose exec app npm test"),
        ("podman-compose run app pytest", "podman compose run app pytest"),
    ] {
        assert!(is_as_wide(later, first), "{first} -> {later}");
    }
    assert!(!is_as_wide("docker compose run web pytest", "docker-compose run app pytest"));
}

#[test]
fn tests_as_such_are_no_tests_of_another_folder() {
    for (first, later) in [
        ("pytest integration", "pytest tests"),
        ("pytest integration/test_db.py", "pytest tests"),
        ("cargo test", "cargo test tests"),
        ("cargo test --test db", "cargo test tests"),
        ("npx jest", "npx jest tests"),
    ] {
        assert!(!is_as_wide(later, first), "{first} -> {later}");
    }
}

#[test]
fn how_much_of_the_code_is_reached_is_asked_beside() {
    let asks = |later: &str, first: &str| Asked::of(later).asks_beside(&Asked::of(first));
    for option in ["--coverage", "--cov=src", "--cov-fail-under=90"] {
        let first = format!("pytest {option}");
        assert!(is_as_wide("pytest", &first) && is_as_wide(&first, "pytest"));
        assert!(!asks("pytest", &first) && asks(&first, "pytest") && asks(&first, &first));
    }
}
