//! The names of forms, as applications write them into URLs.

use super::pages::Page;

/// Words that applications use in the URLs of forms. They decide nothing about a page with text.
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

/// Words that are the last segment of a path, or the value of a parameter, in the URLs of forms. They count only for
/// pages that are no lists.
const LAST_WORDS: [&str; 6] = ["add", "ask", "create", "delete", "new", "search"];

/// The most words of a name that describes the purpose of a page; more words are a title.
const FEW_WORDS: usize = 3;

/// The last two names of a path.
pub(super) fn last_names(page: &Page) -> String {
    let path = page.url.path().trim_end_matches('/');
    let before = path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at);
    path.get(before..).unwrap_or_default().to_owned()
}

/// Reports whether the URL of a page has the name of a form.
pub(super) fn is_named_form(page: &Page) -> bool {
    is_named(page) || ends_in_a_word(page)
}

/// Reports whether the last segment of a page's path, without its extension, or the value of a parameter is in
/// [`LAST_WORDS`].
pub(super) fn ends_in_a_word(page: &Page) -> bool {
    let last = page.url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let name = last.split('.').next().unwrap_or_default();
    let pairs = page.url.query().into_iter().flat_map(|query| query.split('&'));
    let mut names = pairs.filter_map(|pair| Some(pair.split_once('=')?.1)).chain([name]);
    names.any(|name| LAST_WORDS.iter().any(|word| name.eq_ignore_ascii_case(word)))
}

/// Reports whether the URL of a page has one of the [`WORDS`], alone or in a name of a few words.
pub(super) fn is_named(page: &Page) -> bool {
    name_of_form(page).is_some()
}

/// The word of [`is_named`].
pub(super) fn name_of_form(page: &Page) -> Option<&'static str> {
    let text = page.url.path_and_query().to_ascii_lowercase();
    let names = text.split(|char: char| !char.is_ascii_alphabetic() && !matches!(char, '-' | '_'));
    let known = |word: &str| WORDS.into_iter().find(|known| *known == word);
    names
        .map(|name| name.split(['-', '_']).collect::<Vec<_>>())
        .filter(|words| words.len() <= FEW_WORDS)
        .find_map(|words| known(&words.concat()).or_else(|| words.iter().find_map(|word| known(word))))
}
