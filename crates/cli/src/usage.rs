//! A command line that cannot be read: one line instead of clap's several.

use crate::exit::Exit;
use crate::failure::{Failure, say};
use crate::output::Output;
use clap::error::ErrorKind;
use mapwright_settings::nearest;
use std::ffi::OsString;

/// Checks that the words of a command line are text; none of them may be anything else.
///
/// # Errors
/// Names the first that is none.
pub(crate) fn readable(words: &[OsString]) -> Result<(), Failure> {
    let unreadable = (1..).zip(words).find(|(_, word)| word.to_str().is_none());
    unreadable.map_or(Ok(()), |(number, word)| {
        let what = format!("argument {number}, `{}`, is not UTF-8", word.to_string_lossy());
        Err(Failure::usage(what, "command line", "write it in UTF-8"))
    })
}

/// Prints the help or version that was asked for, or what is wrong with the command line.
pub(crate) fn explain(error: &clap::Error) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print(error),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Nothing is left to do where standard error is closed.
            let _ = error.print();
            Exit::Usage
        }
        _ => {
            say(&failure(&error.render().to_string()).to_string());
            Exit::Usage
        }
    }
}

/// Help and version are results: they go to standard output, coloured by clap where that is a terminal.
fn print(error: &clap::Error) -> Exit {
    let printed = Output::written(error.print());
    printed.map_or_else(
        |failure| {
            say(&failure.to_string());
            failure.exit
        },
        |()| Exit::Done,
    )
}

/// Takes apart clap's text: the first paragraph says what is wrong, then come tips, then the usage.
fn failure(text: &str) -> Failure {
    let mut paragraphs = text.split("\n\n").map(one_line);
    let what = paragraphs.next().unwrap_or_default();
    let what = what.strip_prefix("error: ").unwrap_or(&what);
    let rest: Vec<String> = paragraphs.collect();
    let after = |prefix: &str| rest.iter().find_map(|paragraph| paragraph.strip_prefix(prefix));
    let tip = after("tip: ").filter(|tip| helps(what, tip));
    let remedy = match (tip, after("Usage: ")) {
        (Some(tip), _) => tip.to_owned(),
        (None, Some(usage)) if what.starts_with("unexpected argument '-") => format!("see {} --help", command(usage)),
        (None, Some(usage)) => match usage.strip_suffix(" <COMMAND>") {
            Some(parent) => format!("see {parent} --help"),
            None => format!("write {usage}"),
        },
        (None, None) => "see mapwright --help".to_owned(),
    };
    Failure::usage(what, "command line", remedy)
}

/// Whether a tip leads on: a flag that is named in place of one that there is not must be near to it, and who misspells
/// a flag does not mean it for a value.
fn helps(what: &str, tip: &str) -> bool {
    let quoted = |text: &str| text.split('\'').nth(1).map(|name| name.trim_start_matches('-').to_owned());
    match (quoted(what), tip.strip_prefix("a similar argument exists: ").and_then(quoted)) {
        (Some(typed), Some(meant)) => nearest(&typed, [meant.as_str()]).is_some(),
        _ => !tip.starts_with("to pass "),
    }
}

/// The words of a usage that name the command.
fn command(usage: &str) -> String {
    let words = usage.split(' ').take_while(|word| !word.starts_with(['[', '<', '-']));
    words.collect::<Vec<_>>().join(" ")
}

fn one_line(paragraph: &str) -> String {
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
