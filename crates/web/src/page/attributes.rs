//! Those attributes of a start tag that matter.

use super::references::{Context, decode};
use super::tag::{key, known_key};
use std::borrow::Cow;

macro_rules! attributes {
    ($($variant:ident $name:literal,)*) => {
        /// An attribute that some fact is read from.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Attribute {
            $(#[doc = $name] $variant,)*
        }

        const COUNT: usize = [$($name),*].len();

        struct Key;

        #[allow(non_upper_case_globals, reason = "named as the variants are")]
        impl Key {
            $(const $variant: u128 = known_key($name);)*
        }

        impl Attribute {
            fn of(name: &str) -> Option<Self> {
                match key(name)? {
                    $(Key::$variant => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

attributes! {
    Alt "alt",
    Color "color",
    Content "content",
    Encoding "encoding",
    Face "face",
    Href "href",
    Hreflang "hreflang",
    HttpEquiv "http-equiv",
    Id "id",
    Lang "lang",
    Name "name",
    Poster "poster",
    Property "property",
    Rel "rel",
    Role "role",
    Size "size",
    Src "src",
    Srcset "srcset",
    Type "type",
    XlinkHref "xlink:href",
    XmlLang "xml:lang",
}

/// The attributes of one tag: the first of each name, values as written.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'t> {
    values: [Option<&'t str>; COUNT],
}

impl<'t> Attributes<'t> {
    /// Takes an attribute, unless one of that name came before.
    pub(super) fn add(&mut self, name: &str, value: &'t str) {
        if let Some(slot) = Attribute::of(name).and_then(|attribute| self.values.get_mut(attribute as usize)) {
            slot.get_or_insert(value);
        }
    }

    /// The value as written; empty when the attribute has none.
    pub(crate) fn raw(&self, attribute: Attribute) -> Option<&'t str> {
        self.values.get(attribute as usize).copied().flatten()
    }

    /// The value, references decoded.
    pub(crate) fn get(&self, attribute: Attribute) -> Option<Cow<'t, str>> {
        self.raw(attribute).map(|raw| decode(raw, Context::Attribute))
    }

    /// Whether the value, decoded and trimmed, is `word` in any case.
    pub(crate) fn is(&self, attribute: Attribute, word: &str) -> bool {
        self.get(attribute).is_some_and(|value| value.trim_matches(blank).eq_ignore_ascii_case(word))
    }
}

/// ASCII white space of the standard.
pub(crate) fn blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\x0c' | '\r')
}
