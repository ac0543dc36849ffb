//! The table of the kinds of findings.

use crate::figures::Tally;
use crate::report::markup::ours;
use mapwright_text::grouped;

/// Returns the table of kinds with reason, fix and counts, by severity, the highest first.
pub(super) fn table(tallies: &[Tally]) -> String {
    if tallies.is_empty() {
        return "<p>Nothing was found.</p>".to_owned();
    }
    let mut sorted = tallies.to_vec();
    sorted.sort_by_key(|tally| tally.severity);
    let rows: String = sorted.iter().map(row).collect();
    format!(
        "<table class=\"kinds\">\n<thead><tr><th scope=\"col\">Severity</th><th scope=\"col\">Check</th>\
         <th scope=\"col\">What is wrong, and what to do</th><th scope=\"col\" class=\"number\">Found</th>\
         <th scope=\"col\" class=\"number\">New</th><th scope=\"col\" class=\"number\">Fixed</th>\
         <th scope=\"col\" class=\"number\">Accepted</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>"
    )
}

fn row(tally: &Tally) -> String {
    let (severity, code) = (tally.severity.as_str(), tally.check.code);
    let (reason, fix) = (ours(tally.check.reason), ours(tally.check.fix));
    let (title, help) = (ours(tally.check.title), tally.check.help_url());
    let name = match tally.count {
        0 => title,
        _ => format!("<a href=\"#first-{code}\" data-code=\"{code}\">{title}</a>"),
    };
    let numbers: String =
        [("Found", tally.count), ("New", tally.new_or_regressed), ("Fixed", tally.fixed), ("Accepted", tally.accepted)]
            .map(|(label, count)| number(label, count))
            .concat();
    format!(
        "<tr><td><span class=\"badge {severity}\">{severity}</span></td><th scope=\"row\">{name} <code>{code}</code></th>\
         <td class=\"what\">{reason} <span class=\"fix\">{fix} <a href=\"{help}\" rel=\"noreferrer\">More</a></span></td>{numbers}</tr>\n"
    )
}

/// Returns the cell of a count; small screens leave out zeros.
fn number(label: &str, count: u64) -> String {
    let none = if count == 0 { " none" } else { "" };
    format!("<td class=\"number{none}\" data-label=\"{label}\">{}</td>", grouped(count))
}
