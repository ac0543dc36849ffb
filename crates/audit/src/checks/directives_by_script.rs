//! Robots directives that only one side says: the document itself, or the one that scripts make of it. They bind from
//! either side (Google Search Central, "Understand the JavaScript SEO basics").

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&NOINDEX_BY_SCRIPT, &NOINDEX_ONLY_RAW, &NOFOLLOW_ONLY_RAW]);

static NOINDEX_BY_SCRIPT: Check = Check {
    code: "noindex-by-script",
    title: "noindex set by a script",
    topic: Topic::Scripts,
    severity: Severity::Error,
    reason: "A script says noindex where the document itself does not: the page drops out of search results once it runs.",
    fix: "Remove it from the script, or say noindex in the HTML itself if it is meant.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static NOINDEX_ONLY_RAW: Check = Check {
    code: "noindex-only-raw",
    title: "noindex that a script removes",
    topic: Topic::Scripts,
    severity: Severity::Error,
    reason: "The document says noindex, and a script takes it back. Search engines obey the document and do not run the script.",
    fix: "Remove the noindex from the HTML itself if the page is to be found.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

static NOFOLLOW_ONLY_RAW: Check = Check {
    code: "nofollow-only-raw",
    title: "nofollow that a script removes",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "The document says nofollow, and a script takes it back. Search engines obey the document.",
    fix: "Remove the nofollow from the HTML itself if the links are to be followed.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, page) in site.rendered_pages() {
        let Some(before) = &page.before else { continue };
        let differences = [
            (&NOINDEX_BY_SCRIPT, !before.noindex && before.noindex_after),
            (&NOINDEX_ONLY_RAW, before.noindex && !before.noindex_after),
            (&NOFOLLOW_ONLY_RAW, before.nofollow && !before.nofollow_after),
        ];
        found.extend(differences.iter().filter(|(_, differs)| *differs).map(|(check, _)| Finding::of(check, url)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_web::page::facts::BeforeScripts;

    #[test]
    fn directives_of_one_side_are_reported_and_those_of_both_are_not() {
        let noindex = |noindex, noindex_after| BeforeScripts { noindex, noindex_after, ..Default::default() };
        let nofollow = |nofollow, nofollow_after| BeforeScripts { nofollow, nofollow_after, ..Default::default() };
        let site = builder()
            .rendered("/set", noindex(false, true))
            .rendered("/taken", noindex(true, false))
            .rendered("/both", noindex(true, true))
            .rendered("/followed", nofollow(true, false))
            .rendered("/not-followed", nofollow(false, true))
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("noindex-by-script"), ["/set"]);
        assert_eq!(found.of("noindex-only-raw"), ["/taken"]);
        assert_eq!(found.of("nofollow-only-raw"), ["/followed"]);
    }
}
