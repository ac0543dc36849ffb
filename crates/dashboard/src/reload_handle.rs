//! Replacing the access configuration of a running dashboard.

use crate::access::AccessConfig;
use crate::access_error::AccessError;
use crate::active_access::ActiveAccess;
use crate::app_state::Shared;
use std::net::SocketAddr;

/// An access configuration that passed its checks.
pub struct CheckedAccess(ActiveAccess);

/// Replaces the [`AccessConfig`] of a running [`crate::Server`]. Clones are cheap, and refer to the same dashboard.
#[derive(Clone)]
pub struct ReloadHandle {
    pub(crate) state: Shared,
    /// The configured address, which may leave the port to the system.
    pub(crate) requested: SocketAddr,
    /// The address that was bound.
    pub(crate) address: SocketAddr,
}

impl ReloadHandle {
    /// Checks a new configuration and reads its certificate, without applying it.
    ///
    /// # Errors
    /// When the configuration is not safe, its certificate cannot be read, or it differs in what only a restart can
    /// change: the address, and whether TLS is used.
    pub fn check(&self, access: AccessConfig) -> Result<CheckedAccess, AccessError> {
        if access.listen != self.requested && access.listen != self.address {
            let what = format!("the dashboard listens on {}, and cannot move while it runs", self.address);
            return Err(AccessError::of("listen", what, "restart the service").at(access.listen));
        }
        if access.tls.is_some() != self.state.access().tls.is_some() {
            let what = "TLS cannot be switched on or off while the dashboard runs";
            return Err(AccessError::of("tls-cert", what, "restart the service"));
        }
        ActiveAccess::at(self.address, access).map(CheckedAccess)
    }

    /// Applies a checked configuration: its certificate, token, users and names. Open connections stay open; a session
    /// continues while its user or token still has access, with the current role.
    pub fn apply(&self, access: CheckedAccess) {
        self.state.replace_access(access.0);
    }

    /// Checks a new configuration and applies it. If that fails, the current one stays in force.
    ///
    /// # Errors
    /// As [`ReloadHandle::check`].
    pub fn reload(&self, access: AccessConfig) -> Result<(), AccessError> {
        self.check(access).map(|access| self.apply(access))
    }
}
