//! Pages that load more as long as visitors scroll.

use crate::chromium::page_script::SHOW_AGAIN;
use crate::chromium::paused::Paused;
use crate::chromium::tab::Tab;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// Longest wait for a request that follows.
const WAIT: Duration = Duration::from_millis(100);

/// Reports whether a page, after it was read, requests more when the elements that it still observes come into view
/// once more. The requests are not answered.
pub(crate) async fn scrolls_on(tab: &mut Tab) -> bool {
    let params = json!({"expression": SHOW_AGAIN, "returnByValue": true});
    let shown = tab.call("Runtime.evaluate", params).await.ok();
    let count = shown.and_then(|shown| shown.pointer("/result/value").and_then(Value::as_u64));
    if count.unwrap_or_default() == 0 {
        return false;
    }
    let deadline = Instant::now() + WAIT;
    loop {
        let event = tokio::select! {
            event = tab.events.recv() => event,
            () = tokio::time::sleep_until(deadline) => None,
        };
        let Some(event) = event else { return false };
        let paused = if event.method == "Fetch.requestPaused" { Paused::read(&event.params) } else { None };
        if paused.is_some_and(|paused| matches!(paused.kind.as_str(), "XHR" | "Fetch")) {
            return true;
        }
    }
}
