//! Explains why a URL is in the sitemap or not, in words, for the command and the dashboard.

mod as_json;
mod as_text;
mod meant;
mod scripts;
mod site;

pub use as_json::ExplanationJson;
pub use as_text::{hint, render as lines, way, words};
pub use site::is_of_site;

use mapwright_store::{Explained, Record, StoreError};
use mapwright_verdict::Reason;
use mapwright_web::{Origin, PageUrl, UrlIdentity};

/// Explains the URL that a user wrote; returns it in the form that the crawl used: over https or http if it has no
/// scheme, with the known tracking parameters dropped, or under the crawled host if it is published under another. A
/// URL that was only seen outside the scope is returned if no other form is known. Returns `None` if the URL was never
/// discovered or is not valid.
///
/// # Errors
/// If the record cannot be read.
pub fn explain(record: &Record, text: &str) -> Result<Option<(PageUrl, Explained)>, StoreError> {
    let agent = record.agent()?;
    let mut outside = None;
    for url in meant::candidates(record, text)? {
        match record.explain(&url, &agent)? {
            Some(explained) if is_outside(&explained) => outside = outside.or(Some((url, explained))),
            Some(explained) => return Ok(Some((url, explained))),
            None => {}
        }
    }
    Ok(outside)
}

/// Returns whether the crawl saw the URL only as one of another site.
fn is_outside(explained: &Explained) -> bool {
    match &explained.last_found {
        Some((_, judged)) => judged.reason == Some(Reason::OutOfScope),
        None => explained.answers.is_empty(),
    }
}

/// Returns whether a crawl requested the URL that a user wrote, in one of the forms that [`explain()`] tries.
///
/// # Errors
/// If the record cannot be read.
pub fn knows(record: &Record, text: &str) -> Result<bool, StoreError> {
    for url in meant::candidates(record, text)? {
        if record.knows(&url)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the URL that a text stands for: itself, or without a scheme the URL over https or http. One of these origins
/// is preferred.
#[must_use]
pub fn meant(text: &str, origins: &[Origin]) -> Option<PageUrl> {
    let forms = meant::forms(text);
    let mut urls: Vec<PageUrl> =
        forms.iter().filter_map(|form| PageUrl::parse(form, &UrlIdentity::default()).ok()).collect();
    urls.sort_by_key(|url| !origins.contains(&url.origin()));
    urls.into_iter().next()
}
