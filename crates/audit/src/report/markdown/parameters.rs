//! The table of URL parameters.

use super::escape::span;
use crate::report::visible::shortened;
use crate::site::UrlParameter;

/// How many parameters are shown.
const MOST: usize = 20;
/// How long a text of the site may be.
const LONGEST: usize = 200;

/// Each parameter with its role and what to do, such as waste requests first; nothing where there is none.
pub(super) fn table(parameters: &[UrlParameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let head = "## URL parameters\n\n| Parameter | Role | Host and path | URLs | Example | To do |\n|---|---|---|--:|---|---|\n";
    let rows: String = parameters.iter().take(MOST).map(row).collect();
    let more = parameters.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("and {more} more: see `report.json`.\n\n") } else { String::new() };
    format!("{head}{rows}\n{rest}")
}

fn row(parameter: &UrlParameter) -> String {
    let UrlParameter { host, pattern, parameter: name, role, urls, example, advice, .. } = parameter;
    let advice: Vec<String> = advice.iter().map(|line| cell(line)).collect();
    let (name, place, example) = (cell(name), cell(&format!("{host}{pattern}")), cell(example));
    format!("| {name} | {role} | {place} | {urls} | {example} | {} |\n", advice.join(" "))
}

/// A text of a URL as code in a cell. A bar would end the cell, in code, too.
fn cell(text: &str) -> String {
    span(&shortened(text, LONGEST)).replace('|', "%7C")
}
