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

/// Each excluded URL of the last run in a workspace.
///
/// # Panics
/// If the command fails, prints a line that is not a JSON object, or reports a URL twice.
#[track_caller]
pub(crate) fn export(workspace: &Workspace) -> BTreeMap<String, Exclusion> {
    let state = workspace.state();
    let command = Command::new(["export", "excluded", "--format", "jsonl", "--state"]).arg(&state);
    let done = command.within(workspace).run().exited(0);
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
