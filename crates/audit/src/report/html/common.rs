//! The findings that most pages share, each with one cause.

use super::link::link;
use crate::figures::CommonFinding;
use crate::report::markup::ours;
use mapwright_text::{counted_in_groups as counted, escaped, grouped};

/// The most that are shown.
const MAX_SHOWN: usize = 30;

/// Returns the section of the findings that most pages of a pattern share.
pub(super) fn section(common: &[CommonFinding]) -> String {
    let items: String = common.iter().take(MAX_SHOWN).map(item).collect();
    if items.is_empty() {
        return items;
    }
    let more = common.len().saturating_sub(MAX_SHOWN);
    let rest =
        if more > 0 { format!("<p class=\"muted\">and {more} more: report.json has all</p>\n") } else { String::new() };
    format!(
        "<section aria-labelledby=\"common-title\">\n<h2 id=\"common-title\">Shared by most pages</h2>\n\
         <p class=\"muted\">Each of these has one cause, such as the template of these pages.</p>\n\
         <ul class=\"common\">\n{items}</ul>\n{rest}</section>"
    )
}

fn item(one: &CommonFinding) -> String {
    let (code, title) = (one.check.code, ours(one.check.title));
    let of = match (&one.pattern, one.patterns.saturating_sub(1)) {
        (None, _) => "the site".to_owned(),
        (Some(text), 0) => format!("<bdi>{}</bdi>", escaped(text)),
        (Some(text), more) => format!("<bdi>{}</bdi> and {}", escaped(text), counted(more, "more pattern")),
    };
    let example = one.examples.first().map(|url| format!(", such as {}", link(url))).unwrap_or_default();
    let (affected, pages) = (grouped(one.affected), grouped(one.pages));
    format!(
        "<li><a href=\"#first-{code}\" data-code=\"{code}\">{title}</a>: {affected} of {pages} pages of {of}{example}</li>\n"
    )
}
