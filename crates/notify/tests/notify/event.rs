//! The messages that the tests send.

use mapwright_notify::{EventKind, FindingChanges, Message, PageSample, RunEvent, message};

/// Returns an event with a change.
pub(crate) fn event() -> RunEvent {
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
        listed: Some(1_201),
        listed_before: Some(1_200),
        added: PageSample::new(1, ["https://shop.example/grün?a=1&b=<2>".to_owned()]),
        removed: PageSample::default(),
        findings: FindingChanges::default(),
        link: Some("https://maps.example/jobs/shop/17".to_owned()),
    }
}

/// Returns the message about it.
pub(crate) fn reported() -> Message {
    message(&event()).unwrap()
}
