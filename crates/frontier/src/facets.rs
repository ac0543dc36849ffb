//! Choices that a URL combines: parameters of its query, and lists in its path.

use mapwright_web::PageUrl;
use std::collections::HashSet;

/// Marks that join the choices of a list within a path segment.
const JOINTS: [char; 2] = ['+', ','];

/// Calls `each` with name and value of all choices of a URL, in its order. What a name says of places, `f[0]`, is left
/// out; the choices of a list have no name.
pub(crate) fn choices(url: &PageUrl, mut each: impl FnMut(&str, &str)) {
    if url.query().is_some() {
        for (name, value) in url.as_url().query_pairs() {
            each(base(&name), &value);
        }
    }
    url.path().split('/').filter(|segment| is_list(segment)).flat_map(|list| list.split(JOINTS)).for_each(|choice| {
        each("", choice);
    });
}

/// The name without what stands in brackets.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// Whether a path segment is several choices, joined.
pub(crate) fn is_list(segment: &str) -> bool {
    segment.contains(JOINTS)
}

/// How many choices a URL combines.
pub(crate) fn width(url: &PageUrl) -> usize {
    let mut width = 0;
    choices(url, |_, _| width += 1);
    width
}

/// Parameters from which on one that is given twice was added to the query that was there.
const MANY_PARAMETERS: usize = 3;

/// The parameter that a query of several gives twice with the same value, as pages make it that add it to their own
/// addresses.
pub(crate) fn appended(url: &PageUrl) -> Option<String> {
    let query = url.query().filter(|query| query.matches('&').count() + 1 >= MANY_PARAMETERS)?;
    let mut met = HashSet::new();
    let given = |pair: &&str| pair.split_once('=').is_some_and(|(_, value)| !value.is_empty());
    let twice = query.split('&').filter(given).find(|pair| !met.insert(*pair))?;
    twice.split_once('=').map(|(name, _)| name.to_owned())
}

/// Whether `url` gives the parameter `name` once more than the page that leads to it, which gives it too.
pub(crate) fn adds(parent: &PageUrl, url: &PageUrl, name: &str) -> bool {
    let count = |url: &PageUrl| {
        let pairs = url.query().unwrap_or_default().split('&');
        pairs.filter(|pair| pair.split_once('=').is_some_and(|(given, _)| given == name)).count()
    };
    let before = count(parent);
    before > 0 && count(url) > before && parent.path() == url.path()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::Identity;

    fn told(path: &str) -> Vec<(String, String)> {
        let url = PageUrl::parse(&format!("http://a{path}"), &Identity::default()).unwrap();
        let mut all = Vec::new();
        choices(&url, |name, value| all.push((name.to_owned(), value.to_owned())));
        assert_eq!(width(&url), all.len());
        all
    }

    #[test]
    fn a_parameter_that_comes_again_was_added() {
        let told =
            |query: &str| appended(&PageUrl::parse(&format!("http://a/x?{query}"), &Identity::default()).unwrap());
        assert_eq!(told("lang=de&lang=fr&lang=de").as_deref(), Some("lang"));
        assert_eq!(told("a=1&b=2&b=2").as_deref(), Some("b"));
        for query in ["lang=de&lang=de", "f=a&f=b&f=c", "a=&b=&a=", "a&b&a", "a=1&b=1&c=1"] {
            assert_eq!(told(query), None, "{query}");
        }
    }

    #[test]
    fn choices_are_named_without_their_places() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = [pair("f", "color:1"), pair("f", "size:2"), pair("page", "3")];
        assert_eq!(told("/s?f%5B0%5D=color:1&f[1]=size:2&page=3"), expected);
        assert_eq!(told("/tags/a+b,c/"), [pair("", "a"), pair("", "b"), pair("", "c")]);
        assert_eq!(told("/tags/a/"), []);
    }
}
