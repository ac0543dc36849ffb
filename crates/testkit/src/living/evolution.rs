//! What happens to a living site between two crawls.

use std::collections::BTreeSet;

use super::dice::Dice;
use super::habit::{SECTIONS, Section};
use super::lively::Lively;
use super::night::{Kind, Night};
use super::page::{Hidden, LEARNING, Page, State};
use super::text::{EDITS, Edit};
use super::world::World;

/// Of a hundred pages, so many truly change in a night, and at least [`FEWEST_CHANGES`].
const CHANGED_PERCENT: usize = 1;
const FEWEST_CHANGES: usize = 4;
/// Of a hundred pages, so many have another mark in their markup tonight.
const MARKED_PERCENT: usize = 6;
/// Of a hundred pages that appear, so many have boilerplate that never rests.
const LIVELY_NEWCOMERS: u64 = 14;
/// Nights after which a list of pages forgets those that are gone.
const MEMORY: u32 = 5;

/// One night on its way.
pub(super) struct Evolution<'w> {
    world: &'w mut World,
    night: Night,
    dice: Dice,
    /// One thing a night happens to one page.
    used: BTreeSet<String>,
}

impl<'w> Evolution<'w> {
    pub(super) fn of(world: &'w mut World, night: Night) -> Evolution<'w> {
        let dice = Dice::of(&[world.seed, 4, u64::from(night.number)]);
        Evolution { world, night, dice, used: BTreeSet::new() }
    }

    /// Lets it happen.
    pub(super) fn run(mut self) -> Night {
        let number = self.night.number;
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
        self.night
    }

    /// Pages that said noindex for long enough.
    fn bring_back(&mut self) {
        let number = self.night.number;
        for page in self.world.pages.values_mut() {
            if page.hidden.is_some_and(|hidden| hidden.until < number) {
                page.hidden = None;
                mark(page, number);
                self.night.loose.insert(page.path.clone());
                self.used.insert(page.path.clone());
            }
        }
    }

    /// Lists forget what is gone, and find what has moved.
    fn forget(&mut self) {
        let number = self.night.number;
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

    /// The true changes: one of a page whose boilerplate never rests, one in each section in turn, the others anywhere.
    fn change(&mut self) {
        let leaves = self.world.pages.values().filter(|page| page.is_leaf()).count();
        let count = (leaves * CHANGED_PERCENT).div_ceil(100).max(FEWEST_CHANGES);
        let turn = usize::try_from(self.night.number).unwrap_or(0);
        for place in 0..count {
            let edit = EDITS.get((turn * 3 + place) % EDITS.len()).copied().unwrap_or(Edit::Rewrite);
            let section = SECTIONS.get(turn % SECTIONS.len());
            let chosen = match place {
                0 if edit == Edit::Last => self.take(|page| page.lively == Some(Lively::Counter)),
                0 => self.take(|page| page.lively.is_some()),
                1 => self.take(|page| page.lively.is_none() && Some(page.section) == section),
                _ => self.take(|_| true),
            };
            if let Some(path) = chosen {
                self.edit(&path, edit);
                self.night.changed.insert(path);
            }
        }
    }

    fn flip(&mut self) {
        if let Some(path) = self.take(|page| page.lively.is_none() && !page.text.rows.is_empty()) {
            self.edit(&path, Edit::Flip);
            self.night.flipped.insert(path);
        }
    }

    fn edit(&mut self, path: &str, edit: Edit) {
        let mut dice = Dice::of(&[self.dice.roll()]);
        if let Some(page) = self.world.pages.get_mut(path) {
            page.text.apply(edit, &mut dice);
            page.changed_in = self.night.number;
        }
    }

    fn appear(&mut self) {
        let section: &'static Section = self.dice.pick(&SECTIONS);
        let lively = self.dice.chance(LIVELY_NEWCOMERS).then(|| *self.dice.pick(Lively::of_newcomers(section)));
        let number = self.night.number;
        // The date of what was written a second ago is hard to believe, and becomes believable some nights later. That
        // must not fall into a quiet night: what appears shortly before was written long ago.
        let quiet_is_near = (number..=number + LEARNING).any(|night| Kind::of(night) == Kind::Quiet);
        let page = self.world.add_leaf(section);
        page.changed_in = if quiet_is_near { 0 } else { number };
        page.lively = lively;
        self.renew_list(section);
    }

    /// A page answers 404 or 410 and is still named in the list, or is named no more and gone.
    fn vanish(&mut self) {
        let Some(path) = self.take(|page| page.linked) else { return };
        let number = self.night.number;
        let Some(page) = self.world.pages.get_mut(&path) else { return };
        page.state = State::Gone(if number % 3 == 1 { 410 } else { 404 });
        page.gone_in = number;
        if number % 3 == 2 {
            page.linked = false;
            let section = page.section;
            self.renew_list(section);
        }
    }

    /// A page moves with a redirect; the list names the new place at once, or knows the old one for some nights more.
    fn relocate(&mut self) {
        let Some(path) = self.take(|page| page.lively.is_none() && page.linked) else { return };
        let (number, serial) = (self.night.number, self.world.number());
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
        self.night.moved.insert(path, to);
    }

    fn fail(&mut self) {
        if let Some(path) = self.take(|page| page.lively.is_none()) {
            let number = self.night.number;
            self.world.pages.entry(path.clone()).and_modify(|page| page.failing_in = number);
            self.night.failing.insert(path);
        }
    }

    /// Noindex for two nights, in a section that shows it.
    fn hide(&mut self) {
        let fits = |page: &Page| page.lively.is_none() && page.section.shows_every_byte();
        let Some(path) = self.take(fits) else { return };
        let number = self.night.number;
        if let Some(page) = self.world.pages.get_mut(&path) {
            page.hidden = Some(Hidden { until: number + 1, by_header: number % 8 == 3 });
            mark(page, number);
        }
    }

    /// Boilerplate that is no text changes on some more pages.
    fn touch(&mut self) {
        let number = self.night.number;
        let leaves: Vec<&mut Page> = self.world.pages.values_mut().filter(|page| page.is_leaf()).collect();
        let count = leaves.len() * MARKED_PERCENT / 100;
        let lively = leaves.iter().filter(|page| page.lively.is_some()).map(|page| page.path.clone());
        self.night.boilerplate.extend(lively.filter(|path| !self.used.contains(path)));
        let calm = leaves.into_iter().filter(|page| page.lively.is_none() && !page.is_young());
        let calm = calm.filter(|page| !self.used.contains(&page.path));
        for page in self.dice.shuffled(calm.collect()).into_iter().take(count) {
            mark(page, number);
            self.night.boilerplate.insert(page.path.clone());
        }
    }

    /// A page to which nothing has happened tonight, and whose boilerplate may be known.
    fn take(&mut self, fits: impl Fn(&Page) -> bool) -> Option<String> {
        let number = self.night.number;
        // What differs at two visits in a row is boilerplate by definition: next to a counter, say, a change in two
        // nights in a row cannot be told from it.
        let rests = |page: &Page| page.lively.is_some() && page.changed_in > 0 && page.changed_in + 1 >= number;
        let known = |page: &Page| number <= LEARNING || !page.is_young();
        let free = |page: &&Page| page.is_leaf() && known(page) && !rests(page) && !self.used.contains(&page.path);
        let all: Vec<&String> =
            self.world.pages.values().filter(free).filter(|page| fits(page)).map(|page| &page.path).collect();
        let path = (!all.is_empty()).then(|| (*self.dice.pick(&all)).clone())?;
        self.used.insert(path.clone());
        Some(path)
    }

    /// The list of a section names other pages than before.
    fn renew_list(&mut self, section: &Section) {
        let number = self.night.number;
        if let Some(hub) = self.world.hub(section) {
            hub.changed_in = number;
            self.night.loose.insert(hub.path.clone());
        }
    }
}

/// Another mark in the markup.
fn mark(page: &mut Page, night: u32) {
    page.marks += 1;
    page.marked_in = night;
}
