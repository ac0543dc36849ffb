//! Findings that an audit reports as fixed while one page fails.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lints know test functions alone"
)]

use mapwright_e2e::{Workspace, links};
use mapwright_testkit::FakeSite;
use serde_json::Value;

/// Two pages with the same title, a page that only a sitemap lists, and a page without findings.
fn faulty() -> FakeSite {
    let site = FakeSite::open();
    site.robots("User-agent: *\nDisallow:\n").page("/", links(&["/a", "/b", "/other"]));
    for path in ["/a", "/b"] {
        site.page(path, format!("<title>Same</title>This is {path}. <a href=/>home</a>"));
    }
    site.page("/x", "<title>X</title><a href=/>home</a>").sitemap("/sitemap.xml", &["/x"]);
    site.page("/other", "<title>Other</title><a href=/>home</a>");
    site
}

/// The URLs for which an audit reports `dup-title` and `orphan` as fixed.
#[track_caller]
fn fixed(workspace: &Workspace, site: &FakeSite) -> [Vec<String>; 2] {
    let (out, state) = (workspace.out().display().to_string(), workspace.state().display().to_string());
    let start = site.url("/");
    let _ = workspace
        .run(&["audit", &start, "--out", &out, "--state", &state, "--no-progress", "--retries", "0"])
        .exited(0);
    let report = std::fs::read_to_string(workspace.out().join("report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("a report of JSON");
    let all = report["fixed"].as_array().expect("what is fixed").clone();
    ["dup-title", "orphan"].map(|code| {
        let of_code = all.iter().filter(|one| one["code"] == code);
        of_code.filter_map(|one| one["subject"].as_str().map(str::to_owned)).collect()
    })
}

#[test]
fn a_failing_page_does_not_keep_unrelated_findings_from_being_fixed() {
    let (workspace, site) = (Workspace::new(), faulty());
    let none: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    assert_eq!(fixed(&workspace, &site), none);
    site.page("/", links(&["/a", "/b", "/other", "/x"])).status("/other", 500);
    site.page("/b", "<title>Another</title>This is /b. <a href=/>home</a>");
    assert_eq!(fixed(&workspace, &site), [site.urls(&["/a", "/b"]), site.urls(&["/x"])]);
}

#[test]
fn a_duplicate_title_is_not_fixed_while_one_of_its_pages_fails() {
    let (workspace, site) = (Workspace::new(), faulty());
    let none: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    assert_eq!(fixed(&workspace, &site), none);
    site.status("/b", 500);
    assert_eq!(fixed(&workspace, &site), none);
    site.page("/b", "<title>Another</title>This is /b. <a href=/>home</a>");
    assert_eq!(fixed(&workspace, &site), [site.urls(&["/a", "/b"]), Vec::<String>::new()]);
}
