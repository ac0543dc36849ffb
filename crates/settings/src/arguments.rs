//! The command-line arguments, and the layer of flags.

use crate::commands::CommandKind;
use crate::definition::Definition;
use crate::definitions::definitions;
use crate::error::SettingSource;
use crate::field::{Arity, SourcedText};
use crate::kind::ValueKind;
use crate::resolved_settings::{Layer, split};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};

/// The flag that names the configuration file; the file itself has no such option.
pub(crate) const CONFIG_FLAG: &str = "config";
/// The variable that names the configuration file.
pub(crate) const CONFIG_VARIABLE: &str = "MAPWRIGHT_CONFIG";

/// The most used options: `-h` shows only these if a command takes many.
const USED_MOST: [&str; 22] = [
    "out",
    "state",
    "format",
    "quiet",
    "verbose",
    "concurrency",
    "max-depth",
    "max-urls",
    "max-time",
    "scope",
    "url-list",
    "include",
    "exclude",
    "user-agent",
    "header",
    "auth",
    "ignore-robots",
    "list",
    "resume",
    "from-record",
    "fail-on",
    "check-external",
];

/// The number of options from which on `-h` shows only the most used ones.
const MANY: usize = 40;

/// Returns the arguments that `command` takes, in the order of the help. If there are many, `-h` shows the most used.
///
/// Their values are checked by [`Settings::load`](crate::Settings::load), not by clap, so that a flag, a variable and
/// a key give the same error. Commands should set `args_override_self(true)`: the last of two equal flags counts.
pub fn arguments(command: CommandKind) -> Vec<Arg> {
    let taken: Vec<&Definition> = definitions().filter(|definition| definition.commands.includes(command)).collect();
    let hides = |name: &str| taken.len() >= MANY && !USED_MOST.contains(&name);
    let argument = |definition: &&Definition| argument(definition).hide_short_help(hides(&definition.name()));
    std::iter::once(config_argument(command)).chain(taken.iter().map(argument)).collect()
}

fn config_argument(command: CommandKind) -> Arg {
    let without = match command {
        CommandKind::Serve | CommandKind::Run | CommandKind::Jobs => {
            "without it (or MAPWRIGHT_CONFIG), mapwright.toml in the working directory is read"
        }
        CommandKind::Config => {
            "without it (or MAPWRIGHT_CONFIG), mapwright.toml in the working directory is read, as serve, run and jobs \
             do; crawl, audit and the other commands read no file then"
        }
        _ => "no file is read without it (or MAPWRIGHT_CONFIG)",
    };
    Arg::new(CONFIG_FLAG)
        .long(CONFIG_FLAG)
        .value_name("FILE")
        .help(format!("Read options from this file; {without}"))
        .help_heading("Configuration")
}

fn argument(definition: &Definition) -> Arg {
    let name = definition.name();
    let action = match (definition.kind, definition.arity) {
        (ValueKind::Switch, _) => ArgAction::SetTrue,
        (ValueKind::Level { .. }, _) => ArgAction::Count,
        (_, Arity::Many) => ArgAction::Append,
        _ => ArgAction::Set,
    };
    let takes_value = action.takes_values();
    let mut argument = Arg::new(name.clone())
        .long(name)
        .action(action)
        .help(help(definition, 1))
        .long_help(help(definition, usize::MAX))
        .help_heading(definition.section.title());
    if let Some(short) = definition.short {
        argument = argument.short(short);
    }
    if takes_value {
        argument = argument.value_name(definition.kind.value_name()).allow_negative_numbers(true);
    }
    argument
}

/// Returns the help text, at most `paragraphs` long, and the default. A single sentence ends without a full stop.
fn help(definition: &Definition, paragraphs: usize) -> String {
    let mut texts: Vec<String> = definition.paragraphs().into_iter().take(paragraphs).collect();
    if let [only] = texts.as_mut_slice()
        && let Some(sentence) = only.strip_suffix('.')
        && !sentence.contains(". ")
    {
        *only = sentence.to_owned();
    }
    let shown = definition.kind != ValueKind::Switch && !matches!(definition.kind, ValueKind::Level { .. });
    let mut text = texts.join("\n\n");
    if shown && !definition.default.is_empty() {
        text.push_str(&format!(" [default: {}]", definition.default));
    }
    text
}

/// Returns the layer of the flags: only values that were given on the command line.
pub(crate) fn layer(matches: &ArgMatches) -> Layer {
    definitions().filter_map(|definition| Some((definition.field, given(definition, matches)?))).collect()
}

fn given(definition: &Definition, matches: &ArgMatches) -> Option<Vec<SourcedText>> {
    let name = definition.name();
    let known = matches.try_contains_id(&name).unwrap_or(false);
    if !known || matches.value_source(&name) != Some(ValueSource::CommandLine) {
        return None;
    }
    let texts: Vec<String> = match definition.kind {
        ValueKind::Switch => vec![matches.get_flag(&name).to_string()],
        ValueKind::Level { .. } => vec![matches.get_count(&name).to_string()],
        _ => matches.get_many::<String>(&name)?.flat_map(|text| split(definition, text)).collect(),
    };
    let written = texts.into_iter().map(|text| SourcedText { text, set_at: SettingSource::Flag(name.clone()) });
    Some(written.collect())
}
