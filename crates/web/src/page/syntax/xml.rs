//! XML syntax besides the tokens of HTML: document type declarations with an internal subset, and prefixed names.

use memchr::{memchr, memmem};

/// Namespaces whose elements are read, under any prefix.
const NAMESPACES: [&str; 3] =
    ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"];

/// The maximum number of prefixes kept of one document.
const MAX_PREFIXES: usize = 16;

/// The prefixes that a document declares for these namespaces (Namespaces in XML 1.0, section 3). A declaration is in
/// force to the end of the document, or to another one of the same prefix.
#[derive(Debug, Default)]
pub(crate) struct Prefixes<'t> {
    known: Vec<&'t str>,
}

impl<'t> Prefixes<'t> {
    /// Handles an attribute, which declares a prefix if its name begins with `xmlns:`.
    pub(crate) fn declare(&mut self, attribute: &'t str, value: &str) {
        let Some(prefix) = attribute.strip_prefix("xmlns:") else { return };
        self.known.retain(|known| *known != prefix);
        if NAMESPACES.contains(&value) && self.known.len() < MAX_PREFIXES {
            self.known.push(prefix);
        }
    }

    /// The name of an element without its prefix, if that is declared for one of these namespaces.
    pub(crate) fn local(&self, name: &'t str) -> &'t str {
        match name.split_once(':') {
            Some((prefix, local)) if self.known.contains(&prefix) => local,
            _ => name,
        }
    }
}

/// The length of a document type declaration, up to and including `>`, given the text after its `<!`: a `>` in a
/// literal, a comment, an instruction or the internal subset (XML 1.0, production 28) does not end it. `None` if it
/// never ends.
pub(crate) fn doctype_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut in_subset = false;
    loop {
        let rest = text.get(at..)?;
        at += match rest.first()? {
            b'>' if !in_subset => return Some(at + 1),
            b'[' => {
                in_subset = true;
                1
            }
            b']' => {
                in_subset = false;
                1
            }
            b'<' if in_subset => markup_length(rest)?,
            quote @ (b'"' | b'\'') if !in_subset => literal_length(rest, *quote)?,
            _ => 1,
        };
    }
}

/// The length of a comment, an instruction or a declaration of a subset.
fn markup_length(text: &[u8]) -> Option<usize> {
    let sections: [(&[u8], &[u8]); 2] = [(b"<!--", b"-->"), (b"<?", b"?>")];
    for (begin, end) in sections {
        if let Some(body) = text.strip_prefix(begin) {
            return memmem::find(body, end).map(|length| begin.len() + length + end.len());
        }
    }
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        at += match rest.first()? {
            b'>' => return Some(at + 1),
            quote @ (b'"' | b'\'') => literal_length(rest, *quote)?,
            _ => 1,
        };
    }
}

/// The length of a literal, including its quotes.
fn literal_length(text: &[u8], quote: u8) -> Option<usize> {
    memchr(quote, text.get(1..)?).map(|length| length + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_ends_behind_its_subset() {
        for declaration in [
            "DOCTYPE html>",
            "DOCTYPE html [ <!ENTITY nbsp \"&#xA0;\"> ]>",
            "DOCTYPE html PUBLIC '-//W3C//DTD > ]' \"[\" [\n<!ENTITY a '>]>'><!-- ]> ' \" --><?pi ]> ' ?>%b;\n] >",
        ] {
            let text = format!("{declaration}<html>");
            assert_eq!(doctype_length(text.as_bytes()), Some(declaration.len()), "{declaration}");
        }
        for unended in ["DOCTYPE html [ <!ENTITY a \"> ]>", "DOCTYPE html [ <!-- ]>", "DOCTYPE html [ >", "DOCTYPE '>"]
        {
            assert_eq!(doctype_length(unended.as_bytes()), None, "{unended}");
        }
    }

    #[test]
    fn prefixes_count_where_they_are_declared_for_a_namespace_that_is_read() {
        let mut prefixes = Prefixes::default();
        assert_eq!(prefixes.local("h:head"), "h:head");
        prefixes.declare("xmlns:h", NAMESPACES[0]);
        prefixes.declare("xmlns:dc", "http://purl.org/dc/elements/1.1/");
        assert_eq!([prefixes.local("h:head"), prefixes.local("dc:title")], ["head", "dc:title"]);
        prefixes.declare("xmlns:h", "http://example.test/");
        assert_eq!(prefixes.local("h:head"), "h:head");
        (0..100).for_each(|_| prefixes.declare("xmlns:x", NAMESPACES[1]));
        assert_eq!(prefixes.known.len(), 1);
    }
}
