//! Patterns that grew without end and spent their budget.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Fate, Site, UrlNo};
use mapwright_frontier::{Trap, Unfetched, trap};
use mapwright_web::{Identity, PageUrl};
use std::collections::BTreeMap;

/// URLs of one pattern.
#[derive(Default)]
struct Pattern {
    urls: Vec<PageUrl>,
    numbers: Vec<UrlNo>,
    entrances: Vec<UrlNo>,
    refused: usize,
}

/// URLs of a pattern that are looked at to tell its kind.
const LOOKED_AT: usize = 2_000;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut patterns: BTreeMap<String, Pattern> = BTreeMap::new();
    let refused = site.nodes().filter(|(_, node)| node.fate == Fate::Refused(Unfetched::Endless));
    for (url, node) in refused {
        let Some((name, text)) = pattern_of(site, url) else { continue };
        let pattern = patterns.entry(name).or_default();
        pattern.refused += 1;
        if pattern.urls.len() < LOOKED_AT {
            pattern.urls.push(text);
            pattern.numbers.push(url);
        }
        pattern.entrances.extend(node.found_on);
    }
    enter(site, &mut patterns);
    for (name, pattern) in patterns {
        let message = format!("{} URLs beyond the budget of the pattern {name} were not fetched.", pattern.refused);
        let finding = Finding::pattern(code(trap(&pattern.urls)), &name).says(message);
        let examples = pattern.numbers.into_iter().take(SAMPLE);
        found.push(finding.shown_by(examples).entered_from(pattern.entrances));
    }
}

fn pattern_of(site: &Site, url: UrlNo) -> Option<(String, PageUrl)> {
    let text = PageUrl::parse(site.text(url), &Identity::new(false, &[])).ok()?;
    Some((mapwright_frontier::pattern(&text)?, text))
}

/// Puts the pages that lead into each pattern from outside it before those within it.
fn enter(site: &Site, patterns: &mut BTreeMap<String, Pattern>) {
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

fn code(kind: Trap) -> Code {
    match kind {
        Trap::Calendar => Code::TrapCalendar,
        Trap::Repeating => Code::TrapRepeating,
        Trap::Growing => Code::TrapGrowing,
        Trap::Session => Code::TrapSession,
        Trap::Facets => Code::TrapFacets,
    }
}
