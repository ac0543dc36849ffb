//! Why a URL is in the sitemap, or out of it, in words: the same for the command and for the dashboard.

mod as_json;
mod as_text;

pub use as_json::{render as json, unknown as unknown_json};
pub use as_text::{remedy, render as lines, way, words};

use mapwright_publish::Rewrite;
use mapwright_store::{Explained, Record, StoreError};
use mapwright_web::{Identity, PageUrl, origin_of};

/// What is known of the URL that somebody wrote, and the form in which the crawl wrote it: with known tracking
/// parameters dropped, or else as it is; or under the host that was crawled, where it is published under another. Nothing
/// where it was never met, or is no URL.
///
/// # Errors
/// When the record cannot be read.
pub fn explain(record: &Record, text: &str) -> Result<Option<(PageUrl, Explained)>, StoreError> {
    let agent = record.agent()?;
    let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let read = |text: &str| [true, false].map(|drops| PageUrl::parse(text, &Identity::new(drops, &[])).ok());
    let crawled = crawled_as(record, &full)?;
    for url in read(&full).into_iter().chain(crawled.iter().flat_map(|text| read(text))).flatten() {
        if let Some(explained) = record.explain(&url, &agent)? {
            return Ok(Some((url, explained)));
        }
    }
    Ok(None)
}

/// Under which URLs of the start URLs' origins a published one may have been crawled (`--rewrite-host`).
fn crawled_as(record: &Record, published: &str) -> Result<Vec<String>, StoreError> {
    let rewrites = record.setting("publish.rewrite-host")?;
    let rewrites: Vec<Rewrite> = rewrites.iter().filter_map(|text| Rewrite::parse(text).ok()).collect();
    let Some(rest) = published.strip_prefix(origin_of(published)) else { return Ok(Vec::new()) };
    let crawled = record.starts()?.into_iter().map(|start| format!("{}{rest}", start.origin()));
    let is_it = |url: &String| rewrites.iter().find_map(|rewrite| rewrite.apply(url)).is_some_and(|to| to == published);
    Ok(crawled.filter(is_it).collect())
}
