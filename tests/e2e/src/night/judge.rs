//! Compares what is published in a night with what is true of it.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_testkit::living::{Kind, LivingSite, Night, Standing, dates};

use super::publications::Publication;
use super::tally::{Fault, Tally};

/// When a crawl ran, in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crawling {
    pub(super) began: i64,
    pub(super) ended: i64,
}

/// What was published of a page before.
#[derive(Debug, Clone, Default)]
struct Memory {
    lastmod: Option<String>,
    /// Its lastmod is not judged, for it was moved where nobody can say whether it should, or in error (which is
    /// counted once), until the page changes again.
    scarred: bool,
}

/// What is known of the nights before, and the figures so far.
#[derive(Debug)]
pub(super) struct Judge {
    base: String,
    crawls: Vec<Crawling>,
    memory: BTreeMap<String, Memory>,
    pub(super) tally: Tally,
}

/// One entry of a night, as it is judged.
struct Case<'a> {
    path: &'a str,
    lastmod: Option<&'a String>,
    page: Standing,
    changed: bool,
    /// Whether its lastmod was moved.
    told: bool,
}

impl Judge {
    pub(super) fn of(site: &LivingSite) -> Judge {
        Judge { base: site.base(), crawls: Vec::new(), memory: BTreeMap::new(), tally: Tally::default() }
    }

    /// Judges what was published in a night.
    pub(super) fn night(
        &mut self,
        site: &LivingSite,
        night: &Night,
        crawl: Crawling,
        before: Option<&Publication>,
        now: &Publication,
    ) {
        self.crawls.push(crawl);
        self.tally.begin(night, crawl.ended - crawl.began, site.traffic(night.number));
        let listed = now.lastmods();
        let path = |loc: &String| loc.strip_prefix(&self.base).unwrap_or(loc).to_owned();
        let told: BTreeMap<String, Option<String>> =
            listed.iter().map(|(loc, lastmod)| (path(loc), lastmod.clone())).collect();
        self.set(night, &told.keys().cloned().collect());
        for (path, lastmod) in &told {
            if let Some(page) = site.standing(path).filter(|_| night.listed.contains(path)) {
                self.entry(night, path, lastmod.as_ref(), page);
            }
        }
        if let Some(before) = before.filter(|before| night.kind == Kind::Quiet && *before != now) {
            let learnt = self.crawl(night.number - 1).is_some_and(|last| only_learns_dates(before, now, last.ended));
            if !learnt {
                self.fault(night, Fault::Quiet, differences(before, now));
            }
        }
    }

    /// Notes what is wrong with the files of a night.
    pub(super) fn parts(&mut self, night: &Night, wrong: Vec<String>) {
        for text in wrong {
            self.fault(night, Fault::Parts, text);
        }
    }

    fn set(&mut self, night: &Night, told: &BTreeSet<String>) {
        for path in night.listed.difference(told) {
            self.fault(night, Fault::Set, format!("lacks {path}"));
        }
        for path in told.difference(&night.listed) {
            self.fault(night, Fault::Set, format!("lists {path} without reason"));
        }
    }

    fn entry(&mut self, night: &Night, path: &str, lastmod: Option<&String>, page: Standing) {
        let memory = self.memory.get(path).cloned();
        let known = memory.as_ref().and_then(|memory| memory.lastmod.as_ref());
        let told = memory.is_some() && lastmod.is_some_and(|lastmod| self.tells_change(night, known, lastmod));
        let case = Case { path, lastmod, page, changed: night.changed.contains(path), told };
        if known.is_some() && lastmod.is_none() {
            self.fault(night, Fault::TakenBack, format!("{path}: {known:?} -> none"));
        }
        if night.failing.contains(path) && memory.is_some() && lastmod != known {
            self.fault(night, Fault::Failing, format!("{path}: {known:?} -> {lastmod:?}"));
        }
        if memory.is_none() && night.number == 1 && !page.has_date && lastmod.is_some() {
            self.fault(night, Fault::Invented, format!("{path} ({}) has {lastmod:?}", page.section));
        }
        let seen_before = memory.is_some();
        let mut memory = memory.unwrap_or_default();
        if seen_before {
            self.count(night, &case);
        }
        memory.scarred = self.scar(night, &case, memory.scarred);
        memory.lastmod = lastmod.cloned().or(memory.lastmod);
        if !memory.scarred {
            self.date(night, &case);
        }
        self.memory.insert(path.to_owned(), memory);
    }

    /// Whether a page with this lastmod is told as changed, by the one before. A date that was not known before and
    /// lies before the last crawl tells of no change since.
    fn tells_change(&self, night: &Night, known: Option<&String>, lastmod: &String) -> bool {
        match known {
            Some(known) => known != lastmod,
            None => dates::instant(lastmod) >= self.crawl(night.number - 1).map(|crawl| crawl.began / 1_000 * 1_000),
        }
    }

    /// Counts a page that was listed before as told or not, rightly or in error.
    fn count(&mut self, night: &Night, case: &Case<'_>) {
        if night.young.contains(case.path) || night.loose.contains(case.path) {
            return;
        }
        if night.flipped.contains(case.path) {
            self.tally.flipped(case.told);
            return;
        }
        self.tally.count(case.page.section, case.changed, case.told);
        if case.changed != case.told {
            let word = if case.told { "told in error" } else { "missed" };
            self.tally.example(format!("night {}: {word}: {} ({:?})", night.number, case.path, case.lastmod));
        }
    }

    fn scar(&self, night: &Night, case: &Case<'_>, scarred: bool) -> bool {
        let before = self.memory.get(case.path);
        if case.changed {
            // The date of a change that was not told cannot be right.
            return !case.told && before.is_some();
        }
        // A date that is known later than the page may be that of a later night: in its first nights a page may bear a
        // date too close to the visit to be believed.
        let late = case.lastmod.is_some() && before.is_some_and(|before| before.lastmod.is_none());
        scarred || case.told || late || night.flipped.contains(case.path) || night.loose.contains(case.path)
    }

    /// Judges the date itself.
    fn date(&mut self, night: &Night, case: &Case<'_>) {
        let Some(lastmod) = case.lastmod else {
            if case.page.tells_date {
                self.fault(night, Fault::Own, format!("{} tells a date and has none", case.path));
            }
            return;
        };
        let Some(at) = dates::instant(lastmod) else {
            self.fault(night, Fault::Own, format!("{}: {lastmod} is no date", case.path));
            return;
        };
        if self.latest(case.page).is_some_and(|latest| at > latest) {
            self.fault(night, Fault::Late, format!("{} ({}): {lastmod}", case.path, case.page.section));
        }
        let earliest = self.crawl(night.number - 1).map(|crawl| crawl.began / 1_000 * 1_000);
        if case.changed && earliest.is_some_and(|earliest| at < earliest) {
            self.fault(night, Fault::Early, format!("{} ({}): {lastmod}", case.path, case.page.section));
        }
        if case.page.tells_date && at != case.page.written * 1_000 {
            let own = dates::w3c(case.page.written);
            self.fault(night, Fault::Own, format!("{} tells {own} and has {lastmod}", case.path));
        }
    }

    /// The latest date that a page may have: the end of the crawl that could first see it as it is.
    fn latest(&self, page: Standing) -> Option<i64> {
        if page.changed_in <= 1 {
            Some(page.written * 1_000)
        } else {
            self.crawl(page.changed_in).map(|crawl| crawl.ended)
        }
    }

    fn crawl(&self, night: u32) -> Option<Crawling> {
        let place = usize::try_from(night).ok()?.checked_sub(1)?;
        self.crawls.get(place).copied()
    }

    fn fault(&mut self, night: &Night, fault: Fault, text: String) {
        self.tally.fault(fault, format!("night {}: {text}", night.number));
    }
}

/// What is listed otherwise in one set of files than in another.
/// Whether all that differs is that dates became known which lie before the last crawl ended: a page that was made in
/// the very second of its first answer cannot be told from one that always says "now" until it is seen again.
fn only_learns_dates(before: &Publication, now: &Publication, ended: i64) -> bool {
    let (before, now) = (before.lastmods(), now.lastmods());
    let learnt = |(loc, lastmod): (&String, &Option<String>)| match (before.get(loc), lastmod) {
        (Some(known), lastmod) if known == lastmod => true,
        (Some(None), Some(lastmod)) => dates::instant(lastmod).is_some_and(|instant| instant <= ended),
        _ => false,
    };
    before.len() == now.len() && now.iter().all(learnt)
}

fn differences(one: &Publication, other: &Publication) -> String {
    let (one, other) = (one.lastmods(), other.lastmods());
    let locs: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let differs = locs.into_iter().filter(|loc| one.get(*loc) != other.get(*loc));
    let told = differs.map(|loc| format!("{loc}: {:?} -> {:?}", one.get(loc), other.get(loc)));
    format!("the files differ: {}", told.collect::<Vec<_>>().join(", "))
}
