//! The zstd coding.

use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::{Corrupt, Stage, make_room};

/// Windows of at most 8 MiB, the limit of RFC 9659 for HTTP.
const WINDOW_LOG: u32 = 23;

/// The zstd coding (RFC 8878), including several consecutive frames.
pub(super) struct Zstd {
    state: Result<Decoder<'static>, Corrupt>,
    at: At,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Within a frame, or before the first.
    Frame,
    /// After a frame.
    Between,
    /// After the last frame.
    End,
}

impl Zstd {
    pub(super) fn new() -> Zstd {
        Zstd { state: decoder(), at: At::Frame }
    }
}

fn decoder() -> Result<Decoder<'static>, Corrupt> {
    let mut decoder = Decoder::new().map_err(corrupt)?;
    decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG)).map_err(corrupt)?;
    Ok(decoder)
}

fn corrupt(error: std::io::Error) -> Corrupt {
    Corrupt(format!("the zstd stream is wrong: {error}"))
}

impl Stage for Zstd {
    fn step(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<usize, Corrupt> {
        let decoder = self.state.as_mut().map_err(|fault| fault.clone())?;
        let mut source = InBuffer::around(input);
        while self.at != At::End && out.len() < limit {
            make_room(out, limit);
            let (read, written) = (source.pos(), out.len());
            if self.at == At::Between && read == input.len() {
                break;
            }
            let mut target = OutBuffer::around_pos(out, written);
            match decoder.run(&mut source, &mut target) {
                Ok(0) => self.at = At::Between,
                Ok(_) => self.at = At::Frame,
                // Trailing data after a frame is ignored.
                Err(_) if self.at == At::Between => self.at = At::End,
                Err(error) => return Err(corrupt(error)),
            }
            if source.pos() == read && out.len() == written {
                break;
            }
        }
        Ok(if self.at == At::End { input.len() } else { source.pos() })
    }

    fn is_complete(&self) -> bool {
        self.at != At::Frame
    }
}
