//! The exit codes that `docs/exit-codes.md` documents.

use crate::signals::Signal;
use mapwright_crawl::{Audited, NotPublished, Publication, RunReport};
use mapwright_engine::Completeness;
use mapwright_service::{JobRunState, RunOutcome};
use std::process::ExitCode;

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command succeeded.
    Done,
    /// An unexpected failure; or `sitemap check` found faults.
    Failed,
    /// The command line, a variable, the configuration file or a named input cannot be used.
    Usage,
    /// No page could be crawled.
    NothingCrawled,
    /// The crawl was cut: time, disk, or the site went down.
    CutShort,
    /// Output or publishing failed, or was refused.
    OutputFailed,
    /// There are findings at or above the requested severity.
    Findings,
    /// Stopped by SIGINT (Ctrl-C); the state is saved.
    Interrupted,
    /// Stopped by SIGTERM; the state is saved.
    Terminated,
}

impl Exit {
    /// Returns the outcome of an audit whose crawl was complete.
    pub(crate) fn of_audit(audited: &Audited) -> Self {
        if audited.broken_rules.is_empty() { Self::Done } else { Self::Findings }
    }

    /// Returns the outcome of a crawl.
    pub(crate) fn of_crawl(report: &RunReport, signal: Option<Signal>) -> Self {
        match (report.how, signal) {
            (Completeness::Cut(_), Some(Signal::Interrupt)) => return Self::Interrupted,
            (Completeness::Cut(_), Some(Signal::Terminate)) => return Self::Terminated,
            _ => {}
        }
        match (&report.publication, report.how) {
            (Publication::NotPublished(NotPublished::NothingCrawled), _) => Self::NothingCrawled,
            (_, Completeness::Cut(_)) => Self::CutShort,
            (Publication::NotPublished(_), Completeness::Complete) => Self::OutputFailed,
            (_, Completeness::Complete) => report.audited.as_ref().map_or(Self::Done, Self::of_audit),
        }
    }

    /// Returns the outcome of the run of a job.
    pub(crate) fn of_job(outcome: &RunOutcome, signal: Option<Signal>) -> Self {
        match (outcome.state, outcome.fault, &outcome.report) {
            (JobRunState::Refused, ..) => Self::OutputFailed,
            (_, Some(fault), _) => fault.into(),
            (_, None, Some(report)) if outcome.state != JobRunState::Failed || !report.unanswered.is_empty() => {
                Self::of_crawl(report, signal)
            }
            (JobRunState::Failed, None, _) => Self::OutputFailed,
            _ => Self::Done,
        }
    }

    /// All outcomes, in the order of the documentation.
    pub(crate) const ALL: [Exit; 9] = [
        Exit::Done,
        Exit::Failed,
        Exit::Usage,
        Exit::NothingCrawled,
        Exit::CutShort,
        Exit::OutputFailed,
        Exit::Findings,
        Exit::Interrupted,
        Exit::Terminated,
    ];

    /// The exit code of the process.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NothingCrawled => 3,
            Exit::CutShort => 4,
            Exit::OutputFailed => 5,
            Exit::Findings => 10,
            Exit::Interrupted => 130,
            Exit::Terminated => 143,
        }
    }

    /// The meaning of the code, for help texts and documentation.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Failed => "unexpected failure; `sitemap check`: faults found",
            Exit::Usage => "usage or configuration; `sitemap`: the document is not available",
            Exit::NothingCrawled => "nothing could be crawled",
            Exit::CutShort => "cut short: time, disk, browser, or the site went down",
            Exit::OutputFailed => "output or publishing failed, or was refused (shrink guard, no URL to list)",
            Exit::Findings => "findings at or above the level of --fail-on",
            Exit::Interrupted => "stopped by SIGINT, state saved",
            Exit::Terminated => "stopped by SIGTERM, state saved",
        }
    }

    /// The list of codes at the end of the help.
    pub(crate) fn help() -> String {
        let lines = Exit::ALL.map(|exit| format!("\n  {:>3}  {}", exit.code(), exit.meaning()));
        format!("Exit codes:{}", lines.concat())
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
