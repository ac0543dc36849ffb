//! `report.html` of a hostile site whose texts try to inject markup or scripts.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use crate::report_page::{Report, ReportPage};
use mapwright_audit::checks;
use mapwright_e2e::browser::{Browser, Screen};
use mapwright_e2e::{Command, Workspace};
use mapwright_testkit::{FakeSite, Response};
use serde_json::{Value, json};

/// Texts that have an effect, or look like other text, unless they are escaped.
const TEXTS: [&str; 10] = [
    "</script><script>window.hostile=1</script>",
    "\"><img src=x onerror=window.hostile=1>",
    "'><svg onload=window.hostile=1><hostile-mark>",
    "<!--<script><hostile-mark>",
    "]]></script><iframe srcdoc=x>",
    "{{site}}{{script}}`<hostile-mark>`",
    "safe\u{202e}gpj.exe\u{2066}\u{200f}",
    "bell\u{7}\u{1b}[31m\u{85}end",
    "=HYPERLINK(\"http://evil.test/\",\"pay\")",
    "javascript:window.hostile=1//",
];

/// The expression for all elements and attributes that the report itself never has.
const FOREIGN: &str = "[...document.querySelectorAll('hostile-mark, img, iframe, object, embed, base, link, video, audio, \
    area, form:not(.filters), meta[http-equiv=refresh], [src], [srcdoc], [action], [formaction]'), \
    ...[...document.querySelectorAll('*')].filter((one) => [...one.attributes].some((own) => /^on/.test(own.name)))]\
    .map((one) => one.outerHTML)";

/// The expression for all scripts except the page's data.
const SCRIPTS: &str =
    "[...document.scripts].filter((one) => one.type !== 'application/json').map((one) => one.type).join()";

/// The expression for the link targets, except those within the page.
const LINKS: &str = "[...new Set([...document.querySelectorAll('[href]')].map((one) => one.getAttribute('href')))]\
    .filter((href) => !href.startsWith('#'))";

/// The expression for the page's text without its data, including escaped markup.
const WORDS: &str = "[...document.querySelectorAll('title, header, main, dialog, title *, desc')]\
    .map((one) => one.textContent).join('\\n')";

/// The expression that opens each finding in turn, and evaluates `LOOK` for each.
const WALK: &str = "(() => {
    const seen = [];
    const look = () => LOOK;
    document.querySelector('#grid .body [role=row]').click();
    for (;;) {
        seen.push(look());
        if (document.getElementById('next').disabled) return seen;
        document.getElementById('next').click();
    }
})()";

#[test]
fn texts_of_the_site_stay_texts() {
    let audited = Audited::new();
    let mut page = ReportPage::open(&audited.report, Screen::Desktop);
    let findings = audited.report.findings().len();
    assert!(findings > 3 * TEXTS.len(), "{findings} findings");
    let words = walk(&mut page, WORDS);
    assert_eq!(words.len(), findings);
    let words: String = words.iter().map(|words| words.as_str().unwrap()).collect();
    for text in TEXTS {
        assert!(words.contains(&shown(text)), "the report does not show {text:?}, so that this is no test");
    }
    assert!(!words.contains(is_acting), "characters of the site act");
    assert_eq!(flat(walk(&mut page, FOREIGN)), Vec::<String>::new());
    assert_links_are_pages(&audited.site, &flat(walk(&mut page, LINKS)));
    assert_is_unharmed(&mut page);
}

#[test]
fn texts_of_the_site_stay_texts_without_scripts() {
    let audited = Audited::new();
    let mut page = ReportPage::without_scripts(&audited.report, Screen::Desktop);
    let words = page.browser.text(WORDS);
    for text in TEXTS.into_iter().take(4) {
        assert!(words.contains(&shown(text)), "the report does not show {text:?}, so that this is no test");
    }
    assert!(!words.contains(is_acting), "characters of the site act");
    assert_eq!(page.browser.value(FOREIGN), json!([]));
    let links = page.browser.value(LINKS);
    assert_links_are_pages(&audited.site, &flat(vec![links]));
    assert_is_unharmed(&mut page);
}

#[test]
fn hostile_texts_fit_a_phone() {
    let audited = Audited::new();
    let mut page = ReportPage::open(&audited.report, Screen::Phone);
    let widths = walk(&mut page, "[document.documentElement.scrollWidth, detail.scrollWidth - detail.clientWidth]");
    assert!(widths.iter().all(|widths| *widths == json!([Screen::Phone.width(), 0])), "{widths:?}");
}

#[test]
fn injected_markup_is_detected() {
    let workspace = Workspace::new();
    let texts = format!("{}<img src=y><script>alert(1)</script><a href=data:,x>x</a>", TEXTS.concat());
    let mut browser = Browser::on(Screen::Desktop);
    browser.open(workspace.file("page.html", page("", &format!("<!-- -->{}", texts.replace("<!--", "")))));
    assert_eq!(browser.value("window.hostile"), 1);
    assert!(flat(vec![browser.value(FOREIGN)]).len() >= 4);
    assert_eq!(flat(vec![browser.value(LINKS)]), ["data:,x"]);
    assert!(browser.complaints().iter().any(|complaint| complaint.contains("javascriptDialogOpening")));
    assert!(browser.requests().len() >= 2, "{:?}", browser.requests());
}

// ---- helpers

/// A hostile site and its audit.
struct Audited {
    site: FakeSite,
    report: Report,
    _workspace: Workspace,
}

impl Audited {
    fn new() -> Audited {
        let (site, workspace) = (hostile_site(), Workspace::new());
        let out = workspace.out();
        let audit = Command::new(["audit", &site.url("/?{{site}}{{script}}'")]).within(&workspace);
        let _ = audit.arg("--out").arg(&out).arg("--state").arg(workspace.state()).run().exited(0);
        Audited { site, report: Report::read(out), _workspace: workspace }
    }
}

/// A site that has for each text: broken links with the text as anchor and in the URL, two pages with it as title, and
/// canonicals, languages, directives and redirects with it.
fn hostile_site() -> FakeSite {
    let site = FakeSite::open();
    let mut start =
        "<a href=\"javascript:window.hostile=1\">run</a> <a href=\"data:text/html,<hostile-mark>\">data</a>".to_owned();
    for (number, text) in TEXTS.iter().enumerate() {
        let escaped = escaped(text);
        start.push_str(&format!(
            "<p><a href=\"/gone/{number}/'{escaped}?{escaped}\">{escaped}</a> <a href=\"/twin/{number}/a\">a</a> \
             <a href=\"/twin/{number}/b\">b</a> <a href=\"/moved/{number}\" title=\"{escaped}\">{escaped}</a> \
             <a href=\"/twin/{number}/a#{escaped}\">{escaped}</a></p>\n"
        ));
        for variant in ["a", "b"] {
            let head = format!(
                "<title>{escaped}</title><link rel=canonical href=\"{escaped}\">\
                 <link rel=alternate hreflang=\"{escaped}\" href=\"/twin/{number}/b\">\
                 <meta name=robots content=\"{escaped}, noindex\"><meta name=description content=\"{escaped}\">"
            );
            site.page(
                &format!("/twin/{number}/{variant}"),
                page(&head, &format!("<p>Twin {variant} of {number}.</p>")),
            );
        }
        site.redirect(&format!("/moved/{number}"), &format!("/gone/{number}/{}", printable(text)), 302);
    }
    site.page("/", page("<title>Start</title>", &start));
    site.robots(format!("{}: x\nDisallow /{}\nSitemap: {}\n", TEXTS[1], TEXTS[2], site.url("/sitemap.xml")));
    let entry =
        |text: &&str| format!("<url><loc>{}{}</loc></url>", site.url("/gone/in-sitemap?"), escaped(&printable(text)));
    let entries: String = TEXTS.iter().map(entry).collect();
    let schema = "http://www.sitemaps.org/schemas/sitemap/0.9";
    site.answer("/sitemap.xml", Response::xml(format!("<urlset xmlns=\"{schema}\">{entries}</urlset>")));
    site
}

fn page(head: &str, body: &str) -> String {
    format!("<!doctype html><html lang=en><head><meta charset=utf-8>{head}</head><body>{body}</body></html>")
}

/// Escapes a text for HTML and XML, in text and in quoted attributes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Removes the control characters, which neither a header nor XML may contain.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// Returns true for bidirectional controls, and for control characters except line breaks.
fn is_acting(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text in the form in which the report shows it.
fn shown(text: &str) -> String {
    let one = |c: char| if is_acting(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    text.chars().map(one).collect()
}

#[track_caller]
fn walk(page: &mut ReportPage, look: &str) -> Vec<Value> {
    let seen = page.browser.value(&WALK.replace("LOOK", look));
    let _ = page.browser.value("document.getElementById('detail').close()");
    seen.as_array().unwrap().clone()
}

fn flat(lists: Vec<Value>) -> Vec<String> {
    lists.iter().flat_map(|list| list.as_array().unwrap()).map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn assert_links_are_pages(site: &FakeSite, links: &[String]) {
    assert!(!links.is_empty(), "no links at all");
    let help: Vec<String> = checks::all().iter().map(|check| check.help_url()).collect();
    let is_own = |link: &&String| link.starts_with(&site.url("/")) || help.contains(link);
    let foreign: Vec<&String> = links.iter().filter(|link| !is_own(link)).collect();
    assert!(foreign.is_empty(), "{foreign:#?}");
}

/// Asserts that no injected script ran, no request was sent, and no window opened.
#[track_caller]
fn assert_is_unharmed(page: &mut ReportPage) {
    assert_eq!(page.browser.value("window.hostile ?? null"), Value::Null);
    assert_eq!(page.browser.text(SCRIPTS), "module");
    assert_eq!(page.browser.complaints(), Vec::<String>::new());
    assert_eq!(page.browser.requests().len(), 1);
}
