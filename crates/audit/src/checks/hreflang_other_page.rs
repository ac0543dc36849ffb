//! Alternates that do not link back, do not answer 200, say noindex, or are not canonical. Alternates of a page that is
//! canonicalised to another page or says noindex do not count: the others rightly name its canonical.

use super::language_choice;
use crate::check::{Attributes, Check, RequiredCoverage, SeenLevel, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site, UrlNo};
use std::collections::HashSet;

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&HREFLANG_NO_RETURN, &HREFLANG_NOT_200, &HREFLANG_NOINDEX, &HREFLANG_NOT_CANONICAL]);

static HREFLANG_NO_RETURN: Check = Check {
    code: "hreflang-no-return",
    title: "No return link (hreflang)",
    topic: Topic::Languages,
    severity: Severity::Warning,
    reason: "An alternate does not link back, so that search engines ignore the pair.",
    fix: "Let each alternate list all the others.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static HREFLANG_NOT_200: Check = Check {
    code: "hreflang-not-200",
    title: "Alternate not available (hreflang)",
    topic: Topic::Languages,
    severity: Severity::Warning,
    reason: "An alternate does not answer 200.",
    fix: "Name a page that exists, or remove the alternate.",
    needs: RequiredCoverage::Leads(SeenLevel::Answered),
    attributes: Attributes::NONE,
};

static HREFLANG_NOINDEX: Check = Check {
    code: "hreflang-noindex",
    title: "Alternate says noindex (hreflang)",
    topic: Topic::Languages,
    severity: Severity::Warning,
    reason: "An alternate is a noindex page.",
    fix: "Remove the noindex, or the alternate.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

static HREFLANG_NOT_CANONICAL: Check = Check {
    code: "hreflang-not-canonical",
    title: "Alternate not canonical (hreflang)",
    topic: Topic::Languages,
    severity: Severity::Warning,
    reason: "An alternate names another page as its canonical.",
    fix: "Name the canonical page as the alternate.",
    needs: RequiredCoverage::Leads(SeenLevel::Read),
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.pages().filter(|(url, node, _)| node.is_own_canonical(*url)) {
        let mut reported = HashSet::new();
        for target in content.alternates.iter().filter_map(|alternate| alternate.url).filter(|target| *target != url) {
            if let Some((check, message)) = fault(site, url, target).filter(|_| reported.insert(target)) {
                found.push(Finding::of(check, url).to(target).says(message));
            }
        }
    }
}

fn fault(site: &Site, url: UrlNo, target: UrlNo) -> Option<(&'static Check, String)> {
    let (node, text) = (site.node(target), site.text(target));
    match node.fetch_status {
        NodeStatus::Page if node.noindex => Some((&HREFLANG_NOINDEX, format!("{text} says noindex."))),
        NodeStatus::Page if node.canonical.is_some_and(|canonical| canonical != target) => {
            Some((&HREFLANG_NOT_CANONICAL, format!("{text} names another page as its canonical.")))
        }
        NodeStatus::Page => {
            let back = site.page_content(target)?.alternates.iter().any(|alternate| alternate.url == Some(url));
            (!back).then(|| (&HREFLANG_NO_RETURN, format!("{text} does not link back.")))
        }
        NodeStatus::Redirect if language_choice::is_choice(site, target) => None,
        NodeStatus::Status | NodeStatus::Redirect => {
            Some((&HREFLANG_NOT_200, format!("{text} answers {}.", node.status)))
        }
        NodeStatus::NoAnswer(_) | NodeStatus::Broken => Some((&HREFLANG_NOT_200, format!("{text} gives no answer."))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn pair(de: impl FnOnce(crate::site::builder::SiteBuilder) -> crate::site::builder::SiteBuilder) -> Site {
        de(builder().alternates("/en", &[("en", "/en"), ("de", "/de"), ("x-default", "/de")])).site()
    }

    #[test]
    fn an_alternate_without_a_link_back_is_reported_once() {
        let back = pair(|builder| builder.alternates("/de", &[("en", "/en"), ("de", "/de")]));
        assert!(back.run_check(find).is_nothing());
        let site = pair(|builder| builder.links("/de", &["/en"]));
        let found = site.run_check(find);
        assert_eq!(found.of("hreflang-no-return"), ["/en"], "a link is no alternate");
        assert_eq!(found.target("hreflang-no-return"), "/de");
        assert_eq!(found.message("hreflang-no-return"), "http://example.com/de does not link back.");
    }

    #[test]
    fn alternates_in_a_sitemap_count_like_those_of_the_page() {
        let back =
            pair(|builder| builder.links("/de", &[]).sitemap_alternates("/sitemap.xml", "/de", &[("en", "/en")]));
        assert!(back.run_check(find).is_nothing());
        let set = [("en", "/en"), ("de", "/de"), ("fr", "/fr")];
        let site = builder().links("/en", &[]).links("/de", &[]).sitemap_alternates("/sitemap.xml", "/en", &set);
        let site = site.sitemap_alternates("/sitemap.xml", "/de", &set).site();
        let found = site.run_check(find);
        assert_eq!(found.of("hreflang-not-200"), ["/de", "/en"]);
        assert!(found.of("hreflang-no-return").is_empty());
    }

    #[test]
    fn an_alternate_in_the_body_does_not_count() {
        let tags = "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=de href=/de>";
        let site = pair(|builder| builder.page("/de", &format!("<title>de</title><body><p>x</p>{tags}")));
        assert_eq!(site.run_check(find).of("hreflang-no-return"), ["/en"]);
    }

    #[test]
    fn an_alternate_that_does_not_answer_200_is_reported_with_its_answer() {
        let message = |site: Site| site.run_check(find).message("hreflang-not-200");
        assert_eq!(message(pair(|builder| builder)), "http://example.com/de answers 404.");
        assert_eq!(message(pair(|builder| builder.redirect("/de", "/en"))), "http://example.com/de answers 301.");
        let silent = pair(|builder| builder.silent("/de", mapwright_model::FailureKind::Reset));
        assert_eq!(message(silent), "http://example.com/de gives no answer.");
        assert!(pair(|builder| builder.throttled("/de", 429)).run_check(find).is_nothing());
    }

    #[test]
    fn an_alternate_that_is_not_indexable_is_reported() {
        let back = "<link rel=alternate hreflang=en href=/en>";
        let noindex = pair(|builder| builder.head("/de", back).header("/de", "x-robots-tag", "noindex"));
        assert_eq!(noindex.run_check(find).of("hreflang-noindex"), ["/en"]);
        let variant =
            pair(|builder| builder.head("/de", &[back, "<link rel=canonical href=http://example.com/>"].concat()));
        assert_eq!(variant.run_check(find).of("hreflang-not-canonical"), ["/en"]);
        let own =
            pair(|builder| builder.head("/de", &[back, "<link rel=canonical href=http://example.com/de>"].concat()));
        assert!(own.run_check(find).is_nothing());
    }

    #[test]
    fn alternates_of_a_canonicalised_or_noindex_page_do_not_count() {
        let tags = "<link rel=alternate hreflang=en href=/en><link rel=alternate hreflang=de href=/de>";
        let found = |special: &str| {
            let builder = builder().alternates("/en", &[("en", "/en"), ("de", "/de")]).head("/de", tags);
            builder.head("/en?sort=price", &[tags, special].concat()).site().run_check(find).of("hreflang-no-return")
        };
        assert!(found("<link rel=canonical href=http://example.com/en>").is_empty());
        assert!(found("<meta name=robots content=noindex>").is_empty());
        assert!(found("<meta http-equiv=refresh content='0; url=/en'>").is_empty());
        assert_eq!(
            found("<link rel=canonical href='http://example.com/en?sort=price'>").len(),
            2,
            "neither links back"
        );
    }

    #[test]
    fn alternates_of_other_sites_are_not_checked() {
        let site = builder().alternates("/en", &[("en", "/en"), ("de", "http://other.example/")]).site();
        assert!(site.run_check(find).is_nothing());
    }
}
