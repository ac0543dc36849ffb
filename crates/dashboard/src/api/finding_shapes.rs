//! Findings as JSON.

use mapwright_audit::Severity;
use mapwright_audit::rendered_finding::{Referrer, RenderedFinding, State, Subject};
use mapwright_audit::report::json::Rule;
use serde::Serialize;
use std::slice;
use utoipa::ToSchema;

/// A check, and the number of its findings.
#[derive(Serialize, ToSchema)]
#[schema(as = Check)]
pub(super) struct CheckJson<'c> {
    code: &'static str,
    severity: Severity,
    /// The problem, in one sentence.
    reason: &'c str,
    /// The fix.
    fix: &'c str,
    count: u64,
}

impl<'c> From<&'c Rule> for CheckJson<'c> {
    fn from(rule: &'c Rule) -> Self {
        let Rule { check, severity, reason, fix, count, .. } = rule;
        Self { code: check.code, severity: *severity, reason, fix, count: *count }
    }
}

/// A finding with its evidence.
#[derive(Serialize, ToSchema)]
#[schema(as = Finding)]
pub(super) struct FindingJson<'f> {
    code: &'static str,
    severity: Severity,
    state: State,
    /// It is in the baseline.
    accepted: bool,
    /// Its URLs; the site's start URL if it is about the entire site.
    urls: &'f [String],
    /// The URL pattern that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'f str>,
    /// The problem in this case, in one sentence.
    message: &'f str,
    linked_from: Vec<ReferrerJson<'f>>,
    /// The number of pages that link there.
    #[serde(skip_serializing_if = "Option::is_none")]
    linked_from_count: Option<u64>,
    /// The URLs on the way, first to last.
    chain: &'f [String],
    /// The other URL involved.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    target: Option<&'f str>,
    /// Sitemaps that list it.
    sitemaps: &'f [String],
    /// Pages through which it was reached.
    entrances: &'f [String],
    /// Example URLs of the pattern.
    examples: &'f [String],
}

impl<'f> From<&'f RenderedFinding> for FindingJson<'f> {
    fn from(finding: &'f RenderedFinding) -> Self {
        let (urls, pattern) = match &finding.subject {
            Subject::Url(url) | Subject::Site(url) => (slice::from_ref(url), None),
            Subject::Urls(urls) => (urls.as_slice(), None),
            Subject::Pattern(pattern) => (&[][..], Some(pattern.as_str())),
        };
        Self {
            code: finding.check.code,
            severity: finding.severity,
            state: finding.state,
            accepted: finding.accepted,
            urls,
            pattern,
            message: &finding.message,
            linked_from: finding.linked_from.iter().map(ReferrerJson::from).collect(),
            linked_from_count: finding.linked_from_count,
            chain: &finding.chain,
            target: finding.target.as_deref(),
            sitemaps: &finding.sitemaps,
            entrances: &finding.entrances,
            examples: &finding.examples,
        }
    }
}

/// A page that links to the URL of a finding.
#[derive(Serialize, ToSchema)]
#[schema(as = Referrer)]
struct ReferrerJson<'r> {
    url: &'r str,
    /// The text of the link.
    anchor: &'r str,
    /// The region of the page: nav, main and so on.
    region: &'static str,
    nofollow: bool,
}

impl<'r> From<&'r Referrer> for ReferrerJson<'r> {
    fn from(referrer: &'r Referrer) -> Self {
        let Referrer { url, anchor, nofollow, .. } = referrer;
        Self { url, anchor, region: referrer.region_name(), nofollow: *nofollow }
    }
}
