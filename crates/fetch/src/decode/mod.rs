//! Decoding of content codings, with bounded output.

mod brotli;
mod inflate;
mod inflater;
mod stage;
mod zstd;

pub(crate) use inflater::Inflater;
pub(crate) use stage::Corrupt;

use crate::codings::Coding;
use inflate::is_zlib;
use stage::{Stage, make_room};

/// Size of the pieces that pass between two stacked codings, in bytes.
const PIECE: usize = 64 << 10;

/// The decoders of one body's codings, in sequence.
pub(crate) struct Chain {
    stages: Vec<Linked>,
    /// Limit of the total output of an inner coding, in bytes.
    inner_limit: u64,
}

/// A decoder, and its output that the next one has not consumed yet.
struct Linked {
    stage: Box<dyn Stage>,
    ready: Vec<u8>,
    given: usize,
    made: u64,
    fault: Option<Corrupt>,
}

impl Chain {
    /// Builds a chain for codings in the order in which they were applied. `inner_limit` limits the bytes between two
    /// of them.
    pub(crate) fn new(codings: &[Coding], inner_limit: u64) -> Chain {
        let mut stages: Vec<Linked> = codings.iter().rev().map(|&coding| Linked::new(coding.stage())).collect();
        if stages.is_empty() {
            stages.push(Linked::new(Box::new(Plain)));
        }
        Chain { stages, inner_limit }
    }

    /// Decodes from `input` to the end of `out`, until the input is used up or `out` holds `limit` bytes or a little
    /// more. Returns how much of the input was used.
    pub(crate) fn advance(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<usize, Corrupt> {
        advance(&mut self.stages, input, out, limit, self.inner_limit)
    }

    /// Returns whether every stream may end here.
    pub(crate) fn is_complete(&self) -> bool {
        self.stages.iter().all(|linked| linked.stage.is_complete() && linked.given == linked.ready.len())
    }
}

impl Linked {
    fn new(stage: Box<dyn Stage>) -> Linked {
        Linked { stage, ready: Vec::new(), given: 0, made: 0, fault: None }
    }

    /// Decodes the next piece for the following coding. A fault is kept until the piece before it is consumed.
    fn refill(&mut self, input: &[u8], inner_limit: u64) -> usize {
        self.ready.clear();
        self.given = 0;
        let used = match self.stage.step(input, &mut self.ready, PIECE) {
            Ok(used) => used,
            Err(fault) => {
                self.fault = Some(fault);
                input.len()
            }
        };
        self.made = self.made.saturating_add(self.ready.len() as u64);
        if self.made > inner_limit {
            self.fault = Some(Corrupt("an inner content coding swells beyond the bound of the body".to_owned()));
        }
        used
    }
}

/// One level of the chain; at most as deep as there are codings.
fn advance(
    stages: &mut [Linked],
    input: &[u8],
    out: &mut Vec<u8>,
    limit: usize,
    inner_limit: u64,
) -> Result<usize, Corrupt> {
    let Some((first, rest)) = stages.split_first_mut() else { return Ok(input.len()) };
    if rest.is_empty() {
        return first.stage.step(input, out, limit);
    }
    let mut used = 0;
    loop {
        let ready = first.ready.get(first.given..).unwrap_or_default();
        first.given += advance(rest, ready, out, limit, inner_limit)?;
        if out.len() >= limit || first.given < first.ready.len() {
            return Ok(used);
        }
        if let Some(fault) = first.fault.clone() {
            return Err(fault);
        }
        let left = input.get(used..).unwrap_or_default();
        used += first.refill(left, inner_limit);
        if first.ready.is_empty() && first.fault.is_none() {
            return Ok(used);
        }
    }
}

impl Coding {
    fn stage(self) -> Box<dyn Stage> {
        match self {
            Coding::Gzip => Box::new(inflate::Gzip::new()),
            Coding::Deflate => Box::new(inflate::Deflate::new()),
            Coding::Brotli => Box::new(brotli::Brotli::new()),
            Coding::Zstd => Box::new(zstd::Zstd::new()),
        }
    }
}

/// The identity coding.
struct Plain;

impl Stage for Plain {
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<usize, Corrupt> {
        let taken = input.len().min(limit.saturating_sub(out.len()));
        let mut rest = input.get(..taken).unwrap_or_default();
        while !rest.is_empty() {
            make_room(out, limit);
            let (now, later) = rest.split_at_checked(out.capacity() - out.len()).unwrap_or((rest, &[]));
            out.extend_from_slice(now);
            rest = later;
        }
        Ok(taken)
    }

    fn is_complete(&self) -> bool {
        true
    }
}

#[cfg(test)]
pub(crate) mod coded;
#[cfg(test)]
mod tests;
