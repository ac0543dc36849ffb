//! Product tokens: how a group names its agents, and which tokens a `User-Agent` text holds.

/// The name under which the group for everybody is kept.
pub(super) const EVERYBODY: &str = "*";

/// The token that stands in almost every browser's text, and names nobody.
const NOBODY: &str = "mozilla";

/// The characters of a token: RFC 9309 has letters, `_` and `-`; crawlers have digits too.
fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The token that `text` begins with, and what follows it.
fn leading_token(text: &str) -> (&str, &str) {
    let end = text.find(|c| !is_token_char(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The agent that a `User-agent` line names, lower case: `foobot/1.2` and `foobot (x)` name `foobot`, `*` everybody;
/// `*bot` and quoted names name nobody.
pub(super) fn named_by(value: &str) -> Option<String> {
    let for_everybody = value.strip_prefix('*').is_some_and(|rest| !rest.starts_with(|c: char| !c.is_whitespace()));
    if for_everybody {
        return Some(EVERYBODY.to_owned());
    }
    let (token, _) = leading_token(value);
    (!token.is_empty()).then(|| token.to_ascii_lowercase())
}

/// The tokens to look for on behalf of `agent`, lower case, the most telling first: products with a version, bare
/// words, and `mozilla` last. A text that holds neither is taken for a token with something behind it.
pub(super) fn tokens_of(agent: &str) -> Vec<String> {
    if agent.chars().all(is_token_char) {
        return vec![agent.to_ascii_lowercase()];
    }
    let words = agent.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | ','));
    let mut tokens: Vec<(Telling, String)> = words.filter_map(token_of_word).collect();
    tokens.sort_by_key(|(telling, _)| *telling);
    if tokens.is_empty() {
        return named_by(agent.trim()).into_iter().collect();
    }
    tokens.into_iter().map(|(_, token)| token).collect()
}

/// How much a word of a `User-Agent` text tells about who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Telling {
    Product,
    Word,
    Nobody,
}

fn token_of_word(word: &str) -> Option<(Telling, String)> {
    let (token, rest) = leading_token(word);
    let token = token.to_ascii_lowercase();
    match rest.chars().next() {
        _ if token.is_empty() => None,
        _ if token == NOBODY => Some((Telling::Nobody, token)),
        Some('/') => Some((Telling::Product, token)),
        None => Some((Telling::Word, token)),
        Some(_) => None,
    }
}
