//! The URLs of one pattern that were not requested, because it is a crawl trap.

use crate::finding::{Finding, SAMPLE};
use crate::site::UrlNo;
use mapwright_text::counted_in_groups as counted;
use mapwright_web::PageUrl;

/// The most URLs of a pattern that are read to find the kind of its trap.
pub(super) const LOOKED_AT: usize = 2_000;

/// The URLs of one pattern.
#[derive(Default)]
pub(super) struct TrappedPattern {
    pub(super) urls: Vec<PageUrl>,
    pub(super) numbers: Vec<UrlNo>,
    pub(super) entrances: Vec<UrlNo>,
    pub(super) refused: usize,
    /// The number of other patterns that the same cause makes, whose URLs are among these.
    others: usize,
}

impl TrappedPattern {
    /// Adds a URL that was not requested.
    pub(super) fn refuse(&mut self, url: UrlNo, text: PageUrl, found_on: Option<UrlNo>) {
        self.refused += 1;
        if self.urls.len() < LOOKED_AT {
            self.urls.push(text);
            self.numbers.push(url);
        }
        self.entrances.extend(found_on);
    }

    /// Adds the URLs of a pattern that this one includes.
    pub(super) fn extend(&mut self, pattern: Self) {
        self.refused += pattern.refused;
        self.urls.extend(pattern.urls);
        self.numbers.extend(pattern.numbers);
        self.entrances.extend(pattern.entrances);
    }

    /// Adds the URLs of another pattern, which the same cause makes.
    pub(super) fn merge(&mut self, other: Self) {
        self.others += 1 + other.others;
        self.extend(other);
    }

    /// Adds its evidence to a finding about it.
    pub(super) fn evidence(self, finding: Finding, name: &str) -> Finding {
        let were = if self.refused == 1 { "was" } else { "were" };
        let others = match self.others {
            0 => String::new(),
            others => format!(" and {} with the same parameters", counted(others as u64, "other")),
        };
        let urls = counted(self.refused as u64, "URL");
        let message = format!("{urls} beyond the budget of the pattern {name}{others} {were} not requested.");
        let finding = finding.says(message).affecting(self.refused as u64);
        finding.shown_by(self.numbers.into_iter().take(SAMPLE)).entered_from(self.entrances)
    }
}
