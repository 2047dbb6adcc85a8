//! The checked-in completions match the command line.

use crate::program::Call;

#[test]
fn are_up_to_date() {
    let files = [
        ("bash", "segue.bash"),
        ("zsh", "_segue"),
        ("fish", "segue.fish"),
        ("powershell", "_segue.ps1"),
    ];
    for (shell, file) in files {
        let fresh = Call::new("nobody", &["completions", shell]).run().stdout;
        let path = format!("{}/completions/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_COMPLETIONS").is_some() {
            std::fs::write(&path, &fresh).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let hint = "run UPDATE_COMPLETIONS=1 cargo test completions";
        assert!(stored == fresh, "{path} does not match the program; {hint}");
    }
}
