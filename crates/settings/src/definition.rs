//! The definition of an option: the single source of its flag, variable, key, help and default.

use crate::commands::OptionCommands;
use crate::field::Arity;
use crate::kind::ValueKind;
use crate::section::Section;

/// One option.
#[derive(Debug)]
pub struct Definition {
    /// The table of the configuration file that holds it.
    pub section: Section,
    /// Its field in the section, in snake case.
    pub field: &'static str,
    /// The kind of its values.
    pub kind: ValueKind,
    /// The number of values that it holds.
    pub arity: Arity,
    /// Its default, as a user would write it; empty if there is none.
    pub default: &'static str,
    /// Its help, as written at its field: paragraphs are separated by an empty line; the first one is the short help.
    pub(crate) help: &'static str,
    /// Its short flag.
    pub short: Option<char>,
    /// Its value must not be printed or stored.
    pub secret: bool,
    /// The commands that take it.
    pub commands: OptionCommands,
}

impl Definition {
    /// The long flag without dashes, which is also the key in the file: `max-depth`.
    pub fn name(&self) -> String {
        self.field.replace('_', "-")
    }

    /// The environment variable: `MAPWRIGHT_MAX_DEPTH`.
    pub fn variable(&self) -> String {
        format!("{VARIABLE_PREFIX}{}", self.field.to_ascii_uppercase())
    }

    /// The key in the file with its section: `crawl.max-depth`.
    pub fn key(&self) -> String {
        format!("{}.{}", self.section.name(), self.name())
    }

    /// The help text, one string a paragraph, without line breaks.
    pub fn paragraphs(&self) -> Vec<String> {
        let trimmed: Vec<&str> = self.help.lines().map(str::trim).collect();
        trimmed.split(|line| line.is_empty()).map(|lines| lines.join(" ")).filter(|text| !text.is_empty()).collect()
    }
}

/// The prefix of mapwright's environment variables.
pub(crate) const VARIABLE_PREFIX: &str = "MAPWRIGHT_";
