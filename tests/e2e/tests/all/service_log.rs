//! The log of the service: one format for all lines.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test that fails there has failed")]

use jiff::Timestamp;
use mapwright_e2e::service::{Service, ServiceFixture};
use mapwright_testkit::{Response, Site};
use serde_json::Value;

/// Runs a service through all events of its log, and returns the log: it starts, refuses a token, runs a job that
/// fails, rejects a faulty file, and ends.
fn lived(more: &[&str]) -> String {
    let site = Site::open();
    site.answer("/", Response::new(500));
    let file = format!("[job.shop]\nurl = [\"{}\"]\ncron = \"0 0 1 1 *\"\n", site.url("/"));
    // The log warns of a world-readable file with a secret.
    let post = ServiceFixture::new(&format!("{file}[fetch]\nheader = [\"Authorization: hush-hush\"]\n"));
    post.workspace().file("token", "the-first-token-of-all\n");
    let mut service = post.serve_with(&[&["--token-file", "token"], more].concat());
    assert_eq!(service.get_as("guessed-by-somebody", "/api/v1/jobs").0, 401);
    assert!((200..300).contains(&service.order_as("the-first-token-of-all", "shop", "start")));
    let has = |service: &mut Service, words: &str| service.log().contains(words).then_some(());
    service.until("the run has failed", |service| has(service, "a run ended"));
    post.write("[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\ncron = \"61 * * * *\"\n");
    service.reload();
    service.until("the file is refused", |service| has(service, "stays in force"));
    let log = post.workspace().path().join("serve.log");
    assert_eq!(service.end(), Some(0));
    let log = std::fs::read_to_string(log).expect("a log");
    assert!(!log.contains("guessed") && !log.contains("first-token") && !log.contains("hush-hush"), "{log}");
    log
}

const LINES: [(&str, &str); 6] = [
    ("WARN", "every user may read the file"),
    ("INFO", "serving one job; the dashboard is at"),
    ("WARN", "login refused: it is wrong"),
    ("ERROR", "a run ended"),
    ("ERROR", "the reload is refused, and the previous configuration stays in force"),
    ("INFO", "stopping: "),
];

#[test]
fn each_line_has_its_time_and_level() {
    let log = lived(&[]);
    for line in log.lines() {
        let mut words = line.split_whitespace();
        let at = words.next().unwrap_or_default().parse::<Timestamp>();
        assert!(at.is_ok() && ["ERROR", "WARN", "INFO"].contains(&words.next().unwrap_or_default()), "{line}");
    }
    for (level, text) in LINES {
        assert!(log.lines().any(|line| line.contains(&format!(" {level} {text}"))), "{level} {text}: {log}");
    }
}

#[test]
fn each_line_is_a_json_object_in_the_json_format() {
    let log = lived(&["--log-format", "json"]);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(lines.iter().all(|line| line["timestamp"].as_str().is_some_and(|at| at.parse::<Timestamp>().is_ok())));
    for (level, text) in LINES {
        let is_reported = |line: &Value| line["level"] == level && line["message"].to_string().contains(text);
        assert!(lines.iter().any(is_reported), "{level} {text}: {log}");
    }
    let ended = lines.iter().find(|line| line["message"] == "a run ended").expect("the end of the run");
    assert_eq!((&ended["job"], &ended["outcome"]), (&"shop".into(), &"failed".into()));
}

#[test]
fn a_startup_error_is_a_line_of_the_log_too() {
    let post = ServiceFixture::new("[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n");
    let words = ["serve", "--listen", "192.0.2.1:1", "--state-root", "root", "--log-format", "json"];
    let done = mapwright_e2e::Command::new(words).within(post.workspace()).run().exited(2);
    let line: Value = serde_json::from_str(done.stderr.trim_end()).expect("one line of JSON");
    assert_eq!(line["level"], "ERROR", "{line}");
}
