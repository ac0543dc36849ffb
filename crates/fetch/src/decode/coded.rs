//! Bodies encoded as servers encode them.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bare(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn brotli(plain: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let mut encoder = ::brotli::CompressorWriter::new(&mut coded, 4096, 5, 22);
    encoder.write_all(plain).unwrap();
    drop(encoder);
    coded
}

pub(crate) fn zstd(plain: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(plain, 3).unwrap()
}
