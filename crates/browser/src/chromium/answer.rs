//! Answers the requests of a page.

use crate::chromium::client::Client;
use crate::chromium::paused::Paused;
use crate::{Document, PageFetch};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mapwright_fetch::{Accept, Conditions, Headers, Method, Reply, Request, Scripted};
use mapwright_model::{FailedReason, FailedRequest, FailureKind};
use mapwright_web::media::Kinds;
use mapwright_web::{PageUrl, Spelling, UrlIdentity};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use url::Url;

/// Most decoded bytes of one answer.
const MAX_BODY: u64 = 16 << 20;
/// Decoded bytes of all answers to one page, after which it gets no more.
const MAX_BYTES: u64 = 32 << 20;
/// Largest message in bytes that a page may post.
const MAX_POST: usize = 64 << 10;
/// A transparent picture of one pixel: pictures are no content, and a page that waits for one goes on.
const PIXEL: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
/// Header fields of an answer that describe the transfer, which is over, or that would leave a cookie in the browser.
const LEFT_OUT: [&str; 6] =
    ["connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "transfer-encoding"];

/// The page whose requests are answered.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) document: Arc<Document>,
    /// Its frame.
    pub(crate) frame: String,
    /// The decoded bytes of the answers so far.
    pub(crate) decoded: AtomicU64,
}

/// The way in which a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The document that the crawler has.
    Document,
    /// No content, so that the page stays.
    Stay,
    /// The answer of the site.
    Fetch(Method),
    /// The consent that a cross-origin request needs first (Fetch Standard, section 4.8).
    Preflight,
    /// A picture of one pixel.
    Pixel,
    /// A refusal.
    Refuse,
}

/// Decides about a request. `answered`: the page has its document.
pub(crate) fn decide(paused: &Paused, page: &Page, answered: bool) -> Decision {
    let main = paused.frame == page.frame;
    if !paused.url.starts_with("http://") && !paused.url.starts_with("https://") {
        return Decision::Refuse;
    }
    if paused.is_document() {
        let same_origin = PageUrl::parse(&paused.url, &UrlIdentity::default())
            .is_ok_and(|target| target.origin() == page.document.url.origin());
        return match (main, same_origin) {
            (true, _) if !answered && is_at(&paused.url, &page.document.url) => Decision::Document,
            (true, _) => Decision::Stay,
            (false, true) if paused.method == "GET" => Decision::Fetch(Method::Get),
            (false, _) => Decision::Refuse,
        };
    }
    if paused.is_prefetch() || paused.is_stream() {
        return Decision::Refuse;
    }
    match (paused.method.as_str(), paused.kind.as_str()) {
        ("OPTIONS", _) => Decision::Preflight,
        ("GET", "Image") => Decision::Pixel,
        (_, "Media" | "Font" | "Ping" | "CSPViolationReport" | "Manifest" | "Prefetch") => Decision::Refuse,
        ("GET", _) => Decision::Fetch(Method::Get),
        ("HEAD", _) => Decision::Fetch(Method::Head),
        ("POST", "XHR" | "Fetch") if may_post(paused, page) => Decision::Fetch(Method::Post),
        _ => Decision::Refuse,
    }
}

/// Reports whether a page may post this message: a short one, to its own site. Applications request their content so.
fn may_post(paused: &Paused, page: &Page) -> bool {
    let own = &page.document.url;
    let is_own = PageUrl::parse(&paused.url, &UrlIdentity::default()).is_ok_and(|target| {
        let (one, other) = (target.as_url(), own.as_url());
        let is_same_place = one.scheme() == other.scheme() && one.port() == other.port();
        is_same_place && target.registrable_domain() == own.registrable_domain()
    });
    is_own && paused.body.as_ref().is_some_and(|body| body.len() <= MAX_POST)
}

/// Reports whether the browser's spelling of a URL is that of the page.
fn is_at(url: &str, page: &PageUrl) -> bool {
    Url::parse(url).is_ok_and(|url| url == *page.as_url())
}

/// The cost and the result of an answer.
#[derive(Debug, Default)]
pub(crate) struct Answered {
    /// The bytes received for it.
    pub(crate) bytes: u64,
    pub(crate) failed: Option<FailedRequest>,
}

/// Answers a request by this decision.
pub(crate) async fn answer<F: PageFetch>(
    fetch: Arc<F>,
    client: Client,
    session: String,
    page: Arc<Page>,
    paused: Paused,
    decision: Decision,
) -> Answered {
    let mut answered = Answered::default();
    let (method, params) = match decision {
        Decision::Document => fulfil(&paused, 200, &page.document.headers, &page.document.body),
        Decision::Stay => fulfil(&paused, 204, &Headers::from_pairs([]), b""),
        Decision::Preflight => fulfil(&paused, 204, &consent(&paused), b""),
        Decision::Pixel => {
            let headers = json!([{"name": "Content-Type", "value": "image/gif"}]);
            ("Fetch.fulfillRequest", fulfilment(&paused, 200, &headers, PIXEL.to_owned()))
        }
        Decision::Refuse => refuse(&paused, "BlockedByClient"),
        Decision::Fetch(method) => {
            let reply = fetched(&*fetch, &paused, &page, method).await;
            answered = Answered::of(&paused, &reply);
            match &reply {
                Ok(reply) => fulfil(&paused, reply.status, &reply.headers, &reply.body),
                Err(FailedReason::Robots | FailedReason::Failure(FailureKind::Guarded)) => {
                    refuse(&paused, "BlockedByClient")
                }
                Err(FailedReason::TimedOut) => refuse(&paused, "TimedOut"),
                Err(FailedReason::Failure(_) | FailedReason::Status(_)) => refuse(&paused, "Failed"),
            }
        }
    };
    // The page may be gone meanwhile.
    if let Err(error) = client.call(&session, method, params).await {
        tracing::debug!(url = paused.url, %error, "a request of a page was not answered");
    }
    answered
}

impl Answered {
    /// Notes the answer of the site.
    fn of(paused: &Paused, reply: &Result<Reply, FailedReason>) -> Answered {
        let reason = match reply {
            Ok(reply) => (reply.status >= 400).then_some(FailedReason::Status(reply.status)),
            Err(reason) => Some(*reason),
        };
        let bytes = reply.as_ref().map_or(0, |reply| reply.wire_bytes);
        Answered { bytes, failed: reason.map(|reason| FailedRequest { url: paused.url.clone(), reason }) }
    }
}

/// Returns the answer of the site.
async fn fetched<F: PageFetch>(fetch: &F, paused: &Paused, page: &Page, method: Method) -> Result<Reply, FailedReason> {
    let identity = UrlIdentity::default();
    let refused = FailedReason::Failure(FailureKind::Protocol);
    let url = PageUrl::parse(&paused.url, &identity).map_err(|_| refused)?;
    let left = MAX_BYTES.saturating_sub(page.decoded.load(Ordering::Relaxed));
    let scripted = Scripted {
        page: page.document.url.origin(),
        headers: paused.headers.clone(),
        body: paused.body.clone().unwrap_or_default(),
    };
    let request = Request {
        method,
        spelling: Spelling::of(&paused.url, url.as_url(), &url, &identity),
        url,
        conditions: Conditions::default(),
        accept: Accept::Page,
        max_body: MAX_BODY.min(left),
        full_body_kinds: Kinds::ALL,
        cookie_wall: false,
        scripted: Some(Box::new(scripted)),
    };
    let reply = fetch.fetch_for(&page.document.url, request).await?;
    page.decoded.fetch_add(reply.body.len() as u64, Ordering::Relaxed);
    Ok(reply)
}

fn fulfil(paused: &Paused, status: u16, headers: &Headers, body: &[u8]) -> (&'static str, Value) {
    let kept = headers.iter().filter(|(name, _)| !LEFT_OUT.iter().any(|left_out| name.eq_ignore_ascii_case(left_out)));
    let headers: Vec<Value> = kept.map(|(name, value)| json!({"name": name, "value": value})).collect();
    ("Fetch.fulfillRequest", fulfilment(paused, status, &json!(headers), BASE64_STANDARD.encode(body)))
}

fn fulfilment(paused: &Paused, status: u16, headers: &Value, body: String) -> Value {
    json!({"requestId": paused.id, "responseCode": status, "responseHeaders": headers, "body": body})
}

fn refuse(paused: &Paused, reason: &str) -> (&'static str, Value) {
    ("Fetch.failRequest", json!({"requestId": paused.id, "errorReason": reason}))
}

/// Returns the header fields that permit what a preflight names. The request itself is decided on when it comes.
fn consent(paused: &Paused) -> Headers {
    let origin = paused.headers.get("origin").unwrap_or("*");
    let wanted = paused.headers.get("access-control-request-headers").unwrap_or("*");
    Headers::from_pairs([
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Methods", "GET, HEAD, POST"),
        ("Access-Control-Allow-Headers", wanted),
        ("Access-Control-Allow-Credentials", "true"),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "https://example.com/app";

    fn decided(url: &str, method: &str, kind: &str, frame: &str, answered: bool) -> Decision {
        let url_of_page = PageUrl::parse(PAGE, &UrlIdentity::default()).unwrap();
        let document = Arc::new(Document { url: url_of_page, headers: Headers::default(), body: Vec::new() });
        let page = Page { document, frame: "main".to_owned(), decoded: AtomicU64::new(0) };
        let text = str::to_owned;
        let (method, kind, frame) = (text(method), text(kind), text(frame));
        let (headers, body) = (Headers::default(), Some(vec![b'x'; MAX_POST]));
        decide(&Paused { id: text("1"), url: text(url), method, kind, frame, headers, body }, &page, answered)
    }

    #[test]
    fn what_a_page_does_not_wait_for_is_refused() {
        let url_of_page = PageUrl::parse(PAGE, &UrlIdentity::default()).unwrap();
        let document = Arc::new(Document { url: url_of_page, headers: Headers::default(), body: Vec::new() });
        let page = Page { document, frame: "main".to_owned(), decoded: AtomicU64::new(0) };
        let text = str::to_owned;
        for (field, decision) in [
            (("Accept", "*/*"), Decision::Fetch(Method::Get)),
            (("Sec-Purpose", "prefetch;prerender"), Decision::Refuse),
            (("Accept", "text/event-stream"), Decision::Refuse),
        ] {
            let (headers, body) = (Headers::from_pairs([field]), Some(Vec::new()));
            let (id, url, method, kind, frame) = (text("1"), text(PAGE), text("GET"), text("Fetch"), text("main"));
            assert_eq!(
                decide(&Paused { id, url, method, kind, frame, headers, body }, &page, true),
                decision,
                "{field:?}"
            );
        }
    }

    #[test]
    fn the_page_gets_its_document_once_and_goes_nowhere() {
        assert_eq!(decided(PAGE, "GET", "Document", "main", false), Decision::Document);
        assert_eq!(decided(PAGE, "GET", "Document", "main", true), Decision::Stay);
        assert_eq!(decided("https://example.com/next", "GET", "Document", "main", true), Decision::Stay);
        assert_eq!(decided("https://example.com/next", "POST", "Document", "main", true), Decision::Stay);
    }

    #[test]
    fn frames_of_the_site_alone_load() {
        let of = |url: &str| decided(url, "GET", "Document", "inner", true);
        assert_eq!(of("https://example.com/frame"), Decision::Fetch(Method::Get));
        assert_eq!(of("https://other.example/frame"), Decision::Refuse);
        assert_eq!(of("http://example.com/frame"), Decision::Refuse);
        assert_eq!(decided("https://example.com/f", "POST", "Document", "inner", true), Decision::Refuse);
    }

    #[test]
    fn messages_go_to_the_site_of_the_page_alone() {
        let of = |url: &str, kind: &str| decided(url, "POST", kind, "main", true);
        assert_eq!(of("https://example.com/graphql", "Fetch"), Decision::Fetch(Method::Post));
        assert_eq!(of("https://api.example.com/search", "XHR"), Decision::Fetch(Method::Post));
        for url in ["http://example.com/", "https://example.com:8443/", "https://example.org/"] {
            assert_eq!(of(url, "Fetch"), Decision::Refuse, "{url}");
        }
        assert_eq!(of("https://example.com/beacon", "Ping"), Decision::Refuse);
        assert_eq!(of("https://example.com/form", "Document"), Decision::Stay);
    }

    #[test]
    fn only_what_may_make_content_is_fetched() {
        let of = |method: &str, kind: &str| decided("https://cdn.example/x", method, kind, "main", true);
        for kind in ["Script", "Stylesheet", "XHR", "Fetch", "Other"] {
            assert_eq!(of("GET", kind), Decision::Fetch(Method::Get), "{kind}");
            assert_eq!(of("HEAD", kind), Decision::Fetch(Method::Head), "{kind}");
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                assert_eq!(of(method, kind), Decision::Refuse, "{method} {kind} of another site");
            }
        }
        assert_eq!(of("GET", "Image"), Decision::Pixel);
        assert_eq!(of("OPTIONS", "Preflight"), Decision::Preflight);
        for kind in ["Media", "Font", "Ping", "CSPViolationReport", "Manifest", "Prefetch"] {
            assert_eq!(of("GET", kind), Decision::Refuse, "{kind}");
        }
        for url in ["file:///etc/passwd", "chrome://settings", "ftp://example.com/"] {
            assert_eq!(decided(url, "GET", "Script", "main", true), Decision::Refuse, "{url}");
        }
    }
}
