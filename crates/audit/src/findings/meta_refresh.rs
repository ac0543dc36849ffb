//! Pages that send visitors on by a refresh, in a tag or header.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, said) in site.pages() {
        let Some((target, seconds)) = said.refresh.as_deref() else { continue };
        let finding = Finding::of(Code::MetaRefresh, url);
        found.push(match target {
            Some(target) => {
                let message = format!("It leads to {} after {seconds} s.", site.text(*target));
                finding.to(*target).says(message)
            }
            None => finding,
        });
    }
}
