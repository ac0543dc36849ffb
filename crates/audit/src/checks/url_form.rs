//! URLs that are hard to read, to write or to share.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::check_thresholds::CheckThresholds;
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_text::counted;
use mapwright_web::PageUrl;

pub(super) static CHECKER: Checker = Checker::limits(find, &[&URL_BLANK, &URL_UPPER_CASE, &URL_UNDERSCORE, &URL_LONG]);

static URL_BLANK: Check = Check {
    code: "url-blank",
    title: "Blank in the URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The path of the URL contains a blank, which is cut where the URL is copied.",
    fix: "Write hyphens instead, and redirect the old URL.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static URL_UPPER_CASE: Check = Check {
    code: "url-upper-case",
    title: "Upper case in the URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The path of the URL contains upper case; a link in lower case is another URL.",
    fix: "Use lower case for new pages, and redirect the other spelling.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static URL_UNDERSCORE: Check = Check {
    code: "url-underscore",
    title: "Underscore in the URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The path of the URL joins words with underscores, which search engines do not take for word separators.",
    fix: "Use hyphens as word separators in the URLs of new pages.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static URL_LONG: Check = Check {
    code: "url-long",
    title: "Long URL",
    topic: Topic::Content,
    severity: Severity::Notice,
    reason: "The URL is longer than people copy and results show.",
    fix: "Shorten the path of new pages.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, limits: &CheckThresholds, found: &mut Vec<Finding>) {
    for (url, _, _) in site.own_pages() {
        let text = site.text(url);
        let Some(page) = PageUrl::recorded(text) else { continue };
        let path = mapwright_web::percent_decoded(page.as_url().path());
        if path.contains(char::is_whitespace) {
            found.push(Finding::of(&URL_BLANK, url));
        }
        if path.contains(char::is_uppercase) {
            found.push(Finding::of(&URL_UPPER_CASE, url));
        }
        if joins_words(&path) {
            found.push(Finding::of(&URL_UNDERSCORE, url));
        }
        let length = text.chars().count();
        if length > limits.long_url {
            let message = format!("It has {}.", counted(length as u64, "character"));
            found.push(Finding::of(&URL_LONG, url).says(message));
        }
    }
}

/// Returns true if an underscore joins two words. Before a number, or at the beginning of a name, it joins none.
fn joins_words(path: &str) -> bool {
    let characters: Vec<char> = path.chars().collect();
    let joins =
        |three: &[char]| matches!(three, [before, '_', after] if before.is_alphabetic() && after.is_alphabetic());
    characters.windows(3).any(joins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn each_form_is_reported_and_the_query_is_left_alone() {
        let long = format!("/{}", "a".repeat(120));
        let site = builder()
            .links("/garden-chairs", &[])
            .links("/Garden", &[])
            .links("/garden_chairs", &[])
            .links("/garden%20chairs", &[])
            .links("/%C3%84pfel", &[])
            .links("/garden?Sort_by=Price%20up", &[])
            .links(&long, &[])
            .site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("url-upper-case"), ["/%C3%84pfel", "/Garden"]);
        assert_eq!(found.of("url-underscore"), ["/garden_chairs"]);
        assert_eq!(found.of("url-blank"), ["/garden%20chairs"]);
        assert_eq!(found.of("url-long"), [long]);
    }

    #[test]
    fn an_underscore_is_reported_where_it_joins_two_words() {
        let paths = ["/anchor-and-furrow-9_9/", "/file_2", "/_next", "/a__b", "/end_", "/x/_/y", "/%C3%A4pfel_%C3%B6l"];
        let site =
            paths.iter().fold(builder(), |builder, path| builder.links(path, &[])).links("/cat_craft", &[]).site();
        let found = site.run_check(|site, found| find(site, &CheckThresholds::default(), found));
        assert_eq!(found.of("url-underscore"), ["/%C3%A4pfel_%C3%B6l", "/cat_craft"]);
    }
}
