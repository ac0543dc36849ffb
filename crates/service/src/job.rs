//! A scheduled job, checked before its first run.

use crate::job_error::of_job;
use crate::search_engines::Announcing;
use crate::transports;
use mapwright_crawl::{AuditPlan, CrawlError, CrawlSpec, check_start, fetch_options};
use mapwright_notify::{Channel, Heartbeat, NotificationSender};
use mapwright_publish::mirror::MirrorTarget as Mirror;
use mapwright_schedule::{ScheduleRule, Timetable};
use mapwright_settings::{
    AuditSection, CrawlSection, Input, JobSection, Loaded, NotifySection, Out, OutputSection, PublishSection,
    RecordedSettings, SettingOrigin, SettingSource, Settings, Task,
};
use mapwright_web::ScopeKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Reads the text of an input that a setting names, up to a number of bytes; the last argument is the setting's key.
pub type ReadInput = fn(&Input, u64, &str) -> Result<String, CrawlError>;

/// The time that files which left the sitemap set are kept, unless the job sets another.
pub(crate) const GRACE: Duration = Duration::from_secs(86_400);

/// A job: its crawl, its schedule, its publication and its receivers of notifications.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub settings: Settings,
    recorded: RecordedSettings,
    pub(crate) origins: Vec<SettingOrigin>,
    /// The place of its table in the file.
    table: Option<SettingSource>,
    read: ReadInput,
    /// Its schedule.
    pub timetable: Timetable,
    /// The folder of its record.
    pub record: PathBuf,
    /// The directory of its sitemaps, if it publishes any.
    pub sitemaps: Option<PathBuf>,
    /// The directory of its reports, if it writes any.
    pub reports: Option<PathBuf>,
    /// The mirrors of its sitemaps.
    pub mirrors: Vec<Mirror>,
    pub(crate) announcing: Announcing,
    pub(crate) post: NotificationSender,
    pub(crate) heartbeat: Option<Heartbeat>,
    /// The receivers of its notifications.
    pub channels: Vec<Channel>,
}

/// The default time limit of a run: half a day, so that a site that has become slow does not hold a slot longer, and a
/// daily job ends before it is due again. The next run resumes the interrupted one.
pub(crate) const MAX_RUN: Duration = Duration::from_secs(12 * 3_600);

impl Job {
    /// Returns whether it notifies anyone, including a watchdog.
    #[must_use]
    pub fn notifies(&self) -> bool {
        !self.channels.is_empty() || self.heartbeat.is_some()
    }

    /// Builds the job `name`, whose record lies below `root`.
    ///
    /// # Errors
    /// If a setting is invalid, or a file that it names cannot be read.
    pub fn new(name: &str, loaded: Loaded, root: &Path, read: ReadInput) -> Result<Self, CrawlError> {
        let (origins, table) = (loaded.origins.clone(), loaded.table.clone());
        Self::of(name, loaded, root, read).map_err(|error| of_job(error, name, &origins, table.as_ref()))
    }

    fn of(name: &str, loaded: Loaded, root: &Path, read: ReadInput) -> Result<Self, CrawlError> {
        let Loaded { mut settings, recorded, origins, table, .. } = loaded;
        settings.crawl.max_time.get_or_insert(MAX_RUN);
        let task = settings.job.task;
        let record = settings.output.state.clone().unwrap_or_else(|| root.join(name));
        let chosen =
            origins.iter().any(|origin| origin.key == OutputSection::out && origin.set_at != SettingSource::Default);
        let sitemaps = match &settings.output.out {
            Out::Stdout => {
                let what = "a job cannot publish to standard output";
                return Err(CrawlError::setting(OutputSection::out, what, "name a directory"));
            }
            Out::Directory(directory) if chosen => absolute(directory),
            Out::Directory(_) => record.join("sitemaps"),
        };
        let inputs = [
            (CrawlSection::url_list, &settings.crawl.url_list),
            (AuditSection::baseline, &settings.audit.baseline),
            (AuditSection::robots_file, &settings.audit.robots_file),
        ];
        if let Some((key, _)) = inputs.into_iter().find(|(_, input)| **input == Some(Input::Stdin)) {
            return Err(CrawlError::setting(key, "a job has no standard input to read", "name a file"));
        }
        let reports = settings.job.reports.as_deref().map_or_else(|| record.join("reports"), absolute);
        settings.output.state = Some(record.clone());
        settings.output.out = Out::Directory(sitemaps.clone());
        settings.publish.grace.get_or_insert(GRACE);
        let post = transports::post(&settings)?;
        let job = Self {
            timetable: timetable(name, &settings)?,
            sitemaps: (task != Task::Audit).then_some(sitemaps),
            reports: (task != Task::Sitemap).then_some(reports),
            mirrors: mirrors(&settings)?,
            announcing: Announcing::new(&settings)?,
            heartbeat: heartbeat(&settings)?,
            channels: channels(&settings, &post)?,
            post,
            name: name.to_owned(),
            recorded,
            origins,
            table,
            read,
            record,
            settings,
        };
        job.check()?;
        Ok(job)
    }

    /// Returns the crawl of one run. `resumes` resumes the unfinished run.
    pub(crate) fn crawl_spec(&self, resumes: bool) -> Result<CrawlSpec, CrawlError> {
        self.crawl(resumes).map_err(|error| self.at_its_line(error))
    }

    fn crawl(&self, resumes: bool) -> Result<CrawlSpec, CrawlError> {
        let mut settings = self.settings.clone();
        settings.record.resume = resumes;
        let read = self.read;
        let urls: Vec<String> = self.settings.job.url.iter().map(|url| url.as_str().to_owned()).collect();
        let list = |input: &Input, limit| read(input, limit, CrawlSection::url_list);
        let spec = CrawlSpec::new(settings, self.recorded.clone(), &urls, list)?;
        let Some(reports) = &self.reports else { return Ok(spec) };
        let audit = AuditPlan::new(&self.settings, read)?.into_directory(reports);
        Ok(if self.sitemaps.is_some() { spec.also_auditing(audit) } else { spec.auditing(audit) })
    }

    /// Returns its start URLs, without the users and passwords that they may contain.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        self.settings.job.url.iter().map(ToString::to_string).collect()
    }

    /// Returns the labels of the search engines that it notifies, for messages.
    #[must_use]
    pub fn engines(&self) -> Vec<String> {
        self.announcing.labels()
    }

    /// Returns the host of the watchdog that receives its heartbeat.
    #[must_use]
    pub fn watchdog(&self) -> Option<&str> {
        self.heartbeat.as_ref().map(Heartbeat::host)
    }

    /// Sets the place of an error to this job and the line of the setting at fault.
    pub(crate) fn at_its_line(&self, error: CrawlError) -> CrawlError {
        of_job(error, &self.name, &self.origins, self.table.as_ref())
    }

    /// Returns the directories and files that every run writes, each with the key of the setting that names it. Those
    /// that a flag names are left out, because they apply to a single run.
    pub(crate) fn folders(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let named = [(JobSection::reports, self.reports.as_ref()), (OutputSection::out, self.sitemaps.as_ref())];
        let baseline = self.settings.audit.write_baseline.as_ref().filter(|_| self.reports.is_some());
        let all = named
            .into_iter()
            .chain([(OutputSection::state, Some(&self.record)), (AuditSection::write_baseline, baseline)]);
        all.filter(|(key, _)| !self.is_flag(key)).filter_map(|(key, folder)| Some((key, folder?)))
    }

    fn is_flag(&self, key: &str) -> bool {
        self.origins.iter().any(|origin| origin.key == key && matches!(origin.set_at, SettingSource::Flag(_)))
    }

    /// Returns the mirrors of its sitemaps with a fixed identity, each with that identity.
    pub(crate) fn fixed_mirrors(&self) -> impl Iterator<Item = (&Mirror, String)> {
        let mirrors = self.mirrors.iter().filter(|_| self.sitemaps.is_some() && !self.is_flag(PublishSection::mirror));
        mirrors.filter_map(|mirror| Some((mirror, mirror.identity()?)))
    }

    fn check(&self) -> Result<(), CrawlError> {
        check_starts(&self.name, &self.settings)?;
        if self.settings.audit.from_record {
            let what = "a job crawls each time, and audits what it saw";
            return Err(CrawlError::setting(AuditSection::from_record, what, "leave it, and use `mapwright audit`"));
        }
        fetch_options(&self.settings)?;
        self.crawl(false).map(drop)
    }
}

/// Returns the absolute path of a directory, because hooks receive it and may run in another directory.
fn absolute(directory: &Path) -> PathBuf {
    std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned())
}

/// Checks the start URLs, which are a setting of a job.
fn check_starts(name: &str, settings: &Settings) -> Result<(), CrawlError> {
    let at = JobSection::url;
    for url in &settings.job.url {
        let wrong = |error: CrawlError| CrawlError::setting(at, format!("{}: {}", error.place, error.what), error.hint);
        check_start(url.as_str()).map_err(wrong)?;
    }
    if settings.job.url.is_empty() && settings.crawl.scope != ScopeKind::List {
        let hint = format!("write url = [\"https://www.example.com/\"] below [job.{name}]");
        return Err(CrawlError::setting(at, "the job has no start URL", hint));
    }
    Ok(())
}

/// Checks the settings that only jobs use.
///
/// # Errors
/// The first setting that is invalid.
pub(crate) fn check_of_jobs(settings: &Settings) -> Result<(), CrawlError> {
    let post = transports::post(settings)?;
    timetable("", settings)?;
    mirrors(settings)?;
    Announcing::new(settings)?;
    heartbeat(settings)?;
    channels(settings, &post).map(drop)
}

/// Reads the mirrors of the sitemaps.
fn mirrors(settings: &Settings) -> Result<Vec<Mirror>, CrawlError> {
    let read = |text: &String| {
        let mirror = Mirror::parse(text)?;
        mirror.check().map(|()| mirror)
    };
    let mirrors = settings.publish.mirror.iter().map(read).collect::<Result<_, _>>();
    mirrors.map_err(|error| CrawlError::setting(PublishSection::mirror, error, "fix the place"))
}

/// Reads the receivers of the job. `post` must be able to reach each of them.
fn channels(settings: &Settings, post: &NotificationSender) -> Result<Vec<Channel>, CrawlError> {
    let at = NotifySection::to;
    let channel = |text: &String| {
        let channel = Channel::parse(text).map_err(|error| CrawlError::setting(at, error, "fix the receiver"))?;
        post.reaches(&channel)
            .map_err(|error| CrawlError::setting(at, error, "set it in [notify], or name another"))?;
        Ok(channel)
    };
    settings.notify.to.iter().map(channel).collect()
}

fn heartbeat(settings: &Settings) -> Result<Option<Heartbeat>, CrawlError> {
    let read = settings.notify.heartbeat.as_deref().map(Heartbeat::parse).transpose();
    read.map_err(|error| CrawlError::setting(NotifySection::heartbeat, error, "write the absolute URL"))
}

fn timetable(name: &str, settings: &Settings) -> Result<Timetable, CrawlError> {
    let job = &settings.job;
    let rule = ScheduleRule {
        cron: job.cron.as_deref(),
        zone: &job.zone,
        window: job.window.as_deref(),
        jitter: job.jitter,
        overlap: job.overlap,
        catch_up: job.catch_up,
    };
    Timetable::new(&rule, name)
        .map_err(|error| CrawlError::setting(&format!("job.{}", error.key), error.what, error.hint))
}
