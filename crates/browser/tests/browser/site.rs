//! Shared by the tests: a site, and a renderer whose fetcher may reach it.

use mapwright_browser::{Document, Program, Render as _, RenderFailure, RenderOptions, Rendered, Renderer, Sandbox};
use mapwright_fetch::{FetchOptions, Headers, HttpFetch};
use mapwright_testkit::FakeSite;
use mapwright_web::{PageUrl, UrlIdentity};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The headless shell of Debian's package `chromium-headless-shell`.
const PROGRAM: &str = "/usr/lib/chromium/chromium-headless-shell";

/// A site and a renderer for its pages.
pub(crate) struct Fixture {
    pub(crate) site: FakeSite,
    pub(crate) renderer: Renderer<HttpFetch>,
}

impl Fixture {
    pub(crate) fn open() -> Fixture {
        Fixture::with_timeout(Duration::from_secs(60))
    }

    /// A renderer that reads pages after this time as they are.
    pub(crate) fn with_timeout(timeout: Duration) -> Fixture {
        let site = FakeSite::open();
        let program = Program::at(Path::new(PROGRAM)).expect("install the package chromium-headless-shell");
        let user_agent = "mapwright-test".to_owned();
        // Containers may lack user namespaces; `ends.rs` tests the sandbox.
        let options = RenderOptions { program, sandbox: Sandbox::Auto, tabs: 2, timeout, user_agent };
        let fetch_options = FetchOptions { first_party: vec![url(&site.url("/")).origin()], ..FetchOptions::default() };
        let fetch = HttpFetch::new(fetch_options).unwrap();
        Fixture { renderer: Renderer::new(fetch, options), site }
    }

    /// Renders a page of the site with this HTML.
    pub(crate) async fn render(&self, html: &str) -> Rendered {
        self.try_render("/page", html).await.unwrap()
    }

    pub(crate) async fn try_render(&self, path: &str, html: &str) -> Result<Rendered, RenderFailure> {
        let headers = Headers::from_pairs([("Content-Type", "text/html; charset=utf-8")]);
        let document = Document { url: url(&self.site.url(path)), headers, body: html.as_bytes().to_vec() };
        self.renderer.render(Arc::new(document)).await
    }
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
