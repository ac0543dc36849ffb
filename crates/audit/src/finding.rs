//! A finding as it is made: numbers instead of texts, since there may be millions.

use crate::code::Code;
use crate::site::UrlNo;

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// One URL.
    Url(UrlNo),
    /// URLs that belong together.
    Group(Box<[UrlNo]>),
    /// The site as a whole.
    Site,
    /// A pattern of URLs.
    Pattern(Box<str>),
}

/// Evidence beyond the subject and who links to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// What is wrong here, in one sentence; the reason of the code says it otherwise.
    pub message: Option<String>,
    /// URLs on the way, first to last.
    pub chain: Vec<UrlNo>,
    /// The other URL that it is about.
    pub target: Option<UrlNo>,
    /// Sitemap files.
    pub sitemaps: Vec<UrlNo>,
    /// Pages through which it was reached.
    pub entrances: Vec<UrlNo>,
    /// URLs that show a pattern.
    pub examples: Vec<UrlNo>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub code: Code,
    /// What it is about.
    pub about: About,
    /// Evidence, where there is any: most findings need none.
    pub evidence: Option<Box<Evidence>>,
}

impl Finding {
    /// A finding about one URL.
    #[must_use]
    pub fn of(code: Code, url: UrlNo) -> Self {
        Self { code, about: About::Url(url), evidence: None }
    }

    /// A finding about URLs that belong together.
    #[must_use]
    pub fn group(code: Code, urls: Vec<UrlNo>) -> Self {
        Self { code, about: About::Group(urls.into()), evidence: None }
    }

    /// A finding about the site as a whole.
    #[must_use]
    pub fn site(code: Code) -> Self {
        Self { code, about: About::Site, evidence: None }
    }

    /// A finding about a pattern of URLs.
    #[must_use]
    pub fn pattern(code: Code, pattern: &str) -> Self {
        Self { code, about: About::Pattern(pattern.into()), evidence: None }
    }

    /// Says what is wrong here.
    #[must_use]
    pub fn says(mut self, message: impl Into<String>) -> Self {
        self.evidence().message = Some(message.into());
        self
    }

    /// Names the URLs on the way.
    #[must_use]
    pub fn through(mut self, chain: Vec<UrlNo>) -> Self {
        self.evidence().chain = chain;
        self
    }

    /// Names the other URL that it is about.
    #[must_use]
    pub fn to(mut self, target: UrlNo) -> Self {
        self.evidence().target = Some(target);
        self
    }

    /// Names sitemap files.
    #[must_use]
    pub fn in_sitemaps(mut self, files: &[UrlNo]) -> Self {
        self.evidence().sitemaps = some(files.iter().copied());
        self
    }

    /// Names pages through which it was reached.
    #[must_use]
    pub fn entered_from(mut self, pages: impl IntoIterator<Item = UrlNo>) -> Self {
        self.evidence().entrances = some(pages.into_iter());
        self
    }

    /// Names URLs that show a pattern.
    #[must_use]
    pub fn shown_by(mut self, urls: impl IntoIterator<Item = UrlNo>) -> Self {
        self.evidence().examples = some(urls.into_iter());
        self
    }

    fn evidence(&mut self) -> &mut Evidence {
        self.evidence.get_or_insert_default()
    }
}

/// URLs of one sort that are named as evidence, at most.
pub(crate) const SAMPLE: usize = 10;

fn some(urls: impl Iterator<Item = UrlNo>) -> Vec<UrlNo> {
    urls.take(SAMPLE).collect()
}
