//! Links to other sites.

use super::ports::ClosedPort;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;
use crate::site::FakeSite;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![checked(), unchecked()]
}

/// Another site, on another port.
fn elsewhere() -> FakeSite {
    let other = FakeSite::open();
    other.robots("User-agent: *\nDisallow:\n").page("/fine", "<title>Fine</title><p>Fine.</p>");
    other.status("/missing", 404).status("/broken", 500);
    other.answer("/busy", Response::html("<p>Slow down</p>").status(429).header("Retry-After", "1"));
    for (path, status) in [("/no-head", 405), ("/head-denies", 404)] {
        other.handler(path, move |request| match request.method.as_str() {
            "HEAD" => Response::new(status),
            _ => Response::html("<title>Fine</title><p>Fine.</p>"),
        });
    }
    other
}

fn checked() -> LabelledSite {
    let mut site = SiteBuilder::new("external", &["external-broken", "http-4xx"]);
    let (other, closed) = (elsewhere(), ClosedPort::new());
    let refused = format!("http://127.0.0.1:{}/page", closed.number());
    site.arguments(&["--check-external"]).plain(10).link(&refused).link("/missing");
    for path in ["/fine", "/missing", "/broken", "/busy", "/no-head", "/head-denies"] {
        site.link(&other.url(path));
    }
    let own = site.url("/missing");
    site.all_have("external-broken", &[&other.url("/missing"), &other.url("/broken"), &refused])
        .expect_not("external-broken", &other.url("/fine"), "it is there")
        .expect_not("external-broken", &other.url("/no-head"), "it answers GET, and HEAD with 405")
        .expect_not("external-broken", &other.url("/head-denies"), "it answers GET, and HEAD with 404")
        .expect_not("external-broken", &other.url("/busy"), "429 is no failure")
        .expect_not("external-broken", &own, "broken, but of this site")
        .expect_code("http-4xx", "/missing")
        .expect_not("http-4xx", &other.url("/missing"), "broken, but of another site");
    site.site.others.push(other);
    site.site.closed.push(closed);
    site.open()
}

/// External links without `--check-external`.
fn unchecked() -> LabelledSite {
    let mut site = SiteBuilder::new("external-unchecked", &["external-broken"]);
    let other = elsewhere();
    site.plain(5).link(&other.url("/missing")).expect_not(
        "external-broken",
        &other.url("/missing"),
        "it was not requested",
    );
    site.site.others.push(other);
    site.open()
}
