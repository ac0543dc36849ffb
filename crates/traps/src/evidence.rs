//! The evidence for the role of a parameter, from pages with and without it.

use serde::Serialize;

/// The role of a URL parameter (the terms of Google's former parameter tool).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParameterRole {
    /// The page is the same with and without it: a session, a referrer.
    NoEffect,
    /// The page holds the same items in another order.
    Sorts,
    /// The page holds some of the items of the page without it.
    Narrows,
    /// It decides what the page is: the default.
    Specifies,
}

impl ParameterRole {
    /// The word used in reports and in the record.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoEffect => "no-effect",
            Self::Sorts => "sorts",
            Self::Narrows => "narrows",
            Self::Specifies => "specifies",
        }
    }
}

/// The comparison of a page with the one that its URL leads to without the parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageComparison {
    /// The same content.
    Equal,
    /// The same blocks in another order.
    Sorted,
    /// A part of the blocks of the page without the parameter.
    Subset,
    /// Other content, or no page at all.
    Differs,
}

/// The number of comparisons that prove a role; fewer are needed for a well-known name.
const ENOUGH: u32 = 3;
const ENOUGH_OF_KNOWN: u32 = 2;

/// Names of parameters that hold a session, a referrer or an order on most sites, in lower case. They only lower the
/// evidence that is needed.
const KNOWN: [&str; 24] = [
    "sid",
    "s",
    "sessid",
    "sessionid",
    "session_id",
    "phpsessid",
    "jsessionid",
    "oscsid",
    "zenid",
    "cfid",
    "cftoken",
    "token",
    "ref",
    "from",
    "source",
    "sort",
    "order",
    "orderby",
    "order_by",
    "sort_by",
    "dir",
    "c",
    "o",
    "view",
];

/// Reports whether most sites give this name to parameters without effect on the content.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name.to_ascii_lowercase().as_str())
}

/// The comparisons made so far for one parameter of one pattern.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ComparisonCounts {
    /// Pages equal to those without the parameter.
    pub equal: u32,
    /// Pages with the same items in another order.
    pub sorted: u32,
    /// Pages with some of the items.
    pub subset: u32,
    /// Pages with other content: counter-examples.
    pub differs: u32,
}

impl ComparisonCounts {
    /// Adds a comparison.
    pub fn add(&mut self, comparison: PageComparison) {
        let count = match comparison {
            PageComparison::Equal => &mut self.equal,
            PageComparison::Sorted => &mut self.sorted,
            PageComparison::Subset => &mut self.subset,
            PageComparison::Differs => &mut self.differs,
        };
        *count = count.saturating_add(1);
    }

    /// Reports whether this number of comparisons proves the role of a parameter with this name.
    #[must_use]
    pub(crate) fn is_enough(comparisons: u32, name: &str) -> bool {
        comparisons >= if is_known(name) { ENOUGH_OF_KNOWN } else { ENOUGH }
    }

    /// The role that the evidence proves for a parameter of this name; `None` until there is enough.
    #[must_use]
    pub fn role(&self, name: &str) -> Option<ParameterRole> {
        let harmless = self.equal.saturating_add(self.sorted);
        match () {
            () if self.differs > 0 => Some(ParameterRole::Specifies),
            () if !Self::is_enough(harmless.saturating_add(self.subset), name) => None,
            () if self.subset > 0 => Some(ParameterRole::Narrows),
            () if self.sorted > 0 => Some(ParameterRole::Sorts),
            () => Some(ParameterRole::NoEffect),
        }
    }
}

/// The number of URL patterns with one role of a parameter from which on the role is assumed for the entire site: for a
/// well-known name, and for any other.
const PATTERNS: u32 = 2;
const PATTERNS_OF_UNKNOWN: u32 = 3;

/// The evidence about a parameter from all URL patterns of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteEvidence {
    /// The number of patterns in which it changes at most the order.
    pub patterns: u32,
    /// There is a counter-example.
    pub contradicted: bool,
}

impl SiteEvidence {
    /// The role of a parameter in one pattern, by the `evidence` there, else by that of other patterns.
    #[must_use]
    pub fn role(&self, evidence: &ComparisonCounts, name: &str) -> Option<ParameterRole> {
        evidence.role(name).or_else(|| self.assumed_role(evidence, name))
    }

    /// The role that other patterns prove; `evidence` is that of the pattern itself.
    #[must_use]
    pub fn assumed_role(&self, evidence: &ComparisonCounts, name: &str) -> Option<ParameterRole> {
        let seen = evidence.equal.saturating_add(evidence.sorted) > 0;
        let enough = if is_known(name) { PATTERNS } else { PATTERNS_OF_UNKNOWN } - u32::from(seen);
        let is_believed = !self.contradicted && self.patterns >= enough;
        is_believed.then_some(if evidence.sorted > 0 { ParameterRole::Sorts } else { ParameterRole::NoEffect })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str, comparisons: &[PageComparison]) -> Option<ParameterRole> {
        let mut evidence = ComparisonCounts::default();
        comparisons.iter().for_each(|comparison| evidence.add(*comparison));
        evidence.role(name)
    }

    #[test]
    fn a_role_needs_several_comparisons_and_fewer_for_a_known_name() {
        use PageComparison::{Differs, Equal, Sorted, Subset};
        assert_eq!(role("x", &[Equal, Equal]), None);
        assert_eq!(role("sid", &[Equal, Equal]), Some(ParameterRole::NoEffect));
        assert_eq!(role("sid", &[Equal]), None, "a name decides nothing");
        assert_eq!(role("x", &[Equal, Sorted, Equal]), Some(ParameterRole::Sorts));
        assert_eq!(role("x", &[Subset, Sorted, Equal]), Some(ParameterRole::Narrows));
        assert_eq!(
            role("sid", &[Equal, Equal, Equal, Differs]),
            Some(ParameterRole::Specifies),
            "a counter-example withdraws it"
        );
    }
}
