//! URLs that grow: by paths that repeat, lengthen or are escaped again, and by queries to which each page adds the same
//! parameter. The URL alone shows it; the other proofs are in [`crate::proof`].

use crate::choices;
use crate::shape::is_number;
use mapwright_web::PageUrl;

/// Path segments above which a path counts as growing.
const MANY_SEGMENTS: usize = 20;
/// Empty path segments from which on a path counts as growing.
const MANY_EMPTY: usize = 3;

/// A percent sign that is escaped repeatedly: each page escapes the output of the one before.
const ESCAPED_AGAIN: &str = "%25252525";

/// Returns the pattern of a URL that grows: by its path, or by what each page appends to its query, whatever the path.
pub(crate) fn growing(url: &PageUrl) -> Option<String> {
    growing_path(url).or_else(|| growing_query(url).map(|(_, name)| name))
}

/// Returns the parameter that a query repeats, and the pattern of all such URLs of the origin. Only pages that append
/// it prove growth.
pub(crate) fn growing_query(url: &PageUrl) -> Option<(String, String)> {
    let parameter = choices::appended(url)?;
    let name = format!("{}/…?{parameter}=…", url.origin());
    Some((parameter, name))
}

/// Returns the pattern of a path whose segments repeat, are too many, or are repeatedly empty; that begins with several
/// languages; or of a URL that is escaped repeatedly. All such URLs below one first segment are one pattern.
pub(crate) fn growing_path(url: &PageUrl) -> Option<String> {
    let path = url.path();
    let escaped = || url.as_str().contains('%') && url.as_str().contains(ESCAPED_AGAIN);
    // Most paths are short: three segments at least repeat, or are languages, or are empty.
    let is_short = path.bytes().filter(|byte| *byte == b'/').count() < FEWEST_SLASHES;
    if is_short && !escaped() {
        return None;
    }
    let segments = segments(path);
    let grows = segments.len() > MANY_SEGMENTS
        || empty_segments(path) >= MANY_EMPTY
        || any_repeats(&segments)
        || translates_again(&segments)
        || escaped();
    grows.then(|| format!("{}/{}/…", url.origin(), segments.first().copied().unwrap_or_default()))
}

/// Slashes below which no path grows, unless it is escaped.
const FEWEST_SLASHES: usize = 3;

/// Returns the number of empty segments of a path, beside the last.
fn empty_segments(path: &str) -> usize {
    if !path.as_bytes().windows(2).any(|two| two == b"//") {
        return 0;
    }
    path.trim_matches('/').split('/').filter(|segment| segment.is_empty()).count() + trailing(path)
}

/// Languages in a row from which on a path counts as one that adds a language to a path that has one.
const MANY_LANGUAGES: usize = 3;

/// Reports whether a path begins with several languages, one of them twice.
fn translates_again(segments: &[&str]) -> bool {
    let is_language = |segment: &&&str| segment.len() == 2 && segment.bytes().all(|b| b.is_ascii_lowercase());
    let languages = segments.iter().take_while(is_language).count();
    languages >= MANY_LANGUAGES && distinct(segments.get(..languages).unwrap_or_default()) < languages
}

/// Returns the number of slashes at the end of a path beyond the first.
fn trailing(path: &str) -> usize {
    (path.len() - path.trim_end_matches('/').len()).saturating_sub(1)
}

/// Reports whether the segments of a path repeat three times in a row, or are few and occur repeatedly.
pub(crate) fn repeating(url: &PageUrl) -> bool {
    any_repeats(&segments(url.path()))
}

fn any_repeats(segments: &[&str]) -> bool {
    let mixed = segments.len() >= SOME_SEGMENTS && distinct(segments) * 3 <= segments.len();
    mixed || (1..=MAX_RUN).any(|run| repeats(segments, run))
}

/// Returns the number of distinct segments. Lists of segments are short, so each is compared with those before it.
fn distinct(segments: &[&str]) -> usize {
    let is_new = |(at, segment): &(usize, &&str)| !segments.iter().take(*at).any(|before| before == *segment);
    segments.iter().enumerate().filter(is_new).count()
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Path segments from which on a path with at most a third of them distinct counts as repeating.
const SOME_SEGMENTS: usize = 9;
/// Highest number of segments that repeat together.
const MAX_RUN: usize = 3;

/// Reports whether `run` segments occur three times in a row. Numbers do not count: dates and versions repeat them.
fn repeats(segments: &[&str], run: usize) -> bool {
    segments.windows(3 * run).any(|window| {
        let next = window.iter().skip(run);
        window.iter().zip(next).all(|(one, next)| one == next) && window.iter().take(run).any(|s| !is_number(s))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a{path}"), &UrlIdentity::default()).unwrap()
    }

    #[test]
    fn ever_more_slashes_and_ever_more_escapes_grow() {
        assert_eq!(growing(&url("/e/%252525252525")).as_deref(), Some("http://a/e/…"));
        assert_eq!(growing(&url("/login?next=%2525252525252F")).as_deref(), Some("http://a/login/…"));
        assert_eq!(growing(&url("/d////x")).as_deref(), Some("http://a/d/…"));
        assert_eq!(growing(&url("/d////")).as_deref(), Some("http://a/d/…"));
        assert_eq!(growing(&url("/de/en/de/h/1")).as_deref(), Some("http://a/de/…"));
        for path in [
            "/",
            "/d//x",
            "/web/http://b//c",
            "/a/b/c/d/e/f/",
            "/de/en/fr/h/1",
            "/de/de/h/1",
            "/login?next=%252Fa%2525",
        ] {
            assert_eq!(growing(&url(path)), None, "{path}");
        }
    }
}
