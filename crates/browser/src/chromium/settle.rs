//! Loads a document in a tab, lets its scripts run until it has settled, and reads it.

use crate::chromium::answer::{Answered, Decision, Page, answer, decide};
use crate::chromium::client::{CallError, Event};
use crate::chromium::paused::Paused;
use crate::chromium::script_errors::ScriptErrors;
use crate::chromium::scrolling::scrolls_on;
use crate::chromium::tab::{Tab, text};
use crate::{Document, PageFetch, Rendered};
use mapwright_fetch::Method;
use mapwright_model::{FailedRequest, Navigation, Rendering};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

/// Slices of virtual time, of a second each. Between them, a page has real time for what virtual time does not drive.
const SLICES: u32 = 5;
/// One slice in milliseconds.
const SLICE_MS: u32 = 1_000;
/// Longest real time between two slices: two frames, if the browser draws any.
const PAUSE: Duration = Duration::from_millis(100);
/// Longest wait for a page that is to stop.
const STOP_LIMIT: Duration = Duration::from_secs(2);
/// Most requests of one page; further ones are refused.
const MAX_REQUESTS: u32 = 300;
/// Most messages that one page may post.
const MAX_POSTS: u32 = 10;
/// Most attempts of a page to go to another one, and most windows that it opens. With more, its time ends.
const MAX_DEPARTURES: u32 = 5;
/// Most failed requests that are noted of a page.
const MAX_FAILED: usize = 20;
/// The world in which pages are evaluated. With a name, there is one of it in a document; each without a name would be
/// one more, and come back in all later documents of the tab.
const WORLD: &str = "mapwright";
/// Largest document that is read, as characters of text with [`ELEMENT_LENGTH`] for each element.
const MAX_LENGTH: u64 = 16 << 20;
/// Length in characters that an element counts, since its tags are no text.
const ELEMENT_LENGTH: u64 = 20;

/// A document that is loaded in a tab.
struct Load<'t, F> {
    tab: &'t mut Tab,
    fetch: Arc<F>,
    page: Arc<Page>,
    answers: JoinSet<Answered>,
    errors: ScriptErrors,
    /// The bytes received for the requests of the page.
    bytes: u64,
    failed: Vec<FailedRequest>,
    /// The document was handed in.
    answered: bool,
    requests: u32,
    /// Messages that the page has posted.
    posts: u32,
    navigation: Option<Navigation>,
    /// Attempts to go to another page, and windows.
    departures: u32,
    /// Slices that have passed.
    slices: u32,
}

/// Renders a document within this time.
pub(crate) async fn render<F: PageFetch>(
    tab: &mut Tab,
    fetch: &Arc<F>,
    document: &Arc<Document>,
    limit: Duration,
) -> Result<Rendered, CallError> {
    let began = Instant::now();
    let mut load = Load::begin(tab, Arc::clone(fetch), document).await?;
    let settled = load.settle(began + limit).await?;
    if !settled {
        load.stop().await?;
    }
    if !load.answered {
        let reason = "the document was never requested".to_owned();
        return Err(CallError::Refused { method: "Page.navigate".to_owned(), reason });
    }
    let (html, url) = load.read().await?;
    while let Some(answered) = load.answers.try_join_next() {
        load.note(answered);
    }
    let scrolls_on = settled && scrolls_on(load.tab).await;
    let Load { tab, errors, navigation, requests, bytes, failed, .. } = load;
    let errors = errors.end(tab).await?;
    let (cut, took) = (!settled, began.elapsed());
    let rendering =
        Rendering { cut, took, requests, bytes, failed, errors, navigation, scrolls_on, ..Rendering::default() };
    Ok(Rendered { html, url, rendering })
}

impl<'t, F: PageFetch> Load<'t, F> {
    async fn begin(tab: &'t mut Tab, fetch: Arc<F>, document: &Arc<Document>) -> Result<Self, CallError> {
        let page =
            Arc::new(Page { document: Arc::clone(document), frame: tab.frame.clone(), decoded: AtomicU64::new(0) });
        let errors = ScriptErrors::begin(tab).await?;
        Ok(Load {
            tab,
            fetch,
            page,
            answers: JoinSet::new(),
            errors,
            bytes: 0,
            failed: Vec::new(),
            answered: false,
            requests: 0,
            posts: 0,
            navigation: None,
            departures: 0,
            slices: 0,
        })
    }

    /// Loads the document and lets its time pass. Returns false if the limit came first.
    async fn settle(&mut self, deadline: Instant) -> Result<bool, CallError> {
        self.tab.send("Emulation.setVirtualTimePolicy", json!({"policy": "pause"})).await?;
        self.tab.send("Page.navigate", json!({"url": self.page.document.url.as_str()})).await?;
        while self.slices < SLICES {
            let event = tokio::select! {
                event = self.tab.events.recv() => event.ok_or(CallError::Ended)?,
                Some(answered) = self.answers.join_next() => {
                    self.note(answered);
                    continue;
                }
                () = tokio::time::sleep_until(deadline) => return Ok(false),
            };
            self.take(event).await?;
            if self.departures > MAX_DEPARTURES {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn take(&mut self, event: Event) -> Result<(), CallError> {
        match event.method.as_str() {
            "Fetch.requestPaused" => match Paused::read(&event.params) {
                Some(paused) => self.answer(paused).await,
                None => Ok(()),
            },
            "Emulation.virtualTimeBudgetExpired" => {
                self.slices += 1;
                self.pause().await;
                if self.slices < SLICES { self.begin_slice().await } else { Ok(()) }
            }
            "Page.frameRequestedNavigation" if text(&event.params, "/frameId") == self.page.frame => {
                let (url, reason) = (text(&event.params, "/url"), text(&event.params, "/reason"));
                let at_once = self.slices == 0;
                self.navigation.get_or_insert(Navigation { url, reason, at_once });
                self.departures += 1;
                Ok(())
            }
            "Page.windowOpen" => {
                self.departures += 1;
                Ok(())
            }
            "Page.javascriptDialogOpening" => {
                self.tab.send("Page.handleJavaScriptDialog", json!({"accept": false})).await
            }
            "Inspector.targetCrashed" => {
                Err(CallError::Refused { method: "Page.navigate".to_owned(), reason: "the page crashed".to_owned() })
            }
            method if method.starts_with("Runtime.") => self.errors.take(self.tab, method, &event.params).await,
            _ => Ok(()),
        }
    }

    /// Notes what an answer took, and whether it was a good one.
    fn note(&mut self, answered: Result<Answered, JoinError>) {
        // An answer that panicked has been logged.
        let Ok(answered) = answered else { return };
        self.bytes += answered.bytes;
        if self.failed.len() < MAX_FAILED {
            self.failed.extend(answered.failed);
        }
    }

    /// Answers a request beside the others.
    async fn answer(&mut self, paused: Paused) -> Result<(), CallError> {
        let decision = match decide(&paused, &self.page, self.answered) {
            _ if self.requests >= MAX_REQUESTS => Decision::Refuse,
            Decision::Fetch(Method::Post) if self.posts >= MAX_POSTS => Decision::Refuse,
            decision => decision,
        };
        self.posts += u32::from(decision == Decision::Fetch(Method::Post));
        let is_document = decision == Decision::Document;
        self.requests += u32::from(!is_document);
        let (client, session) = (self.tab.client.clone(), self.tab.session.clone());
        let answer = answer(Arc::clone(&self.fetch), client, session, Arc::clone(&self.page), paused, decision);
        if !is_document {
            self.answers.spawn(answer);
            return Ok(());
        }
        self.answered = true;
        answer.await;
        self.begin_slice().await
    }

    /// Lets a second of virtual time pass. While a page computes, it answers no command: its end is an event.
    async fn begin_slice(&self) -> Result<(), CallError> {
        let policy = json!({"policy": "pauseIfNetworkFetchesPending", "budget": SLICE_MS});
        self.tab.send("Emulation.setVirtualTimePolicy", policy).await
    }

    /// Lets the browser draw two frames.
    async fn pause(&self) {
        let frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
        // A page that draws nothing has no frames, and one that is busy does not answer: both go on.
        let _ = tokio::time::timeout(PAUSE, self.evaluate(frames)).await;
    }

    /// Stops a page that has not settled. Its dialogs are dismissed meanwhile: while one is open, no script ends.
    async fn stop(&mut self) -> Result<(), CallError> {
        let (client, session) = (self.tab.client.clone(), self.tab.session.clone());
        for (method, params) in [
            ("Runtime.terminateExecution", json!({})),
            ("Page.stopLoading", json!({})),
            ("Emulation.setVirtualTimePolicy", json!({"policy": "pause"})),
        ] {
            let mut stopped = client.send(&session, method, params).await?;
            let deadline = Instant::now() + STOP_LIMIT;
            loop {
                tokio::select! {
                    answer = &mut stopped => break drop(answer.map_err(|_| CallError::Ended)?),
                    event = self.tab.events.recv() => {
                        let event = event.ok_or(CallError::Ended)?;
                        if event.method != "Fetch.requestPaused" {
                            self.take(event).await?;
                        }
                    }
                    // It computes what is no script, as a layout.
                    () = tokio::time::sleep_until(deadline) => return Err(CallError::Silent(method.to_owned())),
                }
            }
        }
        Ok(())
    }

    /// Reads the document natively, so that no page can alter what is read, and its URL.
    async fn read(&self) -> Result<(String, String), CallError> {
        let elements = format!("{ELEMENT_LENGTH} * document.getElementsByTagName('*').length");
        let length = format!("String(document.documentElement?.textContent.length + {elements})");
        if self.evaluate(&length).await?.parse().is_ok_and(|length: u64| length > MAX_LENGTH) {
            return Err(CallError::Refused { method: "DOM.getOuterHTML".to_owned(), reason: "too large".to_owned() });
        }
        let root = self.tab.call("DOM.getDocument", json!({"depth": 0})).await?;
        let root = root.pointer("/root/nodeId").cloned().unwrap_or_default();
        let html = self.tab.call("DOM.getOuterHTML", json!({"nodeId": root, "includeShadowDOM": true})).await?;
        let url = self.evaluate("document.URL").await?;
        Ok((text(&html, "/outerHTML"), url))
    }

    /// Evaluates an expression apart from the page's own scripts.
    async fn evaluate(&self, expression: &str) -> Result<String, CallError> {
        let params = json!({"frameId": self.page.frame, "worldName": WORLD});
        let world = self.tab.call("Page.createIsolatedWorld", params).await?;
        let context = world.get("executionContextId").cloned().unwrap_or_default();
        let params =
            json!({"expression": expression, "contextId": context, "awaitPromise": true, "returnByValue": true});
        Ok(text(&self.tab.call("Runtime.evaluate", params).await?, "/result/value"))
    }
}
