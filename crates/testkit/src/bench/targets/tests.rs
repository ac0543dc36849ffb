use super::*;
use crate::bench::BenchRun;

fn row(workload: &str, tool: &str, figures: &[(&str, f64)]) -> BenchRun {
    let mut row = BenchRun::new(workload, tool);
    figures.iter().for_each(|(name, figure)| row.set(name, *figure));
    row
}

#[test]
fn nothing_is_said_of_what_did_not_run() {
    assert_eq!(targets(&Summary::of(&[])), []);
    let alone = row("10k", OURS, &[("cpu", 1.0), ("pages", 10.0), ("wall", 2.0)]);
    assert_eq!(targets(&Summary::of(&[alone])), []);
}

#[test]
fn a_ratio_is_of_pages_per_cpu_second() {
    let ours = row("10k", OURS, &[("cpu", 1.0), ("pages", 10_000.0)]);
    let theirs = row("10k", "wget2", &[("cpu", 2.0), ("pages", 5_000.0)]);
    let targets = targets(&Summary::of(&[ours, theirs]));
    assert_eq!((targets[0].measured.as_str(), targets[0].bound.as_str(), targets[0].kept), ("4.00×", "≥ 2.50×", true));
}

#[test]
fn memory_and_disk_grow_with_what_is_known() {
    let figures = [("known", 1e6), ("links", 5e7), ("peak", 161e6), ("disk", 499e6)];
    let targets = targets(&Summary::of(&[row("1m", OURS, &figures)]));
    assert_eq!((targets[0].bound.as_str(), targets[0].kept), ("≤ 160.0 MB", false));
    assert_eq!((targets[1].bound.as_str(), targets[1].kept), ("≤ 500.0 MB", true));
}

#[test]
fn one_run_that_is_not_exact_is_enough() {
    let fine = row("10k", OURS, &[("found", 10.0), ("wanted", 10.0), ("junk", 0.0)]);
    let junk = row("10k", OURS, &[("found", 10.0), ("wanted", 10.0), ("junk", 1.0)]);
    assert!(targets(&Summary::of(std::slice::from_ref(&fine)))[0].kept);
    assert!(!targets(&Summary::of(&[fine.clone(), fine, junk]))[0].kept);
}

#[test]
fn the_rate_target_counts_pages_and_requests_of_the_entire_run() {
    let figures = [("wall", 10.0), ("pages", 12_000.0), ("requests", 12_600.0)];
    let targets = targets(&Summary::of(&[row("latency", OURS, &figures)]));
    let reported: Vec<_> = targets.iter().map(|target| (target.measured.as_str(), target.kept)).collect();
    assert_eq!(reported, [("0.94×", false), ("0.98×", true)]);
}
