//! The evidence about one parameter of the URLs of one pattern, during a crawl.
//!
//! A page that has nothing to sort, to translate or to page through is the same with and without the parameter, and is
//! no evidence about other pages. So the role that pages at one path prove holds at that path, and at other paths once
//! a second path agrees.

use crate::evidence::{ComparisonCounts, PageComparison, ParameterRole};
use crate::variant::VariantParameter;
use std::collections::{HashMap, HashSet};

/// The number of paths whose pages prove a role for the entire pattern.
const PATHS: usize = 2;
/// The same number for a parameter with small numbers as values: lists without a second page are no evidence about
/// longer lists.
const PATHS_OF_NUMBERS: usize = 4;
/// The most paths that are remembered.
const MAX_PATHS: usize = 64;

/// The evidence about one parameter of one pattern.
#[derive(Debug, Default)]
pub(crate) struct ParameterEvidence {
    pub(crate) evidence: ComparisonCounts,
    /// By the hash of a path, the number of its pages that are the same without the parameter.
    same_by_path: HashMap<u64, u32>,
    /// The paths among them whose pages have enough text to be evidence about other pages, as many as are needed.
    proving_paths: HashSet<u64>,
    /// Some of its values are small numbers.
    is_numbered: bool,
    /// Clean URLs that were requested.
    pub(crate) sampled: u32,
    /// The role that an earlier run learned, from the record.
    known: Option<ParameterRole>,
    /// The pattern counts as evidence for the entire site.
    pub(crate) is_counted: bool,
}

/// The effects of a comparison.
pub(crate) struct Change {
    /// It was believed to change nothing, and is no longer.
    pub(crate) withdraws: bool,
    /// The pattern now counts as evidence for the entire site.
    pub(crate) counts_on_site: bool,
}

impl ParameterEvidence {
    /// The evidence that starts with the role learned by an earlier run.
    pub(crate) fn recalled(role: ParameterRole) -> Self {
        Self { known: Some(role), is_counted: keeps_content(role), ..Self::default() }
    }

    /// The role of a parameter of this name on the pages at a path, or on any page of the pattern where no path is
    /// given.
    pub(crate) fn role(&self, name: &str, path: Option<u64>) -> Option<ParameterRole> {
        // A parameter that specified the page in an earlier run keeps that role: the few pages of this run may not make
        // its URLs variants.
        if self.known == Some(ParameterRole::Specifies) {
            return self.known;
        }
        let is_proven = |path| self.is_general() || self.is_proven_at(name, path);
        let own = self.evidence.role(name).filter(|role| !keeps_content(*role) || path.is_none_or(is_proven));
        own.or(self.known)
    }

    /// Adds the comparison of two pages.
    pub(crate) fn learn(&mut self, comparison: PageComparison, variant: &VariantParameter, is_thin: bool) -> Change {
        let (name, path) = (variant.name(), variant.path);
        self.is_numbered |= variant.is_numbered;
        let state = |watched: &Self| (watched.role(name, Some(path)).is_some_and(keeps_content), watched.is_counted);
        let (was_same, was_counted) = state(self);
        self.add(comparison, path, is_thin);
        let is_proven = if self.is_numbered { self.is_general() } else { !self.proving_paths.is_empty() };
        self.is_counted |= self.evidence.role(name).is_some_and(keeps_content) && is_proven;
        let (is_same, is_counted) = state(self);
        Change { withdraws: was_same && !is_same, counts_on_site: is_counted && !was_counted }
    }

    fn add(&mut self, comparison: PageComparison, path: u64, is_thin: bool) {
        self.evidence.add(comparison);
        if !matches!(comparison, PageComparison::Equal | PageComparison::Sorted) {
            return;
        }
        if self.same_by_path.len() < MAX_PATHS || self.same_by_path.contains_key(&path) {
            *self.same_by_path.entry(path).or_default() += 1;
        }
        if self.proving_paths.len() < PATHS_OF_NUMBERS && (!is_thin || comparison == PageComparison::Sorted) {
            self.proving_paths.insert(path);
        }
    }

    fn is_proven_at(&self, name: &str, path: u64) -> bool {
        self.same_by_path.get(&path).is_some_and(|same| ComparisonCounts::is_enough(*same, name))
    }

    /// Reports whether the pages of enough paths prove the role for the entire pattern.
    fn is_general(&self) -> bool {
        self.proving_paths.len() >= self.paths()
    }

    /// The number of paths that are needed for that.
    fn paths(&self) -> usize {
        if self.is_numbered { PATHS_OF_NUMBERS } else { PATHS }
    }
}

/// Reports whether URLs that differ only in a parameter of this role show the same page.
pub(crate) fn keeps_content(role: ParameterRole) -> bool {
    matches!(role, ParameterRole::NoEffect | ParameterRole::Sorts)
}
