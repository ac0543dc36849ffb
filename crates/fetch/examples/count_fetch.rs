//! Fetches pages of the benchmark's site, through [`HttpFetch`] or by the underlying HTTP client alone, to compare
//! their cost:
//!
//! `bench_site --listen 127.0.0.1:8080 & time count_fetch http://127.0.0.1:8080 ours 20000`
//!
//! The cost of one fetch is the difference in CPU time of two runs, divided by the difference of their counts.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mapwright_fetch::{Accept, Conditions, Fetch, FetchOptions, HttpFetch, Method, Request};
use mapwright_testkit::bench::SitePlan;
use mapwright_web::media::Kinds;
use mapwright_web::{Origin, PageUrl, UrlIdentity};

/// Requests in flight.
const IN_FLIGHT: usize = 64;

/// Number of different pages that are requested.
const PAGES: u64 = 10_000;

const USAGE: &str = "usage: count_fetch BASE ours|bare COUNT";

#[derive(Clone)]
enum Way {
    /// Our fetcher, bodies decoded.
    Ours(HttpFetch),
    /// The underlying client, bodies not decoded.
    Bare(reqwest::Client),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [base, way, count] = words.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let (Some(way), Ok(count), Some(pages)) = (way_of(way, base), count.parse(), pages(base)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let bytes = fetch_all(way, pages.into(), count).await;
    println!("{bytes} bytes of {count} bodies");
    ExitCode::SUCCESS
}

fn way_of(name: &str, base: &str) -> Option<Way> {
    match name {
        "ours" => {
            let first_party: Vec<Origin> = vec![base.parse().ok()?];
            HttpFetch::new(FetchOptions { first_party, max_idle: IN_FLIGHT, ..FetchOptions::default() })
                .ok()
                .map(Way::Ours)
        }
        "bare" => reqwest::Client::builder().no_proxy().tcp_nodelay(true).build().ok().map(Way::Bare),
        _ => None,
    }
}

fn pages(base: &str) -> Option<Vec<PageUrl>> {
    let plan = SitePlan::new(PAGES, 1);
    let page = |number| PageUrl::parse(&format!("{base}{}", plan.path(number)), &UrlIdentity::default()).ok();
    (1..PAGES).map(page).collect()
}

/// Fetches `count` pages; returns the total size of their bodies in bytes.
async fn fetch_all(way: Way, pages: Arc<[PageUrl]>, count: usize) -> usize {
    let next = Arc::new(AtomicUsize::new(0));
    let worker = |_| {
        let (way, pages, next) = (way.clone(), Arc::clone(&pages), Arc::clone(&next));
        tokio::spawn(async move {
            let mut bytes = 0;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(url) = pages.get(number % pages.len()).filter(|_| number < count) else { return bytes };
                bytes += fetch(&way, url).await;
            }
        })
    };
    let workers: Vec<_> = (0..IN_FLIGHT).map(worker).collect();
    let mut bytes = 0;
    for worker in workers {
        bytes += worker.await.unwrap_or(0);
    }
    bytes
}

async fn fetch(way: &Way, url: &PageUrl) -> usize {
    match way {
        Way::Ours(fetcher) => {
            let request = Request {
                method: Method::Get,
                url: url.clone(),
                spelling: None,
                conditions: Conditions::default(),
                accept: Accept::Page,
                max_body: 16 << 20,
                full_body_kinds: Kinds::ALL,
                cookie_wall: false,
                scripted: None,
            };
            fetcher.fetch(request).await.map_or(0, |reply| reply.body.len())
        }
        Way::Bare(client) => {
            let sent = client.get(url.as_url().clone()).header("accept-encoding", "gzip").send().await;
            let Ok(mut response) = sent else { return 0 };
            let mut bytes = 0;
            while let Ok(Some(piece)) = response.chunk().await {
                bytes += piece.len();
            }
            bytes
        }
    }
}
