//! Slow visitors, and many.

use crate::made::Made;
use crate::served::{PATIENCE, Served, until};
use mapwright_dashboard::ServerLimits;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Short timeouts, for tests that wait for them.
fn short() -> ServerLimits {
    let short = Duration::from_millis(300);
    ServerLimits { head: short, answer: short, write: short, ..ServerLimits::default() }
}

/// Returns whether the other end has closed; received bytes are discarded.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut bytes = [0; 4_096];
    !matches!(tokio::time::timeout(PATIENCE, stream.read(&mut bytes)).await.expect("an end"), Ok(read) if read > 0)
}

#[tokio::test]
async fn a_head_that_drips_is_cut() {
    let served = Served::within(Made::bare(), short(), |_| {}).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let began = Instant::now();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n").await.unwrap();
    while stream.write_all(b"X-Drip: 1\r\n").await.is_ok() {
        assert!(began.elapsed() < PATIENCE, "it is never cut");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    served.get("/").await.is(200);
}

#[tokio::test]
async fn whoever_says_nothing_is_cut() {
    let served = Served::within(Made::bare(), short(), |_| {}).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    while !is_closed(&mut stream).await {}
    let mut kept = TcpStream::connect(served.address).await.unwrap();
    kept.write_all(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").await.unwrap();
    while !is_closed(&mut kept).await {}
}

#[tokio::test]
async fn a_body_that_never_ends_is_cut() {
    let served = Served::within(Made::bare(), short(), |_| {}).await;
    let head = "POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\nConnection: close\r\n\r\nname=";
    let answer = served.raw(head).await;
    assert!(answer.starts_with("HTTP/1.1 503") || answer.is_empty(), "{answer}");
}

#[tokio::test]
async fn whoever_takes_no_answer_is_cut() {
    let made = Made::bare();
    let folder = made.folder.path().join("reports");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("report.html"), vec![b'x'; 64 << 20]).unwrap();
    let served = Served::within(made, short(), |_| {}).await;
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    stream.write_all(b"GET /jobs/shop/files/reports/report.html HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").await.unwrap();
    let open = async || served.get("/metrics").await.body.contains("mapwright_dashboard_connections 1\n");
    let deadline = Instant::now() + PATIENCE;
    while !open().await {
        assert!(Instant::now() < deadline, "it is never cut");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_visitors_get_their_answers() {
    let served = Arc::new(Served::open(Made::bare()).await);
    let answered = Arc::new(AtomicUsize::new(0));
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.address);
    // All at once, and more than are served at once: the rest waits in the system's queue.
    for _ in 0..1_000 {
        let (served, request, answered) = (Arc::clone(&served), request.clone(), Arc::clone(&answered));
        tokio::spawn(async move {
            let mut stream = TcpStream::connect(served.address).await.unwrap();
            stream.write_all(request.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.unwrap();
            let head = String::from_utf8_lossy(answer.get(..answer.len().min(400)).unwrap_or_default()).into_owned();
            assert!(head.starts_with("HTTP/1.1 200"), "{head}");
            answered.fetch_add(1, Ordering::SeqCst);
        });
    }
    until("a thousand answers", || answered.load(Ordering::SeqCst) == 1_000).await;
    served.get("/").await.is(200);
}

#[tokio::test]
async fn idle_connections_do_not_keep_others_out_for_long() {
    let limits = ServerLimits { connections: 8, ..short() };
    let served = Served::within(Made::bare(), limits, |_| {}).await;
    let mut silent = Vec::new();
    for _ in 0..32 {
        silent.push(TcpStream::connect(served.address).await.unwrap());
    }
    served.get("/").await.is(200);
}

/// Supervisors restart a service that does not answer them.
#[tokio::test]
async fn health_checks_are_answered_while_all_places_are_taken() {
    let limits = ServerLimits { connections: 8, head: Duration::from_secs(60), ..short() };
    let served = Served::within(Made::bare(), limits, |_| {}).await;
    let mut silent = Vec::new();
    for _ in 0..8 {
        silent.push(TcpStream::connect(served.address).await.unwrap());
    }
    for path in ["/healthz", "/readyz"] {
        let began = Instant::now();
        served.get(path).await.is(200);
        assert!(began.elapsed() < Duration::from_secs(1), "{path}: {:?}", began.elapsed());
    }
    served.get("/").await.is(503);
    silent.pop();
    served.get("/").await.is(200);
}
