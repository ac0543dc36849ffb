//! `mapwright sitemap list|check`: lists or checks any sitemap.
//!
//! A document is a file, a URL or standard input. The parts of an index file are looked for beside it, by the last
//! segment of their path; missing ones, and those of any other index, are fetched. The address guard applies to all of
//! them, with the host of the named URL as first-party.

mod check;
mod document;
mod list;
mod part;
mod web;

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use clap::{Arg, ArgAction, ArgMatches, Command};
use mapwright_settings::{CommandKind, arguments};

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    let document = || {
        let help = "The sitemap: a file, a URL, or `-` for standard input";
        Arg::new("document").value_name("FILE|URL|-").required(true).help(help)
    };
    let with_options = |command: Command| command.args(arguments(CommandKind::Sitemap)).args_override_self(true);
    let list = Command::new("list")
        .about("Print every URL of a sitemap, feed or URL list; the parts of an index are read too")
        .arg(document());
    let follow = Arg::new("follow").long("follow").action(ArgAction::SetTrue).help("Judge the parts of an index, too");
    let check = Command::new("check")
        .about("Print each fault of a sitemap, with its line and what to do")
        .args([document(), follow]);
    Command::new("sitemap")
        .about("Read or check a sitemap")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([with_options(list), with_options(check)])
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("list", matches)) => list::run(matches),
        Some(("check", matches)) => check::run(matches),
        _ => Ok(Exit::Usage),
    }
}
