//! Converts a listed URL of the record into an entry of the sitemap.

use mapwright_sitemap::{ChangeFreq, Entry};
use mapwright_store::Listed;

/// The optional elements of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extras {
    /// `lastmod`, for pages whose date is known, and in the index for the parts.
    pub lastmod: bool,
    /// `changefreq`, from the changes seen between runs.
    pub changefreq: bool,
    /// `priority`, from click depth and links.
    pub priority: bool,
}

impl Default for Extras {
    fn default() -> Self {
        Self { lastmod: true, changefreq: false, priority: false }
    }
}

/// The entry of a listed URL.
pub(crate) fn entry(listed: &Listed, extras: Extras) -> Entry {
    Entry {
        lastmod: listed.lastmod.as_deref().filter(|_| extras.lastmod).and_then(|text| text.parse().ok()),
        changefreq: if extras.changefreq { listed.changes_every.map(frequency) } else { None },
        priority: if extras.priority { Some(priority(listed)) } else { None },
        ..Entry::new(&listed.url)
    }
}

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// The `changefreq` for a mean time between changes, in milliseconds.
fn frequency(every: u64) -> ChangeFreq {
    match every {
        0..HOUR => ChangeFreq::Always,
        HOUR..DAY => ChangeFreq::Hourly,
        _ if every < 7 * DAY => ChangeFreq::Daily,
        _ if every < 30 * DAY => ChangeFreq::Weekly,
        _ if every < 365 * DAY => ChangeFreq::Monthly,
        _ => ChangeFreq::Yearly,
    }
}

/// 1.0 for the start page, 0.2 less for each click, 0.1 more for a page with ten inlinks; never 0.
fn priority(listed: &Listed) -> f32 {
    let clicks = listed.depth.unwrap_or(5).min(5);
    let by_depth = 1.0 - 0.2 * clicks as f32;
    let by_links = if listed.inlinks >= 10 { 0.1 } else { 0.0 };
    (by_depth + by_links).clamp(0.1, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(depth: Option<u32>, inlinks: u32) -> Listed {
        Listed { url: "https://a.example/".to_owned(), lastmod: None, depth, inlinks, changes_every: Some(DAY) }
    }

    #[test]
    fn frequency_and_priority_are_written_only_if_requested() {
        let plain = entry(&listed(Some(0), 1), Extras::default());
        assert_eq!((plain.changefreq, plain.priority), (None, None));
        let full = entry(&listed(Some(0), 1), Extras { changefreq: true, priority: true, ..Extras::default() });
        assert_eq!((full.changefreq, full.priority), (Some(ChangeFreq::Daily), Some(1.0)));
    }

    #[test]
    fn priority_falls_with_clicks_and_never_to_nought() {
        assert!(priority(&listed(Some(1), 1)) > priority(&listed(Some(2), 1)));
        assert!(priority(&listed(Some(2), 20)) > priority(&listed(Some(2), 1)));
        assert!(priority(&listed(None, 0)) >= 0.1);
    }
}
