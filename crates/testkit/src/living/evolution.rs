//! The evolution of a living site between two crawls.

use std::collections::BTreeSet;

use super::day::{Day, DayKind};
use super::dice::Dice;
use super::dynamic_boilerplate::DynamicBoilerplate;
use super::page::{Hidden, LEARNING, Page, State};
use super::section::{SECTIONS, Section};
use super::text::{EDITS, Edit};
use super::world::World;

/// Percentage of pages whose text changes before a run, and at least [`FEWEST_CHANGES`] pages.
const CHANGED_PERCENT: usize = 1;
const FEWEST_CHANGES: usize = 4;
/// Percentage of pages whose markup gets another mark before a run.
const MARKED_PERCENT: usize = 6;
/// Percentage of new pages with dynamic boilerplate.
const LIVELY_NEWCOMERS: u64 = 14;
/// Number of runs after which a list of pages drops those that are gone.
const MEMORY: u32 = 5;

/// The evolution before one run.
pub(super) struct Evolution<'w> {
    world: &'w mut World,
    day: Day,
    dice: Dice,
    /// The pages that an event already happened to: each has at most one.
    used: BTreeSet<String>,
}

impl<'w> Evolution<'w> {
    pub(super) fn of(world: &'w mut World, day: Day) -> Evolution<'w> {
        let dice = Dice::of(&[world.seed, 4, u64::from(day.number)]);
        Evolution { world, day, dice, used: BTreeSet::new() }
    }

    /// Applies all events.
    pub(super) fn run(mut self) -> Day {
        let number = self.day.number;
        self.bring_back();
        self.forget();
        self.change();
        self.flip();
        self.appear();
        self.vanish();
        if number.is_multiple_of(3) {
            self.relocate();
        }
        if number.is_multiple_of(2) {
            self.fail();
        }
        if number % 4 == 3 {
            self.hide();
        }
        self.touch();
        self.day
    }

    /// Brings back the pages whose time with noindex is over.
    fn bring_back(&mut self) {
        let number = self.day.number;
        for page in self.world.pages.values_mut() {
            if page.hidden.is_some_and(|hidden| hidden.until < number) {
                page.hidden = None;
                mark(page, number);
                self.day.loose.insert(page.path.clone());
                self.used.insert(page.path.clone());
            }
        }
    }

    /// Updates lists: pages that are gone are dropped, pages that have moved are added.
    fn forget(&mut self) {
        let number = self.day.number;
        let old = |page: &&mut Page| page.linked && page.state != State::Here && page.gone_in + MEMORY <= number;
        let mut found = Vec::new();
        let mut lists: Vec<&Section> = Vec::new();
        for page in self.world.pages.values_mut().filter(old) {
            page.linked = false;
            lists.push(page.section);
            if let State::Moved(to) = &page.state {
                found.push(to.clone());
            }
        }
        for path in found {
            self.world.pages.entry(path).and_modify(|page| page.linked = true);
        }
        for section in lists {
            self.renew_list(section);
        }
    }

    /// Changes the text of pages: one with dynamic boilerplate, one in each section in turn, the others anywhere.
    fn change(&mut self) {
        let leaves = self.world.pages.values().filter(|page| page.is_leaf()).count();
        let count = (leaves * CHANGED_PERCENT).div_ceil(100).max(FEWEST_CHANGES);
        let turn = usize::try_from(self.day.number).unwrap_or(0);
        for place in 0..count {
            let edit = EDITS.get((turn * 3 + place) % EDITS.len()).copied().unwrap_or(Edit::Rewrite);
            let section = SECTIONS.get(turn % SECTIONS.len());
            let chosen = match place {
                0 if edit == Edit::Last => {
                    self.take(|page| page.dynamic_boilerplate == Some(DynamicBoilerplate::Counter))
                }
                0 => self.take(|page| page.dynamic_boilerplate.is_some()),
                1 => self.take(|page| page.dynamic_boilerplate.is_none() && Some(page.section) == section),
                _ => self.take(|_| true),
            };
            if let Some(path) = chosen {
                self.edit(&path, edit);
                self.day.changed.insert(path);
            }
        }
    }

    fn flip(&mut self) {
        if let Some(path) = self.take(|page| page.dynamic_boilerplate.is_none() && !page.text.rows.is_empty()) {
            self.edit(&path, Edit::Flip);
            self.day.flipped.insert(path);
        }
    }

    fn edit(&mut self, path: &str, edit: Edit) {
        let mut dice = Dice::of(&[self.dice.roll()]);
        if let Some(page) = self.world.pages.get_mut(path) {
            page.text.apply(edit, &mut dice);
            page.changed_in = self.day.number;
        }
    }

    fn appear(&mut self) {
        let section: &'static Section = self.dice.pick(&SECTIONS);
        let dynamic_boilerplate =
            self.dice.chance(LIVELY_NEWCOMERS).then(|| *self.dice.pick(DynamicBoilerplate::of_newcomers(section)));
        let number = self.day.number;
        // The date of a page that was written a second ago is hard to believe, and becomes believable some runs later.
        // That must not fall into a quiet run: pages that appear shortly before one were written long ago.
        let quiet_is_near = (number..=number + LEARNING).any(|day| DayKind::of(day) == DayKind::Quiet);
        let page = self.world.add_leaf(section);
        page.changed_in = if quiet_is_near { 0 } else { number };
        page.dynamic_boilerplate = dynamic_boilerplate;
        self.renew_list(section);
    }

    /// Removes a page: it answers 404 or 410, and the list either still names it or does not.
    fn vanish(&mut self) {
        let Some(path) = self.take(|page| page.linked) else { return };
        let number = self.day.number;
        let Some(page) = self.world.pages.get_mut(&path) else { return };
        page.state = State::Gone(if number % 3 == 1 { 410 } else { 404 });
        page.gone_in = number;
        if number % 3 == 2 {
            page.linked = false;
            let section = page.section;
            self.renew_list(section);
        }
    }

    /// Moves a page with a redirect; the list names the new URL at once, or keeps the old one for some runs.
    fn relocate(&mut self) {
        let Some(path) = self.take(|page| page.dynamic_boilerplate.is_none() && page.linked) else { return };
        let (number, serial) = (self.day.number, self.world.number());
        let to = path.replace(".html", &format!("-{serial}.html"));
        let Some(page) = self.world.pages.get_mut(&path) else { return };
        let mut moved = Page { path: to.clone(), ..page.clone() };
        page.state = State::Moved(to.clone());
        page.gone_in = number;
        page.linked = number.is_multiple_of(2);
        moved.linked = !page.linked;
        let (section, listed) = (moved.section, moved.linked);
        self.world.place(moved);
        if listed {
            self.renew_list(section);
        }
        self.day.moved.insert(path, to);
    }

    fn fail(&mut self) {
        if let Some(path) = self.take(|page| page.dynamic_boilerplate.is_none()) {
            let number = self.day.number;
            self.world.pages.entry(path.clone()).and_modify(|page| page.failing_in = number);
            self.day.failing.insert(path);
        }
    }

    /// Sets noindex on a page for two runs, in a section that shows every change.
    fn hide(&mut self) {
        let fits = |page: &Page| page.dynamic_boilerplate.is_none() && page.section.shows_every_byte();
        let Some(path) = self.take(fits) else { return };
        let number = self.day.number;
        if let Some(page) = self.world.pages.get_mut(&path) {
            page.hidden = Some(Hidden { until: number + 1, by_header: number % 8 == 3 });
            mark(page, number);
        }
    }

    /// Changes boilerplate other than text on some more pages.
    fn touch(&mut self) {
        let number = self.day.number;
        let leaves: Vec<&mut Page> = self.world.pages.values_mut().filter(|page| page.is_leaf()).collect();
        let count = leaves.len() * MARKED_PERCENT / 100;
        let dynamic_boilerplate =
            leaves.iter().filter(|page| page.dynamic_boilerplate.is_some()).map(|page| page.path.clone());
        self.day.boilerplate.extend(dynamic_boilerplate.filter(|path| !self.used.contains(path)));
        let calm = leaves.into_iter().filter(|page| page.dynamic_boilerplate.is_none() && !page.is_young());
        let calm = calm.filter(|page| !self.used.contains(&page.path));
        for page in self.dice.shuffled(calm.collect()).into_iter().take(count) {
            mark(page, number);
            self.day.boilerplate.insert(page.path.clone());
        }
    }

    /// Selects a page without an event before this run, with boilerplate that may be known.
    fn take(&mut self, fits: impl Fn(&Page) -> bool) -> Option<String> {
        let number = self.day.number;
        // A difference at two consecutive visits is boilerplate by definition: next to a counter, for example, changes
        // before two consecutive runs cannot be distinguished from it.
        let rests =
            |page: &Page| page.dynamic_boilerplate.is_some() && page.changed_in > 0 && page.changed_in + 1 >= number;
        let known = |page: &Page| number <= LEARNING || !page.is_young();
        let free = |page: &&Page| page.is_leaf() && known(page) && !rests(page) && !self.used.contains(&page.path);
        let all: Vec<&String> =
            self.world.pages.values().filter(free).filter(|page| fits(page)).map(|page| &page.path).collect();
        let path = (!all.is_empty()).then(|| (*self.dice.pick(&all)).clone())?;
        self.used.insert(path.clone());
        Some(path)
    }

    /// Marks the list of a section as changed.
    fn renew_list(&mut self, section: &Section) {
        let number = self.day.number;
        if let Some(hub) = self.world.hub(section) {
            hub.changed_in = number;
            self.day.loose.insert(hub.path.clone());
        }
    }
}

/// Changes the mark in the markup.
fn mark(page: &mut Page, day: u32) {
    page.marks += 1;
    page.marked_in = day;
}
