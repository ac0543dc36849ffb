//! Groups pages by path, and by the values of their parameters.

use super::pages::{Page, Pages};
use super::text::boilerplate;
use crate::error::StoreError;
use mapwright_traps::{Parameter, ParameterPosition, parameters};
use mapwright_verdict::content::BlockHash;
use mapwright_web::{PageUrl, origin_of};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The most pages with one value of a parameter that are searched for shared blocks.
const MAX_ALIKE: usize = 20;

/// Pages by path, and by the values of their parameters.
pub(super) struct Groups<'p> {
    /// All pages at the paths that pages with parameters have.
    by_path: HashMap<&'p str, Vec<&'p Page>>,
    by_value: HashMap<(&'p str, String), Vec<&'p Page>>,
    plain: HashMap<&'p str, Vec<&'p Page>>,
    /// The blocks on most pages of the site.
    pub(super) boilerplate: Rc<HashSet<BlockHash>>,
}

/// The most pages that are remembered for one value, and as pages without parameters.
const MAX_REMEMBERED: usize = 4 * MAX_ALIKE;

impl<'p> Groups<'p> {
    pub(super) fn of(pages: &'p Pages<'_>) -> Result<Self, StoreError> {
        let with_parameters = || pages.open().filter(|page| page.has_parameters);
        let mut by_path: HashMap<&str, Vec<&Page>> =
            with_parameters().map(|page| (without_query(&page.url), Vec::new())).collect();
        let (mut by_value, mut plain) = (HashMap::new(), HashMap::new());
        if by_path.is_empty() {
            return Ok(Self { by_path, by_value, plain, boilerplate: Rc::default() });
        }
        for page in pages.open() {
            let origin = origin_of(page.url.as_str());
            let own = if page.has_parameters { parameters(&page.url) } else { Vec::new() };
            if own.is_empty() {
                remember(plain.entry(origin).or_default(), page);
            }
            for parameter in &own {
                remember(by_value.entry((origin, assignment(&page.url, parameter))).or_default(), page);
            }
            by_path.entry(without_query(&page.url)).and_modify(|pages| pages.push(page));
        }
        Ok(Self { by_path, by_value, plain, boilerplate: boilerplate(pages)? })
    }

    /// Other pages of the site with the same values of these parameters.
    pub(super) fn with_values(&self, page: &Page, wanted: &[Parameter]) -> Vec<&'p Page> {
        let Some(first) = wanted.first() else { return Vec::new() };
        let own = values(&page.url, wanted);
        let key = (origin_of(page.url.as_str()), assignment(&page.url, first));
        let like = self.by_value.get(&key).into_iter().flatten().copied();
        like.filter(|other| other.url.path() != page.url.path() && values(&other.url, wanted) == own)
            .take(MAX_ALIKE)
            .collect()
    }

    /// Other pages of the site without parameters.
    pub(super) fn without(&self, page: &Page) -> Vec<&'p Page> {
        let plain = self.plain.get(origin_of(page.url.as_str())).into_iter().flatten().copied();
        plain.filter(|other| other.url.path() != page.url.path()).take(MAX_ALIKE).collect()
    }

    /// The further pages of the list at the path of a page: those without parameters, or with a number as the only
    /// parameter.
    pub(super) fn series<'g>(&'g self, page: &'g Page) -> impl Iterator<Item = &'p Page> + 'g {
        let is_numbered = |other: &Page| match parameters(&other.url).as_slice() {
            [] => true,
            [one] => value(&other.url, one).is_some_and(|value| value.bytes().all(|byte| byte.is_ascii_digit())),
            _ => false,
        };
        let at_path = self.by_path.get(without_query(&page.url)).into_iter().flatten().copied();
        at_path.filter(move |other| other.node != page.node && is_numbered(other))
    }
}

fn remember<'p>(group: &mut Vec<&'p Page>, page: &'p Page) {
    if group.len() < MAX_REMEMBERED {
        group.push(page);
    }
}

/// The text of a URL up to its query.
fn without_query(url: &PageUrl) -> &str {
    url.as_str().split('?').next().unwrap_or_default()
}

/// A parameter and its value.
fn assignment(url: &PageUrl, parameter: &Parameter) -> String {
    format!("{}={}", parameter.label(), value(url, parameter).unwrap_or_default())
}

fn values<'u>(url: &'u PageUrl, wanted: &[Parameter]) -> Vec<Option<&'u str>> {
    wanted.iter().map(|one| value(url, one)).collect()
}

fn value<'u>(url: &'u PageUrl, parameter: &Parameter) -> Option<&'u str> {
    let text = match parameter.place {
        ParameterPosition::Query => url.query()?,
        ParameterPosition::Matrix => url.path(),
        ParameterPosition::Segment => return None,
    };
    let mut pairs = text.split(['&', ';', '/']);
    pairs.find_map(|pair| pair.strip_prefix(parameter.name.as_str())?.strip_prefix('='))
}
