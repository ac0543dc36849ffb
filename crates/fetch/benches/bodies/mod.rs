//! Complete bodies in each content coding, and the libraries that can decode them.

// A panic here fails the benchmark only.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};

use flate2::write::{GzEncoder, ZlibEncoder};
use flate2::{Compression, Decompress, FlushDecompress};
use mapwright_testkit::bench::{Body, PageGenerator, SitePlan};

/// The compression level that servers commonly use.
const LEVEL: u32 = 6;

/// Number of the benchmark site's pages that are decoded per iteration.
const PAGES: u64 = 16;

/// Largest window of deflate.
const WINDOW_BITS: u8 = 15;

/// A library that decodes a coding, used the way it would be for bodies that are completely in memory.
pub(crate) struct Decoder {
    pub(crate) name: &'static str,
    encode: fn(&[u8]) -> Vec<u8>,
    /// Decodes the coded bytes; the second argument is the size of the decoded body.
    decode: fn(&[u8], usize) -> Vec<u8>,
}

pub(crate) const DECODERS: &[Decoder] = &[
    Decoder { name: "gzip-flate2", encode: gzip, decode: flate2_gzip },
    Decoder { name: "gzip-libdeflate", encode: gzip, decode: libdeflate_gzip },
    Decoder { name: "deflate-flate2", encode: zlib, decode: flate2_zlib },
    Decoder { name: "deflate-libdeflate", encode: zlib, decode: libdeflate_zlib },
    Decoder { name: "br-decompressor", encode: brotli, decode: brotli_decompressor },
    Decoder { name: "zstd-stream", encode: zstd_frame, decode: zstd_stream },
    Decoder { name: "zstd-bulk", encode: zstd_frame, decode: zstd_bulk },
];

/// Bodies ready to be decoded.
pub(crate) struct Bodies {
    bodies: Vec<(Vec<u8>, usize)>,
}

impl Bodies {
    pub(crate) fn coded(plain: Vec<Vec<u8>>, decoder: &Decoder) -> Bodies {
        Bodies { bodies: plain.iter().map(|text| ((decoder.encode)(text), text.len())).collect() }
    }

    /// Decodes each body once; returns the number of decoded bytes.
    pub(crate) fn decode(&self, decoder: &Decoder) -> usize {
        self.bodies.iter().map(|(coded, size)| (decoder.decode)(coded, *size).len()).sum()
    }
}

/// Pages of the benchmark's site.
pub(crate) fn pages() -> Vec<Vec<u8>> {
    let press = PageGenerator::new(SitePlan::new(10_000, 1));
    let page = |number| {
        let mut text = Vec::new();
        press.print(number, Body::Plain, &mut text);
        text
    };
    (1..=PAGES).map(page).collect()
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn brotli(plain: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    brotli::CompressorReader::new(plain, 4_096, 5, 22).read_to_end(&mut coded).unwrap();
    coded
}

fn zstd_frame(plain: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(plain, 3).unwrap()
}

fn flate2_gzip(coded: &[u8], size: usize) -> Vec<u8> {
    inflate(Decompress::new_gzip(WINDOW_BITS), coded, size)
}

fn flate2_zlib(coded: &[u8], size: usize) -> Vec<u8> {
    inflate(Decompress::new(true), coded, size)
}

fn inflate(mut state: Decompress, coded: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(size + 300);
    state.decompress_vec(coded, &mut out, FlushDecompress::Finish).unwrap();
    out
}

fn libdeflate_gzip(coded: &[u8], size: usize) -> Vec<u8> {
    let mut out = vec![0; size + 300];
    let made = libdeflater::Decompressor::new().gzip_decompress(coded, &mut out).unwrap();
    out.truncate(made);
    out
}

fn libdeflate_zlib(coded: &[u8], size: usize) -> Vec<u8> {
    let mut out = vec![0; size + 300];
    let made = libdeflater::Decompressor::new().zlib_decompress(coded, &mut out).unwrap();
    out.truncate(made);
    out
}

fn brotli_decompressor(coded: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(size);
    brotli_decompressor::BrotliDecompress(&mut &coded[..], &mut out).unwrap();
    out
}

fn zstd_stream(coded: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(size);
    zstd::Decoder::new(coded).unwrap().read_to_end(&mut out).unwrap();
    out
}

fn zstd_bulk(coded: &[u8], size: usize) -> Vec<u8> {
    zstd::bulk::decompress(coded, size).unwrap()
}
