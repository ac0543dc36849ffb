//! Serves a fake service for viewing: `cargo run -p mapwright-dashboard --example dashboard [PORT]`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    dead_code,
    reason = "made for the tests, and shared with them"
)]

#[path = "../tests/dashboard/made/mod.rs"]
mod made;

use mapwright_dashboard::{AccessConfig, Role, Server, User, hash_password};
use mapwright_service::{JobControl, Live};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() {
    let port = std::env::args().nth(1).map_or(0, |port| port.parse().expect("a port"));
    let mut access = AccessConfig::on(([127, 0, 0, 1], port).into());
    if std::env::args().nth(2).is_some_and(|word| word == "closed") {
        let hash = hash_password("correct horse").unwrap();
        access.users = vec![User { name: "olga".to_owned(), hash, role: Role::Operator }];
    }
    let made = made::Made::crawled().await;
    let board = Server::bind(access, Arc::clone(&made) as _, made.jobs_file.clone()).await.unwrap();
    println!("{}", board.url());
    tokio::spawn(run(made));
    board.run(CancellationToken::new()).await;
}

/// Advances the running crawl.
async fn run(made: Arc<made::Made>) {
    for tick in 1_u64.. {
        tokio::time::sleep(Duration::from_millis(200)).await;
        if made.live(made::SHOP).is_some() {
            let latest = (0..tick.min(4)).map(|n| (format!("http://shop.example/gone/{}", tick - n), "404".to_owned()));
            let elapsed = Duration::from_millis(tick * 200);
            let live = Live {
                done: tick * 7,
                queued: 4_000 - tick.min(3_000),
                errors: tick / 5,
                rate: 34.8,
                elapsed,
                latest: latest.collect(),
                ..Live::default()
            };
            made.runs(live);
        }
    }
}
