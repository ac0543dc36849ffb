//! The process of the browser.

use crate::chromium::dead_proxy::DeadProxy;
use crate::chromium::flags::flags;
use crate::chromium::pipe::{PipeReader, PipeWriter};
use crate::chromium::profile;
use crate::{Program, StartError};
use command_fds::{CommandFdExt, FdMapping};
use rustix::fs::{Gid, Uid};
use rustix::process::{Pid, Signal, geteuid, kill_process_group};
use std::io;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// The user and group that run the browser where mapwright runs as root: `nobody` of most systems. As root, Chromium
/// refuses to start with its sandbox.
const NOBODY: u32 = 65_534;
/// The file descriptors at which Chromium reads and writes the protocol.
const PROTOCOL_FDS: [i32; 2] = [3, 4];

/// A browser in a process group of its own, with a profile of its own. Both end with it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Option<Pid>,
    /// Removed after the processes have ended.
    _profile: TempDir,
    _dead_proxy: DeadProxy,
}

impl Process {
    /// Starts the browser, and returns it with the two ends of its protocol.
    pub(crate) fn start(program: &Program, sandbox: bool) -> Result<(Process, PipeWriter, PipeReader), StartError> {
        let failed = |error: io::Error| StartError::Failed { path: program.path.clone(), error };
        let profile = profile::make().map_err(failed)?;
        let dead_proxy = DeadProxy::open().map_err(failed)?;
        let as_root = geteuid().is_root();
        if as_root && sandbox {
            let nobody = (Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY)));
            rustix::fs::chown(profile.path(), nobody.0, nobody.1).map_err(|error| failed(error.into()))?;
        }
        let (commands, writer) = io::pipe().map_err(failed)?;
        let (reader, answers) = io::pipe().map_err(failed)?;
        let mut command = command(program, profile.path(), &dead_proxy, sandbox);
        if as_root && sandbox {
            command.uid(NOBODY).gid(NOBODY);
        }
        let [input, output] = PROTOCOL_FDS;
        let mappings = vec![
            FdMapping { parent_fd: commands.into(), child_fd: input },
            FdMapping { parent_fd: answers.into(), child_fd: output },
        ];
        command.fd_mappings(mappings).map_err(|error| failed(io::Error::other(error)))?;
        let child = command.spawn().map_err(failed)?;
        // The command keeps the browser's ends of the pipes, without whose end no answer could be missed.
        drop(command);
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let process = Process { child, group, _profile: profile, _dead_proxy: dead_proxy };
        let writer = PipeWriter::new(writer.into()).map_err(failed)?;
        let reader = PipeReader::new(reader.into()).map_err(failed)?;
        Ok((process, writer, reader))
    }

    /// Returns true while the browser runs.
    pub(crate) fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Process {
    /// Kills the process group, so that nothing outlives the browser.
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // It fails only if every process of the group has ended.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Returns the command line: an environment of its own, with every folder for files inside the profile.
fn command(program: &Program, profile: &Path, dead_proxy: &DeadProxy, sandbox: bool) -> Command {
    let mut command = Command::new(&program.path);
    command.args(flags(profile, dead_proxy.address(), sandbox)).arg("about:blank").env_clear().current_dir(profile);
    for folder in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"] {
        command.env(folder, profile);
    }
    command.env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8").env("LANGUAGE", "en").env("TZ", "UTC");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).kill_on_drop(true);
    command
}
