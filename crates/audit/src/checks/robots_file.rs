//! robots.txt that is missing, faulty or unreachable (RFC 9309). A file beyond the size limit of its readers (section
//! 2.5) may lose rules, which cannot be checked, because the record holds only the part that is read.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::{Finding, SAMPLE};
use crate::severity::Severity;
use crate::site::{NodeStatus, RobotsFile, Site, UrlNo};
use mapwright_web::robots::MAX_FILE_BYTES;

pub(super) static CHECKER: Checker = Checker::site(find, &[&ROBOTS_MISSING, &ROBOTS_FAULTY, &ROBOTS_UNREACHABLE]);

static ROBOTS_MISSING: Check = Check {
    code: "robots-missing",
    title: "No robots.txt",
    topic: Topic::Site,
    severity: Severity::Notice,
    reason: "There is no robots.txt.",
    fix: "Publish one, be it only to name the sitemap.",
    needs: RequiredCoverage::Robots,
    attributes: Attributes::NONE,
};

static ROBOTS_FAULTY: Check = Check {
    code: "robots-faulty",
    title: "Faulty robots.txt",
    topic: Topic::Site,
    severity: Severity::Warning,
    reason: "robots.txt has lines that are no rules, is not in UTF-8, is longer than is read, or is no robots file at all.",
    fix: "Correct the lines named; each is a field, a colon and a value (RFC 9309, section 2.2), and a sitemap is named by its absolute URL. Save the file as UTF-8, and in less than 500 KiB.",
    needs: RequiredCoverage::Robots,
    attributes: Attributes::NONE,
};

static ROBOTS_UNREACHABLE: Check = Check {
    code: "robots-unreachable",
    title: "robots.txt not available",
    topic: Topic::Site,
    severity: Severity::Error,
    reason: "robots.txt is not available, which forbids crawling the entire site (RFC 9309, section 2.3.1.4).",
    fix: "Let the server answer /robots.txt with 200, or with 404 where there is none.",
    needs: RequiredCoverage::RobotsResponse,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (end, (fetch_status, status)) in &site.robots_failed {
        let what = if *fetch_status == NodeStatus::Status {
            format!("answers {status}")
        } else {
            "gives no answer".to_owned()
        };
        let check = if fetch_status.is_absent(*status) { &ROBOTS_MISSING } else { &ROBOTS_UNREACHABLE };
        for robots in site.robots_led_to(*end) {
            found.push(about(site, check, robots).says(format!("{} {what}.", chain(site, robots, *end))));
        }
    }
    for robots in site.robots_led_nowhere() {
        let message = format!("{} redirects, and comes to no end.", site.text(robots));
        found.push(about(site, &ROBOTS_MISSING, robots).says(message));
    }
    for (end, file) in &site.robots {
        let Some(what) = fault(file) else { continue };
        for robots in site.robots_led_to(*end) {
            found.push(about(site, &ROBOTS_FAULTY, robots).says(format!("{}: {what}.", file.url)));
        }
    }
}

/// Returns a finding about the site for the robots file of the start host, else about the file, because each host has
/// its own.
fn about(site: &Site, check: &'static Check, robots: UrlNo) -> Finding {
    if site.is_on_start_origin(robots) { Finding::site(check) } else { Finding::of(check, robots) }
}

/// Describes a robots file, and the target of its redirect.
fn chain(site: &Site, robots: UrlNo, end: UrlNo) -> String {
    let text = site.text(robots);
    if robots == end { text.to_owned() } else { format!("{text} redirects to {}, which", site.text(end)) }
}

fn fault(file: &RobotsFile) -> Option<String> {
    if file.looks_like_html {
        return Some("it is a HTML page, and no robots file".to_owned());
    }
    let cut = || format!("it is longer than {} KiB, and what stands beyond is not read", MAX_FILE_BYTES / 1024);
    let cut = file.is_cut.then(cut);
    let faults = file.faults.iter().take(SAMPLE).map(ToString::to_string);
    let found: Vec<String> = cut.into_iter().chain(faults).collect();
    (!found.is_empty()).then(|| found.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    use crate::site::builder::SiteBuilder;

    fn found(builder: SiteBuilder, code: &str) -> usize {
        builder.site().run_check(find).of(code).len()
    }

    #[test]
    fn a_client_error_means_that_robots_txt_is_missing() {
        for status in [401, 403, 404, 410] {
            assert_eq!(found(builder().no_robots(status), "robots-missing"), 1, "{status}");
        }
        let message = builder().no_robots(404).site().run_check(find).message("robots-missing");
        assert_eq!(message, "http://example.com/robots.txt answers 404.");
    }

    #[test]
    fn a_server_error_throttling_or_no_answer_disallows_everything() {
        for status in [429, 500, 503, 0] {
            let builder = || builder().no_robots(status);
            assert_eq!(
                (found(builder(), "robots-unreachable"), found(builder(), "robots-missing")),
                (1, 0),
                "{status}"
            );
        }
        let message = builder().no_robots(0).site().run_check(find).message("robots-unreachable");
        assert_eq!(message, "http://example.com/robots.txt gives no answer.");
    }

    #[test]
    fn lines_that_are_no_rules_are_reported() {
        let faulty = builder().robots("User-agent *\nDisalow: /x/\nUser-agent: *\nDisallow /y/\n").site();
        let message = faulty.run_check(find).message("robots-faulty");
        assert!(message.starts_with("http://example.com/robots.txt: line 1 "), "{message}");
        let page = "<!doctype html><html><head><title>Hello</title></head><body><p>A page.</p></body></html>";
        let message = builder().robots(page).site().run_check(find).message("robots-faulty");
        assert_eq!(message, "http://example.com/robots.txt: it is a HTML page, and no robots file.");
    }

    #[test]
    fn a_sitemap_line_without_a_full_url_is_reported() {
        for value in ["/sm.xml", "not a url"] {
            let site = builder().robots(&format!("User-agent: *\nSitemap: {value}\n")).site();
            let message = site.run_check(find).message("robots-faulty");
            let expected = format!("line 2 names a sitemap by less than its absolute URL: Sitemap: {value}.");
            assert_eq!(message, format!("http://example.com/robots.txt: {expected}"));
        }
    }

    #[test]
    fn a_file_that_is_too_long_or_in_another_encoding_is_reported() {
        let long = format!("User-agent: *\n{}Disallow: /a\n", "# ----\n".repeat(80_000));
        let message = builder().robots(&long).site().run_check(find).message("robots-faulty");
        let expected = "it is longer than 500 KiB, and what stands beyond is not read.";
        assert_eq!(message, format!("http://example.com/robots.txt: {expected}"));
        let decoded = String::from_utf8_lossy(b"User-agent: *\nDisallow: /caf\xE9\n").into_owned();
        let message = builder().robots(&decoded).site().run_check(find).message("robots-faulty");
        assert!(message.contains("line 2 is not in UTF-8"), "{message}");
    }

    #[test]
    fn comments_other_fields_and_odd_spacing_are_no_faults() {
        let odd = "\u{feff}# fine\r\nUSER-AGENT : *\r\ndisallow:   /tmp/  # comment\r\n\r\nCrawl-delay: 0\r\nSitemap: http://e.com/s.xml\r\n";
        assert!(builder().robots(odd).site().run_check(find).is_nothing());
        assert!(builder().robots("").site().run_check(find).is_nothing(), "an empty file allows all");
    }

    #[test]
    fn the_final_file_of_a_redirect_counts_for_the_requested_host() {
        let site = builder().robots_redirect("/other.txt").no_robots(404).site();
        let expected = "http://example.com/robots.txt redirects to http://example.com/other.txt, which answers 404.";
        assert_eq!(site.run_check(find).message("robots-missing"), expected);
        let silent = builder().robots_redirect("http://www.example.com/robots.txt").no_robots(503).site();
        assert_eq!(silent.run_check(find).of("robots-unreachable"), ["the site"]);
        let faulty = builder().robots_redirect("/other.txt").robots("Disalow: /x/").site();
        assert_eq!(faulty.run_check(find).of("robots-faulty"), ["the site"]);
    }

    #[test]
    fn endless_redirects_mean_that_robots_txt_is_missing() {
        let site = builder().robots_redirect("/robots.txt").site();
        let found = site.run_check(find);
        assert_eq!(found.message("robots-missing"), "http://example.com/robots.txt redirects, and comes to no end.");
    }

    #[test]
    fn a_host_of_the_site_without_reachable_robots_txt_is_reported_by_its_file() {
        let robots = "http://www.example.com/robots.txt";
        let site = builder().links("/", &["http://www.example.com/a"]).unavailable("http://www.example.com/a");
        let site = site.no_robots_at(robots, 503).site();
        assert_eq!(site.run_check(find).of("robots-unreachable"), [robots]);
    }

    #[test]
    fn the_robots_files_of_other_sites_are_not_checked() {
        let site =
            builder().start("http://www.example.com/").links("http://www.example.com/", &[]).no_robots(404).site();
        assert!(site.run_check(find).is_nothing(), "http://example.com has no part in the crawl");
    }
}
