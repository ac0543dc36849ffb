//! The output of a command.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinSet;

/// Bytes of the output that are kept: the last.
const MAX_OUTPUT: usize = 64 << 10;
/// Lines of the output that are reported.
const LINES: usize = 10;
/// The maximum wait for the end of the output after the command has ended: a background process may hold it open.
const PATIENCE: Duration = Duration::from_secs(2);

/// The output of a command, read while it runs and bounded in memory.
pub(super) struct Output {
    tail: Arc<Mutex<VecDeque<u8>>>,
    readers: JoinSet<()>,
}

impl Output {
    pub(super) fn of(
        stdout: Option<impl AsyncRead + Unpin + Send + 'static>,
        stderr: Option<impl AsyncRead + Unpin + Send + 'static>,
    ) -> Self {
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let mut readers = JoinSet::new();
        stdout.map(|stream| readers.spawn(read(stream, tail.clone())));
        stderr.map(|stream| readers.spawn(read(stream, tail.clone())));
        Self { tail, readers }
    }

    /// The last lines, after the end of the output.
    pub(super) async fn last_words(mut self) -> String {
        let all = async { while self.readers.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(PATIENCE, all).await;
        let bytes: Vec<u8> = self.tail.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        lines.get(lines.len().saturating_sub(LINES)..).unwrap_or_default().join("\n")
    }
}

async fn read(mut stream: impl AsyncRead + Unpin, tail: Arc<Mutex<VecDeque<u8>>>) {
    let mut buffer = vec![0; 8 << 10];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(buffer.iter().take(length));
        let over = tail.len().saturating_sub(MAX_OUTPUT);
        tail.drain(..over);
    }
}
