//! Pages made by scripts, which an audit sees that renders them.

use super::label::LabelSubject;
use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![links(), directives(), canonicals(), redirects(), texts(), requests(), bad_pages()]
}

/// Begins a site whose pages are rendered.
fn site(name: &'static str, about: &[&'static str]) -> SiteBuilder {
    let mut site = SiteBuilder::new(name, about);
    site.arguments(&["--render", "always", "--render-timeout", "5s"]).plain(3);
    site
}

/// A page with this script at its end. The policy of other pages permits none.
fn page(path: &str, script: &str) -> Page {
    Page::at(path).unprotected().body(&format!("<script>{script}</script>"))
}

/// A script that adds to the head.
fn to_head(html: &str) -> String {
    format!("document.head.insertAdjacentHTML('beforeend', `{html}`)")
}

/// A script that adds to the body.
fn to_body(html: &str) -> String {
    format!("document.body.insertAdjacentHTML('beforeend', `{html}`)")
}

fn links() -> LabelledSite {
    let about = ["links-by-script", "hash-routes", "uncrawlable-links", "infinite-scroll"];
    let mut site = site("scripts-links", &about);
    let endless = "const end = document.createElement('p'); document.body.append(end);
                   new IntersectionObserver(() => fetch('/more.json')).observe(end)";
    let once = "const part = document.createElement('p'); document.body.append(part);
                new IntersectionObserver((all, observer) => { observer.disconnect(); fetch('/more.json') }).observe(part)";
    site.put(page("/adds", &to_body("<a href='/plain/1'>One</a>")))
        .put(page("/decorates", "document.querySelectorAll('a').forEach((link) => link.className = 'seen')"))
        .put(page("/views", &to_body("<a href='#/first'>First</a><a href='#!/second'>Second</a>")))
        .put(page("/parts", &to_body("<a href='#part'>Part</a><h2 id=part>Part</h2>")))
        .put(Page::at("/clicked").body("<a onclick=\"go('/plain/2')\">Two</a>"))
        .put(Page::at("/button").body("<a href='javascript:void(0)' role=button>Menu</a>"))
        .put(page("/endless", endless))
        .put(page("/once", once));
    site.unlinked_answer("/more.json", Response::new(200).content_type("application/json").body("[]"));
    site.expect_code("links-by-script", "/adds")
        .expect_not("links-by-script", "/decorates", "its scripts change links and add none")
        .expect_code("hash-routes", "/views")
        .expect_not("hash-routes", "/parts", "its fragment names a part of it")
        .expect_code("uncrawlable-links", "/clicked")
        .expect_not("uncrawlable-links", "/button", "it is a button")
        .expect_code("infinite-scroll", "/endless")
        .expect_not("infinite-scroll", "/once", "it loads one part, and then no more");
    site.open()
}

fn directives() -> LabelledSite {
    let mut site = site("scripts-directives", &["noindex-by-script", "noindex-only-raw", "nofollow-only-raw"]);
    let removes = "document.querySelector('meta[name=robots]').remove()";
    site.put(page("/sets", &to_head("<meta name=robots content=noindex>")))
        .put(page("/takes-back", removes).head("<meta name=robots content=noindex>").unlisted())
        .put(page("/repeats", &to_head("<meta name=robots content=noindex>")).robots("noindex").unlisted())
        .put(page("/frees-links", removes).head("<meta name=robots content=nofollow>"))
        .put(page("/keeps-links", "void 0").robots("nofollow"));
    site.expect_code("noindex-by-script", "/sets")
        .expect_code("noindex-only-raw", "/takes-back")
        .expect_not("noindex-by-script", "/repeats", "the document itself says so")
        .expect_not("noindex-only-raw", "/repeats", "both say so")
        .expect_code("nofollow-only-raw", "/frees-links")
        .expect_not("nofollow-only-raw", "/keeps-links", "no script takes it back");
    site.open()
}

fn canonicals() -> LabelledSite {
    let mut site = site("scripts-canonicals", &["canonical-mismatch", "canonical-by-script"]);
    let sets = |path: &str| to_head(&format!("<link rel=canonical href='{path}'>"));
    let changes = "document.querySelector('link[rel=canonical]').href = '/plain/1'";
    site.put(page("/changes", changes))
        .put(page("/rewrites", "document.querySelector('link[rel=canonical]').href = location.href"))
        .put(page("/sets", &sets("/sets")).without_canonical());
    site.expect_code("canonical-mismatch", "/changes")
        .expect_not("canonical-mismatch", "/rewrites", "it names the same page in another form")
        .expect_code("canonical-by-script", "/sets")
        .expect_not("canonical-by-script", "/rewrites", "the document itself has one");
    site.open()
}

fn redirects() -> LabelledSite {
    let mut site = site("scripts-redirects", &["redirect-by-script"]);
    site.put(page("/moves", "location.replace('/plain/1')").unlisted())
        .put(page("/moves-late", "setTimeout(() => location.href = '/plain/1', 3000)"));
    site.expect_code("redirect-by-script", "/moves").expect_not(
        "redirect-by-script",
        "/moves-late",
        "visitors see the page first",
    );
    site.open()
}

fn texts() -> LabelledSite {
    let about = ["title-by-script", "description-by-script", "h1-by-script", "hreflang-by-script"];
    let mut site = site("scripts-texts", &about);
    let description = "<meta name=description content='What only its script says of this page.'>";
    let alternates =
        "<link rel=alternate hreflang=en href='/alternates'><link rel=alternate hreflang=de href='/german'>";
    site.put(page("/title", "document.title = 'A title that only a script gives'"))
        .put(page("/description", &to_head(description)).description(None))
        .put(page("/heading", &to_body("<h1>A heading that only a script makes</h1>")).headings(&[]))
        .put(page("/alternates", &to_head(alternates)))
        .put(Page::at("/german").head(alternates))
        .put(page("/same", "document.title = document.title; document.body.append('More text.')"));
    let why = "its script adds text, and changes nothing else";
    site.expect_code("title-by-script", "/title")
        .expect_not("title-by-script", "/same", why)
        .expect_code("description-by-script", "/description")
        .expect_not("description-by-script", "/same", why)
        .expect_code("h1-by-script", "/heading")
        .expect_not("h1-by-script", "/same", why)
        .expect_code("hreflang-by-script", "/alternates")
        .expect_not("hreflang-by-script", "/german", "the document itself names them");
    site.open()
}

fn requests() -> LabelledSite {
    let mut site = site("scripts-requests", &["blocked-resource", "broken-resource"]);
    site.rules("User-agent: *\nDisallow: /private/\n");
    site.put(page("/blocked", "fetch('/private/list.json').catch(() => 0)"))
        .put(page("/broken", "fetch('/gone.json').catch(() => 0)"))
        .put(page("/fine", "fetch('/list.json').catch(() => 0)"));
    site.unlinked_answer("/list.json", Response::new(200).content_type("application/json").body("[]"));
    let why = "its call is allowed and answered";
    site.expect_code("blocked-resource", "/blocked")
        .expect_not("blocked-resource", "/fine", why)
        .expect_code("broken-resource", "/broken")
        .expect_not("broken-resource", "/fine", why);
    site.open()
}

fn bad_pages() -> LabelledSite {
    let mut site = site("scripts-bad-pages", &["script-error", "render-cut", "render-failed"]);
    let fills = "const all = []; for (;;) all.push(new Array(1e6).fill(all.length))";
    site.put(page("/fails", "throw new Error('the basket is lost')"))
        .put(page("/catches", "try { throw new Error('caught') } catch {}"))
        .put(page("/loops", "for (;;);"))
        .put(page("/waits", "setTimeout(() => 0, 2000)"))
        .put(page("/fills-memory", fills));
    let pattern = |text: &str| LabelSubject::Pattern(text.to_owned());
    site.has_any("script-error", vec![pattern("Error: the basket is lost")])
        .false_positive("script-error", pattern("Error: caught"), "it is caught")
        .expect_code("render-cut", "/loops")
        .expect_not("render-cut", "/waits", "its time passes at once")
        .expect_code("render-failed", "/fills-memory")
        .expect_not("render-failed", "/loops", "what is there was read");
    site.open()
}
