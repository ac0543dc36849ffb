//! The header fields of an answer.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// The header fields of an answer, in the order of arrival, as text.
///
/// Values that are not UTF-8 are read as Latin-1, byte for byte, which never fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    fields: Vec<(HeaderName, String)>,
}

impl Headers {
    /// Header fields from pairs of name and value; pairs whose name is no header name are left out.
    pub fn from_pairs<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> Headers {
        let fields =
            pairs.into_iter().filter_map(|(name, value)| Some((name.parse().ok()?, value.trim().to_owned()))).collect();
        Headers { fields }
    }

    /// The fields of a received head.
    pub(crate) fn from_map(map: &HeaderMap) -> Headers {
        let fields = map.iter().map(|(name, value)| (name.clone(), text(value))).collect();
        Headers { fields }
    }

    /// The first value of this field; names are compared without regard to case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Every value of this field, in order.
    pub fn all<'h>(&'h self, name: &str) -> impl Iterator<Item = &'h str> {
        self.fields.iter().filter(move |(known, _)| *known == *name).map(|(_, value)| value.as_str())
    }

    /// Every field, names in lower case.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there is no field at all.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// `Content-Type` (RFC 9110, section 8.3).
    pub fn content_type(&self) -> Option<&str> {
        self.get("content-type")
    }

    /// `ETag` (RFC 9110, section 8.8.3), quotes and all.
    pub fn etag(&self) -> Option<&str> {
        self.get("etag")
    }

    /// `Last-Modified` (RFC 9110, section 8.8.2).
    pub fn last_modified(&self) -> Option<&str> {
        self.get("last-modified")
    }

    /// `Date` (RFC 9110, section 6.6.1).
    pub fn date(&self) -> Option<&str> {
        self.get("date")
    }

    /// `Location` (RFC 9110, section 10.2.2).
    pub fn location(&self) -> Option<&str> {
        self.get("location")
    }
}

/// The text of a value: UTF-8 where it is that, else Latin-1.
fn text(value: &HeaderValue) -> String {
    match std::str::from_utf8(value.as_bytes()) {
        Ok(utf8) => utf8.to_owned(),
        Err(_) => value.as_bytes().iter().map(|&byte| char::from(byte)).collect(),
    }
}
