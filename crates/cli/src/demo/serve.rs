//! Serves the built-in site: HTTP/1.1 (RFC 9112), GET and HEAD, one request a connection.

use super::site::{Answer, Site};
use jiff::Timestamp;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Connections served at once.
const MAX_CONNECTIONS: usize = 64;
/// Bytes of a request's head at most.
const MAX_HEAD: usize = 16 << 10;
/// Time for one connection as a whole.
const MAX_TIME: Duration = Duration::from_secs(10);
/// Pause after a connection that could not be accepted, for want of file descriptors, say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves `site` for as long as the runtime lives.
pub(super) async fn serve(listener: TcpListener, site: Arc<Site>) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let site = Arc::clone(&site);
                tokio::spawn(async move {
                    // A client that goes away, or is too slow, gets no answer; the crawl records what it saw of it.
                    let _ = timeout(MAX_TIME, converse(stream, &site)).await;
                    drop(place);
                });
            }
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

async fn converse(mut stream: TcpStream, site: &Site) -> io::Result<()> {
    let head = read_head(&mut stream).await?;
    let reply = reply(&head, site, &Timestamp::now().strftime("%a, %d %b %Y %H:%M:%S GMT").to_string());
    stream.write_all(&reply).await?;
    stream.shutdown().await
}

/// The head of a request, as far as it came and within its bound.
async fn read_head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(1024);
    while !is_whole(&head) && head.len() < MAX_HEAD {
        let room = (MAX_HEAD - head.len()) as u64;
        if (&mut *stream).take(room).read_buf(&mut head).await? == 0 {
            break;
        }
    }
    Ok(head)
}

/// Whether a head has come to its end, an empty line.
fn is_whole(head: &[u8]) -> bool {
    head.windows(4).any(|end| end == b"\r\n\r\n")
}

/// The whole answer to a request, head and body.
fn reply(head: &[u8], site: &Site, date: &str) -> Vec<u8> {
    let (method, answer) = match asked(head) {
        None if head.len() >= MAX_HEAD => ("", Answer::bare("431 Request Header Fields Too Large")),
        None => ("", Answer::bare("400 Bad Request")),
        Some((method @ ("GET" | "HEAD"), target)) => (method, site.answer(target)),
        Some((method, _)) => (method, Answer::bare("405 Method Not Allowed").with("Allow", "GET, HEAD")),
    };
    let mut text = format!(
        "HTTP/1.1 {}\r\nDate: {date}\r\nContent-Length: {}\r\nConnection: close\r\n",
        answer.status,
        answer.body.len()
    );
    for (name, value) in &answer.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    if method != "HEAD" {
        bytes.extend_from_slice(&answer.body);
    }
    bytes
}

/// Method and target of a request whose head is whole.
fn asked(head: &[u8]) -> Option<(&str, &str)> {
    let text = std::str::from_utf8(head).ok().filter(|_| is_whole(head))?;
    let mut words = text.lines().next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    (version.starts_with("HTTP/1.") && target.starts_with('/') && words.next().is_none()).then_some((method, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(head: &str) -> String {
        let site = Site::at("http://127.0.0.1:1");
        String::from_utf8(reply(head.as_bytes(), &site, "Thu, 01 Jan 1970 00:00:00 GMT")).unwrap()
    }

    #[test]
    fn a_page_is_served_and_head_gives_its_head_alone() {
        let whole = told("GET /about HTTP/1.1\r\nHost: x\r\n\r\n");
        let (head, body) = whole.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{head}");
        assert_eq!(told("HEAD /about HTTP/1.1\r\n\r\n"), format!("{head}\r\n\r\n"));
    }

    #[test]
    fn what_is_no_request_for_a_page_is_told_so() {
        assert!(told("GET /nowhere HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
        assert!(told("POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
        for head in
            ["", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/2\r\n\r\n", "GET x HTTP/1.1\r\n\r\n", "a b c d\r\n\r\n"]
        {
            assert!(told(head).starts_with("HTTP/1.1 400 "), "{head}");
        }
        assert!(told(&"x".repeat(MAX_HEAD)).starts_with("HTTP/1.1 431 "));
    }
}
