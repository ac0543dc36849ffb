//! Which URL of a record somebody means who writes one.

use mapwright_publish::Rewrite;
use mapwright_store::{Record, StoreError};
use mapwright_web::{Identity, Origin, PageUrl};

/// What a text may stand for: what it says, or without a scheme the URL over https, and over http.
pub(super) fn forms(text: &str) -> Vec<String> {
    match text.contains("://") {
        true => vec![text.to_owned()],
        false => ["https", "http"].map(|scheme| format!("{scheme}://{text}")).to_vec(),
    }
}

/// Under which URLs the record may know a text, the likeliest first: in each of its forms with known tracking parameters
/// dropped, or else as it is; then as what was crawled and is published so (`--rewrite-host`).
pub(super) fn candidates(record: &Record, text: &str) -> Result<Vec<PageUrl>, StoreError> {
    let read = |text: &String| [true, false].map(|drops| PageUrl::parse(text, &Identity::new(drops, &[])).ok());
    let mut urls: Vec<PageUrl> = forms(text).iter().flat_map(read).flatten().collect();
    urls.dedup();
    let mut crawled = Vec::new();
    for published in &urls {
        crawled.extend(crawled_as(record, published.as_str())?);
    }
    urls.extend(crawled.iter().flat_map(read).flatten());
    Ok(urls)
}

/// Under which URLs a published one may have been crawled: the first rule that fits a URL is the one that holds.
fn crawled_as(record: &Record, published: &str) -> Result<Vec<String>, StoreError> {
    let rewrites = record.setting("publish.rewrite-host")?;
    let rewrites: Vec<Rewrite> = rewrites.iter().filter_map(|text| Rewrite::parse(text).ok()).collect();
    if rewrites.is_empty() {
        return Ok(Vec::new());
    }
    let ports: Vec<u16> = record.origins()?.iter().map(Origin::port).collect();
    let crawled = rewrites.iter().flat_map(|rewrite| rewrite.undo(published, &ports));
    let is_it = |url: &String| rewrites.iter().find_map(|rewrite| rewrite.apply(url)).is_some_and(|to| to == published);
    Ok(crawled.filter(is_it).collect())
}
