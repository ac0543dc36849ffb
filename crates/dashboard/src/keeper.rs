//! Changing the door of a dashboard that answers.

use crate::desk::Shared;
use crate::door::{Door, DoorError};
use crate::opened::Opened;
use std::net::SocketAddr;

/// A door that can be taken.
pub struct CheckedDoor(Opened);

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
    /// Checks another door and reads its certificate, without taking it.
    ///
    /// # Errors
    /// When the door is not safe, its certificate cannot be read, or it differs in what only a restart can change: the
    /// address, and whether TLS is spoken.
    pub fn check(&self, door: Door) -> Result<CheckedDoor, DoorError> {
        if door.listen != self.asked && door.listen != self.address {
            let what = format!("the dashboard listens on {}, and cannot move while it runs", self.address);
            return Err(DoorError::of("listen", what, "restart the service").at(door.listen));
        }
        if door.tls.is_some() != self.desk.door().tls.is_some() {
            let what = "TLS cannot be switched on or off while the dashboard runs";
            return Err(DoorError::of("tls-cert", what, "restart the service"));
        }
        Opened::at(self.address, door).map(CheckedDoor)
    }

    /// Takes a door that was checked: its certificate, token, users and names. Open connections stay open; a session
    /// continues while its user or token may still enter, with the role of now.
    pub fn take(&self, door: CheckedDoor) {
        self.desk.take(door.0);
    }

    /// Checks another door and takes it. Where it fails, the one before stays in force.
    ///
    /// # Errors
    /// As [`Keeper::check`].
    pub fn reload(&self, door: Door) -> Result<(), DoorError> {
        self.check(door).map(|door| self.take(door))
    }
}
