//! By what a crawl is cut.

use crate::command::Running;

/// By what a process is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blow {
    /// SIGKILL: not another instruction.
    Kill,
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Blow {
    /// Deals it.
    pub(crate) fn strike(self, process: &mut Running) {
        match self {
            Blow::Kill => process.kill(),
            Blow::Interrupt => process.interrupt(),
            Blow::Terminate => process.terminate(),
        }
    }

    /// The exit code of a process that was cut by it; none where the system ended it.
    #[must_use]
    pub fn code(self) -> Option<i32> {
        match self {
            Blow::Kill => None,
            Blow::Interrupt => Some(130),
            Blow::Terminate => Some(143),
        }
    }
}
