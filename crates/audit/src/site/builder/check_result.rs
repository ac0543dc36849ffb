//! The findings about a built site, as text that tests can compare.

use crate::checks::check;
use crate::finding::{Evidence, Finding, SubjectIds};
use crate::site::{Site, UrlNo};

/// The findings about a built site.
pub(crate) struct CheckResult<'s> {
    site: &'s Site,
    found: Vec<Finding>,
}

impl Site {
    /// Runs one check, and returns its findings.
    pub(crate) fn run_check(&self, find: impl Fn(&Site, &mut Vec<Finding>)) -> CheckResult<'_> {
        let mut found = Vec::new();
        find(self, &mut found);
        CheckResult { site: self, found }
    }
}

impl CheckResult<'_> {
    /// Returns the subjects of findings of this kind, sorted: paths, those of a group separated by blanks, a pattern,
    /// or `the site`.
    pub(crate) fn of(&self, code: &str) -> Vec<String> {
        check(code);
        let mut subjects: Vec<String> =
            self.found.iter().filter(|one| one.check.code == code).map(|one| self.subject(one)).collect();
        subjects.sort();
        subjects
    }

    /// Returns true if nothing was found.
    pub(crate) fn is_nothing(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns the message of the first finding of this kind.
    pub(crate) fn message(&self, code: &str) -> String {
        self.evidence(code).message.map_or_else(|| check(code).reason.to_owned(), Into::into)
    }

    /// Returns the final target in the first finding of this kind.
    pub(crate) fn target(&self, code: &str) -> String {
        self.evidence(code).target.map_or_else(String::new, |url| self.short(url))
    }

    /// Returns the chain of URLs in the first finding of this kind.
    pub(crate) fn chain(&self, code: &str) -> String {
        self.shorts(&self.evidence(code).chain)
    }

    /// Returns the sitemaps in the first finding of this kind.
    pub(crate) fn sitemaps(&self, code: &str) -> String {
        self.shorts(&self.evidence(code).sitemaps)
    }

    /// Returns the pages through which the subject of the first finding of this kind was reached.
    pub(crate) fn entrances(&self, code: &str) -> String {
        self.shorts(&self.evidence(code).entrances)
    }

    /// Returns the example URLs in the first finding of this kind.
    pub(crate) fn examples(&self, code: &str) -> String {
        self.shorts(&self.evidence(code).examples)
    }

    fn evidence(&self, code: &str) -> Evidence {
        let first = self.found.iter().find(|one| one.check.code == code);
        first.unwrap_or_else(|| panic!("no {} was found", code)).evidence.as_deref().cloned().unwrap_or_default()
    }

    fn subject(&self, finding: &Finding) -> String {
        match &finding.about {
            SubjectIds::Url(url) => self.short(*url),
            SubjectIds::Group(urls) => self.shorts(urls),
            SubjectIds::Site => "the site".to_owned(),
            SubjectIds::Pattern(pattern) => pattern.to_string(),
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
