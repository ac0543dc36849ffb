//! The br coding.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::{Corrupt, Stage, make_room};

/// Bytes that are decoded at a time: the output buffer is zero-filled first.
const STEP: usize = 64 << 10;

type State = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// The br coding (RFC 7932); windows beyond the RFC's 16 MiB are refused.
pub(super) struct Brotli {
    state: Box<State>,
    ended: bool,
}

impl Brotli {
    pub(super) fn new() -> Brotli {
        let alloc = StandardAlloc::default;
        Brotli { state: Box::new(State::new_strict(alloc(), alloc(), alloc())), ended: false }
    }
}

impl Stage for Brotli {
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<usize, Corrupt> {
        let (mut left, mut used) = (input.len(), 0);
        while !self.ended && out.len() < limit {
            make_room(out, limit);
            let start = out.len();
            out.resize(out.capacity().min(start + STEP), 0);
            let (mut room, mut made, mut total) = (out.len() - start, 0, 0);
            let target = out.get_mut(start..).unwrap_or_default();
            let result = BrotliDecompressStream(
                &mut left,
                &mut used,
                input,
                &mut room,
                &mut made,
                target,
                &mut total,
                &mut self.state,
            );
            out.truncate(start + made);
            match result {
                BrotliResult::ResultSuccess => self.ended = true,
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput => return Ok(used),
                BrotliResult::ResultFailure => return Err(Corrupt("the br stream is wrong".to_owned())),
            }
        }
        Ok(if self.ended { input.len() } else { used })
    }

    fn is_complete(&self) -> bool {
        self.ended
    }
}
