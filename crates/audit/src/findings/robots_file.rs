//! robots.txt: missing, faulty, not to be had (RFC 9309). Of one that is too long for its readers (section 2.5) nobody
//! can tell whether rules are lost: the record holds no more of it than is read.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Fate, RobotsFile, Site, UrlNo};
use mapwright_web::robots::MAX_FILE_BYTES;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (end, (fate, status)) in &site.robots_failed {
        let what = if *fate == Fate::Status { format!("answers {status}") } else { "gives no answer".to_owned() };
        let code = if fate.is_absent(*status) { Code::RobotsMissing } else { Code::RobotsUnreachable };
        for robots in site.robots_led_to(*end) {
            found.push(about(site, code, robots).says(format!("{} {what}.", way(site, robots, *end))));
        }
    }
    for robots in site.robots_led_nowhere() {
        let message = format!("{} redirects, and comes to no end.", site.text(robots));
        found.push(about(site, Code::RobotsMissing, robots).says(message));
    }
    for (end, file) in &site.robots {
        let Some(what) = fault(file) else { continue };
        for robots in site.robots_led_to(*end) {
            found.push(about(site, Code::RobotsFaulty, robots).says(format!("{}: {what}.", file.url)));
        }
    }
}

/// About the site, where it is the robots file of the host that the crawl starts at; else about the file, since each
/// host has its own.
fn about(site: &Site, code: Code, robots: UrlNo) -> Finding {
    if site.is_at_home(robots) { Finding::site(code) } else { Finding::of(code, robots) }
}

/// A robots file, and where it redirects to.
fn way(site: &Site, robots: UrlNo, end: UrlNo) -> String {
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
    let told: Vec<String> = cut.into_iter().chain(faults).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    use crate::site::made::Made;

    fn told(made: Made, code: Code) -> usize {
        made.site().told(find).of(code).len()
    }

    #[test]
    fn a_client_error_means_that_there_is_none() {
        for status in [401, 403, 404, 410] {
            assert_eq!(told(made().no_robots(status), Code::RobotsMissing), 1, "{status}");
        }
        let message = made().no_robots(404).site().told(find).message(Code::RobotsMissing);
        assert_eq!(message, "http://example.com/robots.txt answers 404.");
    }

    #[test]
    fn a_server_error_throttling_or_silence_forbids_all() {
        for status in [429, 500, 503, 0] {
            let made = || made().no_robots(status);
            assert_eq!((told(made(), Code::RobotsUnreachable), told(made(), Code::RobotsMissing)), (1, 0), "{status}");
        }
        let message = made().no_robots(0).site().told(find).message(Code::RobotsUnreachable);
        assert_eq!(message, "http://example.com/robots.txt gives no answer.");
    }

    #[test]
    fn lines_that_are_no_rules_are_told() {
        let faulty = made().robots("User-agent *\nDisalow: /x/\nUser-agent: *\nDisallow /y/\n").site();
        let message = faulty.told(find).message(Code::RobotsFaulty);
        assert!(message.starts_with("http://example.com/robots.txt: line 1 "), "{message}");
        let page = "<!doctype html><html><head><title>Hello</title></head><body><p>A page.</p></body></html>";
        let message = made().robots(page).site().told(find).message(Code::RobotsFaulty);
        assert_eq!(message, "http://example.com/robots.txt: it is a HTML page, and no robots file.");
    }

    #[test]
    fn a_sitemap_that_is_named_by_less_than_its_url_is_told() {
        for value in ["/sm.xml", "not a url"] {
            let site = made().robots(&format!("User-agent: *\nSitemap: {value}\n")).site();
            let message = site.told(find).message(Code::RobotsFaulty);
            let expected = format!("line 2 names a sitemap by less than its whole URL: Sitemap: {value}.");
            assert_eq!(message, format!("http://example.com/robots.txt: {expected}"));
        }
    }

    #[test]
    fn a_file_that_is_too_long_or_in_another_encoding_is_told() {
        let long = format!("User-agent: *\n{}Disallow: /a\n", "# ----\n".repeat(80_000));
        let message = made().robots(&long).site().told(find).message(Code::RobotsFaulty);
        let expected = "it is longer than 500 KiB, and what stands beyond is not read.";
        assert_eq!(message, format!("http://example.com/robots.txt: {expected}"));
        let decoded = String::from_utf8_lossy(b"User-agent: *\nDisallow: /caf\xE9\n").into_owned();
        let message = made().robots(&decoded).site().told(find).message(Code::RobotsFaulty);
        assert!(message.contains("line 2 is not in UTF-8"), "{message}");
    }

    #[test]
    fn comments_other_fields_and_odd_writing_are_rules() {
        let odd = "\u{feff}# fine\r\nUSER-AGENT : *\r\ndisallow:   /tmp/  # comment\r\n\r\nCrawl-delay: 0\r\nSitemap: http://e.com/s.xml\r\n";
        assert!(made().robots(odd).site().told(find).is_nothing());
        assert!(made().robots("").site().told(find).is_nothing(), "an empty file allows all");
    }

    #[test]
    fn the_end_of_a_redirect_counts_for_the_host_that_was_asked() {
        let site = made().robots_redirect("/other.txt").no_robots(404).site();
        let expected = "http://example.com/robots.txt redirects to http://example.com/other.txt, which answers 404.";
        assert_eq!(site.told(find).message(Code::RobotsMissing), expected);
        let silent = made().robots_redirect("http://www.example.com/robots.txt").no_robots(503).site();
        assert_eq!(silent.told(find).of(Code::RobotsUnreachable), ["the site"]);
        let faulty = made().robots_redirect("/other.txt").robots("Disalow: /x/").site();
        assert_eq!(faulty.told(find).of(Code::RobotsFaulty), ["the site"]);
    }

    #[test]
    fn redirects_without_end_mean_that_there_is_none() {
        let site = made().robots_redirect("/robots.txt").site();
        let told = site.told(find);
        assert_eq!(told.message(Code::RobotsMissing), "http://example.com/robots.txt redirects, and comes to no end.");
    }

    #[test]
    fn a_host_of_the_site_that_may_not_be_crawled_without_its_robots_txt_is_told_by_its_file() {
        let robots = "http://www.example.com/robots.txt";
        let site = made().links("/", &["http://www.example.com/a"]).unavailable("http://www.example.com/a");
        let site = site.no_robots_at(robots, 503).site();
        assert_eq!(site.told(find).of(Code::RobotsUnreachable), [robots]);
    }

    #[test]
    fn the_robots_files_of_other_sites_are_not_judged() {
        let site = made().start("http://www.example.com/").links("http://www.example.com/", &[]).no_robots(404).site();
        assert!(site.told(find).is_nothing(), "http://example.com has no part in the crawl");
    }
}
