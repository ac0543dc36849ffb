//! A site without a fault: every finding on it is wrong.

use super::codes::CODES;
use super::site::LabelledSite;
use super::site_builder::SiteBuilder;

pub(super) fn sites() -> Vec<LabelledSite> {
    let mut site = SiteBuilder::new("clean", CODES);
    site.plain(15);
    vec![site.open()]
}
