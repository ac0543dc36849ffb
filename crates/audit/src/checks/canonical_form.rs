//! Canonicals that are missing, conflicting, relative, outside the head or with a fragment.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(
    find,
    &[&CANONICAL_MISSING, &CANONICAL_CONFLICT, &CANONICAL_RELATIVE, &CANONICAL_FRAGMENT, &CANONICAL_OUTSIDE_HEAD],
);

static CANONICAL_MISSING: Check = Check {
    code: "canonical-missing",
    title: "No canonical",
    topic: Topic::Canonicals,
    severity: Severity::Notice,
    reason: "An indexable page names no canonical.",
    fix: "Add `<link rel=\"canonical\" href=\"…\">` with its own URL to the head of each page.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rest_may_refute: true, ..Attributes::OF_LISTED },
};

static CANONICAL_CONFLICT: Check = Check {
    code: "canonical-conflict",
    title: "Conflicting canonicals",
    topic: Topic::Canonicals,
    severity: Severity::Error,
    reason: "The page gives several canonicals that differ; search engines ignore them all.",
    fix: "Give one canonical, at one place.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static CANONICAL_RELATIVE: Check = Check {
    code: "canonical-relative",
    title: "Relative canonical",
    topic: Topic::Canonicals,
    severity: Severity::Notice,
    reason: "The canonical is a relative URL.",
    fix: "Write the absolute URL, which no base can change.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static CANONICAL_FRAGMENT: Check = Check {
    code: "canonical-fragment",
    title: "Canonical with a fragment",
    topic: Topic::Canonicals,
    severity: Severity::Notice,
    reason: "The canonical has a fragment (#…), which names a part of a page and not a page.",
    fix: "Write the URL without the fragment.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static CANONICAL_OUTSIDE_HEAD: Check = Check {
    code: "canonical-outside-head",
    title: "Canonical outside head",
    topic: Topic::Canonicals,
    severity: Severity::Warning,
    reason: "The canonical stands in a tag outside head, where it does not count.",
    fix: "Move it into head, before any element that ends it.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node, content) in site.pages() {
        let canonicals = &content.canonicals;
        if !canonicals.given && node.is_indexable() && node.target.is_none() && !node.cut {
            found.push(Finding::of(&CANONICAL_MISSING, url));
        }
        let Some(faults) = &canonicals.faults else { continue };
        if !faults.differing.is_empty() {
            let message = format!("It gives several canonicals: {}.", faults.differing.join(", "));
            found.push(Finding::of(&CANONICAL_CONFLICT, url).says(message));
        }
        if let Some(written) = &faults.relative {
            let message = format!("The canonical is written as `{written}`.");
            found.push(Finding::of(&CANONICAL_RELATIVE, url).says(message));
        }
        if let Some(written) = &faults.fragment {
            let message = format!("The canonical is written as `{written}`.");
            found.push(Finding::of(&CANONICAL_FRAGMENT, url).says(message));
        }
        if let Some(written) = &faults.outside_head {
            let message = format!("The canonical `{written}` stands outside head.");
            found.push(Finding::of(&CANONICAL_OUTSIDE_HEAD, url).says(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn an_indexable_page_without_canonical_tag_or_header_is_reported() {
        let site = builder()
            .links("/", &[])
            .canonical("/tag", "/tag")
            .links("/header", &[])
            .header("/header", "link", "<http://example.com/header>; rel=\"canonical\"")
            .noindex("/noindex", &[])
            .page("/comment", "<!-- <link rel=canonical href=http://example.com/comment> -->")
            .head("/sent-on", "<meta http-equiv=refresh content='0; url=/tag'>")
            .site();
        assert_eq!(site.run_check(find).of("canonical-missing"), ["/", "/comment"]);
    }

    #[test]
    fn different_canonicals_conflict_and_equal_ones_do_not() {
        let tag = |href: &str| format!("<link rel=canonical href='http://example.com{href}'>");
        let site = builder()
            .head("/tags", &[tag("/a"), tag("/b")].concat())
            .head("/twice", &[tag("/a"), tag("/a")].concat())
            .canonical("/both", "/both")
            .header("/both", "link", "<http://example.com/a>; rel=canonical")
            .page("/body", &format!("{}<body>{}", tag("/body"), tag("/a")))
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-conflict"), ["/both", "/tags"]);
        let expected = "It gives several canonicals: http://example.com/a, http://example.com/";
        assert!(found.message("canonical-conflict").starts_with(expected), "{}", found.message("canonical-conflict"));
    }

    #[test]
    fn a_relative_canonical_is_reported_as_written() {
        let site = builder().head("/dir/a", "<link rel=canonical href='a'>").canonical("/b", "/b").site();
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-relative"), ["/dir/a"]);
        assert_eq!(found.message("canonical-relative"), "The canonical is written as `a`.");
    }

    #[test]
    fn a_canonical_with_a_fragment_is_reported_and_an_escaped_sign_is_none() {
        let tag = |href: &str| format!("<link rel=canonical href='http://example.com{href}'>");
        let site = builder().head("/a", &tag("/a#part")).head("/b", &tag("/b#")).head("/c%23", &tag("/c%23")).site();
        assert_eq!(site.run_check(find).of("canonical-fragment"), ["/a"]);
    }

    #[test]
    fn a_canonical_in_the_body_is_outside_the_head_and_text_about_it_is_not() {
        let site = builder()
            .page("/body", "<title>t</title><body><link rel=canonical href='http://example.com/a'>")
            .page("/ended", "<title>t</title><div>early</div><link rel=canonical href='http://example.com/ended'>")
            .page("/text", "<body>&lt;link rel=canonical href='http://example.com/a'>")
            .canonical("/head", "/head")
            .site();
        assert_eq!(site.run_check(find).of("canonical-outside-head"), ["/body", "/ended"]);
    }
}
