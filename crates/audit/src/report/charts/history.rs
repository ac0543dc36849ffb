//! Findings over past runs, as stacked columns.

use super::Frame;
use crate::figures::PastAudit;
use mapwright_text::counted_in_groups as counted;
use mapwright_text::{grouped, share};

/// The most runs that are drawn, the latest ones.
const MAX_RUNS: usize = 30;
const HEIGHT: f64 = 140.0;
const TOP: f64 = 24.0;

/// Returns the columns; a sentence instead if this is the first audit.
pub(super) fn figure(history: &[PastAudit]) -> String {
    let runs = history.get(history.len().saturating_sub(MAX_RUNS)..).unwrap_or(history);
    let (Some(oldest), Some(newest), true) = (runs.first(), runs.last(), runs.len() > 1) else {
        return FIRST.to_owned();
    };
    let most = runs.iter().map(total).max().unwrap_or(0).max(1);
    let step = 100.0 / share_of(runs.len());
    let columns: String =
        runs.iter().enumerate().map(|(place, past)| column(share_of(place) * step, step, past, most)).collect();
    let base = TOP + HEIGHT;
    let axes = format!(
        "<text class=\"soft\" x=\"0\" y=\"14\">{}</text><line class=\"axis\" x1=\"0\" y1=\"{TOP}\" x2=\"100%\" y2=\"{TOP}\"/>\
         <line class=\"axis\" x1=\"0\" y1=\"{base}\" x2=\"100%\" y2=\"{base}\"/>\
         <text class=\"soft\" x=\"0\" y=\"{label}\">{}</text><text class=\"soft\" x=\"100%\" y=\"{label}\" text-anchor=\"end\">{}</text>\n",
        grouped(most),
        oldest.started.strftime("%Y-%m-%d"),
        newest.started.strftime("%Y-%m-%d"),
        label = base + 18.0,
    );
    let descriptions: Vec<String> = runs.iter().map(described).collect();
    let frame = Frame {
        id: "history",
        title: "Findings over past runs",
        unit: "",
        height: 188,
        description: descriptions.join("; "),
    };
    frame.around("broad", &format!("{axes}{columns}"), LEGEND)
}

const FIRST: &str = "<figure class=\"broad\">\n<figcaption>Findings over past runs</figcaption>\n\
<p class=\"muted\">This is the first audit: the next ones are compared with it here.</p></figure>\n";

const LEGEND: &str = "<ul class=\"legend\"><li><svg aria-hidden=\"true\"><rect class=\"bar-error\" width=\"12\" height=\"12\"/></svg>errors</li>\
<li><svg aria-hidden=\"true\"><rect class=\"bar-warning\" width=\"12\" height=\"12\"/></svg>warnings</li>\
<li><svg aria-hidden=\"true\"><rect class=\"bar-notice\" width=\"12\" height=\"12\"/></svg>notices</li></ul>\n";

/// Converts a small number for arithmetic with shares.
fn share_of(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn total(past: &PastAudit) -> u64 {
    past.errors.saturating_add(past.warnings).saturating_add(past.notices)
}

fn described(past: &PastAudit) -> String {
    let day = past.started.strftime("%Y-%m-%d");
    let counts = [(past.errors, "error"), (past.warnings, "warning"), (past.notices, "notice")];
    format!("crawl {} of {day}: {}", past.run, counts.map(|(count, noun)| counted(count, noun)).join(", "))
}

/// Returns the column of a run, with errors at the bottom, where they compare best.
fn column(x: f64, step: f64, past: &PastAudit, most: u64) -> String {
    let width = (step * 0.7).min(8.0);
    let start = x + (step - width) / 2.0;
    let mut y = TOP + HEIGHT;
    let mut shapes = format!("<g><title>{}</title>", described(past));
    for (class, count) in [("bar-error", past.errors), ("bar-warning", past.warnings), ("bar-notice", past.notices)] {
        let height = share(count, most) * HEIGHT;
        y -= height;
        shapes.push_str(&format!(
            "<rect class=\"{class}\" x=\"{start:.2}%\" y=\"{y:.2}\" width=\"{width:.2}%\" height=\"{height:.2}\"/>"
        ));
    }
    shapes.push_str("</g>\n");
    shapes
}
