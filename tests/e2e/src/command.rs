//! Runs the binary in a clean environment, with a timeout.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mapwright_testkit::process;

use crate::Workspace;
use crate::binary;
use crate::command_output::CommandOutput;

/// Longest run of a command; one that takes longer is killed, and the test fails.
const PATIENCE: Duration = Duration::from_secs(120);
/// Pause between two samples of a running command's memory, whose growth sends no event.
const POLL: Duration = Duration::from_millis(10);

impl Workspace {
    /// Runs the command with these arguments to its end.
    #[track_caller]
    pub fn run(&self, args: &[&str]) -> CommandOutput {
        Command::new(args).within(self).run()
    }

    /// Runs the command with these arguments to its end, with these bytes as its standard input.
    #[track_caller]
    pub fn run_with_input(&self, args: &[&str], input: &[u8]) -> CommandOutput {
        Command::new(args).stdin(input).within(self).run()
    }
}

/// A command line of the binary, to be run in a workspace.
///
/// The environment contains only `PATH` and a home directory below the workspace, so that proxies and settings of the
/// machine have no effect.
#[derive(Debug)]
pub struct Command {
    workspace: Workspace,
    arguments: Vec<OsString>,
    environment: Vec<(String, String)>,
    stdin: Vec<u8>,
    limit: Option<String>,
}

impl Command {
    /// The binary with these arguments, in a fresh workspace.
    pub fn new<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(arguments: I) -> Command {
        let arguments = arguments.into_iter().map(|word| word.as_ref().to_owned()).collect();
        Command { workspace: Workspace::new(), arguments, environment: Vec::new(), stdin: Vec::new(), limit: None }
    }

    /// Adds an argument.
    pub fn arg(mut self, word: impl AsRef<OsStr>) -> Command {
        self.arguments.push(word.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, words: I) -> Command {
        self.arguments.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        self
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Command {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Gives these bytes on standard input; without them it is empty.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Command {
        self.stdin = bytes.into();
        self
    }

    /// Runs the command under a limit, given as the arguments of the shell's `ulimit`.
    pub fn limited(mut self, limit: impl Into<String>) -> Command {
        self.limit = Some(limit.into());
        self
    }

    /// Works in this workspace instead of a fresh one; it is the current directory too.
    pub fn within(mut self, workspace: &Workspace) -> Command {
        self.workspace = workspace.clone();
        self
    }

    /// Runs it to its end.
    #[track_caller]
    pub fn run(self) -> CommandOutput {
        self.spawn().wait()
    }

    /// Starts it.
    pub fn spawn(self) -> Running {
        let home = self.workspace.path("home");
        let mut command = self.program();
        command.args(&self.arguments).current_dir(self.workspace.folder()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        // Most tests expect every indexable URL; the tests of `--list recommended` set the option.
        command.env("MAPWRIGHT_LIST", "indexable");
        command.env("HOME", &home).env("XDG_STATE_HOME", home.join("state"));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        if let Some(mut stdin) = child.stdin.take() {
            let bytes = self.stdin;
            // A command that does not read its input may close it early, which is no fault.
            std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        }
        let stdout = reader(child.stdout.take());
        let stderr = reader(child.stderr.take());
        let (since, id) = (Instant::now(), child.id());
        let memory = std::thread::spawn(move || peak_memory(id));
        Running { child, stdout, stderr, line: line(&self.arguments), since, memory }
    }

    /// The binary, under the limit if there is one.
    fn program(&self) -> std::process::Command {
        let Some(limit) = &self.limit else { return std::process::Command::new(binary::path()) };
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(format!("ulimit {limit}; exec \"$0\" \"$@\"")).arg(binary::path());
        shell
    }
}

/// A command that runs.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
    line: String,
    since: Instant,
    memory: JoinHandle<u64>,
}

impl Running {
    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends Ctrl-C (SIGINT).
    pub fn interrupt(&self) {
        process::interrupt(&self.child).expect("a command that still runs");
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        process::terminate(&self.child).expect("a command that still runs");
    }

    /// Kills it (SIGKILL).
    pub fn kill(&mut self) {
        self.child.kill().expect("a command that may be killed");
    }

    /// Waits for its end.
    #[track_caller]
    pub fn wait(mut self) -> CommandOutput {
        let stdout = self.gather(true);
        let stderr = self.gather(false);
        let code = self.child.wait().expect("the status of a child").code();
        let took = self.since.elapsed();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let peak_memory = self.memory.join().unwrap_or(0);
        CommandOutput { code, stdout: text(&stdout), stderr: text(&stderr), took, peak_memory, line: self.line }
    }

    #[track_caller]
    fn gather(&mut self, stdout: bool) -> Vec<u8> {
        let from = if stdout { &self.stdout } else { &self.stderr };
        match from.recv_timeout(PATIENCE) {
            Ok(bytes) => bytes,
            Err(RecvTimeoutError::Disconnected) => Vec::new(),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                panic!("`{}` did not end within {PATIENCE:?}", self.line);
            }
        }
    }
}

fn line(words: &[OsString]) -> String {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    format!("mapwright {}", words.join(" "))
}

/// Reads a pipe to its end on a thread of its own, so that a full pipe never stops the command.
fn reader(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    if let Some(mut pipe) = pipe {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // A broken pipe ends the output.
            drop(pipe.read_to_end(&mut bytes));
            drop(sender.send(bytes));
        });
    }
    receiver
}

/// The peak resident memory of this process until its end, from the kernel (proc(5), `VmHWM`).
/// [`mapwright_testkit::process::measure`] does not serve here: it measures all children of a test program, whose tests
/// run concurrently.
fn peak_memory(id: u32) -> u64 {
    let mut peak = 0;
    while let Some(kib) = high_water_mark(id) {
        peak = peak.max(kib * 1024);
        std::thread::sleep(POLL);
    }
    peak
}

/// Returns the process's `VmHWM` in KiB, or `None` after its end: a zombie has no memory and no such line.
fn high_water_mark(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
