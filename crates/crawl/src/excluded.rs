//! The texts about URLs that are not listed.

use mapwright_store::ExcludedRow;
use mapwright_verdict::Reason;

/// Returns the meaning of the reason of a row. URLs out of scope are on other sites, or on the crawl's own hosts.
#[must_use]
pub fn excluded_meaning(row: &ExcludedRow) -> &'static str {
    match row.reason {
        _ if row.is_elsewhere => "lies on another site",
        Reason::OutOfScope => {
            "lies on this host, outside the path of the start URL, or is not on the list; --scope widens it"
        }
        reason => reason.meaning(),
    }
}
