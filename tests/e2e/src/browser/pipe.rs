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
/// The shell command that starts Chromium, which reads commands from descriptor 3 and writes answers to descriptor 4:
/// it duplicates standard input and output to them.
const SHELL: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;
/// Chromium's options: headless, without network access, without a GPU and a large `/dev/shm`. The sandbox is off
/// because it does not work for root, the user of tests in containers; Chromium opens only pages of the program under
/// test.
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
/// Longest wait for Chromium to exit by itself.
const ENDING: Duration = Duration::from_secs(10);
/// Pause between two checks whether Chromium has exited.
const POLL: Duration = Duration::from_millis(10);
/// Bytes of standard error, from its end, that a failure message contains.
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

    /// Sends a command and returns its number. An empty session means the browser itself.
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

    /// The end of Chromium's standard error.
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
    /// Sends `Browser.close`, so that helper processes end first; kills Chromium if it does not exit.
    fn drop(&mut self) {
        let requested = self.input.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        if requested.is_err() || !self.ended() {
            // Both fail only if the process has already exited.
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
