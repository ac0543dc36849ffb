//! Ports without a web site.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};

use tokio::net::TcpSocket;

/// A port of 127.0.0.1 that refuses connections. It is bound without listening, so that no other process can listen
/// there in the meantime.
#[derive(Debug)]
pub(super) struct ClosedPort {
    socket: TcpSocket,
}

impl ClosedPort {
    pub(super) fn new() -> ClosedPort {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a loopback port");
        ClosedPort { socket }
    }

    pub(super) fn number(&self) -> u16 {
        self.socket.local_addr().expect("the address of a bound socket").port()
    }
}

/// A port of 127.0.0.1 that answers every request with a line that is not TLS, until the test's process ends.
pub(super) fn port_without_tls() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a loopback port");
    let port = listener.local_addr().expect("the address of a bound socket").port();
    std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(speak_plainly(stream))));
    port
}

/// The greeting is read first: closing a socket with unread bytes would reset the connection, a fault of another kind.
fn speak_plainly(mut stream: TcpStream) -> std::io::Result<()> {
    let mut greeting = [0; 4_096];
    let _ = stream.read(&mut greeting)?;
    stream.write_all(b"220 This is no TLS\r\n")
}
