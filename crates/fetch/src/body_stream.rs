//! Reading a body from the connection, within the limits of time and memory.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::{Response, Version};
use tokio::time::Instant;

use crate::attempt_timer::AttemptTimer;
use crate::bounded_body::{BodyDecoder, DecodeStep};
use crate::budget::BudgetShare;
use crate::failure::cause::{self, Cause};
use crate::reply::BodyState;
use crate::response_headers::Headers;

/// The transfer of a body from the connection into an [`BodyDecoder`].
pub(crate) struct BodyStream {
    pub(crate) response: Response,
    pub(crate) watch: AttemptTimer,
    /// The deadline of the entire attempt; waiting for memory extends it.
    pub(crate) deadline: Instant,
    /// Timeout for silence.
    pub(crate) idle: Duration,
    pub(crate) share: BudgetShare,
    /// Time spent waiting for memory.
    pub(crate) waited: Duration,
}

/// The timeout that a body reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyTimeout {
    /// Silence.
    Idle,
    /// The entire attempt.
    Complete,
}

impl BodyStream {
    /// Reads until the body ends or no more of it is needed.
    pub(crate) async fn run(&mut self, decoder: &mut BodyDecoder, headers: &Headers) -> Result<BodyState, BodyTimeout> {
        loop {
            let piece = match self.is_all_there() {
                true => Ok(None),
                false => {
                    let (bound, late) = self.bound();
                    self.watch.until(bound, self.response.chunk()).await.ok_or(late)?
                }
            };
            let (step, ended) = match piece {
                Ok(Some(bytes)) => (decoder.push(&bytes), None),
                Ok(None) => (decoder.decode(), Some(BodyState::Complete)),
                Err(error) => (decoder.decode(), Some(end_by(&error, headers))),
            };
            match (self.wait_for_memory(decoder, step).await, ended) {
                (DecodeStep::Full, _) => return Ok(BodyState::Cut),
                (DecodeStep::Corrupt(why), None | Some(BodyState::Complete)) => return Ok(BodyState::Broken(why)),
                (_, Some(ended)) => return Ok(ended),
                (_, None) => {}
            }
        }
    }

    /// The deadline of the next piece, and the timeout that it belongs to.
    fn bound(&self) -> (Instant, BodyTimeout) {
        let quiet = Instant::now() + self.idle;
        if quiet <= self.deadline { (quiet, BodyTimeout::Idle) } else { (self.deadline, BodyTimeout::Complete) }
    }

    /// Returns whether the last byte that `Content-Length` announces was received, so that no further read is needed.
    /// In HTTP/2 the server still has to end the stream.
    fn is_all_there(&self) -> bool {
        self.response.version() < Version::HTTP_2 && self.response.content_length() == Some(0)
    }

    /// Waits for memory until the decoder can continue.
    async fn wait_for_memory(&mut self, decoder: &mut BodyDecoder, mut step: DecodeStep) -> DecodeStep {
        while let DecodeStep::NeedsMemory(bytes) = step {
            let requested = Instant::now();
            self.share.grow(bytes as u64).await;
            self.waited += requested.elapsed();
            self.deadline += requested.elapsed();
            decoder.grant(bytes);
            step = decoder.resume();
        }
        step
    }
}

/// The state of a body after a read error. A body that is delimited by the end of the connection is complete even where
/// the server omits the TLS `close_notify`, as many do.
fn end_by(error: &reqwest::Error, headers: &Headers) -> BodyState {
    let framed = headers.get("content-length").is_some() || headers.get("transfer-encoding").is_some();
    let is_end = |link: &(dyn Error + 'static)| {
        link.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
    };
    if !framed && cause::links(error).any(is_end) {
        return BodyState::Complete;
    }
    BodyState::Broken(format!("the connection failed within the body: {}", Cause::of(error).text))
}
