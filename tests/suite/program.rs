//! Runs the program, and says where snapshots live.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Returns insta settings that put snapshots into `snapshots/<stage>`.
pub(crate) fn snapshots(stage: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("{}/snapshots/{stage}", env!("CARGO_MANIFEST_DIR")));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// A call of the program with a home and nothing else from the environment.
pub(crate) struct Call {
    command: Command,
    stdin: Vec<u8>,
}

/// What a call said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Call {
    /// Prepares a call with the home `fixtures/homes/<home>`.
    pub(crate) fn new(home: &str, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_segue"));
        command.args(args).env_clear().current_dir(env!("CARGO_MANIFEST_DIR"));
        command.env("HOME", format!("fixtures/homes/{home}"));
        Self { command, stdin: Vec::new() }
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Has it run in `folder`; the home is then `home` in that.
    pub(crate) fn at(mut self, folder: &std::path::Path, home: &str) -> Self {
        self.command.current_dir(folder).env("HOME", home);
        self
    }

    /// Has it run as a user who owns nothing, if `owned` is root's.
    #[cfg(target_os = "linux")]
    pub(crate) fn by_nobody_if_root(mut self, owned: &std::path::Path) -> Self {
        use std::os::unix::{fs::MetadataExt as _, process::CommandExt as _};
        if owned.metadata().unwrap().uid() == 0 {
            self.command.uid(65_534).gid(65_534);
        }
        self
    }

    pub(crate) fn stdin(mut self, bytes: &[u8]) -> Self {
        self.stdin = bytes.to_owned();
        self
    }

    pub(crate) fn run(mut self) -> Said {
        let pipes = self.command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.stderr(Stdio::piped()).spawn().unwrap();
        // The program may end without reading it.
        let _ = child.stdin.take().unwrap().write_all(&self.stdin);
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        Said { code: output.status.code().unwrap(), stdout, stderr }
    }

    /// Pins everything that the call says as `snapshots/cli/<name>.snap`.
    pub(crate) fn says(self, name: &str) {
        let Said { code, stdout, stderr } = self.run();
        let said = format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}");
        snapshots("cli").bind(|| insta::assert_snapshot!(name, said));
    }
}
