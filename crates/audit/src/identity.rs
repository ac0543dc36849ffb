//! The identity of findings, by which they are recognised from run to run and in a baseline.

use crate::check::{Check, Identity};
use crate::finding::{Finding, SubjectIds};
use crate::site::{MissingFragments, Site, TextOrder, UrlNo};
use mapwright_store::FindingRow;
use mapwright_web::KeyMaker;
use std::borrow::Cow;

/// One part of a finding's subject, with a history of its own: each URL of a group, each element that a page lacks. So
/// a group that loses a member is not a new finding, and one that gains a member has a new part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part<'s> {
    /// The subject as one text.
    subject: Cow<'s, str>,
    /// The URL, if the text is one.
    url: Option<UrlNo>,
    /// The other URL involved; empty without one.
    target: &'s str,
}

impl Part<'_> {
    pub(crate) fn subject(&self) -> &str {
        &self.subject
    }

    /// Returns the key of this part of a finding with this code in the record.
    pub(crate) fn key(&self, keys: KeyMaker, check: &Check) -> i64 {
        keys.hash([check.code, &self.subject, self.target].join("\n").as_bytes()).cast_signed()
    }

    pub(crate) fn row(&self, keys: KeyMaker, check: &Check) -> FindingRow {
        let subject = self.url.is_none().then(|| self.subject.clone().into_owned());
        FindingRow { key: self.key(keys, check), code: check.code.to_owned(), url: self.url, subject }
    }
}

/// Returns the parts of a finding: one, or each URL of a group, or each element that a page lacks.
pub(crate) fn parts<'s>(site: &'s Site, finding: &'s Finding) -> Vec<Part<'s>> {
    let of_url = |url: UrlNo, target| Part { subject: site.text(url).into(), url: Some(url), target };
    let identity = finding.check.attributes.identity;
    match &finding.about {
        SubjectIds::Url(url) if identity == Identity::Elements => {
            let names = site.missing_fragments.get(url).into_iter().flat_map(MissingFragments::names);
            let element = |name: &str| format!("{}#{name}", site.text(*url)).into();
            names.map(|name| Part { subject: element(name), url: None, target: "" }).collect()
        }
        SubjectIds::Url(url) if identity == Identity::Subject => vec![of_url(*url, "")],
        SubjectIds::Url(url) => {
            let target = finding.evidence.as_ref().and_then(|evidence| evidence.target);
            vec![of_url(*url, target.map_or("", |target| site.text(target)))]
        }
        SubjectIds::Group(urls) => urls.iter().map(|url| of_url(*url, "")).collect(),
        SubjectIds::Site | SubjectIds::Pattern(_) => {
            vec![Part { subject: subject(site, finding).into(), url: None, target: "" }]
        }
    }
}

/// Returns the place of a finding among others of its kind, in the order of the texts of their subjects. A text that is no
/// URL comes after the URLs that are less.
pub(crate) fn place(order: &TextOrder<'_>, site: &Site, finding: &Finding) -> (u32, Option<Box<str>>) {
    match &finding.about {
        SubjectIds::Url(url) => (order.of_url(*url), None),
        SubjectIds::Group(urls) => (urls.iter().map(|url| order.of_url(*url)).min().unwrap_or_default(), None),
        SubjectIds::Site => (site.starts.first().map_or(0, |start| order.of_url(*start)), None),
        SubjectIds::Pattern(pattern) => (order.before_text(pattern), Some(pattern.clone())),
    }
}

/// Returns the subject of a finding as one text: of a group the first URL.
pub(crate) fn subject<'s>(site: &'s Site, finding: &'s Finding) -> &'s str {
    match &finding.about {
        SubjectIds::Url(url) => site.text(*url),
        SubjectIds::Group(urls) => urls.iter().map(|url| site.text(*url)).min().unwrap_or_default(),
        SubjectIds::Site => site.starts.first().map_or("", |start| site.text(*start)),
        SubjectIds::Pattern(pattern) => pattern,
    }
}
