//! Real sites on a real server: the documentation of PostgreSQL and of Debian's policy, served by nginx.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

mod walk;

use std::collections::BTreeSet;
use std::path::PathBuf;

use mapwright_e2e::files::Files;
use mapwright_e2e::sitemaps::read;
use mapwright_e2e::{Workspace, schema};
use mapwright_testkit::Nginx;
use url::Url;

use walk::Mount;

/// The URL prefix and directory of each site, from the packages postgresql-doc-15 and debian-policy.
const MOUNTS: [(&str, &str); 2] =
    [("/postgresql/", "/usr/share/doc/postgresql-doc-15/html"), ("/debian-policy/", "/usr/share/doc/debian-policy")];
/// The start paths of the crawls: directories with an index.
const STARTS: [&str; 3] = ["/postgresql/", "/debian-policy/policy.html/", "/debian-policy/perl-policy.html/"];

#[test]
fn the_listed_urls_are_those_that_an_independent_reader_finds_on_disk() {
    let (server, workspace) = (Nginx::serve(&MOUNTS).unwrap(), Workspace::new());
    crawl(&workspace, &server, &[]);
    let expected = walk::pages(&mounts(&server), &starts(&server));
    assert!(expected.len() > 1_200, "the reader found only {} pages", expected.len());
    let listed = workspace.listed();
    let missing: Vec<_> = expected.difference(&listed).collect();
    let unexpected: Vec<_> = listed.difference(&expected).collect();
    assert!(missing.is_empty() && unexpected.is_empty(), "missing {missing:#?}, without reason {unexpected:#?}");
    schema::assert_valid(&workspace.out());
}

#[test]
fn each_site_alone_is_found_completely_too() {
    let server = Nginx::serve(&MOUNTS).unwrap();
    for start in starts(&server) {
        let expected = walk::pages(&mounts(&server), std::slice::from_ref(&start));
        let workspace = Workspace::new();
        workspace.crawl_well(start.as_str(), &[]);
        assert_eq!(workspace.listed(), expected, "from {start}");
    }
}

#[test]
fn no_page_is_fetched_twice() {
    let (server, workspace) = (Nginx::serve(&MOUNTS).unwrap(), Workspace::new());
    workspace.crawl_well(&server.url("/debian-policy/policy.html/"), &[]);
    let log = server.access_log().unwrap();
    let requested: BTreeSet<&String> = log.iter().collect();
    assert_eq!(requested.len(), log.len(), "{log:#?}");
}

#[test]
fn one_request_at_a_time_and_sixty_four_give_the_same_sitemap() {
    let server = Nginx::serve(&MOUNTS).unwrap();
    let runs = ["1", "64"].map(|concurrency| {
        let workspace = Workspace::new();
        crawl(&workspace, &server, &["--concurrency", concurrency, "--max-urls-per-file", "100"]);
        schema::assert_valid(&workspace.out());
        workspace
    });
    let [one, many] = [parts(&runs[0]), parts(&runs[1])];
    assert!(one.len() >= 12, "{:?}", one.keys());
    assert_eq!(one.keys().collect::<Vec<_>>(), many.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(*bytes == many[name], "{name} differs");
    }
    assert_eq!(index_without_dates(&runs[0]), index_without_dates(&runs[1]));
}

// ---- helpers

fn mounts(server: &Nginx) -> Vec<Mount> {
    let mount = |(prefix, directory)| Mount { prefix: url(server, prefix), directory: PathBuf::from(directory) };
    MOUNTS.map(mount).to_vec()
}

fn starts(server: &Nginx) -> Vec<Url> {
    STARTS.map(|start| url(server, start)).to_vec()
}

fn url(server: &Nginx, path: &str) -> Url {
    Url::parse(&server.url(path)).unwrap()
}

#[track_caller]
fn crawl(workspace: &Workspace, server: &Nginx, more: &[&str]) {
    let starts = STARTS.map(|start| server.url(start));
    let _ = workspace.plan(&starts[0], &[&starts[1], &starts[2]]).args(more).run().exited(0);
}

fn parts(workspace: &Workspace) -> Files {
    let mut files = workspace.published();
    files.remove("sitemap.xml");
    files
}

fn index_without_dates(workspace: &Workspace) -> String {
    let index = read(&workspace.out().join("sitemap.xml"));
    let pieces = index.split("<lastmod>").enumerate();
    pieces.map(|(n, piece)| if n == 0 { piece } else { piece.split_once("</lastmod>").unwrap().1 }).collect()
}
