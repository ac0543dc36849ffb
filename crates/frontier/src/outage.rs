//! Detects the outage of an origin that answers nothing but errors.

use mapwright_web::PageUrl;
use std::time::Duration;

/// Server errors and 429 (RFC 9110 section 15.6, RFC 6585 section 4) in a row, to URLs on their first request.
///
/// Such errors alone prove nothing: a part of a site that always fails looks the same while it is crawled, and so do
/// rate limits. A health probe decides: a page that responded well before is requested again. While the probe fails
/// too, nothing else is requested; where it fails for longer than the window of any rate limit, the origin is down.
/// Retries of failed pages do not count, since they may all come at the end of a crawl.
#[derive(Debug, Default)]
pub(crate) struct Outage {
    /// The last page that responded well.
    good: Option<PageUrl>,
    /// URLs that failed in a row on their first request.
    refused: u64,
    /// Time of the first of them.
    since: Duration,
    /// Good responses of other origins up to then.
    others: u64,
    /// The last response was a server error other than 503, which is not a rate limit.
    broken: bool,
    /// Successive health probes that succeeded. Each shows that single pages fail rather than the origin, and doubles
    /// the failures that the next suspicion needs.
    probes_passed: u32,
    probe: ProbeState,
    /// The health probe is due to missing responses, not to errors.
    silent: bool,
}

/// The state of the health probe.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum ProbeState {
    /// No probe is needed.
    #[default]
    None,
    /// The good page is due to be requested, not before this time.
    Due { at: Duration, probes: u32 },
    /// The good page is requested, without a response yet.
    Requested { probes: u32 },
    /// The probe failed while other origins respond: this origin's pages fail, and the crawl continues.
    OnlyThisOrigin,
}

/// The action that a suspected outage requires before anything else is requested.
#[derive(Debug, PartialEq)]
pub(crate) enum ProbeAction {
    /// No action.
    None,
    /// Request this page again now.
    Request(PageUrl),
    /// Request nothing before this time.
    Until(Duration),
    /// Wait for the response to the probe.
    Wait,
}

/// URLs that fail in a row before a probe is made; doubled after each probe that succeeded, at most this many times.
const MIN_FAILURES: u64 = 10;
const MAX_CLEARED: u32 = 10;
/// Time before a probe: longer where the origin seems to limit the rate, since a slower rate is tried first.
const LIMITED: Duration = Duration::from_secs(10);
const UNLIMITED: Duration = Duration::from_secs(1);
/// Time between two probes: doubled from the first, up to the last.
const FIRST_PROBE: Duration = Duration::from_millis(500);
const MAX_WAIT: Duration = Duration::from_secs(5);
/// Shortest outage: servers restart, and some limits count requests by the minute.
const LONG: Duration = Duration::from_secs(70);
/// Health probes without a response after which the origin is down, and the time between them.
const SILENT_PROBES: u32 = 2;
const SILENT_PAUSE: Duration = Duration::from_secs(1);

impl Outage {
    /// Notes that a page responded well, or with a clear "not found".
    pub(crate) fn answered(&mut self, url: &PageUrl) {
        self.good = Some(url.clone());
        self.forget();
    }

    fn forget(&mut self) {
        (self.refused, self.broken, self.probe, self.silent) = (0, false, ProbeState::None, false);
    }

    /// Requests a health probe at once because no responses come. Returns false where no page was ever good, so that
    /// none can be probed.
    pub(crate) fn suspect_silence(&mut self, now: Duration) -> bool {
        if self.good.is_some() && !self.silent {
            self.silent = true;
            self.probe = ProbeState::Due { at: now, probes: 0 };
        }
        self.good.is_some()
    }

    /// Notes that a response head came, even of an error. Returns whether the origin was suspect because none came.
    pub(crate) fn heard(&mut self) -> bool {
        let was_silent = std::mem::take(&mut self.silent);
        if was_silent && matches!(self.probe, ProbeState::Due { .. }) {
            self.probe = ProbeState::None;
        }
        was_silent
    }

    /// Notes a page of this origin that responded well in an earlier process of the same run.
    pub(crate) fn answered_before(&mut self, url: PageUrl) {
        self.good.get_or_insert(url);
    }

    /// Reports whether a page of this origin responded well in this run.
    pub(crate) fn ever_answered(&self) -> bool {
        self.good.is_some()
    }

    /// Notes a failed page. `first`: on its first request; `limits`: by the status of a rate limit; `others`: good
    /// responses of other origins so far.
    pub(crate) fn refused(&mut self, now: Duration, first: bool, limits: bool, others: u64) {
        if self.refused == 0 {
            (self.since, self.others) = (now, others);
        }
        self.refused += u64::from(first);
        self.broken = !limits;
    }

    /// Returns the action to take. `limited`: a rate limit bounds the pace; `idle`: nothing else is left to request.
    pub(crate) fn probe_action(&mut self, now: Duration, limited: bool, idle: bool) -> ProbeAction {
        if self.probe == ProbeState::None && self.is_suspect(now, limited, idle) {
            self.probe = ProbeState::Due { at: now, probes: 0 };
        }
        match (self.probe, &self.good) {
            (ProbeState::Due { at, .. }, Some(_)) if at > now => ProbeAction::Until(at),
            (ProbeState::Due { .. }, Some(good)) => ProbeAction::Request(good.clone()),
            (ProbeState::Requested { .. }, _) => ProbeAction::Wait,
            _ => ProbeAction::None,
        }
    }

    /// Reports whether so many pages failed that the origin may be down.
    pub(crate) fn is_possible(&self) -> bool {
        self.silent
            || self.good.is_some()
                && self.refused >= MIN_FAILURES << self.probes_passed
                && self.probe != ProbeState::OnlyThisOrigin
    }

    fn is_suspect(&self, now: Duration, limited: bool, idle: bool) -> bool {
        let patience = match () {
            () if self.broken || idle => Duration::ZERO,
            () if limited => LIMITED,
            () => UNLIMITED,
        };
        self.is_possible() && now >= self.since + patience
    }

    /// Notes that the probe was sent.
    pub(crate) fn requested(&mut self) {
        if let ProbeState::Due { probes, .. } = self.probe {
            self.probe = ProbeState::Requested { probes: probes + 1 };
        }
    }

    /// Notes that the probe succeeded: the pages fail by themselves.
    pub(crate) fn probe_passed(&mut self) {
        self.probes_passed = (self.probes_passed + 1).min(MAX_CLEARED);
        self.forget();
    }

    /// Notes that the probe failed. Returns whether the origin is therefore down. `queued` pages of it wait, and other
    /// origins have given `others` good responses. Where the others answered more pages than are missing here, the site
    /// is not down.
    pub(crate) fn confirmed(&mut self, now: Duration, queued: u64, others: u64) -> bool {
        let ProbeState::Requested { probes } = self.probe else { return false };
        if self.silent && probes < SILENT_PROBES {
            self.probe = ProbeState::Due { at: now + SILENT_PAUSE, probes };
            return false;
        }
        if !self.silent && now < self.since + LONG {
            let wait = (FIRST_PROBE * (1 << probes.min(4))).min(MAX_WAIT);
            self.probe = ProbeState::Due { at: (now + wait).min((self.since + LONG).max(now)), probes };
            return false;
        }
        let down = others.saturating_sub(self.others) < self.refused + queued;
        self.probe = ProbeState::OnlyThisOrigin;
        down || std::mem::take(&mut self.silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    const SECOND: Duration = Duration::from_secs(1);

    fn page() -> PageUrl {
        PageUrl::parse("http://example.com/good", &UrlIdentity::default()).unwrap()
    }

    /// An origin that responded well, and then failed `pages` pages on their first request.
    fn refusing(pages: u64) -> Outage {
        let mut outage = Outage::default();
        outage.answered(&page());
        (0..pages).for_each(|_| outage.refused(Duration::ZERO, true, true, 0));
        outage
    }

    /// Makes probes, which all fail, until the doubt ends or the origin is down. Returns the time, and whether it is
    /// down.
    fn run_probes(outage: &mut Outage, queued: u64, others: u64) -> (Duration, bool) {
        let mut now = LIMITED;
        for _ in 0..100 {
            match outage.probe_action(now, true, false) {
                ProbeAction::Until(at) => now = at,
                ProbeAction::Request(_) => {
                    outage.requested();
                    assert_eq!(outage.probe_action(now, true, false), ProbeAction::Wait);
                    if outage.confirmed(now, queued, others) {
                        return (now, true);
                    }
                }
                _ => return (now, false),
            }
        }
        panic!("no end of doubt");
    }

    #[test]
    fn an_origin_whose_good_page_fails_for_longer_than_a_limit_lasts_is_down() {
        assert_eq!(run_probes(&mut refusing(MIN_FAILURES), 90, 0), (LONG, true));
    }

    #[test]
    fn few_pages_and_further_tries_at_pages_that_failed_are_no_outage() {
        let mut outage = refusing(MIN_FAILURES - 1);
        (0..100).for_each(|_| outage.refused(SECOND, false, true, 0));
        assert_eq!(outage.probe_action(LONG, false, true), ProbeAction::None);
    }

    #[test]
    fn an_origin_that_never_answered_is_no_outage() {
        let mut outage = Outage::default();
        (0..100).for_each(|_| outage.refused(SECOND, true, false, 0));
        assert_eq!(outage.probe_action(LONG, false, true), ProbeAction::None);
    }

    #[test]
    fn a_good_response_ends_the_doubt() {
        let mut outage = refusing(MIN_FAILURES);
        outage.answered(&page());
        assert_eq!(outage.probe_action(LONG, false, false), ProbeAction::None);
    }

    #[test]
    fn a_part_of_a_site_that_always_fails_is_still_crawled_and_probed_ever_less() {
        let mut outage = refusing(MIN_FAILURES);
        for round in 1..=4 {
            assert_eq!(outage.probe_action(LONG, false, false), ProbeAction::Request(page()), "round {round}");
            outage.requested();
            outage.probe_passed();
            (0..MIN_FAILURES << round).for_each(|_| {
                assert_eq!(outage.probe_action(LONG, false, false), ProbeAction::None);
                outage.refused(SECOND, true, false, 0);
            });
        }
    }

    #[test]
    fn one_of_several_origins_that_fails_is_down_only_where_more_is_missing_than_the_others_answer() {
        assert!(run_probes(&mut refusing(MIN_FAILURES), 300, 40).1);
        assert!(!run_probes(&mut refusing(MIN_FAILURES), 300, 4_000).1);
    }

    #[test]
    fn a_possible_rate_limit_delays_the_health_probe() {
        for (limited, idle, patience) in
            [(true, false, LIMITED), (false, false, UNLIMITED), (true, true, Duration::ZERO)]
        {
            let before = patience.checked_sub(SECOND / 10);
            let mut outage = refusing(MIN_FAILURES);
            assert!(before.is_none_or(|before| outage.probe_action(before, limited, idle) == ProbeAction::None));
            assert_eq!(outage.probe_action(patience, limited, idle), ProbeAction::Request(page()));
        }
        let mut outage = refusing(MIN_FAILURES);
        outage.refused(Duration::ZERO, true, false, 0);
        assert_eq!(
            outage.probe_action(Duration::ZERO, true, false),
            ProbeAction::Request(page()),
            "a 500 is no limit's"
        );
    }
}
