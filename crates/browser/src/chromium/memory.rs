//! The memory of the browser's renderers.

use crate::chromium::client::{CallError, Client};
use rustix::param::page_size;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::time::Duration;

/// Pause between two looks. A document can take gigabytes within seconds, which no limit of the browser stops.
const PAUSE: Duration = Duration::from_millis(250);
/// Most resident memory of one renderer in bytes; above it, the renderer is killed, and its page has crashed.
const MAX_MEMORY: u64 = 1 << 30;

/// Watches the renderers until the browser ends.
pub(crate) fn watch(client: &Client) {
    let client = client.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(PAUSE).await;
            match client.call("", "SystemInfo.getProcessInfo", json!({})).await {
                Ok(info) => renderers(&info).filter(|renderer| is_too_large(*renderer)).for_each(kill),
                Err(CallError::Ended) => return,
                // A browser that is busy answers later.
                Err(CallError::Refused { .. } | CallError::Silent(_)) => {}
            }
        }
    });
}

/// Returns the ids of the renderers.
fn renderers(info: &Value) -> impl Iterator<Item = u64> {
    let processes = info.get("processInfo").and_then(Value::as_array).into_iter().flatten();
    let renderers = processes.filter(|process| process.get("type").and_then(Value::as_str) == Some("renderer"));
    renderers.filter_map(|process| process.get("id")?.as_u64())
}

/// Reports whether a process has too much resident memory (proc(5), `statm`).
fn is_too_large(process: u64) -> bool {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok();
    let resident = pages.and_then(|pages| pages.split_whitespace().nth(1)?.parse::<u64>().ok());
    resident.is_some_and(|pages| pages.saturating_mul(page_size() as u64) > MAX_MEMORY)
}

fn kill(process: u64) {
    tracing::debug!(process, "a renderer has too much memory, and is killed");
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // It fails only if the renderer has ended.
        let _ = kill_process(process, Signal::KILL);
    }
}
