use std::process::Command;
use std::time::Duration;

use super::*;
use crate::process::measure;

const BASE: &str = "http://x.test";

fn cost() -> ProcessCost {
    let measured = measure(&mut Command::new("true")).unwrap();
    ProcessCost {
        wall: Duration::from_secs(2),
        user: Duration::from_secs(1),
        system: Duration::from_millis(500),
        peak_memory: 7_000_000,
        ..measured
    }
}

#[test]
fn the_truth_itself_is_exact() {
    let plan = SitePlan::new(1_000, 1);
    let card = Scorecard::new(&plan, BASE, &plan.expected_sitemap(BASE), cost());
    assert!(card.is_exact());
    let table = card.to_string();
    assert!(table.contains("| pages per second | 485 |"), "{table}");
    assert!(table.contains("| CPU-seconds per 1,000 pages | 1.546 |"), "{table}");
    assert!(table.contains("| recall | 940 of 940 (100.000 %) |"), "{table}");
}

#[test]
fn missing_foreign_and_repeated_urls_count() {
    let plan = SitePlan::new(1_000, 1);
    let mut listed = plan.expected_sitemap(BASE);
    let lost = listed.pop();
    listed.push("http://x.test/strange".to_owned());
    listed.extend(listed.first().cloned());
    let card = Scorecard::new(&plan, BASE, &listed, cost());
    assert_eq!((card.found, card.junk), (939, 2), "without {lost:?}");
    assert!(!card.is_exact());
}
