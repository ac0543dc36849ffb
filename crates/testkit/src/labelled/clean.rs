//! A site without a fault: every finding on it is wrong.

use super::codes::CODES;
use super::draft::Draft;
use super::site::LabelledSite;

pub(super) fn sites() -> Vec<LabelledSite> {
    let mut site = Draft::new("clean", CODES);
    site.plain(15);
    vec![site.open()]
}
