//! The filter choices that a URL combines: parameters of its query, and lists in its path.

use mapwright_web::PageUrl;
use std::collections::HashSet;

/// Separators of the choices of a list in a path segment.
const JOINTS: [char; 2] = ['+', ','];

/// Calls `each` with the name and value of each choice of a URL, in order. An index in a name, as in `f[0]`, is left
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

/// Returns the name without the part in brackets.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// Reports whether a path segment, or one of a path, is a list of choices.
pub(crate) fn is_list(segment: &str) -> bool {
    segment.bytes().any(|byte| JOINTS.contains(&char::from(byte)))
}

/// Returns the number of choices that a URL combines.
pub(crate) fn width(url: &PageUrl) -> usize {
    let mut width = 0;
    choices(url, |_, _| width += 1);
    width
}

/// Number of parameters from which on a repeated one counts as appended to an earlier query.
const MANY_PARAMETERS: usize = 3;

/// Returns the parameter that a query of several gives twice with the same value, as pages do that append it to their
/// own address.
pub(crate) fn appended(url: &PageUrl) -> Option<String> {
    let query = url.query().filter(|query| query.matches('&').count() + 1 >= MANY_PARAMETERS)?;
    let mut met = HashSet::new();
    let given = |pair: &&str| pair.split_once('=').is_some_and(|(_, value)| !value.is_empty());
    let twice = query.split('&').filter(given).find(|pair| !met.insert(*pair))?;
    twice.split_once('=').map(|(name, _)| name.to_owned())
}

/// Reports whether `url` has the parameter `name` more often than the page that links to it, which has it too.
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
    use mapwright_web::UrlIdentity;

    fn reported(path: &str) -> Vec<(String, String)> {
        let url = PageUrl::parse(&format!("http://a{path}"), &UrlIdentity::default()).unwrap();
        let mut all = Vec::new();
        choices(&url, |name, value| all.push((name.to_owned(), value.to_owned())));
        assert_eq!(width(&url), all.len());
        all
    }

    #[test]
    fn a_repeated_parameter_was_appended() {
        let reported =
            |query: &str| appended(&PageUrl::parse(&format!("http://a/x?{query}"), &UrlIdentity::default()).unwrap());
        assert_eq!(reported("lang=de&lang=fr&lang=de").as_deref(), Some("lang"));
        assert_eq!(reported("a=1&b=2&b=2").as_deref(), Some("b"));
        for query in ["lang=de&lang=de", "f=a&f=b&f=c", "a=&b=&a=", "a&b&a", "a=1&b=1&c=1"] {
            assert_eq!(reported(query), None, "{query}");
        }
    }

    #[test]
    fn choices_are_named_without_their_indexes() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = [pair("f", "color:1"), pair("f", "size:2"), pair("page", "3")];
        assert_eq!(reported("/s?f%5B0%5D=color:1&f[1]=size:2&page=3"), expected);
        assert_eq!(reported("/tags/a+b,c/"), [pair("", "a"), pair("", "b"), pair("", "c")]);
        assert_eq!(reported("/tags/a/"), []);
    }
}
