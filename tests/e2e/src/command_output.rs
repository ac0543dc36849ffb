//! The output of a command that has ended.

use std::time::Duration;

use serde_json::Value;

/// The result and the cost of a command that has ended.
#[derive(Debug, Clone)]
pub struct CommandOutput {
    /// The exit code; `None` after a signal that killed it.
    pub code: Option<i32>,
    /// All of standard output.
    pub stdout: String,
    /// All of standard error.
    pub stderr: String,
    /// The time from start to end.
    pub took: Duration,
    /// The peak resident memory in bytes, as last sampled before the end.
    pub peak_memory: u64,
    pub(crate) line: String,
}

impl CommandOutput {
    /// Asserts the exit code, and returns itself.
    #[track_caller]
    pub fn exited(self, code: i32) -> CommandOutput {
        let (line, output) = (&self.line, self.code);
        assert!(output == Some(code), "`{line}` exited with {output:?}, not {code}; it said: {}", self.said());
        self
    }

    /// Both outputs.
    pub fn said(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }

    /// The JSON summary on standard output.
    #[track_caller]
    pub fn summary(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.said()))
    }

    /// The only line of standard error.
    #[track_caller]
    pub fn only_line(&self) -> &str {
        let lines: Vec<&str> = self.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
        let [line] = lines.as_slice() else { panic!("not one line on standard error: {:?}", self.stderr) };
        line
    }

    /// Asserts that the command stayed within this time and memory.
    #[track_caller]
    pub fn assert_within(&self, time: Duration, mebibytes: u64) {
        assert!(self.took <= time, "it took {:?}, more than {time:?}; it said: {}", self.took, self.stderr);
        let peak = self.peak_memory >> 20;
        assert!(peak <= mebibytes, "it held {peak} MiB, more than {mebibytes} MiB");
    }
}
