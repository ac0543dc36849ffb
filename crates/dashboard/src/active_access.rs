//! The access configuration in force.

use crate::access::{AccessConfig, warn_of_readers};
use crate::access_error::AccessError;
use crate::guard::names::Names;
use std::net::SocketAddr;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// The access configuration in force, and the values derived from it. It is replaced completely when the configuration
/// is reloaded.
pub(crate) struct ActiveAccess {
    pub(crate) access: AccessConfig,
    pub(crate) names: Names,
    pub(crate) tls: Option<TlsAcceptor>,
    /// Cancelled when the token or the users change: open event streams end, and their clients must authenticate again.
    pub(crate) changed: CancellationToken,
}

impl ActiveAccess {
    /// Checks a configuration, and prepares it for the bound address.
    pub(crate) fn at(address: SocketAddr, mut access: AccessConfig) -> Result<Self, AccessError> {
        access.check()?;
        access.tls.iter().for_each(|(_, key)| warn_of_readers(key));
        let tls = access.acceptor()?;
        access.listen = address;
        let names = Names::of(&access, address)?;
        Ok(Self { access, names, tls, changed: CancellationToken::new() })
    }

    /// Replaces another configuration, and ends its event streams if the token or the users changed.
    pub(crate) fn take_over_streams(&mut self, before: &Self) {
        if self.access.token == before.access.token && self.access.users == before.access.users {
            self.changed = before.changed.clone();
        } else {
            before.changed.cancel();
        }
    }
}
