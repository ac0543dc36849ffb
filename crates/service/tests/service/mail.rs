//! A mail server: aiosmtpd, run by the script of the notification tests.

use serde_json::Value;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The interpreter of the system, because the package of the server is installed for it only.
const PYTHON: &str = "/usr/bin/python3";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../notify/tests/notify/smtp.py");
/// The longest wait for a line of the server.
const PATIENCE: Duration = Duration::from_secs(60);

/// A mail server without TLS that runs until it is dropped.
pub(crate) struct MailServer {
    child: Child,
    printed: Receiver<String>,
    pub(crate) port: u16,
}

impl MailServer {
    pub(crate) fn open() -> Self {
        let mut command = Command::new(PYTHON);
        command.args([SCRIPT, "plain"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines: Lines<BufReader<ChildStdout>> = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, printed) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let port = printed.recv_timeout(PATIENCE).expect("a mail server: install python3-aiosmtpd");
        Self { child, printed, port: port.parse().unwrap() }
    }

    /// Returns the next message that it received.
    pub(crate) fn got(&self) -> Value {
        serde_json::from_str(&self.printed.recv_timeout(PATIENCE).expect("a message")).unwrap()
    }

    /// Returns whether it received no further message so far.
    pub(crate) fn got_nothing(&self) -> bool {
        self.printed.try_recv().is_err()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
