//! `[job]`: jobs that run on a schedule.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::{StartText, Task};
use mapwright_schedule::{CatchUp, Overlap};
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// Jobs that run on a schedule. `[job]` holds for all jobs, `[job.NAME]` for one; `[job.NAME.crawl]` and the like
    /// override the sections above for that job.
    pub struct JobSection in Job;

    /// The start URLs of the job.
    url: Vec<StartText> = "",
        kind ValueKind::Text { name: "URL", example: "https://www.example.com/" }, for OptionCommands::JOB;

    /// Publish a sitemap, write the reports of an audit, or do both from one crawl.
    task: Task = "both", for OptionCommands::JOB;

    /// The schedule of the job: minute, hour, day of the month, month, day of the week (`@daily` and the like too).
    /// Without it, the job runs only by hand.
    cron: Option<String> = "", kind ValueKind::Text { name: "CRON", example: "15 2 * * *" }, for OptionCommands::JOB;

    /// The time zone of `cron` and `window`, by its IANA name.
    zone: String = "UTC", kind ValueKind::Text { name: "ZONE", example: "Europe/Berlin" }, for OptionCommands::JOB;

    /// Run only between these times of the day; a run that does not finish is resumed in the next window.
    window: Option<String> = "",
        kind ValueKind::Text { name: "HH:MM-HH:MM", example: "01:00-05:00" }, for OptionCommands::JOB;

    /// Begin each run up to this much later than it is due; the delay differs from run to run.
    jitter: Duration = "0s", kind ValueKind::Duration { min: Duration::ZERO }, for OptionCommands::JOB;

    /// When a job is due while its previous run is still active: skip that run, or start it right after.
    overlap: Overlap = "skip", for OptionCommands::JOB;

    /// When the service was down while a job was due: run the job once, or wait for its next scheduled time.
    catch_up: CatchUp = "once", for OptionCommands::JOB;

    /// Write the reports of audits into this directory.
    ///
    /// Without it, `reports` below the job's record; sitemaps go to `sitemaps` there, unless `out` in
    /// `[job.NAME.output]` names a directory.
    reports: Option<PathBuf> = "",
        kind ValueKind::Path { name: "DIR", example: "/srv/www/reports" }, for OptionCommands::JOB;
}
