//! The parameters of a URL: in its query, in its path segments, and sessions that are an entire segment.

use mapwright_web::PageUrl;

/// A parameter, by its name and its place in the URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parameter {
    /// Its place in the URL.
    pub place: ParameterPosition,
    /// Its name as written; empty for a segment.
    pub name: String,
}

/// A parameter of the URLs of one pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParameterKey {
    /// The pattern of the paths: see [`path_pattern`].
    pub pattern: String,
    /// The parameter.
    pub parameter: Parameter,
}

/// The place of a parameter in the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ParameterPosition {
    /// `?name=value`.
    Query,
    /// `;name=value` behind a path segment (RFC 3986 section 3.3).
    Matrix,
    /// A path segment that is an identifier: `(S(…))`, or one that looks random.
    Segment,
}

impl Parameter {
    /// The parameter as people write it: `name`, `;name`, or `(segment)`.
    #[must_use]
    pub fn label(&self) -> String {
        match self.place {
            ParameterPosition::Query => self.name.clone(),
            ParameterPosition::Matrix => format!(";{}", self.name),
            ParameterPosition::Segment => "(segment)".to_owned(),
        }
    }

    /// The parameter of a [`Parameter::label`].
    #[must_use]
    pub fn from_label(label: &str) -> Self {
        match label.strip_prefix(';') {
            _ if label == "(segment)" => Self { place: ParameterPosition::Segment, name: String::new() },
            Some(name) => Self { place: ParameterPosition::Matrix, name: name.to_owned() },
            None => Self { place: ParameterPosition::Query, name: label.to_owned() },
        }
    }
}

/// The most distinct parameters of one URL that are considered.
const MAX_PARAMETERS: usize = 12;
/// The length in characters from which on a path segment may be a random identifier.
const LONG_SEGMENT: usize = 16;
/// The fewest changes between letters and digits in such a segment.
const CHANGES: usize = 4;

/// Reports whether a URL may have parameters, by its text alone.
#[must_use]
pub fn has_parameters(url: &PageUrl) -> bool {
    let path = url.path().as_bytes();
    url.query().is_some_and(|query| !query.is_empty())
        || path.contains(&b';')
        || path.split(|byte| *byte == b'/').any(is_session_name)
}

/// The distinct parameters of a URL, in their order.
#[must_use]
pub fn parameters(url: &PageUrl) -> Vec<Parameter> {
    let mut found: Vec<Parameter> = Vec::new();
    let mut note = |place, name: &str| {
        let parameter = Parameter { place, name: name.to_owned() };
        if found.len() < MAX_PARAMETERS && !found.contains(&parameter) {
            found.push(parameter);
        }
    };
    for segment in url.path().split('/') {
        if is_session(segment) {
            note(ParameterPosition::Segment, "");
        }
        segment.split(';').skip(1).for_each(|pair| note(ParameterPosition::Matrix, name_of(pair)));
    }
    if let Some(query) = url.query() {
        query
            .split(separator(query))
            .filter(|pair| !pair.is_empty())
            .for_each(|pair| note(ParameterPosition::Query, name_of(pair)));
    }
    found
}

/// The most digits of a page number in a list.
const MAX_DIGITS: usize = 3;

/// Reports whether the value of a query parameter is a small number, such as a page number of a list.
pub(crate) fn is_numbered(url: &PageUrl, parameter: &Parameter) -> bool {
    let is_small =
        |value: &str| (1..=MAX_DIGITS).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
    parameter.place == ParameterPosition::Query && values(url, parameter).into_iter().any(is_small)
}

/// The values of a parameter in a URL, in their order; those without a value are left out.
pub(crate) fn values<'a>(url: &'a PageUrl, parameter: &Parameter) -> Vec<&'a str> {
    let value =
        |pair: &'a str| pair.split_once('=').filter(|(name, _)| *name == parameter.name).map(|(_, value)| value);
    let query = url.query().unwrap_or_default();
    let segments = || url.path().split('/');
    match parameter.place {
        ParameterPosition::Query => query.split(separator(query)).filter_map(value).collect(),
        ParameterPosition::Matrix => {
            segments().flat_map(|segment| segment.split(';').skip(1)).filter_map(value).collect()
        }
        ParameterPosition::Segment => segments().filter(|segment| is_session(segment)).collect(),
    }
}

/// The URL without a parameter.
#[must_use]
pub fn without(url: &PageUrl, parameter: &Parameter) -> PageUrl {
    let path = match parameter.place {
        ParameterPosition::Query => url.path().to_owned(),
        ParameterPosition::Matrix => {
            let kept = |segment: &str| without_matrix(segment, &parameter.name);
            url.path().split('/').map(kept).collect::<Vec<_>>().join("/")
        }
        ParameterPosition::Segment => {
            let kept: Vec<&str> = url.path().split('/').filter(|segment| !is_session(segment)).collect();
            let path = kept.join("/");
            if path.starts_with('/') { path } else { format!("/{path}") }
        }
    };
    let query = url.query().map(|query| match parameter.place {
        ParameterPosition::Query => {
            let mark = separator(query);
            let rest: Vec<&str> = query.split(mark).filter(|pair| name_of(pair) != parameter.name).collect();
            rest.join(mark)
        }
        ParameterPosition::Matrix | ParameterPosition::Segment => query.to_owned(),
    });
    match query.filter(|query| !query.is_empty()) {
        Some(query) => url.with_path(&format!("{path}?{query}")),
        None => url.with_path(&path),
    }
}

/// The pattern of the paths for which a parameter has one role: the directory, and the name of a script, which decides
/// the meaning of the parameter. Names without an extension, and numbers, are replaced by `*`.
#[must_use]
pub fn path_pattern(url: &PageUrl) -> String {
    let segments: Vec<&str> = url.path().split('/').filter(|segment| !is_session(segment)).collect();
    let last = segments.len().saturating_sub(1);
    let general = segments.iter().enumerate().map(|(at, segment)| {
        let name = segment.split(';').next().unwrap_or_default();
        match name.rsplit_once('.') {
            _ if name.is_empty() => String::new(),
            Some((stem, ending)) if at == last && stem.bytes().any(|byte| byte.is_ascii_digit()) => {
                format!("*.{ending}")
            }
            Some(_) if at == last => name.to_owned(),
            _ if at == last || name.bytes().all(|byte| byte.is_ascii_digit()) => "*".to_owned(),
            _ => name.to_owned(),
        }
    });
    format!("{}{}", url.origin(), general.collect::<Vec<_>>().join("/"))
}

/// The separator of the parameters of a query: Apache's indexes and some Perl programs use `;`.
fn separator(query: &str) -> &'static str {
    if query.contains(';') && !query.contains('&') { ";" } else { "&" }
}

fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or(pair)
}

fn without_matrix(segment: &str, name: &str) -> String {
    let mut pieces = segment.split(';');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.filter(|pair| name_of(pair) != name).fold(first, |kept, pair| format!("{kept};{pair}"))
}

/// Reports whether a path segment may be a session: ASP.NET's `(S(…))`, or a random value by [`is_random`].
pub(crate) fn is_session(segment: &str) -> bool {
    is_session_name(segment.as_bytes())
}

fn is_session_name(segment: &[u8]) -> bool {
    segment.starts_with(b"(S(") && segment.ends_with(b"))") || is_random_name(segment)
}

/// Reports whether a value looks random: long, with letters and digits that often alternate.
#[must_use]
pub fn is_random(value: &str) -> bool {
    is_random_name(value.as_bytes())
}

fn is_random_name(value: &[u8]) -> bool {
    value.len() >= LONG_SEGMENT && value.iter().all(u8::is_ascii_alphanumeric) && changes_often(value)
}

/// The fewest digits of a revision's name: the length of abbreviated commit hashes.
const SHORT_REVISION: usize = 7;

/// Reports whether a word looks like the name of a revision: hexadecimal digits, with both letters and numbers.
#[must_use]
pub fn is_revision(word: &[u8]) -> bool {
    let is_hex = || word.iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte));
    let has = |is: fn(&u8) -> bool| word.iter().any(is);
    word.len() >= SHORT_REVISION && is_hex() && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

fn changes_often(segment: &[u8]) -> bool {
    let digits = || segment.iter().map(u8::is_ascii_digit);
    digits().zip(digits().skip(1)).filter(|(one, next)| one != next).count() >= CHANGES
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a.example{path}"), &UrlIdentity::default()).unwrap()
    }

    fn labels(path: &str) -> Vec<String> {
        parameters(&url(path)).iter().map(Parameter::label).collect()
    }

    #[test]
    fn parameters_are_found_in_the_query_and_in_the_path() {
        assert_eq!(labels("/a?b=1&c=2&b=3&d"), ["b", "c", "d"]);
        assert_eq!(labels("/dir/?C=N;O=D"), ["C", "O"]);
        assert_eq!(labels("/a.do;jsessionid=0F1E?x=1"), [";jsessionid", "x"]);
        assert_eq!(labels("/(S(lit3py55t21z5v55vlm25s55))/orders/"), ["(segment)"]);
        assert!(labels("/plain/page").is_empty() && !has_parameters(&url("/plain/page")));
    }

    #[test]
    fn removing_a_parameter_keeps_the_rest_of_the_url_unchanged() {
        let bare =
            |path: &str, label: &str| without(&url(path), &Parameter::from_label(label)).path_and_query().to_owned();
        assert_eq!(bare("/a?b=1&c=%20x&b=3&d", "b"), "/a?c=%20x&d");
        assert_eq!(bare("/a?b=1", "b"), "/a");
        assert_eq!(bare("/dir/?C=N;O=D", "C"), "/dir/?O=D");
        assert_eq!(bare("/a.do;jsessionid=0F1E?x=1", ";jsessionid"), "/a.do?x=1");
        assert_eq!(bare("/(S(lit3py55t21z5v55vlm25s55))/orders/", "(segment)"), "/orders/");
        assert_eq!(bare("/(S(lit3py55t21z5v55vlm25s55))/", "(segment)"), "/");
    }

    #[test]
    fn patterns_distinguish_scripts_and_generalise_names_and_numbers() {
        let pattern = |path: &str| path_pattern(&url(path)).replace("http://a.example", "");
        assert_eq!(pattern("/thread.php?t=1"), "/thread.php");
        assert_eq!(pattern("/lamps"), pattern("/chairs?view=list"));
        assert_eq!(pattern("/articles/12"), "/articles/*");
        assert_eq!(pattern("/2024/05/a-post"), "/*/*/*");
        assert_eq!(pattern("/notes/12.aspx"), "/notes/*.aspx");
        assert_eq!(pattern("/"), "/");
    }
}
