//! A judgement on a page remains from run to run until its basis changes.

use mapwright_e2e::Workspace;

use super::text::paragraphs;
use super::town::SmallSite;

const OFFERS: [&str; 2] = ["/offers/1", "/offers/2"];

/// A site with two equal offers, the first linked by three pages and the second by two.
fn offers() -> SmallSite {
    let mut town = SmallSite::open(&format!("{}{}", links(&OFFERS), links(&["/spring", "/summer", "/autumn"])));
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

/// Crawls on this record, and returns the listed offers.
#[track_caller]
fn listed_offers(town: &SmallSite, workspace: &Workspace) -> Vec<&'static str> {
    let crawled = town.plan().within(workspace).run().exited(0);
    let listed = crawled.listed();
    OFFERS.into_iter().filter(|path| listed.contains(&town.site.url(path))).collect()
}

#[test]
fn the_choice_between_two_equal_pages_remains_without_new_links() {
    let (town, workspace) = (offers(), Workspace::new());
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    // Most pages that linked the first offer are gone, and the others are unchanged.
    town.site.status("/spring", 404).status("/summer", 404);
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    assert_eq!(listed_offers(&town, &Workspace::new()), [OFFERS[1]], "another record knows no earlier run");
}

#[test]
fn the_link_targets_of_a_changed_page_are_judged_again() {
    let (mut town, workspace) = (offers(), Workspace::new());
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    for path in ["/spring", "/summer"] {
        town.page(path, path, &format!("{}{}", paragraphs(&format!("news of {path}"), 3), links(&[OFFERS[1]])));
    }
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[1]]);
}

#[test]
fn a_duplicate_is_listed_again_when_its_original_is_gone() {
    let (town, workspace) = (offers(), Workspace::new());
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[0]]);
    town.site.status(OFFERS[0], 404);
    assert_eq!(listed_offers(&town, &workspace), [OFFERS[1]]);
}
