//! Class names and ids of elements outside the content, for sites without semantic elements.

use crate::page::syntax::attributes::Attribute;
use crate::page::syntax::names::Names;
use crate::page::syntax::scan::{StartTag, is_blank};
use crate::page::syntax::tag::Tag;

/// The hash factor of the names below, see [`Names::new`].
const FACTOR: u64 = 0x7215_8370_d269_a9a5;

/// Classes and ids of navigation, pagers, boxes of other pages and footers in common themes and applications.
static NAMES: Names<73> = Names::new(
    &[
        "archive-nav",
        "bottom-nav",
        "breadcrumb",
        "breadcrumbs",
        "colophon",
        "copyright",
        "docinfo",
        "foot",
        "footer",
        "latest",
        "latest-news",
        "latest-posts",
        "main-menu",
        "mainmenu",
        "menu",
        "more-posts",
        "nav",
        "nav-above",
        "nav-below",
        "nav-links",
        "nav-next",
        "nav-previous",
        "navbar",
        "navigation",
        "navlinks",
        "next-prev",
        "nextprev",
        "page-footer",
        "page-links",
        "page-nav",
        "page-numbers",
        "pagenav",
        "pager",
        "pagers",
        "pages-nav",
        "pagination",
        "paginator",
        "paging",
        "post-nav",
        "post-navigation",
        "post-pagination",
        "prev-next",
        "prevnext",
        "read-next",
        "recent",
        "recent-comments",
        "recent-posts",
        "recently-viewed",
        "recentposts",
        "recommended",
        "related",
        "related-content",
        "related-links",
        "related-pages",
        "related-posts",
        "relatedposts",
        "siblings",
        "side-bar",
        "sidebar",
        "sidenav",
        "similar",
        "similar-posts",
        "site-footer",
        "site-nav",
        "site-navigation",
        "siteinfo",
        "top-nav",
        "topnav",
        "trail",
        "widget",
        "widget-area",
        "yarpp-related",
        "you-may-like",
    ],
    FACTOR,
);

/// The number of values that are remembered.
const REMEMBERED: usize = 8;

/// Recognises boilerplate by names. Most values of a page are repeated, and few name boilerplate.
#[derive(Debug, Default)]
pub(in crate::page) struct BoilerplateNames<'t> {
    /// Values that name no boilerplate, each in the slot of its length.
    others: [&'t str; REMEMBERED],
}

impl<'t> BoilerplateNames<'t> {
    /// Returns true if an element's id or class names boilerplate. Only for elements with an explicit end tag: any
    /// other would cover all text that follows.
    pub(in crate::page) fn name(&mut self, start: &StartTag<'_, 't>, tag: Tag) -> bool {
        matches!(tag, Tag::Div | Tag::Section | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Table)
            && [Attribute::Id, Attribute::Class]
                .into_iter()
                .filter_map(|name| start.attributes.raw(name))
                .any(|value| self.is_named(value))
    }

    fn is_named(&mut self, value: &'t str) -> bool {
        let Some(slot) = self.others.get_mut(value.len() % REMEMBERED) else { return false };
        if *slot == value {
            return false;
        }
        let is_named = value.as_bytes().split(|byte| is_blank(*byte)).any(|name| NAMES.find_bytes(name).is_some());
        if !is_named {
            *slot = value;
        }
        is_named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_recognised_after_others_of_its_length_and_these_after_it() {
        let mut names = BoilerplateNames::default();
        for (value, expected) in
            [("post", false), ("menu", true), ("post", false), ("text", false), ("post", false), ("menu", true)]
        {
            assert_eq!(names.is_named(value), expected, "{value}");
        }
        assert!(names.is_named("top\nnav\twide") && !names.is_named("navy menus") && !names.is_named(""));
    }
}
