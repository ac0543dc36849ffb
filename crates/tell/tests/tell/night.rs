//! The messages that the tests send.

use mapwright_tell::{FindingChanges, Listing, Message, Night, NightOutcome, message};

/// A night with a change.
pub(crate) fn night() -> Night {
    Night {
        job: "shop".to_owned(),
        site: "https://shop.example/".to_owned(),
        due: "2026-03-01T02:00:00Z".parse().unwrap(),
        run: Some(17),
        outcome: NightOutcome::Done,
        trouble: None,
        again: false,
        advice: Vec::new(),
        listed: Some(1_201),
        listed_before: Some(1_200),
        gained: Listing::new(1, ["https://shop.example/grün?a=1&b=<2>".to_owned()]),
        lost: Listing::default(),
        findings: FindingChanges::default(),
        link: Some("https://maps.example/jobs/shop/17".to_owned()),
    }
}

/// What is told of it.
pub(crate) fn told() -> Message {
    message(&night()).unwrap()
}
