//! Pages whose scripts send visitors to another page at once.

use crate::check::{Attributes, Check, RequiredCoverage, Topic};
use crate::checker::Checker;
use crate::finding::Finding;
use crate::severity::Severity;
use crate::site::Site;

pub(super) static CHECKER: Checker = Checker::site(find, &[&REDIRECT_BY_SCRIPT]);

static REDIRECT_BY_SCRIPT: Check = Check {
    code: "redirect-by-script",
    title: "Redirect by a script",
    topic: Topic::Scripts,
    severity: Severity::Warning,
    reason: "A script sends visitors to another page at once. Search engines see the redirect only if they run it.",
    fix: "Answer with a redirect (301 or 308) instead.",
    needs: RequiredCoverage::Page,
    attributes: Attributes::NONE,
};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, page) in site.rendered_pages() {
        // A refresh that a script inserted is a refresh.
        let refreshes = site.page_content(url).is_some_and(|content| content.refresh.is_some());
        let navigation = page.rendering.as_deref().and_then(|rendering| rendering.navigation.as_ref());
        let Some(navigation) = navigation.filter(|navigation| navigation.is_redirect() && !refreshes) else { continue };
        let finding = Finding::of(&REDIRECT_BY_SCRIPT, url).says(format!("A script leads to {}.", navigation.url));
        found.push(match site.urls.number(&navigation.url) {
            Some(target) if target == url => continue,
            Some(target) => finding.to(target),
            None => finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::builder::{builder, url};
    use mapwright_model::{Navigation, Rendering};

    #[test]
    fn a_script_that_leads_on_at_once_is_reported_and_a_late_or_clicked_one_is_not() {
        let to = |target: &str, reason: &str, at_once| {
            let navigation = Navigation { url: url(target), reason: reason.to_owned(), at_once };
            Rendering { navigation: Some(navigation), ..Rendering::default() }
        };
        let site = builder()
            .rendered_as("/at-once", to("/target", "scriptInitiated", true))
            .rendered_as("/late", to("/target", "scriptInitiated", false))
            .rendered_as("/clicked", to("/target", "anchorClick", true))
            .rendered_as("/itself", to("/itself", "scriptInitiated", true))
            .links("/target", &[])
            .site();
        let found = site.run_check(find);
        assert_eq!(found.of("redirect-by-script"), ["/at-once"]);
        assert_eq!(found.target("redirect-by-script"), "/target");
    }
}
