//! Links and redirects to other sites that fail for HEAD and for GET; their redirects are followed to the end. Images,
//! style sheets and other files of this site are checked in the same way.

use super::no_answer;
use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Chain, ChainEnd, Node, NodeStatus, Site, UrlNo};
use mapwright_model::Unfetched;
use std::collections::HashMap;

pub(super) static CHECKER: Checker = Checker::site(find, &[&RESOURCE_BROKEN, &EXTERNAL_BROKEN]);

static RESOURCE_BROKEN: Check = Check {
    code: "resource-broken",
    title: "Broken image, style sheet or other file",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "An image, a style sheet, another file of the site that pages load, or the AMP form of a page fails.",
    fix: "Put the file in place, or correct the page.",
    needs: RequiredCoverage::External,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

static EXTERNAL_BROKEN: Check = Check {
    code: "external-broken",
    title: "Broken external link",
    topic: Topic::External,
    severity: Severity::Warning,
    reason: "A link to another site fails.",
    fix: "Correct or remove the link.",
    needs: RequiredCoverage::External,
    attributes: Attributes { is_broken: true, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let redirected_to = site.redirected_to();
    let own: HashMap<UrlNo, Option<UrlNo>> =
        site.own_resources().map(|resource| (resource.url, resource.sheet)).collect();
    for url in site.external.keys() {
        let check = if own.contains_key(url) { &RESOURCE_BROKEN } else { &EXTERNAL_BROKEN };
        // If no page links there, the redirect that leads there is named, because it is what must be fixed.
        let by = match (site.inlinks(*url).all(), redirected_to.get(url), own.get(url).copied().flatten()) {
            (0, _, Some(sheet)) => format!(" The style sheet {} names it.", site.text(sheet)),
            (0, None, None) => continue,
            (0, Some(redirect), None) => format!(" {} redirects there.", site.text(*redirect)),
            _ => String::new(),
        };
        let chain = site.external_chain(*url);
        let last = chain.last().unwrap_or(*url);
        if let Some(why) = endless(site, last, &chain) {
            found.push(Finding::of(check, *url).says(why + &by).through(chain.urls));
            continue;
        }
        let Some(node) = site.external.get(&last).filter(|node| node.fails() && node.status != 429) else { continue };
        let at = if last == *url { "It".to_owned() } else { format!("It redirects to {}, which", site.text(last)) };
        let finding = Finding::of(check, *url).says(format!("{at} {}.{by}", what(node)));
        found.push(if last == *url { finding } else { finding.through(chain.urls).to(last) });
    }
}

/// Returns why redirects do not end: they are a loop, or take more hops than the limit. If the last URL of fewer hops
/// was not requested, because it is in the crawl or beyond a limit, or if no redirect is followed, nothing is known of
/// their end.
fn endless(site: &Site, last: UrlNo, chain: &Chain) -> Option<String> {
    let is_requested =
        site.external.contains_key(&last) || site.node(last).fetch_status != NodeStatus::Refused(Unfetched::OutOfScope);
    let most = match chain.end {
        ChainEnd::Circle(_) => return Some("Its redirects lead back to themselves.".to_owned()),
        ChainEnd::Beyond => chain.urls.len(),
        ChainEnd::There => site.max_redirects,
    };
    let is_further = chain.end == ChainEnd::Beyond || (!is_requested && most > 0 && chain.urls.len() > most);
    let times = if most == 1 { "once".to_owned() } else { format!("{most} times") };
    is_further.then(|| format!("It redirects more than {times}."))
}

fn what(node: &Node) -> String {
    match node.fetch_status {
        NodeStatus::NoAnswer(kind) => format!("gives no answer ({})", no_answer::check(kind).code),
        NodeStatus::Broken => "breaks off its answer".to_owned(),
        _ => format!("answers {}", node.status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    const AWAY: &str = "http://other.example/";

    #[test]
    fn a_broken_external_link_is_reported_with_its_answer() {
        let at = |name: &str| format!("{AWAY}{name}");
        let names = ["ok", "missing", "error", "silent", "busy", "unchecked"].map(at);
        let site = builder()
            .links("/", &names.each_ref().map(String::as_str))
            .external(&names[0], 200)
            .external(&names[1], 404)
            .external(&names[2], 500)
            .external_silent(&names[3], mapwright_model::FailureKind::Refused)
            .external(&names[4], 429)
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("external-broken"), [at("error"), at("missing"), at("silent")]);
        assert_eq!(found.message("external-broken"), "It answers 404.");
    }

    #[test]
    fn a_file_that_a_style_sheet_names_is_reported_with_the_style_sheet() {
        let at = |path: &str| format!("http://example.com{path}");
        let site = builder().page("/", "<link rel=stylesheet href=/a.css>").external_file(&at("/a.css"), "text/css");
        let site = site.external(&at("/gone.png"), 404).named_by(&at("/gone.png"), &at("/a.css")).site();
        let found = site.run_check(find);
        assert_eq!(found.of("resource-broken"), ["/gone.png"]);
        let expected = "It answers 404. The style sheet http://example.com/a.css names it.";
        assert_eq!(found.message("resource-broken"), expected);
    }

    #[test]
    fn images_of_this_site_are_distinguished_from_external_links() {
        let page = "<img src=/gone.png><img src=/fine.png><img src=http://other.example/gone.png>";
        let site = builder().page("/", page).external("http://example.com/gone.png", 404);
        let site = site.external("http://example.com/fine.png", 200).external(&format!("{AWAY}gone.png"), 404).site();
        let found = site.run_check(find);
        assert_eq!(found.of("resource-broken"), ["/gone.png"]);
        assert_eq!(found.of("external-broken"), [format!("{AWAY}gone.png")]);
    }

    #[test]
    fn the_target_of_the_sites_own_redirect_counts_as_linked() {
        let at = |name: &str| format!("{AWAY}{name}");
        let site = builder()
            .links("/", &["/old", "/moved"])
            .redirect("/old", &at("gone"))
            .redirect("/moved", &at("hop"))
            .external(&at("gone"), 404)
            .external_redirect(&at("hop"), &at("end"))
            .external(&at("end"), 500)
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("external-broken"), [at("gone"), at("hop")], "nothing of ours leads to /end");
        assert_eq!(found.message("external-broken"), "It answers 404. http://example.com/old redirects there.");
    }

    #[test]
    fn a_redirect_of_another_site_is_followed_to_its_end() {
        let at = |name: &str| format!("{AWAY}{name}");
        let site = builder()
            .links("/", &[&at("old"), &at("fine")])
            .external_redirect(&at("old"), &at("older"))
            .external_redirect(&at("older"), &at("gone"))
            .external(&at("gone"), 410)
            .external_redirect(&at("fine"), &at("ok"))
            .external(&at("ok"), 200)
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("external-broken"), [at("old")], "nobody links to the others");
        assert_eq!(found.chain("external-broken"), [at("older"), at("gone")].join(" "));
        let expected = "It redirects to http://other.example/gone, which answers 410.";
        assert_eq!(found.message("external-broken"), expected);
    }

    #[test]
    fn endless_redirects_of_another_site_are_broken() {
        let at = |number: usize| format!("{AWAY}{number}");
        let to_itself = builder().links("/", &[AWAY]).external_redirect(AWAY, AWAY).site();
        let found = to_itself.run_check(find);
        assert_eq!(found.message("external-broken"), "Its redirects lead back to themselves.");
        let circle =
            builder().links("/", &[AWAY]).external_redirect(AWAY, &at(1)).external_redirect(&at(1), AWAY).site();
        assert_eq!(circle.run_check(find).of("external-broken"), [AWAY]);
        let hops = |count: usize| {
            let builder = builder().links("/", &[&at(0), &at(count)]);
            builder.many(0..count, |builder, n| builder.external_redirect(&at(n), &at(n + 1))).site()
        };
        assert_eq!(hops(11).run_check(find).message("external-broken"), "It redirects more than 10 times.");
        assert!(hops(9).run_check(find).is_nothing(), "the end was not requested, for another reason");
        assert_eq!(hops(40).run_check(find).message("external-broken"), "It redirects more than 30 times.");
    }

    #[test]
    fn redirects_of_another_site_are_followed_up_to_the_limit_of_the_crawl() {
        let at = |number: usize| format!("{AWAY}{number}");
        let found = |max_redirects: usize, hops: usize| {
            let builder = builder().links("/", &[&at(0)]);
            let builder = builder.many(0..hops, |builder, n| builder.external_redirect(&at(n), &at(n + 1)));
            let site = Site { max_redirects, ..builder.links("/", &[&at(0), &at(hops)]).site() };
            let found = site.run_check(find);
            if found.is_nothing() { String::new() } else { found.message("external-broken") }
        };
        assert_eq!(found(3, 4), "It redirects more than 3 times.");
        assert_eq!(found(1, 2), "It redirects more than once.");
        assert_eq!(found(20, 21), "It redirects more than 20 times.");
        assert_eq!(found(20, 20), "", "the end was not requested, for another reason");
        assert_eq!(found(60, 59), "", "it is followed to its end");
        assert_eq!(found(0, 1), "", "it was not followed");
    }
}
