//! All pages of a living site, and what is true of them tonight. It knows nights and no clock.

use std::collections::{BTreeMap, BTreeSet};

use super::dice::Dice;
use super::evolution::Evolution;
use super::habit::{HOME, SECTIONS, Section};
use super::lively::Lively;
use super::night::{Kind, Night};
use super::page::{Page, Rank};
use super::prose;

/// The second in which the site was put up: of every page that has no other date.
pub(super) const FOUNDED: i64 = 1_738_555_506;
/// Before it, so many seconds, the other pages were written.
const YEARS_BEFORE: usize = 60_000_000;
/// Of a hundred pages, so many have boilerplate that never rests.
const LIVELY_PERCENT: usize = 14;

/// The site as it is tonight.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) seed: u64,
    pub(super) night: u32,
    /// Moves on each night but the quiet ones: what never rests shows it.
    pub(super) tick: u64,
    /// Of navigation and footer.
    pub(super) edition: u32,
    /// The night of the last deploy; 0 for none.
    pub(super) deployed_in: u32,
    pub(super) pages: BTreeMap<String, Page>,
    serial: u32,
}

impl World {
    /// A site of about so many pages, before its first night.
    pub(super) fn new(seed: u64, pages: usize) -> World {
        let mut world =
            World { seed, night: 0, tick: 0, edition: 1, deployed_in: 0, pages: BTreeMap::new(), serial: 0 };
        world.add("/", &HOME, Rank::Home);
        for section in &SECTIONS {
            world.add(&format!("/{}/", section.name), section, Rank::Hub);
        }
        for section in SECTIONS.iter().cycle().take(pages.saturating_sub(SECTIONS.len() + 1)) {
            world.add_leaf(section);
        }
        world.enliven();
        world
    }

    /// Lets the next night come, and tells what is true of it.
    pub(super) fn dawn(&mut self) -> Night {
        self.night += 1;
        let before = self.listed();
        let mut night = Night::new(self.night);
        self.pages.values_mut().for_each(|page| page.age(night.kind));
        if matches!(night.kind, Kind::Plain | Kind::Deploy) {
            self.tick += 1;
            if night.kind == Kind::Deploy {
                self.edition += 1;
                self.deployed_in = self.night;
            }
            night = Evolution::of(self, night).run();
        }
        let paths = |fits: fn(&Page) -> bool| -> BTreeSet<String> {
            self.pages.values().filter(|page| fits(page)).map(|page| page.path.clone()).collect()
        };
        night.hidden = paths(|page| page.hidden.is_some());
        night.young = paths(Page::is_young);
        night.listed = self.listed();
        night.added = night.listed.difference(&before).cloned().collect();
        night.removed = before.difference(&night.listed).cloned().collect();
        night
    }

    /// A new page at a path nobody has used, of a section.
    pub(super) fn add_leaf(&mut self, section: &'static Section) -> &mut Page {
        let mut dice = Dice::of(&[self.seed, 1, u64::from(self.serial) + 1]);
        let name = format!("{}-{}-{}", prose::word(&mut dice), prose::word(&mut dice), self.serial + 1);
        self.add(&format!("/{}/{name}.html", section.name), section, Rank::Leaf)
    }

    /// Puts a page in its place, as new.
    pub(super) fn place(&mut self, mut page: Page) -> &mut Page {
        page.born_in = self.night.max(1);
        page.settled = u32::from(self.night > 0);
        self.pages.entry(page.path.clone()).or_insert(page)
    }

    /// The next number of a page.
    pub(super) fn number(&mut self) -> u32 {
        self.serial += 1;
        self.serial
    }

    /// The list of a section's pages.
    pub(super) fn hub(&mut self, section: &Section) -> Option<&mut Page> {
        self.pages.get_mut(&format!("/{}/", section.name))
    }

    fn add(&mut self, path: &str, section: &'static Section, rank: Rank) -> &mut Page {
        let number = self.number();
        let mut dice = Dice::of(&[self.seed, 2, u64::from(number)]);
        let mut page = Page::new(path, section, rank, number, &mut dice);
        let age = if section.modified == super::habit::Modified::OfDeploy { 0 } else { dice.below(YEARS_BEFORE) };
        page.written = FOUNDED - i64::try_from(age).unwrap_or(0);
        self.place(page)
    }

    fn listed(&self) -> BTreeSet<String> {
        self.pages.values().filter(|page| page.is_listed()).map(|page| page.path.clone()).collect()
    }

    /// Gives some pages of each section something that never rests.
    fn enliven(&mut self) {
        for (offset, section) in SECTIONS.iter().enumerate() {
            let mut dice = Dice::of(&[self.seed, 3, offset as u64]);
            let own = self.pages.values_mut().filter(|page| page.section == section && page.rank == Rank::Leaf);
            let own = dice.shuffled(own.collect());
            let count = (own.len() * LIVELY_PERCENT / 100).max(1);
            let kinds = Lively::of(section).iter().cycle().skip(offset);
            for (page, kind) in own.into_iter().take(count).zip(kinds) {
                page.lively = Some(*kind);
            }
        }
    }
}
