//! Folders that are named by another way than the program sees them.

use std::fs;

use super::{Home, TARGETS, TOOLS};

#[test]
fn it_goes_on_in_the_folder_that_a_link_leads_to() {
    let folders = tempfile::tempdir().unwrap();
    let root = folders.path().canonicalize().unwrap();
    let (real, link) = (root.join("real"), root.join("link"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let slash = format!("{}/", real.display());
    for (to, _) in TARGETS {
        let print = |cwd: &str| {
            let args = ["convert", TOOLS, "--to", to, "--install", "--cwd", cwd];
            let home = Home::new();
            let said = home.call(&args).run();
            assert_eq!(said.code, 0, "{to}: {}", said.stderr);
            let made = home.sessions()[0].strip_prefix(home.path()).unwrap().to_owned();
            (said.stdout, made)
        };
        let want = print(real.to_str().unwrap());
        assert!(want.0.starts_with(&format!("cd {} && ", real.display())), "{}", want.0);
        assert_eq!(print(link.to_str().unwrap()), want, "{to}");
        assert_eq!(print(&slash), want, "{to}");
    }
}
