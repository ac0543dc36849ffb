//! The options page.

use crate::commands::CommandKind;
use crate::definition::Definition;
use crate::field::Arity;
use crate::kind::ValueKind;
use crate::section::Section;

const HEAD: &str = "\
# Options

Every option can be given as a flag, as a variable of the environment, or as a key of a configuration file. Flags
override variables, variables override the file, the file overrides the defaults; `mapwright config show` shows which
value holds and where it came from.

- **The file** is TOML, one table a section. It is read where `--config FILE` or `MAPWRIGHT_CONFIG` names it. Where neither
  does, `serve`, `run`, `jobs` and `config` read `mapwright.toml` in the working directory, as does `--job` of the
  commands that ask a record; `crawl`, `audit` and all others read no file.
  `mapwright config init` writes one with every option commented; `mapwright config check` reads one and reports what is
  wrong. A key that no option has is an error. Relative paths start at the working directory.
- **Jobs** have tables of their own, `[job.NAME]`, with the keys of `[job]`, and in them tables named like the sections
  (`[job.NAME.crawl]`) for what one job has other than the sections say; variables and flags override these too.
- **Variables**: one that begins with `MAPWRIGHT_` and names no option gives a warning; an empty one counts as not set.
- **Switches** are flags without a value; in the file and in variables they are `true` or `false`.
- **Lists**: the flag may be repeated; in the file a list is an array. In one text, values are separated by newlines,
  and by commas too unless a value may hold one (regular expressions, selectors, headers, URLs, receivers, places,
  files). A list that is set replaces the one of the layer below.
- **Nothing**: an option that need not be set is switched off by an empty value (`--proxy ''`, `proxy = \"\"`).
- **Times** are `30`, `30s`, `500ms`, `2m`, `2h`, `1d`; no unit means seconds.
- **Sizes** are `1048576`, `10MB` (10,000,000 bytes), `10MiB` (10,485,760 bytes), with units up to `TB` and `TiB`.
- **Secrets** are never printed and never stored. Prefer the file or a variable: flags can be seen by other users of the
  machine.

This page is made from the definitions in `crates/settings`; do not edit it.
";

/// The text of `docs/options.md`.
pub fn options_page() -> String {
    let mut text = HEAD.to_owned();
    for section in Section::ALL {
        text.push_str(&format!("\n## {}: `[{}]`\n\n{}\n", section.title(), section.name(), section.about()));
        for definition in section.definitions() {
            text.push_str(&entry(definition));
        }
    }
    text
}

fn entry(definition: &Definition) -> String {
    format!(
        "\n### `{}`\n\n{}\n\n{} · `{}` · `{}` in `[{}]` · taken by {}{}\n",
        usage(definition),
        definition.paragraphs().join("\n\n"),
        default(definition),
        definition.variable(),
        definition.name(),
        definition.section.name(),
        commands(definition),
        if definition.secret { " · a secret" } else { "" },
    )
}

fn usage(definition: &Definition) -> String {
    let short = definition.short.map(|short| format!("-{short}, ")).unwrap_or_default();
    let value = match definition.kind.value_name() {
        name if name.is_empty() => name,
        name => format!(" {name}"),
    };
    let repeated = if definition.arity == Arity::Many { " …" } else { "" };
    format!("{short}--{}{value}{repeated}", definition.name())
}

fn default(definition: &Definition) -> String {
    match (definition.kind, definition.default) {
        (_, "") => "Not set by default".to_owned(),
        (ValueKind::Switch, _) => "Off by default".to_owned(),
        (_, default) => format!("Default `{default}`"),
    }
}

fn commands(definition: &Definition) -> String {
    let taken = CommandKind::ALL.into_iter().filter(|(kind, _)| definition.commands.includes(*kind));
    taken.map(|(_, name)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
