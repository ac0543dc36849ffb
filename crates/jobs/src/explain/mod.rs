//! Why a URL is in the sitemap, or out of it, in words: the same for the command and for the dashboard.

mod as_json;
mod as_text;
mod meant;
mod site;

pub use as_json::{render as json, unknown as unknown_json};
pub use as_text::{remedy, render as lines, way, words};
pub use site::is_of_site;

use mapwright_store::{Explained, Record, StoreError};
use mapwright_verdict::Reason;
use mapwright_web::{Identity, Origin, PageUrl};

/// What is known of the URL that somebody wrote, and the form in which the crawl wrote it: over https or http where no
/// scheme is written, with known tracking parameters dropped, or under the host that was crawled where it is published
/// under another. What was merely seen outside the scope counts where nothing else is known. Nothing where it was never
/// met, or is no URL.
///
/// # Errors
/// When the record cannot be read.
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

/// Whether the crawl had to do with a URL as one of another site alone.
fn is_outside(explained: &Explained) -> bool {
    match &explained.last_met {
        Some((_, judged)) => judged.reason == Some(Reason::OutOfScope),
        None => explained.answers.is_empty(),
    }
}

/// Whether a crawl asked for the URL that somebody wrote, in one of the forms that [`explain()`] tries.
///
/// # Errors
/// When the record cannot be read.
pub fn knows(record: &Record, text: &str) -> Result<bool, StoreError> {
    for url in meant::candidates(record, text)? {
        if record.knows(&url)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a text stands for: itself, or without a scheme a URL over https or http, that of one of these origins first.
#[must_use]
pub fn meant(text: &str, origins: &[Origin]) -> Option<PageUrl> {
    let forms = meant::forms(text);
    let mut urls: Vec<PageUrl> =
        forms.iter().filter_map(|form| PageUrl::parse(form, &Identity::default()).ok()).collect();
    urls.sort_by_key(|url| !origins.contains(&url.origin()));
    urls.into_iter().next()
}
