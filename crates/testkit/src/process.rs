//! Running the command from a test or a benchmark: signals by process id, and what a run cost.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;

/// Sends Ctrl-C (SIGINT) to this child alone.
///
/// # Errors
/// Where the child is gone already.
pub fn interrupt(child: &Child) -> io::Result<()> {
    send(child, Signal::SIGINT)
}

/// Asks this child to end (SIGTERM).
///
/// # Errors
/// Where the child is gone already.
pub fn terminate(child: &Child) -> io::Result<()> {
    send(child, Signal::SIGTERM)
}

/// Tells this child to read its configuration again (SIGHUP).
///
/// # Errors
/// Where the child is gone already.
pub fn hang_up(child: &Child) -> io::Result<()> {
    send(child, Signal::SIGHUP)
}

fn send(child: &Child, signal: Signal) -> io::Result<()> {
    let id = i32::try_from(child.id()).map_err(io::Error::other)?;
    kill(Pid::from_raw(id), signal).map_err(io::Error::from)
}

/// What a finished run has cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// How it ended.
    pub status: ExitStatus,
    /// From start to end.
    pub wall: Duration,
    /// Processor time in user mode.
    pub user: Duration,
    /// Processor time in the kernel.
    pub system: Duration,
    /// Most memory resident at once, in bytes.
    pub peak_memory: u64,
}

impl Cost {
    /// Processor time in all.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.user + self.system
    }
}

/// Runs a command to its end and tells what it cost.
///
/// The kernel's account is one for all children of this process: the figures are the command's own where no other
/// child ends meanwhile and none before was larger. Memory counts from the fork, so the caller should be small.
///
/// # Errors
/// Where the command cannot be started or awaited.
pub fn measure(command: &mut Command) -> io::Result<Cost> {
    let before = children()?;
    let start = Instant::now();
    let status = command.status()?;
    let wall = start.elapsed();
    let after = children()?;
    Ok(Cost {
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
