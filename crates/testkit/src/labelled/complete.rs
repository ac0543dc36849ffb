//! Findings about an entire site.

use super::LabelSubject;
use super::page::Page;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;
use crate::response::Response;

pub(super) fn sites() -> Vec<LabelledSite> {
    vec![
        empty_shell(),
        scripted(),
        firewall(),
        few_refused(),
        no_robots(),
        faulty_robots("robots-typos", Response::text("User-agent *\nDisalow: /x/\nUser-agent: *\nDisallow /y/\n")),
        faulty_robots("robots-page", Response::html("<!doctype html><title>Hello</title><p>A page.</p>")),
        odd_robots(),
        mixed(),
        one_scheme(),
    ]
}

fn empty_shell() -> LabelledSite {
    let mut site = SiteBuilder::new("empty-shell", &["needs-js"]);
    site.named.clear();
    site.site_has("needs-js")
        .unlinked_answer("/app.js", Response::new(200).content_type("text/javascript").body("start();\n"));
    let site = site.open();
    site.site.page(
        "/",
        "<!doctype html><html><head><title>App</title><script src=\"/app.js\" defer></script></head><body>\
         <div id=\"root\"></div><noscript>You need to enable JavaScript to run this app.</noscript></body></html>",
    );
    site
}

/// As many scripts and the same root element, but the content does not need them.
fn scripted() -> LabelledSite {
    let mut site = SiteBuilder::new("scripted", &["needs-js"]);
    let script = "<script src=\"/app.js\" defer></script>";
    site.home = site.home.clone().head(script).body("<div id=\"root\"></div>");
    site.unlinked_answer("/app.js", Response::new(200).content_type("text/javascript").body("start();\n"));
    for path in ["/a", "/b", "/c", "/d", "/e", "/f"] {
        site.put(Page::at(path).head(script).body("<div id=\"root\"></div><noscript>Enable JavaScript.</noscript>"));
    }
    site.site_unlike("needs-js", "a page needs no script to show its text and links");
    site.open()
}

fn firewall() -> LabelledSite {
    let mut site = SiteBuilder::new("firewall", &["firewall"]);
    let wall = "<!doctype html><html><head><title>Attention Required!</title></head><body><h1>Sorry, you have been \
                blocked</h1><p>Checking your browser before you proceed. Ray ID: 1a2b3c4d</p></body></html>";
    let wall = Response::html(wall).status(403).header("Server", "shield").header("cf-mitigated", "challenge");
    for number in 1..=24 {
        site.answer(&format!("/walled/{number}"), wall.clone());
    }
    site.site_has("firewall");
    site.open()
}

fn few_refused() -> LabelledSite {
    let mut site = SiteBuilder::new("few-refused", &["firewall", "auth"]);
    site.plain(24)
        .answer("/staff", Response::html("<h1>Staff only</h1>").status(403))
        .put(Page::at("/on-firewalls").title("Attention required: how firewalls block browsers"))
        .expect_code("auth", "/staff")
        .site_unlike("firewall", "one page is for the staff, and one speaks of firewalls")
        .expect_not("auth", "/on-firewalls", "anybody may read it");
    site.open()
}

const ROBOTS: &[&str] = &["robots-missing", "robots-faulty"];

fn no_robots() -> LabelledSite {
    let mut site = SiteBuilder::new("robots-none", ROBOTS);
    site.plain(5)
        .robots(Response::html("<h1>Not found</h1>").status(404))
        .site_has("robots-missing")
        .site_unlike("robots-faulty", "no file, and so no line that could be wrong");
    site.open()
}

fn faulty_robots(name: &'static str, answer: Response) -> LabelledSite {
    let mut site = SiteBuilder::new(name, ROBOTS);
    site.plain(5)
        .robots(answer)
        .site_has("robots-faulty")
        .site_unlike("robots-missing", "there is something, such as it is");
    site.open()
}

fn odd_robots() -> LabelledSite {
    let mut site = SiteBuilder::new("robots-odd", ROBOTS);
    let rules = "# House rules\r\n\r\nUSER-AGENT : *\r\ndisallow:   /tmp/  # not yet\r\n\r\n";
    let rules = format!("{rules}Sitemap: {}\r\n", site.url("/sitemap.xml"));
    site.plain(5)
        .robots(Response::text(rules))
        .site_unlike("robots-faulty", "capitals, spaces, comments, empty lines and the ends of lines of another system")
        .site_unlike("robots-missing", "there is one");
    site.open()
}

/// Mixed schemes. The finding may name the site, or one of the pages involved.
fn mixed() -> LabelledSite {
    let mut site = SiteBuilder::new("mixed-schemes", &["mixed-scheme"]);
    let secure = site.url("/till").replacen("http://", "https://", 1);
    site.plain(5).page("/till").put(Page::at("/basket").links(&[&secure]));
    let accepted = [site.site.subject("/basket"), site.site.subject("/till"), site.site.subject(&secure)];
    site.has_any("mixed-scheme", [vec![LabelSubject::Site], accepted.to_vec()].concat());
    site.open()
}

fn one_scheme() -> LabelledSite {
    let mut site = SiteBuilder::new("one-scheme", &["mixed-scheme"]);
    let secure = site.url("/till").replacen("http://", "https://", 1);
    site.plain(5)
        .page("/till")
        .put(Page::at("/partners").links(&["https://elsewhere.invalid/till"]))
        .put(Page::at("/address").body(&format!("<p>Some day we shall be at {secure}.</p>")))
        .site_unlike("mixed-scheme", "https for another site, and an address that is text");
    site.open()
}
