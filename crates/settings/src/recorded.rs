//! What a record keeps of the settings of a run, so that it can go on as it was begun.

use crate::chosen::{Layer, Written};
use crate::definition::{CommandKind, Definition, Section, definitions};
use crate::error::Place;
use std::collections::BTreeMap;

/// The values that were chosen for a crawl, by key; secrets only by name. What has its default is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded(pub BTreeMap<String, Vec<String>>);

/// One option whose value is another than it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its key, `crawl.max-depth`.
    pub key: String,
    /// What it was, as written; empty for the default.
    pub before: String,
    /// What it is, as written; empty for the default.
    pub now: String,
}

/// Stands for a secret.
const HIDDEN: &str = "(secret)";

impl Recorded {
    pub(crate) fn of<'d>(values: impl Iterator<Item = (&'d Definition, &'d [Written])>) -> Self {
        let chosen = |(definition, written): &(&Definition, &[Written])| {
            shapes_a_crawl(definition) && written.iter().any(|value| value.place != Place::Default)
        };
        let text = |definition: &Definition, written: &Written| {
            if definition.secret { HIDDEN.to_owned() } else { written.text.clone() }
        };
        let entry = |(definition, written): (&Definition, &[Written])| {
            (definition.key(), written.iter().map(|value| text(definition, value)).collect())
        };
        Self(values.filter(chosen).map(entry).collect())
    }

    /// The layer that stands for it. Secrets are not in it.
    pub(crate) fn layer(&self) -> Layer {
        let written = |text: &String| Written { text: text.clone(), place: Place::Record };
        definitions()
            .filter(|definition| !definition.secret)
            .filter_map(|definition| {
                Some((definition.field, self.0.get(&definition.key())?.iter().map(written).collect()))
            })
            .collect()
    }

    /// The options that have another value in `now`. A secret differs where it is there in one alone.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<Difference> {
        let joined = |values: Option<&Vec<String>>| values.map(|values| values.join(", ")).unwrap_or_default();
        let keys = definitions().map(Definition::key);
        keys.map(|key| {
            let (before, now) = (joined(self.0.get(&key)), joined(now.0.get(&key)));
            Difference { key, before, now }
        })
        .filter(|difference| difference.before != difference.now)
        .collect()
    }

    /// Secrets that were given when the run began, by the names of their flags.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let given = definitions().filter(|definition| definition.secret && self.0.contains_key(&definition.key()));
        given.map(Definition::name).collect()
    }
}

/// What belongs to a crawl, and not to the words it is told in or to the way it is begun.
fn shapes_a_crawl(definition: &Definition) -> bool {
    let words = definition.section == Section::Output && definition.field != "out";
    definition.audience.includes(CommandKind::Resume) && !words
}
