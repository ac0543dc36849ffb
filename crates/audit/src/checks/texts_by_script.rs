//! Titles, descriptions, first headings and alternates that scripts set or change.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker =
    Checker::site(find, &[&TITLE_BY_SCRIPT, &DESCRIPTION_BY_SCRIPT, &H1_BY_SCRIPT, &HREFLANG_BY_SCRIPT]);

static TITLE_BY_SCRIPT: Check = Check {
    code: "title-by-script",
    title: "Title set by a script",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "A script sets or changes the title. Search engines and link previews that do not run it show another one.",
    fix: "Write the title into the HTML itself.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static DESCRIPTION_BY_SCRIPT: Check = Check {
    code: "description-by-script",
    title: "Description set by a script",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "A script sets or changes the description. Search engines and link previews that do not run it show another one.",
    fix: "Write the description into the HTML itself.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static H1_BY_SCRIPT: Check = Check {
    code: "h1-by-script",
    title: "First heading set by a script",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "A script sets or changes the first heading (h1), which search engines see only if they run it.",
    fix: "Write the heading into the HTML itself.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

static HREFLANG_BY_SCRIPT: Check = Check {
    code: "hreflang-by-script",
    title: "Alternates set by a script",
    topic: Topic::Scripts,
    severity: Severity::Notice,
    reason: "Only a script names the page's alternates in other languages (hreflang).",
    fix: "Name them in the HTML itself, or in the sitemap.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::OF_LISTED,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _, content) in site.own_pages() {
        let Some(page) = site.renderings.get(&url) else { continue };
        let Some(before) = &page.before else { continue };
        let texts = [
            (&TITLE_BY_SCRIPT, &before.title, &content.title),
            (&DESCRIPTION_BY_SCRIPT, &before.description, &content.description),
            (&H1_BY_SCRIPT, &before.heading, &page.heading),
        ];
        for (check, before, after) in texts {
            let message = change(before.as_deref(), after.as_deref());
            found.extend(message.map(|message| Finding::of(check, url).says(message)));
        }
        if !before.hreflang && !content.alternates.is_empty() {
            found.push(Finding::of(&HREFLANG_BY_SCRIPT, url));
        }
    }
}

/// Returns what a script does to a text, if it sets or changes it.
fn change(before: Option<&str>, after: Option<&str>) -> Option<String> {
    let after = after.filter(|after| !after.is_empty())?;
    match before.filter(|before| !before.is_empty()) {
        None => Some(format!("A script sets it to “{after}”.")),
        Some(before) if before != after => Some(format!("A script changes it from “{before}” to “{after}”.")),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::builder;
    use mapwright_web::page::facts::BeforeScripts;

    fn before(title: &str) -> BeforeScripts {
        BeforeScripts { title: Some(title.to_owned()), ..BeforeScripts::default() }
    }

    #[test]
    fn texts_that_scripts_set_or_change_are_reported() {
        let site = builder()
            .page("/", "<title>Lamps</title><meta name=description content='Seventeen.'><h1>Seventeen lamps</h1>")
            .before_scripts("/", before("App"))
            .site();
        let found = site.run_check(find);
        assert_eq!(found.message("title-by-script"), "A script changes it from “App” to “Lamps”.");
        assert_eq!(found.message("description-by-script"), "A script sets it to “Seventeen.”.");
        assert_eq!(found.message("h1-by-script"), "A script sets it to “Seventeen lamps”.");
    }

    #[test]
    fn texts_that_stay_or_go_are_not_reported() {
        let heading = Some("Lamps".to_owned());
        let before = BeforeScripts { heading, description: Some("Seventeen.".to_owned()), ..before("Lamps") };
        let site = builder().page("/", "<title>Lamps</title><h1>Lamps</h1>").before_scripts("/", before).site();
        assert!(site.run_check(find).is_nothing());
    }

    #[test]
    fn alternates_that_only_a_script_names_are_reported() {
        let pairs = [("de", "/de"), ("en", "/")];
        let named = BeforeScripts { hreflang: true, ..before("/de") };
        let site = builder()
            .alternates("/", &pairs)
            .before_scripts("/", before("/"))
            .alternates("/de", &pairs)
            .before_scripts("/de", named)
            .site();
        assert_eq!(site.run_check(find).of("hreflang-by-script"), ["/"]);
    }
}
