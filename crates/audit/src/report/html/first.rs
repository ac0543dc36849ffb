//! The first findings of each kind, for readers without scripts and for paper.

use super::link::link;
use crate::figures::Tally;
use crate::rendered_finding::RenderedFinding;
use crate::report::Fixed;
use crate::report::markup::ours;
use crate::report::samples::Samples;
use mapwright_text::{escaped, grouped};

/// The most findings of a kind that are shown.
const MAX_SHOWN: usize = 10;
/// The most fixed findings that are shown.
const MAX_FIXED: usize = 100;
/// The most referrers of a finding that are named, and the most URLs of it.
const EVIDENCE: usize = 3;

/// Returns one section for each kind, by severity, the highest first.
pub(super) fn sections(tallies: &[Tally], samples: &Samples) -> String {
    let mut sorted: Vec<&Tally> = tallies.iter().filter(|tally| tally.count > 0).collect();
    sorted.sort_by_key(|tally| tally.severity);
    sorted.into_iter().map(|tally| section(tally, samples)).collect()
}

fn section(tally: &Tally, samples: &Samples) -> String {
    let (code, severity) = (tally.check.code, tally.severity.as_str());
    let shown: Vec<String> = samples.all(tally.check).take(MAX_SHOWN).map(finding).collect();
    let more = tally.count.saturating_sub(u64::try_from(shown.len()).unwrap_or(u64::MAX));
    let rest = match more {
        0 => String::new(),
        _ => format!("<p class=\"muted\">and {} more: report.json and issues.csv have all</p>\n", grouped(more)),
    };
    let head = format!("<h3><span class=\"badge {severity}\">{severity}</span> {code}</h3>");
    let (reason, fix) = (ours(tally.check.reason), ours(tally.check.fix));
    format!(
        "<section id=\"first-{code}\">{head}\n<p>{reason} <span class=\"muted\">{fix}</span></p>\n<ul>\n{}</ul>\n{rest}</section>\n",
        shown.concat()
    )
}

fn finding(item: &RenderedFinding) -> String {
    let mut text = format!("<li>{}", link(item.subject.name()));
    text.push_str(&links(", ", item.subject.others()));
    if item.message != item.check.reason {
        text.push_str(&format!("<br><bdi>{}</bdi>", escaped(&item.message)));
    }
    if let Some(target) = &item.target {
        text.push_str(&format!("<br>Leads to {}", link(target)));
    }
    let referrers: Vec<String> = item.linked_from.iter().take(EVIDENCE).map(|from| link(&from.url)).collect();
    if !referrers.is_empty() {
        let count = item.linked_from_count.unwrap_or(0).saturating_sub(u64::try_from(referrers.len()).unwrap_or(0));
        let more = if count > 0 { format!(" and {} more", grouped(count)) } else { String::new() };
        text.push_str(&format!("<br>Linked from {}{more}", referrers.join(", ")));
    }
    if item.accepted {
        text.push_str("<br><span class=\"muted\">Accepted by the baseline.</span>");
    }
    text.push_str("</li>\n");
    text
}

fn links(before: &str, urls: &[String]) -> String {
    let shown: String = urls.iter().take(EVIDENCE).map(|url| format!("{before}{}", link(url))).collect();
    let more = urls.len().saturating_sub(EVIDENCE);
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// Returns the section of findings that are fixed since the previous audit.
pub(super) fn fixed(fixed: &[Fixed]) -> String {
    if fixed.is_empty() {
        return String::new();
    }
    let gone = |gone: &Fixed| format!("<li>{}: {}</li>\n", gone.check.code, link(&gone.subject));
    let items: String = fixed.iter().take(MAX_FIXED).map(gone).collect();
    let more = fixed.len().saturating_sub(MAX_FIXED);
    let rest =
        if more > 0 { format!("<p class=\"muted\">and {more} more: report.json has all</p>\n") } else { String::new() };
    format!(
        "<section aria-labelledby=\"fixed-title\">\n<h2 id=\"fixed-title\">Fixed since the audit before</h2>\n<ul class=\"gone\">\n{items}</ul>\n{rest}</section>"
    )
}
