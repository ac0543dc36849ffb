//! What was asked of a living site, night by night.

use std::collections::BTreeMap;

use super::habit::Section;
use crate::request::Request;

/// What one section answered in one night.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests.
    pub requests: u64,
    /// Those of them that named a validator.
    pub conditional: u64,
    /// Those of them that were answered with 304.
    pub not_modified: u64,
    /// Bytes sent, heads included.
    pub bytes: u64,
    /// Whether a 304 is to be had in this section.
    pub answers_304: bool,
}

/// All traffic.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    nights: BTreeMap<(u32, &'static str), Traffic>,
}

impl Ledger {
    pub(super) fn note(&mut self, night: u32, section: Option<&'static Section>, request: &Request, bytes: &[u8]) {
        let name = section.map_or("elsewhere", |section| section.name);
        let traffic = self.nights.entry((night, name)).or_default();
        let conditional = request.header("if-none-match").or(request.header("if-modified-since")).is_some();
        traffic.requests += 1;
        traffic.conditional += u64::from(conditional);
        traffic.not_modified += u64::from(bytes.starts_with(b"HTTP/1.1 304"));
        traffic.bytes += bytes.len() as u64;
        traffic.answers_304 = section.is_some_and(Section::answers_304);
    }

    /// By section; what belongs to none stands under `elsewhere`.
    pub(super) fn of(&self, night: u32) -> BTreeMap<&'static str, Traffic> {
        let own = self.nights.iter().filter(|((number, _), _)| *number == night);
        own.map(|((_, section), traffic)| (*section, *traffic)).collect()
    }
}
