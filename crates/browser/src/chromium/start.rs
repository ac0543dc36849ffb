//! Starts the browser.

use crate::Program;
use crate::chromium::client::Client;
use crate::chromium::process::Process;
use crate::chromium::watch;
use crate::start_error::{OLDEST, StartError};
use serde_json::{Value, json};

/// The use of the browser's sandbox.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// On where the system permits it.
    #[default]
    Auto,
    /// On; a system that does not permit it is an error.
    On,
    /// Off, as containers without user namespaces need.
    Off,
}

/// A browser that runs. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Browser {
    pub(crate) client: Client,
    /// The version, such as `HeadlessChrome/156.0.8078.108`.
    pub(crate) version: String,
    /// The sandbox is on.
    pub(crate) sandboxed: bool,
    process: Process,
}

impl Browser {
    /// Starts the program.
    pub(crate) async fn start(program: &Program, sandbox: Sandbox) -> Result<Browser, StartError> {
        match Browser::try_start(program, sandbox != Sandbox::Off).await {
            Err(StartError::Silent { .. }) if sandbox == Sandbox::Auto => {
                tracing::warn!("the browser does not start with its sandbox, and is started without");
                Browser::try_start(program, false).await
            }
            result => result,
        }
    }

    async fn try_start(program: &Program, sandboxed: bool) -> Result<Browser, StartError> {
        let (process, writer, reader) = Process::start(program, sandboxed)?;
        let client = Client::connect(writer, reader);
        let silent = || StartError::Silent { path: program.path.clone(), sandbox: sandboxed };
        let version = client.call("", "Browser.getVersion", json!({})).await.map_err(|_| silent())?;
        let version = version.get("product").and_then(Value::as_str).unwrap_or_default().to_owned();
        if !is_recent(&version) {
            return Err(StartError::Old { path: program.path.clone(), version });
        }
        close_popups(&client);
        watch::renderers(&client);
        client.call("", "Target.setDiscoverTargets", json!({"discover": true})).await.map_err(|_| silent())?;
        let deny = json!({"behavior": "deny"});
        client.call("", "Browser.setDownloadBehavior", deny).await.map_err(|_| silent())?;
        tracing::debug!(version, sandboxed, "the browser is started");
        Ok(Browser { client, version, sandboxed, process })
    }

    /// Returns true while the browser runs.
    pub(crate) fn is_running(&mut self) -> bool {
        self.client.is_connected() && self.process.is_running()
    }
}

/// Closes every window that a page opens. Its requests are not paused, and end at the dead proxy.
fn close_popups(client: &Client) {
    let (mut events, client) = (client.events(""), client.clone());
    tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            let info = event.params.get("targetInfo");
            let is_popup = info.is_some_and(|info| info.get("openerId").is_some());
            let target = info.and_then(|info| info.get("targetId")).cloned();
            if let ("Target.targetCreated", true, Some(target)) = (event.method.as_str(), is_popup, target) {
                // A popup may have closed itself.
                drop(client.send("", "Target.closeTarget", json!({"targetId": target})).await);
            }
        }
    });
}

/// Reports whether a version, such as `HeadlessChrome/156.0.8078.108`, is recent enough.
fn is_recent(version: &str) -> bool {
    let number = version.rsplit('/').next().and_then(|number| number.split('.').next()?.parse::<u32>().ok());
    number.is_some_and(|number| number >= OLDEST)
}

#[cfg(test)]
mod tests {
    use super::is_recent;

    #[test]
    fn old_and_unknown_versions_are_refused() {
        for (version, recent) in
            [("HeadlessChrome/156.0.8078.108", true), ("Chrome/120.0", true), ("Chrome/119.9", false), ("", false)]
        {
            assert_eq!(is_recent(version), recent, "{version}");
        }
    }
}
