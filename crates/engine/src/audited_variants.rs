//! Parameter variants that an audit requests: their declarations, such as a canonical, decide whether they waste
//! requests.

use mapwright_traps::{Parameter, parameters, path_pattern};
use mapwright_web::{PageUrl, UrlKey};
use std::collections::{HashMap, HashSet};

/// Number of variants of one pattern with the same parameters that are requested.
const VARIANTS: u8 = 2;
/// Highest number of patterns with parameters that are distinguished; later variants are not requested.
const MAX_FAMILIES: usize = 10_000;

/// The variants that an audit requests.
#[derive(Debug)]
pub(crate) struct AuditedVariants {
    audits: bool,
    families: HashMap<String, u8>,
    taken: HashSet<UrlKey>,
}

impl AuditedVariants {
    /// Returns the set for an audit (`audits`), or one that takes nothing.
    pub(crate) fn new(audits: bool) -> Self {
        Self { audits, families: HashMap::new(), taken: HashSet::new() }
    }

    /// Reports whether a variant is requested: the first ones of its pattern with its parameters are.
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

/// Returns the pattern of a URL, with its parameters whatever their values.
fn family(url: &PageUrl) -> String {
    let labels: Vec<String> = parameters(url).iter().map(Parameter::label).collect();
    format!("{}?{}", path_pattern(url), labels.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::{KeyMaker, UrlIdentity};

    fn taken(checked: &mut AuditedVariants, path: &str) -> bool {
        let url = PageUrl::parse(&format!("http://a.example{path}"), &UrlIdentity::default()).unwrap();
        checked.takes(KeyMaker::new(0, 0).key(&url), &url)
    }

    #[test]
    fn an_audit_takes_the_first_variants_of_each_family_repeatedly() {
        let mut checked = AuditedVariants::new(true);
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
        assert!(!taken(&mut AuditedVariants::new(false), "/lamps?sort=a"));
    }
}
