//! Links and redirects to other sites that fail, for HEAD and for GET; redirects there are followed to their end. And what
//! pages of this site show of it, and is asked for likewise.

use super::no_answer;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Node, Site, UrlNo, Way, WayEnd};
use mapwright_frontier::Unfetched;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let redirected_to = site.redirected_to();
    for url in site.external.keys() {
        let code = if is_own(site, *url) { Code::ResourceBroken } else { Code::ExternalBroken };
        // Where no page links there, the redirect that leads there says where to mend it.
        let by = match (site.inlinks(*url).all(), redirected_to.get(url)) {
            (0, None) => continue,
            (0, Some(redirect)) => format!(" {} redirects there.", site.text(*redirect)),
            _ => String::new(),
        };
        let way = site.external_way(*url);
        let last = way.last().unwrap_or(*url);
        if let Some(why) = endless(site, last, &way) {
            found.push(Finding::of(code, *url).says(why + &by).through(way.urls));
            continue;
        }
        let Some(node) = site.external.get(&last).filter(|node| node.fails() && node.status != 429) else { continue };
        let at = if last == *url { "It".to_owned() } else { format!("It redirects to {}, which", site.text(last)) };
        let finding = Finding::of(code, *url).says(format!("{at} {}.{by}", what(node)));
        found.push(if last == *url { finding } else { finding.through(way.urls).to(last) });
    }
}

/// Whether it is an image or the like of this site. What turned out to be a page is judged as one.
fn is_own(site: &Site, url: UrlNo) -> bool {
    site.node(url).fate == Fate::Refused(Unfetched::Resource)
}

/// Why redirects come to no end, if so: they turn in a circle, or take more hops than are followed. The last of fewer
/// may not have been asked for because it lies in the crawl, or beyond a limit; and where none is followed, nothing is
/// known of their end.
fn endless(site: &Site, last: UrlNo, way: &Way) -> Option<String> {
    let is_asked = site.external.contains_key(&last) || site.node(last).fate != Fate::Refused(Unfetched::OutOfScope);
    let most = match way.end {
        WayEnd::Circle(_) => return Some("Its redirects lead back to themselves.".to_owned()),
        WayEnd::Beyond => way.urls.len(),
        WayEnd::There => site.max_redirects,
    };
    let is_further = way.end == WayEnd::Beyond || (!is_asked && most > 0 && way.urls.len() > most);
    let times = if most == 1 { "once".to_owned() } else { format!("{most} times") };
    is_further.then(|| format!("It redirects more than {times}."))
}

fn what(node: &Node) -> String {
    match node.fate {
        Fate::NoAnswer(kind) => format!("gives no answer ({})", no_answer::code(kind).as_str()),
        Fate::Broken => "breaks off its answer".to_owned(),
        _ => format!("answers {}", node.status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    const AWAY: &str = "http://other.example/";

    #[test]
    fn a_link_to_another_site_that_fails_is_told_with_what_it_answers() {
        let at = |name: &str| format!("{AWAY}{name}");
        let names = ["ok", "missing", "error", "silent", "busy", "unchecked"].map(at);
        let site = made()
            .links("/", &names.each_ref().map(String::as_str))
            .external(&names[0], 200)
            .external(&names[1], 404)
            .external(&names[2], 500)
            .external_silent(&names[3], mapwright_fetch::FailureKind::Refused)
            .external(&names[4], 429)
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::ExternalBroken), [at("error"), at("missing"), at("silent")]);
        assert_eq!(told.message(Code::ExternalBroken), "It answers 404.");
    }

    #[test]
    fn images_of_this_site_are_told_apart_from_links_to_others() {
        let page = "<img src=/gone.png><img src=/fine.png><img src=http://other.example/gone.png>";
        let site = made().page("/", page).external("http://example.com/gone.png", 404);
        let site = site.external("http://example.com/fine.png", 200).external(&format!("{AWAY}gone.png"), 404).site();
        let told = site.told(find);
        assert_eq!(told.of(Code::ResourceBroken), ["/gone.png"]);
        assert_eq!(told.of(Code::ExternalBroken), [format!("{AWAY}gone.png")]);
    }

    #[test]
    fn what_the_sites_own_redirects_lead_to_counts_as_linked() {
        let at = |name: &str| format!("{AWAY}{name}");
        let site = made()
            .links("/", &["/old", "/moved"])
            .redirect("/old", &at("gone"))
            .redirect("/moved", &at("hop"))
            .external(&at("gone"), 404)
            .external_redirect(&at("hop"), &at("end"))
            .external(&at("end"), 500)
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::ExternalBroken), [at("gone"), at("hop")], "nothing of ours leads to /end");
        assert_eq!(told.message(Code::ExternalBroken), "It answers 404. http://example.com/old redirects there.");
    }

    #[test]
    fn a_redirect_of_another_site_is_followed_to_its_end() {
        let at = |name: &str| format!("{AWAY}{name}");
        let site = made()
            .links("/", &[&at("old"), &at("fine")])
            .external_redirect(&at("old"), &at("older"))
            .external_redirect(&at("older"), &at("gone"))
            .external(&at("gone"), 410)
            .external_redirect(&at("fine"), &at("ok"))
            .external(&at("ok"), 200)
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::ExternalBroken), [at("old")], "nobody links to the others");
        assert_eq!(told.chain(Code::ExternalBroken), [at("older"), at("gone")].join(" "));
        let expected = "It redirects to http://other.example/gone, which answers 410.";
        assert_eq!(told.message(Code::ExternalBroken), expected);
    }

    #[test]
    fn redirects_of_another_site_that_come_to_no_end_are_broken() {
        let at = |number: usize| format!("{AWAY}{number}");
        let to_itself = made().links("/", &[AWAY]).external_redirect(AWAY, AWAY).site();
        let told = to_itself.told(find);
        assert_eq!(told.message(Code::ExternalBroken), "Its redirects lead back to themselves.");
        let circle = made().links("/", &[AWAY]).external_redirect(AWAY, &at(1)).external_redirect(&at(1), AWAY).site();
        assert_eq!(circle.told(find).of(Code::ExternalBroken), [AWAY]);
        let hops = |count: usize| {
            let made = made().links("/", &[&at(0), &at(count)]);
            made.many(0..count, |made, n| made.external_redirect(&at(n), &at(n + 1))).site()
        };
        assert_eq!(hops(11).told(find).message(Code::ExternalBroken), "It redirects more than 10 times.");
        assert!(hops(9).told(find).is_nothing(), "the end was not asked for, for another reason");
        assert_eq!(hops(40).told(find).message(Code::ExternalBroken), "It redirects more than 30 times.");
    }

    #[test]
    fn as_many_redirects_of_another_site_are_followed_as_the_crawl_was_told_to() {
        let at = |number: usize| format!("{AWAY}{number}");
        let told = |max_redirects: usize, hops: usize| {
            let made = made().links("/", &[&at(0)]);
            let made = made.many(0..hops, |made, n| made.external_redirect(&at(n), &at(n + 1)));
            let site = Site { max_redirects, ..made.links("/", &[&at(0), &at(hops)]).site() };
            let told = site.told(find);
            if told.is_nothing() { String::new() } else { told.message(Code::ExternalBroken) }
        };
        assert_eq!(told(3, 4), "It redirects more than 3 times.");
        assert_eq!(told(1, 2), "It redirects more than once.");
        assert_eq!(told(20, 21), "It redirects more than 20 times.");
        assert_eq!(told(20, 20), "", "the end was not asked for, for another reason");
        assert_eq!(told(60, 59), "", "it is followed to its end");
        assert_eq!(told(0, 1), "", "it was not followed");
    }
}
