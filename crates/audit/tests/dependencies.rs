//! Dependencies between crates: the record and what is judged from it compile without a network stack.

#![allow(clippy::expect_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::process::Command;

/// Returns the names of all packages that `package` is built of.
fn dependencies(package: &str) -> BTreeSet<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let listed = String::from_utf8_lossy(&tree.stdout);
    let names: BTreeSet<String> = listed.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    assert!(names.contains(package), "{}", String::from_utf8_lossy(&tree.stderr));
    names
}

#[test]
fn the_audit_is_built_without_a_network_stack() {
    let names = dependencies("mapwright-audit");
    for network in ["reqwest", "hyper", "hickory-resolver", "rustls", "tokio", "mapwright-fetch", "mapwright-engine"] {
        assert!(!names.contains(network), "{network}");
    }
}

#[test]
fn the_record_is_built_without_the_fetcher() {
    let names = dependencies("mapwright-store");
    for above in ["mapwright-fetch", "mapwright-engine", "mapwright-publish", "mapwright-audit", "mapwright-crawl"] {
        assert!(!names.contains(above), "{above}");
    }
}

#[test]
fn a_crawl_knows_no_job() {
    let names = dependencies("mapwright-crawl");
    // The settings read the enums of `schedule`, which is built of nothing but a calendar.
    for above in ["mapwright-service", "mapwright-notify", "mapwright-dashboard"] {
        assert!(!names.contains(above), "{above}");
    }
}
