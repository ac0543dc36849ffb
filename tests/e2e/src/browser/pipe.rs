//! Chromium's process and the pipe to it: JSON in both directions, each message ended by a zero byte.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The program, of the package of the same name.
const PROGRAM: &str = "/usr/bin/chromium";
/// It reads from descriptor 3 and writes to descriptor 4, which a shell makes of the two that it was started with.
const SHELL: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;
/// What it is not to do: show itself, reach for the network, or need what small machines lack. What it opens was
/// written by the program under test, and root, whom containers run tests as, can have no sandbox.
const OPTIONS: [&str; 11] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--password-store=basic",
];
/// Longest wait until it has ended by itself.
const ENDING: Duration = Duration::from_secs(10);
/// Pause between two looks whether it has ended.
const POLL: Duration = Duration::from_millis(10);
/// How much of what it said is told.
const WORDS: usize = 4_000;

#[derive(Debug)]
pub(super) struct Pipe {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    sent: u64,
    home: TempDir,
}

impl Pipe {
    /// Starts the browser with a fresh profile.
    pub(super) fn open() -> Pipe {
        assert!(Path::new(PROGRAM).exists(), "{PROGRAM} is missing: install the package chromium");
        let home = tempfile::Builder::new().prefix("mapwright-chromium-").tempdir().expect("a folder for a profile");
        let words = File::create(home.path().join("stderr")).expect("a file for the words of the browser");
        let mut child = Command::new("sh")
            .args(["-c", SHELL, PROGRAM])
            .args(OPTIONS)
            .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
            .env("HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("XDG_CACHE_HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(words)
            .spawn()
            .expect("a shell");
        let input = child.stdin.take().expect("the way in");
        let messages = reader(child.stdout.take().expect("the way out"));
        Pipe { child, input, messages, sent: 0, home }
    }

    /// Sends a command, for the browser itself where no session is named, and gives its number.
    #[track_caller]
    pub(super) fn send(&mut self, session: &str, method: &str, params: &Value) -> u64 {
        self.sent += 1;
        let mut message = json!({"id": self.sent, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let written = self.input.write_all(&bytes).and_then(|()| self.input.flush());
        written.unwrap_or_else(|error| panic!("the browser takes no {method} ({error}): {}", self.words()));
        self.sent
    }

    /// The next message.
    #[track_caller]
    pub(super) fn receive(&self, deadline: Instant) -> Value {
        let left = deadline.saturating_duration_since(Instant::now());
        let message = self.messages.recv_timeout(left);
        message.unwrap_or_else(|error| panic!("nothing comes from the browser ({error}): {}", self.words()))
    }

    /// The end of what it said on standard error.
    fn words(&self) -> String {
        let bytes = fs::read(self.home.path().join("stderr")).unwrap_or_default();
        let from = bytes.len().saturating_sub(WORDS);
        String::from_utf8_lossy(bytes.get(from..).unwrap_or_default()).into_owned()
    }

    fn ended(&mut self) -> bool {
        let deadline = Instant::now() + ENDING;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return true;
            }
            std::thread::sleep(POLL);
        }
        false
    }
}

impl Drop for Pipe {
    /// Asks it to end, so that its own helpers end first, and ends it where it does not.
    fn drop(&mut self) {
        let asked = self.input.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        if asked.is_err() || !self.ended() {
            // Both fail only where it is gone already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads messages on a thread of its own until the pipe is closed.
fn reader(pipe: impl Read + Send + 'static) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for bytes in BufReader::new(pipe).split(0).map_while(Result::ok) {
            let message = serde_json::from_slice(&bytes).expect("messages of the browser are JSON");
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    receiver
}
