//! What ran on another machine or in a container, and what never ran.

use serde_json::{Value, json};

use crate::status::{pack, shell};

fn files(line: &str, output: &str) -> Vec<String> {
    let pack = pack(&[shell(line, output), json!("I looked at it.")]);
    let files = pack["files"].as_array().unwrap().iter();
    files.map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_file_on_another_machine_is_none_of_this_one() {
    for line in [
        "ssh web 'cat /etc/app/a.conf'",
        "ssh web \"sudo sed -i s/a/b/ /etc/app/a.conf\"",
        "ssh web 'sudo rm /etc/app/a.conf'",
        "docker exec app cat /etc/app/a.conf",
        "kubectl exec web -- head -3 /etc/app/a.conf",
        "scp web:/etc/app/a.conf .",
    ] {
        assert_eq!(files(line, "x = 1"), [""; 0], "{line}");
    }
    for (line, path) in [
        ("cat /etc/app/a.conf", "/etc/app/a.conf"),
        ("docker compose exec app cat src/a.py", "src/a.py"),
        ("docker exec app cat /home/ada/tool/src/a.py", "src/a.py"),
        ("cat src/a.py && ssh web 'cat src/a.py'", "src/a.py"),
        ("scp src/a.py web:/srv/b.py", "src/a.py"),
    ] {
        assert_eq!(files(line, "x = 1"), [path], "{line}");
    }
}

#[test]
fn a_command_that_the_shell_did_not_find_did_not_run() {
    let worked = |line: &str, output: &str| -> Value {
        let pack = pack(&[shell(line, output), json!("I ran it.")]);
        pack["commands"].as_array().unwrap().last().unwrap()["worked"].clone()
    };
    let missing = "zsh:1: command not found: x1";
    assert_eq!(worked("x1 check --all", missing), json!(false));
    assert_eq!(worked("git status -sb; x1 check", &format!("## main\n{missing}")), json!(false));
    assert_eq!(worked("x1 check --all", "all is well"), json!(true));
    assert_eq!(worked("x2 check", missing), json!(true));
}
