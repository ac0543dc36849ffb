//! Running the command from a test or a benchmark: signals by process id, and the cost of a run.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;

/// Sends Ctrl-C (SIGINT) to this child only.
///
/// # Errors
/// When the child has ended already.
pub fn interrupt(child: &Child) -> io::Result<()> {
    send(child, Signal::SIGINT)
}

/// Sends SIGTERM to this child.
///
/// # Errors
/// When the child has ended already.
pub fn terminate(child: &Child) -> io::Result<()> {
    send(child, Signal::SIGTERM)
}

/// Sends SIGHUP to this child, to reload its configuration.
///
/// # Errors
/// When the child has ended already.
pub fn hang_up(child: &Child) -> io::Result<()> {
    send(child, Signal::SIGHUP)
}

fn send(child: &Child, signal: Signal) -> io::Result<()> {
    let id = i32::try_from(child.id()).map_err(io::Error::other)?;
    kill(Pid::from_raw(id), signal).map_err(io::Error::from)
}

/// The cost of a finished run.
#[derive(Debug, Clone, Copy)]
pub struct ProcessCost {
    /// The exit status.
    pub status: ExitStatus,
    /// Time from start to end.
    pub wall: Duration,
    /// CPU time in user mode.
    pub user: Duration,
    /// CPU time in the kernel.
    pub system: Duration,
    /// Peak resident memory, in bytes.
    pub peak_memory: u64,
}

impl ProcessCost {
    /// The total CPU time.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.user + self.system
    }
}

/// Runs a command to its end and returns its cost.
///
/// The kernel accounts for all children of this process together: the figures are the command's own if no other child
/// ends meanwhile and no earlier one was larger. Memory counts from the fork, so the caller should be small.
///
/// # Errors
/// When the command cannot be started or awaited.
pub fn measure(command: &mut Command) -> io::Result<ProcessCost> {
    let before = children()?;
    let start = Instant::now();
    let status = command.status()?;
    let wall = start.elapsed();
    let after = children()?;
    Ok(ProcessCost {
        status,
        wall,
        user: micros(after.user_time().num_microseconds() - before.user_time().num_microseconds()),
        system: micros(after.system_time().num_microseconds() - before.system_time().num_microseconds()),
        // Linux counts in KiB.
        peak_memory: u64::try_from(after.max_rss()).unwrap_or(0) * 1024,
    })
}

fn children() -> io::Result<Usage> {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_err(io::Error::from)
}

fn micros(count: i64) -> Duration {
    Duration::from_micros(u64::try_from(count).unwrap_or(0))
}
