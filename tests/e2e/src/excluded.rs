//! `mapwright export excluded`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{Command, Workspace};

/// The reason why one URL is in no sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// The reason, from the documented list.
    pub reason: String,
    /// The status of the response, if there was one.
    pub status: Option<u64>,
    /// The failure, if there was no response.
    pub failure: Option<String>,
    /// The URL that gives the reason: a redirect's target, a canonical, or the listed duplicate.
    pub evidence: Option<String>,
}

impl Workspace {
    /// The URLs that `mapwright export excluded` reports, each with its one reason.
    #[track_caller]
    pub fn excluded(&self) -> BTreeMap<String, Exclusion> {
        let state = self.state();
        let command = Command::new(["export", "excluded", "--format", "jsonl", "--state"]).arg(&state);
        let done = command.within(self).run().exited(0);
        let mut all = BTreeMap::new();
        for line in done.stdout.lines() {
            let row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("no JSON ({error}): {line}"));
            let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
            let url = text("url").unwrap_or_else(|| panic!("no url: {line}"));
            let exclusion = Exclusion {
                reason: text("reason").unwrap_or_else(|| panic!("no reason: {line}")),
                status: row.get("status").and_then(Value::as_u64),
                failure: text("failure"),
                evidence: text("evidence"),
            };
            assert!(all.insert(url.clone(), exclusion).is_none(), "{url} has two reasons:\n{}", done.stdout);
        }
        all
    }

    /// The row of `export excluded` for this URL.
    #[track_caller]
    pub fn exclusion(&self, url: &str) -> Exclusion {
        self.excluded().remove(url).unwrap_or_else(|| panic!("{url} is not among the excluded"))
    }

    /// The reason of one URL's exclusion; `None` where it is not among the excluded.
    #[track_caller]
    pub fn reason(&self, url: &str) -> Option<String> {
        self.excluded().remove(url).map(|exclusion| exclusion.reason)
    }
}
