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
