//! A judgement on a page holds from run to run until something changes that it rests on.

use mapwright_e2e::Workspace;

use super::text::paragraphs;
use super::town::Town;

const OFFERS: [&str; 2] = ["/offers/1", "/offers/2"];

/// A town with two offers that say the same, the first of them linked by three pages, the second by two.
fn offers() -> Town {
    let mut town = Town::open(&format!("{}{}", links(&OFFERS), links(&["/spring", "/summer", "/autumn"])));
    town.page(OFFERS[0], "Offer", &paragraphs("an offer", 3));
    town.junk(OFFERS[1], "Offer", &paragraphs("an offer", 3));
    for (path, to) in [("/spring", OFFERS[0]), ("/summer", OFFERS[0]), ("/autumn", OFFERS[1])] {
        town.page(path, path.trim_matches('/'), &format!("{}{}", paragraphs(path, 3), links(&[to])));
    }
    town
}

fn links(paths: &[&str]) -> String {
    paths.iter().map(|path| format!("<p><a href=\"{path}\">See {path}</a></p>")).collect()
}

/// Crawls on this record; which of the offers are listed.
#[track_caller]
fn listed_offers(town: &Town, workspace: &Workspace) -> Vec<&'static str> {
    let crawled = town.plan().within(workspace).run().exited(0);
    let listed = crawled.listed();
    OFFERS.into_iter().filter(|path| listed.contains(&town.site.url(path))).collect()
}

#[test]
fn which_of_two_equal_pages_is_listed_holds_while_nothing_new_links_them() {
    let (town, workspace) = (offers(), Workspace::new());
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    // Most of what linked the first offer is gone, and what is left did not change.
    town.site.status("/spring", 404).status("/summer", 404);
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    assert_eq!(listed_offers(&town, &Workspace::new()), [OFFERS[1]], "another record knows no earlier run");
}

#[test]
fn what_a_changed_page_links_is_judged_again() {
    let (mut town, workspace) = (offers(), Workspace::new());
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    for path in ["/spring", "/summer"] {
        town.page(path, path, &format!("{}{}", paragraphs(&format!("news of {path}"), 3), links(&[OFFERS[1]])));
    }
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[1]]);
}

#[test]
fn a_page_left_out_for_another_comes_back_when_that_is_gone() {
    let (town, workspace) = (offers(), Workspace::new());
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    town.site.status(OFFERS[0], 404);
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[1]]);
}
