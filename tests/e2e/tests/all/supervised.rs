//! The service under a supervisor that speaks sd_notify(3), as systemd does.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, reason = "helpers fail the test by panicking")]

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use mapwright_e2e::Workspace;

/// The longest wait for a message.
const PATIENCE: Duration = Duration::from_secs(60);
/// A configuration with a job that never runs during the tests.
const JOBS: &str = "[job.shop]\nurl = [\"http://127.0.0.1:1/\"]\ncron = \"0 0 1 1 *\"\n";

/// The socket of a supervisor.
struct Supervisor(UnixDatagram);

impl Supervisor {
    fn at(address: &SocketAddr) -> Supervisor {
        let socket = UnixDatagram::bind_addr(address).expect("a socket");
        socket.set_read_timeout(Some(PATIENCE)).expect("a limit");
        Supervisor(socket)
    }

    /// The next message except watchdog messages.
    #[track_caller]
    fn hears(&self) -> String {
        loop {
            let message = self.hears_anything();
            if message != "WATCHDOG=1" {
                return message;
            }
        }
    }

    #[track_caller]
    fn hears_anything(&self) -> String {
        let mut bytes = [0; 1024];
        let count = self.0.recv(&mut bytes).expect("a message");
        String::from_utf8_lossy(bytes.get(..count).unwrap_or_default()).into_owned()
    }
}

#[test]
fn a_supervisor_is_notified_of_ready_watchdog_reloading_and_stopping() {
    let workspace = Workspace::of_service(JOBS);
    let path = workspace.path("notify");
    let supervisor = Supervisor::at(&SocketAddr::from_pathname(&path).expect("an address"));
    let address = path.display().to_string();
    let service = workspace.serve_under(&[("NOTIFY_SOCKET", address.as_str()), ("WATCHDOG_USEC", "300000")]);
    assert_eq!(supervisor.hears_anything(), "READY=1");
    assert_eq!([supervisor.hears_anything(), supervisor.hears_anything()], ["WATCHDOG=1"; 2]);
    for jobs in [JOBS, "nonsense"] {
        workspace.configure(jobs);
        service.reload();
        let reloading = supervisor.hears();
        let micros =
            reloading.strip_prefix("RELOADING=1\nMONOTONIC_USEC=").and_then(|micros| micros.parse::<u64>().ok());
        assert!(micros.is_some_and(|micros| micros > 0), "{reloading}");
        assert_eq!(supervisor.hears(), "READY=1");
    }
    assert_eq!(service.end(), Some(0));
    assert_eq!(supervisor.hears(), "STOPPING=1");
}

#[test]
fn a_supervisor_may_listen_in_the_abstract_namespace() {
    let workspace = Workspace::of_service(JOBS);
    let name = format!("mapwright-{}", workspace.folder().display());
    let supervisor = Supervisor::at(&SocketAddr::from_abstract_name(&name).expect("an address"));
    let address = format!("@{name}");
    let service = workspace.serve_under(&[("NOTIFY_SOCKET", address.as_str())]);
    assert_eq!(supervisor.hears_anything(), "READY=1");
    assert_eq!(service.end(), Some(0));
    assert_eq!(supervisor.hears_anything(), "STOPPING=1", "no watchdog, no signs of life");
}
