//! A real web server: Debian's nginx on a free loopback port, without root, with its files in a temporary directory.

use std::fs;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

mod config;

/// The path of the program in Debian's package.
const PROGRAM: &str = "/usr/sbin/nginx";
/// Timeout until it accepts connections.
const PATIENCE: Duration = Duration::from_secs(20);
/// Pause between two attempts to connect while it starts: there is no event to wait for.
const POLL: Duration = Duration::from_millis(5);
/// Number of ports to try: another process may take a port between its discovery and its use by nginx.
const PORTS: usize = 8;

/// A running nginx that serves directories and ends when dropped.
#[derive(Debug)]
pub struct Nginx {
    child: Child,
    address: SocketAddr,
    home: TempDir,
}

impl Nginx {
    /// Serves each directory under its URL prefix, which begins and ends with a slash: `("/docs/", "/usr/share/doc")`.
    /// Other paths answer 404.
    ///
    /// # Errors
    /// When nginx is not installed (the message names the package), a directory is missing or cannot be written into a
    /// configuration, or nginx does not start (the message contains its log).
    pub fn serve<P: AsRef<str>, D: AsRef<Path>>(mounts: &[(P, D)]) -> io::Result<Nginx> {
        if !Path::new(PROGRAM).exists() {
            let message = format!("{PROGRAM} is missing: install the package nginx");
            return Err(io::Error::new(ErrorKind::NotFound, message));
        }
        let mounts: Vec<(&str, PathBuf)> = mounts
            .iter()
            .map(|(prefix, dir)| Ok((prefix.as_ref(), directory(dir.as_ref())?)))
            .collect::<io::Result<_>>()?;
        let mut last = io::Error::other("no port was tried");
        for _ in 0..PORTS {
            match start(&mounts) {
                Err(error) if error.kind() == ErrorKind::AddrInUse => last = error,
                other => return other,
            }
        }
        Err(last)
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its URL without a path and without a slash at the end.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base())
    }

    /// Its access log so far, one line per request: `METHOD TARGET STATUS`. A request is logged after its response was
    /// sent, so the very last one may be missing for an instant.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn access_log(&self) -> io::Result<Vec<String>> {
        let log = fs::read(self.home.path().join(config::ACCESS_LOG))?;
        Ok(String::from_utf8_lossy(&log).lines().map(str::to_owned).collect())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It is one process without a master, so killing it ends everything. Both calls fail only if it has ended
        // already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn directory(path: &Path) -> io::Result<PathBuf> {
    if path.is_dir() {
        return Ok(path.to_owned());
    }
    Err(io::Error::new(ErrorKind::NotFound, format!("{} is no directory: install what provides it", path.display())))
}

fn start(mounts: &[(&str, PathBuf)]) -> io::Result<Nginx> {
    let home = tempfile::Builder::new().prefix("mapwright-nginx-").tempdir()?;
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let config = home.path().join("nginx.conf");
    fs::write(&config, config::write(home.path(), address, mounts)?)?;
    let child = Command::new(PROGRAM)
        .arg("-p")
        .arg(home.path())
        .arg("-c")
        .arg(&config)
        .arg("-e")
        .arg(home.path().join(config::ERROR_LOG))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut nginx = Nginx { child, address, home };
    nginx.wait_until_it_accepts()?;
    Ok(nginx)
}

impl Nginx {
    fn wait_until_it_accepts(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            // The exit status comes first: a server that ended did not get its port, and another process accepts there.
            if let Some(status) = self.child.try_wait()? {
                return Err(self.failure(&format!("nginx ended ({status})")));
            }
            if self.log().contains("bind()") {
                return Err(self.failure("nginx cannot have its port"));
            }
            if TcpStream::connect(self.address).is_ok() && self.home.path().join(config::PID).exists() {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(self.failure("nginx does not accept connections"));
            }
            std::thread::sleep(POLL);
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.home.path().join(config::ERROR_LOG)).unwrap_or_default()
    }

    fn failure(&self, what: &str) -> io::Error {
        let log = self.log();
        let kind = if log.contains("in use") { ErrorKind::AddrInUse } else { ErrorKind::Other };
        io::Error::new(kind, format!("{what} on {}: {log}", self.address))
    }
}

#[cfg(test)]
mod tests;
