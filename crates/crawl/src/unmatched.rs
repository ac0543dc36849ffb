//! Selectors that matched no page: most are misspelt, or written for an older version of the site.

use crate::crawl_spec::CrawlSpec;
use mapwright_engine::Completeness;
use mapwright_web::select::{ContentSelector, Selection, Unmatched};

/// Returns the selectors that matched no page of a complete run of this many `pages`, each in a sentence. Returns none
/// if at most half of the pages were read: the others had not changed, or were read before the run was resumed.
pub(crate) fn unmatched(spec: &CrawlSpec, how: Completeness, pages: u64) -> Vec<String> {
    if how != Completeness::Complete {
        return Vec::new();
    }
    let [links_in, no_links_in] = spec.selection.as_ref().map(Selection::unmatched).unwrap_or_default();
    let content = spec.content.as_ref().map(ContentSelector::unmatched).unwrap_or_default();
    let options = [("--links-in", links_in), ("--no-links-in", no_links_in), ("--content-selector", content)];
    options.into_iter().flat_map(|(option, unmatched)| sentences(option, unmatched, pages)).collect()
}

fn sentences(option: &str, unmatched: Unmatched, pages: u64) -> Vec<String> {
    let Unmatched { selectors, searched } = unmatched;
    if searched * 2 <= pages {
        return Vec::new();
    }
    let sentence =
        |selector: String| format!("{option} `{selector}` matched on none of the pages ({searched} read); check it");
    selectors.into_iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_not_reported_if_most_pages_were_not_read() {
        let reported = |searched, pages| {
            sentences("--links-in", Unmatched { selectors: vec!["main".to_owned()], searched }, pages)
        };
        assert_eq!(reported(6, 10), ["--links-in `main` matched on none of the pages (6 read); check it"]);
        assert!(reported(5, 10).is_empty() && reported(0, 0).is_empty());
    }
}
