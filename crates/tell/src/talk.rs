//! The stream beneath a conversation with a mail server.

use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncBufRead, AsyncRead, AsyncWrite, BufReader, ReadBuf};

/// Bytes that a mail server may say in one conversation, TLS included.
const MOST_HEARD: usize = 1 << 20;

/// A stream that ends after [`MOST_HEARD`] bytes, for a line without end would otherwise fill the memory, and that
/// hands over one line at a time: what somebody puts behind the answer to STARTTLS, in the clear, is then not taken for
/// an answer given under TLS, but breaks the handshake.
#[derive(Debug)]
pub(crate) struct Talk<S> {
    stream: BufReader<S>,
    peer: SocketAddr,
    left: usize,
}

impl<S: AsyncRead> Talk<S> {
    pub(crate) fn new(stream: S, peer: SocketAddr) -> Talk<S> {
        Talk { stream: BufReader::new(stream), peer, left: MOST_HEARD }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Talk<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Talk { stream, left, .. } = self.get_mut();
        let mut stream = Pin::new(stream);
        if *left == 0 {
            return Poll::Ready(Err(io::Error::other("the server says too much")));
        }
        let heard = ready!(stream.as_mut().poll_fill_buf(cx))?;
        let line = heard.iter().position(|byte| *byte == b'\n').map_or(heard.len(), |end| end + 1);
        let (given, _) = heard.split_at(line.min(into.remaining()).min(*left));
        into.put_slice(given);
        let length = given.len();
        *left -= length;
        stream.consume(length);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Talk<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin + Debug> AsyncTokioStream for Talk<S> {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}
