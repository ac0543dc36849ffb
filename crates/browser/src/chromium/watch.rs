//! The watch over the browser's renderers: none takes all memory or all processors.

use crate::chromium::client::{CallError, Client};
use rustix::param::page_size;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;
use tokio::time::Instant;

/// Pause between two looks. A document can take gigabytes within seconds, which no limit of the browser stops.
const PAUSE: Duration = Duration::from_millis(250);
/// Most resident memory of one renderer in bytes; above it, the renderer is killed, and its page has crashed.
const MAX_MEMORY: u64 = 1 << 30;
/// Most processor time of one renderer within [`WINDOW`]. A renderer serves many pages, and does not show where one
/// ends: the script of a page has one processor at most, which the time limit of the page bounds. Only its workers use
/// several.
const MAX_PROCESSOR_TIME: Duration = Duration::from_secs(10);
/// The time over which [`MAX_PROCESSOR_TIME`] is counted.
const WINDOW: Duration = Duration::from_secs(8);

/// A renderer as the browser describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Renderer {
    process: u64,
    /// The processor time since its start.
    processor_time: Duration,
}

/// The processor time of each renderer at the latest looks.
#[derive(Debug, Default)]
struct Looks {
    looks: HashMap<u64, VecDeque<(Instant, Duration)>>,
}

/// Watches the renderers until the browser ends.
pub(crate) fn renderers(client: &Client) {
    let client = client.clone();
    tokio::spawn(async move {
        let mut looks = Looks::default();
        loop {
            tokio::time::sleep(PAUSE).await;
            match client.call("", "SystemInfo.getProcessInfo", json!({})).await {
                Ok(info) => looks.exceeding(&read(&info), Instant::now()).into_iter().for_each(kill),
                Err(CallError::Ended) => return,
                // A browser that is busy answers later.
                Err(CallError::Refused { .. } | CallError::Silent(_)) => {}
            }
        }
    });
}

impl Looks {
    /// Notes a look at the renderers, and returns those that exceed a limit.
    fn exceeding(&mut self, renderers: &[Renderer], now: Instant) -> Vec<u64> {
        self.looks.retain(|process, _| renderers.iter().any(|renderer| renderer.process == *process));
        let exceeds = |renderer: &&Renderer| {
            let looks = self.looks.entry(renderer.process).or_default();
            looks.push_back((now, renderer.processor_time));
            while looks.front().is_some_and(|(at, _)| now.duration_since(*at) > WINDOW) {
                looks.pop_front();
            }
            let before = looks.front().map_or(renderer.processor_time, |(_, time)| *time);
            renderer.processor_time.saturating_sub(before) > MAX_PROCESSOR_TIME || is_too_large(renderer.process)
        };
        renderers.iter().filter(exceeds).map(|renderer| renderer.process).collect()
    }
}

/// Returns the renderers among the processes of the browser.
fn read(info: &Value) -> Vec<Renderer> {
    let processes = info.get("processInfo").and_then(Value::as_array).into_iter().flatten();
    let renderers = processes.filter(|process| process.get("type").and_then(Value::as_str) == Some("renderer"));
    let read = |process: &Value| {
        let seconds = process.get("cpuTime").and_then(Value::as_f64).unwrap_or_default();
        let processor_time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Some(Renderer { process: process.get("id")?.as_u64()?, processor_time })
    };
    renderers.filter_map(read).collect()
}

/// Reports whether a process has too much resident memory (proc(5), `statm`).
fn is_too_large(process: u64) -> bool {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok();
    let resident = pages.and_then(|pages| pages.split_whitespace().nth(1)?.parse::<u64>().ok());
    resident.is_some_and(|pages| pages.saturating_mul(page_size() as u64) > MAX_MEMORY)
}

fn kill(process: u64) {
    tracing::debug!(process, "a renderer has too much memory or processor time, and is killed");
    if let Some(process) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // It fails only if the renderer has ended.
        let _ = kill_process(process, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The looks at one renderer that uses this many processors, every quarter of a second for this time, until it
    /// exceeds a limit.
    fn exceeds_after(processors: f64, time: Duration) -> Option<Duration> {
        let (mut looks, begin) = (Looks::default(), Instant::now());
        let mut passed = Duration::ZERO;
        while passed <= time {
            // No process has this number, so that it has no memory.
            let renderer = Renderer { process: u64::MAX, processor_time: passed.mul_f64(processors) };
            if looks.exceeding(&[renderer], begin + passed) == [u64::MAX] {
                return Some(passed);
            }
            passed += PAUSE;
        }
        None
    }

    #[test]
    fn one_busy_thread_is_no_excess_and_many_are() {
        assert_eq!(exceeds_after(1.0, Duration::from_secs(600)), None);
        assert_eq!(exceeds_after(1.2, Duration::from_secs(600)), None);
        let two = exceeds_after(2.0, Duration::from_secs(600)).unwrap();
        assert!(two > Duration::from_secs(5) && two < Duration::from_secs(6), "{two:?}");
        assert!(exceeds_after(40.0, Duration::from_secs(600)).unwrap() < Duration::from_secs(1));
    }

    #[test]
    fn only_renderers_are_watched() {
        let info = json!({"processInfo": [
            {"type": "browser", "id": 1, "cpuTime": 99.0}, {"type": "renderer", "id": 2, "cpuTime": 1.5},
            {"type": "renderer", "cpuTime": 1.0}, {"type": "renderer", "id": 3, "cpuTime": -1.0}]});
        let expected = [(2, Duration::from_millis(1_500)), (3, Duration::ZERO)];
        assert_eq!(read(&info), expected.map(|(process, processor_time)| Renderer { process, processor_time }));
    }
}
