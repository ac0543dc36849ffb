//! Changing the door of a dashboard that answers.

use crate::desk::Shared;
use crate::door::{Door, DoorError};
use crate::opened::Opened;
use std::net::SocketAddr;

/// Gives a [`crate::Board`] that runs another [`Door`]. Clones are cheap, and keep the same door.
#[derive(Clone)]
pub struct Keeper {
    pub(crate) desk: Shared,
    /// The address that was asked for, which may leave the port to the system.
    pub(crate) asked: SocketAddr,
    /// The address that was taken.
    pub(crate) address: SocketAddr,
}

impl Keeper {
    /// Takes another door: its certificate (read anew from its files), token, users and names. Connections that are
    /// open stay open; sessions go on for whoever may still come in by what they came in by, as what they are now.
    /// Where it fails, all goes on as before.
    ///
    /// # Errors
    /// When the door is not safe, its certificate cannot be read, or it differs in what only a restart can change: the
    /// address, and whether TLS is spoken.
    pub fn reload(&self, door: Door) -> Result<(), DoorError> {
        if door.listen != self.asked && door.listen != self.address {
            let what = format!("the dashboard listens on {}, and cannot move while it runs", self.address);
            return Err(DoorError::of("listen", what, "restart the service").at(door.listen));
        }
        if door.tls.is_some() != self.desk.door().tls.is_some() {
            let what = "TLS cannot be switched on or off while the dashboard runs";
            return Err(DoorError::of("tls-cert", what, "restart the service"));
        }
        self.desk.take(Opened::at(self.address, door)?);
        Ok(())
    }
}
