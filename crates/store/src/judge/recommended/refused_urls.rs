//! URLs that the crawl refused, which are evidence about their patterns and parameters.

use super::pages::Pages;
use crate::error::StoreError;
use mapwright_model::Unfetched;
use mapwright_verdict::{FetchStatus, Reason, UrlNode};
use mapwright_web::PageUrl;
use rusqlite::OptionalExtension;

/// The URLs that were refused for one of `refusals`, whose verdict has `reason`, in the order of their numbers.
pub(super) fn refused_urls(
    pages: &Pages<'_>,
    reason: Reason,
    refusals: &[Unfetched],
) -> Result<Vec<PageUrl>, StoreError> {
    // A lookup for each such URL, since most runs have none.
    let mut select = pages.connection.prepare_cached(
        "SELECT u.text, f.refused FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.url = ?",
    )?;
    let is_refused = |known: &UrlNode| known.fetch_status == FetchStatus::NotFetched(reason);
    let nodes = (0_u32..).zip(pages.known).filter(|(_, known)| is_refused(known)).map(|(node, _)| node);
    let mut refused = Vec::new();
    for node in nodes {
        let found = select.query_row((pages.run, node), |row| {
            let refusal = row.get::<_, Option<u8>>(1)?.and_then(Unfetched::from_code);
            let is_meant = refusal.is_some_and(|refusal| refusals.contains(&refusal));
            Ok(PageUrl::recorded(row.get_ref(0)?.as_str()?).filter(|_| is_meant))
        });
        refused.extend(found.optional()?.flatten());
    }
    Ok(refused)
}
