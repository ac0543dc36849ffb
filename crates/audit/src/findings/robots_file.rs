//! robots.txt: missing, faulty, not to be had (RFC 9309).

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Fate, RobotsFile, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, fate, status) in &site.robots_failed {
        if !of_the_site(site, site.text(*url)) {
            continue;
        }
        let text = site.text(*url);
        found.push(match fate {
            Fate::Status if (400..=499).contains(status) && *status != 429 => {
                Finding::site(Code::RobotsMissing).says(format!("{text} answers {status}."))
            }
            Fate::Status => Finding::site(Code::RobotsUnreachable).says(format!("{text} answers {status}.")),
            _ => Finding::site(Code::RobotsUnreachable).says(format!("{text} gives no answer.")),
        });
    }
    for file in site.robots.iter().filter(|file| of_the_site(site, file.url.as_str())) {
        found.extend(fault(file).map(|what| Finding::site(Code::RobotsFaulty).says(format!("{}: {what}.", file.url))));
    }
}

/// Whether a robots file is that of an origin with pages in the crawl, and no other site's.
fn of_the_site(site: &Site, robots: &str) -> bool {
    let root = robots.strip_suffix("robots.txt").unwrap_or(robots);
    site.nodes().any(|(url, node)| node.in_scope() && node.status != 0 && site.text(url).starts_with(root))
        || site.starts.iter().any(|start| site.text(*start).starts_with(root))
}

fn fault(file: &RobotsFile) -> Option<String> {
    if file.robots.looks_like_html() {
        return Some("it is a HTML page, and no robots file".to_owned());
    }
    let listed: Vec<String> = file.faults.iter().take(SAMPLE).map(ToString::to_string).collect();
    (!listed.is_empty()).then(|| listed.join("; "))
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
    fn comments_other_fields_and_odd_writing_are_rules() {
        let odd = "\u{feff}# fine\r\nUSER-AGENT : *\r\ndisallow:   /tmp/  # comment\r\n\r\nCrawl-delay: 0\r\nSitemap: /s.xml\r\n";
        assert!(made().robots(odd).site().told(find).is_nothing());
        assert!(made().robots("").site().told(find).is_nothing(), "an empty file allows all");
    }

    #[test]
    fn the_robots_files_of_other_sites_are_not_judged() {
        let site = made().start("http://www.example.com/").links("http://www.example.com/", &[]).no_robots(404).site();
        assert!(site.told(find).is_nothing(), "http://example.com has no part in the crawl");
    }
}
