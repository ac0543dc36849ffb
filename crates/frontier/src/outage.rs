//! When an origin that answers counts as down: once it answers nothing but errors.

use mapwright_web::PageUrl;
use std::time::Duration;

/// Server errors and 429 (RFC 9110 section 15.6, RFC 6585 section 4) in a row, to URLs that were never asked for before.
///
/// They alone prove nothing: a part of a site that always fails looks the same while it is crawled, and so do limits.
/// What proves it is a page that was answered well before, asked for again: while that fails too, nothing else is asked,
/// and where it fails for longer than any limit counts requests, the origin is down. Further tries at pages that failed
/// say nothing, since they may come one after another at the end of a crawl.
#[derive(Debug, Default)]
pub(crate) struct Outage {
    /// The last page that was answered well.
    good: Option<PageUrl>,
    /// URLs refused in a row, when asked for the first time.
    refused: u64,
    /// Since when.
    since: Duration,
    /// How many good answers other origins had given by then.
    others: u64,
    /// The last answer asked for no patience: a server error that is no limit's (other than 503).
    broken: bool,
    /// Proofs in a row that were answered well: so many parts of the site fail by themselves.
    cleared: u32,
    proof: Proof,
    /// The proof is sought because no answers come, not because of errors.
    silent: bool,
}

/// How far the proof has come.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// None is wanted.
    #[default]
    None,
    /// The good page is to be asked for, not before this time.
    Due { at: Duration, asked: u32 },
    /// It is being asked for.
    Asked { asked: u32 },
    /// It failed, and other origins answer: this one's pages fail, and the crawl goes on.
    Single,
}

/// What there is to do about an outage before anything else is asked.
#[derive(Debug, PartialEq)]
pub(crate) enum Doubt {
    /// Nothing.
    None,
    /// This page is to be asked for again, now.
    Ask(PageUrl),
    /// Nothing is to be asked before this time.
    Until(Duration),
    /// The answer is to be waited for.
    Wait,
}

/// URLs refused in a row from which on a proof is sought; twice as many after each that cleared the origin.
const LEAST: u64 = 10;
const MOST_CLEARED: u32 = 10;
/// An origin that seems to limit us is asked more slowly first; one that does not is doubted sooner.
const LIMITED: Duration = Duration::from_secs(10);
const UNLIMITED: Duration = Duration::from_secs(1);
/// Time between two proofs: doubled from the first, up to the last.
const FIRST_PROOF: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(5);
/// So long an outage lasts, at least: servers are started anew, and some limits count requests by the minute.
const LONG: Duration = Duration::from_secs(70);
/// Where no answers come, health probes without one by which the origin is down, and the time between them.
const SILENT_PROBES: u32 = 2;
const SILENT_PAUSE: Duration = Duration::from_secs(1);

impl Outage {
    /// A page was answered well, or as well as to say that there is none.
    pub(crate) fn answered(&mut self, url: &PageUrl) {
        self.good = Some(url.clone());
        self.forget();
    }

    fn forget(&mut self) {
        (self.refused, self.broken, self.proof, self.silent) = (0, false, Proof::None, false);
    }

    /// No answers come: a health probe is to be made at once. False where no page was ever good, so that none can be.
    pub(crate) fn suspect_silence(&mut self, now: Duration) -> bool {
        if self.good.is_some() && !self.silent {
            self.silent = true;
            self.proof = Proof::Due { at: now, asked: 0 };
        }
        self.good.is_some()
    }

    /// A response head came, if only of an error. Whether the origin was suspect because none did.
    pub(crate) fn heard(&mut self) -> bool {
        let was_silent = std::mem::take(&mut self.silent);
        if was_silent && matches!(self.proof, Proof::Due { .. }) {
            self.proof = Proof::None;
        }
        was_silent
    }

    /// A page of this origin was answered well by an earlier process of the same run.
    pub(crate) fn answered_before(&mut self, url: PageUrl) {
        self.good.get_or_insert(url);
    }

    /// Whether pages of this origin were answered well in this run.
    pub(crate) fn ever_answered(&self) -> bool {
        self.good.is_some()
    }

    /// A page was refused: on its first try, by a limit's answer. `others` are the good answers of other origins so far.
    pub(crate) fn refused(&mut self, now: Duration, first: bool, limits: bool, others: u64) {
        if self.refused == 0 {
            (self.since, self.others) = (now, others);
        }
        self.refused += u64::from(first);
        self.broken = !limits;
    }

    /// What is to be done. `limited`: its pace is bound by what it turned away; `idle`: nothing else is left to ask.
    pub(crate) fn doubt(&mut self, now: Duration, limited: bool, idle: bool) -> Doubt {
        if self.proof == Proof::None && self.is_suspect(now, limited, idle) {
            self.proof = Proof::Due { at: now, asked: 0 };
        }
        match (self.proof, &self.good) {
            (Proof::Due { at, .. }, Some(_)) if at > now => Doubt::Until(at),
            (Proof::Due { .. }, Some(good)) => Doubt::Ask(good.clone()),
            (Proof::Asked { .. }, _) => Doubt::Wait,
            _ => Doubt::None,
        }
    }

    /// Whether so much was refused that it may be down.
    pub(crate) fn is_possible(&self) -> bool {
        self.silent || self.good.is_some() && self.refused >= LEAST << self.cleared && self.proof != Proof::Single
    }

    fn is_suspect(&self, now: Duration, limited: bool, idle: bool) -> bool {
        let patience = match () {
            () if self.broken || idle => Duration::ZERO,
            () if limited => LIMITED,
            () => UNLIMITED,
        };
        self.is_possible() && now >= self.since + patience
    }

    /// The proof is on its way.
    pub(crate) fn asked(&mut self) {
        if let Proof::Due { asked, .. } = self.proof {
            self.proof = Proof::Asked { asked: asked + 1 };
        }
    }

    /// The good page was answered well: what failed were pages by themselves.
    pub(crate) fn cleared(&mut self) {
        self.cleared = (self.cleared + 1).min(MOST_CLEARED);
        self.forget();
    }

    /// The good page failed as well. Whether the origin is down by that: `queued` pages of it wait, and other origins
    /// have given so many good answers by now. Where these answered more than is missing here, the site is not down.
    pub(crate) fn confirmed(&mut self, now: Duration, queued: u64, others: u64) -> bool {
        let Proof::Asked { asked } = self.proof else { return false };
        if self.silent && asked < SILENT_PROBES {
            self.proof = Proof::Due { at: now + SILENT_PAUSE, asked };
            return false;
        }
        if !self.silent && now < self.since + LONG {
            let wait = (FIRST_PROOF * (1 << asked.min(4))).min(LONGEST);
            self.proof = Proof::Due { at: (now + wait).min((self.since + LONG).max(now)), asked };
            return false;
        }
        let down = others.saturating_sub(self.others) < self.refused + queued;
        self.proof = Proof::Single;
        down || std::mem::take(&mut self.silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::Identity;

    const SECOND: Duration = Duration::from_secs(1);

    fn page() -> PageUrl {
        PageUrl::parse("http://example.com/good", &Identity::default()).unwrap()
    }

    /// An origin that answered well, and then refused so many pages on their first tries.
    fn refusing(pages: u64) -> Outage {
        let mut outage = Outage::default();
        outage.answered(&page());
        (0..pages).for_each(|_| outage.refused(Duration::ZERO, true, true, 0));
        outage
    }

    /// Asks for proofs, which all fail, until the outage lasts no longer or the origin is down: when, and whether it is.
    fn proven(outage: &mut Outage, queued: u64, others: u64) -> (Duration, bool) {
        let mut now = LIMITED;
        for _ in 0..100 {
            match outage.doubt(now, true, false) {
                Doubt::Until(at) => now = at,
                Doubt::Ask(_) => {
                    outage.asked();
                    assert_eq!(outage.doubt(now, true, false), Doubt::Wait);
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
        assert_eq!(proven(&mut refusing(LEAST), 90, 0), (LONG, true));
    }

    #[test]
    fn few_pages_and_further_tries_at_pages_that_failed_are_no_outage() {
        let mut outage = refusing(LEAST - 1);
        (0..100).for_each(|_| outage.refused(SECOND, false, true, 0));
        assert_eq!(outage.doubt(LONG, false, true), Doubt::None);
    }

    #[test]
    fn an_origin_that_never_answered_is_no_outage() {
        let mut outage = Outage::default();
        (0..100).for_each(|_| outage.refused(SECOND, true, false, 0));
        assert_eq!(outage.doubt(LONG, false, true), Doubt::None);
    }

    #[test]
    fn an_answer_ends_the_doubt() {
        let mut outage = refusing(LEAST);
        outage.answered(&page());
        assert_eq!(outage.doubt(LONG, false, false), Doubt::None);
    }

    #[test]
    fn a_part_of_a_site_that_always_fails_is_asked_on_and_doubted_ever_less() {
        let mut outage = refusing(LEAST);
        for round in 1..=4 {
            assert_eq!(outage.doubt(LONG, false, false), Doubt::Ask(page()), "round {round}");
            outage.asked();
            outage.cleared();
            (0..LEAST << round).for_each(|_| {
                assert_eq!(outage.doubt(LONG, false, false), Doubt::None);
                outage.refused(SECOND, true, false, 0);
            });
        }
    }

    #[test]
    fn one_of_several_origins_that_fails_is_down_only_where_more_is_missing_than_the_others_answer() {
        assert!(proven(&mut refusing(LEAST), 300, 40).1);
        assert!(!proven(&mut refusing(LEAST), 300, 4_000).1);
    }

    #[test]
    fn what_may_be_a_limit_has_longer_to_end_before_it_is_doubted() {
        for (limited, idle, patience) in
            [(true, false, LIMITED), (false, false, UNLIMITED), (true, true, Duration::ZERO)]
        {
            let before = patience.checked_sub(SECOND / 10);
            let mut outage = refusing(LEAST);
            assert!(before.is_none_or(|before| outage.doubt(before, limited, idle) == Doubt::None));
            assert_eq!(outage.doubt(patience, limited, idle), Doubt::Ask(page()));
        }
        let mut outage = refusing(LEAST);
        outage.refused(Duration::ZERO, true, false, 0);
        assert_eq!(outage.doubt(Duration::ZERO, true, false), Doubt::Ask(page()), "a 500 is no limit's");
    }
}
