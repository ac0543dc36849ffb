//! Sessions that links carry while the client has no cookie.

/// The cookie of a `Set-Cookie` value.
struct SetCookie<'v> {
    name: &'v str,
    value: &'v str,
}

impl<'v> SetCookie<'v> {
    fn of(set_cookie: &'v str) -> Option<Self> {
        let (name, value) = set_cookie.split(';').next()?.split_once('=')?;
        let (name, value) = (name.trim(), value.trim().trim_matches('"'));
        (!name.is_empty() && !value.is_empty()).then_some(Self { name, value })
    }
}

/// Fewest links of which a majority counts.
const ENOUGH: usize = 2;

/// Counts of the links of one page that carry a session.
#[derive(Default)]
struct SessionLinks {
    /// Links within the site.
    links: usize,
    /// Links with a value under the cookie's name.
    named: usize,
    /// One link has the cookie's own value.
    same: bool,
}

/// Returns the first `Set-Cookie` value whose cookie stands for a session that the links carry themselves: one of them
/// has its name and value, or most of them have its name, as a parameter of the query (`PHPSESSID=…`) or of the path
/// (`;jsessionid=…`, in any case), or most of them have a segment `(S(…))`. A cookie that the request already sent does
/// not count.
pub(crate) fn cookie_of<'v, 'h>(
    set: impl Iterator<Item = &'v str>,
    sent: &[String],
    links: impl Iterator<Item = &'h str> + Clone,
) -> Option<&'v str> {
    let is_new = |cookie: &SetCookie<'_>| !sent.iter().any(|sent| sent == cookie.name);
    let mut fresh = set.filter(|text| SetCookie::of(text).is_some_and(|cookie| is_new(&cookie)));
    fresh.find(|text| {
        let Some(cookie) = SetCookie::of(text) else { return false };
        let carried =
            links.clone().filter(|link| is_within(link)).fold(SessionLinks::default(), |mut carried, link| {
                let value = carried_by(link, cookie.name);
                carried.links += 1;
                carried.named += usize::from(value.is_some());
                carried.same |= value == Some(cookie.value);
                carried
            });
        carried.same || (carried.links >= ENOUGH && carried.named * 2 > carried.links)
    })
}

/// Reports whether a reference may lead to a page of the site itself: external links carry no session, and would
/// distort the majority.
fn is_within(link: &str) -> bool {
    let scheme = link.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'));
    !(link.is_empty() || scheme || link.starts_with('#') || link.starts_with("//"))
}

/// Returns the value that a link carries as the session of this cookie.
fn carried_by<'h>(link: &'h str, name: &str) -> Option<&'h str> {
    let link = link.split('#').next().unwrap_or(link);
    let segment = || link.split(['/', '?']).find_map(|segment| segment.strip_prefix("(S(")?.strip_suffix("))"));
    let mut pairs = link.split(['?', '&', ';']).skip(1).filter_map(|pair| pair.split_once('='));
    let named = pairs.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
    named.filter(|value| !value.is_empty()).or_else(|| segment().filter(|_| is_session_name(name)))
}

/// Reports whether a cookie's name says that it holds a session, since a path segment has no name.
fn is_session_name(name: &str) -> bool {
    name.to_ascii_lowercase().contains("sess")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'v>(set: &[&'v str], sent: &[&str], links: &[&str]) -> Option<&'v str> {
        let sent: Vec<String> = sent.iter().map(|&name| name.to_owned()).collect();
        cookie_of(set.iter().copied(), &sent, links.iter().copied())
    }

    #[test]
    fn a_session_in_links_is_recognised_by_its_name_or_value() {
        let php = "PHPSESSID=abc; path=/";
        let java = "JSESSIONID=0F1E; Path=/; HttpOnly";
        let net = "ASP.NET_SessionId=xyz; path=/; HttpOnly";
        assert_eq!(found(&["lang=en", php], &[], &["/a?PHPSESSID=def", "/b?x=1&PHPSESSID=def", "/c"]), Some(php));
        assert_eq!(found(&[php], &[], &["/a", "/b", "/c", "d.php?PHPSESSID=abc#top"]), Some(php));
        assert_eq!(found(&[java], &[], &["/a;jsessionid=0F1E?q=1", "/b", "/c"]), Some(java));
        assert_eq!(found(&[net], &[], &["/(S(lit3))/a", "/(S(lit3))/b"]), Some(net));
    }

    #[test]
    fn other_cookies_and_other_parameters_are_not_sessions() {
        assert_eq!(found(&["sid=abc"], &[], &["/results?sid=77", "/a", "/b"]), None, "of one link, another value");
        assert_eq!(found(&["trail=a"], &[], &["/a?id=a", "/(S(lit3))/b"]), None);
        assert_eq!(found(&["sid=abc"], &["sid"], &["/a?sid=abc"]), None, "the request bore it");
        assert_eq!(found(&["sid=abc"], &[], &["https://b.example/?sid=abc", "//b.example/?sid=abc"]), None);
        assert_eq!(found(&["sid=abc"], &[], &["/results?sid=77"]), None, "one link is not most");
        assert_eq!(found(&["sid=", "nonsense"], &[], &["/a?sid="]), None);
        assert_eq!(found(&[], &[], &["/a?sid=abc"]), None);
    }
}
