//! Splits a comment, processing instruction or CDATA section that is too long to be held into two with the same meaning
//! (XML 1.0, 2.5 to 2.7).

/// The beginning of each kind, and the text that ends one and begins another of its kind.
const SEAMS: [(&[u8], &[u8]); 3] = [(b"<!--", b"--><!-- "), (b"<?", b"?><?x "), (b"<![CDATA[", b"]]><![CDATA[")];

/// The length of the longest of these beginnings.
const HEAD: usize = 9;

/// The state of a piece of markup that is being read.
#[derive(Debug, Default)]
pub(super) struct MarkupPrefix {
    head: [u8; HEAD],
    head_length: usize,
    last: u8,
}

/// The possible splits of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// It can be split with this text between the parts.
    With(&'static [u8]),
    /// It can be split later, because its end may have begun here.
    Later,
    Never,
}

impl MarkupPrefix {
    /// Records bytes that were read.
    pub(super) fn note(&mut self, bytes: &[u8]) {
        for (slot, byte) in self.head.iter_mut().skip(self.head_length).zip(bytes) {
            *slot = *byte;
        }
        self.head_length = HEAD.min(self.head_length + bytes.len());
        self.last = bytes.last().copied().unwrap_or(self.last);
    }

    /// The possible split at this position.
    pub(super) fn parting(&self) -> Split {
        let head = self.head.get(..self.head_length).unwrap_or_default();
        match SEAMS.iter().find(|(begin, _)| head.starts_with(begin)) {
            Some((_, markup_split)) if markup_split.first() == Some(&self.last) => Split::Later,
            Some((_, markup_split)) => Split::With(markup_split),
            None => Split::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parting(bytes: &[u8]) -> Split {
        let (mut at_once, mut bytewise) = (MarkupPrefix::default(), MarkupPrefix::default());
        at_once.note(bytes);
        bytes.chunks(1).for_each(|byte| bytewise.note(byte));
        assert_eq!(at_once.parting(), bytewise.parting());
        at_once.parting()
    }

    #[test]
    fn comments_instructions_and_cdata_are_parted_where_they_do_not_end() {
        assert_eq!(parting(b"<!-- a"), Split::With(b"--><!-- "));
        assert_eq!(parting(b"<?p a-"), Split::With(b"?><?x "));
        assert_eq!(parting(b"<![CDATA[a"), Split::With(b"]]><![CDATA["));
        for ending in ["<!--", "<!-- -", "<?p ?", "<?p ??", "<![CDATA[]", "<![CDATA[ ]]"] {
            assert_eq!(parting(ending.as_bytes()), Split::Later, "{ending}");
        }
        for other in ["", "<", "<!-", "<![CDATA", "<!DOCTYPE x", "<loc>", "text <!-- "] {
            assert_eq!(parting(other.as_bytes()), Split::Never, "{other}");
        }
    }
}
