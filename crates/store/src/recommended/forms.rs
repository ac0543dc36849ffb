//! Form pages: login, registration, password, reply, report, edit. Their main content is a form.

use super::pages::{Page, Pages};
use mapwright_traps::path_pattern;
use mapwright_verdict::{Node, Reason};
use std::collections::HashMap;

/// Bytes of text beside the form, beyond what every page of the site has, up to which the form is the main content.
const LITTLE_PROSE: u32 = 200;
/// Pages of one pattern from which on a form on nearly all of them is what the pattern is for.
const MANY: usize = 5;
const NEARLY_ALL: usize = 80;
/// Words in the URLs of forms, as applications write them. They decide nothing where the page has text.
const WORDS: [&str; 21] = [
    "login",
    "signin",
    "logon",
    "register",
    "registration",
    "signup",
    "activation",
    "subscribe",
    "password",
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

/// Words in a name that says what a page is for; more are a title.
const FEW_WORDS: usize = 3;

/// Leaves out pages whose main content is a form.
pub(super) fn judge(pages: &mut Pages<'_>) {
    let frame = Frame::of(pages);
    let forms: Vec<&Page> = pages.open().filter(|page| !page.is_home && frame.is_form(page)).collect();
    if forms.is_empty() {
        return;
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
    let out: Vec<Node> = forms
        .iter()
        .filter(|page| page.passwords > frame.passwords || is_named(page) || is_many(page))
        .map(|page| page.node)
        .collect();
    out.into_iter().for_each(|node| pages.leave_out(node, Reason::FormPage, None));
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
}

impl Frame {
    fn of(pages: &Pages<'_>) -> Self {
        let prose = pages.open().map(|page| page.prose).min().unwrap_or_default();
        Self {
            prose,
            passwords: usual(pages.open().map(|page| page.passwords)),
            texts: usual(pages.open().map(|page| page.texts)),
        }
    }

    fn is_form(&self, page: &Page) -> bool {
        let has_fields = page.passwords > self.passwords || page.texts > self.texts;
        has_fields && page.prose - self.prose.min(page.prose) <= LITTLE_PROSE
    }
}

/// The number that most pages have, or the least of those that a third have.
fn usual(values: impl Iterator<Item = u8>) -> u8 {
    let mut sorted: Vec<u8> = values.collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
