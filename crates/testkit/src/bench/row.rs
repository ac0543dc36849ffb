//! One run of one tool, as a line of text: what `bench_run` writes and `bench_table` reads.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// One run of one tool.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchRun {
    /// The task: `10k`, `docs`, …
    pub workload: String,
    /// The program: `mapwright`, `wget2`, …
    pub tool: String,
    /// The measured values by name: `wall` and `cpu` in seconds, `pages`, `peak` in bytes, and so on.
    pub figures: BTreeMap<String, f64>,
}

impl BenchRun {
    /// A run without figures.
    #[must_use]
    pub fn new(workload: &str, tool: &str) -> BenchRun {
        BenchRun { workload: workload.to_owned(), tool: tool.to_owned(), figures: BTreeMap::new() }
    }

    /// Adds a figure.
    pub fn set(&mut self, name: &str, figure: f64) {
        self.figures.insert(name.to_owned(), figure);
    }
}

/// Formats the run as tab-separated fields, without a line break.
impl fmt::Display for BenchRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}", self.workload, self.tool)?;
        self.figures.iter().try_for_each(|(name, figure)| write!(f, "\t{name}={figure}"))
    }
}

impl FromStr for BenchRun {
    type Err = String;

    fn from_str(line: &str) -> Result<BenchRun, String> {
        let mut words = line.split('\t');
        let (Some(workload), Some(tool)) = (words.next(), words.next()) else {
            return Err(format!("no row: {line:?}"));
        };
        let mut row = BenchRun::new(workload, tool);
        for word in words {
            let (name, figure) = word.split_once('=').ok_or_else(|| format!("no figure: {word:?}"))?;
            row.set(name, figure.parse().map_err(|_| format!("no number: {word:?}"))?);
        }
        Ok(row)
    }
}

#[cfg(test)]
mod tests;
