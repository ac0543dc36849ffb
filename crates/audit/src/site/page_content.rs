//! The content of a page, as far as findings need it.

use super::UrlNo;
use mapwright_web::page::SecurityHeaders;
use mapwright_web::page::facts::{Canonical, FactLocation, Heading, MarkupCounts, PlacedDirectives, Sketch};

/// The content of a page.
#[derive(Debug, Clone, Default)]
pub struct PageContent {
    /// Hash of its bytes.
    pub hash: u64,
    /// Its title.
    pub title: Option<Box<str>>,
    /// Its description.
    pub description: Option<Box<str>>,
    /// The language that it states for itself, as written.
    pub language: Option<Box<str>>,
    /// Its headings of the first level.
    pub first_headings: FirstHeadings,
    /// The sketch of its text, by which near duplicates are found.
    pub sketch: Option<Sketch>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// Bytes of text outside links, headings, forms, `nav`, `aside`, headers and footers.
    pub prose_bytes: u32,
    /// Counts of its elements.
    pub markup: MarkupCounts,
    /// The header fields that protect visitors.
    pub security: SecurityHeaders,
    /// Count of scripts.
    pub scripts: u32,
    /// Its canonicals.
    pub canonicals: Canonicals,
    /// Its robots directives.
    pub directives: Box<[PlacedDirectives]>,
    /// Its alternates in other languages.
    pub alternates: Box<[Alternate]>,
    /// The target of a refresh, and its delay in seconds.
    pub refresh: Option<Box<(Option<UrlNo>, u64)>>,
    /// The sets of its links.
    pub sets: Box<[u32]>,
}

/// The headings of the first level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FirstHeadings {
    /// Those with a text.
    pub texts: u16,
    /// Those without one.
    pub empty: u16,
    /// The first of them is also the title of the page.
    pub is_title: bool,
}

impl FirstHeadings {
    pub(super) fn of(headings: &[Heading], title: Option<&str>) -> Self {
        let mut first = Self::default();
        for heading in headings.iter().filter(|heading| heading.level == 1) {
            first.is_title |= first.texts == 0 && !heading.text.is_empty() && Some(heading.text.as_str()) == title;
            let count = if heading.text.is_empty() { &mut first.empty } else { &mut first.texts };
            *count = count.saturating_add(1);
        }
        first
    }
}

/// The canonicals of a page. The one that counts is in its [`Node`](super::Node).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Canonicals {
    /// There is one, valid or not, anywhere.
    pub given: bool,
    /// Their faults, if there are any: most pages have none.
    pub faults: Option<Box<CanonicalFaults>>,
}

/// The faults of the canonicals of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CanonicalFaults {
    /// Those in head and header, if they differ.
    pub differing: Box<[Box<str>]>,
    /// One in head or header that is relative, as written.
    pub relative: Option<Box<str>>,
    /// One in head or header that has a fragment, as written.
    pub fragment: Option<Box<str>>,
    /// One in the body, as written.
    pub outside_head: Option<Box<str>>,
}

impl Canonicals {
    pub(super) fn of(given: &[Canonical]) -> Self {
        let honoured: Vec<&Canonical> =
            given.iter().filter(|canonical| canonical.place != FactLocation::Body).collect();
        let differ = honoured.iter().zip(honoured.iter().skip(1)).any(|(one, other)| one.url != other.url);
        let written = |canonical: &Canonical| canonical.raw.as_str().into();
        let faults = CanonicalFaults {
            differing: if differ {
                honoured.iter().map(|canonical| written(canonical)).collect()
            } else {
                Box::default()
            },
            relative: honoured.iter().find(|canonical| canonical.relative).map(|canonical| written(canonical)),
            fragment: honoured
                .iter()
                .find(|canonical| has_fragment(&canonical.raw))
                .map(|canonical| written(canonical)),
            outside_head: given.iter().find(|canonical| canonical.place == FactLocation::Body).map(written),
        };
        Self { given: !given.is_empty(), faults: (faults != CanonicalFaults::default()).then(|| Box::new(faults)) }
    }
}

fn has_fragment(reference: &str) -> bool {
    reference.split_once('#').is_some_and(|(_, fragment)| !fragment.is_empty())
}

/// An alternate in another language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Alternate {
    /// The code as written.
    pub code: Box<str>,
    /// The target; none if it is not a URL of the record.
    pub url: Option<UrlNo>,
}
