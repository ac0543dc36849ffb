//! Serves the pages of a plan, fast and without any bad habit.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::page::{Body, Press};
use super::plan::Kind;

/// Longest request head that is read.
const MAX_HEAD: usize = 64 << 10;
const ROBOTS: &str = "User-agent: *\nDisallow: /private/\n";

const PLAIN_HEADERS: &str = "Content-Type: text/html; charset=utf-8\r\nVary: Accept-Encoding\r\n";
const GZIP_HEADERS: &str =
    "Content-Type: text/html; charset=utf-8\r\nVary: Accept-Encoding\r\nContent-Encoding: gzip\r\n";

/// How to serve.
#[derive(Debug, Clone, Copy)]
pub struct ServerOptions {
    /// Threads that serve; at least one.
    pub threads: usize,
    /// Wait before every answer.
    pub latency: Duration,
}

/// Serves on this listener until the process ends.
///
/// # Errors
/// Where the listener or the threads cannot be set up.
pub fn serve(listener: TcpListener, press: Press, options: ServerOptions) -> io::Result<()> {
    let mut runtime = match options.threads {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        threads => {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            builder.worker_threads(threads);
            builder
        }
    };
    listener.set_nonblocking(true)?;
    runtime.enable_all().build()?.block_on(accept(listener, Arc::new(press), options.latency))
}

async fn accept(listener: TcpListener, press: Arc<Press>, latency: Duration) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        // An error here concerns one connection that went away before it was accepted.
        let Ok((stream, _)) = listener.accept().await else { continue };
        let press = Arc::clone(&press);
        // How a client leaves is of no interest.
        tokio::spawn(async move { drop(converse(stream, &press, latency).await) });
    }
}

async fn converse(mut stream: TcpStream, press: &Press, latency: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut desk = Desk { page: Vec::new(), out: Vec::new() };
    let mut input = Vec::with_capacity(4096);
    loop {
        while let Some(end) = end_of_head(&input) {
            let rest = input.split_off(end);
            desk.answer(&input, press);
            input = rest;
            if !latency.is_zero() {
                tokio::time::sleep(latency).await;
            }
            stream.write_all(&desk.out).await?;
        }
        if input.len() > MAX_HEAD || stream.read_buf(&mut input).await? == 0 {
            return Ok(());
        }
    }
}

fn end_of_head(input: &[u8]) -> Option<usize> {
    input.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

/// What a connection keeps from one answer to the next, so that answering needs no memory anew.
struct Desk {
    page: Vec<u8>,
    /// The whole answer.
    out: Vec<u8>,
}

impl Desk {
    /// Writes the whole answer to one request head.
    fn answer(&mut self, head: &[u8], press: &Press) {
        let head = String::from_utf8_lossy(head);
        let target = head.split(' ').nth(1).unwrap_or("/");
        let path = target.split('?').next().unwrap_or_default();
        let plan = press.plan();
        self.page.clear();
        if path == "/robots.txt" {
            self.page.extend_from_slice(ROBOTS.as_bytes());
            return self.write("200 OK", "Content-Type: text/plain\r\n");
        }
        if let Some(number) = plan.behind(path) {
            return self.write("301 Moved Permanently", &format!("Location: {}\r\n", plan.path(number)));
        }
        let Some(number) = plan.at(path).filter(|number| plan.kind(*number) != Kind::Missing) else {
            self.page.extend_from_slice(b"<h1>Not found</h1>");
            return self.write("404 Not Found", "Content-Type: text/html\r\n");
        };
        let (body, headers) = if takes_gzip(&head) { (Body::Gzip, GZIP_HEADERS) } else { (Body::Plain, PLAIN_HEADERS) };
        press.print(number, body, &mut self.page);
        self.write("200 OK", headers);
    }

    fn write(&mut self, status: &str, headers: &str) {
        let length = self.page.len();
        self.out.clear();
        self.out
            .extend_from_slice(format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n").as_bytes());
        self.out.extend_from_slice(&self.page);
    }
}

fn takes_gzip(head: &str) -> bool {
    let field =
        head.lines().filter_map(|line| line.split_once(':')).find(|(k, _)| k.eq_ignore_ascii_case("accept-encoding"));
    field.is_some_and(|(_, value)| value.contains("gzip"))
}

#[cfg(test)]
mod tests;
