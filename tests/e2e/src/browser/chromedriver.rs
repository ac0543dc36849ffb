//! The process of chromedriver, which starts and drives Chromium.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The program, of the package chromium-driver.
const PROGRAM: &str = "/usr/bin/chromedriver";
/// The beginning of the line that names the port.
const STARTED: &str = "ChromeDriver was started successfully on port ";

/// A process of its own for each browser. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Chromedriver {
    process: Child,
    url: String,
    _home: TempDir,
}

impl Chromedriver {
    /// Starts it on a free port, with a home folder of its own.
    pub(super) fn start() -> Chromedriver {
        assert!(Path::new(PROGRAM).exists(), "{PROGRAM} is missing: install the package chromium-driver");
        let home = tempfile::Builder::new().prefix("mapwright-chromium-").tempdir().expect("a folder for a profile");
        let mut process = Command::new(PROGRAM)
            .arg("--port=0")
            .env("HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("XDG_CACHE_HOME", home.path())
            .env("TMPDIR", home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let port = lines.find_map(|line| Some(line.strip_prefix(STARTED)?.trim_end_matches('.').to_owned()));
        let port = port.expect("chromedriver names its port");
        // What it prints later is read, so that it is never blocked.
        std::thread::spawn(move || lines.for_each(drop));
        Chromedriver { process, url: format!("http://127.0.0.1:{port}"), _home: home }
    }

    /// The URL of its API.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Chromedriver {
    fn drop(&mut self) {
        // Both fail only if the process has already exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
