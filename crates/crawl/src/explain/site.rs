//! Checks that a record is of the site that a user names.

use super::meant::candidates;
use mapwright_settings::CrawlSection;
use mapwright_store::{Record, StoreError};
use mapwright_web::PageUrl;

/// Returns whether the newest run of a record crawled the site of the URL that a user wrote: the run began at its host
/// and port, or a start URL redirected there. With `--scope domain`, any host of the domain matches. A crawl of a list
/// may be of any site, and a record without a run matches every site.
///
/// # Errors
/// If the record cannot be read.
pub fn is_of_site(record: &Record, text: &str) -> Result<bool, StoreError> {
    let scope = record.setting(CrawlSection::scope)?.pop();
    if record.run() == 0 || scope.as_deref() == Some("list") {
        return Ok(true);
    }
    let run = record.run_facts()?;
    let homes: Vec<PageUrl> = run.starts.iter().chain(&run.roots).filter_map(|url| PageUrl::recorded(url)).collect();
    let apex_domain = scope.as_deref() == Some("domain");
    let is_home = |url: &PageUrl| homes.iter().any(|home| is_beside(url, home, apex_domain));
    Ok(candidates(record, text)?.iter().any(is_home))
}

/// Returns whether two URLs are of one site. The scheme is not compared, because the text may have none.
fn is_beside(url: &PageUrl, home: &PageUrl, apex_domain: bool) -> bool {
    let place = |url: &PageUrl| (url.host().to_owned(), url.as_url().port());
    place(url) == place(home) || (apex_domain && url.registrable_domain() == home.registrable_domain())
}
