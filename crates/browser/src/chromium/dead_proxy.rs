//! An address at which nothing answers.

use rustix::net::{AddressFamily, SocketType, bind, getsockname, socket};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::os::fd::OwnedFd;

/// A loopback port that is bound and not listened on: connections are refused at once, and no other program can take
/// the port. The browser gets it as its proxy, so that nothing of it reaches the network, name lookups included.
#[derive(Debug)]
pub(crate) struct DeadProxy {
    address: SocketAddr,
    _socket: OwnedFd,
}

impl DeadProxy {
    /// Takes a free port.
    pub(crate) fn open() -> io::Result<DeadProxy> {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
        bind(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0))?;
        let address = SocketAddr::try_from(getsockname(&socket)?).map_err(io::Error::from)?;
        Ok(DeadProxy { address, _socket: socket })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_refused_and_the_port_is_taken() {
        let proxy = DeadProxy::open().unwrap();
        let refused = std::net::TcpStream::connect(proxy.address()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ConnectionRefused);
        assert!(std::net::TcpListener::bind(proxy.address()).is_err());
    }
}
