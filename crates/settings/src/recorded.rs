//! The settings that a record stores, so that its run can be resumed with them.

use crate::commands::CommandKind;
use crate::definition::Definition;
use crate::definitions::definitions;
use crate::error::SettingSource;
use crate::field::SourcedText;
use crate::resolved_settings::Layer;
use crate::section::Section;
use std::collections::BTreeMap;

/// The values of a crawl's options, by key, without defaults; of a secret only the name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedSettings(pub BTreeMap<String, Vec<String>>);

/// One option whose value changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingDifference {
    /// Its key, `crawl.max-depth`.
    pub key: String,
    /// The old value, as written; empty for the default.
    pub before: String,
    /// The new value, as written; empty for the default.
    pub now: String,
}

/// The text that is stored instead of a secret.
const HIDDEN: &str = "(secret)";

impl RecordedSettings {
    /// Returns the values of the options that shape a crawl, without defaults.
    pub(crate) fn of<'d>(values: impl Iterator<Item = (&'static Definition, &'d [SourcedText])>) -> Self {
        let is_recorded = |(definition, written): &(&'static Definition, &'d [SourcedText])| {
            shapes_a_crawl(definition) && written.iter().any(|value| value.set_at != SettingSource::Default)
        };
        let text = |definition: &Definition, written: &SourcedText| {
            if definition.secret { HIDDEN.to_owned() } else { written.text.clone() }
        };
        let entry = |(definition, written): (&'static Definition, &'d [SourcedText])| {
            (definition.key(), written.iter().map(|value| text(definition, value)).collect())
        };
        Self(values.filter(is_recorded).map(entry).collect())
    }

    /// Returns the stored values as a layer, without the secrets.
    pub(crate) fn layer(&self) -> Layer {
        let written = |text: &String| SourcedText { text: text.clone(), set_at: SettingSource::Record };
        definitions()
            .filter(|definition| !definition.secret)
            .filter_map(|definition| {
                Some((definition.field, self.0.get(&definition.key())?.iter().map(written).collect()))
            })
            .collect()
    }

    /// Returns the options that have another value in `now`. A secret differs if only one of the two has it.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<SettingDifference> {
        let joined = |values: Option<&Vec<String>>| values.map(|values| values.join(", ")).unwrap_or_default();
        let keys = definitions().map(Definition::key);
        keys.map(|key| {
            let (before, now) = (joined(self.0.get(&key)), joined(now.0.get(&key)));
            SettingDifference { key, before, now }
        })
        .filter(|difference| difference.before != difference.now)
        .collect()
    }

    /// Returns the secrets that were given when the run began, by the names of their flags.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        let given = definitions().filter(|definition| definition.secret && self.0.contains_key(&definition.key()));
        given.map(Definition::name).collect()
    }
}

/// Returns true for an option that shapes a crawl; false for one that shapes only its output or only its start.
fn shapes_a_crawl(definition: &Definition) -> bool {
    let is_presentation = definition.section == Section::Output && definition.field != "out";
    definition.commands.includes(CommandKind::Resume) && !is_presentation
}
