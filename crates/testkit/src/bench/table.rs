//! All runs as Markdown: a table for each workload, and one of the targets.

use std::fmt::Write;

use super::row::BenchRun;
use super::summary::Summary;
use super::targets::targets;

/// The program that the others are compared with.
const OURS: &str = "mapwright";
/// The cell of a missing value.
const NONE: &str = "–";

/// The tables of these runs.
#[must_use]
pub fn tables(rows: &[BenchRun]) -> String {
    let summary = Summary::of(rows);
    let mut text = String::new();
    for workload in summary.workloads() {
        table(&summary, workload, &mut text);
    }
    let targets = targets(&summary);
    if targets.is_empty() {
        return text;
    }
    text.push_str("| target | wanted | measured | |\n|---|---:|---:|---|\n");
    for target in targets {
        let kept = if target.kept { "kept" } else { "missed" };
        let _ = writeln!(text, "| {} | {} | {} | {kept} |", target.what, target.bound, target.measured);
    }
    text
}

fn table(summary: &Summary, workload: &str, text: &mut String) {
    let _ = writeln!(text, "| {workload} | runs | pages | pages/s | CPU-s per 1,000 pages | CPU against {OURS} |");
    // The second half of the heading continues the first.
    text.truncate(text.trim_end_matches('\n').len());
    text.push_str(" peak memory | recall | junk | site's pages per CPU-s |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for tool in summary.tools(workload) {
        let cells = cells(summary, workload, tool);
        let _ = writeln!(text, "| {tool} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

fn cells(summary: &Summary, workload: &str, tool: &str) -> [String; 9] {
    let median = |figure| summary.median(workload, tool, figure);
    let cpu = summary.cpu_per_page(workload, tool);
    let ratio = cpu.zip(summary.cpu_per_page(workload, OURS)).map(|(theirs, ours)| theirs / ours);
    let recall = median("found").zip(median("wanted")).map(|(found, wanted)| 100.0 * found / wanted);
    let site = median("pages").zip(median("site_cpu")).map(|(pages, cpu)| pages / cpu);
    let cut = summary.runs(workload, tool, "cut").last().is_some_and(|cut| *cut > 0.0);
    [
        summary.runs(workload, tool, "wall").len().to_string(),
        shown(median("pages"), |pages| format!("{}{}", count(pages), if cut { " (cut)" } else { "" })),
        shown(summary.rate(workload, tool, "pages"), count),
        shown(cpu, |cpu| format!("{:.3}", cpu * 1e3)),
        shown(ratio, |ratio| format!("{ratio:.2}×")),
        shown(median("peak"), |peak| format!("{:.1} MB", peak / 1e6)),
        shown(recall, |recall| format!("{recall:.2} %")),
        shown(median("junk"), count),
        shown(site, count),
    ]
}

fn shown(figure: Option<f64>, show: impl Fn(f64) -> String) -> String {
    figure.filter(|figure| figure.is_finite()).map_or_else(|| NONE.to_owned(), show)
}

/// Formats an integer with thousands separators.
fn count(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;
