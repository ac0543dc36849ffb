//! `mapwright man [COMMAND…]`: the manual page of the program or of one command.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Arg, ArgMatches, Command};

pub(crate) const ENTRY: Entry = Entry::of_tree(command, run);

fn command() -> Command {
    Command::new("man")
        .about("Print the manual page, as roff: mapwright man | man -l -")
        .arg(Arg::new("command").value_name("COMMAND").num_args(0..).help("The command, such as `sitemap check`"))
}

fn run(matches: &ArgMatches, tree: Command) -> Result<Exit, Failure> {
    let words = matches.get_many::<String>("command").unwrap_or_default();
    let page = render(&find(tree, words)?).map_err(|error| {
        Failure::new(Exit::Failed, format!("the page cannot be made ({error})"), "man", "report this, please")
    })?;
    let mut output = Output::new();
    output.raw(&page)?;
    output.finish()?;
    Ok(Exit::Done)
}

/// Finds the command that the words name, with its full name.
fn find<'a>(tree: Command, words: impl Iterator<Item = &'a String>) -> Result<Command, Failure> {
    let mut found = tree;
    let mut name = found.get_name().to_owned();
    for word in words {
        let Some(next) = found.find_subcommand(word).cloned() else {
            return Err(Failure::usage(format!("no command `{word}`"), "man", format!("see {name} --help")));
        };
        name = format!("{name} {word}");
        found = next.name(name.replace(' ', "-")).bin_name(name.clone()).display_name(name.replace(' ', "-"));
    }
    Ok(found)
}

fn render(command: &Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
