//! The attributes that set a check apart from others, for the parts of an audit that treat its findings differently.

use mapwright_verdict::Reason;

/// The attributes that set a check apart from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attributes {
    /// Its URLs are broken (`--max-broken`).
    pub(crate) is_broken: bool,
    /// It says that robots.txt disallows something, which a run that ignores robots.txt cannot confirm.
    pub(crate) is_about_robots: bool,
    /// The part of a page beyond the bytes that were read may refute it.
    pub(crate) rest_may_refute: bool,
    /// Its subject may be a soft 404 instead, as long as the site does not answer the probe of a name that cannot exist.
    pub(crate) may_be_soft_404: bool,
    /// The basis of its findings.
    pub(crate) rests_on: RestsOn,
    /// The reason for which a URL may stay unrequested, and the finding about it be confirmed or refuted all the same.
    pub(crate) unrequested: Unrequested,
    /// The parts of a finding that identify it from run to run.
    pub(crate) identity: Identity,
    /// The links that are part of the evidence.
    pub(crate) links: LinkEvidence,
    /// The confidence in its findings.
    pub(crate) confidence: Confidence,
    /// The treatment of pages that the verdict leaves out.
    pub(crate) left_out: LeftOut,
}

impl Attributes {
    /// The attributes of most checks.
    pub(crate) const NONE: Self = Self {
        is_broken: false,
        is_about_robots: false,
        rest_may_refute: false,
        may_be_soft_404: false,
        rests_on: RestsOn::Subject,
        unrequested: Unrequested::Never,
        identity: Identity::SubjectAndTarget,
        links: LinkEvidence::ByTopic,
        confidence: Confidence::Certain,
        left_out: LeftOut::Count,
    };

    /// The attributes of most checks of what search engines take from a page. They list another page in place of one
    /// that the verdict leaves out.
    pub(crate) const OF_LISTED: Self = Self { left_out: LeftOut::Void, ..Self::NONE };
}

/// The treatment of pages that the verdict leaves out because other pages stand for them: further pages of lists,
/// duplicates, variants, forms, pages of crawl traps, soft 404s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftOut {
    /// They count like all pages.
    Count,
    /// They do not count: a finding needs another page.
    Void,
    /// Only duplicates count: the likeness for which they are left out is the finding.
    VoidExceptDuplicates,
}

impl LeftOut {
    /// Returns true if a page that is left out for this reason does not count.
    pub(crate) fn voids(self, reason: Option<Reason>) -> bool {
        match reason {
            Some(Reason::Duplicate) => self == Self::Void,
            Some(reason) => self != Self::Count && reason.is_judgement(),
            None => false,
        }
    }
}

/// The confidence in the findings of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confidence {
    /// They follow from what was seen.
    Certain,
    /// They are estimated, by likeness or by a threshold.
    Estimated,
}

/// The basis of a finding. Pages that a run did not read may have decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RestsOn {
    /// The subject itself.
    Subject,
    /// A link to the subject, of any sort.
    Links,
    /// Missing links to the subject: with one link more, the finding is gone or another one.
    MissingLinks,
    /// Missing links, and a redirect to the subject.
    Redirect,
    /// Missing links on any path to the subject.
    Clicks,
    /// A duplicate of the subject.
    Likeness,
}

impl RestsOn {
    /// Returns true if a further link could refute the finding.
    pub(crate) fn is_missing_links(self) -> bool {
        matches!(self, Self::MissingLinks | Self::Redirect | Self::Clicks)
    }
}

/// The reason for which a URL may stay unrequested, and a finding about it be confirmed or refuted all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unrequested {
    /// None.
    Never,
    /// robots.txt disallows it.
    Blocked,
    /// It lies out of scope.
    OutOfScope,
    /// All links to it say nofollow.
    Nofollow,
}

/// The parts of a finding about one URL that identify it from run to run, beside its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The URL and the other URL involved.
    SubjectAndTarget,
    /// The URL alone, because the fix does not depend on the other one.
    Subject,
    /// Each element that the page lacks.
    Elements,
}

/// The links to its subject that are evidence of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkEvidence {
    /// Shown, also among very many findings where the topic is about links.
    ByTopic,
    /// Shown, except among very many findings.
    Aside,
    /// None: the finding says that no page links to its subject. Canonicals and alternates are not links.
    NoLinks,
}
