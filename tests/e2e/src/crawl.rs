//! A builder of `mapwright crawl` command lines.

use std::ffi::{OsStr, OsString};

use mapwright_testkit::FakeSite;

use crate::command::{Command, Running};
use crate::{CommandOutput, Crawled, Workspace};

/// A crawl to be run: `mapwright crawl STARTS --out … --state … --format json --no-progress` and further arguments.
#[derive(Debug)]
pub struct Crawl {
    workspace: Workspace,
    starts: Vec<String>,
    arguments: Vec<OsString>,
    environment: Vec<(String, String)>,
    stdin: Vec<u8>,
    json: bool,
}

impl Crawl {
    /// A crawl from the root page of a site.
    pub fn of(site: &FakeSite) -> Crawl {
        Crawl::from(&[site.url("/")])
    }

    /// A crawl from these start URLs.
    pub fn from<S: AsRef<str>>(starts: &[S]) -> Crawl {
        Crawl {
            workspace: Workspace::new(),
            starts: starts.iter().map(|start| start.as_ref().to_owned()).collect(),
            arguments: Vec::new(),
            environment: Vec::new(),
            stdin: Vec::new(),
            json: true,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, word: impl AsRef<OsStr>) -> Crawl {
        self.arguments.push(word.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, words: I) -> Crawl {
        self.arguments.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        self
    }

    /// Resolves these host names to the site's loopback address and port, so that names such as `shop.test` reach the
    /// site without a DNS lookup.
    pub fn hosts(mut self, site: &FakeSite, names: &[&str]) -> Crawl {
        for name in names {
            self = self.arg("--resolve").arg(format!("{name}:{}:{}", site.port(), site.address().ip()));
        }
        self
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Crawl {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Gives these bytes on standard input.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Crawl {
        self.stdin = bytes.into();
        self
    }

    /// Uses this workspace, with the record and the sitemaps of earlier crawls in it.
    pub fn within(mut self, workspace: &Workspace) -> Crawl {
        self.workspace = workspace.clone();
        self
    }

    /// Prints the summary as text instead of JSON.
    pub fn text(mut self) -> Crawl {
        self.json = false;
        self
    }

    /// Runs it to its end.
    #[track_caller]
    pub fn run(self) -> Crawled {
        self.spawn().wait()
    }

    /// Starts it.
    pub fn spawn(self) -> RunningCrawl {
        let mut command = Command::new(["crawl"]).within(&self.workspace).args(&self.starts);
        command = command.arg("--out").arg(self.workspace.out()).arg("--state").arg(self.workspace.state());
        command = command.arg("--no-progress").args(&self.arguments).stdin(self.stdin);
        if self.json {
            command = command.args(["--format", "json"]);
        }
        for (name, value) in self.environment {
            command = command.env(&name, value);
        }
        RunningCrawl { running: command.spawn(), workspace: self.workspace }
    }
}

impl Workspace {
    /// A crawl from `start` with further arguments and a text summary, not started yet.
    pub fn plan(&self, start: &str, more: &[&str]) -> Crawl {
        Crawl::from(&[start]).within(self).args(more).text()
    }

    /// Starts a crawl and leaves it running.
    pub fn start_crawl(&self, start: &str, more: &[&str]) -> RunningCrawl {
        self.plan(start, more).spawn()
    }

    /// Crawls from `start`, with further arguments, to its end.
    #[track_caller]
    pub fn crawl(&self, start: &str, more: &[&str]) -> CommandOutput {
        self.plan(start, more).run().done
    }

    /// Crawls and asserts that the crawl completes and publishes.
    #[track_caller]
    pub fn crawl_well(&self, start: &str, more: &[&str]) -> CommandOutput {
        self.crawl(start, more).exited(0)
    }
}

/// A crawl that runs.
#[derive(Debug)]
pub struct RunningCrawl {
    running: Running,
    workspace: Workspace,
}

impl RunningCrawl {
    /// The process: its id, and ways to stop it.
    pub fn process(&mut self) -> &mut Running {
        &mut self.running
    }

    /// The workspace of the crawl.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(self) -> Crawled {
        Crawled { done: self.running.wait(), workspace: self.workspace }
    }
}
