//! A connection with a timeout for writes.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Fails when nothing could be written for a while: a client that requests much and reads nothing would hold the
/// connection for ever.
pub(crate) struct WriteTimeout<T> {
    inner: T,
    patience: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<T> WriteTimeout<T> {
    pub(crate) fn new(inner: T, patience: Duration) -> Self {
        Self { inner, patience, waiting: None }
    }

    /// Returns the result of a write, or an error after the timeout.
    fn watch<R>(&mut self, written: Poll<io::Result<R>>, context: &mut Context<'_>) -> Poll<io::Result<R>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for WriteTimeout<T> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, into)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.watch(written, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(context);
        self.watch(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.inner).poll_shutdown(context);
        self.watch(shut, context)
    }
}

#[cfg(test)]
mod tests {
    use super::WriteTimeout;
    use std::io::ErrorKind;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn whoever_takes_nothing_is_given_up() {
        let (near, _far) = tokio::io::duplex(16);
        let written = WriteTimeout::new(near, Duration::from_millis(20)).write_all(&[0; 64]).await;
        assert_eq!(written.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn whoever_takes_it_gets_all() {
        let (near, mut far) = tokio::io::duplex(16);
        let reader = tokio::spawn(async move {
            let mut all = Vec::new();
            far.read_to_end(&mut all).await.map(|_| all.len())
        });
        let mut near = WriteTimeout::new(near, Duration::from_secs(60));
        near.write_all(&[0; 64]).await.unwrap();
        drop(near);
        assert_eq!(reader.await.unwrap().unwrap(), 64);
    }
}
