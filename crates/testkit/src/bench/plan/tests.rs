use std::collections::{HashMap, HashSet, VecDeque};

use super::*;

/// Follows links like a crawler that obeys robots.txt, and returns the paths that answered 200 with a page to list.
fn crawl(plan: &SitePlan) -> HashSet<String> {
    let mut listed = HashSet::new();
    let mut seen = HashSet::from([0]);
    let mut queue = VecDeque::from([0]);
    while let Some(number) = queue.pop_front() {
        match plan.kind(number) {
            PageKind::Ordinary | PageKind::Moved => {
                listed.insert(plan.path(number));
            }
            PageKind::NoIndex | PageKind::Duplicate => {}
            PageKind::Blocked | PageKind::Missing => continue,
        }
        queue.extend(plan.links(number).into_iter().chain(plan.navigation()).filter(|link| seen.insert(*link)));
    }
    listed
}

#[test]
fn the_shares_are_exact() {
    let plan = SitePlan::new(10_000, 7);
    let mut counts: HashMap<_, u64> = HashMap::new();
    for number in 0..plan.pages() {
        *counts.entry(format!("{:?}", plan.kind(number))).or_default() += 1;
    }
    let expected =
        [("Ordinary", 9_200), ("Moved", 200), ("NoIndex", 100), ("Duplicate", 200), ("Blocked", 100), ("Missing", 200)];
    assert_eq!(counts, expected.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect());
    assert_eq!((plan.fetchable(), plan.fetched("").len(), plan.addresses()), (9_700, 9_700, 10_200));
}

#[test]
fn every_page_of_the_truth_is_reached_by_links_whatever_the_size() {
    for (pages, seed) in [(1, 0), (2, 1), (19, 2), (93, 3), (100, 4), (101, 5), (777, 6), (1_050, 7), (20_000, 8)] {
        let plan = SitePlan::new(pages, seed);
        let mut reached: Vec<String> = crawl(&plan).into_iter().map(|path| format!("http://x.test{path}")).collect();
        reached.sort_unstable();
        assert_eq!(reached, plan.expected_sitemap("http://x.test/"), "{pages} pages, seed {seed}");
    }
}

#[test]
fn every_page_has_its_links() {
    let plan = SitePlan::new(5_000, 1);
    for number in 0..plan.pages() {
        assert_eq!(plan.links(number).len() + plan.navigation().len(), LINKS);
    }
}

#[test]
fn paths_are_distinct_and_lead_back() {
    let plan = SitePlan::new(5_000, 1);
    let paths: HashSet<_> = (0..plan.pages()).map(|number| plan.path(number)).collect();
    assert_eq!(paths.len(), 5_000);
    for number in 0..plan.pages() {
        assert_eq!(plan.at(&plan.path(number)), Some(number));
        if plan.kind(number) == PageKind::Moved {
            assert_eq!(plan.redirect_target(&plan.href(number)), Some(number));
        }
    }
    assert_eq!(plan.at("/nowhere-0000001.html"), None);
    assert_eq!(plan.redirect_target("/go/0000000"), None);
}

#[test]
fn a_duplicate_names_a_page_that_is_listed() {
    let plan = SitePlan::new(10_050, 3);
    for number in (0..plan.pages()).filter(|number| plan.kind(*number) == PageKind::Duplicate) {
        let canonical = plan.canonical(number);
        assert!(canonical < plan.pages());
        assert_eq!(plan.kind(canonical), PageKind::Ordinary);
    }
}

#[test]
fn one_seed_gives_one_site_and_another_gives_another() {
    assert_eq!(SitePlan::new(500, 1).expected_sitemap("x"), SitePlan::new(500, 1).expected_sitemap("x"));
    assert_ne!(SitePlan::new(500, 1).expected_sitemap("x"), SitePlan::new(500, 2).expected_sitemap("x"));
}
