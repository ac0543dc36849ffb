//! The process of `mapwright serve`, driven through its API.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use mapwright_testkit::process;
use serde_json::Value;

use crate::Workspace;
use crate::binary;

/// Longest wait for a condition before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two polls of a condition.
const POLL: Duration = Duration::from_millis(10);

/// One service after another: a configuration file with jobs, and the state root `root`.
impl Workspace {
    /// A workspace with this configuration file.
    pub fn of_service(jobs: &str) -> Workspace {
        let workspace = Workspace::new();
        workspace.configure(jobs);
        workspace
    }

    /// Rewrites the configuration file.
    pub fn configure(&self, jobs: &str) {
        self.file("mapwright.toml", jobs);
    }

    /// Starts the service, and waits until its log contains the dashboard's address.
    #[track_caller]
    pub fn serve(&self) -> Service {
        self.serve_with(&[])
    }

    /// Starts the service with further arguments.
    #[track_caller]
    pub fn serve_with(&self, more: &[&str]) -> Service {
        self.start_service(more, &[])
    }

    /// Starts the service with these environment variables of a supervisor.
    #[track_caller]
    pub fn serve_under(&self, variables: &[(&str, &str)]) -> Service {
        self.start_service(&[], variables)
    }

    #[track_caller]
    fn start_service(&self, more: &[&str], variables: &[(&str, &str)]) -> Service {
        let log = self.path("serve.log");
        let mut command = std::process::Command::new(binary::path());
        command.args(["serve", "--listen", "127.0.0.1:0", "--state-root", "root", "--drain", "10s"]).args(more);
        command.current_dir(self.folder()).env_clear().env("HOME", self.path("home"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("MAPWRIGHT_LIST", "indexable");
        command.envs(variables.iter().copied());
        let said = File::create(&log).expect("a log can be made");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said).spawn().expect("the binary starts");
        let mut service = Service { child, log, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        service.address = service.wait_for_address();
        service
    }
}

/// A running service; killed when it is dropped.
#[derive(Debug)]
pub struct Service {
    child: Child,
    log: PathBuf,
    address: SocketAddr,
}

impl Service {
    /// The log so far.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// A URL of its dashboard.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The process.
    pub fn process(&self) -> &Child {
        &self.child
    }

    /// Sends SIGHUP, so that the service reloads its configuration.
    pub fn reload(&self) {
        process::hang_up(&self.child).expect("a service that still runs");
    }

    /// Kills it (SIGKILL).
    pub fn kill(&mut self) {
        self.child.kill().expect("a service that may be killed");
        self.child.wait().expect("an end");
    }

    /// Sends SIGTERM, and returns the exit code.
    pub fn end(mut self) -> Option<i32> {
        process::terminate(&self.child).expect("a service that still runs");
        self.until("the service has ended", |service| service.child.try_wait().ok().flatten()).code()
    }

    /// Sends a GET request.
    #[track_caller]
    pub fn get(&self, path: &str) -> (u16, String) {
        self.request("GET", path, None)
    }

    /// The same, by who knows the token.
    #[track_caller]
    pub fn get_as(&self, token: &str, path: &str) -> (u16, String) {
        self.request("GET", path, Some(token))
    }

    /// One of its jobs, as the API reports it.
    #[track_caller]
    pub fn job(&self, name: &str) -> Value {
        let (status, body) = self.get(&format!("/api/v1/jobs/{name}"));
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap_or_else(|_| panic!("no JSON: {body}"))
    }

    /// Sends a job the command `start`, `stop`, `pause` or `resume`, and returns the status code.
    #[track_caller]
    pub fn order(&self, name: &str, order: &str) -> u16 {
        self.request("POST", &format!("/api/v1/jobs/{name}/{order}"), None).0
    }

    /// The same, by who knows the token.
    #[track_caller]
    pub fn order_as(&self, token: &str, name: &str, order: &str) -> u16 {
        self.request("POST", &format!("/api/v1/jobs/{name}/{order}"), Some(token)).0
    }

    /// Waits until `look` returns a value.
    #[track_caller]
    pub fn until<T>(&mut self, what: &str, mut look: impl FnMut(&mut Service) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            assert!(Instant::now() < deadline, "{what}: it never happened; the service said {}", self.log());
            std::thread::sleep(POLL);
        }
    }

    fn wait_for_address(&mut self) -> SocketAddr {
        self.until("the service reports its address", |service| {
            let log = service.log();
            let (_, rest) = log.split_once("dashboard is at http://")?;
            rest.split('/').next()?.parse().ok()
        })
    }

    /// Sends a request with the header of an API client. Returns status 0 without a response, as from a service that is
    /// ending.
    fn request(&self, method: &str, path: &str, token: Option<&str>) -> (u16, String) {
        let login = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        let answer = (|| {
            let mut stream = TcpStream::connect(self.address)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let host = self.address;
            write!(
                stream,
                "{method} {path} HTTP/1.1\r\nHost: {host}\r\nX-Mapwright-Client: tests\r\nContent-Length: 0\r\n\
                 {login}Connection: close\r\n\r\n"
            )?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok::<String, std::io::Error>(answer)
        })()
        .unwrap_or_default();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, body.to_owned())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
