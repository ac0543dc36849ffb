//! Boilerplate that never rests.

use super::habit::{Modified, Section};

/// What changes around the text of a page, again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lively {
    /// A date in the footer.
    Stamp,
    /// How often the page was seen, right below its last paragraph.
    Counter,
    /// A box of related pages.
    Related,
    /// A rotating advertisement.
    Advert,
    /// How many visitors are online.
    Visitors,
    /// A build number in the URLs of style sheet and script.
    Build,
    /// A nonce in a script and in a comment.
    Nonce,
    /// A token in a form.
    Token,
}

use Lively::{Advert, Build, Counter, Nonce, Related, Stamp, Token, Visitors};

impl Lively {
    /// What pages of this section may have from the first night on.
    pub(super) fn of(section: &Section) -> &'static [Lively] {
        // Where a deploy alone shows the boilerplate anew, text in it would differ for the first time that night, and
        // a first difference is a change.
        if section.modified == Modified::OfDeploy {
            return &[Build, Nonce, Token];
        }
        &[Stamp, Counter, Related, Advert, Visitors, Build, Nonce, Token]
    }

    /// What pages that appear later may have.
    pub(super) fn of_newcomers(section: &Section) -> &'static [Lively] {
        if section.modified == Modified::OfDeploy { &[Build] } else { &[Stamp, Counter, Related, Advert, Build] }
    }

    /// Whether it is another at each fetch, where that spoils no 304.
    pub(super) fn changes_at_each_fetch(self) -> bool {
        matches!(self, Visitors | Nonce | Token)
    }
}
