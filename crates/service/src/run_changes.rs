//! The changes of a run, read from the record alone, so that a service that was killed can still report them.

use crate::job_run::JobRunCounts;
use mapwright_audit::checks;
use mapwright_crawl::CrawlError;
use mapwright_notify::{FindingChanges, FindingLine, MAX_EXAMPLES, PageSample};
use mapwright_store::{Arrivals, Record, RunRow, RunState, RunSummary, StoreError};
use std::collections::BTreeMap;
use std::path::Path;

/// The results of the newest run of a record, and its changes against the run that it is compared with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    /// The run.
    pub(crate) run: i64,
    /// Its state; `None` if there is no run.
    pub(crate) state: Option<RunState>,
    /// Its sitemap was published.
    pub(crate) published: bool,
    /// The reason why no sitemap was published, if one was due.
    pub(crate) not_published: Option<String>,
    /// URLs in the sitemap of the run that it is compared with.
    pub(crate) listed_before: Option<u64>,
    pub(crate) added: PageSample,
    pub(crate) removed: PageSample,
    /// A URL came into the sitemap, left it, or changed in it.
    pub(crate) changed: bool,
    pub(crate) findings: FindingChanges,
    pub(crate) counts: JobRunCounts,
}

impl Changes {
    /// Reads the newest run of the record in `folder`; `None` if it holds none. Passes every URL that was added to the
    /// published sitemap, removed from it, or changed in it to `take`. There may be millions, so none is stored.
    pub(crate) fn of(folder: &Path, take: &mut Take<'_>) -> Result<Option<Self>, CrawlError> {
        if !Record::is_in(folder) {
            return Ok(None);
        }
        let mut read_changes = || {
            let record = Record::open_to_read(folder)?;
            let runs = record.runs()?;
            let Some(run) = runs.first() else { return Ok(None) };
            changes(&record, run, compared_with(&runs), take).map(Some)
        };
        read_changes().map_err(|error: CrawlError| error.in_record(folder))
    }
}

/// Returns the run that the newest of `runs` is compared with: the last earlier one whose sitemap was published, which
/// is the one in public. A run that was held back is compared with the last complete run, held back or not, so that a
/// persisting change is reported once.
fn compared_with(runs: &[RunRow]) -> Option<&RunRow> {
    let (newest, earlier) = runs.split_first()?;
    let complete = || earlier.iter().find(|run| run.state == RunState::Complete);
    let published = || earlier.iter().find(|run| is_published(run));
    // If no sitemap was ever published, the job only audits.
    if newest.summary.as_ref().is_some_and(|summary| summary.not_published.is_some()) {
        complete()
    } else {
        published().or_else(complete)
    }
}

/// Returns the run of the current sitemap, if `summary` is of a run that publishes none: an audit between the runs of a
/// job that publishes.
fn current_sitemap_run<'r>(summary: &RunSummary, before: Option<&'r RunRow>) -> Option<&'r RunRow> {
    before.filter(|before| !summary.published && summary.not_published.is_none() && is_published(before))
}

fn is_published(run: &RunRow) -> bool {
    run.summary.as_ref().is_some_and(|summary| summary.published)
}

/// Receives a URL that changed.
pub(crate) type Take<'a> = dyn FnMut(String) -> Result<(), CrawlError> + 'a;

fn changes(record: &Record, run: &RunRow, before: Option<&RunRow>, take: &mut Take<'_>) -> Result<Changes, CrawlError> {
    let summary = run.summary.clone().unwrap_or_default();
    let listed = |run: &RunRow| run.summary.as_ref().map_or(0, |summary| summary.listed);
    let current_listed = current_sitemap_run(&summary, before).map(listed);
    let rendering = summary.rendering.unwrap_or_default();
    let mut changes = Changes {
        run: run.run,
        state: Some(run.state),
        published: summary.published,
        not_published: summary.not_published,
        counts: JobRunCounts {
            fetched: summary.fetched,
            listed: current_listed.unwrap_or(summary.listed),
            bytes: summary.wire_bytes,
            median_ms: record.median_first_byte(run.run)?,
            rendered: rendering.pages,
            rendering_requests: rendering.requests,
            rendering_bytes: rendering.bytes,
            rendering_ms: rendering.millis,
            ..JobRunCounts::default()
        },
        ..Changes::default()
    };
    if run.state == RunState::Complete {
        match current_listed {
            Some(listed) => changes.listed_before = Some(listed),
            None => pages(record, run, before, &mut changes, take)?,
        }
        findings(record, run.run, summary.findings.as_ref(), &mut changes)?;
    }
    Ok(changes)
}

/// Compares the listed pages of two runs: gained, lost and changed.
fn pages(
    record: &Record,
    run: &RunRow,
    before: Option<&RunRow>,
    changes: &mut Changes,
    take: &mut Take<'_>,
) -> Result<(), CrawlError> {
    // URLs of a sitemap that was held back are not announced: the next published one is compared with the public one.
    let mut take = |url: String| if changes.not_published.is_none() { take(url) } else { Ok(()) };
    let Some(before) = before else {
        return record.listed(|listed| {
            changes.changed = true;
            take(listed.url)
        });
    };
    record.diff(before.run, run.run, |difference| {
        let listed = difference.now.as_ref().is_some_and(|seen| seen.reason.is_none());
        if difference.is_added_to_sitemap() {
            add(&mut changes.added, &difference.url);
        } else if difference.is_removed_from_sitemap() {
            add(&mut changes.removed, &difference.url);
        } else if !(listed && difference.is_changed()) {
            return Ok::<(), CrawlError>(());
        }
        changes.changed = true;
        take(difference.url)
    })?;
    (changes.counts.added, changes.counts.removed) = (changes.added.count, changes.removed.count);
    changes.listed_before = (changes.counts.listed + changes.counts.removed).checked_sub(changes.counts.added);
    Ok(())
}

fn add(listing: &mut PageSample, url: &str) {
    listing.count += 1;
    if listing.examples.len() < MAX_EXAMPLES {
        listing.examples.push(url.to_owned());
    }
}

/// Reads the findings that are new, fixed and regressed, counted as in the reports: a group of URLs is one finding, but
/// fixed findings are counted per URL. `arrivals` are the counts of the reports; without them each URL counts.
fn findings(
    record: &Record,
    run: i64,
    arrivals: Option<&BTreeMap<String, Arrivals>>,
    changes: &mut Changes,
) -> Result<(), StoreError> {
    let audits = record.audits()?;
    let Some(audit) = audits.iter().find(|audit| audit.run == run) else { return Ok(()) };
    [changes.counts.errors, changes.counts.warnings, changes.counts.notices] = audit.counts;
    let before = record.audit_before()?;
    let finding_histories = record.finding_histories()?;
    let (mut new, mut regressed, mut fixed) = (Lines::default(), Lines::default(), Lines::default());
    record.each_finding(run..run + 1, |key, code, subject| match finding_histories.get(&key) {
        Some(life) if life.since == run && life.before == 0 => new.take(code, subject),
        Some(life) if life.since == run => regressed.take(code, subject),
        _ => {}
    })?;
    if before > 0 {
        record.each_finding(before..run, |_, code, subject| fixed.take(code, subject))?;
    }
    if let Some(arrivals) = arrivals {
        let of = |code: &str| arrivals.get(code).copied().unwrap_or_default();
        new.count_by(|code| of(code).new);
        regressed.count_by(|code| of(code).regressed);
    }
    changes.findings = FindingChanges { new: new.lines(), fixed: fixed.lines(), regressed: regressed.lines() };
    let total = |lines: &[FindingLine]| lines.iter().map(|line| line.count).sum();
    let findings = &changes.findings;
    changes.counts.new = total(&findings.new);
    (changes.counts.fixed, changes.counts.regressed) = (total(&findings.fixed), total(&findings.regressed));
    Ok(())
}

/// Findings, grouped by code.
#[derive(Default)]
struct Lines {
    by_code: BTreeMap<String, (u64, Vec<String>)>,
    /// The last code and subject.
    last: (String, String),
}

impl Lines {
    /// Adds a part of a finding. Parts are sorted by code and subject; each subject of a code counts once.
    fn take(&mut self, code: &str, subject: &str) {
        if (self.last.0.as_str(), self.last.1.as_str()) == (code, subject) {
            return;
        }
        self.last = (code.to_owned(), subject.to_owned());
        let (count, examples) = self.by_code.entry(code.to_owned()).or_default();
        *count += 1;
        if examples.len() < MAX_EXAMPLES {
            examples.push(subject.to_owned());
        }
    }

    /// Replaces the counts, and drops examples beyond them.
    fn count_by(&mut self, counts: impl Fn(&str) -> u64) {
        for (code, (count, examples)) in &mut self.by_code {
            *count = counts(code);
            examples.truncate(usize::try_from(*count).unwrap_or(usize::MAX));
        }
        self.by_code.retain(|_, (count, _)| *count > 0);
    }

    /// Returns a line for each code, the most severe first.
    fn lines(self) -> Vec<FindingLine> {
        let mut lines: Vec<_> = self
            .by_code
            .into_iter()
            .map(|(name, (count, examples))| {
                let check = checks::named(&name);
                let line = FindingLine {
                    severity: check.map_or("notice", |check| check.severity.as_str()).to_owned(),
                    title: check.map_or_else(|| name.clone(), |check| check.reason.trim_end_matches('.').to_owned()),
                    code: name,
                    count,
                    examples,
                };
                (check.map(|check| check.severity), line)
            })
            .collect();
        lines.sort_by(|(one, _), (other, _)| one.is_none().cmp(&other.is_none()).then(one.cmp(other)));
        lines.into_iter().map(|(_, line)| line).collect()
    }
}
