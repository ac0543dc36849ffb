//! `mapwright serve` while its database is missing, or its disk is full.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use mapwright_e2e::Workspace;
use mapwright_e2e::links;
use mapwright_e2e::service::Service;
use mapwright_e2e::tmpfs::{Tmpfs, in_private_mounts};
use mapwright_testkit::{FakeSite, Response};
use serde_json::Value;

/// A configuration with one job, due at an hour at which the tests do not run, and a webhook for its notifications.
fn jobs(site: &FakeSite, hook: &FakeSite) -> String {
    let (site, hook) = (site.url("/"), hook.url("/hook"));
    format!(
        "[job.shop]\nurl = [\"{site}\"]\ncron = \"0 0 1 1 *\"\n[job.shop.output]\nout = \"public\"\n\
         [record]\nmin-free-disk = \"1MB\"\n[notify]\nto = [\"webhook:{hook}\"]\n"
    )
}

fn sites() -> (FakeSite, FakeSite) {
    let (site, hook) = (FakeSite::open(), FakeSite::open());
    site.page("/", links(&["a"])).page("/a", "<title>A</title>");
    hook.answer("/hook", Response::new(200));
    (site, hook)
}

/// The kind and reason of each notification that a webhook received.
fn reported(hook: &FakeSite) -> Vec<(String, String)> {
    let word = |body: &Value, key: &str| body[key].as_str().unwrap_or_default().to_owned();
    let bodies =
        hook.requests_for("/hook").into_iter().map(|reported| serde_json::from_slice(&reported.body).expect("JSON"));
    bodies.map(|body: Value| (word(&body, "kind"), body.to_string())).collect()
}

fn is_reported(hook: &FakeSite, kind: &str, words: &str) -> bool {
    reported(hook).iter().any(|(reported, body)| reported == kind && body.contains(words))
}

#[track_caller]
fn until(service: &mut Service, path: &str, status: u16) {
    service.until(path, |service| (service.get(path).0 == status).then_some(()));
}

#[test]
fn a_removed_or_replaced_database_is_reported_and_no_run_begins() {
    for replaced in [false, true] {
        let (site, hook) = sites();
        let workspace = Workspace::of_service(&jobs(&site, &hook));
        let mut service = workspace.serve();
        until(&mut service, "/readyz", 200);
        for name in ["service.sqlite", "service.sqlite-wal", "service.sqlite-shm"] {
            drop(fs::remove_file(workspace.path("root").join(name)));
        }
        if replaced {
            fs::write(workspace.path("root/service.sqlite"), "").unwrap();
        }
        assert_eq!(service.get("/healthz").0, 503, "it is seen at the first request");
        assert_eq!(service.get("/readyz").0, 503);
        assert!(service.get("/metrics").1.contains("mapwright_database_writable 0"));
        service.until("the log has it", |service| {
            let log = service.log();
            (log.contains("ERROR") && log.contains("service.sqlite was removed or replaced")).then_some(())
        });
        service.until("people are reported", |_| is_reported(&hook, "failed", "was removed or replaced").then_some(()));
        assert_eq!(service.order("shop", "start"), 503, "no run begins into a file that is gone");
        assert_eq!(site.requests().len(), 0);
        drop(service);
        // After a restart, the service works, and the records contain the earlier runs.
        let mut service = workspace.serve();
        if !replaced {
            until(&mut service, "/readyz", 200);
            assert!((200..300).contains(&service.order("shop", "start")));
            service.until("the job is done", |service| {
                (service.job("shop")["newest_run"]["outcome"] == "done").then_some(())
            });
        }
    }
}

#[test]
fn a_full_disk_ends_no_service_and_room_lets_it_go_on() {
    in_private_mounts("outages::a_full_disk_ends_no_service_and_room_lets_it_go_on", || {
        let (site, hook) = sites();
        let workspace = Workspace::of_service(&jobs(&site, &hook));
        let _disk = Tmpfs::on(&workspace.path("root"), 4 << 20);
        let mut service = workspace.serve();
        until(&mut service, "/readyz", 200);
        let filler = workspace.path("root/filler");
        fill(&filler);
        until(&mut service, "/readyz", 503);
        assert_eq!(service.get("/healthz").0, 200, "it lives");
        assert!(service.get("/metrics").1.contains("mapwright_database_writable 0"));
        service.until("people are reported", |_| is_reported(&hook, "failed", "no run begins").then_some(()));
        assert_eq!(service.order("shop", "start"), 503);
        fs::remove_file(&filler).unwrap();
        until(&mut service, "/readyz", 200);
        assert!(service.get("/metrics").1.contains("mapwright_database_writable 1"));
        service.until("people are reported", |_| is_reported(&hook, "recovered", "").then_some(()));
        assert!((200..300).contains(&service.order("shop", "start")));
        service
            .until("the job is done", |service| (service.job("shop")["newest_run"]["outcome"] == "done").then_some(()));
        assert_eq!(service.end(), Some(0));
    });
}

/// Fills the disk of this file.
fn fill(path: &Path) {
    let mut file = File::create(path).expect("a file");
    while file.write_all(&[0; 4096]).is_ok() {}
}

#[test]
fn records_and_their_directories_are_accessible_only_to_their_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let (site, hook) = sites();
    let workspace = Workspace::of_service(&jobs(&site, &hook));
    let mut service = workspace.serve();
    assert!((200..300).contains(&service.order("shop", "start")));
    service.until("the job is done", |service| (service.job("shop")["newest_run"]["outcome"] == "done").then_some(()));
    let mode = |name: &str| fs::metadata(workspace.path("root").join(name)).unwrap().permissions().mode() & 0o777;
    for (name, expected) in
        [("", 0o700), ("shop", 0o700), ("service.sqlite", 0o600), ("shop/record.sqlite", 0o600), ("shop/lock", 0o600)]
    {
        assert_eq!(mode(name), expected, "{name}");
    }
    let public = fs::metadata(workspace.path("public/sitemap.xml")).unwrap();
    assert_eq!(public.permissions().mode() & 0o444, 0o444, "what is published is for all");
}
