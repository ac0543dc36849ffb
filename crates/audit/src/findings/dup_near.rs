//! Pages with nearly the same text: minhash sketches, compared where enough of them is equal to make it likely.

use crate::code::Code;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::site::{Site, UrlNo};
use mapwright_web::page::facts::Sketch;
use std::collections::{BTreeMap, HashMap};

/// Bytes of a sketch that must be equal for two pages to be compared. Of texts that have nine tenths in common four in
/// a row are equal with a chance of 0.66, so that one of 32 rows is nearly for certain.
const ROW: usize = 4;
/// Pages of one row that are compared with each other; in longer ones each is compared with the first alone.
const COMPARED: usize = 50;

pub(super) fn find(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    let mut pages: Vec<(UrlNo, &Sketch)> = Vec::new();
    let mut bodies: HashMap<u64, UrlNo> = HashMap::new();
    for (url, node, said) in site.pages() {
        let own = node.canonical.is_none_or(|canonical| canonical == url);
        let Some(sketch) = said.sketch.as_ref().filter(|_| own && !node.noindex && node.target.is_none()) else {
            continue;
        };
        // Of pages with the same bytes one stands for all: they are told as such.
        if bodies.insert(said.hash, url).is_none() {
            pages.push((url, sketch));
        }
    }
    let mut groups = Groups::new(pages.len());
    for row in 0..Sketch::BINS / ROW {
        for alike in rows(&pages, row).chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
            compare(&pages, alike, limits.near, &mut groups);
        }
    }
    for members in groups.into_groups() {
        let urls: Vec<UrlNo> = members.iter().filter_map(|at| pages.get(*at)).map(|(url, _)| *url).collect();
        let message = format!("{} pages have at least {} % of their text in common.", urls.len(), limits.near);
        found.push(Finding::group(Code::DupNear, urls).says(message));
    }
}

/// A row of a sketch, and the place of its page.
type Row = ([u8; ROW], usize);

/// Pages in the order of one row of their sketches; an empty row says nothing.
fn rows(pages: &[(UrlNo, &Sketch)], row: usize) -> Vec<Row> {
    let bytes = |sketch: &Sketch| sketch.0.get(row * ROW..(row + 1) * ROW)?.try_into().ok();
    let of_page = |(at, (_, sketch)): (usize, &(UrlNo, &Sketch))| Some((bytes(sketch)?, at));
    let mut rows: Vec<Row> =
        pages.iter().enumerate().filter_map(of_page).filter(|(bytes, _)| *bytes != [0; ROW]).collect();
    rows.sort_unstable();
    rows
}

fn compare(pages: &[(UrlNo, &Sketch)], alike: &[Row], near: u32, groups: &mut Groups) {
    let pivots = if alike.len() <= COMPARED { alike.len() } else { 1 };
    for (place, (_, one)) in alike.iter().enumerate().take(pivots) {
        for (_, other) in alike.iter().skip(place + 1) {
            let (Some((_, a)), Some((_, b))) = (pages.get(*one), pages.get(*other)) else { continue };
            if !groups.are_one(*one, *other) && a.likeness(b) >= near {
                groups.join(*one, *other);
            }
        }
    }
}

/// Groups that grow together (union and find).
struct Groups(Vec<usize>);

impl Groups {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn head(&mut self, of: usize) -> usize {
        let mut at = of;
        while let Some(next) = self.0.get(at).copied().filter(|next| *next != at) {
            // Each step halves the way of the next search.
            let further = self.0.get(next).copied().unwrap_or(next);
            if let Some(slot) = self.0.get_mut(at) {
                *slot = further;
            }
            at = further;
        }
        at
    }

    fn are_one(&mut self, one: usize, other: usize) -> bool {
        self.head(one) == self.head(other)
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.head(one), self.head(other));
        if let Some(slot) = self.0.get_mut(one.max(other)) {
            *slot = one.min(other);
        }
    }

    fn into_groups(mut self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in 0..self.0.len() {
            let head = self.head(at);
            groups.entry(head).or_default().push(at);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }
}
