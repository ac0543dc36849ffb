//! Errors of the command line: one line in place of clap's several.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::stderr::print_stderr;
use clap::error::ErrorKind;
use mapwright_settings::nearest;
use std::ffi::OsString;

/// Checks that all arguments are UTF-8.
///
/// # Errors
/// Names the first that is not.
pub(crate) fn readable(words: &[OsString]) -> Result<(), Failure> {
    let unreadable = (1..).zip(words).find(|(_, word)| word.to_str().is_none());
    unreadable.map_or(Ok(()), |(number, word)| {
        let what = format!("argument {number}, `{}`, is not UTF-8", word.to_string_lossy());
        Err(Failure::usage(what, "command line", "write it in UTF-8"))
    })
}

/// Prints the requested help or version, or the error of the command line.
pub(crate) fn explain(error: &clap::Error) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print(error),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // A closed standard error is ignored.
            let _ = error.print();
            Exit::Usage
        }
        _ => {
            print_stderr(&failure(&error.render().to_string()).to_string());
            Exit::Usage
        }
    }
}

/// Prints help or version to standard output, because they are results; clap colours them on a terminal.
fn print(error: &clap::Error) -> Exit {
    let printed = Output::written(error.print());
    printed.map_or_else(
        |failure| {
            print_stderr(&failure.to_string());
            failure.exit
        },
        |()| Exit::Done,
    )
}

/// Splits clap's text: the first paragraph has the error, then come tips, then the usage.
fn failure(text: &str) -> Failure {
    let mut paragraphs = text.split("\n\n").map(one_line);
    let what = paragraphs.next().unwrap_or_default();
    let what = what.strip_prefix("error: ").unwrap_or(&what);
    let rest: Vec<String> = paragraphs.collect();
    let after = |prefix: &str| rest.iter().find_map(|paragraph| paragraph.strip_prefix(prefix));
    let tip = after("tip: ").filter(|tip| helps(what, tip));
    let hint = match (tip, after("Usage: ")) {
        (Some(tip), _) => tip.to_owned(),
        (None, Some(usage)) if what.starts_with("unexpected argument '-") => format!("see {} --help", command(usage)),
        (None, Some(usage)) => match usage.strip_suffix(" <COMMAND>") {
            Some(parent) => format!("see {parent} --help"),
            None => format!("write {usage}"),
        },
        (None, None) => "see mapwright --help".to_owned(),
    };
    Failure::usage(what, "command line", hint)
}

/// Returns whether a tip is useful: a suggested flag must be similar to the unknown one, and a misspelt flag is not
/// meant as a value.
fn helps(what: &str, tip: &str) -> bool {
    let quoted = |text: &str| text.split('\'').nth(1).map(|name| name.trim_start_matches('-').to_owned());
    match (quoted(what), tip.strip_prefix("a similar argument exists: ").and_then(quoted)) {
        (Some(typed), Some(meant)) => nearest(&typed, [meant.as_str()]).is_some(),
        _ => !tip.starts_with("to pass "),
    }
}

/// Returns the command's name from a usage line.
fn command(usage: &str) -> String {
    let words = usage.split(' ').take_while(|word| !word.starts_with(['[', '<', '-']));
    words.collect::<Vec<_>>().join(" ")
}

fn one_line(paragraph: &str) -> String {
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
