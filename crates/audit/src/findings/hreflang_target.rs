//! Alternates that do not link back, do not answer 200, say noindex, or are not canonical. Those of a page that gives way
//! to another, or says noindex, do not count: the others rightly name the page that stands for it.

use super::language_choice;
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site, UrlNo};
use std::collections::HashSet;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, said) in site.pages().filter(|(url, node, _)| node.stands_for_itself(*url)) {
        let mut told = HashSet::new();
        for target in said.alternates.iter().filter_map(|alternate| alternate.url).filter(|target| *target != url) {
            if let Some((code, message)) = fault(site, url, target).filter(|_| told.insert(target)) {
                found.push(Finding::of(code, url).to(target).says(message));
            }
        }
    }
}

fn fault(site: &Site, url: UrlNo, target: UrlNo) -> Option<(Code, String)> {
    let (node, text) = (site.node(target), site.text(target));
    match node.fate {
        Fate::Page if node.noindex => Some((Code::HreflangNoindex, format!("{text} says noindex."))),
        Fate::Page if node.canonical.is_some_and(|canonical| canonical != target) => {
            Some((Code::HreflangNotCanonical, format!("{text} names another page as its canonical.")))
        }
        Fate::Page => {
            let back = site.said(target)?.alternates.iter().any(|alternate| alternate.url == Some(url));
            (!back).then(|| (Code::HreflangNoReturn, format!("{text} does not link back.")))
        }
        Fate::Redirect if language_choice::is_choice(site, target) => None,
        Fate::Status | Fate::Redirect => Some((Code::HreflangNot200, format!("{text} answers {}.", node.status))),
        Fate::NoAnswer(_) | Fate::Broken => Some((Code::HreflangNot200, format!("{text} gives no answer."))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    fn pair(de: impl FnOnce(crate::site::made::Made) -> crate::site::made::Made) -> Site {
        de(made().alternates("/en", &[("en", "/en"), ("de", "/de"), ("x-default", "/de")])).site()
    }

    #[test]
    fn an_alternate_that_links_back_is_fine_and_one_that_does_not_is_told_once() {
        let back = pair(|made| made.alternates("/de", &[("en", "/en"), ("de", "/de")]));
        assert!(back.told(find).is_nothing());
        let site = pair(|made| made.links("/de", &["/en"]));
        let told = site.told(find);
        assert_eq!(told.of(Code::HreflangNoReturn), ["/en"], "a link is no alternate");
        assert_eq!(told.target(Code::HreflangNoReturn), "/de");
        assert_eq!(told.message(Code::HreflangNoReturn), "http://example.com/de does not link back.");
    }

    #[test]
    fn what_a_sitemap_names_counts_as_what_the_page_names() {
        let back = pair(|made| made.links("/de", &[]).sitemap_alternates("/sitemap.xml", "/de", &[("en", "/en")]));
        assert!(back.told(find).is_nothing());
        let set = [("en", "/en"), ("de", "/de"), ("fr", "/fr")];
        let site = made().links("/en", &[]).links("/de", &[]).sitemap_alternates("/sitemap.xml", "/en", &set);
        let site = site.sitemap_alternates("/sitemap.xml", "/de", &set).site();
        let told = site.told(find);
        assert_eq!(told.of(Code::HreflangNot200), ["/de", "/en"]);
        assert!(told.of(Code::HreflangNoReturn).is_empty());
    }

    #[test]
    fn an_alternate_in_the_body_is_none() {
        let tags = "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=de href=/de>";
        let site = pair(|made| made.page("/de", &format!("<title>de</title><body><p>x</p>{tags}")));
        assert_eq!(site.told(find).of(Code::HreflangNoReturn), ["/en"]);
    }

    #[test]
    fn an_alternate_that_answers_anything_but_200_is_told_with_its_answer() {
        let message = |site: Site| site.told(find).message(Code::HreflangNot200);
        assert_eq!(message(pair(|made| made)), "http://example.com/de answers 404.");
        assert_eq!(message(pair(|made| made.redirect("/de", "/en"))), "http://example.com/de answers 301.");
        let silent = pair(|made| made.silent("/de", mapwright_fetch::FailureKind::Reset));
        assert_eq!(message(silent), "http://example.com/de gives no answer.");
        assert!(pair(|made| made.throttled("/de", 429)).told(find).is_nothing());
    }

    #[test]
    fn an_alternate_that_stays_out_of_the_index_is_told() {
        let back = "<link rel=alternate hreflang=en href=/en>";
        let noindex = pair(|made| made.head("/de", back).header("/de", "x-robots-tag", "noindex"));
        assert_eq!(noindex.told(find).of(Code::HreflangNoindex), ["/en"]);
        let variant = pair(|made| made.head("/de", &[back, "<link rel=canonical href=http://example.com/>"].concat()));
        assert_eq!(variant.told(find).of(Code::HreflangNotCanonical), ["/en"]);
        let own = pair(|made| made.head("/de", &[back, "<link rel=canonical href=http://example.com/de>"].concat()));
        assert!(own.told(find).is_nothing());
    }

    #[test]
    fn what_a_page_names_that_gives_way_or_is_not_indexed_does_not_count() {
        let tags = "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=de href=/de>";
        let told = |special: &str| {
            let made = made().alternates("/en", &[("en", "/en"), ("de", "/de")]).head("/de", tags);
            made.head("/en?sort=price", &[tags, special].concat()).site().told(find).of(Code::HreflangNoReturn)
        };
        assert!(told("<link rel=canonical href=http://example.com/en>").is_empty());
        assert!(told("<meta name=robots content=noindex>").is_empty());
        assert!(told("<meta http-equiv=refresh content='0; url=/en'>").is_empty());
        assert_eq!(told("<link rel=canonical href='http://example.com/en?sort=price'>").len(), 2, "neither links back");
    }

    #[test]
    fn alternates_of_other_sites_are_not_judged() {
        let site = made().alternates("/en", &[("en", "/en"), ("de", "http://other.example/")]).site();
        assert!(site.told(find).is_nothing());
    }
}
