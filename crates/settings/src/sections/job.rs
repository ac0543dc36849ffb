//! `[job]`: jobs that run on a schedule.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::{CatchUp, Overlap, StartText, Task};
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// Jobs that run on a schedule. `[job]` holds for all jobs, `[job.NAME]` for one; `[job.NAME.crawl]` and the like
    /// override the sections above for that job.
    pub struct JobSection in Job;

    /// The start URLs of the job.
    url: Vec<StartText> = "", Kind::Text { name: "URL", example: "https://www.example.com/" }, Audience::JOB;

    /// Publish a sitemap, write the reports of an audit, or do both from one crawl.
    task: Task = "both", Kind::Choice(Task::WORDS), Audience::JOB;

    /// The schedule of the job: minute, hour, day of the month, month, day of the week (`@daily` and the like too).
    /// Without it, the job runs only by hand.
    cron: Option<String> = "", Kind::Text { name: "CRON", example: "15 2 * * *" }, Audience::JOB;

    /// The time zone of `cron` and `window`, by its IANA name.
    zone: String = "UTC", Kind::Text { name: "ZONE", example: "Europe/Berlin" }, Audience::JOB;

    /// Run only between these times of the day; a run that does not finish is resumed in the next window.
    window: Option<String> = "", Kind::Text { name: "HH:MM-HH:MM", example: "01:00-05:00" }, Audience::JOB;

    /// Begin each run up to this much later than it is due; the delay differs from run to run.
    jitter: Duration = "0s", Kind::Duration { min: Duration::ZERO }, Audience::JOB;

    /// When a job is due while its previous run is still active: skip that run, or start it right after.
    overlap: Overlap = "skip", Kind::Choice(Overlap::WORDS), Audience::JOB;

    /// When the service was down while a job was due: run the job once, or wait for its next scheduled time.
    catch_up: CatchUp = "once", Kind::Choice(CatchUp::WORDS), Audience::JOB;

    /// Write the reports of audits into this directory.
    ///
    /// Without it, `reports` below the job's record; sitemaps go to `sitemaps` there, unless `out` in
    /// `[job.NAME.output]` names a directory.
    reports: Option<PathBuf> = "", Kind::Path { name: "DIR", example: "/srv/www/reports" }, Audience::JOB;
}
