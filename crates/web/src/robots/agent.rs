//! Product tokens: the agents that a group names, and the tokens in a `User-Agent` text.

use std::collections::HashMap;

/// The name of the group for all agents.
pub(super) const WILDCARD_AGENT: &str = "*";

/// The token in almost every browser's text, which identifies no crawler.
const GENERIC_TOKEN: &str = "mozilla";

/// The characters of a token: RFC 9309 allows alphabetic characters, `_` and `-`; crawlers also use digits.
fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The token that `text` begins with, and the rest.
fn leading_token(text: &str) -> (&str, &str) {
    let end = text.find(|c| !is_token_char(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The agent that a `User-agent` line names, in lower case: `foobot/1.2` and `foobot (x)` name `foobot`, and `*` names
/// all agents; `*bot` and quoted names are invalid.
pub(super) fn named_by(value: &str) -> Option<String> {
    let for_everybody = value.strip_prefix('*').is_some_and(|rest| !rest.starts_with(|c: char| !c.is_whitespace()));
    if for_everybody {
        return Some(WILDCARD_AGENT.to_owned());
    }
    let (token, _) = leading_token(value);
    (!token.is_empty()).then(|| token.to_ascii_lowercase())
}

/// The group that applies to `agent`: that of its most specific token that has one, else that of `*` (RFC 9309,
/// section 2.2.1).
pub(super) fn chosen<'g, G>(groups: &'g HashMap<String, G>, agent: &str) -> Option<&'g G> {
    let own = tokens_of(agent).into_iter().find_map(|token| groups.get(&token));
    own.or_else(|| groups.get(WILDCARD_AGENT))
}

/// The tokens to look up for `agent`, in lower case, the most specific first: products with a version, then words, and
/// `mozilla` last. A text without any of these is read as a token with a suffix.
pub(super) fn tokens_of(agent: &str) -> Vec<String> {
    if agent.chars().all(is_token_char) {
        return vec![agent.to_ascii_lowercase()];
    }
    let words = agent.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | ','));
    let mut tokens: Vec<(TokenSpecificity, String)> = words.filter_map(token_of_word).collect();
    tokens.sort_by_key(|(reporting, _)| *reporting);
    if tokens.is_empty() {
        return named_by(agent.trim()).into_iter().collect();
    }
    tokens.into_iter().map(|(_, token)| token).collect()
}

/// The specificity of a word in a `User-Agent` text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TokenSpecificity {
    Product,
    Word,
    Nobody,
}

fn token_of_word(word: &str) -> Option<(TokenSpecificity, String)> {
    let (token, rest) = leading_token(word);
    let token = token.to_ascii_lowercase();
    match rest.chars().next() {
        _ if token.is_empty() => None,
        _ if token == GENERIC_TOKEN => Some((TokenSpecificity::Nobody, token)),
        Some('/') => Some((TokenSpecificity::Product, token)),
        None => Some((TokenSpecificity::Word, token)),
        Some(_) => None,
    }
}
