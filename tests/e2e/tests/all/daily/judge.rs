//! Compares the sitemap that a run publishes with the true state of the site.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_testkit::living::{DateFacts, Day, DayKind, LivingSite, dates};

use super::tally::{Fault, Tally};
use mapwright_e2e::sitemaps::Publication;

/// The start and end of a crawl, in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CrawlTimes {
    pub(crate) began: i64,
    pub(crate) ended: i64,
}

/// The published state of a page in the runs before.
#[derive(Debug, Clone, Default)]
struct Memory {
    lastmod: Option<String>,
    /// True if the lastmod is not judged until the page changes again: it was updated where the truth is ambiguous, or
    /// in error (which is counted once).
    lastmod_unjudged: bool,
}

/// The state of the runs before, and the figures so far.
#[derive(Debug)]
pub(crate) struct Judge {
    base: String,
    crawls: Vec<CrawlTimes>,
    memory: BTreeMap<String, Memory>,
    pub(crate) tally: Tally,
}

/// One sitemap entry of a run, to be judged.
struct Case<'a> {
    path: &'a str,
    lastmod: Option<&'a String>,
    page: DateFacts,
    changed: bool,
    /// True if its lastmod was updated.
    output: bool,
}

impl Judge {
    pub(crate) fn of(site: &LivingSite) -> Judge {
        Judge { base: site.base(), crawls: Vec::new(), memory: BTreeMap::new(), tally: Tally::default() }
    }

    /// Judges the publication of a run.
    pub(crate) fn day(
        &mut self,
        site: &LivingSite,
        day: &Day,
        crawl: CrawlTimes,
        before: Option<&Publication>,
        now: &Publication,
    ) {
        self.crawls.push(crawl);
        self.tally.begin(day, crawl.ended - crawl.began, site.traffic(day.number));
        let listed = now.lastmods();
        let path = |loc: &String| loc.strip_prefix(&self.base).unwrap_or(loc).to_owned();
        let output: BTreeMap<String, Option<String>> =
            listed.iter().map(|(loc, lastmod)| (path(loc), lastmod.clone())).collect();
        self.set(day, &output.keys().cloned().collect());
        for (path, lastmod) in &output {
            if let Some(page) = site.facts(path).filter(|_| day.listed.contains(path)) {
                self.entry(day, path, lastmod.as_ref(), page);
            }
        }
        if let Some(before) = before.filter(|before| day.kind == DayKind::Quiet && *before != now) {
            let learnt = self.crawl(day.number - 1).is_some_and(|last| only_learns_dates(before, now, last.ended));
            if !learnt {
                self.fault(day, Fault::Quiet, differences(before, now));
            }
        }
    }

    /// Records the faults of a run's files.
    pub(crate) fn parts(&mut self, day: &Day, wrong: Vec<String>) {
        for text in wrong {
            self.fault(day, Fault::Parts, text);
        }
    }

    fn set(&mut self, day: &Day, output: &BTreeSet<String>) {
        for path in day.listed.difference(output) {
            self.fault(day, Fault::Set, format!("lacks {path}"));
        }
        for path in output.difference(&day.listed) {
            self.fault(day, Fault::Set, format!("lists {path} without reason"));
        }
    }

    fn entry(&mut self, day: &Day, path: &str, lastmod: Option<&String>, page: DateFacts) {
        let memory = self.memory.get(path).cloned();
        let known = memory.as_ref().and_then(|memory| memory.lastmod.as_ref());
        let output = memory.is_some() && lastmod.is_some_and(|lastmod| self.reports_change(day, known, lastmod));
        let case = Case { path, lastmod, page, changed: day.changed.contains(path), output };
        if known.is_some() && lastmod.is_none() {
            self.fault(day, Fault::TakenBack, format!("{path}: {known:?} -> none"));
        }
        if day.failing.contains(path) && memory.is_some() && lastmod != known {
            self.fault(day, Fault::Failing, format!("{path}: {known:?} -> {lastmod:?}"));
        }
        if memory.is_none() && day.number == 1 && !page.has_date && lastmod.is_some() {
            self.fault(day, Fault::Invented, format!("{path} ({}) has {lastmod:?}", page.section));
        }
        let seen_before = memory.is_some();
        let mut memory = memory.unwrap_or_default();
        if seen_before {
            self.count(day, &case);
        }
        memory.lastmod_unjudged = self.scar(day, &case, memory.lastmod_unjudged);
        memory.lastmod = lastmod.cloned().or(memory.lastmod);
        if !memory.lastmod_unjudged {
            self.date(day, &case);
        }
        self.memory.insert(path.to_owned(), memory);
    }

    /// Returns true if this lastmod reports a change, compared with the one before. A new date that is earlier than the
    /// last crawl reports no change since that crawl.
    fn reports_change(&self, day: &Day, known: Option<&String>, lastmod: &String) -> bool {
        match known {
            Some(known) => known != lastmod,
            None => dates::instant(lastmod) >= self.crawl(day.number - 1).map(|crawl| crawl.began / 1_000 * 1_000),
        }
    }

    /// Counts a page that was listed before: reported as changed or not, correctly or in error.
    fn count(&mut self, day: &Day, case: &Case<'_>) {
        if day.young.contains(case.path) || day.loose.contains(case.path) {
            return;
        }
        if day.flipped.contains(case.path) {
            self.tally.flipped(case.output);
            return;
        }
        self.tally.count(case.page.section, case.changed, case.output);
        if case.changed != case.output {
            let word = if case.output { "reported in error" } else { "missed" };
            self.tally.example(format!("day {}: {word}: {} ({:?})", day.number, case.path, case.lastmod));
        }
    }

    fn scar(&self, day: &Day, case: &Case<'_>, lastmod_unjudged: bool) -> bool {
        let before = self.memory.get(case.path);
        if case.changed {
            // The date of an unreported change cannot be right.
            return !case.output && before.is_some();
        }
        // A date that appears after the page may be that of a later run: in its first runs, a page's date may be too
        // close to the visit to be trusted.
        let late = case.lastmod.is_some() && before.is_some_and(|before| before.lastmod.is_none());
        lastmod_unjudged || case.output || late || day.flipped.contains(case.path) || day.loose.contains(case.path)
    }

    /// Judges the date itself.
    fn date(&mut self, day: &Day, case: &Case<'_>) {
        let Some(lastmod) = case.lastmod else {
            if case.page.reports_date {
                self.fault(day, Fault::Own, format!("{} reports a date and has none", case.path));
            }
            return;
        };
        let Some(at) = dates::instant(lastmod) else {
            self.fault(day, Fault::Own, format!("{}: {lastmod} is no date", case.path));
            return;
        };
        if self.latest(case.page).is_some_and(|latest| at > latest) {
            self.fault(day, Fault::Late, format!("{} ({}): {lastmod}", case.path, case.page.section));
        }
        let earliest = self.crawl(day.number - 1).map(|crawl| crawl.began / 1_000 * 1_000);
        if case.changed && earliest.is_some_and(|earliest| at < earliest) {
            self.fault(day, Fault::Early, format!("{} ({}): {lastmod}", case.path, case.page.section));
        }
        if case.page.reports_date && at != case.page.written * 1_000 {
            let own = dates::w3c(case.page.written);
            self.fault(day, Fault::Own, format!("{} reports {own} and has {lastmod}", case.path));
        }
    }

    /// The latest date that a page may have: the end of the first crawl that could see its current content.
    fn latest(&self, page: DateFacts) -> Option<i64> {
        if page.changed_in <= 1 {
            Some(page.written * 1_000)
        } else {
            self.crawl(page.changed_in).map(|crawl| crawl.ended)
        }
    }

    fn crawl(&self, day: u32) -> Option<CrawlTimes> {
        let place = usize::try_from(day).ok()?.checked_sub(1)?;
        self.crawls.get(place).copied()
    }

    fn fault(&mut self, day: &Day, fault: Fault, text: String) {
        self.tally.fault(fault, format!("day {}: {text}", day.number));
    }
}

/// Returns true if the files differ only in new dates that are earlier than the end of the last crawl. A page that was
/// created in the second of its first response is indistinguishable from one that always reports the current time,
/// until its second visit.
fn only_learns_dates(before: &Publication, now: &Publication, ended: i64) -> bool {
    let (before, now) = (before.lastmods(), now.lastmods());
    let learnt = |(loc, lastmod): (&String, &Option<String>)| match (before.get(loc), lastmod) {
        (Some(known), lastmod) if known == lastmod => true,
        (Some(None), Some(lastmod)) => dates::instant(lastmod).is_some_and(|instant| instant <= ended),
        _ => false,
    };
    before.len() == now.len() && now.iter().all(learnt)
}

/// Lists the entries that differ between two publications.
fn differences(one: &Publication, other: &Publication) -> String {
    let (one, other) = (one.lastmods(), other.lastmods());
    let locs: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let differs = locs.into_iter().filter(|loc| one.get(*loc) != other.get(*loc));
    let output = differs.map(|loc| format!("{loc}: {:?} -> {:?}", one.get(loc), other.get(loc)));
    format!("the files differ: {}", output.collect::<Vec<_>>().join(", "))
}
