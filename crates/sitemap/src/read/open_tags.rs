//! The open elements, and the effect of an end tag if entries have a missing or extra one.

/// The names of the roots, and of their entries, where reading continues after such a fault.
const ENTRIES: [(&str, &str); 2] = [("urlset", "url"), ("sitemapindex", "sitemap")];

/// The names of the open elements, outermost first.
#[derive(Default)]
pub(super) struct OpenTags {
    names: String,
    starts: Vec<usize>,
    /// The number of entries that were followed by another one before they were closed.
    unclosed: usize,
}

/// The effect of an end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// It closes the innermost element.
    Innermost,
    /// It closes the root and the unclosed elements in it; the total number of closed elements.
    Root(usize),
    /// It closes an entry that was already closed by the start of the next one.
    Followed,
    /// It closes an entry that was closed already.
    Spare,
    /// It crosses the innermost element, and reading stops.
    Crossed,
}

impl OpenTags {
    pub(super) fn depth(&self) -> usize {
        self.starts.len()
    }

    /// The name of the innermost element.
    pub(super) fn innermost(&self) -> &str {
        self.starts.last().and_then(|start| self.names.get(*start..)).unwrap_or_default()
    }

    pub(super) fn open(&mut self, name: &str) {
        self.starts.push(self.names.len());
        self.names.push_str(name);
    }

    /// Returns true if an element of this name is the next entry of a root whose previous entry was not closed; that
    /// one is then closed.
    pub(super) fn follows_unclosed(&mut self, name: &str) -> bool {
        let follows = self.depth() == 2 && self.innermost() == name && self.entry() == Some(local(name));
        if follows {
            self.unclosed += 1;
            self.pop();
        }
        follows
    }

    /// Handles an end tag.
    pub(super) fn close(&mut self, name: &str) -> Closing {
        if self.innermost() == name && (self.depth() > 1 || self.unclosed == 0) {
            self.pop();
            return Closing::Innermost;
        }
        let is_entry = self.entry() == Some(local(name)) && self.depth() == 1;
        match () {
            () if self.root() == name && self.is_between_entries() => {
                let open = self.depth();
                *self = Self::default();
                Closing::Root(open)
            }
            () if is_entry && self.unclosed > 0 => {
                self.unclosed -= 1;
                Closing::Followed
            }
            () if is_entry => Closing::Spare,
            () => Closing::Crossed,
        }
    }

    /// Returns true if only the root of a sitemap and at most one entry are open.
    fn is_between_entries(&self) -> bool {
        self.entry().is_some_and(|entry| self.depth() == 1 || self.depth() == 2 && local(self.innermost()) == entry)
    }

    fn root(&self) -> &str {
        self.names.get(..self.starts.get(1).copied().unwrap_or(self.names.len())).unwrap_or_default()
    }

    /// The name of the entries of the root.
    fn entry(&self) -> Option<&'static str> {
        let root = local(self.root());
        ENTRIES.iter().find(|(name, _)| *name == root).map(|(_, entry)| *entry)
    }

    fn pop(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.names.truncate(start);
        }
    }
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The effect of each end tag in a sequence of tags.
    fn closings(tags: &str) -> Vec<Closing> {
        let mut open = OpenTags::default();
        let mut closings = Vec::new();
        for tag in tags.split_whitespace() {
            match tag.strip_prefix('/') {
                Some(name) => closings.push(open.close(name)),
                None => {
                    open.follows_unclosed(tag);
                    open.open(tag);
                }
            }
        }
        closings
    }

    #[test]
    fn an_entry_may_lack_its_end_tag_or_have_two() {
        use Closing::{Followed, Innermost, Root, Spare};
        assert_eq!(closings("urlset url /url url /url /urlset"), [Innermost; 3]);
        assert_eq!(closings("urlset url url /url /urlset"), [Innermost, Root(1)]);
        assert_eq!(closings("s:urlset s:url s:url /s:urlset"), [Root(2)]);
        assert_eq!(closings("urlset url /url /url url /url /urlset"), [Innermost, Spare, Innermost, Innermost]);
        assert_eq!(
            closings("sitemapindex sitemap sitemap /sitemap /sitemap /sitemapindex"),
            [Innermost, Followed, Innermost]
        );
    }

    #[test]
    fn other_tags_that_cross_end_the_reading() {
        use Closing::{Crossed, Innermost};
        assert_eq!(closings("urlset url loc /lco"), [Crossed]);
        assert_eq!(closings("urlset url loc /url"), [Crossed]);
        assert_eq!(closings("rss url url /url /rss"), [Innermost, Crossed]);
        assert_eq!(closings("html url /url /url"), [Innermost, Crossed]);
        assert_eq!(closings("/url"), [Crossed]);
    }
}
