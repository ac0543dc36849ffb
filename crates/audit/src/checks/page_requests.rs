//! Requests that a page makes while its scripts run, and that get no good answer.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Site, UrlNo};
use mapwright_model::{FailedReason, FailedRequest};
use mapwright_web::origin_of;

pub(super) static CHECKER: Checker = Checker::site(find, &[&BLOCKED_RESOURCE, &BROKEN_RESOURCE]);

static BLOCKED_RESOURCE: Check = Check {
    code: "blocked-resource",
    title: "Script or call that robots.txt disallows",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "robots.txt disallows a script or a call of the page, so that search engines do not see what it makes.",
    fix: "Allow it in the robots.txt of its host.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { is_about_robots: true, ..Attributes::NONE },
};

static BROKEN_RESOURCE: Check = Check {
    code: "broken-resource",
    title: "Script or call that fails",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "A script or a call of the page fails, so that visitors and search engines miss what it makes.",
    fix: "Correct its URL, or repair what answers there.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

/// Most failed requests that the message about a page names.
const NAMED: usize = 5;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, page) in site.rendered_pages() {
        let Some(rendering) = page.rendering.as_deref() else { continue };
        let is_shell = site.page_content(url).is_some_and(|content| site.is_shell(content));
        let counts = |request: &&FailedRequest| is_shell || origin_of(&request.url) == origin_of(site.text(url));
        let failed: Vec<&FailedRequest> = rendering.failed.iter().filter(counts).collect();
        let (blocked, broken): (Vec<_>, Vec<_>) =
            failed.into_iter().partition(|request| request.reason == FailedReason::Robots);
        let broken: Vec<_> = broken.into_iter().filter(|request| !is_known(site, &request.url)).collect();
        for (check, requests) in [(&BLOCKED_RESOURCE, blocked), (&BROKEN_RESOURCE, broken)] {
            found.extend(finding(site, check, url, &requests, is_shell));
        }
    }
}

/// Returns the finding about requests of a page, if there are any.
fn finding(
    site: &Site,
    check: &'static Check,
    page: UrlNo,
    requests: &[&FailedRequest],
    is_shell: bool,
) -> Option<Finding> {
    let first = requests.first()?;
    let named: Vec<String> = requests.iter().take(NAMED).map(ToString::to_string).collect();
    let more = requests.len().saturating_sub(NAMED);
    let and_more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let nothing = if is_shell { ", and the page stays empty" } else { "" };
    let finding = Finding::of(check, page).says(format!("{}{and_more}{nothing}.", named.join(", ")));
    let finding = if is_shell { finding.ahead() } else { finding };
    Some(match site.urls.number(&first.url) {
        Some(target) => finding.to(target),
        None => finding,
    })
}

/// Reports whether a finding about the file itself says that it fails.
fn is_known(site: &Site, url: &str) -> bool {
    let node = site.urls.number(url).and_then(|url| site.external.get(&url));
    node.is_some_and(|node| node.status >= 400 || node.status == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};
    use mapwright_model::Rendering;

    const OTHER: &str = "http://other.example/list.json";

    fn failed(requests: &[(&str, FailedReason)]) -> Rendering {
        let request = |(url, reason): &(&str, FailedReason)| FailedRequest { url: (*url).to_owned(), reason: *reason };
        Rendering { failed: requests.iter().map(request).collect(), ..Rendering::default() }
    }

    #[test]
    fn requests_that_are_disallowed_or_fail_are_reported() {
        let own = url("/list.json");
        let site = builder()
            .rendered_as("/blocked", failed(&[(&own, FailedReason::Robots), (OTHER, FailedReason::Robots)]))
            .rendered_as("/broken", failed(&[(&own, FailedReason::Status(500)), (OTHER, FailedReason::TimedOut)]))
            .rendered_as("/good", Rendering::default())
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("blocked-resource"), ["/blocked"]);
        assert_eq!(found.message("blocked-resource"), "http://example.com/list.json (robots.txt disallows it).");
        assert_eq!(found.of("broken-resource"), ["/broken"]);
        assert_eq!(found.message("broken-resource"), "http://example.com/list.json (500).");
    }

    #[test]
    fn requests_to_other_hosts_count_where_the_page_stays_empty() {
        let shell = "<title>App</title><script src=/app.js></script><div id=root></div>";
        let builder = builder().page("/", shell).with_rendering("/", failed(&[(OTHER, FailedReason::TimedOut)]));
        let site = builder.site();
        let expected = "http://other.example/list.json (no answer in time), and the page stays empty.";
        assert_eq!(site.run_check(find).message("broken-resource"), expected);
    }

    #[test]
    fn a_file_that_is_reported_itself_is_not_reported_again() {
        let file = url("/app.js");
        let site = builder()
            .page("/", "<title>App</title><script src=/app.js></script><p>Some text.</p><a href=/b>b</a>")
            .with_rendering("/", failed(&[(&file, FailedReason::Status(404))]))
            .external(&file, 404)
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
