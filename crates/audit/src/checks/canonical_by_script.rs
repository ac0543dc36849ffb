//! Canonicals that scripts set or change.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;
use mapwright_web::page::facts::BeforeScripts;

pub(super) static CHECKER: Checker = Checker::site(find, &[&CANONICAL_MISMATCH, &CANONICAL_BY_SCRIPT]);

static CANONICAL_MISMATCH: Check = Check {
    code: "canonical-mismatch",
    title: "Canonical changed by a script",
    topic: Topic::Scripts,
    severity: Severity::Error,
    reason: "A script changes the canonical. Search engines see two that differ, and may take either or none.",
    fix: "Give the right canonical in the HTML itself, or none there, and leave it alone afterwards.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static CANONICAL_BY_SCRIPT: Check = Check {
    code: "canonical-by-script",
    title: "Canonical set by a script",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "Only a script gives the canonical. It counts for search engines that run it, and for no others.",
    fix: "Give the canonical in the HTML itself.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, page) in site.rendered_pages() {
        let Some(BeforeScripts { canonical, canonical_after, canonical_differs, .. }) = page.before.as_deref() else {
            continue;
        };
        match (canonical, canonical_after) {
            (Some(before), Some(after)) if *canonical_differs => {
                let message = format!("The document names `{before}`, a script `{after}`.");
                found.push(Finding::of(&CANONICAL_MISMATCH, url).says(message));
            }
            (None, Some(after)) => {
                let message = format!("A script gives the canonical `{after}`.");
                found.push(Finding::of(&CANONICAL_BY_SCRIPT, url).says(message));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;

    fn canonicals(before: Option<&str>, after: Option<&str>, canonical_differs: bool) -> BeforeScripts {
        let (canonical, canonical_after) = (before.map(str::to_owned), after.map(str::to_owned));
        BeforeScripts { canonical, canonical_after, canonical_differs, ..BeforeScripts::default() }
    }

    #[test]
    fn canonicals_that_scripts_set_or_change_are_reported() {
        let site = builder()
            .rendered("/changed", canonicals(Some("/"), Some("/changed"), true))
            .rendered("/set", canonicals(None, Some("/set"), false))
            .rendered("/same", canonicals(Some("same"), Some("/same"), false))
            .rendered("/removed", canonicals(Some("/removed"), None, false))
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("canonical-mismatch"), ["/changed"]);
        assert_eq!(found.message("canonical-mismatch"), "The document names `/`, a script `/changed`.");
        assert_eq!(found.of("canonical-by-script"), ["/set"]);
    }
}
