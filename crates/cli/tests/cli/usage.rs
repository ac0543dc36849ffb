//! Mistakes on the command line: one line, exit 2.

use crate::support::Place;
use std::io::Read;
use std::process::Stdio;

#[test]
fn mistakes_are_told_in_one_line() {
    let cases: &[&[&str]] = &[
        &["crwl"],
        &["--nonsense"],
        &["sitemap", "lst", "x"],
        &["sitemap", "list"],
        &["sitemap", "list", "a", "b"],
        &["sitemap", "list", "a", "--timeot", "3"],
        &["sitemap", "list", "a", "--timeout"],
        &["sitemap", "list", "a", "--timeout", "soon"],
        &["sitemap", "list", "a", "--no-http2=yes"],
        &["completions", "tcsh"],
    ];
    let lines: String = cases.iter().map(|words| Place::new().run(words).refused()).collect();
    insta::assert_snapshot!(lines);
}

#[test]
fn no_command_at_all_shows_the_help() {
    let run = Place::new().run(&[]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("Usage: mapwright"), "{}", run.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let urls: String = (0..200_000).map(|n| format!("https://e.test/{n}\n")).collect();
    let place = Place::new().file("urls.txt", urls);
    let mut command = place.command(&["sitemap", "list", "urls.txt"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0_u8; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
