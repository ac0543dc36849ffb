use jiff::Timestamp;

use super::{MAX_SUBJECT, Message, message};
use crate::event::{EventKind, FindingChanges, FindingLine, MAX_EXAMPLES, PageSample, RunEvent};

/// Returns an event without changes.
pub(crate) fn quiet() -> RunEvent {
    RunEvent {
        job: "shop".to_owned(),
        site: "https://shop.example/".to_owned(),
        scheduled_for: "2026-03-01T02:00:00Z".parse().unwrap(),
        occurrence: 0,
        run: Some(17),
        kind: EventKind::Done,
        incident: None,
        incident_ongoing: false,
        hints: Vec::new(),
        listed: Some(1_200),
        listed_before: Some(1_200),
        added: PageSample::default(),
        removed: PageSample::default(),
        findings: FindingChanges::default(),
        link: Some("https://maps.example/jobs/shop/17".to_owned()),
    }
}

fn finding(code: &str, severity: &str, title: &str, count: u64, examples: &[&str]) -> FindingLine {
    FindingLine {
        code: code.to_owned(),
        severity: severity.to_owned(),
        title: title.to_owned(),
        count,
        examples: examples.iter().map(|example| (*example).to_owned()).collect(),
    }
}

/// Returns an event with every kind of change.
pub(crate) fn busy() -> RunEvent {
    let pages = |from: u32, to: u32| (from..to).map(|n| format!("https://shop.example/item/{n}"));
    RunEvent {
        listed: Some(1_531),
        added: PageSample::new(332, pages(0, 400)),
        removed: PageSample::new(1, ["https://shop.example/sale".to_owned()]),
        findings: FindingChanges {
            new: vec![
                finding(
                    "broken-link",
                    "error",
                    "Links to pages that are gone",
                    5,
                    &[
                        "https://shop.example/a",
                        "https://shop.example/b",
                        "https://shop.example/c",
                        "https://shop.example/d",
                    ],
                ),
                finding("slow", "warning", "Pages that take long", 1, &["https://shop.example/slow"]),
            ],
            fixed: vec![finding("no-title", "warning", "Pages without a title", 2, &[])],
            regressed: vec![finding(
                "redirect-loop",
                "error",
                "Redirects in a circle",
                1,
                &["https://shop.example/loop"],
            )],
        },
        ..quiet()
    }
}

fn with(kind: EventKind) -> RunEvent {
    RunEvent { kind, ..quiet() }
}

fn reason() -> String {
    "no start URL answered".to_owned()
}

fn in_full(message: &Message) -> String {
    let json = serde_json::to_string_pretty(&message.json).unwrap();
    format!("{}\n{}\n\n{}\n{json}", message.id, message.subject, message.text)
}

#[test]
fn a_run_without_changes_makes_no_message() {
    assert_eq!(message(&quiet()), None);
    assert_eq!(message(&RunEvent { listed: None, listed_before: None, ..quiet() }), None);
    assert_eq!(message(&RunEvent { listed_before: None, ..quiet() }), None);
}

#[test]
fn any_change_is_reported() {
    let one = || vec![finding("slow", "warning", "Slow", 1, &[])];
    let findings = |findings| RunEvent { findings, ..quiet() };
    let changed = [
        (RunEvent { added: PageSample::new(1, []), ..quiet() }, "1 page added"),
        (RunEvent { removed: PageSample::new(2, []), ..quiet() }, "2 pages removed"),
        (findings(FindingChanges { new: one(), ..FindingChanges::default() }), "1 new finding"),
        (findings(FindingChanges { fixed: one(), ..FindingChanges::default() }), "1 fixed"),
        (findings(FindingChanges { regressed: one(), ..FindingChanges::default() }), "1 finding again"),
        (RunEvent { hints: vec!["put a line into robots.txt".to_owned()], ..quiet() }, "something to do at the site"),
        (RunEvent { listed_before: Some(1_199), ..quiet() }, "1200 pages (1199 before)"),
    ];
    for (event, said) in changed {
        assert_eq!(message(&event).unwrap().subject, format!("[mapwright] shop: {said}"));
    }
}

#[test]
fn a_known_incident_is_reported_again_only_with_other_changes() {
    let refused = || RunEvent { kind: EventKind::Refused { reason: reason() }, incident_ongoing: true, ..quiet() };
    assert_eq!(message(&refused()), None);
    let news = message(&RunEvent { findings: busy().findings, ..refused() }).unwrap();
    assert!(news.subject.contains("sitemap not published"), "{}", news.subject);
    assert!(news.text.contains("In the sitemap that was held back: "), "{}", news.text);
    assert!(news.text.contains("broken-link") || news.text.contains("Links to pages that are gone"), "{}", news.text);
}

#[test]
fn a_run_with_many_changes_in_full() {
    insta::assert_snapshot!(in_full(&message(&busy()).unwrap()));
}

#[test]
fn a_failed_run_in_full() {
    insta::assert_snapshot!(in_full(&message(&with(EventKind::Failed { reason: reason() })).unwrap()));
}

#[test]
fn each_kind_says_what_it_should() {
    let kinds = [
        (EventKind::Failed { reason: reason() }, "shop failed: no start URL answered", "the job failed"),
        (EventKind::Refused { reason: reason() }, "shop: sitemap not published: no start URL answered", "held back"),
        (EventKind::Missed { reason: reason() }, "shop did not run: no start URL answered", "skipped or missed"),
        (EventKind::Recovered, "shop has recovered", "the incident is resolved"),
    ];
    for (kind, subject, reason) in kinds {
        let (kind, message) = (kind.as_str(), message(&with(kind)).unwrap());
        assert_eq!(message.subject, format!("[mapwright] {subject}"));
        assert!(message.text.lines().last().unwrap().contains(reason), "{}", message.text);
        assert!(message.text.contains("https://maps.example/jobs/shop/17"));
        assert_eq!((&message.json["version"], &message.json["kind"]), (&1.into(), &kind.into()));
    }
    let recovered = message(&RunEvent { kind: EventKind::Recovered, ..busy() }).unwrap();
    assert!(recovered.subject.starts_with("[mapwright] shop has recovered: 6 new findings"), "{}", recovered.subject);
}

#[test]
fn the_id_depends_on_job_due_instant_kind_and_incident() {
    let id = |event: &RunEvent| message(event).unwrap().id;
    let first = id(&busy());
    assert_eq!(
        first,
        id(&RunEvent { removed: PageSample::default(), run: None, ..busy() }),
        "the same run reported again"
    );
    let others = [
        RunEvent { job: "shop2".to_owned(), ..busy() },
        RunEvent { site: "https://other.example/".to_owned(), ..busy() },
        RunEvent { scheduled_for: "2026-03-02T02:00:00Z".parse().unwrap(), ..busy() },
        RunEvent { occurrence: 1, ..busy() },
        RunEvent { kind: EventKind::Recovered, ..busy() },
        RunEvent { incident: Some("failed at the mirror".to_owned()), ..busy() },
    ];
    for other in &others {
        assert_ne!(first, id(other));
    }
    let odd = id(&RunEvent { job: "a b\r\n<ü>".to_owned(), ..busy() });
    assert!(odd.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{odd}");
    assert_ne!(odd, id(&RunEvent { job: "a b\r\n<ö>".to_owned(), ..busy() }));
}

/// Returns an event whose texts try to break out of their places.
pub(crate) fn hostile() -> RunEvent {
    let text = || {
        "x\r\nBcc: all@example.com\r\n\r\n<!channel> <https://evil.example|click> ``` @here \u{202e}[a](b)".to_owned()
    };
    RunEvent {
        job: text(),
        site: text(),
        added: PageSample::new(1, [text()]),
        removed: PageSample::new(1, [text()]),
        findings: FindingChanges {
            new: vec![finding(&text(), &text(), &text(), 1, &[&text()])],
            ..FindingChanges::default()
        },
        kind: EventKind::Failed { reason: text() },
        link: Some("javascript:alert(1)".to_owned()),
        ..quiet()
    }
}

#[test]
fn hostile_texts_stay_on_their_lines() {
    let message = message(&hostile()).unwrap();
    for line in message.subject.lines().chain(message.text.lines()) {
        assert!(!line.starts_with("Bcc"), "{line}");
        assert!(!line.contains(|c: char| c.is_control() || c == '\u{202e}'), "{line:?}");
    }
    assert_eq!(message.subject.lines().count(), 1);
    assert!(!message.text.contains("javascript"), "{}", message.text);
    assert!(message.json["link"].is_null());
}

#[test]
fn everything_is_bounded() {
    let long = || "ü".repeat(5_000);
    let line = || FindingLine { examples: vec![long(); 30], ..finding(&long(), &long(), &long(), 1_000, &[]) };
    let listing = || PageSample { count: u64::MAX, examples: vec![long(); 30] };
    let group = || vec![line(); 60];
    let event = RunEvent {
        job: long(),
        site: long(),
        added: listing(),
        removed: listing(),
        findings: FindingChanges { new: group(), fixed: group(), regressed: group() },
        kind: EventKind::Failed { reason: long() },
        ..quiet()
    };
    let message = message(&event).unwrap();
    assert_eq!(message.subject.chars().count(), MAX_SUBJECT);
    assert!(message.id.len() < 100);
    assert!(message.text.lines().all(|line| line.chars().count() < 1_100));
    assert!(message.text.lines().count() < 400, "{}", message.text.lines().count());
    assert!(message.text.contains("and 40000 more"), "of 60 lines of 1000 findings 20 are shown");
    let examples = message.json["added"]["examples"].as_array().unwrap();
    assert_eq!(examples.len(), MAX_EXAMPLES);
    assert_eq!(examples[0].as_str().unwrap().chars().count(), 2_000);
    assert_eq!(message.json["findings"]["new"]["count"], 60_000);
    assert_eq!(message.json["findings"]["new"]["codes"], 60);
    assert_eq!(message.json["findings"]["new"]["lines"].as_array().unwrap().len(), 50);
}

#[test]
fn a_listing_keeps_a_bounded_number_of_examples() {
    let listing = PageSample::new(100, (0..100).map(|n| n.to_string()));
    assert_eq!((listing.count, listing.examples.len()), (100, MAX_EXAMPLES));
}

/// Returns a message for the tests of outbox and deliveries.
pub(crate) fn sample(scheduled_for: Timestamp) -> Message {
    message(&RunEvent { scheduled_for, ..busy() }).unwrap()
}
