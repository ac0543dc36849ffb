//! Pages that are what the site shows for names that cannot exist.

use crate::echo::{Spoken, differ_by_name};
use mapwright_web::page::facts::Sketch;
use std::collections::HashSet;
use std::hash::Hash;

/// Percent of text in common from which on two pages are one.
const ALIKE: u32 = 90;
/// The same where the page has a title of its own: on a site whose pages differ by a few sentences alone, an estimate of
/// what they have in common errs by more than those.
const ALIKE_BUT_FOR_TITLE: u32 = 97;
/// The same where they differ by the name of what was requested: a word makes much of a short text.
const ALIKE_BUT_FOR_NAMES: u32 = 60;
/// Percent of a site's pages from which on the answer is no error page but the shell of all of them.
const SHELL: usize = 50;
/// So many contents of its own make a site of what would be a shell.
const FEW_CONTENTS: usize = 3;

/// What a URL answers, as far as it is compared with the answer to a name that cannot exist.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The URL.
    pub url: &'a str,
    /// A hash of the body; 0 where it is unknown.
    pub hash: u64,
    /// The title.
    pub title: Option<&'a str>,
    /// Bytes of visible text.
    pub text_bytes: u32,
    /// The sketch of the text, where it is long enough.
    pub sketch: Option<Sketch>,
}

impl Answer<'_> {
    /// Whether this is what `probe`, a name that cannot exist, answers. `ordinary` are titles that say nothing: the start
    /// page's is the whole site's.
    #[must_use]
    pub fn is_like(&self, probe: &Self, ordinary: &HashSet<&str>) -> Like {
        match () {
            () if self.is_alike_but_for_names(probe, ordinary) => Like::ButForNames,
            () if self.is_alike(probe) => Like::Same,
            () => Like::Other,
        }
    }

    fn is_alike(&self, probe: &Self) -> bool {
        let same = self.hash == probe.hash && probe.hash != 0;
        let enough = if self.title == probe.title { ALIKE } else { ALIKE_BUT_FOR_TITLE };
        same || self.sketch.zip(probe.sketch).is_some_and(|(page, probe)| page.likeness(&probe) >= enough)
    }

    /// Whether a page is an error page that names its URL: it has the title of one, its length, and most of its text if
    /// that is long enough to be sketched.
    fn is_alike_but_for_names(&self, probe: &Self, ordinary: &HashSet<&str>) -> bool {
        let (Some(title), Some(lost)) = (self.title, probe.title) else { return false };
        let same_text = match (self.sketch, probe.sketch) {
            (Some(page), Some(probe)) => page.likeness(&probe) >= ALIKE_BUT_FOR_NAMES,
            (None, None) => true,
            _ => false,
        };
        let page = Spoken { url: self.url, title, text_bytes: self.text_bytes };
        let lost = Spoken { url: probe.url, title: lost, text_bytes: probe.text_bytes };
        same_text && !ordinary.contains(title) && differ_by_name(&page, &lost)
    }
}

/// How an answer is like that to a name that cannot exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Like {
    /// It says the same.
    Same,
    /// It says the same of another name: an error page that names what was requested.
    ButForNames,
    /// It is not.
    Other,
}

/// The pages of one origin that are like the answer to a name that cannot exist, and all others.
#[derive(Debug)]
pub struct Likes<T> {
    /// The pages that are like it.
    pub alike: Vec<T>,
    alike_contents: HashSet<u64>,
    own: usize,
    own_contents: HashSet<u64>,
    from_the_start: bool,
}

impl<T> Default for Likes<T> {
    fn default() -> Self {
        Self {
            alike: Vec::new(),
            alike_contents: HashSet::new(),
            own: 0,
            own_contents: HashSet::new(),
            from_the_start: false,
        }
    }
}

impl<T: Copy + Eq + Hash> Likes<T> {
    /// Takes in a page, and whether it is like the probe. A start page is never counted among those.
    pub fn add(&mut self, page: T, hash: u64, like: Like, is_start: bool) {
        match (like, is_start) {
            (Like::Same | Like::ButForNames, true) => {
                self.own += 1;
                self.from_the_start = true;
            }
            (Like::Same, false) => {
                self.alike.push(page);
                self.alike_contents.insert(hash);
            }
            // Whatever they name, these are one content.
            (Like::ButForNames, false) => {
                self.alike.push(page);
                self.alike_contents.insert(0);
            }
            (Like::Other, _) => {
                self.own += 1;
                self.own_contents.insert(hash);
            }
        }
    }

    /// Whether what is alike is no error page but the shell of a program, which most URLs are answered with, whatever
    /// they name. Where the start page is none of it, an answer with an error `status` is none; and by its URLs a site is
    /// not judged that has contents of its own: a name may be wrong in thousands of ways, and a relative link on an error
    /// page makes them.
    #[must_use]
    pub fn are_a_shell(&self, status: u16) -> bool {
        let most = self.alike.len() * 100 > (self.alike.len() + self.own) * SHELL;
        let has_contents = self.own_contents.len() >= FEW_CONTENTS.max(self.alike_contents.len());
        most && (self.from_the_start || status < 400 && !has_contents)
    }
}
