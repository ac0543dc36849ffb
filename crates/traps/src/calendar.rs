//! Calendars: the dates in the URLs of a shape, and the test that they continue beyond the years in which a site has
//! pages.

use crate::dated;
use crate::proof_limits::ProofLimits;
use mapwright_web::PageUrl;
use std::collections::BTreeSet;

/// Years ahead in which a site may well have pages.
const YEARS_AHEAD: u16 = 2;
/// Years that the pages of a site may span.
const SPAN: u16 = 150;
/// Highest number of years between a calendar page and its links: its pages link to the decade around them.
const STEP: u16 = 10;

/// The dates in the URLs of a shape.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    months: [u64; 12],
    all: Years,
    /// Years further ahead than sites have pages.
    far: Years,
    /// URLs with such years.
    urls_far: u64,
    /// URLs with other numbers in the place of the date.
    dateless: u64,
}

/// Years, and the way in which they were found.
#[derive(Debug, Default)]
struct Years {
    known: BTreeSet<u16>,
    /// Years first found on a page of the shape with a year near them.
    carried: u64,
}

impl Dates {
    /// Adds the date of `url`, which was found on `before`, a page of the same shape, if there is one.
    pub(crate) fn learn(&mut self, url: &PageUrl, before: Option<&PageUrl>, measure: ProofLimits) {
        let Some(date) = dated::date_of(url) else { return };
        if let Some(month) = self.months.get_mut(usize::from(date.month) - 1) {
            *month += 1;
        }
        let far = date.year > Self::last_of_present(measure);
        self.urls_far += u64::from(far);
        if self.all.known.contains(&date.year) {
            return;
        }
        let is_near = |before: dated::Dated| before.year.abs_diff(date.year) <= STEP;
        let carried = before.and_then(dated::date_of).is_some_and(is_near);
        self.all.add(date.year, carried);
        if far {
            self.far.add(date.year, carried);
        }
    }

    /// Counts a URL with numbers in the place of a date that are no date.
    pub(crate) fn doubt(&mut self) {
        self.dateless += 1;
    }

    /// Returns the number of URLs with a date.
    pub(crate) fn count(&self) -> u64 {
        self.months.iter().sum()
    }

    /// Reports whether these are the months of a calendar: all months are about equally frequent, they start in the
    /// present or the past, and hardly any other number takes their place. `/topic/2345/6` is a page of a thread.
    pub(crate) fn are_months(&self, measure: ProofLimits) -> bool {
        let dated = self.count();
        let even = self.months.iter().all(|month| month * 24 >= dated);
        let present = self.all.known.first().is_some_and(|first| *first <= Self::last_of_present(measure));
        even && present && self.dateless * 50 < dated
    }

    /// Reports whether its pages continue into years in which no site has pages yet, a tenth of the budget or more.
    pub(crate) fn are_ahead(&self, measure: ProofLimits) -> bool {
        self.urls_far > 0 && self.urls_far * 10 >= measure.budget && self.far.are_carried_on()
    }

    /// Reports whether its pages continue through more years than those of a site span.
    pub(crate) fn are_wide(&self) -> bool {
        let ends = self.all.known.first().zip(self.all.known.last());
        ends.is_some_and(|(first, last)| last - first > SPAN) && self.all.are_carried_on()
    }

    fn last_of_present(measure: ProofLimits) -> u16 {
        measure.this_year.saturating_add(YEARS_AHEAD)
    }
}

impl Years {
    fn add(&mut self, year: u16, carried: bool) {
        self.carried += u64::from(self.known.insert(year) && carried);
    }

    fn are_carried_on(&self) -> bool {
        self.carried > 0 && self.carried * 2 >= self.known.len() as u64
    }
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
