//! One command of the tree.

use crate::exit::Exit;
use crate::failure::Failure;
use clap::{ArgMatches, Command};

/// One command of the tree.
pub(crate) struct Entry {
    /// The name, the arguments and the help.
    pub(crate) command: fn() -> Command,
    run: Run,
}

/// The function that runs a command with its parsed arguments.
enum Run {
    Plain(fn(&ArgMatches) -> Result<Exit, Failure>),
    OfTree(fn(&ArgMatches, Command) -> Result<Exit, Failure>),
}

impl Entry {
    pub(crate) const fn new(command: fn() -> Command, run: fn(&ArgMatches) -> Result<Exit, Failure>) -> Self {
        Self { command, run: Run::Plain(run) }
    }

    /// A command about the tree itself.
    pub(crate) const fn of_tree(
        command: fn() -> Command,
        run: fn(&ArgMatches, Command) -> Result<Exit, Failure>,
    ) -> Self {
        Self { command, run: Run::OfTree(run) }
    }

    /// Runs the command with its parsed arguments. `tree` returns the complete command tree.
    pub(crate) fn run(&self, matches: &ArgMatches, tree: fn() -> Command) -> Result<Exit, Failure> {
        match self.run {
            Run::Plain(run) => run(matches),
            Run::OfTree(run) => run(matches, tree()),
        }
    }
}
