//! Form pages: login, registration, password, reply, report, edit. Their main content is a form.

use super::pages::{Page, Pages};
use super::text::{beside_frame, bytes, frame, usual};
use crate::error::StoreError;
use mapwright_traps::path_pattern;
use mapwright_verdict::content::{Block, Passage, Role};
use mapwright_verdict::{Node, Reason};
use std::collections::{HashMap, HashSet};

/// Bytes of text beside the form, beyond what every page of the site has, up to which the form is the main content.
const LITTLE_PROSE: u32 = 200;
/// Pages of one pattern from which on a form on nearly all of them is what the pattern is for.
const MANY: usize = 5;
const NEARLY_ALL: usize = 80;
/// Words in the URLs of forms, as applications write them. They decide nothing where the page has text.
const WORDS: [&str; 28] = [
    "login",
    "signin",
    "logon",
    "register",
    "registration",
    "signup",
    "activate",
    "activation",
    "subscribe",
    "forgot",
    "forgotten",
    "lostpassword",
    "lostpasswd",
    "password",
    "preferences",
    "prefs",
    "reset",
    "reply",
    "report",
    "edit",
    "review",
    "comment",
    "newtopic",
    "newthread",
    "newreply",
    "posting",
    "compose",
    "sendmessage",
];

/// Words that a path may end in, alone, or that a parameter may have as its value: of pages that list nothing.
const LAST_WORDS: [&str; 6] = ["add", "ask", "create", "delete", "new", "search"];
/// Links of its own from which on a page lists something.
const LISTS: usize = 3;

/// Words in a name that says what a page is for; more are a title.
const FEW_WORDS: usize = 3;

/// Leaves out pages whose main content is a form.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let frame = Frame::of(pages)?;
    let mut forms: Vec<&Page> = Vec::new();
    for page in pages.open().filter(|page| !page.is_home && frame.has_fields(page)) {
        if frame.is_form(pages, page)? {
            forms.push(page);
        }
    }
    let mut out: Vec<Node> = further(pages, &frame);
    if forms.is_empty() && out.is_empty() {
        return Ok(());
    }
    let mut sizes: HashMap<String, usize> = HashMap::new();
    pages.open().for_each(|page| *sizes.entry(path_pattern(&page.url)).or_default() += 1);
    let mut by_pattern: HashMap<String, usize> = HashMap::new();
    forms.iter().for_each(|page| *by_pattern.entry(path_pattern(&page.url)).or_default() += 1);
    let is_many = |page: &Page| {
        let pattern = path_pattern(&page.url);
        let (count, size) =
            (by_pattern.get(&pattern).copied().unwrap_or_default(), sizes.get(&pattern).copied().unwrap_or_default());
        count >= MANY && count * 100 >= size * NEARLY_ALL
    };
    for page in forms {
        let is_known = page.passwords > frame.passwords || is_named(page) || is_many(page);
        if is_known || ends_in_a_word(page) && !frame.lists(pages, page)? {
            out.push(page.node);
        }
    }
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::FormPage, None));
    Ok(())
}

/// Pages with fields at the end of whose path stands what stands at the ends of many other forms: some repeat more of what
/// they are an answer to than one page of that has.
fn further(pages: &Pages<'_>, frame: &Frame) -> Vec<Node> {
    let mut judged: HashMap<String, usize> = HashMap::new();
    let forms = pages.all.iter().filter(|page| pages.is_form(page.node) && ends_in_a_word(page));
    forms.for_each(|page| *judged.entry(last_names(page)).or_default() += 1);
    let is_many = |page: &&Page| judged.get(&last_names(page)).is_some_and(|count| *count >= MANY);
    let open = pages.open().filter(|page| ends_in_a_word(page) && frame.has_fields(page));
    open.filter(is_many).map(|page| page.node).collect()
}

/// The last two names of a path.
fn last_names(page: &Page) -> String {
    let path = page.url.path().trim_end_matches('/');
    let before = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at);
    path.get(before..).unwrap_or_default().to_owned()
}

/// Whether the URL of a page has the name of a form.
pub(super) fn is_named_form(page: &Page) -> bool {
    is_named(page) || ends_in_a_word(page)
}

/// Whether the path of a page ends in a word of forms, alone, or a parameter has one as its value.
fn ends_in_a_word(page: &Page) -> bool {
    let last = page.url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let name = last.split('.').next().unwrap_or_default();
    let pairs = page.url.query().into_iter().flat_map(|query| query.split('&'));
    let mut names = pairs.filter_map(|pair| Some(pair.split_once('=')?.1)).chain([name]);
    names.any(|name| LAST_WORDS.iter().any(|word| name.eq_ignore_ascii_case(word)))
}

/// Whether the URL of a page has a word of forms: alone, or in a name of a few words.
fn is_named(page: &Page) -> bool {
    let text = page.url.path_and_query().to_ascii_lowercase();
    let names = text.split(|char: char| !char.is_ascii_alphabetic() && !matches!(char, '-' | '_'));
    names
        .map(|name| name.split(['-', '_']).collect::<Vec<_>>())
        .filter(|words| words.len() <= FEW_WORDS)
        .any(|words| WORDS.contains(&words.concat().as_str()) || words.iter().any(|word| WORDS.contains(word)))
}

/// What every page of the site has: a login box, a few words in the footer.
struct Frame {
    prose: u32,
    passwords: u8,
    texts: u8,
    /// The fewest fields of text that a page has: those of a search, most often.
    least: u8,
    blocks: HashSet<Block>,
}

impl Frame {
    fn of(pages: &Pages<'_>) -> Result<Self, StoreError> {
        let prose = pages.open().map(|page| page.prose).min().unwrap_or_default();
        let passwords = usual(pages.open().map(|page| page.passwords));
        let texts = usual(pages.open().map(|page| page.texts));
        let least = pages.open().map(|page| page.texts).min().unwrap_or_default();
        let mut own = Self { prose, passwords, texts, least, blocks: HashSet::new() };
        if pages.open().any(|page| own.has_fields(page)) {
            own.blocks = frame(pages)?;
        }
        Ok(own)
    }

    fn has_fields(&self, page: &Page) -> bool {
        // Where searches have many fields, and many variants, more than the fewest are enough under the name of a form.
        let few = if is_named(page) { self.least } else { self.texts };
        page.passwords > self.passwords || page.texts > few
    }

    fn is_form(&self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        let has_little = page.prose - self.prose.min(page.prose) <= LITTLE_PROSE;
        Ok(has_little || bytes(&self.own(pages, page, Role::Text)?) <= LITTLE_PROSE)
    }

    /// Whether a page has links that not every page has.
    fn lists(&self, pages: &Pages<'_>, page: &Page) -> Result<bool, StoreError> {
        Ok(self.own(pages, page, Role::Link)?.len() >= LISTS)
    }

    /// What a page shows beside what every page does.
    fn own(&self, pages: &Pages<'_>, page: &Page, role: Role) -> Result<Vec<Passage>, StoreError> {
        let all = beside_frame(pages, page.node, &self.blocks)?.into_iter();
        Ok(all.filter(|passage| passage.role == role).collect())
    }
}
