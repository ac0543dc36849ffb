//! Links to other sites that fail, for HEAD and for GET; redirects are followed to their end.

use super::no_answer;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Node, Site, UrlNo};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for url in site.external.keys().filter(|url| site.inlinks(**url).all() > 0) {
        let way = way(site, *url);
        let last = way.last().copied().unwrap_or(*url);
        let Some(node) = site.external.get(&last).filter(|node| node.fails() && node.status != 429) else { continue };
        let at = if last == *url { "It".to_owned() } else { format!("It redirects to {}, which", site.text(last)) };
        let finding = Finding::of(Code::ExternalBroken, *url).says(format!("{at} {}.", what(node)));
        found.push(if last == *url { finding } else { finding.through(way).to(last) });
    }
}

fn way(site: &Site, url: UrlNo) -> Vec<UrlNo> {
    let mut way = vec![url];
    let next = |at: UrlNo| site.external.get(&at).filter(|node| node.fate == Fate::Redirect)?.target;
    while let Some(next) = way.last().and_then(|at| next(*at)).filter(|next| !way.contains(next)) {
        way.push(next);
    }
    way.split_off(1)
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
    fn redirects_of_another_site_that_lead_in_a_circle_come_to_an_end() {
        let site = made().links("/", &[AWAY]).external_redirect(AWAY, AWAY).site();
        assert!(site.told(find).is_nothing());
    }
}
