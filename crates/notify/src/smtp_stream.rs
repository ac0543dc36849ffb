//! The stream of a session with a mail server.

use std::fmt::Debug;
use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncBufRead, AsyncRead, AsyncWrite, BufReader, ReadBuf};

/// Bytes that a mail server may send in one session.
const MAX_RECEIVED: usize = 64 << 10;

/// A stream that returns the answers of the server line by line, in the form that lettre can parse. It ends after
/// [`MAX_RECEIVED`] bytes, because an endless line would otherwise fill the memory.
#[derive(Debug)]
pub(crate) struct SmtpStream<S> {
    stream: BufReader<S>,
    peer: SocketAddr,
    left: usize,
    /// The part of the current line that was received.
    line: Vec<u8>,
    /// The line that is being returned.
    heard: Cursor<Vec<u8>>,
}

impl<S: AsyncRead> SmtpStream<S> {
    /// Begins a session.
    pub(crate) fn new(stream: S, peer: SocketAddr) -> SmtpStream<S> {
        SmtpStream::over(BufReader::new(stream), peer, &[])
    }

    /// Begins a session that reads nothing beyond the current line, so that the following bytes stay in the stream for
    /// its next reader.
    pub(crate) fn careful(stream: S, peer: SocketAddr) -> SmtpStream<S> {
        SmtpStream::over(BufReader::with_capacity(1, stream), peer, &[])
    }

    /// Continues a session whose greeting was received before the stream was secured.
    pub(crate) fn secured(stream: S, peer: SocketAddr) -> SmtpStream<S> {
        SmtpStream::over(BufReader::new(stream), peer, b"220 (heard)\r\n")
    }

    fn over(stream: BufReader<S>, peer: SocketAddr, heard: &[u8]) -> SmtpStream<S> {
        SmtpStream { stream, peer, left: MAX_RECEIVED, line: Vec::new(), heard: Cursor::new(heard.to_vec()) }
    }
}

impl<S: AsyncRead + Unpin> SmtpStream<S> {
    /// Receives a line, or the end.
    fn poll_line(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Vec<u8>>> {
        loop {
            if self.left == 0 {
                return Poll::Ready(Err(io::Error::other("the server says too much")));
            }
            let heard = ready!(Pin::new(&mut self.stream).poll_fill_buf(cx))?;
            let ends = heard.iter().position(|byte| *byte == b'\n');
            let (taken, _) = heard.split_at(ends.map_or(heard.len(), |end| end + 1).min(self.left));
            self.line.extend_from_slice(taken);
            let length = taken.len();
            self.left -= length;
            Pin::new(&mut self.stream).consume(length);
            if length == 0 || self.line.ends_with(b"\n") {
                return Poll::Ready(Ok(readable(&std::mem::take(&mut self.line))));
            }
        }
    }
}

/// Converts a line of an answer to the form that lettre parses. The code may stand alone, because clients only depend
/// on the code (RFC 5321, 4.2), and the text need not be UTF-8.
fn readable(line: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    let is_code = |code: &str| code.bytes().all(|byte| byte.is_ascii_digit());
    let bare = match text.split_at_checked(3) {
        Some((code, "")) if is_code(code) => Some((code, " ")),
        Some((code, "-")) if is_code(code) => Some((code, "-")),
        _ => None,
    };
    match bare {
        _ if line.is_empty() => Vec::new(),
        Some((code, mark)) => format!("{code}{mark}(no text)\r\n").into_bytes(),
        None => format!("{text}\r\n").into_bytes(),
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for SmtpStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let smtp_stream = self.get_mut();
        if smtp_stream.heard.position() >= smtp_stream.heard.get_ref().len() as u64 {
            smtp_stream.heard = Cursor::new(ready!(smtp_stream.poll_line(cx))?);
        }
        Pin::new(&mut smtp_stream.heard).poll_read(cx, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for SmtpStream<S> {
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

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin + Debug> AsyncTokioStream for SmtpStream<S> {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn lines_are_converted_for_lettre() {
        for (line, read) in [
            (b"250\r\n".as_slice(), "250 (no text)\r\n"),
            (b"250 \t\n", "250 (no text)\r\n"),
            (b"250-  \r\n", "250-(no text)\r\n"),
            (b"250 ok\r\n", "250 ok\r\n"),
            (b"250 \xfcbernommen\r\n", "250 \u{fffd}bernommen\r\n"),
            (b"25\r\n", "25\r\n"),
            (b"OK!\r\n", "OK!\r\n"),
            (b"\r\n", "\r\n"),
            (b"", ""),
        ] {
            assert_eq!(readable(line), read.as_bytes(), "{line:?}");
        }
    }
}
