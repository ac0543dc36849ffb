//! The metrics, parsed as Prometheus parses them.

use crate::made::Made;
use crate::served::Served;
use mapwright_service::{JobRun, JobRunCounts, JobRunState, Live};
use std::collections::{BTreeMap, BTreeSet};

/// Parses samples by name and labels, following the grammar of the text format.
fn parse(text: &str) -> BTreeMap<String, f64> {
    let (mut samples, mut families, mut seen) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert!(matches!(kind, "gauge" | "counter"), "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            assert!(families.insert(name.to_owned(), kind.to_owned()).is_none(), "{name} comes twice");
            continue;
        }
        if line.starts_with("# HELP ") {
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let name = series.split('{').next().unwrap();
        let is_ours = name.starts_with("mapwright_") || name.starts_with("process_");
        assert!(is_ours && families.contains_key(name), "{line}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{line}");
        assert!(seen.insert(series.to_owned()), "{series} comes twice");
        samples.insert(series.to_owned(), value.parse().unwrap());
    }
    assert!(text.ends_with('\n'));
    samples
}

#[tokio::test]
async fn the_last_run_is_one_that_ran() {
    let made = Made::bare();
    made.change(|job| {
        job.newest = job.newest.clone().map(|run| JobRun {
            state: JobRunState::Skipped,
            counts: JobRunCounts::default(),
            started: None,
            ..run
        });
    });
    let served = Served::open(made).await;
    let samples = parse(&served.get("/metrics").await.is(200).body);
    assert_eq!(samples["mapwright_job_last_run_success{job=\"shop\"}"], 1.0);
    for figure in ["pages", "rendered_pages", "rendering_requests", "rendering_received_bytes", "rendering_seconds"] {
        assert!(samples[&format!("mapwright_job_last_run_{figure}{{job=\"shop\"}}")] > 0.0, "{figure}");
    }
    served.made.change(|job| job.has_incident = true);
    let samples = parse(&served.get("/metrics").await.is(200).body);
    assert_eq!(samples["mapwright_job_last_run_success{job=\"shop\"}"], 0.0, "a run that trouble cut is no last run");
    let published = |samples: &BTreeMap<String, f64>| samples.get("mapwright_job_sitemap_urls{job=\"shop\"}").copied();
    served.made.change(|job| {
        job.published_urls = Some(1_200);
        job.last_run = job.last_run.clone().map(|run| JobRun {
            state: JobRunState::Refused,
            counts: JobRunCounts { listed: 3, ..run.counts },
            ..run
        });
    });
    let samples = parse(&served.get("/metrics").await.is(200).body);
    assert_eq!(published(&samples), Some(1_200.0), "a refused run leaves the sitemap as it was");
    served.made.change(|job| job.published_urls = None);
    assert_eq!(published(&parse(&served.get("/metrics").await.is(200).body)), None);
    served.made.change(|job| job.last_run = None);
    assert!(!served.get("/metrics").await.is(200).body.contains("last_run"));
}

/// Compares the names of the families in a response with the table of docs/metrics.md.
#[tokio::test]
async fn each_family_is_documented_and_no_other() {
    let made = Made::bare();
    made.runs(Live::default());
    let served = Served::open(made).await;
    let answer = served.get("/metrics").await.is(200).body;
    let names = answer.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    let table = include_str!("../../../../docs/metrics.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split(['`', '{']).next());
    assert_eq!(names.collect::<BTreeSet<_>>(), rows.collect::<BTreeSet<_>>());
}

#[tokio::test]
async fn they_are_read_and_hold_no_url() {
    let made = Made::bare();
    made.runs(Live { done: 12, queued: 3, errors: 1, rate: 1.5, ..Live::default() });
    made.jobs.lock().unwrap()[0].name = "odd \"name\\ \n".to_owned();
    let served = Served::open(made).await;
    let answer = served.get("/metrics").await.is(200);
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert!(!answer.body.contains("://") && !answer.body.contains(".example"));
    let samples = parse(&answer.body);
    for (series, value) in [
        ("mapwright_ready", 1.0),
        ("mapwright_config_last_reload_successful", 1.0),
        ("mapwright_jobs", 2.0),
        ("mapwright_notifications_pending", 1.0),
        ("mapwright_job_runs_total{job=\"shop\",outcome=\"done\"}", 3.0),
        ("mapwright_job_pages_fetched_total{job=\"shop\"}", 1_200.0),
        ("mapwright_job_state{job=\"shop\",state=\"running\"}", 1.0),
        ("mapwright_job_state{job=\"odd \\\"name\\\\ \\n\",state=\"idle\"}", 1.0),
        ("mapwright_job_current_run_pages_per_second{job=\"shop\"}", 1.5),
        ("mapwright_job_last_run_success{job=\"shop\"}", 1.0),
    ] {
        assert_eq!(samples.get(series), Some(&value), "{series}\n{}", answer.body);
    }
    assert!(samples["process_resident_memory_bytes"] > 1e6);
    assert!(samples["process_cpu_seconds_total"] > 0.0);
    assert!(samples["mapwright_dashboard_connections"] >= 1.0);
}
