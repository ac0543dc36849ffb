//! The table of URL parameters.

use super::escape::span;
use crate::site::UrlParameter;
use mapwright_text::shortened;

/// The most parameters that are shown.
const MAX_ROWS: usize = 20;
/// The most characters of a text of the site.
const MAX_CHARS: usize = 200;

/// Returns the table of parameters with role and advice, those that waste requests first; empty without parameters.
pub(super) fn table(parameters: &[UrlParameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let head = "## URL parameters\n\n| Parameter | Role | Host and path | URLs | Example | To do |\n|---|---|---|--:|---|---|\n";
    let rows: String = parameters.iter().take(MAX_ROWS).map(row).collect();
    let more = parameters.len().saturating_sub(MAX_ROWS);
    let rest = if more > 0 { format!("and {more} more: see `report.json`.\n\n") } else { String::new() };
    format!("{head}{rows}\n{rest}")
}

fn row(parameter: &UrlParameter) -> String {
    let UrlParameter { host, pattern, parameter: name, role, urls, example, advice, .. } = parameter;
    let advice: Vec<String> = advice.iter().map(|line| cell(line)).collect();
    let (name, place, example) = (cell(name), cell(&format!("{host}{pattern}")), cell(example));
    format!("| {name} | {role} | {place} | {urls} | {example} | {} |\n", advice.join(" "))
}

/// Renders a text of a URL as code in a cell. A bar would end the cell even in code.
fn cell(text: &str) -> String {
    span(&shortened(text, MAX_CHARS)).replace('|', "%7C")
}
