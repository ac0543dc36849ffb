//! The settings of a run in its record, without secrets.

use crate::starts::StartUrl;
use mapwright_settings::{
    AuditSection, CrawlSection, Input, Out, OutputSection, RecordSection, RecordedSettings, SettingDifference, Settings,
};
use mapwright_store::{RunInfo, RunKind, Unfinished};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The key that notes that a start URL carried a user and password, without their values.
const USERINFO: &str = "crawl.url-userinfo";
/// Stands for a secret.
const HIDDEN: &str = "(secret)";

/// Notes in the recorded settings that start URLs carried credentials, without their values.
pub(crate) fn note_userinfo(starts: &[StartUrl], recorded: &mut RecordedSettings) {
    if starts.iter().any(|start| start.userinfo.is_some()) {
        recorded.0.insert(USERINFO.to_owned(), vec![HIDDEN.to_owned()]);
    }
}

/// Makes the paths of a run absolute, so that it can be resumed from another directory.
pub(crate) fn make_absolute(settings: &Settings, recorded: &mut RecordedSettings) {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into()).display().to_string();
    if let Out::Directory(path) = &settings.output.out {
        recorded.0.insert(OutputSection::out.to_owned(), vec![absolute(path)]);
    }
    let inputs = [
        (CrawlSection::url_list, &settings.crawl.url_list),
        (AuditSection::baseline, &settings.audit.baseline),
        (AuditSection::robots_file, &settings.audit.robots_file),
    ];
    for (key, input) in inputs {
        if let Some(Input::File(path)) = input {
            recorded.0.insert(key.to_owned(), vec![absolute(path)]);
        }
    }
    if let Some(path) = &settings.audit.write_baseline {
        recorded.0.insert(AuditSection::write_baseline.to_owned(), vec![absolute(path)]);
    }
    recorded.0.remove(RecordSection::resume);
}

/// Returns the inputs that the record stores.
pub(crate) fn info(kind: RunKind, starts: &[String], recorded: &RecordedSettings) -> RunInfo {
    let settings: Map<String, Value> = recorded
        .0
        .iter()
        .map(|(key, values)| (key.clone(), if let [one] = values.as_slice() { json!(one) } else { json!(values) }))
        .collect();
    RunInfo { kind, starts: json!(starts).to_string(), settings: Value::Object(settings).to_string() }
}

/// Returns the start URLs and settings with which an unfinished run began.
#[must_use]
pub fn begun_with(unfinished: &Unfinished) -> (Vec<String>, RecordedSettings) {
    let starts = serde_json::from_str(&unfinished.info.starts).unwrap_or_default();
    let settings: BTreeMap<String, Value> = serde_json::from_str(&unfinished.info.settings).unwrap_or_default();
    let texts = |value: Value| match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.into_iter().filter_map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    (starts, RecordedSettings(settings.into_iter().map(|(key, value)| (key, texts(value))).collect()))
}

/// Returns the secrets that a run began with and that are not given now, in words.
pub(crate) fn missing_secrets(before: &RecordedSettings, now: &RecordedSettings) -> Vec<String> {
    let given = now.secrets();
    let mut missing: Vec<String> =
        before.secrets().into_iter().filter(|name| !given.contains(name)).map(|name| format!("--{name}")).collect();
    let gave_either = now.0.contains_key(USERINFO) || given.iter().any(|name| name == "auth");
    if before.0.contains_key(USERINFO) && !gave_either {
        missing.push("a user and password in its start URL (or give --auth)".to_owned());
    }
    missing
}

/// Returns notes on the settings that differ from those of the resumed run, and on what they affect.
pub(crate) fn differences(before: &RecordedSettings, now: &RecordedSettings) -> Vec<String> {
    let shown = |text: &str| if text.is_empty() { "its default".to_owned() } else { format!("`{text}`") };
    let mut reported: Vec<String> = before
        .differences(now)
        .into_iter()
        .filter(|difference| difference.before != HIDDEN && difference.now != HIDDEN)
        .map(|SettingDifference { key, before, now }| {
            format!(
                "setting changed: {key} was {} when the run began, and is {} from here on",
                shown(&before),
                shown(&now)
            )
        })
        .collect();
    if !reported.is_empty() {
        // Each URL is decided once, when it is found.
        reported.push(
            "URLs that the run knows already stay as they were decided then, queued or left out; without --resume a new \
             run begins, to which the new settings apply as a whole"
                .to_owned(),
        );
    }
    reported
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(options: &[(&str, &str)]) -> RecordedSettings {
        RecordedSettings(options.iter().map(|(key, value)| ((*key).to_owned(), vec![(*value).to_owned()])).collect())
    }

    #[test]
    fn changed_settings_are_reported_with_what_they_affect() {
        let before = recorded(&[("crawl.max-depth", "3"), ("crawl.concurrency", "4")]);
        let now = recorded(&[("crawl.exclude", "/x"), ("crawl.concurrency", "4")]);
        let reported = differences(&before, &now);
        let [one, other, reach] = reported.as_slice() else { panic!("{reported:?}") };
        assert!(
            format!("{one} {other}")
                .contains("crawl.exclude was its default when the run began, and is `/x` from here on"),
            "{reported:?}"
        );
        assert!(
            format!("{one} {other}")
                .contains("crawl.max-depth was `3` when the run began, and is its default from here on"),
            "{reported:?}"
        );
        assert!(reach.contains("stay as they were decided"), "{reported:?}");
        assert!(differences(&before, &before).is_empty());
    }
}
