//! `/metrics`: the metrics in the text format of Prometheus, version 0.0.4. No label contains a URL.

use crate::app_state::{AppState, Shared};
use crate::problem::Problem;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use mapwright_service::{JobRunState, JobState, JobView, Live, ServiceFigures};
use rustix::time::{ClockId, clock_gettime};
use std::fmt::{Display, Write};
use std::sync::atomic::Ordering;

const STATES: [JobState; 4] = [JobState::Idle, JobState::Running, JobState::Waiting, JobState::Paused];

pub(crate) async fn metrics(State(state): State<Shared>) -> Result<Response, Problem> {
    let (jobs, figures) = state.query_service(|service| (service.jobs(), service.figures())).await?;
    let live = jobs.iter().filter_map(|job| Some((job.name.clone(), state.service.live(&job.name)?.borrow().clone())));
    let live: Vec<(String, Live)> = live.collect();
    let mut page = Page::default();
    of_service(&mut page, &figures, jobs.len());
    of_jobs(&mut page, &jobs);
    of_last_runs(&mut page, &jobs);
    of_live(&mut page, &live);
    of_board(&mut page, &state);
    of_process(&mut page);
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], page.0).into_response())
}

/// The text under construction.
#[derive(Default)]
struct Page(String);

impl Page {
    /// Writes a family of samples with their labels and values; nothing if it has no samples.
    fn family<L, V>(&mut self, name: &str, kind: &str, help: &str, samples: impl IntoIterator<Item = (L, V)>)
    where
        L: AsRef<[(&'static str, String)]>,
        V: Display,
    {
        let mut samples = samples.into_iter().peekable();
        if samples.peek().is_none() {
            return;
        }
        // Prometheus defines the same names for the process metrics of every program.
        let prefix = if name.starts_with("process_") { "" } else { "mapwright_" };
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "# HELP {prefix}{name} {help}\n# TYPE {prefix}{name} {kind}");
        for (labels, value) in samples {
            let label = |(name, value): &(&'static str, String)| format!("{name}=\"{}\"", escaped(value));
            let labels: Vec<String> = labels.as_ref().iter().map(label).collect();
            let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(self.0, "{prefix}{name}{labels} {value}");
        }
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "gauge", help, [([], value)]);
    }

    fn counter(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "counter", help, [([], value)]);
    }
}

/// Escapes the value of a label.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn of_service(page: &mut Page, figures: &ServiceFigures, jobs: usize) {
    let version = [("version", env!("CARGO_PKG_VERSION").to_owned())];
    page.family("build_info", "gauge", "The version that runs.", [(version, 1)]);
    page.gauge("ready", "1 where the service takes work.", u8::from(figures.ready));
    page.gauge(
        "database_writable",
        "1 where the service's database is there and can be written.",
        u8::from(figures.writable),
    );
    page.gauge(
        "config_last_reload_successful",
        "1 where the last reload of the configuration succeeded.",
        u8::from(figures.fault.is_none()),
    );
    page.gauge("jobs", "Jobs in the file.", jobs);
    page.gauge("notifications_pending", "Notifications that wait to be delivered.", figures.notifications_pending);
    page.gauge(
        "notifications_failed",
        "Notifications of the last 30 days that could not be delivered.",
        figures.notifications_failed,
    );
    let runs = figures.runs.iter();
    page.family(
        "job_runs_total",
        "counter",
        "Runs by their outcome, since the service started.",
        runs.map(|(job, outcome, count)| ([("job", job.clone()), ("outcome", outcome.to_string())], count)),
    );
    let pages = figures.pages.iter().map(|(job, count)| ([("job", job.clone())], count));
    page.family("job_pages_fetched_total", "counter", "Pages fetched since the service started.", pages);
}

fn of_jobs(page: &mut Page, jobs: &[JobView]) {
    let states = jobs.iter().flat_map(|job| {
        STATES.into_iter().map(|state| {
            let labels = [("job", job.name.clone()), ("state", state.as_str().to_owned())];
            (labels, u8::from(job.state == state))
        })
    });
    page.family("job_state", "gauge", "1 for the state of the job.", states);
    let paused = jobs.iter().map(|job| ([("job", job.name.clone())], u8::from(job.paused)));
    page.family("job_paused", "gauge", "1 where the job is paused: no run of it begins.", paused);
    let next = jobs.iter().filter_map(|job| Some(([("job", job.name.clone())], job.next?.as_second())));
    page.family("job_next_run_timestamp_seconds", "gauge", "Start of the next run, in seconds since 1970.", next);
    let published = jobs.iter().filter_map(|job| Some(([("job", job.name.clone())], job.published_urls?)));
    page.family("job_sitemap_urls", "gauge", "URLs in the published sitemap.", published);
}

/// A figure of each job's newest run that ran and has ended: a run in progress or a skipped one has none.
fn of_last_runs(page: &mut Page, jobs: &[JobView]) {
    let ended = || jobs.iter().filter_map(|job| Some((job.name.clone(), job.last_run.as_ref()?)));
    let mut each = |name: &str, help: &str, value: fn(&mapwright_service::JobRunCounts) -> f64| {
        page.family(name, "gauge", help, ended().map(|(job, run)| ([("job", job)], value(&run.counts))));
    };
    each("job_last_run_pages", "Pages fetched in the newest complete or cut run.", |counts| counts.fetched as f64);
    each("job_last_run_received_bytes", "Bytes received in the newest run.", |counts| counts.bytes as f64);
    each("job_last_run_duration_seconds", "Duration of the newest run.", |counts| counts.took_ms as f64 / 1e3);
    each("job_last_run_median_response_seconds", "Median time to a page's first byte in the newest run.", |counts| {
        counts.median_ms as f64 / 1e3
    });
    each("job_last_run_rendered_pages", "Pages whose scripts ran in the newest run.", |counts| counts.rendered as f64);
    each("job_last_run_rendering_requests", "Requests of these scripts.", |counts| counts.rendering_requests as f64);
    each("job_last_run_rendering_received_bytes", "Bytes received for these requests.", |counts| {
        counts.rendering_bytes as f64
    });
    each("job_last_run_rendering_seconds", "Time that the renderings took together.", |counts| {
        counts.rendering_ms as f64 / 1e3
    });
    let findings = ended().flat_map(|(job, run)| {
        let counts = &run.counts;
        let all = [("error", counts.errors), ("warning", counts.warnings), ("notice", counts.notices)];
        all.map(|(severity, count)| ([("job", job.clone()), ("severity", severity.to_owned())], count))
    });
    page.family("job_last_run_findings", "gauge", "Findings of the newest run.", findings);
    let done = jobs.iter().filter_map(|job| {
        let done = job.last_run.as_ref()?.state == JobRunState::Done && !job.has_incident;
        Some(([("job", job.name.clone())], u8::from(done)))
    });
    page.family("job_last_run_success", "gauge", "1 where the newest run succeeded and no incident is open.", done);
    let times = ended().filter_map(|(job, run)| Some(([("job", job)], run.ended?.as_second())));
    page.family("job_last_run_end_timestamp_seconds", "gauge", "End of the newest run, in seconds since 1970.", times);
}

fn of_live(page: &mut Page, live: &[(String, Live)]) {
    let mut each = |name: &str, help: &str, value: fn(&Live) -> f64| {
        page.family(name, "gauge", help, live.iter().map(|(job, live)| ([("job", job.clone())], value(live))));
    };
    each("job_current_run_pages", "Pages done by the current run.", |live| live.done as f64);
    each("job_current_run_queued_urls", "URLs queued in the current run.", |live| live.queued as f64);
    each("job_current_run_error_pages", "Pages with an error in the current run.", |live| live.errors as f64);
    each("job_current_run_pages_per_second", "Pages per second of the current run.", |live| live.rate);
}

fn of_board(page: &mut Page, state: &AppState) {
    page.gauge("dashboard_connections", "Connections that are open.", state.connections.load(Ordering::Relaxed));
    let streams = state.limits.streams.saturating_sub(state.stream_permits.available_permits());
    page.gauge("dashboard_event_streams", "Event streams that are open.", streams);
}

/// The resources of the process, as far as the system reports them.
fn of_process(page: &mut Page) {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9;
    page.counter("process_cpu_seconds_total", "Time of the processor that was spent.", seconds);
    let status = std::fs::read_to_string("/proc/self/status").ok();
    if let Some(bytes) = status.as_deref().and_then(resident) {
        page.gauge("process_resident_memory_bytes", "Memory that is held.", bytes);
    }
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        page.gauge("process_open_fds", "Files and connections that are open.", files.count());
    }
}

/// The resident memory in bytes. Of the kernel's two sources this is the one that does not count in pages, whose size
/// differs between machines.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1_024)
}

#[cfg(test)]
mod tests {
    use super::{Page, escaped, resident};

    #[test]
    fn memory_is_reported_in_bytes_whatever_the_page_size() {
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
