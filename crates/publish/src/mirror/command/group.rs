//! The processes that a command started.

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// A process group, killed when this is dropped before release.
pub(super) struct Group(Option<Pid>);

impl Group {
    /// The group of a child that leads its own group.
    pub(super) fn of(child: &Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw))
    }

    /// Releases the group: its leader has ended, and its number may be reused.
    pub(super) fn release(mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // The group may be empty already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
