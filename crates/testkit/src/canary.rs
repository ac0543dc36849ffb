//! A listener that must never be contacted.

use std::cell::Cell;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

/// A listener that counts connections and answers none: tests put its address where a crawl must not go.
///
/// The count is exact without any wait: a connection on loopback is in the listener's queue before the client sees it
/// established, and [`Canary::contacts`] empties that queue. (The queue holds 128 between two counts.)
#[derive(Debug)]
pub struct Canary {
    listener: TcpListener,
    address: SocketAddr,
    counted: Cell<usize>,
}

impl Canary {
    /// A canary on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When no port is available.
    #[must_use]
    pub fn open() -> Canary {
        Canary::at("127.0.0.1:0")
    }

    /// A canary on this address; port 0 takes a free one.
    ///
    /// # Panics
    /// When the address cannot be bound.
    #[must_use]
    pub fn at(address: impl ToSocketAddrs) -> Canary {
        let listener = TcpListener::bind(address).expect("a loopback address for the canary");
        listener.set_nonblocking(true).expect("a socket that does not block");
        let address = listener.local_addr().expect("the address of a bound socket");
        Canary { listener, address, counted: Cell::new(0) }
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path on it.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The number of connections so far.
    ///
    /// # Panics
    /// When the system reports an error.
    #[must_use]
    pub fn contacts(&self) -> usize {
        loop {
            match self.listener.accept() {
                Ok(_) => self.counted.set(self.counted.get() + 1),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return self.counted.get(),
                // A connection that was aborted before it was counted is a contact, too.
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => self.counted.set(self.counted.get() + 1),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => panic!("the canary on {} cannot count: {error}", self.address),
            }
        }
    }

    /// Asserts that there was no connection.
    ///
    /// # Panics
    /// When there was one.
    #[track_caller]
    pub fn assert_untouched(&self) {
        assert_eq!(self.contacts(), 0, "the canary on {} was contacted", self.address);
    }
}
