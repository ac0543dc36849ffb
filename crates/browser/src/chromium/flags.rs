//! The command line of the browser.

use std::net::SocketAddr;
use std::path::Path;

/// The seed of `Math.random`: fixed, so that a page renders alike every time.
const RANDOM_SEED: &str = "--js-flags=--random-seed=1157259157";

/// Options that hold for every start: without a window, without network access of its own, without its vendor's
/// services.
const FIXED: [&str; 25] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-back-forward-cache",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-sync",
    "--hide-scrollbars",
    "--lang=en-US",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    // Loopback addresses go through the proxy as well.
    "--proxy-bypass-list=<-loopback>",
    // The headless shell obeys the one, Chromium the other.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    RANDOM_SEED,
];

/// Returns the arguments for a browser with this profile, whose every connection goes to this address, where nothing
/// answers.
pub(crate) fn flags(profile: &Path, dead_proxy: SocketAddr, sandbox: bool) -> Vec<String> {
    let mut flags: Vec<String> = FIXED.iter().map(|&flag| flag.to_owned()).collect();
    flags.push(format!("--proxy-server=http://{dead_proxy}"));
    flags.push(format!("--user-data-dir={}", profile.display()));
    if !sandbox {
        flags.push("--no-sandbox".to_owned());
    }
    flags
}
