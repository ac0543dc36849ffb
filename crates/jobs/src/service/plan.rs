//! What one nightly job is to do, checked before its first night.

use super::announce::Announcing;
use crate::audit::AuditPlan;
use crate::error::JobError;
use crate::fetch_options::fetch_options;
use crate::job::Job;
use crate::starts;
use mapwright_publish::mirror::Place as Mirror;
use mapwright_schedule::{CatchUp, Overlap, Rule, Timetable};
use mapwright_settings::{
    CatchUp as CatchUpSetting, Input, Loaded, Origin, Out, Overlap as OverlapSetting, Place, Recorded, ScopeKind,
    Settings, Task,
};
use mapwright_tell::{Channel, Heartbeat, Post};
use mapwright_web::Identity;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Gives the text of an input named in the settings, of at most so many bytes; the last text is the setting's key.
pub type ReadInput = fn(&Input, u64, &str) -> Result<String, JobError>;

/// How long files that left the set are kept, unless the job says otherwise.
const GRACE: Duration = Duration::from_secs(86_400);

/// One job: what it crawls and when, what it publishes and whom it tells.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub settings: Settings,
    recorded: Recorded,
    origins: Vec<Origin>,
    /// Where its table begins in the file.
    table: Option<Place>,
    read: ReadInput,
    /// When it runs.
    pub timetable: Timetable,
    /// The folder of its record.
    pub record: PathBuf,
    /// Where its sitemaps go, if it makes any.
    pub sitemaps: Option<PathBuf>,
    /// Where its reports go, if it makes any.
    pub reports: Option<PathBuf>,
    /// Further places that its sitemaps are brought to.
    pub mirrors: Vec<Mirror>,
    pub(crate) announcing: Announcing,
    pub(crate) post: Post,
    pub(crate) heartbeat: Option<Heartbeat>,
    /// Whom it tells.
    pub channels: Vec<Channel>,
}

/// How long a run of a job may take where nothing else is said: half a day, so that a site that has become slow keeps its
/// place from others no longer, and a daily job is over before it is due again. What was cut goes on with the next run.
const LONGEST_RUN: Duration = Duration::from_secs(12 * 3_600);

impl Plan {
    /// Whether anybody hears of it, a watchdog among them.
    #[must_use]
    pub fn tells(&self) -> bool {
        !self.channels.is_empty() || self.heartbeat.is_some()
    }

    /// The plan of job `name`, whose record lies below `root`.
    ///
    /// # Errors
    /// When a setting makes no sense, or a file that it names cannot be read.
    pub fn new(name: &str, loaded: Loaded, root: &Path, read: ReadInput) -> Result<Self, JobError> {
        let (origins, table) = (loaded.origins.clone(), loaded.table.clone());
        Self::of(name, loaded, root, read).map_err(|error| error.of_job(name, &origins, table.as_ref()))
    }

    fn of(name: &str, loaded: Loaded, root: &Path, read: ReadInput) -> Result<Self, JobError> {
        let Loaded { mut settings, recorded, origins, table, .. } = loaded;
        settings.crawl.max_time.get_or_insert(LONGEST_RUN);
        let task = settings.job.task;
        let record = settings.output.state.clone().unwrap_or_else(|| root.join(name));
        let chosen = origins.iter().any(|origin| origin.key == "output.out" && origin.place != Place::Default);
        let sitemaps = match &settings.output.out {
            Out::Stdout => {
                let what = "a job cannot publish to standard output";
                return Err(JobError::setting("output.out", what, "name a directory"));
            }
            Out::Directory(directory) if chosen => absolute(directory),
            Out::Directory(_) => record.join("sitemaps"),
        };
        let inputs = [
            ("crawl.url-list", &settings.crawl.url_list),
            ("audit.baseline", &settings.audit.baseline),
            ("audit.robots-file", &settings.audit.robots_file),
        ];
        if let Some((key, _)) = inputs.into_iter().find(|(_, input)| **input == Some(Input::Stdin)) {
            return Err(JobError::setting(key, "a job has no standard input to read", "name a file"));
        }
        let reports = settings.job.reports.as_deref().map_or_else(|| record.join("reports"), absolute);
        settings.output.state = Some(record.clone());
        settings.output.out = Out::Directory(sitemaps.clone());
        settings.publish.grace.get_or_insert(GRACE);
        let post = super::post::post(&settings)?;
        let plan = Self {
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
        plan.check()?;
        Ok(plan)
    }

    /// The crawl of one night. `goes_on`: with the run that was cut.
    pub(crate) fn job(&self, goes_on: bool) -> Result<Job, JobError> {
        self.crawl(goes_on).map_err(|error| self.at_its_line(error))
    }

    fn crawl(&self, goes_on: bool) -> Result<Job, JobError> {
        let mut settings = self.settings.clone();
        settings.record.resume = goes_on;
        let read = self.read;
        let urls: Vec<String> = self.settings.job.url.iter().map(|url| url.as_str().to_owned()).collect();
        let list = |input: &Input, limit| read(input, limit, "crawl.url-list");
        let job = Job::new(settings, self.recorded.clone(), &urls, list)?;
        let Some(reports) = &self.reports else { return Ok(job) };
        let audit = AuditPlan::new(&self.settings, read)?.into_directory(reports);
        Ok(if self.sitemaps.is_some() { job.also_auditing(audit) } else { job.auditing(audit) })
    }

    /// Its start URLs, as they are told: without the users and passwords that they may hold.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        self.settings.job.url.iter().map(ToString::to_string).collect()
    }

    /// The search engines that it tells, as messages call them.
    #[must_use]
    pub fn engines(&self) -> Vec<String> {
        self.announcing.labels()
    }

    /// The host of the watchdog that it gives a sign of life to.
    #[must_use]
    pub fn watchdog(&self) -> Option<&str> {
        self.heartbeat.as_ref().map(Heartbeat::host)
    }

    /// Says of a setting at fault that it is this job's, and where it stands.
    pub(super) fn at_its_line(&self, error: JobError) -> JobError {
        error.of_job(&self.name, &self.origins, self.table.as_ref())
    }

    /// The directories and files that it writes whenever it runs, each with the key of the setting that names it. What a flag
    /// names holds for this once.
    pub(super) fn folders(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let named = [("job.reports", self.reports.as_ref()), ("output.out", self.sitemaps.as_ref())];
        let baseline = self.settings.audit.write_baseline.as_ref().filter(|_| self.reports.is_some());
        let all = named.into_iter().chain([("output.state", Some(&self.record)), ("audit.write-baseline", baseline)]);
        all.filter(|(key, _)| !self.is_flag(key)).filter_map(|(key, folder)| Some((key, folder?)))
    }

    fn is_flag(&self, key: &str) -> bool {
        self.origins.iter().any(|origin| origin.key == key && matches!(origin.place, Place::Flag(_)))
    }

    /// The mirrors of its sitemaps that are one place wherever they are named, each with what that is.
    pub(super) fn fixed_mirrors(&self) -> impl Iterator<Item = (&Mirror, String)> {
        let mirrors = self.mirrors.iter().filter(|_| self.sitemaps.is_some() && !self.is_flag("publish.mirror"));
        mirrors.filter_map(|mirror| Some((mirror, mirror.identity()?)))
    }

    fn check(&self) -> Result<(), JobError> {
        check_starts(&self.settings)?;
        if self.settings.audit.from_record {
            let what = "a job crawls each time, and audits what it saw";
            return Err(JobError::setting("audit.from-record", what, "leave it, and use `mapwright audit`"));
        }
        fetch_options(&self.settings)?;
        self.crawl(false).map(drop)
    }
}

/// The whole path of a directory: hooks are told of it, and may work in another.
fn absolute(directory: &Path) -> PathBuf {
    std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned())
}

/// Checks the start URLs, which are a setting of a job.
fn check_starts(settings: &Settings) -> Result<(), JobError> {
    let at = "job.url";
    for url in &settings.job.url {
        let wrong = |error: JobError| JobError::setting(at, format!("{}: {}", error.place, error.what), error.remedy);
        starts::read(url.as_str(), &Identity::default()).map_err(wrong)?;
    }
    if settings.job.url.is_empty() && settings.crawl.scope != ScopeKind::List {
        return Err(JobError::setting(at, "none was given", "say which URL to start from"));
    }
    Ok(())
}

/// What the settings say of jobs alone.
///
/// # Errors
/// The first that makes no sense.
pub(super) fn check_of_jobs(settings: &Settings) -> Result<(), JobError> {
    let post = super::post::post(settings)?;
    timetable("", settings)?;
    mirrors(settings)?;
    Announcing::new(settings)?;
    heartbeat(settings)?;
    channels(settings, &post).map(drop)
}

/// Where sitemaps are brought to.
fn mirrors(settings: &Settings) -> Result<Vec<Mirror>, JobError> {
    let read = |text: &String| {
        let mirror = Mirror::parse(text)?;
        mirror.check().map(|()| mirror)
    };
    let mirrors = settings.publish.mirror.iter().map(read).collect::<Result<_, _>>();
    mirrors.map_err(|error| JobError::setting("publish.mirror", error, "mend the place"))
}

/// Whom the job tells, each of whom `post` can reach.
fn channels(settings: &Settings, post: &Post) -> Result<Vec<Channel>, JobError> {
    let at = "notify.tell";
    let channel = |text: &String| {
        let channel = Channel::parse(text).map_err(|error| JobError::setting(at, error, "mend the receiver"))?;
        post.reaches(&channel).map_err(|error| JobError::setting(at, error, "set it in [notify], or tell another"))?;
        Ok(channel)
    };
    settings.notify.tell.iter().map(channel).collect()
}

fn heartbeat(settings: &Settings) -> Result<Option<Heartbeat>, JobError> {
    let read = settings.notify.heartbeat.as_deref().map(Heartbeat::parse).transpose();
    read.map_err(|error| JobError::setting("notify.heartbeat", error, "write the whole URL"))
}

fn timetable(name: &str, settings: &Settings) -> Result<Timetable, JobError> {
    let job = &settings.job;
    let rule = Rule {
        cron: job.cron.as_deref(),
        zone: &job.zone,
        window: job.window.as_deref(),
        jitter: job.jitter,
        overlap: match job.overlap {
            OverlapSetting::Skip => Overlap::Skip,
            OverlapSetting::Queue => Overlap::Queue,
        },
        catch_up: match job.catch_up {
            CatchUpSetting::Once => CatchUp::Once,
            CatchUpSetting::None => CatchUp::None,
        },
    };
    Timetable::new(&rule, name)
        .map_err(|error| JobError::setting(&format!("job.{}", error.key), error.what, error.remedy))
}
