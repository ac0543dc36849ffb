use jiff::Timestamp;

use super::{MOST_SUBJECT, Message, message};
use crate::night::{FindingChanges, FindingLine, Listing, MOST_EXAMPLES, Night, NightOutcome};

/// A night in which nothing happened.
pub(crate) fn quiet() -> Night {
    Night {
        job: "shop".to_owned(),
        site: "https://shop.example/".to_owned(),
        due: "2026-03-01T02:00:00Z".parse().unwrap(),
        run: Some(17),
        outcome: NightOutcome::Done,
        trouble: None,
        again: false,
        advice: Vec::new(),
        listed: Some(1_200),
        listed_before: Some(1_200),
        gained: Listing::default(),
        lost: Listing::default(),
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

/// A night in which everything happened.
pub(crate) fn busy() -> Night {
    let pages = |from: u32, to: u32| (from..to).map(|n| format!("https://shop.example/item/{n}"));
    Night {
        listed: Some(1_531),
        gained: Listing::new(332, pages(0, 400)),
        lost: Listing::new(1, ["https://shop.example/sale".to_owned()]),
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

fn with(outcome: NightOutcome) -> Night {
    Night { outcome, ..quiet() }
}

fn why() -> String {
    "no start URL answered".to_owned()
}

fn in_full(message: &Message) -> String {
    let json = serde_json::to_string_pretty(&message.json).unwrap();
    format!("{}\n{}\n\n{}\n{json}", message.id, message.subject, message.text)
}

#[test]
fn a_quiet_night_says_nothing() {
    assert_eq!(message(&quiet()), None);
    assert_eq!(message(&Night { listed: None, listed_before: None, ..quiet() }), None);
    assert_eq!(message(&Night { listed_before: None, ..quiet() }), None);
}

#[test]
fn any_change_is_told() {
    let one = || vec![finding("slow", "warning", "Slow", 1, &[])];
    let findings = |findings| Night { findings, ..quiet() };
    let changed = [
        (Night { gained: Listing::new(1, []), ..quiet() }, "1 page gained"),
        (Night { lost: Listing::new(2, []), ..quiet() }, "2 pages lost"),
        (findings(FindingChanges { new: one(), ..FindingChanges::default() }), "1 new finding"),
        (findings(FindingChanges { fixed: one(), ..FindingChanges::default() }), "1 fixed"),
        (findings(FindingChanges { regressed: one(), ..FindingChanges::default() }), "1 finding again"),
        (Night { advice: vec!["put a line into robots.txt".to_owned()], ..quiet() }, "something to do at the site"),
        (Night { listed_before: Some(1_199), ..quiet() }, "1200 pages (1199 before)"),
    ];
    for (night, said) in changed {
        assert_eq!(message(&night).unwrap().subject, format!("[mapwright] shop: {said}"));
    }
}

#[test]
fn trouble_that_people_know_is_told_again_only_with_news() {
    let refused = || Night { outcome: NightOutcome::Refused { why: why() }, again: true, ..quiet() };
    assert_eq!(message(&refused()), None);
    let news = message(&Night { findings: busy().findings, ..refused() }).unwrap();
    assert!(news.subject.contains("sitemap not published"), "{}", news.subject);
    assert!(news.text.contains("In the sitemap that was held back: "), "{}", news.text);
    assert!(news.text.contains("broken-link") || news.text.contains("Links to pages that are gone"), "{}", news.text);
}

#[test]
fn a_busy_night_in_full() {
    insta::assert_snapshot!(in_full(&message(&busy()).unwrap()));
}

#[test]
fn a_failed_night_in_full() {
    insta::assert_snapshot!(in_full(&message(&with(NightOutcome::Failed { why: why() })).unwrap()));
}

#[test]
fn each_kind_says_what_it_should() {
    let kinds = [
        (NightOutcome::Failed { why: why() }, "shop failed: no start URL answered", "the job failed"),
        (NightOutcome::Refused { why: why() }, "shop: sitemap not published: no start URL answered", "held back"),
        (NightOutcome::Missed { why: why() }, "shop did not run: no start URL answered", "nothing was heard of it"),
        (NightOutcome::Recovered, "shop is well again", "the night before went wrong"),
    ];
    for (outcome, subject, reason) in kinds {
        let (kind, message) = (outcome.kind(), message(&with(outcome)).unwrap());
        assert_eq!(message.subject, format!("[mapwright] {subject}"));
        assert!(message.text.lines().last().unwrap().contains(reason), "{}", message.text);
        assert!(message.text.contains("https://maps.example/jobs/shop/17"));
        assert_eq!((&message.json["version"], &message.json["kind"]), (&1.into(), &kind.into()));
    }
    let recovered = message(&Night { outcome: NightOutcome::Recovered, ..busy() }).unwrap();
    assert!(recovered.subject.starts_with("[mapwright] shop is well again: 6 new findings"), "{}", recovered.subject);
}

#[test]
fn the_id_is_that_of_the_job_the_night_the_kind_and_the_trouble() {
    let id = |night: &Night| message(night).unwrap().id;
    let first = id(&busy());
    assert_eq!(first, id(&Night { lost: Listing::default(), run: None, ..busy() }), "the same night told anew");
    let others = [
        Night { job: "shop2".to_owned(), ..busy() },
        Night { site: "https://other.example/".to_owned(), ..busy() },
        Night { due: "2026-03-02T02:00:00Z".parse().unwrap(), ..busy() },
        Night { due: busy().due + jiff::SignedDuration::from_millis(1), ..busy() },
        Night { outcome: NightOutcome::Recovered, ..busy() },
        Night { trouble: Some("failed at the mirror".to_owned()), ..busy() },
    ];
    for other in &others {
        assert_ne!(first, id(other));
    }
    let odd = id(&Night { job: "a b\r\n<ü>".to_owned(), ..busy() });
    assert!(odd.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{odd}");
    assert_ne!(odd, id(&Night { job: "a b\r\n<ö>".to_owned(), ..busy() }));
}

/// A night whose every text tries to be something else.
pub(crate) fn hostile() -> Night {
    let text = || {
        "x\r\nBcc: all@example.com\r\n\r\n<!channel> <https://evil.example|click> ``` @here \u{202e}[a](b)".to_owned()
    };
    Night {
        job: text(),
        site: text(),
        gained: Listing::new(1, [text()]),
        lost: Listing::new(1, [text()]),
        findings: FindingChanges {
            new: vec![finding(&text(), &text(), &text(), 1, &[&text()])],
            ..FindingChanges::default()
        },
        outcome: NightOutcome::Failed { why: text() },
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
    let listing = || Listing { count: u64::MAX, examples: vec![long(); 30] };
    let group = || vec![line(); 60];
    let night = Night {
        job: long(),
        site: long(),
        gained: listing(),
        lost: listing(),
        findings: FindingChanges { new: group(), fixed: group(), regressed: group() },
        outcome: NightOutcome::Failed { why: long() },
        ..quiet()
    };
    let message = message(&night).unwrap();
    assert_eq!(message.subject.chars().count(), MOST_SUBJECT);
    assert!(message.id.len() < 100);
    assert!(message.text.lines().all(|line| line.chars().count() < 1_100));
    assert!(message.text.lines().count() < 400, "{}", message.text.lines().count());
    assert!(message.text.contains("and 40000 more"), "of 60 lines of 1000 findings 20 are shown");
    let examples = message.json["gained"]["examples"].as_array().unwrap();
    assert_eq!(examples.len(), MOST_EXAMPLES);
    assert_eq!(examples[0].as_str().unwrap().chars().count(), 2_000);
    assert_eq!(message.json["findings"]["new"]["count"], 60_000);
    assert_eq!(message.json["findings"]["new"]["codes"], 60);
    assert_eq!(message.json["findings"]["new"]["lines"].as_array().unwrap().len(), 50);
}

#[test]
fn a_listing_keeps_so_many_examples() {
    let listing = Listing::new(100, (0..100).map(|n| n.to_string()));
    assert_eq!((listing.count, listing.examples.len()), (100, MOST_EXAMPLES));
}

/// A message for the tests of what carries messages.
pub(crate) fn sample(due: Timestamp) -> Message {
    message(&Night { due, ..busy() }).unwrap()
}
