//! The log of the service: one format for all lines.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test that fails there has failed")]

use jiff::Timestamp;
use mapwright_e2e::Workspace;
use mapwright_e2e::service::Service;
use mapwright_testkit::{FakeSite, Response};
use serde_json::Value;

/// Runs a service through all events of its log, and returns the log: it starts, refuses a token, runs a job that
/// fails, rejects a faulty file, and ends.
fn lived(more: &[&str]) -> String {
    let site = FakeSite::open();
    site.answer("/", Response::new(500));
    let file = format!("[job.shop]\nurl = [\"{}\"]\ncron = \"0 0 1 1 *\"\n", site.url("/"));
    // The log warns of a world-readable file with a secret.
    let workspace = Workspace::of_service(&format!("{file}[fetch]\nheader = [\"Authorization: hush-hush\"]\n"));
    workspace.file("token", "the-first-token-of-all\n");
    let mut service = workspace.serve_with(&[&["--token-file", "token"], more].concat());
    assert_eq!(service.get_as("guessed-by-somebody", "/api/v1/jobs").0, 401);
    assert!((200..300).contains(&service.order_as("the-first-token-of-all", "shop", "start")));
    let has = |service: &mut Service, words: &str| service.log().contains(words).then_some(());
    service.until("the run has failed", |service| has(service, "a run ended"));
    workspace.configure("[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\ncron = \"61 * * * *\"\n");
    service.reload();
    service.until("the file is refused", |service| has(service, "stays in force"));
    let log = workspace.path("serve.log");
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

/// A line of the log: its level, its message and its further fields, without what differs from one time to the next.
fn shown(line: &Value, known: &[(&str, &str)]) -> String {
    let fields = line.as_object().expect("an object");
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let more = fields.iter().filter(|(name, _)| !["timestamp", "level", "message"].contains(&name.as_str()));
    let more = more.map(|(name, value)| match name.as_str() {
        "scheduled_for" => " scheduled_for=TIME".to_owned(),
        "from" => " from=ADDRESS".to_owned(),
        _ => format!(" {name}={}", text(value)),
    });
    let line = format!("{} {}{}\n", text(&line["level"]), text(&line["message"]), more.collect::<String>());
    let line = known.iter().fold(line, |line, (value, name)| line.replace(value, name));
    // The label of a webhook ends with eight digits that stand for its URL.
    match line.split_once("127.0.0.1#") {
        Some((before, after)) => format!("{before}HOOK#LABEL{}", after.get(8..).unwrap_or_default()),
        None => line,
    }
}

/// Ends a service, and returns the lines of its log in the order of the alphabet, because concurrent steps log in any
/// order.
fn events(workspace: &Workspace, service: Service, names: &[(String, &str)]) -> String {
    assert_eq!(service.end(), Some(0));
    let log = std::fs::read_to_string(workspace.path("serve.log")).expect("a log");
    let directory = workspace.folder().display().to_string();
    let known: Vec<(&str, &str)> = names.iter().map(|(value, name)| (value.as_str(), *name)).collect();
    let known = [&known[..], &[(directory.as_str(), "DIR")]].concat();
    let lines = log.lines().map(|line| shown(&serde_json::from_str(line).expect(line), &known));
    lines.collect::<std::collections::BTreeSet<String>>().into_iter().collect()
}

/// The lines about a job that does well, fails and is cut, and about all that surrounds it.
#[test]
fn the_events_of_the_log_and_their_fields() {
    let (site, hook) = (FakeSite::open(), FakeSite::open());
    site.page("/", "<title>Home</title>");
    hook.answer("/gone", Response::new(410)).answer("/later", Response::new(503)).answer("/watch", Response::new(404));
    let file = format!(
        "[job.shop]\nurl = [\"{}\"]\ncron = \"0 0 1 1 *\"\n\
         [notify]\nto = [\"webhook:{}\", \"webhook:{}\"]\nheartbeat = \"{}\"\n\
         [publish]\nping = [\"{}?s={{sitemap}}\"]\n\
         [sitemap]\nsitemap-base = \"{}\"\n",
        site.url("/"),
        hook.url("/gone"),
        hook.url("/later"),
        hook.url("/watch"),
        hook.url("/gone"),
        site.url("/")
    );
    let workspace = Workspace::of_service(&file);
    workspace.file("token", "the-first-token-of-all\n");
    let mut service = workspace.serve_with(&["--token-file", "token", "--log-format", "json"]);
    let has = |service: &mut Service, words: &str, times: usize| {
        (service.log().matches(words).count() >= times).then_some(())
    };
    let token = "the-first-token-of-all";
    assert_eq!(service.get_as("guessed-by-somebody", "/api/v1/jobs").0, 401);
    let run = |service: &mut Service, ended: usize| {
        assert!((200..300).contains(&service.order_as(token, "shop", "start")));
        service.until("a run has ended", |service| has(service, "a run ended", ended));
    };
    run(&mut service, 1);
    site.answer("/", Response::new(500));
    run(&mut service, 2);
    service.until("a notification fails", |service| has(service, "could not be delivered", 1));
    service.until("a notification waits", |service| has(service, " waits: ", 1));
    site.stall("/");
    assert!((200..300).contains(&service.order_as(token, "shop", "start")));
    service.until("a run begins", |service| has(service, "a run begins", 3));
    for order in ["pause", "stop"] {
        assert!((200..300).contains(&service.order_as(token, "shop", order)), "{order}");
    }
    service.until("the run is cut", |service| has(service, "a run ended", 3));
    service.reload();
    service.until("the file is read again", |service| has(service, "was read again", 1));
    workspace.configure("[job.shop]\nurl = []\n");
    service.reload();
    service.until("the file is refused", |service| has(service, "stays in force", 1));
    std::fs::remove_file(workspace.path("root/service.sqlite")).expect("the service's database");
    assert!(service.order_as(token, "shop", "start") >= 500);
    service.until("the outage is reported", |service| has(service, "was removed", 1));
    service.until("nobody takes it", |service| has(service, "a notification of the outage", 1));
    let names = [
        (service.url(""), "http://DASHBOARD"),
        (site.base(), "http://SITE"),
        (hook.base(), "http://HOOK"),
        (hook.address().to_string(), "HOOK"),
    ];
    insta::assert_snapshot!(events(&workspace, service, &names));
}

#[test]
fn a_startup_error_is_a_line_of_the_log_too() {
    let workspace = Workspace::of_service("[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n");
    let words = ["serve", "--listen", "192.0.2.1:1", "--state-root", "root", "--log-format", "json"];
    let done = mapwright_e2e::Command::new(words).within(&workspace).run().exited(2);
    let line: Value = serde_json::from_str(done.stderr.trim_end()).expect("one line of JSON");
    assert_eq!(line["level"], "ERROR", "{line}");
}
