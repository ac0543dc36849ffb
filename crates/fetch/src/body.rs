//! Taking in a body: decoding it, within its bound.

use crate::codings::{self, Coding};
use crate::decode::Chain;
use crate::headers::Headers;
use crate::kit::Kit;
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

/// What a coded page commonly swells by.
const SWELLING: usize = 4;

/// A body while it comes in.
pub(crate) struct Intake {
    codings: Vec<Coding>,
    /// Made when the first bytes are to be decoded piece by piece.
    chain: Option<Chain>,
    /// The only coding, while the body may still be decoded as a whole.
    whole: Option<Coding>,
    /// Was decoded as a whole, to its very end.
    complete: bool,
    kit: Kit,
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
    /// Its codings are unknown, or were not offered.
    pub(crate) fn new(headers: &Headers, max_body: u64, kit: Kit) -> Result<Intake, String> {
        codings::check_transfer(headers.all("transfer-encoding"))?;
        let codings = codings::parse(headers.all("content-encoding"))?;
        let whole = if let [only] = codings.as_slice() { Some(*only) } else { None };
        Ok(Intake {
            codings,
            chain: None,
            whole,
            complete: false,
            kit,
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
        self.kit.wire.extend_from_slice(piece);
        self.resume()
    }

    /// Takes in that this much more memory may be used.
    pub(crate) fn grant(&mut self, bytes: usize) {
        self.granted = self.granted.saturating_add(bytes);
    }

    /// Goes on with what has come.
    pub(crate) fn resume(&mut self) -> Intook {
        if self.is_coded() && self.wire_bytes <= WHOLE as u64 {
            if !self.ended {
                return if self.kit.wire.len() >= self.granted { self.want() } else { Intook::Hungry };
            }
            if let Some(standing) = self.at_once() {
                return standing;
            }
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

    fn is_coded(&self) -> bool {
        !self.codings.is_empty()
    }

    /// Decodes the body as a whole; `None` where that is not possible.
    fn at_once(&mut self) -> Option<Intook> {
        let coding = self.whole?;
        let wire = &self.kit.wire;
        let room = self.kit.inflater.room(coding, wire, self.limit.saturating_sub(1));
        let missing = room.map(|room| room.saturating_add(wire.len()).saturating_sub(self.granted));
        if let Some(missing @ 1..) = missing {
            return Some(Intook::WantsRoom(missing));
        }
        self.whole = None;
        self.body = self.kit.inflater.decode(coding, wire, room?)?;
        self.kit.wire.clear();
        self.complete = true;
        Some(if self.body.len() >= self.limit { Intook::Full } else { Intook::Hungry })
    }

    /// Decodes piece by piece, as far as memory goes.
    fn advance(&mut self) -> Intook {
        self.prepare();
        let wire = &mut self.kit.wire;
        let target = self.limit.min(self.granted.saturating_sub(wire.len()));
        // No more than this passes between two codings.
        let inner_limit = (self.limit as u64).saturating_add(WIRE_SLACK);
        let chain = self.chain.get_or_insert_with(|| Chain::new(&self.codings, inner_limit));
        match chain.advance(wire, &mut self.body, target) {
            Ok(used) if used >= wire.len() => wire.clear(),
            Ok(used) => drop(wire.drain(..used)),
            Err(corrupt) => return Intook::Corrupt(corrupt.0),
        }
        if self.body.len() >= self.limit {
            return Intook::Full;
        }
        if self.body.len() >= target { self.want() } else { Intook::Hungry }
    }

    /// The end. `ended` tells how the wire did: well, at our own bound, or broken in some way.
    pub(crate) fn finish(mut self, ended: BodyState) -> (Taken, Kit) {
        let over = self.body.len() >= self.limit;
        let complete = self.complete || self.chain.as_ref().is_some_and(Chain::is_complete);
        let truncated = self.is_coded() && self.wire_bytes > 0 && !complete;
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
        (Taken { body: self.body, state, wire_bytes: self.wire_bytes, charged }, self.kit)
    }

    fn want(&self) -> Intook {
        let most = self.limit.saturating_add(self.kit.wire.len()).saturating_sub(self.granted);
        Intook::WantsRoom(self.granted.min(most).max(1))
    }

    /// Room for what is likely to come of the first bytes.
    fn prepare(&mut self) {
        let waiting = self.kit.wire.len();
        if self.body.is_empty() && waiting > 0 {
            let guess = if self.is_coded() { waiting.saturating_mul(SWELLING) } else { waiting };
            let permitted = self.limit.min(self.granted.saturating_sub(waiting));
            self.body.reserve_exact(guess.min(permitted));
        }
    }
}

/// A body that was taken in.
pub(crate) struct Taken {
    pub(crate) body: Vec<u8>,
    pub(crate) state: BodyState,
    pub(crate) wire_bytes: u64,
    /// Memory that it occupies beyond what is free, in bytes.
    pub(crate) charged: u64,
}

impl Taken {
    /// No body: there is to be none, or it cannot be read at all.
    pub(crate) fn nothing(state: BodyState) -> Taken {
        Taken { body: Vec::new(), state, wire_bytes: 0, charged: 0 }
    }
}

#[cfg(test)]
mod tests;
