//! The layer of `MAPWRIGHT_…` variables.

use crate::arguments::CONFIG_VARIABLE;
use crate::definition::VARIABLE_PREFIX;
use crate::definitions::definitions;
use crate::error::{SettingSource, quoted};
use crate::field::SourcedText;
use crate::nearest::nearest;
use crate::resolved_settings::{Layer, split};
use std::collections::HashMap;

/// Returns the layer of the environment, and a warning for each `MAPWRIGHT_…` variable that names no option. An empty
/// variable counts as not set.
pub(crate) fn layer(environment: &HashMap<String, String>) -> (Layer, Vec<String>) {
    let known: HashMap<String, _> = definitions().map(|d| (d.variable(), d)).collect();
    let mut ours: Vec<_> = environment.iter().filter(|(name, _)| name.starts_with(VARIABLE_PREFIX)).collect();
    ours.sort();
    let mut layer = Layer::new();
    let mut warnings = Vec::new();
    for (name, value) in ours {
        match known.get(name) {
            Some(definition) if !value.is_empty() => {
                let set_at = SettingSource::Variable(name.clone());
                let written =
                    split(definition, value).into_iter().map(|text| SourcedText { text, set_at: set_at.clone() });
                layer.insert(definition.field, written.collect());
            }
            Some(_) => {}
            None if name == CONFIG_VARIABLE => {}
            None => warnings.push(unknown(name, known.keys())),
        }
    }
    (layer, warnings)
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> String {
    // The shared prefix is not compared, because it would make every name look near.
    let own = |name: &'a str| name.strip_prefix(VARIABLE_PREFIX).unwrap_or(name);
    let mut names: Vec<&str> = known.map(String::as_str).chain([CONFIG_VARIABLE]).map(own).collect();
    names.sort_unstable();
    let hint = match nearest(name.strip_prefix(VARIABLE_PREFIX).unwrap_or(name), names) {
        Some(meant) => format!("did you mean {VARIABLE_PREFIX}{meant}?"),
        None => "`mapwright config show` lists all options".to_owned(),
    };
    format!("{} names no option and is ignored: environment: {hint}", quoted(name))
}
