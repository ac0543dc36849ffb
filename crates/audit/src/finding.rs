//! A finding in compact form: numbers instead of texts, because there may be millions.

use crate::check::Check;
use crate::site::UrlNo;

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
    pub message: Option<String>,
    /// URLs on the way, first to last.
    pub chain: Vec<UrlNo>,
    /// The other URL involved, such as a final target.
    pub target: Option<UrlNo>,
    /// Sitemap files.
    pub sitemaps: Vec<UrlNo>,
    /// Pages through which the subject was reached.
    pub entrances: Vec<UrlNo>,
    /// Example URLs of a pattern.
    pub examples: Vec<UrlNo>,
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
        self.evidence().message = Some(message.into());
        self
    }

    /// Sets the URLs on the way, first to last.
    #[must_use]
    pub fn through(mut self, chain: Vec<UrlNo>) -> Self {
        self.evidence().chain = chain;
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

    fn evidence(&mut self) -> &mut Evidence {
        self.evidence.get_or_insert_default()
    }
}

/// The most URLs of one sort in the evidence of a finding.
pub(crate) const SAMPLE: usize = 10;

fn some(urls: impl Iterator<Item = UrlNo>) -> Vec<UrlNo> {
    urls.take(SAMPLE).collect()
}
