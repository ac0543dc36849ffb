//! A browser that reads reports: Debian's Chromium, headless, driven through the `DevTools` protocol.
#![allow(clippy::indexing_slicing, reason = "of JSON alone, where what is missing is null")]

mod keys;
mod pipe;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use url::Url;

pub use keys::Key;
use pipe::Pipe;

/// Longest wait for a page to reach a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two polls of a page, which sends no event for a change.
const POLL: Duration = Duration::from_millis(10);

/// The screen on which a page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// 1280 by 800.
    Fixture,
    /// 768 by 1024, touched by fingers.
    Tablet,
    /// 390 by 844, touched by fingers.
    Phone,
}

impl Screen {
    /// Its width in CSS pixels.
    #[must_use]
    pub fn width(self) -> u64 {
        match self {
            Screen::Fixture => 1280,
            Screen::Tablet => 768,
            Screen::Phone => 390,
        }
    }

    fn metrics(self) -> Value {
        match self {
            Screen::Fixture => json!({"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}),
            Screen::Tablet => json!({"width": 768, "height": 1024, "deviceScaleFactor": 2, "mobile": true}),
            Screen::Phone => json!({"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true}),
        }
    }
}

/// A browser with one page. It ends when this is dropped.
#[derive(Debug)]
pub struct Browser {
    pipe: Pipe,
    session: String,
    /// The protocol events that the page has sent, in order.
    events: Vec<Value>,
}

impl Browser {
    /// A browser with an empty page on this screen.
    ///
    /// # Panics
    /// If Chromium is not installed or does not start; the message contains its standard error.
    #[must_use]
    pub fn on(screen: Screen) -> Browser {
        let mut browser = Browser { pipe: Pipe::open(), session: String::new(), events: Vec::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().expect("the session of a page").to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            let _ = browser.call(&format!("{domain}.enable"), json!({}));
        }
        let _ = browser.call("Emulation.setDeviceMetricsOverride", screen.metrics());
        browser
    }

    /// Sets the time zone by its IANA name.
    #[must_use]
    pub fn in_zone(mut self, zone: &str) -> Browser {
        let _ = self.call("Emulation.setTimezoneOverride", json!({"timezoneId": zone}));
        self
    }

    /// Prefers dark colours.
    #[must_use]
    pub fn in_the_dark(mut self) -> Browser {
        let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        let _ = self.call("Emulation.setEmulatedMedia", dark);
        self
    }

    /// Disables scripts.
    #[must_use]
    pub fn without_scripts(mut self) -> Browser {
        let _ = self.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
        self
    }

    /// Opens a file and waits until it is completely loaded; its scripts may still be running.
    ///
    /// # Panics
    /// If it is not loaded within a minute.
    #[track_caller]
    pub fn open(&mut self, file: &Path) {
        let url = Url::from_file_path(file).expect("an absolute path");
        self.visit(url.as_str());
        self.until(&format!("location.href === {}", json!(url.as_str())));
    }

    /// Goes to a URL and waits until the page, or the target of its redirect, is completely loaded.
    ///
    /// # Panics
    /// If no page is loaded within a minute.
    #[track_caller]
    pub fn visit(&mut self, url: &str) {
        let began = self.value("performance.timeOrigin");
        let _ = self.call("Page.navigate", json!({"url": url}));
        self.until_changed(&began);
    }

    /// Reloads the page.
    ///
    /// # Panics
    /// If it is not loaded within a minute.
    #[track_caller]
    pub fn reload(&mut self) {
        let began = self.value("performance.timeOrigin");
        let _ = self.call("Page.reload", json!({}));
        self.until_changed(&began);
    }

    /// Waits until a page whose time origin is later than `began` is completely loaded; until then, scripts see the old
    /// page.
    #[track_caller]
    fn until_changed(&mut self, began: &Value) {
        self.until(&format!("performance.timeOrigin > {began} && document.readyState === 'complete'"));
    }

    /// Evaluates an expression in the page.
    ///
    /// # Panics
    /// If it throws.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        self.evaluated(expression).unwrap_or_else(|error| panic!("`{expression}`: {error}"))
    }

    /// Evaluates an expression whose value is a string.
    ///
    /// # Panics
    /// If it throws, or its value is not a string.
    #[track_caller]
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("`{expression}` is no text: {value}")).to_owned()
    }

    /// Waits until an expression is true.
    ///
    /// # Panics
    /// If that does not happen within a minute; the message contains the errors and warnings of the page.
    #[track_caller]
    pub fn until(&mut self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        let mut last = Ok(Value::Null);
        while Instant::now() < deadline {
            // During a navigation, evaluation fails.
            last = self.evaluated(expression);
            if last.as_ref().is_ok_and(|value| *value == json!(true)) {
                return;
            }
            std::thread::sleep(POLL);
        }
        let complaints = self.complaints();
        panic!("not within {PATIENCE:?}: `{expression}`, at last {last:?}; complaints: {complaints:#?}");
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: Key) {
        for event in key.events() {
            let _ = self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Inserts a text into the focused element.
    pub fn write(&mut self, text: &str) {
        let _ = self.call("Input.insertText", json!({"text": text}));
    }

    /// Console warnings, errors and exceptions, and every dialog and window that a script opened.
    pub fn complaints(&mut self) -> Vec<String> {
        self.output(|event| {
            let params = &event["params"];
            let is_grave = |level: &Value| matches!(level.as_str(), Some("error" | "warning" | "assert"));
            match event["method"].as_str()? {
                "Runtime.consoleAPICalled" if is_grave(&params["type"]) => Some(params.to_string()),
                "Log.entryAdded" if is_grave(&params["entry"]["level"]) => Some(params.to_string()),
                "Runtime.exceptionThrown" | "Page.javascriptDialogOpening" | "Page.windowOpen" => {
                    Some(event.to_string())
                }
                _ => None,
            }
        })
    }

    /// The URLs that the page requested, its own included.
    pub fn requests(&mut self) -> Vec<String> {
        self.output(|event| {
            let requested =
                event["method"] == "Network.requestWillBeSent" || event["method"] == "Network.webSocketCreated";
            let params = &event["params"];
            requested
                .then(|| params["request"]["url"].as_str().or(params["url"].as_str()).unwrap_or_default().to_owned())
        })
    }

    /// The results of `of` for the events so far.
    fn output(&mut self, of: impl Fn(&Value) -> Option<String>) -> Vec<String> {
        // The browser sends pending events before the answer to a later command.
        let _ = self.evaluated("0");
        self.events.iter().filter_map(of).collect()
    }

    fn evaluated(&mut self, expression: &str) -> Result<Value, String> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.answer("Runtime.evaluate", params)?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(details.to_string()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    #[track_caller]
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.answer(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a command and waits for its answer.
    #[track_caller]
    fn answer(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let requested = self.pipe.send(&self.session, method, &params);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut message = self.pipe.receive(deadline);
            if message["id"] == requested {
                return match message.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(message["result"].take()),
                };
            }
            // A dialog blocks the page until it is closed.
            if message["method"] == "Page.javascriptDialogOpening" {
                let _ = self.pipe.send(&self.session, "Page.handleJavaScriptDialog", &json!({"accept": false}));
            }
            self.events.push(message);
        }
    }
}
