//! The metrics, read as Prometheus reads them.

use crate::made::Made;
use crate::served::Served;
use mapwright_jobs::service::{Live, NightCounts, NightState, NightView};
use std::collections::{BTreeMap, BTreeSet};

/// Samples by name and labels, after the grammar of the text format.
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
        assert!(name.starts_with("mapwright_") && families.contains_key(name), "{line}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'), "{line}");
        assert!(seen.insert(series.to_owned()), "{series} comes twice");
        samples.insert(series.to_owned(), value.parse().unwrap());
    }
    assert!(text.ends_with('\n'));
    samples
}

#[tokio::test]
async fn the_last_night_is_one_that_ran() {
    let made = Made::bare();
    made.change(|job| {
        job.last = job.last.clone().map(|night| NightView {
            outcome: NightState::Skipped,
            counts: NightCounts::default(),
            began: None,
            ..night
        });
    });
    let served = Served::open(made).await;
    let samples = parse(&served.get("/metrics").await.is(200).body);
    assert_eq!(samples["mapwright_last_night_done{job=\"shop\"}"], 1.0);
    assert!(samples["mapwright_last_night_pages{job=\"shop\"}"] > 0.0);
    served.made.change(|job| job.in_trouble = true);
    let samples = parse(&served.get("/metrics").await.is(200).body);
    assert_eq!(samples["mapwright_last_night_done{job=\"shop\"}"], 0.0, "a run that trouble cut is no last night");
    served.made.change(|job| job.last_run = None);
    assert!(!served.get("/metrics").await.is(200).body.contains("last_night"));
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
        ("mapwright_config_fault", 0.0),
        ("mapwright_jobs", 2.0),
        ("mapwright_letters_waiting", 1.0),
        ("mapwright_nights_total{job=\"shop\",outcome=\"done\"}", 3.0),
        ("mapwright_pages_fetched_total{job=\"shop\"}", 1_200.0),
        ("mapwright_job_standing{job=\"shop\",standing=\"running\"}", 1.0),
        ("mapwright_job_standing{job=\"odd \\\"name\\\\ \\n\",standing=\"idle\"}", 1.0),
        ("mapwright_live_pages_per_second{job=\"shop\"}", 1.5),
        ("mapwright_last_night_done{job=\"shop\"}", 1.0),
    ] {
        assert_eq!(samples.get(series), Some(&value), "{series}\n{}", answer.body);
    }
    assert!(samples["mapwright_process_resident_memory_bytes"] > 1e6);
    assert!(samples["mapwright_process_cpu_seconds_total"] > 0.0);
    assert!(samples["mapwright_dashboard_connections"] >= 1.0);
}
