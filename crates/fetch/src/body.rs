//! Taking in a body: decoding it, within its bound.

use crate::codings::{self, Coding};
use crate::decode::Chain;
use crate::headers::Headers;
use crate::reply::BodyState;

/// A body that is coded is gathered up to this size, in bytes, and then decoded at once, which is cheapest; beyond, it
/// is decoded as it comes.
const WHOLE: usize = 1 << 20;

/// What a coded body may be longer than what it decodes to, in bytes.
const WIRE_SLACK: u64 = 1 << 20;

/// Each body has this much memory without asking, in bytes.
const FREE: usize = 256 << 10;

/// Room beyond the end of a finished body that is not worth giving back, in bytes.
const SPARE: usize = 64 << 10;

/// No deflate stream swells by more (1,032), so that no hint above is believed.
const MOST_SWELLING: usize = 1_032;

/// A body while it comes in.
pub(crate) struct Intake {
    chain: Chain,
    gzip: bool,
    coded: bool,
    /// What came and is not decoded yet.
    wire: Vec<u8>,
    wire_bytes: u64,
    /// Nothing more will come.
    ended: bool,
    body: Vec<u8>,
    /// Decoded bytes that are kept.
    limit: usize,
    /// Memory that we may use, in bytes.
    granted: usize,
}

/// How an intake stands after a piece.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Intook {
    /// It takes more from the wire.
    Hungry,
    /// It needs this many bytes of memory before it can go on.
    WantsRoom(usize),
    /// The bound is met: the rest is not wanted.
    Full,
    /// The coding is broken; the rest cannot be read.
    Corrupt(String),
}

impl Intake {
    /// For the body of an answer with these header fields.
    ///
    /// # Errors
    /// Its codings are unknown.
    pub(crate) fn new(headers: &Headers, max_body: u64) -> Result<Intake, String> {
        let codings = codings::parse(headers.all("content-encoding"))?;
        let inner_limit = max_body.saturating_add(WIRE_SLACK);
        Ok(Intake {
            chain: Chain::new(&codings, inner_limit),
            gzip: codings.last() == Some(&Coding::Gzip) && codings.len() == 1,
            coded: !codings.is_empty(),
            wire: Vec::new(),
            wire_bytes: 0,
            ended: false,
            body: Vec::new(),
            // One byte more than wanted tells a body that is just as long from a longer one.
            limit: usize::try_from(max_body.saturating_add(1)).unwrap_or(usize::MAX),
            granted: FREE,
        })
    }

    /// Takes in a piece from the wire.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Intook {
        self.wire_bytes = self.wire_bytes.saturating_add(piece.len() as u64);
        self.wire.extend_from_slice(piece);
        self.resume()
    }

    /// Takes in that this much more memory may be used.
    pub(crate) fn grant(&mut self, bytes: usize) {
        self.granted = self.granted.saturating_add(bytes);
    }

    /// Goes on with what has come.
    pub(crate) fn resume(&mut self) -> Intook {
        if self.coded && !self.ended && self.wire_bytes <= WHOLE as u64 {
            return if self.wire.len() >= self.granted { self.want() } else { Intook::Hungry };
        }
        let bound = (self.limit as u64).saturating_add(WIRE_SLACK);
        match self.advance() {
            Intook::Hungry if self.wire_bytes > bound => Intook::Full,
            standing => standing,
        }
    }

    /// The wire has ended: decodes all that has come.
    pub(crate) fn decode(&mut self) -> Intook {
        self.ended = true;
        self.resume()
    }

    /// Decodes as far as memory goes.
    fn advance(&mut self) -> Intook {
        self.prepare();
        let target = self.limit.min(self.granted.saturating_sub(self.wire.len()));
        let advanced = self.chain.advance(&self.wire, &mut self.body, target);
        match advanced {
            Ok(used) => drop(self.wire.drain(..used.min(self.wire.len()))),
            Err(corrupt) => return Intook::Corrupt(corrupt.0),
        }
        if self.body.len() >= self.limit {
            return Intook::Full;
        }
        if self.body.len() >= target { self.want() } else { Intook::Hungry }
    }

    /// The end. `ended` tells how the wire did: well, at our own bound, or broken in some way.
    pub(crate) fn finish(mut self, ended: BodyState) -> Taken {
        let over = self.body.len() >= self.limit;
        let truncated = self.coded && self.wire_bytes > 0 && !self.chain.is_complete();
        let state = match ended {
            _ if over => BodyState::Cut,
            BodyState::Whole if truncated => BodyState::Broken("the coded body ends too early".to_owned()),
            other => other,
        };
        self.body.truncate(self.limit.saturating_sub(1));
        if self.body.capacity() > self.body.len() + SPARE {
            self.body.shrink_to_fit();
        }
        let charged = self.body.capacity().saturating_sub(FREE) as u64;
        Taken { body: self.body, state, wire_bytes: self.wire_bytes, charged }
    }

    fn want(&self) -> Intook {
        let most = self.limit.saturating_add(self.wire.len()).saturating_sub(self.granted);
        Intook::WantsRoom(self.granted.min(most).max(1))
    }

    /// Room for the whole body at once, where its size can be guessed: gzip tells it in its last four bytes
    /// (RFC 1952, section 2.3.1), which are believed only as far as they are possible and permitted.
    fn prepare(&mut self) {
        if !self.body.is_empty() || self.wire.is_empty() {
            return;
        }
        let told = self.wire.last_chunk::<4>().filter(|_| self.gzip).map(|bytes| u32::from_le_bytes(*bytes) as usize);
        let guess = match told {
            Some(told) => told.min(self.wire.len().saturating_mul(MOST_SWELLING)).saturating_add(HEADROOM),
            None if self.coded => self.wire.len().saturating_mul(4),
            None => self.wire.len(),
        };
        let permitted = self.limit.min(self.granted.saturating_sub(self.wire.len()));
        self.body.reserve_exact(guess.min(permitted));
    }
}

/// Room beyond the last byte, with which the inner loop of inflating runs to the end.
const HEADROOM: usize = 300;

/// A body that was taken in.
pub(crate) struct Taken {
    pub(crate) body: Vec<u8>,
    pub(crate) state: BodyState,
    pub(crate) wire_bytes: u64,
    /// Memory that it occupies beyond what is free, in bytes.
    pub(crate) charged: u64,
}

impl Taken {
    /// A body that cannot be read at all.
    pub(crate) fn nothing(why: String) -> Taken {
        Taken { body: Vec::new(), state: BodyState::Broken(why), wire_bytes: 0, charged: 0 }
    }
}

#[cfg(test)]
mod tests;
