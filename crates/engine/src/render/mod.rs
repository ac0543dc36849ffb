//! The pages whose scripts run: all of them, or those that need it.

mod choice;
mod difference;
mod templates;

use choice::ReadPage;
pub(crate) use difference::text_has_grown;
use mapwright_browser::{Document, Render, RenderFailure, Rendered};
use mapwright_fetch::Reply;
use mapwright_frontier::Finished;
use mapwright_model::{Content, RenderChoice, RenderReason, Template, TemplateId, Visit};
use mapwright_web::KeyMaker;
use mapwright_web::page::template_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use templates::{Lesson, Step, Templates};
use tokio::sync::Notify;

/// The options of rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderRules {
    /// The pages whose scripts run.
    pub mode: RenderMode,
    /// Highest number of pages that are rendered in the run; `None` for no limit.
    pub max_renders: Option<u64>,
    /// An audit follows: more of what scripts change matters, and where all pages are rendered, those that are not to be
    /// indexed are rendered too, for comparison.
    pub audits: bool,
}

/// The pages whose scripts run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderMode {
    /// Those whose scripts make a difference, as far as that can be learnt from a few pages of each template.
    Auto,
    /// All pages with scripts.
    Always,
}

/// One page of so many of a static template is rendered all the same, as a check.
const SAMPLE: u64 = 50;

/// Renders the pages of a crawl.
#[derive(Debug)]
pub(crate) struct Renders {
    /// `None` where there is no browser.
    renderer: Option<Arc<dyn Render>>,
    rules: RenderRules,
    keys: KeyMaker,
    /// Pages that were rendered, or are being rendered.
    count: AtomicU64,
    templates: Mutex<Templates>,
    /// Something was learnt of a template.
    learnt: Notify,
    /// Pages that are being rendered, or wait for that.
    in_progress: AtomicU64,
    /// The reason for which the browser does not work.
    fault: OnceLock<String>,
    /// Pages of earlier runs are what their scripts made.
    relied_upon: bool,
    /// The browser cannot be started, and the crawl goes on without one.
    is_absent: AtomicBool,
    /// The line about that, until it was shown.
    notice: Mutex<Option<String>>,
}

/// A choice that was made for a page, until what it teaches is known. If that never happens, it teaches nothing.
#[derive(Debug)]
pub(crate) struct PendingChoice<'r> {
    renders: &'r Renders,
    pub(crate) reason: RenderReason,
    template: Option<TemplateId>,
    is_pending: bool,
}

impl Renders {
    /// Returns the renders of a crawl. `known` are the templates of earlier runs; `relied_upon`: pages of these are what
    /// their scripts made.
    pub(crate) fn new(
        renderer: Option<Arc<dyn Render>>,
        rules: RenderRules,
        keys: KeyMaker,
        known: Vec<Template>,
        relied_upon: bool,
    ) -> Self {
        let templates = Mutex::new(Templates::known(known));
        let (count, in_progress) = (AtomicU64::new(0), AtomicU64::new(0));
        let (learnt, fault, is_absent) = (Notify::new(), OnceLock::new(), AtomicBool::new(false));
        let notice = Mutex::default();
        Self { renderer, rules, keys, count, templates, learnt, in_progress, fault, relied_upon, is_absent, notice }
    }

    /// Chooses whether the scripts of a page run that was read without them; `None` where that is no question. It waits
    /// while other pages of the template are rendered whose result decides.
    pub(crate) async fn choose(&self, finished: &Finished<Visit>, reply: &Reply) -> Option<PendingChoice<'_>> {
        let noindex = self.rules.audits && self.rules.mode == RenderMode::Always;
        let page = ReadPage::candidate(finished, reply, noindex)?;
        let (reason, template) = match self.rules.mode {
            _ if page.is_inert() => (RenderReason::Inert, None),
            RenderMode::Always => (RenderReason::Always, None),
            RenderMode::Auto if page.is_shell() => (RenderReason::Shell, None),
            RenderMode::Auto if !self.has_browser() => return None,
            RenderMode::Auto => {
                let template = self.template(page);
                (self.learnt_reason(page, template).await, Some(template))
            }
        };
        let mut choice = PendingChoice { renders: self, reason, template, is_pending: true };
        if reason.renders() {
            choice.limit();
        }
        Some(choice)
    }

    /// Reports whether there is a browser, as far as that is known.
    fn has_browser(&self) -> bool {
        self.renderer.is_some() && !self.is_absent.load(Ordering::Relaxed)
    }

    /// Runs the scripts of a page; `None` if there is no browser.
    pub(crate) async fn render(&self, visit: &Visit, reply: &Reply) -> Option<Result<Rendered, RenderFailure>> {
        let url = &visit.task.url;
        let document = Document { url: url.clone(), headers: reply.headers.clone(), body: reply.body.clone() };
        let renderer = self.renderer.as_ref()?;
        self.in_progress.fetch_add(1, Ordering::Relaxed);
        let rendered = renderer.render(Arc::new(document)).await;
        self.in_progress.fetch_sub(1, Ordering::Relaxed);
        if let Err(error) = &rendered {
            tracing::debug!(%url, %error, "a page could not be rendered");
            if error.is_of_browser() && self.goes_on_without() {
                if !self.is_absent.swap(true, Ordering::Relaxed) {
                    *self.notice() = Some(format!("{error}; pages are read without their scripts"));
                }
                return None;
            }
            if error.is_of_browser() {
                self.fault.get_or_init(|| error.to_string());
            }
        }
        Some(rendered)
    }

    /// Takes what the user is to know of a browser that cannot be started.
    pub(crate) fn take_notice(&self) -> Option<String> {
        self.notice().take()
    }

    fn notice(&self) -> MutexGuard<'_, Option<String>> {
        self.notice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports whether the crawl can do without a browser that cannot be started: with `auto`, as long as no page was
    /// rendered, in this run or in earlier ones. Others would be missing then.
    fn goes_on_without(&self) -> bool {
        self.rules.mode == RenderMode::Auto && !self.relied_upon && self.browser().is_none()
    }

    /// Returns the reason for which the browser does not work, if so.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// Returns the number of pages whose scripts run, or wait for that.
    pub(crate) fn in_progress(&self) -> u64 {
        self.in_progress.load(Ordering::Relaxed)
    }

    /// Returns the browser in words, if it was started.
    pub(crate) fn browser(&self) -> Option<String> {
        self.renderer.as_ref()?.browser()
    }

    /// Takes the templates that turned out to be scripted after pages of them were read without scripts.
    pub(crate) fn take_turned(&self) -> Vec<TemplateId> {
        self.templates().take_turned()
    }

    fn templates(&self) -> MutexGuard<'_, Templates> {
        self.templates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the template of a page. What matters differs between crawls and audits, and so do their templates.
    fn template(&self, page: ReadPage<'_>) -> TemplateId {
        let origin = page.task.url.origin();
        let id_of = |names: &str| {
            let text = format!("{}\n{origin}\n{names}", u8::from(self.rules.audits));
            TemplateId(self.keys.hash(text.as_bytes()))
        };
        let template = id_of(&template_of(&page.reply.body));
        let has_room = self.templates().has_room(template, origin.as_str());
        if has_room { template } else { id_of("others") }
    }

    async fn learnt_reason(&self, page: ReadPage<'_>, template: TemplateId) -> RenderReason {
        let is_sampled = self.keys.hash(page.task.url.as_str().as_bytes()).is_multiple_of(SAMPLE);
        let origin = page.task.url.origin();
        loop {
            let learnt = self.learnt.notified();
            tokio::pin!(learnt);
            learnt.as_mut().enable();
            let step = self.templates().step(template, origin.as_str(), is_sampled);
            match step {
                Step::Take(reason) => return reason,
                Step::Wait => learnt.await,
            }
        }
    }

    fn learn(&self, template: TemplateId, reason: RenderReason, lesson: Lesson) -> Option<Template> {
        let learnt = self.templates().learn(template, reason, lesson);
        self.learnt.notify_waiters();
        learnt
    }
}

impl PendingChoice<'_> {
    /// Drops the rendering where there is no browser, or where the limit of the run is reached.
    fn limit(&mut self) {
        let has_room =
            |count: u64| (self.renders.rules.max_renders.is_none_or(|most| count < most)).then_some(count + 1);
        let reason = if !self.renders.has_browser() {
            RenderReason::NoBrowser
        } else if self.renders.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, has_room).is_err() {
            RenderReason::Limit
        } else {
            return;
        };
        self.settle(Lesson::Nothing);
        self.reason = reason;
    }

    /// Drops the rendering of a page, since there is no browser.
    pub(crate) fn without_browser(mut self, mut finished: Finished<Visit>) -> Finished<Visit> {
        self.settle(Lesson::Nothing);
        if let Some(Visit { content: Content::Page(page), .. }) = &mut finished.visit
            && self.reason == RenderReason::Shell
        {
            page.choice = Some(RenderChoice { reason: RenderReason::NoBrowser, template: None, learnt: None });
        }
        finished
    }

    /// Learns from the page as it was read without its scripts and, if they ran, with them; notes the choice in its visit,
    /// and returns what counts.
    ///
    /// A page that was rendered only to learn of its template, whose scripts make no difference, stays what its document
    /// says: so do the other pages of the template, and this one in later runs.
    pub(crate) fn learn(mut self, without: Finished<Visit>, with: Option<Finished<Visit>>) -> Finished<Visit> {
        let lesson = match with.as_ref().and_then(|with| with.visit.as_ref()) {
            Some(visit) => difference::lesson(visit, self.renders.rules.audits),
            None => Lesson::Nothing,
        };
        let is_trial = matches!(self.reason, RenderReason::Probe | RenderReason::Check) && lesson == Lesson::Same;
        let mut finished = match with {
            Some(with) if is_trial => noted(without, with),
            Some(with) => with,
            None => without,
        };
        let learnt = self.settle(lesson).map(Box::new);
        if let Some(Visit { content: Content::Page(page), .. }) = &mut finished.visit {
            page.choice = Some(RenderChoice { reason: self.reason, template: self.template, learnt });
        }
        finished
    }

    fn settle(&mut self, lesson: Lesson) -> Option<Template> {
        let is_pending = std::mem::take(&mut self.is_pending);
        let template = self.template.filter(|_| is_pending && self.reason.renders())?;
        self.renders.learn(template, self.reason, lesson)
    }
}

/// Returns the visit of a page without its scripts, with the course of its rendering.
fn noted(mut without: Finished<Visit>, with: Finished<Visit>) -> Finished<Visit> {
    if let (Some(Visit { content: Content::Page(page), .. }), Some(Visit { content: Content::Page(after), .. })) =
        (&mut without.visit, with.visit)
    {
        page.rendering = after.rendering;
    }
    without
}

impl Drop for PendingChoice<'_> {
    fn drop(&mut self) {
        self.settle(Lesson::Nothing);
    }
}
