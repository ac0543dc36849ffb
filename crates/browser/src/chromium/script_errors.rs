//! The uncaught errors of a page's scripts.

use crate::chromium::client::CallError;
use crate::chromium::tab::{Tab, text};
use serde_json::{Value, json};

/// Most errors that are noted of a page.
const MAX_ERRORS: usize = 20;
/// Longest error in characters.
const MAX_LENGTH: usize = 500;
/// Messages of a page, with those for its console, after which no more are received.
const MAX_MESSAGES: u32 = 100;

/// The errors of one page.
#[derive(Debug, Default)]
pub(crate) struct ScriptErrors {
    errors: Vec<String>,
    messages: u32,
}

impl ScriptErrors {
    /// Receives the messages of a page from now on.
    pub(crate) async fn begin(tab: &Tab) -> Result<ScriptErrors, CallError> {
        tab.send("Runtime.enable", json!({})).await?;
        Ok(ScriptErrors::default())
    }

    /// Takes a message of the page.
    pub(crate) async fn take(&mut self, tab: &Tab, method: &str, params: &Value) -> Result<(), CallError> {
        self.messages += 1;
        if method == "Runtime.exceptionThrown" && self.errors.len() < MAX_ERRORS {
            let described = text(params, "/exceptionDetails/exception/description");
            let error = if described.is_empty() { text(params, "/exceptionDetails/text") } else { described };
            self.errors.push(error.lines().next().unwrap_or_default().chars().take(MAX_LENGTH).collect());
        }
        if self.messages == MAX_MESSAGES { tab.send("Runtime.disable", json!({})).await } else { Ok(()) }
    }

    /// Receives no more, and returns the errors.
    pub(crate) async fn end(self, tab: &Tab) -> Result<Vec<String>, CallError> {
        tab.send("Runtime.disable", json!({})).await?;
        Ok(self.errors)
    }
}
