//! Header fields that protect visitors, for the site in one finding.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_text::grouped;
use mapwright_web::page::SecurityHeaders;

pub(super) static CHECKER: Checker = Checker::site(find, &[&SECURITY_HEADERS]);

static SECURITY_HEADERS: Check = Check {
    code: "security-headers",
    title: "Missing security headers",
    topic: Topic::Site,
    severity: Severity::Notice,
    reason: "Pages are sent without header fields that protect their visitors.",
    fix: "Let the server send the header fields named; begin with a content security policy that only reports.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

type HasField = fn(&SecurityHeaders) -> bool;

/// The fields, with a function that reports whether a page has one.
const FIELDS: [(&str, HasField); 5] = [
    ("Strict-Transport-Security", |has| has.transport),
    ("Content-Security-Policy", |has| has.content),
    ("X-Content-Type-Options", |has| has.content_type),
    ("X-Frame-Options", |has| has.frames),
    ("Referrer-Policy", |has| has.referrer),
];

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut missing: Vec<String> = Vec::new();
    let mut examples: Vec<UrlNo> = Vec::new();
    for (name, has) in FIELDS {
        // A transport over http cannot be protected.
        let is_subject = |url: UrlNo| name != "Strict-Transport-Security" || site.text(url).starts_with("https:");
        let pages = || site.pages().filter(|(url, ..)| is_subject(*url));
        let without = || pages().filter(|(.., content)| !has(&content.security)).map(|(url, ..)| url);
        let (all, lacking) = (pages().count() as u64, without().count() as u64);
        // A few pages without one are exceptions that somebody made.
        if lacking * 2 > all {
            missing.push(format!("{name} on {} of {} pages", grouped(lacking), grouped(all)));
            examples.extend(without().next());
        }
    }
    if !missing.is_empty() {
        examples.dedup();
        let message = format!("Missing: {}.", missing.join(", "));
        found.push(Finding::site(&SECURITY_HEADERS).says(message).shown_by(examples));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn the_fields_that_most_pages_lack_are_named() {
        let site = builder()
            .links("/", &["/a", "/b"])
            .links("/a", &[])
            .links("/b", &[])
            .header("/", "x-frame-options", "DENY")
            .header("/a", "content-security-policy", "frame-ancestors 'none'")
            .header("/a", "referrer-policy", "no-referrer")
            .site();
        let found = site.run_check(find);
        let expected = "Missing: Content-Security-Policy on 2 of 3 pages, X-Content-Type-Options on 3 of 3 pages, \
                        Referrer-Policy on 2 of 3 pages.";
        assert_eq!(found.message("security-headers"), expected);
    }
}
