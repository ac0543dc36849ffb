//! Soft 404s: pages with the content that the site also shows for names that cannot exist.

use super::{canonical_all_home, redirect_form};
use crate::check::{Attributes, Check, Confidence, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{ChainEnd, NodeStatus, PageContent, Probe, Site, UrlNo};
use mapwright_verdict::{Reason, ResponseFeatures, Similarity, Soft404Candidates};
use mapwright_web::{Origin, PageUrl, origin_of};
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) static CHECKER: Checker = Checker::site(find, &[&SOFT_404]);

static SOFT_404: Check = Check {
    code: "soft-404",
    title: "Soft 404",
    topic: Topic::Responses,
    severity: Severity::Warning,
    reason: "The URL answers 200 with the page that the site shows for names that do not exist, or redirects to it.",
    fix: "Answer 404 or 410, and fix the links to it.",
    needs: RequiredCoverage::Probe,
    attributes: Attributes { confidence: Confidence::Estimated, ..Attributes::NONE },
};

/// The percentage of a site's pages from which on the answer is not an error page but the shell of all pages.
const SHELL: usize = 50;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    by_answer(site, found);
    found.extend(by_redirect(site).into_iter().map(|soft| {
        let (page, name) = (site.text(soft.page), site.text(soft.name));
        let message = format!("It redirects to {page}, as {name} does, a name that cannot exist.");
        Finding::of(&SOFT_404, soft.url).to(soft.page).says(message)
    }));
}

/// A URL that redirects to the same page as names that cannot exist.
pub(super) struct SoftRedirect {
    pub(super) url: UrlNo,
    /// The page, which answers 200.
    pub(super) page: UrlNo,
    /// The name that cannot exist.
    name: UrlNo,
}

/// Returns the URLs that redirect, in one or several steps, to the page to which the site redirects names that cannot
/// exist. The home page does not count, nor does a page that most URLs redirect to: that is the entry of all pages,
/// such as a login or a choice of language, not an error page.
pub(super) fn by_redirect(site: &Site) -> Vec<SoftRedirect> {
    let mut pages = error_pages(site);
    if pages.is_empty() {
        return Vec::new();
    }
    for (url, ..) in site.pages() {
        pages.get_mut(origin_of(site.text(url))).into_iter().for_each(|error| error.pages += 1);
    }
    for (url, _) in site.nodes().filter(|(_, node)| node.fetch_status == NodeStatus::Redirect) {
        let Some(error) = pages.get_mut(origin_of(site.text(url))) else { continue };
        let leads = !site.is_start(url) && end(site, url) == Some(error.page);
        // A URL that differs from the page only in form rightly redirects to it.
        let is_form = || redirect_form::change(site.text(url), site.text(error.page)).is_some();
        error.urls.extend((leads && !is_form()).then_some(url));
    }
    let is_shell = |error: &ErrorPage| error.urls.len() * 100 > (error.pages + error.urls.len()) * SHELL;
    let found = pages.into_values().filter(|error| !is_shell(error));
    found
        .flat_map(|ErrorPage { page, name, urls, .. }| {
            urls.into_iter().map(move |url| SoftRedirect { url, page, name })
        })
        .collect()
}

/// Returns only those URLs: they have not moved, and a link to the error page gains nothing.
pub(super) fn redirecting(site: &Site) -> HashSet<UrlNo> {
    by_redirect(site).into_iter().map(|soft| soft.url).collect()
}

/// Returns the finding that a redirecting URL would have as a soft 404, wherever the site redirects names that cannot
/// exist; none if the URL leads nowhere.
pub(crate) fn soft_redirect(site: &Site, url: UrlNo) -> Option<Finding> {
    site.chain(url).last().map(|page| Finding::of(&SOFT_404, url).to(page))
}

/// The page of an origin to which it redirects names that cannot exist.
struct ErrorPage {
    page: UrlNo,
    name: UrlNo,
    /// The number of pages of the origin.
    pages: usize,
    /// The URLs of the origin that redirect there.
    urls: Vec<UrlNo>,
}

/// Returns the error pages by origin, without home pages.
fn error_pages(site: &Site) -> BTreeMap<&str, ErrorPage> {
    let of = |probe: &Probe| {
        let page = probe.target.and_then(|target| end(site, target))?;
        let error = ErrorPage { page, name: probe.url, pages: 0, urls: Vec::new() };
        (!canonical_all_home::is_home(site, page)).then(|| (origin_of(site.text(probe.url)), error))
    };
    site.probes.values().filter_map(of).collect()
}

/// Returns the page at which the redirects of a URL end.
fn end(site: &Site, from: UrlNo) -> Option<UrlNo> {
    let chain = site.chain(from);
    let last = chain.last().unwrap_or(from);
    (chain.end == ChainEnd::There && site.node(last).is_page()).then_some(last)
}

/// Adds the pages with the same answer as names that cannot exist.
fn by_answer(site: &Site, found: &mut Vec<Finding>) {
    let mut by_origin: HashMap<Origin, Soft404Candidates<UrlNo>> = HashMap::new();
    let titles: HashSet<&str> = start_titles(site).collect();
    for (url, _, content) in site.pages() {
        let Some(text) = PageUrl::recorded(site.text(url)) else { continue };
        let Some(probe) = site.probes.get(&text.origin()) else { continue };
        // The verdict has also compared texts that are too short for a sketch, whose bytes may differ.
        let is_like = match site.node(url).reason {
            Some(Reason::Soft404) => Similarity::ButForNames,
            _ => answer(site.text(url), content).is_like(&lost(site, probe), &titles),
        };
        by_origin.entry(text.origin()).or_default().add(url, content.hash, is_like, site.is_start(url));
    }
    for (origin, pages) in by_origin {
        let Some(probe) = site.probes.get(&origin).filter(|probe| !pages.is_app_shell(probe.status)) else { continue };
        found.extend(pages.alike.into_iter().map(|url| {
            let name = site.text(probe.url);
            Finding::of(&SOFT_404, url).to(probe.url).says(format!(
                "It answers 200 with what {name}, a name that cannot exist, gives with {}.",
                probe.status
            ))
        }));
    }
}

/// Returns the content of a page in the form that is compared.
fn answer<'s>(url: &'s str, content: &'s PageContent) -> ResponseFeatures<'s> {
    ResponseFeatures {
        url,
        hash: content.hash,
        title: content.title.as_deref(),
        text_bytes: content.text_bytes,
        short_text: None,
        sketch: content.sketch,
    }
}

/// Returns the answer for a name that cannot exist, in the same form.
fn lost<'s>(site: &'s Site, probe: &'s Probe) -> ResponseFeatures<'s> {
    ResponseFeatures {
        url: site.text(probe.url),
        hash: probe.hash,
        title: probe.title.as_deref(),
        text_bytes: probe.text_bytes,
        short_text: None,
        sketch: probe.sketch,
    }
}

/// Returns the titles of the start pages.
fn start_titles(site: &Site) -> impl Iterator<Item = &str> {
    let pages = site.starts.iter().filter_map(|start| site.chain(*start).last().or(Some(*start)));
    pages.filter_map(|page| site.page_content(page)?.title.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    const LOST: &str = "Nothing to see at this address. The thing you asked for is not here: it may have been moved, renamed \
        or never have existed at all. Check the spelling, go back to the start page, or use the search box above.";

    #[test]
    fn a_page_with_the_answer_of_the_probe_is_reported() {
        let own = "Gates open at nine from April to October, and the greenhouse with its cactuses may be seen on Sundays \
            after the guided walk, which begins at the fountain beside the old wall.";
        let site = builder()
            .probe(404, LOST)
            .page("/ghost", LOST)
            .page("/ghost2", &format!("<p>{LOST}</p>"))
            .page("/own", own)
            .page("/thin", "Short, but ours.")
            .status("/gone", 404)
            .links("/a", &[])
            .links("/b", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("soft-404"), ["/ghost", "/ghost2"]);
        assert_eq!(found.target("soft-404"), "/cannot-exist");
        let expected =
            "It answers 200 with what http://example.com/cannot-exist, a name that cannot exist, gives with 404.";
        assert_eq!(found.message("soft-404"), expected);
    }

    #[test]
    fn a_page_that_differs_by_its_title_and_a_sentence_is_its_own() {
        let words = (0..400).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
        let page = |title: &str, own: &str| format!("<title>{title}</title><body>{words} {own}");
        let builder = |title: &str, own: &str| {
            let lost = "this page does not exist, look at one of the others instead of it";
            let builder = builder().probe(404, &page("Not found", lost)).page("/thing", &page(title, own));
            builder.links("/a", &[]).links("/b", &[]).site().run_check(find).of("soft-404").len()
        };
        let own = "a kettle of two litres made of copper with a handle of ash wood";
        assert_eq!((builder("Kettle", own), builder("Not found", own)), (0, 1));
    }

    #[test]
    fn short_pages_are_compared_by_their_bytes() {
        let site = builder().probe(200, "Lost?").page("/ghost", "Lost?").page("/other", "Lost!").site();
        assert_eq!(site.run_check(find).of("soft-404"), ["/ghost"]);
    }

    #[test]
    fn error_pages_that_name_their_url_are_reported() {
        for text in [
            "Cannot GET {}",
            "{} was not found. It may have been moved to another place, or was never here at \
            all: look whether {} is spelled as it should be, and try again from the start page.",
        ] {
            let lost = |path: &str| format!("<title>Not found</title><p>{}", text.replace("{}", path));
            let builder = || builder().probe(404, &lost("/cannot-exist")).page("/ghost", &lost("/ghost"));
            let site = builder()
                .page("/", "<title>Ours</title>Welcome")
                .page("/thin", "<title>Not found</title>In 2014 we lost a hat. It was not found again.")
                .page("/own", "<title>Prices</title>Cannot GET /ghost")
                .links("/a", &[])
                .site();
            assert_eq!(site.run_check(find).of("soft-404"), ["/ghost"], "{text}");
            let site = builder().page("/", "<title>Not found</title>Welcome").links("/a", &[]).links("/b", &[]).site();
            assert!(site.run_check(find).is_nothing(), "the title is the whole site's");
        }
    }

    #[test]
    fn an_answer_that_most_pages_give_is_a_shell_and_no_error_page() {
        let found = |status: u16, ghosts: usize, others: usize| {
            let builder =
                builder().probe(status, LOST).many(0..ghosts, |builder, n| builder.page(&format!("/ghost{n}"), LOST));
            builder
                .many(1..others, |builder, n| builder.links(&format!("/{n}"), &[]))
                .site()
                .run_check(find)
                .of("soft-404")
                .len()
        };
        assert_eq!(found(200, 2, 2), 2, "half of four pages, the start page among them");
        assert_eq!(found(200, 3, 2), 0);
        assert_eq!(found(404, 3, 2), 3, "reported as an error, it is one");
        assert_eq!(found(200, 30, 3), 30, "a site of three pages is no shell, however many names are wrong");
    }

    #[test]
    fn if_the_start_page_is_the_shell_nothing_is_reported() {
        let found = |status: u16| {
            let builder = builder().probe(status, LOST).page("/", LOST);
            let builder = builder.many(0..20, |builder, n| builder.page(&format!("/app/{n}"), LOST));
            builder
                .many(0..4, |builder, n| builder.links(&format!("/legal/{n}"), &[]))
                .site()
                .run_check(find)
                .of("soft-404")
                .len()
        };
        assert_eq!((found(200), found(404)), (0, 0));
    }

    #[test]
    fn pages_of_an_app_that_differ_by_a_word_are_its_shell() {
        let menu: String = (0..90).map(|n| format!("<p>entry{n}")).collect();
        let shell = |n: usize| format!("{LOST} {n}{menu}");
        let builder =
            builder().probe(200, &shell(0)).many(0..9, |builder, n| builder.page(&format!("/app/{n}"), &shell(n)));
        let builder = builder.many(0..4, |builder, n| builder.links(&format!("/{n}"), &[]));
        assert!(builder.site().run_check(find).is_nothing());
    }

    fn all_lost_go_to(page: &str) -> crate::site::builder::SiteBuilder {
        builder().probe_redirect(page).links("/lost", &[]).links("/b", &[]).links("/c", &[])
    }

    #[test]
    fn a_redirect_to_the_target_of_the_probe_is_reported_with_the_page() {
        let site = all_lost_go_to("/lost")
            .redirect_with(302, "/old", "/lost")
            .redirect("/older", "/old")
            .redirect("/lost/", "/lost")
            .redirect("/moved", "/b")
            .redirect("/gone", "/missing")
            .links("/", &["/old", "/older", "/moved"])
            .site();
        let found = site.run_check(find);
        assert_eq!(
            (found.of("soft-404"), found.target("soft-404")),
            (vec!["/old".into(), "/older".into()], "/lost".into())
        );
        let expected = "It redirects to http://example.com/lost, as http://example.com/cannot-exist does, a name that cannot exist.";
        assert_eq!(found.message("soft-404"), expected);
        let found = site.run_check(super::super::redirect_temporary::find);
        assert!(found.is_nothing(), "it has not moved");
        let found = site.run_check(super::super::redirect_link::find);
        assert_eq!(found.of("redirect-link"), ["/moved"], "a link to the error page would be no better");
        let found = site.run_check(super::super::isolated::find);
        assert_eq!(found.of("isolated-redirect"), ["/b"], "nor is it to be linked to");
    }

    #[test]
    fn the_page_that_most_urls_or_the_start_redirect_to_is_the_entry_page() {
        let found = |page: &str, count: usize| {
            let builder = all_lost_go_to(page).many(0..count, |builder, n| builder.redirect(&format!("/old{n}"), page));
            builder.site().run_check(find).of("soft-404").len()
        };
        assert_eq!((found("/lost", 4), found("/lost", 5)), (4, 0), "four pages, the start page among them");
        assert_eq!((found("/", 2), found("/missing", 2)), (0, 0));
    }

    #[test]
    fn without_a_probe_and_for_the_start_page_nothing_is_reported() {
        assert!(builder().probe(200, LOST).page("/", LOST).links("/a", &[]).site().run_check(find).is_nothing());
        assert!(builder().page("/ghost", LOST).links("/a", &[]).site().run_check(find).is_nothing());
    }
}
