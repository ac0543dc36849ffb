//! A fake service over real records and reports.

use jiff::{Timestamp, ToSpan};
use mapwright_crawl::{AuditPlan, CrawlError, CrawlSpec};
use mapwright_engine::NoObserver;
use mapwright_service::{
    Denied, EffectiveSetting, JobControl, JobRun, JobRunCounts, JobRunState, JobState, JobView, JobsFile, Live,
    LogLevel, LogLine, Outage, RunKey, ServiceFigures, Tested,
};
use mapwright_settings::{CommandKind, Layers, Settings, arguments};
use mapwright_testkit::{FakeSite, Response};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Texts that would act, or look like something else, if they were treated as more than text.
pub const HOSTILE: [&str; 8] = [
    "</script><script>window.hostile=1</script>",
    "\"><img src=x onerror=window.hostile=1>",
    "'><svg onload=window.hostile=1><hostile-mark>",
    "<!--<script><hostile-mark>",
    "{{site}}{% raw %}`<hostile-mark>`",
    "safe\u{202e}gpj.exe\u{2066}\u{200f}",
    "bell\u{7}\u{1b}[31m\u{85}end",
    "javascript:window.hostile=1//",
];

/// The job that has a record, reports and sitemaps.
pub const SHOP: &str = "shop";

/// The text of the configuration file.
pub const JOBS: &str = "# The jobs.\n[job.shop]\nurl = \"http://shop.example/\" # the shop\n\n[job.shop.fetch]\nauth = \"me:word\"\n\n[job.docs]\nurl = \"http://docs.example/\"\n";

/// Writes the configuration file; a change is checked as the service does, and applied by nobody.
fn jobs_file(folder: &Path) -> Arc<JobsFile> {
    let path = folder.join("mapwright.toml");
    std::fs::write(&path, JOBS).unwrap();
    let check = |text: &str| {
        let matches =
            clap::Command::new("made").args(arguments(CommandKind::Serve)).try_get_matches_from(["made"]).unwrap();
        let layers = Layers::read(&matches, std::iter::empty(), Some(("mapwright.toml", text)));
        let load = |layers: Layers| layers.jobs().try_for_each(|job| layers.load(Some(job), None).map(drop));
        layers.and_then(load).map_err(|error| error.to_string())
    };
    Arc::new(JobsFile::new(path.to_str().unwrap(), check, || Ok(())))
}

/// A fake service.
pub struct Made {
    pub jobs: Mutex<Vec<JobView>>,
    pub runs: Mutex<Vec<JobRun>>,
    pub live: Mutex<Option<watch::Sender<Live>>>,
    /// The received commands, such as `start shop`.
    pub requested: Mutex<Vec<String>>,
    pub site: Option<FakeSite>,
    /// The configuration file, `mapwright.toml` in the folder.
    pub jobs_file: Option<Arc<JobsFile>>,
    pub folder: TempDir,
}

impl Made {
    /// Creates jobs and runs without any record.
    pub fn bare() -> Arc<Made> {
        let folder = tempfile::tempdir().unwrap();
        let made = Made {
            jobs: Mutex::default(),
            runs: Mutex::new(runs(SHOP, 75)),
            live: Mutex::default(),
            requested: Mutex::default(),
            site: None,
            jobs_file: Some(jobs_file(folder.path())),
            folder,
        };
        let jobs = vec![made.view("docs", "http://docs.example/"), made.view(SHOP, "http://shop.example/")];
        *made.jobs.lock().unwrap() = jobs;
        Arc::new(made)
    }

    /// Creates the same with a site that was crawled twice and audited.
    pub async fn crawled() -> Arc<Made> {
        let mut made = Arc::into_inner(Made::bare()).unwrap();
        let site = hostile_site();
        let start = site.url("/");
        crawl(&start, made.folder.path(), false).await;
        site.page("/new", "<title>New</title><p>New.").page("/", start_page(&site, "<a href=/new>new</a>"));
        crawl(&start, made.folder.path(), true).await;
        let view = made.view(SHOP, &start);
        *made.jobs.get_mut().unwrap() = vec![made.view("docs", "http://docs.example/"), view];
        made.site = Some(site);
        Arc::new(made)
    }

    fn view(&self, name: &str, url: &str) -> JobView {
        let at = |part: &str| self.folder.path().join(part);
        let is_shop = name == SHOP;
        JobView {
            name: name.to_owned(),
            urls: vec![url.to_owned()],
            task: if is_shop { "both" } else { "sitemap" },
            schedule: if is_shop { "daily at 02:00" } else { "by hand alone" }.to_owned(),
            next: is_shop.then(|| "2026-11-22T02:00:00Z".parse().unwrap()),
            waiting: None,
            state: JobState::Idle,
            paused: false,
            record: if is_shop { at("state") } else { at("nowhere") },
            sitemaps: is_shop.then(|| at("out")),
            reports: is_shop.then(|| at("reports")),
            newest: if is_shop { runs(SHOP, 75).into_iter().next() } else { None },
            notifies: is_shop,
            has_incident: false,
            published_urls: is_shop.then(|| runs(SHOP, 75).into_iter().find(JobRun::publishes).unwrap().counts.listed),
            last_run: if is_shop { runs(SHOP, 75).into_iter().next() } else { None },
        }
    }

    /// Starts or updates a run of the shop.
    pub fn runs(&self, live: Live) {
        let mut held = self.live.lock().unwrap();
        match held.as_ref() {
            Some(sender) => drop(sender.send_replace(live)),
            None => *held = Some(watch::Sender::new(live)),
        }
        self.stand(JobState::Running);
    }

    /// Sets a run of the shop to waiting.
    pub fn waits(&self) {
        self.stand(JobState::Waiting);
    }

    /// Ends the run of the shop.
    pub fn ends(&self) {
        *self.live.lock().unwrap() = None;
        self.change(|job| job.state = if job.paused { JobState::Paused } else { JobState::Idle });
    }

    fn stand(&self, state: JobState) {
        self.change(|job| job.state = state);
    }

    /// Changes the shop.
    pub fn change(&self, change: impl Fn(&mut JobView)) {
        self.jobs.lock().unwrap().iter_mut().filter(|job| job.name == SHOP).for_each(change);
    }

    fn request(&self, what: &str, job: &str) -> Result<JobState, Denied> {
        self.requested.lock().unwrap().push(format!("{what} {job}"));
        self.job(job).map(|job| job.state).ok_or(Denied::Unknown)
    }

    fn set_paused(&self, what: &str, job: &str, paused: bool) -> Result<(), Denied> {
        let state = self.request(what, job)?;
        self.change(|job| job.paused = paused);
        match state {
            JobState::Idle | JobState::Paused => self.ends(),
            JobState::Running | JobState::Waiting => {}
        }
        Ok(())
    }
}

impl JobControl for Made {
    fn jobs(&self) -> Vec<JobView> {
        self.jobs.lock().unwrap().clone()
    }

    fn job(&self, name: &str) -> Option<JobView> {
        self.jobs().into_iter().find(|job| job.name == name)
    }

    fn settings(&self, name: &str) -> Option<Vec<EffectiveSetting>> {
        let setting = |key: &str, value: &str, set_at: &str| EffectiveSetting {
            key: key.to_owned(),
            value: value.to_owned(),
            set_at: set_at.to_owned(),
            is_set: set_at != "default",
        };
        self.job(name)?;
        Some(vec![
            setting("crawl.exclude", HOSTILE[1], "file mapwright.toml line 7"),
            setting("crawl.max-depth", "", "default"),
            setting("notify.smtp-password", "(secret)", "variable MAPWRIGHT_SMTP_PASSWORD"),
        ])
    }

    fn runs(&self, job: &str, before: Option<i64>, most: usize) -> Result<Vec<JobRun>, CrawlError> {
        let runs = self.runs.lock().unwrap();
        let wanted = runs.iter().filter(|run| run.job == job && before.is_none_or(|n| run.number < n));
        Ok(wanted.take(most).cloned().collect())
    }

    fn run_log(&self, job: &str, run: i64) -> Result<Vec<LogLine>, CrawlError> {
        let line =
            |level, text: &str| LogLine { at: "2026-11-21T02:00:01Z".parse().unwrap(), level, text: text.to_owned() };
        let lines = vec![line(LogLevel::Info, "the run begins"), line(LogLevel::Error, HOSTILE[0])];
        Ok(if job == SHOP && run == 75 { lines } else { Vec::new() })
    }

    fn live(&self, job: &str) -> Option<watch::Receiver<Live>> {
        self.live.lock().unwrap().as_ref().filter(|_| job == SHOP).map(watch::Sender::subscribe)
    }

    fn start(&self, job: &str) -> Result<(), Denied> {
        if self.request("start", job)? == JobState::Running {
            return Err(Denied::Running);
        }
        self.runs(Live { done: 1, queued: 9, rate: 2.5, elapsed: Duration::from_secs(3), ..Live::default() });
        Ok(())
    }

    fn stop(&self, job: &str) -> Result<(), Denied> {
        if !matches!(self.request("stop", job)?, JobState::Running | JobState::Waiting) {
            return Err(Denied::Idle);
        }
        self.ends();
        Ok(())
    }

    fn pause(&self, job: &str) -> Result<(), Denied> {
        self.set_paused("pause", job, true)
    }

    fn resume(&self, job: &str) -> Result<(), Denied> {
        self.set_paused("resume", job, false)
    }
    fn test_messages(&self, job: &str) -> Result<JoinHandle<Vec<Tested>>, Denied> {
        self.request("test", job)?;
        let tested = |receiver: &str, fault: Option<&str>| Tested {
            receiver: receiver.to_owned(),
            fault: fault.map(str::to_owned),
        };
        let all =
            vec![tested("mailto:web@shop.example", None), tested("webhook:hook.example", Some("it answered <500>"))];
        Ok(tokio::spawn(async move { all }))
    }

    fn outage(&self) -> Option<Outage> {
        None
    }

    fn figures(&self) -> ServiceFigures {
        ServiceFigures {
            runs: vec![(SHOP.to_owned(), JobRunState::Done, 3)],
            pages: vec![(SHOP.to_owned(), 1_200)],
            notifications_pending: 1,
            notifications_failed: 1,
            failed_notifications: vec![(
                "shop".to_owned(),
                "mailto:web@shop.example".to_owned(),
                "no <such> user".to_owned(),
            )],
            fault: None,
            ready: true,
            writable: true,
        }
    }
}

/// Runs of a job, the newest first.
pub fn runs(job: &str, most: i64) -> Vec<JobRun> {
    let newest: Timestamp = "2026-11-21T02:00:00Z".parse().unwrap();
    let run = |number: i64| {
        let due = newest - (24 * (most - number)).hours();
        let wave = u64::try_from(number * number * 37 % 90).unwrap();
        let failed = number % 17 == 5;
        let counts = JobRunCounts {
            fetched: 1_200 + 3 * wave,
            listed: 1_050 + 2 * wave,
            added: wave / 9,
            removed: wave / 20,
            errors: wave / 6,
            warnings: 20 + wave / 3,
            notices: 60 + wave / 2,
            new: wave / 12,
            fixed: wave / 15,
            regressed: 0,
            bytes: 31_000_000 + 1_000 * wave,
            median_ms: 80 + wave,
            took_ms: 610_000 + 1_000 * wave,
            rendered: 40 + wave,
            rendering_requests: 3 * (40 + wave),
            rendering_bytes: 9_000 * (40 + wave),
            rendering_ms: 150 * (40 + wave),
        };
        JobRun {
            number,
            job: job.to_owned(),
            key: RunKey::first(due),
            started: Some(due + 4.seconds()),
            ended: Some(due + 11.minutes()),
            record_run: (number > most - 2).then(|| number + 2 - most),
            state: if failed { JobRunState::Failed } else { JobRunState::Done },
            reason: if failed { "no start URL answered 200: the server did not answer in time" } else { "" }.to_owned(),
            counts: if failed { JobRunCounts::default() } else { counts },
            hints: if number == most { vec!["robots.txt does not name the <sitemap>".to_owned()] } else { Vec::new() },
        }
    };
    (1..=most).rev().map(run).collect()
}

async fn crawl(start: &str, folder: &Path, audits: bool) {
    let out = folder.join(if audits { "reports" } else { "out" });
    let kind = if audits { CommandKind::Audit } else { CommandKind::Crawl };
    let (out, state) = (out.to_str().unwrap().to_owned(), folder.join("state").to_str().unwrap().to_owned());
    let command = clap::Command::new("made").args(arguments(kind));
    let matches = command.get_matches_from(["made", "--out", &out, "--state", &state]);
    let loaded = Settings::load(&matches, std::iter::empty(), None, None).unwrap();
    let urls = [start.to_owned()];
    let job = CrawlSpec::new(loaded.settings.clone(), loaded.recorded, &urls, |_, _| Ok(String::new())).unwrap();
    let job = match audits {
        true => job.auditing(AuditPlan::new(&loaded.settings, |_, _, _| Ok(String::new())).unwrap()),
        false => job,
    };
    mapwright_crawl::run(job, Arc::new(NoObserver), CancellationToken::new()).await.unwrap();
}

/// A site where every text tries to be more than text.
fn hostile_site() -> FakeSite {
    let site = FakeSite::open();
    for (number, text) in HOSTILE.iter().enumerate() {
        let text = escaped(text);
        for variant in ["a", "b"] {
            site.page(
                &format!("/twin/{number}/{variant}"),
                format!("<!doctype html><meta charset=utf-8><title>{text}</title><p>Twin {variant} of {number}."),
            );
        }
    }
    for list in ["/list", "/list?sort=up"] {
        site.page(list, "<!doctype html><title>List</title><p>One entry of the list, and another one.");
    }
    site.page("/", start_page(&site, ""));
    site.robots(format!("User-agent: *\nDisallow: /private\nSitemap: {}\n", site.url("/own.xml")));
    let entry = format!("<url><loc>{}</loc></url>", site.url("/gone/in-sitemap"));
    let schema = "http://www.sitemaps.org/schemas/sitemap/0.9";
    site.answer("/own.xml", Response::xml(format!("<urlset xmlns=\"{schema}\">{entry}</urlset>")));
    site
}

fn start_page(_: &FakeSite, more: &str) -> String {
    let mut page = format!(
        "<!doctype html><meta charset=utf-8><title>Start</title>{more}<a href=/private/x>p</a><a href=/list>l</a><a href='/list?sort=up'>s</a>"
    );
    for (number, text) in HOSTILE.iter().enumerate() {
        let text = escaped(text);
        page.push_str(&format!(
            "<p><a href=\"/gone/{number}/{text}?{text}\">{text}</a> <a href=/twin/{number}/a>{text}</a> <a href=/twin/{number}/b>b</a>\n"
        ));
    }
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
