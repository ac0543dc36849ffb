//! Variants that an audit requests all the same: what they declare by now decides whether they waste requests.

use mapwright_traps::{Parameter, parameters, path_pattern};
use mapwright_web::{PageUrl, UrlKey};
use std::collections::{HashMap, HashSet};

/// Variants of one pattern with the same parameters that are requested.
const VARIANTS: u8 = 2;
/// Patterns with their parameters that are told apart, at most; variants of those met later are not requested.
const MAX_FAMILIES: usize = 10_000;

/// The variants that an audit requests.
#[derive(Debug)]
pub(crate) struct Checked {
    audits: bool,
    families: HashMap<String, u8>,
    taken: HashSet<UrlKey>,
}

impl Checked {
    /// None, unless this is an audit (`audits`).
    pub(crate) fn new(audits: bool) -> Self {
        Self { audits, families: HashMap::new(), taken: HashSet::new() }
    }

    /// Whether a variant is one that is requested: the first ones of its pattern with its parameters.
    pub(crate) fn takes(&mut self, key: UrlKey, url: &PageUrl) -> bool {
        if !self.audits || self.taken.contains(&key) {
            return self.audits;
        }
        let family = family(url);
        if self.families.len() >= MAX_FAMILIES && !self.families.contains_key(&family) {
            return false;
        }
        let count = self.families.entry(family).or_default();
        let takes = *count < VARIANTS;
        if takes {
            *count += 1;
            self.taken.insert(key);
        }
        takes
    }
}

/// The pattern of a URL, with its parameters whatever their values.
fn family(url: &PageUrl) -> String {
    let labels: Vec<String> = parameters(url).iter().map(Parameter::label).collect();
    format!("{}?{}", path_pattern(url), labels.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::{Identity, KeyMaker};

    fn taken(checked: &mut Checked, path: &str) -> bool {
        let url = PageUrl::parse(&format!("http://a.example{path}"), &Identity::default()).unwrap();
        checked.takes(KeyMaker::new(0, 0).key(&url), &url)
    }

    #[test]
    fn an_audit_takes_the_first_variants_of_each_family_time_and_again() {
        let mut checked = Checked::new(true);
        let paths = [
            "/lamps?sort=a",
            "/chairs?sort=b",
            "/lamps?sort=c",
            "/lamps?sort=a",
            "/lamps?dir=a",
            "/lamps?dir=a&sort=a",
        ];
        assert_eq!(paths.map(|path| taken(&mut checked, path)), [true, true, false, true, true, true]);
    }

    #[test]
    fn a_crawl_takes_none() {
        assert!(!taken(&mut Checked::new(false), "/lamps?sort=a"));
    }
}
