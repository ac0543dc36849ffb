//! The tokens of an XML document.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

use super::names::Ns;

/// The input of the state machines.
pub(super) enum Token<'t> {
    /// The start of an element.
    Open(Tag<'t>),
    /// The end of the innermost element.
    Close,
    /// A piece of text including white space; `complete` is false if a part of it was too long to be held.
    Text { piece: Cow<'t, str>, complete: bool },
    /// A character that was written as a reference.
    Char(char),
    /// A reference that cannot be resolved.
    Unresolved,
    /// A `DOCTYPE`.
    Doctype,
    /// Markup without significance.
    Skip,
    /// The end of the input.
    End,
}

/// A start tag.
pub(super) struct Tag<'t> {
    pub(super) ns: Ns,
    /// It is an entry, and the previous one was not closed.
    pub(super) follows_unclosed: bool,
    pub(super) start: BytesStart<'t>,
}

impl Tag<'_> {
    /// Returns true if the name has a prefix.
    pub(super) fn is_prefixed(&self) -> bool {
        self.start.name().prefix().is_some()
    }

    /// The name without its prefix.
    pub(super) fn local(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// The value of an attribute by its full name, references resolved.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        let found = attributes.with_checks(false).flatten().find(|attribute| attribute.key.0 == name)?;
        found.normalized_value(XmlVersion::Explicit1_0).ok().map(Cow::into_owned)
    }
}
