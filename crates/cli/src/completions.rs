//! `mapwright completions SHELL`: prints the completion script of a shell.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

pub(crate) const ENTRY: Entry = Entry::of_tree(command, run);

fn command() -> Command {
    Command::new("completions")
        .about("Print the script that completes this command in a shell")
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(Shell)).help("The shell"))
}

fn run(matches: &ArgMatches, mut tree: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    if let Some(shell) = matches.get_one::<Shell>("shell") {
        clap_complete::generate(*shell, &mut tree, "mapwright", &mut script);
    }
    let mut output = Output::new();
    output.raw(&script)?;
    output.finish()?;
    Ok(Exit::Done)
}
