//! `[job]`: what runs at night, and when.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::{CatchUp, Overlap, StartText, Task};
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// What runs at night, and when. `[job]` holds for all jobs, `[job.NAME]` for one; `[job.NAME.crawl]` and the like
    /// hold what that job has other than the sections above.
    pub struct JobSection in Job;

    /// Where the job starts.
    url: Vec<StartText> = "", Kind::Text { name: "URL", example: "https://www.example.com/" }, Audience::JOB;

    /// Publish a sitemap, write the reports of an audit, or do both from one crawl.
    task: Task = "both", Kind::Choice(Task::WORDS), Audience::JOB;

    /// When the job is due: minute, hour, day of the month, month, day of the week (`@daily` and the like too). Without
    /// it the job runs by hand alone.
    cron: Option<String> = "", Kind::Text { name: "CRON", example: "15 2 * * *" }, Audience::JOB;

    /// The time zone of `cron` and `window`, by its IANA name.
    zone: String = "UTC", Kind::Text { name: "ZONE", example: "Europe/Berlin" }, Audience::JOB;

    /// Run between these times of the day alone; a run that does not finish goes on in the next window.
    window: Option<String> = "", Kind::Text { name: "HH:MM-HH:MM", example: "01:00-05:00" }, Audience::JOB;

    /// Begin up to this much later than due, each night by another span.
    jitter: Duration = "0s", Kind::Duration { min: Duration::ZERO }, Audience::JOB;

    /// When a job is due while its run before goes on: leave that night out, or run right after.
    overlap: Overlap = "skip", Kind::Choice(Overlap::WORDS), Audience::JOB;

    /// After the service was down when a job was due: run once, or wait for the next night.
    catch_up: CatchUp = "once", Kind::Choice(CatchUp::WORDS), Audience::JOB;

    /// Write the reports of audits into this directory.
    ///
    /// Without it, `reports` below the job's record; sitemaps go to `sitemaps` there, unless `out` in
    /// `[job.NAME.output]` names a directory.
    reports: Option<PathBuf> = "", Kind::Path { name: "DIR", example: "/srv/www/reports" }, Audience::JOB;
}
