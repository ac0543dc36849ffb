//! The example configuration file.

use crate::definition::Definition;
use crate::field::Arity;
use crate::section::Section;
use std::fmt::Write;

/// Columns of a comment.
const WIDTH: usize = 100;

const HEAD: &str = "\
# Configuration of mapwright: every option, with its default.
#
# Made by `mapwright config init`. A line that begins with `#` and a key shows an option as it is without this file;
# remove the `#` to set it. The file is read where --config or MAPWRIGHT_CONFIG names it; `serve`, `run` and `jobs` read
# mapwright.toml in the working directory without that. Variables and flags override it; a list that is set replaces the
# whole list. Relative paths start at the working directory.
";

/// The example of a job, which follows the options of all jobs.
const A_JOB: &str = "
# A job has a table of its own, and in it whatever it has other than the sections of this file:
#
# [job.shop]
# url = [\"https://shop.example/\"]
# cron = \"15 2 * * *\"
# zone = \"Europe/Berlin\"
#
# [job.shop.output]
# out = \"/var/www/shop\"
#
# [job.shop.crawl]
# max-urls = 100000
";

/// The text of `config/mapwright.toml`: every option commented out, with its help and default.
pub fn example_file() -> String {
    let mut text = HEAD.to_owned();
    for section in Section::ALL {
        text.push_str(&format!("\n# {}\n[{}]\n", section.about(), section.name()));
        for definition in section.definitions() {
            text.push('\n');
            describe(&mut text, definition);
        }
        if section == Section::Job {
            text.push_str(A_JOB);
        }
    }
    text
}

fn describe(text: &mut String, definition: &Definition) {
    for paragraph in definition.paragraphs() {
        for line in wrapped(&paragraph) {
            text.push_str(&format!("# {line}\n"));
        }
    }
    if definition.default.is_empty() {
        text.push_str("# Not set by default; an example:\n");
    }
    // Writing to a String cannot fail.
    let _ = writeln!(text, "#{} = {}", definition.name(), literal(definition));
}

/// Returns the default as TOML, or an example if there is none.
fn literal(definition: &Definition) -> String {
    let value = if definition.default.is_empty() { definition.kind.example() } else { definition.default };
    let single = if definition.kind.is_bare() { value.to_owned() } else { format!("\"{value}\"") };
    if definition.arity == Arity::Many { format!("[{single}]") } else { single }
}

/// The words of a paragraph, in lines of at most `WIDTH` columns.
fn wrapped(paragraph: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
