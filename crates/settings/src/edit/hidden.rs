//! Hides the secrets in the text of a configuration file.

use crate::definition::Definition;
use crate::definitions::definitions;
use crate::file::SYNONYMS;
use crate::resolved_settings::shown_text;
use crate::section::Section;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// Returns a configuration file's text with each value as it is shown: secrets, and what of URLs may be secret, are
/// replaced. A text that is not TOML is replaced completely.
pub fn without_secrets(text: &str) -> String {
    let Ok(document) = DeTable::parse(text) else { return "(not TOML)\n".to_owned() };
    let mut hidden = Vec::new();
    for (key, value) in document.get_ref() {
        let section = Section::ALL.into_iter().find(|section| section.name() == key.get_ref().as_ref());
        let (Some(section), DeValue::Table(table)) = (section, value.get_ref()) else { continue };
        find(section, table, true, &mut hidden);
    }
    hidden.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut shown = text.to_owned();
    for (place, value) in hidden {
        shown.replace_range(place, &toml_edit::Value::from(value).to_string());
    }
    shown
}

/// Finds the values of a section, and in `[job]` those of each job.
fn find(section: Section, table: &DeTable<'_>, is_outer: bool, hidden: &mut Vec<(Range<usize>, String)>) {
    for (key, value) in table {
        match value.get_ref() {
            DeValue::Table(of_job) if section == Section::Job && is_outer => find(Section::Job, of_job, false, hidden),
            DeValue::Table(inner) if section == Section::Job => {
                let inner_section = Section::OF_A_JOB.into_iter().find(|one| one.name() == key.get_ref().as_ref());
                inner_section.into_iter().for_each(|section| find(section, inner, false, hidden));
            }
            _ => {
                if let Some(definition) = definition(section, key) {
                    hide(definition, value, hidden);
                }
            }
        }
    }
}

fn definition(section: Section, key: &Spanned<DeString<'_>>) -> Option<&'static Definition> {
    let written = key.get_ref().as_ref();
    let name = SYNONYMS.iter().find(|(synonym, _)| *synonym == (section, written)).map_or(written, |(_, name)| name);
    definitions().find(|definition| definition.section == section && definition.name() == name)
}

fn hide(definition: &Definition, value: &Spanned<DeValue<'_>>, hidden: &mut Vec<(Range<usize>, String)>) {
    match value.get_ref() {
        DeValue::Array(items) => items.iter().for_each(|item| hide(definition, item, hidden)),
        DeValue::String(text) => {
            let shown = shown_text(definition, text);
            if shown != text.as_ref() {
                hidden.push((value.span(), shown));
            }
        }
        // A number or a date as a password is no valid value, but would be shown.
        _ if definition.secret => hidden.push((value.span(), shown_text(definition, "?"))),
        _ => {}
    }
}
