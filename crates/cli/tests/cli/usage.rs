//! Mistakes on the command line: one line, exit 2.

use crate::support::Workspace;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;
use std::thread;

#[test]
fn mistakes_are_reported_in_one_line() {
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
    let lines: String = cases.iter().map(|words| Workspace::new().run(words).refused()).collect();
    insta::assert_snapshot!(lines);
}

#[test]
fn no_command_at_all_shows_the_help() {
    let run = Workspace::new().run(&[]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("Usage: mapwright"), "{}", run.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let urls: String = (0..200_000).map(|n| format!("https://e.test/{n}\n")).collect();
    let place = Workspace::new().file("urls.txt", urls);
    let mut command = place.command(&["sitemap", "list", "urls.txt"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0_u8; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn an_argument_that_is_no_text_is_named() {
    let place = Workspace::new();
    let mut command = place.command(&["crawl"]);
    let output = command.arg(OsStr::from_bytes(b"--out=\xff")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.contains("argument 2, `--out=\u{fffd}`, is not UTF-8"), "{line}");
}

#[test]
fn annotations_are_for_audits() {
    for words in [["jobs", "list", "--format", "github"], ["diff", "a", "--format", "github"]] {
        assert!(Workspace::new().run(&words).refused().contains("flag --format"), "{words:?}");
    }
}

#[test]
fn a_dry_run_is_also_printed_as_json() {
    let file = "[job.shop]\nurl = [\"http://me:hush@localhost:9/\"]\n[job.shop.output]\nout = \"public\"\n";
    let place = Workspace::new().file("mapwright.toml", file);
    let output = place.run(&["run", "shop", "--dry-run", "--format", "json", "--state-root", "state"]).done();
    let output: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&output["job"], &output["urls"][0]), (&"shop".into(), &"http://localhost:9/".into()));
    assert_eq!(output["sitemaps"], std::fs::canonicalize(place.path("")).unwrap().join("public").to_str().unwrap());
}

#[test]
fn a_server_without_tls_gets_a_hint_after_the_note_that_https_was_assumed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let run = Workspace::new().run(&["crawl", &address, "--retries", "0", "--state", "record"]);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!((run.code, lines.len()), (3, 2), "{run:?}");
    assert!(lines[0].contains("note: no scheme was given: trying https://"), "{run:?}");
    assert!(lines[1].contains("speaks no TLS at this port: write the URL with http://"), "{run:?}");
}
