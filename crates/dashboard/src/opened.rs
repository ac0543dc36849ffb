//! A door that stands open.

use crate::door::{Door, DoorError, warn_of_readers};
use crate::guard::names::Names;
use std::net::SocketAddr;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// A door that stands open, and what follows from it. It is replaced as a whole when the configuration is read again.
pub(crate) struct Opened {
    pub(crate) door: Door,
    pub(crate) names: Names,
    pub(crate) tls: Option<TlsAcceptor>,
    /// Cancelled when others may come in than before: who is being told something must come in anew.
    pub(crate) changed: CancellationToken,
}

impl Opened {
    /// Checks a door, and opens it at an address that was taken.
    pub(crate) fn at(address: SocketAddr, mut door: Door) -> Result<Self, DoorError> {
        door.check()?;
        door.tls.iter().for_each(|(_, key)| warn_of_readers(key));
        let tls = door.acceptor()?;
        door.listen = address;
        let names = Names::of(&door, address)?;
        Ok(Self { door, names, tls, changed: CancellationToken::new() })
    }

    /// Takes the place of another.
    pub(crate) fn succeed(&mut self, before: &Self) {
        if self.door.token == before.door.token && self.door.users == before.door.users {
            self.changed = before.changed.clone();
        } else {
            before.changed.cancel();
        }
    }
}
