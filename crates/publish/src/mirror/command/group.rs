//! The processes that a command started.

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// A process group, ended when this is dropped before it was released.
pub(super) struct Group(Option<Pid>);

impl Group {
    /// That of a child which leads a group of its own.
    pub(super) fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }

    /// Lets the group go: its leader has ended, and its number may be given to others.
    pub(super) fn release(mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Where nothing of it is left, nothing is to be done.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
