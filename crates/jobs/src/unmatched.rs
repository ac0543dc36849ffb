//! Selectors that matched on no page: most are misspelt, or of an older version of the site.

use crate::job::Job;
use mapwright_engine::How;
use mapwright_web::select::{Content, Selection, Unmatched};

/// The selectors that matched on no page of a complete run with so many `pages`, each in a sentence. Where most were not
/// read, because they had not changed or were read before the run was resumed, nothing is known of them.
pub(crate) fn unmatched(job: &Job, how: How, pages: u64) -> Vec<String> {
    if how != How::Whole {
        return Vec::new();
    }
    let [links_in, no_links_in] = job.selection.as_ref().map(Selection::unmatched).unwrap_or_default();
    let content = job.content.as_ref().map(Content::unmatched).unwrap_or_default();
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
    fn nothing_is_said_of_pages_that_were_mostly_not_read() {
        let told = |searched, pages| {
            sentences("--links-in", Unmatched { selectors: vec!["main".to_owned()], searched }, pages)
        };
        assert_eq!(told(6, 10), ["--links-in `main` matched on none of the pages (6 read); check it"]);
        assert!(told(5, 10).is_empty() && told(0, 0).is_empty());
    }
}
