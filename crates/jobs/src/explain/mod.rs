//! Why a URL is in the sitemap, or out of it, in words: the same for the command and for the dashboard.

mod as_json;
mod as_text;

pub use as_json::{render as json, unknown as unknown_json};
pub use as_text::{remedy, render as lines, way, words};

use mapwright_store::{Explained, Record, StoreError};
use mapwright_web::{Identity, PageUrl};

/// What is known of the URL that somebody wrote, and the form in which the crawl wrote it: with known tracking
/// parameters dropped, or else as it is. Nothing where it was never met, or is no URL.
///
/// # Errors
/// When the record cannot be read.
pub fn explain(record: &Record, text: &str) -> Result<Option<(PageUrl, Explained)>, StoreError> {
    let agent = record.agent()?;
    let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let written = [true, false].map(|drops| PageUrl::parse(&full, &Identity::new(drops, &[])).ok());
    for url in written.into_iter().flatten() {
        if let Some(explained) = record.explain(&url, &agent)? {
            return Ok(Some((url, explained)));
        }
    }
    Ok(None)
}
