//! All pages of a living site, and the facts of the current run. It counts runs and reads no clock.

use std::collections::{BTreeMap, BTreeSet};

use super::day::{Day, DayKind};
use super::dice::Dice;
use super::dynamic_boilerplate::DynamicBoilerplate;
use super::evolution::Evolution;
use super::page::{Page, Rank};
use super::prose;
use super::section::{HOME, SECTIONS, Section};

/// The second in which the site was created: the date of every page without another one.
pub(super) const FOUNDED: i64 = 1_738_555_506;
/// Period before that in which the other pages were written, in seconds.
const YEARS_BEFORE: usize = 60_000_000;
/// Percentage of pages with dynamic boilerplate.
const LIVELY_PERCENT: usize = 14;

/// The state of the site in the current run.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) seed: u64,
    pub(super) day: u32,
    /// Advances before each run except the quiet ones; dynamic boilerplate shows it.
    pub(super) tick: u64,
    /// The edition of navigation and footer.
    pub(super) edition: u32,
    /// The run before which the last deploy happened; 0 for none.
    pub(super) deployed_in: u32,
    pub(super) pages: BTreeMap<String, Page>,
    serial: u32,
}

impl World {
    /// Creates a site of about `pages` pages, before its first run.
    pub(super) fn new(seed: u64, pages: usize) -> World {
        let mut world = World { seed, day: 0, tick: 0, edition: 1, deployed_in: 0, pages: BTreeMap::new(), serial: 0 };
        world.add("/", &HOME, Rank::Home);
        for section in &SECTIONS {
            world.add(&format!("/{}/", section.name), section, Rank::Hub);
        }
        for section in SECTIONS.iter().cycle().take(pages.saturating_sub(SECTIONS.len() + 1)) {
            world.add_leaf(section);
        }
        world.add_dynamic_boilerplate();
        world
    }

    /// Advances to the next run, and returns its facts.
    pub(super) fn next_day(&mut self) -> Day {
        self.day += 1;
        let before = self.listed();
        let mut day = Day::new(self.day);
        self.pages.values_mut().for_each(|page| page.age(day.kind));
        if matches!(day.kind, DayKind::Plain | DayKind::Deploy) {
            self.tick += 1;
            if day.kind == DayKind::Deploy {
                self.edition += 1;
                self.deployed_in = self.day;
            }
            day = Evolution::of(self, day).run();
        }
        let paths = |fits: fn(&Page) -> bool| -> BTreeSet<String> {
            self.pages.values().filter(|page| fits(page)).map(|page| page.path.clone()).collect()
        };
        day.hidden = paths(|page| page.hidden.is_some());
        day.young = paths(Page::is_young);
        day.listed = self.listed();
        day.added = day.listed.difference(&before).cloned().collect();
        day.removed = before.difference(&day.listed).cloned().collect();
        day
    }

    /// Adds a new page of a section, at a new path.
    pub(super) fn add_leaf(&mut self, section: &'static Section) -> &mut Page {
        let mut dice = Dice::of(&[self.seed, 1, u64::from(self.serial) + 1]);
        let name = format!("{}-{}-{}", prose::word(&mut dice), prose::word(&mut dice), self.serial + 1);
        self.add(&format!("/{}/{name}.html", section.name), section, Rank::Leaf)
    }

    /// Adds a page as new.
    pub(super) fn place(&mut self, mut page: Page) -> &mut Page {
        page.born_in = self.day.max(1);
        page.settled = u32::from(self.day > 0);
        self.pages.entry(page.path.clone()).or_insert(page)
    }

    /// The next page number.
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
        let age = if section.modified == super::section::Modified::OfDeploy { 0 } else { dice.below(YEARS_BEFORE) };
        page.written = FOUNDED - i64::try_from(age).unwrap_or(0);
        self.place(page)
    }

    fn listed(&self) -> BTreeSet<String> {
        self.pages.values().filter(|page| page.is_listed()).map(|page| page.path.clone()).collect()
    }

    /// Gives some pages of each section dynamic boilerplate.
    fn add_dynamic_boilerplate(&mut self) {
        for (offset, section) in SECTIONS.iter().enumerate() {
            let mut dice = Dice::of(&[self.seed, 3, offset as u64]);
            let own = self.pages.values_mut().filter(|page| page.section == section && page.rank == Rank::Leaf);
            let own = dice.shuffled(own.collect());
            let count = (own.len() * LIVELY_PERCENT / 100).max(1);
            let kinds = DynamicBoilerplate::of(section).iter().cycle().skip(offset);
            for (page, kind) in own.into_iter().take(count).zip(kinds) {
                page.dynamic_boilerplate = Some(*kind);
            }
        }
    }
}
