//! Shared by the tests: a site, and a renderer whose fetcher may reach it.

use mapwright_browser::{
    Document, PageFetch, Program, Render as _, RenderFailure, RenderOptions, Rendered, Renderer, Sandbox,
};
use mapwright_fetch::{FetchOptions, Headers, HttpFetch, Reply, Request};
use mapwright_model::FailedReason;
use mapwright_testkit::FakeSite;
use mapwright_web::{PageUrl, UrlIdentity};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// The headless shell of Debian's package `chromium-headless-shell`.
pub(crate) const HEADLESS_SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";
/// The browser of Debian's package `chromium`.
pub(crate) const CHROMIUM: &str = "/usr/lib/chromium/chromium";
/// The time after which pages are read as they are, where a test names no other.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A site and a renderer for its pages.
pub(crate) struct Fixture<F: PageFetch = HttpFetch> {
    pub(crate) site: FakeSite,
    pub(crate) renderer: Renderer<F>,
}

/// A fetcher that refuses everything.
pub(crate) struct Nothing;

impl PageFetch for Nothing {
    async fn fetch_for(&self, _page: &PageUrl, _request: Request) -> Result<Reply, FailedReason> {
        Err(FailedReason::Robots)
    }
}

impl Fixture {
    pub(crate) fn open() -> Fixture {
        Fixture::with_timeout(TIMEOUT)
    }

    /// A renderer that uses this browser.
    pub(crate) fn of(program: &str) -> Fixture {
        let site = FakeSite::open();
        let fetch = http_fetch(&site);
        Fixture { renderer: Renderer::new(fetch, options(program, TIMEOUT)), site }
    }

    /// A renderer that reads pages after this time as they are.
    pub(crate) fn with_timeout(timeout: Duration) -> Fixture {
        let site = FakeSite::open();
        let fetch = http_fetch(&site);
        Fixture { renderer: Renderer::new(fetch, options(HEADLESS_SHELL, timeout)), site }
    }

    /// Renders a page of the site with this HTML.
    pub(crate) async fn render(&self, html: &str) -> Rendered {
        self.try_render("/page", html).await.unwrap()
    }

    pub(crate) async fn try_render(&self, path: &str, html: &str) -> Result<Rendered, RenderFailure> {
        self.renderer.render(self.document(path, &[], html)).await
    }
}

impl<F: PageFetch> Fixture<F> {
    /// A renderer that uses this browser and this fetcher.
    pub(crate) fn with(program: &str, fetch: F) -> Fixture<F> {
        Fixture { site: FakeSite::open(), renderer: Renderer::new(fetch, options(program, TIMEOUT)) }
    }

    /// A document of the site with these header fields besides its media type.
    pub(crate) fn document(&self, path: &str, fields: &[(&str, &str)], html: &str) -> Arc<Document> {
        let media_type = ("Content-Type", "text/html; charset=utf-8");
        let headers = Headers::from_pairs([media_type].iter().chain(fields).copied());
        Arc::new(Document { url: url(&self.site.url(path)), headers, body: html.as_bytes().to_vec() })
    }
}

fn options(program: &str, timeout: Duration) -> RenderOptions {
    let program = Program::at(Path::new(program)).expect("install the packages chromium and chromium-headless-shell");
    // Containers may lack user namespaces; `ends.rs` tests the sandbox.
    RenderOptions { program, sandbox: Sandbox::Auto, tabs: 2, timeout, user_agent: "mapwright-test".to_owned() }
}

/// A fetcher that may reach the site alone.
fn http_fetch(site: &FakeSite) -> HttpFetch {
    let options = FetchOptions { first_party: vec![url(&site.url("/")).origin()], ..FetchOptions::default() };
    HttpFetch::new(options).unwrap()
}

pub(crate) fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}

/// A script that adds a link of this name to the page.
pub(crate) fn link(name: &str) -> String {
    format!("document.body.insertAdjacentHTML('beforeend', '<a href=\"/{name}\">{name}</a>')")
}

/// A document with this script in its body.
pub(crate) fn with_script(script: &str) -> String {
    format!("<!doctype html><title>A page</title><body><p>Text</p><script>{script}</script>")
}

/// Set in the process of a test that has one of its own.
const ALONE: &str = "HAS_A_PROCESS_OF_ITS_OWN";

/// Returns true in a process of this test's own. Elsewhere, runs the test in one, perhaps by another command, requires
/// that it passes, and returns false.
#[track_caller]
pub(crate) fn in_a_process_of_its_own(test: &str, by: Option<Command>) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let program = std::env::current_exe().unwrap();
    let mut command = match by {
        None => Command::new(program),
        Some(mut command) => {
            command.arg(program);
            command
        }
    };
    let output = command.args([test, "--exact", "--nocapture"]).env(ALONE, "yes").output().unwrap();
    let output_text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && output_text.contains("1 passed"), "{output_text}");
    false
}
