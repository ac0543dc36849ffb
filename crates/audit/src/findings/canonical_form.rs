//! Canonicals that are missing, conflicting, relative or outside the head.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node, content) in site.pages() {
        let canonicals = &content.canonicals;
        if !canonicals.given && node.is_indexable() && node.target.is_none() && !node.cut {
            found.push(Finding::of(Code::CanonicalMissing, url));
        }
        if !canonicals.differing.is_empty() {
            let message = format!("It gives several canonicals: {}.", canonicals.differing.join(", "));
            found.push(Finding::of(Code::CanonicalConflict, url).says(message));
        }
        if let Some(written) = &canonicals.relative {
            let message = format!("The canonical is written as `{written}`.");
            found.push(Finding::of(Code::CanonicalRelative, url).says(message));
        }
        if let Some(written) = &canonicals.outside_head {
            let message = format!("The canonical `{written}` stands outside head.");
            found.push(Finding::of(Code::CanonicalOutsideHead, url).says(message));
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
        assert_eq!(site.run_check(find).of(Code::CanonicalMissing), ["/", "/comment"]);
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
        assert_eq!(found.of(Code::CanonicalConflict), ["/both", "/tags"]);
        let expected = "It gives several canonicals: http://example.com/a, http://example.com/";
        assert!(
            found.message(Code::CanonicalConflict).starts_with(expected),
            "{}",
            found.message(Code::CanonicalConflict)
        );
    }

    #[test]
    fn a_relative_canonical_is_reported_as_written() {
        let site = builder().head("/dir/a", "<link rel=canonical href='a'>").canonical("/b", "/b").site();
        let found = site.run_check(find);
        assert_eq!(found.of(Code::CanonicalRelative), ["/dir/a"]);
        assert_eq!(found.message(Code::CanonicalRelative), "The canonical is written as `a`.");
    }

    #[test]
    fn a_canonical_in_the_body_is_outside_the_head_and_text_about_it_is_not() {
        let site = builder()
            .page("/body", "<title>t</title><body><link rel=canonical href='http://example.com/a'>")
            .page("/ended", "<title>t</title><div>early</div><link rel=canonical href='http://example.com/ended'>")
            .page("/text", "<body>&lt;link rel=canonical href='http://example.com/a'>")
            .canonical("/head", "/head")
            .site();
        assert_eq!(site.run_check(find).of(Code::CanonicalOutsideHead), ["/body", "/ended"]);
    }
}
