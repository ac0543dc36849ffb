//! `/metrics`: figures in the text format of Prometheus, version 0.0.4. No URL is ever a label.

use crate::desk::{Desk, Shared};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use mapwright_jobs::service::{Figures, JobStanding, JobView, Live, NightState};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::fmt::{Display, Write};
use std::sync::atomic::Ordering;

const STANDINGS: [JobStanding; 4] =
    [JobStanding::Idle, JobStanding::Running, JobStanding::Waiting, JobStanding::Paused];

pub(crate) async fn metrics(State(desk): State<Shared>) -> Result<Response, Problem> {
    let (jobs, figures) = desk.ask(|service| (service.jobs(), service.figures())).await?;
    let live = jobs.iter().filter_map(|job| Some((job.name.clone(), desk.service.live(&job.name)?.borrow().clone())));
    let live: Vec<(String, Live)> = live.collect();
    let mut page = Page::default();
    of_service(&mut page, &figures, jobs.len());
    of_jobs(&mut page, &jobs);
    of_last_nights(&mut page, &jobs);
    of_live(&mut page, &live);
    of_board(&mut page, &desk);
    of_process(&mut page);
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page.0).into_response())
}

/// The text as it grows.
#[derive(Default)]
struct Page(String);

impl Page {
    /// A family of samples: their labels and values. None is written where there are none.
    fn family<L, V>(&mut self, name: &str, kind: &str, help: &str, samples: impl IntoIterator<Item = (L, V)>)
    where
        L: AsRef<[(&'static str, String)]>,
        V: Display,
    {
        let mut samples = samples.into_iter().peekable();
        if samples.peek().is_none() {
            return;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "# HELP mapwright_{name} {help}\n# TYPE mapwright_{name} {kind}");
        for (labels, value) in samples {
            let label = |(name, value): &(&'static str, String)| format!("{name}=\"{}\"", escaped(value));
            let labels: Vec<String> = labels.as_ref().iter().map(label).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(self.0, "mapwright_{name}{labels} {value}");
        }
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "gauge", help, [([], value)]);
    }

    fn counter(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "counter", help, [([], value)]);
    }
}

/// The value of a label.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn of_service(page: &mut Page, figures: &Figures, jobs: usize) {
    let version = [("version", env!("CARGO_PKG_VERSION").to_owned())];
    page.family("build_info", "gauge", "The version that runs.", [(version, 1)]);
    page.gauge("ready", "1 where the service takes work.", u8::from(figures.ready));
    page.gauge(
        "database_writable",
        "1 where the service's database is there and can be written.",
        u8::from(figures.writable),
    );
    page.gauge(
        "config_fault",
        "1 where the file of jobs was faulty at the last reload.",
        u8::from(figures.fault.is_some()),
    );
    page.gauge("jobs", "Jobs in the file.", jobs);
    page.gauge("letters_waiting", "Messages that wait to be delivered.", figures.letters_waiting);
    page.gauge(
        "letters_given_up",
        "Messages of the last 30 days that could not be delivered.",
        figures.letters_given_up,
    );
    let nights = figures.nights.iter();
    page.family(
        "nights_total",
        "counter",
        "Nights by what came of them, since the service began.",
        nights.map(|(job, outcome, count)| ([("job", job.clone()), ("outcome", outcome.to_string())], count)),
    );
    let pages = figures.pages.iter().map(|(job, count)| ([("job", job.clone())], count));
    page.family("pages_fetched_total", "counter", "Pages fetched since the service began.", pages);
}

fn of_jobs(page: &mut Page, jobs: &[JobView]) {
    let standings = jobs.iter().flat_map(|job| {
        STANDINGS.into_iter().map(|standing| {
            let labels = [("job", job.name.clone()), ("standing", standing.as_str().to_owned())];
            (labels, u8::from(job.standing == standing))
        })
    });
    page.family("job_standing", "gauge", "1 for what the job is doing.", standings);
    let paused = jobs.iter().map(|job| ([("job", job.name.clone())], u8::from(job.paused)));
    page.family("job_paused", "gauge", "1 where no run of the job begins until it is let go on.", paused);
    let next = jobs.iter().filter_map(|job| Some(([("job", job.name.clone())], job.next?.as_second())));
    page.family("job_next_run_timestamp_seconds", "gauge", "When the next run begins.", next);
}

/// A figure of each job's newest night that ran and has ended: one that goes on, or was skipped, has none.
fn of_last_nights(page: &mut Page, jobs: &[JobView]) {
    let ended = || jobs.iter().filter_map(|job| Some((job.name.clone(), job.last_run.as_ref()?)));
    let mut each = |name: &str, help: &str, value: fn(&mapwright_jobs::service::NightCounts) -> f64| {
        page.family(name, "gauge", help, ended().map(|(job, night)| ([("job", job)], value(&night.counts))));
    };
    each("last_night_pages", "Pages fetched in the newest night that ran.", |counts| counts.fetched as f64);
    each("last_night_sitemap_urls", "URLs in the sitemap of the newest night.", |counts| counts.listed as f64);
    each("last_night_bytes", "Bytes that came over the wire in the newest night.", |counts| counts.bytes as f64);
    each("last_night_duration_seconds", "How long the newest night took.", |counts| counts.took_ms as f64 / 1e3);
    each("last_night_median_response_seconds", "Median time to a page's first byte in the newest night.", |counts| {
        counts.median_ms as f64 / 1e3
    });
    let findings = ended().flat_map(|(job, night)| {
        let counts = &night.counts;
        let all = [("error", counts.errors), ("warning", counts.warnings), ("notice", counts.notices)];
        all.map(|(severity, count)| ([("job", job.clone()), ("severity", severity.to_owned())], count))
    });
    page.family("last_night_findings", "gauge", "Findings of the newest night.", findings);
    let done = jobs.iter().filter_map(|job| {
        let done = job.last_run.as_ref()?.outcome == NightState::Done && !job.in_trouble;
        Some(([("job", job.name.clone())], u8::from(done)))
    });
    page.family("last_night_done", "gauge", "1 where the newest night was done, and no trouble is known since.", done);
    let times = ended().filter_map(|(job, night)| Some(([("job", job)], night.ended?.as_second())));
    page.family("last_night_ended_timestamp_seconds", "gauge", "When the newest night ended.", times);
}

fn of_live(page: &mut Page, live: &[(String, Live)]) {
    let mut each = |name: &str, help: &str, value: fn(&Live) -> f64| {
        page.family(name, "gauge", help, live.iter().map(|(job, live)| ([("job", job.clone())], value(live))));
    };
    each("live_pages_done", "Pages done by the crawl that runs.", |live| live.done as f64);
    each("live_urls_queued", "URLs that wait in the crawl that runs.", |live| live.queued as f64);
    each("live_pages_with_errors", "Pages with an error in the crawl that runs.", |live| live.errors as f64);
    each("live_pages_per_second", "Pages a second of the crawl that runs.", |live| live.rate);
}

fn of_board(page: &mut Page, desk: &Desk) {
    page.gauge("dashboard_connections", "Connections that are open.", desk.connections.load(Ordering::Relaxed));
    let streams = desk.limits.streams.saturating_sub(desk.streams.available_permits());
    page.gauge("dashboard_live_views", "Live views that are open.", streams);
}

/// What the process takes, as far as the system tells.
fn of_process(page: &mut Page) {
    if let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) {
        let spent = usage.user_time().num_milliseconds() + usage.system_time().num_milliseconds();
        page.counter("process_cpu_seconds_total", "Time of the processor that was spent.", spent as f64 / 1e3);
    }
    let status = std::fs::read_to_string("/proc/self/status").ok();
    if let Some(bytes) = status.as_deref().and_then(resident) {
        page.gauge("process_resident_memory_bytes", "Memory that is held.", bytes);
    }
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        page.gauge("process_open_fds", "Files and connections that are open.", files.count());
    }
    page.gauge("time_seconds", "The clock of the service.", Timestamp::now().as_second());
}

/// Bytes of memory that are held. Of the kernel's two tellings this is the one that does not count in pages, whose
/// size differs between machines.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1_024)
}

#[cfg(test)]
mod tests {
    use super::{Page, escaped, resident};

    #[test]
    fn memory_is_told_in_bytes_whatever_a_page_holds() {
        assert_eq!(resident("Name:\tmapwright\nVmHWM:\t   99 kB\nVmRSS:\t   65536 kB\nThreads:\t2\n"), Some(64 << 20));
        for status in ["", "VmRSS:\tmuch\n", "VmRSS:\t99\n", "VmRSS: 18446744073709551615 kB\n"] {
            assert_eq!(resident(status), None, "{status}");
        }
    }

    #[test]
    fn labels_stay_in_their_quotes() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
        let mut page = Page::default();
        page.family("x", "gauge", "Of x.", [([("job", "a\"}\n".to_owned())], 1)]);
        assert_eq!(page.0, "# HELP mapwright_x Of x.\n# TYPE mapwright_x gauge\nmapwright_x{job=\"a\\\"}\\n\"} 1\n");
        page.family("y", "gauge", "Of nothing.", Vec::<([(&'static str, String); 0], u8)>::new());
        assert!(!page.0.contains("mapwright_y"));
    }
}
