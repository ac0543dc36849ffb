//! Dates in a URL: a year and a month, and perhaps a day, in any notation.

use mapwright_web::PageUrl;
use mapwright_web::date::month_by_name;
use std::ops::Range;

/// A year and a month of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dated {
    /// The year, 1000 to 9999.
    pub(crate) year: u16,
    /// The month, 1 to 12; for a week, the approximate month of that week.
    pub(crate) month: u8,
}

/// A date found in a text.
struct Found {
    date: Dated,
    /// Place of the date, including a day before or after it.
    place: Range<usize>,
    /// Written without separators, as a plain number may be.
    compact: bool,
}

/// Separators between the parts of a date.
const SEPARATORS: [u8; 4] = *b"/-_.";

/// Returns the date in a URL's path, or else in its query.
pub(crate) fn date_of(url: &PageUrl) -> Option<Dated> {
    find(url.path()).map(|found| found.date).or_else(|| in_query(url))
}

/// Returns `path` with its first date, `2024/01`, `2024-01-15`, `january_2024`, replaced by `N`.
pub(crate) fn fold(path: &str) -> Option<String> {
    let found = find(path).filter(|found| !found.compact)?;
    without(path, found.place)
}

/// Returns `path` with its first two adjacent numbers, `3021/13`, replaced by `N` as a date would be; `None` where they
/// are a date, or a date is elsewhere.
pub(crate) fn fold_dateless(path: &str) -> Option<String> {
    let digits = |at: &[u8]| matches!(at, [a, _, b] if a.is_ascii_digit() && b.is_ascii_digit());
    let parted = |at: &[u8]| at.get(1).is_some_and(|mark| SEPARATORS.contains(mark));
    if !path.as_bytes().windows(3).any(|at| digits(at) && parted(at)) || find(path).is_some() {
        return None;
    }
    let tokens = tokens(path);
    let number = |at: usize| tokens.get(at).filter(|(_, text)| is_plain(text));
    let at = (0..tokens.len()).find(|at| number(*at).is_some() && number(at + 1).is_some())?;
    let last = day(&tokens, at + 2).or(number(at + 1))?;
    without(path, span(number(at)?, last))
}

/// Returns `path` with the text at `place` replaced by `N`.
fn without(path: &str, place: Range<usize>) -> Option<String> {
    let (before, after) = (path.get(..place.start)?, path.get(place.end..)?);
    Some(format!("{before}N{after}"))
}

/// Finds the first date in a text.
fn find(text: &str) -> Option<Found> {
    if !text.as_bytes().windows(4).any(|four| four.iter().all(u8::is_ascii_digit)) {
        return None;
    }
    let tokens = tokens(text);
    (0..tokens.len()).find_map(|at| date_at(&tokens, at).or_else(|| compact(tokens.get(at)?)))
}

/// A part of a text without separators, and its start.
type Token<'t> = (usize, &'t str);

/// Number of tokens of most URLs.
const USUAL_TOKENS: usize = 16;

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut begins = 0;
    let place = |token: &[u8]| {
        let at = begins;
        begins += token.len() + 1;
        Some((at, text.get(at..at + token.len())?))
    };
    let mut tokens = Vec::with_capacity(USUAL_TOKENS);
    tokens.extend(text.as_bytes().split(|byte| SEPARATORS.contains(byte)).filter_map(place));
    tokens
}

/// Reads a year and a month, or a month and a year, from the token `at` on, with the day next to the month.
fn date_at(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let (first, second) = (tokens.get(at)?, tokens.get(at + 1)?);
    let found = |year, month, from, to| Found { date: Dated { year, month }, place: span(from, to), compact: false };
    // Few tokens are years, so that test comes first.
    if let Some(year) = year(first.1)
        && let Some(month) = month(second.1)
    {
        return Some(found(year, month, first, day(tokens, at + 2).unwrap_or(second)));
    }
    let (year, month) = (year(second.1)?, month(first.1)?);
    let day = at.checked_sub(1).and_then(|at| day(tokens, at));
    Some(found(year, month, day.unwrap_or(first), second))
}

/// Returns the token `at`, if it may be a day.
fn day<'a, 't>(tokens: &'a [Token<'t>], at: usize) -> Option<&'a Token<'t>> {
    tokens.get(at).filter(|(_, text)| number(text, 2, 1..=31).is_some())
}

/// Returns the range from the first token to the end of the last.
fn span(first: &Token<'_>, last: &Token<'_>) -> Range<usize> {
    first.0..last.0 + last.1.len()
}

/// Reads `YYYYMM` or `YYYYMMDD`, for years from 1900 to 2299: any other such number is more likely plain.
fn compact((start, text): &Token<'_>) -> Option<Found> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    let year = number(year, 4, 1900..=2299).filter(|_| day.is_empty() || number(day, 2, 1..=31).is_some())?;
    let month = number(month, 2, 1..=12)? as u8;
    Some(Found { date: Dated { year, month }, place: *start..start + text.len(), compact: true })
}

fn year(token: &str) -> Option<u16> {
    number(token, 4, 1000..=9999)
}

/// Reads a month by number or English name, or a week of ISO 8601 (`W03`).
fn month(token: &str) -> Option<u8> {
    if let Some(week) = token.strip_prefix(['w', 'W']) {
        return number(week, 2, 1..=53).map(|week| ((week - 1) * 12 / 53 + 1) as u8);
    }
    number(token, 2, 1..=12).map(|month| month as u8).or_else(|| month_by_name(token))
}

/// Reads a plain number of at most `digits` digits, within bounds.
fn number(token: &str, digits: usize, bounds: std::ops::RangeInclusive<u16>) -> Option<u16> {
    let plain = token.len() <= digits && is_plain(token);
    if plain { token.parse().ok().filter(|number| bounds.contains(number)) } else { None }
}

fn is_plain(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit())
}

/// Finds a date in one value of the query, or a year and a month in two.
fn in_query(url: &PageUrl) -> Option<Dated> {
    let (mut in_year, mut in_month) = (None, None);
    for (name, value) in url.as_url().query_pairs() {
        if let Some(found) = find(&value) {
            return Some(found.date);
        }
        match &*name.to_ascii_lowercase() {
            "y" | "year" => in_year = year(&value),
            "m" | "mon" | "month" => in_month = month(&value),
            _ => {}
        }
    }
    Some(Dated { year: in_year?, month: in_month? })
}

/// Parameters that name dates, whatever their values.
const DATE_NAMES: [&str; 7] = ["year", "month", "day", "date", "week", "cal", "calendar"];
/// Names of folders and scripts that are calendars.
const CALENDARS: [&str; 6] = ["cal", "calendar", "calendrier", "kalender", "calendario", "agenda"];

/// Reports whether a part of the path, or a parameter, names a calendar.
pub(crate) fn is_named_calendar(url: &PageUrl) -> bool {
    let listed = |names: &[&str], name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    tokens(url.path()).iter().any(|(_, token)| listed(&CALENDARS, token))
        || url
            .as_url()
            .query_pairs()
            .any(|(name, value)| listed(&DATE_NAMES, &name) && value.bytes().any(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn date(path: &str) -> Option<(u16, u8)> {
        let url = PageUrl::parse(&format!("http://a{path}"), &UrlIdentity::default()).unwrap();
        date_of(&url).map(|date| (date.year, date.month))
    }

    #[test]
    fn dates_are_known_however_they_are_written() {
        let january = [
            "/2024/01/",
            "/c/2024/1/15",
            "/2024-01.html",
            "/2024_01/",
            "/month-2024-01/",
            "/2024.01",
            "/c/202401/",
            "/20240115",
            "/2024/january",
            "/jan-2024/",
            "/15.01.2024",
            "/c/2024-W03",
            "/c?date=2024-01-15",
            "/c?y=2024&m=1",
            "/c?d=20240101",
            "/c?month=January&year=2024",
        ];
        for path in january {
            assert_eq!(date(path), Some((2024, 1)), "{path}");
        }
    }

    #[test]
    fn plain_numbers_are_not_dates() {
        for path in
            ["/", "/p/2024", "/p/2024/13", "/p/20241301", "/p/123456789", "/p/301305", "/c?page=2024", "/2024/ma/"]
        {
            assert_eq!(date(path), None, "{path}");
        }
    }

    #[test]
    fn a_date_folds_to_one_mark() {
        let cases = [
            ("/cal/2024/01/", "/cal/N/"),
            ("/cal/2024/01/15/", "/cal/N/"),
            ("/cal/2024-01-15.html", "/cal/N.html"),
            ("/cal/month-2024-01/", "/cal/month-N/"),
            ("/15-01-2024/list", "/N/list"),
            ("/2013/05/14/some-title", "/N/some-title"),
            ("/2013/05/14/12345", "/N/12345"),
        ];
        for (path, folded) in cases {
            assert_eq!(fold(path).as_deref(), Some(folded), "{path}");
        }
        assert_eq!(fold("/item-203001.html"), None, "a plain numbered name");
    }

    #[test]
    fn numbers_that_are_no_date_fold_as_one_would() {
        let cases = [
            ("/gallery/3021/13", "/gallery/N"),
            ("/gallery/17/3/", "/gallery/N/"),
            ("/gallery/3021/13/5/", "/gallery/N/"),
            ("/gallery/3021-13.html", "/gallery/N.html"),
        ];
        for (path, folded) in cases {
            assert_eq!(fold_dateless(path).as_deref(), Some(folded), "{path}");
        }
        for path in ["/", "/gallery/3021/12", "/gallery/3021", "/2013/05/14/7/8", "/a-1/b-2"] {
            assert_eq!(fold_dateless(path), None, "{path}");
        }
    }
}
