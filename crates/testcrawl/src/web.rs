//! A web that is a table of answers.

use crate::answer::{Answer, page, reply};
use crate::plan::CrawlPlan;
use mapwright_fetch::{Failure, Fetch, Headers, Reply, Request};
use mapwright_model::FailureKind;
use mapwright_web::{PageUrl, Spelling, UrlIdentity};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// The usual start URL, and the origin of paths.
pub const START: &str = "http://example.com/";

/// A function that answers each URL.
type Anything = Arc<dyn Fn(&str) -> Answer + Send + Sync>;

/// Answers by URL; the others answer 404. A path stands for a URL of [`START`]'s origin.
///
/// Clones can be changed apart, but share the log of requests.
#[derive(Clone, Default)]
pub struct Web {
    answers: HashMap<String, Vec<Answer>>,
    /// The next answer follows those of its URL.
    continues: bool,
    otherwise: Option<Anything>,
    log: Arc<Mutex<Log>>,
    /// Stops the crawl.
    pub stop: CancellationToken,
    /// The options of crawls.
    pub plan: CrawlPlan,
}

/// The requests so far.
#[derive(Default)]
struct Log {
    requested: Vec<(Instant, String)>,
    counts: HashMap<String, usize>,
}

impl Web {
    /// Returns an empty web that is crawled as an audit does.
    #[must_use]
    pub fn for_audit() -> Self {
        let mut web = Self::default();
        web.plan.checks.audit = true;
        web
    }

    /// Sets the answer of a URL.
    #[must_use]
    pub fn answers(mut self, to: &str, answer: Answer) -> Self {
        let answers = self.answers.entry(url(to)).or_default();
        if !std::mem::take(&mut self.continues) {
            answers.clear();
        }
        answers.push(answer);
        self
    }

    /// Lets the answer that is set next follow those of its URL: they arrive in turn, the last one repeatedly.
    #[must_use]
    pub fn then(self) -> Self {
        Self { continues: true, ..self }
    }

    /// Sets the answer of all other URLs.
    #[must_use]
    pub fn otherwise(self, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        Self { otherwise: Some(Arc::new(answer)), ..self }
    }

    /// Changes the response of a URL.
    pub fn change(&mut self, to: &str, change: impl FnOnce(&mut Reply)) {
        match self.answers.get_mut(&url(to)).and_then(|answers| answers.last_mut()) {
            Some(Answer::Reply(reply)) => change(reply),
            other => panic!("{to} has no response: {other:?}"),
        }
    }

    /// Sets a response with these header fields.
    #[must_use]
    pub fn replies(self, to: &str, status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        self.answers(to, Answer::Reply(reply(status, headers, body)))
    }

    /// Sets a response of this media type.
    #[must_use]
    pub fn answer(self, to: &str, status: u16, media_type: &str, body: &str) -> Self {
        self.replies(to, status, &[("content-type", media_type)], body)
    }

    /// Sets a response of this media type, with a body in any encoding.
    #[must_use]
    pub fn bytes(self, to: &str, media_type: &str, body: &[u8]) -> Self {
        let headers = Headers::from_pairs([("content-type", media_type)]);
        self.answers(to, Answer::Reply(Reply::of(200, headers, body.to_vec())))
    }

    /// Sets a page.
    #[must_use]
    pub fn page(self, to: &str, html: &str) -> Self {
        self.answers(to, Answer::Reply(page(html)))
    }

    /// Sets a page with its URL as the title.
    #[must_use]
    pub fn titled(self, to: &str, html: &str) -> Self {
        self.page(to, &format!("<title>{to}</title>{html}"))
    }

    /// Sets a page with a title and content of its own that links to these URLs.
    #[must_use]
    pub fn links(self, to: &str, targets: &[&str]) -> Self {
        self.titled(to, &links(to, targets))
    }

    /// Sets the same page as [`links`](Self::links), which takes this time.
    #[must_use]
    pub fn late(self, to: &str, wait: Duration, targets: &[&str]) -> Self {
        self.answers(to, Answer::Late(wait, page(&links(to, targets))))
    }

    /// Sets a page with content of its own and this `Last-Modified`.
    #[must_use]
    pub fn dated(self, to: &str, modified: &str) -> Self {
        let headers = [("content-type", "text/html"), ("last-modified", modified)];
        self.replies(to, 200, &headers, &format!("this is {to}"))
    }

    /// Sets a permanent redirect.
    #[must_use]
    pub fn redirect(self, to: &str, target: &str) -> Self {
        self.redirect_with(301, to, target)
    }

    /// Sets a redirect of this status.
    #[must_use]
    pub fn redirect_with(self, status: u16, to: &str, target: &str) -> Self {
        self.replies(to, status, &[("location", target)], "")
    }

    /// Sets a response of this status whose body has a link.
    #[must_use]
    pub fn status(self, to: &str, status: u16) -> Self {
        self.answer(to, status, "text/html", "<a href='/trap'>x</a>")
    }

    /// Lets requests fail.
    #[must_use]
    pub fn fails(self, to: &str, kind: FailureKind) -> Self {
        self.answers(to, Answer::Fails(kind))
    }

    /// Sets a plain text.
    #[must_use]
    pub fn text(self, to: &str, text: &str) -> Self {
        self.answer(to, 200, "text/plain", text)
    }

    /// Sets an XML document.
    #[must_use]
    pub fn xml(self, to: &str, text: &str) -> Self {
        self.answer(to, 200, "application/xml", text)
    }

    /// Sets a sitemap that lists these URLs.
    #[must_use]
    pub fn sitemap(self, to: &str, locs: &[&str]) -> Self {
        let entries: String = locs.iter().map(|loc| format!("<url><loc>{}</loc></url>", url(loc))).collect();
        self.xml(to, &format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>"))
    }

    /// Sets a sitemap index that lists these sitemaps.
    #[must_use]
    pub fn index(self, to: &str, locs: &[&str]) -> Self {
        let entries: String = locs.iter().map(|loc| format!("<sitemap><loc>{}</loc></sitemap>", url(loc))).collect();
        let open = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
        self.xml(to, &format!("{open}{entries}</sitemapindex>"))
    }

    /// Excludes URLs by a pattern.
    #[must_use]
    pub fn excluding(mut self, pattern: &str) -> Self {
        self.plan.exclude.push(pattern.to_owned());
        self
    }

    /// Sets the URL list of the user.
    #[must_use]
    pub fn url_list(mut self, paths: &[&str]) -> Self {
        self.plan.list = paths.iter().map(|path| url(path)).collect();
        self
    }

    /// Crawls only the list, without a start URL.
    #[must_use]
    pub fn startless(mut self) -> Self {
        self.plan.startless = true;
        self
    }

    /// Sets `--max-urls`.
    #[must_use]
    pub fn with_budget(mut self, max_urls: u64) -> Self {
        self.plan.max_urls = Some(max_urls);
        self
    }

    /// Returns every requested URL, in order.
    #[must_use]
    pub fn requested(&self) -> Vec<String> {
        self.log().requested.iter().map(|(_, url)| url.clone()).collect()
    }

    /// Returns the time of the first request for a URL with this prefix.
    #[must_use]
    pub fn first_requested(&self, start: &str) -> Instant {
        self.log().requested.iter().find(|(_, url)| url.starts_with(start)).expect("one was requested").0
    }

    /// Returns the time of the last request for a URL with this prefix.
    #[must_use]
    pub fn last_requested(&self, start: &str) -> Instant {
        self.log().requested.iter().rfind(|(_, url)| url.starts_with(start)).expect("one was requested").0
    }

    /// Returns the number of requests for this URL.
    #[must_use]
    pub fn times(&self, to: &str) -> usize {
        self.log().counts.get(&url(to)).copied().unwrap_or_default()
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap()
    }

    fn next(&self, url: &str) -> Answer {
        let mut log = self.log();
        log.requested.push((Instant::now(), url.to_owned()));
        let count = log.counts.entry(url.to_owned()).or_default();
        *count += 1;
        match (self.answers.get(url), &self.otherwise) {
            (Some(answers), _) => answers[(*count).min(answers.len()) - 1].clone(),
            (None, Some(otherwise)) => otherwise(url),
            (None, None) => Answer::Reply(reply(404, &[], "")),
        }
    }
}

impl Fetch for Web {
    async fn fetch(&self, request: Request) -> Result<Reply, Failure> {
        let url = request.spelling.as_ref().map_or(request.url.as_url(), Spelling::as_url);
        self.next(url.as_str()).arrive(url.as_str(), &self.stop).await
    }
}

fn links(at: &str, targets: &[&str]) -> String {
    let links: Vec<String> = targets.iter().map(|target| format!("<a href='{target}'>to {target}</a>")).collect();
    format!("{} this is {at}", links.join("\n"))
}

/// Returns the URL of a path of the site; other texts are URLs.
#[must_use]
pub fn url(path: &str) -> String {
    if path.starts_with('/') { format!("http://example.com{path}") } else { path.to_owned() }
}

/// Parses a URL.
#[must_use]
pub fn parse(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}
