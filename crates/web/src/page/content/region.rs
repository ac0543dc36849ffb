//! The region of the page that contains an element.

use super::blocks::Surroundings;
use super::boilerplate::BoilerplateNames;
use crate::page::facts::Region;
use crate::page::syntax::attributes::Attribute;
use crate::page::syntax::scan::StartTag;
use crate::page::syntax::tag::Tag;

/// The maximum depth of sectioning elements; deeper ones belong to the region around them.
const DEEPEST: usize = 64;

#[derive(Debug)]
struct Section<'t> {
    name: &'t str,
    tag: Tag,
    region: Region,
    /// In `main` or `article`, this one included.
    in_main: bool,
    /// Its content is boilerplate, by its name.
    is_boilerplate: bool,
    /// The index of its first block, if it is an `aside` within the content.
    aside: Option<usize>,
    /// The number of open elements of the same name inside it that are no sections.
    nested: u32,
}

/// The open sections.
#[derive(Debug, Default)]
pub(crate) struct Regions<'t> {
    open: Vec<Section<'t>>,
    /// The tags of the open sections.
    tags: Tags,
    names: BoilerplateNames<'t>,
}

/// A set of tags.
#[derive(Debug)]
struct Tags([bool; Tag::COUNT]);

impl<'t> Regions<'t> {
    /// The region of the next content in `body`.
    pub(crate) fn current(&self) -> Region {
        self.open.last().map_or(Region::Body, |section| section.region)
    }

    /// The context of the next block.
    pub(crate) fn around(&self) -> Surroundings {
        let is_boilerplate = self.open.last().is_some_and(|section| section.is_boilerplate);
        Surroundings { region: self.current(), is_boilerplate }
    }

    /// Handles the start tag of an HTML element; `next_block` is the index of the next block.
    pub(crate) fn start(&mut self, start: &StartTag<'_, 't>, tag: Tag, next_block: usize) {
        if tag.is_void() {
            return;
        }
        let is_named = self.names.name(start, tag);
        if !is_named && !self.holds(tag) && !may_be_section(start, tag) {
            return;
        }
        let in_main = self.open.last().is_some_and(|section| section.in_main);
        let inside = self.around();
        let region = region_of(start, tag, in_main);
        let is_beside = is_named || is_beside(start, tag, region, in_main);
        if (region.is_some() || is_beside) && self.open.len() < DEEPEST {
            self.open.push(Section {
                name: start.name,
                tag,
                region: region.unwrap_or(inside.region),
                in_main: in_main || matches!(tag, Tag::Main | Tag::Article),
                is_boilerplate: inside.is_boilerplate || is_beside,
                aside: Some(next_block).filter(|_| tag == Tag::Aside && !is_beside),
                nested: 0,
            });
            self.tags.add(tag);
        } else if let Some(section) = self.innermost(start.name, tag) {
            section.nested = section.nested.saturating_add(1);
        }
    }

    /// Handles an end tag. If it ends an `aside` within the content, returns the index of its first block.
    pub(crate) fn end(&mut self, name: &str, tag: Tag) -> Option<usize> {
        if !self.holds(tag) {
            return None;
        }
        let section = self.innermost(name, tag)?;
        if section.nested > 0 {
            section.nested -= 1;
            return None;
        }
        let aside = section.aside;
        while self.open.pop().is_some_and(|section| !section.is(name, tag)) {}
        self.tags = Tags::default();
        for section in &self.open {
            self.tags.add(section.tag);
        }
        aside
    }

    /// Returns true if a section of this tag is open; unknown tags share one entry.
    fn holds(&self, tag: Tag) -> bool {
        self.tags.0.get(tag as usize).is_some_and(|open| *open)
    }

    fn innermost(&mut self, name: &str, tag: Tag) -> Option<&mut Section<'t>> {
        self.open.iter_mut().rev().find(|section| section.is(name, tag))
    }
}

impl Section<'_> {
    /// Returns true if it is an element of this name.
    fn is(&self, name: &str, tag: Tag) -> bool {
        self.tag == tag && (tag != Tag::Other || self.name.eq_ignore_ascii_case(name))
    }
}

impl Default for Tags {
    fn default() -> Self {
        Tags([false; Tag::COUNT])
    }
}

impl Tags {
    fn add(&mut self, tag: Tag) {
        if let Some(open) = self.0.get_mut(tag as usize) {
            *open = true;
        }
    }
}

/// Returns true if an element without a name of boilerplate may begin a section, which is false for most tags.
fn may_be_section(start: &StartTag<'_, '_>, tag: Tag) -> bool {
    matches!(tag, Tag::Nav | Tag::Main | Tag::Article | Tag::Aside | Tag::Header | Tag::Footer)
        || start.attributes.raw(Attribute::Role).is_some()
}

/// Returns true if the content of an element is boilerplate: navigation, a footer, or an `aside` outside the content.
fn is_beside(start: &StartTag<'_, '_>, tag: Tag, region: Option<Region>, in_main: bool) -> bool {
    let is_role = |role: &str| start.attributes.is(Attribute::Role, role);
    region == Some(Region::Nav)
        || tag == Tag::Footer
        || tag == Tag::Aside && !in_main
        || is_role("contentinfo")
        || is_role("complementary") && !in_main
}

fn region_of(start: &StartTag<'_, '_>, tag: Tag, in_main: bool) -> Option<Region> {
    if tag == Tag::Nav || start.attributes.is(Attribute::Role, "navigation") {
        return Some(Region::Nav);
    }
    match tag {
        Tag::Main | Tag::Article => Some(Region::Main),
        Tag::Aside => Some(Region::Aside),
        Tag::Header | Tag::Footer if in_main => Some(Region::Main),
        Tag::Header => Some(Region::Header),
        Tag::Footer => Some(Region::Footer),
        _ => None,
    }
}
