//! Canonicals that are missing, differ, are relative or stand outside head.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node, said) in site.pages() {
        let canonicals = &said.canonicals;
        if !canonicals.given && node.is_indexable() && node.target.is_none() {
            found.push(Finding::of(Code::CanonicalMissing, url));
        }
        if !canonicals.differing.is_empty() {
            let message = format!("It gives several canonicals: {}.", canonicals.differing.join(", "));
            found.push(Finding::of(Code::CanonicalConflict, url).says(message));
        }
        if let Some(written) = &canonicals.relative {
            let message = format!("The canonical is written as `{written}`.");
            found.push(Finding::of(Code::CanonicalRelative, url).says(message));
        }
        if let Some(written) = &canonicals.outside_head {
            let message = format!("The canonical `{written}` stands outside head.");
            found.push(Finding::of(Code::CanonicalOutsideHead, url).says(message));
        }
    }
}
