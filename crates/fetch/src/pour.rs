//! Reading a body off the wire, within the bounds of time and memory.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::{Response, Version};
use tokio::time::Instant;

use crate::body::{Intake, Intook};
use crate::budget::Share;
use crate::cause::{self, Cause};
use crate::headers::Headers;
use crate::reply::BodyState;
use crate::watch::Watch;

/// The way of a body from the wire into an [`Intake`].
pub(crate) struct Pouring {
    pub(crate) response: Response,
    pub(crate) watch: Watch,
    /// When the attempt as a whole is over; waiting for memory moves it.
    pub(crate) deadline: Instant,
    /// Longest silence.
    pub(crate) idle: Duration,
    pub(crate) share: Share,
    /// How long we waited for memory.
    pub(crate) waited: Duration,
}

/// Which bound of time a body met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Late {
    /// Silence.
    Idle,
    /// The attempt as a whole.
    Whole,
}

impl Pouring {
    /// Pours until the body ends, or is not wanted any more.
    pub(crate) async fn run(&mut self, intake: &mut Intake, headers: &Headers) -> Result<BodyState, Late> {
        loop {
            let piece = match self.is_all_there() {
                true => Ok(None),
                false => {
                    let (bound, late) = self.bound();
                    self.watch.until(bound, self.response.chunk()).await.ok_or(late)?
                }
            };
            let (standing, ended) = match piece {
                Ok(Some(bytes)) => (intake.push(&bytes), None),
                Ok(None) => (intake.decode(), Some(BodyState::Whole)),
                Err(error) => (intake.decode(), Some(end_by(&error, headers))),
            };
            match (self.give_room(intake, standing).await, ended) {
                (Intook::Full, _) => return Ok(BodyState::Cut),
                (Intook::Corrupt(why), None | Some(BodyState::Whole)) => return Ok(BodyState::Broken(why)),
                (_, Some(ended)) => return Ok(ended),
                (_, None) => {}
            }
        }
    }

    /// When the next piece must have come, and what is met otherwise.
    fn bound(&self) -> (Instant, Late) {
        let quiet = Instant::now() + self.idle;
        if quiet <= self.deadline { (quiet, Late::Idle) } else { (self.deadline, Late::Whole) }
    }

    /// Whether the last byte that `Content-Length` promises has come, so that nobody needs to be asked for more. In
    /// HTTP/2 the server has still to say that it was the last.
    fn is_all_there(&self) -> bool {
        self.response.version() < Version::HTTP_2 && self.response.content_length() == Some(0)
    }

    /// Gets an intake on that wants memory.
    async fn give_room(&mut self, intake: &mut Intake, mut standing: Intook) -> Intook {
        while let Intook::WantsRoom(bytes) = standing {
            let asked = Instant::now();
            self.share.grow(bytes as u64).await;
            self.waited += asked.elapsed();
            self.deadline += asked.elapsed();
            intake.grant(bytes);
            standing = intake.resume();
        }
        standing
    }
}

/// What an error in the midst of a body makes of it. A body that only the end of the connection ends is whole even
/// where the server forgets to say goodbye in TLS, as many do.
fn end_by(error: &reqwest::Error, headers: &Headers) -> BodyState {
    let framed = headers.get("content-length").is_some() || headers.get("transfer-encoding").is_some();
    let is_end = |link: &(dyn Error + 'static)| {
        link.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
    };
    if !framed && cause::links(error).any(is_end) {
        return BodyState::Whole;
    }
    BodyState::Broken(format!("the connection failed within the body: {}", Cause::of(error).text))
}
