//! A browser that reads reports: Debian's Chromium, headless, driven through WebDriver.
#![allow(clippy::indexing_slicing, reason = "of JSON alone, where what is missing is null")]

mod chromedriver;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;
use thirtyfour::{
    CapabilitiesHelper as _, ChromiumLikeCapabilities as _, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver,
};
use tokio::runtime::Runtime;
use url::Url;

use chromedriver::Chromedriver;
pub use thirtyfour::Key;

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
    runtime: Runtime,
    driver: WebDriver,
    /// The warnings and errors of the console so far.
    console: Vec<String>,
    /// The protocol events of the page and of its network so far, in order.
    events: Vec<Value>,
    /// Dropped last.
    _chromedriver: Chromedriver,
}

impl Browser {
    /// A browser with an empty page on this screen.
    ///
    /// # Panics
    /// If Chromium or its driver is not installed or does not start.
    #[must_use]
    pub fn on(screen: Screen) -> Browser {
        let chromedriver = Chromedriver::start();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let driver = runtime.block_on(session(chromedriver.url())).expect("a session of Chromium");
        let browser = Browser { runtime, driver, console: Vec::new(), events: Vec::new(), _chromedriver: chromedriver };
        browser.set("Emulation.setDeviceMetricsOverride", screen.metrics());
        browser
    }

    /// Sets the time zone by its IANA name.
    #[must_use]
    pub fn in_zone(self, zone: &str) -> Browser {
        self.set("Emulation.setTimezoneOverride", json!({"timezoneId": zone}));
        self
    }

    /// Prefers dark colours.
    #[must_use]
    pub fn in_the_dark(self) -> Browser {
        let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        self.set("Emulation.setEmulatedMedia", dark);
        self
    }

    /// Disables scripts.
    #[must_use]
    pub fn without_scripts(self) -> Browser {
        self.set("Emulation.setScriptExecutionDisabled", json!({"value": true}));
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
    }

    /// Goes to a URL and waits until the page, or the target of its redirect, is completely loaded.
    ///
    /// # Panics
    /// If no page is loaded within a minute.
    #[track_caller]
    pub fn visit(&mut self, url: &str) {
        self.runtime.block_on(self.driver.goto(url)).unwrap_or_else(|error| panic!("{url}: {error}"));
    }

    /// Reloads the page.
    ///
    /// # Panics
    /// If it is not loaded within a minute.
    #[track_caller]
    pub fn reload(&mut self) {
        self.runtime.block_on(self.driver.refresh()).expect("the page is loaded");
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
    ///
    /// # Panics
    /// If the browser does not take it.
    #[track_caller]
    pub fn press(&mut self, key: Key) {
        self.runtime.block_on(self.driver.action_chain().send_keys(key).perform()).expect("a key");
    }

    /// Inserts a text into the focused element.
    ///
    /// # Panics
    /// If the browser does not take it.
    #[track_caller]
    pub fn write(&mut self, text: &str) {
        self.set("Input.insertText", json!({"text": text}));
    }

    /// Console warnings, errors and exceptions, and every dialog and window that a script opened.
    ///
    /// # Panics
    /// If the browser does not return its logs.
    #[track_caller]
    pub fn complaints(&mut self) -> Vec<String> {
        self.read_logs();
        let is_opened = |event: &&Value| {
            matches!(event["method"].as_str(), Some("Page.javascriptDialogOpening" | "Page.windowOpen"))
        };
        self.console.iter().cloned().chain(self.events.iter().filter(is_opened).map(Value::to_string)).collect()
    }

    /// The URLs that the page requested, its own included.
    ///
    /// # Panics
    /// If the browser does not return its logs.
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
        let log = |name: &str| self.runtime.block_on(self.driver.get_log(name)).expect("a log of the browser");
        let (console, performance) = (log("browser"), log("performance"));
        let is_grave = |level: &str| matches!(level, "WARNING" | "SEVERE");
        self.console.extend(console.into_iter().filter(|entry| is_grave(&entry.level)).map(|entry| entry.message));
        let event = |text: &str| serde_json::from_str::<Value>(text).map(|mut entry| entry["message"].take());
        self.events.extend(performance.iter().map(|entry| event(&entry.message).expect("an event is JSON")));
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
    fn answer(&self, method: &str, params: Value) -> WebDriverResult<Value> {
        self.runtime.block_on(self.driver.cdp().send_raw(method, params))
    }
}

impl Drop for Browser {
    /// Closes Chromium, so that its processes end before those of its driver.
    fn drop(&mut self) {
        // It fails only if Chromium has already ended.
        let _ = self.runtime.block_on(self.driver.clone().quit());
    }
}

/// Starts Chromium with a fresh profile.
async fn session(driver: &str) -> WebDriverResult<WebDriver> {
    let mut chromium = DesiredCapabilities::chrome();
    chromium.set_binary(PROGRAM)?;
    for option in OPTIONS {
        chromium.add_arg(option)?;
    }
    for log in ["browser", "performance"] {
        chromium.set_logging_prefs(log, LoggingPrefsLogLevel::All)?;
    }
    // A dialog blocks the page until it is closed.
    chromium.set("unhandledPromptBehavior", "dismiss")?;
    let driver = WebDriver::new(driver, chromium).await?;
    driver.set_page_load_timeout(PATIENCE).await?;
    Ok(driver)
}
