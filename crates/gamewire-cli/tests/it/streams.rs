//! Standard streams: pipes, closed pipes, colours.

use std::io::Read as _;
use std::process::Stdio;

use crate::run::{command, feed, run, sample};

#[test]
fn standard_input_and_output() {
    let json = run("decode stream.dat").good();
    assert_eq!(feed("decode -", &sample("stream.dat")).good(), json);
    assert_eq!(feed("decode - -o -", &sample("stream.dat")).good(), json);
    let bytes = feed("convert - -", &sample("stream.dat")).good();
    assert_eq!(bytes, sample("stream.dat"));
    assert_eq!(feed("diff - stream.dat", &bytes).code, 0);
    assert!(feed("check -", &bytes).text().starts_with("identical   standard input\n"));
}

/// As after `| head`: no message, no failure.
#[test]
fn a_closed_pipe_ends_quietly() {
    let json = format!("[{}null]", "\"s:some text\",".repeat(15_000));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("big.var").to_str().unwrap().to_owned();
    feed(&["encode", "-", "-f", "godot-variant", "-o", &path], json.as_bytes()).good();
    for args in [&["decode", &path][..], &["decode", &path, "--compact"], &["explain", &path]] {
        let mut command = command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert!(output.status.success());
    }
}

#[test]
fn colours_are_for_terminals() {
    for args in [&["decode", "no/such"][..], &["check", "stream.dat"], &["formats"]] {
        let styled = |variables: &[&str]| {
            let mut command = command(args);
            let output = command.envs(variables.iter().map(|name| (name, "1"))).output().unwrap();
            [output.stdout, output.stderr].concat().contains(&0x1b)
        };
        assert!(!styled(&[]), "{args:?}");
        assert!(styled(&["CLICOLOR_FORCE"]), "{args:?}");
        assert!(!styled(&["CLICOLOR_FORCE", "NO_COLOR"]), "{args:?}");
    }
}
