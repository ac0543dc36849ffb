//! Pages that are not reachable by links: orphans, and pages that are reached only by other means.

use super::soft_404;
use crate::check::{Attributes, Check, LinkEvidence, RequiredCoverage, RestsOn, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{Node, NodeStatus, Site, UrlNo};
use mapwright_model::Via;
use mapwright_verdict::Reason;
use std::collections::{HashMap, HashSet, VecDeque};

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&ORPHAN, &ISOLATED_CANONICAL, &ISOLATED_REDIRECT, &ISOLATED_NOINDEX, &ISOLATED_ISOLATED]);

static ORPHAN: Check = Check {
    code: "orphan",
    title: "Orphan page",
    topic: Topic::Reachability,
    severity: Severity::Warning,
    reason: "The page is known from a sitemap, a feed or a list, and no page links to it.",
    fix: "Link to it from where visitors would look for it, or take it out of the sitemap if it is obsolete.",
    needs: RequiredCoverage::Known,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, links: LinkEvidence::NoLinks, ..Attributes::NONE },
};

static ISOLATED_CANONICAL: Check = Check {
    code: "isolated-canonical",
    title: "Reached only as a canonical",
    topic: Topic::Reachability,
    severity: Severity::Warning,
    reason: "The page is reached only as another page's canonical: no page links to it.",
    fix: "Link to it instead of to its variants.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, links: LinkEvidence::NoLinks, ..Attributes::NONE },
};

static ISOLATED_REDIRECT: Check = Check {
    code: "isolated-redirect",
    title: "Reached only by a redirect",
    topic: Topic::Reachability,
    severity: Severity::Warning,
    reason: "The page is reached only by a redirect: no page links to it.",
    fix: "Link to it directly.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::Redirect, links: LinkEvidence::NoLinks, ..Attributes::NONE },
};

static ISOLATED_NOINDEX: Check = Check {
    code: "isolated-noindex",
    title: "Linked only from noindex pages",
    topic: Topic::Reachability,
    severity: Severity::Warning,
    reason: "The page is linked only from noindex pages, whose links search engines give up in time.",
    fix: "Link to it from a page that is indexed.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, ..Attributes::NONE },
};

static ISOLATED_ISOLATED: Check = Check {
    code: "isolated-isolated",
    title: "Unlinked island",
    topic: Topic::Reachability,
    severity: Severity::Warning,
    reason: "The page is in an unlinked island: only orphans, or pages of the island itself, link to it.",
    fix: "Link to it, or to another page of the island, from the site that visitors see.",
    needs: RequiredCoverage::Page,
    attributes: Attributes { rests_on: RestsOn::MissingLinks, ..Attributes::NONE },
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let reached = Reached::of(site);
    // Nobody needs to find a page that search engines are not to list, or the variant of another.
    let is_wanted = |node: &Node| !node.noindex && node.reason != Some(Reason::ParameterVariant);
    let pages = || site.pages().filter(|(url, node, _)| !site.is_start(*url) && is_wanted(node));
    let mut alone = vec![false; site.nodes.len()];
    for (url, ..) in pages() {
        if let Some(finding) = reached.isolated(site, url) {
            alone.get_mut(url as usize).into_iter().for_each(|mark| *mark = true);
            found.push(finding);
        }
    }
    let connected = connected(site, &alone);
    for (url, ..) in pages() {
        let at = url as usize;
        let is_alone = alone.get(at).copied().unwrap_or_default();
        if !is_alone && site.inlinks(url).followed > 0 && !connected.get(at).copied().unwrap_or_default() {
            let first = site.inlinks(url).first;
            let orphan = reached.orphan_with_translations(site, url);
            found.push(orphan.unwrap_or_else(|| Finding::of(&ISOLATED_ISOLATED, url).entered_from([first])));
        }
    }
}

/// The means other than links by which a page is reached.
struct Reached {
    redirects: HashMap<UrlNo, Vec<UrlNo>>,
    canonicals: HashMap<UrlNo, Vec<UrlNo>>,
    sitemaps: HashMap<UrlNo, Vec<UrlNo>>,
    feeds: HashMap<UrlNo, Vec<UrlNo>>,
    /// The error pages of redirecting soft 404s, to which nothing else should link.
    error_pages: HashSet<UrlNo>,
}

impl Reached {
    fn of(site: &Site) -> Self {
        let (mut redirects, mut canonicals): (HashMap<UrlNo, Vec<UrlNo>>, HashMap<UrlNo, Vec<UrlNo>>) =
            Default::default();
        let mut feeds: HashMap<UrlNo, Vec<UrlNo>> = HashMap::new();
        for (url, node) in site.nodes() {
            if let Some(target) = node.target.filter(|target| *target != url) {
                redirects.entry(target).or_default().push(url);
            }
            if let Some(canonical) = node.canonical.filter(|canonical| *canonical != url) {
                canonicals.entry(canonical).or_default().push(url);
            }
        }
        for entry in &site.entries {
            if site.files.get(&entry.file).is_some_and(|file| file.is_feed) {
                feeds.entry(entry.url).or_default().push(entry.file);
            }
        }
        let error_pages = soft_404::by_redirect(site).into_iter().map(|soft| soft.page).collect();
        Self { redirects, canonicals, sitemaps: site.listed_in(), feeds, error_pages }
    }

    /// Returns the finding about a page that no other page links to, or only noindex pages.
    fn isolated(&self, site: &Site, url: UrlNo) -> Option<Finding> {
        let inlinks = site.inlinks(url);
        if inlinks.followed > 0 {
            // A page that is not indexable itself needs no link from an indexable one.
            let only_noindex = inlinks.from_indexable == 0 && site.node(url).is_own_canonical(url);
            return only_noindex.then(|| Finding::of(&ISOLATED_NOINDEX, url).entered_from([inlinks.first]));
        }
        if inlinks.nofollowed > 0 {
            return None;
        }
        self.orphan(site, url).or_else(|| self.by_other_means(url))
    }

    fn orphan(&self, site: &Site, url: UrlNo) -> Option<Finding> {
        let finding = Finding::of(&ORPHAN, url);
        if let Some(files) = self.sitemaps.get(&url) {
            return Some(finding.in_sitemaps(files).says("It is known from a sitemap, and no page links to it."));
        }
        if let Some(files) = self.feeds.get(&url) {
            let finding = finding.entered_from(files.iter().copied());
            return Some(finding.says("It is known from a feed, and no page links to it."));
        }
        let listed = site.node(url).via == Some(Via::UrlList);
        listed.then(|| finding.says("It is known from the list (--url-list), and no page links to it."))
    }

    /// Returns the finding about a page that only its translations link to: each of these is an orphan, too.
    fn orphan_with_translations(&self, site: &Site, url: UrlNo) -> Option<Finding> {
        let alternates: HashSet<UrlNo> =
            site.page_content(url)?.alternates.iter().filter_map(|alternate| alternate.url).collect();
        let links = |page: &UrlNo| {
            let content = site.page_content(*page).filter(|_| *page != url && !site.node(*page).nofollow);
            let mut links = content.into_iter().flat_map(|content| site.links.of(content));
            links.any(|link| link.target() == url && !link.is_reference() && !link.nofollow())
        };
        let translations = alternates.iter().filter(|page| links(page)).count();
        let only_these = site.inlinks(url).followed as usize == translations;
        let finding = self.orphan(site, url).filter(|_| only_these)?;
        Some(
            finding.says("It is known from a sitemap, a feed or a list, and no page but its translations links to it."),
        )
    }

    fn by_other_means(&self, url: UrlNo) -> Option<Finding> {
        let by = |check: &'static Check, from: &HashMap<UrlNo, Vec<UrlNo>>| {
            from.get(&url).map(|pages| Finding::of(check, url).entered_from(pages.iter().copied()))
        };
        if self.error_pages.contains(&url) {
            return None;
        }
        by(&ISOLATED_REDIRECT, &self.redirects).or_else(|| by(&ISOLATED_CANONICAL, &self.canonicals))
    }
}

/// Returns, for each URL, true if links lead to it from the entry pages, without passing through pages marked `alone`.
fn connected(site: &Site, alone: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; site.nodes.len()];
    let mut queue: VecDeque<UrlNo> = VecDeque::new();
    let enter = |url: UrlNo, reached: &mut Vec<bool>, queue: &mut VecDeque<UrlNo>| {
        let passes = !alone.get(url as usize).copied().unwrap_or(true);
        if let Some(mark) = reached.get_mut(url as usize).filter(|mark| !**mark && passes) {
            *mark = true;
            queue.push_back(url);
        }
    };
    for entrance in &site.entrances {
        enter(*entrance, &mut reached, &mut queue);
    }
    while let Some(url) = queue.pop_front() {
        let node = site.node(url);
        if let Some(target) =
            node.target.filter(|_| matches!(node.fetch_status, NodeStatus::Redirect | NodeStatus::Page))
        {
            enter(target, &mut reached, &mut queue);
        }
        let Some(content) = site.page_content(url) else { continue };
        // A nofollow link is a link all the same: its target is not isolated.
        for link in site.links.of(content).filter(|link| !link.is_reference()) {
            enter(link.target(), &mut reached, &mut queue);
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    #[test]
    fn a_known_page_without_inlinks_is_an_orphan_with_evidence() {
        let site = builder()
            .url_list(&["/from-list", "/linked"])
            .links("/", &["/linked"])
            .links("/linked", &[])
            .links("/from-list", &[])
            .links("/from-map", &["/from-map"])
            .links("/from-feed", &[])
            .page("/named", "<link rel=canonical href=/named><link rel=alternate hreflang=en href=/named>")
            .sitemap("/sitemap.xml", &["/", "/linked", "/from-map", "/gone", "/named"])
            .feed("/feed.xml", &[("/from-feed", "2030-01-01"), ("/linked", "2030-01-01")])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("orphan"), ["/from-feed", "/from-list", "/from-map", "/named"]);
        let by = |path: &str| {
            site.run_check(|site, found| {
                find(site, found);
                found.retain(|one| {
                    one.about
                        == crate::finding::SubjectIds::Url(site.urls.number(&crate::site::builder::url(path)).unwrap())
                });
            })
            .message("orphan")
        };
        assert_eq!(by("/from-map"), "It is known from a sitemap, and no page links to it.");
        assert_eq!(by("/from-feed"), "It is known from a feed, and no page links to it.");
        assert_eq!(by("/from-list"), "It is known from the list (--url-list), and no page links to it.");
    }

    #[test]
    fn start_pages_and_what_they_redirect_to_are_never_isolated() {
        let site =
            builder().start("/old").redirect("/old", "/home").links("/home", &[]).sitemap("/s.xml", &["/home"]).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn a_page_reached_only_as_a_canonical_is_reported_with_its_source() {
        let site = builder()
            .links("/", &["/variant", "/variant2", "/linked"])
            .canonical("/variant", "/only")
            .canonical("/variant2", "/linked")
            .links("/only", &[])
            .links("/linked", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(
            (found.of("isolated-canonical"), found.entrances("isolated-canonical")),
            (vec!["/only".into()], "/variant".into())
        );
        assert_eq!(found.of("orphan"), [""; 0]);
    }

    #[test]
    fn a_page_reached_only_by_a_redirect_is_reported_with_it() {
        let site = builder()
            .links("/", &["/old", "/old2", "/sent", "/linked"])
            .redirect("/old", "/only")
            .redirect("/old2", "/linked")
            .head("/sent", "<meta http-equiv=refresh content='0; url=/refreshed'>")
            .links("/only", &[])
            .links("/linked", &[])
            .links("/refreshed", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("isolated-redirect"), ["/only", "/refreshed"]);
        assert_eq!(found.entrances("isolated-redirect"), "/old");
    }

    #[test]
    fn a_noindex_page_may_be_linked_only_from_noindex_pages() {
        let site = builder()
            .links("/", &["/list"])
            .noindex("/list", &["/list/2", "/variant"])
            .noindex("/list/2", &["/list/3", "/only"])
            .noindex("/list/3", &[])
            .canonical("/variant", "/")
            .links("/only", &["/behind"])
            .links("/behind", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(
            (found.of("isolated-noindex"), found.of("isolated-isolated")),
            (vec!["/only".into()], vec!["/behind".into()])
        );
    }

    #[test]
    fn a_page_linked_only_from_noindex_pages_is_reported() {
        let site = builder()
            .links("/", &["/hub", "/hub2", "/both"])
            .noindex("/hub", &["/only", "/both"])
            .noindex("/hub2", &["/only"])
            .links("/only", &[])
            .links("/both", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(
            (found.of("isolated-noindex"), found.entrances("isolated-noindex")),
            (vec!["/only".into()], "/hub".into())
        );
    }

    #[test]
    fn islands_and_pages_below_orphans_are_unlinked_islands() {
        let site = builder()
            .links("/", &["/main"])
            .links("/main", &["/"])
            .links("/island-a", &["/island-b"])
            .links("/island-b", &["/island-a", "/main"])
            .links("/orphan", &["/child", "/main"])
            .links("/child", &["/grandchild"])
            .links("/grandchild", &[])
            .sitemap("/sitemap.xml", &["/island-a", "/island-b", "/orphan", "/child"])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("isolated-isolated"), ["/child", "/grandchild", "/island-a", "/island-b"]);
        assert_eq!(found.of("orphan"), ["/orphan"]);
    }

    #[test]
    fn a_page_that_only_its_translations_link_to_is_an_orphan() {
        let alternates = "<link rel=alternate hreflang=en href=/a><link rel=alternate hreflang=de href=/de/a>";
        let site = builder()
            .page("/a", &format!("{alternates}<a href=/de/a>Deutsch</a>"))
            .page("/de/a", &format!("{alternates}<a href=/a>English</a><a href=/de/b>B</a>"))
            .page("/de/b", "<a href=/de/a>A</a>")
            .page("/c", "<link rel=alternate hreflang=de href=/de/c><a href=/de/c>Deutsch</a>")
            .page("/de/c", "<link rel=alternate hreflang=en href=/c><a href=/c>English</a>")
            .sitemap("/sitemap.xml", &["/a", "/de/a", "/de/b", "/c", "/de/c"])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("orphan"), ["/a", "/c", "/de/c"]);
        assert_eq!(found.of("isolated-isolated"), ["/de/a", "/de/b"], "they link to each other");
    }

    #[test]
    fn the_list_is_the_entry_only_without_a_start_url() {
        let pages = || builder().links("/a", &["/b", "/x"]).links("/b", &["/a"]).links("/x", &[]);
        assert!(pages().list_alone(&["/a", "/b"]).site().run_check(find).is_nothing());
        let beside = pages().url_list(&["/a", "/b"]).site();
        assert_eq!(beside.run_check(find).of("isolated-isolated"), ["/a", "/b", "/x"]);
        let orphan = builder().list_alone(&["/c"]).links("/c", &["/d"]).links("/d", &[]).site();
        let found = orphan.run_check(find);
        assert_eq!((found.of("orphan"), found.of("isolated-isolated")), (vec!["/c".into()], vec!["/d".into()]));
    }

    #[test]
    fn a_page_below_an_isolated_page_is_isolated() {
        let site = builder()
            .links("/", &["/old", "/hub"])
            .redirect("/old", "/moved")
            .links("/moved", &["/below-moved"])
            .links("/below-moved", &[])
            .noindex("/hub", &["/hidden"])
            .links("/hidden", &["/below-hidden"])
            .links("/below-hidden", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("isolated-isolated"), ["/below-hidden", "/below-moved"]);
        assert_eq!((found.of("isolated-redirect").len(), found.of("isolated-noindex").len()), (1, 1));
    }

    #[test]
    fn a_page_with_only_nofollow_links_is_linked_and_so_are_its_targets() {
        let site = builder()
            .page("/", "<a rel=nofollow href=/nofollowed>x</a>")
            .links("/nofollowed", &["/below"])
            .links("/below", &[])
            .sitemap("/sitemap.xml", &["/nofollowed"])
            .site();
        assert!(site.run_check(find).is_nothing());
    }
}
