//! The difference that the scripts of a page made.

use super::templates::Lesson;
use mapwright_model::{PageContent, Visit};
use mapwright_web::PageFacts;
use mapwright_web::page::facts::BeforeScripts;

/// Returns the difference that matters: a URL of the site that the document itself does not lead to, another verdict of
/// directives, canonical or redirect; for an audit also what search results show of the page, and text grown by half.
pub(super) fn lesson(visit: &Visit, audits: bool) -> Lesson {
    let Some(page) = visit.page() else { return Lesson::Nothing };
    let (Some(rendering), Some(before)) = (page.rendering.as_deref(), page.facts.before_scripts.as_deref()) else {
        return Lesson::Nothing;
    };
    if rendering.failure.is_some() || rendering.cut {
        return Lesson::Nothing;
    }
    let is_redirect = rendering.navigation.as_ref().is_some_and(|navigation| navigation.is_redirect());
    let of_verdict = of_links(page).or_else(|| is_redirect.then(|| "a redirect".to_owned()));
    let of_verdict = of_verdict.or_else(|| of_directives(before).map(str::to_owned));
    let difference = of_verdict.or_else(|| of_texts(page, before).filter(|_| audits).map(str::to_owned));
    difference.map_or(Lesson::Same, Lesson::Difference)
}

fn of_links(page: &PageContent) -> Option<String> {
    let added = page.own_links.added;
    (added > 0).then(|| format!("{added} link{}", if added == 1 { "" } else { "s" }))
}

fn of_directives(before: &BeforeScripts) -> Option<&'static str> {
    if before.noindex != before.noindex_after {
        return Some("noindex");
    }
    if before.nofollow != before.nofollow_after {
        return Some("nofollow");
    }
    let is_set = before.canonical.is_none() && before.canonical_after.is_some();
    (before.canonical_differs || is_set).then_some("the canonical")
}

/// Reports whether scripts made much of a page's text: a third at least, and more than [`GROWTH`].
pub(crate) fn text_has_grown(facts: &PageFacts) -> bool {
    let before = facts.before_scripts.as_deref().map_or(u32::MAX, |before| before.text_bytes);
    facts.text_bytes > before.saturating_add((before / 2).max(GROWTH))
}

fn of_texts(page: &PageContent, before: &BeforeScripts) -> Option<&'static str> {
    let facts = &page.facts;
    if before.title != facts.title {
        Some("the title")
    } else if before.hreflang != facts.names_alternates() {
        Some("the alternates")
    } else {
        text_has_grown(facts).then_some("the text")
    }
}

/// Bytes of text below which a page has not grown.
const GROWTH: u32 = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use mapwright_model::{Content, Lane, Navigation, Outcome, OwnLinks, Purpose, Rendering, Task, UrlId};
    use mapwright_web::{PageUrl, UrlIdentity};

    fn lesson_of(page: PageContent, audits: bool) -> Lesson {
        let url = PageUrl::parse("http://a.example/", &UrlIdentity::default()).unwrap();
        let task = Task::new(0, UrlId(1), url, Purpose::Page, Lane::Link);
        let content = Content::Page(Box::new(page));
        lesson(&Visit { content, ..Visit::new(task, Timestamp::UNIX_EPOCH, Outcome::Page) }, audits)
    }

    fn page(before: BeforeScripts, after: PageFacts, rendering: Rendering) -> PageContent {
        let facts = PageFacts { before_scripts: Some(Box::new(before)), ..after };
        PageContent { facts, rendering: Some(Box::new(rendering)), ..PageContent::default() }
    }

    fn same() -> PageContent {
        page(BeforeScripts::default(), PageFacts::default(), Rendering::default())
    }

    fn is(lesson: Lesson, difference: &str) -> bool {
        lesson == Lesson::Difference(difference.to_owned())
    }

    #[test]
    fn links_directives_canonicals_and_redirects_matter() {
        assert_eq!(lesson_of(same(), true), Lesson::Same);
        let links = PageContent { own_links: OwnLinks { before: 3, added: 2 }, ..same() };
        assert!(is(lesson_of(links, false), "2 links"));
        let of = |before| lesson_of(page(before, PageFacts::default(), Rendering::default()), false);
        assert!(is(of(BeforeScripts { noindex_after: true, ..BeforeScripts::default() }), "noindex"));
        assert!(is(of(BeforeScripts { nofollow: true, ..BeforeScripts::default() }), "nofollow"));
        assert!(is(of(BeforeScripts { canonical_differs: true, ..BeforeScripts::default() }), "the canonical"));
        let set = BeforeScripts { canonical_after: Some("/".to_owned()), ..BeforeScripts::default() };
        assert!(is(of(set), "the canonical"));
        let navigation = Navigation { url: "/b".to_owned(), reason: "scriptInitiated".to_owned(), at_once: true };
        let redirect = Rendering { navigation: Some(navigation), ..Rendering::default() };
        assert!(is(lesson_of(page(BeforeScripts::default(), PageFacts::default(), redirect), false), "a redirect"));
    }

    #[test]
    fn titles_and_texts_matter_for_an_audit() {
        let titled = || PageFacts { title: Some("Lamps".to_owned()), ..PageFacts::default() };
        let of = |facts, audits| lesson_of(page(BeforeScripts::default(), facts, Rendering::default()), audits);
        assert!(is(of(titled(), true), "the title"));
        assert_eq!(of(titled(), false), Lesson::Same);
        let text = |bytes| PageFacts { text_bytes: bytes, ..PageFacts::default() };
        assert!(is(of(text(201), true), "the text"));
        assert_eq!(of(text(200), true), Lesson::Same);
    }

    #[test]
    fn failed_and_cut_renderings_teach_nothing() {
        let of = |rendering| lesson_of(page(BeforeScripts::default(), PageFacts::default(), rendering), true);
        assert_eq!(of(Rendering { cut: true, ..Rendering::default() }), Lesson::Nothing);
        assert_eq!(of(Rendering { failure: Some("x".to_owned()), ..Rendering::default() }), Lesson::Nothing);
        assert_eq!(lesson_of(PageContent::default(), true), Lesson::Nothing);
    }
}
