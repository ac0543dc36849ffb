//! What kind of trap a pattern without end is.

use crate::pattern::{growing, is_number, looks_random, repeating, shape};
use mapwright_web::PageUrl;
use std::collections::HashSet;

/// Kinds of patterns without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trap {
    /// Dates, one after another.
    Calendar,
    /// Path segments that repeat.
    Repeating,
    /// Paths that become longer, or counters that go on.
    Growing,
    /// A new identifier on every link.
    Session,
    /// Combinations of filters.
    Facets,
}

/// Names of parameters that belong to calendars.
const DATE_NAMES: [&str; 8] = ["year", "month", "day", "date", "week", "cal", "from", "start"];

/// The pattern that a URL belongs to; `None` where nothing of it varies.
#[must_use]
pub fn pattern(url: &PageUrl) -> Option<String> {
    growing(url).or_else(|| shape(url))
}

/// The kind of a pattern, by some of its URLs.
#[must_use]
pub fn trap(urls: &[PageUrl]) -> Trap {
    let most = |holds: &dyn Fn(&PageUrl) -> bool| urls.iter().filter(|url| holds(url)).count() * 2 > urls.len();
    if most(&|url| growing(url).is_some()) {
        return if most(&repeating) { Trap::Repeating } else { Trap::Growing };
    }
    if most(&|url| url.as_url().query_pairs().any(|(_, value)| looks_random(&value))) {
        return Trap::Session;
    }
    if most(&has_date) {
        return Trap::Calendar;
    }
    let pairs: Vec<_> = urls.iter().flat_map(|url| url.as_url().query_pairs()).collect();
    let names: HashSet<_> = pairs.iter().map(|(name, _)| name).collect();
    if names.len() >= 3 { Trap::Facets } else { Trap::Growing }
}

/// A date in the query, or a path of a year and more numbers.
fn has_date(url: &PageUrl) -> bool {
    let in_query = url.as_url().query_pairs().any(|(name, value)| {
        let name = name.to_ascii_lowercase();
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let plain = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/' | b'.'));
        plain && (digits >= 6 || (digits > 0 && DATE_NAMES.contains(&name.as_str())))
    });
    let numbers: Vec<&str> = url.path().split('/').filter(|segment| is_number(segment)).collect();
    in_query || numbers.len() > 1 || numbers.iter().any(|number| number.contains('-') && number.len() >= 6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::Identity;

    fn kind(urls: &[&str]) -> Trap {
        let read = |text: &&str| PageUrl::parse(&format!("http://a{text}"), &Identity::default()).unwrap();
        trap(&urls.iter().map(read).collect::<Vec<_>>())
    }

    #[test]
    fn patterns_are_told_apart() {
        assert_eq!(kind(&["/cal?month=2030-01", "/cal?month=2030-02"]), Trap::Calendar);
        assert_eq!(kind(&["/cal/2030/01/", "/cal/2030/02/"]), Trap::Calendar);
        assert_eq!(kind(&["/docs/docs/docs/docs/", "/docs/docs/docs/"]), Trap::Repeating);
        assert_eq!(kind(&["/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/"]), Trap::Growing);
        assert_eq!(kind(&["/r?sid=0f1e2d3c4b5a69788796a5b4c3d2e1f0"]), Trap::Session);
        assert_eq!(kind(&["/s?color=a&size=b&brand=c", "/s?color=b&price=b&brand=c"]), Trap::Facets);
        assert_eq!(kind(&["/list?page=1001", "/list?page=1002"]), Trap::Growing);
    }
}
