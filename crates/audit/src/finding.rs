//! A finding in compact form: numbers instead of texts, because there may be millions.

use crate::check::Check;
use crate::site::{Site, UrlNo};

/// The subject of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubjectIds {
    /// One URL.
    Url(UrlNo),
    /// URLs that belong together.
    Group(Box<[UrlNo]>),
    /// The entire site.
    Site,
    /// A pattern of URLs.
    Pattern(Box<str>),
}

/// Evidence beyond the subject and the pages that link to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The problem in this case, in one sentence, if the reason of the code does not say it.
    pub message: Option<Box<str>>,
    /// URLs on the way, first to last.
    pub chain: Box<[UrlNo]>,
    /// The other URL involved, such as a final target.
    pub target: Option<UrlNo>,
    /// Sitemap files.
    pub sitemaps: Box<[UrlNo]>,
    /// Pages through which the subject was reached.
    pub entrances: Box<[UrlNo]>,
    /// Example URLs of a pattern.
    pub examples: Box<[UrlNo]>,
    /// It comes before the others of its kind.
    pub ahead: bool,
    /// The number of URLs or pages that it affects, if that is not the number of its subjects.
    pub affected: Option<u64>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub check: &'static Check,
    /// Its subject.
    pub about: SubjectIds,
    /// Its evidence, if any: most findings need none.
    pub evidence: Option<Box<Evidence>>,
}

impl Finding {
    /// A finding about one URL.
    #[must_use]
    pub fn of(check: &'static Check, url: UrlNo) -> Self {
        Self { check, about: SubjectIds::Url(url), evidence: None }
    }

    /// A finding about URLs that belong together.
    #[must_use]
    pub fn group(check: &'static Check, urls: Vec<UrlNo>) -> Self {
        Self { check, about: SubjectIds::Group(urls.into()), evidence: None }
    }

    /// A finding about the entire site.
    #[must_use]
    pub fn site(check: &'static Check) -> Self {
        Self { check, about: SubjectIds::Site, evidence: None }
    }

    /// A finding about a pattern of URLs.
    #[must_use]
    pub fn pattern(check: &'static Check, pattern: &str) -> Self {
        Self { check, about: SubjectIds::Pattern(pattern.into()), evidence: None }
    }

    /// Sets the message.
    #[must_use]
    pub fn says(mut self, message: impl Into<String>) -> Self {
        self.evidence().message = Some(message.into().into());
        self
    }

    /// Sets the URLs on the way, first to last.
    #[must_use]
    pub fn through(mut self, chain: Vec<UrlNo>) -> Self {
        self.evidence().chain = chain.into();
        self
    }

    /// Sets the other URL involved.
    #[must_use]
    pub fn to(mut self, target: UrlNo) -> Self {
        self.evidence().target = Some(target);
        self
    }

    /// Sets the sitemap files, at most `SAMPLE`.
    #[must_use]
    pub fn in_sitemaps(mut self, files: &[UrlNo]) -> Self {
        self.evidence().sitemaps = some(files.iter().copied());
        self
    }

    /// Sets the pages through which the subject was reached, at most `SAMPLE`.
    #[must_use]
    pub fn entered_from(mut self, pages: impl IntoIterator<Item = UrlNo>) -> Self {
        self.evidence().entrances = some(pages.into_iter());
        self
    }

    /// Sets the example URLs of a pattern, at most `SAMPLE`.
    #[must_use]
    pub fn shown_by(mut self, urls: impl IntoIterator<Item = UrlNo>) -> Self {
        self.evidence().examples = some(urls.into_iter());
        self
    }

    /// Puts it before the others of its kind.
    #[must_use]
    pub fn ahead(mut self) -> Self {
        self.evidence().ahead = true;
        self
    }

    /// Sets the number of URLs that it affects.
    #[must_use]
    pub fn affecting(mut self, urls: u64) -> Self {
        self.evidence().affected = Some(urls);
        self
    }

    /// Returns the number of URLs that it affects. A URL that is no page affects the pages that use it or link it.
    pub(crate) fn affected(&self, site: &Site) -> u64 {
        let known = self.evidence.as_deref().and_then(|evidence| evidence.affected);
        known.unwrap_or_else(|| match &self.about {
            SubjectIds::Url(url) if site.node(*url).is_page() => 1,
            SubjectIds::Url(url) => site.inlinks(*url).all().max(1).into(),
            SubjectIds::Group(urls) => urls.len() as u64,
            SubjectIds::Site | SubjectIds::Pattern(_) => 1,
        })
    }

    /// Returns true if it comes before the others of its kind.
    #[must_use]
    pub fn is_ahead(&self) -> bool {
        self.evidence.as_deref().is_some_and(|evidence| evidence.ahead)
    }

    fn evidence(&mut self) -> &mut Evidence {
        self.evidence.get_or_insert_default()
    }
}

/// The most URLs of one sort in the evidence of a finding.
pub(crate) const SAMPLE: usize = 10;

fn some(urls: impl Iterator<Item = UrlNo>) -> Box<[UrlNo]> {
    urls.take(SAMPLE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::check;
    use crate::site::builder::{builder, url};

    #[test]
    fn a_file_affects_the_pages_that_use_it_and_a_page_itself() {
        let site = builder()
            .page("/", "<title>a</title><img src=/chair.png alt=''><a href=/b>b</a><a href=/c>c</a>")
            .page("/b", "<title>b</title><img src=/chair.png alt=''><a href=/c>c</a>")
            .links("/c", &["/"])
            .external("http://example.com/chair.png", 404)
            .site();
        let affected =
            |code: &str, path: &str| Finding::of(check(code), site.urls.number(&url(path)).unwrap()).affected(&site);
        assert_eq!(affected("resource-broken", "/chair.png"), 2);
        assert_eq!(affected("title-short", "/c"), 1, "two pages link it, and its title is its own");
        let group = Finding::group(check("dup-title"), vec![1, 2, 3]);
        assert_eq!((group.affected(&site), group.affecting(312).affected(&site)), (3, 312));
    }
}
