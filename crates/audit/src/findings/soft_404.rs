//! Pages that are what the site shows for names that cannot exist.

use super::{canonical_all_home, redirect_form};
use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Probe, Said, Site, UrlNo, WayEnd};
use mapwright_verdict::{Answer, Likes};
use mapwright_web::{Origin, PageUrl, origin_of};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Percent of a site's pages from which on the answer is no error page but the shell of all of them.
const SHELL: usize = 50;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    by_answer(site, found);
    found.extend(by_redirect(site).into_iter().map(|soft| {
        let (page, name) = (site.text(soft.page), site.text(soft.name));
        let message = format!("It redirects to {page}, as {name} does, a name that cannot exist.");
        Finding::of(Code::Soft404, soft.url).to(soft.page).says(message)
    }));
}

/// A URL that redirects to where names that cannot exist do.
pub(super) struct SoftRedirect {
    pub(super) url: UrlNo,
    /// The page, which answers 200.
    pub(super) page: UrlNo,
    /// The name that cannot exist.
    name: UrlNo,
}

/// The URLs that redirect to a page of the site that names that cannot exist redirect to, be it in several steps. Where
/// that is the home page, or where most URLs end there, it is no error page but the entrance of all: a login, a choice
/// of languages.
pub(super) fn by_redirect(site: &Site) -> Vec<SoftRedirect> {
    let mut pages = error_pages(site);
    if pages.is_empty() {
        return Vec::new();
    }
    for (url, ..) in site.pages() {
        pages.get_mut(origin_of(site.text(url))).into_iter().for_each(|error| error.pages += 1);
    }
    for (url, _) in site.nodes().filter(|(_, node)| node.fate == Fate::Redirect) {
        let Some(error) = pages.get_mut(origin_of(site.text(url))) else { continue };
        let leads = !site.is_start(url) && end(site, url) == Some(error.page);
        // What differs from the page in form alone is moved to it rightly.
        let is_form = || redirect_form::change(site.text(url), site.text(error.page)).is_some();
        error.urls.extend((leads && !is_form()).then_some(url));
    }
    let is_shell = |error: &ErrorPage| error.urls.len() * 100 > (error.pages + error.urls.len()) * SHELL;
    let told = pages.into_values().filter(|error| !is_shell(error));
    told.flat_map(|ErrorPage { page, name, urls, .. }| {
        urls.into_iter().map(move |url| SoftRedirect { url, page, name })
    })
    .collect()
}

/// The same URLs alone: what is not there has not moved, and nothing is gained by links to the error page.
pub(super) fn redirecting(site: &Site) -> HashSet<UrlNo> {
    by_redirect(site).into_iter().map(|soft| soft.url).collect()
}

/// The page of an origin to which it redirects names that cannot exist.
struct ErrorPage {
    page: UrlNo,
    name: UrlNo,
    /// How many pages the origin has.
    pages: usize,
    /// The URLs of the origin that redirect there.
    urls: Vec<UrlNo>,
}

/// By origin, unless it is the home page.
fn error_pages(site: &Site) -> BTreeMap<&str, ErrorPage> {
    let of = |probe: &Probe| {
        let page = probe.target.and_then(|target| end(site, target))?;
        let error = ErrorPage { page, name: probe.url, pages: 0, urls: Vec::new() };
        (!canonical_all_home::is_home(site, page)).then(|| (origin_of(site.text(probe.url)), error))
    };
    site.probes.values().filter_map(of).collect()
}

/// The page at which redirects that begin at a URL end.
fn end(site: &Site, from: UrlNo) -> Option<UrlNo> {
    let way = site.way(from);
    let last = way.last().unwrap_or(from);
    (way.end == WayEnd::There && site.node(last).is_page()).then_some(last)
}

/// Pages that answer as names that cannot exist do.
fn by_answer(site: &Site, found: &mut Vec<Finding>) {
    let mut by_origin: HashMap<Origin, Likes<UrlNo>> = HashMap::new();
    let titles: HashSet<&str> = start_titles(site).collect();
    for (url, _, said) in site.pages() {
        let Some(text) = PageUrl::recorded(site.text(url)) else { continue };
        let Some(probe) = site.probes.get(&text.origin()) else { continue };
        let is_like = answer(site.text(url), said).is_like(&lost(site, probe), &titles);
        by_origin.entry(text.origin()).or_default().add(url, said.hash, is_like, site.is_start(url));
    }
    for (origin, pages) in by_origin {
        let Some(probe) = site.probes.get(&origin).filter(|probe| !pages.are_a_shell(probe.status)) else { continue };
        found.extend(pages.alike.into_iter().map(|url| {
            let name = site.text(probe.url);
            Finding::of(Code::Soft404, url).to(probe.url).says(format!(
                "It answers 200 with what {name}, a name that cannot exist, gives with {}.",
                probe.status
            ))
        }));
    }
}

/// What a page says, in the form that is compared.
fn answer<'s>(url: &'s str, said: &'s Said) -> Answer<'s> {
    Answer { url, hash: said.hash, title: said.title.as_deref(), text_bytes: said.text_bytes, sketch: said.sketch }
}

/// What a name that cannot exist answers, in the same form.
fn lost<'s>(site: &'s Site, probe: &'s Probe) -> Answer<'s> {
    Answer {
        url: site.text(probe.url),
        hash: probe.hash,
        title: probe.title.as_deref(),
        text_bytes: probe.text_bytes,
        sketch: probe.sketch,
    }
}

/// The titles of the pages at which the crawl began.
fn start_titles(site: &Site) -> impl Iterator<Item = &str> {
    let pages = site.starts.iter().filter_map(|start| site.way(*start).last().or(Some(*start)));
    pages.filter_map(|page| site.said(page)?.title.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::made::made;

    const LOST: &str = "Nothing to see at this address. The thing you asked for is not here: it may have been moved, renamed \
        or never have existed at all. Check the spelling, go back to the start page, or use the search box above.";

    #[test]
    fn a_page_that_is_what_names_that_cannot_exist_answer_is_told() {
        let own = "Gates open at nine from April to October, and the greenhouse with its cactuses may be seen on Sundays \
            after the guided walk, which begins at the fountain beside the old wall.";
        let site = made()
            .probe(404, LOST)
            .page("/ghost", LOST)
            .page("/ghost2", &format!("<p>{LOST}</p>"))
            .page("/own", own)
            .page("/thin", "Short, but ours.")
            .status("/gone", 404)
            .links("/a", &[])
            .links("/b", &[])
            .site();
        let told = site.told(find);
        assert_eq!(told.of(Code::Soft404), ["/ghost", "/ghost2"]);
        assert_eq!(told.target(Code::Soft404), "/cannot-exist");
        let expected =
            "It answers 200 with what http://example.com/cannot-exist, a name that cannot exist, gives with 404.";
        assert_eq!(told.message(Code::Soft404), expected);
    }

    #[test]
    fn a_page_that_differs_by_its_title_and_a_sentence_is_its_own() {
        let words = (0..300).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
        let page = |title: &str, own: &str| format!("<title>{title}</title><body>{words} {own}");
        let made = |title: &str, own: &str| {
            let lost = "this page does not exist, look at one of the others instead of it";
            let made = made().probe(404, &page("Not found", lost)).page("/thing", &page(title, own));
            made.links("/a", &[]).links("/b", &[]).site().told(find).of(Code::Soft404).len()
        };
        let own = "a kettle of two litres made of copper with a handle of ash wood";
        assert_eq!((made("Kettle", own), made("Not found", own)), (0, 1));
    }

    #[test]
    fn short_pages_are_compared_by_their_bytes() {
        let site = made().probe(200, "Lost?").page("/ghost", "Lost?").page("/other", "Lost!").site();
        assert_eq!(site.told(find).of(Code::Soft404), ["/ghost"]);
    }

    #[test]
    fn error_pages_that_name_their_url_are_told() {
        for text in [
            "Cannot GET {}",
            "{} was not found. It may have been moved to another place, or was never here at \
            all: look whether {} is spelled as it should be, and try again from the start page.",
        ] {
            let lost = |path: &str| format!("<title>Not found</title><p>{}", text.replace("{}", path));
            let made = || made().probe(404, &lost("/cannot-exist")).page("/ghost", &lost("/ghost"));
            let site = made()
                .page("/", "<title>Ours</title>Welcome")
                .page("/thin", "<title>Not found</title>In 2014 we lost a hat. It was not found again.")
                .page("/own", "<title>Prices</title>Cannot GET /ghost")
                .links("/a", &[])
                .site();
            assert_eq!(site.told(find).of(Code::Soft404), ["/ghost"], "{text}");
            let site = made().page("/", "<title>Not found</title>Welcome").links("/a", &[]).links("/b", &[]).site();
            assert!(site.told(find).is_nothing(), "the title is the whole site's");
        }
    }

    #[test]
    fn the_answer_that_most_pages_give_is_a_shell_and_no_error_page() {
        let told = |status: u16, ghosts: usize, others: usize| {
            let made = made().probe(status, LOST).many(0..ghosts, |made, n| made.page(&format!("/ghost{n}"), LOST));
            made.many(1..others, |made, n| made.links(&format!("/{n}"), &[])).site().told(find).of(Code::Soft404).len()
        };
        assert_eq!(told(200, 2, 2), 2, "half of four pages, the start page among them");
        assert_eq!(told(200, 3, 2), 0);
        assert_eq!(told(404, 3, 2), 3, "told as an error, it is one");
        assert_eq!(told(200, 30, 3), 30, "a site of three pages is no shell, however many names are wrong");
    }

    #[test]
    fn where_the_start_page_is_the_shell_all_is() {
        let told = |status: u16| {
            let made = made().probe(status, LOST).page("/", LOST);
            let made = made.many(0..20, |made, n| made.page(&format!("/app/{n}"), LOST));
            made.many(0..4, |made, n| made.links(&format!("/legal/{n}"), &[])).site().told(find).of(Code::Soft404).len()
        };
        assert_eq!((told(200), told(404)), (0, 0));
    }

    #[test]
    fn pages_of_a_program_that_differ_by_a_word_are_its_shell() {
        let shell = |n: usize| format!("{LOST} {n}");
        let made = made().probe(200, &shell(0)).many(0..9, |made, n| made.page(&format!("/app/{n}"), &shell(n)));
        let made = made.many(0..4, |made, n| made.links(&format!("/{n}"), &[]));
        assert!(made.site().told(find).is_nothing());
    }

    fn all_lost_go_to(page: &str) -> crate::site::made::Made {
        made().probe_redirect(page).links("/lost", &[]).links("/b", &[]).links("/c", &[])
    }

    #[test]
    fn what_redirects_to_where_names_that_cannot_exist_do_is_told_with_the_page() {
        let site = all_lost_go_to("/lost")
            .redirect_with(302, "/old", "/lost")
            .redirect("/older", "/old")
            .redirect("/lost/", "/lost")
            .redirect("/moved", "/b")
            .redirect("/gone", "/missing")
            .links("/", &["/old", "/older", "/moved"])
            .site();
        let told = site.told(find);
        assert_eq!(
            (told.of(Code::Soft404), told.target(Code::Soft404)),
            (vec!["/old".into(), "/older".into()], "/lost".into())
        );
        let expected = "It redirects to http://example.com/lost, as http://example.com/cannot-exist does, a name that cannot exist.";
        assert_eq!(told.message(Code::Soft404), expected);
        let told = site.told(super::super::redirect_temporary::find);
        assert!(told.is_nothing(), "it has not moved");
        let told = site.told(super::super::redirect_link::find);
        assert_eq!(told.of(Code::RedirectLink), ["/moved"], "a link to the error page would be no better");
        let told = site.told(super::super::isolated::find);
        assert_eq!(told.of(Code::IsolatedRedirect), ["/b"], "nor is it to be linked to");
    }

    #[test]
    fn the_page_that_most_urls_or_the_start_end_at_is_the_entrance_of_all() {
        let told = |page: &str, count: usize| {
            let made = all_lost_go_to(page).many(0..count, |made, n| made.redirect(&format!("/old{n}"), page));
            made.site().told(find).of(Code::Soft404).len()
        };
        assert_eq!((told("/lost", 4), told("/lost", 5)), (4, 0), "four pages, the start page among them");
        assert_eq!((told("/", 2), told("/missing", 2)), (0, 0));
    }

    #[test]
    fn the_start_page_is_no_error_page_and_without_a_probe_nothing_is() {
        assert!(made().probe(200, LOST).page("/", LOST).links("/a", &[]).site().told(find).is_nothing());
        assert!(made().page("/ghost", LOST).links("/a", &[]).site().told(find).is_nothing());
    }
}
