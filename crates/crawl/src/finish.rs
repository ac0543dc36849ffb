//! The end of a run: verdicts, publication, report.

use crate::audit::Ran;
use crate::crawl_spec::CrawlSpec;
use crate::error::CrawlError;
use crate::publish_plan::{publish_plan, rewrites};
use crate::report::{Audited, NotPublished, Publication, RobotsLine, RunReport, StartAnswer};
use crate::robots_sitemaps::robots_lines;
use crate::start_texts;
use crate::starts_excluded::starts_excluded;
use crate::summary_advice::advice;
use crate::unmatched::unmatched;
use crate::wire;
use mapwright_engine::{Completeness, CrawlResult};
use mapwright_publish::{Directory, PublishOptions, ShrinkGuard, publish, to_stdout};
use mapwright_settings::{ListKind, ListType};
use mapwright_store::{JudgeOptions, Record, RunState, RunSummary, StoreError};
use mapwright_verdict::Reason;
use mapwright_web::{PageUrl, UrlIdentity};
use std::time::Instant;
use url::Url;

/// The notices and facts that a run gathered.
pub(crate) struct Notes {
    /// Notices that were reported at once.
    pub(crate) notices: Vec<String>,
    /// Notes for the end.
    pub(crate) notes: Vec<String>,
    /// Requests went through a proxy, where the address guard cannot check addresses.
    pub(crate) guard_is_bypassed: bool,
    /// Requests failed because too many files were open, in words.
    pub(crate) out_of_files: Option<String>,
    /// When the run began.
    pub(crate) began: Instant,
}

/// Judges the run, publishes its sitemap if it may be published, and returns the report.
pub(crate) fn finish(
    spec: &CrawlSpec,
    mut record: Record,
    directory: Option<Directory>,
    mut ended: CrawlResult,
    report_notes: Notes,
) -> Result<RunReport, CrawlError> {
    let Notes { notices, mut notes, guard_is_bypassed, out_of_files, began } = report_notes;
    record.still_there()?;
    // A resumed run does not find these sitemap files again: the files that named them are processed already.
    ended.refused.sitemap_files += record.summary()?.unwrap_or_default().sitemap_files_not_read;
    judge(spec, &mut record, &ended)?;
    let counts = record.counts()?;
    let resumes = matches!(ended.completeness, Completeness::Cut(_)) && untried(&record)?;
    let failed = !(ended.start_answered || resumes);
    let starts_excluded = if failed { Vec::new() } else { starts_excluded(&record)? };
    let unanswered = if failed { unanswered(&record)? } else { Vec::new() };
    let plan = publish_plan(&spec.settings, &ended.scope)?;
    let to_publish = if plan.rewrite.is_empty() { counts.listed } else { published_urls(&record, &plan)? };
    let not_published = match not_published(spec, &ended, failed) {
        None if spec.publishes => guarded(spec, &record, to_publish, directory.as_ref())?,
        not_published => not_published,
    };
    let publication = publication(spec, &mut record, &plan, not_published, directory)?;
    let audited = audited(spec, &mut record, &ended)?;
    let state = state(failed, ended.completeness);
    // If nothing was crawled, the answer of the start URL reports it.
    notes.extend(out_of_files.filter(|_| !failed).map(|text| format!("some URLs were not requested: {text}")));
    notes.extend(starts_on_other_site(&ended));
    notes.extend(advice(&counts, guard_is_bypassed));
    notes.extend(unmatched(spec, ended.completeness, counts.ok));
    notes.extend(shared(counts.listed - to_publish.min(counts.listed)));
    let mut report = RunReport {
        run: record.run(),
        state: record.folder().to_owned(),
        how: ended.completeness,
        unanswered,
        starts_excluded,
        queued: ended.queue.queued,
        budget_spent: ended.queue.budget_spent && ended.queue.queued > 0,
        refused: ended.refused,
        down: ended.queue.down,
        robots_lines: lines_to_add(&record, &plan, &publication)?,
        publication,
        audited,
        notices,
        notes,
        took: began.elapsed(),
        counts,
        browser: ended.browser,
    };
    record.end(state, &summary(&report))?;
    if ended.completeness == Completeness::Complete
        && let Err(error) = record.prune(&wire::retention(&spec.settings))
    {
        // The run is complete all the same: the next one prunes the old runs.
        report.notes.push(format!("old runs could not be dropped from the record: {error}"));
    }
    Ok(report)
}

fn state(failed: bool, how: Completeness) -> RunState {
    match how {
        _ if failed => RunState::Failed,
        Completeness::Cut(_) => RunState::Cut,
        Completeness::Complete => RunState::Complete,
    }
}

/// Publishes the sitemap, unless it is held back or was not requested.
fn publication(
    spec: &CrawlSpec,
    record: &mut Record,
    plan: &PublishOptions,
    not_published: Option<NotPublished>,
    directory: Option<Directory>,
) -> Result<Publication, CrawlError> {
    let Some(not_published) = not_published else {
        return if spec.publishes { publish_to(record, plan, directory) } else { Ok(Publication::NotRequested) };
    };
    if matches!(not_published, NotPublished::Refused(_)) {
        record.restore_published_listing()?;
    }
    Ok(Publication::NotPublished(not_published))
}

/// Returns notes on start URLs that redirect to other sites, if another start URL answered.
fn starts_on_other_site(ended: &CrawlResult) -> Vec<String> {
    if !ended.start_answered {
        return Vec::new();
    }
    let left =
        |(from, to): &(String, String)| format!("{from} redirects to another site, {to}; to crawl it, start there");
    ended.starts_on_other_site.iter().map(left).collect()
}

/// Returns a note with the number of listed pages that share their published URL with another, if there are any.
fn shared(pages: u64) -> Option<String> {
    let note =
        "of the listed pages share a published URL with another, under which one of them stands (--rewrite-host)";
    (pages > 0).then(|| format!("{pages} {note}"))
}

/// Returns the figures of a run that the record stores.
fn summary(report: &RunReport) -> RunSummary {
    let counts = &report.counts;
    let not_published =
        if let Publication::NotPublished(why) = report.publication { Some(why.to_string()) } else { None };
    RunSummary {
        published: matches!(report.publication, Publication::Published(..) | Publication::Printed(_)),
        not_published,
        fetched: counts.fetched,
        not_modified: counts.revalidated,
        not_requested: counts.not_requested,
        listed: counts.listed,
        kept_failing: counts.kept,
        excluded: counts.excluded.iter().map(|(_, count)| count).sum(),
        wire_bytes: counts.wire_bytes,
        sitemap_files_not_read: report.refused.sitemap_files,
        rendering: Some(counts.rendering).filter(|rendering| rendering.pages > 0),
        findings: report.audited.as_ref().map(Audited::arrivals),
    }
}

fn judge(spec: &CrawlSpec, record: &mut Record, ended: &CrawlResult) -> Result<(), CrawlError> {
    let types = spec.settings.sitemap.list_types.clone();
    let identity = UrlIdentity::keep_all();
    let duplicate_key =
        |text: &str| PageUrl::parse(text, &identity).map(|url| url.duplicate_key_text()).unwrap_or_default();
    let unreached = match ended.completeness {
        Completeness::Cut(_) => Reason::NotReached,
        Completeness::Complete if ended.queue.budget_spent => Reason::Budget,
        Completeness::Complete => Reason::NotReached,
    };
    let rewrites = rewrites(&spec.settings)?;
    let published = |text: &str| rewrites.iter().find_map(|rewrite| rewrite.apply(text));
    Ok(record.judge(&JudgeOptions {
        published: if rewrites.is_empty() { None } else { Some(&published) },
        lists: &|kind| lists(&types, kind),
        no_list: &|text| spec.no_list.is_match(text),
        duplicate_key: &duplicate_key,
        recommended: spec.settings.sitemap.list == ListKind::Recommended,
        unreached,
        lastmod: !spec.settings.sitemap.no_lastmod,
        learns: spec.content.is_none(),
        remembers: ended.start_answered
            && (ended.completeness == Completeness::Complete || spec.settings.sitemap.allow_partial),
        follows_nofollow: spec.settings.crawl.follow_nofollow,
        keep_failing: spec.settings.record.keep_failing,
    })?)
}

/// Returns whether documents of this kind are listed.
fn lists(types: &[ListType], kind: &str) -> bool {
    types.iter().any(|listed| match listed {
        ListType::Html => matches!(kind, "html" | "xhtml"),
        other => other.as_str() == kind,
    })
}

/// Audits the run, if the job audits. A job that also publishes audits complete runs only.
fn audited(spec: &CrawlSpec, record: &mut Record, ended: &CrawlResult) -> Result<Option<Audited>, CrawlError> {
    let complete = ended.completeness == Completeness::Complete;
    match &spec.audit {
        Some(plan) if ended.start_answered && (complete || !spec.publishes) => {
            plan.carry_out(record, Ran { complete, sitemaps_over_limit: ended.refused.sitemap_files }, true).map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns the reason why no sitemap is published, whatever it would list.
fn not_published(spec: &CrawlSpec, ended: &CrawlResult, failed: bool) -> Option<NotPublished> {
    let was_cut = matches!(ended.completeness, Completeness::Cut(_));
    if failed {
        return Some(NotPublished::NothingCrawled);
    }
    (spec.publishes && was_cut && !spec.settings.sitemap.allow_partial).then_some(NotPublished::Cut)
}

/// Returns the reason why a sitemap of this many `urls` does not replace the current one, if there is a reason.
fn guarded(
    spec: &CrawlSpec,
    record: &Record,
    urls: u64,
    directory: Option<&Directory>,
) -> Result<Option<NotPublished>, CrawlError> {
    let guard = ShrinkGuard { percent: spec.settings.sitemap.shrink_guard };
    Ok(match directory {
        Some(directory) => guard.judge(record, directory, urls)?.map(NotPublished::Refused),
        None => (urls == 0).then_some(NotPublished::Refused(mapwright_publish::ShrinkRefusal::Empty)),
    })
}

/// Returns the number of published URLs, which is lower than that of the listed ones if rewrites map several to one.
fn published_urls(record: &Record, plan: &PublishOptions) -> Result<u64, CrawlError> {
    let mut urls = 0;
    plan.listed(record, |_| {
        urls += 1;
        Ok::<(), StoreError>(())
    })?;
    Ok(urls)
}

fn publish_to(
    record: &mut Record,
    plan: &PublishOptions,
    directory: Option<Directory>,
) -> Result<Publication, CrawlError> {
    // The run stays unfinished, with nothing queued.
    let hint = "an existing sitemap is unchanged, and the record has everything that was crawled: free space, or make the \
                  directory writable, and publish by `mapwright resume`, which requests nothing again";
    let failed = |error| CrawlError { hint: hint.into(), ..CrawlError::output("publishing", &error) };
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

/// Returns whether a start URL was not requested yet: a run that is interrupted before that has not failed, and can be
/// resumed.
fn untried(record: &Record) -> Result<bool, CrawlError> {
    let statuses = record.start_statuses()?;
    Ok(statuses.is_empty() || statuses.iter().any(|status| status.outcome.is_none()))
}

/// Returns the answer of each start URL, if none answered 200.
fn unanswered(record: &Record) -> Result<Vec<StartAnswer>, CrawlError> {
    let statuses = record.start_statuses()?;
    Ok(statuses
        .into_iter()
        .map(|status| StartAnswer {
            what: start_texts::in_words(&status),
            instead: start_texts::instead(&status),
            hint: start_texts::hint(&status),
            url: status.url,
        })
        .collect())
}

/// Returns the `Sitemap:` lines that the robots.txt of each published host lacks.
fn lines_to_add(
    record: &Record,
    plan: &PublishOptions,
    publication: &Publication,
) -> Result<Vec<RobotsLine>, CrawlError> {
    let Publication::Published(_, published) = publication else { return Ok(Vec::new()) };
    let names = std::iter::once(&published.entry_point).chain(&published.further_indexes);
    let sitemaps: Vec<Url> = names.filter_map(|name| plan.series.base.join(name).ok()).collect();
    Ok(robots_lines(record, &published.origins, &sitemaps)?)
}
