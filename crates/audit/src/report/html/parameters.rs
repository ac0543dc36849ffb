//! The table of URL parameters.

use super::link::link;
use crate::site::UrlParameter;
use mapwright_text::{escaped, grouped};

/// The most parameters that are shown.
const MAX_ROWS: usize = 200;

/// Returns the table of parameters with role and advice, those that waste requests first; empty without parameters.
pub(super) fn section(parameters: &[UrlParameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let rows: String = parameters.iter().take(MAX_ROWS).map(row).collect();
    let more = parameters.len().saturating_sub(MAX_ROWS);
    let rest =
        if more > 0 { format!("<p class=\"muted\">and {more} more: report.json has all</p>\n") } else { String::new() };
    format!(
        "<section aria-labelledby=\"parameters-title\">\n<h2 id=\"parameters-title\">URL parameters</h2>\n\
         <table class=\"kinds\">\n<thead><tr><th scope=\"col\">Parameter</th><th scope=\"col\">Role</th>\
         <th scope=\"col\">Host and path</th><th scope=\"col\" class=\"number\">URLs</th>\
         <th scope=\"col\">Example, and what to do</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n{rest}</section>"
    )
}

fn row(parameter: &UrlParameter) -> String {
    let UrlParameter { host, pattern, parameter: name, role, urls, example, advice, .. } = parameter;
    let advice: String = advice.iter().map(|line| format!("<span class=\"fix\">{}</span>", escaped(line))).collect();
    format!(
        "<tr><th scope=\"row\"><bdi>{}</bdi></th><td>{}</td><td><bdi class=\"url\">{}{}</bdi></td>\
         <td class=\"number\" data-label=\"URLs\">{}</td><td class=\"what\">{}{advice}</td></tr>\n",
        escaped(name),
        escaped(role),
        escaped(host),
        escaped(pattern),
        grouped(*urls),
        link(example),
    )
}
