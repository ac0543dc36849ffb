//! Choices that a URL combines: parameters of its query, and lists in its path.

use mapwright_web::PageUrl;

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
    fn choices_are_named_without_their_places() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = [pair("f", "color:1"), pair("f", "size:2"), pair("page", "3")];
        assert_eq!(told("/s?f%5B0%5D=color:1&f[1]=size:2&page=3"), expected);
        assert_eq!(told("/tags/a+b,c/"), [pair("", "a"), pair("", "b"), pair("", "c")]);
        assert_eq!(told("/tags/a/"), []);
    }
}
