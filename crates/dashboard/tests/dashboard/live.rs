//! The live view: events while a job runs, and their end.

use crate::made::Made;
use crate::served::{PATIENCE, Served, until};
use mapwright_dashboard::ServerLimits;
use mapwright_service::Live;
use reqwest::Response;
use tokio::time::timeout;

fn at(done: u64) -> Live {
    Live { done, ..Live::default() }
}

/// Returns the next bytes of a stream; `None` at its end.
async fn next(stream: &mut Response) -> Option<String> {
    let chunk = timeout(PATIENCE, stream.chunk()).await.expect("something").ok()??;
    Some(String::from_utf8(chunk.to_vec()).unwrap())
}

async fn listen(served: &Served) -> Response {
    let stream = served.request("GET", "/api/v1/jobs/shop/live").send().await.unwrap();
    assert_eq!(stream.status(), 200);
    stream
}

#[tokio::test]
async fn numbers_are_sent_as_they_change_and_then_the_end() {
    let made = Made::bare();
    made.runs(at(1));
    let served = Served::open(made).await;
    let mut stream = listen(&served).await;
    assert!(next(&mut stream).await.unwrap().contains("\"done\":1,"));
    served.made.runs(at(2));
    assert!(next(&mut stream).await.unwrap().contains("\"done\":2,"));
    served.made.ends();
    let mut rest = String::new();
    while let Some(text) = next(&mut stream).await {
        rest.push_str(&text);
    }
    assert!(rest.contains("event: end\n"), "{rest}");
}

#[tokio::test]
async fn they_end_with_the_dashboard() {
    let made = Made::bare();
    made.runs(at(1));
    let mut served = Served::open(made).await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        let mut stream = listen(&served).await;
        next(&mut stream).await.unwrap();
        streams.push(stream);
    }
    served.stop.cancel();
    for mut stream in streams {
        while next(&mut stream).await.is_some() {}
    }
    let task = std::mem::replace(&mut served.task, tokio::spawn(async {}));
    until("the end of the dashboard", || task.is_finished()).await;
}

#[tokio::test]
async fn there_are_so_many_at_once() {
    let made = Made::bare();
    made.runs(at(1));
    let served = Served::within(made, ServerLimits { streams: 2, ..ServerLimits::default() }, |_| {}).await;
    let (one, _two) = (listen(&served).await, listen(&served).await);
    served.get("/api/v1/jobs/shop/live").await.is(503);
    drop(one);
    let deadline = std::time::Instant::now() + PATIENCE;
    // Its place is free once the dashboard notices that the client has disconnected.
    while served.request("GET", "/api/v1/jobs/shop/live").send().await.unwrap().status() != 200 {
        assert!(std::time::Instant::now() < deadline, "the place is never free again");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
