//! Programs that check what they are given by some of their words, and say nothing but their exit code.

use super::recognise;

/// A program that checks.
struct Verifier {
    name: &'static str,
    /// Words of which each must stand behind it, options also with a value.
    by: &'static [&'static str],
    /// Words with which it does something else.
    without: &'static [&'static str],
}

const fn row(name: &'static str, by: &'static [&'static str]) -> Verifier {
    Verifier { name, by, without: &[] }
}

/// Those that are known.
const VERIFIERS: &[Verifier] = &[
    row("R", &["CMD", "check"]),
    row("Unity", &["-runTests"]),
    row("ansible-playbook", &["--syntax-check"]),
    row("apachectl", &["configtest"]),
    // Else it shows what it reads.
    row("docker", &["compose", "config", "-q"]),
    row("docker", &["compose", "config", "--quiet"]),
    row("docker-compose", &["config", "-q"]),
    row("erl", &["-make"]),
    row("gfortran", &["-c"]),
    row("gprbuild", &[]),
    row("haproxy", &["-c"]),
    row("kubeconform", &[]),
    row("kubectl", &["--dry-run"]),
    row("kubeval", &[]),
    Verifier { without: &["-c", "-C"], ..row("latexmk", &[]) },
    row("lualatex", &[]),
    row("mix", &["credo"]),
    row("mix", &["dialyzer"]),
    row("nginx", &["-t"]),
    row("nix", &["flake", "check"]),
    Verifier { without: &["--list", "-l"], ..row("nox", &[]) },
    row("pdflatex", &[]),
    row("python", &["-m", "doctest"]),
    row("python3", &["-m", "doctest"]),
    row("quarto", &["render"]),
    row("sshd", &["-t"]),
    row("tectonic", &[]),
    row("terraform", &["plan"]),
    row("tofu", &["plan"]),
    Verifier { without: &["sync", "ls-config"], ..row("vale", &[]) },
    row("verilator", &["--lint-only"]),
    row("visudo", &["-c"]),
    row("xelatex", &[]),
];
/// How many words of a command tell what it does.
const MOST_WORDS: usize = 12;

/// Whether a command is one that checks, by its program and the words behind that.
pub(super) fn verifies(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let name = recognise::name(words.next().unwrap_or_default());
    let has = |wanted: &str| {
        let is_it = |word: &str| {
            let option = word.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('='));
            word == wanted || option && wanted.starts_with('-')
        };
        words.clone().take(MOST_WORDS).any(is_it)
    };
    let is_it = |row: &&Verifier| {
        row.name == name
            && row.by.iter().all(|word| has(word))
            && !row.without.iter().any(|word| has(word))
    };
    VERIFIERS.iter().any(|row| is_it(&row))
}

#[cfg(test)]
mod tests {
    use super::verifies;

    #[test]
    fn a_program_checks_by_the_words_behind_it() {
        for part in [
            "latexmk -pdf thesis.tex",
            "R CMD check .",
            "mix credo --strict",
            "nix flake check",
            "kubectl --context stg apply --dry-run=server -f k8s/",
            "terraform -chdir=envs/x plan",
            "docker compose -f a.yml config -q",
            "/usr/sbin/nginx -t",
        ] {
            assert!(verifies(part), "{part}");
        }
        for part in [
            "latexmk -c",
            "R CMD INSTALL .",
            "mix deps.get",
            "nix flake update",
            "kubectl apply -f k8s/",
            "terraform apply",
            "docker compose up",
            "docker compose config",
            "nginx -s reload",
        ] {
            assert!(!verifies(part), "{part}");
        }
    }
}
