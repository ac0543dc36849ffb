//! The generated files are those in the repository. `UPDATE_GENERATED=1 cargo test -p mapwright-settings` writes them.

use crate::support::file;
use mapwright_settings::{CommandKind, arguments, definitions, example_file, options_page};
use std::collections::HashSet;
use std::path::Path;

fn check(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "{name} is not what the options make it: run UPDATE_GENERATED=1 cargo test -p mapwright-settings"
    );
}

#[test]
fn the_example_file_is_current() {
    check("config/mapwright.toml", &example_file());
}

#[test]
fn the_options_page_is_current() {
    check("docs/options.md", &options_page());
}

/// The example with its options uncommented.
fn uncommented() -> String {
    let is_option = |line: &&str| line.starts_with('#') && !line.starts_with("# ") && *line != "#";
    let line = |line: &str| if is_option(&line) { line[1..].to_owned() } else { line.to_owned() };
    example_file().lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_sets_nothing() {
    assert_eq!(file(&example_file()).unwrap().settings, file("").unwrap().settings);
}

#[test]
fn every_option_of_the_example_can_be_uncommented() {
    let origins = file(&uncommented()).unwrap().origins;
    assert!(origins.iter().all(|o| matches!(o.set_at, mapwright_settings::SettingSource::File { .. })), "{origins:#?}");
}

#[test]
fn uncommenting_a_default_changes_nothing() {
    let keep: HashSet<String> = definitions().filter(|d| d.default.is_empty()).map(|d| d.name()).collect();
    let is_example = |line: &&str| line.split_once(" = ").is_some_and(|(key, _)| keep.contains(key));
    let text: Vec<String> = uncommented().lines().filter(|line| !is_example(line)).map(str::to_owned).collect();
    assert_eq!(file(&text.join("\n")).unwrap().settings, file("").unwrap().settings);
}

#[test]
fn every_option_has_one_name_and_a_help_text() {
    let names: HashSet<String> = definitions().map(|d| d.name()).collect();
    assert_eq!(names.len(), definitions().count());
    let shorts: Vec<char> = definitions().filter_map(|d| d.short).collect();
    assert_eq!(shorts.len(), shorts.iter().collect::<HashSet<_>>().len());
    for definition in definitions() {
        let paragraphs = definition.paragraphs();
        assert!(paragraphs.iter().all(|text| text.ends_with('.')), "{}: {paragraphs:?}", definition.name());
    }
}

#[test]
fn every_command_takes_its_options_and_no_others() {
    let names = |kind| arguments(kind).iter().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>().join(" ");
    let taken: Vec<String> = CommandKind::ALL.iter().map(|(kind, name)| format!("{name}: {}", names(*kind))).collect();
    insta::assert_snapshot!(taken.join("\n"));
}
