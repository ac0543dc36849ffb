//! The traffic of a living site, by run.

use std::collections::BTreeMap;

use super::section::Section;
use crate::request::ReceivedRequest;

/// The traffic of one section in one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Number of requests.
    pub requests: u64,
    /// Number of conditional requests.
    pub conditional: u64,
    /// Number of requests that were answered with 304.
    pub not_modified: u64,
    /// Size of all responses, heads included, in bytes.
    pub bytes: u64,
    /// The section can answer 304.
    pub answers_304: bool,
}

/// All traffic.
#[derive(Debug, Default)]
pub(super) struct TrafficLog {
    days: BTreeMap<(u32, &'static str), Traffic>,
}

impl TrafficLog {
    pub(super) fn note(
        &mut self,
        day: u32,
        section: Option<&'static Section>,
        request: &ReceivedRequest,
        bytes: &[u8],
    ) {
        let name = section.map_or("elsewhere", |section| section.name);
        let traffic = self.days.entry((day, name)).or_default();
        let conditional = request.header("if-none-match").or(request.header("if-modified-since")).is_some();
        traffic.requests += 1;
        traffic.conditional += u64::from(conditional);
        traffic.not_modified += u64::from(bytes.starts_with(b"HTTP/1.1 304"));
        traffic.bytes += bytes.len() as u64;
        traffic.answers_304 = section.is_some_and(Section::answers_304);
    }

    /// The traffic by section; requests outside any section are under `elsewhere`.
    pub(super) fn of(&self, day: u32) -> BTreeMap<&'static str, Traffic> {
        let own = self.days.iter().filter(|((number, _), _)| *number == day);
        own.map(|((_, section), traffic)| (*section, *traffic)).collect()
    }
}
