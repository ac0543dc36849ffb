//! What a night changed, told from the record alone: a service that was killed can still tell it.

use super::view::JobRunCounts;
use crate::error::JobError;
use mapwright_audit::Code;
use mapwright_store::{Record, RunRow, RunState, StoreError};
use mapwright_tell::{FindingChanges, FindingLine, Listing, MOST_EXAMPLES};
use std::collections::BTreeMap;
use std::path::Path;

/// What the newest run of a record came to, beside the one that it is compared with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    /// The run.
    pub(crate) run: i64,
    /// How it ended; nothing where there is none.
    pub(crate) state: Option<RunState>,
    /// Its sitemap was published.
    pub(crate) published: bool,
    /// Why none was, where one was to be.
    pub(crate) held: Option<String>,
    /// URLs in the sitemap of the run that it is compared with.
    pub(crate) listed_before: Option<u64>,
    pub(crate) gained: Listing,
    pub(crate) lost: Listing,
    /// A URL came into the sitemap, left it, or changed in it.
    pub(crate) changed: bool,
    pub(crate) findings: FindingChanges,
    pub(crate) counts: JobRunCounts,
}

impl Changes {
    /// What the record in `folder` says of its newest run; nothing where it holds none. Every URL that came into the
    /// sitemap that is published, left it, or changed in it is given to `take`: there may be millions, and none is kept.
    pub(crate) fn of(folder: &Path, take: &mut Take<'_>) -> Result<Option<Self>, JobError> {
        if !Record::is_in(folder) {
            return Ok(None);
        }
        let mut told = || {
            let record = Record::open_to_read(folder)?;
            let runs = record.runs()?;
            let Some(run) = runs.first() else { return Ok(None) };
            changes(&record, run, compared_with(&runs), take).map(Some)
        };
        told().map_err(|error: JobError| error.in_record(folder))
    }
}

/// The run that the newest of `runs` is compared with: the last one before it whose sitemap was published, which is what
/// the world knows. One that was held back tells what is other than in the whole run before it, held back or not, so
/// that what lasts is told once.
fn compared_with(runs: &[RunRow]) -> Option<&RunRow> {
    let (newest, earlier) = runs.split_first()?;
    let whole = || earlier.iter().find(|run| run.state == RunState::Whole);
    let published = || earlier.iter().find(|run| Summary::of(run).published);
    // Where none ever was, the job publishes nothing: it audits.
    if Summary::of(newest).held.is_some() { whole() } else { published().or_else(whole) }
}

/// The run whose sitemap stands, where this one was to publish none, an audit between the nights of a job that does.
fn standing<'r>(summary: &Summary, before: Option<&'r RunRow>) -> Option<&'r RunRow> {
    before.filter(|before| !summary.published && summary.held.is_none() && Summary::of(before).published)
}

/// What the record keeps of a run's figures, as far as it is read here.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Summary {
    published: bool,
    held: Option<String>,
    fetched: u64,
    listed: u64,
    wire_bytes: u64,
    /// Findings by kind, where the run was audited.
    findings: Option<BTreeMap<String, Arrivals>>,
}

/// How many findings of a kind are new, and how many back.
#[derive(Default, Clone, Copy, serde::Deserialize)]
#[serde(default)]
struct Arrivals {
    new: u64,
    regressed: u64,
}

impl Summary {
    fn of(run: &RunRow) -> Self {
        run.summary.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }
}

/// Takes a URL that changed.
pub(crate) type Take<'a> = dyn FnMut(String) -> Result<(), JobError> + 'a;

fn changes(record: &Record, run: &RunRow, before: Option<&RunRow>, take: &mut Take<'_>) -> Result<Changes, JobError> {
    let summary = Summary::of(run);
    let standing = standing(&summary, before).map(|run| Summary::of(run).listed);
    let mut changes = Changes {
        run: run.run,
        state: Some(run.state),
        published: summary.published,
        held: summary.held,
        counts: JobRunCounts {
            fetched: summary.fetched,
            listed: standing.unwrap_or(summary.listed),
            bytes: summary.wire_bytes,
            median_ms: record.median_first_byte(run.run)?,
            ..JobRunCounts::default()
        },
        ..Changes::default()
    };
    if run.state == RunState::Whole {
        match standing {
            Some(listed) => changes.listed_before = Some(listed),
            None => pages(record, run, before, &mut changes, take)?,
        }
        findings(record, run.run, summary.findings.as_ref(), &mut changes)?;
    }
    Ok(changes)
}

/// Pages gained, lost and changed.
fn pages(
    record: &Record,
    run: &RunRow,
    before: Option<&RunRow>,
    changes: &mut Changes,
    take: &mut Take<'_>,
) -> Result<(), JobError> {
    // Of a sitemap that was held back nobody is to hear by URLs: the next that is published is compared with what is out.
    let mut take = |url: String| if changes.held.is_none() { take(url) } else { Ok(()) };
    let Some(before) = before else {
        return record.listed(|listed| {
            changes.changed = true;
            take(listed.url)
        });
    };
    record.diff(before.run, run.run, |difference| {
        let listed = difference.now.as_ref().is_some_and(|seen| seen.reason.is_none());
        if difference.came_in() {
            add(&mut changes.gained, &difference.url);
        } else if difference.went_out() {
            add(&mut changes.lost, &difference.url);
        } else if !(listed && difference.is_changed()) {
            return Ok::<(), JobError>(());
        }
        changes.changed = true;
        take(difference.url)
    })?;
    (changes.counts.gained, changes.counts.lost) = (changes.gained.count, changes.lost.count);
    changes.listed_before = (changes.counts.listed + changes.counts.lost).checked_sub(changes.counts.gained);
    Ok(())
}

fn add(listing: &mut Listing, url: &str) {
    listing.count += 1;
    if listing.examples.len() < MOST_EXAMPLES {
        listing.examples.push(url.to_owned());
    }
}

/// Findings new, fixed and back again, counted as the reports count them: a group of URLs is one finding, and what is
/// fixed is told of each URL. `arrivals` are the reports' counts; without them each URL counts.
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
    let lives = record.lives()?;
    let (mut new, mut regressed, mut fixed) = (Lines::default(), Lines::default(), Lines::default());
    record.each_finding(run..run + 1, |key, code, subject| match lives.get(&key) {
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

/// Findings, gathered by code.
#[derive(Default)]
struct Lines {
    by_code: BTreeMap<String, (u64, Vec<String>)>,
    /// What was taken last.
    last: (String, String),
}

impl Lines {
    /// Takes a part of a finding. They come by code and subject; a subject of a code counts once.
    fn take(&mut self, code: &str, subject: &str) {
        if (self.last.0.as_str(), self.last.1.as_str()) == (code, subject) {
            return;
        }
        self.last = (code.to_owned(), subject.to_owned());
        let (count, examples) = self.by_code.entry(code.to_owned()).or_default();
        *count += 1;
        if examples.len() < MOST_EXAMPLES {
            examples.push(subject.to_owned());
        }
    }

    /// Counts otherwise. There are no more examples than are counted.
    fn count_by(&mut self, counts: impl Fn(&str) -> u64) {
        for (code, (count, examples)) in &mut self.by_code {
            *count = counts(code);
            examples.truncate(usize::try_from(*count).unwrap_or(usize::MAX));
        }
        self.by_code.retain(|_, (count, _)| *count > 0);
    }

    /// A line for each code, the gravest first.
    fn lines(self) -> Vec<FindingLine> {
        let mut lines: Vec<_> = self
            .by_code
            .into_iter()
            .map(|(name, (count, examples))| {
                let code = Code::from_name(&name);
                let line = FindingLine {
                    severity: code.map_or("notice", |code| code.severity().as_str()).to_owned(),
                    title: code.map_or_else(|| name.clone(), |code| code.reason().trim_end_matches('.').to_owned()),
                    code: name,
                    count,
                    examples,
                };
                (code.map(Code::severity), line)
            })
            .collect();
        lines.sort_by(|(one, _), (other, _)| one.is_none().cmp(&other.is_none()).then(one.cmp(other)));
        lines.into_iter().map(|(_, line)| line).collect()
    }
}
