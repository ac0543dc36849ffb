//! The browser of a crawl, with the tabs that it keeps.

use crate::chromium::settle;
use crate::chromium::start::{Browser, Sandbox};
use crate::chromium::tab::Tab;
use crate::{Document, PageFetch, Program, Render, RenderFailure, Rendered, RenderingOutcome};
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, Semaphore};

/// The options of rendering.
#[derive(Debug, Clone)]
pub struct RenderOptions {
    /// The browser.
    pub program: Program,
    /// The use of its sandbox.
    pub sandbox: Sandbox,
    /// Highest number of pages that are rendered at once; at least one.
    pub tabs: usize,
    /// The real time after which a page is read as it is.
    pub timeout: Duration,
    /// The user agent that pages see: that of the crawler.
    pub user_agent: String,
}

/// Renders documents, whose requests this fetcher answers.
pub struct Renderer<F> {
    fetch: Arc<F>,
    options: RenderOptions,
    places: Semaphore,
    state: Mutex<State>,
    /// The browser in words, once it was started.
    browser: OnceLock<String>,
}

/// The browser, from the first rendering on.
#[derive(Debug, Default)]
struct State {
    browser: Option<Browser>,
    /// Tabs without a page.
    idle: Vec<Tab>,
    /// Starts of the browser since a page was rendered.
    starts: u32,
}

/// Most starts of the browser in a row without a page that was rendered.
const MAX_STARTS: u32 = 4;

impl<F: PageFetch> Renderer<F> {
    /// Returns a renderer whose browser is not started yet.
    pub fn new(fetch: F, options: RenderOptions) -> Renderer<F> {
        let places = Semaphore::new(options.tabs.max(1));
        Renderer { fetch: Arc::new(fetch), options, places, state: Mutex::default(), browser: OnceLock::new() }
    }

    /// Returns a tab without a page. The browser is started where it does not run.
    async fn tab(&self) -> Result<Tab, RenderFailure> {
        let mut state = self.state.lock().await;
        if !state.browser.as_mut().is_some_and(Browser::is_running) {
            state.idle.clear();
            // The old one ends before the new one starts.
            state.browser = None;
            if state.starts == MAX_STARTS {
                return Err(RenderFailure::Unusable);
            }
            state.starts += 1;
            let browser = Browser::start(&self.options.program, self.options.sandbox).await?;
            self.browser.get_or_init(|| describe(&browser));
            state.browser = Some(browser);
        }
        if let Some(tab) = state.idle.pop() {
            return Ok(tab);
        }
        let client = state.browser.as_ref().map(|browser| browser.client.clone());
        drop(state);
        let client = client.ok_or(RenderFailure::Ended)?;
        Ok(Tab::open(&client, &self.options.user_agent).await?)
    }

    /// Keeps a tab for the next page, or closes it.
    async fn give_back(&self, mut tab: Tab, rendered: Option<&Rendered>) {
        if rendered.is_some() {
            self.state.lock().await.starts = 0;
        }
        if rendered.is_some_and(|rendered| !rendered.rendering.cut) && tab.leave().await {
            self.state.lock().await.idle.push(tab);
        } else {
            tab.close().await;
        }
    }

    /// Renders a document once.
    async fn try_render(&self, document: &Arc<Document>) -> Result<Rendered, RenderFailure> {
        let mut tab = self.tab().await?;
        let rendered = settle::render(&mut tab, &self.fetch, document, self.options.timeout).await;
        self.give_back(tab, rendered.as_ref().ok()).await;
        Ok(rendered?)
    }
}

impl<F: PageFetch> Render for Renderer<F> {
    fn render(&self, document: Arc<Document>) -> RenderingOutcome<'_> {
        Box::pin(async move {
            // The semaphore is never closed.
            let _place = self.places.acquire().await;
            let began = Instant::now();
            let mut tries = 1;
            loop {
                match self.try_render(&document).await {
                    Err(failure) if began.elapsed() < self.options.timeout && tries < most_tries(&failure) => {
                        tries += 1
                    }
                    rendered => return rendered,
                }
            }
        })
    }

    fn browser(&self) -> Option<String> {
        self.browser.get().cloned()
    }
}

/// Returns the number of tries after which this failure stands. A page may have crashed for the sake of another one in
/// the same renderer; a browser that is killed ends in parts, at first perhaps with the renderer of the page.
fn most_tries(failure: &RenderFailure) -> u32 {
    match failure {
        RenderFailure::Page(_) => 2,
        RenderFailure::Ended => 3,
        RenderFailure::Start(_) | RenderFailure::Unusable => 1,
    }
}

/// Returns the version of a browser, and the state of its sandbox.
fn describe(browser: &Browser) -> String {
    let sandbox = if browser.sandboxed { "with its sandbox" } else { "without its sandbox" };
    format!("{} {sandbox}", browser.version.replace('/', " "))
}

impl<F> fmt::Debug for Renderer<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer").field("options", &self.options).finish_non_exhaustive()
    }
}
