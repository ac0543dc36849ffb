//! Resolves a text that a user writes to a URL of the record.

use mapwright_publish::Rewrite;
use mapwright_settings::PublishSection;
use mapwright_store::{Record, StoreError};
use mapwright_web::{Origin, PageUrl, UrlIdentity};

/// Returns the URLs that a text may stand for: the text itself, or without a scheme the URL over https and over http.
pub(super) fn forms(text: &str) -> Vec<String> {
    match text.contains("://") {
        true => vec![text.to_owned()],
        false => ["https", "http"].map(|scheme| format!("{scheme}://{text}")).to_vec(),
    }
}

/// Returns the URLs under which the record may know a text, the likeliest first: each form of the text, first with the
/// known tracking parameters dropped, then unchanged; then the crawled URLs that are published as one of these
/// (`--rewrite-host`).
pub(super) fn candidates(record: &Record, text: &str) -> Result<Vec<PageUrl>, StoreError> {
    let read = |text: &String| [true, false].map(|drops| PageUrl::parse(text, &UrlIdentity::new(drops, &[])).ok());
    let mut urls: Vec<PageUrl> = forms(text).iter().flat_map(read).flatten().collect();
    urls.dedup();
    let mut crawled = Vec::new();
    for published in &urls {
        crawled.extend(crawled_as(record, published.as_str())?);
    }
    urls.extend(crawled.iter().flat_map(read).flatten());
    Ok(urls)
}

/// Returns the URLs that are published as `published`. The first rewrite rule that matches a URL applies.
fn crawled_as(record: &Record, published: &str) -> Result<Vec<String>, StoreError> {
    let rewrites = record.setting(PublishSection::rewrite_host)?;
    let rewrites: Vec<Rewrite> = rewrites.iter().filter_map(|text| Rewrite::parse(text).ok()).collect();
    if rewrites.is_empty() {
        return Ok(Vec::new());
    }
    let ports: Vec<u16> = record.origins()?.iter().map(Origin::port).collect();
    let crawled = rewrites.iter().flat_map(|rewrite| rewrite.undo(published, &ports));
    let is_it = |url: &String| rewrites.iter().find_map(|rewrite| rewrite.apply(url)).is_some_and(|to| to == published);
    Ok(crawled.filter(is_it).collect())
}
