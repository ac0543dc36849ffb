//! Values that stay text: expressions, names, agents, URLs. Each is checked by its kind.

use crate::error::{Fault, quoted};
use crate::field::Value;
use crate::kind::ValueKind;
use url::Url;

/// Bytes that one compiled regular expression may take.
const MAX_REGEX_BYTES: usize = 10 << 20;

impl Value for String {
    fn read(text: &str, kind: &ValueKind) -> Result<String, Fault> {
        match kind {
            ValueKind::Regex => regex(text),
            ValueKind::UserAgent => user_agent(text),
            ValueKind::Token => token(text),
            ValueKind::Parameter => parameter(text),
            ValueKind::BaseUrl => base_url(text),
            ValueKind::Name { .. } => name(text),
            _ => plain(text),
        }
    }
}

fn plain(text: &str) -> Result<String, Fault> {
    match text.trim() {
        "" => Err(Fault::new("the value is empty", "give a value, or leave the option out")),
        trimmed => Ok(trimmed.to_owned()),
    }
}

fn name(text: &str) -> Result<String, Fault> {
    let name = plain(text)?;
    if name.contains(|c: char| c == ',' || c.is_whitespace() || c.is_control()) {
        let what = format!("{} holds a comma or a blank", quoted(&name));
        return Err(Fault::new(what, "write one name alone; a list has one value for each"));
    }
    Ok(name)
}

fn regex(text: &str) -> Result<String, Fault> {
    match regex::RegexBuilder::new(text).size_limit(MAX_REGEX_BYTES).build() {
        Ok(_) => Ok(text.to_owned()),
        Err(regex::Error::CompiledTooBig(_)) => Err(Fault::new(
            format!("{} is too large a regular expression", quoted(text)),
            "repeat less: what is repeated counts as often as it may come",
        )),
        Err(error) => Err(Fault::new(
            format!("{} is not a regular expression ({})", quoted(text), reason(&error)),
            "correct it; a character with a special meaning is escaped by a backslash",
        )),
    }
}

/// Returns the last line of a regex error, which holds the reason; the lines before mark the place.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).trim_end_matches('.').to_owned()
}

fn user_agent(text: &str) -> Result<String, Fault> {
    let trimmed = text.trim();
    if trimmed.is_empty() || !trimmed.bytes().all(|b| b == b' ' || b.is_ascii_graphic()) {
        let what = format!("{} is not a user agent", quoted(text));
        return Err(Fault::new(what, "write it in ASCII, as NAME/VERSION (+URL)"));
    }
    Ok(trimmed.to_owned())
}

fn token(text: &str) -> Result<String, Fault> {
    let trimmed = text.trim();
    if trimmed.is_empty() || !trimmed.chars().all(is_product_char) {
        let what = format!("{} is not a robot's name", quoted(text));
        return Err(Fault::new(what, "use letters, `-` and `_` only, as robots.txt does"));
    }
    Ok(trimmed.to_owned())
}

/// The product token that a user agent begins with (RFC 9309, 2.2.1); empty if it begins with none.
pub(crate) fn product_token(user_agent: &str) -> &str {
    user_agent.split(|c| !is_product_char(c)).next().unwrap_or_default()
}

fn is_product_char(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '-' || c == '_'
}

fn parameter(text: &str) -> Result<String, Fault> {
    let trimmed = text.trim();
    let name = trimmed.strip_suffix('*').unwrap_or(trimmed);
    if name.is_empty() || name.contains(['*', '&', '=', '#', '?']) || name.contains(char::is_whitespace) {
        let what = format!("{} is not the name of a query parameter", quoted(text));
        return Err(Fault::new(what, "write the name alone, such as sid, or its beginning and `*`, such as ref_*"));
    }
    Ok(trimmed.to_owned())
}

/// An http(s) URL without query and fragment, ending in a slash.
fn base_url(text: &str) -> Result<String, Fault> {
    let hint = "write the http or https URL of a directory, such as https://www.example.com/";
    let fault = |what: String| Fault::new(format!("{} {what}", quoted(text)), hint);
    let mut url = Url::parse(text.trim()).map_err(|error| fault(format!("is not a URL ({error})")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(fault("is not an http or https URL".to_owned()));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(fault("names a query or a fragment".to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Fault::new("the URL names a user or a password", hint));
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url.to_string())
}
