//! The evaluation of a crawl of the benchmark's site.

use std::collections::HashSet;
use std::fmt;

use super::plan::SitePlan;
use crate::process::ProcessCost;

/// The evaluation of a crawl: its cost, and its sitemap compared with the expected one.
#[derive(Debug, Clone)]
pub struct Scorecard {
    /// Number of pages that a crawl that follows robots.txt fetches.
    pub pages: u64,
    /// The cost of the run.
    pub cost: ProcessCost,
    /// Number of URLs that belong in the sitemap.
    pub wanted: usize,
    /// Number of these URLs that are listed.
    pub found: usize,
    /// Number of listed URLs that do not belong there, repetitions included.
    pub junk: usize,
}

impl Scorecard {
    /// Evaluates the listed URLs for a site of this plan at `base`.
    #[must_use]
    pub fn new(plan: &SitePlan, base: &str, listed: &[String], cost: ProcessCost) -> Scorecard {
        let truth: HashSet<String> = plan.expected_sitemap(base).into_iter().collect();
        let found: HashSet<&String> = listed.iter().filter(|url| truth.contains(*url)).collect();
        Scorecard {
            pages: plan.fetchable(),
            cost,
            wanted: truth.len(),
            found: found.len(),
            junk: listed.len() - found.len(),
        }
    }

    /// Returns whether the sitemap is exactly the expected one.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.found == self.wanted && self.junk == 0
    }
}

/// A Markdown table.
impl fmt::Display for Scorecard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages = self.pages as f64;
        let cpu = self.cost.cpu().as_secs_f64();
        let recall = 100.0 * self.found as f64 / self.wanted.max(1) as f64;
        writeln!(f, "| figure | value |\n|---|---:|")?;
        writeln!(f, "| pages to fetch | {} |", self.pages)?;
        writeln!(f, "| wall time | {:.1} s |", self.cost.wall.as_secs_f64())?;
        writeln!(f, "| pages per second | {:.0} |", pages / self.cost.wall.as_secs_f64().max(f64::MIN_POSITIVE))?;
        writeln!(f, "| CPU-seconds per 1,000 pages | {:.3} |", cpu * 1000.0 / pages.max(1.0))?;
        writeln!(
            f,
            "| of which user, system | {:.1} s, {:.1} s |",
            self.cost.user.as_secs_f64(),
            self.cost.system.as_secs_f64()
        )?;
        writeln!(f, "| peak memory | {:.1} MB |", self.cost.peak_memory as f64 / 1e6)?;
        writeln!(f, "| recall | {} of {} ({recall:.3} %) |", self.found, self.wanted)?;
        writeln!(f, "| junk | {} |", self.junk)?;
        write!(f, "| exit | {} |", self.cost.status)
    }
}

#[cfg(test)]
mod tests;
