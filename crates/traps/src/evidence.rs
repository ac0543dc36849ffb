//! The evidence for the role of a parameter, from pages with and without it.

/// The role of a URL parameter (the terms of Google's former parameter tool).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The page is the same with and without it: a session, a referrer.
    NoEffect,
    /// The page holds the same items in another order.
    Sorts,
    /// The page holds some of the items of the page without it.
    Narrows,
    /// It decides what the page is: the default.
    Specifies,
}

impl Role {
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
pub enum Comparison {
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Pages equal to those without the parameter.
    pub equal: u32,
    /// Pages with the same items in another order.
    pub sorted: u32,
    /// Pages with some of the items.
    pub subset: u32,
    /// Pages with other content: counter-examples.
    pub differs: u32,
}

impl Evidence {
    /// Adds a comparison.
    pub fn add(&mut self, comparison: Comparison) {
        let count = match comparison {
            Comparison::Equal => &mut self.equal,
            Comparison::Sorted => &mut self.sorted,
            Comparison::Subset => &mut self.subset,
            Comparison::Differs => &mut self.differs,
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
    pub fn role(&self, name: &str) -> Option<Role> {
        let harmless = self.equal.saturating_add(self.sorted);
        match () {
            () if self.differs > 0 => Some(Role::Specifies),
            () if !Self::is_enough(harmless.saturating_add(self.subset), name) => None,
            () if self.subset > 0 => Some(Role::Narrows),
            () if self.sorted > 0 => Some(Role::Sorts),
            () => Some(Role::NoEffect),
        }
    }
}

/// The number of URL patterns with one role of a parameter from which on the role is assumed for the entire site: for a
/// well-known name, and for any other.
const PATTERNS: u32 = 2;
const PATTERNS_OF_UNKNOWN: u32 = 3;

/// The evidence about a parameter from all URL patterns of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OnSite {
    /// The number of patterns in which it changes at most the order.
    pub patterns: u32,
    /// There is a counter-example.
    pub contradicted: bool,
}

impl OnSite {
    /// The role of a parameter in one pattern, by the `evidence` there, else by that of other patterns.
    #[must_use]
    pub fn role(&self, evidence: &Evidence, name: &str) -> Option<Role> {
        evidence.role(name).or_else(|| self.believed(evidence, name))
    }

    /// The role that other patterns prove; `evidence` is that of the pattern itself.
    #[must_use]
    pub fn believed(&self, evidence: &Evidence, name: &str) -> Option<Role> {
        let seen = evidence.equal.saturating_add(evidence.sorted) > 0;
        let enough = if is_known(name) { PATTERNS } else { PATTERNS_OF_UNKNOWN } - u32::from(seen);
        let is_believed = !self.contradicted && self.patterns >= enough;
        is_believed.then_some(if evidence.sorted > 0 { Role::Sorts } else { Role::NoEffect })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str, comparisons: &[Comparison]) -> Option<Role> {
        let mut evidence = Evidence::default();
        comparisons.iter().for_each(|comparison| evidence.add(*comparison));
        evidence.role(name)
    }

    #[test]
    fn a_role_needs_several_comparisons_and_fewer_for_a_known_name() {
        use Comparison::{Differs, Equal, Sorted, Subset};
        assert_eq!(role("x", &[Equal, Equal]), None);
        assert_eq!(role("sid", &[Equal, Equal]), Some(Role::NoEffect));
        assert_eq!(role("sid", &[Equal]), None, "a name decides nothing");
        assert_eq!(role("x", &[Equal, Sorted, Equal]), Some(Role::Sorts));
        assert_eq!(role("x", &[Subset, Sorted, Equal]), Some(Role::Narrows));
        assert_eq!(
            role("sid", &[Equal, Equal, Equal, Differs]),
            Some(Role::Specifies),
            "a counter-example withdraws it"
        );
    }
}
