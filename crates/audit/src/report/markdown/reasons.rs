//! The table of the reasons for which URLs are not in the sitemap.

use crate::report::UrlTable;
use mapwright_verdict::Reason;

/// Returns the table, the most frequent reason first; empty if no URL is left out.
pub(super) fn table(urls: &UrlTable) -> String {
    let left_out = urls.left_out();
    if left_out.is_empty() {
        return String::new();
    }
    let row = |(reason, count): (Reason, u64)| {
        format!("| `{}` | A URL that {} | {count} |\n", reason.as_str(), reason.meaning())
    };
    let rows: String = left_out.into_iter().map(row).collect();
    format!("## Left out of the sitemap\n\n| Reason | Meaning | URLs |\n|---|---|--:|\n{rows}\n")
}
