//! The beginning of a run: a new one, or one that is resumed.

use crate::crawl_spec::CrawlSpec;
use crate::error::CrawlError;
use crate::recorded_settings::{self, begun_with};
use mapwright_engine::Start;
use mapwright_fetch::HttpFetch;
use mapwright_model::Resumed;
use mapwright_store::{Record, Resumption, Unfinished};
use mapwright_text::counted;

/// A run that has begun.
pub(crate) struct Begun {
    pub(crate) start: Start,
    /// Notices to report at once.
    pub(crate) notices: Vec<String>,
}

/// Begins a run of `spec` in `record`, or resumes the unfinished one, as the settings say.
pub(crate) fn begin(spec: &CrawlSpec, record: &mut Record) -> Result<Begun, CrawlError> {
    let starts: Vec<String> = spec.start_urls().iter().map(ToString::to_string).collect();
    let mut start = Start { urls: spec.seeds(), list: spec.list.clone(), resumed: None };
    let mut notices = Vec::new();
    match (record.unfinished()?, spec.settings.record.resume) {
        (Some(unfinished), true) => {
            start.resumed = resume_run(spec, record, &unfinished, &starts, &mut notices)?;
            return Ok(Begun { start, notices });
        }
        (Some(Unfinished { run, queued, .. }), false) => notices.push(format!(
            "run {run} of this record is unfinished ({} queued): it is dropped, and a new run \
             starts (--resume resumes it)",
            counted(queued, "URL")
        )),
        (None, true) => notices.push("no run of this record is unfinished: a new run begins".to_owned()),
        (None, false) => {}
    }
    record.begin(&recorded_settings::info(spec.kind(), &starts, &spec.recorded))?;
    Ok(Begun { start, notices })
}

fn resume_run(
    spec: &CrawlSpec,
    record: &mut Record,
    unfinished: &Unfinished,
    starts: &[String],
    notices: &mut Vec<String>,
) -> Result<Option<Resumed>, CrawlError> {
    let (begun_at, begun) = begun_with(unfinished);
    if begun_at != starts {
        let what = format!("the run that can be resumed started at {}", begun_at.join(" "));
        return Err(CrawlError::usage("flag --resume", what, "give the same start URLs, or leave --resume"));
    }
    let missing = recorded_settings::missing_secrets(&begun, &spec.recorded);
    if !missing.is_empty() {
        let what = format!("the run was begun with {}, and secrets are not kept in the record", missing.join(" and "));
        return Err(CrawlError::usage(format!("run {}", unfinished.run), what, "give it again"));
    }
    notices.push(format!("resuming run {}: {} queued", unfinished.run, counted(unfinished.queued, "URL")));
    notices.extend(recorded_settings::differences(&begun, &spec.recorded));
    Ok(match record.resume()? {
        Resumption::Resumes(resumed) => Some(resumed),
        Resumption::Begins => None,
    })
}

/// Adds the origins that the scope moved to before the interruption to the first-party origins of the fetcher.
pub(crate) fn restore_first_party_origins(start: &Start, fetcher: &HttpFetch) {
    let roots = start.resumed.iter().flat_map(|resumed| &resumed.roots);
    roots.for_each(|root| {
        fetcher.follow_redirect(&root.origin());
    });
}
