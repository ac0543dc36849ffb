//! At which instant of a crawl it is cut.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{Ground, Reference};

/// Longest wait for a moment.
const PATIENCE: Duration = Duration::from_secs(120);
/// Pause between two looks where no request wakes the test: a process that ends sends none.
const TICK: Duration = Duration::from_micros(500);

/// An instant in the life of a process that works on a crawl.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moment {
    /// As soon as it has been started.
    Started,
    /// When its first request has come, whatever it asks for.
    FirstRequest,
    /// When this many different URLs were asked for, by this process or by those before it.
    Asked(usize),
    /// When all was asked for, and nothing more for so long.
    Quiet(Duration),
    /// When the first new file is in the folder of the sitemaps.
    Publishing,
}

impl Moment {
    /// Blocks until it has come, or until the process has ended.
    ///
    /// # Panics
    /// When neither happens within two minutes.
    pub fn wait(self, ground: &Ground, reference: &Reference, process: u32, out: &Path) {
        let since = Instant::now();
        while !self.has_come(ground, reference, since, out) && is_running(process) {
            assert!(since.elapsed() < PATIENCE, "{self:?} did not come within {PATIENCE:?}");
            ground.ledger().wait(TICK);
        }
    }

    fn has_come(self, ground: &Ground, reference: &Reference, since: Instant, out: &Path) -> bool {
        let ledger = ground.ledger();
        match self {
            Moment::Started => true,
            Moment::FirstRequest => ledger.of_process() > 0,
            Moment::Asked(number) => ledger.progress() >= number,
            Moment::Quiet(time) => {
                let latest = ledger.latest().map_or(since, |latest| latest.max(since));
                reference.is_all_asked(ledger) && latest.elapsed() >= time
            }
            // Beside the sitemap that was there before.
            Moment::Publishing => std::fs::read_dir(out).is_ok_and(|files| files.count() > 1),
        }
    }
}

/// Whether a child process runs still; one that has ended and was not waited for is a zombie (proc(5), `stat`).
fn is_running(process: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    let state = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next());
    !matches!(state, None | Some("Z" | "X"))
}
