//! The kind of a crawl trap.

use crate::choices::{choices, width};
use crate::dated::{date_of, is_named_calendar};
use crate::growing::{growing_path, repeating};
use crate::identifier::identifier;
use crate::random_value::has_drawn_value;
use mapwright_web::PageUrl;
use std::collections::HashSet;

/// The kinds of crawl traps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trap {
    /// Dates that continue without end.
    Calendar,
    /// Path segments that repeat.
    Repeating,
    /// Paths that become longer, or counters without end.
    Growing,
    /// A new identifier on every link.
    Session,
    /// Combinations of filters.
    Facets,
}

/// Returns the kind of a crawl trap, from some of its URLs.
#[must_use]
pub fn trap(urls: &[PageUrl]) -> Trap {
    let most = |holds: &dyn Fn(&PageUrl) -> bool| urls.iter().filter(|url| holds(url)).count() * 2 > urls.len();
    if most(&|url| growing_path(url).is_some()) {
        return if most(&repeating) { Trap::Repeating } else { Trap::Growing };
    }
    if most(&|url| identifier(url).is_some() || has_drawn_value(url)) {
        return Trap::Session;
    }
    if most(&|url| date_of(url).is_some() || is_named_calendar(url)) {
        return Trap::Calendar;
    }
    let mut names = HashSet::new();
    urls.iter().for_each(|url| choices(url, |name, _| _ = names.insert(name.to_owned())));
    if names.len() >= 3 || most(&|url| width(url) >= 3) { Trap::Facets } else { Trap::Growing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn kind(urls: &[&str]) -> Trap {
        let read = |text: &&str| PageUrl::parse(&format!("http://a{text}"), &UrlIdentity::default()).unwrap();
        trap(&urls.iter().map(read).collect::<Vec<_>>())
    }

    #[test]
    fn kinds_of_patterns_are_distinguished() {
        assert_eq!(kind(&["/cal?month=2030-01", "/cal?month=2030-02"]), Trap::Calendar);
        assert_eq!(kind(&["/cal/2030/01/", "/cal/2030/02/"]), Trap::Calendar);
        assert_eq!(kind(&["/docs/docs/docs/docs/", "/docs/docs/docs/"]), Trap::Repeating);
        assert_eq!(kind(&["/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/"]), Trap::Growing);
        assert_eq!(kind(&["/r?sid=0f1e2d3c4b5a69788796a5b4c3d2e1f0"]), Trap::Session);
        assert_eq!(kind(&["/s?color=a&size=b&brand=c", "/s?color=b&price=b&brand=c"]), Trap::Facets);
        assert_eq!(kind(&["/list?page=1001", "/list?page=1002"]), Trap::Growing);
        assert_eq!(kind(&["/read/61/1", "/read/61/2"]), Trap::Growing);
        assert_eq!(kind(&["/calendar/2030/january", "/calendar/2030/may"]), Trap::Calendar);
        assert_eq!(kind(&["/a.do;jsessionid=0f1e2d3c4b5a69788796a5b4c3d2e1f0"]), Trap::Session);
        assert_eq!(kind(&["/s?f[0]=a:1&f[1]=b:2&f[2]=c:1", "/s?f[0]=a:2&f[1]=c:2&f[2]=b:1"]), Trap::Facets);
        assert_eq!(kind(&["/tags/a+b+c", "/tags/b+a+c+d"]), Trap::Facets);
    }
}
