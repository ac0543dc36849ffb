//! Readers of the published directory through nginx during repeated publications of a job: every entry of any index
//! that they hold resolves.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "helpers fail the test by panicking; the lint knows test functions alone"
)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};

use mapwright_e2e::{Command, Workspace, links};
use mapwright_testkit::{FakeSite, Nginx, Response, locations};

/// The number of publications while readers read.
const PUBLICATIONS: usize = 50;
/// The number of pages of the site in each run.
const PAGES: usize = 60;

#[test]
fn every_entry_of_any_index_that_a_reader_of_nginx_holds_resolves_through_fifty_publications() {
    let site = FakeSite::open();
    site.answer("/p*", Response::html("<title>One of many</title>"));
    let workspace = Workspace::of_service(&format!(
        "[job.shop]\nurl = [\"{}\"]\ntask = \"sitemap\"\n[job.shop.sitemap]\nmax-urls-per-file = 10\n\
         [job.shop.publish]\ngrace = \"1h\"\n",
        site.url("/")
    ));
    publish(&site, &workspace, 0);
    let sitemaps = workspace.path("root/shop/sitemaps");
    let nginx = Nginx::serve(&[("/", &sitemaps)]).unwrap();
    let address = nginx.address();
    let over = AtomicBool::new(false);
    let first = get(address, "/sitemap.xml");
    let looks = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut looks = 0;
            while !over.load(Ordering::Relaxed) || looks == 0 {
                assert_resolves(address, &get(address, "/sitemap.xml"));
                looks += 1;
            }
            looks
        });
        for day in 1..=PUBLICATIONS {
            publish(&site, &workspace, day);
        }
        over.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    println!("{looks} looks at the entire set during {PUBLICATIONS} publications");
    assert!(looks > 10, "the reader looked {looks} times only");
    // Within the grace period, even the first index is valid.
    assert_resolves(address, &first);
}

/// Runs the job after one page was added and one removed.
#[track_caller]
fn publish(site: &FakeSite, workspace: &Workspace, day: usize) {
    let names: Vec<String> = (day..day + PAGES).map(|number| format!("p{number:03}")).collect();
    site.page("/", links(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    let words = ["run", "shop", "--quiet", "--state-root", "root"];
    drop(Command::new(words).within(workspace).run().exited(0));
}

/// Asserts that each part of the index exists, and lists URLs.
#[track_caller]
fn assert_resolves(address: SocketAddr, index: &[u8]) {
    let parts = locations(&String::from_utf8_lossy(index));
    assert!(parts.len() >= PAGES / 10, "the index names {} parts", parts.len());
    for part in parts {
        let name = part.rsplit('/').next().unwrap();
        let bytes = get(address, &format!("/{name}"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("a gzipped part");
        assert!(!locations(&text).is_empty(), "{name} lists nothing");
    }
}

/// The body of nginx's 200 response.
#[track_caller]
fn get(address: SocketAddr, path: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
    let (head, body) = answer.split_at(head + 4);
    let head = String::from_utf8_lossy(head);
    assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
    body.to_vec()
}
