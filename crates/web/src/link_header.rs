//! The `Link` header field (RFC 8288, section 3 and appendix B.2).

/// One link of a `Link` header field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderLink {
    /// The target as written.
    pub href: String,
    /// Relation types, lower case; the first of several `rel` parameters counts.
    pub rel: Vec<String>,
    /// The first `hreflang`.
    pub hreflang: Option<String>,
    /// `type`.
    pub media_type: Option<String>,
    /// `anchor`: the link's context, if that is not the document itself.
    pub anchor: Option<String>,
    /// It has a parameter that selects one of several representations: `hreflang`, `lang`, `media` or `type`. Such a
    /// link is no canonical (Google Search Central, "How to specify a canonical URL with rel="canonical" and other
    /// methods").
    pub qualified: bool,
}

/// Parses one field value, which may contain several links. The iterator is unbounded, so that a caller limits only the
/// links that it keeps. Malformed text is skipped up to the next comma.
pub fn parse_link_header(value: &str) -> impl Iterator<Item = HeaderLink> {
    let mut rest = value;
    std::iter::from_fn(move || next_link(&mut rest))
}

/// The next link; `rest` is then the text after its comma.
fn next_link(rest: &mut &str) -> Option<HeaderLink> {
    loop {
        let text = rest.trim_start_matches(|char| blank(char) || char == ',');
        let first = text.chars().next()?;
        let target = text.strip_prefix('<').and_then(|text| text.split_once('>'));
        let Some((href, after)) = target else {
            // Without a target, the text is skipped up to the next link.
            *rest = if first == '<' { "" } else { after_comma(text) };
            continue;
        };
        let mut link = HeaderLink { href: href.trim_matches(blank).to_owned(), ..HeaderLink::default() };
        *rest = parameters(after, &mut link);
        return Some(link);
    }
}

/// Reads the parameters of a link and returns the text after its comma.
fn parameters<'v>(text: &'v str, link: &mut HeaderLink) -> &'v str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(blank);
        let Some(after) = rest.strip_prefix(';') else { return after_comma(rest) };
        rest = after.trim_start_matches(blank);
        let (name, after) = split_before(rest, |char| blank(char) || matches!(char, '=' | ';' | ','));
        rest = after.trim_start_matches(blank);
        let value = match rest.strip_prefix('=') {
            None => String::new(),
            Some(after) => {
                let (value, after) = parameter_value(after.trim_start_matches(blank));
                rest = after;
                value
            }
        };
        take(name, value, link);
    }
}

fn parameter_value(text: &str) -> (String, &str) {
    if let Some(quoted) = text.strip_prefix('"') {
        return quoted_string(quoted);
    }
    let (value, rest) = split_before(text, |char| blank(char) || matches!(char, ';' | ','));
    (value.to_owned(), rest)
}

/// Reads a quoted string (RFC 9110 5.6.4) after its opening quote; without a closing quote it extends to the end.
fn quoted_string(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            '\\' => value.extend(chars.next()),
            char => value.push(char),
        }
    }
    (value, chars.as_str())
}

/// Keeps the first parameter of each known name.
fn take(name: &str, value: String, link: &mut HeaderLink) {
    let name = name.to_ascii_lowercase();
    link.qualified |= matches!(name.as_str(), "hreflang" | "lang" | "media" | "type");
    match name.as_str() {
        "rel" if link.rel.is_empty() => {
            link.rel = value.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
        }
        "hreflang" => drop(link.hreflang.get_or_insert(value)),
        "type" => drop(link.media_type.get_or_insert(value)),
        "anchor" => drop(link.anchor.get_or_insert(value)),
        _ => {}
    }
}

/// The text after the next unquoted comma.
fn after_comma(text: &str) -> &str {
    let mut rest = text;
    while let Some(at) = rest.find([',', '"']) {
        let (found, after) =
            rest.split_at_checked(at).map_or(("", ""), |(_, found)| found.split_at_checked(1).unwrap_or_default());
        if found == "," {
            return after;
        }
        rest = quoted_string(after).1;
    }
    ""
}

fn split_before(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at_checked(text.find(ends).unwrap_or(text.len())).unwrap_or((text, ""))
}

fn blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}
