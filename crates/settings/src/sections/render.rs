//! `[render]`: pages made by scripts.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::{RenderMode, RenderSandbox};
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// Pages made by scripts: which are rendered, by which browser, within which limits.
    pub struct RenderSection in Render;

    /// The pages whose scripts are run in a browser before they are read.
    ///
    /// `never`: none; `auto`: empty shells, and pages of templates whose scripts add links or change what the page says,
    /// which is learnt from a few pages of each; `always`: all pages with scripts, which takes hundreds of times more
    /// processor time than reading them. Errors, redirects and pages that are not to be indexed are never rendered,
    /// except that an audit with `always` renders the latter to compare them.
    render: RenderMode = "never", for OptionCommands::CRAWL;

    /// Render this many pages at once. Without it, as many as the machine has processors, at most four.
    render_tabs: Option<u32> = "", kind ValueKind::Count { min: 1, max: 64 }, for OptionCommands::CRAWL;

    /// Read a page that is not settled after this time as it is then.
    render_timeout: Duration = "20s",
        kind ValueKind::Duration { min: Duration::from_millis(100) }, for OptionCommands::CRAWL;

    /// Render at most this many pages in one run; further pages are read without their scripts.
    max_renders: Option<u64> = "", kind ValueKind::Count { min: 0, max: i64::MAX as u64 }, for OptionCommands::CRAWL;

    /// The browser: Chromium or Chrome, version 120 or later. Without it, an installed one is looked for:
    /// `chromium-headless-shell`, then Chromium, then Chrome.
    browser: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "/usr/bin/chromium" }, for OptionCommands::CRAWL;

    /// The use of the browser's sandbox.
    ///
    /// `auto`: on where the system permits it; `on`: a browser that does not start with it is an error; `off`:
    /// containers without user namespaces need it. The browser has no network either way.
    render_sandbox: RenderSandbox = "auto", for OptionCommands::CRAWL;
}
