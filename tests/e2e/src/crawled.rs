//! A crawl that has ended.

use std::ops::Deref;

use serde_json::Value;

use crate::{CommandOutput, Workspace};

/// The output of a crawl that has ended, and its workspace with the sitemaps and the record.
#[derive(Debug)]
pub struct Crawled {
    /// The result of the command.
    pub done: CommandOutput,
    /// The workspace of the crawl.
    pub workspace: Workspace,
}

impl Crawled {
    /// Asserts the exit code, and returns itself.
    #[track_caller]
    pub fn exited(self, code: i32) -> Crawled {
        Crawled { done: self.done.exited(code), workspace: self.workspace }
    }

    /// The exit code; `None` after a signal that killed it.
    pub fn code(&self) -> Option<i32> {
        self.done.code
    }

    /// All of standard output.
    pub fn stdout(&self) -> &str {
        &self.done.stdout
    }

    /// All of standard error.
    pub fn stderr(&self) -> &str {
        &self.done.stderr
    }

    /// The JSON summary.
    #[track_caller]
    pub fn summary(&self) -> Value {
        self.done.summary()
    }
}

impl Deref for Crawled {
    type Target = Workspace;

    fn deref(&self) -> &Workspace {
        &self.workspace
    }
}
