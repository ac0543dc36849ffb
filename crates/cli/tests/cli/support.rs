//! Runs the binary in a directory of its own, with an empty environment.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A scratch directory in which commands run.
pub(crate) struct Workspace {
    dir: TempDir,
    variables: Vec<(String, String)>,
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Workspace {
    pub(crate) fn new() -> Workspace {
        Workspace { dir: TempDir::new().unwrap(), variables: Vec::new() }
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Workspace {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Workspace {
        std::fs::write(self.dir.path().join(name), bytes).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The command, ready to run.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_mapwright")));
        command.args(words).current_dir(self.dir.path()).env_clear();
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        self.run_with(words, b"")
    }

    pub(crate) fn run_with(&self, words: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that does not read its input closes it early.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code().expect("an exit code"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Run {
    /// Standard output of a run that ended with 0.
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.out
    }

    /// The one line of a run that ended with 2 before it printed anything.
    pub(crate) fn refused(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        self.err
    }
}
