//! Reports and the dashboard without faults of accessibility, at three widths, light and dark.

use mapwright_e2e::axe::faults;
use mapwright_e2e::browser::{Browser, Screen};
use mapwright_e2e::{Command, Workspace, links};
use mapwright_testkit::FakeSite;

const TOKEN: &str = "a-token-that-nobody-guesses-0123456789";

/// A site with findings of several kinds.
fn site() -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["a?sort=up", "a?sort=down", "b", "gone"]) + "<img src=/missing.png>").status("/gone", 404);
    site.page("/a*", "<title>A</title><h1>A</h1><p>One.").page("/b", "<title>A</title><h1></h1><h1>B</h1><p>Two.");
    site
}

/// Each width, light and dark.
fn browsers() -> impl Iterator<Item = (String, Browser)> {
    [Screen::Desktop, Screen::Tablet, Screen::Phone].into_iter().flat_map(|screen| {
        [false, true].map(|dark| {
            let browser = Browser::on(screen);
            let name = format!("{} px{}", screen.width(), if dark { ", dark" } else { "" });
            (name, if dark { browser.in_the_dark() } else { browser })
        })
    })
}

/// Collects the faults of the page that is open, and whether it is wider than the screen.
fn check(browser: &mut Browser, page: &str, found: &mut Vec<String>) {
    found.extend(faults(browser).into_iter().map(|fault| format!("{page}: {fault}")));
    if browser.value("document.documentElement.scrollWidth > innerWidth") == true {
        found.push(format!("{page}: wider than the screen"));
    }
}

#[test]
fn faults_are_found() {
    let site = FakeSite::open();
    site.page("/", "<title>A page</title><img src=/a.png><p style='color:#999;background:#aaa'>A text.");
    let mut browser = Browser::on(Screen::Desktop);
    browser.visit(&site.url("/"));
    let found = faults(&mut browser).join("\n");
    for rule in ["image-alt: img", "html-has-lang", "color-contrast: p"] {
        assert!(found.contains(rule), "{rule}: {found}");
    }
}

#[test]
fn reports_are_accessible() {
    let (site, workspace) = (site(), Workspace::new());
    let _ = Command::new(["audit", &site.url("/"), "--out", "out", "--no-progress"]).within(&workspace).run().exited(0);
    let mut found = Vec::new();
    for (name, mut browser) in browsers() {
        browser.open(workspace.folder().join("out/report.html"));
        browser
            .until("document.readyState === 'complete' && document.querySelector('#grid .body [role=row]') !== null");
        check(&mut browser, &format!("report at {name}"), &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_dashboard_is_accessible() {
    let site = site();
    let workspace = Workspace::of_service(&format!("[job.shop]\nurl = [\"{}\"]\n", site.url("/")));
    workspace.file("token", TOKEN);
    let service = workspace.serve_with(&["--token-file", "token"]);
    let mut found = Vec::new();
    for (place, (name, mut browser)) in browsers().enumerate() {
        browser.visit(&service.url("/login"));
        check(&mut browser, &format!("/login at {name}"), &mut found);
        browser.value(&format!(
            "(() => {{ const field = document.querySelector('input[name=token]'); field.value = '{TOKEN}'; \
             field.form.requestSubmit(); }})()"
        ));
        browser.until("document.readyState === 'complete' && document.querySelector('h1').innerText === 'Jobs'");
        if place == 0 {
            browser.visit(&service.url("/jobs/shop"));
            browser.value("document.querySelector('form[action$=\"/start\"]').requestSubmit()");
            browser.until("/done/.test(document.querySelector('#runs')?.innerText ?? '')");
        }
        let more =
            ["/runs/1", "/findings", "/urls", "/compare", "/parameters", "/settings", "/files", "/edit", "/remove"];
        let of_job = more.map(|tail| format!("/jobs/shop{tail}"));
        let explained = format!("/jobs/shop/explain?url={}", site.url("/gone"));
        for path in
            ["/", "/jobs/shop", "/new", "/nothing"].map(str::to_owned).into_iter().chain(of_job).chain([explained])
        {
            browser.visit(&service.url(&path));
            check(&mut browser, &format!("{path} at {name}"), &mut found);
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
