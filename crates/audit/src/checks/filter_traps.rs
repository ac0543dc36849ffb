//! Patterns that seem to grow and whose growth is that of a filter: a combination of few of its values repeats a parameter
//! that combinations of many values have, too. One cause is one finding.

use super::trapped_pattern::TrappedPattern;
use crate::site::Site;
use mapwright_traps::{ParameterRole, Trap, names_pages, path_pattern};
use mapwright_web::PageUrl;
use std::collections::BTreeSet;

/// A pattern with its name and the kind of its trap.
pub(super) struct KnownTrap {
    pub(super) name: String,
    pub(super) kind: Trap,
    pub(super) pattern: TrappedPattern,
}

/// Merges each growing pattern whose URLs vary by the parameters of a filter into the trap of that filter.
pub(super) fn merge(site: &Site, traps: Vec<KnownTrap>) -> Vec<KnownTrap> {
    let (growing, mut kept): (Vec<_>, Vec<_>) = traps.into_iter().partition(|trap| trap.kind == Trap::Growing);
    for mut trap in growing {
        let mut filters = kept.iter_mut().filter(|other| other.kind == Trap::Facets);
        if let Some(filter) = filters.find(|filter| filter.causes(&trap)) {
            filter.pattern.merge(trap.pattern);
            continue;
        }
        if trap.pattern.urls.iter().all(|url| has_learnt_filter(site, url)) {
            trap.kind = Trap::Facets;
        }
        kept.push(trap);
    }
    kept.sort_by(|one, other| one.name.cmp(&other.name));
    kept
}

impl KnownTrap {
    /// Returns true if each URL of a trap has a parameter of this filter, at a path of this filter.
    fn causes(&self, trap: &Self) -> bool {
        let names: BTreeSet<&str> = self.pattern.urls.iter().flat_map(names).collect();
        self.is_at(&trap.name) && trap.pattern.urls.iter().all(|url| self::names(url).any(|name| names.contains(name)))
    }

    /// Returns true if the path of a pattern is the path of this one, or one of the paths that it stands for.
    fn is_at(&self, pattern: &str) -> bool {
        let path = |name: &str| name.split('?').next().unwrap_or_default().to_owned();
        let (own, other) = (path(&self.name), path(pattern));
        match own.split_once('…') {
            Some((beginning, _)) => other.starts_with(beginning),
            None => own == other,
        }
    }
}

/// Returns the names of the query parameters of a URL, without page numbers: a list grows by them without a filter.
fn names(url: &PageUrl) -> impl Iterator<Item = &str> {
    let pairs = url.query().unwrap_or_default().split(['&', ';']);
    pairs.map(|pair| pair.split_once('=').map_or(pair, |(name, _)| name)).filter(|name| !names_pages(name))
}

/// Returns true if a URL has a parameter that narrows or sorts the list at its path.
fn has_learnt_filter(site: &Site, url: &PageUrl) -> bool {
    let pattern = path_pattern(url);
    let place = pattern.split_once("://").map_or(pattern.as_str(), |(_, place)| place);
    let mut at_path = site
        .parameters
        .iter()
        .filter(|parameter| place.strip_prefix(parameter.host.as_str()) == Some(parameter.pattern.as_str()));
    let filters = [ParameterRole::Narrows.as_str(), ParameterRole::Sorts.as_str()];
    let is_filter = |role: &str| filters.contains(&role);
    at_path.any(|parameter| is_filter(&parameter.role) && names(url).any(|name| name == parameter.parameter))
}
