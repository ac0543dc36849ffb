//! Serves the pages of a plan fast, without any fault.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::origins::Origins;
use super::page::{Body, PageGenerator};
use super::plan::PageKind;
use super::tally::{PATH as TALLY, ServedCounts};

/// Maximum size of a request head, in bytes.
const MAX_HEAD: usize = 64 << 10;
/// Delay of the runtime's timers, which would count as the crawler's slowness.
const TIMER_LATENESS: Duration = Duration::from_millis(2);
const ROBOTS: &str = "User-agent: *\nDisallow: /private/\n";

const HTML: &str = "Content-Type: text/html; charset=utf-8\r\nVary: Accept-Encoding\r\n";
const TEXT: &str = "Content-Type: text/plain\r\n";

/// The options of the server.
#[derive(Debug, Clone, Copy)]
pub struct ServerOptions {
    /// Number of serving threads, at least one.
    pub threads: usize,
    /// Wait before every response.
    pub latency: Duration,
    /// The origins that are served.
    pub origins: Origins,
}

/// The state shared by all connections.
struct ServerState {
    press: PageGenerator,
    tally: ServedCounts,
    options: ServerOptions,
}

/// Serves on this listener until the process ends.
///
/// # Errors
/// When the listener or the threads cannot be set up.
pub fn serve(listener: TcpListener, press: PageGenerator, options: ServerOptions) -> io::Result<()> {
    let mut runtime = match options.threads {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        threads => {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            builder.worker_threads(threads);
            builder
        }
    };
    listener.set_nonblocking(true)?;
    let tally = ServedCounts::new(press.plan(), options.origins);
    runtime.enable_all().build()?.block_on(accept(listener, Arc::new(ServerState { press, tally, options })))
}

async fn accept(listener: TcpListener, hall: Arc<ServerState>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        // An error here concerns one connection that went away before it was accepted.
        let Ok((stream, _)) = listener.accept().await else { continue };
        let hall = Arc::clone(&hall);
        // Errors of a client that leaves do not matter.
        tokio::spawn(async move { drop(converse(stream, &hall).await) });
    }
}

async fn converse(mut stream: TcpStream, hall: &ServerState) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let origin = hall.options.origins.index(stream.local_addr()?.ip());
    let mut buffers = ConnectionBuffers { hall, origin, page: Vec::new(), out: Vec::new() };
    let mut input = Vec::with_capacity(4096);
    loop {
        while let Some(end) = end_of_head(&input) {
            let due = Instant::now() + hall.options.latency;
            buffers.answer(input.get(..end).unwrap_or_default());
            input.drain(..end);
            if !hall.options.latency.is_zero() {
                wait_until(due).await;
            }
            stream.write_all(&buffers.out).await?;
        }
        if input.len() > MAX_HEAD || stream.read_buf(&mut input).await? == 0 {
            return Ok(());
        }
    }
}

/// Waits until `due`, without the delay of timers.
async fn wait_until(due: Instant) {
    tokio::time::sleep_until(due - TIMER_LATENESS).await;
    while Instant::now() < due {
        tokio::task::yield_now().await;
    }
}

fn end_of_head(input: &[u8]) -> Option<usize> {
    input.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

/// The buffers that a connection reuses, so that a response allocates no memory.
struct ConnectionBuffers<'a> {
    hall: &'a ServerState,
    origin: usize,
    page: Vec<u8>,
    /// The complete response.
    out: Vec<u8>,
}

impl ConnectionBuffers<'_> {
    /// Writes the complete response to one request head.
    fn answer(&mut self, head: &[u8]) {
        let head = String::from_utf8_lossy(head);
        let target = head.split(' ').nth(1).unwrap_or("/");
        let path = target.split('?').next().unwrap_or_default();
        let plan = self.hall.press.plan();
        self.page.clear();
        if path == TALLY {
            self.page.extend_from_slice(self.hall.tally.take(plan).to_string().as_bytes());
            return self.write("200 OK", TEXT);
        }
        if path == "/robots.txt" {
            self.page.extend_from_slice(ROBOTS.as_bytes());
            self.write("200 OK", TEXT);
        } else if let Some(number) = plan.redirect_target(path) {
            self.write("301 Moved Permanently", &format!("Location: {}\r\n", plan.path(number)));
        } else if let Some(number) = plan.at(path).filter(|number| plan.kind(*number) != PageKind::Missing) {
            self.page(number, &head);
        } else {
            self.page.extend_from_slice(b"<h1>Not found</h1>");
            self.write("404 Not Found", "Content-Type: text/html\r\n");
        }
        self.hall.tally.answered(self.out.len());
    }

    /// Writes the page of this number, or 304 Not Modified: pages never change, so the number is a sufficient
    /// validator.
    fn page(&mut self, number: u64, head: &str) {
        let press = &self.hall.press;
        self.hall.tally.page(press.plan(), self.origin, number);
        let tag = format!("W/\"{number}\"");
        if field(head, "if-none-match").is_some_and(|value| value.trim() == tag) {
            return self.write("304 Not Modified", &format!("ETag: {tag}\r\n"));
        }
        let gzip = field(head, "accept-encoding").is_some_and(|value| value.contains("gzip"));
        let (body, coding) = if gzip { (Body::Gzip, "Content-Encoding: gzip\r\n") } else { (Body::Plain, "") };
        press.print(number, body, &mut self.page);
        self.write("200 OK", &format!("{HTML}{coding}ETag: {tag}\r\n"));
    }

    fn write(&mut self, status: &str, headers: &str) {
        // A 304 has no body, and a length would be that of the page.
        let length = match status {
            "304 Not Modified" => String::new(),
            _ => format!("Content-Length: {}\r\n", self.page.len()),
        };
        self.out.clear();
        self.out.extend_from_slice(format!("HTTP/1.1 {status}\r\n{headers}{length}\r\n").as_bytes());
        self.out.extend_from_slice(&self.page);
    }
}

fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

#[cfg(test)]
mod tests;
