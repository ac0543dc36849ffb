//! Manifests of web applications that browsers cannot read.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_web::page::facts::LinkKind;

pub(super) static CHECKER: Checker = Checker::site(find, &[&MANIFEST_MALFORMED]);

static MANIFEST_MALFORMED: Check = Check {
    code: "manifest-malformed",
    title: "Manifest that is not JSON",
    topic: Topic::Content,
    severity: Severity::Warning,
    reason: "The web app manifest of pages is not a JSON object; browsers ignore it.",
    fix: "Correct it: often a comma behind the last entry, or a comment.",
    needs: RequiredCoverage::External,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let is_manifest = |kind| kind == LinkKind::Manifest;
    let malformed = site.own_resources().filter(|file| file.is_malformed && file.kinds().any(is_manifest));
    found.extend(malformed.map(|file| Finding::of(&MANIFEST_MALFORMED, file.url)));
}
