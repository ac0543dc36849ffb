//! A tab of the browser, kept over many pages.

use crate::chromium::client::{CallError, Client, Event};
use crate::chromium::page_script::PAGE_SCRIPT;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::mpsc;

/// Longest time for leaving a page.
const LEAVE_LIMIT: Duration = Duration::from_secs(2);
/// Most pages of one tab: a new one frees what pages left behind.
const MAX_PAGES: u32 = 50;

/// A tab whose requests are paused.
#[derive(Debug)]
pub(crate) struct Tab {
    pub(crate) client: Client,
    pub(crate) session: String,
    /// The main frame.
    pub(crate) frame: String,
    pub(crate) events: mpsc::Receiver<Event>,
    target: String,
    pages: u32,
}

impl Tab {
    /// Opens a tab whose pages see this user agent.
    pub(crate) async fn open(client: &Client, user_agent: &str) -> Result<Tab, CallError> {
        let target = client.call("", "Target.createTarget", json!({"url": "about:blank"})).await?;
        let target = text(&target, "/targetId");
        let attach = json!({"targetId": target, "flatten": true});
        let session = text(&client.call("", "Target.attachToTarget", attach).await?, "/sessionId");
        let events = client.events(&session);
        let mut tab = Tab { client: client.clone(), session, frame: String::new(), events, target, pages: 0 };
        for (method, params) in setup(user_agent) {
            tab.call(method, params).await?;
        }
        tab.frame = text(&tab.call("Page.getFrameTree", json!({})).await?, "/frameTree/frame/id");
        Ok(tab)
    }

    /// Sends a command to the page, and returns the result.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Result<Value, CallError> {
        self.client.call(&self.session, method, params).await
    }

    /// Sends a command to the page, whose answer does not matter.
    pub(crate) async fn send(&self, method: &str, params: Value) -> Result<(), CallError> {
        self.client.send(&self.session, method, params).await.map(drop)
    }

    /// Leaves the page, whose scripts have a last word. Returns true if the tab may have another.
    pub(crate) async fn leave(&mut self) -> bool {
        self.pages += 1;
        let blank = async {
            self.call("Page.navigate", json!({"url": "about:blank"})).await?;
            // A page that loops while it unloads lets no other answer.
            self.call("Runtime.evaluate", json!({"expression": "1"})).await
        };
        let is_left = matches!(tokio::time::timeout(LEAVE_LIMIT, blank).await, Ok(Ok(_)));
        while self.events.try_recv().is_ok() {}
        is_left && self.pages < MAX_PAGES
    }

    /// Closes the tab. Its renderer ends at once, since a page may be busy for ever, also while it unloads.
    pub(crate) async fn close(self) {
        self.client.forget(&self.session);
        for (session, method, params) in [
            (self.session.as_str(), "Page.crash", json!({})),
            ("", "Target.closeTarget", json!({"targetId": self.target})),
        ] {
            // No answer is awaited: there is none of a page that is gone.
            drop(self.client.send(session, method, params).await);
        }
    }
}

/// Returns the commands for a new tab.
fn setup(user_agent: &str) -> [(&'static str, Value); 8] {
    [
        ("Page.enable", json!({})),
        ("Fetch.enable", json!({"patterns": [{"urlPattern": "*", "requestStage": "Request"}]})),
        ("Emulation.setFocusEmulationEnabled", json!({"enabled": true})),
        ("Emulation.setTimezoneOverride", json!({"timezoneId": "UTC"})),
        ("Emulation.setLocaleOverride", json!({"locale": "en-US"})),
        ("Emulation.setUserAgentOverride", json!({"userAgent": user_agent, "acceptLanguage": "en"})),
        (
            "Emulation.setDeviceMetricsOverride",
            json!({"width": 1280, "height": 1600, "deviceScaleFactor": 1, "mobile": false}),
        ),
        ("Page.addScriptToEvaluateOnNewDocument", json!({"source": PAGE_SCRIPT})),
    ]
}

/// Returns a text of an answer; empty where there is none.
pub(crate) fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}
