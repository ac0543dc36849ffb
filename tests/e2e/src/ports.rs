//! Ports that no web site answers on.

use std::net::TcpListener;

/// A port of 127.0.0.1 on which every connection is accepted and closed at once, until the test's process ends.
pub fn port_that_hangs_up() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
    let port = listener.local_addr().expect("the address of a bound socket").port();
    std::thread::spawn(move || listener.incoming().for_each(drop));
    port
}
