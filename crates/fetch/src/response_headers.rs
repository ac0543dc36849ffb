//! The header fields of a response.

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

/// The header fields of a response, in the order of arrival, as text.
///
/// Values that are not UTF-8 are read as Latin-1, byte for byte, which never fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// Every value is UTF-8.
    fields: HeaderMap,
}

impl Headers {
    /// Builds header fields from pairs of name and value; invalid pairs are left out.
    pub fn from_pairs<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> Headers {
        let mut fields = HeaderMap::new();
        for (name, value) in pairs {
            let (name, value) = (name.parse::<HeaderName>(), HeaderValue::from_bytes(value.trim().as_bytes()));
            if let (Ok(name), Ok(value)) = (name, value) {
                // Pairs beyond the capacity of the map are left out.
                drop(fields.try_append(name, value));
            }
        }
        Headers::of(fields)
    }

    /// The fields of a received head.
    pub(crate) fn from_map(mut fields: HeaderMap) -> Headers {
        for value in fields.values_mut() {
            if std::str::from_utf8(value.as_bytes()).is_err() {
                *value = from_latin1(value.as_bytes());
            }
        }
        Headers::of(fields)
    }

    /// Joins several `Content-Type` fields into one with a list (RFC 9110, section 5.3); the reader of the list decides
    /// which of them counts.
    fn of(mut fields: HeaderMap) -> Headers {
        let types: Vec<&[u8]> = fields.get_all(CONTENT_TYPE).iter().map(HeaderValue::as_bytes).collect();
        if types.len() > 1
            && let Ok(list) = HeaderValue::from_bytes(&types.join(&b", "[..]))
        {
            fields.insert(CONTENT_TYPE, list);
        }
        Headers { fields }
    }

    /// The first value of this field; names are compared without regard to case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Every value of this field, in order.
    pub fn all<'h>(&'h self, name: &str) -> impl Iterator<Item = &'h str> {
        self.fields.get_all(name).iter().map(text)
    }

    /// Every field, names in lower case.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), text(value)))
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Returns whether there is no field at all.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// `Content-Type` (RFC 9110, section 8.3); a list where there were several.
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

/// The text of a value.
fn text(value: &HeaderValue) -> &str {
    std::str::from_utf8(value.as_bytes()).unwrap_or_default()
}

/// Converts a value from Latin-1 to UTF-8.
fn from_latin1(bytes: &[u8]) -> HeaderValue {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    // A valid header value is valid as UTF-8 too: the conversion adds no control character.
    HeaderValue::from_bytes(text.as_bytes()).unwrap_or(HeaderValue::from_static(""))
}
