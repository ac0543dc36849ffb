//! Robots directives that contradict each other, are outside the head, or are given twice.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_web::directives::Directives;
use mapwright_web::page::facts::{FactLocation, PlacedDirectives};

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&DIRECTIVE_CONFLICT, &DIRECTIVE_OUTSIDE_HEAD, &DIRECTIVE_DUPLICATED]);

static DIRECTIVE_CONFLICT: Check = Check {
    code: "directive-conflict",
    title: "Conflicting robots directives",
    topic: Topic::Indexability,
    severity: Severity::Warning,
    reason: "The robots directives in tag and header contradict each other; the stricter counts.",
    fix: "Give one directive at one place.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static DIRECTIVE_OUTSIDE_HEAD: Check = Check {
    code: "directive-outside-head",
    title: "Robots directive outside head",
    topic: Topic::Indexability,
    severity: Severity::Warning,
    reason: "A robots directive stands in a tag outside head.",
    fix: "Move it into head, before any element that ends it.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static DIRECTIVE_DUPLICATED: Check = Check {
    code: "directive-duplicated",
    title: "Duplicate robots directive",
    topic: Topic::Indexability,
    severity: Severity::Notice,
    reason: "The same robots directive is given twice.",
    fix: "Give it once.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.pages() {
        let given = &content.directives;
        if let Some(what) = conflict(given) {
            found.push(Finding::of(&DIRECTIVE_CONFLICT, url).says(format!("Tag and header differ: {what}.")));
        }
        if let Some(outside) = given.iter().find(|one| one.place == FactLocation::Body) {
            let message = format!("`{}` stands in a tag outside head.", words(&outside.directives).join(", "));
            found.push(Finding::of(&DIRECTIVE_OUTSIDE_HEAD, url).says(message));
        }
        if let Some(what) = duplicate(given) {
            found.push(Finding::of(&DIRECTIVE_DUPLICATED, url).says(format!("`{what}` is given more than once.")));
        }
    }
}

/// Returns the contradiction between tag and header for one agent.
fn conflict(given: &[PlacedDirectives]) -> Option<String> {
    let headers = || given.iter().filter(|one| one.place == FactLocation::Header);
    let tags = || given.iter().filter(|one| one.place != FactLocation::Header);
    headers().find_map(|header| {
        let tag = tags().find(|tag| tag.agent == header.agent && contradict(&tag.directives, &header.directives))?;
        Some(format!("`{}` and `{}`", words(&tag.directives).join(", "), words(&header.directives).join(", ")))
    })
}

fn contradict(one: &Directives, other: &Directives) -> bool {
    let differ = |yes: fn(&Directives) -> bool, no: fn(&Directives) -> bool| {
        (yes(one) && !no(one) && no(other)) || (yes(other) && !no(other) && no(one))
    };
    differ(|d| d.index, |d| d.noindex) || differ(|d| d.follow, |d| d.nofollow)
}

/// Returns a directive that is given twice for the same agent, in one place or in two.
fn duplicate(given: &[PlacedDirectives]) -> Option<String> {
    let in_one = given.iter().find_map(|one| one.directives.repeated.clone());
    in_one.or_else(|| in_two(given))
}

fn in_two(given: &[PlacedDirectives]) -> Option<String> {
    given.iter().enumerate().find_map(|(at, one)| {
        let others = given.iter().skip(at + 1).filter(|other| other.agent == one.agent);
        let theirs: Vec<String> = others.flat_map(|other| words(&other.directives)).collect();
        words(&one.directives).into_iter().find(|word| theirs.contains(word))
    })
}

/// Returns the directives as words.
fn words(directives: &Directives) -> Vec<String> {
    let flags = [
        (directives.index, "index"),
        (directives.noindex, "noindex"),
        (directives.follow, "follow"),
        (directives.nofollow, "nofollow"),
        (directives.unavailable_after.is_some(), "unavailable_after"),
    ];
    let known = flags.into_iter().filter(|(given, _)| *given).map(|(_, word)| word.to_owned());
    known.chain(directives.other.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn given(place: FactLocation, content: &str) -> PlacedDirectives {
        PlacedDirectives { agent: None, directives: Directives::parse_meta(content), place }
    }

    #[test]
    fn tag_and_header_conflict_if_one_allows_what_the_other_forbids() {
        let is_conflict =
            |tag, header| conflict(&[given(FactLocation::Head, tag), given(FactLocation::Header, header)]).is_some();
        assert!(is_conflict("index, follow", "noindex"));
        assert!(is_conflict("nofollow", "all"));
        assert!(!is_conflict("index", "noarchive"));
        assert!(!is_conflict("noindex", "noindex, follow"));
        assert!(!is_conflict("noindex", "nofollow"));
    }

    #[test]
    fn the_same_directive_in_two_places_is_reported() {
        let twice = [given(FactLocation::Head, "noindex"), given(FactLocation::Header, "noindex, nofollow")];
        assert_eq!(duplicate(&twice).as_deref(), Some("noindex"));
        assert_eq!(duplicate(&[given(FactLocation::Head, "noindex"), given(FactLocation::Head, "nofollow")]), None);
        assert_eq!(duplicate(&[given(FactLocation::Head, "noindex, nofollow, NOINDEX")]).as_deref(), Some("noindex"));
        assert_eq!(duplicate(&[given(FactLocation::Head, "max-snippet:5, noarchive, max-snippet:9")]), None);
        let other = PlacedDirectives { agent: Some("bingbot".to_owned()), ..given(FactLocation::Head, "noindex") };
        assert_eq!(duplicate(&[given(FactLocation::Head, "noindex"), other]), None);
    }

    const INDEX: &str = "<meta name=robots content='index, follow'>";
    const NOINDEX: &str = "<meta name=robots content='noindex'>";

    #[test]
    fn tag_and_header_of_a_page_are_compared() {
        let site = builder()
            .head("/conflict", INDEX)
            .header("/conflict", "x-robots-tag", "noindex")
            .head("/stricter-tag", NOINDEX)
            .header("/stricter-tag", "x-robots-tag", "all")
            .head("/other-bot", INDEX)
            .header("/other-bot", "x-robots-tag", "otherbot: noindex")
            .head("/agreed", INDEX)
            .header("/agreed", "x-robots-tag", "noarchive")
            .head("/two-tags", &[INDEX, NOINDEX].concat())
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("directive-conflict"), ["/conflict", "/stricter-tag"]);
        let expected = "Tag and header differ: `index, follow` and `noindex`.";
        assert_eq!(found.message("directive-conflict"), expected);
    }

    #[test]
    fn a_tag_in_the_body_is_outside_the_head() {
        let site = builder()
            .head("/ended", &["<div>early</div>", NOINDEX].concat())
            .head("/head", NOINDEX)
            .page("/text", "<body>&lt;meta name=robots content=noindex>")
            .page("/comment", "<body><!-- <meta name=robots content=noindex> -->")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("directive-outside-head"), ["/ended"]);
        assert_eq!(found.message("directive-outside-head"), "`noindex` stands in a tag outside head.");
    }

    #[test]
    fn the_same_directive_in_two_tags_or_in_tag_and_header_is_duplicated() {
        let site = builder()
            .head("/tags", &NOINDEX.repeat(2))
            .head("/both", NOINDEX)
            .header("/both", "x-robots-tag", "none")
            .head("/once", "<meta name=robots content='noindex, nofollow, noarchive'>")
            .head("/two-bots", &[NOINDEX, "<meta name=googlebot content=noindex>"].concat())
            .head("/snippets", "<meta name=robots content='max-snippet:20'><meta name=robots content='max-snippet:20'>")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("directive-duplicated"), ["/both", "/snippets", "/tags"]);
        assert_eq!(found.message("directive-duplicated"), "`noindex` is given more than once.");
    }
}
