//! The options of a mirror.

use jiff::Timestamp;
use std::path::PathBuf;
use std::time::Duration;

/// The options of a mirror.
#[derive(Clone)]
pub struct MirrorOptions {
    /// The grace period of files that left the set.
    pub grace: Duration,
    /// The timeout of the entire upload. Failed requests are retried within it.
    pub timeout: Duration,
    /// The present instant.
    pub now: Timestamp,
    /// The environment, for the credentials and endpoints of object storage: `AWS_…`, `GOOGLE_…` and `AZURE_…`, as the
    /// tools of these services read them. Other variables are ignored.
    pub environment: Vec<(String, String)>,
    /// The folder that keeps what was reported to commands, so that the manifest can list removable files; without it,
    /// the manifest lists none. Object storage keeps its own state.
    pub state: Option<PathBuf>,
}

/// Credentials are not shown.
impl std::fmt::Debug for MirrorOptions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("MirrorOptions")
            .field("grace", &self.grace)
            .field("timeout", &self.timeout)
            .field("now", &self.now)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
