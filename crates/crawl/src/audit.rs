//! Audits of a record: the findings, the reports, and the rules that they break.

use crate::error::{CrawlError, CrawlFault};
use crate::input_name::shown;
use crate::report::Audited;
use crate::site::{Site, somebody_elses};
use crate::starts_excluded::starts_excluded;
use jiff::Timestamp;
use mapwright_audit::baseline::Baseline;
use mapwright_audit::fail_rules::{FailOn, FailRules};
use mapwright_audit::report::{self, Report, UrlTable};
use mapwright_audit::severities::Severities;
use mapwright_audit::{Audit, CheckThresholds, Options, RenderedEvidence, Severity, TextLength};
use mapwright_settings::{AuditSection, Input, Out, OutputSection, ReportFormat, Settings};
use mapwright_store::{Record, RunRow, RunState};
use mapwright_web::Robots;
use std::path::{Path, PathBuf};

/// Bytes of a baseline that are read, at most.
const MAX_BASELINE: u64 = 1 << 30;
/// Bytes of a future robots.txt (`--robots-file`) that are read, at most.
const MAX_ROBOTS: u64 = 512 << 10;

/// The coverage of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ran {
    /// Everything that was requested was fetched.
    pub(crate) complete: bool,
    /// Sitemap files that were not requested, because they lie beyond the limits of number and nesting.
    pub(crate) sitemaps_over_limit: u64,
}

/// The settings of an audit, checked before the first request.
#[derive(Debug, Clone)]
pub struct AuditPlan {
    options: Options,
    gate: FailRules,
    write_baseline: Option<PathBuf>,
    out: PathBuf,
    /// Replaces reports that mapwright did not write for this site.
    replaces: bool,
    annotates: bool,
}

impl AuditPlan {
    /// Builds a plan from settings. `read` returns the text of an input that they name.
    ///
    /// # Errors
    /// If a setting is invalid, or an input cannot be read.
    pub fn new(
        settings: &Settings,
        read: impl Fn(&Input, u64, &str) -> Result<String, CrawlError>,
    ) -> Result<Self, CrawlError> {
        let audit = &settings.audit;
        let Out::Directory(out) = &settings.output.out else {
            let what = "reports are several files, and cannot be written to standard output";
            return Err(CrawlError::setting(OutputSection::out, what, "name a directory"));
        };
        let baseline = match &audit.baseline {
            Some(input) => Baseline::read(&read(input, MAX_BASELINE, AuditSection::baseline)?).map_err(|error| {
                let what = format!("{}: {error}", shown(input));
                CrawlError::setting(AuditSection::baseline, what, "name a file that --write-baseline wrote")
            })?,
            None => Baseline::default(),
        };
        let robots =
            audit.robots_file.as_ref().map(|input| read(input, MAX_ROBOTS, AuditSection::robots_file)).transpose()?;
        Ok(Self {
            options: Options {
                limits: thresholds(settings),
                severities: severities(settings)?,
                baseline,
                next_robots: robots.map(|text| Robots::compile(text.as_bytes())),
                agent: settings.robots_token().to_owned(),
                complete: true,
                sitemaps_over_limit: 0,
                skipped_checks: skipped_checks(settings),
            },
            gate: gate(settings)?,
            write_baseline: audit.write_baseline.clone(),
            out: out.clone(),
            replaces: settings.output.replace,
            annotates: settings.output.format == ReportFormat::Github,
        })
    }

    /// Returns the same plan, with the reports in another directory.
    #[must_use]
    pub fn into_directory(self, out: &Path) -> Self {
        Self { out: out.to_owned(), ..self }
    }

    /// Checks that reports can be written, before the first request.
    ///
    /// # Errors
    /// If the directory cannot be created or written.
    pub(crate) fn prepare(&self, say: &dyn Fn(&str)) -> Result<(), CrawlError> {
        mapwright_publish::Directory::prepare(&self.out, say)
            .map(drop)
            .map_err(|error| CrawlError::output("the output directory (--out)", &error))
    }

    /// Checks that mapwright wrote the reports that are replaced, for this site.
    ///
    /// # Errors
    /// If it did not write one of them, or one cannot be read.
    pub(crate) fn check_own(&self, site: &Site) -> Result<(), CrawlError> {
        match report::foreign(&self.out, &|url| site.holds(url)).map_err(|error| unwritten(&error))? {
            None => Ok(()),
            Some(_) if self.replaces => Ok(()),
            Some(path) => {
                Err(somebody_elses(&format!("{}: mapwright did not write this file for this site", path.display())))
            }
        }
    }

    /// Audits the newest run of a record, which is judged, and writes the reports. `keeps` stores the findings in the
    /// record.
    pub(crate) fn carry_out(&self, record: &mut Record, ran: Ran, keeps: bool) -> Result<Audited, CrawlError> {
        let Ran { complete, sitemaps_over_limit } = ran;
        let options = Options { complete, sitemaps_over_limit, ..self.options.clone() };
        let audit = Audit::of(record, &options)?;
        let rendered = RenderedEvidence::of(&audit, record)?;
        let urls = UrlTable::of(record)?;
        let results = Report {
            run: audit.run(),
            figures: audit.figures(),
            tallies: audit.tallies(),
            items: &rendered,
            fixed: audit.fixed(),
            urls: &urls,
            parameters: audit.parameters(),
            notes: audit.notes(),
        };
        let files = report::write_all(&results, &self.out).map_err(|error| unwritten(&error))?;
        if self.annotates {
            report::github(&results, &mut std::io::stdout().lock()).map_err(|error| unwritten(&error))?;
        }
        if let Some(path) = &self.write_baseline {
            write_baseline(path, &audit.baseline())?;
        }
        if keeps {
            audit.note(record)?;
        }
        Ok(Audited {
            files,
            tallies: audit.tallies().to_vec(),
            counts: Severity::ALL.map(|severity| (severity, audit.count(severity))),
            fixed: audit.fixed().len() as u64,
            starts_excluded: starts_excluded(record)?,
            notes: audit.notes().to_vec(),
            broken_rules: self.gate.broken_rules(&audit),
        })
    }
}

/// Audits the newest run in the record in `folder` that ended. The record does not change.
///
/// # Errors
/// If the record cannot be read, or the reports cannot be written.
pub fn audit_record(folder: &Path, plan: &AuditPlan) -> Result<Audited, CrawlError> {
    let of_record = |error: CrawlError| error.in_record(folder);
    plan.prepare(&|text| tracing::warn!("{text}"))?;
    let record = Record::open_to_read(folder).map_err(|error| of_record(error.into()))?;
    let runs = record.runs().map_err(|error| of_record(error.into()))?;
    let newest = runs.first().filter(|run| matches!(run.state, RunState::Complete | RunState::Cut));
    let Some(run) = newest.or_else(|| runs.iter().find(|run| run.state == RunState::Complete)) else {
        let what = runs.first().map_or("the record holds no run".to_owned(), not_audited);
        return Err(CrawlError::usage("flag --from-record", what, "crawl first, or leave the flag"));
    };
    let note = runs.first().filter(|newest| newest.run != run.run).map(|newest| {
        let started = Timestamp::from_millisecond(run.started).unwrap_or_default();
        format!("{}; this is of run {}, {}", not_audited(newest), run.run, started.strftime("%F %H:%M UTC"))
    });
    let mut record = record.as_of(run.run);
    plan.check_own(&Site::of_run(&record).map_err(|error| of_record(error.into()))?)?;
    let ran = Ran {
        complete: run.state == RunState::Complete,
        sitemaps_over_limit: run.summary.as_ref().map_or(0, |summary| summary.sitemap_files_not_read),
    };
    let mut audited = plan.carry_out(&mut record, ran, false).map_err(of_record)?;
    audited.notes.extend(note);
    Ok(audited)
}

/// Returns the reason why a run is not audited.
fn not_audited(run: &RunRow) -> String {
    match run.state {
        RunState::Failed => format!("the newest run, {}, failed: it saw nothing that could be audited", run.run),
        state => format!("the newest run, {}, has not come to an end ({state})", run.run),
    }
}

/// Returns notes on checks that need requests, which an audit from the record does not send.
fn skipped_checks(settings: &Settings) -> Vec<String> {
    let audit = &settings.audit;
    let note = "External links are not checked by this audit: --check-external needs requests, and \
                --from-record makes none.";
    if audit.from_record && audit.check_external { vec![note.to_owned()] } else { Vec::new() }
}

/// Returns the thresholds of findings.
pub(crate) fn thresholds(settings: &Settings) -> CheckThresholds {
    let audit = &settings.audit;
    CheckThresholds {
        slow: audit.slow,
        oversize: audit.oversize,
        oversize_resource: audit.oversize_resource,
        deep: audit.deep,
        near: u32::from(audit.near),
        title: TextLength {
            min: audit.min_title as usize,
            max: audit.max_title as usize,
            max_width: audit.max_title_width,
        },
        description: TextLength { min: 0, max: audit.max_description as usize, max_width: audit.max_description_width },
        thin: audit.thin,
        long_url: audit.long_url as usize,
    }
}

fn severities(settings: &Settings) -> Result<Severities, CrawlError> {
    let mut severities = Severities::default();
    let hint = "docs/findings.md lists the checks";
    for text in &settings.audit.severity {
        severities.set(text).map_err(|error| CrawlError::setting(AuditSection::severity, error, hint))?;
    }
    for text in &settings.audit.mute {
        severities.mute(text).map_err(|error| CrawlError::setting(AuditSection::mute, error, hint))?;
    }
    Ok(severities)
}

fn gate(settings: &Settings) -> Result<FailRules, CrawlError> {
    let hint = "write error, warning or notice, or a kind of finding (docs/findings.md)";
    let read =
        |text: &String| FailOn::read(text).map_err(|error| CrawlError::setting(AuditSection::fail_on, error, hint));
    let fail_on = settings.audit.fail_on.iter().map(read).collect::<Result<_, _>>()?;
    Ok(FailRules { fail_on, max_broken: settings.audit.max_broken })
}

fn write_baseline(path: &Path, baseline: &Baseline) -> Result<(), CrawlError> {
    mapwright_files::replace(path, baseline.to_json().as_bytes()).map_err(|error| CrawlError {
        fault: CrawlFault::Output,
        what: format!("cannot write ({error})"),
        place: format!("flag --write-baseline, {}", path.display()),
        hint: "name a file that can be written".to_owned(),
        key: Some(AuditSection::write_baseline.to_owned()),
    })
}

fn unwritten(error: &impl std::error::Error) -> CrawlError {
    CrawlError {
        fault: CrawlFault::Output,
        what: error.to_string(),
        place: "the reports (--out)".to_owned(),
        hint: "name a directory that can be written, or free space, and run again".to_owned(),
        key: None,
    }
}
