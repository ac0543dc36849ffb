//! The values of parameters with which pages turned out to be the same as without the parameter.
//!
//! The pages of a site in English are the same with `?lang=en`: that says nothing about `?lang=de`. So a role that
//! keeps the content holds for the values that were compared, and for all others once several values agree. An
//! identifier, such as a session, is no choice: one speaks for all.

use crate::evidence::ComparisonCounts;
use crate::parameter::Parameter;
use crate::variant::VariantParameter;
use std::collections::{HashMap, HashSet};

/// The most parameters whose values are remembered; of others, no value counts as compared.
const MAX_PARAMETERS: usize = 10_000;
/// The most values of one parameter that are remembered.
const MAX_VALUES: usize = 8;

/// The values that were compared, by origin and parameter.
#[derive(Debug, Default)]
pub(crate) struct TestedValues(HashMap<(String, Parameter), Tested>);

#[derive(Debug)]
enum Tested {
    /// The hashes of the values compared in this run.
    Values(HashSet<u64>),
    /// Enough for any value: an identifier was compared, or an earlier run learned the role.
    Enough,
}

impl TestedValues {
    /// Adds a parameter whose role an earlier run learned.
    pub(crate) fn recall(&mut self, on_site: (String, Parameter)) {
        if self.0.len() < MAX_PARAMETERS {
            self.0.insert(on_site, Tested::Enough);
        }
    }

    /// Adds the value of a parameter with which a page is the same, in any order of its blocks.
    pub(crate) fn add(&mut self, tested: &VariantParameter) {
        let key = tested.on_site();
        if self.0.len() >= MAX_PARAMETERS && !self.0.contains_key(&key) {
            return;
        }
        match self.0.entry(key).or_insert_with(|| Tested::Values(HashSet::new())) {
            known if tested.is_random => *known = Tested::Enough,
            Tested::Values(values) if values.len() < MAX_VALUES => drop(values.insert(tested.value)),
            Tested::Values(_) | Tested::Enough => {}
        }
    }

    /// Reports whether the comparisons say something about this value: it was compared itself, or as many other values
    /// were as a role needs comparisons.
    pub(crate) fn speak_for(&self, parameter: &VariantParameter) -> bool {
        match self.0.get(&parameter.on_site()) {
            None => false,
            Some(Tested::Enough) => true,
            Some(Tested::Values(values)) => {
                let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
                values.contains(&parameter.value) || ComparisonCounts::is_enough(count, parameter.name())
            }
        }
    }
}
