//! The settings of a run, as its record keeps them: never a secret.

use mapwright_settings::{Input, Out, Recorded, Settings};
use mapwright_store::{RunInfo, Unfinished};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Paths that a run was begun with hold in whatever directory it goes on.
pub(crate) fn make_absolute(settings: &Settings, recorded: &mut Recorded) {
    let absolute = |path| std::path::absolute(path).unwrap_or_default().display().to_string();
    if let Out::Directory(path) = &settings.output.out {
        recorded.0.insert("output.out".to_owned(), vec![absolute(path)]);
    }
    if let Some(Input::File(path)) = &settings.crawl.url_list {
        recorded.0.insert("crawl.url-list".to_owned(), vec![absolute(path)]);
    }
    recorded.0.remove("record.resume");
}

/// What the record keeps of a run.
pub(crate) fn info(starts: &[String], recorded: &Recorded) -> RunInfo {
    let settings: Map<String, Value> = recorded
        .0
        .iter()
        .map(|(key, values)| (key.clone(), if let [one] = values.as_slice() { json!(one) } else { json!(values) }))
        .collect();
    RunInfo { starts: json!(starts).to_string(), settings: Value::Object(settings).to_string() }
}

/// The start URLs and settings that an unfinished run was begun with.
#[must_use]
pub fn begun_with(unfinished: &Unfinished) -> (Vec<String>, Recorded) {
    let starts = serde_json::from_str(&unfinished.info.starts).unwrap_or_default();
    let settings: BTreeMap<String, Value> = serde_json::from_str(&unfinished.info.settings).unwrap_or_default();
    let texts = |value: Value| match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.into_iter().filter_map(|item| item.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    (starts, Recorded(settings.into_iter().map(|(key, value)| (key, texts(value))).collect()))
}

/// What is to be told of settings that are not those of the run that goes on.
pub(crate) fn differences(before: &Recorded, now: &Recorded) -> Vec<String> {
    let shown = |text: &str| if text.is_empty() { "its default".to_owned() } else { format!("`{text}`") };
    let missing: Vec<String> = before
        .secrets()
        .into_iter()
        .filter(|name| !now.secrets().contains(name))
        .map(|name| format!("--{name}"))
        .collect();
    let mut lines: Vec<String> = before
        .differences(now)
        .into_iter()
        .filter(|difference| difference.before != "(secret)" && difference.now != "(secret)")
        .map(|d| {
            format!("setting changed since the run began: {} was {}, and is {}", d.key, shown(&d.before), shown(&d.now))
        })
        .collect();
    if !missing.is_empty() {
        lines.push(format!(
            "secrets are not kept in the record: this run was begun with {}; give it again if it is still needed",
            missing.join(" and ")
        ));
    }
    lines
}
