//! The true content of a site: the texts that a visitor who follows links can read.

use crate::model::{Address, Site};
use crate::show::View;
use std::collections::{BTreeMap, VecDeque};

/// The pages and texts that links reach from the home page.
#[derive(Debug)]
pub(crate) struct Truth {
    /// The number of URLs that show a page.
    pub(crate) pages: usize,
    /// Each text, with the first URL that shows it as a text of its own.
    pub(crate) texts: BTreeMap<String, String>,
}

impl Truth {
    /// The true content of a site; `None` where it has more than `most` pages.
    pub(crate) fn of(site: &Site, most: usize) -> Option<Self> {
        let mut truth = Self { pages: 0, texts: BTreeMap::new() };
        visit(site, &mut |address, view| {
            truth.pages += 1;
            for text in &view.texts {
                truth.texts.entry(text.clone()).or_insert_with(|| address.text(site));
            }
            truth.pages <= most
        });
        (truth.pages <= most).then_some(truth)
    }
}

/// A description of a site for people: its parameters, and each page with its texts and links.
pub(crate) fn report(site: &Site) -> String {
    let mut reported = format!("{:?}\n", site.style);
    for param in site.params.iter().filter(|param| !param.on.is_empty()) {
        let on: Vec<&str> = param.on.iter().map(|route| site.routes[*route].path.as_str()).collect();
        reported += &format!("?{}= {:?} {:?} on {on:?}\n", param.name, param.values, param.effect);
    }
    visit(site, &mut |address, view| {
        let links: Vec<String> = view.links(site).iter().map(|link| link.text(site)).collect();
        reported += &format!("{} \"{}\" {:?} -> {links:?}\n", address.text(site), view.name, view.texts);
        true
    });
    reported
}

/// Calls `see` with each page that links reach from the home page, until it returns false.
fn visit(site: &Site, see: &mut dyn FnMut(&Address, &View) -> bool) {
    let mut known = vec![Address::of(0)];
    let mut waiting: VecDeque<Address> = known.iter().cloned().collect();
    while let Some(address) = waiting.pop_front() {
        let Some(view) = View::of(site, &address) else { continue };
        if !see(&address, &view) {
            return;
        }
        for link in view.links(site) {
            if !known.contains(&link) {
                known.push(link.clone());
                waiting.push_back(link);
            }
        }
    }
}
