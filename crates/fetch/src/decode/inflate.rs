//! The gzip and deflate codings.

use flate2::{Decompress, FlushDecompress, Status};

use super::{Corrupt, Stage, make_room};

/// Windows of 32 KiB, the maximum of RFC 1951.
const WINDOW_BITS: u8 = 15;

/// Maximum number of gzip members of a body: empty ones cost time and decode to nothing.
const MAX_MEMBERS: u32 = 65_536;

/// The first byte of a gzip member (RFC 1952, section 2.3.1).
const GZIP_ID1: u8 = 0x1f;

/// The gzip coding: members one after the other (RFC 1952, section 2.2), their checksums compared.
///
/// Trailing data after the last member is ignored, as browsers and gzip do.
pub(super) struct Gzip {
    state: Decompress,
    at: At,
    members: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Within a member, or before the first.
    Member,
    /// After a member.
    Between,
    /// After the last member.
    End,
}

impl Gzip {
    pub(super) fn new() -> Gzip {
        Gzip { state: Decompress::new_gzip(WINDOW_BITS), at: At::Member, members: 1 }
    }

    /// Interprets the byte after a member; returns whether it was consumed.
    fn between(&mut self, byte: u8) -> Result<bool, Corrupt> {
        match byte {
            GZIP_ID1 if self.members == MAX_MEMBERS => Err(Corrupt("gzip members without end".to_owned())),
            GZIP_ID1 => {
                self.members += 1;
                self.state = Decompress::new_gzip(WINDOW_BITS);
                self.at = At::Member;
                Ok(false)
            }
            // Tapes and blocks are padded with zeros.
            0 => Ok(true),
            _ => {
                self.at = At::End;
                Ok(true)
            }
        }
    }

    /// Returns whether a member after the first is corrupt from its first bytes on, which makes it trailing data.
    fn is_trailer(&self) -> bool {
        self.members > 1 && self.state.total_out() == 0
    }
}

impl Stage for Gzip {
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<usize, Corrupt> {
        let mut used = 0;
        loop {
            let rest = input.get(used..).unwrap_or_default();
            match (self.at, rest.first()) {
                (At::End, _) => return Ok(input.len()),
                (At::Between, None) => return Ok(used),
                (At::Between, Some(&byte)) => used += usize::from(self.between(byte)?),
                (At::Member, _) => match inflate(&mut self.state, rest, out, limit) {
                    Ok(Inflated { taken, ended: true }) => {
                        used += taken;
                        self.at = At::Between;
                    }
                    Ok(Inflated { taken, ended: false }) => return Ok(used + taken),
                    Err(_) if self.is_trailer() => self.at = At::End,
                    Err(fault) => return Err(fault),
                },
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.at != At::Member || self.is_trailer()
    }
}

/// The deflate coding: RFC 1950, or RFC 1951 without the zlib wrapper. The first byte distinguishes them.
pub(super) struct Deflate {
    state: Option<Decompress>,
    ended: bool,
}

impl Deflate {
    pub(super) fn new() -> Deflate {
        Deflate { state: None, ended: false }
    }
}

impl Stage for Deflate {
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<usize, Corrupt> {
        if self.ended {
            return Ok(input.len());
        }
        let Some(&first) = input.first().or(self.state.is_some().then_some(&0)) else { return Ok(0) };
        let state = self.state.get_or_insert_with(|| Decompress::new(is_zlib(first)));
        let Inflated { taken, ended } = inflate(state, input, out, limit)?;
        self.ended = ended;
        Ok(if ended { input.len() } else { taken })
    }

    fn is_complete(&self) -> bool {
        self.ended
    }
}

/// Returns whether a stream with this first byte has the header of RFC 1950: method 8, and a window of at most 32 KiB.
/// A bare deflate stream looks like that only if it begins with a stored block and non-zero padding.
pub(super) fn is_zlib(first: u8) -> bool {
    first & 0x0f == 8 && first >> 4 <= 7
}

/// The progress of a stream.
struct Inflated {
    taken: usize,
    ended: bool,
}

/// Decodes until the input is consumed, the stream ends, or `out` holds `limit` bytes or a little more.
fn inflate(state: &mut Decompress, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<Inflated, Corrupt> {
    let mut taken = 0;
    loop {
        if out.len() >= limit {
            return Ok(Inflated { taken, ended: false });
        }
        make_room(out, limit);
        let (read, written) = (state.total_in(), out.len());
        let rest = input.get(taken..).unwrap_or_default();
        let status = state
            .decompress_vec(rest, out, FlushDecompress::None)
            .map_err(|error| Corrupt(error.message().unwrap_or("the deflate stream is wrong").to_owned()))?;
        let advance = state.total_in().saturating_sub(read);
        taken += usize::try_from(advance).unwrap_or(usize::MAX);
        if status == Status::StreamEnd {
            return Ok(Inflated { taken, ended: true });
        }
        if advance == 0 && out.len() == written {
            return Ok(Inflated { taken, ended: false });
        }
    }
}
