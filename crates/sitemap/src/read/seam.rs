//! Where a comment, processing instruction or CDATA section that is too long to be held is parted in two, which mean the
//! same to whoever reads them (XML 1.0, 2.5 to 2.7).

/// Each by how it begins, and what ends one and begins another of its kind.
const SEAMS: [(&[u8], &[u8]); 3] = [(b"<!--", b"--><!-- "), (b"<?", b"?><?x "), (b"<![CDATA[", b"]]><![CDATA[")];

/// The length of the longest of these beginnings.
const HEAD: usize = 9;

/// What is remembered of a piece of markup while it is read.
#[derive(Debug, Default)]
pub(super) struct Passed {
    head: [u8; HEAD],
    head_length: usize,
    last: u8,
}

/// Whether and how markup may be parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parting {
    /// With this between the parts.
    With(&'static [u8]),
    /// Not here, where its end may have begun, but further on.
    Later,
    Never,
}

impl Passed {
    /// Takes note of bytes that have been read.
    pub(super) fn note(&mut self, bytes: &[u8]) {
        for (slot, byte) in self.head.iter_mut().skip(self.head_length).zip(bytes) {
            *slot = *byte;
        }
        self.head_length = HEAD.min(self.head_length + bytes.len());
        self.last = bytes.last().copied().unwrap_or(self.last);
    }

    /// How it may be parted right here.
    pub(super) fn parting(&self) -> Parting {
        let head = self.head.get(..self.head_length).unwrap_or_default();
        match SEAMS.iter().find(|(begin, _)| head.starts_with(begin)) {
            Some((_, seam)) if seam.first() == Some(&self.last) => Parting::Later,
            Some((_, seam)) => Parting::With(seam),
            None => Parting::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parting(bytes: &[u8]) -> Parting {
        let (mut at_once, mut bytewise) = (Passed::default(), Passed::default());
        at_once.note(bytes);
        bytes.chunks(1).for_each(|byte| bytewise.note(byte));
        assert_eq!(at_once.parting(), bytewise.parting());
        at_once.parting()
    }

    #[test]
    fn comments_instructions_and_cdata_are_parted_where_they_do_not_end() {
        assert_eq!(parting(b"<!-- a"), Parting::With(b"--><!-- "));
        assert_eq!(parting(b"<?p a-"), Parting::With(b"?><?x "));
        assert_eq!(parting(b"<![CDATA[a"), Parting::With(b"]]><![CDATA["));
        for ending in ["<!--", "<!-- -", "<?p ?", "<?p ??", "<![CDATA[]", "<![CDATA[ ]]"] {
            assert_eq!(parting(ending.as_bytes()), Parting::Later, "{ending}");
        }
        for other in ["", "<", "<!-", "<![CDATA", "<!DOCTYPE x", "<loc>", "text <!-- "] {
            assert_eq!(parting(other.as_bytes()), Parting::Never, "{other}");
        }
    }
}
