//! The site's side of a connection.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::answer::{Ending, ServerAction};
use crate::journal::Journal;
use crate::request::ReceivedRequest;
use crate::response::Response;
use crate::routes::{Route, Routes};

/// Maximum size of a request head, in bytes; beyond it the connection is closed.
const MAX_HEAD: usize = 1 << 20;
/// Maximum size of a request body, in bytes.
const MAX_BODY: usize = 16 << 20;

/// Approximate number of bytes of an endless body that are written at once without a gap.
const BLOCK: usize = 32 << 10;

/// The state that the connections of a site share with the test.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) routes: Mutex<Routes>,
    pub(crate) journal: Journal,
    /// Delay before every well-formed response, in microseconds.
    pub(crate) latency: AtomicU64,
}

impl Shared {
    fn route(&self, request: &ReceivedRequest) -> Option<Route> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner).of(request)
    }

    fn answer(&self, request: &ReceivedRequest) -> Arc<ServerAction> {
        match self.route(request) {
            Some(Route::Fixed(answer)) => answer,
            Some(Route::Handler(handler)) => Arc::new(handler(request)),
            None => Arc::new(Response::html("<h1>Not found</h1>").status(404).into()),
        }
    }
}

/// Accepts connections for ever.
pub(crate) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        // An error here concerns one connection that went away before it was accepted.
        let Ok((stream, _)) = listener.accept().await else { continue };
        let number = shared.journal.connected();
        let connection = Connection { stream, shared: Arc::clone(&shared), number, buffer: Vec::new() };
        // A connection ends when the client leaves; its errors do not matter.
        tokio::spawn(async move { drop(connection.serve().await) });
    }
}

struct Connection {
    stream: TcpStream,
    shared: Arc<Shared>,
    number: u64,
    buffer: Vec<u8>,
}

impl Connection {
    async fn serve(mut self) -> io::Result<()> {
        self.stream.set_nodelay(true)?;
        let shared = Arc::clone(&self.shared);
        while let Some(request) = self.read_request().await? {
            let in_flight = shared.journal.arrived(&request);
            let ending = self.give(&request, &shared.answer(&request)).await?;
            match ending {
                Ending::KeepAlive => {}
                Ending::Close => return self.stream.shutdown().await,
                Ending::Hold => return self.wait_for_leave().await,
                Ending::Reset => return self.stream.set_zero_linger(),
            }
            drop(in_flight);
        }
        Ok(())
    }

    async fn read_request(&mut self) -> io::Result<Option<ReceivedRequest>> {
        let head_length = loop {
            if let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end;
            }
            if self.buffer.len() > MAX_HEAD || self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        };
        let rest = self.buffer.split_off(head_length + 4);
        let head = std::mem::replace(&mut self.buffer, rest);
        let (head, _) = head.split_at_checked(head_length).unwrap_or_default();
        let Some(mut request) = ReceivedRequest::parse(head, self.number) else { return Ok(None) };
        let length = request.content_length().min(MAX_BODY);
        while self.buffer.len() < length {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
        let rest = self.buffer.split_off(length);
        request.body = std::mem::replace(&mut self.buffer, rest);
        Ok(Some(request))
    }

    async fn give(&mut self, request: &ReceivedRequest, answer: &ServerAction) -> io::Result<Ending> {
        match answer {
            ServerAction::Respond(response) => self.respond(request, response).await,
            ServerAction::Raw { bytes, then } => {
                self.send(request, bytes).await?;
                Ok(*then)
            }
            ServerAction::Drip { bytes, gap } => {
                for byte in bytes.chunks(1) {
                    tokio::time::sleep(*gap).await;
                    self.send(request, byte).await?;
                }
                Ok(Ending::Close)
            }
            ServerAction::Endless { prefix, chunk, gap } => {
                self.send(request, prefix).await?;
                let chunk = if gap.is_zero() { chunk.repeat(BLOCK / chunk.len().max(1) + 1) } else { chunk.clone() };
                loop {
                    pause(*gap).await;
                    self.send(request, &chunk).await?;
                }
            }
            ServerAction::Tunnel(target) => {
                let mut onward = TcpStream::connect(target).await?;
                self.send(request, b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
                tokio::io::copy_bidirectional(&mut self.stream, &mut onward).await?;
                Ok(Ending::Close)
            }
        }
    }

    async fn respond(&mut self, request: &ReceivedRequest, response: &Response) -> io::Result<Ending> {
        pause(Duration::from_micros(self.shared.latency.load(Ordering::Relaxed))).await;
        pause(response.delay).await;
        if let Some(gate) = &response.gate {
            gate.passed().await;
        }
        self.send(request, &response.wire(&request.method)).await?;
        Ok(if response.closes() || request.wants_close() { Ending::Close } else { Ending::KeepAlive })
    }

    async fn send(&mut self, request: &ReceivedRequest, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await?;
        self.shared.journal.sent(request.path(), bytes.len());
        Ok(())
    }

    async fn wait_for_leave(&mut self) -> io::Result<()> {
        let mut ignored = [0; 256];
        while self.stream.read(&mut ignored).await? > 0 {}
        Ok(())
    }
}

async fn pause(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    } else {
        // An endless answer must not block the other connections of the site's only thread.
        tokio::task::consume_budget().await;
    }
}
