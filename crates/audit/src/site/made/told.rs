//! What findings tell of a made-up site, in words that tests can compare.

use crate::code::Code;
use crate::finding::{About, Evidence, Finding};
use crate::site::{Site, UrlNo};

/// What findings tell of a made-up site.
pub(crate) struct Told<'s> {
    site: &'s Site,
    found: Vec<Finding>,
}

impl Site {
    /// What a function finds here.
    pub(crate) fn told(&self, find: impl Fn(&Site, &mut Vec<Finding>)) -> Told<'_> {
        let mut found = Vec::new();
        find(self, &mut found);
        Told { site: self, found }
    }
}

impl Told<'_> {
    /// What findings of this kind are about, sorted: paths, those of a group parted by blanks, a pattern, or `the site`.
    pub(crate) fn of(&self, code: Code) -> Vec<String> {
        let mut subjects: Vec<String> =
            self.found.iter().filter(|one| one.code == code).map(|one| self.subject(one)).collect();
        subjects.sort();
        subjects
    }

    /// Whether anything was found.
    pub(crate) fn is_nothing(&self) -> bool {
        self.found.is_empty()
    }

    /// The sentence on the first finding of this kind.
    pub(crate) fn message(&self, code: Code) -> String {
        self.evidence(code).message.unwrap_or_else(|| code.reason().to_owned())
    }

    /// Where the first finding of this kind says that its subject leads to in the end.
    pub(crate) fn target(&self, code: Code) -> String {
        self.evidence(code).target.map_or_else(String::new, |url| self.short(url))
    }

    /// The URLs on the way that the first finding of this kind tells.
    pub(crate) fn chain(&self, code: Code) -> String {
        self.shorts(&self.evidence(code).chain)
    }

    /// The sitemaps that the first finding of this kind names.
    pub(crate) fn sitemaps(&self, code: Code) -> String {
        self.shorts(&self.evidence(code).sitemaps)
    }

    /// The pages through which the subject of the first finding of this kind was reached.
    pub(crate) fn entrances(&self, code: Code) -> String {
        self.shorts(&self.evidence(code).entrances)
    }

    /// The URLs that show what the first finding of this kind means.
    pub(crate) fn examples(&self, code: Code) -> String {
        self.shorts(&self.evidence(code).examples)
    }

    fn evidence(&self, code: Code) -> Evidence {
        let first = self.found.iter().find(|one| one.code == code);
        first
            .unwrap_or_else(|| panic!("no {} was found", code.as_str()))
            .evidence
            .as_deref()
            .cloned()
            .unwrap_or_default()
    }

    fn subject(&self, finding: &Finding) -> String {
        match &finding.about {
            About::Url(url) => self.short(*url),
            About::Group(urls) => self.shorts(urls),
            About::Site => "the site".to_owned(),
            About::Pattern(pattern) => pattern.to_string(),
        }
    }

    fn shorts(&self, urls: &[UrlNo]) -> String {
        urls.iter().map(|url| self.short(*url)).collect::<Vec<_>>().join(" ")
    }

    fn short(&self, url: UrlNo) -> String {
        let text = self.site.text(url);
        text.strip_prefix("http://example.com").unwrap_or(text).to_owned()
    }
}
