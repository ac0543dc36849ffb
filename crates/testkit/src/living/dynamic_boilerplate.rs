//! Dynamic boilerplate.

use super::section::{Modified, Section};

/// The part around the text of a page that changes again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DynamicBoilerplate {
    /// A date in the footer.
    Stamp,
    /// A visit counter right below the last paragraph.
    Counter,
    /// A box of related pages.
    Related,
    /// A rotating advertisement.
    Advert,
    /// The number of visitors online.
    Visitors,
    /// A build number in the URLs of style sheet and script.
    Build,
    /// A nonce in a script and in a comment.
    Nonce,
    /// A token in a form.
    Token,
}

use DynamicBoilerplate::{Advert, Build, Counter, Nonce, Related, Stamp, Token, Visitors};

impl DynamicBoilerplate {
    /// The kinds that pages of this section may have from the first run on.
    pub(super) fn of(section: &Section) -> &'static [DynamicBoilerplate] {
        // Where only a deploy shows new boilerplate, text in it would differ for the first time in that run, and a
        // first difference is a change.
        if section.modified == Modified::OfDeploy {
            return &[Build, Nonce, Token];
        }
        &[Stamp, Counter, Related, Advert, Visitors, Build, Nonce, Token]
    }

    /// The kinds that pages that appear later may have.
    pub(super) fn of_newcomers(section: &Section) -> &'static [DynamicBoilerplate] {
        if section.modified == Modified::OfDeploy { &[Build] } else { &[Stamp, Counter, Related, Advert, Build] }
    }

    /// Returns whether it changes at each fetch, where that prevents no 304.
    pub(super) fn changes_at_each_fetch(self) -> bool {
        matches!(self, Visitors | Nonce | Token)
    }
}
