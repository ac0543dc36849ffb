//! Receiving a body: decoding it, within its size limit.

use crate::buffers::DecodeBuffers;
use crate::codings::{self, Coding};
use crate::decode::Chain;
use crate::reply::BodyState;
use crate::response_headers::Headers;

/// A coded body up to this size, in bytes, is collected and decoded in one call, which is cheapest; a larger one is
/// decoded as it arrives.
const COMPLETE: usize = 1 << 20;

/// The number of bytes by which a coded body may be longer than its decoded form.
const WIRE_SLACK: u64 = 1 << 20;

/// Memory that each body has without drawing on the shared budget, in bytes.
const FREE: usize = 256 << 10;

/// Spare capacity of a finished body that is not worth releasing, in bytes.
const SPARE: usize = 64 << 10;

/// The factor by which a coded page commonly grows when it is decoded.
const SWELLING: usize = 4;

/// A body while it is received.
pub(crate) struct BodyDecoder {
    codings: Vec<Coding>,
    /// Created when the first bytes are to be decoded piece by piece.
    chain: Option<Chain>,
    /// The only coding, while the body may still be decoded in one call.
    single_coding: Option<Coding>,
    /// The body was decoded in one call, to its very end.
    complete: bool,
    buffers: DecodeBuffers,
    wire_bytes: u64,
    /// The transfer has ended.
    ended: bool,
    body: Vec<u8>,
    /// Maximum number of decoded bytes.
    limit: usize,
    /// Memory that this body may use, in bytes.
    granted: usize,
}

/// The state of a body after a piece was received.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecodeStep {
    /// It needs more bytes from the connection.
    NeedsInput,
    /// It needs this many bytes of memory before it can continue.
    NeedsMemory(usize),
    /// The size limit is reached; the rest is not needed.
    Full,
    /// The coding is broken; the rest cannot be read.
    Corrupt(String),
}

impl BodyDecoder {
    /// Prepares for the body of a response with these header fields.
    ///
    /// # Errors
    /// Its codings are unknown, or were not offered.
    pub(crate) fn new(headers: &Headers, max_body: u64, buffers: DecodeBuffers) -> Result<BodyDecoder, String> {
        codings::check_transfer(headers.all("transfer-encoding"))?;
        let codings = codings::parse(headers.all("content-encoding"))?;
        let single_coding = if let [only] = codings.as_slice() { Some(*only) } else { None };
        Ok(BodyDecoder {
            codings,
            chain: None,
            single_coding,
            complete: false,
            buffers,
            wire_bytes: 0,
            ended: false,
            body: Vec::new(),
            // One byte more than the limit distinguishes a longer body from one of exactly that length.
            limit: usize::try_from(max_body.saturating_add(1)).unwrap_or(usize::MAX),
            granted: FREE,
        })
    }

    /// Receives a piece from the connection.
    pub(crate) fn push(&mut self, piece: &[u8]) -> DecodeStep {
        self.wire_bytes = self.wire_bytes.saturating_add(piece.len() as u64);
        self.buffers.wire.extend_from_slice(piece);
        self.resume()
    }

    /// Adds to the memory that may be used.
    pub(crate) fn grant(&mut self, bytes: usize) {
        self.granted = self.granted.saturating_add(bytes);
    }

    /// Continues decoding what has been received.
    pub(crate) fn resume(&mut self) -> DecodeStep {
        if self.is_coded() && self.wire_bytes <= COMPLETE as u64 {
            if !self.ended {
                return if self.buffers.wire.len() >= self.granted { self.want() } else { DecodeStep::NeedsInput };
            }
            if let Some(step) = self.at_once() {
                return step;
            }
        }
        let bound = (self.limit as u64).saturating_add(WIRE_SLACK);
        match self.advance() {
            DecodeStep::NeedsInput if self.wire_bytes > bound => DecodeStep::Full,
            step => step,
        }
    }

    /// Ends the transfer and decodes all that has been received.
    pub(crate) fn decode(&mut self) -> DecodeStep {
        self.ended = true;
        self.resume()
    }

    fn is_coded(&self) -> bool {
        !self.codings.is_empty()
    }

    /// Decodes the body in one call; `None` where that is not possible.
    fn at_once(&mut self) -> Option<DecodeStep> {
        let coding = self.single_coding?;
        let wire = &self.buffers.wire;
        let room = self.buffers.inflater.room(coding, wire, self.limit.saturating_sub(1));
        let missing = room.map(|room| room.saturating_add(wire.len()).saturating_sub(self.granted));
        if let Some(missing @ 1..) = missing {
            return Some(DecodeStep::NeedsMemory(missing));
        }
        self.single_coding = None;
        self.body = self.buffers.inflater.decode(coding, wire, room?)?;
        self.buffers.wire.clear();
        self.complete = true;
        Some(if self.body.len() >= self.limit { DecodeStep::Full } else { DecodeStep::NeedsInput })
    }

    /// Decodes piece by piece, as far as the memory allows.
    fn advance(&mut self) -> DecodeStep {
        self.prepare();
        let wire = &mut self.buffers.wire;
        let target = self.limit.min(self.granted.saturating_sub(wire.len()));
        // The most bytes that may pass between two codings.
        let inner_limit = (self.limit as u64).saturating_add(WIRE_SLACK);
        let chain = self.chain.get_or_insert_with(|| Chain::new(&self.codings, inner_limit));
        match chain.advance(wire, &mut self.body, target) {
            Ok(used) if used >= wire.len() => wire.clear(),
            Ok(used) => drop(wire.drain(..used)),
            Err(corrupt) => return DecodeStep::Corrupt(corrupt.0),
        }
        if self.body.len() >= self.limit {
            return DecodeStep::Full;
        }
        if self.body.len() >= target { self.want() } else { DecodeStep::NeedsInput }
    }

    /// Finishes the body. `ended` is how the transfer ended: complete, at our own limit, or broken.
    pub(crate) fn finish(mut self, ended: BodyState) -> (DecodedBody, DecodeBuffers) {
        let over = self.body.len() >= self.limit;
        let complete = self.complete || self.chain.as_ref().is_some_and(Chain::is_complete);
        let truncated = self.is_coded() && self.wire_bytes > 0 && !complete;
        let state = match ended {
            _ if over => BodyState::Cut,
            BodyState::Complete if truncated => BodyState::Broken("the coded body ends too early".to_owned()),
            other => other,
        };
        self.body.truncate(self.limit.saturating_sub(1));
        if self.body.capacity() > self.body.len() + SPARE {
            self.body.shrink_to_fit();
        }
        let charged = self.body.capacity().saturating_sub(FREE) as u64;
        (DecodedBody { body: self.body, state, wire_bytes: self.wire_bytes, charged }, self.buffers)
    }

    fn want(&self) -> DecodeStep {
        let most = self.limit.saturating_add(self.buffers.wire.len()).saturating_sub(self.granted);
        DecodeStep::NeedsMemory(self.granted.min(most).max(1))
    }

    /// Reserves capacity for the likely decoded size of the first bytes.
    fn prepare(&mut self) {
        let waiting = self.buffers.wire.len();
        if self.body.is_empty() && waiting > 0 {
            let guess = if self.is_coded() { waiting.saturating_mul(SWELLING) } else { waiting };
            let permitted = self.limit.min(self.granted.saturating_sub(waiting));
            self.body.reserve_exact(guess.min(permitted));
        }
    }
}

/// A received body.
pub(crate) struct DecodedBody {
    pub(crate) body: Vec<u8>,
    pub(crate) state: BodyState,
    pub(crate) wire_bytes: u64,
    /// Memory that it occupies beyond the free allowance, in bytes.
    pub(crate) charged: u64,
}

impl DecodedBody {
    /// No body: the response has none, or it cannot be read at all.
    pub(crate) fn nothing(state: BodyState) -> DecodedBody {
        DecodedBody { body: Vec::new(), state, wire_bytes: 0, charged: 0 }
    }
}

#[cfg(test)]
mod tests;
