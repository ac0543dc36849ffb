//! Serves the built-in site: HTTP/1.1 (RFC 9112), GET and HEAD, one request per connection.

use super::site::{Answer, Site};
use jiff::Timestamp;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Maximum number of simultaneous connections.
const MAX_CONNECTIONS: usize = 64;
/// Maximum size of a request's head, in bytes.
const MAX_HEAD: usize = 16 << 10;
/// Timeout of an entire connection.
const MAX_TIME: Duration = Duration::from_secs(10);
/// Pause after a failure to accept a connection, for example because no file descriptor is left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves `site` for as long as the runtime lives.
pub(super) async fn serve(listener: TcpListener, site: Arc<Site>) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let site = Arc::clone(&site);
                tokio::spawn(async move {
                    // A client that disconnects or is too slow gets no response; the crawl records that.
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

/// Reads the head of a request, up to its limit.
async fn read_head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(1024);
    while !is_complete(&head) && head.len() < MAX_HEAD {
        let room = (MAX_HEAD - head.len()) as u64;
        if (&mut *stream).take(room).read_buf(&mut head).await? == 0 {
            break;
        }
    }
    Ok(head)
}

/// Returns whether the head is complete, that is, ends with an empty line.
fn is_complete(head: &[u8]) -> bool {
    head.windows(4).any(|end| end == b"\r\n\r\n")
}

/// The complete response to a request, head and body.
fn reply(head: &[u8], site: &Site, date: &str) -> Vec<u8> {
    let (method, answer) = match requested(head) {
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

/// Method and target of a request with a complete head.
fn requested(head: &[u8]) -> Option<(&str, &str)> {
    let text = std::str::from_utf8(head).ok().filter(|_| is_complete(head))?;
    let mut words = text.lines().next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    (version.starts_with("HTTP/1.") && target.starts_with('/') && words.next().is_none()).then_some((method, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(head: &str) -> String {
        let site = Site::at("http://127.0.0.1:1");
        String::from_utf8(reply(head.as_bytes(), &site, "Thu, 01 Jan 1970 00:00:00 GMT")).unwrap()
    }

    #[test]
    fn a_page_is_served_and_head_gives_its_head_alone() {
        let complete = output("GET /about HTTP/1.1\r\nHost: x\r\n\r\n");
        let (head, body) = complete.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{head}");
        assert_eq!(output("HEAD /about HTTP/1.1\r\n\r\n"), format!("{head}\r\n\r\n"));
    }

    #[test]
    fn other_requests_get_the_matching_error_status() {
        assert!(output("GET /nowhere HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
        assert!(output("POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
        for head in
            ["", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/2\r\n\r\n", "GET x HTTP/1.1\r\n\r\n", "a b c d\r\n\r\n"]
        {
            assert!(output(head).starts_with("HTTP/1.1 400 "), "{head}");
        }
        assert!(output(&"x".repeat(MAX_HEAD)).starts_with("HTTP/1.1 431 "));
    }
}
