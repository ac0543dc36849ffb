//! Loads settings as the command does, from words.

use clap::Command;
use mapwright_settings::{CommandKind, Loaded, Settings, SettingsError, arguments};

/// The input of a user: flags, variables, a file named `site.toml`.
#[derive(Default)]
pub(crate) struct SourcedText<'a> {
    pub(crate) flags: &'a [&'a str],
    pub(crate) variables: &'a [(&'a str, &'a str)],
    pub(crate) file: Option<&'a str>,
}

impl SourcedText<'_> {
    pub(crate) fn load(&self) -> Result<Loaded, SettingsError> {
        let command = Command::new("mapwright").args_override_self(true).args(arguments(CommandKind::Config));
        let matches = command.get_matches_from(["mapwright"].iter().chain(self.flags));
        let variables = self.variables.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::load(&matches, variables, self.file.map(|text| ("site.toml", text)), None)
    }
}

pub(crate) fn flags(flags: &[&str]) -> Result<Loaded, SettingsError> {
    SourcedText { flags, ..SourcedText::default() }.load()
}

pub(crate) fn variable(name: &str, value: &str) -> Result<Loaded, SettingsError> {
    SourcedText { variables: &[(name, value)], ..SourcedText::default() }.load()
}

pub(crate) fn file(text: &str) -> Result<Loaded, SettingsError> {
    SourcedText { file: Some(text), ..SourcedText::default() }.load()
}

/// The error line.
pub(crate) fn line(result: Result<Loaded, SettingsError>) -> String {
    result.expect_err("the value should be refused").to_string()
}
