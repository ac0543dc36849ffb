//! Whether a record is of the site that somebody names.

use super::meant::candidates;
use mapwright_store::{Record, StoreError};
use mapwright_web::PageUrl;

/// Whether the newest run of a record was of the site of the URL that somebody wrote: whether it began at its host and
/// port, or was led there from its start; with `--scope domain`, at any host of its domain. A crawl of a list may have
/// been of any site, and before the first run there is none that it could be another than.
///
/// # Errors
/// When the record cannot be read.
pub fn is_of_site(record: &Record, text: &str) -> Result<bool, StoreError> {
    let scope = record.setting("crawl.scope")?.pop();
    if record.run() == 0 || scope.as_deref() == Some("list") {
        return Ok(true);
    }
    let run = record.run_facts()?;
    let homes: Vec<PageUrl> = run.starts.iter().chain(&run.roots).filter_map(|url| PageUrl::recorded(url)).collect();
    let whole_domain = scope.as_deref() == Some("domain");
    let is_home = |url: &PageUrl| homes.iter().any(|home| is_beside(url, home, whole_domain));
    Ok(candidates(record, text)?.iter().any(is_home))
}

/// Whether two URLs are of one site. Without a scheme, the crawl may have begun with another one than is tried first.
fn is_beside(url: &PageUrl, home: &PageUrl, whole_domain: bool) -> bool {
    let place = |url: &PageUrl| (url.host().to_owned(), url.as_url().port());
    place(url) == place(home) || (whole_domain && url.registrable_domain() == home.registrable_domain())
}
