//! A browser that reads reports: Debian's Chromium, headless, driven through WebDriver.
#![allow(clippy::indexing_slicing, reason = "of JSON alone, where what is missing is null")]

mod chromedriver;
mod command;

use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::error::CmdError;
use fantoccini::wd::TimeoutConfiguration;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use url::Url;

use chromedriver::Chromedriver;
use command::ChromiumCommand;
pub use fantoccini::key::Key;

/// Longest wait for a page to reach a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two polls of a page, which sends no event for a change.
const POLL: Duration = Duration::from_millis(10);
/// The program, of the package of the same name.
const PROGRAM: &str = "/usr/bin/chromium";
/// Chromium's options: headless, without network access, without a GPU and a large `/dev/shm`. The sandbox is off
/// because it does not work for root, the user of tests in containers; Chromium opens only pages of the program under
/// test.
const OPTIONS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--password-store=basic",
];

/// The screen on which a page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// 1280 by 800.
    Desktop,
    /// 768 by 1024, touched by fingers.
    Tablet,
    /// 390 by 844, touched by fingers.
    Phone,
}

impl Screen {
    /// Its width in CSS pixels.
    pub fn width(self) -> u64 {
        match self {
            Screen::Desktop => 1280,
            Screen::Tablet => 768,
            Screen::Phone => 390,
        }
    }

    fn metrics(self) -> Value {
        match self {
            Screen::Desktop => json!({"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false}),
            Screen::Tablet => json!({"width": 768, "height": 1024, "deviceScaleFactor": 2, "mobile": true}),
            Screen::Phone => json!({"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true}),
        }
    }
}

/// A browser with one page. It ends when this is dropped.
#[derive(Debug)]
pub struct Browser {
    runtime: Runtime,
    client: Client,
    /// The warnings and errors of the console so far.
    console: Vec<String>,
    /// The protocol events of the page and of its network so far, in order.
    events: Vec<Value>,
    /// Dropped last.
    _chromedriver: Chromedriver,
}

impl Browser {
    /// A browser with an empty page on this screen.
    pub fn on(screen: Screen) -> Browser {
        let chromedriver = Chromedriver::start();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let client = runtime.block_on(session(chromedriver.url()));
        let browser = Browser { runtime, client, console: Vec::new(), events: Vec::new(), _chromedriver: chromedriver };
        browser.set("Emulation.setDeviceMetricsOverride", screen.metrics());
        browser
    }

    /// Sets the time zone by its IANA name.
    pub fn in_zone(self, zone: &str) -> Browser {
        self.set("Emulation.setTimezoneOverride", json!({"timezoneId": zone}));
        self
    }

    /// Prefers dark colours.
    pub fn in_the_dark(self) -> Browser {
        let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        self.set("Emulation.setEmulatedMedia", dark);
        self
    }

    /// Disables scripts.
    pub fn without_scripts(self) -> Browser {
        self.set("Emulation.setScriptExecutionDisabled", json!({"value": true}));
        self
    }

    /// Opens a file and waits until it is completely loaded; its scripts may still be running.
    #[track_caller]
    pub fn open(&mut self, file: impl AsRef<Path>) {
        let url = Url::from_file_path(file).expect("an absolute path");
        self.visit(url.as_str());
    }

    /// Goes to a URL and waits until the page, or the target of its redirect, is completely loaded.
    #[track_caller]
    pub fn visit(&mut self, url: &str) {
        self.runtime.block_on(self.client.goto(url)).unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    /// Reloads the page.
    #[track_caller]
    pub fn reload(&mut self) {
        self.runtime.block_on(self.client.refresh()).expect("the page is loaded");
    }

    /// Evaluates an expression in the page.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        self.evaluated(expression).unwrap_or_else(|error| panic!("`{expression}`: {error}"))
    }

    /// Evaluates an expression whose value is a string.
    #[track_caller]
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("`{expression}` is no text: {value}")).to_owned()
    }

    /// Waits until an expression is true.
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
    #[track_caller]
    pub fn press(&mut self, key: Key) {
        let value = char::from(key);
        let actions = KeyActions::new("keyboard".to_owned());
        let actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        self.runtime.block_on(self.client.perform_actions(actions)).expect("a key");
    }

    /// Inserts a text into the focused element.
    #[track_caller]
    pub fn write(&mut self, text: &str) {
        self.set("Input.insertText", json!({"text": text}));
    }

    /// Console warnings, errors and exceptions, and every dialog and window that a script opened.
    #[track_caller]
    pub fn complaints(&mut self) -> Vec<String> {
        self.read_logs();
        let is_opened = |event: &&Value| {
            matches!(event["method"].as_str(), Some("Page.javascriptDialogOpening" | "Page.windowOpen"))
        };
        self.console.iter().cloned().chain(self.events.iter().filter(is_opened).map(Value::to_string)).collect()
    }

    /// The URLs that the page requested, its own included.
    #[track_caller]
    pub fn requests(&mut self) -> Vec<String> {
        self.read_logs();
        let url = |event: &Value| {
            let params = &event["params"];
            match event["method"].as_str()? {
                "Network.requestWillBeSent" => params["request"]["url"].as_str().map(str::to_owned),
                "Network.webSocketCreated" => params["url"].as_str().map(str::to_owned),
                _ => None,
            }
        };
        self.events.iter().filter_map(url).collect()
    }

    /// Adds the new entries of the logs, which the driver returns once.
    #[track_caller]
    fn read_logs(&mut self) {
        let log = |name: &str| {
            let log = self.runtime.block_on(self.client.issue_cmd(ChromiumCommand::log(name)));
            log.expect("a log of the browser").as_array().cloned().expect("a list of entries")
        };
        let (console, performance) = (log("browser"), log("performance"));
        let is_grave = |entry: &&Value| matches!(entry["level"].as_str(), Some("WARNING" | "SEVERE"));
        self.console.extend(console.iter().filter(is_grave).map(|entry| entry["message"].to_string()));
        let event = |entry: &Value| serde_json::from_str::<Value>(entry["message"].as_str()?).ok();
        let event = |entry: &Value| event(entry).expect("an event is JSON")["message"].take();
        self.events.extend(performance.iter().map(event));
    }

    fn evaluated(&self, expression: &str) -> Result<Value, String> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.answer("Runtime.evaluate", params).map_err(|error| error.to_string())?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(details.to_string()),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    #[track_caller]
    fn set(&self, method: &str, params: Value) {
        self.answer(method, params).unwrap_or_else(|error| panic!("{method}: {error}"));
    }

    /// Sends a command of the `DevTools` protocol, for what WebDriver lacks.
    fn answer(&self, method: &str, params: Value) -> Result<Value, CmdError> {
        self.runtime.block_on(self.client.issue_cmd(ChromiumCommand::devtools(method, params)))
    }
}

impl Drop for Browser {
    /// Closes Chromium, so that its processes end before those of its driver.
    fn drop(&mut self) {
        // It fails only if Chromium has already ended.
        let _ = self.runtime.block_on(self.client.clone().close());
    }
}

/// Starts Chromium with a fresh profile.
async fn session(driver: &str) -> Client {
    let wanted = json!({
        "goog:chromeOptions": {"binary": PROGRAM, "args": OPTIONS},
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        // A dialog blocks the page until it is closed.
        "unhandledPromptBehavior": "dismiss",
    });
    let wanted = wanted.as_object().cloned().expect("an object");
    let client = ClientBuilder::new(HttpConnector::new()).capabilities(wanted).connect(driver).await;
    let client = client.expect("a session of Chromium");
    let timeouts = TimeoutConfiguration::new(None, Some(PATIENCE), None);
    client.update_timeouts(timeouts).await.expect("a time limit");
    client
}
