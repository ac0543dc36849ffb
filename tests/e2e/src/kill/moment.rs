//! The moments at which a crawl is interrupted.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{InterruptionSite, Reference};

/// Longest wait for a moment.
const PATIENCE: Duration = Duration::from_secs(120);
/// Pause between two checks if no request wakes the test: a process that ends sends none.
const TICK: Duration = Duration::from_micros(500);

/// A moment of a process that works on a crawl.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moment {
    /// The process has started.
    Started,
    /// The first request of the process has come, for any target.
    FirstRequest,
    /// This process and those before it have requested this number of distinct URLs.
    Requested(usize),
    /// All URLs have been requested, and no request has come for this time.
    Quiet(Duration),
    /// The first new file is in the output directory.
    Publishing,
}

impl Moment {
    /// Blocks until the moment has come, or until the process has ended.
    pub fn wait(self, ground: &InterruptionSite, reference: &Reference, process: u32, out: &Path) {
        let since = Instant::now();
        while !self.has_come(ground, reference, since, out) && is_running(process) {
            assert!(since.elapsed() < PATIENCE, "{self:?} did not come within {PATIENCE:?}");
            ground.request_log().wait(TICK);
        }
    }

    fn has_come(self, ground: &InterruptionSite, reference: &Reference, since: Instant, out: &Path) -> bool {
        let request_log = ground.request_log();
        match self {
            Moment::Started => true,
            Moment::FirstRequest => request_log.of_process() > 0,
            Moment::Requested(number) => request_log.progress() >= number,
            Moment::Quiet(time) => {
                let latest = request_log.latest().map_or(since, |latest| latest.max(since));
                reference.has_requested_all(request_log) && latest.elapsed() >= time
            }
            // The old sitemap is one file.
            Moment::Publishing => std::fs::read_dir(out).is_ok_and(|files| files.count() > 1),
        }
    }
}

/// Returns true if a child process is still running. One that has ended without a `wait` is a zombie (proc(5), `stat`).
fn is_running(process: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    let state = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next());
    !matches!(state, None | Some("Z" | "X"))
}
