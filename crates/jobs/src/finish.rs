//! The end of a run: verdicts, publication, report.

use crate::advice::advice;
use crate::audit::{Ran, sitemaps_beyond};
use crate::error::JobError;
use crate::job::Job;
use crate::kept_out::starts_kept_out;
use crate::report::{Answer, Audited, Held, Publication, Report, RobotsLine};
use crate::robots_lines::robots_lines;
use crate::unmatched::unmatched;
use crate::wire;
use mapwright_engine::{Ended, How};
use mapwright_publish::{Directory, Guard, Plan, publish, to_stdout};
use mapwright_settings::{ListKind, ListType};
use mapwright_store::{JudgeOptions, Record, RunState, StoreError};
use mapwright_verdict::Reason;
use mapwright_web::{Identity, PageUrl};
use std::time::Instant;
use url::Url;

/// What was told so far.
pub(crate) struct Told {
    /// At once.
    pub(crate) notices: Vec<String>,
    /// To be told at the end.
    pub(crate) notes: Vec<String>,
    /// Requests went through a proxy, where the address guard cannot see.
    pub(crate) guard_blind: bool,
    /// Requests failed because no more files may be open, in words.
    pub(crate) out_of_files: Option<String>,
    /// When the run began.
    pub(crate) began: Instant,
}

/// Judges the run, publishes its sitemap if it may be, and tells what happened.
pub(crate) fn finish(
    job: &Job,
    mut record: Record,
    directory: Option<Directory>,
    mut ended: Ended,
    told: Told,
) -> Result<Report, JobError> {
    let Told { notices, mut notes, guard_blind, out_of_files, began } = told;
    record.still_there()?;
    // What was refused before a cut is not met again: the files that named it are settled.
    ended.refused.sitemap_files += sitemaps_beyond(record.summary()?.as_deref());
    judge(job, &mut record, &ended)?;
    let counts = record.counts()?;
    let goes_on = matches!(ended.how, How::Cut(_)) && untried(&record)?;
    let failed = !(ended.start_answered || goes_on);
    let starts_kept_out = if failed { Vec::new() } else { starts_kept_out(&record)? };
    let unanswered = if failed { unanswered(&record)? } else { Vec::new() };
    let plan = wire::publish_plan(&job.settings, &ended.scope)?;
    let to_publish = if plan.rewrite.is_empty() { counts.listed } else { published_urls(&record, &plan)? };
    let held = match held(job, &ended, failed) {
        None if job.publishes => guarded(job, &record, to_publish, directory.as_ref())?,
        held => held,
    };
    let publication = publication(job, &mut record, &plan, held, directory)?;
    let audited = audited(job, &mut record, &ended)?;
    let state = state(failed, ended.how);
    // Where nothing was crawled, the start URL reports it.
    notes.extend(out_of_files.filter(|_| !failed).map(|text| format!("some URLs were not requested: {text}")));
    notes.extend(starts_left(&ended));
    notes.extend(advice(&counts, guard_blind));
    notes.extend(unmatched(job, ended.how, counts.ok));
    notes.extend(shared(counts.listed - to_publish.min(counts.listed)));
    let mut report = Report {
        run: record.run(),
        state: record.folder().to_owned(),
        how: ended.how,
        unanswered,
        starts_kept_out,
        queued: ended.drain.queued,
        budget_spent: ended.drain.budget_spent && ended.drain.queued > 0,
        refused: ended.refused,
        down: ended.drain.down,
        robots_lines: lines_to_add(&record, &plan, &publication)?,
        publication,
        audited,
        notices,
        notes,
        took: began.elapsed(),
        counts,
    };
    record.end(state, &summary(&report))?;
    if ended.how == How::Whole
        && let Err(error) = record.prune(&wire::retention(&job.settings))
    {
        // The run is whole all the same: the next one forgets what this one could not.
        report.notes.push(format!("old runs could not be dropped from the record: {error}"));
    }
    Ok(report)
}

fn state(failed: bool, how: How) -> RunState {
    match how {
        _ if failed => RunState::Failed,
        How::Cut(_) => RunState::Cut,
        How::Whole => RunState::Whole,
    }
}

/// Publishes, unless that is held back or was not asked for.
fn publication(
    job: &Job,
    record: &mut Record,
    plan: &Plan,
    held: Option<Held>,
    directory: Option<Directory>,
) -> Result<Publication, JobError> {
    let Some(held) = held else {
        return if job.publishes { deliver(record, plan, directory) } else { Ok(Publication::NotAsked) };
    };
    if matches!(held, Held::Refused(_)) {
        record.stand_by_the_published()?;
    }
    Ok(Publication::Held(held))
}

/// Start URLs that lead to other sites, where another one answered.
fn starts_left(ended: &Ended) -> Vec<String> {
    if !ended.start_answered {
        return Vec::new();
    }
    let left =
        |(from, to): &(String, String)| format!("{from} redirects to another site, {to}; to crawl it, start there");
    ended.starts_left.iter().map(left).collect()
}

/// That this many of the listed pages are published as another is, if so.
fn shared(pages: u64) -> Option<String> {
    let note =
        "of the listed pages share a published URL with another, under which one of them stands (--rewrite-host)";
    (pages > 0).then(|| format!("{pages} {note}"))
}

/// What the record keeps of a run's figures.
fn summary(report: &Report) -> String {
    let counts = &report.counts;
    let held = if let Publication::Held(held) = report.publication { Some(held.to_string()) } else { None };
    serde_json::json!({
        "published": matches!(report.publication, Publication::Published(..) | Publication::Printed(_)),
        "held": held,
        "fetched": counts.fetched,
        "not_modified": counts.vouched,
        "not_asked": counts.unasked,
        "listed": counts.listed,
        "kept_failing": counts.kept,
        "excluded": counts.excluded.iter().map(|(_, count)| count).sum::<u64>(),
        "wire_bytes": counts.wire_bytes,
        "sitemap_files_not_read": report.refused.sitemap_files,
        "findings": report.audited.as_ref().map(Audited::arrivals),
    })
    .to_string()
}

fn judge(job: &Job, record: &mut Record, ended: &Ended) -> Result<(), JobError> {
    let types = job.settings.sitemap.list_types.clone();
    let identity = Identity::new(false, &[]);
    let twin = |text: &str| PageUrl::parse(text, &identity).map(|url| url.twin_text()).unwrap_or_default();
    let unreached = match ended.how {
        How::Cut(_) => Reason::NotReached,
        How::Whole if ended.drain.budget_spent => Reason::Budget,
        How::Whole => Reason::NotReached,
    };
    let rewrites = wire::rewrites(&job.settings)?;
    let published = |text: &str| rewrites.iter().find_map(|rewrite| rewrite.apply(text));
    Ok(record.judge(&JudgeOptions {
        published: if rewrites.is_empty() { None } else { Some(&published) },
        lists: &|kind| lists(&types, kind),
        no_list: &|text| job.no_list.is_match(text),
        twin: &twin,
        recommended: job.settings.sitemap.list == ListKind::Recommended,
        unreached,
        lastmod: !job.settings.sitemap.no_lastmod,
        learns: job.content.is_none(),
        remembers: ended.start_answered && (ended.how == How::Whole || job.settings.sitemap.allow_partial),
        follows_nofollow: job.settings.crawl.follow_nofollow,
        keep_failing: job.settings.record.keep_failing,
    })?)
}

/// Whether documents of this kind are listed.
fn lists(types: &[ListType], kind: &str) -> bool {
    types.iter().any(|listed| match listed {
        ListType::Html => matches!(kind, "html" | "xhtml"),
        other => other.as_str() == kind,
    })
}

/// The audit of the run, if one is to be made. Beside a sitemap it waits until the run is whole.
fn audited(job: &Job, record: &mut Record, ended: &Ended) -> Result<Option<Audited>, JobError> {
    let whole = ended.how == How::Whole;
    match &job.audit {
        Some(plan) if ended.start_answered && (whole || !job.publishes) => {
            plan.carry_out(record, Ran { whole, sitemaps_beyond: ended.refused.sitemap_files }, true).map(Some)
        }
        _ => Ok(None),
    }
}

/// Why no sitemap is to be published, whatever it would list.
fn held(job: &Job, ended: &Ended, failed: bool) -> Option<Held> {
    let was_cut = matches!(ended.how, How::Cut(_));
    if failed {
        return Some(Held::NothingCrawled);
    }
    (job.publishes && was_cut && !job.settings.sitemap.allow_partial).then_some(Held::Cut)
}

/// Why a sitemap of so many `urls` is not to take the place of the one that is there, if so.
fn guarded(job: &Job, record: &Record, urls: u64, directory: Option<&Directory>) -> Result<Option<Held>, JobError> {
    let guard = Guard { percent: job.settings.sitemap.shrink_guard };
    Ok(match directory {
        Some(directory) => guard.judge(record, directory, urls)?.map(Held::Refused),
        None => (urls == 0).then_some(Held::Refused(mapwright_publish::Refusal::Empty)),
    })
}

/// How many URLs are published where several of the listed ones may come to one name.
fn published_urls(record: &Record, plan: &Plan) -> Result<u64, JobError> {
    let mut urls = 0;
    plan.listed(record, |_| {
        urls += 1;
        Ok::<(), StoreError>(())
    })?;
    Ok(urls)
}

fn deliver(record: &mut Record, plan: &Plan, directory: Option<Directory>) -> Result<Publication, JobError> {
    // The run is left unfinished, with nothing queued.
    let remedy = "what was there is as it was, and the record has all that was crawled: free space, or see that the \
                  place can be written, and publish by `mapwright resume`, which asks for nothing again";
    let failed = |error| JobError { remedy: remedy.into(), ..JobError::output("publishing", &error) };
    match directory {
        Some(directory) => {
            let published = publish(record, plan, &directory).map_err(failed)?;
            Ok(Publication::Published(directory.path().to_owned(), published))
        }
        None => {
            let mut out = std::io::stdout().lock();
            to_stdout(record, plan, &mut out).map(Publication::Printed).map_err(failed)
        }
    }
}

/// Whether a start URL was not tried yet: a run that is cut before that has not failed, and goes on.
fn untried(record: &Record) -> Result<bool, JobError> {
    let fates = record.start_fates()?;
    Ok(fates.is_empty() || fates.iter().any(|fate| fate.outcome.is_none()))
}

/// What each start URL answered, where none answered 200.
fn unanswered(record: &Record) -> Result<Vec<Answer>, JobError> {
    let fates = record.start_fates()?;
    Ok(fates
        .into_iter()
        .map(|fate| Answer { what: fate.in_words(), instead: fate.instead(), remedy: fate.remedy(), url: fate.url })
        .collect())
}

/// The `Sitemap:` lines that the hosts of what was published are to have.
fn lines_to_add(record: &Record, plan: &Plan, publication: &Publication) -> Result<Vec<RobotsLine>, JobError> {
    let Publication::Published(_, published) = publication else { return Ok(Vec::new()) };
    let names = std::iter::once(&published.entry_point).chain(&published.further_indexes);
    let sitemaps: Vec<Url> = names.filter_map(|name| plan.series.base.join(name).ok()).collect();
    Ok(robots_lines(record, &published.origins, &sitemaps)?)
}
