//! Authentication, and the requests that are refused.

use crate::made::Made;
use crate::served::{Requests, Served, TOKEN};
use mapwright_dashboard::{AccessConfig, Role, Server, User, hash_password};
use std::path::Path;
use std::sync::Arc;

pub(crate) const OPERATOR: &str = "name=olga&password=correct+horse";
pub(crate) const READER: &str = "name=rita&password=battery+staple";

pub(crate) fn users(access: &mut AccessConfig) {
    let user =
        |name: &str, password, role| User { name: name.to_owned(), hash: hash_password(password).unwrap(), role };
    access.users = vec![user("olga", "correct horse", Role::Operator), user("rita", "battery staple", Role::Reader)];
}

#[tokio::test]
async fn without_a_token_nothing_is_revealed() {
    let served = Served::closed(Made::bare()).await;
    for path in ["/", "/jobs/shop", "/jobs/shop/runs/1", "/jobs/shop/files/reports/report.html", "/jobs/nothing"] {
        let answer = served.get(path).await.is(303);
        assert!(answer.header("location").starts_with("/login?next=%2F") && answer.body.is_empty(), "{path}");
    }
    for path in ["/api/v1/jobs", "/api/v1/jobs/shop", "/api/v1/jobs/shop/live", "/api/v1/openapi.json", "/metrics"] {
        let answer = served.get(path).await.is(401);
        assert!(answer.header("www-authenticate").starts_with("Bearer") && !answer.body.contains("shop"), "{path}");
    }
    served.request("POST", "/api/v1/jobs/shop/start").request().await.is(401);
    let answer = served.request("POST", "/jobs/shop/start").of_form(&served, "csrf=x".to_owned()).request().await;
    assert_eq!(answer.is(303).header("location"), "/login?next=%2Fjobs%2Fshop");
    served.get("/healthz").await.is(200);
    served.get("/readyz").await.is(200);
    assert!(served.made.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn only_the_right_token_opens() {
    let served = Served::closed(Made::bare()).await;
    let with = |token: &str| served.request("GET", "/api/v1/jobs").header("authorization", token);
    with(&format!("Bearer {TOKEN}")).request().await.is(200);
    with(&format!("bearer {TOKEN}")).request().await.is(200);
    let wrong = [format!("Bearer {TOKEN}x"), format!("Bearer {}", &TOKEN[1..]), "Bearer ".to_owned()];
    for token in wrong {
        with(&token).request().await.is(401);
    }
    with(&format!("Basic {TOKEN}")).request().await.is(401);
    let bearer = format!("Bearer {TOKEN}");
    served.request("POST", "/api/v1/jobs/shop/start").header("authorization", bearer).request().await.is(204);
    assert_eq!(*served.made.requested.lock().unwrap(), ["start shop"]);
}

#[tokio::test]
async fn wrong_tokens_are_counted() {
    let served = Served::closed(Made::bare()).await;
    let with = |token: &str| served.request("GET", "/metrics").header("authorization", format!("Bearer {token}"));
    for _ in 0..10 {
        with("wrong").request().await.is(401);
    }
    let answer = with(TOKEN).request().await.is(429);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
}

#[tokio::test]
async fn a_login_opens_and_a_logout_closes() {
    let served = Served::with(Made::bare(), users).await;
    let answer = served.log_in(&format!("{OPERATOR}&next=/jobs/shop")).await.is(303);
    assert_eq!(answer.header("location"), "/jobs/shop");
    let field = answer.header("set-cookie");
    for part in ["; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age="] {
        assert!(field.contains(part), "{field}");
    }
    let browser = served.browser(&answer).await;
    assert!(served.visit(&browser, "/").await.is(200).body.contains("olga (operator)"));
    served.press(&browser, "/jobs/shop/start").await.is(303);
    served.press(&browser, "/logout").await.is(303);
    served.visit(&browser, "/").await.is(303);
    assert_eq!(*served.made.requested.lock().unwrap(), ["start shop"]);
}

#[tokio::test]
async fn the_token_logs_a_browser_in() {
    let served = Served::closed(Made::bare()).await;
    let browser = served.browser(&served.log_in(&format!("token={TOKEN}")).await.is(303)).await;
    served.visit(&browser, "/jobs/shop").await.is(200);
    served.log_in("token=0123456789abcdef0123456789abcdeg").await.is(401);
    served.log_in("name=olga&password=x").await.is(401);
}

#[tokio::test]
async fn readers_change_nothing() {
    let served = Served::with(Made::bare(), users).await;
    let browser = served.browser(&served.log_in(READER).await.is(303)).await;
    let page = served.visit(&browser, "/jobs/shop").await.is(200);
    assert!(!page.body.contains("/start\""), "a reader is shown no buttons");
    let csrf = page.body.split_once("name=\"csrf\" value=\"").unwrap().1[..64].to_owned();
    let browser = crate::served::Browser { csrf, ..browser };
    for order in ["start", "stop", "pause", "resume"] {
        served.press(&browser, &format!("/jobs/shop/{order}")).await.is(403);
        let api = served.request("POST", &format!("/api/v1/jobs/shop/{order}"));
        api.header("cookie", &browser.cookie).header("x-csrf-token", &browser.csrf).request().await.is(403);
    }
    assert!(served.made.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn wrong_logins_are_refused_and_limited() {
    let served = Served::with(Made::bare(), users).await;
    for form in ["name=olga&password=wrong", "name=nobody&password=correct+horse", "name=olga", "", "name=&password="] {
        let answer = served.log_in(form).await.is(401);
        assert!(answer.cookie().is_none(), "{form}");
    }
    for _ in 0..5 {
        served.log_in("name=olga&password=wrong").await.is(401);
    }
    served.log_in(OPERATOR).await.is(429);
}

#[tokio::test]
async fn whoever_has_one_password_guesses_no_other() {
    let served = Served::with(Made::bare(), users).await;
    for _ in 0..9 {
        served.log_in("name=olga&password=wrong").await.is(401);
        served.log_in(READER).await.is(303);
    }
    served.log_in("name=olga&password=wrong").await.is(401);
    served.log_in(READER).await.is(429);
    served.log_in(OPERATOR).await.is(429);
}

#[tokio::test]
async fn whose_session_has_ended_is_led_to_the_login() {
    let served = Served::with(Made::bare(), users).await;
    let browser = served.browser(&served.log_in(OPERATOR).await).await;
    served.press(&browser, "/logout").await.is(303);
    for (path, page, next) in [
        ("/jobs/shop/start", "job", "%2Fjobs%2Fshop"),
        ("/jobs/shop/pause", "list", "%2F"),
        ("/jobs/odd%20name%2Fx/stop", "job", "%2Fjobs%2Fodd%2520name%252Fx"),
        ("/logout", "", "%2F"),
        ("/jobs/", "", "%2F"),
        ("/jobs//start", "", "%2F"),
    ] {
        let answer = served.press_on(&browser, path, page).await.is(303);
        assert_eq!(answer.header("location"), format!("/login?next={next}"), "{path}");
    }
    for (method, path, next) in [
        ("HEAD", "/jobs/shop?before=3", "%2Fjobs%2Fshop%3Fbefore%3D3"),
        ("PUT", "/jobs/shop/runs/3", "%2Fjobs%2Fshop"),
        ("DELETE", "/nowhere", "%2F"),
    ] {
        let answer = served.request(method, path).request().await.is(303);
        assert_eq!(answer.header("location"), format!("/login?next={next}"), "{method} {path}");
    }
    let order = served.request("POST", "/api/v1/jobs/shop/start").header("cookie", &browser.cookie);
    order.header("x-csrf-token", &browser.csrf).request().await.is(401);
    assert!(served.made.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn head_requests_are_answered_like_get_without_the_body() {
    let served = Served::open(Made::bare()).await;
    for path in ["/", "/jobs/shop", "/jobs/shop/runs/3", "/login", "/api/v1/jobs", "/metrics", "/assets/dashboard.js"] {
        let (head, complete) = (served.request("HEAD", path).request().await, served.get(path).await);
        assert_eq!((head.status, head.body.as_str()), (complete.status, ""), "{path}");
        assert_eq!(head.header("content-type"), complete.header("content-type"), "{path}");
        assert_eq!(head.cookie().is_some(), complete.cookie().is_some(), "{path}");
    }
}

/// Everything that takes a POST.
const CHANGES: [&str; 9] = [
    "/jobs/shop/start",
    "/jobs/shop/stop",
    "/jobs/shop/pause",
    "/jobs/shop/resume",
    "/api/v1/jobs/shop/start",
    "/api/v1/jobs/shop/stop",
    "/api/v1/jobs/shop/pause",
    "/api/v1/jobs/shop/resume",
    "/logout",
];

#[tokio::test]
async fn a_cookie_alone_changes_nothing() {
    let served = Served::with(Made::bare(), users).await;
    let browser = served.browser(&served.log_in(OPERATOR).await).await;
    for path in CHANGES {
        let with = |csrf: &str| {
            let post = served.request("POST", path).header("cookie", &browser.cookie);
            post.header("content-type", "application/x-www-form-urlencoded").body(format!("csrf={csrf}"))
        };
        with("").request().await.is(403);
        with("x").request().await.is(403);
        // A link on another site sends the cookie along with a GET, which changes nothing.
        served.visit(&browser, path).await.is(405);
        for (field, value) in [
            ("origin", "http://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            with(&browser.csrf).header(field, value).request().await.is(403);
        }
    }
    served.request("POST", "/login").header("origin", "http://evil.example").body(OPERATOR).request().await.is(403);
    served.request("POST", "/login").header("sec-fetch-site", "cross-site").body(OPERATOR).request().await.is(403);
    let mail = served.request("GET", "/jobs/shop").header("cookie", &browser.cookie);
    mail.header("sec-fetch-site", "cross-site").header("sec-fetch-mode", "navigate").request().await.is(200);
    assert!(served.made.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn visitors_without_cookies_take_no_place_of_others() {
    let served = Served::open(Made::bare()).await;
    let browser = served.browser(&served.get("/").await).await;
    for _ in 0..600 {
        served.get("/").await.is(200);
    }
    served.press(&browser, "/jobs/shop/start").await.is(303);
    let other = served.browser(&served.get("/").await).await;
    assert!(other.cookie != browser.cookie && other.csrf != browser.csrf);
    let mixed = crate::served::Browser { cookie: other.cookie, csrf: browser.csrf };
    served.press(&mixed, "/jobs/shop/stop").await.is(403);
}

#[tokio::test]
async fn a_form_of_another_session_is_refused() {
    let served = Served::with(Made::bare(), users).await;
    let one = served.browser(&served.log_in(OPERATOR).await).await;
    let other = served.browser(&served.log_in(OPERATOR).await).await;
    for csrf in [other.csrf.clone(), String::new(), "x".to_owned(), format!("{}x", one.csrf)] {
        let browser = crate::served::Browser { cookie: one.cookie.clone(), csrf };
        served.press(&browser, "/jobs/shop/start").await.is(403);
    }
    let api = || served.request("POST", "/api/v1/jobs/shop/start").header("cookie", &one.cookie);
    api().request().await.is(403);
    api().header("x-csrf-token", &other.csrf).request().await.is(403);
    api().header("x-mapwright-client", "curl").request().await.is(403);
    api().header("x-csrf-token", &one.csrf).request().await.is(204);
    assert_eq!(*served.made.requested.lock().unwrap(), ["start shop"]);
}

#[tokio::test]
async fn without_authentication_forms_still_need_a_csrf_token() {
    let served = Served::open(Made::bare()).await;
    let browser = served.browser(&served.get("/").await.is(200)).await;
    let forged = served.request("POST", "/jobs/shop/start").of_form(&served, String::new());
    forged.request().await.is(403);
    served.request("POST", "/api/v1/jobs/shop/start").request().await.is(403);
    served.request("POST", "/api/v1/jobs/shop/start").header("x-mapwright-client", "curl").request().await.is(204);
    served.press(&browser, "/jobs/shop/stop").await.is(303);
    assert_eq!(*served.made.requested.lock().unwrap(), ["start shop", "stop shop"]);
}

#[tokio::test]
async fn pages_of_other_sites_are_refused() {
    let served = Served::open(Made::bare()).await;
    let browser = served.browser(&served.get("/").await).await;
    let form = || {
        let post = served.request("POST", "/jobs/shop/start").header("cookie", &browser.cookie);
        post.header("content-type", "application/x-www-form-urlencoded").body(format!("csrf={}", browser.csrf))
    };
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "http://localhost"] {
        form().header("origin", origin).request().await.is(403);
    }
    for site in ["cross-site", "same-site", "none"] {
        form().header("sec-fetch-site", site).request().await.is(403);
    }
    served.log_in("token=x").await.is(401);
    served.request("POST", "/login").header("origin", "http://evil.example").body("token=x").request().await.is(403);
    let read = |mode: &str| {
        let get = served.request("GET", "/api/v1/jobs").header("sec-fetch-site", "cross-site");
        get.header("sec-fetch-mode", mode)
    };
    read("no-cors").request().await.is(403);
    read("cors").request().await.is(403);
    assert!(read("navigate").request().await.is(200).header("access-control-allow-origin").is_empty());
    assert!(served.made.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn names_of_others_are_refused() {
    let served = Served::with(Made::bare(), |access| access.hosts = vec!["board.example".to_owned()]).await;
    let port = served.address.port();
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.0.2.1", "localhost.evil.example"] {
        let answer = served.request("GET", "/").header("host", host).request().await.is(421);
        assert!(!answer.body.contains("shop"), "{host}");
        served.request("GET", "/assets/dashboard.js").header("host", host).request().await.is(421);
    }
    for host in [format!("localhost:{port}"), "board.example".to_owned(), "[::1]".to_owned()] {
        served.request("GET", "/").header("host", &host).request().await.is(200);
    }
    for request in [
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
    ] {
        let answer = served.raw(request).await;
        assert!(answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.0 4"), "{request}: {answer}");
    }
}

#[tokio::test]
async fn paths_lead_nowhere_else() {
    let made = Made::crawled().await;
    std::fs::write(made.folder.path().join("out/secret.txt"), "a secret").unwrap();
    std::fs::write(made.folder.path().join("secret.xml"), "a secret").unwrap();
    let served = Served::open(made).await;
    let sitemap = served.get("/jobs/shop/files/sitemaps/sitemap.xml").await.is(200);
    assert!(sitemap.body.contains("<urlset") && sitemap.header("content-disposition").starts_with("attachment"));
    let port = served.address.port();
    for path in [
        "/jobs/shop/files/sitemaps/secret.txt",
        "/jobs/shop/files/sitemaps/..%2Fsecret.xml",
        "/jobs/shop/files/sitemaps/%2e%2e%2fsecret.xml",
        "/jobs/shop/files/sitemaps/..%5csecret.xml",
        "/jobs/shop/files/sitemaps/../secret.xml",
        "/jobs/shop/files/sitemaps/%2Fetc%2Fpasswd",
        "/jobs/shop/files/sitemaps/sitemap.xml%00.html",
        "/jobs/shop/files/state/record.sqlite",
        "/jobs/shop/files/../../etc/passwd",
        "/jobs/..%2f..%2fetc/files",
        "/assets/../Cargo.toml",
        "/assets/%2e%2e/dashboard.css",
        "//etc/passwd",
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
        let answer = served.raw(&request).await;
        assert!(answer.starts_with("HTTP/1.1 4") && !answer.contains("a secret"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn large_requests_are_refused() {
    let served = Served::open(Made::bare()).await;
    let browser = served.browser(&served.get("/").await).await;
    let form = format!("csrf={}&x={}", browser.csrf, "x".repeat(70_000));
    let post = served.request("POST", "/jobs/shop/start").header("cookie", &browser.cookie);
    post.of_form(&served, form).request().await.is(413);
    served.log_in(&"x".repeat(70_000)).await.is(413);
    let head = served.request("GET", "/").header("x-large", "x".repeat(20_000));
    assert!(matches!(head.send().await, Ok(answer) if answer.status() == 431));
    let fields: String = (0..100).map(|n| format!("X-{n}: x\r\n")).collect();
    let answer = served.raw(&format!("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    assert!(served.made.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn every_answer_carries_what_keeps_it_safe() {
    let served = Served::open(Made::bare()).await;
    for path in
        ["/", "/nowhere", "/api/v1/jobs", "/api/v1/nowhere", "/assets/dashboard.js", "/metrics", "/login", "/healthz"]
    {
        let answer = served.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'; base-uri 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
    }
}

#[tokio::test]
async fn behind_a_proxy_cookies_are_for_https_alone() {
    let served = Served::with(Made::bare(), |access| {
        users(access);
        access.behind_proxy = Some("https://ops.example".to_owned());
    })
    .await;
    let from = |address: &str, form: &str| {
        let post =
            served.request("POST", "/login").header("host", "ops.example").header("origin", "https://ops.example");
        let post = post.header("x-forwarded-for", format!("203.0.113.9, {address}"));
        post.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned())
    };
    let answer = from("192.0.2.1", OPERATOR).request().await.is(303);
    let field = answer.header("set-cookie");
    assert!(field.starts_with("__Host-mapwright=") && field.contains("; Secure"), "{field}");
    for _ in 0..10 {
        from("192.0.2.2", "name=olga&password=wrong").request().await.is(401);
    }
    from("192.0.2.2", OPERATOR).request().await.is(429);
    from("192.0.2.3", OPERATOR).request().await.is(303);
}

/// Writes a new certificate, and returns it for the client to trust.
pub(crate) fn certificate(chain: &Path, key: &Path) -> reqwest::Certificate {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(chain, made.cert.pem()).unwrap();
    std::fs::write(key, made.signing_key.serialize_pem()).unwrap();
    reqwest::Certificate::from_pem(made.cert.pem().as_bytes()).unwrap()
}

pub(crate) fn trusting(root: reqwest::Certificate) -> reqwest::Client {
    reqwest::Client::builder().tls_certs_only([root]).no_proxy().build().unwrap()
}

#[tokio::test]
async fn tls_is_spoken_where_there_is_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let (chain, key) = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    let root = certificate(&chain, &key);
    let served = Served::with(Made::bare(), |access| {
        access.tls = Some((chain.clone(), key.clone()));
        access.token = Some(TOKEN.to_owned());
    })
    .await;
    let client = trusting(root);
    let url = format!("https://localhost:{}/api/v1/jobs", served.address.port());
    let answer = client.get(url).header("authorization", format!("Bearer {TOKEN}")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let faulty = AccessConfig { tls: Some((key.clone(), chain)), ..AccessConfig::on("127.0.0.1:0".parse().unwrap()) };
    let error = Server::bind(faulty, Made::bare(), None).await.err().unwrap().to_string();
    assert!(error.starts_with("flag --tls-") && !error.contains('\n'), "{error}");
}

#[tokio::test]
async fn an_address_in_use_is_reported_in_one_line() {
    let served = Served::open(Made::bare()).await;
    let error = Server::bind(AccessConfig::on(served.address), Arc::clone(&served.made) as _, None)
        .await
        .err()
        .unwrap()
        .to_string();
    assert!(error.starts_with(&format!("flag --listen, {}: cannot listen", served.address)), "{error}");
}
