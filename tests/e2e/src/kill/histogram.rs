//! At which stages of a crawl it was cut.

use std::fmt;
use std::time::Instant;

use super::Reference;
use super::ledger::Ledger;

/// Rows for the time up to the last request.
const FETCHING_ROWS: usize = 20;
/// Rows for the time after it.
const TAIL_ROWS: usize = 5;

/// How far a crawl was, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Of the URLs there are to ask for.
    Fetching(usize),
    /// Of the time that judging and publishing took the uninterrupted crawl, after its last request.
    Publishing(usize),
}

impl Stage {
    pub(crate) fn at(cut: Instant, ledger: &Ledger, reference: &Reference) -> Stage {
        let progress = ledger.progress();
        if progress < reference.targets {
            return Stage::Fetching(progress * 100 / reference.targets.max(1));
        }
        let quiet = ledger.latest().map_or(0, |latest| cut.saturating_duration_since(latest).as_micros());
        let share = quiet * 100 / reference.tail.as_micros().max(1);
        Stage::Publishing(usize::try_from(share).unwrap_or(usize::MAX).min(99))
    }
}

/// A histogram of the stages at which crawls were cut, to be printed.
#[derive(Debug)]
pub struct Histogram<'a>(pub &'a [Stage]);

impl Histogram<'_> {
    /// How many rows of the time up to the last request are empty.
    #[must_use]
    pub fn gaps(&self) -> usize {
        (0..FETCHING_ROWS).filter(|row| self.fetching(*row) == 0).count()
    }

    /// How many cuts came after the last request.
    #[must_use]
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
        writeln!(f, "{} cuts, by the share of the URLs that had been asked for:", self.0.len())?;
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
