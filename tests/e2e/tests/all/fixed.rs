//! What an audit tells as fixed while one page fails.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lints know test functions alone"
)]

use mapwright_e2e::desk::Desk;
use mapwright_e2e::links;
use mapwright_testkit::Site;
use serde_json::Value;

/// Two pages of one title, a page that only a sitemap names, and a page of which nothing is told.
fn faulty() -> Site {
    let site = Site::open();
    site.robots("User-agent: *\nDisallow:\n").page("/", links(&["/a", "/b", "/other"]));
    for path in ["/a", "/b"] {
        site.page(path, format!("<title>Same</title>This is {path}. <a href=/>home</a>"));
    }
    site.page("/x", "<title>X</title><a href=/>home</a>").sitemap("/sitemap.xml", &["/x"]);
    site.page("/other", "<title>Other</title><a href=/>home</a>");
    site
}

/// The URLs that an audit tells as fixed of `dup-title`, and of `orphan`.
#[track_caller]
fn fixed(desk: &Desk, site: &Site) -> [Vec<String>; 2] {
    let (out, state) = (desk.out().display().to_string(), desk.state().display().to_string());
    let start = site.url("/");
    let _ = desk.run(&["audit", &start, "--out", &out, "--state", &state, "--no-progress", "--retries", "0"]).exited(0);
    let report = std::fs::read_to_string(desk.out().join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("a report of JSON");
    let all = report["fixed"].as_array().expect("what is fixed").clone();
    ["dup-title", "orphan"].map(|code| {
        let of_code = all.iter().filter(|one| one["code"] == code);
        of_code.filter_map(|one| one["subject"].as_str().map(str::to_owned)).collect()
    })
}

#[test]
fn one_page_that_fails_keeps_nothing_from_being_fixed_that_it_does_not_decide() {
    let (desk, site) = (Desk::new(), faulty());
    let none: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    assert_eq!(fixed(&desk, &site), none);
    site.page("/", links(&["/a", "/b", "/other", "/x"])).status("/other", 500);
    site.page("/b", "<title>Another</title>This is /b. <a href=/>home</a>");
    assert_eq!(fixed(&desk, &site), [site.urls(&["/a", "/b"]), site.urls(&["/x"])]);
}

#[test]
fn a_page_that_fails_may_have_the_title_still_that_another_page_shares() {
    let (desk, site) = (Desk::new(), faulty());
    let none: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    assert_eq!(fixed(&desk, &site), none);
    site.status("/b", 500);
    assert_eq!(fixed(&desk, &site), none);
    site.page("/b", "<title>Another</title>This is /b. <a href=/>home</a>");
    assert_eq!(fixed(&desk, &site), [site.urls(&["/a", "/b"]), Vec::<String>::new()]);
}
