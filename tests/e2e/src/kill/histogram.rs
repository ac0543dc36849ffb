//! A histogram of the stages at which crawls were interrupted.

use std::fmt;
use std::time::Instant;

use super::Reference;
use super::request_log::RequestLog;

/// Rows for the time up to the last request.
const FETCHING_ROWS: usize = 20;
/// Rows for the time after it.
const TAIL_ROWS: usize = 5;

/// The progress of a crawl in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The share of the URLs to request.
    Fetching(usize),
    /// The share of the time that the uninterrupted crawl took to judge and publish after its last request.
    Publishing(usize),
}

impl Stage {
    pub(crate) fn at(cut: Instant, request_log: &RequestLog, reference: &Reference) -> Stage {
        let progress = request_log.progress();
        if progress < reference.targets {
            return Stage::Fetching(progress * 100 / reference.targets.max(1));
        }
        let quiet = request_log.latest().map_or(0, |latest| cut.saturating_duration_since(latest).as_micros());
        let share = quiet * 100 / reference.tail.as_micros().max(1);
        Stage::Publishing(usize::try_from(share).unwrap_or(usize::MAX).min(99))
    }
}

/// A printable histogram of the stages at which crawls were interrupted.
#[derive(Debug)]
pub struct Histogram<'a>(pub &'a [Stage]);

impl Histogram<'_> {
    /// The number of empty rows before the last request.
    pub fn gaps(&self) -> usize {
        (0..FETCHING_ROWS).filter(|row| self.fetching(*row) == 0).count()
    }

    /// The number of interruptions after the last request.
    pub fn tail(&self) -> usize {
        self.0.iter().filter(|stage| matches!(stage, Stage::Publishing(_))).count()
    }

    fn fetching(&self, row: usize) -> usize {
        let is_in = |stage: &&Stage| matches!(stage, Stage::Fetching(share) if share * FETCHING_ROWS / 100 == row);
        self.0.iter().filter(is_in).count()
    }

    fn publishing(&self, row: usize) -> usize {
        let is_in = |stage: &&Stage| matches!(stage, Stage::Publishing(share) if share * TAIL_ROWS / 100 == row);
        self.0.iter().filter(is_in).count()
    }
}

impl fmt::Display for Histogram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} cuts, by the share of the URLs that had been requested:", self.0.len())?;
        for row in 0..FETCHING_ROWS {
            bar(f, row * 100 / FETCHING_ROWS, self.fetching(row))?;
        }
        writeln!(f, "and after the last request, by the share of the time that is left then:")?;
        for row in 0..TAIL_ROWS {
            bar(f, row * 100 / TAIL_ROWS, self.publishing(row))?;
        }
        Ok(())
    }
}

fn bar(f: &mut fmt::Formatter<'_>, from: usize, count: usize) -> fmt::Result {
    writeln!(f, "  from {from:2} %  {count:3}  {}", "#".repeat(count))
}
