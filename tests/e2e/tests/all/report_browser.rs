//! `report.html` in a real browser: the audit of real documentation, and a hundred thousand generated findings.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

#[path = "../../../../crates/audit/tests/crawled_site/mod.rs"]
mod made_up;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::report_page::{Column, Filters, Report, ReportPage, SortDirection, row};
use mapwright_e2e::browser::{Key, Screen};
use mapwright_e2e::{Command, Workspace};
use mapwright_testkit::Nginx;
use serde_json::{Value, json};
use url::Url;

/// The maximum time to the first paint, in milliseconds.
const FIRST_PAINT: f64 = 1_000.0;
/// The number of times that a page is opened for a measurement. The best time counts, because other load only slows it.
const OPENED: usize = 5;

/// The visible rows of the table of URLs.
const URL_ROWS: &str = "document.querySelectorAll('#url-grid .body [role=row][data-place]')";

/// Defines the same tests for each report, in a module named after it.
macro_rules! reports {
    ($($report:ident),*) => {
        $(
            mod $report {
                #[test]
                fn loads_nothing_and_complains_of_nothing() {
                    super::loads_nothing_and_complains_of_nothing(super::$report());
                }

                #[test]
                fn is_seen_soon() {
                    super::is_seen_soon(super::$report());
                }

                #[test]
                fn is_sorted() {
                    super::is_sorted(super::$report());
                }

                #[test]
                fn is_filtered() {
                    super::is_filtered(super::$report());
                }

                #[test]
                fn shows_evidence_by_keyboard() {
                    super::shows_evidence_by_keyboard(super::$report());
                }

                #[test]
                fn shows_every_url_with_its_reason() {
                    super::shows_every_url_with_its_reason(super::$report());
                }

                #[test]
                fn fits_a_phone() {
                    super::fits_a_phone(super::$report());
                }

                #[test]
                fn is_readable_without_scripts() {
                    super::is_readable_without_scripts(super::$report());
                }
            }
        )*
    };
}

reports!(postgresql, hundred_thousand);

#[test]
fn duplicates_are_shown_in_the_health_of_their_folder() {
    let host = &postgresql().json["figures"]["folders"][0];
    assert_eq!((&host["errors"], &host["warnings"]), (&json!(0), &json!(2)), "the folder and its index.html: {host}");
}

fn loads_nothing_and_complains_of_nothing(report: &Report) {
    let mut page = ReportPage::open(report, Screen::Desktop);
    let file = Url::from_file_path(report.page()).unwrap();
    let _ = page.browser.value("document.querySelector('#grid .body [role=row]').click()");
    page.browser.until("document.getElementById('detail').open");
    assert_eq!(page.browser.requests(), [file.as_str()]);
    assert_eq!(page.browser.value("performance.getEntriesByType('resource').length"), 0);
    assert_eq!(page.browser.complaints(), Vec::<String>::new());
}

fn is_seen_soon(report: &Report) {
    let mut page = ReportPage::open(report, Screen::Desktop);
    let mut best = f64::INFINITY;
    for _ in 0..OPENED {
        page.browser.until("performance.getEntriesByName('first-contentful-paint').length === 1");
        let paints = page.browser.value("performance.getEntriesByType('paint').map((paint) => paint.startTime)");
        let last = paints.as_array().unwrap().iter().filter_map(Value::as_f64).fold(0.0, f64::max);
        best = best.min(last);
        if best < FIRST_PAINT {
            break;
        }
        page.browser.reload();
    }
    println!("{}: painted after {best:.0} ms", report.folder.display());
    assert!(best < FIRST_PAINT, "painted after {best:.0} ms at best");
}

fn is_sorted(report: &Report) {
    let mut page = ReportPage::open(report, Screen::Desktop);
    let all = report.findings();
    page.assert_shows(&all);
    let mut columns = vec![Column::Subject, Column::Code, Column::State, Column::Severity];
    // The table omits a column that is empty in all rows.
    columns.extend(all.iter().any(|finding| !finding["linked_from_count"].is_null()).then_some(Column::Count));
    for column in columns {
        for way in [SortDirection::Up, SortDirection::Down] {
            let sorted = report.sorted(&all, column, way);
            page.sort_by(column);
            page.assert_shows(&sorted);
        }
    }
}

fn is_filtered(report: &Report) {
    let mut page = ReportPage::open(report, Screen::Desktop);
    let all = report.findings();
    let middle = row(all[all.len() / 2]);
    let name = middle[3].rsplit('/').next().unwrap().to_lowercase();
    let (first, last) = (row(all[0]), row(all[all.len() - 1]));
    for wanted in [
        Filters { text: &name, ..Filters::default() },
        Filters { severity: &first[0], ..Filters::default() },
        Filters { severity: &last[0], ..Filters::default() },
        Filters { code: &first[1], ..Filters::default() },
        Filters { severity: &middle[0], code: &middle[1], text: &name },
    ] {
        let found = wanted.among(&all);
        assert!(!found.is_empty() && found.len() < all.len(), "{wanted:?} is no test");
        page.filter(wanted);
        page.assert_shows(&found);
    }
    page.filter(Filters { text: "no finding has this text", ..Filters::default() });
    page.assert_shows(&[]);
    let _ = page.browser.value("document.querySelector('#filters [type=reset]').click()");
    page.assert_shows(&all);
}

fn shows_evidence_by_keyboard(report: &Report) {
    let mut page = ReportPage::open(report, Screen::Desktop);
    // In tab order, the rows follow the last column head.
    let _ = page
        .browser
        .value("[...document.querySelectorAll('#grid .head button')].findLast((head) => head.offsetParent).focus()");
    page.browser.press(Key::Tab);
    page.browser.until(&at(0));
    page.browser.press(Key::Down);
    page.browser.press(Key::Down);
    page.browser.until(&at(2));
    page.browser.press(Key::Enter);
    page.browser.until("document.getElementById('detail').open");
    page.browser.until("document.getElementById('detail').contains(document.activeElement)");
    let [_, code, _, subject, message, _] = row(report.findings()[2]);
    let evidence = page.browser.text("document.getElementById('evidence').textContent");
    for text in [code, subject, message] {
        assert!(evidence.contains(&text), "no {text} in {evidence}");
    }
    let _ = page.browser.value("document.getElementById('next').click()");
    page.browser.press(Key::Escape);
    // The focus returns to the finding that was shown last.
    page.browser.until(&format!("!document.getElementById('detail').open && {}", at(3)));
    page.browser.press(Key::End);
    page.browser.until(&at(report.findings().len() - 1));
    let (rows, last) = (page.rows(), row(report.findings().last().unwrap()));
    assert_eq!(rows.last(), Some(&last));
}

fn shows_every_url_with_its_reason(report: &Report) {
    let mut page = ReportPage::open(report, Screen::Desktop);
    let all = page.browser.text("document.getElementById('url-count').textContent");
    assert!(!all.starts_with("0 of"), "{all}");
    // A reason leads to the URLs that are left out for it.
    let reason = page.browser.text("document.querySelector('[data-reason]').textContent");
    let count =
        page.browser.text("document.querySelector('[data-reason]').closest('tr').querySelector('.number').textContent");
    let _ = page.browser.value("document.querySelector('[data-reason]').click()");
    page.browser.until(&format!("document.getElementById('url-count').textContent.startsWith('{count} of ')"));
    let is_of_reason =
        format!("[...{URL_ROWS}].every((row) => row.querySelector('.reason').textContent === '{reason}')");
    assert_eq!(page.browser.value(&is_of_reason), true);
    // The most linked first.
    for _ in 0..2 {
        let _ = page.browser.value("document.querySelector('#url-grid .head [data-column=inlinks] button').click()");
    }
    let inlinks = page.browser.value(&format!(
        "[...{URL_ROWS}].sort((a, b) => a.dataset.place - b.dataset.place)
            .map((row) => Number(row.querySelector('.inlinks').textContent.replaceAll(',', '')))"
    ));
    let inlinks: Vec<u64> = inlinks.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(!inlinks.is_empty() && inlinks.is_sorted_by(|one, next| one >= next), "{inlinks:?}");
    let _ = page.browser.value("document.querySelector('#url-grid .body [role=row]').click()");
    page.browser.until("document.getElementById('detail').open");
    let details = page.browser.text("document.getElementById('evidence').textContent");
    assert!(details.contains("It is not in the sitemap: it "), "{details}");
    let _ = page.browser.value("document.getElementById('close').click()");
    let _ = page.browser.value("document.querySelector('#url-filters [type=reset]').click()");
    page.browser.until(&format!("document.getElementById('url-count').textContent === {}", json!(all)));
}

fn fits_a_phone(report: &Report) {
    let mut page = ReportPage::open(report, Screen::Phone);
    assert_fits(&mut page);
    let _ = page.browser.value("document.querySelector('#grid .body [role=row]').click()");
    page.browser.until("document.getElementById('detail').open");
    assert_fits(&mut page);
    let widths = page.browser.value("[detail.scrollWidth, detail.clientWidth]");
    assert_eq!(widths[0], widths[1], "the evidence scrolls sideways");
    drop(page);
    assert_fits(&mut ReportPage::without_scripts(report, Screen::Phone));
}

fn is_readable_without_scripts(report: &Report) {
    let mut page = ReportPage::without_scripts(report, Screen::Desktop);
    assert_eq!(page.browser.value("document.documentElement.dataset.ready ?? null"), Value::Null);
    assert_eq!(page.browser.value("document.getElementById('browser').offsetHeight"), 0);
    let (found, all) = (report.kinds(), report.findings());
    assert!(found.len() > 3, "{found:?}");
    for code in found {
        let kinds = page.browser.text("document.querySelector('.kinds').innerText");
        assert!(kinds.contains(code), "no {code} in {kinds}");
        let seen = format!("['.kinds', '#first-{code}'].every((one) => document.querySelector(one).offsetHeight > 20)");
        assert_eq!(page.browser.value(&seen), true, "{code} is hidden");
        let listed = page.browser.text(&format!("document.getElementById('first-{code}').innerText"));
        let first = Filters { code, ..Filters::default() }.among(&all);
        for finding in first.into_iter().take(10) {
            let subject = &row(finding)[3];
            assert!(listed.contains(subject), "no {subject} in {listed}");
        }
    }
}

// ---- helpers

#[track_caller]
fn assert_fits(page: &mut ReportPage) {
    let widths = page.browser.value("[document.documentElement.scrollWidth, innerWidth]");
    assert_eq!(widths, json!([Screen::Phone.width(), Screen::Phone.width()]), "the page scrolls sideways");
}

/// The expression that is true if the row at this place has the focus.
fn at(place: usize) -> String {
    format!("document.activeElement.dataset.place === '{place}'")
}

/// The report of an audit of the documentation of PostgreSQL, served by nginx.
fn postgresql() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let folder = folder("postgresql");
        let server = Nginx::serve(&[("/postgresql/", "/usr/share/doc/postgresql-doc-15/html")]).unwrap();
        let workspace = Workspace::new();
        // None of its pages names a viewport.
        let words = ["audit", &server.url("/postgresql/"), "--mute", "viewport-missing"];
        let audit = Command::new(words).within(&workspace);
        let _ = audit.arg("--out").arg(&folder).arg("--state").arg(workspace.state()).run().exited(0);
        Report::read(folder)
    })
}

/// The report of a hundred thousand findings.
fn hundred_thousand() -> &'static Report {
    static REPORT: OnceLock<Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        let folder = folder("hundred_thousand");
        let audit = made_up::Audit::new(100_000).unwrap();
        let files = mapwright_audit::report::write_all(&audit.report(), &folder).unwrap();
        assert!(files.contains(&folder.join("report.html")), "{files:?}");
        Report::read(folder)
    })
}

/// Creates an empty folder for a report that several tests read. It is below cargo's temporary folder, because nothing
/// here lives until the last test ends.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_browser").join(name);
    // The first run has no folder to remove.
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}
