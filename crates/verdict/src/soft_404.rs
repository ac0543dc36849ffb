//! Soft 404s: pages that equal the page that the site shows for names that cannot exist.

use crate::named_error_pages::{NamedResponse, differ_only_by_url};
use mapwright_web::page::facts::Sketch;
use std::collections::HashSet;
use std::hash::Hash;

/// The percentage of common text from which on two pages count as the same.
const ALIKE: u32 = 90;
/// The same percentage for a page with a title of its own: on a site whose pages differ by a few sentences, the
/// estimate of their common text has a larger error than that difference.
const ALIKE_BUT_FOR_TITLE: u32 = 97;
/// The same percentage for pages that differ by the name of the requested URL: one word is a large part of a short
/// text.
const ALIKE_BUT_FOR_NAMES: u32 = 60;
/// The percentage of a site's pages from which on the response is the shell of an application, not an error page.
const SHELL: usize = 50;
/// The number of distinct contents from which on a site is more than the shell of an application.
const FEW_CONTENTS: usize = 3;

/// The properties of a response that are compared with the response to a name that cannot exist.
#[derive(Debug, Clone, Copy)]
pub struct ResponseFeatures<'a> {
    /// The URL.
    pub url: &'a str,
    /// A hash of the body; 0 where it is unknown.
    pub hash: u64,
    /// The title.
    pub title: Option<&'a str>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// A hash of the visible text where that is too short for a sketch; `None` where it is not, and without any text.
    pub short_text: Option<u64>,
    /// The sketch of the text, where it is long enough.
    pub sketch: Option<Sketch>,
}

impl ResponseFeatures<'_> {
    /// Compares the response with `probe`, the response to a name that cannot exist. `ordinary` are titles that prove
    /// nothing, such as the start page's, which the entire site may use.
    #[must_use]
    pub fn is_like(&self, probe: &Self, ordinary: &HashSet<&str>) -> Similarity {
        match () {
            () if self.is_alike_but_for_names(probe, ordinary) => Similarity::ButForNames,
            () if self.has_same_short_text(probe) => Similarity::ButForNames,
            () if self.is_alike(probe) => Similarity::Same,
            () => Similarity::Other,
        }
    }

    fn is_alike(&self, probe: &Self) -> bool {
        let same = self.hash == probe.hash && probe.hash != 0;
        let enough = if self.title == probe.title { ALIKE } else { ALIKE_BUT_FOR_TITLE };
        same || self.sketch.zip(probe.sketch).is_some_and(|(page, probe)| page.likeness(&probe) >= enough)
    }

    /// Reports whether both responses have the same title and short text: their bytes may differ by what no visitor sees,
    /// such as a token, or the state of a menu.
    fn has_same_short_text(&self, probe: &Self) -> bool {
        let is_same = self.short_text.is_some() && self.short_text == probe.short_text;
        is_same && self.text_bytes == probe.text_bytes && self.title == probe.title
    }

    /// Reports whether a page is the error page with another URL's name in it: it has the same title and length apart
    /// from the name, and most of the text if that is long enough for a sketch.
    fn is_alike_but_for_names(&self, probe: &Self, ordinary: &HashSet<&str>) -> bool {
        let (Some(title), Some(lost)) = (self.title, probe.title) else { return false };
        let same_text = match (self.sketch, probe.sketch) {
            (Some(page), Some(probe)) => page.likeness(&probe) >= ALIKE_BUT_FOR_NAMES,
            (None, None) => true,
            _ => false,
        };
        let page = NamedResponse { url: self.url, title, text_bytes: self.text_bytes };
        let lost = NamedResponse { url: probe.url, title: lost, text_bytes: probe.text_bytes };
        same_text && !ordinary.contains(title) && differ_only_by_url(&page, &lost)
    }
}

/// The result of comparing a response with that to a name that cannot exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// The content is the same.
    Same,
    /// The content is the same apart from the name, in its text or where no visitor sees it: an error page that names the
    /// requested URL.
    ButForNames,
    /// The content differs.
    Other,
}

/// The pages of one origin, divided into those like the response to a name that cannot exist and all others.
#[derive(Debug)]
pub struct Soft404Candidates<T> {
    /// The pages that are like it.
    pub alike: Vec<T>,
    alike_contents: HashSet<u64>,
    own: usize,
    own_contents: HashSet<u64>,
    from_the_start: bool,
}

impl<T> Default for Soft404Candidates<T> {
    fn default() -> Self {
        Self {
            alike: Vec::new(),
            alike_contents: HashSet::new(),
            own: 0,
            own_contents: HashSet::new(),
            from_the_start: false,
        }
    }
}

impl<T: Copy + Eq + Hash> Soft404Candidates<T> {
    /// Adds a page with the result of its comparison. A start page never counts as a soft 404.
    pub fn add(&mut self, page: T, hash: u64, like: Similarity, is_start: bool) {
        match (like, is_start) {
            (Similarity::Same | Similarity::ButForNames, true) => {
                self.own += 1;
                self.from_the_start = true;
            }
            (Similarity::Same, false) => {
                self.alike.push(page);
                self.alike_contents.insert(hash);
            }
            // Pages that differ only by the name in them count as one content.
            (Similarity::ButForNames, false) => {
                self.alike.push(page);
                self.alike_contents.insert(0);
            }
            (Similarity::Other, _) => {
                self.own += 1;
                self.own_contents.insert(hash);
            }
        }
    }

    /// Reports whether the similar pages are the shell of an application that answers most URLs, not an error page.
    ///
    /// Where the start page is not among them, an error `status` speaks against a shell, and so do several contents of
    /// the site's own: the number of wrong URLs alone proves nothing, since a relative link on an error page makes
    /// thousands.
    #[must_use]
    pub fn is_app_shell(&self, status: u16) -> bool {
        let most = self.alike.len() * 100 > (self.alike.len() + self.own) * SHELL;
        let has_contents = self.own_contents.len() >= FEW_CONTENTS.max(self.alike_contents.len());
        most && (self.from_the_start || status < 400 && !has_contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_the_same_whatever_no_visitor_sees() {
        let url = "http://example.com/ghost";
        let page = ResponseFeatures { url, hash: 1, title: None, text_bytes: 78, short_text: Some(9), sketch: None };
        let of = |other: ResponseFeatures<'_>| page.is_like(&other, &HashSet::new());
        let probe = ResponseFeatures { url: "http://example.com/cannot-exist", hash: 2, ..page };
        assert_eq!(of(probe), Similarity::ButForNames);
        for other in [
            ResponseFeatures { title: Some("Lost"), ..probe },
            ResponseFeatures { text_bytes: 79, ..probe },
            ResponseFeatures { short_text: Some(8), ..probe },
        ] {
            assert_eq!(of(other), Similarity::Other, "{other:?}");
        }
        let (empty, other) =
            (ResponseFeatures { short_text: None, ..page }, ResponseFeatures { short_text: None, ..probe });
        assert_eq!(empty.is_like(&other, &HashSet::new()), Similarity::Other, "pages without a text");
    }
}
