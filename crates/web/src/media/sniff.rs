//! The kind of a body by its first bytes (MIME Sniffing 7.1), after a byte-order mark.

use super::MediaKind;
use encoding_rs::Encoding;
use memchr::memmem;

/// The number of bytes used: the standard's resource header.
const LOOKED_AT: usize = 1_445;

/// Tags that HTML begins with, after white space; white space or `>` must follow (the standard has the space only).
const HTML: [&str; 17] = [
    "<!DOCTYPE HTML",
    "<HTML",
    "<HEAD",
    "<SCRIPT",
    "<IFRAME",
    "<H1",
    "<DIV",
    "<FONT",
    "<TABLE",
    "<A",
    "<STYLE",
    "<TITLE",
    "<B",
    "<BODY",
    "<BR",
    "<P",
    "<!--",
];

/// Signatures of images.
const IMAGES: [&[u8]; 7] =
    [b"\0\0\x01\0", b"\0\0\x02\0", b"BM", b"GIF87a", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"];

/// Signatures of other files that contain no byte below a space, or that are certainly no text.
const FILES: [&[u8]; 8] =
    [b"\x1f\x8b\x08", b"PK\x03\x04", b"Rar ", b"OggS\0", b"ID3", b".snd", b"MThd\0\0\0\x06", b"wOFF"];

/// The kind of a body; `None` if it is empty.
pub(super) fn kind(body: &[u8]) -> Option<MediaKind> {
    let body = body.get(..LOOKED_AT).unwrap_or(body);
    if body.is_empty() {
        return None;
    }
    // The standard treats text with a byte-order mark as plain text, so a browser without a declared type shows such a
    // page's source. Here the intended kind counts.
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        let (text, _) = encoding.decode_with_bom_removal(body);
        return Some(markup(text.as_bytes()).unwrap_or(MediaKind::Text));
    }
    Some(markup(body).or_else(|| signature(body)).unwrap_or_else(|| text_or_binary(body)))
}

fn markup(body: &[u8]) -> Option<MediaKind> {
    let start = body.iter().position(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' '))?;
    let text = body.get(start..)?;
    if HTML.iter().any(|tag| begins_with_tag(text, tag)) {
        return Some(MediaKind::Html);
    }
    let declared = text.starts_with(b"<?xml");
    match root(text) {
        Some(b"rss" | b"feed" | b"RDF") => Some(MediaKind::Feed),
        Some(b"html") if declared => Some(MediaKind::Xhtml),
        Some(name) if name.eq_ignore_ascii_case(b"html") => Some(MediaKind::Html),
        _ => declared.then_some(MediaKind::Xml),
    }
}

fn begins_with_tag(text: &[u8], tag: &str) -> bool {
    let Some((written, rest)) = text.split_at_checked(tag.len()) else { return false };
    written.eq_ignore_ascii_case(tag.as_bytes())
        && rest.first().is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>')
}

/// The local name of the root element, after declarations and comments.
fn root(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        rest = if let Some(comment) = rest.strip_prefix(b"<!--") {
            comment.get(memmem::find(comment, b"-->")? + 3..)?
        } else if rest.starts_with(b"<?") || rest.starts_with(b"<!") {
            rest.get(memchr::memchr(b'>', rest)? + 1..)?
        } else {
            break;
        };
    }
    let name = rest.strip_prefix(b"<")?;
    let end = name.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))?;
    name.get(..end)?.rsplit(|byte| *byte == b':').next()
}

fn signature(body: &[u8]) -> Option<MediaKind> {
    if body.starts_with(b"%PDF-") {
        return Some(MediaKind::Pdf);
    }
    let is_webp = body.starts_with(b"RIFF") && body.get(8..14) == Some(b"WEBPVP");
    if is_webp || IMAGES.iter().any(|start| body.starts_with(start)) {
        return Some(MediaKind::Image);
    }
    FILES.iter().any(|start| body.starts_with(start)).then_some(MediaKind::Other)
}

/// A binary data byte (MIME Sniffing 3) makes it a file.
fn text_or_binary(body: &[u8]) -> MediaKind {
    let binary = |byte: &u8| matches!(byte, 0x00..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    if body.iter().any(binary) { MediaKind::Other } else { MediaKind::Text }
}
