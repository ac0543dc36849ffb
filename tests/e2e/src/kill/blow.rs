//! The signals that interrupt a crawl.

use crate::command::Running;

/// The signal that interrupts a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// SIGKILL, which ends the process at once.
    Kill,
    /// SIGINT, as from Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Interruption {
    /// Sends the signal.
    pub(crate) fn strike(self, process: &mut Running) {
        match self {
            Interruption::Kill => process.kill(),
            Interruption::Interrupt => process.interrupt(),
            Interruption::Terminate => process.terminate(),
        }
    }

    /// The exit code of a process after the signal; `None` if the system ended it.
    pub fn code(self) -> Option<i32> {
        match self {
            Interruption::Kill => None,
            Interruption::Interrupt => Some(130),
            Interruption::Terminate => Some(143),
        }
    }
}
