//! The Search Console API, against a stand-in that checks assertions and knows its tokens.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use mapwright_publish::{AnnounceError, SearchConsole};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, ServerAction};
use serde_json::json;
use url::form_urlencoded;

use crate::account::{Account, DOMAIN, EMAIL};
use crate::stand_in::{caller, endless, hasty, url};

const TOKEN: &str = "ya29.s3cret-token";
const FEED: &str = "https://example.com/sitemap.xml?a=1&b=ü";
/// The path that a sitemap is submitted to.
const PUT: &str = "/webmasters/v3/sites/sc-domain%3Aexample.com/sitemaps/\
                   https%3A%2F%2Fexample.com%2Fsitemap.xml%3Fa%3D1%26b%3D%25C3%25BC";
const NOW: i64 = 1_800_000_000;

/// Google: `/token`, and the API.
struct Google {
    site: FakeSite,
    account: Arc<Account>,
}

impl Google {
    /// A server that accepts everything and issues a token for an hour.
    fn open() -> Google {
        let google = Google { site: FakeSite::open(), account: Arc::new(Account::new()) };
        google.gives_token(json!({"access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer"}));
        google.site.answer(PUT, Response::new(204));
        google
    }

    fn gives_token(&self, body: impl ToString) -> &Google {
        self.site.answer("/token", Response::new(200).content_type("application/json").body(body.to_string()));
        self
    }

    fn console(&self) -> SearchConsole {
        self.console_for(DOMAIN)
    }

    fn console_for(&self, property: &str) -> SearchConsole {
        let file = self.account.file(&self.site.url("/token")).to_string();
        SearchConsole::from_service_account(&file, property).unwrap().with_api(&url(&self.site.base()))
    }

    /// Submits with an account that has no token yet.
    async fn submit(&self) -> Result<(), AnnounceError> {
        let console = self.console();
        let submission = submit_at(&console, NOW).await;
        let shown = format!("{console:?} {submission:?}");
        assert!(!shown.contains(TOKEN) && !shown.contains("PRIVATE"), "{shown}");
        if let Err(error) = &submission {
            assert!(!error.what.contains(char::is_control), "{error}");
        }
        submission
    }

    async fn error(&self) -> AnnounceError {
        self.submit().await.unwrap_err()
    }
}

async fn submit_at(console: &SearchConsole, second: i64) -> Result<(), AnnounceError> {
    console.submit(&caller(), &url(FEED), Timestamp::from_second(second).unwrap()).await
}

fn form(request: &ReceivedRequest) -> HashMap<String, String> {
    form_urlencoded::parse(&request.body).into_owned().collect()
}

/// An error as the API writes it.
fn api_error(status: u16, reason: &str, message: &str) -> Response {
    let error = json!({"error": {"code": status, "message": message, "errors": [{"reason": reason}]}});
    Response::new(status).content_type("application/json").body(error.to_string())
}

#[tokio::test]
async fn a_sitemap_is_submitted_with_a_token_bought_by_a_signed_assertion() {
    let google = Google::open();
    google.submit().await.unwrap();
    let requests = google.site.requests();
    let [bought, put] = requests.as_slice() else { panic!("{requests:?}") };

    assert_eq!((bought.method.as_str(), bought.target.as_str()), ("POST", "/token"));
    assert_eq!(bought.header("content-type"), Some("application/x-www-form-urlencoded"));
    let form = form(bought);
    assert_eq!(form["grant_type"], "urn:ietf:params:oauth:grant-type:jwt-bearer");
    let (header, claims) = google.account.verified(&form["assertion"]);
    assert_eq!(header, json!({"alg": "RS256", "typ": "JWT", "kid": "key-1"}));
    let expected = json!({
        "iss": EMAIL,
        "scope": "https://www.googleapis.com/auth/webmasters",
        "aud": google.site.url("/token"),
        "iat": NOW,
        "exp": NOW + 3600,
    });
    assert_eq!(claims, expected);

    assert_eq!((put.method.as_str(), put.target.as_str()), ("PUT", PUT));
    assert_eq!(put.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!((put.header("content-length"), put.body.len()), (Some("0"), 0), "the API insists on a length");
}

#[tokio::test]
async fn a_property_may_be_a_url_prefix() {
    let google = Google::open();
    google.site.answer("/webmasters/*", Response::new(200));
    submit_at(&google.console_for("https://Example.com/blog/"), NOW).await.unwrap();
    let target = google.site.requests().pop().unwrap().target;
    assert!(
        target.starts_with("/webmasters/v3/sites/https%3A%2F%2Fexample.com%2Fblog%2F/sitemaps/https%3A"),
        "{target}"
    );
}

#[tokio::test]
async fn a_token_is_used_until_it_is_about_to_expire() {
    let google = Google::open();
    let console = google.console();
    for second in [NOW, NOW + 1, NOW + 3500] {
        submit_at(&console, second).await.unwrap();
    }
    assert_eq!((google.site.hits("/token"), google.site.hits(PUT)), (1, 3));
    submit_at(&console, NOW + 3599 - 60).await.unwrap();
    assert_eq!(google.site.hits("/token"), 2, "within a minute of its end it is replaced");
}

#[tokio::test]
async fn a_token_without_an_end_is_used_once() {
    for lifetime in [json!(null), json!(-5), json!("3600"), json!(1e300)] {
        let google = Google::open();
        google.gives_token(json!({"access_token": TOKEN, "expires_in": lifetime}));
        let console = google.console();
        submit_at(&console, NOW).await.unwrap();
        submit_at(&console, NOW).await.unwrap();
        assert_eq!(google.site.hits("/token"), 2, "{lifetime}");
    }
    let google = Google::open();
    google.gives_token(json!({"access_token": TOKEN, "expires_in": i64::MAX}));
    let console = google.console();
    submit_at(&console, NOW).await.unwrap();
    submit_at(&console, NOW + 3600).await.unwrap();
    assert_eq!(google.site.hits("/token"), 2, "an hour is the longest");
}

#[tokio::test]
async fn a_kept_token_that_is_not_accepted_any_more_is_replaced_once() {
    let google = Google::open();
    let console = google.console();
    submit_at(&console, NOW).await.unwrap();
    google.site.first_n(PUT, 1, api_error(401, "authError", "Invalid Credentials"));
    submit_at(&console, NOW + 1).await.unwrap();
    assert_eq!((google.site.hits("/token"), google.site.hits(PUT)), (2, 3));

    google.site.answer(PUT, api_error(401, "authError", "Invalid Credentials"));
    let error = submit_at(&console, NOW + 2).await.unwrap_err();
    assert!(error.permanent && error.what.contains("401"), "{error}");
    assert_eq!((google.site.hits("/token"), google.site.hits(PUT)), (3, 5), "no further try");
    submit_at(&console, NOW + 3).await.unwrap_err();
    assert_eq!(google.site.hits("/token"), 4, "a token that was refused is not kept");
}

#[tokio::test]
async fn refusals_of_the_api_say_what_to_do() {
    let google = Google::open();
    let cases = [(400, "malformed"), (401, "token"), (403, EMAIL), (404, DOMAIN)];
    for (status, word) in cases {
        google.site.answer(PUT, api_error(status, "forbidden", "User does not have\nsufficient \u{1b}permission"));
        let error = google.error().await;
        assert!(error.permanent && error.what.contains(word), "{error}");
        assert!(error.what.contains("does not have sufficient permission"), "{error}");
        google.site.status(PUT, status);
        assert!(google.error().await.what.contains(word), "a body that is no JSON");
    }
}

#[tokio::test]
async fn limits_of_the_api_pass() {
    let google = Google::open();
    for reason in ["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"] {
        google.site.answer(PUT, api_error(403, reason, "Quota exceeded"));
        let error = google.error().await;
        assert!(!error.permanent && error.what.contains("limits the rate"), "{error}");
    }
    for status in [429, 500, 503] {
        google.site.answer(PUT, Response::new(status).header("Retry-After", "30"));
        let error = google.error().await;
        assert_eq!((error.permanent, error.after), (false, Some(Duration::from_secs(30))), "{error}");
    }
}

#[tokio::test]
async fn a_redirect_takes_no_token_anywhere() {
    let (google, other) = (Google::open(), FakeSite::open());
    google.site.answer(PUT, Response::redirect(307, &other.url(&format!("/?token={TOKEN}"))));
    let error = google.error().await;
    assert!(error.permanent && error.what.contains(&other.base()), "{error}");
    google.site.answer("/token", Response::redirect(307, &other.url("/token")));
    assert!(google.error().await.permanent);
    assert_eq!(other.connections(), 0);
}

#[tokio::test]
async fn a_refused_token_is_reported_in_the_servers_words() {
    let google = Google::open();
    for status in [400, 401, 403] {
        let body = json!({"error": "invalid_grant", "error_description": "Invalid JWT Signature."});
        google.site.answer("/token", Response::new(status).body(body.to_string()));
        let error = google.error().await;
        assert!(error.permanent && error.what.contains("invalid_grant Invalid JWT Signature."), "{error}");
        assert!(error.what.contains("clock"), "{error}");
    }
    google.site.answer("/token", Response::new(503).header("Retry-After", "5"));
    let error = google.error().await;
    assert_eq!((error.permanent, error.after), (false, Some(Duration::from_secs(5))));
    assert_eq!(google.site.hits(PUT), 0);
}

#[tokio::test]
async fn an_answer_without_a_token_may_pass() {
    let bad = ["", "[]", "{}", "\"ya29\"", r#"{"access_token":""}"#, r#"{"access_token":7}"#];
    let hostile = [json!("a\r\nX: y"), json!("ü"), json!("a b"), json!("x".repeat(20_000))];
    let hostile = hostile.map(|token| json!({"access_token": token}).to_string());
    let google = Google::open();
    for body in bad.iter().map(|&body| body.to_owned()).chain(hostile).chain(["[".repeat(50_000)]) {
        google.gives_token(&body);
        let error = google.error().await;
        assert!(!error.permanent && error.what.contains("without an access token"), "{error}");
    }
    google.site.answer("/token", endless(200));
    assert!(google.error().await.what.contains("without an access token"));
    assert_eq!(google.site.hits(PUT), 0);
}

#[tokio::test]
async fn what_is_repeated_of_secrets_is_left_out() {
    let google = Google::open();
    google.site.handler(PUT, |request| {
        api_error(403, "forbidden", &format!("bad header: {}", request.header("authorization").unwrap()))
    });
    let error = google.error().await;
    assert!(error.what.contains("bad header: Bearer …") && !error.what.contains(TOKEN), "{error}");

    google.site.handler("/token", |request| {
        let assertion = form(request)["assertion"].clone();
        let signature = assertion.rsplit('.').next().unwrap().to_owned();
        let body = json!({"error": assertion, "error_description": signature});
        ServerAction::from(Response::new(400).body(body.to_string()))
    });
    let what = google.error().await.what;
    let sent = form(google.site.requests_for("/token").last().unwrap())["assertion"].clone();
    assert!(what.contains("… …") && sent.split('.').all(|part| !what.contains(part)), "{what}");
}

#[tokio::test]
async fn silence_may_pass() {
    let google = Google::open();
    let now = Timestamp::from_second(NOW).unwrap();
    let console = google.console();
    submit_at(&console, NOW).await.unwrap();
    google.site.stall(PUT);
    let error = console.submit(&hasty(), &url(FEED), now).await.unwrap_err();
    assert!(!error.permanent && error.what.contains("does not answer"), "{error}");
    google.site.stall("/token");
    let error = google.console().submit(&hasty(), &url(FEED), now).await.unwrap_err();
    assert!(!error.permanent && error.what.contains("does not answer"), "{error}");
}

#[tokio::test]
async fn any_status_is_reported_without_a_panic() {
    let google = Google::open();
    for status in [204, 299, 300, 304, 418, 451, 599, 600, 999] {
        google.site.answer(PUT, Response::new(status));
        assert_eq!(google.submit().await.is_ok(), status < 300, "{status}");
    }
}
