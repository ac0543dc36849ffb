//! The form of a job's settings, made from the definitions of the options.

use crate::text::shown;
use mapwright_settings::{Arity, Definition, Section, ShownValues, ValueKind, job_definitions};
use std::collections::BTreeMap;

/// The fields of one section.
pub(crate) struct FormSection {
    pub(crate) title: &'static str,
    pub(crate) name: &'static str,
    /// The section is shown open: the job's own, and those with a value.
    pub(crate) is_open: bool,
    pub(crate) fields: Vec<FormField>,
}

/// One setting.
pub(crate) struct FormField {
    /// Its key with the section, which names the field.
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) help: String,
    /// The text of its value, one line for each of a list.
    pub(crate) text: String,
    /// The words to choose from; empty for a text.
    pub(crate) choices: Vec<FormChoice>,
    /// It has several values, a line each.
    pub(crate) is_list: bool,
    /// The value that applies if the job sets none.
    pub(crate) otherwise: String,
}

/// A word of a choice.
pub(crate) struct FormChoice {
    pub(crate) word: &'static str,
    pub(crate) is_chosen: bool,
}

/// Returns the sections of the form: the job's own first. `otherwise` are the values that apply without it, by key.
pub(crate) fn sections(values: &ShownValues, otherwise: &BTreeMap<String, String>) -> Vec<FormSection> {
    let mut sections: Vec<FormSection> = Vec::new();
    let (own, others): (Vec<&Definition>, Vec<&Definition>) =
        job_definitions().partition(|definition| definition.section == Section::Job);
    for definition in own.into_iter().chain(others) {
        let (name, title) = (definition.section.name(), definition.section.title());
        if sections.last().is_none_or(|section| section.name != name) {
            let is_open = definition.section == Section::Job;
            sections.push(FormSection { title, name, is_open, fields: Vec::new() });
        }
        if let Some(section) = sections.last_mut() {
            let field = field(definition, values, otherwise);
            section.is_open |= !field.text.is_empty();
            section.fields.push(field);
        }
    }
    sections
}

fn field(definition: &Definition, values: &ShownValues, otherwise: &BTreeMap<String, String>) -> FormField {
    let key = definition.key();
    let text = values.get(&key).map(|texts| texts.join("\n")).unwrap_or_default();
    let words: &'static [&'static str] = match definition.kind {
        ValueKind::Switch => &["true", "false"],
        ValueKind::Choice(words) if definition.arity != Arity::Many => words,
        _ => &[],
    };
    let choices = words.iter().map(|word| FormChoice { word, is_chosen: *word == text }).collect();
    let default = || definition.default.to_owned();
    FormField {
        name: definition.name(),
        help: definition.paragraphs().first().cloned().unwrap_or_default(),
        otherwise: shown(&otherwise.get(&key).cloned().unwrap_or_else(default)),
        is_list: definition.arity == Arity::Many,
        text: shown_lines(&text),
        choices,
        key,
    }
}

/// A text with the control characters of each line as escapes.
fn shown_lines(text: &str) -> String {
    text.lines().map(shown).collect::<Vec<_>>().join("\n")
}

/// Returns the settings of a submitted form that differ from these values.
pub(crate) fn changes(submitted: &[(String, String)], before: &ShownValues) -> ShownValues {
    let changed = job_definitions().filter_map(|definition| {
        let key = definition.key();
        let (_, text) = submitted.iter().find(|(name, _)| *name == key)?;
        let lines: Vec<String> = if definition.arity == Arity::Many {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
        } else {
            Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned).into_iter().collect()
        };
        let is_same = before.get(&key).map_or(lines.is_empty(), |before| {
            before.iter().map(|text| shown(text.trim())).eq(lines.iter().cloned())
                || (before.is_empty() && lines.is_empty())
        });
        (!is_same).then_some((key, lines))
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: &[(&str, &[&str])]) -> ShownValues {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        of.iter().map(|(key, of_key)| ((*key).to_owned(), texts(of_key))).collect()
    }

    fn submitted(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn every_setting_of_a_job_has_one_field() {
        let sections = sections(&ShownValues::new(), &BTreeMap::new());
        let keys: Vec<&str> =
            sections.iter().flat_map(|section| &section.fields).map(|field| field.key.as_str()).collect();
        assert_eq!(keys.len(), job_definitions().count());
        for key in ["job.url", "job.cron", "crawl.max-depth", "fetch.auth", "notify.to", "publish.mirror"] {
            assert!(keys.contains(&key), "{key}");
        }
        assert!(!keys.iter().any(|key| key.starts_with("serve.")), "{keys:?}");
        assert!(sections.first().is_some_and(|section| section.name == "job" && section.is_open));
        assert!(sections.iter().all(|section| section.name == "job" || !section.is_open));
    }

    #[test]
    fn fields_know_their_choices_and_what_applies_without_them() {
        let of_job = values(&[("job.task", &["audit"]), ("job.url", &["https://a.example/", "https://b.example/"])]);
        let sections = sections(&of_job, &BTreeMap::from([("job.zone".to_owned(), "Europe/Berlin".to_owned())]));
        let field =
            |key: &str| sections.iter().flat_map(|section| &section.fields).find(|field| field.key == key).unwrap();
        let task = field("job.task");
        assert_eq!(task.choices.iter().filter(|one| one.is_chosen).map(|one| one.word).collect::<Vec<_>>(), ["audit"]);
        assert_eq!(task.otherwise, "both");
        assert_eq!(field("job.zone").otherwise, "Europe/Berlin");
        assert_eq!(
            (field("job.url").text.as_str(), field("job.url").is_list),
            ("https://a.example/\nhttps://b.example/", true)
        );
    }

    #[test]
    fn only_what_differs_is_a_change() {
        let before =
            values(&[("job.cron", &["@daily"]), ("job.url", &["https://a.example/"]), ("fetch.auth", &["(secret)"])]);
        let form = submitted(&[
            ("job.cron", "@daily "),
            ("job.url", "https://a.example/\r\n\r\nhttps://b.example/\r\n"),
            ("fetch.auth", "(secret)"),
            ("crawl.max-depth", ""),
            ("crawl.max-urls", "9"),
            ("serve.listen", "0.0.0.0:1"),
            ("csrf", "x"),
        ]);
        let of_form = changes(&form, &before);
        assert_eq!(
            of_form,
            values(&[("job.url", &["https://a.example/", "https://b.example/"]), ("crawl.max-urls", &["9"])])
        );
        assert_eq!(changes(&submitted(&[("job.cron", " ")]), &before), values(&[("job.cron", &[])]));
    }
}
