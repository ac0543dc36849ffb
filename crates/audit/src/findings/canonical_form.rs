//! Canonicals that are missing, differ, are relative or stand outside head.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node, said) in site.pages() {
        let canonicals = &said.canonicals;
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
    use crate::site::made::made;

    #[test]
    fn an_indexable_page_without_canonical_is_told_and_a_tag_or_header_will_do() {
        let site = made()
            .links("/", &[])
            .canonical("/tag", "/tag")
            .links("/header", &[])
            .header("/header", "link", "<http://example.com/header>; rel=\"canonical\"")
            .noindex("/noindex", &[])
            .page("/comment", "<!-- <link rel=canonical href=http://example.com/comment> -->")
            .head("/sent-on", "<meta http-equiv=refresh content='0; url=/tag'>")
            .site();
        assert_eq!(site.told(find).of(Code::CanonicalMissing), ["/", "/comment"]);
    }

    #[test]
    fn canonicals_that_differ_conflict_and_the_same_twice_does_not() {
        let tag = |href: &str| format!("<link rel=canonical href='http://example.com{href}'>");
        let site = made()
            .head("/tags", &[tag("/a"), tag("/b")].concat())
            .head("/twice", &[tag("/a"), tag("/a")].concat())
            .canonical("/both", "/both")
            .header("/both", "link", "<http://example.com/a>; rel=canonical")
            .page("/body", &format!("{}<body>{}", tag("/body"), tag("/a")))
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::CanonicalConflict), ["/both", "/tags"]);
        let expected = "It gives several canonicals: http://example.com/a, http://example.com/";
        assert!(
            told.message(Code::CanonicalConflict).starts_with(expected),
            "{}",
            told.message(Code::CanonicalConflict)
        );
    }

    #[test]
    fn a_relative_canonical_is_told_as_it_is_written() {
        let site = made().head("/dir/a", "<link rel=canonical href='a'>").canonical("/b", "/b").site();
        let told = site.told(find);
        assert_eq!(told.of(Code::CanonicalRelative), ["/dir/a"]);
        assert_eq!(told.message(Code::CanonicalRelative), "The canonical is written as `a`.");
    }

    #[test]
    fn a_canonical_in_the_body_stands_outside_head_and_its_text_does_not() {
        let site = made()
            .page("/body", "<title>t</title><body><link rel=canonical href='http://example.com/a'>")
            .page("/ended", "<title>t</title><div>early</div><link rel=canonical href='http://example.com/ended'>")
            .page("/text", "<body>&lt;link rel=canonical href='http://example.com/a'>")
            .canonical("/head", "/head")
            .site();
        assert_eq!(site.told(find).of(Code::CanonicalOutsideHead), ["/body", "/ended"]);
    }
}
