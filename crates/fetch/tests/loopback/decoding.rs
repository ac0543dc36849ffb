//! Content codings over the wire.

use std::io::Write;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use mapwright_fetch::{BodyState, Fetch, Reply, Request};
use mapwright_testkit::{Response, ServerAction};

use crate::site::{Site, fetcher, request};

const PAGE: &[u8] = b"<!doctype html><title>A page</title><p>with some text, and some text, and some text";

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn bare_deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn br(plain: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let mut encoder = brotli::CompressorWriter::new(&mut coded, 4096, 5, 22);
    encoder.write_all(plain).unwrap();
    drop(encoder);
    coded
}

fn zstd(plain: &[u8]) -> Vec<u8> {
    zstd::encode_all(plain, 3).unwrap()
}

async fn reply(coding: &str, coded: Vec<u8>) -> Reply {
    Site::with(Response::new(200).encoded(coding, coded)).get().await.unwrap()
}

fn broken(reply: &Reply) -> &str {
    match &reply.body_state {
        BodyState::Broken(why) => why,
        other => panic!("the body is {other:?}"),
    }
}

#[tokio::test]
async fn every_coding_is_undone() {
    for (coding, coded) in [
        ("gzip", gzip(PAGE)),
        ("x-gzip", gzip(PAGE)),
        ("GZip", gzip(PAGE)),
        ("deflate", zlib(PAGE)),
        ("deflate", bare_deflate(PAGE)),
        ("br", br(PAGE)),
        ("zstd", zstd(PAGE)),
        ("identity", PAGE.to_vec()),
        ("gzip", [gzip(&PAGE[..10]), gzip(&PAGE[10..])].concat()),
        ("gzip, br", br(&gzip(PAGE))),
        ("identity, deflate, zstd", zstd(&zlib(PAGE))),
    ] {
        let on_the_wire = coded.len() as u64;
        let reply = reply(coding, coded).await;
        assert_eq!(reply.body, PAGE, "{coding}");
        assert_eq!(reply.body_state, BodyState::Complete, "{coding}");
        assert_eq!(reply.wire_bytes, on_the_wire, "{coding}");
    }
}

#[tokio::test]
async fn an_unknown_coding_leaves_no_body() {
    let reply = reply("rot13", PAGE.to_vec()).await;
    assert_eq!(broken(&reply), "the content coding `rot13` is unknown");
    assert!(reply.body.is_empty());
    assert_eq!(reply.status, 200);
}

#[tokio::test]
async fn a_transfer_coding_that_was_not_offered_leaves_no_body() {
    let coded = gzip(PAGE);
    let chunk = [format!("{:x}\r\n", coded.len()).as_bytes(), &coded, b"\r\n0\r\n\r\n"].concat();
    for (coding, body) in [("gzip, chunked", chunk), ("gzip", coded)] {
        let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {coding}\r\n\r\n");
        let reply = Site::with(ServerAction::raw([head.as_bytes(), &body].concat())).get().await.unwrap();
        assert_eq!(broken(&reply), "the transfer coding `gzip` was not offered");
        assert!(reply.body.is_empty());
    }
}

#[tokio::test]
async fn too_many_codings_leave_no_body() {
    let reply = reply("gzip, gzip, gzip, gzip, gzip", PAGE.to_vec()).await;
    assert!(broken(&reply).contains("stacked"));
    assert!(reply.body.is_empty());
}

#[tokio::test]
async fn a_truncated_stream_gives_its_beginning() {
    let coded = gzip(&PAGE.repeat(1_000));
    let reply = reply("gzip", coded[..coded.len() / 2].to_vec()).await;
    assert!(broken(&reply).contains("too early"));
    assert!(reply.body.len() > 100 && PAGE.repeat(1_000).starts_with(&reply.body));
}

#[tokio::test]
async fn a_corrupt_stream_is_reported() {
    for coding in ["gzip", "br", "zstd", "deflate"] {
        let reply = reply(coding, b"\xff\xff\xff\xffthis is no stream at all".to_vec()).await;
        broken(&reply);
    }
}

#[tokio::test]
async fn bombs_stop_at_the_bound_at_once() {
    let zeros = vec![0; 200 << 20];
    let flat = [("gzip", gzip(&zeros)), ("br", br(&zeros)), ("zstd", zstd(&zeros)), ("deflate", zlib(&zeros))];
    let nested = ("gzip, gzip", gzip(&gzip(&zeros)));
    for (coding, coded) in flat.into_iter().chain([nested]) {
        let site = Site::with(Response::new(200).encoded(coding, coded));
        let started = Instant::now();
        let reply = site.get().await.unwrap();
        assert_eq!((reply.body.len(), &reply.body_state), (1 << 20, &BodyState::Cut), "{coding}");
        assert!(reply.body.capacity() < 4 << 20, "{coding}");
        assert!(started.elapsed() < Duration::from_secs(2), "{coding} took {:?}", started.elapsed());
    }
}

#[tokio::test]
async fn an_endless_coded_body_is_decoded_as_it_comes() {
    let coded = gzip(&vec![b'x'; 1 << 20]);
    let site = Site::endless("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", coded, Duration::ZERO);
    let request = Request { max_body: 32 << 20, ..request(&site.url("/")) };
    let reply = fetcher(site.options()).fetch(request).await.unwrap();
    assert_eq!((reply.body.len(), reply.body_state), (32 << 20, BodyState::Cut));
    assert!(reply.wire_bytes < 4 << 20, "{} bytes came", reply.wire_bytes);
}
