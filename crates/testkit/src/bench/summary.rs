//! A summary of several runs: the median of each figure.

use std::collections::BTreeMap;

use super::row::BenchRun;

/// The runs of all tools at all tasks.
#[derive(Debug, Clone, Default)]
pub(super) struct Summary {
    /// Tasks and tools, in the order of their first run.
    tools: Vec<(String, String)>,
    figures: BTreeMap<(String, String, String), Vec<f64>>,
}

impl Summary {
    pub(super) fn of(rows: &[BenchRun]) -> Summary {
        let mut summary = Summary::default();
        for row in rows {
            let key = (row.workload.clone(), row.tool.clone());
            if !summary.tools.contains(&key) {
                summary.tools.push(key);
            }
            for (name, figure) in &row.figures {
                let key = (row.workload.clone(), row.tool.clone(), name.clone());
                summary.figures.entry(key).or_default().push(*figure);
            }
        }
        summary.figures.values_mut().for_each(|figures| figures.sort_by(f64::total_cmp));
        summary
    }

    /// The tasks, in the order of their first run.
    pub(super) fn workloads(&self) -> Vec<&str> {
        let mut workloads: Vec<&str> = Vec::new();
        for (workload, _) in &self.tools {
            if !workloads.contains(&workload.as_str()) {
                workloads.push(workload);
            }
        }
        workloads
    }

    /// The tools that did this task.
    pub(super) fn tools(&self, workload: &str) -> Vec<&str> {
        let done = self.tools.iter().filter(|(task, _)| task == workload);
        done.map(|(_, tool)| tool.as_str()).collect()
    }

    /// The median of a figure; the mean of the two middle values for an even number.
    pub(super) fn median(&self, workload: &str, tool: &str, figure: &str) -> Option<f64> {
        let sorted = self.runs(workload, tool, figure);
        let high = sorted.get(sorted.len() / 2)?;
        let low = sorted.get((sorted.len() - 1) / 2)?;
        Some(f64::midpoint(*low, *high))
    }

    /// All values of a figure, the lowest first.
    pub(super) fn runs(&self, workload: &str, tool: &str, figure: &str) -> &[f64] {
        let key = (workload.to_owned(), tool.to_owned(), figure.to_owned());
        self.figures.get(&key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Median CPU time per page, in seconds.
    pub(super) fn cpu_per_page(&self, workload: &str, tool: &str) -> Option<f64> {
        self.per(workload, tool, "cpu", "pages")
    }

    /// Median of a figure, per second.
    pub(super) fn rate(&self, workload: &str, tool: &str, figure: &str) -> Option<f64> {
        self.per(workload, tool, figure, "wall")
    }

    fn per(&self, workload: &str, tool: &str, figure: &str, of: &str) -> Option<f64> {
        let ratio = self.median(workload, tool, figure)? / self.median(workload, tool, of)?;
        ratio.is_finite().then_some(ratio)
    }
}

#[cfg(test)]
mod tests;
