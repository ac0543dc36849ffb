//! Commands of chromedriver that WebDriver lacks.

use fantoccini::wd::WebDriverCompatibleCommand;
use hyper::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// A command, as the end of its path and its parameters.
#[derive(Debug)]
pub(super) struct ChromiumCommand {
    path: &'static str,
    params: Value,
}

impl ChromiumCommand {
    /// A command of the `DevTools` protocol.
    pub(super) fn devtools(method: &str, params: Value) -> ChromiumCommand {
        ChromiumCommand { path: "goog/cdp/execute", params: json!({"cmd": method, "params": params}) }
    }

    /// The new entries of a log.
    pub(super) fn log(name: &str) -> ChromiumCommand {
        ChromiumCommand { path: "se/log", params: json!({"type": name}) }
    }
}

impl WebDriverCompatibleCommand for ChromiumCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.params.to_string()))
    }
}
