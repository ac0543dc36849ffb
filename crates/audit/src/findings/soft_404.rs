//! Pages that are what the site shows for names that cannot exist.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Probe, Said, Site, UrlNo};
use mapwright_web::{Identity, Origin, PageUrl};
use std::collections::HashMap;

/// Percent of text in common from which on two pages are one.
const ALIKE: u32 = 90;
/// Percent of a site's pages from which on the answer is no error page but the shell of all of them.
const SHELL: usize = 50;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut alike: HashMap<Origin, (usize, Vec<UrlNo>)> = HashMap::new();
    for (url, _, said) in site.pages() {
        let Ok(text) = PageUrl::parse(site.text(url), &Identity::new(false, &[])) else { continue };
        let Some(probe) = site.probes.get(&text.origin()) else { continue };
        let (pages, urls) = alike.entry(text.origin()).or_default();
        *pages += 1;
        if !site.is_start(url) && is_alike(said, probe) {
            urls.push(url);
        }
    }
    for (origin, (pages, urls)) in alike {
        let Some(probe) = site.probes.get(&origin).filter(|_| urls.len() * 100 <= pages * SHELL) else { continue };
        found.extend(urls.into_iter().map(|url| {
            let name = site.text(probe.url);
            Finding::of(Code::Soft404, url).to(probe.url).says(format!(
                "It answers 200 with what {name}, a name that cannot exist, gives with {}.",
                probe.status
            ))
        }));
    }
}

fn is_alike(said: &Said, probe: &Probe) -> bool {
    let same = said.hash == probe.hash && probe.hash != 0;
    same || said.sketch.zip(probe.sketch).is_some_and(|(page, probe)| page.likeness(&probe) >= ALIKE)
}
