//! The parts of a SARIF log about the tool and its run.

use crate::check::Check;
use crate::severity::Severity;
use mapwright_text::visible;
use serde::Serialize;

/// A text message in SARIF.
#[derive(Serialize)]
pub(super) struct Message {
    text: String,
}

impl Message {
    /// Escapes a text of mapwright or of the site: viewers make links of unescaped brackets.
    pub(super) fn new(text: &str) -> Self {
        Self { text: visible(text).replace('[', "\\[").replace(']', "\\]") }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver<'r> {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: &'r [Rule],
}

impl<'r> Driver<'r> {
    pub(super) fn new(rules: &'r [Rule]) -> Self {
        Self {
            name: "mapwright",
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules,
        }
    }
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: [&'static str; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    id: &'static str,
    short_description: Message,
    help: Message,
    help_uri: String,
    default_configuration: Configuration,
    properties: Properties,
}

impl Rule {
    pub(super) fn new(check: &Check, level: &'static str) -> Self {
        Self {
            id: check.code,
            short_description: Message::new(check.reason),
            help: Message::new(check.fix),
            help_uri: check.help_url(),
            default_configuration: Configuration { level },
            properties: Properties { tags: [check.topic.title()] },
        }
    }
}

#[derive(Serialize)]
pub(super) struct Notification {
    level: &'static str,
    message: Message,
}

impl Notification {
    pub(super) fn new(level: &'static str, text: &str) -> Self {
        Self { level, message: Message::new(text) }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    execution_successful: bool,
    start_time_utc: String,
    tool_execution_notifications: Vec<Notification>,
}

impl Invocation {
    pub(super) fn new(started: String, notifications: Vec<Notification>) -> Self {
        Self { execution_successful: true, start_time_utc: started, tool_execution_notifications: notifications }
    }
}

pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Notice => "note",
    }
}
