//! The attributes of a start tag that facts are read from.

use super::names::Names;
use super::references::{Context, decode};
use std::borrow::Cow;

/// The hash factor of the names below, see [`Names::new`].
const FACTOR: u64 = 0xcd61_3e30_d8f1_6adf;

macro_rules! attributes {
    ($($variant:ident $name:literal,)*) => {
        /// An attribute that some fact is read from.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Attribute {
            $(#[doc = $name] $variant,)*
        }

        const COUNT: usize = [$($name),*].len();
        static NAMES: Names<COUNT> = Names::new(&[$($name),*], FACTOR);
    };
}

attributes! {
    Alt "alt",
    AriaLabel "aria-label",
    Charset "charset",
    Class "class",
    Color "color",
    Content "content",
    Encoding "encoding",
    Face "face",
    Href "href",
    Hreflang "hreflang",
    HttpEquiv "http-equiv",
    Id "id",
    Lang "lang",
    Media "media",
    Name "name",
    Onclick "onclick",
    Poster "poster",
    Property "property",
    Rel "rel",
    Role "role",
    Shadowrootmode "shadowrootmode",
    Size "size",
    Src "src",
    Srcset "srcset",
    Title "title",
    Type "type",
    XlinkHref "xlink:href",
    XmlLang "xml:lang",
}

/// The attributes of one tag: the first of each name, values as written.
#[derive(Debug)]
pub(crate) struct Attributes<'t> {
    /// One bit for each present attribute: only then its value is valid, so that no other field needs a reset for the
    /// next tag.
    given: u32,
    values: [&'t str; COUNT],
}

const fn bit(attribute: Attribute) -> u32 {
    1 << attribute as u32
}

const _: () = assert!(COUNT <= u32::BITS as usize, "a bit for each attribute");

impl Default for Attributes<'_> {
    fn default() -> Self {
        Attributes { given: 0, values: [""; COUNT] }
    }
}

impl<'t> Attributes<'t> {
    /// Removes all attributes, for the next tag.
    #[inline]
    pub(in crate::page) fn clear(&mut self) {
        self.given = 0;
    }

    /// Adds an attribute; the first of each name counts.
    #[inline]
    pub(in crate::page) fn add(&mut self, name: &str, value: &'t str) {
        let Some(place) = NAMES.find(name) else { return };
        let bit = 1 << place;
        if self.given & bit == 0
            && let Some(slot) = self.values.get_mut(place)
        {
            self.given |= bit;
            *slot = value;
        }
    }

    /// Reports whether the element has an `id`, or a text for those who do not see it.
    #[inline]
    pub(crate) fn has_name_or_label(&self) -> bool {
        const MEANT: u32 = bit(Attribute::Id) | bit(Attribute::Alt) | bit(Attribute::AriaLabel) | bit(Attribute::Title);
        self.given & MEANT != 0
    }

    /// The value as written; empty for an attribute without value.
    #[inline]
    pub(crate) fn raw(&self, attribute: Attribute) -> Option<&'t str> {
        let place = attribute as usize;
        if self.given & bit(attribute) == 0 { None } else { self.values.get(place).copied() }
    }

    /// The value with references decoded.
    pub(crate) fn get(&self, attribute: Attribute) -> Option<Cow<'t, str>> {
        self.raw(attribute).map(|raw| decode(raw, Context::Attribute))
    }

    /// Returns true if the value, decoded and trimmed, is `word` in any case.
    pub(crate) fn is(&self, attribute: Attribute, word: &str) -> bool {
        self.get(attribute).is_some_and(|value| value.trim_matches(blank).eq_ignore_ascii_case(word))
    }

    /// Returns true if `type` is a MIME type of this essence, in any case; parameters are ignored (MIME Sniffing,
    /// section 4.4).
    pub(crate) fn has_type(&self, wanted: &str) -> bool {
        let essence = |value: &str| value.split(';').next().unwrap_or_default().trim_matches(blank).to_owned();
        self.get(Attribute::Type).is_some_and(|value| essence(&value).eq_ignore_ascii_case(wanted))
    }
}

/// ASCII white space of the standard.
pub(crate) fn blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\x0c' | '\r')
}
