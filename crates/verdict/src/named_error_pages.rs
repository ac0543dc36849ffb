//! Error pages that name the requested URL: "/old was not found". They differ from URL to URL by that name alone.

use mapwright_web::origin_of;

/// The most times that an error page names the requested URL.
const MAX_NAMED: i64 = 3;

/// The URL, title and text length of a response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedResponse<'a> {
    pub(crate) url: &'a str,
    pub(crate) title: &'a str,
    /// Bytes of visible text.
    pub(crate) text_bytes: u32,
}

/// Reports whether the titles and text lengths of two responses differ only by the name of the requested URL: its path,
/// or the last segment of it.
pub(crate) fn differ_only_by_url(one: &NamedResponse<'_>, other: &NamedResponse<'_>) -> bool {
    let length = i64::from(one.text_bytes) - i64::from(other.text_bytes);
    [path, last_part].into_iter().any(|name| {
        let names = (name(one.url), name(other.url));
        let named = names.0.len().cast_signed() - names.1.len().cast_signed();
        let same_title = unnamed(one.title, names.0) == unnamed(other.title, names.1);
        same_title && (1..=MAX_NAMED).any(|times| length == times * named as i64)
    })
}

/// A title without the name of the requested URL.
fn unnamed(title: &str, name: &str) -> String {
    if name.len() > 1 { title.replace(name, "") } else { title.to_owned() }
}

/// The path of a URL, with the query.
fn path(url: &str) -> &str {
    url.strip_prefix(origin_of(url)).unwrap_or(url)
}

/// The last segment of the path that is not empty, with the query.
fn last_part(url: &str) -> &str {
    let path = path(url);
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken<'a>(url: &'a str, title: &'a str, text: &str) -> NamedResponse<'a> {
        NamedResponse { url, title, text_bytes: u32::try_from(text.len()).unwrap() }
    }

    const PROBE: &str = "http://example.com/shop/cannot-exist-4711";
    const PAGE: &str = "http://example.com/shop/ghost";

    #[test]
    fn answers_that_name_the_url_are_the_same() {
        for (title, text) in [
            ("Lost", "PATH is not here."),
            ("Lost", "No LAST, no LAST?"),
            ("LAST: not found", "LAST: not found. Is LAST spelled well? Look for LAST."),
            ("404 PATH", "There is no http://example.comPATH on this server."),
        ] {
            let of = |text: &str, url: &str| text.replace("PATH", path(url)).replace("LAST", last_part(url));
            let (first, second) = (of(title, PAGE), of(title, PROBE));
            let page = spoken(PAGE, &first, &of(text, PAGE));
            let probe = spoken(PROBE, &second, &of(text, PROBE));
            assert!(differ_only_by_url(&page, &probe) && differ_only_by_url(&probe, &page), "{title} {text}");
        }
    }

    #[test]
    fn answers_that_differ_by_more_than_the_name_are_not_the_same() {
        let probe = spoken(PROBE, "Lost", "/shop/cannot-exist-4711 is not here.");
        for (title, text) in [("Lost", "Open from nine."), ("Ghosts", "/shop/ghost is not here."), ("", "")] {
            assert!(!differ_only_by_url(&spoken(PAGE, title, text), &probe), "{title} {text}");
        }
    }
}
