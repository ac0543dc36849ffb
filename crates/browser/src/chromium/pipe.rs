//! The pipe on which the browser speaks: JSON messages, each ended by a zero byte.

use serde_json::Value;
use std::io;
use std::os::fd::OwnedFd;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};

/// Longest message in bytes, larger than any document that is read. Longer ones are skipped.
const MAX_MESSAGE: u64 = 96 << 20;

/// The end at which the browser's messages arrive.
#[derive(Debug)]
pub(crate) struct PipeReader(BufReader<Receiver>);

impl PipeReader {
    pub(crate) fn new(fd: OwnedFd) -> io::Result<PipeReader> {
        Ok(PipeReader(BufReader::with_capacity(1 << 16, Receiver::from_owned_fd(fd)?)))
    }

    /// Returns the next message; `None` at the end of the browser.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Value>> {
        loop {
            let mut message = Vec::new();
            (&mut self.0).take(MAX_MESSAGE).read_until(0, &mut message).await?;
            match message.pop() {
                None => return Ok(None),
                Some(0) => return serde_json::from_slice(&message).map(Some).map_err(io::Error::other),
                Some(_) => self.skip().await?,
            }
        }
    }

    /// Skips the rest of a message. The command that it answers has no answer.
    async fn skip(&mut self) -> io::Result<()> {
        tracing::debug!("a message of the browser is too long");
        loop {
            let bytes = self.0.fill_buf().await?;
            let end = bytes.iter().position(|byte| *byte == 0);
            let used = end.map_or(bytes.len(), |place| place + 1);
            let is_over = end.is_some() || bytes.is_empty();
            self.0.consume(used);
            if is_over {
                return Ok(());
            }
        }
    }
}

/// The end at which commands are sent.
#[derive(Debug)]
pub(crate) struct PipeWriter(Sender);

impl PipeWriter {
    pub(crate) fn new(fd: OwnedFd) -> io::Result<PipeWriter> {
        Ok(PipeWriter(Sender::from_owned_fd(fd)?))
    }

    /// Sends one message.
    pub(crate) async fn send(&mut self, message: &Value) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(message)?;
        bytes.push(0);
        self.0.write_all(&bytes).await
    }
}
