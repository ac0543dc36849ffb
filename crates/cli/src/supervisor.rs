//! Notification of the service's supervisor by the protocol of sd_notify(3): ready, alive, reloading, stopping. Without
//! `$NOTIFY_SOCKET` nothing is sent.

use mapwright_service::Service;
use rustix::time::{ClockId, clock_gettime};
use std::env;
use std::ffi::OsStr;
use std::future::pending;
use std::io;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Maximum time that a supervisor that does not read its socket delays the service.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Number of keep-alives per watchdog interval.
const KEEP_ALIVES_PER_INTERVAL: u32 = 3;

/// Notifies the supervisor that the service is ready after the first iteration of its loop, then that it is alive as
/// often as the watchdog requires and the loop iterates, and finally that it stops.
pub(crate) async fn notify_supervisor(service: Service, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = send_keep_alives(&service) => {}
    }
    notify("STOPPING=1");
}

async fn send_keep_alives(service: &Service) {
    service.check_liveness().await;
    ready();
    let own = std::process::id().to_string();
    let Some(watchdog_interval) =
        watchdog_interval(env::var("WATCHDOG_USEC").ok(), env::var("WATCHDOG_PID").ok(), &own)
    else {
        return pending().await;
    };
    loop {
        tokio::time::sleep(watchdog_interval / KEEP_ALIVES_PER_INTERVAL).await;
        service.check_liveness().await;
        notify("WATCHDOG=1");
    }
}

/// The watchdog interval of the process `own`; `None` where there is no watchdog, or it is for another process.
fn watchdog_interval(micros: Option<String>, process: Option<String>, own: &str) -> Option<Duration> {
    let micros = micros?.parse().ok().filter(|micros| *micros > 0)?;
    process.is_none_or(|process| process == own).then_some(Duration::from_micros(micros))
}

/// Notifies the supervisor that the configuration is being reloaded; [`ready`] reports the end.
pub(crate) fn reloading() {
    let now = clock_gettime(ClockId::Monotonic);
    let micros = i128::from(now.tv_sec) * 1_000_000 + i128::from(now.tv_nsec) / 1_000;
    notify(&format!("RELOADING=1\nMONOTONIC_USEC={micros}"));
}

/// Notifies the supervisor that the service is ready, or ready again.
pub(crate) fn ready() {
    notify("READY=1");
}

fn notify(state: &str) {
    let Some(address) = env::var_os("NOTIFY_SOCKET") else { return };
    if let Err(error) = send(&address, state) {
        tracing::warn!("the supervisor cannot be notified ($NOTIFY_SOCKET): {error}");
    }
}

fn send(address: &OsStr, state: &str) -> io::Result<()> {
    let socket = UnixDatagram::unbound()?;
    socket.set_write_timeout(Some(MAX_WAIT))?;
    socket.send_to_addr(state.as_bytes(), &parsed(address)?).map(drop)
}

/// The address of a socket: a path, or `@` and a name in the abstract namespace.
fn parsed(address: &OsStr) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    {
        use std::os::{linux::net::SocketAddrExt as _, unix::ffi::OsStrExt as _};
        if let Some(name) = address.as_bytes().strip_prefix(b"@") {
            return SocketAddr::from_abstract_name(name);
        }
    }
    SocketAddr::from_pathname(address)
}

#[cfg(test)]
mod tests {
    use super::watchdog_interval;
    use std::time::Duration;

    #[test]
    fn the_watchdog_waits_for_this_process_alone() {
        let interval =
            |micros: &str, process: Option<&str>| watchdog_interval(Some(micros.into()), process.map(Into::into), "7");
        assert_eq!(interval("300000", None), Some(Duration::from_millis(300)));
        assert_eq!(interval("300000", Some("7")), Some(Duration::from_millis(300)));
        assert_eq!([interval("300000", Some("8")), interval("0", None), interval("soon", None)], [None; 3]);
        assert_eq!(watchdog_interval(None, None, "7"), None);
    }
}
