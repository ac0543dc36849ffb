//! The robots.txt gate of an origin: nothing is fetched there until its robots.txt is known (RFC 9309 section 2.3.1).

use crate::contract::RobotsAnswer;
use mapwright_model::Refusal;
use mapwright_web::{PageUrl, Robots};
use std::sync::Arc;
use std::time::Duration;

/// RFC 9309 section 2.3.1.2: at least five hops are followed; beyond them the file counts as unavailable.
pub const MAX_ROBOTS_HOPS: u8 = 5;

/// The state of one origin's robots.txt.
#[derive(Debug)]
pub(crate) enum RobotsState {
    /// To be requested, not before the time given.
    Unasked(Question),
    /// Requested, without a response yet.
    Requesting,
    /// No restrictions.
    Free,
    /// Rules to obey.
    Rules(Arc<Robots>),
    /// Everything is disallowed, for this reason.
    Shut(Refusal),
}

/// The next request for a robots file.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The URL to request; `None` for the origin's own `/robots.txt`.
    pub(crate) url: Option<PageUrl>,
    pub(crate) hops: u8,
    pub(crate) attempt: u8,
    pub(crate) not_before: Duration,
}

impl RobotsState {
    pub(crate) fn new() -> Self {
        Self::Unasked(Question { url: None, hops: 0, attempt: 0, not_before: Duration::ZERO })
    }

    /// Reports whether pages may be requested (or refused) now.
    pub(crate) fn is_known(&self) -> bool {
        matches!(self, Self::Free | Self::Rules(_) | Self::Shut(_))
    }

    /// Returns the reason why this URL may not be fetched, if there is one. `agent` is the crawler's product token.
    pub(crate) fn refuses(&self, agent: &str, url: &PageUrl) -> Option<Refusal> {
        match self {
            Self::Rules(robots) => {
                let ruling = robots.rule_for(agent, url);
                (!ruling.allowed).then_some(Refusal::Rule(ruling.line))
            }
            Self::Shut(refusal) => Some(refusal.clone()),
            Self::Free | Self::Unasked(_) | Self::Requesting => None,
        }
    }

    /// Takes the response to the last request for robots.txt.
    pub(crate) fn answer(&mut self, answer: RobotsAnswer, hops: u8, attempt: u8, retry_at: Duration) {
        *self = match answer {
            RobotsAnswer::Rules(robots) => Self::Rules(robots),
            RobotsAnswer::Free => Self::Free,
            RobotsAnswer::Hop(_) if hops >= MAX_ROBOTS_HOPS => Self::Free,
            RobotsAnswer::Hop(url) => {
                // The tries count over the entire redirect chain, so that a failing target is not requested for ever.
                Self::Unasked(Question { url: Some(url), hops: hops + 1, attempt, not_before: Duration::ZERO })
            }
            RobotsAnswer::Retry(_) => {
                Self::Unasked(Question { url: None, hops: 0, attempt: attempt + 1, not_before: retry_at })
            }
            RobotsAnswer::Status(status) => Self::Shut(Refusal::RobotsStatus(status)),
            RobotsAnswer::Silent(cause) => Self::Shut(Refusal::RobotsSilent(cause)),
        };
    }
}
