//! Crawl traps: endless URL patterns that spent their budget.

use super::filter_traps::{self, KnownTrap};
use super::trapped_pattern::{LOOKED_AT, TrappedPattern};
use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::{NodeStatus, Site, UrlNo};
use mapwright_traps::{Trap, trap};
use mapwright_web::PageUrl;
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&TRAP_CALENDAR, &TRAP_REPEATING, &TRAP_GROWING, &TRAP_SESSION, &TRAP_FACETS]);

static TRAP_CALENDAR: Check = Check {
    code: "trap-calendar",
    title: "Crawl trap: calendar",
    topic: Topic::Traps,
    severity: Severity::Warning,
    reason: "A calendar goes on without end.",
    fix: "End it where there is nothing to show, or disallow it in robots.txt.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static TRAP_REPEATING: Check = Check {
    code: "trap-repeating",
    title: "Crawl trap: repeating path",
    topic: Topic::Traps,
    severity: Severity::Warning,
    reason: "Path segments repeat without end, often by a relative link that should be absolute.",
    fix: "Correct the link, and answer 404 for paths that do not exist.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static TRAP_GROWING: Check = Check {
    code: "trap-growing",
    title: "Crawl trap: growing path",
    topic: Topic::Traps,
    severity: Severity::Warning,
    reason: "Paths grow, or new names come up, without end.",
    fix: "Correct the links, and answer 404 for paths that do not exist.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static TRAP_SESSION: Check = Check {
    code: "trap-session",
    title: "Crawl trap: session identifiers",
    topic: Topic::Traps,
    severity: Severity::Warning,
    reason: "Links carry ever new session identifiers.",
    fix: "Keep sessions in cookies, not in URLs.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

static TRAP_FACETS: Check = Check {
    code: "trap-facets",
    title: "Crawl trap: filters",
    topic: Topic::Traps,
    severity: Severity::Warning,
    reason: "Filters can be combined without end.",
    fix: "Disallow combinations in robots.txt, or take them out of plain links.",
    needs: RequiredCoverage::Site,
    attributes: Attributes::NONE,
};

/// The most URLs of a pattern that may be one by chance.
const FEW: usize = 3;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut patterns: BTreeMap<String, TrappedPattern> = BTreeMap::new();
    let refused =
        site.nodes().filter(|(_, node)| matches!(node.fetch_status, NodeStatus::Refused(why) if why.is_of_trap()));
    for (url, node) in refused {
        let Some((name, text)) = pattern_of(site, url) else { continue };
        patterns.entry(name).or_default().refuse(url, text, node.found_on);
    }
    let mut patterns = combined_state(patterns);
    enter(site, &mut patterns);
    let known =
        patterns.into_iter().map(|(name, pattern)| KnownTrap { name, kind: kind(site, &pattern.urls), pattern });
    for KnownTrap { name, kind, pattern } in filter_traps::merge(site, known.collect()) {
        found.push(pattern.evidence(Finding::pattern(check(kind), &name), &name));
    }
}

/// Merges small patterns into the wider pattern around them. Random names and products of two lists fall into patterns
/// of a few URLs each.
fn combined_state(patterns: BTreeMap<String, TrappedPattern>) -> BTreeMap<String, TrappedPattern> {
    let (few, mut kept): (BTreeMap<_, _>, BTreeMap<_, TrappedPattern>) =
        patterns.into_iter().partition(|(_, one)| one.refused <= FEW);
    let around = |pattern: &TrappedPattern| pattern.urls.first().and_then(mapwright_traps::wide_pattern);
    let mut sizes: BTreeMap<Option<String>, usize> = BTreeMap::new();
    few.values().for_each(|pattern| *sizes.entry(around(pattern)).or_default() += 1);
    for (name, pattern) in few {
        let wide = around(&pattern);
        let many = sizes.get(&wide).is_some_and(|size| *size > FEW);
        let wide = wide.filter(|wide| many || kept.contains_key(wide));
        kept.entry(wide.unwrap_or(name)).or_default().extend(pattern);
    }
    kept
}

fn pattern_of(site: &Site, url: UrlNo) -> Option<(String, PageUrl)> {
    let text = PageUrl::recorded(site.text(url))?;
    Some((mapwright_traps::pattern(&text)?, text))
}

/// Puts the pages outside each pattern that lead into it before those within it.
fn enter(site: &Site, patterns: &mut BTreeMap<String, TrappedPattern>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_page()) {
        let Some((name, _)) = pattern_of(site, url) else { continue };
        let Some(pattern) = patterns.get_mut(&name).filter(|pattern| pattern.entrances.len() < LOOKED_AT) else {
            continue;
        };
        let Some(parent) = node.found_on else { continue };
        if pattern_of(site, parent).is_none_or(|(other, _)| other != name) {
            pattern.entrances.insert(0, parent);
        }
    }
    for pattern in patterns.values_mut() {
        let mut met = std::collections::HashSet::new();
        pattern.entrances.retain(|page| met.insert(*page));
    }
}

/// Returns the kind of a trap. Identifiers that each lead to another page are not sessions.
pub(super) fn kind(site: &Site, urls: &[PageUrl]) -> Trap {
    let kind = trap(urls);
    if kind == Trap::Session && specifies(site, urls) { Trap::Growing } else { kind }
}

/// Returns true if the same queries occur at several paths, and give different titles at one path.
fn specifies(site: &Site, urls: &[PageUrl]) -> bool {
    let parts: BTreeSet<String> = urls.iter().take(LOOKED_AT).filter_map(mapwright_traps::wide_pattern).collect();
    let mut titles: HashMap<String, BTreeSet<&str>> = HashMap::new();
    let mut paths: HashMap<String, BTreeSet<String>> = HashMap::new();
    for (url, _, content) in site.pages() {
        let Some(text) = PageUrl::recorded(site.text(url)) else { continue };
        let is_near = mapwright_traps::wide_pattern(&text).is_some_and(|part| parts.contains(&part));
        let (Some(title), Some(query)) = (content.title.as_deref().filter(|_| is_near), text.query()) else { continue };
        titles.entry(text.path().to_owned()).or_default().insert(title);
        paths.entry(query.to_owned()).or_default().insert(text.path().to_owned());
    }
    titles.values().any(|titles| titles.len() >= FEW) && paths.values().any(|paths| paths.len() >= FEW)
}

pub(super) fn check(kind: Trap) -> &'static Check {
    match kind {
        Trap::Calendar => &TRAP_CALENDAR,
        Trap::Repeating => &TRAP_REPEATING,
        Trap::Growing => &TRAP_GROWING,
        Trap::Session => &TRAP_SESSION,
        Trap::Facets => &TRAP_FACETS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_model::Unfetched;

    fn trap_of(entrance: &str, urls: &[&str]) -> (String, String, String) {
        let builder = builder().links("/", &[entrance]).links(entrance, &[]);
        let builder = urls.iter().fold(builder, |builder, url| builder.refused(url, Unfetched::Endless, entrance));
        let site = builder.site();
        let found = site.run_check(find);
        let code = CHECKER.checks.iter().map(|check| check.code).find(|code| !found.of(code).is_empty()).unwrap();
        assert_eq!(found.of(code).len(), 1);
        (code.to_owned(), found.of(code).remove(0), found.message(code))
    }

    #[test]
    fn each_kind_of_trap_is_recognised_by_its_pattern() {
        let cases = [
            ("trap-calendar", "/cal?month=2026-01", ["/cal?month=2030-01", "/cal?month=2030-02"]),
            ("trap-repeating", "/docs/", ["/docs/docs/docs/", "/docs/docs/docs/docs/"]),
            ("trap-growing", "/list?page=1", ["/list?page=1001", "/list?page=1002"]),
            ("trap-session", "/room?sid=1", ["/room?sid=0f1e2d3c4b5a6978", "/room?sid=a0b1c2d3e4f50617"]),
            ("trap-facets", "/shop?color=a", ["/shop?color=a&size=b&brand=c", "/shop?brand=c&price=b&size=b"]),
        ];
        for (code, entrance, urls) in cases {
            let (found, pattern, message) = trap_of(entrance, &urls);
            assert_eq!(found, code);
            assert!(pattern.starts_with("http://example.com/") && pattern.ends_with(['*', '…']), "{pattern}");
            assert_eq!(message, format!("2 URLs beyond the budget of the pattern {pattern} were not requested."));
        }
    }

    #[test]
    fn the_pages_that_lead_into_the_pattern_come_before_those_within_it() {
        let site = builder()
            .links("/", &["/hub"])
            .links("/hub", &["/cal?month=1"])
            .links("/cal?month=1", &["/cal?month=2"])
            .links("/cal?month=2", &["/"])
            .refused("/cal?month=3", Unfetched::Endless, "/cal?month=2")
            .refused("/cal?month=4", Unfetched::Endless, "/cal?month=2")
            .site();
        let found = site.run_check(find);
        assert_eq!(found.entrances("trap-calendar"), "/hub /cal?month=2");
        assert_eq!(found.examples("trap-calendar"), "/cal?month=3 /cal?month=4");
    }

    /// Digits within some of the names make patterns of their own.
    #[test]
    fn random_names_are_one_trap() {
        let names = ["/b/aKqzw", "/b/Qwrtz", "/b/mNnop", "/b/uIaoe", "/b/aK7qz", "/b/x9xYz"];
        let (found, pattern, message) = trap_of("/b/start", &names);
        assert_eq!((found.as_str(), pattern.as_str()), ("trap-growing", "http://example.com/b/…"));
        assert!(message.starts_with("6 URLs "), "{message}");
    }

    /// Returns the kinds of the traps of a shop whose filters were combined beyond the budget, with the number of URLs
    /// that each finding counts. `parameter` was learnt to narrow the list at `/chairs/`.
    fn filters(parameter: &str, more: &[&str]) -> Vec<(String, u64)> {
        let combined = ["a", "b", "c", "d"].map(|value| format!("/tables/?f=x&f=y&f={value}&g={value}"));
        let urls = combined.iter().map(String::as_str).chain(more.iter().copied());
        let builder = builder().parameter("/chairs/", parameter, "narrows").links("/chairs/?f=x", &[]);
        let site = urls.fold(builder, |builder, url| builder.refused(url, Unfetched::Endless, "/")).site();
        let mut found = Vec::new();
        find(&site, &mut found);
        let row = |one: &Finding| (one.check.code.to_owned(), one.evidence.as_ref().unwrap().affected.unwrap());
        found.iter().map(row).collect()
    }

    #[test]
    fn a_pattern_that_grows_by_the_parameter_of_a_filter_is_part_of_the_trap_of_that_filter() {
        let facets = |count| ("trap-facets".to_owned(), count);
        assert_eq!(filters("f", &[]), [facets(4)]);
        assert_eq!(filters("f", &["/tables/?f=x"]), [facets(5)], "the filter has a trap on the same path");
        let few = ["/chairs/?f=x&f=y", "/chairs/?f=y&f=x"];
        assert_eq!(filters("f", &few), [facets(2), facets(4)], "it was learnt to narrow the list");
        let growing = |count| ("trap-growing".to_owned(), count);
        assert_eq!(filters("other", &few), [growing(2), facets(4)], "another path, and nothing was learnt");
        let pages = ["/chairs/?page=8", "/chairs/?page=9"];
        assert_eq!(filters("page", &pages), [growing(2), facets(4)], "a page number is no filter");
    }

    #[test]
    fn a_pattern_within_its_budget_is_no_trap() {
        let builder = builder().many(0..60, |builder, n| builder.links(&format!("/list?page={n}"), &[]));
        let site = builder.refused("/list?page=99", Unfetched::Depth, "/list?page=59").site();
        assert!(site.run_check(find).is_nothing());
    }
}
